"""A card's QR code is read through its pose, and not where the picture is too coarse."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
import segno

from arena_cam.domain.cards import PrintedQr
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.picture.qr_codes import codes_in, find_codes, read_qr
from vision.small import HEIGHT_MM, WIDTH_MM, camera_above, painted

pytest.importorskip("pyzbar.pyzbar", exc_type=ImportError)
QR = PrintedQr("red-8", 20.0, 40.0, 60.0)
POSE = CardPose.flat(3.0, -5.0, 25.0)


def code(text: str, module_px: int = 8) -> np.ndarray:
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="png", scale=module_px, border=4)
    picture = cv2.imdecode(np.frombuffer(out.getvalue(), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    return np.asarray(picture, np.uint8)


def photographed(px_per_mm: float) -> np.ndarray:
    """A grey picture of a card with the code at QR, white elsewhere."""
    camera = camera_above(px_per_mm, (480, 480))
    picture = np.full((480, 480), 255, np.uint8)
    print_ = code(QR.text)
    half = QR.size_mm / 2 * len(print_) / (len(print_) - 2 * 4 * 8)  # with the quiet zone
    x, y = QR.x_mm - WIDTH_MM / 2, HEIGHT_MM / 2 - QR.y_mm
    corners = POSE.points(np.array([x - half, x + half, x + half, x - half]), np.array([y + half] * 2 + [y - half] * 2))
    return painted(picture, print_, camera, corners)


def test_an_even_picture_holds_no_code() -> None:
    assert find_codes(np.full((100, 100), 255, np.uint8)) == []


def test_a_code_is_read_through_the_pose() -> None:
    assert read_qr(photographed(5.0), camera_above(5.0, (480, 480)), POSE, QR, WIDTH_MM, HEIGHT_MM) == "red-8"


def test_where_the_card_does_not_lie_there_is_no_code() -> None:
    away = CardPose.flat(-30.0, 30.0, 205.0)
    assert read_qr(photographed(5.0), camera_above(5.0, (480, 480)), away, QR, WIDTH_MM, HEIGHT_MM) is None


def test_a_picture_too_coarse_is_not_even_asked() -> None:
    # two pixels a module are 2.3 px/mm for a code of 20 mm
    assert read_qr(code("red-8"), camera_above(2.2), POSE, QR, WIDTH_MM, HEIGHT_MM) is None


def test_a_code_seen_straight_is_read_with_its_corners() -> None:
    picture = np.full((400, 400), 255, np.uint8)
    print_ = code("blue-3")
    picture[50 : 50 + len(print_), 80 : 80 + len(print_)] = print_
    (seen,) = find_codes(picture)
    assert seen.text == "blue-3"
    low, high = np.array([80, 50]) + 32, np.array([80, 50]) + len(print_) - 32
    assert np.allclose(seen.corners_px.min(axis=0), low, atol=3)
    assert np.allclose(seen.corners_px.max(axis=0), high, atol=3)
    assert codes_in(np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)) == ["blue-3"]
