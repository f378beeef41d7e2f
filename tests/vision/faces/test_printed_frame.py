"""A line that most faces have along their sides is a frame; figures, borders at the edge, single lines are none."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.printed_frame import frame_mm
from vision.small import blotches, small_deck

PX_MM = 4.0


def framed(x_mm: float, y_mm: float, width_mm: float = 0.5, figure: str = "7") -> np.ndarray:
    face = np.full((352, 252, 3), 238, np.uint8)
    (left, top), thick = (round(x_mm * PX_MM), round(y_mm * PX_MM)), round(width_mm * PX_MM)
    cv2.rectangle(face, (left, top), (251 - left, 351 - top), (60, 120, 60), thick)
    cv2.putText(face, figure, (100, 200), cv2.FONT_HERSHEY_DUPLEX, 3.0, (40, 40, 40), 6)
    return face


def of(*faces: np.ndarray) -> tuple[float, float]:
    return frame_mm([face.astype(np.float32) for face in faces], PX_MM)


@pytest.mark.parametrize(("x", "y"), [(3.0, 3.0), (5.0, 4.0)])
def test_the_middle_of_a_thin_line_is_where_the_frame_is(x: float, y: float) -> None:
    assert of(framed(x, y, figure="7"), framed(x, y, figure="12")) == pytest.approx((x, y), abs=0.3)


def test_most_faces_must_have_it() -> None:
    without = [blotches(seed) for seed in range(3)]
    assert of(framed(3.0, 3.0), *without) == (0.0, 0.0)
    assert of(*without) == (0.0, 0.0)
    assert of() == (0.0, 0.0)


def test_a_line_along_one_side_alone_is_none() -> None:
    face = np.full((352, 252, 3), 238, np.uint8)
    face[:, 20:24] = 60
    assert of(face, face) == (0.0, 0.0)


def test_what_lies_at_the_edge_itself_is_not_told_from_it() -> None:
    face = np.full((352, 252, 3), 238, np.uint8)
    cv2.rectangle(face, (0, 0), (251, 351), (60, 60, 60), 3)
    assert of(face, face) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("faces_mm", "back_mm", "frames"), [(4.0, 6.0, [4.0, 6.0]), (4.0, 4.0, [4.0]), (0.0, 6.0, [6.0])]
)
def test_a_deck_knows_the_frames_of_its_faces_and_of_its_back(
    tmp_path: Path, faces_mm: float, back_mm: float, frames: list[float]
) -> None:
    deck = small_deck(tmp_path / "deck", [framed(faces_mm, faces_mm, figure=each) for each in "35"], back=True)
    assert deck.back is not None
    cv2.imwrite(str(deck.back), framed(back_mm, back_mm))
    found = DeckFaces(deck).frames_mm
    assert [across for across, _ in found] == pytest.approx(frames, abs=0.5)
    assert [along for _, along in found] == pytest.approx(frames, abs=0.5)
