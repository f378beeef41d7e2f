"""What is refused while a table is measured."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class SurveyRefusal(Reason):
    """Why a table cannot be measured in a picture."""

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
