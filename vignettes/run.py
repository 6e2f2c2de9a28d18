"""Execute the vignettes, and store their outputs or compare them with those stored.

python vignettes/run.py                        execute every notebook and store its outputs
python vignettes/run.py --check                execute, and compare the text outputs with those stored
python vignettes/run.py --check fairness.ipynb only this one

Each notebook runs in a fresh kernel of this interpreter, in the folder it stands in, without real data: the variable
FAIRNESS_PY_REAL_DATA, which names a reader's folder of them, is unset. Whatever a notebook writes to stderr, such as a
warning that it does not print itself, is a failure, as is an exception. Texts are compared; images and HTML are not,
for they differ between versions of what draws them. Exits with 1 if a notebook fails.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

FOLDER = Path(__file__).resolve().parent
REAL_DATA = "FAIRNESS_PY_REAL_DATA"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # of a terminal, in tracebacks
SECONDS = 120  # the most that a cell may take
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class Failure(Exception):
    """What is wrong with a notebook, for a reader."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Execute the vignettes, and store or check their outputs.")
    parser.add_argument("--check", action="store_true", help="compare the text outputs with those stored")
    parser.add_argument("notebooks", nargs="*", type=Path, help="by default all in the folder of this script")
    arguments = parser.parse_args()
    os.environ.pop(REAL_DATA, None)
    failed = False
    for path in arguments.notebooks or sorted(FOLDER.glob("*.ipynb")):
        start = time.monotonic()
        try:
            run(path, check=arguments.check)
        except Failure as failure:
            failed = True
            print(f"{path.name}: FAILED\n{failure}\n", file=sys.stderr)
        else:
            print(f"{path.name}: {'as stored' if arguments.check else 'stored'} ({time.monotonic() - start:.0f} s)")
    return int(failed)


def run(path: Path, *, check: bool) -> None:
    """Execute a notebook; store it, or raise a `Failure` where its texts are not those stored."""
    stored = nbformat.read(path, as_version=4)
    nbformat.validate(stored)
    executed = execute(stored, path.parent)
    problems = list(complaints(executed))
    if check:
        problems += differences(stored, executed)
    if problems:
        raise Failure("\n".join(problems))
    if not check:
        nbformat.write(executed, path)


def execute(stored: NotebookNode, folder: Path) -> NotebookNode:
    """Return a copy with the outputs of a run in a fresh kernel of this interpreter, whichever others are installed."""
    notebook = nbformat.from_dict(stored)
    kernel = AsyncKernelManager(kernel_name="python3", kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))
    client = NotebookClient(
        notebook,
        km=kernel,
        timeout=SECONDS,
        record_timing=False,
        coalesce_streams=True,  # what one cell prints is one output
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--log-level=ERROR"],  # of the kernel itself, not of what runs in it
    )
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise Failure(COLOUR.sub("", str(error))) from None
    notebook.metadata = nbformat.from_dict(METADATA)  # not the versions of this machine
    return notebook


def complaints(notebook: NotebookNode) -> Iterator[str]:
    """Yield what the cells wrote to stderr."""
    for number, cell in code_cells(notebook):
        for output in cell.outputs:
            if output.get("name") == "stderr":
                yield f"cell {number} wrote to stderr:\n{cell.source}\n---\n{output.text}"


def differences(stored: NotebookNode, executed: NotebookNode) -> Iterator[str]:
    """Yield a diff for each cell whose texts are not those stored."""
    for (number, before), (_, after) in zip(code_cells(stored), code_cells(executed), strict=True):
        old, new = texts(before), texts(after)
        if old != new:
            diff = difflib.unified_diff(old.splitlines(), new.splitlines(), "stored", "now", lineterm="")
            yield "\n".join([f"cell {number} gives another text:", before.source, "---", *diff])


def code_cells(notebook: NotebookNode) -> list[tuple[int, NotebookNode]]:
    return [(number, cell) for number, cell in enumerate(notebook.cells, 1) if cell.cell_type == "code"]


def texts(cell: NotebookNode) -> str:
    """Return what a cell prints and returns, but for pictures, whose text only tells their size."""
    parts = []
    for output in cell.outputs:
        data = output.get("data", {})
        if output.output_type == "stream":
            parts.append(output.text)
        elif not any(kind.startswith("image/") for kind in data):
            parts.append(data.get("text/plain", "") + "\n")
    return "".join(parts)


if __name__ == "__main__":
    raise SystemExit(main())
