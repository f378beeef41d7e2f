"""All faces of a deck as if one scanner had seen them: in one light, with one print, without gloss."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena_cam.vision.deck_learning.one_light.common_print import Image, in_one_light, with_common_print
from arena_cam.vision.deck_learning.one_light.veil import USUAL, without_veil

Tell = Callable[[float], None]  # is told how far the work is, from 0 to 1

# Shares of the whole work's time, of 51 faces.
_LIGHT_TAKES, _PRINT_TAKES = 0.65, 0.2


def as_one_scan(
    faces: Sequence[Image], px_per_mm: float, most_veil: float = USUAL, tell: Tell = lambda _: None
) -> list[Image]:
    """Faces (H, W, 3) of one size as one scanner would see them: seconds of work. The print that they share is told in
    one light, and it tells the veil, of `most_veil` of full light where it is densest."""
    lit = in_one_light(faces, px_per_mm, lambda share: tell(_LIGHT_TAKES * share))
    printed = with_common_print(lit, px_per_mm, lambda share: tell(_LIGHT_TAKES + _PRINT_TAKES * share))
    clear = without_veil(printed, px_per_mm, most_veil)
    tell(1.0)
    return clear
