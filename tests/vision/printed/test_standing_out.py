"""Parts of a photograph that stand out from the table are told, and keypoints are looked for in them alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.vision.printed.keypoints import keypoints
from arena_cam.vision.printed.standing_out import StandingOut, keypoints_in, keypoints_standing_out
from vision.small import blotches

HEIGHT, WIDTH = 864, 1536
BOX = slice(300, 480), slice(900, 1020)


def table(grain: float) -> np.ndarray:
    """A table with grain of so many grey levels."""
    rng = np.random.default_rng(5)
    coarse = np.asarray(cv2.GaussianBlur(rng.standard_normal((HEIGHT, WIDTH)), (0, 0), 5.0), np.float64)
    coarse *= grain / float(coarse.std())
    return np.asarray(np.clip(120.0 + np.repeat(coarse[..., None], 3, axis=2), 0, 255), np.uint8)


def with_card(picture: np.ndarray) -> np.ndarray:
    out = picture.copy()
    out[BOX] = blotches(1, 120, 180, cell=9)
    return out


@pytest.mark.parametrize("grain", [0.0, 2.0, 4.0])
def test_a_card_stands_out_from_grain_that_is_the_same_all_over(grain: float) -> None:
    out = StandingOut.of(with_card(table(grain)))
    rows, columns = np.mgrid[BOX[0].start : BOX[0].stop : 6, BOX[1].start : BOX[1].stop : 6]
    assert out.at(np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64)).all()
    assert out.mask.mean() < 0.3


def test_pixels_lie_all_over_what_stands_out() -> None:
    at = StandingOut.of(with_card(table(0.0))).px
    middle = np.array([BOX[1].start + BOX[1].stop, BOX[0].start + BOX[0].stop]) / 2
    assert 2 < len(at) < 40
    assert np.abs(at - middle).max() < 200.0
    every = with_checks().px
    assert len(every) > 100
    assert (np.abs(every / (WIDTH, HEIGHT) - 0.5) < 0.41).all(), "at the border views differ without end"


def test_beside_a_known_card_nothing_else_stands_out_but_another() -> None:
    out = StandingOut.of(with_card(with_card_at(table(2.0), 300)))
    assert not out.beside([outline(BOX), outline(at(300))]).mask.any()
    left = out.beside([outline(at(300))])
    assert left.at(np.array([[960.0, 390.0]])).all()
    assert not left.at(np.array([[360.0, 390.0]])).any()
    low, high = left.corners.min(axis=0), left.corners.max(axis=0)
    assert (np.abs(low - (860, 260)) < 40).all()
    assert (np.abs(high - (1060, 520)) < 40).all()
    inner = left.lively_px
    assert len(inner) > 100
    assert (np.abs(inner - (960.0, 390.0)) < (100.0, 130.0)).all()


@pytest.mark.parametrize(
    ("box", "kept"),
    [
        ((slice(600, 650), slice(500, 550)), False),
        ((slice(600, 620), slice(500, 650)), True),
        ((slice(600, 650), slice(0, 50)), True),
    ],
    ids=["a token", "a strip of a card", "what reaches out of the photograph"],
)
def test_what_stands_alone_and_is_shorter_than_a_card_is_wide_is_left_out(
    box: tuple[slice, slice], *, kept: bool
) -> None:
    picture = with_card(table(2.0))
    picture[box] = blotches(3, box[1].stop - box[1].start, box[0].stop - box[0].start, cell=9)
    left = StandingOut.of(picture).beside([outline(BOX)])
    middle = np.array([[(box[1].start + box[1].stop) / 2, (box[0].start + box[0].stop) / 2]])
    assert left.at(middle).all()
    assert left.but_for_short(57.0, lambda px: px / 2.0).at(middle).all() == kept


def at(left: int) -> tuple[slice, slice]:
    return BOX[0], slice(left, left + 120)


def outline(box: tuple[slice, slice]) -> np.ndarray:
    x, y = (box[1].start, box[1].stop), (box[0].start, box[0].stop)
    return np.array([[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]], np.float64)


def with_card_at(picture: np.ndarray, left: int) -> np.ndarray:
    out = picture.copy()
    out[at(left)] = blotches(2, 120, 180, cell=9)
    return out


def with_checks() -> StandingOut:
    checks = table(0.0)
    checks[(np.indices((HEIGHT, WIDTH)) // 40).sum(axis=0) % 2 == 0] = 220
    return StandingOut.of(checks)


def test_of_a_table_as_lively_as_print_all_stands_out() -> None:
    assert with_checks().mask.mean() > 0.95


def test_nothing_stands_out_of_a_plain_table_nor_beyond_the_photograph() -> None:
    assert not StandingOut.of(table(0.0)).mask.any()
    assert not with_checks().at(np.array([[-500.0, 100.0], [100.0, 5000.0]])).any()


def test_keypoints_of_what_stands_out_are_those_of_the_whole_picture_and_none_is_found_twice() -> None:
    picture = with_card(table(2.0))
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    out = np.zeros((HEIGHT // 4, WIDTH // 4), bool)
    out[65:130, 215:265] = True
    out[100:130, 267:300] = True  # two boxes that reach into each other's keypoints
    every, some = keypoints(grey, 4000), keypoints_in(grey, out, 4000, 0.02)
    on_card = (np.abs(every.xy - np.array([960.0, 390.0])) < np.array([55.0, 85.0])).all(axis=1)
    near = np.linalg.norm(every.xy[on_card][:, None] - some.xy, axis=2).min(axis=1)
    assert on_card.sum() > 30
    assert np.mean(near < 0.5) > 0.9
    assert len(np.unique(np.round(np.column_stack([some.xy, some.frame.reshape(-1, 4)]), 3), axis=0)) == len(some.xy)


def test_the_strongest_are_kept_of_all_boxes_together() -> None:
    picture = with_card(table(4.0))
    picture[600:780, 200:320] = picture[BOX] // 6 + 100  # pale print
    found = keypoints_standing_out(StandingOut.of(picture), 40, 0.01)
    assert len(found.xy) == 40
    assert (found.xy[:, 0] > 800).mean() > 0.9
