"""The R package's own tests, translated: how many results a call has, what it refuses, and the shapes of the data."""

from __future__ import annotations

import pytest
from helpers import METRICS_OF_COUNTS, R_FUNCTIONS

import fairness_py

CALL = {"outcome": "Two_yr_Recidivism", "group": "ethnicity"}


@pytest.fixture
def labelled(compas):
    """Return the data with predictions that have the outcome's labels, as the R tests make them."""
    return compas.assign(predicted=compas["predicted"].map({0: "no", 1: "yes"}).astype("category"))


@pytest.mark.parametrize("name", METRICS_OF_COUNTS)
def test_three_results_with_probs(name, labelled):
    result = getattr(fairness_py, name)(labelled, **CALL, probs="probability", cutoff=0.4, base="Caucasian")
    assert len(result) == 3
    assert list(result) == ["Metric", "Metric_plot", "Probability_plot"]


@pytest.mark.parametrize("name", METRICS_OF_COUNTS)
def test_two_results_with_preds(name, labelled):
    result = getattr(fairness_py, name)(labelled, **CALL, preds="predicted", base="Caucasian")
    assert len(result) == 2
    assert list(result) == ["Metric", "Metric_plot"]


def test_four_results_of_roc_parity(labelled):
    result = fairness_py.roc_parity(labelled, **CALL, probs="probability", base="Caucasian")
    assert len(result) == 4
    assert list(result) == ["Metric", "Metric_plot", "Probability_plot", "ROCAUC_plot"]


@pytest.mark.parametrize("name", R_FUNCTIONS)
def test_an_error_without_probs_and_preds(name, labelled):
    with pytest.raises(ValueError, match=r"[Pp]robs.* have to be supplied"):
        getattr(fairness_py, name)(labelled, **CALL, base="Caucasian")


@pytest.mark.parametrize("name", R_FUNCTIONS)
def test_an_error_without_outcome(name, labelled):
    with pytest.raises(TypeError, match="outcome"):
        getattr(fairness_py, name)(labelled, group="ethnicity", probs="probability", base="Caucasian")
    with pytest.raises(ValueError, match="outcome must name a column of data"):
        getattr(fairness_py, name)(labelled, outcome=None, group="ethnicity", probs="probability")


def test_shapes_of_the_data(compas, germancredit):
    assert compas.shape == (6172, 9)
    assert germancredit.shape == (1000, 23)


def test_vectors_give_what_columns_give(labelled):
    by_name = fairness_py.acc_parity(labelled, **CALL, preds="predicted", base="Caucasian")
    by_vector = fairness_py.acc_parity(
        labelled, labelled["Two_yr_Recidivism"], labelled["ethnicity"], preds=labelled["predicted"], base="Caucasian"
    )
    assert by_name == by_vector
