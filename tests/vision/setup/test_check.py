"""The look at a table before a game: a good one passes, and each thing that is wrong is named with what to change."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Card, Deck, PrintedMarker
from arena_cam.domain.table import Arena, Fiducials, Table
from arena_cam.vision.setup.check import Finding, Grade, check_table, check_without_fiducials

F_PX, HEIGHT_MM = 1100.0, 440.0
TABLE = Table(
    image_size=(1280, 960),
    K=((F_PX, 0.0, 639.5), (0.0, F_PX, 479.5), (0.0, 0.0, 1.0)),
    dist=(0.0, 0.0, 0.0, 0.0, 0.0),
    arena=Arena((260.0, 260.0), 15.0, 6.0),
    fiducials=Fiducials("DICT_5X5_50", 28.0, {0: (-175, 150), 1: (175, 150), 2: (175, -150), 3: (-175, -150)}),
)
DECK = Deck("d", 63, 88, 3, (Card("a", Path("a.png"), markers=(PrintedMarker("DICT_4X4_50", 1, 11, 9, 9),)),))


@lru_cache(maxsize=1)
def picture() -> np.ndarray:
    """The empty table from straight above: a grey floor, and fiducials on white paper."""
    image = np.full((960, 1280), 110, np.uint8)
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)
    scale = F_PX / HEIGHT_MM
    for number, (x, y) in TABLE.fiducials.centres_mm.items():
        side = round(28.0 * scale)
        paper = np.full((round(side * 1.4),) * 2, 200, np.uint8)
        edge = (len(paper) - side) // 2
        paper[edge : edge + side, edge : edge + side] = cv2.aruco.generateImageMarker(known, number, side) * 0.7 + 15
        left, top = round(640 + x * scale - len(paper) / 2), round(480 - y * scale - len(paper) / 2)
        image[top : top + len(paper), left : left + len(paper)] = paper
    return cv2.GaussianBlur(image, (0, 0), 0.7)


def frames(image: np.ndarray, **metadata: float) -> list[Frame]:
    return [
        Frame(np.repeat(image[:, :, None], 3, axis=2), i / 15, i, "test", f"{i}", metadata=metadata) for i in range(4)
    ]


def finding(what: str, seen: list[Frame], table: Table = TABLE) -> Finding:
    return next(found for found in check_table(seen, table, DECK) if found.what == what)


def test_a_good_table_passes() -> None:
    found = check_table(frames(picture(), ExposureTime=5000.0), TABLE, DECK)
    assert [f for f in found if f.grade is not Grade.GOOD] == []
    assert {f.what for f in found} == {
        *("flicker", "motion blur", "fiducials", "light", "glare", "focus", "camera's place", "scale")
    }
    assert finding("scale", frames(picture())).measured.startswith("2.5")
    assert finding("camera's place", frames(picture())).measured.startswith("4")


@pytest.mark.parametrize(
    ("what", "spoilt", "advice"),
    [
        ("light", lambda p: (p * 0.25).astype(np.uint8), "more light"),
        ("light", lambda p: np.clip(p * 1.6, 0, 255).astype(np.uint8), "burnt out"),
        ("light", lambda p: (p * np.linspace(0.3, 1.0, 1280)).astype(np.uint8), "more evenly"),
        ("glare", lambda p: cv2.circle(p.copy(), (640, 480), 90, 255, -1), "lamp aside"),
        ("focus", lambda p: cv2.GaussianBlur(p, (0, 0), 2.5), "Turn the lens"),
        ("fiducials", lambda p: cv2.rectangle(p.copy(), (0, 0), (400, 300), 90, -1), "Uncover number 0"),
        ("fiducials", lambda p: p * 0 + 100, "Lay them flat"),
    ],
)
def test_what_is_wrong_is_named_with_what_to_change(what: str, spoilt: object, advice: str) -> None:
    found = finding(what, frames(spoilt(picture())))  # type: ignore[operator]
    assert found.grade is not Grade.GOOD
    assert advice in found.advice


@pytest.mark.parametrize(
    ("spoilt", "measured", "advice"),
    [
        (lambda p: p * 0, "black", "cap off the lens"),
        (lambda p: (p * 0.05).astype(np.uint8), "black", "switch on a light"),
        (lambda p: np.clip(p * 0.04 + 20, 0, 255).astype(np.uint8), "black", "exposure"),
        (lambda p: p * 0 + 255, "white", "Shorten the exposure"),
        (lambda p: np.clip(p * 0.05 + 248, 0, 255).astype(np.uint8), "white", "dim the lamp"),
    ],
)
@pytest.mark.parametrize("size", [(1280, 960), (640, 480)])
def test_a_picture_that_shows_nothing_is_told_before_all_else(
    spoilt: object, measured: str, advice: str, size: tuple[int, int]
) -> None:
    seen = frames(cv2.resize(spoilt(picture()), size))  # type: ignore[operator]
    for found in (check_table(seen, TABLE, DECK), check_without_fiducials(seen, "DICT_5X5_50")):
        assert found[0].what == "light"
        assert found[0].grade is Grade.BAD
        assert found[0].measured.startswith(f"the picture is {measured}")
        assert advice in found[0].advice
        assert "fiducials" not in {each.what for each in found}, "nobody is sent to look for what the dark hides"


def test_flicker_and_long_exposure_are_told() -> None:
    seen = [
        replace(frame, image_bgr=(frame.image_bgr * (1.0 - 0.1 * (i % 2))).astype(np.uint8))
        for i, frame in enumerate(frames(picture()))
    ]
    assert finding("flicker", seen).grade is Grade.BAD
    assert finding("motion blur", frames(picture(), ExposureTime=33000.0)).grade is Grade.BAD


def test_another_resolution_than_the_table_was_calibrated_at_is_bad() -> None:
    found = finding("resolution", frames(cv2.resize(picture(), (640, 480))))
    assert found.grade is Grade.BAD
    assert "1280 × 960" in found.advice


def test_an_arena_that_leaves_the_picture_is_bad() -> None:
    table = replace(TABLE, arena=Arena((400.0, 400.0), 15.0, 6.0))
    assert finding("camera's place", frames(picture()), table).grade is Grade.BAD
