"""Guesses from printed markers: for each visible marker, every place on every card where the deck prints it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.picture.markers import SeenMarker
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM
from arena_cam.vision.reading.guesses.guess import Finder, Guess
from arena_cam.vision.reading.guesses.marker_pose import leaning_by_markers

# Markers of one card, leaning even, lead to places that differ by no more than this.
_AGREE_MM, _AGREE_DEG = 6.0, 12.0
_TWINS_MM, _TWINS_DEG = 10.0, 25.0  # places no farther apart are tried once


@dataclass(frozen=True, slots=True)
class _Print:
    """Where a face prints a marker: its middle (card frame) and its side."""

    face: int
    x_mm: float
    y_mm: float
    side_mm: float


@dataclass(frozen=True, eq=False)
class _MarkedPlace:
    """A visible marker, a place where a face prints it, and where the flat card lies that would show it there: x and y
    (mm), and its direction (deg)."""

    seen: SeenMarker
    print_: _Print
    place: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class _Printed:
    """Of all `markers` seen every place (3, N) where the deck prints one (x, y in mm, and 1), on which of the `faces`
    (N,), and the pixel (2, N) where it is seen."""

    markers: Sequence[SeenMarker]
    places: Array
    middles_px: Array
    faces: Sequence[int]


class MarkerPrints:
    """Where the deck prints its markers: for each id the faces that bear it, with the place and the side (mm)."""

    def __init__(self, faces: DeckFaces) -> None:
        deck = faces.deck
        self._faces = faces
        self.dictionaries = sorted({m.dictionary for card in deck.cards for m in card.markers})
        self.largest_mm = max((m.size_mm for card in deck.cards for m in card.markers), default=0.0)
        self._last: _Printed | None = None
        self._by_id: dict[int, list[_Print]] = {}
        for card in deck.cards:
            for m in card.markers:
                x, y = m.x_mm - deck.width_mm / 2, deck.height_mm / 2 - m.y_mm
                self._by_id.setdefault(m.id, []).append(_Print(faces.index(card.id), x, y, m.size_mm))

    def guesses(self, markers: Sequence[SeenMarker], camera: Camera) -> list[Guess]:
        """Guesses from printed markers: for each marker seen, every place on every card where the deck prints it.

        A card may bear one marker several times; guesses from several markers that agree get more votes, and only the
        best of them is kept.
        """
        marked: dict[int, list[_MarkedPlace]] = {}
        lying = _lying_at([seen for seen in markers if seen.id in self._by_id], camera)
        for seen in markers:
            if seen.id in self._by_id:
                middle, angle = lying[seen]
                for print_ in self._by_id[seen.id]:
                    place = _place_with(print_.x_mm, print_.y_mm, middle, angle)
                    marked.setdefault(print_.face, []).append(_MarkedPlace(seen, print_, place))
        guesses: list[Guess] = []
        for face in sorted(marked):
            places = np.array([one.place for one in marked[face]])
            gap = np.hypot(*(places[:, None, :2] - places[None, :, :2]).transpose(2, 0, 1))
            turn = np.abs((places[:, None, 2] - places[None, :, 2] + 180) % 360 - 180)
            agree = (gap < _AGREE_MM) & (turn < _AGREE_DEG)
            votes = agree.sum(axis=1)
            for number in _without_twins(votes, (gap < _TWINS_MM) & (turn < _TWINS_DEG)):
                agreeing = [marked[face][other] for other in np.flatnonzero(agree[number])]
                guesses.append(_guessed(face, marked[face][number].place, agreeing, camera))
        return guesses

    def of_face(self, markers: Sequence[SeenMarker], face: int) -> int:
        """How many of the markers seen bear an id that this face bears."""
        return sum(any(p.face == face for p in self._by_id.get(seen.id, [])) for seen in markers)

    def in_place(
        self, markers: Sequence[SeenMarker], camera: Camera, pose: CardPose, within_mm: float = 2.5
    ) -> dict[int, int]:
        """For each face, how many of the markers seen lie where that face at `pose` would print them."""
        printed = self._printed(markers)
        if not printed.faces:
            return {}
        off = np.hypot(*(camera.project_plane(pose.plane, printed.places) - printed.middles_px))
        counts: dict[int, int] = {}
        for number in np.flatnonzero(off < within_mm * camera.px_per_mm(pose.centre_mm)):
            face = printed.faces[int(number)]
            counts[face] = counts.get(face, 0) + 1
        return counts

    def _printed(self, markers: Sequence[SeenMarker]) -> _Printed:
        """Every place where the deck prints one of the markers seen. A frame's cards are asked about in turn."""
        last = self._last
        if last is None or last.markers is not markers:
            pairs = [(m.middle_px, print_) for m in markers for print_ in self._by_id.get(m.id, [])]
            places = np.array([(p.x_mm, p.y_mm, 1.0) for _, p in pairs]).reshape(-1, 3).T
            middles = np.array([middle for middle, _ in pairs]).reshape(-1, 2).T
            last = self._last = _Printed(markers, places, middles, [p.face for _, p in pairs])
        return last


def _guessed(face: int, place: tuple[float, float, float], agreeing: Sequence[_MarkedPlace], camera: Camera) -> Guess:
    """A face flat at a place, or with the tilt that the markers give which agree on it."""
    seen = [(g.seen, g.print_.x_mm, g.print_.y_mm, g.print_.side_mm) for g in agreeing]
    leaning = leaning_by_markers(seen, camera, GUESS_HEIGHT_MM)
    pose = CardPose.flat(*place, GUESS_HEIGHT_MM) if leaning is None else leaning
    return Guess(face, pose, float(len(agreeing)), Finder.MARKERS)


def _without_twins(votes: NDArray[np.intp], twins: NDArray[np.bool_]) -> list[int]:
    """The numbers of the places with the most `votes` (N,), each without its `twins` (N, N)."""
    kept: list[int] = []
    for number in np.argsort(-votes, kind="stable").tolist():
        if not twins[number, kept].any():
            kept.append(number)
    best = max((int(votes[number]) for number in kept), default=0)
    # With two or more markers in agreement a guess that leaves them unexplained is only a mirror image of it.
    return [number for number in kept if votes[number] == best] if best >= 2 else kept


def _lying_at(markers: Sequence[SeenMarker], camera: Camera) -> dict[SeenMarker, tuple[tuple[float, float], float]]:
    """Middle (x, y) and direction (deg) of each marker seen, were it at the height of guesses."""
    if not markers:
        return {}
    corners = camera.to_plane(np.concatenate([seen.corners_px for seen in markers]), GUESS_HEIGHT_MM)[:, :2]
    corners = corners.reshape(-1, 4, 2)
    across = corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]
    angles = np.degrees(np.arctan2(across[:, 1], across[:, 0]))
    middles = [(x, y) for x, y in corners.mean(axis=1).tolist()]
    return {m: (at, angle) for m, at, angle in zip(markers, middles, angles.tolist(), strict=True)}


def _place_with(x_mm: float, y_mm: float, middle: tuple[float, float], angle_deg: float) -> tuple[float, float, float]:
    """The place of a card whose own place (x, y) is at `middle`, turned by `angle_deg`."""
    a = math.radians(angle_deg)
    c, s = math.cos(a), math.sin(a)
    return middle[0] - (c * x_mm - s * y_mm), middle[1] - (s * x_mm + c * y_mm), angle_deg
