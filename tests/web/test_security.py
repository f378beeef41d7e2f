"""Nobody without the PIN changes anything; PINs cannot be guessed; nothing comes from elsewhere."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pytest

from arena_cam.domain.errors import Refused
from arena_cam.web.access.security import TRIES_WINDOW_S, WRONG_TRIES_IN_ALL, WRONG_TRIES_PER_ADDRESS, PinGate
from web.conftest import PIN
from web.scripted_session import ScriptedSession, duel_scene, throws_scene

# What a phone may do for its own seat, and the log-in itself. Everything else that changes something wants the PIN.
OPEN_TO_ALL = {("POST", "/login"), ("POST", "/logout"), ("POST", "/api/seat"), ("DELETE", "/api/seat")}
NEEDS_A_SEAT = {("POST", f"/api/seat/{call}") for call in ("act/end_game", "choice", "photo")}


def token(client: Any) -> str:
    page = client.get("/").text
    return str(re.search(r'name="csrf-token" content="([^"]+)"', page)[1])  # type: ignore[index]


def headers(client: Any) -> dict[str, str]:
    return {"X-CSRF-Token": token(client)}


def log_in(client: Any, pin: str = PIN) -> Any:
    return client.post("/login", data={"pin": pin, "csrf": token(client)})


def changing_routes(app: Any) -> list[tuple[str, str]]:
    out = []
    for rule in app.url_map.iter_rules():
        address = re.sub(r"<[^>]+>", "end_game", rule.rule)
        out += [(method, address) for method in rule.methods - {"GET", "HEAD", "OPTIONS"}]
    return sorted(out)


def test_every_route_that_changes_something_refuses_a_stranger(serve: Any) -> None:
    session = ScriptedSession(duel_scene())
    app = serve(session).app
    client = app.test_client()
    tried = 0
    for method, address in changing_routes(app):
        if (method, address) in OPEN_TO_ALL:
            continue
        answer = client.open(address, method=method, json={}, headers=headers(client))
        expected = "not_yours" if (method, address) in NEEDS_A_SEAT else "not_referee"
        assert (answer.status_code, answer.json["error"]["code"]) == (403, expected), address
        tried += 1
    assert tried >= 5
    assert session.acts == []


def test_no_get_changes_anything(serve: Any) -> None:
    session = ScriptedSession(duel_scene())
    app = serve(session).app
    client = app.test_client()
    log_in(client)
    for rule in app.url_map.iter_rules():
        if "GET" in rule.methods and not rule.rule.startswith(("/api/events", "/api/stream", "/static")):
            client.get(re.sub(r"<[^>]+>", "t0009", rule.rule))
    assert session.acts == []


def test_the_referee_may_act_after_the_pin(serve: Any) -> None:
    session = ScriptedSession(throws_scene())
    client = serve(session).app.test_client()
    assert log_in(client).status_code == 303
    assert client.post("/api/act/close_challenge", json={}, headers=headers(client)).status_code == 200
    assert session.acts == [("close_challenge", {}, "referee")]


def test_a_wrong_pin_opens_nothing(serve: Any) -> None:
    client = serve(ScriptedSession(throws_scene())).app.test_client()
    assert log_in(client, "000000").status_code == 403
    assert client.post("/api/act/undo", json={}, headers=headers(client)).status_code == 403


def test_logging_out_ends_it(serve: Any) -> None:
    client = serve(ScriptedSession(throws_scene())).app.test_client()
    log_in(client)
    client.post("/logout", data={"csrf": token(client)})
    assert client.post("/api/act/undo", json={}, headers=headers(client)).status_code == 403


def test_wrong_pins_are_counted_and_the_right_one_waits_too(serve: Any) -> None:
    client = serve(ScriptedSession()).app.test_client()
    for _ in range(WRONG_TRIES_PER_ADDRESS):
        assert log_in(client, "111111").status_code == 403
    shut = log_in(client, "111111")
    assert shut.status_code == 429
    assert "Too many wrong PINs" in shut.text
    assert 'name="pin"' in shut.text, "it can be tried again where it is said"
    assert log_in(client, PIN).status_code == 429


def test_the_gate_opens_again_after_a_minute() -> None:
    now = [0.0]
    gate = PinGate(PIN, clock=lambda: now[0])
    for _ in range(WRONG_TRIES_PER_ADDRESS):
        assert not gate.try_pin("0", "here")
    with pytest.raises(Refused):
        gate.try_pin(PIN, "here")
    assert gate.try_pin(PIN, "elsewhere")
    now[0] += TRIES_WINDOW_S
    assert gate.try_pin(PIN, "here")


def test_many_addresses_together_are_limited_too() -> None:
    gate = PinGate(PIN, clock=lambda: 0.0)
    for number in range(WRONG_TRIES_IN_ALL):
        gate.try_pin("0", f"address {number}")
    with pytest.raises(Refused):
        gate.try_pin("0", "one more")


@pytest.mark.parametrize(
    "forge",
    [lambda _: {}, lambda _: {"X-CSRF-Token": "made up"}, lambda c: headers(c) | {"Sec-Fetch-Site": "cross-site"}],
    ids=["no token", "wrong token", "another site"],
)
def test_a_forged_request_is_refused(serve: Any, forge: Callable[[Any], dict[str, str]]) -> None:
    session = ScriptedSession(throws_scene())
    client = serve(session).app.test_client()
    log_in(client)
    answer = client.post("/api/act/undo", json={}, headers=forge(client))
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "csrf")
    assert session.acts == []


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(serve: Any) -> None:
    cookie = serve(ScriptedSession()).app.test_client().get("/").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


@pytest.mark.parametrize("address", ["/", "/referee", "/api/state", "/static/style.css", "/nothing"])
def test_every_answer_carries_a_strict_policy(serve: Any, address: str) -> None:
    with serve(ScriptedSession(throws_scene())).app.test_client().get(address) as answer:  # a file is open until then
        headers = answer.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "address", ["/", "/join", "/throws", "/throws/t0009", "/opened/0123456789abcdef", "/games", "/health", "/overlay"]
)
def test_no_page_holds_script_style_or_another_place(serve: Any, address: str) -> None:
    page = serve(ScriptedSession(throws_scene())).app.test_client().get(address).text
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert not re.search(r"<style|\sstyle=|\son\w+=", page)
    assert not re.search(r"""(?:src|href|action)=["'](?:https?:)?//""", page)


@pytest.mark.parametrize(
    "name",
    ["../../../etc/passwd", "..%2f..%2fmatches.sqlite", "%2e%2e/secret", "judged.png%00.jpg", "....//x", "\\..\\x"],
)
def test_no_path_outside_a_throw_can_be_read(serve: Any, name: str) -> None:
    client = serve(ScriptedSession(throws_scene())).app.test_client()
    opened = "/api/opened/0123456789abcdef"
    for folder in ("/api/throws/t0009/pictures", "/static", "/api/opened", "/opened", f"{opened}/pictures"):
        assert client.get(f"{folder}/{name}").status_code in (400, 404), folder
    assert client.get(f"/api/throws/{name}/export.zip").status_code in (400, 404)


def test_large_bodies_are_refused_unread(serve: Any) -> None:
    session = ScriptedSession(throws_scene())
    client = serve(session).app.test_client()
    log_in(client)
    for address in ("/api/act/undo", "/api/seat", "/login"):
        answer = client.post(address, json={"x": "y" * 100_000}, headers=headers(client))
        assert answer.status_code == 413, address
    assert session.acts == []


def test_an_exported_throw_may_be_larger_but_not_without_end(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    session = ScriptedSession(throws_scene())
    app = serve(session).app
    client = app.test_client()
    log_in(client)
    zipped = b"PK" + bytes(300_000)
    sent = client.post("/api/opened", data=zipped, content_type="application/zip", headers=headers(client))
    assert (sent.status_code, sent.json["address"]) == (200, "/opened/0123456789abcdef")
    assert session.acts == [("open_export", {"bytes": len(zipped)}, "")]
    monkeypatch.setitem(app.config, "MAX_CONTENT_LENGTH", 200_000)
    sent = client.post("/api/opened", data=zipped, content_type="application/zip", headers=headers(client))
    assert (sent.status_code, sent.json["error"]["code"]) == (413, "request_entity_too_large")


@pytest.mark.parametrize(("content", "code"), [(b"", "bad_argument"), (b"no zip", "bad_input")])
def test_what_is_no_exported_throw_is_refused_in_words(serve: Any, content: bytes, code: str) -> None:
    client = serve(ScriptedSession(throws_scene())).app.test_client()
    log_in(client)
    client.get("/?lang=fr")
    sent = client.post("/api/opened", data=content, content_type="application/zip", headers=headers(client))
    assert (sent.status_code, sent.json["error"]["code"]) == (400, code)
    assert "fichier" in sent.json["error"]["message"]


def test_a_form_of_another_site_sends_no_file(serve: Any) -> None:
    session = ScriptedSession(throws_scene())
    client = serve(session).app.test_client()
    log_in(client)
    form = {"csrf": token(client), "file": (io.BytesIO(b"PK"), "throw.zip")}
    sent = client.post("/api/opened", data=form, content_type="multipart/form-data")
    assert (sent.status_code, sent.json["error"]["code"]) == (403, "csrf")
    assert session.acts == []


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"null", b"{", b'"x"', b"\xff", b'{"who": 3}', b'{"who": ""}', b"[" * 60_000]
)
def test_bad_bodies_are_told_so(serve: Any, body: bytes) -> None:
    client = serve(ScriptedSession(throws_scene())).app.test_client()
    log_in(client)
    answer = client.post("/api/act/undo", data=body, content_type="application/json", headers=headers(client))
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_argument")


def test_names_are_shown_as_text(serve: Any) -> None:
    scene = throws_scene()
    scene["game"]["players"][0]["name"] = '<script>alert("x")</script>'
    page = serve(ScriptedSession(scene)).app.test_client().get("/").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


def test_a_spreadsheet_takes_no_name_for_a_formula() -> None:
    from arena_cam.web.api.games import scores_csv

    detail: Any = {"players": ["=1+1"], "points_by_round": [{"=1+1": 3}]}
    assert scores_csv(detail).splitlines() == ["round,'=1+1", "1,3"]


def test_a_game_s_throws_and_choices_are_tables_with_a_name_of_their_own(serve: Callable[..., Any]) -> None:
    client = serve(ScriptedSession(throws_scene())).app.test_client()
    answer = client.get("/api/games/20260101-193000-7c1e/throws.csv")
    rows = answer.text.splitlines()
    assert rows[0].startswith("line,round,at,player,card,face,landing,tilt_deg")
    assert [row.split(",")[3:5] for row in rows[1:]] == [
        ["Daniel", "violet-4"],
        ["Bernhard", "blue-3"],
        ["Christine", "green-10"],
    ]
    assert "13.2" in rows[3]
    assert answer.headers["Content-Disposition"].endswith('-throws.csv"')
    from arena_cam.web.api.games import choices_csv

    duel: Any = {"log": [{"line": 4, "event": {"type": "duel", "choices": {"=Anna": "peace"}}}]}
    assert choices_csv(duel).splitlines()[1] == "4,'=Anna,peace"
