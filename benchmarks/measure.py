"""What the benchmarks share: people, calls made by turns, the memory of a call, and fresh processes."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

GROUPS = ["African_American", "Asian", "Caucasian", "Hispanic", "Native_American", "Other"]
SHARES = [0.51, 0.01, 0.34, 0.08, 0.01, 0.05]
READY = "ready"
MIB = 2**20


class People(NamedTuple):
    """Codes of six groups of unequal size, a true outcome, and a probability that tells something of it."""

    group: np.ndarray
    outcome: np.ndarray
    probability: np.ndarray


def draw_people(n: int, seed: int | list[int] = 1) -> People:
    """Draw people, always the same ones."""
    generator = np.random.default_rng(seed)
    group = generator.choice(len(GROUPS), n, p=SHARES).astype(np.int8)
    outcome = generator.integers(0, 2, n)
    return People(group, outcome, np.clip(generator.normal(0.4 + 0.2 * outcome, 0.2), 0, 1))


def make_people(n: int) -> pd.DataFrame:
    """Return people as a frame whose groups are a categorical."""
    people = draw_people(n)
    group = pd.Categorical.from_codes(people.group, GROUPS)
    return pd.DataFrame({"group": group, "outcome": people.outcome, "probability": people.probability})


# ------------------------------------------------------------------ seconds


class Seconds(NamedTuple):
    """The median seconds of a call by the clock, and of the processor on all threads together."""

    clock: float
    processor: float


def processor_seconds() -> float:
    """Return the seconds that this process and the processes it has waited for have used."""
    return time.process_time() + sum(os.times()[2:4])


def by_turns(calls: dict[str, Callable[[], object]], repeats: int) -> dict[str, Seconds]:
    """Return the median seconds for each call, all of them made by turns: what slows one slows the others."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            clock, processor = time.perf_counter(), processor_seconds()
            call()
            taken[name].append((time.perf_counter() - clock, processor_seconds() - processor))
    return {name: Seconds(*(median(kind) for kind in zip(*each, strict=True))) for name, each in taken.items()}


# ------------------------------------------------------------------ memory


def traced_memory(call: Callable[[], object]) -> float:
    """Return the most MiB that Python and NumPy hold for a call, besides what was there before."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / MIB


def extra_memory(call: Callable[[], object]) -> float:
    """Return the most MiB that a call needs besides what was there before.

    It is the larger of two figures. What the system counts has Arrow's memory in it, but not what the process had in
    reserve; what Python traces has only Python's and NumPy's. The system's peak is set back through Linux's /proc;
    elsewhere it is only what Python traces.
    """
    resident = 0.0
    if Path("/proc/self/clear_refs").exists():
        _give_back()
        Path("/proc/self/clear_refs").write_text("5")
        before = _status("VmRSS:")
        call()
        resident = _status("VmHWM:") - before
    return max(resident, traced_memory(call))


def _status(field: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024


def _give_back() -> None:
    """Give memory that is free back to the system, so that what a call takes can be seen."""
    gc.collect()
    if "pyarrow" in sys.modules:
        sys.modules["pyarrow"].default_memory_pool().release_unused()
    with contextlib.suppress(AttributeError):  # not glibc
        ctypes.CDLL(None).malloc_trim(0)


class Watch(threading.Thread):
    """Looks again and again how much memory a process and all that it started hold."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self._process = process
        self._over = threading.Event()
        self.start_mib = self.peak_mib = 0.0

    def run(self) -> None:
        import psutil

        while not self._over.wait(0.01):
            with contextlib.suppress(psutil.Error):
                self.peak_mib = max(self.peak_mib, self._held())

    def _held(self) -> float:
        import psutil

        top = psutil.Process(self._process)
        held = 0
        for one in [top, *top.children(recursive=True)]:
            with contextlib.suppress(psutil.Error):
                held += one.memory_info().rss
        return held / MIB

    def restart(self) -> None:
        """Forget the peak so far."""
        self.start_mib = self.peak_mib = self._held()

    def stop(self) -> None:
        self._over.set()
        self.join()


# ------------------------------------------------------------------ fresh processes


def ready() -> None:
    """Say in a fresh process that all is set up, so that its memory is watched from here on."""
    print(READY, flush=True)


def in_fresh_process(arguments: Sequence[object], python: str = sys.executable, *, watch: bool = False) -> Any:
    """Run a script and return what its last line holds as JSON. Nothing that it started is left behind."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that it ends what it started, too
    with tempfile.TemporaryFile("w+") as said:
        command = [python, *map(str, arguments)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True, start_new_session=True)
        memory = Watch(process.pid)
        try:
            if watch:
                memory.start()
            last = "null"
            assert process.stdout is not None
            for line in process.stdout:
                if line.strip() == READY:
                    memory.restart()
                elif line.strip():
                    last = line
            if process.wait() != 0:
                said.seek(0)
                raise RuntimeError(f"{' '.join(command)} failed:\n{said.read()[-2000:]}")
            answer = json.loads(last)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if watch:
                memory.stop()
    return answer | {"start_mib": memory.start_mib, "peak_mib": memory.peak_mib} if watch else answer


def verdict(figure: float, limit: float | None) -> str:
    """Say whether a figure is within its limit."""
    return "" if limit is None else "kept" if figure <= limit else "NOT KEPT"
