"""What a frame shows on the arena's floor that is none of the cards found: another card, a hand, a thing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.domain.cards import Deck
from arena_cam.domain.doubts import Doubt, Side
from arena_cam.domain.lies import Lie, Unknown
from arena_cam.domain.messages import Message
from arena_cam.geometry.arrays import Array
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.floor.closer_look import CloserLook
from arena_cam.vision.reading.floor.floor_alone import PX_PER_MM, compared_part, things_on_floor
from arena_cam.vision.reading.floor.reaching_in import (
    arm_reaching_in,
    beside_arm,
    has_shape_of_card,
    is_of_a_cards_size,
)
from arena_cam.vision.reading.floor.table_change import Mask, Stranger, TableChange
from arena_cam.vision.reading.floor.view_maps import KeptMaps

_Thing = tuple[Stranger, Sequence[int], bool]  # with the numbers of the cards near it, and whether it may be a card


class UnknownThings:
    """Looks for what no card explains, as the empty arena's picture allows."""

    def __init__(self, maps: KeptMaps, closer: CloserLook | None) -> None:
        """`maps` are those of the table's views; `closer` is None where no picture shows the arena empty."""
        self._maps, self._closer = maps, closer

    def beside(self, lies: Sequence[Lie], scene: Scene, picture: Image) -> tuple[Unknown, ...]:
        """What lies on the floor beside the cards that were found in a picture (H, W, 3)."""
        outlines = [np.array(lie.corners_px) for lie in lies]
        if scene.change is None:
            found = self._unlike_the_floor(scene, outlines)
        else:
            found = _unlike_the_empty_arena(scene, scene.change, outlines)
            if not found and self._closer is not None:
                bright = self._closer.bright_beside(picture, scene.change, outlines)
                found = [(*bright, False)] if bright is not None else []
        return tuple(
            Unknown(
                thing.area_mm2,
                thing.centre_mm,
                tuple(lies[number].key for number in near),
                _stranger(thing.centre_mm, thing.area_mm2),
                may_be_card,
            )
            for thing, near, may_be_card in found
        )

    def _unlike_the_floor(self, scene: Scene, outlines: Sequence[Array]) -> list[_Thing]:
        """What is unlike the floor round it, where no picture of the empty arena says more."""
        half, deck = compared_part(scene.arena.inner_mm), scene.faces.deck
        view = self._maps.at(scene.camera, half, PX_PER_MM, scene.fine_level).picture(scene.bgr)
        found = things_on_floor(view, scene.camera, half, deck.card_mm2, outlines)
        return [(thing, (), _looks_like_card(deck, thing)) for thing in found]


def _unlike_the_empty_arena(scene: Scene, change: TableChange, outlines: Sequence[Array]) -> list[_Thing]:
    """What lies on the arena's floor, differs from the empty one and is outside the outlines (4, 2) of the cards."""
    deck = scene.faces.deck
    found = change.strangers(outlines)
    arm = _arm_reaching_in(scene, change, outlines) if found else None
    if arm is not None:
        return _strangers_with_arm(change, deck, outlines, arm)
    return [(thing, near, is_of_a_cards_size(thing, deck.width_mm, deck.height_mm)) for thing, near in found]


def _strangers_with_arm(change: TableChange, deck: Deck, outlines_px: Sequence[Array], arm: Mask) -> list[_Thing]:
    """The unknown things where an arm (H, W) reaches in: of it, and apart from it, where what has the size and the
    shape of a card may be one."""
    of_arm = beside_arm(change, np.asarray(1 - arm, np.uint8)).strangers(outlines_px)
    apart = beside_arm(change, arm).strangers(outlines_px)
    hand: list[_Thing] = [(thing, near, False) for thing, near in of_arm]
    return hand + [(thing, near, _looks_like_card(deck, thing)) for thing, near in apart]


def _looks_like_card(deck: Deck, thing: Stranger) -> bool:
    return is_of_a_cards_size(thing, deck.width_mm, deck.height_mm) and has_shape_of_card(thing, deck.card_mm2)


def _arm_reaching_in(scene: Scene, change: TableChange, outlines_px: Sequence[Array]) -> Mask | None:
    """A view of the arm that reaches in, if one does: what is unknown near it is part of it, or what it holds."""
    deck = scene.faces.deck
    claims = Claims.of_outlines(scene, outlines_px)
    return arm_reaching_in(change, claims.mask, Claims.STEP, deck.card_mm2, outlines_px)


def _stranger(centre_mm: tuple[float, float], area_mm2: float) -> Message:
    """The doubt about something unknown, by the part of the arena in which the picture shows it."""
    x, y = centre_mm
    across = "left" if x < -40 else "right" if x > 40 else ""
    along = "far" if y > 40 else "near" if y < -40 else ""
    side = Side.of("_".join(word for word in (along, across) if word) or "middle")
    return Doubt.STRANGER(side=side, area_cm2=round(area_mm2 / 100, 1))
