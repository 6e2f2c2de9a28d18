"""From columns to factors: for every row a code, and for every code a label.

A factor hands out its codes a block of rows at a time, so that nothing as long as the data has to be made for it.
The code -1 means that the value is missing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from ._columns import Values
from ._labels import is_boolean, is_number, plain, quoted, r_text, sorting_key

Codes: TypeAlias = npt.NDArray[Any]  # integers of any width
Rows: TypeAlias = slice | npt.NDArray[np.intp]

SMALL_RANGE = 100  # whole numbers spread no wider than this are their own codes
MOST_INTERVALS = 100_000  # that group_breaks may ask for, long before the memory is full
FIRST_LOOK = 4096  # rows that are looked at to guess the range
ONE_BITS = np.float64(1).view(np.uint64)  # the bits of 0 to 1, read as a whole number, grow with the value
OUTSIDE = "outside group_breaks"  # label of the values that lie in no interval


class Factor(Protocol):
    """Codes of the rows, and their labels."""

    @property
    def labels(self) -> Sequence[Hashable]:
        """What the codes stand for."""

    @property
    def fixed(self) -> bool:
        """Whether the labels are levels, in their order, with or without rows."""

    def codes(self, rows: Rows) -> Codes:
        """Return the codes of some rows."""


class OutOfRangeError(Exception):
    """A whole number lies outside the range that was guessed from the first rows."""


class Coded:
    """A factor whose codes are there already."""

    def __init__(self, codes: Codes, labels: Sequence[Hashable], *, fixed: bool) -> None:
        self._codes = codes
        self.labels = labels
        self.fixed = fixed

    def codes(self, rows: Rows) -> Codes:
        return self._codes[rows]


class WholeNumbers:
    """A factor of whole numbers from `lowest` to `highest`: the code is the distance from the lowest.

    The range is guessed from the first rows and checked as the codes are handed out, which saves a pass over the data.
    """

    fixed = False

    def __init__(self, values: Values, lowest: int, highest: int, argument: str) -> None:
        self._values = values
        self._numbers = values.to_numpy()
        self._lowest = lowest
        self._highest = highest
        self._argument = argument
        self.labels: Sequence[Hashable] = range(lowest, highest + 1)

    def codes(self, rows: Rows) -> Codes:
        block = self._numbers[rows]
        distance = block if self._lowest == 0 else block - self._lowest  # wraps round where it is no distance
        if len(block) and distance.view(f"u{block.itemsize}").max() > self._highest - self._lowest:
            raise OutOfRangeError
        return distance.astype(np.int8)

    def widened(self) -> Factor:
        """Return the factor for the range that the column really has."""
        lowest, highest = int(self._numbers.min()), int(self._numbers.max())
        if highest - lowest < SMALL_RANGE:
            return WholeNumbers(self._values, lowest, highest, self._argument)
        return _factorized(self._values, self._argument)


class Threshold:
    """The predictions that probabilities above a cutoff make: False or True, missing where the probability is."""

    labels = (False, True)
    fixed = True

    def __init__(self, scores: npt.NDArray[np.float64], cutoff: float) -> None:
        self._scores = scores
        self._cutoff = cutoff

    def codes(self, rows: Rows) -> Codes:
        block = self._scores[rows]
        codes = (block > self._cutoff).view(np.int8)
        if len(block) and block.view(np.uint64).max() > ONE_BITS:  # a NaN, outside [0, 1], or -0.0
            codes[np.isnan(block)] = -1
            check_unit_interval(block)
        return codes


class Binned:
    """The intervals of R's `cut()`: closed on the right, and one more label for what lies in none of them."""

    fixed = True

    def __init__(self, values: npt.NDArray[np.float64], breaks: npt.NDArray[np.float64]) -> None:
        self._values = values
        self._breaks = breaks
        self.labels = [*interval_labels(breaks), OUTSIDE]

    def codes(self, rows: Rows) -> Codes:
        block = self._values[rows]
        width = len(self._breaks) - 1
        if len(self._breaks) < 12:  # a few comparisons are faster than a search
            codes = np.full(len(block), -1, dtype=np.int8)
            for edge in self._breaks:
                codes += block > edge
        else:
            codes = (np.searchsorted(self._breaks, block, side="left") - 1).astype(np.int32)
        outside = (codes < 0) | (codes >= width)
        if outside.any():
            codes[outside] = width
            codes[np.isnan(block)] = -1
        return codes


def check_unit_interval(scores: npt.NDArray[np.float64]) -> None:
    """Refuse probabilities outside [0, 1]."""
    bad = scores[(scores < 0) | (scores > 1)]
    if len(bad):
        raise ValueError(
            f"probs must be probabilities between 0 and 1, got {plain(bad[0])!r}. "
            "Percentages have to be divided by 100; labels belong into preds."
        )


# ------------------------------------------------------------------ making a factor of a column


def to_factor(values: Values, argument: str) -> Factor:
    """Return the factor of a column of any type."""
    dtype = values.dtype
    if isinstance(dtype, np.dtype) and not dtype.isnative:  # bytes in another machine's order
        values = values.astype(dtype.newbyteorder("="))
        dtype = values.dtype
    if dtype == np.longdouble and dtype != np.float64:  # pandas cannot tell values of this type apart
        values = values.astype(np.float64)
    if isinstance(dtype, pd.CategoricalDtype):
        categorical: Any = values.array
        return Coded(categorical.codes, list(categorical.categories), fixed=True)
    if isinstance(dtype, pd.ArrowDtype) and "dictionary" in str(dtype):
        return _from_dictionary(values)
    if isinstance(dtype, np.dtype) and dtype.kind == "b":
        return Coded(values.to_numpy().view(np.int8), [False, True], fixed=False)
    if isinstance(dtype, np.dtype) and dtype.kind in "iu":
        factor = _from_whole_numbers(values, argument)
        if factor is not None:
            return factor
    return _factorized(values, argument)


def _from_dictionary(values: Values) -> Factor:
    import pyarrow as pa

    array: Any = values.array
    encoded = pa.chunked_array(array.__arrow_array__()).unify_dictionaries().combine_chunks()
    codes = encoded.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    return Coded(codes, encoded.dictionary.to_pylist(), fixed=True)


def _from_whole_numbers(values: Values, argument: str) -> Factor | None:
    first = values.to_numpy()[:FIRST_LOOK]
    lowest, highest = int(first.min()), int(first.max())
    if lowest == highest and lowest in (0, 1):  # most often 0 and 1, sorted
        lowest, highest = 0, 1
    return WholeNumbers(values, lowest, highest, argument) if highest - lowest < SMALL_RANGE else None


def _factorized(values: Values, argument: str) -> Factor:
    try:
        # An array of objects, not a Series: older pandas makes an Index of the uniques, which guesses their type.
        plainly = values.to_numpy() if isinstance(values.dtype, np.dtype) and values.dtype.kind == "O" else values
        codes, uniques = pd.factorize(plainly, use_na_sentinel=True)
    except TypeError as error:
        raise TypeError(f"{argument} must hold plain values such as texts or numbers: {error}.") from error
    labels = list(uniques)
    if values.dtype.kind == "f":  # Arrow tells NaN from a missing value, and we do not
        for code in [code for code, label in enumerate(labels) if math.isnan(label)]:
            codes[codes == code] = -1
    return Coded(codes, labels, fixed=False)


def to_numbers(values: Values, argument: str) -> npt.NDArray[np.float64]:
    """Return a column of numbers as float64, NaN where missing, or say that they are none."""
    dtype = values.dtype
    if isinstance(dtype, np.dtype) and dtype.kind == "f":
        return values.to_numpy().astype(np.float64, copy=False)
    if isinstance(dtype, np.dtype) and dtype.kind in "iub":
        return values.to_numpy().astype(np.float64)
    if isinstance(dtype, pd.ArrowDtype) and dtype.kind == "b":
        values = values.astype("boolean")
        dtype = values.dtype
    if pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_complex_dtype(dtype):
        numbers: npt.NDArray[np.float64] = values.to_numpy(dtype=np.float64, na_value=np.nan)
        return numbers
    if dtype.kind == "O":
        present = values[values.notna()]
        wrong = [value for value in present if not (is_number(value) or is_boolean(value))]
        if not wrong:
            try:
                return np.asarray(values.where(values.notna(), np.nan).astype(np.float64))
            except OverflowError as error:
                raise ValueError(f"{argument} must hold numbers below 1e308: {error}.") from error
    else:
        wrong = list(values.dropna().head(1))
        if not wrong:
            return np.full(len(values), np.nan)
    raise TypeError(f"{argument} must be numbers, got values such as {plain(wrong[0])!r} (dtype {dtype}).")


# ------------------------------------------------------------------ R's cut()


def is_numeric(values: Values) -> bool:
    """Tell whether a column is numeric in R's sense: truth values, texts and factors are not."""
    dtype = values.dtype
    if pd.api.types.is_bool_dtype(dtype) or isinstance(dtype, pd.CategoricalDtype):
        return False
    if dtype.kind == "O":
        present = values.dropna()
        return len(present) > 0 and all(map(is_number, present))
    return bool(pd.api.types.is_numeric_dtype(dtype))


def make_breaks(numbers: npt.NDArray[np.float64], group_breaks: Any) -> npt.NDArray[np.float64]:
    """Return the sorted breaks that `group_breaks` stands for: a vector of them, or how many intervals."""
    try:
        given = np.atleast_1d(np.asarray(group_breaks))
        breaks = given.astype(np.float64) if given.dtype.kind in "iufO" else np.empty(0)
    except (TypeError, ValueError, OverflowError):
        breaks = np.empty(0)
    if breaks.ndim != 1 or len(breaks) == 0 or np.isnan(breaks).any():
        raise ValueError(f"group_breaks must be a number of intervals or a vector of breaks, got {group_breaks!r}.")
    if len(breaks) == 1:
        breaks = _equal_width(numbers, float(breaks[0]))
    breaks = np.sort(breaks)
    if (np.diff(breaks) == 0).any():
        raise ValueError(f"group_breaks: 'breaks' are not unique: {breaks.tolist()}.")
    return breaks


def _equal_width(numbers: npt.NDArray[np.float64], count: float) -> npt.NDArray[np.float64]:
    if not 2 <= count < math.inf:
        raise ValueError(
            f"group_breaks: invalid number of intervals, {count:g}. Give 2 or more intervals, or a vector of breaks."
        )
    if count > MOST_INTERVALS:
        raise ValueError(f"group_breaks: {count:g} intervals are too many, there may be {MOST_INTERVALS:,}.")
    present = numbers[~np.isnan(numbers)] if np.isnan(numbers).any() else numbers
    if len(present) == 0:
        raise ValueError("group has no value that could be binned: all rows are missing.")
    lowest, highest = float(present.min()), float(present.max())
    if math.isinf(lowest) or math.isinf(highest):
        raise ValueError(
            "group has infinite values, so its range has no equal intervals: give group_breaks as a vector."
        )
    width = highest - lowest
    intervals = int(count)
    if width == 0:
        width = abs(lowest)
        return np.linspace(lowest - width / 1000, highest + width / 1000, intervals + 1)
    breaks = np.linspace(lowest, highest, intervals + 1)
    breaks[0], breaks[-1] = lowest - width / 1000, highest + width / 1000
    return breaks


def interval_labels(breaks: npt.NDArray[np.float64]) -> list[str]:
    """Return R's labels `(a,b]`: three significant digits, or as many more as make all breaks differ."""
    for digits in range(3, 13):
        texts = [_format_break(edge, digits) for edge in breaks]
        if len(set(texts)) == len(texts):
            return [f"({low},{high}]" for low, high in itertools.pairwise(texts)]
    return [f"Range_{number}" for number in range(1, len(breaks))]  # R's way out


def _format_break(edge: float, digits: int) -> str:
    if math.isinf(edge):
        return " Inf" if edge > 0 else "-Inf"  # the blank is R's
    return f"{edge:.{digits}g}"


# ------------------------------------------------------------------ levels: the labels that count, in R's order


class Levels(NamedTuple):
    """Labels in R's order, and for every code the position of its label (-1 where it has none)."""

    labels: list[Hashable]
    of_code: npt.NDArray[np.intp]

    def sums(self, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Add up counts by code (first axis) to counts by level."""
        totals = np.zeros((len(self.labels), *counts.shape[1:]), dtype=np.int64)
        kept = self.of_code >= 0
        np.add.at(totals, self.of_code[kept], counts[: len(self.of_code)][kept])
        return totals


def find_levels(factor: Factor, rows_of_code: npt.NDArray[np.int64], argument: str) -> Levels:
    """Return the levels of a factor: all labels where they are fixed, else those with rows, in R's order."""
    labels = list(factor.labels)
    of_code = np.full(len(labels), -1, dtype=np.intp)
    kept = [code for code, label in enumerate(labels) if label is not OUTSIDE and (factor.fixed or rows_of_code[code])]
    if not factor.fixed:
        key = sorting_key(labels[code] for code in kept)
        try:
            kept.sort(key=lambda code: key(labels[code]))
        except TypeError as error:
            raise TypeError(f"{argument} must hold values that can be put in order: {error}.") from error
    position_of_text: dict[str, int] = {}
    levels: list[Hashable] = []
    for code in kept:
        text = r_text(labels[code])
        position = position_of_text.setdefault(text, len(levels))
        if position == len(levels):
            levels.append(labels[code])
        elif isinstance(labels[code], str) != isinstance(levels[position], str):
            raise ValueError(
                f"{argument} holds both {plain(levels[position])!r} and {plain(labels[code])!r}, which have the same "
                "text. Make them of one type."
            )
        of_code[code] = position
    return Levels(levels, of_code)


# ------------------------------------------------------------------ several columns at once


def interaction(factors: Sequence[Factor], arguments: Sequence[str], n: int) -> Coded:
    """Return the observed combinations of several factors, named and ordered as R's `interaction()` does."""
    rows = slice(None)
    combined = np.zeros(n, dtype=np.int64)
    missing = np.zeros(n, dtype=bool)
    stride = 1
    all_levels: list[list[Hashable]] = []
    for factor, argument in zip(factors, arguments, strict=True):
        try:
            codes = factor.codes(rows).astype(np.intp)
        except OutOfRangeError:
            assert isinstance(factor, WholeNumbers)
            factor = factor.widened()
            codes = factor.codes(rows).astype(np.intp)
        counts = np.bincount(codes[codes >= 0], minlength=len(factor.labels))
        levels = find_levels(factor, counts, argument)
        position = np.append(levels.of_code, -1)[codes]
        missing |= position < 0
        combined += stride * position
        stride *= max(len(levels.labels), 1)
        all_levels.append(levels.labels)
        if stride > np.iinfo(np.int64).max // 2:
            raise ValueError(f"group: {quoted(arguments)} have too many combinations to be told apart.")
    seen, codes = np.unique(combined[~missing], return_inverse=True)
    full = np.full(n, -1, dtype=np.intp)
    full[~missing] = codes
    labels = [".".join(r_text(level) for level in _split(number, all_levels)) for number in seen.tolist()]
    if len(set(labels)) < len(labels):
        raise ValueError(f"group: several combinations of {quoted(arguments)} have the same name, joined by dots.")
    return Coded(full, labels, fixed=True)


def _split(number: int, all_levels: Sequence[Sequence[Hashable]]) -> list[Hashable]:
    parts = []
    for levels in all_levels:
        number, position = divmod(number, len(levels))
        parts.append(levels[position])
    return parts
