"""What the tests share: the folders of expected results and of real data, and the bundled data sets."""

from __future__ import annotations

from pathlib import Path

import hypothesis
import pandas as pd
import pytest

from fairness_py.datasets import load_compas, load_germancredit

# How long an example takes says nothing on a busy machine.
hypothesis.settings.register_profile(
    "any_machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any_machine")

TESTS = Path(__file__).resolve().parent
REAL_DATA = TESTS.parent.parent / "shared" / "real"


@pytest.fixture(scope="session")
def golden_dir() -> Path:
    """Results of the R package; tests/golden/README.md tells how they were made."""
    return TESTS / "golden"


@pytest.fixture(scope="session")
def real_dir() -> Path:
    """Real data of other people, which is no part of the project."""
    if not REAL_DATA.is_dir():
        pytest.skip(
            f"the real data are not here (looked for {REAL_DATA.parent.name}/{REAL_DATA.name} beside the checkout)"
        )
    return REAL_DATA


@pytest.fixture
def compas() -> pd.DataFrame:
    return load_compas()


@pytest.fixture
def germancredit() -> pd.DataFrame:
    return load_germancredit()
