"""Draw the plots that README.md and the home page show, or check that they are true.

python docs/render_readme_plots.py           draw them into docs/images
python docs/render_readme_plots.py --check   compare the numbers kept in the pictures with those of today

Pixels differ between versions of fonts, so each PNG carries the numbers it shows, as text.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PIL import Image

import fairness_py

FOLDER = Path(__file__).parent / "images"
PLOTS = {"equal_odds": "Metric_plot", "roc_parity": "ROCAUC_plot"}
CALL = {"outcome": "Two_yr_Recidivism", "group": "ethnicity", "probs": "probability", "base": "Caucasian"}


def main() -> int:
    stale = []
    for name, key in PLOTS.items():
        result = getattr(fairness_py, name)(fairness_py.load_compas(), **CALL)
        numbers = json.dumps(result.Metric.round(10).to_dict())
        path = FOLDER / f"{name}.png"
        if "--check" not in sys.argv[1:]:
            FOLDER.mkdir(exist_ok=True)
            result[key].savefig(path, dpi=110, bbox_inches="tight", metadata={"Numbers": numbers})
        elif not path.exists() or Image.open(path).text.get("Numbers") != numbers:
            stale.append(path.name)
    if stale:
        print(f"No longer true: {', '.join(stale)}. Run python docs/render_readme_plots.py.", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
