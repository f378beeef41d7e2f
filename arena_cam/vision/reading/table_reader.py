"""Reads one frame over a calibrated table: the stages in order, nothing else.

picture -> table pose -> guesses -> peeling -> who covers whom -> fine alignment -> how each card lies -> reading
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.cards import Deck
from arena_cam.domain.doubts import Doubt, Side
from arena_cam.domain.lies import Lie, Reading, Unknown, Unreadable
from arena_cam.domain.messages import Message
from arena_cam.domain.table import Table
from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.picture_cache import PictureCache
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.lies import make_lies
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.cards.stacking import resting_on
from arena_cam.vision.reading.finding.all_cards import find_pile
from arena_cam.vision.reading.finding.floor_guesses import FloorGuesses
from arena_cam.vision.reading.floor.floor_alone import PX_PER_MM, compared_part, things_on_floor
from arena_cam.vision.reading.floor.reaching_in import arm_reaching_in, beside_arm, has_shape_of_card
from arena_cam.vision.reading.floor.table_change import Mask, Stranger, TableChange
from arena_cam.vision.reading.guesses.features import FeatureFinder
from arena_cam.vision.reading.guesses.known_lies import known_guesses
from arena_cam.vision.reading.scene_maker import SceneMaker


class TableReader:
    """Reads frames of one camera over one table with one deck.

    What is read follows from what is given to `read` alone, whatever was read before; but for a frame that shows fewer
    than two fiducials, for which the last good pose serves (`hold_pose`).
    """

    def __init__(self, table: Table, deck: Deck, *, hold_pose: bool = True, cache: PictureCache | None = None) -> None:
        """`hold_pose`: the last good pose serves while fewer than two fiducials are in view. `cache` keeps what is made
        of the deck's pictures for the next time.

        Raises BadDeck or BadInput where the deck or the table cannot be used.
        """
        self.table, self.deck = table, deck
        self.faces = DeckFaces(deck, cache)
        self._scenes = SceneMaker(table, self.faces, hold_pose)
        self._finder = self.faces.shared(FeatureFinder)

    def read(
        self,
        frame: Frame,
        *,
        known: Sequence[Lie] = (),
        changed: NDArray[np.bool_] | None = None,
        before: Image | None = None,
        expected: Sequence[str] = (),
    ) -> Reading | Unreadable:
        """What lies where in `frame`. `known` are lies believed before; they are tried first. Others can only have come
        where `changed` is true, a mask of the whole frame at any scale; None is everywhere. `before` is the picture in
        which the known ones were read, pieced together where they were not read in one. `expected` are ids of cards
        that are certainly there and lay there first, as a challenge does: they are searched for even where little of
        them is in view, and taken for the lower ones where nobody can see who covers whom."""
        ready = self._scenes.make(frame, known, changed, before)
        if isinstance(ready, Unreadable):
            return ready
        scene, seen = ready.scene, ready.seen
        wanted = [self.faces.index(name) for name in expected if name in self.deck.by_id]
        bare = Known.nothing_of(scene, seen.fiducial_outlines_px)
        floor = FloorGuesses(scene, self._scenes.maps)
        pile = find_pile(bare, self._finder, floor, known_guesses(self.faces, known), wanted)
        rests = resting_on(scene, [card.placed for card in pile.cards], pile.order)
        lies, covers, why = make_lies(self.faces, pile.cards, pile.pairs, pile.order, rests)
        if scene.change is None:
            unknown = self._unlike_the_floor(scene, lies)
        else:
            unknown = _unknown(scene, scene.change, lies) or self._beside_cards(frame.image_bgr, scene.change, lies)
        why += [thing.doubt for thing in unknown]
        return Reading(frame.name, frame.time_s, lies, covers, seen.pose, not why, tuple(why), unknown)

    def _beside_cards(self, picture: Image, change: TableChange, lies: Sequence[Lie]) -> tuple[Unknown, ...]:
        """What looks out so close beside cards that the blurred comparison says nothing of it."""
        closer = self._scenes.closer
        outlines = [np.array(lie.corners_px) for lie in lies]
        found = closer.bright_beside(picture, change, outlines) if closer is not None else None
        return (_as_unknown(*found, lies, may_be_card=False),) if found is not None else ()

    def _unlike_the_floor(self, scene: Scene, lies: Sequence[Lie]) -> tuple[Unknown, ...]:
        """What lies on the floor and is none of the cards found, where no picture of the empty arena says more."""
        half, level = compared_part(scene.arena.inner_mm), scene.fine_level
        view = self._scenes.maps.at(scene.camera, half, PX_PER_MM, level).picture(scene.bgr)
        outlines = [np.array(lie.corners_px) for lie in lies]
        found = things_on_floor(view, scene.camera, half, self.deck.card_mm2, outlines)
        cards = [_is_of_a_cards_size(self.deck, it) and has_shape_of_card(it, self.deck.card_mm2) for it in found]
        return tuple(_as_unknown(thing, (), lies, may_be_card=card) for thing, card in zip(found, cards, strict=True))


def _unknown(scene: Scene, change: TableChange, lies: Sequence[Lie]) -> tuple[Unknown, ...]:
    """What lies on the arena's floor, differs from the empty one and is none of the cards found."""
    deck = scene.faces.deck
    outlines = [np.array(lie.corners_px) for lie in lies]
    found = [(*entry, _is_of_a_cards_size(deck, entry[0])) for entry in change.strangers(outlines)]
    arm = _arm_reaching_in(scene, change, outlines) if found else None
    if arm is not None:
        found = _strangers_with_arm(change, deck, outlines, arm)
    return tuple(_as_unknown(thing, near, lies, may_be_card) for thing, near, may_be_card in found)


def _as_unknown(thing: Stranger, near: Sequence[int], lies: Sequence[Lie], may_be_card: bool) -> Unknown:
    keys = tuple(lies[number].key for number in near)
    return Unknown(thing.area_mm2, thing.centre_mm, keys, _stranger(thing.centre_mm, thing.area_mm2), may_be_card)


def _strangers_with_arm(
    change: TableChange, deck: Deck, outlines_px: Sequence[Array], arm: Mask
) -> list[tuple[Stranger, list[int], bool]]:
    """The unknown things where an arm (H, W) reaches in: of it, and apart from it, where what has the size and the
    shape of a card may be one."""
    of_arm = [(*entry, False) for entry in beside_arm(change, np.asarray(1 - arm, np.uint8)).strangers(outlines_px)]
    apart = beside_arm(change, arm).strangers(outlines_px)
    cards = [_is_of_a_cards_size(deck, thing) and has_shape_of_card(thing, deck.card_mm2) for thing, _ in apart]
    return of_arm + [(*entry, is_card) for entry, is_card in zip(apart, cards, strict=True)]


# Of a card that lies over a wall, or leans on it, so much is seen beside the wall at least; more than shadows leave.
_OF_A_CARD = 0.1
_ROUND_A_CARD_MM = 8.0  # what is seen of it may have a fringe of shadow; a hand is longer


def _is_of_a_cards_size(deck: Deck, thing: Stranger) -> bool:
    """Whether a thing is large enough for a card, and fits into one. Of a card over a wall the strip along that wall,
    where nothing is compared, hides as much as the floor may show."""
    long, short = sorted((deck.width_mm, deck.height_mm), reverse=True)
    fits = thing.sides_mm[0] < long + _ROUND_A_CARD_MM and thing.sides_mm[1] < short + _ROUND_A_CARD_MM
    return fits and thing.area_mm2 + thing.along_walls_mm2 > _OF_A_CARD * long * short


def _arm_reaching_in(scene: Scene, change: TableChange, outlines_px: Sequence[Array]) -> Mask | None:
    """A view of the arm that reaches in, if one does: what is unknown near it is part of it, or what it holds."""
    deck = scene.faces.deck
    claims = Claims.none_in(scene)
    for outline in outlines_px:
        claims.add_polygon(outline)
    return arm_reaching_in(change, claims.mask, Claims.STEP, deck.card_mm2, outlines_px)


def _stranger(centre_mm: tuple[float, float], area_mm2: float) -> Message:
    """The doubt about something unknown, by the part of the arena in which the picture shows it."""
    x, y = centre_mm
    across = "left" if x < -40 else "right" if x > 40 else ""
    along = "far" if y > 40 else "near" if y < -40 else ""
    side = Side.of("_".join(word for word in (along, across) if word) or "middle")
    return Doubt.STRANGER(side=side, area_cm2=round(area_mm2 / 100, 1))
