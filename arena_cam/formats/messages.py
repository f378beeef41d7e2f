"""Why a file of a deck, a set or a table cannot be used; how a rule is cited."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence, Word


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
    SET_NEEDS = "set_needs", "%(why)s; see docs/conventions.md for what a set needs"
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
    OTHER_SET = (
        "set_of_another_game",
        (
            "is a set of the game %(game)s, not a deck of cards; give a deck's folder (judge and referee read it with "
            "--game %(game)s)"
        ),
    )
    NO_CARDS = "no_cards", "names no cards; each card needs a [[card]] with id and image"
    ID_TWICE = "id_twice", "%(name)s is there twice; give each card its own id"
    PICTURE_MISSING = "picture_missing", "the picture %(file)s is missing (%(count)s in all); put it into that folder"
    CARD_LENGTH = "card_length", "%(name)s is %(value)s; give the card's size in millimetres, between 10 and 300"
    DECK_NEEDS = "deck_needs", "%(why)s; see docs/conventions.md for what a deck needs"
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
    BOARD_NEEDS = "board_needs", "%(why)s; see docs/conventions.md for what a board.json needs"
    TABLE_NOT_READ = "table_not_read", "cannot be read (%(text)s); make one with arena-cam calibrate"
    TABLE_NOT_JSON = "table_not_json", "is not JSON (%(text)s); make it anew with arena-cam calibrate"
    TABLE_NEEDS = "table_needs", "%(why)s; make it anew with arena-cam calibrate"
    CAMERA_NOT_READ = "camera_not_read", "cannot be read (%(text)s); give a file of calibration/ or a table.json"
    NO_CAMERA = "no_camera", "holds no camera (%(why)s); make one with arena-cam calibrate VIEWS"
    NO_DICTIONARY = "no_dictionary", "there is no marker dictionary %(name)s; OpenCV's names look like DICT_4X4_50"


class ValueTrouble(Reason):
    """What is wrong with one value of a file. `place`: the value's key, as it is written there."""

    MISSING = "value_missing", "%(place)s is missing"
    NO_OBJECT = "value_no_object", "%(place)s must be an object with keys and values"
    NO_OBJECT_AT_ALL = "value_no_object_at_all", "it must be an object with keys and values"
    NO_NUMBER = "value_no_number", "%(place)s must be a number, not %(given)s"
    NO_NUMBERS = "value_no_numbers", "%(place)s must be a list of %(count)s numbers"
    NO_TEXT = "value_no_text", "%(place)s must be a text of 1 to %(most)s printable characters, not %(given)s"
    ANY_TEXT = "value_any_text", "%(place)s must be a text"
    NO_TABLES = "value_no_tables", "%(place)s must be written as %(written)s, once for each"
    OUT_OF_RANGE = "value_out_of_range", "%(place)s is %(given)s, it must lie between %(low)s and %(high)s"
    NONE_OF = "value_none_of", "%(place)s must be one of: %(words)s"
    NONE_OF_GIVEN = "value_none_of_given", "%(place)s must be one of: %(words)s; not %(given)s"
    TWICE = "value_twice", "%(place)s has %(name)s twice; give each its own name"
    NO_MATRIX = "value_no_matrix", "%(place)s must be a 3 x 3 matrix, as three lists of three numbers"
    FOCAL_LENGTHS = "value_focal_lengths", "%(place)s must have positive focal lengths"
    PRINCIPAL_POINT = "value_principal_point", "%(place)s: the principal point %(x)s, %(y)s is far outside the picture"
    RICHER_LENS = "value_richer_lens", "%(place)s has %(count)s numbers, of which only k1, k2, p1, p2, k3 can be used"
    NO_MARKER = "value_no_marker", "%(place)s names a marker %(given)s, which is no marker's number"
    FEW_FIDUCIALS = "value_few_fiducials", "%(place)s names fewer than two fiducials"
    MARKERS_MEET = "value_markers_meet", "%(place)s has the markers %(one)s and %(other)s lie on each other"
    DICTIONARY_NAME = "value_dictionary_name", "%(place)s must be a name such as DICT_5X5_50"
    NOT_IN_DICTIONARY = (
        "value_not_in_dictionary",
        "%(place)s names the marker %(marker)s, which is not in %(dictionary)s",
    )
    MARKER_TOO_LARGE = "value_marker_too_large", "%(place)s must be less than %(other)s"
    NO_HEXAGON = (
        "value_no_hexagon",
        ("%(place)s is %(given)s: a hexagon flat at top and bottom that is %(width)s wide is %(height)s high"),
    )
    FEW_TILES = "value_few_tiles", "names fewer than 2 tiles; each tile needs a %(written)s with id and image"
    BOARD_COLOUR = "value_board_colour", "%(place)s has no colour; where there are several boards each needs its own"
    CELL_MISSING = "value_cell_missing", "%(place)s must name the cells A1 to E3; %(cell)s is missing"
    CELL_UNKNOWN = "value_cell_unknown", "%(place)s must name the cells A1 to E3; %(cell)s is none of them"
    CELL_OUTSIDE = "value_cell_outside", "%(place)s: the cell %(cell)s lies outside the board"
    NO_CARD_OF_KIND = (
        "value_no_card_of_kind",
        'has no card of kind "%(kind)s"; a dilemma is a positive and a negative card',
    )
    NO_TOKEN_OF_KIND = (
        "value_no_token_of_kind",
        'has no token of kind "%(kind)s"; one [[token]] each for yes, no and back',
    )


class ColourName(Word):
    """The colours of cards."""

    RED = "red", "red"
    BLUE = "blue", "blue"
    GREEN = "green", "green"
    YELLOW = "yellow", "yellow"
    VIOLET = "violet", "violet"


class LandingName(Word):
    """How a card came to rest. A record says `diagonal` where people say that it leans."""

    FLAT = "flat", "flat"
    DIAGONAL = "diagonal", "leaning"
    EDGE = "edge", "on the edge"
    BESIDE = "beside", "beside"


class CardName(Word):
    """How a card is called."""

    OF_COLOUR = "of_colour", "%(colour)s %(value)s"
    FACE_DOWN = "face_down", "a face-down card"


class Between(Word):
    """What stands between the parts of a list."""

    LAST_TWO = "last_two", " and "


class Judgement(Sentence):
    """What is said of a picture and of each card in it, on a terminal."""

    ONE_CARD = "one_card", "1 card"
    CARDS = "cards", "%(count)s cards"
    NOT_SURE = "not_sure", "%(text)s - not sure: %(why)s"
    LIES = "lies", "%(landing)s (%(percent)s %%), tilt %(tilt_deg)s°"
    ON = "lies_on", "on %(cards)s"


class Photographed(Sentence):
    """What is said of a photograph of boards, or of dilemmas, on a terminal."""

    UNSURE = "photograph_unsure", "%(text)s - not sure"
    ONE_BOARD = "one_board", "1 board"
    BOARDS = "boards", "%(count)s boards"
    A_BOARD = "a_board", "board"
    ONE_TILE = "one_tile", "1 tile"
    TILES = "tiles", "%(count)s tiles"
    ONE_DILEMMA = "one_dilemma", "1 dilemma"
    DILEMMAS = "dilemmas", "%(count)s dilemmas"
    NOBODY = "nobody_told", "nobody told"
    NO_TOKENS = "no_tokens", "no tokens"
    ELSEWHERE = "elsewhere", "elsewhere: %(text)s"


class TokenName(Word):
    """Tokens of dilemmas beside yes and no."""

    SUPER_YES = "super_yes", "super yes"
    SUPER_NO = "super_no", "super no"
    HIDDEN = "hidden", "hidden"


class WatchedLine(Sentence):
    """What stands in a line of a record that is watched on a terminal."""

    A_CARD = "a_card", "a card"
    UNSURE = "watched_unsure", "%(text)s (not sure)"
    OF_LINE = "card_of_line", "the card of line %(line)s is %(card)s"
    NOT_COUNTED = "not_counted", "not counted: %(why)s"
    PERHAPS = "not_counted_perhaps", "not counted: perhaps %(card)s"


class Citation(Word):
    """How the rule behind a ruling is cited."""

    OF_BOOK = "cited_of_book", "%(book)s, %(section)s"
    WITH_NOTE = "cited_with_note", "%(rule)s: %(note)s"
    HOUSE_RULE = "cited_house_rule", "house rule “%(asked)s”"
