"""The arena game's outfit: the table's eye and the duelling blocks; simulated tables and their players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena_cam.camera.frame import FrameSource
from arena_cam.domain.cards import Deck
from arena_cam.domain.table import Table
from arena_cam.formats.deck_toml import read_deck
from arena_cam.referee.game.outfit import JudgeOptions, Outfit, Simulation, WatchOptions
from arena_cam.referee.games.arena.command_line.playable import playable
from arena_cam.referee.interface import SessionPort
from arena_cam.vision.faces.picture_cache import PictureCache

if TYPE_CHECKING:
    from arena_cam.referee.game.card_judge import CardJudge
    from arena_cam.referee.game.eye import Eye
    from arena_cam.referee.games.arena.command_line.watching import ArenaWatch
    from arena_cam.referee.games.arena.stand_ins.recorded_game import RecordedGame
    from arena_cam.vision.watching.watcher import Watcher

CHECKED_PX = (1536, 864)  # as a camera over a real table: the printed markers are large enough to be read


class ArenaOutfit(Outfit):
    """What is opened is imported only then: a video of five seconds is watched in little more than a second of CPU, and
    to import all that a session needs is a fifth of it. So are renderer and printer, for a simulated table."""

    def open_judge(self, options: JudgeOptions) -> CardJudge:
        from arena_cam.referee.games.arena.command_line.pictures import arena_judge

        return arena_judge(options)

    def open_watch(self, options: WatchOptions) -> ArenaWatch:
        from arena_cam.referee.games.arena.command_line.watching import ArenaWatch

        return ArenaWatch(options)

    def open_eye(self, table: Table, deck: Deck, cache: PictureCache | None) -> Eye:
        from arena_cam.referee.game.eye import Eye
        from arena_cam.referee.games.arena.labels import card_label
        from arena_cam.referee.pictures.evidence import setup_files
        from arena_cam.vision.blocks.block_watcher import BlockWatcher
        from arena_cam.vision.blocks.finder import BlockFinder
        from arena_cam.vision.drawing.overlay import draw_layers
        from arena_cam.vision.drawing.privacy import arena_only
        from arena_cam.vision.reading.table_reader import TableReader
        from arena_cam.vision.watching.scene_guard import guarded
        from arena_cam.vision.watching.watcher import Watcher

        playable(deck)

        def watcher_of(other: Table | None, its_deck: Deck | None) -> Callable[[float], Watcher] | None:
            """The eye for throws that were judged with another table: read once, then a fresh watcher for each."""
            if other is None or its_deck is None:
                return None
            reader = TableReader(other, its_deck, cache=cache)
            return lambda fps: Watcher(reader, fps=fps)

        return Eye(
            table,
            deck,
            lambda fps: Watcher(guarded(TableReader(table, deck, cache=cache), table), fps=fps),
            lambda image, reading, pose, layers: draw_layers(image, table, reading, pose, layers, card_label),
            setup_files(table, deck),
            watcher_of,
            make_second_sight=lambda: BlockWatcher(BlockFinder(table)),
            hide=lambda image, pose: arena_only(image, table, pose),
        )

    def recorded_game(self, deck: Deck, source: str) -> RecordedGame:
        from arena_cam.referee.games.arena.stand_ins.recorded_game import RecordedGame

        return RecordedGame(deck, source)

    def simulation(self, folder: Path, deck: Path | None, fps: float) -> Simulation:
        from arena_cam.printing.sheets import block_faces
        from arena_cam.referee.games.arena.stand_ins.simulated_players import SimulatedPlayers
        from arena_cam.simulation.arena.table import SimulatedTable
        from arena_cam.simulation.source import SimulatedSource

        deck_folder = _deck_folder(folder, deck)
        cards = read_deck(deck_folder)
        table = SimulatedTable(cards, blocks=block_faces())

        def players(session: SessionPort, seated: Callable[[str], bool]) -> SimulatedPlayers:
            return SimulatedPlayers(session, table, seated)

        return Simulation(SimulatedSource(table, fps=fps), table.table(), cards, deck_folder, players)

    def empty_table(self, folder: Path, deck: Path | None, frames: int) -> tuple[FrameSource, Table, Deck]:
        from arena_cam.printing.deck import default_deck
        from arena_cam.simulation.arena.table import SimulatedTable
        from arena_cam.simulation.rendering.scene import default_scene
        from arena_cam.simulation.source import SimulatedSource

        cards = read_deck(deck or default_deck(folder / "deck"))
        table = SimulatedTable(cards, default_scene(CHECKED_PX))
        return SimulatedSource(table, live=False, frames=frames), table.table(), cards

    def laying(self, names: Sequence[str], folder: Path) -> tuple[FrameSource, Table]:
        from arena_cam.simulation.arena.laying import simulated_laying

        return simulated_laying(names, folder)


def _deck_folder(folder: Path, given: Path | None) -> Path:
    """The deck given, else the project's own, drawn into `folder`."""
    from arena_cam.printing.deck import OWN_DECK, default_deck

    return given if given is not None else default_deck(folder / OWN_DECK)


OUTFIT = ArenaOutfit("arena")
