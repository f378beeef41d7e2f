"""The Pi's camera, through a stand-in that has the real package's calls, shapes and paddings, and is as strict."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from arena_cam.camera.open_source import open_source
from arena_cam.camera.raspberry_pi import RaspberryPiDevice, lock_problem
from arena_cam.commands.main import main
from arena_cam.domain.errors import CameraLost, CannotDo

CONTROLS = {
    "AeEnable": (False, True, None),
    "AwbEnable": (False, True, None),
    "ExposureTime": (1, 66666, None),
    "AnalogueGain": (1.0, 16.0, None),
    "ColourGains": (0.0, 32.0, None),
    "AfMode": (0, 2, 0),
    "LensPosition": (0.0, 32.0, 1.0),
    "FrameDurationLimits": (33333, 120000, None),
}


class FakeRequest:
    """CompletedRequest of picamera2/request.py: make_array copies, lores rows keep their padding, release once."""

    def __init__(self, camera: FakePicamera2) -> None:
        self._camera = camera
        self.released = 0

    def make_array(self, name: str) -> np.ndarray:
        assert self.released == 0
        config = self._camera.config[name]
        width, height = config["size"]
        if name == "main":
            picture = np.zeros((height, width, 3), np.uint8)
            picture[:] = (200, 100, 50)  # blue, green, red
            return picture
        planes = np.zeros((height * 3 // 2, config["stride"]), np.uint8)
        planes[:height, :width] = 77
        planes[:height, width:] = 255  # padding
        planes[height:] = 128
        return planes

    def get_metadata(self) -> dict[str, Any]:
        return self._camera.metadata()

    def release(self) -> None:
        self.released += 1
        assert self.released == 1


class FakePicamera2:
    """Picamera2 of picamera2/picamera2.py as far as it is used; unknown controls and keys are refused as there."""

    cameras: ClassVar[list[dict[str, Any]]] = [{"Model": "imx708", "Num": 0}]
    ignores_lock = False
    dead_after: int | None = None
    made: ClassVar[list[FakePicamera2]] = []

    def __init__(self, camera_num: int = 0) -> None:
        assert camera_num < len(self.cameras)
        self.camera_properties = {"Model": "imx708_wide"}
        self.camera_controls = dict(CONTROLS)
        self.config: dict[str, Any] = {}
        self.set: dict[str, Any] = {}
        self.requests: list[FakeRequest] = []
        self.flushed = self.stopped = self.closed = 0
        FakePicamera2.made.append(self)

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return FakePicamera2.cameras

    def create_video_configuration(
        self,
        main: dict[str, Any],
        lores: dict[str, Any],
        controls: dict[str, Any],
        sensor: dict[str, Any],
        queue: bool,
    ) -> dict[str, Any]:
        for stream in (main, lores):
            assert set(stream) <= {"format", "size", "stride", "preserve_ar"}
            assert stream["size"][0] % 2 == stream["size"][1] % 2 == 0
        assert set(sensor) <= {"output_size", "bit_depth"}
        assert set(controls) <= set(CONTROLS) | {"FrameRate"}
        return {"main": main, "lores": lores, "controls": controls, "sensor": sensor, "queue": queue}

    def configure(self, configuration: dict[str, Any]) -> None:
        width = configuration["lores"]["size"][0]
        configuration["lores"]["stride"] = -(-width // 64) * 64 + 64
        configuration["main"]["stride"] = configuration["main"]["size"][0] * 3
        self.config = configuration

    def camera_configuration(self) -> dict[str, Any]:
        return self.config

    def start(self) -> None:
        assert self.config

    def set_controls(self, controls: dict[str, Any]) -> None:
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {unknown.pop()} is not advertised by libcamera")
        self.set |= controls

    def capture_request(self, wait: float | bool | None = None) -> FakeRequest:
        assert isinstance(wait, float)
        if self.dead_after is not None and len(self.requests) >= self.dead_after:
            raise TimeoutError
        self.requests.append(FakeRequest(self))
        return self.requests[-1]

    def metadata(self) -> dict[str, Any]:
        n = len(self.requests)
        exposure = 12000 + (300 * max(0, 20 - n))  # automatic exposure settles in 20 frames
        locked = "ExposureTime" in self.set and not self.ignores_lock
        return {
            "SensorTimestamp": 5_000_000_000 + n * 33_333_000,
            "ExposureTime": self.set["ExposureTime"] + 7 if locked else exposure + (n % 5) * 900,
            "AnalogueGain": 2.0,
            "ColourGains": (1.9, 1.6),
            "LensPosition": 1.7,
        }

    def cancel_all_and_flush(self) -> None:
        self.flushed += 1

    def stop(self) -> None:
        self.stopped += 1

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> type[FakePicamera2]:
    package, libcamera = types.ModuleType("picamera2"), types.ModuleType("libcamera")
    package.Picamera2 = FakePicamera2  # type: ignore[attr-defined]
    modes = types.SimpleNamespace(Manual=0, Auto=1, Continuous=2)
    libcamera.controls = types.SimpleNamespace(AfModeEnum=modes)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", package)
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    monkeypatch.setattr(FakePicamera2, "made", [])
    return FakePicamera2


def test_frames_are_blue_green_red_with_an_unpadded_luma_and_the_sensors_clock(pi: type[FakePicamera2]) -> None:
    device = RaspberryPiDevice(0, 30.0, None)
    first, second = device.grab(), device.grab()
    assert first.image_bgr.shape == (864, 1536, 3)
    assert first.image_bgr[5, 5].tolist() == [200, 100, 50]
    assert first.luma_small is not None
    assert first.luma_small.shape == (216, 384)
    assert set(np.unique(first.luma_small)) == {77}
    assert second.clock_s - first.clock_s == pytest.approx(0.033333)
    device.close()
    camera = pi.made[0]
    assert all(request.released == 1 for request in camera.requests)
    assert camera.closed == 1


def test_everything_automatic_is_locked_where_it_settled(pi: type[FakePicamera2]) -> None:
    device = RaspberryPiDevice(0, 30.0, None)
    camera = pi.made[0]
    assert camera.set["AeEnable"] is False
    assert camera.set["AwbEnable"] is False
    assert camera.set["AfMode"] == 0
    assert camera.set["LensPosition"] == 1.7
    assert camera.set["ColourGains"] == (1.9, 1.6)
    grab = device.grab()
    assert grab.metadata["locked"] is True
    assert grab.metadata["lock_problem"] == ""


def test_a_lock_that_the_driver_ignores_is_noticed(pi: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pi, "ignores_lock", True)
    device = RaspberryPiDevice(0, 30.0, None)
    grabs = [device.grab() for _ in range(5)]
    unlocked = [grab for grab in grabs if not grab.metadata["locked"]]
    assert unlocked
    assert "ExposureTime" in unlocked[0].metadata["lock_problem"]


def test_a_camera_that_stops_is_lost_and_can_still_be_closed(
    pi: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    device = RaspberryPiDevice(0, 30.0, None)
    monkeypatch.setattr(pi, "dead_after", 0)
    with pytest.raises(CameraLost):
        device.grab()
    assert pi.made[0].flushed == 1
    device.close()
    assert pi.made[0].closed == 1


def test_no_camera_and_no_package_say_what_to_do(pi: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pi, "cameras", [])
    with pytest.raises(CannotDo, match="ribbon cable"):
        open_source("picamera2")
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CannotDo, match="apt install python3-picamera2"):
        open_source("picamera2")


def test_a_camera_that_cannot_be_set_up_is_closed_and_said(
    pi: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_camera: FakePicamera2, _configuration: dict[str, Any]) -> None:
        raise RuntimeError("Configuration failed: no such mode")

    monkeypatch.setattr(pi, "configure", refuse)
    with pytest.raises(CannotDo, match="no such mode"):
        open_source("picamera2")
    assert pi.made[0].closed == 1


def test_the_arena_is_looked_at_with_the_resolution_of_the_camera_that_was_calibrated(
    pi: type[FakePicamera2], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = Path(__file__).parents[2] / "calibration" / "camera-module-2-1640x1232.json"
    line = ["calibrate", "--intrinsics", str(shipped), "--scene", "picamera2", "--out", str(tmp_path / "table.json")]
    assert main(line) == 1
    assert pi.made[0].config["main"]["size"] == (1640, 1232)
    assert "fiducials seen: none" in capsys.readouterr().err  # the stand-in shows a bare wall


@pytest.mark.parametrize(
    ("wanted", "metadata", "word"),
    [
        ({"ExposureTime": 10000}, {"ExposureTime": 10020}, ""),
        ({"ExposureTime": 10000}, {"ExposureTime": 10900}, "ExposureTime"),
        (
            {"ExposureTime": 10000, "ColourGains": (1.9, 1.6)},
            {"ExposureTime": 10000, "ColourGains": (1.9, 1.9)},
            "Colour",
        ),
        ({"ExposureTime": 10000, "LensPosition": 1.0}, {"ExposureTime": 10000}, "LensPosition"),
        ({}, {"ExposureTime": 10000}, "fixed"),
    ],
)
def test_what_a_frame_says_against_the_lock(wanted: dict[str, Any], metadata: dict[str, Any], word: str) -> None:
    assert word in lock_problem(wanted, metadata)
    assert bool(lock_problem(wanted, metadata)) == bool(word)
