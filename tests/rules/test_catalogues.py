"""Every sentence of the rules exists in every language, with the same gaps."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir

import arena_cam
from arena_cam.formats.wording import LANGUAGES, sentences, text
from arena_cam.rules import Ruling

PACKAGE = Path(arena_cam.__file__).parent
TRANSLATED = [language for language in LANGUAGES if language != "en"]


def marked() -> set[str]:
    """All sentences marked with msg() in the rules and in what shows them."""
    found = set()
    for folder in ("rules", "formats"):
        for _, _, message, _, _ in extract_from_dir(PACKAGE / folder, keywords={"msg": None}):
            found.add(str(message))
    return found


def gaps(sentence: str) -> list[str]:
    return sorted(re.findall(r"%\(\w+\)[sd]", sentence))


def test_there_are_sentences_for_every_game() -> None:
    assert len(marked()) > 25


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_is_missing_and_none_is_left_over(language: str) -> None:
    assert set(sentences(language)) == marked()


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_says_something_of_its_own_with_the_same_gaps(language: str) -> None:
    for sentence, translation in sentences(language).items():
        assert gaps(translation) == gaps(sentence) or set(gaps(translation)) == set(gaps(sentence)), sentence
        assert translation != sentence


def test_a_missing_translation_would_be_noticed() -> None:
    extracted = io.BytesIO(b'SENTENCE = msg("%(card)s flew away.")')
    from babel.messages.extract import extract

    assert {message for _, message, _, _ in extract("python", extracted, {"msg": None})} - set(sentences("fr"))


def test_a_ruling_is_told_in_each_language_with_names_that_look_like_gaps() -> None:
    fell = "%(card)s fell beside the arena and leaves the game."
    ruling = Ruling(7, "beside", {"card": "red-8", "player": "100%(s)", "thrown": 3}, fell, "EN", {})
    told = {language: text(ruling, language) for language in LANGUAGES}
    assert told["en"] == "red-8 fell beside the arena and leaves the game."
    assert len(set(told.values())) == len(LANGUAGES)
    assert all("red-8" in sentence for sentence in told.values())


def test_a_language_that_is_not_offered_is_refused() -> None:
    with pytest.raises(ValueError, match="tlh is not offered"):
        sentences("tlh")
