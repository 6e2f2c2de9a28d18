"""Intervals and tests as a result shows them: against R, against statsmodels, and what they must be."""

import inspect
import json
import math

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import fairness_py
from fairness_py.metrics import METRICS

COMPAS = {"outcome": "Two_yr_Recidivism", "group": "ethnicity", "probs": "probability", "base": "Caucasian"}
COUNTED = sorted(set(METRICS) - {"calibration_within_groups"})


@pytest.fixture(scope="module")
def from_r(golden_dir):
    return json.loads((golden_dir / "uncertainty_r.json").read_text())


def people(spec):
    """Make rows of {group: (tp, fn, fp, tn)}."""
    rows = []
    for group, (tp, fn, fp, tn) in spec.items():
        rows += [(group, 1, 1)] * tp + [(group, 1, 0)] * fn + [(group, 0, 1)] * fp + [(group, 0, 0)] * tn
    return pd.DataFrame(rows, columns=["g", "y", "h"])


RATES = {"fnr": ("fnr_parity", "FNR"), "fpr": ("fpr_parity", "FPR"), "ppv": ("pred_rate_parity", "Precision"),
         "npv": ("npv_parity", "NPV")}  # fmt: skip


def test_rates_have_the_wilson_intervals_of_r(compas, from_r):
    tables = {rate: getattr(fairness_py, name)(compas, **COMPAS, conf_level=0.95).Intervals
              for rate, (name, _) in RATES.items()}  # fmt: skip
    assert {entry["rate"] for entry in from_r["rates"]} == set(RATES)
    for entry in from_r["rates"]:
        table, row = tables[entry["rate"]], RATES[entry["rate"]][1]
        assert table.loc[f"{row} lower", entry["group"]] == pytest.approx(entry["wilson_lower"], rel=1e-9)
        assert table.loc[f"{row} upper", entry["group"]] == pytest.approx(entry["wilson_upper"], rel=1e-9)


def test_p_values_are_those_of_r_chi_square_or_fisher_as_counts_demand(compas, from_r):
    for entry in from_r["tests"]:
        name, _ = RATES[entry["rate"]]
        p_value = getattr(fairness_py, name)(compas, **COMPAS, conf_level=0.95).Intervals.loc["p-value", entry["group"]]
        hits, misses = entry["x"] + entry["xb"], entry["n"] - entry["x"] + entry["nb"] - entry["xb"]
        least = min(hits, misses) * min(entry["n"], entry["nb"]) / (entry["n"] + entry["nb"])
        assert p_value == pytest.approx(entry["p_fisher"] if least < 5 else entry["p_chi2"], rel=1e-9)


def test_auc_tests_are_delongs_as_in_proc(compas, from_r):
    table = fairness_py.roc_parity(compas, **COMPAS, conf_level=0.95).Intervals
    for entry in from_r["auc_difference"]:
        assert table.loc["p-value", entry["group"]] == pytest.approx(entry["p_value"], rel=1e-9)


@pytest.mark.parametrize("name", COUNTED)
def test_a_level_adds_intervals_and_changes_nothing_else(compas, name):
    plain = getattr(fairness_py, name)(compas, **COMPAS)
    result = getattr(fairness_py, name)(compas, **COMPAS, conf_level=0.9)
    pd.testing.assert_frame_equal(plain.Metric, result.Metric)
    assert "Intervals" not in plain
    assert list(result) == [*plain, "Intervals"]
    assert list(result.Intervals.columns) == list(result.Metric.columns)
    assert result.Intervals.attrs["conf_level"] == 0.9


@pytest.mark.parametrize("name", COUNTED)
def test_intervals_hold_their_values_and_grow_with_the_level(compas, name):
    metric = METRICS[name]
    function = getattr(fairness_py, name)
    narrow, wide = (function(compas, **COMPAS, conf_level=level).Intervals for level in (0.8, 0.99))
    table = function(compas, **COMPAS).Metric
    for row in (*metric.rates, metric.value_row):
        value = table.loc[row].iloc[1:]
        for bounds in (narrow, wide):
            assert (bounds.loc[f"{row} lower"].iloc[1:] <= value + 1e-12).all()
            assert (bounds.loc[f"{row} upper"].iloc[1:] >= value - 1e-12).all()
        assert (wide.loc[f"{row} lower"].iloc[1:] <= narrow.loc[f"{row} lower"].iloc[1:]).all()
        assert (wide.loc[f"{row} upper"].iloc[1:] >= narrow.loc[f"{row} upper"].iloc[1:]).all()


@pytest.mark.parametrize("name", COUNTED)
def test_every_function_takes_the_level_by_keyword_only(name):
    parameter = inspect.signature(getattr(fairness_py, name)).parameters["conf_level"]
    assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
    assert parameter.default is None


def test_holm_multiplies_the_ordered_p_values(compas):
    table = fairness_py.fnr_parity(compas, **COMPAS, conf_level=0.95).Intervals
    raw = table.loc["p-value"].iloc[1:].sort_values()
    by_hand = np.minimum(np.maximum.accumulate(raw.to_numpy() * np.arange(len(raw), 0, -1)), 1)
    assert table.loc["p-value (Holm)", raw.index].to_numpy() == pytest.approx(by_hand)


def test_the_ratio_has_koopmans_interval_of_statsmodels(compas):
    from statsmodels.stats.proportion import confint_proportions_2indep

    table = fairness_py.fnr_parity(compas, **COMPAS, conf_level=0.95).Intervals
    expected = confint_proportions_2indep(411, 1661, 434, 822, compare="ratio", method="score", correction=False)
    found = table.loc[["FNR Parity lower", "FNR Parity upper"], "African_American"]
    assert found.to_numpy() == pytest.approx(expected, rel=1e-6)


@pytest.mark.filterwarnings("ignore:.*undefined")
@pytest.mark.parametrize("name", [name for name in COUNTED if name != "roc_parity"])
def test_empty_cells_give_intervals_that_make_sense(name):
    data = people(
        {"a": (10, 5, 5, 10), "all right": (6, 0, 0, 6), "all wrong": (0, 6, 6, 0), "one class": (4, 0, 0, 0)}
    )
    result = getattr(fairness_py, name)(data, "y", "g", preds="h", conf_level=0.95)
    metric = METRICS[name]
    for group in result.Metric.columns[1:]:
        value = result.Metric.loc[metric.value_row, group]
        lower, upper = result.Intervals.loc[[f"{metric.value_row} lower", f"{metric.value_row} upper"], group]
        p_value = result.Intervals.loc["p-value", group]
        assert math.isnan(lower) == math.isnan(upper)
        if not math.isnan(lower) and not math.isnan(value):
            assert lower <= value + 1e-12
            assert value - 1e-12 <= upper
        assert math.isnan(p_value) or 0 <= p_value <= 1


def test_a_base_of_zero_gives_a_ratio_bounded_below_only():
    result = fairness_py.fpr_parity(
        people({"a": (5, 5, 0, 20), "b": (5, 5, 10, 10)}), "y", "g", preds="h", conf_level=0.9
    )
    lower, upper = result.Intervals.loc[["FPR Parity lower", "FPR Parity upper"], "b"]
    assert 1 < lower < math.inf
    assert upper == math.inf


@pytest.mark.parametrize("level", [0, 1, 95, -0.1, "0.95", True, math.nan])
def test_a_level_that_is_none_is_refused(level):
    with pytest.raises(ValueError, match="conf_level must be a number between 0 and 1"):
        fairness_py.acc_parity(people({"a": (1, 1, 1, 1)}), "y", "g", preds="h", conf_level=level)


def test_the_bar_chart_shows_the_intervals_and_says_so(compas):
    result = fairness_py.fnr_parity(compas, **COMPAS, conf_level=0.95)
    axes = result.Metric_plot.axes[0]
    texts = " ".join(text.get_text() for text in result.Metric_plot.findobj(Text))
    lines = {tuple(line.get_xdata()) for line in axes.lines}
    bounds = result.Intervals.loc[["FNR Parity lower", "FNR Parity upper"]]
    for group in bounds.columns[1:]:
        assert any(line == pytest.approx(tuple(bounds[group])) for line in lines if len(line) == 2)
    assert "95 % intervals" in texts


def test_the_summary_says_what_was_found():
    data = people({"a": (300, 200, 200, 300), "b": (450, 50, 200, 300), "few": (3, 2, 2, 3), "none": (0, 0, 5, 5)})
    result = fairness_py.fnr_parity(data, "y", "g", preds="h", conf_level=0.95)
    b, few, none = result.summary().splitlines()
    assert b.startswith("FNR of b is 0.25 times that of a (95 % interval ")  # (50 / 500) / (200 / 500)
    assert b.endswith("p < 0.001, Holm): a clear disparity.")
    assert few.startswith("FNR of few is 1.00 times that of a ")
    assert few.endswith("too few rows to tell.")
    assert none == "FNR of none against a is undefined: the group has no positive outcome."
    assert " fair" not in result.summary()
    sure = fairness_py.fnr_parity(data, "y", "g", preds="h", conf_level=0.9999999)
    assert "(99.99999 % interval " in sure.summary()  # not 100 %


def test_a_small_disparity_may_be_clear():
    data = people({"a": (60_000, 40_000, 1, 1), "b": (58_000, 42_000, 1, 1)})
    line = fairness_py.fnr_parity(data, "y", "g", preds="h", conf_level=0.95).summary()
    assert line.startswith("FNR of b is 1.05 times that of a ")
    assert line.endswith("p < 0.001): a clear disparity, but a small one.")


def test_there_is_no_base_where_each_is_held_against_the_rest():
    data = people({"a": (0, 0, 5, 5), "b": (3, 2, 1, 1)})  # all who have the outcome are in b
    with pytest.warns(UserWarning, match="is undefined"):
        result = fairness_py.recall_difference(data, "y", "g", preds="h", versus="rest", conf_level=0.95)
    assert result.summary().splitlines()[1].endswith("is undefined: the other groups have no positive outcome.")
    assert "base" not in result.summary()


def test_one_group_has_nothing_to_be_compared_with():
    result = fairness_py.fnr_parity(people({"a": (3, 2, 1, 1)}), "y", "g", preds="h", conf_level=0.95)
    assert result.summary() == "There is one group only, and nothing to compare it with."


def test_one_comparison_is_not_adjusted():
    """Koopman's interval of 4 of 4 and 3 of 9 misses does not contain 1; Fisher's p is (35 + 15) / 715 = 0.070."""
    data = people({"a": (0, 4, 0, 1), "b": (6, 3, 0, 1)})
    line = fairness_py.fnr_parity(data, "y", "g", preds="h", conf_level=0.95).summary()
    assert line.endswith("p = 0.070): a disparity that may be chance, for interval and test do not agree.")


def test_a_summary_needs_intervals(compas):
    with pytest.raises(ValueError, match="conf_level"):
        fairness_py.fnr_parity(compas, **COMPAS).summary()
