"""How sure the summaries of calibration are: calibration-in-the-large, Brier score, expected calibration error.

The scores, and the bins made of them, are taken as given; what is uncertain is the outcome. Everything is made of sums
over the rows of a group or of a bin of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ._mover import Limits, two_sided
from ._rates import effective_wilson
from ._roots import Vector, find_root

Places = npt.NDArray[np.intp]

LOOSE = 1e-6  # tolerance, in expected calibration error


class ScoreSums(NamedTuple):
    """Sums over rows with outcome y (0 or 1) and score s.

    Arrays of shape (n_groups, n_bins): `rows`, `positives` (sum of y) and `scores` (sum of s).
    Arrays of shape (n_groups,): `squares` of y - s; `spread`, the squared distances of these squares from the mean of
    their bin; `clarity`, |1 - 2s|, and `clarity_squares`; `surprises`, the clarity of rows whose outcome is on the less
    likely side.
    """

    rows: Vector
    positives: Vector
    scores: Vector
    squares: Vector
    spread: Vector
    clarity: Vector
    clarity_squares: Vector
    surprises: Vector

    @classmethod
    def of_rows(
        cls, outcome: Vector, scores: Vector, bins: Places, groups: Places, shape: tuple[int, int]
    ) -> ScoreSums:
        """Add up rows of known outcome, score, bin number and group number."""
        cells = sums_by_cell(groups * shape[1] + bins, row_terms(outcome, scores), shape[0] * shape[1])
        return cls.of_cells(cells.reshape(-1, *shape))

    @classmethod
    def of_cells(cls, cells: Vector) -> ScoreSums:
        """Make it of the sums of `row_terms` by group and bin: an array of shape (8, n_groups, n_bins)."""
        rows, positives, scores, squares, fourths, *others = cells
        with np.errstate(invalid="ignore"):
            within = np.where(rows > 0, fourths - squares**2 / rows, 0).sum(axis=1)
        by_group = (part.sum(axis=1) for part in others)
        return cls(rows, positives, scores, squares.sum(axis=1), np.maximum(within, 0), *by_group)


def row_terms(outcome: Vector, scores: Vector) -> tuple[Vector, ...]:
    """Return of each row with outcome y and score s: 1, y, s, (y - s)², (y - s)⁴, |1 - 2s|, (1 - 2s)², its surprise."""
    square, clarity = (outcome - scores) ** 2, np.abs(1 - 2 * scores)
    surprise = clarity * ((scores > 0.5) != (outcome > 0.5))
    return np.ones(len(scores)), outcome, scores, square, square**2, clarity, clarity**2, surprise


def sums_by_cell(cell: Places, terms: tuple[Vector, ...], size: int) -> Vector:
    """Return the sums of terms by cell, of which there are `size`."""
    return np.array([np.bincount(cell, term, minlength=size) for term in terms], dtype=np.float64)


@np.errstate(all="ignore")
def in_the_large_limits(sums: ScoreSums, deviate: float | Vector) -> Limits:
    """Return observed rates less mean scores, with bounds; NaN without rows.

    Wilson's interval of the observed rate, for as many rows as the variance of outcome - score says that they are
    worth: scores that tell outcomes apart make it more than there are.

    References
    ----------
    .. [1] Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the
           American Statistical Association 22(158), 209-212. https://doi.org/10.1080/01621459.1927.10502953
    .. [2] Van Calster, B. et al. (2016). A calibration hierarchy for risk models was defined: from utopia to empirical
           data. Journal of Clinical Epidemiology 74, 167-176. https://doi.org/10.1016/j.jclinepi.2015.12.005
    """
    n = sums.rows.sum(axis=1)
    observed, expected = sums.positives.sum(axis=1) / n, sums.scores.sum(axis=1) / n
    variance = (sums.squares / n - (observed - expected) ** 2) / (n - 1)
    limits = effective_wilson(observed, variance, n, deviate)
    return Limits(*(bound - expected for bound in limits))


@np.errstate(all="ignore")
def brier_limits(sums: ScoreSums, deviate: float | Vector) -> Limits:
    """Return Brier scores with bounds; NaN without rows.

    A row's squared error is the lesser or the greater of s² and (1 - s)², as the outcome is on the likelier side or
    not. So between the score of no surprise and that of nothing but surprises the Brier score measures the share
    of surprises, weighted by |1 - 2s|. That share gets Wilson's interval, for as many rows as its variance says. With
    the scores given, the variance is that within the bins.

    References
    ----------
    .. [1] Brier, G. W. (1950). Verification of forecasts expressed in terms of probability. Monthly Weather Review
           78(1), 1-3. https://doi.org/10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2
    .. [2] Kish, L. (1965). Survey Sampling. Wiley. (The effective number of weighted rows.)
    """
    n = sums.rows.sum(axis=1)
    brier, span = sums.squares / n, sums.clarity / n
    best = (1 - 2 * span + sums.clarity_squares / n) / 4
    surprises = sums.surprises / sums.clarity
    known = n - (sums.rows > 0).sum(axis=1)  # rows less the means of the bins
    variance = np.where(known > 0, sums.spread / known, np.nan) / n / span**2
    limits = effective_wilson(surprises, variance, sums.clarity**2 / sums.clarity_squares, deviate)
    certain = span == 0  # all scores are one half: whatever happens, the Brier score is one quarter
    return Limits(*(np.where(certain, brier, best + span * bound) for bound in limits))


def expected_error_limits(sums: ScoreSums, deviate: float | Vector) -> Limits:
    """Return expected calibration errors, cleared of their bias, with bounds; NaN without rows.

    The error is the mean of the bins' |observed rate - mean score|, weighted by their rows, so chance alone makes it
    positive: with 30 perfectly calibrated rows in ten bins it is about 0.2. A bootstrap adds that bias once more. Hence
    a test is inverted: true errors of growing size are supposed, and those are kept under which the observed error
    would not be extreme, its mean and variance being those of binomial outcomes. What is supposed of their shape over
    the bins is chosen to be safe: for the lower bound, that bins with small gaps are calibrated; for the upper bound,
    that no bin is. If the observed error is not too large for perfect calibration, the lower bound is 0. If it is even
    less than that of perfect calibration less its standard deviation, the upper bound is that of the latter.

    References
    ----------
    .. [1] Carpenter, J. (1999). Test inversion bootstrap confidence intervals. Journal of the Royal Statistical Society
           B 61(1), 159-172. https://doi.org/10.1111/1467-9868.00169
    .. [2] Cowan, G., Cranmer, K., Gross, E. and Vitells, O. (2011). Power-constrained limits.
           https://doi.org/10.48550/arXiv.1105.3166
    .. [3] Roelofs, R., Cain, N., Shlens, J. and Mozer, M. C. (2022). Mitigating bias in calibration error estimation.
           Proceedings of Machine Learning Research 151, 4036-4054.
    """
    with np.errstate(all="ignore"):
        rows, total = sums.rows, sums.rows.sum(axis=1)
        deviate = np.broadcast_to(np.asarray(deviate, dtype=np.float64), total.shape)
        expected = np.where(rows > 0, sums.scores / rows, 0)
        gap = np.where(rows > 0, sums.positives / rows - expected, 0)
        error = (rows * np.abs(gap)).sum(axis=1) / total
        kept = np.maximum(1 - 2 * expected * (1 - expected) / rows / gap**2, 0)  # as James and Stein shrink
        sparse = np.where(rows * gap != 0, gap * kept, 0)
        sparse = np.where(sparse.any(axis=1, keepdims=True), sparse, gap)
        dense = gap + np.where(gap >= 0, 1, -1) * error[:, None]
    lower = _invert(rows, expected, error, sparse, deviate)
    centre = _invert(rows, expected, error, sparse, 0 * deviate)
    mean, spread = _chance(rows, expected, expected)
    upper = _invert(rows, expected, np.maximum(error, mean - spread), dense, -deviate)
    lower, centre, upper = (np.where(total > 0, bound, np.nan) for bound in (lower, centre, upper))
    return Limits(centre, np.minimum(lower, centre), np.maximum(upper, centre))


@np.errstate(all="ignore")
def largest_error_limits(sums: ScoreSums, deviate: float | Vector) -> Limits:
    """Return the largest of the bins' |observed rate - mean score|, with bounds that are safe; NaN without rows.

    The largest true gap is in some one bin, and at most the farthest that any bin's exact (Clopper-Pearson) interval
    reaches from its mean score. That it is at least so large needs a bin whose interval, at a level that allows for
    the number of bins looked at (Šidák's), leaves out all smaller gaps. Bins may hold a handful of rows, where
    Wilson's interval leaves out rates near 0 too often.

    References
    ----------
    .. [1] Clopper, C. J. and Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated in the case of
           the binomial. Biometrika 26(4), 404-413. https://doi.org/10.1093/biomet/26.4.404
    .. [2] Šidák, Z. (1967). Rectangular confidence regions for the means of multivariate normal distributions. Journal
           of the American Statistical Association 62(318), 626-633. https://doi.org/10.1080/01621459.1967.10482935
    """
    used = sums.rows > 0
    expected, observed = sums.scores / sums.rows, sums.positives / sums.rows
    tail = two_sided(np.asarray(deviate)) / 2
    strict_tail = -np.expm1(np.log1p(-tail) / used.sum(axis=1))
    low, high = _clopper_pearson(sums.positives, sums.rows, tail)
    lower, upper = _clopper_pearson(sums.positives, sums.rows, strict_tail[:, None])
    nearest = np.maximum(np.maximum(lower - expected, expected - upper), 0)
    farthest = np.maximum(high - expected, expected - low)
    bounds = np.abs(observed - expected), nearest, farthest
    largest = (np.where(used, bound, -np.inf).max(axis=1) for bound in bounds)
    return Limits(*(np.where(used.any(axis=1), bound, np.nan) for bound in largest))


def _clopper_pearson(hits: Vector, trials: Vector, tail: Vector) -> tuple[Vector, Vector]:
    from scipy.special import betaincinv

    lower = np.where(hits == 0, 0, betaincinv(hits, trials - hits + 1, tail))
    upper = np.where(hits == trials, 1, betaincinv(hits + 1, trials - hits, 1 - tail))
    return lower, upper


@np.errstate(all="ignore")
def _invert(rows: Vector, expected: Vector, error: Vector, shape: Vector, deviate: Vector) -> Vector:
    """Return the true error, of a given shape over the bins, of which the observed one is `deviate` errors too high."""
    weight = rows / rows.sum(axis=1, keepdims=True)

    def true_rates(size: Vector) -> Vector:
        return np.clip(expected + size[:, None] * shape, 0, 1)

    def excess(size: Vector) -> Vector:
        mean, spread = _chance(rows, true_rates(size), expected)
        return mean + deviate * spread - error

    nothing = np.zeros_like(error)
    largest = np.maximum(1 / np.maximum(np.abs(shape).max(axis=1), 1e-3), 1.0)
    size = find_root(excess, nothing, largest, tolerance=LOOSE)
    at_nothing, at_largest = excess(nothing), excess(largest)
    size = np.where(at_nothing >= 0, 0, np.where(at_largest <= 0, largest, size))
    true_error: Vector = (weight * np.abs(true_rates(size) - expected)).sum(axis=1)
    return true_error


@np.errstate(all="ignore")
def _chance(rows: Vector, rates: Vector, expected: Vector) -> tuple[Vector, Vector]:
    """Return mean and standard deviation of the observed error, if the bins' true rates were known."""
    weight = rows / rows.sum(axis=1, keepdims=True)
    mean, variance = absolute_gap_moments(rows, rates, expected)
    return (weight * mean).sum(axis=1), np.sqrt((weight**2 * variance).sum(axis=1))


def absolute_gap_moments(rows: Vector, rate: Vector, expected: Vector) -> tuple[Vector, Vector]:
    """Return mean and variance of |observed rate - expected| of binomial outcomes; 0 without rows.

    The mean is that of the signed gap plus twice that of its negative part, a sum of binomial distribution functions.
    """
    from scipy.special import bdtr

    with np.errstate(all="ignore"):
        most = np.floor(rows * expected)  # outcomes that leave the observed rate at or below the expected one
        up_to = bdtr(most, rows.astype(np.intp), rate)
        fewer = np.where(rows > 1, bdtr(np.maximum(most - 1, 0), np.maximum(rows - 1, 1).astype(np.intp), rate), 1.0)
        fewer = np.where(most >= 1, fewer, 0.0)
        mean = rate - expected + 2 * (expected * up_to - rate * fewer)
        variance = rate * (1 - rate) / rows + (rate - expected) ** 2 - mean**2
    return np.where(rows > 0, mean, 0), np.where(rows > 0, np.maximum(variance, 0), 0)
