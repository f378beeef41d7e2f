"""What the C library does with memory that was freed: by default it keeps most of it for later.

A referee runs for an evening, with a thread for every open page. glibc gives threads heaps of their own (up to eight a
core), and each stays as large as the largest picture that was ever worked on in it. One heap more than the main
one is enough here, and what is free in them is given back now and then.
"""

from __future__ import annotations

import ctypes
from typing import Any

# From glibc's malloc.h; other C libraries have neither call and are left alone.
_M_ARENA_MAX = -8
_HEAPS = 2


def _library() -> Any:
    """The C library if it is glibc, else None."""
    try:
        library = ctypes.CDLL(None)
        return library if hasattr(library, "gnu_get_libc_version") else None
    except (OSError, TypeError):
        return None


def share_heaps() -> None:
    """From now on all threads share few heaps; call before they are started."""
    library = _library()
    if library is not None:
        library.mallopt(_M_ARENA_MAX, _HEAPS)


def give_back() -> None:
    """Gives freed memory back to the system: some milliseconds of work."""
    library = _library()
    if library is not None:
        library.malloc_trim(0)
