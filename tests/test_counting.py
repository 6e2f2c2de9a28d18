"""Rows that are counted once give every metric what it would get from the data themselves."""

from __future__ import annotations

import pickle

import backends
import numpy as np
import pandas as pd
import pytest
from helpers import messages_of, quietly

import fairness_py as fp

ASKED = {"outcome": "Two_yr_Recidivism", "group": "ethnicity", "probs": "probability"}
FUNCTIONS = [
    fp.acc_parity,
    fp.dem_parity,
    fp.equal_odds,
    fp.fnr_parity,
    fp.mcc_parity,
    fp.roc_parity,
    fp.disparate_impact,
]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("backend", ["pandas", "polars_lazy"])
def test_counts_stand_for_the_data(function, backend, compas):
    data = compas
    if backend != "pandas":
        pytest.importorskip("polars")
        data = backends.convert(compas, backend, None)
    counts = fp.count_outcomes(data, **ASKED)
    result, direct = function(counts, **ASKED, base="Asian"), function(compas, **ASKED, base="Asian")
    pd.testing.assert_frame_equal(result.Metric, direct.Metric, rtol=1e-13)
    assert list(result) == list(direct)
    assert [one.n for one in result.densities] == [one.n for one in direct.densities]


@pytest.mark.parametrize(
    ("changed", "argument"),
    [
        ({"group": "Female"}, "group"),
        ({"outcome": "Female"}, "outcome"),
        ({"cutoff": 0.4}, "cutoff"),
        ({"probs": None, "preds": "predicted"}, "probs"),
    ],
)
def test_other_arguments_are_refused(changed, argument, compas):
    counts = fp.count_outcomes(compas, **ASKED)
    with pytest.raises(ValueError, match=rf"^{argument} must be what the rows were counted by"):
        fp.fnr_parity(counts, **(ASKED | changed))


def test_it_says_what_it_holds(compas):
    counts = fp.count_outcomes(compas, **ASKED)
    assert repr(counts) == "<OutcomeCounts of 6172 rows in 6 groups>"
    with pytest.raises(TypeError, match="data must be"):
        fp.fnr_parity(12, **ASKED)


def test_a_warning_reads_the_data_once(compas, tmp_path):
    """Which level the scores rank higher is found once for all metrics, so the others need no file."""
    pytest.importorskip("pyarrow")
    rows = compas.assign(probability=1 - compas["probability"])
    path = tmp_path / "rows.parquet"
    rows.to_parquet(path)
    counts = fp.count_outcomes(path, **ASKED)
    said = messages_of(fp.acc_parity, counts, **ASKED)
    path.unlink()
    assert any("higher than" in message for message in said)
    assert messages_of(fp.fnr_parity, counts, **ASKED) == said


@pytest.mark.parametrize("made", ["pandas", "whole numbers", "parquet"])
@pytest.mark.parametrize(
    ("group", "group_breaks"), [("ethnicity", None), (["ethnicity", "Female"], None), ("Number_of_Priors", [0, 1, 9])]
)
def test_counts_can_be_stored(group, group_breaks, made, compas, tmp_path):
    data = compas
    if made == "whole numbers":
        data = compas.assign(Two_yr_Recidivism=(compas["Two_yr_Recidivism"] == "yes").astype(int))
    elif made == "parquet":
        pytest.importorskip("pyarrow")
        data = backends.convert(compas, made, tmp_path)
    asked = ASKED | {"group": group, "group_breaks": group_breaks}
    counts = quietly(fp.count_outcomes, data, **asked)
    stored = pickle.loads(pickle.dumps(counts))
    for function in (fp.acc_parity, fp.roc_parity):
        want = quietly(function, counts, **asked).Metric
        pd.testing.assert_frame_equal(quietly(function, stored, **asked).Metric, want)
        assert messages_of(function, stored, **asked) == messages_of(function, counts, **asked)


@pytest.mark.parametrize("column", ["y", "p"])
@pytest.mark.parametrize("function", [fp.roc_parity, fp.calibration_within_groups])
def test_data_that_change_after_they_were_counted(function, column):
    numbers = {"y": np.array([0, 1, 0, 1, 1, 0]), "p": np.array([0.1, 0.9, 0.2, 0.8, 0.6, 0.7])}
    frame = pd.DataFrame({name: pd.Series(values, copy=False) for name, values in numbers.items()}, copy=False)
    asked = {"outcome": "y", "group": pd.Series(list("ababab")), "probs": "p"}
    counts = fp.count_outcomes(frame, **asked)
    function(counts, **asked)
    numbers[column][[0, 4]] = numbers[column][[4, 0]] if column == "p" else 1
    with pytest.raises(RuntimeError, match="were changed"):
        function(counts, **asked)
