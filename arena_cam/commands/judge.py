"""`arena-cam judge`: each picture on its own."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena_cam.camera.folder import read_picture
from arena_cam.camera.frame import Frame
from arena_cam.commands.options.cache_folder import picture_cache
from arena_cam.commands.tables.table_file import table_for
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput, BadPicture
from arena_cam.domain.lies import Reading, Unreadable
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.judgement import error_to_json, judgement_to_json
from arena_cam.referee.games.arena.judging import judge_reading
from arena_cam.vision import open_eye

EXAMPLE = "arena-cam judge --table table.json --deck decks/printed --challenge red-8 still-00.jpg"

Read = Callable[[Frame, str | None], Reading | Unreadable]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("frames", nargs="+", type=Path, metavar="FRAME", help="a picture; give as many as you like")
    parser.add_argument("--deck", type=Path, required=True, help="the deck's folder (deck.toml and pictures)")
    parser.add_argument("--table", type=Path, help="table.json; without it cards are named and ordered only")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--challenge", metavar="ID", help="the challenge card, the same in all pictures")
    which.add_argument(
        "--challenge-file", type=Path, metavar="FILE", help="JSON: picture's file name -> challenge card"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    deck = read_deck(args.deck)
    challenges = _challenges(args, deck)
    read = _reader(args.table, deck)
    failed = False
    for number, file in enumerate(args.frames):
        answer = _answer(file, number, read, deck, challenges)
        failed |= "error" in answer
        print(json.dumps(answer) if args.json else _in_words(answer), flush=True)
    if failed:
        print("arena-cam judge: some pictures could not be judged; their lines say why", file=sys.stderr)
    return 2 if failed else 0


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


def _reader(table: Path | None, deck: Deck) -> Read:
    eye = open_eye(table_for("judge", table) if table is not None else None, deck, cache=picture_cache())
    return lambda frame, challenge: eye.judge(frame, challenge=challenge)


def _answer(file: Path, number: int, read: Read, deck: Deck, challenges: Callable[[str], str | None]) -> dict[str, Any]:
    try:
        image = read_picture(file)
    except BadPicture as error:
        return error_to_json(file.name, str(error))
    reading = read(Frame(image, 0.0, number, "pictures", file.name), challenges(file.name))
    if isinstance(reading, Unreadable):
        return judgement_to_json(reading)
    if any(lie.landing is None for lie in reading.lies) or not reading.lies:
        return judgement_to_json(reading)
    return judgement_to_json(reading, judge_reading(reading, deck, challenges(file.name)))


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
