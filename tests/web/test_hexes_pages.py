"""The hexagon game on its pages: three phones, the television and the desk, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_cam.rules import all_games
from arena_cam.rules.games.hexes.board import CELLS, TILES
from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from referee.hexes_table import PLAYERS, Table, laid, picture
from web.conftest import PIN, HeldBack, Served, log_in, photograph
from web.every_page import cut_texts

THREE = [*PLAYERS, {"name": "Guðrún", "colour": "green"}]
LOOKS = pytest.mark.parametrize("language", ["en", "fr", "is"])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.session.stop()


class Phone:
    """A browser of one player, without a screen."""

    def __init__(self, app: Any, player: str) -> None:
        self.client = app.test_client()
        self.posts("/api/seat", json={"player": player})

    def posts(self, path: str, **more: Any) -> Any:
        found = re.search(r'name="csrf-token" content="([^"]+)"', self.page())
        assert found is not None
        return self.client.post(path, headers={"X-CSRF-Token": found.group(1)}, **more)

    def page(self, path: str = "/join") -> str:
        return str(self.client.get(path).text)


@pytest.fixture
def app(table: Table) -> Any:
    return create_app(table.session, WebSettings("246810", "a secret of the tests", None, "hexes"))


def test_the_television_shows_an_empty_place_until_a_tile_is_drawn(table: Table, app: Any) -> None:
    """A pale tile there was taken for one that had been drawn."""
    table.start(THREE)
    anna = Phone(app, "Anna")
    before = anna.page("/")
    assert "no-tile" in before
    assert not re.search(r"#t\d-\d-\d", before), "no tile with numbers is to be seen"
    assert anna.posts("/api/seat/act/draw_tile", json={"tile": "5-3-2"}).status_code == 200
    after = anna.page("/")
    assert "#t5-3-2" in after
    assert "no-tile" not in after


def test_players_are_those_of_the_game_that_is_played_here(app: Any) -> None:
    """Before anybody had played to the end the page was headed by another game."""
    assert all_games()["hexes"].title in str(app.test_client().get("/players").text).split("</h1>")[0]


def test_a_phone_announces_lays_and_sends_its_photograph(table: Table, app: Any) -> None:
    table.start(THREE)
    anna, ben = Phone(app, "Anna"), Phone(app, "Ben")
    assert "You announce" in anna.page()
    assert "You announce" not in ben.page()
    assert ben.posts("/api/seat/act/draw_tile", json={}).status_code == 403
    assert anna.posts("/api/seat/act/draw_tile", json={"tile": "9-4-7"}).status_code == 200
    assert "9 – 4 – 7" in ben.page()
    assert "9, 4, 7</span>" in ben.page("/"), "the television says it aloud"
    ben.posts("/api/seat/act/placed", json={"player": "Anna"})
    assert [board["placed"] for board in table.game["boards"]] == [False, True, False], (
        "a phone speaks for its own seat"
    )
    table.act("take_tile_back")
    table.draws()
    table.reader.sees(laid(), "blue")
    answer = ben.posts("/api/seat/photo", data=picture(), content_type="image/jpeg")
    assert (answer.status_code, answer.json["read"]) == (200, True)
    assert "Yes, that is my board" in ben.page()
    assert "Anna and Guðrún" in ben.page("/")


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"\0\0\0\x18ftypheic" + b"\0" * 99, "HEIC"), (b"", "JPEG"), (picture()[:200], "whole"), (b"x" * 70_000, "JPEG")],
    ids=["HEIC", "nothing", "torn", "no picture, longer than a form may be"],
)
def test_what_is_no_photograph_is_refused_in_one_line(table: Table, app: Any, content: bytes, words: str) -> None:
    table.start(THREE)
    answer = Phone(app, "Anna").posts("/api/seat/photo", data=content, content_type="image/jpeg")
    assert answer.status_code == 400
    assert words in answer.json["error"]["message"]
    assert table.session.throws() == []


def test_only_who_sits_here_or_the_referee_sends_photographs(table: Table, app: Any) -> None:
    table.start(THREE)
    phone = Phone(app, "Anna")
    phone.client.delete("/api/seat")
    stranger = app.test_client()
    token = re.search(r'name="csrf-token" content="([^"]+)"', stranger.get("/join").text)
    assert token is not None
    headers = {"X-CSRF-Token": token.group(1)}
    assert stranger.post("/api/seat/photo", data=picture(), headers=headers).status_code == 403
    assert stranger.post("/api/photos?player=Anna", data=picture(), headers=headers).status_code == 403
    assert stranger.post("/api/seat/act/mend", json={}, headers=headers).status_code == 403


@LOOKS
def test_every_page_says_what_it_says_in_the_language(table: Table, app: Any, language: str) -> None:
    game = table.start(THREE)
    phone = Phone(app, "Anna")
    pages = ("/", "/join", "/overlay", "/games", f"/games/{game}", "/throws", "/how")
    for drawn, shown in ((0, ()), (19, ()), (0, ("Anna",)), (0, ("Ben", "Guðrún"))):
        table.draws(TILES[:drawn])
        shows(table, *shown)
        for path in pages:
            page = phone.page(f"{path}?lang={language}")
            assert "%(" not in page
            assert ("Photograph my board" in page or "The boards count" in page) <= (language == "en"), path
    kept = len(table.session.throws())  # which the list of games called throws
    counted = {"en": "Photographs: {}", "fr": "Photos\N{NO-BREAK SPACE}: {}", "is": "Ljósmyndir: {}"}[language]
    assert counted.format(kept) in phone.page(f"/games?lang={language}")
    photo = table.session.throws()[0]["id"]
    for path in (f"/throws/{photo}", f"/games/{game}/lines/2"):
        assert "%(" not in phone.page(f"{path}?lang={language}")
    assert {"en": "Lines by colour", "fr": "Lignes par couleur", "is": "Línur eftir lit"}[language] in phone.page(
        f"/games/{game}?lang={language}"
    )


def shows(table: Table, *players: str) -> None:
    """Their boards are photographed, read and confirmed."""
    colours = {each["name"]: each["colour"] for each in THREE}
    for number, player in enumerate(players):
        table.reader.sees(laid(seed=number), colours[player])
        table.photo(player, 10 * number + len(players))
        table.act("confirm_board", player=player)


def test_an_evening_with_three_phones(
    table: Table, serve: Callable[..., Served], new_page: Callable[..., Any], tmp_path: Path
) -> None:
    """From the first tile to the rematch: drawn, placed, photographed, mended by a tap, replayed."""
    table.start([*THREE[:2], {"name": "Christophe-Alexandre", "colour": "green"}], rounds=2)
    served = serve(table.session)
    television = new_page(1920, 1080)
    television.goto(served.url)
    phones = [new_page(390, 844) for _ in THREE]
    for number, phone in enumerate(phones, start=1):
        phone.goto(f"{served.url}/join")
        phone.click(f"#seat-{number}")
        phone.wait_for_selector(".me")
    file = tmp_path / "board.jpg"
    for number in (1, 2):
        announcer = phones[number - 1]
        announcer.click("#next-tile")
        for phone in phones:
            phone.wait_for_selector("#placed")
            assert cut_texts(television) == []
            phone.click("#placed")
        announcer.wait_for_function("() => !document.querySelector('#next-tile').dataset.confirm")
        drawn = [*table.game["drawn"], *(tile for tile in TILES if tile not in table.game["drawn"])][:19]
        table.draws(tuple(drawn[1:]))
        for place, phone in enumerate(phones):
            cells = laid(tuple(drawn), seed=number + place)
            swapped = cells | {"A1": cells["A2"], "A2": cells["A1"]}
            doubt = {"code": "unclear", "params": {"cell": "A1", "tile": swapped["A1"]}}
            table.reader.sees(swapped, str(THREE[place]["colour"]), doubts={"A1": doubt})
            file.write_bytes(picture(50 * number + place))
            phone.wait_for_selector("#take-photo")
            photograph(phone, "#take-photo", file)
            phone.wait_for_selector("#confirm")
            phone.click(".hexes-board [data-cell=A1]")
            phone.click(f"dialog [data-choice='{cells['A1']}']")
            phone.wait_for_selector(".doubtful", state="detached")
            phone.click("#confirm")
            phone.wait_for_selector("#confirm", state="detached")
    assert table.game["over"]
    boards = {board["player"]: board["cells"] for board in table.game["shown"]}
    assert boards["Ben"] == laid(tuple(drawn), seed=3)
    phones[0].wait_for_selector(".ranking")
    referee = new_page(1366, 768)
    log_in(referee, served.url)
    throws = table.session.throws()
    assert len(throws) == 6
    referee.goto(f"{served.url}/throws/{throws[0]['id']}")
    assert referee.locator("svg.evidence [href*='view.jpg']").count() == 1
    referee.click("[data-judge-again]")
    referee.wait_for_selector("#judged-again p:not(.dim)")
    referee.goto(f"{served.url}/games/{table.game['id']}/lines/2")
    before = {player["name"]: player["points"] for player in table.game["players"]}
    referee.locator("[data-board]").first.locator("[data-cell=C3]").click()
    wanted = referee.locator("dialog [data-choice]:not([aria-current])").nth(5).get_attribute("data-choice")
    with referee.expect_navigation():
        referee.click(f"dialog [data-choice='{wanted}']")
    line = table.session.line(table.game["id"], 2)
    assert line["event"]["boards"]["Anna"]["C3"] == wanted
    assert set(line["event"]["boards"]["Anna"]) == set(CELLS)
    assert set(before) == {"Anna", "Ben", "Christophe-Alexandre"}
    assert cut_texts(television) == []
    first = table.game["id"]
    referee.goto(f"{served.url}/referee")
    referee.click("#act-rematch")
    television.wait_for_selector(".announced.idle")
    assert [player["name"] for player in table.game["players"]] == list(before)
    assert not table.game["over"]
    line_of_first = f"{served.url}/games/{first}/lines/2"
    stranger = new_page(390, 844)
    stranger.goto(line_of_first)
    stranger.click(".panel a[href^='/referee?next=']")
    stranger.fill("input[name=pin]", PIN)
    with stranger.expect_navigation():
        stranger.click("button.primary")
    assert stranger.url == line_of_first, "who came to correct a line goes on there"
    stranger.on("dialog", lambda dialog: dialog.accept())  # the rematch is being played
    with stranger.expect_navigation():
        stranger.locator("[data-act=resume_game]").first.click()
    assert stranger.url == line_of_first
    assert stranger.locator("[data-act=resume_game]").count() == 0
    assert table.game["id"] == first, "the game that had ended can be corrected"


def test_no_page_of_the_evening_is_wider_than_its_window(
    table: Table, serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    table.start([{"name": "Maximiliana-Theodora", "colour": "red"}, *THREE[1:]])
    table.draws(TILES[:3])
    served = serve(table.session)
    for number, (width, height) in enumerate(((390, 844), (1366, 768), (1920, 1080)), start=1):
        page = new_page(width, height)
        log_in(page, served.url)
        page.goto(f"{served.url}/join")
        page.click(f"#seat-{number}")
        page.wait_for_selector(".me")
        for path in ("/", "/join", "/referee", "/throws", f"/games/{table.game['id']}"):
            page.goto(served.url + path)
            wide = page.evaluate("() => document.documentElement.scrollWidth")
            assert wide <= width, f"{path} at {width}"


def test_the_last_tile_stands_on_every_page_until_it_lies(
    table: Table, serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    table.start()
    table.draws()
    last, served = str(table.game["tile"]).replace("-", " – "), serve(table.session)
    phones = {}
    for number, name in enumerate(("Anna", "Ben"), 1):
        phones[name] = new_page(390, 844)
        phones[name].goto(f"{served.url}/join")
        phones[name].click(f"#seat-{number}")
        phones[name].wait_for_selector(f".to-place :text-is('{last}')")
        assert phones[name].is_visible("#take-photo")
    television, desk = new_page(1920, 1080), new_page(1366, 768)
    television.goto(served.url)
    log_in(desk, served.url)
    for page in (television, desk):
        page.wait_for_selector(f".announced-name:text-is('{last}')")
    table.reader.sees(laid())
    table.photo("Anna")
    for page in (phones["Anna"], television):
        page.wait_for_selector(".announced-name", state="detached")
    assert f"Lay {table.game['tile']}, the last one" in television.inner_text("body"), "Ben may not have laid it yet"
    assert phones["Ben"].is_visible(f".to-place :text-is('{last}')")
    assert cut_texts(television) == []


def test_the_dot_beside_a_name_is_of_the_board_that_is_chosen(
    table: Table, serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    desk = new_page(1366, 768)
    log_in(desk, serve(table.session, game="hexes").url)
    row = desk.locator("[data-act=start_game] .seats li").first
    assert "c-red" in row.locator("[data-dot]").get_attribute("class")
    row.locator("select").select_option("green")
    row.locator("[data-dot].c-green").wait_for()


def phone_that_may_photograph(table: Table, serve: Callable[..., Served], new_page: Callable[..., Any]) -> Any:
    """The page of the one player of a game whose tiles are all laid."""
    table.start(THREE[:1])
    table.draws()
    table.reader.sees(laid())
    served = serve(table.session)
    phone = new_page(390, 844)
    phone.goto(f"{served.url}/join")
    phone.click("#seat-1")
    phone.wait_for_selector("#take-photo")
    return phone


def test_a_photograph_waits_in_the_phone_until_the_network_is_back(
    table: Table, serve: Callable[..., Served], new_page: Callable[..., Any], tmp_path: Path
) -> None:
    phone = phone_that_may_photograph(table, serve, new_page)
    phone.route("**/api/seat/photo", lambda route: route.abort())
    file = tmp_path / "board.jpg"
    file.write_bytes(picture(7))
    photograph(phone, "#take-photo", file)
    phone.wait_for_selector("#toast:not([hidden])")
    assert table.session.throws() == []
    phone.unroute("**/api/seat/photo")
    phone.reload()
    phone.wait_for_selector("#confirm")
    assert len(table.session.throws()) == 1


def test_a_photograph_is_kept_though_the_game_goes_on_while_the_camera_is_open(
    table: Table, serve: Callable[..., Served], new_page: Callable[..., Any], tmp_path: Path
) -> None:
    phone = phone_that_may_photograph(table, serve, new_page)
    phone.wait_for_selector("body[data-scripted]")
    file = tmp_path / "board.jpg"
    file.write_bytes(picture(7))
    with phone.expect_file_chooser() as chooser:
        phone.click("#take-photo")
    make_anew(phone)
    chooser.value.set_files(file)
    phone.wait_for_selector("#confirm")
    assert len(table.session.throws()) == 1


def make_anew(phone: Any) -> None:
    """The region of the button is made anew, as it is when the game goes on."""
    phone.evaluate("""() => { const region = document.querySelector("#take-photo").closest("[id^=region-]");
        region.innerHTML = region.innerHTML; }""")


def test_a_photograph_is_kept_though_the_camera_was_opened_before_the_scripts_had_come(
    table: Table, serve: Callable[..., Served], new_page: Callable[..., Any], tmp_path: Path
) -> None:
    phone = phone_that_may_photograph(table, serve, new_page)
    script = HeldBack(phone, "**/js/page.js*")
    phone.reload(wait_until="commit")
    file = tmp_path / "board.jpg"
    file.write_bytes(picture(7))
    with phone.expect_file_chooser() as chooser:
        phone.click("#take-photo")
    script.let_go()
    phone.wait_for_selector("body[data-scripted]")
    make_anew(phone)
    chooser.value.set_files(file)
    phone.wait_for_selector("#confirm")
    assert len(table.session.throws()) == 1
