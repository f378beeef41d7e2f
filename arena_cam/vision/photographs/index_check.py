"""Compares the cards found with the visible corner indices, which are independent evidence for every name of an
ordinary pack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Lie
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK, DeckFaces
from arena_cam.vision.indices.classifier import index_classifier
from arena_cam.vision.indices.index_finder import CARDS, SeenIndex, find_indices
from arena_cam.vision.indices.ink import VIEW_PX_PER_MM
from arena_cam.vision.photographs.indexed_cards import is_on_card

# An index read so surely, as another card, says that the name is wrong; read a little less surely it is a doubt.
_CONTRADICTS, _DOUBTS = 0.97, 0.8
_LEFT_OVER = 0.8  # an index read so surely that belongs to no card found is one of a card that was missed


@dataclass(frozen=True, eq=False)
class IndexCheck:
    """`wrong` and `doubted`: keys of cards whose index says otherwise, each with what it says; `agreed`: keys of those
    whose index says so too; `left`: indices of no card found."""

    wrong: dict[str, str]
    doubted: dict[str, str]
    agreed: frozenset[str]
    left: tuple[SeenIndex, ...]


# Cards beside the 52 that a pack may have: jokers, a rule card, an advertisement.
_MOST_OTHERS = 4


def has_indices(deck: Deck) -> bool:
    """Whether a deck's cards are named as an ordinary pack's, but for a few jokers; some of the 52 may be missing."""
    others = sum(card.id not in CARDS for card in deck.cards)
    return others <= _MOST_OTHERS and others < len(deck.cards) / 2


# Deck pictures are read as a camera of so many pixels a millimetre shows them, and so surely.
_READ_AT_PX_PER_MM, _READ = (1.5, 2.2), 0.1


class IndexNames:
    """How the indices of a deck's own faces are read: a narrow ten as an eight, in some pack. Such is no contradiction.

    Made when first asked; a face takes some milliseconds.
    """

    def __init__(self, faces: DeckFaces) -> None:
        self._faces = faces

    @cached_property
    def _read_as(self) -> dict[str, frozenset[str]]:
        return {name: self._own(name) for name in self._faces.names if name != BACK}

    def _own(self, name: str) -> frozenset[str]:
        read = {name}
        number = self._faces.index(name)
        for px_per_mm in _READ_AT_PX_PER_MM:
            face = self._faces.grid(2.0).bgr_of(number)
            small = cv2.resize(face, None, fx=px_per_mm / 2.0, fy=px_per_mm / 2.0, interpolation=cv2.INTER_AREA)
            scale = VIEW_PX_PER_MM / px_per_mm
            view = cv2.resize(small, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
            for index in find_indices(np.clip(view, 0, 255).astype(np.uint8), np.zeros(2), index_classifier()):
                read |= {card for card, p in zip(CARDS, index.others, strict=True) if p > _READ}
        return frozenset(read)

    def may_be(self, name: str, index: SeenIndex) -> bool:
        """Whether an index may be that of the face `name`."""
        return index.card in self._read_as.get(name, ())

    def faces_of(self, index: SeenIndex) -> list[str]:
        """The deck's faces whose index it may be; the one it says first."""
        named = [name for name in self._read_as if self.may_be(name, index)]
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
    left = []
    for index in indices:
        owners = [key for key, pose in poses.items() if is_on_card(index, pose, card_mm)]
        if any(names.may_be(named[key], index) for key in owners):
            agreed |= {key for key in owners if names.may_be(named[key], index)}
        elif owners and index.probability > _DOUBTS:
            (wrong if index.probability > _CONTRADICTS else doubted)[owners[-1]] = index.card
        elif not owners and index.probability > _LEFT_OVER:
            left.append(index)
    for key in agreed:  # its other index is covered, and what is seen there is another card's
        wrong.pop(key, None)
        doubted.pop(key, None)
    return IndexCheck(wrong, doubted, frozenset(agreed), tuple(left))


def pose_on_floor(camera: Camera, corners_px: Array) -> CardPose:
    """The flat pose of a card with these corners (4, 2) in the picture."""
    on = camera.to_plane(corners_px)[:, :2]
    across = on[1] + on[2] - on[0] - on[3]
    middle = on.mean(axis=0)
    return CardPose.flat(float(middle[0]), float(middle[1]), float(np.degrees(np.arctan2(across[1], across[0]))), 0.3)
