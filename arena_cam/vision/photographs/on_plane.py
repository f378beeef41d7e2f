"""What the indices of a picture say on one plane: the cards, and how much speaks for the plane."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.indices.index_finder import SeenIndex
from arena_cam.vision.photographs.indexed.index_views import moved
from arena_cam.vision.photographs.indexed.indexed_cards import CERTAIN, IndexedCard, pose_on_floor
from arena_cam.vision.photographs.indexed.papers import SeenPlace, places_among
from arena_cam.vision.photographs.indexed.settled_cards import (
    bears,
    in_one_place,
    sides_unseen,
)
from arena_cam.vision.photographs.overlapping import Order
from arena_cam.vision.planes.bundle_adjustment import INSET_MM
from arena_cam.vision.planes.side_search import HALVES

# Poker and bridge cards (mm).
SIZES_MM = ((63.0, 88.0), (57.5, 88.0))


_PLAIN = 0.97  # an index read so surely settles the plane


ALONE = 0.9  # of hundreds of marks a view has a few that look like an index: one that stands alone must do so plainly


_SURE = 0.985  # two names said falsely, a narrow ten and a blurred nine on a plane a little off, had 0.976 and 0.978


# A side seen where the index says speaks for a plane, and so do two ends: on a plane of another scale cards have
# neither. A card seen twice speaks against it more than two cards speak for it.
_CORNER, _BOTH_ENDS, _TWICE = 2.0, 3.0, 4.0


_PIPS = 2.0  # pips of the rank that the index says are where a card has them: as much as a corner


_BARE = 2.0  # a side that is not there says as much as a corner that is


_LOST = 2.0  # so does an index read with certainty on which no card's corner comes to lie


_CHANCE = 2.0  # sides that a card has on a plane of another scale


# Sides of a card that lies there as thought, partly covered or not.
_SETTLED, _THREE, _WHOLE, _MEAN_SIDES = 2.0, 3.0, 3.5, 3.2


LEAST_SIDES, FIVE_HALVES = 1.5, 2.5  # where a corner is seen; where it is covered or white on white


TWO_READ = 2  # cards of a plane that is plain: a mark on a cloth may be one


@dataclass(frozen=True)
class IndexPlace:
    """Where the indices of a pack are: `inset_mm` (their middle from the side, their top from the upper border), and
    how high they are, if that is known."""

    inset_mm: tuple[float, float] = INSET_MM
    height_mm: float | None = None


USUAL_PLACE = IndexPlace()


@dataclass(frozen=True, eq=False)
class OnPlane:
    """The cards whose indices are seen on a plane, where cards have a size; `lost`: indices that were read well, and
    nothing else speaks for their cards. `bare`: the numbers of cards one of whose sides is plainly not there. `placed`:
    where cards lie, by name, where something else than indices and sides tells that this is their plane. `order`: who
    lay over whom among the cards that were read at first. `uneven`: how many of those cards have ends that say that the
    plane is another."""

    camera: Camera
    size_mm: tuple[float, float]
    cards: list[IndexedCard]
    index: IndexPlace
    lost: tuple[SeenIndex, ...] = ()
    bare: frozenset[int] = frozenset()
    placed: Mapping[str, CardPose] = field(default_factory=dict)
    order: Order | None = None
    uneven: int = 0

    def over(self, camera: Camera) -> OnPlane:
        """The same cards on the floor of another camera over the same picture."""
        cards = [
            replace(
                card,
                pose=pose_on_floor(camera, self.camera.project(card.pose.corners(*self.size_mm))),
                indices=tuple(moved(index, self.camera, camera) for index in card.indices),
            )
            for card in self.cards
        ]
        return replace(self, camera=camera, cards=cards)

    @property
    def twice(self) -> int:
        """Cards that are there already: two ends of one card, on a plane of another scale."""
        return len(self.cards) - len({card.card for card in self.cards}) + len(in_one_place(self.cards)) // 2

    @property
    def worth(self) -> float:
        """Each name once; a card whose two ends are as far apart as its size says, or whose sides are seen, more."""
        by_name: dict[str, float] = {}
        for card in self.cards:
            by_name[card.card] = max(by_name.get(card.card, 0.0), card.probability**2 * witnesses(card))
        lost = sum(index.probability > CERTAIN for index in self.lost)
        against = _TWICE * (self.twice + self.uneven) + _BARE * len(self.bare) + _LOST * lost
        return sum(by_name.values()) - against

    @property
    def well_read(self) -> set[str]:
        """The names that an index read well says, with a corner of its card or a second index; a lone mark none."""
        read = (card for card in self.cards if card.probability > ALONE)
        return {card.card for card in read if card.cornered or len(card.indices) > 1}

    @property
    def places(self) -> Mapping[str, CardPose]:
        """Where cards are known to lie, by name: where they are `placed`, or as the outlines of all of them fit.

        Beside an index there may be a corner of a cloth, too, and the nearest corner to where the card's should be may
        be another on a view a little unlike: a card with three sides was laid 8 mm aside and its index was lost.
        """
        if self.placed or not self.is_plain:
            return self.placed
        return {card.card: card.pose for card in self.cards if card.sides >= _THREE}

    @property
    def tells_something(self) -> bool:
        """Whether more than one doubtful mark was read: its outline fits lines of a cloth on any plane, and a plane
        that is fitted to it is none the better."""
        return len(self.cards) > 1 or any(card.probability > ALONE for card in self.cards)

    @property
    def may_be_a_mark(self) -> bool:
        """Whether no more was read well than one card, and that not certainly: a cloth may have such a mark."""
        return len(self.well_read) < TWO_READ and not any(card.probability > CERTAIN for card in self.cards)

    def explains(self, found: OnPlane) -> bool:
        """Whether all cards that are well read on a plane are among these, or their indices print of these: a plane
        some degrees off has the two ends of one card, or its index and a pip, as two cards'."""
        missing = [card for card in found.cards if card.card in found.well_read - self.well_read]
        indices = [moved(index, found.camera, self.camera) for card in missing for index in card.indices]
        return all(any(bears(card, index, self.size_mm) for card in self.cards) for index in indices)

    @property
    def _plain_cards(self) -> list[IndexedCard]:
        """The cards but faint marks, none of which a reading keeps: they say nothing against a plane.

        A faint mark is one index read doubtfully, with no corner of a card beside it.
        """
        return [card for card in self.cards if card.cornered or len(card.indices) > 1 or card.probability > ALONE]

    @property
    def is_plain(self) -> bool:
        """Whether no other plane need be asked."""
        return self._fits and float(np.mean([card.sides for card in self._plain_cards])) >= _MEAN_SIDES

    @property
    def leaves_nothing_open(self) -> bool:
        """Whether all that lies in the open of the cards read here is seen, but for as much as of cards on a plane that
        `is_plain`, and each of them is said surely: others may hide too much of them for that, and no other plane says
        more."""
        if not (self._says_each_surely and self._fits and len(self._plain_cards) == len(self.cards)):
            return False
        return float(np.mean(sides_unseen(self.cards, self.size_mm))) <= HALVES / 2 - _MEAN_SIDES

    @property
    def may_say_all(self) -> bool:
        """Whether no plane need be asked after this one, if the picture shows nothing that these cards do not explain:
        all in the open of them is seen, or two of them tell the plane.

        Where two cards have both ends and three sides as a card has them, every other guess comes to the same plane
        when it is fitted, or to one on which they do not fit. Sides that a weak light hides are hidden on all of them.
        """
        return self.leaves_nothing_open or (self.is_told and self._says_each_surely)

    @property
    def _says_each_surely(self) -> bool:
        """Whether the plane is that of the cards, who lies over whom is told, and each card is said surely."""
        told = self.order is not None and not self.order.untold and self.is_certain
        return told and not self.bare and all(is_surely_read(card) for card in self.cards)

    @property
    def _fits(self) -> bool:
        """Whether the outlines of all cards fit, and one of them is whole."""
        cards = self._plain_cards
        read = sum(card.probability > ALONE for card in cards)
        whole = any(card.sides >= _WHOLE and (len(card.indices) > 1 or read > 1) for card in cards)
        return self.is_settled and not self.bare and whole

    @property
    def has_size(self) -> bool:
        """Whether a card is seen to have its size: both its ends are, or three of its sides. A plane of another scale
        has a corner and two sides of each card, and no more."""
        return any(len(card.indices) > 1 or card.sides >= _THREE for card in self.cards)

    @property
    def has_whole_cards(self) -> bool:
        """Whether two cards are seen with a corner and three sides, none of them bare, and no card's ends say that the
        plane is another: what else speaks against it may be marks that only reading it closely tells from cards."""
        whole = sum(card.cornered and card.sides >= _THREE and n not in self.bare for n, card in enumerate(self.cards))
        return whole > 1 and not self.uneven

    @property
    def is_certain(self) -> bool:
        """Whether the plane is that of the cards, whatever is not known of one or another of them."""
        return self.has_size and not self.twice and not self.lost and not self.uneven

    @property
    def is_told(self) -> bool:
        """Whether it is the plane of the cards, and two of them tell its scale twice, by both ends and by three sides:
        a view straight down at some other scale is not theirs. The plane of one alone is off by some degrees, and what
        lies beside it may be read better in such a view."""
        whole = sum(len(card.indices) > 1 and card.sides >= _THREE for card in self.cards)
        return self.is_certain and whole > 1

    @property
    def is_settled(self) -> bool:
        """Whether the outlines of all that is read fit, so that a picture without usable outlines is not thought of."""
        fits = all(card.sides >= (_SETTLED if card.cornered else FIVE_HALVES) for card in self._plain_cards)
        read = any(card.probability > ALONE for card in self.cards)
        pips = not any(card.pips_contradict for card in self._plain_cards)
        return read and fits and pips and not self.twice and not self.lost and not self.uneven


def witnesses(card: IndexedCard) -> float:
    corner, ends = _CORNER if card.cornered else 0.0, _BOTH_ENDS if len(card.indices) > 1 else 0.0
    pips = _PIPS * (float(card.pips_agree) - float(card.pips_contradict))
    return card.sides - _CHANCE + corner + ends + pips


def is_credible(card: IndexedCard) -> bool:
    """Whether more than a doubtful index says that a card lies there: cloths and art have marks that look like one."""
    ends = sum(index.probability > CERTAIN for index in card.indices) > 1  # black on black no side is seen
    witnessed = card.sides >= 1 and (len(card.indices) > 1 or (card.pips_agree and card.probability > _PLAIN))
    certain = max(index.probability for index in card.indices) > CERTAIN
    outlined = card.sides >= LEAST_SIDES and (card.cornered or certain)
    return ends or witnessed or outlined or (card.sides >= FIVE_HALVES and card.probability > ALONE)


def doubted_by(
    doubt: Callable[[SeenPlace, Array], bool],
    image: NDArray[np.uint8],
    camera: Camera,
    size: tuple[float, float],
    cards: Sequence[IndexedCard],
) -> frozenset[int]:
    """The numbers of the cards of which `doubt` holds: `SeenPlace.has_bare_side`, for one plainly not where it would
    be, or `ends_early`, for what is left of a torn card, which has its index."""
    places = places_among(image, camera, [card.pose for card in cards], size)
    return frozenset(n for n, place in enumerate(places) if doubt(place, place.paper()))


def is_surely_read(card: IndexedCard) -> bool:
    """Whether a card's indices, pips and outline say its name surely, if the plane is right and nothing is open."""
    read = max(index.probability for index in card.indices) > CERTAIN
    outlined = (card.cornered and card.sides >= _SETTLED) or (read and card.sides >= LEAST_SIDES)
    return outlined and card.probability >= _SURE and card.is_plainly_read and not card.pips_contradict
