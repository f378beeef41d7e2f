"""Exported photographs of boards and tokens, brought in on another machine: looked at, read again, never believed."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_cam.domain.errors import BadInput, Refused
from arena_cam.referee.games.hexes.outfit import HexesOutfit
from referee.builders import Evening
from referee.hexes_table import Table as HexesTable
from referee.hexes_table import laid, picture
from referee.test_dilemmas_tokens import CLEAR, DOUBT, seen
from referee.test_dilemmas_tokens import Table as TokensTable
from web.conftest import Served, log_in
from web.every_page import violations
from web.test_api import odd_json
from web.test_opened_files import opened_or_refused, places, put, zipped
from web.test_security import headers
from web.test_security import log_in as log_in_client

CARDS = {"positive": "p-07", "negative": "n-12"}


def of_boards(folder: Path) -> bytes:
    """A photograph of Anna's board, which counted."""
    table = HexesTable(folder)
    table.start([{"name": "Anna", "colour": "red"}])
    table.draws()
    table.reader.sees(laid(), doubts={"A1": {"code": "cell_unclear", "params": {}}})
    photo = table.photo("Anna", 90)
    table.act("confirm_board", player="Anna")
    content = table.session.export_throw(photo)
    table.session.stop()
    return content


def of_tokens(folder: Path) -> bytes:
    """A photograph of three dilemmas, of one of which the eye doubts something; it counted."""
    table = TokensTable(folder)
    table.start()
    photo = table.photo(seen("red", 2, 1, DOUBT) | CARDS, *CLEAR[1:])
    table.act("confirm_count", player="Anna")
    table.act("turn_tokens")
    content = table.session.export_throw(photo)
    table.session.stop()
    return content


EXPORTS: dict[str, Callable[[Path], bytes]] = {"hexes": of_boards, "dilemmas": of_tokens}


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return {game: make(tmp_path_factory.mktemp(game) / "there") for game, make in EXPORTS.items()}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """Another machine, on which an arena game is on."""
    evening = Evening(tmp_path_factory.mktemp("here") / "data")
    evening.start()
    yield evening
    evening.session.stop()


@pytest.fixture
def client(here: Evening, serve: Callable[..., Served]) -> Any:
    client = serve(here.session).app.test_client()
    log_in_client(client)
    return client


def members_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("hexes", ("As the photograph was read", "Round 1 counts: Anna")),
        ("dilemmas", ("As the photograph was read", "card P-07", "A token on p-07 can hardly be seen")),
    ],
)
def test_a_photograph_from_another_machine_is_looked_at_on_a_page(
    here: Evening,
    exports: dict[str, bytes],
    tmp_path: Path,
    serve: Callable[..., Served],
    new_page: Callable[..., Any],
    game: str,
    words: tuple[str, ...],
) -> None:
    file = tmp_path / "photo.zip"
    file.write_bytes(exports[game])
    page = new_page(390, 844)
    url = serve(here.session).url
    log_in(page, url)
    page.goto(f"{url}/throws")
    page.set_input_files("#open-export input[type=file]", file)
    page.click("#open-export button")
    page.wait_for_url("**/opened/*")
    shown = page.inner_text("main")
    assert "An exported photograph, opened to look at." in shown
    assert [each for each in words if each not in shown] == []
    picture_of = page.locator(".evidence image, img.photograph").first
    address = picture_of.get_attribute("href") or picture_of.get_attribute("src")
    assert page.request.get(f"{url}{address}").headers["content-type"] == "image/jpeg"
    assert page.locator(".board-paper").count() == (game == "hexes")
    assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    sent = page.get_attribute("a:has-text('as it was sent')", "href")
    assert page.request.get(f"{url}{sent}").body() == members_of(exports[game])["photo.jpg"]
    page.goto(f"{url}/throws?lang=fr")
    assert page.locator("#region-opened img").evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    page.click("#region-opened a")
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("button:has-text('Fermer')")
    page.wait_for_url("**/throws")
    assert page.locator("#region-opened a").count() == 0


def test_it_says_when_it_was_taken_and_in_which_round(here: Evening, exports: dict[str, bytes]) -> None:
    shown: Any = here.session.opened_throw(here.session.open_export(exports["hexes"]))
    assert (shown["player"], shown["round"], shown["rules"]) == ("Anna", 1, "hexes")
    assert shown["at"] > 1.6e9
    assert shown["verdict"]["code"] == "round"
    older = members_of(exports["hexes"])
    ruling = json.loads(older["ruling.json"])
    older["ruling.json"] = json.dumps({key: ruling[key] for key in ruling if key not in ("at", "round")}).encode()
    shown = here.session.opened_throw(here.session.open_export(zipped(older)))
    assert (shown["at"], shown["round"], shown["player"]) == (0, None, "Anna")


def test_it_is_read_again_with_the_set_that_came_with_it(
    here: Evening, exports: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, client: Any
) -> None:
    reading = json.loads(members_of(exports["hexes"])["reading.json"])
    read: list[Path] = []

    def reader(_self: HexesOutfit, deck: Path) -> Any:
        read.append(deck)
        return lambda _image, _known: reading

    monkeypatch.setattr(HexesOutfit, "photo_reader", reader)
    alone = here.session.open_export(exports["hexes"])
    with pytest.raises(Refused, match="without its set"):
        here.session.judge_opened_again(alone)
    toml = b'game = "hexes"\n[[card]]\nid = "9-4-7"\nimage = "9-4-7.png"\n'
    name = here.session.open_export(zipped(members_of(exports["hexes"]) | {"setup/deck/deck.toml": toml}))
    answer = client.post(f"/api/opened/{name}/judge-again", headers=headers(client))
    assert answer.json["same"]
    assert read[0].name == "deck"


@pytest.mark.parametrize("game", EXPORTS)
@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"photo.jpg": b"<script>"}, "no photograph"),
        ({"photo.jpg": picture()[:200]}, "whole"),
        ({"run.sh": b"x"}, "does not belong"),
        ({"game.jsonl": b""}, "cannot be played"),
        ({"reading.json": b'{"size_px":[1,2],"boards":3,"dilemmas":3}'}, "damaged"),
        ({"reading.json": b'{"size_px":[NaN,2],"boards":[],"dilemmas":[]}'}, "damaged"),
        ({"reading.json": b"["}, "damaged"),
        ({"ruling.json": b"7"}, "damaged"),
    ],
)
def test_a_file_that_is_not_ours_is_refused_and_not_kept(
    here: Evening, exports: dict[str, bytes], game: str, changed: dict[str, bytes], why: str
) -> None:
    before = here.session.opened()
    with pytest.raises(BadInput, match=why) as refused:
        here.session.open_export(zipped(members_of(exports[game]) | changed))
    assert "/data/" not in str(refused.value), "a path of this machine is nobody's business"
    assert here.session.opened() == before


@pytest.mark.parametrize("game", EXPORTS)
@settings(max_examples=25)
@given(data=st.data())
def test_an_odd_reading_makes_no_page_fail(
    client: Any, exports: dict[str, bytes], game: str, data: st.DataObject
) -> None:
    members = members_of(exports[game])
    name = data.draw(st.sampled_from(("reading.json", "ruling.json")))
    value = json.loads(members[name])
    ways = list(places(value))
    for _ in range(data.draw(st.integers(1, 2))):
        way = data.draw(st.sampled_from(ways))
        new = data.draw(odd_json | st.sampled_from([0, -1, 1e300, 10**30, "flat", "p-07", [], {}]))
        try:
            put(value, way, new)
        except (KeyError, IndexError, TypeError):
            continue  # the first change took the second's place away
    members[name] = json.dumps(value).encode()
    opened_or_refused(client, zipped(members))
