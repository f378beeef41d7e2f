"""How much of a card is in view, and how much of that its face explains."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.fitting import fit_coarse
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.measuring import evidence_at, in_view, measure, on_card
from arena_cam.vision.reading.cards.scene import PointStore
from arena_cam.vision.reading.floor.fresh_places import FreshPlaces
from vision.scenes import BESIDE, CAMERA, HERE, SIZE, exactly, fit_at, known_of, moved, scene_of
from vision.small import blotches, small_deck


def test_an_even_floor_is_no_card(faces: DeckFaces) -> None:
    fit = fit_at(known_of(faces), 1, HERE)
    assert fit.evidence < 0
    assert fit.uncovered == 1.0


def test_a_card_in_its_place_is_explained(faces: DeckFaces) -> None:
    known = known_of(faces, ("card-1", HERE))
    fit = fit_at(known, 1, HERE)
    assert fit.explained > 0.95
    assert fit.evidence > 150
    assert evidence_at(known, 1, HERE) == pytest.approx(fit.evidence)
    assert fit_at(known, 2, HERE).evidence < 0


def test_stripes_a_millimetre_and_a_half_apart_are_looked_for_where_they_show(tmp_path: Path) -> None:
    """At the coarse scale they are an even grey: any grey card would be explained, and none would show."""
    across = np.arange(252) // 3 % 2 * 60 + 90
    striped, grey = (
        np.broadcast_to(row[None, :, None], (352, 252, 3)).astype(np.uint8) for row in (across, across * 0 + 120)
    )
    faces = DeckFaces(small_deck(tmp_path, [blotches(1), striped, grey]))
    assert [PointStore(faces).halvings(face) for face in range(3)] == [1, 0, 1]
    known = known_of(faces, ("card-1", HERE))
    assert fit_at(known, 1, HERE).evidence > 150
    assert fit_at(known, 1, HERE).explained > 0.95
    assert fit_at(known_of(faces, ("card-2", HERE)), 1, HERE).evidence < 0
    beside = fit_coarse(known, 1, moved(HERE, 0.2, 0.2))
    assert beside.evidence > 150, "it is aligned where it shows, too"
    a_quarter_off = CardPose(HERE.R, HERE.centre_mm + 0.375 * HERE.R[:, 0])
    off = fit_at(known, 1, a_quarter_off)
    assert off.explained > 0.95, "it may be that by its tone"
    assert -30.0 < off.evidence < 30.0


def test_what_others_claim_is_not_asked(faces: DeckFaces) -> None:
    known = known_of(faces, ("card-1", HERE), ("card-2", moved(HERE, 30.0, 0.0)))
    known = known.plus(fit_at(known, 2, moved(HERE, 30.0, 0.0)), 2)
    fit = measure(known, 1, exactly(HERE))
    assert fit.uncovered == pytest.approx(0.5, abs=0.1)
    assert fit.explained > 0.9


@pytest.mark.parametrize(
    ("pose", "share"), [(HERE, 1.0), (CardPose.flat(-118.0, 0.0, 0.0), 0.5), (CardPose.flat(-400, 0, 0), 0.0)]
)
def test_in_view_is_what_lies_in_the_picture(faces: DeckFaces, pose: CardPose, share: float) -> None:
    free, odd = in_view(known_of(faces), pose)
    assert free == pytest.approx(share, abs=0.08)
    assert odd == 1.0, "without the empty table's picture everything may be odd"


def test_against_the_empty_table_only_what_is_odd_counts(faces: DeckFaces) -> None:
    known = Known.nothing_of(scene_of(faces, ("card-1", HERE), with_empty=True))
    assert in_view(known, HERE)[1] > 0.9
    assert in_view(known, CardPose.flat(70.0, 40.0, 0.0))[1] < 0.1


def test_where_nothing_changed_no_card_can_have_come(faces: DeckFaces) -> None:
    scene = scene_of(faces, ("card-1", HERE))
    nowhere, everywhere = (FreshPlaces(np.full((10, 12), value), SIZE) for value in (False, True))
    assert in_view(Known.nothing_of(replace(scene, fresh=nowhere)), HERE)[1] == 0.0
    assert in_view(Known.nothing_of(replace(scene, fresh=everywhere)), HERE)[1] == 1.0


def test_pixels_are_spread_evenly_over_the_card(faces: DeckFaces) -> None:
    pixels = on_card(scene_of(faces), BESIDE)
    assert np.allclose(pixels.mean(axis=1), CAMERA.project(BESIDE.centre_mm[None])[0], atol=0.5)
    assert np.ptp(pixels, axis=1).min() > 2 * 60
