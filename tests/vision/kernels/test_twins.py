"""What is compiled answers as its twin in numpy does, to far less than anything that is decided by it."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.domain.table import Arena
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.alignment import FLAT_MOTION, Alignment, Picture, Plan, align
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.face_points import FacePoints, PointTiles, choose_points
from arena_cam.vision.faces.softness import slope_at
from arena_cam.vision.indices.ink import Ink, measure, with_tints_bleached
from arena_cam.vision.kernels.calls import details, slopes_of, spread_and_mean
from arena_cam.vision.kernels.calls import nearest as find_nearest
from arena_cam.vision.kernels.library import computing_with
from arena_cam.vision.picture.components import components
from arena_cam.vision.picture.sampling import Pyramid
from arena_cam.vision.printed.print_light import fit_print_lights
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.face_comparison import likelihoods_of, residual_of_best
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.measuring import likeness, tiles_at
from arena_cam.vision.reading.cards.scene import PointStore, Scene
from arena_cam.vision.reading.finding.outline_fit import fit_outline, has_no_sides
from arena_cam.vision.reading.floor.floor_comparison import LOG, compared
from arena_cam.vision.watching.stillness import from_pixels
from vision.small import camera_above, small_deck, with_card

# a lens with every term of distortion
CAMERA = replace(camera_above(2.0, (320, 320), tilt_deg=12.0), dist=np.array([-0.08, 0.03, 4e-4, -6e-4, 0.01]))
ARENA = Arena((200.0, 150.0), 15.0, 6.0)
TRUE = CardPose.flat(8.0, -5.0, 31.0, 0.3)
HELD = np.diag([0.0, 0.0, 4.0**-2, 0.08**-2, 0.08**-2, 0.0])


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> DeckFaces:
    return DeckFaces(small_deck(tmp_path_factory.mktemp("deck")))


@pytest.fixture(scope="module")
def picture(faces: DeckFaces) -> np.ndarray:
    """The first card on an even floor, with noise, in colour."""
    seen = with_card(np.full((320, 320, 3), 90, np.uint8), faces.deck, "card-0", CAMERA, TRUE)
    noise = np.random.default_rng(5).normal(0.0, 3.0, seen.shape)
    return np.clip(seen + noise, 0, 255).astype(np.uint8)


def grey(picture: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)


def points(faces: DeckFaces, px_per_mm: float, face: int) -> FacePoints:
    grid = faces.grid(px_per_mm)
    return choose_points(grid.grey_of(face), PointTiles.of(grid.mask, 1500), grid.x_mm, grid.y_mm, px_per_mm)


STARTS = {
    "near": TRUE.moved(np.array([1.5, -1.0, 0.0, 0.0, 0.0, 0.04])),
    "leaning": TRUE.moved(np.array([0.5, -1.0, 3.0, 0.1, -0.05, 0.02])),
    "half outside": CardPose.flat(72.0, 5.0, 31.0, 0.3),
    "outside": CardPose.flat(400.0, 5.0, 31.0, 0.3),
    "behind the camera": CardPose.flat(0.0, 5.0, 31.0, 900.0),
}
PLANS = {
    "slide": Plan(1, FLAT_MOTION, iterations=8, converged_px=0.1),
    "free, held": Plan(1, prior=HELD, iterations=8, converged_px=0.12),
    "fine, tolerant, patient": Plan(0, prior=HELD, iterations=10, patience=3, converged_px=0.03, tolerant=True),
    "one look": Plan(0, iterations=0),
}


def both(library: ctypes.CDLL, task: tuple[Picture, FacePoints, CardPose, Plan, np.ndarray | None]) -> list[Alignment]:
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(align(*task))
    return found


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
@pytest.mark.parametrize(("face", "in_view"), [(0, 1.0), (0, 0.7), (0, 0.3), (1, 1.0)])
def test_an_alignment_ends_in_the_same_place(
    library: ctypes.CDLL,
    samples_exactly: bool,
    faces: DeckFaces,
    picture: np.ndarray,
    start: CardPose,
    plan: Plan,
    face: int,
    in_view: float,
) -> None:
    of_face = points(faces, 1.0 if plan.halvings else 2.0, face)
    some = None if in_view == 1.0 else (of_face.places[0] < np.quantile(of_face.places[0], in_view)).astype(np.float64)
    task = Picture(Pyramid.of(grey(picture), 3), 0, CAMERA), of_face, start, plan, some
    if face == 1 or start is STARTS["half outside"]:
        # a fit of nothing wanders: after some steps it hangs on the last digit of every sample
        task = *task[:3], replace(plan, iterations=3 if samples_exactly else 0, patience=1), some
    compiled, twin = both(library, task)
    near, alike = (1e-6, 1e-6) if samples_exactly else (0.1, 0.1)
    assert compiled.pose.centre_mm == pytest.approx(twin.pose.centre_mm, abs=near, nan_ok=True)
    assert np.allclose(compiled.pose.R, twin.pose.R, atol=near, equal_nan=True)
    assert compiled.rms == pytest.approx(twin.rms, rel=alike, abs=alike, nan_ok=True)
    scale = float(np.abs(twin.information).max())
    weighed = alike if samples_exactly else 0.2  # rounded places add to the residuals, whose spread weighs all pixels
    assert compiled.information == pytest.approx(twin.information, abs=weighed * scale, nan_ok=True)
    if samples_exactly:
        assert compiled.pull == pytest.approx(twin.pull, abs=1e-5 * max(1.0, float(np.abs(twin.pull).max())))


def test_an_aligned_card_lies_where_it_was_painted(library: ctypes.CDLL, faces: DeckFaces, picture: np.ndarray) -> None:
    """The twins agree on something: not on nothing."""
    view = Picture(Pyramid.of(grey(picture), 3), 0, CAMERA)
    with computing_with(library):
        coarse = align(view, points(faces, 1.0, 0), STARTS["near"], PLANS["slide"])
        fine = align(view, points(faces, 2.0, 0), coarse.pose, PLANS["fine, tolerant, patient"])
    assert fine.pose.centre_mm[:2] == pytest.approx(TRUE.centre_mm[:2], abs=0.2)  # painted without the lens


def test_a_camera_in_one_row_is_the_camera() -> None:
    row = CAMERA.flat
    assert len(row) == 31
    assert np.array_equal(row[:9].reshape(3, 3), CAMERA.R)
    assert Camera(CAMERA.K, CAMERA.dist, CAMERA.rvec, CAMERA.tvec).flat == pytest.approx(row)


@pytest.mark.parametrize("whole", [True, False])
def test_cells_of_a_small_picture_are_the_same(library: ctypes.CDLL, whole: bool) -> None:
    numbers = np.random.default_rng(3).uniform(0, 255, (136, 240)).astype(np.float32)
    picture = np.floor(numbers) if whole else numbers
    found = []
    for each in (library, None):
        with computing_with(each):
            cells = from_pixels(picture)
            found.append(np.stack([cells.mean, cells.variance, cells.steepness]))
    compiled, twin = found
    assert compiled == pytest.approx(twin, rel=1e-4, abs=1e-2)
    assert np.array_equal(compiled, twin) or not whole  # whole grey levels add up exactly


LEANS = STARTS | {
    "upside down": TRUE.half_turned,
    "almost there": TRUE.moved(np.array([0.4, 0.3, 0.0, 0.0, 0.0, 0.01])),
}


@pytest.mark.parametrize("pose", LEANS.values(), ids=LEANS)
@pytest.mark.parametrize("hidden_px", [0, 120, 175])
def test_a_guess_is_as_like_what_is_seen_from_afar(
    library: ctypes.CDLL, samples_exactly: bool, faces: DeckFaces, picture: np.ndarray, pose: CardPose, hidden_px: int
) -> None:
    """The whole card, some of it, and too little for it to mean anything."""
    claims = Claims(320, 320)
    if hidden_px:
        claims.add_polygon(np.array([[0, 0], [hidden_px, 0], [hidden_px, 320], [0, 320]], np.float64))
    pyramid, size = Pyramid.of(grey(picture), 4), grey(picture).astype(np.uint8)
    known = Known(Scene(size, pyramid, picture, CAMERA, faces, ARENA, 0, PointStore(faces), np.ones(3)), claims)
    found = []
    for each in (library, None):
        with computing_with(each):
            found.append(likeness(known, 0, pose))
    if found[1] is None:
        assert found[0] is None
    else:
        assert found[0] == pytest.approx(found[1], abs=1e-5 if samples_exactly else 0.05)


@pytest.mark.parametrize("pose", LEANS.values(), ids=LEANS)
@pytest.mark.parametrize("hidden", ["nothing", "half", "shadow", "hand", "haze", "haze on half"])
def test_a_face_shows_the_same_tiles(
    library: ctypes.CDLL, samples_exactly: bool, faces: DeckFaces, picture: np.ndarray, pose: CardPose, hidden: str
) -> None:
    """The whole card, another over it, half of it in the shade, something bright over a third of it that is no card, a
    lamp's reflection over it."""
    seen, claims = picture.copy(), Claims(320, 320)
    if "haze" in hidden:
        hill = 60.0 * np.exp(-(((np.arange(320.0) - 160.0) / 60.0) ** 2))
        seen = (0.5 * seen + hill[None, :, None]).astype(np.uint8)
    if "half" in hidden:
        claims.add_polygon(np.array([[0, 0], [165, 0], [165, 320], [0, 320]], np.float64))
    elif hidden == "shadow":
        seen[:, 160:] = (seen[:, 160:] * 0.45).astype(np.uint8)
    elif hidden == "hand":
        seen[:, 180:] = (150, 180, 225)
    points_of = PointStore(faces)
    pyramid = Pyramid.of(grey(seen), 3)
    scene = Scene(grey(seen).astype(np.uint8), pyramid, seen, CAMERA, faces, ARENA, 0, points_of, np.ones(3))
    known = Known(scene, claims)
    with computing_with(library):
        compiled = tiles_at(known, 0, pose)
    with computing_with(None):
        twin = tiles_at(known, 0, pose)
    assert compiled[0] == pytest.approx(twin[0], abs=1e-7 if samples_exactly else 1.5)
    if samples_exactly:
        assert np.array_equal(compiled[1], twin[1])
        assert np.array_equal(compiled[2], twin[2])


def test_bare_paper_in_the_shade_of_what_covers_it_is_the_same(
    library: ctypes.CDLL, samples_exactly: bool, tmp_path: Path
) -> None:
    blank, claims = DeckFaces(small_deck(tmp_path, [np.full((352, 252, 3), 230, np.uint8)])), Claims(320, 320)
    claims.add_polygon(np.array([[0, 0], [165, 0], [165, 320], [0, 320]], np.float64))
    seen = np.full((320, 320, 3), 180, np.uint8)
    seen[:, 165:169] = np.linspace(90, 180, 4).astype(np.uint8)[None, :, None]
    scene = Scene(
        *(grey(seen).astype(np.uint8), Pyramid.of(grey(seen), 3), seen, CAMERA, blank, ARENA, 0, PointStore(blank)),
        np.ones(3),
    )
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(tiles_at(Known(scene, claims), 0, TRUE))
    (nats, shown, enough), twin = found
    assert nats == pytest.approx(twin[0], abs=1e-7 if samples_exactly else 1.5)
    assert np.array_equal(enough, twin[2])
    assert np.array_equal(shown, twin[1]) or not samples_exactly
    assert shown.sum() >= 0.95 * enough.sum()


@pytest.mark.parametrize("pose", LEANS.values(), ids=LEANS)
@pytest.mark.parametrize("hidden", [False, True])
def test_an_outline_is_followed_to_the_same_place(
    library: ctypes.CDLL, samples_exactly: bool, faces: DeckFaces, picture: np.ndarray, pose: CardPose, hidden: bool
) -> None:
    claims = Claims(320, 320)
    if hidden:
        claims.add_polygon(np.array([[0, 0], [165, 0], [165, 320], [0, 320]], np.float64))
    pyramid, points_of = Pyramid.of(grey(picture), 3), PointStore(faces)
    scene = Scene(grey(picture).astype(np.uint8), pyramid, picture, CAMERA, faces, ARENA, 0, points_of, np.ones(3))
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append((fit_outline(scene, pose, claims, HELD), has_no_sides(scene, pose, claims)))
    (compiled, sideless), (twin, sideless_too) = found
    if samples_exactly:
        assert sideless == sideless_too
        assert compiled.pose.centre_mm == pytest.approx(twin.pose.centre_mm, abs=1e-6, nan_ok=True)
        assert np.allclose(compiled.information, twin.information, rtol=1e-6, equal_nan=True)
        assert (compiled.nats, compiled.shown) == pytest.approx((twin.nats, twin.shown), abs=1e-7)
    assert twin.shown < 0.5 or off_mm(compiled.pose, twin.pose) < (0.3 if samples_exactly else 0.8)


@pytest.mark.parametrize("x", [46.0, 48.0, 50.0])  # mm: one of its sides lies about the picture's border
def test_an_outline_at_the_border_is_followed_to_the_same_place(
    library: ctypes.CDLL, samples_exactly: bool, faces: DeckFaces, x: float
) -> None:
    pose = CardPose.flat(x, -5.0, 0.0)
    seen = with_card(np.full((320, 320, 3), 90, np.uint8), faces.deck, "card-0", CAMERA, pose)
    pyramid, points_of = Pyramid.of(grey(seen), 3), PointStore(faces)
    scene = Scene(grey(seen).astype(np.uint8), pyramid, seen, CAMERA, faces, ARENA, 0, points_of, np.ones(3))
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(fit_outline(scene, pose, Claims(320, 320), HELD))
    compiled, twin = found
    assert off_mm(compiled.pose, twin.pose) < (1e-6 if samples_exactly else 0.8)
    assert (compiled.nats, compiled.shown) == pytest.approx((twin.nats, twin.shown), abs=1e-7 if samples_exactly else 1)


def off_mm(a: CardPose, b: CardPose) -> float:
    return float(np.abs(a.centre_mm - b.centre_mm).max())


@pytest.mark.parametrize("in_view", [1.0, 0.4])
def test_what_even_the_best_face_misses_is_the_same(library: ctypes.CDLL, in_view: float) -> None:
    random = np.random.default_rng(3)
    faces = random.uniform(0, 255, (5, 3, 700)).astype(np.float32)
    plane = np.column_stack([np.ones(700), random.uniform(-1, 1, (700, 2))])
    white = np.array([0.8, 1.0, 1.15])
    seen = faces[2].T * white * 0.7 + plane @ np.array([[5.0], [8.0], [-3.0]]) + random.normal(0, 4, (700, 3))
    seen[:90] = 240.0  # something lies there
    weight = (random.uniform(size=700) < in_view).astype(np.float64)
    with computing_with(library):
        compiled = residual_of_best(faces, seen, weight, plane, white)
    with computing_with(None):
        twin = residual_of_best(faces, seen, weight, plane, white)
    counts = weight > 0.0
    assert compiled[counts] == pytest.approx(twin[counts], abs=1e-7)
    assert np.isinf(compiled[~counts]).all()
    assert np.median(compiled[90:][counts[90:]]) < 10.0 < np.median(compiled[:90][counts[:90]])


@pytest.mark.parametrize("in_view", [1.0, 0.4])
def test_each_face_is_as_likely(library: ctypes.CDLL, in_view: float) -> None:
    random = np.random.default_rng(4)
    faces = random.uniform(0, 255, (6, 3, 1300)).astype(np.float32)
    faces[4, 1] = 90.0  # its green does not vary
    plane = np.column_stack([np.ones(1300), random.uniform(-1, 1, (1300, 2))])
    white = np.array([0.8, 1.0, 1.15])
    seen = faces[2].T * white * 0.7 + plane @ np.array([[5.0], [8.0], [-3.0]]) + random.normal(0, 4, (1300, 3))
    weight = random.uniform(size=1300) * (random.uniform(size=1300) < in_view)
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(likelihoods_of((faces, None), seen, weight, plane, white, 5.0))
    assert found[0] == pytest.approx(found[1], abs=1e-3)
    assert int(np.argmax(found[0])) == 2


@pytest.mark.parametrize("shape", [(31, 23), (1, 5)])
def test_faces_are_as_steep_at_each_point_at_the_rim_too(library: ctypes.CDLL, shape: tuple[int, int]) -> None:
    faces = np.random.default_rng(10).uniform(0.0, 255.0, (3, *shape, 3)).astype(np.float32)
    points = np.arange(shape[0] * shape[1])[:: 1 if shape[0] == 1 else 4]
    with computing_with(library):
        compiled = slopes_of(faces, points)
    assert compiled == pytest.approx(np.stack([slope_at(face, points) for face in faces]), abs=1e-3)


@pytest.mark.parametrize("these", [[3], [0, 2], [4, 1, 0, 2, 3]])
def test_faces_differ_by_the_same_at_each_point_and_have_the_same_mean(library: ctypes.CDLL, these: list[int]) -> None:
    faces = np.random.default_rng(8).uniform(0.0, 255.0, (5, 31, 23, 3)).astype(np.float32)
    with computing_with(library):
        compiled = spread_and_mean(faces, np.array(these))
    assert compiled is not None
    some = faces[these]
    assert np.array_equal(compiled[0], (some.max(axis=0) - some.min(axis=0)).max(axis=2))
    assert compiled[1] == pytest.approx(some.mean(axis=0), abs=1e-4)


@pytest.mark.parametrize("dark", [False, True])
def test_the_light_on_print_is_the_same(library: ctypes.CDLL, dark: bool) -> None:
    """On dark paper, too, where hardly anything but the likely gain holds it."""
    random = np.random.default_rng(13)
    prints = random.uniform(30, 50 if dark else 250, (900, 3)).astype(np.float32)
    places = random.uniform(-40, 40, (900, 2))
    seen = (prints * (0.6 + 0.002 * places[:, :1]) + 20.0 + random.normal(0, 3, (900, 3))).astype(np.float32)
    seen[:150] = 230.0  # something lies there
    lights = []
    for with_what in (library, None):
        with computing_with(with_what):
            lights.append(fit_print_lights(prints, seen, places))
    for compiled, twin in zip(*lights, strict=True):
        assert compiled.gain == pytest.approx(twin.gain, abs=1e-8)
        assert compiled.offset == pytest.approx(twin.offset, abs=1e-6)
    if not dark:
        assert lights[0][0].gain[:, 0] == pytest.approx(0.6, abs=0.02)


def test_pieces_of_a_mask_have_the_same_boxes(library: ctypes.CDLL) -> None:
    """At the rim, too, and where one piece comes back to a row that another is in."""
    specks = np.asarray(np.random.default_rng(5).random((61, 83)) < 0.35, np.uint8)
    for mask in (specks, np.zeros_like(specks), np.ones_like(specks)):
        found = []
        for with_what in (library, None):
            with computing_with(with_what):
                found.append(components(mask))
        compiled, twin = found
        assert (compiled.labels == twin.labels).all()
        assert (compiled.boxes[1:] == twin.boxes[1:]).all()
        assert (compiled.middles[1:] == twin.middles[1:]).all()
        assert len(compiled.boxes) == len(twin.boxes) == len(compiled.middles)


def test_marks_of_ink_are_measured_the_same(library: ctypes.CDLL) -> None:
    """At the picture's rim, too, and where one piece is just around another."""
    random = np.random.default_rng(11)
    specks = np.asarray(random.random((70, 90)) < 0.01, np.uint8)
    grown = cv2.dilate(specks, np.ones((5, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(grown, connectivity=8)
    boxes = np.column_stack([np.arange(1, count), stats[1:, :4]]).astype(np.int32)
    dark = np.asarray(0.3 * random.random(labels.shape), np.float32)
    ink = Ink(dark, random.integers(0, 255, (*labels.shape, 3)).astype(np.uint8), (255 * dark).astype(np.uint8))
    measured = []
    for with_what in (library, None):
        with computing_with(with_what):
            measured.append(measure(np.asarray(labels, np.int32), boxes, ink))
    assert len(boxes) > 10
    assert measured[0] == pytest.approx(measured[1], abs=1e-9)
    assert 0.3 < measured[0][:, 1].mean() < 0.7


def test_plates_are_bleached_the_same_to_the_last_level(library: ctypes.CDLL) -> None:
    """Pale ones and dark ones, ink and paper, of every level."""
    random = np.random.default_rng(3)
    view = random.integers(0, 256, (61, 83, 3)).astype(np.uint8)
    plates = cv2.resize(random.integers(90, 256, (7, 9, 3)).astype(np.uint8), (83, 61), interpolation=cv2.INTER_NEAREST)
    view = np.where(random.random((61, 83, 1)) < 0.5, plates, view)
    found = []
    for with_what in (library, None):
        with computing_with(with_what):
            found.append(with_tints_bleached(view))
    assert (found[0] == found[1]).all()
    assert (found[0] != view).any()


@pytest.mark.parametrize(("nearest", "known"), [(3, 500), (2, 2), (1, 9), (4, 4)])
def test_the_nearest_descriptors_are_opencv_s(library: ctypes.CDLL, nearest: int, known: int) -> None:
    """Equal distances too: of few bits that differ many are equally far."""
    random = np.random.default_rng(7)
    words, all_ = (random.integers(0, 4, (count, 32)).astype(np.uint8) for count in (60, known))
    with computing_with(library):
        found = find_nearest(words, all_, nearest)
    assert found is not None
    distance, number = cv2.batchDistance(words, all_, cv2.CV_32S, None, None, cv2.NORM_HAMMING, nearest)
    assert np.array_equal(found[0], distance)
    assert np.array_equal(found[1], number)


@pytest.mark.parametrize("size", [3, 7, 11, 15])
@pytest.mark.parametrize("shape", [(5, 3), (16, 48), (41, 131)])
def test_what_differs_from_the_median_round_about_is_opencv_s(
    library: ctypes.CDLL, size: int, shape: tuple[int, int]
) -> None:
    random = np.random.default_rng(size)
    noise = random.integers(0, 256, shape).astype(np.uint8)
    even = np.asarray(np.clip(random.normal(128.0, 4.0, shape), 0, 255), np.uint8)
    even[shape[0] // 2 :, : shape[1] // 2] = 255
    with computing_with(library):
        for values in (noise, even, even[:, ::-1], np.zeros(shape, np.uint8)):
            found = details((values - np.float32(128.0)) / np.float32(256.0), size, 256.0)
            assert found is not None
            same = np.ascontiguousarray(values)
            assert np.array_equal(found, cv2.absdiff(same, cv2.medianBlur(same, size)))
        assert details(noise.astype(np.float32), 17, 256.0) is None  # more than a byte counts
        assert details(noise.astype(np.float32), 4, 256.0) is None
        beyond = details(np.array([[-3.0, 3.0, 3.0]], np.float32), 3, 256.0)
        assert beyond is not None
        assert beyond.tolist() == [[0, 0, 0]] or beyond.tolist() == [[255, 0, 0]]


def test_a_floor_is_compared_the_same(library: ctypes.CDLL) -> None:
    random = np.random.default_rng(5)
    floor = random.integers(0, 256, (60, 83, 3))
    now = np.clip(floor * random.choice((0.3, 0.9, 1.0, 1.1, 1.3), floor.shape[:2])[:, :, None] + 4, 0, 255)
    now = np.where(random.random(floor.shape) < 0.2, random.integers(0, 256, floor.shape), now).astype(np.uint8)
    light = random.normal(0.0, 0.02, (8, 11, 3)).astype(np.float32)
    valid = (random.random((60, 83)) < 0.9).astype(np.uint8)
    with computing_with(library):
        ours = compared(now, LOG[floor], light, valid, 0.02)
    with computing_with(None):
        numpys = compared(now, LOG[floor], light, valid, 0.02)
    for name in ("in_both", "odd", "pale", "strange", "bare"):
        assert np.array_equal(getattr(ours, name), getattr(numpys, name)), name
    assert np.abs(ours.mean - numpys.mean).max() < 1e-6  # light is spread out with fused products, or without
    assert 0.05 < ours.bare.mean() < 0.5


def test_without_a_library_numpy_and_opencv_do() -> None:
    words = np.zeros((3, 32), np.uint8)
    with computing_with(None):
        assert find_nearest(words, words, 2) is None
