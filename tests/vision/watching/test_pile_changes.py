"""What a reading changes: what is new, moved, gone, and what is only a second explanation of what was there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from arena_cam.domain.lies import Face, Landing, Lie, Reading
from arena_cam.vision.watching.card_cells import Places
from arena_cam.vision.watching.pile_changes import PileChanges, Place, pile_changes, with_same_keys

# 960 x 540 pixels in cells of 32.
PLACES = Places((16, 30), 32.0)
PX_PER_MM = 2.0


def lie(key: str, x_mm: float = 0.0, y_mm: float = 0.0, *, on: Sequence[str] = (), **more: object) -> Lie:
    """A card upright at (x, y), seen by a camera straight above the middle."""
    corners_mm = tuple((x_mm + dx, y_mm + dy, 0.0) for dx, dy in ((-31, 44), (31, 44), (31, -44), (-31, -44)))
    corners_px = tuple((480 + PX_PER_MM * x, 270 - PX_PER_MM * y) for x, y, _ in corners_mm)
    down = key.startswith("?")
    made = Lie(
        key=key,
        card=None if down else key,
        face=Face.DOWN if down else Face.UP,
        landing=Landing.FLAT,
        confidence=0.99,
        tilt_deg=0.2,
        tilt_sd_deg=0.1,
        centre_mm=(x_mm, y_mm),
        angle_deg=0.0,
        corners_px=corners_px,  # type: ignore[arg-type]
        corners_mm=corners_mm,  # type: ignore[arg-type]
        rests_on=tuple(on),
    )
    return replace(made, **more)  # type: ignore[arg-type]


@dataclass
class Pictures:
    """What the pictures say, by key; a card not named here lies at rest where everything changed."""

    places: dict[str, Place] = field(default_factory=dict)
    stale: tuple[str, ...] = ()
    moving: tuple[str, ...] = ()

    def place(self, lie: Lie, above: Sequence[Lie]) -> Place:
        assert all(other.key != lie.key for other in above)
        return self.places.get(lie.key, Place.OTHER)

    def fresh_share(self, lie: Lie, above: Sequence[Lie]) -> float:
        assert all(other.key != lie.key for other in above)
        return 0.0 if lie.key in self.stale else 1.0

    def at_rest(self, lie: Lie) -> bool:
        return lie.key not in self.moving


def changes(before: Sequence[Lie], now: Sequence[Lie], pictures: Pictures | None = None) -> PileChanges:
    return pile_changes(before, Reading("f", 1.0, tuple(now)), pictures or Pictures(), PLACES)


def keys(lies: Sequence[Lie]) -> list[str]:
    return [each.key for each in lies]


def test_nothing_new_is_nothing() -> None:
    found = changes([lie("red-1")], [lie("red-1", 0.4, 0.3)])
    assert found.nothing
    assert keys(found.believed) == ["red-1"]


def test_a_new_card_has_rested() -> None:
    found = changes([lie("red-1")], [lie("red-1"), lie("blue-1", 20, on=["red-1"])])
    assert keys(found.rested) == ["blue-1"]
    assert not found.moved


@pytest.mark.parametrize(
    ("pictures", "more"),
    [
        (Pictures(moving=("blue-1",)), {}),  # still in flight
        (Pictures(stale=("blue-1",)), {}),  # nothing changed there
        (Pictures(), {"visible_fraction": 0.05}),  # nobody could have read it
    ],
)
def test_a_card_that_cannot_have_come_is_not_believed(pictures: Pictures, more: dict[str, Any]) -> None:
    found = changes([lie("red-1")], [lie("red-1"), lie("blue-1", 20, on=["red-1"], **more)], pictures)
    assert found.nothing
    assert keys(found.believed) == ["red-1"]


def test_a_card_face_down_that_comes_mostly_covered_is_a_shadow() -> None:
    hidden = lie("?1", 20, 20, visible_fraction=0.22)
    arrived = lie("blue-1", 15, 15, on=["?1", "red-1"])
    found = changes([lie("red-1")], [lie("red-1"), hidden, arrived])
    assert keys(found.rested) == ["blue-1"]
    assert found.rested[0].rests_on == ("red-1",)
    lay_there = pile_changes([], Reading("f", 1.0, (hidden, arrived)), Pictures(), PLACES, first_look=True)
    assert keys(lay_there.rested) == ["?1", "blue-1"]


def test_a_covered_card_read_under_a_wrong_name_is_the_one_known_before() -> None:
    above = lie("blue-1", 15, 15, on=["red-9"])
    misread = lie("red-9", visible_fraction=0.4)
    found = changes([lie("red-1")], [misread, above], Pictures({"red-1": Place.UNCHANGED}))
    assert keys(found.rested) == ["blue-1"]
    assert keys(found.believed) == ["red-1", "blue-1"]
    assert found.believed[1].rests_on == ("red-1",)


def test_a_card_that_slid_has_moved() -> None:
    found = changes([lie("red-1")], [lie("red-1", 5)])
    assert [(before.centre_mm, after.centre_mm) for before, after in found.moved] == [((0.0, 0.0), (5.0, 0.0))]


def test_a_card_whose_support_was_pulled_away_has_moved() -> None:
    before = [lie("red-1"), lie("blue-1", 30, on=["red-1"])]
    found = changes(before, [lie("red-1", -60), lie("blue-1", 30)])
    assert [after.key for _, after in found.moved] == ["red-1", "blue-1"]


def test_another_opinion_about_a_card_that_did_not_move_is_no_event() -> None:
    found = changes([lie("red-1")], [lie("red-1", landing=Landing.DIAGONAL, sure=False)])
    assert found.nothing
    assert found.believed[0].landing is Landing.FLAT


def test_a_doubt_is_not_resolved_by_what_shows_of_a_card_half_covered() -> None:
    doubted = lie("red-1", landing=Landing.DIAGONAL, sure=False)
    found = changes([doubted], [lie("red-1", visible_fraction=0.44), lie("blue-1", 20.0, 20.0, on=["red-1"])])
    assert keys(found.rested) == ["blue-1"]
    assert found.moved == ()
    assert next(each for each in found.believed if each.key == "red-1").landing is Landing.DIAGONAL


def test_a_doubt_that_is_resolved_is_said() -> None:
    found = changes([lie("red-1", landing=Landing.EDGE, sure=False)], [lie("red-1")])
    assert [after.landing for _, after in found.moved] == [Landing.FLAT]


@pytest.mark.parametrize(
    ("place", "gone", "waits"),
    [
        (Place.EMPTY, True, False),
        (Place.UNCHANGED, False, False),
        (Place.OTHER, False, True),
        (Place.IN_MOTION, False, True),
    ],
)
def test_a_card_not_read_is_gone_only_where_its_place_is_empty(place: Place, gone: bool, waits: bool) -> None:
    found = changes([lie("red-1"), lie("blue-1", 150)], [lie("blue-1", 150)], Pictures({"red-1": place}))
    assert keys(found.gone) == (["red-1"] if gone else [])
    assert keys(found.covered) == (["red-1"] if waits else [])


def test_hidden_cards_keep_their_places_in_the_pile() -> None:
    before = [lie("red-1"), lie("blue-1", 3, on=["red-1"])]
    found = changes(before, [lie("green-1", 1, 2)])
    assert keys(found.believed) == ["red-1", "blue-1", "green-1"]
    assert "blue-1" in found.believed[2].rests_on
    assert found.believed[0].visible_fraction < 0.1


def test_cards_face_down_keep_their_keys_by_their_places() -> None:
    before = [lie("?1", -60), lie("?2", 60)]
    seen = with_same_keys(Reading("f", 1.0, (lie("?1", 61), lie("?2", 150, on=["?1"]), lie("?3", -60))), before, 3)
    assert keys(seen.lies) == ["?2", "?3", "?1"]
    assert seen.lies[1].rests_on == ("?2",)
