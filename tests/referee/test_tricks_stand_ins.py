"""The players of the simulated cloth, whoever begins a recorded deal, and what an evening of tricks needs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.domain.cards import Card, Deck
from arena_cam.domain.errors import BadInput
from arena_cam.formats.deck_toml import save_deck
from arena_cam.referee.game.outfit import EveningOptions, find_outfit
from arena_cam.referee.games.tricks.pack import read_pack
from arena_cam.referee.games.tricks.stand_ins.recorded_deal import RecordedDeal
from arena_cam.referee.games.tricks.stand_ins.simulated_players import SimulatedPlayers
from arena_cam.rules.games.tricks.engine import CARDS
from arena_cam.simulation.tricks.cloth import Clear, LayCard, SweepTrick
from referee.tricks_table import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.session.stop()


class InstantCloth:
    """A cloth on which everything is done at once, and seen."""

    idle = True

    def __init__(self, table: Table) -> None:
        self.table = table
        self.trick: list[str] = []
        self.heaps: tuple[list[str], list[str]] = ([], [])
        self.laid: list[str] = []

    def perform(self, action: Any) -> None:
        lying = [lie.key for lie in self.table.eye.reading.lies]
        if isinstance(action, LayCard):
            self.laid.append(action.card)
            self.table.lays(action.card)
        elif isinstance(action, SweepTrick):
            self.table.takes(*lying)
            self.heaps[action.seat].append(action.score_card)
        elif isinstance(action, Clear):
            self.table.takes(*lying)
            self.heaps = ([], [])


def play(table: Table, players: SimulatedPlayers, steps: int) -> None:
    for _ in range(steps):
        if table.game is not None and table.game["over"]:
            return
        players.play(table.session.snapshot(), time.monotonic())


def test_they_play_whole_games_by_the_rules(table: Table) -> None:
    cloth = InstantCloth(table)
    play(table, SimulatedPlayers(table.session, cloth, pace=0.0), 3000)  # type: ignore[arg-type]
    assert table.game["over"]
    assert table.played == cloth.laid, "every card laid is a play, and nothing else is"
    assert not table.question


class SlowCloth(InstantCloth):
    """A cloth on which a card that is laid is seen a step later, as a camera has it."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.in_hand: list[str] = []

    def perform(self, action: Any) -> None:
        if isinstance(action, LayCard):
            assert not self.in_hand, "the card before it is not seen yet"
            self.laid.append(action.card)
            self.in_hand.append(action.card)
        else:
            super().perform(action)

    def show(self) -> None:
        for card in self.in_hand:
            self.table.lays(card)
        self.in_hand.clear()


def test_a_deal_that_begins_with_a_card_of_the_last_trick_before_it_loses_none(table: Table) -> None:
    """That card was taken for told before it was seen; another was laid over it, and the hand ended a card short."""
    cloth = SlowCloth(table)
    players = SimulatedPlayers(table.session, cloth, seed=1, pace=0.0)  # type: ignore[arg-type]
    for _ in range(80):  # the two deals take 70
        players.play(table.session.snapshot(), time.monotonic())
        players.play(table.session.snapshot(), time.monotonic())
        cloth.show()
    assert cloth.laid[52] in cloth.laid[48:52], "of a seed for which it is so"
    assert table.played == cloth.laid
    assert len(table.played) > 56


def test_without_a_seen_card_they_tell_it_by_hand(table: Table) -> None:
    cloth = SimpleNamespace(idle=True, trick=[], heaps=([], []), perform=lambda _action: None)
    players = SimulatedPlayers(table.session, cloth, pace=0.0)  # type: ignore[arg-type]
    for step in range(40):
        players.play(table.session.snapshot(), step * 20.0)
    assert len(table.played) >= 4


def test_a_trick_that_is_taken_back_is_waited_for_and_then_a_new_game_is_begun(table: Table) -> None:
    cloth = SimpleNamespace(idle=True, trick=[], heaps=([], []), perform=lambda _action: None)
    players = SimulatedPlayers(table.session, cloth, pace=0.0)  # type: ignore[arg-type]
    now_s = 0.0
    while table.game is None or table.game["trick"] != 2 or table.game["table"]:
        now_s += 20.0
        players.play(table.session.snapshot(), now_s)
    for _ in range(2):  # the trick is looked at, then swept
        players.play(table.session.snapshot(), now_s := now_s + 1.0)
    began, told = table.game["id"], table.played
    while table.game["trick"] != 1:
        table.act("undo")
    players.play(table.session.snapshot(), now_s + 1.0)
    assert table.game["id"] == began, "it may be done again"
    table.act("redo")
    assert table.played[:4] == told[:4]
    table.act("undo")
    for seconds in (2.0, 30.0):
        players.play(table.session.snapshot(), now_s + seconds)
    assert table.game["id"] != began


def test_a_deal_that_a_recording_shows_is_begun_once(table: Table) -> None:
    recorded = RecordedDeal(table.session, "deal.mp4")
    for _ in range(3):
        recorded.play(table.session.snapshot(), 0.0)
    assert (table.game["name"], table.game["awaiting"], table.game["to_play"]) == ("deal.mp4", "play", "1")


def pack_folder(folder: Path, names: tuple[str, ...]) -> Path:
    folder.mkdir()
    for name in names:
        cv2.imwrite(str(folder / f"{name}.png"), np.full((88, 63, 3), 240, np.uint8))
    cards = tuple(Card(name, folder / f"{name}.png") for name in names)
    save_deck(folder, Deck("the pack", 63.0, 88.0, 3.0, cards))
    return folder


def test_a_pack_of_51_is_refused_with_the_card_that_is_missing(tmp_path: Path) -> None:
    assert len(read_pack(pack_folder(tmp_path / "whole", CARDS)).cards) == 52
    with pytest.raises(BadInput, match="QH"):
        read_pack(pack_folder(tmp_path / "less", tuple(card for card in CARDS if card != "QH")))


def test_a_joker_in_the_pack_does_no_harm(tmp_path: Path) -> None:
    assert len(read_pack(pack_folder(tmp_path / "more", (*CARDS, "joker"))).cards) == 53


def test_an_evening_needs_a_pack_to_see_cards(tmp_path: Path) -> None:
    outfit = find_outfit("tricks")
    with pytest.raises(BadInput, match="deck learn"):
        outfit.evening(EveningOptions("usb:0", tmp_path, 10.0))
    evening = outfit.evening(EveningOptions("none", tmp_path, 10.0))
    assert evening is not None
    evening.source.close()
