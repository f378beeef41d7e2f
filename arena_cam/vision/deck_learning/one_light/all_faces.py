"""All faces of a deck as if one scanner had seen them: in one light, with one print, without gloss."""

from __future__ import annotations

from collections.abc import Sequence

from arena_cam.vision.deck_learning.one_light.common_print import Image, in_one_light, with_common_print
from arena_cam.vision.deck_learning.one_light.veil import USUAL, without_veil


def as_one_scan(faces: Sequence[Image], px_per_mm: float, most_veil: float = USUAL) -> list[Image]:
    """Faces (H, W, 3) of one size as one scanner would see them: seconds of work. The print that they share is told in
    one light, and it tells the veil, of `most_veil` of full light where it is densest."""
    return without_veil(with_common_print(in_one_light(faces, px_per_mm), px_per_mm), px_per_mm, most_veil)
