"""What the rules rule is said in every language, from the one catalogue that commands and pages read."""

from __future__ import annotations

import re
from typing import Any

import pytest

from arena_cam.formats.wording import CATALOGUES, LANGUAGES, sentences, text, told
from arena_cam.rules import Ruling, all_games
from arena_cam.rules.games.arena.messages import ArenaRuling
from arena_cam.rules.games.dilemmas.messages import DilemmasRuling
from arena_cam.rules.messages import AnyRuling
from web.messages import all_messages, tables

TRANSLATED = [language for language in LANGUAGES if language != "en"]


def gaps(sentence: str) -> list[str]:
    return sorted(re.findall(r"%\(\w+\)[sd]", sentence))


def test_there_is_one_catalogue_for_each_language() -> None:
    package = CATALOGUES.parent
    assert sorted(package.rglob("*.po")) == [CATALOGUES / f"{language}.po" for language in TRANSLATED]


def test_no_sentence_stands_twice_in_the_tables() -> None:
    said = [sentence.english for table in tables() for sentence in table]
    assert sorted({english for english in said if said.count(english) > 1}) == []


def test_every_game_has_a_table_of_what_it_rules() -> None:
    for game in all_games().values():
        assert game.rulings is not None, game.name
        assert len(game.rulings) > 0, game.name


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_is_missing_and_none_is_left_over(language: str) -> None:
    assert set(sentences(language)) == all_messages()


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_ruled_is_translated_with_the_same_gaps(language: str) -> None:
    ruled = [game.rulings for game in all_games().values() if game.rulings is not None]
    for sentence in [*AnyRuling, *(ruling for table in ruled for ruling in table)]:
        translation = sentences(language)[sentence.english]
        assert set(gaps(translation)) == set(gaps(sentence.english)), sentence
        assert translation != sentence.english


def test_a_ruling_is_told_in_each_language_with_names_that_look_like_gaps() -> None:
    ruling = Ruling(7, "beside", {"card": "red-8", "player": "100%(s)", "thrown": 3}, ArenaRuling.BESIDE, "EN", {})
    said = {language: text(ruling, language) for language in LANGUAGES}
    assert said["en"] == str(ruling.message) == "red-8 fell beside the arena and leaves the game."
    assert len(set(said.values())) == len(LANGUAGES)
    assert all("red-8" in sentence for sentence in said.values())


def test_names_are_joined_as_the_language_joins_them() -> None:
    facts: dict[str, Any] = {"round": 2, "names": ("Anna", "Bo", "Eva"), "told": "-", "gains": "0"}
    message = DilemmasRuling.ROUND(**facts)
    assert "of Anna, Bo and Eva was" in told(message, "en")
    assert "pour Anna, Bo et Eva" in told(message, "fr")
    assert "Anna, Bo og Eva" in told(message, "is")
    assert "of Anna was" in text(Ruling(2, "round", {}, DilemmasRuling.ROUND, "PQ", facts | {"names": ("Anna",)}))


def test_a_language_that_is_not_offered_is_refused() -> None:
    with pytest.raises(ValueError, match="tlh is not offered"):
        sentences("tlh")
