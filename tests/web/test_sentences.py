"""Every sentence that the rooms below can say to a person is known to the pages, and is said in their language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import arena_cam
from arena_cam.web.games.arena.words import WORDS
from arena_cam.web.words.amendments import preview_in_words
from arena_cam.web.words.doubts import DIFFERENCES, DOUBTS, HYPOTHESES, value_in_words
from arena_cam.web.words.language import LANGUAGES, counter, translator
from arena_cam.web.words.refusals import CODES, REFUSALS, why_not
from arena_cam.web.words.sentences import Sentences
from arena_cam.web.words.wording import event_in_words, names
from web.scripted_session import raw

ROOT = Path(arena_cam.__file__).parent
REFUSING = (
    "referee/**/*.py",
    "rules/games/arena/*.py",
    "rules/reading.py",
    "rules/header.py",
    "web/**/*.py",
    "store/matches.py",
)


def text_of(node: ast.expr) -> str | None:
    """A string as it may read: what is filled in reads 7."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(v.value) if isinstance(v, ast.Constant) else "7" for v in node.values)
    return None


def refusals() -> Iterator[tuple[str, str, str]]:
    """(where, code, sentence) of everything that is refused with a sentence of its own."""
    for pattern in REFUSING:
        for file in sorted(ROOT.glob(pattern)):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                called = node.func if isinstance(node, ast.Call) else None
                name = getattr(called, "id", getattr(called, "attr", ""))
                if isinstance(node, ast.Call) and name in ("Refused", "refuse") and len(node.args) == 2:
                    code, text = text_of(node.args[0]), text_of(node.args[1])
                    if code and text:
                        yield f"{file.name}:{node.lineno}", code, text


def test_every_refusal_has_a_message_or_says_by_its_code_what_it_means() -> None:
    found = list(refusals())
    assert len(found) > 60
    rules = {
        code for where, code, _ in found if where.startswith(("engine", "events", "names", "pile", "reading", "header"))
    }
    # what a rule refuses reaches a page as `impossible` or `bad_argument`
    unknown = [each for each in found if not REFUSALS.knows(each[2]) and each[1] not in {*CODES, *rules}]
    assert unknown == []


@pytest.mark.parametrize("table", [DOUBTS, HYPOTHESES, REFUSALS, DIFFERENCES])
def test_a_sentence_is_found_again_by_what_it_says(table: Sentences) -> None:
    for message in table.messages:
        text = message.replace("%%", "%") % dict.fromkeys(_places(message), "red-8") if "%(" in message else message
        assert table.knows(text), message
        assert table.say(text, translator("fr")) != text or message in ("note", "duel"), message


def _places(message: str) -> list[str]:
    return [part.split(")")[0] for part in message.split("%(")[1:]]


@pytest.mark.parametrize(
    ("text", "french", "icelandic"),
    [
        ("it may be diagonal instead of flat", "peut-être appuyée et non à plat", "kannski hallast frekar en flatt"),
        ("it may be red-8 instead", "c’est peut-être la carte 8 rouge", "gæti verið rautt 8"),
        (
            "it cannot be seen whether red-8 or ?1 is on top",
            "on ne voit pas si la carte 8 rouge ou la carte face cachée est dessus",
            "ekki sést hvort rautt 8 eða spil á hvolfi er ofan á",
        ),
        (
            "something covers the place of red-8; something moves",
            "quelque chose couvre la place de la carte 8 rouge\N{NO-BREAK SPACE}; quelque chose bouge",
            "eitthvað hylur staðinn þar sem rautt 8 er; eitthvað hreyfist",
        ),
        ("nobody has said this before", "nobody has said this before", "nobody has said this before"),
    ],
)
def test_doubts_are_said_in_the_pages_language(text: str, french: str, icelandic: str) -> None:
    assert DOUBTS.say(text, translator("fr")) == french
    assert DOUBTS.say(text, translator("is")) == icelandic


def test_refusals_are_said_in_the_pages_language() -> None:
    fr = translator("fr")
    said = why_not("not_now", "no duel is awaited: what the game awaits is throws", fr, english=False)
    assert said == "On n’attend pas de duel, on attend les lancers"
    odd = why_not("bad_argument", "rests_on must be a list of names of cards", fr, english=False)
    assert odd == "Le serveur n’a pas compris la demande. (rests_on must be a list of names of cards)"
    assert why_not("bad_argument", "card: no", translator("en"), english=True) == "Card: no"


def test_a_preview_says_what_changes_and_why_not() -> None:
    answer = {
        "changed": [{"line": 10, "before": raw("diagonal"), "after": None}],
        "impossible": {"line": 12, "text": "a throw cannot come here: the game is over"},
    }
    said = preview_in_words(answer, translator("is"), WORDS)
    assert said["changed"][0]["said_before"].startswith("Grænt 10 hallast")
    assert said["changed"][0]["said_after"] is None
    assert said["impossible"] == {"line": 12, "text": "Kast getur ekki komið hér: leiknum er lokið"}


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [("en", 1, "1 card"), ("en", 0, "0 cards"), ("fr", 0, "0 carte"), ("fr", 2, "2 cartes"), ("is", 21, "21 kast")],
)
def test_things_are_counted_as_the_language_counts(language: str, count: int, said: str) -> None:
    one, many = ("%(count)s throw", "%(count)s throws") if "kast" in said else ("%(count)s card", "%(count)s cards")
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
    assert value_in_words([1.5, 2.0], _) == "1.5, 2"
