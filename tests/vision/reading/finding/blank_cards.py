"""Nearly blank cards on an even table: what tells them is their outline and a small figure in two corners."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.fit import Fit, Outline
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.finding.sided_cards import fit_by_sides
from arena_cam.vision.reading.scene_maker import SceneMaker, TableScene
from arena_cam.vision.reading.telling import kept_tellings, other_inks
from vision.small import camera_above, empty_table, frame, painted, small_deck, small_table, with_card

SIZE = (640, 480)
FLOOR = 120
TRUE = CardPose.flat(12.0, -5.0, 20.0)  # where the card of most tests lies
FOOT_MM = 29.4  # a millimetre above the lower end of a figure in a corner


@lru_cache
def _empty() -> Image:
    return empty_table(small_table(2.0, SIZE), camera_above(2.0, SIZE), FLOOR)


def figured(text: str) -> Image:
    """A face (352, 252, 3) that is blank but for a figure 11 mm high in two corners, half a turn apart."""
    face = np.full((352, 252, 3), 238, np.uint8)
    cv2.putText(face, text, (16, 62), cv2.FONT_HERSHEY_DUPLEX, 1.9, (40, 40, 40), 5, cv2.LINE_AA)
    return np.minimum(face, face[::-1, ::-1])


def framed(text: str) -> Image:
    """The same with a thin frame 4 mm inside its sides, and the figure in the middle."""
    face = np.full((352, 252, 3), 238, np.uint8)
    cv2.rectangle(face, (16, 16), (235, 335), (60, 120, 60), 1)
    cv2.putText(face, text, (110, 186), cv2.FONT_HERSHEY_DUPLEX, 1.0, (40, 40, 40), 3, cv2.LINE_AA)
    return face


def flower(turned: float) -> Image:
    """A face (352, 252, 3) that is blank but for a flower of eight petals, drawn in a thin line and turned by so many
    radians of a petal."""
    face = np.full((352, 252, 3), 238, np.uint8)
    at = np.linspace(0.0, 2.0 * np.pi, 400)
    for size in (100.0, 62.0):
        radius = size * (0.72 + 0.28 * np.cos(8 * at + turned))
        curve = np.stack([126 + radius * np.cos(at), 176 + radius * np.sin(at)], axis=1)
        cv2.polylines(face, [np.round(curve).astype(np.int32)], True, (40, 40, 40), 3, cv2.LINE_AA)
    return face


def deck_of_flowers(folder: Path) -> DeckFaces:
    """Two faces with one flower; the second one's is turned by `TURNED_DEG`."""
    return DeckFaces(small_deck(folder, [flower(0.0), flower(8.0 * np.radians(TURNED_DEG))]))


TURNED_DEG = 12.0


def turned_flower() -> tuple[CardPose, CardPose]:
    """Where the second face of `deck_of_flowers` lies, and where the first one would show the same flower."""
    return CardPose.flat(12.0, -5.0, 20.0), CardPose.flat(12.0, -5.0, 20.0 + TURNED_DEG)


def deck_of_figures(folder: Path, figures: str = "357") -> DeckFaces:
    return DeckFaces(small_deck(folder, [figured(figure) for figure in figures]))


def known_of(faces: DeckFaces, folder: Path, *cards: tuple[str, CardPose]) -> Known:
    """Nothing known yet of cards that lie one over another on a table whose empty picture is known."""
    picture = _empty()
    for card, pose in cards:
        picture = with_card(picture, faces.deck, card, camera_above(2.0, SIZE), pose)
    return _known_in(picture, faces, folder)


def known_with(faces: DeckFaces, folder: Path, grey: int, pose: CardPose) -> Known:
    """The same where an even piece of card lies, of that grey level; the floor has `FLOOR`."""
    return known_as(np.full((352, 252, 3), grey, np.uint8), faces, folder, pose)


def known_as(piece: Image, faces: DeckFaces, folder: Path, pose: CardPose) -> Known:
    """The same where a piece of card lies that shows a picture (352, 252, 3)."""
    return _known_in(painted(_empty(), piece, camera_above(2.0, SIZE), pose.corners(63.0, 88.0)), faces, folder)


def _known_in(picture: Image, faces: DeckFaces, folder: Path) -> Known:
    cv2.imwrite(str(folder / "empty.png"), _empty())
    table = small_table(2.0, SIZE, empty=folder / "empty.png")
    ready = SceneMaker(table, faces, True).make(frame(picture), (), None, None)
    assert isinstance(ready, TableScene)
    return Known.nothing_of(ready.scene)


def off_mm(a: CardPose, b: CardPose) -> float:
    """How far the corners lie apart, whichever of the two is the upper end."""
    corners = b.corners(63.0, 88.0)
    return min(float(np.abs(a.corners(63.0, 88.0) - other)[:, :2].max()) for other in (corners, np.roll(corners, 2, 0)))


def outlined(known: Known, pose: CardPose) -> tuple[Fit, Outline]:
    fit = fit_by_sides(known, pose)
    assert fit is not None
    assert fit.outline is not None
    return fit, fit.outline


def covered_figures(known: Known) -> None:
    """Claims both ends of the card at TRUE, in which the figures stand."""
    world = TRUE.corners(63.0, 88.0)
    for ends in ((world[0], world[1], 1.0), (world[3], world[2], -1.0)):
        inner = [end - ends[2] * 30.0 * TRUE.R[:, 1] for end in ends[:2]]
        known.claims.add_polygon(known.scene.camera.project(np.array([ends[0], ends[1], inner[1], inner[0]])))


def told_as(monkeypatch: pytest.MonkeyPatch, told: Callable[..., Array]) -> None:
    """The points at which faces differ tell what a test says, whoever asks."""
    for asks in (kept_tellings, other_inks):
        monkeypatch.setattr(asks, "told_of", told)
