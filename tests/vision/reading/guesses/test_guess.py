"""What a guess is, and when two places are one."""

from __future__ import annotations

import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.reading.guesses.guess import Finder, Guess, near, place_at


@pytest.mark.parametrize(
    ("finder", "votes", "exact"),
    [
        (Finder.KNOWN, 0.0, True),
        (Finder.MARKERS, 1.0, False),
        (Finder.MARKERS, 2.0, True),
        (Finder.FEATURES, 1e6, False),
        (Finder.OUTLINES, 1e6, False),
        (Finder.PIECES, 1e6, False),
        (Finder.SEARCH, 1e6, False),
    ],
)
def test_a_guess_is_exact_by_what_spoke_for_it(finder: Finder, votes: float, exact: bool) -> None:
    assert Guess(0, CardPose.flat(0.0, 0.0, 0.0), votes, finder).is_exact is exact


@pytest.mark.parametrize(
    ("face", "finder", "same"),
    [
        (0, Finder.FEATURES, True),
        (0, Finder.OUTLINES, True),
        (1, Finder.FEATURES, False),
        (0, Finder.SIDES, False),
    ],
)
def test_a_guess_by_sides_names_no_face(face: int, finder: Finder, same: bool) -> None:
    """Its number is that of the deck's first card, which gave no hope where the card with these sides lies."""
    here = CardPose.flat(0.0, 0.0, 0.0)
    first, other = Guess(0, here, 5.0, Finder.FEATURES), Guess(face, here, 40.0, finder)
    assert first.names_as(other) is same
    assert other.names_as(first) is same
    assert other.names_as(other)


def test_only_markers_read_names() -> None:
    assert [finder for finder in Finder if finder.traits.reads_names] == [Finder.MARKERS]


@pytest.mark.parametrize(
    ("x", "y", "angle", "same"),
    [
        (0.0, 0.0, 179.0, True),
        (3.0, 3.9, 179.0, True),
        (3.0, 4.1, 179.0, False),
        (0.0, 0.0, -172.0, True),
        (0.0, 0.0, 160.0, False),
    ],
)
def test_places_are_near_by_distance_and_by_the_shorter_turn(x: float, y: float, angle: float, same: bool) -> None:
    a, b = place_at(CardPose.flat(0.0, 0.0, 179.0)), place_at(CardPose.flat(x, y, angle))
    assert near(a, b, 5.0, 10.0) is same
    assert near(b, a, 5.0, 10.0) is same
