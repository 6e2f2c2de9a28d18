"""The formulas, against fractions worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from helpers import METRICS_OF_COUNTS, people, rows, same_numbers, table

from fairness_py import mcc_parity
from fairness_py._counts import Counts
from fairness_py.metrics import METRICS, ratio

# group: (TP, FP, TN, FN); no two cells of a group alike, so that none can stand for another
DATA = {"a": (30, 7, 50, 13), "b": (11, 19, 23, 5), "c": (2, 3, 17, 29)}
EXPECTED = {
    "acc_parity": (80 / 100, 34 / 58, 19 / 51),
    "dem_parity": (37, 30, 5),
    "equal_odds": (30 / 43, 11 / 16, 2 / 31),
    "fnr_parity": (13 / 43, 5 / 16, 29 / 31),
    "fpr_parity": (7 / 57, 19 / 42, 3 / 20),
    "mcc_parity": (
        (30 * 50 - 7 * 13) / math.sqrt(37 * 43 * 57 * 63),
        (11 * 23 - 19 * 5) / math.sqrt(30 * 16 * 42 * 28),
        (2 * 17 - 3 * 29) / math.sqrt(5 * 31 * 20 * 46),
    ),
    "npv_parity": (50 / 63, 23 / 28, 17 / 46),
    "pred_rate_parity": (30 / 37, 11 / 30, 2 / 5),
    "prop_parity": (37 / 100, 30 / 58, 5 / 51),
    "spec_parity": (50 / 57, 23 / 42, 17 / 20),
}
ROWS = {
    "acc_parity": ["Accuracy", "Accuracy Parity"],
    "dem_parity": ["Positively classified", "Demographic Parity"],
    "equal_odds": ["Sensitivity", "Equalized odds"],
    "fnr_parity": ["FNR", "FNR Parity"],
    "fpr_parity": ["FPR", "FPR Parity"],
    "mcc_parity": ["MCC", "MCC Parity"],
    "npv_parity": ["NPV", "NPV Parity"],
    "pred_rate_parity": ["Precision", "Predictive Rate Parity"],
    "prop_parity": ["Proportion", "Proportional Parity"],
    "spec_parity": ["Specificity", "Specificity Parity"],
}
AXES = {
    "acc_parity": "Accuracy Parity",
    "dem_parity": "Demographic Parity",
    "equal_odds": "Equalized Odds",
    "fnr_parity": "False Negative Rate Parity",
    "fpr_parity": "False Positive Rate Parity",
    "mcc_parity": "Matthews Correlation Coefficient Parity",
    "npv_parity": "Negative Predictive Value Parity",
    "pred_rate_parity": "Predictive Rate Parity",
    "prop_parity": "Proportional Parity",
    "roc_parity": "ROC AUC Parity",
    "spec_parity": "Specificity Parity",
}


@pytest.mark.parametrize("name", METRICS_OF_COUNTS)
@pytest.mark.parametrize("base", ["a", "b", "c"])
def test_fractions(name, base):
    metric = table(name, people(**DATA), "outcome", "group", preds="predicted", base=base)
    assert list(metric.index) == [*ROWS[name], "Group size"]
    order = [base, *(group for group in DATA if group != base)]
    assert list(metric.columns) == order
    raw = dict(zip(DATA, EXPECTED[name], strict=True))
    got_raw, got_parity, got_size = rows(metric)
    assert same_numbers(got_raw, [raw[group] for group in order])
    assert same_numbers(got_parity, [raw[group] / raw[base] for group in order])
    assert got_size == [sum(DATA[group]) for group in order]


# the same with the other level as the negative one: TP and TN change places, and so do FP and FN
@pytest.mark.parametrize("name", METRICS_OF_COUNTS)
def test_the_other_level_as_negative(name):
    swapped = {group: (tn, fn, tp, fp) for group, (tp, fp, tn, fn) in DATA.items()}
    given = table(name, people(**swapped), "outcome", "group", preds="predicted", outcome_base=1)
    assert same_numbers(given.to_numpy()[0], EXPECTED[name])


NAN, INF = math.nan, math.inf
UNDEFINED = {  # (TP, FP, TN, FN): the raw value
    ("acc_parity", (0, 0, 0, 0)): NAN,
    ("dem_parity", (0, 0, 0, 0)): 0,
    ("prop_parity", (0, 0, 0, 0)): NAN,
    ("equal_odds", (0, 3, 4, 0)): NAN,
    ("fnr_parity", (0, 3, 4, 0)): NAN,
    ("fpr_parity", (3, 0, 0, 4)): NAN,
    ("spec_parity", (3, 0, 0, 4)): NAN,
    ("pred_rate_parity", (0, 0, 3, 4)): NAN,
    ("npv_parity", (3, 4, 0, 0)): NAN,
    ("npv_parity", (0, 0, 5, 0)): 1,  # R gives NA here: no positive outcome
    ("mcc_parity", (0, 0, 3, 4)): 0,
    ("mcc_parity", (3, 4, 0, 0)): 0,
    ("mcc_parity", (3, 0, 0, 4)): 0,
    ("mcc_parity", (0, 3, 4, 0)): 0,
    ("mcc_parity", (0, 0, 0, 0)): 0,
    ("mcc_parity", (5, 0, 7, 0)): 1,
    ("mcc_parity", (0, 5, 0, 7)): -1,
}


@pytest.mark.parametrize(("name", "cell"), UNDEFINED, ids=str)
def test_where_a_cell_is_empty(name, cell):
    metric = table(name, people(a=DATA["a"], z=cell), "outcome", "group", preds="predicted")
    if sum(cell):
        assert same_numbers([metric.loc[ROWS[name][0], "z"]], [UNDEFINED[name, cell]])
    else:  # a level without rows needs a categorical
        assert "z" not in metric.columns
        vector = np.zeros(1)
        [formula] = METRICS[name].rates.values()
        assert same_numbers(formula(Counts(vector, vector, vector, vector, vector, vector)), [UNDEFINED[name, cell]])


def test_parities_of_zero():
    assert same_numbers(ratio(np.array([0.0, 1, -1, 2, NAN]), np.array([0.0, 0, 0, 4, 1])), [NAN, INF, -INF, 0.5, NAN])
    no_miss = {"a": (5, 1, 5, 0), "b": (4, 1, 5, 1), "c": (3, 1, 2, 0)}
    metric = table("fnr_parity", people(**no_miss), "outcome", "group", preds="predicted")
    assert same_numbers(metric.loc["FNR Parity"], [NAN, INF, NAN])
    metric = table("fnr_parity", people(**no_miss), "outcome", "group", preds="predicted", base="b")
    assert same_numbers(metric.loc["FNR Parity"], [1, 0, 0])


@pytest.mark.parametrize("size", [60_000, 3_000_000_000])
def test_mcc_of_large_cells(size):
    """The product of four margins leaves 64-bit integers at some 60,000 a cell."""
    [formula] = METRICS["mcc_parity"].rates.values()
    tp, fp, tn, fn = (np.array([float(share * size)]) for share in (3, 1, 2, 2))
    expected = (3 * 2 - 1 * 2) / math.sqrt(4 * 5 * 3 * 4)
    assert same_numbers(formula(Counts(tp, fp, tn, fn, tp + fp, tn + fn)), [expected])


def test_mcc_of_60000_rows_a_cell():
    metric = mcc_parity(people(a=(60_000,) * 4, b=(60_000, 0, 60_000, 0)), "outcome", "group", preds="predicted")
    assert metric.Metric.loc["MCC"].tolist() == [0, 1]
    assert metric.Metric.loc["Group size"].tolist() == [240_000, 120_000]


def test_records_say_what_is_shown():
    assert {name: METRICS[name].axis_title for name in AXES} == AXES
    for name, (raw, parity) in ROWS.items():
        assert (list(METRICS[name].rates), METRICS[name].value_row) == ([raw], parity)
        assert (METRICS[name].name, METRICS[name].reference) == (name, 1)
        assert METRICS[name].needs_outcome == (name not in ("dem_parity", "prop_parity"))


def test_every_metric_shows_a_row_that_it_has():
    ones = np.ones(2)
    for name, metric in METRICS.items():
        given = [ones] * len(metric.rates)
        assert metric.name == name
        assert metric.value_row in [*metric.rates, *metric.compare(given, given)]
        assert metric.axis_title


def test_no_formula_of_counts_for_the_area():
    vector = np.ones(1)
    with pytest.raises(TypeError, match="scores, not of counts"):
        METRICS["roc_parity"].rates["ROC AUC"](Counts(vector, vector, vector, vector, vector, vector))
