"""The density curves: against R's, against scipy's kernel sums, and against numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from fairness_py._density import bandwidth_nrd0, density_curve


def scores_of(n: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).beta(2, 3, n)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        pytest.param([0.7] * 32, 0.9 * 0.7 / 2, id="equal scores: the first"),
        pytest.param([0.0] * 32, 0.9 * 1 / 2, id="zeros: one"),
        pytest.param([0.1 + 0.2] * 32, 0.9 * (0.1 + 0.2) / 2, id="equal scores whose mean may be rounded"),
        # Of 32 scores 24 are 0 and 8 are 1: the quartiles are 0 and 0.25, so 0.25 / 1.34 is below the deviation.
        pytest.param([0.0] * 24 + [1.0] * 8, 0.9 * (0.25 / 1.34) / 2, id="quartiles below the deviation"),
        # Of 32 scores one is 1: both quartiles are 0, the variance is (1/32)(31/32) · 32/31 = 1/32.
        pytest.param([0.0] * 31 + [1.0], 0.9 * 32**-0.5 / 2, id="equal quartiles: the deviation"),
        # 16 scores of 0, 16 of 1: the variance is 8/31, the quartiles are 0 and 1, and 1/1.34 is above the deviation.
        pytest.param([0.0] * 16 + [1.0] * 16, 0.9 * (8 / 31) ** 0.5 / 2, id="deviation below the quartiles"),
    ],
)
def test_bandwidth_is_the_rule_of_thumb_with_the_fallbacks_of_r(scores, expected):
    assert bandwidth_nrd0(np.array(scores)) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("n", [2, 11, 300, 20_000])
def test_curve_is_the_kernel_sum(n):
    scores = scores_of(n)
    x, density = density_curve(scores)
    exact = stats.gaussian_kde(scores, bw_method=bandwidth_nrd0(scores) / scores.std(ddof=1))(x)
    assert np.abs(density - exact).max() < 2e-3 * exact.max()


def test_what_is_smeared_beyond_0_and_1_is_lost():
    x, density = density_curve(np.zeros(100))
    assert np.trapezoid(density, x) == pytest.approx(stats.norm.cdf(1, scale=0.9 * 100**-0.2) - 0.5, abs=1e-3)


@pytest.mark.parametrize("scores", [[], [0.4]])
def test_fewer_than_two_scores_have_no_curve(scores):
    x, density = density_curve(np.array(scores, dtype=float))
    assert x.shape == density.shape == (0,)


def test_almost_equal_scores_give_a_curve_that_can_be_drawn():
    x, density = density_curve(np.array([0.7, 0.7, 0.7 + 1e-16, 0.7]))
    assert density.max() <= 512 / np.sqrt(2 * np.pi)
    assert np.trapezoid(density, x) == pytest.approx(1, abs=0.01)
    assert x[density.argmax()] == pytest.approx(0.7, abs=1 / 511)


@pytest.mark.parametrize("n_points", [2, 33, 512, 2000])
def test_number_of_points(n_points):
    scores = scores_of(200)
    x, density = density_curve(scores, n_points)
    assert x.tolist() == np.linspace(0, 1, n_points).tolist()
    exact = stats.gaussian_kde(scores, bw_method=bandwidth_nrd0(scores) / scores.std(ddof=1))
    assert np.abs(density - exact(x)).max() < 2e-3 * exact(np.linspace(0, 1, 512)).max()


def test_scores_at_both_ends_of_the_range_are_counted_alike():
    ends = np.array([0.0, 0.0, 1.0, 1.0])
    _, density = density_curve(ends)
    assert density == pytest.approx(density[::-1], abs=2e-3 * density.max())


def test_the_scores_stay_as_they_were():
    scores = scores_of(50)
    before = scores.copy()
    density_curve(scores)
    assert (scores == before).all()
