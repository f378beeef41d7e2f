"""Messages while a table is measured: refusals, findings, and what to change."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence


class Looked(Sentence):
    """What is looked at before a game."""

    FIDUCIALS = "fiducials", "Markers round the tray"
    LIGHT = "light", "The light"
    GLARE = "glare", "Glare"
    FOCUS = "focus", "Focus"
    FLICKER = "flicker", "Flicker"
    MOTION_BLUR = "motion blur", "Motion blur"
    CAMERA = "camera's place", "Height and place of the camera"
    SCALE = "scale", "Size of a card in the picture"
    RESOLUTION = "resolution", "Size of the picture"
    EMPTY = "empty arena", "Picture of the empty arena"


class WatchRefusal(Reason):
    """Why frames in time cannot be watched."""

    NO_TABLE_IN_TIME = (
        "no_table_in_time",
        "frames in time need a calibrated table; give one, or judge pictures one by one",
    )


class SurveyRefusal(Reason):
    """Why a table cannot be measured in a picture."""

    VIEWS_LACK = "views_lack", "these views do not determine the camera; add %(why)s"
    TOO_FEW_FIDUCIALS = (
        "too_few_fiducials",
        (
            "fiducials seen: %(seen)s; lay %(least)s or more, each with its own number, flat round the arena, "
            "uncovered, and check that they are of %(dictionary)s"
        ),
    )
    NOT_IN_ONE_PLANE = (
        "not_in_one_plane",
        "the fiducials do not lie flat in one plane (%(error_px)s px off); press them flat, all on the table",
    )
    NO_PLANE = "no_plane", "no plane explains the fiducials; lay them flat and look at them more from above"
    TRAY_UNSEEN = (
        "tray_unseen",
        (
            "the tray cannot be told from what is round it; check its inner size (%(size_mm)s mm) and its wall, "
            "empty it, and put more light on it"
        ),
    )
    SIDES_UNSEEN = (
        "sides_unseen",
        (
            "the tray's sides cannot be told from what is round it; put more light on it, check its wall's height"
            " and thickness, or type its inner size in"
        ),
    )
    NO_CARD_SEEN = (
        "no_card_seen",
        (
            "no card of %(size_mm)s mm is seen; lay it flat in the middle of the tray, alone, on a floor of "
            "another colour, and check its size"
        ),
    )


class ViewsLack(Sentence):
    """What views of a board lack to determine the camera."""

    DIFFERENT = "different", "views until %(least)s or more show the board in different places (%(count)s do)"
    CORNERS = "corners", "views with the board in the %(corners)s of the picture"
    TILT_X = "tilt_x", "views with the board's left or right side tilted towards the camera, by 20° or more"
    TILT_Y = "tilt_y", "views with the board's upper or lower side tilted towards the camera, by 20° or more"
    CERTAINTY = (
        "certainty",
        (
            "more, sharper and more varied views: nearer, farther, tilted every way (the focal length is known to "
            "%(percent)s %% only, the principal point to %(centre_px)s px)"
        ),
    )
    FIT = "fit", "sharper and more varied views (no camera explains these %(count)s)"


class Measured(Sentence):
    """The findings of a check of the table."""

    FIDUCIALS = "fiducials", "%(found)s of %(wanted)s found, %(off)s pixels off"
    LIGHT = "light", "white paper has %(darkest)s to %(brightest)s of 255"
    GLARE = "glare", "%(percent)s %% of the arena is burnt out"
    FOCUS = "focus", "edges are %(px)s pixels wide"
    FLICKER = "flicker", "%(percent)s %% from picture to picture"
    MOTION_BLUR = "motion_blur", "exposed for %(ms)s ms"
    CAMERA_PLACE = "camera_place", "%(mm)s mm above the floor, %(deg)s° from straight above"
    SCALE = "scale", "%(px_mm)s pixels per millimetre"
    RESOLUTION = "resolution", "%(width)s × %(height)s pixels"
    PICTURE_BLACK = "picture_black", "the picture is black: hardly anything is brighter than %(level)s of 255"
    PICTURE_WHITE = "picture_white", "the picture is white: half of it or more is burnt out"
    FIDUCIALS_LISTED = "fiducials_listed", "%(found)s found: %(listed)s"
    FIDUCIALS_HIDDEN = "fiducials_hidden", "fewer than two found"
    NOTHING_TO_MEASURE_BY = "nothing_to_measure_by", "nothing to measure it by"
    MARKER_SQUARE = "marker_square", "a marker's square is %(module_px)s pixels"
    QR_READABLE = "qr_readable", "QR codes (%(module_px)s pixels) will be read"


class Advice(Sentence):
    """What to change at a table."""

    PICTURE_BLACK = (
        "picture_black",
        "Take the cap off the lens and switch on a light; if it is lit, lengthen the exposure.",
    )
    PICTURE_WHITE = "picture_white", "Shorten the exposure, dim the lamp, or keep the sun off the lens and the table."
    LAY_FIDUCIALS = (
        "lay_fiducials",
        "Lay three or more, each with its own number, flat round the tray, uncovered and in view.",
    )
    FIDUCIALS_HIDDEN = (
        "fiducials_hidden",
        "Lay them flat round the tray, uncovered and in view; at least two are needed.",
    )
    UNCOVER_FIDUCIALS = "uncover_fiducials", "Uncover number %(missing)s, and keep glare off it."
    FIDUCIALS_MOVED = "fiducials_moved", "One was moved or is bent: lay them flat and measure the arena again."
    FIDUCIALS_INTO_VIEW = "fiducials_into_view", "Bring the markers into view first."
    BURNT_OUT = "burnt_out", "White is burnt out: dim the lamp, or shorten the exposure."
    UNEVEN_LIGHT = "uneven_light", "Light the table more evenly: lamps from two sides, or a higher one."
    MORE_LIGHT = "more_light", "Put more light on the table."
    LAMP_ASIDE = (
        "lamp_aside",
        "Move the lamp aside so that it is not mirrored in the tray, or put paper in front of it.",
    )
    FOCUS_LENS = "focus_lens", "Turn the lens until the tray's floor is sharp, and clean it."
    STEADY_LAMP = "steady_lamp", "Use a steady lamp, or daylight; set the camera to the mains' 50 or 60 Hz."
    SHORTER_EXPOSURE = (
        "shorter_exposure",
        "Moving cards smear: put more light on the table, so that a shorter exposure will do.",
    )
    ARENA_OUT_OF_VIEW = "arena_out_of_view", "Raise the camera or centre it: the tray is not wholly in the picture."
    CAMERA_ASIDE = "camera_aside", "Bring the camera more above the middle of the tray: the near wall hides cards."
    CLOSER = "closer", "Bring the camera closer, zoom in, or choose a higher resolution."
    OTHER_RESOLUTION = "other_resolution", "The table was measured at %(wanted)s: measure it again at this size."
