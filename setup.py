"""Compiles the eye's kernels, where there is a compiler; all else about the package stands in pyproject.toml.

The library includes no Python.h and is loaded with ctypes: setuptools is asked only to find the compiler. Optional: an
installation without one computes with numpy.
"""

import os
from hashlib import sha256
from pathlib import Path

from setuptools import Extension, setup

SOURCES = sorted(Path("arena_cam/vision/kernels").glob("*.[ch]"))
FINGERPRINT = sha256(b"".join(file.read_bytes() for file in SOURCES)).hexdigest()[:16]

setup(
    ext_modules=[
        Extension(
            "arena_cam.vision.kernels._kernels",
            [str(file) for file in SOURCES if file.suffix == ".c"],
            depends=[str(file) for file in SOURCES],
            # as vision/kernels/library.py computes it
            define_macros=[("SOURCE_FINGERPRINT", f'"{FINGERPRINT}"')],
            # numbers as the twins in numpy have them: no -ffast-math
            extra_compile_args=["-O3", "-fopenmp-simd", "-fno-math-errno", "-fno-trapping-math"],
            libraries=[] if os.name == "nt" else ["m"],
            optional=True,
        )
    ]
)
