"""Every game there is can be refereed from the pages alone, without a camera."""

from __future__ import annotations

import html
import random
import re
from pathlib import Path
from typing import Any

import pytest

from arena_cam.camera.no_camera import NoCamera
from arena_cam.referee.session.session import Eye, Session
from arena_cam.rules import all_games
from arena_cam.rules.header import read_header
from arena_cam.rules.random_play import random_event, random_events, random_header
from arena_cam.store.data_folder import DataFolder
from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from arena_cam.web.words.language import translator
from arena_cam.web.words.said import ruling_sentence
from referee.builders import Hand, NoFrames, ScriptedWatcher

BY_HAND = sorted(set(all_games()) - {"arena"})
EVENTS = 40
KEPT = {"tricks": "Cards played", "dilemmas": "Photographs", "hexes": "Photographs"}  # what the menu calls them


@pytest.mark.parametrize("name", BY_HAND)
def test_a_game_is_begun_played_and_looked_back_at_on_the_pages(name: str, tmp_path: Path) -> None:
    watcher = ScriptedWatcher(Hand())
    session = Session(DataFolder(tmp_path, keep_free_bytes=0), Eye(None, None, lambda _: watcher), NoFrames())
    app = create_app(session, WebSettings("246810", "a secret of the tests", None))
    client = app.test_client()
    token = _csrf(client.get("/referee").text)
    client.post("/login", data={"pin": "246810", "csrf": token})

    def acts(action: str, **args: Any) -> Any:
        return client.post(f"/api/act/{action}", json=args, headers={"X-CSRF-Token": _csrf(client.get("/join").text)})

    chance = random.Random(5)
    header = random_header(all_games()[name], chance.choice)
    assert acts("start_game", **{key: header[key] for key in header if key != "version"}).status_code == 200
    game, _, state = read_header(header)
    for number in range(EVENTS):
        legal = game.legal(state)
        if not legal:
            break
        shown: Any = session.snapshot()["game"]
        offered = shown["may_play"]
        assert [kind["type"] for kind in offered] == [kind.kind for kind in legal]
        event = random_event(legal, chance.choice)
        answer = acts("play", event=event)
        assert answer.status_code == 200, answer.json
        state, _ = game.apply(state, game.read(event, number + 2))
    result = game.result(state)
    snapshot: Any = session.snapshot()["game"]
    assert {player["name"]: player["points"] for player in snapshot["players"]} == result["scores"]
    assert "Missed throws" not in client.get("/referee").text
    for path in ("/", "/join", "/games"):
        words = re.sub(r"<nav.*?</nav>|arena-cam", "", client.get(path).text, flags=re.S)
        assert not re.search(r"\b(the arena|duels?|life blocks?|\d+ throws?)\b", words, re.I), path
    for path in ("/", "/referee", "/join", "/overlay", "/games", f"/games/{snapshot['id']}", "/throws"):
        answer = client.get(path)
        assert answer.status_code == 200, path
    kept = client.get("/throws").text
    assert re.search(rf'<a href="/throws" +aria-current="page">{KEPT.get(name, "Pictures")}</a>', kept)
    assert not re.search(r">(Throws|Choices)( \(CSV\))?<", kept + client.get(f"/games/{snapshot['id']}").text)
    for language in ("fr", "is"):
        page = html.unescape(client.get(f"/?lang={language}").text)
        for last in snapshot["rulings"][-1:]:  # a long round may not have ended
            said = ruling_sentence(last, name, translator(language))
            assert said != last["text"]
            assert said in page
    client.get("/?lang=en")
    assert 'data-act="play"' in client.get("/referee").text or result["over"]
    line = session.game(snapshot["id"])["log"][0]["line"]
    assert client.get(f"/games/{snapshot['id']}/lines/{line}").status_code == 200
    session.stop()


def _csrf(page: str) -> str:
    found = re.search(r'name="csrf(?:-token)?" (?:content|value)="([^"]+)"', page)
    assert found is not None
    return found.group(1)


@pytest.mark.parametrize("name", BY_HAND)
def test_who_finds_every_seat_taken_is_told_who_can_free_one(name: str, tmp_path: Path) -> None:
    watcher = ScriptedWatcher(Hand())
    session = Session(DataFolder(tmp_path, keep_free_bytes=0), Eye(None, None, lambda _: watcher), NoFrames())
    app = create_app(session, WebSettings("246810", "a secret of the tests", None))
    header = random_header(all_games()[name], random.Random(5).choice)
    session.act("start_game", {key: header[key] for key in header if key != "version"}, "referee")
    for player in header["players"]:
        phone = app.test_client()
        token = {"X-CSRF-Token": _csrf(phone.get("/join").text)}
        assert phone.post("/api/seat", json={"player": player["name"]}, headers=token).status_code == 200
    late = app.test_client().get("/join").text
    assert late.count("the referee can free it") == len(header["players"])
    session.stop()


def test_the_title_that_stand_ins_give_is_in_the_language_of_every_page(tmp_path: Path) -> None:
    """The page of a line called it Demonstration on Icelandic pages, and so did the question before a new game."""
    watcher = ScriptedWatcher(Hand())
    session = Session(DataFolder(tmp_path, keep_free_bytes=0), Eye(None, None, lambda _: watcher), NoFrames())
    app = create_app(session, WebSettings("246810", "a secret of the tests", None))
    client = app.test_client()
    client.post("/login", data={"pin": "246810", "csrf": _csrf(client.get("/referee").text)})
    header = random_header(all_games()["tricks"], random.Random(5).choice)
    args = {key: header[key] for key in header if key != "version"} | {"name": "Demonstration"}
    session.act("start_game", args, "simulated players")
    event = random_event(all_games()["tricks"].legal(read_header(header)[2]), random.Random(5).choice)
    session.act("play", {"event": event}, "simulated players")
    snapshot: Any = session.snapshot()["game"]
    game = snapshot["id"]
    for path in ("/", "/games", f"/games/{game}", f"/games/{game}/lines/2", "/referee"):
        page = re.sub(r"<input [^>]*>", "", client.get(f"{path}?lang=is").text)  # which can be renamed as it was given
        assert "Sýning" in page, path
        assert "Demonstration" not in page, path
    session.stop()


@pytest.mark.parametrize("name", sorted(set(all_games()) - {"arena"}))
def test_a_players_figures_are_in_words_and_only_what_may_be_summed_is(name: str, tmp_path: Path) -> None:
    """The page had "by product" in every language, and the sums of the best card and of points a trick."""
    data = DataFolder(tmp_path, keep_free_bytes=0)
    session = Session(data, Eye(None, None, lambda _: ScriptedWatcher(Hand())), NoFrames())
    game = all_games()[name]
    played: dict[str, float] = {}
    for seed in range(2):
        choose = random.Random(seed).choice
        header = random_header(game, choose, players=2) | ({"options": {"target": 1}} if name == "tricks" else {})
        session.act("start_game", {key: header[key] for key in header if key != "version"}, "referee")
        for event in random_events(game, header, choose, most=4000):
            session.act("play", {"event": event}, "referee")
        snapshot: Any = session.snapshot()["game"]
        assert snapshot["over"]
        for player in snapshot["players"]:
            played[player["name"]] = played.get(player["name"], 0) + player["points"]
    client = create_app(session, WebSettings("246810", "a secret of the tests", None)).test_client()
    who = session.people(name)[0]["name"]
    figures = session.person(name, who)["figures"]
    page = client.get(f"/players/{who}?game={name}&lang=is").text
    facts = dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", page))
    assert not {key.replace("_", " ") for key in figures} & set(facts)
    if name == "tricks":
        assert facts["Stig í slag"] == f"{played[who] / figures['tricks']:.1f}".replace(".", ",")
    session.stop()


def test_without_a_camera_no_card_of_a_trick_is_one_that_was_not_seen(tmp_path: Path) -> None:
    """The one way to tell a card was labelled "A card that was not seen", which is meant for what a camera missed."""
    session = Session(
        DataFolder(tmp_path, keep_free_bytes=0), Eye(None, None, lambda _: ScriptedWatcher(Hand())), NoCamera()
    )
    client = create_app(
        session, WebSettings("246810", "a secret of the tests", None, usual_game="tricks")
    ).test_client()
    client.post("/login", data={"pin": "246810", "csrf": _csrf(client.get("/referee").text)})
    begun = {"players": [{"name": "Anna"}, {"name": "Bo"}]}
    csrf = {"X-CSRF-Token": _csrf(client.get("/referee").text)}
    assert client.post("/api/act/start_game", json=begun, headers=csrf).status_code == 200
    state: Any = client.get("/api/state").json
    assert state["game"]["game"] == "tricks", "the house's game, where none is named"
    session.act("dealt", {}, "referee")
    page = client.get("/referee").text
    assert "The card that is played" in page
    assert "A card that was not seen" not in page
    session.stop()
