"""A card is told again only where more is known of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.faces.name_points import NamePoints
from arena_cam.vision.faces.softness import Softly
from arena_cam.vision.reading.finding import told_names
from arena_cam.vision.reading.finding.told_names import named_in_place
from arena_cam.vision.reading.telling import other_inks, told_faces
from arena_cam.vision.reading.telling.kept_tellings import Telling, likelier_than
from arena_cam.vision.reading.telling.looks import Looks
from vision.reading.finding.blank_cards import (
    TRUE,
    covered_figures,
    deck_of_figures,
    known_of,
    outlined,
)
from vision.scenes import moved


@pytest.mark.parametrize(
    ("off_mm", "turned", "covered", "taken", "freed", "again"),
    [
        (0.2, False, None, (), (), False),
        (0.2, True, None, (2,), (), False),
        (0.8, False, None, (), (), True),
        (0.2, False, (9.0, 12.0), (), (), True),
        (0.2, False, (44.0, 20.0), (), (), False),
        (0.2, False, None, (1,), (), True),
        (0.2, False, None, (), (3,), True),
    ],
    ids=["hardly moved", "turned", "moved", "figure hidden", "paper hidden", "taken since", "no longer elsewhere"],
)
def test_a_card_that_has_hardly_moved_is_not_told_again(
    blank: DeckFaces,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    off_mm: float,
    turned: bool,
    covered: tuple[float, float] | None,
    taken: tuple[int, ...],
    freed: tuple[int, ...],
    again: bool,
) -> None:
    """Of a doubtful card the name is asked when it is found, at the second look, and at its final pose."""
    known = replace(known_of(blank, tmp_path, ("card-1", TRUE)), taken=freed)
    fit, _ = outlined(known, TRUE)
    first, identity = named_in_place(known, fit, None)
    asked: list[Array] = []
    told = told_faces.told_by_ways

    def counted(view: Softly, white: Array, ways: NDArray[np.intp], closely: bool = False) -> Array:
        asked.append(white)
        return told(view, white, ways, closely)

    monkeypatch.setattr(told_faces, "told_by_ways", counted)
    pose = moved(fit.pose.half_turned if turned else fit.pose, off_mm, 0.0)
    later = replace(known, claims=known.claims.copy(), taken=taken)
    if covered is not None:
        x, y = covered[0] - 31.5, 44.0 - covered[1]
        at = TRUE.points(x + np.array([-7.0, 7.0, 7.0, -7.0]), y + np.array([7.0, 7.0, -7.0, -7.0]))
        later.claims.add_polygon(known.scene.camera.project(at))
    named, once_more = named_in_place(later, replace(fit, alignment=replace(fit.alignment, pose=pose)), None)
    assert bool(asked) == again
    if not again:
        assert named.face == first.face == 1
        assert once_more.best == identity.best


def test_where_the_figures_are_covered_every_name_is_as_likely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few were compared, and the rest, which nothing in view tells from them, were held to be out of question."""
    monkeypatch.setattr(told_names, "_LIKE_THEM", 3)
    monkeypatch.setattr(other_inks, "OTHER_INKS", 3)
    faces = deck_of_figures(tmp_path / "deck", "ABCDEFGHJKLMNPQRSTUVXYZ3")
    known = known_of(faces, tmp_path, ("card-1", TRUE))
    fit, outline = outlined(known, TRUE)
    covered_figures(known)
    taken = replace(known, taken=(5,))
    probabilities = named_in_place(taken, fit, outline)[1].probabilities()
    assert probabilities.max() < 1.5 / 23
    assert probabilities[5] < 1e-6, "it lies elsewhere"
    open_to_view = known_of(faces, tmp_path, ("card-1", TRUE))
    assert named_in_place(open_to_view, fit, outline)[1].probabilities()[1] > 0.9


def test_a_telling_without_faces_that_lie_elsewhere_is_told_of_the_others() -> None:
    telling = Telling([(3, 0), (1, 1), (4, 0)], np.array([-2.0, 0.0, -7.0]), 1, [5, 6])
    without = telling.without((3, 6))
    assert without is not None
    assert (without.likely, without.best, without.as_likely) == ([(1, 1), (4, 0)], 0, [5])
    assert without.told.tolist() == [0.0, -7.0]
    assert telling.without((7,)) is telling
    assert telling.without((1,)) is None, "the best lies elsewhere: all are told anew"


def test_a_card_turned_by_half_a_turn_lies_the_other_way_up(blank: DeckFaces, monkeypatch: pytest.MonkeyPatch) -> None:
    telling, names = Telling([(3, 0), (1, 1), (2, 0)], np.array([-2.0, 0.0, -1.0]), 1, []), NamePoints(blank)
    monkeypatch.setattr(names, "is_same_turned", lambda face: face == 2)
    assert telling.half_turned(names).likely == [(3, 1), (1, 0), (2, 0)], "what has no top is told one way up"


def test_where_several_faces_are_printed_alike_in_view_none_is_likelier_than_another(tmp_path: Path) -> None:
    known = known_of(deck_of_figures(tmp_path / "deck", "ABCDE"), tmp_path, ("card-1", TRUE))
    assert likelier_than(Looks(known, TRUE), [(1, 0)], 0.6)
    covered_figures(known)
    assert likelier_than(Looks(known, TRUE), [(1, 0), (2, 1)], 0.19)
    assert not likelier_than(Looks(known, TRUE), [(1, 0), (2, 1)], 0.2), "it is one of five"
    taken = Looks(replace(known, taken=(0, 4)), TRUE)
    assert likelier_than(taken, [(1, 0)], 0.2)
    assert not likelier_than(taken, [(1, 0)], 1.0 / 3.0)
