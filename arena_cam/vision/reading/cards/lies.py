"""From fitted cards to lies, with the doubts of every stage and the places a person should look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Face, Landing, Lie, Point2, Point3
from arena_cam.domain.messages import Message
from arena_cam.geometry.outlines import DOUBTED_CONTACT, PLAINLY_IN_VIEW, contact_probability, from_above
from arena_cam.vision.faces.deck_faces import BACK, DeckFaces
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.fit import Fit, Outline
from arena_cam.vision.reading.cards.placed_face import PlacedFace
from arena_cam.vision.reading.cards.stacking import LEAST_TOLD_NATS, Overlap
from arena_cam.vision.reading.cards.trust import SEEN_ALL_ROUND, Explained, InView, Nats, is_seen_by_sides
from arena_cam.vision.reading.resting.landing import Resting

# A name or a landing is said as sure from this probability on.
SURE_NAME = 0.99
SURE_LANDING = 0.95
_SURE_PAIR = 0.9
# Of a card's other names the likeliest few are told, and all that are likelier than this: the rules ask what they have
# in common.
_TOLD_NAMES, _WORTH_TELLING = 3, 0.001
# Something unknown lies on a card where so much of it shows what is neither its face nor a shade of it: two of its
# tiles and a half. Of 870 cards on photographs none showed as much with nothing on it.
FOREIGN_MM2 = 170.0
# What lies over a card that others cover is known: a single tile of what is then in view that shows anything else says
# that the card is another, or lies elsewhere. Of 34 covered cards read rightly none showed any; one misnamed did.
_FOREIGN_COVERED_MM2 = 0.0

# More than two tiles with print that show something else. Of 33 cards of eight drawn decks that nothing unknown covered
# one tile did at most; of two that a card not found covered 144 and 360 mm2.
_CONTRADICTED_MM2 = 170.0


@dataclass(frozen=True, eq=False)
class FittedCard:
    """Everything the stages found out about one card. `expected`: it is known to be in the arena. `astray`: the picture
    shows no sides of a card where its print seems to lie. `contradicted_mm2`: see `placed_face.contradicted_mm2`, of
    faces that are alike or say little. `sides`: what the picture shows of its sides, where it was found by print
    that says little. `under_arm_mm2`: how much of it an arm covers that reaches in. `covers_by_any_name`: see `Lie`."""

    fit: Fit
    identity: Identity
    resting: Resting
    placed: PlacedFace
    qr_text: str | None = None
    expected: bool = False
    astray: bool = False
    contradicted_mm2: float = 0.0
    sides: Outline | None = None
    under_arm_mm2: float = 0.0
    covers_by_any_name: bool = False

    @property
    def is_weak(self) -> bool:
        """Whether the evidence for the card is weak because little of its face is visible, or no side of it."""
        if self.astray:
            return True
        fit = self.fit if self.sides is None else replace(self.fit, outline=self.sides)
        if is_seen_by_sides(fit) or self._shows_in_a_shade(fit):
            return False
        return self.fit.support < (Nats.WEAK_EXPECTED if self.expected else Nats.WEAK)

    def _shows_in_a_shade(self, fit: Fit) -> bool:
        """Whether a card that lies partly beneath others has all its sides, as far as they are in view, and all that
        they enclose is its face in some shade of grey. What is raised above a card throws a wide shadow on it, whose
        edge no light that is even over the card explains, nor one shade of a tile: a white card that leaned on a wall,
        with another over the wall above it, had sides all round with 27 nats, and people were asked whether it lay
        there."""
        own, outline = self.placed.own, fit.outline
        if own is None or outline is None or fit.uncovered >= InView.FULL or self.placed.foreign_mm2 > 0.0:
            return False
        in_view = fit.uncovered * fit.tiles.size
        has_sides = outline.shown >= SEEN_ALL_ROUND and outline.nats >= Nats.BY_TWO_SIDES
        return has_sides and int(np.count_nonzero(own)) >= Explained.WHOLE * in_view

    @property
    def is_strange(self) -> bool:
        """Whether a part of it shows what is neither its face, nor a shade of it, nor a card above it."""
        if self.contradicted_mm2 > _CONTRADICTED_MM2:
            return True
        covered = self.fit.uncovered < InView.MOST
        foreign_mm2 = max(self.placed.foreign_mm2, self.under_arm_mm2)
        return foreign_mm2 > (_FOREIGN_COVERED_MM2 if covered else FOREIGN_MM2)


def make_lies(
    faces: DeckFaces,
    cards: Sequence[FittedCard],
    pairs: Sequence[Overlap],
    order: Sequence[int],
    rests: dict[int, list[tuple[int, float]]],
) -> tuple[tuple[Lie, ...], tuple[tuple[str, str], ...], list[Message]]:
    """Lies from bottom to top, the visible pairs (upper, lower), and the doubts about the frame as a whole."""
    keys = _keys(faces, cards, order)
    told, untold = _told_apart(pairs)
    covers = tuple((keys[upper], keys[lower]) for upper, lower in told)
    doubtful: dict[int, list[Message]] = {i: [] for i in range(len(cards))}
    for upper, lower in untold:
        doubtful[upper].append(Doubt.UPPER_UNSEEN(card=keys[upper], card_other=keys[lower]))
    open_pairs = {frozenset(pair) for pair in untold}
    seen_pairs = {frozenset((pair.a, pair.b)) for pair in pairs if abs(pair.nats) > LEAST_TOLD_NATS}
    for upper, lower in _nearly_touching(faces, cards, order):
        if frozenset((upper, lower)) not in seen_pairs | open_pairs:
            doubtful[upper].append(Doubt.ON_OR_BESIDE(card_below=keys[lower]))
    lies = []
    for number in order:
        beneath = tuple(keys[card] for card, _ in rests[number] if frozenset((card, number)) not in open_pairs)
        lies.append(_lie(faces, cards[number], keys[number], beneath, doubtful[number]))
    return tuple(lies), covers, _doubts_of_the_frame([(keys[number], cards[number]) for number in order])


def _told_apart(pairs: Sequence[Overlap]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The pairs (upper, lower) whose order is visible or follows from others, and the pairs whose order is open."""
    implied = _implied(pairs)
    told: list[tuple[int, int]] = []
    untold: list[tuple[int, int]] = []
    for pair in pairs:
        upper, lower = _upper_lower(pair)
        known = _is_sure(pair) or lower in implied.get(upper, set())
        (told if known else untold).append((upper, lower))
    return told, untold


def _doubts_of_the_frame(cards: Sequence[tuple[str, FittedCard]]) -> list[Message]:
    """Doubts that name, by key, the cards that are hardly visible, whose landing is arguable, or that have something on
    them."""
    inside = [(key, card) for key, card in cards if card.resting.landing is not Landing.BESIDE]
    weak = [Doubt.HARDLY_SEEN(card=key) for key, card in inside if card.is_weak]
    arguable = [Doubt.ARGUABLE(card=key) for key, card in cards if card.resting.arguable]
    strange = [Doubt.STRANGER_ON_CARD(card=key) for key, card in inside if card.is_strange]
    return weak + arguable + strange


def _nearly_touching(faces: DeckFaces, cards: Sequence[FittedCard], order: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Pairs (upper, lower) so close that measurement cannot decide whether they touch. Their corners are round: in the
    picture the outlines of two cards may overlap by two square millimetres where they do not touch at all."""
    deck = faces.deck
    inside = [number for number in order if cards[number].resting.landing is not Landing.BESIDE]
    outlines = {n: from_above(cards[n].resting.pose.corners(deck.width_mm, deck.height_mm)) for n in inside}
    plain = {n: cards[n].resting.landing is Landing.FLAT and cards[n].fit.uncovered > PLAINLY_IN_VIEW for n in inside}
    for place, upper in enumerate(inside):
        for lower in inside[:place]:
            both = plain[upper] and plain[lower]
            contact = contact_probability(outlines[upper], outlines[lower], deck.corner_radius_mm, both)
            if DOUBTED_CONTACT < contact < 1.0 - DOUBTED_CONTACT:
                yield upper, lower


def _upper_lower(pair: Overlap) -> tuple[int, int]:
    return (pair.a, pair.b) if pair.a_over_b >= 0.5 else (pair.b, pair.a)


def _is_sure(pair: Overlap) -> bool:
    return max(pair.a_over_b, 1 - pair.a_over_b) >= _SURE_PAIR


def _implied(pairs: Sequence[Overlap]) -> dict[int, set[int]]:
    """For each card, all cards beneath it by a chain of visible pairs; stiff cards cannot be woven."""
    beneath: dict[int, set[int]] = {}
    for pair in pairs:
        if _is_sure(pair):
            upper, lower = _upper_lower(pair)
            beneath.setdefault(upper, set()).add(lower)
    for middle in list(beneath):
        for below in beneath.values():
            if middle in below:
                below |= beneath[middle]
    return beneath


def _keys(faces: DeckFaces, cards: Sequence[FittedCard], order: Sequence[int]) -> dict[int, str]:
    """A name for each card within the reading: its id, "?1"... for those that lie face down."""
    keys: dict[int, str] = {}
    for number in order:
        name = faces.names[cards[number].fit.face]
        if name == BACK:
            name = f"?{1 + sum(key.startswith('?') for key in keys.values())}"
        while name in keys.values():
            name += "'"
        keys[number] = name
    return keys


def _lie(faces: DeckFaces, card: FittedCard, key: str, beneath: tuple[str, ...], doubts: list[Message]) -> Lie:
    """One card's lie; `beneath` are the keys of the cards it rests on, `doubts` those about its place in the pile."""
    resting, deck = card.resting, faces.deck
    name = faces.names[card.fit.face]
    probabilities = card.identity.probabilities()
    named = float(probabilities[card.fit.face])
    ranked = [(faces.names[i], float(probabilities[i])) for i in np.argsort(-probabilities) if i != card.fit.face]
    others = (*ranked[:_TOLD_NAMES], *(entry for entry in ranked[_TOLD_NAMES:] if entry[1] >= _WORTH_TELLING))
    why = (*doubts, *_doubts_of_the_name(name, named, ranked[:_TOLD_NAMES]), *_doubts_of_the_card(faces, card))
    centre = resting.pose.centre_mm
    return Lie(
        key=key,
        card=None if name == BACK else name,
        face=Face.DOWN if name == BACK else Face.UP,
        landing=resting.landing,
        confidence=resting.probabilities[0][1],
        tilt_deg=resting.tilt_deg,
        tilt_sd_deg=resting.tilt_sd_deg,
        centre_mm=(float(centre[0]), float(centre[1])),
        angle_deg=resting.pose.angle_deg,
        corners_px=_four2(card.placed.outline_px),
        corners_mm=_four3(resting.pose.corners(deck.width_mm, deck.height_mm)),
        rests_on=beneath,
        visible_fraction=card.fit.uncovered,
        identity_probability=named,
        landing_probabilities=resting.probabilities,
        other_names=others,
        covers_by_any_name=card.covers_by_any_name,
        fits=resting.fits,
        sure=not why,
        doubts=why,
    )


def _doubts_of_the_name(name: str, named: float, second: Sequence[tuple[str, float]]) -> Iterator[Message]:
    """Doubts about a card's name: its probability, and the likeliest other names with theirs."""
    if named < SURE_NAME:
        candidates = tuple((other, round(p, 5)) for other, p in ((name, named), *second))
        yield Doubt.OTHER_CARD(card_other=second[0][0], candidates=candidates) if second else Doubt.FACE_HARDLY_SEEN()


def _doubts_of_the_card(faces: DeckFaces, card: FittedCard) -> Iterator[Message]:
    """Doubts about how a card lies, or whether it is a card at all."""
    resting, name = card.resting, faces.names[card.fit.face]
    if resting.probabilities[0][1] < SURE_LANDING:
        landings = tuple((landing, round(p, 5)) for landing, p in resting.probabilities)
        yield Doubt.OTHER_LANDING(landing_other=landings[1][0], landing=resting.landing, candidates=landings)
    if card.is_weak or card.fit.explained < Explained.HALF or _says_nothing_of_itself(faces, card.fit):
        yield Doubt.LITTLE_OF_FACE()
    if card.is_strange:
        yield Doubt.STRANGER_ON_IT()
    printed = faces.deck.by_id[name].qr if name in faces.deck.by_id else None
    if printed is not None and card.qr_text not in (None, printed.text):
        yield Doubt.QR_CODE_SAYS(text=card.qr_text)
    if resting.borderline is not None:
        yield resting.borderline


def _says_nothing_of_itself(faces: DeckFaces, fit: Fit) -> bool:
    """Whether a card in full view, of a deck whose faces differ, shows nothing of its drawing: whatever tells its name,
    it is not that face where it is thought to lie. A striped back over a wall, laid 15 degrees too steep, was surely a
    portrait. Fifty cards of nine such decks, in full view and in their places, said 49 nats and more."""
    is_face = faces.names[fit.face] != BACK
    return is_face and not faces.are_alike and fit.uncovered >= InView.FULL and fit.evidence < 0.0


def _four2(a: np.ndarray) -> tuple[Point2, Point2, Point2, Point2]:
    p = [(float(x), float(y)) for x, y in a]
    return p[0], p[1], p[2], p[3]


def _four3(a: np.ndarray) -> tuple[Point3, Point3, Point3, Point3]:
    p = [(float(x), float(y), float(z)) for x, y, z in a]
    return p[0], p[1], p[2], p[3]
