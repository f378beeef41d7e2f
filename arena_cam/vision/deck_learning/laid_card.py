"""One card laid flat on the arena's floor: its exact place, and whether the picture is good enough to learn it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena_cam.domain.messages import Message
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.deck_learning.edge_tracing import FAINT, Traced, fit_outline
from arena_cam.vision.deck_learning.floor_change import Thing
from arena_cam.vision.deck_learning.taking_messages import NotTaken
from arena_cam.vision.picture.linear_light import Linear

CARD_THICKNESS_MM = 0.3  # of its upper side over the floor
SIZES_MM = (30.0, 160.0)  # of a side of anything that is thrown as a card
_TURN_UNIT_DEG = 10.0  # parameters of like size make the fit well conditioned
_LEAST_SUPPORT, _WHOLE = 0.75, 0.95  # of a side: that it may be a card's, and that it is beyond doubt
# An outline further off than this is no flat rectangle of that size: the card leans, is bent, or is another.
_FLAT_MM = 0.45
# The first guess may be so far off; a frame is printed 2 mm and more within a card's edge, and is not to be seen at
# last. Below so many pixels an edge's own blur is cut off.
_REACHES_MM, _LEAST_REACHES_PX = (5.0, 2.2, 1.0), (4.0, 2.5, 1.8)
_WIDENED_MM = 3.5  # by which what differs from the empty floor is larger than the card: blur, shadow


@dataclass(frozen=True, eq=False)
class LaidCard:
    """Where a card lies: its middle in the world frame, its size, and `angle_deg`, counterclockwise, of its top from
    world y: between -90 and 90, so that up is what is up in the camera's picture."""

    centre_mm: tuple[float, float]
    angle_deg: float
    size_mm: tuple[float, float]
    traced: Traced
    camera: Camera

    def pixels(self, shares: Array) -> Array:
        """Pixels (N, 2) of places (N, 2) on the card, as shares of its width and height from the top-left corner."""
        return _Laid(self.camera, self.size_mm)(self.traced.parameters, shares)


class _Laid:
    """The curve model: x, y (mm), turn; and the sides' lengths (mm) where the size is not known."""

    def __init__(self, camera: Camera, size_mm: tuple[float, float] | None) -> None:
        self._camera = camera
        self._size = size_mm

    def __call__(self, parameters: Array, shares: Array) -> Array:
        width, height = self._size or (float(parameters[3]), float(parameters[4]))
        turn = np.radians(parameters[2] * _TURN_UNIT_DEG)
        x, y = (shares[:, 0] - 0.5) * width, (0.5 - shares[:, 1]) * height
        world = np.column_stack(
            [
                parameters[0] + np.cos(turn) * x - np.sin(turn) * y,
                parameters[1] + np.sin(turn) * x + np.cos(turn) * y,
                np.full(len(x), CARD_THICKNESS_MM),
            ]
        )
        return self._camera.project(world)


def lay(light: Linear, camera: Camera, thing: Thing, size_mm: tuple[float, float] | None) -> LaidCard | Message:
    """The card of `size_mm` (None: to be measured) that `thing` is, in a picture of linear light (H, W, 3)."""
    across, along = (side - _WIDENED_MM for side in thing.sides_mm)
    turn = thing.angle_deg
    if (size_mm is not None and (across > along) != (size_mm[0] > size_mm[1])) or (size_mm is None and across > along):
        across, along, turn = along, across, turn + 90.0
    turn = (turn + 90.0) % 180.0 - 90.0
    model = _Laid(camera, size_mm)
    start = [*thing.centre_mm, turn / _TURN_UNIT_DEG] + ([across, along] if size_mm is None else [])
    scale = camera.px_per_mm(np.array([*thing.centre_mm, 0.0]))
    reaches = tuple(max(px, mm * scale) for mm, px in zip(_REACHES_MM, _LEAST_REACHES_PX, strict=True))
    within = max(0.8, 0.5 * scale)

    def traced_within(reaches: Sequence[float]) -> tuple[float, Traced]:
        """The worst side's support, and the outline."""
        traced = fit_outline(light, np.array(start), model, np.full(len(start), np.inf), tuple(reaches), 0.5 * FAINT)
        return float(traced.support(within).min()), traced

    support, traced = traced_within(reaches)
    if support < _WHOLE:
        # Of a card with a border of the floor's colour the frame inside the border and the shadow beyond it show
        # better than the edge, and draw a wide search away; what differs from the floor is right to a millimetre.
        support, traced = max((support, traced), traced_within(reaches[-1:]), key=lambda each: each[0])
    if support < _LEAST_SUPPORT:
        return NotTaken.NO_EDGE()
    if traced.rms_px / scale > _FLAT_MM:
        return NotTaken.NOT_FLAT()
    size = size_mm or (float(traced.parameters[3]), float(traced.parameters[4]))
    if not all(SIZES_MM[0] <= side <= SIZES_MM[1] for side in size):
        return NotTaken.NO_CARDS_SIZE(width_mm=f"{size[0]:.0f}", height_mm=f"{size[1]:.0f}")
    parameters = traced.parameters[:3].copy()
    turn = float(parameters[2]) * _TURN_UNIT_DEG
    if abs((turn + 180.0) % 360.0 - 180.0) > 90.0:
        turn += 180.0
    turn = (turn + 180.0) % 360.0 - 180.0
    parameters[2] = turn / _TURN_UNIT_DEG
    settled = Traced(parameters, traced.offsets_px, traced.width_px)
    return LaidCard((float(parameters[0]), float(parameters[1])), turn, size, settled, camera)
