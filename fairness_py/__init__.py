"""Measure how differently a classifier treats groups of people, compatible with the R package fairness."""

from typing import TYPE_CHECKING, Any

from .calibration import calibration_within_groups
from .counting import count_outcomes
from .crosswalk import crosswalk
from .datasets import load_compas, load_germancredit
from .differences import (
    accuracy_difference,
    average_odds_difference,
    difference_in_acceptance_rates,
    difference_in_conditional_acceptance,
    difference_in_conditional_rejection,
    difference_in_positive_proportions,
    difference_in_rejection_rates,
    disparate_impact,
    equal_opportunity_difference,
    recall_difference,
    specificity_difference,
    statistical_parity_difference,
    treatment_equality,
)
from .error_rates import equal_odds, fnr_parity, fpr_parity, spec_parity
from .overall import acc_parity, mcc_parity
from .predictive_values import npv_parity, pred_rate_parity
from .rfiles import read_rdata
from .roc import roc_parity
from .selection import dem_parity, prop_parity

if TYPE_CHECKING:
    from ._calibration_plot import plot_calibration
    from .plots import plot_parity, plot_probabilities, plot_roc

__version__ = "0.1.0"

__all__ = [
    "acc_parity",
    "accuracy_difference",
    "average_odds_difference",
    "calibration_within_groups",
    "count_outcomes",
    "crosswalk",
    "dem_parity",
    "difference_in_acceptance_rates",
    "difference_in_conditional_acceptance",
    "difference_in_conditional_rejection",
    "difference_in_positive_proportions",
    "difference_in_rejection_rates",
    "disparate_impact",
    "equal_odds",
    "equal_opportunity_difference",
    "fnr_parity",
    "fpr_parity",
    "load_compas",
    "load_germancredit",
    "mcc_parity",
    "npv_parity",
    "plot_calibration",
    "plot_parity",
    "plot_probabilities",
    "plot_roc",
    "pred_rate_parity",
    "prop_parity",
    "read_rdata",
    "recall_difference",
    "roc_parity",
    "spec_parity",
    "specificity_difference",
    "statistical_parity_difference",
    "treatment_equality",
]


def __getattr__(name: str) -> Any:
    """Load the plot functions, and matplotlib with them, when one is asked for."""
    if name == "plot_calibration":
        from ._calibration_plot import plot_calibration

        return plot_calibration
    if name in __all__ and name.startswith("plot_"):
        from . import plots

        return getattr(plots, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
