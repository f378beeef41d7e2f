"""Exported throws brought in to be looked at: checked, read-only, never part of a game; judged with their own table."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.camera.picture_size import PNG
from arena_cam.domain.errors import BadInput, Refused
from arena_cam.domain.table import Table
from arena_cam.formats.table_json import table_to_json
from arena_cam.referee.games.dilemmas.part import DilemmasPart
from arena_cam.referee.keeping.opened import MOST_KEPT
from referee.builders import TABLE, Evening


def setup_of(table: Table) -> dict[str, bytes]:
    """A table and a deck of two cards, as evidence.setup_files makes them."""
    png = cv2.imencode(".png", np.full((88, 63, 3), 200, np.uint8))[1].tobytes()
    cards = "".join(f'[[card]]\nid = "{c}-8"\ncolour = "{c}"\nvalue = 8\nimage = "{c}.png"\n' for c in ("red", "blue"))
    return {
        "table.json": json.dumps(table_to_json(table)).encode(),
        "deck/deck.toml": f'name = "two"\nwidth_mm = 63.0\nheight_mm = 88.0\n{cards}'.encode(),
        "deck/red.png": png,
        "deck/blue.png": png,
    }


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Evening]]:
    evenings: list[Evening] = []

    def start(folder: str = "data", table: Table = TABLE) -> Evening:
        evening = Evening(tmp_path / folder, setup=setup_of(table))
        evenings.append(evening)
        return evening

    yield start
    for evening in evenings:
        evening.session.stop()


def thrown(evening: Evening) -> str:
    """Plays a challenge and an answer; the answer's throw."""
    evening.start()
    evening.rests("red-8")
    evening.rests("blue-3", on=["red-8"])
    evening.waits(1.0)
    return str(evening.session.throws()[1]["id"])


def rewritten(content: bytes, change: dict[str, bytes | None]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        members = {name: old.read(name) for name in old.namelist()} | change
        for name, member in members.items():
            if member is not None:
                new.writestr(name, member)
    return out.getvalue()


def member(content: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read(name)


def test_a_throw_from_elsewhere_is_shown_and_mixes_with_nothing(play: Callable[..., Evening]) -> None:
    there, here = play("there"), play("here")
    throw = thrown(there)
    name = here.session.open_export(there.session.export_throw(throw))
    shown: Any = here.session.opened_throw(name)
    own: Any = there.session.throw(throw)
    for key in ("card", "player", "landing", "line", "verdict", "rulings", "lie", "reading", "pictures", "judged"):
        assert shown[key] == own[key], key
    assert shown["frame_of_reference"]["table"]["arena"]["inner_mm"] == [280.0, 280.0]
    for picture in (shown["judged"], shown["thumbnail"], shown["pictures"][0]["name"]):
        assert here.session.opened_picture(name, picture) == there.session.throw_picture(throw, picture)
    assert [each["id"] for each in here.session.opened()] == [name]
    assert (here.session.throws(), here.session.games()) == ([], [])
    with pytest.raises(Refused):
        here.session.throw(name)


def test_a_throw_from_elsewhere_is_judged_again_with_the_table_that_came_with_it(play: Callable[..., Evening]) -> None:
    larger = replace(TABLE, arena=replace(TABLE.arena, inner_mm=(400.0, 300.0)))
    there, here = play("there", larger), play("here")
    throw = thrown(there)
    here.hand.lies.update(there.hand.lies)
    answer = here.session.judge_opened_again(here.session.open_export(there.session.export_throw(throw)))
    assert answer["same"]
    ((table, deck),) = here.looked_with
    assert (table.arena.inner_mm, deck.name) == ((400.0, 300.0), "two")


def test_an_old_throw_keeps_the_table_that_it_was_judged_with(play: Callable[..., Evening]) -> None:
    before = play()
    throw = thrown(before)
    assert before.session.judge_again(throw)["same"]
    assert before.looked_with == [], "the present table needs nothing read anew"
    before.session.stop()
    moved = play(table=replace(TABLE, arena=replace(TABLE.arena, inner_mm=(350.0, 350.0))))
    assert moved.session.throw(throw)["frame_of_reference"]["table"]["arena"]["inner_mm"] == [280.0, 280.0]
    moved.hand.lies.update(before.hand.lies)
    assert moved.session.judge_again(throw)["same"]
    ((table, _),) = moved.looked_with
    assert table.arena.inner_mm == (280.0, 280.0)


def test_the_same_file_is_there_once_and_the_oldest_of_many_goes(play: Callable[..., Evening], tmp_path: Path) -> None:
    evening = play()
    content = evening.session.export_throw(thrown(evening))
    names = [
        evening.session.open_export(rewritten(content, {"setup/table.json": b"{}" + b" " * n}))
        for n in range(MOST_KEPT + 1)
    ]
    assert evening.session.open_export(rewritten(content, {"setup/table.json": b"{}" + b" " * 8})) == names[8]
    assert sorted(each["id"] for each in evening.session.opened()) == sorted(names[1:])
    evening.session.close_opened(names[1])
    with pytest.raises(Refused):
        evening.session.opened_throw(names[1])
    assert len(list((tmp_path / "data" / "opened").iterdir())) == MOST_KEPT - 1


def manifest_with(change: Callable[[dict[str, Any]], object]) -> Callable[[bytes], dict[str, bytes | None]]:
    def changed(content: bytes) -> dict[str, bytes | None]:
        manifest = json.loads(member(content, "manifest.json"))
        change(manifest)
        return {"manifest.json": json.dumps(manifest).encode()}

    return changed


def changed_ruling(content: bytes, **change: object) -> dict[str, bytes | None]:
    return {"ruling.json": json.dumps(json.loads(member(content, "ruling.json")) | change).encode()}


def of_tricks(content: bytes, *, rules: str | None) -> bytes:
    """The same throw as one of tricks would be exported; rules None: by an arena-cam that did not say which game."""
    says = {} if rules is None else {"rules": rules}
    manifest = {name: value for name, value in json.loads(member(content, "manifest.json")).items() if name != "rules"}
    ruling = {name: value for name, value in json.loads(member(content, "ruling.json")).items() if name != "rules"}
    return rewritten(
        content,
        {
            "manifest.json": json.dumps(manifest | says).encode(),
            "ruling.json": json.dumps(ruling | says).encode(),
            "game.jsonl": TRICKS,
        },
    )


def test_a_throw_of_tricks_is_opened_as_one_of_tricks(play: Callable[..., Evening]) -> None:
    """A throw says which game it is of; of those from before it did, only the arena's were ever exported."""
    evening = play()
    content = evening.session.export_throw(thrown(evening))
    assert json.loads(member(content, "manifest.json"))["rules"] == "arena"
    assert json.loads(member(content, "ruling.json"))["rules"] == "arena"
    evening.session.open_export(of_tricks(content, rules="tricks"))
    evening.session.open_export(
        rewritten(of_tricks(content, rules=None), {"game.jsonl": member(content, "game.jsonl")})
    )
    assert len(evening.session.opened()) == 2
    with pytest.raises(BadInput, match=r"is of arena, .* a record of tricks"):
        evening.session.open_export(of_tricks(content, rules=None))


DILEMMAS = b'{"game":"dilemmas","version":1,"players":[{"name":"A"},{"name":"B"}]}\n'
TRICKS = DILEMMAS.replace(b"dilemmas", b"tricks")
HUGE = PNG + b"\0\0\0\rIHDR" + struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
BAD: dict[str, tuple[Callable[[bytes], dict[str, bytes | None]], str]] = {
    "leads out": (lambda _: {"../evil.txt": b"x"}, "not one that arena-cam writes"),
    "is no member": (lambda _: {"run.sh": b"x"}, "does not belong"),
    "is no member of a set-up": (lambda _: {"setup/deck/run.sh": b"x"}, "does not belong"),
    "is a bomb": (lambda _: {"setup/deck/red.png": bytes(30_000_000)}, "far more than it holds"),
    "is no picture": (lambda _: {"thumbnail.jpg": b"<script>"}, "is no picture"),
    "is a picture too large": (lambda _: {"setup/deck/red.png": HUGE}, "50000 x 50000"),
    "has a long record": (lambda c: {"game.jsonl": member(c, "game.jsonl") + b" " * 9_000_000}, "far more|MB"),
    "has no record": (lambda _: {"game.jsonl": b""}, "cannot be played"),
    "has another game's record": (lambda _: {"game.jsonl": TRICKS}, "is of arena, .* a record of tricks"),
    "says two games": (lambda c: changed_ruling(c, rules="tricks"), "is of arena, .* a record of tricks"),
    "has a game that nobody knows": (manifest_with(lambda m: m.update(rules="whist")), "'whist', a game"),
    "has a game that is no name": (manifest_with(lambda m: m.update(rules=["arena"])), "does not know"),
    "leads out by its game": (manifest_with(lambda m: m.update(rules="arena.part")), "does not know"),
    "breaks the rules": (lambda c: {"game.jsonl": member(c, "game.jsonl") + b'{"type":"challenge","card":"red-1"}\n'},
                         "cannot be played"),
    "measured nothing finite": (manifest_with(lambda m: m["lie"].update(tilt_deg=float("nan"))), "no finite number"),
    "measured no numbers": (manifest_with(lambda m: m["lie"].update(tilt_deg="steep")), "not that of a saved throw"),
    "has no outline": (manifest_with(lambda m: m["lie"].update(corners_px=[[0, 0]])), "not that of a saved throw"),
    "has no size": (manifest_with(lambda m: m.update(image_size=[0, 7])), "not that of a saved throw"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_a_file_that_is_not_ours_is_refused_and_not_kept(
    kind: str, play: Callable[..., Evening], tmp_path: Path
) -> None:
    evening = play()
    content = evening.session.export_throw(thrown(evening))
    change, why = BAD[kind]
    with pytest.raises(BadInput, match=why) as refused:
        evening.session.open_export(rewritten(content, change(content)))
    assert str(tmp_path) not in str(refused.value), "a path of this machine is nobody's business"
    assert not list((tmp_path / "data" / "opened").iterdir())


def test_a_file_of_a_game_that_keeps_no_throws_is_refused(
    play: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DilemmasPart, "keeps_throws", False)
    evening = play()
    content = evening.session.export_throw(thrown(evening))
    with pytest.raises(BadInput, match="not thrown"):
        evening.session.open_export(rewritten(content, {"game.jsonl": DILEMMAS}))


@pytest.mark.parametrize("content", [b"", b"PK", b"\x89PNG", bytes(1000)])
def test_what_is_no_zip_is_refused(content: bytes, play: Callable[..., Evening]) -> None:
    with pytest.raises(BadInput, match="no whole zip"):
        play().session.open_export(content)


def test_a_deck_that_names_other_files_is_not_followed(play: Callable[..., Evening], tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "secret.png"), np.zeros((8, 8, 3), np.uint8))
    evening = play()
    content = evening.session.export_throw(thrown(evening))
    deck = member(content, "setup/deck/deck.toml").replace(b'"red.png"', f'"{tmp_path}/secret.png"'.encode())
    name = evening.session.open_export(rewritten(content, {"setup/deck/deck.toml": deck}))
    with pytest.raises(BadInput, match="do not trust"):
        evening.session.judge_opened_again(name)
