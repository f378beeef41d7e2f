"""Reads and writes a deck folder: deck.toml and one picture a face."""

from __future__ import annotations

import json
import math
import os
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from arena_cam.domain.cards import Card, Deck, PrintedMarker, PrintedQr
from arena_cam.domain.errors import BadDeck, CannotDo


def read_deck(folder: Path | str) -> Deck:
    """The deck in `folder`. Raises BadDeck, saying what is wrong and what to do, if it cannot be used."""
    folder = Path(folder)
    file = folder / "deck.toml" if folder.name != "deck.toml" else folder
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadDeck(f"{file}: cannot be read ({error.strerror}); give the folder that holds deck.toml") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadDeck(f"{file}: is not TOML ({error}); mend that place") from None
    try:
        return _deck(data, file)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, BadDeck):
            raise
        what = f"key {error} is missing" if isinstance(error, KeyError) else str(error)
        raise BadDeck(f"{file}: {what}; see docs/conventions.md for what a deck needs") from None


def _deck(data: dict[str, Any], file: Path) -> Deck:
    cards = tuple(_card(entry, file) for entry in data.get("card", []))
    if not cards:
        raise BadDeck(f"{file}: names no cards; each card needs a [[card]] with id and image")
    twice = [name for name, count in Counter(card.id for card in cards).items() if count > 1]
    if twice:
        raise BadDeck(f"{file}: {twice[0]!r} is there twice; give each card its own id")
    missing = [card.image.name for card in cards if not card.image.is_file()]
    back = file.parent / str(data["back"]) if data.get("back") else None
    if back is not None and not back.is_file():
        missing.append(back.name)
    if missing:
        raise BadDeck(f"{file}: the picture {missing[0]} is missing ({len(missing)} in all); put it into that folder")
    return Deck(
        name=str(data.get("name", file.parent.name)),
        width_mm=_length(data, "width_mm", file),
        height_mm=_length(data, "height_mm", file),
        corner_radius_mm=float(data.get("corner_radius_mm", 0.0)),
        cards=cards,
        back=back,
    )


def _length(data: dict[str, Any], key: str, file: Path) -> float:
    value = float(data[key])
    if not (math.isfinite(value) and 10.0 <= value <= 300.0):
        raise BadDeck(f"{file}: {key} is {value}; give the card's size in millimetres, between 10 and 300")
    return value


def _card(entry: dict[str, Any], file: Path) -> Card:
    qr = entry.get("qr")
    return Card(
        id=str(entry["id"]),
        image=file.parent / str(entry["image"]),
        colour=str(entry["colour"]) if "colour" in entry else None,
        value=int(entry["value"]) if "value" in entry else None,
        markers=tuple(
            PrintedMarker(
                dictionary=str(m["dictionary"]),
                id=int(m["id"]),
                size_mm=float(m["size_mm"]),
                x_mm=float(m["x_mm"]),
                y_mm=float(m["y_mm"]),
            )
            for m in entry.get("marker", [])
        ),
        qr=None
        if qr is None
        else PrintedQr(str(qr["text"]), float(qr["size_mm"]), float(qr["x_mm"]), float(qr["y_mm"])),
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
    fresh = folder / "deck.toml.new"
    try:
        with fresh.open("w", encoding="utf-8") as out:
            out.write(deck_to_toml(deck))
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(file)
    except OSError as error:
        raise CannotDo(f"{file}: cannot be written ({error.strerror}); name a folder where you may write") from None


def _place(printed: PrintedMarker | PrintedQr) -> list[str]:
    return [f"size_mm = {printed.size_mm:g}", f"x_mm = {printed.x_mm:g}", f"y_mm = {printed.y_mm:g}"]


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # what JSON escapes, TOML's basic strings escape alike
