"""How long does a metric take a row, by the kind of the group column, and how much memory?

Each line comes from a fresh process: it draws the people, makes one call whose extra memory is seen, and then makes the
call and a plain sum over the column of scores (`numpy.sum`) by turns. Shown are medians, their ratio, and what the
processor did on all threads. Then other libraries do the same on fewer rows, as they are slow, beside our own call.

    python benchmarks/group_columns.py                         10 million rows, the other libraries 1 million
    python benchmarks/group_columns.py --rows 1000000          fewer
    python benchmarks/group_columns.py --peer-python PATH      and those of another environment, such as aequitas

aequitas needs pandas 2, so it cannot be in the environment of the others: `python -m venv`, `pip install aequitas`, and
name that environment's python. Exits with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from measure import GROUPS, MIB, by_turns, draw_people, extra_memory, in_fresh_process, make_people, verdict

CUTOFF = 0.5
THRESHOLD_MIB = 64  # at any number of rows
AUC_BYTES = 32  # a row
SUM_NS = 0.29  # a row, of a plain sum where the targets were set: a slower machine is given as much more time

# ------------------------------------------------------------------ columns


def arrow_dictionary(n: int) -> Any:
    import pyarrow as pa

    people = draw_people(n)
    group = pa.DictionaryArray.from_arrays(pa.array(people.group), pa.array(GROUPS))
    return pa.table({"group": group, "outcome": people.outcome, "probability": people.probability})


def pandas_text(n: int) -> pd.DataFrame:
    people = make_people(n)
    return people.assign(group=people["group"].astype("str"))


def shared_objects(n: int) -> pd.DataFrame:
    """Return groups as Python strings: one object for each group, to which its rows refer."""
    people = make_people(n)
    labels = np.array(GROUPS, dtype=object)[people["group"].cat.codes]
    return people.assign(group=pd.Series(labels, dtype=object))


def own_objects(n: int) -> pd.DataFrame:
    """Return groups as Python strings: each row has an object of its own, as a reader of text makes them."""
    people = make_people(n)
    labels = [bytes(GROUPS[code], "ascii").decode() for code in people["group"].cat.codes]
    return people.assign(group=pd.Series(labels, dtype=object))


def numeric(n: int) -> pd.DataFrame:
    return make_people(n).assign(group=np.random.default_rng(2).uniform(18, 90, n))


def numeric_cut_by_pandas(n: int) -> pd.DataFrame:
    ages = numeric(n)
    return ages.assign(group=pd.cut(ages["group"], 5).astype(str).astype(object))


def rounded(decimals: int) -> Callable[[int], pd.DataFrame]:
    def make(n: int) -> pd.DataFrame:
        people = make_people(n)
        return people.assign(probability=people["probability"].round(decimals))

    return make


# ------------------------------------------------------------------ calls


def fnr(people: Any, **options: Any) -> object:
    from fairness_py import fnr_parity

    return fnr_parity(people, "outcome", "group", probs="probability", **options)


def fnr_of_intervals(people: Any) -> object:
    return fnr(people, group_breaks=5)


def auc(people: Any) -> object:
    from fairness_py import roc_parity

    return roc_parity(people, "outcome", "group", probs="probability")


def fairlearn(people: pd.DataFrame) -> object:
    from fairlearn.metrics import MetricFrame, false_negative_rate

    predicted = people["probability"] > CUTOFF
    return MetricFrame(
        metrics=false_negative_rate, y_true=people["outcome"], y_pred=predicted, sensitive_features=people["group"]
    ).by_group


def smclarify(people: pd.DataFrame) -> object:
    from smclarify.bias.metrics.posttraining import RD

    true, predicted = people["outcome"] == 1, people["probability"] > CUTOFF
    return [RD(people["group"], people["group"] == label, true, predicted) for label in people["group"].unique()]


def aequitas(people: pd.DataFrame) -> object:
    from aequitas.group import Group

    score = (people["probability"] > CUTOFF).astype(np.int64)
    frame = pd.DataFrame({"group": people["group"], "label_value": people["outcome"], "score": score})
    return Group().get_crosstabs(frame, attr_cols=["group"])


def sklearn(people: pd.DataFrame) -> object:
    from sklearn.metrics import roc_auc_score

    return [roc_auc_score(part["outcome"], part["probability"]) for _, part in people.groupby("group", observed=True)]


class Case(NamedTuple):
    """A frame, the call, and the most nanoseconds a row that it should take where a sum takes `SUM_NS`."""

    make: Callable[[int], Any]
    call: Callable[[Any], object]
    most: float | None = None


OURS = {
    "pandas categorical": Case(make_people, fnr, 3.5),
    "Arrow dictionary": Case(arrow_dictionary, fnr, 3.5),
    "pandas 3 text": Case(pandas_text, fnr, 18),
    "Python strings, shared": Case(shared_objects, fnr, 45),
    "Python strings, one a row": Case(own_objects, fnr, 45),
    "numeric, cut into 5": Case(numeric, fnr_of_intervals, 8),
    "AUC, continuous scores": Case(make_people, auc, 100),
    "AUC, scores of 4 decimals": Case(rounded(4), auc, 25),
    "AUC, scores of 2 decimals": Case(rounded(2), auc, 25),
}
PEERS = {
    "smclarify, categorical": Case(make_people, smclarify),
    "smclarify, Python strings": Case(shared_objects, smclarify),
    "aequitas, Python strings": Case(own_objects, aequitas),
    "aequitas, cut by pandas first": Case(numeric_cut_by_pandas, aequitas),
    "fairlearn, categorical": Case(make_people, fairlearn),
    "scikit-learn, AUC per group": Case(make_people, sklearn),
}


def measure(name: str, rows: int, repeats: int) -> dict[str, Any]:
    """Measure one case: this is what the fresh process does."""
    warnings.simplefilter("ignore")
    case = (OURS | PEERS)[name]
    if case.make is pandas_text and not isinstance(pandas_text(1)["group"].dtype, pd.StringDtype):
        return {"absent": "text is no type of its own before pandas 3"}
    try:
        case.call(case.make(1000))  # imports what the call imports
    except ModuleNotFoundError as error:
        return {"absent": f"{error.name} is not installed"}
    people = case.make(rows)
    scores = np.asarray(people["probability"])
    memory = extra_memory(lambda: case.call(people))
    taken = by_turns({"sum": lambda: np.sum(scores), "call": lambda: case.call(people)}, repeats)
    return {
        "clock": taken["call"].clock / rows * 1e9,
        "processor": taken["call"].processor / rows * 1e9,
        "times sum": taken["call"].clock / taken["sum"].clock,
        "memory": memory,
    }


def show(name: str, rows: int, repeats: int, python: str = sys.executable, *, judged: bool = False) -> bool:
    """Print the line of one case, and return whether its targets are kept, where it is judged by them."""
    case = (OURS | PEERS)[name]
    found = in_fresh_process([__file__, "--one", name, "--rows", rows, "--repeats", repeats], python)
    if "absent" in found:
        print(f"  {name:30}left out: {found['absent']}")
        return True
    most_mib = None if case.most is None else rows * AUC_BYTES / MIB if case.call is auc else THRESHOLD_MIB
    most_times = None if case.most is None else case.most / SUM_NS
    verdicts = verdict(found["times sum"], most_times), verdict(found["memory"], most_mib)
    target = f"≤ {most_times:.0f} sums {verdicts[0]}, ≤ {most_mib:.0f} MiB {verdicts[1]}" if judged else ""
    print(
        f"  {name:30}{found['clock']:9.2f}{found['processor']:11.2f}{found['times sum']:11.1f}"
        f"{found['memory']:10.1f}   {target}".rstrip(),
        flush=True,
    )
    return "NOT KEPT" not in verdicts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--peer-rows", type=int, default=10**6)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--peer-python", help="the python of an environment that has more of the other libraries")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.one, given.rows, given.repeats)))
        return 0
    heading = f"  {'':30}{'ns a row':>9}{'processor':>11}{'numpy.sum':>11}{'MiB':>10}   target"
    print(f"{given.rows:,} rows; medians of {given.repeats} by turns; extra memory\n{heading}")
    within = [show(name, given.rows, given.repeats, judged=True) for name in OURS]
    few = min(given.repeats, 3)
    print(f"\n{given.peer_rows:,} rows; medians of {few} by turns; extra memory\n{heading}")
    for name in ("pandas categorical", "Python strings, one a row", "numeric, cut into 5", "AUC, continuous scores"):
        show(name, given.peer_rows, few)
    for name in PEERS:
        python = given.peer_python if given.peer_python and name.startswith("aequitas") else sys.executable
        show(name, given.peer_rows, few, python)
    return 0 if all(within) else 1


if __name__ == "__main__":
    sys.exit(main())
