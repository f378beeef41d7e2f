"""The Raspberry Pi's own camera as a live frame source. The only file that imports picamera2.

Two streams of one moment: `main` for judging and a small `lores` for noticing motion. Exposure, gain, white balance and
focus are left alone while they settle and are then locked, for a card's picture is compared with its print; that the
lock holds is checked on every frame's metadata, because some releases of libcamera ignore `AeEnable=False` silently.
`Frame.metadata["locked"]` says whether it holds and `"lock_problem"` what does not: do not referee unlocked frames.

Source: the Picamera2 manual, sections on configurations, controls and requests, and the package's own code.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena_cam.camera.frame import Image
from arena_cam.camera.live import Grab, LiveSource
from arena_cam.camera.messages import CameraTrouble, SourceTrouble
from arena_cam.domain.errors import CameraLost, CannotDo

Size = tuple[int, int]

# model -> (sensor mode, its bits, main size): the widest view of each sensor that is binned rather than cropped and
# reaches 30 frames/s, and a main stream of the same shape with at least 2 px/mm over a 400 mm table from 600 mm.
SENSOR_MODES: dict[str, tuple[Size, int, Size]] = {
    "imx219": ((1640, 1232), 10, (1536, 1152)),  # Camera Module 2
    "imx708": ((2304, 1296), 10, (1536, 864)),  # Camera Module 3, also wide and NoIR
    "imx477": ((2028, 1080), 12, (1536, 816)),  # HQ camera
    "imx296": ((1456, 1088), 10, (1456, 1088)),  # Global Shutter camera
}
DEFAULT_MAIN: Size = (1536, 864)
LORES_WIDTH = 384  # enough to see a card's corner move; a quiet frame then costs next to nothing

SETTLE_FRAMES = 60  # two seconds at 30 frames/s: automatic exposure and white balance have converged
CONTROL_DELAY_FRAMES = 12  # a control reaches the sensor some frames after it was asked for
FRAME_TIMEOUT_S = 2.0
# The sensor rounds exposure to whole rows and gain to its own steps: 2 % is rounding, more is a control at work.
LOCK_TOLERANCE = 0.02


class RaspberryPiDevice:
    """One opened Pi camera, settled and locked. Raises CannotDo when made if there is no camera or no picamera2."""

    def __init__(self, number: int, fps: float, size_px: Size | None) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError:
            raise CannotDo(SourceTrouble.NO_PICAMERA2()) from None
        if number >= len(Picamera2.global_camera_info()):
            raise CannotDo(SourceTrouble.NO_PI_CAMERA(number=number))
        try:
            self._camera: Any = Picamera2(number)
        except RuntimeError as error:
            raise CannotDo(SourceTrouble.PI_CAMERA_TAKEN(number=number, text=str(error))) from None
        self._wanted: dict[str, Any] = {}
        try:
            self._configure(fps, size_px)
            self._camera.start()
            self._lock()
        except (RuntimeError, ValueError) as error:  # what the package raises where a camera does not know a mode
            self.close()
            raise CannotDo(SourceTrouble.PI_CAMERA_OLD(number=number, text=str(error))) from None
        except BaseException:
            self.close()
            raise

    def _configure(self, fps: float, size_px: Size | None) -> None:
        camera = self._camera
        model = str(camera.camera_properties.get("Model", "")).split("_")[0]
        sensor_px, bits, main_px = SENSOR_MODES.get(model, (None, 10, DEFAULT_MAIN))
        main_px = size_px or main_px
        # Even sizes: YUV420 halves its chroma both ways.
        lores_px = (LORES_WIDTH, 2 * round(LORES_WIDTH * main_px[1] / main_px[0] / 2))
        configuration = camera.create_video_configuration(
            main={"size": main_px, "format": "RGB888"},  # named by significance: in memory it is blue, green, red
            lores={"size": lores_px, "format": "YUV420"},
            controls={"FrameRate": fps},
            sensor={"output_size": sensor_px, "bit_depth": bits} if sensor_px else {},
            queue=False,  # a frame from before the request is an old one
        )
        camera.configure(configuration)
        self._lores_px: Size = camera.camera_configuration()["lores"]["size"]

    def _lock(self) -> None:
        """Lets the automatic controls settle and then fixes them where they stand."""
        available = self._camera.camera_controls
        if "AfMode" in available:
            from libcamera import controls

            self._camera.set_controls({"AfMode": controls.AfModeEnum.Continuous})
        metadata: dict[str, Any] = {}
        for _ in range(SETTLE_FRAMES):
            metadata = self._next()[1]
        keep = [name for name in ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition") if name in metadata]
        self._wanted = {name: metadata[name] for name in keep if name in available}
        fixed: dict[str, Any] = {"AeEnable": False, "AwbEnable": False, **self._wanted}
        if "AfMode" in available:
            fixed["AfMode"] = controls.AfModeEnum.Manual
        self._camera.set_controls({name: value for name, value in fixed.items() if name in available})
        for _ in range(CONTROL_DELAY_FRAMES):
            self._next()

    def _next(self) -> tuple[Image, dict[str, Any], Image]:
        """main (h, w, 3) blue-green-red, metadata, lores luma (h, w) of the next request."""
        try:
            request = self._camera.capture_request(wait=FRAME_TIMEOUT_S)
        except TimeoutError:
            # Without this the pending job would keep close() waiting for ever.
            self._camera.cancel_all_and_flush()
            raise CameraLost(CameraTrouble.NO_FRAME(wait_s=round(FRAME_TIMEOUT_S))) from None
        try:
            main = request.make_array("main")
            planes = request.make_array("lores")
            metadata = request.get_metadata()
        finally:
            request.release()
        width, height = self._lores_px
        # The planes' rows are padded to the stride and the chroma lies beneath: the luma is the top left.
        luma = np.ascontiguousarray(planes[:height, :width])
        return main, metadata, luma

    def grab(self) -> Grab:
        main, metadata, luma = self._next()
        problem = lock_problem(self._wanted, metadata)
        told = {**metadata, "locked": not problem, "lock_problem": problem}
        return Grab(main, metadata["SensorTimestamp"] / 1e9, luma, told)

    def close(self) -> None:
        self._camera.stop()
        self._camera.close()


def lock_problem(wanted: dict[str, Any], metadata: dict[str, Any]) -> str:
    """What a frame's metadata say against the locked controls, as a sentence; "" if the lock holds."""
    if "ExposureTime" not in wanted:
        return "the camera does not let its exposure be fixed"
    for name, value in wanted.items():
        asked = np.atleast_1d(np.asarray(value, float))
        got = np.atleast_1d(np.asarray(metadata.get(name, np.nan), float))
        if got.shape != asked.shape or not bool(np.all(np.abs(got - asked) <= LOCK_TOLERANCE * np.abs(asked) + 1e-3)):
            return f"{name} was fixed at {value} but the frame has {metadata.get(name)}"
    return ""


def open_raspberry_pi(number: int = 0, fps: float = 15.0, size_px: Size | None = None) -> LiveSource:
    """The live source of the Pi's camera `number`. Raises CannotDo if it cannot be opened."""
    name = "picamera2" if number == 0 else f"picamera2:{number}"
    return LiveSource(name, lambda: RaspberryPiDevice(number, fps, size_px), fps, patience_s=2 * FRAME_TIMEOUT_S)
