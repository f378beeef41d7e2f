"""Examples for the reader of corner indices: every pair of marks in a picture that is drawn, labelled by where the
indices are known to be. The pictures are sheets of corners, and cards of a drawn pack that lie over each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.simulation.things.ordinary_pack import (
    PX_PER_MM,
    RANKS,
    SUITS,
    PackStyle,
    draw_back,
    draw_face,
    index_places,
    random_style,
)
from arena_cam.vision.indices.ink import VIEW_PX_PER_MM, Mark, find_ink, find_marks
from arena_cam.vision.indices.pairs import find_pairs
from bench.index_sheets import FontFamilies, Label, as_a_camera_sees, draw_sheet

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
_VIEW_MM = (190.0, 150.0)
# A mark whose middle is so near to where a rank or suit is printed, or within so much of its size, is that.
_NEAR_MM, _NEAR_SHARE = 1.2, 0.16
_MOST_OTHERS = 60  # pairs of a picture that are no index: more teach nothing new
_SCENES_A_PACK, _CAMERAS_A_SHEET = 4, 2


@dataclass(eq=False)
class Examples:
    """Features (N, n), rank labels (N,): 0 no index, 1.. ranks; suit labels (N,), -1 where there is none.

    `printed` and `paired`: how many indices are in full view, and how many of them a pair of marks was found for.
    """

    features: list[Floats] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    suits: list[int] = field(default_factory=list)
    printed: int = 0
    paired: int = 0

    def add(self, rng: np.random.Generator, view: NDArray[np.uint8], labels: Sequence[Label]) -> None:
        """Adds the pairs of one view."""
        ink = find_ink(view)
        pairs = find_pairs(ink, find_marks(ink))
        others = 0
        found = set()
        for n in rng.permutation(len(pairs)):
            pair = pairs[n]
            own = [k for k, t in enumerate(labels) if _is(pair.rank, t.rank_at) and _is(pair.suit, t.suit_at)]
            others += not own
            if not own and others > _MOST_OTHERS:
                continue
            card = labels[own[0]].card if own else ""
            found |= set(own)
            self.features.append(pair.features)
            self.ranks.append(1 + RANKS.index(card[0]) if card else 0)
            self.suits.append(SUITS.index(card[1]) if card else -1)
        self.printed += len(labels)
        self.paired += len(found)


def _is(mark: Mark, place: Array) -> bool:
    near_mm = max(_NEAR_MM, _NEAR_SHARE * mark.size_mm)
    return bool(np.hypot(*(mark.centre - place)) < near_mm * VIEW_PX_PER_MM)


def examples_of_sheets(rng: np.random.Generator, families: FontFamilies, sheets: int, into: Examples) -> None:
    """Adds what sheets of corners show, each seen by several cameras."""
    for _ in range(sheets):
        sheet, labels = draw_sheet(rng, families)
        for _ in range(_CAMERAS_A_SHEET):
            into.add(rng, as_a_camera_sees(rng, sheet), labels)


def examples_of_scenes(rng: np.random.Generator, families: FontFamilies, scenes: int, into: Examples) -> None:
    """Adds what pictures of some cards of drawn packs show."""
    names = [rank + suit for rank in RANKS for suit in SUITS]
    for _ in range(scenes // _SCENES_A_PACK):
        style = random_style(int(rng.integers(1 << 30)), families.fonts)
        faces = {str(card): draw_face(style, str(card)) for card in rng.permutation(names)[:6]}
        back = draw_back(style)
        for _ in range(_SCENES_A_PACK):
            view, labels = _scene(rng, style, faces, back)
            into.add(rng, as_a_camera_sees(rng, view), labels)


def _scene(
    rng: np.random.Generator, style: PackStyle, faces: dict[str, NDArray[np.uint8]], back: NDArray[np.uint8]
) -> tuple[Array, list[Label]]:
    """Four cards, each over those before, and the indices that are printed on them."""
    width, height = (round(v * VIEW_PX_PER_MM) for v in _VIEW_MM)
    view = _cloth(rng, width, height)
    labels: list[Label] = []
    for number, card in enumerate([str(card) for card in rng.permutation(list(faces))[:4]]):
        face = back if number == 0 and rng.random() < 0.15 else faces[card]
        turn, place = rng.uniform(-np.pi, np.pi), np.array(_VIEW_MM) * rng.uniform(0.2, 0.8, 2)
        c, s = np.cos(turn), np.sin(turn)
        linear = np.array([[c, -s], [s, c]]) @ (np.eye(2) + rng.normal(0, 0.025, (2, 2)))
        linear = linear * (VIEW_PX_PER_MM * rng.uniform(0.95, 1.05))
        to_view = np.column_stack([linear, place * VIEW_PX_PER_MM])
        view = _laid(rng, view, face, to_view, (style.width_mm, style.height_mm))
        labels = [label for label in labels if not _covered(label, to_view, style)]
        if face is back:
            continue
        rank, suit = index_places(style, card[0])
        for sign in (1.0, -1.0):
            for side in (1.0, -1.0) if style.four_indices else (1.0,):
                mirrored = np.array([side, 1.0]) * sign
                a, b = (linear @ (np.array(p) * mirrored) + to_view[:, 2] for p in (rank, suit))
                labels.append(Label(a, b, card))
    return view, labels


def _cloth(rng: np.random.Generator, width: int, height: int) -> Array:
    texture = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), float(rng.uniform(1, 8)))
    rough = float(rng.uniform(0, 14)) / max(float(texture.std()), 1e-6)
    return np.asarray(rng.uniform(10, 235, 3) + texture[..., None].astype(np.float64) * rough)


def _laid(
    rng: np.random.Generator, view: Array, face: NDArray[np.uint8], to_view: Array, size_mm: tuple[float, float]
) -> Array:
    """The view with a card laid on it, and the shadow that it throws."""
    height, width = view.shape[:2]
    half = np.array(size_mm) / 2
    pixel = to_view @ np.block([[np.eye(2) / PX_PER_MM, -half[:, None]], [np.zeros((1, 2)), np.ones((1, 1))]])
    laid = cv2.warpAffine(cv2.GaussianBlur(face, (0, 0), 0.6), pixel, (width, height), flags=cv2.INTER_AREA)
    mask = cv2.warpAffine(_card_mask(face), pixel, (width, height), flags=cv2.INTER_LINEAR).astype(np.float32) / 255
    shadow = cv2.GaussianBlur(mask, (0, 0), 3.0) * rng.uniform(0.0, 0.4)
    light = rng.uniform(0.75, 1.0)
    return np.asarray(view * (1 - shadow[..., None]) * (1 - mask[..., None]) + laid * light * mask[..., None])


def _covered(label: Label, to_view: Array, style: PackStyle) -> bool:
    """Whether a card laid at `to_view` covers an index, or a part of it."""
    back = np.linalg.inv(to_view[:, :2])
    half = np.array([style.width_mm, style.height_mm]) / 2 + 2.0
    return any((np.abs(back @ (at - to_view[:, 2])) < half).all() for at in (label.rank_at, label.suit_at))


def _card_mask(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    mask: NDArray[np.uint8] = np.zeros(face.shape[:2], np.uint8)
    r = round(3.5 * PX_PER_MM)
    h, w = (int(v) for v in face.shape[:2])
    cv2.rectangle(mask, (r, 0), (w - r, h), 255, -1)
    cv2.rectangle(mask, (0, r), (w, h - r), 255, -1)
    for x, y in ((r, r), (w - r, r), (r, h - r), (w - r, h - r)):
        cv2.circle(mask, (x, y), r, 255, -1)
    return mask
