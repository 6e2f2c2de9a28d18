"""The area under the ROC curve, and the curve, from the scores of the two outcome levels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ._factors import Codes, Factor, Numbers, look_up
from ._labels import plain
from ._warn import warn

Scores = npt.NDArray[np.float64]

MOST_POINTS = 4096  # of a curve: more than any picture resolves


def auc(positives: Scores, negatives: Scores) -> float:
    """Return the chance that a positive's score is above a negative's, ties counted one half; NaN without either.

    The sums are whole numbers, so the result is exact but for one division.
    """
    return auc_of_sorted(np.sort(positives), np.sort(negatives))


def auc_of_sorted(positives: Scores, negatives: Scores) -> float:
    """Return the same of scores in order, which keeps the searches in the processor's cache."""
    if len(positives) == 0 or len(negatives) == 0:
        return math.nan
    below = int(np.searchsorted(negatives, positives, side="left").sum())
    not_above = int(np.searchsorted(negatives, positives, side="right").sum())
    return (below + not_above) / (2 * len(positives) * len(negatives))


def curve(positives: Scores, negatives: Scores, direction: str) -> tuple[Scores, Scores]:
    """Return specificities (falling from 1 to 0) and sensitivities at all thresholds, or at evenly spread ones."""
    if direction == ">":
        positives, negatives = -positives, -negatives
    positives, negatives = np.sort(positives), np.sort(negatives)
    thresholds = np.unique(np.concatenate([positives, negatives]))
    specificity = np.append(1.0, np.searchsorted(negatives, thresholds, side="left")[::-1] / len(negatives))
    sensitivity = np.append(0.0, 1 - np.searchsorted(positives, thresholds, side="left")[::-1] / len(positives))
    if len(specificity) > MOST_POINTS:
        along = sensitivity - specificity  # grows along the curve, so points picked by it lie evenly on it
        picked = np.searchsorted(along, np.linspace(along[0], along[-1], MOST_POINTS))
        picked = np.unique(np.minimum(picked, len(along) - 1))
        specificity, sensitivity = specificity[picked], sensitivity[picked]
    return specificity, sensitivity


class OutcomeCodes(NamedTuple):
    """The codes of an outcome's two levels."""

    factor: Factor
    level_of_code: npt.NDArray[np.intp]  # 0 or 1, and -1 in the last place, for missing ones

    def levels(self, rows: slice | npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """Return the level of some rows: 0, 1, or -1 where it is missing."""
        return look_up(self.factor, self.level_of_code, rows)

    def with_scores(self, scores: Numbers, rows: slice | npt.NDArray[np.intp]) -> tuple[Codes, Scores]:
        """Return the levels and the scores of those of some rows that have both."""
        level, picked = self.levels(rows), scores[rows]
        present = (level >= 0) & ~np.isnan(picked)
        return (level, picked) if present.all() else (level[present], picked[present])


def auc_of_rows(outcome: OutcomeCodes, scores: Numbers, rows: slice | npt.NDArray[np.intp]) -> tuple[float, float]:
    """Return the AUC over some rows, and its standard error where the scores tell nothing."""
    level, picked = outcome.with_scores(scores, rows)
    positives, negatives = picked[level == 1], picked[level == 0]
    n_positive, n_negative = len(positives), len(negatives)
    if not (n_positive and n_negative):
        return math.nan, math.inf
    error = math.sqrt((n_positive + n_negative + 1) / (12 * n_positive * n_negative))
    return auc(positives, negatives), error


def auc_bounds(blocks: Iterable[tuple[Codes, Scores]], bins: int) -> tuple[float, float]:
    """Return bounds of the AUC, from a histogram of the scores of each level; `blocks` are levels and scores."""
    width = bins + 1  # the last bin is that of the score 1
    counts = np.zeros(2 * width, dtype=np.int64)
    for level, scores in blocks:
        place = (scores * bins).astype(np.intp)
        place += np.multiply(level, width, dtype=np.intp)
        counts += np.bincount(place, minlength=2 * width)
    negatives, positives = counts.astype(np.float64).reshape(2, width)
    not_above = np.cumsum(negatives)
    pairs = float(positives.sum() * not_above[-1])
    if pairs == 0:
        return math.nan, math.nan
    return float(positives @ (not_above - negatives)) / pairs, float(positives @ not_above) / pairs


def warn_of_reversal(low: float, high: float, labels: Sequence[object]) -> None:
    """Warn that the scores rank the first level higher; their area, between low and high, is shown as far as known."""
    first, second = (repr(plain(label)) for label in labels)
    digits = next((digits for digits in (3, 2) if f"{low:.{digits}g}" == f"{high:.{digits}g}"), 1)
    shown = f"{(low + high) / 2:.{digits}g}"
    area = "just below 0.5" if shown == "0.5" else shown
    warn(
        f"The probabilities rank {first} higher than {second} (AUC over all rows {area}), but "
        f"probs are taken to describe the second level of the outcome, {second}, as in R. If they describe {first}, "
        f"make the outcome a categorical with the levels {second}, {first}."
    )
