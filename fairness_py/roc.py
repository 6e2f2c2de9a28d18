"""The area under the ROC curve: how well the probabilities rank the people of each group."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from . import _ranks
from ._columns import ColumnLike
from ._delong import Areas, delong
from ._engine import interval_table, plain_index, score_groups, warn_if_base_is_empty
from ._factors import Vector
from ._intervals import check_conf_level
from ._labels import quoted
from ._result import ParityResult, RocCurve
from ._score_counts import ScoreCounts
from ._scores import RowScores
from ._sorted_scores import SortedScores
from ._warn import warn
from .metrics import ROC, ratio

DIRECTIONS = ("auto", "<", ">")


def roc_parity(
    data: Any,
    outcome: ColumnLike,
    group: ColumnLike,
    probs: ColumnLike | None = None,
    base: Hashable | None = None,
    group_breaks: Any = None,
    *,
    direction: str = "auto",
    conf_level: float | None = None,
) -> ParityResult:
    """Compare areas under the ROC curve.

    Formula: the chance that a person with the second level of `outcome` has a higher probability than one with the
    first, ties counted one half. Higher means that the probabilities rank the group's people better.

    Parameters
    ----------
    data : frame, path, or OutcomeCounts
        One row a person, never changed: a pandas, Polars (also lazy), Dask or PySpark DataFrame, a PyArrow Table,
        RecordBatch or Dataset, a DuckDB relation, an Ibis table, a path, folder or glob of Parquet or CSV files, or
        what `count_outcomes` returned. See `How large can it get`.
    outcome : label or array-like of shape (n_rows,)
        The true outcome, with two levels: the name of a column of `data`, or one value a row. Levels are the
        categories of a categorical in their order, numbers in numeric order, and texts in R's (Unicode) order.
    group : label, array-like of shape (n_rows,), or list of labels
        The sensitive group, likewise. A list of columns makes the observed combinations, named as R's
        ``interaction()`` names them (``"African_American.Female"``).
    probs : label or array-like of shape (n_rows,)
        Probabilities between 0 and 1 of the **second** level of `outcome`. Needed.
    base : label, optional
        The base group, to which the others are compared; the first level by default. Matched by value, or by
        R's text of it; never by position.
    group_breaks : int or array-like of float, optional
        Cuts a numeric group into intervals as R's ``cut()`` does: closed on the right, the lowest break outside.
        A single number is the count of equal-width intervals, at least 2.
    direction : {"auto", "<", ">"}, default "auto", keyword-only
        Which way higher probabilities point: ``"<"``, in every group to the second level of `outcome`; ``">"``, in
        every group to the first; ``"auto"``, as R does, in each group to the level with the higher median, so that
        an area of 0.25 shows as 0.75. A warning names the groups that are turned round.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (3, n_groups): the rows ``ROC AUC``, ``ROC AUC Parity`` and
            ``Group size``; one column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group.
        ``Probability_plot``
            Figure with the density of the probabilities of each group.
        ``ROCAUC_plot``
            Figure with the ROC curve of each group.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson by DeLong's variance) and of ``ROC AUC Parity``
            (MOVER-R), and of p-values of no disparity (DeLong), raw and adjusted by Holm's method over the groups; only
            with `conf_level`.

    Raises
    ------
    ValueError
        If `probs` are not given, a column is missing or ambiguous, lengths differ, `outcome` has
        not exactly two levels, probabilities lie outside [0, 1], `base` is no level, `direction` is another one,
        `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If rows are left out because a value is missing or outside `group_breaks` (with their number), a group
        is turned round (``direction="auto"``), has a direction that a histogram leaves in doubt, or has one outcome
        level only, the base group has no rows, there are more than 10 groups without `group_breaks`, or `group_breaks`
        meet a group that is not numeric.

    See Also
    --------
    acc_parity, mcc_parity

    Notes
    -----
    Undefined case: NaN, with a warning, where a group has one outcome level only (R stops).
    `Group size` counts the rows used (R counts the left-out rows too), and the ROC plot works for any number of
    groups (R draws none above six). With ``direction="auto"`` the areas are those of R's pROC.
    Of more than a million rows that an engine holds, the scores are counted in 65,536 bins. Where a bin has different
    scores of both outcome levels, ``Metric.attrs`` has a note and, as ``auc_bounds``, between which values each area
    lies; and the intervals are as wide as the rows can make them.

    References
    ----------
    .. [1] Hanley, J. A. and McNeil, B. J. (1982). The meaning and use of the area under a receiver operating
           characteristic (ROC) curve. Radiology 143(1), 29-36. https://doi.org/10.1148/radiology.143.1.7063747
    .. [2] Robin, X. et al. (2011). pROC: an open-source package for R and S+ to analyze and compare ROC curves. BMC
           Bioinformatics 12, 77. https://doi.org/10.1186/1471-2105-12-77

    Examples
    --------
    >>> from fairness_py import load_compas, roc_parity
    >>> result = roc_parity(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :4].round(4)
                    Caucasian  African_American    Asian  Hispanic
    ROC AUC            0.6868            0.7230   0.6141    0.6904
    ROC AUC Parity     1.0000            1.0527   0.8941    1.0052
    Group size      2103.0000         3175.0000  31.0000  509.0000
    """
    if direction not in DIRECTIONS:
        raise ValueError(f"direction must be one of {quoted(DIRECTIONS)}, got {direction!r}.")
    level = None if conf_level is None else check_conf_level(conf_level)
    groups = score_groups(ROC, data, outcome, group, probs=probs, base=base, group_breaks=group_breaks)
    labels = groups.labels
    parts: Sequence[SortedScores | ScoreCounts]
    if isinstance(groups.scores, RowScores):
        parts = groups.scores.parts(groups.place_of_code, groups.counts.n.astype(np.intp))
        positives = np.array([part.n_positive for part in parts])
        groups.check_sides(positives + [part.n_negative for part in parts], positives)
    else:
        by_level = groups.scores.parts()
        parts = [by_level[position] for position in groups.order]
    ranked = [
        _rank(part, direction) if isinstance(part, SortedScores) else _rank_counts(part, direction) for part in parts
    ]
    _report(labels, ranked, direction)
    areas = np.array([part.auc for part in ranked])
    table = pd.DataFrame(
        [areas, ratio(areas, areas[:1]), [float(part.n_positive + part.n_negative) for part in ranked]],
        index=["ROC AUC", ROC.value_row, "Group size"],
        columns=plain_index(labels),
    )
    warn_if_base_is_empty(table)
    tables = None
    if level is not None:
        tables = {"Intervals": _intervals(ranked, table, level)}
    _note_bounds(table, ranked)
    return ParityResult(ROC, table, roc_curves=lambda: _curves(labels, ranked), tables=tables, **groups.of_table(table))


def _intervals(ranked: Sequence[_Ranked | _RankedCounts], table: pd.DataFrame, conf_level: float) -> pd.DataFrame:
    """Return the bounds of the areas and of their ratios; where bins leave areas open, the widest that there can be.

    The bounds of an area, and of a ratio, move apart as the variances grow. So the largest variances go with the lowest
    and the highest area of a group, and with those of the base.
    """
    uncertain = np.array([part.uncertainty() for part in ranked]).T
    variance, largest, n_positive, n_negative = uncertain

    def tabled(own: Vector, base: Vector, variance: Vector) -> pd.DataFrame:
        of_groups = Areas(own, variance, n_positive, n_negative)
        of_base = Areas(*(values[:1] for values in (base, variance, n_positive, n_negative)))
        return interval_table(ROC, of_groups, of_base, table, conf_level, "base")

    areas = table.loc["ROC AUC"].to_numpy()
    intervals = tabled(areas, areas, variance)
    ends = np.array([part.bounds for part in ranked]).T
    if not (ends[0] < ends[1]).any():
        return intervals
    extremes = [tabled(own, base, largest) for own in ends for base in ends]
    for side, widest in (("lower", np.min), ("upper", np.max)):
        rows = intervals.index[intervals.index.str.endswith(f" {side}")]
        intervals.loc[rows] = widest([other.loc[rows] for other in (intervals, *extremes)], axis=0)
    intervals.attrs["note"] = (
        "The areas come from a histogram of the probabilities. The intervals are as wide as they can be for any order "
        "of the rows within its bins; the p-values are those of the areas shown."
    )
    return intervals


class _Ranked(NamedTuple):
    scores: SortedScores
    auc: float
    direction: str
    in_doubt: bool = False

    @property
    def n_positive(self) -> int:
        return self.scores.n_positive

    @property
    def n_negative(self) -> int:
        return self.scores.n_negative

    def curve(self) -> tuple[Vector, Vector]:
        return _ranks.curve(*self.scores.by_outcome(), self.direction)

    @property
    def bounds(self) -> tuple[float, float]:
        return self.auc, self.auc

    def uncertainty(self) -> tuple[float, float, float, float]:
        """Return the variance of the area, the largest that it may have, and the rows of either outcome."""
        _, variance = delong(*self.scores.by_outcome())
        return variance, variance, self.n_positive, self.n_negative


def _rank(scores: SortedScores, direction: str) -> _Ranked:
    """Return the AUC of a group; in pROC's "auto", turned round where the negatives' median is higher."""
    area = scores.auc()
    if direction == "auto":
        negative, positive = (0.0, 0.0) if math.isnan(area) else scores.medians()
        direction = ">" if negative > positive else "<"
    return _Ranked(scores, 1 - area if direction == ">" else area, direction)


class _RankedCounts(NamedTuple):
    counts: ScoreCounts
    auc: float
    direction: str
    bounds: tuple[float, float]
    in_doubt: bool  # whether the bins leave open which way the scores point

    @property
    def n_positive(self) -> int:
        return self.counts.n_positive

    @property
    def n_negative(self) -> int:
        return self.counts.n_negative

    def curve(self) -> tuple[Vector, Vector]:
        return self.counts.curve(self.direction, _ranks.MOST_POINTS)

    def uncertainty(self) -> tuple[float, float, float, float]:
        _, variance, largest = self.counts.delong()
        return variance, largest, self.n_positive, self.n_negative


def _rank_counts(counts: ScoreCounts, direction: str) -> _RankedCounts:
    """Return the AUC of a group whose rows were counted by score, with the bounds between which it lies."""
    area, low, high = counts.auc()
    in_doubt = False
    if direction == "auto":
        direction = "<"
        if not math.isnan(area):
            (least, most), (positive_least, positive_most) = map(counts.median, (counts.negatives, counts.positives))
            direction = ">" if least + most > positive_least + positive_most else "<"
            in_doubt = least <= positive_most and positive_least < most
    if direction == ">":
        area, low, high = 1 - area, 1 - high, 1 - low
    if in_doubt:
        low, high = min(low, 1 - high), max(high, 1 - low)
    return _RankedCounts(counts, area, direction, (low, high), in_doubt)


def _note_bounds(table: pd.DataFrame, ranked: Sequence[_Ranked | _RankedCounts]) -> None:
    """Say in the table's attributes that areas come from bins of scores, and between which bounds they lie."""
    bounds = [part.bounds for part in ranked]
    if any(low < high for low, high in bounds):
        table.attrs["note"] = (
            "The areas come from a histogram of the probabilities. Pairs within a bin count one half; auc_bounds has "
            "for each group the lowest and the highest area that the rows can have."
        )
        table.attrs["auc_bounds"] = dict(zip(table.columns, bounds, strict=True))
    in_doubt = [label for label, part in zip(table.columns, ranked, strict=True) if part.in_doubt]
    if in_doubt:
        table.attrs["direction_in_doubt"] = in_doubt
        warn(
            f"The direction of {quoted(in_doubt)} is in doubt: the medians of the two outcome levels are too close to "
            "be told apart in the histogram of the probabilities. So the AUC shown may be 1 minus what it is from all "
            'rows; auc_bounds in the table\'s attrs allow for that. direction="<" leaves no doubt.'
        )


def _report(labels: Sequence[Hashable], ranked: Sequence[_Ranked | _RankedCounts], direction: str) -> None:
    turned = [label for label, part in zip(labels, ranked, strict=True) if part.direction == ">"]
    if turned and direction == "auto":
        warn(
            f"The direction was turned round for {quoted(turned)}, as R does: there the probabilities rank the first "
            "outcome level higher, so the AUC shown is 1 minus that of the probabilities. "
            'direction="<" gives every group the same direction.'
        )
    undefined = [
        label
        for label, part in zip(labels, ranked, strict=True)
        if math.isnan(part.auc) and part.n_positive + part.n_negative
    ]
    if undefined:
        warn(f"The AUC is undefined for {quoted(undefined)}: there are rows of one outcome level only.")


def _curves(labels: Sequence[Hashable], ranked: Sequence[_Ranked | _RankedCounts]) -> tuple[RocCurve, ...]:
    curves = []
    for label, part in zip(labels, ranked, strict=True):
        empty = np.empty(0)
        points = (empty, empty)
        if not math.isnan(part.auc):
            points = part.curve()
        curves.append(RocCurve(label, part.n_positive, part.n_negative, *points, part.auc, part.direction))
    return tuple(curves)
