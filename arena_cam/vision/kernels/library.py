"""The compiled library, if this installation has one: loaded once, and only if it was made from this very source.

`pip install -e .` compiles the C files beside this one, where there is a compiler; without one, or if the library is of
another machine or an older source, `compiled` gives None and callers compute with numpy: the same, in twice the time.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SOURCES = tuple(sorted(Path(__file__).parent.glob("*.[ch]")))  # as setup.py lists them

_POINTER, _LONG, _DOUBLE = ctypes.c_void_p, ctypes.c_long, ctypes.c_double
_PICTURE = [_POINTER, _LONG, _LONG, _DOUBLE]  # pixels, height, width, its pixels for one of the frame
_SIGNATURES: dict[str, tuple[list[type], type]] = {
    "arena_fingerprint": ([], ctypes.c_char_p),
    "arena_align": ([*_PICTURE, _POINTER, _LONG, *[_POINTER] * 6, _LONG, *[_POINTER] * 5], ctypes.c_int),
    "arena_tiles": (
        [
            *(*_PICTURE, _POINTER, _POINTER),  # camera, pose
            *(_POINTER, _LONG, _LONG, _DOUBLE),  # claims
            *(_LONG, _POINTER, _POINTER, _POINTER, _LONG, _POINTER, _DOUBLE, _POINTER, _POINTER),  # tiles, rules
            *(_POINTER, _POINTER, _POINTER),  # nats, shown, enough
        ],
        ctypes.c_int,
    ),
    "arena_likeness": (
        [*(*_PICTURE, _POINTER, _POINTER), *(_POINTER, _LONG, _LONG, _DOUBLE), _LONG, *[_POINTER] * 4],
        ctypes.c_int,
    ),
    "arena_best_off": ([*[_POINTER] * 2, _LONG, _LONG, *[_POINTER] * 5, _DOUBLE, _POINTER], ctypes.c_int),
    "arena_named": ([*[_POINTER] * 2, _LONG, _LONG, *[_POINTER] * 5, _DOUBLE, _POINTER, _POINTER], ctypes.c_int),
    "arena_apart": (
        [_POINTER, _POINTER, *[_LONG] * 3, *[_POINTER] * 3, _LONG, _POINTER, _DOUBLE, _DOUBLE, _POINTER],
        ctypes.c_int,
    ),
    "arena_lit": ([_POINTER, _POINTER, _LONG, _POINTER, *[_LONG] * 3, *[_POINTER] * 11], ctypes.c_int),
    "arena_told": (
        [
            *(_POINTER, _LONG, _POINTER, _LONG, *[_POINTER] * 4),  # faces, points, their light
            *(_POINTER, _POINTER, _LONG, _LONG, _POINTER, _POINTER, _POINTER),  # slopes, places, rules, said
        ],
        ctypes.c_int,
    ),
    "arena_between": (
        [
            *(_POINTER, _LONG, _LONG, _POINTER, _LONG, *[_POINTER] * 4),  # faces, points, their light
            *(_POINTER, _POINTER, _POINTER, _LONG, _POINTER, _POINTER),  # slopes, places, rules
            *(_LONG, _DOUBLE, _DOUBLE, _POINTER),  # steps, said
        ],
        ctypes.c_int,
    ),
    "arena_shares": (
        [_POINTER, _POINTER, _LONG, _POINTER, _LONG, _LONG, _POINTER, _POINTER, _DOUBLE, _DOUBLE, _POINTER],
        ctypes.c_int,
    ),
    "arena_grouped": ([_POINTER, _LONG, _POINTER, _LONG, _POINTER, _LONG, _DOUBLE, _DOUBLE, _POINTER], ctypes.c_int),
    "arena_beside": (
        [_POINTER, _LONG, _LONG, _POINTER, _POINTER, _LONG, *[_DOUBLE] * 3, *[_POINTER] * 4],
        ctypes.c_int,
    ),
    "arena_views": (
        [
            *(_POINTER, _LONG, _LONG, _DOUBLE, *[_POINTER] * 3, _LONG, _LONG),  # picture, grid
            *(*[_POINTER, _LONG] * 2, _POINTER, _POINTER, _LONG, _POINTER),  # rows, columns, asked, steps, shown
        ],
        ctypes.c_int,
    ),
    "arena_softly": (
        [
            *(_POINTER, *[_LONG] * 3, _POINTER, _POINTER, _LONG),  # views, what is in view, points
            *(_POINTER, _LONG, _POINTER, _POINTER, _LONG, _POINTER, _POINTER, _POINTER),  # softness, of light; found
        ],
        ctypes.c_int,
    ),
    "arena_soft_faces": (
        [*[_POINTER] * 2, *[_LONG] * 3, *[_POINTER] * 2, _LONG, _POINTER, _LONG, *[_POINTER] * 2],
        ctypes.c_int,
    ),
    "arena_rendered": (
        [
            *(_POINTER, *[_LONG] * 3, _POINTER, _LONG, _LONG),  # faces, what is in view
            *(*[_POINTER] * 4, _LONG, _DOUBLE, _POINTER, _POINTER),  # what is seen there, rules, squares
        ],
        ctypes.c_int,
    ),
    "arena_slopes": ([_POINTER, *[_LONG] * 3, _POINTER, _LONG, _POINTER], ctypes.c_int),
    "arena_spread": ([_POINTER, _POINTER, _LONG, _LONG, _POINTER, _POINTER], ctypes.c_int),
    "arena_light": ([*[_POINTER] * 4, _LONG, _LONG, *[_POINTER] * 2, *[_DOUBLE] * 4, _LONG, _POINTER], ctypes.c_int),
    "arena_print_light": ([*[_POINTER] * 4, _LONG, _LONG, *[_POINTER] * 6], ctypes.c_int),
    "arena_outline": (
        [
            *(*_PICTURE, _POINTER),  # camera
            *(_POINTER, _LONG, _LONG, _POINTER, _POINTER, _LONG, _LONG),  # claims, frame, bare floor
            *(_LONG, *[_POINTER] * 5, _POINTER, _LONG, _POINTER),  # outline, prior, looks, rules
            *(_POINTER, _POINTER),  # pose, found
        ],
        ctypes.c_int,
    ),
    "arena_bundle": (
        [*(_POINTER, _LONG, _LONG, _POINTER, _LONG), *[_POINTER] * 4, *(_LONG, _POINTER, _POINTER, _POINTER)],
        ctypes.c_int,
    ),
    "arena_plane_support": ([_POINTER, _LONG, *[_POINTER] * 3, _LONG, _POINTER, _LONG, *[_POINTER] * 2], ctypes.c_int),
    "arena_table_fit": ([_LONG, *[_POINTER] * 4, _LONG, _POINTER], ctypes.c_int),
    "arena_boxes": ([_POINTER, _LONG, _LONG, _LONG, _POINTER, _POINTER], ctypes.c_int),
    "arena_marks": ([_POINTER, _LONG, _LONG, _POINTER, _LONG, *[_POINTER] * 5], ctypes.c_int),
    "arena_bleached": ([*[_POINTER] * 3, _LONG, *[_POINTER] * 2], ctypes.c_int),
    "arena_convolved": (
        [_POINTER, *[_LONG] * 4, *[_POINTER] * 2, _LONG, *[_POINTER] * 2, _LONG, _POINTER],
        ctypes.c_int,
    ),
    "arena_lay_card": (
        [
            *(_POINTER, _POINTER, _LONG, _LONG),  # view
            *(_POINTER, _LONG, _LONG, _POINTER, _POINTER),  # cover, numbers
            *(_LONG, *[_POINTER] * 4, *[_POINTER] * 4),  # card, plan, luma, rules, motion
        ],
        ctypes.c_int,
    ),
    "arena_card_patch": (
        [*(_POINTER, _POINTER, _LONG, _LONG), *(_POINTER, _LONG, _LONG, _POINTER), *[_POINTER] * 5],
        ctypes.c_int,
    ),
    "arena_face_costs": (
        [_POINTER, _POINTER, _LONG, *[_POINTER] * 3, _LONG, _POINTER, _DOUBLE, _POINTER],
        ctypes.c_int,
    ),
    "arena_faces_alike": ([*[_POINTER] * 3, _LONG, _POINTER, _LONG, _POINTER], ctypes.c_int),
    "arena_explained": ([*[_POINTER] * 6, _DOUBLE, _POINTER, _POINTER], ctypes.c_int),
    "arena_card_light": ([*[_POINTER] * 5, _LONG, _LONG, *[_POINTER] * 3], ctypes.c_int),
    "arena_places": ([*[_POINTER] * 12, _LONG, _LONG, *[_POINTER] * 4], ctypes.c_long),
    "arena_agreeing": (
        [*[_POINTER] * 8, _LONG, _LONG, _LONG, _POINTER, _LONG, _LONG, _POINTER, _POINTER],
        ctypes.c_long,
    ),
    "arena_places_of": ([*[_POINTER] * 5, _LONG, _POINTER], ctypes.c_int),
    "arena_offs_px": ([*[_POINTER] * 4, _LONG, _POINTER], ctypes.c_int),
    "arena_detail": ([_POINTER, _LONG, _LONG, _LONG, ctypes.c_float, _POINTER, _POINTER], ctypes.c_int),
    "arena_fiducials": (
        [*_PICTURE, _POINTER, _DOUBLE, _LONG, *[_POINTER] * 4, _DOUBLE, _DOUBLE, _POINTER, _POINTER],
        ctypes.c_int,
    ),
    "arena_floor": ([*[_POINTER] * 4, *[_LONG] * 3, _POINTER, _LONG, _LONG, *[_POINTER] * 3], ctypes.c_int),
    "arena_plain": ([*[_POINTER] * 5, _LONG, _POINTER, _POINTER], ctypes.c_int),
    "arena_even_light": ([_POINTER, _POINTER, _LONG, _LONG, *[_POINTER] * 3], ctypes.c_int),
    "arena_in_view": (
        [
            *(*[_POINTER] * 3, _LONG, _POINTER),  # camera, pose, places, frame
            *(_POINTER, _LONG, _LONG, _DOUBLE),  # claims
            *(_POINTER, _POINTER, _LONG, _LONG, _POINTER, _DOUBLE, _POINTER),  # view from above, counts
        ],
        ctypes.c_int,
    ),
    "arena_seen_at": ([*[_POINTER] * 3, _LONG, _POINTER, _LONG, _LONG, _DOUBLE, *[_POINTER] * 2], ctypes.c_int),
    "arena_highest": (
        [_POINTER, _LONG, _LONG, ctypes.c_float, _LONG, _POINTER, _POINTER, _POINTER],
        ctypes.c_int,
    ),
    "arena_most_alike": (
        [*[_POINTER] * 3, *[_LONG] * 3, ctypes.c_float, ctypes.c_float, _LONG, _POINTER, _POINTER, _POINTER],
        ctypes.c_int,
    ),
    "arena_disc_samples": (
        [_POINTER, _POINTER, _LONG, _LONG, _POINTER, _LONG, _POINTER, _LONG, *[_POINTER] * 2, _LONG, *[_POINTER] * 2],
        ctypes.c_int,
    ),
    "arena_disc_likeness": (
        [_POINTER, _POINTER, _LONG, *[_POINTER] * 4, ctypes.c_float, _POINTER, _POINTER],
        ctypes.c_int,
    ),
    "arena_best_discs": (
        [
            *(_POINTER, _POINTER, _LONG, _LONG, _LONG, _POINTER, _LONG, *[_POINTER] * 4),  # view, places
            *(*[_POINTER] * 5, ctypes.c_float, _POINTER, _POINTER),  # prints, rules, best
        ],
        ctypes.c_int,
    ),
    "arena_along_sides": (
        [_POINTER, _POINTER, _LONG, _LONG, _POINTER, ctypes.c_float, ctypes.c_float, *[_LONG] * 3, _POINTER],
        ctypes.c_int,
    ),
    "arena_edges": ([*[_POINTER] * 4, _LONG, _LONG, *[ctypes.c_float] * 3, _POINTER], _LONG),
    "arena_round_votes": ([_POINTER, _LONG, _DOUBLE, _LONG, _LONG, _POINTER], ctypes.c_int),
    "arena_rim_strengths": (
        [
            *(_POINTER, _POINTER, _LONG, _LONG, _POINTER, _LONG, _POINTER),  # view, numbers, places
            *(_LONG, _POINTER, _LONG, *[_POINTER] * 3),  # ways, usual changes
        ],
        ctypes.c_int,
    ),
    "arena_lit_discs": ([_POINTER, _POINTER, _LONG, *[_POINTER] * 6], ctypes.c_int),
    "arena_off_shaded": ([_POINTER, _POINTER, _LONG, _POINTER, _LONG, _DOUBLE, _POINTER], ctypes.c_int),
    "arena_outside": ([_POINTER, _LONG, _POINTER, _LONG, _POINTER, _POINTER, _DOUBLE, _POINTER], ctypes.c_int),
    "arena_shades_told": (
        [_POINTER, _POINTER, _LONG, *[_POINTER] * 6, ctypes.c_float, ctypes.c_float, *[_POINTER] * 3],
        ctypes.c_int,
    ),
    "arena_stack_left": (
        [*[_POINTER] * 4, _LONG, _LONG, *[_POINTER] * 4, _LONG, _LONG, _POINTER, ctypes.c_float, _POINTER],
        ctypes.c_int,
    ),
    "arena_token_light": ([*[_POINTER] * 3, _LONG, *[_POINTER] * 4], ctypes.c_int),
    "arena_sloping": ([*[_POINTER] * 3, *[_LONG] * 3, *[_POINTER] * 4], ctypes.c_int),
    "arena_sides": (
        [
            *(*[_POINTER] * 4, _LONG, _LONG, _POINTER, _POINTER, _LONG),  # slopes, masks, view, places
            *(_POINTER, _POINTER, _LONG, _POINTER, _LONG, _DOUBLE, _POINTER, _POINTER),  # sides, rules, nats
        ],
        ctypes.c_int,
    ),
    "arena_bare_under": (
        [*[_POINTER] * 3, _LONG, _LONG, _POINTER, _POINTER, _LONG, _POINTER, _LONG, _POINTER, _POINTER],
        ctypes.c_int,
    ),
    "arena_once": ([_POINTER, _POINTER, _LONG, _LONG, _DOUBLE, _DOUBLE, _POINTER], _LONG),
    "arena_overlap_relit": ([*[_POINTER] * 3, *[_LONG] * 3, *[_POINTER] * 9], ctypes.c_int),
    "arena_overlap": ([_POINTER, _POINTER, *[_LONG] * 3, *[_POINTER] * 7, _LONG, _POINTER], ctypes.c_int),
    "arena_inside": ([*[_POINTER, _LONG] * 3, _LONG, _POINTER], ctypes.c_int),
    "arena_placed": ([*[_POINTER] * 6, _LONG, _POINTER, _LONG, *[_POINTER] * 7], ctypes.c_int),
    "arena_lights": ([*[_POINTER] * 6, _LONG, _LONG, _POINTER, _LONG, _POINTER], ctypes.c_int),
    "arena_resting": ([*[_POINTER] * 4, _LONG, *[_POINTER] * 3, _LONG, _POINTER], ctypes.c_int),
    "arena_as_printed": ([_POINTER, _LONG, *[_POINTER] * 2, _LONG, _LONG, *[_POINTER] * 4], ctypes.c_int),
    "arena_steepest": ([_POINTER, _LONG, _LONG, *[_POINTER] * 3], ctypes.c_int),
    "arena_rim": (
        [*[_POINTER] * 2, _LONG, _LONG, _POINTER, _LONG, _LONG, _POINTER, _LONG, *[_POINTER] * 4],
        ctypes.c_int,
    ),
    "arena_outlines": (
        [
            *(*[_POINTER] * 3, _LONG, _LONG, _POINTER, _LONG, _LONG, _POINTER),  # slopes, free, numbers
            *(_LONG, _POINTER, _POINTER, _LONG, *[_POINTER] * 4),  # outline, shifts, found
        ],
        ctypes.c_int,
    ),
    "arena_from_above": ([_POINTER, _LONG, _LONG, _POINTER, *[_LONG] * 3, *[_POINTER] * 3], ctypes.c_int),
    "arena_view_map": ([_POINTER, *[_LONG] * 3, ctypes.c_float, _POINTER, _POINTER], ctypes.c_int),
    "arena_cells": ([_POINTER, _LONG, _LONG, _POINTER], ctypes.c_int),
    "arena_coloured": ([_POINTER, _LONG, _POINTER, _LONG, *[ctypes.c_float] * 3, _POINTER], ctypes.c_int),
    "arena_nearest": ([_POINTER, _LONG, _POINTER, _LONG, _LONG, _POINTER, _POINTER], ctypes.c_int),
}


def fingerprint() -> str:
    """What a library and the sources that it was made from have in common."""
    return sha256(b"".join(file.read_bytes() for file in SOURCES)).hexdigest()[:16]


def load(file: Path) -> ctypes.CDLL | None:
    """A compiled library; None if it is of another machine or was made from another source."""
    try:
        library = ctypes.CDLL(str(file))
        for name, (arguments, result) in _SIGNATURES.items():
            function = getattr(library, name)
            function.argtypes, function.restype = arguments, result
        made_of = bytes(library.arena_fingerprint())
    except (OSError, AttributeError):
        return None
    return library if made_of == fingerprint().encode() else None


def _load_any() -> ctypes.CDLL | None:
    files = [file for kind in ("so", "pyd") for file in sorted(Path(__file__).parent.glob(f"_kernels*.{kind}"))]
    return next((library for library in map(load, files) if library is not None), None)


_library = _load_any()


def compiled() -> ctypes.CDLL | None:
    """The library's functions; None where numpy has to do."""
    return _library


def ptr(array: NDArray[np.generic] | None) -> int | None:
    """Where a contiguous array's numbers lie in memory."""
    if array is None:
        return None
    if _HEADS_ARE_READ:
        return _address_at(id(array) + _HEAD_BYTES).value
    return array.ctypes.data


_address_at = _POINTER.from_address
_HEAD_BYTES = object.__basicsize__  # of what every object of CPython begins with; of an array its address follows


def _heads_are_read() -> bool:
    """Whether an array's address may be read beside its head, as C code does with numpy's own headers: in a third of
    the time of any other way, thousands of times a frame. What an array begins with has not changed since numpy 1.0,
    and is tried on one whose address numpy says."""
    if sys.implementation.name != "cpython":
        return False
    array = np.zeros(3)
    return bool(_POINTER.from_address(id(array) + _HEAD_BYTES).value == array.ctypes.data)


_HEADS_ARE_READ = _heads_are_read()


@contextmanager
def computing_with(library: ctypes.CDLL | None) -> Iterator[None]:
    """As where this library is there, or none: for tests and measurements."""
    global _library
    before, _library = _library, library
    try:
        yield
    finally:
        _library = before
