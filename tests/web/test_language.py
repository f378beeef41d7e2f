"""English, French and Icelandic: every message is there, with the same words to fill in."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from babel.messages.pofile import read_po

from arena_cam.domain.doubts import Doubt
from arena_cam.formats.wording import capital, say
from arena_cam.web.words.language import LANGUAGES, decimal, translator
from web.messages import LOCALE, all_messages
from web.scripted_session import ScriptedSession, duel_scene, throws_scene
from web.sorted_catalogues import in_order

PLACES = re.compile(r"%\((\w+)\)s")


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_every_message_is_translated(language: str) -> None:
    catalogue = read_po(io.BytesIO((LOCALE / f"{language}.po").read_bytes()))
    translated = {str(m.id): str(m.string) for m in catalogue if m.id and m.string}
    assert sorted(all_messages() - set(translated)) == []
    assert sorted(set(translated) - all_messages()) == [], "messages that no page shows any more"


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_catalogues_are_sorted_by_message(language: str) -> None:
    messages = [str(message.id) for message in read_po(io.BytesIO((LOCALE / f"{language}.po").read_bytes()))]
    assert messages == sorted(messages), "put them in order with: make format"


def test_an_apostrophe_is_written_in_one_way() -> None:
    """Straight in English, where commands and records write it, typographic in a translation."""
    assert [message for message in sorted(all_messages()) if "\N{RIGHT SINGLE QUOTATION MARK}" in message] == []
    for language in sorted(set(LANGUAGES) - {"en"}):
        for message in read_po(io.BytesIO((LOCALE / f"{language}.po").read_bytes())):
            said = message.string if isinstance(message.string, list | tuple) else [message.string]
            assert message.id == "" or not any(re.search(r"\w'\w", str(each)) for each in said), message.id


def test_sorting_a_catalogue_moves_whole_entries() -> None:
    head, first, last = (
        'msgid ""\nmsgstr ""\n"Language: fr\\n"\n',
        '# a\nmsgid "a"\nmsgstr "b"\n',
        'msgid ""\n"c"\nmsgstr "d"\n',
    )
    assert in_order(f"{head}\n{last}\n\n{first}") == f"{head}\n{first}\n{last}"


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_translations_fill_in_the_same_words(language: str) -> None:
    for message in read_po(io.BytesIO((LOCALE / f"{language}.po").read_bytes())):
        if message.id:
            assert sorted(PLACES.findall(str(message.id))) == sorted(PLACES.findall(str(message.string))), message.id


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_no_other_sentence_is_stuck_to_a_translation(language: str) -> None:
    """A small letter before a capital within a word, where the English has none: two translations in one entry."""
    stuck = re.compile(r"\w*[^\W\d_A-ZÀ-ÞIVX][A-ZÀ-Þ]\w*")
    found = []
    for message in read_po(io.BytesIO((LOCALE / f"{language}.po").read_bytes())):
        if message.id:
            text = PLACES.sub(" ", str(message.string))
            found += [word for word in stuck.findall(text) if word not in str(message.id)]
    assert found == []


@pytest.mark.parametrize(("language", "said"), [("en", "3.6"), ("fr", "3,6"), ("is", "3,6")])
def test_a_measured_number_is_written_as_the_language_does(language: str, said: str) -> None:
    _ = translator(language)
    assert said in say(Doubt.FLAT_OR_LEANING(tilt_deg="3.6"), _)
    assert _("%(px_mm)s pixels per millimetre", px_mm=3.6).startswith(said)
    assert "0.2.0" in _("%(off)s pixels", off="0.2.0")
    assert "1.5" in _("Hello %(player)s", player="1.5"), "what people are called is no number"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Green 10 leans"), ("fr", "La carte 10 vert est appuyée contre le bord"), ("is", "Grænt 10 hallast")],
)
def test_the_ruling_is_said_in_the_language_asked_for(serve: Any, language: str, sentence: str) -> None:
    app = serve(ScriptedSession(throws_scene())).app
    by_choice = app.test_client().get(f"/?lang={language}").text
    by_browser = app.test_client().get("/", headers={"Accept-Language": language}).text
    for page in (by_choice, by_browser):
        assert f'<html lang="{language}"' in page
        assert sentence in page


def test_the_chosen_language_is_remembered(serve: Any) -> None:
    client = serve(ScriptedSession(duel_scene())).app.test_client()
    client.get("/?lang=fr")
    assert "paix ou conflit" in client.get("/").text
    assert "paix ou conflit" in client.get("/api/regions/scoreboard").json["regions"]["ruling"]


def test_a_number_of_any_size_is_written() -> None:
    assert decimal(1234.25, 1, "fr") == "1234,2"
    assert [decimal(280.5, None, language) for language in ("en", "fr", "is")] == ["280.5", "280,5", "280,5"]
    assert decimal(280.0, None, "fr") == "280"
    assert [decimal(size, 1, "is") for size in (1e300, -5e26)] == ["1.0e+300", "-5.0e+26"]


def test_a_demonstration_has_its_title_in_the_pages_language_and_a_title_that_people_gave_stays(serve: Any) -> None:
    scene = throws_scene()
    scene["game"]["name"] = "Demonstration"
    client = serve(ScriptedSession(scene)).app.test_client()
    assert "<h1>Démonstration</h1>" in client.get("/?lang=fr").text
    scene["game"]["name"] = "Demonstration of spring"
    client = serve(ScriptedSession(scene)).app.test_client()
    assert "<h1>Demonstration of spring</h1>" in client.get("/?lang=fr").text


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("2026-12-01 20:05", "1 déc. 2026, 20:05"),
        ("2026-12-01", "2026-12-01"),
        ("2026-12-1 20:05", "2026-12-1 20:05"),
        ("2026-13-01 20:05", "2026-13-01 20:05"),
    ],
)
def test_a_game_without_a_title_is_called_after_its_day_as_the_language_writes_it(
    serve: Any, name: str, title: str
) -> None:
    scene = throws_scene()
    scene["game"]["name"] = name
    client = serve(ScriptedSession(scene)).app.test_client()
    assert f"<h1>{title}</h1>" in client.get("/?lang=fr").text


def test_a_size_has_the_languages_decimal_point_and_what_things_are_called_has_not() -> None:
    say = translator("fr")
    assert say("%(size_mm)s", size_mm="53.98 x 85.6") == "53,98 x 85,6"
    assert say("%(size_mm)s", size_mm="280 x 280.5") == "280 x 280,5"
    assert say("%(what)s", what="usb.0 x 1") == "usb.0 x 1"
    assert say("%(name)s", name="1.5 x 2") == "1.5 x 2"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("manifest.json is damaged", "manifest.json is damaged"),
        ("frames/frame-1.png in it is no picture", "frames/frame-1.png in it is no picture"),
        ("arena-cam.db is missing", "arena-cam.db is missing"),
        ("no throw.json", "No throw.json"),
        ("this. that", "This. that"),
        ("red 8 leans", "Red 8 leans"),
        ("", ""),
    ],
)
def test_a_file_keeps_its_name_at_the_beginning_of_a_sentence(text: str, shown: str) -> None:
    """The page said that Manifest.json was damaged, which there is not."""
    assert capital(text) == shown
