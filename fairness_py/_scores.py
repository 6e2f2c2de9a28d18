"""The scores behind a table of counts: rows in memory, or counts by score that an engine makes when they are needed."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ._blocks import COARSE, EXACT, FINE, MOST_CELLS, Query
from ._engine_base import Engine
from ._factors import Coded, Factor, Levels, Numbers, changed, find_levels, to_factor
from ._labels import r_text
from ._ranks import OutcomeCodes, auc_bounds, auc_of_rows, warn_of_reversal
from ._repeated_scores import count_by_score
from ._result import Density, GroupedScores, bit_sums
from ._score_counts import ScoreCounts, Side, side_from, weighted_scores
from ._sorted_scores import SortedScores, sort_scores

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._engine import Tally

Positions = npt.NDArray[np.intp]

STEP = 1 << 16  # rows whose scores are handled at a time
FEW = 1 << 14  # of so many rows, a few bins show as a rule which level the scores rank higher
SAMPLE = 1 << 12  # of more rows, so many show it first
BINS = 1 << 13  # of the histogram that shows it where they do not; it fits the cache
MANY = 1 << 18  # of more rows, the area that the warning shows comes from a histogram


class RowScores:
    """The scores of rows in memory."""

    def __init__(self, tally: Tally, scores: Numbers) -> None:
        self._tally = tally
        self._scores = scores
        self._sums = bit_sums(scores)
        self._outcome = OutcomeCodes(tally.outcome_factor, np.append(tally.outcomes.of_code, -1))
        self._area: tuple[float, float] | None = None

    def check_unchanged(self) -> None:
        """Refuse scores that are no longer what they were when they were counted."""
        if not np.array_equal(bit_sums(self._scores), self._sums):
            raise changed()

    def warn_if_reversed(self) -> None:
        """Warn where the scores rank the outcome's first level higher, while they are taken to describe the second."""
        self._area = self._area or self._find_area()
        if self._area[1] < 0.5:
            warn_of_reversal(*self._area, self._tally.outcomes.labels)

    def _find_area(self) -> tuple[float, float]:
        """Return bounds of the area over all rows, close enough to tell on which side of one half it lies.

        Ranking rows takes far longer than counting them, so of long data a random sample is looked at first. Where it
        leaves a doubt, a histogram settles it as a rule, and else all rows are ranked.
        """
        n = len(self._scores)
        if n > FEW:
            sample = np.random.default_rng(0).integers(0, n, SAMPLE)
            area, error = auc_of_rows(self._outcome, self._scores, sample)
            if area > 0.5 + 6 * error:
                return 0.5, 1.0
        low, high = self._bound_area()
        if low >= 0.5 or (high < 0.5 and n > MANY):
            return low, high
        area, _ = auc_of_rows(self._outcome, self._scores, slice(None))
        return area, area

    def _bound_area(self) -> tuple[float, float]:
        if len(self._scores) <= FEW:
            return auc_bounds([self._outcome.with_scores(self._scores, slice(None))], COARSE)
        everyone = Coded(np.broadcast_to(np.int8(0), len(self._scores)), ["everyone"], fixed=True)
        rows = GroupedScores(everyone, np.array([0, -1]), self._scores, self._sums, self._outcome)
        counted = count_by_score(rows.blocks(STEP), 2)
        if counted is None:
            return auc_bounds(rows.blocks(STEP), BINS)
        area, _, _ = ScoreCounts.of_values(counted[0], *counted[1]).auc()
        return area, area

    def grouped(self, place_of_code: Positions, *, needs_outcome: bool) -> GroupedScores:
        """Return the scores with the place of their group in the table."""
        outcome = self._outcome if needs_outcome else None
        return GroupedScores(self._tally.group_factor, place_of_code, self._scores, self._sums, outcome)

    def parts(self, place_of_code: Positions, sizes: Positions) -> Sequence[ScoreCounts | SortedScores]:
        """Return the scores of each group, of so many rows, in the order of the table."""
        grouped = self.grouped(place_of_code, needs_outcome=True)
        found = count_by_score(grouped.blocks(STEP), 2 * len(sizes)) if len(self._scores) > STEP else None
        if found is None:
            return sort_scores(grouped.blocks(STEP), sizes)
        values, counts = found
        if not np.array_equal(counts.sum(axis=1).reshape(-1, 2).sum(axis=1), sizes):
            raise changed()
        return [ScoreCounts.of_values(values, *pair) for pair in zip(counts[::2], counts[1::2], strict=True)]


class EngineScores:
    """Scores that stay in an engine, which counts them when a plot or an area is asked for, once for all groups."""

    def __init__(
        self,
        engine: Engine,
        query: Query,
        answer: pd.DataFrame,
        tally: Tally,
        group_of: Callable[[pd.DataFrame], Factor],
    ) -> None:
        self._engine = engine
        self._query = query
        self._answer = answer
        self._tally = tally
        self._group_of = group_of
        self._area: tuple[float, float] | None = None
        self._parts: list[ScoreCounts] | None = None

    def warn_if_reversed(self) -> None:
        """Warn where the scores rank the outcome's first level higher, while they are taken to describe the second."""
        self._area = self._area or self._find_area()
        if self._area[1] < 0.5:
            warn_of_reversal(*self._area, self._tally.outcomes.labels)

    def _find_area(self) -> tuple[float, float]:
        """Return bounds of the area over all rows, first from a few bins that were counted anyway."""
        bins = self._answer["bin"].to_numpy()
        level = self._levels(self._answer)
        rows = self._answer["rows"].to_numpy()
        coarse = _sides(bins, bins / COARSE, (bins + 1) / COARSE, level, rows, bins >= 0)
        _, low, high = coarse.auc()
        if low < 0.5:
            _, low, high = self._over_all_groups().auc()
        return low, high

    def parts(self) -> list[ScoreCounts]:
        """Return the counts by score of each group, in the order of the levels."""
        if self._parts is None:
            self._count()
        assert self._parts is not None
        return self._parts

    def sums(self, edges: npt.NDArray[np.float64]) -> tuple[Positions, Positions, pd.DataFrame]:
        """Return the sums of `score_terms` between edges: groups, outcome levels, and the answer with the sums."""
        group, level, answer = self._ask(edges=tuple(edges.tolist()))
        used = (group >= 0) & (level >= 0) & (answer["bin"].to_numpy() >= 0)
        return group[used], level[used], answer[used]

    def _over_all_groups(self) -> ScoreCounts:
        """Return the counts by score, whatever the group."""
        outcome = tuple((name, column) for name, column in self._query.labels if name == "outcome")
        _, level, answer = self._ask(labels=outcome, cut=None, bins=self._bins(1))
        bins, low, high = _bins_of(answer)
        return _sides(bins, low, high, level, answer["rows"].to_numpy(), bins >= 0)

    def _count(self) -> None:
        n_groups = len(self._tally.groups.labels)
        place, level, answer = self._ask(bins=self._bins(n_groups))
        bins, low, high = _bins_of(answer)
        rows = answer["rows"].to_numpy()
        place[bins < 0] = -1
        order = np.argsort(place, kind="stable")
        ends = np.searchsorted(place[order], np.arange(n_groups + 1))
        self._parts = [
            _sides(bins, low, high, level, rows, order[start:stop]) for start, stop in itertools.pairwise(ends)
        ]

    @property
    def histogram_bins(self) -> int | None:
        """Into how many bins the scores of each group are put, or None where each is counted by itself."""
        return self._bins(len(self._tally.groups.labels))

    def _bins(self, n_groups: int) -> int | None:
        """Return how many bins to count the scores in, or None where each is counted by itself.

        Of many groups there are fewer bins, so that the answer does not outgrow the memory.
        """
        if int(self._answer["rows"].sum()) <= EXACT:
            return None
        bins = FINE
        while bins > COARSE and bins * n_groups * (len(self._tally.outcomes.labels) + 1) > MOST_CELLS:
            bins //= 2
        return bins

    def _ask(self, **by: Any) -> tuple[Positions, Positions, pd.DataFrame]:
        """Have the engine count its rows by something of the score; return the groups and levels as positions.

        Without groups in the answer all are in the first. Data that now give other counts are refused, as far as the
        bins of the first answer and of this one have ends in common.
        """
        query = replace(self._query, cutoff=None, **({"bins": None} | by))
        answer = self._engine.count(query)
        n_bins, bins = _common_bins(query, answer)
        counted_bins = self._answer["bin"].to_numpy() // (COARSE // n_bins)
        (group, level), counted = (self._groups_and_levels(one, "labels" not in by) for one in (answer, self._answer))
        if not _rows_by(group, level, bins, answer).equals(_rows_by(*counted, counted_bins, self._answer)):
            raise changed()
        return group, level, answer

    def _groups_and_levels(self, answer: pd.DataFrame, grouped: bool) -> tuple[Positions, Positions]:
        level = self._levels(answer)
        if not grouped:
            return np.zeros_like(level), level
        return _positions(self._group_of(answer), self._tally.groups, answer, "group"), level

    def _levels(self, answer: pd.DataFrame) -> Positions:
        return _positions(to_factor(answer["outcome"], "outcome"), self._tally.outcomes, answer, "outcome")

    def densities(
        self, labels: Sequence[Hashable], order: Positions, sizes: npt.NDArray[np.float64], *, needs_outcome: bool
    ) -> tuple[Density, ...]:
        """Return the density curves, in the order of the table."""
        from ._density import density_curve

        parts = self.parts()
        curves = []
        for label, position, size in zip(labels, order, sizes, strict=True):
            part = parts[position]
            scores, rows = weighted_scores([part.negatives, part.positives] + ([] if needs_outcome else [part.unknown]))
            if int(rows.sum()) != int(size):
                raise changed()
            curves.append(Density(label, int(size), *density_curve(scores, rows=rows)))
        return tuple(curves)


def _common_bins(query: Query, answer: pd.DataFrame) -> tuple[int, npt.NDArray[np.int64]]:
    """Return into how many bins those of an answer can be added up, and the bin of each row, -1 for a missing score.

    There are 64, as in the first answer; each is a whole number of the bins of a histogram. Powers of two keep both
    from rounding, so a score lies in the same bin at each pass. Calibration has edges anywhere, but its twentieths
    make quarters, which are bins of the first answer too.
    """
    if query.edges is not None:
        return 4, answer["twentieth"].to_numpy(np.int64) // 5
    if query.bins is not None:
        n_bins = min(query.bins, COARSE)
        return n_bins, answer["bin"].to_numpy(np.int64) // (query.bins // n_bins)
    scores = answer["score"].fillna(-1).to_numpy(float)
    return COARSE, np.where(scores < 0, -1, np.minimum(scores * COARSE, COARSE - 1)).astype(np.int64)


def _rows_by(group: Positions, level: Positions, bins: Any, answer: pd.DataFrame) -> pd.Series[Any]:
    return pd.Series(answer["rows"].to_numpy()).groupby([group, level, bins]).sum()


def _bins_of(answer: pd.DataFrame) -> tuple[Any, Any, Any]:
    """Return the bin of each row of an answer, -1 where the score is missing, and its lowest and highest score."""
    if "bin" in answer:
        return answer["bin"].to_numpy(), answer["low"].to_numpy(), answer["high"].to_numpy()
    scores = answer["score"].to_numpy(dtype=float)
    bins = np.unique(scores, return_inverse=True)[1]
    bins[np.isnan(scores)] = -1
    return bins, scores, scores


def _sides(bins: Any, low: Any, high: Any, level: Any, rows: Any, picked: Any) -> ScoreCounts:
    bins, low, high, level, rows = (values[picked] for values in (bins, low, high, level, rows))
    different, bins = np.unique(bins, return_inverse=True)

    def side(wanted: int) -> Side:
        mine = level == wanted
        return side_from(bins[mine], len(different), rows[mine], low[mine], high[mine])

    return ScoreCounts(side(0), side(1), side(-1))


def _positions(factor: Factor, levels: Levels, answer: pd.DataFrame, argument: str) -> Positions:
    """Return for each row of an answer the position of its label among the levels that were found before."""
    codes = _codes(factor)
    seen = np.bincount(codes[codes >= 0], answer["rows"].to_numpy()[codes >= 0], minlength=len(factor.labels))
    found = find_levels(factor, seen.astype(np.int64), argument)
    known = {r_text(label): position for position, label in enumerate(levels.labels)}
    position = [known.get(r_text(label), -2) for label in found.labels]
    result = np.append(np.array([*position, -1])[found.of_code], -1)[codes]
    if (result == -2).any():
        raise changed()
    positions: Positions = result.astype(np.intp)
    return positions


def _codes(factor: Factor) -> Any:
    return factor.codes(slice(None))


class OutcomeCounts:
    """Rows that were counted once, by `count_outcomes`, for any number of metrics.

    All metrics of counts, and where there are probabilities `roc_parity` and `calibration_within_groups`, take it in
    place of `data`, with the same other arguments.
    """

    def __init__(
        self, tally: Tally, prediction: Any, scores: RowScores | EngineScores | None, asked: dict[str, Any]
    ) -> None:
        self._tally = tally
        self._prediction = prediction
        self._scores = scores
        self._asked = asked

    def __repr__(self) -> str:
        return f"<OutcomeCounts of {int(self._tally.table.sum())} rows in {len(self._tally.groups.labels)} groups>"

    def check_asked(self, asked: dict[str, Any]) -> None:
        """Refuse arguments that are not those that the rows were counted by."""
        for argument, given in asked.items():
            counted = self._asked[argument]
            if not _same(given, counted):
                raise ValueError(
                    f"{argument} must be what the rows were counted by, {_short(counted)}, got {_short(given)}. "
                    "Call count_outcomes() with the new one."
                )


def _same(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if type(one) is not type(other) and not all(isinstance(value, (int, float)) for value in (one, other)):
        return False
    try:
        return bool(np.array_equal(one, other)) if hasattr(one, "__len__") else bool(one == other)
    except (TypeError, ValueError):
        return False


def _short(value: Any) -> str:
    return repr(value) if isinstance(value, (str, int, float, list, type(None))) else f"a {type(value).__name__}"
