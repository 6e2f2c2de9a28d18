"""Bounds of rates, of their ratios and differences, and of what is made of the four counts."""

from __future__ import annotations

import numpy as np

from ._mover import Interval, Limits, mover_difference, two_sided
from ._roots import Vector, find_root


@np.errstate(all="ignore")
def wilson(hits: Vector, trials: Vector, deviate: float | Vector) -> Limits:
    """Return rates with Wilson's score intervals; NaN without trials.

    References
    ----------
    .. [1] Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the
           American Statistical Association 22(158), 209-212. https://doi.org/10.1080/01621459.1927.10502953
    """
    square = np.square(deviate)
    rate = hits / trials
    middle = (hits + square / 2) / (trials + square)
    half = deviate * np.sqrt(hits * (1 - rate) + square / 4) / (trials + square)
    lower = np.where(hits == 0, 0.0, np.maximum(middle - half, 0.0))
    upper = np.where(hits == trials, 1.0, np.minimum(middle + half, 1.0))
    return Limits(rate, np.where(trials > 0, lower, np.nan), np.where(trials > 0, upper, np.nan))


@np.errstate(all="ignore")
def effective_wilson(share: Vector, variance: Vector, trials: Vector, deviate: float | Vector) -> Limits:
    """Return shares with Wilson's intervals for as many trials as their variance says that they are worth.

    Where few events were seen, or few would-be events were missed, the variance is hardly known. So the design effect,
    its ratio to that of `trials` independent trials, is drawn towards 1, as if half an event more had shown none.
    """
    binomial = share * (1 - share) / trials
    effect = np.where((binomial > 0) & np.isfinite(variance), variance / binomial, 1.0)
    events = trials * np.minimum(share, 1 - share)
    effect = (effect * events + 0.5) / (events + 0.5)
    worth = trials / effect
    return wilson(share * worth, worth, deviate)


def koopman(hits: Vector, trials: Vector, base_hits: Vector, base_trials: Vector, deviate: float) -> Interval:
    """Return Koopman's score intervals of ratios of independent rates.

    They agree with the chi-square test without continuity correction. Where both rates are 0, so that the ratio is
    0/0, nothing is known: 0 to infinity. NaN where a rate has no trials.

    statsmodels has the same as ``confint_proportions_2indep(compare="ratio", method="score", correction=False)``, for
    one ratio at a time (0.9 s for 10,000), and wrong where both rates are 1.

    References
    ----------
    .. [1] Koopman, P. A. R. (1984). Confidence intervals for the ratio of two binomial proportions. Biometrics 40(2),
           513-517. https://doi.org/10.2307/2531405
    """
    hits, trials, base_hits, base_trials = np.broadcast_arrays(hits, trials, base_hits, base_trials)
    # The lower bound is 1 by the upper one of the inverse ratio, so one search finds both.
    x, n = np.stack([hits, base_hits]), np.stack([trials, base_trials])
    upper = _koopman_upper(x, n, x[::-1], n[::-1], deviate)
    with np.errstate(divide="ignore"):
        return Interval(1 / upper[1], upper[0])


@np.errstate(all="ignore")
def _koopman_upper(x: Vector, n: Vector, base_x: Vector, base_n: Vector, deviate: float) -> Vector:
    # A ratio that is not rejected has rates neither of which is rejected, so Wilson's bounds hold it in.
    highest = wilson(x, n, deviate).upper / wilson(base_x, base_n, deviate).lower
    estimate = (x / n) / (base_x / base_n)
    lowest = np.where(x > 0, estimate, highest * 1e-6)
    bounded = (base_x > 0) & (n > 0)
    start, end = (np.log(np.where(bounded, ratio, 1.0)) for ratio in (lowest, highest * (1 + 1e-9)))

    def above(log_ratio: Vector) -> Vector:
        return ratio_score(np.exp(log_ratio), x, n, base_x, base_n) + deviate

    bound = np.exp(find_root(above, start, end))
    both_full = (x == n) & (base_x == base_n)  # the statistic is -sqrt(base_n (ratio - 1)), but for what cancels in it
    bound = np.where(both_full, 1 + deviate * deviate / base_n, bound)
    return np.where(bounded, bound, np.where((n > 0) & (base_n > 0), np.inf, np.nan))


def ratio_score(ratio: Vector, x: Vector, n: Vector, base_x: Vector, base_n: Vector) -> Vector:
    """Return the score statistic of a ratio of rates: a normal deviate, positive where the ratio is too low."""
    total = x + base_x
    half = n * ratio + x + base_n + base_x * ratio
    root = np.sqrt(np.maximum(half * half - 4 * (n + base_n) * ratio * total, 0))
    base_rate = np.minimum(2 * total / (half + root), 1)  # most likely, if the ratio were true
    rate = np.minimum(base_rate * ratio, 1)
    variance = rate * (1 - rate) / n + ratio * ratio * base_rate * (1 - base_rate) / base_n
    distance = x / n - ratio * base_x / base_n
    return np.where(distance == 0, 0.0, distance / np.sqrt(variance))


@np.errstate(all="ignore")
def newcombe(hits: Vector, trials: Vector, base_hits: Vector, base_trials: Vector, deviate: float) -> Interval:
    """Return Newcombe's hybrid score intervals of differences of independent rates.

    References
    ----------
    .. [1] Newcombe, R. G. (1998). Interval estimation for the difference between independent proportions: comparison of
           eleven methods. Statistics in Medicine 17(8), 873-890.
           https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I
    """
    return mover_difference(wilson(hits, trials, deviate), wilson(base_hits, base_trials, deviate))


# ------------------------------------------------------------------ linear combinations of rates


@np.errstate(all="ignore")
def linear_score(hits: list[Vector], trials: list[Vector], weights: list[float], deviate: float) -> Interval:
    """Return score intervals of linear combinations of independent rates.

    The bounds are the values that the score test does not reject. Of one rate this is Wilson's interval, of
    the difference of two it is Mee's; of more, that of Martín Andrés and others.

    Notes
    -----
    The most likely rates under a bound solve x - n p = a w p (1 - p), with one multiplier a for all rates of weight w.
    So the search is for the multiplier, and the statistic is a times the standard error at those rates.

    References
    ----------
    .. [1] Mee, R. W. (1984). Confidence bounds for the difference between two probabilities. Biometrics 40(4),
           1175-1176.
    .. [2] Miettinen, O. and Nurminen, M. (1985). Comparative analysis of two rates. Statistics in Medicine 4(2),
           213-226. https://doi.org/10.1002/sim.4780040211
    .. [3] Martín Andrés, A., Álvarez Hernández, M. and Herranz Tejedor, I. (2011). Inferences about a linear
           combination of proportions. Statistical Methods in Medical Research 20(4), 369-387.
           https://doi.org/10.1177/0962280209347953
    """
    x, n, w = _stack(hits, trials, weights)
    lower, upper = (w[:, None] * _score_rates(x, n, w, deviate)).sum(axis=0)
    return Interval(lower, upper)


@np.errstate(all="ignore")
def _score_rates(x: Vector, n: Vector, w: Vector, deviate: float | Vector) -> Vector:
    """Return the most likely rates if their combination were at its bounds: by rate, bound (lower, upper) and group."""
    x, n = (np.stack([part, part], axis=1) for part in (x, n))
    w = np.stack([w, -w], axis=1)  # the upper bound is minus the lower one of the combination turned round

    def excess(log_multiplier: Vector) -> Vector:
        multiplier = np.exp(log_multiplier)
        statistic = multiplier * _linear_error(_restricted_rates(multiplier, x, n, w), n, w)
        return np.log(statistic / deviate)

    # The standard error is at most that at rates of one half. The statistic grows at least as the multiplier's root.
    start = np.log(deviate / np.sqrt((w * w / (4 * n)).sum(axis=0)))
    beyond = np.log(2 * np.where(w == 0, 0, n / np.abs(w)).max(axis=0))  # here rates of 0 that can only grow do so
    start = np.where(np.isfinite(excess(start)), start, np.maximum(start, beyond))
    end = start - 2 * excess(start)
    never = ~np.isfinite(end)  # all rates are at the bound that is looked for
    start, end = (np.where(never, 0.0, bound) for bound in (start, end))
    multiplier = np.exp(find_root(lambda at: np.where(never, 0.0, np.maximum(excess(at), -30)), start, end))
    return np.where(never, x / n, _restricted_rates(multiplier, x, n, w))


@np.errstate(all="ignore")
def linear_score_test(
    hits: list[Vector], trials: list[Vector], weights: list[float] | list[Vector], null: float | Vector = 0.0
) -> Vector:
    """Return p-values of the score test that linear combinations of independent rates are `null`.

    It agrees with the intervals of `linear_score`.
    """
    x, n, w = _stack(hits, trials, weights)
    estimate = (w * x / n).sum(axis=0) - null
    w, null = np.where(estimate < 0, -w, w), np.where(estimate < 0, -1, 1) * null
    settled = np.isnan(estimate) | (estimate == 0)

    def combination(log_multiplier: Vector) -> Vector:
        value = (w * _restricted_rates(np.exp(log_multiplier), x, n, w)).sum(axis=0) - null
        return np.where(settled, 0.0, value)

    # The multiplier is the estimate by its variance, which is at most that at rates of one half. No multiplier beyond
    # `end` is needed: there, rates that the test pulls down or up are within n by multiplier of 0 or 1.
    start = np.log(np.abs(estimate) / (w * w / (4 * n)).sum(axis=0)) - 1e-9
    end = np.log(2 * n.sum(axis=0) / (null - np.minimum(w, 0).sum(axis=0)))
    start, end = (np.where(np.isfinite(bound), bound, 0.0) for bound in (start, np.maximum(start, end)))
    multiplier = np.exp(find_root(combination, start, end))
    statistic = multiplier * _linear_error(_restricted_rates(multiplier, x, n, w), n, w)
    return np.where(settled, np.where(estimate == 0, 1.0, np.nan), two_sided(statistic))


def _stack(
    hits: list[Vector], trials: list[Vector], weights: list[float] | list[Vector]
) -> tuple[Vector, Vector, Vector]:
    parts = np.stack(np.broadcast_arrays(*hits, *trials, *weights)).astype(np.float64)
    return parts[: len(hits)], parts[len(hits) : -len(weights)], parts[-len(weights) :]


def _restricted_rates(multiplier: Vector, x: Vector, n: Vector, w: Vector) -> Vector:
    """Return the root between 0 and 1 of x - n p = multiplier w p (1 - p), in the form that does not cancel."""
    pull = multiplier * w
    half = n + pull
    root = np.sqrt(np.maximum((n - pull) ** 2 + 4 * pull * (n - x), 0))
    rates = np.where(half >= 0, 2 * x / (half + root), (half - root) / (2 * pull))
    return np.where((half >= 0) & (x == 0), 0.0, np.clip(rates, 0, 1))


def _linear_error(rates: Vector, n: Vector, w: Vector) -> Vector:
    error: Vector = np.sqrt((w * w * rates * (1 - rates) / n).sum(axis=0))
    return error


# ------------------------------------------------------------------ functions of the whole table


@np.errstate(all="ignore")
def bonett_price(both: Vector, first: Vector, second: Vector, deviate: float | Vector) -> Limits:
    """Return ratios of two overlapping counts, with Bonett's and Price's hybrid Wilson intervals.

    `both` rows are in both counts, `first` and `second` in one of them only; rows in neither tell nothing of the ratio.

    References
    ----------
    .. [1] Bonett, D. G. and Price, R. M. (2006). Confidence intervals for a ratio of binomial proportions based on
           paired data. Statistics in Medicine 25(17), 3039-3047. https://doi.org/10.1002/sim.2440
    .. [2] Fagerland, M. W., Lydersen, S. and Laake, P. (2014). Recommended tests and confidence intervals for paired
           binomial proportions. Statistics in Medicine 33(16), 2850-2875. https://doi.org/10.1002/sim.6148
    """
    n = both + first + second
    one, other = both + first, both + second
    error = np.sqrt((first + second + 2) / ((one + 1) * (other + 1)))
    errors = np.sqrt((1 - (one + 1) / (n + 2)) / (one + 1)) + np.sqrt((1 - (other + 1) / (n + 2)) / (other + 1))
    deviate = deviate * error / errors
    _, lower, upper = wilson(one, n, deviate)
    _, base_lower, base_upper = wilson(other, n, deviate)
    centre = np.where(other > 0, one / other, (one + 0.5) / 0.5)
    return Limits(np.where(n > 0, centre, np.nan), lower / base_upper, upper / base_lower)


@np.errstate(all="ignore")
def mcc_limits(tp: Vector, fp: Vector, tn: Vector, fn: Vector, deviate: float | Vector) -> Limits:
    """Return Matthews correlation coefficients with score intervals.

    The coefficient is a function of three independent rates: sensitivity, specificity and prevalence. Its slopes at the
    observed rates are the weights of a linear combination; the bounds are the coefficients of the rates at which
    that combination's score test begins to reject. Where the coefficient is 0 because one of its margins is
    empty, nothing is known: -1 to 1.

    Fisher's z with the delta method's variance covers only 48 % where two positives are predicted among 100 rows, and
    85 % where 30 rows have a coefficient of 0.95; MOVER with Wilson's intervals of the three rates 90 % where
    two classes of 30 have one of 0.96.

    References
    ----------
    .. [1] Martín Andrés, A., Álvarez Hernández, M. and Herranz Tejedor, I. (2011). Inferences about a linear
           combination of proportions. Statistical Methods in Medical Research 20(4), 369-387.
           https://doi.org/10.1177/0962280209347953
    .. [2] Itaya, Y., Tamura, J., Hayashi, K. and Yamamoto, K. (2025). Asymptotic properties of Matthews correlation
           coefficient. Statistics in Medicine 44(1-2), e10303. https://doi.org/10.1002/sim.10303
    """
    x, n, slopes, centre = _mcc_parts(tp, fp, tn, fn)
    lower, upper = _mcc(_score_rates(x, n, slopes, deviate))
    empty, unknown = np.isnan(slopes[0]), np.where(n[2] > 0, 1.0, np.nan)
    lower, upper = np.minimum(lower, centre), np.maximum(upper, centre)
    return Limits(*(np.where(empty, end * unknown, part) for end, part in ((0, centre), (-1, lower), (1, upper))))


@np.errstate(all="ignore")
def mcc_test(own: tuple[Vector, ...], base: tuple[Vector, ...]) -> Vector:
    """Return p-values of equal Matthews correlation coefficients: the score test of their linear parts.

    `own` and `base` are tp, fp, tn and fn. Where a coefficient is 0 because a margin is empty, nothing is known: 1.
    """
    x, n, slopes, centre = _mcc_parts(*own)
    base_x, base_n, base_slopes, base_centre = _mcc_parts(*base)
    linear, base_linear = (slopes * x / n).sum(axis=0), (base_slopes * base_x / base_n).sum(axis=0)
    null = linear - base_linear - (centre - base_centre)
    p_value = linear_score_test([*x, *base_x], [*n, *base_n], [*slopes, *-base_slopes], null)
    some = (n[2] > 0) & (base_n[2] > 0)
    return np.where(some & np.isnan(p_value), 1.0, p_value)


def _mcc_parts(tp: Vector, fp: Vector, tn: Vector, fn: Vector) -> tuple[Vector, Vector, Vector, Vector]:
    """Return hits and trials of the three rates, the coefficient's slopes in them, and the coefficient."""
    x, n = np.stack([tp, tn, tp + fn]), np.stack([tp + fn, tn + fp, tp + fp + tn + fn])
    rates = x / n
    sensitivity, specificity, prevalence = rates
    selected = prevalence * sensitivity + (1 - prevalence) * (1 - specificity)
    informedness = sensitivity + specificity - 1
    scale = np.sqrt(prevalence * (1 - prevalence) / (selected * (1 - selected)))
    bend = informedness * (1 - 2 * selected) / (2 * selected * (1 - selected))
    by_prevalence = informedness * ((1 - 2 * prevalence) / (2 * prevalence * (1 - prevalence)) - bend)
    slopes = scale * np.stack([1 - bend * prevalence, 1 + bend * (1 - prevalence), by_prevalence])
    return x, n, slopes, _mcc(rates)


def _mcc(rates: Vector) -> Vector:
    """Return the coefficient of sensitivity, specificity and prevalence."""
    sensitivity, specificity, prevalence = rates
    selected = prevalence * sensitivity + (1 - prevalence) * (1 - specificity)
    spread = prevalence * (1 - prevalence) / (selected * (1 - selected))
    coefficient = (sensitivity + specificity - 1) * np.sqrt(spread)
    return np.where((selected <= 0) | (selected >= 1), 0.0, coefficient)
