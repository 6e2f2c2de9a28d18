"""Columns of every kind that people bring, each through a whole call."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pyarrow
import pytest
from helpers import METRICS_OF_COUNTS, R_FUNCTIONS, eight, messages_of, quietly, rows, same_numbers, table

import fairness_py
from fairness_py import acc_parity, dem_parity, fnr_parity, prop_parity, roc_parity

NAN = float("nan")
FNR_OF_EIGHT = [[0.5, 0.0], [1.0, 0.0], [4.0, 4.0]]


def arrow(values, dtype):
    return pd.Series(pd.arrays.ArrowExtensionArray(pyarrow.array(list(values)).cast(dtype)))


def arrow_dictionary(values, of):
    encoded = pyarrow.array(list(values)).cast(of).dictionary_encode()
    return pd.Series(pd.arrays.ArrowExtensionArray(encoded))


GROUPS = {
    "object": lambda labels: labels.astype(object),
    "string": lambda labels: labels.astype("string"),
    "string[pyarrow]": lambda labels: labels.astype("string[pyarrow]"),
    "arrow string": lambda labels: arrow(labels, pyarrow.string()),
    "arrow large_string": lambda labels: arrow(labels, pyarrow.large_string()),
    "arrow dictionary": lambda labels: arrow_dictionary(labels, pyarrow.string()),
    "arrow dictionary of large_string": lambda labels: arrow_dictionary(labels, pyarrow.large_string()),
    "category": lambda labels: labels.astype("category"),
    "category of string": lambda labels: labels.astype("string").astype("category"),
    "ordered category": lambda labels: pd.Series(pd.Categorical(labels, ["a", "b"], ordered=True)),
    "fixed-width text": lambda labels: np.array(labels, dtype="<U1"),
}
OUTCOMES = {
    "float": "float64",
    "bool": "bool",
    "boolean": "boolean",
    "arrow bool": "bool[pyarrow]",
    "int8": "int8",
    "uint8": "uint8",
    "Int64": "Int64",
    "UInt8": "UInt8",
    "Float32": "Float32",
    "arrow int": "int16[pyarrow]",
    "arrow double": "double[pyarrow]",
    "object": "object",
    "text": "str",
    "category": "category",
}


@pytest.mark.parametrize("kind", GROUPS)
def test_groups(kind):
    data = eight()
    data["group"] = GROUPS[kind](data["group"])
    result = fnr_parity(data, "outcome", "group", probs="probability")
    assert rows(result.Metric) == FNR_OF_EIGHT
    assert list(result.Metric.columns) == ["a", "b"]
    assert all(type(label) is str for label in result.Metric.columns)


@pytest.mark.parametrize("kind", OUTCOMES)
def test_outcomes_and_predictions(kind):
    data = eight().astype({"outcome": OUTCOMES[kind]})
    assert rows(fnr_parity(data, "outcome", "group", preds="predicted").Metric) == FNR_OF_EIGHT
    data = eight().astype({"predicted": OUTCOMES[kind]})
    assert rows(fnr_parity(data, "outcome", "group", preds="predicted").Metric) == FNR_OF_EIGHT
    data = eight().astype({"predicted": OUTCOMES[kind], "outcome": OUTCOMES[kind]})
    assert rows(fnr_parity(data, "outcome", "group", preds="predicted").Metric) == FNR_OF_EIGHT


@pytest.mark.parametrize(
    "dtype", ["float32", "Float64", "Float32", "double[pyarrow]", "float[pyarrow]", "object", "Sparse[float]"]
)
@pytest.mark.parametrize("name", R_FUNCTIONS)
def test_probabilities(name, dtype):
    expected = table(name, eight(), "outcome", "group", probs="probability")
    got = table(name, eight().astype({"probability": dtype}), "outcome", "group", probs="probability")
    pd.testing.assert_frame_equal(got, expected)


def test_decimal_probabilities():
    values = arrow(["0.9", "0.4", "0.6", "0.2", "0.8", "0.7", "0.1", "0.3"], pyarrow.decimal128(3, 2))
    assert rows(fnr_parity(eight(), "outcome", "group", probs=values).Metric) == FNR_OF_EIGHT


def test_float32_stands_for_the_number_that_it_is():
    """The float32 nearest to 0.7 is below 0.7, that nearest to 0.1 above 0.1."""
    data = eight().assign(probability=np.array([0.7, 0.1] * 4, dtype=np.float32))
    assert table("dem_parity", data, "outcome", "group", probs="probability", cutoff=0.7).loc[
        "Positively classified"
    ].tolist() == [0, 0]
    assert table("dem_parity", data, "outcome", "group", probs="probability", cutoff=0.1).loc[
        "Positively classified"
    ].tolist() == [4, 4]


@pytest.mark.parametrize(
    "dtype", ["Int64", "boolean", "Float64", "int64[pyarrow]", "bool[pyarrow]", "string", "object"]
)
def test_missing_values_of_every_kind(dtype):
    data = eight()
    data["outcome"] = data["outcome"].astype("boolean" if dtype == "bool[pyarrow]" else "Int64").astype(dtype)
    data.loc[0, "outcome"] = pd.NA  # group a keeps FN 1, FP 1, TN 1
    assert messages_of(fnr_parity, data, "outcome", "group", preds="predicted") == [
        "1 of 8 rows were left out: outcome is missing in 1."
    ]
    assert rows(table("fnr_parity", data, "outcome", "group", preds="predicted")) == [[1, 0], [1, 0], [3, 4]]


# ------------------------------------------------------------------ labels that are easily taken for something else


@pytest.mark.parametrize("dtype", ["object", "string", "category", "str"])
def test_a_group_named_na(dtype):
    data = eight().replace({"group": {"b": "NA"}}).astype({"group": dtype})
    result = fnr_parity(data, "outcome", "group", preds="predicted", base="NA")
    assert list(result.Metric.columns) == ["NA", "a"]
    assert result.Metric.loc["Group size"].tolist() == [4, 4]
    data = eight().replace({"group": {"b": "None", "a": "nan"}})
    assert list(fnr_parity(data, "outcome", "group", preds="predicted").Metric.columns) == ["nan", "None"]


@pytest.mark.parametrize("base", [False, 0, 0.0, "FALSE", "False", np.False_, np.int8(0)], ids=repr)
@pytest.mark.parametrize("dtype", ["bool", "int64", "uint8", "boolean", "Int64", "float64", "bool[pyarrow]"])
def test_boolean_and_integer_groups(dtype, base):
    data = eight()
    data["group"] = (data["group"] == "b").astype(dtype)
    if base in ("FALSE", "False") and not dtype.startswith("bool"):
        with pytest.raises(ValueError, match="base must be one of the groups"):
            fnr_parity(data, "outcome", "group", preds="predicted", base=base)
        return
    result = fnr_parity(data, "outcome", "group", preds="predicted", base=base)
    assert rows(result.Metric) == FNR_OF_EIGHT
    assert result.base == 0


@pytest.mark.parametrize("dtype", ["bool", "int64", "boolean", "float64"])
def test_the_second_as_base(dtype):
    data = eight()
    data["group"] = (data["group"] == "b").astype(dtype)
    for base in (True, 1, "1"):
        result = acc_parity(data, "outcome", "group", preds="predicted", base=base)
        assert list(result.Metric.columns) == [1, 0]
        assert same_numbers(result.Metric.loc["Accuracy"], [3 / 4, 2 / 4])


def test_a_number_is_a_label_and_never_a_position():
    data = eight()
    data["group"] = data["group"].map({"a": 7, "b": 1})
    assert fnr_parity(data, "outcome", "group", preds="predicted", base=7).base == 7
    with pytest.raises(ValueError, match="base must be one of the groups 1, 7, got 2"):
        fnr_parity(data, "outcome", "group", preds="predicted", base=2)


def test_outcome_base_zero_and_false():
    for outcome_base in (0, False, "0"):
        for dtype in ("int64", "bool"):
            data = eight().astype({"outcome": dtype})
            result = fnr_parity(data, "outcome", "group", preds="predicted", outcome_base=outcome_base)
            assert rows(result.Metric) == FNR_OF_EIGHT
    # with 1 as the negative level, FNR is the false positive rate of before: 1 of 2 and 1 of 3
    result = fnr_parity(eight(), "outcome", "group", preds="predicted", outcome_base=True)
    assert same_numbers(result.Metric.loc["FNR"], [1 / 2, 1 / 3])


@pytest.mark.parametrize(
    "days",
    [
        pd.to_datetime(["2020-10-01", "2020-09-01"]),
        pd.to_datetime(["2020-10-01", "2020-09-01"]).tz_localize("Europe/Berlin"),
        [datetime.date(2020, 10, 1), datetime.date(2020, 9, 1)],
    ],
    ids=["timestamps", "with a zone", "dates"],
)
def test_times_as_groups(days):
    data = eight()
    data["group"] = [days[1] if group == "b" else days[0] for group in data["group"]]
    result = fnr_parity(data, "outcome", "group", preds="predicted")
    assert list(result.Metric.columns) == [days[1], days[0]]
    if getattr(days[0], "tzinfo", None) is None:
        assert fnr_parity(data, "outcome", "group", preds="predicted", base="2020-10-01").base == days[0]


def test_intervals_and_periods_as_groups():
    data = eight().assign(age=[20, 20, 20, 20, 50, 50, 50, 50])
    data["age"] = pd.cut(data["age"], [0, 30, 40, 60])
    metric = fnr_parity(data, "outcome", "age", preds="predicted").Metric
    assert [str(label) for label in metric.columns] == ["(0, 30]", "(30, 40]", "(40, 60]"]
    assert metric.loc["Group size"].tolist() == [4, 0, 4]


def test_categories_without_rows():
    data = eight()
    data["group"] = pd.Categorical(data["group"], categories=["c", "b", "a"])
    metric = table("fnr_parity", data, "outcome", "group", preds="predicted", base="a")
    assert list(metric.columns) == ["a", "c", "b"]
    assert [
        same_numbers(row, expected)
        for row, expected in zip(rows(metric), [[0.5, NAN, 0], [1, NAN, 0], [4, 0, 4]], strict=True)
    ] == [True] * 3
    for name, raw in (("dem_parity", 0), ("mcc_parity", 0), ("acc_parity", NAN), ("prop_parity", NAN)):
        metric = table(name, data, "outcome", "group", preds="predicted", base="a")
        assert same_numbers([metric["c"].iloc[0]], [raw])


# ------------------------------------------------------------------ little


@pytest.mark.parametrize("name", R_FUNCTIONS)
def test_one_group(name):
    data = eight().assign(group="all")
    metric = table(name, data, "outcome", "group", probs="probability")
    assert list(metric.columns) == ["all"]
    assert metric.iloc[1, 0] == 1
    assert metric.loc["Group size", "all"] == 8


@pytest.mark.parametrize("name", METRICS_OF_COUNTS)
def test_one_row(name):
    """The levels come from the categories; one true positive is right, selected, and all there is."""
    yes = pd.Categorical(["yes"], categories=["no", "yes"])
    metric = table(name, pd.DataFrame({"y": yes, "h": yes, "g": ["a"]}), "y", "g", preds="h")
    raw = {"fnr_parity": 0, "fpr_parity": NAN, "mcc_parity": 0, "npv_parity": NAN, "spec_parity": NAN}.get(name, 1)
    assert same_numbers(metric["a"], [raw, raw / raw if raw else NAN, 1])


@pytest.mark.parametrize("name", METRICS_OF_COUNTS)
def test_one_class_never_predicted(name):
    """R refuses, or takes the one level that is left for the first."""
    for options in ({"preds": [1] * 8}, {"probs": "probability", "cutoff": 0}):
        metric = table(name, eight(), "outcome", "group", **options)
        expected = {
            "acc_parity": [2 / 4, 1 / 4],
            "dem_parity": [4, 4],
            "equal_odds": [1, 1],
            "fnr_parity": [0, 0],
            "fpr_parity": [1, 1],
            "mcc_parity": [0, 0],
            "npv_parity": [NAN, NAN],
            "pred_rate_parity": [2 / 4, 1 / 4],
            "prop_parity": [1, 1],
            "spec_parity": [0, 0],
        }[name]
        assert same_numbers(metric.iloc[0], expected)


def test_cutoffs_at_the_ends():
    data = eight().assign(probability=[0, 1, 0, 1, 0, 1, 0.5, np.nextafter(0, 1)])
    for cutoff, selected in ((0, [2, 3]), (0.0, [2, 3]), (1, [0, 0]), (np.float64(0.5), [2, 1])):
        metric = table("dem_parity", data, "outcome", "group", probs="probability", cutoff=cutoff)
        assert metric.iloc[0].tolist() == selected


def test_all_probabilities_missing():
    data = eight().assign(probability=NAN)
    with pytest.warns(UserWarning, match="rows") as caught:
        metric = acc_parity(data, "outcome", "group", probs="probability").Metric
    assert [str(warning.message)[:32] for warning in caught] == [
        "8 of 8 rows were left out: probs",
        "The base group 'a' has no rows t",
    ]
    assert metric.loc["Group size"].tolist() == [0, 0]


# ------------------------------------------------------------------ long data whose first rows mislead


@pytest.mark.parametrize("dtype", ["int64", "int8", "uint8"])
def test_an_outcome_that_starts_with_one_level_only(dtype):
    """Sorted, as out of a database: 5,000 times 0, then 2; so are the predictions, whose first 10,000 are 2."""
    n = 15_000
    data = pd.DataFrame({"outcome": np.repeat([0, 2], [5000, 10_000]), "predicted": np.repeat([2, 0], [10_000, 5000])})
    data = data.astype(dtype).assign(group=np.tile(["a", "b"], n // 2))
    # of each group: FP 2,500, TP 2,500, FN 2,500
    metric = fnr_parity(data, "outcome", "group", preds="predicted").Metric
    assert metric.loc["FNR"].tolist() == [0.5, 0.5]
    assert metric.loc["Group size"].tolist() == [n / 2, n / 2]
    metric = fairness_py.fpr_parity(data, "outcome", "group", preds="predicted").Metric
    assert metric.loc["FPR"].tolist() == [1, 1]


def test_an_outcome_whose_third_level_comes_late():
    data = pd.DataFrame({"outcome": np.repeat([0, 1, 2], 5000), "group": "a", "predicted": 1})
    with pytest.raises(ValueError, match="it has 3: 0, 1, 2"):
        fnr_parity(data, "outcome", "group", preds="predicted")


def test_groups_that_come_late():
    data = pd.DataFrame({"group": np.repeat([5, 6, 700], 5000), "outcome": [0, 1] * 7500, "predicted": 1})
    assert list(prop_parity(data, "outcome", "group", preds="predicted").Metric.columns) == [5, 6, 700]
    data["year"] = np.repeat([1, 3], 7500)
    metric = prop_parity(data, "outcome", ["group", "year"], preds="predicted").Metric
    assert metric.loc["Group size"].to_dict() == {"5.1": 5000, "6.1": 2500, "6.3": 2500, "700.3": 5000}


def test_densities_and_curves_of_groups_that_come_late():
    data = pd.DataFrame({"group": np.repeat([5, 700], 5000), "outcome": [0, 1] * 5000})
    data["probability"] = data["outcome"] * 0.5 + np.linspace(0, 0.4, len(data))
    result = roc_parity(data, "outcome", "group", probs="probability")
    assert [density.n for density in result.densities] == [5000, 5000]
    assert result.Metric.loc["ROC AUC"].tolist() == [1, 1]


# ------------------------------------------------------------------ several columns


def test_intersections():
    data = pd.concat([eight().assign(sex="f"), eight().assign(sex="m")], ignore_index=True)
    result = fnr_parity(data, "outcome", ["group", "sex"], preds="predicted", base=("b", "f"))
    assert list(result.Metric.columns) == ["b.f", "a.f", "a.m", "b.m"]
    assert result.Metric.loc["FNR"].tolist() == [0, 0.5, 0.5, 0]
    assert fnr_parity(data, "outcome", ["group", "sex"], preds="predicted", base="a.m").base == "a.m"
    assert messages_of(fnr_parity, data, "outcome", ["group", "sex"], preds="predicted", group_breaks=2) == [
        "Attempting to bin a non-numeric group feature."
    ]


def test_long_doubles():
    data = eight()
    data["group"] = np.where(data["group"] == "a", 1, 2).astype(np.longdouble)
    assert rows(fnr_parity(data, "outcome", "group", preds="predicted").Metric) == FNR_OF_EIGHT


def test_values_without_an_order():
    times = pd.Series([pd.Timestamp(2020, 1, 1), pd.Timestamp(2020, 1, 1, tz="UTC")] * 4, dtype=object)
    with pytest.raises(TypeError, match="group must hold values that can be put in order: Cannot compare tz-naive"):
        fnr_parity(eight(), "outcome", times, preds="predicted")


def test_numbers_that_no_double_holds():
    group = pd.Series([10**400, 1] * 4, dtype=object)
    assert fnr_parity(eight(), "outcome", group, preds="predicted").base == 1
    with pytest.raises(ValueError, match="group must hold numbers below 1e308"):
        fnr_parity(eight(), "outcome", group, preds="predicted", group_breaks=2)


def test_tuples_as_groups():
    data = eight()
    data["group"] = [(group, 1) for group in data["group"]]
    result = fnr_parity(data, "outcome", "group", preds="predicted", base=("b", 1))
    assert list(result.Metric.columns) == [("b", 1), ("a", 1)]


def test_whole_columns_missing_in_one_group():
    data = eight().astype({"outcome": "Int64"})
    data.loc[data["group"] == "b", "outcome"] = pd.NA
    metric = quietly(acc_parity, data, "outcome", "group", preds="predicted").Metric
    assert same_numbers(metric["b"], [NAN, NAN, 0])
    metric = dem_parity(data, "outcome", "group", preds="predicted").Metric
    assert metric.loc["Positively classified"].tolist() == [2, 2]
