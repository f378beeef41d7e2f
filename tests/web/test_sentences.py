"""What is told to people is said in the page's language, whatever part of the program tells it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import arena_cam
from arena_cam.camera.messages import CameraTrouble
from arena_cam.domain.arguments import ArgumentRefusal
from arena_cam.domain.doubts import Doubt, Side
from arena_cam.domain.errors import BadInput, Refused
from arena_cam.domain.lies import Hypothesis
from arena_cam.domain.messages import Message, Reason, as_recorded, message_to_json, messages_to_json
from arena_cam.formats.wording import names, say, say_all
from arena_cam.referee.messages import Difference, Refusal, ThrowFileRefusal
from arena_cam.rules import all_games
from arena_cam.rules.games.arena.messages import ArenaRefusal
from arena_cam.rules.header import read_header
from arena_cam.rules.messages import Awaited, EventName, RuleRefusal
from arena_cam.rules.random_play import random_events, random_header
from arena_cam.web.games.arena.words import WORDS
from arena_cam.web.words.amendments import preview_in_words
from arena_cam.web.words.doubts import difference_said, hypothesis_said, value_in_words
from arena_cam.web.words.events import event_in_words
from arena_cam.web.words.first_written import first_written
from arena_cam.web.words.language import LANGUAGES, counter, translator
from arena_cam.web.words.messages import PageRefusal
from arena_cam.web.words.said import doubts_said, eye_said
from web.messages import tables
from web.scripted_session import ScriptedSession, raw, throws_scene

ROOT = Path(arena_cam.__file__).parent


@pytest.mark.parametrize("language", ["fr", "is"])
def test_every_reason_is_said_in_every_language(language: str) -> None:
    _ = translator(language)
    for table in tables():
        if issubclass(table, Reason):
            for reason in table:
                message = reason(**dict.fromkeys(reason.places, "red-8"))
                assert say(message, _) != str(message) or reason.english == "%(text)s", reason.english


def test_every_hypothesis_is_named() -> None:
    assert all(hypothesis_said(name, translator("fr")) != name for name in Hypothesis)
    assert hypothesis_said("leans on the east wall", translator("fr")) == "appuyée contre le bord est"
    assert hypothesis_said("held by a thread", translator("fr")) == "held by a thread"


@pytest.mark.parametrize(
    ("message", "french", "icelandic"),
    [
        (
            Doubt.OTHER_LANDING(landing_other="diagonal", landing="flat"),
            "peut-être appuyée et non à plat",
            "kannski hallast frekar en flatt",
        ),
        (Doubt.OTHER_CARD(card_other="red-8"), "c’est peut-être la carte 8 rouge", "gæti verið rautt 8"),
        (
            Doubt.UPPER_UNSEEN(card="red-8", card_other="?1"),
            "on ne voit pas si la carte 8 rouge ou la carte face cachée est dessus",
            "ekki sést hvort rautt 8 eða spil á hvolfi er ofan á",
        ),
        (
            Doubt.STRANGER(side=Side.FAR_LEFT, area_cm2=3.5),
            "quelque chose d’inconnu se trouve en haut à gauche (3,5 cm²)\N{NO-BREAK SPACE}: dégagez-le ou retirez-le",
            "eitthvað óþekkt liggur efst til vinstri (3,5 cm²): afhjúpaðu það eða taktu það burt",
        ),
        (as_recorded(["nobody has said this before"])[0], "nobody has said this before", "nobody has said this before"),
    ],
)
def test_doubts_are_said_in_the_pages_language(message: Message, french: str, icelandic: str) -> None:
    assert say(message, translator("fr")) == french
    assert say(message, translator("is")) == icelandic


def test_several_doubts_are_said_in_one_line() -> None:
    why = [Doubt.PLACE_COVERED(card=None), Doubt.SOMETHING_MOVES()]
    said = "eitthvað hylur staðinn þar sem spil á hvolfi er; eitthvað hreyfist"
    assert say_all(why, translator("is")) == said
    eye = {"why": "; ".join(map(str, why)), "doubts": messages_to_json(why)["doubts"]}
    assert eye_said(eye, translator("is")) == said
    assert eye_said({"why": "the camera is gone", "doubts": []}, translator("is")) == "the camera is gone"
    assert eye_said({"why": "", "doubts": []}, translator("is")) == ""
    gone = CameraTrouble.GONE(name="usb:0", why=CameraTrouble.SENDS_NOTHING())
    eye = {"why": str(gone), "doubts": [message_to_json(gone)]}
    assert eye_said(eye, translator("fr")).startswith("usb:0\N{NO-BREAK SPACE}: la caméra a disparu (elle n’envoie pas")


def test_doubts_of_evidence_saved_before_codes_were_are_shown_as_they_are() -> None:
    old = {"why_unsure": ["it may be flat instead of diagonal"]}
    assert doubts_said(old, translator("fr")) == old["why_unsure"]
    assert doubts_said(messages_to_json([Doubt.UNLIKE_THE_DECK()]), translator("fr")) != [
        "part of it does not look as the deck has it"
    ]


def test_refusals_are_said_in_the_pages_language() -> None:
    fr = translator("fr")
    duel = Refused("not_now", Refusal.NO_DUEL_AWAITED(awaited="throws"))
    assert say(duel.said, fr) == "on n’attend pas de duel, on attend les lancers"
    deal = RuleRefusal.NOT_AWAITED(event="a deal", awaited="play")
    assert say(deal, fr) == "une donne ne peut pas venir ici\N{NO-BREAK SPACE}: on attend une carte pour le pli"
    odd = ArgumentRefusal.CARD_NAMES(name="rests_on")
    assert say(odd, fr) == "rests_on doit être une liste de noms de cartes"


@pytest.mark.parametrize("name", sorted(all_games()))
def test_an_event_of_another_moment_is_refused_in_the_pages_language(name: str) -> None:
    """Of a game at random, every kind of event is tried at every moment."""
    choose = Random(1).choice
    game, header = all_games()[name], random_header(all_games()[name], choose)
    events = list(random_events(game, header, choose, most=150))
    kinds = {event["type"]: event for event in events}
    _, _, state = read_header(header)
    told: set[str] = set()
    for number, event in enumerate(events, 2):
        for other in kinds.values():
            try:
                game.apply(state, game.read(other, number))
            except Refused as refused:
                if refused.code in ("not_awaited", "over"):
                    told |= {str(refused.said.param(key)) for key in ("event", "awaited")} - {"None"}
        state, _ = game.apply(state, game.read(event, number))
    assert len(told) >= 3
    called = {word.english for table in EventName.__subclasses__() for word in table}
    assert [word for word in told if word not in called and Awaited.named(word) is None] == []


def test_a_reason_within_a_refusal_is_said_too() -> None:
    late = RuleRefusal.OVER(event="a throw")
    error = BadInput(ThrowFileRefusal.RECORD_UNPLAYABLE(line=7, why=late), about="throw.zip")
    assert str(error) == (
        "throw.zip: game.jsonl in it cannot be played (line 7: a throw cannot come here: the game is over)"
    )
    assert say(late, translator("is")) in say(error.said, translator("is"))


def test_what_judging_again_finds_is_said_in_the_pages_language() -> None:
    for difference in Difference:
        found = {"code": difference.value, "card": "green-10", "what": "", "before": 1, "after": 2}
        assert "10 vert" in difference_said(found, translator("fr"))


def test_a_preview_says_what_changes_and_why_not() -> None:
    answer = {
        "changed": [{"line": 10, "before": raw("diagonal"), "after": None}],
        "impossible": {"line": 12, "text": ""} | messages_to_json([RuleRefusal.OVER(event="a throw")]),
    }
    said = preview_in_words(answer, "arena", translator("is"), WORDS)
    assert said["changed"][0]["said_before"].startswith("Grænt 10 hallast")
    assert said["changed"][0]["said_after"] is None
    assert said["impossible"]["text"] == "Kast getur ekki komið hér: leiknum er lokið"
    awaited = messages_to_json([RuleRefusal.NOT_AWAITED(event="a challenge", awaited="duel")])
    said = preview_in_words(
        {"changed": [], "impossible": {"line": 5, "text": ""} | awaited}, "arena", translator("fr"), WORDS
    )
    assert said["impossible"]["text"].startswith("Une carte d’offre ne peut pas venir ici")
    assert said["impossible"]["text"].endswith("on attend les choix d’un duel")
    assert "10 vert" in say(ArenaRefusal.RESTS_ON_ITSELF(card="green-10"), translator("fr"))


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [("en", 1, "1 card"), ("en", 0, "0 cards"), ("fr", 0, "0 carte"), ("fr", 2, "2 cartes"), ("is", 21, "21 umferð")],
)
def test_things_are_counted_as_the_language_counts(language: str, count: int, said: str) -> None:
    one, many = ("%(count)s round", "%(count)s rounds") if "umferð" in said else ("%(count)s card", "%(count)s cards")
    assert counter(language)(one, many, count) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_and_events_are_joined_as_people_would(language: str) -> None:
    _ = translator(language)
    assert names(["Anna"], _) == "Anna"
    assert (
        names(["Anna", "Bo", "Eva"], _)
        == {"en": "Anna, Bo and Eva", "fr": "Anna, Bo et Eva", "is": "Anna, Bo og Eva"}[language]
    )
    event = {"type": "throw", "card": "red-8", "landing": "flat", "rests_on": ["blue-3"]}
    assert (
        event_in_words(event, _, WORDS)
        == {
            "en": "throw red 8, flat, on blue 3",
            "fr": "lancer 8 rouge, à plat, sur 3 bleu",
            "is": "kast rautt 8, flatt, ofan á: blátt 3",
        }[language]
    )
    assert value_in_words([1.5, 2.0], "en") == "1.5, 2"
    assert value_in_words([1.5, -2.25], "fr") == "1,5; -2,25"
    assert value_in_words(0.1, "is") == "0,1"


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ({"landing": "beside"}, "correction of line 5: beside"),
        ({"card": "red-8", "landing": "flat"}, "correction of line 5: red 8, flat"),
        ({"choices": {"Anna": "peace"}}, "correction of line 5: Anna: peace"),
        ({"type": "note"}, "correction of line 5: it never happened"),
        ({"boards": {}}, "correction of line 5"),
        (None, "correction of line 5"),
    ],
)
def test_a_correction_says_what_it_made_of_the_line(made: Any, said: str) -> None:
    """The history of a game said which line was corrected, and not to what."""
    event = {"type": "amend", "line": 5, "set": made, "reason": "", "who": "Eva"}
    assert event_in_words(event, translator("en"), WORDS) == said


@pytest.mark.parametrize(
    ("language", "said"), [("en", "struck out: A♣"), ("fr", "rayé\N{NO-BREAK SPACE}: A♣"), ("is", "strikað út: A♣")]
)
def test_a_line_that_never_happened_is_no_note_with_a_card(language: str, said: str) -> None:
    """The line and the dialog of Undo called it "Note A♣"."""
    assert event_in_words({"type": "note", "card": "AC"}, translator(language), WORDS) == said
    duel = {"type": "note", "choices": {"Anna": "peace", "Bo": "conflict"}}
    assert "struck out: Anna: " in event_in_words(duel, translator("en"), WORDS)
    assert "struck" not in event_in_words({"type": "note", "confirmed": 4, "who": "Anna"}, translator("en"), WORDS)


def test_what_stood_first_is_told_where_its_sentence_is_the_same() -> None:
    """A round of boards is one sentence whatever lies on them."""
    _ = translator("en")
    told = {"type": "boards", "boards": {"Anna": {"A1": "1-3-7", "B3": "5-8-2"}, "Bo": {"A1": "9-3-6"}}}
    mended = {"type": "boards", "boards": {"Anna": {"A1": "1-3-7", "B3": "5-8-6"}, "Bo": {"A1": "9-3-6"}}}
    assert first_written(told, mended, _, WORDS) == "Anna B3 5-8-2"
    throw = {"type": "throw", "card": "red-8", "landing": "flat"}
    assert first_written(throw, throw | {"landing": "diagonal"}, _, WORDS) == "Throw red 8, flat"
    assert first_written(throw, throw | {"face": "up"}, _, WORDS) == "Throw red 8, flat"


@pytest.mark.parametrize("language", ["fr", "is"])
def test_what_the_server_refuses_by_itself_is_in_the_pages_language(serve: Any, language: str) -> None:
    """A part of a file that there is not: the framework's own sentences are English."""
    client = serve(ScriptedSession(throws_scene())).app.test_client()
    beyond = {"Range": "bytes=99999999-", "Accept-Language": language}
    answer = client.get("/static/style.css", headers=beyond)
    assert answer.status_code == 416
    assert say(PageRefusal.NOT_TAKEN(status=416), translator(language)) in answer.text
