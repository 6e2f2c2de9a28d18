"""Numbers that differ look different, as far as four decimals can show it."""

from __future__ import annotations

import math

import pytest

from fairness_py._digits import alike

INFINITY = math.inf


@pytest.mark.parametrize(
    ("numbers", "reference", "expected"),
    [
        ([1.9512, 1.7749, 2.1403], 1, ["1.95", "1.77", "2.14"]),  # two decimals tell all apart
        ([1.5, 1.25, 2], 1, ["1.50", "1.25", "2.00"]),  # zeros at the end are kept
        ([0.0060, 0.0024, 0.0133], 1, ["0.0060", "0.0024", "0.0133"]),  # with two: 0.01, 0.00, 0.01
        ([1.0030, 1.0005, 1.0080], 1, ["1.0030", "1.0005", "1.0080"]),  # with three the lower bound rounds to 1
        ([1.004, 0.5, 2.0], 1, ["1.004", "0.500", "2.000"]),  # with two the value looks like 1
        ([0.999, 0.5, 2.0], 1, ["0.999", "0.500", "2.000"]),
        ([0.123, 0.002, 0.244], 0, ["0.123", "0.002", "0.244"]),  # with two the lower bound looks like 0
        ([-0.123, -0.244, -0.002], 0, ["-0.123", "-0.244", "-0.002"]),
        ([0.0149, -0.0312, 0.0611], 0, ["0.015", "-0.031", "0.061"]),  # two digits of the value
        ([1, 1, 1], 1, ["1.00", "1.00", "1.00"]),  # equal numbers look equal
        ([0.0004, 0, 0.01], 1, ["0.0004", "0.0000", "0.0100"]),  # what is not 0 does not look like it
        ([2.00001, 1.99999, 2.5], 1, ["2.00", "2.00", "2.50"]),  # four decimals would not tell them apart either
        ([0.5, 0.496, 0.504], 1, ["0.500", "0.496", "0.504"]),  # with two: 0.50, 0.50, 0.50
        ([2, 0.5, INFINITY], 1, ["2.00", "0.50", "∞"]),
        ([-INFINITY, -INFINITY, 0], 1, ["-∞", "-∞", "0.00"]),
        ([math.nan, 0, INFINITY], 1, ["undefined", "0.00", "∞"]),
        ([999.996, 5.0], 1, ["1,000", "5.00"]),
        ([4999, 12.3, 2_345_678], 1, ["4,999", "12.30", "2.3e+06"]),
        ([0.00003, 0, 0.02], 1, ["3e-05", "0.0000", "0.0200"]),
        ([-0.0], 0, ["0.00"]),
        ([0.006], 1, ["0.0060"]),
        ([0.67], 1, ["0.67"]),
        ([0.0005], 1, ["0.0005"]),
        ([0.996], 1, ["0.996"]),
        ([], 1, []),
    ],
)
def test_as_many_decimals_as_tell_numbers_apart(numbers, reference, expected):
    assert alike(numbers, reference) == expected


def test_more_decimals_may_be_asked_for():
    assert alike([0.1234, 0, -0.25], 0, fewest=3) == ["0.123", "0.000", "-0.250"]
    assert alike([-0.00006], 0, fewest=3) == ["-0.0001"]
