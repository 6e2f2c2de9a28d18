"""What a user hears: warnings that point at the caller's line, with numbers and names; errors with the way out."""

from __future__ import annotations

import inspect
import re
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from helpers import METRICS_OF_COUNTS, R_FUNCTIONS, eight, messages_of, quietly

import fairness_py
from fairness_py import acc_parity, dem_parity, fnr_parity, roc_parity


def gaps():
    """Return eight() with one row without a group, one without an outcome, and two without a probability."""
    data = eight().astype({"outcome": "Int64"})
    data.loc[0, "group"] = None
    data.loc[1, "outcome"] = pd.NA
    data.loc[[6, 7], "probability"] = np.nan
    return data


@pytest.mark.parametrize("name", R_FUNCTIONS)
def test_warnings_point_at_the_line_of_the_caller(name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        line = inspect.currentframe().f_lineno + 1
        getattr(fairness_py, name)(gaps(), "outcome", "group", probs="probability")
    assert caught
    assert {(warning.filename, warning.lineno) for warning in caught} == {(__file__, line)}


def test_a_caller_in_a_folder_with_a_similar_name(tmp_path):
    """Only the package's own files are skipped, not those beside it whose path begins alike."""
    path = str(fairness_py.__path__[0]) + "_demo.py"
    code = compile("acc_parity(data, 'outcome', 'group', probs='probability')", path, "exec")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec(code, {"acc_parity": acc_parity, "data": gaps()})
    assert {warning.filename for warning in caught} == {path}


def test_rows_left_out_are_counted_once():
    assert messages_of(acc_parity, gaps(), "outcome", "group", probs="probability") == [
        "4 of 8 rows were left out: group is missing in 1, probs are missing in 2, outcome is missing in 1."
    ]
    assert messages_of(dem_parity, gaps(), "outcome", "group", probs="probability") == [
        "3 of 8 rows were left out: group is missing in 1, probs are missing in 2."
    ]
    data = gaps().astype({"predicted": "Int64"})
    data.loc[[3, 4], "predicted"] = pd.NA
    assert messages_of(acc_parity, data, "outcome", "group", preds="predicted") == [
        "4 of 8 rows were left out: group is missing in 1, preds are missing in 2, outcome is missing in 1."
    ]


def test_both_probs_and_preds():
    data = eight().assign(predicted=0)
    assert messages_of(acc_parity, data, "outcome", "group", probs="probability", preds="predicted") == [
        "Both probs and preds='predicted' were given: probs are used, preds are not."
    ]
    assert messages_of(acc_parity, data, "outcome", "group", probs="probability", preds=[0, 1] * 4) == [
        "Both probs and preds were given: probs are used, preds are not."
    ]
    both = quietly(acc_parity, data, "outcome", "group", probs="probability", preds="predicted").Metric
    pd.testing.assert_frame_equal(both, acc_parity(data, "outcome", "group", probs="probability").Metric)


@pytest.mark.parametrize(("given", "hint"), [("b", " Did you mean base='b'?"), ("c", ""), ("probability", "")])
def test_a_group_in_the_place_of_preds(given, hint):
    assert messages_of(acc_parity, eight(), "outcome", "group", "probability", given) == [
        f"Both probs and preds={given!r} were given: probs are used, preds are not.{hint}"
    ]


def test_a_column_in_the_place_of_preds_is_no_group_even_where_a_group_has_its_name():
    data = eight().assign(b=1)
    assert messages_of(acc_parity, data, "outcome", "group", "probability", "b") == [
        "Both probs and preds='b' were given: probs are used, preds are not."
    ]


def test_more_than_ten_groups():
    data = pd.concat([eight()] * 3, ignore_index=True)
    text = "Number of unique group levels exceeds 10. Consider specifying group_breaks."
    for groups, expected in ((10, []), (11, [text])):
        data["group"] = [f"g{row % groups}" for row in range(len(data))]
        assert messages_of(acc_parity, data, "outcome", "group", preds="predicted") == expected
    data["group"] = range(len(data))
    assert messages_of(acc_parity, data, "outcome", "group", preds="predicted", group_breaks=12) == []


def test_base_without_rows():
    data = eight().assign(group=pd.Categorical(list("bbbbcccc"), categories=["a", "b", "c"]))
    text = "The base group 'a' has no rows that count, so there is nothing to compare with."
    assert messages_of(acc_parity, data, "outcome", "group", preds="predicted") == [text]
    assert messages_of(roc_parity, data, "outcome", "group", probs="probability") == [text]
    assert messages_of(acc_parity, data, "outcome", "group", preds="predicted", base="b") == []


@pytest.mark.parametrize("name", METRICS_OF_COUNTS)
def test_neither_probs_nor_preds(name):
    with pytest.raises(ValueError, match=r"^Either probs or preds have to be supplied$"):
        getattr(fairness_py, name)(eight(), "outcome", "group")


ERRORS = [
    ({"base": "A"}, "base must be one of the groups 'a', 'b', got 'A'. Did you mean 'a'?"),
    ({"base": 0}, "base must be one of the groups 'a', 'b', got 0."),  # R takes a number as a position
    ({"base": ["a"]}, "base must be one of the groups 'a', 'b', got ['a']."),
    ({"base": pd.NA}, "base must be one of the groups 'a', 'b', got <NA>."),
    ({"outcome_base": 2}, "outcome_base must be one of the outcome's levels 0, 1, got 2."),
    ({"outcome_base": [0]}, "outcome_base must be one of the outcome's levels 0, 1, got [0]."),
    ({"cutoff": 1.5}, "cutoff must be a number between 0 and 1, got 1.5."),
    ({"cutoff": -0.1}, "cutoff must be a number between 0 and 1, got -0.1."),
    ({"cutoff": float("nan")}, "cutoff must be a number between 0 and 1, got nan."),
    ({"cutoff": "0.5"}, "cutoff must be a number between 0 and 1, got '0.5'."),
    ({"cutoff": True}, "cutoff must be a number between 0 and 1, got True."),
    ({"cutoff": None}, "cutoff must be a number between 0 and 1, got None."),
    ({"outcome": [1] * 8}, "outcome must be binary, with two levels; it has 1: 1."),
    ({"outcome": [0, 1, 2, 1] * 2}, "outcome must be binary, with two levels; it has 3: 0, 1, 2."),
    ({"outcome": [None] * 8}, "outcome must be binary, with two levels; it has 0: ."),
    ({"group": [None] * 8}, "group is missing in all rows: there is no group to compare."),
    ({"group": ["a", "b"]}, "group has 2 values, data has 8 rows."),
]


@pytest.mark.parametrize(("wrong", "meant"), [(1, "'a'"), (2.0, "'b'"), (np.int64(2), "'b'")], ids=str)
def test_a_number_for_base_is_no_position(wrong, meant):
    """In R base=1 is the first level; here the error names the level that R would have taken."""
    message = (
        f"base must be one of the groups 'a', 'b', got {wrong}. A number is a position in R, but never here: leave "
        f"base out for the first level, or pass base={meant}."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        fnr_parity(eight(), "outcome", "group", probs="probability", base=wrong)


@pytest.mark.parametrize("wrong", [0, 3, 1.5, True, float("nan"), Decimal("nan"), "1"], ids=repr)
def test_what_can_be_no_position_gets_no_advice_on_positions(wrong):
    with pytest.raises(ValueError, match=r"^base must be one of the groups 'a', 'b', got ") as error:
        fnr_parity(eight(), "outcome", "group", probs="probability", base=wrong)
    assert "position" not in str(error.value)


@pytest.mark.parametrize(("wrong", "message"), ERRORS, ids=lambda x: str(x)[:40])
def test_errors_say_what_was_wanted_and_what_came(wrong, message):
    arguments = {"outcome": "outcome", "group": "group", "probs": "probability"} | wrong
    with pytest.raises(ValueError, match=re.escape(message)):
        fnr_parity(eight(), **arguments)


def test_a_third_label_among_the_predictions():
    data = eight().assign(predicted=list("01201201"))
    message = (
        "levels of predictions and outcome differ: preds must hold labels of the outcome, 0, 1, but they also hold '2'."
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        fnr_parity(data, "outcome", "group", preds="predicted")


def test_a_third_label_beyond_the_first_look():
    data = pd.concat([eight()] * 1000, ignore_index=True)
    data["predicted"] = 0
    data.loc[len(data) - 1, "predicted"] = 2
    with pytest.raises(ValueError, match="but they also hold 2"):
        fnr_parity(data, "outcome", "group", preds="predicted")


def test_probabilities_given_as_predictions():
    with pytest.raises(ValueError, match=r"preds must hold labels of the outcome, 0, 1, but they hold 0\.9, 0\.4"):
        fnr_parity(eight(), "outcome", "group", preds="probability")
    data = pd.concat([eight()] * 20, ignore_index=True)
    data["many"] = np.linspace(0, 1, len(data))
    with pytest.raises(ValueError, match=r"got 160 different values.*Probabilities belong into probs"):
        fnr_parity(data, "outcome", "group", preds="many")
    with pytest.raises(ValueError, match="outcome must be binary, got 160 different values"):
        fnr_parity(data, "many", "group", preds="predicted")


def test_labels_given_as_probabilities():
    data = eight().assign(text=["yes", "no"] * 4)
    with pytest.raises(TypeError, match=re.escape("probs must be numbers, got values such as 'yes'")):
        fnr_parity(data, "outcome", "group", probs="text")
    with pytest.raises(ValueError, match="labels belong into preds"):
        fnr_parity(data, "outcome", "group", probs=[1, 2] * 4)
