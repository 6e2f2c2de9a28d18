"""Counting in blocks of rows, against a count of one row after another."""

from __future__ import annotations

import collections
import math

import numpy as np
import pandas as pd
import pytest
from helpers import quietly, same_numbers, table

from fairness_py import acc_parity
from fairness_py._counts import Counts, crosstab
from fairness_py._factors import CHUNK, Coded, Threshold, to_factor


def counted_row_by_row(codes, shape):
    counts = collections.Counter(zip(*(block.tolist() for block in codes), strict=True))
    expected = np.zeros([size + 1 for size in shape], dtype=int)
    for place, rows in counts.items():
        expected[place] = rows  # -1 is the last place
    return expected


@pytest.mark.parametrize("missing", ["nowhere", "in the last block", "everywhere"])
@pytest.mark.parametrize("n", [1, 2, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 3])
@pytest.mark.parametrize("shape", [(1, 2, 2), (5, 2, 2), (64, 2, 2), (65, 2, 2), (127, 2, 2), (300, 2, 2)], ids=str)
def test_crosstab(shape, n, missing):
    rng = np.random.default_rng(n)
    codes = [rng.integers(0, size, n).astype(np.int16 if size > 127 else np.int8) for size in shape]
    if missing == "everywhere":
        for block in codes:
            block[rng.random(n) < 0.1] = -1
    elif missing == "in the last block":
        codes[1][-1] = -1
    factors = [Coded(block, range(size), fixed=True) for block, size in zip(codes, shape, strict=True)]
    counted, found = crosstab(factors, n)
    assert counted == factors
    assert found.tolist() == counted_row_by_row(codes, shape).tolist()


def test_a_crosstab_whose_first_rows_mislead():
    outcome = np.zeros(CHUNK + 5000, dtype=int)
    outcome[-3:] = 2, 150, -1
    factors = [to_factor(pd.Series(outcome), "outcome"), Threshold(np.linspace(0, 1, len(outcome)), 0.5)]
    counted, found = crosstab(factors, len(outcome))
    assert counted[1] is factors[1]
    by_label = dict(zip(counted[0].labels, found.sum(axis=1).tolist(), strict=False))
    assert {label: rows for label, rows in by_label.items() if rows} == {0: len(outcome) - 3, 2: 1, 150: 1, -1: 1}


@pytest.mark.parametrize("groups", [2, 63, 64, 65, 127, 128, 129, 300, 10_000])
def test_many_groups(groups):
    """Group k has k % 7 + 1 rows more of right predictions than of wrong ones, which are 1."""
    names = np.array([f"g{k:05d}" for k in range(groups)])
    right = np.arange(groups) % 7 + 1
    rows = np.repeat(np.arange(groups), right + 1)
    wrong = np.append(rows[:-1] != rows[1:], True)
    outcome = np.arange(len(rows)) % 2
    data = pd.DataFrame({"group": names[rows], "outcome": outcome, "predicted": np.where(wrong, 1 - outcome, outcome)})
    for kind in ("object", "category"):
        metric = table("acc_parity", data.astype({"group": kind}), "outcome", "group", preds="predicted")
        assert list(metric.columns) == names.tolist()
        assert metric.loc["Group size"].tolist() == (right + 1).tolist()
        assert same_numbers(metric.loc["Accuracy"], right / (right + 1))


def test_missing_values_across_blocks():
    """Two groups by turns; every tenth outcome missing after the first block, the last group, the last probability."""
    n = 2 * CHUNK + 10
    data = pd.DataFrame({"group": np.tile(["a", "b"], n // 2), "outcome": np.tile([0, 0, 1, 1], n // 4 + 1)[:n]})
    data["probability"] = data["outcome"] * 0.8 + 0.1
    data["outcome"] = data["outcome"].astype("Int64")
    late = np.arange(n) >= CHUNK
    data.loc[late & (np.arange(n) % 10 == 0), "outcome"] = pd.NA
    data.loc[n - 1, "group"] = None
    data.loc[n - 3, "probability"] = math.nan
    dropped = sum(row % 10 == 0 for row in range(CHUNK, n))  # rows of even number: all of group a
    with pytest.warns(UserWarning, match=f"{dropped + 2} of {n} rows were left out: group is missing in 1, ") as caught:
        result = acc_parity(data, "outcome", "group", probs="probability")
    assert f"probs are missing in 1, outcome is missing in {dropped}." in str(caught[0].message)
    assert result.Metric.loc["Accuracy"].tolist() == [1, 1]
    assert result.Metric.loc["Group size"].tolist() == [n / 2 - dropped, n / 2 - 2]
    # who is selected does not depend on the outcome
    metric = quietly(lambda: table("dem_parity", data, "outcome", "group", probs="probability"))
    assert metric.loc["Group size"].tolist() == [n / 2, n / 2 - 2]


def test_reading_the_cells():
    """Cells by outcome (negative, positive, missing) and prediction (likewise)."""
    counts = Counts.from_cells(np.array([[[1, 2, 4], [8, 16, 32], [64, 128, 256]], [[3, 0, 0], [0, 5, 0], [0, 0, 0]]]))
    assert counts.tn.tolist() == [1, 3]
    assert counts.fp.tolist() == [2, 0]
    assert counts.fn.tolist() == [8, 0]
    assert counts.tp.tolist() == [16, 5]
    assert counts.n.tolist() == [27, 8]
    assert counts.selected.tolist() == [2 + 16 + 128, 5]
    assert counts.rejected.tolist() == [1 + 8 + 64, 3]
    assert counts.take(np.array([1])).tn.tolist() == [3]
    assert counts.rest().tp.tolist() == [5, 16]
    assert counts.rest().rejected.tolist() == [3, 73]
