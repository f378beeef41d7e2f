"""What the Icelandic Dilemma! rules, refuses and awaits, as sentences."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence
from arena_cam.rules.messages import Awaited, EventName, HouseRule, Rulebook


class HexesRefusal(Reason):
    """What the rules of the game of hexagons do not allow."""

    SUN_TWICE = "sun_twice", "suns must list each tile once"
    UNKNOWN_TILE = "unknown_tile", "a tile is called by its numbers such as 9-4-7, not %(text)s"
    NO_BOARDS = "no_boards", "boards must hold the finished boards of all players"
    BOARD_NOT_FULL = (
        "board_not_full",
        "the board of %(player)s must have a tile on each of its %(count)s cells, A1 to E3",
    )
    TILE_TWICE = "tile_twice", "a tile lies twice on the board of %(player)s"
    DRAWN_BEFORE = "drawn_before", "%(tile)s was drawn before in this round"
    PLACED_BEFORE = "placed_before", "%(player)s has laid %(tile)s"
    OTHER_TILE = "other_tile", "the tile drawn is %(tile)s, not %(text)s"
    UNKNOWN_CELL = "unknown_cell", "cell must be one of A1 to E3, not %(text)s"
    CELL_TAKEN = "cell_taken", "on %(cell)s of %(player)s's board lies %(tile)s"
    VARIANT_FORBIDS = (
        "variant_forbids",
        "by the variants chosen %(tile)s may not be laid on %(cell)s of %(player)s's board",
    )
    ROUND_BEGUN = "round_begun", "a tile of this round is drawn, so its boards cannot be given at once"
    BOARDS_OF_OTHERS = "boards_of_others", "boards must hold the boards of all players, and nobody else's"
    OTHER_TILES = "other_tiles", "all boards must have the same 19 tiles"


class HexesRuling(Sentence):
    """What the hexagon game rules at the end of a round."""

    ROUND = "round", "Round %(round)s counts: %(told)s."


class HexesEvent(EventName):
    """The events of the hexagon game."""

    DRAW = "draw", "a draw"
    PLACE = "place", "a tile"
    BOARDS = "boards", "a set of boards"


class HexesAwaited(Awaited):
    """What the hexagon game awaits."""

    DRAW = "draw", "the draw of a tile"
    PLACE = "place", "the tile drawn, on each board"


class HexesBook(Rulebook):
    """The rulebooks of this game."""

    IS = "IS", "Icelandic rules"


class HexesHouseRule(HouseRule):
    """What the options of this game decide, and their values."""

    SIDE_BY_SIDE = "side_by_side", "Side by side: each tile touches one on the own board"
    NEXT_TO_MARK = (
        "next_to_mark",
        "Sun to sun, moon to moon: a tile with the mark of the one before lies beside it",
    )
    MARK_LINES = "mark_lines", "Lines of suns and moons count: 7 and 6 a tile"
    MARK_LINE_MIN = "mark_line_min", "Shortest line of suns or moons"
    LONGEST_LINE = "longest_line", "60 points for the longest line of suns or moons"
    LONGEST_LINE_ALONG = 'longest_line "along"', "in a whole colour line"
    LONGEST_LINE_BESIDE = 'longest_line "beside"', "beside a whole colour line"
