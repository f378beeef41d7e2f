"""How much of each card is in view, of cards that were found by their indices and outlines alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.lies import Lie

_LONGEST_PX = 640  # of the picture in which shares are counted: a card in it has some thousand pixels
_FINER_BITS = 4  # corners are drawn to a sixteenth of a pixel


def with_shares_in_view(
    lies: Sequence[Lie], covers: Collection[tuple[str, str]], size: tuple[int, int]
) -> tuple[Lie, ...]:
    """The lies, each with the share (0..1) of its card that lies in the picture of `size` (w, h) px and beneath none of
    the cards that are said to cover it: `covers` holds the keys of each upper and lower card."""
    scale = min(1.0, _LONGEST_PX / max(size))
    small = (round(size[0] * scale), round(size[1] * scale))
    outlines = {lie.key: np.array(lie.corners_px, np.float32) * scale for lie in lies}
    drawn = {key: _drawn(outline, small) for key, outline in outlines.items()}
    shares = {}
    for key, outline in outlines.items():
        seen = drawn[key].copy()
        for upper in (upper for upper, lower in covers if lower == key and upper in drawn):
            seen &= ~drawn[upper]
        width, height = (int(side) + 2 for side in np.ceil(np.ptp(outline, axis=0)))
        whole = _drawn(outline - np.floor(outline.min(axis=0)), (width, height))
        shares[key] = min(1.0, float(seen.sum()) / max(float(whole.sum()), 1.0))
    return tuple(replace(lie, visible_fraction=shares[lie.key]) for lie in lies)


def _drawn(outline: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.bool_]:
    """The pixels (H, W) of a picture of `size` (w, h) whose middle is inside an outline (4, 2)."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    corners = np.round(outline * 2**_FINER_BITS).astype(np.int32)
    cv2.fillConvexPoly(mask, corners, (1,), cv2.LINE_8, _FINER_BITS)
    return mask.astype(np.bool_)
