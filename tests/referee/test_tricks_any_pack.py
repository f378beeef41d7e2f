"""Tricks of a pack that nobody has shown, from pictures to a record: what is sure counts, what is not does not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Frame
from arena_cam.camera.no_camera import NoCamera
from arena_cam.commands.main import main
from arena_cam.domain.cards import Card, Deck
from arena_cam.domain.doubts import Doubt, Side
from arena_cam.domain.errors import BadInput
from arena_cam.domain.messages import Message
from arena_cam.domain.observations import CardRested
from arena_cam.formats.table_json import table_to_json
from arena_cam.geometry.card_pose import CardPose
from arena_cam.referee.game.outfit import EveningOptions, WatchOptions, find_outfit
from arena_cam.referee.games.tricks.messages import PackWarning
from arena_cam.referee.session.session import Session
from arena_cam.simulation.things.ordinary_pack import draw_face, random_style
from arena_cam.store.data_folder import DataFolder
from arena_cam.vision.photographs.laid_cards import LaidCard
from referee.tricks_table import PLAYERS
from vision.small import camera_above, lie, small_table, with_card

SIZE = (720, 560)
CAMERA = camera_above(2.6, SIZE, tilt_deg=12.0)
PLACES = {"7S": CardPose.flat(-70.0, 0.0, 10.0), "KD": CardPose.flat(75.0, -20.0, -130.0)}


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of a seven that is laid, and then a king."""
    folder, style = tmp_path_factory.mktemp("film"), random_style(12)
    faces = tmp_path_factory.mktemp("faces")
    for card in PLACES:
        cv2.imwrite(str(faces / f"{card}.png"), draw_face(style, card))
    deck = Deck("drawn", style.width_mm, style.height_mm, 3.0, tuple(Card(c, faces / f"{c}.png") for c in PLACES))
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 90, 40), np.uint8)
    number = 0
    for card in ("", *PLACES):
        if card:
            picture = with_card(picture, deck, card, CAMERA, PLACES[card])
        for _ in range(3):
            cv2.imwrite(str(folder / f"{number:03}.png"), picture)
            number += 1
    return folder


def test_a_watched_deal_of_any_pack_is_a_record(film: Path, tmp_path: Path) -> None:
    watch = find_outfit("tricks").open_watch(WatchOptions(str(film), tmp_path, 5.0, deck=Path("ordinary")))
    lines = list(watch.begin().lines)
    while (frame := watch.source.read()) is not None:
        lines += watch.feed(frame).lines
    watch.source.close()
    assert [(line["type"], line["card"]) for line in lines[2:]] == [("play", "7S"), ("play", "KD")]


def _deck_folder(folder: Path, seed: int, cards: Sequence[str]) -> Path:
    """A drawn pack that has only these cards."""
    style = random_style(seed)
    folder.mkdir()
    lines = [f'name = "{folder.name}"', f"width_mm = {style.width_mm}", f"height_mm = {style.height_mm}"]
    lines.append("corner_radius_mm = 3.0")
    for card in cards:
        cv2.imwrite(str(folder / f"{card}.png"), draw_face(style, card))
        lines.append(
            f'[[card]]\nid = "{card}"\nrank = "{card[0]}"\nsuit = "{card[1]}"\nvalue = 1\nimage = "{card}.png"'
        )
    (folder / "deck.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def _watched(film: Path, scratch: Path, deck: Path) -> tuple[Any, list[Any]]:
    """What a watch says as it begins, and the lines after the header and the deal."""
    watch = find_outfit("tricks").open_watch(WatchOptions(str(film), scratch, 5.0, deck=deck))
    begun, lines = watch.begin(), list[Any]()
    while (frame := watch.source.read()) is not None:
        lines += watch.feed(frame).lines
    watch.source.close()
    return begun.warnings, lines


def test_a_card_that_the_deck_lacks_is_said_and_never_counted_as_another(film: Path, tmp_path: Path) -> None:
    deck = _deck_folder(tmp_path / "without-kd", 12, ("7S", "8S", "9H", "QD", "JD", "KC", "KH"))
    warnings, lines = _watched(film, tmp_path, deck)
    assert [each.sentence for each in warnings] == [PackWarning.LACKS]
    assert [line["card"] for line in lines if line["type"] == "play" and line["seen"]["sure"]] == ["7S"]


@pytest.mark.thorough
def test_of_another_pack_s_deck_no_card_is_counted_and_it_is_said(film: Path, tmp_path: Path) -> None:
    """Its faces are not those on the table, whatever lies there looks most like."""
    deck = _deck_folder(tmp_path / "other", 41, ("7S", "8S", "9H", "QD", "JD", "KD", "KH"))
    _, lines = _watched(film, tmp_path, deck)
    assert not [
        line for line in lines if line["type"] == "play" and line["seen"]["sure"] and line["card"] not in PLACES
    ]


def test_an_evening_with_any_pack_sees_its_cards(film: Path, tmp_path: Path) -> None:
    evening = find_outfit("tricks").evening(EveningOptions(str(film), tmp_path, 5.0, Path("ordinary")))
    assert evening is not None
    eye = evening.eye.make_watcher(5.0)
    seen = []
    while (frame := evening.source.read()) is not None:
        seen += [each.lie.card for each in eye.feed(frame) if isinstance(each, CardRested)]
    evening.source.close()
    assert seen == ["7S", "KD"]


def test_a_card_of_any_pack_is_judged_again_on_the_pages_and_from_its_export(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evening = find_outfit("tricks").evening(EveningOptions(str(film), tmp_path, 5.0, Path("ordinary")))
    assert evening is not None
    session = Session(DataFolder(tmp_path / "data", keep_free_bytes=0), evening.eye, NoCamera())
    session.act("start_game", {"game": "tricks", "players": PLAYERS, "dealer": "Ben"}, "referee")
    session.act("dealt", {}, "referee")
    while (frame := evening.source.read()) is not None:
        session.take_frame(frame)
    evening.source.close()
    throws = session.throws()
    assert [throw["card"] for throw in throws] == ["7S", "KD"]
    assert session.judge_again(throws[1]["id"])["same"]
    content = session.export_throw(throws[1]["id"])
    assert session.judge_opened_again(session.open_export(content))["same"]
    session.stop()
    file = tmp_path / "play.zip"
    file.write_bytes(content)
    assert main(["replay", str(file), "--picture", str(tmp_path / "play.png")]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("Then: K♦: ")
    assert said[-2] == "nothing differs"
    table = tmp_path / "table.json"
    table.write_text(json.dumps(table_to_json(small_table())), encoding="utf-8")
    assert main(["replay", str(file), "--table", str(table)]) == 2
    assert "leave --table out" in capsys.readouterr().err


def test_the_simulated_cloth_has_a_pack_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="draws its own pack"):
        find_outfit("tricks").evening(EveningOptions("sim", tmp_path, 5.0, Path("ordinary")))


def test_a_doubtful_card_of_any_pack_is_a_note_until_it_is_sure(
    film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader is so strict here that no card is ever sure."""
    monkeypatch.setattr("arena_cam.vision.photographs.on_plane._SURE", 1.1)
    watch = find_outfit("tricks").open_watch(WatchOptions(str(film), tmp_path, 1.0, deck=Path("ordinary")))
    lines: list[dict[str, Any]] = []
    while (frame := watch.source.read()) is not None:
        lines += watch.feed(frame).lines
    watch.source.close()
    assert {(line["type"], line["perhaps"]) for line in lines} == {("note", "7S")}
    assert watch.in_words(lines[0]).endswith("not counted: perhaps 7♠")


def test_a_second_card_of_a_name_is_a_note_and_no_play(
    film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two packs mixed; a card that is seen anew, under its own key, is still nothing."""
    seven = lie("7S")
    laid = [LaidCard(float(n), each) for n, each in enumerate((seven, seven, replace(seven, key="7S'", sure=False)))]
    monkeypatch.setattr(
        "arena_cam.referee.games.tricks.watching._laid_cards",
        lambda *_: SimpleNamespace(feed=lambda _: laid, at_rest=False),
    )
    watch = find_outfit("tricks").open_watch(WatchOptions(str(film), tmp_path, 5.0, deck=Path("ordinary")))
    frame = watch.source.read()
    assert frame is not None
    lines = watch.feed(frame).lines
    watch.source.close()
    assert [(line["type"], line.get("card"), line.get("perhaps")) for line in lines] == [
        ("play", "7S", None),
        ("note", None, "7S"),
    ]


def test_what_is_no_card_is_a_note_with_what_to_do_about_it(
    film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A joker, or half a card, among the cards of a trick: no play, told once, and told anew after it was cleared."""
    strangers = list[tuple[Message, ...]]()
    monkeypatch.setattr("arena_cam.referee.games.tricks.watching._laid_cards", lambda *_: _Cards(strangers))
    watch = find_outfit("tricks").open_watch(WatchOptions(str(film), tmp_path, 5.0, deck=Path("ordinary")))
    frame = watch.source.read()
    assert frame is not None
    watch.source.close()
    left = Doubt.STRANGER(side=Side.LEFT, area_cm2=55.4)
    nearly_same = Doubt.STRANGER(side=Side.LEFT, area_cm2=54.1)
    scrap = Doubt.STRANGER(side=Side.LEFT, area_cm2=1.5)
    lines = []
    for told in [(), (left,), (nearly_same,), (left, scrap), (), (left,)]:
        strangers[:] = [told]
        lines.append(watch.feed(frame).lines)
    assert [[line["type"] for line in each] for each in lines] == [[], ["note"], [], ["note"], [], ["note"]]
    assert [doubt["params"]["area_cm2"] for doubt in lines[3][0]["doubts"]] == [1.5]
    assert watch.in_words(lines[1][0]).endswith(
        "not counted: something unknown lies on the left side (55.4 cm2): uncover it or take it away"
    )


class _Cards:
    """Stands in for the cards that are watched: nothing is laid, and it says of strangers what the test says."""

    at_rest = True

    def __init__(self, strangers: list[tuple[Message, ...]]) -> None:
        self._told = strangers

    @property
    def strangers(self) -> tuple[Message, ...]:
        return self._told[0]

    def feed(self, frame: Frame) -> list[LaidCard]:
        del frame
        return []
