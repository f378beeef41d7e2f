"""Possible lies of a card, and the differences of a second judgement, in the page's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from babel.numbers import get_decimal_symbol

from arena_cam.domain.lies import Hypothesis
from arena_cam.formats.wording import LANDINGS, capital, card_name, say
from arena_cam.referee.messages import Difference
from arena_cam.web.words.language import Translate, decimal, translator
from arena_cam.web.words.wording import N_

FACES = {"up": N_("face up"), "down": N_("face down")}


def hypothesis_said(name: str, _: Translate) -> str:
    """The words for a hypothesis of a saved throw, whose name is its English; walls are named by their place in the
    picture. A name from another version is shown unchanged."""
    return _(name) if name in list(Hypothesis) else name


def difference_said(difference: Mapping[str, Any], _: Translate) -> str:
    """The subject of a difference, beginning with a capital."""
    return capital(say(Difference.of(difference["code"])(card=difference["card"]), _))


def lie_said(lie: Mapping[str, Any], language: str) -> str:
    """How a card lies, as JSON has it: "Red 8: leaning, 99.8 %, tilt 32.1° ± 0.4°"."""
    _ = translator(language)
    landing = LANDINGS.get(str(lie["landing"]))
    parts = [_(landing)] if landing is not None else []
    parts.append(f"{decimal(100.0 * lie['confidence'], 1, language)} %")
    if lie["tilt_deg"] is not None:
        tilt, sd = (decimal(lie[key] or 0.0, 1, language) for key in ("tilt_deg", "tilt_sd_deg"))
        measured = _("Tilt %(tilt)s° ± %(sd)s°", tilt=tilt, sd=sd)
        parts.append(measured[0].lower() + measured[1:])
    if not lie["sure"]:
        parts.append(_("unsure"))
    return _("%(card)s: %(lie)s", card=capital(card_name(lie["id"], _)), lie=", ".join(parts))


def value_in_words(value: object, language: str) -> str:
    """A measured value of a difference: yes or no, a landing, cards, or a number as it is."""
    _ = translator(language)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, str):
        return _(LANDINGS.get(value, FACES.get(value, value)))
    if isinstance(value, list | tuple):
        between = ", " if get_decimal_symbol(language) != "," or isinstance(next(iter(value), None), str) else "; "
        each = (card_name(v, _) if isinstance(v, str) else decimal(v, None, language) for v in value)
        return between.join(each) or _("nothing")
    if isinstance(value, int | float):
        return decimal(value, None, language)
    return "–" if value is None else str(value)
