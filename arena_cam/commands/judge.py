"""`arena-cam judge`: each picture on its own."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2

from arena_cam.camera.folder import read_picture
from arena_cam.camera.frame import Frame
from arena_cam.commands.options.cache_folder import picture_cache
from arena_cam.commands.tables.table_file import table_for
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput, BadPicture
from arena_cam.domain.lies import Reading, Unreadable
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.judgement import error_to_json, judgement_to_json
from arena_cam.referee.game.part import find_part
from arena_cam.rules import USUAL_GAME
from arena_cam.vision import open_eye
from arena_cam.vision.photographs.ordinary_reader import OrdinaryReader

EXAMPLE = "arena-cam judge --table table.json --deck decks/printed --challenge red-8 still-00.jpg"

ORDINARY = "ordinary"

Read = Callable[[Frame], Reading | Unreadable]
Judge = Callable[[Reading], dict[str, Any]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("frames", nargs="+", type=Path, metavar="FRAME", help="a picture; give as many as you like")
    parser.add_argument(
        "--deck",
        type=Path,
        required=True,
        help="the deck's folder (deck.toml and pictures); or the word ordinary: any pack of 52 with corner indices",
    )
    parser.add_argument("--table", type=Path, help="table.json; without it cards are named and ordered only")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--challenge", metavar="ID", help="the challenge card, the same in all pictures")
    which.add_argument(
        "--challenge-file", type=Path, metavar="FILE", help="JSON: picture's file name -> challenge card"
    )
    parser.add_argument("--game", choices=["hexes"], help="photographs of this game's boards (default: of cards)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    cv2.setNumThreads(1)  # threads that wait for each other burn more than they save
    if args.game == "hexes":
        from arena_cam.commands.boards import photographs

        return photographs.judge(args)
    read, judge = _of_any_pack(args) if str(args.deck) == ORDINARY else _of_deck(args)
    failed = False
    for number, file in enumerate(args.frames):
        answer = _answer(file, number, read, judge)
        failed |= "error" in answer
        print(json.dumps(answer) if args.json else _in_words(answer), flush=True)
    if failed:
        print("arena-cam judge: some pictures could not be judged; their lines say why", file=sys.stderr)
    return 2 if failed else 0


def _of_deck(args: argparse.Namespace) -> tuple[Read, Judge]:
    deck = read_deck(args.deck)
    challenges = _challenges(args, deck)
    table = table_for("judge", args.table) if args.table is not None else None
    eye = open_eye(table, deck, cache=picture_cache())

    def judge(reading: Reading) -> dict[str, Any]:
        if not reading.lies or any(lie.landing is None for lie in reading.lies):
            return judgement_to_json(reading)
        return judgement_to_json(reading, find_part(USUAL_GAME).judge(reading, deck, challenges(reading.frame)))

    return lambda frame: eye.judge(frame, challenge=challenges(frame.name)), judge


def _of_any_pack(args: argparse.Namespace) -> tuple[Read, Judge]:
    if args.table is not None or args.challenge is not None or args.challenge_file is not None:
        raise BadInput(
            f"--deck {ORDINARY} names the cards of any table; for a measured table give the deck's own folder"
        )
    return OrdinaryReader().read, judgement_to_json


def _challenges(args: argparse.Namespace, deck: Deck) -> Callable[[str], str | None]:
    """From a picture's file name to the challenge card's id, None where the lowest flat card is to be taken."""
    if args.challenge is not None:
        _known(args.challenge, deck)
    if args.challenge_file is None:
        return lambda _: args.challenge
    try:
        table: Any = json.loads(args.challenge_file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"{args.challenge_file}: cannot be read ({error.strerror}); check the name") from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{args.challenge_file}: is not JSON ({error}); mend that place") from None
    if not isinstance(table, dict):
        raise BadInput(f"{args.challenge_file}: must hold an object from file names to card ids")
    for card in table.values():
        _known(card, deck)
    return lambda name: table.get(name)


def _known(card: Any, deck: Deck) -> None:
    if card is not None and card not in deck.by_id:
        raise BadInput(f"the deck {deck.name} has no card {card!r}; its first is called {deck.cards[0].id!r}")


def _answer(file: Path, number: int, read: Read, judge: Judge) -> dict[str, Any]:
    try:
        image = read_picture(file)
    except BadPicture as error:
        return error_to_json(file.name, str(error))
    reading = read(Frame(image, 0.0, number, "pictures", file.name))
    return judgement_to_json(reading) if isinstance(reading, Unreadable) else judge(reading)


def _in_words(answer: dict[str, Any]) -> str:
    """The same for people: a line a picture, a line a card."""
    if "error" in answer:
        return f"{answer['frame']}: {answer['error']}"
    said = f"duelling card {answer['duelling']}" if answer["duelling"] else "no duelling card"
    sure = "" if answer["sure"] else f" - not sure: {'; '.join(answer['why_unsure'])}"
    lines = [f"{answer['frame']}: challenge {answer['challenge'] or 'none'}, {said}{sure}"]
    for card in answer["cards"]:
        name = card["id"] or "a card face down"
        how = (
            f"{card['landing']} ({card['confidence']:.0%}), tilted {card['tilt_deg']:.1f} deg"
            if card["landing"]
            else ""
        )
        on = f", on {', '.join(str(c) for c in card['rests_on'])}" if card["rests_on"] else ""
        lines.append(f"  {name}: {how}{on}{'' if card['sure'] else ' ?'}")
    return "\n".join(lines)
