"""What was read before is guessed first, at the very place where it was read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from arena_cam.domain.lies import Lie
from arena_cam.vision.faces.deck_faces import BACK, DeckFaces
from arena_cam.vision.reading.guesses.guess import Finder
from arena_cam.vision.reading.guesses.known_lies import believed_places, known_guesses
from vision.scenes import BESIDE, HERE
from vision.small import HEIGHT_MM, WIDTH_MM, lie


def lying(key: str, pose: Any) -> Lie:
    a, b, c, d = (tuple(map(float, corner)) for corner in pose.corners(WIDTH_MM, HEIGHT_MM))
    return replace(lie(key), corners_mm=(a, b, c, d))  # type: ignore[arg-type]


def test_nothing_known_is_nothing_guessed(faces: DeckFaces) -> None:
    assert known_guesses(faces, []) == []
    assert believed_places(faces, []) == ()


def test_what_covers_others_comes_first_at_the_pose_it_was_read_at(faces: DeckFaces) -> None:
    top, below = known_guesses(faces, [lying("card-1", HERE), lying("?1", BESIDE)])
    assert (top.face, below.face) == (faces.index(BACK), faces.index("card-1"))
    assert np.allclose(top.pose.R, BESIDE.R)
    assert np.allclose(below.pose.centre_mm, HERE.centre_mm)
    assert top.finder is Finder.KNOWN
    assert top.is_exact


@pytest.mark.parametrize(("sure", "count"), [(True, 1), (False, 0)])
def test_only_what_was_sure_is_believed(faces: DeckFaces, sure: bool, count: int) -> None:
    believed = believed_places(faces, [replace(lying("card-1", HERE), sure=sure), lying("?1", BESIDE), lie("card-2")])
    assert len(believed) == count
    assert [face for face, _ in believed] == [1] * count
