"""A short round on the simulated table as a folder of JPEG frames, for measurements without a camera."""

from __future__ import annotations

import json
from pathlib import Path

import cv2

from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Landing
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.table_json import table_to_json
from arena_cam.printing.deck import Faces, default_deck
from arena_cam.simulation.arena.actions import Action, LayChallenge, Throw, Wait
from arena_cam.simulation.arena.table import SimulatedTable
from arena_cam.simulation.source import SimulatedSource

FPS = 15.0
JPEG_QUALITY = 92


def write_video(folder: Path, frames: int, *actions: Action, faces: Faces = Faces.CODES) -> tuple[Path, Path, Path]:
    """Writes `frames` pictures of what `actions` do; returns the frames' folder, table.json and the deck's folder."""
    deck_folder = default_deck(folder / "deck", faces)
    deck = read_deck(deck_folder)
    table = SimulatedTable(deck)
    (folder / "table.json").write_text(json.dumps(table_to_json(table.table())), encoding="utf-8")
    pictures = folder / "frames"
    pictures.mkdir()
    table.perform(*actions)
    source = SimulatedSource(table, fps=FPS, live=False, frames=frames)
    while (frame := source.read()) is not None:
        name = str(pictures / f"{frame.sequence:05d}.jpg")
        cv2.imwrite(name, frame.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return pictures, folder / "table.json", deck_folder


def a_round(deck: Deck) -> list[Action]:
    """A challenge and four throws, as close upon each other as people throw."""
    challenge, *thrown = [card.id for card in deck.cards[:: max(1, len(deck.cards) // 5)]][:5]
    landings = (Landing.FLAT, Landing.FLAT, Landing.DIAGONAL, Landing.EDGE)
    throws = [Throw(card, landing) for card, landing in zip(thrown, landings, strict=True)]
    return [Wait(0.5), LayChallenge(challenge), *[a for throw in throws for a in (Wait(0.8), throw)]]
