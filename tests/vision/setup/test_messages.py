"""What is told while a table is measured: every sentence can be told, and says what to do."""

from __future__ import annotations

import re

import pytest

from arena_cam.domain.messages import Sentence, message_from_json, message_to_json
from arena_cam.vision.setup.messages import Advice, Measured, SurveyRefusal, ViewsLack

ALL: list[Sentence] = [*SurveyRefusal, *Measured, *Advice, *ViewsLack]


def told(sentence: Sentence) -> str:
    return str(sentence(**dict.fromkeys(sentence.places, 7)))


@pytest.mark.parametrize("sentence", ALL, ids=lambda each: f"{type(each).__name__}.{each.value}")
def test_a_sentence_is_whole_once_its_places_are_filled(sentence: Sentence) -> None:
    text = told(sentence)
    assert "%(" not in text
    assert "%%" not in text
    assert len(re.findall(r"\b7\b", text)) == len(sentence.places)
    assert "\n" not in text


@pytest.mark.parametrize("sentence", [each for each in ALL if each.places], ids=str)
def test_one_with_a_place_left_empty_is_not_told(sentence: Sentence) -> None:
    with pytest.raises(TypeError, match=sentence.places[0]):
        sentence()


@pytest.mark.parametrize("refusal", list(SurveyRefusal), ids=str)
def test_a_refusal_says_what_to_do_and_is_found_again_by_its_code(refusal: SurveyRefusal) -> None:
    message = refusal(**dict.fromkeys(refusal.places, 7))
    assert re.search(r"\b(add|lay|press|check|put|type)\b", str(message))
    assert message_from_json(message_to_json(message)) == message


@pytest.mark.parametrize("advice", list(Advice), ids=str)
def test_advice_begins_with_what_to_do_and_ends_as_a_sentence(advice: Advice) -> None:
    text = told(advice)
    assert text[0].isupper()
    assert text.endswith(".")


def test_codes_of_a_table_are_its_own() -> None:
    for table in (SurveyRefusal, Measured, Advice):
        codes = [each.value for each in table]
        assert len(set(codes)) == len(codes)
        assert all(code == each.name.lower() for code, each in zip(codes, table, strict=True))
