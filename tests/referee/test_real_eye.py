"""The whole way with a real eye: cards fly onto a simulated table, and what is ruled is what really lies there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.commands.main import main
from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Landing
from arena_cam.referee.games.arena.labels import PLATES
from arena_cam.simulation.arena import actions as act
from referee.room import Room
from shared_decks import deck_in


@pytest.fixture(scope="module")
def deck(deck_folder: Path) -> Deck:
    return deck_in(deck_folder)


@pytest.fixture
def room(tmp_path: Path, deck: Deck) -> Iterator[Room]:
    room = Room(tmp_path / "data", deck)
    room.start()
    yield room
    room.session.stop()


def test_a_round_is_ruled_as_it_really_lay_and_can_be_judged_again(
    room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    room.acts(act.LayChallenge("red-8", at_mm=(0.0, 0.0)))
    room.acts(act.Throw("green-4", Landing.DIAGONAL))
    room.acts(act.Throw("blue-3", Landing.FLAT, aim_mm=(10.0, 10.0)))
    lay = {c["id"]: c["landing"] for c in room.table.truth()["cards"]}
    game = room.session.snapshot()["game"]
    assert game is not None
    codes = {r["card"]: r["code"] for r in game["rulings"]}
    assert lay == {"red-8": "flat", "green-4": "diagonal", "blue-3": "flat"}
    assert codes == {"green-4": "diagonal", "blue-3": "duelling"}
    throws = room.session.throws()
    assert [t["card"] for t in throws] == ["red-8", "green-4", "blue-3"]
    again = room.session.judge_again(throws[1]["id"])
    assert again["differences"] == []
    file = tmp_path / "throw.zip"
    file.write_bytes(room.session.export_throw(throws[1]["id"]))
    assert main(["replay", str(file), "--picture", str(tmp_path / "seen.png")]) == 0
    then, ruling, now, same, drawn = capsys.readouterr().out.splitlines()
    assert then.startswith("Then: Green 4: leaning, ")
    assert ruling.startswith("Ruling: ")
    assert now.startswith("Now: Green 4: leaning, ")
    assert same == "nothing differs"
    assert "seen.png" in drawn
    judged = cv2.imread(str(tmp_path / "seen.png"))
    assert np.all(judged == PLATES["green"][0], axis=2).sum() > 50
    assert main(["replay", str(file), "--lang", "fr"]) == 0
    assert capsys.readouterr().out.replace("\N{NO-BREAK SPACE}", " ").startswith("Alors : 4 vert : appuyée, ")
    assert main(["replay", str(file), "--picture", str(tmp_path / "seen.txt")]) == 2
    assert ".jpg, .png" in capsys.readouterr().err
    assert main(["replay", str(file), "--picture", str(tmp_path / "none" / "seen.png")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
