"""Cards photographed on cloth with a weave, squares, another plank beside them: cut where they end, or refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.folder import read_picture
from arena_cam.domain.messages import Message
from arena_cam.simulation.photographs import Sheet, render_photograph
from arena_cam.simulation.rendering.scene import looking_down
from arena_cam.vision.deck_learning.card_outline import CardOutline, find_card
from arena_cam.vision.deck_learning.photographed_deck import PhotographedDeck, PhotographedFace
from arena_cam.vision.deck_learning.surroundings import parting
from arena_cam.vision.picture.linear_light import linear_light

SIZE_MM = (63.0, 88.0)
LINEN = 11
LONG, SHORT = 1000, 800


def test_a_thread_of_the_cloth_is_not_taken_for_the_cards_edge(deck_folder: Path) -> None:
    """From here a thread of the linen runs along the card's lower side, 3 mm outside it."""
    K = np.array([[1273.99, 0.0, 799.5], [0.0, 1273.99, 599.5], [0.0, 0.0, 1.0]])
    dist = np.array([0.019, -0.0077, 0.0, 0.0, 0.0])
    camera = looking_down(K, dist, np.array([3.415, -1.894, 196.891]), np.zeros(3), 17.69)
    card = read_picture(deck_folder / "green-7.png")
    sheet = Sheet("green-7", card, *SIZE_MM, 3.0, (13.507, -6.372, -3.414))
    picture, truth, _ = render_photograph([sheet], LINEN, (1600, 1200), camera=camera)
    as_kept = cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1], cv2.IMREAD_COLOR)
    found = find_card(np.asarray(as_kept, np.uint8), *SIZE_MM)
    assert isinstance(found, CardOutline)
    true = np.array(truth["cards"][0]["corners_px"])
    scale = np.linalg.norm(true[1] - true[0]) / SIZE_MM[0]
    assert np.linalg.norm(found.corners_px - true, axis=1).max() < 0.5 * scale  # the shadow of its thickness: 0.2


def seen(
    card: np.ndarray, ground: np.ndarray, focal: float, tilt_deg: tuple[float, float], size_mm: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    """What a camera of that focal length (shares of the longer side) sees of a card on a ground, and its corners."""
    width, height = SIZE_MM
    K = np.array([[focal * LONG, 0.0, (SHORT - 1) / 2], [0.0, focal * LONG, (LONG - 1) / 2], [0.0, 0.0, 1.0]])
    rotation = cv2.Rodrigues(np.radians([tilt_deg[0], tilt_deg[1], 4.0]))[0]
    half_w, half_h = size_mm[0] / 2, size_mm[1] / 2
    corners = np.array([[-half_w, -half_h, 0], [half_w, -half_h, 0], [half_w, half_h, 0], [-half_w, half_h, 0]])
    away = focal * LONG / 6.5  # 6.5 px/mm
    there = (corners @ rotation.T + (0.0, 0.0, away)) @ K.T
    at = (there[:, :2] / there[:, 2:]).astype(np.float32)
    px = 8
    face = cv2.resize(card, (round(width * px), round(height * px)), interpolation=cv2.INTER_AREA)
    flat = np.array([[0, 0], [face.shape[1], 0], [face.shape[1], face.shape[0]], [0, face.shape[0]]], np.float32) - 0.5
    H = cv2.getPerspectiveTransform(flat, at)
    mask = cv2.warpPerspective(np.ones(face.shape[:2], np.float32), H, (SHORT, LONG))[:, :, None]
    picture = cv2.warpPerspective(face, H, (SHORT, LONG)) * mask + ground * (1.0 - mask)
    noisy = cv2.GaussianBlur(picture, (0, 0), 0.9) + np.random.default_rng(3).normal(0.0, 1.5, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), at.astype(np.float64)


def plain_ground() -> np.ndarray:
    rough = np.random.default_rng(5).normal(0.0, 5.0, (LONG // 3, SHORT // 3)).astype(np.float32)
    return np.array([90.0, 60.0, 50.0]) + cv2.resize(rough, (SHORT, LONG))[:, :, None]


def checked_ground() -> np.ndarray:
    """Red and white squares of 20 mm with a weave."""
    y, x = np.mgrid[0:LONG, 0:SHORT] // 130
    squares = (x % 2 + y % 2)[:, :, None] / 2
    rough = np.random.default_rng(6).normal(0.0, 4.0, (LONG, SHORT, 1))
    return np.asarray(240.0 - squares * (240.0 - np.array([70.0, 70.0, 200.0])) + rough)


def woven_ground() -> np.ndarray:
    """Threads of a millimetre both ways, some darker, as coarse linen has."""
    rng = np.random.default_rng(7)
    across, along = (
        cv2.resize(rng.normal(0.0, 10.0, (n // 7, m // 200)).astype(np.float32), (m, n))
        for n, m in ((LONG, SHORT), (SHORT, LONG))
    )
    return np.asarray(np.array([120.0, 145.0, 155.0]) + (across + along.T)[:, :, None])


def white_bordered(margin_mm: float = 3.0) -> np.ndarray:
    card = np.full((880, 630, 3), 240, np.uint8)
    m = round(margin_mm * 10)
    card[m:-m, m:-m] = (150, 60, 30)
    cv2.circle(card, (315, 440), 150, (240, 240, 240), -1)
    return card


def grown(corners: np.ndarray, by_mm: float, sides: tuple[int, ...]) -> Callable[[np.ndarray], np.ndarray]:
    """An outline with those sides (0 top, 1 right, 2 bottom, 3 left) further out, by its places in the picture."""
    shares = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    x, y = by_mm / SIZE_MM[0], by_mm / SIZE_MM[1]
    for side, ends, out in ((0, [0, 1], (0, -y)), (1, [1, 2], (x, 0)), (2, [2, 3], (0, y)), (3, [3, 0], (-x, 0))):
        if side in sides:
            shares[ends] += out
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    of_card = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    H = of_card @ cv2.getPerspectiveTransform(square, shares.astype(np.float32))
    return lambda places: cv2.perspectiveTransform(np.asarray(places, np.float64)[None], H)[0]


@pytest.mark.parametrize("smaller", [1, 3])  # 6.5 and 2.2 px/mm, the least that is learned from
@pytest.mark.parametrize("ground", [plain_ground, checked_ground, woven_ground])
def test_only_the_cards_own_outline_parts_what_lies_round_it_from_it(
    ground: Callable[[], np.ndarray], smaller: int
) -> None:
    picture, corners = seen(white_bordered(), ground(), 0.8, (12.0, 5.0), SIZE_MM)
    if smaller > 1:
        picture = cv2.resize(picture, None, fx=1 / smaller, fy=1 / smaller, interpolation=cv2.INTER_AREA)
        corners = (corners + 0.5) / smaller - 0.5
    light = linear_light(picture)

    def told(by_mm: float, *sides: int) -> float:
        sides_of = parting(light, grown(corners, by_mm, sides), *SIZE_MM)
        return min(sides_of.clear, sides_of.covered)

    assert told(0.0) > 0.6
    assert told(-3.0, 0, 1, 2, 3) < 0.4  # its frame
    if (
        ground is not checked_ground
    ):  # a cloth's white squares are the border's colour: along one side the shape decides
        assert told(-3.0, 2) < 0.4
        assert told(3.0, 0) < 0.4


def test_a_card_that_fills_its_picture_is_found_by_its_edges() -> None:
    picture, corners = seen(white_bordered(), woven_ground(), 0.8, (12.0, 5.0), SIZE_MM)
    low, high = (
        np.floor(corners.min(axis=0)).astype(int) - 8,
        np.ceil(corners.max(axis=0)).astype(int) + 8,
    )  # a millimetre
    found = find_card(np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]]), *SIZE_MM)
    assert isinstance(found, CardOutline)
    assert np.abs(found.corners_px + low - corners).max() < 0.3 * 6.5


TILTS = [(15.0, 0.0), (0.0, 18.0), (-16.0, 6.0), (8.0, -15.0), (-12.0, -12.0)]


@pytest.fixture(scope="module")
def faces(deck_folder: Path) -> dict[str, PhotographedFace]:
    """Cards photographed one after another by one camera, all as they should be."""
    looking, taken = PhotographedDeck(*SIZE_MM), {}
    for number, tilt in enumerate(TILTS, 1):
        card = read_picture(deck_folder / f"red-{number}.png")
        face = looking.look(seen(card, plain_ground(), 0.8, tilt, SIZE_MM)[0])
        assert isinstance(face, PhotographedFace)
        taken[f"red-{number}"] = face
    return taken


def deck_of(faces: dict[str, PhotographedFace]) -> PhotographedDeck:
    deck = PhotographedDeck(*SIZE_MM)
    for name, face in faces.items():
        deck.add(name, face)
    return deck


def test_what_is_not_shaped_as_the_other_cards_are_is_refused(
    deck_folder: Path, faces: dict[str, PhotographedFace]
) -> None:
    """A card of another game, two millimetres shorter: alone it passes for one that the camera saw a little tilted."""
    deck = deck_of(faces)
    assert not deck.doubtful()
    card = read_picture(deck_folder / "blue-1.png")
    shorter, _ = seen(card, plain_ground(), 0.8, (5.0, -6.0), (63.0, 86.0))
    face = deck.look(shorter)
    assert isinstance(face, PhotographedFace)
    deck.add("blue-1", face)
    (name, lens), *others = deck.doubtful().items()
    assert (name, others) == ("blue-1", [])
    assert lens.focal == pytest.approx(0.8, rel=0.1)
    refused = deck.look_again(name, shorter, lens)
    assert isinstance(refused, Message)
    assert "take it again" in str(refused)
    assert "blue-1" not in deck.faces


def test_another_zoom_alone_is_no_reason_to_refuse_a_card(
    deck_folder: Path, faces: dict[str, PhotographedFace]
) -> None:
    deck = deck_of(faces)
    card = read_picture(deck_folder / "blue-1.png")
    picture, corners = seen(card, plain_ground(), 1.6, (24.0, 8.0), SIZE_MM)
    face = deck.look(picture)
    assert isinstance(face, PhotographedFace)
    deck.add("blue-1", face)
    doubtful = deck.doubtful()
    assert list(doubtful) == ["blue-1"]
    assert deck.look_again("blue-1", picture, doubtful["blue-1"]) is None
    assert np.abs(deck.faces["blue-1"].outline.corners_px - corners).max() < 0.3 * 6.5
