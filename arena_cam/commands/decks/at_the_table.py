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
from arena_cam.domain.table import Table
from arena_cam.formats.card_names import BACK_NAME, named_card
from arena_cam.formats.deck_folder import DeckFolder
from arena_cam.formats.deck_toml import read_deck
from arena_cam.referee.game.outfit import find_outfit
from arena_cam.rules import USUAL_GAME
from arena_cam.vision.deck_learning.card_outline import NoCard
from arena_cam.vision.deck_learning.card_taker import CardTaker, EmptyArena, TakenCard
from arena_cam.vision.deck_learning.printed_marks import printed_marks
from arena_cam.vision.deck_learning.recognition import KnownFaces, colour_name
from arena_cam.vision.deck_learning.straightening import png_of, trimmed
from arena_cam.vision.picture.qr_codes import codes_in

Ask = Callable[[str], str]

MOST_NAMED = 8  # missing cards in one line
# A blurred edge reaches so far into the card, in widths of the edge; see photographed_deck.
RIM_EDGES, LEAST_RIM_MM, MOST_RIM_MM = 0.6, 0.1, 0.5
USUAL_RADIUS_MM = 3.0
# To lay a card, let go, wait for its picture and take it away: an estimate, not measured.
SECONDS_A_CARD = 6


def learn(args: argparse.Namespace, folder: DeckFolder, names: Sequence[str], again: set[str], ask: Ask) -> int:
    """Learns until all cards are there. Raises CannotDo where the source ends before."""
    with TemporaryDirectory(prefix="arena-cam-") as scratch:
        source, table, empty = _opened(args, names, Path(scratch))
        try:
            _Lesson(args, folder, names, again, ask).watch(source, table, empty)
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


class _Lesson:
    """The conversation, and what is known so far."""

    def __init__(
        self, args: argparse.Namespace, folder: DeckFolder, names: Sequence[str], again: set[str], ask: Ask
    ) -> None:
        self._folder = folder
        self._names = names
        self._ask = ask
        self._in_order = args.in_order
        self._radius_mm = args.corner_radius
        self._radii: list[float] = []
        self._like = read_deck(args.like) if args.like is not None else None
        self._known: KnownFaces | None = None
        self._alike: KnownFaces | None = None
        wanted = [*names] if args.no_back else [*names, BACK_NAME]
        self._total = len(wanted)
        unknown = again - set(wanted)
        if unknown:
            raise BadInput(f"--again names {sorted(unknown)[0]}, which is no card of this deck; see --names")
        self._missing = [name for name in wanted if name in again or not folder.has(name)]
        self._again = again

    def watch(self, source: FrameSource, table: Table, empty: Image | None) -> None:
        """Takes cards from `source` until none is missing."""
        if not self._missing:
            print("all cards are there already; --again learns some of them anew")
            return
        taker = CardTaker(table, source.fps, self._folder.size_mm, empty)
        self._say_missing(at_first=True)
        print("clear the arena, then lay card after card into it, upright as the camera sees it; Ctrl-C stops, and the")
        print("same line goes on later", flush=True)
        minutes = max(1, round(len(self._missing) * SECONDS_A_CARD / 60))
        print(f"{len(self._missing)} cards take about {minutes} minutes, {SECONDS_A_CARD} seconds a card", flush=True)
        try:
            self._take_all(source, taker)
        except KeyboardInterrupt:
            print(f"\nstopped; {len(self._folder.cards)} cards are kept in {self._folder.folder}")
            raise
        if self._missing:
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
            if not self._missing:
                return

    def _tell(self, seen: NoCard | EmptyArena, said: str) -> str:
        """Says what is seen, once; `said` is what was said last."""
        if isinstance(seen, EmptyArena):
            if said != "empty":
                print(f"the arena is empty: lay {self._next()}", flush=True)
            return "empty"
        if str(seen) != said:  # a hand that moves to and fro is told once
            again = f" (still {self._missing[0]})" if self._in_order else ""
            print(f"not taken{again}: {seen}", flush=True)
        return str(seen)

    def _take(self, card: TakenCard, taker: CardTaker) -> None:
        if self._folder.size_mm is None:
            size = (round(card.size_mm[0], 1), round(card.size_mm[1], 1))
            self._folder.size_mm = taker.size_mm = size
            print(f"the card measures {size[0]:g} x {size[1]:g} mm; give --card-size if you know it better")
        known = self._known_faces()
        before = known.same_as(card.image)
        if before is not None and before not in self._again:
            print(f"{before} is learned already: lay {self._next()}", flush=True)
            return
        image = card.image
        if self._in_order:
            name: str | None = self._missing[0]
        else:
            name, image = self._named(image)
        if name is None:
            print("left out", flush=True)
            return
        if card.radius_mm is not None:
            self._radii.append(card.radius_mm)
        radius = self._radius()
        rim = min(max(RIM_EDGES * card.edge_px / card.px_per_mm, LEAST_RIM_MM), MOST_RIM_MM)
        face = trimmed(image, radius, rim)
        self._folder.put(name, png_of(face), radius, *printed_marks(face))
        known.add(name, image)
        self._again.discard(name)
        if name in self._missing:
            self._missing.remove(name)
        done = f"{self._total - len(self._missing)} of {self._total}"
        print(f"{name} learned at {card.px_per_mm:.1f} px/mm ({done})", flush=True)
        self._say_missing()

    def _next(self) -> str:
        return f"{self._missing[0]}, and no other" if self._in_order else "the next card"

    def _named(self, image: Image) -> tuple[str | None, Image]:
        """The card's name, read or asked for, and its picture the right way up; None to leave it out."""
        read = [named_card(text.rpartition(":")[2], self._names) for text in codes_in(image)]
        if len(set(read)) == 1 and read[0] is not None:
            return read[0], image
        guess = self._guess(image)
        colours = sorted({name.rpartition("-")[0] for name in self._names if "-" in name})
        colour = colour_name(image, colours)
        hint = f"Enter for {guess}, " if guess else f"7 for {colour}-7, " if colour else "like red-7 or r7, "
        while True:
            answer = self._ask(f"which card is it? ({hint}back, t: it lay upside down, x: leave it out) ").strip()
            if answer.lower() == "x":
                return None, image
            if answer.lower() == "t":
                image = np.ascontiguousarray(image[::-1, ::-1])
                print("turned")
                continue
            name = guess if not answer else named_card(answer, self._names, colour)
            if name is None:
                print(f"that is no card of this deck; its names are like {self._names[0]}")
                continue
            if not self._folder.has(name) or name in self._again or self._replaces(name):
                return name, image

    def _replaces(self, name: str) -> bool:
        return self._ask(f"{name} is learned already; take this picture instead? (y/n) ").strip().lower() == "y"

    def _guess(self, image: Image) -> str | None:
        """The missing card that a similar deck has and that this one looks like."""
        if self._like is None or self._folder.size_mm is None:
            return None
        if self._alike is None:
            self._alike = KnownFaces(*self._folder.size_mm)
            for card in self._like.cards:
                self._alike.add(card.id, read_picture(card.image))
        return self._alike.most_like(image, [name for name in self._missing if name in self._like.by_id])

    def _known_faces(self) -> KnownFaces:
        if self._known is None:
            assert self._folder.size_mm is not None  # measured before the first card is looked up
            self._known = KnownFaces(*self._folder.size_mm)
            for name in (*self._folder.cards, BACK_NAME):
                picture = self._folder.picture(name)
                if picture is not None:
                    self._known.add(name, read_picture(picture))
        return self._known

    def _radius(self) -> float:
        if self._radius_mm is not None:
            return float(self._radius_mm)
        return round(float(np.median(self._radii)), 1) if self._radii else USUAL_RADIUS_MM

    def _say_missing(self, *, at_first: bool = False) -> None:
        if self._missing and (at_first or len(self._missing) % 5 == 0 or len(self._missing) <= MOST_NAMED):
            print(f"still missing ({len(self._missing)}): {self._some_missing()}", flush=True)

    def _some_missing(self) -> str:
        more = len(self._missing) - MOST_NAMED
        return ", ".join(self._missing[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _warn(text: str) -> None:
    print(f"arena-cam deck learn: {text}", file=sys.stderr, flush=True)
