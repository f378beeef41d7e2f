"""Once the plain cards of a frame are found it is better known what of each is in view: doubtful ones are asked again.

While cards are being found, a card claims the tiles that show its drawing. Tiles in the edge of a shadow do not, and
what lies beneath the card is then held against them. Now every tile counts as the card's own that has its colours in
whatever shade, so that only what truly shows of a covered card has a say about its name and its place.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.fit import Fit, same_place
from arena_cam.vision.reading.cards.fitting import FLAT_FIRST, SLIDE, fit_coarse, is_hopeful, slide
from arena_cam.vision.reading.cards.known import FRINGE_MM, Known, claim_tiles, only_once
from arena_cam.vision.reading.cards.leaning import hangs, is_sunk, laid_flat
from arena_cam.vision.reading.cards.measuring import in_view, measure
from arena_cam.vision.reading.cards.naming import Found, boosted, compared, named, roughly_compared
from arena_cam.vision.reading.cards.placed_face import alone, outline_of
from arena_cam.vision.reading.cards.trust import SEEN_ALL_ROUND, Explained, InView, Nats, is_expected, is_there
from arena_cam.vision.reading.finding.findings import placed_among
from arena_cam.vision.reading.finding.floor_guesses import FloorGuesses
from arena_cam.vision.reading.finding.guessing_rounds import may_show_card
from arena_cam.vision.reading.finding.outline_fit import lacks_sides, shows_sides
from arena_cam.vision.reading.finding.sided_cards import fit_by_sides, fits_in_sides
from arena_cam.vision.reading.finding.told_names import named_in_place
from arena_cam.vision.reading.guesses.guess import Guess

_SURELY_NAMED = 0.995  # names less likely than this are asked again, of cards that others cover
_AS_SEEN = 0.97  # what others cover of a card is no more than where their edges are off by
_AGAIN = 2  # a name found for a tilted card is asked once more for a flat one
_MOST_MISSED = 3  # cards that are found by their pieces alone
_FLAT_DEG = 2.5
_SUNK_MM = 6.0  # no card lies so far below the floor
_ROUNDED_CELLS = 1.5  # cells of a mask of claims: to the next one, at either of two times
# Faces aligned at each place, places they led to that are tried once more, and fits held against each other in the end.
_LIKELIEST, _SLID, _ALIKE = 3, 2, 5


class SecondLook:
    """Examines the cards `found` in a frame again."""

    def __init__(self, bare: Known, found: Sequence[Found], floor: FloorGuesses, offered: Sequence[Guess]) -> None:
        """`bare` is what was known before any card was found; `offered` are guesses that were made so far."""
        self.found = list(found)
        self._bare, self._floor, self._offered = bare, floor, offered
        self._scene = bare.scene
        self._kept: dict[Found, Claims] = {}
        self._made: dict[Fit, Claims] = {}
        self._reaches: dict[Found, NDArray[np.float32]] = {}

    def others(self, *but: int) -> Known:
        """What is known from all cards found except those with the numbers `but`."""
        claims, taken = self._bare.claims.copy(), []
        for number, card in enumerate(self.found):
            if number not in but:
                claims.add(self._claimed(number))
                taken.append(card.fit.face)
        return replace(self._bare, claims=claims, taken=only_once(self._scene, taken))

    def _near(self, number: int) -> Known:
        """What is known from those of the other cards that may cover any of one: nothing else is asked where a card
        lies, and most cards lie by themselves."""
        claims, mine = self._bare.claims.copy(), self._reach_px(self.found[number])
        for other, card in enumerate(self.found):
            apart = cv2.intersectConvexConvex(mine, self._reach_px(card))[0] <= 0.0
            if other != number and not apart:
                claims.add(self._claimed(other))
        return replace(self._bare, claims=claims)

    def _reach_px(self, card: Found) -> NDArray[np.float32]:
        """The outline (4, 2) in the picture of all that a card may claim, or whose claims may be asked for its sake:
        with its fringe, and with as much as claims are rounded by when they are drawn and when they are looked up."""
        if card not in self._reaches:
            pose, deck = card.fit.pose, self._scene.faces.deck
            wider_mm = 2.0 * (FRINGE_MM + _ROUNDED_CELLS * Claims.STEP / self._scene.camera.px_per_mm(pose.centre_mm))
            corners = pose.corners(deck.width_mm + wider_mm, deck.height_mm + wider_mm)
            self._reaches[card] = self._scene.camera.project(corners).astype(np.float32)
        return self._reaches[card]

    def without(self, ghosts: Collection[int], settled: Collection[int]) -> None:
        """Leaves out cards, by number, that proved to be none, and asks those again of which they hid a part."""
        scene, gone = self._scene, [self.found[number].fit.pose for number in ghosts]
        self.found = [card for number, card in enumerate(self.found) if number not in ghosts]
        self._kept.clear()
        near = [not all(alone(scene, [card.fit.pose, pose])[0] for pose in gone) for card in self.found]
        self.ask_again(settled, [number for number, is_near in enumerate(near) if is_near])

    def ask_again(self, settled: Collection[int], also: Collection[int] = ()) -> None:
        """Gives covered cards of doubtful name the name and the place that best explain what is in view of them.
        `settled` are faces that are known to be there; `also` are numbers of cards that are asked however sure."""
        for number, card in enumerate(self.found):
            if number not in also and not self.is_doubtful(number, settled):
                continue
            known = self.others(number)
            if card.fit.outline is not None:
                self.found[number] = _told_again(known, card)
                continue
            here = laid_flat(self._scene, card.fit.pose)
            places = self._floor.turned_both_ways(known, self._offered)
            better = _best(known, [here, *(pose for pose in places if self._is_within_reach(pose, here))])
            better = better and _told_apart(known, better)
            if better is None or self._is_found(better, number):
                continue
            before = compared(known, card.fit.pose)
            fit, identity = better.fit, better.identity
            if is_there(fit) or _a_point(identity, fit.face) > _a_point(before, card.fit.face):
                self.found[number] = Found(fit, boosted(identity, fit.face)) if fit.face in settled else better

    def _is_within_reach(self, pose: CardPose, of: CardPose) -> bool:
        """Whether a place is none of another card altogether: that is looked for in `find_missed`."""
        gap = float(np.hypot(*(pose.centre_mm - of.centre_mm)[:2]))
        return gap < self._scene.faces.deck.height_mm

    def lay_into_sides(self) -> None:
        """Gives cards of which the picture shows no sides where their print seems to lie the place and the name that
        they have in sides seen round about, if both together say more there. Half a flower of a violet six, between two
        other cards, was that of a blue six laid six degrees off the long side in view."""
        for number, card in enumerate(self.found):
            if card.fit.outline is not None or shows_sides(self._near(number), card.fit):
                continue
            known = self.others(number)
            if lacks_sides(known, card.fit):
                places = [guess.pose for guess in self._floor.from_sides(known)]
                better = _most_in_sides(known, card, [at for at in places if self._is_within_reach(at, card.fit.pose)])
                if better is not None and not self._is_found(better, number):
                    self.found[number] = better

    def find_missed(self, wanted: Collection[int]) -> None:
        """Adds cards of which only a piece without features or markers is visible. Faces `wanted`, which are certainly
        in the arena, need less evidence."""
        for _ in range(_MOST_MISSED):
            known = self.others()
            if not may_show_card(known):
                return
            card = _best(known, self._floor.turned_both_ways(known, self._offered))
            if card is None or self._is_found(card):
                return
            if card.fit.face in wanted and is_expected(card.fit):
                card = Found(card.fit, boosted(card.identity, card.fit.face))
            elif not is_there(card.fit):
                card = _in_its_sides(known, card)
                if card is None or self._is_found(card):
                    return
            self.found.append(card)

    def is_doubtful(self, number: int, settled: Collection[int]) -> bool:
        """Whether a covered card may well be another, or lie elsewhere."""
        card = self.found[number]
        fit = card.fit
        if fit.outline is not None:
            return fit.face not in settled and not self._is_surely_named(card)
        if fit.uncovered > InView.MOST and (self._is_surely_named(card) or self._is_as_seen(number)):
            return False
        if any(face == fit.face and same_place(at.centre_mm, at.R, fit) for face, at in self._scene.believed):
            return False  # it was seen better before others covered it
        if fit.pose.centre_mm[2] < -_SUNK_MM:
            return True
        if hangs(self._scene, fit.pose):
            return True
        if fit.face not in settled and not self._is_surely_named(card):
            return True
        # of names at a wrong place one may be far ahead of all others, and still not what is seen there
        if (
            fit.explained > Explained.ALL
            or fit.evidence > Nats.TELLING
            or fit.face in self._scene.markers_in_place(fit.pose)
        ):
            return False
        return measure(self.others(number), fit.face, fit.alignment).explained < Explained.AS_IT_SHOULD

    def _is_as_seen(self, number: int) -> bool:
        """False if the covering card was found later than the card, so that its print may have been taken for the
        card's."""
        return in_view(self.others(number), self.found[number].fit.pose)[0] > _AS_SEEN

    def _is_surely_named(self, card: Found) -> bool:
        return float(card.identity.probabilities()[card.fit.face]) > _SURELY_NAMED

    def _is_found(self, card: Found, *but: int) -> bool:
        """Whether a card, either way up, is what another card found shows of itself: no two lie in one place."""
        others = [other.fit for number, other in enumerate(self.found) if number not in but]
        return any(same_place(card.fit.pose.centre_mm, card.fit.pose.R, other) for other in others)

    def _claimed(self, number: int) -> Claims:
        """The pixels that one card shows."""
        card = self.found[number]
        if card not in self._kept:
            scene, fit = self._scene, card.fit
            placed = placed_among(scene, self.found, number, self._made)
            claims = Claims.none_in(scene)
            claim_tiles(claims, scene, fit, placed.own)
            if placed.except_ is not None:
                claims.free(scene.camera.project_plane(fit.pose.plane, placed.except_))
            self._kept[card] = claims
        return self._kept[card]


def _in_its_sides(known: Known, card: Found) -> Found | None:
    """A card that shows too little print to be accepted, laid into its sides, if they and the print say enough
    together; None if they do not. Of a yellow card a strip of 10 mm looked out below another: its print said 28 nats,
    its sides 13 more."""
    fit = fit_by_sides(known, card.fit.pose)
    if fit is None or fit.outline is None or fit.outline.shown < SEEN_ALL_ROUND:
        return None
    if fit.evidence < Nats.BY_SIDES or fit.support < Nats.LEAST or fit.explained < Explained.HALF:
        return None
    return Found(*named_in_place(known, fit, fit.outline))


def _most_in_sides(known: Known, card: Found, places: Sequence[CardPose]) -> Found | None:
    """Of the cards whose sides show at some places, and which are there, the plainest; None if none is as plain as the
    print of a `card` that lacks its sides."""
    fits = [fit for pose in places for fit in fits_in_sides(known, pose) if is_there(fit)]
    best = max(fits, key=lambda fit: fit.worth, default=None)
    if best is None or best.outline is None or best.worth < card.fit.worth:
        return None
    found = Found(*named_in_place(known, best, best.outline))
    return found if is_there(found.fit) and not is_sunk(known.scene, found.fit.pose) else None


def _told_again(known: Known, card: Found) -> Found:
    """A card named by its outline, compared again on the pixels now known to show it. By its print it may lie where
    the picture shows no sides. From one outline to the next a frame near the edge may be taken for the edge, in which
    no face shows its drawing: what reaches through the floor then is none, and the card is where it was."""
    fit = None if card.fit.outline is None else fit_by_sides(known, card.fit.outline.pose)
    if fit is None or not is_there(fit):
        return card
    again = Found(*named_in_place(known, fit, fit.outline))
    return card if is_sunk(known.scene, again.fit.pose) else again


def _told_apart(known: Known, card: Found) -> Found:
    """A card of a deck whose faces are alike, named by the points at which they differ, where its place is plain."""
    if not known.scene.faces.are_alike or card.fit.evidence < Nats.MANY:
        return card
    return Found(*named_in_place(known, card.fit, None))


def _best(known: Known, starts: Sequence[CardPose]) -> Found | None:
    """The card that best explains the unclaimed pixels, starting from its assumed pose; None if none does.

    It is fitted flat: a card under others is held flat, and most wrong names come from poses that tilt to fit a few
    pixels.
    """
    slid = [fit for pose in starts for fit in _likeliest(known, pose)]
    if not slid:
        return None
    # even a wrong face slides to the edges of the card, and there the right one is seen
    for fit in sorted(slid, key=lambda f: f.worth)[-_SLID:]:
        slid += _likeliest(known, laid_flat(known.scene, fit.pose))
    if not any(is_hopeful(fit) for fit in slid):
        return None  # what is free to tilt, too, tells no more
    fits = [fit_coarse(known, f.face, f.pose) for f in each_once(known, sorted(slid, key=lambda f: f.worth)[-_ALIKE:])]
    fit, identity = _named_flat(known, _most_alike(known, fits))
    if not identity.may_be(fit.face) or fit.uncovered < InView.LEAST:
        return None
    return Found(fit, identity)


def each_once(known: Known, fits: Sequence[Fit]) -> list[Fit]:
    """The fits, of those of one face in one place the last: slid from several starts a face comes to the same place,
    and every other one of the best five was there twice."""
    outlines = [outline_of(known.scene, fit.pose) for fit in fits]
    return [
        fit
        for number, fit in enumerate(fits)
        if not any(
            other.face == fit.face and float(np.abs(outlines[number] - there).max()) < SLIDE.converged_px
            for other, there in zip(fits[number + 1 :], outlines[number + 1 :], strict=True)
        )
    ]


def _named_flat(known: Known, fit: Fit) -> tuple[Fit, Identity]:
    """A fit under its best name, repeated for a flat card if that name tilts it."""
    for _ in range(_AGAIN):
        fit, identity = named(known, fit)
        if fit.pose.tilt_deg < _FLAT_DEG:
            break
        flat = fit_coarse(known, fit.face, laid_flat(known.scene, fit.pose))
        if flat.worth < fit.worth / FLAT_FIRST:
            break
        fit = flat
    return fit, identity


def _most_alike(known: Known, fits: Sequence[Fit]) -> Fit:
    """The fit, of several at various poses, whose face matches the visible print and colours best."""
    seen = [compared(known, fit.pose) for fit in fits]
    points = max(identity.points for identity in seen)
    alike = [
        points * _a_point(identity, fit.face) + 0.5 * fit.evidence for identity, fit in zip(seen, fits, strict=True)
    ]
    return fits[int(np.argmax(alike))]


def _likeliest(known: Known, pose: CardPose) -> list[Fit]:
    """The likeliest faces at a pose, each slid from there to its best place."""
    likelihood = roughly_compared(known, pose).log_likelihood
    best = np.argsort(-likelihood)[:_LIKELIEST]
    return [slide(known, int(face), pose) for face in best]


def _a_point(identity: Identity, face: int) -> float:
    """Match per visible point, so that poses of which different parts are visible can be compared."""
    return float(identity.log_likelihood[face]) / max(identity.points, 1)
