"""The payloads for receivers: one JSON object for each thing that happened, and the state as a whole.

Texts are in the receiver's language, and the codes of the game record stand beside them. Nothing that is secret is
here: of choices nobody is told before all are in.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Protocol

from arena_cam.referee.game.snapshots import ruling_snapshot
from arena_cam.referee.interface import Snapshot
from arena_cam.store.receivers import Delivery

Json = dict[str, Any]

# Everything that is told of, by the names that receivers see.
KINDS = ("game.started", "line.added", "question.asked", "game.ended", "test")


class Say(Protocol):
    """How rulings and questions read in a language."""

    def ruling(self, ruling: Mapping[str, Any], game: str, language: str) -> str: ...

    def question(self, question: Mapping[str, Any], game: str, language: str) -> str: ...


def news(delivery: Delivery, contents: Mapping[str, Any], say: Say, language: str) -> Json:
    """One thing that happened, as Standard Webhooks wants it: `type`, `timestamp` (ISO 8601, UTC), `data`.

    `id` is the same whenever the same thing is told again. `contents` as `Receivers.contents` gives it.
    """
    data: Json = {}
    if delivery.game:
        data["game"] = {"id": delivery.game, "name": contents["name"], "game": contents["game"]}
    if delivery.kind == "line.added":
        game = str(contents["game"])
        rulings = [ruling_snapshot(ruling) for ruling in contents["rulings"]]
        data |= {key: contents[key] for key in ("line", "who", "throw", "event")}
        data["rulings"] = [
            {key: each[key] for key in ("code", "card", "player", "rule", "details")}
            | {"text": say.ruling(each, game, language)}
            for each in rulings
        ]
    elif delivery.kind == "question.asked":
        question = contents["question"]
        data["question"] = {"id": question["id"], "code": question["code"], "card": question.get("card")}
        data["question"]["text"] = say.question(question, str(contents["game"]), language)
    elif delivery.kind == "game.ended":
        data |= {key: contents["summary"].get(key) for key in ("scores", "winners", "over")}
    return {
        "id": identity(delivery),
        "type": delivery.kind,
        "timestamp": datetime.fromtimestamp(delivery.at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "data": data,
    }


def identity(delivery: Delivery) -> str:
    """What tells one thing that happened from all others; a game may end more than once, when it is gone on with."""
    item = delivery.item or str(delivery.id)
    return ".".join(("msg", delivery.game or "test", delivery.kind.replace(".", "-"), item))


def state(snapshot: Snapshot, say: Say, language: str) -> Json:
    """How things stand, as far as a lamp, a loudspeaker or a display wants it.

    `choosing`: whose secret choice is missing.
    """
    game, question = snapshot["game"], snapshot["question"]
    eye: Json = {
        "eye": snapshot["eye"]["state"],
        "camera": snapshot["camera"]["connected"],
        "paused": snapshot["paused"],
    }
    asked = say.question(question, game["game"], language) if game is not None and question is not None else None
    if game is None:
        return eye | {"game": None, "awaiting": None, "question": None, "choosing": [], "ruling": None}
    last = game["rulings"][-1] if game["rulings"] else None
    points = {player["name"]: player["points"] for player in game["players"]}
    return eye | {
        "game": {"id": game["id"], "name": game["name"], "game": game["game"]},
        "awaiting": None if game["over"] or game["ended"] else game["awaiting"],
        "round": game["round"],
        "points": points,
        "leading": [name for name, value in points.items() if value == max(points.values())],
        "choosing": sorted(game["may_choose"]),
        "question": asked,
        "ruling": say.ruling(last, game["game"], language) if last is not None else None,
        "ruling_code": last["code"] if last is not None else None,
        "over": game["over"] or game["ended"],
        "winners": game["winners"],
    }
