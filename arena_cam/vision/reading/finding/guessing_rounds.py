"""The guesses of one frame, round by round, while its cards are being found from the top down."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.measuring import in_view, on_card
from arena_cam.vision.reading.cards.placed_face import outline_of
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.cards.trust import InView, is_there
from arena_cam.vision.reading.finding.findings import Findings
from arena_cam.vision.reading.finding.floor_guesses import FloorGuesses
from arena_cam.vision.reading.floor.reaching_in import arm_reaching_in, beside_arm, has_shape_of_card
from arena_cam.vision.reading.floor.table_change import TableChange
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM
from arena_cam.vision.reading.guesses.features import FeatureFinder, ViewFeatures
from arena_cam.vision.reading.guesses.guess import Guess

# Features found at one scale are found by luck, where little of a card is in view: what they leave unexplained is
# looked at again in pixels of another size.
_USUAL_SCALE, _OTHER_SCALE = 1.0, 1.12


class GuessingRounds:
    """First what is known to have lain there and what markers say; then what features and pieces say of the places that
    nothing found so far explains; in the end where straight edges outline a card there.

    `offered` are all guesses from features made so far; `unexplained` says whether, when last asked, the picture showed
    something that the empty table does not and no card found explains.
    """

    def __init__(
        self,
        scene: Scene,
        finder: FeatureFinder,
        believed: Sequence[Guess],
        floor: FloorGuesses,
        sides_alone: Callable[[Findings], bool] | None = None,
        laid_px: Sequence[Array] | None = None,
    ) -> None:
        """`believed` are cards known before, what covers others first. `sides_alone`: cards are guessed by nothing but
        their sides, while this is so of what was found. `laid_px`: the search goes on after an earlier one, the cards
        of which lie in these outlines (4, 2); where an arm reaches in nobody looks for features again."""
        self._scene, self._finder, self._floor = scene, finder, floor
        self._believed = believed
        fresh = scene.fresh
        self._touched = [g for g in believed if fresh is not None and fresh.touched(on_card(scene, g.pose))]
        self._marked = scene.points.markers.guesses(scene.markers, scene.camera)
        self._first = [g for g in believed if g not in self._touched] + self._marked
        names, deck = scene.faces.names, scene.faces.deck
        self._card_mm2 = deck.card_mm2
        self._back = names.index(BACK) if BACK in names else None
        self._features: ViewFeatures | None = None
        self._searched: NDArray[np.uint8] | None = None
        self._sided: NDArray[np.uint8] | None = None
        self._looked_twice = False
        self._sides_alone = sides_alone
        self._laid_px, self._goes_on = list(laid_px or ()), laid_px is not None
        self._rounds = 0
        self.offered: list[Guess] = []
        self.unexplained = False

    def next_guesses(self, now: Findings) -> list[Guess]:
        """The guesses of the next round, from the cards found by `now`."""
        self._rounds += 1
        if self._sides_alone is not None:
            return self._by_sides(now.known) if self._sides_alone(now) else []
        if self._rounds == 1 and self._first:
            return self._first + (_below(self._marked, self._touched) if self._marked else [])
        change = self._scene.change
        arm = self._arm_reaching_in(now) if self._goes_on or self._rounds > 1 else None
        have_looked = self._goes_on or self._features is not None
        if arm is None or change is None or not have_looked:
            return self._where_odd(now, change, hand=arm is not None)
        beside = beside_arm(change, arm)
        if not self._may_be_cards(beside, now):
            self.unexplained = False  # they are at work: when they have left, all is looked for
            # but an arm has no sides of a card: four in a heap that came near the picture's border were taken for one
            return self._by_sides(now.known, nearby=True)
        guesses = self._where_odd(now, beside, hand=True)
        places = np.array([guess.pose.centre_mm[:2] for guess in guesses]).reshape(-1, 2)
        of_arm = change.within(arm, *places.T)
        return [guess for guess, is_of_arm in zip(guesses, of_arm, strict=True) if not is_of_arm]

    def _where_odd(self, now: Findings, change: TableChange | None, hand: bool) -> list[Guess]:
        """The guesses where the picture shows what is odd by a `change` that no card found explains."""
        known = now.known
        odd = change.worth_a_look(known.claims.mask, Claims.STEP) if change is not None else None
        self.unexplained = odd is not None
        # a dark card on a grey floor is no darker than a shadow, but has sharp sides
        sides = self._by_sides(known) if self._scene.faces.are_alike else []
        if change is not None and odd is None:
            return sides
        if sides:
            return sides
        if not self._look(known.claims, odd, bool(now.found)):
            return self._last_of_all(known) if odd is not None else []
        guesses = self._from_features(known, odd)
        self.offered += guesses
        others = guesses + _below(guesses, self._touched) + (self._first if self._rounds == 2 else [])
        if self._rounds == 1 or hand:
            return others
        # a card of the last reading, too, takes the place of another guess
        return others + self._floor.from_pieces(known, () if self._believed else others)

    def _arm_reaching_in(self, now: Findings) -> NDArray[np.uint8] | None:
        """A view of what reaches in where people are at work, so that the frame cannot be sure; else None."""
        scene = self._scene
        if scene.change is None:
            return None
        claimed = now.known.claims.mask
        if scene.arm is not None:
            claimed = np.asarray(claimed & (1 - scene.arm), np.uint8)
        return arm_reaching_in(scene.change, claimed, Claims.STEP, self._card_mm2, self._outlines_px(now))

    def _may_be_cards(self, beside: TableChange, now: Findings) -> bool:
        """Whether something that was not found yet has a card's shape and lies apart from an arm, or is larger than a
        card: several lie there. Two cards over a wall, one of which reached the picture's rim, were taken for an arm,
        and a heap in full view in the middle of the arena, which is no rectangle, was looked for no further."""
        things = [thing for thing, _ in beside.strangers(self._outlines_px(now))]
        return any(has_shape_of_card(it, self._card_mm2) or it.area_mm2 > self._card_mm2 for it in things)

    def _outlines_px(self, now: Findings) -> list[Array]:
        return self._laid_px + [outline_of(self._scene, card.fit.pose) for card in now.found]

    def _by_sides(self, known: Known, *, nearby: bool = False) -> list[Guess]:
        """Guesses from straight edges alone, as long as they lead to more cards; `nearby`: see `from_sides`."""
        if self._sided is not None and np.array_equal(self._sided, known.claims.mask):
            return []
        self._sided = known.claims.mask.copy()
        guesses = self._floor.from_sides(known, nearby=nearby)
        return guesses if self._scene.fresh is None else [g for g in guesses if in_view(known, g.pose)[1]]

    def all_is_known(self, now: Findings) -> bool:
        """Whether the search may end: all earlier cards are found, and new ones in full view cover all changes; or no
        more sides need be asked."""
        if self._sides_alone is not None:
            return not self._sides_alone(now)
        scene, believed = self._scene, {g.face for g in self._believed}
        if scene.fresh is None or not believed <= {card.fit.face for card in now.found}:
            return False
        new = [card.fit for card in now.found if card.fit.face not in believed]
        plain = [fit for fit in new if fit.uncovered > InView.FULL and is_there(fit)]
        if not plain:
            return False
        explained = now.known.claims.copy()
        for fit in plain:
            explained.add_polygon(outline_of(scene, fit.pose))
        return scene.fresh.all_explained(explained.mask, Claims.STEP)

    def _last_of_all(self, known: Known) -> list[Guess]:
        """Guesses from straight edges alone, where print gave none: gloss takes the contrast of dark print, a figure
        has few features, a back of fine stripes none. What differs from the empty table and has a card's sides is a
        card, whatever is printed on it. Of a deck of faces that are alike these were looked for before, whatever lies
        beside them."""
        if self._scene.faces.are_alike or not may_show_card(known):
            return []
        return self._by_sides(known, nearby=True)

    def _look(self, claims: Claims, odd: NDArray[np.uint8] | None, some_found: bool) -> bool:
        """Finds features where that was not done yet; False if there is nothing left to search."""
        if self._searched is not None and np.array_equal(self._searched, claims.mask):
            # a card in full view is found at any scale: where nothing lies that could cover one none is left
            if self._looked_twice or (odd is None and not some_found):
                return False
            self._looked_twice = True
            self._features = self._finder.look(self._floor.view(_OTHER_SCALE, odd), odd)
        self._searched = claims.mask.copy()
        if self._features is None:
            self._features = self._finder.look(self._floor.view(_USUAL_SCALE, odd), odd)
        return True

    def _from_features(self, known: Known, odd: NDArray[np.uint8] | None) -> list[Guess]:
        assert self._features is not None
        fresh = self._scene.fresh
        allowed = _free(known, self._features, odd)
        # what came last lies in full view, as a rule, and speaks loud enough
        thinned = fresh is not None and not self._looked_twice
        guesses = self._finder.find(self._features, allowed, also=self._back, thinned=thinned)
        return guesses if fresh is None else [g for g in guesses if _may_have_come(known, g)]


def may_show_card(known: Known) -> bool:
    """Whether as much may be in view of a card not yet known as a card must show to be looked at."""
    change, deck = known.scene.change, known.scene.faces.deck
    if change is None:
        return True
    across_mm, least_mm2 = math.hypot(deck.width_mm, deck.height_mm), InView.LEAST * deck.card_mm2
    return bool(change.may_show(known.claims.mask, Claims.STEP, across_mm, least_mm2).any())


# For cards that came and showed this share of themselves or more, features spoke with 19 votes or more in 90 simulated
# throws of three decks; two or three agree anywhere by chance.
_MUCH_IN_VIEW, _FEWEST_VOTES = 0.5, 4.0


def _may_have_come(known: Known, guess: Guess) -> bool:
    """Whether a guess from features may be a card that came since the last reading."""
    free, fresh = in_view(known, guess.pose)
    return fresh > 0.0 and (free < _MUCH_IN_VIEW or guess.votes >= _FEWEST_VOTES)


def _below(guesses: Sequence[Guess], touched: Sequence[Guess]) -> list[Guess]:
    """Puts `touched` after the best of `guesses`: a covering card must be found before the visible rest of a covered
    one can be fitted."""
    votes = max((p.votes for p in guesses), default=1.0) / 2
    return [replace(p, votes=votes) for p in touched]


def _free(known: Known, features: ViewFeatures, odd: NDArray[np.uint8] | None) -> NDArray[np.bool_]:
    """A mask (N,) of the features of the floor view that may belong to a card not yet found."""
    scene = known.scene
    x, y = features.view.world(*features.places.T)
    floor = CardPose.flat(0.0, 0.0, 0.0, GUESS_HEIGHT_MM)
    pixels = scene.camera.project_plane(floor.plane, np.stack([x, y, np.ones_like(x)]))
    free = known.claims.at(pixels) == 0.0
    if scene.fresh is not None:
        free &= scene.fresh.near(pixels)
    return np.asarray(free if scene.change is None or odd is None else free & scene.change.within(odd, x, y))
