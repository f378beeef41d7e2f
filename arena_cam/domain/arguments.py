"""Why what a program sent with a request is not taken. `name` is the argument's."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class ArgumentRefusal(Reason):
    """What is wrong with the arguments of a request. Pages send none of these; programs do."""

    NO_OBJECT = "no_object", "send a JSON object with Content-Type: application/json"
    NO_ARGUMENT = "no_argument", "%(name)s: there is no such argument here; there are: %(names)s"
    NO_ARGUMENTS = "no_arguments", "%(name)s: there is no such argument here; this takes none"
    OTHER_TYPE = "other_type", "%(text)s; see /api/openapi.json for what it takes"
    ONE_OF = "one_of", "%(name)s must be one of %(names)s"
    SOME_OF = "some_of", "%(name)s must be names with commas between, out of %(names)s"
    ONE_OFFERED = "one_offered", "%(name)s must be one of those offered"
    WHOLE_NUMBER = "whole_number", "%(name)s must be a whole number"
    SHORT_TEXT = "short_text", "%(name)s must be a text of at most %(most)s characters"
    LENGTHS = "lengths", "%(name)s must be %(count)s lengths in millimetres"
    CARD_NAMES = "card_names", "%(name)s must be a list of names of cards"
    AMENDMENT = "amendment", "%(name)s must be a list of objects with line, and set or before"
    AMENDMENTS = "amendments", "%(name)s must be a list of at most %(most)s amendments"
    EVENT = "event_object", "%(name)s must be an object with the event's type"
