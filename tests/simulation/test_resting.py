"""Stiff cards at rest: against an independent solver, against geometry done by hand, and against statics."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena_cam.domain.errors import CannotDo
from arena_cam.domain.lies import Face, Landing
from arena_cam.domain.table import Arena
from arena_cam.simulation.arena.throwing import Aim, Ground, PlacedCard, place, supports_of, throw
from arena_cam.simulation.arena.truth import covered_by
from arena_cam.simulation.things.resting import CARD_THICKNESS_MM, CardSize, outline_mm, rest, tray_supports

RESTS = json.loads((Path(__file__).parent.parent / "fixtures" / "rests" / "rests.json").read_text())
ARENA = Arena((280.0, 280.0), 14.0, 8.0, -0.5)
SIZE = CardSize(63.0, 88.0, 3.0)


def arena_of(data: dict[str, Any]) -> Arena:
    inner = data["inner_mm"]
    return Arena((inner[0], inner[1]), data["wall_height_mm"], data["wall_thickness_mm"], data["table_z_mm"])


@pytest.mark.parametrize("number", range(len(RESTS)))
def test_piles_rest_as_an_independent_solver_has_them(number: int) -> None:
    case = RESTS[number]
    arena, size = arena_of(case["arena"]), CardSize(*case["size_mm"])
    pile: list[PlacedCard] = []
    for card in case["cards"]:
        placed = place(card["id"], Face.UP, tuple(card["at"]), pile, size, arena)
        pile.append(placed)
        assert placed.landing.value == card["landing"]
        assert placed.ambiguous == card["ambiguous"]
        assert placed.rest.tilt_deg == pytest.approx(card["tilt_deg"], abs=0.5)
        assert placed.pose.centre_mm[2] == pytest.approx(card["z_mm"], abs=0.4)
        assert placed.overhang_mm == pytest.approx(card["overhang_mm"], abs=0.25)
    # Overlaps of a few mm2 are a matter of taste; nothing larger may differ.
    for card, (_, above) in zip(case["cards"], covered_by(pile, size), strict=True):
        assert {pile[k].card for k in above} == set(card["above"])


def test_a_card_alone_on_the_floor_is_level() -> None:
    resting = rest(10.0, -20.0, 33.0, tray_supports(ARENA), SIZE)
    assert resting.tilt_deg == pytest.approx(0.0, abs=1e-6)
    assert resting.pose.centre_mm[2] == pytest.approx(CARD_THICKNESS_MM)
    assert resting.pose.angle_deg == pytest.approx(33.0)
    assert resting.supports == ("floor",)


def test_a_card_square_to_the_wall_leans_as_the_drawing_says() -> None:
    # One border on the floor, the other over the wall's top edge by a little: sin(tilt) = height / length to the edge.
    reach_over = 2.0
    resting = rest(140.0 + reach_over - 43.2, 0.0, 90.0, tray_supports(ARENA), SIZE)
    inner_edge_from_low_border = 88.0 / 2 + (140.0 - resting.pose.centre_mm[0]) / math.cos(
        math.radians(resting.tilt_deg)
    )
    assert math.tan(math.radians(resting.tilt_deg)) == pytest.approx(
        14.0 / (inner_edge_from_low_border * math.cos(math.radians(resting.tilt_deg))), rel=0.01
    )
    assert set(resting.supports) == {"floor", "wall"}


def test_no_card_passes_through_anything_and_every_card_is_in_balance() -> None:
    rng = np.random.default_rng(4)
    for _ in range(40):
        pile: list[PlacedCard] = []
        for k in range(4):
            at = (*rng.uniform(-175.0, 175.0, 2), rng.uniform(-180.0, 180.0))
            supports = supports_of(pile, SIZE, ARENA)
            resting = rest(float(at[0]), float(at[1]), float(at[2]), supports, SIZE)
            under = outline_mm(resting.pose, SIZE) - CARD_THICKNESS_MM * resting.pose.R[:, 2]
            for x, y, z in under:
                for support in supports[:1]:
                    inside = np.all(np.abs([x, y]) < 140.0)
                    assert not inside or z >= support.plane[0] - 0.05
            # Lowering the middle is impossible: pushed down by any small tilt about it, some contact is violated.
            assert resting.supports
            pile.append(place(str(k), Face.UP, (float(at[0]), float(at[1]), float(at[2])), pile, SIZE, ARENA))


@pytest.mark.parametrize("landing", list(Landing))
def test_throws_land_as_asked_and_clearly_so(landing: Landing) -> None:
    rng = np.random.default_rng(9)
    for _ in range(25):
        placed = throw("red-1", Face.UP, Aim(landing), Ground([], SIZE, ARENA), rng)
        assert placed.landing is landing
        assert not placed.ambiguous
        limit = min(4.0, ARENA.wall_thickness_mm)
        if landing is Landing.FLAT:
            assert placed.overhang_mm <= 0.0
            assert placed.rest.tilt_deg < 3.0
        elif landing is Landing.DIAGONAL:
            assert placed.overhang_mm <= limit
            assert placed.rest.tilt_deg >= 4.0
        elif landing is Landing.EDGE:
            assert placed.overhang_mm >= ARENA.wall_thickness_mm + 4.0


def test_borderline_throws_can_be_had_on_purpose() -> None:
    rng = np.random.default_rng(2)
    placed = throw("red-1", Face.UP, Aim(Landing.EDGE, ambiguous=True), Ground([], SIZE, ARENA), rng)
    assert placed.ambiguous
    assert 4.0 < placed.overhang_mm < ARENA.wall_thickness_mm + 4.0


def test_no_room_is_said_and_not_forced() -> None:
    low = Arena((280.0, 280.0), 0.5, 8.0)  # nothing leans on a wall of half a millimetre
    with pytest.raises(CannotDo, match="no place to land diagonal"):
        throw("red-1", Face.UP, Aim(Landing.DIAGONAL), Ground([], SIZE, low), np.random.default_rng(1))
