"""The reference: which public names stand in which group, a page for each, and the picture of its example."""

from __future__ import annotations

from pathlib import Path

import fairness_py
from fairness_py.metrics import METRICS

GROUPS = {
    "Error rates": ["equal_odds", "fnr_parity", "fpr_parity", "spec_parity"],
    "Predictive values": ["npv_parity", "pred_rate_parity"],
    "Selection": ["dem_parity", "prop_parity"],
    "Overall": ["acc_parity", "mcc_parity"],
    "ROC": ["roc_parity"],
    "Differences": [
        "recall_difference",
        "specificity_difference",
        "equal_opportunity_difference",
        "average_odds_difference",
        "statistical_parity_difference",
        "disparate_impact",
        "difference_in_positive_proportions",
        "accuracy_difference",
        "difference_in_acceptance_rates",
        "difference_in_rejection_rates",
        "difference_in_conditional_acceptance",
        "difference_in_conditional_rejection",
        "treatment_equality",
    ],
    "Calibration": ["calibration_within_groups"],
    "What a metric is called elsewhere": ["crosswalk"],
    "Results": ["ParityResult"],
    "Plots": ["plot_parity", "plot_probabilities", "plot_roc", "plot_calibration"],
    "Data": ["load_compas", "load_germancredit", "read_rdata"],
}
EXAMPLE = {"outcome": "Two_yr_Recidivism", "group": "ethnicity", "probs": "probability", "base": "Caucasian"}
#: The functions that draw: whose result they draw, and which of its plots that is.
DRAWN = {
    "plot_parity": ("fnr_parity", "Metric_plot"),
    "plot_probabilities": ("fnr_parity", "Probability_plot"),
    "plot_roc": ("roc_parity", "ROCAUC_plot"),
    "plot_calibration": ("calibration_within_groups", "Calibration_plot"),
}
#: Plots that the page of a function shows beside its bar chart.
BESIDES = {"roc_parity": ["ROCAUC_plot"], "calibration_within_groups": ["Calibration_plot"]}


def check_groups() -> None:
    """Fail where a public name is in no group, or a group names what is not public."""
    grouped = [name for names in GROUPS.values() for name in names]
    wrong = set(grouped) ^ {*fairness_py.__all__, "ParityResult"}
    if wrong or len(grouped) != len(set(grouped)):
        raise ValueError(f"docs/pages.py must name every public function once; check {sorted(wrong)}")


def write(folder: Path) -> None:
    """Write the index of the reference, a page a name, and the pictures."""
    check_groups()
    (folder / "plots").mkdir(parents=True, exist_ok=True)
    index = ["# Reference", "", "```{py:module} fairness_py", "```", ""]
    for group, names in GROUPS.items():
        index += [f"## {group}", "", "| | |", "|---|---|"]
        index += [f"| [{name}]({name}.rst) | {_first_line(name)} |" for name in names]
        index += ["", "```{toctree}", ":hidden:", "", *names, "```", ""]
        for name in names:
            (folder / f"{name}.rst").write_text(_page(name, _draw(name, folder / "plots")), encoding="utf-8")
    (folder / "index.md").write_text("\n".join(index), encoding="utf-8")


def _object(name: str) -> object:
    if name == "ParityResult":
        from fairness_py._result import ParityResult

        return ParityResult
    return getattr(fairness_py, name)


def _first_line(name: str) -> str:
    return (_object(name).__doc__ or "").strip().splitlines()[0]


def _page(name: str, pictures: list[tuple[str, str]]) -> str:
    directive = f"autofunction:: fairness_py.{name}"
    if name == "ParityResult":
        directive = (
            "autoclass:: fairness_py._result.ParityResult\n   :members: base, densities, roc_curves, draw, summary"
        )
    lines = [name, "=" * len(name), "", f".. {directive}", ""]
    if pictures:
        lines += [".. rubric:: Plots of the example", ""]
    for file, alt in pictures:
        lines += [f".. image:: plots/{file}", f"   :alt: {alt}", "   :class: example-plot", ""]
    return "\n".join(lines)


def _draw(name: str, folder: Path) -> list[tuple[str, str]]:
    """Draw the plots of a name's page; return their files, and what they show."""
    if name in DRAWN:
        function, key = DRAWN[name]
        wanted = [(function, key)]
    elif name in METRICS:
        wanted = [(name, key) for key in ["Metric_plot", *BESIDES.get(name, [])]]
    else:
        return []
    pictures = []
    for function, key in wanted:
        file = f"{function}_{key}.png"
        if not (folder / file).exists():
            result = getattr(fairness_py, function)(fairness_py.load_compas(), **EXAMPLE)
            result[key].savefig(folder / file, dpi=110, bbox_inches="tight")
        pictures.append((file, f"{key} of {function} on the bundled data, by ethnicity"))
    return pictures
