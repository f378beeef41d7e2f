"""What the pips say of a card's rank: where a face is inked and where it is blank, whatever its art.

Every international pack places its pips alike, in three columns; a court's art leaves hardly any of these places blank.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.indices.classifier import RANKS
from arena_cam.vision.indices.ink import VIEW_PX_PER_MM, find_ink

# Pips by rank: column (-1 to 1) and height (1 top to -1 bottom).
_SIDES = [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
_MIDDLES = [(-1.0, 0.0), (1.0, 0.0)]
_THIRDS = [(-1.0, 1 / 3), (1.0, 1 / 3), (-1.0, -1 / 3), (1.0, -1 / 3)]
_PIPS: dict[str, list[tuple[float, float]]] = {
    "2": [(0.0, 1.0), (0.0, -1.0)],
    "3": [(0.0, 1.0), (0.0, 0.0), (0.0, -1.0)],
    "4": _SIDES,
    "5": [*_SIDES, (0.0, 0.0)],
    "6": [*_SIDES, *_MIDDLES],
    "7": [*_SIDES, *_MIDDLES, (0.0, 0.5)],
    "8": [*_SIDES, *_MIDDLES, (0.0, 0.5), (0.0, -0.5)],
    "9": [*_SIDES, *_THIRDS, (0.0, 0.0)],
    "T": [*_SIDES, *_THIRDS, (0.0, 2 / 3), (0.0, -2 / 3)],
}
_ROWS = (1.0, 2 / 3, 1 / 2, 1 / 3, 0.0, -1 / 3, -1 / 2, -2 / 3, -1.0)
_PLACES = np.array([(column, row) for column in (-1.0, 0.0, 1.0) for row in _ROWS])
# The outermost pips' middles, of ten packs measured, as parts of the card's width and height.
_ACROSS, _ALONG = (0.16, 0.185, 0.21, 0.235), (0.27, 0.295, 0.32, 0.345)
_ON_PIP, _OFF_PIP = 0.09, 0.28  # of the outermost pips' height: so near to a pip's middle is inked, so far is blank
_DISC_MM = 2.2  # what is looked at in each place
_INKED, _BLANK = 0.55, 0.12  # darkness; between them a place says nothing
# How often a place is inked: where a pip is printed, where nothing is, and on courts.
_PIP, _NOTHING, _ART = 0.95, 0.05, (0.62, 0.35)
_COURTS = "JQK"
# The same of an ace's middle, above and below it, and beside it: of some packs the ace of spades is as large as a hand.
_ACE, _ACE_MIDDLE, _ACE_BESIDE = 0.8, 0.35, 0.1
# Faces differ from this in many ways that hang together (a covered corner, a pattern): no evidence is stronger.
STRONGEST_PIPS = 5.0
_EVIDENCE_A_PLACE = 0.6  # neighbouring places are not independent


def pip_evidence(
    image_bgr: NDArray[np.uint8],
    camera: Camera,
    pose: CardPose,
    card_mm: tuple[float, float],
    covered: list[NDArray[np.float32]],
) -> Array:
    """Log-likelihood (13,) of each of RANKS, the highest 0, of what is seen between the indices of a card at `pose`.

    `covered`: outlines (4, 2) on the plane under which none of the card may be seen.
    """
    face, seen = _face(image_bgr, camera, pose, card_mm, covered)
    darkness = cv2.blur(find_ink(face).darkness, (round(2 * _DISC_MM * VIEW_PX_PER_MM),) * 2)
    outermost = np.array([(across * card_mm[0], -along * card_mm[1]) for across in _ACROSS for along in _ALONG])
    places = _PLACES * outermost[:, None] + np.array(card_mm) / 2
    pixels = np.clip(np.round(places * VIEW_PX_PER_MM).astype(int), 0, np.array(face.shape[1::-1]) - 1)
    columns, rows = pixels[..., 0], pixels[..., 1]
    scores = _scores(darkness[rows, columns], seen[rows, columns]).max(axis=0)
    return np.asarray(np.maximum(scores - scores.max(), -STRONGEST_PIPS))


def _scores(darkness: NDArray[np.float32], seen: NDArray[np.bool_]) -> Array:
    """The log-likelihood (N, 13) of each of RANKS by how dark its places are and which are seen (N, places)."""
    inked, blank = seen & (darkness > _INKED), seen & (darkness < _BLANK)
    scores = np.maximum(*(inked @ on + blank @ off for on, off in _logarithms()))
    sparse = np.log(_ART[1]) * inked.sum(axis=1) + np.log(1 - _ART[1]) * blank.sum(axis=1)
    courts = [RANKS.index(rank) for rank in _COURTS]
    scores[:, courts] = np.maximum(scores[:, courts], sparse[:, None])
    return np.asarray(scores * _EVIDENCE_A_PLACE)


@lru_cache(maxsize=1)
def _logarithms() -> list[tuple[Array, Array]]:
    """Of a card one way up and the other the logarithms (places, 13) of how often each place is inked, and not."""
    p = _expected()
    return [(np.log(p[:, way]).T.copy(), np.log(1 - p[:, way]).T.copy()) for way in (np.s_[:], _turned())]


@lru_cache(maxsize=1)
def _expected() -> Array:
    """How often each place is inked (13, places): 0.5 where that says nothing."""
    table = np.full((len(RANKS), len(_PLACES)), _ART[0])
    for number, rank in enumerate(RANKS):
        if rank == "A":
            beside = np.where(_PLACES[:, 0] != 0, _ACE_BESIDE, _NOTHING)
            middle = (_PLACES[:, 0] == 0) & (np.abs(_PLACES[:, 1]) < 0.9)
            table[number] = np.where(middle, _ACE_MIDDLE, beside)
            table[number, np.flatnonzero(~_PLACES.any(axis=1))] = _ACE
        elif rank in _PIPS:
            apart = np.abs(_PLACES[:, None] - np.array(_PIPS[rank])[None])
            nearest = np.where(apart[:, :, 0] > 0.5, 1.0, apart[:, :, 1]).min(axis=1)
            table[number] = np.where(nearest < _ON_PIP, _PIP, np.where(nearest > _OFF_PIP, _NOTHING, 0.5))
    return table


@lru_cache(maxsize=1)
def _turned() -> NDArray[np.int_]:
    """Each place's number when the card lies the other way up."""
    return np.array([int(np.abs(_PLACES + place).sum(axis=1).argmin()) for place in _PLACES])


def _face(
    image_bgr: NDArray[np.uint8],
    camera: Camera,
    pose: CardPose,
    card_mm: tuple[float, float],
    covered: list[NDArray[np.float32]],
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """The face upright at VIEW_PX_PER_MM, and where it is the card that is seen."""
    width, height = (round(side * VIEW_PX_PER_MM) for side in card_mm)
    corners = pose.corners(*card_mm)
    grid = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    pixels = camera.project(corners).astype(np.float32)
    to_face = cv2.getPerspectiveTransform(pixels, grid)
    face = cv2.warpPerspective(image_bgr, to_face, (width, height), flags=cv2.INTER_LINEAR)
    inside = np.full(image_bgr.shape[:2], 255, np.uint8)
    seen = np.asarray(cv2.warpPerspective(inside, to_face, (width, height), flags=cv2.INTER_NEAREST), np.uint8)
    for outline in covered:
        above = camera.project(np.column_stack([outline, np.zeros(4)])).astype(np.float32)
        on_face = cv2.perspectiveTransform(above.reshape(-1, 1, 2), to_face)
        cv2.fillConvexPoly(seen, np.round(on_face).astype(np.int32), 0)
    whole = cv2.erode(seen, np.ones((round(_DISC_MM * VIEW_PX_PER_MM),) * 2, np.uint8))
    return np.asarray(face, np.uint8), np.asarray(whole) > 0
