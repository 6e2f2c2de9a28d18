"""The differences of Clarify and AIF360: against their pages, fractions worked by hand, and identities between them."""

from __future__ import annotations

import inspect
import io
import math
import pickle
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from helpers import METRICS_OF_COUNTS, messages_of, people, quietly, same_numbers, table
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.text import Text

import fairness_py
from fairness_py import average_odds_difference, disparate_impact, fnr_parity, plot_parity, recall_difference
from fairness_py.metrics import DI, METRICS

# The definitions, in exact fractions of (TP, FP, TN, FN) of the base a and of group d.
RATES = {
    "TPR": lambda tp, fp, tn, fn: (tp, tp + fn),
    "TNR": lambda tp, fp, tn, fn: (tn, tn + fp),
    "FPR": lambda tp, fp, tn, fn: (fp, tn + fp),
    "PPV": lambda tp, fp, tn, fn: (tp, tp + fp),
    "NPV": lambda tp, fp, tn, fn: (tn, tn + fn),
    "SR": lambda tp, fp, tn, fn: (tp + fp, tp + fp + tn + fn),
    "ACC": lambda tp, fp, tn, fn: (tp + tn, tp + fp + tn + fn),
    "P": lambda tp, fp, tn, fn: (tp + fn, tp + fp),
    "N": lambda tp, fp, tn, fn: (tn + fp, tn + fn),
    "TE": lambda tp, fp, tn, fn: (fn, fp),
}
# function: the raw rows of its table (label: rate), label of its value, value from the rates of a and d
DEFINITIONS = {
    "recall_difference": ({"TPR": "TPR"}, "Recall Difference", lambda a, d: a[0] - d[0]),
    "specificity_difference": ({"TNR": "TNR"}, "Specificity Difference", lambda a, d: d[0] - a[0]),
    "equal_opportunity_difference": ({"TPR": "TPR"}, "Equal Opportunity Difference", lambda a, d: d[0] - a[0]),
    "average_odds_difference": (
        {"TPR": "TPR", "FPR": "FPR"},
        "Average Odds Difference",
        lambda a, d: ((d[1] - a[1]) + (d[0] - a[0])) / 2,
    ),
    "statistical_parity_difference": ({"Proportion": "SR"}, "Statistical Parity Difference", lambda a, d: d[0] - a[0]),
    "disparate_impact": ({"Proportion": "SR"}, "Disparate Impact", lambda a, d: d[0] / a[0]),
    "difference_in_positive_proportions": (
        {"Proportion": "SR"},
        "Difference in Positive Proportions",
        lambda a, d: a[0] - d[0],
    ),
    "accuracy_difference": ({"Accuracy": "ACC"}, "Accuracy Difference", lambda a, d: a[0] - d[0]),
    "difference_in_acceptance_rates": ({"PPV": "PPV"}, "Difference in Acceptance Rates", lambda a, d: a[0] - d[0]),
    "difference_in_rejection_rates": ({"NPV": "NPV"}, "Difference in Rejection Rates", lambda a, d: d[0] - a[0]),
    "difference_in_conditional_acceptance": (
        {"Observed / predicted positives": "P"},
        "Difference in Conditional Acceptance",
        lambda a, d: a[0] - d[0],
    ),
    "difference_in_conditional_rejection": (
        {"Observed / predicted negatives": "N"},
        "Difference in Conditional Rejection",
        lambda a, d: d[0] - a[0],
    ),
    "treatment_equality": ({"FN / FP": "TE"}, "Treatment Equality", lambda a, d: d[0] - a[0]),
}
NAMES = sorted(DEFINITIONS)
BETWEEN = {  # rows that stand between the raw rates and the value, or after it
    "average_odds_difference": ["TPR", "FPR", "TPR gap", "FPR gap", "Average Odds Difference", "Group size"],
    "disparate_impact": ["Proportion", "Disparate Impact", "Four-fifths rule", "Group size"],
}
OF_PREDICTIONS = {"statistical_parity_difference", "disparate_impact", "difference_in_positive_proportions"}

# no two cells of a group alike, so that none can stand for another
DATA = {"a": (30, 7, 50, 13), "b": (11, 19, 23, 5), "c": (2, 3, 17, 29)}
CLARIFY = {"a": (65, 10, 20, 5), "d": (20, 5, 18, 7)}  # the matrices of the Clarify pages


def exact(name, cell, other):
    """Return the value of a group with the counts `cell` against `other`, or NaN where a denominator is 0."""
    rates, _, value = DEFINITIONS[name]
    both = []
    for counts in (other, cell):
        fractions = [RATES[rate](*counts) for rate in rates.values()]
        if any(denominator == 0 for _, denominator in fractions):
            return math.nan
        both.append([Fraction(*fraction) for fraction in fractions])
    return math.nan if name == "disparate_impact" and both[0][0] == 0 else float(value(*both))


def pooled(data, left_out):
    return tuple(map(sum, zip(*(cell for group, cell in data.items() if group != left_out), strict=True)))


def values(name, data, **options):
    result = table(name, people(**data), "outcome", "group", preds="predicted", **options)
    return result.loc[METRICS[name].value_row].to_dict()


# ------------------------------------------------------------------ the definitions


def test_there_are_thirteen():
    assert len(NAMES) == 13
    assert set(NAMES) <= set(fairness_py.__all__)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("recall_difference", 65 / 70 - 20 / 27),
        ("specificity_difference", 18 / 23 - 20 / 30),
        ("average_odds_difference", ((5 / 23 - 10 / 30) + (20 / 27 - 65 / 70)) / 2),
        ("equal_opportunity_difference", 20 / 27 - 65 / 70),
        ("difference_in_positive_proportions", 75 / 100 - 25 / 50),
        ("statistical_parity_difference", 25 / 50 - 75 / 100),
        ("disparate_impact", (25 / 50) / (75 / 100)),
        ("accuracy_difference", 85 / 100 - 38 / 50),
        ("difference_in_acceptance_rates", 65 / 75 - 20 / 25),
        ("difference_in_rejection_rates", 18 / 25 - 20 / 25),
        ("difference_in_conditional_acceptance", 70 / 75 - 27 / 25),
        ("difference_in_conditional_rejection", 23 / 25 - 30 / 25),
        ("treatment_equality", 7 / 5 - 5 / 10),
    ],
)
def test_the_matrices_of_the_clarify_pages(name, expected):
    assert values(name, CLARIFY)["d"] == pytest.approx(expected, rel=1e-12)


def test_the_numbers_that_the_clarify_pages_print():
    assert round(values("recall_difference", CLARIFY)["d"], 2) == 0.19
    assert round(values("specificity_difference", CLARIFY)["d"], 4) == 0.1159


def test_the_figures_of_an_aif360_issue():
    data = {"a": (1387, 0, 8613, 0), "d": (7643, 0, 2357, 0)}
    assert values("statistical_parity_difference", data)["d"] == pytest.approx(0.6256, abs=1e-12)
    assert values("disparate_impact", data)["d"] == pytest.approx(7643 / 1387, rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("base", ["a", "b", "c"])
def test_every_group_against_every_base(name, base):
    result = table(name, people(**DATA), "outcome", "group", preds="predicted", base=base)
    rates, value_row, _ = DEFINITIONS[name]
    order = [base, *(group for group in DATA if group != base)]
    assert list(result.columns) == order
    assert list(result.index) == BETWEEN.get(name, [*rates, value_row, "Group size"])
    for label, rate in rates.items():
        expected = [float(Fraction(*RATES[rate](*DATA[group]))) for group in order]
        assert same_numbers(result.loc[label].tolist(), expected), label
    assert result.loc[value_row].tolist() == pytest.approx(
        [exact(name, DATA[group], DATA[base]) for group in order], rel=1e-12, abs=1e-15
    )
    assert result.loc[value_row, base] == METRICS[name].reference
    assert result.loc["Group size"].tolist() == [sum(DATA[group]) for group in order]


def test_average_odds_shows_both_gaps_though_their_mean_is_0():
    result = table(
        "average_odds_difference", people(a=(1, 0, 1, 0), d=(0, 1, 0, 1)), "outcome", "group", preds="predicted"
    )
    assert result["d"].tolist() == [0, 1, -1, 1, 0, 2]


def test_nobody_reads_a_mean_of_0_as_equalised_odds():
    assert "A mean of 0 is not equalised odds" in average_odds_difference.__doc__
    result = average_odds_difference(people(**DATA), "outcome", "group", preds="predicted")
    texts = [text.get_text().replace("\n", " ") for text in result["Metric_plot"].findobj(Text)]
    assert any("not equalised odds" in text for text in texts)


def test_the_four_fifths_rule_is_exact_at_its_ends():
    pairs = [
        (Fraction(i, m), Fraction(j, n))
        for m in range(1, 25)
        for n in (7, 20, 24)
        for i in range(m + 1)
        for j in range(1, n + 1)
    ]
    own, base = (np.array([float(pair[side]) for pair in pairs]) for side in (0, 1))
    flag = DI.compare([own], [base])["Four-fifths rule"]
    expected = [Fraction(4, 5) <= mine / theirs <= Fraction(5, 4) for mine, theirs in pairs]
    assert flag.tolist() == expected


# ------------------------------------------------------------------ against all others


@pytest.mark.parametrize("name", NAMES)
def test_against_the_rest(name):
    got = values(name, DATA, versus="rest", base="b")
    assert list(got) == ["b", "a", "c"]
    for group, cell in DATA.items():
        assert got[group] == pytest.approx(exact(name, cell, pooled(DATA, group)), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_with_two_groups_the_rest_is_the_base(name):
    assert values(name, CLARIFY, versus="rest")["d"] == values(name, CLARIFY)["d"]


def test_a_single_group_has_no_rest():
    with pytest.warns(UserWarning, match="the groups other than 'a' have no rows"):
        result = recall_difference(people(a=(1, 2, 3, 4)), "outcome", "group", preds="predicted", versus="rest")
    assert math.isnan(result.Metric.loc["Recall Difference", "a"])


# ------------------------------------------------------------------ undefined: NaN, and one warning that says why

LACKS = {
    "positive outcome": (0, 3, 4, 0),
    "negative outcome": (3, 0, 0, 4),
    "positive prediction": (0, 0, 3, 4),
    "negative prediction": (3, 4, 0, 0),
    "false positive": (3, 0, 4, 2),
}
UNDEFINED = [
    ("recall_difference", "positive outcome"),
    ("specificity_difference", "negative outcome"),
    ("equal_opportunity_difference", "positive outcome"),
    ("average_odds_difference", "positive outcome"),
    ("average_odds_difference", "negative outcome"),
    ("difference_in_acceptance_rates", "positive prediction"),
    ("difference_in_rejection_rates", "negative prediction"),
    ("difference_in_conditional_acceptance", "positive prediction"),
    ("difference_in_conditional_rejection", "negative prediction"),
    ("treatment_equality", "false positive"),
]


@pytest.mark.parametrize(("name", "what"), UNDEFINED)
def test_a_group_without_what_the_rate_is_made_of(name, what):
    data = {"a": DATA["a"], "b": DATA["b"], "d": LACKS[what]}
    arguments = (people(**data), "outcome", "group")
    assert messages_of(getattr(fairness_py, name), *arguments, preds="predicted") == [
        f"{name} is undefined (NaN): group 'd' has no {what}."
    ]
    got = values(name, data)
    assert math.isnan(got["d"])
    assert got["b"] == pytest.approx(exact(name, DATA["b"], DATA["a"]))


@pytest.mark.parametrize(("name", "what"), [*UNDEFINED, ("disparate_impact", "positive prediction")])
def test_a_base_without_it_leaves_all_undefined(name, what):
    data = {"a": LACKS[what], "b": DATA["b"], "c": DATA["c"]}
    messages = messages_of(getattr(fairness_py, name), people(**data), "outcome", "group", preds="predicted")
    assert messages == [
        f"{name} is undefined (NaN): base group 'a' has no {what}, so there is nothing to compare with."
    ]
    assert all(map(math.isnan, values(name, data).values()))


@pytest.mark.parametrize("name", sorted(set(NAMES) - {name for name, _ in UNDEFINED}))
def test_metrics_that_need_no_more_than_rows(name):
    data = {"a": DATA["a"]} | {f"b{number}": cell for number, cell in enumerate(LACKS.values())}
    assert messages_of(getattr(fairness_py, name), people(**data), "outcome", "group", preds="predicted") == []
    assert not any(map(math.isnan, values(name, data).values()))


@pytest.mark.parametrize("name", NAMES)
def test_a_level_without_rows(name):
    frame = people(**CLARIFY)
    frame["group"] = pd.Categorical(frame["group"], categories=["a", "d", "z"])
    assert messages_of(getattr(fairness_py, name), frame, "outcome", "group", preds="predicted") == [
        f"{name} is undefined (NaN): group 'z' has no rows."
    ]


def test_one_warning_names_all_groups_and_points_at_the_call():
    data = {"a": DATA["a"], "b": LACKS["positive outcome"], "c": LACKS["positive outcome"], "d": DATA["b"]}
    with pytest.warns(
        UserWarning, match="group 'b' has no positive outcome; group 'c' has no positive outcome"
    ) as caught:
        recall_difference(people(**data), "outcome", "group", preds="predicted")
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_many_undefined_groups_are_counted():
    data = {"a": DATA["a"]} | {f"g{number:02}": LACKS["positive outcome"] for number in range(20)}
    undefined = [
        m for m in messages_of(recall_difference, people(**data), "outcome", "group", preds="predicted") if "NaN" in m
    ]
    assert len(undefined) == 1
    assert undefined[0].endswith("… (20 in all).")


@pytest.mark.parametrize("name", METRICS_OF_COUNTS)
def test_the_functions_of_r_stay_silent(name):
    data = {"a": DATA["a"]} | {f"b{number}": cell for number, cell in enumerate(LACKS.values())}
    assert messages_of(getattr(fairness_py, name), people(**data), "outcome", "group", preds="predicted") == []


@pytest.mark.parametrize("name", NAMES)
def test_only_metrics_of_predictions_use_rows_without_an_outcome(name):
    frame = people(**DATA).astype({"outcome": "Int64"})
    frame.loc[0, "outcome"] = pd.NA
    messages = messages_of(getattr(fairness_py, name), frame, "outcome", "group", preds="predicted")
    left_out = 0 if name in OF_PREDICTIONS else 1
    assert len(messages) == left_out
    assert table(name, frame, "outcome", "group", preds="predicted").loc["Group size", "a"] == 100 - left_out


# ------------------------------------------------------------------ one class against the rest

LETTERS = pd.DataFrame(
    {
        "group": list("aaaaaaaaaadddddddddd"),
        "outcome": list("xxxyyyzzzzxxxxyyyzzz"),
        "predicted": list("xxyyyxzzxxxyzzyyxzzy"),
    }
)


def test_one_class_by_hand():
    def of(positive):
        return (
            recall_difference(LETTERS, "outcome", "group", preds="predicted", positive=positive)
            .Metric.loc["TPR"]
            .tolist()
        )

    assert of("x") == [2 / 3, 1 / 4]
    assert of("y") == [2 / 3, 2 / 3]
    assert of(["x", "y"]) == [6 / 6, 5 / 7]
    assert of(("x", "z")) == [6 / 7, 5 / 7]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("positive", ["x", "z", ["x", "y"], np.array(["y", "z"])])
def test_one_class_is_the_outcome_recoded(name, positive):
    recoded = LETTERS.assign(
        **{column: LETTERS[column].isin(np.atleast_1d(positive)) for column in ("outcome", "predicted")}
    )
    got = table(name, LETTERS, "outcome", "group", preds="predicted", positive=positive)
    expected = table(name, recoded, "outcome", "group", preds="predicted")
    pd.testing.assert_frame_equal(got, expected)


@pytest.mark.parametrize("positive", [1, "1", 1.0])
def test_positive_finds_labels_as_outcome_base_does(positive):
    got = table("recall_difference", people(**DATA), "outcome", "group", preds="predicted", positive=positive)
    pd.testing.assert_frame_equal(
        got, table("recall_difference", people(**DATA), "outcome", "group", preds="predicted")
    )


def test_the_first_level_can_be_positive():
    got = table("accuracy_difference", people(**DATA), "outcome", "group", preds="predicted", positive=0)
    other = table("recall_difference", people(**DATA), "outcome", "group", preds="predicted", positive=0)
    assert other.loc["TPR", "a"] == 50 / 57
    assert got.loc["Accuracy", "a"] == 80 / 100


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"positive": "v"}, "positive must be one of the outcome's levels 'x', 'y', 'z', got 'v'"),
        ({"positive": ["x", "y", "z"]}, "it names all of 'x', 'y', 'z'"),
        ({"positive": []}, "it names none of"),
        ({"positive": "x", "outcome_base": "y"}, "either positive or outcome_base"),
        ({}, "outcome must be binary, with two levels; it has 3: 'x', 'y', 'z'. Name those .* in positive"),
        ({"positive": "x", "versus": "all"}, "versus must be one of 'base', 'rest', got 'all'"),
    ],
)
def test_errors_of_positive_and_versus(options, message):
    with pytest.raises(ValueError, match=message):
        recall_difference(LETTERS, "outcome", "group", preds="predicted", **options)


def test_positive_does_not_go_with_probabilities():
    frame = people(**DATA).assign(probability=0.7)
    with pytest.raises(ValueError, match=r"positive goes with preds, not with probs.*outcome_base"):
        recall_difference(frame, "outcome", "group", probs="probability", positive=1)


@pytest.mark.parametrize("name", [*NAMES, "fnr_parity", "roc_parity", "calibration_within_groups"])
@pytest.mark.parametrize("outcome", [np.linspace(0, 3, 20), np.arange(200) * 7, np.linspace(0, 1, 300)], ids=len)
def test_a_continuous_outcome_is_refused(name, outcome):
    frame = pd.DataFrame({"outcome": outcome, "group": np.resize(["a", "d"], len(outcome)), "probability": 0.5})
    with pytest.raises(ValueError, match=f"{name} is not defined for a continuous outcome: .*threshold"):
        getattr(fairness_py, name)(frame, "outcome", "group", probs="probability")


def test_a_continuous_outcome_is_refused_with_positive_too():
    frame = pd.DataFrame({"outcome": np.linspace(0, 3, 20), "group": list("ad") * 10})
    with pytest.raises(ValueError, match="recall_difference is not defined for a continuous outcome"):
        recall_difference(frame, "outcome", "group", preds="outcome", positive=3.0)


DIFFERENCES = "use one of the differences, with preds and positive=…"


@pytest.mark.parametrize("name", ["fnr_parity", "roc_parity", "calibration_within_groups"])
@pytest.mark.parametrize("fixed", [False, True], ids=["text", "categorical"])
def test_an_outcome_of_classes_names_the_ways_out(name, fixed):
    classes = [f"c{place:02}" for place in range(20)]
    frame = pd.DataFrame({"outcome": pd.Categorical(classes) if fixed else classes, "group": list("ad") * 10, "p": 0.5})
    twelve = ", ".join(repr(label) for label in classes[:12])
    message = (
        f"outcome must be binary, with two levels; it has 20: {twelve}, …. Make it two levels, for example "
        f"outcome=data[column] == 'c19', which in files and engines has to be a column "
        f"(missing values may become False: drop them first), or {DIFFERENCES}."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        getattr(fairness_py, name)(frame, "outcome", "group", probs="p")


def test_the_ways_out_of_an_outcome_of_classes_lead_out():
    with pytest.raises(ValueError, match=r"outcome=data\[column\] == 'z'.*" + DIFFERENCES):
        fairness_py.fnr_parity(LETTERS, "outcome", "group", preds="predicted")
    table("fnr_parity", LETTERS, LETTERS["outcome"] == "z", "group", preds=LETTERS["predicted"] == "z")
    table("recall_difference", LETTERS, "outcome", "group", preds="predicted", positive="z")


@pytest.mark.parametrize("labels", [np.arange(101) / 7, [f"c{place}" for place in range(101)]], ids=["number", "text"])
def test_too_many_classes_are_not_sent_to_the_differences_that_refuse_them(labels):
    frame = pd.DataFrame({"outcome": labels, "group": "a"})
    for outcome in (frame["outcome"], pd.Categorical(frame["outcome"])):
        with pytest.raises(ValueError, match="two levels") as error:
            recall_difference(frame.assign(outcome=outcome), "outcome", "group", preds="group", positive=labels[0])
        assert "differences" not in str(error.value)
        assert "categorical" not in str(error.value)


def test_measurements_that_may_be_classes_are_sent_on_where_they_are_accepted():
    frame = pd.DataFrame({"outcome": np.linspace(0, 3, 20), "group": list("ad") * 10})
    with pytest.raises(ValueError, match=f"make them a categorical and {DIFFERENCES}") as error:
        fairness_py.fnr_parity(frame, "outcome", "group", preds="outcome")
    assert "in all" not in str(error.value)
    classes = frame.assign(outcome=pd.Categorical(frame["outcome"]))
    table("recall_difference", classes, "outcome", "group", preds="outcome", positive=[0, 3])


def test_numbers_that_are_names_of_classes_are_no_measurement():
    frame = LETTERS.copy()
    for column in ("outcome", "predicted"):
        frame[column] = pd.Categorical(frame[column].map({"x": 1.5, "y": 2.5, "z": 3.5}))
    got = table("recall_difference", frame, "outcome", "group", preds="predicted", positive=1.5)
    assert got.loc["TPR"].tolist() == [2 / 3, 1 / 4]


# ------------------------------------------------------------------ the same shape as R's functions


@pytest.mark.parametrize("name", NAMES)
def test_the_arguments_are_those_of_the_functions_of_r(name):
    parameters = inspect.signature(getattr(fairness_py, name)).parameters
    shared = inspect.signature(fnr_parity).parameters
    assert {key: parameter.default for key, parameter in shared.items()}.items() <= {
        key: parameter.default for key, parameter in parameters.items()
    }.items()
    assert list(parameters)[:9] == list(shared)[:9]
    for key, default in (("positive", None), ("versus", "base")):
        assert parameters[key].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters[key].default == default


@pytest.mark.parametrize("name", NAMES)
def test_the_docstring_says_what_a_positive_value_means_for_whom_and_whose_it_is(name):
    text = " ".join(getattr(fairness_py, name).__doc__.split())
    assert ("A value above 1 means" if name == "disparate_impact" else "A positive value means") in text
    assert "worse for the" in text or "bias against the group" in text
    assert "https://" in text.split("References")[1]
    assert not any(word in text.lower() for word in ("debias", "unbiased", "solve"))


@pytest.mark.parametrize("name", NAMES)
def test_plots(name):
    frame = people(**DATA).assign(probability=lambda people: 0.2 + 0.6 * people["predicted"])
    with_labels = getattr(fairness_py, name)(frame, "outcome", "group", preds="predicted")
    assert list(with_labels) == ["Metric", "Metric_plot"]
    result = getattr(fairness_py, name)(frame, "outcome", "group", probs="probability")
    assert list(result) == ["Metric", "Metric_plot", "Probability_plot"]
    axes = plot_parity(result, ax=Figure().subplots())
    shown = result.Metric.loc[METRICS[name].value_row].tolist()
    assert [bar.get_width() for bar in axes.patches] == shown
    assert axes.lines[-1].get_xdata()[0] == (1 if name == "disparate_impact" else 0)
    low, high = axes.get_xlim()
    assert low <= min(0, *shown)
    assert high >= max(0, *shown)


def test_undefined_bars_are_drawn():
    result = quietly(disparate_impact, people(a=(0, 0, 1, 1), d=(1, 0, 1, 1)), "outcome", "group", preds="predicted")
    axes = plot_parity(result, ax=Figure().subplots())
    assert [text.get_text() for text in axes.get_yticklabels()] == ["a", "d"]
    assert not any(bar.get_width() > 0 for bar in axes.patches)
    result["Metric_plot"].savefig(io.BytesIO())


def test_a_copy_knows_what_it_was_held_against():
    result = recall_difference(people(**DATA), "outcome", "group", preds="predicted", versus="rest")
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert again.versus == "rest"
    assert recall_difference(people(**DATA), "outcome", "group", preds="predicted").versus == "base"


# ------------------------------------------------------------------ identities

cells = st.tuples(*[st.integers(0, 40)] * 4)
two_groups = st.fixed_dictionaries({"a": cells, "d": cells}).filter(
    lambda data: all(sum(cell) for cell in data.values()) and has_both(data)
)
three_groups = st.fixed_dictionaries({"a": cells, "b": cells, "d": cells}).filter(
    lambda data: all(sum(cell) for cell in data.values()) and has_both(data)
)


def has_both(data):
    tp, fp, tn, fn = map(sum, zip(*data.values(), strict=True))
    return tp + fn > 0 and tn + fp > 0


def agree(one, other):
    return all(one[group] == pytest.approx(other[group], rel=1e-12, abs=1e-14, nan_ok=True) for group in dict(one))


@settings(max_examples=25, deadline=None)
@given(data=three_groups)
def test_the_values_are_the_exact_fractions(data):
    for name in NAMES:
        assert agree(values(name, data), {group: exact(name, cell, data["a"]) for group, cell in data.items()}), name


@settings(max_examples=25, deadline=None)
@given(data=three_groups)
def test_identities_between_the_conventions(data):
    of = {name: pd.Series(values(name, data)) for name in NAMES}
    raw = quietly(fnr_parity, people(**data), "outcome", "group", preds="predicted").Metric.loc["FNR"]
    assert agree(of["equal_opportunity_difference"], -of["recall_difference"])
    assert agree(of["statistical_parity_difference"], -of["difference_in_positive_proportions"])
    assert agree(of["average_odds_difference"], -(of["recall_difference"] + of["specificity_difference"]) / 2)
    assert agree(of["recall_difference"], raw - raw["a"])
    ratio = quietly(fairness_py.prop_parity, people(**data), "outcome", "group", preds="predicted").Metric.iloc[1]
    assert agree(of["disparate_impact"], ratio.replace([np.inf], np.nan))


@settings(max_examples=20, deadline=None)
@given(data=two_groups)
def test_base_and_group_change_places(data):
    for name in NAMES:
        forth, back = values(name, data)["d"], values(name, data, base="d")["a"]
        if name == "disparate_impact":
            forth, back = (math.log(x) if x > 0 else math.nan for x in (forth, back))
        if not (math.isnan(forth) or math.isnan(back)):
            assert forth == pytest.approx(-back, rel=1e-12, abs=1e-14), name


@settings(max_examples=20, deadline=None)
@given(data=two_groups)
def test_pooled_and_single_agree_for_two_groups(data):
    for name in NAMES:
        assert agree({"d": values(name, data, versus="rest")["d"]}, {"d": values(name, data)["d"]}), name


@settings(max_examples=20, deadline=None)
@given(data=two_groups)
def test_calling_the_other_class_positive_swaps_the_metrics(data):
    """With the classes relabelled, sensitivity is specificity, acceptance is rejection, and so on."""
    same = {
        "recall_difference": ("specificity_difference", -1),
        "difference_in_acceptance_rates": ("difference_in_rejection_rates", -1),
        "difference_in_conditional_acceptance": ("difference_in_conditional_rejection", -1),
        "statistical_parity_difference": ("statistical_parity_difference", -1),
        "average_odds_difference": ("average_odds_difference", -1),
        "accuracy_difference": ("accuracy_difference", 1),
    }
    for name, (other, sign) in same.items():
        turned = pd.Series(values(name, data, outcome_base=1))
        assert agree(turned, sign * pd.Series(values(other, data))), name


@settings(max_examples=15, deadline=None)
@given(data=two_groups, order=st.randoms(use_true_random=False))
def test_order_of_rows_and_names_of_labels_do_not_matter(data, order):
    frame = people(**data)
    rows = list(range(len(frame)))
    order.shuffle(rows)
    named = frame.iloc[rows].replace({"outcome": {0: "no", 1: "yes"}, "predicted": {0: "no", 1: "yes"}})
    for name in NAMES:
        got = table(name, named, "outcome", "group", preds="predicted").loc[METRICS[name].value_row]
        assert agree(got, values(name, data)), name
