"""What calibration is made of, added up by group and bin of scores: by chunks of rows in memory, or by an engine."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ._blocks import HISTOGRAM_BINS, twentieths
from ._calibration_intervals import Places, ScoreSums, row_terms, sums_by_cell
from ._factors import CHUNK, Vector
from ._result import GroupedScores
from ._score_counts import ScoreCounts, quantiles, weighted_scores
from ._scores import EngineScores

N_TERMS = 8  # of `row_terms`


class BinnedScores(NamedTuple):
    """The scores of the rows that have a group, an outcome and a score."""

    edges: Vector  # the ends of the bins
    sums: ScoreSums
    histogram: npt.NDArray[np.int64]  # rows by group and twentieth
    histogram_bins: int | None = None  # of which the ends come, where they are not the quantiles themselves


def bin_rows(grouped: GroupedScores, n_groups: int, bins: int, strategy: str) -> BinnedScores:
    """Bin and add up rows in memory, a chunk at a time: only quantiles need all scores at once."""
    scores = _scores_that_count(grouped) if strategy == "quantile" else np.empty(0)
    edges = bin_edges(scores, bins, strategy)
    del scores
    n_bins = len(edges) - 1
    cells = np.zeros((N_TERMS, n_groups * n_bins))
    histogram = np.zeros(n_groups * HISTOGRAM_BINS, dtype=np.int64)
    for kind, chunk in grouped.blocks(CHUNK):
        place, level = kind >> 1, kind & 1
        cell = place * n_bins + np.searchsorted(edges[1:-1], chunk, side="left")
        cells += sums_by_cell(cell, row_terms(level.astype(np.float64), chunk), cells.shape[1])
        histogram += np.bincount(place * HISTOGRAM_BINS + twentieths(chunk), minlength=len(histogram))
    sums = ScoreSums.of_cells(cells.reshape(N_TERMS, n_groups, n_bins))
    return BinnedScores(edges, sums, histogram.reshape(n_groups, HISTOGRAM_BINS))


def _scores_that_count(grouped: GroupedScores) -> Vector:
    scores, filled = np.empty(len(grouped.scores)), 0
    for _, chunk in grouped.blocks(CHUNK):
        scores[filled : filled + len(chunk)] = chunk
        filled += len(chunk)
    return scores[:filled]


def bin_in_engine(scores: EngineScores, order: Places, bins: int, strategy: str) -> BinnedScores:
    """Have an engine bin its rows and add them up; `order` has the positions of the table's groups among the levels."""
    edges, exact = bin_edges(np.empty(0), bins, "uniform"), True
    if strategy == "quantile":
        edges, exact = edges_of_counts(scores.parts(), bins)
    group, level, answer = scores.sums(edges[1:-1])
    shape = len(order), len(edges) - 1
    place = np.argsort(order)[group]
    rows, twentieth = answer["rows"].to_numpy(), answer["twentieth"].to_numpy()
    positive = level == 1
    squares, fourths = (
        np.where(positive, answer[f"{power}_of_rest"], answer[power]) for power in ("squares", "fourths")
    )
    total, clarity, clarity_squares = (answer[name].to_numpy() for name in ("scores", "clarity", "clarity_squares"))
    surprise = clarity * ((twentieth >= HISTOGRAM_BINS // 2) != positive)
    terms = (rows, rows * positive, total, squares, fourths, clarity, clarity_squares, surprise)
    cells = sums_by_cell(place * shape[1] + answer["bin"].to_numpy(), terms, shape[0] * shape[1])
    histogram = np.zeros((len(order), HISTOGRAM_BINS), dtype=np.int64)
    np.add.at(histogram, (place, twentieth), rows)
    sums, of_bins = ScoreSums.of_cells(cells.reshape(N_TERMS, *shape)), None if exact else scores.histogram_bins
    return BinnedScores(edges, sums, histogram, of_bins)


def bin_edges(scores: Vector, bins: int, strategy: str) -> Vector:
    """Return the ends of the bins, equal ones once; at least two, so that there is always a bin.

    The scores are put into another order.
    """
    shares = np.linspace(0, 1, bins + 1)
    if strategy == "uniform" or len(scores) == 0:
        return shares
    return _different(np.quantile(scores, shares, overwrite_input=True))


def edges_of_counts(parts: list[ScoreCounts], bins: int) -> tuple[Vector, bool]:
    """Return the same at quantiles of counted scores, and whether they are exact.

    Of bins of scores, quantiles of the middles are taken, which lie within the same bins as those of the rows. The
    lowest and the highest score are known.
    """
    sides = [side for part in parts for side in (part.negatives, part.positives)]
    scores, rows = weighted_scores(sides)
    shares = np.linspace(0, 1, bins + 1)
    if len(scores) == 0:
        return shares, True
    low, high = (np.concatenate([getattr(side, end)[side.rows > 0] for side in sides]) for end in ("low", "high"))
    edges = quantiles(scores, rows, shares)
    edges[0], edges[-1] = low.min(), high.max()
    return _different(edges), bool((low == high).all())


def _different(edges: Vector) -> Vector:
    edges = np.unique(edges)
    return edges if len(edges) > 1 else np.repeat(edges, 2)
