"""Rows in memory that are no pandas frame: the columns that are used become one."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from ._labels import ambiguous


def module_of(data: object) -> str:
    return type(data).__module__


def is_eager(data: object) -> bool:
    """Tell whether `data` are rows in memory that are no pandas frame: of Polars, of Arrow, or wrapped by narwhals."""
    name = type(data).__name__
    return (
        (module_of(data).startswith("polars.") and name == "DataFrame")
        or (module_of(data).startswith("pyarrow.") and name in ("Table", "RecordBatch"))
        or (module_of(data).startswith("narwhals.") and name == "DataFrame")
    )


def eager_to_pandas(data: Any, used: Iterable[object]) -> pd.DataFrame:
    """Return the columns that are used as a pandas frame, without a copy where the types allow it."""
    if module_of(data).startswith("narwhals."):
        native = data.to_native()
        if is_eager(native):
            return eager_to_pandas(native, used)
        frame: pd.DataFrame = native
        return frame
    names = list(data.schema.names) if module_of(data).startswith("pyarrow.") else list(data.columns)
    wanted = [name for name in dict.fromkeys(_flat(used)) if name in names]
    for name in wanted:
        if names.count(name) > 1:
            raise ambiguous("column ", name, names.count(name))
    column_of = data.get_column if module_of(data).startswith("polars.") else data.column
    columns = {name: vector_to_pandas(column_of(name)) for name in wanted}
    frame = pd.DataFrame(columns, index=pd.RangeIndex(len(data)), copy=False)
    if any(argument not in names for argument in _flat(used)):
        frame = frame.reindex(columns=names)  # for the message that lists the columns
    return frame


def _flat(arguments: Iterable[object]) -> Iterator[Any]:
    for argument in arguments:
        if isinstance(argument, list) and all(isinstance(label, str) for label in argument):
            yield from argument
        elif isinstance(argument, str):
            yield argument


def is_vector(values: object) -> bool:
    """Tell whether values are a column of Polars or of Arrow."""
    name = type(values).__name__
    return (module_of(values).startswith("polars.") and name == "Series") or (
        module_of(values).startswith("pyarrow.") and name.endswith("Array")
    )


def vector_to_pandas(values: Any) -> pd.Series[Any]:
    """Return a column of Polars or of Arrow as a pandas one."""
    if module_of(values).startswith("polars."):
        import polars as pl

        need("pyarrow", "data are of Polars", "polars")
        if values.dtype == pl.Object or str(values.dtype) in ("Int128", "UInt128"):  # Arrow has no such types
            return pd.Series(values.to_list(), dtype=object)
        if values.dtype == pl.Categorical:  # the order of its categories means nothing
            values = values.cast(pl.String)
        values = values.to_frame().to_arrow().column(0)  # in the chunks that it has
    return column_to_pandas(values)


def column_to_pandas(column: Any) -> pd.Series[Any]:
    """Return an Arrow column as a pandas one."""
    import pyarrow as pa
    import pyarrow.compute

    if pa.types.is_run_end_encoded(column.type):
        column = pa.compute.run_end_decode(column)
    kind = column.type
    plain_type = pa.types.is_floating(kind) or (
        column.null_count == 0 and (pa.types.is_integer(kind) or pa.types.is_boolean(kind))
    )
    if plain_type:
        plainly: pd.Series[Any] = column.to_pandas()
        return plainly
    if pa.types.is_null(kind):
        return pd.Series([None] * len(column), dtype=object)
    if str(kind) == "string_view":
        column = column.cast(pa.large_string())
    return pd.Series(pd.array(column, dtype=pd.ArrowDtype(column.type)))


def need(module: str, what: str, extra: str) -> None:
    """Say what to install where a module is not there."""
    if importlib.util.find_spec(module) is None:
        raise ImportError(f"{what}, which needs {module}: pip install 'fairness_py[{extra}]'.")
