"""What the eye says of itself and of a card in doubt (vision), in the page's language; and its hypotheses."""

from __future__ import annotations

from arena_cam.domain.doubts import Doubt
from arena_cam.web.words.language import Translate
from arena_cam.web.words.sentences import Sentences
from arena_cam.web.words.wording import LANDINGS, N_, card_name

WALLS = {"north": N_("north"), "south": N_("south"), "east": N_("east"), "west": N_("west")}


def _landing(word: str, _: Translate) -> str:
    return _(LANDINGS.get(word, word))


DOUBTS = Sentences(
    [doubt.english for doubt in Doubt if doubt is not Doubt.AS_RECORDED],
    {
        "card": card_name,
        "landing": _landing,
        "side": lambda word, _: _(word),
        "way": lambda word, _: _(word),
    },
)

# How a card might lie; `wall` is where the wall stands in the picture.
HYPOTHESES = Sentences(
    (
        N_("flat"),
        N_("on the table"),
        N_("leans on the %(wall)s wall"),
        N_("across the wall"),
        N_("free"),
    ),
    {"wall": lambda word, _: _(WALLS.get(word, word))},
)

# What judging again finds different, of a card.
DIFFERENCES = Sentences(
    (
        N_("%(card)s is there"),
        N_("%(card)s: landing"),
        N_("%(card)s: face"),
        N_("%(card)s: sure"),
        N_("%(card)s: rests on"),
        N_("%(card)s: tilt in degrees"),
        N_("%(card)s: confidence"),
        N_("%(card)s: centre in mm"),
    ),
    {"card": card_name},
)
FACES = {"up": N_("face up"), "down": N_("face down")}


def value_in_words(value: object, _: Translate) -> str:
    """A measured value of a difference: yes or no, a landing, cards, or a number as it is."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, str):
        return _(LANDINGS.get(value, FACES.get(value, value)))
    if isinstance(value, list | tuple):
        return ", ".join(card_name(v, _) if isinstance(v, str) else f"{v:g}" for v in value) or _("nothing")
    return "–" if value is None else f"{value:g}" if isinstance(value, int | float) else str(value)
