"""Any kind of frame gives the table, the warnings and the errors of a pandas frame, and of R."""

from __future__ import annotations

import importlib.metadata
import json
import math
import re
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import backends
import numpy as np
import pandas as pd
import pytest

import fairness_py as fp
from fairness_py import _blocks, _engine_base, _files, _scores

BACKENDS = sorted(backends.NEEDS)


@pytest.fixture(params=BACKENDS)
def backend(request):
    lacks = backends.missing(request.param)
    if lacks:
        pytest.skip(f"{lacks} is not installed")
    return request.param


@pytest.fixture
def rows():
    generator = np.random.default_rng(6)
    n = 500
    frame = pd.DataFrame(
        {
            "sex": pd.Categorical(generator.choice(["m", "f", "x"], n), categories=["x", "m", "nobody", "f"]),
            "text": generator.choice(["b", "A", "c", "_"], n).astype(object),
            "age": generator.integers(18, 70, n).astype(float),
            "code": generator.integers(-3, 3, n),
            "y": generator.integers(0, 2, n),
            "flag": generator.random(n) < 0.5,
            "p": np.round(generator.random(n), 2),
            "p32": generator.random(n).astype(np.float32),
            "preds": generator.integers(0, 2, n),
        }
    )
    frame.loc[[3, 5], "p"] = math.nan
    frame.loc[[4, 5], "age"] = math.nan
    frame.loc[7, "text"] = None
    return frame


def outcome_of(function, data, arguments):
    """Return all that a call gives: the table, the curves, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(data, **arguments)
        return result.Metric, result.densities, result.roc_curves, sorted(str(one.message) for one in caught)


CALLS = {
    "text": (fp.fnr_parity, {"outcome": "y", "group": "text", "probs": "p"}),
    "levels": (fp.acc_parity, {"outcome": "y", "group": "sex", "preds": "preds"}),
    "interval": (fp.dem_parity, {"outcome": "y", "group": "age", "group_breaks": 4, "probs": "p", "cutoff": 0.3}),
    "breaks": (fp.prop_parity, {"outcome": "flag", "group": "age", "group_breaks": [30, 20, 50], "probs": "p"}),
    "not_binned": (fp.spec_parity, {"outcome": "flag", "group": "text", "group_breaks": 3, "probs": "p32"}),
    "codes": (fp.mcc_parity, {"outcome": "flag", "group": "code", "preds": "y", "base": 2, "outcome_base": True}),
    "combined": (fp.npv_parity, {"outcome": "y", "group": ["text", "code"], "probs": "p", "base": ("c", 1)}),
    "both": (fp.equal_odds, {"outcome": "y", "group": "text", "probs": "p", "preds": "preds"}),
    "difference": (fp.average_odds_difference, {"outcome": "y", "group": "text", "probs": "p", "versus": "rest"}),
    "roc": (fp.roc_parity, {"outcome": "y", "group": "text", "probs": "p"}),
    "roc_binned": (
        fp.roc_parity,
        {"outcome": "y", "group": "age", "group_breaks": 3, "probs": "p32", "direction": "<"},
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_table_curves_and_warnings_are_those_of_pandas(backend, call, rows, tmp_path):
    function, arguments = CALLS[call]
    if call == "levels" and backend in backends.WITHOUT_LEVELS:
        pytest.skip("this kind of frame has no levels")
    table, densities, curves, said = outcome_of(function, rows, arguments)
    got = outcome_of(function, backends.convert(rows, backend, tmp_path), arguments)
    pd.testing.assert_frame_equal(got[0], table, rtol=1e-13, check_column_type=False)
    assert got[3] == said
    assert [one.group for one in got[1]] == [one.group for one in densities]
    for one, other in zip(got[1], densities, strict=True):
        np.testing.assert_allclose(one.density, other.density, atol=1e-12)
    for one, other in zip(got[2], curves, strict=True):
        np.testing.assert_allclose(one.specificity, other.specificity, atol=1e-15)
        np.testing.assert_allclose(one.sensitivity, other.sensitivity, atol=1e-15)


ERRORS = {
    "breaks": (
        fp.roc_parity,
        {"outcome": "y", "group": "text", "probs": "p", "group_breaks": "a"},
        ValueError,
        "breaks, got 'a'",
    ),
    "column": (fp.fpr_parity, {"outcome": "y", "group": "ages", "probs": "p"}, ValueError, "group.*'ages'.*'age'"),
    "range": (fp.fpr_parity, {"outcome": "y", "group": "text", "probs": "age"}, ValueError, r"probs.*\[?0 and 1.*100"),
    "text": (fp.fpr_parity, {"outcome": "y", "group": "text", "probs": "text"}, TypeError, "probs must be numbers"),
    "many": (fp.fpr_parity, {"outcome": "age", "group": "text", "probs": "p"}, ValueError, "outcome must be binary"),
    "base": (fp.fpr_parity, {"outcome": "y", "group": "text", "probs": "p", "base": "d"}, ValueError, "base must be"),
    "labels": (fp.fpr_parity, {"outcome": "y", "group": "text", "preds": "code"}, ValueError, "preds must hold"),
    "neither": (fp.fpr_parity, {"outcome": "y", "group": "text"}, ValueError, "Either probs or preds"),
    "cutoff": (fp.fpr_parity, {"outcome": "y", "group": "text", "probs": "p", "cutoff": 2}, ValueError, "cutoff must"),
    "roc": (fp.roc_parity, {"outcome": "y", "group": "text"}, ValueError, "Probs have to be supplied"),
}


@pytest.mark.parametrize("call", ERRORS)
def test_errors_are_those_of_pandas(backend, call, rows, tmp_path):
    function, arguments, error, pattern = ERRORS[call]
    for data in (rows, backends.convert(rows, backend, tmp_path)):
        with pytest.raises(error, match=pattern):
            function(data, **arguments)


def test_no_rows(backend, rows, tmp_path):
    if backend == "csv":
        pytest.skip("a CSV file without rows has no types")
    data = backends.convert(rows[rows["y"] == 2], backend, tmp_path)
    with pytest.raises(ValueError, match="data is empty"):
        fp.fnr_parity(data, "y", "text", preds="preds")


def golden_cases(directory):
    """Return R's calls by columns, with values that every frame can hold."""
    for line in (directory / "r_cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        frame = {}
        call = {name: given for name, given in case["call"].items() if given is not None}
        for name, given in case["data"].items():
            frame[name] = column(given)
        for name in ("probs", "preds"):
            if isinstance(call.get(name), dict):
                frame[f"vector_{name}"] = column(call[name])
                call[name] = f"vector_{name}"
        if len({len(values) for values in frame.values()}) == 1 and not isinstance(call["group"], dict):
            yield case, pd.DataFrame(frame), call


def column(given):
    kind, values = given["type"], given["values"]
    if kind == "factor":
        return pd.Categorical(values, categories=given["levels"])
    if kind == "numeric":
        return pd.array([math.nan if text in ("NA", "NaN", None) else float(text) for text in values], dtype=float)
    return pd.array(values, dtype={"integer": "Int64", "logical": "boolean", "character": "string"}[kind])


STRIDE = {"arrow": 3, "pandas_arrow": 3, "polars": 3}  # of 1,571 cases; engines take longer for each


def test_tables_are_those_of_r(backend, golden_dir, tmp_path):
    compared, wrong = 0, []
    for case, frame, call in list(golden_cases(golden_dir))[:: STRIDE.get(backend, 12)]:
        kinds = {given["type"] for given in case["data"].values()}
        if "factor" in kinds and (backend in backends.WITHOUT_LEVELS or backend == "parquet_glob"):
            continue
        if backend == "csv" and kinds != {"numeric"}:
            continue  # the types of a file are guessed
        compared += 1
        data = backends.convert(frame, backend, tmp_path)
        unknown = {"preds", "outcome_base", "cutoff"} if case["fn"] == "roc_parity" else set()
        arguments = {name: given for name, given in call.items() if name not in unknown}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            try:
                values = getattr(fp, case["fn"])(data, **arguments).Metric.to_numpy()
            except (ValueError, TypeError) as error:
                if "error" not in case["expect"]:
                    wrong.append((case["id"], str(error)))
                continue
        if "error" in case["expect"]:
            wrong.append((case["id"], "accepted"))
            continue
        want = np.array(
            [[math.nan if x in ("NA", "NaN") else float(x) for x in row] for row in case["expect"]["values"]]
        )
        if values.shape != want.shape or not np.allclose(values, want, rtol=1e-12, atol=1e-12, equal_nan=True):
            wrong.append((case["id"], values, want))
    assert compared > 10
    assert wrong == []


def test_a_dataset_with_a_filter(rows, tmp_path):
    dataset = pytest.importorskip("pyarrow.dataset")
    opened = dataset.dataset(backends.convert(rows, "parquet", tmp_path))
    result = fp.spec_parity(opened.filter(dataset.field("code") > 0), "y", "text", preds="preds")
    wanted = fp.spec_parity(rows[rows["code"] > 0], "y", "text", preds="preds")
    pd.testing.assert_frame_equal(result.Metric, wanted.Metric)


# ------------------------------------------------------------------ from histograms


def ranked_rows():
    generator = np.random.default_rng(8)
    y = generator.integers(0, 2, 3000)
    p = np.clip(generator.normal(0.45 + 0.1 * y, 0.15), 0, 1)
    p[:400] = np.repeat([0.25, 0.5], 200)
    return pd.DataFrame({"g": generator.choice(["a", "b", "c"], 3000), "y": y, "p": p})


@pytest.mark.parametrize("bins", [4, 64, 256])
@pytest.mark.parametrize("backend", ["duckdb", "polars_lazy", "dask", "arrow_dataset"])
def test_bounds_hold_the_exact_area(backend, bins, monkeypatch, tmp_path):
    if backends.missing(backend):
        pytest.skip(f"{backends.missing(backend)} is not installed")
    rows = ranked_rows()
    exact = fp.roc_parity(rows, "y", "g", "p", direction="<").Metric.loc["ROC AUC"]
    monkeypatch.setattr(_scores, "EXACT", 0)
    monkeypatch.setattr(_scores, "FINE", bins)
    table = fp.roc_parity(backends.convert(rows, backend, tmp_path), "y", "g", "p", direction="<").Metric
    assert "histogram" in table.attrs["note"]
    for group, (low, high) in table.attrs["auc_bounds"].items():
        assert low <= exact[group] <= high
        assert low < table.loc["ROC AUC", group] < high
        assert high - low < 2 / bins * 2.5  # no bin holds more than two and a half times its share


def test_few_scores_are_exact_from_a_histogram(monkeypatch):
    pytest.importorskip("polars")
    pytest.importorskip("narwhals")
    rows = ranked_rows()
    rows["p"] = rows["p"].round(3)
    exact = fp.roc_parity(rows, "y", "g", "p")
    monkeypatch.setattr(_scores, "EXACT", 0)
    result = fp.roc_parity(backends.convert(rows, "polars_lazy", None), "y", "g", "p")
    assert result.Metric.attrs == {}
    pd.testing.assert_frame_equal(result.Metric, exact.Metric, rtol=1e-14)
    for one, other in zip(result.roc_curves, exact.roc_curves, strict=True):
        np.testing.assert_allclose(one.sensitivity, other.sensitivity, atol=1e-15)
        np.testing.assert_allclose(one.specificity, other.specificity, atol=1e-15)


def test_a_histogram_looks_as_its_rows_do(monkeypatch):
    pytest.importorskip("polars")
    pytest.importorskip("narwhals")
    rows = ranked_rows()
    exact = fp.roc_parity(rows, "y", "g", "p")
    monkeypatch.setattr(_scores, "EXACT", 0)
    result = fp.roc_parity(backends.convert(rows, "polars_lazy", None), "y", "g", "p")
    for one, other in zip(result.densities, exact.densities, strict=True):
        np.testing.assert_allclose(one.density, other.density, atol=2e-4)
    for one, other in zip(result.roc_curves, exact.roc_curves, strict=True):
        at = np.linspace(0, 1, 101)
        sensitivity = [np.interp(at, 1 - curve.specificity, curve.sensitivity) for curve in (one, other)]
        np.testing.assert_allclose(*sensitivity, atol=0.02)


@pytest.mark.parametrize(("shift", "reversed_"), [(0.1, False), (-0.1, True), (0.004, False), (-0.02, True)])
def test_reversed_scores_are_noticed(shift, reversed_):
    pytest.importorskip("polars")
    pytest.importorskip("narwhals")
    generator = np.random.default_rng(5)
    y = np.arange(40_000) % 2
    p = generator.uniform(0.2, 0.7, 40_000).round(3)
    p = np.where(y == 1, np.roll(p, 1) + shift, p)  # each positive is its negative moved
    rows = pd.DataFrame({"y": y, "g": "a", "p": p.round(3)})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fp.fnr_parity(backends.convert(rows, "polars_lazy", None), "y", "g", "p")
    assert [bool(re.search("rank 0 higher than 1", str(one.message))) for one in caught] == [True] * reversed_


# ------------------------------------------------------------------ what cannot be read


def test_a_missing_file():
    with pytest.raises(FileNotFoundError, match=r"no_such\.parquet"):
        fp.fnr_parity("no_such.parquet", "y", "g", "p")
    with pytest.raises(FileNotFoundError, match=r"If compas is a frame, pass it without quotes\.$"):
        fp.acc_parity("compas", "y", "text", preds="preds")
    for path in ("compas.parquet", "data/compas", "compas*"):
        with pytest.raises(FileNotFoundError) as error:
            fp.acc_parity(path, "y", "text", preds="preds")
        assert "quotes" not in str(error.value)
    with pytest.raises(FileNotFoundError, match=r"no_such_\*\.csv"):
        fp.fnr_parity("no_such_*.csv", "y", "g", "p")


def test_another_kind_of_file(tmp_path):
    (tmp_path / "rows.xlsx").write_text("no table")
    with pytest.raises(ValueError, match=r"\.parquet, \.csv or \.tsv"):
        fp.fnr_parity(tmp_path / "rows.xlsx", "y", "g", "p")


def test_a_folder_as_spark_writes_it(rows, tmp_path):
    pytest.importorskip("pyarrow")
    folder = tmp_path / "written"
    folder.mkdir()
    for name in ("._SUCCESS.crc", ".part-0.parquet.crc", "_SUCCESS", "_started.txt"):
        (folder / name).write_text("no table")
    with pytest.raises(FileNotFoundError, match="no file in this folder"):
        fp.fnr_parity(folder, "y", "text", "p")
    rows = rows[["y", "text", "p"]].dropna()
    rows.to_parquet(folder / "part-0.snappy.parquet", index=False)
    want = fp.fnr_parity(rows, "y", "text", "p").Metric
    pd.testing.assert_frame_equal(fp.fnr_parity(folder, "y", "text", "p").Metric, want)


@pytest.mark.parametrize("made", ["table", "parquet"])
def test_scores_in_a_dictionary(made, tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    def read(scores):
        table = pa.table({"y": np.arange(20) % 2, "g": ["a", "b"] * 10, "p": scores.dictionary_encode()})
        if made == "table":
            return table
        pyarrow.parquet.write_table(table, tmp_path / "rows.parquet")
        return tmp_path / "rows.parquet"

    with pytest.raises(TypeError, match="probs must be numbers, got values such as 'u'"):
        fp.fnr_parity(read(pa.array(["u", "v"] * 10)), "y", "g", "p")
    asked = {"outcome": "y", "group": "g", "probs": "p"}
    for function in (fp.fnr_parity, fp.roc_parity):
        want = outcome_of(function, pd.DataFrame({"y": np.arange(20) % 2, "g": ["a", "b"] * 10, "p": np.nan}), asked)
        got = outcome_of(function, read(pa.array([None] * 20, pa.string())), asked)
        pd.testing.assert_frame_equal(got[0], want[0])
        assert got[3] == want[3]


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_truncated_parquet_file(share, rows, tmp_path):
    pytest.importorskip("pyarrow")
    path = backends.convert(rows, "parquet", tmp_path)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(OSError, match=r"rows\.parquet.*could not be read"):
        fp.fnr_parity(path, "y", "text", "p")


def test_a_damaged_page(rows, tmp_path):
    pytest.importorskip("pyarrow")
    path = backends.convert(rows, "parquet", tmp_path)
    content = bytearray(path.read_bytes())
    content[4:2000] = bytes(1996)  # the footer, at the end, is whole
    path.write_bytes(content)
    with pytest.raises(OSError, match=r"rows\.parquet.*could not be read"):
        fp.fnr_parity(path, "y", "text", "p")


def test_a_failing_engine():
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        relation = connection.sql("select 1 as y, 'a' as g, 0.5 as p")
    with pytest.raises(RuntimeError, match="a DuckDB relation could not be computed"):
        fp.fnr_parity(relation, "y", "g", "p")


def test_vectors_have_no_place_beside_an_engine(rows):
    pytest.importorskip("polars")
    pytest.importorskip("narwhals")
    with pytest.raises(TypeError, match="probs must be the name of a column: data is a Polars LazyFrame"):
        fp.fnr_parity(backends.convert(rows, "polars_lazy", None), "y", "text", rows["p"])


def test_columns_of_an_engine_are_named_by_texts(rows):
    rows = rows.rename(columns={"text": 0, "y": 1})
    for kind, columns in {"dask": rows, "polars_lazy": rows.rename(columns=str)}.items():
        if backends.missing(kind):
            continue
        with pytest.raises(TypeError, match=r"^group must be .* are named by texts, got 0\.") as error:
            fp.fnr_parity(backends.convert(columns, kind, None), "y", 0, "p")
        assert ("data.rename(columns=str)" in str(error.value)) == (kind == "dask")


@pytest.mark.parametrize(
    ("made", "hidden", "extra"),
    [
        ("polars_lazy", "narwhals", "polars"),
        ("duckdb", "narwhals", "duckdb"),
        ("polars", "pyarrow", "polars"),
        ("parquet", "pyarrow", "parquet"),
    ],
)
def test_an_absent_library_is_named(made, hidden, extra, rows, monkeypatch, tmp_path):
    if backends.missing(made):
        pytest.skip(f"{backends.missing(made)} is not installed")
    data = backends.convert(rows, made, tmp_path)
    find = importlib_find_spec()
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *more: None if name == hidden else find(name, *more))
    with pytest.raises(ImportError, match=rf"needs {hidden}: pip install 'fairness_py\[{extra}\]'"):
        fp.fnr_parity(data, "y", "text", "p")


def importlib_find_spec():
    import importlib.util

    return importlib.util.find_spec


def test_in_memory_frames_need_no_engine():
    program = (
        "import sys, pandas, fairness_py as fp\n"
        "fp.fnr_parity(fp.load_compas(), 'Two_yr_Recidivism', 'ethnicity', 'probability')\n"
        "print([name for name in ('narwhals', 'polars', 'dask', 'duckdb', 'ibis') if name in sys.modules])\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


# ------------------------------------------------------------------ many labels


def test_ten_thousand_groups(backend, tmp_path):
    generator = np.random.default_rng(9)
    group = np.append(np.arange(10_000), generator.integers(0, 10_000, 10_000))
    frame = pd.DataFrame({"g": group, "y": generator.integers(0, 2, 20_000), "q": generator.integers(0, 2, 20_000)})
    arguments = {"outcome": "y", "group": "g", "preds": "q"}
    want = outcome_of(fp.npv_parity, frame, arguments)
    got = outcome_of(fp.npv_parity, backends.convert(frame, backend, tmp_path), arguments)
    assert list(got[0].columns) == list(range(10_000))
    np.testing.assert_allclose(got[0], want[0], rtol=1e-13)
    assert got[3] == want[3]
    assert any("exceeds 10" in message for message in got[3])


@pytest.mark.parametrize("argument", ["outcome", "preds"])
def test_measurements_are_no_labels(backend, argument, tmp_path):
    frame = pd.DataFrame({"g": "a", "y": np.arange(400) % 2, "m": np.random.default_rng(9).random(400)})
    arguments = {"outcome": "y", "group": "g", "preds": "y"} | {argument: "m"}
    with pytest.raises(
        ValueError, match=rf"^{argument} must be .* (400|at least 101) different values, such as 0\."
    ) as error:
        fp.fnr_parity(backends.convert(frame, backend, tmp_path), **arguments)
    assert "in all" not in str(error.value)


@pytest.mark.parametrize("made", ["parquet", "dask", "duckdb"])
def test_too_many_groups_are_refused_before_they_fill_the_memory(made, monkeypatch, tmp_path):
    if backends.missing(made):
        pytest.skip(f"{backends.missing(made)} is not installed")
    monkeypatch.setattr(_blocks, "MOST_LABELS", 250)
    frame = pd.DataFrame({"g": [f"{row:04}" for row in range(300)], "y": np.arange(300) % 2, "p": 0.5})
    with pytest.raises(
        ValueError,
        match=r"^group has more than 250 different values, too many for labels\. Cut .* by group_breaks; .*\.$",
    ):
        fp.fnr_parity(backends.convert(frame, made, tmp_path), "y", "g", "p")
    monkeypatch.setattr(_blocks, "MOST_LABELS", 300)
    monkeypatch.setattr(_blocks, "MOST_CELLS", 299)
    with pytest.raises(ValueError, match="more than 299 combinations"):
        fp.fnr_parity(backends.convert(frame, made, tmp_path), "y", "g", "p")


# ------------------------------------------------------------------ batches and threads


def batches_of(size, monkeypatch):
    monkeypatch.setattr(_engine_base, "BATCH", size)
    monkeypatch.setattr(_files, "HELD", 20)


def test_many_batches_are_one_table(rows, monkeypatch, tmp_path):
    pytest.importorskip("pyarrow")
    batches_of(7, monkeypatch)
    rows["sex"] = rows["sex"].astype(str)
    path = backends.convert(rows, "parquet", tmp_path)
    for group in ("text", "sex", "code", ["text", "code"]):
        arguments = {"outcome": "y", "group": group, "probs": "p"}
        got, want = outcome_of(fp.fnr_parity, path, arguments), outcome_of(fp.fnr_parity, rows, arguments)
        pd.testing.assert_frame_equal(got[0], want[0], rtol=1e-13)
        assert got[3] == want[3]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_no_thread_outlives_an_error(error, rows, monkeypatch, tmp_path):
    pytest.importorskip("pyarrow")
    batches_of(50, monkeypatch)
    path = backends.convert(rows, "parquet", tmp_path)
    count_block, seen = _engine_base.count_block, []

    def fails(block, query):
        seen.append(1)
        if len(seen) == 3:
            raise error("in a thread")
        return count_block(block, query)

    monkeypatch.setattr(_engine_base, "count_block", fails)
    before = threading.active_count()
    with pytest.raises(error, match="in a thread"):
        fp.fnr_parity(path, "y", "text", "p")
    assert threading.active_count() == before
    assert len(seen) < 10


def test_wrong_probabilities_of_a_late_batch(rows, monkeypatch, tmp_path):
    pytest.importorskip("pyarrow")
    batches_of(50, monkeypatch)
    rows.loc[499, "p"] = 1.5
    with pytest.raises(ValueError, match=r"probs must be probabilities between 0 and 1, got 1\.5"):
        fp.fnr_parity(backends.convert(rows, "parquet", tmp_path), "y", "text", "p")


# ------------------------------------------------------------------ what Parquet can hold


def same_as_pandas(path, frame, group="g"):
    arguments = {"outcome": "y", "group": group, "probs": "p"}
    got, want = outcome_of(fp.fnr_parity, path, arguments), outcome_of(fp.fnr_parity, frame, arguments)
    pd.testing.assert_frame_equal(got[0], want[0], rtol=1e-13, check_column_type=False)
    assert list(map(repr, got[0].columns)) == list(map(repr, want[0].columns))
    assert got[3] == want[3]


def arrow_rows(groups):
    import pyarrow as pa

    generator = np.random.default_rng(4)
    n = len(groups)
    return pa.table({"g": groups, "y": generator.integers(0, 2, n), "p": generator.random(n).round(3)})


TYPES = [
    "int32",
    "uint8",
    "int64",
    "float",
    "bool",
    "date32",
    "timestamp[us]",
    "decimal128(22, 2)",
    "string",
    "large_string",
    "string_view",
]


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("missing", [False, True])
def test_groups_of_any_type_in_parquet(kind, missing, tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    if kind == "string_view" and int(pa.__version__.split(".")[0]) < 20:
        pytest.skip("this Arrow knows next to nothing of string_view")
    kind = pa.decimal128(22, 2) if kind.startswith("decimal") else pa.type_for_alias(kind)
    numbers = np.random.default_rng(5).integers(0, 3, 400).tolist()
    groups = pa.array([None if missing and row % 9 == 0 else number for row, number in enumerate(numbers)])
    groups = groups.cast("int32").cast(kind) if pa.types.is_date32(kind) else groups.cast(kind)
    parquet.write_table(arrow_rows(groups), tmp_path / "rows.parquet", row_group_size=77)
    frame = pd.read_parquet(tmp_path / "rows.parquet")
    if missing and pa.types.is_integer(kind):
        frame["g"] = frame["g"].astype("Int64")  # not floats, as pandas reads them
    same_as_pandas(tmp_path / "rows.parquet", frame)


def folder_of(tmp_path, *groups):
    """Write a file for each, and return the folder and what all files hold."""
    import pyarrow.parquet

    for number, group in enumerate(groups):
        table = arrow_rows(group if group is not None else np.zeros(60)).drop_columns(["g"] if group is None else [])
        pyarrow.parquet.write_table(table, tmp_path / f"part_{number}.parquet")
    return tmp_path, pd.concat([pd.read_parquet(path) for path in sorted(tmp_path.iterdir())], ignore_index=True)


def texts(*labels):
    return np.resize(np.array(labels, dtype=object), 60)


def test_files_with_other_types_and_other_columns(tmp_path):
    pa = pytest.importorskip("pyarrow")
    cases = {
        "narrow": [pa.array([1, 2] * 30, "int32"), pa.array([2, 3, 4] * 20, "int64")],
        "absent_first": [None, texts("b", "A")],
        "absent_last": [texts("b", "A"), None],
        "null_first": [pa.nulls(60), texts("b", "A")],
        "empty": [texts("b", "A")[:0], texts("b", "A"), texts("c")[:0], texts("c", "A")],
        "large": [pa.array(texts("b", "A")), pa.array(texts("c", "A"), "large_string")],
    }
    for name, groups in cases.items():
        (tmp_path / name).mkdir()
        same_as_pandas(*folder_of(tmp_path / name, *groups))


def test_dictionaries_that_differ_are_levels_in_the_order_in_which_they_are_met(tmp_path):
    pa = pytest.importorskip("pyarrow")
    codes = np.arange(60)
    first = pa.DictionaryArray.from_arrays(codes % 2, ["b", "a"])
    folder_of(tmp_path, first, pa.DictionaryArray.from_arrays(codes % 3, ["a", "z", "b"]))
    same_as_pandas(tmp_path, pd.read_parquet(tmp_path))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        assert list(fp.fnr_parity(tmp_path, "y", "g", "p").Metric) == ["b", "a", "z"]


@pytest.mark.parametrize("index", ["int8", "uint8", "uint32", "int64"])
@pytest.mark.parametrize(
    ("entries", "levels"),
    [(["b", "A", "c"], ["b", "A", "c"]), (["b", None, "A"], ["b", "A"]), (["b", "A", "b"], ["b", "A"])],
    ids=["plain", "one missing", "one twice"],
)
def test_dictionaries_of_any_making(index, entries, levels, tmp_path):
    """Rows may have no code, or the code of an entry that is missing; an entry may be there twice."""
    pa = pytest.importorskip("pyarrow")
    dataset, feather = pytest.importorskip("pyarrow.dataset"), pytest.importorskip("pyarrow.feather")
    places = [None if row % 7 == 0 else row % 3 for row in range(60)]
    table = arrow_rows(pa.DictionaryArray.from_arrays(pa.array(places, index), pa.array(entries)))
    frame = table.select(["y", "p"]).to_pandas()
    frame["g"] = pd.Categorical([None if place is None else entries[place] for place in places], levels)
    feather.write_feather(table, tmp_path / "rows.feather")
    for data in (table, dataset.dataset(table), dataset.dataset(tmp_path / "rows.feather", format="feather")):
        same_as_pandas(data, frame)


def test_folders_named_by_values(tmp_path):
    pytest.importorskip("pyarrow")
    import pyarrow.parquet

    table = arrow_rows(texts("b", "A", "c")).append_column("site", [np.arange(60) % 2])
    table = table.append_column("a.b", table.column("g"))
    pyarrow.parquet.write_to_dataset(table, tmp_path, partition_cols=["site", "g"])
    frame = pd.read_parquet(tmp_path)
    for path in (tmp_path, str(tmp_path / "**" / "*.parquet")):
        for group in ("g", "site", ["g", "site"], "a.b"):
            same_as_pandas(path, frame, group)


@pytest.mark.parametrize("entries", [[[1], [2]], [{"a": 1}, {"a": 2}]], ids=["lists", "records"])
def test_a_dictionary_of_what_are_no_labels(entries):
    pa, dataset = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.dataset")
    table = arrow_rows(pa.DictionaryArray.from_arrays(pa.array([0, 1] * 10), pa.array(entries)))
    for data in (table, dataset.dataset(table)):
        with pytest.raises(TypeError, match="group must hold plain values such as texts or numbers, got values of"):
            fp.fnr_parity(data, "y", "g", "p")


def test_scores_in_runs():
    pa = pytest.importorskip("pyarrow")
    table = arrow_rows(pa.array(["a", "b"] * 10))
    runs = pa.RunEndEncodedArray.from_arrays([5, 20], [0.1, 0.8])
    frame = table.to_pandas().assign(p=[0.1] * 5 + [0.8] * 15)
    same_as_pandas(table.set_column(2, "p", runs), frame)


def test_records_are_no_labels(tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    periods = pa.array(pd.Series(pd.period_range("2020", periods=20, freq="D")))  # of a type of their own in Arrow
    for groups in (pa.array([{"a": 1}] * 20), periods):
        table = arrow_rows(groups)
        parquet.write_table(table, tmp_path / "rows.parquet")
        for data in (table, tmp_path / "rows.parquet"):
            with pytest.raises(TypeError, match="group must hold plain values such as texts or numbers"):
                fp.fnr_parity(data, "y", "g", "p")


# ------------------------------------------------------------------ columns that are odd, and data that change


@pytest.mark.parametrize("score", [1e10, -1e300, math.inf, -math.inf])
def test_scores_that_fit_in_no_bin(backend, score, rows, tmp_path):
    rows.loc[9, "p"] = score
    with pytest.raises(ValueError, match="probs must be probabilities between 0 and 1"):
        fp.fnr_parity(backends.convert(rows, backend, tmp_path), "y", "text", probs="p")


def test_a_categorical_of_texts_is_no_score(backend, rows, tmp_path):
    if backend == "csv":
        pytest.skip("a CSV file has no categoricals")
    rows["p"] = pd.Categorical(rows["p"].astype(str))
    with pytest.raises(TypeError, match="probs must be numbers"):
        fp.fnr_parity(backends.convert(rows, backend, tmp_path), "y", "text", probs="p")


def test_a_group_in_the_place_of_preds(backend, rows, tmp_path):
    label = rows["text"].dropna().iloc[0]
    arguments = {"outcome": "y", "group": "text", "probs": "p", "preds": label}
    said = outcome_of(fp.acc_parity, backends.convert(rows, backend, tmp_path), arguments)[3]
    assert any(f"preds are not. Did you mean base={label!r}?" in message for message in said)


@pytest.mark.filterwarnings("ignore")
def test_scores_that_are_missing_texts(backend, rows, tmp_path):
    rows["p"] = pd.Series([None] * len(rows), dtype="string")
    table = fp.fnr_parity(backends.convert(rows, backend, tmp_path), "y", "text", probs="p").Metric
    assert (table.loc["Group size"] == 0).all()


def test_a_categorical_of_numbers_is_not_binned(rows, tmp_path):
    rows["code"] = pd.Categorical(rows["code"])
    for kind in ("arrow_dataset", "arrow", "dask"):
        data = backends.convert(rows, kind, tmp_path) if not backends.missing(kind) else rows
        with pytest.warns(UserWarning, match="bin a non-numeric group"):
            assert fp.acc_parity(data, "y", "code", preds="preds", group_breaks=2).Metric.shape[1] == 6


def test_a_column_is_not_combined_with_itself(backend, rows, tmp_path):
    with pytest.raises(ValueError, match="group"):
        fp.acc_parity(backends.convert(rows, backend, tmp_path), "y", ["text", "text"], preds="preds")


def test_two_columns_of_one_name():
    pa = pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")
    table = pa.table([["a", "b"], ["c", "d"], [0, 1], [0.2, 0.4]], names=["g", "g", "y", "p"])
    dataset = pytest.importorskip("pyarrow.dataset").dataset(table)
    for data in (table, dataset, duckdb.sql("select 'a' g, 'b' g, 0 y, 0.5 p")):
        with pytest.raises(ValueError, match="'g' is ambiguous: data has 2 columns of that name"):
            fp.acc_parity(data, "y", "g", probs="p")


def test_columns_that_differ_in_capitals_only(rows):
    """Ibis has DuckDB find the first of them."""
    if backends.missing("ibis"):
        pytest.skip("ibis is not installed")
    twins = rows.rename(columns={"code": "TEXT"})
    data = backends.convert(twins, "ibis", None)
    same_as_pandas(data, twins, "age")
    for name in ("text", "TEXT"):
        with pytest.raises(ValueError, match=rf"group='{name}' is ambiguous: .* 'text', 'TEXT', which an Ibis table"):
            fp.acc_parity(data, "y", name, probs="p")


@pytest.mark.parametrize("name", ["*", "^t.*$", "^code$", "^", "a.*", "COLUMNS(*)", 'x"y'])
def test_names_that_are_patterns(name, backend, rows, tmp_path):
    """Such a name is a column or an error, and never another column."""
    named = rows.rename(columns={"code": name})
    data = backends.convert(named, backend, tmp_path)
    if (backend, name) in {("duckdb", "*"), *(("polars_lazy", pattern) for pattern in ("*", "^t.*$", "^code$"))}:
        with pytest.raises(ValueError, match=rf"group='{re.escape(name)}': .* reads this name as a pattern"):
            fp.acc_parity(data, "y", name, probs="p")
        return
    try:
        same_as_pandas(data, named, name)
    except RuntimeError as error:
        # older ones find no column of such a name, and say so
        is_old = backend == "duckdb" and int(importlib.metadata.version("duckdb").split(".")[0]) < 2
        if not is_old or "could not be computed" not in str(error):
            raise


def test_csv_that_is_not_utf_8(tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "rows.csv"
    path.write_bytes("g,y,p\né,1,0.5\nb,0,0.7\n".encode("latin-1"))
    with pytest.raises(OSError, match="column 'g' is not in UTF-8"):
        fp.acc_parity(path, "y", "g", probs="p")


def test_csv_has_the_missing_words_of_pandas(tmp_path):
    """The words that the documentation of `pandas.read_csv` lists, and some that look like them."""
    pytest.importorskip("pyarrow")
    missing = [" ", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>"]
    missing += ["N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"]
    words = [*missing, "none", "Null", "missing", "a", "b"]
    lines = [f"{word.strip()},{row % 2},0.{row}{row % 7}" for row, word in enumerate(words * 3)]
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["g,y,p", *lines]))
    same_as_pandas(path, pd.read_csv(path))
    with pytest.warns(UserWarning, match="57 of 72 rows were left out: group is missing in 57"):
        table = fp.acc_parity(path, "y", "g", probs="p").Metric
    assert set(table.columns) == {"none", "Null", "missing", "a", "b"}


def csv_of(path, groups, outcomes="01", scores=("0.1", "0.9", "0.4", "0.6", "0.3")):
    """Write a CSV file in which the values of each column take turns, three times through."""
    n = 3 * math.lcm(len(groups), len(outcomes), len(scores))
    lines = [f"{groups[i % len(groups)]},{outcomes[i % len(outcomes)]},{scores[i % len(scores)]}" for i in range(n)]
    path.write_text("\n".join(["g,y,p", *lines]), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "groups",
    [
        ["12:30", "12:30:00", "10:00"],
        ["2020-01-01", "2020-01-01 00:00:00", "2020-01-02"],
        ["2020-01-01T10:00:00Z", "2020-01-01T11:00:00+01:00"],
        ["true", "FALSE"],
        ["TRUE", "1", "0"],
        ["01", "1", "2"],
        ['"a,b"', '"a\nb"', '"a ""b"""'],
    ],
    ids=str,
)
def test_csv_has_the_labels_of_pandas(groups, tmp_path):
    pytest.importorskip("pyarrow")
    path = csv_of(tmp_path / "rows.csv", groups)
    same_as_pandas(path, pd.read_csv(path))


def test_csv_does_not_take_1_for_true(tmp_path):
    pytest.importorskip("pyarrow")
    path = csv_of(tmp_path / "rows.csv", "ab", outcomes=["TRUE", "0", "1", "FALSE"])
    with pytest.raises(ValueError, match="it has 4: '0', '1', 'FALSE', 'TRUE'"):
        fp.acc_parity(path, "y", "g", probs="p")


@pytest.mark.parametrize("start", ["1234567890123456789", "-922337203685477580"])
def test_csv_with_whole_numbers_of_more_than_64_bits(start, tmp_path):
    """As doubles, all but the first 15 digits would be lost, and with them which group is which."""
    pytest.importorskip("pyarrow")
    path = csv_of(tmp_path / "rows.csv", [start + "8", start + "9"])
    with pytest.raises(ValueError, match="column 'g' holds numbers of 19 digits or more"):
        fp.acc_parity(path, "y", "g", probs="p")


def test_csv_with_line_ends_in_quotes_where_a_block_ends(tmp_path):
    pytest.importorskip("pyarrow")
    long = "x\n" * 5000
    path = csv_of(tmp_path / "rows.csv", [f'"{long}{label}"' for label in range(80)])
    with pytest.warns(UserWarning, match="exceeds 10"):
        table = fp.acc_parity(path, "y", "g", probs="p").Metric
    assert list(table.columns) == sorted(f"{long}{label}" for label in range(80))
    assert set(table.loc["Group size"]) == {3}


def test_csv_with_a_heading_that_is_not_utf_8(tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "rows.csv"
    path.write_bytes("gé,y,p\na,1,0.5\nb,0,0.7\n".encode("latin-1"))
    with pytest.raises(OSError, match=r"rows\.csv.* could not be read"):
        fp.acc_parity(path, "y", "g", probs="p")


@pytest.mark.parametrize("pattern", ["", "*", "**", "**/*.csv", "**/**/*.csv", "site=*", "site=*/*.csv"])
def test_each_file_is_read_once(pattern, tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "site=3" / "below").mkdir(parents=True)
    (tmp_path / "_SUCCESS").write_text("")
    frame = pd.read_csv(csv_of(tmp_path / "site=3" / "rows.csv", "ab"))
    if pattern != "site=*/*.csv":
        (tmp_path / "site=3" / "rows.csv").rename(tmp_path / "site=3" / "below" / "rows.csv")
    for group in ("g", "site"):
        same_as_pandas(tmp_path / pattern, frame.assign(site=3), group)


def test_links_are_followed_and_lead_to_each_file_once(monkeypatch, tmp_path):
    pytest.importorskip("pyarrow")
    for folder in ("data/below", "links", "far/deep"):
        (tmp_path / folder).mkdir(parents=True)
    one = pd.read_csv(csv_of(tmp_path / "data" / "one.csv", "ab"))
    two = pd.read_csv(csv_of(tmp_path / "data" / "below" / "two.csv", "bc"))
    csv_of(tmp_path / "other.csv", "xyz")
    far = pd.read_csv(csv_of(tmp_path / "far" / "other.csv", "pq"))
    try:
        (tmp_path / "links" / "one.csv").symlink_to(tmp_path / "data" / "one.csv")
        (tmp_path / "links" / "below").symlink_to(tmp_path / "data" / "below")
        for name in ("round", "and round"):
            (tmp_path / "data" / name).symlink_to(tmp_path / "data")
        (tmp_path / "deep").symlink_to(tmp_path / "far" / "deep")
    except OSError:
        pytest.skip("this system makes no links")
    monkeypatch.chdir(tmp_path)
    both = pd.concat([one, two], ignore_index=True)
    for path in ("links", "links/", "./links/**/*.csv", "data", "links/../data/*"):
        same_as_pandas(path, both)
    same_as_pandas("deep/../*.csv", far)


def test_files_of_several_formats(tmp_path):
    pytest.importorskip("pyarrow")
    csv_of(tmp_path / "rows.csv", "ab")
    (tmp_path / "rows.tsv").write_text("g\ty\tp\na\t1\t0.5\n")
    with pytest.raises(ValueError, match=r"files of one format, got '.*rows\.csv' and '.*rows\.tsv'"):
        fp.acc_parity(tmp_path, "y", "g", probs="p")


def test_text_in_one_file_and_categories_in_others(tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.read_csv(csv_of(tmp_path / "rows.csv", "ab"))
    (tmp_path / "rows.csv").unlink()
    kinds = [
        frame["g"].astype(str),
        frame["g"].astype("category"),
        pd.Categorical(frame["g"], ["b", "a"], ordered=True),
    ]
    for number, kind in enumerate(kinds):
        frame.assign(g=kind).to_parquet(tmp_path / f"{number}.parquet")
    same_as_pandas(tmp_path, pd.concat([frame] * 3, ignore_index=True))


def test_columns_whose_types_do_not_go_together(tmp_path):
    """They keep the rest of the columns from nothing, and are named when they are asked for."""
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    scores = [0.5, 0.50000001, 0.2] * 20
    table = pa.table({"g": ["a", "b"] * 30, "y": [0, 1] * 30, "p": scores})
    narrow = table.set_column(2, "p", table["p"].cast("float32")).append_column("x", pa.array([1, 2] * 30))
    wide = table.append_column("x", pa.array(["a", "b"] * 30)).append_column("late", pa.array(["a", "b"] * 30))
    parquet.write_table(narrow, tmp_path / "1.parquet")
    parquet.write_table(wide, tmp_path / "2.parquet")
    frame = pd.concat([narrow.to_pandas(), wide.to_pandas()], ignore_index=True)
    same_as_pandas(tmp_path, frame)
    same_as_pandas(tmp_path, frame, "late")
    with pytest.raises(TypeError, match=r"group: column 'x' has other types in other files of .*, int64 and string"):
        fp.acc_parity(tmp_path, "y", "x", probs="p")


@pytest.mark.parametrize("kind", ["string", "bool", "null", "int64", "double"])
@pytest.mark.parametrize("breaks", [3, [0, 1, 2]])
def test_a_group_that_is_missing_everywhere(kind, breaks, tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pa.table({"g": pa.nulls(9, kind), "y": [0, 1, 0] * 3, "p": [0.5] * 9})
    parquet.write_table(table, tmp_path / "rows.parquet")
    asked = {"outcome": "y", "group": "g", "probs": "p", "group_breaks": breaks}
    found = []
    for data in (tmp_path / "rows.parquet", table):
        try:
            found.append(repr(outcome_of(fp.acc_parity, data, asked)))
        except ValueError as error:
            found.append(str(error))
    assert found[0] == found[1]


def test_a_path_below_the_home_folder(rows, monkeypatch, tmp_path):
    pytest.importorskip("pyarrow")
    path = backends.convert(rows, "parquet", tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    same_as_pandas("~/" + str(Path(path).relative_to(tmp_path)), rows, "text")


def test_whole_numbers_of_128_bits():
    """Arrow has none: they are Python's, in their order, as in a pandas frame."""
    polars = pytest.importorskip("polars")
    pytest.importorskip("narwhals")
    for groups in ([10, 9, -3, None, 2**100], [2**53 + 1, 2**53, 7, None, 7]):
        frame = pd.DataFrame({"g": pd.Series(groups * 5, dtype=object), "y": [0, 1, 1, 0, 1] * 5, "p": 0.3})
        wide = polars.DataFrame({"g": groups * 5}, schema={"g": polars.Int128})
        data = polars.from_pandas(frame[["y", "p"]]).with_columns(wide["g"])
        for options in ({}, {"group_breaks": 3}):
            want = outcome_of(fp.acc_parity, frame, {"outcome": "y", "group": "g", "probs": "p"} | options)
            for kind in (data, data.lazy()):
                got = outcome_of(fp.acc_parity, kind, {"outcome": "y", "group": "g", "probs": "p"} | options)
                pd.testing.assert_frame_equal(got[0], want[0])
                assert list(map(repr, got[0].columns)) == list(map(repr, want[0].columns))
                assert got[3] == want[3]


def test_a_polars_panic_is_an_error():
    """It is no Exception, and so would escape what handles errors."""
    polars = pytest.importorskip("polars")
    pytest.importorskip("narwhals")

    def panics(_):
        raise polars.exceptions.PanicException("in the engine")

    data = polars.LazyFrame({"g": ["a"], "y": [1], "p": [0.5]}).map_batches(panics)
    with pytest.raises(RuntimeError, match="a Polars LazyFrame could not be computed: PanicException: in the engine"):
        fp.acc_parity(data, "y", "g", probs="p")


@pytest.mark.parametrize("backend", ["duckdb", "ibis", "polars_lazy"], indirect=True)
def test_a_thousand_breaks(backend, tmp_path):
    """As many comparisons in a row are more than engines nest."""
    generator = np.random.default_rng(3)
    group = np.append(generator.integers(-5, 1010, 3000), [0, 1000]) / 1000
    frame = pd.DataFrame({"g": group, "y": generator.integers(0, 2, 3002), "p": generator.random(3002).round(2)})
    frame.loc[7, "g"] = math.nan
    arguments = {"outcome": "y", "group": "g", "probs": "p", "group_breaks": (np.arange(1001) / 1000).tolist()}
    want = outcome_of(fp.acc_parity, frame, arguments)
    got = outcome_of(fp.acc_parity, backends.convert(frame, backend, tmp_path), arguments)
    pd.testing.assert_frame_equal(got[0], want[0], rtol=1e-13)
    assert got[3] == want[3]


@pytest.mark.parametrize("breaks", [3, [0, 1, 2]])
@pytest.mark.parametrize("kind", ["Float64", "Int8", "Int128", "Decimal", "String", "Null", "Date"])
def test_breaks_of_a_group_without_values(kind, breaks):
    """Their type tells whether there is something to cut, as in memory."""
    polars = pytest.importorskip("polars")
    pytest.importorskip("narwhals")
    types = {"g": getattr(polars, kind), "y": polars.Int64, "p": polars.Float64}
    data = polars.LazyFrame({"g": [None] * 9, "y": [0, 1, 0] * 3, "p": [0.5] * 9}, schema=types)

    def said_of(data):
        said = []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                said.append(fp.acc_parity(data, "y", "g", "p", group_breaks=breaks).Metric.to_string())
            except ValueError as error:
                said.append(str(error))
        return said + [str(warning.message) for warning in caught]

    said = said_of(data)
    assert said == said_of(data.collect())
    if kind in ("Float64", "String"):
        assert said == said_of(data.collect().to_pandas())


@pytest.mark.filterwarnings("ignore")
def test_rows_that_change_and_stay_as_many(rows, tmp_path):
    pytest.importorskip("pyarrow")
    path = backends.convert(rows, "parquet", tmp_path)
    asked = {"outcome": "y", "group": "text", "probs": "p"}
    counts = fp.count_outcomes(path, **asked)
    fp.roc_parity(counts, **asked)
    for changed in (rows.assign(text="b"), rows.assign(y=1 - rows["y"]), rows.assign(p=rows["p"].fillna(0))):
        counts = fp.count_outcomes(backends.convert(rows, "parquet", tmp_path), **asked)
        backends.convert(changed, "parquet", tmp_path)
        for function in (fp.roc_parity, fp.calibration_within_groups):
            with pytest.raises((RuntimeError, OSError), match=r"changed|could not be read"):
                function(counts, **asked)


def test_a_histogram_that_leaves_the_direction_open(backend, rows, tmp_path, monkeypatch, recwarn):
    if backend in backends.IN_MEMORY:
        pytest.skip("rows in memory are ranked")
    monkeypatch.setattr(_scores, "EXACT", 0)
    monkeypatch.setattr(_scores, "FINE", 1)
    fp.acc_parity(backends.convert(rows, backend, tmp_path), "y", "text", probs="p")
    assert not [one for one in recwarn if "rank 0 higher" in str(one.message)]
