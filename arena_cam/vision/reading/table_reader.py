"""Reads one frame over a calibrated table: the stages in order, nothing else.

picture -> table pose -> guesses -> peeling -> who covers whom -> fine alignment -> how each card lies -> reading
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Lie, Reading, Unreadable
from arena_cam.domain.table import Table
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.picture_cache import PictureCache
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.lies import make_lies
from arena_cam.vision.reading.cards.stacking import resting_on
from arena_cam.vision.reading.finding.all_cards import find_pile
from arena_cam.vision.reading.finding.floor_guesses import FloorGuesses
from arena_cam.vision.reading.guesses.features import FeatureFinder
from arena_cam.vision.reading.guesses.known_lies import known_guesses
from arena_cam.vision.reading.scene_maker import SceneMaker
from arena_cam.vision.reading.unknown_things import UnknownThings


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
        self._unknown = UnknownThings(self._scenes.maps, self._scenes.closer)
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
        unknown = self._unknown.beside(lies, scene, frame.image_bgr)
        why += [thing.doubt for thing in unknown]
        return Reading(frame.name, frame.time_s, lies, covers, seen.pose, not why, tuple(why), unknown)
