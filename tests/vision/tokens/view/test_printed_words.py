"""Words are read where faces differ: under tokens, in shade, and beside a frame that lies askew."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.domain.dilemma_sets import CardKind, DilemmaCard, DilemmaSet, Disc
from arena_cam.vision.tokens.view.printed_words import ReadWords, WordReader
from arena_cam.vision.tokens.view.set_prints import SetPrints
from arena_cam.vision.tokens.view.slid_faces import FaceSlider
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens.scenes import PX_PER_MM, laid, small_prints, view_of

AT = (110.0, 110.0, 0.0)
ALL = np.ones((90, 60), bool)
SHADE = (((128.0, 97.0), 0.4), ((118.0, 117.0), 0.5), ((91.0, 104.0), 0.45))


def _motion(x: float = 0.0, y: float = 0.0, way: float = 0.0) -> NDArray[np.float64]:
    return rigid_motion(np.array([AT[0] + x, AT[1] + y, way]))


def _shaded(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    x, y = np.meshgrid(np.arange(picture.shape[1]) / PX_PER_MM, np.arange(picture.shape[0]) / PX_PER_MM)
    shade = np.ones(x.shape)
    for middle, left in SHADE:
        shade = np.minimum(shade, np.where(np.hypot(x - middle[0], y - middle[1]) < 12.0, left, 1.0))
    soft = cv2.GaussianBlur(shade, (0, 0), 1.0 * PX_PER_MM)  # a lamp is no point
    return np.asarray(picture * soft[..., None], np.uint8)


def _only(rows: slice, columns: slice = slice(None)) -> NDArray[np.bool_]:
    is_open = np.zeros_like(ALL)
    is_open[rows, columns] = True
    return is_open


@pytest.mark.parametrize("name", ["p-1", "p-2", "n-1", "n-2", "x-1"])
@pytest.mark.parametrize("off", [(0.0, 0.0), (1.5, -1.5), (-2.0, 0.5)])
def test_words_tell_the_face_in_shade_and_where_the_card_lies_a_little_astray(
    name: str, off: tuple[float, float]
) -> None:
    view = view_of(_shaded(laid([(name, AT)])))
    read = WordReader(small_prints()).read(view, _motion(*off), _only(slice(20, 57)))
    assert (small_prints().names[read.face], read.is_told) == (name, True)
    assert read.lead > 10.0


@pytest.fixture(name="framed", scope="module")
def _framed(tmp_path_factory: pytest.TempPathFactory) -> SetPrints:
    """Six faces with one broad frame, and one short word each."""
    folder = tmp_path_factory.mktemp("framed")
    words = ["cats", "dogs", "tea", "milk", "snow", "rain"]
    for word in words:
        face = np.full((900, 600, 3), 235, np.uint8)
        for at in range(30, 90, 20):
            cv2.rectangle(face, (at, at), (600 - at, 900 - at), (150, 40, 120), 9)
        cv2.putText(face, word, (170, 470), cv2.FONT_HERSHEY_DUPLEX, 2.6, (30, 30, 30), 6)
        cv2.imwrite(str(folder / f"{word}.png"), face)
    cv2.imwrite(str(folder / "yes.png"), np.full((300, 300, 4), 90, np.uint8))
    cards = tuple(DilemmaCard(word, CardKind.POSITIVE, folder / f"{word}.png") for word in words)
    return SetPrints(DilemmaSet("framed", 60.0, 90.0, 3.0, cards, (Disc("yes", 24.0, folder / "yes.png"),), ()))


def _photographed(framed: SetPrints, word: str, way: float) -> NDArray[np.uint8]:
    """A grey, noisy table with that card, a little askew."""
    picture = np.full((660, 900, 3), 120, np.uint8)
    face = cv2.imread(str(framed.set.cards[framed.names.index(word)].image))
    scale = PX_PER_MM / 10.0
    c, s = math.cos(way) * scale, math.sin(way) * scale
    middle = np.array(AT[:2]) * PX_PER_MM
    turned = np.array([[c, -s, middle[0] - 300 * c + 450 * s], [s, c, middle[1] - 300 * s - 450 * c]])
    size = (picture.shape[1], picture.shape[0])
    small = cv2.GaussianBlur(np.asarray(face, np.uint8), (0, 0), 5.0)
    cv2.warpAffine(small, turned, size, picture, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    noise = np.random.default_rng(7).normal(0.0, 3.0, picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


def test_two_letters_tell_a_name_beside_a_frame_that_lies_askew(framed: SetPrints) -> None:
    """What the frame's edges leave unexplained is more than the letters: over the whole face none leads."""
    is_open = ALL.copy()
    is_open[30:60, 28:] = False  # a token on the second half of the word
    view = view_of(_photographed(framed, "milk", math.radians(1.0)))
    slid = FaceSlider(framed).unmoved(view, _motion(), is_open)
    read = WordReader(framed).read(view, _motion(), is_open)
    assert slid.lead(framed.names.index("milk")) < 5.0
    assert (framed.names[read.face], read.is_told) == ("milk", True)
    assert read.lead > 10.0


def test_where_no_word_is_open_none_leads(framed: SetPrints) -> None:
    view = view_of(_photographed(framed, "milk", 0.0))
    read = WordReader(framed).read(view, _motion(), _only(slice(0, 30)))
    assert read.is_alike, "its frame is seen"
    assert read.lead == 0.0
    assert not read.is_told


@pytest.mark.parametrize("seen", ["cloth", "another set's card", "nothing"])
def test_what_is_no_face_of_the_set_is_like_none(framed: SetPrints, seen: str) -> None:
    picture = laid([("p-1", AT)]) if seen == "another set's card" else np.full((660, 900, 3), 120, np.uint8)
    noise = np.random.default_rng(3).normal(0.0, 12.0, picture.shape)
    view = view_of(np.asarray(np.clip(picture + noise, 0, 255), np.uint8))
    is_open = np.zeros_like(ALL) if seen == "nothing" else ALL
    read = WordReader(framed).read(view, _motion(), is_open)
    assert not read.is_alike
    assert not read.is_told


def test_a_face_that_is_taken_is_not_read() -> None:
    view, taken = view_of(laid([("p-1", AT)])), small_prints().names.index("p-1")
    reader = WordReader(small_prints())
    assert reader.read(view, _motion(), ALL).face == taken
    other = reader.read(view, _motion(), ALL, {taken})
    assert other.face != taken
    assert taken not in other.faces


def test_a_face_leads_by_what_tells_it_from_the_next() -> None:
    read = ReadWords(2, 0.9, np.array([0, 4], np.intp), np.array([11.0, 7.0]))
    assert read.lead == 7.0
    assert read.is_told
    assert not ReadWords(2, 0.9, np.array([0, 4], np.intp), np.array([11.0, 5.0])).is_told
    assert not ReadWords(2, 0.4, np.array([0, 4], np.intp), np.array([11.0, 7.0])).is_told
