"""The compiled library: this installation's, or one that is compiled for these tests."""

from __future__ import annotations

import ctypes
import shutil
import subprocess

import cv2
import numpy as np
import pytest

from arena_cam.vision.kernels.library import SOURCES, compiled, fingerprint, load


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    here = compiled()
    if here is not None:
        return here
    compiler = shutil.which("cc") or shutil.which("gcc")
    assert compiler, "these tests need a C compiler: apt-get install gcc libc6-dev"
    file = tmp_path_factory.mktemp("kernels") / "_kernels.so"
    made_of = f'-DSOURCE_FINGERPRINT="{fingerprint()}"'
    options = ["-O3", "-fopenmp-simd", "-fPIC", "-shared", made_of]
    subprocess.run(
        [compiler, *options, *(str(each) for each in SOURCES if each.suffix == ".c"), "-o", str(file), "-lm"],
        check=True,
    )
    built = load(file)
    assert built is not None
    return built


@pytest.fixture(scope="session")
def samples_exactly() -> bool:
    """Whether cv2.remap takes places as they are, as compiled code does: OpenCV 4 rounds them to 32nds of a pixel."""
    ramp = np.tile(np.arange(8, dtype=np.float32), (2, 1))
    place = np.array([[3.01]], np.float32), np.array([[0.0]], np.float32)
    return bool(abs(float(cv2.remap(ramp, *place, cv2.INTER_LINEAR)[0, 0]) - 3.01) < 1e-4)
