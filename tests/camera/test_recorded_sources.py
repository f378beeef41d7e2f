"""Folders of pictures and video files as frame sources."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from arena_cam.camera.folder import FolderSource
from arena_cam.camera.frame import Frame, FrameSource
from arena_cam.camera.open_source import open_source
from arena_cam.camera.video import VideoSource
from arena_cam.domain.errors import BadInput, BadPicture, CameraLost


def picture(level: int, size: tuple[int, int] = (96, 64)) -> np.ndarray:
    """A picture whose level tells which one it is; some texture, so that a JPEG of it has a body to tear."""
    noise = np.random.default_rng(level).integers(0, 20, (size[1], size[0], 3))
    return (noise + level).astype(np.uint8)


def write(file: Path, level: int) -> Path:
    assert cv2.imwrite(str(file), picture(level))
    return file


def read_all(source: FrameSource) -> list[Frame | str]:
    """Everything a source hands out, a BadPicture by its message."""
    out: list[Frame | str] = []
    while True:
        try:
            frame = source.read()
        except BadPicture as error:
            out.append(str(error))
            continue
        if frame is None:
            return out
        out.append(frame)


def test_a_folder_is_read_in_natural_order_at_its_rate(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        write(tmp_path / f"f{number}.png", number * 20)
    (tmp_path / "truth.json").write_text("{}")
    frames = [f for f in read_all(FolderSource(tmp_path, fps=10)) if isinstance(f, Frame)]
    assert [f.name for f in frames] == ["f1.png", "f2.png", "f10.png"]
    assert [f.time_s for f in frames] == pytest.approx([0.0, 0.1, 0.2])
    assert [f.sequence for f in frames] == [0, 1, 2]
    assert [round(float(f.image_bgr.mean()) / 20) for f in frames] == [1, 2, 10]


def test_torn_and_empty_pictures_are_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    write(tmp_path / "1.jpg", 50)
    whole = write(tmp_path / "2.jpg", 90).read_bytes()
    (tmp_path / "2.jpg").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "3.png").write_bytes(b"")
    (tmp_path / "4.png").write_bytes(b"not a picture")
    write(tmp_path / "5.png", 70)
    read = read_all(FolderSource(tmp_path))
    assert [item.name if isinstance(item, Frame) else "bad" for item in read] == ["1.jpg", "bad", "bad", "bad", "5.png"]
    for item, name, word in ((read[1], "2.jpg", "torn"), (read[2], "3.png", "empty"), (read[3], "4.png", "no picture")):
        assert isinstance(item, str)
        assert name in item
        assert word in item
        assert "\n" not in item
    last = read[4]
    assert isinstance(last, Frame)
    assert last.time_s == pytest.approx(4 / 15)


def test_a_picture_is_known_by_what_it_holds_not_by_its_name(tmp_path: Path) -> None:
    write(tmp_path / "1.png", 60).rename(tmp_path / "1.jpg")
    (tmp_path / "2.jpg").write_bytes(b"not a picture")
    whole = write(tmp_path / "3.jpg", 90).read_bytes()
    (tmp_path / "3.jpg").rename(tmp_path / "3.png")
    (tmp_path / "3.png").write_bytes(whole[: len(whole) // 2])
    one, two, three = read_all(FolderSource(tmp_path))
    assert isinstance(one, Frame)
    assert np.array_equal(one.image_bgr, picture(60))
    assert "is no picture" in str(two)
    assert "torn" in str(three)


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(BadInput, match="holds no pictures"):
        FolderSource(tmp_path)


def test_a_grey_picture_has_three_channels(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), picture(9)[:, :, 0])
    frame = FolderSource(tmp_path).read()
    assert frame is not None
    assert frame.image_bgr.shape == (64, 96, 3)


def video(file: Path, frames: int) -> Path:
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (96, 64))
    assert writer.isOpened()
    for level in range(frames):
        writer.write(picture(10 + 2 * level))
    writer.release()
    return file


def test_a_video_hands_out_its_frames_with_their_times(tmp_path: Path) -> None:
    source = VideoSource(video(tmp_path / "game.avi", 30))
    frames = [f for f in read_all(source) if isinstance(f, Frame)]
    assert len(frames) == 30
    assert source.fps == pytest.approx(20.0)
    assert frames[7].time_s == pytest.approx(0.35)
    assert frames[20].image_bgr.mean() > frames[5].image_bgr.mean() + 20
    assert source.read() is None


def test_a_video_that_breaks_off_says_so_and_ends(tmp_path: Path) -> None:
    file = video(tmp_path / "game.avi", 60)
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])
    read = read_all(VideoSource(file))
    assert 10 < sum(isinstance(item, Frame) for item in read) < 40
    # Without its index the file no longer says how many frames it had: then it just ends, cleanly.
    assert sum(isinstance(item, str) for item in read) <= 1


def test_a_video_whose_disk_is_pulled_out_goes_on_from_there_once_it_is_back(tmp_path: Path) -> None:
    """It ended, as one that breaks off: its game was over."""
    file = video(tmp_path / "game.avi", 60)
    whole = file.read_bytes()
    source = VideoSource(file)
    before = [source.read() for _ in range(5)]
    file.write_bytes(b"")  # what the system has not read yet of a disk that is gone, nobody can read
    aside = file.rename(tmp_path / "aside.avi")
    with pytest.raises(CameraLost, match=r"game\.avi cannot be read any more; bring it back"):
        before.extend(iter(source.read, None))
    for _ in range(3):
        with pytest.raises(CameraLost):
            source.read()
    aside.rename(file)
    with pytest.raises(CameraLost):  # not whole yet
        source.read()
    file.write_bytes(whole)
    frames = [each for each in (*before, *read_all(source)) if isinstance(each, Frame)]
    assert [frame.sequence for frame in frames] == list(range(60))
    alone = [each for each in read_all(VideoSource(file)) if isinstance(each, Frame)]
    others = [not np.array_equal(a.image_bgr, b.image_bgr) for a, b in zip(frames, alone, strict=True)]
    assert sum(others) <= 1, "the one in which it broke off may be torn"
    assert source.read() is None


@pytest.mark.parametrize(
    ("name", "content"),
    [("missing.mp4", None), ("empty.mp4", b""), ("notes.mp4", b"this is no video at all " * 50), ("one.png", b"x")],
)
def test_what_is_no_video_is_refused_in_one_line(tmp_path: Path, name: str, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(BadInput) as caught:
        open_source(str(tmp_path / name))
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_word_tells_the_source(tmp_path: Path) -> None:
    (tmp_path / "frames").mkdir()
    write(tmp_path / "frames" / "1.png", 3)
    assert isinstance(open_source(str(tmp_path / "frames"), fps=7), FolderSource)
    assert isinstance(open_source(str(video(tmp_path / "game.avi", 3))), VideoSource)
    with pytest.raises(BadInput, match="no such source"):
        open_source("webcam")


def test_a_simulated_table_is_not_refused_with_its_own_name() -> None:
    """`calibrate --scene sim` was told to give "... or sim"."""
    with pytest.raises(BadInput, match="needs no set-up"):
        open_source("sim")
