"""Which of a few faces lies here, by the points at which they differ."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.softness import Softly
from arena_cam.vision.faces.telling import agreement, nobodys, told_apart
from vision.small import Pictures, softly

SHAPE = (120, 84)
WHITE = np.ones(3)
BLUE, VIOLET = (170, 90, 30), (140, 50, 110)


def face(text: str, ink: tuple[int, int, int] = BLUE, paper: int = 245) -> Array:
    """A face that is blank but for one small figure."""
    picture = np.full((*SHAPE, 3), paper, np.uint8)
    cv2.putText(picture, text, (8, 16), cv2.FONT_HERSHEY_DUPLEX, 0.45, ink, 1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.float64)


def seen_softly(faces: list[Array], seen: Array, weight: Array | None = None) -> Softly:
    return softly(np.stack(faces).astype(np.float32), seen, np.ones(SHAPE) if weight is None else weight)


def told(faces: list[Array], seen: Array, weight: Array | None = None) -> Array:
    """By how many nats each face leads or trails the first."""
    nats = told_apart(seen_softly(faces, seen, weight), WHITE)
    return np.asarray(nats - nats[0])


def hazy(face: Array, gain: float, haze: float | Array) -> Array:
    """A face under a haze: light adds, and grey levels are about its square root."""
    return np.asarray(np.sqrt((gain * face) ** 2 + haze**2))


@pytest.mark.parametrize("right", [0, 1, 2])
def test_a_small_figure_on_white_is_told_under_uneven_light(right: int) -> None:
    faces = [face("3"), face("5"), face("8")]
    light = np.linspace(0.5, 0.75, SHAPE[0])[:, None, None] * np.array([0.9, 1.0, 1.05])
    nats = told(faces, faces[right] * light + 6.0)
    assert int(np.argmax(nats)) == right
    assert np.sort(nats)[-1] - np.sort(nats)[-2] > 2.0


def test_the_plainer_the_picture_the_surer_the_name() -> None:
    faces = [face("3"), face("8")]
    rng = np.random.default_rng(4)
    clear, noisy = (0.7 * faces[0] + rng.normal(0.0, sd, faces[0].shape) for sd in (1.0, 90.0))
    assert told(faces, clear)[1] < -4.0
    assert abs(told(faces, noisy)[1]) < -told(faces, clear)[1]


def test_ink_that_a_picture_shows_paler_and_greyer_keeps_its_hue() -> None:
    blue, violet = face("7", BLUE), face("7", VIOLET)
    ink = blue - 245.0
    luma = (ink @ np.array([0.114, 0.587, 0.299]))[:, :, None]
    nats = told([blue, violet], 0.8 * (245.0 + 0.85 * luma + 0.5 * (ink - luma)))
    assert nats[1] < -2.0


def test_colour_that_is_kept_at_half_the_scale_still_tells_a_figure_seen_closely() -> None:
    """As JPEG does: of each four pixels one colour is kept, and their four lights."""
    faces = [face("7", BLUE), face("7", VIOLET)]
    ycc = cv2.cvtColor((0.8 * faces[0]).astype(np.float32), cv2.COLOR_BGR2YCrCb)
    half = cv2.resize(ycc[:, :, 1:], None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    ycc[:, :, 1:] = cv2.resize(half, ycc.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    seen = np.asarray(cv2.cvtColor(ycc, cv2.COLOR_YCrCb2BGR), np.float64)
    lead = {}
    for colour_soft_px in (0.0, 1.4):
        pair = np.stack(faces).astype(np.float32)
        nats = told_apart(softly(pair, seen, np.ones(SHAPE), None, 0.6, colour_soft_px), WHITE)
        lead[colour_soft_px] = nats[0] - nats[1]
    assert lead[1.4] > lead[0.0] + 1.0
    assert lead[1.4] > 4.0


def test_a_figure_out_of_view_tells_nothing() -> None:
    faces = [face("3"), face("5")]
    weight = np.ones(SHAPE)
    weight[:30] = 0.0
    assert told(faces, faces[1], weight) == pytest.approx([0.0, 0.0])


def test_a_card_a_little_beside_its_place_is_read_where_it_lies() -> None:
    faces = [face("3"), face("5"), face("8")]
    seen = np.roll(faces[1], 1, axis=1)
    back = np.roll(seen, -1, axis=1)
    beside = Pictures([(-0.8, back)])
    nats = told_apart(softly(np.stack(faces).astype(np.float32), seen, np.ones(SHAPE), beside), WHITE)
    assert int(np.argmax(nats)) == 1


def shifted(picture: Array, right: float, down: float) -> Array:
    """A picture moved by some points."""
    way = np.array([[1.0, 0.0, right], [0.0, 1.0, down]])
    return np.asarray(cv2.warpAffine(picture, way, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE))


@pytest.mark.parametrize("own", [0, 1])
def test_a_face_whose_place_lies_between_those_looked_at_is_hardly_behind(own: int) -> None:
    """A card is aligned by the print of one face. The same drawn half a point beside it, as one of two sevens is the
    other turned, was compared half a step off, and was behind by what all edges of print say of that: here by 65
    nats."""
    drawn: Array = np.full((*SHAPE, 3), 240.0)
    for row, column in ((row, column) for row in (20, 50, 80) for column in (18, 42, 66)):
        cv2.circle(drawn, (column, row), 7, BLUE, -1, cv2.LINE_AA)
    soft = np.asarray(cv2.GaussianBlur(drawn, (0, 0), 1.0), np.float64)
    noise = cv2.GaussianBlur(np.random.default_rng(3).normal(0.0, 20.0, soft.shape), (0, 0), 0.7)
    faces = [soft, shifted(soft, 0.5, 0.5)]
    seen = 0.8 * faces[own] + noise
    steps = [(x, y) for x in (-2, -1, 0, 1, 2) for y in (-2, -1, 0, 1, 2) if x or y]
    beside = Pictures([(0.0, shifted(seen, -x, y)) for x, y in steps], 0.25 * np.array(steps, np.float32))
    view = softly(np.stack(faces).astype(np.float32), seen, np.ones(SHAPE), beside)
    behind = [abs(float(np.diff(told_apart(view, WHITE, between_places=way))[0])) for way in (False, True)]
    assert behind[0] > 50.0
    assert behind[1] < 20.0


def test_an_even_picture_is_the_even_face_and_not_a_pale_print() -> None:
    even: Array = np.full((*SHAPE, 3), 180.0)
    pips = even.copy()
    pips[30:50, 30:50] = pips[70:90, 30:50] = 40.0
    assert told([even, pips], even * 0.7)[1] < -10.0


def test_candidates_left_over_are_told_apart_as_if_they_were_alone() -> None:
    faces = [face("3"), face("5"), face("8")]
    seen, left = faces[2] * 0.8 + 4.0, np.array([0, 2])
    alone = told_apart(seen_softly([faces[0], faces[2]], seen), WHITE)
    assert np.array_equal(told_apart(seen_softly(faces, seen), WHITE, left), alone)


@pytest.mark.parametrize("right", [0, 1, 2])
def test_under_a_haze_a_figure_of_less_ink_is_not_preferred(right: int) -> None:
    """Gloss brightens all of a card: the print that all candidates share shows how much."""
    faces = [face(text, ink=(36, 34, 40), paper=150) for text in "637"]
    for drawn in faces:
        cv2.rectangle(drawn, (28, 50), (56, 74), (60, 150, 60), -1)
    nats = told(faces, hazy(faces[right], 0.8, 160.0))
    assert int(np.argmax(nats)) == right
    assert np.sort(nats)[-1] - np.sort(nats)[-2] > 2.0


def test_a_face_explains_what_is_seen_of_it_and_little_of_what_lies_elsewhere() -> None:
    faces = [face("3"), face("5"), face("8")]
    all_of_them = np.arange(3)
    right, _ = agreement(seen_softly(faces, 0.7 * faces[1]), WHITE, all_of_them, 1)
    moved, _ = agreement(seen_softly(faces, 0.7 * np.roll(faces[1], 4, axis=1)), WHITE, all_of_them, 1)
    missing, by_nats = agreement(seen_softly(faces, np.full_like(faces[1], 170.0)), WHITE, all_of_them, 1)
    assert right > 0.9
    assert moved < 0.6
    assert missing < 0.0
    assert by_nats > 3.0


def test_what_no_face_explains_lies_on_the_card_and_what_another_one_does_is_its_print() -> None:
    """A figure in two corners; a card that was not found lies over one of them, and over the face of another card."""
    faces = [face("3"), face("5"), face("8")]
    faces = [np.asarray(np.minimum(each, each[::-1, ::-1])) for each in faces]
    these, seen = np.arange(3), 0.7 * faces[1]
    assert nobodys(seen_softly(faces, seen), WHITE, these, 1, 12) is None
    assert nobodys(seen_softly(faces, seen), WHITE, these, 0, 12) is None  # it is the second card's print
    over = seen.copy()
    over[100:, 60:] = 60.0
    over[100::5, 60:] = 190.0
    hidden = nobodys(seen_softly(faces, over), WHITE, these, 1, 12)
    assert hidden is not None
    assert hidden[105:115, 64:74].any()
    assert not hidden[:24, :24].any()
    told_all, told_rest = (
        told_apart(seen_softly(faces, over, weight), WHITE) for weight in (None, np.where(hidden, 0.0, 1.0))
    )
    assert int(np.argmax(told_rest)) == 1
    assert agreement(seen_softly(faces, over, np.where(hidden, 0.0, 1.0)), WHITE, these, 1)[0] > 0.9
    assert agreement(seen_softly(faces, over), WHITE, these, int(np.argmax(told_all)))[0] < 0.6


def test_a_ring_a_little_beside_its_place_tells_nothing_and_other_ink_there_does() -> None:
    """A face turned upside down is its own but for a ring drawn a quarter of a point off the middle."""
    faces = []
    for beside, ink in ((0.0, BLUE), (0.25, BLUE), (0.0, VIOLET)):
        picture = np.full((*SHAPE, 3), 245.0)
        away = np.hypot(*np.meshgrid(np.arange(SHAPE[1]) - 42.0 - beside, np.arange(SHAPE[0]) - 60.0))
        picture += np.exp(-0.5 * ((away - 20.0) / 1.5) ** 2)[:, :, None] * (np.array(ink) - 245.0)
        faces.append(picture)
    seen = 0.7 * faces[0]
    assert np.array_equal(told(faces[:2], seen), [0.0, 0.0])
    assert told([faces[0], faces[2]], seen)[1] < -4.0


@pytest.mark.parametrize("right", [0, 1, 2])
def test_a_figure_on_black_is_told_under_a_sheen_that_comes_and_goes_within_the_card(right: int) -> None:
    """The sheen brightens the card the more the nearer its upper side; what is printed gets no brighter."""
    faces = [face(text, (60, 50, 190), paper=14) for text in ("3", "5", "8")]
    for every in faces:
        for row in range(34, SHAPE[0], 12):
            every[row : row + 2] = (70, 150, 190)
    sheen = np.linspace(120.0, 60.0, SHAPE[0])[:, None, None]
    nats = told(faces, hazy(faces[right], 0.7, sheen))
    assert int(np.argmax(nats)) == right
    assert np.sort(nats)[-1] - np.sort(nats)[-2] > 4.0


def test_dark_paper_under_a_haze_lies_in_the_light_of_the_fiducials_paper() -> None:
    """Where faces are alike all of them are blank, so that nothing there tells gain from haze. Dark paper is light
    under a haze, and seemed to lie in a light ten times as strong: with the contrast that this gives a figure neither
    the blank back nor the face explained what was seen."""
    back: Array = np.full((*SHAPE, 3), (40.0, 20.0, 10.0))
    drawn, weight = back.copy(), np.ones(SHAPE)
    drawn[40:70, 20:50] = (160.0, 172.0, 170.0)
    weight[32:78, 12:58] = 0.0
    weight[44:66, 24:46] = 1.0
    seen = hazy(drawn, 0.8, 150.0)
    share, _ = agreement(seen_softly([back, drawn], seen, weight), np.full(3, 0.64), np.arange(2), 1)
    assert share > 0.9


def test_of_one_ink_under_a_haze_the_figure_has_the_contrast_that_the_paper_says() -> None:
    """Of a card in one ink no second tone tells the light. The fiducials' paper does."""
    faces = [np.full((*SHAPE, 3), (170.0, 90.0, 30.0)), np.full((*SHAPE, 3), (170.0, 90.0, 30.0))]
    for number, each in enumerate(faces):
        cv2.rectangle(each, (30, 40 + 20 * number), (50, 52 + 20 * number), (215, 170, 150), -1)
    seen = hazy(faces[1], 0.8, 140.0)
    nats = told_apart(seen_softly(faces, seen), np.full(3, 0.64))
    share, _ = agreement(seen_softly(faces, seen), np.full(3, 0.64), np.arange(2), 1)
    assert nats[1] - nats[0] > 10.0
    assert share > 0.9


def test_a_bright_figure_that_a_reflection_takes_to_full_scale_keeps_its_ink() -> None:
    """Dark paper in a lamp's reflection lies a little below full scale. A camera shows no more of what is brighter: of
    yellow print there is less to be seen than its ink would add, and of red print as much of red alone."""
    paper: Array = np.full((*SHAPE, 3), (52.0, 26.0, 18.0))
    faces = [paper.copy(), paper.copy()]
    for each, ink in zip(faces, ((80.0, 190.0, 240.0), (95.0, 83.0, 210.0)), strict=True):
        cv2.rectangle(each, (30, 40), (50, 60), ink, -1)
    white = np.full(3, 0.8)
    for right, each in enumerate(faces):
        seen = np.minimum(hazy(each, 0.9, 231.0), 255.0)
        nats = told_apart(seen_softly(faces, seen), white)
        assert nats[right] - nats[1 - right] > 10.0
