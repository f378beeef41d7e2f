"""How far to trust a name: what speaks against it makes it less probable, and names the doubt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.domain.doubts import Doubt
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK, DeckFaces
from arena_cam.vision.photographs.singly.doubt import doubt, hopeless, measures, no_back
from arena_cam.vision.photographs.singly.names import Agreement, Name
from arena_cam.vision.planes.candidates import settle
from arena_cam.vision.planes.picture import Picture
from arena_cam.vision.planes.plane_alignment import Templates
from vision.planes.photographed import homography, photograph

HERE = CardPose.flat(-10.0, 5.0, 20.0)
WHOLE = Agreement(visible_fraction=1.0, ink_mm2=1500.0, ink_missing_mm2=0.0, ink_absent_mm2=0.0, odd_mm2=0.0)


@pytest.fixture(scope="module")
def plain(faces: DeckFaces, templates: Templates) -> Name:
    """A card in full view, whose rivals are 400 and 500 nats behind."""
    found = settle(Picture(photograph(faces.deck, ("card-0", HERE))), homography(HERE), 0, templates, "test")
    assert found is not None
    return Name(found, 400.0, ((1, 400.0), (2, 500.0)), WHOLE)


def sentences(name: Name) -> set[Doubt]:
    return {Doubt.of(each.code) for each in doubt(name).doubts}


def test_a_card_in_full_view_is_sure(plain: Name) -> None:
    told = doubt(plain)
    assert told.sure
    assert told.probability > 0.97


def test_what_is_left_of_the_probability_is_shared_among_the_rivals(plain: Name) -> None:
    told = doubt(replace(plain, margin=5.0, rivals=((1, 5.0), (2, 40.0))))
    (first, p), (second, q) = told.others
    assert (first, second) == (1, 2)
    assert p > q > 0.0
    assert told.probability + p + q < 1.0  # it may be no card at all


@pytest.mark.parametrize(
    ("agreement", "said"),
    [
        (replace(WHOLE, visible_fraction=0.5), Doubt.MOSTLY_HIDDEN),
        (replace(WHOLE, odd_mm2=120.0), Doubt.UNLIKE_THE_DECK),
        (replace(WHOLE, ink_missing_mm2=500.0), Doubt.UNLIKE_THE_DECK),
        (replace(WHOLE, ink_absent_mm2=120.0), Doubt.UNLIKE_THE_DECK),
    ],
)
def test_what_is_hidden_missing_or_odd_is_a_doubt_of_that_name(plain: Name, agreement: Agreement, said: Doubt) -> None:
    name = replace(plain, agreement=agreement)
    assert said in sentences(name)
    assert doubt(name).probability < doubt(plain).probability


def test_a_rival_near_behind_is_a_doubt(plain: Name) -> None:
    assert sentences(replace(plain, margin=59.0)) == {Doubt.FITS_NEARLY_AS_WELL}
    assert Doubt.FITS_NEARLY_AS_WELL not in sentences(replace(plain, margin=61.0))


def test_faint_print_is_a_doubt(plain: Name) -> None:
    name = replace(plain, candidate=replace(plain.candidate, contrast=0.55))
    assert sentences(name) == {Doubt.FAINT_PRINT}


def test_no_doubt_is_without_a_name(plain: Name) -> None:
    """Whatever makes the probability small is said."""
    for visible in np.linspace(0.1, 1.0, 7):
        for missing in (0.0, 100.0, 280.0, 1400.0):
            agreement = replace(WHOLE, visible_fraction=float(visible), ink_missing_mm2=missing)
            told = doubt(replace(plain, agreement=agreement))
            assert 0.0 <= told.probability <= 1.0
            assert told.probability >= 0.97 or told.doubts


def test_a_name_that_cannot_become_right_is_hopeless(plain: Name) -> None:
    assert not hopeless(plain)
    assert hopeless(replace(plain, margin=0.0))
    assert hopeless(replace(plain, agreement=replace(WHOLE, ink_mm2=100.0, ink_missing_mm2=900.0)))
    assert hopeless(replace(plain, candidate=replace(plain.candidate, contrast=0.5)))
    assert not hopeless(replace(plain, agreement=replace(WHOLE, visible_fraction=0.1)))  # it may be covered


def test_a_back_must_be_nearly_whole(plain: Name, faces: DeckFaces) -> None:
    back = replace(plain, candidate=replace(plain.candidate, face=faces.names.index(BACK)))
    half = replace(WHOLE, visible_fraction=0.45)
    assert not no_back(back)
    assert no_back(replace(back, agreement=half))
    assert no_back(replace(back, agreement=replace(WHOLE, ink_missing_mm2=300.0)))
    assert not no_back(replace(plain, agreement=half))  # a face may be half hidden


def test_measures_grow_with_what_they_are_named_for(plain: Name) -> None:
    less = replace(WHOLE, visible_fraction=0.6, ink_missing_mm2=200.0, ink_absent_mm2=100.0, odd_mm2=50.0)
    before, after = measures(plain), measures(replace(plain, agreement=less, margin=10.0))
    assert all(after[name] > before[name] for name in ("hidden", "missing", "absent", "odd"))
    assert after["margin"] < before["margin"]
    assert measures(replace(plain, margin=-5.0))["margin"] < 0.0
