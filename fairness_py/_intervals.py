"""How sure each metric is: intervals and tests on the counts of all groups at once.

A metric names its method in one line, such as ``rate_ratio("fn", "tp fn")``; `assess` carries it out. Everything here
sees counts, one value a group, and never a row of data, so its cost does not grow with the data.

The methods were chosen by ``benchmarks/coverage_study.py``, which shows for each of them how often it holds the truth.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ._mover import (
    Estimator,
    Groups,
    Interval,
    Limits,
    join,
    limits_of_both,
    mover_difference,
    mover_ratio,
    mover_test,
    normal_deviate,
    two_sided,
)
from ._p_values import FEW, adjust_holm, rate_test
from ._rates import bonett_price, koopman, linear_score, linear_score_test, mcc_limits, mcc_test, ratio_score, wilson
from ._roots import Vector

RATE_TEST = f"chi-square, or Fisher where a count below {FEW} is expected"


class Combination(NamedTuple):
    """How bounds of the groups' raw row and of the base's make bounds of the comparison."""

    function: Callable[[Limits, Limits], Interval]
    fields: str  # the counts that the raw row's bounds are made of


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
    combine : Combination, optional
        Where bounds of the raw row are all that the comparison is made of: how, so that they are found once.
    """

    rates: tuple[Estimator, ...]
    compare: Callable[[Groups, Groups, float], Interval]
    p_value: Callable[[Groups, Groups], Vector]
    names: tuple[str, str, str]
    combine: Combination | None = None


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
    if method.combine is None:
        rates = [Interval(*rate(groups, deviate)[1:]) for rate in method.rates]
        lower, upper = method.compare(groups, base, deviate)
    else:
        both = join(groups, base, method.combine.fields)
        own, other = limits_of_both(method.rates[0], both, deviate)
        rates = [Interval(own.lower, own.upper)]
        lower, upper = method.combine.function(own, other)
    p_value = method.p_value(groups, base)
    if is_base is not None:
        lower, upper, p_value = (np.where(is_base, np.nan, bound) for bound in (lower, upper, p_value))
    return Uncertainty(rates, Interval(lower, upper), p_value, adjust_holm(p_value))


def check_conf_level(conf_level: object, *, optional: bool = True) -> float:
    """Return a usable confidence level, or say what is wanted; without intervals where it is None, if it may be."""
    usable = isinstance(conf_level, (numbers.Real, np.number)) and not isinstance(conf_level, (bool, np.bool_))
    if not usable or not 0 < float(conf_level) < 1:  # type: ignore[arg-type]
        hint = ""
        if usable and 1 < float(conf_level) < 100:  # type: ignore[arg-type]
            hint = f" For {conf_level} percent, pass {float(conf_level) / 100:g}."  # type: ignore[arg-type]
        raise ValueError(
            f"conf_level must be a number between 0 and 1, such as 0.95{', or None' if optional else ''}; "
            f"got {conf_level!r}.{hint}"
        )
    return float(conf_level)  # type: ignore[arg-type]


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

    The interval inverts the score test of the linear combination. MOVER with Wilson's intervals covers 90.1 % where
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
        with np.errstate(all="ignore"):
            return Interval(*(size / base_size * bound for bound in ratio))

    def p_value(groups: Groups, base: Groups) -> Vector:
        size, base_size = _sum(groups, trials), _sum(base, trials)
        with np.errstate(all="ignore"):
            statistic = ratio_score(base_size / size, _sum(groups, hits), size, _sum(base, hits), base_size)
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

    combine = Combination(partial(mover_difference, sign=sign), trials)
    names = ("Wilson", "MOVER", RATE_TEST)
    return IntervalMethod((odds,), _combined(odds, combine), _rate_test(events, trials), names, combine)


def paired_ratio_difference(numerator: str, denominator: str, *, sign: int = 1) -> IntervalMethod:
    """Return the method of a difference of ratios of two overlapping counts, such as observed to predicted positives.

    The counts share the rows that are in both, so that each ratio is one of paired proportions, with Bonett's and
    Price's interval; MOVER makes one of the difference, and the test asks at which level that interval reaches 0.
    """

    def ratio(groups: Groups, deviate: float | Vector) -> Limits:
        return bonett_price(*_overlap(groups, numerator, denominator), deviate)

    fields = " ".join(sorted(set(f"{numerator} {denominator}".split())))
    names = ("Bonett-Price", "MOVER", "MOVER")
    combine = Combination(partial(mover_difference, sign=sign), fields)
    return IntervalMethod((ratio,), _combined(ratio, combine), mover_test(ratio, fields), names, combine)


def mcc_ratio() -> IntervalMethod:
    """Return the method of the parity of Matthews correlation coefficients: score intervals, MOVER-R, a score test.

    Where the base's coefficient may be 0, their ratio may be anything, and has no bounds.
    """

    def four(groups: Groups) -> tuple[Vector, Vector, Vector, Vector]:
        return _sum(groups, "tp"), _sum(groups, "fp"), _sum(groups, "tn"), _sum(groups, "fn")

    def mcc(groups: Groups, deviate: float | Vector) -> Limits:
        return mcc_limits(*four(groups), deviate)

    def p_value(groups: Groups, base: Groups) -> Vector:
        return mcc_test(four(groups), four(base))

    combine = Combination(mover_ratio, "tp fp tn fn")
    return IntervalMethod((mcc,), _combined(mcc, combine), p_value, ("score", "MOVER-R", "score"), combine)


def _sum(groups: Groups, counts: str) -> Vector:
    first, *others = (np.asarray(getattr(groups, count), dtype=np.float64) for count in counts.split())
    return sum(others, start=first)


def _rate(hits: str, trials: str) -> Estimator:
    return lambda groups, deviate: wilson(_sum(groups, hits), _sum(groups, trials), deviate)


def _rate_test(hits: str, trials: str) -> Callable[[Groups, Groups], Vector]:
    return lambda groups, base: rate_test(
        _sum(groups, hits), _sum(groups, trials), _sum(base, hits), _sum(base, trials)
    )


def _overlap(groups: Groups, first: str, second: str) -> tuple[Vector, Vector, Vector]:
    """Return the rows in both counts, only in the first, and only in the second."""
    one, other = set(first.split()), set(second.split())
    both, left, right = (" ".join(sorted(cells)) for cells in (one & other, one - other, other - one))
    return _sum(groups, both), _sum(groups, left), _sum(groups, right)


def _combined(estimator: Estimator, combine: Combination) -> Callable[[Groups, Groups, float], Interval]:
    return lambda groups, base, deviate: combine.function(
        *limits_of_both(estimator, join(groups, base, combine.fields), deviate)
    )
