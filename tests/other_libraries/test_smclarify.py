"""The library behind SageMaker Clarify computes the same numbers, with the signs that the crosswalk gives."""

from __future__ import annotations

import math
import warnings

import pytest
from drawn import DATA, NO_POSITIVE_OUTCOME, NO_POSITIVE_PREDICTION, TABLE, drawn, named, of_compas, value
from helpers import people, table

from fairness_py.metrics import METRICS

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    posttraining = pytest.importorskip(
        "smclarify.bias.metrics.posttraining", reason="smclarify is not installed: pip install '.[peers]'"
    )

pytestmark = pytest.mark.filterwarnings("ignore")  # theirs

#: What smclarify does where a metric is undefined, so that such data are left out above: its function, the data, its
#: number, and our function, which gives NaN.
KNOWN_FAULTS = {
    "0/0 is 0, a recall of nobody": ("RD", NO_POSITIVE_OUTCOME, 65 / 70, "recall_difference"),
    "0/0 is 0, a precision of nobody": ("DAR", NO_POSITIVE_PREDICTION, -20 / 25, "difference_in_acceptance_rates"),
    "x/0 is infinite": ("DI", NO_POSITIVE_PREDICTION, math.inf, "disparate_impact"),
}
OF_PREDICTIONS = ("DPPL", "DI")
SHORT_NAMES = TABLE["Short name"]


def theirs(data, name, facet="d"):
    frame = people(**data) if isinstance(data, dict) else data
    facet_index, outcome, predicted = frame["group"] == facet, frame["outcome"] == 1, frame["predicted"] == 1
    function = getattr(posttraining, {"DCAcc": "DCA"}.get(name, name))
    if name in OF_PREDICTIONS:
        return function(frame["group"], facet_index, predicted)
    return function(frame["group"], facet_index, outcome, predicted)


@pytest.mark.parametrize(("function", "written"), named("Clarify"))
def test_same_numbers(function, written, compas):
    for data in [*DATA, of_compas(compas)]:
        if written == "-(RD + SD) / 2":
            expected = -(theirs(data, "RD") + theirs(data, "SD")) / 2
        else:
            expected = (-1 if written.startswith("-") else 1) * theirs(data, written.removeprefix("-"))
        assert value(function, data) == pytest.approx(expected, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize(
    ("function", "written"), [(function, name) for function, name in named("Clarify") if name == SHORT_NAMES[function]]
)
def test_their_facet_against_all_others_is_our_rest(function, written):
    data = drawn(7, "abcd")
    ours = table(function, people(**data), "outcome", "group", preds="predicted", versus="rest")
    for facet in data:
        expected = theirs(data, written, facet)
        assert ours.loc[METRICS[function].value_row, facet] == pytest.approx(expected, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("fault", KNOWN_FAULTS)
def test_known_faults(fault):
    name, data, number, function = KNOWN_FAULTS[fault]
    assert theirs(data, name) == pytest.approx(number)
    assert math.isnan(value(function, data))
