"""Sides on the command line: pictures of tokens judged, and a folder of pictures watched."""

from __future__ import annotations

from arena_cam.camera.frame import Frame
from arena_cam.camera.open_source import open_source
from arena_cam.domain.lies import Lie
from arena_cam.domain.observations import CardRested
from arena_cam.referee.game.outfit import Answer, Json, JudgeOptions, Outfit, WatchOptions, WatchOutput

from .eye import TokenEye


def side(lie: Lie) -> str:
    return "left" if lie.centre_mm is not None and lie.centre_mm[0] < 0 else "right"


class TokenJudge:
    def judge(self, frame: Frame) -> Answer:
        eye = TokenEye()
        eye.feed(frame)
        assert eye.reading is not None
        sides = [side(lie) for lie in eye.reading.lies]
        return Answer({"frame": frame.name, "sides": sides}, f"{frame.name}: {', '.join(sides) or 'no token'}")


class TokenWatch:
    def __init__(self, options: WatchOptions) -> None:
        self.source = open_source(options.source, options.fps)
        self._eye = TokenEye()
        self._players = options.players or ("1", "2")

    def begin(self) -> WatchOutput:
        return WatchOutput([{"game": "sides", "version": 1, "players": [{"name": name} for name in self._players]}])

    def feed(self, frame: Frame) -> WatchOutput:
        came = [each for each in self._eye.feed(frame) if isinstance(each, CardRested)]
        return WatchOutput([{"type": "lay", "side": side(each.lie)} for each in came])

    def finish(self) -> WatchOutput:
        return WatchOutput()

    def in_words(self, line: Json) -> str:
        return str(line.get("side", "sides"))


class SidesOutfit(Outfit):
    def open_judge(self, _options: JudgeOptions) -> TokenJudge:
        return TokenJudge()

    def open_watch(self, options: WatchOptions) -> TokenWatch:
        return TokenWatch(options)


OUTFIT = SidesOutfit("sides")
