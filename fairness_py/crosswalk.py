"""Which metric is which: the names and the signs that other libraries have for the same numbers."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from .metrics import METRICS

UNSIGNED = "{} (no sign)"
MINMAX = "{} (smaller by larger)"
RATIO = "{} (as a ratio)"


class _Entry(NamedTuple):
    """A metric of this package, and what it is called elsewhere."""

    function: str
    short_name: str
    formula: str
    positive: str  # what a positive difference, or a ratio above 1, says of group d
    range: str
    r: str = ""
    clarify: str = ""
    aif360: str = ""
    fairlearn: str = ""


ENTRIES = (
    _Entry("acc_parity", "", "ACC_d / ACC_a", "d is predicted rightly more often", "[0, ∞]", "acc_parity",
           fairlearn=MINMAX.format("accuracy_score_ratio")),
    _Entry("dem_parity", "", "(TP + FP)_d / (TP + FP)_a", "more people of d are selected", "[0, ∞]", "dem_parity"),
    _Entry("equal_odds", "", "TPR_d / TPR_a", "d is found more often", "[0, ∞]", "equal_odds",
           fairlearn=MINMAX.format("true_positive_rate_ratio")),
    _Entry("fnr_parity", "", "FNR_d / FNR_a", "d is missed more often", "[0, ∞]", "fnr_parity",
           aif360="false_negative_rate_ratio", fairlearn=MINMAX.format("false_negative_rate_ratio")),
    _Entry("fpr_parity", "", "FPR_d / FPR_a", "d gets more false alarms", "[0, ∞]", "fpr_parity",
           aif360="false_positive_rate_ratio", fairlearn=MINMAX.format("false_positive_rate_ratio")),
    _Entry("mcc_parity", "", "MCC_d / MCC_a", "d is predicted better, where both MCC are positive", "[-∞, ∞]",
           "mcc_parity"),
    _Entry("npv_parity", "", "NPV_d / NPV_a", "negative predictions are right more often in d", "[0, ∞]", "npv_parity"),
    _Entry("pred_rate_parity", "", "PPV_d / PPV_a", "positive predictions are right more often in d", "[0, ∞]",
           "pred_rate_parity"),
    _Entry("prop_parity", "", "SR_d / SR_a", "d is selected more often", "[0, ∞]", "prop_parity", "DI",
           "disparate_impact", MINMAX.format("demographic_parity_ratio")),
    _Entry("roc_parity", "", "AUC_d / AUC_a", "d is ranked better", "[0, ∞]", "roc_parity"),
    _Entry("spec_parity", "", "TNR_d / TNR_a", "d gets fewer false alarms", "[0, ∞]", "spec_parity",
           fairlearn=MINMAX.format("true_negative_rate_ratio")),
    _Entry("recall_difference", "RD", "TPR_a - TPR_d", "d is found less often", "[-1, 1]",
           RATIO.format("equal_odds"), "RD", "-true_positive_rate_difference",
           UNSIGNED.format("true_positive_rate_difference")),
    _Entry("specificity_difference", "SD", "TNR_d - TNR_a", "d gets fewer false alarms", "[-1, 1]",
           RATIO.format("spec_parity"), "SD", "-false_positive_rate_difference",
           UNSIGNED.format("true_negative_rate_difference")),
    _Entry("equal_opportunity_difference", "EOD", "TPR_d - TPR_a", "d is found more often", "[-1, 1]",
           RATIO.format("equal_odds"), "-RD", "equal_opportunity_difference",
           UNSIGNED.format("equal_opportunity_difference")),
    _Entry("average_odds_difference", "AOD", "[(FPR_d - FPR_a) + (TPR_d - TPR_a)] / 2",
           "d gets more positive predictions at equal outcomes, on average", "[-1, 1]", "", "-(RD + SD) / 2",
           "average_odds_difference"),
    _Entry("statistical_parity_difference", "SPD", "SR_d - SR_a", "d is selected more often", "[-1, 1]",
           RATIO.format("prop_parity"), "-DPPL", "statistical_parity_difference",
           UNSIGNED.format("demographic_parity_difference")),
    _Entry("disparate_impact", "DI", "SR_d / SR_a", "d is selected more often", "[0, ∞)", "prop_parity", "DI",
           "disparate_impact", MINMAX.format("demographic_parity_ratio")),
    _Entry("difference_in_positive_proportions", "DPPL", "SR_a - SR_d", "d is selected less often", "[-1, 1]",
           RATIO.format("prop_parity"), "DPPL", "-statistical_parity_difference",
           UNSIGNED.format("demographic_parity_difference")),
    _Entry("accuracy_difference", "AD", "ACC_a - ACC_d", "d is predicted rightly less often", "[-1, 1]",
           RATIO.format("acc_parity"), "AD", "error_rate_difference", UNSIGNED.format("accuracy_score_difference")),
    _Entry("difference_in_acceptance_rates", "DAR", "PPV_a - PPV_d", "positive predictions are right less often in d",
           "[-1, 1]", RATIO.format("pred_rate_parity"), "DAR", "false_discovery_rate_difference"),
    _Entry("difference_in_rejection_rates", "DRR", "NPV_d - NPV_a", "negative predictions are right more often in d",
           "[-1, 1]", RATIO.format("npv_parity"), "DRR", "-false_omission_rate_difference"),
    _Entry("difference_in_conditional_acceptance", "DCAcc", "P_a / P̂_a - P_d / P̂_d",
           "d has fewer positive outcomes per positive prediction", "(-∞, ∞)", "", "DCAcc"),
    _Entry("difference_in_conditional_rejection", "DCR", "N_d / N̂_d - N_a / N̂_a",
           "d has more negative outcomes per negative prediction", "(-∞, ∞)", "", "DCR"),
    _Entry("treatment_equality", "TE", "FN_d / FP_d - FN_a / FP_a", "d has more misses per false alarm", "(-∞, ∞)", "",
           "TE"),
    _Entry("calibration_within_groups", "", "observed rate - mean score, in each group and bin of scores",
           "the scores promise less than what happens", "[-1, 1]"),
)  # fmt: skip


def crosswalk() -> pd.DataFrame:
    """Return what every metric of this package is called in other libraries, and with which sign.

    Returns
    -------
    DataFrame
        One row a function, with the columns

        ``Function``, ``Short name``
            The function of this package, and the abbreviation of its source.
        ``Formula``
            Of group d and the base group a (the favoured facet, the privileged group). SR is the proportion of positive
            predictions; P and N are the numbers of positive and negative outcomes, P̂ and N̂ those of predictions.
        ``Positive means``
            What a positive difference, or a ratio above 1, says of group d.
        ``Range``, ``No disparity``
            The values it can have, and that of no disparity (0 or 1).
        ``R fairness``, ``Clarify``, ``AIF360``, ``Fairlearn``
            The same thing in R's package fairness, in Amazon SageMaker Clarify, in AIF360's ``ClassificationMetric``,
            and in Fairlearn: the name alone where the number is the same, with a minus where it has the other sign,
            "(as a ratio)" where the same rates are divided, "(no sign)" and "(smaller by larger)" where it is not said
            which group the number speaks against; empty where there is none.

    See Also
    --------
    recall_difference, average_odds_difference, disparate_impact

    Notes
    -----
    Fairlearn takes the largest and the smallest rate of all groups. For two groups, its differences are the absolute
    values of ours, and its ratios are ours or their inverse, whichever is below 1. Its ``equalized_odds_difference`` is
    the larger of the two gaps that `average_odds_difference` shows, without sign, and not their mean.
    AIF360 and Clarify compare one group with one other, which may be several groups pooled: ``versus="rest"`` here.
    The library ``smclarify`` calls DCAcc ``DCA``.

    Examples
    --------
    >>> from fairness_py import crosswalk
    >>> table = crosswalk().set_index("Function")
    >>> table.loc["equal_opportunity_difference", ["Formula", "Clarify", "AIF360"]].tolist()
    ['TPR_d - TPR_a', '-RD', 'equal_opportunity_difference']
    """
    names = [
        "Function",
        "Short name",
        "Formula",
        "Positive means",
        "Range",
        "R fairness",
        "Clarify",
        "AIF360",
        "Fairlearn",
    ]
    table = pd.DataFrame(ENTRIES, columns=names)
    table.insert(5, "No disparity", [METRICS[entry.function].reference for entry in ENTRIES])
    return table
