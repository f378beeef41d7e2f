"""What is refused while a table is set up."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class SetupRefusal(Reason):
    """Why a step of setting up a table cannot be done yet."""

    NO_RECORDING = "no_recording", "a camera looks at the table; only a recording can be held"
    NOT_BEGUN = "not_begun", "begin to set up the table first"
    NO_FRAME = "no_frame", "the camera has given no picture yet; check the camera and its cable"
    DUEL_IS_ON = "duel_is_on", "finish the duel first: its choices are secret as long as it goes on"
    NO_TABLE_BEFORE = "no_table_before", "there is no table to go back to yet; finish setting one up"
    TABLE_NOT_SAVED = "table_not_saved", "measure the arena and save the table first"
    NO_DECK_CHOSEN = "no_deck_chosen", "choose a deck first"
    ARENA_NOT_MEASURED = "arena_not_measured", "measure the arena first"
    NOT_EMPTY = (
        "not_empty",
        "something seems to lie in the tray; take it out and measure again, or say that it belongs to the floor",
    )
    NO_LENS_CHOSEN = "no_lens_chosen", "choose the camera's parameters first"
    OTHER_PICTURE_SIZE = "other_picture_size", "the camera's picture has another size now; choose its parameters again"
    NOT_LEARNING = "not_learning", "begin to learn a deck first"
    ONE_LIGHT = "one_light_first", "the pictures of %(name)s are being brought into one light; wait some seconds"
    BAD_DECK_NAME = "bad_deck_name", "name the deck with small letters a to z, digits and hyphens, 40 at most"
    CARD_NOT_WAITING = "card_not_waiting", "this card has its name already; lay the next one"
    CARD_LEARNED = "card_learned", "%(card)s is learned already; say that this picture shall replace it"
    NOT_KEPT = "not_kept", "the card's picture cannot be kept: %(text)s"
    BAD_LENGTH = "bad_length", "%(name)s: give a length between %(low)s and %(high)s mm"
    BAD_TABLE_NAME = "bad_table_name", "name the table with small letters a to z, digits and hyphens, 40 at most"
    TABLE_EXISTS = "table_exists", "there is a table called %(name)s already; choose another name, or replace it"
    FOLDER_NOT_WRITABLE = (
        "folder_not_writable",
        "%(name)s: cannot be written (%(text)s); start the program with another --calibration",
    )
    AGAIN = "again", "--again names %(name)s, which is no card of this deck; see --names"
