"""Every call in tests/golden, which the R package computed, gives R's table here."""

from __future__ import annotations

import collections
import json
import math
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers import R_FUNCTIONS, quietly, r_column, r_number, same_numbers

import fairness_py
from fairness_py._labels import collation_key, r_text

GOLDEN = Path(__file__).parent / "golden"
REFUSALS = (ValueError, KeyError, TypeError)
REVERSED = "The probabilities rank 'BAD' higher than 'GOOD'"
SMALL_GROUPS = ("left out", "turned round", "one outcome level", "no rows that count")  # of some, in intervals


def read(name):
    return json.loads((GOLDEN / name).read_text(encoding="utf-8"))


def random_cases():
    """Return the random calls by function and by what R makes of them."""
    by_kind = collections.defaultdict(list)
    for line in (GOLDEN / "r_cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        by_kind[case["fn"], case["why"]].append(case)
    return dict(sorted(by_kind.items()))


RANDOM = random_cases()
COMPAS = read("compas_r.json")
GERMANCREDIT = read("germancredit_r.json")


def options_of(case):
    options = {name: given for name, given in case["call"].items() if given is not None}
    if case["fn"] == "roc_parity":  # R ignores these
        options = {name: given for name, given in options.items() if name not in ("preds", "outcome_base", "cutoff")}
    return {name: r_column(given) if isinstance(given, dict) else given for name, given in options.items()}


def label_matches(label, text):
    """Compare a column label with R's, which is text; numbers are compared as numbers."""
    if r_text(label) == text:
        return True
    return isinstance(label, (int, float)) and math.isclose(label, float(text), rel_tol=1e-14)


def complaint(case, result):
    """Return what differs between a result and the case, or None."""
    expected, metric = case.get("expect", case), result["Metric"]
    if len(metric.columns) != len(expected["columns"]) or not all(
        map(label_matches, metric.columns, expected["columns"])
    ):
        return f"columns {list(metric.columns)}, expected {expected['columns']}"
    if "rows" in expected and list(metric.index) != expected["rows"]:
        return f"rows {list(metric.index)}, expected {expected['rows']}"
    if "names" in expected and list(result) != expected["names"]:
        return f"entries {list(result)}, expected {expected['names']}"
    for got, texts in zip(metric.to_numpy(), expected["values"], strict=True):
        if not same_numbers(got, [r_number(text) for text in texts]):
            return f"values {got.tolist()}, expected {texts}"
    return None


def without_the_slip(case, result):
    """Correct R's NPV, NA in a group that is all GOOD: of those predicted negative, all or none are negative."""
    if case["fn"] != "npv_parity" or "NA" not in case["values"][0]:
        return case
    negative = case["call"].get("outcome_base", case["outcome_levels"][0])
    right = "1" if negative == "GOOD" else "0"
    corrected = [list(texts) for texts in case["values"]]
    for place, text in enumerate(corrected[0]):
        if text == "NA":
            corrected[0][place] = right
            corrected[1][place] = repr(float(right) / float(corrected[0][0]))
    return case | {"values": corrected}


def complaint_of_random(case):
    data = pd.DataFrame({name: r_column(column) for name, column in case["data"].items()})
    before = data.copy(deep=True)
    refused = None
    try:
        result = quietly(getattr(fairness_py, case["fn"]), data, **options_of(case))
    except REFUSALS as error:
        refused = error
    pd.testing.assert_frame_equal(data, before)
    if "error" in case["expect"]:
        return None if refused else f"accepted, though {case['expect']['error']}"
    return f"refused: {refused!r}" if refused else complaint(case, result)


def test_no_case_got_lost():
    assert sum(map(len, RANDOM.values())) == 1571
    assert (len(COMPAS), len(GERMANCREDIT)) == (263, 350)
    by_why = collections.Counter(why for (_, why), cases in RANDOM.items() for _ in cases)
    assert (by_why["R agrees"], by_why["both refuse"]) == (851, 318)
    assert sorted({function for function, _ in RANDOM}) == R_FUNCTIONS


@pytest.mark.parametrize(("function", "why"), RANDOM, ids=str)
def test_random_calls(function, why):
    complaints = {case["id"]: complaint_of_random(case) for case in RANDOM[function, why]}
    assert {name: text for name, text in complaints.items() if text} == {}


@pytest.mark.parametrize("function", R_FUNCTIONS)
def test_compas(function, compas):
    cases = [case for case in COMPAS if case["fn"] == function]
    compas["p2"] = compas["predicted"].map({0: "no", 1: "yes"})  # `p2` of the R calls: predictions with R's labels
    # pytest turns any warning into an error, and no call on these data deserves one
    complaints = [complaint(case, getattr(fairness_py, function)(compas, **options_of(case))) for case in cases]
    assert [text for text in complaints if text] == []


@pytest.mark.parametrize("levels", [("BAD", "GOOD"), ("GOOD", "BAD")], ids="-".join)
@pytest.mark.parametrize("function", R_FUNCTIONS)
def test_germancredit(function, levels, germancredit):
    """R's own data fall into a trap of R's: the levels are BAD, GOOD, and the probabilities are those of BAD."""
    germancredit["BAD"] = germancredit["BAD"].cat.reorder_categories(levels)
    trapped = levels == ("BAD", "GOOD") and function != "roc_parity"
    cases = [case for case in GERMANCREDIT if case["fn"] == function and case["outcome_levels"] == list(levels)]
    assert len(cases) in (15, 16)
    complaints = []
    for case in cases:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = getattr(fairness_py, function)(germancredit, **options_of(case))
        complaints.append(complaint(without_the_slip(case, result), result))
        texts = [str(warning.message) for warning in caught]
        assert sum(text.startswith(REVERSED) for text in texts) == trapped, f"{texts} on {case['call']}"
        others = [text for text in texts if not text.startswith(REVERSED)]
        assert all(any(word in text for word in SMALL_GROUPS) for text in others), others
    assert [text for text in complaints if text] == []


def test_the_trap_is_named_once_with_both_levels(germancredit):
    with pytest.warns(UserWarning, match=r"rank 'BAD' higher than 'GOOD' \(AUC over all rows 0\.\d+\)") as caught:
        fairness_py.acc_parity(germancredit, "BAD", "Female", probs="probability")
    assert len(caught) == 1


def test_collation():
    texts = (GOLDEN / "collation.txt").read_text(encoding="utf-8").splitlines()
    assert len(texts) == 45
    shuffled = np.random.default_rng(1).permutation(texts).tolist()
    assert sorted(shuffled, key=collation_key) == texts


def test_groups_stand_in_the_order_of_the_collation():
    texts = (GOLDEN / "collation.txt").read_text(encoding="utf-8").splitlines()
    shuffled = np.random.default_rng(2).permutation(texts).tolist()
    data = pd.DataFrame({"group": shuffled * 2, "outcome": [0, 1] * len(texts), "predicted": 1})
    assert list(quietly(fairness_py.dem_parity, data, "outcome", "group", preds="predicted").Metric.columns) == texts
