"""Differences between groups, as SageMaker Clarify and AIF360 define them, each with the sign of its source."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Literal

from ._columns import ColumnLike
from ._engine import compute_parity
from ._result import ParityResult
from .metrics import AD, AOD, DAR, DCACC, DCR, DI, DPPL, DRR, EOD, RD, SD, SPD, TE


def recall_difference(
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
    positive: Any = None,
    versus: Literal["base", "rest"] = "base",
    conf_level: float | None = None,
) -> ParityResult:
    """Compare the recalls by the difference of SageMaker Clarify (RD).

    Formula: RD = TPR of the base - TPR of the group, where TPR = TP / (TP + FN), from -1 to 1.
    A positive value means that fewer of the group's positive outcomes are found than of the base's, which is worse for
    the group where being found is a benefit.

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
    positive : label or list of labels, optional, keyword-only
        The level or levels of `outcome` that count as positive, all others as negative. With it, `outcome` and
        `preds` may have more than two levels. It goes with `preds` only, and replaces `outcome_base`.
    versus : {"base", "rest"}, default "base", keyword-only
        What each group is held against: the base group, or all other groups together. With ``"rest"`` the
        group `base` still comes first, and what is said of the base holds for the rest.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (3, n_groups): the rows ``TPR``, ``Recall Difference`` and ``Group size``; one column a
            group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group, starting at 0.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``Recall Difference`` (Mee), and of
            p-values of no disparity (chi-square, or Fisher where a count below 5 is expected), raw and adjusted by
            Holm's method over the groups; only with `conf_level`.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, `outcome` is
        continuous or has not exactly two levels (without `positive`), `preds` hold another label, probabilities or
        `cutoff` lie outside [0, 1], `base`, `outcome_base` or `positive` is no level, `positive` meets `probs` or
        `outcome_base`, `versus` is another one, `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If the metric is undefined for a group (with the group and the reason), rows are left out because a value is
        missing or outside `group_breaks` (with their number), the probabilities rank the first outcome level higher
        than the second, both `probs` and `preds` are given, there are more than 10 groups without `group_breaks`, or
        `group_breaks` meet a group that is not numeric.

    See Also
    --------
    equal_opportunity_difference, specificity_difference, equal_odds, crosswalk

    Notes
    -----
    Undefined case: NaN in a group without positive outcomes, never 0; where the base has none, for all groups.
    It is `equal_opportunity_difference` with the other sign, and `equal_odds` is the ratio of the same rates. R's
    package has no such difference.

    References
    ----------
    .. [1] Amazon Web Services. Recall Difference (RD). Amazon SageMaker Developer Guide.
           https://docs.aws.amazon.com/sagemaker/latest/dg/clarify-post-training-bias-metric-rd.html
    .. [2] Das, S. et al. (2021). Fairness measures for machine learning in finance. Journal of Financial Data Science
           3(4), 33-64. https://doi.org/10.3905/jfds.2021.1.075

    Examples
    --------
    >>> from fairness_py import load_compas, recall_difference
    >>> result = recall_difference(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :3].round(4)
                       Caucasian  African_American   Asian
    TPR                    0.472            0.7526   0.250
    Recall Difference      0.000           -0.2805   0.222
    Group size          2103.000         3175.0000  31.000
    """
    return compute_parity(
        RD,
        data,
        outcome,
        group,
        probs=probs,
        preds=preds,
        outcome_base=outcome_base,
        cutoff=cutoff,
        base=base,
        group_breaks=group_breaks,
        positive=positive,
        versus=versus,
        conf_level=conf_level,
    )


def specificity_difference(
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
    positive: Any = None,
    versus: Literal["base", "rest"] = "base",
    conf_level: float | None = None,
) -> ParityResult:
    """Compare the specificities by the difference of SageMaker Clarify (SD).

    Formula: SD = TNR of the group - TNR of the base, where TNR = TN / (TN + FP), from -1 to 1.
    A positive value means that the group's negative outcomes are predicted positive less often than the base's, which
    is worse for the group where a positive prediction is a benefit (Clarify calls it bias against the group), and
    better where it is a burden.

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
    positive : label or list of labels, optional, keyword-only
        The level or levels of `outcome` that count as positive, all others as negative. With it, `outcome` and
        `preds` may have more than two levels. It goes with `preds` only, and replaces `outcome_base`.
    versus : {"base", "rest"}, default "base", keyword-only
        What each group is held against: the base group, or all other groups together. With ``"rest"`` the
        group `base` still comes first, and what is said of the base holds for the rest.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (3, n_groups): the rows ``TNR``, ``Specificity Difference`` and ``Group size``; one
            column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group, starting at 0.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``Specificity Difference`` (Mee), and of
            p-values of no disparity (chi-square, or Fisher where a count below 5 is expected), raw and adjusted by
            Holm's method over the groups; only with `conf_level`.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, `outcome` is
        continuous or has not exactly two levels (without `positive`), `preds` hold another label, probabilities or
        `cutoff` lie outside [0, 1], `base`, `outcome_base` or `positive` is no level, `positive` meets `probs` or
        `outcome_base`, `versus` is another one, `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If the metric is undefined for a group (with the group and the reason), rows are left out because a value is
        missing or outside `group_breaks` (with their number), the probabilities rank the first outcome level higher
        than the second, both `probs` and `preds` are given, there are more than 10 groups without `group_breaks`, or
        `group_breaks` meet a group that is not numeric.

    See Also
    --------
    recall_difference, spec_parity, fpr_parity, crosswalk

    Notes
    -----
    Undefined case: NaN in a group without negative outcomes, never 0; where the base has none, for all groups.
    Mind the order: group minus base, while `recall_difference` is base minus group. `spec_parity` is the ratio of the
    same rates. R's package has no such difference.

    References
    ----------
    .. [1] Amazon Web Services. Specificity difference (SD). Amazon SageMaker Developer Guide.
           https://docs.aws.amazon.com/sagemaker/latest/dg/clarify-post-training-bias-metric-sd.html
    .. [2] Das, S. et al. (2021). Fairness measures for machine learning in finance. Journal of Financial Data Science
           3(4), 33-64. https://doi.org/10.3905/jfds.2021.1.075

    Examples
    --------
    >>> from fairness_py import load_compas, specificity_difference
    >>> result = specificity_difference(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :3].round(4)
                            Caucasian  African_American    Asian
    TNR                        0.7783            0.5845   0.9130
    Specificity Difference     0.0000           -0.1938   0.1347
    Group size              2103.0000         3175.0000  31.0000
    """
    return compute_parity(
        SD,
        data,
        outcome,
        group,
        probs=probs,
        preds=preds,
        outcome_base=outcome_base,
        cutoff=cutoff,
        base=base,
        group_breaks=group_breaks,
        positive=positive,
        versus=versus,
        conf_level=conf_level,
    )


def equal_opportunity_difference(
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
    positive: Any = None,
    versus: Literal["base", "rest"] = "base",
    conf_level: float | None = None,
) -> ParityResult:
    """Compare the true positive rates by the difference of AIF360 (EOD).

    Formula: EOD = TPR of the group - TPR of the base, where TPR = TP / (TP + FN), from -1 to 1.
    A positive value means that more of the group's positive outcomes are found than of the base's, which is worse for
    the base where being found is a benefit.

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
    positive : label or list of labels, optional, keyword-only
        The level or levels of `outcome` that count as positive, all others as negative. With it, `outcome` and
        `preds` may have more than two levels. It goes with `preds` only, and replaces `outcome_base`.
    versus : {"base", "rest"}, default "base", keyword-only
        What each group is held against: the base group, or all other groups together. With ``"rest"`` the
        group `base` still comes first, and what is said of the base holds for the rest.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (3, n_groups): the rows ``TPR``, ``Equal Opportunity Difference`` and ``Group size``; one
            column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group, starting at 0.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``Equal Opportunity Difference`` (Mee),
            and of p-values of no disparity (chi-square, or Fisher where a count below 5 is expected), raw and adjusted
            by Holm's method over the groups; only with `conf_level`.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, `outcome` is
        continuous or has not exactly two levels (without `positive`), `preds` hold another label, probabilities or
        `cutoff` lie outside [0, 1], `base`, `outcome_base` or `positive` is no level, `positive` meets `probs` or
        `outcome_base`, `versus` is another one, `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If the metric is undefined for a group (with the group and the reason), rows are left out because a value is
        missing or outside `group_breaks` (with their number), the probabilities rank the first outcome level higher
        than the second, both `probs` and `preds` are given, there are more than 10 groups without `group_breaks`, or
        `group_breaks` meet a group that is not numeric.

    See Also
    --------
    recall_difference, average_odds_difference, equal_odds, crosswalk

    Notes
    -----
    Undefined case: NaN in a group without positive outcomes, never 0; where the base has none, for all groups.
    It is `recall_difference` with the other sign, and `equal_odds` is the ratio of the same rates. R's package has no
    such difference.

    References
    ----------
    .. [1] Hardt, M., Price, E. and Srebro, N. (2016). Equality of opportunity in supervised learning. Advances in
           Neural Information Processing Systems 29, 3315-3323. https://arxiv.org/abs/1610.02413
    .. [2] Bellamy, R. K. E. et al. (2019). AI Fairness 360: an extensible toolkit for detecting and mitigating
           algorithmic bias. IBM Journal of Research and Development 63(4/5), 4:1-4:15.
           https://doi.org/10.1147/JRD.2019.2942287

    Examples
    --------
    >>> from fairness_py import load_compas, equal_opportunity_difference
    >>> result = equal_opportunity_difference(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :3].round(4)
                                  Caucasian  African_American   Asian
    TPR                               0.472            0.7526   0.250
    Equal Opportunity Difference      0.000            0.2805  -0.222
    Group size                     2103.000         3175.0000  31.000
    """
    return compute_parity(
        EOD,
        data,
        outcome,
        group,
        probs=probs,
        preds=preds,
        outcome_base=outcome_base,
        cutoff=cutoff,
        base=base,
        group_breaks=group_breaks,
        positive=positive,
        versus=versus,
        conf_level=conf_level,
    )


def average_odds_difference(
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
    positive: Any = None,
    versus: Literal["base", "rest"] = "base",
    conf_level: float | None = None,
) -> ParityResult:
    """Compare the true and the false positive rates by the mean difference of AIF360 (AOD).

    Formula: AOD = [(FPR of the group - FPR of the base) + (TPR of the group - TPR of the base)] / 2, where FPR = FP /
    (FP + TN) and TPR = TP / (TP + FN), from -1 to 1.
    A positive value means that the group gets more positive predictions than the base at equal outcomes, on average
    over the two outcomes, which is worse for the base where a positive prediction is a benefit, and for the group where
    it is a burden. **A mean of 0 is not equalised odds**: two large gaps of opposite sign cancel, so the table shows
    both.

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
    positive : label or list of labels, optional, keyword-only
        The level or levels of `outcome` that count as positive, all others as negative. With it, `outcome` and
        `preds` may have more than two levels. It goes with `preds` only, and replaces `outcome_base`.
    versus : {"base", "rest"}, default "base", keyword-only
        What each group is held against: the base group, or all other groups together. With ``"rest"`` the
        group `base` still comes first, and what is said of the base holds for the rest.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (6, n_groups): the rows ``TPR``, ``FPR``, ``TPR gap``, ``FPR gap``, ``Average Odds
            Difference`` and ``Group size``; one column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group, starting at 0.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``Average Odds Difference`` (score of a
            linear combination), and of p-values of no disparity (score of a linear combination), raw and adjusted by
            Holm's method over the groups; only with `conf_level`.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, `outcome` is
        continuous or has not exactly two levels (without `positive`), `preds` hold another label, probabilities or
        `cutoff` lie outside [0, 1], `base`, `outcome_base` or `positive` is no level, `positive` meets `probs` or
        `outcome_base`, `versus` is another one, `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If the metric is undefined for a group (with the group and the reason), rows are left out because a value is
        missing or outside `group_breaks` (with their number), the probabilities rank the first outcome level higher
        than the second, both `probs` and `preds` are given, there are more than 10 groups without `group_breaks`, or
        `group_breaks` meet a group that is not numeric.

    See Also
    --------
    equal_opportunity_difference, recall_difference, specificity_difference, crosswalk

    Notes
    -----
    Undefined case: NaN in a group without positive outcomes or without negative outcomes, never 0; where the base has
    none, for all groups.
    It is -(`recall_difference` + `specificity_difference`) / 2. Equalised odds hold where both gaps are 0. R's package
    has no such difference.

    References
    ----------
    .. [1] Bellamy, R. K. E. et al. (2019). AI Fairness 360: an extensible toolkit for detecting and mitigating
           algorithmic bias. IBM Journal of Research and Development 63(4/5), 4:1-4:15.
           https://doi.org/10.1147/JRD.2019.2942287
    .. [2] Hardt, M., Price, E. and Srebro, N. (2016). Equality of opportunity in supervised learning. Advances in
           Neural Information Processing Systems 29, 3315-3323. https://arxiv.org/abs/1610.02413

    Examples
    --------
    >>> from fairness_py import load_compas, average_odds_difference
    >>> result = average_odds_difference(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :3].round(4)
                             Caucasian  African_American    Asian
    TPR                         0.4720            0.7526   0.2500
    FPR                         0.2217            0.4155   0.0870
    TPR gap                     0.0000            0.2805  -0.2220
    FPR gap                     0.0000            0.1938  -0.1347
    Average Odds Difference     0.0000            0.2371  -0.1784
    Group size               2103.0000         3175.0000  31.0000
    """
    return compute_parity(
        AOD,
        data,
        outcome,
        group,
        probs=probs,
        preds=preds,
        outcome_base=outcome_base,
        cutoff=cutoff,
        base=base,
        group_breaks=group_breaks,
        positive=positive,
        versus=versus,
        conf_level=conf_level,
    )


def statistical_parity_difference(
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
    positive: Any = None,
    versus: Literal["base", "rest"] = "base",
    conf_level: float | None = None,
) -> ParityResult:
    """Compare the proportions of positive predictions by the difference of AIF360 (SPD).

    Formula: SPD = SR of the group - SR of the base, where SR = (TP + FP) / n is the proportion of positive predictions,
    from -1 to 1.
    A positive value means that the group is selected more often than the base, which is worse for the base where being
    selected is a benefit.

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
    positive : label or list of labels, optional, keyword-only
        The level or levels of `outcome` that count as positive, all others as negative. With it, `outcome` and
        `preds` may have more than two levels. It goes with `preds` only, and replaces `outcome_base`.
    versus : {"base", "rest"}, default "base", keyword-only
        What each group is held against: the base group, or all other groups together. With ``"rest"`` the
        group `base` still comes first, and what is said of the base holds for the rest.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (3, n_groups): the rows ``Proportion``, ``Statistical Parity Difference`` and ``Group
            size``; one column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group, starting at 0.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``Statistical Parity Difference`` (Mee),
            and of p-values of no disparity (chi-square, or Fisher where a count below 5 is expected), raw and adjusted
            by Holm's method over the groups; only with `conf_level`.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, `outcome` is
        continuous or has not exactly two levels (without `positive`), `preds` hold another label, probabilities or
        `cutoff` lie outside [0, 1], `base`, `outcome_base` or `positive` is no level, `positive` meets `probs` or
        `outcome_base`, `versus` is another one, `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If the metric is undefined for a group (with the group and the reason), rows are left out because a value is
        missing or outside `group_breaks` (with their number), the probabilities rank the first outcome level higher
        than the second, both `probs` and `preds` are given, there are more than 10 groups without `group_breaks`, or
        `group_breaks` meet a group that is not numeric.

    See Also
    --------
    difference_in_positive_proportions, disparate_impact, prop_parity, crosswalk

    Notes
    -----
    Undefined case: NaN in a group without rows, never 0; where the base has none, for all groups.
    It is `difference_in_positive_proportions` with the other sign. Rows without an outcome count, for the outcome is
    not needed. R's package has no such difference.

    References
    ----------
    .. [1] Calders, T. and Verwer, S. (2010). Three naive Bayes approaches for discrimination-free classification. Data
           Mining and Knowledge Discovery 21, 277-292. https://doi.org/10.1007/s10618-010-0190-x
    .. [2] Bellamy, R. K. E. et al. (2019). AI Fairness 360: an extensible toolkit for detecting and mitigating
           algorithmic bias. IBM Journal of Research and Development 63(4/5), 4:1-4:15.
           https://doi.org/10.1147/JRD.2019.2942287

    Examples
    --------
    >>> from fairness_py import load_compas, statistical_parity_difference
    >>> result = statistical_parity_difference(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :3].round(4)
                                   Caucasian  African_American    Asian
    Proportion                        0.3195            0.5918   0.1290
    Statistical Parity Difference     0.0000            0.2723  -0.1905
    Group size                     2103.0000         3175.0000  31.0000
    """
    return compute_parity(
        SPD,
        data,
        outcome,
        group,
        probs=probs,
        preds=preds,
        outcome_base=outcome_base,
        cutoff=cutoff,
        base=base,
        group_breaks=group_breaks,
        positive=positive,
        versus=versus,
        conf_level=conf_level,
    )


def disparate_impact(
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
    positive: Any = None,
    versus: Literal["base", "rest"] = "base",
    conf_level: float | None = None,
) -> ParityResult:
    """Compare the proportions of positive predictions by their ratio (DI), with the four-fifths rule.

    Formula: DI = SR of the group / SR of the base, where SR = (TP + FP) / n is the proportion of positive predictions,
    from 0 up.
    A value above 1 means that the group is selected more often than the base, which is worse for the base where being
    selected is a benefit.

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
    positive : label or list of labels, optional, keyword-only
        The level or levels of `outcome` that count as positive, all others as negative. With it, `outcome` and
        `preds` may have more than two levels. It goes with `preds` only, and replaces `outcome_base`.
    versus : {"base", "rest"}, default "base", keyword-only
        What each group is held against: the base group, or all other groups together. With ``"rest"`` the
        group `base` still comes first, and what is said of the base holds for the rest.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (4, n_groups): the rows ``Proportion``, ``Disparate Impact``, ``Four-fifths rule`` and
            ``Group size``; one column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group, starting at 1.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``Disparate Impact`` (Koopman), and of
            p-values of no disparity (chi-square, or Fisher where a count below 5 is expected), raw and adjusted by
            Holm's method over the groups; only with `conf_level`.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, `outcome` is
        continuous or has not exactly two levels (without `positive`), `preds` hold another label, probabilities or
        `cutoff` lie outside [0, 1], `base`, `outcome_base` or `positive` is no level, `positive` meets `probs` or
        `outcome_base`, `versus` is another one, `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If the metric is undefined for a group (with the group and the reason), rows are left out because a value is
        missing or outside `group_breaks` (with their number), the probabilities rank the first outcome level higher
        than the second, both `probs` and `preds` are given, there are more than 10 groups without `group_breaks`, or
        `group_breaks` meet a group that is not numeric.

    See Also
    --------
    statistical_parity_difference, prop_parity, crosswalk

    Notes
    -----
    Undefined case: NaN in a group without rows, and for all groups where nobody in the base is selected (`prop_parity`
    shows x/0 as infinite, as R does), never 0.
    The row ``Four-fifths rule`` is 1 (kept) where 0.8 <= DI <= 1.25, else 0 (broken), and NaN where DI is. It is
    two-sided, unlike the Uniform Guidelines, which compare with the group of the highest rate. The rule is one of
    thumb: it knows no chance, so that a small group often breaks it and a large one seldom, and keeping it shows
    neither that a model is fair nor that it is lawful. Rows without an outcome count, for the outcome is not needed.
    The ratio is that of R's `prop_parity`.

    References
    ----------
    .. [1] Uniform Guidelines on Employee Selection Procedures, 29 CFR 1607.4 D (1978).
           https://www.ecfr.gov/current/title-29/section-1607.4
    .. [2] Feldman, M. et al. (2015). Certifying and removing disparate impact. Proceedings of the 21st ACM SIGKDD
           International Conference on Knowledge Discovery and Data Mining, 259-268.
           https://doi.org/10.1145/2783258.2783311
    .. [3] Amazon Web Services. Disparate Impact (DI). Amazon SageMaker Developer Guide.
           https://docs.aws.amazon.com/sagemaker/latest/dg/clarify-post-training-bias-metric-di.html

    Examples
    --------
    >>> from fairness_py import load_compas, disparate_impact
    >>> result = disparate_impact(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :3].round(4)
                      Caucasian  African_American    Asian
    Proportion           0.3195            0.5918   0.1290
    Disparate Impact     1.0000            1.8521   0.4038
    Four-fifths rule     1.0000            0.0000   0.0000
    Group size        2103.0000         3175.0000  31.0000
    """
    return compute_parity(
        DI,
        data,
        outcome,
        group,
        probs=probs,
        preds=preds,
        outcome_base=outcome_base,
        cutoff=cutoff,
        base=base,
        group_breaks=group_breaks,
        positive=positive,
        versus=versus,
        conf_level=conf_level,
    )


def difference_in_positive_proportions(
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
    positive: Any = None,
    versus: Literal["base", "rest"] = "base",
    conf_level: float | None = None,
) -> ParityResult:
    """Compare the proportions of positive predictions by the difference of SageMaker Clarify (DPPL).

    Formula: DPPL = SR of the base - SR of the group, where SR = (TP + FP) / n is the proportion of positive
    predictions, from -1 to 1.
    A positive value means that the base is selected more often than the group, which is worse for the group where being
    selected is a benefit.

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
    positive : label or list of labels, optional, keyword-only
        The level or levels of `outcome` that count as positive, all others as negative. With it, `outcome` and
        `preds` may have more than two levels. It goes with `preds` only, and replaces `outcome_base`.
    versus : {"base", "rest"}, default "base", keyword-only
        What each group is held against: the base group, or all other groups together. With ``"rest"`` the
        group `base` still comes first, and what is said of the base holds for the rest.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (3, n_groups): the rows ``Proportion``, ``Difference in Positive Proportions`` and
            ``Group size``; one column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group, starting at 0.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``Difference in Positive Proportions``
            (Mee), and of p-values of no disparity (chi-square, or Fisher where a count below 5 is expected), raw and
            adjusted by Holm's method over the groups; only with `conf_level`.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, `outcome` is
        continuous or has not exactly two levels (without `positive`), `preds` hold another label, probabilities or
        `cutoff` lie outside [0, 1], `base`, `outcome_base` or `positive` is no level, `positive` meets `probs` or
        `outcome_base`, `versus` is another one, `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If the metric is undefined for a group (with the group and the reason), rows are left out because a value is
        missing or outside `group_breaks` (with their number), the probabilities rank the first outcome level higher
        than the second, both `probs` and `preds` are given, there are more than 10 groups without `group_breaks`, or
        `group_breaks` meet a group that is not numeric.

    See Also
    --------
    statistical_parity_difference, disparate_impact, prop_parity, crosswalk

    Notes
    -----
    Undefined case: NaN in a group without rows, never 0; where the base has none, for all groups.
    It is `statistical_parity_difference` with the other sign. Rows without an outcome count, for the outcome is not
    needed. R's package has no such difference.

    References
    ----------
    .. [1] Amazon Web Services. Difference in Positive Proportions in Predicted Labels (DPPL). Amazon SageMaker
           Developer Guide. https://docs.aws.amazon.com/sagemaker/latest/dg/clarify-post-training-bias-metric-dppl.html
    .. [2] Das, S. et al. (2021). Fairness measures for machine learning in finance. Journal of Financial Data Science
           3(4), 33-64. https://doi.org/10.3905/jfds.2021.1.075

    Examples
    --------
    >>> from fairness_py import load_compas, difference_in_positive_proportions
    >>> result = difference_in_positive_proportions(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :3].round(4)
                                        Caucasian  African_American    Asian
    Proportion                             0.3195            0.5918   0.1290
    Difference in Positive Proportions     0.0000           -0.2723   0.1905
    Group size                          2103.0000         3175.0000  31.0000
    """
    return compute_parity(
        DPPL,
        data,
        outcome,
        group,
        probs=probs,
        preds=preds,
        outcome_base=outcome_base,
        cutoff=cutoff,
        base=base,
        group_breaks=group_breaks,
        positive=positive,
        versus=versus,
        conf_level=conf_level,
    )


def accuracy_difference(
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
    positive: Any = None,
    versus: Literal["base", "rest"] = "base",
    conf_level: float | None = None,
) -> ParityResult:
    """Compare the accuracies by the difference of SageMaker Clarify (AD).

    Formula: AD = accuracy of the base - accuracy of the group, where accuracy = (TP + TN) / n, from -1 to 1.
    A positive value means that predictions are less often right in the group than in the base, which is worse for the
    group.

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
    positive : label or list of labels, optional, keyword-only
        The level or levels of `outcome` that count as positive, all others as negative. With it, `outcome` and
        `preds` may have more than two levels. It goes with `preds` only, and replaces `outcome_base`.
    versus : {"base", "rest"}, default "base", keyword-only
        What each group is held against: the base group, or all other groups together. With ``"rest"`` the
        group `base` still comes first, and what is said of the base holds for the rest.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (3, n_groups): the rows ``Accuracy``, ``Accuracy Difference`` and ``Group size``; one
            column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group, starting at 0.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``Accuracy Difference`` (Mee), and of
            p-values of no disparity (chi-square, or Fisher where a count below 5 is expected), raw and adjusted by
            Holm's method over the groups; only with `conf_level`.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, `outcome` is
        continuous or has not exactly two levels (without `positive`), `preds` hold another label, probabilities or
        `cutoff` lie outside [0, 1], `base`, `outcome_base` or `positive` is no level, `positive` meets `probs` or
        `outcome_base`, `versus` is another one, `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If the metric is undefined for a group (with the group and the reason), rows are left out because a value is
        missing or outside `group_breaks` (with their number), the probabilities rank the first outcome level higher
        than the second, both `probs` and `preds` are given, there are more than 10 groups without `group_breaks`, or
        `group_breaks` meet a group that is not numeric.

    See Also
    --------
    acc_parity, treatment_equality, crosswalk

    Notes
    -----
    Undefined case: NaN in a group without rows, never 0; where the base has none, for all groups.
    `acc_parity` is the ratio of the same accuracies. Equal accuracies can be made of very different errors. R's package
    has no such difference.

    References
    ----------
    .. [1] Amazon Web Services. Accuracy Difference (AD). Amazon SageMaker Developer Guide.
           https://docs.aws.amazon.com/sagemaker/latest/dg/clarify-post-training-bias-metric-ad.html
    .. [2] Das, S. et al. (2021). Fairness measures for machine learning in finance. Journal of Financial Data Science
           3(4), 33-64. https://doi.org/10.3905/jfds.2021.1.075

    Examples
    --------
    >>> from fairness_py import load_compas, accuracy_difference
    >>> result = accuracy_difference(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :3].round(4)
                         Caucasian  African_American    Asian
    Accuracy                0.6586            0.6724   0.7419
    Accuracy Difference     0.0000           -0.0139  -0.0834
    Group size           2103.0000         3175.0000  31.0000
    """
    return compute_parity(
        AD,
        data,
        outcome,
        group,
        probs=probs,
        preds=preds,
        outcome_base=outcome_base,
        cutoff=cutoff,
        base=base,
        group_breaks=group_breaks,
        positive=positive,
        versus=versus,
        conf_level=conf_level,
    )


def difference_in_acceptance_rates(
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
    positive: Any = None,
    versus: Literal["base", "rest"] = "base",
    conf_level: float | None = None,
) -> ParityResult:
    """Compare the positive predictive values by the difference of SageMaker Clarify (DAR).

    Formula: DAR = PPV of the base - PPV of the group, where PPV = TP / (TP + FP), from -1 to 1.
    A positive value means that positive predictions are less often right in the group than in the base, which Clarify
    calls bias against the group.

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
    positive : label or list of labels, optional, keyword-only
        The level or levels of `outcome` that count as positive, all others as negative. With it, `outcome` and
        `preds` may have more than two levels. It goes with `preds` only, and replaces `outcome_base`.
    versus : {"base", "rest"}, default "base", keyword-only
        What each group is held against: the base group, or all other groups together. With ``"rest"`` the
        group `base` still comes first, and what is said of the base holds for the rest.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (3, n_groups): the rows ``PPV``, ``Difference in Acceptance Rates`` and ``Group size``;
            one column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group, starting at 0.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``Difference in Acceptance Rates``
            (Mee), and of p-values of no disparity (chi-square, or Fisher where a count below 5 is expected), raw and
            adjusted by Holm's method over the groups; only with `conf_level`.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, `outcome` is
        continuous or has not exactly two levels (without `positive`), `preds` hold another label, probabilities or
        `cutoff` lie outside [0, 1], `base`, `outcome_base` or `positive` is no level, `positive` meets `probs` or
        `outcome_base`, `versus` is another one, `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If the metric is undefined for a group (with the group and the reason), rows are left out because a value is
        missing or outside `group_breaks` (with their number), the probabilities rank the first outcome level higher
        than the second, both `probs` and `preds` are given, there are more than 10 groups without `group_breaks`, or
        `group_breaks` meet a group that is not numeric.

    See Also
    --------
    difference_in_rejection_rates, difference_in_conditional_acceptance, pred_rate_parity, crosswalk

    Notes
    -----
    Undefined case: NaN in a group without positive predictions, never 0; where the base has none, for all groups.
    `pred_rate_parity` is the ratio of the same rates. R's package has no such difference.

    References
    ----------
    .. [1] Amazon Web Services. Difference in Acceptance Rates (DAR). Amazon SageMaker Developer Guide.
           https://docs.aws.amazon.com/sagemaker/latest/dg/clarify-post-training-bias-metric-dar.html
    .. [2] Das, S. et al. (2021). Fairness measures for machine learning in finance. Journal of Financial Data Science
           3(4), 33-64. https://doi.org/10.3905/jfds.2021.1.075

    Examples
    --------
    >>> from fairness_py import load_compas, difference_in_acceptance_rates
    >>> result = difference_in_acceptance_rates(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :3].round(4)
                                    Caucasian  African_American    Asian
    PPV                                0.5774            0.6652   0.5000
    Difference in Acceptance Rates     0.0000           -0.0879   0.0774
    Group size                      2103.0000         3175.0000  31.0000
    """
    return compute_parity(
        DAR,
        data,
        outcome,
        group,
        probs=probs,
        preds=preds,
        outcome_base=outcome_base,
        cutoff=cutoff,
        base=base,
        group_breaks=group_breaks,
        positive=positive,
        versus=versus,
        conf_level=conf_level,
    )


def difference_in_rejection_rates(
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
    positive: Any = None,
    versus: Literal["base", "rest"] = "base",
    conf_level: float | None = None,
) -> ParityResult:
    """Compare the negative predictive values by the difference of SageMaker Clarify (DRR).

    Formula: DRR = NPV of the group - NPV of the base, where NPV = TN / (TN + FN), from -1 to 1.
    A positive value means that negative predictions are less often right in the base than in the group, which is worse
    for the base: more of those rejected there should not have been.

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
    positive : label or list of labels, optional, keyword-only
        The level or levels of `outcome` that count as positive, all others as negative. With it, `outcome` and
        `preds` may have more than two levels. It goes with `preds` only, and replaces `outcome_base`.
    versus : {"base", "rest"}, default "base", keyword-only
        What each group is held against: the base group, or all other groups together. With ``"rest"`` the
        group `base` still comes first, and what is said of the base holds for the rest.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (3, n_groups): the rows ``NPV``, ``Difference in Rejection Rates`` and ``Group size``;
            one column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group, starting at 0.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``Difference in Rejection Rates`` (Mee),
            and of p-values of no disparity (chi-square, or Fisher where a count below 5 is expected), raw and adjusted
            by Holm's method over the groups; only with `conf_level`.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, `outcome` is
        continuous or has not exactly two levels (without `positive`), `preds` hold another label, probabilities or
        `cutoff` lie outside [0, 1], `base`, `outcome_base` or `positive` is no level, `positive` meets `probs` or
        `outcome_base`, `versus` is another one, `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If the metric is undefined for a group (with the group and the reason), rows are left out because a value is
        missing or outside `group_breaks` (with their number), the probabilities rank the first outcome level higher
        than the second, both `probs` and `preds` are given, there are more than 10 groups without `group_breaks`, or
        `group_breaks` meet a group that is not numeric.

    See Also
    --------
    difference_in_acceptance_rates, difference_in_conditional_rejection, npv_parity, crosswalk

    Notes
    -----
    Undefined case: NaN in a group without negative predictions, never 0; where the base has none, for all groups.
    Mind the order: group minus base, while `difference_in_acceptance_rates` is base minus group. `npv_parity` is the
    ratio of the same rates. R's package has no such difference.

    References
    ----------
    .. [1] Amazon Web Services. Difference in Rejection Rates (DRR). Amazon SageMaker Developer Guide.
           https://docs.aws.amazon.com/sagemaker/latest/dg/clarify-post-training-bias-metric-drr.html
    .. [2] Das, S. et al. (2021). Fairness measures for machine learning in finance. Journal of Financial Data Science
           3(4), 33-64. https://doi.org/10.3905/jfds.2021.1.075

    Examples
    --------
    >>> from fairness_py import load_compas, difference_in_rejection_rates
    >>> result = difference_in_rejection_rates(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :3].round(4)
                                   Caucasian  African_American    Asian
    NPV                               0.6967            0.6829   0.7778
    Difference in Rejection Rates     0.0000           -0.0138   0.0811
    Group size                     2103.0000         3175.0000  31.0000
    """
    return compute_parity(
        DRR,
        data,
        outcome,
        group,
        probs=probs,
        preds=preds,
        outcome_base=outcome_base,
        cutoff=cutoff,
        base=base,
        group_breaks=group_breaks,
        positive=positive,
        versus=versus,
        conf_level=conf_level,
    )


def difference_in_conditional_acceptance(
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
    positive: Any = None,
    versus: Literal["base", "rest"] = "base",
    conf_level: float | None = None,
) -> ParityResult:
    """Compare observed to predicted positives by the difference of SageMaker Clarify (DCAcc).

    Formula: DCAcc = c of the base - c of the group, where c = (TP + FN) / (TP + FP) is the number of positive outcomes
    a positive prediction, without bounds.
    A positive value means that the base has more positive outcomes for each positive prediction than the group, which
    is worse for the base where a positive prediction is a benefit.

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
    positive : label or list of labels, optional, keyword-only
        The level or levels of `outcome` that count as positive, all others as negative. With it, `outcome` and
        `preds` may have more than two levels. It goes with `preds` only, and replaces `outcome_base`.
    versus : {"base", "rest"}, default "base", keyword-only
        What each group is held against: the base group, or all other groups together. With ``"rest"`` the
        group `base` still comes first, and what is said of the base holds for the rest.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (3, n_groups): the rows ``Observed / predicted positives``, ``Difference in Conditional
            Acceptance`` and ``Group size``; one column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group, starting at 0.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Bonett-Price) and of ``Difference in Conditional
            Acceptance`` (MOVER), and of p-values of no disparity (MOVER), raw and adjusted by Holm's method over the
            groups; only with `conf_level`.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, `outcome` is
        continuous or has not exactly two levels (without `positive`), `preds` hold another label, probabilities or
        `cutoff` lie outside [0, 1], `base`, `outcome_base` or `positive` is no level, `positive` meets `probs` or
        `outcome_base`, `versus` is another one, `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If the metric is undefined for a group (with the group and the reason), rows are left out because a value is
        missing or outside `group_breaks` (with their number), the probabilities rank the first outcome level higher
        than the second, both `probs` and `preds` are given, there are more than 10 groups without `group_breaks`, or
        `group_breaks` meet a group that is not numeric.

    See Also
    --------
    difference_in_conditional_rejection, difference_in_acceptance_rates, crosswalk

    Notes
    -----
    Undefined case: NaN in a group without positive predictions, never 0; where the base has none, for all groups.
    A c of 1 means that as many are predicted positive as are positive, not that they are the same people. R's package
    has no such difference.

    References
    ----------
    .. [1] Amazon Web Services. Difference in Conditional Acceptance (DCAcc). Amazon SageMaker Developer Guide.
           https://docs.aws.amazon.com/sagemaker/latest/dg/clarify-post-training-bias-metric-dcacc.html
    .. [2] Das, S. et al. (2021). Fairness measures for machine learning in finance. Journal of Financial Data Science
           3(4), 33-64. https://doi.org/10.3905/jfds.2021.1.075

    Examples
    --------
    >>> from fairness_py import load_compas, difference_in_conditional_acceptance
    >>> result = difference_in_conditional_acceptance(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :3].round(4)
                                          Caucasian  African_American    Asian
    Observed / predicted positives           1.2232            0.8840   2.0000
    Difference in Conditional Acceptance     0.0000            0.3392  -0.7768
    Group size                            2103.0000         3175.0000  31.0000
    """
    return compute_parity(
        DCACC,
        data,
        outcome,
        group,
        probs=probs,
        preds=preds,
        outcome_base=outcome_base,
        cutoff=cutoff,
        base=base,
        group_breaks=group_breaks,
        positive=positive,
        versus=versus,
        conf_level=conf_level,
    )


def difference_in_conditional_rejection(
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
    positive: Any = None,
    versus: Literal["base", "rest"] = "base",
    conf_level: float | None = None,
) -> ParityResult:
    """Compare observed to predicted negatives by the difference of SageMaker Clarify (DCR).

    Formula: DCR = r of the group - r of the base, where r = (TN + FP) / (TN + FN) is the number of negative outcomes a
    negative prediction, without bounds.
    A positive value means that the base has fewer negative outcomes for each negative prediction than the group, which
    is worse for the base: it is rejected more often than its outcomes say.

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
    positive : label or list of labels, optional, keyword-only
        The level or levels of `outcome` that count as positive, all others as negative. With it, `outcome` and
        `preds` may have more than two levels. It goes with `preds` only, and replaces `outcome_base`.
    versus : {"base", "rest"}, default "base", keyword-only
        What each group is held against: the base group, or all other groups together. With ``"rest"`` the
        group `base` still comes first, and what is said of the base holds for the rest.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (3, n_groups): the rows ``Observed / predicted negatives``, ``Difference in Conditional
            Rejection`` and ``Group size``; one column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group, starting at 0.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Bonett-Price) and of ``Difference in Conditional
            Rejection`` (MOVER), and of p-values of no disparity (MOVER), raw and adjusted by Holm's method over the
            groups; only with `conf_level`.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, `outcome` is
        continuous or has not exactly two levels (without `positive`), `preds` hold another label, probabilities or
        `cutoff` lie outside [0, 1], `base`, `outcome_base` or `positive` is no level, `positive` meets `probs` or
        `outcome_base`, `versus` is another one, `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If the metric is undefined for a group (with the group and the reason), rows are left out because a value is
        missing or outside `group_breaks` (with their number), the probabilities rank the first outcome level higher
        than the second, both `probs` and `preds` are given, there are more than 10 groups without `group_breaks`, or
        `group_breaks` meet a group that is not numeric.

    See Also
    --------
    difference_in_conditional_acceptance, difference_in_rejection_rates, crosswalk

    Notes
    -----
    Undefined case: NaN in a group without negative predictions, never 0; where the base has none, for all groups.
    Mind the order: group minus base, while `difference_in_conditional_acceptance` is base minus group. R's package has
    no such difference.

    References
    ----------
    .. [1] Amazon Web Services. Difference in Conditional Rejection (DCR). Amazon SageMaker Developer Guide.
           https://docs.aws.amazon.com/sagemaker/latest/dg/clarify-post-training-bias-metric-dcr.html
    .. [2] Das, S. et al. (2021). Fairness measures for machine learning in finance. Journal of Financial Data Science
           3(4), 33-64. https://doi.org/10.3905/jfds.2021.1.075

    Examples
    --------
    >>> from fairness_py import load_compas, difference_in_conditional_rejection
    >>> result = difference_in_conditional_rejection(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :3].round(4)
                                         Caucasian  African_American    Asian
    Observed / predicted negatives          0.8952            1.1682   0.8519
    Difference in Conditional Rejection     0.0000            0.2730  -0.0433
    Group size                           2103.0000         3175.0000  31.0000
    """
    return compute_parity(
        DCR,
        data,
        outcome,
        group,
        probs=probs,
        preds=preds,
        outcome_base=outcome_base,
        cutoff=cutoff,
        base=base,
        group_breaks=group_breaks,
        positive=positive,
        versus=versus,
        conf_level=conf_level,
    )


def treatment_equality(
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
    positive: Any = None,
    versus: Literal["base", "rest"] = "base",
    conf_level: float | None = None,
) -> ParityResult:
    """Compare the false negatives to false positives by the difference of SageMaker Clarify (TE).

    Formula: TE = t of the group - t of the base, where t = FN / FP is the number of misses per false alarm, without
    bounds.
    A positive value means that the group has more misses for each false alarm than the base, which is worse for the
    group where a positive prediction is a benefit, and for the base where it is a burden.

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
    positive : label or list of labels, optional, keyword-only
        The level or levels of `outcome` that count as positive, all others as negative. With it, `outcome` and
        `preds` may have more than two levels. It goes with `preds` only, and replaces `outcome_base`.
    versus : {"base", "rest"}, default "base", keyword-only
        What each group is held against: the base group, or all other groups together. With ``"rest"`` the
        group `base` still comes first, and what is said of the base holds for the rest.
    conf_level : float, optional, keyword-only
        Confidence level between 0 and 1, such as 0.95: the result gains the table ``Intervals``, and the bar chart
        error bars. By default none are computed.

    Returns
    -------
    ParityResult
        A dictionary with the entries

        ``Metric``
            DataFrame of shape (3, n_groups): the rows ``FN / FP``, ``Treatment Equality`` and ``Group size``; one
            column a group, the base first, the others in the order of the levels.
        ``Metric_plot``
            Figure with a bar a group, starting at 0.
        ``Probability_plot``
            Figure with the density of the probabilities of each group; only with `probs`.
        ``Intervals``
            DataFrame of lower and upper bounds of the raw rows (Wilson) and of ``Treatment Equality`` (MOVER), and of
            p-values of no disparity (chi-square, or Fisher where a count below 5 is expected), raw and adjusted by
            Holm's method over the groups; only with `conf_level`.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, `outcome` is
        continuous or has not exactly two levels (without `positive`), `preds` hold another label, probabilities or
        `cutoff` lie outside [0, 1], `base`, `outcome_base` or `positive` is no level, `positive` meets `probs` or
        `outcome_base`, `versus` is another one, `group_breaks` are not usable, or `data` has no rows.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If the metric is undefined for a group (with the group and the reason), rows are left out because a value is
        missing or outside `group_breaks` (with their number), the probabilities rank the first outcome level higher
        than the second, both `probs` and `preds` are given, there are more than 10 groups without `group_breaks`, or
        `group_breaks` meet a group that is not numeric.

    See Also
    --------
    accuracy_difference, fnr_parity, fpr_parity, crosswalk

    Notes
    -----
    Undefined case: NaN in a group without false positives, never 0; where the base has none, for all groups.
    Two groups of equal accuracy can have very different errors; this shows in which direction they lie. R's package has
    no such difference.

    References
    ----------
    .. [1] Amazon Web Services. Treatment Equality (TE). Amazon SageMaker Developer Guide.
           https://docs.aws.amazon.com/sagemaker/latest/dg/clarify-post-training-bias-metric-te.html
    .. [2] Berk, R., Heidari, H., Jabbari, S., Kearns, M. and Roth, A. (2021). Fairness in criminal justice risk
           assessments: the state of the art. Sociological Methods & Research 50(1), 3-44.
           https://doi.org/10.1177/0049124118782533

    Examples
    --------
    >>> from fairness_py import load_compas, treatment_equality
    >>> result = treatment_equality(
    ...     load_compas(), outcome="Two_yr_Recidivism", group="ethnicity", probs="probability", base="Caucasian"
    ... )
    >>> result.Metric.iloc[:, :3].round(4)
                        Caucasian  African_American    Asian
    FN / FP                1.5282            0.6534   3.0000
    Treatment Equality     0.0000           -0.8748   1.4718
    Group size          2103.0000         3175.0000  31.0000
    """
    return compute_parity(
        TE,
        data,
        outcome,
        group,
        probs=probs,
        preds=preds,
        outcome_base=outcome_base,
        cutoff=cutoff,
        base=base,
        group_breaks=group_breaks,
        positive=positive,
        versus=versus,
        conf_level=conf_level,
    )
