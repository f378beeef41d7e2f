"""The referee's sentences: refusals, hints, warnings; each stands once."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence


class Refusal(Reason):
    """Why something cannot be done with a game, a throw or the session now."""

    NO_ACTION = "no_action", "There is no such action."
    NO_GAME_ON = "no_game_on", "no game is on; start one first"
    NOBODY_CALLED = "nobody_called", "Nobody called %(player)s plays in this game."
    NAMES_ALIKE = (
        "names_alike",
        "%(first)s and %(second)s look the same on the scoreboard; give each player a name of their own",
    )
    NO_SECRET = "no_secret", "nobody chooses in secret in this game"
    GAME_IS_ON = "game_is_on", "this game is on; end it before deleting it"
    NOBODY_PLAYED = "nobody_played", "nobody called %(player)s has played that to the end here"
    NOTHING_TO_UNDO = "nothing_to_undo", "there is nothing to undo in this game yet"
    NOTHING_TO_REDO = "nothing_to_redo", "nothing was undone since the last thing that was said"
    NOTHING_COVERED = "nothing_covered", "nothing covers a card: what lies on the table is seen"
    CARD_NOT_THROWN = "card_not_thrown", "no card %(name)s was thrown; say which card or line you mean"
    NO_ROUND = "no_round", "no round is open and none was played; say before which line it was thrown"
    NO_CARD_IN_LINE = "no_card_in_line", "line %(line)s speaks of no card that was thrown; correct it with amend"
    NOTHING_TO_CORRECT = "nothing_to_correct", "say what to correct: id, landing, face or rests_on"
    NOTHING_TO_CHANGE = "nothing_to_change", "say what to change in set, or what was missed in before"
    UNNAMED_CARD = "unnamed_card", "say which card was thrown; only a card that lies face down may stay unnamed"
    NO_THROW_IN_LINE = "no_throw_in_line", "line %(line)s is no throw; correct it with amend"
    NO_EVENT_IN_LINE = "no_event_in_line", "line %(line)s is no event of this game that can be corrected"
    CHALLENGE_STAYS = (
        "challenge_stays",
        "the challenge card counts however it lies: only which card it is can be mended",
    )
    NO_OPEN_CHALLENGE = (
        "no_open_challenge",
        "no challenge is open that could be closed: the game waits for %(awaited)s",
    )
    NO_DUEL_AWAITED = "no_duel_awaited", "no duel is awaited: the game waits for %(awaited)s"
    NO_CHALLENGE_AWAITED = "no_challenge_awaited", "a challenge is not awaited: the game waits for %(awaited)s"
    DUELLISTS_CHOOSE = "duellists_choose", "only the two duellists choose"
    NO_LIFE_FOR_CONFLICT = "no_life_for_conflict", "%(player)s has no life block left and cannot choose conflict"
    PAUSED_ALREADY = "paused_already", "the game is paused already"
    NOT_PAUSED = "not_paused", "the game is not paused"
    QUESTION_GONE = "question_gone", "this question is not asked any more"
    NO_ANSWER = "no_answer", "%(name)s is no answer to this question"
    BLOCK_NOT_ALONE = (
        "block_not_alone",
        "the other block is not seen open and alone now; wait for it, or enter both choices",
    )
    NOT_THAT_CARD = "not_that_card", "%(name)s cannot be that card; choose one of those offered"
    SECONDS_NO_NUMBER = "seconds_no_number", "seconds must be a number"
    SECONDS_OUT_OF_RANGE = "seconds_out_of_range", "seconds must lie between %(low)s and %(high)s"
    LINE_TOO_LONG = "line_too_long", "this is too long for one line of a record"
    NOT_WRITABLE_DOWN = "not_writable_down", "this cannot be written down: plain text and finite numbers only"
    NO_PICTURE = "no_picture", "%(name)s is no picture of this throw"
    NOTHING_READABLE = "nothing_readable", "nothing can be read in the saved frames (%(why)s)"
    NO_OPEN_THROW = "no_open_throw", "no throw is open under %(name)s; open its file again"
    NOTHING_TO_JUDGE_WITH = (
        "nothing_to_judge_with",
        "the throw came without its table or its deck; it cannot be judged again here",
    )
    NO_TABLE_YET = "no_table_yet", "no table is set up yet; open /setup first"


class ThrowFileRefusal(Reason):
    """Why the file of an exported throw is not taken."""

    OTHER_MEMBER = "other_member", "%(name)s in it does not belong to a saved throw; do not trust this file"
    LARGE_MEMBER = "large_member", "%(name)s in it has %(size_mb)s MB; do not trust this file"
    LARGE_PICTURE = "large_picture", "%(name)s in it has %(width_px)s x %(height_px)s pixels; do not trust this file"
    NO_PICTURE_IN_IT = "no_picture_in_it", "%(name)s in it is no picture; export the throw again"
    RULING_DAMAGED = "ruling_damaged", "ruling.json in it is damaged; export the throw again"
    LARGE_DECK = "large_deck", "the pictures of the deck in it are too large together; do not trust this file"
    OTHER_MANIFEST = "other_manifest", "manifest.json is not that of a saved throw (%(text)s)"
    OTHER_FORMAT = (
        "other_format",
        "this throw was saved by another arena-cam (its format %(format)s, ours %(format_here)s); use that one",
    )
    OTHER_GAME = (
        "other_game",
        "game.jsonl in it is of a game that is not thrown; give a throw that arena-cam exported",
    )
    MIXED_GAMES = (
        "mixed_games",
        "the throw in it is of %(game)s, but game.jsonl is a record of %(record)s; export the throw again",
    )
    UNKNOWN_GAME = (
        "unknown_game",
        "the throw in it is of %(game)s, a game that this arena-cam does not know; use the one that exported it",
    )
    RECORD_UNPLAYABLE = "record_unplayable", "game.jsonl in it cannot be played (line %(line)s: %(why)s)"
    NAME_LEADS_ELSEWHERE = (
        "name_leads_elsewhere",
        "the name %(name)s among the throw's files leads elsewhere; do not trust this file",
    )
    NAMES_ELSEWHERE = "names_elsewhere", "the throw's table or deck names %(name)s elsewhere; do not trust this file"
    READING_DAMAGED = "reading_damaged", "%(file)s in it is damaged; export the photograph again"
    NO_SAVED_THROW = (
        "no_saved_throw",
        "this is no saved throw, it has no %(file)s; give a folder of games/*/throws, or a zip",
    )
    PICTURES_MISSING = (
        "pictures_missing",
        "the pictures of this throw are missing; give a folder that is whole, or an exported zip",
    )
    MANIFEST_DAMAGED = "manifest_damaged", "manifest.json is not that of a saved throw (%(kind)s: %(text)s)"
    NOT_READ = "throw_not_read", "cannot be read (%(text)s)"


class PhotoRefusal(Reason):
    """Why a photograph is not taken."""

    NO_PHOTOS = "no_photos", "no photograph is asked for in this game"
    NO_PHOTO = "no_photo", "this is no photograph that can be read; send a JPEG or PNG picture"
    HEIC = (
        "heic",
        "this is a HEIC picture, which is not read; on an iPhone choose Settings, Camera, Formats, Most Compatible",
    )
    PHOTO_TORN = "photo_torn", "the photograph did not arrive whole; send it again"
    PHOTO_LARGE = "photo_large", "the photograph is too large; take one of at most %(megapixels)s megapixels"
    EARLIER_ROUND = "earlier_round", "this photograph was taken in round %(round)s; take a new one"
    NO_CAMERA_PICTURE = "no_camera_picture", "the camera has no picture yet; take one with a phone"
    NO_SET_WITH_IT = "no_set_with_it", "the photograph came without its set; it cannot be read again here"
    NOTHING_READS = "nothing_reads", "nothing is set up here that could read the photograph again"


class Difference(Sentence):
    """The differences of a card when a saved throw is judged again."""

    THERE = "there", "%(card)s is there"
    LANDING = "landing", "%(card)s: landing"
    FACE = "face", "%(card)s: face"
    SURE = "sure", "%(card)s: sure"
    RESTS_ON = "rests_on", "%(card)s: rests on"
    TILT = "tilt", "%(card)s: tilt in degrees"
    CONFIDENCE = "confidence", "%(card)s: confidence"
    CENTRE = "centre", "%(card)s: centre in mm"
    READING = "reading", "%(card)s: what is read there"


class Hint(Sentence):
    """The hints that any game may give: the table waits for this."""

    OVER = "over", "The game is over."
    OVER_LAST_ROUND = "over_last_round", "The game is over: round %(round)s was the last."
    PAUSED = "paused", "The game is paused."
    ANSWER_QUESTION = "answer_question", "The referee takes a closer look."
    AWAITS = "awaits", "The game awaits: %(awaited)s."


class Question(Sentence):
    """The questions of any game."""

    WHAT_COUNTS = "what_counts", "%(code)s: what counts?"


class Answer(Sentence):
    """The answers that any game offers."""

    IGNORE = "ignore", "Ignore it"


class SessionTrouble(Reason):
    """The reason behind a warning of the session."""

    SOURCE_UNREADABLE = "source_unreadable", "the source cannot be read (%(text)s)"
    SOURCE_OVER = "source_over", "the source has ended; give another one to go on"
    PICTURE_FAULT = "picture_fault", "a fault of the program (%(name)s); the next picture is tried"
    UNDERSTANDING_FAULT = "understanding_fault", "a fault of the program (%(name)s); correct by hand what is missing"
    BLOCKS_UNREAD = "blocks_unread", "the duelling blocks could not be read; choose by phone"


class Trouble(Sentence):
    """Why the session does less than it should; the parameters `why` and `doubts` say more."""

    CAMERA_LOST = "camera_lost", "The camera is gone; it is being tried again."
    SOURCE_ENDED = "source_ended", "The recording has ended."
    BLIND = "blind", "The camera cannot see the arena."
    SETTING_UP = "setting_up", "The table is being set up: nothing is refereed."
    DISK_FULL = "disk_full", "The disk is full: nothing more can be kept. Make room, and the game goes on."
    DISK_FAILED = (
        "disk_failed",
        "The disk takes nothing any more: nothing can be kept. Look after it; the game goes on when it can be written.",
    )
    DISK_LOW = "disk_low", "The disk is nearly full."
    NOT_SAVED = "not_saved", "The last throw counts, but its pictures could not be saved."
    EYE_ERROR = "eye_error", "The camera's picture could not be judged."


class OutfitRefusal(Reason):
    """Why a game is not judged, watched or learned like that."""

    NOT_JUDGED = "not_judged", "pictures of %(game)s cannot be judged; the games whose pictures can: %(names)s"
    NOT_LEARNED = "not_learned", "a set of %(game)s cannot be learned from photographs; leave --game out for cards"
    NOT_WATCHED = (
        "not_watched",
        (
            "no camera watches %(game)s like that yet; start arena-cam referee without --game and begin it on the"
            " referee's page"
        ),
    )
    NO_SUCH_GAME = "no_such_game", "there is no game called %(game)s; the games are %(names)s"
    NO_TABLE_HERE = "no_table_here", "--table and --challenge are for cards that are thrown; leave them out"
    ANY_TABLE = (
        "any_table",
        "--deck %(deck)s names the cards of any table; for a measured table give the deck's own folder",
    )
    RECORDED = "recorded", "recorded pictures are judged with arena-cam judge --game %(game)s"
