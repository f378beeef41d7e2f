"""A card's name once everything on it is known: all faces are compared where the print is open to view."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.picture.channels import greatest
from arena_cam.vision.picture.components import components
from arena_cam.vision.printed.print_light import in_own_light
from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import LaidCard
from arena_cam.vision.tokens.cards.face_alignment import AFFINE, RIGID, HiddenPixels, Plan, Slopes, aligned, slopes
from arena_cam.vision.tokens.cards.lit_faces import NOISE, face_costs, face_light, lit_face, tolerance
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.view.printed_words import ReadWords, WordReader
from arena_cam.vision.tokens.view.set_prints import SetPrints
from arena_cam.vision.tokens.view.slid_faces import LEAST_MM2, REACH_MM, TOLD, FaceSlider, SlidFaces
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

SCALE, FINE = 1.0, 2.0  # px/mm
CLOSELY = Plan(RIGID, 4, wide=False)
FARTHER = Plan(RIGID, 6, wide=True)
# Where sliding hardly tells: how many faces are compared each as large and as askew as it looks, and how each is laid.
RIVALS, AS_IT_LOOKS = 4, (Plan(AFFINE, 8, wide=True), Plan(AFFINE, 8, wide=False))
COVERED, SIDE = 1.3, 1.15  # of a token's radius: its side and its shadow; its side alone, for words are read in shade
# Nats by which words lead over another face that hardly any are open, and that stays which leads where all faces are
# slid, or the keypoints'.
UNTOLD = 1.0
# Where faces are slid: by how many nats one leads that is named if its words are the likeliest, too. Of 198 cards one
# that those had told rightly had less.
PLAINLY_TOLD = 2 * TOLD
# By so many no other way to look says otherwise, and none is asked: of 313 cards, in 42 photographs of three sets, 242
# led by more, and each of the 298 that led by more than PLAINLY_TOLD was named the same by a closer look, and clearly.
BEYOND_DOUBT = 25.0
# How many times as many nats a face upside down may have where it is slid (of 30 cards at most 1.5 times), and what
# turns a motion (2, 3) upside down.
MOST_GAINED, UPSIDE_DOWN = 1.6, np.diag([-1.0, -1.0, 1.0])
# Of the likeliest face where it is slid: below this correlation it is slid farther, too. Of 87 cards rightly named, in
# 14 photographs of five sets, eight had less; of five of these no words elsewhere came within five nats of their own.
# A wrong name, 8 mm off, had 0.82 and led by seven nats; the true one had 23 more where it lay. The bound spares time
# alone. How far (N, 2), in mm across the card and along it: one place's reach begins where the other's ends.
WELL_ALIKE = 0.9
BEYOND_REACH_MM = 2.0 * REACH_MM * np.array([[0.0, -1.0], [0.0, 1.0], [-1.0, 0.0], [1.0, 0.0]])
FAR_OFF = 4.0  # squares of the noise: twice as far off a pixel shows something else, however far
# Of its free rim, from which a name may be clear. In 24 photographs of six styles one of 178 cards had less, and five
# of 15 that were none.
MOST_OF_RIM = 0.5
STRANGE_SHARE = 0.16  # of a token's face: so large a patch that is not the card's print may be a token


@dataclass(frozen=True, slots=True)
class NamedCard:
    """`face` of the set; `clear`: no other face is as likely; `strange`: something unknown lies on it; `outside`: it
    reaches out of the picture; `told`: something but its sides tells the face, of the kind for which it was laid."""

    face: int
    clear: bool
    strange: bool
    outside: bool
    told: bool = True


class Namer:
    """Names the cards of one set."""

    def __init__(self, prints: SetPrints) -> None:
        self.prints = prints
        self._slider, self._words = FaceSlider(prints), WordReader(prints)
        self._slopes: dict[int, Slopes] = {}
        # Of a view that is still in use: others hold cards for longer, and would hold it.
        self._kept: WeakKeyDictionary[TopView, WeakKeyDictionary[LaidCard, Grey]] = WeakKeyDictionary()

    def names(self, table: SeenTable, cards: Sequence[LaidCard], tokens: Sequence[SeenDisc]) -> list[NamedCard]:
        """The cards' names where nothing covers them. A set has each card once: where two would have one name, the one
        that is seen worse has the next best, and is not clear."""
        named = [self.name(table, card, tokens) for card in cards]
        order = sorted(range(len(cards)), key=lambda k: (not named[k].clear, -cards[k].score))
        taken = {named[k].face for k in order}
        given: set[int] = set()
        for k in order:
            if named[k].face in given:
                named[k] = replace(self.name(table, cards[k], tokens, taken), clear=False)
            taken.add(named[k].face)
            given.add(named[k].face)
        return named

    def name(
        self, table: SeenTable, card: LaidCard, tokens: Sequence[SeenDisc], taken: Collection[int] = ()
    ) -> NamedCard:
        """The card's name where nothing covers it, none of the faces `taken`."""
        grid, laid, laid_as = self.prints.cards(SCALE), card, card.face
        mask = self.open_to_view(table, card, tokens)
        if not mask.any():
            outside = not table.view.inside_card(card.motion, self.prints.size_mm, SCALE).all()
            return NamedCard(card.face, clear=False, strange=False, outside=outside, told=not card.by_sides)
        slid = self._slider.told(table.view, card.motion, mask)
        card, mask, slid, one_way = self._right_way_up(table.view, card, mask, slid)
        if slid.alike[slid.best] < WELL_ALIKE:
            card, mask, slid = self.farther(but_for(table, laid), card, mask, slid, tokens)
        if slid.lead(slid.best) > TOLD and not np.allclose(slid.motions[slid.best], card.motion):
            moved = replace(card, motion=slid.motions[slid.best], face=slid.best)
            there = self.open_to_view(but_for(table, laid), moved, tokens)
            card, mask = (moved, there) if there.any() else (card, mask)
        elif slid.lead(slid.best) < TOLD:
            card, mask, slid = self.in_truest_place(but_for(table, laid), card, mask, slid, tokens)
        ends = card.rim > MOST_OF_RIM  # print that goes on beyond what should be its rim is another card's
        best, clear, named = slid.best, one_way and (ends or not card.by_sides), True
        if slid.lead(best) < BEYOND_DOUBT or best in taken:
            guessed = (card.face, best) if slid.lead(best) > TOLD else (card.face,)
            ways = self._read(but_for(table, laid), card, mask, tokens, (taken, guessed), one_way)
            card, mask, words = max(ways, key=lambda way: (way[2].is_told, way[0] is card))
            agreed = one_way and not card.by_sides and ends and best == words.face and slid.lead(best) > PLAINLY_TOLD
            best = self._of_tied(words, guessed)
            clear = agreed or [way[2].is_told for way in ways].count(True) == 1
            named = not card.by_sides or (words.is_alike and words.lead > TOLD)
        patch, inside = table.view.patch(card.motion, self.prints.size_mm, SCALE)
        light = face_light(grid, best, patch, mask, self.prints.size_mm)
        expected = lit_face(grid, best, light, self.prints.size_mm)
        lit = in_own_light(expected[None], patch[None], mask, SCALE).lit[0]
        odd = mask & (greatest(np.abs(lit - patch)) > tolerance(light))
        outside = bool(np.count_nonzero(grid.mask & ~inside) > 0.02 * np.count_nonzero(grid.mask))
        named = named and (not card.by_sides or bool(self.prints.kinds[best] == self.prints.kinds[laid_as]))
        return NamedCard(best, clear, self._strange(odd), outside, named)

    def _of_tied(self, words: ReadWords, guessed: Sequence[int]) -> int:
        """The face of a card among those that its words hardly tell apart: one of the `guessed` ones, the last first;
        else one of the first one's kind, which has its colours. Words are read in grey."""
        tied = [words.face, *(int(face) for face in words.faces[words.leads < UNTOLD])]
        kinds = self.prints.kinds
        of_kind = [face for face in tied if kinds[face] == kinds[guessed[0]]]
        return next((face for face in (*reversed(guessed), *of_kind) if face in tied), words.face)

    def _read(
        self,
        others: SeenTable,
        card: LaidCard,
        mask: Mask,
        tokens: Sequence[SeenDisc],
        faces: tuple[Collection[int], Collection[int]],
        one_way: bool,
    ) -> list[tuple[LaidCard, Mask, ReadWords]]:
        """The card, what is open of it (h, w), and its words; the same upside down, if it is not told to lie `one_way`
        up and these words do not tell it. `others`: the table without this card. `faces`: those that are taken, of
        which it is none, and those that it is guessed to have.

        Paper and a frame are the same upside down: of a card laid by its sides the words alone tell which way up it
        is, though shadows on it are all that a face as a whole explains."""
        turned = replace(card, motion=card.motion @ UPSIDE_DOWN)
        ways: list[tuple[LaidCard, Mask, ReadWords]] = []
        for each, there in ((card, mask), (turned, np.ascontiguousarray(mask[::-1, ::-1]))):
            is_open = self.open_to_view(others, each, tokens, SIDE)
            ways.append((each, there, self._words.read(others.view, each.motion, is_open, *faces)))
            if one_way and ways[0][2].is_told:
                break
        return ways

    def laid_as_named(self, table: SeenTable, card: LaidCard, tokens: Sequence[SeenDisc]) -> LaidCard:
        """The card with the face that its clear name tells, where that lies best and in the light that it tells; as it
        is where its name is not clear or nothing of it is open."""
        named = self.name(table, card, tokens)
        is_open = self.open_to_view(but_for(table, card), card, tokens)
        if not named.clear or not is_open.any():
            return card
        grid, coarse, size = self.prints.cards(FINE), self.prints.cards(SCALE), self.prints.size_mm
        finely = cv2.resize(is_open.astype(np.uint8), grid.mask.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
        motion, _, _ = self._aligned(table, card.motion, named.face, finely, (FARTHER, CLOSELY))
        moved = replace(card, motion=motion, face=named.face)
        patch, inside = table.view.patch(motion, size, SCALE)
        mask = coarse.mask & inside & self.open_to_view(but_for(table, card), moved, tokens)
        return replace(moved, light=face_light(coarse, moved.face, patch, mask, size)) if mask.any() else card

    def farther(
        self, others: SeenTable, card: LaidCard, mask: Mask, slid: SlidFaces, tokens: Sequence[SeenDisc]
    ) -> tuple[LaidCard, Mask, SlidFaces]:
        """The card, what is open of it (h, w), and the faces slid there, where some face is likelier than any that was
        slid about the card's place, farther off than these reach; as given if there is none. `others`: the table
        without this card.

        Where no face is well like what is seen, it may be that the true one lies out of reach, and that the one which
        leads is but the best of wrong ones: a pale card on a pale table was laid 8 mm off along its length."""
        best = card, mask, slid
        for aside in BEYOND_REACH_MM:
            motion = np.column_stack([card.motion[:, :2], card.motion[:, 2] + card.motion[:, :2] @ aside])
            there = self.open_to_view(others, replace(card, motion=motion), tokens)
            found = self._slider.slid(others.view, motion, there)
            likelier = found.nats(found.best) > best[2].nats(best[2].best) + TOLD
            if likelier and found.lead(found.best) > TOLD:  # else no words tell that the card lies there
                best = replace(card, motion=motion), there, found
        return best

    def in_truest_place(
        self, others: SeenTable, card: LaidCard, mask: Mask, slid: SlidFaces, tokens: Sequence[SeenDisc]
    ) -> tuple[LaidCard, Mask, SlidFaces]:
        """The card, what is open of it (h, w), and the faces slid there, where the likeliest face lies as large and as
        askew as it looks, if that explains most of what is then open. `others`: the table without this card.

        A wrong name had bent the view by 4 mm in which it was found. From there the true name was 3 mm aside,
        where what was thought open was another card's paper: it explained less, though all its words lay there. So
        may a face be the true one that is behind by more than TOLD; by PLAINLY_TOLD none is."""
        nats = np.array([slid.nats(face) for face in range(len(slid.alike))])
        rivals = [int(face) for face in np.argsort(-nats)[:RIVALS] if nats[face] > nats[slid.best] - PLAINLY_TOLD]
        tried = [
            self._as_it_looks(others, replace(card, motion=slid.motions[face], face=face), tokens) for face in rivals
        ]
        best = min(range(len(rivals)), key=lambda k: tried[k][2])
        if rivals[best] == slid.best:
            return card, mask, slid
        moved, there, _ = tried[best]
        again = self._slider.slid(others.view, moved.motion, there)
        told = again.best == moved.face and again.lead(again.best) > TOLD
        return (moved, there, again) if told else (card, mask, slid)

    def _as_it_looks(
        self, others: SeenTable, card: LaidCard, tokens: Sequence[SeenDisc]
    ) -> tuple[LaidCard, Mask, float]:
        """A card of that face as large and as askew as it looks, what is open of it there (h, w), and the share of that
        which it leaves unexplained."""
        grid, size = self.prints.cards(FINE), self.prints.size_mm
        shape = (grid.mask.shape[1], grid.mask.shape[0])
        for plan in AS_IT_LOOKS:
            there = self.open_to_view(others, card, tokens)
            is_open = cv2.resize(there.astype(np.uint8), shape, interpolation=cv2.INTER_NEAREST) > 0
            card = replace(card, motion=self._aligned(others, card.motion, card.face, is_open, (plan,))[0])
        there = self.open_to_view(others, card, tokens)
        is_open = cv2.resize(there.astype(np.uint8), shape, interpolation=cv2.INTER_NEAREST) > 0
        patch, inside = others.view.patch(card.motion, size, FINE)
        mask = grid.mask & inside & is_open
        light = face_light(grid, card.face, patch, mask, size)
        left = float(face_costs(grid, np.array([card.face]), light, patch, mask, size)[0])
        return card, there, left / max(int(np.count_nonzero(mask)), 1)

    def _right_way_up(
        self, view: TopView, card: LaidCard, mask: Mask, slid: SlidFaces
    ) -> tuple[LaidCard, Mask, SlidFaces, bool]:
        """The card, what is open of it (h, w), and the faces slid there, the way up that its print tells; and whether
        it tells one.

        A frame is the same upside down, and explains so much of a card whose words hardly differ from its paper that
        some face led plainly where no word of it is seen."""
        turned = replace(card, motion=card.motion @ UPSIDE_DOWN)
        there = np.ascontiguousarray(mask[::-1, ::-1])
        roughly = self._slider.unmoved(view, turned.motion, there)
        if MOST_GAINED * roughly.nats(roughly.best) < slid.nats(slid.best):
            return card, mask, slid, True
        other = self._slider.slid(view, turned.motion, there)
        lead = other.nats(other.best) - slid.nats(slid.best)
        told = abs(lead) > TOLD or slid.open_mm2 < LEAST_MM2
        return (turned, there, other, told) if lead > TOLD else (card, mask, slid, told)

    def in_view(self, table: SeenTable) -> SeenTable:
        """The table but for cards of which other cards hide all: what is seen there is these others' print, and of two
        that were laid on one it is the one that explains less."""
        grid, size = self.prints.cards(SCALE).mask, self.prints.size_mm
        seen = [
            card
            for card in table.cards
            if (grid & table.view.inside_card(card.motion, size, SCALE) & ~self._under_cards(table, card)).any()
        ]
        return table if len(seen) == len(table.cards) else replace(table, cards=seen)

    def open_to_view(
        self, table: SeenTable, card: LaidCard, tokens: Sequence[SeenDisc], reach: float = COVERED
    ) -> Mask:
        """(h, w): what of the card is in the picture, and neither under another card nor within `reach` of a token, in
        its radii."""
        inside = table.view.inside_card(card.motion, self.prints.size_mm, SCALE)
        covered = self._under_cards(table, card) | self._under_tokens(card, tokens, reach)
        return np.asarray(self.prints.cards(SCALE).mask & inside & ~covered)

    def _aligned(
        self,
        table: SeenTable,
        motion: Floats,
        face: int,
        is_open: Mask,
        plans: Sequence[Plan] = (CLOSELY,),
        told: Mask | None = None,
    ) -> tuple[Floats, Grey, Mask]:
        """Where a card of that face lies, as the pixels `told` (all that are open) tell it, what is seen there, and
        which of it is open."""
        grid, size = self.prints.cards(FINE), self.prints.size_mm
        if face not in self._slopes:
            self._slopes[face] = slopes(grid, face, size)
        hidden = HiddenPixels(~(is_open if told is None else told))
        for plan in plans:
            motion = aligned(table.view, grid, self._slopes[face], size, motion, plan, hidden)
        patch, inside = table.view.patch(motion, size, FINE)
        return motion, patch, grid.mask & inside & is_open

    def _strange(self, odd: Mask) -> bool:
        """Whether a patch as large as what a token would show is not the card's print."""
        radius = self.prints.set.tokens[0].diameter_mm / 2 * SCALE
        thick = cv2.morphologyEx(odd.astype(np.uint8), cv2.MORPH_OPEN, np.ones((4, 4), np.uint8))
        least = STRANGE_SHARE * np.pi * radius**2
        if np.count_nonzero(thick) <= least:  # all of it together is too small
            return False
        return bool((components(np.asarray(thick, np.uint8)).areas[1:] > least).any())

    def _places(self, card: LaidCard) -> Floats:
        """(h, w, 2): where the card's pixels lie on the table, mm."""
        height, width = self.prints.cards(SCALE).mask.shape
        x = (np.arange(width) + 0.5) / SCALE - self.prints.size_mm[0] / 2
        y = (np.arange(height) + 0.5) / SCALE - self.prints.size_mm[1] / 2
        mm = np.stack(np.meshgrid(x, y), axis=-1)
        return np.asarray(mm @ card.motion[:, :2].T + card.motion[:, 2])

    def _under_tokens(self, card: LaidCard, tokens: Sequence[SeenDisc], radii: float) -> Mask:
        x, y = np.moveaxis(self._places(card), 2, 0).copy()  # numpy takes five times as long over pairs
        covered = np.zeros(x.shape, bool)
        half_mm = float(np.hypot(*self.prints.size_mm)) / 2
        for token in tokens:
            reach = radii * token.radius_mm
            if math.dist(token.middle, card.middle) < half_mm + reach:
                covered |= np.square(x - token.middle[0]) + np.square(y - token.middle[1]) < reach**2
        return covered

    def _under_cards(self, table: SeenTable, card: LaidCard) -> Mask:
        """Where another card lies on it: there the other one's print is seen, and it explains more of what both have
        there than its own. Dark papers all lie within what a card may be off: how near they are tells them apart."""
        at = self._places(card)
        covered = np.zeros(at.shape[:2], bool)
        for other in table.cards:
            if other is card or np.linalg.norm(other.middle - card.middle) > sum(self.prints.size_mm):
                continue
            local = (at - other.motion[:, 2]) @ np.linalg.inv(other.motion[:, :2]).T
            half = np.asarray(self.prints.size_mm) / 2
            both = (np.abs(local[..., 0]) < half[0] + 0.8) & (np.abs(local[..., 1]) < half[1] + 0.8)
            if not both.any():
                continue
            cells = np.clip(np.round(local + half - 0.5).astype(int), 0, np.array(other.explained.shape[::-1]) - 1)
            mine, theirs = self._off(table, card), self._off(table, other)[cells[..., 1], cells[..., 0]]
            if theirs[both].sum() < mine[both].sum():
                covered |= both
        return covered

    def _off(self, table: SeenTable, card: LaidCard) -> Grey:
        """(h, w): how far off a card's print what is seen there is, in squares of the noise, at most FAR_OFF; kept for
        the next time: each card is compared with each one that it touches."""
        in_view = self._kept.setdefault(table.view, WeakKeyDictionary())
        kept = in_view.get(card)
        if kept is None:
            kept = in_view[card] = self._looked_off(table, card)
        return kept

    def _looked_off(self, table: SeenTable, card: LaidCard) -> Grey:
        grid = self.prints.cards(SCALE)
        patch, _ = table.view.patch(card.motion, self.prints.size_mm, SCALE)
        off = greatest(np.abs(lit_face(grid, card.face, card.light, self.prints.size_mm) - patch))
        return np.asarray(np.minimum(np.square(off / NOISE), FAR_OFF), np.float32)


def but_for(table: SeenTable, card: LaidCard) -> SeenTable:
    """The table without one of its cards: moved, it would be hidden by itself."""
    return replace(table, cards=[other for other in table.cards if other is not card])
