"""What is told at a table of hexagons: hints, refusals, and what of a photograph people must look at."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence


class HexesHint(Sentence):
    """What the table waits for."""

    DRAW = "draw_tile", "%(player)s draws the next tile."
    LAY = "lay_tile", "Lay %(tile)s."
    LAST = "lay_last_tile", "Lay %(tile)s, the last one; then photograph your boards: %(players)s."
    BOARDS = "boards", "Photograph your boards: %(players)s."
    CONFIRM = "confirm_boards", "Look at your board and confirm it: %(players)s."


class HexesTable(Reason):
    """What cannot be done at the table now."""

    NOT_ANNOUNCER = "not_announcer", "%(player)s announces this round and draws the tiles"
    ALL_DRAWN = "all_drawn", "all 19 tiles of this round are drawn; now the boards count"
    NONE_DRAWN = "none_drawn", "no tile of this round is drawn yet"
    BOARDS_BEGUN = "boards_begun", "this round is told by its boards; a tile cannot be drawn any more"
    TILE_DRAWN = "tile_drawn", "%(tile)s is drawn already in this round"
    NO_CELL = "no_cell", "a cell is called A1 to E3, not %(text)s"
    NO_PLAYER = "no_player", "nobody called %(player)s plays in this game"
    NOT_ALLOWED_THERE = "not_allowed_there", "by the variants chosen %(tile)s may not be laid on %(cell)s"
    NOT_DRAWN_YET = "not_drawn_yet", "%(tile)s is not drawn in this round"
    STAYS = "stays", "%(tile)s lies there already, and what lies stays"
    CONFIRMED = "board_confirmed", "this board is confirmed; take that back first"
    NOT_FULL = "not_full", "%(count)s cells of this board are still empty: %(cells)s"
    TWICE = "lies_twice", "%(tile)s lies on %(cells)s, but a board has each tile once; tap the cell that is wrong"
    NOT_DRAWN = "tile_not_drawn", "%(tile)s was not drawn in this round, but lies on %(cell)s; tap the cell and mend it"
    OTHER_TILE = (
        "differs_from",
        "%(tile)s lies on %(cell)s, but not on the board of %(player)s; tap the cell and mend it",
    )
    BROKEN = (
        "variant_broken",
        "by the variants chosen %(tile)s could not be laid on %(cell)s; mend it, or the referee counts it as it lies",
    )
    SAME_PLAYER = "same_player", "this is the board of %(player)s already; say whose it is"
    NO_BOARD_YET = "no_board_yet", "no board of %(player)s is known yet; photograph it first"
    HAS_BOARD = "has_board", "%(player)s has a board already; ask the referee to change the two"
    ROUND_BY_HAND = "round_by_hand", "this round is entered tile by tile at the referee's desk"


class Learned(Sentence):
    """What became of the photographs of a set."""

    DONE = (
        "done",
        "%(tiles)s tiles and %(boards)s boards learned: %(folder)s; look whether each tile is under its own name",
    )


class LearningRefusal(Reason):
    """Why a set cannot be learned from these photographs."""

    TILE_WIDTH = "tile_width", "--tile-width is %(mm)s; give the millimetres from corner to corner, like 40"
    NO_BOARD_SIZE = (
        "no_board_size",
        "how large is a board? give --board-size, width x height in millimetres, like 204x214",
    )
    BOARD_SIZE = (
        "board_size",
        "--board-size is %(text)s; give width x height of a board in millimetres, like 204x214",
    )
    NO_FOLDER = "no_photo_folder", "%(folder)s: is no folder; give one with photographs of the tiles and of each board"
    NO_TILES = (
        "no_tile_photos",
        "%(folder)s: holds no tiles.jpg (or tiles-1.jpg, tiles-2.jpg, ...); name the photographs so",
    )
    NO_BOARDS = "no_board_photos", "%(folder)s: holds no board.jpg or board-COLOUR.jpg; name the photographs so"
    NAMELESS_BOARD = (
        "nameless_board",
        "%(file)s: there are several boards; name each after its colour, like board-red.jpg",
    )
    TILE_COUNT = (
        "tile_count",
        (
            "%(found)s tiles were found instead of %(wanted)s (%(each)s); lay them a finger apart on a plain ground of "
            "another colour, upright, in rows in this order: %(order)s"
        ),
    )
    SHOWS = "shows", "%(file)s shows %(count)s"
    BOARD_UNSEEN = (
        "board_unseen",
        "%(file)s: no board is seen; photograph it empty, whole, upright, on a plain ground of another colour",
    )
    CELLS_UNSEEN = (
        "cells_unseen",
        (
            "%(file)s: no outlines of 19 cells are seen; check --tile-width and --board-size, and photograph the board "
            "empty and upright, in even light"
        ),
    )


class BoardQuestion(Reason):
    """What people must look at in a photograph, beside what the eye itself doubts."""

    AGAINST_THE_DRAW = "against_the_draw", "%(tile)s seems to lie on %(cell)s, but was not drawn; say what lies there"
    LEFT_OVER = "left_over", "%(tile)s is left over, so it may lie on %(cell)s; say whether it does"
    OTHERS_BOARD = "others_board", "this looks like the board of %(player)s"
    NO_BOARD_OF = (
        "no_board_of",
        "no board of %(player)s is seen; say what lies in the cells, or take another photograph",
    )
    NO_NEW_TILE = (
        "no_new_tile",
        "no new tile is plain on the board of %(player)s; photograph the whole board with it, or choose its name",
    )
    UNREAD = "unread", "the photograph is kept, but nothing was read in it; say what lies in the cells"


class HexesOption(Reason):
    """Why boards are not judged or watched as it was typed."""

    NO_TABLE = "hexes_no_table", "--table and --challenge are for cards that are thrown; leave them out for boards"
    SET = (
        "hexes_set",
        "give the folder of the set of boards and tiles with --deck SET (arena-cam deck print --game hexes makes one)",
    )
