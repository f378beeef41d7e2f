"""What all games refuse alike."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence, Word


class RuleRefusal(Reason):
    """Why a record cannot go on so, whatever the game."""

    OVER = "over", "%(event)s cannot come here: the game is over"
    NOT_AWAITED = "not_awaited", "%(event)s cannot come here: the game waits for %(awaited)s"
    NAME_TWICE = "name_twice", "two players are called %(name)s; give each a name of their own"
    BAD_NAME = (
        "bad_name",
        "each player needs a name of 1 to %(most)s printable characters without a space at either end, not %(name)s",
    )
    BAD_PLAYERS = "bad_players", "players must be a list of %(count)s players for %(game)s"


class ValueRefusal(Reason):
    """Which value of an event or a header is not what the record's format says. `name` is the key, `text` the value."""

    WORD = "value_word", "%(name)s must be one of %(names)s, not %(text)s"
    STRING = "value_string", "%(name)s must be a string, not %(text)s"
    PLAYER = "value_player", "%(name)s must name one of the players, not %(text)s"
    OBJECT = "value_object", "%(name)s must be an object, not %(text)s"
    LIST = "value_list", "%(name)s must be a list, not %(text)s"
    LISTED = "value_listed", "%(name)s must be a list of names of cards, not of %(text)s"
    EVENT = "value_event", "%(text)s is no event of this game"
    GAME = "value_game", "game must be one of %(names)s, not %(text)s"
    VERSION = "value_version", "version must be 1, not %(text)s"
    OPTION_NAME = "value_option_name", "%(text)s is no option of %(game)s; it offers %(names)s"
    OPTION = "value_option", "%(name)s must be %(offered)s, not %(text)s"
    OPTION_RANGE = "value_option_range", "%(name)s must be %(least)s to %(most)s, not %(text)s"


class AmendRefusal(Reason):
    """Why an amendment is not well formed, whatever the game."""

    NO_CHANGE = (
        "amends_nothing",
        "this correction changes nothing: say what was otherwise, or what was missed before it",
    )
    NO_LINE = "amends_no_line", "line must be the number of the line to amend, not %(text)s"
    NO_EARLIER_EVENT = "amends_no_event", "line %(line)s is no earlier event that can be amended"
    BAD_SET = "amends_bad_set", "set must be an object with the keys to replace, not %(text)s"
    UNKNOWN_KEY = "amends_unknown_key", "set may not name %(text)s; it may name %(keys)s"
    BAD_BEFORE = "amends_bad_before", "before must be a list of the events that were missed, not %(text)s"
    NO_EVENT = "amends_bad_event", "before must hold events, which are objects, not %(text)s"
    UNKNOWN_TYPE = "amends_unknown_type", "type must be note or one of %(types)s, not %(text)s"


class AnyRuling(Sentence):
    """What is ruled in every game."""

    AMENDED = "amended", "The referee corrected line %(amends)s."


class EventName(Word):
    """Base of the tables of a game's events, as a refusal calls one that cannot come now. The code is the event's type;
    refusals have the English, which pages translate."""


class Awaited(Word):
    """Base of the tables of what a game may await. The code is what the record's state has under `awaiting`."""

    @classmethod
    def named(cls, code: str) -> Awaited | None:
        """What `code` stands for in the games that are loaded; None where no table has it."""
        return next((word for table in Awaited.__subclasses__() for word in table if word.value == code), None)


class AnyAwaited(Awaited):
    """What any game may await."""

    NOTHING = "nothing", "nothing: the game is over"


class Rulebook(Word):
    """Base of the tables of the rulebooks that a game's rulings name. The code is how `Ruling.rule` calls the book."""

    @classmethod
    def named(cls, code: str) -> Rulebook | None:
        """The rulebook of that code, of the games that are loaded; None where no table has it."""
        return next((book for table in Rulebook.__subclasses__() for book in table if book.value == code), None)


class RuleNote(Word):
    """Base of the tables of what `Ruling.rule` says in words of ours: all of it where the ruling is ours, or what a
    section says, behind its title and a colon. Pages translate these words; the title is the book's."""


class AnyRuleNote(RuleNote):
    """Such words of every game."""

    AMENDED = "rule_amended", "record format: amend"


class HouseRule(Word):
    """Base of the tables of a game's house rules in words. A question has the option's name as its code, an answer the
    name and the value as JSON; `null` is the answer that the number of players decides."""

    @classmethod
    def named(cls, code: str) -> HouseRule | None:
        """What `code` stands for in the games that are loaded; None where no table has it."""
        return next((word for table in HouseRule.__subclasses__() for word in table if word.value == code), None)


class AnyHouseRule(HouseRule):
    """Questions and answers that several games share; an answer has the value alone as its code."""

    ROUNDS = "rounds", "Rounds"
    YES = "true", "yes"
    NO = "false", "no"


class RecordRefusal(Reason):
    """Why a game record cannot be read; the file and the line are told before it."""

    NO_ACCESS = "record_no_access", "the file cannot be opened: %(text)s"
    EMPTY = "record_empty", "the file is empty; a record starts with a header line"
    EVENT_KIND = "record_event_kind", "type must be one of %(names)s, not %(text)s"
    NOT_UTF_8 = "line_not_utf_8", "this line is not UTF-8; save the file as UTF-8"
    NOT_JSON = "line_not_json", "this is not JSON: %(text)s, at character %(at)s"
    TOO_DEEP = "line_too_deep", "this is nested too deeply to be read"
    NO_OBJECT = "line_no_object", "each line must be one JSON object, in braces"
    NO_NUMBER = "line_no_number", "%(text)s is no number in JSON"
    KEY_TWICE = "line_key_twice", "the key %(text)s stands twice in one object"
