"""What the eye says of itself and of a card in doubt (vision), in the page's language; and its hypotheses."""

from __future__ import annotations

from arena_cam.web.words.language import Translate
from arena_cam.web.words.sentences import Sentences
from arena_cam.web.words.wording import LANDINGS, N_, card_name

SIDES = {
    "on the far side": N_("on the far side"),
    "on the near side": N_("on the near side"),
    "on the left side": N_("on the left side"),
    "on the right side": N_("on the right side"),
    "on the far left side": N_("on the far left side"),
    "on the far right side": N_("on the far right side"),
    "on the near left side": N_("on the near left side"),
    "on the near right side": N_("on the near right side"),
    "in the middle": N_("in the middle"),
}
# Which way the tray was pushed, as the picture shows it.
WAYS = {
    "to the right": N_("to the right"),
    "to the upper right": N_("to the upper right"),
    "upwards": N_("upwards"),
    "to the upper left": N_("to the upper left"),
    "to the left": N_("to the left"),
    "to the lower left": N_("to the lower left"),
    "downwards": N_("downwards"),
    "to the lower right": N_("to the lower right"),
}
WALLS = {"north": N_("north"), "south": N_("south"), "east": N_("east"), "west": N_("west")}

# Of a card.
_CARD = (
    N_("it may be %(landing)s instead of %(landing_2)s"),
    N_("it may be %(card)s instead"),
    N_("its face can hardly be seen"),
    N_("too little of its face can be seen clearly"),
    N_("its QR code says %(text)s"),
    N_("it lies on %(card)s or just beside it"),
    N_("it cannot be seen whether %(card)s or %(card_2)s is on top"),
    N_("%(card)s can hardly be seen: say whether it lies there"),
    N_("people would argue how %(card)s lies: look at it and say"),
    N_("it reaches %(number)s mm over the wall: leaning on it or lying over it"),
    N_("it reaches %(number)s mm over the boundary from outside: over the wall or beside it"),
    N_("it is tilted by %(number)s degrees: between flat and leaning"),
    N_("it is tilted by %(number)s degrees, and no wall is near"),
    N_("another card fits nearly as well"),
    N_("too much of it is hidden"),
    N_("part of it does not look as the deck has it"),
    N_("its print is faint or blurred"),
    N_("%(card)s and %(card_2)s overlap, but which lies on top cannot be told"),
    N_("%(card)s is seen twice"),
    N_("the cards seem to cover each other in a circle"),
    N_("something unknown lies %(side)s (%(number)s cm2): uncover it or take it away"),
    N_("something covers the place of %(card)s"),
    N_("something unknown lies on %(card)s: take it away or say what it is"),
    N_("something unknown lies on it"),
)
# Of the whole picture, and of what the eye is doing.
_PICTURE = (
    N_("something moves"),
    N_("looking for the first time"),
    N_("fewer than two fiducials of the table are in view"),
    N_("the fiducials in view do not lie as the table's description says"),
    N_("give the description of this table, or calibrate it again if they were moved"),
    N_("uncover the markers round the arena, point the camera at all of it, and give it light"),
    N_("the picture is %(size)s but the table was calibrated at %(size_2)s"),
    N_("set the camera to %(size)s, or calibrate again at the size you use"),
    N_("the table is being set up"),
    N_("the tray was pushed %(number)s mm %(way)s"),
    N_("the tray was turned by %(number)s degrees"),
    N_("push it back to its place, or set the table up anew"),
    N_("the picture is black"),
    N_("take the cap off the lens and switch the light on"),
    N_("the picture is white"),
    N_("shade the camera or lower its exposure"),
    N_("the picture is frozen: the camera repeats the same one; unplug it and plug it in again"),
    N_("the picture is black; take the cap off the lens or switch on a light"),
    N_("the picture is white; there is too much light, or the exposure is too long"),
    N_("the light went out, or is much less than before; switch it on again"),
    N_("the picture shows nothing but one shade of grey; something covers the lens, or it is out of focus"),
    N_("the photograph has only %(size)s pixels"),
    N_("take one of at least %(number)s pixels on the shorter side"),
)


def _landing(word: str, _: Translate) -> str:
    return _(LANDINGS.get(word, word))


DOUBTS = Sentences(
    (*_CARD, *_PICTURE),
    {
        "card": card_name,
        "landing": _landing,
        "side": lambda word, _: _(SIDES.get(word, word)),
        "way": lambda word, _: _(WAYS.get(word, word)),
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
