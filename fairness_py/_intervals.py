"""How sure each metric is: intervals and tests on the counts of all groups at once.

A metric names its method in one line, such as ``rate_ratio("fn", "tp fn")``; `assess` carries it out. Everything here
sees counts, one value a group, and never a row of data, so its cost does not grow with the data.

The methods were chosen by ``benchmarks/coverage_study.py``, which shows for each of them how often it holds the truth.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ._roots import Vector, find_root

FEW = 5  # expected counts below which the chi-square test gives way to Fisher's
MOST_CELLS = 1 << 21  # of a table of probabilities that Fisher's test holds at once
FARTHEST = 37.5  # normal deviates beyond this have no p-value that a float can hold


class Interval(NamedTuple):
    """Lower and upper bounds, one a group."""

    lower: Vector
    upper: Vector


class Limits(NamedTuple):
    """A finite estimate of a quantity, and its bounds, one a group: what MOVER needs to know of it."""

    centre: Vector
    lower: Vector
    upper: Vector


#: The counts of the groups: any object whose attributes are one value a group.
Groups: TypeAlias = Any
#: Takes counts and the normal deviate of the confidence level; returns an estimate with its bounds.
Estimator: TypeAlias = Callable[[Groups, "float | Vector"], Limits]


@dataclass(frozen=True)
class IntervalMethod:
    """How the uncertainty of one metric is assessed.

    Attributes
    ----------
    rates : tuple of callable
        Bounds of each raw row of the metric's table, in their order.
    compare : callable
        Takes counts of the groups, those of the base, and the normal deviate; returns bounds of the parity or
        difference.
    p_value : callable
        Takes both counts; returns the p-value of no disparity.
    names : tuple of str
        What the methods of the rate, of the comparison and of the test are called.
    """

    rates: tuple[Estimator, ...]
    compare: Callable[[Groups, Groups, float], Interval]
    p_value: Callable[[Groups, Groups], Vector]
    names: tuple[str, str, str]


class Uncertainty(NamedTuple):
    """What is known of how sure the numbers of a table are; one value a group."""

    rates: list[Interval]
    value: Interval
    p_value: Vector
    p_adjusted: Vector


def assess(
    method: IntervalMethod,
    groups: Groups,
    base: Groups,
    conf_level: float,
    is_base: npt.NDArray[np.bool_] | None = None,
) -> Uncertainty:
    """Return intervals of the raw rates and of the comparison with the base, and its test.

    Parameters
    ----------
    method : IntervalMethod
        The metric's method.
    groups, base : Counts
        The counts of all groups, and of what each is compared with: one value, or one a group.
    conf_level : float
        The confidence level, between 0 and 1.
    is_base : ndarray of bool, optional
        Which groups are the base itself. Their comparison has no uncertainty: it is NaN, and no test is counted.
    """
    deviate = normal_deviate(conf_level)
    rates = [Interval(*rate(groups, deviate)[1:]) for rate in method.rates]
    lower, upper = method.compare(groups, base, deviate)
    p_value = method.p_value(groups, base)
    if is_base is not None:
        lower, upper, p_value = (np.where(is_base, np.nan, bound) for bound in (lower, upper, p_value))
    return Uncertainty(rates, Interval(lower, upper), p_value, adjust_holm(p_value))


def check_conf_level(conf_level: object) -> float:
    """Return a usable confidence level, or say what is wanted."""
    usable = isinstance(conf_level, (numbers.Real, np.number)) and not isinstance(conf_level, (bool, np.bool_))
    if not usable or not 0 < float(conf_level) < 1:  # type: ignore[arg-type]
        hint = ""
        if usable and 1 < float(conf_level) < 100:  # type: ignore[arg-type]
            hint = f" For {conf_level} percent, pass {float(conf_level) / 100:g}."  # type: ignore[arg-type]
        raise ValueError(f"conf_level must be a number between 0 and 1, such as 0.95, or None; got {conf_level!r}.{hint}")
    return float(conf_level)  # type: ignore[arg-type]


def normal_deviate(conf_level: float) -> float:
    """Return the normal deviate that cuts off half of what the confidence level leaves: 1.96 for 0.95."""
    from scipy.special import ndtri

    return float(-ndtri((1 - conf_level) / 2))


def two_sided(deviate: Vector) -> Vector:
    """Return the two-sided p-value of a normal deviate."""
    from scipy.special import ndtr

    return np.asarray(2 * ndtr(-np.abs(deviate)), dtype=np.float64)


# ------------------------------------------------------------------ one line a metric


def rate_ratio(hits: str, trials: str) -> IntervalMethod:
    """Return the method of a parity of rates: Wilson's, Koopman's, and the score or Fisher's test.

    Parameters
    ----------
    hits, trials : str
        The counts that are added up for the rate's numerator and denominator: ``"fn"`` of ``"tp fn"``.
    """

    def compare(groups: Groups, base: Groups, deviate: float) -> Interval:
        return koopman(_sum(groups, hits), _sum(groups, trials), _sum(base, hits), _sum(base, trials), deviate)

    return IntervalMethod((_rate(hits, trials),), compare, _rate_test(hits, trials), ("Wilson", "Koopman", RATE_TEST))


def rate_difference(hits: str, trials: str, *, sign: int = 1) -> IntervalMethod:
    """Return the method of a difference of rates, group minus base (`sign` 1) or base minus group (-1).

    The interval is Mee's score interval, the one that agrees with the chi-square test. Newcombe's interval covers
    90.2 % where two groups of 30 have rates of 0.02 and 0.98; Mee's 94.2 %, and nowhere below 93.3 %.
    """

    def compare(groups: Groups, base: Groups, deviate: float) -> Interval:
        hit = [_sum(groups, hits), _sum(base, hits)]
        trial = [_sum(groups, trials), _sum(base, trials)]
        return linear_score(hit, trial, [sign, -sign], deviate)

    return IntervalMethod((_rate(hits, trials),), compare, _rate_test(hits, trials), ("Wilson", "Mee", RATE_TEST))


def mean_rate_difference(*rates: tuple[str, str]) -> IntervalMethod:
    """Return the method of a mean of differences of independent rates, group minus base: average odds.

    The interval inverts the score test of the linear combination. MOVER with Wilson's intervals covers 89.8 % where
    30 rows a rate meet rates of 0.02 and 0.98.
    """

    def combine(groups: Groups, base: Groups) -> tuple[list[Vector], list[Vector], list[float]]:
        both = [(counts, sign) for counts, sign in ((groups, 1), (base, -1))]
        hits = [_sum(counts, hit) for counts, _ in both for hit, _ in rates]
        trials = [_sum(counts, trial) for counts, _ in both for _, trial in rates]
        return hits, trials, [sign / len(rates) for _, sign in both for _ in rates]

    def compare(groups: Groups, base: Groups, deviate: float) -> Interval:
        return linear_score(*combine(groups, base), deviate)

    def p_value(groups: Groups, base: Groups) -> Vector:
        return linear_score_test(*combine(groups, base))

    names = ("Wilson", "score of a linear combination", "score of a linear combination")
    return IntervalMethod(tuple(_rate(*rate) for rate in rates), compare, p_value, names)


def count_ratio(hits: str, trials: str) -> IntervalMethod:
    """Return the method of a parity of counts, in groups whose sizes are taken as given.

    A count is its group's size times a rate, so the bounds are those of the rate, and of the ratio of rates, times
    the sizes. No disparity means equal counts: rates in the inverse ratio of the sizes, tested by Koopman's score.
    """

    def count(groups: Groups, deviate: float | Vector) -> Limits:
        size = _sum(groups, trials)
        return Limits(*(size * part for part in wilson(_sum(groups, hits), size, deviate)))

    def compare(groups: Groups, base: Groups, deviate: float) -> Interval:
        size, base_size = _sum(groups, trials), _sum(base, trials)
        ratio = koopman(_sum(groups, hits), size, _sum(base, hits), base_size, deviate)
        with np.errstate(invalid="ignore"):
            return Interval(*(size / base_size * bound for bound in ratio))

    def p_value(groups: Groups, base: Groups) -> Vector:
        size, base_size = _sum(groups, trials), _sum(base, trials)
        with np.errstate(all="ignore"):
            statistic = _ratio_score(base_size / size, _sum(groups, hits), size, _sum(base, hits), base_size)
        return two_sided(statistic)

    return IntervalMethod((count,), compare, p_value, ("Wilson", "Koopman", "score"))


def odds_difference(events: str, others: str, *, sign: int = 1) -> IntervalMethod:
    """Return the method of a difference of ratios of exclusive counts, such as false negatives to false positives.

    Given their sum, the first count is binomial, and the ratio is the odds of its rate: Wilson's bounds of the rate
    become bounds of the ratio, and MOVER those of the difference. Equal odds are equal rates, so the test is theirs.
    """
    trials = f"{events} {others}"

    def odds(groups: Groups, deviate: float | Vector) -> Limits:
        hits, size = _sum(groups, events), _sum(groups, trials)
        with np.errstate(all="ignore"):
            _, low, high = wilson(hits, size, deviate)
            centre = np.where(hits < size, hits / (size - hits), (hits + 0.5) / 0.5)
            return Limits(np.where(size > 0, centre, np.nan), low / (1 - low), high / (1 - high))

    compare = _mover_difference(odds, sign)
    return IntervalMethod((odds,), compare, _rate_test(events, trials), ("Wilson", "MOVER", RATE_TEST))


def paired_ratio_difference(numerator: str, denominator: str, *, sign: int = 1) -> IntervalMethod:
    """Return the method of a difference of ratios of two overlapping counts, such as observed to predicted positives.

    The counts share the rows that are in both, so that each ratio is one of paired proportions, with Bonett's and
    Price's interval; MOVER makes one of the difference, and the test asks at which level that interval reaches 0.
    """

    def ratio(groups: Groups, deviate: float | Vector) -> Limits:
        return bonett_price(*_overlap(groups, numerator, denominator), deviate)

    names = ("Bonett-Price", "MOVER", "MOVER")
    return IntervalMethod((ratio,), _mover_difference(ratio, sign), mover_test(ratio), names)


def mcc_ratio() -> IntervalMethod:
    """Return the method of the parity of Matthews correlation coefficients: MOVER, thrice."""
    names = ("MOVER of sensitivity, specificity and prevalence", "MOVER-R", "MOVER")
    return IntervalMethod((mcc_limits,), _mover_ratio(mcc_limits), mover_test(mcc_limits), names)


def _sum(groups: Groups, counts: str) -> Vector:
    first, *others = (np.asarray(getattr(groups, count), dtype=np.float64) for count in counts.split())
    return sum(others, start=first)


def _rate(hits: str, trials: str) -> Estimator:
    return lambda groups, deviate: wilson(_sum(groups, hits), _sum(groups, trials), deviate)


RATE_TEST = f"chi-square, or Fisher where a count below {FEW} is expected"


def _rate_test(hits: str, trials: str) -> Callable[[Groups, Groups], Vector]:
    return lambda groups, base: rate_test(
        _sum(groups, hits), _sum(groups, trials), _sum(base, hits), _sum(base, trials)
    )


def _overlap(groups: Groups, first: str, second: str) -> tuple[Vector, Vector, Vector]:
    """Return the rows in both counts, only in the first, and only in the second."""
    one, other = set(first.split()), set(second.split())
    both, left, right = (" ".join(sorted(cells)) for cells in (one & other, one - other, other - one))
    return _sum(groups, both), _sum(groups, left), _sum(groups, right)


# ------------------------------------------------------------------ rates


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
def effective_wilson(
    share: Vector, variance: Vector, trials: Vector, deviate: float | Vector
) -> Limits:
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
        return _ratio_score(np.exp(log_ratio), x, n, base_x, base_n) + deviate

    bound = np.exp(find_root(above, start, end))
    return np.where(bounded, bound, np.where((n > 0) & (base_n > 0), np.inf, np.nan))


def _ratio_score(ratio: Vector, x: Vector, n: Vector, base_x: Vector, base_n: Vector) -> Vector:
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
def linear_score(
    hits: list[Vector], trials: list[Vector], weights: list[float], deviate: float
) -> Interval:
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
    x, n = (np.stack([part, part], axis=1) for part in (x, n))  # rate, bound, group
    w = np.stack([w, -w], axis=1)  # the upper bound is minus the lower one of the combination turned round

    def excess(log_multiplier: Vector) -> Vector:
        multiplier = np.exp(log_multiplier)
        statistic = multiplier * _linear_error(_restricted_rates(multiplier, x, n, w), n, w)
        return np.log(statistic / deviate)

    # The standard error is at most that at rates of one half. The statistic grows at least as the multiplier's root.
    start = np.log(deviate / np.sqrt((w * w / (4 * n)).sum(axis=0)))
    beyond = np.log(2 * (n / np.abs(w)).max(axis=0))  # here a rate of 0 that can only grow has begun to
    start = np.where(np.isfinite(excess(start)), start, np.maximum(start, beyond))
    end = start - 2 * excess(start)
    never = ~np.isfinite(end)  # all rates are at the bound that is looked for
    start, end = (np.where(never, 0.0, bound) for bound in (start, end))
    multiplier = np.exp(find_root(lambda at: np.where(never, 0.0, np.maximum(excess(at), -30)), start, end))
    rates = np.where(never, x / n, _restricted_rates(multiplier, x, n, w))
    lower, upper = (w * rates).sum(axis=0)
    return Interval(lower, -upper)


@np.errstate(all="ignore")
def linear_score_test(hits: list[Vector], trials: list[Vector], weights: list[float]) -> Vector:
    """Return p-values of the score test that linear combinations of independent rates are 0; see `linear_score`."""
    x, n, w = _stack(hits, trials, weights)
    estimate = (w * x / n).sum(axis=0)
    w = np.where(estimate < 0, -w, w)
    undefined = np.isnan(estimate)

    def combination(log_multiplier: Vector) -> Vector:
        value = (w * _restricted_rates(np.exp(log_multiplier), x, n, w)).sum(axis=0)
        return np.where(undefined | (estimate == 0), 0.0, value)

    # The multiplier is the estimate by its variance, which is at most that at rates of one half. No multiplier beyond
    # `end` is needed: there, rates that the test pulls down or up are within n by multiplier of 0 or 1.
    start = np.log(np.abs(estimate) / (w * w / (4 * n)).sum(axis=0)) - 1e-9
    end = np.log(2 * n.sum(axis=0) / -np.minimum(w, 0).sum(axis=0))
    start, end = (np.where(np.isfinite(bound), bound, 0.0) for bound in (start, np.maximum(start, end)))
    multiplier = np.exp(find_root(combination, start, end))
    statistic = multiplier * _linear_error(_restricted_rates(multiplier, x, n, w), n, w)
    return np.where(undefined, np.nan, np.where(estimate == 0, 1.0, two_sided(statistic)))


def _stack(hits: list[Vector], trials: list[Vector], weights: list[float]) -> tuple[Vector, Vector, Vector]:
    x, n = (np.stack(np.broadcast_arrays(*parts)) for parts in (hits, trials))
    return x, n, np.broadcast_to(np.array(weights, dtype=np.float64)[:, None], x.shape)


def _restricted_rates(multiplier: Vector, x: Vector, n: Vector, w: Vector) -> Vector:
    """Return the root between 0 and 1 of x - n p = multiplier w p (1 - p), of two forms the one without cancellation."""
    pull = multiplier * w
    half = n + pull
    root = np.sqrt(np.maximum((n - pull) ** 2 + 4 * pull * (n - x), 0))
    rates = np.where(half >= 0, 2 * x / (half + root), (half - root) / (2 * pull))
    return np.where((half >= 0) & (x == 0), 0.0, np.clip(rates, 0, 1))


def _linear_error(rates: Vector, n: Vector, w: Vector) -> Vector:
    error: Vector = np.sqrt((w * w * rates * (1 - rates) / n).sum(axis=0))
    return error


# ------------------------------------------------------------------ method of variance estimates recovery


def mover_difference(one: Limits, other: Limits, sign: int = 1) -> Interval:
    """Return bounds of differences of independent quantities of which bounds are known.

    References
    ----------
    .. [1] Zou, G. Y. and Donner, A. (2008). Construction of confidence limits about effect measures: a general approach.
           Statistics in Medicine 27(10), 1693-1702. https://doi.org/10.1002/sim.3095
    """
    with np.errstate(invalid="ignore"):
        difference = one.centre - other.centre
        lower = difference - np.hypot(one.centre - one.lower, other.upper - other.centre)
        upper = difference + np.hypot(one.upper - one.centre, other.centre - other.lower)
    return Interval(lower, upper) if sign > 0 else Interval(-upper, -lower)


@np.errstate(all="ignore")
def mover_ratio(one: Limits, other: Limits) -> Interval:
    """Return bounds of ratios of independent quantities of which bounds are known; infinite where the divisor may be 0.

    References
    ----------
    .. [1] Donner, A. and Zou, G. Y. (2012). Closed-form confidence intervals for functions of the normal mean and
           standard deviation. Statistical Methods in Medical Research 21(4), 347-359.
           https://doi.org/10.1177/0962280210383082
    .. [2] Newcombe, R. G. (2016). MOVER-R confidence intervals for ratios and products of two independently estimated
           quantities. Statistical Methods in Medical Research 25(5), 1774-1778.
           https://doi.org/10.1177/0962280213502144
    """
    negative = other.upper < 0
    one, other = (_turn(limits, negative) for limits in (one, other))
    lower = _mover_ratio_bound(one.centre, one.lower, other, -1)
    upper = _mover_ratio_bound(one.centre, one.upper, other, 1)
    unbounded = other.lower <= 0
    return Interval(np.where(unbounded, -np.inf, lower), np.where(unbounded, np.inf, upper))


def _turn(limits: Limits, negative: npt.NDArray[np.bool_]) -> Limits:
    centre, lower, upper = limits
    return Limits(
        np.where(negative, -centre, centre), np.where(negative, -upper, lower), np.where(negative, -lower, upper)
    )


def _mover_ratio_bound(centre: Vector, bound: Vector, divisor: Limits, side: int) -> Vector:
    """Return the ratio R at which MOVER's bound of numerator - R divisor is 0, as the root of a quadratic."""
    nearer, farther = (divisor.lower, divisor.upper) if side > 0 else (divisor.upper, divisor.lower)
    away = np.where(bound >= 0, nearer, farther)
    square, constant = away * (2 * divisor.centre - away), bound * (2 * centre - bound)
    product = centre * divisor.centre
    root = np.sqrt(np.maximum(product * product - square * constant, 0))
    if side < 0:
        return np.where(bound >= 0, constant / (product + root), (product - root) / square)
    return np.where(bound >= 0, (product + root) / square, constant / (product - root))


def _mover_difference(estimator: Estimator, sign: int) -> Callable[[Groups, Groups, float], Interval]:
    return lambda groups, base, deviate: mover_difference(estimator(groups, deviate), estimator(base, deviate), sign)


def _mover_ratio(estimator: Estimator) -> Callable[[Groups, Groups, float], Interval]:
    return lambda groups, base, deviate: mover_ratio(estimator(groups, deviate), estimator(base, deviate))


def mover_test(estimator: Estimator) -> Callable[[Groups, Groups], Vector]:
    """Return a test that rejects where MOVER's interval of the difference leaves out 0, which is where that of the ratio
    leaves out 1."""

    @np.errstate(all="ignore")
    def p_value(groups: Groups, base: Groups) -> Vector:
        difference = estimator(groups, 1.0).centre - estimator(base, 1.0).centre
        size = np.abs(difference)

        def arm(deviate: Vector) -> Vector:
            """Return how far the interval of the difference reaches towards 0."""
            lower, upper = mover_difference(estimator(groups, deviate), estimator(base, deviate))
            return np.where(difference >= 0, difference - lower, upper - difference)

        def excess(log_deviate: Vector) -> Vector:  # close to a straight line
            return np.clip(np.log(arm(np.exp(log_deviate)) / size), -50, 50)

        least, most = np.log(1e-6), np.log(FARTHEST)
        guess = np.clip(-excess(np.zeros_like(size)), least, most)
        start, end = np.maximum(guess - 1, least), np.minimum(guess + 1, most)
        start, end = np.where(excess(start) < 0, start, least), np.where(excess(end) > 0, end, most)
        deviate = np.exp(find_root(excess, start, end, tolerance=1e-10))
        deviate = np.where((size == 0) | (excess(start) >= 0), 0.0, deviate)
        return np.where(np.isnan(size), np.nan, two_sided(deviate))

    return p_value


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
def mcc_limits(groups: Groups, deviate: float | Vector) -> Limits:
    """Return Matthews correlation coefficients with MOVER's intervals.

    The coefficient is a function of sensitivity, specificity and prevalence. Each is moved to its Wilson bounds
    while the others stay, and the square root of the sum of the squared changes is the interval's arm. Where the coefficient is
    0 because one of its margins is empty, nothing is known: -1 to 1.

    Fisher's z with the delta method's variance covers only 48 % where a group of 100 has two predicted positives, and 85 %
    where 30 rows have a coefficient of 0.95.

    References
    ----------
    .. [1] Zou, G. Y. and Donner, A. (2008). Construction of confidence limits about effect measures: a general approach.
           Statistics in Medicine 27(10), 1693-1702. https://doi.org/10.1002/sim.3095
    .. [2] Itaya, Y., Tamura, J., Hayashi, K. and Yamamoto, K. (2025). Asymptotic properties of Matthews correlation
           coefficient. Statistics in Medicine 44(1-2), e10303. https://doi.org/10.1002/sim.10303
    """
    tp, fp, tn, fn = (_sum(groups, cell) for cell in ("tp", "fp", "tn", "fn"))
    positives, negatives = tp + fn, tn + fp
    sensitivity, specificity = wilson(tp, positives, deviate), wilson(tn, negatives, deviate)
    prevalence = wilson(positives, positives + negatives, deviate)
    centre = _mcc(sensitivity.centre, specificity.centre, prevalence.centre)
    by_prevalence = [_mcc(sensitivity.centre, specificity.centre, bound) - centre for bound in prevalence[1:]]
    arms = []
    for side, outermost in ((1, np.minimum), (2, np.maximum)):
        changes = (
            _mcc(sensitivity[side], specificity.centre, prevalence.centre) - centre,
            _mcc(sensitivity.centre, specificity[side], prevalence.centre) - centre,
            outermost(outermost(*by_prevalence), 0),
        )
        arms.append(np.sqrt(sum(np.square(change) for change in changes)))
    empty = (positives == 0) | (negatives == 0) | (tp + fp == 0) | (tn + fn == 0)
    unknown = np.where(positives + negatives > 0, 1.0, np.nan)
    lower = np.where(empty, -unknown, np.maximum(centre - arms[0], -1))
    upper = np.where(empty, unknown, np.minimum(centre + arms[1], 1))
    return Limits(np.where(empty, 0 * unknown, centre), lower, upper)


def _mcc(sensitivity: Vector, specificity: Vector, prevalence: Vector) -> Vector:
    selected = prevalence * sensitivity + (1 - prevalence) * (1 - specificity)
    spread = prevalence * (1 - prevalence) / (selected * (1 - selected))
    coefficient = (sensitivity + specificity - 1) * np.sqrt(spread)
    return np.where((selected <= 0) | (selected >= 1), 0.0, coefficient)


# ------------------------------------------------------------------ tests


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
    return np.minimum((weight * as_rare).sum(axis=1) / weight.sum(axis=1), 1)


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
