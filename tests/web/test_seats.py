"""Which phone sits where: one browser a seat, a cookie as proof, nobody's seat lost by a restart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest
from flask import Flask
from flask import session as cookie

from arena_cam.domain.errors import Refused
from arena_cam.referee.interface import GameSnapshot
from arena_cam.web.access.seats import Seats


def game(name: str = "g1", *players: str) -> GameSnapshot:
    return cast(GameSnapshot, {"id": name, "players": [{"name": each} for each in players or ("Anna", "Bernhard")]})


class Phone:
    """A browser that keeps its cookie from one request to the next."""

    app = Flask("seats")
    app.secret_key = "test"

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}

    @contextmanager
    def asks(self) -> Iterator[None]:
        with self.app.test_request_context():
            cookie.update(self.kept)
            yield
            self.kept = dict(cookie)

    def takes(self, seats: Seats, player: str, of: GameSnapshot | None = None) -> None:
        with self.asks():
            seats.take(of or game(), player)

    def mine(self, seats: Seats, of: GameSnapshot | None = None) -> str | None:
        with self.asks():
            return seats.mine(of or game())


@pytest.fixture
def seats() -> Seats:
    return Seats()


def test_a_seat_that_is_taken_is_that_browser_s_alone(seats: Seats) -> None:
    first, second = Phone(), Phone()
    first.takes(seats, "Anna")
    assert (first.mine(seats), second.mine(seats)) == ("Anna", None)
    with pytest.raises(Refused) as taken:
        second.takes(seats, "Anna")
    assert taken.value.code == "seat_taken"
    assert seats.taken(game()) == (("Anna", True), ("Bernhard", False))


def test_whoever_moves_to_another_seat_gives_up_the_first(seats: Seats) -> None:
    first, second = Phone(), Phone()
    first.takes(seats, "Anna")
    first.takes(seats, "Bernhard")
    second.takes(seats, "Anna")
    assert (first.mine(seats), second.mine(seats)) == ("Bernhard", "Anna")


def test_nobody_sits_down_as_somebody_who_does_not_play(seats: Seats) -> None:
    with pytest.raises(Refused) as unknown:
        Phone().takes(seats, "Carla")
    assert unknown.value.code == "unknown"


def test_after_a_restart_the_cookie_is_proof_enough(seats: Seats) -> None:
    phone, other = Phone(), Phone()
    phone.takes(seats, "Anna")
    restarted = Seats()
    assert phone.mine(restarted) == "Anna"
    with pytest.raises(Refused):
        other.takes(restarted, "Anna")


def test_a_seat_is_kept_in_the_next_game_of_a_player_of_that_name(seats: Seats) -> None:
    """In a rematch every phone asked "Who are you?"."""
    anna, ben = Phone(), Phone()
    anna.takes(seats, "Anna")
    ben.takes(seats, "Bernhard")
    following = game("g2", "Carla", "Anna")
    assert seats.taken(following) == (("Carla", False), ("Anna", True))
    assert (anna.mine(seats, following), ben.mine(seats, following)) == ("Anna", None)
    with pytest.raises(Refused):
        ben.takes(seats, "Anna", following)
    assert anna.mine(Seats(), following) == "Anna", "after a restart, too"
    assert ben.mine(Seats(), following) is None
    assert seats.taken(None) == ()


def test_a_seat_of_an_earlier_evening_is_nobodys_proof(seats: Seats) -> None:
    anna, other = Phone(), Phone()
    anna.takes(seats, "Anna")
    tonight, started_anew = game("g7"), Seats()
    assert anna.mine(started_anew, tonight) is None
    other.takes(started_anew, "Anna", tonight)
    assert (anna.mine(started_anew, tonight), other.mine(started_anew, tonight)) == (None, "Anna")


def test_a_freed_seat_is_free_in_the_next_game(seats: Seats) -> None:
    old, new = Phone(), Phone()
    old.takes(seats, "Anna")
    seats.free("Anna")
    assert old.mine(seats, game("g2")) is None
    new.takes(seats, "Anna", game("g2"))
    assert (old.mine(seats, game("g2")), new.mine(seats, game("g2"))) == (None, "Anna")


def test_a_freed_seat_is_not_the_old_phone_s_any_more(seats: Seats) -> None:
    old, new = Phone(), Phone()
    old.takes(seats, "Anna")
    seats.free("Anna")
    assert old.mine(seats) is None
    new.takes(seats, "Anna")
    assert (old.mine(seats), new.mine(seats)) == (None, "Anna")


def test_who_leaves_frees_the_seat_and_forgets_it(seats: Seats) -> None:
    phone, other = Phone(), Phone()
    phone.takes(seats, "Anna")
    with phone.asks():
        seats.leave(game())
    assert phone.mine(seats) is None
    assert "seat" not in phone.kept
    other.takes(seats, "Anna")
    with phone.asks():
        seats.leave(game())  # it has none: nobody else's is freed
    assert other.mine(seats) == "Anna"


def test_a_stream_is_told_when_its_seat_is_lost(seats: Seats) -> None:
    phone = Phone()
    phone.takes(seats, "Anna")
    with phone.asks():
        holds = seats.keeper()
    assert holds(game())
    assert holds(game("g2"))
    assert not holds(game("g3", "Bernhard", "Carla"))
    assert not holds(None)
    phone.takes(seats, "Anna")
    seats.free("Anna")
    assert not holds(game())


def test_present_is_who_sits_there_and_is_in_touch(seats: Seats) -> None:
    phone = Phone()
    assert not seats.present("Anna")
    phone.takes(seats, "Anna")
    assert not seats.present("Anna")
    first, second = seats.watch("Anna"), seats.watch("Anna")
    assert seats.present("Anna")
    first()
    assert seats.present("Anna")
    second()
    assert not seats.present("Anna")


@pytest.mark.parametrize("forged", ["Anna", {"game": "g1"}, {"game": "g1", "player": "Anna"}, ["g1", "Anna"], None])
def test_a_cookie_of_another_shape_is_no_proof_of_a_taken_seat(seats: Seats, forged: object) -> None:
    Phone().takes(seats, "Anna")
    other = Phone()
    other.kept = {"seat": forged}
    assert other.mine(seats) != "Anna"
