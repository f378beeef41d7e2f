"""`arena-cam watch --game tricks`: cards laid on any table, a record of the deal out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from arena_cam.camera.frame import FrameSource
from arena_cam.camera.open_source import open_source
from arena_cam.domain.errors import BadInput, BadPicture, BadRecord, CameraLost
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.game_record import play_record, read_record, write_line
from arena_cam.formats.judgement import lie_to_json
from arena_cam.rules.games.tricks.interpret import is_play
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.photographs.laid_cards import LaidCard, LaidCards
from arena_cam.vision.photographs.reader import PhotographReader

_LIVE_SIZE = (1280, 720)


def watch_tricks(args: argparse.Namespace) -> int:
    """Prints the record as it happens; the exit status."""
    if args.deck is None or str(args.deck) == "ordinary":
        raise BadInput("watching tricks needs a pack that was learned; give --deck FOLDER (arena-cam deck learn)")
    if args.source == "sim":
        raise BadInput("the simulated table plays the arena; for tricks give a folder, a video file or a camera")
    header = _header(args.players)
    source = open_source(args.source, args.fps, _LIVE_SIZE)
    eye = LaidCards(PhotographReader(DeckFaces(read_deck(Path(args.deck)))))
    _say(header, args.json)
    _say({"type": "deal", "at": 0.0}, args.json)
    try:
        clean = _watch(source, eye, as_json=args.json)
    finally:
        source.close()
    return 0 if clean else 2


def _header(players: str | None) -> dict[str, Any]:
    """Two players, the non-dealer first, who leads. Raises BadInput for names that a record may not hold."""
    names = players.split(",") if players else ["1", "2"]
    header = {
        "game": "tricks",
        "version": 1,
        "players": [{"name": name} for name in names],
        "dealer": names[-1],
    }
    try:
        play_record(read_record(write_line(header).encode()))
    except BadRecord as error:
        raise BadInput(
            f"--players: {error.message}; give two names, the non-dealer's first: --players Ana,Ben"
        ) from None
    return header


def _watch(source: FrameSource, eye: LaidCards, *, as_json: bool) -> bool:
    """Watches to the end of `source`; whether every picture could be read."""
    clean = True
    played: set[str] = set()
    while True:
        try:
            frame = source.read()
            if frame is None:
                return clean
            for laid in eye.feed(frame):
                card = laid.lie.card
                if card is not None and is_play(card, played):
                    played.add(card)
                    _say(_play(card, laid), as_json)
        except BadPicture as error:
            clean = False
            print(f"arena-cam watch: {error}", file=sys.stderr, flush=True)
        except CameraLost as error:
            if not source.live:
                raise
            print(f"arena-cam watch: {error}; waiting for it to come back", file=sys.stderr, flush=True)


def _play(card: str, laid: LaidCard) -> dict[str, Any]:
    return {"type": "play", "card": card, "at": round(laid.at_s, 3), "seen": lie_to_json(laid.lie)}


def _say(line: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(write_line(line).rstrip("\n"), flush=True)
    elif "game" in line:
        print(f"tricks: {', '.join(player['name'] for player in line['players'])}", flush=True)
    elif line["type"] == "deal":
        print("deal", flush=True)
    else:
        doubt = "" if line["seen"]["sure"] else " (not sure)"
        print(f"{line['at']:7.2f} s  play {line['card']}{doubt}", flush=True)
