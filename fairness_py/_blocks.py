"""Data that comes in blocks, such as partitions or batches of files: each block is counted by itself, then thrown away.

What comes back of a block is a small table: the labels, and how many rows have them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ._factors import Binned, Codes, Factor, OutOfRangeError, WholeNumbers, check_unit_interval, to_factor, to_numbers

#: A histogram of scores has so many bins.
FINE = 1 << 16
#: So many are enough to see, as a rule, which outcome level the scores rank higher.
COARSE = 64
#: Rows up to which scores are counted one by one, however many different ones there are.
EXACT = 1_000_000
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


def count_block(block: pd.DataFrame, query: Query) -> pd.DataFrame:
    """Count the rows of a block: one row for each combination that occurs, with its number of rows in ``rows``."""
    factors: dict[str, Factor] = {name: to_factor(block[column], name) for name, column in query.labels}
    codes: dict[str, Codes] = {}
    for name, factor in factors.items():
        factors[name], codes[name] = _all_codes(factor)
    sizes = {name: len(factor.labels) for name, factor in factors.items()}
    if query.cut:
        column, breaks = query.cut
        binned = Binned(to_numbers(block[column], "group"), np.array(breaks))
        codes["cut"], sizes["cut"] = binned.codes(slice(None)), len(breaks)
    scores = None
    if query.score:
        scores = to_numbers(block[query.score], "probs")
        check_unit_interval(scores)
        _add_score_codes(codes, sizes, scores, query)
    cells, first, rows = _cells(codes, sizes, len(block))
    answer: dict[str, Any] = {}
    for name, code in codes.items():
        picked = code[first]
        if name in factors:
            answer[name] = _labelled(factors[name], picked)
        elif name == "score":
            answer[name] = scores[first] if scores is not None else picked
        else:
            answer[name] = picked.astype(np.int64)
    answer["rows"] = rows
    if scores is not None and query.by_bin:
        answer["low"], answer["high"] = np.full(len(rows), math.inf), np.full(len(rows), -math.inf)
        np.minimum.at(answer["low"], cells, scores)
        np.maximum.at(answer["high"], cells, scores)
    if scores is not None and query.edges is not None:
        for name, term in score_terms(scores, np.abs(1 - 2 * scores)).items():
            answer[name] = np.bincount(cells, term, minlength=len(rows))
    return pd.DataFrame(answer)


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


def _all_codes(factor: Factor) -> tuple[Factor, Codes]:
    try:
        return factor, factor.codes(slice(None))
    except OutOfRangeError:
        assert isinstance(factor, WholeNumbers)
        factor = factor.widened()
        return factor, factor.codes(slice(None))


def _labelled(factor: Factor, codes: Codes) -> Any:
    if factor.fixed:
        return pd.Categorical.from_codes(codes, categories=pd.Index(list(factor.labels), tupleize_cols=False))
    labels = np.empty(len(factor.labels) + 1, dtype=object)
    labels[:-1] = list(factor.labels)
    return labels[codes]  # the last one, None, is what -1 finds


def _add_score_codes(codes: dict[str, Codes], sizes: dict[str, int], scores: Any, query: Query) -> None:
    missing = np.isnan(scores)
    any_missing = bool(missing.any())
    if query.cutoff is not None:
        predicted = (scores > query.cutoff).astype(np.int8)
        predicted[missing] = -1
        codes["predicted"], sizes["predicted"] = predicted, 2
    if query.bins is not None:
        known = np.where(missing, 0, scores) if any_missing else scores
        bins = np.minimum(known * query.bins, query.bins - 1).astype(np.int32)
        bins[missing] = -1
        codes["bin"], sizes["bin"] = bins, query.bins
    elif query.edges is not None:
        bins, parts = np.searchsorted(query.edges, scores, side="left"), twentieths(scores)
        bins[missing] = parts[missing] = -1
        codes["bin"], sizes["bin"] = bins, len(query.edges) + 1
        codes["twentieth"], sizes["twentieth"] = parts, HISTOGRAM_BINS
    elif query.by_score:
        bins, different = pd.factorize(scores)
        codes["score"], sizes["score"] = bins, len(different)


def _cells(
    codes: dict[str, Codes], sizes: dict[str, int], n: int
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.int64]]:
    """Return for every row its combination, for every combination a row that has it, and how many have."""
    key = np.zeros(n, dtype=np.int64)
    places = math.prod(size + 1 for size in sizes.values())
    if places > np.iinfo(np.int64).max:
        raise ValueError("group has too many combinations to be told apart.")
    for name, code in codes.items():
        key *= sizes[name] + 1
        key += code
        key += 1
    if places > max(4 * n, 1 << 16):
        _, first, cells, rows = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        return cells, first, rows
    all_rows = np.bincount(key, minlength=places)
    used = np.flatnonzero(all_rows)
    first_of = np.zeros(places, dtype=np.intp)
    first_of[key] = np.arange(n)
    number = np.zeros(places, dtype=np.intp)
    number[used] = np.arange(len(used))
    return number[key], first_of[used], all_rows[used]


def combine(answers: list[pd.DataFrame]) -> pd.DataFrame:
    """Add up the answers of several blocks, with the levels of categoricals in the order in which they were met."""
    if len(answers) == 1:
        return answers[0]
    columns: dict[str, Any] = {}
    for name in answers[0]:
        parts = [answer[name] for answer in answers]
        if all(isinstance(part.dtype, pd.CategoricalDtype) for part in parts):
            columns[str(name)] = pd.api.types.union_categoricals(parts, ignore_order=True)
        else:
            columns[str(name)] = np.concatenate([part.to_numpy() for part in parts])
    together = pd.DataFrame(columns)
    how = {"rows": "sum", "low": "min", "high": "max"} | dict.fromkeys(score_terms(0, 0), "sum")
    keys = [name for name in columns if name not in how]
    how = {name: function for name, function in how.items() if name in columns}
    return together.groupby(keys, dropna=False, observed=True, sort=False, as_index=False).agg(how)
