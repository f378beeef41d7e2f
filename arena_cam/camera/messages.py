"""Why a camera gives no pictures."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class CameraTrouble(Reason):
    """Why a source that gave pictures gives none."""

    NO_PICTURE = "no_picture_comes", "%(name)s: no picture for %(wait_s)s s; check the camera and its cable"
    GONE = "camera_is_gone", "%(name)s: the camera is gone (%(why)s); plug it in again, it is tried every second"
    SENDS_NOTHING = "sends_nothing", "it sends no pictures"
    NO_PHONE = "no_phone_sends", "no telephone sends pictures; open the page /camera on one"
    ANOTHER_PHONE = (
        "another_phone_sends",
        "another telephone is the camera; end it there, and begin here after %(wait_s)s s",
    )
    NO_FRAME = "no_frame_came", "no frame for %(wait_s)s s; check the camera's ribbon cable"
