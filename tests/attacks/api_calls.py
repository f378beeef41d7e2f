"""Calls of the API that its own description brings forth, right and wrong ones, and whether each answer is described.

The generator and the judge is schemathesis, which knows nothing of this program but /api/openapi.json: an answer whose
status, media type or body is not in the description is a fault, and so is a wrong request that is done all the same.
"""

from __future__ import annotations

import random
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from arena_cam.camera.phone import PhoneSource
from arena_cam.referee.integrations.programs import Programs
from arena_cam.store.data_folder import DataFolder
from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from arena_cam.web.live.page_words import PageWords
from attacks.evenings import Playing, evening_of
from referee.builders import Evening
from web.test_security import log_in, token

CHECKS = [status_code_conformance, content_type_conformance, response_schema_conformance, negative_data_rejection]
ENDLESS = ("/api/stream/", "/api/events")  # streams: they are listened to in slow_clients.py
PIN = "246810"
WHO = ("stranger", "phone", "referee")

Browser = tuple[dict[str, str], dict[str, str]]  # headers and cookies


@schemathesis.serializer("application/zip", "image/jpeg")
def as_bytes(_context: Any, value: Any) -> bytes:
    """A body of bytes as it is."""
    return value if isinstance(value, bytes) else str(value).encode()


@dataclass
class Outcome:
    """How many calls were answered how, and the faults found, each said once with how often."""

    answers: Counter[int] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def calls(self) -> int:
        return self.answers.total()


@contextmanager
def evening(folder: Path, **session: Any) -> Iterator[Evening]:
    """A game that is on, with a throw that was kept and a question that is open, over a scripted eye."""
    played = Evening(folder, **session)
    played.start()
    played.rests("red-8")
    played.rests("blue-3", on=["red-8"])
    played.rests("green-3", on=["red-8"], sure=False)
    try:
        yield played
    finally:
        played.session.stop()


def call(folder: Path, calls: int, number: int = 1, game: str = "arena") -> Outcome:
    """About so many calls, spread over all that are described, half of them wrong on purpose, on an evening of `game`.

    Each that is made up is sent by a stranger, by a phone that has a seat, and by the referee, in this order.
    """
    outcome = Outcome()
    chance = random.Random(number)
    with evening_of(game, folder / "evening") as playing, pages_of(playing, folder) as app, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the generator about itself
        operations = _operations(app)
        each = max(1, calls // (2 * len(WHO) * len(operations)))
        for place, operation in enumerate(operations):
            playing.go_on()
            browsers = [_browser(app, who) for who in WHO]  # fresh ones: a call may have logged them out
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                apt = partial(_made_apt, playing=playing, chance=chance) if mode is GenerationMode.POSITIVE else None
                try_out = _trial(operation, mode, each, outcome, browsers, apt)
                try:
                    seed(1000 * number + place)(try_out)()
                except Unsatisfiable:
                    continue  # nothing about it can be wrong: it takes nothing
    return outcome


@contextmanager
def pages_of(playing: Playing, folder: Path) -> Iterator[Flask]:
    """The pages over that evening, with programs that are told nothing, and a telephone as the camera."""
    data = DataFolder(folder / "programs", keep_free_bytes=0)
    programs = Programs(data.tokens, data.receivers, PageWords())
    phone = PhoneSource(5.0)
    settings = WebSettings(PIN, "a secret of the tests", None)
    try:
        yield create_app(playing.session, settings, playing.setup, programs=programs, phone=phone)
    finally:
        phone.close()
        data.close()


def _made_apt(case: Any, playing: Playing, chance: random.Random) -> None:
    """Half of the right calls speak of what there is: the players, the throw, the question, cards of the game."""
    if chance.random() < 0.5:
        return
    session = playing.session
    game, question, throws = session.snapshot()["game"], session.snapshot()["question"], session.throws()
    throw = chance.choice(throws)["id"] if throws else "none"
    there: dict[str, Any] = {
        "throw": throw,
        "game": game["id"] if game is not None else "none",
        "player": "Anna",
        "id": question["id"] if question is not None else "none",
        "line": chance.randrange(1, 9),
        "card": chance.choice(("red-8", "blue-3", "5S", "KS", "3-2-1")),
    }
    if question is not None:
        there["choice"] = chance.choice(question["choices"])["id"]
    for part in (case.path_parameters, case.body):
        if isinstance(part, dict):
            part.update({name: value for name, value in there.items() if name in part})
    if throws and "name" in (case.path_parameters or {}):
        case.path_parameters["name"] = "thumbnail.jpg"


def _operations(app: Flask) -> list[Any]:
    """All that is described. Who may call what is looked at by test_security, so the generator is not to guess PINs."""
    described = app.test_client().get("/api/openapi.json").json
    assert described is not None
    for operations in described["paths"].values():
        for operation in operations.values():
            operation.pop("security", None)
    schema = schemathesis.openapi.from_dict(described)
    schema.app = app
    found = [each.ok() for each in schema.get_all_operations() if isinstance(each, Ok)]
    assert len(found) == sum(len(operations) for operations in described["paths"].values())
    return [operation for operation in found if not operation.path.startswith(ENDLESS)]


def _browser(app: Flask, who: str) -> Browser:
    client = app.test_client()
    headers = {"X-CSRF-Token": token(client)}
    if who == "referee":
        log_in(client, PIN)
    elif who == "phone":
        client.post("/api/seat", json={"player": "Anna"}, headers=headers)
    cookie = client.get_cookie("arena_cam")
    assert cookie is not None
    return headers, {"arena_cam": cookie.value}


def _trial(operation: Any, mode: GenerationMode, most: int, outcome: Outcome, browsers: list[Browser], apt: Any) -> Any:
    @settings(
        max_examples=most,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def trial(case: Any) -> None:
        if apt is not None:
            apt(case)
        for headers, cookies in browsers:
            answer = case.call(headers=headers, cookies=cookies)
            outcome.answers[answer.status_code] += 1
            try:
                case.validate_response(answer, checks=CHECKS)
            except BaseExceptionGroup as found:
                for fault in found.exceptions:
                    outcome.faults[f"{operation.label}, {mode.value}: {_shortly(fault)}"] += 1

    return trial


def _shortly(fault: BaseException) -> str:
    return " ".join(f"{type(fault).__name__}: {getattr(fault, 'message', fault)}".split())[:400]
