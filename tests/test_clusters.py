"""Real engines with workers of their own: a Dask cluster that loses a worker, and Spark."""

from __future__ import annotations

import os
import signal
import time
import warnings

import numpy as np
import pandas as pd
import pytest

import fairness_py as fp
from fairness_py import _scores


@pytest.fixture(scope="module")
def rows():
    generator = np.random.default_rng(11)
    n = 20_000
    y = generator.integers(0, 2, n)
    frame = pd.DataFrame(
        {
            "g": generator.choice(["b", "A", "c"], n).astype(object),
            "age": generator.integers(18, 70, n).astype(float),
            "y": y,
            "p": np.clip(generator.normal(0.45 + 0.1 * y, 0.2, n), 0, 1),
            "preds": generator.integers(0, 2, n),
        }
    )
    frame.loc[::1000, "p"] = np.nan
    frame.loc[1::1000, "g"] = None
    return frame


CALLS = [
    (fp.fnr_parity, {"outcome": "y", "group": "g", "probs": "p", "base": "b"}),
    (fp.acc_parity, {"outcome": "y", "group": "age", "group_breaks": 4, "preds": "preds"}),
    (fp.roc_parity, {"outcome": "y", "group": "g", "probs": "p"}),
    (fp.calibration_within_groups, {"outcome": "y", "group": "g", "probs": "p", "bins": 7}),
]


def compare(data, rows):
    for function, arguments in CALLS:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            want = function(rows, **arguments)
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            got = function(data, **arguments)
        pd.testing.assert_frame_equal(got.Metric, want.Metric, rtol=1e-12, check_column_type=False)
        ours = [str(one.message) for one in heard if one.category is UserWarning and "rows were" in str(one.message)]
        assert ours == [str(one.message) for one in said]
        for one, other in zip(got.densities, want.densities, strict=True):
            np.testing.assert_allclose(one.density, other.density, atol=1e-12)


# ------------------------------------------------------------------ Dask


@pytest.fixture
def cluster():
    distributed = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        )
        client = distributed.Client(made)
        yield client, made
        client.close(timeout=5)
        made.close(timeout=10)


@pytest.mark.filterwarnings("ignore")
def test_two_dask_workers(cluster, rows):
    dd = pytest.importorskip("dask.dataframe")
    compare(dd.from_pandas(rows, npartitions=7), rows)


def slow(part, marker):
    with open(marker, "a") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(0.3)
    return part


@pytest.mark.filterwarnings("ignore")
def test_a_dask_worker_that_is_killed_on_the_way(cluster, rows, tmp_path):
    import threading

    dd = pytest.importorskip("dask.dataframe")
    marker = tmp_path / "started"
    data = dd.from_pandas(rows, npartitions=12).map_partitions(slow, str(marker), meta=rows.iloc[:0])
    killed = []

    def kill():
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if marker.exists() and len(marker.read_text().split()) >= 3:  # both have begun
                killed.append(int(marker.read_text().split()[0]))
                os.kill(killed[0], signal.SIGKILL)
                return
            time.sleep(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = fp.acc_parity(data, "y", "g", preds="preds")
        want = fp.acc_parity(rows, "y", "g", preds="preds")
    killer.join()
    assert len(killed) == 1
    assert len(set(marker.read_text().split())) >= 2  # the other, or a new one, did the rest
    pd.testing.assert_frame_equal(got.Metric, want.Metric)


@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_that_is_gone(rows):
    distributed = pytest.importorskip("distributed")
    dd = pytest.importorskip("dask.dataframe")
    made = distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None, silence_logs=50)
    client = distributed.Client(made)
    data = dd.from_pandas(rows, npartitions=2).persist()
    distributed.wait(data)
    made.close(timeout=10)
    try:
        started = time.monotonic()
        with pytest.raises(RuntimeError, match="a Dask DataFrame could not be computed"):
            fp.acc_parity(data, "y", "g", preds="preds")
        assert time.monotonic() - started < 100  # it ends
    finally:
        client.close(timeout=5)


# ------------------------------------------------------------------ Spark


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql")
    pytest.importorskip("narwhals")
    import shutil

    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Java is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = (
            sql.SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.log.level", "ERROR")
            .getOrCreate()
        )
    yield session
    session.stop()


@pytest.fixture(scope="module")
def spark_rows(spark, rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("spark") / "rows.parquet"
    rows.to_parquet(path, index=False)
    return spark.read.parquet(str(path))


@pytest.mark.filterwarnings("ignore")
def test_spark(spark_rows, rows):
    compare(spark_rows, rows)


@pytest.mark.filterwarnings("ignore")
def test_bounds_from_spark(spark_rows, rows, monkeypatch):
    monkeypatch.setattr(_scores, "EXACT", 0)
    monkeypatch.setattr(_scores, "FINE", 64)
    exact = fp.roc_parity(rows, "y", "g", "p").Metric.loc["ROC AUC"]
    table = fp.roc_parity(spark_rows, "y", "g", "p").Metric
    for group, (low, high) in table.attrs["auc_bounds"].items():
        assert low < exact[group] < high


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("arguments", "error", "pattern"),
    [
        ({"outcome": "y", "group": "G", "probs": "p"}, ValueError, "group must name a column.*'g'"),
        ({"outcome": "y", "group": "g", "probs": "g"}, TypeError, "probs must be numbers"),
        ({"outcome": "y", "group": "g", "probs": "age"}, ValueError, "between 0 and 1"),
    ],
)
def test_errors_from_spark(spark_rows, arguments, error, pattern):
    with pytest.raises(error, match=pattern):
        fp.fnr_parity(spark_rows, **arguments)


@pytest.mark.filterwarnings("ignore")
def test_a_file_that_vanished_from_spark(spark, rows, tmp_path):
    path = tmp_path / "rows.parquet"
    rows.to_parquet(path, index=False)
    data = spark.read.parquet(str(path))
    path.unlink()
    with pytest.raises(RuntimeError, match="a Spark DataFrame could not be computed"):
        fp.acc_parity(data, "y", "g", preds="preds")


@pytest.mark.filterwarnings("ignore")
def test_names_that_spark_reads_otherwise(spark, rows):
    values = rows[["g", "y", "p", "preds"]].dropna()[:200]
    data = spark.createDataFrame(values.to_numpy().tolist(), ["a.b", "y", "p`", "Y"])
    want = fp.roc_parity(values, "y", "g", "p").Metric
    pd.testing.assert_frame_equal(fp.roc_parity(data, "y", "a.b", "p`").Metric, want, rtol=1e-12)
