"""A card named at its place, against the next best faces and a card that the deck does not have."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.photographs.singly.names import Name, name_card
from arena_cam.vision.planes.candidates import corners_px, settle
from arena_cam.vision.planes.picture import Picture
from arena_cam.vision.planes.plane_alignment import Templates
from vision.planes.photographed import homography, outline_px, photograph

HERE = CardPose.flat(-10.0, 5.0, 20.0)


def named(
    picture: np.ndarray, face: int, templates: Templates, fine: Templates, own: np.ndarray | None = None
) -> Name | None:
    found = settle(Picture(picture), homography(HERE), face, templates, "test")
    assert found is not None
    mine = np.ones(templates.grid.mask.shape, bool) if own is None else own
    return name_card(Picture(picture), found, mine, fine)


@pytest.mark.parametrize("face", [0, 3])
def test_a_card_in_full_view_leads_its_rivals_by_far(
    faces: DeckFaces, templates: Templates, fine: Templates, face: int
) -> None:
    name = named(photograph(faces.deck, (f"card-{face}", HERE)), face, templates, fine)
    assert name is not None
    assert name.candidate.face == face
    assert name.margin > 60.0
    assert np.abs(corners_px(name.candidate.px_from_mm, fine) - outline_px(HERE)).max() < 0.5
    margins = [margin for _, margin in name.rivals]
    assert margins == sorted(margins)
    assert name.margin == margins[0]
    assert face not in [rival for rival, _ in name.rivals]


def test_what_agrees_is_measured_in_square_millimetres(faces: DeckFaces, templates: Templates, fine: Templates) -> None:
    name = named(photograph(faces.deck, ("card-0", HERE)), 0, templates, fine)
    assert name is not None
    agreement = name.agreement
    assert agreement.visible_fraction > 0.95
    assert agreement.ink_mm2 > 1000.0
    assert agreement.ink_missing_mm2 < 0.02 * agreement.ink_mm2
    assert agreement.odd_mm2 < 10.0


def test_a_coin_on_the_card_is_odd_as_large_as_it_is(faces: DeckFaces, templates: Templates, fine: Templates) -> None:
    picture = photograph(faces.deck, ("card-0", HERE))
    middle = tuple(int(v) for v in outline_px(HERE).mean(axis=0))
    cv2.circle(picture, middle, 20, (20, 250, 20), -1)  # 10 mm wide
    name = named(picture, 0, templates, fine)
    assert name is not None
    assert name.agreement.odd_mm2 == pytest.approx(np.pi * 10.0**2, rel=0.35)


def test_what_is_another_card_s_does_not_count(faces: DeckFaces, templates: Templates, fine: Templates) -> None:
    half = templates.grid.x_mm < 0
    picture = photograph(faces.deck, ("card-0", HERE))
    name = named(picture, 0, templates, fine, half)
    assert name is not None
    assert name.agreement.visible_fraction == pytest.approx(0.5, abs=0.05)
    assert named(picture, 0, templates, fine, np.zeros_like(half)) is None


def test_print_that_is_missing_is_noticed(faces: DeckFaces, templates: Templates, fine: Templates) -> None:
    """The lower third of the card is blank, as on a card that the deck does not have."""
    picture = photograph(faces.deck, ("card-0", HERE))
    paper = [int(v) for v in np.median(picture[150:250, 200:280].reshape(-1, 3), axis=0)]
    strip = outline_px(HERE)
    blank = np.array([strip[3], strip[2], strip[2] + (strip[1] - strip[2]) / 3, strip[3] + (strip[0] - strip[3]) / 3])
    cv2.fillConvexPoly(picture, np.round(blank).astype(np.int32), paper)
    whole = named(photograph(faces.deck, ("card-0", HERE)), 0, templates, fine)
    name = named(picture, 0, templates, fine)
    assert name is not None
    assert whole is not None
    assert name.agreement.ink_mm2 < 0.85 * whole.agreement.ink_mm2
    assert name.agreement.ink_missing_mm2 + (1 - name.agreement.visible_fraction) * 63 * 88 > 500.0
