"""Where outlines say nothing, a face that is recognised says where the plane is."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.planes.plane_by_features import FeaturePlanes
from vision.planes.photographed import CAMERA, SIZE, photograph
from vision.small import blotches, camera_above, with_card

LEFT, RIGHT = CardPose.flat(-60.0, 10.0, 15.0), CardPose.flat(55.0, -15.0, -130.0)


@pytest.fixture(scope="module")
def planes(faces: DeckFaces) -> FeaturePlanes:
    return FeaturePlanes(faces)


@pytest.mark.parametrize("tilt", [0.0, 28.0])
def test_the_camera_is_found_by_print_alone_on_a_patterned_cloth(
    planes: FeaturePlanes, faces: DeckFaces, tilt: float
) -> None:
    """On the pattern no outline is found; the camera's tilt against the cards is."""
    camera = camera_above(2.0, SIZE, tilt_deg=tilt)
    picture = blotches(50, *SIZE, cell=30)
    for card, pose in (("card-0", LEFT), ("card-2", RIGHT)):
        picture = with_card(picture, faces.deck, card, camera, pose)
    found = next(planes.cameras(picture, camera.K))
    # with which side up the picture's world is turned is free; how steep it looks, and how far off it is, are not
    assert np.degrees(np.arccos(-found.R[2, 2])) == pytest.approx(tilt, abs=6.0)
    assert found.px_per_mm(np.zeros(3)) == pytest.approx(camera.px_per_mm(np.zeros(3)), rel=0.06)


def test_without_a_card_there_is_no_plane(planes: FeaturePlanes, faces: DeckFaces) -> None:
    assert list(planes.cameras(photograph(faces.deck), CAMERA.K)) == []
    assert list(planes.cameras(np.full((300, 400, 3), 90, np.uint8), CAMERA.K)) == []
