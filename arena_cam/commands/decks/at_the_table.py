"""A deck learned at the table: cards are laid into the arena one after another, each is kept as soon as it is taken."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from arena_cam.camera.folder import read_picture
from arena_cam.camera.frame import Frame, FrameSource, Image
from arena_cam.camera.open_source import open_source
from arena_cam.commands.tables.table_file import table_for
from arena_cam.domain.errors import BadInput, BadPicture, CameraLost, CannotDo
from arena_cam.domain.messages import Message
from arena_cam.domain.table import Table
from arena_cam.formats.card_names import named_card
from arena_cam.formats.deck_folder import DeckFolder
from arena_cam.formats.deck_toml import read_deck
from arena_cam.referee.game.outfit import find_outfit
from arena_cam.referee.setup.lesson import SECONDS_A_CARD, Lesson
from arena_cam.rules import USUAL_GAME
from arena_cam.vision.deck_learning.card_taker import CardTaker, EmptyArena, TakenCard
from arena_cam.vision.deck_learning.recognition import KnownFaces

Ask = Callable[[str], str]

MOST_NAMED = 8  # missing cards in one line


def learn(args: argparse.Namespace, folder: DeckFolder, names: Sequence[str], again: set[str], ask: Ask) -> int:
    """Learns until all cards are there. Raises CannotDo where the source ends before."""
    lesson = Lesson(folder, names, back=not args.no_back, again=again, radius_mm=args.corner_radius)
    with TemporaryDirectory(prefix="arena-cam-") as scratch:
        source, table, empty = _opened(args, names, Path(scratch))
        try:
            _Conversation(args, lesson, ask).watch(source, table, empty)
        finally:
            source.close()
    return 0


def _opened(args: argparse.Namespace, names: Sequence[str], scratch: Path) -> tuple[FrameSource, Table, Image | None]:
    """The source, its table, and the picture of the empty arena where set-up took one."""
    if args.source == "sim":
        if args.table is not None:
            raise BadInput("the simulated table has a table of its own; leave --table out")
        return (*find_outfit(USUAL_GAME).laying(names, scratch), None)
    if args.table is None:
        raise BadInput("a table is needed; give --table table.json, which arena-cam calibrate makes, or --photos")
    table = table_for("deck learn", args.table)
    empty = read_picture(table.empty) if table.empty is not None else None
    return open_source(args.source, args.fps, table.image_size), table, empty


def _frames(source: FrameSource) -> Iterator[Frame]:
    """The frames of a source until it ends; a bad picture is left out, and a lost live camera waited for."""
    while True:
        try:
            frame = source.read()
        except BadPicture as error:
            _warn(str(error))
            continue
        except CameraLost as error:
            if not source.live:
                raise
            _warn(f"{error}; waiting for it to come back")
            continue
        if frame is None:
            return
        yield frame


class _Conversation:
    """What is said and asked while a deck is learned."""

    def __init__(self, args: argparse.Namespace, lesson: Lesson, ask: Ask) -> None:
        self._lesson = lesson
        self._ask = ask
        self._in_order = args.in_order
        self._like = read_deck(args.like) if args.like is not None else None
        self._alike: KnownFaces | None = None

    def watch(self, source: FrameSource, table: Table, empty: Image | None) -> None:
        """Takes cards from `source` until none is missing."""
        lesson = self._lesson
        if not lesson.missing:
            print("all cards are there already; --again learns some of them anew")
            return
        taker = CardTaker(table, source.fps, lesson.folder.size_mm, empty)
        self._say_missing(at_first=True)
        print("clear the arena, then lay card after card into it, upright as the camera sees it; Ctrl-C stops, and the")
        print("same line goes on later", flush=True)
        count = len(lesson.missing)
        print(f"{count} cards take about {lesson.minutes} minutes, {SECONDS_A_CARD} seconds a card", flush=True)
        try:
            self._take_all(source, taker)
        except KeyboardInterrupt:
            print(f"\nstopped; {len(lesson.folder.cards)} cards are kept in {lesson.folder.folder}")
            raise
        if lesson.missing:
            raise CannotDo(
                f"{source.name} ended before all cards were learned; still missing: {self._some_missing()}; the same "
                "line goes on"
            )

    def _take_all(self, source: FrameSource, taker: CardTaker) -> None:
        """Takes cards until none is missing or the source ends."""
        said = ""
        for frame in _frames(source):
            seen = taker.feed(frame)
            if isinstance(seen, TakenCard):
                said = ""
                self._take(seen, taker)
            elif seen is not None:
                said = self._tell(seen, said)
            if not self._lesson.missing:
                return

    def _tell(self, seen: Message | EmptyArena, said: str) -> str:
        """Says what is seen, once; `said` is what was said last."""
        if isinstance(seen, EmptyArena):
            if said != "empty":
                print(f"the arena is empty: lay {self._next()}", flush=True)
            return "empty"
        if str(seen) != said:  # a hand that moves to and fro is told once
            again = f" (still {self._lesson.missing[0]})" if self._in_order else ""
            print(f"not taken{again}: {seen}", flush=True)
        return str(seen)

    def _take(self, card: TakenCard, taker: CardTaker) -> None:
        lesson = self._lesson
        size = lesson.measured(card)
        if size is not None:
            taker.size_mm = size
            print(f"the card measures {size[0]:g} x {size[1]:g} mm; give --card-size if you know it better")
        before = lesson.learned_before(card.image)
        if before is not None:
            print(f"{before} is learned already: lay {self._next()}", flush=True)
            return
        image = card.image
        if self._in_order:
            name: str | None = lesson.missing[0]
        else:
            name, image = self._named(image)
        if name is None:
            print("left out", flush=True)
            return
        lesson.keep(name, image, card)
        done = f"{lesson.learned} of {lesson.total}"
        print(f"{name} learned at {card.px_per_mm:.1f} px/mm ({done})", flush=True)
        self._say_missing()

    def _next(self) -> str:
        return f"{self._lesson.missing[0]}, and no other" if self._in_order else "the next card"

    def _named(self, image: Image) -> tuple[str | None, Image]:
        """The card's name, read or asked for, and its picture the right way up; None to leave it out."""
        lesson = self._lesson
        read = lesson.name_read(image)
        if read is not None:
            return read, image
        guess, colour = self._guess(image), lesson.colour(image)
        hint = f"Enter for {guess}, " if guess else f"7 for {colour}-7, " if colour else "like red-7 or r7, "
        while True:
            answer = self._ask(f"which card is it? ({hint}back, t: it lay upside down, x: leave it out) ").strip()
            if answer.lower() == "x":
                return None, image
            if answer.lower() == "t":
                image = np.ascontiguousarray(image[::-1, ::-1])
                print("turned")
                continue
            name = guess if not answer else named_card(answer, lesson.names, colour)
            if name is None:
                print(f"that is no card of this deck; its names are like {lesson.names[0]}")
                continue
            if lesson.free(name) or self._replaces(name):
                return name, image

    def _replaces(self, name: str) -> bool:
        return self._ask(f"{name} is learned already; take this picture instead? (y/n) ").strip().lower() == "y"

    def _guess(self, image: Image) -> str | None:
        """The missing card that a similar deck has and that this one looks like."""
        size = self._lesson.folder.size_mm
        if self._like is None or size is None:
            return None
        if self._alike is None:
            self._alike = KnownFaces(*size)
            for card in self._like.cards:
                self._alike.add(card.id, read_picture(card.image))
        return self._alike.most_like(image, [name for name in self._lesson.missing if name in self._like.by_id])

    def _say_missing(self, *, at_first: bool = False) -> None:
        count = len(self._lesson.missing)
        if count and (at_first or count % 5 == 0 or count <= MOST_NAMED):
            print(f"still missing ({count}): {self._some_missing()}", flush=True)

    def _some_missing(self) -> str:
        more = len(self._lesson.missing) - MOST_NAMED
        return ", ".join(self._lesson.missing[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _warn(text: str) -> None:
    print(f"arena-cam deck learn: {text}", file=sys.stderr, flush=True)
