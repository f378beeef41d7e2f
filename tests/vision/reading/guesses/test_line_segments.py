"""Straight segments of the floor seen from above, each once, whatever colour shows them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.vision.reading.guesses.line_segments import ColourView, straight_segments

SIZE = (360, 300)  # of the view, in pixels: 240 by 200 mm
EVERYWHERE = np.ones((SIZE[1], SIZE[0]), np.uint8)


def view_of(picture: np.ndarray) -> ColourView:
    return ColourView(np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8), 1.5, -120.0, 100.0)


def with_card(x_mm: float, y_mm: float, turn_deg: float, paper: tuple[int, int, int] = (225, 225, 225)) -> ColourView:
    """A floor on which a paper of 63 by 88 mm lies, its middle at a place in the world."""
    picture = np.full((SIZE[1], SIZE[0], 3), 110, np.uint8)
    corners = view_of(picture).pixels(outline(x_mm, y_mm, turn_deg))
    cv2.fillPoly(picture, [np.round(corners * 16).astype(np.int32)], paper, cv2.LINE_AA, 4)
    return view_of(picture)


def outline(x_mm: float, y_mm: float, turn_deg: float) -> np.ndarray:
    a = np.radians(turn_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return np.asarray(np.array([[-31.5, 44], [31.5, 44], [31.5, -44], [-31.5, -44]]) @ turn.T + (x_mm, y_mm))


def distance_mm(segment: np.ndarray, start: np.ndarray, end: np.ndarray) -> float:
    """By how much the ends of a segment lie off the line through a side."""
    along = (end - start) / np.linalg.norm(end - start)
    to = segment - start
    return float(np.abs(to[:, 0] * along[1] - to[:, 1] * along[0]).max())


def test_places_and_pixels_are_one_another_s() -> None:
    view = with_card(0.0, 0.0, 0.0)
    assert view.pixels(np.array([-120.0, 100.0])).tolist() == [0.0, 0.0]
    assert view.places(np.array([30.0, 15.0])).tolist() == [-100.0, 90.0]
    places = np.random.default_rng(0).uniform(-100, 100, (4, 2, 2))
    assert view.places(view.pixels(places)) == pytest.approx(places)


@pytest.mark.parametrize("turn", [0.0, 17.0, 45.0, 100.0])
def test_every_side_of_a_card_is_found_once_to_a_millimetre(turn: float) -> None:
    found = straight_segments(with_card(10.0, -5.0, turn), EVERYWHERE)
    corners = outline(10.0, -5.0, turn)
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        on_side = [each for each in found if distance_mm(each, start, end) < 1.2]
        assert on_side
        assert sum(np.linalg.norm(each[1] - each[0]) for each in on_side) > 0.8 * np.linalg.norm(end - start)
        assert len(on_side) <= 4


def test_the_longest_comes_first() -> None:
    found = straight_segments(with_card(0.0, 0.0, 20.0), EVERYWHERE)
    lengths = np.linalg.norm(found[:, 1] - found[:, 0], axis=1)
    assert (np.diff(lengths) <= 1e-9).all()
    assert lengths.min() >= 7.0


def test_an_edge_of_colour_alone_is_an_edge() -> None:
    """A paper exactly as light as the floor, but red: in a grey picture there would be none."""
    red = (85, 72, 190)
    grey = 0.114 * red[0] + 0.587 * red[1] + 0.299 * red[2]
    assert grey == pytest.approx(110, abs=2)
    assert len(straight_segments(with_card(0.0, 0.0, 20.0, red), EVERYWHERE)) >= 4


def test_only_what_lies_where_it_is_asked_for_is_told() -> None:
    view = with_card(0.0, 0.0, 0.0)
    left = EVERYWHERE.copy()
    left[:, SIZE[0] // 2 - 20 :] = 0
    found = straight_segments(view, left)
    assert len(found)
    assert (found.mean(axis=1)[:, 0] < -13.0).all()
    assert straight_segments(view, np.zeros_like(EVERYWHERE)).shape == (0, 2, 2)


def test_a_place_of_a_few_pixels_is_looked_at() -> None:
    where = np.zeros_like(EVERYWHERE)
    (x, y), *_ = np.round(with_card(0.0, 0.0, 0.0).pixels(np.array([[-31.5, 0.0]]))).astype(int)
    where[y - 1 : y + 2, x - 1 : x + 2] = 1
    found = straight_segments(with_card(0.0, 0.0, 0.0), where)
    assert (np.abs(found[:, :, 0] + 31.5) < 1.5).all()
    assert (np.abs(found.mean(axis=1)[:, 1]) < 2.0).all()


def test_the_floor_between_parts_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cards in opposite corners: with the floor between them they are three times as many pixels."""
    sizes: list[int] = []
    create = cv2.createLineSegmentDetector

    def counting(*args: int) -> SimpleNamespace:
        detector = create(*args)

        def detect(channel: np.ndarray) -> Any:
            sizes.append(channel.size)
            return detector.detect(channel)

        return SimpleNamespace(detect=detect)

    monkeypatch.setattr(cv2, "createLineSegmentDetector", counting)
    places = ((-80.0, 50.0), (80.0, -50.0))
    view, where = with_card(*places[0], 0.0), np.zeros_like(EVERYWHERE)
    np.maximum(view.bgr, with_card(*places[1], 0.0).bgr, out=view.bgr)
    for x, y in places:
        (left, top), (right, bottom) = (view.pixels(outline(x, y, 0.0))[[0, 2]] + [[-9.0], [9.0]]).astype(int)
        where[max(top, 0) : bottom, max(left, 0) : right] = 1
    found = straight_segments(view, where)
    for x, y in places:
        assert (np.abs(found.mean(axis=1) - (x, y)) < 50.0).all(axis=1).sum() >= 3
    assert len(sizes) == 6
    assert sum(sizes) < 2 * EVERYWHERE.size


@pytest.mark.parametrize("shape", ["even", "disc", "specks"])
def test_what_has_no_straight_side_has_no_segment(shape: str) -> None:
    picture = np.full((SIZE[1], SIZE[0], 3), 110, np.uint8)
    if shape == "disc":
        cv2.circle(picture, (180, 150), 30, (225, 225, 225), -1, cv2.LINE_AA)
    elif shape == "specks":
        for x in range(20, SIZE[0], 40):
            cv2.rectangle(picture, (x, 100), (x + 5, 105), (225, 225, 225), -1)
    found = straight_segments(view_of(picture), EVERYWHERE)
    assert found.shape[1:] == (2, 2)
    assert not len(found) or np.linalg.norm(found[:, 1] - found[:, 0], axis=1).max() < 25.0
