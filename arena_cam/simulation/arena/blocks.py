"""Duelling blocks on the simulated table: where their owners sit, what they look like, and who lays them how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.blocks import BLOCK_MARKER_AT_MM, BLOCK_MM, Block
from arena_cam.domain.colours import COLOURS
from arena_cam.domain.errors import CannotDo
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.messages import SimulatedTrouble
from arena_cam.simulation.rendering.plates import Plate
from arena_cam.simulation.rendering.textures import srgb_to_linear
from arena_cam.simulation.things.faces import PAPER
from arena_cam.simulation.things.hands import Reach
from arena_cam.simulation.things.motion import Visit

Image8 = NDArray[np.uint8]

THICKNESS_MM = 4.0  # a print glued on thick card
# A hand that covers a block: the palm's middle lies so far behind the finger tips, and so low.
PALM_MM, COVERING_MM = 122.0, 16.0
IN_S, OUT_S = 0.5, 0.5


@dataclass(frozen=True)
class LaidBlock:
    """A block that lies on the table; `pose` is that of the middle of its upper side."""

    block: Block
    pose: CardPose

    @property
    def marker_mm(self) -> tuple[float, float]:
        """The middle of its marker in the world frame."""
        x, y = BLOCK_MARKER_AT_MM[0] - BLOCK_MM[0] / 2, BLOCK_MM[1] / 2 - BLOCK_MARKER_AT_MM[1]
        at = self.pose.points(np.array([x]), np.array([y]))[0]
        return float(at[0]), float(at[1])


class BlockFaces:
    """The plates of the blocks' prints at `px_per_mm` of the picture."""

    def __init__(self, images: Mapping[Block, Image8], px_per_mm: float) -> None:
        self._plates = {block: _plate(image, px_per_mm) for block, image in images.items()}

    def plate(self, block: Block) -> Plate:
        """Raises CannotDo for a block of which there is no print."""
        if block not in self._plates:
            raise CannotDo(SimulatedTrouble.NO_BLOCK(colour=block.colour, choice=block.choice))
        return self._plates[block]


def _plate(image: Image8, px_per_mm: float) -> Plate:
    return Plate(*BLOCK_MM, np.asarray(srgb_to_linear(image) * PAPER, np.float32)).reduced(px_per_mm)


def own_place(colour: str, edge_mm: tuple[float, float]) -> tuple[float, float]:
    """The place at which the player of `colour` lays his blocks: left or right of the arena, `edge_mm` the table in
    view."""
    number = COLOURS.index(colour)
    side, row = (-1.0 if number % 2 == 0 else 1.0), number // 2
    return side * (edge_mm[0] - 62.0), (-75.0, 75.0, 0.0)[row]


def covering(at_mm: tuple[float, float], stay_s: float, kind: int) -> Visit:
    """A hand that comes from the table's nearer long side, covers what lies at `at_mm`, and goes back."""
    towards = 1.0 if at_mm[1] < 0 else -1.0
    tip = (at_mm[0], at_mm[1] + towards * PALM_MM)
    return Visit(Reach(tip, 0.0 if towards > 0 else 180.0, COVERING_MM, kind), IN_S, stay_s, OUT_S)
