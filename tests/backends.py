"""The same rows in every kind of frame that the metrics take."""

from __future__ import annotations

import importlib.util

import pandas as pd

#: Backends, and the libraries that each needs.
NEEDS = {
    "arrow": "pyarrow",
    "arrow_dataset": "pyarrow",
    "csv": "pyarrow",
    "dask": "dask",
    "duckdb": "duckdb narwhals",
    "ibis": "ibis narwhals",
    "pandas_arrow": "pyarrow",
    "parquet": "pyarrow",
    "parquet_glob": "pyarrow",
    "polars": "polars",
    "polars_lazy": "polars narwhals",
}
#: Those in which a categorical is a text, so that its levels are in R's order of texts.
WITHOUT_LEVELS = {"csv", "ibis", "pandas_arrow"}
IN_MEMORY = {"arrow", "pandas_arrow", "polars"}


def missing(backend):
    """Return a library that a backend lacks, or None."""
    return next((library for library in NEEDS[backend].split() if importlib.util.find_spec(library) is None), None)


def convert(rows: pd.DataFrame, backend: str, folder):
    """Return a pandas frame as another kind of frame."""
    return globals()[f"_{backend}"](rows, folder)


def _polars(rows, folder):
    import polars as pl

    enums = {
        name: pl.Enum([str(level) for level in column.cat.categories])
        for name, column in rows.items()
        if isinstance(column.dtype, pd.CategoricalDtype)
    }
    return pl.from_pandas(rows).with_columns([pl.col(name).cast(enum) for name, enum in enums.items()])


def _polars_lazy(rows, folder):
    return _polars(rows, folder).lazy()


def _arrow(rows, folder):
    import pyarrow as pa

    return pa.Table.from_pandas(rows, preserve_index=False)


def _arrow_dataset(rows, folder):
    from pyarrow import dataset

    return dataset.dataset(_arrow(rows, folder))


def _pandas_arrow(rows, folder):
    import pyarrow as pa

    texts = rows.astype({name: object for name, column in rows.items() if column.dtype == "category"})
    return pa.Table.from_pandas(texts, preserve_index=False).to_pandas(types_mapper=pd.ArrowDtype)


def _parquet(rows, folder):
    path = folder / "rows.parquet"
    rows.to_parquet(path, row_group_size=97, index=False)
    return path


def _parquet_glob(rows, folder):
    half = len(rows) // 2
    rows[:half].to_parquet(folder / "part_1.parquet", index=False)
    rows[half:].to_parquet(folder / "part_2.parquet", index=False)
    return str(folder / "part_*.parquet")


def _csv(rows, folder):
    path = folder / "rows.csv"
    rows.to_csv(path, index=False)
    return path


def _dask(rows, folder):
    import dask.dataframe as dd

    return dd.from_pandas(rows, npartitions=3)


def _duckdb(rows, folder):
    import duckdb

    return duckdb.from_df(rows)


def _ibis(rows, folder):
    import ibis

    return ibis.memtable(_arrow(rows, folder))
