"""The simulated evening of dilemmas."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_cam.camera.no_camera import NoCamera
from arena_cam.referee.game.outfit import EveningOptions, find_outfit, unwatched_eye
from arena_cam.referee.games.dilemmas.stand_ins.simulated_players import NAMES, SimulatedPlayers
from arena_cam.referee.session.session import Session
from arena_cam.store.data_folder import DataFolder


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = Session(DataFolder(tmp_path, keep_free_bytes=0), unwatched_eye(), NoCamera())
    yield session
    session.stop()


def game_of(session: Session) -> Any:
    return session.snapshot()["game"]


def play(session: Session, players: SimulatedPlayers, steps: int = 200) -> None:
    for step in range(steps):
        if game_of(session) is not None and game_of(session)["over"]:
            return
        players.play(session.snapshot(), float(step))


def test_a_whole_game_is_played_to_its_end(session: Session) -> None:
    play(session, SimulatedPlayers(session, pace=0.0))
    game = game_of(session)
    assert game["over"]
    assert session.game(game["id"])["rounds"] == 5


def test_supervotes_and_no_vote_on_ones_own_are_played_too(session: Session) -> None:
    options = {"supervotes": True, "own_vote": False, "rounds": 2}
    session.act("start_game", {"game": "dilemmas", "players": [{"name": n} for n in NAMES], "options": options}, "x")
    play(session, SimulatedPlayers(session, pace=0.0))
    assert game_of(session)["over"]


def test_nobody_votes_for_who_sits_at_a_phone(session: Session) -> None:
    play(session, SimulatedPlayers(session, lambda name: name == "Anna", pace=0.0), 40)
    assert game_of(session)["laid"] == sorted(set(NAMES) - {"Anna"})


def test_the_outfit_opens_it(tmp_path: Path) -> None:
    evening = find_outfit("dilemmas").evening(EveningOptions("sim", tmp_path, 15.0))
    assert evening is not None
    assert evening.players is not None
