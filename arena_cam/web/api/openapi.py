"""The API's description (OpenAPI 3.1). A test holds it against the routes that there are, in both directions.

Every answer that there can be is named: an answer that is not, such as a fault of the server, is a defect that a fuzzer
finds from the description alone.
"""

from __future__ import annotations

import re
from typing import Any

from arena_cam import __version__
from arena_cam.referee.answers import Accepted, Done, JudgedAgain, PhotoTaken, PictureTaken
from arena_cam.referee.game.part import every_action, phone_actions
from arena_cam.referee.integrations.programs import ProgramsSnapshot, Secret
from arena_cam.referee.interface import LAYERS, GameDetail, GameSummary, LineDetail, Snapshot, ThrowDetail, ThrowSummary
from arena_cam.referee.setup.arguments import SETUP_ACTIONS
from arena_cam.referee.setup.interface import SetupSnapshot
from arena_cam.web.access.upkeep import Arrived, UpkeepState
from arena_cam.web.api import schemas
from arena_cam.web.api.bodies import BrokerWanted, Choosing, Seat, TokenWanted, WebhookWanted
from arena_cam.web.live.regions import VIEWS

Json = dict[str, Any]
Schema = type | Json

_DESCRIPTION = (
    "What the pages use. A program sends its token as Authorization: Bearer TOKEN. A browser's requests that change "
    "something carry the header X-CSRF-Token, whose value is in every page's meta element csrf-token; those marked "
    "with `pin` need a browser that logged in. Every refusal is an Error with a stable code: docs/api.md lists them."
)
_SECURITY = {
    "pin": {"type": "apiKey", "in": "cookie", "name": "arena_cam", "description": "Set by POST /login"},
    "token": {"type": "http", "scheme": "bearer", "description": "Made at /programs or with arena-cam token"},
}
_REFUSED: Json = {
    "description": "Why not: a stable code and a sentence",
    "content": {"application/json": {"schema": schemas.reference(schemas.Error)}},
}
_ERROR = {"$ref": "#/components/responses/Error"}
_BYTES: Json = {"type": "string", "format": "binary"}
_TEXT: Json = {"type": "string"}
_PICTURE: Json = {"image/jpeg": {"schema": _BYTES}, "image/png": {"schema": _BYTES}}
_LONGEST_ID = 100


def describe() -> Json:
    """The description as one JSON object."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "arena-cam", "version": __version__, "description": _DESCRIPTION},
        "components": {
            "securitySchemes": _SECURITY,
            "schemas": schemas.components(),
            "responses": {"Error": _REFUSED},
        },
        "paths": _named(
            _looking()
            | _sitting()
            | _photos()
            | _throws()
            | _opened()
            | _games()
            | _programs()
            | _upkeep()
            | _setting_up()
            | _acting()
        ),
    }


def _named(paths: Json) -> Json:
    """The operations, each with a unique id such as get_throws_throw, from which clients are generated."""
    return {
        path: {
            method: {"operationId": "_".join([method, *re.findall(r"[a-z]+", path)[1:]])} | operation
            for method, operation in operations.items()
        }
        for path, operations in paths.items()
    }


def _operation(summary: str, content: Schema, *, take: Schema | None = None, pin: bool = False, **more: Any) -> Json:
    """One call. `content`: what it answers, a type or a table of media types; `take`: what it is sent.

    `pin`: by the referee, or by a program with a token for it.
    """
    answers: Json = {"200": {"description": "Done", "content": _content(content)}, "4XX": _ERROR}
    operation: Json = {"summary": summary, "responses": answers | more.pop("answers", {})}
    if take is not None:
        operation["requestBody"] = {"required": True, "content": _content(take)}
        operation["responses"]["507"] = _ERROR  # the disk is full
    if pin:
        operation["security"] = [{"pin": []}, {"token": []}]
    return operation | more


def _content(kind: Schema) -> Json:
    """As JSON by its schema, where it is no table of media types already."""
    if isinstance(kind, dict) and any("/" in key for key in kind):
        return kind
    return {"application/json": {"schema": kind if isinstance(kind, dict) else schemas.reference(kind)}}


def _list(kind: type) -> Json:
    return {"type": "array", "items": schemas.reference(kind)}


def _in_path(*names: str, **schema: Any) -> list[Json]:
    described = {"type": "string", "minLength": 1, "maxLength": _LONGEST_ID} | schema
    return [{"name": name, "in": "path", "required": True, "schema": described} for name in names]


def _in_query(name: str, description: str, **schema: Any) -> Json:
    return {"name": name, "in": "query", "required": False, "description": description, "schema": schema}


def _looking() -> Json:
    health = {"503": {"description": "Something needs a person", "content": _content(schemas.HealthHere)}}
    events = {"text/event-stream": {"schema": _TEXT}}
    full = {"503": _ERROR}
    view = _in_path("view", enum=list(VIEWS))
    number = {"type": "integer", "minimum": -1, "maximum": 10**15 - 1}
    after = _in_query("after", "Wait for a picture newer than this number", **number)
    layer = "|".join(LAYERS)
    layers = _in_query("layers", "Names with commas between", type="string", pattern=f"^(({layer})(,({layer}))*)?$")
    live = _operation(
        "The newest picture; waits for one newer than `after`",
        {"image/jpeg": {"schema": _BYTES}},
        answers={"204": {"description": "None came"}},
        parameters=[after, layers],
    )
    return {
        "/api/": {"get": _operation("Every call in a line", schemas.Index)},
        "/api/state": {"get": _operation("The whole state", Snapshot)},
        "/api/health": {"get": _operation("For monitoring", schemas.HealthHere, answers=health)},
        "/api/openapi.json": {"get": _operation("This description", {"type": "object"})},
        "/api/regions/{view}": {"get": _operation("A page's regions as HTML", schemas.Regions, parameters=view)},
        "/api/stream/{view}": {
            "get": _operation("A page's changed regions as server-sent events", events, answers=full, parameters=view)
        },
        "/api/cards/{card}": {
            "get": _operation(
                "A card of the deck in use, or its back",
                {"image/jpeg": {"schema": _BYTES}},
                parameters=_in_path("card"),
            )
        },
        "/api/events": {"get": _operation("The state as server-sent events", events, answers=full)},
        "/api/live.jpg": {"get": live},
    }


def _sitting() -> Json:
    return {
        "/api/seat": {
            "post": _operation("Take a seat with this browser", schemas.Seated, take=Seat),
            "delete": _operation("Leave the seat", Done),
        },
        "/api/seat/choice": {
            "post": _operation(
                "What the player who sits here chooses in secret, one of the game's `may_choose`",
                Accepted,
                take=Choosing,
            )
        },
        "/api/seats/free": {"post": _operation("Free a lost phone's seat", Done, take=Seat, pin=True)},
    } | {
        f"/api/seat/act/{action}": {
            "post": _operation(
                f"{_sentence(action)}, by the player who sits here", Done, take=schemas.own_reference(takes)
            )
        }
        for action, takes in sorted(phone_actions().items())
    }


def _photos() -> Json:
    jpeg = {"image/jpeg": {"schema": _BYTES}}
    whose = _in_query("player", "Whose things it shows; several players' without", type="string", maxLength=40)
    return {
        "/api/seat/photo": {
            "post": _operation(
                "A photograph by the player who sits here; it is on disk when this answers", PhotoTaken, take=jpeg
            )
        },
        "/api/photos": {
            "post": _operation("A photograph by the referee", PhotoTaken, take=jpeg, pin=True, parameters=[whose])
        },
        "/api/camera": {
            "post": _operation(
                "The newest picture of the telephone that is the camera",
                PictureTaken,
                take=jpeg,
                pin=True,
                parameters=[_in_query("still", "1: a photograph, none follows soon", type="string", maxLength=1)],
            )
        },
        "/api/photos/camera": {
            "post": _operation("The camera's newest picture is the photograph", PhotoTaken, pin=True)
        },
    }


def _throws() -> Json:
    of_throw = _in_path("throw")
    game = _in_query("game", "Its id; by default the present one", type="string", maxLength=_LONGEST_ID)
    zipped = {"application/zip": {"schema": _BYTES}}
    return {
        "/api/throws": {"get": _operation("The throws of a game", _list(ThrowSummary), parameters=[game])},
        "/api/throws/{throw}": {
            "get": _operation("Everything measured of one throw", ThrowDetail, parameters=of_throw)
        },
        "/api/throws/{throw}/pictures/{name}": {
            "get": _operation("One saved picture", _PICTURE, parameters=_in_path("throw", "name"))
        },
        "/api/throws/{throw}/judge-again": {
            "post": _operation("Vision again on the saved frames", JudgedAgain, pin=True, parameters=of_throw)
        },
        "/api/throws/{throw}/export.zip": {
            "get": _operation("One disputed throw as a file", zipped, parameters=of_throw)
        },
    }


def _opened() -> Json:
    opened = _in_path("opened")
    zipped = {"application/zip": {"schema": _BYTES}}
    return {
        "/api/opened": {
            "get": _operation(
                "Exported throws and photographs that were brought in, newest first", _list(ThrowSummary)
            ),
            "post": _operation(
                "Bring in an exported throw or photograph (64 MB at most), to look at only",
                schemas.Opened,
                take=zipped,
                pin=True,
            ),
        },
        "/api/opened/{opened}": {
            "get": _operation("Everything measured of it", ThrowDetail, parameters=opened),
            "delete": _operation("Forget it", Done, pin=True, parameters=opened),
        },
        "/api/opened/{opened}/pictures/{name}": {
            "get": _operation("One of its pictures", _PICTURE, parameters=_in_path("opened", "name"))
        },
        "/api/opened/{opened}/judge-again": {
            "post": _operation(
                "Vision again on its frames, with its own table", JudgedAgain, pin=True, parameters=opened
            )
        },
    }


def _games() -> Json:
    game = _in_path("game")
    line = [{"name": "line", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}]
    return {
        "/api/games": {"get": _operation("All games, newest first", _list(GameSummary))},
        "/api/games/{game}": {
            "get": _operation("One game with its table", GameDetail, parameters=game),
            "delete": _operation("Remove a game with its pictures", Done, pin=True, parameters=game),
        },
        "/api/games/{game}/lines/{line}": {
            "get": _operation(
                "One line of the record, and what can be corrected in it", LineDetail, parameters=game + line
            )
        },
        "/api/games/{game}/record.jsonl": {
            "get": _operation("The game record", {"application/jsonl": {"schema": _TEXT}}, parameters=game)
        },
        "/api/games/{game}/scores.csv": {
            "get": _operation("Points by round", {"text/csv": {"schema": _TEXT}}, parameters=game)
        },
        "/api/games/{game}/throws.csv": {
            "get": _operation("Every throw with its tilt and place", {"text/csv": {"schema": _TEXT}}, parameters=game)
        },
        "/api/games/{game}/choices.csv": {
            "get": _operation("What was chosen in each duel", {"text/csv": {"schema": _TEXT}}, parameters=game)
        },
    }


def _upkeep() -> Json:
    """The program itself: by the PIN alone."""
    numbers = [
        _in_query("at", "The place of the piece's first byte", type="integer", minimum=0),
        _in_query("total", "Bytes of the whole backup", type="integer", minimum=1),
    ]
    by_pin: Json = {"pin": True, "security": [{"pin": []}]}
    return {
        "/api/upkeep": {"get": _operation("Version and log of the program", UpkeepState, **by_pin)},
        "/api/upkeep/backup.zip": {
            "get": _operation("Everything recorded, in one file", {"application/zip": {"schema": _BYTES}}, **by_pin)
        },
        "/api/upkeep/arriving": {
            "post": _operation(
                "A piece of a backup (16 MB at most)",
                Arrived,
                take={"application/octet-stream": {"schema": _BYTES}},
                parameters=numbers,
                **by_pin,
            )
        },
        "/api/upkeep/restore": {"post": _operation("Start anew with the backup that arrived", Done, **by_pin)},
        "/api/upkeep/restart": {"post": _operation("Start the program anew", Done, **by_pin)},
    }


def _programs() -> Json:
    """By the referee's browser alone: a token makes no tokens."""
    by_pin: Json = {"pin": True, "security": [{"pin": []}]}
    return {
        "/api/programs": {
            "get": _operation("Tokens, and programs that are told what happens", ProgramsSnapshot, **by_pin)
        },
        "/api/programs/tokens": {
            "post": _operation("Make a token; its text is told this once", Secret, take=TokenWanted, **by_pin)
        },
        "/api/programs/tokens/{token}": {
            "delete": _operation("Revoke a token", Done, parameters=_in_path("token"), **by_pin)
        },
        "/api/programs/webhooks": {
            "post": _operation(
                "Send what happens to an address; its secret is told this once", Secret, take=WebhookWanted, **by_pin
            )
        },
        "/api/programs/brokers": {"post": _operation("Publish over MQTT", schemas.Named, take=BrokerWanted, **by_pin)},
        "/api/programs/receivers/{receiver}": {
            "delete": _operation("Send it nothing more", Done, parameters=_in_path("receiver"), **by_pin)
        },
        "/api/programs/receivers/{receiver}/test": {
            "post": _operation("Send it a test", Done, parameters=_in_path("receiver"), **by_pin)
        },
    }


def _setting_up() -> Json:
    paths: Json = {"/api/setup": {"get": _operation("How far the set-up of the table is", SetupSnapshot, pin=True)}}
    png = {"image/png": {"schema": _BYTES}}
    paths["/api/setup/learning/{card}"] = {
        "get": _operation("A card of the deck that is being learned", png, pin=True, parameters=_in_path("card"))
    }
    for action, takes in SETUP_ACTIONS.items():
        paths[f"/api/setup/{action}"] = {"post": _done(action, takes, schemas.set_up(action))}
    return paths


def _acting() -> Json:
    """A call for everything that a referee does, in all games that there are."""
    return {
        f"/api/act/{action}": {"post": _done(action, takes, schemas.acted(action, takes))}
        for action, takes in sorted(every_action().items())
    }


def _done(action: str, takes: type, answer: Schema) -> Json:
    """A call of an action, which says by its name what it does and by its arguments how."""
    said = " ".join((takes.__doc__ or "").split())
    return _operation(_sentence(action), answer, take=takes, pin=True, description=said)


def _sentence(action: str) -> str:
    return action.replace("_", " ").capitalize()
