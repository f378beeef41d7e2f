"""What commands say of what they did, and why they refuse what was typed."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence


class CommandRefusal(Reason):
    """Why a command does not do what was typed."""

    VIEWS_OR_INTRINSICS = (
        "views_or_intrinsics",
        "give either VIEWS, pictures of a calibration board, or --intrinsics FILE, a camera known already",
    )
    INTRINSICS_ALONE = (
        "intrinsics_alone",
        "--intrinsics alone changes nothing; give --scene too, a picture of the empty arena",
    )
    NO_VIEWS = "no_views", "holds no pictures; put ten or more of the board in it"
    BAD_TABLE = "bad_table", "this table cannot be refereed yet; change what is marked BAD, then check again"
    TABLE_NEEDED = "table_needed", "a table is needed; give --table table.json, which arena-cam calibrate makes"
    PLAYER_COUNT = "player_count", "%(count)s cannot play %(game)s; give --players from %(least)s to %(most)s"
    SHORT_PIN = "short_pin", "the PIN is too short; give at least %(least)s characters"
    NO_TABLE_NEEDED = "no_table_needed", "%(game)s needs no measured table here; leave --table out"
    DATA_NOT_MADE = "data_not_made", "cannot be made (%(text)s); give another folder with --data"
    DATA_NOT_KEPT = "data_not_kept", "cannot be kept (%(text)s); give another folder with --data"
    OUTPUT_NOT_TAKEN = "output_not_taken", "the output cannot be written (%(text)s); make room, or write it elsewhere"
    THROW_WITHOUT_TABLE = "throw_without_table", "the throw was saved without its table.json; give one with --table"
    PHOTO_WITHOUT_TABLE = "photo_without_table", "a photograph is read without a measured table; leave --table out"
    PHOTO_WITHOUT_SET = (
        "photo_without_set",
        "the photograph was saved without the set it shows; give the set's folder with --deck",
    )
    THROW_WITHOUT_DECK = (
        "throw_without_deck",
        "the throw was saved without its deck; give the deck's folder with --deck",
    )
    PICTURE_KIND = "picture_kind", "a picture is written as one of %(names)s; give such a name"
    PHOTO_NOT_DRAWN = "photo_not_drawn", "nothing is drawn over a photograph; leave --picture out"
    NOTHING_RECORDED = (
        "nothing_recorded",
        "there is nothing recorded here; start arena-cam referee once, or give --data",
    )


class Said(Sentence):
    """What a command says of what it did."""

    BACKED_UP = "backed_up", "%(file)s: %(games)s games, %(throws)s throws, %(size_mb)s MB"
    RESTORED = "restored", "%(folder)s: %(games)s games, %(throws)s throws restored from %(file)s"
    SOME_UNJUDGED = "some_unjudged", "some pictures could not be judged; their lines say why"
    TOKEN_MADE = "token_made", "%(name)s may %(scopes)s; copy it now, it is kept nowhere"
    TOKEN_REVOKED = "token_revoked", "%(name)s: opens nothing from now on"
    NO_TOKENS = "no_tokens", "there is no token; make one with arena-cam token make NAME"
    MADE = "made", "made %(day)s"
    USED = "used", "used %(day)s"
    NEVER_USED = "never_used", "used never"
    THEN = "then", "Then: %(text)s"
    RULED = "ruled", "Ruling: %(text)s"
    NOW = "now", "Now: %(text)s"
    NOT_THERE = "not_there", "the card is not found"
    NOTHING_DIFFERS = "nothing_differs", "nothing differs"
    DIFFERS = "differs", "%(text)s: %(before)s then, %(after)s now"
    DRAWN_OVER = "drawn_over", "%(file)s: the picture, with what is seen in it now"
    GOOD = "check_good", "good"
    POOR = "check_poor", "POOR"
    BAD = "check_bad", "BAD"
    MAY_BEGIN = "may_begin", "A game can begin."
    MAY_BEGIN_POOR = "may_begin_poor", "A game can begin; what is marked POOR makes the referee ask more often."
    NO_TABLE_YET = "no_table_yet", "There is no table yet: set one up on the first of these pages."
    SET_UP_AT = "set_up_at", "Set-up      %(url)s/setup   PIN %(pin)s"
    SCOREBOARD_AT = "scoreboard_at", "Scoreboard  %(url)s/"
    PHONES_AT = "phones_at", "Phones      %(url)s/join"
    NO_PHONES = (
        "no_phones",
        "Phones      cannot reach this yet: start it with --host 0.0.0.0 (make run HOST=0.0.0.0)",
    )
    REFEREE_AT = "referee_at", "Referee     %(url)s/referee   PIN %(pin)s"
    CAMERA_AT = "camera_at", "Camera      %(url)s/camera   certificate %(text)s..."
    ENDS = "ends", "Ctrl-C ends it."
