"""What a player chose in secret, looked for wherever somebody could look before the others have chosen.

One evening is played twice, alike to the last throw, but that the player chooses otherwise. Whatever differs between
the two, besides times and made-up names, tells the choice. So a picture, a length, an order tells as well as a word.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from arena_cam.domain.blocks import BLOCK_DICTIONARY
from arena_cam.domain.lies import Landing
from arena_cam.simulation.arena import actions as act
from arena_cam.store.backup import DATABASE, backup
from arena_cam.vision.picture.markers import find_markers
from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from attacks.api_calls import PIN
from referee.builders import Evening
from referee.room import Room
from web.test_security import headers, log_in

PLACES = ("/", "/join", "/referee", "/throws", "/games", "/health", "/overlay", "/how", "/api/state", "/api/health")
PLACES_OF_PROGRAMS = ("/api/throws", "/api/games", "/api/opened", "/api/live.jpg")
VIEWS = ("scoreboard", "referee", "join", "throws", "health", "overlay")
# What differs from one run to the next anyway: tokens, ids, times, counts of bytes and of milliseconds.
_MADE_UP = re.compile(rb"[\w.-]{24,}|[0-9a-f]*\d[0-9a-f.]*")


def plain(content: bytes) -> bytes:
    """`content` without what differs from run to run, but with its length in characters that do not."""
    return _MADE_UP.sub(b"0", content)


@contextmanager
def in_a_duel(folder: Path, choice: str) -> Iterator[tuple[Evening, Any]]:
    """Anna has chosen, by her phone; Bernhard has not. The evening, and her browser."""
    played = Evening(folder)
    played.start()
    played.rests("red-8")
    played.rests("blue-3", on=["red-8"])
    played.waits(1.0)
    app = create_app(played.session, WebSettings(PIN, "a secret of the tests", None))
    phone = app.test_client()
    try:
        assert phone.post("/api/seat", json={"player": "Anna"}, headers=headers(phone)).status_code == 200
        answer = phone.post("/api/seat/choice", json={"choice": choice}, headers=headers(phone))
        assert answer.json == {"accepted": True, "complete": False}
        yield played, phone
    finally:
        played.session.stop()


def looked_at(played: Evening, phone: Any, out: Path) -> Mapping[str, bytes]:
    """Everything that somebody else can look at now, and her own phone, which lies on the table for all to see."""
    app = phone.application
    stranger, referee = app.test_client(), app.test_client()
    log_in(referee, PIN)
    game, throw = played.game["id"], played.session.throws()[-1]["id"]
    places = [
        *PLACES,
        *PLACES_OF_PROGRAMS,
        *(f"/api/regions/{view}" for view in VIEWS),
        f"/api/games/{game}",
        f"/api/games/{game}/scores.csv",
    ]
    places += [f"/games/{game}", f"/api/games/{game}/record.jsonl", f"/throws/{throw}", f"/api/throws/{throw}"]
    found = {
        f"{who} {plain(place.encode()).decode()}": plain(browser.get(place).data)
        for who, browser in (("stranger", stranger), ("referee", referee), ("her phone", phone))
        for place in places
    }
    found["her cookie"] = plain(phone.get_cookie("arena_cam").value.encode())
    message = played.session.subscribe().next(1.0)
    assert message is not None
    found["events"] = plain(message["data"].encode())
    found["export"] = _unpacked(played.session.export_throw(throw))
    found |= _backed_up(played, out)
    return found


def _unpacked(content: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return b"".join(plain(archive.read(name)) for name in sorted(archive.namelist()) if not name.endswith(".png"))


def _backed_up(played: Evening, out: Path) -> dict[str, bytes]:
    backup(played.data.folder, out)
    with zipfile.ZipFile(out) as archive:
        database = archive.read(DATABASE)
    words = (b"peace", b"conflict")
    return {f"{word.decode()} in the backup's database": str(database.count(word)).encode() for word in words}


def differences(folder: Path, logged: Callable[[], str]) -> list[str]:
    """The places in which the two evenings differ; `logged` gives what was logged since it was asked last."""
    seen = []
    for choice in ("peace", "conflict"):
        (folder / choice).mkdir()
        logged()
        with in_a_duel(folder / choice / "data", choice) as (played, phone):
            found = dict(looked_at(played, phone, folder / choice / "backup.zip"))
            found["a crash"] = _crashed(played, phone)
        found["log"] = plain(logged().replace(str(folder / choice), "").encode())
        seen.append(found)
    return [place for place in seen[0] if seen[0][place] != seen[1][place]]


def _crashed(played: Evening, phone: Any) -> bytes:
    """What is answered where keeping a choice fails as it never should; the log has the traceback."""
    matches = played.data.matches
    kept = matches.commit
    matches.commit = _fails  # type: ignore[method-assign]
    try:
        answer = phone.post("/api/seat/choice", json={"choice": "peace"}, headers=headers(phone))
    finally:
        matches.commit = kept  # type: ignore[method-assign]
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
