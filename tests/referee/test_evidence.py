"""A throw goes out as one zip and can be judged again elsewhere; what comes in from elsewhere is not trusted."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena_cam.domain.errors import BadInput
from arena_cam.domain.lies import Landing
from arena_cam.formats.game_record import read_record, score_record
from arena_cam.referee.keeping.replay import compare, judge_again
from arena_cam.referee.pictures.evidence import read_throw
from referee.builders import Evening, Hand, ScriptedWatcher, lie, reading


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path / "data")
    evening.start()
    evening.rests("red-8")
    evening.rests("blue-3", on=["red-8"])
    evening.waits(1.0)
    yield evening
    evening.session.stop()


@pytest.fixture
def exported(evening: Evening, tmp_path: Path) -> Path:
    file = tmp_path / "throw.zip"
    file.write_bytes(evening.session.export_throw(evening.session.throws()[1]["id"]))
    return file


def test_an_exported_throw_holds_everything(evening: Evening, exported: Path) -> None:
    saved = read_throw(exported)
    assert saved.manifest["lie"]["id"] == "blue-3"
    assert saved.setup == {"table.json": b"{}", "deck/deck.toml": b"name = 'test'"}
    assert saved.ruling is not None
    assert (saved.ruling["verdict"]["code"], saved.ruling["challenge"]) == ("duelling", "red-8")
    assert saved.record is not None
    assert score_record(read_record(saved.record))["state"]["duelling"] == "blue-3"
    assert len(saved.frames) == evening.session.throws()[1]["frames"] >= 2
    assert all(jpeg[:2] == b"\xff\xd8" for _, _, jpeg in saved.frames)


def test_a_throws_folder_reads_as_its_zip_does(exported: Path, tmp_path: Path) -> None:
    folder = sorted((tmp_path / "data" / "games").glob("*/throws/*"))[1]
    from_zip, from_folder = read_throw(exported), read_throw(folder)
    assert from_folder.manifest == from_zip.manifest
    assert from_folder.frames == from_zip.frames
    assert from_folder.judged == from_zip.judged
    assert from_folder.setup == from_zip.setup


def test_judging_again_says_what_differs(evening: Evening) -> None:
    throw = evening.session.throws()[1]["id"]
    same = evening.session.judge_again(throw)
    assert (same["same"], same["differences"]) == (True, [])
    assert same["judgement"]["duelling"] == "blue-3"
    evening.hand.lies["blue-3"] = lie("blue-3", "diagonal")
    again = evening.session.judge_again(throw)
    assert _difference("landing", "blue-3: landing", "flat", "diagonal") in again["differences"]
    assert _difference("rests_on", "blue-3: rests on", ["red-8"], []) in again["differences"]
    del evening.hand.lies["blue-3"]
    again = evening.session.judge_again(throw)
    assert again["lie"] is None
    assert again["differences"] == [_difference("there", "blue-3 is there", True, False)]


def test_the_frames_are_fed_in_order_with_their_times(exported: Path) -> None:
    watcher = ScriptedWatcher(Hand())
    fed: list[float] = []
    watcher.feed = lambda frame: fed.append(frame.time_s) or []  # type: ignore[method-assign, func-returns-value]
    saved = read_throw(exported)
    judge_again(saved, lambda _: watcher, lambda _: None)
    assert fed == sorted(fed)
    assert fed[: len(saved.frames)] == [time_s for _, time_s, _ in saved.frames]


def test_readings_that_differ_by_noise_are_the_same() -> None:
    a = lie("red-8")
    noisy = replace(a, tilt_deg=0.9, confidence=0.98, centre_mm=(0.4, -0.4))
    assert compare(reading([a]), reading([noisy])) == []
    moved = replace(a, tilt_deg=4.0, confidence=0.6, centre_mm=(0.4, -3.0), landing=Landing.DIAGONAL)
    assert [d["what"].partition(": ")[2] for d in compare(reading([a]), reading([moved]))] == [
        "landing", "tilt in degrees", "confidence", "centre in mm"
    ]  # fmt: skip


def rewritten(file: Path, change: dict[str, bytes | None]) -> Path:
    """The zip with some members replaced, added, or (None) left out."""
    out = io.BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(out, "w") as new:
        members = {name: old.read(name) for name in old.namelist()} | change
        for name, content in members.items():
            if content is not None:
                new.writestr(name, content)
    file.write_bytes(out.getvalue())
    return file


def bad_manifest(file: Path, **change: Any) -> bytes:
    with zipfile.ZipFile(file) as archive:
        return json.dumps(json.loads(archive.read("manifest.json")) | change).encode()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"manifest.json": None}, "manifest.json is missing"),
        ({"manifest.json": b"{}"}, "not that of a saved throw"),
        ({"manifest.json": b"[" * 100_000}, "not that of a saved throw"),
        ({"game.jsonl": None}, "game.jsonl is missing"),
        ({"frames/frame-000.jpg": None}, "frame-000.jpg is missing"),
        ({"ruling.json": b"[]x"}, "damaged"),
        ({"../../evil.sh": b"x"}, "not one that arena-cam writes"),
        ({"setup/../../evil": b"x"}, "not one that arena-cam writes"),
        ({"/evil": b"x"}, "not one that arena-cam writes"),
    ],
)
def test_a_zip_that_is_not_ours_is_refused(exported: Path, change: dict[str, bytes | None], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        read_throw(rewritten(exported, change))


def test_a_throw_of_another_format_is_refused(exported: Path) -> None:
    with pytest.raises(BadInput, match="another arena-cam"):
        read_throw(rewritten(exported, {"manifest.json": bad_manifest(exported, format=2)}))


def test_no_file_and_an_empty_folder_say_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read_throw(tmp_path / "none.zip")
    with pytest.raises(BadInput, match="no saved throw"):
        read_throw(tmp_path)


def _difference(code: str, what: str, before: object, after: object) -> dict[str, object]:
    return {"code": code, "card": "blue-3", "what": what, "before": before, "after": after}
