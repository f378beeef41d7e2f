"""The pictures agree with their truth: to parts of a pixel, as cv2.aruco sees them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.folder import read_picture
from arena_cam.domain.cards import Deck
from arena_cam.formats.table_json import read_table
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.arena.stills import StillTable, write_set
from arena_cam.simulation.photographs import Sheet, render_photograph
from arena_cam.simulation.rendering.background import Background, Surfaces, background_of, kept_rays, rays_of
from arena_cam.simulation.rendering.camera_picture import noise_bank

SIZE_PX = (1536, 864)


@pytest.fixture(scope="module")
def table(deck: Deck) -> StillTable:
    return StillTable(3, deck, SIZE_PX)


def markers(image: np.ndarray, dictionary: int) -> dict[int, list[np.ndarray]]:
    """Corners (4, 2) of all markers found, by id; refined where the picture is sharpest."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(dictionary), parameters)
    corners, ids, _ = detector.detectMarkers(image)
    found: dict[int, list[np.ndarray]] = {}
    for corner, number in zip(corners, np.ravel(ids) if ids is not None else [], strict=True):
        found.setdefault(int(number), []).append(np.reshape(corner, (4, 2)).astype(float))
    return found


def square(x: float, y: float, half: float) -> tuple[np.ndarray, np.ndarray]:
    return np.array([x - half, x + half, x + half, x - half]), np.array([y + half, y + half, y - half, y - half])


def test_fiducials_are_found_where_they_lie(table: StillTable) -> None:
    camera, fiducials = table.scene.camera, table.scene.table.fiducials
    found = markers(table.empty(), cv2.aruco.DICT_5X5_50)
    errors = []
    for number, (x, y) in fiducials.centres_mm.items():
        xs, ys = square(x, y, fiducials.size_mm / 2)
        said = camera.project(np.column_stack([xs, ys, np.full(4, fiducials.z_mm)]))
        assert number in found
        errors += np.linalg.norm(found[number][0] - said, axis=1).tolist()
    assert float(np.median(errors)) < 0.5
    assert sorted(errors)[-3] < 0.8  # a corner or two may be shaded by the wall


def test_cards_are_found_where_the_truth_has_them(table: StillTable, deck: Deck) -> None:
    asked, offsets = 0, []
    for number in range(3):
        picture, truth = table.still(number)
        found = markers(picture, cv2.aruco.DICT_4X4_50)
        for card in truth["cards"]:
            if card["face"] == "down" or card["visible_fraction"] < 0.999:
                continue
            corners = np.array(card["corners_mm"])
            right, down = (corners[1] - corners[0]) / 63.0, (corners[3] - corners[0]) / 88.0
            for marker in deck.by_id[card["id"]].markers:
                middle = corners[0] + right * marker.x_mm + down * marker.y_mm
                said = table.scene.camera.project(middle[None])[0]
                asked += 1
                seen = [corner.mean(axis=0) - said for corner in found.get(marker.id, [])]
                offsets += [offset for offset in seen if np.linalg.norm(offset) < 5.0]
    assert asked >= 16
    assert len(offsets) >= 0.9 * asked  # the detector misses one now and then
    # Blur rounds all four corners inwards alike, so a marker's middle is what can be held against the truth.
    assert float(np.median(np.linalg.norm(offsets, axis=1))) < 0.25
    assert np.linalg.norm(np.mean(offsets, axis=0)) < 0.12


def test_one_seed_is_one_picture_and_another_another(deck: Deck) -> None:
    one, two = (StillTable(12, deck, (640, 360)) for _ in range(2))
    two.still(1)
    mine, truth = one.still(5)
    # The noise goes on from picture to picture; what lies there does not depend on what was asked before.
    other, same_truth = two.still(5)
    assert truth == same_truth
    assert float(np.abs(cv2.GaussianBlur(mine, (0, 0), 3).astype(float) - cv2.GaussianBlur(other, (0, 0), 3)).max()) < 6
    assert one.still(6)[1] != truth


def test_an_empty_table_is_rendered_once_and_stays_empty_whatever_lies_on_it(deck: Deck) -> None:
    scene = StillTable(12, deck, (320, 180)).scene
    surfaces = [Surfaces(scene.table.arena, look) for look in (scene.look, replace(scene.look, seed=99))]
    kept, other = (background_of(scene.camera, (320, 180), each) for each in surfaces)
    before = kept.linear.copy()
    table = StillTable(12, deck, (320, 180))  # lays its fiducials on the same background
    table.still(1)
    again = background_of(scene.camera, (320, 180), Surfaces(scene.table.arena, scene.look))
    assert np.array_equal(again.linear, before)
    assert np.array_equal(again.linear, Background(scene.camera, (320, 180), surfaces[0]).linear)
    assert not np.array_equal(other.linear, before)


def test_a_table_that_starts_over_has_the_rays_and_the_noise_of_the_first(deck: Deck) -> None:
    one, two = (StillTable(12, deck, (320, 180)) for _ in range(2))
    assert kept_rays(one.scene.camera, (320, 180)) is kept_rays(two.scene.camera, (320, 180))
    assert np.array_equal(kept_rays(one.scene.camera, (320, 180)), rays_of(one.scene.camera, (320, 180)))
    assert kept_rays(one.scene.camera, (160, 90)).shape == (90, 160, 3)
    first, second = one.empty(), one.empty()
    assert not np.array_equal(first, second)
    assert np.array_equal(first, two.empty())  # from its own beginning, however far the first has gone on
    assert np.array_equal(second, two.empty())
    assert not kept_rays(one.scene.camera, (320, 180)).flags.writeable
    assert not any(each.flags.writeable for each in noise_bank(1, 2.0, (32, 18))[0])
    assert noise_bank(1, 2.0, (32, 18)) is noise_bank(1, 2.0, (32, 18))
    assert not np.array_equal(noise_bank(1, 2.0, (32, 18))[0][0], noise_bank(2, 2.0, (32, 18))[0][0])


def test_noise_is_that_of_a_sensor(table: StillTable) -> None:
    one, two = table.empty().astype(float), table.empty().astype(float)
    spread = float((one - two).std() / np.sqrt(2))
    assert 0.4 < spread < 2.5


def test_a_set_is_written_as_the_readers_want_it(deck: Deck, tmp_path: Path) -> None:
    write_set(tmp_path, 8, deck, 2, (960, 540))
    table = read_table(tmp_path / "table.json")
    assert table.image_size == (960, 540)
    assert table.empty is not None
    assert table.empty.is_file()
    for number in range(2):
        truth = json.loads((tmp_path / f"still-{number:02d}.json").read_text())
        assert read_picture(tmp_path / truth["image"]).shape == (540, 960, 3)
        assert truth["order"] == [card["id"] for card in truth["cards"]]


def test_photographed_sheets_lie_where_the_truth_says(deck: Deck) -> None:
    images = {card.id: read_picture(card.image) for card in deck.cards[::9]}
    sheets = [Sheet(name, image, 63.0, 88.0, 3.0) for name, image in images.items()]
    picture, truth, camera = render_photograph(sheets, seed=4)
    found = markers(picture, cv2.aruco.DICT_4X4_50)
    seen = 0
    for card in truth["cards"]:
        marker = deck.by_id[card["id"]].markers[0]
        pose_px = np.array(card["corners_px"])
        for corners in found.get(marker.id, []):
            middle = corners.mean(axis=0).astype(np.float32)
            assert cv2.pointPolygonTest(pose_px.astype(np.float32), (float(middle[0]), float(middle[1])), False) > 0
            seen += 1
    assert seen >= 3 * len(sheets)
    origin = camera.project(CardPose.flat(0.0, 0.0, 0.0).corners(2.0, 2.0)).mean(axis=0)
    assert np.allclose(origin, [SIZE_PX[0] / 2, SIZE_PX[1] / 2], atol=3.0)
