"""What happens on a cloth, as observations: cards that come to rest, and those that are taken away."""

from __future__ import annotations

import numpy as np

from arena_cam.camera.frame import Frame
from arena_cam.domain.doubts import Doubt, Side
from arena_cam.domain.lies import Face, Lie, Unknown
from arena_cam.domain.observations import CardGone, CardRested, EyeState
from arena_cam.vision.photographs.cloth_watcher import ClothWatcher

STRANGER = Doubt.STRANGER(side=Side.LEFT, area_cm2=55.4)


class _Reading:
    """What a reader found."""

    covers: tuple[tuple[str, str], ...] = ()

    def __init__(self, cards: str) -> None:
        self.doubts = (STRANGER, Doubt.SEEN_TWICE(card="AS")) if "JOKER" in cards else ()
        self.unknown = (Unknown(5540.0, None, (), STRANGER),) if "JOKER" in cards else ()
        cards = cards.replace("JOKER", "")
        corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
        self.lies = tuple(Lie(card, card, Face.UP, None, 1.0, None, None, None, 0.0, corners) for card in cards.split())


class _Reader:
    """Stands in for the eye: what it finds is told by the brightness of the picture."""

    def __init__(self, seen: dict[int, str]) -> None:
        self.seen = seen

    def read_after(self, image_bgr: np.ndarray, _before: object) -> _Reading | None:
        cards = self.seen[int(image_bgr[0, 0, 0])]
        return _Reading(cards) if cards else None


def watch(levels: list[int], seen: dict[int, str]) -> tuple[ClothWatcher[_Reading], list[str]]:
    """What is told of frames of even grey `levels`, each shown three times."""
    eye = ClothWatcher(_Reader(seen))
    told = []
    for number, level in enumerate(np.repeat(levels, 3)):
        frame = Frame(np.full((90, 160, 3), level, np.uint8), number / 15, number, "test", str(number))
        for each in eye.feed(frame):
            assert isinstance(each, CardRested | CardGone)
            told.append(f"+{each.lie.key}" if isinstance(each, CardRested) else f"-{each.before.key}")
    return eye, told


SEEN = {10: "", 60: "AS", 90: "AS KD", 120: "KD", 150: "KD 2C", 200: "KD 2C 3H"}


def test_cards_come_and_go() -> None:
    eye, told = watch([10, 60, 90, 10], SEEN)
    assert told == ["+AS", "+KD", "-AS", "-KD"]
    assert (eye.state, eye.reading and eye.reading.lies) == (EyeState.ARMED, ())


def test_a_card_that_is_hidden_in_one_reading_has_not_gone() -> None:
    _, told = watch([90, 120, 90, 120], SEEN)
    assert told == ["+AS", "+KD"]
    _, told = watch([90, 120, 150, 200], SEEN)
    assert told == ["+AS", "+KD", "-AS", "+2C", "+3H"]


def test_a_card_that_went_and_comes_again_is_told_again() -> None:
    _, told = watch([60, 10, 60], SEEN)
    assert told == ["+AS", "-AS", "+AS"]


def test_the_reading_is_that_of_the_newest_frame_at_rest() -> None:
    eye, _ = watch([90], SEEN)
    assert eye.reading is not None
    assert [lie.key for lie in eye.reading.lies] == ["AS", "KD"]
    assert eye.state is EyeState.DECIDED


def test_why_tells_of_what_is_no_card_to_be_named_once_it_has_lain_there_for_a_second() -> None:
    """A joker, half a card: a hand that rests for a moment is none."""
    eye = ClothWatcher(_Reader({60: "AS", 90: "AS JOKER"}))
    told = []
    for number, level in enumerate([60] * 10 + [90] * 10 + [60] * 10):
        eye.feed(Frame(np.full((90, 160, 3), level, np.uint8), number / 5, number, "test", str(number)))
        told.append(eye.why)
    assert told == [()] * 16 + [(STRANGER,)] * 4 + [()] * 10


def test_the_reading_says_where_what_is_unknown_lies() -> None:
    eye, _ = watch([90], {90: "AS JOKER"})
    assert eye.reading is not None
    assert [thing.doubt for thing in eye.reading.unknown] == [STRANGER]
