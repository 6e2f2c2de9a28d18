"""Count once, assess by many metrics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ._columns import ColumnLike
from ._engine import count_rows
from ._scores import OutcomeCounts
from .metrics import ACC


def count_outcomes(
    data: Any,
    outcome: ColumnLike,
    group: ColumnLike,
    probs: ColumnLike | None = None,
    preds: ColumnLike | None = None,
    cutoff: float = 0.5,
    group_breaks: Any = None,
) -> OutcomeCounts:
    """Count the rows by group, outcome and prediction, once for any number of metrics.

    What it returns goes into the metrics in place of `data`, with the same other arguments: they make their tables of
    the counts, and read no row again. For data in files or in an engine that is one pass in all.

    Parameters
    ----------
    data : frame or path
        One row a person, never changed: a pandas, Polars (also lazy), Dask or PySpark DataFrame, a PyArrow Table,
        RecordBatch or Dataset, a DuckDB relation, an Ibis table, or a path, folder or glob of Parquet or CSV files.
        See `How large can it get`.
    outcome : label or array-like of shape (n_rows,)
        The true outcome: the name of a column of `data`, or one value a row. Levels are the categories of a
        categorical in their order, numbers in numeric order, and texts in R's (Unicode) order.
    group : label, array-like of shape (n_rows,), or list of labels
        The sensitive group, likewise. A list of columns makes the observed combinations, named as R's
        ``interaction()`` names them (``"African_American.Female"``).
    probs : label or array-like of shape (n_rows,), optional
        Probabilities between 0 and 1 of the **second** level of `outcome`. A row is predicted positive where
        its probability is strictly above `cutoff`. Either `probs` or `preds` is needed; if both are given,
        `probs` are used.
    preds : label or array-like of shape (n_rows,), optional
        Predicted labels, the same as those of `outcome`.
    cutoff : float, default 0.5
        Between 0 and 1.
    group_breaks : int or array-like of float, optional
        Cuts a numeric group into intervals as R's ``cut()`` does: closed on the right, the lowest break outside.
        A single number is the count of equal-width intervals, at least 2.

    Returns
    -------
    OutcomeCounts
        The counts, for all metrics that take these arguments. What says how they are compared (`base`, `outcome_base`,
        `positive`, `versus`, `conf_level`, `direction`, `bins`) is free in each call; what the rows were counted by is
        not.

    Raises
    ------
    ValueError
        If neither `probs` nor `preds` is given, a column is missing or ambiguous, lengths differ, probabilities or
        `cutoff` lie outside [0, 1], `group_breaks` are not usable, or `data` has no rows. A metric refuses counts that
        were made by other arguments than its own.
    TypeError
        If `data` is none of these kinds, `probs` are no numbers, or a vector is given beside files or an engine's data.
    OSError, RuntimeError, ImportError
        If a file cannot be read, an engine fails, or a library that `data` needs is not installed.

    Warns
    -----
    UserWarning
        If both `probs` and `preds` are given, or `group_breaks` meet a group that is not numeric. The metrics warn of
        all else.

    See Also
    --------
    acc_parity, equal_odds, roc_parity, average_odds_difference, calibration_within_groups

    Notes
    -----
    Made of `probs`, the counts keep hold of the data: `roc_parity`, `calibration_within_groups` and the density plots
    need the scores, and read them when they are asked for. Do not change the data in between.
    R's package has no such function.

    Examples
    --------
    >>> from fairness_py import count_outcomes, fnr_parity, fpr_parity, load_compas
    >>> asked = {"outcome": "Two_yr_Recidivism", "group": "ethnicity", "probs": "probability"}
    >>> counts = count_outcomes(load_compas(), **asked)
    >>> counts
    <OutcomeCounts of 6172 rows in 6 groups>
    >>> fnr_parity(counts, **asked, base="Caucasian").Metric.iloc[:, :3].round(4)
                Caucasian  African_American    Asian
    FNR             0.528            0.2474   0.7500
    FNR Parity      1.000            0.4687   1.4205
    Group size   2103.000         3175.0000  31.0000
    >>> fpr_parity(counts, **asked, base="Caucasian").Metric.iloc[:, :3].round(4)
                Caucasian  African_American    Asian
    FPR            0.2217            0.4155   0.0870
    FPR Parity     1.0000            1.8739   0.3922
    Group size  2103.0000         3175.0000  31.0000
    """
    metric = replace(ACC, name="count_outcomes")  # for messages
    return count_rows(metric, data, outcome, group, probs=probs, preds=preds, cutoff=cutoff, group_breaks=group_breaks)
