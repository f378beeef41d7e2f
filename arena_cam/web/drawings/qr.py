"""A QR code as the path of one SVG shape, so that it takes the page's colours and no inline style."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import segno

QUIET_ZONE = 4  # modules of white around the code that ISO/IEC 18004 asks for


@dataclass(frozen=True)
class QrPath:
    """`d` draws the dark modules in a square of `size` modules a side, quiet zone included."""

    d: str
    size: int


@lru_cache(maxsize=16)
def qr_path(text: str) -> QrPath:
    """The QR code of `text` with medium error correction."""
    matrix = segno.make_qr(text, error="m", boost_error=False).matrix
    rows = []
    for y, row in enumerate(matrix):
        for x, dark in enumerate(row):
            if dark:
                rows.append(f"M{x + QUIET_ZONE} {y + QUIET_ZONE}h1v1h-1z")
    return QrPath("".join(rows), len(matrix) + 2 * QUIET_ZONE)
