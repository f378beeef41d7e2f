"""Every page: nothing from elsewhere, light, still, readable by machines for people, usable by keyboard."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.messages import message_to_json
from web.conftest import HeldBack, log_in
from web.every_page import GAME, violations
from web.scripted_session import (
    ScriptedSession,
    duel_scene,
    game,
    over_scene,
    question_scene,
    ruling,
    snapshot,
    throws_scene,
)

SIZES = {"phone": (390, 844), "laptop": (1280, 800), "television": (1920, 1080)}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("scene", [question_scene, duel_scene, snapshot], ids=["question", "duel", "no game"])
def test_axe_finds_nothing_on_the_referees_page(
    serve: Any, new_page: Callable[..., Any], scene: Callable[[], Any], scheme: str
) -> None:
    url = serve(ScriptedSession(scene())).url
    page = new_page(color_scheme=scheme)
    page.goto(f"{url}/referee")
    assert violations(page) == [], "the log-in"
    log_in(page, url)
    while page.locator("details:not([open]) > summary").count():
        page.locator("details:not([open]) > summary").first.click()
    assert violations(page) == []


def test_axe_finds_nothing_on_a_phone_in_a_duel(serve: Any, new_page: Callable[..., Any]) -> None:
    page = new_page(390, 844)
    page.goto(serve(ScriptedSession(duel_scene())).url + "/join")
    page.click("button.seat:has-text('Bernhard')")
    page.wait_for_selector("#choose-peace")
    assert violations(page) == []


@pytest.mark.parametrize("path", ["/", "/referee", "/join"])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_warning_is_no_wider_than_the_page_and_every_page_can_be_gone_to(
    serve: Any, new_page: Callable[..., Any], path: str, width: int
) -> None:
    why = "the light went out, or is much less than before; switch it on again; " * (1 if width < 400 else 4)
    warnings = [{"code": code, "text": why, "params": {"why": why}} for code in ("camera_lost", "blind", "disk_low")]
    eye = {"state": "blind", "since": time.time(), "why": why}
    url = serve(ScriptedSession(snapshot(game=None, eye=eye, warnings=warnings))).url
    page = new_page(width, 844)
    if path == "/referee":
        log_in(page, url)
    page.goto(url + path)
    page.wait_for_selector(".warn >> nth=0")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    hidden = """width => [...document.querySelectorAll('.pill, .top nav a')].map(e => e.getBoundingClientRect())
                 .filter(r => r.width && (r.left < 0 || r.right > width)).length"""
    assert page.evaluate(hidden, width) == 0


LONG = ("Maximiliane-Constanze von Hohenfels-Laub", "Wolfeschlegelsteinhausenbergerdorffsen40")


def with_long_names(scene: dict[str, Any]) -> dict[str, Any]:
    """`scene` with five players, two of them of the longest names that there can be."""
    scene["game"]["players"] += game(players=5)["players"][4:]
    text = json.dumps(scene)
    for short, long in zip(("Anna", "Bernhard"), LONG, strict=True):
        text = text.replace(f'"{short}"', f'"{long}"')
    renamed: dict[str, Any] = json.loads(text)
    return renamed


def after_a_duel() -> dict[str, Any]:
    scene = duel_scene()
    scene["game"] |= {"awaiting": "challenge", "hint": {"code": "sweep_arena", "text": "", "params": {"player": "Bo"}}}
    scene["game"]["rulings"].append(
        ruling(11, "one_conflict", None, None, cards={"blue-3": "Anna", "red-8": "Anna"}, lost_block=["Anna"])
        | {
            "said": {
                "code": "one_conflict",
                "params": {
                    "player": "Anna",
                    "player_other": "Bernhard",
                    "card": "red-8",
                    "card_duelling": "blue-3",
                    "winner": "Anna",
                },
            }
        }
    )
    return scene


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800), (1366, 768), (1920, 1080)])
def test_five_players_with_long_names_find_room(
    serve: Any, new_page: Callable[..., Any], width: int, height: int, language: str
) -> None:
    session = ScriptedSession(with_long_names(throws_scene()))
    page = new_page(width, height)
    page.goto(f"{serve(session).url}/?lang={language}")
    for scene in (throws_scene(), duel_scene(), after_a_duel(), over_scene()):
        session.show(with_long_names(scene))
        page.wait_for_timeout(300)
        cut = page.evaluate(
            """() => [...document.querySelectorAll('.board-ruling, .board-players, .player, .board-side')]
                 .filter(e => e.scrollHeight > e.clientHeight + 2 || e.scrollWidth > e.clientWidth + 2)
                 .map(e => [e.className, e.scrollWidth, e.clientWidth, e.scrollHeight, e.clientHeight])"""
        )
        assert cut == []


def test_names_of_three_players_are_read_from_the_sofa(serve: Any, new_page: Callable[..., Any]) -> None:
    """Beside the points a name of sixteen letters was fourteen pixels high."""
    scene = duel_scene()
    del scene["game"]["players"][3:]
    scene["game"]["players"][1]["name"] = "Guðrún Þórhildur"
    page = new_page(1920, 1080)
    page.goto(serve(ScriptedSession(scene)).url)
    sizes = page.locator(".player-name b").evaluate_all("all => all.map(e => parseFloat(getComputedStyle(e).fontSize))")
    assert len(sizes) == 3
    assert min(sizes) >= 19
    assert not page.evaluate(
        "() => [...document.querySelectorAll('.player')].some(e => e.scrollHeight > e.clientHeight)"
    )


def test_long_names_fit_on_a_phone(serve: Any, new_page: Callable[..., Any]) -> None:
    page = new_page(390, 844)
    url = serve(ScriptedSession(with_long_names(duel_scene()))).url
    for path in ("/", "/join", "/overlay"):
        page.goto(url + path)
        farthest = page.evaluate(
            """() => Math.max(...[...document.querySelectorAll('main *')].filter(e => !e.closest('.sr, svg *'))
                 .map(e => e.getBoundingClientRect().right))"""
        )
        assert farthest <= 391, path


def test_the_scoreboard_says_who_won_what(serve: Any, new_page: Callable[..., Any]) -> None:
    page = new_page()
    page.goto(serve(ScriptedSession(after_a_duel())).url)
    gains = page.inner_text(".gains").split()
    assert gains.count("Anna") == 1
    assert {"3", "8", "+", "−"} <= set(gains)


def test_the_television_is_filled_and_needs_no_scrolling(serve: Any, new_page: Callable[..., Any]) -> None:
    page = new_page(1920, 1080)
    page.goto(serve(ScriptedSession(duel_scene())).url)
    page.wait_for_timeout(300)
    assert page.evaluate("() => document.documentElement.scrollHeight") == 1080
    for selector in (".board-ruling", ".board-players", ".board-arena"):
        box = page.locator(selector).bounding_box()
        assert box["y"] + box["height"] <= 1080
    sizes = page.evaluate(
        """() => [...document.querySelectorAll('.board *')].filter(e => e.checkVisibility() && !e.closest('svg, .sr')
             && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
             .map(e => parseFloat(getComputedStyle(e).fontSize))"""
    )
    assert min(sizes) >= 19
    speaking = page.evaluate(
        """() => [...document.querySelectorAll('.board-head *, .board-ruling *, .player *, .join-code span')]
             .filter(e => e.checkVisibility() && !e.closest('svg, .sr')
               && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
             .map(e => parseFloat(getComputedStyle(e).fontSize))
             .concat([...document.querySelectorAll('.tag text')].map(e => 12 * e.getScreenCTM().a))"""
    )
    assert min(speaking) >= 22, "what speaks of the game can be read from four metres"
    words = new_page(1920, 1080)
    words.goto(serve(ScriptedSession(throws_scene())).url)
    assert words.evaluate("() => parseFloat(getComputedStyle(document.querySelector('.words')).fontSize)") >= 50


@pytest.mark.parametrize(("language", "words"), [("en", "Phones"), ("fr", "téléphones"), ("is", "Símar")])
def test_a_board_that_no_phone_reaches_shows_no_code(
    serve: Any, new_page: Callable[..., Any], language: str, words: str
) -> None:
    page = new_page(1920, 1080)
    page.goto(f"{serve(ScriptedSession(duel_scene()), address=None).url}/?lang={language}")
    told = page.locator(".join-code")
    assert words in told.inner_text()
    assert "--host 0.0.0.0" in told.inner_text()
    assert told.locator("svg").count() == 0
    assert violations(page) == []
    box = told.bounding_box()
    assert box["y"] + box["height"] <= 1080
    page.goto(f"{serve(ScriptedSession(duel_scene())).url}/?lang={language}")
    assert page.locator(".join-code svg").count() == 1
    assert "--host" not in page.locator(".join-code").inner_text()


def test_everything_is_reached_by_keyboard(serve: Any, new_page: Callable[..., Any]) -> None:
    session = ScriptedSession(question_scene())
    url = serve(session).url
    page = new_page()
    log_in(page, url)
    reached = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("() => document.activeElement.id || document.activeElement.textContent.trim()"))
    assert {"answer-diagonal", "act-close_challenge", "act-undo", "mode", "quiet"} <= reached
    page.focus("#answer-flat")
    page.keyboard.press("Enter")
    answer = ("answer_question", {"id": "q7", "choice": "flat"})
    assert session.asked_for(answer)[-1] == answer


def test_only_what_is_legal_can_be_pressed(serve: Any, new_page: Callable[..., Any]) -> None:
    scene = throws_scene()
    scene["legal"] = ["undo"]
    page = new_page()
    log_in(page, serve(ScriptedSession(scene)).url)
    assert page.locator("#act-undo").is_enabled()
    assert page.locator("#act-close_challenge").is_disabled()
    assert page.locator("#act-end_game").is_disabled()


@pytest.mark.parametrize(
    ("press", "asked"),
    [
        ("#act-close_challenge", ("close_challenge", {})),
        ("#land-9-flat", ("correct_card", {"line": 9, "landing": "flat"})),
        ("#fix-9 button:has-text('It is green 1')", ("correct_card", {"line": 9, "id": "green-1"})),
    ],
)
def test_one_tap_is_one_action(
    serve: Any, new_page: Callable[..., Any], press: str, asked: tuple[str, dict[str, Any]]
) -> None:
    session = ScriptedSession(throws_scene())
    page = new_page()
    log_in(page, serve(session).url)
    if press != "#act-close_challenge":
        page.click("#fix-9 summary")
    page.click(press)
    assert session.asked_for(asked) == [asked]
    assert session.acts[0][2] == "referee"


def test_what_is_covered_is_told_and_can_be_given_up(serve: Any, new_page: Callable[..., Any]) -> None:
    scene = throws_scene()
    covered = Doubt.PLACE_COVERED(card="blue-3")
    scene["eye"] |= {"state": "settling", "why": str(covered), "doubts": [message_to_json(covered)]}
    session = ScriptedSession(scene)
    page = new_page()
    log_in(page, serve(session).url)
    assert page.locator("#act-covered_cards_gone").count() == 0
    session.show(scene | {"legal": [*scene["legal"], "covered_cards_gone"]})
    page.wait_for_selector("#act-covered_cards_gone")
    assert "something covers the place of blue 3" in page.inner_text("#region-controls")
    page.click("#act-covered_cards_gone")
    gone: tuple[str, dict[str, Any]] = ("covered_cards_gone", {})
    assert session.asked_for(gone) == [gone]
    assert session.acts[0][2] == "referee"


def test_rulings_are_silent_until_somebody_wants_them_spoken(serve: Any, new_page: Callable[..., Any]) -> None:
    session = ScriptedSession(throws_scene())
    page = new_page()
    page.add_init_script(
        """window.spoken = []; Object.defineProperty(window, 'speechSynthesis', {value: {
             speak: words => window.spoken.push([words.lang, words.text])}});"""
    )
    page.goto(serve(session).url + "/?lang=fr")
    session.show(_announcing(31))
    page.wait_for_selector("[data-announcement='31']", state="attached")
    page.click("[data-speech]")
    session.show(_announcing(32))
    page.wait_for_function("() => window.spoken.length > 0")
    session.show(_announcing(32))
    page.wait_for_timeout(400)
    assert page.evaluate("() => window.spoken") == [
        ["fr", "La carte 3 bleu est sur la carte d’offre\N{NO-BREAK SPACE}: duel pour Bernhard."]
    ]


@pytest.mark.parametrize(
    ("kind", "winners", "said"),
    [
        ("correction", [], "Leiðrétt. Blátt 3 liggur á áskoruninni: Bernhard fer í einvígi."),
        (
            "game_over",
            ["Anna", "Bernhard"],
            "Blátt 3 liggur á áskoruninni: Bernhard fer í einvígi. Leiknum er lokið. Anna og Bernhard deila sigrinum",
        ),
    ],
)
def test_corrections_and_the_end_are_announced_in_the_pages_language(
    serve: Any, kind: str, winners: list[str], said: str
) -> None:
    scene = _announcing(31)
    scene["announcement"] |= {"kind": kind, "winners": winners}
    page = serve(ScriptedSession(scene)).app.test_client().get("/?lang=is").text
    assert f'data-announcement="31">{said}</span>' in page


@pytest.mark.parametrize("hint", [None, {"code": "paused", "text": "The game is paused.", "params": {}}])
def test_why_a_game_is_over_stands_there_whatever_the_table_waits_for(serve: Any, hint: dict[str, Any] | None) -> None:
    why = {"code": "over_one_left", "text": "", "params": {"player": "Anna"}}
    ended = game("nothing", over=True, ended=hint is None, winners=["Bernhard"], why_over=why, hint=hint)
    ended["earned"] = {"Anna": [9, 8], "Bernhard": [9]} | {name: [] for name in ("Christine", "Daniel", "Eyjólfur")}
    page = serve(ScriptedSession(snapshot(game=ended))).app.test_client().get("/").text
    assert '<p class="kicker">The game is over: only Anna has cards left.</p>' in page
    assert "9 + 8" in page


def test_whoever_wants_no_motion_gets_none(serve: Any, new_page: Callable[..., Any]) -> None:
    for wish, moving in (("no-preference", True), ("reduce", False)):
        session = ScriptedSession(snapshot(game=game("challenge", hint=None)))
        page = new_page(reduced_motion=wish)
        page.goto(serve(session).url)
        page.wait_for_timeout(300)
        session.show(throws_scene())
        page.wait_for_selector("g.card")
        moves = page.evaluate(
            "() => [...document.querySelectorAll('.is-new')].map(e => getComputedStyle(e).animationName)"
        )
        assert any(name != "none" for name in moves) == moving


def _announcing(number: int) -> dict[str, Any]:
    scene = duel_scene()
    scene["announcement"]["id"] = number
    return scene


def test_the_film_plays_steps_and_zooms(serve: Any, new_page: Callable[..., Any]) -> None:
    page = new_page()
    page.goto(serve(ScriptedSession(throws_scene())).url + "/throws/t0009")
    page.click("[data-film-step='-1']")
    assert page.get_attribute(".film-frame", "src").endswith("f5.jpg")
    page.focus(".stage")
    page.keyboard.press("ArrowLeft")
    assert page.get_attribute(".film-frame", "src").endswith("f4.jpg")
    page.click("[data-film-play]")
    page.wait_for_function("() => document.querySelector('.film-frame').src.endsWith('judged.png')")
    page.click("[data-film-whole]")
    page.click("[data-film-zoom='1.4']")
    assert "scale(1.4)" in page.get_attribute(".stage-inner", "style")
    page.fill("[data-film-wipe]", "50")
    assert page.locator(".film-before").is_visible()


def test_the_overlay_is_transparent(serve: Any, new_page: Callable[..., Any]) -> None:
    page = new_page()
    page.goto(serve(ScriptedSession(duel_scene())).url + "/overlay")
    for element in ("document.documentElement", "document.body"):
        assert page.evaluate(f"() => getComputedStyle({element}).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert "17" in page.inner_text(".overlay-players")


def test_the_throw_that_decided_is_shown_in_slow_motion_and_points_count_up(
    serve: Any, new_page: Callable[..., Any]
) -> None:
    session = ScriptedSession(snapshot(game=game()))
    page = new_page(1920, 1080)
    film = HeldBack(page, "**/slowmotion.js*")
    page.goto(serve(session).url)
    frames = {"pictures": [{"name": f"frame-{k:03d}.jpg", "time_s": k / 15} for k in range(30)]}
    picture = session.latest_jpeg()
    page.route("**/api/throws/t0009", lambda route: route.fulfill(json=frames))
    page.route("**/api/throws/t0009/pictures/*", lambda route: route.fulfill(body=picture, content_type="image/jpeg"))
    page.wait_for_selector("[data-counts=Anna]")
    scene = throws_scene()
    scene["game"]["players"][0]["points"] = 31
    session.show(scene)
    page.wait_for_selector("[data-decided-throw=t0009]", state="attached")
    film.let_go()  # the film's script comes after the ruling: the throw is shown all the same
    page.wait_for_selector("[data-slow-motion-film]:not([hidden])")
    page.wait_for_selector("[data-counts=Anna]:text-is('31')")
    assert violations(page) == []
    page.click("[data-slow-motion]")
    page.wait_for_selector("[data-slow-motion-film]", state="hidden")
    assert page.get_attribute("[data-slow-motion]", "aria-pressed") == "false"


def test_what_both_chose_is_turned_over_together(serve: Any, new_page: Callable[..., Any]) -> None:
    session = ScriptedSession(duel_scene())
    page = new_page(1366, 768)
    page.goto(serve(session).url)
    page.wait_for_selector("text=is choosing >> nth=0")
    assert page.locator(".revealed").count() == 0
    session.show(after_a_duel())
    page.wait_for_selector(".revealed")
    assert page.locator(".revealed li").all_inner_texts() == ["Anna\nConflict", "Bernhard\nPeace"]


def test_throws_are_shown_by_game_player_and_doubt(serve: Any) -> None:
    client = serve(ScriptedSession(throws_scene())).app.test_client()
    name = GAME.rpartition("/")[2]
    for asked, shown in ((f"game={name}", 3), ("player=Daniel", 1), ("only=unsure", 1), ("only=corrected", 0)):
        page = client.get(f"/throws?{asked}").text
        assert page.count('href="/throws/t') == shown, asked
        assert "data-view" not in page  # the live stream of all throws would replace the chosen ones


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1366, 768), (1920, 1080)])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_an_ordinary_name_stands_in_one_line_beside_two_figures(
    serve: Any, new_page: Callable[..., Any], width: int, height: int, players: int
) -> None:
    scene = snapshot(game=game(players=players))
    for player, name in zip(scene["game"]["players"], ("Anna", "Bernhard", "Christine"), strict=False):
        player.update(name=name, points=28)
    page = new_page(width, height)
    page.goto(serve(ScriptedSession(scene)).url)
    page.wait_for_selector(".player-name b")
    lines = page.locator(".player-name b").evaluate_all(
        "names => names.map(e => e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight))"
    )
    assert max(lines) < 1.5


def test_a_challenge_cards_name_can_be_mended_and_nothing_else_of_it(serve: Any, new_page: Callable[..., Any]) -> None:
    url = serve(ScriptedSession(throws_scene())).url
    page = new_page()
    log_in(page, url)
    challenge = page.locator("[id^=fix-]").filter(has=page.locator("form.inline"))
    landings = challenge.evaluate_all("all => all.map(e => e.querySelectorAll('[id^=land-]').length)")
    assert sorted(set(landings)) == [0, 4]


@pytest.mark.parametrize("language", ["en", "fr", "is"])
def test_how_well_a_way_of_lying_fits_stands_beside_its_bar_on_a_phone(
    serve: Any, new_page: Callable[..., Any], language: str
) -> None:
    """The bar lay over the first letters of "over 1000 times worse"."""
    page = new_page(390, 844)
    page.goto(serve(ScriptedSession(throws_scene())).url + f"/throws/t0009?lang={language}")
    page.wait_for_selector(".share meter >> nth=1")
    over = """() => [...document.querySelectorAll(".share")].filter(share => {
      const words = document.createRange();
      words.selectNodeContents(share.lastChild);
      return share.querySelector("meter").getBoundingClientRect().right > words.getBoundingClientRect().left;
    }).length"""
    assert page.evaluate(over) == 0
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
