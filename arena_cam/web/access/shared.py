"""The things that the views of one application share, found from within a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from flask import current_app

from arena_cam.referee.integrations.programs import Programs
from arena_cam.referee.interface import SessionPort
from arena_cam.referee.setup.interface import SetupPort
from arena_cam.rules import USUAL_GAME
from arena_cam.web.access.print_shop import PrintShop
from arena_cam.web.access.seats import Seats
from arena_cam.web.access.security import PinGate
from arena_cam.web.access.upkeep import Upkeep
from arena_cam.web.live.streams import LiveStreams


@dataclass(frozen=True)
class WebSettings:
    """What the pages must be told: `address` is how a phone reaches them, None where none can; `usual_game` is what
    is played here unless somebody begins another. `secure_address`: the same by HTTPS, where it is served so, and
    `fingerprint` of its certificate."""

    pin: str
    secret_key: str
    address: str | None
    usual_game: str = USUAL_GAME
    secure_address: str | None = None
    fingerprint: str = ""


class PhoneCamera(Protocol):
    """Takes the pictures that a telephone sends (camera.phone.PhoneSource)."""

    def put(self, content: bytes, still: bool = False, sender: str = "") -> None: ...


@dataclass
class Web:
    """The things that views share, found by `web()` within a request."""

    session: SessionPort
    settings: WebSettings
    streams: LiveStreams
    seats: Seats
    gate: PinGate
    setup: SetupPort | None = None
    print_shop: PrintShop | None = None
    programs: Programs | None = None
    phone: PhoneCamera | None = None
    upkeep: Upkeep | None = None


def web() -> Web:
    """What the running application was made with."""
    shared: Web = current_app.extensions["arena_cam"]
    return shared
