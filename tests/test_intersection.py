"""Several group columns at once: the observed combinations, as R's `interaction()` names and orders them."""

from __future__ import annotations

import inspect

import numpy as np
import pandas as pd
import pytest
from helpers import messages_of, quietly

import fairness_py
from fairness_py import fnr_parity, load_compas, recall_difference
from fairness_py.metrics import METRICS

# In R: levels(interaction(factor(c("f", "m")), factor(c("old", "young")))) is
# "f.old" "m.old" "f.young" "m.young": the first factor varies fastest.
PEOPLE = pd.DataFrame(
    {
        "sex": list("mmffmfmffmmfmfffmm"),
        "age": ["young", "old", "old"] * 6,
        "outcome": [0, 1, 1, 0, 1, 0] * 3,
        "score": np.tile([0.1, 0.8, 0.4, 0.6, 0.7, 0.3, 0.9, 0.2, 0.55], 2),
    }
)
EVERYTHING = sorted(METRICS)


def columns(frame, group, **options):
    return list(quietly(fnr_parity, frame, "outcome", group, probs="score", **options).Metric.columns)


def call(name, frame, group, **options):
    function = getattr(fairness_py, name)
    known = inspect.signature(function).parameters
    return quietly(function, frame, "outcome", group, probs="score", **{k: v for k, v in options.items() if k in known})


def test_names_and_order():
    assert columns(PEOPLE, ["sex", "age"]) == ["f.old", "m.old", "f.young", "m.young"]
    assert columns(PEOPLE, ["age", "sex"]) == ["old.f", "young.f", "old.m", "young.m"]


def test_the_levels_of_categoricals_set_the_order():
    frame = PEOPLE.assign(
        sex=pd.Categorical(PEOPLE["sex"], categories=["m", "x", "f"]),
        age=pd.Categorical(PEOPLE["age"], categories=["young", "old"]),
    )
    assert columns(frame, ["sex", "age"]) == ["m.young", "f.young", "m.old", "f.old"]  # and nobody is x


def test_combinations_that_nobody_is_in_are_left_out():
    frame = PEOPLE[(PEOPLE["sex"] == "m") | (PEOPLE["age"] == "old")]
    assert columns(frame, ["sex", "age"]) == ["f.old", "m.old", "m.young"]


def test_numbers_and_truth_values_have_the_names_that_r_gives_them():
    frame = PEOPLE.assign(old=PEOPLE["age"] == "old", half=np.where(PEOPLE["sex"] == "f", 0.5, 10.0))
    assert columns(frame, ["old", "half"]) == ["FALSE.0.5", "TRUE.0.5", "FALSE.10", "TRUE.10"]


def test_three_columns():
    frame = PEOPLE.assign(site=np.resize([2, 10], len(PEOPLE)))
    found = columns(frame, ["site", "sex", "age"])
    full = [f"{site}.{sex}.{age}" for age in ("old", "young") for sex in "fm" for site in (2, 10)]
    assert found == [name for name in full if name in found]
    assert len(found) > 4


def test_a_single_column_in_a_list_is_that_column():
    assert columns(PEOPLE, ["sex"]) == columns(PEOPLE, "sex") == ["f", "m"]


def test_compas_by_ethnicity_and_sex():
    compas = load_compas()
    combined = quietly(
        fnr_parity,
        compas,
        "Two_yr_Recidivism",
        ["ethnicity", "Female"],
        probs="probability",
        base=("Caucasian", "Female"),
    )
    ethnicities, sexes = compas["ethnicity"].cat.categories, compas["Female"].cat.categories
    order = [f"{ethnicity}.{sex}" for sex in sexes for ethnicity in ethnicities]
    order.insert(0, order.pop(order.index("Caucasian.Female")))
    counted = (compas["ethnicity"].astype(str) + "." + compas["Female"].astype(str)).value_counts()
    assert list(combined.Metric.columns) == [name for name in order if name in counted]
    assert combined.Metric.loc["Group size"].astype(int).to_dict() == counted.to_dict()


@pytest.mark.parametrize("name", EVERYTHING)
def test_every_function_gives_what_it_gives_for_the_joined_column(name):
    joined = PEOPLE["sex"] + "." + PEOPLE["age"]
    order = ["f.old", "m.old", "f.young", "m.young"]
    expected = call(name, PEOPLE.assign(group=pd.Categorical(joined, categories=order)), "group", base="m.young")
    got = call(name, PEOPLE, ["sex", "age"], base="m.young")
    assert got == expected
    assert list(got.Metric.columns) == ["m.young", "f.old", "m.old", "f.young"]


@pytest.mark.parametrize("name", EVERYTHING)
@pytest.mark.parametrize("base", [("f", "young"), "f.young"])
def test_base_is_a_tuple_or_the_joined_name(name, base):
    assert call(name, PEOPLE, ["sex", "age"], base=base).base == "f.young"


def test_a_tuple_of_numbers_and_truth_values():
    frame = PEOPLE.assign(old=PEOPLE["age"] == "old", half=np.where(PEOPLE["sex"] == "f", 0.5, 10.0))
    for base in [(True, 10), (True, 10.0), (np.True_, np.float64(10)), ("TRUE", "10")]:
        assert columns(frame, ["old", "half"], base=base)[0] == "TRUE.10"


@pytest.mark.parametrize(
    ("base", "message"),
    [
        (("f", "yung"), r"base must be one of the groups .* Did you mean 'f\.young'\?"),
        (("young", "f"), "base must be one of the groups"),
        (("f",), "base must be one of the groups"),
        ("f", "base must be one of the groups"),
    ],
)
def test_a_base_that_is_no_combination(base, message):
    with pytest.raises(ValueError, match=message):
        fnr_parity(PEOPLE, "outcome", ["sex", "age"], probs="score", base=base)


def test_a_row_without_one_of_the_values_has_no_group():
    frame = PEOPLE.copy()
    frame.loc[0, "sex"] = None
    frame.loc[[0, 1], "age"] = None
    messages = messages_of(fnr_parity, frame, "outcome", ["sex", "age"], probs="score")
    assert messages == ["2 of 18 rows were left out: group is missing in 2."]
    result = quietly(fnr_parity, frame, "outcome", ["sex", "age"], probs="score").Metric
    expected = quietly(fnr_parity, PEOPLE.iloc[2:], "outcome", ["sex", "age"], probs="score").Metric
    pd.testing.assert_frame_equal(result, expected)


def test_group_breaks_do_not_bin_combinations():
    frame = PEOPLE.assign(years=np.resize([20, 40, 60], len(PEOPLE)))
    messages = messages_of(fnr_parity, frame, "outcome", ["sex", "years"], probs="score", group_breaks=2)
    assert messages == ["Attempting to bin a non-numeric group feature."]
    assert columns(frame, ["sex", "years"], group_breaks=2) == columns(frame, ["sex", "years"])


def test_combinations_of_one_name_are_not_merged():
    frame = pd.DataFrame({"one": ["a.b", "a", "a"], "two": ["c", "b.c", "c"], "outcome": [0, 1, 1], "score": 0.7})
    with pytest.raises(ValueError, match="several combinations of 'one', 'two' have the same name"):
        fnr_parity(frame, "outcome", ["one", "two"], probs="score")


def test_a_mistyped_column_in_the_list():
    with pytest.raises(ValueError, match="group"):
        fnr_parity(PEOPLE, "outcome", ["sex", "agee"], probs="score")


def test_the_rest_of_a_combination_is_everybody_else():
    got = quietly(recall_difference, PEOPLE, "outcome", ["sex", "age"], probs="score", versus="rest").Metric
    member = (PEOPLE["sex"] == "m") & (PEOPLE["age"] == "old")
    two = PEOPLE.assign(group=np.where(member, "member", "others"))
    expected = quietly(recall_difference, two, "outcome", "group", probs="score", base="others").Metric
    assert got.loc["Recall Difference", "m.old"] == expected.loc["Recall Difference", "member"]


def test_the_plots_of_combinations():
    for key, figure in call("calibration_within_groups", PEOPLE, ["sex", "age"]).items():
        if key.endswith("_plot"):
            figure.canvas.draw()
            assert figure.axes
    curves = call("roc_parity", PEOPLE, ["sex", "age"]).roc_curves
    assert [curve.group for curve in curves] == ["f.old", "m.old", "f.young", "m.young"]


def test_arrow_and_nullable_columns():
    frame = PEOPLE.assign(sex=PEOPLE["sex"].astype("string[pyarrow]"), site=pd.array([1, 2] * 9, dtype="Int64"))
    assert columns(frame, ["sex", "site"]) == ["f.1", "m.1", "f.2", "m.2"]
