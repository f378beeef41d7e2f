"""A disc in the colour of its cloth is found by the line of shadow about its foot, and none where there is no such
line."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.tokens.discs import faint_rims
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.faint_rims import bare_cloth, correlations, faint_rim, printed_rings
from arena_cam.vision.tokens.discs.owner_search import OwnerSearch, is_clear
from arena_cam.vision.tokens.view.top_view import TopView
from vision.tokens.scenes import plain_light

RADIUS_MM, PX_PER_MM, SIDE = 10.0, 2.0, 300
CLOTH, BLACK, RED = (40, 36, 34), (40, 36, 34), (48, 44, 200)


def cloth_with(darker: int = 0, at: tuple[int, int] = (110, 130), open_deg: float = 360.0) -> TopView:
    """A cloth with grain, and a line that is so many grey levels darker about the foot of a disc of its colour."""
    pixels = np.full((SIDE, SIDE, 3), CLOTH, np.float32)
    rng = np.random.default_rng(3)
    pixels += cv2.GaussianBlur(rng.normal(0.0, 6.0, pixels.shape).astype(np.float32), (0, 0), 1.0)
    shadow = np.zeros((SIDE, SIDE), np.float32)
    radius = round(RADIUS_MM * PX_PER_MM)
    cv2.ellipse(shadow, at, (radius, radius), 0.0, 0.0, open_deg, 1.0, 1, cv2.LINE_AA)
    pixels -= darker * shadow[..., None]
    return TopView(pixels, np.ones((SIDE, SIDE), bool), np.zeros(2), PX_PER_MM)


def everywhere() -> NDArray[np.bool_]:
    return np.ones((SIDE, SIDE), bool)


def test_a_cloth_alone_has_no_rim() -> None:
    assert faint_rim(cloth_with(), RADIUS_MM, everywhere(), everywhere()) is None
    assert faint_rim(cloth_with(), RADIUS_MM, everywhere(), ~everywhere()) is None
    assert faint_rim(cloth_with(), RADIUS_MM, ~everywhere(), everywhere()) is None


def test_a_line_no_darker_than_grain_is_found_where_it_goes_all_round() -> None:
    found = faint_rim(cloth_with(darker=6), RADIUS_MM, everywhere(), everywhere())
    assert found is not None
    middle, share = found
    assert np.linalg.norm(middle - (np.array([110, 130]) + 0.5) / PX_PER_MM) < 1.0
    assert share > 0.75


def test_part_of_a_circle_is_no_rim_and_so_is_what_lies_out_of_reach() -> None:
    assert faint_rim(cloth_with(darker=6, open_deg=110.0), RADIUS_MM, everywhere(), everywhere()) is None
    far = everywhere()
    far[:, :200] = False
    assert faint_rim(cloth_with(darker=6), RADIUS_MM, everywhere(), far) is None


def test_a_picture_of_half_the_size_tells_where_no_circle_may_stand_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    strengths = vars(faint_rims)["_strengths"]

    def noted(line: NDArray[np.float32], *rest: Any) -> list[NDArray[np.float32]]:
        asked.append(len(line))
        found: list[NDArray[np.float32]] = strengths(line, *rest)
        return found

    monkeypatch.setattr(faint_rims, "_strengths", noted)
    for darker, looks in ((0, [SIDE // 2]), (6, [SIDE // 2, SIDE])):
        asked.clear()
        faint_rim(cloth_with(darker), RADIUS_MM, everywhere(), everywhere())
        assert asked == looks


def test_cards_and_pieces_and_their_shadows_are_no_cloth() -> None:
    view = cloth_with()
    card = np.array([[10.0, 10.0], [50.0, 10.0], [50.0, 60.0], [10.0, 60.0]])
    bare = bare_cloth(view, [card], [(np.array([100.0, 100.0]), 10.0)])
    on_card, beside_it, on_disc, in_its_shadow, away = (70, 60), (70, 104), (200, 200), (200, 230), (250, 50)
    assert [bool(bare[at]) for at in (on_card, beside_it, on_disc, in_its_shadow, away)] == [False] * 4 + [True]


def test_a_black_disc_on_black_cloth_is_one_and_its_colour_is_told() -> None:
    plain = [np.full((100, 100, 3), colour, np.uint8) for colour in (BLACK, RED)]
    search = OwnerSearch(DiscPrints(plain, RADIUS_MM))
    view = cloth_with(darker=7)
    assert search.search(view, [plain_light], everywhere()) == []
    (thing,) = search.faint(view, [plain_light], everywhere(), everywhere())
    assert thing.is_dark
    assert thing.disc is not None
    assert thing.disc.kind == 0
    assert is_clear(thing.disc)
    assert search.faint(cloth_with(), [plain_light], everywhere(), everywhere()) == []


def test_correlations_are_those_of_a_filter_and_beyond_the_border_lies_nothing() -> None:
    rng = np.random.default_rng(4)
    pictures = [rng.random((40, 53)).astype(np.float32) for _ in range(2)]
    windows = [rng.random((side, side)).astype(np.float32) for side in (7, 11)]
    found = correlations(pictures, windows)
    for window, of_window in zip(windows, found, strict=True):
        for picture, there in zip(pictures, of_window, strict=True):
            filtered = cv2.filter2D(picture, cv2.CV_32F, window, borderType=cv2.BORDER_CONSTANT)
            assert there.shape == picture.shape
            assert np.abs(there - filtered).max() < 1e-4


def ringed(ground: int, ring: int) -> NDArray[np.uint8]:
    """A disc's picture with a printed ring."""
    image = np.full((200, 200, 3), ground, np.uint8)
    cv2.circle(image, (100, 100), 45, (ring, ring, ring), 8, cv2.LINE_AA)
    return image


def white_cloth_with(at: tuple[int, int] | None, ring: int = 60) -> TopView:
    """A white cloth with grain and a dark vein, and a white disc of no visible rim whose ring shows."""
    view = cloth_with()
    pixels = view.pixels + 190.0
    cv2.line(pixels, (20, 20), (280, 90), (120, 120, 120), 5)
    if at is not None:
        cv2.circle(pixels, at, 9, (ring, ring, ring), 2, cv2.LINE_AA)
    return TopView(np.asarray(pixels, np.float32), view.inside, view.origin_mm, PX_PER_MM)


def test_a_disc_in_the_colour_of_its_cloth_is_found_by_its_printed_ring() -> None:
    prints = DiscPrints([ringed(230, 40), ringed(30, 220)], RADIUS_MM)  # one ring in two shades is one
    (found,) = printed_rings(white_cloth_with((110, 130)), prints, everywhere())
    middle, alike = found
    assert np.linalg.norm(middle - (np.array([110, 130]) + 0.5) / PX_PER_MM) < 1.0
    assert alike > 0.8
    assert printed_rings(white_cloth_with(None), prints, everywhere()) == []
    far = everywhere()
    far[:, :200] = False
    assert printed_rings(white_cloth_with((110, 130)), prints, far) == []
    assert printed_rings(white_cloth_with((110, 130)), prints, ~everywhere()) == []
    plain = DiscPrints([np.full((200, 200, 3), 230, np.uint8)], RADIUS_MM)
    assert printed_rings(white_cloth_with((110, 130)), plain, everywhere()) == []


def test_a_ringed_disc_has_the_colour_that_it_shows() -> None:
    search = OwnerSearch(DiscPrints([ringed(40, 220), ringed(230, 60)], RADIUS_MM))
    (thing,) = search.ringed(white_cloth_with((110, 130)), [plain_light], everywhere(), everywhere())
    assert thing.disc is not None
    assert thing.disc.kind == 1
    assert is_clear(thing.disc)
