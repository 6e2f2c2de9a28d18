"""AIF360 computes the same numbers, under the names and with the signs that the crosswalk gives."""

from __future__ import annotations

import math
import warnings

import pytest
from drawn import DATA, NO_POSITIVE_OUTCOME, NO_POSITIVE_PREDICTION, drawn, named, of_compas, value
from helpers import people, table

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    metrics = pytest.importorskip("aif360.metrics", reason="AIF360 is not installed: pip install '.[peers]'")
    datasets = pytest.importorskip("aif360.datasets")

pytestmark = pytest.mark.filterwarnings("ignore")  # theirs

#: What AIF360 does where a metric is undefined, so that such data are left out above: its method, the data, its number,
#: and our function, which gives NaN.
KNOWN_FAULTS = {
    "x/0 is infinite": ("disparate_impact", NO_POSITIVE_PREDICTION, math.inf, "disparate_impact"),
}


def classification_metric(data):
    frame = people(**data) if isinstance(data, dict) else data
    numbers = frame.assign(group=(frame["group"] == "a").astype(float)).astype(float)

    def labelled(column):
        return datasets.BinaryLabelDataset(
            df=numbers[["group", column]].rename(columns={column: "label"}),
            label_names=["label"],
            protected_attribute_names=["group"],
            favorable_label=1,
            unfavorable_label=0,
        )

    return metrics.ClassificationMetric(
        labelled("outcome"),
        labelled("predicted"),
        unprivileged_groups=[{"group": 0}],
        privileged_groups=[{"group": 1}],
    )


def theirs(metric, written):
    sign = -1 if written.startswith("-") else 1
    return sign * getattr(metric, written.removeprefix("-"))()


@pytest.mark.parametrize(("function", "written"), named("AIF360"))
def test_same_numbers(function, written, compas):
    for data in [*DATA, of_compas(compas)]:
        assert value(function, data) == pytest.approx(
            theirs(classification_metric(data), written), rel=1e-12, abs=1e-14
        )


@pytest.mark.parametrize("function", ["statistical_parity_difference", "average_odds_difference"])
def test_their_pooled_group_is_our_rest(function):
    """Their unprivileged group is everybody but the privileged; ours, seen from there, is `versus="rest"`."""
    data = drawn(99, "abcd")
    pooled = people(**data).replace({"group": {"b": "x", "c": "x", "d": "x"}})
    metric = classification_metric(pooled.replace({"group": {"x": "d"}}))
    ours = table(function, people(**data), "outcome", "group", preds="predicted", versus="rest")
    assert -ours.iloc[-2].loc["a"] == pytest.approx(getattr(metric, function)(), rel=1e-12)


@pytest.mark.parametrize("fault", KNOWN_FAULTS)
def test_known_faults(fault):
    method, data, number, function = KNOWN_FAULTS[fault]
    assert getattr(classification_metric(data), method)() == pytest.approx(number)
    assert math.isnan(value(function, data))


def test_an_undefined_rate_is_undefined_there_too():
    assert math.isnan(classification_metric(NO_POSITIVE_OUTCOME).equal_opportunity_difference())
    assert math.isnan(value("equal_opportunity_difference", NO_POSITIVE_OUTCOME))
