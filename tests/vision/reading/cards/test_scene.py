"""What every fit of one frame needs, each thing made once."""

from __future__ import annotations

import numpy as np

from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.scene import OVERLAP_PX_PER_MM, PointStore
from vision.scenes import FLOOR, HERE, SIZE, scene_of


def test_what_is_made_of_a_face_is_made_once(faces: DeckFaces) -> None:
    store = PointStore(faces)
    assert store.points(1, 2.0) is store.points(1, 2.0)
    assert store.points(1, 2.0) is not store.points(1, 1.0)
    assert store.tiles(2) is store.tiles(2)
    assert store.names is store.names
    assert store.markers is store.markers


def test_more_points_are_taken_where_they_are_finer(faces: DeckFaces) -> None:
    store = PointStore(faces)
    fine, coarse = (store.points(0, scale).value.size for scale in (2.0, 1.0))
    assert 700 < coarse < 1000 < fine < 2100


def test_a_scene_knows_its_pictures_size_and_colours(faces: DeckFaces) -> None:
    scene = scene_of(faces)
    assert scene.image_size == SIZE
    assert scene.fine_grey is scene.grey
    seen = scene.sample_bgr(np.array([[10.0, -5.0], [20.0, 20.0]]))
    assert np.array_equal(seen[0], FLOOR[20, 10])
    assert np.isnan(seen[1]).all()


def test_what_is_asked_again_of_a_scene_is_worked_out_once(faces: DeckFaces) -> None:
    scene, other = scene_of(faces), scene_of(faces)
    numbers = iter(range(9))
    assert [each.once(("name", 3), lambda: next(numbers)) for each in (scene, scene, other)] == [0, 0, 1]
    assert scene.once(("name", 4), lambda: next(numbers)) == 2


def test_a_deck_without_markers_has_none_in_place(faces: DeckFaces) -> None:
    scene = scene_of(faces)
    assert scene.markers_in_place(HERE) == {}
    assert scene.all_markers_in_place(0, HERE), "none was seen that it bears"


def test_how_a_face_is_drawn_to_overlap_others_is_worked_out_once(faces: DeckFaces) -> None:
    store = PointStore(faces)
    value, steep = store.laid(1)
    assert np.array_equal(value, faces.grid(OVERLAP_PX_PER_MM).bgr_of(1))
    assert value.shape == steep.shape
    assert steep[:2].max() < steep.max()  # paper at the rim
    assert store.laid(1)[0] is value
