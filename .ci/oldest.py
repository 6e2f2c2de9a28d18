"""Print the lowest versions that a pyproject.toml allows, as constraints for pip."""

import re
import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"]
used = ["r", "parquet", "dask", "duckdb", "polars", "test"]
for requirement in project["dependencies"] + [requirement for extra in used for requirement in extras[extra]]:
    if ">=" in requirement:
        print(re.sub(r"\[.*?\]", "", requirement).replace(">=", "=="))
