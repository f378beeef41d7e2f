"""Several cards in one photograph -> a picture for each, in which the others are painted over."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.geometry.arrays import Array

_SHADOW = 1.06  # a card is painted over so much larger than it is: its edge and its shadow go with it
_RING = 1.14  # the colour of what lies round it is taken from up to here
_SAME_ROW = 0.5  # middles that differ by less than this share of a card's height lie in one row


def in_rows(outlines: Sequence[Array]) -> list[Array]:
    """Outlines (4, 2) as one reads: the upper row first, each row from the left."""
    left = sorted(outlines, key=lambda each: float(each[:, 1].mean()))
    ordered: list[Array] = []
    while left:
        first = left[0]
        reach = _SAME_ROW * float(np.ptp(first[:, 1]))
        row = [each for each in left if float(each[:, 1].mean() - first[:, 1].mean()) < reach]
        ordered += sorted(row, key=lambda each: float(each[:, 0].mean()))
        left = [each for each in left if not any(each is taken for taken in row)]
    return ordered


def alone(image_bgr: Image, outlines: Sequence[Array], number: int) -> Image:
    """The photograph with only the card `number` in it: the others have the colour of what lies round each."""
    picture = image_bgr.copy()
    for other, outline in enumerate(outlines):
        if other == number:
            continue
        inside, ring = (_filled(image_bgr, outline, grown) for grown in (_SHADOW, _RING))
        round_it = image_bgr[(ring > 0) & (inside == 0)]
        picture[inside > 0] = np.median(round_it, axis=0) if len(round_it) else 0
    return picture


def _filled(image_bgr: Image, outline: Array, grown: float) -> Image:
    """A mask (H, W) of an outline, `grown` times as large round its middle."""
    mask = np.zeros(image_bgr.shape[:2], np.uint8)
    middle = outline.mean(axis=0)
    points = np.round(middle + (outline - middle) * grown).astype(np.int32)
    return np.asarray(cv2.fillConvexPoly(mask, points, 255), np.uint8)
