"""The API and its description agree, and no request however odd makes it fail."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_cam.referee.game.part import every_action, phone_actions, secret_actions
from arena_cam.referee.setup.arguments import SETUP_ACTIONS
from web.scripted_session import ScriptedSession, duel_scene, throws_scene
from web.test_security import headers, log_in


@pytest.fixture
def client(serve: Any) -> Any:
    client = serve(ScriptedSession(throws_scene())).app.test_client()
    log_in(client)
    return client


def test_the_description_names_every_route_and_no_other(client: Any) -> None:
    described = {
        (method.upper(), path)
        for path, operations in client.get("/api/openapi.json").json["paths"].items()
        for method in operations
    }
    there = {
        (method, path)
        for rule in client.application.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        for path in _paths(rule.rule)
        if path.startswith("/api/")
    }
    assert described == there


def _paths(rule: str) -> list[str]:
    """A route as the description has it: a path for each action."""
    own = ("/api/seat/act", phone_actions())
    for prefix, actions in (("/api/act", every_action()), ("/api/setup", SETUP_ACTIONS), own):
        if rule == f"{prefix}/<action>":
            return [f"{prefix}/{action}" for action in actions]
    return [re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule)]


def test_the_description_holds_together(client: Any) -> None:
    document = client.get("/api/openapi.json").json
    assert document["openapi"].startswith("3.1")
    for reference in re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(document)):
        at = document
        for part in reference.split("/"):
            at = at[part]
    for path, operations in document["paths"].items():
        for operation in operations.values():
            named = {p["name"] for p in operation.get("parameters", []) if p["in"] == "path"}
            assert named == set(re.findall(r"{(\w+)}", path)), path
            assert operation["summary"]


def test_the_routes_that_want_the_pin_are_marked(client: Any) -> None:
    stranger = client.application.test_client()
    for path, operations in client.get("/api/openapi.json").json["paths"].items():
        for method, operation in operations.items():
            if method == "get":
                continue
            address = re.sub(r"{\w+}", "end_game", path)
            answer = stranger.open(address, method=method.upper(), json={}, headers=headers(stranger))
            refused = answer.status_code == 403 and answer.json["error"]["code"] == "not_referee"
            assert refused == ("security" in operation), path


def test_every_action_but_the_secret_one_can_be_asked_for(client: Any) -> None:
    for action in (*every_action(), *secret_actions()):
        answer = client.post(f"/api/act/{action}", json={}, headers=headers(client))
        expected = (404,) if action in secret_actions() else (200, 400, 409)
        assert answer.status_code in expected, action


odd_text = st.text(max_size=30) | st.sampled_from(["t0009", "scoreboard", "referee", "..", "undo", "amend", "close"])
odd_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | odd_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(odd_text, inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=150)
@given(data=st.data())
def test_no_request_makes_it_fail(client: Any, data: st.DataObject) -> None:
    document = client.get("/api/openapi.json").json
    paths = [path for path in document["paths"] if not path.startswith(("/api/stream", "/api/events"))]
    path = data.draw(st.sampled_from(paths))
    method = data.draw(st.sampled_from(sorted(document["paths"][path])))
    parts = re.sub(r"{\w+}", lambda _: data.draw(odd_text).replace("/", "%2F").replace("?", "%3F") or "x", path)
    query = {key: data.draw(odd_text) for key in ("after", "layers", "game") if data.draw(st.booleans())}
    body = data.draw(odd_json)
    answer = client.open(parts, method=method.upper(), json=body, query_string=query, headers=headers(client))
    assert answer.status_code < 500 or answer.status_code == 503
    if answer.status_code >= 400 and parts.startswith("/api/") and answer.is_json:
        assert set(answer.json["error"]) == {"code", "message"}


def test_errors_are_json_for_programs_and_pages_for_people(client: Any) -> None:
    assert client.get("/api/throws/none").json["error"]["code"] == "unknown"
    page = client.get("/throws/none")
    assert page.status_code == 404
    assert "That did not work" in page.text


def test_health_is_503_when_something_needs_a_person(serve: Any) -> None:
    session = ScriptedSession(duel_scene())
    client = serve(session).app.test_client()
    assert client.get("/api/health").status_code == 200
    figures = session.health() | {"ok": False}
    session.health = lambda: figures  # type: ignore[method-assign]
    assert client.get("/api/health").status_code == 503


def test_a_game_comes_down_as_record_and_as_table(client: Any) -> None:
    record = client.get("/api/games/20260101-193000-7c1e/record.jsonl")
    assert json.loads(record.text.splitlines()[0])["game"] == "arena"
    table = client.get("/api/games/20260101-193000-7c1e/scores.csv").text.splitlines()
    assert table[0] == "round,Anna,Bernhard,Christine,Daniel"
    assert table[-1] == "3,17,9,24,3"
