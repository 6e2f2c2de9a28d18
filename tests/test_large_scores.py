"""Calibration and areas of scores that stay in an engine: counted by bin where there are too many of them."""

from __future__ import annotations

import itertools
import math
import warnings

import backends
import numpy as np
import pandas as pd
import pytest
from helpers import messages_of, quietly

import fairness_py as fp
from fairness_py import _delong, _ranks, _scores
from fairness_py._blocks import FINE

BACKENDS = ["arrow_dataset", "dask", "duckdb", "polars_lazy"]
CALIBRATION = ["Calibration", "Histogram", "Intervals"]


@pytest.fixture(params=BACKENDS)
def backend(request):
    lacks = backends.missing(request.param)
    if lacks:
        pytest.skip(f"{lacks} is not installed")
    return request.param


@pytest.fixture
def many(monkeypatch):
    """Let all data be too many rows to be counted score by score."""
    monkeypatch.setattr(_scores, "EXACT", 0)


def people(n=3000, *, decimals=None, close=False, seed=11):
    """Return rows with missing values, scores of 0 and 1 unless they are to be close, and a group without rows."""
    generator = np.random.default_rng(seed)
    score = np.clip(generator.normal(0.45, 0.25, n), 0, 1)
    frame = pd.DataFrame(
        {
            "text": generator.choice(["b", "A", "c", "_"], n, p=[0.5, 0.3, 0.19, 0.01]).astype(object),
            "level": pd.Categorical(generator.choice(["m", "f"], n), categories=["f", "nobody", "m"]),
            "age": generator.integers(18, 70, n).astype(float),
            "y": np.where(generator.random(n) < score**1.3, "yes", "no").astype(object),
            "p": 0.4 + score / 50 if close else score if decimals is None else score.round(decimals),
        }
    )
    frame.loc[[3, 5], "p"] = math.nan
    frame.loc[[4, 5], "age"] = math.nan
    frame.loc[[7, 11], "text"] = None
    frame.loc[[9, 11], "y"] = None
    return frame


def calibrate(data, group="text", **options):
    return fp.calibration_within_groups(data, "y", group, "p", **options)


def assert_same_tables(one, other, *, rtol=1e-11):
    for key in ["Metric", *CALIBRATION]:
        pd.testing.assert_frame_equal(one[key], other[key], rtol=rtol, atol=1e-12, check_column_type=False)


# ------------------------------------------------------------------ calibration


@pytest.mark.parametrize(
    ("group", "options"),
    [
        ("text", {"strategy": "uniform"}),
        ("text", {"strategy": "uniform", "bins": 1, "base": "c"}),
        ("text", {"strategy": "uniform", "bins": 137, "conf_level": 0.8}),
        (["text", "age"], {"strategy": "uniform", "bins": 3}),
        ("age", {"strategy": "uniform", "group_breaks": [20, 40, 50]}),
    ],
)
def test_uniform_bins_are_those_of_pandas(backend, many, group, options, tmp_path):
    rows = people(600 if isinstance(group, list) else 3000)
    data = backends.convert(rows, backend, tmp_path)
    said = messages_of(calibrate, rows, group, **options)
    assert messages_of(calibrate, data, group, **options) == said
    assert len(said) > 0
    got = quietly(calibrate, data, group, **options)
    assert_same_tables(got, quietly(calibrate, rows, group, **options))
    assert got.Metric.attrs == {}


@pytest.mark.parametrize(("group", "bins"), [("text", 10), ("level", 4), ("text", 50)])
@pytest.mark.parametrize("backend", [*BACKENDS, "ibis"], indirect=True)
def test_quantiles_of_few_scores_are_those_of_pandas(backend, many, group, bins, tmp_path):
    if group == "level" and backend in backends.WITHOUT_LEVELS:
        pytest.skip("this kind of frame has no levels")
    rows = people(decimals=2)
    got = quietly(calibrate, backends.convert(rows, backend, tmp_path), group, bins=bins)
    want = quietly(calibrate, rows, group, bins=bins)
    for end in ("From", "To"):
        assert got["Calibration"][end].tolist() == want["Calibration"][end].tolist()
    assert_same_tables(got, want)
    assert "note" not in got.Metric.attrs
    assert "note" not in got["Calibration"].attrs


def test_quantiles_score_by_score_are_those_of_pandas(backend, tmp_path):
    rows = people()
    got = quietly(calibrate, backends.convert(rows, backend, tmp_path), bins=7)
    want = quietly(calibrate, rows, bins=7)
    assert got["Calibration"]["To"].tolist() == want["Calibration"]["To"].tolist()
    assert_same_tables(got, want)
    assert "note" not in got.Metric.attrs


def test_quantiles_of_many_scores_end_within_their_bin(backend, many, tmp_path):
    rows = people(close=True)
    got = quietly(calibrate, backends.convert(rows, backend, tmp_path))
    want = quietly(calibrate, rows)["Calibration"]
    curves = got["Calibration"]
    assert "quantiles of the probabilities to within 1/65,536" in curves.attrs["note"]
    assert got.Metric.attrs["note"] == curves.attrs["note"]
    assert len(curves) == len(want)
    distance = (curves[["From", "To"]] - want[["From", "To"]]).abs()
    assert 0 < distance.max().max() < 1 / FINE
    assert curves["From"].min() == want["From"].min()
    assert curves["To"].max() == want["To"].max()


def test_for_the_ends_shown_all_numbers_are_exact(backend, many, tmp_path):
    rows = people(800)
    got = quietly(calibrate, backends.convert(rows, backend, tmp_path), base="b")
    known = rows.dropna(subset=["text", "y", "p"])
    curves = got["Calibration"]
    for _, one in curves.iterrows():
        first = one["Bin"] == 1
        n, hits, total = 0, 0, 0.0
        for text, y, p in zip(known["text"], known["y"], known["p"], strict=True):
            if text == one["Group"] and (one["From"] < p or (first and p == one["From"])) and p <= one["To"]:
                n, hits, total = n + 1, hits + (y == "yes"), total + p
        assert one["n"] == n
        np.testing.assert_allclose(one["Mean score"], total / n if n else math.nan, rtol=1e-12)
        np.testing.assert_allclose(one["Observed rate"], hits / n if n else math.nan, rtol=1e-12)
    for text, column in got.Metric.items():
        mine = known[known["text"] == text]
        error = (mine["y"] == "yes") - mine["p"]
        bins = curves[(curves["Group"] == text) & (curves["n"] > 0)]
        gaps = (bins["Observed rate"] - bins["Mean score"]).abs()
        assert column["Group size"] == len(mine)
        np.testing.assert_allclose(column["Calibration-in-the-large"], error.mean(), rtol=1e-11)
        np.testing.assert_allclose(column["Brier score"], (error**2).mean(), rtol=1e-12)
        np.testing.assert_allclose(
            column["Expected calibration error"], np.average(gaps, weights=bins["n"]), rtol=1e-11
        )
        np.testing.assert_allclose(column["Largest bin error"], gaps.max(), rtol=1e-11)


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
@pytest.mark.parametrize("score", [0.0, 0.3, 1.0])
def test_all_scores_equal(backend, many, strategy, score, tmp_path):
    rows = people(50).assign(p=score)
    got = quietly(calibrate, backends.convert(rows, backend, tmp_path), strategy=strategy)
    assert_same_tables(got, quietly(calibrate, rows, strategy=strategy))


@pytest.mark.parametrize("backend", [*BACKENDS, "ibis"], indirect=True)
def test_scores_on_the_ends(backend, many, tmp_path):
    ends = np.linspace(0, 1, 8)
    beside = [np.nextafter(ends, -1)[1:], ends, np.nextafter(ends, 2)[:-1]]
    twentieths = np.arange(21) / 20
    p = np.concatenate([*beside, twentieths, np.nextafter(twentieths, -1)[1:], np.nextafter(twentieths, 2)[:-1]])
    rows = pd.DataFrame({"text": "a", "y": np.where(np.arange(len(p)) % 2 == 1, "yes", "no").astype(object), "p": p})
    got = quietly(calibrate, backends.convert(rows, backend, tmp_path), bins=7, strategy="uniform")
    assert_same_tables(got, quietly(calibrate, rows, bins=7, strategy="uniform"))
    # 7 ends from 1/7 on, each closed on the right; the twentieths are closed on the left
    inside = [sum(low < value <= high for value in p) for low, high in itertools.pairwise(ends)]
    inside[0] += int(sum(p == 0))
    assert got["Calibration"]["n"].tolist() == inside
    twentieth = [max(place for place in range(20) if place / 20 <= value) for value in p]
    assert got["Histogram"]["a"].tolist() == np.bincount(twentieth, minlength=20).tolist()


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
@pytest.mark.parametrize("missing", ["p", "y", "text"])
def test_no_row_counts(backend, strategy, missing, tmp_path):
    rows = people(40)
    rows.loc[rows[["p", "y", "text"]].notna().all(axis=1), missing] = {"p": math.nan}.get(missing)
    rows.loc[0, ["p", "y", "text"]] = [0.5, "yes", None]
    rows.loc[1, ["p", "y", "text"]] = [math.nan, "no", "b"]
    data = backends.convert(rows, backend, tmp_path)
    got, want = quietly(calibrate, data, strategy=strategy), quietly(calibrate, rows, strategy=strategy)
    assert want.Metric.loc["Group size"].sum() == 0
    assert_same_tables(got, want)


def test_counts_stand_for_the_data(backend, many, tmp_path):
    rows = people()
    data = backends.convert(rows, backend, tmp_path)
    counts = quietly(fp.count_outcomes, data, "y", "text", "p")
    assert_same_tables(quietly(calibrate, counts), quietly(calibrate, data))
    for function in (fp.calibration_within_groups, fp.fnr_parity, fp.roc_parity, fp.prop_parity):
        got, want = (quietly(function, one, "y", "text", "p").densities for one in (counts, rows))
        assert [one.n for one in got] == [one.n for one in want]
        for one, other in zip(got, want, strict=True):
            np.testing.assert_allclose(one.density, other.density, atol=2e-4)


def test_data_that_changed_are_noticed(many):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.register("rows", people(100))
        connection.execute("create table copied as select * from rows")
        counts = quietly(fp.count_outcomes, connection.table("copied"), "y", "text", "p")
        connection.execute("insert into copied select * from rows limit 1")
        for call in (calibrate, lambda data: fp.roc_parity(data, "y", "text", "p")):
            with pytest.raises(RuntimeError, match="data were changed"):
                quietly(call, counts)


def rows_that_change(kind, folder, before, after):
    """Return data of an engine, and what changes them."""
    if kind == "duckdb":
        duckdb = pytest.importorskip("duckdb")
        connection = duckdb.connect()
        connection.register("before", before)
        connection.register("after", after)
        connection.execute("create table copied as select * from before")
        change = "delete from copied; insert into copied select * from after"
        return connection.table("copied"), lambda: connection.execute(change)
    path = folder / "rows.csv"
    before.to_csv(path, index=False)
    data = pytest.importorskip("dask.dataframe").read_csv(path) if kind == "dask" else path
    return data, lambda: after.to_csv(path, index=False)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("kind", ["csv", "dask", "duckdb"])
def test_scores_that_changed_are_noticed(kind, exact, monkeypatch, tmp_path):
    """The rows are as many by group and outcome, and as many have a score."""
    monkeypatch.setattr(_scores, "EXACT", 10**6 if exact else 0)
    pytest.importorskip("pyarrow")
    rows = people(300).drop(columns=["level", "age"])
    one_score = rows.copy()
    one_score.loc[20, "p"] = (rows.loc[20, "p"] + 1 / 32) % 1
    calls = [
        (one_score, lambda data: fp.roc_parity(data, "y", "text", "p", direction="<")),
        (one_score, calibrate),
        (one_score, lambda data: fp.acc_parity(data, "y", "text", "p").densities),
        (rows.assign(p=1 - rows["p"]), lambda data: calibrate(data, strategy="uniform")),
    ]
    for after, call in calls:
        data, change = rows_that_change(kind, tmp_path, rows, after)
        quietly(call, quietly(fp.count_outcomes, data, "y", "text", "p"))
        counts = quietly(fp.count_outcomes, data, "y", "text", "p")
        change()
        with pytest.raises(RuntimeError, match="data were changed"):
            quietly(call, counts)


def test_scores_that_changed_are_noticed_before_a_warning(tmp_path):
    pytest.importorskip("pyarrow")
    rows = people(300).drop(columns=["level", "age"])
    rows["p"] = 1 - rows["p"]
    data, change = rows_that_change("csv", tmp_path, rows, rows.assign(p=1 - rows["p"]))
    counts = quietly(fp.count_outcomes, data, "y", "text", "p")
    change()
    with pytest.raises(RuntimeError, match="data were changed"):
        quietly(fp.acc_parity, counts, "y", "text", "p")


# ------------------------------------------------------------------ areas


@pytest.mark.parametrize("seed", range(20))
def test_the_variance_of_counts_is_that_of_rows(seed):
    generator = np.random.default_rng(seed)
    positives, negatives = (np.sort(generator.integers(0, 9, generator.integers(1, 40))) / 8 for _ in range(2))
    scores = np.arange(9) / 8
    counts = [np.array([(part == score).sum() for score in scores], dtype=float) for part in (positives, negatives)]
    got = _delong.delong_of_counts(*counts, np.full(9, 0.5), np.zeros(9, dtype=bool))
    area, variance = _delong.delong(positives, negatives)
    np.testing.assert_allclose(got, [area, variance, variance], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("seed", range(20))
def test_no_order_within_the_bins_has_a_larger_variance(seed):
    generator = np.random.default_rng(seed)
    n_positive, n_negative = generator.integers(2, 30, 2)
    in_bin = [np.sort(generator.integers(0, 4, n)) for n in (n_positive, n_negative)]
    counts = [np.bincount(part, minlength=4).astype(float) for part in in_bin]
    area, _, largest = _delong.delong_of_counts(*counts, np.full(4, 0.5), np.ones(4, dtype=bool))
    for _ in range(50):
        scores = [np.sort(part + generator.beta(*generator.choice([0.2, 1, 5], 2), len(part)) / 2) for part in in_bin]
        exact_area, variance = _delong.delong(*scores)
        assert variance <= largest * (1 + 1e-12)
        assert abs(exact_area - area) <= counts[0] @ counts[1] / 2 / (n_positive * n_negative) + 1e-12


def test_intervals_of_few_scores_are_those_of_pandas(backend, many, tmp_path):
    rows = people(decimals=2)
    arguments = {"outcome": "y", "group": "text", "probs": "p", "conf_level": 0.9}
    got = quietly(fp.roc_parity, backends.convert(rows, backend, tmp_path), **arguments)
    want = quietly(fp.roc_parity, rows, **arguments)
    pd.testing.assert_frame_equal(got["Intervals"], want["Intervals"], rtol=1e-11, check_column_type=False)
    assert "note" not in got["Intervals"].attrs


@pytest.mark.parametrize("bins", [16, 256, FINE])
@pytest.mark.parametrize("seed", range(4))
def test_intervals_hold_those_of_all_rows(bins, seed, many, monkeypatch):
    pytest.importorskip("polars")
    pytest.importorskip("narwhals")
    monkeypatch.setattr(_scores, "FINE", bins)
    rows = people(20_000 if bins == FINE else 3000, seed=seed)
    arguments = {"outcome": "y", "group": "text", "probs": "p", "conf_level": 0.95, "base": "b"}
    got = quietly(fp.roc_parity, backends.convert(rows, "polars_lazy", None), **arguments)["Intervals"]
    want = quietly(fp.roc_parity, rows, **arguments)["Intervals"]
    assert "histogram" in got.attrs["note"]
    lower, upper = (got.index[got.index.str.endswith(f" {side}")] for side in ("lower", "upper"))
    compared = want.loc[lower].notna()
    assert compared.sum().sum() == 7  # the base has no comparison
    assert (got.loc[lower] <= want.loc[lower])[compared].all(axis=None)
    assert (got.loc[upper] >= want.loc[upper])[compared].all(axis=None)
    if bins == FINE:
        np.testing.assert_allclose(got.loc[:"ROC AUC Parity upper"], want.loc[:"ROC AUC Parity upper"], atol=1e-4)
        np.testing.assert_allclose(got.loc["p-value"], want.loc["p-value"], atol=1e-3)


@pytest.mark.parametrize(("shift", "in_doubt"), [(0.0, True), (-0.01, True), (0.3, False), (-0.3, False)])
def test_a_direction_in_doubt_is_said(backend, shift, in_doubt, many, monkeypatch, tmp_path):
    monkeypatch.setattr(_scores, "FINE", 8)
    generator = np.random.default_rng(2)
    y = np.arange(400) % 2
    p = generator.uniform(0.3, 0.5, 400) + shift * y * (np.arange(400) < 200)
    p[200:] += 0.3 * y[200:]
    rows = pd.DataFrame({"g": np.repeat(["a", "b"], 200), "y": y, "p": p})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        table = fp.roc_parity(backends.convert(rows, backend, tmp_path), "y", "g", "p").Metric
    said = [str(one.message) for one in caught if "in doubt" in str(one.message)]
    assert [message.split(" is in doubt")[0] for message in said] == ["The direction of 'a'"] * in_doubt
    assert table.attrs.get("direction_in_doubt") == (["a"] if in_doubt else None)
    exact = quietly(fp.roc_parity, rows, "y", "g", "p").Metric.loc["ROC AUC"]
    for group, (low, high) in table.attrs.get("auc_bounds", {}).items():
        assert low <= exact[group] <= high
    if in_doubt:  # whichever way the scores point
        low, high = table.attrs["auc_bounds"]["a"]
        assert low <= 1 - exact["a"] <= high


@pytest.mark.parametrize("low_high", [(0.4996, 0.4999), (0.4961, 0.4968), (0.42, 0.499)])
def test_an_area_that_rounds_to_one_half_is_below_it(low_high):
    [message] = messages_of(_ranks.warn_of_reversal, *low_high, [0, 1])
    assert "(AUC over all rows just below 0.5)" in message


def test_an_area_is_shown_as_far_as_it_is_known():
    for low_high, shown in {(0.4961, 0.4962): "0.496", (0.411, 0.414): "0.41", (0.31, 0.33): "0.3"}.items():
        [message] = messages_of(_ranks.warn_of_reversal, *low_high, [0, 1])
        assert f"(AUC over all rows {shown})" in message


def test_many_groups_have_fewer_bins(monkeypatch):
    """As many groups as make an answer in 65,536 bins too large."""
    duckdb = pytest.importorskip("duckdb")
    generator = np.random.default_rng(4)
    rows = pd.DataFrame({"g": generator.integers(0, 60, 30_000), "y": generator.integers(0, 2, 30_000)})
    rows["p"] = generator.random(30_000) * (1 - 0.3 * rows["y"])  # so that the first level is ranked higher
    exact = quietly(fp.roc_parity, rows, "y", "g", "p", direction="<").Metric.loc["ROC AUC"]
    monkeypatch.setattr(_scores, "EXACT", 0)
    monkeypatch.setattr(_scores, "MOST_CELLS", 60 * 3 * 300)
    data = duckdb.from_df(rows)
    said = messages_of(fp.fnr_parity, data, "y", "g", "p")
    assert any("rank 0 higher than 1" in text for text in said)
    table = quietly(fp.roc_parity, data, "y", "g", "p", direction="<").Metric
    for group, (low, high) in table.attrs["auc_bounds"].items():
        assert low <= exact[group] <= high
        assert 0 < high - low < 3 / 256


def test_the_note_names_the_bins_that_there_were(monkeypatch):
    polars = pytest.importorskip("polars")
    pytest.importorskip("narwhals")
    monkeypatch.setattr(_scores, "EXACT", 0)
    monkeypatch.setattr(_scores, "FINE", 1024)
    monkeypatch.setattr(_scores, "MOST_CELLS", 2048)
    scores = np.linspace(0, 1, 8000)
    data = polars.LazyFrame({"g": ["a", "b"] * 4000, "y": [0, 1, 1, 1] * 2000, "p": scores})
    assert "to within 1/256," in fp.calibration_within_groups(data, "y", "g", "p").Metric.attrs["note"]


def test_all_engines_have_the_same_bins(backend, many, tmp_path):
    rows = people()
    arguments = {"outcome": "y", "group": "text", "probs": "p"}
    for function in (fp.roc_parity, fp.calibration_within_groups):
        wanted = quietly(function, backends.convert(rows, "arrow_dataset", tmp_path), **arguments)
        found = quietly(function, backends.convert(rows, backend, tmp_path), **arguments)
        pd.testing.assert_frame_equal(found.Metric, wanted.Metric, rtol=1e-13, check_column_type=False)
        assert found.Metric.attrs == wanted.Metric.attrs
