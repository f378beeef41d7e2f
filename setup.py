"""Compiles the eye's kernels, where there is a compiler; all else about the package stands in pyproject.toml.

The library includes no Python.h and is loaded with ctypes: setuptools is asked only to find the compiler. Optional: an
installation without one computes with numpy.
"""

import os
from hashlib import sha256
from pathlib import Path

from setuptools import Extension, setup

SOURCE = "arena_cam/vision/kernels/kernels.c"

setup(
    ext_modules=[
        Extension(
            "arena_cam.vision.kernels._kernels",
            [SOURCE],
            depends=[SOURCE],
            # as vision/kernels/library.py computes it
            define_macros=[("SOURCE_FINGERPRINT", f'"{sha256(Path(SOURCE).read_bytes()).hexdigest()[:16]}"')],
            # numbers as the twins in numpy have them: no -ffast-math
            extra_compile_args=["-O3", "-fopenmp-simd"],
            libraries=[] if os.name == "nt" else ["m"],
            optional=True,
        )
    ]
)
