"""A library is taken only if it was made from the source that lies beside it."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np

from arena_cam.vision.kernels.library import SOURCES, compiled, computing_with, load, ptr


def test_a_library_of_another_source_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "_kernels.so"
    files = [str(each) for each in SOURCES if each.suffix == ".c"]
    subprocess.run(["cc", "-O0", "-fPIC", "-shared", *files, "-o", str(file), "-lm"], check=True)
    assert load(file) is None


def test_a_torn_or_missing_library_is_left_alone(tmp_path: Path) -> None:
    torn = tmp_path / "_kernels.so"
    torn.write_bytes(b"\x7fELF torn")
    assert load(torn) is None
    assert load(tmp_path / "nowhere.so") is None


def test_what_is_computed_with_can_be_chosen(library: ctypes.CDLL) -> None:
    before = compiled()
    with computing_with(library):
        assert compiled() is library
        with computing_with(None):
            assert compiled() is None
    assert compiled() is before


def test_an_array_lies_where_numpy_says() -> None:
    few = np.zeros((3, 4), np.float32)
    fixed = np.zeros(5)
    fixed.flags.writeable = False
    for array in (few, few[1:], few[1], np.zeros(0), fixed, np.zeros(7, np.uint8)):
        assert ptr(array) == array.ctypes.data
    assert ptr(None) is None
