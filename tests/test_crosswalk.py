"""The crosswalk names what exists, with the right sign. What other libraries compute is asked in other_libraries/."""

from __future__ import annotations

import math

import pytest
from helpers import people, table

import fairness_py
from fairness_py import crosswalk
from fairness_py.metrics import METRICS

DATA = {"a": (30, 7, 50, 13), "d": (11, 19, 23, 5)}
TABLE = crosswalk().set_index("Function")


def value(name, **options):
    return table(name, people(**DATA), "outcome", "group", preds="predicted", **options).loc[
        METRICS[name].value_row, "d"
    ]


def test_every_metric_once():
    assert sorted(crosswalk()["Function"]) == sorted(METRICS)
    assert set(METRICS) <= set(fairness_py.__all__)


def test_columns():
    assert list(crosswalk().columns) == [
        *["Function", "Short name", "Formula", "Positive means", "Range", "No disparity"],
        *["R fairness", "Clarify", "AIF360", "Fairlearn"],
    ]
    assert crosswalk().notna().all(axis=None)


def test_a_table_of_its_own_each_time():
    changed = crosswalk()
    changed.loc[0, "Formula"] = "?"
    assert "?" not in crosswalk()["Formula"].tolist()


def test_the_functions_of_r_are_r_functions():
    r_names = [name.removesuffix(" (as a ratio)") for name in TABLE["R fairness"] if name]
    assert all(METRICS[name].reference == 1 for name in r_names)
    assert {name for name in TABLE.index if name.endswith(("_parity", "_odds"))} <= set(r_names)


def test_short_names_are_those_of_the_definitions():
    assert TABLE["Short name"][TABLE["Short name"] != ""].to_dict() == {
        "recall_difference": "RD",
        "specificity_difference": "SD",
        "equal_opportunity_difference": "EOD",
        "average_odds_difference": "AOD",
        "statistical_parity_difference": "SPD",
        "disparate_impact": "DI",
        "difference_in_positive_proportions": "DPPL",
        "accuracy_difference": "AD",
        "difference_in_acceptance_rates": "DAR",
        "difference_in_rejection_rates": "DRR",
        "difference_in_conditional_acceptance": "DCAcc",
        "difference_in_conditional_rejection": "DCR",
        "treatment_equality": "TE",
    }


def test_no_disparity_is_the_value_of_the_base():
    for name in TABLE.index.difference(["roc_parity", "calibration_within_groups"]):
        metric = table(name, people(**DATA), "outcome", "group", preds="predicted")
        assert metric.loc[METRICS[name].value_row, "a"] == TABLE.loc[name, "No disparity"]


def test_formulas():
    """Each formula, evaluated as it is written, gives what the function gives."""
    counts = {}
    for group, (tp, fp, tn, fn) in DATA.items():
        rates = {
            "TPR": tp / (tp + fn), "FNR": fn / (tp + fn), "TNR": tn / (tn + fp), "FPR": fp / (tn + fp),
            "PPV": tp / (tp + fp), "NPV": tn / (tn + fn), "SR": (tp + fp) / (tp + fp + tn + fn),
            "ACC": (tp + tn) / (tp + fp + tn + fn), "FN": fn, "FP": fp,
            "P": tp + fn, "Phat": tp + fp, "N": tn + fp, "Nhat": tn + fn, "S": tp + fp,
            "MCC": (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
        }  # fmt: skip
        counts |= {f"{rate}_{group}": number for rate, number in rates.items()}
    for name, formula in TABLE["Formula"].items():
        if name not in ("roc_parity", "calibration_within_groups"):
            written = formula.replace("P̂", "Phat").replace("N̂", "Nhat").replace("(TP + FP)_", "S_")
            got = eval(written.replace("[", "(").replace("]", ")"), {}, counts)
            assert got == pytest.approx(value(name)), name


def test_clarify_names_are_our_own_short_names_with_a_sign():
    short = {name: value(function) for function, name in TABLE["Short name"].items() if name}
    for function, written in TABLE["Clarify"].items():
        if written:
            assert value(function) == pytest.approx(eval(written, {}, short)), function
