"""Long columns are worked through in steps: what comes of them is what comes of all rows at once."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pyarrow
import pytest
from helpers import messages_of, quietly
from test_golden import RANDOM, complaint_of_random

import fairness_py as fp
from fairness_py import _factors, _repeated_scores, _scores
from fairness_py._factors import Factorized, Interaction, Numbers, blocks, interaction, to_factor
from fairness_py._repeated_scores import count_by_score
from fairness_py._sorted_scores import sort_scores


@pytest.fixture
def steps(monkeypatch):
    """Let three rows be a step."""
    monkeypatch.setattr(_factors, "CHUNK", 3)
    monkeypatch.setattr(_factors, "FIRST_LOOK", 2)
    monkeypatch.setattr(_scores, "STEP", 4)


@pytest.mark.parametrize(("function", "why"), RANDOM, ids=str)
def test_r_cases(function, why, steps):
    complaints = {case["id"]: complaint_of_random(case) for case in RANDOM[function, why][::3]}
    assert {name: text for name, text in complaints.items() if text} == {}


def people(n=300):
    generator = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "text": generator.choice(["b", "A", "c", "_", None], n),
            "whole": generator.integers(0, 3, n),
            "age": generator.integers(18, 300, n),
            "y": generator.integers(0, 2, n),
            "p": generator.random(n).round(2),
        }
    )
    frame.loc[200:, "whole"] += 90  # beyond what the first rows show
    frame.loc[[3, 50], "p"] = np.nan
    return frame


COLUMNS = {
    "object": lambda frame: frame.assign(g=frame["text"].astype(object)),
    "str": lambda frame: frame.assign(g=frame["text"].astype("string")),
    "arrow text": lambda frame: frame.assign(g=frame["text"].astype(pd.ArrowDtype(pyarrow.string()))),
    "arrow dictionary": lambda frame: frame.assign(
        g=pd.Series(pd.arrays.ArrowExtensionArray(pyarrow.array(frame["text"], from_pandas=True).dictionary_encode()))
    ),
    "category": lambda frame: frame.assign(g=frame["text"].astype("category")),
    "Int64": lambda frame: frame.assign(g=frame["whole"].astype("Int64").mask(frame["text"] == "A")),
    "float": lambda frame: frame.assign(g=frame["whole"].astype(float).mask(frame["text"] == "A")),
    "arrow double with NaN": lambda frame: frame.assign(
        g=pd.Series(
            pd.arrays.ArrowExtensionArray(pyarrow.array(np.where(frame["text"] == "A", np.nan, frame["whole"])))
        )
    ),
    "date": lambda frame: frame.assign(g=pd.Timestamp("2026-01-01") + pd.to_timedelta(frame["whole"], unit="D")),
    "whole numbers": lambda frame: frame.assign(g=frame["whole"]),
    "many whole numbers": lambda frame: frame.assign(g=frame["age"]),
    "boolean": lambda frame: frame.assign(g=(frame["whole"] > 1).astype("boolean").mask(frame["text"] == "A")),
    "outcome text": lambda frame: frame.assign(g=frame["text"], y=frame["y"].map({0: "no", 1: "yes"})),
    "outcome Int8": lambda frame: frame.assign(g=frame["text"], y=frame["y"].astype("Int8").mask(frame["whole"] == 1)),
    "outcome with few ones at the end": lambda frame: frame.assign(g=frame["text"], y=(frame.index > 290).astype(int)),
    "float32": lambda frame: frame.assign(g=frame["text"], p=frame["p"].astype("float32")),
    "Float64": lambda frame: frame.assign(g=frame["text"], p=frame["p"].astype("Float64")),
    "arrow float": lambda frame: frame.assign(g=frame["text"], p=frame["p"].astype("double[pyarrow]")),
    "objects as numbers": lambda frame: frame.assign(g=frame["text"], p=frame["p"].astype(object)),
}


def everything(function, data, **arguments):
    """Return what a call gives and says."""
    result = quietly(function, data, outcome="y", **arguments)
    curves = [*result.densities, *result.roc_curves]
    tables = [result[key] for key in ("Metric", "Intervals", "Calibration") if key in result]
    return tables, curves, messages_of(function, data, outcome="y", **arguments)


def same(one, other):
    for table, wanted in zip(one[0], other[0], strict=True):
        pd.testing.assert_frame_equal(table, wanted, rtol=1e-12)
    for curve, wanted in zip(one[1], other[1], strict=True):
        for values, numbers in zip(curve, wanted, strict=True):
            if isinstance(numbers, np.ndarray):
                np.testing.assert_allclose(values, numbers, atol=1e-12)
            else:
                assert values == (pytest.approx(numbers, nan_ok=True) if isinstance(numbers, float) else numbers)
    assert one[2] == other[2]


CALLS = {
    "counts": (fp.fnr_parity, {"group": "g", "probs": "p"}),
    "roc": (fp.roc_parity, {"group": "g", "probs": "p", "conf_level": 0.9}),
    "calibration": (fp.calibration_within_groups, {"group": "g", "probs": "p"}),
    "combined": (fp.acc_parity, {"group": ["g", "whole"], "probs": "p"}),
    "roc of combined": (fp.roc_parity, {"group": ["g", "whole"], "probs": "p"}),
    "predictions": (fp.spec_parity, {"group": "g", "preds": "y"}),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("column", COLUMNS)
def test_columns_of_every_kind(column, call, request):
    function, arguments = CALLS[call]
    data = COLUMNS[column](people())
    wanted = everything(function, data, **arguments)
    request.getfixturevalue("steps")
    same(everything(function, data, **arguments), wanted)


@pytest.mark.parametrize("dtype", ["int64", "float32", "Int64", "int32[pyarrow]", "object"])
@pytest.mark.parametrize("breaks", [5, [18, 30, 40.5, 290]], ids=str)
def test_numbers_in_intervals(dtype, breaks, request):
    data = people().assign(g=lambda frame: frame["age"].astype(dtype))
    arguments = {"group": "g", "probs": "p", "group_breaks": breaks}
    wanted = everything(fp.dem_parity, data, **arguments)
    request.getfixturevalue("steps")
    same(everything(fp.dem_parity, data, **arguments), wanted)


def test_refusals_are_the_same(request):
    data = people().assign(
        z=lambda frame: frame["age"] + frame["p"], w=lambda frame: frame["text"].where(frame.index > 9, 1)
    )
    calls = [
        {"outcome": "z", "group": "text", "probs": "p"},
        {"outcome": "age", "group": "text", "probs": "p"},
        {"outcome": "y", "group": "text", "preds": "z"},
        {"outcome": "y", "group": "text", "probs": "z"},
        {"outcome": "y", "group": "text", "probs": "text"},
        {"outcome": "w", "group": "text", "probs": "p"},
    ]

    def said(arguments):
        with pytest.raises((ValueError, TypeError)) as caught:
            fp.fnr_parity(data, **arguments)
        return str(caught.value)

    wanted = [said(arguments) for arguments in calls]
    request.getfixturevalue("steps")
    assert [said(arguments) for arguments in calls] == wanted


def test_long_columns_keep_no_codes(steps):
    values = people()["text"]
    factor = to_factor(values, "group")
    assert isinstance(factor, Factorized)
    codes = np.concatenate([factor.codes(rows) for rows in blocks(len(values))])
    labels = [None if code < 0 else factor.labels[code] for code in codes]
    assert labels == [None if pd.isna(value) else value for value in values]
    assert isinstance(interaction([factor, factor], ["a", "b"], len(values)), Interaction)


def test_numbers_of_another_type_are_made_when_they_are_asked_for(steps):
    numbers = Numbers(pd.Series([1, None, 3, 4, 5], dtype="Int8"), "probs")
    assert len(numbers) == 5
    assert numbers[slice(3)].tolist() == pytest.approx([1, np.nan, 3], nan_ok=True)
    assert numbers[np.array([4, 0])].tolist() == [5, 1]


# ------------------------------------------------------------------ scores


def kinds(n, digits, groups=3, seed=0):
    generator = np.random.default_rng(seed)
    return generator.integers(0, 2 * groups, n), generator.random(n).round(digits)


def in_blocks(kind, score, step=7):
    return ((kind[rows], score[rows]) for rows in blocks(len(score), step))


@pytest.mark.parametrize("digits", [1, 2, 15])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 8, 60])
def test_sorted_scores(n, digits):
    kind, score = kinds(n, digits, seed=n)
    sizes = np.bincount(kind // 2, minlength=3)
    for group, part in enumerate(sort_scores(in_blocks(kind, score), sizes)):
        positives, negatives = (np.sort(score[kind == 2 * group + level]) for level in (1, 0))
        assert (part.n_positive, part.n_negative) == (len(positives), len(negatives))
        for values, wanted in zip(part.by_outcome(), (positives, negatives), strict=True):
            assert values.tolist() == wanted.tolist()
        if len(positives) and len(negatives):
            pairs = [(one > other) + (one == other) / 2 for one, other in itertools.product(positives, negatives)]
            assert part.auc() == sum(pairs) / len(pairs)
            assert part.medians() == (np.median(negatives), np.median(positives))
        else:
            assert np.isnan(part.auc())


def test_the_ends_of_the_scores():
    kind, score = np.array([0, 1, 0, 1, 1, 0]), np.array([0.0, 0.0, 5e-324, 1.0, 1.0, 1.0])
    (part,) = sort_scores([(kind, score)], np.array([6]))
    assert part.by_outcome()[0].tolist() == [0.0, 1.0, 1.0]
    assert part.by_outcome()[1].tolist() == [0.0, 5e-324, 1.0]
    assert part.auc() == (0.5 + 2 * (1 + 1 + 0.5)) / 9


def test_a_zero_with_a_sign_is_a_zero():
    data = pd.DataFrame({"g": "a", "y": [0, 1, 1, 0], "p": [-0.0, 0.0, 0.5, 0.5]})
    assert quietly(fp.roc_parity, data, "y", "g", "p").Metric.loc["ROC AUC", "a"] == 0.5


@pytest.mark.parametrize("digits", [1, 3])
def test_scores_that_repeat_are_counted(digits):
    kind, score = kinds(2000, digits)
    values, counts = count_by_score(in_blocks(kind, score, 100), 6)
    assert values.tolist() == np.unique(score).tolist()
    wanted = [[int(((kind == row) & (score == value)).sum()) for value in values] for row in range(6)]
    assert counts.tolist() == wanted


@pytest.mark.parametrize(
    ("score", "limits"),
    [
        ([0.1, 0.1 + 1e-9], {}),  # in one bin
        ([0.1, 0.2, 0.1 + 1e-9], {}),
        ([0.1, 0.2, 0.3], {"MOST_VALUES": 2}),
        (np.linspace(0, 1, 70), {"MOST_CELLS": 600}),
    ],
)
def test_scores_that_hardly_repeat_are_not(score, limits, monkeypatch):
    for name, limit in limits.items():
        monkeypatch.setattr(_repeated_scores, name, limit)
    score = np.array(score)
    kind = np.zeros(len(score), dtype=np.intp)
    assert count_by_score(in_blocks(kind, score, 2), 6) is None
    assert count_by_score([(kind, score)], 6) is None


@pytest.mark.parametrize("direction", ["auto", "<", ">"])
def test_areas_of_repeated_and_of_sorted_scores_are_the_same(direction, monkeypatch):
    data = people(3000)
    arguments = {"group": "text", "probs": "p", "direction": direction, "conf_level": 0.95}
    wanted = everything(fp.roc_parity, data, **arguments)
    monkeypatch.setattr(_scores, "STEP", 500)
    same(everything(fp.roc_parity, data, **arguments), wanted)


def test_data_that_change_after_they_were_counted(monkeypatch):
    monkeypatch.setattr(_factors, "CHUNK", 3)
    for step in (2, 1000):
        monkeypatch.setattr(_scores, "STEP", step)
        group, score = np.array(["a", "b", "c"] * 4, dtype=object), np.arange(12) / 12
        data = pd.DataFrame({"y": np.arange(12) % 2, "p": score})
        data["g"] = pd.Series(group, dtype=object)
        counts = quietly(fp.count_outcomes, data, "y", "g", "p")
        for label in ("a", "new"):
            counts._tally.group_factor._values.array._ndarray[2] = label
            with pytest.raises(RuntimeError, match="data were changed"):
                fp.roc_parity(counts, "y", "g", "p")


@pytest.mark.parametrize("kind", [">f8", ">f4", ">i2"])
def test_long_scores_in_another_machines_order_of_bytes(kind, steps, monkeypatch):
    monkeypatch.setattr(_scores, "FEW", 10)  # so that rows are picked at random
    scores = np.arange(60) % 2
    frame = pd.DataFrame({"y": np.repeat([0, 1, 1], 20), "g": ["a", "b"] * 30, "p": scores.astype(kind)})
    plain = frame.assign(p=scores.astype(float))
    pd.testing.assert_frame_equal(
        fp.fnr_parity(frame, "y", "g", "p").Metric, fp.fnr_parity(plain, "y", "g", "p").Metric
    )
