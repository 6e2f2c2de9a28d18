"""Bounds of differences and ratios of independent quantities, from the bounds of each: the method called MOVER."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ._roots import Vector, find_root

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


def mover_difference(one: Limits, other: Limits, sign: int = 1) -> Interval:
    """Return bounds of differences of independent quantities of which bounds are known.

    References
    ----------
    .. [1] Zou, G. Y. and Donner, A. (2008). Construction of confidence limits about effect measures: a general
           approach. Statistics in Medicine 27(10), 1693-1702. https://doi.org/10.1002/sim.3095
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
        found = np.where(bound >= 0, constant / (product + root), (product - root) / square)
    else:
        found = np.where(bound >= 0, (product + root) / square, constant / (product - root))
    return np.where(bound == 0, 0.0, found)  # where the estimate is 0 too, the quotients are 0/0


def join(groups: Groups, base: Groups, fields: str) -> Groups:
    """Return the counts of groups and base in one object, so that one call serves both."""
    names = fields.split()
    pairs = {name: (np.asarray(getattr(groups, name)), np.asarray(getattr(base, name))) for name in names}
    return SimpleNamespace(**{name: np.stack(np.broadcast_arrays(*pair)) for name, pair in pairs.items()})


def limits_of_both(estimator: Estimator, both: Groups, deviate: float | Vector) -> tuple[Limits, Limits]:
    """Return the limits of the groups and of the base that were joined."""
    limits = estimator(both, deviate)
    return Limits(*(part[0] for part in limits)), Limits(*(part[1] for part in limits))


def mover_test(estimator: Estimator, fields: str) -> Callable[[Groups, Groups], Vector]:
    """Return the test that agrees with MOVER: with its interval of the difference about 0, of the ratio about 1.

    `fields` are the attributes of the groups that the estimator uses.
    """

    @np.errstate(all="ignore")
    def p_value(groups: Groups, base: Groups) -> Vector:
        both = join(groups, base, fields)

        def split(deviate: float | Vector) -> tuple[Limits, Limits]:
            return limits_of_both(estimator, both, deviate)

        one, other = split(1.0)
        difference = one.centre - other.centre
        size = np.abs(difference)

        def excess(log_deviate: Vector) -> Vector:
            """Return by how much the interval's arm towards 0 is longer than the difference: nearly a straight line."""
            lower, upper = mover_difference(*split(np.exp(log_deviate)))
            arm = np.where(difference >= 0, difference - lower, upper - difference)
            return np.clip(np.log(arm / size), -50, 50)

        least, most = np.log(1e-6), np.log(FARTHEST)
        guess = np.clip(-excess(np.zeros_like(size)), least, most)
        start, end = np.maximum(guess - 1, least), np.minimum(guess + 1, most)
        start, end = np.where(excess(start) < 0, start, least), np.where(excess(end) > 0, end, most)
        deviate = np.exp(find_root(excess, start, end, tolerance=1e-10))
        deviate = np.where((size == 0) | (excess(start) >= 0), 0.0, deviate)
        return np.where(np.isnan(size), np.nan, two_sided(deviate))

    return p_value


def normal_deviate(conf_level: float) -> float:
    """Return the normal deviate that cuts off half of what the confidence level leaves: 1.96 for 0.95."""
    from scipy.special import ndtri

    return float(-ndtri((1 - conf_level) / 2))


def two_sided(deviate: Vector) -> Vector:
    """Return the two-sided p-value of a normal deviate."""
    from scipy.special import ndtr

    return np.asarray(2 * ndtr(-np.abs(deviate)), dtype=np.float64)
