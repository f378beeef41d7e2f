"""What a player chose in secret, looked for wherever somebody could look before the others have chosen.

One evening is played twice, alike to the last throw, but that the player chooses otherwise. Whatever differs between
the two, besides times and made-up names, tells the choice. So a picture, a length, an order tells as well as a word.
"""

from __future__ import annotations

import io
import itertools
import re
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from arena_cam.camera.no_camera import NoCamera
from arena_cam.domain.blocks import BLOCK_DICTIONARY
from arena_cam.domain.lies import Landing
from arena_cam.referee.game.outfit import unwatched_eye
from arena_cam.referee.integrations.payloads import state
from arena_cam.referee.integrations.programs import Programs
from arena_cam.referee.session.session import Session
from arena_cam.simulation.arena import actions as act
from arena_cam.store.backup import DATABASE, backup
from arena_cam.store.data_folder import DataFolder
from arena_cam.vision.picture.markers import find_markers
from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from arena_cam.web.live.page_words import PageWords
from attacks.api_calls import PIN
from referee.builders import Evening
from referee.room import Room
from web.test_security import headers, log_in

# What is the same for everybody at any time, is made of what was given, or is a file that is looked into by itself.
TELLS_NOTHING = re.compile(
    r"/static/|/print/|/how|/api/openapi|/api/cards/|/setup/learning/|/opened/|backup\.zip|export\.zip"
)
ENDLESS = ("/api/stream/", "/api/events")  # what streams say is asked of the session, and of regions
VIEWS = ("scoreboard", "referee", "join", "throws", "health", "overlay")
# What differs from one run to the next anyway: tokens, ids, times, counts of bytes and of milliseconds.
_MADE_UP = re.compile(rb"\d{8}-\d{6}-[0-9a-f]{4}|t\d{13}-[0-9a-f]{6}|[\w.-]{24,}|[0-9a-f]*\d[0-9a-f.]*")


def plain(content: bytes) -> bytes:
    """`content` without what differs from run to run, but with its length in characters that do not."""
    return _MADE_UP.sub(b"0", content)


class Table(Protocol):
    """Where somebody has chosen."""

    session: Any
    data: Any

    @property
    def game(self) -> Any: ...


@dataclass
class Voting:
    """A table of dilemmas."""

    session: Any
    data: Any

    @property
    def game(self) -> Any:
        return self.session.snapshot()["game"]


@contextmanager
def in_a_duel(folder: Path, choice: str) -> Iterator[tuple[Table, Any]]:
    """Anna has chosen, by her phone; Bernhard has not. The table, and her browser."""
    played = Evening(folder)
    played.start()
    played.rests("red-8")
    played.rests("blue-3", on=["red-8"])
    played.waits(1.0)
    try:
        yield played, _chosen(played, choice)
    finally:
        played.session.stop()


@contextmanager
def in_a_vote(folder: Path, choice: str) -> Iterator[tuple[Table, Any]]:
    """Ben's votes are in, Anna votes by her phone, Guðrún has not voted. The table, and Anna's browser."""
    data = DataFolder(folder, keep_free_bytes=0)
    session = Session(data, unwatched_eye(), NoCamera())
    players = ("Anna", "Ben", "Guðrún")
    session.act("start_game", {"game": "dilemmas", "players": [{"name": each} for each in players]}, "referee")
    for name in players:
        session.act("lay_dilemma", {"player": name, "positive": f"{name} flies", "negative": f"{name} snores"}, name)
    session.act("vote_in_secret", {"player": "Ben", "choice": "nyn"}, "Ben")
    table = Voting(session, data)
    try:
        yield table, _chosen(table, choice)
    finally:
        session.stop()


# Where somebody chooses in secret, and two choices of the same length.
SECRETS: Mapping[str, tuple[Callable[[Path, str], AbstractContextManager[tuple[Table, Any]]], tuple[str, str]]] = {
    "arena": (in_a_duel, ("peace", "conflict")),
    "dilemmas": (in_a_vote, ("yny", "nyy")),
}


def _chosen(table: Table, choice: str) -> Any:
    """Anna's browser, after she has chosen."""
    phone = create_app(table.session, WebSettings(PIN, "a secret of the tests", None)).test_client()
    assert phone.post("/api/seat", json={"player": "Anna"}, headers=headers(phone)).status_code == 200
    answer = phone.post("/api/seat/choice", json={"choice": choice}, headers=headers(phone))
    assert answer.json == {"accepted": True, "complete": False}
    return phone


def looked_at(table: Table, phone: Any, out: Path) -> dict[str, bytes]:
    """Everything that somebody else can look at now, and her own phone, which lies on the table for all to see."""
    app = phone.application
    stranger, referee = app.test_client(), app.test_client()
    log_in(referee, PIN)
    places = list(_places(app, table))
    found = {
        f"{who} {plain(place.encode()).decode()}": plain(browser.get(place).data)
        for who, browser in (("stranger", stranger), ("referee", referee), ("her phone", phone))
        for place in places
    }
    found["her cookie"] = plain(phone.get_cookie("arena_cam").value.encode())
    message = table.session.subscribe().next(1.0)
    assert message is not None
    found["events"] = plain(message["data"].encode())
    found["what brokers are told of the state"] = plain(
        repr(state(table.session.snapshot(), PageWords(), "en")).encode()
    )
    for throw in table.session.throws():
        found["export"] = _unpacked(table.session.export_throw(throw["id"]))
    return found | _backed_up(table, out)


def _places(app: Any, table: Table) -> Iterator[str]:
    """The address of everything that can be asked for: a new page is in it by itself."""
    throws = [throw["id"] for throw in table.session.throws()]
    known: dict[str, Sequence[object]] = {
        "game": [table.game["id"]],
        "view": VIEWS,
        "line": range(1, table.game["lines"] + 1),
        "number": [1],
        "throw": throws[-1:],
    }
    for rule in app.url_map.iter_rules():
        if "GET" not in rule.methods or TELLS_NOTHING.search(rule.rule) or rule.rule.startswith(ENDLESS):
            continue
        is_player = rule.rule.startswith("/players/")
        names = known | {"name": ["Anna"] if is_player else ["judged.jpg", "thumbnail.jpg"]}
        for values in itertools.product(*(names[each] for each in sorted(rule.arguments))):
            address = rule.rule
            for argument, value in zip(sorted(rule.arguments), values, strict=True):
                address = re.sub(rf"<(\w+:)?{argument}>", str(value), address)
            yield address


def _unpacked(content: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return b"".join(plain(archive.read(name)) for name in sorted(archive.namelist()) if not name.endswith(".png"))


def _backed_up(table: Table, out: Path) -> dict[str, bytes]:
    backup(table.data.folder, out)
    with zipfile.ZipFile(out) as archive:
        database = archive.read(DATABASE)
    words = {choice for _, choices in SECRETS.values() for choice in choices}
    return {f"{word} in the backup's database": str(database.count(word.encode())).encode() for word in words}


def differences(game: str, folder: Path, logged: Callable[[], str]) -> list[str]:
    """The places in which the two evenings differ; `logged` gives what was logged since it was asked last."""
    begin, choices = SECRETS[game]
    seen = []
    for choice in choices:
        (folder / choice).mkdir()
        logged()
        with begin(folder / choice / "data", choice) as (table, phone):
            found = looked_at(table, phone, folder / choice / "backup.zip")
            found["a crash"] = _crashed(table, phone, choices[0])
        found["log"] = plain(logged().replace(str(folder / choice), "").encode())
        seen.append(found)
    assert set(seen[0]) == set(seen[1])
    return [place for place in seen[0] if seen[0][place] != seen[1][place]]


def told_to_programs(
    game: str, folder: Path, choice: str, told: Callable[[], list[dict[str, Any]]], address: str
) -> str:
    """What a receiver of webhooks was sent until the choice was in, as one text; `told` gives what it has so far."""
    begin, _ = SECRETS[game]
    with begin(folder, choice) as (table, phone):
        programs = Programs(table.data.tokens, table.data.receivers, PageWords())
        programs.start(table.session)
        try:
            programs.add_webhook(address, "en")
            headers_sent = headers(phone)
            phone.post("/api/seat/choice", json={"choice": choice}, headers=headers_sent)  # once more, while it listens
            programs.test(programs.snapshot()["receivers"][0]["id"])
            until = time.monotonic() + 20.0
            while not any(message["type"] == "test" for message in told()) and time.monotonic() < until:
                time.sleep(0.01)
        finally:
            programs.stop()
    return plain(repr(told()).encode()).decode()


def _crashed(table: Table, phone: Any, choice: str) -> bytes:
    """What is answered where keeping a choice fails as it never should; the log has the traceback."""
    matches = table.data.matches
    kept = matches.commit
    matches.commit = _fails
    try:
        answer = phone.post("/api/seat/choice", json={"choice": choice}, headers=headers(phone))
    finally:
        matches.commit = kept
    assert answer.status_code == 500
    return plain(answer.data)


def _fails(*_: Any, **__: Any) -> None:
    raise RuntimeError("this never happens")


# ---------------------------------------------------------------------------------------------------------- pictures


def blocks_in(jpeg: bytes) -> set[int]:
    """The numbers of the duelling blocks whose front can be read in a picture."""
    grey = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert grey is not None
    return {marker.id for marker in find_markers(np.asarray(grey, np.uint8), BLOCK_DICTIONARY) if marker.id >= 10}


TROUBLES: tuple[Callable[[], list[act.Action]], ...] = (
    lambda: [act.Wait(1.0)],
    lambda: [act.ReachIn(0.6)],
    lambda: [act.BumpCamera(), act.Wait(0.6)],
    lambda: [act.Lights(on=False), act.Wait(0.6), act.Lights(on=True)],
    lambda: [act.CoverFiducials(0.8)],
    lambda: [act.CoverBlock("red")],
)


def pictures_of_a_secret(room: Room, pictures: int, number: int = 0) -> tuple[int, int]:
    """(pictures looked at, those in which a block can be read) while one block lies open, under troubles in turn."""
    room.acts(act.LayChallenge("red-8", at_mm=(0.0, 0.0)), rest_s=0.8)
    room.acts(act.Throw("blue-3", Landing.FLAT, aim_mm=(10.0, 10.0)), rest_s=0.6)
    assert room.game["awaiting"] == "duel"
    room.acts(act.LayBlock("red", ("peace", "conflict")[number % 2]), rest_s=0.5)
    looked, shown = 0, 0
    while looked < pictures:
        room.table.perform(*TROUBLES[number % len(TROUBLES)]())
        number += 1
        for _ in range(12):
            room.passes(1 / 15)
            for layers in ((), ("outlines", "names", "boundary", "fiducials")):
                jpeg = room.session.latest_jpeg(layers)
                looked += 1
                shown += bool(jpeg is not None and blocks_in(jpeg))
        assert room.game["awaiting"] == "duel", "one block alone decides nothing"
    for throw in room.session.throws():
        detail = room.session.throw(throw["id"])
        for name in {*(each["name"] for each in detail["pictures"]), detail["judged"], detail["thumbnail"]} - {None}:
            looked += 1
            shown += bool(blocks_in(room.session.throw_picture(throw["id"], str(name))[1]))
    return looked, shown
