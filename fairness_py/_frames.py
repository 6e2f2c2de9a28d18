"""What kind of frame `data` is: rows in memory, made a pandas frame, or an engine's, counted where they are."""

from __future__ import annotations

import glob
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ._blocks import TWENTIETHS, Query, combine, count_block, score_terms
from ._eager import arrow_to_pandas, module_of, need
from ._factors import check_unit_interval, to_numbers
from ._labels import did_you_mean, plain, quoted

BATCH = 1 << 20  # rows of a file that are counted at a time
MOST_CELLS = 5_000_000  # an answer with more rows than this is no table of counts
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
                f"{argument} must be the name of a column: data is {self.name}, which stays where it is, and a "
                f"{type(given).__name__} beside it has no order of rows in common with it."
            )
        if given not in self.columns:
            raise ValueError(
                f"{argument} must name a column of data; there is no column {plain(given)!r}."
                f"{did_you_mean(given, self.columns)} The columns are {quoted(self.columns)}."
            )
        return given


class _Blocks(Engine):
    """Data in blocks that become pandas frames."""

    def _map(self, function: Callable[..., Any], columns: list[str], *arguments: Any) -> Any:
        raise NotImplementedError

    def count(self, query: Query) -> pd.DataFrame:
        answer = self._map(_count, query.columns, query)
        return check_size(answer)

    def range(self, column: str) -> tuple[float, float]:
        answer = self._map(_range, [column], column)
        return float(answer["low"].iloc[0]), float(answer["high"].iloc[0])


def _count(block: pd.DataFrame, query: Query) -> pd.DataFrame | None:
    return count_block(block, query) if len(block) else None


def _range(block: pd.DataFrame, column: str) -> pd.DataFrame:
    numbers = to_numbers(block[column], "group")
    present = numbers[~np.isnan(numbers)]
    low, high = (present.min(), present.max()) if len(present) else (math.nan, math.nan)
    return pd.DataFrame({"rows": [len(present)], "low": [low], "high": [high], "all": 0})


def _combined(answers: Iterable[pd.DataFrame | None]) -> pd.DataFrame | None:
    found = [answer for answer in answers if answer is not None]
    return combine(found) if found else None


def _answer_or_error(function: Callable[..., Any], block: pd.DataFrame, *arguments: Any) -> Any:
    """Return what is wrong with the values as an answer, which tells it from what is wrong with the engine."""
    try:
        return function(block, *arguments)
    except (ValueError, TypeError) as error:
        return error


def _combined_or_error(answers: list[Any]) -> Any:
    errors = [answer for answer in answers if isinstance(answer, Exception)]
    return errors[0] if errors else _combined(answers)


def check_size(answer: pd.DataFrame | None) -> pd.DataFrame:
    if answer is None or len(answer) == 0 or answer["rows"].sum() == 0:
        raise ValueError("data is empty: it has no rows.")
    if len(answer) > MOST_CELLS:
        raise ValueError(
            f"group, outcome and predictions have more than {MOST_CELLS:,} combinations: they must be labels or, "
            "for group, numbers to be cut by group_breaks."
        )
    return answer


class ArrowDataset(_Blocks):
    """Files of Parquet or CSV, or any other dataset of Arrow, read a batch at a time."""

    def __init__(self, dataset: Any, name: str) -> None:
        self._dataset = dataset
        self.name = name
        self.columns = dataset.schema.names

    def _batches(self, columns: list[str], size: int = BATCH) -> Iterator[pd.DataFrame]:
        import pyarrow as pa

        scanner = self._dataset.scanner(
            columns=columns, batch_size=size, batch_readahead=2, fragment_readahead=1, use_threads=True
        )
        try:
            for batch in scanner.to_batches():
                yield arrow_to_pandas(pa.Table.from_batches([batch]), batch.num_rows)
        except (pa.ArrowException, OSError) as error:
            if isinstance(error, FileNotFoundError):
                raise
            raise OSError(f"{self.name} could not be read: {_first_line(error)}") from error

    def _map(self, function: Callable[..., Any], columns: list[str], *arguments: Any) -> Any:
        answer, waiting, held = None, [], 0
        for block in self._batches(columns):
            part = function(block, *arguments)
            if part is not None:
                waiting.append(part)
                held += len(part)
            if held > 1_000_000 or len(waiting) >= 64:
                answer = _combined([answer, *waiting])
                waiting, held = [], 0
        return _combined([answer, *waiting])

    def few(self, column: str) -> pd.Series[Any]:
        for block in self._batches([column], 1000):
            present = block[column].dropna()
            if len(present):
                return present.head()
        return pd.Series([], dtype=float)


class DaskFrame(_Blocks):
    """A Dask DataFrame: its workers count their partitions."""

    name = "a Dask DataFrame"

    def __init__(self, data: Any) -> None:
        self._data = data
        self.columns = list(data.columns)

    def _map(self, function: Callable[..., Any], columns: list[str], *arguments: Any) -> Any:
        from dask.delayed import delayed

        job = delayed(_answer_or_error)
        parts = [job(function, part, *arguments) for part in self._data[columns].to_delayed()]
        add = delayed(_combined_or_error)
        while len(parts) > 1:
            parts = [add(parts[first : first + TREE]) for first in range(0, len(parts), TREE)]
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
    """A lazy frame that narwhals can speak to: of Polars, DuckDB, Spark or Ibis."""

    def __init__(self, data: Any, name: str, **options: Any) -> None:
        import narwhals as nw

        self.name = name
        self._options = options
        self._frame: Any = self._run(lambda: nw.from_native(data).lazy())
        self._schema = self._run(self._frame.collect_schema)
        self.columns = list(self._schema)

    def _run(self, compute: Callable[[], Any]) -> Any:
        try:
            return compute()
        except FileNotFoundError:
            raise
        except Exception as error:  # each engine has its own
            raise RuntimeError(f"{self.name} could not be computed: {_first_line(error)}") from error

    def _collect(self, build: Callable[[], Any]) -> dict[str, list[Any]]:
        answer = self._run(lambda: build().collect(**self._options))  # some engines fail as the query is built
        columns: dict[str, list[Any]] = answer.to_dict(as_series=False)
        return columns

    def _number(self, column: str, argument: str) -> Any:
        """Return a column as numbers, with NaN made missing."""
        import narwhals as nw

        if not (self._schema[column].is_numeric() or self._schema[column] == nw.Boolean):
            to_numbers(self.few(column), argument)  # says what is wrong
        number = nw.col(column).cast(nw.Float64)
        return nw.when(~number.is_nan()).then(number)

    def _label(self, column: str) -> Any:
        import narwhals as nw

        dtype = self._schema[column]
        if dtype.is_float():
            return nw.when(~nw.col(column).is_nan()).then(nw.col(column))
        return nw.col(column).cast(nw.String) if dtype in (nw.Categorical, nw.Enum) else nw.col(column)

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
                keys["bin"] = (score * query.bins).cast(nw.Int32)  # cut off or rounded: the order is kept
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

        columns = self._collect(build)
        return check_size(self._answer(columns, query))

    def _answer(self, columns: dict[str, list[Any]], query: Query) -> pd.DataFrame:
        import narwhals as nw

        labelled = dict(query.labels)
        answer: dict[str, Any] = {}
        for name, values in columns.items():
            if name in labelled:
                dtype = self._schema[labelled[name]]
                if isinstance(dtype, nw.Enum):
                    answer[name] = pd.Categorical(values, categories=list(dtype.categories))
                else:
                    answer[name] = pd.Series(values, dtype=object)
            else:
                answer[name] = np.array([math.nan if value is None else value for value in values], dtype=float)
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
        if "low" in frame:
            check_unit_interval(frame["low"].to_numpy())
            check_unit_interval(frame["high"].to_numpy())
        return frame

    def range(self, column: str) -> tuple[float, float]:

        number = self._number(column, "group")
        answer = self._collect(lambda: self._frame.select(low=number.min(), high=number.max()))
        low, high = (math.nan if answer[end][0] is None else float(answer[end][0]) for end in ("low", "high"))
        return low, high

    def few(self, column: str) -> pd.Series[Any]:
        import narwhals as nw

        values = self._collect(lambda: self._frame.select(nw.col(column)).drop_nulls().head(5))[column]
        return pd.Series(values, dtype=object if self._schema[column].is_temporal() else None)


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
        raise FileNotFoundError(f"data={text!r}: there is no such file. A path leads to Parquet or CSV files.")
    need("pyarrow", f"data is a path, {text!r}", "parquet")
    import pyarrow as pa
    from pyarrow import csv, dataset

    first = Path(names[0])
    sample = next((file for file in sorted(first.rglob("*.*")) if file.is_file()), first) if first.is_dir() else first
    endings = "".join(sample.suffixes[-2:]).lower()
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
        opened = dataset.dataset(names[0] if len(names) == 1 else names, format=form)
    except (pa.ArrowException, OSError) as error:
        raise OSError(f"data={text!r} could not be read: {_first_line(error)}") from error
    return ArrowDataset(opened, f"data={text!r}")
