"""Programs get in with a token for what it is for, and no further; the page makes and revokes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest

from arena_cam.commands.main import main
from arena_cam.referee.integrations.programs import Programs
from arena_cam.store.data_folder import DataFolder
from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from arena_cam.web.live.page_words import PageWords
from arena_cam.web.serving import Server, listen
from web.conftest import PIN
from web.scripted_session import ScriptedSession, duel_scene, throws_scene
from web.test_security import headers, log_in


class Room:
    """The pages over a scripted session, with a data folder for tokens; on a real server where a test asks for it."""

    def __init__(self, folder: Path) -> None:
        self.data = DataFolder(folder)
        self.session = cast(Any, ScriptedSession(duel_scene()))
        self.programs = Programs(self.data.tokens, self.data.receivers, PageWords())
        settings = WebSettings(PIN, "a secret of the tests", None)
        self.app = create_app(self.session, settings, programs=self.programs)
        self.programs.start(self.session)
        self.server: Server | None = None

    def url(self) -> str:
        self.server = self.server or Server(self.app, listen("127.0.0.1", 0))
        self.server.start()
        return f"http://127.0.0.1:{self.server.port}"

    def stop(self) -> None:
        if self.server is not None:
            self.server.stop(self.app.extensions["arena_cam"].streams.end)
        self.programs.stop()
        self.session.end()
        self.data.close()

    def token(self, *scopes: str) -> dict[str, str]:
        """The header of a program with such a token."""
        return {"Authorization": f"Bearer {self.data.tokens.make('Program', scopes)[1]}"}


def code_of(answer: Any) -> str:
    return str(answer.json["error"]["code"])


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path / "data")
    yield room
    room.stop()


def test_a_token_acts_without_pin_and_page(room: Room) -> None:
    room.session.show(throws_scene())
    client: Any = room.app.test_client()
    answer = client.post("/api/act/close_challenge", json={}, headers=room.token("referee"))
    assert answer.status_code == 200
    assert room.session.acts == [("close_challenge", {}, "Program")]


@pytest.mark.parametrize(
    ("scope", "address"), [("watch", "act/undo"), ("setup", "act/undo"), ("referee", "setup/begin")]
)
def test_a_token_does_no_more_than_it_is_for(room: Room, scope: str, address: str) -> None:
    answer = room.app.test_client().post(f"/api/{address}", json={}, headers=room.token(scope))
    assert (answer.status_code, code_of(answer)) == (403, "not_allowed")
    assert room.session.acts == []


def test_every_token_reads_what_a_referee_may_read_and_none_makes_another(room: Room) -> None:
    client: Any = room.app.test_client()
    assert client.get("/api/regions/referee").status_code == 403
    assert client.get("/api/regions/referee", headers=room.token("watch")).status_code == 200
    everything = room.token("watch", "referee", "setup")
    for method, address in (("GET", ""), ("POST", "/tokens"), ("POST", "/webhooks"), ("POST", "/brokers")):
        answer = client.open(f"/api/programs{address}", method=method, json={}, headers=everything)
        assert (answer.status_code, code_of(answer)) == (403, "not_allowed")


def test_a_token_that_was_revoked_or_made_up_opens_nothing(room: Room) -> None:
    client: Any = room.app.test_client()
    held = room.token("referee")
    room.data.tokens.revoke(room.data.tokens.all()[0].id)
    for header in (held, {"Authorization": "Bearer acam_made_up"}, {"Authorization": "Bearer"}):
        answer = client.post("/api/act/undo", json={}, headers=header)
        assert (answer.status_code, code_of(answer)) == (401, "unknown_token")
    assert room.session.acts == []


def test_a_token_opens_no_page(room: Room) -> None:
    client: Any = room.app.test_client()
    assert 'name="pin"' in client.get("/programs", headers=room.token("referee")).text
    assert client.post("/logout", headers=room.token("referee")).status_code == 403


def test_the_referee_makes_and_revokes_by_the_api_what_the_description_says(room: Room) -> None:
    client: Any = room.app.test_client()
    log_in(client)
    document = client.get("/api/openapi.json").json
    made = client.post("/api/programs/tokens", json={"name": "Lamp", "scopes": ["watch"]}, headers=headers(client)).json
    hook = {"address": "http://127.0.0.1:9/x", "language": "is"}
    client.post("/api/programs/webhooks", json=hook, headers=headers(client))
    shown = client.get("/api/programs").json
    schema = {"$ref": "#/components/schemas/ProgramsSnapshot", "components": document["components"]}
    jsonschema.validate(shown, schema)
    assert [token["name"] for token in shown["tokens"]] == ["Lamp"]
    assert [each["address"] for each in shown["receivers"]] == ["http://127.0.0.1:9/x"]
    assert made["secret"] not in client.get("/programs").text
    assert client.delete(f"/api/programs/tokens/{made['id']}", headers=headers(client)).status_code == 200
    assert client.get("/api/programs").json["tokens"] == []


def test_the_page_shows_a_new_token_once(room: Room, new_page: Callable[..., Any]) -> None:
    page = new_page(390, 844)
    page.goto(f"{room.url()}/programs")
    page.get_by_label("PIN").fill(PIN)
    page.get_by_role("button", name="Log in").click()
    page.get_by_label("Whose token").fill("Lamp")
    page.get_by_role("button", name="Make a token").click()
    page.wait_for_selector("#once-secret:visible")
    secret = page.locator("#once-secret").inner_text()
    found = room.data.tokens.find(secret)
    assert found is not None
    assert found.name == "Lamp"
    page.get_by_role("link", name="I have copied it").click()
    page.wait_for_selector("text=Lamp")
    assert secret not in page.content()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Revoke").click()
    page.wait_for_selector("text=Revoke", state="detached")
    assert room.data.tokens.all() == []


def test_tokens_are_made_listed_and_revoked_by_command_while_the_program_runs(
    room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["--data", str(room.data.folder)]
    assert main(["token", "make", "Lamp", "--for", "watch", "--for", "referee", *data]) == 0
    secret = capsys.readouterr().out.splitlines()[0]
    token = room.data.tokens.find(secret)
    assert token is not None
    assert token.scopes == ("watch", "referee")
    assert main(["token", "list", *data]) == 0
    assert re.search(rf"^{token.id} +Lamp +watch,referee ", capsys.readouterr().out)
    assert main(["token", "revoke", token.id, *data]) == 0
    assert room.data.tokens.find(secret) is None
    assert main(["token", "revoke", token.id, *data]) == 1
    assert main(["token", "list", "--data", str(room.data.folder / "none")]) == 1


@pytest.mark.parametrize(
    ("query", "there", "away"),
    [
        ("", {"strip"}, {"choosing", "table"}),
        ("?show=table,choosing&at=right", {"table", "choosing"}, {"strip"}),
        ("?show=nonsense&at=nowhere", {"strip"}, {"table"}),
    ],
)
def test_an_overlay_shows_what_its_address_names(room: Room, query: str, there: set[str], away: set[str]) -> None:
    page = room.app.test_client().get(f"/overlay{query}")
    shown = set(re.findall(r'id="region-(\w+)"', page.text))
    assert there <= shown
    assert not away & shown
    assert f"at-{'right' if 'right' in query else 'bottom'}" in page.text


def test_an_overlay_may_be_framed_and_no_other_page(room: Room) -> None:
    client: Any = room.app.test_client()
    overlay, page = client.get("/overlay").headers, client.get("/").headers
    assert "frame-ancestors *" in overlay["Content-Security-Policy"]
    assert "X-Frame-Options" not in overlay
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
    assert page["X-Frame-Options"] == "DENY"


def test_whose_choice_is_missing_stands_on_the_overlay(room: Room) -> None:
    text = room.app.test_client().get("/overlay?show=choosing&lang=en").text
    assert "Anna and Bernhard choose" in text
