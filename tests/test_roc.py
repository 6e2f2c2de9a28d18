"""Areas under the ROC curve and the curves, against pROC, all pairs, and scikit-learn."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pandas as pd
import pytest
from helpers import eight, messages_of, quietly, same_numbers
from sklearn.metrics import roc_auc_score, roc_curve

import fairness_py
from fairness_py import _scores, acc_parity, roc_parity
from fairness_py._factors import Coded
from fairness_py._ranks import MOST_POINTS, OutcomeCodes, auc, auc_bounds, auc_of_rows, curve
from fairness_py._scores import FEW


def area_of_pairs(positives, negatives):
    """Return the share of pairs in the right order, ties counted one half."""
    pairs = list(itertools.product(positives, negatives))
    return sum(1 if one > other else 0.5 if one == other else 0 for one, other in pairs) / len(pairs)


@pytest.mark.parametrize(
    ("positives", "negatives"),
    [([3], [1]), ([1], [3]), ([1], [1]), ([3, 1, 2], [2, 0, 1, 1]), ([1] * 5, [1] * 3), ([0.5, 0.5, 1], [0.5, 0])],
    ids=str,
)
def test_area(positives, negatives):
    assert auc(np.array(positives, float), np.array(negatives, float)) == area_of_pairs(positives, negatives)


def test_area_without_one_class():
    assert math.isnan(auc(np.array([]), np.array([1.0])))
    assert math.isnan(auc(np.array([1.0]), np.array([])))


def scores(n, seed=0, digits=2):
    rng = np.random.default_rng(seed)
    outcome = rng.integers(0, 2, n)
    return outcome, np.clip(rng.normal(0.4 + 0.2 * outcome, 0.2), 0, 1).round(digits)


def test_area_and_curve_of_another_library():
    outcome, score = scores(500)
    positives, negatives = score[outcome == 1], score[outcome == 0]
    assert same_numbers([auc(positives, negatives)], [roc_auc_score(outcome, score)])
    false_positive, true_positive, _ = roc_curve(outcome, score, drop_intermediate=False)
    specificity, sensitivity = curve(positives, negatives, "<")
    assert np.allclose(specificity, 1 - false_positive, rtol=0, atol=1e-15)
    assert np.allclose(sensitivity, true_positive, rtol=0, atol=1e-15)


def test_curve_the_other_way():
    outcome, score = scores(500)
    specificity, sensitivity = curve(score[outcome == 1], score[outcome == 0], ">")
    false_positive, true_positive, _ = roc_curve(outcome, 1 - score, drop_intermediate=False)
    assert np.allclose(specificity, 1 - false_positive, rtol=0, atol=1e-15)
    assert np.allclose(sensitivity, true_positive, rtol=0, atol=1e-15)


def test_long_curves_are_thinned():
    outcome, score = scores(30_000, digits=12)
    positives, negatives = score[outcome == 1], score[outcome == 0]
    specificity, sensitivity = curve(positives, negatives, "<")
    assert MOST_POINTS // 2 < len(specificity) <= MOST_POINTS
    assert (specificity[0], sensitivity[0], specificity[-1], sensitivity[-1]) == (1, 0, 0, 1)
    assert (np.diff(specificity) <= 0).all()
    assert (np.diff(sensitivity) >= 0).all()
    # every point is one of the full curve: a threshold has that many above it
    for place in (1, len(specificity) // 3, len(specificity) // 2):
        above = round(sensitivity[place] * len(positives))
        threshold = np.sort(positives)[len(positives) - above]
        assert sensitivity[place] == pytest.approx((positives >= threshold).mean(), abs=1e-12)
    assert np.trapezoid(sensitivity, 1 - specificity) == pytest.approx(auc(positives, negatives), abs=1e-5)


def test_points_of_proc(golden_dir, compas):
    expected = json.loads((golden_dir / "roc_points_r.json").read_text(encoding="utf-8"))
    result = roc_parity(compas, "Two_yr_Recidivism", "ethnicity", probs="probability", base="Caucasian")
    curves = {found.group: found for found in result.roc_curves}
    assert list(curves) == result.Metric.columns.tolist()
    for points in expected:
        found = curves[points["group"]]
        assert found.direction == points["direction"]
        assert len(found.specificity) == points["n_points"]
        ours = np.column_stack([found.specificity, found.sensitivity])
        for point in zip(points["specificity"], points["sensitivity"], strict=True):
            assert np.abs(ours - point).max(axis=1).min() < 1e-13
        assert found.auc == result.Metric.loc["ROC AUC", found.group]
        # the area below the straight lines between the points is the area of all pairs
        assert np.trapezoid(found.sensitivity, 1 - found.specificity) == pytest.approx(found.auc, rel=1e-12)


def test_table():
    """a: pairs (.9, .6), (.9, .2), (.4, .6), (.4, .2), three of four right; b: all three right."""
    result = roc_parity(eight(), "outcome", "group", probs="probability")
    assert result.Metric.index.tolist() == ["ROC AUC", "ROC AUC Parity", "Group size"]
    assert same_numbers(result.Metric.to_numpy().ravel(), [3 / 4, 1, 1, 4 / 3, 4, 4])
    assert list(result) == ["Metric", "Metric_plot", "Probability_plot", "ROCAUC_plot"]
    assert result.cutoff is None
    assert [(found.n_positive, found.n_negative) for found in result.roc_curves] == [(2, 2), (1, 3)]


def test_directions():
    data = eight()
    data["probability"] = np.where(data["group"] == "b", 1 - data["probability"], data["probability"])
    with pytest.warns(UserWarning, match=r"direction was turned round for 'b', as R does.*1 minus") as caught:
        auto = roc_parity(data, "outcome", "group", probs="probability")
    assert len(caught) == 1
    assert auto.Metric.loc["ROC AUC"].tolist() == [0.75, 1]
    assert [found.direction for found in auto.roc_curves] == ["<", ">"]
    assert roc_parity(data, "outcome", "group", probs="probability", direction="<").Metric.loc["ROC AUC"].tolist() == [
        0.75,
        0,
    ]
    other = roc_parity(data, "outcome", "group", probs="probability", direction=">")
    assert other.Metric.loc["ROC AUC"].tolist() == [0.25, 1]
    assert other.roc_curves[0].direction == ">"


def test_the_direction_goes_by_medians():
    """As in pROC: the medians are equal here, so nothing is turned round though the area is below one half."""
    data = pd.DataFrame({"y": [1, 1, 1, 0, 0, 0], "p": [0.1, 0.5, 0.6, 0.4, 0.5, 0.9], "g": "a"})
    # pairs in the right order: .1 none; .5 above .4 and tied with .5; .6 above .4 and .5: 3.5 of 9
    assert same_numbers(roc_parity(data, "y", "g", probs="p").Metric.loc["ROC AUC"], [3.5 / 9])


def test_one_class_only():
    data = eight()
    data.loc[data["group"] == "b", "outcome"] = 0
    with pytest.warns(UserWarning, match="The AUC is undefined for 'b': there are rows of one outcome level only"):
        result = roc_parity(data, "outcome", "group", probs="probability")
    assert same_numbers(result.Metric["b"], [math.nan, math.nan, 4])
    assert len(result.roc_curves[1].specificity) == 0


def test_rows_left_out():
    data = eight()
    data.loc[0, "probability"] = math.nan
    data.loc[5, "group"] = None
    with pytest.warns(UserWarning, match="2 of 8 rows were left out: group is missing in 1, probs are missing in 1"):
        result = roc_parity(data, "outcome", "group", probs="probability")
    assert same_numbers(result.Metric.loc["Group size"], [3, 3])
    assert [density.n for density in result.densities] == [3, 3]


def test_more_groups_than_r_draws():
    data = pd.concat([eight().assign(group=f"g{k}") for k in range(9)])
    result = roc_parity(data, "outcome", "group", probs="probability")
    assert len(result.roc_curves) == 9


def test_refusals():
    with pytest.raises(ValueError, match="Probs have to be supplied"):
        roc_parity(eight(), "outcome", "group")
    with pytest.raises(ValueError, match="direction must be one of 'auto', '<', '>', got 'up'"):
        roc_parity(eight(), "outcome", "group", probs="probability", direction="up")
    with pytest.raises(ValueError, match="between 0 and 1"):
        roc_parity(eight(), "outcome", "group", probs=eight()["probability"] * 100)


# ------------------------------------------------------------------ which level the probabilities rank higher


def test_reversed_probabilities():
    data = eight()
    data["reversed"] = 1 - data["probability"]
    # ranks over all rows: 1 - the area of all pairs
    area = area_of_pairs(
        data.loc[data["outcome"] == 1, "reversed"].tolist(), data.loc[data["outcome"] == 0, "reversed"].tolist()
    )
    [message] = messages_of(acc_parity, data, "outcome", "group", probs="reversed")
    assert message.startswith(f"The probabilities rank 0 higher than 1 (AUC over all rows {area:.3g})")
    assert messages_of(acc_parity, data, "outcome", "group", probs="probability") == []


def test_probabilities_that_tell_nothing():
    data = eight().assign(probability=0.5)
    assert messages_of(acc_parity, data, "outcome", "group", probs="probability") == []


@pytest.mark.parametrize("n", [FEW, FEW + 1])
def test_reversal_of_long_data(n):
    outcome, score = scores(n, digits=6)
    data = pd.DataFrame({"outcome": outcome, "group": "a", "right": score, "reversed": 1 - score})
    area = roc_auc_score(outcome, 1 - score)
    [message] = messages_of(acc_parity, data, "outcome", "group", probs="reversed")
    assert f"(AUC over all rows {area:.3g})" in message
    assert messages_of(acc_parity, data, "outcome", "group", probs="right") == []


@pytest.mark.parametrize("digits", [1, 12])
@pytest.mark.parametrize("seed", range(6))
def test_long_data_that_tell_next_to_nothing(seed, digits):
    """A sample leaves a doubt here; whether there is a warning goes by the area over all rows that count."""
    rng = np.random.default_rng(seed)
    n = FEW + 2000
    data = pd.DataFrame({"outcome": rng.integers(0, 2, n), "group": "a", "probability": rng.random(n).round(digits)})
    data.loc[rng.random(n) < 0.05, "probability"] = math.nan
    used = data.dropna()
    area = roc_auc_score(used["outcome"], used["probability"])
    messages = [
        text for text in messages_of(acc_parity, data, "outcome", "group", probs="probability") if "rank" in text
    ]
    assert len(messages) == (area < 0.5)
    shown = "just below 0.5" if f"{area:.3g}" == "0.5" else f"{area:.3g}"
    assert all(f"(AUC over all rows {shown})" in text for text in messages)


@pytest.mark.parametrize("bins", [64, 8192])
def test_the_histogram_bounds_the_area(bins):
    outcome, score = scores(20_000, digits=12)
    area = roc_auc_score(outcome, score)
    lowest, highest = auc_bounds([(outcome[:7000], score[:7000]), (outcome[7000:], score[7000:])], bins)
    # what is open: pairs in one bin, some 1 in bins / 3 of scores that crowd within a third of their range
    assert area - 3 / bins < lowest <= area <= highest < area + 3 / bins
    assert auc_bounds([(outcome, np.full(20_000, 0.5))], bins) == (0, 1)


def test_the_histogram_of_tenths():
    """Tenths lie in bins of their own, so the bounds are the shares of pairs in the right order, strictly or not."""
    outcome, score = scores(5000, digits=1)
    positives, negatives = score[outcome == 1], np.sort(score[outcome == 0])
    below, not_above = (np.searchsorted(negatives, positives, side=side).sum() for side in ("left", "right"))
    pairs = len(positives) * len(negatives)
    assert same_numbers(auc_bounds([(outcome, score)], 8192), [below / pairs, not_above / pairs])


def test_standard_error_of_an_area():
    """Of 2 positives and 3 negatives: the variance of the Mann-Whitney U is 2 * 3 * 6 / 12, and pairs are 2 * 3."""
    codes = OutcomeCodes(Coded(np.array([0, 0, 0, 1, 1]), [0, 1], fixed=True), np.array([0, 1, -1]))
    area, error = auc_of_rows(codes, np.array([0.1, 0.2, 0.3, 0.15, 0.4]), slice(None))
    assert same_numbers([area, error], [4 / 6, math.sqrt(3 / 36)])


@pytest.mark.parametrize("digits", [2, 12])
def test_reversal_of_very_long_data(digits, monkeypatch):
    """The area that is shown comes from a histogram, with as many digits as this knows, or from counts by score."""
    monkeypatch.setattr(_scores, "MANY", FEW)
    outcome, score = scores(3 * FEW, digits=digits)
    data = pd.DataFrame({"outcome": outcome, "group": "a", "reversed": 1 - score})
    [message] = messages_of(acc_parity, data, "outcome", "group", probs="reversed")
    shown = float(message.split("AUC over all rows ")[1].split(")")[0])
    assert shown == pytest.approx(roc_auc_score(outcome, 1 - score), abs=5e-4)


def test_the_warning_comes_again_with_each_metric():
    data = eight().assign(reversed=lambda frame: 1 - frame["probability"])
    asked = {"outcome": "outcome", "group": "group", "probs": "reversed"}
    counts = quietly(fairness_py.count_outcomes, data, **asked)
    for function in (acc_parity, fairness_py.fnr_parity):
        assert messages_of(function, counts, **asked) == messages_of(function, data, **asked) != []


def test_reversal_of_rare_outcomes():
    """Where a sample meets none of the rare level, all rows are ranked."""
    n = FEW + 1000
    outcome = np.zeros(n, dtype=int)
    outcome[n // 2] = 1
    score = np.linspace(0, 1, n)
    score[n // 2] = 0
    data = pd.DataFrame({"outcome": outcome, "group": "a", "probability": score})
    [message] = messages_of(acc_parity, data, "outcome", "group", probs="probability")
    assert "rank 0 higher than 1" in message


def test_outcome_base_does_not_matter_for_what_probs_describe():
    assert messages_of(acc_parity, eight(), "outcome", "group", probs="probability", outcome_base=1) == []
    one = quietly(acc_parity, eight(), "outcome", "group", probs="probability").Metric
    other = quietly(acc_parity, eight(), "outcome", "group", probs="probability", outcome_base=1).Metric
    pd.testing.assert_frame_equal(one, other)


@pytest.mark.parametrize("shift", [-0.002, 0.002])
def test_long_data_whose_scores_tell_almost_nothing(shift):
    rng = np.random.default_rng(3)
    outcome = rng.integers(0, 2, 4 * FEW)
    score = np.clip(0.1 + 0.8 * rng.random(4 * FEW) + shift * outcome, 0, 1)
    data = pd.DataFrame({"outcome": outcome, "group": "a", "probability": score})
    messages = messages_of(acc_parity, data, "outcome", "group", probs="probability")
    assert len(messages) == (roc_auc_score(outcome, score) < 0.5)
