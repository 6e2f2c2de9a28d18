"""Warnings that point at the line of the caller, however deep inside the package they arise."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

_PACKAGE = str(Path(__file__).parent) + os.sep


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn with the file and line of the first frame outside this package."""
    level = 2  # 1 is this function
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)
