"""What is ruled stands on the pages in the page's language, for every sentence of every game."""

from __future__ import annotations

import html
import random
from typing import Any

import pytest

from arena_cam.domain.messages import Sentence, message_to_json
from arena_cam.rules import all_games
from arena_cam.rules.header import read_header
from arena_cam.rules.messages import AnyRuling, HouseRule, Rulebook, RuleNote
from arena_cam.rules.random_play import random_events, random_header
from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from arena_cam.web.games.part import find_web_part
from arena_cam.web.live.regions import Viewer, region_context
from arena_cam.web.words.events import key_said, value_said
from arena_cam.web.words.forms import forms_said
from arena_cam.web.words.language import LANGUAGES, translator
from arena_cam.web.words.said import rule_said, ruling_sentence
from web.scripted_session import ScriptedSession, throws_scene

RULINGS = [(game.name, sentence) for game in all_games().values() for sentence in [*AnyRuling, *(game.rulings or ())]]


def a_ruling(sentence: Sentence) -> dict[str, Any]:
    """A ruling that says `sentence`, as a snapshot has it."""
    params = {place: "red-8" if place.startswith("card") else f"<{place}>" for place in sentence.places}
    said = message_to_json(sentence(**params))
    return {
        "line": 3, "code": sentence.value, "card": None, "player": None, "text": "ENGLISH ALONE", "rule": "R",
        "said": said, "details": {},
    }  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "sentence"), RULINGS, ids=lambda each: str(each))
def test_a_ruling_is_shown_on_a_page_in_its_language(game: str, sentence: Sentence, language: str) -> None:
    ruling, scene = a_ruling(sentence), throws_scene()
    scene["game"] |= {"rulings": [ruling]}
    session: Any = ScriptedSession(scene)
    app = create_app(session, WebSettings("246810", "a secret of the tests", None))
    said = ruling_sentence(ruling, game, translator(language))
    assert said not in ("", "ENGLISH ALONE")
    assert all(f"<{place}>" in said for place in sentence.places if not place.startswith("card"))
    with app.test_request_context():
        context = region_context(session, "health", Viewer(language), game)
        template = app.jinja_env.get_template("any_game/scoreboard/_ruling.html")
        page = template.render(context | {"headline": ruling, "others": []})
    session.end()
    assert said in html.unescape(page)


def test_what_an_older_version_kept_is_shown_in_english() -> None:
    old = {"code": "beside", "text": "red-8 fell beside the arena and leaves the game."}
    assert ruling_sentence(old, "arena", translator("fr")) == "Red-8 fell beside the arena and leaves the game."
    later = old | {"said": {"code": "flew_away", "params": {}}}
    assert ruling_sentence(later, "arena", translator("fr")) == "Red-8 fell beside the arena and leaves the game."
    assert ruling_sentence(old, "chess", translator("fr")) == "Red-8 fell beside the arena and leaves the game."


def test_the_rule_behind_a_ruling_is_said_in_the_language_of_the_page() -> None:
    icelandic, french, english = translator("is"), translator("fr"), translator("en")
    why = "EN, The Provocation: the value must be different"
    assert rule_said(why, english) == "English rules, The Provocation: the value must be different"
    assert rule_said(why, icelandic) == "ensku reglurnar, „The Provocation“: gildið verður að vera annað"
    assert (
        rule_said(why, french)
        == "règles anglaises, « The Provocation »\N{NO-BREAK SPACE}: la valeur doit être différente"
    )
    assert (
        rule_said("house ruling: a card face down is invalid", icelandic) == "húsúrskurður: spil á hvolfi gildir ekki"
    )
    by_option = "EN, Special situations b; house rule two_left_beside"
    assert rule_said(by_option, english) == (
        "English rules, Special situations b; house rule “Two players are left, and the answer falls beside”"
    )
    assert rule_said(by_option, icelandic) == (
        "ensku reglurnar, „Special situations b“; húsregla „Tveir leikmenn eru eftir og svarið fellur utan við“"
    )


@pytest.mark.parametrize("name", sorted(all_games()))
def test_every_rule_behind_a_ruling_is_made_of_words_that_the_catalogues_know(name: str) -> None:
    game = all_games()[name]
    notes = {note.english for table in RuleNote.__subclasses__() for note in table}
    rules = set()
    for seed in range(30):
        choose = random.Random(seed).choice
        header = random_header(game, choose, house_rules=True)
        state = read_header(header)[2]
        for line, event in enumerate(random_events(game, header, choose, most=200), 2):
            state, rulings = game.apply(state, game.read(event, line))
            rules |= {ruling.rule for ruling in rulings}
    assert rules
    for part in (part for rule in rules for part in rule.split("; ")):
        code, _, section = part.partition(", ")
        if Rulebook.named(code) is not None:
            assert section.partition(": ")[2] in notes | {""}, part
        else:
            assert part in notes or HouseRule.named(part.removeprefix("house rule ")) is not None, part


@pytest.mark.parametrize("name", sorted(all_games()))
def test_forms_for_what_may_come_are_in_the_language_of_the_page(name: str) -> None:
    """Everything by hand offered "card: 2D" and "none: True" on pages in any language."""
    game, words = all_games()[name], find_web_part(name).words
    choose = random.Random(4).choice
    header = random_header(game, choose, house_rules=True)
    keys, said = set(), set()
    state = read_header(header)[2]
    for line, event in enumerate(random_events(game, header, choose, most=150), 2):
        for legal in game.legal(state):
            keys |= set(legal.keys)
            values = [v for offered in legal.keys.values() for v in getattr(offered, "values", ()) if offered]
            said |= {value_said(value, translator("is"), words) for value in values}
        state, _ = game.apply(state, game.read(event, line))
    keys -= {"choices"}  # each player's stands under the name
    assert keys <= set(words.keys), keys
    assert all(key_said(key, translator("is"), words) not in (key, words.keys[key]) for key in keys)
    assert said.isdisjoint({"True", "yes", "super_no", "2D", "flat", "up", "D"})


def test_forms_that_differ_in_what_is_offered_alone_are_one() -> None:
    """A vote that was missed may be anybody's: the rules offer each voter's by itself."""
    words = find_web_part("dilemmas").words
    may_come = [
        {"type": "vote", "keys": {"player": {"one_of": [name]}, "on": {"one_of": ["Anna", name]}}, "made": False}
        for name in ("Ben", "Guðrún")
    ]
    other = {"type": "vote", "keys": {"player": {"one_of": ["Eva"]}, "token": {"one_of": ["yes"]}}, "made": False}
    (form,) = forms_said([*may_come, other], translator("en"), words)
    offered = {field["path"][0]: [option["value"] for option in field["options"]] for field in form["fields"]}
    assert offered == {"player": ["Ben", "Guðrún"], "on": ["Anna", "Ben", "Guðrún"]}
