"""Calibration within groups: whether a score means the same in every group (sufficiency)."""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from ._blocks import HISTOGRAM_BINS
from ._calibration_intervals import (
    ScoreSums,
    brier_limits,
    expected_error_limits,
    in_the_large_limits,
    largest_error_limits,
)
from ._calibration_sums import bin_in_engine, bin_rows
from ._columns import ColumnLike
from ._engine import plain_index, score_groups, text_index, warn_if_undefined
from ._factors import Vector
from ._intervals import check_conf_level
from ._labels import is_boolean, quoted
from ._mover import Limits, mover_difference, normal_deviate, two_sided
from ._p_values import adjust_holm
from ._rates import newcombe, wilson
from ._result import ParityResult
from ._scores import RowScores
from .metrics import CALIBRATION, ratio

STRATEGIES = ("quantile", "uniform")
NOTE = (
    "The ends of the bins are quantiles of the probabilities to within 1/{:,}, for they come from a histogram of "
    "so many bins. For these ends all other numbers are exact."
)
SIDES = ("lower", "upper")


def calibration_within_groups(
    data: Any,
    outcome: ColumnLike,
    group: ColumnLike,
    probs: ColumnLike,
    base: Hashable | None = None,
    group_breaks: Any = None,
    *,
    bins: int = 10,
    strategy: Literal["quantile", "uniform"] = "quantile",
    conf_level: float = 0.95,
) -> ParityResult:
    """Compare what became of people with the same score (calibration within groups, sufficiency).

    Formula: in each bin of scores, observed rate - mean score, where the observed rate is the share of the second level
    of `outcome`. Scores are calibrated within a group where this is 0 in every bin. A positive value means that the
    scores promise less than what happens, which is worse for the group where a high score is a benefit, and a negative
    one that they promise more, which is worse for it where a high score is a burden.

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
    bins : int, default 10, keyword-only
        How many bins of scores, at least 1.
    strategy : {"quantile", "uniform"}, default "quantile", keyword-only
        Where the bins end: at quantiles of the scores of all rows that count, so that all hold about as many, or at
        equal distances from 0 to 1. Either way all groups have the same bins.
    conf_level : float, default 0.95, keyword-only
        The confidence level of all intervals, between 0 and 1. There always are some, so it cannot be None.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (7, n_groups), one column a group, the base first, the others in the order of the levels.
            The rows are ``Mean score``; ``Observed rate``; ``Calibration-in-the-large``, the observed rate minus the
            mean score; ``Expected calibration error``, the mean of the bins' absolute errors, weighted by their rows;
            ``Largest bin error``; ``Brier score``, the mean squared difference of outcome (0 or 1) and score; and
            ``Group size``.
        ``Metric_plot``
            Figure with a bar a group, its calibration-in-the-large with its interval, starting at 0.
        ``Probability_plot``
            Figure with the density of the probabilities of each group.
        ``Calibration``
            DataFrame of shape (n_groups * n_bins, 12), one row a group and bin: ``Group``; ``Bin``, from 1; ``From``
            and ``To``, the bin's ends; ``n``, its rows; ``Mean score``; ``Observed rate`` with Wilson's interval from
            ``Lower`` to ``Upper``; ``Gap``, the group's observed rate minus that of the base in the same bin, with
            Newcombe's interval from ``Gap lower`` to ``Gap upper`` (none for the base itself). NaN where a bin
            is empty.
        ``Calibration_plot``
            Figure with a curve a group, its intervals, the diagonal, and the histogram of the scores below.
        ``Intervals``
            DataFrame with one column a group: lower and upper bounds of ``Observed rate`` (Wilson),
            ``Calibration-in-the-large`` (Wilson by the variance of the residuals), ``Expected calibration error``
            (inverted test; cleared of the bias that chance gives to the error in ``Metric``, so it may lie below
            it), ``Largest bin error`` (Clopper-Pearson and Šidák; safe bounds) and ``Brier score`` (Wilson by the
            variance of the squared errors); bounds of the difference in calibration-in-the-large to the base (MOVER),
            and the p-value of its being 0 (of the normal deviate of the mean residuals), raw and adjusted by Holm's
            method over the groups.
        ``Histogram``
            DataFrame of shape (20, n_groups): the rows with scores in twentieths of 0 to 1, by their lower end.

    Raises
    ------
    ValueError
        If `probs` are not given, a column is missing or ambiguous, lengths differ, `outcome` is continuous or has
        not exactly two levels, probabilities lie outside [0, 1], `base` is no level, `bins` is no whole number above 0,
        `strategy` is another one, `conf_level` is not between 0 and 1, `group_breaks` are not usable, or `data` has no
        rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If a group has no rows (with the group), rows are left out because a value is missing or outside `group_breaks`
        (with their number), the probabilities rank the first outcome level higher than the second, there are more than
        10 groups without `group_breaks`, or `group_breaks` meet a group that is not numeric.

    See Also
    --------
    pred_rate_parity, npv_parity, roc_parity

    Notes
    -----
    Undefined case: NaN in a group without rows, and in an empty bin.
    A bin holds the scores above its lower and up to its upper end, the first bin its lower end too; so 0 and 1
    are in the first and the last bin, and equal scores together. Where many scores are equal, quantiles coincide,
    and there are fewer bins than asked for. Empty bins are kept.
    The expected calibration error is above 0 by chance alone, the more so the smaller the group and the more bins:
    do not compare it between groups of very different size. A group can be calibrated while a decision made of the
    scores has very different error rates in it: where base rates differ, both cannot be had [2]_.
    Of more than a million rows that an engine holds, the quantiles may come from 65,536 bins of the scores; then a note
    in the ``attrs`` of ``Metric`` and ``Calibration`` says so. For the ends shown, all other numbers are exact.
    R's package has no such function.

    References
    ----------
    .. [1] Barocas, S., Hardt, M. and Narayanan, A. (2023). Fairness and Machine Learning: Limitations and
           Opportunities. MIT Press. https://fairmlbook.org
    .. [2] Chouldechova, A. (2017). Fair prediction with disparate impact: a study of bias in recidivism prediction
           instruments. Big Data 5(2), 153-163. https://doi.org/10.1089/big.2016.0047
    .. [3] Naeini, M. P., Cooper, G. F. and Hauskrecht, M. (2015). Obtaining well calibrated probabilities using
           Bayesian binning. Proceedings of the AAAI Conference on Artificial Intelligence 29, 2901-2907.
           https://doi.org/10.1609/aaai.v29i1.9602
    .. [4] Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the
           American Statistical Association 22(158), 209-212. https://doi.org/10.1080/01621459.1927.10502953
    .. [5] Newcombe, R. G. (1998). Interval estimation for the difference between independent proportions: comparison of
           eleven methods. Statistics in Medicine 17(8), 873-890.
           https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8%3C873::AID-SIM779%3E3.0.CO;2-I

    Examples
    --------
    >>> from fairness_py import calibration_within_groups, load_compas
    >>> result = calibration_within_groups(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :3].round(4)
                                Caucasian  African_American    Asian
    Mean score                     0.4392            0.5640   0.3112
    Observed rate                  0.3909            0.5231   0.2581
    Calibration-in-the-large      -0.0484           -0.0409  -0.0531
    Expected calibration error     0.0505            0.0436   0.1263
    Largest bin error              0.1798            0.1029   0.5041
    Brier score                    0.2181            0.2150   0.1911
    Group size                  2103.0000         3175.0000  31.0000
    """
    check_bins(bins, strategy)
    deviate = normal_deviate(check_conf_level(conf_level, optional=False))
    groups = score_groups(CALIBRATION, data, outcome, group, probs=probs, base=base, group_breaks=group_breaks)
    first_group = np.zeros(len(groups.labels), dtype=np.intp)
    warn_if_undefined(CALIBRATION, groups.counts, groups.counts.take(first_group), groups.labels, "base")
    groups.scores.warn_if_reversed()
    if isinstance(groups.scores, RowScores):
        binned = bin_rows(groups.of_rows(), len(groups.labels), int(bins), strategy)
        groups.check_sides(binned.sums.rows.sum(axis=1), binned.sums.positives.sum(axis=1))
    else:
        binned = bin_in_engine(groups.scores, groups.order, int(bins), strategy)
    curves = _bins_table(groups.labels, binned.edges, binned.sums, deviate)
    curves.attrs = {"conf_level": float(conf_level), "strategy": strategy}
    table = _summary_table(groups.labels, binned.sums)
    if binned.histogram_bins is not None:
        curves.attrs["note"] = table.attrs["note"] = NOTE.format(binned.histogram_bins)
    return ParityResult(
        CALIBRATION,
        table,
        **groups.of_table(table),
        tables={
            "Calibration": curves,
            "Histogram": _histogram(groups.labels, binned.histogram),
            "Intervals": _interval_table(groups.labels, binned.sums, float(conf_level)),
        },
    )


def check_bins(bins: object, strategy: object) -> None:
    """Refuse bins that cannot be made."""
    if not isinstance(bins, (numbers.Integral, np.integer)) or is_boolean(bins) or int(bins) < 1:
        raise ValueError(f"bins must be a whole number of bins, at least 1, got {bins!r}.")
    if strategy not in STRATEGIES:
        raise ValueError(f"strategy must be one of {quoted(STRATEGIES)}, got {strategy!r}.")


def _summary_table(labels: Sequence[Hashable], sums: ScoreSums) -> pd.DataFrame:
    n, score, positives = (part.sum(axis=1) for part in (sums.rows, sums.scores, sums.positives))
    error = np.abs(ratio(sums.positives, sums.rows) - ratio(sums.scores, sums.rows))
    error[sums.rows == 0] = 0  # an empty bin has no say, for its weight is 0
    rows = {
        "Mean score": ratio(score, n),
        "Observed rate": ratio(positives, n),
        "Calibration-in-the-large": ratio(positives, n) - ratio(score, n),
        "Expected calibration error": ratio((sums.rows * error).sum(axis=1), n),
        "Largest bin error": np.where(n > 0, error.max(axis=1), np.nan),
        "Brier score": ratio(sums.squares, n),
        "Group size": n,
    }
    return pd.DataFrame(np.array(list(rows.values())), index=text_index(rows), columns=plain_index(labels))


def _interval_table(labels: Sequence[Hashable], sums: ScoreSums, conf_level: float) -> pd.DataFrame:
    """Return the bounds of the rows of the summary, and how each group's calibration differs from the base's."""
    deviate = normal_deviate(conf_level)
    n = sums.rows.sum(axis=1)
    in_the_large = in_the_large_limits(sums, deviate)
    base = Limits(*(bound[:1] for bound in in_the_large))
    difference = mover_difference(in_the_large, base)
    limits = {
        "Observed rate": wilson(sums.positives.sum(axis=1), n, deviate)[1:],
        "Calibration-in-the-large": in_the_large[1:],
        "Expected calibration error": expected_error_limits(sums, deviate)[1:],
        "Largest bin error": largest_error_limits(sums, deviate)[1:],
        "Brier score": brier_limits(sums, deviate)[1:],
        "Difference in calibration-in-the-large": [_but_of_base(bound) for bound in difference],
    }
    variance = ratio(ratio(sums.squares, n) - in_the_large.centre**2, n - 1)
    distance = in_the_large.centre - base.centre
    p_value = _but_of_base(two_sided(ratio(distance, np.sqrt(variance + variance[:1]))))
    rows = {f"{label} {side}": bound for label, pair in limits.items() for side, bound in zip(SIDES, pair, strict=True)}
    rows |= {"p-value": p_value, "p-value (Holm)": adjust_holm(p_value)}
    intervals = pd.DataFrame(np.array(list(rows.values())), index=text_index(rows), columns=plain_index(labels))
    intervals.attrs["conf_level"] = conf_level
    return intervals


def _but_of_base(values: Vector) -> Vector:
    """Leave the base out, which differs from itself by 0, for certain."""
    return np.where(np.arange(len(values)) == 0, np.nan, values)


def _bins_table(labels: Sequence[Hashable], edges: Vector, sums: ScoreSums, deviate: float) -> pd.DataFrame:
    n_groups, n_bins = sums.rows.shape
    observed, lower, upper = wilson(sums.positives, sums.rows, deviate)
    gap_lower, gap_upper = newcombe(sums.positives, sums.rows, sums.positives[:1], sums.rows[:1], deviate)
    gap_lower[0] = gap_upper[0] = np.nan  # the base differs from itself by 0, for certain
    return pd.DataFrame(
        {
            "Group": np.repeat(np.array([*labels, None], dtype=object)[:-1], n_bins),
            "Bin": np.tile(np.arange(1, n_bins + 1), n_groups),
            "From": np.tile(edges[:-1], n_groups),
            "To": np.tile(edges[1:], n_groups),
            "n": sums.rows.astype(np.int64).ravel(),
            "Mean score": ratio(sums.scores, sums.rows).ravel(),
            "Observed rate": observed.ravel(),
            "Lower": lower.ravel(),
            "Upper": upper.ravel(),
            "Gap": (observed - observed[:1]).ravel(),
            "Gap lower": gap_lower.ravel(),
            "Gap upper": gap_upper.ravel(),
        }
    )


def _histogram(labels: Sequence[Hashable], rows: npt.NDArray[np.int64]) -> pd.DataFrame:
    return pd.DataFrame(rows.T, index=np.arange(HISTOGRAM_BINS) / HISTOGRAM_BINS, columns=plain_index(labels))
