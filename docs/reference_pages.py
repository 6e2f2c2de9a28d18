"""Write the pages of the reference, one a public name, with the plots that the examples of the docstrings make.

The pages come from `fairness_py.__all__` and the groups below. A public name that stands in no group is an error.
"""

from __future__ import annotations

import contextlib
import doctest
import inspect
import io
import math
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from sphinx.errors import ConfigError

import fairness_py
from fairness_py._result import PLOTS, ParityResult
from fairness_py._scores import OutcomeCounts

#: Classes that calls return, which users do not make: where they are defined.
CLASSES = {kind.__name__: f"{kind.__module__}.{kind.__qualname__}" for kind in (ParityResult, OutcomeCounts)}
MEMBERS = {"ParityResult": "base, densities, roc_curves, draw, summary, copy"}
DPI = 144

#: Heading, what it holds, names.
GROUPS = [
    (
        "Error rates",
        "What happens to the people with, and to those without, the outcome (separation).",
        "equal_odds fnr_parity fpr_parity spec_parity",
    ),
    (
        "Predictive values",
        "What becomes of the people with the same prediction (sufficiency).",
        "pred_rate_parity npv_parity",
    ),
    (
        "Selection",
        "Who is predicted positive, whatever the outcome (independence).",
        "dem_parity prop_parity",
    ),
    ("Overall", "All four cells of the confusion matrix in one number.", "acc_parity mcc_parity"),
    ("ROC", "How well probabilities rank, at all cutoffs.", "roc_parity"),
    (
        "Differences",
        "The differences and ratios of SageMaker Clarify and AIF360, each with the sign of its source.",
        (
            "recall_difference specificity_difference equal_opportunity_difference average_odds_difference "
            "statistical_parity_difference disparate_impact difference_in_positive_proportions accuracy_difference "
            "difference_in_acceptance_rates difference_in_rejection_rates difference_in_conditional_acceptance "
            "difference_in_conditional_rejection treatment_equality"
        ),
    ),
    ("Calibration", "Whether a score means the same in every group.", "calibration_within_groups"),
    ("Crosswalk", "What every metric is called elsewhere.", "crosswalk"),
    (
        "Plots",
        "The plots of a result on axes of your own.",
        "plot_parity plot_probabilities plot_roc plot_calibration",
    ),
    ("Counting", "Data of any size, read once for many metrics.", "count_outcomes"),
    ("Data", "The bundled data, and R's files.", "load_compas load_germancredit read_rdata"),
    ("Results", "What a call returns.", "ParityResult OutcomeCounts"),
]


def write(folder: Path) -> None:
    """Write index, pages and plots; what did not change is not written again."""
    check_groups()
    (folder / "plots").mkdir(parents=True, exist_ok=True)
    pages = {"index": index_page()}
    for _, _, names in GROUPS:
        for name in names.split():
            pages[name] = page(name, folder / "plots")
    for name, text in pages.items():
        path = folder / f"{name}.rst"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in folder.glob("*.rst"):
        if path.stem not in pages:
            path.unlink()


def check_groups() -> None:
    """Refuse to write a reference that leaves out a public name, or has one twice."""
    grouped = [name for _, _, names in GROUPS for name in names.split()]
    public = {*fairness_py.__all__, *CLASSES}
    if missing := sorted(public - set(grouped)):
        raise ConfigError(f"Public names that stand in no group of docs/reference_pages.py: {', '.join(missing)}")
    if unknown := sorted(set(grouped) - public):
        raise ConfigError(f"Names in the groups of docs/reference_pages.py that are not public: {', '.join(unknown)}")
    if len(grouped) > len(set(grouped)):
        raise ConfigError("A name stands in two groups of docs/reference_pages.py.")


def index_page() -> str:
    """Return the index: the names with the first lines of their docstrings, by group."""
    parts = [heading("Reference", "="), ".. currentmodule:: fairness_py\n"]
    for title, text, names in GROUPS:
        listed = [f"~{CLASSES[name].split('.', 1)[1]}" if name in CLASSES else name for name in names.split()]
        parts += [heading(title, "-"), f"{text}\n", directive("autosummary", ":nosignatures:", "", *listed)]
    for title, _, names in GROUPS:
        parts.append(directive("toctree", ":hidden:", f":caption: {title}", "", *names.split()))
    return "\n".join(parts)


def page(name: str, plots: Path) -> str:
    """Return the page of a name, and save the plots of its example."""
    parts = [heading(name, "="), ".. currentmodule:: fairness_py\n"]
    if name in CLASSES:
        members = f"   :members: {MEMBERS[name]}\n" if name in MEMBERS else ""
        return "\n".join([*parts, f".. autoclass:: {CLASSES[name]}\n{members}"])
    parts.append(f".. autofunction:: {name}\n")
    namespace = run_example(getattr(fairness_py, name))
    figures = list(figures_of(name, namespace))
    if figures:
        parts.append(heading("Plots of the example" if len(figures) > 1 else "Plot of the example", "-"))
    for key, figure, alt in figures:
        figure.savefig(plots / f"{name}-{key}.png", dpi=DPI)
        if key in PLOTS:
            parts.append(f'``result["{key}"]``\n')
        width = round(96 * figure.get_figwidth())
        parts.append(directive(f"image:: plots/{name}-{key}.png", f":alt: {alt}", f":width: {width}px", colons=""))
    if name == "crosswalk":
        parts += [heading("The whole table", "-"), list_table(fairness_py.crosswalk())]
    return "\n".join(parts)


# ------------------------------------------------------------------ examples


def run_example(function: Any) -> dict[str, Any]:
    """Run the example of a docstring, and return the names that it made; the tests have looked at what it prints."""
    namespace: dict[str, Any] = {}
    source = "".join(
        example.source
        for example in doctest.DocTestParser().get_examples(inspect.getdoc(function) or "")
        if not example.options.get(doctest.SKIP)
    )
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(source, f"<example of {function.__name__}>", "exec"), namespace)
    return namespace


def figures_of(name: str, namespace: dict[str, Any]) -> Iterator[tuple[str, Figure, str]]:
    """Yield a short name, the figure, and a text for those who do not see it, of each plot of an example."""
    if name.startswith("plot_"):
        axes = next(made for made in reversed(namespace.values()) if hasattr(made, "figure"))
        yield "example", axes.figure, f"What the example of {name} draws."
        return
    result = namespace.get("result")
    if isinstance(result, ParityResult):
        for key in result:
            if key in PLOTS:
                yield key, result[key], alt_text(result, key)


def alt_text(result: ParityResult, key: str) -> str:
    """Say what a plot shows, with its numbers where they are few."""
    labels = [str(label) for label in result.Metric.columns]
    if key == "Metric_plot":
        values = [f"{label} {short(value)}" for label, value in zip(labels, bar_values(result), strict=True)]
        values[0] = values[0].replace(labels[0], f"{labels[0]} (base)", 1)
        return f"Bar chart of {result.metric.axis_title}: {', '.join(values)}."
    if key == "Probability_plot":
        cutoff = "" if result.cutoff is None else f", with a line at the cutoff {result.cutoff:g}"
        return f"Density of the predicted probabilities of {', '.join(labels)}{cutoff}."
    if key == "ROCAUC_plot":
        areas = [f"{curve.group} {short(curve.auc)}" for curve in result.roc_curves]
        return f"ROC curves. Area under the curve: {', '.join(areas)}."
    return f"Observed rate over mean score of {', '.join(labels)}, with the histogram of their scores."


def bar_values(result: ParityResult) -> list[float]:
    """Return the values that the bar chart shows."""
    return [float(value) for value in result.Metric.loc[result.metric.value_row]]


def short(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.2f}"


# ------------------------------------------------------------------ reStructuredText


def heading(text: str, line: str) -> str:
    return f"{text}\n{line * len(text)}\n"


def directive(name: str, *lines: str, colons: str = "::") -> str:
    return f".. {name}{colons}\n" + textwrap.indent("\n".join(lines), "   ") + "\n"


def list_table(table: pd.DataFrame) -> str:
    """Return a table whose first column holds names of functions, which become links."""
    rows = [list(table.columns), *table.itertuples(index=False)]
    lines = [":header-rows: 1", ":class: wide-table", ""]
    for number, row in enumerate(rows):
        cells = [re.sub(r"([*`_|\\])", r"\\\1", f"{cell:g}" if isinstance(cell, float) else cell) for cell in row]
        if number:
            cells[0] = f":func:`{row[0]}`"
        lines += [f"{'  -' if place else '* -'} {cell}".rstrip() for place, cell in enumerate(cells)]
    return directive("list-table", *lines)
