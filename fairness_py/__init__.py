"""Measure how differently a classifier treats groups of people, compatible with the R package fairness."""

from .datasets import load_compas, load_germancredit
from .error_rates import equal_odds, fnr_parity, fpr_parity, spec_parity
from .overall import acc_parity, mcc_parity
from .predictive_values import npv_parity, pred_rate_parity
from .rfiles import read_rdata
from .roc import roc_parity
from .selection import dem_parity, prop_parity

__version__ = "0.1.0"

__all__ = [
    "acc_parity",
    "dem_parity",
    "equal_odds",
    "fnr_parity",
    "fpr_parity",
    "load_compas",
    "load_germancredit",
    "mcc_parity",
    "npv_parity",
    "pred_rate_parity",
    "prop_parity",
    "read_rdata",
    "roc_parity",
    "spec_parity",
]
