"""`arena-cam referee sim` in a process of its own, for what is measured from outside."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def simulated_referee(*options: str) -> Iterator[tuple[int, str]]:
    """Its process id and its address while it runs, with a data folder that goes with it."""
    with tempfile.TemporaryDirectory(prefix="arena-cam-bench-") as data:
        command = [sys.executable, "-m", "arena_cam", "referee", "sim", "--port", "0", "--data", data, "--no-browser"]
        with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                found = re.search(r"http://localhost:(\d+)", process.stdout.readline())
                assert found is not None
                yield process.pid, f"http://127.0.0.1:{found[1]}"
            finally:
                process.terminate()
