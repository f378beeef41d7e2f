"""The body of a request: one JSON object, checked before anything is done with it.

What only a program can get wrong (a type, a key that there is not, more of something than there can be) is refused in
plain English.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict, get_type_hints

import msgspec
from flask import request

from arena_cam.domain.arguments import ArgumentRefusal
from arena_cam.domain.errors import Refused

LONGEST_NAME = 40
Short = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]


class Seat(TypedDict):
    """`player`: whose seat."""

    player: Short


class Choosing(TypedDict):
    """`choice`: one of the game's `may_choose`."""

    choice: Short


Language = Literal["en", "fr", "is"]
Scope = Literal["watch", "referee", "setup"]
Line = Annotated[str, msgspec.Meta(max_length=500)]


class TokenWanted(TypedDict):
    """`name`: whose it is; `scopes`: what it is for."""

    name: Short
    scopes: Annotated[list[Scope], msgspec.Meta(min_length=1, max_length=3)]


class WebhookWanted(TypedDict):
    """`address`: where to; `language`: of the sentences in it."""

    address: Line
    language: NotRequired[Language]


class BrokerWanted(TypedDict):
    """`host` and `port` of the broker, and how to get in; `prefix`: what all topics begin with."""

    host: Line
    port: NotRequired[Annotated[int, msgspec.Meta(ge=1, le=65535)]]
    tls: NotRequired[bool]
    username: NotRequired[Line]
    password: NotRequired[Line]
    prefix: NotRequired[Line]
    language: NotRequired[Language]


def body() -> dict[str, Any]:
    """The request's JSON object; raises Refused `bad_argument` for anything else.

    No number that is none (NaN), no half of a surrogate pair: what cannot be written down again is not read.
    """
    data: Any = None
    if request.is_json:
        try:
            data = msgspec.json.decode(request.get_data())
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            data = None
    if not isinstance(data, dict):
        raise Refused("bad_argument", ArgumentRefusal.NO_OBJECT())
    return data


def arguments(takes: type) -> list[str]:
    """The names of what `takes` holds."""
    return list(get_type_hints(takes))


def checked(data: dict[str, Any], takes: type) -> dict[str, Any]:
    """`data` if it is what `takes`, a typed dictionary, says; raises Refused `bad_argument` where it is not."""
    known = arguments(takes)
    unknown = sorted(data.keys() - set(known))
    if unknown:
        name, names = unknown[0][:40], ", ".join(known)
        why = ArgumentRefusal.NO_ARGUMENT(name=name, names=names) if known else ArgumentRefusal.NO_ARGUMENTS(name=name)
        raise Refused("bad_argument", why)
    try:
        msgspec.convert(data, takes)
    except msgspec.ValidationError as error:
        raise Refused("bad_argument", ArgumentRefusal.OTHER_TYPE(text=str(error))) from None
    return data
