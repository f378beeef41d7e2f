"""`arena-cam random-game`: makes up a legal game record, for tests and for the simulated table."""

from __future__ import annotations

import argparse
import json
import random
import sys
from typing import Any

from arena_cam.commands.messages import CommandRefusal
from arena_cam.commands.options.language import add_lang_option
from arena_cam.domain.errors import BadInput, Refused
from arena_cam.formats.game_record import write_line
from arena_cam.rules import all_games
from arena_cam.rules.random_play import random_events, random_header

EXAMPLE = "arena-cam random-game arena --seed 7 --players 4 > game.jsonl"

_MOST_EVENTS = 10_000  # far more than any game needs, so that a game to a target of 10000 points ends as well


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `arena-cam random-game`."""
    parser.add_argument(
        "game", choices=sorted(all_games()), metavar="GAME", help=f"one of {', '.join(sorted(all_games()))}"
    )
    add_lang_option(parser)
    parser.add_argument("--seed", type=int, default=0, help="the same seed makes the same game (default: 0)")
    parser.add_argument("--players", type=int, metavar="N", help="how many play (default: any number)")
    parser.add_argument("--house-rules", action="store_true", help="play by any house rules and variants")
    parser.add_argument("--options", type=_json, metavar="JSON", help="play by these, such as '{\"rounds\": 3}'")
    parser.add_argument("--events", type=int, default=_MOST_EVENTS, metavar="N", help="stop after so many events")


def _json(words: str) -> Any:
    try:
        return json.loads(words)
    except (ValueError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"is no JSON ({error}); give an object, such as '{{\"rounds\": 3}}'") from None


def run(args: argparse.Namespace) -> int:
    """Prints a record. Raises BadInput if so many players cannot play."""
    game = all_games()[args.game]
    if args.players is not None and args.players not in game.players:
        low, high = game.players[0], game.players[-1]
        raise BadInput(CommandRefusal.PLAYER_COUNT(count=args.players, game=game.name, least=low, most=high))
    choose = random.Random(args.seed).choice
    header = random_header(game, choose, args.players, args.house_rules)
    if args.options is not None:
        header["options"] = args.options
    try:
        lines = [write_line(line) for line in (header, *random_events(game, header, choose, args.events))]
    except Refused as refused:
        raise BadInput(refused.said) from None
    sys.stdout.write("".join(lines))
    return 0
