"""What is ruled stands on the pages in the page's language, for every sentence of every game."""

from __future__ import annotations

import html
from typing import Any

import pytest

from arena_cam.domain.messages import Sentence, message_to_json
from arena_cam.rules import all_games
from arena_cam.rules.messages import AnyRuling
from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from arena_cam.web.live.regions import Viewer, region_context
from arena_cam.web.words.language import LANGUAGES, translator
from arena_cam.web.words.said import ruling_sentence
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
