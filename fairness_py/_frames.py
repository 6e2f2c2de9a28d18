"""What kind of frame `data` is, and which engine counts its rows, if they are not in memory."""

from __future__ import annotations

import os

from ._dask import DaskFrame
from ._eager import module_of, need
from ._engine_base import Engine
from ._files import ArrowDataset, open_files
from ._lazy import NarwhalsFrame

#: Start of a class's module, its name, what messages call it, and the extra that installs what is needed.
LAZY = (
    ("polars.", "LazyFrame", "a Polars LazyFrame", "polars"),
    ("_duckdb", "DuckDBPyRelation", "a DuckDB relation", "duckdb"),
    ("duckdb", "DuckDBPyRelation", "a DuckDB relation", "duckdb"),
    ("pyspark.", "DataFrame", "a Spark DataFrame", "spark"),
    ("ibis.", "Table", "an Ibis table", "ibis"),
    ("narwhals.", "LazyFrame", "a narwhals LazyFrame", "engines"),
)


def find_engine(data: object) -> Engine | None:
    """Return the engine of data that stay where they are, or None."""
    if isinstance(data, Engine):
        return data
    if isinstance(data, (str, os.PathLike)):
        return open_files(data)
    module, name = module_of(data), type(data).__name__
    if module.startswith("dask.") and name == "DataFrame":
        return DaskFrame(data)
    if module.startswith("pyarrow.") and name.endswith("Dataset"):
        return ArrowDataset(data, "an Arrow dataset")
    for start, kind, called, extra in LAZY:
        if module.startswith(start) and name == kind:
            need("narwhals", f"data is {called}", extra)
            options = {"engine": "streaming"} if extra == "polars" else {}
            if extra == "engines":
                return find_engine(data.to_native())  # type: ignore[attr-defined]
            return NarwhalsFrame(data, called, **options)
    return None
