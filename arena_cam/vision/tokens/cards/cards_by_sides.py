"""Cards told by their sides: laid where an outline is seen, and all faces compared with what is open there.

Where tokens and other cards cover most of its words a card has few keypoints or none, and each face draws itself to
whatever ink is near: a line of words aside, or to words upside down. Its sides are straight, of known length and mostly
open, and fix the place. All faces are then slid there, both ways up, and what explains most of what is seen is told.

Of the middle card of a fan a strip is open whose sides are short: it is looked for where the other two tell it to lie.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.tokens.cards.card_groups import NEUTRAL
from arena_cam.vision.tokens.cards.card_rims import SeenSlopes, rim_points, tried_outlines
from arena_cam.vision.tokens.cards.card_search import (
    LEAST_OF_USUAL,
    MOST_CLAIMED,
    SAME_MM,
    WELL_ALIGNED,
    CardSearch,
    LaidCard,
    white_level,
)
from arena_cam.vision.tokens.cards.print_votes import Place
from arena_cam.vision.tokens.cards.rim_places import rim_places
from arena_cam.vision.tokens.cards.table_claims import Claims, Round
from arena_cam.vision.tokens.view.slid_faces import TOLD, FaceSlider
from arena_cam.vision.tokens.view.table_view import NOTHING_SEEN
from arena_cam.vision.tokens.view.top_view import TopView, rigid_motion

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

# How far about a guess, which is right within 2 mm and half a step of 4 degrees, and how finely.
REACH_MM, STEP_MM = 2.5, 0.5
TURNS = tuple(np.radians(np.arange(-3.0, 3.1, 1.0)))
LEAST_POINTS = 12  # of the rim, 3 mm apart, that must be open
# How often a point of a card's rim is an edge, and one of an outline laid where there are most: of 350 outlines about
# cards that were left out 0.94 and more of the true ones, half of the others. An edge goes on: one point in so many
# counts.
OF_CARD, OF_CLOTH, POINTS_A_PROOF = 0.9, 0.5, 3.0
# How nearly as well as the other way up faces must correlate, coarsely, so that a way is looked at. A card found upside
# down had 0.83 there and 0.90 upright; the wrong way had 0.6 and less where words are seen.
NEARLY = 0.8
# Of a third card that keypoints did not tell so much of what is open is as printed: its words may all lie under tokens.
# Nats that its sides and print must speak for it together: it is the best of some 20,000 places, 5 mm and 4 degrees
# apart about a pair, and the logarithm of that is 10.
MOST_SEEN, PROVED = 0.7, 10.0
# Nats by which a card's own face leads in its own place, so that it is looked for nowhere else.
PLAINLY_TOLD = 2 * TOLD
# Of a card laid between two others: how far (mm) along their line from its middle it is looked for, as far apart as a
# slide about each place reaches; how unevenly (mm) hands lay cards in a row; and the nats by which each of these few
# places is likelier than one of the 20,000 about a pair, if one card in three lies amid a dilemma.
ALONG_MM, UNEVEN_MM, FEW_PLACES = (0.0, -5.0, 5.0), 5.0, 6.0
_WAYS = np.arange(-REACH_MM, REACH_MM + 1e-6, STEP_MM)
_SHIFTS = np.stack(np.meshgrid(_WAYS, _WAYS), axis=-1).reshape(-1, 2)


@dataclass(frozen=True, eq=False)
class _Told:
    """A face at a place: how many nats speak for it there, by how many it leads, and its motion (2, 3)."""

    nats: float
    lead: float
    face: int
    motion: Floats


class SidedCards:
    """Tells the cards of one set by their sides."""

    def __init__(self, search: CardSearch, slider: FaceSlider) -> None:
        self._search, self._slider = search, slider
        self._kinds = search.prints.kinds
        self._rim = rim_points(search.prints.size_mm, search.prints.set.corner_radius_mm)

    def told_again(self, view: TopView, card: LaidCard, claims: Claims) -> LaidCard:
        """The card, or a better one nearly in its place: where the outline is seen best, either way up.

        It is better if a face is told there by more and more of its print is seen; a place is as good as its print."""
        if card.score > WELL_ALIGNED:
            return card
        free, own = claims.free, np.array([*card.middle, card.turn])
        there = self._told(view, rigid_motion(own), claims)
        if there.face == card.face and there.lead > PLAINLY_TOLD:
            again = self._search.closely(view, there.motion, there.face, card.votes, claims)
            return max(card, again, key=lambda each: each.score)
        by_rim = rim_places(view, own, self._rim, free, view.origin_mm)[:1]
        places = [own, *(self.by_sides(view, at, free)[0] for at in by_rim)]
        others = list(self._both_ways(view, places, claims))[1:]
        told = [there, *(self._told(view, motion, claims) for motion in others)]
        best = max(told, key=lambda each: each.nats)
        if best is not told[0] and best.nats < told[0].nats + TOLD:
            best = told[0]
        again = self._search.closely(view, best.motion, best.face, card.votes, claims)
        return max(card, again, key=lambda each: each.score)

    def partner(
        self,
        view: TopView,
        beside: LaidCard,
        kind: int,
        places: Sequence[Place],
        claims: Claims,
        amid: tuple[LaidCard, float] | None = None,
    ) -> LaidCard | None:
        """A card of that kind at the one of the places that sides and print speak for most; None where they speak for
        none. It is as bright as the card `beside` it: nothing but its sides may tell it. `amid`: a card between that
        and another, and how many nats speak for it, as `amid` tells them: one elsewhere must have more,
        and one that an outline puts there as many."""
        best, most = amid or (None, TOLD)
        for place in places:
            motion = rigid_motion(place.at)
            if claims.share(motion) > MOST_CLAIMED:
                continue
            at, sides = self.by_sides(view, place.at, claims.free)
            if sides <= 0.0 or np.linalg.norm(at[:2] - beside.middle) < SAME_MM:
                continue
            told = self._told(view, rigid_motion(at), claims, kind)
            amidst = amid is not None and float(np.linalg.norm(at[:2] - amid[0].middle)) < SAME_MM
            nats = told.nats + sides + (FEW_PLACES if amidst else 0.0)
            if nats < most or told.lead < -TOLD:  # another kind's face is seen there
                continue
            # Words that do not tell a face do not tell its place, either.
            motion = told.motion if told.lead > TOLD else rigid_motion(at)
            card = self._search.looked_at(view, motion, told.face, 0, claims)
            if _as_bright(card, beside):
                best, most = replace(card, by_sides=True), nats
        return best

    def amid(
        self,
        view: TopView,
        pair: tuple[LaidCard, LaidCard],
        kind: int,
        cards: Sequence[LaidCard],
        covered: Sequence[Round],
    ) -> tuple[LaidCard, float] | None:
        """A card of that kind `between` a pair of the `cards` that sides and print speak for, and how many nats do,
        rather than for one anywhere about them; None where they speak for none.

        It lies under both, or over one of them, whose paper looks like its own: it is taken to lie over a card where it
        explains more of what both have there than that card does."""
        size = self._search.prints.size_mm
        beneath = Claims(view, size, cards, covered)
        best = self._amid(view, pair, kind, beneath)
        for one in pair:
            above = Claims(view, size, [card for card in cards if card is not one], covered)
            over = self._amid(view, pair, kind, above)
            if over is None or (best is not None and over[1] <= best[1]):
                continue
            whole = Claims(view, size, [replace(one, explained=np.ones_like(one.explained))])
            motion = over[0].motion
            both = whole.on(motion) & ~above.on(motion)
            if np.count_nonzero(over[0].explained & both) > np.count_nonzero(beneath.on(motion) & both):
                best = over
        return best

    def _amid(
        self, view: TopView, pair: tuple[LaidCard, LaidCard], kind: int, claims: Claims
    ) -> tuple[LaidCard, float] | None:
        """The same for a card that lies beneath what is claimed."""
        best, most = None, TOLD
        middles = [card.middle for card in pair]
        for place in between(*pair):
            at, sides = self.by_sides(view, place.at, claims.free)
            near = min(float(np.linalg.norm(at[:2] - middle)) for middle in middles)
            if sides <= 0.0 or near < SAME_MM or claims.share(rigid_motion(at)) > MOST_CLAIMED:
                continue
            told = self._told(view, rigid_motion(at), claims, kind)
            uneven = float(np.linalg.norm(at[:2] - np.mean(middles, axis=0))) / UNEVEN_MM
            nats = told.nats + sides - uneven * uneven / 2.0
            if told.nats <= 0.0 or told.lead < -TOLD or nats <= most:  # where nothing is open no face is likely
                continue
            motion = told.motion if told.lead > TOLD else rigid_motion(at)
            card = self._search.looked_at(view, motion, told.face, 0, claims)
            if _as_bright(card, pair[0]):
                best, most = replace(card, by_sides=True), nats
        return None if best is None else (best, most + FEW_PLACES)

    def thirds(
        self, view: TopView, beside: LaidCard, places: Sequence[Place], cards: Sequence[LaidCard], claims: Claims
    ) -> list[LaidCard]:
        """Neutral cards that keypoints did not tell, at those of the places where sides and print, each for itself,
        speak for one that neither the `cards` nor tokens explain, as bright as the card `beside`; the best told first.
        Each place is tried both ways up.

        In 26 photographs of nine styles five such cards, three of them mostly under tokens, had 12.9 nats and more, and
        0.76 and more of what is open as printed. Of 20 rectangles of cloth and shadows whose sides spoke for a card one
        had so much as printed, with 7 nats; those of more lay on such a card, aside of it."""
        tried: list[tuple[float, _Told]] = []
        for place in places:
            if claims.share(rigid_motion(place.at)) > MOST_CLAIMED:
                continue
            at, sides = self.by_sides(view, place.at, claims.free)
            if sides > TOLD:
                ways = (rigid_motion(at + np.array([0.0, 0.0, way])) for way in (0.0, math.pi))
                told = max((self._told(view, motion, claims, NEUTRAL) for motion in ways), key=lambda each: each.nats)
                if told.nats > TOLD and told.lead >= -TOLD and told.nats + sides > PROVED:  # no other kind's face
                    tried.append((told.nats + sides, told))
        found: list[LaidCard] = []
        for _, told in sorted(tried, key=lambda each: -each[0]):
            if any(np.linalg.norm(told.motion[:, 2] - card.middle) < SAME_MM for card in (*cards, *found)):
                continue
            card = self._search.closely(view, told.motion, told.face, 0, claims)
            if card.share > MOST_SEEN and _as_bright(card, beside):
                found.append(replace(card, by_sides=told.lead <= TOLD))
        return found

    def _both_ways(self, view: TopView, places: Sequence[Floats], claims: Claims) -> Iterator[Floats]:
        """Motions (2, 3) of the places, and of those turned by half: the first, and what is nearly as well seen."""
        motions = [rigid_motion(at + np.array([0.0, 0.0, way])) for at in places for way in (0.0, math.pi)]
        alike = [self._search.likeliest(view, motion, claims)[1] for motion in motions]
        for k, motion in enumerate(motions):
            if k == 0 or alike[k] > NEARLY * max(alike):
                yield motion

    def _told(self, view: TopView, motion: Floats, claims: Claims, kind: int | None = None) -> _Told:
        """The likeliest face there, of all or of one kind."""
        told = self._slider.told if kind is None else self._slider.slid
        slid = told(view, motion, ~claims.on(motion))
        possible = np.ones(len(self._kinds), bool) if kind is None else self._kinds == kind
        face = int(np.where(possible, slid.alike, -1.0).argmax())
        return _Told(slid.nats(face), slid.lead(face), face, slid.motions[face])

    def by_sides(self, view: TopView, place: Floats, free: Mask) -> tuple[Floats, float]:
        """Where (3,) near `place` most of the open rim is an edge, and how many nats speak for a card's rim there.

        `free` (h, w) at 1 px/mm from the view's origin: where no other card and no token is known to lie; below 0 where
        more speaks for the cloth, and where too little is open."""
        along, down, _ = view.steepest()
        slopes = SeenSlopes(along, down, view.origin_mm, view.px_per_mm, view.inside)
        best, most, nats = place, 0.0, -math.inf
        for turn in TURNS:
            linear = rigid_motion(np.array([0.0, 0.0, place[2] + turn]))[:, :2]
            points, ways = self._rim[0] @ linear.T + place[:2], self._rim[1] @ linear.T
            tried = tried_outlines(slopes, (points, ways), _SHIFTS, free, view.origin_mm)
            # The steepest tells the place among those that are all edges.
            score = np.where(tried.count < LEAST_POINTS, 0.0, tried.clear + 0.5 * tried.steep)
            k = int(score.argmax())
            if score[k] > most:
                best, most = np.array([*(place[:2] + _SHIFTS[k]), place[2] + turn]), float(score[k])
                nats = _of_rim(float(tried.clear[k]), int(tried.count[k]))
        return best, nats


def between(card: LaidCard, other: LaidCard) -> list[Place]:
    """Places, each both ways up, of a card laid between two others of a fan or a row: about the middle of the line from
    one to the other, turned half as far, whichever way up either lies."""
    turned = (other.turn - card.turn + math.pi / 2) % math.pi - math.pi / 2
    line, turn = other.middle - card.middle, card.turn + turned / 2
    ways = line / max(float(np.linalg.norm(line)), 1e-6)
    at = [(card.middle + other.middle) / 2 + step * ways for step in ALONG_MM]
    return [Place(np.array([*each, turn + half]), 0, (), NOTHING_SEEN) for each in at for half in (0.0, math.pi)]


def _as_bright(card: LaidCard, beside: LaidCard) -> bool:
    """Whether a card lies in as much light as the one beside it, as paper there would."""
    return LEAST_OF_USUAL < white_level(card.light) / max(white_level(beside.light), 1e-3) < 1.0 / LEAST_OF_USUAL


def _of_rim(share: float, points: int) -> float:
    """Nats that so many points of a rim, a share of them edges, speak for a card's."""
    each = share * math.log(OF_CARD / OF_CLOTH) + (1.0 - share) * math.log((1.0 - OF_CARD) / (1.0 - OF_CLOTH))
    return each * points / POINTS_A_PROOF
