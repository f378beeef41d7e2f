"""What `arena-cam calibrate` says at the terminal."""

from __future__ import annotations

from arena_cam.domain.messages import Sentence


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
