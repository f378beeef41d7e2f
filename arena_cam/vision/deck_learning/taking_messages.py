"""Why a card that lies in the arena was not taken, and what to do."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class NotTaken(Reason):
    """Why no picture of a card could be taken."""

    OTHER_SIZE = (
        "not_taken_other_size",
        (
            "the picture is %(width)s x %(height)s, the table was measured at %(table_width)s x %(table_height)s; "
            "set that size"
        ),
    )
    FIDUCIALS = (
        "not_taken_fiducials",
        "fewer than two fiducials are in view; uncover the markers round the arena",
    )
    MORE_THAN_ONE = (
        "not_taken_more_than_one",
        "more than one thing lies in the arena; leave one card there and take all else away",
    )
    SMALL = "not_taken_small", "cards are small in the picture (%(px_mm)s px/mm); bring the camera closer"
    BLURRED = (
        "not_taken_blurred",
        "the card is blurred (its edge is %(px)s px wide); focus the lens on the arena's floor, and let go of the card",
    )
    NO_WHITE = (
        "not_taken_no_white",
        "no fiducial's white can be measured; uncover the markers, and give them light",
    )
    BURNT_OUT = (
        "not_taken_burnt_out",
        "white paper is burnt out in the picture; shorten the camera's exposure, or dim the lamp",
    )
    GLARE = (
        "not_taken_glare",
        (
            "a lamp mirrors in the card (%(percent)s %% of it is burnt out); lay it elsewhere in the arena, or move "
            "the lamp aside"
        ),
    )
    NO_EDGE = (
        "not_taken_no_edge",
        (
            "its edge is not to be seen all round; lay one card flat on the floor, wholly inside, and take the hand "
            "away; if it is as dark or as pale as the floor, lay a sheet of another colour into the arena first"
        ),
    )
    NOT_FLAT = (
        "not_taken_not_flat",
        "it does not lie flat, or has another size than the others; press it flat on the floor",
    )
    NO_CARDS_SIZE = (
        "not_taken_no_cards_size",
        "it measures %(width_mm)s x %(height_mm)s mm, which is no card's size; lay a single card",
    )


class NotFound(Reason):
    """Why a photograph or a scan of one card cannot be used."""

    NO_CARD = (
        "not_found_no_card",
        "no whole card is to be seen; lay one card flat on a plain background of another colour",
    )
    NO_EDGE = (
        "not_found_no_edge",
        "the card's edge cannot be told from what it lies on; lay it on something plain of another colour",
    )
    NO_EDGE_PALE = (
        "not_found_no_edge_pale",
        "the card's edge cannot be told from what it lies on; lay it on something darker, or of another colour",
    )
    NO_SCAN = (
        "not_found_no_scan",
        (
            "a scan of a card of %(width_mm)s x %(height_mm)s mm cannot be %(width_px)s x %(height_px)s pixels; cut it "
            "to the card's edges, or give the card's size with --card-size"
        ),
    )
    SMALL = (
        "not_found_small",
        "the card is small in the picture (%(px_mm)s px/mm); come nearer: let it fill the picture",
    )
    BLURRED = (
        "not_found_blurred",
        (
            "the card is blurred (its edge is %(edge_mm)s mm wide); hold the camera still, let it focus on the card, "
            "and give more light"
        ),
    )
    NOT_FLAT = (
        "not_found_not_flat",
        (
            "what was found is not shaped as the camera of the other photographs sees a flat card; press it flat and "
            "take it again, with the same camera and zoom, on plain cloth of another colour"
        ),
    )
