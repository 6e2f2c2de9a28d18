"""How much longer does a metric take than counting the rows of each group?

The yardstick is one `numpy.bincount` over a ready column of group codes, the least that any count by group can take. It
and `fnr_parity` are run by turns in one process, so that a busy machine slows both alike, and what is reported is the
ratio of their medians. The same is done for `import fairness_py` against `import pandas`, each in a fresh interpreter.

    python benchmarks/threshold_metrics.py            1 and 10 million rows
    python benchmarks/threshold_metrics.py --quick    1 million rows

Exits with 1 if a ratio is above its limit. One kind of call has none: where the probabilities tell next to nothing of
the outcome, a sample leaves open which level they rank higher, and another pass over the rows settles that.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
import pandas as pd

import fairness_py
from fairness_py import fnr_parity

MOST_TIMES_BINCOUNT = 3.0
MOST_TIMES_IMPORT = 1.15
GROUPS = ["African_American", "Asian", "Caucasian", "Hispanic", "Native_American", "Other"]
KINDS = {
    "probs, outcome categorical": {"outcome": "label", "probs": "probability"},
    "probs, outcome 0/1": {"outcome": "outcome", "probs": "probability"},
    "preds 0/1": {"outcome": "outcome", "preds": "predicted"},
    "probs that tell nothing": {"outcome": "outcome", "probs": "noise"},
}
NO_LIMIT = "probs that tell nothing"


def make_people(n: int) -> pd.DataFrame:
    """Return people of six groups of unequal size, with a probability that tells something and one that does not."""
    rng = np.random.default_rng(1)
    group = rng.choice(len(GROUPS), n, p=[0.51, 0.01, 0.34, 0.08, 0.01, 0.05]).astype(np.int8)
    outcome = rng.integers(0, 2, n)
    probability = np.clip(rng.normal(0.4 + 0.2 * outcome, 0.2), 0, 1)
    return pd.DataFrame(
        {
            "group": pd.Categorical.from_codes(group, GROUPS),
            "outcome": outcome,
            "label": pd.Categorical.from_codes(outcome.astype(np.int8), ["no", "yes"]),
            "probability": probability,
            "noise": rng.random(n),
            "predicted": (probability > 0.5).astype(np.int64),
        }
    )


def processor_seconds() -> float:
    """Return the seconds that this process and the processes it has waited for have used."""
    return time.process_time() + sum(os.times()[2:4])


def medians(calls: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Return the median seconds of the processor for each call, all of them made by turns.

    Not the seconds of the clock: on a busy machine, longer calls are interrupted and shorter ones are not.
    """
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            start = processor_seconds()
            call()
            seconds[name].append(processor_seconds() - start)
    return {name: median(taken) for name, taken in seconds.items()}


def peak_megabytes(call: Callable[[], object]) -> float:
    """Return the most memory that a call holds besides what was there before."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20


def compare_with_bincount(n: int, repeats: int) -> bool:
    """Print times, ratio and memory for each kind of call, and return whether all ratios are within the limit."""
    people = make_people(n)
    codes = people["group"].cat.codes.to_numpy(dtype=np.intp)  # of the type that needs no conversion
    yardstick = "numpy.bincount"

    def call(options: dict[str, Any]) -> Callable[[], object]:
        return lambda: fnr_parity(people, group="group", base="Caucasian", **options)

    calls = {yardstick: lambda: np.bincount(codes), **{kind: call(options) for kind, options in KINDS.items()}}
    for one in calls.values():
        one()
    taken = medians(calls, repeats)
    size = people.memory_usage(index=False).sum() / 2**20
    print(f"\n{n:,} rows, a frame of {size:.1f} MiB; {repeats} runs by turns, medians")
    print(f"  {yardstick:<28}{taken[yardstick] * 1e3:8.2f} ms")
    for kind in KINDS:
        ratio = taken[kind] / taken[yardstick]
        peak = peak_megabytes(calls[kind])
        print(f"  {kind:<28}{taken[kind] * 1e3:8.2f} ms   ratio {ratio:5.2f}   peak {peak:5.2f} MiB")
    return all(taken[kind] < MOST_TIMES_BINCOUNT * taken[yardstick] for kind in KINDS if kind != NO_LIMIT)


def seconds_of_bundled_data(repeats: int) -> float:
    """Return the median seconds of a call on the bundled data, plots not drawn."""
    compas = fairness_py.load_compas()

    def call() -> object:
        return fnr_parity(compas, "Two_yr_Recidivism", "ethnicity", probs="probability", base="Caucasian")

    return medians({"call": call}, repeats)["call"]


def compare_imports(repeats: int) -> bool:
    """Print the times of both imports in fresh interpreters, and return whether their ratio is within the limit."""

    def importing(module: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", f"import {module}"], check=True)

    taken = medians({module: importing(module) for module in ("pandas", "fairness_py")}, repeats)
    ratio = taken["fairness_py"] / taken["pandas"]
    print(f"\nimport in a fresh interpreter; {repeats} runs by turns, medians")
    print(f"  {'pandas':<28}{taken['pandas'] * 1e3:8.1f} ms")
    print(f"  {'fairness_py':<28}{taken['fairness_py'] * 1e3:8.1f} ms   ratio {ratio:5.3f}")
    return ratio < MOST_TIMES_IMPORT


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one million rows only")
    quick = parser.parse_args().quick
    warnings.simplefilter("ignore")  # probabilities that tell nothing may rank either level higher
    within = [compare_with_bincount(10**6, 101)]
    if not quick:
        within.append(compare_with_bincount(10**7, 15))
    print(f"\nfnr_parity on the bundled 6,172 rows: {seconds_of_bundled_data(500) * 1e3:.2f} ms")
    within.append(compare_imports(15))
    print(
        f"\nlimits: {MOST_TIMES_BINCOUNT:g} times numpy.bincount, {MOST_TIMES_IMPORT:g} times import pandas: ", end=""
    )
    print("kept" if all(within) else "NOT KEPT")
    return 0 if all(within) else 1


if __name__ == "__main__":
    sys.exit(main())
