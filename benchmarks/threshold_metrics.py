"""How much longer does a metric take than counting the rows of each group?

The yardstick is one `numpy.bincount` over a ready column of group codes, the least that any count by group can take. It
and `fnr_parity` are run by turns in one process, so that a busy machine slows both alike, and what is reported is the
ratio of their medians. The same is done for `import fairness_py` against `import pandas`, each in a fresh interpreter.

    python benchmarks/threshold_metrics.py            1 and 10 million rows
    python benchmarks/threshold_metrics.py --quick    1 million rows

Exits with 1 if a ratio is above its limit. Two kinds of calls have none: where the probabilities tell next to nothing
of the outcome, a sample leaves open which level they rank higher, and another pass over the rows settles that; and
where they rank the first level higher, all rows are ranked for the warning, which says how clearly they do.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from measure import by_turns, make_people, traced_memory

import fairness_py
from fairness_py import fnr_parity

MOST_TIMES_BINCOUNT = 3.0
MOST_TIMES_IMPORT = 1.15
KINDS = {
    "probs, outcome categorical": {"outcome": "label", "probs": "probability"},
    "probs, outcome 0/1": {"outcome": "outcome", "probs": "probability"},
    "preds 0/1": {"outcome": "outcome", "preds": "predicted"},
    "probs that tell nothing": {"outcome": "outcome", "probs": "noise"},
    "probs the wrong way round": {"outcome": "outcome", "probs": "reversed"},
}
NO_LIMIT = ("probs that tell nothing", "probs the wrong way round")


def all_columns(n: int) -> pd.DataFrame:
    """Return people with what every kind of call needs, also probabilities that tell nothing, or the opposite."""
    people = make_people(n)
    return people.assign(
        label=pd.Categorical.from_codes(people["outcome"].astype(np.int8), ["no", "yes"]),
        noise=np.clip(np.random.default_rng(2).random(n) + 0.002 * people["outcome"], 0, 1),
        reversed=1 - people["probability"],
        predicted=(people["probability"] > 0.5).astype(np.int64),
    )


def medians(calls: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Return the median seconds of the processor for each call.

    Not the seconds of the clock: on a busy machine, longer calls are interrupted and shorter ones are not.
    """
    return {name: taken.processor for name, taken in by_turns(calls, repeats).items()}


def compare_with_bincount(n: int, repeats: int) -> bool:
    """Print times, ratio and memory for each kind of call, and return whether all ratios are within the limit."""
    people = all_columns(n)
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
        peak = traced_memory(calls[kind])
        print(f"  {kind:<28}{taken[kind] * 1e3:8.2f} ms   ratio {ratio:5.2f}   peak {peak:5.2f} MiB")
    return all(taken[kind] < MOST_TIMES_BINCOUNT * taken[yardstick] for kind in KINDS if kind not in NO_LIMIT)


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
