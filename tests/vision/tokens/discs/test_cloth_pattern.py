"""What looks round and is seen elsewhere on the cloth, too, is its pattern."""

from __future__ import annotations

import cv2
import numpy as np

from arena_cam.vision.tokens.discs.cloth_pattern import is_repeated
from arena_cam.vision.tokens.view.top_view import TopView

RADIUS_MM, PX_PER_MM, CHECK_MM = 10.0, 2.0, 18.0
MIDDLE = np.array([99.0, 99.0])  # of a white check
ALL_BARE = np.ones((400, 400), bool)


def check_cloth() -> TopView:
    """A cloth of red and white checks with some weave, 200 mm by 200 mm."""
    rng = np.random.default_rng(3)
    at = (np.arange(400) / PX_PER_MM // CHECK_MM).astype(int) % 2
    pixels = np.where((at[:, None] ^ at)[..., None], (40.0, 40.0, 190.0), (230.0, 230.0, 230.0))
    pixels += rng.normal(0.0, 12.0, pixels.shape)
    return TopView(np.asarray(pixels, np.float32), np.ones((400, 400), bool), np.zeros(2), PX_PER_MM)


def with_disc(view: TopView, middle: tuple[float, float]) -> TopView:
    pixels = view.pixels.copy()
    at = np.round(view.at(np.array([middle]))[0]).astype(int).tolist()
    cv2.circle(pixels, at, round(RADIUS_MM * PX_PER_MM), (40.0, 160.0, 60.0), -1, cv2.LINE_AA)
    return TopView(pixels, view.inside, view.origin_mm, view.px_per_mm)


def test_a_check_is_seen_elsewhere_on_its_cloth() -> None:
    assert is_repeated(check_cloth(), MIDDLE, RADIUS_MM, [], ALL_BARE)


def test_a_disc_lies_on_a_check_cloth_once() -> None:
    assert not is_repeated(with_disc(check_cloth(), (99.0, 99.0)), MIDDLE, RADIUS_MM, [], ALL_BARE)


def test_what_is_known_to_lie_elsewhere_is_no_pattern() -> None:
    plain = TopView(np.full((400, 400, 3), 120.0, np.float32), np.ones((400, 400), bool), np.zeros(2), PX_PER_MM)
    both = with_disc(with_disc(plain, (99.0, 99.0)), (60.0, 99.0))
    assert is_repeated(both, MIDDLE, RADIUS_MM, [], ALL_BARE)
    assert not is_repeated(both, MIDDLE, RADIUS_MM, [np.array([60.0, 99.0])], ALL_BARE)


def test_at_the_border_of_the_view_nothing_is_told() -> None:
    assert not is_repeated(check_cloth(), np.array([5.0, 99.0]), RADIUS_MM, [], ALL_BARE)
    assert not is_repeated(check_cloth(), np.array([-99.0, 99.0]), RADIUS_MM, [], ALL_BARE)


def test_beside_a_card_the_bare_cloth_is_compared() -> None:
    view, bare = check_cloth(), ALL_BARE.copy()
    bare[:205, :190] = False
    view.pixels[~bare] = (20.0, 160.0, 40.0)
    assert not is_repeated(view, MIDDLE, RADIUS_MM, [], ALL_BARE)
    assert is_repeated(view, MIDDLE, RADIUS_MM, [], bare)
    assert not is_repeated(with_disc(view, (99.0, 99.0)), MIDDLE, RADIUS_MM, [], bare)
    bare[:, :210] = False
    assert not is_repeated(view, MIDDLE, RADIUS_MM, [], bare)  # too little of it is bare
