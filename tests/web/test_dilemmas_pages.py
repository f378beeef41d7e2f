"""The Game of Dilemmas on phones: everybody lays, everybody votes in secret, all is shown at once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from arena_cam.camera.no_camera import NoCamera
from arena_cam.referee.game.outfit import unwatched_eye
from arena_cam.referee.session.session import Session
from arena_cam.store.data_folder import DataFolder
from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from arena_cam.web.games.dilemmas.part import seen_box
from referee.hexes_table import picture
from referee.test_dilemmas_tokens import seen
from web.conftest import HeldBack, Served, log_in, photograph
from web.every_page import cut_texts

NAMES = ("Anna", "Ben", "Guðrún")
COLOURS = ("red", "blue", "green")
BALLOTS = {"Anna": "yyn", "Ben": "nyy", "Guðrún": "nyn"}


class Table:
    def __init__(self, folder: Path) -> None:
        self.session = Session(DataFolder(folder, keep_free_bytes=0), unwatched_eye(self.read), NoCamera())
        self.app = create_app(self.session, WebSettings("246810", "a secret of the tests", None, "dilemmas"))
        self.phones: dict[str, Any] = {}
        self.radius_px = 4.0  # of tokens in the photograph
        self.reading: dict[str, Any] | None = None  # what the eye says instead

    def read(self, _image: Any, _known: Any) -> dict[str, Any]:
        """Stands for the eye: Ben's dilemma has a token too few, and Guðrún's has no disc."""
        if self.reading is not None:
            return self.reading
        doubt = {"code": "token_unclear", "params": {"card": "p-07"}}
        dilemmas = [seen("red", 2, 1), seen("blue", 1, 1, doubt), seen(None, 1, 2)]
        for mark in (mark for each in dilemmas for mark in each["token_list"]):
            mark["radius_px"] = self.radius_px
        return {"size_px": [60, 40], "table_doubts": [], "dilemmas": dilemmas}

    def start(self, **options: Any) -> str:
        players = [{"name": name, "colour": colour} for name, colour in zip(NAMES, COLOURS, strict=True)]
        game = self.session.act("start_game", {"game": "dilemmas", "players": players, "options": options}, "referee")
        for name in NAMES:
            self.phones[name] = self.app.test_client()
            self.posts(name, "/api/seat", player=name)
        return str(game["game"])

    def posts(self, name: str, path: str, **body: Any) -> Any:
        phone = self.phones[name]
        found = re.search(r'name="csrf-token" content="([^"]+)"', phone.get("/join").text)
        assert found is not None
        return phone.post(path, json=body, headers={"X-CSRF-Token": found.group(1)})

    def lays(self, *names: str) -> None:
        for name in names:
            sides = {"positive": f"{name} flies", "negative": f"{name} snores"}
            assert self.posts(name, "/api/seat/act/lay_dilemma", **sides).status_code == 200

    def votes(self, name: str, ballot: str) -> Any:
        return self.posts(name, "/api/seat/choice", choice=ballot)

    @property
    def game(self) -> Any:
        return self.session.snapshot()["game"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.session.stop()


def test_a_round_is_laid_voted_and_told_at_once(table: Table) -> None:
    game = table.start(rounds=1)
    assert table.phones["Ben"].get("/").text.count("awaited-here") == 3, "a place for each"
    table.lays("Anna")
    assert "Anna flies" in table.phones["Ben"].get("/").text
    assert table.phones["Ben"].get("/").text.count("awaited-here") == 2
    assert table.votes("Anna", "yyn").json["error"]["code"] == "not_now", "not every dilemma is laid"
    table.lays("Ben", "Guðrún")
    for name, ballot in BALLOTS.items():
        assert table.votes(name, ballot).status_code == 200
    assert table.game["over"]
    page = table.phones["Ben"].get("/join").text
    assert "YES 1 : 2 NO" in page
    figures = table.session.game(game)["statistics"]
    assert figures["Anna"]["agrees:Guðrún"] == pytest.approx(0.667)
    assert "Who votes as whom" in table.phones["Ben"].get(f"/games/{game}").text


def test_no_page_stream_log_or_record_shows_a_vote_before_all_are_in(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """Anna votes one way, and then the other: whatever anybody else can see stays the same to the last letter."""
    caplog.set_level("DEBUG")
    game = table.start()
    table.lays(*NAMES)

    def seen() -> list[str]:
        snapshot: Any = {**table.session.snapshot(), "version": 0, "at": 0}
        ben = table.phones["Ben"]
        pages = [ben.get(path).text for path in ("/", "/join", "/overlay", f"/games/{game}", "/games", "/throws")]
        streams = [ben.get(f"/api/regions/{view}").text for view in ("scoreboard", "join", "overlay")]
        return [
            json.dumps(snapshot),
            *pages,
            *streams,
            table.session.record(game),
            table.phones["Anna"].get("/join").text,
        ]

    table.votes("Anna", "yyn")
    one = seen()
    table.votes("Anna", "nny")
    assert seen() == one
    assert "has voted" in table.phones["Ben"].get("/").text
    assert "vote" not in table.session.record(game)
    assert not any("yyn" in record.getMessage() or "nny" in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize("ballot", ["", "yy", "yyyn", "yyx", "yyy", "y-n", "yYn"])
def test_votes_that_the_rules_do_not_allow_are_refused_to_the_voter_alone(table: Table, ballot: str) -> None:
    table.start()
    table.lays(*NAMES)
    assert table.votes("Anna", ballot).status_code in (400, 409)
    assert table.game["choices_made"] == []


def test_the_own_dilemma_has_no_vote_where_that_is_the_rule(table: Table) -> None:
    table.start(own_vote=False, rounds=1)
    table.lays(*NAMES)
    assert table.votes("Anna", "yyn").status_code == 400
    for name, ballot in {"Anna": "-yn", "Ben": "y-n", "Guðrún": "ny-"}.items():
        assert table.votes(name, ballot).status_code == 200
    assert table.game["over"]


def test_supervotes_are_used_once_and_in_the_last_round_at_the_latest(table: Table) -> None:
    table.start(supervotes=True, rounds=1)
    table.lays(*NAMES)
    assert table.votes("Anna", "yyn").status_code == 409
    for name in NAMES:
        assert table.votes(name, "YNy").status_code == 200
    assert table.game["over"]


def test_votes_outlive_a_restart_and_are_still_secret(table: Table, tmp_path: Path) -> None:
    table.start()
    table.lays(*NAMES)
    table.votes("Anna", "yyn")
    table.session.stop()
    again = Table(tmp_path)
    again.phones = table.phones
    try:
        assert again.game["choices_made"] == ["Anna"]
    finally:
        again.session.stop()


def test_a_dilemma_without_words_is_refused(table: Table) -> None:
    table.start()
    assert table.posts("Anna", "/api/seat/act/lay_dilemma", positive="good", negative=" ").status_code == 400
    assert table.posts("Anna", "/api/seat/act/lay_dilemma", positive="x" * 200, negative="y").status_code == 400
    table.posts("Anna", "/api/seat/act/lay_dilemma", positive="good", negative="bad", player="Ben")
    assert table.game["laid"] == ["Anna"], "a phone speaks for its own seat"


@pytest.mark.parametrize("language", ["en", "fr", "is"])
def test_every_page_is_said_in_the_language(table: Table, language: str) -> None:
    game = table.start()
    for step in (lambda: None, lambda: table.lays(*NAMES), lambda: [table.votes(*each) for each in BALLOTS.items()]):
        step()
        for path in ("/", "/join", f"/games/{game}"):
            page = table.phones["Anna"].get(f"{path}?lang={language}").text
            assert "%(" not in page
            assert ("Would you take it?" in page or "The good side" in page) <= (language == "en")


def test_an_evening_from_the_first_phone_to_the_rematch(
    table: Table, serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    """In French, with a long name: cards offered by a tap, votes, the round taken back and told again, a rematch."""
    names = ("Amélie", "Bjørn", "Christophe-Alexandre")
    url = serve(table.session, game="dilemmas").url
    desk, television = new_page(1366, 768), new_page(1920, 1080)
    log_in(desk, url)
    desk.goto(f"{url}/referee?lang=fr")
    television.goto(f"{url}/?lang=fr")
    expect(television.locator("#region-ruling")).to_contain_text("Pas encore de partie")
    for seat, name in enumerate(names):
        desk.fill(f'#new-game input[name="players[{seat}].name"]', name)
    desk.click("#new-game button.primary")
    phones = [new_page(390, 844) for _ in names]
    ruling = television.locator("#region-ruling")
    for number, phone in enumerate(phones, start=1):
        phone.goto(f"{url}/join?lang=fr")
        phone.click(f"#seat-{number}")
        for side in ("positive", "negative"):
            phone.click(f"#cards-{side} summary")
            phone.click(f"#cards-{side} button >> nth={number}")
        phone.click("form button.primary")
        phone.wait_for_selector("#side-positive", state="detached")
    assert desk.locator("#region-controls .error-text, #region-cards .error-text:visible, #quiet, #mode").count() == 0
    for phone, ballot in zip(phones, BALLOTS.values(), strict=True):
        phone.wait_for_selector("#vote")
        for name, letter in zip(names, ballot, strict=True):
            phone.check(f"input[name='choice-{name}'][value={letter}]")
        assert phone.evaluate("() => document.documentElement.scrollWidth") <= 390
        phone.click("#vote")
    expect(ruling).to_contain_text("Manche 1 :", timeout=20_000)
    assert cut_texts(television) == []
    desk.click("#act-undo")
    desk.click("#ask-first [data-yes]")
    for page in (television, phones[0], desk):
        expect(page.locator("main")).to_contain_text("Tous les votes sont là")
    assert television.locator(".choices-made .made").count() == 3
    desk.click("#act-redo")
    expect(ruling).to_contain_text("Manche 1 :")
    expect(phones[0].locator("main")).not_to_contain_text("ligne")
    desk.on("dialog", lambda dialog: dialog.accept())
    first = table.game["id"]
    desk.click("#act-end_game")
    expect(television.locator(".ranking li")).to_have_count(3)
    ends = "all => all.map((each) => Math.round(each.getBoundingClientRect().right))"
    assert len(set(television.locator(".ranking b").evaluate_all(ends))) == 1, "the points stand below each other"
    desk.click("#act-rematch")
    expect(ruling).to_contain_text("Posez un dilemme")
    assert table.game["id"] != first
    assert [player["name"] for player in table.game["players"]] == list(names)
    for page in (desk, television, *phones):
        assert cut_texts(page) == []


def test_what_is_sent_before_the_scripts_have_come_is_done_once_they_have(
    table: Table, serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    table.start(rounds=1)
    table.phones.clear()
    phone = new_page(390, 844)
    phone.goto(f"{serve(table.session).url}/join")
    phone.click("#seat-1")
    phone.wait_for_selector("#side-positive")
    script = HeldBack(phone, "**/js/page.js*")
    phone.reload(wait_until="commit")
    phone.fill("#side-positive", "good")
    phone.fill("#side-negative", "bad")
    phone.evaluate("document.querySelector('form button.primary').click()")
    assert phone.url.endswith("/join"), "what was typed stands in no address"
    script.let_go()
    phone.wait_for_selector("#side-positive", state="detached")
    assert table.game["laid"] == ["Anna"]


def test_the_part_of_a_photograph_that_is_shown_holds_all_that_was_seen() -> None:
    seen: Any = [
        {"outlines_px": [[[300, 200], [400, 200], [400, 300], [300, 300]]], "token_list": [{"centre_px": [500, 250]}]},
        {"outlines_px": [], "token_list": [{"centre_px": [990, 20]}]},
    ]
    counting: Any = {"size_px": [1000, 600], "seen": seen}
    assert seen_box(counting) == (250, 0, 750, 350)
    assert seen_box(counting | {"seen": []}) == (0, 0, 1000, 600)


@pytest.fixture
def desk(table: Table, serve: Callable[..., Served], new_page: Callable[..., Any]) -> Any:
    """The referee's desk, with every dilemma of the only round laid."""
    table.start(rounds=1)
    table.lays(*NAMES)
    page = new_page(1366, 768)
    log_in(page, serve(table.session).url)
    return page


def test_tokens_are_photographed_corrected_by_a_tap_and_counted_at_the_desk(
    table: Table, desk: Any, tmp_path: Path
) -> None:
    file = tmp_path / "table.jpg"
    file.write_bytes(picture(7))
    sent = HeldBack(desk, "**/api/photos")
    assert not desk.locator(".sending").is_visible()
    photograph(desk, "#photograph-table", file)
    desk.wait_for_selector(".sending")
    sent.let_go()
    desk.wait_for_selector("svg.evidence .token")
    desk.wait_for_selector(".sending", state="hidden")
    assert desk.locator("svg.evidence .token").count() == 8, "each token is marked"
    board = table.phones["Ben"].get("/").text
    assert board.count('<g class="token') == 8, "the television shows them, too"
    assert f'class="player c-{COLOURS[0]}' in board, "each player stands in the colour of the disc"
    assert "tap_token" not in board
    assert "The tokens are being counted" in board, "nobody is asked to vote any more"
    assert "is voting" not in board
    assert desk.is_disabled("#act-turn_tokens")
    assert "t-no" in desk.locator("svg.evidence .token").nth(2).get_attribute("class")
    desk.locator("svg.evidence .token").nth(2).click()
    desk.wait_for_selector("svg.evidence .token.t-none")
    desk.locator("svg.evidence .token.t-none").press("Enter")
    desk.wait_for_selector("svg.evidence .token.t-none", state="detached")
    desk.locator("[data-key='count-Anna'] [aria-label='YES −']").click()
    desk.locator("[data-key='count-Anna'] [aria-label='NO +']").click()
    desk.locator("[data-key='count-Anna'] button.primary:not([disabled])").click()
    desk.select_option("#whose-2", "Guðrún")
    desk.click("form.whose button")
    desk.wait_for_selector("form.whose", state="detached")
    ben = desk.locator("[data-key='count-Ben']")
    assert "a token on p-07 can hardly be seen" in ben.inner_text().lower()
    ben.locator("[aria-label='YES +']").click()
    ben.locator("button.primary:not([disabled])").click()
    desk.wait_for_selector("#act-turn_tokens:not([disabled])")
    assert desk.evaluate("() => document.documentElement.scrollWidth") <= 1366
    assert "Every token is counted" in table.phones["Ben"].get("/").text
    desk.click("#act-turn_tokens")
    desk.wait_for_selector(".words.long")
    assert table.game["over"]


def test_on_a_phone_tokens_are_as_large_as_a_fingertip_and_stay_where_they_were_moved(
    table: Table, desk: Any, tmp_path: Path
) -> None:
    table.radius_px = 1.0
    desk.set_viewport_size({"width": 320, "height": 640})
    file = tmp_path / "table.jpg"
    file.write_bytes(picture(7))
    photograph(desk, "#photograph-table", file)
    token = desk.locator("svg.evidence .token").nth(2)
    assert token.bounding_box()["width"] >= 40
    assert desk.evaluate("() => document.documentElement.scrollWidth") <= 320
    desk.evaluate("() => document.getElementById('tapped').scrollTo(20, 0)")
    table.session.act("tap_token", {"seen": 0, "token": 2}, "referee")
    desk.wait_for_selector("svg.evidence .token.t-none")
    assert desk.evaluate("() => document.getElementById('tapped').scrollLeft") == 20


def test_a_count_of_a_round_that_is_over_is_mended_from_its_ruling(table: Table, desk: Any) -> None:
    """The ruling leads to its line, that to the lines of its round, and each of them says what it counted."""
    for name, no in (("Anna", 2), ("Ben", 1), ("Guðrún", 3)):
        for token, count in (("yes", 3 - no), ("no", no)):
            table.session.act("correct_count", {"player": name, "token": token, "count": count}, "referee")
        table.session.act("confirm_count", {"player": name}, "referee")
    table.session.act("turn_tokens", {}, "referee")
    game = table.game["id"]
    assert [player["points"] for player in table.game["players"]] == [1, 0, 0], "Anna: one YES, two NO"
    desk.goto(f"{desk.url.removesuffix('/referee')}/games/{game}")
    desk.click("tr:has-text('Turn the tokens') a:has-text('Correct')")
    desk.click("li:has-text('whose dilemma: Anna, YES: 1, NO: 2') a:has-text('Correct')")
    desk.fill("#amend [name=yes]", "3")
    desk.fill("#amend [name=no]", "0")
    desk.click("#amend button.primary")
    desk.wait_for_selector("[data-changes] ins:has-text('Ben +2')")
    desk.click("[data-confirm-amend]")
    desk.wait_for_selector("text=Written at first: Count tokens, whose dilemma: Anna, YES: 1, NO: 2")
    assert [player["points"] for player in table.game["players"]] == [0, 2, 0]
    for page in (f"/games/{game}", f"/games/{game}/rounds/1"):
        html = table.phones["Ben"].get(page).text
        assert re.search("<del>Round 1: .*Anna \\+1.</del>", html), "what was said then is struck out"
        assert re.search("<ins>Round 1: .*Ben \\+2.</ins>", html)


def test_a_button_that_is_held_down_while_the_page_renews_itself_is_pressed(table: Table, desk: Any) -> None:
    """A press was lost if its button was replaced before it was let go: of two quick ones the second did nothing."""
    desk.click("#count-tokens summary")
    anna, ben = (desk.locator(f"[data-key='count-{name}'] .stepper b").first for name in ("Anna", "Ben"))
    desk.hover("[data-key='count-Anna'] [aria-label='YES +']")
    desk.mouse.down()
    table.session.act("correct_count", {"player": "Ben", "token": "yes", "count": 1}, "referee")
    desk.wait_for_timeout(1000)
    expect(ben).to_have_text("0")
    desk.mouse.up()
    expect(ben).to_have_text("1")
    expect(anna).to_have_text("1")


def test_twenty_dilemmas_are_read_on_a_television(
    table: Table, serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    names = [f"Player {number}" for number in range(20)]
    table.session.act("start_game", {"game": "dilemmas", "players": [{"name": name} for name in names]}, "referee")
    texts = {"positive": "You can taste food from any photograph", "negative": "Everybody hears what you think of them"}
    for name in names:
        table.session.act("lay_dilemma", {"player": name, **texts}, "referee")
    television = new_page(1920, 1080)
    television.goto(serve(table.session).url)
    expect(television.locator(".dilemma")).to_have_count(20)
    expect(television.locator("#region-ruling")).to_contain_text("Vote on every dilemma")
    inside = """() => ['.dilemmas', '.board-ruling', '.board-players'].filter(
        (each) => { const e = document.querySelector(each); return e.scrollHeight > e.clientHeight + 1; })"""
    assert television.evaluate(inside) == []


def test_quick_taps_all_count_and_a_confirmation_comes_after_them(table: Table, desk: Any) -> None:
    """Taps were lost while the program answered the one before: three quick ones made one or two."""
    desk.click("#count-tokens summary")
    row = desk.locator("[data-key='count-Anna']")
    held: list[Any] = []
    desk.route("**/api/act/correct_count", lambda route: held.append(route))  # not append: playwright marks it
    for label in ("YES +", "YES +", "YES +", "YES −", "NO +"):
        row.locator(f"[aria-label='{label}']").click()
    numbers = row.locator(".stepper b")
    expect(numbers.nth(0)).to_have_text("2")
    expect(numbers.nth(1)).to_have_text("1")
    desk.wait_for_timeout(400)
    desk.unroute("**/api/act/correct_count")  # lets go what waits
    row.locator("button.primary:not([disabled])").click()
    expect(row.locator(".pill")).to_have_text("confirmed")
    assert next(each["tokens"] for each in table.game["counting"]["rows"] if each["player"] == "Anna") == {
        "yes": 2,
        "no": 1,
        "super_yes": 0,
        "super_no": 0,
    }


def test_a_number_that_is_refused_is_shown_as_it_is(desk: Any) -> None:
    desk.click("#count-tokens summary")
    desk.route("**/api/act/correct_count", lambda route: route.abort())
    number = desk.locator("[data-key='count-Anna'] .stepper b").first
    desk.locator("[data-key='count-Anna'] [aria-label='YES +']").click()
    expect(number).to_have_text("1")
    expect(desk.locator("#toast")).to_contain_text("No connection")
    expect(number).to_have_text("0")


def test_what_was_refused_is_no_longer_said_once_it_is_done(
    table: Table, serve: Callable[..., Served], new_page: Callable[..., Any]
) -> None:
    table.start(rounds=1)
    table.lays(*NAMES)
    table.posts("Anna", "/api/seats/free", player="Anna")
    phone = new_page(390, 844)
    phone.goto(f"{serve(table.session).url}/join")
    phone.click("#seat-1")
    for choice in ("y", "y", "y"), ("y", "y", "n"):
        for name, each in zip(NAMES, choice, strict=True):
            phone.check(f"input[name='choice-{name}'][value='{each}']")
        phone.click("button:has-text('Vote')")
        expect(phone.locator("#toast")).to_be_visible(visible=choice[2] == "y")


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"\0\0\0\x18ftypheic" + b"\0" * 99, "HEIC"), (b"", "JPEG"), (picture()[:200], "whole"), (b"x" * 70_000, "JPEG")],
    ids=["HEIC", "nothing", "torn", "no picture"],
)
def test_what_is_no_photograph_of_the_table_is_refused_in_one_line(table: Table, content: bytes, words: str) -> None:
    table.start()
    table.lays(*NAMES)
    phone = table.phones["Anna"]
    found = re.search(r'name="csrf-token" content="([^"]+)"', phone.get("/join").text)
    assert found is not None
    answer = phone.post("/api/seat/photo", data=content, headers={"X-CSRF-Token": found.group(1)})
    assert answer.status_code == 400
    assert words in answer.json["error"]["message"]
    assert table.game["counting"]["photo"] is None
