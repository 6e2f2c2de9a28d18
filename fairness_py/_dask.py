"""Dask DataFrames, whose partitions are counted on the workers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from ._engine_base import Blocks, Function, first_line

TREE = 8  # answers of so many blocks are added up at a time


class DaskFrame(Blocks):
    """A Dask DataFrame: its workers count their partitions."""

    name = "a Dask DataFrame"

    def __init__(self, data: Any) -> None:
        self._data = data
        self.columns = list(data.columns)

    def _map(self, function: Function, add: Function, columns: list[str], size: int) -> Any:
        from dask.delayed import delayed

        job = delayed(_answer_or_error)
        parts = [job(function, part) for part in self._data[columns].to_delayed()]
        together = delayed(_added_or_error)
        while len(parts) > 1:
            parts = [together(add, parts[first : first + TREE]) for first in range(0, len(parts), TREE)]
        answer = self._run(parts[0].compute)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _run(self, compute: Callable[[], Any]) -> Any:
        import concurrent.futures

        try:
            return compute()
        except FileNotFoundError:
            raise
        except (Exception, concurrent.futures.CancelledError) as error:
            raise RuntimeError(f"{self.name} could not be computed: {first_line(error)}") from error

    def few(self, column: str) -> pd.Series[Any]:
        values: pd.Series[Any] = self._run(lambda: self._data[column].dropna().head(npartitions=-1))
        return values


def _answer_or_error(function: Function, block: pd.DataFrame) -> Any:
    """Return what is wrong with the values as an answer, which tells it from what is wrong with the engine."""
    try:
        return function(block) if len(block) else None
    except (ValueError, TypeError) as error:
        return error


def _added_or_error(add: Function, parts: list[Any]) -> Any:
    found = [part for part in parts if part is not None]
    try:
        return next((part for part in found if isinstance(part, Exception)), None) or (add(found) if found else None)
    except ValueError as error:
        return error
