"""Overall agreement of predictions and outcomes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ._columns import ColumnLike
from ._engine import compute_parity
from ._result import ParityResult
from .metrics import ACC, MCC


def acc_parity(
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
    """Compare accuracies.

    Formula: accuracy = (TP + TN) / (TP + FP + TN + FN): the share of the predictions that are right. Higher is better,
    but it weighs misses and false alarms alike and depends on how common the outcome is.

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
            DataFrame of shape (3, n_groups): the rows ``Accuracy``, ``Accuracy Parity`` and
            ``Group size``; one column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``Accuracy Parity`` (Koopman), and of
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
    mcc_parity, roc_parity

    Notes
    -----
    Undefined case: NaN in a group without rows.
    The parity is NaN where both are 0 (or either is undefined), and infinite where only the base is 0.

    References
    ----------
    .. [1] Friedler, S. A. et al. (2019). A comparative study of fairness-enhancing interventions in machine
           learning. FAT* 2019, 329-338. https://doi.org/10.1145/3287560.3287589

    Examples
    --------
    >>> from fairness_py import load_compas, acc_parity
    >>> result = acc_parity(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :4].round(4)
                     Caucasian  African_American    Asian  Hispanic
    Accuracy            0.6586            0.6724   0.7419    0.6817
    Accuracy Parity     1.0000            1.0210   1.1266    1.0351
    Group size       2103.0000         3175.0000  31.0000  509.0000
    """
    return compute_parity(
        ACC,
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


def mcc_parity(
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
    """Compare Matthews correlation coefficients.

    Formula: MCC = (TP TN - FP FN) / sqrt((TP + FP) (TP + FN) (TN + FP) (TN + FN)), between -1 and 1: the correlation of
    predictions and outcomes. Higher is better.

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
            DataFrame of shape (3, n_groups): the rows ``MCC``, ``MCC Parity`` and
            ``Group size``; one column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (MOVER of sensitivity, specificity and prevalence) and
            of ``MCC Parity`` (MOVER-R), and of p-values of no disparity (MOVER), raw and adjusted by Holm's method over
            the groups; only with `conf_level`.

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
    acc_parity

    Notes
    -----
    Undefined case: 0 where the root is 0 (a constant prediction or outcome), as in R. A ratio of correlations is
    hard to read where they differ in sign or the base is near 0.
    The parity is NaN where both are 0 (or either is undefined), and infinite where only the base is 0.

    References
    ----------
    .. [1] Matthews, B. W. (1975). Comparison of the predicted and observed secondary structure of T4 phage
           lysozyme. Biochimica et Biophysica Acta 405(2), 442-451. https://doi.org/10.1016/0005-2795(75)90109-9

    Examples
    --------
    >>> from fairness_py import load_compas, mcc_parity
    >>> result = mcc_parity(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :4].round(4)
                Caucasian  African_American    Asian  Hispanic
    MCC            0.2619            0.3426   0.2128    0.2920
    MCC Parity     1.0000            1.3078   0.8125    1.1147
    Group size  2103.0000         3175.0000  31.0000  509.0000
    """
    return compute_parity(
        MCC,
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
