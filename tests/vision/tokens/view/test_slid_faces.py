"""Faces are slid over what is seen of a card."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.printed.print_light import LUMA
from arena_cam.vision.tokens.view import slid_faces
from arena_cam.vision.tokens.view.slid_faces import FaceSlider, SlidFaces
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens.scenes import laid, small_prints, view_of

ALL = np.ones((90, 60), bool)
TRUE = (110.0, 110.0, 0.02)


@pytest.mark.parametrize("off", [(0.0, 0.0), (2.0, -3.0), (-3.0, 2.0)])
@pytest.mark.parametrize(("gain", "veil"), [(1.0, 0.0), (0.3, 90.0)])
def test_the_face_that_is_there_leads_where_it_lies_in_any_light(
    off: tuple[float, float], gain: float, veil: float
) -> None:
    picture = np.asarray(laid([("p-1", TRUE)]) * gain + veil, np.uint8)
    motion = rigid_motion(np.array([TRUE[0] + off[0], TRUE[1] + off[1], 0.0]))
    slid = FaceSlider(small_prints()).slid(view_of(picture), motion, ALL)
    assert small_prints().names[slid.best] == "p-1"
    assert slid.lead(slid.best) > 6.0
    assert np.linalg.norm(slid.motions[slid.best][:, 2] - TRUE[:2]) < 0.8
    assert slid.motions[slid.best][1, 0] == pytest.approx(0.021, abs=0.003)


@pytest.mark.parametrize(("off", "slides"), [(0.0, 0), (2.0, 1)])
def test_where_a_face_leads_so_much_as_the_card_lies_none_is_slid(
    off: float, slides: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    slider, asked = FaceSlider(small_prints()), list[Any]()
    slid = slider.slid

    def counted(*them: Any) -> SlidFaces:
        asked.append(them)
        return slid(*them)

    monkeypatch.setattr(slider, "slid", counted)
    motion = rigid_motion(np.array([110.0 + off, 110.0, 0.0]))
    told = slider.told(view_of(laid([("p-1", (110.0, 110.0, 0.0))])), motion, ALL)
    assert len(asked) == slides
    assert small_prints().names[told.best] == "p-1"
    assert told.lead(told.best) > 25.0
    assert told.motions[told.best][:, 2] == pytest.approx([110.0, 110.0], abs=0.1)


def test_what_is_not_open_tells_nothing() -> None:
    """Words of another face where nothing is open; and a lead over few square millimetres is a small one."""
    picture = laid([("p-1", (110.0, 110.0, 0.0))])
    other = laid([("n-2", (110.0, 110.0, 0.0))])
    picture[330:] = other[330:]
    motion = rigid_motion(np.array([110.0, 110.0, 0.0]))
    upper = ALL.copy()
    upper[42:] = False
    slider = FaceSlider(small_prints())
    whole, part = (slider.slid(view_of(picture), motion, mask) for mask in (ALL, upper))
    assert small_prints().names[part.best] == "p-1"
    assert part.alike.max() > whole.alike.max() + 0.05
    assert part.open_mm2 < 0.5 * whole.open_mm2


@pytest.mark.parametrize("hidden", [0, 20, 70])
def test_of_few_or_many_open_pixels_the_correlation_is_that_of_what_is_open(hidden: int) -> None:
    """Whether what is open is summed up, or what is not is taken off the whole."""
    picture, motion = laid([("p-1", (110.0, 110.0, 0.0))]), rigid_motion(np.array([110.0, 110.0, 0.0]))
    mask = ALL.copy()
    mask[:hidden] = False
    slid = FaceSlider(small_prints()).slid(view_of(picture), motion, mask)
    grid = small_prints().cards(1.0)
    seen, _ = view_of(picture).patch(motion, small_prints().size_mm, 1.0)
    told = mask & grid.mask
    apart = np.corrcoef((seen @ LUMA)[told], (grid.faces[0] @ LUMA)[told])[0, 1]
    assert slid.alike[0] == pytest.approx(apart, abs=2e-3)


def test_faces_hardly_alike_are_not_turned(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, motion = laid([("p-1", TRUE)]), rigid_motion(np.array([110.0, 110.0, 0.0]))
    monkeypatch.setattr(slid_faces, "WHATEVER_TURN", np.inf)
    every = FaceSlider(small_prints()).slid(view_of(picture), motion, ALL)
    monkeypatch.setattr(slid_faces, "MOST_TURNED", 2)
    few = FaceSlider(small_prints()).slid(view_of(picture), motion, ALL)
    assert few.best == every.best
    assert few.lead(few.best) > every.lead(every.best) - 0.5
    assert few.alike.max() == pytest.approx(every.alike.max(), abs=1e-4)
    assert (few.alike < every.alike - 1e-4).any()


def test_a_lead_is_negative_for_all_but_the_best() -> None:
    slid = SlidFaces(np.array([0.9, 0.95, 0.2]), np.zeros((3, 2, 3)), 800)
    assert slid.best == 1
    assert slid.lead(1) == pytest.approx(10.0 * np.log((1 - 0.81) / (1 - 0.9025)))
    assert slid.lead(0) == pytest.approx(-slid.lead(1))
    assert slid.lead(2) < slid.lead(0)
    assert replace(slid, open_mm2=100).lead(1) == 0.0


def test_nats_compare_a_face_with_none_at_all() -> None:
    slid = SlidFaces(np.array([0.9, 0.5, -0.2]), np.zeros((3, 2, 3)), 800)
    assert slid.nats(0) == pytest.approx(-10.0 * np.log(1 - 0.81))
    assert slid.nats(0) - slid.nats(1) == pytest.approx(slid.lead(0))
    assert slid.nats(2) == 0.0
    assert replace(slid, open_mm2=100).nats(0) == 0.0


@pytest.mark.parametrize(("least", "most"), [(slid_faces.WHATEVER_TURN, 1), (np.inf, 5)])
def test_beside_a_face_that_leads_by_far_no_other_is_turned(
    least: float, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[int] = []
    correlated = vars(FaceSlider)["_correlated"]

    def noted(*args: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        compared.append(len(args[4]))
        told: tuple[NDArray[np.float64], NDArray[np.float64]] = correlated(*args)
        return told

    monkeypatch.setattr(slid_faces, "WHATEVER_TURN", least)
    monkeypatch.setattr(FaceSlider, "_correlated", noted)
    slid = FaceSlider(small_prints()).slid(
        view_of(laid([("p-1", TRUE)])), rigid_motion(np.array([*TRUE[:2], 0.0])), ALL
    )
    assert small_prints().names[slid.best] == "p-1"
    assert slid.motions[slid.best][1, 0] == pytest.approx(0.021, abs=0.003)
    assert compared == [5, most, most]
