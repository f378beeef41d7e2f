"""Guesses from views of the floor in one frame: from pieces and sides of cards, and from a search everywhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.face_comparison import compare_ways
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.measuring import in_view
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.cards.trust import InView
from arena_cam.vision.reading.floor.table_change import VIEW_PX_PER_MM, TableChange
from arena_cam.vision.reading.floor.view import FloorView, ViewPart, reach_of_view, widened
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from arena_cam.vision.reading.guesses.everywhere import SEARCH_PX_PER_MM, SearchedFloor, search_face
from arena_cam.vision.reading.guesses.features import FeatureFinder
from arena_cam.vision.reading.guesses.guess import MOST_GUESSES, Finder, Guess, one_for_each_place, one_place
from arena_cam.vision.reading.guesses.leaning_sides import leaning_places
from arena_cam.vision.reading.guesses.line_segments import ColourView
from arena_cam.vision.reading.guesses.pieces import places_of_pieces
from arena_cam.vision.reading.guesses.rectangles import SIDE_REACHES_MM, SIDES_PX_PER_MM, SidesInView

# A place for a piece of a card is looked at where this share of what would be seen of it is unlike the empty table, and
# so many places at most.
_MOSTLY_ODD, _MOST_PIECES, _MOST_GUESSES = 0.7, 6, 3
_MOST_VOTES = 1.0  # that a piece has: the share of a card that it shows
_WHOLE = slice(None), slice(None)
_ROUND_ARENA_MM = 30.0  # a card that is searched for everywhere has its middle no farther out


class FloorGuesses:
    """Guesses from one frame's view of the floor. Where the name is open, the likeliest face is guessed."""

    def __init__(self, scene: Scene, views: KeptMaps, half_mm: tuple[float, float] | None = None) -> None:
        """`views` are kept from frame to frame. `half_mm`: how far to look from the world's origin, each way; None is
        as far as the picture shows the table round the arena."""
        self._scene, self._views, self._half_mm = scene, views, half_mm
        self._sides: tuple[NDArray[np.uint8], SidesInView] | None = None

    def view(self, times: float = 1.0, where: NDArray[np.uint8] | None = None) -> FloorView:
        """The view from above that features are looked for in, at some times their usual scale: as much of it as is
        asked of features that lie `where` a mask of it, of any size, is set."""
        scene = self._scene
        if scene.change is not None:
            half = scene.change.table.half_mm
        elif self._half_mm is not None:
            half = self._half_mm
        else:
            half = reach_of_view(scene.camera, scene.image_size, scene.arena.inner_mm)
        px_per_mm = FeatureFinder.PX_PER_MM * times
        maps = self._views.at(scene.camera, half, px_per_mm, scene.fine_level)
        if where is None:
            return FloorView(maps.picture(scene.fine_grey), px_per_mm, -half[0], half[1])
        part = ViewPart.round_about(where, maps.shape, FeatureFinder.ROUND_PX, FeatureFinder.PERIOD_PX)
        grey = maps.part_of_picture(scene.fine_grey, part.slices)
        left_mm, top_mm = part.column / px_per_mm - half[0], half[1] - part.row / px_per_mm
        return FloorView(grey, px_per_mm, left_mm, top_mm, part)

    def from_pieces(self, known: Known, beside: Sequence[Guess] = ()) -> list[Guess]:
        """Guesses for visible pieces of cards without features. While no card is found they stay the same. `beside`:
        those that will be tried with them; what these outvote, either way up, is not named, which costs most."""
        kept = one_for_each_place([guess for guess in beside if guess.votes > _MOST_VOTES])
        if len(kept) == MOST_GUESSES:
            return []
        asked = known.claims.mask.tobytes(), known.taken
        return [
            known.scene.once(("piece", number, *asked), partial(likeliest, known, pose, share, Finder.PIECES))
            for number, (pose, share) in enumerate(self._places_of_pieces(known))
            if not all(any(one_place(way, each.pose) for each in kept) for way in (pose, pose.half_turned))
        ]

    def from_sides(self, known: Known, *, nearby: bool = False) -> list[Guess]:
        """Guesses for cards by their straight sides, where the picture differs from the empty table. Which face it is
        stays open. `nearby`: for cards alone that show something unexplained; the sides of all others, found long
        ago, are not looked for."""
        change = self._scene.change
        if change is None:
            return []
        claimed = change.table.of_claims(known.claims.mask, Claims.STEP, self._scene.camera)
        claimed = claimed | self._beyond(change)
        sides = self._sides_in_view(change, _reached(known, change) if nearby else np.ones_like(change.odd))
        return [Guess(0, pose, nats, Finder.SIDES) for pose, nats in sides.places_of_cards(claimed)]

    def leaning(self, known: Known) -> list[CardPose]:
        """Poses of cards that lean on a wall near something unexplained and have straight edges there for sides. Which
        way up is left open."""
        change, scene = self._scene.change, self._scene
        if change is None:
            return []
        asked = _reached(known, change)
        segments = self._sides_in_view(change, asked).segments
        middles = segments.mean(axis=1) if len(segments) else np.empty((0, 2))
        free = change.table.of_claims(known.claims.mask, Claims.STEP, scene.camera) == 0
        near = change.within(asked & free.astype(np.uint8), middles[:, 0], middles[:, 1])
        return leaning_places(segments[near], scene.camera.centre_mm, scene.arena, scene.faces.deck)

    def _sides_in_view(self, change: TableChange, where: NDArray[np.uint8]) -> SidesInView:
        """The straight edges where `where` (H, W, a view of the change) is set, and perhaps elsewhere."""
        if self._sides is not None and not (where & (1 - self._sides[0])).any():
            return self._sides[1]
        scene, half = self._scene, change.table.half_mm
        maps = self._views.at(scene.camera, half, SIDES_PX_PER_MM, scene.fine_level)
        view = ColourView(maps.part_of_picture(scene.bgr, _WHOLE), SIDES_PX_PER_MM, -half[0], half[1])
        sides = SidesInView(view, change.changed, change.unchanged, scene.faces.deck, where, self._beyond(change))
        self._sides = where, sides
        return sides

    def _beyond(self, change: TableChange) -> NDArray[np.uint8]:
        """Where no side is followed (H, W, a view of the change), as a part of where it is looked for lies beyond the
        picture, whose border is no side. A white card cut by it, with three sides in view, was taken for one that ends
        there, 10 mm aside, and was none there."""
        height, width = self._scene.pyramid.levels[0].shape
        shape = Claims(width, height).mask.shape
        return change.table.beyond(shape, Claims.STEP, SIDE_REACHES_MM, self._scene.camera)

    def everywhere(self, known: Known, face: int) -> list[Guess]:
        """Places inside the arena where a face may lie mostly covered."""
        asked = "everywhere", face, known.claims.mask.tobytes()
        return known.scene.once(asked, lambda: self._searched(known, face))

    def _searched(self, known: Known, face: int) -> list[Guess]:
        scene, inner_mm = self._scene, self._scene.arena.inner_mm
        half = (inner_mm[0] / 2 + _ROUND_ARENA_MM, inner_mm[1] / 2 + _ROUND_ARENA_MM)
        view = self._views.at(scene.camera, half, SEARCH_PX_PER_MM, scene.fine_level)
        bgr, free = view.picture(scene.bgr), view.mask(1 - known.claims.mask, Claims.STEP)
        bare = scene.change.bare(half) if scene.change is not None else np.zeros_like(free)
        return search_face(SearchedFloor(bgr, free, bare & free, -half[0], half[1]), scene.faces, face)

    def turned_both_ways(self, known: Known, offered: Sequence[Guess]) -> list[CardPose]:
        """Poses, both ways up, at which a card may lie that shows an unexplained piece: from the piece's edges, and
        from the features `offered`, which give a place even where they give no name."""
        places = [pose for pose, _ in self._places_of_pieces(known)]
        ranked = sorted(offered, key=lambda guess: (not guess.finder.traits.reads_names, -guess.votes))
        views = ((guess.pose, *in_view(known, guess.pose)) for guess in ranked)
        likely = (pose for pose, free, odd in views if free > InView.LEAST and odd > _MOSTLY_ODD)
        return [turned for pose in (*places, *islice(likely, _MOST_GUESSES)) for turned in (pose, pose.half_turned)]

    def _places_of_pieces(self, known: Known) -> list[tuple[CardPose, float]]:
        """Poses at which a card may lie that shows an unexplained piece; how much of it would be visible and odd."""
        asked = "places of pieces", known.claims.mask.tobytes()
        return known.scene.once(asked, lambda: self._places_where_pieces_are(known))

    def _places_where_pieces_are(self, known: Known) -> list[tuple[CardPose, float]]:
        change = self._scene.change
        if change is None:
            return []
        pieces = change.unexplained(known.claims.mask, Claims.STEP)
        cards = change.table.of_claims(known.claims.mask, Claims.STEP, self._scene.camera)
        poses = places_of_pieces(pieces, cards, change.table.half_mm, self._scene.faces.deck)
        places = [(in_view(known, pose), pose) for pose in poses]
        places = [(view, pose) for view, pose in places if view[1] > _MOSTLY_ODD]
        likeliest = sorted(places, key=lambda entry: -entry[0][1])[:_MOST_PIECES]
        return [(pose, odd * free) for (free, odd), pose in likeliest]


def _reached(known: Known, change: TableChange) -> NDArray[np.uint8]:
    """What cards not yet known may cover, in the view of a change: what lies as near to something unexplained as one
    corner of a card to the opposite one."""
    deck = known.scene.faces.deck
    odd = change.unexplained(known.claims.mask, Claims.STEP)
    return widened(odd, math.hypot(deck.width_mm, deck.height_mm), VIEW_PX_PER_MM)


def likeliest(known: Known, pose: CardPose, votes: float, finder: Finder) -> Guess:
    """The guess that a card lies at a pose, either way up, under the likeliest name."""
    ways = zip(compare_ways(known, pose), (pose, pose.half_turned), strict=True)
    named = [(float(identity.log_likelihood.max()), identity.best, upright) for identity, upright in ways]
    _, face, upright = max(named, key=lambda entry: entry[0])
    return Guess(face, upright, votes, finder)
