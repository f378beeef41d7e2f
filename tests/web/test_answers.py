"""What a real session answers is what the description says in full, by a validator that knows only its schemas."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from arena_cam.referee.arguments import ACTIONS
from arena_cam.referee.game.part import find_part
from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from attacks.api_calls import PIN, evening
from web.test_security import headers, log_in


class Described:
    """A referee's browser that looks every answer up in the description."""

    def __init__(self, session: Any) -> None:
        self.client = create_app(session, WebSettings(PIN, "a secret of the tests", None)).test_client()
        log_in(self.client, PIN)
        self._document: Any = self.client.get("/api/openapi.json").json
        self.seen: set[tuple[str, str]] = set()

    def __call__(self, method: str, path: str, body: dict[str, Any] | None = None, **names: str) -> Any:
        """What is answered, with status 200, at `path` as the description has it, `names` filled in."""
        answer = self.client.open(path.format(**names), method=method, headers=headers(self.client), json=body)
        assert answer.status_code == 200, (path, answer.text)
        described = self._document["paths"][path][method.lower()]["responses"]["200"]["content"]
        assert answer.mimetype in described
        if answer.is_json:
            schema = described["application/json"]["schema"] | {"components": self._document["components"]}
            Draft202012Validator(schema).validate(answer.json)
        self.seen.add((method, path))
        return answer.json if answer.is_json else answer.data

    @property
    def left_out(self) -> set[tuple[str, str]]:
        there = {(m.upper(), path) for path, operations in self._document["paths"].items() for m in operations}
        return there - self.seen


@pytest.fixture
def ask(tmp_path: Path) -> Any:
    with evening(tmp_path) as played:
        yield Described(played.session)


def test_everything_that_can_be_looked_at(ask: Described) -> None:
    for path in (
        "/api/",
        "/api/state",
        "/api/health",
        "/api/games",
        "/api/opened",
        "/api/openapi.json",
        "/api/live.jpg",
    ):
        ask("GET", path)
    for view in ("scoreboard", "referee", "join", "throws", "health", "overlay"):
        ask("GET", "/api/regions/{view}", view=view)
    throws, game = ask("GET", "/api/throws"), ask("GET", "/api/games")[0]["id"]
    for throw in throws:
        detail = ask("GET", "/api/throws/{throw}", throw=throw["id"])
        for name in (detail["judged"], detail["thumbnail"], detail["pictures"][0]["name"]):
            ask("GET", "/api/throws/{throw}/pictures/{name}", throw=throw["id"], name=name)
        ask("GET", "/api/games/{game}/lines/{line}", game=game, line=str(throw["line"]))
    ask("POST", "/api/throws/{throw}/judge-again", throw=throws[-1]["id"])
    ask("GET", "/api/throws/{throw}/export.zip", throw=throws[-1]["id"])
    for path in ("", "/record.jsonl", "/scores.csv", "/throws.csv", "/choices.csv"):
        ask("GET", f"/api/games/{{game}}{path}", game=game)


def test_everything_that_a_referee_does(ask: Described) -> None:
    state, session = ask("GET", "/api/state"), "/api/act/"
    game, line = state["game"]["id"], [card["line"] for card in state["cards"] if card["line"]][-1]

    def act(action: str, **args: Any) -> Any:
        return ask("POST", f"{session}{action}", args)

    assert act("correct_card", line=line, landing="edge", preview=True)["scores_after"]
    assert act("correct_card", line=line, landing="edge", who="Ruth")["line"] > line
    act("undo")
    act("redo")
    act("amend", line=line, set={"landing": "flat"}, reason="seen by all")
    act("throw_missed", card="green-9", landing="beside")
    assert act("throw_never_happened", line=line, preview=True)["changed"]
    entered = act("amend", line=line, before=[{"type": "throw", "card": "green-8", "landing": "edge"}])["line"]
    assert act("undo", preview=True)["steps"][-1]["before"]["card"] == "green-8"
    act("undo")
    assert act("redo", preview=True)["steps"][-1]["after"]["card"] == "green-8"
    act("redo")
    assert ask("GET", "/api/games/{game}/lines/{line}", game=game, line=str(entered))["event"]["card"] == "green-8"
    act("throw_never_happened", line=entered)
    act("set_mode", mode="confirm_always")
    act("set_quiet_time", seconds=4)
    act("pause")
    act("resume")
    act("pin_throw", throw=ask("GET", "/api/throws")[0]["id"], pinned=True)
    act("rename_game", game=game, name="Friday")
    question = ask("GET", "/api/state")["question"]
    if question is not None:
        act("answer_question", id=question["id"], choice="keep")
    ask("POST", "/api/seat", {"player": "Anna"})
    ask("POST", "/api/seat/choice", {"choice": "peace"})
    ask("DELETE", "/api/seat")
    ask("POST", "/api/seats/free", {"player": "Anna"})
    act("duel", choices={"Anna": "peace", "Bernhard": "peace"})
    act("end_game")
    act("resume_game", game=game)
    again = act(
        "start_game", players=[{"name": n, "colour": c} for n, c in (("A", "red"), ("B", "blue"), ("C", "green"))]
    )
    act("lay_challenge", card="red-8")
    act("close_challenge")
    assert again["game"] != game
    act("delete_game", game=game)
    act("end_game")
    ask("DELETE", "/api/games/{game}", game=again["game"])
    everybodys = {
        f"{session}{name}" for name in (*ACTIONS, *find_part("arena").actions, *find_part("arena").corrections)
    }
    asked_now_and_then = {f"{session}{name}" for name in ("covered_cards_gone", "answer_question")}
    assert {path for _, path in ask.left_out} & everybodys <= asked_now_and_then


def test_a_throw_brought_in(ask: Described) -> None:
    throw = ask("GET", "/api/throws")[-1]["id"]
    zipped = ask("GET", "/api/throws/{throw}/export.zip", throw=throw)
    sent = ask.client.post(
        "/api/opened", data=io.BytesIO(zipped), content_type="application/zip", headers=headers(ask.client)
    )
    assert sent.json is not None
    opened = sent.json["id"]
    detail = ask("GET", "/api/opened/{opened}", opened=opened)
    ask("GET", "/api/opened")
    ask("GET", "/api/opened/{opened}/pictures/{name}", opened=opened, name=detail["judged"])
    ask("DELETE", "/api/opened/{opened}", opened=opened)
