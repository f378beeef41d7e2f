"""A deck learned at the table: cards are laid into the arena one after another, each is kept as soon as it is taken."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from arena_cam.camera.folder import read_picture
from arena_cam.camera.frame import Frame, FrameSource, Image
from arena_cam.camera.open_source import open_source
from arena_cam.commands.decks.messages import DeckCommandRefusal, Learning
from arena_cam.commands.options.cache_folder import drawing_folder
from arena_cam.commands.options.language import error_told
from arena_cam.commands.options.messages import Following, OptionRefusal, OwnDeck
from arena_cam.commands.process.terminal import Working
from arena_cam.commands.tables.table_file import table_for
from arena_cam.domain.errors import BadInput, BadPicture, CameraLost, CannotDo
from arena_cam.domain.messages import Message
from arena_cam.domain.table import Table
from arena_cam.formats.card_names import named_card
from arena_cam.formats.deck_folder import DeckFolder
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.wording import told
from arena_cam.referee.game.outfit import find_outfit
from arena_cam.referee.setup.lesson import SECONDS_A_CARD, Lesson, all_in_one_light
from arena_cam.rules import USUAL_GAME
from arena_cam.vision.deck_learning.card_taker import CardTaker, EmptyArena, TakenCard
from arena_cam.vision.deck_learning.recognition import KnownFaces

Ask = Callable[[str], str]

MOST_NAMED = 8  # missing cards in one line


def learn(args: argparse.Namespace, folder: DeckFolder, names: Sequence[str], again: set[str], ask: Ask) -> int:
    """Learns until all cards are there. Raises CannotDo where the source ends before."""
    lesson = Lesson(folder, names, back=not args.no_back, again=again, radius_mm=args.corner_radius)
    with drawing_folder(args.source) as scratch:
        source, table, empty = _opened(args, names, scratch)
        try:
            _Conversation(args, lesson, ask).watch(source, table, empty)
        finally:
            source.close()
            _finish(lesson, args.lang)
    return 0


def _finish(lesson: Lesson, language: str) -> None:
    """Brings all that was taken into one light, if that is still to be done."""
    if lesson.uneven:
        print(f"{told(OwnDeck.ONE_LIGHT(), language)}...", flush=True)
        with Working(told(OwnDeck.ONE_LIGHT(), language)) as working:
            taken = lesson.as_taken()
            lesson.improve(all_in_one_light(taken, lambda share: working.at(round(share * len(taken)), len(taken))))


def _opened(args: argparse.Namespace, names: Sequence[str], scratch: Path) -> tuple[FrameSource, Table, Image | None]:
    """The source, its table, and the picture of the empty arena where set-up took one."""
    if args.source == "sim":
        if args.table is not None:
            raise BadInput(OptionRefusal.SIM_TABLE())
        return (*find_outfit(USUAL_GAME).laying(names, scratch), None)
    if args.table is None:
        raise BadInput(DeckCommandRefusal.TABLE_OR_PHOTOS())
    table = table_for("deck learn", args.table, args.lang)
    empty = read_picture(table.empty) if table.empty is not None else None
    return open_source(args.source, args.fps, table.image_size), table, empty


def _frames(source: FrameSource, language: str) -> Iterator[Frame]:
    """The frames of a source until it ends; a bad picture is left out, and a lost live camera waited for."""
    while True:
        try:
            frame = source.read()
        except BadPicture as error:
            _warn(error_told(error, language))
            continue
        except CameraLost as error:
            if not source.live:
                raise
            _warn(told(Following.WAITING(why=error_told(error, language)), language))
            continue
        if frame is None:
            return
        yield frame


class _Conversation:
    """What is said and asked while a deck is learned."""

    def __init__(self, args: argparse.Namespace, lesson: Lesson, ask: Ask) -> None:
        self._lesson = lesson
        self._ask = ask
        self._language = args.lang
        self._in_order = args.in_order
        self._like = read_deck(args.like) if args.like is not None else None
        self._alike: KnownFaces | None = None

    def watch(self, source: FrameSource, table: Table, empty: Image | None) -> None:
        """Takes cards from `source` until none is missing."""
        lesson = self._lesson
        if not lesson.missing:
            self._say(Learning.ALL_THERE())
            return
        taker = CardTaker(table, source.fps, lesson.folder.size_mm, empty)
        self._say_missing(at_first=True)
        self._say(Learning.HOW())
        self._say(Learning.DURATION(count=len(lesson.missing), minutes=lesson.minutes, seconds=SECONDS_A_CARD))
        try:
            self._take_all(source, taker)
        except KeyboardInterrupt:
            print()  # after ^C
            self._say(Learning.STOPPED(count=len(lesson.folder.cards), folder=str(lesson.folder.folder)))
            raise
        if lesson.missing:
            raise CannotDo(Learning.ENDED(source=source.name, listed=self._first_missing()))

    def _take_all(self, source: FrameSource, taker: CardTaker) -> None:
        """Takes cards until none is missing or the source ends.

        Who lays cards before a live camera hears that one was not taken, and lays it again. In a recording the next one
        follows, and by its place in the order it would get the name of the one that was missed.
        """
        said, missed = "", None
        for frame in _frames(source, self._language):
            seen = taker.feed(frame)
            if isinstance(seen, TakenCard):
                said, missed = "", None
                self._take(seen, taker)
            elif seen is not None:
                if isinstance(seen, EmptyArena) and missed is not None and self._in_order and not source.live:
                    raise CannotDo(Learning.MISSED(name=self._lesson.missing[0], why=missed, source=source.name))
                missed = seen if isinstance(seen, Message) else None
                said = self._tell(seen, said)
            if not self._lesson.missing:
                return

    def _tell(self, seen: Message | EmptyArena, said: str) -> str:
        """Says what is seen, once; `said` is what was said last."""
        if isinstance(seen, EmptyArena):
            if said != "empty":
                this = self._lesson.missing[0]
                self._say(Learning.ARENA_EMPTY_LAY(name=this) if self._in_order else Learning.ARENA_EMPTY())
            return "empty"
        if str(seen) != said:  # a hand that moves to and fro is told once
            still = Learning.NOT_TAKEN_STILL if self._in_order else Learning.NOT_TAKEN
            self._say(still(why=seen, name=self._lesson.missing[0]))
        return str(seen)

    def _take(self, card: TakenCard, taker: CardTaker) -> None:
        lesson = self._lesson
        size = lesson.measured(card)
        if size is not None:
            taker.size_mm = size
            self._say(Learning.MEASURED(width_mm=f"{size[0]:g}", height_mm=f"{size[1]:g}"))
        before = lesson.learned_before(card.image)
        if before is not None:
            again = Learning.BEFORE_LAY if self._in_order else Learning.BEFORE
            self._say(again(name=before, wanted=lesson.missing[0]))
            return
        image = card.image
        if self._in_order:
            name: str | None = lesson.missing[0]
        else:
            name, image = self._named(image)
        if name is None:
            self._say(Learning.LEFT_OUT())
            return
        lesson.keep(name, image, card)
        done = {"done": lesson.learned, "total": lesson.total}
        self._say(Learning.LEARNED(name=name, px_mm=f"{card.px_per_mm:.1f}", **done))
        self._say_missing()

    def _say(self, message: Message) -> None:
        print(told(message, self._language), flush=True)

    def _named(self, image: Image) -> tuple[str | None, Image]:
        """The card's name, read or asked for, and its picture the right way up; None to leave it out."""
        lesson = self._lesson
        read = lesson.name_read(image)
        if read is not None:
            return read, image
        guess, colour = self._guess(image), lesson.colour(image)
        hint = Learning.HINT_ANY()
        if guess or colour:
            hint = Learning.HINT_GUESS(name=guess) if guess else Learning.HINT_COLOUR(name=f"{colour}-7")
        while True:
            answer = self._ask(told(Learning.WHICH(hint=hint), self._language) + " ").strip()
            if answer.lower() == "x":
                return None, image
            if answer.lower() == "t":
                image = np.ascontiguousarray(image[::-1, ::-1])
                self._say(Learning.TURNED())
                continue
            name = guess if not answer else named_card(answer, lesson.names, colour)
            if name is None:
                self._say(Learning.NAMES_LIKE(name=lesson.names[0]))
                continue
            if lesson.free(name) or self._replaces(name):
                return name, image

    def _replaces(self, name: str) -> bool:
        question = told(Learning.REPLACE(name=name), self._language)
        return self._ask(question + " ").strip().lower() == "y"

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
            sentence = Learning.MISSING_MORE if count > MOST_NAMED else Learning.MISSING
            listed = ", ".join(self._lesson.missing[:MOST_NAMED])
            self._say(sentence(count=count, listed=listed, more=count - MOST_NAMED))

    def _first_missing(self) -> str:
        some = self._lesson.missing[:MOST_NAMED]
        return ", ".join(some if len(some) == len(self._lesson.missing) else [*some, "…"])


def _warn(text: str) -> None:
    print(f"arena-cam deck learn: {text}", file=sys.stderr, flush=True)
