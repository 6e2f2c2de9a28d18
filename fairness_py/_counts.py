"""From factors to the table of counts, in one pass over the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ._factors import ByBlock, Codes, Factor, Interaction, OutOfRangeError, Vector, WholeNumbers, blocks

Cells: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Counts:
    """The confusion matrix of every group: one value a group, in the order of the table's columns.

    Attributes
    ----------
    tp, fp, tn, fn : ndarray of float
        True positives, false positives, true negatives and false negatives.
    selected, rejected : ndarray of float
        Rows predicted positive and negative, also where the outcome is missing.
    """

    tp: Vector
    fp: Vector
    tn: Vector
    fn: Vector
    selected: Vector
    rejected: Vector

    @property
    def n(self) -> Vector:
        """Rows with a group, an outcome and a prediction."""
        return self.tp + self.fp + self.tn + self.fn

    @classmethod
    def from_cells(cls, cells: npt.NDArray[np.int64]) -> Counts:
        """Read the counts off cells by group, outcome (negative, positive, missing) and prediction (likewise)."""
        numbers: Vector = cells.astype(np.float64)
        tn, fp = numbers[:, 0, 0], numbers[:, 0, 1]
        fn, tp = numbers[:, 1, 0], numbers[:, 1, 1]
        return cls(tp, fp, tn, fn, selected=numbers[:, :, 1].sum(axis=1), rejected=numbers[:, :, 0].sum(axis=1))

    def take(self, positions: npt.NDArray[np.intp] | slice) -> Counts:
        """Return the counts of some groups."""
        fields = (self.tp, self.fp, self.tn, self.fn, self.selected, self.rejected)
        return Counts(*(values[positions] for values in fields))

    def rest(self) -> Counts:
        """Return for each group the counts of all other groups together."""
        fields = (self.tp, self.fp, self.tn, self.fn, self.selected, self.rejected)
        return Counts(*(values.sum() - values for values in fields))


def crosstab(
    factors: list[Factor], n: int, rows: npt.NDArray[np.int64] | None = None, *, keep_codes: bool = False
) -> tuple[list[Factor], npt.NDArray[np.int64]]:
    """Count the rows by all factors at once; where each stands for several, `rows` tells how many.

    Returns the factors as they were counted, and an array with one axis a factor and one place a label,
    and a last place for missing values. With `keep_codes` the factors will be asked for their codes again.
    """
    try:
        for factor in factors:
            if keep_codes and isinstance(factor, ByBlock):
                factor.keep(n)
        return factors, _count(factors, n) if rows is None else _add_up(factors, rows)
    except OutOfRangeError:
        guessed = (WholeNumbers, Interaction)
        factors = [factor.widened() if isinstance(factor, guessed) else factor for factor in factors]
        return crosstab(factors, n, rows, keep_codes=keep_codes)


def _add_up(factors: list[Factor], rows: Cells) -> Cells:
    codes = tuple(factor.codes(slice(None)) for factor in factors)
    table = np.zeros([len(factor.labels) + 1 for factor in factors], dtype=np.int64)
    np.add.at(table, codes, rows)  # -1 is the last place
    return table


def _count(factors: list[Factor], n: int) -> Cells:
    complete, padded = (np.zeros([0] * len(factors), dtype=np.int64) for _ in range(2))
    for rows in blocks(n):
        codes = [factor.codes(rows) for factor in factors]
        shape = [len(factor.labels) for factor in factors]  # grows where a block has new labels
        if all(block.min() >= 0 for block in codes):
            complete = _grown(complete, shape)
            _add(complete, codes)
        else:  # one more place an axis, for the code -1
            padded = _grown(padded, [size + 1 for size in shape])
            _add(padded, [block + 1 for block in codes])
    missing = padded.size > 0
    table = _grown(padded, [len(factor.labels) + 1 for factor in factors])
    if missing:
        table = np.roll(table, -1, axis=tuple(range(len(factors))))  # missing values from the first place to the last
    table[tuple(slice(size) for size in complete.shape)] += complete
    return table


def _grown(table: Cells, shape: list[int]) -> Cells:
    """Return a table with more places at the ends of its axes."""
    if list(table.shape) == shape:
        return table
    grown = np.zeros(shape, dtype=np.int64)
    grown[tuple(map(slice, table.shape))] = table
    return grown


def _add(table: Cells, codes: list[Codes]) -> None:
    """Add a step's rows to the table."""
    totals = table.reshape(-1)
    dtype = np.dtype(np.uint8 if len(totals) <= 256 else np.uint16 if len(totals) <= 65536 else np.intp)
    key: Codes = codes[0].astype(dtype)
    for block, size in zip(codes[1:], table.shape[1:], strict=True):
        np.multiply(key, size, out=key)
        np.add(key, block.astype(dtype, copy=False), out=key)
    if dtype.itemsize == 1 and len(key) % 2 == 0 and len(key) >= 1024 * len(totals):
        # two rows a step: of each pair of bytes, read as one number, the first axis is one row, the second the other
        pairs = np.bincount(key.view(np.uint16), minlength=256 * len(totals)).reshape(len(totals), 256)
        totals += pairs.sum(axis=1) + pairs.sum(axis=0)[: len(totals)]
    else:
        totals += np.bincount(key, minlength=len(totals))
