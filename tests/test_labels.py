"""R's text of a value, which labels are the same, and their order."""

from __future__ import annotations

import datetime
import decimal
import math

import numpy as np
import pandas as pd
import pytest

from fairness_py._labels import (
    collation_key,
    did_you_mean,
    find_label,
    is_boolean,
    is_label,
    is_number,
    label_texts,
    plain,
    quoted,
    r_text,
    same_label,
    sorting_key,
)

# what as.character() of R 4.2 gives
R_TEXTS = [
    (True, "TRUE"),
    (np.False_, "FALSE"),
    (1, "1"),
    (1_000_000, "1000000"),  # an integer of R
    (0.0, "0"),
    (-0.0, "0"),
    (1.0, "1"),
    (-2.5, "-2.5"),
    (1 / 3, "0.333333333333333"),
    (2 / 3, "0.666666666666667"),
    (0.1 + 0.2, "0.3"),
    (100000.0, "1e+05"),
    (123456.0, "123456"),
    (1e6, "1e+06"),
    (1234567.0, "1234567"),
    (1e15, "1e+15"),
    (0.0001, "1e-04"),
    (0.00012, "0.00012"),
    (1e-5, "1e-05"),
    (1e-300, "1e-300"),
    (1.5e200, "1.5e+200"),
    (math.nan, "NaN"),
    (math.inf, "Inf"),
    (-math.inf, "-Inf"),
    (-0.5, "-0.5"),
    (np.float64(0.5), "0.5"),
    ("a", "a"),
    ("1.0", "1.0"),
]


@pytest.mark.parametrize(("value", "text"), R_TEXTS, ids=repr)
def test_text_of_r(value, text):
    assert r_text(value) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (0, 0.0),
        (0, "0"),
        (0.0, "0"),
        (1, "1"),
        (True, 1),
        (True, "TRUE"),
        (True, "True"),
        (False, "FALSE"),
        (False, 0),
        (1 / 3, "0.333333333333333"),
        (1_000_000, "1e+06"),
        (1_000_000, "1000000"),
        (1e6, "1000000"),
        (np.int8(2), "2"),
        ("a", np.str_("a")),
        (datetime.date(2020, 1, 2), "2020-01-02"),
        (pd.Timestamp(2020, 1, 2), "2020-01-02"),
        (pd.Timestamp(2020, 1, 2, 3), "2020-01-02 03:00:00"),
    ],
    ids=str,
)
def test_same_labels(one, other):
    assert same_label(one, other)
    assert same_label(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [(0, 1), (0, "0.0"), (True, False), (True, 0), ("a", "A"), ("1", " 1"), (0.5, "0.50"), ("TRUE", 1.5), (2.5, 2)],
    ids=str,
)
def test_different_labels(one, other):
    assert not same_label(one, other)
    assert not same_label(other, one)


def test_a_label_is_found_by_value_before_text():
    assert find_label(["1", 1, True], 1) == 1
    assert find_label(["1", 1, True], True) == 2
    assert find_label(["1", 1, True], "1") == 0
    assert find_label([False, True], 0) == 0
    assert find_label([0, 1], False) == 0
    assert find_label([0, 1], "TRUE") is None
    assert find_label([0.0, 1.0], "1") == 1
    assert find_label(["a", "b"], "c") is None
    assert find_label([], "a") is None


def test_long_whole_numbers_are_not_taken_for_their_neighbours():
    """Fifteen digits, all that R shows of a double, do not tell them apart."""
    neighbours = [np.int64(2**53), np.int64(2**53 + 1)]
    assert find_label(neighbours, 2**53 + 1) == 1
    assert find_label(neighbours, 2**53 + 2) is None
    assert find_label([np.int64(10**15)], "1e+15") == 0
    assert find_label(neighbours, 10**400) is None


@pytest.mark.parametrize("nothing", [["a"], {"a": 1}, np.array(["a", "b"]), math.nan, pd.NA, pd.NaT], ids=repr)
def test_what_is_no_label_is_not_found(nothing):
    assert not is_label(nothing)
    assert find_label(["a", "NaN", "<NA>", "NaT"], nothing) is None


def test_kinds():
    assert [is_boolean(value) for value in (True, np.True_, 1, "TRUE")] == [True, True, False, False]
    numbers = (1, 1.5, np.int8(1), np.float32(1), decimal.Decimal(1))
    assert all(map(is_number, numbers))
    assert not any(map(is_number, (True, np.False_, "1", None, 1j, np.complex128(1))))


ORDERS = [
    ([10, 9, -1, 2.5], [-1, 2.5, 9, 10]),
    ([True, False], [False, True]),
    (["b", "A", "a", "B"], ["a", "A", "b", "B"]),
    (["10", "9", "a", "-"], ["-", "10", "9", "a"]),
    (["Caucasian", "asian", "African_American", "b"], ["African_American", "asian", "b", "Caucasian"]),
    ([datetime.date(2021, 1, 1), datetime.date(2020, 12, 1)], [datetime.date(2020, 12, 1), datetime.date(2021, 1, 1)]),
    ([pd.Timestamp(2021, 1, 1), pd.Timestamp(2020, 12, 1)], [pd.Timestamp(2020, 12, 1), pd.Timestamp(2021, 1, 1)]),
    ([pd.Interval(9, 10), pd.Interval(1, 2)], [pd.Interval(1, 2), pd.Interval(9, 10)]),
    ([pd.Period("2021-10", "M"), pd.Period("2021-9", "M")], [pd.Period("2021-9", "M"), pd.Period("2021-10", "M")]),
    ([np.timedelta64(10, "D"), np.timedelta64(9, "D")], [np.timedelta64(9, "D"), np.timedelta64(10, "D")]),
    (["b", 10, 9], [10, 9, "b"]),  # of several kinds: as text
    ([(2, 1), (10, 1)], [(10, 1), (2, 1)]),
    ([2j, 1j], [1j, 2j]),
]


@pytest.mark.parametrize(("labels", "expected"), ORDERS, ids=str)
def test_order(labels, expected):
    assert sorted(labels, key=sorting_key(labels)) == expected


def test_text_that_collates_alike_has_one_order():
    assert sorted(["a\u0301", "\u00e1"], key=collation_key) == sorted(["\u00e1", "a\u0301"], key=collation_key)


def test_messages():
    assert quoted(["a", np.int64(1), np.float64(0.5), np.True_]) == "'a', 1, 0.5, True"
    assert quoted(range(12)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"
    assert quoted(range(13)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, … (13 in all)"
    assert type(plain(np.int64(1))) is int
    assert plain("a") == "a"


def test_did_you_mean():
    labels = ["Caucasian", "African_American", "Other"]
    assert did_you_mean("caucasian", labels) == " Did you mean 'Caucasian'?"
    assert did_you_mean("Africa", labels) == " Did you mean 'African_American'?"
    assert did_you_mean("Af", labels) == " Did you mean 'African_American'?"
    assert did_you_mean("x", labels) == ""
    assert did_you_mean("zzz", labels) == ""
    assert did_you_mean("11", [1, 111]) == " Did you mean 111?"


@pytest.mark.parametrize("wanted", [1, 1.0, np.int64(1), 11])
def test_a_number_is_not_misspelt(wanted):
    assert did_you_mean(wanted, [2, 10, 111]) == ""


def test_texts_of_a_label():
    assert label_texts(1e6) == {"1e+06", "1000000"}
    assert label_texts(10**6) == {"1e+06", "1000000"}
    assert label_texts(True) == {"TRUE", "True", "1"}
    assert label_texts(1) == {"1"}  # not confused with True, which equals it
    assert label_texts("1") == {"1"}


def test_whole_numbers_that_a_double_cannot_tell_apart_are_no_same_label():
    assert not same_label(9007199254740993, 9007199254740992)  # 2 ** 53 + 1 is no double
    assert same_label(1000000, "1e+06")
    assert same_label(10**400, str(10**400))  # beyond all doubles
