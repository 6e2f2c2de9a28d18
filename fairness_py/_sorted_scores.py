"""The scores of rows in memory, put in order by group: what an area under the ROC curve and the curve are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ._factors import Codes, Vector, changed

Keys = npt.NDArray[np.uint64]
Places = npt.NDArray[np.intp]

ONE = np.uint64(1)


class SortedScores(NamedTuple):
    """The scores of a group's rows that have an outcome, in order, those of negatives before equal ones of positives.

    `keys` are the bits of the scores, which grow with scores from 0 to 1, followed by one bit for the outcome level; so
    one sort puts both levels in one order. `places` is where the positives stand.
    """

    keys: Keys
    places: Places

    @classmethod
    def of_keys(cls, keys: Keys) -> SortedScores:
        """Put keys in order, where they are."""
        keys.sort()
        return cls(keys, np.flatnonzero(_is_positive(keys)))

    @property
    def n_positive(self) -> int:
        return len(self.places)

    @property
    def n_negative(self) -> int:
        return len(self.keys) - len(self.places)

    def auc(self) -> float:
        """Return the area under the ROC curve, ties counted one half; NaN without either outcome.

        The sums are whole numbers, so the result is exact but for one division.
        """
        m, n = self.n_positive, self.n_negative
        if m == 0 or n == 0:
            return np.nan
        not_above = int(self.places.sum()) - m * (m - 1) // 2  # negatives before each positive, added up
        return (2 * not_above - self._tied_pairs()) / (2 * m * n)

    def _tied_pairs(self) -> int:
        after_its_equal = self.keys[self.places] ^ self.keys[self.places - 1] == ONE  # which is a negative
        first = self.places[after_its_equal]
        negatives = first - np.searchsorted(self.keys, self.keys[first] ^ ONE, side="left")
        positives = np.searchsorted(self.keys, self.keys[first], side="right") - first
        return int(negatives @ positives)

    def medians(self) -> tuple[float, float]:
        """Return the median score of the negatives and that of the positives."""
        before = self.places - np.arange(self.n_positive)  # negatives before each positive
        middle = np.array([(self.n_negative - 1) // 2, self.n_negative // 2])
        negatives = middle + np.searchsorted(before, middle, side="right")
        positives = self.places[[(self.n_positive - 1) // 2, self.n_positive // 2]]
        return float(_scores(self.keys[negatives]).mean()), float(_scores(self.keys[positives]).mean())

    def by_outcome(self) -> tuple[Vector, Vector]:
        """Return the scores of the positives and those of the negatives, in order."""
        positive = _is_positive(self.keys)
        return _scores(self.keys[positive]), _scores(self.keys[~positive])


def _is_positive(keys: Keys) -> npt.NDArray[np.bool_]:
    return (keys.astype(np.uint8) & np.uint8(1)).view(np.bool_)


def _scores(keys: Keys) -> Vector:
    return (keys >> ONE).view(np.float64)


def sort_scores(blocks: Iterable[tuple[Codes, Vector]], sizes: Places) -> list[SortedScores]:
    """Return the scores of each group in order.

    `blocks` are rows by their kind, 2 * group + outcome level, and their scores; `sizes` is how many each group has.
    """
    ends = np.cumsum(sizes)
    filled = ends - sizes
    keys = np.empty(int(sizes.sum()), dtype=np.uint64)
    short = np.min_scalar_type(len(sizes))  # numpy sorts short whole numbers in linear time
    for kind, scores in blocks:
        group = (kind >> 1).astype(short)
        counts = np.bincount(group, minlength=len(sizes))
        if (filled + counts > ends).any():
            raise changed()
        place = np.repeat(filled - (np.cumsum(counts) - counts), counts) + np.arange(len(group))
        bits = (scores.view(np.uint64) << ONE) | (kind & 1).astype(np.uint64)
        keys[place] = bits[np.argsort(group, kind="stable")]
        filled += counts
    if (filled != ends).any():
        raise changed()
    return [SortedScores.of_keys(part) for part in np.split(keys, ends[:-1])]
