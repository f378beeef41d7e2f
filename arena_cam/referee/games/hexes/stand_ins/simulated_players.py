"""The players of a simulated evening: they draw, lay, photograph their boards, mend what was read wrongly, confirm.

They know what anybody at the table knows (the session's snapshot), and do what anybody may do. Their boards are laid on
a simulated table and photographed there, and the photographs come in as those of telephones do. Who has a seat at a
real phone plays for himself.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import cv2
import numpy as np

from arena_cam.referee.game.playing_thread import WHO, PlayingThread
from arena_cam.referee.games.hexes.stand_ins.greedy_player import choose_cell
from arena_cam.referee.games.hexes.values import BoardSnapshot, HexesGame, hexes_game
from arena_cam.referee.interface import SessionPort, Snapshot
from arena_cam.rules.games.hexes.board import CELLS, may_lie
from arena_cam.simulation.boards.photographs import LaidBoard, PrintedSet, Shot, render_boards

NAMES = ("Anna", "Bernhard", "Guðrún")
THINKING_S = (0.8, 2.2)
LOOKING_S = 8.0  # at the boards of a round, before the next begins
BETWEEN_GAMES_S = 20.0
PHOTO_QUALITY = 88


class SimulatedPlayers(PlayingThread):
    """Plays game after game until stopped. `seated` tells whether a player sits at a real phone.

    `pace` stretches their thinking: 0 for players who do not think.
    """

    plays = "hexes"

    def __init__(
        self,
        session: SessionPort,
        printed: PrintedSet,
        seated: Callable[[str], bool] = lambda _player: False,
        seed: int = 1,
        pace: float = 1.0,
    ) -> None:
        super().__init__(session)
        self._printed, self._seated, self._pace = printed, seated, pace
        self._random = random.Random(seed)
        self._boards: dict[str, dict[str, str]] = {}  # what really lies on the simulated players' boards
        self._shots = self._round = 0
        self._waiting_since: float | None = None
        self._thinking_until = 0.0
        self._began = False

    def play(self, snapshot: Snapshot, now_s: float) -> None:
        """Does one thing that is to be done now, if any; `now_s` from any start."""
        if snapshot["paused"] or now_s < self._thinking_until or self._stands_aside(snapshot["game"]):
            return
        self._thinking_until = now_s + self._pace * self._random.uniform(*THINKING_S)
        game = hexes_game(snapshot["game"]) if self._is_own(snapshot["game"]) else None
        if game is None or game["over"] or game["ended"]:
            self._begin(game, now_s)
        else:
            self._began, self._waiting_since = True, None
            if game["round"] != self._round:
                self._round = game["round"]
                self._thinking_until = now_s + (self._pace * LOOKING_S if game["shown"] else 0.0)
            else:
                self._play(game)

    def _begin(self, before: HexesGame | None, now_s: float) -> None:
        if before is not None and self._began:
            self._waiting_since = now_s if self._waiting_since is None else self._waiting_since
            if now_s - self._waiting_since < self._pace * BETWEEN_GAMES_S:
                return
        colours = sorted(self._printed.boards)
        players = [{"name": name, "colour": colours[i % len(colours)]} for i, name in enumerate(NAMES)]
        options = {"rounds": len(NAMES)}
        args = {"game": self.plays, "players": players, "options": options, "name": "Demonstration"}
        self._session.act("start_game", args, WHO)
        self._began, self._waiting_since = True, None
        self._boards.clear()

    def _play(self, game: HexesGame) -> None:
        if game["phase"] == "drawing":
            self._draw_and_lay(game)
        elif game["phase"] == "boards":
            self._show_boards(game)

    def _simulated(self, game: HexesGame) -> list[BoardSnapshot]:
        return [board for board in game["boards"] if not self._seated(board["player"])]

    def _draw_and_lay(self, game: HexesGame) -> None:
        for board in self._simulated(game):
            self._lay(game, board["player"])
        unplaced = [board for board in self._simulated(game) if game["drawn"] and not board["placed"]]
        if unplaced:
            name = self._random.choice(unplaced)["player"]
            self._session.act("placed", {"player": name}, name)
            return
        everybody = all(board["placed"] for board in game["boards"]) or not game["drawn"]
        if everybody and not self._seated(game["announcer"]):
            self._session.act("draw_tile", {}, game["announcer"])

    def _lay(self, game: HexesGame, player: str) -> None:
        """Every tile drawn lies on the player's real board; those that were taken back do not."""
        lain = {cell: tile for cell, tile in self._boards.get(player, {}).items() if tile in game["drawn"]}
        for number, tile in enumerate(game["drawn"], start=1):
            if tile not in lain.values():
                options = game["options"]
                allowed = may_lie(
                    lain,
                    game["drawn"][:number],
                    frozenset(game["suns"]),
                    side_by_side=options["side_by_side"],
                    next_to_mark=options["next_to_mark"],
                )
                free = [cell for cell in CELLS if cell in allowed and cell not in lain]
                lain[choose_cell(lain, tile, free, self._random)] = tile
        self._boards[player] = lain

    def _show_boards(self, game: HexesGame) -> None:
        """One player photographs, or mends what was read wrongly and confirms."""
        for board in self._simulated(game):
            player = board["player"]
            if board["confirmed"]:
                continue
            if game["drawn"]:
                self._lay(game, player)
            really = self._boards.get(player, {})
            if board["photo"] is None and really:
                self._session.take_photo(self._photograph(board["colour"], really), player, player)
                return
            for cell in CELLS:
                if board["cells"].get(cell) != really.get(cell) and really:
                    self._session.act("mend", {"player": player, "cell": cell, "tile": really.get(cell)}, player)
                    return
            if really:
                self._session.act("confirm_board", {"player": player, "phone": True}, player)
            return

    def _photograph(self, colour: str | None, cells: dict[str, str]) -> bytes:
        """The board on a table, as a telephone sees it."""
        self._shots += 1
        chance = np.random.default_rng([self._random.randrange(2**31), self._shots])
        shown = colour if colour is not None and colour in self._printed.boards else min(self._printed.boards)
        laid = LaidBoard(shown, (0.0, 0.0, float(chance.uniform(-25, 25))), dict.fromkeys(CELLS) | cells)
        shot = Shot(
            (1200, 1600),
            height_mm=float(chance.uniform(430, 520)),
            tilt_deg=float(chance.uniform(3, 28)),
            roll_deg=float(chance.uniform(-15, 15)),
            gloss=0.05,
            loose=int(chance.integers(0, 3)),
        )
        image, _ = render_boards(self._printed, [laid], shot, int(chance.integers(2**31)))
        return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, PHOTO_QUALITY])[1].tobytes()
