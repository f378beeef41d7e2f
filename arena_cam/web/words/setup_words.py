"""The set-up's codes as sentences: what the look at the table found, what to change, what the board still lacks."""

from __future__ import annotations

from arena_cam.formats.wording import say, say_all
from arena_cam.referee.setup.interface import FindingSnapshot, LensChoice, Step
from arena_cam.vision.setup.messages import Advice, Looked, Measured
from arena_cam.web.words.language import Translate
from arena_cam.web.words.wording import N_

STEP_NAMES: dict[Step, str] = {
    "camera": N_("Camera"),
    "lens": N_("Lens"),
    "arena": N_("Arena"),
    "deck": N_("Cards"),
    "play": N_("Play now"),
}

GRADES = {"good": N_("good"), "poor": N_("could be better"), "bad": N_("not good enough")}

ORDER = tuple(each.value for each in Looked)

FINE = {
    "fiducials": N_("All of them are seen, and they lie flat."),
    "light": N_("Bright and even enough."),
    "glare": N_("No lamp is mirrored in the tray."),
    "focus": N_("The picture is sharp."),
    "flicker": N_("The light is steady."),
    "motion blur": N_("A moving card hardly smears."),
    "camera's place": N_("The camera looks down on the whole tray."),
    "scale": N_("Cards will be read at this distance."),
    "resolution": N_("It fits the table."),
}

CORNERS = {
    "top left": N_("top left"),
    "top right": N_("top right"),
    "bottom left": N_("bottom left"),
    "bottom right": N_("bottom right"),
}

# What the views of the board must show, in the order in which it can be told.
BOARD_NEEDS = (
    ("different", N_("The board held still in different places")),
    ("corners", N_("The board in every corner of the picture")),
    ("tilt_x", N_("Its left or right side tilted towards the camera, by 20° or more")),
    ("tilt_y", N_("Its upper or lower side tilted towards the camera, by 20° or more")),
    ("certainty", N_("Enough views, near and far, for sure figures")),
)
BEFORE_FIT = ("different", "corners")  # while these lack, nothing can be said of the others


def measured(finding: FindingSnapshot, _: Translate) -> str:
    """The measurement in words."""
    return say_all((Measured.of(each["code"])(**each["params"]) for each in finding["seen"]), _)


def plainly(finding: FindingSnapshot, _: Translate) -> str:
    """The advice, or that it is fine."""
    if finding["code"]:
        return say(Advice.of(finding["code"])(**finding["values"]), _)
    fine = FINE.get(finding["what"])
    return _(fine) if fine else ""


def in_order(findings: list[FindingSnapshot]) -> list[FindingSnapshot]:
    """The most important first, as they hang on one another."""
    return sorted(findings, key=lambda f: ORDER.index(f["what"]) if f["what"] in ORDER else len(ORDER))


def lens_name(lens: LensChoice, _: Translate) -> str:
    if lens["kind"] == "in_use":
        return _("The parameters in use")
    if lens["kind"] == "shipped":
        return _("Usual values for the %(camera)s", camera=lens["name"])
    return _("Calibrated here: %(name)s", name=lens["name"])


def needs(missing: list[str]) -> list[tuple[str, str]]:
    """(message, state) of everything views of the board must show; states: done, missing, later."""
    early = any(code in missing for code in BEFORE_FIT)
    out = []
    for code, message in BOARD_NEEDS:
        lacks = code in missing or (code == "certainty" and "fit" in missing)
        later = code not in BEFORE_FIT and (early or "fit" in missing or (code == "certainty" and bool(missing)))
        out.append((message, "missing" if lacks else "later" if later else "done"))
    return out
