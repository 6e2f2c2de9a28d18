"""Scores of few different values, such as percentages or the leaves of a tree: counted by value instead of sorted."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from ._factors import Codes, Vector

BINS = 1 << 20  # a table of these tells which value lies in a bin; it has no place for two
MOST_VALUES = 1 << 14
MOST_CELLS = 1 << 22  # of the counts, by kind and value


def count_by_score(
    blocks: Iterable[tuple[Codes, Vector]], n_kinds: int
) -> tuple[Vector, npt.NDArray[np.float64]] | None:
    """Return the different scores in order and how many rows of each kind have each, or None where they are too many.

    `blocks` are rows by their kind, a number, and their scores between 0 and 1. Of most data that have too many
    different scores, one block is looked at.
    """
    values = np.empty(0)
    number_in_bin = np.full(BINS + 1, -1, dtype=np.int32)
    counts = np.zeros((n_kinds, 64), dtype=np.int64)
    for kind, scores in blocks:
        number = number_in_bin.take((scores * BINS).astype(np.intp))
        new = scores[values.take(number) != scores] if len(values) else scores
        if len(new):
            new = np.unique(new)
            bins = (new * BINS).astype(np.intp)
            size = len(values) + len(new)
            if size > MOST_VALUES or (number_in_bin[bins] >= 0).any() or (np.diff(bins) == 0).any():
                return None
            number_in_bin[bins] = np.arange(len(values), size)
            values = np.append(values, new)
            number = number_in_bin.take((scores * BINS).astype(np.intp))
            counts = _widened(counts, size)
            if counts.size > MOST_CELLS:
                return None
        cell = kind.astype(np.intp)
        cell *= counts.shape[1]
        cell += number
        counts += np.bincount(cell, minlength=counts.size).reshape(counts.shape)
    order = np.argsort(values)
    return values[order], counts[:, order].astype(np.float64)


def _widened(counts: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int64]:
    """Return counts with columns for so many values, twice as many or more at a time."""
    width = counts.shape[1]
    return counts if size <= width else np.pad(counts, [(0, 0), (0, max(size, 2 * width) - width)])
