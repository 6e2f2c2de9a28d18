"""What holds for any data: identities between metrics, and what must not matter."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from helpers import METRICS_OF_COUNTS, R_FUNCTIONS, same_number, same_numbers, table
from hypothesis import given, settings
from hypothesis import strategies as st

ONE_DIGIT = st.integers(0, 10).map(lambda tenths: tenths / 10)
ROWS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from([0, 1]), ONE_DIGIT, st.sampled_from([0, 1])), min_size=1
)
CUTOFFS = ONE_DIGIT
SIMILAR = settings(deadline=None, max_examples=60)


@st.composite
def frames(draw, missing=False):
    """Return people with a group, an outcome of which both levels exist, a probability and a prediction."""
    rows = [*draw(ROWS), ("a", 0, 0.4, 0), ("a", 1, 0.7, 1)]
    data = pd.DataFrame(rows, columns=["group", "outcome", "probability", "predicted"])
    data["group"] = pd.Categorical(data["group"], categories=["a", "b", "c"])
    if missing:
        for column in ("group", "outcome", "probability"):
            gaps = draw(st.lists(st.booleans(), min_size=len(rows) - 2, max_size=len(rows) - 2)) + [False] * 2
            data[column] = data[column].where(~np.array(gaps))
    return data


def of(name, data, **options):
    if name == "roc_parity":
        options = {key: option for key, option in options.items() if key in ("probs", "base", "direction")}
    return table(name, data, "outcome", "group", **options)


@SIMILAR
@given(frames(), st.sampled_from(R_FUNCTIONS), st.sampled_from("abc"))
def test_the_base_is_held_against_itself(data, name, base):
    metric = of(name, data, probs="probability", base=base)
    raw, parity = metric[base].iloc[:2]
    assert metric.columns[0] == base
    assert same_number(parity, math.nan if math.isnan(raw) or raw == 0 else 1)


@SIMILAR
@given(frames(missing=True), CUTOFFS)
def test_rates_that_add_up_to_one(data, cutoff):
    for one, other in (("fnr_parity", "equal_odds"), ("fpr_parity", "spec_parity")):
        rates = [of(name, data, probs="probability", cutoff=cutoff).iloc[0] for name in (one, other)]
        total = rates[0] + rates[1]
        assert ((total - 1).abs() < 1e-15).equals(total.notna())
        assert rates[0].isna().equals(rates[1].isna())


@SIMILAR
@given(frames(missing=True), st.sampled_from(R_FUNCTIONS), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(data, name, random):
    order = random.sample(range(len(data)), len(data))
    shuffled = data.iloc[order].reset_index(drop=True)
    one, other = of(name, data, probs="probability"), of(name, shuffled, probs="probability")
    assert all(same_numbers(*pair) for pair in zip(one.to_numpy(), other.to_numpy(), strict=True))
    assert list(one.columns) == list(other.columns)


@SIMILAR
@given(frames(missing=True), st.sampled_from(METRICS_OF_COUNTS), CUTOFFS)
def test_predictions_made_of_probabilities(data, name, cutoff):
    above = (data["probability"] > cutoff).astype("Int64").mask(data["probability"].isna())
    one = of(name, data, probs="probability", cutoff=cutoff)
    other = of(name, data.assign(predicted=above), preds="predicted")
    pd.testing.assert_frame_equal(one, other)


@SIMILAR
@given(frames(missing=True), st.sampled_from(R_FUNCTIONS))
def test_group_sizes_add_up_to_the_rows_used(data, name):
    needed = ["group", "probability"] + (["outcome"] if name not in ("dem_parity", "prop_parity") else [])
    used = data.dropna(subset=needed)
    sizes = of(name, data, probs="probability").loc["Group size"]
    assert sizes.sum() == len(used)
    assert sizes.to_dict() == used["group"].value_counts().reindex(["a", "b", "c"]).to_dict()


@SIMILAR
@given(frames(), st.sampled_from(R_FUNCTIONS))
def test_another_base_divides_the_parities(data, name):
    first = of(name, data, probs="probability", base="a")
    second = of(name, data, probs="probability", base="b")[list(first.columns)]
    assert all(same_numbers(first.iloc[row], second.iloc[row]) for row in (0, 2))
    divisor = first.iloc[1]["b"]
    if math.isfinite(divisor) and divisor != 0:
        assert same_numbers(second.iloc[1], first.iloc[1] / divisor, relative=1e-14)


@SIMILAR
@given(frames())
def test_the_other_level_as_negative_turns_sensitivity_into_specificity(data):
    """With `preds`: `probs` describe the second level whatever counts as negative, so they do the same here."""
    for options in ({"preds": "predicted"}, {"probs": "probability"}):
        sensitivity = of("equal_odds", data, **options)
        specificity = of("spec_parity", data, **options, outcome_base=1)
        assert all(same_numbers(*pair) for pair in zip(sensitivity.to_numpy(), specificity.to_numpy(), strict=True))
        symmetrical = [of(name, data, **options, outcome_base=level) for name in ("acc_parity",) for level in (0, 1)]
        pd.testing.assert_frame_equal(*symmetrical)


@SIMILAR
@given(frames())
def test_counts_of_the_positively_classified(data):
    count = of("dem_parity", data, probs="probability").iloc[0]
    share = of("prop_parity", data, probs="probability")
    assert same_numbers(count, (share.iloc[0] * share.loc["Group size"]).fillna(0).round())
    assert count.sum() == (data["probability"] > 0.5).sum()


@SIMILAR
@given(frames(), st.sampled_from([0.5, 0.25, 1.0]))
def test_the_area_depends_on_the_order_of_the_probabilities_only(data, power):
    transformed = data.assign(probability=data["probability"] ** power * 0.5 + 0.25)
    # With one direction: "auto" asks for medians, and that of two middle values is not their order's alone.
    one, other = (of("roc_parity", frame, probs="probability", direction="<") for frame in (data, transformed))
    assert all(same_numbers(*pair) for pair in zip(one.to_numpy(), other.to_numpy(), strict=True))


@SIMILAR
@given(frames(), st.sampled_from(METRICS_OF_COUNTS), st.integers(2, 5))
def test_every_row_given_several_times(data, name, times):
    once, often = (of(name, frame, preds="predicted") for frame in (data, pd.concat([data] * times)))
    scale = times if name == "dem_parity" else 1
    assert same_numbers(often.iloc[0], once.iloc[0] * scale)
    assert same_numbers(often.iloc[1], once.iloc[1])
    assert same_numbers(often.iloc[2], once.iloc[2] * times)
