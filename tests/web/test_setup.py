"""The pages that set up a table, walked through in a real browser with a real session, desk and eye."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_cam.formats.card_names import ARENA_NAMES
from arena_cam.formats.deck_folder import DeckFolder
from arena_cam.formats.table_json import read_table
from arena_cam.referee.setup.arguments import SETUP_ACTIONS
from arena_cam.vision.setup.messages import Looked, ViewsLack
from arena_cam.web.words.setup_words import BOARD_NEEDS, FINE, needs
from referee.setup_scenes import SettingUp, board_views, empty_table
from web.conftest import PIN
from web.every_page import violations
from web.scripted_session import ScriptedSession
from web.test_api import odd_json
from web.test_security import headers, log_in

MOST_BYTES = 150_000


@pytest.fixture
def table(tmp_path: Path, deck_folder: Path) -> Iterator[SettingUp]:
    table = SettingUp(tmp_path / "table", deck_folder)
    yield table
    table.stop()


@pytest.fixture
def url(table: SettingUp, serve: Callable[..., Any]) -> str:
    return str(serve(table.session, setup=table.desk).url)


def enter(page: Any, url: str) -> Any:
    """Opens the set-up with the PIN."""
    page.goto(f"{url}/setup")
    page.fill("input[name=pin]", PIN)
    page.click("button.primary")
    page.wait_for_selector("#region-step")
    return page


def is_fine(page: Any) -> None:
    """No violation of accessibility, nothing wider than the page."""
    assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_every_step_begins_with_its_first_words(url: str, new_page: Callable[..., Any]) -> None:
    phone = enter(new_page(390, 844), url)
    phone.wait_for_selector(".findings")
    phone.locator("#next").scroll_into_view_if_needed()
    assert phone.evaluate("() => scrollY") > 0
    phone.click("#next")
    phone.wait_for_selector("text=2. The lens")
    phone.wait_for_function("() => scrollY === 0")


def test_from_the_box_to_a_refereed_game(table: SettingUp, url: str, new_page: Callable[..., Any]) -> None:
    laptop, phone = enter(new_page(1280, 800), url), enter(new_page(390, 844, color_scheme="dark"), url)
    board = new_page(1920, 1080)
    board.goto(url)
    board.wait_for_selector("text=The table is being set up: nothing is refereed.")

    laptop.wait_for_selector(".findings >> text=All of them are seen, and they lie flat.")
    laptop.wait_for_function("() => document.querySelector('.camera img').src.startsWith('blob:')")
    phone.wait_for_selector(".findings")
    for page in (laptop, phone):
        is_fine(page)

    laptop.click("#next")
    phone.wait_for_selector("text=2. The lens")
    is_fine(laptop)
    phone.click("#start-board")
    _show_the_board(table, laptop, phone)
    laptop.wait_for_selector("#lens-result >> text=±")
    is_fine(phone)

    table.camera.show(empty_table())
    laptop.click("#next")
    laptop.click("#measure")
    assert laptop.locator("#arena-form :invalid").count() > 0, "no size that nobody measured is taken"
    sizes = {"inner-w": "280.4", "inner-d": "280", "wall-h": "14", "wall-t": "8", "floor": "0", "fiducial": "28"}
    for field, value in ((f"{name}-", size) for name, size in sizes.items()):
        laptop.fill(f"#{field}", value)
    laptop.click("#measure")
    laptop.wait_for_selector("text=Does the drawing fit the picture?")
    phone.wait_for_selector("#wall-h-14\\.0")  # what was typed elsewhere is seen here
    is_fine(laptop)
    is_fine(phone)
    phone.goto(f"{url}/setup?lang=fr")
    assert re.search(r"\d,\d\d px/mm", phone.inner_text(".setup-result")), "as French writes a number"
    assert "280,4 × 280 mm" in phone.inner_text(".setup-result")
    phone.goto(f"{url}/setup?lang=en")
    laptop.fill("#table-name", "kitchen")
    laptop.click("text=Yes, it fits: save")
    laptop.wait_for_selector("text=Saved as “kitchen”.")
    assert read_table(table.calibration / "kitchen" / "table.json").arena.wall_height_mm == 14.0

    phone.click("#next")
    phone.wait_for_selector("#start-learning")
    phone.click("text=The printed deck of arena-cam")
    phone.wait_for_selector("[aria-pressed=true]")
    is_fine(phone)
    phone.click("#next")
    laptop.wait_for_selector("#finish")
    is_fine(laptop)
    laptop.click("#finish")
    laptop.wait_for_url("**/referee")
    laptop.wait_for_selector("text=Start a game.")
    phone.wait_for_selector("text=Games are refereed on the table “kitchen”")
    is_fine(phone)
    board.wait_for_function("() => !document.body.innerText.includes('being set up')")
    table.wait_for(lambda _: table.session.snapshot()["eye"]["state"] == "armed")


def _show_the_board(table: SettingUp, laptop: Any, phone: Any) -> None:
    table.wait_for(lambda s: s["lens"]["board"] is not None)  # the press of the button is on its way
    for number, view in enumerate(board_views()):
        before = table.desk.snapshot()["lens"]["board"]
        if before is None:
            return
        table.camera.show(view)
        after = table.wait_for(
            lambda s, n=before["views"]: s["lens"]["board"] is None or s["lens"]["board"]["views"] > n
        )
        if number == 1:
            laptop.wait_for_selector(".coverage .unreached")
            phone.wait_for_selector(".setup-say.good")
            is_fine(laptop)
            still_to_come = laptop.locator("text=Still to come").first.inner_text()
            assert all(name in still_to_come for name in after["lens"]["board"]["uncovered"])


def test_while_there_is_no_table_the_other_pages_lead_to_setting_one_up(url: str, new_page: Callable[..., Any]) -> None:
    page = enter(new_page(1366, 768), url)
    page.wait_for_selector(".findings")
    page.goto(f"{url}/referee")
    assert page.locator("#region-controls .hint a").get_attribute("href") == "/setup"
    page.goto(f"{url}/")
    assert page.locator("#region-ruling .hint a").get_attribute("href") == "/setup"
    assert page.locator("#region-ruling .words").inner_text() == "No table yet"
    assert page.locator("nav a[href='/setup']").count() == 1


def test_the_page_is_light_still_and_comes_from_here_alone(url: str, new_page: Callable[..., Any]) -> None:
    page = enter(new_page(1920, 1080), url)
    asked: list[str] = []
    sizes: list[int] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on(
        "requestfinished",
        lambda r: sizes.append(max(0, r.sizes()["responseBodySize"])) if not re.search("live|/fonts/", r.url) else 0,
    )
    page.goto(f"{url}/setup", wait_until="load")
    page.wait_for_selector(".findings")
    assert {urlparse(address).netloc for address in asked if not address.startswith("blob:")} == {urlparse(url).netloc}
    assert sum(sizes) < MOST_BYTES
    html = page.request.get(f"{url}/setup").text()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", html)


def test_every_step_is_reached_by_keyboard(table: SettingUp, url: str, new_page: Callable[..., Any]) -> None:
    page = enter(new_page(), url)
    page.wait_for_selector("#go-lens")
    reached: set[str] = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("() => document.activeElement.id"))
    assert {"go-camera", "go-lens", "go-arena", "go-deck", "go-play", "next"} <= reached
    page.focus("#go-deck")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Which deck will be thrown?")
    assert table.desk.snapshot()["step"] == "deck"


@pytest.mark.parametrize(
    ("language", "title", "refusal"),
    [
        ("en", "Set up the table", "Measure the arena first"),
        ("fr", "Installer la table", "Mesurez d’abord l’arène"),
        ("is", "Setja upp borðið", "Mældu fyrst völlinn"),
    ],
)
def test_it_speaks_the_page_s_language(
    table: SettingUp, serve: Callable[..., Any], language: str, title: str, refusal: str
) -> None:
    client = serve(table.session, setup=table.desk).app.test_client()
    log_in(client)
    table.wait_for(lambda s: s["findings"])
    page = client.get(f"/setup?lang={language}").text
    assert f"<h1>{title}</h1>" in page
    said = client.post("/api/setup/write_table", json={"name": "x"}, headers=headers(client)).json["error"]
    assert (said["code"], said["message"]) == ("not_now", refusal)


def test_nobody_without_the_pin_sees_or_does_anything(table: SettingUp, serve: Callable[..., Any]) -> None:
    client = serve(table.session, setup=table.desk).app.test_client()
    before = table.wait_for(lambda s: s["picture"])["step"]
    for action in (*SETUP_ACTIONS, "unknown", ".."):
        for body in ({}, {"step": "lens", "name": "x", "deck": "own"}):
            answer = client.post(f"/api/setup/{action}", json=body, headers=headers(client))
            assert answer.status_code in (403, 404, 405), action
    for address in ("/api/setup", "/api/stream/setup", "/api/regions/setup"):
        assert client.get(address).json["error"]["code"] == "not_referee"
    assert 'name="pin"' in client.get("/setup").text
    assert "findings" not in client.get("/setup").text
    assert table.desk.snapshot()["step"] == before
    assert client.post("/api/setup/go", json={"step": "lens"}).json["error"]["code"] == "csrf"


def test_the_log_in_leads_back_here_and_nowhere_else(serve: Callable[..., Any], table: SettingUp) -> None:
    app = serve(table.session, setup=table.desk).app
    for wanted, leads in (
        ("setup", "/setup"),
        ("referee", "/referee"),
        ("games/20261130-104818-f434/lines/3", "/games/20261130-104818-f434/lines/3"),
        ("throws/t1796035703412-60f3f4", "/throws/t1796035703412-60f3f4"),
        ("//evil.example", "/referee"),
        ("games/..//evil.example", "/referee"),
        ("throws/t1\n", "/referee"),
        ("", "/referee"),
    ):
        client = app.test_client()
        form = client.get("/referee", query_string={"next": wanted}).text
        assert f'name="next" value="{leads[1:]}"' in form
        token = headers(client)["X-CSRF-Token"]
        answer = client.post("/login", data={"pin": PIN, "csrf": token, "next": wanted})
        assert answer.headers["Location"] == leads
        again = client.get("/referee", query_string={"next": wanted})
        assert again.headers.get("Location", "/referee") == leads, "whoever has logged in already goes on there, too"


def test_where_no_camera_can_be_set_up_it_says_so(serve: Callable[..., Any]) -> None:
    client = serve(ScriptedSession()).app.test_client()
    log_in(client)
    page = client.get("/setup")
    assert page.status_code == 404
    assert "without a camera that could be set up" in page.text
    assert client.post("/api/setup/begin", json={}, headers=headers(client)).json["error"]["code"] == "not_now"


def test_decks_of_one_name_are_listed_with_their_folders(
    table: SettingUp, serve: Callable[..., Any], deck_folder: Path
) -> None:
    for name in ("old", "new"):
        shutil.copytree(deck_folder, table.decks / name)
    client = serve(table.session, setup=table.desk).app.test_client()
    log_in(client)
    assert client.post("/api/setup/begin", json={}, headers=headers(client)).status_code == 200
    assert client.post("/api/setup/go", json={"step": "deck"}, headers=headers(client)).status_code == 200
    page = client.get("/setup").text
    assert "decks/old" in page
    assert "decks/new" in page


def test_a_deck_from_photographs_is_learned_where_it_is_looked_for_and_listed_when_it_is_there(
    table: SettingUp, serve: Callable[..., Any], deck_folder: Path
) -> None:
    client = serve(table.session, setup=table.desk).app.test_client()
    log_in(client)
    for action, args in (("begin", {}), ("go", {"step": "deck"})):
        assert client.post(f"/api/setup/{action}", json=args, headers=headers(client)).status_code == 200
    assert f"--out {table.decks.absolute()}/mine" in client.get("/setup").text
    assert table.desk.snapshot()["deck"]["folder"] == str(table.decks.absolute())
    shutil.copytree(deck_folder, table.decks / "mine")
    table.wait_for(lambda s: "folder:mine" in [choice["id"] for choice in s["deck"]["choices"]])


def test_before_playing_it_is_said_how_many_cards_of_the_deck_are_missing(
    table: SettingUp, serve: Callable[..., Any], deck_folder: Path
) -> None:
    client = serve(table.session, setup=table.desk).app.test_client()
    log_in(client)
    begun = DeckFolder(table.decks / "begun", (63.0, 88.0), names=ARENA_NAMES)
    begun.put("red-1", (deck_folder / "red-1.png").read_bytes(), 3.0)
    for action, args in (("begin", {}), ("choose_deck", {"deck": "folder:begun"}), ("go", {"step": "play"})):
        assert client.post(f"/api/setup/{action}", json=args, headers=headers(client)).status_code == 200
    table.wait_for(lambda s: s["deck"]["chosen"] == "folder:begun")
    assert "50 cards of this deck are not learned yet" in client.get("/setup").text


@settings(max_examples=80)
@given(data=st.data())
def test_no_request_makes_it_fail(table: SettingUp, serve: Callable[..., Any], data: st.DataObject) -> None:
    client = getattr(table, "client", None)
    if client is None:
        client = table.client = serve(table.session, setup=table.desk).app.test_client()  # type: ignore[attr-defined]
        log_in(client)
    action = data.draw(st.sampled_from([name for name in SETUP_ACTIONS if name not in ("finish", "leave")]))
    keys = st.sampled_from(["step", "lens", "deck", "name", "replace", "inner_mm", "wall_mm", "card_mm", "floor_mm"])
    body = data.draw(st.dictionaries(keys, odd_json, max_size=5) | odd_json)
    answer = client.post(f"/api/setup/{action}", json=body, headers=headers(client))
    assert answer.status_code < 500
    if answer.status_code >= 400:
        assert set(answer.json["error"]) == {"code", "message"}


def test_every_code_has_its_sentences() -> None:
    assert set(FINE) | {Looked.EMPTY} == set(Looked)
    missing = {each.value for each in ViewsLack}
    assert missing - {"fit"} == {code for code, _ in BOARD_NEEDS}
    assert [state for _, state in needs([])] == ["done"] * 5
    assert [state for _, state in needs(["tilt_x"])] == ["done", "done", "missing", "done", "later"]


def _source(module: str) -> str:
    import arena_cam

    return (Path(arena_cam.__file__).parent / "vision" / f"{module}.py").read_text(encoding="utf-8")
