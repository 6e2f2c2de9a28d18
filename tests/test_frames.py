"""Any kind of frame gives the table, the warnings and the errors of a pandas frame, and of R."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import warnings

import backends
import numpy as np
import pandas as pd
import pytest

import fairness_py as fp
from fairness_py import _scores

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


STRIDE = {"dask": 12, "ibis": 12, "parquet": 3, "parquet_glob": 12, "csv": 12}


def test_tables_are_those_of_r(backend, golden_dir, tmp_path):
    compared, wrong = 0, []
    for case, frame, call in list(golden_cases(golden_dir))[:: STRIDE.get(backend, 2)]:
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
    with pytest.raises(FileNotFoundError, match=r"no_such_\*\.csv"):
        fp.fnr_parity("no_such_*.csv", "y", "g", "p")


def test_another_kind_of_file(tmp_path):
    (tmp_path / "rows.xlsx").write_text("no table")
    with pytest.raises(ValueError, match=r"\.parquet, \.csv or \.tsv"):
        fp.fnr_parity(tmp_path / "rows.xlsx", "y", "g", "p")


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
