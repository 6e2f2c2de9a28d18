"""The functions have R's arguments, hand every one on under its own name, and describe it in the same words."""

from __future__ import annotations

import importlib
import inspect
import re

import pytest
from helpers import METRICS_OF_COUNTS, R_FUNCTIONS

import fairness_py
from fairness_py import roc_parity

NEEDED = inspect.Parameter.empty
R_ARGUMENTS = {
    "data": NEEDED,
    "outcome": NEEDED,
    "group": NEEDED,
    "probs": None,
    "preds": None,
    "outcome_base": None,
    "cutoff": 0.5,
    "base": None,
    "group_breaks": None,
}
R_ARGUMENTS_OF_ROC = {
    name: default for name, default in R_ARGUMENTS.items() if name not in ("preds", "outcome_base", "cutoff")
}
# what compute_parity gets besides: what is special to the metrics that compare by difference
ENGINE_DEFAULTS = {"positive": None, "versus": "base"}


def parameters_of(name):
    return inspect.signature(getattr(fairness_py, name)).parameters


@pytest.mark.parametrize("name", R_FUNCTIONS)
def test_arguments_of_r(name):
    expected = R_ARGUMENTS_OF_ROC if name == "roc_parity" else R_ARGUMENTS
    parameters = list(parameters_of(name).values())
    given = {
        parameter.name: parameter.default for parameter in parameters if parameter.kind is not parameter.KEYWORD_ONLY
    }
    assert list(given.items()) == list(expected.items())
    extra = parameters[len(expected) :]
    assert all(parameter.kind is parameter.KEYWORD_ONLY and parameter.default is not NEEDED for parameter in extra)


@pytest.mark.parametrize("name", R_FUNCTIONS)
def test_all_is_annotated(name):
    signature = inspect.signature(getattr(fairness_py, name))
    assert signature.return_annotation == "ParityResult"
    assert all(parameter.annotation is not NEEDED for parameter in signature.parameters.values())


@pytest.mark.parametrize("name", METRICS_OF_COUNTS)
def test_every_argument_reaches_the_engine_under_its_name(name, monkeypatch):
    function = getattr(fairness_py, name)
    seen = {}

    def engine(metric, data, outcome, group, **options):
        seen.update(metric=metric, data=data, outcome=outcome, group=group, **options)
        return "what the engine returns"

    monkeypatch.setattr(importlib.import_module(function.__module__), "compute_parity", engine)
    given = {argument: object() for argument in parameters_of(name)}
    assert function(**given) == "what the engine returns"
    assert seen.pop("metric").name == name
    assert {argument: seen.pop(argument) for argument in given} == given
    assert seen == {argument: default for argument, default in ENGINE_DEFAULTS.items() if argument not in given}


def test_the_engine_has_no_defaults():
    """A forgotten argument is an error, not a default."""
    parameters = inspect.signature(importlib.import_module("fairness_py._engine").compute_parity).parameters
    assert all(parameter.default is NEEDED for parameter in parameters.values())


# ------------------------------------------------------------------ docstrings


def sections_of(name):
    """Return the sections of a docstring by title."""
    text = inspect.getdoc(getattr(fairness_py, name))
    parts = re.split(r"^(.+)\n-{3,}$", text, flags=re.MULTILINE)
    return {"Summary": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def described(name):
    """Return the text of every parameter of a docstring."""
    entries = re.split(r"^(?=\S)", sections_of(name)["Parameters"].strip(), flags=re.MULTILINE)
    return {entry.split(" : ")[0]: " ".join(entry.split()) for entry in entries if entry}


@pytest.mark.parametrize("name", METRICS_OF_COUNTS)
def test_parameters_are_described_in_the_same_words(name):
    assert described(name) == described("acc_parity")
    assert list(described(name)) == list(parameters_of(name))


@pytest.mark.parametrize("name", ["acc_parity", "calibration_within_groups", "count_outcomes"])
def test_every_kind_of_data_is_named(name):
    kinds = "pandas Polars Dask PySpark Table RecordBatch Dataset DuckDB Ibis path folder glob Parquet CSV".split()
    assert [kind for kind in kinds if kind not in described(name)["data"]] == []
    assert "`How large can it get`" in described(name)["data"]  # docs/conf.py makes a link of it


def test_parameters_of_roc_parity():
    ours, theirs = described("roc_parity"), described("acc_parity")
    assert list(ours) == list(inspect.signature(roc_parity).parameters)
    for argument in ("data", "outcome", "group", "base", "group_breaks"):
        assert ours[argument] == theirs[argument]


@pytest.mark.parametrize("name", R_FUNCTIONS)
def test_sections(name):
    sections = sections_of(name)
    assert list(sections) == [
        "Summary",
        "Parameters",
        "Returns",
        "Raises",
        "Warns",
        "See Also",
        "Notes",
        "References",
        "Examples",
    ]
    assert "Formula:" in sections["Summary"]
    assert "Undefined case:" in sections["Notes"]
    assert "https://doi.org/" in sections["References"]
    assert f"{name}(" in sections["Examples"]
    others = re.findall(r"\w+", sections["See Also"].split(" : ")[0])
    assert others
    assert all(hasattr(fairness_py, other) for other in others)


@pytest.mark.parametrize("name", R_FUNCTIONS)
def test_rows_named_in_the_docstring_are_those_of_the_table(name, compas):
    function = getattr(fairness_py, name)
    rows = function(compas, "Two_yr_Recidivism", "ethnicity", probs="probability").Metric.index
    assert all(f"``{row}``" in sections_of(name)["Returns"] for row in rows)
