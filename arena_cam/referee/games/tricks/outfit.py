"""Cards laid on any table: single photographs, a deal that is watched, an evening of tricks, a simulated cloth."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arena_cam.camera.film import Film
from arena_cam.camera.frame import FrameSource
from arena_cam.camera.no_camera import NO_CAMERA, NoCamera
from arena_cam.camera.open_source import open_source
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadInput
from arena_cam.domain.table import Table
from arena_cam.referee.game.card_judge import ORDINARY, CardJudge, judge_of_any_table
from arena_cam.referee.game.eye import Eye
from arena_cam.referee.game.outfit import (
    Evening,
    EveningOptions,
    JudgeOptions,
    Outfit,
    PlayersOf,
    WatchOptions,
    unwatched_eye,
)
from arena_cam.referee.games.tricks.messages import TricksOption
from arena_cam.referee.games.tricks.pack import cloth_eye, cloth_eye_of_any_pack, read_pack
from arena_cam.referee.games.tricks.stand_ins.recorded_deal import RecordedDeal
from arena_cam.referee.games.tricks.watching import LIVE_SIZE, TricksWatch
from arena_cam.referee.interface import SessionPort
from arena_cam.vision.faces.picture_cache import PictureCache

DRAWN_PACK = 11  # the seed of the look of the simulated cloth's pack


class TricksOutfit(Outfit):
    def open_judge(self, options: JudgeOptions) -> CardJudge:
        return judge_of_any_table(options)

    def open_watch(self, options: WatchOptions) -> TricksWatch:
        return TricksWatch(options)

    def evening(self, options: EveningOptions) -> Evening:
        """A camera over any cloth and a pack, learned or any; without a camera cards are told by hand."""
        any_pack = str(options.deck) == ORDINARY
        if options.source == "sim":
            return self._simulated(options)
        if options.source == NO_CAMERA and (options.deck is None or any_pack):
            return Evening(NoCamera(), unwatched_eye())
        if options.deck is None:
            raise BadInput(TricksOption.PACK_OR_NONE())
        eye = cloth_eye_of_any_pack() if any_pack else cloth_eye(read_pack(options.deck))
        if options.source == NO_CAMERA:
            return Evening(NoCamera(), eye)
        source = open_source(options.source, options.fps, LIVE_SIZE, pages=True)
        if source.live:
            return Evening(source, eye)
        source.close()
        film = Film(lambda: open_source(options.source, options.fps))
        return Evening(film, eye, _beginning(film))

    def saved_eye(self, table: Table | None, deck: Deck | None, cache: PictureCache | None) -> Eye | None:
        del cache
        if table is not None:
            return None
        return cloth_eye(deck) if deck is not None else cloth_eye_of_any_pack()

    def _simulated(self, options: EveningOptions) -> Evening:
        """Renderer and pack are drawn only here."""
        from arena_cam.referee.games.tricks.stand_ins.simulated_players import SimulatedPlayers
        from arena_cam.simulation.source import SimulatedSource
        from arena_cam.simulation.things.ordinary_pack import random_style
        from arena_cam.simulation.tricks.cloth import Cloth
        from arena_cam.simulation.tricks.pack import write_pack

        folder = options.deck
        if str(folder) == ORDINARY:
            raise BadInput(TricksOption.SIMULATED_PACK())
        if folder is None:
            folder = options.scratch / "pack"
            if not (folder / "deck.toml").is_file():
                write_pack(folder, random_style(DRAWN_PACK))
        deck = read_pack(folder)
        cloth = Cloth(deck)

        def players(session: SessionPort, _seated: Callable[[str], bool]) -> SimulatedPlayers:
            return SimulatedPlayers(session, cloth)

        return Evening(SimulatedSource(cloth, fps=options.fps), cloth_eye(deck), players)


def _beginning(source: FrameSource) -> PlayersOf:
    """Whoever begins the deal that a recording shows."""
    name = Path(source.name).name

    def players(session: SessionPort, _seated: Callable[[str], bool]) -> RecordedDeal:
        return RecordedDeal(session, name)

    return players


OUTFIT = TricksOutfit("tricks")
