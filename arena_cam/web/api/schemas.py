"""The API's components: JSON schemas of everything that is sent and answered, made from the typed dictionaries."""

from __future__ import annotations

from typing import Any, TypedDict

import msgspec

from arena_cam.referee.answers import (
    Accepted,
    Corrected,
    Done,
    Health,
    JudgedAgain,
    PhotoTaken,
    PictureTaken,
    Preview,
    answers_to,
)
from arena_cam.referee.game.part import every_action, phone_actions
from arena_cam.referee.integrations.programs import ProgramsSnapshot, Secret
from arena_cam.referee.interface import GameDetail, GameSummary, LineDetail, Snapshot, ThrowDetail, ThrowSummary
from arena_cam.referee.setup.arguments import SETUP_ACTIONS
from arena_cam.referee.setup.interface import SetupSnapshot
from arena_cam.web.access.upkeep import Arrived, UpkeepState
from arena_cam.web.api.bodies import LONGEST_NAME, BrokerWanted, Choosing, Seat, TokenWanted, WebhookWanted

Schema = dict[str, Any]
REFERENCE = "#/components/schemas/{name}"


class Why(TypedDict):
    """`code` is stable; `message` says in the page's language what happened and what to do."""

    code: str
    message: str


class Error(TypedDict):
    error: Why


class Seated(TypedDict):
    """Whose seat this browser holds."""

    player: str | None


class Opened(TypedDict):
    """`address`: of its page."""

    id: str
    address: str


class Regions(TypedDict):
    """HTML by the name of the part of the page that it replaces."""

    regions: dict[str, str]


class HealthHere(Health):
    """`open_streams`: pages that hang on at this moment."""

    open_streams: int


class TrayMeasured(TypedDict):
    inner_mm: list[float]
    fiducial_mm: float


class TableWritten(TypedDict):
    name: str


class Named(TypedDict):
    """What it is called from now on."""

    id: str


class Call(TypedDict):
    call: str
    summary: str


class Index(TypedDict):
    """Where the description is, and every call in a line."""

    description: str
    calls: list[Call]


_ANSWERS = [Accepted, Corrected, Done, Error, GameDetail, GameSummary, HealthHere, Index, JudgedAgain, LineDetail]
_ANSWERS += [Opened, Preview, Regions, Seated, SetupSnapshot, Snapshot, TableWritten, ThrowDetail, ThrowSummary]
_ANSWERS += [TrayMeasured, PhotoTaken, PictureTaken, ProgramsSnapshot, Secret, Named, Arrived, UpkeepState]
_WHO = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME, "description": "Who does it, for the log"}
_OF_SETUP = {"measure_tray": TrayMeasured, "write_table": TableWritten}


def components() -> dict[str, Schema]:
    """All schemas by name. Requests hold no other keys; a game may add keys to an answer."""
    actions = every_action()
    taken = [Choosing, Seat, TokenWanted, WebhookWanted, BrokerWanted, *actions.values(), *SETUP_ACTIONS.values()]
    given = [answer for name, takes in actions.items() for answer in answers_to(name, takes)]
    _, found = msgspec.json.schema_components(dict.fromkeys([*_ANSWERS, *taken, *given]), ref_template=REFERENCE)
    for takes in taken:
        found[takes.__name__]["additionalProperties"] = False
    for takes in actions.values():  # every action may say who does it
        found[takes.__name__]["properties"]["who"] = _WHO
    return found | {_own(takes): _of_oneself(found[takes.__name__]) for takes in phone_actions().values()}


def reference(kind: type) -> Schema:
    return {"$ref": REFERENCE.format(name=kind.__name__)}


def own_reference(takes: type) -> Schema:
    """What a phone sends for its own player: `takes` without the player's name."""
    return {"$ref": REFERENCE.format(name=_own(takes))}


def _own(takes: type) -> str:
    return f"Own{takes.__name__}"


def _of_oneself(schema: Schema) -> Schema:
    told = {name: each for name, each in schema["properties"].items() if name not in ("player", "who")}
    return schema | {"properties": told, "required": [name for name in schema["required"] if name != "player"]}


def acted(action: str, takes: type) -> Schema:
    """What a referee's action answers."""
    answers = [reference(kind) for kind in answers_to(action, takes)]
    return answers[0] if len(answers) == 1 else {"anyOf": answers}


def set_up(action: str) -> type:
    """What an action of the set-up answers."""
    return _OF_SETUP.get(action, Done)
