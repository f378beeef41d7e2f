"""What pages are told of a game of dilemmas beside what all games tell (interface.GameSnapshot), and what its actions
are given."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict, cast

from msgspec import Meta

from arena_cam.referee.arguments import Doubts, Name, Places, PointPx, SizePx, Word
from arena_cam.referee.interface import GameSnapshot

Side = Annotated[str, Meta(max_length=400)]


class Counting(TypedDict):
    """The tokens of this round. `begun`: they were photographed, or counted by hand. `seen`: the dilemmas of the
    photograph `photo`, as the judgement line has them, each with `player`. `doubts`: of the whole picture. `rows`:
    token_counts.rows. `due`: the most that lie on one."""

    begun: bool
    photo: str | None
    size_px: list[int]
    doubts: list[dict[str, Any]]
    seen: list[dict[str, Any]]
    rows: list[dict[str, Any]]
    due: int


class DilemmasGame(GameSnapshot):
    """`colours`: by player, in seat order, the colour of the disc. `counting` None: tokens cannot be counted now.
    `may_play`: the events that may come, as rules.game.Legal has them."""

    colours: dict[str, str | None]
    counting: Counting | None
    may_play: list[dict[str, Any]]


def dilemmas_game(game: GameSnapshot) -> DilemmasGame:
    return cast(DilemmasGame, game)


class LayDilemma(TypedDict):
    """`player` lays a dilemma of a good and a bad side, and perhaps a neutral card; `neutral_by`: whose, in coop."""

    player: Name
    positive: Side
    negative: Side
    neutral: NotRequired[Side]
    neutral_by: NotRequired[Name]
    phone: NotRequired[bool]


class OfDilemma(TypedDict):
    """`player`: whose dilemma."""

    player: Name


class CorrectCount(OfDilemma):
    """`count` tokens of the kind `token` (yes, no, super_yes, super_no) lie on it."""

    token: Word
    count: int


class WhoseDilemma(OfDilemma):
    """`seen`: the place of the dilemma in the photograph's list, from 0."""

    seen: int


class TapToken(TypedDict):
    """The mark `token`, from 0, of the dilemma `seen`, from 0, in the photograph's list is of the next kind."""

    seen: int
    token: int


class PhotoToken(TypedDict):
    """A token that was seen, as the judgement line has it."""

    kind: Word
    centre_px: PointPx
    radius_px: Annotated[float, Meta(ge=0.0, le=1e5)]


class PhotoDilemma(TypedDict):
    """A dilemma that was seen: its cards, None where one was not recognised, its tokens counted and one by one."""

    owner: Word | None
    positive: NotRequired[Word | None]
    negative: NotRequired[Word | None]
    neutral: NotRequired[Word | None]
    tokens: dict[Word, Annotated[int, Meta(ge=0, le=1000)]]
    token_list: Annotated[list[PhotoToken], Meta(max_length=1000)]
    centre_px: PointPx
    outlines_px: Annotated[list[Places], Meta(max_length=10)]
    doubts: Doubts


class PhotoOfTable(TypedDict):
    """What was read of a photograph of a table with dilemmas. `words`: by a card's name what it says."""

    size_px: SizePx
    dilemmas: Annotated[list[PhotoDilemma], Meta(max_length=60)]
    words: NotRequired[dict[Word, Annotated[str, Meta(max_length=400)]]]
