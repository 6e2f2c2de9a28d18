"""Data frames from R's own files (`.rda`, `.RData`, `.rds`).

The package `rdata` parses the bytes into a tree of R objects. Only the data frame that was asked for is made into
columns, by the code below: functions, promises, expressions and whatever else the file holds are never looked into,
let alone run.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ._labels import did_you_mean, quoted, r_text
from ._warn import warn

if TYPE_CHECKING:
    from rdata.parser import RData, RObject, RObjectInfo

__all__ = ["read_rdata"]

_COMPRESSIONS = {b"\x1f\x8b": gzip.decompress, b"BZh": bz2.decompress, b"\xfd7zXZ\x00": lzma.decompress}
_SAVE_STARTS = (b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n", b"RDB2\n", b"RDB3\n")  # save(): objects with names
_SAVE_RDS_STARTS = (b"X\n", b"A\n", b"A\r\n", b"B\n")  # saveRDS(): one object without a name

_UTF8, _LATIN1, _BYTES = 1 << 3, 1 << 2, 1 << 1  # how R marks the encoding of a text
_KINDS = {
    "NILVALUE": "NULL",
    "LGL": "a logical vector",
    "INT": "an integer vector",
    "REAL": "a numeric vector",
    "CPLX": "a complex vector",
    "STR": "a text vector",
    "VEC": "a list",
    "LIST": "a pairlist",
    "CLO": "a function",
    "ENV": "an environment",
    "PROM": "a promise",
    "LANG": "a call",
    "SYM": "a symbol",
    "EXPR": "an expression",
    "S4": "an S4 object",
}
#: Classes that do not change what the values mean: I(x), and labels that come beside the values.
_PLAIN_CLASSES = {"AsIs", "labelled", "haven_labelled", "vctrs_vctr", "double", "integer", "numeric", "character"}
_MICROSECONDS = 1_000_000  # a second
_SECONDS = {"secs": 1, "mins": 60, "hours": 3600, "days": 86400, "weeks": 604800}


def read_rdata(path: str | os.PathLike[str], name: str | None = None) -> pd.DataFrame:
    """Read a data frame from a file that R wrote with `save()` or `saveRDS()`.

    Parameters
    ----------
    path : str or path-like
        The file: `.rda`, `.RData` or `.rds`, of format 2 or 3, text or binary, compressed by gzip, bzip2, xz or not at
        all. What it is, is told from its content, not from its name.
    name : str, optional
        The object to read from a file of `save()`. May be left out where the file holds one object only. A file of
        `saveRDS()` holds one object without a name.

    Returns
    -------
    pandas.DataFrame
        R's rows and columns, in their order:

        ============================  =====================================================================
        in R                          here
        ============================  =====================================================================
        factor, ordered factor        categorical with R's levels in R's order, ordered if R's is
        integer                       ``int64``; ``Int64`` where a value is missing (``integer64`` likewise)
        numeric                       ``float64``; NA and NaN are both NaN
        logical                       ``bool``; ``boolean`` where a value is missing
        character                     text, NA is missing (the text ``"NA"`` is not)
        Date                          ``datetime64[s]``
        POSIXct                       ``datetime64[us]`` in R's time zone, in UTC where R names no known one
        difftime                      ``timedelta64[us]``
        row names                     the index, if somebody gave them; else 0, 1, 2, …
        ============================  =====================================================================

    Raises
    ------
    ImportError
        If the package rdata is not installed: ``pip install 'fairness_py[r]'``.
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is not one of R's, or is damaged or cut off; if it holds several objects and `name` is not given; if
        no object has that name; if a text is in an encoding that the file does not name; if a time is too far from 1970
        for a DataFrame.
    TypeError
        If the object is not a data frame.

    Warns
    -----
    UserWarning
        If columns are left out because a DataFrame cannot hold them: lists, matrices, complex numbers, and values of an
        R class whose meaning is not known here.

    See Also
    --------
    load_compas : The bundled data set like `compas` of the R package.
    load_germancredit : The bundled data set like `germancredit` of the R package.

    Notes
    -----
    Reading runs no code from the file. Only the data frame is taken out of it; functions, promises and expressions stay
    what they are, bytes. (R's own ``load()`` and ``readRDS()`` are less strict: a promise in the file is evaluated when
    it is first used.)

    Examples
    --------
    In R: ``save(loans, file = "loans.rda")``. Then in Python:

    >>> from fairness_py import fnr_parity, read_rdata
    >>> loans = read_rdata("loans.rda")  # doctest: +SKIP
    >>> fnr_parity(loans, outcome="default", group="sex", probs="score")  # doctest: +SKIP
    """
    shown = os.fspath(path)
    r_data = _parse(Path(path).expanduser(), shown)
    encoding = r_data.extra.encoding
    chosen, label = _choose(r_data.object, encoding, name, shown)
    if "data.frame" not in _texts(_attributes(chosen, encoding).get("class"), encoding):
        raise TypeError(
            f"{label} in {shown!r} must be a data frame, and is {_describe(chosen, encoding)}. "
            "Make it one in R, with as.data.frame(), and save that."
        )
    try:
        return _data_frame(chosen, encoding)
    except pd.errors.OutOfBoundsDatetime as error:
        raise ValueError(f"{shown!r} cannot be read: {error}") from error
    except (AttributeError, IndexError, KeyError, OverflowError) as error:  # the tree is not what R would write
        raise _damaged(shown, error) from error


def _parse(path: Path, shown: str) -> RData:
    """Parse the bytes of a file into the tree of R objects in it."""
    try:
        from rdata.parser import DEFAULT_ALTREP_MAP, parse_data
    except ImportError as error:
        raise ImportError("Reading files of R needs the package rdata: pip install 'fairness_py[r]'") from error

    content = path.read_bytes()
    try:
        for start, decompress in _COMPRESSIONS.items():
            if content.startswith(start):
                content = decompress(content)
                break
    except Exception as error:  # each compression has its own exceptions
        raise _damaged(shown, error) from error
    if not content.startswith(_SAVE_STARTS + _SAVE_RDS_STARTS):
        raise ValueError(
            f"{shown!r} {'is not a data file of R' if content else 'is empty'}. "
            "read_rdata() reads what R's save() and saveRDS() write."
        )
    try:
        return parse_data(
            content,
            extension=".rda" if content.startswith(_SAVE_STARTS) else ".rds",
            altrep_constructor_dict={**DEFAULT_ALTREP_MAP, b"deferred_string": _numbers_as_text},
        )
    except RecursionError as error:
        raise ValueError(
            f"{shown!r} holds too many objects, or objects too deeply nested, to be read. "
            "Save the data frame alone in R, with saveRDS()."
        ) from error
    except Exception as error:  # on bytes that are not R's, a parser may stumble over anything
        raise _damaged(shown, error) from error


def _damaged(shown: str, error: Exception) -> ValueError:
    return ValueError(
        f"{shown!r} cannot be read as a data file of R: it is damaged or cut off, or holds a kind of object "
        f"that is not known here ({type(error).__name__}: {error})."
    )


def _choose(top: RObject, encoding: str | None, name: str | None, shown: str) -> tuple[RObject, str]:
    """Return the object of that name, or the only one in the file, and what to call it in a message."""
    if _kind(top) != "LIST":  # saveRDS()
        if name is not None:
            raise ValueError(f"name must be left out for {shown!r}: it holds one object, without a name.")
        return top, "The object"
    objects = dict(_tagged(top, encoding))
    if name is None:
        if len(objects) != 1:
            raise ValueError(f"name must say which object of {shown!r} to read; it holds {quoted(objects)}.")
        name = next(iter(objects))
    elif name not in objects:
        raise ValueError(
            f"name must be an object of {shown!r}, got {name!r}.{did_you_mean(name, objects)} "
            f"It holds {quoted(objects)}."
        )
    return objects[name], f"The object {name!r}"


def _data_frame(frame: RObject, encoding: str | None) -> pd.DataFrame:
    """Make the DataFrame, without the columns that it cannot hold."""
    attributes = _attributes(frame, encoding)
    index = _row_names(attributes["row.names"], encoding)
    names = _texts(attributes.get("names"), encoding)
    columns, kept, left_out = [], [], []
    if len(names) != len(frame.value):
        raise IndexError(f"there are {len(names)} names for {len(frame.value)} columns")
    for name, column in zip(names, frame.value, strict=True):
        values = _column(column, encoding)
        if values is None:
            left_out.append(f"{name!r} ({_describe(column, encoding)})")
            continue
        if len(values) != len(index):
            raise IndexError(f"column {name!r} has {len(values)} values for {len(index)} rows")
        columns.append(values)
        kept.append(name)
    if left_out:
        warn(f"{len(left_out)} of {len(names)} columns left out, which a DataFrame cannot hold: {', '.join(left_out)}.")
    made = pd.DataFrame(dict(enumerate(columns)), index=index)
    made.columns = pd.Index(kept)  # only now, for R lets two columns have one name
    return made


def _row_names(row_names: RObject, encoding: str | None) -> pd.Index[Any]:
    if _kind(row_names) == "STR":
        return pd.Index(_texts(row_names, encoding))
    numbers = row_names.value
    if len(numbers) == 2 and np.ma.getmaskarray(numbers)[0]:  # how R writes "nobody gave names": NA and ±n
        return pd.RangeIndex(abs(int(numbers[1])))
    return pd.Index(np.asarray(numbers, dtype=np.int64))


def _column(column: RObject, encoding: str | None) -> Any:
    """Return the values of a column, or None where a DataFrame cannot hold them."""
    kind = _kind(column)
    attributes = _attributes(column, encoding)
    classes = set(_texts(attributes.get("class"), encoding))
    if "dim" in attributes:
        return None
    if kind == "INT" and "factor" in classes:
        return _factor(column, _texts_or_missing(attributes["levels"], encoding), ordered="ordered" in classes)
    if kind in {"INT", "REAL"} and "Date" in classes:
        return _times(np.floor(_floats(column)), 86400, "s")
    if kind in {"INT", "REAL"} and "POSIXct" in classes:
        return _in_zone(_times(_floats(column), _MICROSECONDS, "us"), _texts(attributes.get("tzone"), encoding))
    if kind in {"INT", "REAL"} and "difftime" in classes:
        seconds = _SECONDS[_texts(attributes["units"], encoding)[0]]
        return _times(_floats(column), seconds * _MICROSECONDS, "us") - np.datetime64(0, "us")
    if kind == "REAL" and "integer64" in classes:  # the package bit64 keeps whole numbers in the bits of doubles
        whole = column.value.view(np.int64)
        return _integers(whole, whole == np.iinfo(np.int64).min)
    if classes - _PLAIN_CLASSES:
        return None
    return _plain_column(column, kind, encoding)


def _plain_column(column: RObject, kind: str, encoding: str | None) -> Any:
    if kind == "STR":
        return _texts_or_missing(column, encoding)
    if kind == "REAL":
        return _floats(column)
    if kind == "INT":
        return _integers(np.ma.getdata(column.value).astype(np.int64), np.ma.getmaskarray(column.value))
    if kind == "LGL":
        values, missing = np.ma.getdata(column.value), np.ma.getmaskarray(column.value)
        return pd.arrays.BooleanArray(values, missing) if missing.any() else values
    return None


def _integers(values: np.ndarray[Any, Any], missing: np.ndarray[Any, Any]) -> Any:
    return pd.arrays.IntegerArray(values, missing) if missing.any() else values


def _factor(column: RObject, levels: list[str | None], *, ordered: bool) -> Any:
    codes = np.ma.filled(np.ma.asarray(column.value, dtype=np.int64), 0) - 1
    if len(set(levels)) < len(levels) or (len(codes) and not -1 <= codes.min() <= codes.max() < len(levels)):
        raise IndexError("a factor has a level twice, or refers to a level that it does not have")
    if None in levels:  # addNA() makes a level that stands for "missing"
        position = levels.index(None)
        codes = np.where(codes == position, -1, codes - (codes > position))
        levels = levels[:position] + levels[position + 1 :]
    return pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(levels, ordered=ordered))


def _floats(column: RObject) -> np.ndarray[Any, Any]:
    values = np.ma.filled(np.ma.asarray(column.value, dtype=np.float64), np.nan)
    values[np.isnan(values)] = np.nan  # R's NA is a NaN at which NumPy's functions would warn
    return values


def _times(since_1970: np.ndarray[Any, Any], ticks_each: int, unit: str) -> np.ndarray[Any, Any]:
    """Turn days or seconds since 1970 into times of a unit; what is not finite is missing, as in R."""
    known = np.isfinite(since_1970)
    times = np.full(len(since_1970), np.datetime64("NaT"), dtype=f"datetime64[{unit}]")
    with np.errstate(over="ignore"):
        ticks = np.round(since_1970[known] * ticks_each)
    beyond = np.abs(ticks) >= 2.0**63
    if beyond.any():
        raise pd.errors.OutOfBoundsDatetime(
            f"a date or time, {since_1970[known][beyond][0]:g} in R, is farther from 1970 than a DataFrame can hold: "
            "make it NA in R."
        )
    times[known] = ticks.astype(np.int64).view(times.dtype)
    return times


def _in_zone(times: np.ndarray[Any, Any], zones: list[str]) -> Any:
    """Give the times the first of R's time zones; without one, or with one not known here, they stay in UTC."""
    in_utc = pd.Series(times).dt.tz_localize("UTC").dt
    try:
        return in_utc.tz_convert(zones[0] if zones and zones[0] else "UTC").array
    except (KeyError, ValueError):  # the same moments, shown for another place
        return in_utc.tz_convert("UTC").array


def _numbers_as_text(state: RObject) -> tuple[RObjectInfo, list[RObject]]:
    """Write out `as.character()` of numbers, which R may leave undone until the texts are looked at.

    rdata has this too, but makes the text "nan" of a missing number and shows 17 digits where R shows 15.
    """
    from rdata.parser import CharFlags, RObject, RObjectInfo, RObjectType

    def info(kind: RObjectType, flags: int = 0) -> RObjectInfo:
        return RObjectInfo(type=kind, object=False, attributes=False, tag=False, gp=flags, reference=0)

    numbers, scipen = state.value[0].value, int(np.ma.getdata(state.value[1].value)[0])
    values, missing = np.ma.getdata(numbers), np.ma.getmaskarray(numbers)
    if values.dtype == np.float64:  # NA is the NaN whose lower half is 1954
        missing = np.isnan(values) & (values.view(np.uint64) & 0xFFFFFFFF == 1954)
    texts = [
        None if is_missing else _number_text(value, scipen).encode("ascii")
        for value, is_missing in zip(values.tolist(), missing, strict=True)
    ]
    char = info(RObjectType.CHAR, CharFlags.ASCII)
    return info(RObjectType.STR), [RObject(info=char, value=text, attributes=None) for text in texts]


def _number_text(value: float, scipen: int) -> str:
    if isinstance(value, int) or not np.isfinite(value):
        return r_text(value)
    shortened = float(f"{value:.15g}")
    fixed = np.format_float_positional(shortened, trim="-")
    scientific = np.format_float_scientific(shortened, trim="-", exp_digits=2)
    return fixed if len(fixed) <= len(scientific) + scipen else scientific


def _resolved(r_object: RObject) -> RObject:
    """Follow references: R writes a symbol once, and refers to it after that."""
    while _kind(r_object) == "REF":
        assert r_object.referenced_object is not None
        r_object = r_object.referenced_object
    return r_object


def _kind(r_object: RObject) -> str:
    return str(r_object.info.type.name)


def _tagged(pairs: RObject | None, encoding: str | None) -> Iterator[tuple[str, RObject]]:
    """Walk through a pairlist: the objects of a file, or the attributes of an object."""
    while pairs is not None and _kind(pairs) == "LIST":
        if pairs.tag is not None:
            yield _text(_resolved(pairs.tag).value, encoding) or "", _resolved(pairs.value[0])
        pairs = pairs.value[1]


def _attributes(r_object: RObject, encoding: str | None) -> dict[str, RObject]:
    return dict(_tagged(r_object.attributes, encoding))


def _texts(r_object: RObject | None, encoding: str | None) -> list[str]:
    return ["NA" if text is None else text for text in _texts_or_missing(r_object, encoding)]


def _texts_or_missing(r_object: RObject | None, encoding: str | None) -> list[str | None]:
    if r_object is None or _kind(r_object) != "STR":
        return []
    return [_text(char, encoding) for char in r_object.value]


def _text(char: RObject, encoding: str | None) -> str | None:
    """Decode a text of R; None is a missing one."""
    if char.value is None:
        return None
    flags = char.info.gp
    if flags & _UTF8:
        encoding = "utf-8"
    elif flags & _LATIN1:
        encoding = "cp1252"  # what R means by latin1
    elif flags & _BYTES or encoding is None:  # format 2 does not name the encoding of unmarked texts
        encoding = "ascii" if flags & _BYTES else "utf-8"
    try:
        return str(char.value, encoding)
    except (LookupError, UnicodeDecodeError) as error:
        raise ValueError(
            f"The text {char.value!r} is not in the encoding {encoding}, and the file names no other. "
            "Save the data again in R, with its texts passed through enc2utf8()."
        ) from error


def _describe(r_object: RObject, encoding: str | None) -> str:
    attributes = _attributes(r_object, encoding)
    classes = _texts(attributes.get("class"), encoding)
    if classes:
        return f"of the R class {classes[0]!r}"
    if "dim" in attributes:
        return "a matrix or an array"
    return _KINDS.get(_kind(r_object), f"an R object of type {_kind(r_object)}")
