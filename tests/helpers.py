"""What several test files need: people built from counts, R's columns, and calls whose warnings do not matter."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd

import fairness_py

METRICS_OF_COUNTS = [
    "acc_parity",
    "dem_parity",
    "equal_odds",
    "fnr_parity",
    "fpr_parity",
    "mcc_parity",
    "npv_parity",
    "pred_rate_parity",
    "prop_parity",
    "spec_parity",
]
R_FUNCTIONS = sorted([*METRICS_OF_COUNTS, "roc_parity"])


def people(**counts):
    """Return one row a person of `group=(tp, fp, tn, fn)`: columns group, outcome and predicted (0 or 1)."""
    cells = [(group, *cell) for group in counts for cell in ((1, 1), (0, 1), (0, 0), (1, 0))]
    frame = pd.DataFrame(cells, columns=["group", "outcome", "predicted"])
    return frame.loc[frame.index.repeat(np.ravel(list(counts.values())))].reset_index(drop=True)


def eight():
    """Return two groups of four: a with one person a cell, b with TP 1, FP 1, TN 2, FN 0 at the cutoff 0.5."""
    return pd.DataFrame(
        {
            "group": list("aaaabbbb"),
            "outcome": [1, 1, 0, 0, 1, 0, 0, 0],
            "probability": [0.9, 0.4, 0.6, 0.2, 0.8, 0.7, 0.1, 0.3],
            "predicted": [1, 0, 1, 0, 1, 1, 0, 0],
        }
    )


def quietly(function, *arguments, **options):
    """Call a function whose warnings are another test's business."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments, **options)


def messages_of(function, *arguments, **options):
    """Return the texts of the warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*arguments, **options)
    return [str(warning.message) for warning in caught]


def table(name, *arguments, **options):
    """Return the table of the function of that name, whatever it warns of."""
    return quietly(getattr(fairness_py, name), *arguments, **options)["Metric"]


def rows(result_table):
    """Return a table as lists, for comparison with numbers written out (NaN equals NaN by `same_numbers`)."""
    return [list(map(float, row)) for row in result_table.to_numpy()]


def same_number(got, expected, relative=1e-12):
    if math.isnan(expected):
        return math.isnan(got)
    return got == expected or math.isclose(got, expected, rel_tol=relative, abs_tol=0)


def same_numbers(got, expected, relative=1e-12):
    return len(got) == len(expected) and all(map(lambda a, b: same_number(a, b, relative), got, expected))


def r_number(text):
    """Read a number as R writes it."""
    return math.nan if text in ("NA", "NaN", None) else float(text)


def r_column(column):
    """Return a column of the golden cases, which say R's type and give the values."""
    kind, values = column["type"], column["values"]
    if kind == "factor":
        return pd.Categorical(values, categories=column["levels"])
    if kind == "numeric":
        return [r_number(value) for value in values]
    nullable = {"integer": "Int64", "logical": "boolean"}.get(kind)
    return pd.array(values, dtype=nullable) if nullable and None in values else values
