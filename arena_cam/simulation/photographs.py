"""Flat pictures (cards, boards, printed sheets) laid on some table and photographed from anywhere, without an arena."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Arena
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.rendering.background import Surfaces
from arena_cam.simulation.rendering.camera_picture import Renderer
from arena_cam.simulation.rendering.look import random_look
from arena_cam.simulation.rendering.plates import Plate
from arena_cam.simulation.rendering.scene import looking_down
from arena_cam.simulation.rendering.textures import srgb_to_linear

Image8 = NDArray[np.uint8]

# A sheet's middle is placed within this share of the table in view.
WITHIN = 0.7
SHEET_MM = 0.3
PAPER = 0.88


@dataclass(frozen=True, eq=False)
class Sheet:
    """A flat picture of true size: `image` (h, w, 3) blue-green-red over `width_mm` x `height_mm`.

    `at_mm` (x, y, angle in deg) says where it lies; None: anywhere in view, not on the others if there is room.
    """

    name: str
    image: Image8
    width_mm: float
    height_mm: float
    corner_radius_mm: float = 0.0
    at_mm: tuple[float, float, float] | None = None


def render_photograph(
    sheets: Sequence[Sheet],
    seed: int,
    size_px: tuple[int, int] = (1536, 864),
    *,
    height_mm: float = 600.0,
    tilt_deg: float = 12.0,
    camera: Camera | None = None,
) -> tuple[Image8, dict[str, Any], Camera]:
    """A photograph of sheets on a table, its truth (corners_px by sheet, bottom to top), and the camera.

    The camera looks at the origin from `height_mm` away, tilted by up to `tilt_deg`, unless one is given.
    """
    rng = np.random.default_rng([seed, 59])
    camera = camera or _hand_held(rng, size_px, height_mm, tilt_deg)
    # No tray: one of no size, sunk into the table.
    nothing = Arena((1.0, 1.0), 0.01, 0.01, 0.0)
    renderer = Renderer(camera, size_px, Surfaces(nothing, random_look(rng, width_px=size_px[0])), None)
    scale = camera.px_per_mm(np.zeros(3))
    view = (size_px[0] / scale / 2 * WITHIN, size_px[1] / scale / 2 * WITHIN)
    taken: list[tuple[float, float, float]] = []
    cards = []
    for layer, sheet in enumerate(sheets):
        at = sheet.at_mm or _free_place(sheet, taken, view, rng)
        taken.append((at[0], at[1], float(np.hypot(sheet.width_mm, sheet.height_mm)) / 2))
        pose = CardPose.flat(at[0], at[1], at[2], SHEET_MM * (layer + 1))
        colour = (srgb_to_linear(sheet.image) * PAPER).astype(np.float32)
        plate = Plate(sheet.width_mm, sheet.height_mm, colour, corner_radius_mm=sheet.corner_radius_mm, gloss=0.03)
        renderer.lay(plate.reduced(scale), pose)
        corners = camera.project(pose.corners(sheet.width_mm, sheet.height_mm))
        cards.append({"id": sheet.name, "corners_px": np.round(corners, 3).tolist(), "angle_deg": round(at[2], 2)})
    renderer.settle()
    return renderer.picture(), {"cards": cards, "order": [sheet.name for sheet in sheets]}, camera


def _hand_held(rng: np.random.Generator, size_px: tuple[int, int], height_mm: float, tilt_deg: float) -> Camera:
    focal = size_px[0] * float(rng.uniform(0.74, 0.95))
    K = np.array([[focal, 0.0, (size_px[0] - 1) / 2], [0.0, focal, (size_px[1] - 1) / 2], [0.0, 0.0, 1.0]])
    dist = np.array([rng.uniform(-0.05, 0.05), rng.uniform(-0.03, 0.03), 0.0, 0.0, 0.0])
    tilt, way = np.radians(rng.uniform(0.0, tilt_deg)), rng.uniform(0.0, 2.0 * np.pi)
    aside = height_mm * np.sin(tilt) * np.array([np.cos(way), np.sin(way)])
    centre = np.array([*aside, height_mm * np.cos(tilt)])
    return looking_down(K, dist, centre, np.zeros(3), float(rng.uniform(-20.0, 20.0)))


def _free_place(
    sheet: Sheet, taken: list[tuple[float, float, float]], view: tuple[float, float], rng: np.random.Generator
) -> tuple[float, float, float]:
    radius = float(np.hypot(sheet.width_mm, sheet.height_mm)) / 2
    place = (0.0, 0.0, 0.0)
    for _ in range(200):
        x, y, angle = rng.uniform(-view[0], view[0]), rng.uniform(-view[1], view[1]), rng.uniform(-180.0, 180.0)
        place = (float(x), float(y), float(angle))
        if all(np.hypot(x - tx, y - ty) > radius + tr for tx, ty, tr in taken):
            break
    return place
