"""The bundled data sets: invented rows with the group counts of the R data sets `compas` and `germancredit`."""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path

import pandas as pd

__all__ = ["load_compas", "load_germancredit"]

#: The levels of every factor of the R data sets, in R's order.
_COMPAS_LEVELS: Mapping[str, Sequence[str]] = {
    "Two_yr_Recidivism": ["no", "yes"],
    "Age_Above_FourtyFive": ["no", "yes"],
    "Age_Below_TwentyFive": ["no", "yes"],
    "Female": ["Male", "Female"],
    "Misdemeanor": ["no", "yes"],
    "ethnicity": ["Caucasian", "African_American", "Asian", "Hispanic", "Native_American", "Other"],
}
_GERMANCREDIT_LEVELS: Mapping[str, Sequence[str]] = {
    "Account_status": ["< 0 DM", ">= 200 DM", "0 < ... <  200 DM", "no checking account"],
    "Credit_history": [
        "all credits at this bank paid back duly",
        "critical account / other credits existing (not at this bank)",
        "delay in paying off in the past",
        "existing credits paid back duly till now",
        "no credits taken / all credits paid back duly",
    ],
    "Purpose": [
        "business",
        "car (new)",
        "car (used)",
        "domestic appliances",
        "education",
        "furniture / equipment",
        "others",
        "radio / television",
        "repairs",
        "retrainin",
    ],
    "Savings": [
        "< 100 DM",
        ">= 1000 DM",
        "100 <= ... <  500 DM",
        "500 <= ... < 1000 DM",
        "unknown / no savings account",
    ],
    "Employment": ["< 1 year", ">= 7 years", "1  <= ... < 4 years", "4  <= ... < 7 years", "unemployed"],
    "Guarantors": ["co-applicant", "guarantor", "none"],
    "Property": [
        "building society savings agreement / life insurance",
        "car or other",
        "real estate",
        "unknown / no property",
    ],
    "Other_plans": ["bank", "none", "stores"],
    "Housing": ["A151", "A152", "A153"],
    "Job": [
        "management / self-employed / highly qualified employee / officer",
        "skilled employee / official",
        "unemployed / unskilled  - non-resident",
        "unskilled - resident",
    ],
    "Phone": ["none", "yes, registered under the customers name"],
    "Foreign": ["no", "yes"],
    "BAD": ["BAD", "GOOD"],
}


def load_compas() -> pd.DataFrame:
    """Load the bundled COMPAS data: invented defendants with the group counts of the R data set `compas`.

    **The rows are invented; no row describes a real person.** They have the columns, the levels and the counts of
    outcomes and predictions a group that the data set `compas` of the R package has, so that its published tables come
    out of them. They say nothing about recidivism.

    Returns
    -------
    pandas.DataFrame
        6172 rows and 9 columns, with row labels 0 to 6171:

        ``Two_yr_Recidivism`` : categorical (no, yes)
            Whether the defendant was charged with a new offence within two years: the outcome.
        ``Number_of_Priors`` : float
            Number of prior offences, standardised to mean 0 and standard deviation 1 over the R data set.
        ``Age_Above_FourtyFive``, ``Age_Below_TwentyFive`` : categorical (no, yes)
            Whether the defendant is older than 45 years, or younger than 25.
        ``Female`` : categorical (Male, Female)
            Sex of the defendant.
        ``Misdemeanor`` : categorical (no, yes)
            Whether the charge is a misdemeanor (and not a felony).
        ``ethnicity`` : categorical (Caucasian, African_American, Asian, Hispanic, Native_American, Other)
            Ethnicity of the defendant; the first level is the default base group.
        ``probability`` : float, 0 to 1
            Predicted probability of recidivism, of the level yes.
        ``predicted`` : int, 0 or 1
            Whether ``probability`` is above 0.5.

    See Also
    --------
    load_germancredit : The other bundled data set.
    read_rdata : Read the R package's own data, or any other data frame of R.

    Notes
    -----
    What equals the R data set: for ``ethnicity`` and for ``Female``, every table of the ten threshold metrics at the
    cutoffs 0.4 and 0.5 with any base, exactly, and the area under the ROC curve to 5 decimals. So these published
    numbers come out: the ``equal_odds`` table of the R package's README, the confusion matrix of the Caucasian group in
    its issue 12, and the parities of the jfa article [2]_. At other cutoffs and by other columns the numbers differ.

    ``data/README.md`` tells how the rows were made; the program that made them stands beside it.

    References
    ----------
    .. [1] N. Kozodoi and T. V. Varga, "fairness: Algorithmic Fairness Metrics", R package version 1.2.2, 2021.
       https://github.com/kozodoi/fairness
    .. [2] K. Derks, "Model fairness", article of the R package jfa.
       https://koenderks.github.io/jfa/articles/model-fairness.html
    .. [3] J. Angwin, J. Larson, S. Mattu and L. Kirchner, "Machine Bias", ProPublica, 2016. The data behind the R data
       set: https://github.com/propublica/compas-analysis

    Examples
    --------
    >>> from fairness_py import load_compas
    >>> compas = load_compas()
    >>> compas.shape
    (6172, 9)
    >>> compas["ethnicity"].value_counts(sort=False).to_dict()
    {'Caucasian': 2103, 'African_American': 3175, 'Asian': 31, 'Hispanic': 509, 'Native_American': 11, 'Other': 343}
    """
    return _load("compas.csv", _COMPAS_LEVELS)


def load_germancredit() -> pd.DataFrame:
    """Load the bundled credit data: invented applicants with the group counts of the R data set `germancredit`.

    **The rows are invented; no row describes a real applicant.** They have the columns, the levels and the counts of
    outcomes and predictions a group that the data set `germancredit` of the R package has. They say nothing about
    credit.

    Returns
    -------
    pandas.DataFrame
        1000 rows and 23 columns, with row labels 0 to 999:

        ``Account_status``, ``Credit_history``, ``Purpose``, ``Savings``, ``Employment``, ``Guarantors``, \
``Property``, ``Other_plans``, ``Housing``, ``Job``, ``Phone``, ``Foreign`` : categorical
            The applicant's situation, with R's levels in R's order (alphabetical).
        ``Duration`` : int, months
            Duration of the credit.
        ``Amount`` : int, Deutsche Mark
            Amount of the credit.
        ``Installment_rate`` : int, percent of the disposable income
            Instalment rate.
        ``Resident_since``, ``Num_credits``, ``People_maintenance`` : int
            Years at the present address, credits at this bank, people to maintain.
        ``Age`` : int, years
            Age of the applicant.
        ``BAD`` : categorical (BAD, GOOD)
            Whether the credit was paid back: the outcome.
        ``Female`` : text ("Female", "Male")
            Sex of the applicant; text and not categorical, as in R.
        ``probability`` : float, 0 to 1
            Predicted probability of the level BAD.
        ``predicted`` : int, 0 or 1
            Whether ``probability`` is above 0.5.

    See Also
    --------
    load_compas : The other bundled data set.
    read_rdata : Read the R package's own data, or any other data frame of R.

    Notes
    -----
    ``probability`` is that of BAD, which is the *first* level of the outcome, while R's functions and ours take
    ``probs`` to describe the second. So a call with ``probs="probability"`` and the levels as they are ranks everybody
    the wrong way round. It is so in the R data set, and kept, because R's numbers follow from it; the functions warn.
    ``credit["BAD"].cat.reorder_categories(["GOOD", "BAD"])`` puts the levels right.

    What equals the R data set: for ``Female``, and for ``Age`` cut at 18, 25, 45, 80, every table of the ten threshold
    metrics at the cutoffs 0.4 and 0.5 with any base, exactly, and the area under the ROC curve to 5 decimals.

    ``data/README.md`` tells how the rows were made; the program that made them stands beside it.

    References
    ----------
    .. [1] N. Kozodoi and T. V. Varga, "fairness: Algorithmic Fairness Metrics", R package version 1.2.2, 2021.
       https://github.com/kozodoi/fairness
    .. [2] H. Hofmann, "Statlog (German Credit Data)", UCI Machine Learning Repository, 1994. The data behind the R data
       set. https://doi.org/10.24432/C5NC77

    Examples
    --------
    >>> from fairness_py import load_germancredit
    >>> credit = load_germancredit()
    >>> credit.shape
    (1000, 23)
    >>> credit["BAD"].cat.categories.tolist()
    ['BAD', 'GOOD']
    >>> credit["Female"].value_counts().to_dict()
    {'Male': 690, 'Female': 310}
    """
    return _load("germancredit.csv", _GERMANCREDIT_LEVELS)


def _load(file_name: str, levels: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    dtypes = {column: pd.CategoricalDtype(list(categories)) for column, categories in levels.items()}
    with (_data_folder() / file_name).open("rb") as file:
        return pd.read_csv(file, dtype=dtypes, keep_default_na=False)  # no text stands for a missing value here


def _data_folder() -> Traversable:
    try:
        return importlib.resources.files("fairness_py.data")
    except ModuleNotFoundError:  # a bare checkout, where the folder stands beside the package
        return Path(__file__).resolve().parent.parent / "data"
