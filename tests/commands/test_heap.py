"""Memory that pictures were computed in is taken again without the system's help, where a command asks for it."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

PICTURES = """
import resource
from arena_cam.commands.process import heap
{first}
for turn in range(6):
    if turn == 2:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    pictures = [bytearray(30_000_000) for _ in range(3)]
    del pictures
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def pages_taken(first: str) -> int:
    """How many pages the system hands out for pictures that are made and freed again and again."""
    command = [sys.executable, "-c", PICTURES.format(first=first)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library than glibc")
def test_freed_pictures_are_kept_for_the_next_ones() -> None:
    assert pages_taken("heap.keep_freed()") < 0.05 * pages_taken("")
