"""Draws a reading over its picture: outlines, names, tilt, what is asked about, the arena's boundary, the fiducials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.domain.lies import Landing, Lie, Reading, TablePose, Unknown, ring_mm
from arena_cam.domain.table import Table
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera

Colour = tuple[int, int, int]

# Blue, green, red. A colour a landing, told apart also by those who see no red from green: they differ in lightness.
COLOURS: dict[Landing | None, Colour] = {
    Landing.FLAT: (120, 220, 90),
    Landing.DIAGONAL: (40, 190, 255),
    Landing.EDGE: (60, 110, 255),
    Landing.BESIDE: (190, 70, 210),
    None: (230, 230, 230),
}
DOUBT: Colour = (255, 255, 255)
BOUNDARY, FIDUCIAL = (255, 210, 90), (255, 120, 60)
INK: Colour = (20, 20, 20)
PAPER: Colour = (255, 255, 255)
PIXELS_A_LINE = 480  # a line is one pixel wide for so many pixels of the picture's width
SHIFT = 3  # points are given in eighths of a pixel
SIDE_POINTS = 24  # of a straight edge, so that the lens's curve is seen


@dataclass(frozen=True)
class Label:
    """A card's name as it is written over a picture: `text`, which OpenCV draws in ASCII only, in `ink` on `plate`.

    `symbol` stands before it: an outline (N, 2) from -1 to 1, y down.
    """

    text: str
    plate: Colour = INK
    ink: Colour = PAPER
    symbol: Array | None = None


def draw_layers(
    image: Image,
    table: Table | None,
    reading: Reading | None,
    pose: TablePose | None,
    layers: Sequence[str],
    label_of: Callable[[str], Label] = Label,
) -> Image:
    """A copy of `image` (BGR) with the `layers` drawn: outlines, names, tilt, and of a measured table boundary and
    fiducials. With the outlines a ring marks each card that is not sure, and what is unknown.

    label_of: from a card's id to how its name is written.
    """
    canvas = image.copy()
    width = max(1, round(image.shape[1] / PIXELS_A_LINE))
    if table is not None and pose is not None and {"boundary", "fiducials", "outlines"} & set(layers):
        camera = Camera(np.array(table.K), np.array(table.dist), np.array(pose.rvec), np.array(pose.tvec))
        if "boundary" in layers:
            _draw_boundary(canvas, camera, table, width)
        if "fiducials" in layers:
            _draw_fiducials(canvas, camera, table, pose, width)
        if "outlines" in layers and reading is not None:
            _draw_unknown(canvas, [_ring_about(camera, thing) for thing in reading.unknown], width)
    elif "outlines" in layers and reading is not None:
        _draw_unknown(canvas, [np.array(thing.ring_px) for thing in reading.unknown if thing.ring_px], width)
    lies = reading.lies if reading is not None else ()
    if "outlines" in layers:
        for lie in lies:
            _polygon(canvas, np.array(lie.corners_px), COLOURS[lie.landing], width + 1, closed=True)
        for lie in lies:
            if not lie.sure:
                corners = np.array(lie.corners_px)
                _mark(canvas, corners + _outward(corners) * (4 * width + 2), width)
    for lie in lies:  # after all outlines: no line may run through a name
        _write_about(canvas, lie, layers, width, label_of)
    return canvas


def _mark(canvas: Image, points_px: Array, width: int) -> None:
    """A ring round a place that is asked about: light on dark, so that it is seen on any table."""
    _polygon(canvas, points_px, INK, 3 * width, closed=True)
    _polygon(canvas, points_px, DOUBT, width, closed=True)


def _outward(corners_px: Array) -> Array:
    """The directions (4, 2) in which the corners of a card lie from its middle."""
    arms = corners_px - corners_px.mean(axis=0)
    return np.asarray(arms / np.maximum(np.hypot(*arms.T), 1e-6)[:, None])


def _ring_about(camera: Camera, thing: Unknown) -> Array:
    """Points (N, 2) round what is unknown on a measured table, a little off it."""
    x, y = thing.centre_mm if thing.centre_mm is not None else (0.0, 0.0)
    return camera.project_circle(x, y, ring_mm(thing.area_mm2))


def _draw_unknown(canvas: Image, rings_px: Sequence[Array], width: int) -> None:
    """A ring with a question mark round everything that is none of the cards found; points (N, 2) of each."""
    for ring in rings_px:
        _mark(canvas, ring, width)
        _write(canvas, Label("?"), ring.mean(axis=0), 0, width)


def _write_about(canvas: Image, lie: Lie, layers: Sequence[str], width: int, label_of: Callable[[str], Label]) -> None:
    middle = np.array(lie.corners_px).mean(axis=0)
    labels = []
    if "names" in layers:
        name = label_of(lie.card) if lie.card is not None else Label("?")
        labels.append(name if lie.sure else replace(name, text=f"{name.text} ?"))
    if "tilt" in layers and lie.tilt_deg is not None:
        labels.append(Label(f"{lie.tilt_deg:.1f}+-{lie.tilt_sd_deg or 0.0:.1f} deg"))
    for line, label in enumerate(labels):
        _write(canvas, label, middle, line, width)


def _draw_boundary(canvas: Image, camera: Camera, table: Table, width: int) -> None:
    """Where floor meets wall, and the wall's upper inner edge."""
    half_x, half_y = table.arena.inner_mm[0] / 2, table.arena.inner_mm[1] / 2
    for z in (0.0, table.arena.wall_height_mm):
        _polygon(canvas, camera.project(_rectangle(0.0, 0.0, half_x, half_y, z)), BOUNDARY, width, closed=True)


def _draw_fiducials(canvas: Image, camera: Camera, table: Table, pose: TablePose, width: int) -> None:
    """All fiducials where they should be; those not seen in thin lines."""
    half = table.fiducials.size_mm / 2
    for number, (x, y) in table.fiducials.centres_mm.items():
        corners = camera.project(_rectangle(x, y, half, half, table.fiducials.z_mm))
        _polygon(canvas, corners, FIDUCIAL, width + 1 if number in pose.fiducials else 1, closed=True)
        _write(canvas, Label(str(number)), corners.mean(axis=0), 0, width)


def _rectangle(x: float, y: float, half_x: float, half_y: float, z: float) -> Array:
    """Points (N, 3) along the sides of a rectangle."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (half_x, half_y) + (x, y)
    steps = np.linspace(0, 1, SIDE_POINTS, endpoint=False)[:, None]
    sides = [a + (b - a) * steps for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    flat = np.concatenate(sides)
    return np.column_stack([flat, np.full(len(flat), z)])


def _polygon(canvas: Image, points_px: Array, colour: Colour, width: int, *, closed: bool) -> None:
    points = np.round(points_px * (1 << SHIFT)).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(canvas, [points], closed, colour, width, cv2.LINE_AA, SHIFT)


def _write(canvas: Image, label: Label, centre_px: Array, line: int, width: int) -> None:
    """The text on its plate: on a white card no outline of letters can be read, and OpenCV 5 draws none."""
    scale = 0.28 * width + 0.1
    (w, h), below = cv2.getTextSize(label.text, cv2.FONT_HERSHEY_SIMPLEX, scale, width)
    pad = 2 * width
    room = h + pad if label.symbol is not None else 0
    x, y = int(centre_px[0] - (w - room) / 2), int(centre_px[1] + h / 2 + line * (h + below + 2 * pad))
    upper_left, lower_right = (x - room - pad, y - h - pad), (x + w + pad, y + below)
    cv2.rectangle(canvas, upper_left, lower_right, label.plate, cv2.FILLED)
    cv2.rectangle(canvas, upper_left, lower_right, label.ink, max(1, width // 2))
    if label.symbol is not None:
        middle = np.array([x - room + h / 2, y - h / 2])
        shape = np.round((middle + label.symbol * (h / 2)) * (1 << SHIFT)).astype(np.int32)
        cv2.fillPoly(canvas, [shape], label.ink, cv2.LINE_AA, SHIFT)
    cv2.putText(canvas, label.text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, label.ink, width, cv2.LINE_AA)
