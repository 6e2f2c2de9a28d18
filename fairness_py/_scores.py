"""The scores behind a table of counts: rows in memory, or counts by score that an engine makes when they are needed."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ._blocks import COARSE, EXACT, FINE, Query
from ._factors import Coded, Factor, Levels, find_levels, to_factor
from ._frames import Engine
from ._labels import r_text
from ._ranks import OutcomeCodes, warn_if_reversed, warn_of_reversal
from ._result import Density, GroupedScores
from ._score_counts import ScoreCounts, Side, side_from, weighted_scores

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._engine import Tally

Positions = npt.NDArray[np.intp]


class RowScores:
    """The scores of rows in memory."""

    def __init__(self, tally: Tally, scores: npt.NDArray[np.float64]) -> None:
        self._tally = tally
        self._scores = scores
        self._outcome = OutcomeCodes(tally.outcome_factor, np.append(tally.outcomes.of_code, -1))

    def warn_if_reversed(self) -> None:
        """Warn where the scores rank the outcome's first level higher."""
        first, second = self._tally.outcomes.labels
        warn_if_reversed(self._outcome, (first, second), self._scores)

    def grouped(self, place_of_code: Positions, *, needs_outcome: bool) -> GroupedScores:
        """Return the scores with the place of their group in the table."""
        outcome = self._outcome if needs_outcome else None
        return GroupedScores(self._tally.group_factor, place_of_code, self._scores, outcome)


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
        self._parts: list[ScoreCounts] | None = None
        self._all: ScoreCounts | None = None
        self.exact = True

    def warn_if_reversed(self) -> None:
        """Warn where the scores rank the outcome's first level higher, first by a few bins that were counted anyway."""
        answer = self._answer
        bins = answer["bin"].to_numpy()
        level = _positions(to_factor(answer["outcome"], "outcome"), self._tally.outcomes, answer, "outcome")
        rows = answer["rows"].to_numpy()
        coarse = _sides(bins, bins / COARSE, (bins + 1) / COARSE, level, rows, bins >= 0)
        if not coarse.auc()[1] < 0.5:
            return
        if self._all is None:
            self._count()
        assert self._all is not None
        area, _, _ = self._all.auc()
        if area < 0.5:
            warn_of_reversal(area, (self._tally.outcomes.labels[0], self._tally.outcomes.labels[1]))

    def parts(self) -> list[ScoreCounts]:
        """Return the counts by score of each group, in the order of the levels."""
        if self._parts is None:
            self._count()
        assert self._parts is not None
        return self._parts

    def grouped(self, place_of_code: Positions, *, needs_outcome: bool) -> GroupedScores:
        """Return the scores row by row, of the rows that have an outcome."""
        assert needs_outcome
        groups, levels, scores = [], [], []
        for group, part in enumerate(self.parts()):
            for level, side in enumerate((part.negatives, part.positives)):
                scores.append(part.rows_of(side))
                groups.append(np.full(len(scores[-1]), group))
                levels.append(np.full(len(scores[-1]), level))
        labels = self._tally.groups.labels
        place = np.empty(len(labels) + 1, dtype=np.intp)
        place[-1] = -1
        place[:-1] = [
            place_of_code[np.flatnonzero(self._tally.groups.of_code == group)[0]] for group in range(len(labels))
        ]
        factor = Coded(np.concatenate(groups), labels, fixed=True)
        outcome = OutcomeCodes(Coded(np.concatenate(levels), (0, 1), fixed=True), np.array([0, 1, -1]))
        return GroupedScores(factor, place, np.concatenate(scores), outcome)

    def _count(self) -> None:
        few = int(self._answer["rows"].sum()) <= EXACT
        query = replace(self._query, cutoff=None, bins=None if few else FINE)
        answer = self._engine.count(query)
        if few:
            answer = answer[answer["score"].notna()].reset_index(drop=True)
            values, bins = np.unique(answer["score"].to_numpy(dtype=float), return_inverse=True)
            low = high = values[bins]
        else:
            answer = answer[answer["bin"] >= 0].reset_index(drop=True)
            bins, low, high = (answer[name].to_numpy() for name in ("bin", "low", "high"))
        place = _positions(self._group_of(answer), self._tally.groups, answer, "group")
        level = _positions(to_factor(answer["outcome"], "outcome"), self._tally.outcomes, answer, "outcome")
        rows = answer["rows"].to_numpy()
        self._all = _sides(bins, low, high, level, rows, slice(None))
        order = np.argsort(place, kind="stable")
        ends = np.searchsorted(place[order], np.arange(len(self._tally.groups.labels) + 1))
        self._parts = [
            _sides(bins, low, high, level, rows, order[start:stop]) for start, stop in itertools.pairwise(ends)
        ]
        self.exact = bool((low == high).all())

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


def changed() -> RuntimeError:
    return RuntimeError(
        "The data were changed after the metric was computed, so its scores would not fit its table. "
        "Compute the metric again."
    )


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

    All metrics of counts, and `roc_parity` where there are probabilities, take it in place of `data`, with the same
    other arguments.
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
