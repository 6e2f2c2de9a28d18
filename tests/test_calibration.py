"""Calibration within groups: by hand, against scikit-learn and statsmodels where definitions meet, and identities."""

from __future__ import annotations

import copy
import io
import itertools
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from helpers import messages_of, quietly
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from fairness_py import calibration_within_groups, plot_calibration

SUMMARY = [
    "Mean score",
    "Observed rate",
    "Calibration-in-the-large",
    "Expected calibration error",
    "Largest bin error",
    "Brier score",
    "Group size",
]
COLUMNS = [
    "Group",
    "Bin",
    "From",
    "To",
    "n",
    "Mean score",
    "Observed rate",
    "Lower",
    "Upper",
    "Gap",
    "Gap lower",
    "Gap upper",
]

# five people of a and four of b, in the bins [0, 0.5] and (0.5, 1]
NINE = pd.DataFrame(
    {
        "group": list("aaaaabbbb"),
        "outcome": [0, 1, 1, 1, 0, 0, 0, 1, 1],
        "score": [0.0, 0.25, 0.5, 0.75, 1.0, 0.125, 0.25, 0.5, 0.5],
    }
)


def calibrate(frame, **options):
    return calibration_within_groups(frame, "outcome", "group", "score", **options)


def curve_of(result, group):
    curves = result["Calibration"]
    return curves[curves["Group"] == group].reset_index(drop=True)


def random_people(seed, n=2000, *, decimals=None):
    generator = np.random.default_rng(seed)
    score = generator.beta(2, 3, n)
    if decimals is not None:
        score = score.round(decimals)
    frame = pd.DataFrame({"group": generator.choice(["a", "b", "c"], n, p=[0.6, 0.3, 0.1]), "score": score})
    return frame.assign(outcome=(generator.random(n) < score**1.3).astype(int))


# ------------------------------------------------------------------ by hand


def test_summary_by_hand():
    result = calibrate(NINE, bins=2, strategy="uniform")
    assert list(result.Metric.index) == SUMMARY
    a, b = result.Metric["a"], result.Metric["b"]
    # a: (0, 0.25, 0.5) with 2 of 3, and (0.75, 1) with 1 of 2; b: (0.125, 0.25, 0.5, 0.5) with 2 of 4
    assert a.tolist() == pytest.approx(
        [
            2.5 / 5,
            3 / 5,
            3 / 5 - 2.5 / 5,
            3 / 5 * (2 / 3 - 0.25) + 2 / 5 * (0.875 - 1 / 2),
            2 / 3 - 0.25,
            (0 + 0.75**2 + 0.5**2 + 0.25**2 + 1) / 5,
            5,
        ]
    )
    assert b.tolist() == pytest.approx(
        [1.375 / 4, 2 / 4, 0.625 / 4, 0.5 - 0.34375, 0.5 - 0.34375, (0.125**2 + 0.25**2 + 0.25 + 0.25) / 4, 4]
    )


def test_curves_by_hand():
    result = calibrate(NINE, bins=2, strategy="uniform")
    curves = result["Calibration"]
    assert list(curves.columns) == COLUMNS
    assert curves["Group"].tolist() == ["a", "a", "b", "b"]
    assert curves["Bin"].tolist() == [1, 2, 1, 2]
    assert curves["From"].tolist() == [0, 0.5, 0, 0.5]
    assert curves["To"].tolist() == [0.5, 1, 0.5, 1]
    assert curves["n"].tolist() == [3, 2, 4, 0]
    assert curves["Mean score"].tolist() == pytest.approx([0.25, 0.875, 0.34375, math.nan], nan_ok=True)
    assert curves["Observed rate"].tolist() == pytest.approx([2 / 3, 1 / 2, 2 / 4, math.nan], nan_ok=True)
    assert curves["Gap"].tolist() == pytest.approx([0, 0, 2 / 4 - 2 / 3, math.nan], nan_ok=True)
    assert curves.attrs == {"conf_level": 0.95, "strategy": "uniform"}
    of_base = curves[["Gap lower", "Gap upper"]].iloc[:2]
    assert of_base.isna().all(axis=None)


def test_quantile_bins_by_hand():
    # nine scores: the quartiles are the 3rd, the 5th and the 7th of 0 0.125 0.25 0.25 0.5 0.5 0.5 0.75 1
    curves = calibrate(NINE, bins=4)["Calibration"]
    assert curves["From"].tolist()[:3] == [0, 0.25, 0.5]  # two quartiles coincide, so there are three bins
    assert curves["To"].tolist()[:3] == [0.25, 0.5, 1]
    assert curves["n"].tolist() == [2, 1, 2, 2, 2, 0]


def test_base_comes_first_and_gaps_are_held_against_it():
    one, other = calibrate(NINE, bins=2, strategy="uniform"), calibrate(NINE, bins=2, strategy="uniform", base="b")
    assert list(other.Metric.columns) == ["b", "a"]
    assert one.base == "a"
    assert curve_of(other, "a").loc[0, "Gap"] == -curve_of(one, "b").loc[0, "Gap"]
    assert curve_of(other, "a").loc[0, "Gap lower"] == pytest.approx(-curve_of(one, "b").loc[0, "Gap upper"])


def test_the_histogram_counts_every_score_once():
    histogram = calibrate(NINE)["Histogram"]
    assert histogram.shape == (20, 2)
    assert histogram.sum().tolist() == [5, 4]
    assert histogram["a"][histogram["a"] > 0].to_dict() == {0.0: 1, 0.25: 1, 0.5: 1, 0.75: 1, 0.95: 1}


# ------------------------------------------------------------------ edges, ties, small and constant groups


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
@pytest.mark.parametrize("bins", [1, 2, 3, 7, 10, 100])
def test_everybody_is_in_a_bin_and_groups_share_the_bins(strategy, bins):
    frame = pd.DataFrame(
        {"group": list("aaaabbbb"), "outcome": [0, 0, 1, 1, 0, 1, 0, 1], "score": [0, 0.1, 0.95, 1, 0.5, 0.5, 0, 1]}
    )
    result = calibrate(frame, strategy=strategy, bins=bins)
    a, b = curve_of(result, "a"), curve_of(result, "b")
    assert a["n"].sum() == b["n"].sum() == 4
    assert a[["Bin", "From", "To"]].equals(b[["Bin", "From", "To"]])
    assert len(a) <= bins
    assert (a["To"].to_numpy()[:-1] == a["From"].to_numpy()[1:]).all()
    for curve in (a, b):
        filled = curve[curve["n"] > 0]
        first = filled["Bin"] == 1
        assert ((filled["Mean score"] > filled["From"]) | first).all()
        assert (filled["Mean score"] <= filled["To"]).all()
        assert (
            curve.loc[curve["n"] == 0, ["Mean score", "Observed rate", "Lower", "Upper", "Gap"]].isna().all(axis=None)
        )


def test_0_and_1_belong_to_the_first_and_the_last_bin():
    frame = pd.DataFrame({"group": "a", "outcome": [0, 1], "score": [0.0, 1.0]})
    curve = curve_of(calibrate(frame, strategy="uniform"), "a")
    assert curve["n"].tolist() == [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]


def test_tied_scores_stay_together():
    frame = random_people(1, decimals=1)
    for strategy in ("quantile", "uniform"):
        curves = calibrate(frame, strategy=strategy)["Calibration"]
        edges = np.append(curves["From"].to_numpy()[: curves["Bin"].max()], 1.0)
        in_bin = [frame["score"].between(low, high, inclusive="right") for low, high in itertools.pairwise(edges)]
        assert (np.diff(edges) > 0).all()
        assert curves.groupby("Bin")["n"].sum().tolist()[1:] == [int(rows.sum()) for rows in in_bin[1:]]


@pytest.mark.parametrize("score", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
def test_all_scores_equal(score, strategy):
    frame = pd.DataFrame({"group": list("aaab"), "outcome": [0, 1, 1, 1], "score": score})
    result = calibrate(frame, strategy=strategy)
    assert result.Metric["a"].tolist() == pytest.approx(
        [score, 2 / 3, 2 / 3 - score, abs(2 / 3 - score), abs(2 / 3 - score), (score**2 + 2 * (1 - score) ** 2) / 3, 3]
    )
    assert curve_of(result, "a")["n"].sum() == 3
    result["Calibration_plot"].savefig(io.BytesIO())


def test_a_group_of_one_and_a_group_of_one_outcome():
    frame = pd.concat(
        [
            random_people(2, 200),
            pd.DataFrame({"group": ["x", "y", "y"], "outcome": [1, 0, 0], "score": [0.2, 0.3, 0.4]}),
        ]
    )
    result = calibrate(frame)
    assert result.Metric["x"].tolist() == pytest.approx([0.2, 1, 0.8, 0.8, 0.8, 0.64, 1])
    assert result.Metric.loc["Observed rate", "y"] == 0
    row = curve_of(result, "x").query("n == 1").iloc[0]
    assert (row["Lower"], row["Upper"]) == pytest.approx((1 / (1 + 1.959963984540054**2), 1))


def test_a_level_without_rows():
    frame = NINE.assign(group=pd.Categorical(NINE["group"], categories=["a", "b", "z"]))
    assert messages_of(calibrate, frame) == ["calibration_within_groups is undefined (NaN): group 'z' has no rows."]
    result = quietly(calibrate, frame)
    assert result.Metric["z"].isna().tolist() == [True] * 6 + [False]
    assert result.Metric.loc["Group size", "z"] == 0
    assert curve_of(result, "z")["n"].sum() == 0
    result["Calibration_plot"].savefig(io.BytesIO())


def test_rows_with_missing_values_are_left_out_and_counted():
    frame = pd.concat(
        [NINE, pd.DataFrame({"group": ["a", None, "b"], "outcome": [1, 1, None], "score": [None, 0.5, 0.5]})]
    )
    assert messages_of(calibrate, frame) == [
        "3 of 12 rows were left out: group is missing in 1, probs are missing in 1, outcome is missing in 1."
    ]
    assert quietly(calibrate, frame).Metric.equals(calibrate(NINE).Metric)


def test_scores_of_the_other_level_are_noticed():
    frame = random_people(3)
    assert any(
        "rank 0 higher than 1" in message for message in messages_of(calibrate, frame.assign(score=1 - frame["score"]))
    )


def test_numeric_groups_can_be_binned():
    frame = random_people(4).assign(group=lambda people: 20 + 50 * people["score"])
    result = calibrate(frame, group_breaks=[20, 30, 40, 70])
    assert list(result.Metric.columns) == ["(20,30]", "(30,40]", "(40,70]"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bins": 0}, "bins must be a whole number of bins, at least 1, got 0"),
        ({"bins": 2.5}, "bins must be a whole number"),
        ({"bins": True}, "bins must be a whole number"),
        ({"bins": "ten"}, "bins must be a whole number"),
        ({"strategy": "kmeans"}, "strategy must be one of 'quantile', 'uniform', got 'kmeans'"),
        ({"conf_level": 95}, r"conf_level must be a number between 0 and 1.*pass 0\.95"),
        ({"base": "c"}, "base must be one of the groups 'a', 'b', got 'c'"),
    ],
)
def test_errors(options, message):
    with pytest.raises(ValueError, match=message):
        calibrate(NINE, **options)


def test_errors_of_the_columns():
    with pytest.raises(ValueError, match="Probs have to be supplied"):
        calibration_within_groups(NINE, "outcome", "group", None)
    with pytest.raises(ValueError, match="probs must be probabilities between 0 and 1, got 75"):
        calibrate(NINE.assign(score=[75.0] * 9))
    with pytest.raises(ValueError, match=r"must be binary.*it has 3"):
        calibrate(NINE.assign(outcome=list("xyzxyzxyz")))


# ------------------------------------------------------------------ against other libraries


@pytest.mark.parametrize("decimals", [None, 2, 1])
@pytest.mark.parametrize("bins", [2, 10, 25])
def test_uniform_bins_are_those_of_scikit_learn(bins, decimals):
    frame = random_people(5, decimals=decimals)
    result = calibrate(frame, strategy="uniform", bins=bins)
    for group, people in frame.groupby("group"):
        observed, mean = calibration_curve(people["outcome"], people["score"], n_bins=bins, strategy="uniform")
        curve = curve_of(result, group).query("n > 0")
        np.testing.assert_allclose(curve["Observed rate"], observed, rtol=1e-12)
        np.testing.assert_allclose(curve["Mean score"], mean, rtol=1e-12)


@pytest.mark.parametrize("decimals", [None, 2, 1])
@pytest.mark.parametrize("bins", [2, 10, 25])
def test_quantile_bins_of_all_rows_are_those_of_scikit_learn(bins, decimals):
    frame = random_people(6, decimals=decimals).assign(group="everybody")
    observed, mean = calibration_curve(frame["outcome"], frame["score"], n_bins=bins, strategy="quantile")
    curve = calibrate(frame, bins=bins)["Calibration"].query("n > 0")
    np.testing.assert_allclose(curve["Observed rate"], observed, rtol=1e-12)
    np.testing.assert_allclose(curve["Mean score"], mean, rtol=1e-12)


def test_the_brier_score_is_that_of_scikit_learn():
    frame = random_people(7)
    metric = calibrate(frame).Metric
    for group, people in frame.groupby("group"):
        assert metric.loc["Brier score", group] == pytest.approx(brier_score_loss(people["outcome"], people["score"]))


@pytest.mark.parametrize("conf_level", [0.5, 0.95, 0.999])
def test_the_intervals_are_those_of_statsmodels(conf_level):
    result = calibrate(random_people(8, 400), conf_level=conf_level)
    base = curve_of(result, "a")
    for group in "abc":
        curve = curve_of(result, group)
        for place, row in curve.query("n > 0").iterrows():
            hits = round(row["n"] * row["Observed rate"])
            expected = proportion_confint(hits, row["n"], alpha=1 - conf_level, method="wilson")
            assert (row["Lower"], row["Upper"]) == pytest.approx(expected, abs=1e-12)
            if group != "a" and base.loc[place, "n"]:
                base_hits = round(base.loc[place, "n"] * base.loc[place, "Observed rate"])
                expected = confint_proportions_2indep(
                    hits,
                    row["n"],
                    base_hits,
                    base.loc[place, "n"],
                    method="newcomb",
                    compare="diff",
                    alpha=1 - conf_level,
                )
                assert (row["Gap lower"], row["Gap upper"]) == pytest.approx(expected, abs=1e-12)


# ------------------------------------------------------------------ identities

scored = st.lists(
    st.tuples(st.sampled_from("ab"), st.booleans(), st.sampled_from([0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.999, 1])),
    min_size=2,
).filter(lambda rows: len({outcome for _, outcome, _ in rows}) == 2)


@settings(max_examples=40, deadline=None)
@given(rows=scored, bins=st.integers(1, 12), strategy=st.sampled_from(["quantile", "uniform"]))
def test_the_summary_is_made_of_the_bins(rows, bins, strategy):
    frame = pd.DataFrame(rows, columns=["group", "outcome", "score"])
    result = quietly(calibrate, frame, bins=bins, strategy=strategy)
    for group, people in frame.groupby("group"):
        curve = curve_of(result, group).query("n > 0")
        error = (curve["Observed rate"] - curve["Mean score"]).abs()
        large = people["outcome"].mean() - people["score"].mean()
        summary = result.Metric[group]
        assert curve["n"].sum() == summary["Group size"] == len(people)
        assert summary["Calibration-in-the-large"] == pytest.approx(large, abs=1e-12)
        assert summary["Expected calibration error"] == pytest.approx(
            (curve["n"] * error).sum() / len(people), abs=1e-12
        )
        assert summary["Largest bin error"] == pytest.approx(error.max(), abs=1e-12)
        assert abs(large) <= summary["Expected calibration error"] + 1e-12 <= error.max() + 2e-12


@settings(max_examples=20, deadline=None)
@given(rows=scored)
def test_one_bin_is_calibration_in_the_large(rows):
    frame = pd.DataFrame(rows, columns=["group", "outcome", "score"])
    metric = quietly(calibrate, frame, bins=1).Metric
    np.testing.assert_allclose(
        metric.loc["Expected calibration error"], metric.loc["Calibration-in-the-large"].abs(), atol=1e-15
    )


def test_outcomes_drawn_by_their_scores_are_calibrated():
    generator = np.random.default_rng(9)
    score = generator.random(40_000)
    frame = pd.DataFrame({"group": "a", "score": score, "outcome": generator.random(40_000) < score})
    assert calibrate(frame, strategy="uniform").Metric.loc["Largest bin error", "a"] < 0.03
    assert calibrate(frame.assign(score=score**2), strategy="uniform").Metric.loc["Largest bin error", "a"] > 0.1


# ------------------------------------------------------------------ the result and its plot


def test_keys_and_types():
    result = calibrate(NINE)
    assert list(result) == [
        "Metric",
        "Metric_plot",
        "Probability_plot",
        "Calibration",
        "Calibration_plot",
        "Histogram",
        "Intervals",
    ]
    assert result.Calibration is result["Calibration"]
    assert "Calibration_plot" in repr(result)
    assert result["Calibration"]["n"].dtype == np.int64


def test_intervals_hold_the_summary():
    frame = random_people(11)
    result = calibrate(frame, conf_level=0.9)
    intervals = result["Intervals"]
    assert intervals.attrs["conf_level"] == 0.9
    bounded = [*SUMMARY[1:6], "Difference in calibration-in-the-large"]
    assert list(intervals.index) == [
        *(f"{row} {side}" for row in bounded for side in ("lower", "upper")),
        *("p-value", "p-value (Holm)"),
    ]
    for row in ("Observed rate", "Calibration-in-the-large", "Largest bin error", "Brier score"):
        assert (intervals.loc[f"{row} lower"] <= result.Metric.loc[row]).all()
        assert (intervals.loc[f"{row} upper"] >= result.Metric.loc[row]).all()
    hits = int(frame.loc[frame["group"] == "b", "outcome"].sum())
    expected = proportion_confint(hits, result.Metric.loc["Group size", "b"], alpha=0.1, method="wilson")
    assert intervals.loc[["Observed rate lower", "Observed rate upper"], "b"].tolist() == pytest.approx(expected)
    wider = calibrate(frame, conf_level=0.99)["Intervals"]
    assert (wider.iloc[:10:2].to_numpy() <= intervals.iloc[:10:2].to_numpy()).all()
    assert (wider.iloc[1:10:2].to_numpy() >= intervals.iloc[1:10:2].to_numpy()).all()


def test_the_base_is_compared_with_nothing():
    intervals = calibrate(random_people(12))["Intervals"]
    assert intervals.iloc[10:]["a"].isna().all()
    assert intervals.iloc[10:][["b", "c"]].notna().all(axis=None)


def test_the_summary_in_words():
    frame = random_people(13, 6000)
    frame["score"] = np.where(frame["group"] == "c", frame["score"] / 2, frame["score"])
    lines = calibrate(frame).summary().splitlines()
    assert [line.split(" is ")[0] for line in lines] == [f"Calibration-in-the-large of {group}" for group in "abc"]
    assert "the scores promise less than what happens; difference to a: p < 0.001, Holm." in lines[2]


def test_copies_have_tables_of_their_own():
    result = calibrate(NINE, conf_level=0.9)
    for again in (copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert again == result
        assert again["Calibration"].attrs["conf_level"] == 0.9
        again["Calibration_plot"].savefig(io.BytesIO())
        again["Calibration"].loc[0, "n"] = 99
        assert again != result
    assert calibrate(NINE, bins=2) != result


def test_the_plot_shows_the_curves():
    result = calibrate(random_people(10))
    axes = plot_calibration(result, ax=Figure().subplots())
    for line, group in zip(axes.lines, "abc", strict=False):
        curve = curve_of(result, group).query("n > 0")
        assert line.get_xdata().tolist() == curve["Mean score"].tolist()
        assert line.get_ydata().tolist() == curve["Observed rate"].tolist()
    intervals = [lines for lines in axes.collections if isinstance(lines, LineCollection)]
    drawn = [segment[:, 1].tolist() for segment in intervals[1].get_segments()]
    curve = curve_of(result, "b").query("n > 0")
    assert drawn == curve[["Lower", "Upper"]].to_numpy().tolist()
    assert axes.lines[3].get_xydata().tolist() == [[0, 0], [1, 1]]
    assert "hollow: bins of fewer than 10 rows" not in " ".join(text.get_text() for text in axes.texts)
    shares = axes.child_axes[0].patches[0].get_data().values
    np.testing.assert_allclose(shares, result["Histogram"]["a"] / result["Histogram"]["a"].sum())
    texts = [text.get_text() for text in axes.figure.findobj(Text)]
    assert any("95 % intervals" in text for text in texts)
    assert f"c: n = {int(result.Metric.loc['Group size', 'c'])}" in texts


def test_a_line_leads_through_bins_of_ten_rows_at_least():
    """Nine rows with scores of 0.1 and 0.5, ten with 0.3 and 0.7, all in a group; none in another."""
    data = pd.DataFrame(
        {
            "outcome": [0, 1] * 19,
            "group": pd.Categorical(["a"] * 38, ["a", "empty"]),
            "score": [0.1] * 9 + [0.3] * 10 + [0.5] * 9 + [0.7] * 10,
        }
    )
    with pytest.warns(UserWarning, match="'empty' has no rows"):
        result = calibration_within_groups(data, "outcome", "group", "score", strategy="uniform", bins=5)
    axes = plot_calibration(result, ax=Figure().subplots())
    points = axes.lines[0].get_xydata()
    assert points[~np.isnan(points[:, 1]), 0] == pytest.approx([0.3, 0.7])
    hollow = [points for points in axes.collections if len(points.get_offsets()) == 2]
    assert [points.get_offsets()[:, 0].tolist() for points in hollow] == [pytest.approx([0.1, 0.5])]
    assert any("hollow: bins of fewer than 10 rows" in text.get_text() for text in axes.texts)
    assert axes.get_legend().get_texts()[1].get_text() == "empty: n = 0, no curve"
    assert axes.get_legend().legend_handles[1].get_linestyle() == "None"


def test_the_plot_takes_colours():
    axes = plot_calibration(calibrate(NINE), ax=Figure().subplots(), palette={"a": "red", "b": "blue"})
    assert [line.get_color() for line in axes.lines[:2]] == [to_rgb("red"), to_rgb("blue")]


def test_the_bars_are_calibration_in_the_large():
    result = calibrate(NINE)
    bars = result["Metric_plot"].axes[0].patches
    assert [bar.get_width() for bar in bars] == result.Metric.loc["Calibration-in-the-large"].tolist()


def test_the_plot_needs_a_calibration():
    from fairness_py import fnr_parity

    with pytest.raises(ValueError, match="result must be one of calibration_within_groups"):
        plot_calibration(fnr_parity(NINE, "outcome", "group", probs="score"))
    with pytest.raises(KeyError, match="Calibration_plot"):
        fnr_parity(NINE, "outcome", "group", probs="score").draw("Calibration_plot")
