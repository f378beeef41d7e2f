"""Reads and writes a set folder of dilemmas: deck.toml with `game = "dilemmas"`, and a picture of each piece."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena_cam.domain.dilemma_sets import CardKind, DilemmaCard, DilemmaSet, Disc, TokenKind
from arena_cam.domain.errors import BadDeck, BadInput
from arena_cam.formats.checked_values import given, number, object_, part, refuse_twice, tables, text
from arena_cam.formats.messages import SetTrouble, ValueTrouble
from arena_cam.formats.set_file import read_set_file, refuse_missing

LONGEST_FILE_NAME, LONGEST_TEXT = 255, 400


def read_dilemma_set(folder: Path | str) -> DilemmaSet:
    """The set in `folder`. Raises BadDeck, saying what is wrong and what to do, if it cannot be used."""
    file, data = read_set_file(folder)
    if data.get("game") != "dilemmas":
        raise BadDeck(SetTrouble.NO_DILEMMA_SET(), about=file)
    try:
        made = _set(data, file)
    except BadInput as error:
        raise BadDeck(SetTrouble.SET_NEEDS(why=error.said), about=file) from None
    refuse_missing(
        file, [*(card.image for card in made.cards), *(disc.image for disc in (*made.tokens, *made.owners)), made.back]
    )
    return made


def dilemma_set_to_toml(dilemmas: DilemmaSet) -> str:
    """The text of the set's deck.toml; its pictures are named without their folder."""
    lines = [f"name = {_string(dilemmas.name)}", 'game = "dilemmas"', f"width_mm = {dilemmas.width_mm:g}"]
    lines += [f"height_mm = {dilemmas.height_mm:g}", f"corner_radius_mm = {dilemmas.corner_radius_mm:g}"]
    if dilemmas.back is not None:
        lines.append(f"back = {_string(dilemmas.back.name)}")
    for card in dilemmas.cards:
        lines += ["", "[[card]]", f"id = {_string(card.id)}", f"kind = {_string(card.kind)}"]
        lines += [f"text = {_string(card.text)}"] if card.text else []
        lines.append(f"image = {_string(card.image.name)}")
    for table, key, discs in (("token", "kind", dilemmas.tokens), ("owner", "colour", dilemmas.owners)):
        for disc in discs:
            lines += ["", f"[[{table}]]", f"{key} = {_string(disc.name)}"]
            lines += [f"diameter_mm = {disc.diameter_mm:g}", f"image = {_string(disc.image.name)}"]
    return "\n".join(lines) + "\n"


def _set(data: dict[str, Any], file: Path) -> DilemmaSet:
    width = number(part(data, "width_mm"), "width_mm", 20.0, 300.0)
    height = number(part(data, "height_mm"), "height_mm", 20.0, 300.0)
    radius = number(given(data, "corner_radius_mm", 0.0), "corner_radius_mm", 0.0, min(width, height) / 2)
    cards = tuple(_card(object_(each, "card"), file) for each in tables(data, "card"))
    tokens = tuple(_disc(object_(each, "token"), file, "token", "kind") for each in tables(data, "token"))
    owners = tuple(_disc(object_(each, "owner"), file, "owner", "colour") for each in tables(data, "owner"))
    for what, names in (
        ("card", [card.id for card in cards]),
        ("token", [token.name for token in tokens]),
        ("owner", [owner.name for owner in owners]),
    ):
        refuse_twice(what, names)
    _refuse_incomplete(cards, tokens)
    back = file.parent / text(data["back"], "back", LONGEST_FILE_NAME) if data.get("back") else None
    return DilemmaSet(str(data.get("name", file.parent.name)), width, height, radius, cards, tokens, owners, back)


def _refuse_incomplete(cards: Sequence[DilemmaCard], tokens: Sequence[Disc]) -> None:
    for kind in (CardKind.POSITIVE, CardKind.NEGATIVE):
        if not any(card.kind is kind for card in cards):
            raise BadInput(ValueTrouble.NO_CARD_OF_KIND(kind=str(kind)))
    names = {token.name for token in tokens}
    unknown = names - {str(kind) for kind in TokenKind}
    if unknown:
        raise BadInput(
            ValueTrouble.NONE_OF_GIVEN(
                place="[[token]] kind", words=", ".join(TokenKind), given=repr(sorted(unknown)[0])
            )
        )
    missing = [kind for kind in (TokenKind.YES, TokenKind.NO, TokenKind.HIDDEN) if kind not in names]
    if missing:
        raise BadInput(ValueTrouble.NO_TOKEN_OF_KIND(kind=str(missing[0])))


def _card(entry: dict[str, Any], file: Path) -> DilemmaCard:
    name = text(part(entry, "id", "[[card]] "), "[[card]] id")
    kind = part(entry, "kind", f"{name}: ")
    if kind not in set(CardKind):
        raise BadInput(ValueTrouble.NONE_OF(place=f"{name}: kind", words=", ".join(CardKind)))
    words = text(entry["text"], f"{name}: text", LONGEST_TEXT) if entry.get("text") else ""
    return DilemmaCard(name, CardKind(kind), _picture(entry, f"{name}: ", file), words)


def _disc(entry: dict[str, Any], file: Path, what: str, key: str) -> Disc:
    name = text(part(entry, key, f"{what}: "), f"{what}: {key}")
    of = f"{what} {name}: "
    diameter = number(part(entry, "diameter_mm", of), f"{of}diameter_mm", 8.0, 100.0)
    return Disc(name, diameter, _picture(entry, of, file))


def _picture(entry: dict[str, Any], of: str, file: Path) -> Path:
    return file.parent / text(part(entry, "image", of), f"{of}image", LONGEST_FILE_NAME)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # what JSON escapes, TOML's basic strings escape alike
