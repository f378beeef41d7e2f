"""A face straightened from a known place in a picture, its corners measured, its rim cleaned."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.folder import read_picture
from arena_cam.domain.errors import CannotDo
from arena_cam.geometry.arrays import Array
from arena_cam.vision.deck_learning.straightening import (
    PX_PER_MM,
    Pixels,
    corner_radius_mm,
    picture_size,
    png_of,
    px_per_mm,
    save_overview,
    straighten,
    trimmed,
)
from arena_cam.vision.picture.linear_light import Linear, linear_light, srgb
from vision.small import HEIGHT_MM, WIDTH_MM, blotches, painted_at, small_deck


def upright(scale: float, left: float = 30.0, top: float = 20.0) -> Pixels:
    """A card seen from straight above, at so many pixels a millimetre."""

    def pixels(shares: Array) -> Array:
        return np.asarray(shares * (WIDTH_MM * scale, HEIGHT_MM * scale) + (left, top))

    return pixels


def from_corners(corners_px: Array) -> Pixels:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    homography = cv2.getPerspectiveTransform(square, corners_px.astype(np.float32))

    def pixels(shares: Array) -> Array:
        return np.asarray(cv2.perspectiveTransform(shares[None].astype(np.float64), homography)[0], np.float64)

    return pixels


def rounded(radius_mm: float, scale: float = 6.0, ground: float = 0.1, level: float = 0.8) -> Linear:
    """A card with rounded corners where `upright(scale)` has it."""
    finer = 4
    height, width = (round(side * scale + 60) * finer for side in (HEIGHT_MM, WIDTH_MM))
    down, across = (axis.astype(np.float32) for axis in np.ogrid[0:height, 0:width])
    x, y = (across + 0.5) / finer - 0.5 - 30.0, (down + 0.5) / finer - 0.5 - 20.0
    radius = radius_mm * scale
    dx = np.abs(x - WIDTH_MM * scale / 2) - (WIDTH_MM * scale / 2 - radius)
    dy = np.abs(y - HEIGHT_MM * scale / 2) - (HEIGHT_MM * scale / 2 - radius)
    outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0) - radius
    light = np.where(outside < 0, level, ground).astype(np.float32)
    seen = cv2.resize(light, (width // finer, height // finer), interpolation=cv2.INTER_AREA)
    return np.asarray(np.repeat(cv2.GaussianBlur(seen, (0, 0), 0.8)[..., None], 3, axis=2), np.float32)


@pytest.mark.parametrize("scale", [0.5, 2.0, 11.0])
def test_the_scale_is_that_of_the_outline(scale: float) -> None:
    assert px_per_mm(upright(scale), WIDTH_MM, HEIGHT_MM) == pytest.approx(scale, rel=1e-5)


@pytest.mark.parametrize(
    "corners",
    [
        [[40, 30], [340, 30], [340, 449], [40, 449]],
        [[70, 40], [350, 80], [320, 470], [25, 400]],
        [[340, 449], [40, 449], [40, 30], [340, 30]],
    ],
    ids=["upright", "from an angle", "upside down"],
)
def test_a_face_is_as_it_was_printed_wherever_it_lay(corners: list[list[float]]) -> None:
    at = np.array(corners, np.float64)
    print_ = blotches(3)
    picture = painted_at(np.full((500, 400, 3), 60, np.uint8), print_, at)
    face = srgb(straighten(linear_light(picture), from_corners(at), WIDTH_MM, HEIGHT_MM))
    assert face.shape[1::-1] == picture_size(WIDTH_MM, HEIGHT_MM)
    wanted = cv2.resize(print_, face.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    inner = (slice(24, -24), slice(24, -24))
    assert np.abs(face[inner].astype(float) - wanted[inner]).mean() < 3.0


def test_a_finer_picture_is_averaged() -> None:
    """Stripes of black and white, one pixel wide each, are half as light; picked at points they would be streaks."""
    scale = 2 * PX_PER_MM
    stripes = np.zeros((round(HEIGHT_MM * scale), round(WIDTH_MM * scale), 3), np.float32)
    stripes[:, ::2] = 1.0
    face = straighten(stripes, upright(scale, -0.5, -0.5), WIDTH_MM, HEIGHT_MM)
    assert np.abs(face[:, 4:-4] - 0.5).max() < 0.05


@pytest.mark.parametrize("radius_mm", [1.5, 3.0, 4.5])
@pytest.mark.parametrize(("ground", "level"), [(0.1, 0.8), (0.7, 0.1)])
def test_the_radius_of_the_corners_is_measured(radius_mm: float, ground: float, level: float) -> None:
    light = rounded(radius_mm, ground=ground, level=level)
    found = corner_radius_mm(light, upright(6.0), WIDTH_MM, HEIGHT_MM)
    assert found == pytest.approx(radius_mm, abs=0.6)


def test_corners_that_do_not_show_have_no_radius() -> None:
    assert corner_radius_mm(rounded(3.0, ground=0.8), upright(6.0), WIDTH_MM, HEIGHT_MM) is None


def test_one_covered_corner_does_not_count() -> None:
    light = rounded(3.0)
    light[:120, :120] = 0.4
    assert corner_radius_mm(light, upright(6.0), WIDTH_MM, HEIGHT_MM) == pytest.approx(3.0, abs=0.4)


def test_nothing_to_trim_changes_nothing() -> None:
    face = blotches(1, *picture_size(WIDTH_MM, HEIGHT_MM))
    assert np.array_equal(trimmed(face, 0.0, 0.0), face)


def test_the_rim_and_the_corners_are_painted_over_from_inside() -> None:
    """A red card on green cloth: no green is left, and what lies within stays as it is."""
    width, height = picture_size(WIDTH_MM, HEIGHT_MM)
    x, y = np.arange(width) + 0.5, np.arange(height) + 0.5
    radius, rim = 3.0 * PX_PER_MM, 0.4 * PX_PER_MM
    dx = np.maximum(np.abs(x - width / 2) - (width / 2 - radius), 0)[None, :]
    dy = np.maximum(np.abs(y - height / 2) - (height / 2 - radius), 0)[:, None]
    depth = np.minimum(np.minimum(x, width - x)[None, :], np.minimum(y, height - y)[:, None])
    cloth = (np.hypot(dx, dy) > radius - rim) | (depth < rim)
    face = np.where(cloth[..., None], (0, 200, 0), (0, 0, 200)).astype(np.uint8)
    face[100:300, 100:300] = (200, 0, 0)
    out = trimmed(face, 3.0, 0.4)
    assert not (out[..., 1] > 0).any()
    assert np.array_equal(out[~cloth], face[~cloth])
    assert (trimmed(face, 0.0, 0.4)[..., 1] > 0).any()  # the corners stayed


def test_a_png_holds_every_pixel() -> None:
    face = blotches(5)
    again = cv2.imdecode(np.frombuffer(png_of(face), np.uint8), cv2.IMREAD_COLOR)
    assert again is not None
    assert np.array_equal(again, face)


def test_the_overview_shows_every_face_and_the_back(tmp_path: Path) -> None:
    colours = [(200, 30, 30), (30, 200, 30), (30, 30, 200)]
    deck = small_deck(tmp_path, [np.full((352, 252, 3), colour, np.uint8) for colour in colours], back=True)
    sheet = read_picture(save_overview(deck, tmp_path / "overview.jpg"))
    assert sheet.shape[1] == 4 * 156
    for k, colour in enumerate(colours):
        assert sheet[100, k * 156 + 75].astype(int) == pytest.approx(colour, abs=6)


def test_an_overview_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    deck = small_deck(tmp_path)
    with pytest.raises(CannotDo, match="name a folder where you may write"):
        save_overview(deck, tmp_path / "nowhere" / "overview.jpg")
