"""Fairlearn computes the same numbers without saying whom they speak against, as the crosswalk says."""

from __future__ import annotations

import math
import warnings

import pytest
from drawn import DATA, NO_POSITIVE_OUTCOME, drawn, named, of_compas, value
from helpers import people, table

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    fairlearn = pytest.importorskip("fairlearn.metrics", reason="Fairlearn is not installed: pip install '.[peers]'")

pytestmark = pytest.mark.filterwarnings("ignore")  # theirs

#: What Fairlearn does where a metric is undefined, so that such data are left out above: its function, the data, its
#: number, and our function, which gives NaN.
KNOWN_FAULTS = {
    "0/0 is 0": ("true_positive_rate_difference", NO_POSITIVE_OUTCOME, 65 / 70, "recall_difference"),
}


def theirs(data, name):
    frame = people(**data) if isinstance(data, dict) else data
    return getattr(fairlearn, name)(frame["outcome"], frame["predicted"], sensitive_features=frame["group"])


@pytest.mark.parametrize(("function", "written"), named("Fairlearn"))
def test_same_numbers_for_two_groups(function, written, compas):
    name, _, how = written.partition(" (")
    for data in [*DATA, of_compas(compas)]:
        ours = value(function, data)
        expected = abs(ours) if how == "no sign)" else min(ours, 1 / ours)
        assert theirs(data, name) == pytest.approx(expected, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize(("function", "written"), [pair for pair in named("Fairlearn") if "no sign" in pair[1]])
def test_of_more_groups_they_take_the_two_farthest(function, written):
    data = drawn(5, "abcd")
    raw = table(function, people(**data), "outcome", "group", preds="predicted").iloc[0]
    assert theirs(data, written.partition(" (")[0]) == pytest.approx(raw.max() - raw.min(), rel=1e-12)


def test_equalized_odds_is_the_larger_gap():
    for data in DATA:
        gaps = table("average_odds_difference", people(**data), "outcome", "group", preds="predicted")["d"]
        expected = max(abs(gaps["TPR gap"]), abs(gaps["FPR gap"]))
        assert theirs(data, "equalized_odds_difference") == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("fault", KNOWN_FAULTS)
def test_known_faults(fault):
    name, data, number, function = KNOWN_FAULTS[fault]
    assert theirs(data, name) == pytest.approx(number)
    assert math.isnan(value(function, data))
