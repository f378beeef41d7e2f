"""A deck from photographs, one card each: what is taken, what is doubted, and one light for all faces."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.domain.messages import Message
from arena_cam.vision.deck_learning.exposure import exposed
from arena_cam.vision.deck_learning.flat_card import FOCALS, Lens, Misfit
from arena_cam.vision.deck_learning.photographed_deck import USUAL_RADIUS_MM, PhotographedDeck, PhotographedFace
from arena_cam.vision.deck_learning.taking_messages import NotFound
from vision.small import HEIGHT_MM, WIDTH_MM, blotches, painted_at

SIZE_MM = (WIDTH_MM, HEIGHT_MM)
UPRIGHT = np.array([[90.0, 70.0], [279.0, 70.0], [279.0, 334.0], [90.0, 334.0]])  # 3 px/mm


def face(seed: int = 6) -> Image:
    """Darkish blotches in a white frame of 3 mm."""
    print_ = np.asarray(blotches(seed) // 2, np.uint8)
    for edge in (print_[:12], print_[-12:], print_[:, :12], print_[:, -12:]):
        edge[:] = 235
    return print_


def photograph(print_: Image, corners: np.ndarray = UPRIGHT, blur_px: float = 0.8) -> Image:
    scene = painted_at(np.full((400, 370, 3), (80, 65, 45), np.uint8), print_, corners)
    return np.asarray(cv2.GaussianBlur(scene, (0, 0), blur_px), np.uint8)


def looked(deck: PhotographedDeck, picture: Image) -> PhotographedFace:
    found = deck.look(picture)
    assert isinstance(found, PhotographedFace)
    return found


@pytest.fixture(scope="module")
def taken() -> PhotographedFace:
    deck = PhotographedDeck(*SIZE_MM)
    face_ = looked(deck, photograph(face()))
    assert deck.faces == {}, "looking alone adds nothing"
    return face_


def test_an_empty_deck_has_no_pictures() -> None:
    deck = PhotographedDeck(*SIZE_MM)
    assert deck.pictures(3.0) == {}
    assert deck.doubtful() == {}
    assert deck.radius_mm() == USUAL_RADIUS_MM


def test_a_card_is_taken_as_it_was_photographed(taken: PhotographedFace) -> None:
    assert taken.px_per_mm == pytest.approx(3.0, rel=0.01)
    assert taken.picture_px == (370, 400)
    assert taken.background is not None
    print_ = cv2.resize(face(), taken.image.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert np.abs(taken.image[40:-40, 40:-40].astype(float) - print_[40:-40, 40:-40]).mean() < 6.0


def test_a_face_is_kept_by_its_name(taken: PhotographedFace) -> None:
    deck = PhotographedDeck(*SIZE_MM)
    deck.add("one", taken)
    assert deck.faces == {"one": taken}


MIDDLE = UPRIGHT.mean(axis=0)


@pytest.mark.parametrize(
    ("picture", "what"),
    [
        (np.full((400, 370, 3), 90, np.uint8), "no whole card is to be seen"),
        (photograph(face(), MIDDLE + 0.6 * (UPRIGHT - MIDDLE)), "the card is small in the picture (1.8 px/mm)"),
        (photograph(face(), blur_px=1.6), "the card is blurred (its edge is 1."),
    ],
    ids=["nothing there", "far away", "blurred"],
)
def test_what_cannot_be_learned_is_refused(picture: Image, what: str) -> None:
    found = PhotographedDeck(*SIZE_MM).look(picture)
    assert isinstance(found, Message)
    assert str(found).startswith(what)


def test_a_scan_needs_no_background_and_keeps_its_light() -> None:
    deck = PhotographedDeck(*SIZE_MM, scans=True)
    print_ = np.asarray(cv2.resize(face() // 2, (504, 704), interpolation=cv2.INTER_CUBIC), np.uint8)
    scanned = looked(deck, print_)
    assert scanned.background is None
    deck.add("one", scanned)
    learned = deck.pictures(0.0)["one"]
    assert np.abs(learned[8:-8, 8:-8].astype(float) - print_[8:-8, 8:-8]).max() < 4


def test_photographs_of_different_exposure_come_out_alike(taken: PhotographedFace) -> None:
    """White paper of all of them becomes 238, as printing paper looks in full light; a frame's soft edges count
    as paper, too, so that its middle is a little lighter."""
    deck = PhotographedDeck(*SIZE_MM)
    deck.add("bright", taken)
    deck.add("dark", looked(deck, exposed(photograph(face()), np.full(3, 0.6))))
    pictures = deck.pictures(3.0)
    assert list(pictures) == ["bright", "dark"]
    for picture in pictures.values():
        assert np.median(picture[8:16, 100:-100]) == pytest.approx(242, abs=6)
        assert np.abs(picture.astype(float) - pictures["bright"]).mean() < 3.0


@pytest.mark.parametrize(
    ("radii", "expected"), [([None], 3.0), ([2.0], 2.0), ([3.51, 3.47, 9.0], 3.5), ([None, 2.5, None], 2.5)]
)
def test_the_radius_is_that_of_most_corners(
    taken: PhotographedFace, radii: list[float | None], expected: float
) -> None:
    deck = PhotographedDeck(*SIZE_MM)
    for k, radius in enumerate(radii):
        deck.add(str(k), replace(taken, radius_mm=radius))
    assert deck.radius_mm() == expected


TRUE_FOCAL = 8  # of FOCALS


def with_misfit(taken: PhotographedFace, at_focal_mm: float, elsewhere_mm: float = 0.5) -> PhotographedFace:
    by_focal = np.full(FOCALS.size, elsewhere_mm)
    by_focal[TRUE_FOCAL] = at_focal_mm
    return replace(taken, outline=replace(taken.outline, misfit=Misfit(by_focal)))


def deck_with_one_odd(taken: PhotographedFace, misfit_mm: float) -> PhotographedDeck:
    deck = PhotographedDeck(*SIZE_MM)
    for k in range(6):
        deck.add(f"card-{k}", with_misfit(taken, 0.05))
    deck.add("odd", with_misfit(taken, misfit_mm))
    return deck


@pytest.mark.parametrize(("misfit_mm", "doubted"), [(0.05, False), (0.2, False), (0.4, True)])
def test_an_outline_unlike_the_cameras_others_is_doubted(
    taken: PhotographedFace, misfit_mm: float, doubted: bool
) -> None:
    found = deck_with_one_odd(taken, misfit_mm).doubtful()
    assert set(found) == ({"odd"} if doubted else set())
    assert all(lens.focal == pytest.approx(FOCALS[TRUE_FOCAL]) for lens in found.values())


def test_photographs_of_another_size_are_another_cameras(taken: PhotographedFace) -> None:
    deck = deck_with_one_odd(taken, 0.4)
    deck.add("odd", replace(deck.faces["odd"], picture_px=(900, 700)))
    assert deck.doubtful() == {}


def test_a_doubtful_card_that_cannot_be_found_again_is_taken_out(taken: PhotographedFace) -> None:
    deck = deck_with_one_odd(taken, 0.4)
    refused = deck.look_again("odd", np.full((400, 370, 3), 90, np.uint8), Lens(FOCALS[TRUE_FOCAL], 0.1))
    assert isinstance(refused, Message)
    assert refused == NotFound.NOT_FLAT()
    assert "odd" not in deck.faces
    assert len(deck.faces) == 6


def test_a_doubtful_card_that_is_found_flat_is_taken_anew(taken: PhotographedFace) -> None:
    deck = deck_with_one_odd(taken, 0.4)
    before = deck.faces["odd"]
    assert deck.look_again("odd", photograph(face(7)), Lens(FOCALS[TRUE_FOCAL], 0.1)) is None
    assert deck.faces["odd"] is not before
    assert deck.faces["odd"].outline.misfit is not None
    assert deck.faces["odd"].outline.misfit.by_focal_mm.min() < 0.1


def test_a_certain_outline_of_another_camera_is_kept(taken: PhotographedFace) -> None:
    """Nothing but the focal length speaks against it."""
    deck = deck_with_one_odd(taken, 0.4)
    flat = with_misfit(taken, 0.4, elsewhere_mm=0.05)
    assert flat.outline.certain
    deck.add("odd", flat)
    assert deck.look_again("odd", np.full((400, 370, 3), 90, np.uint8), Lens(FOCALS[TRUE_FOCAL], 0.1)) is None
    assert deck.faces["odd"] is flat


def test_a_card_that_lay_across_has_the_end_up_that_the_others_have() -> None:
    shaded = np.asarray(face() * np.linspace(0.25, 1.0, face().shape[0])[:, None, None] + 40.0, np.uint8)
    deck = PhotographedDeck(*SIZE_MM)
    for name in ("one", "two", "three"):
        deck.add(name, looked(deck, photograph(shaded)))
    deck.add("across", looked(deck, np.ascontiguousarray(np.rot90(photograph(shaded)))))
    pictures = deck.pictures(3.0)
    assert np.abs(pictures["across"].astype(float) - pictures["one"])[60:-60, 60:-60].mean() < 6.0
