"""The desk where a table is set up (setup_interface.SetupPort): camera, lens, arena, deck, and then a game.

While somebody sits at it the session has an eye of the desk's: it sees nothing of the game and hands every frame to the
desk. So nothing is refereed, and all pages say why. In the end the session is given an eye made for the new table.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from arena_cam.camera.folder import read_picture
from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.arguments import ArgumentRefusal
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import ArenaCamError, Refused
from arena_cam.domain.lies import Reading, TablePose
from arena_cam.domain.table import Arena, Table
from arena_cam.formats.card_names import ARENA_NAMES
from arena_cam.formats.deck_toml import read_deck
from arena_cam.formats.table_json import read_camera, read_table, table_to_json
from arena_cam.referee.game.eye import Eye
from arena_cam.referee.interface import Snapshot
from arena_cam.referee.messages import Refusal
from arena_cam.referee.setup import files as setup_files
from arena_cam.referee.setup.arguments import (
    CARD,
    SETUP_ACTIONS,
)
from arena_cam.referee.setup.desk_watcher import DeskWatcher
from arena_cam.referee.setup.files import Lens, SetupPlaces
from arena_cam.referee.setup.interface import (
    STEPS,
    DeckChoice,
    SetupSnapshot,
    Step,
)
from arena_cam.referee.setup.learning import LearnLook
from arena_cam.referee.setup.lesson import Lesson, finish, unfinished
from arena_cam.referee.setup.looking import ArenaLook, BoardLook, Look, PlainLook, TableLook
from arena_cam.referee.setup.measuring import ArenaMeasuring, lens_matrices
from arena_cam.referee.setup.messages import SetupRefusal
from arena_cam.referee.setup.one_light import OneLight, Unfinished
from arena_cam.referee.setup.values import lengths, lens_result
from arena_cam.vision.setup.intrinsics import intrinsics_to_json

Json = dict[str, Any]
log = logging.getLogger(__name__)

USUAL_ARENA = Arena((280.0, 280.0), 15.0, 6.0)
FILM = frozenset({"hold_film", "run_film", "next_picture"})
LONGEST_END_S = 80.0  # a Raspberry Pi's half a minute, and room; systemd waits for 90
LEARNING = frozenset({"name_card", "turn_card", "leave_out_card", "learn_again"})


class Refereeing(Protocol):
    """The session, as the desk needs it."""

    @property
    def eye(self) -> Eye: ...
    def see_with(self, eye: Eye) -> None: ...
    def snapshot(self) -> Snapshot: ...
    def act(self, action: str, args: Mapping[str, Any], who: str) -> dict[str, Any]: ...


class Projector(Protocol):
    """A recording that is shown in place of a camera: while a table is set up it is held, stepped and begun again."""

    @property
    def held(self) -> bool: ...
    def rehearse(self) -> None: ...
    def hold(self, held: bool) -> None: ...
    def step(self) -> None: ...
    def play(self, deck: Deck) -> None:
        """Plays it once from its beginning, and begins the game that is seen in it."""
        ...


@dataclass(frozen=True)
class Chosen:
    """A table and a deck with the file and the folder they come from."""

    table: Table | None = None
    table_file: Path | None = None
    deck: Deck | None = None
    deck_folder: Path | None = None


class SetupDesk:
    """Implements SetupPort. `attach` it to the session, and `close` it in the end."""

    def __init__(
        self,
        make_eye: Callable[[Table, Deck], Eye],
        places: SetupPlaces,
        remember: Callable[[Path, Path], None],
        in_use: Chosen,
        source: str = "camera",
        film: Projector | None = None,
    ) -> None:
        """`remember` keeps the table's file and the deck's folder for the next start; `in_use` is what there is now."""
        self._film = film
        self._make_eye, self._places, self._remember, self._source = make_eye, places, remember, source
        self._in_use = self._chosen = in_use
        self._session: Refereeing | None = None
        self._lock = threading.RLock()  # of everything below
        self._news = threading.Condition()  # of the newest frame
        self._newest: Frame | None = None
        self._looked = -1
        self._fps = 15.0  # until the session says
        self._closed = False
        self._heard: list[Callable[[], None]] = []
        self._active, self._step = False, "camera"
        self._look: Look = PlainLook()
        self._light = OneLight(self._tell)
        self._lens: Lens | None = None
        self._lenses: list[Lens] = []
        self._decks: list[tuple[DeckChoice, Path | None]] = []
        self._decks_written: dict[Path, int] = {}  # when each was, as the list was made
        self._camera_is_fine = False
        self._deck_id: str | None = None
        self._measuring = ArenaMeasuring(places.calibration)
        self._told: SetupSnapshot | None = None
        self._thread = threading.Thread(target=self._run, name="setup", daemon=True)

    # ------------------------------------------------------------------ the session's side

    def first_eye(self) -> Eye:
        """The eye to start a session with: one that referees, or where there is no table yet the desk's own."""
        table, deck = self._in_use.table, self._in_use.deck
        if table is not None and deck is not None:
            return self._make_eye(table, deck)
        self._sit_down()
        return self._own_eye(None)

    def attach(self, session: Refereeing) -> None:
        """Starts to look at the frames of `session`, which was made with `first_eye`."""
        self._session = session
        if self._active:
            self._pause()
        self._thread.start()

    def close(self) -> None:
        """Ends looking. What was learned is brought into one light first: seconds, on a small machine half a minute."""
        if self._light.waits or (isinstance(self._look, LearnLook) and self._look.uneven):
            log.info("the deck's pictures are brought into one light, then the program ends")
        with self._news:
            self._closed = True
            self._news.notify_all()
        if self._thread.is_alive():
            self._thread.join(LONGEST_END_S)

    def offer(self, frame: Frame) -> None:
        """The newest frame; returns at once."""
        with self._news:
            self._newest = frame
            self._news.notify_all()

    def _own_eye(self, before: Eye | None) -> Eye:
        """An eye that referees nothing; pages go on to show the table and the deck there were."""
        return Eye(
            before.table if before is not None else None,
            before.deck if before is not None else None,
            self._watcher,
            self._draw,
            before.setup if before is not None else {},
            warning="setting_up",
        )

    def _watcher(self, fps: float) -> DeskWatcher:
        self._fps = fps
        return DeskWatcher(self.offer)

    def _draw(self, image: Image, _reading: Reading | None, _pose: TablePose | None, layers: tuple[str, ...]) -> Image:
        return self._look.draw(image) if "setup" in layers else image

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._closed or self._light.waits or self._sequence() != self._looked)
                closed, frame = self._closed, self._newest
            if closed:
                self._look_at(PlainLook())
            self._light.work()
            if closed:
                return
            if frame is not None and self._sequence() != self._looked:
                self._looked = frame.sequence
                self._look_once(frame)

    def _look_once(self, frame: Frame) -> None:
        look = self._look
        try:
            self._list_new_decks()
            look.look(frame)
            if isinstance(look, BoardLook) and look.found is not None:
                self._board_found(look)
            if isinstance(look, LearnLook) and look.done:
                if look.uneven:
                    self._finish_light(self._learned(look))
                else:
                    self._deck_learned(look)
        except Exception:  # one bad picture must not end the set-up; the next one is a new chance
            log.exception("a picture could not be looked at")
        self._tell()

    def _look_at(self, look: Look) -> None:
        """Looks at something else from now on; a deck that was learned is brought into one light."""
        left, self._look = self._look, look
        if isinstance(left, LearnLook) and left.uneven:
            self._finish_light(self._learned(left))

    def _learned(self, look: LearnLook) -> Unfinished:
        """The deck that was learned there, to be brought into one light; once all of it is there it is chosen."""
        then = partial(self._deck_learned, look) if look.done else None
        return Unfinished(look.lesson.folder.folder.name, look.finish, then)

    def _finish_light(self, deck: Unfinished) -> None:
        self._light.add(deck)
        with self._news:
            self._news.notify_all()

    def _sequence(self) -> int:
        return self._newest.sequence if self._newest is not None and self._active else self._looked

    # ------------------------------------------------------------------ the pages' side

    def listen(self, heard: Callable[[], None]) -> None:
        self._heard.append(heard)

    def _tell(self) -> None:
        now = self.snapshot()
        if now != self._told:
            self._told = now
            for heard in self._heard:
                heard()

    def act(self, action: str, args: Mapping[str, Any]) -> Json:
        if action not in SETUP_ACTIONS:
            raise Refused("unknown", Refusal.NO_ACTION())
        with self._lock:
            if not self._active and action != "begin":
                raise Refused("not_now", SetupRefusal.NOT_BEGUN())
            answer: Json = {}
            if action in LEARNING:
                self._learn(action, args)
            elif action in FILM:
                self._show(action)
            else:
                answer = getattr(self, f"_do_{action}")(args) or {}
        self._tell()
        return answer

    def snapshot(self) -> SetupSnapshot:
        with self._lock:
            look, size = self._look, self._size()
            game = self._session.snapshot()["game"] if self._session is not None else None
            board = look.snapshot() if isinstance(look, BoardLook) else None
            return {
                "active": self._active,
                "ready": self._chosen.table is not None and self._chosen.deck is not None,
                "can_leave": self._in_use.table is not None and self._in_use.deck is not None,
                "step": self._step,  # type: ignore[typeddict-item]  # only names of STEPS are put there
                "done": self._done(),
                "picture": list(size) if size is not None else None,
                "game_on": game is not None and not game["ended"] and not game["over"],
                "film": {"held": self._film.held} if self._film is not None else None,
                "table": self._in_use.table_file.parent.name if self._in_use.table_file is not None else None,
                "deck_name": self._in_use.deck.name if self._in_use.deck is not None else None,
                "findings": look.snapshot() if isinstance(look, TableLook) else [],
                "lens": {
                    "choices": [lens.choice() for lens in self._lenses],
                    "chosen": lens_result(self._lens) if self._lens is not None else None,
                    "board": board,
                },
                "arena": self._measuring.snapshot(),
                "deck": {
                    "folder": str(self._places.decks.absolute()),
                    "choices": [choice for choice, _ in self._decks],
                    "chosen": self._deck_id,
                    "learning": look.snapshot() if isinstance(look, LearnLook) else None,
                    "light": self._light.snapshot(),
                },
            }

    def _done(self) -> list[Step]:
        done: list[Step] = []
        look = self._look
        if isinstance(look, TableLook) and look.findings:
            self._camera_is_fine = all(finding.grade != "bad" for finding in look.findings)
        if self._camera_is_fine:  # as it was seen last: later steps look at other things
            done.append("camera")
        if self._lens is not None:
            done.append("lens")
        if self._chosen.table is not None:
            done.append("arena")
        if self._chosen.deck is not None:
            done.append("deck")
        return done

    def _size(self) -> tuple[int, int] | None:
        frame = self._newest
        return (frame.image_bgr.shape[1], frame.image_bgr.shape[0]) if frame is not None else None

    def _frame(self) -> tuple[Image, tuple[int, int]]:
        frame = self._newest
        if frame is None:
            raise Refused("not_now", SetupRefusal.NO_FRAME())
        image = frame.image_bgr
        return image, (image.shape[1], image.shape[0])

    # ------------------------------------------------------------------ coming and going

    def _do_begin(self, _args: Mapping[str, Any]) -> None:
        if self._active:
            return
        assert self._session is not None
        game = self._session.snapshot()["game"]
        if game is not None and not game["ended"] and (game["may_choose"] or game["choices_made"]):
            raise Refused("not_now", SetupRefusal.DUEL_IS_ON())
        self._pause()
        self._newest, self._looked = None, -1
        self._chosen = self._in_use
        self._sit_down()
        self._session.see_with(self._own_eye(self._session.eye))

    def _pause(self) -> None:
        """Pauses the game, so that cards laid into the tray from now on are no throws."""
        assert self._session is not None
        if "pause" in self._session.snapshot()["legal"]:
            self._session.act("pause", {}, "setup")

    def _sit_down(self) -> None:
        self._active = True
        if self._film is not None:
            self._film.rehearse()
        self._measuring.begin()
        if self._in_use.table is not None:
            self._measuring.know(self._in_use.table)
        self._lens, self._deck_id = None, None
        self._read_decks()
        if self._in_use.deck_folder is not None:
            self._deck_id = next(
                (c["id"] for c, folder in self._decks if folder is not None and folder == self._in_use.deck_folder),
                setup_files.OWN_DECK,
            )
        self._go("camera")

    def _do_leave(self, _args: Mapping[str, Any]) -> None:
        self._await_light()
        if self._in_use.table is None or self._in_use.deck is None:
            raise Refused("not_now", SetupRefusal.NO_TABLE_BEFORE())
        self._referee_with(self._in_use)

    def _do_finish(self, _args: Mapping[str, Any]) -> None:
        self._await_light()
        chosen = self._chosen
        if chosen.table is None:
            raise Refused("not_now", SetupRefusal.TABLE_NOT_SAVED())
        if chosen.deck is None:
            raise Refused("not_now", SetupRefusal.NO_DECK_CHOSEN())
        if chosen.table_file is not None and chosen.deck_folder is not None:
            self._remember(chosen.table_file, chosen.deck_folder)
        self._referee_with(chosen)

    def _referee_with(self, chosen: Chosen) -> None:
        assert self._session is not None
        assert chosen.table is not None
        assert chosen.deck is not None
        eye = self._make_eye(chosen.table, chosen.deck)  # raises before anything is changed
        self._in_use, self._active = chosen, False
        self._look_at(PlainLook())
        self._session.see_with(eye)
        if self._film is not None:
            self._film.play(chosen.deck)

    def _show(self, action: str) -> None:
        """Holds the recording, lets it run, or shows its next picture."""
        if self._film is None:
            raise Refused("not_now", SetupRefusal.NO_RECORDING())
        if action == "next_picture":
            self._film.step()
        else:
            self._film.hold(action == "hold_film")

    def _do_go(self, args: Mapping[str, Any]) -> None:
        if args.get("step") not in STEPS:
            raise Refused("bad_argument", ArgumentRefusal.ONE_OF(name="step", names=", ".join(STEPS)))
        self._go(args["step"])

    def _go(self, step: Step) -> None:
        self._step = step
        size = self._size()
        if step == "camera":
            self._look_at(self._table_look())
        elif step == "arena":
            self._look_at(ArenaLook())
            self._show_measured()
        else:
            self._look_at(PlainLook())
        if size is not None:
            self._lenses = self._fitting_lenses(size)
        if step == "arena" and self._lens is None and self._lenses and self._lenses[0].kind == "in_use":
            self._lens = self._lenses[0]
        self._read_decks()

    def _table_look(self) -> TableLook:
        table = self._chosen.table
        arena = table.arena if table is not None else USUAL_ARENA
        camera = lens_matrices(self._lens) if self._lens is not None else None
        look = TableLook(table, camera, arena, self._measuring.fiducial_mm)
        look.deck = self._chosen.deck
        return look

    # ------------------------------------------------------------------ the lens

    def _do_choose_lens(self, args: Mapping[str, Any]) -> None:
        _, size = self._frame()
        self._lenses = self._fitting_lenses(size)
        lens = next((lens for lens in self._lenses if lens.id == args.get("lens")), None)
        if lens is None:
            raise Refused("bad_argument", ArgumentRefusal.ONE_OFFERED(name="lens"))
        self._take_lens(lens)

    def _fitting_lenses(self, size: tuple[int, int]) -> list[Lens]:
        table, file = self._in_use.table, self._in_use.table_file
        in_use = None
        if table is not None:
            in_use = read_camera(file) if file is not None and file.is_file() else table_to_json(table)
        return setup_files.lenses(self._places, size, in_use)

    def _do_start_board(self, _args: Mapping[str, Any]) -> None:
        _, size = self._frame()
        self._step = "lens"
        self._look_at(BoardLook(size))

    def _do_stop_board(self, _args: Mapping[str, Any]) -> None:
        self._go("lens")

    def _board_found(self, look: BoardLook) -> None:
        assert look.found is not None
        camera = intrinsics_to_json(look.found)
        with self._lock:
            if self._look is not look:
                return
            name = ""
            try:
                name = setup_files.keep_camera(self._places.calibration, self._source, camera)
            except ArenaCamError as error:  # the table's own file will hold it
                log.warning("%s", error)
            self._take_lens(Lens(f"kept:{name}", "board", name, camera))
            self._go("lens")

    def _take_lens(self, lens: Lens) -> None:
        self._lens = lens
        self._measuring.forget()

    # ------------------------------------------------------------------ the arena

    def _do_measure_tray(self, args: Mapping[str, Any]) -> Json:
        image, _ = self._frame()
        return self._measuring.measure_tray(image, self._chosen_lens(image), args)

    def _do_measure_arena(self, args: Mapping[str, Any]) -> None:
        image, _ = self._frame()
        try:
            self._measuring.measure(image, self._chosen_lens(image), args)
        finally:
            self._show_measured()

    def _show_measured(self) -> None:
        if isinstance(self._look, ArenaLook):
            self._measuring.show_in(self._look)

    def _do_write_table(self, args: Mapping[str, Any]) -> Json:
        name, file = self._measuring.write(self._lens, args)
        self._chosen = Chosen(read_table(file), file, self._chosen.deck, self._chosen.deck_folder)
        return {"name": name}

    def _chosen_lens(self, image: Image) -> Lens:
        if self._lens is None:
            raise Refused("not_now", SetupRefusal.NO_LENS_CHOSEN())
        if list(self._lens.camera["image_size"]) != [image.shape[1], image.shape[0]]:
            raise Refused("not_now", SetupRefusal.OTHER_PICTURE_SIZE())
        return self._lens

    # ------------------------------------------------------------------ the deck

    def _await_light(self) -> None:
        """Raises Refused while a deck's pictures are being written anew: half of them would be read as they were."""
        light = self._light.snapshot()
        if light is not None:
            raise Refused("not_now", SetupRefusal.ONE_LIGHT(name=light["name"]))

    def _do_choose_deck(self, args: Mapping[str, Any]) -> None:
        self._await_light()
        found = self._offered(args.get("deck"))
        if found is None:
            raise Refused("bad_argument", ArgumentRefusal.ONE_OFFERED(name="deck"))
        number, folder = found
        deck = unfinished(folder)
        if deck is not None:
            self._finish_light(Unfinished(folder.name, partial(finish, deck), lambda: self._choose(number)))
        else:
            self._choose(number)

    def _offered(self, number: Any) -> tuple[str, Path] | None:
        """A deck of the list by its number there, with its folder."""
        self._read_decks()
        found = next(((c["id"], folder) for c, folder in self._decks if c["id"] == number), None)
        return None if found is None else (found[0], found[1] if found[1] is not None else self._places.own_deck())

    def _choose(self, number: str) -> None:
        with self._lock:
            found = self._offered(number)
            if found is not None:
                deck = read_deck(found[1])  # raises, saying what is wrong with it
                self._chosen = Chosen(self._chosen.table, self._chosen.table_file, deck, found[1])
                self._deck_id = number

    def _list_new_decks(self) -> None:
        """A deck that a command wrote meanwhile, as from photographs, is listed without a touch of the page."""
        with self._lock:
            if self._step == "deck" and setup_files.decks_written(self._places) != self._decks_written:
                self._read_decks()

    def _read_decks(self) -> None:
        self._decks_written = setup_files.decks_written(self._places)
        self._decks = setup_files.decks(self._places)

    def _do_start_learning(self, args: Mapping[str, Any]) -> None:
        self._await_light()
        table = self._chosen.table
        if table is None:
            raise Refused("not_now", SetupRefusal.TABLE_NOT_SAVED())
        size = None
        if args.get("card_mm"):
            width, height = lengths(args, "card_mm", CARD, CARD)
            size = (width, height)
        folder = setup_files.learned_deck(self._places, args.get("name"), size)
        empty = read_picture(table.empty) if table.empty is not None else None
        in_order = args.get("in_order") in (True, "true")
        self._step = "deck"
        self._look_at(LearnLook(table, self._fps, empty, Lesson(folder, ARENA_NAMES), in_order=in_order))

    def _learn(self, action: str, args: Mapping[str, Any]) -> None:
        look = self._look
        if not isinstance(look, LearnLook):
            raise Refused("not_now", SetupRefusal.NOT_LEARNING())
        look.act(action, args)

    def _deck_learned(self, look: LearnLook) -> None:
        """The last card is there: the deck is the one that will be thrown."""
        with self._lock:
            if not look.chosen:
                look.chosen = True
                self._choose(f"folder:{look.lesson.folder.folder.name}")

    def _do_stop_learning(self, _args: Mapping[str, Any]) -> None:
        self._go("deck")

    def picture(self, name: str) -> bytes | None:
        look = self._look
        return look.picture(name) if isinstance(look, LearnLook) else None
