"""Searches a face that is known to be there, though most of it is covered: at every place and rotation.

The floor view and the face, both high-passed and scaled to unit variance, are correlated at every rotation and place,
counting only pixels that no known card claims. Over noise, the correlation divided by the root of the face's visible
energy has unit variance, so small visible parts can be compared with large ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM
from arena_cam.vision.reading.guesses.guess import Finder, Guess

Grid = NDArray[np.float32]

SEARCH_PX_PER_MM = 1.0
_TURN_DEG = 6.0  # half a step turns a card's corner by under 3 mm, which alignment mends
_DETAIL_MM = 5.0  # what varies more slowly than this is light, not print
_MOST_FLOOR = 0.15  # of the card's area may seem to be bare floor: white cards on light sand do, where they are pale
_LEAST_ENERGY = 0.05  # of the face's, in view: less would be found anywhere


@dataclass(frozen=True, eq=False)
class SearchedFloor:
    """A floor view at SEARCH_PX_PER_MM: `bgr` (H, W, 3); `free` (H, W) is 1 where no known card is seen, `bare` (H, W)
    where the floor is. Pixel (column, row) shows (left_mm + column, top_mm - row)."""

    bgr: NDArray[np.uint8]
    free: NDArray[np.uint8]
    bare: NDArray[np.uint8]
    left_mm: float
    top_mm: float


# How well a face fits, and where its middle and its direction are then: x, y (mm), degrees.
_Place = tuple[float, float, float, float]


def search_face(floor: SearchedFloor, faces: DeckFaces, face: int, most: int = 12) -> list[Guess]:
    """The best places (most, strongest first) of `face` on the floor. The score of a place is 0 if too little of the
    face is visible there, or bare floor where the card would be."""
    detail = _detail(floor.bgr.astype(np.float32)) * floor.free[:, :, None]
    seen = Spectra.of([*_channels(detail), floor.free.astype(np.float32), floor.bare.astype(np.float32)])
    grid = faces.grid(SEARCH_PX_PER_MM)
    template = _detail(grid.bgr_of(face)) * grid.mask[:, :, None]
    card = grid.mask.astype(np.float32)
    whole = float((template**2).sum()), float(card.sum())
    found: list[_Place] = []
    for angle in np.arange(0.0, 180.0, _TURN_DEG):
        turned = _turned(template, float(angle))
        parts = [*_channels(turned), np.asarray((turned**2).sum(axis=2), np.float32), _turned(card, float(angle))]
        sought = [seen.spectrum(part) for part in parts]
        # half a turn takes a card's outline to itself: where it lies off the bare floor is the same either way up
        covered = seen.correlated(sought, (_BARE,), turned.shape, False) < _MOST_FLOOR * whole[1]
        for turn, is_turned in ((0.0, False), (180.0, True)):
            energy = seen.correlated(sought, (_FREE,), turned.shape, is_turned)
            likely = (energy > _LEAST_ENERGY * whole[0]) & covered
            fair = np.zeros_like(energy)
            if likely.any():
                score = seen.correlated(sought, _DETAIL, turned.shape, is_turned)
                fair[likely] = score[likely] / np.sqrt(np.maximum(energy[likely], 1.0))
            found += _peaks(fair, floor, turned.shape[:2], float(angle) + turn)
    found.sort(reverse=True)
    return _distinct(found, face, most)


_DETAIL, _FREE, _BARE = (0, 1, 2), 3, 4  # of the floor's pictures; a face has its energy and its outline there


@dataclass(frozen=True, eq=False)
class Spectra:
    """The spectra of pictures of one `shape` (H, W), padded to a `size` of small factors. With them a correlation takes
    a transform of the template and one back, and what is summed is summed in between: a search takes about half the
    time that it takes with as many correlations one by one. Half a turn of a template makes a convolution of it."""

    spectra: Sequence[Grid]
    shape: tuple[int, int]
    size: tuple[int, int]

    @staticmethod
    def of(pictures: Sequence[Grid]) -> Spectra:
        height, width = pictures[0].shape
        size = cv2.getOptimalDFTSize(height), cv2.getOptimalDFTSize(width)
        return Spectra([_spectrum(picture, size) for picture in pictures], (height, width), size)

    def spectrum(self, template: Grid) -> Grid:
        return _spectrum(template, self.size)

    def correlated(
        self, sought: Sequence[Grid], numbers: Sequence[int], size: tuple[int, ...], half_turned: bool
    ) -> Grid:
        """The sum of the correlations of the pictures with some `numbers` and the templates of which `sought` has the
        spectra, `size` (h, w) in the picture and turned by half a turn or not: (H - h + 1, W - w + 1)."""
        products = (cv2.mulSpectrums(self.spectra[n], sought[n], 0, conjB=not half_turned) for n in numbers)
        back = cv2.idft(np.asarray(sum(products)), flags=cv2.DFT_SCALE)
        (height, width), (high, wide) = self.shape, size[:2]
        top, left = (high - 1, wide - 1) if half_turned else (0, 0)
        return np.asarray(back[top : top + height - high + 1, left : left + width - wide + 1], np.float32)


def _channels(picture: Grid) -> list[Grid]:
    return [np.ascontiguousarray(picture[:, :, channel]) for channel in range(3)]


def _spectrum(picture: Grid, size: tuple[int, int]) -> Grid:
    padded = np.zeros(size, np.float32)
    padded[: picture.shape[0], : picture.shape[1]] = picture
    return np.asarray(cv2.dft(padded, nonzeroRows=picture.shape[0]), np.float32)


def _peaks(fair: Grid, floor: SearchedFloor, size: tuple[int, int], angle: float) -> list[_Place]:
    """The two best places of a face turned by `angle`, in a picture of that `size` (H, W)."""
    found = []
    for _ in range(2):
        _, best, _, (column, row) = cv2.minMaxLoc(fair)
        x = floor.left_mm + (column + (size[1] - 1) / 2) / SEARCH_PX_PER_MM
        y = floor.top_mm - (row + (size[0] - 1) / 2) / SEARCH_PX_PER_MM
        found.append((float(best), x, y, angle))
        cv2.circle(fair, (column, row), 6, 0.0, -1)
    return found


def _detail(picture: Grid) -> Grid:
    """High-passed and scaled to unit variance locally, so that shade and light patches weigh alike."""
    sigma = _DETAIL_MM * SEARCH_PX_PER_MM
    fine = picture - cv2.GaussianBlur(picture, (0, 0), sigma)
    spread = cv2.GaussianBlur((fine**2).sum(axis=2), (0, 0), 2 * sigma)
    return np.asarray(fine / np.sqrt(spread + 15.0**2)[:, :, None], dtype=np.float32)


def _turned(template: Grid, angle_deg: float) -> Grid:
    """The template turned counterclockwise in a picture just large enough."""
    height, width = template.shape[:2]
    a = np.radians(angle_deg)
    c, s = abs(np.cos(a)), abs(np.sin(a))
    size = (int(np.ceil(width * c + height * s)), int(np.ceil(width * s + height * c)))
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), angle_deg, 1.0)
    turn[0, 2] += (size[0] - width) / 2
    turn[1, 2] += (size[1] - height) / 2
    return np.asarray(cv2.warpAffine(template, turn, size), dtype=np.float32)


def _distinct(found: list[_Place], face: int, most: int) -> list[Guess]:
    kept: list[_Place] = []
    for score, x, y, angle in found:
        near = any(np.hypot(x - k[1], y - k[2]) < 5.0 and abs((angle - k[3] + 180) % 360 - 180) < 10.0 for k in kept)
        if not near:
            kept.append((score, x, y, angle))
        if len(kept) >= most:
            break
    return [
        Guess(face, CardPose.flat(x, y, angle, GUESS_HEIGHT_MM / 4), score, Finder.SEARCH)
        for score, x, y, angle in kept
    ]
