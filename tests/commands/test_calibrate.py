"""`arena-cam calibrate` as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from arena_cam.camera.folder import read_picture
from arena_cam.commands.main import main
from arena_cam.formats.board_json import Charuco, board_to_json
from referee.setup_scenes import SIZE, empty_table, scene
from vision.board_scenes import CAMERA, TILTED, photograph, poses

BOARD = Charuco(squares=(7, 5), square_mm=30.0, marker_mm=22.0, dictionary="DICT_5X5_100")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("views")
    (folder / "board.json").write_text(json.dumps(board_to_json(BOARD)), encoding="utf-8")
    for i, (rvec, tvec) in enumerate(poses(BOARD, CAMERA, TILTED)):
        cv2.imwrite(str(folder / f"view-{i:02}.png"), photograph(BOARD, CAMERA, rvec, tvec))
    return folder


def test_it_writes_the_camera_and_how_well_it_is_known(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "table.json"
    assert main(["calibrate", str(folder), "--out", str(out)]) == 0
    written = json.loads(out.read_text())
    assert written["image_size"] == [640, 480]
    assert written["K"][0][0] == pytest.approx(CAMERA.K[0, 0], rel=0.003)
    assert len(written["dist"]) == 5
    assert written["calibration"]["reprojection_px"] < 0.1
    assert set(written["calibration"]["sd"]) == {"fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3"}
    told = capsys.readouterr().out
    assert "reprojection error" in told
    assert "±" in told


def test_pictures_that_cannot_serve_are_named_and_the_rest_goes_on(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    views = tmp_path / "views"
    views.mkdir()
    for file in folder.iterdir():
        (views / file.name).write_bytes(file.read_bytes())
    (views / "torn.jpg").write_bytes(b"\xff\xd8\xff torn")
    cv2.imwrite(str(views / "empty.png"), read_picture(folder / "view-00.png")[:100, :100] * 0)
    assert main(["calibrate", str(views), "--out", str(tmp_path / "t.json")]) == 0
    told = capsys.readouterr().err
    assert "torn.jpg: the picture is torn" in told
    assert "empty.png: shows no such board" in told


def test_views_that_do_not_suffice_are_refused_in_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    views = tmp_path / "views"
    views.mkdir()
    for name in ("board.json", "view-00.png", "view-01.png"):
        (views / name).write_bytes((folder / name).read_bytes())
    assert main(["calibrate", str(views), "--out", str(tmp_path / "t.json")]) == 1
    told = capsys.readouterr().err
    assert told.startswith("arena-cam calibrate: these views do not determine the camera; add views")
    assert told.count("\n") == 1
    assert not (tmp_path / "t.json").exists()


def test_a_folder_without_a_board_file_or_pictures_is_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", str(tmp_path), "--out", str(tmp_path / "t.json")]) == 2
    assert "holds no pictures" in capsys.readouterr().err
    assert (
        main(["calibrate", str(tmp_path), "--board", str(tmp_path / "lost.json"), "--out", str(tmp_path / "t.json")])
        == 2
    )
    assert "lost.json: cannot be read" in capsys.readouterr().err


def test_without_a_board_file_the_board_is_the_one_that_we_print(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Views of our own board, without board.json: the same refusal of too few views as with it, and no other."""
    for name in ("view-00.png", "view-01.png"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    assert main(["calibrate", str(tmp_path), "--out", str(tmp_path / "t.json")]) == 1
    told = capsys.readouterr().err
    assert "taken for the board that `arena-cam deck print` prints" in told
    assert "these views do not determine the camera" in told


def test_a_source_that_is_not_there_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", str(tmp_path / "nowhere"), "--out", str(tmp_path / "t.json")]) == 2
    assert "no such source" in capsys.readouterr().err


@pytest.mark.parametrize("video", [False, True])
def test_the_arena_is_measured_from_the_first_picture_of_a_recording(video: bool, tmp_path: Path) -> None:
    """A folder gave its thirtieth picture, in which cards may lie, and a video "is no picture that can be read"."""
    empty, table, recording = empty_table(), scene().table, tmp_path / ("game.avi" if video else "frames")
    pictures = [empty, empty * 0, empty * 0]
    if video:
        writer = cv2.VideoWriter(str(recording), cv2.VideoWriter.fourcc(*"MJPG"), 15.0, SIZE)
        for each in pictures:
            writer.write(each)
        writer.release()
    else:
        recording.mkdir()
        for number, each in enumerate(pictures):
            cv2.imwrite(str(recording / f"{number}.png"), each)
    camera, out = tmp_path / "camera.json", tmp_path / "table.json"
    camera.write_text(json.dumps({"image_size": SIZE, "K": table.K, "dist": table.dist}), encoding="utf-8")
    asked = [*map(str, ("--intrinsics", camera, "--scene", recording, "--out", out))]
    assert main(["calibrate", *asked, "--table-z", str(table.arena.table_z_mm)]) == 0
    assert len(json.loads(out.read_text())["fiducials"]["centres_mm"]) == 4
