"""Hands and sleeves: flat cut-outs with rounded shading, held some centimetres above the floor, with their shadows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.rendering.camera_picture import Renderer
from arena_cam.simulation.rendering.plates import Box, Plate
from arena_cam.simulation.rendering.textures import linear

Image32 = NDArray[np.float32]

PX_MM = 1.4  # a hand is skin and cloth: nothing on it needs the cards' sharpness
ARM_MM = (130.0, 560.0)  # width and length of the cut-out; the finger tips are at the top edge
HAND_HEIGHT_MM = 45.0

SKINS = ((150, 180, 224), (112, 146, 198), (70, 100, 150), (44, 62, 98))
SLEEVES = ((46, 40, 96), (120, 80, 44), (60, 62, 64), (58, 92, 52), (190, 196, 200))


@dataclass(frozen=True)
class Reach:
    """A hand over the table: where its finger tips are, from which side it comes, and whose it is."""

    tip_mm: tuple[float, float]
    angle_deg: float
    height_mm: float = HAND_HEIGHT_MM
    kind: int = 0

    def pose(self) -> CardPose:
        """The cut-out's pose: finger tips at the tip, the arm away from where it points."""
        level = CardPose.flat(0.0, 0.0, self.angle_deg, self.height_mm)
        middle = np.array([*self.tip_mm, self.height_mm]) - level.R[:, 1] * (ARM_MM[1] / 2)
        return CardPose(level.R, middle)


@lru_cache(maxsize=4)  # a hand takes 2 MB
def hand_plate(kind: int) -> Plate:
    """Hand `kind`: any number; skin and sleeve follow from it."""
    width, length = (round(side * PX_MM) for side in ARM_MM)
    skin_mask, outlines = _hand_mask(width, length)
    sleeve_mask = np.zeros((length, width), np.uint8)
    sleeve = np.array([(22, 232), (108, 232), (122, 560), (8, 560)], np.float64)
    cv2.fillConvexPoly(sleeve_mask, np.round(sleeve * PX_MM * 8).astype(np.int32), 255, cv2.LINE_AA, 3)
    colour = np.empty((length, width, 3), np.float32)
    colour[:] = linear(SKINS[kind % len(SKINS)])
    colour *= _rounded(skin_mask, 11.0)[:, :, None]
    cloth = linear(SLEEVES[kind // len(SKINS) % len(SLEEVES)]) * _rounded(sleeve_mask, 40.0)[:, :, None]
    folds = 1.0 + 0.08 * np.sin(np.arange(length) / 9.0 + np.sin(np.arange(length) / 31.0) * 3)
    share = (sleeve_mask.astype(np.float32) / 255.0)[:, :, None]
    colour = colour * (1 - share) + cloth * folds.astype(np.float32)[:, None, None] * share
    alpha = np.maximum(skin_mask, sleeve_mask).astype(np.float32) / 255.0
    shadow = tuple(_centred(outline) for outline in (*outlines, sleeve))
    return Plate(*ARM_MM, np.asarray(colour, np.float32), alpha=alpha, outlines_mm=shadow)


def _centred(outline: Array) -> Array:
    """Picture coordinates (mm from the top left, y down) to the plate's frame."""
    return np.column_stack([outline[:, 0] - ARM_MM[0] / 2, ARM_MM[1] / 2 - outline[:, 1]])


def _hand_mask(width: int, length: int) -> tuple[NDArray[np.uint8], list[Array]]:
    """The hand's shape: fingers as rounded strokes, palm and forearm as polygons; mm from the top left."""
    mask = np.zeros((length, width), np.uint8)
    fingers = (
        ((40, 92), (36, 22), 8.5),
        ((56, 88), (54, 9), 9.0),
        ((72, 90), (73, 14), 8.5),
        ((87, 98), (92, 36), 7.5),
        ((36, 140), (10, 98), 9.5),
    )
    outlines = []
    for start, end, radius in fingers:
        points = [tuple(round(v * PX_MM * 8) for v in p) for p in (start, end)]
        cv2.line(mask, points[0], points[1], 255, round(2 * radius * PX_MM), cv2.LINE_AA, 3)
        a, b = np.array(start, float), np.array(end, float)
        side = np.array([-(b - a)[1], (b - a)[0]]) / np.hypot(*(b - a)) * radius
        outlines.append(np.array([a + side, b + side, b - side, a - side]))
    palm = np.array([(30, 92), (44, 78), (82, 78), (96, 96), (94, 150), (84, 178), (46, 178), (32, 150)], np.float64)
    arm = np.array([(44, 165), (86, 165), (96, 300), (34, 300)], np.float64)
    for polygon in (palm, arm):
        cv2.fillConvexPoly(mask, np.round(polygon * PX_MM * 8).astype(np.int32), 255, cv2.LINE_AA, 3)
        outlines.append(polygon)
    soft = cv2.GaussianBlur(mask, (0, 0), 2.0 * PX_MM).astype(np.float32)
    return np.clip((soft - 127.5) * 3 + 127.5, 0, 255).astype(np.uint8), outlines


def _rounded(mask: NDArray[np.uint8], radius_mm: float) -> Image32:
    """Shading of a body with that outline: dark towards its sides, as a cylinder is."""
    depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 5) / (radius_mm * PX_MM)
    rim = np.clip(depth, 0.0, 1.0)
    return np.asarray(0.45 + 0.55 * np.sqrt(1.0 - (1.0 - rim) ** 2), np.float32)


def random_reach(rng: np.random.Generator, arena: Arena) -> Reach:
    """A hand that reaches in from some side, its tips over the arena."""
    half = np.asarray(arena.inner_mm) / 2
    tip = rng.uniform(-0.8, 0.8, 2) * half
    return Reach(
        (float(tip[0]), float(tip[1])), float(rng.uniform(-180, 180)), float(rng.uniform(25, 80)), int(rng.integers(20))
    )


def lay_hand(renderer: Renderer, reach: Reach) -> tuple[Box, NDArray[np.bool_]]:
    """Draws a hand into the renderer's scratch; returns the box that changed and what it hides (h, w)."""
    plate, pose = hand_plate(reach.kind), reach.pose()
    canvas = renderer.scratch()
    changed = renderer.painter.cast(canvas, plate, pose)
    changed = changed.joined(renderer.painter.draw(canvas, plate, pose))
    return changed, renderer.painter.covers(plate, pose)
