"""The labels of groups and outcomes: R's text of a value, which labels are the same, and their order.

R compares labels as text and sorts them by their kind. Everything that knows how R does either stands here.
"""

from __future__ import annotations

import datetime
import difflib
import functools
import math
import numbers
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np

_COMPLEX = (complex, np.complexfloating)  # have no order
R_DIGITS = 15  # as.character() of a double shows so many significant digits at the most


def is_boolean(value: object) -> bool:
    """Tell whether a value is a truth value (which Python counts among the integers, and R does not)."""
    return isinstance(value, (bool, np.bool_))


def is_number(value: object) -> bool:
    """Tell whether a value is a real number and not a truth value."""
    return isinstance(value, (numbers.Number, np.number)) and not (is_boolean(value) or isinstance(value, _COMPLEX))


def is_label(value: object) -> bool:
    """Tell whether a value can be a label: a list cannot, nor can a missing value."""
    try:
        hash(value)
    except TypeError:
        return False
    return type(value).__name__ != "NAType" and value == value


def r_text(value: object) -> str:
    """Return what R's `as.character()` makes of a value."""
    if is_boolean(value):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (float, np.floating)):
        return _r_double(float(value))
    return str(value)


def _r_double(value: float) -> str:
    """Write a double as R does: the fewest digits that show 15 significant ones, fixed where not wider."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    if value == 0:
        return "0"
    mantissa, exponent_text = f"{value:.{R_DIGITS - 1}e}".split("e")
    mantissa, exponent = mantissa.rstrip("0").rstrip("."), int(exponent_text)
    scientific = f"{mantissa}e{exponent:+03d}"
    decimals = max(0, len(mantissa.lstrip("-").replace(".", "")) - 1 - exponent)
    fixed = f"{value:.{decimals}f}"
    return fixed if len(fixed) <= len(scientific) else scientific


@functools.lru_cache(maxsize=4096, typed=True)
def label_texts(value: Hashable) -> frozenset[str]:
    """Return all texts under which a label may be given: R's, and those of equal values of other types."""
    if is_boolean(value):
        return frozenset({r_text(value), str(value), str(int(bool(value)))})
    if isinstance(value, (int, np.integer)):  # R knows 1000000L as "1000000" and 1000000 as "1e+06"
        return frozenset({str(value)} | _double_text(int(value)))
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return frozenset({r_text(value), str(int(value))})
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():  # at midnight R shows the day alone
        return frozenset({r_text(value), str(value.date())})
    return frozenset({r_text(value)})


def _double_text(value: int) -> set[str]:
    """Return the text of a whole number as a double, where 15 digits of it tell the number from all others."""
    try:
        text = _r_double(float(value))
    except OverflowError:
        return set()
    return {text} if int(float(text)) == value else set()


def same_label(one: Hashable, other: Hashable) -> bool:
    """Tell whether two labels are the same: equal values, or values with the same text in R."""
    return one == other or not label_texts(one).isdisjoint(label_texts(other))


def find_label(labels: Sequence[Hashable], wanted: Hashable) -> int | None:
    """Return the position of the label that equals `wanted`, by value first and then by text."""
    if not is_label(wanted):
        return None
    for position, label in enumerate(labels):
        if type(label) is type(wanted) and label == wanted:
            return position
    for position, label in enumerate(labels):
        if same_label(label, wanted):
            return position
    return None


@functools.cache
def _collator() -> Any:
    import pyuca  # loads a table of all characters, so only where text has to be put in order

    return pyuca.Collator()


def collation_key(text: str) -> tuple[Any, str]:
    """Return the key that sorts text as R does on UTF-8 systems (the default Unicode collation)."""
    return _collator().sort_key(text), text


def sorting_key(labels: Iterable[Hashable]) -> Callable[[Any], Any]:
    """Return the key by which R orders labels of this kind: numbers, truth values, times, or text."""
    kinds = list(labels)
    if all(is_number(label) or is_boolean(label) for label in kinds):
        return lambda label: label
    if not any(isinstance(label, str) for label in kinds) and len({type(label) for label in kinds}) == 1:
        first = kinds[0]
        if isinstance(first, (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)):
            return lambda label: label
        if hasattr(first, "__lt__") and type(first).__module__.startswith("pandas"):
            return lambda label: label
    return lambda label: collation_key(r_text(label))


def quoted(labels: Iterable[Hashable], most: int = 12, *, count: bool = True) -> str:
    """List labels for a message, shortened where there are many, with their count unless the message has it."""
    shown = [plain(label) for label in labels]
    texts = [repr(label) for label in shown[:most]]
    more = f", … ({len(shown)} in all)" if count else ", …"
    return ", ".join(texts) + (more if len(shown) > most else "")


def plain(label: Any) -> Any:
    """Return a NumPy scalar as the Python value that it stands for, anything else as it is."""
    return label.item() if isinstance(label, (np.number, np.bool_)) else label


def did_you_mean(wanted: Hashable, labels: Iterable[Hashable]) -> str:
    """Return ' Did you mean …?' for the label nearest in spelling, or nothing; a number is not misspelt."""
    if is_number(wanted):
        return ""
    by_text = {r_text(label).lower(): label for label in labels}
    text = r_text(wanted).lower()
    nearest = difflib.get_close_matches(text, by_text, n=1, cutoff=0.5)
    nearest = nearest or [other for other in by_text if len(text) > 1 and other.startswith(text)]
    return f" Did you mean {plain(by_text[nearest[0]])!r}?" if nearest else ""


def ambiguous(what: str, label: Hashable, columns: int, advice: str = "Rename them.") -> ValueError:
    """Return the error for a label that several columns have."""
    return ValueError(f"{what}{plain(label)!r} is ambiguous: data has {columns} columns of that name. {advice}")
