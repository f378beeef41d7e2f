"""Cards that lie apart are outlined; round pieces and cards that the border cuts off are none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.domain.messages import Message
from arena_cam.vision.board_learning.cards_apart import find_cards_apart, traced_outline

CARD_MM = (57.0, 87.0)


def test_cards_with_dark_bands_are_outlined_and_a_disc_and_a_cut_card_are_not() -> None:
    grain = np.random.default_rng(5).normal(0, 6, (900, 1400, 1))
    picture = np.clip(np.array([90, 92, 90]) + grain, 0, 255).astype(np.uint8)
    middles = [(250, 250), (500, 262), (760, 245), (252, 620), (505, 640)]
    for k, at in enumerate(middles):
        corners = cv2.boxPoints(((float(at[0]), float(at[1])), (171.0, 261.0), 3.0 * k - 5.0))
        cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), (210, 220, 225), cv2.LINE_AA)
        band = cv2.boxPoints(((float(at[0]), float(at[1])), (171.0, 60.0), 3.0 * k - 5.0))
        cv2.fillConvexPoly(picture, np.round(band).astype(np.int32), (60, 140, 50), cv2.LINE_AA)
    cv2.circle(picture, (1000, 600), 110, (220, 220, 220), -1)
    picture[-150:, 1100:1271] = (210, 220, 225)
    found = find_cards_apart(picture, CARD_MM)
    seen = sorted(tuple(np.round(outline.mean(axis=0)).astype(int)) for outline in found)
    assert len(seen) == len(middles)
    assert np.abs(np.array(seen) - np.array(sorted(middles))).max() <= 2
    sizes = [cv2.contourArea(outline.astype(np.float32)) / (171 * 261) for outline in found]
    assert 0.9 < min(sizes) <= max(sizes) < 1.1
    assert find_cards_apart(np.full((400, 600, 3), 90, np.uint8), CARD_MM) == []


@pytest.mark.whole
def test_a_card_is_traced_to_its_own_edge_and_not_to_a_band_printed_along_it() -> None:
    picture = np.full((800, 1000, 3), (96, 96, 96), np.uint8)
    card = np.full((609, 399, 3), (225, 228, 230), np.uint8)
    card[:90] = (60, 130, 50)
    card[-14:] = (60, 130, 50)
    flat = np.array([[0, 0], [399, 0], [399, 609], [0, 609]], np.float32) - 0.5
    turn = cv2.getRotationMatrix2D((199.0, 304.0), -4.0, 1.0)[:, :2].astype(np.float32)
    true = (flat - [199, 304]).astype(np.float32) @ turn.T + np.array([500, 400], np.float32)
    seen = cv2.warpPerspective(card, cv2.getPerspectiveTransform(flat, true), (1000, 800), borderValue=(96, 96, 96))
    picture = np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.8), np.uint8)
    without_band = true + np.array([[0, 0], [0, 0], [0, -14], [0, -14]])
    found = traced_outline(picture, without_band, CARD_MM)
    assert not isinstance(found, Message)
    assert np.abs(found.corners_px - true).max() < 1.0
    empty = np.full((800, 1000, 3), 96, np.uint8)
    assert isinstance(traced_outline(empty, true.astype(np.float64), CARD_MM), Message)
