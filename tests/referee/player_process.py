"""A process that plays as fast as it can and says on stdout what its pages were told, until somebody kills it.

Run as `python -m referee.player_process FOLDER SEED [GAME]` with the tests' folder on the path.
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

from referee.builders import PLAYERS, Evening
from referee.playing_games import GAMES, play_one


def main(folder: str, seed: int, game: str = "arena") -> None:
    chance = random.Random(seed)
    evening: Any = Evening(Path(folder)) if game == "arena" else GAMES[game](Path(folder))
    viewer = evening.session.subscribe()
    while True:
        if game == "arena":
            play(evening, chance)
        else:
            play_one(evening, chance)
        message = viewer.next(0.0)
        if message is not None:
            tell(json.loads(message["data"]))


def tell(snapshot: dict[str, Any]) -> None:
    """One line: the game, how many lines it has, the last ruling, who has chosen, which throws are on the table."""
    game = snapshot["game"]
    if game is not None:
        told = {
            "game": game["id"],
            "lines": game["lines"],
            "rulings": [[r["line"], r["code"], r.get("card")] for r in game["rulings"]],
            "choices_made": game["choices_made"],
            "points": {p["name"]: p["points"] for p in game["players"]},
            "throws": [c["throw"] for c in snapshot["cards"] if c["line"] is not None]
            + [board["photo"] for board in game.get("boards", []) if board["photo"]],
            "drawn": game.get("drawn", []),
        }
        os.write(1, json.dumps(told).encode() + b"\n")


def play(evening: Evening, chance: random.Random) -> None:
    """One thing that can be done now."""
    snapshot: Any = evening.session.snapshot()
    game = snapshot["game"]
    if game is None or game["ended"] or game["over"]:
        evening.act("start_game", players=PLAYERS)
    elif snapshot["question"] is not None:
        question = snapshot["question"]
        choice = chance.choice([c["id"] for c in question["choices"] if not c["asks_card"]])
        try:
            evening.act("answer_question", id=question["id"], choice=choice)
        except Exception:
            evening.act("answer_question", id=question["id"], choice=question["choices"][0]["id"])
    elif game["awaiting"] == "challenge":
        evening.frame(*evening.hand.sweeps())
        player = next(p for p in game["players"] if p["is_provocateur"])
        evening.rests(chance.choice(player["hand"]))
    elif game["awaiting"] == "throws":
        throw_or_wait(evening, game, chance)
    elif game["awaiting"] == "duel":
        player, choices = chance.choice(sorted(game["may_choose"].items()))
        evening.act("duel_choice", player, player=player, choice=chance.choice(choices))
    else:
        evening.frame(*evening.hand.sweeps())


def throw_or_wait(evening: Evening, game: dict[str, Any], chance: random.Random) -> None:
    hands = [card for p in game["players"] if not p["is_provocateur"] for card in p["hand"]]
    hands = [card for card in hands if card not in evening.hand.lies]
    if not hands or chance.random() < 0.3:
        for _ in range(13):
            evening.frame(after_s=0.9)
        return
    on = chance.sample(sorted(evening.hand.lies), min(1, len(evening.hand.lies)))
    landing = chance.choice(["flat", "flat", "diagonal", "edge", "beside"])
    evening.rests(chance.choice(hands), landing, on=on, sure=chance.random() < 0.9)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
