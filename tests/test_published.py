"""Numbers that others have published, to every digit that they print.

They are written here as they were printed, and ours are rounded to as many decimals. What others computed from data
that are not bundled is held to their data, where these are present.
"""

from __future__ import annotations

import pandas as pd
import pytest

import fairness_py

GROUPS = ["Caucasian", "African_American", "Asian", "Hispanic", "Native_American", "Other"]
COMPAS = {"outcome": "Two_yr_Recidivism", "group": "ethnicity", "probs": "probability"}


def assert_printed(ours, published):
    """Hold a row of a table to numbers in the order of GROUPS, with blanks between them."""
    numbers = published.split()
    assert [f"{ours[group]:.{decimals(x)}f}" for group, x in zip(GROUPS, numbers, strict=False)] == numbers


def decimals(number):
    return len(number.partition(".")[2])


def counts_of(call):
    """Return TP, FN, FP, TN of each group, from rates and numbers of rows alone."""
    selected = fairness_py.dem_parity(**call).Metric
    n = selected.loc["Group size"]
    positive = selected.loc["Positively classified"]
    tp = (fairness_py.pred_rate_parity(**call).Metric.loc["Precision"] * positive).fillna(0)
    tn = (fairness_py.npv_parity(**call).Metric.loc["NPV"] * (n - positive)).fillna(0)
    counts = pd.DataFrame({"TP": tp, "FN": n - positive - tn, "FP": positive - tp, "TN": tn})
    assert (counts - counts.round()).abs().to_numpy().max() < 1e-9
    return counts.round().astype(int)


# ------------------------------------------------------------------ on the bundled data


def test_readme_of_the_r_package(compas):
    result = fairness_py.equal_odds(compas, **COMPAS, cutoff=0.5, base="Caucasian").Metric
    assert list(result) == GROUPS
    assert_printed(result.loc["Sensitivity"], "0.4720 0.7526 0.2500 0.4656 0.6000 0.4194")
    assert_printed(result.loc["Equalized odds"], "1.0000 1.5943 0.5296 0.9864 1.2711 0.8884")
    assert_printed(result.loc["Group size"], "2103 3175 31 509 11 343")


@pytest.mark.parametrize("kind", [int, float])
def test_readme_of_the_r_package_with_the_outcome_as_0_and_1(compas, kind):
    compas["Two_yr_Recidivism_01"] = (compas["Two_yr_Recidivism"] == "yes").astype(kind)
    result = fairness_py.equal_odds(compas, **COMPAS | {"outcome": "Two_yr_Recidivism_01"}, base="Caucasian").Metric
    assert_printed(result.loc["Equalized odds"], "1.0000 1.5943 0.5296 0.9864 1.2711 0.8884")


def test_readme_of_versions_before_1_2_1(compas):
    result = fairness_py.equal_odds(compas, **COMPAS, base="Caucasian", outcome_base="yes").Metric
    assert_printed(result.loc["Sensitivity"], "0.7782982 0.5845443 0.9130435 0.809375 0.6666667 0.8493151")
    assert_printed(result.loc["Equalized odds"], "1.0000000 0.7510544 1.1731281 1.039929 0.8565697 1.0912463")


def test_readme_of_2019(compas):
    result = fairness_py.prop_parity(compas, **COMPAS, base="Caucasian").Metric
    assert_printed(result.loc["Proportion"], "0.3195435 0.591811 0.1290323 0.2927308 0.4545455 0.2478134")
    assert_printed(result.loc["Proportional Parity"], "1 1.852051 0.4038018 0.9160907 1.4224838 0.7755232")


# caret's confusion matrix of the Caucasian group, in issue 12 of the R package
CARET = {
    "acc_parity": ("Accuracy", "0.6586"),
    "equal_odds": ("Sensitivity", "0.4720"),
    "spec_parity": ("Specificity", "0.7783"),
    "pred_rate_parity": ("Precision", "0.5774"),
    "npv_parity": ("NPV", "0.6967"),
    "prop_parity": ("Proportion", "0.3195"),  # caret's detection prevalence
}


@pytest.mark.parametrize("name", CARET)
def test_caret_table_of_the_caucasian_group(compas, name):
    row, published = CARET[name]
    assert_printed(getattr(fairness_py, name)(compas, **COMPAS).Metric.loc[row], published)


def test_caret_counts_of_the_caucasian_group(compas):
    counts = counts_of({"data": compas, **COMPAS}).loc["Caucasian"]
    assert counts.to_dict() == {"TN": 997, "FN": 434, "FP": 284, "TP": 388}
    assert f"{(counts['TP'] + counts['FN']) / counts.sum():.4f}" == "0.3909"  # the prevalence


# nine parities in the article "Model fairness" of the R package jfa: African_American, Asian, Hispanic
JFA = {
    "dem_parity": "1 2.7961 0.0059524 0.22173",
    "prop_parity": "1 1.8521 0.4038 0.91609",
    "pred_rate_parity": "1 1.1522 0.86598 1.0229",
    "acc_parity": "1 1.021 1.1266 1.0351",
    "fnr_parity": "1 0.46866 1.4205 1.0121",
    "fpr_parity": "1 1.8739 0.39222 0.85983",
    "equal_odds": "1 1.5943 0.52964 0.98642",
    "npv_parity": "1 0.98013 1.1163 1.0326",
    "spec_parity": "1 0.75105 1.1731 1.0399",
}


def assert_jfa(data, name):
    preds = data["predicted"].map({0: "no", 1: "yes"})
    call = {"outcome": "Two_yr_Recidivism", "group": "ethnicity", "preds": preds, "base": "Caucasian"}
    result = getattr(fairness_py, name)(data, **call)
    assert_printed(result.Metric.loc[result.metric.value_row], JFA[name])


@pytest.mark.parametrize("name", JFA)
def test_jfa_article(compas, name):
    assert_jfa(compas, name)


def test_jfa_counts(compas):
    counts = counts_of({"data": compas, **COMPAS}).loc["African_American"]
    assert counts.to_dict() == {"TN": 885, "FP": 629, "FN": 411, "TP": 1250}


# ------------------------------------------------------------------ on the data of others


@pytest.fixture(scope="module")
def r_compas(real_dir):
    pytest.importorskip("rdata")
    return fairness_py.read_rdata(real_dir / "compas.rda")


@pytest.mark.parametrize("name", JFA)
def test_jfa_article_on_r_data(r_compas, name):
    assert_jfa(r_compas, name)


def test_readme_and_caret_on_r_data(r_compas):
    result = fairness_py.equal_odds(r_compas, **COMPAS, base="Caucasian").Metric
    assert_printed(result.loc["Equalized odds"], "1.0000 1.5943 0.5296 0.9864 1.2711 0.8884")
    counts = counts_of({"data": r_compas, **COMPAS}).loc["Caucasian"]
    assert counts.to_dict() == {"TN": 997, "FN": 434, "FP": 284, "TP": 388}


# the tutorial of the R package's author: base, raw metric, parity, in the order of GROUPS
TUTORIAL = [
    ("pred_rate_parity", {"base": "Caucasian"}, "0.585034 0.702381 0.5 0.5909091 1 0.9"),
    ("pred_rate_parity", {"base": "Caucasian"}, "1 1.200581 0.8546512 1.0100423 1.709302 1.538372"),
    ("pred_rate_parity", {"base": "Hispanic"}, "0.9900576 1.188645 0.8461538 1 1.692308 1.523077"),
    (
        "pred_rate_parity",
        {"base": "Caucasian", "probs": "prob_2"},
        "0.5933333 0.703854 0.4 0.5142857 1 0.625",
    ),
    (
        "pred_rate_parity",
        {"base": "Caucasian", "probs": "prob_2"},
        "1 1.186271 0.6741573 0.8667737 1.685393 1.053371",
    ),
    ("dem_parity", {"base": "Caucasian"}, "147 504 2 22 1 10"),
    ("dem_parity", {"base": "Caucasian"}, "1 3.428571 0.01360544 0.1496599 0.006802721 0.06802721"),
    ("prop_parity", {"base": "Caucasian"}, "0.2363344 0.5239085 0.125 0.1527778 0.25 0.09615385"),
    ("prop_parity", {"base": "Caucasian"}, "1 2.2168102 0.5289116 0.6464475 1.057823 0.40685505"),
    ("equal_odds", {"base": "African_American"}, "0.3659574 0.6996047 0.25 0.26 0.5 0.2142857"),
    ("equal_odds", {"base": "African_American"}, "0.5230917 1 0.3573446 0.3716384 0.7146893 0.3062954"),
    (
        "acc_parity",
        {"base": "African_American", "outcome_base": None},
        "0.6623794 0.6860707 0.75 0.6805556 0.75 0.6730769",
    ),
    (
        "acc_parity",
        {"base": "African_American", "outcome_base": None},
        "0.9654682 1 1.093182 0.9919613 1.093182 0.9810606",
    ),
    ("fnr_parity", {"base": "African_American"}, "0.6340426 0.3003953 0.75 0.74 0.5 0.7857143"),
    ("fnr_parity", {"base": "African_American"}, "2.1106943 1 2.496711 2.463421 1.664474 2.6156015"),
    ("fpr_parity", {"base": "African_American"}, "0.1576227 0.3289474 0.08333333 0.09574468 0 0.01612903"),
    ("fpr_parity", {"base": "African_American"}, "0.4791731 1 0.2533333 0.2910638 0 0.04903226"),
    ("npv_parity", {"base": "African_American"}, "0.6863158 0.6681223 0.7857143 0.6967213 0.6666667 0.6489362"),
    ("npv_parity", {"base": "African_American"}, "1.0272308 1 1.1760037 1.0428051 0.9978214 0.9712835"),
]


@pytest.fixture(scope="module")
def tutorial(real_dir):
    return pd.read_csv(real_dir / "tutorial_valid.csv")


def by_ethnicity(data, name, **options):
    call = {"outcome": "y", "group": "ethnicity", "probs": "prob_1", "outcome_base": "0", "cutoff": 0.5} | options
    return getattr(fairness_py, name)(data, **call)


@pytest.mark.parametrize(("name", "options", "published"), TUTORIAL)
def test_tutorial(tutorial, name, options, published):
    result = by_ethnicity(tutorial, name, **options)
    is_parity = published.split()[GROUPS.index(options["base"])] == "1"
    raw = next(iter(result.metric.rates))
    assert_printed(result.Metric.loc[result.metric.value_row if is_parity else raw], published)


def test_tutorial_sizes_and_counts(tutorial):
    call = {"data": tutorial, "outcome": "y", "probs": "prob_1", "outcome_base": "0"}
    sizes = by_ethnicity(tutorial, "prop_parity").Metric.loc["Group size"]
    assert_printed(sizes, "622 962 16 144 4 104")
    counts = counts_of(call | {"group": "ethnicity"})
    assert counts.loc[GROUPS].to_numpy().tolist() == [
        [86, 149, 61, 326],
        [354, 152, 150, 306],
        [1, 3, 1, 11],
        [13, 37, 9, 85],
        [1, 1, 0, 2],
        [9, 33, 1, 61],
    ]
    counts = counts_of(call | {"group": "Female"})
    assert counts.loc[["Male", "Female"]].to_numpy().tolist() == [[433, 302, 204, 576], [31, 73, 18, 215]]


def test_tutorial_by_sex(tutorial):
    auc = fairness_py.roc_parity(tutorial, "y", "Female", probs="prob_1", base="Male").Metric
    assert [f"{x:.7f}" for x in auc.loc["ROC AUC"]] == ["0.7221429", "0.7192349"]
    assert [f"{x:.7f}" for x in auc.loc["ROC AUC Parity"]] == ["1.0000000", "0.9959731"]
    mcc = fairness_py.mcc_parity(tutorial, "y", "Female", probs="prob_1", outcome_base="0", base="Male").Metric
    assert [f"{x:.7f}" for x in mcc.loc["MCC"]] == ["0.3316558", "0.2893650"]
    assert [f"{x:.7f}" for x in mcc.loc["MCC Parity"]] == ["1.0000000", "0.8724859"]


# ProPublica, cells 71 to 84 of its notebook: TN FP FN TP, then FPR %, PPV, NPV, and the accuracy % that Dressel and
# Farid (2018) give for COMPAS in their table 2
PROPUBLICA = {
    "All": ([2681, 1282, 1216, 2035], "32.35 0.61 0.69 65.4"),
    "African-American": ([990, 805, 532, 1369], "44.85 0.63 0.65 63.8"),
    "Caucasian": ([1139, 349, 461, 505], "23.45 0.59 0.71 67.0"),
}
PROPUBLICA_HIGH = {
    "Caucasian": ([1407, 81, 771, 195], "5.44"),
    "African-American": ([1511, 284, 1160, 741], "15.82"),
}


@pytest.fixture(scope="module")
def propublica(real_dir):
    return pd.read_csv(real_dir / "propublica_two_years.csv")


def propublica_call(data, group, *, flagged):
    everyone = pd.Series("All", index=data.index)
    return {
        "data": data,
        "outcome": "two_year_recid",
        "group": everyone if group == "All" else "race",
        "preds": data["score_text"].isin(flagged).astype(int),
    }


@pytest.mark.parametrize("group", PROPUBLICA)
def test_propublica(propublica, group):
    call = propublica_call(propublica, group, flagged=["Medium", "High"])
    counts, published = PROPUBLICA[group]
    assert counts_of(call).loc[group, ["TN", "FP", "FN", "TP"]].tolist() == counts
    ours = [
        100 * fairness_py.fpr_parity(**call).Metric.loc["FPR", group],
        fairness_py.pred_rate_parity(**call).Metric.loc["Precision", group],
        fairness_py.npv_parity(**call).Metric.loc["NPV", group],
        100 * fairness_py.acc_parity(**call).Metric.loc["Accuracy", group],
    ]
    assert [f"{x:.{decimals(text)}f}" for x, text in zip(ours, published.split(), strict=True)] == published.split()


@pytest.mark.parametrize("group", PROPUBLICA_HIGH)
def test_propublica_high_scores(propublica, group):
    call = propublica_call(propublica, group, flagged=["High"])
    counts, published = PROPUBLICA_HIGH[group]
    assert counts_of(call).loc[group, ["TN", "FP", "FN", "TP"]].tolist() == counts
    assert f"{100 * fairness_py.fpr_parity(**call).Metric.loc['FPR', group]:.2f}" == published
