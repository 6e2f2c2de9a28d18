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

    The metrics take what it returns in place of `data`, with the same other arguments.

    Parameters
    ----------
    data : DataFrame, or anything else that the metrics take
        One row a person. It is never changed.
    outcome : label or array-like of shape (n_rows,)
        The true outcome, as in the metrics.
    group : label, array-like of shape (n_rows,), or list of labels
        The sensitive group, as in the metrics.
    probs : label or array-like of shape (n_rows,), optional
        Probabilities between 0 and 1 of the second level of `outcome`. Either `probs` or `preds` is needed.
    preds : label or array-like of shape (n_rows,), optional
        Predicted labels, the same as those of `outcome`.
    cutoff : float, default 0.5
        Between 0 and 1.
    group_breaks : int or array-like of float, optional
        Cuts a numeric group into intervals, as in the metrics.

    Returns
    -------
    OutcomeCounts
        The counts. With `probs` it keeps hold of the data for the density plots and for `roc_parity`.

    Raises
    ------
    ValueError
        If an argument is not usable, as in the metrics.
    TypeError
        If `data` is no frame, or `probs` are no numbers.

    See Also
    --------
    acc_parity, dem_parity, equal_odds, fnr_parity, fpr_parity, mcc_parity, npv_parity, pred_rate_parity, prop_parity,
    roc_parity, spec_parity

    Examples
    --------
    >>> from fairness_py import count_outcomes, fnr_parity, fpr_parity, load_compas
    >>> asked = {"outcome": "Two_yr_Recidivism", "group": "ethnicity", "probs": "probability"}
    >>> counts = count_outcomes(load_compas(), **asked)
    >>> fnr_parity(counts, **asked, base="Caucasian").Metric.iloc[:, :3].round(4)
                Caucasian  African_American    Asian
    FNR             0.528            0.2474   0.7500
    FNR Parity      1.000            0.4687   1.4205
    Group size   2103.000         3175.0000  31.0000
    """
    metric = replace(ACC, name="count_outcomes")  # for messages
    return count_rows(metric, data, outcome, group, probs=probs, preds=preds, cutoff=cutoff, group_breaks=group_breaks)
