"""What `arena-cam calibrate` says at the terminal."""

from __future__ import annotations

from arena_cam.domain.messages import Reason, Sentence


class Calibrating(Sentence):
    """While views of a board are taken, and what they gave."""

    NOT_SHOWN = "not_shown", "%(file)s: shows no such board; it is left out"
    NO_BOARD_JSON = (
        "no_board_json",
        (
            "%(folder)s: holds no board.json; taken for the board that `arena-cam deck print` prints, squares of "
            "%(square_mm)s mm"
        ),
    )
    NOWHERE_SHOWN = (
        "nowhere_shown",
        "%(folder)s: no picture shows the board; check board.json, and that the whole board is lit and sharp",
    )
    OTHER_SIZE = (
        "other_size",
        "%(file)s: is %(width)s x %(height)s pixels, the others %(usual_width)s x %(usual_height)s; left out",
    )
    DISAGREES = (
        "disagrees",
        "%(file)s: does not agree with the other views (blurred, or the board bent); it is left out",
    )
    HOLD_STILL = (
        "hold_still",
        "hold the board still in one place after another; near and far, tilted each way, in every corner",
    )
    VIEWS = "views", "%(count)s views; still missing: %(why)s"
    ENDED = "ended", "%(source)s ended before the camera was determined; still missing: %(why)s"
    REPROJECTION = "reprojection", "reprojection error"
    REPROJECTION_PX = "reprojection_px", "%(px)s px over %(count)s views"
    FOCAL_LENGTH = "focal_length", "focal length"
    PRINCIPAL_POINT = "principal_point", "principal point"
    DISTORTION = "distortion", "distortion"
    FIDUCIALS = "fiducials", "fiducials"
    FIDUCIALS_OFF = "fiducials_off", "%(px)s px off"
    FIDUCIAL_AT = "fiducial_at", "%(number)s: at %(x_mm)s, %(y_mm)s mm"
    FIDUCIAL_TURNED = (
        "fiducial_turned",
        "fiducial %(number)s is turned by %(deg)s deg; lay it straight and calibrate again",
    )
    WRITTEN = "written", "written to %(file)s"


class SurveyOption(Reason):
    """Why a table cannot be measured as it was typed."""

    OTHER_RESOLUTION = (
        "survey_other_resolution",
        (
            "%(file)s is %(width_px)s x %(height_px)s pixels, the camera was calibrated at "
            "%(calibrated_width_px)s x %(calibrated_height_px)s; use the same resolution for both"
        ),
    )
    TWO_LENGTHS = "two_lengths", "%(option)s is %(text)s; give two lengths in millimetres, like 280x280"
    FIDUCIALS = (
        "survey_fiducials",
        "--fiducials is %(text)s; give a dictionary and the black square's size, like DICT_5X5_50:28",
    )


class WithoutEmpty(Sentence):
    """What is said where a table names a picture of the empty arena that is not there."""

    NOT_THERE = "not_there", "its picture %(file)s is not there"
    GOING_ON = (
        "going_on",
        "the picture of the empty arena that %(file)s names is not there; going on without it; %(why)s",
    )
    REMEDY = (
        "remedy",
        'put it back beside table.json, calibrate the arena anew, or take "empty" out of table.json',
    )
