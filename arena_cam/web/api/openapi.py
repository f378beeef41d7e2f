"""The API's description (OpenAPI 3.1). A test holds it against the routes that there are, in both directions."""

from __future__ import annotations

from typing import Any

from arena_cam import __version__
from arena_cam.referee.game.part import every_action, secret_actions
from arena_cam.referee.setup.interface import SETUP_ACTIONS
from arena_cam.web.live.regions import VIEWS


def describe() -> dict[str, Any]:
    """The description as one JSON object."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "arena-cam",
            "version": __version__,
            "description": "What the pages use. Requests that change something carry the header X-CSRF-Token, whose "
            "value is in every page's meta element csrf-token; those marked with `pin` need a browser that logged in.",
        },
        "components": {"securitySchemes": _SECURITY, "schemas": _SCHEMAS, "responses": _RESPONSES},
        "paths": _PATHS | {"/api/act/{action}": _acting()},
    }


_SECURITY = {"pin": {"type": "apiKey", "in": "cookie", "name": "arena_cam", "description": "Set by POST /login"}}
_OBJECT: dict[str, Any] = {"type": "object"}
_SCHEMAS: dict[str, Any] = {
    "Error": {
        "type": "object",
        "required": ["error"],
        "properties": {
            "error": {
                "type": "object",
                "required": ["code", "message"],
                "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
            }
        },
    },
    "Snapshot": {"type": "object", "description": "The whole state of the session; see arena_cam/referee/README.md"},
    "Player": {
        "type": "object",
        "required": ["player"],
        "properties": {"player": {"type": "string", "minLength": 1, "maxLength": 40}},
    },
    "Choice": {
        "type": "object",
        "required": ["choice"],
        "properties": {"choice": {"type": "string", "minLength": 1, "maxLength": 40}},
    },
    "Opened": {
        "type": "object",
        "required": ["id", "address"],
        "properties": {"id": {"type": "string"}, "address": {"type": "string", "description": "of its page"}},
    },
    "Photo": {
        "type": "object",
        "required": ["photo", "read", "again"],
        "properties": {
            "photo": {"type": "string", "description": "its name among the throws"},
            "read": {"type": "boolean", "description": "false: it is kept, and could not be read"},
            "again": {"type": "boolean", "description": "the same bytes were taken in before"},
        },
    },
    "Regions": {
        "type": "object",
        "required": ["regions"],
        "properties": {"regions": {"type": "object", "additionalProperties": {"type": "string"}}},
    },
}
_RESPONSES: dict[str, Any] = {
    "Error": {
        "description": "Why not: a stable code and a sentence",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
}


def _parameter(name: str, where: str = "path", **schema: Any) -> dict[str, Any]:
    return {"name": name, "in": where, "required": where == "path", "schema": {"type": "string"} | schema}


def _answer(media_type: str, schema: dict[str, Any], description: str = "Done") -> dict[str, Any]:
    return {
        "200": {"description": description, "content": {media_type: {"schema": schema}}},
        "default": {"$ref": "#/components/responses/Error"},
    }


def _json(schema: str | dict[str, Any]) -> dict[str, Any]:
    return _answer(
        "application/json", {"$ref": f"#/components/schemas/{schema}"} if isinstance(schema, str) else schema
    )


def _operation(
    summary: str,
    answers: dict[str, Any],
    *parameters: dict[str, Any],
    body: str | dict[str, Any] | None = None,
    pin: bool = False,
) -> dict[str, Any]:
    operation: dict[str, Any] = {"summary": summary, "responses": answers}
    if parameters:
        operation["parameters"] = list(parameters)
    if body is not None:
        operation["requestBody"] = {"required": True, "content": _body(body)}
    if pin:
        operation["security"] = [{"pin": []}]
    return operation


def _body(body: str | dict[str, Any]) -> dict[str, Any]:
    """What a request carries: JSON by its schema, or a file by its media type."""
    if isinstance(body, str) and "/" in body:
        return {body: {"schema": {"type": "string", "format": "binary"}}}
    schema = {"$ref": f"#/components/schemas/{body}"} if isinstance(body, str) else body
    return {"application/json": {"schema": schema}}


_THROW = _parameter("throw")
_GAME = _parameter("game")
_OPENED = _parameter("opened")
_ZIP = "application/zip"
_JPEG = "image/jpeg"
_VIEW = _parameter("view", enum=list(VIEWS))
_LIST: dict[str, Any] = {"type": "array", "items": _OBJECT}
_BYTES: dict[str, Any] = {"type": "string", "format": "binary"}
_TEXT: dict[str, Any] = {"type": "string"}

_SETUP_HELP = "\n".join(f"- `{name}`: {SETUP_ACTIONS[name] or 'no arguments'}" for name in SETUP_ACTIONS)

_PATHS: dict[str, dict[str, dict[str, Any]]] = {
    "/api/state": {"get": _operation("The whole state", _json("Snapshot"))},
    "/api/health": {"get": _operation("For monitoring; 503 while something needs a person", _json(_OBJECT))},
    "/api/openapi.json": {"get": _operation("This description", _json(_OBJECT))},
    "/api/regions/{view}": {"get": _operation("A page's regions as HTML", _json("Regions"), _VIEW)},
    "/api/stream/{view}": {
        "get": _operation("A page's changed regions as server-sent events", _answer("text/event-stream", _TEXT), _VIEW)
    },
    "/api/events": {"get": _operation("The state as server-sent events", _answer("text/event-stream", _TEXT))},
    "/api/live.jpg": {
        "get": _operation(
            "The newest picture; waits for one newer than `after`, 204 if none comes",
            _answer("image/jpeg", _BYTES),
            _parameter("after", "query", type="integer"),
            _parameter(
                "layers", "query", description="outlines, names, tilt, boundary, fiducials, setup; commas between"
            ),
        )
    },
    "/api/seat": {
        "post": _operation("Take a seat with this browser", _json("Player"), body="Player"),
        "delete": _operation("Leave the seat", _json(_OBJECT)),
    },
    "/api/seat/choice": {
        "post": _operation(
            "What the player who sits here chooses in secret, one of the game's `may_choose`",
            _json(_OBJECT),
            body="Choice",
        )
    },
    "/api/seat/act/{action}": {
        "post": _operation(
            "What the player who sits here does for himself, one of the game's phone actions",
            _json(_OBJECT),
            _parameter("action"),
            body=_OBJECT,
        )
    },
    "/api/seat/photo": {
        "post": _operation(
            "A photograph by the player who sits here; it is on disk when this answers", _json("Photo"), body=_JPEG
        )
    },
    "/api/photos": {
        "post": _operation(
            "A photograph of a player's things, or of several players'",
            _json("Photo"),
            _parameter("player", "query"),
            body=_JPEG,
            pin=True,
        )
    },
    "/api/photos/camera": {
        "post": _operation("The camera's newest picture is the photograph", _json("Photo"), pin=True)
    },
    "/api/seats/free": {"post": _operation("Free a lost phone's seat", _json(_OBJECT), body="Player", pin=True)},
    "/api/throws": {"get": _operation("The throws of a game", _json(_LIST), _parameter("game", "query"))},
    "/api/throws/{throw}": {"get": _operation("Everything measured of one throw", _json(_OBJECT), _THROW)},
    "/api/throws/{throw}/pictures/{name}": {
        "get": _operation("One saved picture", _answer("image/*", _BYTES), _THROW, _parameter("name"))
    },
    "/api/throws/{throw}/judge-again": {
        "post": _operation("Vision again on the saved frames", _json(_OBJECT), _THROW, pin=True)
    },
    "/api/throws/{throw}/export.zip": {
        "get": _operation("One disputed throw as a file", _answer("application/zip", _BYTES), _THROW)
    },
    "/api/opened": {
        "get": _operation("Exported throws that were brought in, newest first", _json(_LIST)),
        "post": _operation(
            "Bring in an exported throw (64 MB at most), to look at only", _json("Opened"), body=_ZIP, pin=True
        ),
    },
    "/api/opened/{opened}": {
        "get": _operation("Everything measured of it", _json(_OBJECT), _OPENED),
        "delete": _operation("Forget it", _json(_OBJECT), _OPENED, pin=True),
    },
    "/api/opened/{opened}/pictures/{name}": {
        "get": _operation("One of its pictures", _answer("image/*", _BYTES), _OPENED, _parameter("name"))
    },
    "/api/opened/{opened}/judge-again": {
        "post": _operation("Vision again on its frames, with its own table", _json(_OBJECT), _OPENED, pin=True)
    },
    "/api/setup": {"get": _operation("How far the set-up of the table is", _json(_OBJECT), pin=True)},
    "/api/setup/{action}": {
        "post": _operation(
            "A step of the set-up. Lengths are millimetres. Arguments by action:\n" + _SETUP_HELP,
            _json(_OBJECT),
            _parameter("action", enum=list(SETUP_ACTIONS)),
            body=_OBJECT,
            pin=True,
        )
    },
    "/api/games": {"get": _operation("All games, newest first", _json(_LIST))},
    "/api/games/{game}": {
        "get": _operation("One game with its table", _json(_OBJECT), _GAME),
        "delete": _operation("Remove a game with its pictures", _json(_OBJECT), _GAME, pin=True),
    },
    "/api/games/{game}/lines/{line}": {
        "get": _operation(
            "One line of the record, and what can be corrected in it",
            _json(_OBJECT),
            _GAME,
            _parameter("line", type="integer"),
        )
    },
    "/api/games/{game}/record.jsonl": {
        "get": _operation("The game record", _answer("application/jsonl", _TEXT), _GAME)
    },
    "/api/games/{game}/scores.csv": {"get": _operation("Points by round", _answer("text/csv", _TEXT), _GAME)},
}


def _acting() -> dict[str, dict[str, Any]]:
    """The route of everything that a referee does, with the actions of all games that there are."""
    actions = every_action()
    names = sorted(actions.keys() - secret_actions())
    help = "\n".join(f"- `{name}`: {actions[name] or 'no arguments'}" for name in names)
    return {
        "post": _operation(
            "What a referee does. Arguments by action:\n" + help,
            _json(_OBJECT),
            _parameter("action", enum=names),
            body=_OBJECT,
            pin=True,
        )
    }
