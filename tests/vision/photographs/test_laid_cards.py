"""Cards that are laid one after another, under a camera over any table, are each reported once, when they rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.camera.frame import Frame
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Face, Lie
from arena_cam.vision.photographs.laid_cards import LaidCards


class _Reading:
    """What a reader found: cards with whether they are sure. One that ends with "@" lies 50 px beside the others."""

    def __init__(self, cards: dict[str, bool]) -> None:
        corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
        beside = ((50.0, 0.0), (51.0, 0.0), (51.0, 1.0), (50.0, 1.0))
        lie = Lie("", None, Face.UP, None, 1.0, None, None, None, 0.0, corners)
        self.doubts = (Doubt.OTHER_DECK(deck="red"),) if "XX" in cards else ()
        self.lies = tuple(
            replace(
                lie,
                key=key.rstrip("@"),
                card=None if key[0] == "?" else key.rstrip("'@"),
                sure=sure,
                corners_px=beside if key.endswith("@") else corners,
            )
            for key, sure in cards.items()
        )


class _Reader:
    """Stands in for the eye: what it finds is told by the brightness of the picture."""

    def __init__(self, seen: dict[int, dict[str, bool]]) -> None:
        self.seen = seen
        self.asked: list[tuple[int, object]] = []

    def read_after(self, image_bgr: np.ndarray, before: object) -> _Reading | None:
        self.asked.append((int(image_bgr[0, 0, 0]), before))
        return _Reading(self.seen[int(image_bgr[0, 0, 0])]) if int(image_bgr[0, 0, 0]) in self.seen else None


def watch(
    levels: list[int], seen: dict[int, dict[str, bool]], *, until_sure: bool = False, came_to_rest: bool = False
) -> list[tuple[int, str, bool]]:
    """(frame, card, sure) of what is reported of frames of even grey `levels`."""
    eye = LaidCards(_Reader(seen), until_sure=until_sure, came_to_rest=came_to_rest)  # type: ignore[arg-type]
    told = []
    for number, level in enumerate(levels):
        frame = Frame(np.full((90, 160, 3), level, np.uint8), number / 15, number, "test", str(number))
        told += [(number, laid.lie.card or "", laid.lie.sure) for laid in eye.feed(frame)]
    return told


@pytest.mark.parametrize(
    ("levels", "told"),
    [
        ([10, 10, 10, 10], []),  # an empty table
        ([10, 10, 10, 90, 90, 90], [(5, "AS", True)]),  # at rest for two frames
        ([10, 10, 10, 90, 60, 90, 60], []),  # something moves in every frame
        ([90, 90, 90, 10, 10, 10, 90, 90, 90], [(1, "AS", True)]),  # seen again: put aside, uncovered
        ([90, 90, 90, 120, 120, 120], [(1, "AS", True), (5, "KD", True)]),
    ],
)
def test_a_card_is_reported_once_and_at_rest(levels: list[int], told: list[tuple[int, str, bool]]) -> None:
    assert watch(levels, {10: {}, 90: {"AS": True}, 60: {"AS": True}, 120: {"AS": True, "KD": True}}) == told


@pytest.mark.parametrize("bare", [None, {}, {"?1": True}])
def test_a_table_on_which_no_card_lies_face_up_is_searched_once(bare: dict[str, bool] | None) -> None:
    """A search that finds nothing asks every plane: seconds at each sweep of a trick."""
    seen: dict[int, dict[str, bool]] = {90: {"AS": True}, 140: {"AS": True, "KD": True}, 200: {"2C": True}}
    reader = _Reader(seen if bare is None else seen | {10: bare})
    eye = LaidCards(reader, again=True)  # type: ignore[arg-type]
    told = []
    for number, level in enumerate(level for level in (10, 90, 140, 10, 200, 10, 90) for _ in range(3)):
        frame = Frame(np.full((90, 160, 3), level, np.uint8), number / 15, number, "test", str(number))
        told += [laid.lie.card for laid in eye.feed(frame)]
        assert not eye.has_read or eye.found == (level != 10 or bare is not None)
    assert told == ["AS", "KD", "2C", "AS"]
    assert [level for level, _ in reader.asked] == [10, 90, 140, 10, 200, 90], "once more with the plane of cards"
    plane = reader.asked[-1][1]
    assert isinstance(plane, _Reading)
    assert {lie.card for lie in plane.lies} == {"2C"}, "the plane of cards serves on, not a bare table's"


def test_what_differs_from_a_bare_table_is_searched_alone_and_light_is_not() -> None:
    bare = np.full((90, 160, 3), 60, np.uint8)
    bare[::8] = 90
    hand, card = bare.copy(), bare.copy()
    hand[20:60, 100:], card[20:60, 40:70] = 140, 200
    lamp = (1.4 * bare).astype(np.uint8)
    asked: list[float] = []

    class Reader:
        def read_after(self, image_bgr: np.ndarray, _before: object) -> _Reading | None:
            asked.append(float(image_bgr[:, :20].std()))  # of the table, far from all that differs
            return _Reading({"AS": True}) if (image_bgr == 200).any() else None

    eye, told = LaidCards(Reader()), []  # type: ignore[arg-type]
    for number, picture in enumerate(picture for picture in (bare, lamp, hand, lamp, card) for _ in range(3)):
        told += [laid.lie.key for laid in eye.feed(Frame(picture, number / 15, number, "test", str(number)))]
    assert told == ["AS"]
    assert len(asked) == 4, "the bare table, the hand alone, the card alone, and then the whole picture"
    assert max(asked[1:3]) < 3.0 < 8.0 < min(asked[0], asked[3])


def test_a_doubtful_card_is_looked_at_again_before_it_is_reported_as_doubtful() -> None:
    told = watch([90] * 45, {90: {"AS": False}})
    assert len(told) == 1
    assert told[0][0] >= 15
    assert told[0][1:] == ("AS", False)


def test_a_second_card_of_a_name_is_told_where_the_first_was_told_before() -> None:
    second = {"AS": True, "AS'": False}
    told = watch([90, 90, 90, *[140] * 40], {90: {"AS": True}, 140: second})
    assert [(card, sure) for _, card, sure in told] == [("AS", True), ("AS", False)]
    assert watch([140] * 12, {140: {"AS": False, "AS'": False}}) == []


def test_a_doubtful_card_may_be_looked_at_until_it_is_sure() -> None:
    seen = {90: {"AS": False}, 140: {"AS": True}}
    told = watch([90] * 60 + [140] * 20, seen, until_sure=True)
    assert [(card, sure) for _, card, sure in told] == [("AS", False), ("AS", True)]
    assert told[0][0] < 60 <= told[1][0]


def test_what_lies_there_before_anything_moves_did_not_come_to_rest() -> None:
    """The top of a heap is seen from the first frame on; a card is laid beside it."""
    seen = {90: {"AS": True}, 140: {"AS": True, "KD": True}, 200: {"AS": True}}
    assert watch([90] * 40 + [140] * 5 + [200] * 5, seen, came_to_rest=True) == [(42, "KD", True)]
    assert [card for _, card, _ in watch([90] * 40 + [140] * 5, seen)] == ["AS", "KD"]
    told = watch([10, 60, 90, 90, 90], {90: {"AS": True}}, came_to_rest=True)  # laid in the first frames
    assert told == [(4, "AS", True)]


def test_of_a_deck_that_is_not_on_the_table_no_card_is_told() -> None:
    """What reads as a card of it is none; once the right cards are seen they are told."""
    other, right = {"AH": True, "XX": True}, {"AS": True}
    assert watch([90, 90, 90, 150, 150, 150], {90: other, 150: right}) == [(5, "AS", True)]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"AS": False}, {"AS@": True}, [(5, "AS", True)]),  # marks of the table were taken for it
        ({"AS": False}, {"AS": True}, []),  # the top of a heap, plainer now
        ({"AS": True}, {"AS@": True}, []),  # the top of a heap that was pushed
    ],
)
def test_a_name_that_was_doubtful_before_anything_moved_is_that_of_a_card_laid_elsewhere(
    before: dict[str, bool], after: dict[str, bool], told: list[tuple[int, str, bool]]
) -> None:
    assert watch([10, 10, 10, 90, 90, 90], {10: before, 90: after}, until_sure=True, came_to_rest=True) == told
