"""How many rows of each outcome have which score: all that the area under a curve, the curve and a density need.

An engine hands back counts by score, or by bin of scores where there are too many of them. Of each bin the lowest and
the highest score are known, so what the bins leave open is known too.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ._delong import delong_of_counts

Vector = npt.NDArray[np.float64]


class Side(NamedTuple):
    """The rows of one outcome level by bin: how many, and between which scores."""

    rows: Vector
    low: Vector
    high: Vector


class ScoreCounts(NamedTuple):
    """The scores of one group: bins in growing order, with the rows of each outcome level in them."""

    negatives: Side
    positives: Side
    unknown: Side  # rows without an outcome

    @classmethod
    def of_values(cls, values: Vector, negatives: Vector, positives: Vector) -> ScoreCounts:
        """Make it of how many negatives and positives have each of the values, which are in order."""
        used = negatives + positives > 0
        values = values[used]
        rows = (negatives[used], positives[used], np.zeros(len(values)))
        return cls(*(Side(side, values, values) for side in rows))

    @property
    def n_negative(self) -> int:
        return int(self.negatives.rows.sum())

    @property
    def n_positive(self) -> int:
        return int(self.positives.rows.sum())

    def auc(self) -> tuple[float, float, float]:
        """Return the area under the ROC curve, and the bounds between which it lies; NaN without either outcome.

        Pairs of a bin whose order is not known count one half, and nothing or one in the bounds.
        """
        pairs = float(self.n_negative) * float(self.n_positive)
        if pairs == 0:
            return math.nan, math.nan, math.nan
        negatives, positives = self.negatives.rows, self.positives.rows
        below, unknown = self._order_in_bins()
        ordered = float(positives @ (np.cumsum(negatives) - negatives + below * negatives))
        half = float(positives[unknown] @ negatives[unknown]) / 2
        return ordered / pairs, (ordered - half) / pairs, (ordered + half) / pairs

    def delong(self) -> tuple[float, float, float]:
        """Return the area, DeLong's variance of it, and the largest variance that the rows can have."""
        below, unknown = self._order_in_bins()
        return delong_of_counts(self.positives.rows, self.negatives.rows, below, unknown)

    def _order_in_bins(self) -> tuple[Vector, npt.NDArray[np.bool_]]:
        """Return what share of a bin's negatives is below each of its positives, and whether that is a guess."""
        negatives, positives = self.negatives, self.positives
        won, lost = negatives.high < positives.low, positives.high < negatives.low
        tied = (negatives.low == positives.high) & (negatives.high == positives.low)
        both = (negatives.rows > 0) & (positives.rows > 0)
        return np.where(won, 1.0, np.where(lost, 0.0, 0.5)), both & ~(won | lost | tied)

    def median(self, side: Side) -> tuple[float, float]:
        """Return between which numbers the median of one outcome's scores lies."""
        ends = np.cumsum(side.rows)
        total = int(ends[-1])
        places = np.searchsorted(ends, [(total + 1) // 2, total // 2 + 1])
        return float(side.low[places].mean()), float(side.high[places].mean())

    def curve(self, direction: str, most_points: int) -> tuple[Vector, Vector]:
        """Return specificities (falling from 1 to 0) and sensitivities at the edges of the bins."""
        order = slice(None) if direction == ">" else slice(None, None, -1)
        false_positive = np.append(0, np.cumsum(self.negatives.rows[order])) / self.n_negative
        sensitivity = np.append(0, np.cumsum(self.positives.rows[order])) / self.n_positive
        specificity = 1 - false_positive
        specificity[-1] = 0
        if len(specificity) > most_points:
            along = sensitivity - specificity
            picked = np.searchsorted(along, np.linspace(along[0], along[-1], most_points))
            picked = np.unique(np.minimum(picked, len(along) - 1))
            specificity, sensitivity = specificity[picked], sensitivity[picked]
        return specificity, sensitivity


def weighted_scores(sides: list[Side]) -> tuple[Vector, Vector]:
    """Return scores and how many rows have each: of a bin, the middle between its lowest and its highest score."""
    scores = np.concatenate([(side.low + side.high) / 2 for side in sides])
    rows = np.concatenate([side.rows for side in sides])
    used = rows > 0
    order = np.argsort(scores[used], kind="stable")
    return scores[used][order], rows[used][order]


def quantiles(scores: Vector, rows: Vector, shares: Vector) -> Vector:
    """Return quantiles (R's type 7, as numpy's default) of growing scores of which each stands for several rows."""
    ends = np.cumsum(rows)
    places = (ends[-1] - 1) * shares
    below, above = (scores[np.searchsorted(ends, at(places), side="right")] for at in (np.floor, np.ceil))
    part = places % 1
    found: Vector = np.where(part < 0.5, below + (above - below) * part, above - (above - below) * (1 - part))
    return found


def side_from(bins: npt.NDArray[np.intp], size: int, rows: Vector, low: Vector, high: Vector) -> Side:
    """Return the side that has so many rows in some of the bins, and none in the others."""
    total = np.bincount(bins, rows, minlength=size).astype(np.float64)
    lowest, highest = np.full(size, math.inf), np.full(size, -math.inf)
    np.minimum.at(lowest, bins, low)
    np.maximum.at(highest, bins, high)
    empty = total == 0
    lowest[empty] = highest[empty] = math.nan
    return Side(total, lowest, highest)
