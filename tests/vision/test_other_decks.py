"""Decks drawn otherwise than ours: nearly blank, dark, faces that differ by one pip, backs of fine stripes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Card, Deck
from arena_cam.domain.lies import Face, Landing, Lie, Reading
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.arena.stills import StillTable
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.face_tiles import cut_face, shown_tiles
from arena_cam.vision.reading.table_reader import TableReader

Picture = NDArray[np.uint8]
WIDTH_MM, HEIGHT_MM, PX_PER_MM = 60, 90, 12
INKS = {"red": (45, 40, 190), "blue": (170, 80, 35), "green": (60, 120, 40)}
VALUES = (1, 2, 3, 4, 5)


def _blank(bgr: tuple[int, int, int]) -> Picture:
    return np.full((HEIGHT_MM * PX_PER_MM, WIDTH_MM * PX_PER_MM, 3), bgr, np.uint8)


def _written(picture: Picture, text: str, x_mm: float, y_mm: float, high_mm: float, bgr: tuple[int, ...]) -> None:
    """A word by its middle."""
    scale = high_mm * PX_PER_MM / 22.0
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, round(3 * scale))
    at = (round(x_mm * PX_PER_MM - w / 2), round(y_mm * PX_PER_MM + h / 2))
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, bgr, round(3 * scale), cv2.LINE_AA)


def _both_ways_up(picture: Picture, text: str, high_mm: float, bgr: tuple[int, ...]) -> Picture:
    """The same figure in two corners, as cards have it."""
    for _ in range(2):
        _written(picture, text, 8.0, 9.0, high_mm, bgr)
        picture = np.ascontiguousarray(picture[::-1, ::-1])
    return picture


def sparing(colour: str, value: int) -> Picture:
    """A figure and a thin frame on white."""
    picture = _blank((230, 243, 247))
    cv2.rectangle(picture, (40, 40), (picture.shape[1] - 40, picture.shape[0] - 40), INKS[colour], 7)
    _written(picture, str(value), WIDTH_MM / 2, HEIGHT_MM / 2, 24.0, INKS[colour])
    return _both_ways_up(picture, str(value), 6.0, INKS[colour])


def dark(colour: str, value: int) -> Picture:
    """A light figure in a patch of colour on black."""
    picture = _blank((38, 32, 32))
    cv2.rectangle(picture, (190, 370), (530, 710), INKS[colour], -1)
    _written(picture, str(value), WIDTH_MM / 2, HEIGHT_MM / 2, 16.0, (250, 250, 250))
    return _both_ways_up(picture, str(value), 6.0, (250, 250, 250))


PIPS = [(0.35, 0.3), (0.65, 0.7), (0.65, 0.3), (0.35, 0.7), (0.5, 0.5)]


def pips(colour: str, value: int) -> Picture:
    """White pips and figures in white boxes on a ground of the colour's own."""
    shade = np.random.default_rng(sorted(INKS).index(colour)).uniform(0.6, 1.2, (15, 10, 1))
    ground = cv2.resize(shade, (WIDTH_MM * PX_PER_MM, HEIGHT_MM * PX_PER_MM), interpolation=cv2.INTER_NEAREST)
    picture = np.clip(ground[:, :, None] * np.array(INKS[colour]), 0, 255).astype(np.uint8)
    for x, y in PIPS[:value]:
        at = (round(x * WIDTH_MM * PX_PER_MM), round(y * HEIGHT_MM * PX_PER_MM))
        cv2.circle(picture, at, 38, (225, 245, 250), -1, cv2.LINE_AA)
    for _ in range(2):
        cv2.rectangle(picture, (40, 40), (155, 170), (225, 245, 250), -1)
        picture = np.ascontiguousarray(picture[::-1, ::-1])
    return _both_ways_up(picture, str(value), 6.5, (30, 20, 20))


def stripes() -> Picture:
    """Fine stripes round a patch: what a camera sees of it is finer than guesses are near."""
    picture = _blank((40, 50, 70))
    for start in range(-picture.shape[0], picture.shape[1], 46):
        end = (start + picture.shape[0], picture.shape[0])
        cv2.line(picture, (start, 0), end, (120, 140, 150), 6, cv2.LINE_AA)
    cv2.circle(picture, (picture.shape[1] // 2, picture.shape[0] // 2), 120, (50, 60, 180), -1, cv2.LINE_AA)
    return picture


def make_deck(folder: Path, draw: Callable[[str, int], Picture]) -> Deck:
    cv2.imwrite(str(folder / "back.png"), stripes())
    cards = []
    for colour in INKS:
        for value in VALUES:
            file = folder / f"{colour}-{value}.png"
            cv2.imwrite(str(file), draw(colour, value))
            cards.append(Card(f"{colour}-{value}", file, colour, value))
    return Deck("drawn", float(WIDTH_MM), float(HEIGHT_MM), 3.0, tuple(cards), back=folder / "back.png")


class Laid:
    """A table with cards of a deck on it, each over those before it."""

    def __init__(self, folder: Path, seed: int, draw: Callable[[str, int], Picture]) -> None:
        self.deck = make_deck(folder, draw)
        self.still = StillTable(seed, self.deck)
        self.empty = folder / "empty.png"
        cv2.imwrite(str(self.empty), self.still.empty())

    def lay(self, *cards: tuple[str, float, float, float]) -> Picture:
        """`cards` are (id or "back", x mm, y mm, degrees)."""
        self.still.renderer.clear()
        for number, (card, x, y, degrees) in enumerate(cards):
            plate = self.still.faces.back() if card == "back" else self.still.faces.face(card)
            self.still.renderer.lay(plate, CardPose.flat(x, y, degrees, 0.35 * (number + 1)))
        self.still.renderer.settle()
        return self.still.renderer.picture()

    def read(self, picture: Picture) -> Reading:
        reader = TableReader(replace(self.still.scene.table, empty=self.empty), self.deck, hold_pose=False)
        reading = reader.read(Frame(picture, 0.0, 0, "test", "still.png"))
        assert isinstance(reading, Reading)
        return reading


def _near(reading: Reading, x_mm: float, y_mm: float) -> Lie:
    (lie,) = [
        lie
        for lie in reading.lies
        if lie.centre_mm is not None and np.hypot(lie.centre_mm[0] - x_mm, lie.centre_mm[1] - y_mm) < 2.0
    ]
    return lie


@pytest.mark.parametrize(
    ("seed", "degrees"),
    [
        (1700, 155.0),
        *(pytest.param(*on, marks=pytest.mark.thorough) for on in ((1700, 24.0), (1702, 24.0), (1702, 155.0))),
    ],
)
def test_a_back_of_fine_stripes_is_found(tmp_path: Path, seed: int, degrees: float) -> None:
    laid = Laid(tmp_path, seed, pips)
    reading = laid.read(laid.lay(("back", -33.0, -4.0, degrees), ("blue-4", 70.0, 40.0, 70.0)))
    lie = _near(reading, -33.0, -4.0)
    assert (lie.face, lie.landing, lie.card) == (Face.DOWN, Landing.FLAT, None)
    assert _near(reading, 70.0, 40.0).card == "blue-4"


@pytest.mark.parametrize("bright_from_mm", [4.0, 8.0])
def test_a_bright_thing_over_a_part_of_a_dark_card_leaves_the_rest_to_be_seen(
    tmp_path: Path, bright_from_mm: float
) -> None:
    faces = DeckFaces(make_deck(tmp_path, dark))
    tiles = cut_face(faces, faces.index("blue-1"), 1.0)
    x_mm, value = tiles.places[0], tiles.light[0]
    noise = np.random.default_rng(1).normal(0.0, 2.0, len(value))
    seen = np.where(x_mm > bright_from_mm, 175.0, 0.8 * value + 12.0) + noise
    nats, shown, enough = shown_tiles(tiles, seen, None)
    columns = shown.shape[1]
    dark_still = (np.arange(columns) + 1) / columns * WIDTH_MM - WIDTH_MM / 2 < bright_from_mm
    assert enough.all()
    assert shown[:, dark_still].all()
    assert not shown[:, ~dark_still][:, 1:].any()
    assert nats[:, dark_still].min() > -1.0


@pytest.mark.parametrize("seed", [1700, pytest.param(1703, marks=pytest.mark.thorough)])
def test_the_print_of_what_covers_a_card_is_not_taken_for_its_own(tmp_path: Path, seed: int) -> None:
    """The upper card's white box lies where the lower one would have its third pip, had it three."""
    laid = Laid(tmp_path, seed, pips)
    box_x, box_y = -WIDTH_MM / 2 + 8.0, HEIGHT_MM / 2 - 9.0
    third_x, third_y = (PIPS[2][0] - 0.5) * WIDTH_MM, (0.5 - PIPS[2][1]) * HEIGHT_MM
    picture = laid.lay(("green-2", 0.0, 0.0, 0.0), ("red-4", third_x - box_x, third_y - box_y, 0.0))
    assert _near(laid.read(picture), 0.0, 0.0).card == "green-2"


@pytest.mark.parametrize("seed", [1701, pytest.param(1704, marks=pytest.mark.thorough)])
def test_a_nearly_blank_card_is_measured_by_its_few_lines(tmp_path: Path, seed: int) -> None:
    laid = Laid(tmp_path, seed, sparing)
    at = (12.0, -30.0)
    reading = laid.read(laid.lay(("green-5", *at, 40.0), ("blue-3", -75.0, 45.0, 100.0)))
    lie = _near(reading, *at)
    assert (lie.card, lie.landing, lie.sure) == ("green-5", Landing.FLAT, True)
    assert lie.centre_mm is not None
    assert np.hypot(lie.centre_mm[0] - at[0], lie.centre_mm[1] - at[1]) < 0.25
    assert lie.tilt_deg is not None
    assert lie.tilt_deg < 0.5
