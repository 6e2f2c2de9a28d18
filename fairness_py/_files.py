"""Files of Parquet or CSV, and other datasets of Arrow, counted by threads a batch at a time."""

from __future__ import annotations

import contextlib
import glob
import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pandas as pd

from ._blocks import Query
from ._eager import column_to_pandas, need
from ._engine_base import Blocks, Function, first_line
from ._factors import THREADS, Coded, check_plain, dictionary_codes, read_dictionary, to_numbers

HELD = 1_000_000  # answers of blocks have so many rows together before they are added up
# what pandas.read_csv takes for missing, so that a file has the same table by path and by frame
CSV_MISSING = [
    *("", "#N/A N/A", "#N/A", "#NA", "N/A", "n/a", "NA", "<NA>", "NULL", "null", "None"),
    *("NaN", "nan", "-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
]


class ArrowDataset(Blocks):
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
            raise OSError(f"{self.name} could not be read: {first_line(error)}") from error

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

    def _map(self, function: Function, add: Function, columns: list[str], size: int) -> Any:
        pool = ThreadPoolExecutor(THREADS)
        running: deque[Future[Any]] = deque()
        parts: list[Any] = []  # in the order of the rows, the first of them what was added up

        def work(tables: Iterable[Any]) -> Any:
            found = [self._of_table(function, table) for table in tables]
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

    def _of_table(self, function: Function, table: Any) -> Any:
        columns = {name: self._column(name, table.column(name)) for name in table.column_names}
        return function(columns)

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
        coded = column.unify_dictionaries()
        codes, (labels, code_of_entry) = dictionary_codes(coded), read_dictionary(coded)
        return Coded(codes if code_of_entry is None else code_of_entry[codes], labels, fixed=name not in self._texts)

    def count(self, query: Query) -> pd.DataFrame:
        if query.score is not None and query.score in self._texts:
            to_numbers(self.few(query.score), "probs")  # says what is wrong
        for name, column in query.labels:
            check_plain(self._dataset.schema.field(column).type, name.split()[0])
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


def open_files(path: str | os.PathLike[str]) -> ArrowDataset:
    """Return a file, a folder or a glob of Parquet or CSV files as a dataset."""
    text = os.path.expanduser(os.fspath(path))
    names = sorted(glob.glob(text, recursive=True)) if glob.has_magic(text) and not Path(text).exists() else [text]
    if not names or not Path(names[0]).exists():
        quotes = f" If {text} is a frame, pass it without quotes." if text.isidentifier() else ""
        raise FileNotFoundError(
            f"data={text!r}: there is no such file. A path leads to Parquet or CSV files of "
            f"this machine; of others pass a dataset, of pyarrow.dataset.dataset(…).{quotes}"
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
        raise OSError(f"data={text!r} could not be read: {first_line(error)}") from error
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
