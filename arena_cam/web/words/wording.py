"""Codes to sentences, in the page's language: rulings, hints, states and the names of cards.

A code that is not known here is shown with the English sentence that came with it: never nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from arena_cam.referee.interface import Choice, Phrase, Question, RulingSnapshot, VerdictPreview
from arena_cam.web.words.language import Translate


def N_(message: str) -> str:
    """Marks a message for the catalogues where it is translated later."""
    return message


COLOURS = {
    "red": N_("red"),
    "blue": N_("blue"),
    "green": N_("green"),
    "yellow": N_("yellow"),
    "violet": N_("violet"),
}

RULINGS = {
    "duelling": N_("%(card)s lies on the challenge card: %(player)s duels."),
    "beside": N_("%(card)s fell beside the arena and leaves the game."),
    "edge": N_("%(card)s lies on the edge and leaves the game."),
    "diagonal": N_("%(card)s leans and does not lie flat: it leaves the game."),
    "face_down": N_("%(card)s lies face down and leaves the game."),
    "own_card": N_("%(card)s is the provocateur's own and leaves the game."),
    "same_value": N_("%(card)s has the challenge card's value and does not count."),
    "not_first": N_("%(card)s came too late: another card duels. It leaves the game."),
    "not_on_challenge": N_("%(card)s does not lie on the challenge card and leaves the game."),
    "returned": N_("%(card)s fell beside and goes back to %(player)s."),
    "forfeited": N_("%(card)s fell beside and is lost to the provocateur."),
    "rethrow": N_("The values are the same: everyone may throw again."),
    "unanswered": N_("Nobody answered: %(player)s keeps %(card)s."),
    "wasted": N_("No throw counted: the challenge card leaves the game."),
    "both_peace": N_("Both chose peace: they swap their cards."),
    "one_conflict": N_("%(winner)s chose conflict, wins both cards and gives up a life block."),
    "both_conflict": N_("Both chose conflict: each gives up a life block and the cards leave the game."),
    "amended": N_("The referee corrected line %(amends)s."),
}

BADGES = {
    "duelling": N_("duels"),
    "beside": N_("beside"),
    "edge": N_("on the edge"),
    "diagonal": N_("leans"),
    "face_down": N_("face down"),
    "own_card": N_("own card"),
    "same_value": N_("same value"),
    "not_first": N_("too late"),
    "not_on_challenge": N_("missed"),
    "returned": N_("goes back"),
    "forfeited": N_("lost"),
    "challenge": N_("challenge"),
}

HINTS = {
    "start_game": N_("The referee starts a game."),
    "lay_challenge": N_("%(player)s, lay a challenge card."),
    "turn_up": N_("Lay the challenge card face up."),
    "sweep_arena": N_("Take the cards out of the arena."),
    "throw_now": N_("Throw onto %(card)s."),
    "throw_again": N_("Throw again onto %(card)s."),
    "duel": N_("%(players)s: peace or conflict?"),
    "duel_blocks": N_("%(players)s: peace or conflict? By phone or by block."),
    "identify": N_("The referee says which card lies face down."),
    "over": N_("The game is over."),
    "paused": N_("The game is paused."),
    "answer_question": N_("The referee looks at a throw."),
}

LANDINGS = {"flat": N_("flat"), "diagonal": N_("leaning"), "edge": N_("on the edge"), "beside": N_("beside")}

EYE = {
    "armed": N_("Watching"),
    "settling": N_("Settling"),
    "decided": N_("Decided"),
    "blind": N_("Cannot see"),
}

WARNINGS = {
    "camera_lost": N_("The camera is gone; it is being tried again."),
    "source_ended": N_("The recording has ended."),
    "camera_frozen": N_("The camera's picture stands still."),
    "blind": N_("The camera cannot see the arena."),
    "setting_up": N_("The table is being set up: nothing is refereed."),
    "disk_low": N_("The disk is nearly full."),
    "disk_full": N_("The disk is full: nothing more can be kept."),
    "not_saved": N_("The last throw could not be saved."),
    "eye_error": N_("The camera's picture could not be judged."),
}

QUESTIONS = {
    "unsure": N_("Is this right: %(card)s lies %(landing)s?"),
    "confirm": N_("Please confirm: %(card)s lies %(landing)s."),
    "out_of_game": N_("This looks like %(card)s, which has left the game. What is it?"),
    "not_in_game": N_("This looks like %(card)s, which nobody plays. What is it?"),
    "twice": N_("This looks like %(card)s, which lies there already. What is it?"),
    "wrong_provocateur": N_("This looks like %(card)s, but it is %(player)s's turn to lay the challenge. What is it?"),
    "impossible": N_("The rules do not allow what %(card)s seems to do. What is it?"),
    "identify": N_("Which card was thrown face down here?"),
    "order": N_("%(first)s and %(second)s came to rest together. Which was first?"),
    "taken_back": N_("%(card)s was taken away again. Does the throw count?"),
    "two_blocks": N_("%(player)s shows both peace and conflict. What counts?"),
    "no_life_block": N_("%(player)s shows conflict, but has no life block left. What counts?"),
}
ANSWERS = {
    "keep": N_("Yes, %(card)s lies %(landing)s"),
    "landing": N_("%(card)s lies %(landing)s"),
    "card": N_("It is %(card)s"),
    "other_card": N_("Another card"),
    "never": N_("It was not thrown"),
    "ignore": N_("Ignore it"),
    "first": N_("%(card)s was first"),
    "counts": N_("It counts as it lay"),
    "lay_anew": N_("Lay the block anew"),
    "peace": N_("Peace"),
    "conflict": N_("Conflict"),
}

# How the rooms below call a card that nobody has named.
FACE_DOWN = ("a face-down card", "a card that lies face down")

# Lines of a game record, for people.
EVENTS = {
    "challenge": N_("challenge card"),
    "throw": N_("throw"),
    "moved": N_("moved"),
    "close": N_("end of throwing"),
    "duel": N_("duel"),
    "note": N_("note"),
    "amend": N_("correction of line %(line)s"),
}
WINS = (N_("%(names)s wins"), N_("%(names)s win together"))
CHOICES = {"peace": N_("Peace"), "conflict": N_("Conflict")}
# Who brought a line about where it was no person.
HANDS = {
    "camera": N_("camera"),
    "clock": N_("clock"),
    "players": N_("players"),
    "referee": N_("referee"),
    "simulated players": N_("simulated players"),
}

SYMBOLS = {"red": "circle", "blue": "diamond", "green": "triangle", "yellow": "star", "violet": "square"}


def colour_and_value(card: str | None) -> tuple[str, str]:
    """("red", "8") of "red-8"; ("", the id) for a card of another kind of deck, ("", "?") for one nobody knows."""
    if not card or card.startswith("?") or card in FACE_DOWN:
        return "", "?"
    colour, _, value = card.partition("-")
    return (colour, value) if colour in COLOURS and value else ("", card)


def card_name(card: str | None, _: Translate) -> str:
    """A card as people call it: "red 8", "8 rouge"."""
    colour, value = colour_and_value(card)
    if value == "?":
        return _("a face-down card")
    return _("%(colour)s %(value)s", colour=_(COLOURS[colour]), value=value) if colour else value


def ruling_sentence(ruling: RulingSnapshot | VerdictPreview, card: str | None, player: str | None, _: Translate) -> str:
    """What was decided, as one sentence beginning with a capital."""
    message = RULINGS.get(ruling["code"])
    if message is None:
        return ruling["text"]
    details: Any = ruling.get("details", {})
    won = [who for who in (details.get("cards") or {}).values() if who]
    values = {
        "card": card_name(card, _),
        "player": player or _("nobody"),
        "winner": won[0] if won else "",
        "amends": details.get("amends", ""),
    }
    return capital(_(message, **values))


def phrase(text: Phrase | Question | Choice, _: Translate, table: dict[str, str]) -> str:
    """A hint or a warning in the page's language."""
    message = table.get(text["code"])
    if message is None:
        return text["text"]
    params = dict(text["params"])
    for key in ("card", "first", "second"):
        if key in params:
            params[key] = card_name(params[key], _)
    how = LANDINGS.get(params.get("landing", ""))
    if how is not None:
        params["landing"] = _(how)
    if isinstance(params.get("players"), list):
        params["players"] = names((str(player) for player in params["players"]), _)
    try:
        return capital(_(message, **params)) if params else _(message)
    except KeyError:  # a sentence that wants a word this phrase did not bring
        return text["text"]


def names(people: Iterable[str], _: Translate) -> str:
    """ "Anna, Bernhard and Christine"."""
    *first, last = list(people) or [""]
    return _(" and ").join((", ".join(first), last)) if first else last


def won(winners: Iterable[str], _: Translate) -> str:
    """Who won the game."""
    people = list(winners)
    return _(WINS[len(people) > 1], names=names(people, _))


def event_in_words(event: Mapping[str, Any], _: Translate) -> str:
    """A line of a record: "throw red 8, flat, on blue 3"."""
    kind = str(event.get("type", ""))
    parts = [_(EVENTS[kind], line=event.get("line", "")) if kind in EVENTS else kind]
    if event.get("card") or kind == "throw":
        parts[0] += " " + card_name(event.get("card"), _)
    how = LANDINGS.get(event.get("landing", ""))
    if how is not None:
        parts.append(_(how))
    if event.get("face") == "down":
        parts.append(_("face down"))
    if event.get("rests_on"):
        parts.append(_("on %(cards)s", cards=names((card_name(card, _) for card in event["rests_on"]), _)))
    parts += [
        f"{who}: {_(CHOICES.get(choice, choice)).lower()}" for who, choice in (event.get("choices") or {}).items()
    ]
    return ", ".join(parts)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
