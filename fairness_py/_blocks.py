"""Data that comes in blocks, such as partitions or batches of files: each block is counted by itself, then thrown away.

What comes back of a block is a small table: which labels occur together, and how many rows have them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from ._counts import crosstab
from ._factors import (
    MANY_LABELS,
    ONE_BITS,
    Binned,
    Coded,
    Codes,
    Factor,
    OutOfRangeError,
    Rows,
    Threshold,
    WholeNumbers,
    check_unit_interval,
    to_factor,
    to_numbers,
)

#: A histogram of scores has so many bins.
FINE = 1 << 16
#: So many are enough to see, as a rule, which outcome level the scores rank higher.
COARSE = 64
#: Rows up to which scores are counted one by one, however many different ones there are.
EXACT = 1_000_000
#: A table of counts has no more combinations than these.
MOST_CELLS = 5_000_000
#: A column of labels has no more different ones than these.
MOST_LABELS = 1_000_000
#: A block is counted in a table with a place for each combination if it has no more places than these.
DENSE = 1 << 19
#: The histogram of a table of calibration has so many bins.
HISTOGRAM_BINS = 20
TWENTIETHS = tuple(place / HISTOGRAM_BINS for place in range(1, HISTOGRAM_BINS))


@dataclass(frozen=True)
class Query:
    """What the rows are counted by.

    Attributes
    ----------
    labels : mapping of str to str
        Names in the answer, and the columns that hold these labels.
    cut : tuple of (str, breaks), optional
        A numeric column that is cut at breaks, in the answer as ``cut``: how many breaks lie below the value.
    score : str, optional
        The column of the probabilities.
    cutoff : float, optional
        Then the answer has ``predicted``: 0 or 1.
    bins : int, optional
        Into how many bins of equal width the scores are put, by their number in the answer as ``bin``. Without a
        cutoff the answer has the lowest and the highest score of each combination too, as ``low`` and ``high``.
        Without a cutoff and bins each score is counted by itself, in the answer as ``score``.
    edges : tuple of float, optional
        Puts the scores into bins that end there, closed on the right, by their number in the answer as ``bin``, and
        into twentieths of 0 to 1 by their number as ``twentieth``. The answer has the sums of `score_terms` too.
    """

    labels: tuple[tuple[str, str], ...]
    cut: tuple[str, tuple[float, ...]] | None = None
    score: str | None = None
    cutoff: float | None = None
    bins: int | None = None
    edges: tuple[float, ...] | None = None

    @property
    def by_score(self) -> bool:
        """Whether each score is counted by itself."""
        return self.score is not None and self.cutoff is None and self.bins is None and self.edges is None

    @property
    def by_bin(self) -> bool:
        """Whether the extremes of each combination are wanted."""
        return self.bins is not None and self.cutoff is None

    @property
    def columns(self) -> list[str]:
        """The columns that are needed, each once."""
        names = [column for _, column in self.labels]
        names += [self.cut[0]] if self.cut else []
        names += [self.score] if self.score else []
        return list(dict.fromkeys(names))


class TooManyLabelsError(ValueError):
    """An outcome or predictions have so many values that they are no labels."""

    def __init__(self, argument: str, labels: list[Hashable]) -> None:
        super().__init__(argument, labels)
        self.argument = argument
        self.labels = labels


@dataclass(frozen=True)
class Key:
    """What the combinations hold of one column: codes, and what these stand for; -1 means that it is missing."""

    codes: Codes
    labels: Sequence[Hashable] | npt.NDArray[np.float64]
    fixed: bool


@dataclass(frozen=True)
class Part:
    """What blocks were counted to: by name, the keys of the combinations that occur, and what belongs to each."""

    keys: dict[str, Key]
    values: dict[str, npt.NDArray[Any]]

    def __len__(self) -> int:
        return len(self.values["rows"])

    def to_frame(self) -> pd.DataFrame:
        """Return one row a combination."""
        columns: dict[str, Any] = {}
        for name, key in self.keys.items():
            codes, labels = key.codes, key.labels
            if isinstance(labels, range):
                columns[name] = codes.astype(np.int64)
            elif isinstance(labels, np.ndarray):
                columns[name] = np.append(labels, math.nan)[codes]
            elif key.fixed:
                columns[name] = pd.Categorical.from_codes(codes, categories=pd.Index(list(labels), tupleize_cols=False))
            else:
                all_labels = np.empty(len(labels) + 1, dtype=object)
                all_labels[:-1] = labels
                columns[name] = all_labels[codes]  # the last one, None, is what -1 finds
        return pd.DataFrame(columns | self.values)


def score_terms(score: Any, clarity: Any) -> dict[str, Any]:
    """Return what calibration adds up of a score s with clarity |1 - 2s|, as numbers or as an engine's expressions.

    Which level of the outcome is the second is found later, so there are the powers of both s and 1 - s.
    """
    squares, squares_of_rest = score * score, (1 - score) * (1 - score)
    return {
        "scores": score,
        "squares": squares,
        "squares_of_rest": squares_of_rest,
        "fourths": squares * squares,
        "fourths_of_rest": squares_of_rest * squares_of_rest,
        "clarity": clarity,
        "clarity_squares": clarity * clarity,
    }


def twentieths(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    """Return in which twentieth of 0 to 1 each score is, 1 in the last of them."""
    return np.searchsorted(TWENTIETHS, scores, side="right")


#: How values that belong to one combination become one, and what they start from.
ADD_UP = {"rows": np.add, "low": np.minimum, "high": np.maximum} | dict.fromkeys(score_terms(0, 0), np.add)
START = dict.fromkeys(ADD_UP, 0.0) | {"low": math.inf, "high": -math.inf}
#: Keys that are numbers, not labels.
NUMBERS = ("cut", "predicted", "bin", "twentieth")


class ScoreBins:
    """The bins of equal width that scores lie in."""

    fixed = True

    def __init__(self, scores: npt.NDArray[np.float64], bins: int) -> None:
        self._scores = scores
        self.labels = range(bins)

    def codes(self, rows: Rows) -> Codes:
        block = self._scores[rows]
        last = len(self.labels) - 1
        if len(block) and block.view(np.uint64).max() <= ONE_BITS:
            codes: Codes = (block * len(self.labels)).astype(np.int32)
            np.minimum(codes, last, out=codes)
            return codes
        missing = np.isnan(block)
        codes = np.minimum(np.where(missing, 0, block) * len(self.labels), last).astype(np.int32)
        codes[missing] = -1
        return codes


def count_block(block: Any, query: Query) -> Part:
    """Count the rows of a block by what is asked for; it has columns of pandas, or labels that are factors already."""
    factors = {name: _settled(block[column], name) for name, column in query.labels}
    n = len(factors[query.labels[0][0]].codes(slice(None)))
    for name, factor in factors.items():
        check_labels(name, factor.labels if factor.fixed else ())
    if query.cut:
        column, breaks = query.cut
        factors["cut"] = Binned(to_numbers(block[column], "group"), np.array(breaks))
    scores = None
    if query.score:
        column = block[query.score]
        scores = to_numbers(column.to_series() if isinstance(column, Coded) else column, "probs")
        factors |= _score_factors(scores, query)
    shape = [len(factor.labels) + 1 for factor in factors.values()]
    values: dict[str, npt.NDArray[Any]] = {}
    if scores is not None and query.by_bin:
        values = {"low": scores, "high": scores}
    if scores is not None and query.edges is not None:
        values = score_terms(scores, np.abs(1 - 2 * scores))
    if not values and math.prod(shape) <= DENSE:
        _, table = crosstab(list(factors.values()), n)
        places = np.nonzero(table)
        values = {"rows": table[places]}
        codes = [np.where(place == size - 1, -1, place) for place, size in zip(places, shape, strict=True)]
    else:
        codes, values = _add_up([factor.codes(slice(None)) for factor in factors.values()], shape, None, values)
    keys = {}
    for (name, factor), code in zip(factors.items(), codes, strict=True):
        keys[name] = _used(name, code, factor)
    return Part(keys, values)


def _settled(column: Any, name: str) -> Factor:
    """Return the factor of a column with codes for the whole block, and as many labels as it really has."""
    factor: Factor = column if isinstance(column, Coded) else to_factor(column, name)
    if isinstance(factor, Coded):
        return factor
    try:
        codes = factor.codes(slice(None))
    except OutOfRangeError:
        assert isinstance(factor, WholeNumbers)
        factor = factor.widened()
        codes = factor.codes(slice(None))
    return Coded(codes, list(factor.labels), fixed=factor.fixed)


def _score_factors(scores: npt.NDArray[np.float64], query: Query) -> dict[str, Factor]:
    factors: dict[str, Factor] = {}
    if query.cutoff is not None:
        factors["predicted"] = Threshold(scores, query.cutoff)  # checks the scores as it goes
    else:
        check_unit_interval(scores)
    if query.bins is not None:
        factors["bin"] = ScoreBins(scores, query.bins)
    elif query.edges is not None:
        bins, parts = np.searchsorted(query.edges, scores, side="left"), twentieths(scores)
        bins[np.isnan(scores)] = parts[np.isnan(scores)] = -1
        factors["bin"] = Coded(bins, range(len(query.edges) + 1), fixed=True)
        factors["twentieth"] = Coded(parts, range(HISTOGRAM_BINS), fixed=True)
    elif query.by_score:
        codes, different = pd.factorize(scores)
        factors["score"] = Coded(codes, cast(Any, different), fixed=True)
    return factors


def _used(name: str, codes: Codes, factor: Factor) -> Key:
    """Return a key without the labels that no row has, if these mean nothing."""
    labels = range(len(factor.labels)) if name in NUMBERS else factor.labels
    small = codes.astype(np.min_scalar_type(-len(labels) - 1))
    if factor.fixed:
        return Key(small, labels, fixed=True)
    seen = np.zeros(len(labels) + 1, dtype=bool)
    seen[codes] = True
    seen[-1] = False
    kept = [labels[code] for code in np.flatnonzero(seen).tolist()]
    check_labels(name, kept)
    place = np.cumsum(seen) - 1
    place[-1] = -1
    return Key(place[codes].astype(small.dtype), kept, fixed=False)


def check_labels(name: str, labels: Collection[Hashable]) -> None:
    """Refuse a column with so many different values that they are no labels, before they fill the memory."""
    if name in ("outcome", "preds") and len(labels) > MANY_LABELS:
        raise TooManyLabelsError(name, list(itertools.islice(labels, MANY_LABELS + 1)))
    if len(labels) > MOST_LABELS:
        raise too_many(f"{name.split()[0]} has more than {MOST_LABELS:,} different values, too many for labels")


def check_cells(cells: int) -> None:
    """Refuse an answer that is no table of counts."""
    if cells > MOST_CELLS:
        raise too_many(
            f"group, outcome and predictions have more than {MOST_CELLS:,} combinations, too many to compare"
        )


def too_many(what: str) -> ValueError:
    return ValueError(f"{what}. Cut a group of numbers by group_breaks; of other values make a column with fewer.")


def _add_up(
    codes: list[Codes], shape: list[int], rows: npt.NDArray[np.int64] | None, others: dict[str, npt.NDArray[Any]]
) -> tuple[list[Codes], dict[str, npt.NDArray[Any]]]:
    """Return the combinations of codes that occur, and what the values of each come to; without `rows` each is one."""
    places = math.prod(shape)
    if places > np.iinfo(np.int64).max:
        raise ValueError("group has too many combinations to be told apart.")
    key = np.zeros(len(codes[0]), dtype=np.int64)
    for code, size in zip(codes, shape, strict=True):
        key *= size
        key += code
        key += 1
    if rows is None and not others:
        used, counted = np.unique(key, return_counts=True)
        values: dict[str, npt.NDArray[Any]] = {"rows": counted}
    else:
        given = {"rows": np.ones(len(key), dtype=np.int64) if rows is None else rows, **others}
        used, values = (_by_place if places <= max(2 * len(key), 1 << 16) else _by_sorting)(key, places, given)
    return [place - 1 for place in np.unravel_index(used, shape)], values


def _by_place(
    key: npt.NDArray[np.int64], places: int, given: dict[str, npt.NDArray[Any]]
) -> tuple[npt.NDArray[np.int64], dict[str, npt.NDArray[Any]]]:
    totals = {}
    for name, one in given.items():
        totals[name] = np.full(places, START[name], dtype=one.dtype)
        ADD_UP[name].at(totals[name], key, one)
    used = np.flatnonzero(totals["rows"])
    return used, {name: total[used] for name, total in totals.items()}


def _by_sorting(
    key: npt.NDArray[np.int64], places: int, given: dict[str, npt.NDArray[Any]]
) -> tuple[npt.NDArray[np.int64], dict[str, npt.NDArray[Any]]]:
    order = np.argsort(key, kind="stable")
    key = key[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    return key[first], {name: ADD_UP[name].reduceat(one[order], first) for name, one in given.items()}


def combine(parts: list[Part]) -> Part:
    """Add up what several blocks were counted to, with the levels in the order in which they were met."""
    if len(parts) == 1:
        return parts[0]
    keys = {name: _united(name, [part.keys[name] for part in parts]) for name in parts[0].keys}
    together = {name: np.concatenate([part.values[name] for part in parts]) for name in parts[0].values}
    shape = [len(key.labels) + 1 for key in keys.values()]
    codes, values = _add_up([key.codes for key in keys.values()], shape, together.pop("rows"), together)
    check_cells(len(values["rows"]))
    for (name, key), code in zip(keys.items(), codes, strict=True):
        keys[name] = replace(key, codes=code.astype(key.codes.dtype))
    return Part(keys, values)


def _united(name: str, keys: list[Key]) -> Key:
    """Return the keys one after the other, with labels that all have in common."""
    labels = keys[0].labels
    places: list[Any]
    if isinstance(labels, range):
        return Key(np.concatenate([key.codes for key in keys]), labels, fixed=True)
    if isinstance(labels, np.ndarray):
        ends = np.cumsum([len(key.labels) for key in keys])[:-1]
        labels, inverse = np.unique(np.concatenate([key.labels for key in keys]), return_inverse=True)
        places = np.split(inverse, ends)
    else:
        position: dict[Hashable, int] = {}
        places = []
        for key in keys:
            places.append([position.setdefault(label, len(position)) for label in key.labels])
            check_labels(name, position)
        labels = list(position)
    width = np.min_scalar_type(-len(labels) - 1)
    codes = [np.array([*place, -1], dtype=width)[key.codes] for key, place in zip(keys, places, strict=True)]
    return Key(np.concatenate(codes), labels, fixed=all(key.fixed for key in keys))
