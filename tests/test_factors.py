"""Codes and levels of columns of every type, and R's cut()."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from helpers import messages_of, people, quietly, rows, same_numbers, table

from fairness_py import acc_parity, dem_parity
from fairness_py._factors import (
    OUTSIDE,
    Binned,
    Coded,
    OutOfRangeError,
    Threshold,
    WholeNumbers,
    _factorize_objects,
    find_levels,
    interaction,
    interval_labels,
    is_numeric,
    make_breaks,
    to_factor,
    to_numbers,
)

ALL = slice(None)


def decoded(factor):
    """Return the labels of all rows, None where missing."""
    return [None if code == -1 else factor.labels[code] for code in factor.codes(ALL).tolist()]


def series(values, dtype=None):
    return pd.Series(values, dtype=dtype)


FACTORS = [
    (series(["b", "a", None, "b"]), ["b", "a", None, "b"]),
    (series(["b", "a", None, "b"], object), ["b", "a", None, "b"]),
    (series(["b", "a", None, "b"], "string"), ["b", "a", None, "b"]),
    (series(["b", "a", None, "b"], "string[pyarrow]"), ["b", "a", None, "b"]),
    (series(pd.Categorical(["b", "a", None], categories=["c", "b", "a"])), ["b", "a", None]),
    (series([True, False, True]), [True, False, True]),
    (series([True, None, False], "boolean"), [True, None, False]),
    (series([True, None, False], "bool[pyarrow]"), [True, None, False]),
    (series([3, 1, 2]), [3, 1, 2]),
    (series([3, None, 2], "Int64"), [3, None, 2]),
    (series([3, None, 2], "int32[pyarrow]"), [3, None, 2]),
    (series([3, 1000, -2]), [3, 1000, -2]),
    (series([0.5, None, 2.5]), [0.5, None, 2.5]),
    (series([0.5, None, 2.5], "Float64"), [0.5, None, 2.5]),
    (series([0.5, None, 2.5], "double[pyarrow]"), [0.5, None, 2.5]),
    (series([None, float("nan"), pd.NA, pd.NaT, "a"], object), [None, None, None, None, "a"]),
]


@pytest.mark.parametrize(("values", "expected"), FACTORS, ids=lambda x: str(getattr(x, "dtype", "")))
def test_factor_of_every_type(values, expected):
    assert decoded(to_factor(values, "group")) == expected


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_extremes_of_whole_numbers(dtype):
    limits = np.iinfo(dtype)
    for values in (
        [limits.min, limits.max],
        [limits.min, limits.min + 1, limits.min + 99],
        [limits.max, limits.max - 99, limits.max - 1],
        [limits.max] * 2,
        [limits.min] * 2,
    ):
        factor = to_factor(pd.Series(values, dtype=dtype), "group")
        assert decoded(factor) == values
        levels = find_levels(factor, np.bincount(factor.codes(ALL), minlength=len(factor.labels)), "group")
        assert levels.labels == sorted(set(values))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int64", "uint64"])
@pytest.mark.parametrize("beyond", [4, 8, 104, 107])
def test_a_number_beyond_the_guessed_range_is_noticed(dtype, beyond):
    """Also where the distance from the lowest number does not fit into the type."""
    values = np.full(5000, 6, dtype=dtype)
    values[:2] = 5, 7
    values[-1] = beyond
    factor = to_factor(pd.Series(values), "group")
    assert isinstance(factor, WholeNumbers)
    with pytest.raises(OutOfRangeError):
        factor.codes(ALL)
    assert decoded(factor.widened())[-2:] == [6, beyond]


@pytest.mark.parametrize(("late", "whole"), [((-1000, 1000), False), ((-90, 9), True), ((-90, 10), False)], ids=str)
def test_a_wide_range_that_shows_late(late, whole):
    values = np.zeros(5000, dtype=int)
    values[-2:] = late
    widened = to_factor(pd.Series(values), "group").widened()
    assert isinstance(widened, WholeNumbers) == whole
    assert decoded(widened) == values.tolist()


@pytest.mark.parametrize(("lowest", "beyond"), [(-128, 0), (-128, 127), (-100, 127), (27, -128)])
def test_distances_that_wrap_round(lowest, beyond):
    values = np.full(5000, lowest, dtype="int8")
    values[-1] = beyond
    with pytest.raises(OutOfRangeError):
        to_factor(pd.Series(values), "group").codes(ALL)


def test_only_zeros_at_first():
    values = np.zeros(5000, dtype=int)
    values[-1] = 1
    assert to_factor(pd.Series(values), "outcome").codes(ALL).tolist() == values.tolist()


@pytest.mark.parametrize("dtype", [">i2", ">i8", ">f8", ">f4"])
def test_bytes_in_another_order(dtype):
    assert decoded(to_factor(pd.Series(np.array([1, 2, 1], dtype=dtype)), "group")) == [1, 2, 1]


def test_arrow_dictionaries():
    import pyarrow as pa

    for index in (pa.int8(), pa.uint8(), pa.int32(), pa.uint32()):
        for text in (pa.string(), pa.large_string()):
            dictionary = pa.DictionaryArray.from_arrays(
                pa.array([1, 0, None, 1], index), pa.array(["a", "b", "without rows"], text)
            )
            factor = to_factor(pd.Series(pd.arrays.ArrowExtensionArray(dictionary)), "group")
            assert decoded(factor) == ["b", "a", None, "b"]
            assert factor.fixed
            assert list(factor.labels) == ["a", "b", "without rows"]


def test_arrow_dictionaries_in_chunks():
    import pyarrow as pa

    chunks = pa.chunked_array([pa.array(["a", "b"]).dictionary_encode(), pa.array(["b", "c"]).dictionary_encode()])
    factor = to_factor(pd.Series(pd.arrays.ArrowExtensionArray(chunks)), "group")
    assert decoded(factor) == ["a", "b", "b", "c"]


def test_nan_of_arrow_is_missing():
    import pyarrow as pa

    values = pd.Series(pd.arrays.ArrowExtensionArray(pa.array([float("nan"), 1.0, None])))
    assert decoded(to_factor(values, "group")) == [None, 1.0, None]
    assert np.isnan(to_numbers(values, "probs")).tolist() == [True, False, True]


def test_values_that_cannot_be_labels():
    with pytest.raises(TypeError, match="group must hold plain values such as texts or numbers"):
        to_factor(pd.Series([["a"], ["b"]]), "group")


# ------------------------------------------------------------------ levels


def test_categories_are_levels_with_or_without_rows():
    factor = to_factor(pd.Series(pd.Categorical(["b", None], categories=["z", "b", "a"])), "group")
    levels = find_levels(factor, np.array([0, 1, 0]), "group")
    assert levels.labels == ["z", "b", "a"]
    assert levels.sums(np.array([0, 5, 0, 7])).tolist() == [0, 5, 0]  # the last count is that of missing values


def test_other_labels_are_levels_where_they_have_rows():
    factor = Coded(np.array([0, 1, 2]), ["b", "c", "a"], fixed=False)
    levels = find_levels(factor, np.array([1, 0, 1]), "group")
    assert levels.labels == ["a", "b"]
    assert levels.of_code.tolist() == [1, -1, 0]


def test_labels_of_one_text_are_one_level():
    """As in R, where 0.1 + 0.2 and 0.3 are the same level."""
    metric = table("dem_parity", {"g": [0.3, 0.1 + 0.2, 0.5], "y": [0, 1, 0], "h": 1}, "y", "g", preds="h")
    assert rows(metric)[0] == [2, 1]
    with pytest.raises(ValueError, match=r"group holds both (1 and '1'|'1' and 1), which have the same text"):
        dem_parity({"g": [1, "1"], "y": [0, 1], "h": [1, 1]}, "y", "g", preds="h")


# ------------------------------------------------------------------ predictions of probabilities


def test_threshold_is_strict():
    scores = np.array([0.0, 0.3, 0.5, np.nextafter(0.5, 1), 1.0, np.nan, -0.0])
    assert Threshold(scores, 0.5).codes(ALL).tolist() == [0, 0, 0, 1, 1, -1, 0]
    assert Threshold(scores, 0.0).codes(ALL).tolist() == [0, 1, 1, 1, 1, -1, 0]
    assert Threshold(scores, 1.0).codes(ALL).tolist() == [0, 0, 0, 0, 0, -1, 0]
    assert Threshold(scores[:0], 0.5).codes(ALL).tolist() == []


@pytest.mark.parametrize("wrong", [-1e-300, float(np.nextafter(1, 2)), 50.0, float("inf"), -float("inf")])
@pytest.mark.parametrize("beside", [0.5, np.nan])
def test_probabilities_outside_the_unit_interval(wrong, beside):
    shown = re.escape(f"between 0 and 1, got {wrong!r}. Percentages have to be divided by 100")
    with pytest.raises(ValueError, match=shown):
        Threshold(np.array([0.1, beside, wrong]), 0.5).codes(ALL)


NUMBERS = [
    series([0, 1], "uint8"),
    series([False, True]),
    series([0, 1], "float32"),
    series([0, 1], "float16"),
    series([0, 1], "Int8"),
    series([0, 1], "Float32"),
    series([False, True], "boolean"),
    series([0, 1], "double[pyarrow]"),
    series([False, True], "bool[pyarrow]"),
    series([0, 1.0], object),
    series([False, 1], object),
    series(pd.Categorical([0.0, 1.0])),
    series(pd.arrays.SparseArray([0, 1])),
    series(pd.arrays.SparseArray([0.0, 1.0])),
    series(np.array([0, 1], dtype=">f8")),
]


@pytest.mark.parametrize("values", NUMBERS, ids=lambda values: str(values.dtype))
def test_numbers_of_every_type(values):
    numbers = to_numbers(values, "probs")
    assert numbers.dtype == np.float64
    assert numbers.tolist() == [0, 1]


def test_missing_numbers():
    for values in (series([None, 1], object), series([pd.NA, 1], object), series([None, 1], "Int64")):
        assert same_numbers(to_numbers(values, "probs"), [np.nan, 1])
    for nothing in (series([None, None], object), series([None, None], "string"), series([pd.NaT, pd.NaT])):
        assert np.isnan(to_numbers(nothing, "probs")).all()


@pytest.mark.parametrize(
    "values",
    [
        series(["0.1", "0.2"]),
        series(["0.1", 0.2], object),
        series([0.2] * 1500 + ["0.1"], object),
        series(pd.to_datetime(["2020-01-01"])),
        series([1j, 2j]),
        series([1j, 2j], object),
    ],
    ids=lambda values: f"{values.dtype}-{len(values)}",
)
def test_no_numbers(values):
    with pytest.raises(TypeError, match="probs must be numbers, got values such as"):
        to_numbers(values, "probs")


# ------------------------------------------------------------------ R's cut(); expected values are those of R 4.2


@pytest.mark.parametrize(
    ("breaks", "expected"),
    [
        ([20, 33.333333, 60], ["(20,33.3]", "(33.3,60]"]),
        ([40.96, 40.98, 41], ["(40.96,40.98]", "(40.98,41]"]),
        ([-np.inf, 0, np.inf], ["(-Inf,0]", "(0, Inf]"]),
        ([0, 0.0001, 1], ["(0,0.0001]", "(0.0001,1]"]),
        ([0, 123456, 1234567], ["(0,1.23e+05]", "(1.23e+05,1.23e+06]"]),
        ([1234, 1240], ["(1.23e+03,1.24e+03]"]),
        ([1234, 1234.5], ["(1234,1234.5]"]),
        ([1, 1 + 1e-12, 2], ["Range_1", "Range_2"]),
        ([1, 1 + 1e-11, 2], ["(1,1.00000000001]", "(1.00000000001,2]"]),
    ],
    ids=str,
)
def test_interval_labels(breaks, expected):
    assert interval_labels(np.array(breaks, dtype=float)) == expected


def test_intervals_are_closed_on_the_right():
    codes = Binned(np.array([0, 0.5, 1, 1.5, 2, 2.5, np.nan]), np.array([0.0, 1, 2])).codes(ALL)
    assert codes.tolist() == [2, 0, 0, 1, 1, 2, -1]  # 2 stands for outside


@pytest.mark.parametrize("intervals", [2, 9, 10, 11, 12, 126, 127, 128, 300])
def test_few_and_many_intervals_agree(intervals):
    values = np.append(np.linspace(-1, intervals + 1, 5 * (intervals + 2) + 1), np.nan)
    binned = Binned(values, np.arange(intervals + 1.0))
    expected = [
        -1 if np.isnan(value) else int(np.ceil(value)) - 1 if 0 < value <= intervals else intervals for value in values
    ]
    assert binned.codes(ALL).tolist() == expected
    assert binned.labels[-1] is OUTSIDE
    assert len(binned.labels) == intervals + 1


@pytest.mark.parametrize("intervals", [2, 300])
def test_a_missing_value_lies_in_no_interval_nor_outside(intervals):
    assert Binned(np.array([1.0, np.nan]), np.arange(intervals + 1.0)).codes(ALL).tolist() == [0, -1]


def test_infinite_breaks():
    codes = Binned(np.array([-np.inf, -5, 0, 5, np.inf]), np.array([-np.inf, 0, np.inf])).codes(ALL)
    assert codes.tolist() == [2, 0, 0, 1, 1]


def test_breaks_by_number():
    numbers = np.array([20.0, 35, np.nan, 60])
    assert same_numbers(make_breaks(numbers, 2), [19.96, 40, 60.04])
    assert same_numbers(make_breaks(numbers, 4.9), [19.96, 30, 40, 50, 60.04])
    assert same_numbers(make_breaks(numbers, [2]), [19.96, 40, 60.04])
    assert same_numbers(make_breaks(np.array([50.0, 50]), 2), [49.95, 50, 50.05])
    assert same_numbers(make_breaks(np.array([-50.0]), 2), [-50.05, -50, -49.95])
    assert same_numbers(make_breaks(numbers, (60, 20, 40)), [20, 40, 60])


@pytest.mark.parametrize("wrong", [1, 1.99, 0, -3, np.inf])
def test_number_of_intervals(wrong):
    with pytest.raises(ValueError, match="group_breaks: invalid number of intervals"):
        make_breaks(np.array([1.0, 2]), wrong)


@pytest.mark.parametrize("many", [100_001, 1e9, 2**70])
def test_more_intervals_than_the_memory_holds(many):
    with pytest.raises(ValueError, match=r"group_breaks: .* intervals are too many, there may be 100,000"):
        make_breaks(np.array([1.0, 2]), many)


@pytest.mark.parametrize(
    "wrong",
    [
        True,
        [True, False],
        [],
        "two",
        "3",
        3j,
        np.array([1j, 2]),
        [1, np.nan],
        [[1, 2], [3, 4]],
        ["a", "b"],
        [10**400, 1],
    ],
    ids=repr,
)
def test_breaks_that_are_none(wrong):
    with pytest.raises(ValueError, match="group_breaks must be a number of intervals or a vector of breaks, got"):
        make_breaks(np.array([1.0, 2]), wrong)


def test_breaks_that_cannot_be():
    with pytest.raises(ValueError, match=r"'breaks' are not unique: \[1\.0, 1\.0, 2\.0\]"):
        make_breaks(np.array([1.0]), [1, 2, 1])
    with pytest.raises(ValueError, match="'breaks' are not unique"):
        make_breaks(np.array([0.0, 0]), 2)
    with pytest.raises(ValueError, match="all rows are missing"):
        make_breaks(np.array([np.nan]), 2)
    with pytest.raises(ValueError, match="infinite values"):
        make_breaks(np.array([np.inf, 1]), 2)
    with pytest.raises(ValueError, match="infinite values"):
        make_breaks(np.array([-np.inf, 1]), 2)


def test_which_columns_are_numeric():
    numeric = [
        series([1]),
        series([1.5]),
        series([1], "Int64"),
        series([1], "int8[pyarrow]"),
        series([1, None], object),
    ]
    other = [
        series([True]),
        series([True], "boolean"),
        series(["1"]),
        series(pd.Categorical([1])),
        series([True, 1], object),
        series([None], object),
        series(pd.to_datetime(["2020-01-01"])),
    ]
    assert [is_numeric(values) for values in numeric] == [True] * len(numeric)
    assert [is_numeric(values) for values in other] == [False] * len(other)


def test_empty_intervals_are_levels_and_labels_are_texts():
    data = people(a=(1, 1, 1, 1)).assign(age=[20, 20, 60, 60])
    metric = table("acc_parity", data, "outcome", "age", preds="predicted", group_breaks=4)
    assert list(metric.columns) == ["(20,30]", "(30,40]", "(40,50]", "(50,60]"]
    assert metric.loc["Group size"].tolist() == [2, 0, 0, 2]
    assert same_numbers(metric.loc["Accuracy"], [0.5, np.nan, np.nan, 0.5])


def test_outside_the_breaks():
    data = people(a=(1, 1, 1, 1)).assign(age=[10, 20, 30, 40])
    options = {"preds": "predicted", "group_breaks": [10, 25, 35]}
    assert messages_of(acc_parity, data, "outcome", "age", **options) == [
        "2 of 4 rows were left out: group is outside group_breaks in 2."
    ]
    metric = quietly(acc_parity, data, "outcome", "age", base="(25,35]", **options).Metric
    assert list(metric.columns) == ["(25,35]", "(10,25]"]
    assert metric.loc["Group size"].tolist() == [1, 1]


@pytest.mark.parametrize(
    "group", [list("abab"), [True, False] * 2, pd.Categorical([1, 2, 1, 2])], ids=["texts", "truth values", "factor"]
)
def test_binning_what_is_no_number(group):
    data = people(a=(1, 1, 1, 1)).assign(group=group)
    assert messages_of(acc_parity, data, "outcome", "group", preds="predicted", group_breaks=2) == [
        "Attempting to bin a non-numeric group feature."
    ]
    assert table("acc_parity", data, "outcome", "group", preds="predicted", group_breaks=2).shape == (3, 2)


@pytest.mark.parametrize("group", ["group", ["group", "predicted"]], ids=["one column", "two columns"])
def test_breaks_that_are_none_are_refused_whatever_the_group(group):
    """A base in the place of group_breaks, which a group of texts would leave unread."""
    data = people(a=(1, 1, 1, 1))
    with pytest.raises(ValueError, match="group_breaks must be a number of intervals or a vector of breaks, got 'a'"):
        acc_parity(data, "outcome", group, None, "predicted", group_breaks="a")


# ------------------------------------------------------------------ several columns


def test_interaction():
    """As R's interaction(): the first factor varies fastest; only what is observed."""
    sex = to_factor(series(["m", "f", "m", None, "f"]), "group")
    age = to_factor(series(pd.Categorical(["old", "young", "young", "old", None], ["young", "old"])), "group")
    combined = interaction([sex, age], ["sex", "age"], 5)
    assert list(combined.labels) == ["f.young", "m.young", "m.old"]
    assert combined.fixed  # in this order, which is not that of the texts
    assert combined.codes(ALL).tolist() == [2, 0, 1, -1, -1]
    assert decoded(combined) == ["m.old", "f.young", "m.young", None, None]


def test_interaction_of_labels_without_rows():
    never = to_factor(series([False, False]), "group")
    assert list(interaction([never, never], ["a", "b"], 2).labels) == ["FALSE.FALSE"]
    nothing = to_factor(series([None, None], object), "group")
    assert decoded(interaction([nothing, never], ["a", "b"], 2)) == [None, None]


def test_interaction_of_numbers_beyond_the_first_look():
    late = np.zeros(5000, dtype=int)
    late[-1] = 3
    combined = interaction([to_factor(pd.Series(late), "group")] * 2, ["a", "b"], 5000)
    assert list(combined.labels) == ["0.0", "3.3"]
    assert combined.codes(ALL).tolist() == (late // 3).tolist()


def test_interaction_with_one_name_for_two_combinations():
    columns = [to_factor(series(["a.b", "a"]), "group"), to_factor(series(["c", "b.c"]), "group")]
    with pytest.raises(ValueError, match="several combinations of 'x', 'y' have the same name"):
        interaction(columns, ["x", "y"], 2)


def test_interaction_of_too_much():
    many = to_factor(pd.Series(np.arange(60_000) * 1000), "group")
    with pytest.raises(ValueError, match="too many combinations"):
        interaction([many] * 4, list("abcd"), 60_000).codes(slice(None))


# ------------------------------------------------------------------ objects


def shared(values, n=300):
    """Return rows that share a few objects; equal ones may be several objects."""
    made = np.empty(len(values), dtype=object)
    made[:] = values
    return made[np.random.default_rng(5).integers(0, len(values), n)]


OBJECTS = {
    "texts": shared(["b", "a", "".join(["a", "b"]), "".join(["a", "b"]), None]),
    "numbers and truth values": shared([1, 1.0, True, 0, 2.5, float("nan"), np.float64("nan"), None, pd.NA]),
    "one object a row": np.array([f"{number % 7} " for number in range(6000)], dtype=object),
    "every second": shared(["b", "a", None])[::2],
    "backwards": shared(["b", "a", None])[::-1],
    "of two dimensions": shared(["b", "a", "c"]).reshape(-1, 2)[:, 1],
    "none": np.array([], dtype=object),
}


@pytest.mark.parametrize("kind", OBJECTS)
def test_objects_are_told_apart_by_value(kind):
    objects = OBJECTS[kind]
    code_of = {}
    wanted = [-1 if pd.isna(one) else code_of.setdefault(one, len(code_of)) for one in objects]
    factor = to_factor(pd.Series(objects, dtype=object), "group")
    assert factor.codes(ALL).tolist() == wanted
    assert [*map(type, factor.labels)] == [*map(type, code_of)]
    assert list(factor.labels) == list(code_of)
    codes, uniques = _factorize_objects(objects)
    assert (codes.tolist(), list(uniques)) == (wanted, list(code_of))
