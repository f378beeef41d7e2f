"""Cards laid into an arena one by one: frame after frame goes in, and each rest gives one answer."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.domain.messages import Message
from arena_cam.vision.deck_learning.card_taker import CardTaker, EmptyArena, TakenCard
from vision.small import HEIGHT_MM, WIDTH_MM, blotches, camera_above, empty_table, frame, painted, small_table

PICTURE_PX = (640, 480)
TABLE = small_table(2.0, PICTURE_PX)
CAMERA = camera_above(2.0, PICTURE_PX)
FPS = 10.0
REST = 6  # frames: 0.6 s
NOISE = np.random.default_rng(0).standard_normal((5, *PICTURE_PX[::-1], 3), np.float32)  # grey levels
SIZE_MM = (WIDTH_MM, HEIGHT_MM)

Answer = EmptyArena | TakenCard | Message


def rectangle(x_mm: float, y_mm: float, size_mm: tuple[float, float], turn_deg: float = 0.0) -> np.ndarray:
    turn = np.radians(turn_deg)
    half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array(size_mm) / 2
    at = half @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + (x_mm, y_mm)
    return np.column_stack([at, np.full(4, 0.3)])


@pytest.fixture(scope="module")
def empty() -> Image:
    """In light that leaves white paper at 204."""
    return np.asarray(0.8 * empty_table(TABLE, CAMERA, floor=90), np.uint8)


def with_card(picture: Image, x_mm: float = 10.0, y_mm: float = -5.0, turn_deg: float = 20.0) -> Image:
    """Dark blotches in a pale frame of 3 mm."""
    print_ = np.asarray(blotches(6) // 2, np.uint8)
    for edge in (print_[:12], print_[-12:], print_[:, :12], print_[:, -12:]):
        edge[:] = 190
    return painted(picture, print_, CAMERA, rectangle(x_mm, y_mm, SIZE_MM, turn_deg))


def shown(pictures: Iterable[Image], taker: CardTaker) -> list[Answer]:
    """The answers to pictures as a camera with a little noise takes them."""
    answers = []
    for k, picture in enumerate(pictures):
        noisy = np.clip(picture + NOISE[k % len(NOISE), : picture.shape[0], : picture.shape[1]], 0, 255).astype(
            np.uint8
        )
        answer = taker.feed(frame(noisy, k / FPS, k))
        if answer is not None:
            answers.append(answer)
    return answers


def answer_to(picture: Image, empty: Image, size_mm: tuple[float, float] | None = SIZE_MM) -> Answer:
    (answer,) = shown([picture] * 12, CardTaker(TABLE, FPS, size_mm, empty))
    return answer


def test_nothing_is_answered_before_the_rest_is_over(empty: Image) -> None:
    assert shown([empty] * (REST - 1), CardTaker(TABLE, FPS, SIZE_MM)) == []


def test_an_empty_arena_is_known_as_such_once(empty: Image) -> None:
    assert shown([empty] * 20, CardTaker(TABLE, FPS, SIZE_MM)) == [EmptyArena()]
    assert answer_to(empty, empty) == EmptyArena()


@pytest.mark.parametrize("size_mm", [SIZE_MM, None], ids=["size known", "size measured"])
def test_a_card_is_taken_where_it_lies(empty: Image, size_mm: tuple[float, float] | None) -> None:
    taken = answer_to(with_card(empty), empty, size_mm)
    assert isinstance(taken, TakenCard)
    assert taken.centre_mm == pytest.approx((10.0, -5.0), abs=0.15)
    assert taken.angle_deg == pytest.approx(20.0, abs=0.3)
    assert taken.size_mm == pytest.approx(SIZE_MM, abs=0.25)
    assert taken.px_per_mm == pytest.approx(2.0, rel=0.02)


def test_a_face_is_in_the_light_of_the_fiducials_paper(empty: Image) -> None:
    """The fiducials' white is 204 here and shall be 238; the card is lit alike."""
    taken = answer_to(with_card(empty), empty)
    assert isinstance(taken, TakenCard)
    print_ = cv2.resize(blotches(6) // 2, taken.image.shape[1::-1], interpolation=cv2.INTER_AREA)
    inner = (slice(48, -48), slice(48, -48))
    assert np.abs(taken.image[inner] - print_[inner] * (238 / 204)).mean() < 5.0
    assert np.median(taken.image[10:16, 60:-60]) == pytest.approx(190 * 238 / 204, abs=5)


def test_each_card_laid_down_is_answered_once(empty: Image) -> None:
    first, second = with_card(empty), with_card(empty, -20.0, 0.0, -10.0)
    answers = shown([empty] * 10 + [first] * 10 + [empty] * 10 + [second] * 10, CardTaker(TABLE, FPS, SIZE_MM))
    assert [type(each) for each in answers] == [EmptyArena, TakenCard, EmptyArena, TakenCard]


def test_what_still_moves_is_not_looked_at(empty: Image) -> None:
    sliding = [with_card(empty, x_mm, 0.0) for x_mm in np.arange(-30.0, 30.0, 6.0)]
    assert shown(sliding, CardTaker(TABLE, FPS, SIZE_MM, empty)) == []


def test_two_cards_are_one_too_many(empty: Image) -> None:
    answer = answer_to(with_card(with_card(empty, -50.0, 0.0, 0.0), 45.0, 0.0, 0.0), empty)
    assert isinstance(answer, Message)
    assert str(answer).startswith("more than one thing lies in the arena")


def test_a_blurred_card_is_refused(empty: Image) -> None:
    plain = painted(empty, np.full((8, 8, 3), 190, np.uint8), CAMERA, rectangle(10.0, -5.0, SIZE_MM))
    blurred = np.asarray(cv2.GaussianBlur(plain, (0, 0), 2.6), np.uint8)
    answer = answer_to(blurred, empty)
    assert isinstance(answer, Message)
    assert str(answer).startswith("the card is blurred")


def test_burnt_out_paper_is_refused(empty: Image) -> None:
    answer = answer_to(np.clip(1.3 * with_card(empty), 0, 255).astype(np.uint8), empty)
    assert isinstance(answer, Message)
    assert str(answer).startswith("white paper is burnt out in the picture")


def test_a_lamps_mirror_image_is_refused(empty: Image) -> None:
    picture = with_card(empty)
    cv2.circle(picture, (340, 250), 12, (255, 255, 255), -1)
    answer = answer_to(picture, empty)
    assert isinstance(answer, Message)
    assert str(answer).startswith("a lamp mirrors in the card")


def test_without_fiducials_nothing_can_be_measured(empty: Image) -> None:
    answer = answer_to(np.full_like(empty, 120), empty)
    assert isinstance(answer, Message)
    assert str(answer).startswith("fewer than two fiducials are in view")


def test_another_picture_size_is_said_once(empty: Image) -> None:
    small = np.ascontiguousarray(empty[::2, ::2])
    (answer,) = shown([small] * 8, CardTaker(TABLE, FPS, SIZE_MM))
    assert isinstance(answer, Message)
    assert str(answer).startswith("the picture is 320 x 240, the table was measured at 640 x 480")


def test_a_wide_edge_is_no_blur_where_the_fiducials_are_sharp(empty: Image) -> None:
    """A border that fades into the floor has one; the lens is judged by the fiducials."""
    plain = painted(empty, np.full((8, 8, 3), 190, np.uint8), CAMERA, rectangle(10.0, -5.0, SIZE_MM))
    blurred = np.asarray(cv2.GaussianBlur(plain, (0, 0), 2.6), np.uint8)
    outside = np.ones(plain.shape[:2], bool)
    outside[90:390, 170:470] = False
    blurred[outside] = plain[outside]
    answer = answer_to(blurred, empty)
    assert isinstance(answer, TakenCard)
    assert answer.edge_px > 4.5
