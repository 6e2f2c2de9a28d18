"""How long do engines take where the rows are in a Parquet file, how much memory, and what comes back?

A file of people is written, the same ones each time. Each engine is run in a fresh process, whose memory is watched
together with that of all processes that it starts. After a first call, which is not counted, the seconds of the clock
are the median of several. All engines must return the same table, and areas within the bounds that they give.

    python benchmarks/engines.py                       1, 10 and 100 million rows
    python benchmarks/engines.py --quick               1 million
    python benchmarks/engines.py --rows 10000000       so many
    python benchmarks/engines.py --folder FOLDER       keeps the files there for the next time

Exits with 1 if a metric of counts on a frame in memory needs more than 64 MiB besides it.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import pickle
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psutil
from measure import GROUPS, by_turns, draw_people, extra_memory, in_fresh_process, ready, verdict

COLUMNS = ["group", "outcome", "probability"]
ROW_GROUP = 500_000
BYTES_IN_MEMORY = 17  # a row: int8 codes of groups, int64, float64
MOST_MIB = 64
CALLS = ("fnr_parity", "roc_parity")


def write_people(folder: Path, rows: int) -> Path:
    """Write a Parquet file, a row group at a time, unless it is there."""
    import pyarrow as pa
    from pyarrow import parquet

    path = folder / f"people_{rows}.parquet"
    if path.exists():
        return path
    labels, begun = np.array(GROUPS), path.with_suffix(".begun")
    schema = pa.schema({"group": pa.string(), "outcome": pa.int64(), "probability": pa.float64()})
    with parquet.ParquetWriter(begun, schema, use_dictionary=["group", "outcome"]) as writer:
        for number, first in enumerate(range(0, rows, ROW_GROUP)):
            people = draw_people(min(ROW_GROUP, rows - first), seed=[1, number])
            columns = {"group": labels[people.group], "outcome": people.outcome, "probability": people.probability}
            writer.write_table(pa.table(columns, schema=schema))
    begun.rename(path)
    return path


# ------------------------------------------------------------------ engines


@contextlib.contextmanager
def parquet_path(path: Path) -> Iterator[Any]:
    yield path


@contextlib.contextmanager
def polars(path: Path) -> Iterator[Any]:
    import polars as pl

    yield pl.scan_parquet(path)


@contextlib.contextmanager
def duckdb(path: Path) -> Iterator[Any]:
    import duckdb as db

    yield db.read_parquet(str(path))


@contextlib.contextmanager
def dask(path: Path) -> Iterator[Any]:
    import dask.dataframe as dd
    import distributed

    options = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(n_workers=2, **options) as cluster, distributed.Client(cluster):
        yield dd.read_parquet(path, split_row_groups=True)


@contextlib.contextmanager
def spark(path: Path) -> Iterator[Any]:
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise ModuleNotFoundError("Java", name="Java")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.log.level", "ERROR").getOrCreate()
    try:
        yield session.read.parquet(str(path))
    finally:
        session.stop()


@contextlib.contextmanager
def pandas(path: Path) -> Iterator[pd.DataFrame]:
    """Read a file into a frame of the least size, a batch at a time."""
    from pyarrow import parquet

    file = parquet.ParquetFile(path, read_dictionary=["group"])
    rows = file.metadata.num_rows
    codes, outcome, probability = np.empty(rows, np.int8), np.empty(rows, np.int64), np.empty(rows)
    start = 0
    for batch in file.iter_batches(ROW_GROUP, columns=COLUMNS):
        part = slice(start, start := start + batch.num_rows)
        codes[part] = pd.Categorical(batch["group"].to_pandas(), categories=GROUPS).codes
        outcome[part], probability[part] = batch["outcome"].to_numpy(), batch["probability"].to_numpy()
    group = pd.Categorical.from_codes(codes, GROUPS)
    yield pd.DataFrame({"group": group, "outcome": outcome, "probability": probability}, copy=False)


ENGINES: dict[str, Callable[[Path], Any]] = {
    "pandas, in memory": pandas,
    "Parquet path": parquet_path,
    "Polars, streaming": polars,
    "DuckDB": duckdb,
    "Dask, 2 workers": dask,
    "Spark, local[2]": spark,
}
#: pyarrow alone on one thread, with the text as text, or only as the numbers that stand for it in the file.
DECODING = {"decoding, text": [], "decoding, dictionary": ["group"]}

# ------------------------------------------------------------------ what a fresh process does


def decode(path: Path, dictionaries: list[str]) -> None:
    """Read the columns and throw them away."""
    from pyarrow import parquet

    file = parquet.ParquetFile(path, read_dictionary=dictionaries)
    for number in range(file.num_row_groups):
        file.read_row_group(number, columns=COLUMNS, use_threads=False)


def answers_of(engine: Any) -> list[int]:
    """Have the size of each answer of an engine written down, in bytes."""
    sizes: list[int] = []
    count = engine.count

    def counted(*arguments: Any, **options: Any) -> Any:
        answer = count(*arguments, **options)
        sizes.append(len(pickle.dumps(answer)))
        return answer

    engine.count = counted
    return sizes


def measure(name: str, call: str, path: Path, repeats: int) -> dict[str, Any]:
    """Measure one call of one engine."""
    if name in DECODING:
        decode(path, DECODING[name])
        ready()
        return {"seconds": by_turns({"call": lambda: decode(path, DECODING[name])}, repeats)["call"].clock}
    import fairness_py
    from fairness_py._frames import find_engine

    warnings.simplefilter("ignore")  # an AUC may be warned of; what is compared is the table
    function = getattr(fairness_py, call)

    def compute(data: Any) -> pd.DataFrame:
        return function(data, "outcome", "group", probs="probability", base="Caucasian").Metric

    found: dict[str, Any] = {}
    with ENGINES[name](path) as data:
        if name.startswith("pandas"):
            compute(data[:1000])
            found["extra"] = extra_memory(lambda: compute(data))
            table = compute(data)
        else:
            engine = find_engine(data)
            sizes = answers_of(engine)
            table = compute(engine)
            found["bytes"] = sum(sizes)
        ready()
        found["seconds"] = by_turns({"call": lambda: compute(data)}, repeats)["call"].clock
    return found | {"table": table.to_dict(), "bounds": table.attrs.get("auc_bounds", {})}


# ------------------------------------------------------------------ tables


def check_same(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Refuse tables that differ by more than rounding, or areas by more than their bounds leave open."""
    assert list(one["table"]) == list(other["table"]), "the groups differ"
    for group, numbers in one["table"].items():
        others = other["table"][group]
        if "ROC AUC" not in numbers:
            assert all(abs(numbers[row] - others[row]) <= 1e-12 for row in numbers), f"{group}: {numbers} and {others}"
            continue
        assert numbers["Group size"] == others["Group size"], f"{group}: sizes differ"
        area, other_area = numbers["ROC AUC"], others["ROC AUC"]
        low, high = one["bounds"].get(group, (area, area))
        other_low, other_high = other["bounds"].get(group, (other_area, other_area))
        assert max(low, other_low) <= min(high, other_high) + 1e-12, f"{group}: {area} and {other_area}"


def show(path: Path, rows: int, call: str, engines: list[str], repeats: int) -> bool:
    """Print the lines of one metric, and return whether the memory is within its limit."""
    print(f"\n{call}, {rows:,} rows; medians of {repeats}")
    print(f"  {'':22}{'seconds':>9}{'ns a row':>10}{'MiB before':>12}{'MiB at most':>13}{'answer, bytes':>15}")
    tables, within = {}, True
    for name in [*DECODING, *engines]:
        if name.startswith("pandas") and psutil.virtual_memory().available < 3 * BYTES_IN_MEMORY * rows:
            print(f"  {name:22}left out: not enough memory is free")
            continue
        try:
            arguments = ["--one", name, "--call", call, "--file", path, "--repeats", repeats]
            found = in_fresh_process([__file__, *arguments], watch=True)
        except RuntimeError as error:
            if "ModuleNotFoundError" not in str(error):
                raise
            print(f"  {name:22}left out: {str(error).splitlines()[-1]}")
            continue
        if "table" in found:
            tables[name] = found
        memory = f"{found['start_mib']:12.0f}{found['peak_mib']:13.0f}"
        line = f"  {name:22}{found['seconds']:9.3f}{found['seconds'] / rows * 1e9:10.1f}{memory}"
        line += f"{found.get('bytes', ''):>15}"
        if "extra" in found:
            limit = MOST_MIB if call == "fnr_parity" else None
            line += f"   {found['extra']:.1f} MiB besides the frame {verdict(found['extra'], limit)}"
            within = within and "NOT" not in verdict(found["extra"], limit)
        print(line.rstrip(), flush=True)
    for one, other in itertools.combinations(tables, 2):
        check_same(tables[one], tables[other])
    print(f"  {len(tables)} tables, all the same")
    return within


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="1 million rows")
    parser.add_argument("--rows", type=int, nargs="+", default=[10**6, 10**7, 10**8])
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="where the files are written and kept")
    for hidden in ("--one", "--call", "--file"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print("\n" + json.dumps(measure(given.one, given.call, Path(given.file), given.repeats)))
        return 0
    within = True
    with contextlib.ExitStack() as stack:
        folder = given.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        for rows in [10**6] if given.quick else given.rows:
            path = write_people(folder, rows)
            print(f"\n{path.name}: {path.stat().st_size / 2**20:.0f} MiB")
            within = all([within, *(show(path, rows, call, given.engines, given.repeats) for call in CALLS)])
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
