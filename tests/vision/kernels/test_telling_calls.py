"""What is compiled about faces that are told apart answers as its twin in numpy does."""

from __future__ import annotations

import ctypes

import cv2
import numpy as np
import pytest

from arena_cam.vision.faces.softness import SoftView
from arena_cam.vision.faces.telling import agreement, told_apart
from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.kernels.telling_calls import laid_beside, lit_apart, said_apart, said_between, shares_of, views_of
from arena_cam.vision.picture.sampling import picture_at
from arena_cam.vision.reading.telling.told_faces import alike_groups
from vision.small import Pictures, softly

SHAPE = (66, 48)
DIM = np.array([0.8, 0.9, 0.7])


def small_print(in_view: float, haze: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, Pictures]:
    """Four blank faces with a patch each in other places, the second of them as it is seen in a dim light under a haze
    that slopes, what is in view of it, and two pictures of it a little beside its place."""
    random = np.random.default_rng(5)
    blank = np.full((*SHAPE, 3), 240.0, np.float32)
    faces = np.stack([blank] * 4)
    for number, face in enumerate(faces):
        face[8 + 6 * number : 20 + 6 * number, 10:30] = random.uniform(0, 200, 3)
    light = faces[1] ** 2 / 255.0 * DIM**2 + haze * np.linspace(0.5, 1.0, SHAPE[1])[:, None]
    seen = np.sqrt(255.0 * light).clip(0.0, 255.0) + random.normal(0.0, 3.0, blank.shape)
    beside = Pictures([(-0.5, np.roll(seen, 1, axis=1)), (-2.0, np.roll(seen, -2, axis=0))])
    return faces, seen, (random.uniform(size=SHAPE) < in_view).astype(np.float64), beside


def warped(picture: np.ndarray, right: float, down: float) -> np.ndarray:
    way = np.array([[1.0, 0.0, right], [0.0, 1.0, down]])
    return cv2.warpAffine(picture, way, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize("these", [[0, 1, 2, 3], [3, 1], [2]])
@pytest.mark.parametrize("haze", [0.0, 70.0, 140.0])  # under the last one paper is brighter than full scale
@pytest.mark.parametrize("in_view", [1.0, 0.4])
def test_small_print_says_the_same_for_each_name(
    library: ctypes.CDLL, in_view: float, haze: float, these: list[int]
) -> None:
    faces, seen, weight, beside = small_print(in_view, haze)
    told = []
    for with_what in (library, None):
        with computing_with(with_what):
            told.append(told_apart(softly(faces, seen, weight, beside), DIM**2, np.array(these)))
    assert told[0] == pytest.approx(told[1], abs=3e-4)  # in single precision
    assert 1 not in these or these[int(np.argmax(told[0]))] == 1


@pytest.mark.parametrize("these", [[0, 1, 2, 3], [3, 1]])
@pytest.mark.parametrize("haze", [0.0, 70.0])
@pytest.mark.parametrize("in_view", [1.0, 0.4])
def test_what_lies_between_two_places_says_the_same(
    library: ctypes.CDLL, in_view: float, haze: float, these: list[int]
) -> None:
    """Of one face printed a little beside its own place, too, on a card laid half a step off those looked at."""
    faces, seen, weight, _ = small_print(in_view, haze)
    faces = np.stack([warped(faces[1], 0.4 * (number - 1), 0.0) for number in range(4)])
    ways = [(x, y) for x in range(-2, 3) for y in range(-2, 3) if x or y]
    laid = [warped(seen, 0.3 * (0.5 - x), 0.4 * (y - 0.5)) for x, y in [(0, 0), *ways]]
    beside = Pictures([(-0.5, picture) for picture in laid[1:]], 0.25 * np.array(ways, np.float32))
    told = []
    for with_what in (library, None):
        with computing_with(with_what):
            view = softly(faces, laid[0], weight, beside)
            told.append([told_apart(view, DIM**2, np.array(these), between_places=way) for way in (True, False)])
    assert told[0][0] == pytest.approx(told[1][0], abs=3e-4)
    assert np.abs(told[0][0] - told[0][1]).max() > 0.01, "a face does lie between places"


@pytest.mark.parametrize("best", [0, 1, 3])
@pytest.mark.parametrize("haze", [0.0, 70.0])
def test_as_much_of_what_is_seen_is_explained(library: ctypes.CDLL, haze: float, best: int) -> None:
    """Of the face that lies there, and of others, which explain little of it: what paper does better counts, too."""
    faces, seen, weight, beside = small_print(1.0, haze)
    shares = []
    for with_what in (library, None):
        with computing_with(with_what):
            shares.append(agreement(softly(faces, seen, weight, beside), DIM**2, np.array([0, 1, 3]), best))
    assert shares[0] == pytest.approx(shares[1], abs=1e-5)
    assert (shares[0][0] > 0.8) == (best == 1)


@pytest.mark.parametrize("haze", [0.0, 70.0])
@pytest.mark.parametrize(("in_view", "width"), [(1.0, 48), (0.4, 48), (0.1, 48), (1.0, 40)])
def test_print_at_the_rim_is_lit_the_same(library: ctypes.CDLL, in_view: float, width: int, haze: float) -> None:
    """There what lies near by is mirrored; and where little is in view, few of the points near by look alike."""
    faces, seen, weight, _ = small_print(in_view, haze)
    faces[2, -12:, width - 10 : width] = faces[0, :9, :14] = 60.0
    view = softly(faces[:, :, :width], seen[:, :width], weight[:, :width])
    answers = []
    for with_what in (library, None):
        with computing_with(with_what):
            answers.append([*told_apart(view, DIM**2), *agreement(view, DIM**2, np.arange(4), 1)])
    assert answers[0] == pytest.approx(answers[1], abs=3e-4)


@pytest.mark.parametrize("in_view", [1.0, 0.3, 0.0])
@pytest.mark.parametrize("seed", range(4))
def test_faces_that_are_mostly_alike_come_into_the_same_groups(library: ctypes.CDLL, seed: int, in_view: float) -> None:
    random = np.random.default_rng(seed)
    kinds = random.uniform(0.0, 255.0, (3, *SHAPE, 3))
    faces = kinds[random.integers(0, 3, 14)]
    for face in faces:
        face[: int(random.uniform(0.0, 0.9) * SHAPE[0])] += random.uniform(-20.0, 20.0, 3)
    drawn, seen, whole = faces.astype(np.float32), random.random(SHAPE) < in_view, random.normal(size=14)
    answers = []
    for with_what in (library, None):
        with computing_with(with_what):
            answers.append([group.tolist() for group in alike_groups(drawn, seen, whole)])
    assert answers[0] == answers[1]
    assert len(answers[1]) > 1 or in_view == 0.0


def test_without_a_library_numpy_does() -> None:
    with computing_with(None):
        nothing, none = np.empty(0, np.intp), np.empty((0, 3))
        face = np.zeros((1, *SHAPE, 3), np.float32)
        points, alike = (face, nothing, nothing), (face[0], none, face[0, :, :, 0] > 0)
        assert lit_apart(points, alike, (none, none), none, none, (3, 1000, 15)) is None
        assert said_apart((nothing,) * 3, (none,) * 3, face[0], none, none, none) is None
        between = 0, nothing, (2, 1e-6, 0.75)
        assert said_between((nothing,) * 3, (none,) * 3, face[0], none, none, none, between) is None
        assert shares_of(none, none, face[0], nothing, none, (0.15, 1.2)) is None


@pytest.mark.parametrize("middle", [(40.0, 30.0), (0.0, 30.0), (90.0, 62.0), (-80.0, 30.0)])
def test_views_show_what_the_picture_does(library: ctypes.CDLL, middle: tuple[float, float]) -> None:
    """Inside the picture, at two of its rims, and beside it."""
    picture = np.random.default_rng(8).integers(0, 256, (64, 96, 3)).astype(np.uint8)
    y, x = (part.astype(np.float32) for part in np.mgrid[-6:7, -9:10])
    at = np.stack([middle[0] + 1.37 * x + 0.21 * y, middle[1] - 0.19 * x + 1.41 * y])
    right, up = np.full_like(at, 0.83), np.stack([0.05 * x, np.full_like(y, -0.9)])
    steps = np.array([[0.0, 0.0], [-1.0, 0.5], [0.25, -0.75]], np.float32)
    rows, columns = np.array([1, 0, 1, 5, 12]), np.array([2, 3, 4, 18, 17])
    asked = np.random.default_rng(9).integers(0, 2, (5, 5)).astype(np.uint8)
    with computing_with(library):
        shown = views_of(picture, 0.5, (at, right, up), (rows, columns), steps, np.ones_like(asked))
        some = views_of(picture, 0.5, (at, right, up), (rows, columns), steps, asked)
    assert shown is not None
    assert some is not None
    assert np.array_equal(some[:, asked > 0], shown[:, asked > 0])
    part = np.ix_(np.arange(2), rows, columns)
    for (over, along), view in zip(steps, shown, strict=True):
        expected = picture_at(picture, ((at + over * right + along * up)[part] * 0.5).astype(np.float32))
        off = np.abs(view.astype(int) - expected)
        assert off.max() <= 1, "rounded the other way"
        assert (off > 0).mean() < 0.02


@pytest.mark.parametrize("in_view", [1.0, 0.6])
@pytest.mark.parametrize("softness", [(1.0, 1.0), (0.6, 1.3)])
def test_views_are_seen_as_softly(library: ctypes.CDLL, softness: tuple[float, float], in_view: float) -> None:
    random = np.random.default_rng(4)
    pictures = random.integers(0, 256, (3, *SHAPE, 3)).astype(np.uint8)
    weight = (random.uniform(size=SHAPE) < in_view).astype(np.float64)
    beside = Pictures([(-0.5, pictures[1]), (-1.0, pictures[2])])
    points = np.flatnonzero(random.uniform(size=weight.size) < 0.02)
    for some in (points, points[:1], np.array([0, weight.size - 1])):
        shown = []
        for with_what in (library, None):
            with computing_with(with_what):
                shown.append(SoftView(pictures[0], weight, beside, *softness).shown(some))
        assert shown[0] == pytest.approx(shown[1], abs=2e-4)


@pytest.mark.parametrize("hidden", [np.s_[20:24, 10:40], np.s_[:3, :4], np.s_[:, 25:27]])
def test_faces_beside_what_is_hidden_are_seen_as_softly(library: ctypes.CDLL, hidden: tuple[slice, slice]) -> None:
    """In the middle of a card, at a corner, from rim to rim; upright and turned faces; elsewhere nothing is written."""
    faces = np.random.default_rng(6).uniform(0.0, 255.0, (2, *SHAPE, 3)).astype(np.float32)
    weight, shown, nothing = np.ones(SHAPE), np.ones(SHAPE, bool), np.zeros((*SHAPE, 3), np.uint8)
    weight[hidden] = 0.0
    view, found = SoftView(nothing, weight), []
    for with_what in (library, None):
        with computing_with(with_what):
            wholly = np.full((3, *SHAPE, 3), -1.0, np.float32)
            found.append(view.as_open(wholly, (faces[0], faces[1], faces[1][::-1, ::-1]), shown))
    made = (found[0] != -1.0) & (weight > 0)[None, :, :, None]
    assert made.any()
    assert not (found[0] != -1.0).all()
    assert found[0][made] == pytest.approx(found[1][made], abs=1e-3)
    beside = cv2.dilate((weight == 0).astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    assert made[:, beside & (weight > 0)].all()


@pytest.mark.parametrize("off_px", [0.2, 0.6])
def test_a_hair_line_beside_its_place_tells_as_little(library: ctypes.CDLL, off_px: float) -> None:
    """Of two faces with one thin frame, drawn a little beside itself, and a figure of their own; at the rim, too."""
    faces = np.full((2, *SHAPE, 3), 230.0, np.float32)
    for number, face in enumerate(faces):
        for column in (0, 20, SHAPE[1] - 2):
            face[:, column], face[:, column + 1] = (
                230.0 - 200.0 * (1.0 - number * off_px),
                230.0 - 200.0 * number * off_px,
            )
        face[30:40, 30 + 6 * number : 34 + 6 * number] = (30, 60, 200)
    told = []
    for with_what in (library, None):
        with computing_with(with_what):
            view = softly(faces, faces[0], np.ones(SHAPE), None)
            told.append((told_apart(view, np.ones(3)), agreement(view, np.ones(3), np.array([0, 1]), 0)))
    assert told[0][0] == pytest.approx(told[1][0], abs=3e-4)
    assert told[0][1] == pytest.approx(told[1][1], abs=1e-5)


def test_a_card_laid_beside_its_place_is_alike(library: ctypes.CDLL) -> None:
    """Part of it beyond two sides of the picture, which has half as many pixels as the frame."""
    across, down = np.meshgrid(np.linspace(-8.0, 55.0, 40), np.linspace(12.0, 90.0, 50))
    pixels = np.stack([across + 0.004 * down**2, down - 0.002 * across * down])
    apart_mm, far = (1.5, 0.75), np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)], np.float32)
    with computing_with(library):
        found = laid_beside(pixels, apart_mm, far, (0.5, 40, 90))
    assert found is not None
    slopes = np.gradient(pixels, *apart_mm, axis=(1, 2))
    for part, twin in zip(found[:3], (pixels, slopes[1], -slopes[0]), strict=True):
        assert part == pytest.approx(twin, rel=1e-6, abs=1e-6)
    right, up = (far[:, way, None, None] for way in (0, 1))
    x, y = 0.5 * (pixels[:, None] + right * slopes[1][:, None] - up * slopes[0][:, None])
    inside = ((x >= 0.0) & (y >= 0.0) & (x <= 89.0) & (y <= 39.0)).all(axis=0)
    assert np.array_equal(found[3], inside)
    assert 0.3 < inside.mean() < 0.9
