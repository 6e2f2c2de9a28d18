"""Predictive values: what a prediction means for the people who get it (sufficiency)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ._columns import ColumnLike
from ._engine import compute_parity
from ._result import ParityResult
from .metrics import NPV, PPV


def npv_parity(
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
    """Compare negative predictive values.

    Formula: NPV = TN / (TN + FN): the share of the negative predictions that are right. Higher is better.

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
            DataFrame of shape (3, n_groups): the rows ``NPV``, ``NPV Parity`` and
            ``Group size``; one column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``NPV Parity`` (Koopman), and of
            p-values of no disparity (chi-square, or Fisher where a count below 5 is expected), raw and adjusted by
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
    pred_rate_parity

    Notes
    -----
    Undefined case: NaN where nobody in a group is predicted negative.
    The parity is NaN where both are 0 (or either is undefined), and infinite where only the base is 0.
    R gives NA where a group has no positive or no negative outcome, although TN + FN > 0; this function follows
    the formula.

    References
    ----------
    .. [1] Chouldechova, A. (2017). Fair prediction with disparate impact: a study of bias in recidivism
           prediction instruments. Big Data 5(2), 153-163. https://doi.org/10.1089/big.2016.0047

    Examples
    --------
    >>> from fairness_py import load_compas, npv_parity
    >>> result = npv_parity(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :4].round(4)
                Caucasian  African_American    Asian  Hispanic
    NPV            0.6967            0.6829   0.7778    0.7194
    NPV Parity     1.0000            0.9801   1.1163    1.0326
    Group size  2103.0000         3175.0000  31.0000  509.0000
    """
    return compute_parity(
        NPV,
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


def pred_rate_parity(
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
    """Compare precisions (predictive rate parity).

    Formula: precision = TP / (TP + FP): the share of the positive predictions that are right. Higher is better.

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
            DataFrame of shape (3, n_groups): the rows ``Precision``, ``Predictive Rate Parity`` and
            ``Group size``; one column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``Predictive Rate Parity`` (Koopman),
            and of p-values of no disparity (chi-square, or Fisher where a count below 5 is expected), raw and adjusted
            by Holm's method over the groups; only with `conf_level`.

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
    npv_parity

    Notes
    -----
    Undefined case: NaN where nobody in a group is predicted positive.
    The parity is NaN where both are 0 (or either is undefined), and infinite where only the base is 0.

    References
    ----------
    .. [1] Chouldechova, A. (2017). Fair prediction with disparate impact: a study of bias in recidivism
           prediction instruments. Big Data 5(2), 153-163. https://doi.org/10.1089/big.2016.0047

    Examples
    --------
    >>> from fairness_py import load_compas, pred_rate_parity
    >>> result = pred_rate_parity(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :4].round(4)
                            Caucasian  African_American   Asian  Hispanic
    Precision                  0.5774            0.6652   0.500    0.5906
    Predictive Rate Parity     1.0000            1.1522   0.866    1.0229
    Group size              2103.0000         3175.0000  31.000  509.0000
    """
    return compute_parity(
        PPV,
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
