"""Lazy frames, relations and tables of other libraries, which narwhals makes queries for."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
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
    score_terms,
)
from ._eager import module_of
from ._engine_base import Engine, first_line, no_rows
from ._factors import check_plain, check_unit_interval, to_numbers
from ._labels import quoted


class NarwhalsFrame(Engine):
    """A lazy frame that narwhals can speak to: of Polars, DuckDB, Spark or Ibis.

    An Enum of Polars or DuckDB has levels in its order. A categorical of Polars, Spark or Ibis is a text, and texts are
    in R's order.
    """

    def __init__(self, data: Any, name: str, **options: Any) -> None:
        import narwhals as nw

        self.name = name
        self._kind = module_of(data).split(".")[0].lstrip("_")
        self._options = options
        inside: Sequence[str] | None = None
        if self._kind == "pyspark":
            names = self._run(lambda: list(data.columns))
            inside = _spark_names(names)
            data = self._run(lambda: data.toDF(*inside))
        self._frame: Any = self._run(lambda: nw.from_native(data).lazy())
        schema = self._run(self._frame.collect_schema)
        self.columns = names if inside is not None else list(schema)
        if self._kind == "duckdb":  # may have two columns of one name
            self.columns = list(data.columns)
        self._inside = dict(zip(self.columns, inside or self.columns, strict=True))  # what the engine calls them
        self._schema = {name: schema[called] for name, called in self._inside.items()}

    def _run(self, compute: Callable[[], Any]) -> Any:
        try:
            return compute()
        except FileNotFoundError:
            raise
        except BaseException as error:  # each engine has its own
            if not (isinstance(error, Exception) or type(error).__name__ == "PanicException"):  # of Polars, and is none
                raise
            raise RuntimeError(f"{self.name} could not be computed: {first_line(error)}") from error

    def _collect(self, build: Callable[[], Any]) -> Any:
        """Return the answer to a query as a table of Arrow."""
        return self._run(lambda: build().collect(**self._options).to_arrow())  # some fail as the query is built

    def check_column(self, given: object, argument: str) -> str:
        column = super().check_column(given, argument)
        if self._is_pattern(column):
            raise ValueError(
                f"{argument}={column!r}: {self.name} reads this name as a pattern, which stands for other columns. "
                "Rename the column."
            )
        twins = [name for name in self.columns if name.lower() == column.lower()]
        if self._kind == "ibis" and len(twins) > 1:  # of which most of its backends find the first
            raise ValueError(
                f"{argument}={column!r} is ambiguous: data has the columns {quoted(twins)}, which {self.name} may not "
                "tell apart, for they differ in capitals only. Rename them."
            )
        return column

    def _is_pattern(self, column: str) -> bool:
        if self._kind == "polars":
            return column == "*" or (column.startswith("^") and column.endswith("$"))
        return column == "*" and self._kind == "duckdb"

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
        as_text = dtype in (nw.Categorical, nw.Enum) or self._is_wide(column)
        return self._column(column).cast(nw.String) if as_text else self._column(column)

    def _is_wide(self, column: str) -> bool:
        """Tell whether a column has whole numbers of 128 bits, which Arrow lacks: they travel as texts."""
        import narwhals as nw

        return self._schema[column] in (nw.Int128, nw.UInt128)

    def count(self, query: Query) -> pd.DataFrame:
        import narwhals as nw

        keys = {name: self._label(column) for name, column in query.labels}
        if query.cut:
            value = self._number(query.cut[0], "group")
            keys["cut"] = nw.when(~value.is_null()).then(_place(value, query.cut[1])) - 1
        extra = {}
        if query.score:
            score = self._number(query.score, "probs")
            extra["number"] = score
            if query.cutoff is not None:
                keys["predicted"] = (score > query.cutoff).cast(nw.Int32)
            if query.bins is not None:
                inside = nw.when((score >= 0) & (score <= 1)).then(score)  # others are refused, and fit in no integer
                place = inside * query.bins
                keys["bin"] = (place - place % 1).cast(nw.Int32)  # a whole number, which no engine rounds
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

        check_plain(values.type, name.split()[0])
        if len(values) == 0 or pa.types.is_null(values.type):
            return np.full(len(values), None, dtype=object)
        coded = (values if pa.types.is_dictionary(values.type) else values.dictionary_encode()).unify_dictionaries()
        coded = coded.combine_chunks()
        different = coded.dictionary.slice(0, MOST_LABELS + 1).to_pylist()
        check_labels(name, different)
        codes = coded.indices.cast("int64").fill_null(-1).to_numpy()
        labels = np.empty(len(different) + 1, dtype=object)
        labels[:-1] = [int(text) for text in different] if self._is_wide(column) else different
        dtype = self._schema[column]
        is_enum = isinstance(dtype, nw.Enum)
        return pd.Categorical(labels[codes], categories=list(dtype.categories)) if is_enum else labels[codes]

    def range(self, column: str) -> tuple[float, float]:
        number = self._number(column, "group")
        answer = self._collect(lambda: self._frame.select(low=number.min(), high=number.max())).to_pydict()
        low, high = (math.nan if answer[end][0] is None else float(answer[end][0]) for end in ("low", "high"))
        return low, high

    def few(self, column: str) -> pd.Series[Any]:
        label = self._label(column).alias("label")
        values = self._collect(lambda: self._frame.select(label).drop_nulls().head(5)).column(0).to_pylist()
        dtype, wide = self._schema[column], self._is_wide(column)
        if not values:  # objects in memory tell no type either
            return pd.Series([], dtype=float if (dtype.is_integer() or dtype.is_float()) and not wide else object)
        return pd.Series(
            [int(text) for text in values] if wide else values, dtype=object if dtype.is_temporal() else None
        )


def _spark_names(columns: list[str]) -> list[str]:
    """Return names that Spark finds: to it dots are fields, backticks quotes, stars all columns, capitals nothing."""
    folded = [name.lower() for name in columns]
    return [
        f"column {place} of data" if name == "*" or set(name) & {".", "`"} or folded.count(name.lower()) > 1 else name
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
