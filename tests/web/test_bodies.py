"""What a request carries is looked at before anything is done: a wrong type, a wrong key, too much of anything."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena_cam.domain.errors import Refused
from arena_cam.referee.arguments import MOST_EVENTS, MOST_PLAYERS, Amend, SetQuietTime, StartGame
from arena_cam.referee.game.part import every_action
from arena_cam.referee.games.arena.values import CorrectCard, EnterDuel
from arena_cam.referee.setup.arguments import MeasureArena
from arena_cam.web.api.bodies import checked
from arena_cam.web.api.openapi import describe
from web.scripted_session import ScriptedSession, throws_scene
from web.test_security import headers, log_in


@pytest.mark.parametrize(
    ("takes", "body"),
    [
        (SetQuietTime, {"seconds": 3}),
        (StartGame, {"players": [{"name": "Anna", "colour": "red"}], "options": {"pile": "top"}}),
        (Amend, {"line": 3, "set": {"landing": "flat"}, "preview": True}),
        (CorrectCard, {"key": "red-8", "rests_on": []}),
        (EnterDuel, {"choices": {"Anna": "peace", "Bernhard": "conflict"}}),
        (MeasureArena, {"inner_mm": [280, 280], "wall_mm": [15, 6.5]}),
    ],
)
def test_what_is_described_is_taken_as_it_is(takes: type, body: dict[str, Any]) -> None:
    assert checked(body, takes) is body


@pytest.mark.parametrize(
    ("takes", "body", "said"),
    [
        (SetQuietTime, {}, "seconds"),
        (SetQuietTime, {"seconds": "3"}, "seconds"),
        (SetQuietTime, {"seconds": 3, "second": 4}, "second: there is no such argument"),
        (Amend, {"line": 3, "previw": True}, "previw"),
        (Amend, {"line": 3.5}, "line"),
        (Amend, {"line": 10**30}, "line"),
        (Amend, {"line": 3, "before": [{}] * (MOST_EVENTS + 1)}, "before"),
        (Amend, {"line": 3, "reason": "x" * 301}, "reason"),
        (StartGame, {"players": [{"name": "Anna"}] * (MOST_PLAYERS + 1)}, "players"),
        (StartGame, {"players": [{"name": 3}]}, "players[0].name"),
        (CorrectCard, {"card": "red-8", "landing": "upright"}, "landing"),
        (CorrectCard, {"card": "r" * 101}, "card"),
        (EnterDuel, {"choices": {"Anna": "war"}}, "choices"),
        (MeasureArena, {"inner_mm": [280], "wall_mm": [15, 6]}, "inner_mm"),
    ],
)
def test_anything_else_is_refused_and_named(takes: type, body: dict[str, Any], said: str) -> None:
    with pytest.raises(Refused) as refused:
        checked(body, takes)
    assert refused.value.code == "bad_argument"
    assert said in str(refused.value)


@pytest.mark.parametrize("body", ['{"who": NaN}', '{"who": "\\ud800"}', '{"seconds": 1e999}', '{"who": Infinity}'])
def test_what_could_not_be_written_down_again_is_not_read(serve: Any, body: str) -> None:
    session = ScriptedSession(throws_scene())
    client = serve(session).app.test_client()
    log_in(client)
    answer = client.post(
        "/api/act/close_challenge", data=body, content_type="application/json", headers=headers(client)
    )
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_argument")
    assert session.acts == []


def test_a_misspelt_preview_does_nothing(serve: Any) -> None:
    session = ScriptedSession(throws_scene())
    client = serve(session).app.test_client()
    log_in(client)
    answer = client.post("/api/act/undo", json={"previw": True}, headers=headers(client))
    assert answer.status_code == 400
    assert "previw" in answer.json["error"]["message"].lower()
    assert session.acts == []


def test_every_call_says_what_it_takes_and_answers() -> None:
    vague = {"type": "object"}
    for path, operations in describe()["paths"].items():
        for method, operation in operations.items():
            contents = [answer["content"] for answer in operation["responses"].values() if "content" in answer]
            contents += [operation["requestBody"]["content"]] if "requestBody" in operation else []
            assert contents, (path, method)
            if path != "/api/openapi.json":
                assert all(media["schema"] != vague for content in contents for media in content.values()), path
            assert "500" not in operation["responses"]
            assert "default" not in operation["responses"]
    assert len({o["operationId"] for each in describe()["paths"].values() for o in each.values()}) == sum(
        len(each) for each in describe()["paths"].values()
    )


def test_every_string_and_list_that_is_sent_has_a_limit() -> None:
    schemas = describe()["components"]["schemas"]
    sent = {
        operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        for operations in describe()["paths"].values()
        for operation in operations.values()
        if "application/json" in operation.get("requestBody", {}).get("content", {})
    }
    assert len(sent) >= len(set(every_action().values()))
    for reference in sent:
        for part in _parts(schemas, {"$ref": reference}):
            if part.get("type") == "string" and "enum" not in part:
                assert "maxLength" in part, (reference, part)
            if part.get("type") == "array":
                assert "maxItems" in part, (reference, part)


def _parts(schemas: dict[str, Any], schema: dict[str, Any]) -> list[dict[str, Any]]:
    """`schema` and all that it is made of."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rsplit("/", 1)[1]]
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", []), *schema.get("prefixItems", [])]
    inner += [each for key in ("items", "additionalProperties") if isinstance(each := schema.get(key), dict)]
    return [schema, *(part for each in inner for part in _parts(schemas, each))]


def test_there_is_a_list_of_calls_and_health_for_programs(serve: Any) -> None:
    client = serve(ScriptedSession(throws_scene())).app.test_client()
    index = client.get("/api/").json
    assert "GET /api/state" in {each["call"] for each in index["calls"]}
    assert client.get(index["description"]).json["openapi"] == "3.1.0"
    assert client.get("/health", headers={"Accept": "application/json"}, follow_redirects=True).json["ok"] is True
    assert "<html" in client.get("/health", headers={"Accept": "text/html,*/*"}).text
    assert json.loads(client.get("/api/health").text)["eye"]["state"]


@pytest.mark.parametrize("query", ["after=x", "after=1e3", "after=" + "9" * 20, "layers=glow", "layers=outlines,,"])
def test_the_live_picture_does_not_guess_what_was_meant(serve: Any, query: str) -> None:
    client = serve(ScriptedSession(throws_scene())).app.test_client()
    assert client.get(f"/api/live.jpg?{query}").status_code == 400
    assert client.get("/api/live.jpg?after=-1&layers=outlines,tilt").status_code == 200
