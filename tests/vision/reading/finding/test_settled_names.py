"""A doubtful name is asked again where the card lies in the end, below what is known then to lie over it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.fit import Fit
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.leaning import leaning_starts
from arena_cam.vision.reading.cards.lies import FittedCard
from arena_cam.vision.reading.cards.naming import Found, boosted
from arena_cam.vision.reading.finding import settled_names
from arena_cam.vision.reading.finding.settled_names import (
    as_likely_as_unseen,
    each_name_once,
    is_surely_named,
    named_again,
    shared_with_rivals,
    told_by_inks,
)
from arena_cam.vision.reading.finding.settling import Pile, named_once, settle
from arena_cam.vision.reading.finding.sided_cards import fit_by_sides
from arena_cam.vision.reading.floor.table_change import Stranger, TableChange
from vision.reading.finding.blank_cards import FLOOR, TRUE, known_of, known_with
from vision.scenes import HERE, found_at, scene_of, surely


@pytest.fixture
def known(blank: DeckFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Known:
    monkeypatch.setattr(blank, "are_alike", True)
    return known_of(blank, tmp_path, ("card-2", TRUE))


def doubtful(known: Known, face: int = 2) -> tuple[Found, FittedCard]:
    """The card of the picture as found and as settled, while each of the four names is as likely as the others."""
    fit = fit_by_sides(known, TRUE)
    assert fit is not None
    found = Found(replace(fit, face=face), Identity(np.zeros(4), 100))
    (card,) = settle(known.scene, [Found(found.fit, Identity(40.0 * np.eye(4)[face], 100))], ()).cards
    return found, replace(card, identity=found.identity)


@pytest.mark.parametrize("alike", [True, False])
def test_an_open_name_is_told_in_the_final_place(known: Known, monkeypatch: pytest.MonkeyPatch, alike: bool) -> None:
    """Of faces that differ, too: what lay round a card above, its edge and its shadow, had a say before."""
    monkeypatch.setattr(known.scene.faces, "are_alike", alike)
    found, card = doubtful(known)
    (named,) = named_again([found], [card], [known], ())
    assert named.identity.best == 2
    assert named.identity.probabilities()[2] > 0.9


def test_while_people_are_at_work_a_covered_card_in_doubt_stays_so_and_sure_names_are_doubted(known: Known) -> None:
    found, card = doubtful(known)
    assert named_again([found], [card], [known], (), lambda: True)[0].identity.best == 2, "it lies open"
    covered = replace(card, fit=replace(card.fit, uncovered=0.5))
    assert named_again([found], [covered], [known], (), lambda: True) == [found]
    surely = Identity(40.0 * np.eye(4)[2], 100)
    sure, less = replace(found, identity=surely), replace(card, identity=surely, fit=replace(card.fit, uncovered=0.5))
    hidden = known.claims.copy()
    hidden.add_polygon(known.scene.camera.project(TRUE.corners(63.0, 88.0)))
    (named,) = named_again([sure], [less], [replace(known, claims=hidden)], (), lambda: True)
    assert named.identity.probabilities()[2] < 0.9


def test_a_wrong_name_is_put_right(known: Known) -> None:
    found, card = doubtful(known, face=0)
    (named,) = named_again([found], [card], [known], ())
    assert (named.fit.face, named.identity.best) == (2, 2)


def test_a_sure_name_is_not_asked_again(known: Known) -> None:
    found, card = doubtful(known)
    sure = replace(card, identity=Identity(40.0 * np.eye(4)[0], 100), fit=replace(card.fit, face=0))
    assert named_again([found], [sure], [known], ()) == [found]


def test_a_sure_name_is_asked_again_where_more_is_in_view_than_when_it_was_named(known: Known) -> None:
    """Of a nine whose figure a card beneath had claimed, what was left was an even back, surely."""
    found, card = doubtful(known, face=0)
    sure = Identity(40.0 * np.eye(4)[0], 100)
    settled = replace(card, identity=sure, fit=replace(card.fit, uncovered=0.8))
    for then, face in ((0.72, 2), (0.78, 0)):
        before = Found(replace(found.fit, uncovered=then), sure)
        (named,) = named_again([before], [settled], [known], ())
        assert (named.fit.face, named.identity.best) == (face, face), then


def test_a_sure_card_is_asked_whether_it_is_one_that_another_has_the_name_of_in_doubt(known: Known) -> None:
    """The name of the doubtful one was left out where the sure one was told; by its print it is that card."""
    found, card = doubtful(known, face=0)
    sure = Found(found.fit, Identity(40.0 * np.eye(4)[0], 100))
    settled = replace(card, identity=sure.identity)
    other = replace(card, fit=replace(card.fit, face=2))
    named, _ = named_again([sure, found], [settled, other], [known, known], ())
    assert (named.fit.face, named.identity.best) == (2, 2)
    beside = replace(card, fit=replace(card.fit, face=2), identity=Identity(40.0 * np.eye(4)[2], 100))
    assert named_again([sure, found], [settled, beside], [known, known], ())[0] is sure, "nothing is in doubt"


def test_a_rival_that_was_compared_when_a_sure_name_was_told_is_not_asked_about(
    known: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, card = doubtful(known, face=0)
    told = Identity(np.array([40.0, -60.0, 5.0, -60.0]), 100)  # the doubtful one's name, 2, was among those compared
    sure, other = Found(found.fit, told), replace(card, fit=replace(card.fit, face=2))
    monkeypatch.setattr(settled_names, "compared", None)  # nobody asks
    named, _ = named_again([sure, found], [replace(card, identity=told), other], [known, known], ())
    assert named is sure


def test_where_something_hides_the_figures_the_name_stays_open(known: Known) -> None:
    found, card = doubtful(known)
    hidden = known.claims.copy()
    hidden.add_polygon(known.scene.camera.project(TRUE.corners(63.0, 88.0)))
    (named,) = named_again([found], [card], [replace(known, claims=hidden)], ())
    assert named.identity.probabilities().max() < 0.9


def test_a_name_is_not_asked_again_where_what_is_in_view_can_make_none_surer(
    known: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, card = doubtful(known)
    hidden = known.claims.copy()
    hidden.add_polygon(known.scene.camera.project(TRUE.corners(63.0, 88.0)))
    monkeypatch.setattr(settled_names, "named_in_place", None)  # nobody asks
    assert named_again([found], [card], [replace(known, claims=hidden)], ()) == [found]


@pytest.mark.parametrize(("ahead", "told"), [(7.0, True), (40.0, False)])
def test_a_name_of_faces_that_are_alike_that_leads_by_a_little_over_the_whole_card_is_told_by_its_points(
    known: Known, ahead: float, told: bool
) -> None:
    """Little print led to a four drawn as a dial, and no sides: a nine led it by 5 nats, surely."""
    _, card = doubtful(known)
    likelihood = np.full(4, -60.0)
    likelihood[[0, 2]] = 0.0, -ahead
    by_print = replace(card.fit, face=0, outline=None, evidence=55.0)
    as_a_whole = Found(by_print, Identity(likelihood, 100))
    settled = replace(card, fit=by_print, identity=as_a_whole.identity)
    (named,) = named_again([as_a_whole], [settled], [known], ())
    assert (named.fit.face == named.identity.best == 2) is told
    plainly = replace(by_print, evidence=80.0)
    kept = named_again([Found(plainly, as_a_whole.identity)], [replace(settled, fit=plainly)], [known], ())
    assert kept[0].fit is plainly, "much print: its points told it when it was found"


@pytest.mark.parametrize("figures_in_view", [True, False])
def test_a_sure_name_is_kept_where_less_is_in_view_than_when_it_was_named_if_that_still_tells_it(
    known: Known, figures_in_view: bool
) -> None:
    """A card found later covers a part: that part may have given the name."""
    found, card = doubtful(known)
    surely = Identity(40.0 * np.eye(4)[2], 100)
    found, card = replace(found, identity=surely), replace(card, identity=surely, fit=replace(card.fit, uncovered=0.5))
    hidden = known.claims.copy()
    corners = TRUE.corners(20.0, 88.0) if figures_in_view else TRUE.corners(63.0, 88.0)
    hidden.add_polygon(known.scene.camera.project(corners))
    (named,) = named_again([found], [card], [replace(known, claims=hidden)], ())
    assert named.fit.face == 2
    assert bool(named.identity.probabilities()[2] > 0.99) is figures_in_view
    (as_told,) = named_again([found], [card], [replace(known, claims=hidden)], (2,))
    assert as_told is found, "it is known to be there"


def test_a_sure_name_that_is_surely_another_one_where_less_is_in_view_is_that(known: Known) -> None:
    """A seven drawn as a dial was a four by what covered it; told to be a seven, it stayed a four in doubt."""
    found, card = doubtful(known, face=0)
    surely = Identity(40.0 * np.eye(4)[0], 100)
    found, card = replace(found, identity=surely), replace(card, identity=surely, fit=replace(card.fit, uncovered=0.5))
    (named,) = named_again([found], [card], [known], ())
    assert (named.fit.face, named.identity.best) == (2, 2)
    assert named.identity.probabilities()[2] > 0.99


@pytest.mark.parametrize("in_view_mm", [30.0, 2.0])
def test_of_faces_that_differ_what_is_in_view_is_compared_closely_only_where_it_leaves_the_name_open(
    faces: DeckFaces, in_view_mm: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of a face like no other says as much as all of it; of a strip the points at which faces differ must tell."""
    known = Known.nothing_of(scene_of(faces, ("card-1", HERE)))
    found = found_at(known, 1, HERE)
    (card,) = settle(known.scene, [found], ()).cards
    hidden = known.claims.copy()
    aside = CardPose(HERE.R, HERE.centre_mm + in_view_mm * HERE.R[:, 0])
    hidden.add_polygon(known.scene.camera.project(aside.corners(63.0, 88.0)))
    asked = []

    def closely(_: Known, fit: Fit, *__: object) -> tuple[Fit, Identity]:
        asked.append(fit)
        return fit, surely(faces, 1)

    monkeypatch.setattr(settled_names, "named_in_place", closely)
    less = replace(card, fit=replace(card.fit, uncovered=0.9 * in_view_mm / 63.0))
    assert named_again([found], [less], [replace(known, claims=hidden)], ()) == [found]
    assert bool(asked) is (in_view_mm < 10.0)


@pytest.mark.parametrize("ahead", [7.0, 40.0])
def test_of_faces_that_differ_a_name_that_leads_by_a_little_is_compared_closely(
    faces: DeckFaces, ahead: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a marker beside the edge of a card above took a one for a seven, surely, when all above was known."""
    known = Known.nothing_of(scene_of(faces, ("card-1", HERE)))
    hidden = known.claims.copy()
    aside = CardPose(HERE.R, HERE.centre_mm + 2.0 * HERE.R[:, 0])
    hidden.add_polygon(known.scene.camera.project(aside.corners(63.0, 88.0)))
    open_ = Identity(np.zeros(3), 50)
    monkeypatch.setattr(settled_names, "named_in_place", lambda _, fit, *__: (fit, open_))
    (card,) = settle(known.scene, [found_at(known, 1, HERE)], ()).cards
    identity = Identity(np.array([-ahead, 0.0, -60.0]), 50)
    found = Found(card.fit, identity)
    (named,) = named_again([found], [replace(card, identity=identity)], [replace(known, claims=hidden)], ())
    assert (named.identity is open_) is (ahead < 10.0)


def hidden_by(known: Known, width_mm: float) -> Known:
    claims = known.claims.copy()
    claims.add_polygon(known.scene.camera.project(TRUE.corners(width_mm, 88.0)))
    return replace(known, claims=claims)


def test_a_card_known_to_be_there_is_either_of_two_of_which_nothing_tells_the_name(known: Known) -> None:
    """The first that was looked at had been given the name almost surely."""
    _, open_card = doubtful(known, face=1)
    named = replace(open_card, identity=boosted(open_card.identity, 2), fit=replace(open_card.fit, face=2))
    hidden = hidden_by(known, 63.0)
    shared = shared_with_rivals([named, open_card], [hidden, hidden], 2)
    assert [card.identity.probabilities()[2] for card in shared] == pytest.approx([0.5, 0.5], abs=0.01)


def test_a_card_known_to_be_there_is_the_one_that_shows_its_figure(known: Known) -> None:
    _, open_card = doubtful(known, face=1)
    named = replace(open_card, identity=boosted(open_card.identity, 2), fit=replace(open_card.fit, face=2))
    first, second = shared_with_rivals([named, open_card], [hidden_by(known, 63.0), known], 2)
    assert first.identity.probabilities()[2] < 0.1
    assert second.identity.probabilities()[2] > 0.9


def test_a_card_known_to_be_there_keeps_its_name_beside_one_that_is_surely_another(known: Known) -> None:
    _, open_card = doubtful(known, face=1)
    named = replace(open_card, identity=boosted(open_card.identity, 2), fit=replace(open_card.fit, face=2))
    sure = replace(open_card, identity=Identity(40.0 * np.eye(4)[1], 100))
    assert shared_with_rivals([named, sure], [known, known], 2) == [named, sure]


def test_a_card_that_was_compared_with_a_face_is_not_asked_about_it_again(
    known: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    def again(*_: object) -> NoReturn:
        raise AssertionError("asked again")

    _, open_card = doubtful(known, face=1)
    named = replace(open_card, identity=boosted(open_card.identity, 2), fit=replace(open_card.fit, face=2))
    compared = replace(open_card, identity=Identity(np.array([-60.0, 0.0, 0.0, -60.0]), 100))
    monkeypatch.setattr(settled_names, "named_in_place", again)
    shared = shared_with_rivals([named, compared], [known, known], 2)
    assert shared[1].identity.probabilities()[2] > 0.3, "it is as likely to be it as its own print says"


@pytest.mark.parametrize(("nats", "sure"), [((40.0, 40.0), (0.0, 0.0)), ((50.0, 9.0), (1.0, 0.0))])
def test_a_deck_has_each_card_once(known: Known, nats: tuple[float, float], sure: tuple[float, float]) -> None:
    """Of two sure cards of one name none is sure, unless one shows it beyond doubt: then the other is another card."""
    _, card = doubtful(known)
    pair = [replace(card, identity=Identity(lead * np.eye(4)[2], 100)) for lead in nats]
    assert all(is_surely_named(one) for one in pair)
    told = each_name_once(known.scene, pair)
    assert [float(is_surely_named(one)) for one in told] == list(sure)
    assert told[1].identity.probabilities()[2] < 0.6
    assert is_surely_named(each_name_once(known.scene, pair[:1])[0])
    assert [is_surely_named(one) for one in named_once(known.scene, Pile(pair, [], [0, 1]), ()).cards] == list(sure)


def test_of_a_card_like_the_floor_beneath_it_another_one_would_not_have_been_seen(known: Known, tmp_path: Path) -> None:
    """Nothing tells its name. The face that is certainly there may lie where nobody sees it: black cards on black."""
    _, open_card = doubtful(known, face=1)
    named = replace(open_card, identity=boosted(open_card.identity, 2), fit=replace(open_card.fit, face=2))
    unlike = known.scene
    like = known_with(unlike.faces, tmp_path, FLOOR, TRUE).scene
    likely = [as_likely_as_unseen(scene, [named], 2)[0].identity.probabilities()[2] for scene in (unlike, like)]
    assert likely[0] > 0.98
    assert likely[1] < 0.95


@pytest.mark.parametrize(("tilted_deg", "name"), [(17.0, 2), (2.0, 1)])
def test_a_card_that_rests_otherwise_than_it_lay_is_named_where_it_rests(
    known: Known, tilted_deg: float, name: int
) -> None:
    """However sure its name was: it had been laid by the print of the face that it got."""
    found, card = doubtful(known, face=1)
    leaning = found.fit.pose.moved(np.array([0.0, 0.0, 0.0, np.radians(tilted_deg), 0.0, 0.0]))
    sure = Identity(40.0 * np.eye(4)[1], 100)
    lay = replace(found.fit, alignment=replace(found.fit.alignment, pose=leaning))
    (named,) = named_again([Found(lay, sure)], [replace(card, identity=sure)], [known], ())
    assert named.identity.best == name


def test_something_unknown_beside_a_card_of_which_nothing_tells_the_name_may_be_the_one_that_must_be_there(
    known: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A five, its middle hidden, was surely the six that was the challenge: that lay beneath it, unfound."""
    _, open_card = doubtful(known, face=1)
    named = replace(open_card, identity=boosted(open_card.identity, 2), fit=replace(open_card.fit, face=2))

    def likely(area_mm2: float, long_mm: float = 60.0) -> float:
        thing = Stranger(area_mm2, (0.0, 0.0), 1, (long_mm, 30.0))
        monkeypatch.setattr(TableChange, "strangers", lambda *_: [(thing, [0])])
        return float(as_likely_as_unseen(known.scene, [named], 2)[0].identity.probabilities()[2])

    assert likely(900.0) < 0.9
    assert likely(390.0) < 0.9, "a corner of it, between others"
    assert likely(80.0) < 0.9, "a small one"
    assert 0.6 < likely(9000.0, long_mm=160.0) < 0.9, "a hand, which hides what lies beneath it"


def test_a_leaning_card_of_which_nothing_tells_the_name_was_not_laid_there_first(known: Known) -> None:
    """A ten over a wall, its middle hidden, was surely the five that was the challenge: that lay flat, unseen."""
    _, open_card = doubtful(known, face=1)
    named = replace(open_card, identity=boosted(open_card.identity, 2), fit=replace(open_card.fit, face=2))
    flat = CardPose.flat(known.scene.arena.inner_mm[0] / 2 - 20.0, 0.0, 90.0)

    def likely(pose: CardPose) -> float:
        lies = replace(named, fit=replace(named.fit, alignment=replace(named.fit.alignment, pose=pose)))
        return float(as_likely_as_unseen(known.scene, [lies], 2)[0].identity.probabilities()[2])

    assert likely(flat) > 0.98
    assert likely(leaning_starts(known.scene, flat)[0]) < 0.9


def test_that_a_face_is_not_unseen_makes_no_card_surer_than_another_one_that_may_be_it_leaves(known: Known) -> None:
    """Of two dark cards, their figures hidden, the one said by 4 in 100 that it was the challenge, and was; the other
    was it surely."""
    _, card = doubtful(known, face=2)
    named = replace(card, identity=Identity(np.array([0.0, 0.0, 8.0, 0.0]), 100))
    rival = replace(card, fit=replace(card.fit, face=1), identity=Identity(np.log([0.04, 0.9, 0.04, 0.02]), 100))
    alone = as_likely_as_unseen(known.scene, [named], 2)[0].identity.probabilities()[2]
    beside = as_likely_as_unseen(known.scene, [named, rival], 2)[0].identity.probabilities()[2]
    assert alone > 0.99
    assert beside < max(float(named.identity.probabilities()[2]), 0.961)


def test_a_card_that_is_not_there_for_certain_is_as_likely_as_before(known: Known) -> None:
    _, open_card = doubtful(known, face=1)
    assert as_likely_as_unseen(known.scene, [open_card], 2) == [open_card]


def test_a_name_that_hangs_on_an_ink_is_told_by_the_inks_of_other_cards(
    known: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known.scene.faces, "are_alike", False)
    monkeypatch.setattr(settled_names, "_colour", lambda _, face: "violet" if face % 2 else "blue")
    monkeypatch.setattr(settled_names, "gained_by_inks", lambda _, __, inks: np.array([3.0 * (f == 1) for f in inks]))
    _, card = doubtful(known, face=1)
    open_card = replace(card, identity=Identity(np.array([-2.0, 0.0, -20.0, -20.0]), 100))
    sure = [replace(card, identity=Identity(40.0 * np.eye(4)[f], 100), fit=replace(card.fit, face=f)) for f in (2, 3)]
    told = told_by_inks([open_card, *sure], [known] * 3)
    assert list(told[0].identity.log_likelihood[:2]) == [-5.0, 0.0]
    assert told[1:] == sure
    assert told_by_inks([open_card, sure[0]], [known] * 2)[0] is open_card, "nobody knows how violet is seen"
    monkeypatch.setattr(known.scene.faces, "are_alike", True)
    assert told_by_inks([open_card, *sure], [known] * 3)[0] is open_card
