"""What the project says of itself in several places is the same in all, and importing it is light."""

from __future__ import annotations

import configparser
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

from helpers import people

import fairness_py
from fairness_py import metrics
from fairness_py._engine import compute_parity

REPOSITORY = Path(__file__).resolve().parent.parent
R_FUNCTIONS = [
    "acc_parity",
    "dem_parity",
    "equal_odds",
    "fnr_parity",
    "fpr_parity",
    "mcc_parity",
    "npv_parity",
    "pred_rate_parity",
    "prop_parity",
    "roc_parity",
    "spec_parity",
]


def text_of(name):
    return (REPOSITORY / name).read_text(encoding="utf-8")


def test_one_version():
    version = tomllib.loads(text_of("pyproject.toml"))["project"]["version"]
    assert fairness_py.__version__ == version
    assert re.search(r"^version: (.+)$", text_of("CITATION.cff"), re.MULTILINE).group(1) == version
    assert f"## fairness_py {version}" in text_of("NEWS.md")


def test_setup_cfg_only_maps_folders_to_packages():
    settings = configparser.ConfigParser()
    settings.read_string(text_of("setup.cfg"))
    assert settings.sections() == ["options", "options.package_data"]
    assert set(settings["options"]) == {"packages", "package_dir"}
    assert "setuptools" not in tomllib.loads(text_of("pyproject.toml"))["tool"]


def test_no_version_is_pinned_from_above():
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    extras = project["optional-dependencies"].values()
    requirements = [*project["dependencies"], *(requirement for extra in extras for requirement in extra)]
    own = [requirement for requirement in requirements if requirement.startswith("fairness_py[")]
    for requirement in set(requirements) - set(own):
        assert re.fullmatch(r"[A-Za-z0-9._-]+(\[[a-z,]+\])?>=[0-9.]+", requirement), requirement


def test_the_readme_has_every_r_function():
    table = text_of("README.md").split("## From R to Python")[1].split("\n## ")[0]
    assert [name for name in R_FUNCTIONS if table.count(f"`{name}(") != 2] == []


def test_the_authors_of_the_r_package_are_credited():
    for name in ("LICENSE", "README.md", "CITATION.cff"):
        text = text_of(name)
        assert all(author in text for author in ("Kozodoi", "Tibor V.", "Varga")), name


def test_importing_loads_no_heavy_library():
    heavy = ["matplotlib", "seaborn", "scipy", "statsmodels", "pyarrow", "rdata", "pyuca", "sklearn", "polars"]
    program = (
        "import sys, pandas; before = set(sys.modules)\n"
        "import fairness_py\n"
        f"print([name for name in {heavy!r} if name in set(sys.modules) - before])\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_metric_is_added_as_the_guide_says():
    """The steps in CONTRIBUTING.md, taken as they are written, make a metric with its intervals and its plot."""
    guide = text_of("CONTRIBUTING.md")
    steps = re.findall(r"^   ```python\n(.*?)^   ```", guide, flags=re.DOTALL | re.MULTILINE)
    names = dict(vars(metrics))
    for step in steps:
        exec(textwrap.dedent(step), names)
    arguments = dict.fromkeys(("probs", "outcome_base", "base", "group_breaks", "positive"))
    data = people(a=(1, 2, 3, 1), b=(4, 3, 2, 2))  # FN / (FN + TN)
    result = compute_parity(
        names["FOR"],
        data,
        "outcome",
        "group",
        **arguments,
        preds="predicted",
        cutoff=0.5,
        versus="base",
        conf_level=0.9,
    )
    assert result["Metric"].loc["FOR"].tolist() == [1 / 4, 2 / 4]
    assert result["Metric"].loc["FOR Parity"].tolist() == [1, 2]
    assert "FOR Parity lower" in result["Intervals"].index
    assert result["Metric_plot"].axes[0].get_xlabel() == "False Omission Rate Parity"
