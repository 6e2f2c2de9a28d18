"""The bundled data sets against the files, R's factor levels, and the counts that they were made from."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from fairness_py import load_compas, load_germancredit, read_rdata

REPOSITORY = Path(__file__).resolve().parent.parent
DATA = REPOSITORY / "data"
LOADERS = {"compas": load_compas, "germancredit": load_germancredit}


@pytest.mark.parametrize(("name", "shape"), [("compas", (6172, 9)), ("germancredit", (1000, 23))])
def test_shape_is_that_of_the_r_data_set(name, shape):
    data = LOADERS[name]()
    assert data.shape == shape
    assert data.index.equals(pd.RangeIndex(shape[0]))


@pytest.mark.parametrize("name", LOADERS)
def test_every_value_is_the_one_in_the_file(name):
    data = LOADERS[name]()
    with (DATA / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(data.columns) == list(rows[0])
    for column in data:
        texts = [row[column] for row in rows]
        kind = {"f": float, "i": int}.get(data[column].dtype.kind, str)
        assert data[column].tolist() == [kind(text) for text in texts], column


def test_compas_has_the_levels_of_r():
    data = load_compas()
    levels = {column: data[column].cat.categories.tolist() for column in data.select_dtypes("category")}
    assert levels == {
        "Two_yr_Recidivism": ["no", "yes"],
        "Age_Above_FourtyFive": ["no", "yes"],
        "Age_Below_TwentyFive": ["no", "yes"],
        "Female": ["Male", "Female"],
        "Misdemeanor": ["no", "yes"],
        "ethnicity": ["Caucasian", "African_American", "Asian", "Hispanic", "Native_American", "Other"],
    }


def test_germancredit_has_the_levels_of_r():
    data = load_germancredit()
    figures = json.loads((DATA / "germancredit_figures.json").read_text(encoding="utf-8"))
    for column, spread in figures["categories"].items():  # the levels, as R wrote them
        assert data[column].cat.categories.tolist() == spread["levels"], column
    assert data["BAD"].cat.categories.tolist() == ["BAD", "GOOD"]
    assert set(data.select_dtypes("category")) == {*figures["categories"], "BAD"}
    assert data["Female"].value_counts().to_dict() == {"Male": 690, "Female": 310}


@pytest.mark.parametrize("name", LOADERS)
def test_no_factor_is_ordered_and_nothing_is_missing(name):
    data = LOADERS[name]()
    assert not any(data[column].cat.ordered for column in data.select_dtypes("category"))
    assert not data.isna().any(axis=None)


@pytest.mark.parametrize("name", LOADERS)
def test_predicted_is_probability_above_one_half(name):
    data = LOADERS[name]()
    assert data["probability"].between(0, 1, inclusive="neither").all()
    assert data["predicted"].dtype == "int64"
    assert (data["predicted"] == (data["probability"] > 0.5)).all()


def bands(probability):
    """Name the bands of the probability as the figures do."""
    return pd.cut(probability, [0, 0.4, 0.5, 1], labels=["p<=0.4", "0.4<p<=0.5", "p>0.5"]).astype(str)


@pytest.mark.parametrize(
    ("name", "groups"),
    [("compas", ["ethnicity", "Female", "Two_yr_Recidivism"]), ("germancredit", ["Female", "age_band", "BAD"])],
)
def test_group_counts_are_those_of_the_r_data_set(name, groups):
    data = LOADERS[name]()
    figures = json.loads((DATA / f"{name}_figures.json").read_text(encoding="utf-8"))
    expected = pd.DataFrame(figures["counts"])
    expected = expected[expected["Freq"] > 0].set_index([*groups, "bin"])["Freq"]
    data = data.assign(bin=bands(data["probability"]))
    if name == "germancredit":
        data = data.assign(age_band=pd.cut(data["Age"], [18, 25, 45, 80], labels=["(18,25]", "(25,45]", "(45,80]"]))
    counts = data.astype(dict.fromkeys(groups, str)).value_counts([*groups, "bin"])
    assert counts.sort_index().to_dict() == expected.sort_index().to_dict()


def test_a_loaded_frame_belongs_to_the_caller():
    first = load_compas()
    first["probability"] = 0.0
    first["ethnicity"] = first["ethnicity"].cat.rename_categories(str.upper)
    second = load_compas()
    assert second["probability"].gt(0).all()
    assert second["ethnicity"].cat.categories[0] == "Caucasian"


def test_a_bare_checkout_finds_the_data(tmp_path):
    """Without installation, `fairness_py.data` is no package, and the folder beside the package is read."""
    for folder in ("fairness_py", "data"):
        shutil.copytree(REPOSITORY / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    program = (
        "import sys; sys.meta_path = [f for f in sys.meta_path if '__editable__' not in getattr(f, '__module__', '')]\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "import fairness_py; print(fairness_py.__file__)\n"
        "print(fairness_py.load_compas().shape, fairness_py.load_germancredit().shape)\n"
    )
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    run = subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [str(tmp_path / "fairness_py" / "__init__.py"), "(6172, 9) (1000, 23)"]


@pytest.mark.parametrize(("name", "file"), [("compas", "compas.rda"), ("germancredit", "germancredit.RData")])
def test_columns_and_levels_are_those_of_the_r_package(real_dir, name, file):
    ours, theirs = LOADERS[name](), read_rdata(real_dir / file)
    assert ours.shape == theirs.shape
    for column in theirs:  # `predicted` of compas is a double in R and an int here; both are 0 and 1
        if isinstance(theirs[column].dtype, pd.CategoricalDtype):
            assert ours[column].dtype == theirs[column].dtype, column
            assert ours[column].cat.categories.tolist() == theirs[column].cat.categories.tolist(), column
        else:
            assert pd.api.types.is_numeric_dtype(ours[column]) == pd.api.types.is_numeric_dtype(theirs[column]), column
