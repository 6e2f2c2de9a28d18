"""Draw any label as it is: no mathematics, no TeX, and every character in a font that has it."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Any

# Fonts that come with matplotlib and show boxes or mathematics, partly under code points of their own.
_NOT_FOR_TEXT = ("Last Resort", "STIX", "cm")


def as_is(text: str) -> tuple[str, dict[str, Any]]:
    r"""Make a text drawable whatever it holds.

    Parameters
    ----------
    text : str
        A label that came with the data.

    Returns
    -------
    text : str
        The same text; tabs and other control characters but line breaks are blanks, and a character that no installed
        font has is written as its escape (``\u4e2d``), where matplotlib would warn and draw an empty box.
    properties : dict
        Properties of the matplotlib ``Text`` that is to show it.
    """
    from matplotlib import rcParams
    from matplotlib.font_manager import FontProperties, findfont

    text = "".join(" " if unicodedata.category(c) == "Cc" and c != "\n" else c for c in text)
    families = rcParams["font.family"]
    normal, bold = (
        tuple(findfont(FontProperties(family=family, weight=weight)) for family in families)
        for weight in ("normal", "bold")
    )
    missing = set(text) - {"\n"} - _characters(normal, bold)
    properties: dict[str, Any] = {"parse_math": False, "usetex": False}
    if missing:
        fallbacks, lost = _fallback_fonts(frozenset(missing))
        properties["fontfamily"] = [*families, *fallbacks]
        text = "".join(_escape(c) if c in lost else c for c in text)
    return text, properties


def isolate(name: str, rest: str) -> str:
    """Join a label and what is said about it so that a label written from right to left does not reorder the rest."""
    right_to_left = any(unicodedata.bidirectional(c) in ("R", "AL") for c in name)
    return ("\N{LEFT-TO-RIGHT MARK}" if right_to_left else "") + name + rest


def n_cells(text: str) -> int:
    """Return the width of the longest line in characters of usual width; Chinese and the like count twice."""
    return max(sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in line) for line in text.split("\n"))


@lru_cache(maxsize=8)
def _characters(normal: tuple[str, ...], bold: tuple[str, ...]) -> frozenset[str]:
    """Give the characters that the font files of a normal face have and those of the bold face too."""
    in_normal, in_bold = (frozenset().union(*(_charmap(font) for font in face)) for face in (normal, bold))
    return in_normal & in_bold


@lru_cache(maxsize=32)
def _fallback_fonts(missing: frozenset[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Find installed fonts that have the missing characters, sans-serif ones first; also the characters none has."""
    from matplotlib.font_manager import fontManager

    families: list[str] = []
    lost = missing
    for font in sorted(fontManager.ttflist, key=lambda font: ("Sans" not in font.name, font.weight != 400, font.name)):
        if not lost:
            break
        found = frozenset() if font.name.startswith(_NOT_FOR_TEXT) else lost & _charmap(font.fname)
        if found:
            families.append(font.name)
            lost -= found
    return tuple(families), lost


@lru_cache(maxsize=64)
def _charmap(path: str) -> frozenset[str]:
    from matplotlib.font_manager import get_font

    try:
        return frozenset(map(chr, get_font(path).get_charmap()))
    except (OSError, RuntimeError):  # the font was removed, or is one of bitmaps that matplotlib cannot read
        return frozenset()


def _escape(character: str) -> str:
    invisible = unicodedata.category(character) == "Cf" or 0xFE00 <= ord(character) <= 0xFE0F
    return "" if invisible else character.encode("ascii", "backslashreplace").decode()
