"""What happens is written down for each receiver in the same transaction as the record, and waits until it is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_cam.domain.errors import Refused
from arena_cam.store.backup import backup, restore
from arena_cam.store.data_folder import DataFolder
from arena_cam.store.matches import Change, KeptGame, LoggedLine


def begin(data: DataFolder, id: str = "g1") -> None:
    data.matches.begin(KeptGame(id, "Evening", "arena", {}, 1.0, None, {}, {}), {})


def a_line(number: int) -> LoggedLine:
    return LoggedLine(
        number, float(number), "camera", {"type": "note", "text": str(number)}, ({"code": "noted"},), None
    )


@pytest.fixture
def data(tmp_path: Path) -> Iterator[DataFolder]:
    folder = DataFolder(tmp_path / "data")
    yield folder
    folder.close()


def told(data: DataFolder, receiver: str) -> list[tuple[str, str, str]]:
    """Everything that it is told, in order."""
    out = []
    while (next_one := data.receivers.next_delivery(receiver)) is not None:
        out.append((next_one.kind, next_one.game, next_one.item))
        data.receivers.delivered(next_one.id)
    return out


def test_everything_that_happens_after_it_was_added_waits_in_order(data: DataFolder) -> None:
    begin(data, "before")
    one, other = (data.receivers.add("webhook", {"url": name}).id for name in ("http://a/", "http://b/"))
    begin(data)
    data.matches.commit("g1", Change(lines=(a_line(2), a_line(3)), questions=(("q1", 4.0, {"code": "who"}),)))
    data.matches.commit("g1", Change(lines=(a_line(4),), summary={"over": True}, ended=5.0))
    data.matches.commit("g1", Change(lines=(a_line(5),), summary={"over": True}))
    expected = [
        ("game.started", "g1", ""),
        ("line.added", "g1", "2"),
        ("line.added", "g1", "3"),
        ("question.asked", "g1", "q1"),
        ("line.added", "g1", "4"),
        ("game.ended", "g1", ""),
        ("line.added", "g1", "5"),
    ]
    assert data.receivers.waiting(one) == len(expected)
    assert told(data, one) == expected
    assert data.receivers.waiting(one) == 0
    assert told(data, other) == expected


def test_what_was_not_told_waits_over_a_restart_and_can_be_read(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "data")
    receiver = data.receivers.add("webhook", {})
    begin(data)
    data.matches.commit("g1", Change(lines=(a_line(2),)))
    data.close()
    data = DataFolder(tmp_path / "data")
    first = data.receivers.next_delivery(receiver.id)
    assert first is not None
    data.receivers.delivered(first.id)
    line = data.receivers.next_delivery(receiver.id)
    assert line is not None
    contents = data.receivers.contents(line)
    assert contents is not None
    assert (contents["line"], contents["who"], contents["rulings"]) == (2, "camera", [{"code": "noted"}])
    data.close()


def test_a_game_or_a_receiver_that_goes_takes_along_what_was_to_be_told(data: DataFolder) -> None:
    receiver = data.receivers.add("webhook", {})
    begin(data)
    data.matches.delete("g1")
    assert data.receivers.waiting(receiver.id) == 0
    begin(data, "g2")
    data.receivers.forget_before(receiver.id, 2.0)
    assert data.receivers.waiting(receiver.id) == 0
    data.receivers.remove(receiver.id)
    assert data.receivers.all() == []
    with pytest.raises(Refused, match="there is no receiver"):
        data.receivers.remove(receiver.id)


def test_a_backup_holds_no_way_in(data: DataFolder, tmp_path: Path) -> None:
    data.receivers.add("mqtt", {"password": "a secret of the tests"})
    secret = data.tokens.make("Lamp", ("watch",))[1]
    begin(data)
    backup(data.folder, tmp_path / "all.zip")
    restore(tmp_path / "all.zip", tmp_path / "restored")
    restored = DataFolder(tmp_path / "restored")
    assert restored.receivers.all() == []
    assert restored.tokens.find(secret) is None
    assert [game.id for game in restored.matches.games()] == ["g1"]
    restored.close()
    assert b"a secret of the tests" not in (tmp_path / "restored" / "arena-cam.db").read_bytes()
