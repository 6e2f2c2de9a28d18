"""Many rows, many metrics, many groups, and few rows: what does the time grow with?

Calls are made by turns in one process; shown are medians of the clock.

    python benchmarks/many.py                   up to 10 million rows
    python benchmarks/many.py --rows 1000000    up to so many

Exits with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
from measure import by_turns, extra_memory, make_people, verdict

import fairness_py
from fairness_py._cli import R_FUNCTIONS

ASKED = {"outcome": "outcome", "group": "group", "probs": "probability"}
ELEVEN = [name for name in R_FUNCTIONS if name != "roc_parity"] + ["disparate_impact"]
MOST_GROWTH = 1.2  # of the time a row, from one million rows on
MOST_TIMES_ONE = 1.5
MOST_BUNDLED_MS = 1.0
MANY_GROUPS = 10_000
THRESHOLD_MIB = 64


def line(text: str, figure: str, kept: str = "") -> bool:
    print(f"  {text:44}{figure:>26}   {kept}".rstrip(), flush=True)
    return "NOT" not in kept


def rows_grow(most_rows: int, repeats: int) -> bool:
    """Show the time a row from 100,000 rows up, where what a call costs whatever the rows weighs less and less."""
    sizes = [10**power for power in range(5, 10) if 10**power <= most_rows]
    people = {rows: make_people(rows) for rows in sizes}
    calls = {str(rows): partial(fairness_py.fnr_parity, people[rows], **ASKED) for rows in sizes}
    taken = by_turns(calls, repeats)
    print(f"\nfnr_parity, six groups; medians of {repeats} by turns")
    within, before = True, None
    for rows in sizes:
        per_row = taken[str(rows)].clock / rows * 1e9
        grown = "" if before is None or rows <= 10**6 else verdict(per_row / before, MOST_GROWTH)
        within &= line(f"{rows:,} rows", f"{per_row:.2f} ns a row", grown and f"≤ {MOST_GROWTH:g} times: {grown}")
        before = per_row
    return within


def metrics_grow(people: pd.DataFrame, repeats: int) -> bool:
    """Show eleven metrics of rows that were counted once against one metric."""

    def eleven_of_counts() -> None:
        counts = fairness_py.count_outcomes(people, **ASKED)
        for name in ELEVEN:
            getattr(fairness_py, name)(counts, **ASKED)

    calls: dict[str, Callable[[], object]] = {
        "one metric": partial(fairness_py.fnr_parity, people, **ASKED),
        "count_outcomes, then eleven metrics": eleven_of_counts,
    }
    taken = by_turns(calls, repeats)
    print(f"\n{len(people):,} rows; medians of {repeats} by turns")
    one, eleven = (taken[name].clock for name in calls)
    line("one metric", f"{one * 1e3:.2f} ms")
    kept = verdict(eleven / one, MOST_TIMES_ONE)
    return line(
        list(calls)[1], f"{eleven * 1e3:.2f} ms, {eleven / one:.2f} times", f"≤ {MOST_TIMES_ONE:g} times: {kept}"
    )


def groups_grow(rows: int, repeats: int) -> bool:
    """Show a metric of very many groups against one `numpy.bincount` of ready codes."""
    codes = np.random.default_rng(3).integers(0, MANY_GROUPS, rows)
    labels = [f"group {code:05}" for code in range(MANY_GROUPS)]
    people = make_people(rows).assign(group=pd.Categorical.from_codes(codes, labels))
    call = partial(fairness_py.fnr_parity, people, **ASKED)
    memory = extra_memory(call)
    taken = by_turns({"bincount": partial(np.bincount, codes), "call": call}, repeats)
    bincount, ours = taken["bincount"].clock, taken["call"].clock
    print(f"\n{MANY_GROUPS:,} groups, {rows:,} rows; medians of {repeats} by turns")
    line("numpy.bincount", f"{bincount * 1e3:.2f} ms")
    line("fnr_parity", f"{ours * 1e3:.2f} ms, {ours / bincount:.2f} times")
    kept = verdict(memory, THRESHOLD_MIB)
    return line("extra memory", f"{memory:.1f} MiB", f"≤ {THRESHOLD_MIB} MiB: {kept}")


def few_rows(repeats: int) -> bool:
    """Show a call on the bundled data."""
    compas = fairness_py.load_compas()
    call = partial(
        fairness_py.fnr_parity, compas, "Two_yr_Recidivism", "ethnicity", probs="probability", base="Caucasian"
    )
    taken = by_turns({"call": call}, repeats)["call"].clock * 1e3
    print(f"\nthe bundled data; median of {repeats}")
    kept = verdict(taken, MOST_BUNDLED_MS)
    return line(f"fnr_parity, {len(compas):,} rows", f"{taken:.2f} ms", f"≤ {MOST_BUNDLED_MS:g} ms: {kept}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--repeats", type=int, default=7)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    within = [
        rows_grow(given.rows, given.repeats),
        metrics_grow(make_people(given.rows), given.repeats),
        groups_grow(given.rows, given.repeats),
        few_rows(500),
    ]
    return 0 if all(within) else 1


if __name__ == "__main__":
    sys.exit(main())
