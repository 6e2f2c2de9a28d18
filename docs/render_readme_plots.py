"""Draw the plots that README.md shows, or check that they are true.

python docs/render_readme_plots.py           draw them into docs/images
python docs/render_readme_plots.py --check   draw them anew, and compare what is drawn with the pictures in docs/images

Fonts differ between versions of matplotlib, so each PNG carries the numbers that its bars and curves have, and those
are compared. Pixels may differ a little; a picture of another plot does not pass.
"""

from __future__ import annotations

import argparse
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from PIL import Image
from reference_pages import alt_text

import fairness_py as fp

HERE = Path(__file__).resolve().parent
PLOTS = {"equal_odds": "Metric_plot", "roc_parity": "ROCAUC_plot"}
KEY = "Drawn numbers"
SOME = 50  # of the points of a curve
MOST_DIFFERENT = 0.05  # mean difference of pixels, as a share of black to white


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw the plots that README.md shows, or check that they are true.")
    parser.add_argument("--check", action="store_true", help="compare with the pictures that are there")
    check = parser.parse_args().check
    problems = []
    for name, key in PLOTS.items():
        result = getattr(fp, name)(fp.load_compas(), "Two_yr_Recidivism", "ethnicity", "probability", base="Caucasian")
        image = io.BytesIO()
        numbers = json.dumps(drawn_numbers(result[key]))
        result[key].savefig(image, format="png", dpi=110, metadata={KEY: numbers})
        path = HERE / "images" / f"{name}.png"
        if not check:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(image.getvalue())
        elif problem := difference(path, image):
            problems.append(f"{path.name} {problem}: run python docs/render_readme_plots.py, and look at it.")
        shown = f"![{alt_text(result, key)}](docs/images/{path.name})"
        if shown not in (HERE.parent / "README.md").read_text(encoding="utf-8"):
            problems.append(f"README.md should say: {shown}")
    print(*problems or [f"{len(PLOTS)} plots " + ("are true" if check else "drawn")], sep="\n")
    return int(bool(problems))


def drawn_numbers(figure: Figure) -> dict[str, Any]:
    """Return what a plot shows: the widths of its bars, points of its lines, and its texts."""
    (ax,) = figure.axes
    lines = [np.asarray(line.get_xydata(), dtype=float) for line in ax.lines]
    legend = ax.get_legend()
    return {
        "bars": [round(float(bar.get_width()), 6) for bars in ax.containers for bar in bars],
        "lines": [points[:: max(1, len(points) // SOME)].round(6).tolist() for points in lines],
        "texts": [text.get_text() for text in [*ax.texts, *(legend.get_texts() if legend else [])]],
    }


def difference(path: Path, image: io.BytesIO) -> str:
    """Say how a picture differs from one that was drawn just now."""
    if not path.exists():
        return "is missing"
    with Image.open(path) as old, Image.open(image) as new:
        if old.info.get(KEY) != new.info[KEY]:
            return "shows other numbers than those of today"
        if old.size != new.size:
            return f"has {old.size} pixels, not {new.size}"
        old_pixels, new_pixels = (np.asarray(picture.convert("L"), dtype=float) / 255 for picture in (old, new))
        mean = np.abs(old_pixels - new_pixels).mean()
        return f"looks different (by {mean:.3f})" if mean > MOST_DIFFERENT else ""


if __name__ == "__main__":
    raise SystemExit(main())
