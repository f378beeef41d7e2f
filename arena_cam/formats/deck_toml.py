"""Reads and writes a deck folder: deck.toml and one picture a face."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

from arena_cam.domain.arguments import ArgumentRefusal
from arena_cam.domain.cards import Card, Deck, PrintedMarker, PrintedQr
from arena_cam.domain.errors import BadDeck, BadInput, CannotDo
from arena_cam.formats.checked_values import MOST_SHOWN, given, markers_in, number, object_, part, tables, text
from arena_cam.formats.messages import FileTrouble, SetTrouble, ValueTrouble
from arena_cam.formats.set_file import read_set_file
from arena_cam.formats.whole_file import write_whole

LONGEST_FILE_NAME = 255
SETS_OF_THEIR_OWN = ("dilemmas", "hexes")  # games whose deck.toml holds tokens or boards: other formats read it


def read_deck(folder: Path | str) -> Deck:
    """The deck in `folder`. Raises BadDeck, saying what is wrong and what to do, if it cannot be used."""
    file, data = read_set_file(folder)
    try:
        return _deck(data, file)
    except BadDeck:
        raise
    except BadInput as error:
        raise BadDeck(SetTrouble.DECK_NEEDS(why=error.said), about=file) from None


def _deck(data: dict[str, Any], file: Path) -> Deck:
    if data.get("game") in SETS_OF_THEIR_OWN:
        raise BadDeck(SetTrouble.OTHER_SET(game=data["game"]), about=file)
    entries = tables(data, "card")
    if not entries:
        raise BadDeck(SetTrouble.NO_CARDS(), about=file)
    size_mm = _length(data, "width_mm", file), _length(data, "height_mm", file)
    cards = tuple(_card(object_(entry, "card"), file, size_mm) for entry in entries)
    twice = [name for name, count in Counter(card.id for card in cards).items() if count > 1]
    if twice:
        raise BadDeck(SetTrouble.ID_TWICE(name=repr(twice[0])), about=file)
    missing = [card.image.name for card in cards if not card.image.is_file()]
    back = file.parent / text(data["back"], "back", LONGEST_FILE_NAME) if data.get("back") else None
    if back is not None and not back.is_file():
        missing.append(back.name)
    if missing:
        raise BadDeck(SetTrouble.PICTURE_MISSING(file=missing[0], count=len(missing)), about=file)
    return Deck(
        name=str(data.get("name", file.parent.name)),
        width_mm=size_mm[0],
        height_mm=size_mm[1],
        corner_radius_mm=number(given(data, "corner_radius_mm", 0.0), "corner_radius_mm", 0.0, min(size_mm) / 2),
        cards=cards,
        back=back,
    )


def _length(data: dict[str, Any], key: str, file: Path) -> float:
    value = number(part(data, key), key, -math.inf, math.inf)
    if not 10.0 <= value <= 300.0:
        raise BadDeck(SetTrouble.CARD_LENGTH(name=key, value=value), about=file)
    return value


def _card(entry: dict[str, Any], file: Path, size_mm: tuple[float, float]) -> Card:
    name = text(part(entry, "id", "[[card]] "), "[[card]] id")
    of = f"{name}: "
    colour, value = entry.get("colour"), entry.get("value")
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise BadInput(ArgumentRefusal.WHOLE_NUMBER(name=f"{of}value"))
    markers, qr = entry.get("marker", []), entry.get("qr")
    if not isinstance(markers, list):
        raise BadInput(ValueTrouble.NO_TABLES(place=f"{of}marker", written="[[card.marker]]"))
    return Card(
        id=name,
        image=file.parent / text(part(entry, "image", of), f"{of}image", LONGEST_FILE_NAME),
        colour=None if colour is None else text(colour, f"{of}colour"),
        value=value,
        markers=tuple(_marker(object_(each, f"{of}marker"), of, size_mm) for each in markers),
        qr=None if qr is None else _qr(object_(qr, f"{of}qr"), of, size_mm),
    )


def _marker(entry: dict[str, Any], of: str, size_mm: tuple[float, float]) -> PrintedMarker:
    dictionary = text(part(entry, "dictionary", f"{of}marker "), f"{of}marker dictionary")
    number_ = part(entry, "id", f"{of}marker ")
    if isinstance(number_, bool) or not isinstance(number_, int) or not 0 <= number_ < markers_in(dictionary):
        raise BadInput(
            ValueTrouble.NOT_IN_DICTIONARY(
                place=f"{of}marker id", marker=str(number_)[:MOST_SHOWN], dictionary=dictionary
            )
        )
    return PrintedMarker(dictionary, number_, *_printed_at(entry, f"{of}marker ", size_mm))


def _qr(entry: dict[str, Any], of: str, size_mm: tuple[float, float]) -> PrintedQr:
    written = part(entry, "text", f"{of}qr ")
    if not isinstance(written, str):
        raise BadInput(ValueTrouble.ANY_TEXT(place=f"{of}qr text"))
    return PrintedQr(written, *_printed_at(entry, f"{of}qr ", size_mm))


def _printed_at(entry: dict[str, Any], of: str, size_mm: tuple[float, float]) -> tuple[float, float, float]:
    """Size, x and y (mm) of what is printed on a card; its middle must lie on the card."""
    width, height = size_mm
    return (
        number(part(entry, "size_mm", of), f"{of}size_mm", 1.0, max(size_mm)),
        number(part(entry, "x_mm", of), f"{of}x_mm", 0.0, width),
        number(part(entry, "y_mm", of), f"{of}y_mm", 0.0, height),
    )


def deck_to_toml(deck: Deck) -> str:
    """The text of `deck`'s deck.toml; its pictures are named without their folder."""
    lines = [f"name = {_string(deck.name)}", f"width_mm = {deck.width_mm:g}", f"height_mm = {deck.height_mm:g}"]
    lines.append(f"corner_radius_mm = {deck.corner_radius_mm:g}")
    if deck.back is not None:
        lines.append(f"back = {_string(deck.back.name)}")
    for card in deck.cards:
        lines += ["", "[[card]]", f"id = {_string(card.id)}"]
        lines += [] if card.colour is None else [f"colour = {_string(card.colour)}"]
        lines += [] if card.value is None else [f"value = {card.value}"]
        lines.append(f"image = {_string(card.image.name)}")
        if card.qr is not None:
            lines += ["[card.qr]", f"text = {_string(card.qr.text)}", *_place(card.qr)]
        for marker in card.markers:
            lines += ["[[card.marker]]", f"dictionary = {_string(marker.dictionary)}", f"id = {marker.id}"]
            lines += _place(marker)
    return "\n".join(lines) + "\n"


def save_deck(folder: Path, deck: Deck) -> None:
    """Writes deck.toml whole, in place of an older one; the pictures are there already. Raises CannotDo if it
    cannot."""
    file = folder / "deck.toml"
    try:
        write_whole(file, deck_to_toml(deck).encode())
    except OSError as error:
        raise CannotDo(FileTrouble.NOT_WRITTEN(text=error.strerror), about=file) from None


def _place(printed: PrintedMarker | PrintedQr) -> list[str]:
    return [f"size_mm = {printed.size_mm:g}", f"x_mm = {printed.x_mm:g}", f"y_mm = {printed.y_mm:g}"]


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # what JSON escapes, TOML's basic strings escape alike
