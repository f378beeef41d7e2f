"""A deck folder in the making: every card is on disk, and in deck.toml, as soon as it is put in.

A picture taken at the table is kept in the sub-folder `taken`, too, as it was taken: what all the deck's pictures tell
about each is worked out from these, again when another card is learned. `taken/one-light.json` says from which of them
the deck's pictures were made last. It is written when all of these are there: at whatever moment a program is ended,
the deck does not seem finished.

Pictures that come from photographs are worked out from all of these, too. `photographed.json` holds what tells each
from one that was put in its place by hand: that one is not worked out again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena_cam.domain.cards import Card, Deck, PrintedMarker, PrintedQr
from arena_cam.domain.errors import BadInput, CannotDo
from arena_cam.formats.card_names import BACK_NAME, colour_and_value
from arena_cam.formats.deck_toml import read_deck, save_deck
from arena_cam.formats.messages import FileTrouble, SetTrouble
from arena_cam.formats.whole_file import write_whole

TAKEN = "taken"  # the sub-folder
LIGHT = "one-light.json"  # in it
PHOTOGRAPHED = "photographed.json"  # beside deck.toml
_PNG_END = 20  # bytes: checksums of its pixels and of its last piece, and the end's own twelve


class DeckFolder:
    """Adds cards to a deck folder, a new one or one begun before.

    Raises BadInput where the folder holds a deck of cards of another size, BadDeck where it holds a broken one.
    """

    def __init__(
        self, folder: Path, size_mm: tuple[float, float] | None, name: str | None = None, names: Sequence[str] = ()
    ) -> None:
        """`size_mm` None: that of the deck there. `names` is the order in which deck.toml names the cards."""
        self.folder = folder
        self._order = {name: k for k, name in enumerate(names)}
        self._deck: Deck | None = None
        if (folder / "deck.toml").exists():
            self._deck = read_deck(folder)
            there = (self._deck.width_mm, self._deck.height_mm)
            if size_mm is not None and max(abs(a - b) for a, b in zip(there, size_mm, strict=True)) > 0.05:
                raise BadInput(
                    SetTrouble.OTHER_SIZE(
                        folder=str(folder),
                        width_mm=f"{there[0]:g}",
                        height_mm=f"{there[1]:g}",
                        given_width_mm=f"{size_mm[0]:g}",
                        given_height_mm=f"{size_mm[1]:g}",
                    )
                )
            size_mm = there
        self.size_mm = size_mm
        self._name = name or (self._deck.name if self._deck is not None else folder.resolve().name)

    def has(self, name: str) -> bool:
        """Whether that card, or the back, is in the folder."""
        return self.picture(name) is not None

    def picture(self, name: str) -> Path | None:
        """The picture of that card, or of the back; None if it is not there yet."""
        if name == BACK_NAME and (self._deck is None or self._deck.back is None):
            return self._waiting_back()
        if self._deck is None:
            return None
        if name == BACK_NAME:
            return self._deck.back
        card = self._deck.by_id.get(name)
        return None if card is None else card.image

    def _waiting_back(self) -> Path | None:
        """A back that was put in before the first card, when there could be no deck.toml yet."""
        file = self.folder / f"{BACK_NAME}.png"
        return file if file.is_file() else None

    def taken(self) -> dict[str, Path]:
        """The pictures as they were taken at the table, by name; of cards from elsewhere there are none."""
        files = {name: self.folder / TAKEN / f"{name}.png" for name in (*self.cards, BACK_NAME) if self.has(name)}
        return {name: file for name, file in files.items() if file.is_file()}

    def fingerprints(self) -> dict[str, str]:
        """What tells the pictures as they were taken from others, by name: a PNG bears checksums of its pixels."""
        return {name: _fingerprint(file) for name, file in self.taken().items()}

    @property
    def uneven(self) -> bool:
        """Whether some picture is to be improved by what all of them tell: the program was ended before it was."""
        taken, lit = self.fingerprints(), self._lit()
        if lit is None:  # a deck of an earlier version: what was never improved is as it was taken
            return any(self._as_taken(name) for name in taken)
        return any(lit.get(name) != fingerprint for name, fingerprint in taken.items())

    def lit(self, fingerprints: Mapping[str, str]) -> None:
        """Keeps that the deck's pictures were made from those taken with these `fingerprints`. Raises CannotDo if it
        cannot be written."""
        if fingerprints:
            _write(self.folder / TAKEN / LIGHT, json.dumps(fingerprints, indent=1).encode())

    def _lit(self) -> dict[str, str] | None:
        """What the pictures were made from last; None where that is not known."""
        return _read(self.folder / TAKEN / LIGHT)

    def is_photographed(self, name: str) -> bool:
        """Whether the picture of that card, or of the back, is the one that was made from a photograph, neither taken
        at the table nor changed by hand since."""
        picture, known = self.picture(name), (_read(self.folder / PHOTOGRAPHED) or {}).get(name)
        return picture is not None and isinstance(known, list) and _fingerprint(picture) in known

    def photographed(self, pngs: Mapping[str, bytes]) -> None:
        """Keeps which pictures, by name, are made from photographs. To be told before they are put in; of each the last
        two are known, as the program may be ended in between. Raises CannotDo if it cannot be written."""
        known = _read(self.folder / PHOTOGRAPHED) or {}
        for name, png in pngs.items():
            before = known[name] if isinstance(known.get(name), list) else []
            known[name] = list(dict.fromkeys([_fingerprint_of(len(png), png), *before]))[:2]
        if pngs:
            _write(self.folder / PHOTOGRAPHED, json.dumps(known, indent=1).encode())

    def _as_taken(self, name: str) -> bool:
        picture = self.picture(name)
        return picture is not None and picture.read_bytes() == self.taken()[name].read_bytes()

    def improve(self, name: str, png: bytes) -> None:
        """Puts a better picture of the same card in place of the one that is there. Raises CannotDo if it cannot be
        written."""
        _write(self.folder / f"{name}.png", png)

    @property
    def cards(self) -> tuple[str, ...]:
        """The names of the cards that are there, without the back."""
        return () if self._deck is None else tuple(card.id for card in self._deck.cards)

    def put(
        self,
        name: str,
        png: bytes,
        corner_radius_mm: float,
        markers: tuple[PrintedMarker, ...] = (),
        qr: PrintedQr | None = None,
        *,
        taken: bool = False,
    ) -> None:
        """Keeps the picture of a card, with the marks that it bears, or of the back, in place of an earlier one;
        `taken`: as it was taken at the table, to be improved. `size_mm` must be known by now.

        Raises CannotDo if it cannot be written.
        """
        if self.size_mm is None:
            raise BadInput(SetTrouble.SIZE_UNKNOWN())
        file, as_taken = self.folder / f"{name}.png", self.folder / TAKEN / f"{name}.png"
        if taken:
            _write(as_taken, png)
        else:
            with suppress(OSError):  # there is none, mostly
                as_taken.unlink()
        _write(file, png)
        deck = self._deck or Deck(self._name, *self.size_mm, corner_radius_mm, (), self._waiting_back())
        if name == BACK_NAME:
            deck = replace(deck, name=self._name, corner_radius_mm=corner_radius_mm, back=file)
        else:
            colour, value = colour_and_value(name)
            new = Card(name, file, colour, value, markers, qr)
            cards = [card for card in deck.cards if card.id != name] + [new]
            cards.sort(key=lambda card: self._order.get(card.id, len(self._order)))
            deck = replace(deck, name=self._name, corner_radius_mm=corner_radius_mm, cards=tuple(cards))
        self._deck = deck
        if deck.cards:  # a deck.toml without cards is none; the back waits beside it for the first
            save_deck(self.folder, deck)


def _fingerprint(png: Path) -> str:
    """Length and last bytes: a deck's pictures are megabytes, and are asked for each time that the deck is opened."""
    with png.open("rb") as file:
        length = file.seek(0, os.SEEK_END)
        file.seek(max(0, length - _PNG_END))
        return _fingerprint_of(length, file.read())


def _fingerprint_of(length: int, end: bytes) -> str:
    return f"{length}-{end[-_PNG_END:].hex()}"


def _read(file: Path) -> dict[str, Any] | None:
    """What a file of ours says by name; None where there is none, or it was damaged."""
    try:
        said = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None
    return said if isinstance(said, dict) else None


def _write(file: Path, png: bytes) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, png)
    except OSError as error:
        raise CannotDo(FileTrouble.NOT_WRITTEN(text=error.strerror), about=file) from None
