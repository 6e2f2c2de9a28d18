"""Intervals and tests against R, statsmodels, SciPy, published tables, and the equations that define them."""

from __future__ import annotations

import json
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats
from sklearn.metrics import brier_score_loss, roc_auc_score

from fairness_py import _calibration_intervals as calibration
from fairness_py import _delong, _intervals, _mover, _p_values, _rates, _roots

Z = stats.norm.ppf(0.975)


def vector(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float64)


def counts(tp: Any, fp: Any, tn: Any, fn: Any) -> SimpleNamespace:
    tp, fp, tn, fn = (np.atleast_1d(np.asarray(cell, dtype=np.float64)) for cell in (tp, fp, tn, fn))
    return SimpleNamespace(tp=tp, fp=fp, tn=tn, fn=fn, selected=tp + fp, rejected=tn + fn)


@pytest.fixture(scope="session")
def of_r(golden_dir):
    return json.loads((golden_dir / "uncertainty_r.json").read_text())


@pytest.fixture
def two_rates():
    """Return 400 pairs of rates of all sizes, with zero cells and all-correct groups among them."""
    rng = np.random.default_rng(5)
    n, m = rng.integers(1, 80, 400).astype(float), rng.integers(1, 120, 400).astype(float)
    x, y = np.floor(rng.random(400) ** 2 * (n + 1)), np.floor(rng.random(400) ** 0.5 * (m + 1))
    return x, n, y, m


METHODS = {
    "rate_ratio": (_intervals.rate_ratio("fn", "tp fn"), 1),
    "rate_difference": (_intervals.rate_difference("tp", "tp fn", sign=-1), 0),
    "mean_rate_difference": (_intervals.mean_rate_difference(("tp", "tp fn"), ("fp", "fp tn")), 0),
    "count_ratio": (_intervals.count_ratio("selected", "selected rejected"), 1),
    "odds_difference": (_intervals.odds_difference("fn", "fp"), 0),
    "paired_ratio_difference": (_intervals.paired_ratio_difference("tp fn", "tp fp", sign=-1), 0),
    "mcc_ratio": (_intervals.mcc_ratio(), 1),
}


def value_of(name: str, own: SimpleNamespace, base: SimpleNamespace) -> float:
    """Return what the interval of a method is of, by the metric's own formula."""

    def rate(c: SimpleNamespace) -> float:
        mcc = (c.tp * c.tn - c.fp * c.fn) / np.sqrt((c.tp + c.fp) * (c.tp + c.fn) * (c.tn + c.fp) * (c.tn + c.fn))
        return {
            "rate_ratio": c.fn / (c.tp + c.fn),
            "rate_difference": c.tp / (c.tp + c.fn),
            "mean_rate_difference": (c.tp / (c.tp + c.fn) + c.fp / (c.fp + c.tn)) / 2,
            "count_ratio": c.tp + c.fp,
            "odds_difference": c.fn / c.fp,
            "paired_ratio_difference": (c.tp + c.fn) / (c.tp + c.fp),
            "mcc_ratio": mcc,
        }[name][0]

    with np.errstate(all="ignore"):
        if METHODS[name][1] == 1:
            return rate(own) / rate(base)
        sign = -1 if name in ("rate_difference", "paired_ratio_difference") else 1
        return sign * (rate(own) - rate(base))


class TestR:
    """R's prop.test, fisher.test, p.adjust, and pROC."""

    def test_wilson(self, of_r):
        hits, trials = vector(*(row["x"] for row in of_r["rates"])), vector(*(row["n"] for row in of_r["rates"]))
        _, lower, upper = _rates.wilson(hits, trials, Z)
        np.testing.assert_allclose(lower, [row["wilson_lower"] for row in of_r["rates"]], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(upper, [row["wilson_upper"] for row in of_r["rates"]], rtol=1e-9)

    def test_chi_square_and_fisher(self, of_r):
        rows = of_r["tests"]
        x, n, y, m = (vector(*(row[key] for row in rows)) for key in ("x", "n", "xb", "nb"))
        chi_square = _p_values.chi_square_test(x, n, y, m)
        np.testing.assert_allclose(chi_square, [row["p_chi2"] for row in rows], rtol=1e-9)
        np.testing.assert_allclose(_p_values.fisher_test(x, n, y, m), [row["p_fisher"] for row in rows], rtol=1e-9)

    def test_fisher_where_fewer_than_five_are_expected(self, of_r):
        rows = of_r["tests"]
        x, n, y, m = (vector(*(row[key] for row in rows)) for key in ("x", "n", "xb", "nb"))
        pooled = (x + y) / (n + m)
        few = np.minimum.reduce([n * pooled, n * (1 - pooled), m * pooled, m * (1 - pooled)]) < 5
        assert 0 < few.sum() < len(few)
        expected = np.where(few, [row["p_fisher"] for row in rows], [row["p_chi2"] for row in rows])
        np.testing.assert_allclose(_p_values.rate_test(x, n, y, m), expected, rtol=1e-9)

    def test_holm(self, of_r):
        p_value = vector(*(row["p_chi2"] for row in of_r["tests"] if row["rate"] == "fnr"))
        np.testing.assert_allclose(_p_values.adjust_holm(p_value), of_r["holm_fnr"], rtol=1e-9)

    @pytest.fixture
    def areas(self, compas):
        positive = (compas["Two_yr_Recidivism"] == "yes").to_numpy()
        scores = compas["probability"].to_numpy(dtype=np.float64)
        found = {}
        for group in compas["ethnicity"].cat.categories:
            own = (compas["ethnicity"] == group).to_numpy()
            found[group] = _delong.Areas.of_scores(
                [(np.sort(scores[own & positive]), np.sort(scores[own & ~positive]))]
            )
        return found

    def test_delong_interval(self, of_r, areas):
        for row in of_r["auc"]:
            own = areas[row["group"]]
            lower, upper = _delong.delong_interval(own, _mover.normal_deviate(row["conf_level"]))
            found = [own.auc[0], own.variance[0], lower[0], upper[0]]
            np.testing.assert_allclose(found, [row[key] for key in ("auc", "variance", "lower", "upper")], rtol=1e-9)

    def test_delong_test(self, of_r, areas):
        method = _delong.auc_ratio()
        for row in of_r["auc_difference"]:
            group, base = areas[row["group"]], areas[row["base"]]
            found = [part[0] for part in _delong.delong_test(group, base)]
            np.testing.assert_allclose(found, [row[key] for key in ("statistic", "df", "p_value")], rtol=1e-9)
            assert method.p_value(group, base)[0] == pytest.approx(row["p_value"], rel=1e-9)


class TestPublished:
    """Numbers printed in papers, and in the tests of the R package contingencytables."""

    def test_newcombe_1998_table_2(self):
        x, n, y, m = vector(56, 9), vector(70, 10), vector(48, 3), vector(80, 10)
        lower, upper = _rates.newcombe(x, n, y, m, Z)
        np.testing.assert_allclose(lower, [0.0524, 0.1705], atol=5e-5)
        np.testing.assert_allclose(upper, [0.3339, 0.8090], atol=5e-5)
        lower, upper = _rates.linear_score([x, y], [n, m], [1, -1], Z)
        np.testing.assert_allclose(lower, [0.0533, 0.1821], atol=5e-5)
        np.testing.assert_allclose(upper, [0.3377, 0.8370], atol=5e-5)

    def test_koopman_1984(self):
        lower, upper = _rates.koopman(vector(36), vector(40), vector(16), vector(80), Z)
        assert (round(lower[0], 2), round(upper[0], 2)) == (2.94, 7.15)

    def test_fagerland_perondi(self):
        lower, upper = _rates.koopman(vector(7), vector(34), vector(1), vector(34), Z)
        assert (round(lower[0], 4), round(upper[0], 4)) == (1.2209, 42.5757)
        lower, upper = _rates.linear_score([vector(7), vector(1)], [vector(34), vector(34)], [1, -1], Z)
        assert (round(lower[0], 4), round(upper[0], 4)) == (0.0284, 0.3439)

    def test_fagerland_ritland_with_miettinens_and_nurminens_correction(self):
        deviate = Z * np.sqrt(88 / 87)
        lower, upper = _rates.linear_score([vector(0), vector(15)], [vector(16), vector(72)], [1, -1], deviate)
        assert (round(lower[0], 4), round(upper[0], 4)) == (-0.3164, -0.0056)

    def test_fagerland_cavo(self):
        ratio, lower, upper = _rates.bonett_price(vector(59), vector(6), vector(16), Z)
        assert (round(ratio[0], 4), round(lower[0], 4), round(upper[0], 4)) == (0.8667, 0.7579, 0.9910)


class TestLibraries:
    @pytest.fixture(autouse=True)
    def _statsmodels(self):
        self.proportion = pytest.importorskip("statsmodels.stats.proportion")

    def test_wilson(self, two_rates):
        x, n, *_ = two_rates
        for conf_level in (0.8, 0.95, 0.999):
            lower, upper = self.proportion.proportion_confint(x, n, 1 - conf_level, method="wilson")
            _, low, high = _rates.wilson(x, n, _mover.normal_deviate(conf_level))
            np.testing.assert_allclose(low, lower, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(high, upper, rtol=1e-9)

    def test_koopman(self, two_rates):
        x, n, y, m = two_rates
        usual = (x > 0) & (y > 0) & (x < n) & (y < m)  # elsewhere statsmodels loses digits, or is wrong
        assert usual.sum() > 100
        lower, upper = _rates.koopman(x, n, y, m, Z)
        for i in np.flatnonzero(usual):
            expected = self.proportion.confint_proportions_2indep(
                x[i], n[i], y[i], m[i], compare="ratio", method="score", correction=False
            )
            # The roots of its cubic lose digits: one of 558 bounds is 4e-9 off what 50 digits give, none of ours 1e-12.
            np.testing.assert_allclose((lower[i], upper[i]), expected, rtol=1e-8)

    def test_newcombe(self, two_rates):
        x, n, y, m = two_rates
        expected = self.proportion.confint_proportions_2indep(x, n, y, m, compare="diff", method="newcomb")
        np.testing.assert_allclose(_rates.newcombe(x, n, y, m, Z), expected, rtol=1e-9, atol=1e-12)

    def test_fisher(self, two_rates):
        x, n, y, m = two_rates
        found = _p_values.fisher_test(x, n, y, m)
        for i in range(200):
            table = [[x[i], n[i] - x[i]], [y[i], m[i] - y[i]]]
            assert found[i] == pytest.approx(stats.fisher_exact(table).pvalue, rel=1e-9)

    def test_fisher_in_parts(self, two_rates, monkeypatch):
        whole = _p_values.fisher_test(*two_rates)
        monkeypatch.setattr(_p_values, "MOST_CELLS", 100)
        np.testing.assert_allclose(_p_values.fisher_test(*two_rates), whole, rtol=1e-14)

    def test_fisher_of_long_tables(self):
        found = _p_values.fisher_test(vector(3000), vector(500_000), vector(2900), vector(600_000))
        assert found[0] == pytest.approx(stats.fisher_exact([[3000, 497_000], [2900, 597_100]]).pvalue, rel=1e-7)

    def test_chi_square(self, two_rates):
        x, n, y, m = two_rates
        found = _p_values.chi_square_test(x, n, y, m)
        for i in np.flatnonzero((x + y > 0) & (x + y < n + m))[:100]:
            table = [[x[i], n[i] - x[i]], [y[i], m[i] - y[i]]]
            assert found[i] == pytest.approx(stats.chi2_contingency(table, correction=False).pvalue, rel=1e-9)

    def test_holm(self):
        from statsmodels.stats.multitest import multipletests

        p_value = np.random.default_rng(0).random(50) ** 3
        np.testing.assert_allclose(_p_values.adjust_holm(p_value), multipletests(p_value, method="holm")[1], rtol=1e-12)


class TestRates:
    def test_wilson_by_hand(self):
        # x = 8 of n = 10 at deviate 2: centre (8 + 2) / 14, arm 2 sqrt(8 * 0.2 + 1) / 14
        rate, lower, upper = _rates.wilson(vector(8), vector(10), 2.0)
        assert rate[0] == 0.8
        np.testing.assert_allclose(
            [lower[0], upper[0]], [(10 - 2 * 2.6**0.5) / 14, (10 + 2 * 2.6**0.5) / 14], rtol=1e-14
        )

    def test_wilson_at_the_ends(self):
        rate, lower, upper = _rates.wilson(vector(0, 10, 0), vector(10, 10, 0), 2.0)
        np.testing.assert_allclose(rate, [0, 1, np.nan])
        np.testing.assert_allclose(lower, [0, 10 / 14, np.nan])
        np.testing.assert_allclose(upper, [4 / 14, 1, np.nan])

    @pytest.mark.parametrize(
        ("x", "n", "y", "m", "lower", "upper"),
        [
            (0, 10, 0, 30, 0, np.inf),  # 0/0
            (0, 10, 5, 30, 0, None),
            (5, 10, 0, 30, None, np.inf),
            (10, 10, 30, 30, 10 / (10 + Z**2), (30 + Z**2) / 30),  # the other group is at the end whatever the ratio
            (0, 0, 5, 30, np.nan, np.nan),
            (5, 10, 0, 0, np.nan, np.nan),
        ],
    )
    def test_koopman_at_the_ends(self, x, n, y, m, lower, upper):
        found = _rates.koopman(vector(x), vector(n), vector(y), vector(m), Z)
        for bound, expected in zip(found, (lower, upper), strict=True):
            if expected is None:
                assert np.isfinite(bound[0])
                assert bound[0] > 0
            else:
                np.testing.assert_allclose(bound[0], expected, rtol=1e-9)

    @pytest.mark.parametrize("deviate", [1e-9, 0.01, Z])
    def test_koopman_where_both_rates_are_1(self, deviate):
        """However short the interval: the statistic of a ratio r is -sqrt(m (r - 1)), as the other rate is 1 / r."""
        found = _rates.koopman(vector(1), vector(1), vector(10**6), vector(10**6), deviate)
        np.testing.assert_allclose(found.upper - 1, deviate**2 / 10**6, rtol=1e-6, atol=1e-15)
        np.testing.assert_allclose(found.lower, 1 / (1 + deviate**2), rtol=1e-12)

    def test_koopman_inverts_its_score(self, two_rates):
        x, n, y, m = two_rates
        for bound, deviate in zip(_rates.koopman(x, n, y, m, Z), (Z, -Z), strict=True):
            inside = np.isfinite(bound) & (bound > 0)
            with np.errstate(all="ignore"):
                score = _rates.ratio_score(bound, x, n, y, m)
            np.testing.assert_allclose(score[inside], deviate, rtol=1e-11)

    def test_koopman_turned_round(self, two_rates):
        x, n, y, m = two_rates
        lower, upper = _rates.koopman(x, n, y, m, Z)
        other_lower, other_upper = _rates.koopman(y, m, x, n, Z)
        with np.errstate(divide="ignore"):
            np.testing.assert_allclose(lower, 1 / other_upper, rtol=1e-9)
            np.testing.assert_allclose(upper, 1 / other_lower, rtol=1e-9)

    def test_score_intervals_agree_with_the_chi_square_test(self, two_rates):
        x, n, y, m = two_rates
        with np.errstate(invalid="ignore"):
            rejected = _p_values.chi_square_test(x, n, y, m) < 0.05
        lower, upper = _rates.koopman(x, n, y, m, Z)
        np.testing.assert_array_equal((lower > 1) | (upper < 1), rejected)
        lower, upper = _rates.linear_score([x, y], [n, m], [1, -1], Z)
        np.testing.assert_array_equal((lower > 0) | (upper < 0), rejected)

    def test_count_ratio_is_the_rates_times_the_sizes(self):
        groups, base = counts([30, 5], [10, 5], [40, 0], [20, 10]), counts(50, 30, 100, 20)
        found = _intervals.assess(METHODS["count_ratio"][0], groups, base, 0.95)
        shares = _intervals.assess(_intervals.rate_ratio("selected", "selected rejected"), groups, base, 0.95)
        for bound, share in zip(found.rates[0], shares.rates[0], strict=True):
            np.testing.assert_allclose(bound, share * [100, 20], rtol=1e-14)
        for bound, share in zip(found.value, shares.value, strict=True):
            np.testing.assert_allclose(bound, share * [0.5, 0.1], rtol=1e-12)

    def test_count_ratio_of_groups_of_one_size_is_the_test_of_rates(self):
        groups, base = counts(60, 20, 70, 50), counts(70, 50, 60, 20)
        p_value = METHODS["count_ratio"][0].p_value(groups, base)
        np.testing.assert_allclose(p_value, stats.chi2_contingency([[80, 120], [120, 80]], correction=False).pvalue)

    @given(
        st.lists(st.integers(0, 60), min_size=4, max_size=4),
        st.lists(st.integers(0, 60), min_size=4, max_size=4),
        st.sampled_from(sorted(METHODS)),
    )
    @settings(deadline=None)
    def test_any_counts(self, own, other, name):
        method, none = METHODS[name]
        groups, base = counts(*own), counts(*other)
        found = _intervals.assess(method, groups, base, 0.9)
        wider = _intervals.assess(method, groups, base, 0.99)
        lower, upper = found.value
        assert np.isnan(lower[0]) == np.isnan(upper[0])
        if not np.isnan(lower[0]):
            assert lower[0] <= upper[0]
            assert wider.value.lower[0] <= lower[0] or wider.value.lower[0] == pytest.approx(lower[0], rel=1e-9)
            assert wider.value.upper[0] >= upper[0] or wider.value.upper[0] == pytest.approx(upper[0], rel=1e-9)
            value = value_of(name, groups, base)
            inside = lower[0] <= value <= upper[0] or value in (pytest.approx(lower[0]), pytest.approx(upper[0]))
            assert np.isnan(value) or inside
        p_value = found.p_value[0]
        assert np.isnan(p_value) or 0 <= p_value <= 1
        same = method.p_value(base, base)[0]
        assert np.isnan(same) or same == pytest.approx(1)
        if (
            name in ("mean_rate_difference", "count_ratio", "paired_ratio_difference")
            and np.isfinite([lower, upper]).all()
        ):
            assert (lower[0] > none or upper[0] < none) == (p_value < 0.1)

    @pytest.mark.parametrize("name", METHODS)
    def test_many_groups_as_one_by_one(self, name):
        method = METHODS[name][0]
        cells = np.random.default_rng(1).integers(0, 40, (4, 30)) * np.random.default_rng(2).integers(0, 2, (4, 30))
        base = counts(30, 12, 50, 8)
        whole = _intervals.assess(method, counts(*cells), base, 0.95)
        for i in range(30):
            one = _intervals.assess(method, counts(*cells[:, i]), base, 0.95)
            np.testing.assert_allclose([part[i] for part in whole.value], np.ravel(one.value), rtol=1e-8, atol=1e-10)
            np.testing.assert_allclose(whole.p_value[i], one.p_value[0], rtol=1e-7)

    @pytest.mark.parametrize("name", METHODS)
    def test_base_of_each_group_its_own(self, name):
        method = METHODS[name][0]
        groups, bases = counts([5, 8], [9, 1], [20, 30], [3, 6]), counts([15, 40], [9, 11], [25, 3], [7, 2])
        both = _intervals.assess(method, groups, bases, 0.95)
        for i in range(2):
            one = counts(*(getattr(groups, cell)[i] for cell in ("tp", "fp", "tn", "fn")))
            base = counts(*(getattr(bases, cell)[i] for cell in ("tp", "fp", "tn", "fn")))
            found = _intervals.assess(method, one, base, 0.95)
            np.testing.assert_allclose([part[i] for part in both.value], np.ravel(found.value), rtol=1e-9)


class TestLinearScore:
    def test_of_one_rate_is_wilsons(self, two_rates):
        x, n, *_ = two_rates
        lower, upper = _rates.linear_score([x], [n], [1], Z)
        _, low, high = _rates.wilson(x, n, Z)
        np.testing.assert_allclose(lower, low, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(upper, high, rtol=1e-9)

    def test_bounds_are_where_the_score_test_rejects(self):
        """The most likely rates under a bound, found by a general optimiser, give the normal deviate."""
        x, n, w = np.array([9.0, 3, 12, 20]), np.array([10.0, 12, 30, 25]), np.array([0.5, 0.5, -0.5, -0.5])
        bounds = _rates.linear_score([vector(v) for v in x], [vector(v) for v in n], list(w), Z)
        for bound in bounds:

            def deviance(p: np.ndarray) -> float:
                return -float((x * np.log(p) + (n - x) * np.log1p(-p)).sum())

            found = optimize.minimize(
                deviance,
                x / n,
                bounds=[(1e-9, 1 - 1e-9)] * 4,
                constraints={"type": "eq", "fun": lambda p, bound=bound: w @ p - bound[0]},
                options={"ftol": 1e-14, "maxiter": 1000},
            ).x
            statistic = (w @ (x / n) - bound[0]) / np.sqrt((w**2 * found * (1 - found) / n).sum())
            assert abs(statistic) == pytest.approx(Z, rel=1e-4)

    def test_p_value_of_two_rates_is_the_chi_square_tests(self, two_rates):
        x, n, y, m = two_rates
        found = _rates.linear_score_test([x, y], [n, m], [1, -1])
        defined = (x + y > 0) & (x + y < n + m)
        with np.errstate(invalid="ignore"):
            expected = _p_values.chi_square_test(x, n, y, m)
        np.testing.assert_allclose(found[defined], expected[defined], rtol=1e-8)

    def test_p_value_where_the_interval_ends_at_zero(self):
        hits, trials = [vector(20), vector(8), vector(5), vector(2)], [vector(30), vector(20), vector(30), vector(25)]
        p_value = _rates.linear_score_test(hits, trials, [0.5, 0.5, -0.5, -0.5])[0]
        lower, _ = _rates.linear_score(hits, trials, [0.5, 0.5, -0.5, -0.5], stats.norm.isf(p_value / 2))
        assert lower[0] == pytest.approx(0, abs=1e-9)

    def test_at_the_ends(self):
        lower, upper = _rates.linear_score(
            [vector(10, 0, 0, 3), vector(0, 0, 5, 0)], [vector(10, 10, 0, 4), vector(20, 20, 5, 0)], [1, -1], Z
        )
        np.testing.assert_allclose(upper[0], 1)
        assert 0.5 < lower[0] < 1
        assert -0.3 < lower[1] < 0 < upper[1] < 0.4
        assert np.isnan([lower[2:], upper[2:]]).all()
        p_value = _rates.linear_score_test([vector(0, 0), vector(0, 5)], [vector(9, 0), vector(9, 5)], [1, -1])
        np.testing.assert_array_equal(p_value, [1, np.nan])


class TestMover:
    def test_difference_by_hand(self):
        one, other = _mover.Limits(vector(5), vector(2), vector(9)), _mover.Limits(vector(3), vector(0), vector(7))
        # 2 - sqrt(3² + 4²), 2 + sqrt(4² + 3²)
        assert np.ravel(_mover.mover_difference(one, other)).tolist() == [-3, 7]
        assert np.ravel(_mover.mover_difference(one, other, -1)).tolist() == [-7, 3]

    @given(
        st.tuples(*[st.floats(0.05, 2)] * 2, *[st.floats(0.05, 0.9)] * 2),
        st.floats(-3, 3),
        st.floats(0.2, 3),
        st.booleans(),
    )
    def test_ratio_is_where_the_difference_reaches_zero(self, arms, numerator, divisor, turned):
        one = _mover.Limits(vector(numerator), vector(numerator - arms[0]), vector(numerator + arms[1]))
        other = _mover.Limits(vector(divisor), vector(divisor * (1 - arms[2])), vector(divisor * (1 + arms[3])))
        if turned:
            other = _mover.Limits(-other.centre, -other.upper, -other.lower)
        lower, upper = (bound[0] for bound in _mover.mover_ratio(one, other))
        for bound, side in ((lower, 0), (upper, 1)):
            ends = sorted((bound * other.lower[0], bound * other.upper[0]))
            scaled = _mover.Limits(bound * other.centre, vector(ends[0]), vector(ends[1]))
            reached = _mover.mover_difference(one, scaled)[1 - side if turned else side][0]
            assert reached == pytest.approx(0, abs=1e-6 * (1 + abs(bound)))

    def test_ratio_is_unbounded_where_the_divisor_may_be_zero(self):
        one, other = _mover.Limits(vector(5), vector(2), vector(9)), _mover.Limits(vector(3), vector(-1), vector(7))
        assert np.ravel(_mover.mover_ratio(one, other)).tolist() == [-np.inf, np.inf]

    def test_ratio_has_a_bound_of_zero_where_the_numerator_has(self):
        """An area of 0 to that of one positive and two negatives: the divisor's upper bound is twice its centre."""
        one, other = (_mover.Limits(*map(vector, part)) for part in ((0, 0, 0.4), (0.5, 0.2, 1)))
        lower, upper = (bound[0] for bound in _mover.mover_ratio(one, other))
        assert lower == 0
        assert upper == pytest.approx(1)  # hypot(0.4, R 0.3) = R 0.5

    def test_treatment_equality_by_hand(self):
        # d: 7 misses, 5 false alarms; a: 5 and 10: 7/5 - 5/10 = 0.9
        groups, base = counts(0, 5, 0, 7), counts(0, 10, 0, 5)
        (raw,), (lower, upper), p_value, _ = _intervals.assess(METHODS["odds_difference"][0], groups, base, 0.95)
        _, low, high = _rates.wilson(vector(7, 5), vector(12, 15), Z)
        low, high = low / (1 - low), high / (1 - high)
        np.testing.assert_allclose([raw.lower[0], raw.upper[0]], [low[0], high[0]])
        assert lower[0] == pytest.approx(0.9 - np.hypot(1.4 - low[0], high[1] - 0.5))
        assert upper[0] == pytest.approx(0.9 + np.hypot(high[0] - 1.4, 0.5 - low[1]))
        assert p_value[0] == pytest.approx(stats.chi2_contingency([[7, 5], [5, 10]], correction=False).pvalue)

    def test_treatment_equality_without_false_alarms(self):
        found = _intervals.assess(METHODS["odds_difference"][0], counts(0, 0, 0, [7, 0]), counts(0, 10, 0, 5), 0.95)
        assert np.isfinite(found.value.lower[0])
        assert found.value.upper[0] == np.inf
        assert np.isnan(found.value.lower[1])
        assert np.isnan(found.p_value[1])

    def test_conditional_acceptance_by_hand(self):
        # the Clarify pages' example: a 70/75, d 27/25: DCAcc = 70/75 - 27/25 = -0.146667
        groups, base = counts(20, 5, 18, 7), counts(65, 10, 20, 5)
        found = _intervals.assess(METHODS["paired_ratio_difference"][0], groups, base, 0.95)
        a, d = (_rates.bonett_price(*(vector(v) for v in cells), Z) for cells in ((65, 5, 10), (20, 7, 5)))
        value = 70 / 75 - 27 / 25
        assert found.value.lower[0] == pytest.approx(value - np.hypot(a.centre - a.lower, d.upper - d.centre)[0])
        assert found.value.upper[0] == pytest.approx(value + np.hypot(a.upper - a.centre, d.centre - d.lower)[0])
        deviate = stats.norm.isf(found.p_value[0] / 2)
        _, upper = METHODS["paired_ratio_difference"][0].compare(groups, base, deviate)
        assert upper[0] == pytest.approx(0, abs=1e-8)  # the value is negative: the test is where the upper bound is 0

    def test_rejection_is_acceptance_with_the_classes_exchanged(self):
        groups, base = counts(20, 5, 18, 7), counts(65, 10, 20, 5)
        turned = counts(18, 7, 20, 5), counts(20, 5, 65, 10)
        dcr = _intervals.paired_ratio_difference("tn fp", "tn fn")
        dca = _intervals.paired_ratio_difference("tp fn", "tp fp")
        np.testing.assert_allclose(dcr.compare(groups, base, Z), dca.compare(*turned, Z))


class TestMcc:
    def test_of_large_groups_is_the_delta_methods(self):
        cells = vector(3e6, 1e6, 4e6, 2e6)
        tp, fp, tn, fn = cells
        mcc, lower, upper = _rates.mcc_limits(*(vector(cell) for cell in cells), Z)
        expected = (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
        assert mcc[0] == pytest.approx(expected)
        n = cells.sum()
        (r1, r2), (c1, c2) = ((tp + fn) / n, (tn + fp) / n), ((tp + fp) / n, (tn + fn) / n)
        variance = (  # of Pearson's phi under multinomial sampling
            1
            - mcc**2
            + mcc * (1 + mcc**2 / 2) * (r1 - r2) * (c1 - c2) / np.sqrt(r1 * r2 * c1 * c2)
            - 0.75 * mcc**2 * ((r1 - r2) ** 2 / (r1 * r2) + (c1 - c2) ** 2 / (c1 * c2))
        ) / n
        np.testing.assert_allclose([mcc - lower, upper - mcc], np.full((2, 1), Z * np.sqrt(variance)), rtol=2e-3)

    def test_relabelling_the_classes(self):
        cells = [vector(cell) for cell in (20, 5, 18, 7)]
        tp, fp, tn, fn = cells
        np.testing.assert_allclose(_rates.mcc_limits(*cells, Z), _rates.mcc_limits(tn, fn, tp, fp, Z), rtol=1e-12)
        centre, lower, upper = _rates.mcc_limits(fn, tn, fp, tp, Z)  # predictions turned round
        np.testing.assert_allclose((-centre, -upper, -lower), _rates.mcc_limits(*cells, Z), rtol=1e-12)

    def test_empty_margins(self):
        # nobody selected; no negatives; no row
        limits = _rates.mcc_limits(vector(0, 3, 0), vector(0, 0, 0), vector(5, 0, 0), vector(4, 2, 0), Z)
        np.testing.assert_array_equal(limits, [[0, 0, np.nan], [-1, -1, np.nan], [1, 1, np.nan]])

    def test_all_correct(self):
        mcc, lower, upper = _rates.mcc_limits(vector(10), vector(0), vector(10), vector(0), Z)
        assert mcc[0] == upper[0] == 1
        assert 0.4 < lower[0] < 0.9

    def test_parity(self):
        groups, base = counts(20, 5, 18, 7), counts(65, 10, 20, 5)
        method = METHODS["mcc_ratio"][0]
        found = _intervals.assess(method, groups, base, 0.95)
        assert found.value.lower[0] < 0.5204 / 0.6155 < found.value.upper[0]  # worked by hand: MCCs of the two
        deviate = stats.norm.isf(found.p_value[0] / 2)
        # The test is not made of the interval, but nearly agrees with it.
        assert method.compare(groups, base, deviate).upper[0] == pytest.approx(1, abs=1e-3)


class TestAuc:
    @staticmethod
    def slowly(positives: np.ndarray, negatives: np.ndarray) -> tuple[float, float]:
        above = (positives[:, None] > negatives) + 0.5 * (positives[:, None] == negatives)
        of_positives, of_negatives = above.mean(axis=1), above.mean(axis=0)
        m, n = len(positives), len(negatives)
        return above.mean(), of_positives.var(ddof=1) / m + of_negatives.var(ddof=1) / n

    @given(st.lists(st.integers(0, 9), min_size=2, max_size=30), st.lists(st.integers(0, 9), min_size=2, max_size=30))
    def test_delong_from_its_definition(self, positives, negatives):
        positives, negatives = np.sort(np.array(positives, float)), np.sort(np.array(negatives, float))
        area, variance = _delong.delong(positives, negatives)
        np.testing.assert_allclose((area, variance), self.slowly(positives, negatives), rtol=1e-11, atol=1e-14)
        outcome = np.repeat([1, 0], [len(positives), len(negatives)])
        assert area == pytest.approx(roc_auc_score(outcome, np.concatenate([positives, negatives])))
        turned = _delong.delong(np.sort(-positives), np.sort(-negatives))
        np.testing.assert_allclose(turned, (1 - area, variance), rtol=1e-11, atol=1e-14)

    def test_few_rows(self):
        assert np.isnan(_delong.delong(vector(), vector(0.5))).all()
        area, variance = _delong.delong(vector(0.7), vector(0.2, 0.7, 0.9))
        assert area == 0.5
        assert np.isnan(variance)
        assert _delong.Areas.of_scores([]).auc.shape == (0,)

    def test_limits_of_large_groups_are_delongs(self):
        rng = np.random.default_rng(0)
        areas = _delong.Areas.of_scores([(np.sort(rng.normal(1, 1, 100_000)), np.sort(rng.normal(0, 1, 150_000)))])
        centre, lower, upper = _delong.auc_limits(areas, Z)
        np.testing.assert_allclose((lower, upper), _delong.delong_interval(areas, Z), atol=1e-5)
        assert centre == areas.auc

    def test_limits_without_a_variance(self):
        """Separated classes, and a class of one row: Wilson's interval of the smaller class."""
        areas = _delong.Areas(vector(1, 0.75, np.nan), vector(0, np.nan, np.nan), vector(10, 1, 0), vector(30, 4, 5))
        _, lower, upper = _delong.auc_limits(areas, Z)
        _, low, high = _rates.wilson(vector(10, 0.75), vector(10, 1), Z)
        np.testing.assert_allclose(lower, [*low, np.nan])
        np.testing.assert_allclose(upper, [*high, np.nan])

    def test_parity(self):
        areas = _delong.Areas(vector(0.7, 1.0), vector(0.002, 0), vector(50, 10), vector(70, 12))
        base = _delong.Areas(vector(0.8), vector(0.0005), vector(200), vector(300))
        method = _delong.auc_ratio()
        found = _intervals.assess(method, areas, base, 0.95)
        expected = stats.t.sf(0.1 / 0.0025**0.5, 0.0025**2 / (0.002**2 / 119 + 0.0005**2 / 499)) * 2
        assert found.p_value[0] == pytest.approx(expected)
        # by the delta method on logarithms, which is near enough in the middle
        half = Z * np.sqrt(0.002 / 0.7**2 + 0.0005 / 0.8**2)
        np.testing.assert_allclose(found.value.lower[0], 0.875 * np.exp(-half), rtol=0.02)
        np.testing.assert_allclose(found.value.upper[0], 0.875 * np.exp(half), rtol=0.02)
        # the separated group: the test is where the interval reaches 1
        assert 0 < found.p_value[1] < 1
        at_p = method.compare(areas, base, stats.norm.isf(found.p_value[1] / 2))
        assert at_p.lower[1] == pytest.approx(1, abs=1e-8)


class TestCalibration:
    @pytest.fixture
    def rows(self):
        rng = np.random.default_rng(3)
        scores, groups = rng.beta(2, 3, 5000), rng.integers(0, 3, 5000)
        outcome = (rng.random(5000) < scores**1.3).astype(float)
        bins = np.minimum((scores * 10).astype(int), 9)
        return outcome, scores, bins, groups

    def test_centres_are_the_summaries(self, rows):
        outcome, scores, bins, groups = rows
        sums = calibration.ScoreSums.of_rows(*rows, (3, 10))
        own = groups == 1
        assert calibration.brier_limits(sums, Z).centre[1] == pytest.approx(brier_score_loss(outcome[own], scores[own]))
        in_the_large = calibration.in_the_large_limits(sums, Z).centre[1]
        assert in_the_large == pytest.approx(outcome[own].mean() - scores[own].mean())
        largest = max(
            abs(outcome[own & (bins == b)].mean() - scores[own & (bins == b)].mean())
            for b in range(10)
            if (own & (bins == b)).any()
        )
        assert calibration.largest_error_limits(sums, Z).centre[1] == pytest.approx(largest)

    def test_large_groups_have_normal_intervals(self):
        rng = np.random.default_rng(3)
        scores = rng.beta(2, 3, 400_000)
        outcome = (rng.random(400_000) < scores**1.3).astype(float)
        sums = calibration.ScoreSums.of_rows(
            outcome, scores, (scores * 10).astype(int), np.zeros(400_000, dtype=int), (1, 10)
        )
        chance = scores**1.3 * (1 - scores**1.3)  # variance of the outcome, given the score
        for limits, variance in (
            (calibration.brier_limits, (1 - 2 * scores) ** 2 * chance),
            (calibration.in_the_large_limits, chance),
        ):
            centre, lower, upper = limits(sums, Z)
            half = Z * (variance.mean() / 400_000) ** 0.5
            np.testing.assert_allclose([centre - lower, upper - centre], [[half], [half]], rtol=0.03)
        # all bins are clearly off, so the gaps add up like the bins' rates
        rate = sums.positives[0] / sums.rows[0]
        half = Z * np.sqrt((sums.rows[0] * rate * (1 - rate)).sum()) / 400_000
        centre, lower, upper = calibration.expected_error_limits(sums, Z)
        error = np.abs(sums.positives - sums.scores).sum() / 400_000
        np.testing.assert_allclose([centre, lower, upper], [[error], [error - half], [error + half]], rtol=0.02)

    def test_one_score_is_a_rate(self):
        """All scores 0.25, 12 of 40 outcomes: the intervals are Wilson's of 12/40, shifted or scaled."""
        outcome = np.repeat([1.0, 0.0], [12, 28])
        sums = calibration.ScoreSums.of_rows(
            outcome, np.full(40, 0.25), np.zeros(40, dtype=int), np.zeros(40, dtype=int), (1, 1)
        )
        _, low, high = _rates.wilson(vector(12), vector(40), Z)
        np.testing.assert_allclose(calibration.in_the_large_limits(sums, Z)[1:], [low - 0.25, high - 0.25], rtol=0.03)
        brier = [0.0625 + 0.5 * rate for rate in (low, high)]  # 0.0625 without an outcome, 0.5625 with
        np.testing.assert_allclose(calibration.brier_limits(sums, Z)[1:], brier, rtol=0.03)
        exact = stats.binomtest(12, 40).proportion_ci(0.95)
        assert calibration.largest_error_limits(sums, Z).upper[0] == pytest.approx(exact.high - 0.25)

    @given(st.integers(0, 60), *[st.integers(0, 1000).map(lambda mille: mille / 1000)] * 2)
    def test_moments_of_absolute_gaps(self, rows, rate, expected):
        mean, variance = calibration.absolute_gap_moments(vector(rows), vector(rate), vector(expected))
        if rows == 0:
            assert mean[0] == variance[0] == 0
            return
        chance = stats.binom.pmf(np.arange(rows + 1), rows, rate)
        gap = np.abs(np.arange(rows + 1) / rows - expected)
        assert mean[0] == pytest.approx(chance @ gap, abs=1e-10)
        assert variance[0] == pytest.approx(chance @ gap**2 - (chance @ gap) ** 2, abs=1e-10)

    def test_calibrated_group_may_have_no_error(self):
        """Ten bins of three rows with the scores' own rates: the error seen is chance."""
        rows, scores = np.full((1, 10), 3.0), np.arange(10)[None, :] * 0.3 + 0.15
        positives = np.round(scores)  # as near to the scores as whole numbers can be: nearer than chance would be
        zeros = np.zeros(1)
        sums = calibration.ScoreSums(rows, positives, scores, *[zeros] * 5)
        centre, lower, upper = calibration.expected_error_limits(sums, Z)
        assert centre[0] == lower[0] == 0
        assert upper[0] > 0
        assert calibration.largest_error_limits(sums, Z).lower[0] == 0

    def test_gap_that_no_chance_explains(self):
        """Score 0.1, outcome 80 of 100: the error is 0.7, and its bounds are about Wilson's less 0.1."""
        sums = calibration.ScoreSums(*(np.array([[v]]) for v in (100.0, 80.0, 10.0)), *[np.zeros(1)] * 5)
        _, low, high = _rates.wilson(vector(80), vector(100), Z)
        found = calibration.expected_error_limits(sums, Z)
        np.testing.assert_allclose(found, [[0.7], low - 0.1, high - 0.1], atol=2e-3)
        lower, upper = calibration.largest_error_limits(sums, Z)[1:]
        exact = stats.binomtest(80, 100).proportion_ci(0.95)
        np.testing.assert_allclose((lower[0], upper[0]), (exact.low - 0.1, exact.high - 0.1))

    def test_largest_gap_of_several_bins_allows_for_them(self):
        """Bins of 20 and 30 rows: both bounds are the second's, the lower one at Šidák's level."""
        rows, positives, scores = np.array([[20.0, 30]]), np.array([[12.0, 25]]), np.array([[6.0, 3]])
        sums = calibration.ScoreSums(rows, positives, scores, *[np.zeros(1)] * 5)
        _, lower, upper = calibration.largest_error_limits(sums, Z)
        sidak = 1 - 2 * (1 - 0.975**0.5)
        assert lower[0] == pytest.approx(stats.binomtest(25, 30).proportion_ci(sidak).low - 0.1)
        assert upper[0] == pytest.approx(stats.binomtest(25, 30).proportion_ci(0.95).high - 0.1)

    @pytest.mark.parametrize(
        "limits",
        [
            calibration.brier_limits,
            calibration.in_the_large_limits,
            calibration.expected_error_limits,
            calibration.largest_error_limits,
        ],
    )
    def test_groups_of_no_row_and_of_one(self, limits):
        one = calibration.ScoreSums.of_rows(vector(1), vector(0.3), np.array([1]), np.array([1]), (2, 3))
        centre, lower, upper = limits(one, Z)
        assert np.isnan([centre[0], lower[0], upper[0]]).all()
        assert np.isfinite([lower[1], upper[1]]).all()
        assert lower[1] < upper[1]

    def test_scores_of_one_half_have_one_brier_score(self):
        sums = calibration.ScoreSums.of_rows(
            vector(1, 0), vector(0.5, 0.5), np.zeros(2, dtype=int), np.zeros(2, dtype=int), (1, 1)
        )
        np.testing.assert_array_equal(calibration.brier_limits(sums, Z), [[0.25], [0.25], [0.25]])


class TestAssess:
    def test_base_is_left_out(self):
        groups = counts([30, 20, 5], [10, 15, 5], [40, 20, 9], [20, 40, 9])
        base = counts(30, 10, 40, 20)
        found = _intervals.assess(METHODS["rate_ratio"][0], groups, base, 0.95, np.array([True, False, False]))
        assert np.isnan([found.value.lower[0], found.value.upper[0], found.p_value[0], found.p_adjusted[0]]).all()
        assert np.isfinite(found.rates[0].lower).all()
        smaller, larger = sorted(found.p_value[1:])
        assert sorted(found.p_adjusted[1:]) == pytest.approx([2 * smaller, max(2 * smaller, larger)])

    def test_raw_rates_of_average_odds(self):
        groups = counts([30, 20], [10, 15], [40, 20], [20, 40])
        found = _intervals.assess(METHODS["mean_rate_difference"][0], groups, counts(9, 9, 9, 9), 0.95)
        np.testing.assert_allclose(found.rates[0], _rates.wilson(groups.tp, groups.tp + groups.fn, Z)[1:])
        np.testing.assert_allclose(found.rates[1], _rates.wilson(groups.fp, groups.fp + groups.tn, Z)[1:])

    def test_holm_leaves_out_what_is_undefined(self):
        adjusted = _p_values.adjust_holm(vector(0.01, np.nan, 0.04, 0.03))
        np.testing.assert_allclose(adjusted, [0.03, np.nan, 0.06, 0.06])

    @pytest.mark.parametrize("conf_level", [0, 1, 95, -0.1, "0.95", True, np.nan, [0.9]])
    def test_conf_level_must_be_a_share(self, conf_level):
        with pytest.raises(ValueError, match=r"conf_level must be a number between 0 and 1, such as 0\.95"):
            _intervals.check_conf_level(conf_level)

    def test_percent(self):
        with pytest.raises(ValueError, match=r"got 95\. For 95 percent, pass 0\.95\."):
            _intervals.check_conf_level(95)
        assert _intervals.check_conf_level(np.float32(0.5)) == 0.5

    def test_importing_needs_no_scipy(self):
        code = "import sys, fairness_py._delong, fairness_py._calibration_intervals; sys.exit('scipy' in sys.modules)"
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class TestRoots:
    def test_as_scipy(self):
        power = vector(1, 2, 3, 5, 9)
        found = _roots.find_root(lambda x: x**power - 2, np.zeros(5), np.full(5, 3.0))
        np.testing.assert_allclose(found, 2 ** (1 / power), rtol=1e-12)

    def test_flat_and_steep(self):
        found = _roots.find_root(lambda x: np.tanh(1e4 * (x - 0.123)), vector(-50), vector(1000))
        assert found[0] == pytest.approx(0.123, abs=1e-12)

    def test_without_change_of_sign(self):
        assert _roots.find_root(lambda x: x + 1, vector(0), vector(5))[0] == 0
