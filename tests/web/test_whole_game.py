"""A whole game through the pages: a real session and store, real browsers; the eye says what the test wrote."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest
from playwright.sync_api import expect

from referee.builders import Evening
from web.conftest import PIN, HeldBack, log_in

SECRET = re.compile(r'"choices"\s*:|choice["\']?:\s*["\'](?:peace|conflict)')


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path / "data")
    yield evening
    evening.session.stop()


def shown(page: Any, text: str, where: str = "body") -> None:
    """Waits until the page shows `text` by itself."""
    page.wait_for_function(
        "([where, text]) => document.querySelector(where)?.innerText.includes(text)", arg=[where, text]
    )


def dialogs(page: Any, accepts: Callable[[int], bool]) -> list[str]:
    """What the page will ask in dialogs; each is accepted if `accepts` the number of those before it."""
    asked: list[str] = []

    def answer(dialog: Any) -> None:
        asked.append(dialog.message)
        (dialog.accept if accepts(len(asked) - 1) else dialog.dismiss)()

    page.on("dialog", answer)
    return asked


def start_by_form(page: Any, *names: str) -> None:
    page.fill("input[name=name]", "Friday")
    for seat, name in enumerate(names):
        page.fill(f'input[name="players[{seat}].name"]', name)
    page.click("text=Start the game")


def begun(evening: Evening, serve: Any, new_page: Callable[..., Any]) -> tuple[str, Any]:
    """Where the pages of a game are served that the referee has begun with Anna, Bernhard and Christine, and the
    referee's page."""
    url = serve(evening.session).url
    referee = new_page()
    log_in(referee, url)
    start_by_form(referee, "Anna", "Bernhard", "Christine")
    shown(referee, "Anna", "#region-rulings")
    return url, referee


def one_over_the_edge(evening: Evening, serve: Any, new_page: Callable[..., Any]) -> tuple[Any, str]:
    """The referee's page and the address of a game in which one card lies on the edge beside the challenge."""
    url, referee = begun(evening, serve, new_page)
    evening.rests("red-8")
    evening.rests("blue-3", "edge")
    return referee, url


def test_a_game_from_the_first_phone_to_the_winner(evening: Evening, serve: Any, new_page: Callable[..., Any]) -> None:
    url = serve(evening.session).url
    board, referee, anna, bernhard = new_page(1920, 1080), new_page(), new_page(390, 844), new_page(390, 844)
    board.goto(url)
    log_in(referee, url)
    start_by_form(referee, "Anna", "Bernhard", "Christine")
    shown(board, "Friday")
    for phone, name in ((anna, "Anna"), (bernhard, "Bernhard")):
        phone.goto(f"{url}/join")
        phone.click(f"button.seat:has-text('{name}')")
        shown(phone, "My cards")

    evening.rests("red-8")
    shown(board, "Throw onto red 8")
    _ask_about_an_unsure_card(evening, board, referee)
    evening.rests("blue-3", on=["red-8"])
    evening.waits(1.0)
    _duel_in_secret(board, anna, bernhard)
    # the points count up
    expect(board.locator(".player").nth(0).locator(".player-points b")).to_have_text("11")

    _correct_in_replay(referee, url, board)
    evening.frame(*evening.hand.sweeps())
    _play_on(evening)
    shown(board, "win")
    assert evening.game["over"]
    referee.goto(f"{url}/games")
    referee.click("text=Friday")
    shown(referee, "Points over the rounds")


def test_a_finished_game_is_opened_again_and_corrected(
    evening: Evening, serve: Any, new_page: Callable[..., Any]
) -> None:
    """That the last game was ruled wrongly is often noticed when the next one has begun."""
    url, referee = begun(evening, serve, new_page)
    _play_on(evening)
    first = evening.game["id"]
    evening.start(name="Second")
    asked = dialogs(referee, lambda before: before > 0)  # the first is refused
    referee.goto(f"{url}/games")
    again = ".game-row:has-text('Friday') button:has-text('Open again to correct')"
    third = evening.start(name="Third # $&")  # after the page was there
    with referee.expect_event("dialog"):
        referee.click(again)
    assert asked[0].startswith("“Third # $&” is being played. Open this one instead? “Third # $&” is ended as it sta")
    assert evening.game["id"] == third
    referee.click(again)
    referee.wait_for_url(f"**/games/{first}")
    assert evening.game["id"] == first
    assert evening.game["over"]
    referee.locator("tr:has-text('Duel') a:has-text('Correct')").last.click()
    referee.check("#amend input[value=strike]")
    referee.click("#amend button.primary")
    referee.click("[data-confirm-amend]")
    shown(referee, "Corrected by referee")
    assert not evening.game["over"]
    referee.goto(f"{url}/games")
    assert referee.locator(".game-row:has-text('Third') button:has-text('Go on with this game')").count() == 1


def _ask_about_an_unsure_card(evening: Evening, board: Any, referee: Any) -> None:
    evening.rests("green-4", "diagonal", sure=False)
    shown(referee, "Is this right: green 4 lies leaning?", ".question")
    board.wait_for_selector(".doubt")
    referee.click(".question button.primary")
    referee.wait_for_selector(".question", state="detached")
    assert evening.session.snapshot()["question"] is None


def _duel_in_secret(board: Any, anna: Any, bernhard: Any) -> None:
    told: list[str] = []
    for page in (board, bernhard):
        page.on("response", lambda answer: told.append(answer.url))
    shown(anna, "Peace or conflict?")
    anna.click("#choose-conflict")
    shown(anna, "Your choice is in")
    shown(board, "Anna has chosen", "#region-ruling")
    for page in (board, bernhard):
        assert not SECRET.search(re.sub(r"data-args='[^']*'", "", page.content()))
        for path in ("/api/state", "/api/regions/scoreboard", "/api/regions/join", "/api/throws", "/api/games"):
            text = page.request.get(page.url.split("/join")[0].rstrip("/") + path).text()
            assert not SECRET.search(re.sub(r"data-args='[^']*'", "", text)), path
    assert "Your choice is in" not in bernhard.content()
    bernhard.click("#choose-peace")
    shown(board, "Anna chose conflict", "#region-ruling")


def _correct_in_replay(referee: Any, url: str, board: Any) -> None:
    referee.goto(f"{url}/throws")
    referee.click(".throw:has-text('Bernhard')")
    referee.select_option("#amend select[name=card]", "blue-5")
    referee.click("text=Show what it changes")
    shown(referee, "Anna\t11\t13", "#preview")
    # the points count up
    expect(board.locator(".player").nth(0).locator(".player-points b")).to_have_text("11")
    referee.fill("input[name=who]", "Ref")
    referee.fill("input[name=reason]", "misread")
    referee.click("[data-confirm-amend]")
    board.wait_for_function("() => document.querySelector('.player-points b').innerText === '13'")
    shown(referee, "Corrected by Ref: misread")


@pytest.mark.parametrize("dropped", [False, True])
def test_a_correction_pressed_before_its_script_has_come_is_shown(
    evening: Evening, serve: Any, new_page: Callable[..., Any], dropped: bool
) -> None:
    """The script may be late, or a Wi-Fi that drops may lose it."""
    referee, url = one_over_the_edge(evening, serve, new_page)
    referee.goto(f"{url}/throws")
    referee.wait_for_selector(".throw:has-text('Blue 3')")
    script = HeldBack(referee, "**/js/amend.js*")
    if dropped:
        referee.route("**/js/amend.js*", lambda route: route.abort(), times=1)
    referee.click(".throw:has-text('Blue 3')", no_wait_after=True)
    referee.select_option("#amend [data-kind=set] select[name=landing]", "flat")
    referee.click("text=Show what it changes")
    script.let_go()
    referee.wait_for_selector("#preview:not([hidden])")


def test_an_old_landing_is_mended_through_the_duel_that_was_missed(
    evening: Evening, serve: Any, new_page: Callable[..., Any]
) -> None:
    referee, url = one_over_the_edge(evening, serve, new_page)
    referee.click("text=Nobody else throws")
    _until(lambda: evening.game["awaiting"] == "challenge")
    evening.frame(*evening.hand.sweeps())
    evening.rests("blue-5")
    shown(referee, "Throw onto blue 5")

    referee.goto(f"{url}/throws")
    referee.click(".throw:has-text('Blue 3')")
    referee.select_option("#amend [data-kind=set] select[name=landing]", "flat")
    referee.check("#amend [data-kind=set] input[name=rests_on]")
    referee.click("text=Show what it changes")
    shown(referee, "What happened before line 5?", "#preview")
    assert referee.locator("[data-confirm-amend]").is_disabled()
    referee.select_option("[data-missing] label:has-text('Anna') select", label="Conflict")
    referee.select_option("[data-missing] label:has-text('Bernhard') select", label="Peace")
    referee.click("text=Enter it and go on")
    shown(referee, "Entered as well, before line 5: Duel, Anna: Conflict, Bernhard: Peace", "#preview")
    shown(referee, "Anna\t8\t11", "#preview")
    referee.fill("input[name=who]", "Ref")
    referee.fill("input[name=reason]", "it lay flat")
    referee.click("[data-confirm-amend]")
    referee.wait_for_selector("#preview", state="hidden")
    assert {player["name"]: player["points"] for player in evening.game["players"]}["Anna"] == 11
    assert evening.game["challenge"] == "blue-5"


def test_a_card_thrown_during_a_pause_is_counted_with_one_tap(
    evening: Evening, serve: Any, new_page: Callable[..., Any]
) -> None:
    _, referee = begun(evening, serve, new_page)
    evening.act("pause")
    evening.rests("red-8")
    evening.act("resume")
    evening.waits(1.0)
    referee.click("text=This is the challenge card")
    shown(referee, "Throw onto red 8")
    evening.act("pause")
    evening.rests("blue-3", on=["red-8"])
    evening.act("resume")
    evening.waits(1.0)
    referee.click("text=This was thrown: count it")
    shown(referee, "Bernhard", "#region-cards")
    verdicts = {card["name"]: card["verdict"] for card in evening.session.snapshot()["cards"]}
    said = verdicts["blue-3"]
    assert said is not None
    assert said["code"] == "duelling"


def _play_on(evening: Evening) -> None:
    """Rounds answered by whoever can, in peace, until the game is over."""
    while not evening.game["over"]:
        game = evening.game
        hands = {player["name"]: player["hand"] for player in game["players"]}
        challenge = hands[game["provocateur"]][0]
        others = [cards for name, cards in hands.items() if name != game["provocateur"] and cards]
        value = challenge.split("-")[1]
        answer = next((c for cards in others for c in cards if c.split("-")[1] != value), None)
        evening.rests(challenge)
        if answer is None:
            evening.act("close_challenge")
        else:
            evening.rests(answer, on=[challenge])
            evening.waits(1.0)
            evening.act("duel", choices=dict.fromkeys(evening.game["may_choose"], "peace"))
        evening.frame(*evening.hand.sweeps())


def test_a_phone_without_a_life_block_cannot_choose_conflict(
    evening: Evening, serve: Any, new_page: Callable[..., Any]
) -> None:
    url = serve(evening.session).url
    evening.start(options={"life_blocks": 0})
    evening.rests("red-8")
    evening.rests("blue-3", on=["red-8"])
    evening.waits(1.0)
    phone = new_page(390, 844)
    phone.goto(f"{url}/join")
    phone.click("button.seat:has-text('Anna')")
    phone.wait_for_selector("#choose-peace:enabled")
    assert phone.locator("#choose-conflict").is_disabled()
    csrf = phone.get_attribute('meta[name="csrf-token"]', "content")
    answer = phone.request.post(f"{url}/api/seat/choice", data={"choice": "conflict"}, headers={"X-CSRF-Token": csrf})
    assert answer.json()["error"]["code"] == "no_life_block"


def test_a_seat_is_one_phones_until_it_is_freed(evening: Evening, serve: Any, new_page: Callable[..., Any]) -> None:
    url = serve(evening.session).url
    evening.start()
    first, second, referee = new_page(390, 844), new_page(390, 844), new_page()
    for phone in (first, second):
        phone.goto(f"{url}/join")
    first.click("button.seat:has-text('Anna')")
    shown(first, "My cards")
    second.wait_for_selector("button.seat:has-text('Anna'):disabled")
    first.reload()  # dropped out and back
    shown(first, "My cards")
    log_in(referee, url)
    referee.click("text=Missed throws, names, seats")
    referee.click("text=Free the seat")
    shown(first, "Who are you?")
    second.click("button.seat:has-text('Anna')")
    shown(second, "My cards")


def test_the_page_outlives_a_restarted_server(tmp_path: Path, serve: Any, new_page: Callable[..., Any]) -> None:
    first = Evening(tmp_path / "data")
    served = serve(first.session)
    first.start(name="Friday")
    first.rests("red-8")
    board, phone = new_page(), new_page(390, 844)
    board.goto(served.url)
    shown(board, "Throw onto red 8")
    phone.goto(f"{served.url}/join")
    phone.click("button.seat:has-text('Anna')")
    shown(phone, "My cards")
    served.stop()
    first.session.stop()
    board.wait_for_selector("#out-of-touch:visible")
    again = Evening(tmp_path / "data")
    try:
        serve(again.session, port=served.server.port)
        board.wait_for_selector("#out-of-touch", state="hidden")
        shown(board, "Throw onto red 8")
        shown(phone, "My cards")
        again.frame()
        again.rests("red-8")
        again.rests("blue-3", on=["red-8"])
        board.wait_for_function("() => document.body.innerText.includes('blue 3')")
    finally:
        again.session.stop()


def test_a_ruling_comes_to_the_page_by_itself(evening: Evening, serve: Any, new_page: Callable[..., Any]) -> None:
    """Over the one stream that it holds open: the page asks for nothing. How soon, bench.page_delay measures."""
    url = serve(evening.session).url
    evening.start()
    board = new_page()
    with board.expect_request("**/api/stream/**"):
        board.goto(url)
    asked: list[str] = []
    board.on("request", lambda request: asked.append(urlparse(request.url).path))
    for card, on in (("red 8", []), ("blue 3", ["red-8"])):
        evening.rests(card.replace(" ", "-"), on=on)
        shown(board, card)
    assert [path for path in asked if path.startswith(("/api/regions", "/api/stream", "/api/state"))] == []


def test_the_pin_of_these_tests_is_needed(evening: Evening, serve: Any, new_page: Callable[..., Any]) -> None:
    url = serve(evening.session).url
    page = new_page()
    page.goto(f"{url}/referee")
    page.fill("input[name=pin]", PIN[::-1])
    page.click("button.primary")
    shown(page, "That is not the PIN.")


def test_the_referee_mends_what_the_camera_got_wrong(
    evening: Evening, serve: Any, new_page: Callable[..., Any]
) -> None:
    url = serve(evening.session).url
    evening.start()
    referee, board = new_page(), new_page()
    log_in(referee, url)
    board.goto(url)
    evening.rests("red-8")
    evening.rests("green-4", "diagonal")
    line = next(card["line"] for card in evening.session.snapshot()["cards"] if card["name"] == "green-4")
    shown(board, "Green 4 leans", "#region-ruling")

    referee.click(f"#fix-{line} summary")
    referee.click(f"#land-{line}-flat")
    shown(board, "Green 4 does not lie on the challenge card", "#region-ruling")
    referee.check(f"#fix-{line} input[value='red-8']")
    referee.click(f"#fix-{line} form:has(fieldset) button")
    shown(board, "Christine duels", "#region-ruling")

    referee.click("text=Missed throws, names, seats")
    referee.select_option("#missed-card", "blue-2")
    referee.select_option("#missed-landing", "beside")
    referee.click("text=Enter the throw")
    shown(referee, "Noted.")
    assert [event["type"] for event in _logged(evening)].count("amend") == 2
    assert evening.game["awaiting"] in ("throws", "duel")

    referee.click("#act-pause")
    shown(board, "The game is paused.")
    referee.click("#act-resume")
    _until(lambda: not evening.session.snapshot()["paused"])
    shown(board, "Christine duels", "#region-ruling")  # the referee's word outlives the pause
    before = len(_logged(evening))
    referee.click("#act-undo")
    shown(referee, "Throw", "#ask-first")  # which step it is, and what would change
    referee.click("text=Leave it")
    assert len(_logged(evening)) == before
    referee.click("#act-undo")
    referee.click("text=Take it back")
    _until(lambda: _logged(evening)[-1].get("reason") == "undo")
    assert [event.get("card") for event in _logged(evening) if event["type"] == "throw"] == ["green-4", "blue-2"]
    assert [card["name"] for card in evening.session.snapshot()["cards"] if card["in_round"]] == ["red-8", "green-4"]


def test_a_missed_throw_and_a_struck_one_and_another_choice(
    evening: Evening, serve: Any, new_page: Callable[..., Any]
) -> None:
    """Each kind of correction, with what it changes shown before anything is done."""
    url = serve(evening.session).url
    evening.start()
    referee = new_page()
    log_in(referee, url)
    evening.rests("red-8")
    evening.act("close_challenge")
    game = evening.game["id"]
    assert points(evening) == [8, 0, 0]

    referee.goto(f"{url}/games/{game}/lines/{line_of(evening, 'close')}")
    _ask_what_it_changes(referee, "before", {"card": "blue-3", "landing": "flat"}, tick="red-8")
    shown(referee, "Anna\t8\t0", "#preview")
    shown(referee, "Blue 3 lies on the challenge card: Bernhard duels.", "#preview ins")
    assert points(evening) == [8, 0, 0], "a preview changes nothing"
    referee.click("[data-confirm-amend]")
    shown(referee, "Corrected by Ref: seen otherwise")
    assert (evening.game["awaiting"], points(evening)) == ("duel", [0, 0, 0])
    evening.act("duel", choices={"Anna": "conflict", "Bernhard": "peace"})

    _ask_what_it_changes(referee, "strike", {})
    shown(referee, f"In line {line_of(evening, 'duel')}: A duel cannot come here", "#preview")
    assert referee.locator("[data-confirm-amend]").is_disabled()
    referee.click(f"text=Strike line {line_of(evening, 'duel')} as well")
    shown(referee, "Anna\t11\t0", "#preview")
    assert referee.locator("[data-confirm-amend]").is_enabled(), "without the close and the duel throws are awaited"
    assert points(evening) == [11, 0, 0]

    referee.goto(f"{url}/games/{game}/lines/{line_of(evening, 'duel')}")
    _ask_what_it_changes(referee, "set", {"choice-1": "peace"})
    shown(referee, "Bernhard\t0\t8", "#preview")
    referee.click("[data-confirm-amend]")
    shown(referee, "Corrected by Ref: seen otherwise")
    assert points(evening) == [3, 8, 0]


def points(evening: Evening) -> list[int]:
    return [player["points"] for player in evening.game["players"]]


def line_of(evening: Evening, kind: str) -> int:
    """The last line of that kind."""
    log = evening.session.game(evening.game["id"])["log"]
    return max(int(each["line"]) for each in log if each["event"]["type"] == kind)


def _ask_what_it_changes(page: Any, kind: str, says: dict[str, str], tick: str = "") -> None:
    page.check(f"#amend input[value={kind}]")
    for name, value in says.items():
        page.select_option(f"#amend [data-kind={kind}] select[name={name}]", value)
    if tick:
        page.check(f"#amend [data-kind={kind}] input[value={tick}]")
    page.click("#amend button.primary")
    page.wait_for_selector("#preview:visible")
    page.fill("input[name=who]", "Ref")
    page.fill("input[name=reason]", "seen otherwise")


def test_a_throw_from_elsewhere_is_opened_on_the_page_and_closed(
    evening: Evening, serve: Any, new_page: Callable[..., Any], tmp_path: Path
) -> None:
    url = serve(evening.session).url
    evening.start()
    evening.rests("red-8")
    evening.rests("green-4", "diagonal")
    file, other = tmp_path / "disputed.zip", tmp_path / "letter.zip"
    file.write_bytes(evening.session.export_throw(evening.session.throws()[1]["id"]))
    other.write_bytes(b"Dear referee")
    referee, stranger = new_page(), new_page()
    log_in(referee, url)
    stranger.goto(f"{url}/throws")
    assert stranger.locator("#open-export").count() == 0
    referee.goto(f"{url}/throws")
    referee.set_input_files("#open-export input[type=file]", other)
    referee.click("text=Open it")
    shown(referee, "no whole zip file", "#toast")
    referee.set_input_files("#open-export input[type=file]", file)
    referee.click("text=Open it")
    referee.wait_for_url("**/opened/*")
    shown(referee, "It belongs to no game that is kept here")
    shown(referee, "Green 4 leans and does not lie flat")
    assert referee.locator("#amend").count() == 0
    assert referee.evaluate("() => document.querySelector('.film-frame').naturalWidth") == 64
    stranger.goto(referee.url)
    shown(stranger, "Green 4 leans")
    assert stranger.locator("text=Close it").count() == 0
    referee.click("text=Close it")
    referee.wait_for_url("**/throws")
    assert evening.session.opened() == []
    assert len(evening.session.throws()) == 2


def test_a_game_is_deleted_only_after_it_ended_and_by_the_referee(
    evening: Evening, serve: Any, new_page: Callable[..., Any]
) -> None:
    url = serve(evening.session).url
    evening.start(name="Friday")
    referee = new_page()
    referee.on("dialog", lambda dialog: dialog.accept())
    log_in(referee, url)
    referee.goto(f"{url}/games")
    assert referee.locator("text=Delete").count() == 0
    evening.act("end_game")
    evening.start(name="Saturday")
    referee.reload()
    referee.click("text=Delete")
    referee.wait_for_function("() => !document.body.innerText.includes('Friday')")
    assert [each["name"] for each in evening.session.games()] == ["Saturday"]


def test_a_seat_is_manned_only_while_its_phone_is_in_touch(
    evening: Evening, serve: Any, new_page: Callable[..., Any]
) -> None:
    served = serve(evening.session)
    seats = served.app.extensions["arena_cam"].seats
    evening.start()
    phone = new_page(390, 844)
    phone.goto(f"{served.url}/join")
    assert not seats.present("Anna")
    phone.click("button.seat:has-text('Anna')")
    shown(phone, "My cards")
    _until(lambda: seats.present("Anna"))
    phone.goto("about:blank")
    _until(lambda: not seats.present("Anna"))
    assert not seats.present("Bernhard")


def _logged(evening: Evening) -> list[dict[str, Any]]:
    return [entry["event"] for entry in evening.session.game(evening.game["id"])["log"]]


def _until(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 15
    while not true():
        assert time.monotonic() < until
        time.sleep(0.1)


def test_a_game_is_ended_gone_on_with_and_played_again_in_one_tap_each(
    evening: Evening, serve: Any, new_page: Callable[..., Any]
) -> None:
    """The whole end of an evening: ended by mistake, gone on with, ended, and a rematch of the same players."""
    url = serve(evening.session).url
    board, referee, phone = new_page(1366, 768), new_page(), new_page(390, 844)
    asked = dialogs(referee, lambda _: True)
    for page, path in ((board, "/"), (phone, "/join")):
        page.goto(url + path)
    log_in(referee, url)
    start_by_form(referee, "Anna", "Bernhard", "Christine")
    shown(phone, "Who are you?")
    evening.rests("red-8")
    shown(board, "Throw onto red 8")

    referee.click("#act-end_game")
    assert "It can be gone on with" in asked[-1]
    shown(board, "The game was ended early.")
    shown(board, "Nobody leads.")
    assert board.locator(".ranking li").count() == 3
    shown(phone, "The game was ended early.")
    assert phone.locator("button.seat").count() == 0
    shown(referee, "Rematch: the same players", "#region-controls")
    assert referee.locator("#act-end_game").count() == 0

    referee.click("#act-resume-game")
    shown(board, "Throw onto red 8")
    referee.click("#act-end_game")
    shown(referee, "Rematch: the same players", "#region-controls")
    first = evening.game["id"]
    referee.click("#act-rematch")
    shown(board, "Anna")
    shown(phone, "Who are you?")
    assert evening.game["id"] != first
    assert [player["name"] for player in evening.game["players"]] == ["Anna", "Bernhard", "Christine"]
    referee.goto(f"{url}/games")
    shown(referee, "ended early")
    assert referee.locator("text=Go on with this game").count() == 1


def test_starting_over_asks_and_a_second_tap_starts_nothing(
    evening: Evening, serve: Any, new_page: Callable[..., Any]
) -> None:
    url = serve(evening.session).url
    referee = new_page()
    asked = dialogs(referee, lambda before: before > 0)  # the first is refused
    log_in(referee, url)
    start_by_form(referee, "Anna", "Bernhard", "Christine")
    referee.wait_for_selector("#new-game:not([open])", state="attached")  # no button is left under the finger
    first = evening.game["id"]
    referee.wait_for_selector("[data-running-game]", state="attached")

    referee.click("#new-game summary")
    for seat, name in enumerate(("Dora", "Emil", "Freya")):
        referee.fill(f'#new-game input[name="players[{seat}].name"]', name)
    referee.click("#new-game >> text=Start the game")
    assert "is being played. Start another game?" in asked[0]
    assert evening.game["id"] == first
    referee.click("#new-game >> text=Start the game")
    referee.wait_for_selector("#new-game:not([open])", state="attached")
    assert [player["name"] for player in evening.game["players"]] == ["Dora", "Emil", "Freya"]


def test_after_a_correction_the_board_says_what_is_ruled_now(
    evening: Evening, serve: Any, new_page: Callable[..., Any]
) -> None:
    url = serve(evening.session).url
    board, referee = new_page(1366, 768), new_page()
    board.goto(url)
    log_in(referee, url)
    start_by_form(referee, "Anna", "Bernhard", "Christine")
    shown(board, "Friday")
    evening.rests("red-8")
    evening.rests("blue-3", on=["red-8"])
    evening.waits(1.0)
    shown(board, "Duel")
    line = next(card["line"] for card in evening.session.snapshot()["cards"] if card["card"] == "blue-3")
    evening.session.act("correct_card", {"line": line, "landing": "edge"}, "referee")
    board.wait_for_selector("#region-ruling .choices-made", state="detached")  # the duel is off
    said = board.locator("#region-ruling").inner_text()
    assert "corrected line" not in said
    assert "record format" not in said


def test_a_question_cannot_be_overlooked(evening: Evening, serve: Any, new_page: Callable[..., Any]) -> None:
    """It comes in sight while the desk is scrolled down, and it stands in the window's title until it is answered."""
    url = serve(evening.session).url
    referee = new_page(1366, 500)
    log_in(referee, url)
    start_by_form(referee, "Anna", "Bernhard", "Christine")
    _until(lambda: evening.game is not None)
    evening.rests("red-8")
    referee.wait_for_function("() => document.body.scrollHeight > innerHeight + 100")
    referee.evaluate("scrollTo(0, document.body.scrollHeight)")
    evening.rests("green-4", "diagonal", sure=False)
    referee.wait_for_selector(".question button.primary")
    place = referee.locator(".question button.primary").bounding_box()
    assert place is not None
    assert 0 <= place["y"] < 500
    assert referee.title().startswith("(?) Is this right")
    referee.click(".question button.primary")
    referee.wait_for_function("() => !document.title.startsWith('(?)')")


def test_a_correction_shows_the_ruling_before_and_the_one_that_stands(evening: Evening, serve: Any) -> None:
    client = serve(evening.session).app.test_client()
    evening.start(name="Friday")
    lines = []
    for challenge, answer in (("red-8", "blue-3"), ("blue-9", "red-5")):
        evening.rests(challenge)
        evening.rests(answer, on=[challenge])
        evening.waits(1.0)
        lines.append(evening.game["lines"] + 1)
        evening.act("duel", choices=dict.fromkeys(evening.game["may_choose"], "peace"))
        evening.frame(*evening.hand.sweeps())
    assert "taken-back" not in client.get("/").text
    first = dict.fromkeys(evening.session.line(evening.game["id"], lines[0])["event"]["choices"], "conflict")
    evening.act("amend", line=lines[0], set={"choices": first}, reason="")
    now: Any = evening.session.snapshot()["announcement"]
    assert now["was"]["line"] == now["ruling"]["line"] == lines[0], "the ruling of the first round, not the last one"
    said = unescape(client.get("/").text)
    assert "Before: Anna and Bernhard both chose peace: Anna takes blue 3, Bernhard takes red 8." in said
    assert "Anna and Bernhard both chose conflict: each gives up a life block" in said
    assert "Bernhard takes red 5" not in said, "the ruling of the second round stands where the corrected one was put"
