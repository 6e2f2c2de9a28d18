"""The formula of every metric, as a record that names its rows and its axis.

A formula sees the counts of all groups at once and nothing else, so that a new metric is one record here
and one public function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from ._counts import Counts
from ._delong import auc_ratio
from ._factors import Vector
from ._intervals import (
    IntervalMethod,
    count_ratio,
    mcc_ratio,
    mean_rate_difference,
    odds_difference,
    paired_ratio_difference,
    rate_difference,
    rate_ratio,
)

Formula: TypeAlias = Callable[[Counts], Vector]

ROUNDING = 1e-15  # more than the rounding of a quotient of two rates


def ratio(numerator: Vector, denominator: Vector) -> Vector:
    """Divide as R does: 0/0 is NaN, x/0 is infinite; without a warning, for both are answers."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(numerator, denominator)


def share(numerator: Vector, denominator: Vector) -> Vector:
    """Divide, and leave undefined (NaN) whatever is divided by 0."""
    return np.where(denominator == 0, np.nan, ratio(numerator, denominator))


# ------------------------------------------------------------------ counts that rates are made of


def positive_outcomes(counts: Counts) -> Vector:
    return counts.tp + counts.fn


def negative_outcomes(counts: Counts) -> Vector:
    return counts.tn + counts.fp


def positive_predictions(counts: Counts) -> Vector:
    return counts.tp + counts.fp


def negative_predictions(counts: Counts) -> Vector:
    return counts.tn + counts.fn


def classified(counts: Counts) -> Vector:
    return counts.selected + counts.rejected


def false_positives(counts: Counts) -> Vector:
    return counts.fp


# ------------------------------------------------------------------ rates of a group, from its counts


def accuracy(counts: Counts) -> Vector:
    return ratio(counts.tp + counts.tn, counts.n)


def positively_classified(counts: Counts) -> Vector:
    return counts.selected  # TP + FP, where all outcomes are known


def proportion(counts: Counts) -> Vector:
    return ratio(counts.selected, classified(counts))


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


def conditional_acceptance(counts: Counts) -> Vector:
    return share(positive_outcomes(counts), positive_predictions(counts))


def conditional_rejection(counts: Counts) -> Vector:
    return share(negative_outcomes(counts), negative_predictions(counts))


def misses_to_false_alarms(counts: Counts) -> Vector:
    return share(counts.fn, counts.fp)


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
    needs : mapping of str to callable
        What a group must have for its rates to be defined: what it is called, and its number. Where it is 0, a
        warning says so. Empty for the metrics of the R package, which are silent, as there.
    base_needs : mapping of str to callable
        What the groups that the others are held against must have besides.
    note : str
        What a reader of the bar chart must know.
    method : IntervalMethod, optional
        How its intervals and its test are made.
    undefined : str
        What a group lacks for which the raw metric is undefined.
    """

    name: str
    rates: Mapping[str, Formula]
    compare: Callable[[list[Vector], list[Vector]], dict[str, Vector]]
    value_row: str
    axis_title: str
    reference: float = 1.0
    needs_outcome: bool = True
    needs: Mapping[str, Formula] = field(default_factory=dict)
    base_needs: Mapping[str, Formula] = field(default_factory=dict)
    note: str = ""
    method: IntervalMethod | None = None
    undefined: str = "no rows"

    def size(self, counts: Counts) -> Vector:
        """Return how many rows of each group the metric uses."""
        return counts.n if self.needs_outcome else classified(counts)


def _parity(
    name: str,
    rate_row: str,
    rate: Formula,
    parity_row: str,
    method: IntervalMethod,
    axis_title: str = "",
    *,
    needs_outcome: bool = True,
    undefined: str = "no rows",
) -> Metric:
    """Return the record of a metric of the R package: one rate, and its ratio to that of the base."""

    def compare(own: list[Vector], reference: list[Vector]) -> dict[str, Vector]:
        return {parity_row: ratio(own[0], reference[0])}

    return Metric(
        name,
        {rate_row: rate},
        compare,
        parity_row,
        axis_title or parity_row,
        needs_outcome=needs_outcome,
        method=method,
        undefined=undefined,
    )


ACC = _parity("acc_parity", "Accuracy", accuracy, "Accuracy Parity", rate_ratio("tp tn", "tp fp tn fn"))
DEM = _parity(
    "dem_parity",
    "Positively classified",
    positively_classified,
    "Demographic Parity",
    count_ratio("selected", "selected rejected"),
    needs_outcome=False,
)
ODDS = _parity(
    "equal_odds",
    "Sensitivity",
    sensitivity,
    "Equalized odds",
    rate_ratio("tp", "tp fn"),
    "Equalized Odds",
    undefined="no positive outcome",
)
FNR = _parity(
    "fnr_parity",
    "FNR",
    false_negative_rate,
    "FNR Parity",
    rate_ratio("fn", "tp fn"),
    "False Negative Rate Parity",
    undefined="no positive outcome",
)
FPR = _parity(
    "fpr_parity",
    "FPR",
    false_positive_rate,
    "FPR Parity",
    rate_ratio("fp", "tn fp"),
    "False Positive Rate Parity",
    undefined="no negative outcome",
)
MCC = _parity(
    "mcc_parity", "MCC", matthews_correlation, "MCC Parity", mcc_ratio(), "Matthews Correlation Coefficient Parity"
)
NPV = _parity(
    "npv_parity",
    "NPV",
    negative_predictive_value,
    "NPV Parity",
    rate_ratio("tn", "tn fn"),
    "Negative Predictive Value Parity",
    undefined="no negative prediction",
)
PPV = _parity(
    "pred_rate_parity",
    "Precision",
    precision,
    "Predictive Rate Parity",
    rate_ratio("tp", "tp fp"),
    undefined="no positive prediction",
)
PROP = _parity(
    "prop_parity",
    "Proportion",
    proportion,
    "Proportional Parity",
    rate_ratio("selected", "selected rejected"),
    needs_outcome=False,
)
SPEC = _parity(
    "spec_parity",
    "Specificity",
    specificity,
    "Specificity Parity",
    rate_ratio("tn", "tn fp"),
    undefined="no negative outcome",
)


def _no_counts(counts: Counts) -> Vector:
    raise TypeError("this metric is made of scores, not of counts")


ROC = _parity("roc_parity", "ROC AUC", _no_counts, "ROC AUC Parity", auc_ratio(), undefined="one outcome level only")

# ------------------------------------------------------------------ the difference metrics

HAS_ROWS: dict[str, Formula] = {"rows": lambda counts: counts.n}
IS_CLASSIFIED: dict[str, Formula] = {"rows": classified}
POSITIVES: dict[str, Formula] = {"positive outcome": positive_outcomes}
NEGATIVES: dict[str, Formula] = {"negative outcome": negative_outcomes}
ACCEPTED: dict[str, Formula] = {"positive prediction": positive_predictions}
REJECTED: dict[str, Formula] = {"negative prediction": negative_predictions}
FALSE_ALARMS: dict[str, Formula] = {"false positive": false_positives}


def _difference(
    name: str,
    rate_row: str,
    rate: Formula,
    difference_row: str,
    sign: int,
    needs: Mapping[str, Formula],
    method: IntervalMethod,
    *,
    needs_outcome: bool = True,
) -> Metric:
    """Return the record of a difference: group minus base where `sign` is 1, base minus group where it is -1."""

    def compare(own: list[Vector], reference: list[Vector]) -> dict[str, Vector]:
        return {difference_row: own[0] - reference[0] if sign > 0 else reference[0] - own[0]}

    rows = HAS_ROWS if needs_outcome else IS_CLASSIFIED
    return Metric(
        name,
        {rate_row: rate},
        compare,
        difference_row,
        difference_row,
        0.0,
        needs_outcome,
        needs={**rows, **needs},
        method=method,
        undefined=" or ".join(f"no {what}" for what in needs or rows),
    )


def _both_gaps(own: list[Vector], reference: list[Vector]) -> dict[str, Vector]:
    """Show the two gaps beside their mean, for it can be 0 while they are large."""
    gaps = [mine - theirs for mine, theirs in zip(own, reference, strict=True)]
    return {"TPR gap": gaps[0], "FPR gap": gaps[1], "Average Odds Difference": (gaps[0] + gaps[1]) / 2}


def _four_fifths(own: list[Vector], reference: list[Vector]) -> dict[str, Vector]:
    impact = share(own[0], reference[0])
    within = (impact > 0.8 - ROUNDING) & (impact < 1.25 + ROUNDING)
    return {"Disparate Impact": impact, "Four-fifths rule": np.where(np.isnan(impact), np.nan, within)}


RD = _difference(
    "recall_difference", "TPR", sensitivity, "Recall Difference", -1, POSITIVES, rate_difference("tp", "tp fn", sign=-1)
)
SD = _difference(
    "specificity_difference", "TNR", specificity, "Specificity Difference", 1, NEGATIVES, rate_difference("tn", "tn fp")
)
EOD = _difference(
    "equal_opportunity_difference",
    "TPR",
    sensitivity,
    "Equal Opportunity Difference",
    1,
    POSITIVES,
    rate_difference("tp", "tp fn"),
)
AOD = Metric(
    "average_odds_difference",
    {"TPR": sensitivity, "FPR": false_positive_rate},
    _both_gaps,
    "Average Odds Difference",
    "Average Odds Difference",
    reference=0.0,
    note="A mean of 0 is not equalised odds: gaps of opposite sign cancel.",
    needs={**HAS_ROWS, **POSITIVES, **NEGATIVES},
    undefined="no positive or no negative outcome",
    method=mean_rate_difference(("tp", "tp fn"), ("fp", "tn fp")),
)
SPD = _difference(
    "statistical_parity_difference",
    "Proportion",
    proportion,
    "Statistical Parity Difference",
    1,
    {},
    rate_difference("selected", "selected rejected"),
    needs_outcome=False,
)
DI = Metric(
    "disparate_impact",
    {"Proportion": proportion},
    _four_fifths,
    "Disparate Impact",
    "Disparate Impact",
    needs_outcome=False,
    needs=IS_CLASSIFIED,
    base_needs={"positive prediction": positively_classified},
    method=rate_ratio("selected", "selected rejected"),
)
DPPL = _difference(
    "difference_in_positive_proportions",
    "Proportion",
    proportion,
    "Difference in Positive Proportions",
    -1,
    {},
    rate_difference("selected", "selected rejected", sign=-1),
    needs_outcome=False,
)
AD = _difference(
    "accuracy_difference",
    "Accuracy",
    accuracy,
    "Accuracy Difference",
    -1,
    {},
    rate_difference("tp tn", "tp fp tn fn", sign=-1),
)
DAR = _difference(
    "difference_in_acceptance_rates",
    "PPV",
    precision,
    "Difference in Acceptance Rates",
    -1,
    ACCEPTED,
    rate_difference("tp", "tp fp", sign=-1),
)
DRR = _difference(
    "difference_in_rejection_rates",
    "NPV",
    negative_predictive_value,
    "Difference in Rejection Rates",
    1,
    REJECTED,
    rate_difference("tn", "tn fn"),
)
DCACC = _difference(
    "difference_in_conditional_acceptance",
    "Observed / predicted positives",
    conditional_acceptance,
    "Difference in Conditional Acceptance",
    -1,
    ACCEPTED,
    paired_ratio_difference("tp fn", "tp fp", sign=-1),
)
DCR = _difference(
    "difference_in_conditional_rejection",
    "Observed / predicted negatives",
    conditional_rejection,
    "Difference in Conditional Rejection",
    1,
    REJECTED,
    paired_ratio_difference("tn fp", "tn fn"),
)
TE = _difference(
    "treatment_equality",
    "FN / FP",
    misses_to_false_alarms,
    "Treatment Equality",
    1,
    FALSE_ALARMS,
    odds_difference("fn", "fp"),
)

# ------------------------------------------------------------------ calibration, which is no matter of counts either

CALIBRATION = Metric(
    "calibration_within_groups",
    {"Mean score": _no_counts, "Observed rate": _no_counts},
    lambda own, _: {"Calibration-in-the-large": own[1] - own[0]},
    "Calibration-in-the-large",
    "Calibration-in-the-large",
    reference=0.0,
    needs=HAS_ROWS,
    note="Observed rate minus mean score: 0 is calibrated on average only.",
)

#: All metrics by the name of their public function.
METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        *(ACC, DEM, ODDS, FNR, FPR, MCC, NPV, PPV, PROP, ROC, SPEC),
        *(RD, SD, EOD, AOD, SPD, DI, DPPL, AD, DAR, DRR, DCACC, DCR, TE),
        CALIBRATION,
    )
}
