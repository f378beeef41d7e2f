"""An evening of dilemmas with tokens: the table photographed, counts corrected by a tap, confirmed, recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_cam.camera.no_camera import NoCamera
from arena_cam.domain.errors import BadInput, Refused
from arena_cam.formats.game_record import play_record, read_record, result_to_json
from arena_cam.referee.game.outfit import EveningOptions, find_outfit, unwatched_eye
from arena_cam.referee.session.session import Session
from arena_cam.store.data_folder import DataFolder
from referee.hexes_table import picture

Json = dict[str, Any]
PLAYERS = [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}, {"name": "Guðrún", "colour": "green"}]
DOUBT = {"code": "token_unclear", "params": {"card": "p-07"}}


def seen(owner: str | None, yes: int, no: int, *doubts: Json, hidden: int = 0) -> Json:
    tokens = {"yes": yes, "no": no, "super_yes": 0, "super_no": 0, "hidden": hidden}
    kinds = [kind for kind, n in tokens.items() for _ in range(n)]
    y = {"red": 7, "blue": 18}.get(str(owner), 30)
    marks = [{"kind": kind, "centre_px": [6 + 10 * n, y], "radius_px": 4.0} for n, kind in enumerate(kinds)]
    return {
        "owner": owner,
        "tokens": tokens,
        "doubts": list(doubts),
        "token_list": marks,
        "centre_px": [52, y],
        "outlines_px": [[[1, 1], [9, 1], [9, 9], [1, 9]]],
    }


class Table:
    def __init__(self, folder: Path) -> None:
        self.reading: Json = {"size_px": [60, 40], "table_doubts": [], "dilemmas": []}
        self.session = Session(
            DataFolder(folder, keep_free_bytes=0), unwatched_eye(lambda _image, _known: self.reading), NoCamera()
        )

    def act(self, action: str, **args: Any) -> Json:
        return self.session.act(action, args, "referee")

    def start(self, **options: Any) -> str:
        game = self.act("start_game", game="dilemmas", players=PLAYERS, options={"rounds": 1, **options})["game"]
        for player in PLAYERS:
            self.act("lay_dilemma", player=player["name"], positive="good", negative="bad")
        return str(game)

    def photo(self, *dilemmas: Json, doubts: tuple[Json, ...] = (), shade: int = 0) -> str:
        self.reading = {**self.reading, "dilemmas": list(dilemmas), "table_doubts": list(doubts)}
        return str(self.session.take_photo(picture(shade), None, "referee")["photo"])

    @property
    def game(self) -> Any:
        return self.session.snapshot()["game"]

    def row(self, player: str) -> Any:
        return next(row for row in self.game["counting"]["rows"] if row["player"] == player)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.session.stop()


CLEAR = (seen("red", 2, 1), seen("blue", 3, 0), seen("green", 0, 3))


def test_a_clear_photograph_is_counted_with_one_confirmation(table: Table) -> None:
    game = table.start()
    photo = table.photo(*CLEAR)
    assert "turn_tokens" in table.session.snapshot()["legal"]
    table.act("turn_tokens")
    assert table.game["over"]
    record = read_record(table.session.record(game))
    events = [event.data for event in record.events][-4:]
    assert [(e["type"], e.get("on"), e.get("yes"), e.get("no")) for e in events] == [
        ("tokens", "Anna", 2, 1),
        ("tokens", "Ben", 3, 0),
        ("tokens", "Guðrún", 0, 3),
        ("reveal", None, None, None),
    ]
    assert events[0]["throw"] == photo
    assert table.session.throw(photo)["line"] is not None
    assert result_to_json(play_record(record))["scores"] == {"Anna": 2, "Ben": 0, "Guðrún": 0}


@pytest.mark.parametrize(
    "doubtful",
    [seen("red", 2, 1, DOUBT), seen("red", 2, 0), seen("red", 2, 0, hidden=1), seen("red", 2, 2)],
    ids=["the eye doubts", "one is missing", "one lies face down", "one too many"],
)
def test_an_unsure_dilemma_is_confirmed_by_hand(table: Table, doubtful: Json) -> None:
    game = table.start()
    table.photo(doubtful, *CLEAR[1:])
    assert [row["sure"] for row in table.game["counting"]["rows"]] == [False, True, True]
    before = table.session.record(game)
    with pytest.raises(Refused, match="Anna"):
        table.act("turn_tokens")
    assert table.session.record(game) == before, "nothing is in the record yet"
    if table.row("Anna")["total"] != 3:
        with pytest.raises(Refused):
            table.act("confirm_count", player="Anna")
        table.act("correct_count", player="Anna", token="no", count=1)
        assert not table.row("Anna")["sure"], "a tap is no confirmation"
    table.act("confirm_count", player="Anna")
    table.act("turn_tokens")
    assert table.game["over"]


def test_a_doubt_about_the_whole_table_makes_every_count_unsure(table: Table) -> None:
    table.start()
    table.photo(*CLEAR, doubts=({"code": "tokens_elsewhere", "params": {"count": 2}},))
    assert not any(row["sure"] for row in table.game["counting"]["rows"])


def test_whose_a_dilemma_is_is_asked_where_no_disc_or_two_alike_lie_there(table: Table) -> None:
    table.start()
    table.photo(seen("red", 2, 1), seen("red", 3, 0), seen(None, 0, 3))
    assert [each["player"] for each in table.game["counting"]["seen"]] == [None, None, None]
    for place, player in enumerate(("Ben", "Anna", "Guðrún")):
        table.act("whose_dilemma", player=player, seen=place)
    assert table.row("Anna")["tokens"]["yes"] == 3
    table.act("whose_dilemma", player="Anna", seen=0)
    assert table.row("Ben")["seen"] is None, "one dilemma each"
    with pytest.raises(Refused):
        table.act("whose_dilemma", player="Anna", seen=7)


def test_without_a_photograph_tokens_are_counted_by_hand(table: Table) -> None:
    table.start()
    for player in PLAYERS:
        table.act("correct_count", player=player["name"], token="yes", count=2)
        table.act("correct_count", player=player["name"], token="no", count=1)
        table.act("confirm_count", player=player["name"])
    table.act("turn_tokens")
    assert table.game["over"]


@pytest.mark.parametrize(("token", "count"), [("maybe", 1), ("yes", -1), ("yes", 4), ("yes", True)])
def test_a_count_that_cannot_be_is_refused(table: Table, token: str, count: int) -> None:
    table.start()
    with pytest.raises(Refused):
        table.act("correct_count", player="Anna", token=token, count=count)


def test_a_photograph_before_all_are_laid_counts_nothing(table: Table) -> None:
    table.act("start_game", game="dilemmas", players=PLAYERS, options={})
    table.photo(*CLEAR)
    assert table.game["counting"] is None
    with pytest.raises(Refused):
        table.act("correct_count", player="Anna", token="yes", count=1)


def test_a_second_photograph_and_a_restart(table: Table, tmp_path: Path) -> None:
    table.start()
    table.photo(seen("red", 1, 1), *CLEAR[1:])
    table.photo(*CLEAR, shade=90)
    table.session.stop()
    again = Table(tmp_path)
    try:
        assert [row["sure"] for row in again.game["counting"]["rows"]] == [True, True, True]
        assert json.dumps(again.game["counting"])
    finally:
        again.session.stop()


def test_a_players_phone_begins_a_count_and_does_not_undo_one(table: Table) -> None:
    table.start()
    table.reading = {**table.reading, "dilemmas": list(CLEAR)}
    table.session.take_photo(picture(5), "Ben", "Ben")
    assert table.row("Anna")["sure"]
    table.act("correct_count", player="Anna", token="yes", count=3)
    table.session.take_photo(picture(6), "Ben", "Ben")
    assert table.row("Anna")["tokens"]["yes"] == 3


def test_a_camera_without_a_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--deck"):
        find_outfit("dilemmas").evening(EveningOptions("0", tmp_path, 15.0))


def votes(table: Table, player: str, ballot: str) -> None:
    table.act("vote_in_secret", player=player, choice=ballot)


def told(table: Table, game: str) -> list[tuple[int, int]]:
    events = [event.data for event in read_record(table.session.record(game)).events if event.data["type"] == "tokens"]
    return [(event["yes"], event["no"]) for event in events]


def test_votes_made_on_phones_are_counted_with_the_tokens(table: Table) -> None:
    game = table.start()
    votes(table, "Anna", "yyn")
    assert [row["due"] for row in table.game["counting"]["rows"]] == [2, 2, 2]
    table.photo(seen("red", 1, 1), seen("blue", 2, 0), seen("green", 0, 2))
    table.act("turn_tokens")
    assert told(table, game) == [(2, 1), (3, 0), (0, 3)]
    assert table.game["over"]
    assert table.game["choices_made"] == []


def test_on_the_own_dilemma_nobody_is_missed_where_that_has_no_vote(table: Table) -> None:
    game = table.start(own_vote=False)
    votes(table, "Anna", "-yn")
    assert [row["due"] for row in table.game["counting"]["rows"]] == [2, 1, 1]
    table.photo(seen("red", 1, 1), seen("blue", 1, 0), seen("green", 0, 1))
    table.act("turn_tokens")
    assert told(table, game) == [(1, 1), (2, 0), (0, 2)]


def test_a_vote_on_a_phone_after_the_photograph_makes_its_counts_unsure(table: Table) -> None:
    table.start()
    table.photo(*CLEAR)
    table.act("confirm_count", player="Anna")
    votes(table, "Ben", "yyn")
    assert not any(row["sure"] for row in table.game["counting"]["rows"])
    with pytest.raises(Refused):
        table.act("turn_tokens")
    with pytest.raises(Refused, match="2"):
        table.act("confirm_count", player="Anna")


def test_no_vote_made_on_a_phone_shows_while_tokens_are_counted(table: Table) -> None:
    """Whatever can be seen is the same to the last letter, however Anna votes; after a restart, too."""
    game = table.start()
    table.photo(seen("red", 1, 1), seen("blue", 2, 0), seen("green", 0, 1))
    shown = []
    for ballot in ("yyn", "nny"):
        votes(table, "Anna", ballot)
        refused = []
        for action, args in (("turn_tokens", {}), ("confirm_count", {"player": "Guðrún"})):
            with pytest.raises(Refused) as why:
                table.act(action, **args)
            refused.append(str(why.value))
        snapshot: Any = {**table.session.snapshot(), "version": 0, "at": 0}
        shown.append((json.dumps(snapshot), table.session.record(game), refused))
    assert shown[0] == shown[1]


def test_votes_on_phones_and_tokens_outlive_a_restart(table: Table, tmp_path: Path) -> None:
    game = table.start()
    votes(table, "Anna", "yyn")
    table.photo(seen("red", 1, 1), seen("blue", 2, 0), seen("green", 0, 2))
    table.session.stop()
    again = Table(tmp_path)
    try:
        assert [row["sure"] for row in again.game["counting"]["rows"]] == [True, True, True]
        again.act("turn_tokens")
        assert told(again, game) == [(2, 1), (3, 0), (0, 3)]
    finally:
        again.session.stop()


def test_a_tap_on_a_token_in_the_photograph_changes_its_kind_until_it_is_none(table: Table) -> None:
    table.start()
    table.photo(seen("red", 1, 1, hidden=1), *CLEAR[1:])
    for kinds in ({"yes": 2, "no": 1}, {"yes": 1, "no": 2}, {"yes": 1, "no": 1}, {"yes": 2, "no": 1}):
        table.act("tap_token", seen=0, token=2)
        assert {token: count for token, count in table.row("Anna")["tokens"].items() if count} == kinds
    assert not table.row("Anna")["sure"], "a tap is no confirmation"
    table.act("confirm_count", player="Anna")
    assert table.row("Anna")["sure"]
    table.act("tap_token", seen=0, token=0)
    assert not table.row("Anna")["sure"]
    for seen_, token in ((0, 9), (7, 0), (-1, 0)):
        with pytest.raises(Refused):
            table.act("tap_token", seen=seen_, token=token)


def test_super_tokens_are_tapped_where_they_are_in_play(table: Table) -> None:
    table.start(supervotes=True, rounds=2)
    table.photo(seen("red", 2, 1), *CLEAR[1:])
    for _ in range(2):
        table.act("tap_token", seen=0, token=0)
    assert table.row("Anna")["tokens"]["super_yes"] == 1


def test_a_colour_that_two_players_have_says_nobodys_dilemma(table: Table) -> None:
    """It said that of the later one, surely."""
    players = [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}, {"name": "Cleo", "colour": "red"}]
    table.act("start_game", game="dilemmas", players=players, options={"rounds": 1})
    for player in players:
        table.act("lay_dilemma", player=player["name"], positive="good", negative="bad")
    table.photo(seen("red", 2, 1), seen("blue", 3, 0))
    assert [each["player"] for each in table.game["counting"]["seen"]] == [None, "Ben"]
