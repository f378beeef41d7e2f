"""A game of somebody else, in one small folder a row: from the picture to scoreboard, phone and replay.

Nothing outside tests/toy_game knows of it.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import arena_cam
from arena_cam.camera.frame import Frame
from arena_cam.commands.main import main
from arena_cam.commands.options.games_folder import ROWS, add_games
from arena_cam.domain.cards import Card, Deck
from arena_cam.referee.game.outfit import Outfit
from arena_cam.referee.games.any_game import AnyGame
from arena_cam.referee.session.session import Eye, Session
from arena_cam.rules import Game, all_games
from arena_cam.store.data_folder import DataFolder
from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from referee.builders import NoFrames

TOY = Path(__file__).parents[1] / "toy_game"
TOKENS = Deck("tokens", 20.0, 20.0, 10.0, (Card("token", Path("token.png")),))
PLAYERS = [{"name": "Anna"}, {"name": "Bernhard"}]


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy is found during a test, and not after it."""
    for row in ROWS:
        package = importlib.import_module(f"arena_cam.{row}.games")
        monkeypatch.setattr(package, "__path__", [*package.__path__])
    add_games(TOY)


class Table:
    """A session that sees what is drawn: dark discs on a light table."""

    def __init__(self, folder: Path) -> None:
        eye = importlib.import_module("arena_cam.referee.games.sides.eye")
        self.session = Session(
            DataFolder(folder, keep_free_bytes=0), Eye(None, TOKENS, eye.TokenEye), NoFrames(), version="test"
        )
        self.image = np.full((48, 96, 3), 230, np.uint8)
        self.sequence = 0
        app = create_app(self.session, WebSettings("246810", "a secret of the tests", None))
        self.referee, self.phone = app.test_client(), app.test_client()
        self.referee.post("/login", data={"pin": "246810", "csrf": csrf(self.referee.get("/referee").text)})

    def looks(self) -> None:
        self.sequence += 1
        frame = Frame(self.image.copy(), self.sequence / 15, self.sequence, "drawn", f"{self.sequence}.png")
        self.session.take_frame(frame)

    def lays(self, x: int, y: int = 24) -> None:
        cv2.circle(self.image, (x, y), 4, (20, 20, 20), -1)
        self.looks()

    def clears(self) -> None:
        self.image[:] = 230
        self.looks()

    def asks(self, client: Any, path: str, body: dict[str, Any], method: str = "POST") -> Any:
        headers = {"X-CSRF-Token": csrf(client.get("/join").text)}
        return client.open(path, method=method, json=body, headers=headers)

    def acts(self, action: str, **args: Any) -> Any:
        return self.asks(self.referee, f"/api/act/{action}", args)

    @property
    def game(self) -> Any:
        return self.session.snapshot()["game"]


def csrf(page: str) -> str:
    found = re.search(r'name="csrf-token" content="([^"]+)"', page)
    assert found is not None
    return found.group(1)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path / "data")
    table.looks()
    assert table.acts("start_game", game="sides", players=PLAYERS).status_code == 200
    yield table
    table.session.stop()


def test_the_toy_is_a_game_among_the_others() -> None:
    assert {"arena", "sides"} <= set(all_games())


def test_a_folder_of_games_is_named_in_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for row in ROWS:
        importlib.import_module(f"arena_cam.{row}.games").__path__.remove(str(TOY / row))
    with pytest.raises(SystemExit):
        main(["random-game", "sides"])
    monkeypatch.setenv("ARENA_CAM_GAMES", str(TOY))
    assert main(["random-game", "sides", "--seed", "3"]) == 0
    assert '"game":"sides"' in capsys.readouterr().out
    monkeypatch.setenv("ARENA_CAM_GAMES", str(tmp_path))
    assert main(["random-game", "sides"]) == 2
    assert "holds no games" in capsys.readouterr().err


def test_what_is_drawn_reaches_the_scoreboard(table: Table) -> None:
    assert "Left or right?" in table.phone.get("/").text
    table.lays(20)
    table.lays(30)
    assert table.game["players"] == [{"name": "Anna", "points": 1}, {"name": "Bernhard", "points": 0}]
    page = table.phone.get("/").text
    assert "A point for Anna." in page
    assert page.count("<circle cx=") == 2
    assert "A point for Anna." in table.phone.get("/overlay").text
    sheet = re.search(r'href="(/static/games/sides\.css\?v=\w+)"', page)
    assert sheet is not None
    assert ".token" in table.phone.get(sheet.group(1)).text
    assert "games/arena.css" not in page
    assert table.phone.get("/static/games/chess.css").status_code == 404


@pytest.mark.parametrize("usual", ["sides"])
def test_a_game_without_a_form_of_its_own_can_be_begun_on_the_referees_page(table: Table, usual: str) -> None:
    client = create_app(table.session, WebSettings("246810", "a secret", None, usual_game=usual)).test_client()
    client.post("/login", data={"pin": "246810", "csrf": csrf(client.get("/referee").text)})
    page = client.get("/referee").text
    new, other = page.index('id="new-game"'), page.index('id="other-game"')
    assert re.findall(r'<option value="(\w+)"', page[new:other]) == [usual]
    assert usual not in re.findall(r'<option value="(\w+)"', page[other:])
    assert 'value="arena"' in page[other:]


def test_a_phone_takes_a_seat_and_sees_the_points(table: Table) -> None:
    assert "Who are you?" in table.phone.get("/join").text
    table.asks(table.phone, "/api/seat", {"player": "Bernhard"})
    table.lays(20)
    table.lays(80)
    page = table.phone.get("/join").text
    assert re.search(r"Bernhard.*<dd>1</dd>", page, re.S)
    answer = table.asks(table.phone, "/api/seat/choice", {"choice": "left"})
    assert answer.json["error"]["code"] == "not_now", "nobody chooses in secret in this game"


def test_a_token_between_the_sides_is_asked_about(table: Table) -> None:
    table.lays(48)
    assert table.game["lines"] == 1
    question = table.session.snapshot()["question"]
    assert question is not None
    assert "The token lies between the sides. Which is it?" in table.referee.get("/referee").text
    right = next(choice for choice in question["choices"] if choice["code"] == "right")
    assert table.acts("answer_question", id=question["id"], choice=right["id"]).status_code == 200
    table.lays(90)
    assert table.game["players"][0]["points"] == 1
    assert table.session.snapshot()["question"] is None


def test_what_the_camera_missed_is_entered_and_a_mistake_taken_back(table: Table) -> None:
    assert 'data-act="play"' in table.referee.get("/referee").text
    table.acts("play", event={"type": "lay", "side": "left"})
    table.acts("play", event={"type": "lay", "side": "left"})
    assert table.game["players"][0]["points"] == 1
    table.acts("undo")
    assert table.game["players"][0]["points"] == 0
    assert table.acts("play", event={"type": "lay", "side": "up"}).status_code == 409


def test_a_throw_is_looked_at_again(table: Table) -> None:
    table.lays(20)
    (throw,) = table.session.throws()
    assert table.phone.get(f"/throws/{throw['id']}").status_code == 200
    detail = table.session.throw(throw["id"])
    assert table.phone.get(f"/api/throws/{throw['id']}/pictures/{detail['judged']}").content_type.startswith("image/")
    again = table.asks(table.referee, f"/api/throws/{throw['id']}/judge-again", {})
    assert again.status_code == 200, again.json
    assert len(again.json["reading"]["cards"]) == 1


def test_a_whole_game_is_won_kept_and_scored(table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(3):
        table.lays(80)
        table.lays(20)
        table.clears()
    game = table.game
    assert (game["over"], game["winners"]) == (True, ["Bernhard"])
    assert "Bernhard" in table.phone.get("/").text
    assert table.phone.get("/games").status_code == 200
    page = table.phone.get(f"/games/{game['id']}").text
    assert page.count("Lay a token") == 6
    detail = table.session.game(game["id"])
    assert detail["points_by_round"] == [{"Anna": 0, "Bernhard": points} for points in (1, 2, 3)]
    record = tmp_path / "sides.jsonl"
    record.write_text(table.session.record(game["id"]), encoding="utf-8")
    assert main(["score", str(record), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"] == {"Anna": 0, "Bernhard": 3}


def test_a_game_outlives_a_restart(table: Table, tmp_path: Path) -> None:
    table.lays(20)
    table.session.stop()
    again = Table(tmp_path / "data")
    again.image = table.image
    again.looks()
    again.lays(30)
    assert again.game["players"][0]["points"] == 1
    again.session.stop()


def draw_tokens(folder: Path, *centres: int) -> list[str]:
    """Pictures in `folder`, each with one token more, at these places across a table 96 pixels wide."""
    folder.mkdir()
    image = np.full((48, 96, 3), 230, np.uint8)
    files = []
    for number, x in enumerate(centres):
        cv2.circle(image, (x, 24), 4, (20, 20, 20), -1)
        files.append(str(folder / f"{number:03d}.png"))
        cv2.imwrite(files[-1], image)
    return files


def test_its_pictures_are_judged_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = draw_tokens(tmp_path / "pictures", 20, 80)
    assert main(["judge", "--game", "sides", "--deck", str(tmp_path), "--json", *files]) == 0
    assert [json.loads(line)["sides"] for line in capsys.readouterr().out.splitlines()] == [["left"], ["left", "right"]]
    assert main(["judge", "--game", "sides", "--deck", str(tmp_path), *files, str(tmp_path / "none.png")]) == 2
    said = capsys.readouterr()
    assert "001.png: left, right" in said.out
    assert "none.png: cannot be read" in said.out
    assert "some pictures could not be judged" in said.err


def test_it_is_watched_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draw_tokens(tmp_path / "pictures", 20, 30, 80)
    record = tmp_path / "sides.jsonl"
    assert main(["watch", "--game", "sides", "--players", "Anna,Bernhard", "--json", str(tmp_path / "pictures")]) == 0
    record.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["score", str(record), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"] == {"Anna": 1, "Bernhard": 0}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["judge", "--game", "chess", "--deck", "d", "p.png"], "there is no game called chess; the games are arena,"),
        (["watch", "--game", "../x", "p.png"], "there is no game called ../x"),
        (["watch", "--game", "hexes", "--deck", "d", "pictures"], "no camera watches hexes like that yet"),
    ],
)
def test_a_game_that_cannot_be_seen_is_refused_in_one_line(
    line: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_the_page_on_adding_a_game_names_all_that_a_game_may_bring() -> None:
    told = (Path(arena_cam.__file__).parents[1] / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    folder = Path(arena_cam.__file__).parent / "web" / "games" / "any_game"
    templates = {file.relative_to(folder).as_posix() for file in folder.rglob("*.html")}
    assert [name for name in sorted(templates) if f"`{name}`" not in told] == []
    fields = set(Game.__struct_fields__) - {"name", "title", "source"}
    assert [name for name in sorted(fields) if name not in told] == []
    methods = re.findall(r"`([a-z_]+)(?:\([a-z]+\))?`", " ".join(re.findall(r"^\| ([^|]*) \|", told, re.MULTILINE)))
    offered = {*dir(AnyGame), *dir(Outfit)}
    assert "observe" in methods
    assert [name for name in methods if name not in offered] == []
