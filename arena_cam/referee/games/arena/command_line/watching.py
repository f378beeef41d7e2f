"""The arena watched from the command line: frames in, lines of the record out."""

from __future__ import annotations

from collections.abc import Sequence

from arena_cam.camera.frame import Frame, FrameSource
from arena_cam.camera.open_source import open_source
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput
from arena_cam.domain.observations import EyeChanged, EyeState, Observation
from arena_cam.domain.table import Table
from arena_cam.formats.deck_toml import read_deck
from arena_cam.referee.game.outfit import Json, WatchOptions, WatchOutput
from arena_cam.referee.games.arena.command_line.playable import playable
from arena_cam.referee.games.arena.command_line.watched_record import WatchedRecord, named_players
from arena_cam.referee.games.arena.messages import ArenaOption, Watched
from arena_cam.vision.reading.table_reader import TableReader
from arena_cam.vision.watching.scene_guard import guarded
from arena_cam.vision.watching.watcher import Watcher

SIMULATED = "sim"


class ArenaWatch:
    """referee.game.outfit.Watch."""

    def __init__(self, options: WatchOptions) -> None:
        self.source, table, deck = _opened(options)
        try:
            self._record = WatchedRecord(
                playable(deck), players=named_players(options.players), language=options.language
            )
            reader = TableReader(table, deck, cache=options.cache)
            self._watcher = Watcher(guarded(reader, table), fps=self.source.fps)
        except BaseException:
            self.source.close()
            raise
        self._now_s = 0.0

    def begin(self) -> WatchOutput:
        return WatchOutput()

    def feed(self, frame: Frame) -> WatchOutput:
        self._now_s = frame.time_s
        return self._seen(self._watcher.feed(frame))

    def finish(self) -> WatchOutput:
        last = self._seen(self._watcher.finish())
        lines = [*last.lines, *self._record.header()]
        if self._watcher.reading is None:
            return WatchOutput(lines, [*last.warnings, Watched.NEVER_AT_REST()], failed=True)
        return WatchOutput(lines, last.warnings)

    def in_words(self, line: Json) -> str:
        return self._record.in_words(line)

    def _seen(self, said: Sequence[Observation]) -> WatchOutput:
        blind = [each for each in said if isinstance(each, EyeChanged) and each.state is EyeState.BLIND]
        warnings = [Watched.BLIND(at_s=f"{each.at_s:.1f}", why=each.why) for each in blind]
        return WatchOutput(self._record.take(said, self._now_s), warnings)


def _opened(options: WatchOptions) -> tuple[FrameSource, Table, Deck]:
    """The source, and the table and the deck that it shows."""
    if options.source == SIMULATED:
        return _demonstration(options)
    if options.table is None or options.deck is None:
        raise BadInput(ArenaOption.TABLE_AND_DECK())
    deck = read_deck(options.deck)
    return open_source(options.source, options.fps, options.table.image_size), options.table, deck


def _demonstration(options: WatchOptions) -> tuple[FrameSource, Table, Deck]:
    """A simulated table at which rounds are played over and over."""
    from arena_cam.printing.deck import default_deck
    from arena_cam.simulation.arena.rounds import SimulatedRounds
    from arena_cam.simulation.arena.table import SimulatedTable
    from arena_cam.simulation.source import SimulatedSource

    folder = options.deck if options.deck is not None else default_deck(options.scratch / "deck")
    cards = read_deck(folder)
    table = SimulatedTable(cards)
    return SimulatedSource(table, SimulatedRounds(cards, seed=1), fps=options.fps), table.table(), cards
