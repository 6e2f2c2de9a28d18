"""Selection: how many are predicted positive, whatever their outcome (independence)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ._columns import ColumnLike
from ._engine import compute_parity
from ._result import ParityResult
from .metrics import DEM, PROP


def dem_parity(
    data: Any,
    outcome: ColumnLike,
    group: ColumnLike,
    probs: ColumnLike | None = None,
    preds: ColumnLike | None = None,
    outcome_base: Hashable | None = None,
    cutoff: float = 0.5,
    base: Hashable | None = None,
    group_breaks: Any = None,
    *,
    conf_level: float | None = None,
) -> ParityResult:
    """Compare the numbers of positive predictions (demographic parity).

    Formula: TP + FP: how many are predicted positive, a count. A larger group has more of them, so `prop_parity` is
    most often the better question.

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
    probs : label or array-like of shape (n_rows,), optional
        Probabilities between 0 and 1 of the **second** level of `outcome`. A row is predicted positive where
        its probability is strictly above `cutoff`. Either `probs` or `preds` is needed; if both are given,
        `probs` are used.
    preds : label or array-like of shape (n_rows,), optional
        Predicted labels, the same as those of `outcome`.
    outcome_base : label, optional
        The level of `outcome` that counts as negative; the first by default. Matched by value, or by R's text
        of it: ``"0"`` finds 0.
    cutoff : float, default 0.5
        Between 0 and 1.
    base : label, optional
        The base group, to which the others are compared; the first level by default. Matched by value, or by
        R's text of it; never by position.
    group_breaks : int or array-like of float, optional
        Cuts a numeric group into intervals as R's ``cut()`` does: closed on the right, the lowest break outside.
        A single number is the count of equal-width intervals, at least 2.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (3, n_groups): the rows ``Positively classified``, ``Demographic Parity`` and
            ``Group size``; one column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``Demographic Parity`` (Koopman), and of
            p-values of no disparity (score), raw and adjusted by Holm's method over the groups; only with `conf_level`.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, `outcome` has
        not exactly two levels, `preds` hold another label, probabilities or `cutoff` lie outside [0, 1], `base` or
        `outcome_base` is no level, `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If rows are left out because a value is missing or outside `group_breaks` (with their number), the
        probabilities rank the first outcome level higher than the second, the base group has no rows, both `probs`
        and `preds` are given, there are more than 10 groups without `group_breaks`, or `group_breaks` meet a group
        that is not numeric.

    See Also
    --------
    prop_parity

    Notes
    -----
    Undefined case: Never; the count is 0 in a group without rows.
    The parity is NaN where both are 0 (or either is undefined), and infinite where only the base is 0.
    Rows without an outcome count, for the outcome is not needed.
    With `conf_level`, the sizes of the groups are taken as given, and the test asks whether the counts are equal, which
    groups of different sizes seldom have; `prop_parity` has the test of the shares.

    References
    ----------
    .. [1] Calders, T. and Verwer, S. (2010). Three naive Bayes approaches for discrimination-free classification.
           Data Mining and Knowledge Discovery 21, 277-292. https://doi.org/10.1007/s10618-010-0190-x

    Examples
    --------
    >>> from fairness_py import load_compas, dem_parity
    >>> result = dem_parity(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :4].round(4)
                           Caucasian  African_American   Asian  Hispanic
    Positively classified      672.0         1879.0000   4.000  149.0000
    Demographic Parity           1.0            2.7961   0.006    0.2217
    Group size                2103.0         3175.0000  31.000  509.0000
    """
    return compute_parity(
        DEM,
        data,
        outcome,
        group,
        probs=probs,
        preds=preds,
        outcome_base=outcome_base,
        cutoff=cutoff,
        base=base,
        group_breaks=group_breaks,
        positive=None,
        versus="base",
        conf_level=conf_level,
    )


def prop_parity(
    data: Any,
    outcome: ColumnLike,
    group: ColumnLike,
    probs: ColumnLike | None = None,
    preds: ColumnLike | None = None,
    outcome_base: Hashable | None = None,
    cutoff: float = 0.5,
    base: Hashable | None = None,
    group_breaks: Any = None,
    *,
    conf_level: float | None = None,
) -> ParityResult:
    """Compare the proportions of positive predictions (proportional parity).

    Formula: proportion = (TP + FP) / (TP + FP + TN + FN): the share that is predicted positive. Higher means selected
    more often; whether that favours the group depends on what it is selected for.

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
    probs : label or array-like of shape (n_rows,), optional
        Probabilities between 0 and 1 of the **second** level of `outcome`. A row is predicted positive where
        its probability is strictly above `cutoff`. Either `probs` or `preds` is needed; if both are given,
        `probs` are used.
    preds : label or array-like of shape (n_rows,), optional
        Predicted labels, the same as those of `outcome`.
    outcome_base : label, optional
        The level of `outcome` that counts as negative; the first by default. Matched by value, or by R's text
        of it: ``"0"`` finds 0.
    cutoff : float, default 0.5
        Between 0 and 1.
    base : label, optional
        The base group, to which the others are compared; the first level by default. Matched by value, or by
        R's text of it; never by position.
    group_breaks : int or array-like of float, optional
        Cuts a numeric group into intervals as R's ``cut()`` does: closed on the right, the lowest break outside.
        A single number is the count of equal-width intervals, at least 2.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (3, n_groups): the rows ``Proportion``, ``Proportional Parity`` and
            ``Group size``; one column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``Proportional Parity`` (Koopman), and
            of p-values of no disparity (chi-square, or Fisher where a count below 5 is expected), raw and adjusted by
            Holm's method over the groups; only with `conf_level`.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, `outcome` has
        not exactly two levels, `preds` hold another label, probabilities or `cutoff` lie outside [0, 1], `base` or
        `outcome_base` is no level, `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If rows are left out because a value is missing or outside `group_breaks` (with their number), the
        probabilities rank the first outcome level higher than the second, the base group has no rows, both `probs`
        and `preds` are given, there are more than 10 groups without `group_breaks`, or `group_breaks` meet a group
        that is not numeric.

    See Also
    --------
    dem_parity

    Notes
    -----
    Undefined case: NaN in a group without rows.
    The parity is NaN where both are 0 (or either is undefined), and infinite where only the base is 0.
    Rows without an outcome count, for the outcome is not needed. R gives NA for all groups where one row has no
    group, and stops on a missing probability.

    References
    ----------
    .. [1] Calders, T. and Verwer, S. (2010). Three naive Bayes approaches for discrimination-free classification.
           Data Mining and Knowledge Discovery 21, 277-292. https://doi.org/10.1007/s10618-010-0190-x

    Examples
    --------
    >>> from fairness_py import load_compas, prop_parity
    >>> result = prop_parity(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :4].round(4)
                         Caucasian  African_American    Asian  Hispanic
    Proportion              0.3195            0.5918   0.1290    0.2927
    Proportional Parity     1.0000            1.8521   0.4038    0.9161
    Group size           2103.0000         3175.0000  31.0000  509.0000
    """
    return compute_parity(
        PROP,
        data,
        outcome,
        group,
        probs=probs,
        preds=preds,
        outcome_base=outcome_base,
        cutoff=cutoff,
        base=base,
        group_breaks=group_breaks,
        positive=None,
        versus="base",
        conf_level=conf_level,
    )
