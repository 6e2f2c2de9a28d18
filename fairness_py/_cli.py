"""The command ``python -m fairness_py``: tables on the screen, plots in a folder."""

from __future__ import annotations

import argparse
import inspect
import sys
import textwrap
import warnings
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import pandas as pd

import fairness_py

from ._eager import need
from ._labels import did_you_mean, find_label, quoted
from ._result import ParityResult, rounded
from .metrics import METRICS

#: The functions of the R package, in its order: what is computed unless other metrics are named.
R_FUNCTIONS = [
    "acc_parity",
    "dem_parity",
    "equal_odds",
    "fnr_parity",
    "fpr_parity",
    "mcc_parity",
    "npv_parity",
    "pred_rate_parity",
    "prop_parity",
    "roc_parity",
    "spec_parity",
]

EXAMPLES = f"""
metrics:
{textwrap.fill(" ".join(METRICS), 100, initial_indent="  ", subsequent_indent="  ")}

examples:
  python -m fairness_py
      all metrics of the R package on the bundled COMPAS-like data (invented rows)
  python -m fairness_py loans.csv --outcome default --group sex --probs score --base male
      the same on a file of your own: .csv, .tsv, .parquet, or R's .rda, .RData and .rds. It is read into memory; in
      Python the functions take files, folders and frames of any size (README, "Any frame, any size")
  python -m fairness_py loans.csv --outcome default --group age --group-breaks 18,25,45,80 --preds decision
      a numeric group cut into intervals, and predicted labels in place of probabilities
  python -m fairness_py --metrics fnr_parity fpr_parity --conf-level 0.95 --output plots
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"fairness_py: error: {' '.join(message.split())} (--help tells more)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m fairness_py",
        description="Assess how differently a classifier treats groups of people: tables on the screen, plots as PNG.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("file", nargs="?", type=Path, help="data file; without it the bundled COMPAS-like data are used")
    add("--name", help="which data frame of an R file that holds several")
    add("--outcome", metavar="COLUMN", help="column of the true outcome, with two levels; needed with a file")
    add("--outcome-levels", metavar="LEVEL", nargs=2, help="its two levels in order; probs describe the second")
    add("--group", metavar="COLUMN", nargs="+", help="column of the groups; several are combined; needed with a file")
    add(
        "--probs",
        metavar="COLUMN",
        help="column of the probabilities of the second outcome level (in numeric or alphabetical order)",
    )
    add("--preds", metavar="COLUMN", help="column of the predicted labels")
    add("--outcome-base", metavar="LEVEL", help="the negative outcome level (default: the first)")
    add("--cutoff", type=float, default=0.5, help="predicted positive are probabilities above it (default: 0.5)")
    add("--base", metavar="GROUP", help="the group that the others are compared to (default: the first in order)")
    add("--group-breaks", metavar="BREAKS", help="intervals of a numeric group: how many, or breaks such as 18,25,45")
    add("--conf-level", type=float, metavar="LEVEL", help="add intervals and tests, such as 0.95")
    add("--metrics", nargs="+", metavar="METRIC", default=R_FUNCTIONS, help="default: the eleven of the R package")
    add("--output", type=Path, default=Path("fairness_plots"), help="folder of the plots (default: fairness_plots)")
    add("--no-plots", action="store_true", help="print the tables only")
    add("--version", action="version", version=f"fairness_py {fairness_py.__version__}")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0, or 2 where an argument is wrong."""
    parser = _parser()
    options = parser.parse_args(arguments)
    with warnings.catch_warnings():
        if not sys.warnoptions:
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = _warning_printer()
        try:
            _run(options)
        except BrokenPipeError:  # the reader of the tables has seen enough
            sys.stderr.close()
        except (ImportError, KeyError, OSError, TypeError, ValueError) as error:
            parser.error(str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error))
    return 0


def _run(options: argparse.Namespace) -> None:
    functions = [_function(name) for name in options.metrics]
    _check_numbers(options)
    data, columns = _data_and_columns(options)
    asked = columns | {"cutoff": options.cutoff, "group_breaks": _breaks(options.group_breaks)}
    counts = fairness_py.count_outcomes(data, **asked)
    _check_label("--base", options.base, "the groups", counts._tally.groups.labels)
    _check_label("--outcome-base", options.outcome_base, "the outcome's levels", counts._tally.outcomes.labels)
    given = asked | {"base": options.base, "outcome_base": options.outcome_base}
    if options.conf_level is not None:  # calibration has a level of its own
        given["conf_level"] = options.conf_level
    if given["probs"] is None and options.metrics is R_FUNCTIONS:
        functions = [function for function in functions if function.__name__ != "roc_parity"]
    results: dict[str, ParityResult] = {}
    for function in functions:
        known = inspect.signature(function).parameters
        results[function.__name__] = function(counts, **{name: value for name, value in given.items() if name in known})
    for name, result in results.items():
        print(f"{name}\n{rounded(result['Metric']).to_string()}\n")
        if "Intervals" in result:
            print(f"{rounded(result['Intervals']).to_string()}\n{result.summary()}\n")
    if not options.no_plots:
        _write_plots(results, options.output)


def _write_plots(results: dict[str, ParityResult], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    written = set()
    for name, result in results.items():
        for key in result:
            path = folder / ("Probability_plot.png" if key == "Probability_plot" else f"{name}_{key}.png")
            if key.endswith("_plot") and path not in written:  # the probabilities are the same for all metrics
                result[key].savefig(path, dpi=150)
                written.add(path)
    print(f"{len(written)} plots written to {folder.resolve()}")


def _function(name: str) -> Callable[..., ParityResult]:
    if name not in METRICS:
        raise ValueError(f"--metrics must be some of {quoted(METRICS, 99)}, got {name!r}.{did_you_mean(name, METRICS)}")
    function: Callable[..., ParityResult] = getattr(fairness_py, name)
    return function


def _check_numbers(options: argparse.Namespace) -> None:
    if not 0 <= options.cutoff <= 1:
        raise ValueError(f"--cutoff must be a number between 0 and 1, got {options.cutoff:g}.")
    level = options.conf_level
    if level is not None and not 0 < level < 1:
        hint = f" For {level:g} percent, give {level / 100:g}." if 1 < level < 100 else ""
        raise ValueError(f"--conf-level must be a number between 0 and 1, such as 0.95, got {level:g}.{hint}")


def _check_label(flag: str, label: str | None, what: str, labels: Sequence[Hashable]) -> None:
    if label is not None and labels and find_label(labels, label) is None:  # without any, the metrics say so
        raise ValueError(f"{flag} must be one of {what} {quoted(labels)}, got {label!r}.{did_you_mean(label, labels)}")


def _data_and_columns(options: argparse.Namespace) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the data, and which of their columns play which part."""
    columns: dict[str, Any] = {"outcome": options.outcome, "group": options.group, "probs": options.probs}
    columns["preds"] = options.preds
    if options.file is None:
        data = fairness_py.load_compas()
        columns["outcome"] = columns["outcome"] or "Two_yr_Recidivism"
        columns["group"] = columns["group"] or ["ethnicity"]
        if not (columns["probs"] or columns["preds"]):
            columns["probs"] = "probability"
        if columns["probs"] and columns["preds"] is None and columns["group"] == ["ethnicity"]:
            print("Bundled COMPAS-like data: invented rows with published group counts.\n")
    else:
        data = read_frame(options.file, options.name)
    missing = [f"--{name}" for name in ("outcome", "group") if not columns[name]]
    if missing:
        raise ValueError(f"{' and '.join(missing)} must name a column of {options.file}: {quoted(data.columns)}.")
    _check_columns(data, columns, options.file or "the bundled data")
    outcome = columns["outcome"]
    if options.outcome_levels is not None:
        data = data.assign(**{outcome: _ordered(data, outcome, options.outcome_levels)})
    levels = data[outcome].dropna().unique()
    if len(levels) > 2:
        raise ValueError(
            f"--outcome must name a column with two levels; {outcome} has {len(levels)}: {quoted(levels, count=False)}."
            " Make two of them in the file, or take only the rows of two of them by --outcome-levels."
        )
    if len(columns["group"]) == 1:
        columns["group"] = columns["group"][0]
    return data, columns


def _check_columns(data: pd.DataFrame, columns: dict[str, Any], source: object) -> None:
    if columns["probs"] is None and columns["preds"] is None:
        raise ValueError(f"--probs or --preds must name a column of {source}: {quoted(data.columns)}.")
    for part, given in columns.items():
        names = given if isinstance(given, list) else [] if given is None else [given]
        for name in names:
            if name not in data.columns:
                raise ValueError(
                    f"--{part} must name a column of {source}; there is no column {name!r}."
                    f"{did_you_mean(name, data.columns)} The columns are {quoted(data.columns)}."
                )
        if len(set(names)) < len(names):
            raise ValueError(f"--{part} must name different columns, got {quoted(names)}.")


def _ordered(data: pd.DataFrame, outcome: str, levels: Sequence[str]) -> pd.Categorical:
    """Return the outcome as a categorical with two levels in the order that was asked for, others missing."""
    present = list(data[outcome].dropna().unique())
    places = [find_label(present, level) for level in levels]
    if None in places or places[0] == places[1]:
        raise ValueError(f"--outcome-levels must be two levels of {outcome}: {quoted(present)}, got {quoted(levels)}.")
    kept = [present[place] for place in places if place is not None]
    values = data[outcome].astype(object)
    return pd.Categorical(values.where(values.isin(kept)), categories=kept)


def read_frame(path: Path, name: str | None = None) -> pd.DataFrame:
    """Read a file by its ending."""
    ending = "".join(path.suffixes[-2:]).lower()
    if ending.endswith((".rda", ".rdata", ".rds")):
        return fairness_py.read_rdata(path, name)
    if ending.endswith((".parquet", ".pq")):
        need("pyarrow", f"{path} is a Parquet file", "parquet")
        return pd.read_parquet(path)
    if ending.removesuffix(".gz").endswith((".csv", ".tsv")):
        return pd.read_csv(path, sep="\t" if ending.removesuffix(".gz").endswith(".tsv") else ",")
    raise ValueError(f"{path} must be a .csv, .tsv, .parquet, .rda, .RData or .rds file.")


def _breaks(text: str | None) -> Any:
    if text is None:
        return None
    try:
        numbers = [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        numbers = []
    if not numbers:
        raise ValueError(f"--group-breaks must be a number of intervals, or breaks such as 18,25,45, got {text!r}.")
    return numbers[0] if len(numbers) == 1 else numbers


def _warning_printer() -> Callable[..., None]:
    """Return a function that prints each warning once, however many metrics give it."""
    printed = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        if str(message) not in printed:
            printed.add(str(message))
            print(f"fairness_py: warning: {message}", file=sys.stderr)

    return show
