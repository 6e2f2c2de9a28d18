"""From columns to factors: for every row a code, and for every code a label.

A factor hands out its codes a block of rows at a time, so that nothing as long as the data has to be made for it.
The code -1 means that the value is missing. Some factors find their labels as they hand out codes: until all blocks
were handed out, `labels` may grow at its end.
"""

from __future__ import annotations

import itertools
import math
import types
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from ._columns import Values
from ._labels import is_boolean, is_number, plain, quoted, r_text, sorting_key

Codes: TypeAlias = npt.NDArray[Any]  # integers of any width
Rows: TypeAlias = slice | npt.NDArray[np.intp]
Vector: TypeAlias = npt.NDArray[np.float64]
Refusal: TypeAlias = Callable[[Sequence[Hashable]], Exception]

CHUNK = 1 << 16  # rows a step: what a step makes stays in the processor's cache
MANY_LABELS = 100  # an outcome with more than these is no label but a measurement
SMALL_RANGE = 100  # whole numbers spread no wider than this are their own codes
MOST_INTERVALS = 100_000  # that group_breaks may ask for, long before the memory is full
FIRST_LOOK = 4096  # rows that are looked at to guess the range
ONE_BITS = np.float64(1).view(np.uint64)  # the bits of 0 to 1, read as a whole number, grow with the value


class _Outside(str):
    """A text that is told from all others by what it is, also after it was stored and read again."""

    __slots__ = ()

    def __reduce__(self) -> str:
        return "OUTSIDE"


OUTSIDE = _Outside("outside group_breaks")  # label of the values that lie in no interval


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


def changed() -> RuntimeError:
    """Return the error for data that are no longer what they were when they were counted."""
    return RuntimeError(
        "The data were changed after the metric was computed, so what they hold now would not fit its table. "
        "Compute the metric again."
    )


def look_up(factor: Factor, of_code: Codes, rows: Rows) -> Codes:
    """Return of some rows, counted before, what stands for their codes in `of_code`, and in its last place for -1."""
    try:
        codes = factor.codes(rows)
    except OutOfRangeError:
        raise changed() from None
    if len(factor.labels) >= len(of_code):  # a label that was not there before
        raise changed()
    return of_code.take(codes)


class Coded:
    """A factor whose codes are there already."""

    def __init__(self, codes: Codes, labels: Sequence[Hashable], *, fixed: bool) -> None:
        self._codes = codes
        self.labels = labels
        self.fixed = fixed

    def codes(self, rows: Rows) -> Codes:
        return self._codes[rows]

    def to_series(self) -> Values:
        """Return the column as a categorical."""
        labels: Any = list(self.labels)
        return pd.Series(pd.Categorical.from_codes(self._codes, categories=pd.Index(labels, tupleize_cols=False)))


class WholeNumbers:
    """A factor of whole numbers from `lowest` to `highest`: the code is the distance from the lowest.

    The range is guessed from the first rows and checked as the codes are handed out, which saves a pass over the data.
    """

    fixed = False

    def __init__(self, values: Values, lowest: int, highest: int, argument: str, refuse: Refusal | None = None) -> None:
        self._values = values
        self._numbers = values.to_numpy()
        self._lowest = lowest
        self._highest = highest
        self._argument = argument
        self._refuse = refuse
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
            return WholeNumbers(self._values, lowest, highest, self._argument, self._refuse)
        return _by_block(Factorized(self._values, self._argument, self._refuse), len(self._values))


class ByBlock:
    """A factor whose codes are made anew for each block of rows, unless they are kept."""

    _kept: Codes | None = None

    def codes(self, rows: Rows) -> Codes:
        return self.make_codes(rows) if self._kept is None else self._kept[rows]

    def make_codes(self, rows: Rows) -> Codes:
        raise NotImplementedError

    def keep(self, n: int) -> None:
        """Make the codes of all n rows, for more than one use."""
        kept = np.empty(n, dtype=np.int32)
        for rows in blocks(n):
            kept[rows] = self.make_codes(rows)
        self._kept = kept


class Factorized(ByBlock):
    """A factor of values of any type, with a code for each different one, in the order in which they are met."""

    fixed = False

    def __init__(self, values: Values, argument: str, refuse: Refusal | None = None) -> None:
        self._values = values
        self._argument = argument
        self._refuse = refuse
        self._code_of: dict[Hashable, int] = {}
        self.labels: list[Hashable] = []

    def make_codes(self, rows: Rows) -> Codes:
        codes, labels = _factorize(self._values.iloc[rows], self._argument)
        code_of_label = np.array([*map(self._code, labels), -1], dtype=np.int32)  # the last one is what -1 finds
        if self._refuse is not None and len(self.labels) > MANY_LABELS:
            raise self._refuse(_factorize(self._values, self._argument)[1])
        return code_of_label[codes]

    def _code(self, label: Any) -> int:
        if self._values.dtype.kind == "f" and math.isnan(label):  # Arrow tells NaN from a missing value, we do not
            return -1
        code = self._code_of.setdefault(label, len(self.labels))
        if code == len(self.labels):
            self.labels.append(label)
        return code


class ArrowDictionary:
    """A factor of Arrow's dictionary type, whose levels are in the order of the dictionary.

    A dictionary may have a place for missing values, too.
    """

    fixed = True

    def __init__(self, values: Values) -> None:
        array: Any = values.array
        self._array: Any = _chunked(array.__arrow_array__()).unify_dictionaries()
        self.labels, self._code_of_entry = read_dictionary(self._array)

    def codes(self, rows: Rows) -> Codes:
        part = self._array[rows] if isinstance(rows, slice) else self._array.take(rows)
        codes = dictionary_codes(part)
        return codes if self._code_of_entry is None else self._code_of_entry[codes]


class Threshold:
    """The predictions that probabilities above a cutoff make: False or True, missing where the probability is."""

    labels = (False, True)
    fixed = True

    def __init__(self, scores: Numbers | Vector, cutoff: float) -> None:
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

    def __init__(self, values: Numbers | Vector, breaks: Vector) -> None:
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


def to_factor(values: Values, argument: str, refuse: Refusal | None = None) -> Factor:
    """Return the factor of a column of any type; `refuse` makes the error for more than `MANY_LABELS` labels."""
    dtype = values.dtype
    if isinstance(dtype, np.dtype) and not dtype.isnative:  # bytes in another machine's order
        values = values.astype(dtype.newbyteorder("="))
        dtype = values.dtype
    if dtype == np.longdouble and dtype != np.float64:  # pandas cannot tell values of this type apart
        values = values.astype(np.float64)
    factor: Factor | None = None
    if isinstance(dtype, pd.ArrowDtype):
        check_plain(dtype.pyarrow_dtype, argument)
    if isinstance(dtype, pd.CategoricalDtype):
        categorical: Any = values.array
        factor = Coded(categorical.codes, list(categorical.categories), fixed=True)
    elif isinstance(dtype, pd.ArrowDtype) and "dictionary" in str(dtype):
        factor = ArrowDictionary(values)
    elif isinstance(dtype, np.dtype) and dtype.kind == "b":
        factor = Coded(values.to_numpy().view(np.int8), [False, True], fixed=False)
    elif isinstance(dtype, np.dtype) and dtype.kind in "iu":
        factor = _from_whole_numbers(values, argument, refuse)
    if factor is None:
        factor = _by_block(Factorized(values, argument, refuse), len(values))
    if refuse is not None and len(factor.labels) > MANY_LABELS:
        raise refuse(factor.labels)
    return factor


def check_plain(kind: Any, argument: str) -> None:
    """Refuse a column of lists, records or a library's own type of Arrow, which have no labels."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_nested(kind) or isinstance(kind, pa.BaseExtensionType):
        raise TypeError(
            f"{argument} must hold plain values such as texts or numbers, got values of type {kind}. "
            "Make a column of texts or numbers of it."
        )


def blocks(n: int, step: int | None = None) -> Iterator[slice]:
    """Return the steps in which n rows are worked through."""
    step = step or CHUNK
    return (slice(start, min(start + step, n)) for start in range(0, n, step))


def _by_block(factor: Factorized, n: int) -> Factor:
    """Return a factor with the codes of a column that is short, and have a look at the first values of a long one."""
    if n <= CHUNK:
        return Coded(factor.make_codes(slice(None)), factor.labels, fixed=False)
    factor.make_codes(slice(FIRST_LOOK))
    return factor


def _from_whole_numbers(values: Values, argument: str, refuse: Refusal | None) -> Factor | None:
    first = values.to_numpy()[:FIRST_LOOK]
    lowest, highest = int(first.min()), int(first.max())
    if lowest == highest and lowest in (0, 1):  # most often 0 and 1, sorted
        lowest, highest = 0, 1
    return WholeNumbers(values, lowest, highest, argument, refuse) if highest - lowest < SMALL_RANGE else None


def _factorize(values: Values, argument: str) -> tuple[Codes, list[Hashable]]:
    """Return codes of values, -1 where they are missing, and the different values."""
    array: Any = values.array
    if isinstance(array, pd.arrays.ArrowExtensionArray) and "string" in str(array.__arrow_array__().type):
        encoded = _chunked(array.__arrow_array__()).dictionary_encode()
        return dictionary_codes(encoded), encoded.chunk(0).dictionary.to_pylist() if encoded.num_chunks else []
    try:
        if isinstance(values.dtype, np.dtype) and values.dtype.kind == "O":
            codes, uniques = _factorize_objects(values.to_numpy())
        else:
            codes, uniques = pd.factorize(values, use_na_sentinel=True)
    except TypeError as error:
        raise TypeError(f"{argument} must hold plain values such as texts or numbers: {error}.") from error
    return codes, list(uniques)


def _factorize_objects(objects: npt.NDArray[np.object_]) -> tuple[Codes, Any]:
    """Return codes of Python's values and the different ones, an array of objects whatever they are.

    Texts are most often few objects that all rows share. Then one of each is looked at, and all other rows by their
    addresses only, in a third of the time.
    """
    addresses = _addresses(objects)
    if len(np.unique(addresses[:FIRST_LOOK])) > FIRST_LOOK // 4:
        return pd.factorize(objects, use_na_sentinel=True)
    place, _ = pd.factorize(addresses)
    first = np.flatnonzero(np.diff(np.maximum.accumulate(place), prepend=-1))  # places are numbered as they are met
    codes, uniques = pd.factorize(objects[first], use_na_sentinel=True)
    return codes[place], uniques


def _addresses(objects: npt.NDArray[np.object_]) -> npt.NDArray[np.intp]:
    """Return where in memory the objects of an array are, as a view of it; it keeps them alive."""
    kind = np.dtype(np.intp).str
    interface = objects.__array_interface__ | {"typestr": kind, "descr": [("", kind)]}
    return np.asarray(types.SimpleNamespace(__array_interface__=interface, owner=objects))


def _chunked(array: Any) -> Any:
    import pyarrow as pa

    return array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])


def read_dictionary(array: Any) -> tuple[list[Hashable], Codes | None]:
    """Return the labels of a chunked array of Arrow's dictionary type, all chunks of which have the same dictionary.

    An entry of the dictionary may be missing, or be there twice. Then the second is the code of each entry, and -1 in
    the last place.
    """
    entries = array.chunk(0).dictionary.to_pylist() if array.num_chunks else []
    code_of_label: dict[Hashable, int] = {}
    codes = [-1 if _is_missing(entry) else code_of_label.setdefault(entry, len(code_of_label)) for entry in entries]
    as_they_are = len(code_of_label) == len(entries)
    return list(code_of_label), None if as_they_are else np.array([*codes, -1], dtype=np.int32)


def _is_missing(entry: Any) -> bool:
    return entry is None or (isinstance(entry, float) and math.isnan(entry))


def dictionary_codes(array: Any) -> Codes:
    """Return the codes of a chunked array of Arrow's dictionary type, all chunks of which have the same dictionary."""
    parts = [_chunk_codes(chunk) for chunk in array.chunks]
    codes: Codes = parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, dtype=np.int32), *parts])
    return codes


def _chunk_codes(chunk: Any) -> Codes:
    import pyarrow as pa

    indices = chunk.indices.cast(pa.int32())  # unsigned ones have no -1
    codes: Codes = (indices.fill_null(-1) if chunk.null_count else indices).to_numpy(zero_copy_only=False)
    return codes


# ------------------------------------------------------------------ numbers


class Numbers:
    """A column of numbers as float64, NaN where missing; a long one of another type is made so a block at a time."""

    def __init__(self, values: Values, argument: str) -> None:
        self._argument = argument
        self._values: Values | Vector = values
        dtype = values.dtype
        at_once = isinstance(dtype, np.dtype) and (dtype == np.float64 or not dtype.isnative)
        if len(values) <= CHUNK or at_once:  # pandas picks no rows of bytes in another machine's order
            self._values = to_numbers(values, argument)
        else:
            to_numbers(values.iloc[:FIRST_LOOK], argument)  # says at once what is wrong

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, rows: Rows) -> Vector:
        if isinstance(self._values, np.ndarray):
            return self._values[rows]
        return to_numbers(self._values.iloc[rows], self._argument)


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
    if values.isna().all():
        return np.full(len(values), np.nan)
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
    raise TypeError(f"{argument} must be numbers, got values such as {plain(wrong[0])!r} (dtype {dtype}).")


# ------------------------------------------------------------------ R's cut()


def is_numeric(values: Values) -> bool:
    """Tell whether a column is numeric in R's sense: truth values, texts and factors are not."""
    dtype = values.dtype
    if pd.api.types.is_bool_dtype(dtype) or isinstance(dtype, pd.CategoricalDtype) or "dictionary" in str(dtype):
        return False
    if dtype.kind == "O":
        present = values.dropna()
        return len(present) > 0 and all(map(is_number, present))
    return bool(pd.api.types.is_numeric_dtype(dtype))


def check_breaks(group_breaks: Any) -> Vector:
    """Return `group_breaks` as numbers, one or several, or say what is wanted."""
    try:
        given = np.atleast_1d(np.asarray(group_breaks))
        breaks = given.astype(np.float64) if given.dtype.kind in "iufO" else np.empty(0)
    except (TypeError, ValueError, OverflowError):
        breaks = np.empty(0)
    if breaks.ndim != 1 or len(breaks) == 0 or np.isnan(breaks).any():
        raise ValueError(f"group_breaks must be a number of intervals or a vector of breaks, got {group_breaks!r}.")
    return breaks


def make_breaks(numbers: Numbers | Vector, group_breaks: Any) -> Vector:
    """Return the sorted breaks that `group_breaks` stands for: a vector of them, or how many intervals."""
    breaks = check_breaks(group_breaks)
    if len(breaks) == 1:
        breaks = _equal_width(numbers, float(breaks[0]))
    breaks = np.sort(breaks)
    if (np.diff(breaks) == 0).any():
        raise ValueError(f"group_breaks: 'breaks' are not unique: {breaks.tolist()}.")
    return breaks


def _equal_width(numbers: Numbers | Vector, count: float) -> Vector:
    if not 2 <= count < math.inf:
        raise ValueError(
            f"group_breaks: invalid number of intervals, {count:g}. Give 2 or more intervals, or a vector of breaks."
        )
    if count > MOST_INTERVALS:
        raise ValueError(f"group_breaks: {count:g} intervals are too many, there may be {MOST_INTERVALS:,}.")
    lowest, highest = _range(numbers)
    if math.isnan(lowest):
        raise ValueError("group has no value that could be binned: all rows are missing.")
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


def _range(numbers: Numbers | Vector) -> tuple[float, float]:
    """Return the lowest and the highest number, NaN where all are missing."""
    lowest = highest = math.nan
    for rows in blocks(len(numbers)):
        block = numbers[rows]
        lowest, highest = np.fmin(lowest, np.fmin.reduce(block)), np.fmax(highest, np.fmax.reduce(block))
    return float(lowest), float(highest)


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
    if isinstance(factor, Interaction):
        return factor.levels()
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


class Interaction(ByBlock):
    """The observed combinations of several factors, with a code for each in the order in which they are met.

    Their labels are tuples of codes; only `levels` knows their names.
    """

    fixed = True

    def __init__(self, factors: Sequence[Factor], arguments: Sequence[str]) -> None:
        self._factors = factors
        self._arguments = arguments
        self._code_of: dict[tuple[int, ...], int] = {}

    @property
    def labels(self) -> list[Hashable]:
        return list(self._code_of)

    def make_codes(self, rows: Rows) -> Codes:
        parts = [factor.codes(rows) for factor in self._factors]
        sizes = [max(len(factor.labels), 1) for factor in self._factors]
        if math.prod(sizes) > np.iinfo(np.int64).max:
            raise ValueError(f"group: {quoted(self._arguments)} have too many combinations to be told apart.")
        combined = np.zeros(len(parts[0]), dtype=np.int64)
        missing = np.zeros(len(parts[0]), dtype=bool)
        for codes, size in zip(parts, sizes, strict=True):
            combined *= size
            combined += codes
            missing |= codes < 0
        combined[missing] = -1
        place, different = pd.factorize(combined)
        tuples = zip(*(codes.tolist() for codes in np.unravel_index(np.maximum(different, 0), sizes)), strict=True)
        found = [
            -1 if number < 0 else self._code_of.setdefault(codes, len(self._code_of))
            for number, codes in zip(different.tolist(), tuples, strict=True)
        ]
        return np.array(found, dtype=np.int32)[place]

    def widened(self) -> Interaction:
        """Return the same for the ranges that whole numbers really have."""
        factors = [factor.widened() if isinstance(factor, WholeNumbers) else factor for factor in self._factors]
        return Interaction(factors, self._arguments)

    def levels(self) -> Levels:
        """Return the combinations that were met, named and ordered as R's `interaction()` does."""
        of_code = np.zeros(len(self._code_of), dtype=np.int64)
        stride, all_levels = 1, []
        codes_by_factor = np.array(list(self._code_of), dtype=np.intp).reshape(-1, len(self._factors)).T
        for factor, argument, codes in zip(self._factors, self._arguments, codes_by_factor, strict=True):
            rows = np.bincount(codes, minlength=len(factor.labels))
            levels = find_levels(factor, rows, argument)
            of_code += stride * levels.of_code[codes]
            stride *= max(len(levels.labels), 1)
            all_levels.append(levels.labels)
        seen, of_code = np.unique(of_code, return_inverse=True)
        labels = [".".join(r_text(level) for level in _split(number, all_levels)) for number in seen.tolist()]
        if len(set(labels)) < len(labels):
            raise ValueError(
                f"group: several combinations of {quoted(self._arguments)} have the same name, joined by dots."
            )
        return Levels(list(labels), of_code)


def interaction(factors: Sequence[Factor], arguments: Sequence[str], n: int) -> Factor:
    """Return the factor of the observed combinations of several factors."""
    combined = Interaction(factors, arguments)
    if n > CHUNK:
        return combined
    try:
        codes = combined.make_codes(slice(None))
    except OutOfRangeError:
        combined = combined.widened()
        codes = combined.make_codes(slice(None))
    levels = combined.levels()
    return Coded(np.append(levels.of_code, -1)[codes], levels.labels, fixed=True)


def _split(number: int, all_levels: Sequence[Sequence[Hashable]]) -> list[Hashable]:
    parts = []
    for levels in all_levels:
        number, position = divmod(number, len(levels))
        parts.append(levels[position])
    return parts
