"""What kind of frame `data` is: rows in memory, made a pandas frame, or an engine's, counted where they are."""

from __future__ import annotations

import contextlib
import glob
import math
import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ._blocks import (
    MOST_CELLS,
    MOST_LABELS,
    TWENTIETHS,
    Query,
    check_cells,
    check_labels,
    combine,
    count_block,
    score_terms,
)
from ._eager import column_to_pandas, module_of, need
from ._factors import Coded, check_unit_interval, to_numbers
from ._labels import ambiguous, did_you_mean, plain, quoted

BATCH = 1 << 18  # rows of a file that are counted at a time
THREADS = min(2, os.cpu_count() or 1)  # that count, while Arrow's own decode
HELD = 1_000_000  # answers of blocks have so many rows together before they are added up
TREE = 8  # answers of so many blocks are added up at a time
CSV_MISSING = ["", "NA", "NaN", "nan"]


# ------------------------------------------------------------------ engines


class Engine:
    """Data that stay where they are: what columns there are, and how their rows are counted."""

    name: str  # what messages call it
    columns: Sequence[str]

    def count(self, query: Query) -> pd.DataFrame:
        """Return one row for each combination of what is asked for, with how many rows of the data have it."""
        raise NotImplementedError

    def range(self, column: str) -> tuple[float, float]:
        """Return the lowest and the highest value of a numeric column, NaN where there is none."""
        raise NotImplementedError

    def few(self, column: str) -> pd.Series[Any]:
        """Return a few of the values of a column, none missing: they show its type."""
        raise NotImplementedError

    def check_column(self, given: object, argument: str) -> str:
        """Return the column that an argument names, or say what is wrong."""
        if not isinstance(given, str):
            raise TypeError(
                f"{argument} must be the name of a column: data is {self.name.removeprefix('data=')}, which stays "
                f"where it is, and a {type(given).__name__} beside it has no order of rows in common with it."
            )
        columns = list(self.columns)
        if given not in columns:
            raise ValueError(
                f"{argument} must name a column of data; there is no column {plain(given)!r}."
                f"{did_you_mean(given, columns)} The columns are {quoted(columns)}."
            )
        if columns.count(given) > 1:
            raise ambiguous(f"{argument}=", given, columns.count(given))
        return given


class _Blocks(Engine):
    """Data in blocks that become pandas frames."""

    def _map(
        self,
        function: Callable[..., Any],
        add: Callable[..., Any],
        columns: list[str],
        *arguments: Any,
        size: int = BATCH,
    ) -> Any:
        """Return what a function makes of all blocks with rows, added up, or None where there are none.

        Where the blocks are not given, they have about `size` rows.
        """
        raise NotImplementedError

    def count(self, query: Query) -> pd.DataFrame:
        size = 4 * BATCH if query.by_bin else BATCH  # many combinations, which are worth many rows
        part = self._map(count_block, combine, query.columns, query, size=size)
        if part is None:
            raise no_rows()
        check_cells(len(part))
        answer: pd.DataFrame = part.to_frame()
        return answer

    def range(self, column: str) -> tuple[float, float]:
        return self._map(_range, _widest, [column], column) or (math.nan, math.nan)


def _range(block: Any, column: str) -> tuple[float, float]:
    numbers = to_numbers(block[column], "group")
    present = numbers[~np.isnan(numbers)]
    return (float(present.min()), float(present.max())) if len(present) else (math.nan, math.nan)


def _widest(ranges: list[tuple[float, float]]) -> tuple[float, float]:
    low, high = np.array(ranges).T
    return float(np.fmin.reduce(low)), float(np.fmax.reduce(high))


def _answer_or_error(function: Callable[..., Any], block: pd.DataFrame, *arguments: Any) -> Any:
    """Return what is wrong with the values as an answer, which tells it from what is wrong with the engine."""
    try:
        return function(block, *arguments) if len(block) else None
    except (ValueError, TypeError) as error:
        return error


def _added_or_error(add: Callable[..., Any], parts: list[Any]) -> Any:
    found = [part for part in parts if part is not None]
    try:
        return next((part for part in found if isinstance(part, Exception)), None) or (add(found) if found else None)
    except ValueError as error:
        return error


def no_rows() -> ValueError:
    return ValueError("data is empty: it has no rows.")


class ArrowDataset(_Blocks):
    """Files of Parquet or CSV, or any other dataset of Arrow, read a batch at a time.

    Dictionaries are factors with levels in their order; Parquet keeps those of pandas and of Arrow. In CSV a
    categorical is a text, and texts are in R's order.
    """

    def __init__(self, dataset: Any, name: str, coded: Any = None) -> None:
        self._dataset = dataset
        self._coded = dataset if coded is None else coded  # the same rows, with texts read as dictionaries
        self.name = name
        self.columns = dataset.schema.names
        self._texts = {field.name for field in dataset.schema if is_text(field.type)}

    def _tables(self, source: Any, columns: list[str], size: int, **options: Any) -> Iterator[Any]:
        """Yield tables of about so many rows; the batches of a file can be much shorter."""
        import pyarrow as pa

        batches, rows = [], 0
        with self._reading():
            for batch in source.scanner(columns=columns, batch_size=size, **options).to_batches():
                batches.append(batch)
                rows += batch.num_rows
                if 2 * rows > size:
                    yield pa.Table.from_batches(batches)
                    batches, rows = [], 0
        if rows:
            yield pa.Table.from_batches(batches)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        """Say which data could not be read."""
        import pyarrow as pa

        try:
            yield
        except FileNotFoundError:
            raise
        except (pa.ArrowException, OSError) as error:
            raise OSError(f"{self.name} could not be read: {_first_line(error)}") from error

    def _sources(self, columns: list[str], size: int) -> Iterator[Iterable[Any]]:
        """Yield what a thread works on: the tables of some row groups of Parquet, read by itself, or one table."""
        from pyarrow.dataset import ParquetFileFragment

        try:
            fragments = list(self._coded.get_fragments())
        except ValueError:  # of a dataset with a filter
            fragments = []
        if not fragments or not all(isinstance(fragment, ParquetFileFragment) for fragment in fragments):
            yield from ([table] for table in self._tables(self._coded, columns, size, batch_readahead=2))
            return
        for fragment in fragments:
            with self._reading():
                groups = fragment.row_groups
            for ids in _together(groups, size):
                part = fragment.subset(row_group_ids=ids)
                yield self._tables(part, columns, size, schema=self._coded.schema, use_threads=False)

    def _map(
        self,
        function: Callable[..., Any],
        add: Callable[..., Any],
        columns: list[str],
        *arguments: Any,
        size: int = BATCH,
    ) -> Any:
        pool = ThreadPoolExecutor(THREADS)
        running: deque[Future[Any]] = deque()
        parts: list[Any] = []  # in the order of the rows, the first of them what was added up

        def work(tables: Iterable[Any]) -> Any:
            found = [self._of_table(function, table, *arguments) for table in tables]
            return add(found) if found else None

        def take() -> None:
            part = running.popleft().result()
            if part is not None:
                parts.append(part)
            if len(parts) > 1 and (len(parts) > 64 or sum(map(len, parts[1:])) > HELD):
                parts[:] = [add(parts)]

        try:
            for tables in self._sources(columns, size):
                running.append(pool.submit(work, tables))
                if len(running) > THREADS:
                    take()
            while running:
                take()
        finally:
            pool.shutdown(cancel_futures=True)
        return add(parts) if parts else None

    def _of_table(self, function: Callable[..., Any], table: Any, *arguments: Any) -> Any:
        columns = {name: self._column(name, table.column(name)) for name in table.column_names}
        return function(columns, *arguments)

    def _column(self, name: str, column: Any) -> Any:
        """Return a column of pandas, or the factor of a dictionary."""
        import pyarrow as pa

        if name in self._texts:
            if str(column.type) == "string_view":
                column = column.cast(pa.large_string())
            if is_text(column.type):
                column = column.dictionary_encode()
        if not pa.types.is_dictionary(column.type):
            return column_to_pandas(column)
        coded = column.unify_dictionaries().combine_chunks()
        codes = coded.indices.fill_null(-1) if coded.null_count else coded.indices
        return Coded(codes.to_numpy(), coded.dictionary.to_pylist(), fixed=name not in self._texts)

    def count(self, query: Query) -> pd.DataFrame:
        if query.score is not None and query.score in self._texts:
            to_numbers(self.few(query.score), "probs")  # says what is wrong
        for name, column in query.labels:
            check_plain(self._dataset.schema.field(column).type, name)
        return super().count(query)

    def few(self, column: str) -> pd.Series[Any]:
        for table in self._tables(self._dataset, [column], 1000):
            present = column_to_pandas(table.column(0)).dropna()
            if len(present):
                return present.head()
        return pd.Series([], dtype=float)


def _together(groups: Sequence[Any], size: int) -> Iterator[list[int]]:
    """Yield the numbers of successive row groups that have about so many rows together."""
    ids: list[int] = []
    rows = 0
    for group in groups:
        ids.append(group.id)
        rows += group.num_rows
        if rows >= size:
            yield ids
            ids, rows = [], 0
    if rows:
        yield ids


def is_text(kind: Any) -> bool:
    return str(kind) in ("string", "large_string", "string_view")


def check_plain(kind: Any, name: str) -> None:
    """Refuse a column of lists or records."""
    import pyarrow as pa

    if pa.types.is_nested(kind):
        raise TypeError(
            f"{name.split()[0]} must hold plain values such as texts or numbers, got values of type {kind}."
        )


class DaskFrame(_Blocks):
    """A Dask DataFrame: its workers count their partitions."""

    name = "a Dask DataFrame"

    def __init__(self, data: Any) -> None:
        self._data = data
        self.columns = list(data.columns)

    def _map(
        self,
        function: Callable[..., Any],
        add: Callable[..., Any],
        columns: list[str],
        *arguments: Any,
        size: int = BATCH,
    ) -> Any:
        from dask.delayed import delayed

        job = delayed(_answer_or_error)
        parts = [job(function, part, *arguments) for part in self._data[columns].to_delayed()]
        together = delayed(_added_or_error)
        while len(parts) > 1:
            parts = [together(add, parts[first : first + TREE]) for first in range(0, len(parts), TREE)]
        answer = self._run(parts[0].compute)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _run(self, compute: Callable[[], Any]) -> Any:
        import concurrent.futures

        try:
            return compute()
        except FileNotFoundError:
            raise
        except (Exception, concurrent.futures.CancelledError) as error:
            raise RuntimeError(f"{self.name} could not be computed: {_first_line(error)}") from error

    def few(self, column: str) -> pd.Series[Any]:
        values: pd.Series[Any] = self._run(lambda: self._data[column].dropna().head(npartitions=-1))
        return values


class NarwhalsFrame(Engine):
    """A lazy frame that narwhals can speak to: of Polars, DuckDB, Spark or Ibis.

    An Enum of Polars or DuckDB has levels in its order. A categorical of Polars, Spark or Ibis is a text, and texts are
    in R's order.
    """

    def __init__(self, data: Any, name: str, **options: Any) -> None:
        import narwhals as nw

        self.name = name
        self._options = options
        inside: Sequence[str] | None = None
        if module_of(data).startswith("pyspark."):
            names = self._run(lambda: list(data.columns))
            inside = _spark_names(names)
            data = self._run(lambda: data.toDF(*inside))
        self._frame: Any = self._run(lambda: nw.from_native(data).lazy())
        schema = self._run(self._frame.collect_schema)
        self.columns = names if inside is not None else list(schema)
        if module_of(data).startswith(("_duckdb", "duckdb")):  # may have two columns of one name
            self.columns = list(data.columns)
        self._inside = dict(zip(self.columns, inside or self.columns, strict=True))  # what the engine calls them
        self._schema = {name: schema[called] for name, called in self._inside.items()}

    def _run(self, compute: Callable[[], Any]) -> Any:
        try:
            return compute()
        except FileNotFoundError:
            raise
        except Exception as error:  # each engine has its own
            raise RuntimeError(f"{self.name} could not be computed: {_first_line(error)}") from error

    def _collect(self, build: Callable[[], Any]) -> Any:
        """Return the answer to a query as a table of Arrow."""
        return self._run(lambda: build().collect(**self._options).to_arrow())  # some fail as the query is built

    def _column(self, column: str) -> Any:
        import narwhals as nw

        return nw.col(self._inside[column])

    def _number(self, column: str, argument: str) -> Any:
        """Return a column as numbers, with NaN made missing."""
        import narwhals as nw

        if not (self._schema[column].is_numeric() or self._schema[column] == nw.Boolean):
            to_numbers(self.few(column), argument)  # says what is wrong
        number = self._column(column).cast(nw.Float64)
        return nw.when(~number.is_nan()).then(number)

    def _label(self, column: str) -> Any:
        import narwhals as nw

        dtype = self._schema[column]
        if dtype.is_float():
            return nw.when(~self._column(column).is_nan()).then(self._column(column))
        return self._column(column).cast(nw.String) if dtype in (nw.Categorical, nw.Enum) else self._column(column)

    def count(self, query: Query) -> pd.DataFrame:
        import narwhals as nw

        keys = {name: self._label(column) for name, column in query.labels}
        if query.cut:
            value = self._number(query.cut[0], "group")
            below = [(value > edge).cast(nw.Int32) for edge in query.cut[1]]
            keys["cut"] = sum(below[1:], start=below[0]) - 1
        extra = {}
        if query.score:
            score = self._number(query.score, "probs")
            extra["number"] = score
            if query.cutoff is not None:
                keys["predicted"] = (score > query.cutoff).cast(nw.Int32)
            if query.bins is not None:
                inside = nw.when((score >= 0) & (score <= 1)).then(score)  # others are refused, and fit in no integer
                keys["bin"] = (inside * query.bins).cast(nw.Int32)  # cut off or rounded: the order is kept
            elif query.edges is not None:
                keys["bin"] = nw.when(~score.is_null()).then(_place(score, query.edges))
                keys["twentieth"] = nw.when(~score.is_null()).then(_place(score, TWENTIETHS, reached=True))
                extra |= score_terms(score, (1 - 2 * score).abs())
            elif query.by_score:
                keys["score"] = score
        numbers = [nw.col("number").min().alias("low"), nw.col("number").max().alias("high")] if extra else []
        numbers += [nw.col(name).sum() for name in extra if name != "number"]

        def build() -> Any:
            grouped = self._frame.select(**keys, **extra).group_by(list(keys))
            return grouped.agg(nw.len().alias("rows"), *numbers).head(MOST_CELLS + 1)

        return self._answer(self._collect(build), query)

    def _answer(self, table: Any, query: Query) -> pd.DataFrame:
        check_cells(len(table))
        labelled = dict(query.labels)
        answer: dict[str, Any] = {}
        for name in table.column_names:
            if name in labelled:
                answer[name] = self._labels(table.column(name), name, labelled[name])
            else:
                answer[name] = table.column(name).cast("float64").to_numpy()  # NaN where there is none
        frame = pd.DataFrame(answer)
        if query.cut:
            width = len(query.cut[1]) - 1
            outside = (frame["cut"] < 0) | (frame["cut"] >= width)
            frame["cut"] = frame["cut"].mask(outside, width)  # beside all intervals, and not missing
        for name in ("cut", "predicted", "bin", "twentieth"):
            if name in frame:
                frame[name] = frame[name].fillna(-1).astype(np.int64)
        if "bin" in frame and query.bins:
            frame["bin"] = frame["bin"].clip(upper=query.bins - 1)
        frame["rows"] = frame["rows"].astype(np.int64)
        if frame["rows"].sum() == 0:
            raise no_rows()
        if "low" in frame:
            check_unit_interval(frame["low"].to_numpy())
            check_unit_interval(frame["high"].to_numpy())
        return frame

    def _labels(self, values: Any, name: str, column: str) -> Any:
        """Return a column of an answer as a categorical, or as Python's values."""
        import narwhals as nw
        import pyarrow as pa

        check_plain(values.type, name)
        if pa.types.is_null(values.type):
            return np.full(len(values), None, dtype=object)
        coded = (values if pa.types.is_dictionary(values.type) else values.dictionary_encode()).unify_dictionaries()
        coded = coded.combine_chunks()
        different = coded.dictionary.slice(0, MOST_LABELS + 1).to_pylist()
        check_labels(name, different)
        codes = coded.indices.cast("int64").fill_null(-1).to_numpy()
        labels = np.empty(len(different) + 1, dtype=object)
        labels[:-1] = different
        dtype = self._schema[column]
        is_enum = isinstance(dtype, nw.Enum)
        return pd.Categorical(labels[codes], categories=list(dtype.categories)) if is_enum else labels[codes]

    def range(self, column: str) -> tuple[float, float]:
        number = self._number(column, "group")
        answer = self._collect(lambda: self._frame.select(low=number.min(), high=number.max())).to_pydict()
        low, high = (math.nan if answer[end][0] is None else float(answer[end][0]) for end in ("low", "high"))
        return low, high

    def few(self, column: str) -> pd.Series[Any]:
        table = self._collect(lambda: self._frame.select(self._column(column)).drop_nulls().head(5))
        values = table.column(0).to_pylist()
        return pd.Series(values, dtype=object if self._schema[column].is_temporal() else None)


def _spark_names(columns: list[str]) -> list[str]:
    """Return names that Spark finds: in its own, dots mean fields, backticks are quotes, and capitals are not told."""
    folded = [name.lower() for name in columns]
    return [
        f"column {place} of data" if "." in name or "`" in name or folded.count(name.lower()) > 1 else name
        for place, name in enumerate(columns)
    ]


def _place(number: Any, edges: Sequence[float], first: int = 0, *, reached: bool = False) -> Any:
    """Return how many edges lie below a number, or are reached by it, as an expression that halves them each time."""
    import narwhals as nw

    if not edges:
        return nw.lit(first)
    half = len(edges) // 2
    above = _place(number, edges[half + 1 :], first + half + 1, reached=reached)
    below = _place(number, edges[:half], first, reached=reached)
    return nw.when(number >= edges[half] if reached else number > edges[half]).then(above).otherwise(below)


def _first_line(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


# ------------------------------------------------------------------ which engine

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


def open_files(path: str | os.PathLike[str]) -> ArrowDataset:
    """Return a file, a folder or a glob of Parquet or CSV files as a dataset."""
    text = os.fspath(path)
    names = sorted(glob.glob(text, recursive=True)) if glob.has_magic(text) and not Path(text).exists() else [text]
    if not names or not Path(names[0]).exists():
        raise FileNotFoundError(
            f"data={text!r}: there is no such file. A path leads to Parquet or CSV files of "
            "this machine; of others pass a dataset, of pyarrow.dataset.dataset(…)."
        )
    need("pyarrow", f"data is a path, {text!r}", "parquet")
    import pyarrow as pa
    from pyarrow import csv, dataset

    endings = "".join(_sample(Path(names[0]), text).suffixes[-2:]).lower()
    if endings.endswith((".parquet", ".pq")):
        form: Any = "parquet"
    elif endings.removesuffix(".gz").endswith((".csv", ".tsv")):
        form = dataset.CsvFileFormat(
            parse_options=csv.ParseOptions(delimiter="\t" if ".tsv" in endings else ","),
            convert_options=csv.ConvertOptions(null_values=CSV_MISSING, strings_can_be_null=True),
        )
    else:
        raise ValueError(f"data={text!r} must be a path of .parquet, .csv or .tsv files.")
    try:
        files = _Files(text, names)
        opened = files.open(form)
        coded = files.open_coded(opened) if form == "parquet" else None
    except (pa.ArrowException, OSError) as error:
        raise OSError(f"data={text!r} could not be read: {_first_line(error)}") from error
    bytes_only = [field.name for field in opened.schema if form != "parquet" and pa.types.is_binary(field.type)]
    if bytes_only:
        raise OSError(f"data={text!r} could not be read: column {bytes_only[0]!r} is not in UTF-8.")
    return ArrowDataset(opened, f"data={text!r}", coded)


def _sample(path: Path, text: str) -> Path:
    """Return a file that shows the format: the path itself, or the first below a folder that Arrow will read."""
    if not path.is_dir():
        return path
    for file in sorted(path.rglob("*.*")):
        hidden = any(part.startswith((".", "_")) for part in file.relative_to(path).parts)  # as Spark's _SUCCESS is
        if file.is_file() and not hidden:
            return file
    raise FileNotFoundError(f"data={text!r}: there is no file in this folder. A path leads to Parquet or CSV files.")


class _Files:
    """Files that make one dataset; folders below the path may be named by a value that their files have: key=value."""

    def __init__(self, text: str, names: list[str]) -> None:
        from pyarrow import dataset

        self._options: dict[str, Any] = {}
        if len(names) > 1 or Path(names[0]).is_dir():
            self._options["partitioning"] = dataset.HivePartitioning.discover(infer_dictionary=True)
        self._source: Any = names[0]
        if len(names) > 1:
            self._source = [os.path.abspath(name) for name in names]
            self._options["partition_base_dir"] = os.path.abspath(os.path.dirname(re.split(r"[*?[]", text)[0]))

    def open(self, form: Any) -> Any:
        """Return the dataset, with the columns that any file has, of a type that holds the values of all."""
        import pyarrow as pa
        from pyarrow import dataset

        opened = dataset.dataset(self._source, format=form, **self._options)
        if not self._options:
            return opened
        schemas = [opened.schema, *(file.physical_schema for file in opened.get_fragments())]
        if all(schema.equals(schemas[1]) for schema in schemas[2:]):
            return opened
        try:
            schema = pa.unify_schemas(schemas, promote_options="permissive")
        except pa.ArrowException:  # of a column that may not be asked for
            return opened
        return dataset.dataset(self._source, format=form, schema=schema, **self._options)

    def open_coded(self, opened: Any) -> Any:
        """Return Parquet files as a dataset in which texts are read as dictionaries, as they are stored."""
        import pyarrow as pa
        from pyarrow import dataset

        fields = list(opened.schema)
        texts = [field.name for field in fields if is_text(field.type)]
        for place, field in enumerate(fields):
            if field.name in texts:
                fields[place] = pa.field(field.name, pa.dictionary(pa.int32(), field.type))
        # neither whole row groups nor whole columns of them are held
        form = dataset.ParquetFileFormat(dictionary_columns=texts, pre_buffer=False, use_buffered_stream=True)
        return dataset.dataset(self._source, format=form, schema=pa.schema(fields), **self._options)
