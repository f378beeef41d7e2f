"""Compares the cards found with the visible corner indices, which are independent evidence for every name of an
ordinary pack."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np

from arena_cam.domain.cards import Deck
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Lie
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.faces.deck_faces import BACK, DeckFaces
from arena_cam.vision.faces.picture_cache import fingerprint
from arena_cam.vision.indices.classifier import WEIGHTS, index_classifier
from arena_cam.vision.indices.index_finder import CARDS, SeenIndex, find_indices
from arena_cam.vision.indices.ink import VIEW_PX_PER_MM, with_light_inverted
from arena_cam.vision.photographs.indexed.indexed_cards import is_on_card, pose_on_floor
from arena_cam.vision.photographs.indexed.settled_cards import is_inside
from arena_cam.vision.photographs.plane_scene import PlaneReading
from arena_cam.vision.photographs.singly.witness import none_sure, unlike_deck
from arena_cam.vision.reading.cards.lies import SURE_NAME

# An index read so surely, as another card, says that the name is wrong; read a little less surely it is a doubt.
_CONTRADICTS, _DOUBTS = 0.97, 0.8
_LEFT_OVER = 0.8  # an index read so surely that belongs to no card found is one of a card that was missed


@dataclass(frozen=True, eq=False)
class IndexCheck:
    """`wrong` and `doubted`: keys of cards whose index says otherwise, each with what it says; `agreed`: keys of those
    whose index says so too; `left`: indices of no card found; `owned`: by key, the indices
    on each card; `beneath`: keys of cards on whose paper indices lie that are no card's."""

    wrong: dict[str, str]
    doubted: dict[str, str]
    agreed: frozenset[str]
    left: tuple[SeenIndex, ...]
    owned: dict[str, tuple[SeenIndex, ...]] = field(default_factory=dict)
    beneath: frozenset[str] = frozenset()


# Cards beside the 52 that a pack may have: jokers, a rule card, an advertisement.
_MOST_OTHERS = 4


def has_indices(deck: Deck) -> bool:
    """Whether a deck's cards are named as an ordinary pack's, but for a few jokers; some of the 52 may be missing."""
    others = sum(card.id not in CARDS for card in deck.cards)
    return others <= _MOST_OTHERS and others < len(deck.cards) / 2


# Deck pictures are read as a camera of so many pixels a millimetre shows them, and so surely.
_READ_AT_PX_PER_MM, _READ, _GRID_PX_PER_MM = (1.5, 2.2), 0.1, 2.0
_KEPT_AS, _READ_SINCE = "read_as", b"red is no black"  # another word where the same pictures are read otherwise
_GREY = 127.5  # where light is mirrored for print on black paper, so that it reads as print on white
# So often an index read with certainty is misread (0.02 % of those read with more than 0.99 were, in fonts kept back),
# or lies on another card than was thought. Both indices of a card are the same print, so two say hardly more than one.
_ERRS = 0.002
_LEAST_LIKELY = 1e-6  # of a name that faces alone seem to rule out: pixels are not so independent


class IndexNames:
    """How the indices of a deck's own faces are read: a narrow ten as an eight, in some pack. Such is no contradiction.

    Each face is read when first asked for, which takes some tens of milliseconds; what all are read as is kept for
    later starts.
    """

    def __init__(self, faces: DeckFaces) -> None:
        self._faces = faces
        self._names = [name for name in faces.names if name != BACK]
        self._asked: dict[str, Array] = {}

    @cached_property
    def on_black(self) -> bool:
        """Whether the deck is printed in light ink on dark paper: paper is most of most faces."""
        small_of = self._faces.grid(_GRID_PX_PER_MM).small_of
        middles = [np.median(small_of(self._faces.index(name))[::4, ::4]) for name in self._names]
        return float(np.median(middles)) < _GREY

    def _of(self, name: str) -> Array:
        """How likely the index of a face of the deck is read as each of CARDS (52,), at most."""
        if name not in self._asked:
            self._asked[name] = self._own(name) if self._kept is None else self._kept[self._names.index(name)]
            self._keep()
        return self._asked[name]

    @cached_property
    def _kept_as(self) -> str:
        small_of = self._faces.grid(_GRID_PX_PER_MM).small_of
        small = np.stack([small_of(face) for face in range(len(self._faces.names))])
        turned = [b"light inverted"] if self.on_black else []
        return fingerprint([small.tobytes(), WEIGHTS.read_bytes(), _READ_SINCE, *turned], _READ_AT_PX_PER_MM)

    @cached_property
    def _kept(self) -> Array | None:
        """What an earlier start kept (faces, 52); None where none did."""
        cache, row_bytes = self._faces.cache, len(CARDS) * np.dtype(np.float64).itemsize
        if cache is None:
            return None
        kept = cache.load(self._kept_as, {_KEPT_AS: (len(self._names), row_bytes)})
        return None if kept is None else np.asarray(kept[_KEPT_AS].view(np.float64))

    def _keep(self) -> None:
        """Keeps what all faces are read as, once they were."""
        cache = self._faces.cache
        if cache is not None and self._kept is None and len(self._asked) == len(self._names):
            read = np.array([self._asked[name] for name in self._names]).reshape(-1, len(CARDS))
            cache.save(self._kept_as, {_KEPT_AS: read.view(np.uint8)})

    def _own(self, name: str) -> Array:
        """How likely the index of a face is read as each of CARDS (52,), at most."""
        read = np.array([float(card == name) for card in CARDS])
        number = self._faces.index(name)
        for px_per_mm in _READ_AT_PX_PER_MM:
            ratio = px_per_mm / _GRID_PX_PER_MM
            face = self._faces.grid(_GRID_PX_PER_MM).bgr_of(number)
            small = cv2.resize(face, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
            scale = VIEW_PX_PER_MM / px_per_mm
            view = cv2.resize(small, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
            shown = np.clip(view, 0, 255).astype(np.uint8)
            shown = with_light_inverted(shown) if self.on_black else shown
            for index in find_indices(shown, np.zeros(2), index_classifier()):
                read = np.maximum(read, index.others)
        return read

    def may_be(self, name: str, index: SeenIndex) -> bool:
        """Whether an index may be that of the face `name`."""
        return name in self._names and float(self._of(name)[CARDS.index(index.card)]) > _READ

    def likelihood(self, name: str, index: SeenIndex) -> float:
        """How likely an index is read as it was on the face `name`, against any other index."""
        return max(float(self._of(name) @ index.others), _ERRS) if name in self._names else _ERRS

    def told(self, lie: Lie, indices: Sequence[SeenIndex]) -> Lie:
        """A lie with the probability of its name by its face and by its `indices` together."""
        if lie.card is None or not indices:
            return lie
        by_face = {name: max(p, _LEAST_LIKELY) for name, p in ((lie.card, lie.identity_probability), *lie.other_names)}
        both = {name: p * max(self.likelihood(name, index) for index in indices) for name, p in by_face.items()}
        named = both[lie.card] / sum(both.values())
        others = sorted(((p / sum(both.values()), name) for name, p in both.items() if name != lie.card), reverse=True)
        doubts = tuple(m for m in lie.doubts if m.sentence is not Doubt.OTHER_CARD)
        if others and named < SURE_NAME:
            candidates = tuple((name, round(p, 5)) for p, name in ((named, lie.card), *others))
            doubts = (Doubt.OTHER_CARD(card_other=others[0][1], candidates=candidates), *doubts)
        return replace(
            lie,
            identity_probability=named,
            other_names=tuple((name, p) for p, name in others),
            doubts=doubts,
            sure=not doubts,
        )

    def faces_of(self, index: SeenIndex) -> list[str]:
        """The deck's faces whose index it may be; the one it says first."""
        named = [name for name in self._names if self.may_be(name, index)]
        return sorted(named, key=lambda name: name != index.card)


def check_indices(
    lies: Sequence[Lie],
    indices: Sequence[SeenIndex],
    camera: Camera,
    card_mm: tuple[float, float],
    names: IndexNames,
) -> IndexCheck:
    """Compares the cards found with the visible indices."""
    poses = {lie.key: pose_on_floor(camera, np.array(lie.corners_px)) for lie in lies if lie.card is not None}
    named = {lie.key: lie.card for lie in lies if lie.card is not None}
    wrong: dict[str, str] = {}
    doubted: dict[str, str] = {}
    agreed: set[str] = set()
    owned: dict[str, tuple[SeenIndex, ...]] = {}
    left = []
    for index in indices:
        owners = [key for key, pose in poses.items() if is_on_card(index, pose, card_mm)]
        for key in owners:
            owned[key] = (*owned.get(key, ()), index)
        if any(names.may_be(named[key], index) for key in owners):
            agreed |= {key for key in owners if names.may_be(named[key], index)}
        elif owners and index.probability > _DOUBTS:
            (wrong if index.probability > _CONTRADICTS else doubted)[owners[-1]] = index.card
        elif not owners and index.probability > _LEFT_OVER:
            on = [key for key, pose in poses.items() if is_inside(index.middle, pose, card_mm)]
            if not any(
                names.may_be(named[key], index) for key in on
            ):  # a court's art, read so in the deck's picture too
                left.append(index)
    for key in agreed:  # its other index is covered, and what is seen there is another card's
        wrong.pop(key, None)
        doubted.pop(key, None)
    return IndexCheck(wrong, doubted, frozenset(agreed), tuple(left), owned)


def beneath(
    left: Sequence[SeenIndex], lies: Sequence[Lie], camera: Camera, card_mm: tuple[float, float]
) -> frozenset[str]:
    """The keys of cards within whose outlines indices lie that are `left` over: cards print theirs in corners only, so
    another card lies over such a one, or in its place."""
    poses = {lie.key: pose_on_floor(camera, np.array(lie.corners_px)) for lie in lies if lie.card is not None}
    return frozenset(
        key for key, pose in poses.items() if any(is_inside(index.middle, pose, card_mm) for index in left)
    )


def _witnessed(lie: Lie) -> Lie:
    doubts = tuple(doubt for doubt in lie.doubts if doubt.sentence is not Doubt.LITTLE_OF_FACE)
    return replace(lie, doubts=doubts, sure=not doubts)


def against_deck(check: IndexCheck, unlike: Set[str]) -> int:
    """How many cards speak against the deck, where they are more than speak for it; else 0: their indices say a name,
    and their faces are `unlike` those of the deck, or look like another. Of one pack all are printed alike."""
    against = len(check.wrong) + len(unlike & check.agreed)
    return against if against > len(check.agreed - unlike) else 0


def by_index_only(reading: PlaneReading, check: IndexCheck) -> PlaneReading:
    """A reading in which no face is sure that no index bears out."""
    lies = none_sure(reading.lies, {lie.key for lie in reading.lies} - check.agreed)
    return replace(reading, lies=lies)


def as_indexed(reading: PlaneReading, check: IndexCheck, names: IndexNames) -> PlaneReading:
    """Names by face and index together; without cards whose index says that they are another, with doubts about those
    where it may be, and without the doubt that little is seen of a card whose index is."""
    reading = replace(reading, lies=tuple(names.told(lie, check.owned.get(lie.key, ())) for lie in reading.lies))
    unlike, gone = reading.unlike - check.agreed, (reading.hardly - check.agreed) | check.wrong.keys()
    reading = replace(
        reading,
        lies=tuple(
            _witnessed(lie) if lie.key in check.agreed else unlike_deck(lie) if lie.key in unlike else lie
            for lie in reading.lies
        ),
        doubts=tuple(
            m for m in reading.doubts if not (m.sentence is Doubt.HARDLY_SEEN and m.param("card") in check.agreed)
        ),
    )
    lies = tuple(_doubted(lie, check) for lie in reading.lies)
    return without(replace(reading, lies=lies), gone)


def _doubted(lie: Lie, check: IndexCheck) -> Lie:
    """A lie with what indices say against its name."""
    doubts = list(lie.doubts)
    if lie.key in check.doubted:
        doubts.append(Doubt.OTHER_CARD(card_other=check.doubted[lie.key]))
    if lie.key in check.beneath:
        doubts.append(Doubt.STRANGER_ON_IT())
    return replace(lie, sure=lie.sure and len(doubts) == len(lie.doubts), doubts=tuple(doubts))


def without(reading: PlaneReading, gone: Set[str]) -> PlaneReading:
    """A reading without the cards of these keys."""
    lies = tuple(lie for lie in reading.lies if lie.key not in gone)
    lies = tuple(replace(lie, rests_on=tuple(key for key in lie.rests_on if key not in gone)) for lie in lies)
    covers = tuple(pair for pair in reading.covers if not set(pair) & gone)
    return replace(reading, lies=lies, covers=covers)
