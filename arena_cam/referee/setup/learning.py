"""What the camera looks for while a deck is learned at the desk: card after card that is laid into the empty arena.

A card that is taken waits until somebody says which it is; meanwhile the next may be laid. Each is on disk as soon as
it is named, so that the lesson can be left at any time, and begun again where it was.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import cv2
import numpy as np

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.arguments import ArgumentRefusal
from arena_cam.domain.errors import CannotDo, Refused
from arena_cam.domain.messages import message_to_json
from arena_cam.domain.table import Table
from arena_cam.formats.card_names import BACK_NAME
from arena_cam.referee.setup.interface import LearnSnapshot, LearnState
from arena_cam.referee.setup.lesson import Lesson, all_in_one_light
from arena_cam.referee.setup.messages import SetupRefusal
from arena_cam.vision.deck_learning.card_taker import CardTaker, EmptyArena, TakenCard
from arena_cam.vision.deck_learning.recognition import KnownFaces
from arena_cam.vision.deck_learning.straightening import png_of

# Cards taken and not named yet; each picture takes about a megabyte, and nobody lays more before looking up.
MOST_WAITING = 8


class _Waiting:
    """A card that was taken and has no name yet."""

    def __init__(self, number: int, card: TakenCard, colour: str | None) -> None:
        self.id, self.card, self.image, self.colour = f"taken-{number}", card, card.image, colour
        self.turned = False


class LearnLook:
    """Takes cards and keeps them in a folder. A Look; `act` and `snapshot` may be called from any thread."""

    def __init__(self, table: Table, fps: float, empty: Image | None, lesson: Lesson, *, in_order: bool) -> None:
        """`empty` is the arena's picture at set-up, if any. `in_order`: nothing is asked, cards come as listed."""
        self.lesson = lesson
        self.chosen = False  # by the desk, once all cards are there
        self._taker = CardTaker(table, fps, lesson.folder.size_mm, empty)
        self._in_order = in_order
        self._lock = threading.Lock()  # of everything below, and of the lesson
        self._state: LearnState = "looking"
        self._said: dict[str, Any] | None = None
        self._card: str | None = None
        self._waiting: list[_Waiting] = []
        self._taken = 0

    # ------------------------------------------------------------------ the camera's side

    def look(self, frame: Frame) -> None:
        seen = self._taker.feed(frame)
        if seen is None:
            return
        with self._lock:
            self._said = None
            if isinstance(seen, EmptyArena):
                self._state = "empty"
            elif isinstance(seen, TakenCard):
                self._take(seen)
            else:
                self._state, self._said = "refused", message_to_json(seen)

    def draw(self, image: Image) -> Image:
        """The picture, framed in green while the card that lies there is taken."""
        if self._state not in ("taken", "learned", "known"):
            return image
        canvas = image.copy()
        height, width = canvas.shape[:2]
        cv2.rectangle(canvas, (0, 0), (width - 1, height - 1), (110, 220, 90), max(6, width // 80))
        return canvas

    def _take(self, card: TakenCard) -> None:
        lesson = self.lesson
        size = lesson.measured(card)
        if size is not None:
            self._taker.size_mm = size
        before = lesson.learned_before(card.image)
        if before is not None:
            self._state, self._card = "known", before
            return
        if not lesson.missing or len(self._waiting) >= MOST_WAITING:
            self._state = "full"
            return
        if self._waits(card.image):
            self._state = "taken"
            return
        self._taken += 1
        name = lesson.missing[0] if self._in_order else lesson.name_read(card.image)
        if name is not None and lesson.free(name):
            self._keep(name, card.image, card)
            return
        self._waiting.append(_Waiting(self._taken, card, lesson.colour(card.image)))
        self._state, self._card = "taken", None

    def _waits(self, image: Image) -> bool:
        """Whether it is the card taken last, which was moved a little before it was named."""
        size = self.lesson.folder.size_mm
        if not self._waiting or size is None:
            return False
        last = KnownFaces(*size)
        last.add("last", self._waiting[-1].image)
        return last.same_as(image) is not None

    def _keep(self, name: str, image: Image, card: TakenCard) -> None:
        try:
            self.lesson.keep(name, image, card)
        except CannotDo as error:
            self._state, self._said = "refused", message_to_json(SetupRefusal.NOT_KEPT(text=str(error)))
            raise
        self._state, self._card = "learned", name

    @property
    def uneven(self) -> bool:
        """Whether what was taken is still to be brought into one light."""
        with self._lock:
            return self.lesson.uneven

    def finish(self, tell: Callable[[float], None]) -> None:
        """Brings all that was taken into one light, if that is still to be done: seconds, in which pages go on being
        answered, and `tell` hears how far it is. Raises CannotDo where it cannot be written; what was taken stays."""
        with self._lock:
            if not self.lesson.uneven:
                return
            taken = self.lesson.as_taken()
        faces = all_in_one_light(taken, tell)
        with self._lock:
            self.lesson.improve(faces)

    # ------------------------------------------------------------------ the pages' side

    @property
    def done(self) -> bool:
        with self._lock:
            return not self.lesson.missing

    def act(self, action: str, args: Mapping[str, Any]) -> None:
        """name_card, turn_card, leave_out_card or learn_again, as arguments.py has them.

        Raises Refused, or CannotDo where a picture cannot be written.
        """
        with self._lock:
            getattr(self, f"_do_{action}")(args)

    def picture(self, name: str) -> bytes | None:
        """The PNG of a card that waits, by its id, or of one that is learned; None where there is none."""
        with self._lock:
            waiting = next((each for each in self._waiting if each.id == name), None)
            if waiting is not None:
                return png_of(waiting.image)
            known = name == BACK_NAME or name in self.lesson.names
            file = self.lesson.folder.picture(name) if known else None
        return file.read_bytes() if file is not None else None

    def snapshot(self) -> LearnSnapshot:
        with self._lock:
            lesson = self.lesson
            return {
                "name": lesson.folder.folder.name,
                "cards": [*lesson.names, BACK_NAME],
                "missing": [*lesson.missing],
                "minutes": lesson.minutes,
                "in_order": self._in_order,
                "size_mm": list(lesson.folder.size_mm or ()),
                "state": self._state,
                "said": self._said,
                "card": self._card,
                "taken": self._taken,
                "waiting": [{"id": each.id, "colour": each.colour, "turned": each.turned} for each in self._waiting],
            }

    def _do_name_card(self, args: Mapping[str, Any]) -> None:
        waiting, name = self._found(args), args.get("card")
        if name != BACK_NAME and name not in self.lesson.names:
            raise Refused("bad_argument", ArgumentRefusal.ONE_OFFERED(name="card"))
        if not self.lesson.free(name) and args.get("replace") not in (True, "true"):
            raise Refused("exists", SetupRefusal.CARD_LEARNED(card=name))
        self._keep(name, waiting.image, waiting.card)
        self._waiting.remove(waiting)

    def _do_turn_card(self, args: Mapping[str, Any]) -> None:
        waiting = self._found(args)
        waiting.image = np.ascontiguousarray(waiting.image[::-1, ::-1])
        waiting.turned = not waiting.turned

    def _do_leave_out_card(self, args: Mapping[str, Any]) -> None:
        self._waiting.remove(self._found(args))

    def _do_learn_again(self, args: Mapping[str, Any]) -> None:
        try:
            self.lesson.learn_again(str(args.get("card")))
        except KeyError:
            raise Refused("bad_argument", ArgumentRefusal.ONE_OFFERED(name="card")) from None

    def _found(self, args: Mapping[str, Any]) -> _Waiting:
        found = next((each for each in self._waiting if each.id == args.get("taken")), None)
        if found is None:
            raise Refused("not_now", SetupRefusal.CARD_NOT_WAITING())
        return found
