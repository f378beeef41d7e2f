"""The log keeps what was said, in whole steps, across versions and restarts."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena_cam.domain.errors import BadInput, CannotDo, Refused
from arena_cam.store.database import Database, read_key
from arena_cam.store.matches import Change, KeptGame, KeptThrow, LoggedLine, Matches
from arena_cam.store.schema import APPLICATION_ID, STEPS

HEADER = {"game": "arena", "version": 1, "players": [{"name": "Anna", "colour": "red"}]}


def a_game(id: str = "g1", started: float = 100.0) -> KeptGame:
    return KeptGame(id, "Friday", "arena", HEADER, started, None, {"scores": {}}, {})


def a_line(line: int, throw: str | None = None) -> LoggedLine:
    return LoggedLine(line, 100.0 + line, "camera", {"type": "note", "n": line}, ({"code": "x"},), throw)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "arena-cam.db")
    yield database
    database.close()


@pytest.fixture
def matches(database: Database) -> Matches:
    matches = Matches(database)
    matches.begin(a_game(), {"current_game": "g1"})
    return matches


def test_a_committed_step_is_there_after_opening_again(tmp_path: Path, database: Database, matches: Matches) -> None:
    throw = KeptThrow("t1", "g1", 102.0, 5000, {"card": "red-8"})
    matches.commit("g1", Change((a_line(2, "t1"),), (throw,), summary={"scores": {"Anna": 3}}, memory={"k": 1}))
    database.close()
    again = Matches(Database(tmp_path / "arena-cam.db"))
    assert again.lines("g1") == [a_line(2, "t1")]
    assert again.throws("g1") == [throw]
    assert (again.game("g1").summary, again.game("g1").memory) == ({"scores": {"Anna": 3}}, {"k": 1})
    assert again.settings() == {"current_game": "g1"}


def test_a_step_that_fails_leaves_nothing(matches: Matches) -> None:
    matches.commit("g1", Change((a_line(2),)))
    with pytest.raises(CannotDo):
        matches.commit("g1", Change((a_line(3), a_line(2)), memory={"new": True}))
    assert [n.line for n in matches.lines("g1")] == [2]
    assert matches.game("g1").memory == {}


@pytest.mark.parametrize("sql", ["UPDATE lines SET who = 'x'", "DELETE FROM lines", "DELETE FROM lines WHERE line = 2"])
def test_lines_cannot_be_changed_or_taken_away(database: Database, matches: Matches, sql: str) -> None:
    matches.commit("g1", Change((a_line(2),)))
    with pytest.raises(CannotDo, match="never"):
        database.write(lambda c: c.execute(sql))
    assert matches.lines("g1") == [a_line(2)]


def test_a_deleted_game_is_gone_and_others_stay(matches: Matches) -> None:
    matches.begin(a_game("g2", 200.0), {})
    for game in ("g1", "g2"):
        matches.commit(game, Change((a_line(2),), (KeptThrow(f"t-{game}", game, 1.0, 1, {}),)))
    matches.delete("g1")
    assert [game.id for game in matches.games()] == ["g2"]
    assert matches.lines("g1") == []
    assert matches.throws("g1") == []
    assert matches.lines("g2") == [a_line(2)]
    with pytest.raises(Refused) as refusal:
        matches.game("g1")
    assert refusal.value.code == "unknown"


def test_a_choice_stays_secret_in_its_table_until_the_duel_is_written(matches: Matches) -> None:
    matches.commit("g1", Change(choices={"Anna": "conflict"}))
    matches.commit("g1", Change(choices={"Anna": "peace"}))
    assert matches.choices("g1") == {"Anna": "peace"}
    matches.commit("g1", Change((a_line(2),), clear_choices=True))
    assert matches.choices("g1") == {}


def test_an_answer_stands_beside_its_question_and_no_other(database: Database, matches: Matches) -> None:
    matches.commit("g1", Change(questions=(("q1", 5.0, {"id": "q1"}), ("q2", 6.0, {"id": "q2"}))))
    matches.commit("g1", Change(answers={"q1": {"choice": "yes"}}))
    rows = database.rows("SELECT question, answer FROM questions WHERE game = ? ORDER BY rowid", ("g1",))
    answers = {json.loads(row["question"])["id"]: row["answer"] for row in rows}
    assert json.loads(answers["q1"]) == {"choice": "yes"}
    assert answers["q2"] is None


def test_starting_a_game_ends_the_one_before(matches: Matches) -> None:
    matches.begin(a_game("g2", 200.0), {}, end_before="g1")
    assert [(game.id, game.ended) for game in matches.games()] == [("g2", None), ("g1", 200.0)]
    matches.reopen("g1", {"current_game": "g1"})
    assert matches.game("g1").ended is None


def test_a_file_of_an_older_version_is_brought_up_to_date_and_kept_aside(tmp_path: Path) -> None:
    file = tmp_path / "arena-cam.db"
    old = sqlite3.connect(file)
    old.executescript(STEPS[0])
    old.executescript(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1;")
    old.execute("INSERT INTO games (id, name, game, header, started) VALUES ('g1', 'Old', 'arena', '{}', 1.0)")
    old.execute("INSERT INTO throws (id, game, at, bytes, about) VALUES ('t1', 'g1', 2.0, 10, '{}')")
    old.execute("INSERT INTO lines VALUES ('g1', 2, 2.0, 'camera', '{\"type\":\"note\"}', '[]', 't1')")
    old.commit()
    old.close()
    database = Database(file)
    matches = Matches(database)
    assert matches.throws("g1") == [KeptThrow("t1", "g1", 2.0, 10, {}, pinned=False, removed=None)]
    assert [n.event for n in matches.lines("g1")] == [{"type": "note"}]
    matches.pin("t1", True)
    assert matches.throw("t1").pinned
    database.close()
    aside = sqlite3.connect(tmp_path / f"arena-cam.before-version-{len(STEPS)}.db")
    assert aside.execute("PRAGMA user_version").fetchone() == (1,)
    assert aside.execute("SELECT name FROM games").fetchall() == [("Old",)]
    aside.close()
    Database(file).close()


def test_a_file_of_a_newer_version_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "arena-cam.db"
    Database(file).close()
    newer = sqlite3.connect(file)
    newer.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    newer.close()
    before = file.read_bytes()
    with pytest.raises(BadInput, match="newer arena-cam"):
        Database(file)
    assert file.read_bytes() == before


def test_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "arena-cam.db"
    other = sqlite3.connect(file)
    other.execute("CREATE TABLE recipes (name)")
    other.commit()
    other.close()
    with pytest.raises(BadInput, match="another program"):
        Database(file)


def test_a_file_that_is_no_database_says_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "arena-cam.db"
    file.write_bytes(b"torn" * 4000)
    with pytest.raises(CannotDo, match="restore a backup"):
        Database(file)


def test_writing_is_fully_synchronised(database: Database) -> None:
    assert database.rows("PRAGMA journal_mode") == [{"journal_mode": "wal"}]
    assert database.rows("PRAGMA synchronous") == [{"synchronous": 2}]


@pytest.mark.parametrize("value", [None, 3, b"g1"])
def test_a_row_without_its_name_is_a_damaged_database(value: object) -> None:
    """A flipped bit in a row's header makes NULL of a key, which no statement of ours could write."""
    with pytest.raises(CannotDo, match="damaged.*restore"):
        read_key(value)
    assert read_key("g1") == "g1"


def test_games_are_found_by_their_title_and_by_their_players_whatever_the_accents(matches: Matches) -> None:
    for number, (name, player) in enumerate([("Jól 2025", "Ólöf"), ("Friday again", "Þór"), ("100 % luck", "anna")]):
        header = {**HEADER, "players": [{"name": player, "colour": "red"}]}
        matches.begin(replace(a_game(f"h{number}", 200.0 + number), name=name, header=header), {})
    wanted = {
        "olof": ["h0"],
        "JÓL": ["h0"],
        "friday": ["h1", "g1"],
        "Anna": ["h2", "g1"],
        "þÓR": ["h1"],
        "%": ["h2"],
        "x": [],
    }
    assert {words: [game.id for game in matches.games(words=words)] for words in wanted} == wanted
    assert [game.id for game in matches.games(1, 1, "anna")] == ["g1"]
