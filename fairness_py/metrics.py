"""The formula of every metric, as a record that names its rows and its axis.

A formula sees the counts of all groups at once and nothing else, so that a new metric is one record here
and one public function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ._counts import Counts, Vector

Formula: TypeAlias = Callable[[Counts], Vector]


def ratio(numerator: Vector, denominator: Vector) -> Vector:
    """Divide as R does: 0/0 is NaN, x/0 is infinite; without a warning, for both are answers."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(numerator, denominator)


# ------------------------------------------------------------------ rates of a group, from its counts


def accuracy(counts: Counts) -> Vector:
    return ratio(counts.tp + counts.tn, counts.n)


def positively_classified(counts: Counts) -> Vector:
    return counts.selected  # TP + FP, where all outcomes are known


def proportion(counts: Counts) -> Vector:
    return ratio(counts.selected, counts.selected + counts.rejected)


def sensitivity(counts: Counts) -> Vector:
    return ratio(counts.tp, counts.tp + counts.fn)


def specificity(counts: Counts) -> Vector:
    return ratio(counts.tn, counts.tn + counts.fp)


def false_negative_rate(counts: Counts) -> Vector:
    return ratio(counts.fn, counts.tp + counts.fn)


def false_positive_rate(counts: Counts) -> Vector:
    return ratio(counts.fp, counts.tn + counts.fp)


def precision(counts: Counts) -> Vector:
    return ratio(counts.tp, counts.tp + counts.fp)


def negative_predictive_value(counts: Counts) -> Vector:
    return ratio(counts.tn, counts.tn + counts.fn)


def matthews_correlation(counts: Counts) -> Vector:
    tp, fp, tn, fn = counts.tp, counts.fp, counts.tn, counts.fn
    root = np.sqrt((tp + fp) * (tp + fn)) * np.sqrt((tn + fp) * (tn + fn))
    return np.where(root == 0, 0.0, ratio(tp * tn - fp * fn, root))


# ------------------------------------------------------------------ the metrics


@dataclass(frozen=True)
class Metric:
    """What is computed, and what its rows and its axis are called.

    Attributes
    ----------
    name : str
        The public function.
    rates : mapping of str to callable
        The raw rows of the table: label, and formula of the counts.
    compare : callable
        Makes the other rows of the rates of each group and the rates it is held against.
    value_row : str
        The row that a plot shows.
    axis_title : str
        Title of the bar chart's axis.
    reference : float
        The value of no disparity: 1 for parities, 0 for differences.
    needs_outcome : bool
        Whether rows without an outcome are left out.
    """

    name: str
    rates: Mapping[str, Formula]
    compare: Callable[[list[Vector], list[Vector]], dict[str, Vector]]
    value_row: str
    axis_title: str
    reference: float = 1.0
    needs_outcome: bool = True

    def size(self, counts: Counts) -> Vector:
        """Return how many rows of each group the metric uses."""
        return counts.n if self.needs_outcome else counts.selected + counts.rejected


def _parity(
    name: str, rate_row: str, rate: Formula, parity_row: str, axis_title: str = "", *, needs_outcome: bool = True
) -> Metric:
    """Return the record of a metric of the R package: one rate, and its ratio to that of the base."""

    def compare(own: list[Vector], reference: list[Vector]) -> dict[str, Vector]:
        return {parity_row: ratio(own[0], reference[0])}

    return Metric(name, {rate_row: rate}, compare, parity_row, axis_title or parity_row, needs_outcome=needs_outcome)


ACC = _parity("acc_parity", "Accuracy", accuracy, "Accuracy Parity")
DEM = _parity("dem_parity", "Positively classified", positively_classified, "Demographic Parity", needs_outcome=False)
ODDS = _parity("equal_odds", "Sensitivity", sensitivity, "Equalized odds", "Equalized Odds")
FNR = _parity("fnr_parity", "FNR", false_negative_rate, "FNR Parity", "False Negative Rate Parity")
FPR = _parity("fpr_parity", "FPR", false_positive_rate, "FPR Parity", "False Positive Rate Parity")
MCC = _parity("mcc_parity", "MCC", matthews_correlation, "MCC Parity", "Matthews Correlation Coefficient Parity")
NPV = _parity("npv_parity", "NPV", negative_predictive_value, "NPV Parity", "Negative Predictive Value Parity")
PPV = _parity("pred_rate_parity", "Precision", precision, "Predictive Rate Parity")
PROP = _parity("prop_parity", "Proportion", proportion, "Proportional Parity", needs_outcome=False)
SPEC = _parity("spec_parity", "Specificity", specificity, "Specificity Parity")


def _no_counts(counts: Counts) -> Vector:
    raise TypeError("the area under the ROC curve is made of scores, not of counts")


ROC = _parity("roc_parity", "ROC AUC", _no_counts, "ROC AUC Parity")

#: All metrics by the name of their public function.
METRICS: dict[str, Metric] = {
    metric.name: metric for metric in (ACC, DEM, ODDS, FNR, FPR, MCC, NPV, PPV, PROP, ROC, SPEC)
}
