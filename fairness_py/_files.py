"""Files of Parquet or CSV, and other datasets of Arrow, counted by threads a batch at a time."""

from __future__ import annotations

import contextlib
import glob
import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ._blocks import Query
from ._eager import column_to_pandas, need
from ._engine_base import Blocks, Function, first_line
from ._factors import Coded, check_plain, dictionary_codes, read_dictionary, to_numbers

THREADS = min(2, os.cpu_count() or 1)
FORMATS = {".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".csv.gz": "csv", ".tsv": "tsv", ".tsv.gz": "tsv"}
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

    def __init__(
        self,
        dataset: Any,
        name: str,
        coded: Any = None,
        *,
        is_csv: bool = False,
        conflicts: Mapping[str, str] | None = None,
    ) -> None:
        self._dataset = dataset
        self._coded = dataset if coded is None else coded  # the same rows, with texts read as dictionaries
        self._is_csv = is_csv
        self._conflicts = conflicts or {}  # the types that a column has, where no type holds them all
        self.name = name
        self.columns = dataset.schema.names
        self._texts = {field.name for field in dataset.schema if is_text(field.type)}
        self._labels: set[str] = set()  # the columns that are counted by

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
            hint = " (types are guessed from the first block: pass pandas.read_csv(…) as data)" if self._is_csv else ""
            raise OSError(f"{self.name} could not be read: {first_line(error)}{hint}") from error

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
            values = column_to_pandas(column)
            if self._is_csv and name in self._labels and values.dtype.kind == "f":
                _check_digits(values.to_numpy(), name)
            return values
        coded = column.unify_dictionaries()
        codes, (labels, code_of_entry) = dictionary_codes(coded), read_dictionary(coded)
        return Coded(codes if code_of_entry is None else code_of_entry[codes], labels, fixed=name not in self._texts)

    def count(self, query: Query) -> pd.DataFrame:
        if query.score is not None and query.score in self._texts:
            to_numbers(self.few(query.score), "probs")  # says what is wrong
        for name, column in query.labels:
            check_plain(self._dataset.schema.field(column).type, name.split()[0])
        self._labels = {column for _, column in query.labels}
        return super().count(query)

    def check_column(self, given: object, argument: str) -> str:
        column = super().check_column(given, argument)
        if column in self._conflicts:
            raise TypeError(
                f"{argument}: column {column!r} has other types in other files of {self.name}, "
                f"{self._conflicts[column]}. Write the files anew with one type."
            )
        return column

    def few(self, column: str) -> pd.Series[Any]:
        import pyarrow as pa

        kind = self._dataset.schema.field(column).type
        if not pa.types.is_null(kind.value_type if pa.types.is_dictionary(kind) else kind):
            for table in self._tables(self._dataset, [column], 1000):
                present = column_to_pandas(table.column(0)).dropna()
                if len(present):
                    return present.head()
        is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
        return pd.Series([], dtype=float if is_number else object)


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


def _check_digits(values: npt.NDArray[np.float64], name: str) -> None:
    """Refuse labels that are whole numbers of more than 64 bits, of which Arrow keeps 15 digits."""
    if (np.abs(values[np.isfinite(values)]) >= 2.0**63).any():
        raise ValueError(
            f"column {name!r} holds numbers of 19 digits or more, which CSV files by path do not keep apart: pass "
            "pandas.read_csv(…) as data."
        )


def is_text(kind: Any) -> bool:
    return str(kind) in ("string", "large_string", "string_view")


def open_files(path: str | os.PathLike[str]) -> ArrowDataset:
    """Return a file, a folder or a glob of Parquet or CSV files as a dataset."""
    text = os.path.expanduser(os.fspath(path))
    names, folder = _find_files(text)
    if not names:
        what = "no file in this folder" if os.path.isdir(text) else "no such file"
        quotes = f" If {text} is a frame, pass it without quotes." if text.isidentifier() else ""
        raise FileNotFoundError(
            f"data={text!r}: there is {what}. A path leads to Parquet or CSV files of this machine; of others pass a "
            f"dataset, of pyarrow.dataset.dataset(…).{quotes}"
        )
    need("pyarrow", f"data is a path, {text!r}", "parquet")
    import pyarrow as pa

    form = _format_of(names[0])
    if form is None:
        raise ValueError(f"data={text!r} must be a path of .parquet, .csv or .tsv files, got {names[0]!r}.")
    strange = next((name for name in names if _format_of(name) != form), None)
    if strange is not None:
        raise ValueError(
            f"data={text!r} must lead to files of one format, got {names[0]!r} and {strange!r}. Take those that you "
            "mean by a glob, such as 'folder/*.csv'."
        )
    is_csv = form != "parquet"
    try:
        files = _Files(names, folder, _csv_format("\t" if form == "tsv" else ",") if is_csv else form)
        opened = files.open(is_csv)
        coded = None if is_csv else files.open_coded(opened)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise OSError(f"data={text!r} could not be read: {first_line(error)}") from error
    bytes_only = [field.name for field in opened.schema if is_csv and pa.types.is_binary(field.type)]
    if bytes_only:
        raise OSError(f"data={text!r} could not be read: column {bytes_only[0]!r} is not in UTF-8.")
    return ArrowDataset(opened, f"data={text!r}", coded, is_csv=is_csv, conflicts=files.conflicts)


def _find_files(text: str) -> tuple[list[str], str | None]:
    """Return the files that a path leads to, and of a folder or a glob the folder below which they are.

    Below it, files and folders whose names begin with a dot or an underscore are left out, as Spark's `_SUCCESS` is.
    """
    is_glob = glob.has_magic(text) and not os.path.exists(text)
    if not is_glob and not os.path.isdir(text):
        return [text] if os.path.exists(text) else [], None
    start = os.path.dirname(re.split(r"[*?[]", text)[0]) if is_glob else text
    folder = Path(os.path.realpath(start))  # where the system goes, also from a link by ..
    once: dict[str, Path] = {}  # for ** can match in several ways, and links lead round in circles
    for name in sorted(glob.glob(text, recursive=True) if is_glob else [text]):
        path = folder / os.path.relpath(name, start or ".")
        for file in _walk(path) if path.is_dir() else [path]:
            once.setdefault(os.path.realpath(file), file)
    visible = [file for file in once.values() if not _is_hidden(file.relative_to(folder))]
    return [str(file) for file in visible if file.is_file()], str(folder)


def _walk(folder: Path) -> list[Path]:
    """Return the files below a folder, also where links lead, which may be round in circles."""
    files: list[Path] = []
    seen = set()
    for parent, folders, names in os.walk(folder, followlinks=True):
        if os.path.realpath(parent) in seen:
            folders.clear()
        else:
            files += [Path(parent, name) for name in names]
        seen.add(os.path.realpath(parent))
    return sorted(files)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith((".", "_")) for part in path.parts)


def _format_of(name: str) -> str | None:
    packed = ".gz" if name.endswith(".gz") else ""  # as Arrow spells it
    return FORMATS.get(Path(name.removesuffix(packed)).suffix.lower() + packed)


def _csv_format(delimiter: str) -> Any:
    """Return how CSV is read: as pandas does, but for what columns of dates and times hold, see `_Files.open`."""
    from pyarrow import csv, dataset

    return dataset.CsvFileFormat(
        parse_options=csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        convert_options=csv.ConvertOptions(
            null_values=CSV_MISSING,
            strings_can_be_null=True,
            true_values=["True", "TRUE", "true"],  # and not 1
            false_values=["False", "FALSE", "false"],
        ),
    )


class _Files:
    """Files that make one dataset; folders below the path may be named by a value that their files have: key=value."""

    def __init__(self, names: list[str], folder: str | None, form: Any) -> None:
        from pyarrow import dataset

        self._source: Any = names[0] if folder is None else names
        self._form = form
        self._options: dict[str, Any] = {}
        if folder is not None:
            self._options["partitioning"] = dataset.HivePartitioning.discover(infer_dictionary=True)
            self._options["partition_base_dir"] = folder
        self.conflicts: dict[str, str] = {}  # columns of types that no type holds

    def _dataset(self, schema: Any = None) -> Any:
        from pyarrow import dataset

        return dataset.dataset(self._source, format=self._form, schema=schema, **self._options)

    def open(self, is_csv: bool) -> Any:
        """Return the dataset, with the columns that any file has, of a type that holds the values of all.

        Dates and times in CSV stay texts, as they do in pandas: what is written in two ways would become one label.
        """
        import pyarrow as pa

        opened = self._dataset()
        schemas = [opened.schema]
        if self._options:
            schemas += [file.physical_schema for file in opened.get_fragments()]
        fields: dict[str, Any] = {}
        for field in (field for schema in schemas for field in schema):
            if is_csv and pa.types.is_temporal(field.type):
                field = field.with_type(pa.string())
            fields[field.name] = self._united(fields.get(field.name, field), field)
        schema = pa.schema(list(fields.values()))
        return opened if schema.equals(opened.schema) else self._dataset(schema)

    def _united(self, one: Any, other: Any) -> Any:
        """Return a field that holds the values of both, or the first, which may not be asked for then."""
        import pyarrow as pa

        if one.equals(other):
            return one
        try:
            return pa.unify_schemas([pa.schema([one]), pa.schema([other])], promote_options="permissive").field(0)
        except pa.ArrowException:
            kinds = [
                field.type.value_type if pa.types.is_dictionary(field.type) else field.type for field in (one, other)
            ]
            if all(map(is_text, kinds)):  # categories whose orders do not go together
                return pa.field(one.name, pa.large_string())
            self.conflicts[one.name] = f"{one.type} and {other.type}"
            return one

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
        self._form = dataset.ParquetFileFormat(dictionary_columns=texts, pre_buffer=False, use_buffered_stream=True)
        return self._dataset(pa.schema(fields))
