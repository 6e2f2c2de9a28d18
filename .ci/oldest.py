"""Print the lowest versions that a pyproject.toml allows, as constraints for pip."""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"]
for requirement in project["dependencies"] + extras["r"] + extras["parquet"] + extras["test"]:
    if ">=" in requirement:
        print(requirement.replace(">=", "=="))
