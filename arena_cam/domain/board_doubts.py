"""Why a board of tiles in a photograph is not read surely, and what to do about it."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class BoardDoubt(Reason):
    """Of a cell, of a board, or of a photograph of boards."""

    NO_BOARD = "no_board", "no board of this set is seen; take the picture from above, with the whole board in it"
    CELL_OUTSIDE = "cell_outside", "%(cell)s is not wholly in the picture; take one with the whole board in it"
    WRONG_WAY = "wrong_way", "the tile in %(cell)s lies the wrong way round; turn it, or say which it is"
    HALF_OUT = "half_out", "the tile in %(cell)s lies half out of its cell; push it in, or say which it is"
    TURNED = "turned", "the tile in %(cell)s is turned in its cell; straighten it, or say which it is"
    COVERED = (
        "covered",
        "something covers %(cell)s, or no tile of this set lies there; uncover it, or say what lies there",
    )
    UNCLEAR = "unclear", "%(cell)s cannot be read clearly; say whether %(tile)s lies there"
    UNCLEAR_EMPTY = "unclear_empty", "%(cell)s cannot be read clearly; say whether it is empty"
    TWICE = "twice", "%(tile)s is seen in %(cells)s, but a board has each tile once; say which is right"
    NOT_DRAWN = (
        "not_drawn",
        "%(tile)s is seen in %(cell)s, but was not drawn in this round; say what lies there",
    )
    COLOUR = "colour", "whose board it is cannot be told by its colour; say whose it is"
    ANOTHER = (
        "another_board",
        "something beside the boards looks like one more; take a picture with all of it in plain view",
    )
