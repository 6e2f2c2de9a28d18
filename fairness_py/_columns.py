"""From the arguments of a call to its columns: which column or vector each argument names, and is it usable."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from ._eager import eager_to_pandas, is_eager, is_vector, vector_to_pandas
from ._labels import ambiguous, did_you_mean, plain, quoted

#: What an argument such as `outcome` may be: the label of a column, or one value a row.
ColumnLike: TypeAlias = Any
Values: TypeAlias = "pd.Series[Any]"


def check_data(data: object, *used: ColumnLike) -> pd.DataFrame:
    """Return `data` as a DataFrame with rows, of other libraries' frames the columns used, or say what is wanted."""
    if is_eager(data):
        data = eager_to_pandas(data, used)
    if isinstance(data, Mapping):
        data = pd.DataFrame(data)
    if not isinstance(data, pd.DataFrame):
        came = "None" if data is None else f"{type(data).__module__}.{type(data).__name__}"
        raise TypeError(
            "data must be a frame (of pandas, Polars, PyArrow, DuckDB, Dask, PySpark or Ibis), a path or glob of "
            "Parquet or CSV files, or what count_outcomes() returned, "
            f"got {came}. Arrays become a frame by pandas.DataFrame(…), most other frames by their method to_pandas()."
        )
    if len(data) == 0:
        raise ValueError("data is empty: it has no rows.")
    return data


def take_column(data: pd.DataFrame, given: ColumnLike, argument: str) -> Values:
    """Return what an argument names, as a Series without meaning in its index.

    A text or any other single value names a column. Anything longer is a vector of one value a row.
    """
    if _names_a_column(data, given):
        return _named_column(data, given, argument)
    return _vector(data, given, argument)


def names_columns(data: pd.DataFrame, given: ColumnLike) -> bool:
    """Tell whether an argument is a list of column labels, and not a vector of values."""
    if not isinstance(given, list) or not given:
        return False
    are_labels = [isinstance(label, Hashable) and _is_label(data, label) for label in given]
    if len(given) != len(data) and any(are_labels) and not all(are_labels):  # so it cannot be one value a row
        wrong = given[are_labels.index(False)]
        raise ValueError(
            f"group must list columns of data; there is no column {plain(wrong)!r}."
            f"{did_you_mean(wrong, data.columns)} The columns are {quoted(data.columns)}."
        )
    if not all(are_labels):
        return False
    if len(set(given)) < len(given):
        if len(given) == len(data):  # values, which may be the names of columns
            return False
        raise ValueError(f"group must list different columns, got {quoted(given)}: no column is combined with itself.")
    if len(given) == len(data) > 1:
        raise ValueError(
            f"{quoted(given)} is ambiguous: a list of {len(given)} column labels, or one value for each of the "
            f"{len(data)} rows. Pass values as an array: numpy.array(…)."
        )
    return True


def _is_label(data: pd.DataFrame, given: Hashable) -> bool:
    try:
        return given in data.columns
    except TypeError:
        return False


def _names_a_column(data: pd.DataFrame, given: ColumnLike) -> bool:
    if isinstance(given, (str, bytes)) or not pd.api.types.is_list_like(given):
        return True
    return isinstance(given, tuple) and _is_label(data, given)


def _named_column(data: pd.DataFrame, label: Hashable, argument: str) -> Values:
    if not _is_label(data, label):
        raise ValueError(
            f"{argument} must name a column of data or be a vector of {len(data)} values; there is no column "
            f"{plain(label)!r}.{did_you_mean(label, data.columns)} The columns are {quoted(data.columns)}."
        )
    column: Any = data[label]
    if isinstance(column, pd.DataFrame):
        if data.columns.nlevels > 1:
            raise ValueError(
                f"{argument}={plain(label)!r} is only a part of column labels that have {data.columns.nlevels}: pass a "
                f"whole one, such as {quoted(data.columns)}."
            )
        raise ambiguous(f"{argument}=", label, column.shape[1], "Rename them, or pass the values themselves.")
    series: Values = column
    return series


def _vector(data: pd.DataFrame, given: ColumnLike, argument: str) -> Values:
    if isinstance(given, pd.MultiIndex):
        raise TypeError(f"{argument} must be a vector of one value a row; a MultiIndex has {given.nlevels} of them.")
    shape = getattr(given, "shape", None)
    if isinstance(shape, tuple) and len(shape) != 1:
        raise ValueError(
            f"{argument} must be the name of a column or a vector of one value a row, got an object of shape {shape}. "
            "Pass one of its columns, for example values[:, 1] of what predict_proba() returns."
        )
    if isinstance(given, (set, frozenset, Mapping)):
        raise TypeError(f"{argument} must be a vector in the order of the rows; a {type(given).__name__} is not one.")
    values = given if isinstance(given, pd.Series) else _as_series(given, argument)
    if len(values) != len(data):
        raise ValueError(
            "Outcomes, predictions/probabilities and group status must be of the same length: "
            f"{argument} has {len(values)} values, data has {len(data)} rows."
        )
    if isinstance(given, pd.Series):
        _check_index(data.index, given.index, argument)
    return values


def _as_series(given: ColumnLike, argument: str) -> Values:
    if is_vector(given):
        given = vector_to_pandas(given)
    if hasattr(given, "to_pandas"):  # of other libraries
        given = given.to_pandas()
    if isinstance(given, pd.Series):
        return given.reset_index(drop=True)
    if not isinstance(given, (np.ndarray, pd.Index, pd.api.extensions.ExtensionArray)):
        given = list(given)
        if any(pd.api.types.is_list_like(value) for value in given[:1]):
            raise ValueError(f"{argument} must be a vector of one value a row, got a sequence of sequences.")
    if isinstance(given, list) and any(isinstance(value, str) for value in given):
        return pd.Series(given, dtype=object)  # what the user wrote, in every version of pandas
    return pd.Series(given)


def _check_index(rows: pd.Index[Any], labels: pd.Index[Any], argument: str) -> None:
    """Refuse a Series with the row labels of data in another order, which may be meant by label or by position."""
    if rows.equals(labels):
        return
    if bool(labels.isin(rows).all()) and bool(rows.isin(labels).all()):
        raise ValueError(
            f"{argument} is a Series with the row labels of data in another order. Say which is meant: "
            f"{argument}={argument}.reindex(data.index) goes by label, {argument}={argument}.to_numpy() by position."
        )
