"""A phone in the Game of Dilemmas: what it offers while one lays and votes, and what is read again afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from arena_cam.formats.game_record import play_record, read_record, result_to_json
from referee.hexes_table import picture
from referee.test_dilemmas_tokens import seen
from web.conftest import Served
from web.every_page import cut_or_beside, cut_texts
from web.test_dilemmas_pages import BALLOTS, NAMES, Table
from web.test_security import log_in

LONGEST = "You may sleep as long as you like, wherever you are, "


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.session.stop()


@pytest.fixture
def phone(table: Table, serve: Callable[..., Served], new_page: Callable[..., Any]) -> Any:
    """Anna's phone in a game of one round."""
    table.start(rounds=1)
    table.posts("Anna", "/api/seats/free", player="Anna")
    page = new_page(390, 844)
    page.goto(f"{serve(table.session, game='dilemmas').url}/join")
    page.click("#seat-1")
    page.wait_for_selector("#side-positive")
    return page


def test_a_vote_is_changed_on_its_phone_until_the_last_is_in(table: Table, phone: Any) -> None:
    """The rules said that it may be; no phone had a button for it."""
    table.lays(*NAMES)

    def marks(ballot: str) -> None:
        for name, letter in zip(NAMES, ballot, strict=True):
            phone.check(f"input[name='choice-{name}'][value={letter}]")

    phone.wait_for_selector("#vote")
    marks("yyn")
    phone.click("#vote")
    phone.click("#change-votes summary")
    assert phone.locator("input:checked").count() == 0, "what was voted stands nowhere"
    assert phone.locator(".dilemma:visible").count() == 3, "each dilemma is shown once"
    assert cut_or_beside(phone, 390) == []
    marks("nny")
    phone.click("#vote-again")
    expect(phone.locator("#toast")).to_contain_text("Your votes are changed.")
    expect(phone.locator("#change-votes")).not_to_have_attribute("open", "")
    assert phone.locator("input:checked").count() == 0
    for name in NAMES[1:]:
        table.votes(name, BALLOTS[name])
    expect(phone.locator("#change-votes")).to_have_count(0)
    votes = {each["player"]: (each["yes"], each["no"]) for each in table.game["shown"]}
    assert votes == {"Anna": (0, 3), "Ben": (2, 1), "Guðrún": (2, 1)}


def test_a_side_of_blanks_is_asked_for_in_the_browsers_words(table: Table, phone: Any) -> None:
    """It was sent, and refused as an object that lacks a field."""
    phone.fill("#side-positive", "You fly")
    phone.fill("#side-negative", "   ")
    sent: list[str] = []
    phone.on("request", lambda request: sent.append(request.url))
    phone.click("button:has-text('Lay it')")
    phone.wait_for_function("document.activeElement.id === 'side-negative'")
    assert not phone.locator("#toast").is_visible()
    assert not any("lay_dilemma" in url for url in sent)
    phone.fill("#side-negative", "slowly")
    phone.click("button:has-text('Lay it')")
    phone.wait_for_selector("#side-negative", state="detached")
    assert table.game["laid"] == ["Anna"]


def test_a_neutral_card_is_offered_until_it_is_used(table: Table) -> None:
    table.start(neutral=True, rounds=2)
    sides = {"positive": "good", "negative": "bad"}
    page = table.phones["Anna"].get("/join").text
    assert page.count('data-fill="side-neutral"') == 4
    assert "neutral-by" not in page, "it is one's own"
    table.posts("Anna", "/api/seat/act/lay_dilemma", **sides, neutral="grey")
    table.lays("Ben", "Guðrún")
    for each in BALLOTS.items():
        table.votes(*each)
    assert "side-neutral" not in table.phones["Anna"].get("/join").text
    assert "side-neutral" in table.phones["Ben"].get("/join").text


def test_in_coop_a_phone_says_with_whom_one_makes_the_dilemma_and_takes_either_neutral_card(table: Table) -> None:
    """In odd rounds the second maker sits to one's left, in even ones to the right."""
    game = table.start(coop=True, neutral=True)
    assert "Together with Ben: one of you" in table.phones["Anna"].get("/join").text
    assert "Together with Anna: one of you" in table.phones["Guðrún"].get("/join").text
    sides = {"positive": "good", "negative": "bad", "neutral": "grey"}
    assert table.posts("Anna", "/api/seat/act/lay_dilemma", **sides, neutral_by="Ben").status_code == 200
    assert '"neutral_by":"Ben"' in table.session.record(game)
    assert table.posts("Ben", "/api/seat/act/lay_dilemma", **sides, neutral_by="Ben").status_code == 409
    assert table.posts("Ben", "/api/seat/act/lay_dilemma", **sides, neutral_by="Guðrún").status_code == 200
    table.lays("Guðrún")
    for each in BALLOTS.items():
        table.votes(*each)
    assert "Together with Guðrún: one of you" in table.phones["Anna"].get("/join").text


@pytest.mark.parametrize(
    ("language", "words"), [("en", "2 YES"), ("fr", "2 jetons OUI"), ("is", "JÁ í þessari umferð")]
)
def test_a_refusal_calls_tokens_as_people_do(table: Table, language: str, words: str) -> None:
    table.start()
    table.lays(*NAMES)
    table.phones["Anna"].get(f"/join?lang={language}")
    assert words in table.votes("Anna", "yyy").json["error"]["message"]


def test_the_page_of_a_round_shows_its_dilemmas_and_their_votes_as_they_count_now(table: Table) -> None:
    """It said who laid and who voted; what the dilemmas were stood nowhere any more."""
    game = table.start(rounds=1)
    table.lays(*NAMES)
    for each in BALLOTS.items():
        table.votes(*each)
    page = " ".join(table.phones["Ben"].get(f"/games/{game}/rounds/1").text.split())
    assert [f"{name} {does}" in page for name in NAMES for does in ("flies", "snores")] == [True] * 6
    assert page.count("YES 1 : 2 NO") == 2
    assert "YES 3 : 0 NO" in page
    assert page.count("dilemma winner") == 2
    line = next(
        each["line"]
        for each in table.session.game(game)["log"]
        if each["event"].get("player") == "Anna" and each["event"].get("on") == "Ben"
    )
    table.session.act("amend", {"line": line, "set": {"token": "no"}}, "referee")
    page = " ".join(table.phones["Ben"].get(f"/games/{game}/rounds/1").text.split())
    assert "YES 2 : 1 NO" in page, "of Ben's"
    assert "YES 3 : 0 NO" not in page


@pytest.mark.parametrize("language", ["en", "fr", "is"])
def test_the_page_of_a_photograph_shows_what_was_read_of_it(table: Table, language: str) -> None:
    """While it was counted each token was marked; in a dispute afterwards nothing was."""
    table.start(rounds=1)
    table.lays(*NAMES)
    photo = table.session.take_photo(picture(7), None, "referee")["photo"]
    page = table.phones["Ben"].get(f"/throws/{photo}?lang={language}").text
    assert page.count('<g class="token') == 8
    assert "tap_token" not in page
    rows = [re.sub(r"<[^>]+>", " ", row).split() for row in re.findall(r"<tr>.*?</tr>", page, re.DOTALL)[1:]]
    assert [row[-5:-1] for row in rows] == [["2", "1", "·", "·"], ["1", "1", "·", "·"], ["1", "2", "·", "·"]]
    assert "p-07" in " ".join(rows[1]), "what was doubted"
    assert ("As the photograph was read" in page) == (language == "en")


def test_a_persons_name_stands_on_the_desk_as_it_is_written(table: Table) -> None:
    players = [{"name": "anna van Dijk"}, {"name": "Anna"}]
    table.session.act("start_game", {"game": "dilemmas", "players": players}, "referee")
    client = table.app.test_client()
    log_in(client)
    assert ">Player: anna van Dijk<" in client.get("/referee?lang=en").text
    assert re.search(r">Joueur\s:\sanna van Dijk<", client.get("/referee?lang=fr").text)


@pytest.mark.parametrize("count", [3, 6, 10])
def test_dilemmas_as_long_as_may_be_written_are_read_on_a_television(
    table: Table, serve: Callable[..., Served], new_page: Callable[..., Any], count: int
) -> None:
    """Longer ones than any printed card's: the last one was cut."""
    names = [f"Player {number}" for number in range(count)]
    table.session.act("start_game", {"game": "dilemmas", "players": [{"name": name} for name in names]}, "referee")
    television = new_page(1920, 1080)
    television.goto(serve(table.session, game="dilemmas").url)
    sides = dict.fromkeys(("positive", "negative"), (LONGEST * 3)[:140])
    for name in names:
        table.session.act("lay_dilemma", {"player": name, **sides}, "referee")
    expect(television.locator(".dilemma:not(.awaited-here)")).to_have_count(count)
    expect(television.locator("#region-ruling")).to_contain_text("Vote on every dilemma")
    assert cut_texts(television) == []
    television.reload()
    television.wait_for_function(
        "() => { const box = document.querySelector('.dilemmas'); return box.scrollHeight <= box.clientHeight + 1; }"
    )
    assert television.evaluate("() => parseFloat(getComputedStyle(document.querySelector('.dilemma')).fontSize)") >= 9


@pytest.mark.parametrize(("own_vote", "before", "after"), [(True, "3", "2"), (False, "2", "1–2")])
def test_the_desk_says_how_many_tokens_lie_on_each_dilemma_beside_votes_on_phones(
    table: Table, own_vote: bool, before: str, after: str
) -> None:
    """It counted those who had voted on their phones as well."""
    table.start(own_vote=own_vote)
    table.lays(*NAMES)
    client = table.app.test_client()
    log_in(client)
    assert f"Tokens on each dilemma: {before}." in client.get("/referee").text
    assert table.votes("Anna", "yyn" if own_vote else "-yn").status_code == 200
    assert f"Tokens on each dilemma: {after}." in client.get("/referee").text


CARDS: dict[str, dict[str, Any]] = {
    "red": {"positive": "p-07", "negative": "n-12"},
    "blue": {"positive": "p-08", "negative": None},
    "green": {"positive": None, "negative": None},
}
ON_THE_TABLE = {
    "en": ("You fly", "card N-12", "a card on the table", "The cards lie on the table."),
    "fr": ("You fly", "carte N-12", "une carte sur la table", "Les cartes sont sur la table."),
    "is": ("You fly", "spil N-12", "spil á borðinu", "Spilin liggja á borðinu."),
}


@pytest.mark.parametrize("language", ["en", "fr", "is"])
def test_dilemmas_of_real_cards_say_what_is_known_of_them(
    table: Table, serve: Callable[..., Served], new_page: Callable[..., Any], language: str
) -> None:
    """The television read "a good side, a bad side", whatever lay on the table."""
    words, name, one_unknown, unknown = ON_THE_TABLE[language]
    game = table.start(rounds=1)
    for player in NAMES:
        table.session.act("play", {"event": {"type": "dilemma", "player": player}}, "referee")
    television = new_page(1920, 1080)
    television.goto(f"{serve(table.session, game='dilemmas').url}/?lang={language}")
    expect(television.locator(".dilemma").first).to_contain_text(unknown)
    dilemmas = [seen(colour, 2, 1) | cards for colour, cards in CARDS.items()]
    dilemmas[1]["doubts"] = [{"code": "partner_unseen", "params": {"card": "p-08"}}]
    table.reading = {"size_px": [60, 40], "table_doubts": [], "words": {"p-07": "You fly"}, "dilemmas": dilemmas}
    photo = table.session.take_photo(picture(7), None, "referee")["photo"]
    table.session.act("confirm_count", {"player": "Ben"}, "referee")
    table.session.act("turn_tokens", {}, "referee")
    television.wait_for_selector(".dilemma .count")
    shown = [" ".join(each.inner_text().split()) for each in television.locator(".dilemma").all()]
    assert f"+ {words} − {name}" in shown[0]
    assert one_unknown in shown[1]
    assert unknown in shown[2]
    assert cut_texts(television) == []
    television.goto(f"{television.url.split('?')[0]}games/{game}/rounds/1")
    assert words in television.inner_text("main")
    television.goto(f"{television.url.split('/games')[0]}/throws/{photo}")
    assert name in television.inner_text("main")
    assert result_to_json(play_record(read_record(table.session.record(game))))["over"]


def test_a_card_that_was_not_read_clearly_is_not_named(table: Table) -> None:
    table.start(rounds=1)
    for player in NAMES:
        table.session.act("play", {"event": {"type": "dilemma", "player": player}}, "referee")
    unclear = seen("red", 2, 1, {"code": "card_unclear", "params": {"card": "p-07"}}) | CARDS["red"]
    table.reading = {"size_px": [60, 40], "table_doubts": [], "dilemmas": [unclear]}
    table.session.take_photo(picture(7), None, "referee")
    assert table.game["dilemmas"][0]["cards"] == {"negative": {"id": "n-12", "text": ""}}
