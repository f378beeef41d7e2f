"""Cards in photographs: where they lie, to a fraction of a pixel, and what is refused rather than learned wrongly."""

from __future__ import annotations

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

SIZE_MM = (63.0, 88.0)
SIZE_PX = (1000, 750)


def photograph(image: np.ndarray, seed: int, tilt_deg: float = 22.0) -> tuple[np.ndarray, np.ndarray]:
    """A picture of a card near the middle of some table, and its corners."""
    rng = np.random.default_rng(seed)
    at = (float(rng.uniform(-12, 12)), float(rng.uniform(-8, 8)), float(rng.uniform(-14, 14)))
    sheet = Sheet("card", image, *SIZE_MM, 3.0, at)
    picture, truth, _ = render_photograph([sheet], seed, SIZE_PX, height_mm=190.0, tilt_deg=tilt_deg)
    return picture, np.array(truth["cards"][0]["corners_px"])


# On blue felt the edge is where it is; on a pale table the shadow of the card's thickness widens a dark border.
@pytest.mark.parametrize(("seed", "within_mm"), [(3, 0.1), (1, 0.5)])
def test_a_card_is_found_where_it_lies(deck_folder: Path, seed: int, within_mm: float) -> None:
    picture, corners = photograph(read_picture(deck_folder / "red-3.png"), seed)
    found = find_card(picture, *SIZE_MM)
    assert isinstance(found, CardOutline)
    scale = np.linalg.norm(corners[1] - corners[0]) / SIZE_MM[0]
    assert np.linalg.norm(found.corners_px - corners, axis=1).max() < within_mm * scale


def framed_card(margin_mm: float) -> np.ndarray:
    """A white card with a strongly coloured panel inside a white frame."""
    card = np.full((880, 630, 3), 245, np.uint8)
    m = round(margin_mm * 10)
    card[m:-m, m:-m] = (150, 60, 30)
    cv2.circle(card, (315, 440), 150, (240, 240, 240), -1)
    cv2.putText(card, "4", (260, 500), cv2.FONT_HERSHEY_SIMPLEX, 5.0, (20, 20, 20), 20)
    return card


@pytest.mark.parametrize("background", [252, 225, 60])
def test_a_printed_frame_is_not_taken_for_the_card(background: int) -> None:
    scene = np.full((1200, 1000, 3), background, np.uint8)
    scene[150:1030, 180:810] = framed_card(4.0)
    scene = np.asarray(cv2.GaussianBlur(scene, (0, 0), 1.2), np.uint8)
    noisy = np.clip(scene + np.random.default_rng(1).normal(0, 2.0, scene.shape), 0, 255).astype(np.uint8)
    found = find_card(noisy, *SIZE_MM)
    if isinstance(found, Message):
        assert background == 252  # white on white may be refused, with what to do
        assert str(found)
    else:
        assert np.abs(found.corners_px - [[180, 150], [810, 150], [810, 1030], [180, 1030]]).max() < 4.0


def test_a_scan_is_the_card_also_when_it_lies_across_and_has_a_frame(deck_folder: Path) -> None:
    face = read_picture(deck_folder / "violet-5.png")
    for scan, turned in ((face, False), (np.ascontiguousarray(np.rot90(face, -1)), True)):
        deck = PhotographedDeck(*SIZE_MM)
        taken = deck.look(scan)
        assert isinstance(taken, PhotographedFace)
        deck.add("violet-5", taken)
        learned = deck.pictures(3.0)["violet-5"]
        small = cv2.resize(face, (learned.shape[1], learned.shape[0]), interpolation=cv2.INTER_AREA)
        inner = (slice(40, -40), slice(40, -40))
        as_learned = learned[inner].astype(float).ravel()
        upright = np.corrcoef(as_learned, small[inner].ravel())[0, 1]
        upside_down = np.corrcoef(as_learned, small[::-1, ::-1][inner].ravel())[0, 1]
        assert max(upright, upside_down) > 0.98, turned


def test_what_cannot_be_learned_is_refused_with_what_to_do() -> None:
    deck = PhotographedDeck(*SIZE_MM)
    empty = np.full((600, 800, 3), 120, np.uint8)
    assert isinstance(deck.look(empty), Message)
    small = empty.copy()
    small[200:323, 300:388] = cv2.resize(framed_card(3.0), (88, 123))
    refused = deck.look(small)
    assert isinstance(refused, Message)
    assert "come nearer" in str(refused)
    blurred = np.full((1200, 1000, 3), 60, np.uint8)
    blurred[150:1030, 180:810] = framed_card(4.0)
    refused = deck.look(np.asarray(cv2.GaussianBlur(blurred, (0, 0), 9.0), np.uint8))
    assert isinstance(refused, Message)


def test_a_deck_has_one_light_whatever_each_exposure_was(deck_folder: Path) -> None:
    deck = PhotographedDeck(*SIZE_MM)
    for name, exposure in (("red-1", 1.0), ("red-2", 0.7), ("red-3", 0.5)):
        scene = np.full((1200, 1000, 3), (70, 95, 110), np.uint8)
        face = cv2.resize(read_picture(deck_folder / f"{name}.png"), (630, 880), interpolation=cv2.INTER_AREA)
        scene[150:1030, 180:810] = face
        dimmed = 255.0 * (scene / 255.0 * exposure ** (1 / 2.2))
        taken = deck.look(np.round(dimmed).astype(np.uint8))
        assert isinstance(taken, PhotographedFace)
        deck.add(name, taken)
    pictures = deck.pictures(3.0)
    rims = [np.median(picture[4:10, 100:-100].reshape(-1, 3), axis=0) for picture in pictures.values()]
    assert np.ptp(rims, axis=0).max() < 10  # the red border, from 1 to half the exposure
    # white paper is white again
    whites = [np.percentile(picture.min(axis=2), 95) for picture in pictures.values()]
    assert min(whites) > 215


def test_a_frames_inner_edge_is_not_taken_for_a_side_though_the_proportions_would_allow_it(deck_folder: Path) -> None:
    """A green frame on dark blue felt, seen so that the card without its left margin is shaped as a card may be."""
    width, height = 1200, 900
    K = np.array([[986.0, 0.0, (width - 1) / 2], [0.0, 986.0, (height - 1) / 2], [0.0, 0.0, 1.0]])
    camera = looking_down(K, np.zeros(5), np.array([-33.0, -88.0, 213.0]), np.zeros(3), 10.5)
    sheet = Sheet("green-1", read_picture(deck_folder / "green-1.png"), *SIZE_MM, 3.0, (-6.3, 0.4, 5.6))
    picture, truth, _ = render_photograph([sheet], 3, (width, height), camera=camera)
    found = find_card(picture, *SIZE_MM)
    assert isinstance(found, CardOutline)
    assert np.linalg.norm(found.corners_px - truth["cards"][0]["corners_px"], axis=1).max() < 1.0


@pytest.mark.parametrize("size", [(1, 1), (2, 5), (12, 9)])
def test_a_picture_of_a_few_pixels_is_refused(size: tuple[int, int]) -> None:
    picture = np.full((*size, 3), 200, np.uint8)
    assert isinstance(find_card(picture, *SIZE_MM), Message)
