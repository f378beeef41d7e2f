"""The whole way from frame to page: what is told is on disk, and what was on disk is there again."""

from __future__ import annotations

import gc
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_cam.camera.frame import Frame
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.errors import BadPicture, CameraLost, CannotDo, PictureAwaited, Refused
from arena_cam.domain.lies import Landing
from arena_cam.domain.messages import AsRecorded
from arena_cam.domain.observations import EyeState
from arena_cam.referee.game.part import every_action, secret_actions
from arena_cam.referee.interface import SessionPort
from arena_cam.referee.pictures.frame_ring import QUIET_FRAMES
from arena_cam.referee.session.loop import FULL_RETRY_S, MOST_WAITING
from arena_cam.store.data_folder import DataFolder
from referee.builders import PLAYERS, Evening, Hand


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path / "data")
    yield evening
    evening.session.stop()


def duel(evening: Evening, **choices: str) -> None:
    for player, choice in choices.items():
        evening.act("duel_choice", player, player=player, choice=choice)


def play_round(evening: Evening, challenge: str, answer: str) -> None:
    evening.rests(challenge)
    evening.rests(answer, on=[challenge])
    evening.waits(1.0)
    evening.act("duel", choices=dict.fromkeys(evening.game["may_choose"], "peace"))
    evening.frame(*evening.hand.sweeps())


def test_a_session_keeps_the_promise_of_the_interface(evening: Evening) -> None:
    port: SessionPort = evening.session
    names = [name for name in dir(SessionPort) if not name.startswith("_")]
    assert all(callable(getattr(port, name)) for name in names)


def test_a_whole_round_stands_on_the_page(evening: Evening) -> None:
    evening.start(name="Friday")
    assert evening.game["hint"]["text"] == "Anna, lay a challenge card."
    evening.rests("red-8")
    evening.rests("green-4", "diagonal")
    evening.rests("blue-3", on=["red-8"])
    verdicts = {c["name"]: c["verdict"] and c["verdict"]["code"] for c in evening.session.snapshot()["cards"]}
    assert verdicts == {"red-8": None, "green-4": "diagonal", "blue-3": "duelling"}
    evening.waits(1.0)
    assert (evening.game["awaiting"], evening.game["opponent"]) == ("duel", "Bernhard")
    assert [r["code"] for r in evening.game["rulings"]] == ["diagonal", "duelling"]
    duel(evening, Anna="conflict", Bernhard="peace")
    anna = evening.game["players"][0]
    assert (anna["points"], anna["lives"], anna["won"]) == (11, 2, ["red-8", "blue-3"])
    assert evening.game["hint"]["code"] == "sweep_arena"
    announcement = evening.session.snapshot()["announcement"]
    assert announcement is not None
    assert announcement["text"] == evening.game["rulings"][-1]["text"]


def test_a_snapshot_is_json_and_says_what_may_be_done(evening: Evening) -> None:
    evening.start()
    evening.rests("red-8", sure=False)
    snapshot: Any = json.loads(json.dumps(evening.session.snapshot()))
    assert set(snapshot["legal"]) <= {*every_action(), *secret_actions()}
    assert {"close_challenge", "throw_missed", "undo", "pause"} <= set(snapshot["legal"])
    assert "duel_choice" not in snapshot["legal"]
    assert snapshot["countdown"] == {"seconds_left": pytest.approx(9.9, abs=0.1), "total": 10.0, "running": True}


def test_a_choice_is_told_to_nobody_before_both_are_in(evening: Evening) -> None:
    evening.start()
    evening.rests("red-8")
    evening.rests("blue-3", on=["red-8"])
    evening.waits(1.0)
    told = evening.session.subscribe()
    answer = evening.act("duel_choice", "Anna", player="Anna", choice="conflict")
    assert answer == {"accepted": True, "complete": False}
    message = told.next(1.0)
    assert message is not None
    everything = message["data"] + json.dumps(evening.session.health()) + json.dumps(evening.session.games())
    everything += evening.session.record(evening.game["id"]) + json.dumps(evening.session.game(evening.game["id"]))
    assert evening.game["choices_made"] == ["Anna"]
    assert '"conflict"' not in everything.replace('["peace", "conflict"]', "")
    assert evening.game["may_choose"] == {"Bernhard": ["peace", "conflict"]}
    duel(evening, Bernhard="peace")
    assert evening.game["rulings"][-1]["code"] == "one_conflict"


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ({"player": "Christine", "choice": "peace"}, "not_yours"),
        ({"player": "Anna", "choice": "war"}, "bad_argument"),
        ({"player": None, "choice": "peace"}, "not_yours"),
    ],
)
def test_choices_that_may_not_be_made_are_refused(evening: Evening, args: dict[str, Any], code: str) -> None:
    evening.start()
    evening.rests("red-8")
    evening.rests("blue-3", on=["red-8"])
    evening.waits(1.0)
    with pytest.raises(Refused) as refusal:
        evening.act("duel_choice", "x", **args)
    assert refusal.value.code == code


def test_without_a_life_block_there_is_no_conflict(evening: Evening) -> None:
    evening.act("start_game", players=PLAYERS, options={"life_blocks": 0})
    evening.rests("red-8")
    evening.rests("blue-3", on=["red-8"])
    evening.waits(1.0)
    assert evening.game["may_choose"]["Anna"] == ["peace"]
    with pytest.raises(Refused) as refusal:
        evening.act("duel_choice", "Anna", player="Anna", choice="conflict")
    assert refusal.value.code == "no_life_block"


def test_an_unsure_card_is_one_question_and_the_answer_corrects_the_record(evening: Evening) -> None:
    evening.start()
    evening.rests("red-8")
    evening.rests("blue-3", on=["red-8"], sure=False)
    question = evening.session.snapshot()["question"]
    assert question is not None
    assert [c["id"] for c in question["choices"]][:3] == ["keep", "landing:diagonal", "landing:edge"]
    evening.waits(30.0)
    assert evening.game["awaiting"] == "throws", "nothing closes while the question is open"
    assert question["picture"] is not None
    media, picture = evening.session.throw_picture(*question["picture"])
    assert (media, picture[:2]) == ("image/jpeg", b"\xff\xd8")
    evening.act("answer_question", id=question["id"], choice="landing:diagonal")
    assert evening.session.snapshot()["question"] is None
    blue = next(c for c in evening.session.snapshot()["cards"] if c["name"] == "blue-3")
    assert (blue["landing"], blue["corrected"], blue["verdict"] and blue["verdict"]["code"]) == (
        "diagonal",
        True,
        "diagonal",
    )
    with pytest.raises(Refused):
        evening.act("answer_question", id=question["id"], choice="keep")


def test_evidence_of_every_throw_is_kept_and_shown(evening: Evening) -> None:
    evening.start()
    evening.waits(2.0)
    evening.rests("red-8")
    evening.watcher.state = EyeState.SETTLING
    evening.waits(1.5)
    evening.watcher.state = EyeState.DECIDED
    evening.rests("blue-3", on=["red-8"])
    throws = evening.session.throws()
    assert [(t["card"], t["line"], t["player"], t["kept"]) for t in throws] == [
        ("red-8", 2, "Anna", True),
        ("blue-3", 3, "Bernhard", True),
    ]
    detail = evening.session.throw(throws[1]["id"])
    assert detail["lie"] is not None
    assert detail["lie"]["rests_on"] == ["red-8"]
    assert [r["code"] for r in detail["rulings"]] == ["duelling"]
    assert detail["frame_of_reference"] == {"image_size": [64, 48]}
    times = [p["time_s"] for p in detail["pictures"]]
    assert times == sorted(times)
    assert times[0] < detail["pictures"][-1]["time_s"] - 1.0, "from before the throw on"
    for name in (*(p["name"] for p in detail["pictures"]), detail["judged"], detail["thumbnail"]):
        assert name is not None
        assert evening.session.throw_picture(detail["id"], name)[1]
    for name in ("../../arena-cam.db", "manifest.json", "frame-999.jpg", ""):
        with pytest.raises(Refused):
            evening.session.throw_picture(detail["id"], name)


def test_the_same_game_stands_there_after_a_restart(tmp_path: Path) -> None:
    first = Evening(tmp_path / "data")
    first.start(name="Friday")
    first.rests("red-8")
    first.rests("blue-3", "diagonal", sure=False)
    first.act("set_mode", mode="confirm_always")
    first.frame()
    before: Any = first.session.snapshot()
    first.session.stop()
    hand = Hand()
    second = Evening(tmp_path / "data", hand)
    after: Any = second.session.snapshot()
    for key in ("game", "question", "mode", "announcement"):
        then, now = ({**each[key]} if isinstance(each[key], dict) else each[key] for each in (before, after))
        for each in (then, now):
            if isinstance(each, dict):
                each["asked_at"] = 0
        assert then == now
    assert [c["name"] for c in after["cards"]] == ["red-8", "blue-3"], "before the eye has opened"
    assert after["version"] > before["version"]
    lines = second.game["lines"]
    second.frame(hand.rests("red-8"), hand.rests("blue-3", "diagonal"))
    assert second.game["lines"] == lines, "what lay there before is thrown no second time"
    second.session.stop()


def test_what_was_taken_while_the_eye_was_closed_is_gone(tmp_path: Path) -> None:
    first = Evening(tmp_path / "data")
    first.start()
    play_round(first, "red-8", "blue-3")
    first.rests("blue-5")
    first.rests("green-4", on=["blue-5"])
    first.waits(1.0)
    first.act("duel", choices={"Bernhard": "peace", "Christine": "peace"})
    first.session.stop()
    hand = Hand()
    second = Evening(tmp_path / "data", hand)
    second.frame()
    second.rests("green-9")
    assert (second.game["awaiting"], second.game["challenge"]) == ("throws", "green-9")
    second.session.stop()


def test_a_secret_choice_outlives_a_restart(tmp_path: Path) -> None:
    first = Evening(tmp_path / "data")
    first.start()
    first.rests("red-8")
    first.rests("blue-3", on=["red-8"])
    first.waits(1.0)
    duel(first, Anna="conflict")
    first.session.stop()
    second = Evening(tmp_path / "data", first.hand)
    assert second.game["choices_made"] == ["Anna"]
    duel(second, Bernhard="peace")
    assert second.game["rulings"][-1]["details"]["lost_block"] == ["Anna"]
    second.session.stop()


@pytest.mark.usefixtures("evening")
def test_one_folder_is_used_by_one_program(tmp_path: Path) -> None:
    with pytest.raises(CannotDo, match="another arena-cam"):
        DataFolder(tmp_path / "data")


def test_a_correction_is_previewed_then_announced_once_and_logged(evening: Evening) -> None:
    evening.start()
    play_round(evening, "red-10", "blue-4")
    before = evening.session.snapshot()
    args: dict[str, Any] = {"line": 3, "set": {"card": "blue-7"}, "reason": "the QR code says 7"}
    preview = evening.act("amend", **args, preview=True)
    assert (preview["scores_before"]["Anna"], preview["scores_after"]["Anna"]) == (4, 7)
    assert evening.game["lines"] == before["game"]["lines"]  # type: ignore[index]
    evening.act("amend", "Eva", **args)
    assert evening.game["players"][0]["points"] == 7
    announcement = evening.session.snapshot()["announcement"]
    assert announcement is not None
    assert announcement["kind"] == "correction"
    assert "blue-7" in announcement["text"]
    evening.frame()
    assert evening.session.snapshot()["announcement"] == announcement
    log = evening.session.game(evening.game["id"])["log"]
    assert (log[1]["event"]["card"], log[-1]["event"]["set"], log[-1]["who"]) == ("blue-4", {"card": "blue-7"}, "Eva")


def test_slow_viewers_skip_to_the_newest(evening: Evening) -> None:
    slow, quick = evening.session.subscribe(), evening.session.subscribe()
    assert slow.next(0.1) is not None
    for name in ("A", "B", "C"):
        game = evening.start(name=name)
        quick.next(0.1)
    message = slow.next(0.1)
    assert message is not None
    assert json.loads(message["data"])["game"]["name"] == "C"
    assert slow.next(0.05) is None
    assert evening.session.health()["viewers"] == 2
    slow.close()
    assert evening.session.health()["viewers"] == 1
    assert game


def test_games_are_listed_with_their_tables(evening: Evening) -> None:
    first = evening.start(name="One")
    play_round(evening, "red-8", "blue-3")
    second = evening.start(name="Two")
    games = evening.session.games()
    assert [(g["name"], g["current"], g["rounds"], g["throws"]) for g in games] == [
        ("Two", True, 0, 0),
        ("One", False, 1, 2),
    ]
    detail = evening.session.game(first)
    assert detail["points_by_round"] == [{"Anna": 3, "Bernhard": 8, "Christine": 0}]
    assert detail["statistics"]["Bernhard"] == {
        "duels": 1, "conflicts": 0, "throws": 1, "flat": 1, "points_per_duel": 8.0
    }  # fmt: skip
    evening.act("resume_game", game=first)
    assert evening.game["name"] == "One"
    with pytest.raises(Refused):
        evening.session.delete_game(first, "Eva")
    evening.session.delete_game(second, "Eva")
    assert [g["name"] for g in evening.session.games()] == ["One"]
    evening.act("rename_game", game=first, name="  Friday\n night ")
    assert evening.game["name"] == "Friday night"


def test_a_deleted_game_takes_its_pictures_with_it(evening: Evening, tmp_path: Path) -> None:
    game = evening.start()
    evening.rests("red-8")
    folder = tmp_path / "data" / "games" / game
    assert folder.is_dir()
    evening.act("end_game")
    evening.session.delete_game(game, "Eva")
    assert not folder.exists()
    assert evening.session.snapshot()["game"] is None


def test_the_record_scores_as_the_page_says(evening: Evening) -> None:
    from arena_cam.formats.game_record import read_record, score_record

    game = evening.start()
    play_round(evening, "red-8", "blue-3")
    scored = score_record(read_record(evening.session.record(game)))
    assert scored["scores"] == {p["name"]: p["points"] for p in evening.game["players"]}


def test_a_full_disk_tells_nothing_that_is_not_kept_and_goes_on_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_790_000_000.0]
    evening = Evening(tmp_path / "data", clock=lambda: now[0])
    evening.start()
    evening.rests("red-8")
    matches = evening.data.matches

    def full(*_: Any) -> None:
        raise Refused("disk_full", AsRecorded.AS_RECORDED(text="the disk is full; make room, nothing was changed"))

    with monkeypatch.context() as patched:
        patched.setattr(matches, "commit", full)
        evening.rests("blue-3", on=["red-8"])
        assert evening.game["lines"] == 2
        assert "disk_full" in [w["code"] for w in evening.session.snapshot()["warnings"]]
        with pytest.raises(Refused):
            evening.act("close_challenge")
        assert evening.game["awaiting"] == "throws"
    now[0] += 3.0
    evening.frame()
    assert evening.game["awaiting"] == "duel", "what was seen meanwhile is written now, and the challenge closed"
    assert evening.session.snapshot()["warnings"] == []


def test_a_choice_that_a_full_disk_refuses_is_told_to_the_whole_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its phone alone said so; the television said that the disk is nearly full, or nothing, and the game stood."""
    free = [10**6]
    evening = Evening(tmp_path / "data", budget_bytes=-1)  # nearly full all the time
    evening.start()
    evening.rests("red-8")
    evening.rests("blue-3", on=["red-8"])

    def full(*_: Any) -> None:
        raise Refused("disk_full", AsRecorded.AS_RECORDED(text="the disk is full; make room, nothing was changed"))

    def warned() -> list[str]:
        return [w["code"] for w in evening.session.snapshot()["warnings"] if w["code"].startswith("disk")]

    monkeypatch.setattr(evening.data.room, "_measure_free", lambda _: free[0])
    with monkeypatch.context() as patched:
        patched.setattr(evening.data.matches, "commit", full)
        with pytest.raises(Refused):
            evening.act("duel_choice", player="Bernhard", choice="peace")
        evening.frame()
        assert warned() == ["disk_full"]
    free[0] = 10**9
    evening.frame()
    assert warned() == ["disk_low"], "with room for lines again, though nobody has chosen anew"
    evening.act("duel_choice", player="Bernhard", choice="peace")
    assert warned() == ["disk_low"]


def test_a_disk_that_is_nearly_full_is_told_where_no_camera_looks(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "data", budget_bytes=-1)
    evening.start()
    evening.act("pause")
    assert [w["code"] for w in evening.session.snapshot()["warnings"]] == ["disk_low"]


def test_a_disk_that_stays_full_costs_no_more_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each throw that waited held its frame of 4 MB, and all but the first were kept with the pictures of later."""

    def frames() -> int:
        return sum(isinstance(each, Frame) for each in gc.get_objects())

    now = [1_790_000_000.0]
    evening = Evening(tmp_path / "data", clock=lambda: now[0])
    evening.start()
    evening.rests("red-8")
    thrown = [f"{colour}-{value}" for colour in ("blue", "green") for value in range(1, 10)]

    def full(*_: Any) -> None:
        raise Refused("disk_full", AsRecorded.AS_RECORDED(text="the disk is full; make room, nothing was changed"))

    with monkeypatch.context() as patched:
        patched.setattr(evening.data.matches, "commit", full)
        before = frames()
        for card in thrown:
            evening.rests(card, "beside")
        assert frames() - before <= MOST_WAITING + QUIET_FRAMES
    now[0] += FULL_RETRY_S + 1.0
    evening.frame()
    assert [line.event["card"] for line in evening.data.matches.lines(evening.game["id"])][1:] == thrown
    kept = {throw["card"]: throw["kept"] for throw in evening.session.throws()}
    assert {card for card, has in kept.items() if has} == {"red-8", *thrown[-MOST_WAITING:]}


def test_pictures_that_find_no_room_do_not_stop_the_game(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "data", budget_bytes=10)
    evening.start()
    evening.rests("red-8")
    assert evening.game["challenge"] == "red-8"
    assert "not_saved" in [w["code"] for w in evening.session.snapshot()["warnings"]]
    throw = evening.session.throws()[0]
    assert (throw["kept"], throw["thumbnail"]) == (False, None)
    assert evening.session.throw(throw["id"])["lie"] is None
    with pytest.raises(Refused) as refusal:
        evening.session.judge_again(throw["id"])
    assert refusal.value.code == "not_kept"
    evening.session.stop()


def test_pictures_of_earlier_rounds_make_room_for_those_of_this_one(tmp_path: Path) -> None:
    """A game that went on for long kept those of its first throws, and none of its last."""

    def three_rounds(budget_bytes: int) -> tuple[list[bool], int]:
        evening = Evening(tmp_path / f"{budget_bytes}", budget_bytes=budget_bytes)
        evening.start()
        for challenge, answer in (("red-8", "blue-3"), ("blue-9", "red-5"), ("green-6", "blue-4")):
            evening.rests(challenge)
            evening.rests(answer, on=[challenge])
            evening.waits(1.0)
            evening.act("duel", choices=dict.fromkeys(evening.game["may_choose"], "peace"))
            evening.frame(*evening.hand.sweeps())
        thrown = sorted(evening.session.throws(), key=lambda throw: throw["line"] or 0)
        used = evening.data.room.state().evidence_bytes
        evening.session.stop()
        return [throw["kept"] for throw in thrown], used

    kept, all_of_them = three_rounds(10**9)
    assert kept == [True] * 6
    kept, used = three_rounds(int(0.6 * all_of_them))
    assert kept[-3:] == [True] * 3
    assert kept[0] is False
    assert used <= 0.6 * all_of_them


def test_a_fault_in_one_picture_is_told_and_the_next_is_judged(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    evening.start()

    def fault(_: Any) -> Any:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(evening.watcher, "feed", fault)
        for _ in range(3):
            evening.frame()
        assert "eye_error" in [w["code"] for w in evening.session.snapshot()["warnings"]]
    assert len([record for record in caplog.records if record.exc_info]) == 1, "where it is, once"
    evening.rests("red-8")
    assert evening.game["challenge"] == "red-8"
    assert evening.session.health()["frame_errors"] == 3


class Flaky:
    """A live camera that breaks, goes, comes back, and ends when it has shown everything."""

    name, live, fps = "flaky", True, 15.0

    def __init__(self, steps: list[Any], seen: threading.Event) -> None:
        self.steps, self.seen = steps, seen

    def read(self) -> Any:
        if not self.steps:
            self.seen.set()
            return None
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        return step

    def close(self) -> None:
        self.steps.clear()


def test_a_lost_camera_is_said_and_taken_up_when_it_is_back(tmp_path: Path) -> None:
    import numpy as np

    from arena_cam.camera.frame import Frame
    from arena_cam.referee.session.session import Eye, Session
    from referee.builders import DECK, TABLE, ScriptedWatcher

    frames = [Frame(np.zeros((48, 64, 3), np.uint8), i / 15, i, "flaky", f"f{i}") for i in range(4)]
    pulled_out, broken = (
        CameraLost(AsRecorded.AS_RECORDED(text="flaky: pulled out")),
        ZeroDivisionError("a fault of the source's own"),
    )
    steps = [frames[0], BadPicture(AsRecorded.AS_RECORDED(text="torn")), pulled_out, frames[1], broken, frames[3]]
    states: list[tuple[bool, str]] = []
    ended = threading.Event()
    session = Session(
        DataFolder(tmp_path / "data"),
        Eye(TABLE, DECK, lambda _: ScriptedWatcher(Hand())),
        Flaky(steps, ended),
        on_state=lambda s: states.append((s["camera"]["connected"], s["eye"]["state"])),
    )
    told = session.subscribe()
    session.start()
    assert ended.wait(5.0)
    within_s = time.monotonic() + 5.0
    while session.running and time.monotonic() < within_s:
        time.sleep(0.01)
    message = told.next(1.0)
    assert message is not None
    health = session.health()
    assert (health["camera"]["frames"], health["camera"]["dropped"], health["frame_errors"]) == (3, 1, 1)
    assert (False, "blind") in states
    assert "the source has ended" in health["camera"]["why"]
    assert [doubt["code"] for doubt in session.snapshot()["eye"]["doubts"]] == ["source_over"]
    session.stop()
    assert told.closed


@pytest.mark.parametrize("live", [True, False])
def test_a_photograph_that_is_waited_for_is_no_trouble(tmp_path: Path, live: bool) -> None:
    """A telephone takes its pictures one at a time: its camera was told to be gone after each."""
    import numpy as np

    from arena_cam.camera.frame import Frame
    from arena_cam.camera.messages import CameraTrouble
    from arena_cam.referee.session.session import Eye, Session
    from referee.builders import DECK, TABLE, ScriptedWatcher

    photo = Frame(np.zeros((48, 64, 3), np.uint8), 0.0, 0, "phone", "f0")
    lost = CameraLost(AsRecorded.AS_RECORDED(text="gone"))
    ended = threading.Event()
    session = Session(
        DataFolder(tmp_path / "data"),
        Eye(TABLE, DECK, lambda _: ScriptedWatcher(Hand())),
        flaky := Flaky([photo, PictureAwaited(CameraTrouble.NEXT_PHOTO()), photo, lost, photo], ended),
    )
    flaky.live = live  # a recording whose disk was pulled out goes on as well
    session.start()
    states = []
    while not ended.wait(0.02):
        state = session.snapshot()
        states.append(([each["code"] for each in state["warnings"]], state["eye"]["why"]))
    session.stop()
    assert flaky.steps == []
    assert ([], "take the next photograph") in states
    assert (["camera_lost"], "gone") in states


def test_actors_may_play_along(tmp_path: Path) -> None:
    """What the simulated table does: asked at every change, it acts through the same door as a page."""
    holder: list[Evening] = []

    def play(snapshot: Any) -> None:
        game = snapshot["game"]
        if game and game["awaiting"] == "duel":
            for player in game["may_choose"]:
                holder[0].act("duel_choice", player, player=player, choice="peace")

    evening = Evening(tmp_path / "data", on_state=play)
    holder.append(evening)
    evening.start()
    evening.rests("red-8")
    evening.rests("blue-3", on=["red-8"])
    evening.waits(1.5)
    assert evening.game["rulings"][-1]["code"] == "both_peace"
    evening.session.stop()


def test_nothing_moves_while_the_eye_is_blind(evening: Evening) -> None:
    evening.start()
    evening.rests("red-8")
    evening.watcher.state, evening.watcher.why = EyeState.BLIND, (Doubt.FEW_FIDUCIALS(),)
    evening.waits(30.0)
    assert evening.game["awaiting"] == "throws"
    evening.watcher.state, evening.watcher.why = EyeState.ARMED, ()
    evening.waits(11.0)
    assert evening.game["awaiting"] == "challenge"


def test_no_clock_runs_down_while_the_camera_is_gone(evening: Evening) -> None:
    """The page counted down to 0 s, and nothing closed."""
    evening.start()
    evening.rests("red-8")
    assert evening.session.snapshot()["countdown"] is not None
    evening.session.lost(AsRecorded.AS_RECORDED(text="unplugged"))
    assert evening.session.snapshot()["countdown"] is None
    evening.frame(after_s=30.0)
    countdown = evening.session.snapshot()["countdown"]
    assert countdown is not None
    assert countdown["seconds_left"] == pytest.approx(9.0, abs=1.0)


def test_time_that_nobody_saw_is_no_quiet_time(evening: Evening) -> None:
    evening.start()
    evening.rests("red-8")
    for _ in range(5):
        evening.frame(after_s=12.0)  # a machine that is too busy, a camera that was gone
    countdown = evening.session.snapshot()["countdown"]
    assert countdown is not None
    assert countdown["seconds_left"] == pytest.approx(5.0, abs=0.1)
    evening.waits(5.0)
    assert evening.game["awaiting"] == "challenge"


def test_unknown_actions_and_a_game_that_is_not_on_are_refused(evening: Evening) -> None:
    for action, code in (("fly", "not_now"), ("close_challenge", "not_now"), ("resume_game", "unknown")):
        with pytest.raises(Refused) as refusal:
            evening.act(action)
        assert refusal.value.code == code
    evening.start()
    with pytest.raises(Refused) as refusal:
        evening.act("fly")
    assert refusal.value.code == "unknown"
    for players in (None, [], "x", [{"name": "A", "colour": "red"}], [{"name": "A", "colour": c} for c in "xyz"]):
        with pytest.raises(Refused) as refusal:
            evening.act("start_game", players=players)
        assert refusal.value.code == "bad_argument"


def test_a_moved_card_gets_evidence_of_its_own(evening: Evening) -> None:
    evening.start()
    evening.rests("red-8")
    evening.rests("blue-3", "diagonal", on=["red-8"])
    evening.frame(evening.hand.moves("blue-3", landing=Landing.FLAT))
    assert [(t["card"], t["landing"]) for t in evening.session.throws()][-1] == ("blue-3", "flat")


NONSENSE: list[Any] = [
    None,
    "",
    "x",
    -1,
    0,
    3,
    1e400,
    float("nan"),
    True,
    [],
    {},
    ["red-8"],
    {"a": 1},
    "\ud800",
    "x" * 30000,
]
KEYS = (
    "players", "options", "first", "name", "game", "player", "choice", "choices", "mode", "seconds", "card", "key",
    "line", "id", "landing", "face", "rests_on", "set", "before", "reason", "also", "preview", "throw", "pinned",
)  # fmt: skip


def test_nonsense_is_refused_and_changes_nothing(evening: Evening) -> None:
    """Thousands of actions with arguments of every kind: Refused or done, never anything else, and the record plays."""
    import random

    evening.start()
    evening.rests("red-8")
    evening.rests("blue-3", on=["red-8"], sure=False)
    chance = random.Random(7)
    known = [evening.game["id"], evening.session.throws()[0]["id"], "blue-3", 2, "flat", "Anna", "peace"]
    refused = 0
    for _ in range(1500):
        action = chance.choice(
            [a for a in (*every_action(), *secret_actions()) if a not in ("start_game", "end_game", "delete_game")]
        )
        keys = chance.sample(KEYS, chance.randint(0, 5))
        args = {key: chance.choice(NONSENSE + known) for key in keys}
        try:
            evening.act(action, **args)
        except Refused:
            refused += 1
        json.dumps(evening.session.snapshot())
    for args in ({"players": value} for value in NONSENSE):
        with pytest.raises(Refused):
            evening.act("start_game", **args)
    assert refused > 1000
    assert evening.session.record(evening.game["id"]).encode("utf-8")


def test_two_games_of_one_second_have_names_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["a1b2", "a1b2", "a1b2", "c3d4"])
    monkeypatch.setattr("secrets.token_hex", lambda _bytes: next(drawn))
    evening = Evening(tmp_path / "data", clock=lambda: 1_700_000_000.0)
    first, second = evening.start(), evening.start()
    assert (first[-4:], second[-4:]) == ("a1b2", "c3d4")
    evening.session.stop()
