"""The pack that tricks are played with: which cards it must have, and what it is seen with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput
from arena_cam.domain.table import Table
from arena_cam.formats.deck_toml import read_deck
from arena_cam.referee.game.eye import Eye, Watching
from arena_cam.referee.games.tricks.messages import PackRefusal
from arena_cam.rules.games.tricks.engine import CARDS
from arena_cam.vision.drawing.overlay import Label, draw_layers
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.photographs.cloth_watcher import ClothWatcher
from arena_cam.vision.photographs.ordinary_sequence import OrdinarySequence
from arena_cam.vision.photographs.reader import PhotographReader

MOST_NAMED = 5  # of cards that are missing
RED, BLACK, PAPER = (46, 38, 196), (20, 20, 20), (255, 255, 255)  # blue, green, red


def read_pack(folder: Path) -> Deck:
    """The deck in `folder`. Raises BadDeck, and BadInput where a card of the 52 is missing."""
    deck = read_deck(folder)
    missing = lacked_by(deck)
    if missing:
        raise BadInput(PackRefusal.NOT_A_PACK(deck=deck.name, cards=missing))
    return deck


def lacked_by(deck: Deck) -> tuple[str, ...]:
    """The first few of the 52 cards that a deck does not have."""
    missing = [card for card in CARDS if card not in deck.by_id]
    return (*missing[:MOST_NAMED], "...") if len(missing) > MOST_NAMED else tuple(missing)


def card_label(card: str) -> Label:
    """How a card is written over the camera's picture: "TH" as 10H in red on white."""
    return Label(card.replace("T", "10"), PAPER, RED if card[-1:] in "HD" else BLACK)


def cloth_eye(deck: Deck) -> Eye:
    """An eye over a cloth, for a session."""
    faces = DeckFaces(deck)
    return Eye(
        None,
        deck,
        lambda _fps: ClothWatcher(PhotographReader(faces)),
        lambda image, reading, pose, layers: draw_layers(image, None, reading, pose, layers, card_label),
        _files(deck),
        _watcher_of,
    )


def cloth_eye_of_any_pack() -> Eye:
    """An eye over a cloth for a pack that was never learned: cards are known by their corner indices."""
    return Eye(
        None,
        None,
        lambda _fps: ClothWatcher(OrdinarySequence()),
        lambda image, reading, pose, layers: draw_layers(image, None, reading, pose, layers, card_label),
        watcher_of=_watcher_of,
    )


def _watcher_of(table: Table | None, deck: Deck | None) -> Callable[[float], Watching] | None:
    """The eye for plays that were seen with another pack; what was seen on a measured table is another game's."""
    if table is not None:
        return None
    return cloth_eye(deck).make_watcher if deck is not None else cloth_eye_of_any_pack().make_watcher


def _files(deck: Deck) -> dict[str, bytes]:
    """The pack as it is kept with the games: deck.toml and its pictures."""
    folder = deck.cards[0].image.parent
    pictures = sorted({card.image for card in deck.cards} | ({deck.back} if deck.back is not None else set()))
    files = [file for file in (folder / "deck.toml", *pictures) if file.is_file()]
    return {f"deck/{file.relative_to(folder).as_posix()}": file.read_bytes() for file in files}
