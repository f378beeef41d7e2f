"""Why a file of a deck, a set or a table cannot be used."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class FileTrouble(Reason):
    """Why a file cannot be read or written; its name is told before it."""

    NOT_WRITTEN_OUT = "not_written_out", "cannot be written (%(text)s); choose another place with --out"
    NO_ROOM_OUT = (
        "no_room_out",
        "cannot be written (%(text)s); make room there, or choose another place with --out",
    )
    IS_NOT_JSON = "is_not_json", "is not JSON (%(text)s); mend that place"
    NOT_WRITTEN = "not_written", "cannot be written (%(text)s); name a folder where you may write"
    NOT_TOML = "not_toml", "is not TOML (%(text)s); mend that place"
    NOT_READ = "not_read", "cannot be read (%(text)s); check the name"


class SetTrouble(Reason):
    """Why a deck or a set cannot be used."""

    NO_TILE_SET = (
        "no_tile_set",
        'is no set of boards and tiles (it has no game = "hexes"); give the folder of such a set',
    )
    SET_NEEDS = "set_needs", "%(text)s; see docs/conventions.md for what a set needs"
    NAMES_EMPTY = "names_empty", "--names is empty; give the cards' names, like red-1,red-2"
    NAME_TWICE = "set_name_twice", "--names has %(name)s twice; give each card its own name"
    NAME_LETTERS = "name_letters", "--names has %(name)s; a card's name is of letters, digits and hyphens, like red-1"
    SIZE_UNKNOWN = "size_unknown", "the cards' size is not known; give it with --card-size, like 63x88"
    OTHER_SIZE = (
        "set_other_size",
        (
            "%(folder)s holds a deck of cards of %(width_mm)s x %(height_mm)s mm, not %(given_width_mm)s x "
            "%(given_height_mm)s; name another folder, or give that size"
        ),
    )
    NO_CARDS = "no_cards", "names no cards; each card needs a [[card]] with id and image"
    ID_TWICE = "id_twice", "%(name)s is there twice; give each card its own id"
    PICTURE_MISSING = "picture_missing", "the picture %(file)s is missing (%(count)s in all); put it into that folder"
    CARD_LENGTH = "card_length", "%(name)s is %(value)s; give the card's size in millimetres, between 10 and 300"
    DECK_NEEDS = "deck_needs", "%(text)s; see docs/conventions.md for what a deck needs"
    NO_DILEMMA_SET = (
        "no_dilemma_set",
        'is no set of dilemmas (it has no game = "dilemmas"); give the folder of such a set',
    )
    SET_NOT_READ = "set_not_read", "cannot be read (%(text)s); give the folder that holds deck.toml"
    NO_PICTURE_OF_CARD = (
        "no_picture_of_card",
        "cannot be read as a picture (%(text)s); put it right in the deck's folder",
    )
    LARGER_THAN_PAPER = "larger_than_paper", "its cards are larger than the paper; choose another --paper"
    PICTURE_NOT_READ = "picture_not_read", "cannot be read (%(text)s); put the picture back into the deck's folder"


class TableTrouble(Reason):
    """Why a description of a table, a camera or a board cannot be used."""

    BOARD_NOT_READ = (
        "board_not_read",
        "cannot be read (%(text)s); it says which board the pictures show, see docs/conventions.md for its form",
    )
    BOARD_NEEDS = "board_needs", "%(text)s; see docs/conventions.md for what a board.json needs"
    TABLE_NOT_READ = "table_not_read", "cannot be read (%(text)s); make one with arena-cam calibrate"
    TABLE_NOT_JSON = "table_not_json", "is not JSON (%(text)s); make it anew with arena-cam calibrate"
    TABLE_NEEDS = "table_needs", "%(text)s; make it anew with arena-cam calibrate"
    CAMERA_NOT_READ = "camera_not_read", "cannot be read (%(text)s); give a file of calibration/ or a table.json"
    NO_CAMERA = "no_camera", "holds no camera (%(text)s); make one with arena-cam calibrate VIEWS"
    NO_DICTIONARY = "no_dictionary", "there is no marker dictionary %(name)s; OpenCV's names look like DICT_4X4_50"
