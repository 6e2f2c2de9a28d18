"""Tests of equal rates, and what becomes of p-values where there are several."""

from __future__ import annotations

import numpy as np

from ._mover import two_sided
from ._roots import Vector

FEW = 5  # expected counts below which the chi-square test gives way to Fisher's
MOST_CELLS = 1 << 21  # of a table of probabilities that Fisher's test holds at once


def rate_test(hits: Vector, trials: Vector, base_hits: Vector, base_trials: Vector) -> Vector:
    """Return p-values of equal rates: chi-square without continuity correction, or Fisher's where counts are few.

    Few means that less than 5 hits or misses would be expected in one of the two groups if the rates were equal.
    """
    x, n, base_x, base_n = np.broadcast_arrays(hits, trials, base_hits, base_trials)
    with np.errstate(all="ignore"):
        pooled = (x + base_x) / (n + base_n)
        expected = np.minimum(n, base_n) * np.minimum(pooled, 1 - pooled)
    few = (expected < FEW) & (n > 0) & (base_n > 0)
    p_value = chi_square_test(x, n, base_x, base_n)
    if few.any():
        p_value[few] = fisher_test(x[few], n[few], base_x[few], base_n[few])
    return p_value


@np.errstate(all="ignore")
def chi_square_test(hits: Vector, trials: Vector, base_hits: Vector, base_trials: Vector) -> Vector:
    """Return p-values of Pearson's chi-square test without continuity correction; R's ``prop.test(correct=FALSE)``.

    References
    ----------
    .. [1] Pearson, K. (1900). On the criterion that a given system of deviations from the probable in the case of a
           correlated system of variables is such that it can be reasonably supposed to have arisen from random
           sampling. Philosophical Magazine 50(302), 157-175. https://doi.org/10.1080/14786440009463897
    """
    pooled = (hits + base_hits) / (trials + base_trials)
    error = np.sqrt(pooled * (1 - pooled) * (1 / trials + 1 / base_trials))
    return two_sided((hits / trials - base_hits / base_trials) / error)


def fisher_test(hits: Vector, trials: Vector, base_hits: Vector, base_trials: Vector) -> Vector:
    """Return p-values of Fisher's exact test, as R's ``fisher.test``: tables no more likely than the observed one.

    ``scipy.stats.fisher_exact`` takes one table at a time.

    References
    ----------
    .. [1] Fisher, R. A. (1922). On the interpretation of chi-square from contingency tables, and the calculation of P.
           Journal of the Royal Statistical Society 85(1), 87-94. https://doi.org/10.2307/2340521
    """
    x, n, base_x, base_n = (np.atleast_1d(part) for part in np.broadcast_arrays(hits, trials, base_hits, base_trials))
    lowest = np.maximum(0, x + base_x - base_n)
    span = np.minimum(x + base_x, n) - lowest + 1
    p_value = np.empty(x.shape)
    order = np.argsort(span)  # tables of like size together, so that no place is wasted
    while len(order):
        most = max(1, int(MOST_CELLS // span[order[-1]]))
        part, order = order[-most:], order[:-most]
        p_value[part] = _fisher(x[part], n[part], (x + base_x)[part], base_n[part], lowest[part], span[part])
    return p_value


@np.errstate(all="ignore")
def _fisher(x: Vector, n: Vector, total: Vector, base_n: Vector, lowest: Vector, span: Vector) -> Vector:
    """Return p-values from the hypergeometric probabilities, made from one another by their ratios."""
    step = np.arange(int(span.max()))
    at = lowest[:, None] + step  # hits in the group
    n, total, base_n = n[:, None], total[:, None], base_n[:, None]
    growth = np.log((n - at) * (total - at)) - np.log((at + 1) * (base_n - total + at + 1))  # from each to the next
    beyond = step >= span[:, None]
    log_weight = np.cumsum(np.concatenate([np.zeros((len(x), 1)), growth[:, :-1]], axis=1), axis=1)
    log_weight = np.where(beyond, -np.inf, log_weight)
    weight = np.exp(log_weight - log_weight.max(axis=1, keepdims=True))
    observed = np.take_along_axis(weight, (x - lowest)[:, None].astype(np.intp), axis=1)
    as_rare = weight <= observed * (1 + 1e-7)  # R's allowance for rounding
    p_value: Vector = np.minimum((weight * as_rare).sum(axis=1) / weight.sum(axis=1), 1)
    return p_value


def adjust_holm(p_value: Vector) -> Vector:
    """Return Holm's adjusted p-values; NaNs are no tests, and stay.

    References
    ----------
    .. [1] Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics
           6(2), 65-70. https://www.jstor.org/stable/4615733
    """
    order = np.argsort(p_value, kind="stable")[: np.count_nonzero(~np.isnan(p_value))]
    adjusted = np.full_like(p_value, np.nan)
    adjusted[order] = np.minimum(np.maximum.accumulate(p_value[order] * np.arange(len(order), 0, -1)), 1)
    return adjusted
