"""Players over evenings: what is kept of them is what their records say, and follows every correction."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from arena_cam.domain.errors import Refused
from arena_cam.referee.game.ledger import Ledger
from arena_cam.referee.keeping.people import People
from arena_cam.referee.keeping.ratings import Rating, Ratings
from arena_cam.referee.keeping.reports import Reports, summary_of
from arena_cam.rules import all_games
from arena_cam.rules.header import read_header
from arena_cam.rules.random_play import random_event
from arena_cam.store.data_folder import DataFolder
from arena_cam.store.matches import Change, KeptGame, LoggedLine

NAMES = ("Anna", "Bo", "Cleo", "Dan")
COLOURS = ("red", "blue", "green", "yellow")


def whole_game(seed: int, players: tuple[str, ...] = NAMES) -> Ledger:
    """A game of the arena, played to its end at random."""
    chance = random.Random(seed)
    seats = [{"name": name, "colour": colour} for name, colour in zip(players, COLOURS, strict=False)]
    header = {"game": "arena", "version": 1, "players": seats}
    game, _, state = read_header(header)
    events: list[dict[str, Any]] = []
    while not game.result(state)["over"]:
        event = random_event(game.legal(state), chance.choice)
        events.append(event)
        state, _ = game.apply(state, game.read(event, len(events) + 1))
    return Ledger.open(header, events)


def keep(data: DataFolder, name: str, ledger: Ledger, started: float) -> None:
    header = {"game": "arena", "version": 1, "players": ledger.record.header.data["players"]}
    kept = KeptGame(name, name, "arena", header, started, None, summary_of(Ledger.open(header)), {})
    data.matches.begin(kept, {})
    lines = tuple(LoggedLine(each.number, started, "test", dict(each.data), (), None) for each in ledger.record.events)
    data.matches.commit(name, Change(lines=lines, summary=summary_of(ledger)))


@pytest.fixture
def data(tmp_path: Path) -> Any:
    folder = DataFolder(tmp_path / "data", keep_free_bytes=0)
    yield folder
    folder.close()


def people(data: DataFolder) -> People:
    return People(data, Reports(data.matches, data.pictures))


def test_what_is_kept_of_players_is_what_their_records_say(data: DataFolder) -> None:
    ledgers = [whole_game(seed) for seed in range(6)]
    for number, ledger in enumerate(ledgers):
        keep(data, f"g{number}", ledger, 1000.0 + number)
    found = people(data)
    for name in NAMES:
        person = found.person("arena", name)
        assert person["games"] == 6
        assert [game["game"] for game in person["played"]] == [f"g{number}" for number in reversed(range(6))]
        assert person["points"] == pytest.approx(sum(ledger.result["scores"][name] for ledger in ledgers) / 6)
        assert person["wins"] == sum(name in ledger.result["winners"] for ledger in ledgers)
        thrown = [line.data for ledger in ledgers for line in ledger.record.events if line.data["type"] == "throw"]
        own = [event for event in thrown if str(event["card"]).startswith(COLOURS[NAMES.index(name)])]
        assert person["figures"]["throws"] == len(own)
        for other in person["against"]:
            assert other["before"] + other["level"] + other["behind"] == other["games"] == 6


def test_recomputed_from_all_records_everything_is_the_same(data: DataFolder) -> None:
    for number in range(4):
        keep(data, f"g{number}", whole_game(number, NAMES[: 3 + number % 2]), 1000.0 + number)
    kept = people(data)
    before = kept.table("arena"), [kept.person("arena", name) for name in NAMES]
    for number in range(4):
        data.results.put(f"g{number}", (), 0)
    again = people(data)
    assert (again.table("arena"), [again.person("arena", name) for name in NAMES]) == before


def test_a_game_that_is_not_over_counts_for_nobody_and_one_gone_on_with_no_more(data: DataFolder) -> None:
    whole = whole_game(1)
    keep(data, "over", whole, 1000.0)
    found = people(data)
    assert [person["games"] for person in found.table("arena")] == [1] * 4
    strike = {"type": "amend", "line": whole.record.events[-1].number, "set": {"type": "note"}}
    corrected = whole.appended([strike])
    assert not corrected.result["over"]
    line = LoggedLine(whole.next_line, 1001.0, "test", strike, (), None)
    data.matches.commit("over", Change(lines=(line,), summary=summary_of(corrected)))
    assert found.table("arena") == []
    with pytest.raises(Refused):
        found.person("arena", "Anna")


def test_a_correction_of_a_finished_game_reaches_its_players(data: DataFolder) -> None:
    whole = whole_game(2)
    keep(data, "g", whole, 1000.0)
    found = people(data)
    before = {person["name"]: person["points"] for person in found.table("arena")}
    duel = next(line for line in whole.record.events if line.data["type"] == "duel")
    other = dict.fromkeys(duel.data["choices"], "peace")
    amend = {"type": "amend", "line": duel.number, "set": {"choices": other}}
    corrected = whole.appended([amend])
    line = LoggedLine(whole.next_line, 1001.0, "test", amend, (), None)
    data.matches.commit("g", Change(lines=(line,), summary=summary_of(corrected)))
    after = {person["name"]: person["points"] for person in found.table("arena")}
    assert after == {name: float(points) for name, points in corrected.result["scores"].items()}
    assert (after == before) == (corrected.result["scores"] == whole.result["scores"])


def test_a_deleted_game_leaves_no_result(data: DataFolder) -> None:
    keep(data, "g", whole_game(3), 1000.0)
    found = people(data)
    assert found.kinds() == ["arena"]
    data.matches.delete("g")
    assert found.kinds() == []


def test_what_is_followed_game_by_game_is_what_is_found_afterwards(data: DataFolder) -> None:
    """Games end, are gone on with, corrected and deleted; whoever looked each time knows what a newcomer finds."""
    followed, other = people(data), people(data)
    wholes = {f"g{number}": whole_game(10 + number, NAMES[: 3 + number % 2]) for number in range(5)}
    for number, (name, whole) in enumerate(wholes.items()):
        keep(data, name, whole, 1000.0 - number)  # each before the last: ratings are reckoned anew
        assert other.table("arena") == followed.table("arena")
    whole = wholes["g2"]
    strike = {"type": "amend", "line": whole.record.events[-1].number, "set": {"type": "note"}}
    line = LoggedLine(whole.next_line, 1001.0, "test", strike, (), None)
    data.matches.commit("g2", Change(lines=(line,), summary=summary_of(whole.appended([strike]))))
    assert followed.table("arena") == people(data).table("arena")
    data.matches.delete("g3")
    assert followed.table("arena") == people(data).table("arena") == other.table("arena")
    assert [followed.person("arena", name) for name in NAMES] == [people(data).person("arena", name) for name in NAMES]


def test_who_wins_more_is_rated_higher_and_games_narrow_the_doubt() -> None:
    ratings = Ratings()
    ratings.follow([(f"g{number}", (("Anna", 1), ("Bo", 2), ("Cleo", 3))) for number in range(12)])
    anna, bo, cleo = (ratings.of(name) for name in ("Anna", "Bo", "Cleo"))
    assert anna.mean > bo.mean > cleo.mean
    assert all(each.sd < Rating().sd for each in (anna, bo, cleo))
    assert ratings.of("nobody") == Rating()


def test_ratings_of_a_changed_list_are_those_of_the_list_from_its_beginning() -> None:
    chance = random.Random(4)
    games = [(f"g{n}", tuple(zip(chance.sample(NAMES, 3), (1, 2, 2), strict=True))) for n in range(20)]
    grown = Ratings()
    grown.follow(games[:12])
    grown.follow(games)
    changed = [*games[:7], ("g7", (("Anna", 1), ("Dan", 2))), *games[8:15]]
    grown.follow(changed)
    fresh = Ratings()
    fresh.follow(changed)
    for name in NAMES:
        assert grown.of(name) == fresh.of(name)
        assert grown.after(name) == fresh.after(name)


def test_a_game_played_alone_changes_no_rating() -> None:
    ratings = Ratings()
    ratings.follow([("g", (("Anna", 1),))])
    assert ratings.of("Anna") == Rating()


def test_every_game_can_be_looked_at(data: DataFolder) -> None:
    found = people(data)
    for kind in all_games():
        assert found.table(kind) == []
