"""A set as the eye compares it: cards, tokens and discs as arrays in the resolutions that tables are looked at in."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.dilemma_sets import DilemmaSet
from arena_cam.vision.kernels.card_calls import Faces
from arena_cam.vision.printed import keypoints
from arena_cam.vision.printed.pictures import Image, read_image

Grey = NDArray[np.float32]

CORNER_MM = 0.6  # a card's rim is left out when faces are compared: its cut and its shadow are there
KEYPOINTS_PX_PER_MM, MOST_KEYPOINTS = 2.5, 200
INK = 45.0  # grey levels by which print differs from the paper of its card


@dataclass(frozen=True, eq=False)
class CardGrid:
    """All faces at one resolution: `faces` (F, h, w, 3), 0..255, `mask` (h, w) true on the card, `ink` (F, h, w)."""

    px_per_mm: float
    faces: Grey
    mask: NDArray[np.bool_]
    ink: NDArray[np.bool_]
    _sized: dict[tuple[float, float], Faces] = field(default_factory=dict, init=False, repr=False)

    def of_size(self, size_mm: tuple[float, float]) -> Faces:
        """The faces for what is compiled, on cards of that size."""
        if size_mm not in self._sized:
            self._sized[size_mm] = Faces(self.faces, self.ink, self.px_per_mm, size_mm)
        return self._sized[size_mm]

    @cached_property
    def pixels(self) -> int:
        """How many pixels lie on the card."""
        return int(np.count_nonzero(self.mask))

    @cached_property
    def inked(self) -> list[int]:
        """How many pixels of each face have ink."""
        return [int(np.count_nonzero(each)) for each in self.ink]


class SetPrints:
    """The pictures of a set of cards, tokens and discs."""

    def __init__(self, dilemma_set: DilemmaSet) -> None:
        self.set = dilemma_set
        self.size_mm = (dilemma_set.width_mm, dilemma_set.height_mm)
        self.names = tuple(card.id for card in dilemma_set.cards)
        self.kinds = np.array([list(type(card.kind)).index(card.kind) for card in dilemma_set.cards])
        self._faces = [np.ascontiguousarray(read_image(card.image)[:, :, :3]) for card in dilemma_set.cards]
        self.discs = (*dilemma_set.tokens, *dilemma_set.owners)
        self.disc_images = [read_image(disc.image) for disc in self.discs]
        self._grids: dict[float, CardGrid] = {}

    def cards(self, px_per_mm: float) -> CardGrid:
        """The cards at that resolution, as soft as a photograph shows them."""
        if px_per_mm not in self._grids:
            size = (round(self.size_mm[0] * px_per_mm), round(self.size_mm[1] * px_per_mm))
            faces = np.stack([_reduced(face, size) for face in self._faces])
            mask = _rounded(size, self.set.corner_radius_mm * px_per_mm, CORNER_MM * px_per_mm)
            paper = np.median(faces[:, mask], axis=1)
            ink = np.abs(faces - paper[:, None, None]).max(axis=3) > INK
            self._grids[px_per_mm] = CardGrid(px_per_mm, faces, mask, ink & mask)
        return self._grids[px_per_mm]

    def keypoints(self) -> keypoints.PrintKeypoints:
        """Keypoints of all faces, in mm from a card's middle."""
        sizes = np.tile(self.size_mm, (len(self._faces), 1))
        return keypoints.PrintKeypoints(
            self._faces, sizes, np.zeros_like(sizes), KEYPOINTS_PX_PER_MM, MOST_KEYPOINTS, views=((1.0, 0.0),)
        )


def _reduced(image: Image, size: tuple[int, int]) -> Grey:
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.6), np.float32)


def _rounded(size: tuple[int, int], radius: float, rim: float) -> NDArray[np.bool_]:
    """True inside a rounded rectangle (h, w), `rim` pixels from its outline."""
    x = np.abs(np.arange(size[0]) + 0.5 - size[0] / 2)[None, :]
    y = np.abs(np.arange(size[1]) + 0.5 - size[1] / 2)[:, None]
    straight = (x <= size[0] / 2 - rim) & (y <= size[1] / 2 - rim)
    corner = np.hypot(np.maximum(x - size[0] / 2 + radius, 0), np.maximum(y - size[1] / 2 + radius, 0))
    return np.asarray(straight & (corner <= max(radius, rim) - rim + 1e-6))
