"""The set-up's codes as sentences: what the look at the table found, what to change, what the board still lacks."""

from __future__ import annotations

from arena_cam.referee.setup.interface import FindingSnapshot, LensChoice, Step
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

TITLES = {
    "fiducials": N_("Markers round the tray"),
    "light": N_("The light"),
    "glare": N_("Glare"),
    "focus": N_("Focus"),
    "flicker": N_("Flicker"),
    "motion blur": N_("Motion blur"),
    "camera's place": N_("Height and place of the camera"),
    "scale": N_("Size of a card in the picture"),
    "resolution": N_("Size of the picture"),
}
ORDER = tuple(TITLES)

# What was measured, where nothing else is said below.
MEASURED = {
    "fiducials": N_("%(found)s of %(wanted)s found, %(off)s pixels off"),
    "light": N_("white paper has %(darkest)s to %(brightest)s of 255"),
    "glare": N_("%(percent)s %% of the arena is burnt out"),
    "focus": N_("edges are %(px)s pixels wide"),
    "flicker": N_("%(percent)s %% from picture to picture"),
    "motion blur": N_("exposed for %(ms)s ms"),
    "camera's place": N_("%(mm)s mm above the floor, %(deg)s° from straight above"),
    "scale": N_("%(px_mm)s pixels per millimetre"),
    "resolution": N_("%(width)s × %(height)s pixels"),
}
MEASURED_FOR_CODE = {
    "picture_black": N_("the picture is black: hardly anything is brighter than %(level)s of 255"),
    "picture_white": N_("the picture is white: half of it or more is burnt out"),
    "lay_fiducials": N_("%(found)s found: %(listed)s"),
    "fiducials_hidden": N_("fewer than two found"),
    "fiducials_into_view": N_("nothing to measure it by"),
}

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

ADVICE = {
    "picture_black": N_("Take the cap off the lens and switch on a light; if it is lit, lengthen the exposure."),
    "picture_white": N_("Shorten the exposure, dim the lamp, or keep the sun off the lens and the table."),
    "lay_fiducials": N_("Lay three or more, each with its own number, flat round the tray, uncovered and in view."),
    "fiducials_hidden": N_("Lay them flat round the tray, uncovered and in view; at least two are needed."),
    "uncover_fiducials": N_("Uncover number %(missing)s, and keep glare off it."),
    "fiducials_moved": N_("One was moved or is bent: lay them flat and measure the arena again."),
    "fiducials_into_view": N_("Bring the markers into view first."),
    "burnt_out": N_("White is burnt out: dim the lamp, or shorten the exposure."),
    "uneven_light": N_("Light the table more evenly: lamps from two sides, or a higher one."),
    "more_light": N_("Put more light on the table."),
    "lamp_aside": N_("Move the lamp aside so that it is not mirrored in the tray, or put paper in front of it."),
    "focus_lens": N_("Turn the lens until the tray's floor is sharp, and clean it."),
    "steady_lamp": N_("Use a steady lamp, or daylight; set the camera to the mains' 50 or 60 Hz."),
    "shorter_exposure": N_("Moving cards smear: put more light on the table, so that a shorter exposure will do."),
    "arena_out_of_view": N_("Raise the camera or centre it: the tray is not wholly in the picture."),
    "camera_aside": N_("Bring the camera more above the middle of the tray: the near wall hides cards."),
    "closer": N_("Bring the camera closer, zoom in, or choose a higher resolution."),
    "other_resolution": N_("The table was measured at %(wanted)s: measure it again at this size."),
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
    """What was measured, in words."""
    message = MEASURED_FOR_CODE.get(finding["code"]) or MEASURED.get(finding["what"])
    if message is None:
        return finding["measured"]
    values = {name: str(value) for name, value in finding["values"].items()}
    try:
        return _(message, **values) if values else _(message)
    except KeyError:  # a figure that is not known
        return finding["measured"]


def plainly(finding: FindingSnapshot, _: Translate) -> str:
    """What to change, or that it is fine."""
    message = ADVICE.get(finding["code"]) if finding["code"] else FINE.get(finding["what"])
    if message is None:
        return finding["advice"]
    return _(message, **finding["values"]) if "%(" in message else _(message)


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
