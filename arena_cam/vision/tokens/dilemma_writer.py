"""Puts a reading together: which tokens and doubts belong to which dilemma, and how likely its count is right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.dilemmas.doubts import DilemmaDoubt
from arena_cam.domain.dilemmas.readings import DilemmaReading, DilemmasReading, TokenReading
from arena_cam.domain.lies import Point2
from arena_cam.domain.messages import Message, Sentence
from arena_cam.vision.tokens.cards.card_groups import (
    MOST_GAP_MM,
    CardGroup,
    distance_mm,
    grouped,
    outlines_mm,
    share_on,
)
from arena_cam.vision.tokens.cards.card_reader import SeenTable
from arena_cam.vision.tokens.cards.card_search import LaidCard
from arena_cam.vision.tokens.discs import token_trust
from arena_cam.vision.tokens.discs.owner_search import RoundThing
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.final_names import NamedCard, Namer
from arena_cam.vision.tokens.owners import told
from arena_cam.vision.tokens.view.set_prints import SetPrints

Floats = NDArray[np.float64]

ON_CARD, EDGE = 0.5, 0.09  # share of a token that lies on cards, and how near to a half is unclear
ELSEWHERE_VISIBLE = 0.5
# Tokens are thrown aside one by one, and laid on a card in heaps: two that overlap so much (nearer than that share of
# both radii) beside a dilemma that may lack a card lie on that card, and so do four where one card has room for them.
# Three that were thrown aside lay side by side, at 0.87 and more.
CROWD = 4
HEAPED = 0.8
# Probability that no token was missed, nor one made up, where something of a dilemma is doubtful: of a token that is
# unclear itself its own says how likely it is. Of 42 dilemmas with something unknown alone, in 110 photographs of 22
# drawn sets, 33 had all counts right; of nine with a partner unseen eight, of 11 with both five; with tokens elsewhere
# two of three alone, none of five with another doubt. Seven of eight had them of which a card was told by its sides.
ALL_SEEN: dict[Sentence, float] = {
    DilemmaDoubt.SOMETHING_UNKNOWN: 0.75,
    DilemmaDoubt.PARTNER_UNSEEN: 0.65,
    DilemmaDoubt.TOKENS_ELSEWHERE: 0.3,
}
BY_SIDES = 0.8


class DilemmaWriter:
    """Puts together what was found on one table; `doubtful`: what may be a token, too, and with what probability."""

    def __init__(
        self,
        prints: SetPrints,
        namer: Namer,
        table: SeenTable,
        tokens: list[SeenDisc],
        owners: list[RoundThing],
        doubtful: Sequence[tuple[SeenDisc, float]] = (),
    ) -> None:
        self.prints, self.namer, self.table, self.tokens, self.owners = prints, namer, table, tokens, owners
        self.doubtful = doubtful
        self.named: dict[int, NamedCard] = {}

    def reading(
        self, frame: str, groups: list[CardGroup], left: Sequence[int], unseen: Sequence[int], stray: int
    ) -> DilemmasReading:
        """`left`: how many patches in a token's colour on or between what lies on each group nothing explains;
        `unseen`: how many tokens may lie on a card of it that was not recognised; `stray`: how many of the table do."""
        outlines = [outlines_mm(group.cards, self.prints.size_mm) for group in groups]
        if not self.named:
            self._name(groups)
        shares = np.array([[share_on(t.middle, t.radius_mm, each) for each in outlines] for t in self.tokens]).reshape(
            len(self.tokens), len(groups)
        )
        halves = [k for k, group in enumerate(groups) if group.positive is None or group.negative is None]
        owned = told(self.owners, outlines, [owner.name for owner in self.prints.set.owners], halves)
        nowhere = [
            token
            for token, share in zip(self.tokens, shares, strict=True)
            if not (share > ON_CARD).any() and token.visible >= ELSEWHERE_VISIBLE
        ]
        heaped = [token.middle for token in nowhere if _is_laid(token, nowhere, min(self.prints.size_mm))]
        heaps = [beside_group(group, heaped, self.prints.size_mm) for group in groups]
        dilemmas = tuple(
            self._dilemma(group, shares[:, k], outlines[k], owned.get(k), (left[k], max(unseen[k], heaps[k])))
            for k, group in enumerate(groups)
        )
        elsewhere = tuple(self._token(token) for token in nowhere)
        if not dilemmas:
            return DilemmasReading(frame, (), elsewhere, (DilemmaDoubt.NO_DILEMMA(),))
        doubts = [doubt for each in dilemmas for doubt in each.doubts]
        together = max(_touching(nowhere), stray)
        if together:  # as on a dilemma whose cards nobody recognised
            doubts.append(DilemmaDoubt.TOKENS_ELSEWHERE(count=together))
        return DilemmasReading(frame, dilemmas, elsewhere, tuple(dict.fromkeys(doubts)))

    def as_named(self, groups: list[CardGroup], left: list[int]) -> tuple[list[CardGroup], list[int]]:
        """The groups, and how many patches are `left` on each, by the kinds that the cards' names tell, where more
        cards have a partner so.

        Cards of all kinds share their frame and paper: of a pair of which one was laid with the other's kind each was
        alone, one of them a dilemma that nobody had laid."""
        cards = self._name(groups)
        anew = [self._of_its_kind(card) for card in cards]
        again = grouped(anew, self.prints.kinds, self.prints.size_mm)
        if sum(map(_is_pair, again)) <= sum(map(_is_pair, groups)):
            return groups, left
        of_card = {id(card): count for group, count in zip(groups, left, strict=True) for card in group.cards}
        of_card = {id(new): of_card[id(old)] for old, new in zip(cards, anew, strict=True)}
        self.named = {id(new): self.named[id(old)] for old, new in zip(cards, anew, strict=True)}
        return again, [max(of_card[id(card)] for card in group.cards) for group in again]

    def _name(self, groups: Sequence[CardGroup]) -> list[LaidCard]:
        """Names the cards of the groups; all of them."""
        cards = [card for group in groups for card in group.cards]
        names = self.namer.names(self.table, cards, self.tokens)
        self.named = {id(card): name for card, name in zip(cards, names, strict=True)}
        return cards

    def _of_its_kind(self, card: LaidCard) -> LaidCard:
        """The card with the face of its name, if that is of another kind than the one with which it was laid."""
        named, kinds = self.named[id(card)], self.prints.kinds
        return replace(card, face=named.face) if named.told and kinds[named.face] != kinds[card.face] else card

    def _dilemma(
        self,
        group: CardGroup,
        shares: Floats,
        outlines: list[Floats],
        owner: tuple[str | None, bool] | None,
        unexplained: tuple[int, int],
    ) -> DilemmaReading:
        left, unseen = unexplained
        named = [self.named[id(card)] for card in group.cards]
        told = [each for each in named if each.told]
        by_kind = {int(self.prints.kinds[each.face]): self.prints.names[each.face] for each in told}
        first = self.prints.names[(told or named)[0].face]
        mine = [token for token, share in zip(self.tokens, shares, strict=True) if share > ON_CARD]
        doubts = self._doubts(group, named, mine, shares, first)
        if owner is not None and not owner[1]:
            doubts.append(DilemmaDoubt.OWNER_UNCLEAR(card=first))
        if left and DilemmaDoubt.SOMETHING_UNKNOWN not in {d.sentence for d in doubts}:
            doubts.append(DilemmaDoubt.SOMETHING_UNKNOWN(card=first))
        if unseen:
            doubts.append(DilemmaDoubt.TOKENS_ELSEWHERE(count=unseen))
        all_seen = float(math.prod(ALL_SEEN.get(doubt.sentence, 1.0) for doubt in doubts))
        # A card laid by its sides may lie aside, and tokens that hide its words hide each other: it is hardly seen,
        # unless its name is clear all the same.
        aside = any(card.by_sides and not name.clear for card, name in zip(group.cards, named, strict=True))
        all_seen *= BY_SIDES if all(each.told for each in named) and aside else 1.0
        not_counted = [p for disc, p in self.doubtful if share_on(disc.middle, disc.radius_mm, outlines) > ON_CARD]
        confidence = token_trust.of_all(mine, all_seen, not_counted)
        asked = all_seen < 1.0 or DilemmaDoubt.TOKEN_UNCLEAR in {d.sentence for d in doubts}
        if confidence < token_trust.SURE and not asked:
            doubts.append(DilemmaDoubt.TOKEN_UNCLEAR(card=first))
        px = [self.table.camera.to_px(outline) for outline in outlines]
        centre = self.table.camera.to_px(np.mean([outline.mean(axis=0) for outline in outlines], axis=0)[None])[0]
        return DilemmaReading(
            owner[0] if owner else None,
            by_kind.get(0),
            by_kind.get(1),
            by_kind.get(2),
            tuple(self._token(token) for token in mine),
            _point(centre),
            tuple(tuple(_point(corner) for corner in outline) for outline in px),
            confidence,
            tuple(doubts),
        )

    def _doubts(
        self, group: CardGroup, named: list[NamedCard], mine: list[SeenDisc], shares: Floats, first: str
    ) -> list[Message]:
        doubts: list[Message] = []
        told = [int(self.prints.kinds[each.face]) for each in named if each.told]
        if not _is_pair(group) or len(set(told)) < len(named):  # one without a name, or two of one kind
            doubts.append(DilemmaDoubt.PARTNER_UNSEEN(card=first))
        unclear = [each for each in named if each.told and not each.clear]
        doubts += [DilemmaDoubt.CARD_UNCLEAR(card=self.prints.names[each.face]) for each in unclear]
        if any(token_trust.is_doubtful(token) for token in mine):
            doubts.append(DilemmaDoubt.TOKEN_UNCLEAR(card=first))
        if any(each.strange for each in named):
            doubts.append(DilemmaDoubt.SOMETHING_UNKNOWN(card=first))
        if (np.abs(shares - ON_CARD) < EDGE).any():
            doubts.append(DilemmaDoubt.ON_THE_EDGE(card=first))
        if any(each.outside for each in named):
            doubts.append(DilemmaDoubt.OUTSIDE(card=first))
        return doubts

    def _token(self, disc: SeenDisc) -> TokenReading:
        names = [token.name for token in self.prints.set.tokens]
        at = self.table.camera.to_px(disc.middle[None])[0]
        radius = round(radius_px(self.table, disc), 1)
        return TokenReading(names[disc.kind], _point(at), radius, round(token_trust.confidence(disc), 4))


def _is_pair(group: CardGroup) -> bool:
    return group.positive is not None and group.negative is not None


def radius_px(table: SeenTable, disc: SeenDisc) -> float:
    """How large a disc is seen."""
    return disc.radius_mm * float(np.sqrt(abs(np.linalg.det(table.camera.px_per_mm(disc.middle[None])[0]))))


def _is_laid(disc: SeenDisc, discs: Sequence[SeenDisc], card_mm: float) -> bool:
    """Whether a disc overlaps another of the `discs`, or so many lie about it as on a card so wide."""
    away = np.array([np.linalg.norm(each.middle - disc.middle) for each in discs])
    return bool(np.count_nonzero(away < 2.0 * HEAPED * disc.radius_mm) > 1 or np.count_nonzero(away < card_mm) >= CROWD)


def _touching(discs: Sequence[SeenDisc]) -> int:
    """How many of the discs lie on or under another."""
    return sum(
        any(np.linalg.norm(a.middle - b.middle) < 0.95 * (a.radius_mm + b.radius_mm) for b in discs if b is not a)
        for a in discs
    )


def _point(xy: Floats) -> Point2:
    return round(float(xy[0]), 2), round(float(xy[1]), 2)


def beside_group(group: CardGroup, stray: Sequence[Floats], size_mm: tuple[float, float]) -> int:
    """How many of the tokens that some unknown card seems to bear, with middles `stray` (2,), may lie on a card of the
    group that was not recognised."""
    if all(card is not None for card in (group.positive, group.negative, group.neutral)):
        return 0
    outlines = outlines_mm(group.cards, size_mm)
    reach = MOST_GAP_MM + float(np.hypot(*size_mm))
    return sum(any(distance_mm(middle[None], each)[0] < reach for each in outlines) for middle in stray)
