"""A result in words: one honest sentence a group."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ._digits import alike
from ._labels import r_text
from .metrics import CALIBRATION

if TYPE_CHECKING:
    from ._result import ParityResult

#: Within these a disparity is small: four fifths, or a tenth. An interval around no disparity that reaches beyond them
#: leaves open whether there is one.
TELLING = {1.0: (0.8, 1.25), 0.0: (-0.1, 0.1)}


def summarise(result: ParityResult) -> str:
    """Return a line for each group but the base (for all of them where each is held against the rest)."""
    intervals = result.get("Intervals")
    if intervals is None:
        raise ValueError("There are no intervals to speak of: compute the metric with conf_level, such as 0.95.")
    calibration = result.metric is CALIBRATION
    sentence = _calibration if calibration else _sentence
    first = 0 if result.versus == "rest" or calibration else 1
    lines = [sentence(result, intervals, place) for place in range(first, intervals.shape[1])]
    if not lines:
        lines = ["There is one group only, and nothing to compare it with."]
    note = result["Metric"].attrs.get("note")  # what is not exact
    return "\n".join([*lines, f"Note: {note}"] if note else lines)


def _sentence(result: ParityResult, intervals: pd.DataFrame, place: int) -> str:
    metric, table = result.metric, result["Metric"]
    group = r_text(table.columns[place])
    other = "all other groups" if result.versus == "rest" else r_text(result.base)
    value = table.loc[metric.value_row].to_numpy()[place]
    lower, upper, p_value = (
        intervals.loc[row].to_numpy()[place]
        for row in (f"{metric.value_row} lower", f"{metric.value_row} upper", "p-value (Holm)")
    )
    what = next(iter(metric.rates)) if metric.reference == 1 else metric.value_row
    if math.isnan(value):
        return f"{what} of {group} against {other} is undefined: {_why_undefined(result, place)}."
    shown, low, high = _in_words((value, lower, upper), metric.reference)
    if metric.reference == 1:
        claim = f"{what} of {group} is {shown} times that of {other}"
    else:
        claim = f"{what} of {group} against {other} is {shown}"
    if math.isnan(lower) or math.isnan(upper):
        return f"{claim}; its interval is undefined: too few rows to tell."
    level = 100 * intervals.attrs["conf_level"]
    several = _are_several(intervals)
    chance = "" if math.isnan(p_value) else f"; {_chance(p_value, several)}"
    found = f"{claim} ({level:.12g} % interval {low} to {high}{chance})"
    if not (p_value <= 1 - intervals.attrs["conf_level"] or lower <= metric.reference <= upper):
        doubt = "with several groups compared" if several else "for interval and test do not agree"
        return f"{found}: a disparity that may be chance, {doubt}."
    return f"{found}: {_reading(metric.reference, lower, upper)}."


def _calibration(result: ParityResult, intervals: pd.DataFrame, place: int) -> str:
    group = r_text(result["Metric"].columns[place])
    row = result.metric.value_row
    value = result["Metric"].loc[row].to_numpy()[place]
    if math.isnan(value):
        return f"{row} of {group} is undefined: the group has no rows."
    lower, upper, p_value = (
        intervals.loc[label].to_numpy()[place] for label in (f"{row} lower", f"{row} upper", "p-value (Holm)")
    )
    shown, low, high = _in_words((value, lower, upper), 0.0)
    found = f"{row} of {group} is {shown} ({100 * intervals.attrs['conf_level']:.12g} % interval {low} to {high}): "
    if lower <= 0 <= upper:
        found += "no clear error in the mean" if _is_small(0.0, lower, upper) else "too few rows to tell"
    else:
        found += f"the scores promise {'less' if value > 0 else 'more'} than what happens"
    if not math.isnan(p_value):
        found += f"; difference to {r_text(result.base)}: {_chance(p_value, _are_several(intervals))}"
    return f"{found}."


def _are_several(intervals: pd.DataFrame) -> bool:
    """Tell whether there is more than one comparison, for which Holm's method adjusts."""
    return bool(np.count_nonzero(~np.isnan(intervals.loc["p-value"].to_numpy())) > 1)


def _chance(p_value: float, several: bool) -> str:
    return f"p {'< 0.001' if p_value < 0.001 else f'= {p_value:.3f}'}{', Holm' if several else ''}"


def _reading(reference: float, lower: float, upper: float) -> str:
    is_small = _is_small(reference, lower, upper)
    if lower <= reference <= upper:
        return "no clear disparity" if is_small else "too few rows to tell"
    return "a clear disparity, but a small one" if is_small else "a clear disparity"


def _is_small(reference: float, lower: float, upper: float) -> bool:
    low, high = TELLING[reference]
    return low <= lower and upper <= high


def _in_words(numbers: tuple[float, ...], reference: float) -> list[str]:
    return [text.replace("-∞", "minus infinity").replace("∞", "infinity") for text in alike(numbers, reference)]


def _why_undefined(result: ParityResult, place: int) -> str:
    table, metric = result["Metric"], result.metric
    rates = table.loc[list(metric.rates)]
    looked_at = [(place, "the group has")] + ([] if result.versus == "rest" else [(0, "the base group has")])
    for where, name in looked_at:
        if table.loc["Group size"].iloc[where] == 0:
            return f"{name} no rows"
        if rates.iloc[:, where].isna().any():
            return f"{name} {metric.undefined}"
    if result.versus == "rest":
        return f"the other groups have {metric.undefined}"
    return "the rates of both groups are 0"
