"""A deck in the making: its pictures are brought into one light over all cards, and none is ever lost by it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arena_cam.camera.folder import read_picture
from arena_cam.camera.frame import Image
from arena_cam.formats.deck_folder import DeckFolder
from arena_cam.referee.setup.lesson import Lesson, all_in_one_light, finish, unfinished
from arena_cam.vision.deck_learning.card_taker import TakenCard
from arena_cam.vision.deck_learning.straightening import PX_PER_MM
from arena_cam.vision.picture.linear_light import srgb

SIZE_MM = (30.0, 42.0)
NAMES = ("red-1", "red-2", "red-3", "red-4", "red-5", "red-6")
PAPER = (slice(220, 320), slice(40, 200))  # where no figure is


def taken(number: int, haze: float) -> TakenCard:
    """Brown paper with a black bar of its own at the top, under gloss of `haze`, of full light."""
    width, height = (round(side * PX_PER_MM) for side in SIZE_MM)
    light = np.full((height, width, 3), 0.14, np.float32)
    light[40:160, 20 + 30 * number : 40 + 30 * number] = 0.02
    return TakenCard(srgb(light + np.float32(haze)), SIZE_MM, 3.0, (0.0, 0.0), 0.0, 2.0, 1.0)


def lesson_on(folder: Path) -> Lesson:
    return Lesson(DeckFolder(folder, SIZE_MM, "mine", NAMES), NAMES, back=False, radius_mm=3.0)


def learned(folder: Path) -> Lesson:
    lesson = lesson_on(folder)
    for number, name in enumerate(NAMES):
        card = taken(number, 0.01 * number)
        lesson.keep(name, card.image, card)
    return lesson


def spread(pictures: list[Image]) -> float:
    """Grey levels between the paper of the darkest and of the palest picture."""
    levels = [float(picture[PAPER].mean()) for picture in pictures]
    return max(levels) - min(levels)


def there(folder: Path) -> list[Image]:
    return [read_picture(folder / f"{name}.png") for name in NAMES]


def test_the_paper_of_a_deck_is_one_however_each_card_lay_under_the_lamp(tmp_path: Path) -> None:
    lesson = learned(tmp_path)
    before = spread(there(tmp_path))
    lesson.improve(all_in_one_light(lesson.as_taken()))
    assert not lesson.uneven
    assert before > 12.0
    assert spread(there(tmp_path)) < 4.0


def test_what_was_interrupted_is_done_when_the_deck_is_gone_on_with(tmp_path: Path) -> None:
    learned(tmp_path)
    again = lesson_on(tmp_path)
    assert again.missing == []
    assert again.uneven
    again.improve(all_in_one_light(again.as_taken()))
    assert not lesson_on(tmp_path).uneven


class Killed(BaseException):
    """Nothing more is done, as after a kill -9."""


@pytest.mark.parametrize(
    "written",
    [0, *(pytest.param(written, marks=pytest.mark.thorough) for written in range(1, len(NAMES) - 1)), len(NAMES) - 1],
)
def test_a_kill_while_pictures_are_improved_leaves_none_uneven(
    written: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson = learned(tmp_path)
    lesson.improve(all_in_one_light(lesson.as_taken()))
    lesson.keep(
        NAMES[0], taken(0, 0.08).image, taken(0, 0.08)
    )  # the first to be written: the others are of the round before
    faces, improved, left = all_in_one_light(lesson.as_taken()), DeckFolder.improve, written

    def killed(folder: DeckFolder, name: str, png: bytes) -> None:
        nonlocal left
        if not left:
            raise Killed
        left -= 1
        improved(folder, name, png)

    with monkeypatch.context() as until_killed:
        until_killed.setattr(DeckFolder, "improve", killed)
        with pytest.raises(Killed):
            lesson.improve(faces)
    deck = unfinished(tmp_path)
    assert deck is not None
    finish(deck)
    assert unfinished(tmp_path) is None
    assert spread(there(tmp_path)) < 4.0


def test_a_deck_that_its_pictures_tell_nothing_about_is_finished_once(tmp_path: Path) -> None:
    lesson = lesson_on(tmp_path)
    lesson.keep("red-1", taken(0, 0.0).image, taken(0, 0.0))
    lesson.improve(lesson.as_taken())  # one card's picture stays as it is
    assert not lesson_on(tmp_path).uneven


def test_a_card_learned_again_starts_from_what_was_taken_of_all(tmp_path: Path) -> None:
    lesson = learned(tmp_path)
    first = lesson.as_taken()
    lesson.improve(all_in_one_light(first))
    card = taken(2, 0.03)
    lesson.keep("red-3", card.image, card)
    assert lesson.uneven
    second = lesson.as_taken()
    assert all(np.array_equal(first[name], second[name]) for name in NAMES if name != "red-3")


def test_a_card_taken_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    lesson = learned(tmp_path)
    faces = all_in_one_light(lesson.as_taken())
    card = taken(2, 0.0)
    lesson.keep("red-3", card.image, card)
    newest = (tmp_path / "red-3.png").read_bytes()
    lesson.improve(faces)
    assert (tmp_path / "red-3.png").read_bytes() == newest
    assert lesson.uneven


def test_a_card_is_recognised_by_what_was_taken_of_it(tmp_path: Path) -> None:
    lesson = learned(tmp_path)
    lesson.improve(all_in_one_light(lesson.as_taken()))
    assert lesson_on(tmp_path).learned_before(taken(4, 0.02).image) == "red-5"


def test_the_first_card_is_taken_before_its_size_is_rounded(tmp_path: Path) -> None:
    lesson = learned(tmp_path)
    card = taken(0, 0.0)
    lesson.keep("red-1", np.ascontiguousarray(card.image[:, :-1]), card)
    faces = all_in_one_light(lesson.as_taken())
    assert {face.shape for face in faces.values()} == {card.image.shape}
