"""The doubts of the eye: what it says of a card, of a picture and of itself where it is not sure."""

from __future__ import annotations

from arena_cam.domain.messages import Message, Reason, Word


class Side(Word):
    """A part of the arena as the picture shows it."""

    FAR = "far", "on the far side"
    NEAR = "near", "on the near side"
    LEFT = "left", "on the left side"
    RIGHT = "right", "on the right side"
    FAR_LEFT = "far_left", "on the far left side"
    FAR_RIGHT = "far_right", "on the far right side"
    NEAR_LEFT = "near_left", "on the near left side"
    NEAR_RIGHT = "near_right", "on the near right side"
    MIDDLE = "middle", "in the middle"


class Way(Word):
    """A direction as the picture shows it, counter-clockwise in eighths of a circle from the right."""

    RIGHT = "right", "to the right"
    UPPER_RIGHT = "upper_right", "to the upper right"
    UP = "up", "upwards"
    UPPER_LEFT = "upper_left", "to the upper left"
    LEFT = "left", "to the left"
    LOWER_LEFT = "lower_left", "to the lower left"
    DOWN = "down", "downwards"
    LOWER_RIGHT = "lower_right", "to the lower right"


class Doubt(Reason):
    """Why a card, a picture or the eye itself is not to be trusted, and what to do about it."""

    # Of a card, in its own list of doubts.
    OTHER_LANDING = "other_landing", "it may be %(landing_other)s instead of %(landing)s"
    OTHER_CARD = "other_card", "it may be %(card_other)s instead"
    FACE_HARDLY_SEEN = "face_hardly_seen", "its face can hardly be seen"
    LITTLE_OF_FACE = "little_of_face", "too little of its face can be seen clearly"
    STRANGER_ON_IT = "stranger_on_it", "something unknown lies on it"
    QR_CODE_SAYS = "qr_code_says", "its QR code says %(text)s"
    ON_OR_BESIDE = "on_or_beside", "it lies on %(card_below)s or just beside it"
    UPPER_UNSEEN = "upper_unseen", "it cannot be seen whether %(card)s or %(card_other)s is on top"
    LEANING_OR_OVER = "leaning_or_over", "it reaches %(reach_mm)s mm over the wall: leaning on it or lying over it"
    OVER_OR_BESIDE = (
        "over_or_beside",
        "it reaches %(reach_mm)s mm over the boundary from outside: over the wall or beside it",
    )
    FLAT_OR_LEANING = "flat_or_leaning", "it is tilted by %(tilt_deg)s degrees: between flat and leaning"
    TILTED_WITHOUT_WALL = "tilted_without_wall", "it is tilted by %(tilt_deg)s degrees, and no wall is near"
    FITS_NEARLY_AS_WELL = "fits_nearly_as_well", "another card fits nearly as well"
    MOSTLY_HIDDEN = "mostly_hidden", "too much of it is hidden"
    UNLIKE_THE_DECK = "unlike_the_deck", "part of it does not look as the deck has it"
    FAINT_PRINT = "faint_print", "its print is faint or blurred"
    INDEX_ALONE = "index_alone", "its corner index alone says so, and not plainly"

    # Of the picture as a whole, because of a card or something beside the cards.
    HARDLY_SEEN = "hardly_seen", "%(card)s can hardly be seen: say whether it lies there"
    ARGUABLE = "arguable", "people would argue how %(card)s lies: look at it and say"
    STRANGER_ON_CARD = "stranger_on_card", "something unknown lies on %(card)s: take it away or say what it is"
    STRANGER = "stranger", "something unknown lies %(side)s (%(area_cm2)s cm2): uncover it or take it away"
    UPPER_UNKNOWN = "upper_unknown", "%(card)s and %(card_other)s overlap, but which lies on top cannot be told"
    OTHER_DECK = "other_deck", "the cards do not look like those of deck %(deck)s: was another deck meant?"
    SEEN_TWICE = "seen_twice", "%(card)s is seen twice"
    CIRCLE = "circle", "the cards seem to cover each other in a circle"

    # Of the eye while it watches.
    PLACE_COVERED = "place_covered", "something covers the place of %(card)s"
    SOMETHING_MOVES = "something_moves", "something moves"
    FIRST_LOOK = "first_look", "looking for the first time"
    SETTING_UP = "setting_up", "the table is being set up"

    # Of a picture that cannot be read; each is followed by one of the remedies below.
    PICTURE_BLACK = "picture_black", "the picture is black"
    PICTURE_WHITE = "picture_white", "the picture is white"
    PICTURE_GREY = "picture_grey", "the picture shows nothing but one shade of grey"
    PICTURE_FROZEN = "picture_frozen", "the picture is frozen: the camera repeats the same one"
    LIGHT_OUT = "light_out", "the light went out, or is much less than before"
    OTHER_SIZE = "other_size", "the picture is %(size)s but the table was calibrated at %(size_wanted)s"
    FEW_FIDUCIALS = "few_fiducials", "fewer than two fiducials of the table are in view"
    FIDUCIALS_DISAGREE = (
        "fiducials_disagree",
        "the fiducials in view do not lie as the table's description says",
    )
    TRAY_PUSHED = "tray_pushed", "the tray was pushed %(distance_mm)s mm %(way)s"
    TRAY_TURNED = "tray_turned", "the tray was turned by %(turn_deg)s degrees"
    MIRRORED = "mirrored", "the picture is mirrored"
    OTHER_FIDUCIALS = "other_fiducials", "the fiducials in view are those of another set"
    PICTURE_TURNED = "picture_turned", "the picture is turned by %(turn_deg)s degrees"
    OTHER_SCENE = "other_scene", "the picture does not show this table"
    OUT_OF_FOCUS = "out_of_focus", "the picture is out of focus"
    SMALL_PHOTOGRAPH = "small_photograph", "the photograph has only %(size)s pixels"

    # What to do about it.
    LET_LIGHT_IN = "let_light_in", "take the cap off the lens and switch the light on"
    LESS_LIGHT = "less_light", "shade the camera or lower its exposure"
    UNCOVER_LENS = "uncover_lens", "something covers the lens, or it is out of focus"
    PLUG_IN_AGAIN = "plug_in_again", "unplug it and plug it in again"
    LIGHT_ON_AGAIN = "light_on_again", "switch it on again"
    RIGHT_SIZE = "right_size", "set the camera to %(size)s, or calibrate again at the size you use"
    UNCOVER_FIDUCIALS = (
        "uncover_fiducials",
        "uncover the markers round the arena, point the camera at all of it, and give it light",
    )
    RIGHT_TABLE = (
        "right_table",
        "give the description of this table, or calibrate it again if they were moved",
    )
    PUSH_BACK = "push_back", "push it back to its place, or set the table up anew"
    MIRRORING_OFF = "mirroring_off", "switch mirroring off in the camera's settings"
    TURN_BACK = "turn_back", "turn the camera back, or set the table up anew"
    POINT_AT_TABLE = "point_at_table", "point the camera at the table again, or set the table up anew"
    FOCUS = "focus", "focus the lens, and wipe it"
    LARGER_PHOTOGRAPH = (
        "larger_photograph",
        "take one of at least %(least_px)s pixels on the shorter side",
    )

    # What would settle a question about a card.
    LIFT_COVER = "lift_cover", "lift what covers it, or say which card it is"
    LOOK_ALONG_WALL = "look_along_wall", "look along the wall, and say how it lies"
    LOOK_WHICH_ABOVE = "look_which_above", "look from close by, and say which lies on top"
    CLEAR_IT = "clear_it", "clear the hand, or take away what lies there"


_SETTLED_BY = {
    Doubt.OTHER_CARD: Doubt.LIFT_COVER,
    Doubt.FACE_HARDLY_SEEN: Doubt.LIFT_COVER,
    Doubt.LITTLE_OF_FACE: Doubt.LIFT_COVER,
    Doubt.MOSTLY_HIDDEN: Doubt.LIFT_COVER,
    Doubt.FITS_NEARLY_AS_WELL: Doubt.LIFT_COVER,
    Doubt.OTHER_LANDING: Doubt.LOOK_ALONG_WALL,
    Doubt.LEANING_OR_OVER: Doubt.LOOK_ALONG_WALL,
    Doubt.OVER_OR_BESIDE: Doubt.LOOK_ALONG_WALL,
    Doubt.FLAT_OR_LEANING: Doubt.LOOK_ALONG_WALL,
    Doubt.ON_OR_BESIDE: Doubt.LOOK_WHICH_ABOVE,
    Doubt.UPPER_UNSEEN: Doubt.LOOK_WHICH_ABOVE,
    Doubt.STRANGER_ON_IT: Doubt.CLEAR_IT,
    Doubt.STRANGER: Doubt.CLEAR_IT,
}
_MOST_CHANCES, _LEAST_CHANCE = 3, 0.005


def settled_by(doubt: Message) -> Message | None:
    """What a person can do to settle a doubt; None where the doubt says so itself."""
    remedy = _SETTLED_BY.get(doubt.sentence) if isinstance(doubt.sentence, Doubt) else None
    return None if remedy is None else remedy()


def chances(doubt: Message) -> tuple[tuple[str, float], ...]:
    """What it may be instead of one thing: two or three names or landings with their probabilities, likeliest first;
    empty where a doubt is of another kind."""
    candidates = doubt.param("candidates")
    if not isinstance(candidates, tuple):
        return ()
    pairs = [(str(each[0]), float(str(each[1]))) for each in candidates if isinstance(each, tuple) and len(each) == 2]
    likely = sorted((pair for pair in pairs if pair[1] >= _LEAST_CHANCE), key=lambda pair: -pair[1])
    return tuple(likely[:_MOST_CHANCES])
