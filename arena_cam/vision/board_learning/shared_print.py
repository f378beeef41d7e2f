"""Tiles photographed one beside another, moved onto each other by the print they share.

Sides are found to half a millimetre where a tile's rim is as bright as the table. But tiles with the same number
share its figure and its band, and each number is on a third of them: what a tile shows is the mean of all, and what
each of its three numbers changes of it (the main effects of a full factorial design). Each tile is moved to where it
agrees best with what the others say of it; on average they stay where their sides are.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Image = NDArray[np.uint8]

PX_PER_MM = 3.0
SOFT_MM, RIM_MM = 0.35, 1.6  # the rim itself tells nothing: it was cut where sides were seen
ROUNDS = 4
MOST_MM, MOST_DEG = 1.5, 4.0  # sides that are further off bound no tile
ENOUGH = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-5)


def shared_moves(faces: list[Image], numbers: NDArray[np.intp], px_per_mm: float) -> Floats:
    """Where tiles lie in their pictures: shift in mm right and down, and turn in radians clockwise, (N, 3).

    `faces`: pictures (h, w, 4), transparent outside the tile, at `px_per_mm`; `numbers` (N, 3): what is on each.
    """
    size = tuple(round(side * PX_PER_MM / px_per_mm) for side in faces[0].shape[1::-1])
    lumas = np.stack([_luma(face, (size[0], size[1])) for face in faces])
    inside = cv2.resize(faces[0][:, :, 3], (size[0], size[1]), interpolation=cv2.INTER_AREA) > 250
    border = cv2.copyMakeBorder(inside.astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    mask = np.asarray(cv2.distanceTransform(border, cv2.DIST_L2, 5)[1:-1, 1:-1] > RIM_MM * PX_PER_MM)
    moves = np.zeros((len(faces), 3))
    for _ in range(ROUNDS):
        seen = np.stack([_moved(luma, move) for luma, move in zip(lumas, moves, strict=True)])
        told = _main_effects(seen, numbers, mask)
        moves = np.stack([_agreeing(*each, mask) for each in zip(told, lumas, moves, strict=True)])
        moves -= np.median(moves, axis=0)
    return np.asarray(moves / np.array([PX_PER_MM, PX_PER_MM, 1.0]))


def _luma(face: Image, size: tuple[int, int]) -> Grey:
    grey = cv2.resize(cv2.cvtColor(face[:, :, :3], cv2.COLOR_BGR2GRAY), size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(grey.astype(np.float32), (0, 0), SOFT_MM * PX_PER_MM), np.float32)


def _main_effects(seen: Grey, numbers: NDArray[np.intp], mask: NDArray[np.bool_]) -> Grey:
    """What each tile (N, h, w) shows by its numbers; all as if in one light."""
    level = seen[:, mask].mean(axis=1)[:, None, None]
    spread = np.maximum(seen[:, mask].std(axis=1), 1.0)[:, None, None]
    even = (seen - level) / spread * np.float32(np.median(spread)) + np.float32(128.0)
    mean = even.mean(axis=0)
    out = np.repeat(mean[None], len(seen), axis=0)
    for k in range(numbers.shape[1]):
        for number in np.unique(numbers[:, k]):
            like = numbers[:, k] == number
            out[like] += even[like].mean(axis=0) - mean
    return np.asarray(out, np.float32)


def _matrix(move: Floats, shape: tuple[int, ...]) -> Grey:
    """The rigid motion (2, 3) that takes a straight tile's pixels to where it lies, about the picture's middle."""
    c, s = np.cos(move[2]), np.sin(move[2])
    linear, middle = np.array([[c, -s], [s, c]]), (np.array(shape[1::-1]) - 1) / 2
    return np.column_stack([linear, middle - linear @ middle + move[:2]]).astype(np.float32)


def _moved(luma: Grey, move: Floats) -> Grey:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    matrix = _matrix(move, luma.shape)
    return np.asarray(cv2.warpAffine(luma, matrix, luma.shape[::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE))


def _agreeing(told: Grey, luma: Grey, start: Floats, mask: NDArray[np.bool_]) -> Floats:
    """The motion (3,) of a tile that shows what is `told` of it (Evangelidis and Psarakis, "Parametric image alignment
    using enhanced correlation coefficient", PAMI 2008); none where it would be a large one."""
    try:
        _, found = cv2.findTransformECC(
            told, luma, _matrix(start, luma.shape), cv2.MOTION_EUCLIDEAN, ENOUGH, mask.astype(np.uint8) * 255, 1
        )
    except cv2.error:  # it does not converge on print without any structure
        return np.zeros(3)
    turn = float(np.arctan2(found[1, 0], found[0, 0]))
    middle = (np.array(luma.shape[::-1]) - 1) / 2
    shift = found[:, :2] @ middle + found[:, 2] - middle
    far = np.hypot(*shift) > MOST_MM * PX_PER_MM or abs(turn) > np.radians(MOST_DEG)
    return np.zeros(3) if far or not np.isfinite(shift).all() else np.array([*shift, turn])
