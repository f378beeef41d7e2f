"""Guesses from printed markers: for each visible marker, every place on every card where the deck prints it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.picture.markers import SeenMarker
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM
from arena_cam.vision.reading.guesses.guess import Finder, Guess, near, place_at
from arena_cam.vision.reading.guesses.marker_pose import leaning_by_markers

# Markers of one card, leaning even, lead to places that differ by no more than this.
_AGREE_MM, _AGREE_DEG = 6.0, 12.0


@dataclass(frozen=True, slots=True)
class _Print:
    """Where a face prints a marker: its middle (card frame) and its side."""

    face: int
    x_mm: float
    y_mm: float
    side_mm: float


@dataclass(frozen=True, eq=False)
class _MarkedPlace:
    """A visible marker, a place where a face prints it, and the flat card that would show it there."""

    seen: SeenMarker
    print_: _Print
    pose: CardPose


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
                    pose = _pose_with(print_.x_mm, print_.y_mm, middle, angle)
                    marked.setdefault(print_.face, []).append(_MarkedPlace(seen, print_, pose))
        guesses: list[Guess] = []
        for face in sorted(marked):
            places = np.array([place_at(one.pose) for one in marked[face]])
            gap = np.hypot(*(places[:, None, :2] - places[None, :, :2]).transpose(2, 0, 1))
            turn = np.abs((places[:, None, 2] - places[None, :, 2] + 180) % 360 - 180)
            votes = ((gap < _AGREE_MM) & (turn < _AGREE_DEG)).sum(axis=1)
            scored = [Guess(face, g.pose, float(v), Finder.MARKERS) for g, v in zip(marked[face], votes, strict=True)]
            scored.sort(key=lambda p: -p.votes)
            guesses += [self._tilted(p, marked[face], places, camera) for p in _without_twins(scored)]
        return guesses

    def _tilted(self, guess: Guess, marked: Sequence[_MarkedPlace], places: Array, camera: Camera) -> Guess:
        """The guess with the tilt that its agreeing markers give; `places` (N, 3) are those of the `marked`."""
        place = place_at(guess.pose)
        agreeing = [g for g, at in zip(marked, places, strict=True) if near(place, at, _AGREE_MM, _AGREE_DEG)]
        seen = [(g.seen, g.print_.x_mm, g.print_.y_mm, g.print_.side_mm) for g in agreeing]
        leaning = leaning_by_markers(seen, camera, GUESS_HEIGHT_MM)
        return guess if leaning is None else replace(guess, pose=leaning)

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


def _without_twins(scored: list[Guess]) -> list[Guess]:
    kept: list[Guess] = []
    places: list[Array] = []
    for p in scored:
        place = place_at(p.pose)
        if not any(near(place, other, 10.0, 25.0) for other in places):
            kept.append(p)
            places.append(place)
    best = max((p.votes for p in kept), default=0.0)
    # With two or more markers in agreement a guess that leaves them unexplained is only a mirror image of it.
    return [p for p in kept if p.votes == best] if best >= 2 else kept


def _lying_at(markers: Sequence[SeenMarker], camera: Camera) -> dict[SeenMarker, tuple[Array, float]]:
    """Middle (2,) and direction (deg) of each marker seen, were it at the height of guesses."""
    if not markers:
        return {}
    corners = camera.to_plane(np.concatenate([seen.corners_px for seen in markers]), GUESS_HEIGHT_MM)[:, :2]
    corners = corners.reshape(-1, 4, 2)
    across = corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]
    angles = np.degrees(np.arctan2(across[:, 1], across[:, 0]))
    return {m: (at, float(angle)) for m, at, angle in zip(markers, corners.mean(axis=1), angles, strict=True)}


def _pose_with(x_mm: float, y_mm: float, middle: Array, angle_deg: float) -> CardPose:
    """The pose of a card whose place (x, y) is at `middle`, turned by `angle_deg`."""
    a = np.radians(angle_deg)
    c, s = np.cos(a), np.sin(a)
    x, y = middle - (c * x_mm - s * y_mm, s * x_mm + c * y_mm)
    return CardPose.flat(float(x), float(y), angle_deg, GUESS_HEIGHT_MM)
