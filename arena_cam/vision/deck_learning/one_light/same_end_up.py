"""Which end of a card is up that lay across in its photograph: the one that is up in the print it shares with others.

A phone that looks straight down cannot tell how it is held, so that of a deck photographed half upright and half
across some are taken upside down. Print that is the same on many cards, a sky or a shaded ground, would then be two
prints, and the light of each photograph be told by the wrong one. The photographs taken upright say which end is up;
where there are none, most of the others do.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.deck_learning.one_light.common_print import Image, agreement, in_eye_measure

# As when faces are compared with those most like them (`in_one_light`): light is not told yet.
_DIFFER, _MOST_LIKE, _SHARED = 0.08, 9, 0.3
# The share of a card by which more of it has to agree, turned, with those most like it. Of 350 faces that lay upright
# turned ones agreed by up to 0.03 more (figures that are alike by chance), of brown paper in a frame or a night sky
# wrong ones would by 0.2 to 0.5, of shaded navy by 0.03 to 0.3.
_CLEARLY = 0.04
_MOST_ROUNDS = 5  # each may turn some by what the last one turned


def same_end_up(faces: Sequence[Image], px_per_mm: float, is_across: Sequence[bool]) -> list[Image]:
    """Faces (H, W, 3) of one size, of those that lay across some turned by half a turn."""
    across = np.flatnonzero(is_across)
    if not len(across) or len(faces) < 2:
        return list(faces)
    eye = in_eye_measure(faces, px_per_mm)
    turned = eye[:, ::-1, ::-1]
    as_is, other = (np.stack([agreement(both, eye[k], _DIFFER) for k in across]) for both in (eye, turned))
    for row, k in enumerate(across):
        as_is[row, k] = other[row, k] = 0.0  # a face tells nothing about itself
    up = np.ones(len(faces))
    for _ in range(_MOST_ROUNDS):
        before = up.copy()
        for row, k in enumerate(across):
            near = _most_like(np.maximum(as_is[row], other[row]), np.asarray(is_across, np.bool_))
            if len(near):
                favour = float((up[near] * (as_is[row, near] - other[row, near])).mean())
                up[k] = up[k] if abs(favour) < _CLEARLY else np.sign(favour)
        if (before == up).all():
            break
    return [face if way > 0 else np.ascontiguousarray(face[::-1, ::-1]) for face, way in zip(faces, up, strict=True)]


def _most_like(shares: NDArray[np.float64], is_across: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The numbers of the faces that agree best, of those that lay upright if any of them share print at all."""
    best = np.argsort(-shares, kind="stable")
    best = best[shares[best] >= _SHARED]
    trusted = best[~is_across[best]]
    return (trusted if len(trusted) else best)[:_MOST_LIKE]
