"""A table where tricks are played, for tests: a session whose eye sees what the test lays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from arena_cam.camera.frame import Frame
from arena_cam.camera.no_camera import NoCamera
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Face, Lie, Reading
from arena_cam.domain.observations import CardGone, CardRested, EyeState, Observation
from arena_cam.referee.game.eye import Eye
from arena_cam.referee.session.session import Session
from arena_cam.store.data_folder import DataFolder

PLAYERS = [{"name": "Anna"}, {"name": "Ben"}]  # Ben deals, Anna leads
Json = dict[str, Any]
CORNERS = ((100.0, 100.0), (160.0, 100.0), (160.0, 190.0), (100.0, 190.0))


class ScriptedEye:
    """Says what the test put into `next`."""

    why, pose = (), None
    covered: tuple[Lie, ...] = ()

    def __init__(self) -> None:
        self.next: list[Observation] = []
        self.state = EyeState.DECIDED
        self.reading: Reading = Reading("", 0.0, ())

    def give_up_covered(self) -> None:
        """Nothing is covered."""

    def finish(self) -> list[Observation]:
        return []

    def feed(self, frame: Frame) -> list[Observation]:
        del frame
        told, self.next = self.next, []
        return told


class Table:
    """A session over a cloth."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.frames = folder, 0
        self.open()

    def open(self) -> None:
        self.eye = ScriptedEye()
        self.session = Session(
            DataFolder(self.folder, keep_free_bytes=0), Eye(None, None, lambda _fps: self.eye), NoCamera()
        )

    def again(self) -> None:
        """The power fails, and comes back."""
        self.session.stop()
        self.open()

    def act(self, action: str, who: str = "referee", **args: Any) -> Json:
        return self.session.act(action, args, who)

    def start(self, mode: str = "confirm_unsure", **options: Any) -> str:
        self.act("set_mode", mode=mode)
        game = str(self.act("start_game", game="tricks", players=PLAYERS, dealer="Ben", options=options)["game"])
        self.act("dealt")
        return game

    def lays(self, *cards: str, sure: bool = True, others: tuple[str, ...] = (), guess: bool = False) -> None:
        """Cards come to rest, one in a frame. "5S'" is a second one of that name, a guess is of an unknown pack."""
        for key in cards:
            card = key.rstrip("'")
            lie = Lie(key, card, Face.UP, None, 1.0, None, None, None, 0.0, CORNERS)
            if guess or not sure:
                guesses = tuple((other, 0.1) for other in others)
                lie = replace(lie, sure=False, other_names=guesses, doubts=(Doubt.OTHER_CARD(card_other="2S"),))
            if guess:
                lie = replace(lie, doubts=(*lie.doubts, Doubt.INDEX_ALONE()))
            self.eye.reading = replace(self.eye.reading, lies=(*self.eye.reading.lies, lie))
            self.tells(CardRested(self.frames / 5, lie, self.eye.reading))

    def lies_face_down(self, key: str) -> None:
        """A card or a heap whose faces cannot be seen comes to rest."""
        lie = Lie(key, None, Face.DOWN, None, 1.0, None, None, None, 0.0, CORNERS)
        self.eye.reading = replace(self.eye.reading, lies=(*self.eye.reading.lies, lie))
        self.tells(CardRested(self.frames / 5, lie, self.eye.reading))

    def takes(self, *cards: str) -> None:
        """Cards are taken away."""
        for card in cards:
            lie = next(lie for lie in self.eye.reading.lies if lie.key == card)
            left = tuple(each for each in self.eye.reading.lies if each is not lie)
            self.eye.reading = replace(self.eye.reading, lies=left)
            self.tells(CardGone(self.frames / 5, lie, self.eye.reading))

    def tells(self, *observations: Observation) -> None:
        self.eye.next = list(observations)
        self.frames += 1
        image = np.full((240, 320, 3), 90, np.uint8)
        self.session.take_frame(Frame(image, self.frames / 5, self.frames, "test", f"f{self.frames}"))

    def answers(self, choice: str, **more: Any) -> None:
        question = self.question
        assert question is not None
        self.act("answer_question", id=question["id"], choice=choice, **more)

    @property
    def game(self) -> Any:
        return self.session.snapshot()["game"]

    @property
    def question(self) -> Any:
        return self.session.snapshot()["question"]

    @property
    def cards(self) -> list[tuple[str, str]]:
        """(card, player) of the trick on the table."""
        return [(each["card"], each["player"]) for each in self.game["table"]]

    @property
    def played(self) -> list[str]:
        """The cards of all plays in the record as it stands."""
        match = self.session.match
        assert match is not None
        return [line.data["card"] for line in match.ledger.amended if line.data["type"] == "play"]


def whole_deal() -> list[str]:
    """The cards of 13 tricks that the rules allow, whoever holds them: one of each suit in each trick."""
    ranks = "23456789TJQKA"
    return [ranks[(trick + shift) % 13] + suit for trick in range(13) for shift, suit in enumerate("SHDC")]
