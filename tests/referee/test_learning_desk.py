"""A deck that somebody owns, learned at the desk: cards are laid under a running camera and named on the page."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import Refused
from arena_cam.formats.deck_folder import DeckFolder
from arena_cam.formats.deck_toml import read_deck
from arena_cam.referee.setup.desk import Chosen
from arena_cam.referee.setup.lesson import unfinished
from referee.setup_scenes import SettingUp, empty_table, scene, table_with_card
from shared_decks import deck_in

SIZE = (1280, 720)  # a card must not be too small to be learned
NAMES = ("red-1", "blue-7")


@pytest.fixture
def deck(deck_folder: Path) -> Deck:
    return deck_in(deck_folder)


@pytest.fixture
def start(tmp_path: Path, deck_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], SettingUp]]:
    for module in ("desk", "files"):  # a deck of two cards and their back
        monkeypatch.setattr(f"arena_cam.referee.setup.{module}.ARENA_NAMES", NAMES)
    running: list[SettingUp] = []

    def starting() -> SettingUp:
        chosen = Chosen(scene(SIZE).table, None, deck_in(deck_folder), deck_folder)
        running.append(SettingUp(tmp_path / "table", deck_folder, in_use=chosen, image=empty_table(SIZE)))
        running[-1].desk.act("begin", {})
        running[-1].wait_for(lambda s: s["picture"])
        return running[-1]

    yield starting
    for each in running:
        each.stop()


def learning(at: SettingUp, true: Callable[[Any], Any]) -> Any:
    """Waits until `true` of what is said of the deck that is learned."""
    return at.wait_for(lambda s: s["deck"]["learning"] is not None and true(s["deck"]["learning"]))["deck"]["learning"]


def taken(at: SettingUp, image: Any) -> Any:
    """Lays a card that no code names, and waits until it was taken."""
    at.camera.show(image)
    return learning(at, lambda so: so["state"] == "taken")


def emptied(at: SettingUp) -> None:
    at.camera.show(empty_table(SIZE))
    learning(at, lambda so: so["state"] == "empty")


def left_as_taken(folder: Path, deck: Deck) -> None:
    """A deck folder as a program leaves it that is killed while cards are laid."""
    kept = DeckFolder(folder, (63.0, 88.0), names=NAMES)
    for name in NAMES:
        kept.put(name, deck.by_id[name].image.read_bytes(), 3.0, taken=True)


def code(at: SettingUp, action: str, **args: Any) -> str:
    with pytest.raises(Refused) as refused:
        at.desk.act(action, args)
    return refused.value.code


@pytest.fixture(autouse=True)
def no_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A published deck has no codes on its cards."""
    monkeypatch.setattr("arena_cam.referee.setup.lesson.codes_in", lambda _: [])


def test_a_deck_is_learned_named_interrupted_and_gone_on_with(start: Callable[[], SettingUp], deck: Deck) -> None:
    at = start()
    assert code(at, "name_card", taken="taken-1", card="red-1") == "not_now"
    assert code(at, "start_learning", name="../evil") == "bad_argument"
    at.desk.act("start_learning", {"name": "ours"})
    learning(at, lambda so: so["state"] == "empty")
    waiting = taken(at, table_with_card(deck, "red-1", SIZE))["waiting"]
    assert [each["colour"] for each in waiting] == ["red"]
    picture = at.desk.picture(waiting[0]["id"])
    assert picture is not None
    assert picture.startswith(b"\x89PNG")
    at.desk.act("turn_card", {"taken": waiting[0]["id"]})
    assert at.desk.picture(waiting[0]["id"]) != picture
    at.desk.act("turn_card", {"taken": waiting[0]["id"]})
    assert code(at, "name_card", taken=waiting[0]["id"], card="pink-1") == "bad_argument"
    at.desk.act("name_card", {"taken": waiting[0]["id"], "card": "red-1"})
    assert learning(at, lambda so: so["state"] == "learned")["missing"] == ["blue-7", "back"]
    assert code(at, "leave_out_card", taken=waiting[0]["id"]) == "not_now"
    at.desk.act("stop_learning", {})
    at.wait_for(lambda s: s["deck"]["light"] is None)

    choice = next(c for c in at.desk.snapshot()["deck"]["choices"] if c["name"] == "ours")
    assert (choice["cards"], choice["missing"]) == (1, 2)
    at.desk.act("start_learning", {"name": "ours"})
    learning(at, lambda so: so["state"] == "empty" or so["state"] == "looking")
    emptied(at)
    at.camera.show(table_with_card(deck, "red-1", SIZE, turn_deg=-30.0))
    assert learning(at, lambda so: so["state"] == "known")["card"] == "red-1"
    emptied(at)
    first = taken(at, table_with_card(deck, "blue-7", SIZE))["waiting"]
    emptied(at)
    at.camera.show(table_with_card(deck, "", SIZE, face_down=True))  # laid while the one before has no name yet
    both = learning(at, lambda so: len(so["waiting"]) == 2)["waiting"]
    assert both[0] == first[0]
    at.desk.act("name_card", {"taken": both[1]["id"], "card": "back"})
    assert code(at, "name_card", taken=both[0]["id"], card="red-1") == "exists"
    at.desk.act("name_card", {"taken": both[0]["id"], "card": "blue-7"})

    assert learning(at, lambda so: not so["missing"])["waiting"] == []
    at.wait_for(lambda s: s["deck"]["chosen"] == "folder:ours")  # once all are in one light
    learned = read_deck(at.decks / "ours")
    assert [card.id for card in learned.cards] == list(NAMES)
    assert learned.back is not None
    assert (learned.width_mm, learned.height_mm) == pytest.approx((63.0, 88.0), abs=0.4)

    at.desk.act("learn_again", {"card": "blue-7"})
    assert learning(at, lambda so: so["missing"])["missing"] == ["blue-7"]
    assert code(at, "learn_again", card="pink-9") == "bad_argument"


def test_in_order_nothing_is_asked_and_what_cannot_be_taken_is_explained(
    start: Callable[[], SettingUp], deck: Deck
) -> None:
    at = start()
    at.desk.act("start_learning", {"name": "ours", "card_mm": [63, 88], "in_order": True})
    learning(at, lambda so: so["state"] == "empty")
    for card in NAMES:
        at.camera.show(table_with_card(deck, card, SIZE))
        assert learning(at, lambda so: so["state"] == "learned")["card"] == card
        emptied(at)
    blinded = empty_table(SIZE).copy()
    blinded[:] = 90
    at.camera.show(blinded)
    assert learning(at, lambda so: so["state"] == "refused")["said"]["code"] == "not_taken_fiducials"
    assert learning(at, lambda so: so["missing"])["missing"] == ["back"]


def test_a_lesson_that_the_program_ends_in_is_brought_into_one_light(
    start: Callable[[], SettingUp], deck: Deck
) -> None:
    at = start()
    at.desk.act("start_learning", {"name": "ours", "in_order": True})
    learning(at, lambda so: so["state"] == "empty")
    at.camera.show(table_with_card(deck, "red-1", SIZE))
    learning(at, lambda so: so["state"] == "learned")
    assert DeckFolder(at.decks / "ours", None).uneven
    at.stop()
    assert not DeckFolder(at.decks / "ours", None).uneven


def test_a_deck_whose_program_was_killed_is_brought_into_one_light_before_it_is_chosen(
    start: Callable[[], SettingUp], deck: Deck
) -> None:
    at = start()
    left_as_taken(at.decks / "ours", deck)
    assert unfinished(at.decks / "ours") is not None
    at.desk.act("choose_deck", {"deck": "folder:ours"})
    at.wait_for(lambda s: s["deck"]["chosen"] == "folder:ours")
    assert unfinished(at.decks / "ours") is None


def test_while_a_deck_is_brought_into_one_light_it_is_neither_chosen_nor_learned(
    start: Callable[[], SettingUp], deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, go_on = start(), threading.Event()

    def slowly(_deck: DeckFolder, tell: Callable[[float], None]) -> None:
        tell(0.41)
        assert go_on.wait(30.0)

    monkeypatch.setattr("arena_cam.referee.setup.desk.finish", slowly)
    left_as_taken(at.decks / "ours", deck)
    at.desk.act("choose_deck", {"deck": "folder:ours"})
    light = at.wait_for(lambda s: s["deck"]["light"] and s["deck"]["light"]["percent"])["deck"]["light"]
    assert light == {"name": "ours", "percent": 40}
    assert code(at, "choose_deck", deck="folder:ours") == "not_now"
    assert code(at, "start_learning", name="ours") == "not_now"
    assert code(at, "leave") == "not_now"
    go_on.set()
    assert at.wait_for(lambda s: s["deck"]["light"] is None)["deck"]["chosen"] == "folder:ours"


def test_without_a_measured_table_no_deck_is_learned(tmp_path: Path, deck_folder: Path) -> None:
    at = SettingUp(tmp_path / "table", deck_folder)
    try:
        at.wait_for(lambda s: s["picture"])
        assert code(at, "start_learning", name="ours") == "not_now"
        assert at.desk.picture("red-1") is None
    finally:
        at.stop()
