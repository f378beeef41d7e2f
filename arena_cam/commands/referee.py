"""`arena-cam referee`: watch, rule, keep, and serve the pages. Puts the whole program together."""

from __future__ import annotations

import argparse
import ipaddress
import logging
import os
import secrets
import signal
import socket
import threading
import webbrowser
from dataclasses import dataclass
from pathlib import Path

import cv2

from arena_cam import __version__
from arena_cam.camera.film import Film
from arena_cam.camera.frame import FrameSource
from arena_cam.camera.open_source import open_source
from arena_cam.camera.phone import PhoneSource
from arena_cam.commands.messages import CommandRefusal, Said
from arena_cam.commands.options.cache_folder import picture_cache
from arena_cam.commands.options.data_folder import add_data_option, add_room_options
from arena_cam.commands.options.frame_rate import add_fps_option
from arena_cam.commands.options.language import add_lang_option
from arena_cam.commands.options.messages import OptionRefusal
from arena_cam.commands.options.unfinished_deck import finish_learning
from arena_cam.commands.process import heap
from arena_cam.commands.process.https import open_secure, reachable_host
from arena_cam.commands.process.messages import Doing
from arena_cam.commands.process.print_shop import OwnPrintShop
from arena_cam.commands.process.service_manager import ServiceManager
from arena_cam.commands.process.terminal import Working
from arena_cam.commands.process.upkeep import OwnUpkeep
from arena_cam.commands.tables import setting_up
from arena_cam.commands.tables.recording import Recording
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput, CannotDo
from arena_cam.domain.messages import Message
from arena_cam.domain.table import Table
from arena_cam.formats.wording import told
from arena_cam.referee.game.eye import Eye
from arena_cam.referee.game.outfit import EveningOptions, PlayersOf, find_outfit
from arena_cam.referee.integrations.programs import Programs
from arena_cam.referee.session.session import Session
from arena_cam.referee.setup.desk import Chosen, SetupDesk
from arena_cam.rules import USUAL_GAME
from arena_cam.store.data_folder import DataFolder
from arena_cam.web.access.security import new_pin
from arena_cam.web.access.shared import Web, WebSettings
from arena_cam.web.application import create_app
from arena_cam.web.live.page_words import PageWords
from arena_cam.web.serving import Server, listen

EXAMPLE = "arena-cam referee usb:0 --table table.json --deck decks/printed --host 0.0.0.0"

PIN_VARIABLE = "ARENA_CAM_PIN"
SHORTEST_PIN = 4
GIVE_BACK_EVERY_S = 15  # of freed memory: it takes some milliseconds, and pages that are used again must be zeroed


@dataclass(frozen=True)
class Opened:
    """Where the frames come from, and what lies under them, as far as it is known."""

    source: FrameSource
    chosen: Chosen
    players: PlayersOf | None = None
    recording: Recording | None = None


@dataclass(frozen=True)
class Room:
    """A session ready to start: where its table is set up, if it has one, who plays where nobody sits there, and the
    programs that are told what happens."""

    session: Session
    desk: SetupDesk | None
    players: PlayersOf | None
    programs: Programs
    phone: PhoneSource | None = None

    def close(self) -> None:
        self.programs.stop()
        if self.desk is not None:
            self.desk.close()
        self.session.stop()


@dataclass(frozen=True)
class Site:
    """Where the pages are served, with which PIN, and the folder with what is kept."""

    listening: socket.socket
    pin: str
    folder: Path
    upkeep: OwnUpkeep

    @property
    def port(self) -> int:
        return int(self.listening.getsockname()[1])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="a folder of numbered pictures, a video file, usb:0, picamera2, phone (a telephone's browser), sim, "
        "or none where no camera is needed",
    )
    parser.add_argument("--table", type=Path, help="table.json of this camera and arena (not for sim)")
    parser.add_argument(
        "--deck",
        type=Path,
        help="the folder of the deck, or of the set of boards and tiles (sim has its own); for tricks also the word "
        "ordinary: any pack of 52 cards with corner indices",
    )
    parser.add_argument("--port", type=int, default=8000, help="the pages' port (default 8000; 0: any free one)")
    parser.add_argument(
        "--host", default="127.0.0.1", help="where the pages can be reached: 0.0.0.0 lets phones in (default 127.0.0.1)"
    )
    parser.add_argument(
        "--https-port",
        type=int,
        help="serve the pages by HTTPS there, too, which a telephone as the camera needs (default: with phone as the "
        "source the next port, else none; 0: none)",
    )
    parser.add_argument("--game", default=USUAL_GAME, help=f"what is watched and played (default: {USUAL_GAME})")
    add_fps_option(parser, "frames a second asked of the source")
    add_data_option(parser)
    add_room_options(parser)
    setting_up.add_arguments(parser)
    parser.add_argument("--pin", help=f"the referee's PIN (default ${PIN_VARIABLE}, else made up and shown)")
    add_lang_option(parser)
    parser.add_argument("--no-browser", action="store_true", help="do not open the scoreboard in a browser")


def run(args: argparse.Namespace) -> int:
    cv2.setNumThreads(1)  # frames come one after another; threads that wait for each other burn more than they save
    heap.share_heaps()
    logging.basicConfig(level=logging.WARNING, format="arena-cam referee: %(message)s")
    logging.getLogger("arena_cam").setLevel(logging.INFO)
    logging.getLogger("waitress").setLevel(logging.ERROR)  # requests that an ending program cuts off are no news
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    folder = _made(args.data)
    pin = _pin(args.pin, folder)
    with OwnUpkeep(folder, stopping) as upkeep:
        _evening(args, folder, pin, stopping, upkeep)
    upkeep.start_anew()
    return 0


def _evening(args: argparse.Namespace, folder: Path, pin: str, stopping: threading.Event, upkeep: OwnUpkeep) -> None:
    """Opens everything, serves until `stopping`, and closes everything."""
    with listen(args.host, args.port) as listening:  # first what fails at once, then what takes its time
        data = DataFolder(folder, args.evidence, args.keep_free)
        try:
            finish_learning(args.deck, args.lang)
            with Working(told(Doing.GETTING_READY(), args.lang)):
                room = _room(args, folder, data)
        except BaseException:
            data.close()
            raise
        try:
            _serve(args, room, Site(listening, pin, folder, upkeep), stopping)
        finally:
            room.close()


def _room(args: argparse.Namespace, folder: Path, data: DataFolder) -> Room:
    outfit = find_outfit(args.game)
    programs = Programs(data.tokens, data.receivers, PageWords())
    evening = outfit.evening(EveningOptions(args.source, folder, args.fps, args.deck))
    if evening is not None:
        if args.table is not None:
            raise BadInput(CommandRefusal.NO_TABLE_NEEDED(game=args.game))
        phone = evening.source if isinstance(evening.source, PhoneSource) else None
        session = Session(data, evening.eye, evening.source, version=__version__)
        return Room(session, None, evening.players, programs, phone)
    opened = _open(args, folder, data)
    recording = opened.recording

    def make_eye(table: Table, deck: Deck) -> Eye:
        return outfit.open_eye(table, deck, picture_cache())

    desk = setting_up.make_desk(args, data, make_eye, opened.chosen, recording)
    session = Session(data, desk.first_eye(), opened.source, version=__version__, on_state=recording)
    if recording is not None:
        recording.watch(session)
    desk.attach(session)
    return Room(session, desk, opened.players, programs)


def _open(args: argparse.Namespace, folder: Path, data: DataFolder) -> Opened:
    if args.source == "sim":
        if args.table is not None:
            raise BadInput(OptionRefusal.SIM_TABLE())
        made = find_outfit(args.game).simulation(folder, args.deck, args.fps)
        return Opened(made.source, Chosen(made.table, None, made.deck, made.deck_folder), made.players)
    chosen = setting_up.chosen_or_last(args, data)
    size = chosen.table.image_size if chosen.table is not None else None
    source = open_source(args.source, args.fps, size, pages=True)
    if source.live:
        return Opened(source, chosen)
    source.close()
    recording = Recording(args.game, Film(lambda: open_source(args.source, args.fps, size)))
    if chosen.table is not None and chosen.deck is not None:
        recording.play(chosen.deck)
    return Opened(recording.film, chosen, recording=recording)


def _serve(args: argparse.Namespace, room: Room, site: Site, stopping: threading.Event) -> None:
    """Serves the pages until `stopping`, with players of its own where the table is simulated."""
    address = _phones_address(args.host, site.listening)
    secret = _kept_secret(site.folder / "web-secret", secrets.token_hex(32))
    https_port = args.https_port if args.https_port is not None else None if room.phone is None else site.port + 1
    secure = open_secure(args.host, https_port, site.port, site.folder)
    settings = WebSettings(site.pin, secret, address, args.game, secure.address, secure.fingerprint)
    session, desk = room.session, room.desk
    shop, programs = OwnPrintShop(site.folder / "sheets"), room.programs
    app = create_app(session, settings, desk, shop, programs, room.phone, site.upkeep)
    server = Server(app, site.listening, secure.behind)
    web: Web = server.app.extensions["arena_cam"]
    players = room.players(session, web.seats.present) if room.players is not None else None
    server.start()
    secure.start()
    session.start()
    programs.start(session)
    if players is not None:
        players.start()
    _greet(
        args, address, server.port, site.pin, first="setup" if _needs_setup(desk) else "", with_table=desk is not None
    )
    if secure.address is not None:
        print(told(Said.CAMERA_AT(url=secure.address, text=secure.fingerprint[:23]), args.lang), flush=True)
    manager = ServiceManager()
    seconds = 0
    try:
        while not stopping.wait(1.0):  # woken once a second: a signal must not wait for a lock
            seconds += 1
            if seconds % GIVE_BACK_EVERY_S == 0:
                heap.give_back()
            if manager.listens:
                manager.saw(session.health()["camera"]["frames"])
    finally:
        manager.stopping()
        if players is not None:
            players.stop()
        secure.stop()
        server.stop(web.streams.end)


def _needs_setup(desk: SetupDesk | None) -> bool:
    return desk is not None and not desk.snapshot()["ready"]


def _greet(args: argparse.Namespace, address: str | None, port: int, pin: str, *, first: str, with_table: bool) -> None:
    """Says where the pages are; `first` is the one that is opened here."""
    here = f"http://localhost:{port}"

    def say(message: Message) -> None:
        print(told(message, args.lang), flush=True)

    if first:
        say(Said.NO_TABLE_YET())
    if with_table:
        say(Said.SET_UP_AT(url=here, pin=pin))
    say(Said.SCOREBOARD_AT(url=here))
    if address is not None:
        say(Said.PHONES_AT(url=address))
    else:
        say(Said.NO_PHONES())
    say(Said.REFEREE_AT(url=here, pin=pin))
    say(Said.ENDS())
    has_display = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if has_display and not args.no_browser:
        webbrowser.open(f"{here}/{first}")


def _made(folder: Path) -> Path:
    """The folder where games are kept, made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotDo(CommandRefusal.DATA_NOT_MADE(text=error.strerror), about=folder) from None
    return folder


def _pin(given: str | None, folder: Path) -> str:
    """The PIN given, else the one of the last start, so that a restart logs nobody out."""
    pin = given or os.environ.get(PIN_VARIABLE)
    if pin is None:
        return _kept_secret(folder / "web-pin", new_pin())
    if len(pin.strip()) < SHORTEST_PIN:
        raise BadInput(CommandRefusal.SHORT_PIN(least=SHORTEST_PIN))
    return pin.strip()


def _kept_secret(file: Path, fresh: str) -> str:
    """The secret in `file`, readable by nobody else; `fresh` is put there if there is none."""
    try:
        known = file.read_text(encoding="ascii").strip() if file.exists() else ""
        if len(known) >= SHORTEST_PIN:
            return known
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as out:
            out.write(fresh)
    except OSError as error:
        raise CannotDo(CommandRefusal.DATA_NOT_KEPT(text=error.strerror), about=file) from None
    except UnicodeDecodeError as error:
        raise CannotDo(CommandRefusal.DATA_NOT_KEPT(text=error.reason), about=file) from None
    return fresh


def _phones_address(host: str, listening: socket.socket) -> str | None:
    """Where a phone on the same network finds the pages; None where only this machine can."""
    at, port = listening.getsockname()[:2]
    return None if ipaddress.ip_address(at).is_loopback else f"http://{reachable_host(host)}:{port}"
