"""Which column or vector an argument names, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest
from helpers import eight, rows

from fairness_py import acc_parity, fnr_parity, prop_parity
from fairness_py._columns import check_data, names_columns, take_column

EXPECTED = [[0.5, 0.0], [1.0, 0.0], [4.0, 4.0]]  # FNR of the two groups of eight()


def vectors(values):
    """Return a vector in all forms that may be given."""
    return {
        "list": list(values),
        "tuple": tuple(values),
        "array": np.array(values),
        "Series": pd.Series(values),
        "Series with another index": pd.Series(list(values), index=range(100, 100 + len(values))),
        "Index": pd.Index(values),
        "extension array": pd.array(list(values)),
        "polars": polars.Series(list(values)),
        "arrow": pyarrow.array(list(values)),
        "chunked": pyarrow.chunked_array([list(values)[:3], list(values)[3:]]),
        "generator": (value for value in values),
    }


@pytest.mark.parametrize("kind", vectors(["a"]))
@pytest.mark.parametrize("argument", ["outcome", "group", "preds", "probs"])
def test_vectors_of_every_kind(argument, kind):
    data = eight()
    column = {"outcome": "outcome", "group": "group", "preds": "predicted", "probs": "probability"}[argument]
    given = vectors(data.pop(column).tolist())[kind]
    arguments = {"outcome": "outcome", "group": "group", "preds": "predicted", argument: given}
    if argument == "probs":
        del arguments["preds"]
    assert rows(fnr_parity(data, **arguments).Metric) == EXPECTED


def test_data_may_be_a_dictionary():
    assert rows(fnr_parity(eight().to_dict("list"), "outcome", "group", preds="predicted").Metric) == EXPECTED


@pytest.mark.parametrize("label", [0, 7, -1, 2.5, True, None, "size", "T", "index", "columns", "a b", "", "ü", (1, 2)])
def test_labels_of_every_kind(label):
    """Also those that are names of attributes of a DataFrame, and those that are no text."""
    data = eight().rename(columns={"group": "placeholder"})
    data.columns = pd.Index(
        [label if name == "placeholder" else name for name in data.columns], dtype=object, tupleize_cols=False
    )
    assert rows(fnr_parity(data, "outcome", label, preds="predicted").Metric) == EXPECTED


def test_integer_labels():
    data = eight().set_axis([0, 1, 2, 3], axis=1)
    assert rows(fnr_parity(data, 1, 0, preds=3).Metric) == EXPECTED
    assert rows(fnr_parity(data, np.int64(1), 0, probs=2).Metric) == EXPECTED


def test_several_levels_of_columns():
    data = pd.concat({"x": eight()}, axis=1)
    assert rows(fnr_parity(data, ("x", "outcome"), ("x", "group"), preds=("x", "predicted")).Metric) == EXPECTED
    with pytest.raises(ValueError, match=r"group='x' is only a part of column labels that have 2: .*\('x', 'group'\)"):
        fnr_parity(data, ("x", "outcome"), "x", preds=("x", "predicted"))


def test_a_missing_column_is_named_with_the_nearest():
    with pytest.raises(ValueError, match=r"group must name a column of data or be a vector of 8 values.*'grup'.*") as e:
        fnr_parity(eight(), "outcome", "grup", preds="predicted")
    assert "Did you mean 'group'?" in str(e.value)
    assert "The columns are 'group', 'outcome', 'probability', 'predicted'." in str(e.value)
    with pytest.raises(ValueError, match=r"^outcome must name.*no column 9\."):
        fnr_parity(eight(), 9, "group", preds="predicted")
    with pytest.raises(ValueError, match=r"^outcome must name.*no column slice\(0, 1, None\)\."):
        fnr_parity(eight(), slice(0, 1), "group", preds="predicted")


def test_two_columns_of_one_name():
    data = eight()
    data.insert(0, "group", "x", allow_duplicates=True)
    with pytest.raises(ValueError, match="group='group' is ambiguous: data has 2 columns of that name"):
        fnr_parity(data, "outcome", "group", preds="predicted")


@pytest.mark.parametrize("argument", ["outcome", "group", "preds", "probs"])
def test_another_length(argument):
    arguments = {"outcome": "outcome", "group": "group", "probs": "probability", argument: [0, 1, 1]}
    if argument == "preds":
        del arguments["probs"]
    message = (
        "Outcomes, predictions/probabilities and group status must be of the same length: "
        f"{argument} has 3 values, data has 8 rows."
    )
    with pytest.raises(ValueError, match=message):
        fnr_parity(eight(), **arguments)


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, pd.Index])
def test_a_vector_of_one_value_is_a_vector(kind):
    with pytest.raises(ValueError, match="group has 1 values, data has 8 rows"):
        fnr_parity(eight(), "outcome", kind(["a"]), preds="predicted")


def test_two_dimensions():
    data = eight()
    both = np.column_stack([1 - data["probability"], data["probability"]])
    with pytest.raises(ValueError, match=r"probs must be.*an object of shape \(8, 2\).*predict_proba"):
        fnr_parity(data, "outcome", "group", probs=both)
    with pytest.raises(ValueError, match="sequence of sequences"):
        fnr_parity(data, "outcome", "group", probs=both.tolist())
    with pytest.raises(ValueError, match=r"shape \(8, 1\)"):
        fnr_parity(data, "outcome", data[["group"]], preds="predicted")
    assert rows(fnr_parity(data, "outcome", "group", probs=both[:, 1]).Metric) == EXPECTED


@pytest.mark.parametrize("given", [{1, 2}, frozenset({1}), {"a": 1}], ids=repr)
def test_what_has_no_order(given):
    with pytest.raises(TypeError, match=f"a {type(given).__name__} is not one"):
        fnr_parity(eight(), "outcome", given, preds="predicted")


@pytest.mark.parametrize("data", [None, 5, [[1, 2]], np.zeros((2, 2))])
def test_data_of_another_type(data):
    with pytest.raises(TypeError, match=r"data must be a frame .*count_outcomes\(\).*, got .*to_pandas\(\)") as raised:
        fnr_parity(data, "outcome", "group", preds="predicted")
    kinds = ["pandas", "Polars", "PyArrow", "DuckDB", "Dask", "PySpark", "Ibis", "Parquet", "CSV"]
    kinds.append("got None." if data is None else f".{type(data).__name__}.")
    assert [kind for kind in kinds if kind not in str(raised.value)] == []


@pytest.mark.parametrize("data", [pd.DataFrame(), eight().head(0)], ids=["nothing", "no rows"])
def test_no_rows(data):
    with pytest.raises(ValueError, match="data is empty: it has no rows"):
        fnr_parity(data, "outcome", "group", preds="predicted")


# ------------------------------------------------------------------ a Series with an index of its own


def test_series_with_the_index_of_data():
    data = eight().set_axis(list("hgfedcba"))
    assert rows(fnr_parity(data, "outcome", data["group"], preds=data["predicted"]).Metric) == EXPECTED


def test_series_with_its_index_shuffled():
    data = eight()
    shuffled = data["predicted"].sample(frac=1, random_state=1)
    with pytest.raises(
        ValueError, match=r"preds is a Series with the row labels of data in another order.*reindex"
    ) as e:
        fnr_parity(data, "outcome", "group", preds=shuffled)
    assert "preds=preds.to_numpy() by position" in str(e.value)
    assert rows(fnr_parity(data, "outcome", "group", preds=shuffled.reindex(data.index)).Metric) == EXPECTED


def test_duplicate_index():
    data = eight().set_axis([0, 0, 1, 1, 2, 2, 3, 3])
    assert rows(fnr_parity(data, "outcome", "group", preds="predicted").Metric) == EXPECTED
    assert rows(fnr_parity(data, "outcome", data["group"], probs=data["probability"]).Metric) == EXPECTED
    with pytest.raises(ValueError, match="in another order"):
        fnr_parity(data, "outcome", data["group"].iloc[::-1], preds="predicted")


# ------------------------------------------------------------------ several columns


def test_lists_of_labels():
    data = pd.DataFrame({"a": [1, 2, 3], "b": [1, 2, 3]})
    assert names_columns(data, ["a", "b"])
    assert names_columns(data, ["b"])
    assert not names_columns(data, ["a", "c", "c"])  # one value a row
    assert not names_columns(data, [])
    assert not names_columns(data, "a")
    assert not names_columns(data, ("a", "b"))
    assert not names_columns(data, [["a"], "b", "b"])


def test_a_mistyped_label_in_a_list():
    with pytest.raises(ValueError, match=r"no column 'outcom'\. Did you mean 'outcome'\? The columns are 'group', "):
        prop_parity(eight(), "outcome", ["group", "outcom"], preds="predicted")


def test_a_column_is_not_combined_with_itself():
    with pytest.raises(ValueError, match="group must list different columns, got 'group', 'group': no column is comb"):
        prop_parity(eight(), "outcome", ["group", "group"], preds="predicted")


def test_a_multiindex_is_no_vector():
    group = pd.MultiIndex.from_product([["a", "b"], [1, 2, 3, 4]])
    with pytest.raises(TypeError, match="group must be a vector of one value a row; a MultiIndex has 2 of them"):
        prop_parity(eight(), "outcome", group, preds="predicted")


def test_values_that_happen_to_be_labels():
    """Values 0 and 1 may be labels too: no column is combined with itself, so they are values."""
    data = pd.DataFrame(np.column_stack([eight()["outcome"], eight()["predicted"]]))
    group = [0, 0, 0, 0, 1, 1, 1, 1]
    assert rows(fnr_parity(data, 0, group, preds=1).Metric) == EXPECTED


def test_as_many_labels_as_rows():
    data = pd.DataFrame({"a": [0, 1], "b": [0, 1]})
    with pytest.raises(ValueError, match="'a', 'b' is ambiguous: a list of 2 column labels, or one value for each of"):
        prop_parity(data, "a", ["a", "b"], preds="b")


def test_check_data_hands_back_what_it_got():
    data = eight()
    assert check_data(data) is data
    assert take_column(data, "group", "group").tolist() == list("aaaabbbb")


def test_data_are_never_changed():
    data = eight()
    before = data.copy(deep=True)
    fnr_parity(data, "outcome", "group", probs="probability")
    with pytest.raises(ValueError, match="base"):
        fnr_parity(data, "outcome", "group", probs="probability", base="x")
    pd.testing.assert_frame_equal(data, before)


WIDE = 2**53  # from here on doubles have no place for every whole number


@pytest.mark.parametrize(
    ("group", "labels"),
    [
        (polars.Series([WIDE, WIDE + 1, None, WIDE]), [WIDE, WIDE + 1]),
        (pyarrow.chunked_array([[WIDE, WIDE + 1], [None, WIDE]]), [WIDE, WIDE + 1]),
        (polars.Series([2**100, 2**100 + 1, None, 2**100], dtype=polars.Int128), [2**100, 2**100 + 1]),
        (polars.Series([("a",), ("b",), None, ("a",)], dtype=polars.Object), [("a",), ("b",)]),
        (polars.Series(["b", "a", None, "b"], dtype=polars.Categorical), ["a", "b"]),
        (pyarrow.DictionaryArray.from_arrays([0, 2, 1, 0], ["b", None, "a"]), ["b", "a"]),
        (pyarrow.DictionaryArray.from_arrays([0, 2, 1, 0], [2.0, float("nan"), 1.0]), [2, 1]),
    ],
)
@pytest.mark.parametrize("place", ["vector", "column"])
@pytest.mark.filterwarnings("ignore:1 of 4 rows")
def test_labels_that_another_type_would_lose(group, labels, place):
    frame = {"y": [0, 1, 1, 1], "p": [0.1, 0.9, 0.9, 0.2]}
    if place == "vector":
        result = acc_parity(pd.DataFrame(frame), "y", group, "p")
    else:
        library = pyarrow.table if type(group).__module__.startswith("pyarrow") else polars.DataFrame
        result = acc_parity(library(frame | {"g": group}), "y", "g", "p")
    assert list(result.Metric.columns) == labels
    assert result.Metric.loc["Group size"].sum() == 3


@pytest.mark.parametrize(
    "group",
    [
        polars.Series([{"a": 1}, {"a": 2}]),
        polars.Series([[1], [2]]),
        polars.Series([["a"], ["b"]]),
        polars.Series([["a"], ["b"]], dtype=polars.List(polars.Categorical)),
    ],
)
def test_nested_values_are_no_labels(group):
    with pytest.raises(TypeError, match="group must hold plain values such as texts or numbers, got"):
        acc_parity(polars.DataFrame({"y": [0, 1], "p": [0.1, 0.9], "g": group}), "y", "g", "p")


def test_two_columns_of_one_name_in_arrow():
    table = pyarrow.table([[0, 1], [0.1, 0.9], ["a", "b"], ["a", "b"]], names=["y", "p", "g", "g"])
    with pytest.raises(ValueError, match="'g' is ambiguous: data has 2 columns of that name"):
        acc_parity(table, "y", "g", "p")
