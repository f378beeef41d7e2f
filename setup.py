"""Compiles the eye's kernels, where there is a compiler; all else about the package stands in pyproject.toml.

The library includes no Python.h and is loaded with ctypes: setuptools is asked only to find the compiler. Optional: an
installation without one computes with numpy.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import chain
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCES = sorted(Path("arena_cam/vision/kernels").glob("*.[ch]"))
FINGERPRINT = sha256(b"".join(file.read_bytes() for file in SOURCES)).hexdigest()[:16]


class SideBySide(build_ext):
    """Compiles as many sources at once as there are cores: one after the other they take a minute."""

    def build_extension(self, ext: Extension) -> None:
        def compiled(source: str) -> list[str]:
            return self.compiler.compile(
                [source],
                output_dir=self.build_temp,
                macros=ext.define_macros,
                extra_postargs=ext.extra_compile_args,
                depends=ext.depends,
            )

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            ext.extra_objects = list(chain.from_iterable(pool.map(compiled, ext.sources)))
        ext.sources = []
        super().build_extension(ext)


setup(
    cmdclass={"build_ext": SideBySide},
    ext_modules=[
        Extension(
            "arena_cam.vision.kernels._kernels",
            [str(file) for file in SOURCES if file.suffix == ".c"],
            depends=[str(file) for file in SOURCES],
            # as vision/kernels/library.py computes it
            define_macros=[("SOURCE_FINGERPRINT", f'"{FINGERPRINT}"')],
            # Numbers as the twins in numpy have them: no -ffast-math. What is for a debugger takes a fifth of the time.
            extra_compile_args=["-O3", "-g0", "-fopenmp-simd", "-fno-math-errno", "-fno-trapping-math"],
            libraries=[] if os.name == "nt" else ["m"],
            optional=True,
        )
    ],
)
