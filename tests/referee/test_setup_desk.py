"""The desk where a table is set up: a real session and eye under a camera that shows what the test lays there."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest

from arena_cam.camera.film import Film
from arena_cam.camera.folder import FolderSource
from arena_cam.commands.tables.recording import Recording
from arena_cam.domain.errors import CannotDo, Refused
from arena_cam.formats.table_json import read_table
from arena_cam.referee.setup.desk import Chosen
from arena_cam.referee.setup.files import SetupPlaces, decks
from referee.builders import PLAYERS
from referee.setup_scenes import SettingUp, board_views, empty_table, scene, table_with_card
from shared_decks import deck_in

MEASURED = {"inner_mm": [280, 280], "wall_mm": [14, 8], "floor_mm": 0, "fiducial_mm": 28}


@pytest.fixture
def make(tmp_path: Path, deck_folder: Path) -> Iterator[Callable[..., SettingUp]]:
    running: list[SettingUp] = []

    def start(**more: Any) -> SettingUp:
        running.append(SettingUp(tmp_path / f"table-{len(running)}", deck_folder, **more))
        return running[-1]

    yield start
    for each in running:
        each.stop()


@pytest.fixture
def in_use(deck_folder: Path) -> Chosen:
    return Chosen(scene().table, None, deck_in(deck_folder), deck_folder)


def seen(at: SettingUp) -> SettingUp:
    """Waits for the first picture."""
    at.wait_for(lambda s: s["picture"])
    return at


def with_lens(at: SettingUp) -> SettingUp:
    seen(at).desk.act("go", {"step": "lens"})
    at.desk.act("choose_lens", {"lens": "shipped:camera-module-3-1536x864"})
    return at


def code(at: SettingUp, action: str, **args: Any) -> str:
    with pytest.raises(Refused) as refused:
        at.desk.act(action, args)
    return refused.value.code


def test_without_a_table_nothing_is_refereed_and_every_page_can_say_why(make: Callable[..., SettingUp]) -> None:
    at = make()
    at.wait_for(lambda s: s["findings"])
    snapshot = at.session.snapshot()
    assert snapshot["eye"]["state"] == "blind"
    assert snapshot["eye"]["why"] == "the table is being set up"
    assert [warning["code"] for warning in snapshot["warnings"]] == ["setting_up"]
    assert (snapshot["arena"], snapshot["cards"]) == (None, [])
    assert code(at, "leave") == "not_now"
    assert code(at, "finish") == "not_now"


def test_the_table_is_looked_at_before_it_is_measured(make: Callable[..., SettingUp]) -> None:
    snapshot = make().wait_for(lambda s: s["findings"])
    grades = {finding["what"]: finding["grade"] for finding in snapshot["findings"]}
    assert grades["fiducials"] == grades["light"] == grades["focus"] == "good"
    assert {"glare", "flicker", "camera's place", "scale"} <= set(grades)


def test_the_board_determines_the_lens_by_itself_and_the_result_is_kept(make: Callable[..., SettingUp]) -> None:
    at = seen(make())
    at.desk.act("start_board", {})
    for view in board_views():
        before = at.desk.snapshot()["lens"]["board"]
        if before is None:
            break
        at.camera.show(view)
        after = at.wait_for(lambda s, n=before["views"]: s["lens"]["board"] is None or s["lens"]["board"]["views"] > n)
        if after["lens"]["board"] is not None:
            assert len(after["lens"]["board"]["uncovered"]) <= len(before["uncovered"])
    chosen = at.wait_for(lambda s: s["lens"]["chosen"])["lens"]["chosen"]
    assert chosen["focal_px"] == pytest.approx(scene().table.K[0][0], rel=0.003)
    assert chosen["centre_px"] == pytest.approx([scene().table.K[0][2], scene().table.K[1][2]], abs=3.0)
    assert chosen["sd"]["fx"] < 2.0
    assert chosen["views"] >= 5
    (file,) = (at.calibration / "cameras").glob("usb-7-960x540-*.json")
    assert json.loads(file.read_text())["calibration"]["sd"]["fx"] > 0
    assert at.desk.snapshot()["lens"]["choices"][0]["name"] == file.stem


def test_a_board_held_in_one_place_determines_nothing(make: Callable[..., SettingUp]) -> None:
    at = seen(make(image=board_views()[0]))
    at.desk.act("start_board", {})
    board = at.wait_for(lambda s: s["lens"]["board"]["views"] == 1 and s["lens"]["board"]["still"])["lens"]["board"]
    assert set(board["missing"]) == {"different", "corners"}
    assert len(board["points"]) == 24
    at.desk.act("stop_board", {})
    assert at.desk.snapshot()["lens"]["chosen"] is None


def test_shipped_values_are_offered_for_pictures_of_their_shape(make: Callable[..., SettingUp]) -> None:
    at = seen(make())
    at.desk.act("go", {"step": "lens"})
    offered = at.desk.snapshot()["lens"]["choices"]
    assert [lens["name"] for lens in offered] == ["camera module 3"]
    assert offered[0]["focal_px"] == pytest.approx(1128.6 * 960 / 1536, rel=0.001)
    assert code(at, "choose_lens", lens="shipped:../../etc/passwd") == "bad_argument"


def test_from_the_lens_to_refereeing(make: Callable[..., SettingUp]) -> None:
    at = with_lens(make())
    assert code(at, "write_table", name="home") == "not_now"
    at.desk.act("go", {"step": "arena"})
    at.desk.act("measure_arena", MEASURED)
    measured = at.desk.snapshot()["arena"]["measured"]
    assert measured is not None
    assert measured["fiducials"] == [0, 1, 2, 3]
    assert measured["edges"] >= 10
    assert measured["turned"] == {}
    assert measured["things"] == 0
    assert at.session.latest_jpeg(("setup",)) != at.session.latest_jpeg(())
    at.desk.act("write_table", {"name": "home"})
    table = read_table(at.calibration / "home" / "table.json")
    assert table.arena.inner_mm == (280.0, 280.0)
    assert table.empty is not None
    assert table.empty.is_file()
    at.desk.act("choose_deck", {"deck": "own"})
    at.desk.act("finish", {})
    at.wait_for(lambda _: at.session.snapshot()["eye"]["state"] == "armed")
    snapshot = at.session.snapshot()
    assert snapshot["warnings"] == []
    assert snapshot["arena"]["inner_mm"] == [280.0, 280.0]
    assert at.remembered[-1][0] == at.calibration / "home" / "table.json"
    assert code(at, "go", step="lens") == "not_now"


def test_a_card_left_in_the_tray_is_said_before_the_table_is_saved(
    make: Callable[..., SettingUp], deck_folder: Path
) -> None:
    at = with_lens(make(image=table_with_card(deck_in(deck_folder))))
    at.desk.act("measure_arena", MEASURED)
    measured = at.desk.snapshot()["arena"]["measured"]
    assert measured is not None
    assert measured["things"] == 1
    assert code(at, "write_table", name="home") == "not_empty"
    assert not (at.calibration / "home").exists()
    at.desk.act("write_table", {"name": "home", "not_empty": True})
    assert (at.calibration / "home" / "table.json").is_file()


def test_nothing_is_overwritten_silently_and_nothing_lost(make: Callable[..., SettingUp]) -> None:
    at = with_lens(make())
    for inner in ([280, 280], [280.5, 279.5]):
        at.desk.act("measure_arena", {**MEASURED, "inner_mm": inner})
        if inner == [280, 280]:
            at.desk.act("write_table", {"name": "home"})
    assert code(at, "write_table", name="home") == "exists"
    assert read_table(at.calibration / "home" / "table.json").arena.inner_mm == (280.0, 280.0)
    at.desk.act("write_table", {"name": "home", "replace": True})
    assert read_table(at.calibration / "home" / "table.json").arena.inner_mm == (280.5, 279.5)
    (aside,) = [name for name in at.desk.snapshot()["arena"]["names"] if name != "home"]
    old = read_table(at.calibration / aside / "table.json")
    assert old.arena.inner_mm == (280.0, 280.0)
    assert old.empty is not None
    assert old.empty.is_file()


def test_names_that_could_lead_elsewhere_and_lengths_that_cannot_be_are_refused(make: Callable[..., SettingUp]) -> None:
    at = with_lens(make())
    for wrong in (
        {"inner_mm": [280]}, {"inner_mm": "280x280"}, {"inner_mm": [280, float("nan")]}, {"inner_mm": [280, 1e9]},
        {"inner_mm": [True, 280]}, {"wall_mm": [0, 6]}, {"wall_mm": None}, {"floor_mm": "2"}, {"fiducial_mm": -28},
    ):  # fmt: skip
        assert code(at, "measure_arena", **{**MEASURED, **wrong}) == "bad_argument", wrong
    at.desk.act("measure_arena", MEASURED)
    for name in (
        "../out",
        "..",
        "/etc",
        "a/b",
        "a\\b",
        "Home",
        "",
        " ",
        "a" * 41,
        "cameras",
        "-x",
        "ä",
        None,
        3,
        ["x"],
        "x\n",
    ):
        assert code(at, "write_table", name=name) == "bad_argument", name
    assert not at.calibration.exists()


def test_a_tray_that_is_not_there_is_not_measured(make: Callable[..., SettingUp]) -> None:
    at = with_lens(make())
    with pytest.raises(CannotDo, match="tray cannot be told"):
        at.desk.act("measure_arena", {**MEASURED, "inner_mm": [120, 120]})
    assert at.desk.snapshot()["arena"]["measured"] is None


def test_a_camera_without_a_picture_and_unknown_actions_are_refused(make: Callable[..., SettingUp]) -> None:
    at = seen(make())
    assert code(at, "measure_arena", **MEASURED) == "not_now"
    assert code(at, "go", step="moon") == "bad_argument"
    assert code(at, "do_begin") == "unknown"
    assert code(at, "choose_deck", deck="folder:../../x") == "bad_argument"


def test_a_broken_deck_folder_is_shown_with_what_is_wrong(make: Callable[..., SettingUp]) -> None:
    at = make()
    broken = at.decks / "broken"
    broken.mkdir(parents=True)
    (broken / "deck.toml").write_text("name = 3", encoding="utf-8")
    seen(at).desk.act("go", {"step": "deck"})
    choice = next(deck for deck in at.desk.snapshot()["deck"]["choices"] if deck["name"] == "broken")
    assert "card" in choice["problem"]
    assert str(at.folder) not in choice["problem"]


def test_setting_up_pauses_the_game_and_leaving_goes_on_as_before(
    make: Callable[..., SettingUp], in_use: Chosen
) -> None:
    at = make(in_use=in_use)
    at.wait_for(lambda _: at.session.snapshot()["eye"]["state"] == "armed")
    game = at.session.act("start_game", {"players": PLAYERS}, "referee")["game"]
    at.desk.act("begin", {})
    snapshot = at.session.snapshot()
    assert (snapshot["paused"], snapshot["eye"]["state"], snapshot["game"]["id"]) == (True, "blind", game)
    assert snapshot["arena"] is not None, "the scoreboard goes on to show the table there was"
    at.camera.show(board_views()[0])
    at.desk.act("leave", {})
    at.camera.show(empty_table())
    at.wait_for(lambda _: at.session.snapshot()["eye"]["state"] == "armed")
    assert at.session.snapshot()["paused"], "the referee says when it goes on"
    at.session.act("resume", {}, "referee")
    assert at.session.snapshot()["game"]["lines"] == 1, "nothing but who plays"
    assert at.session.snapshot()["warnings"] == []


def test_a_camera_known_already_needs_only_the_arena(make: Callable[..., SettingUp], in_use: Chosen) -> None:
    at = make(in_use=in_use)
    at.desk.act("begin", {})
    seen(at).desk.act("go", {"step": "arena"})
    chosen = at.desk.snapshot()["lens"]["chosen"]
    assert chosen is not None
    assert chosen["kind"] == "in_use"
    at.desk.act("measure_arena", MEASURED)
    at.desk.act("write_table", {"name": "again"})
    at.desk.act("finish", {})
    assert at.desk.snapshot()["table"] == "again"


def test_a_game_from_before_waits_until_a_new_table_is_there(tmp_path: Path, deck_folder: Path, in_use: Chosen) -> None:
    before = SettingUp(tmp_path / "evening", deck_folder, in_use)
    before.wait_for(lambda _: before.session.snapshot()["eye"]["state"] == "armed")
    game = before.session.act("start_game", {"players": PLAYERS}, "referee")["game"]
    before.stop()
    after = SettingUp(tmp_path / "evening", deck_folder)  # its table was lost
    try:
        snapshot = after.session.snapshot()
        assert (snapshot["game"]["id"], snapshot["paused"]) == (game, True)
        assert not after.desk.snapshot()["can_leave"]
    finally:
        after.stop()


def test_decks_of_one_name_can_be_told_apart(tmp_path: Path, deck_folder: Path) -> None:
    for name in ("decks/old", "decks/new", "elsewhere/decks/new"):
        shutil.copytree(deck_folder, tmp_path / name)
    elsewhere = tmp_path / "elsewhere" / "decks" / "new"
    places = SetupPlaces(tmp_path, tmp_path, tmp_path / "decks", lambda: deck_folder, in_use=elsewhere)
    own, *choices = [choice for choice, _ in decks(places)]
    assert own["folder"] == ""
    assert len({choice["name"] for choice in choices}) == 1
    folders = [choice["folder"] for choice in choices]
    assert folders == ["elsewhere/decks/new", f"{tmp_path.name}/decks/new", "decks/old"]


def test_a_table_is_set_up_from_a_recording_which_is_then_refereed(
    make: Callable[..., SettingUp], tmp_path: Path, deck_folder: Path
) -> None:
    film = tmp_path / "film"
    film.mkdir()
    with_card = table_with_card(deck_in(deck_folder))
    for number in range(24):
        cv2.imwrite(str(film / f"{number:03}.jpg"), empty_table() if number < 10 else with_card)
    recording = Recording("arena", Film(lambda: FolderSource(film, 15.0)))
    at = with_lens(make(recording=recording))
    assert at.desk.snapshot()["film"] == {"held": True}
    at.desk.act("run_film", {})
    assert at.desk.snapshot()["film"] == {"held": False}
    at.desk.act("hold_film", {})
    while not recording.film.shown.startswith("00"):  # step by step round to the empty tray
        at.desk.act("next_picture", {})
        time.sleep(0.02)
    at.desk.act("go", {"step": "arena"})
    at.desk.act("measure_arena", MEASURED)
    measured = at.desk.snapshot()["arena"]["measured"]
    assert measured is not None
    assert measured["things"] == 0
    at.desk.act("write_table", {"name": "home"})
    at.desk.act("choose_deck", {"deck": "own"})
    assert at.session.snapshot()["game"] is None
    at.desk.act("finish", {})
    at.wait_for(lambda _: at.session.snapshot()["game"])
    at.wait_for(lambda _: not at.session.snapshot()["camera"]["connected"])
    snapshot = at.session.snapshot()
    assert snapshot["game"]["name"] == "film"
    assert [card["card"] for card in snapshot["cards"]] == [deck_in(deck_folder).cards[0].id]


def test_a_camera_cannot_be_held(make: Callable[..., SettingUp]) -> None:
    at = seen(make())
    assert at.desk.snapshot()["film"] is None
    assert code(at, "hold_film") == "not_now"


def test_the_numbers_of_the_table_in_use_stand_in_the_form(make: Callable[..., SettingUp], in_use: Chosen) -> None:
    at = make(in_use=in_use)
    at.desk.act("begin", {})
    arena, fiducials = scene().table.arena, scene().table.fiducials
    assert at.desk.snapshot()["arena"]["typed"] == {
        "inner_mm": [*arena.inner_mm],
        "wall_mm": [arena.wall_height_mm, arena.wall_thickness_mm],
        "floor_mm": 0.0 - arena.table_z_mm,
        "fiducial_mm": fiducials.size_mm,
    }
    assert make().desk.snapshot()["arena"]["typed"] == {}
