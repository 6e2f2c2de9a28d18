"""The data that other libraries compute the same metrics on."""

from __future__ import annotations

import numpy as np
import pandas as pd
from helpers import people, table

from fairness_py import crosswalk
from fairness_py.metrics import METRICS

CLARIFY = {"a": (65, 10, 20, 5), "d": (20, 5, 18, 7)}
NO_POSITIVE_OUTCOME = {"a": (65, 10, 20, 5), "d": (0, 5, 18, 0)}
NO_POSITIVE_PREDICTION = {"a": (0, 0, 20, 5), "d": (20, 5, 18, 7)}
TABLE = crosswalk().set_index("Function")


def drawn(seed, groups="ad"):
    """Return counts of groups, no count 0: nothing is undefined."""
    generator = np.random.default_rng(seed)
    return {group: tuple(generator.integers(1, 10 ** generator.integers(1, 4), 4).tolist()) for group in groups}


DATA = [CLARIFY, *(drawn(seed) for seed in range(12))]


def of_compas(compas):
    """Return the confusion matrices of two ethnicities of the bundled data."""
    compas = compas[compas["ethnicity"].isin(["Caucasian", "African_American"])]
    return pd.DataFrame(
        {
            "group": compas["ethnicity"].map({"Caucasian": "a", "African_American": "d"}).astype(str),
            "outcome": (compas["Two_yr_Recidivism"] == "yes").astype(int),
            "predicted": (compas["probability"] > 0.5).astype(int),
        }
    ).reset_index(drop=True)


def value(name, data, **options):
    """Return our value for group d against a."""
    frame = people(**data) if isinstance(data, dict) else data
    result = table(name, frame, "outcome", "group", preds="predicted", base="a", **options)
    return result.loc[METRICS[name].value_row, "d"]


def named(column):
    """Return function and what the crosswalk says it is called in a library, where it is called anything."""
    return [(function, written) for function, written in TABLE[column].items() if written]
