"""Who came where, kept beside the games: found quickly, and made again whenever a record grows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_cam.store.database import Database
from arena_cam.store.matches import Change, KeptGame, LoggedLine, Matches
from arena_cam.store.results import Result, Results


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "arena-cam.db")
    yield database
    database.close()


@pytest.fixture
def matches(database: Database) -> Matches:
    return Matches(database)


@pytest.fixture
def results(database: Database) -> Results:
    return Results(database)


def play(matches: Matches, name: str, started: float, lines: int = 3, over: bool = True) -> None:
    """A game with so many lines after its header."""
    matches.begin(KeptGame(name, name, "arena", {"game": "arena"}, started, None, {}, {}), {})
    more(matches, name, 2, lines, over)


def more(matches: Matches, name: str, first: int, lines: int, over: bool) -> None:
    logged = tuple(LoggedLine(first + n, 1.0, "camera", {"type": "note"}) for n in range(lines))
    matches.commit(name, Change(logged, summary={"over": over}))


def result(name: str, player: str = "Anna", place: int = 1, started: float = 1.0, kind: str = "arena") -> Result:
    return Result(name, player, kind, started, 12.5, place, 3, {"duels": 4, "won": [1, 2]})


def test_what_is_put_is_found_as_it_was(results: Results, matches: Matches) -> None:
    play(matches, "g1", 1.0)
    put = [result("g1"), result("g1", "Bernhard", 2)]
    results.put("g1", put, 4)
    assert results.all("arena") == put
    assert results.all("hexes") == []
    assert results.kinds() == ["arena"]


def test_results_come_in_the_order_in_which_games_began_and_by_place(results: Results, matches: Matches) -> None:
    for name, started in (("g1", 5.0), ("g2", 2.0)):
        play(matches, name, started)
        results.put(name, [result(name, "Zoe", 1, started), result(name, "Anna", 2, started)], 4)
    assert [(each.game, each.player) for each in results.all("arena")] == [
        ("g2", "Zoe"),
        ("g2", "Anna"),
        ("g1", "Zoe"),
        ("g1", "Anna"),
    ]


def test_a_game_is_stale_until_the_results_of_its_whole_record_are_there(results: Results, matches: Matches) -> None:
    play(matches, "g2", 2.0)
    play(matches, "g1", 1.0)
    play(matches, "on", 3.0, over=False)
    assert results.stale() == ["g1", "g2"]
    results.put("g1", [result("g1")], 4)
    assert results.stale() == ["g2"]
    more(matches, "g1", 5, 1, over=True)  # a correction after the end
    assert results.stale() == ["g1", "g2"]


def test_what_was_written_to_since_is_told_and_nothing_else_is_looked_at(results: Results, matches: Matches) -> None:
    play(matches, "g1", 1.0)
    everything, first = results.touched(0)
    play(matches, "g2", 2.0)
    matches.delete("g1")
    touched, second = results.touched(first)
    assert everything == {"g1"}
    assert {"g2"} <= touched <= {"g1", "g2"}
    assert results.stale(touched) == ["g2"]
    assert results.stale(()) == results.gone(()) == []
    results.put("g2", [result("g2")], 4)
    assert results.of(["g2", "g3"]) == [result("g2")]
    assert "g1" not in results.touched(second)[0], "the results that were put are no news"


def test_a_game_that_somebody_goes_on_with_has_results_no_more(results: Results, matches: Matches) -> None:
    play(matches, "g1", 1.0)
    results.put("g1", [result("g1")], 4)
    assert results.gone() == []
    more(matches, "g1", 5, 1, over=False)
    assert results.gone() == ["g1"]
    results.put("g1", [], 5)
    assert (results.gone(), results.all("arena")) == ([], [])


def test_newer_results_take_the_place_of_older_ones(results: Results, matches: Matches) -> None:
    play(matches, "g1", 1.0)
    results.put("g1", [result("g1"), result("g1", "Bernhard", 2)], 3)
    results.put("g1", [result("g1", "Bernhard", 1)], 4)
    assert [(each.player, each.place) for each in results.all("arena")] == [("Bernhard", 1)]
