"""Numbers for a reader: a value and the bounds of its interval, with as many decimals as tell them apart."""

from __future__ import annotations

import math
from collections.abc import Sequence

MOST_DECIMALS = 4


def alike(numbers: Sequence[float], reference: float, *, fewest: int = 2) -> list[str]:
    """Write a value and the numbers that stand beside it with the same number of decimals.

    There are as few decimals as show that numbers differ from each other, from the value of no disparity and from 0,
    and as show two significant digits of the value, where four show it. So an interval that does not hold 1 does not
    look as if it did, as far as four decimals can show.

    Parameters
    ----------
    numbers : sequence of float
        The value, and others such as the bounds of its interval.
    reference : float
        The value of no disparity: 1 for a ratio, 0 for a difference.
    fewest : int, default 2
        The fewest decimals, at most four.

    Returns
    -------
    list of str
        A text for each number: NaN is "undefined", infinity "∞". Numbers from 1,000 on have no decimals; those from a
        million on, and those that four decimals would show as 0, have two significant digits.
    """
    told_apart = [*numbers, reference, 0.0]
    possible = range(max(fewest, _for_two_digits(numbers)), MOST_DECIMALS + 1)
    decimals = max(possible, key=lambda d: len({_text(number, d) for number in told_apart}))  # the first of equals
    return [_text(number, decimals) for number in numbers]


def _for_two_digits(numbers: Sequence[float]) -> int:
    """Return how many decimals show two significant digits of the first number, or 0 where none could."""
    size = abs(numbers[0]) if numbers else 0.0
    return min(MOST_DECIMALS, 1 - math.floor(math.log10(size))) if 0 < size < math.inf else 0


def _text(number: float, decimals: int) -> str:
    size = abs(number)
    sign = "-" if number < 0 else ""
    if math.isnan(number):
        return "undefined"
    if math.isinf(number):
        return f"{sign}∞"
    if size >= 1e6 or 0 < size < 0.5 * 10**-MOST_DECIMALS:
        return f"{sign}{size:.2g}"
    text = f"{size:.{decimals}f}"
    if float(text) >= 1000:
        return f"{sign}{size:,.0f}"
    return sign + text if float(text) else text  # no "-0.00"
