"""Why a camera gives no pictures, and why a picture or a video cannot be used."""

from __future__ import annotations

from arena_cam.domain.messages import Reason


class CameraTrouble(Reason):
    """Why a source that gave pictures gives none."""

    FILE_GONE = "video_gone", "the file %(name)s cannot be read any more; bring it back, and it goes on from there"
    FOLDER_GONE = "folder_gone", "the folder %(name)s is gone; bring it back, and it goes on from there"
    NO_PICTURE = "no_picture_comes", "%(name)s: no picture for %(wait_s)s s; check the camera and its cable"
    GONE = "camera_is_gone", "%(name)s: the camera is gone (%(why)s); plug it in again, it is tried every second"
    SENDS_NOTHING = "sends_nothing", "it sends no pictures"
    NO_PHONE = "no_phone_sends", "no telephone sends pictures; open the page /camera on one"
    NEXT_PHOTO = "next_photo_awaited", "take the next photograph"
    ANOTHER_PHONE = (
        "another_phone_sends",
        "another telephone is the camera; end it there, and begin here after %(wait_s)s s",
    )
    NO_FRAME = "no_frame_came", "no frame for %(wait_s)s s; check the camera's ribbon cable"


class PictureTrouble(Reason):
    """Why a picture or a video cannot be used; what is told names its file before it."""

    EMPTY = "picture_empty", "the file is empty; copy it again or leave it out"
    TORN = "picture_torn", "the picture is torn (its end is missing); copy it again or leave it out"
    UNREADABLE = "picture_unreadable", "is no picture that can be read; copy it again or leave it out"
    NO_ACCESS = "picture_no_access", "cannot be read (%(text)s); check the name and its permissions"
    HEIF = (
        "picture_heif",
        (
            "is a HEIC or AVIF picture, which is not read here; save it as JPEG (on an iPhone: Settings, Camera, "
            "Formats, Most Compatible)"
        ),
    )
    LARGE = (
        "picture_large",
        "has %(width_px)s x %(height_px)s pixels; save it smaller, %(most)s megapixels at most",
    )
    STRIP = "picture_strip", "has %(width_px)s x %(height_px)s pixels, a strip; give the whole picture"
    NONE_IN_FOLDER = (
        "picture_none_in_folder",
        "this folder holds no pictures; give pictures, or a folder of files of a kind of %(names)s",
    )
    PIXELS = "picture_pixels", "has pixels of the kind %(text)s; save it again as an 8-bit PNG or JPEG"
    CHANNELS = "picture_channels", "has %(count)s channels a pixel; save it again as an 8-bit PNG or JPEG"
    VIDEO_UNREADABLE = "video_unreadable", "not one frame can be decoded; copy the video again"
    VIDEO_BREAKS_OFF = (
        "video_breaks_off",
        ("breaks off after frame %(frame)s of %(count)s; what came before was read, copy the video again for the rest"),
    )


class SourceRefusal(Reason):
    """Why a file or a folder cannot be watched; what is told names it first."""

    NO_FILE = "source_no_file", "there is no such file; give a video file or a folder of pictures"
    NO_FOLDER = "source_no_folder", "is no folder; give a folder of numbered pictures"
    NO_PICTURES = "source_no_pictures", "holds no pictures; give a folder with numbered files of a kind of %(names)s"
    EMPTY_VIDEO = "video_empty", "the file is empty; copy the video again"
    NO_VIDEO = "source_no_video", "is no video that can be decoded here; convert it to MP4 (H.264) or MJPEG"


class SourceTrouble(Reason):
    """Why a source of pictures cannot be opened."""

    FRAME_RATE = "frame_rate", "the frame rate is %(rate)s; give --fps a number above 0"
    NO_SOURCE = "no_source", "no such source; give a folder of pictures, a video file, usb:0, picamera2, phone or sim"
    NO_PAGES = (
        "no_pages",
        "a telephone sends its pictures to the page /camera, which only arena-cam referee serves; give another source",
    )
    SIMULATED = (
        "source_simulated",
        "the simulated table needs no set-up; give a camera, a folder of pictures or a video",
    )
    ONE_PICTURE = "one_picture", "is one picture; use arena-cam judge for it, or give a folder of pictures"
    NO_PNG_OR_JPEG = "no_png_or_jpeg", "this is no PNG or JPEG picture; save it again as one of these"
    NO_PI_CAMERA = (
        "no_pi_camera",
        "picamera2:%(number)s: no camera is found; check its ribbon cable and start the Pi again",
    )
    NO_PICAMERA2 = (
        "no_picamera2",
        "picamera2 is not installed; on Raspberry Pi OS type: sudo apt install python3-picamera2",
    )
    PI_CAMERA_TAKEN = (
        "pi_camera_taken",
        "picamera2:%(number)s: cannot be opened (%(text)s); end other programs that use it",
    )
    PI_CAMERA_OLD = (
        "pi_camera_old",
        (
            "picamera2:%(number)s: cannot be started as it is needed (%(text)s); bring Raspberry Pi OS up to "
            "date, or take another camera"
        ),
    )
    NO_USB_CAMERA = "no_usb_camera", "usb:%(number)s: no camera answers there; plug it in, or try another number"
    GIVES_NONE = "gives_none", "gives no picture; check the camera and its cable"
