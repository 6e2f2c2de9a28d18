"""Data that stay where they are: what every engine can be asked, and what those have in common that hand out blocks."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from ._blocks import (
    Query,
    check_cells,
    combine,
    count_block,
)
from ._factors import to_numbers
from ._labels import ambiguous, did_you_mean, plain, quoted

Function: TypeAlias = Callable[[Any], Any]

BATCH = 1 << 18  # rows of a file that are counted at a time


class Engine:
    """Data that stay where they are: what columns there are, and how their rows are counted."""

    name: str  # what messages call it
    columns: Sequence[str]

    def count(self, query: Query) -> pd.DataFrame:
        """Return one row for each combination of what is asked for, with how many rows of the data have it."""
        raise NotImplementedError

    def range(self, column: str) -> tuple[float, float]:
        """Return the lowest and the highest value of a numeric column, NaN where there is none."""
        raise NotImplementedError

    def few(self, column: str) -> pd.Series[Any]:
        """Return a few of the values of a column, none missing: they show its type."""
        raise NotImplementedError

    def check_column(self, given: object, argument: str) -> str:
        """Return the column that an argument names, or say what is wrong."""
        if not isinstance(given, str) and np.isscalar(given):
            hint = " Make its labels texts, for example by data.rename(columns=str)." if given in self.columns else ""
            raise TypeError(
                f"{argument} must be the name of a column: columns of {self.name.removeprefix('data=')} are named by "
                f"texts, got {plain(given)!r}.{hint}"
            )
        if not isinstance(given, str):
            raise TypeError(
                f"{argument} must be the name of a column: data is {self.name.removeprefix('data=')}, which stays "
                f"where it is, and a {type(given).__name__} beside it has no order of rows in common with it."
            )
        columns = list(self.columns)
        if given not in columns:
            raise ValueError(
                f"{argument} must name a column of data; there is no column {plain(given)!r}."
                f"{did_you_mean(given, columns)} The columns are {quoted(columns)}."
            )
        if columns.count(given) > 1:
            raise ambiguous(f"{argument}=", given, columns.count(given))
        return given


class Blocks(Engine):
    """Data in blocks that become pandas frames."""

    def _map(self, function: Function, add: Function, columns: list[str], size: int) -> Any:
        """Return what a function makes of all blocks with rows, added up, or None where there are none.

        Where the blocks are not given, they have about `size` rows.
        """
        raise NotImplementedError

    def count(self, query: Query) -> pd.DataFrame:
        size = 4 * BATCH if query.by_bin else BATCH  # many combinations, which are worth many rows
        part = self._map(functools.partial(count_block, query=query), combine, query.columns, size)
        if part is None:
            raise no_rows()
        check_cells(len(part))
        answer: pd.DataFrame = part.to_frame()
        return answer

    def range(self, column: str) -> tuple[float, float]:
        return self._map(functools.partial(_range, column=column), _widest, [column], BATCH) or (math.nan, math.nan)


def _range(block: Any, column: str) -> tuple[float, float]:
    numbers = to_numbers(block[column], "group")
    present = numbers[~np.isnan(numbers)]
    return (float(present.min()), float(present.max())) if len(present) else (math.nan, math.nan)


def _widest(ranges: list[tuple[float, float]]) -> tuple[float, float]:
    low, high = np.array(ranges).T
    return float(np.fmin.reduce(low)), float(np.fmax.reduce(high))


def no_rows() -> ValueError:
    return ValueError("data is empty: it has no rows.")


def first_line(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__
