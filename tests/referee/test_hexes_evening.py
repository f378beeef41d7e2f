"""An evening of hexagons without a camera: tiles announced, boards photographed, mended, confirmed, taken back."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena_cam.domain.errors import Refused
from arena_cam.formats.game_record import play_record, read_record, result_to_json
from arena_cam.rules.games.hexes.board import CELLS, TILES
from referee.hexes_table import PLAYERS, Table, laid, picture


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.session.stop()


def told(code: str) -> Any:
    """Refused, with the message of that code."""

    class Told:
        def __enter__(self) -> None:
            self.raised = pytest.raises(Refused)
            self.refused = self.raised.__enter__()

        def __exit__(self, *error: Any) -> bool | None:
            done = self.raised.__exit__(*error)
            assert getattr(self.refused.value.said, "code", self.refused.value.code) == code
            return done

    return Told()


def test_tiles_are_drawn_by_chance_or_named_each_once(table: Table) -> None:
    table.start()
    table.act("draw_tile")
    table.act("draw_tile", tile=next(tile for tile in TILES if tile not in table.game["drawn"]))
    assert len(set(table.game["drawn"])) == 2
    with told("tile_drawn"):
        table.act("draw_tile", tile=table.game["tile"])
    with told("unknown_tile"):
        table.act("draw_tile", tile="9-9-9")
    table.act("take_tile_back")
    assert len(table.game["drawn"]) == 1


def test_only_the_announcers_phone_draws(table: Table) -> None:
    table.start()
    with told("not_announcer"):
        table.act("draw_tile", player="Ben", phone=True)
    with pytest.raises(Refused, match="plays"):
        table.act("draw_tile", player="")
    table.act("draw_tile", player="Anna", phone=True)
    assert len(table.game["drawn"]) == 1


def test_who_announces_may_show_the_tile_on_their_board(table: Table) -> None:
    """One new tile that is surely named is announced; a doubtful one, two, or another's board is not."""
    table.start()
    first, second, third = TILES[:3]
    table.reader.sees({"C3": first})
    table.photo("Anna")
    assert (table.game["phase"], table.game["drawn"]) == ("drawing", [first])
    assert [table.board(player)["placed"] for player in ("Anna", "Ben")] == [True, False]
    unclear: list[Any] = [
        ({"C3": first, "C2": second, "C1": third}, {}),
        ({"C3": first}, {}),
        ({"C3": first, "C2": second}, {"doubts": {"C2": {"code": "unread", "values": {}}}}),
        ({"C3": first, "C2": second}, {"colour": "blue"}),
    ]
    for shade, (cells, more) in enumerate(unclear, 1):
        table.reader.sees(cells, **more)
        table.photo("Anna", shade)
        assert table.game["drawn"] == [first]
    assert table.board("Anna")["doubts"][""]["code"] == "no_new_tile"
    table.reader.sees({"C3": first, "C2": second})
    table.photo("Anna", 9)
    assert table.game["drawn"] == [first, second]
    assert not table.board("Anna")["doubts"]


def test_the_camera_over_the_table_announces_the_tile_shown(table: Table) -> None:
    table.start()
    table.act("draw_tile", tile=TILES[0])
    for colour, drawn in (("blue", 1), ("red", 2)):
        table.reader.sees({"C3": TILES[0], "C2": TILES[1]}, colour)
        table.session.take_photo(picture(drawn), None, "referee")
        assert len(table.game["drawn"]) == drawn


def test_the_next_tile_comes_at_once_if_all_had_placed_before_it_was_to_come_by_itself(table: Table) -> None:
    table.start()
    table.draws(TILES[:1])
    for player in ("Anna", "Ben"):
        table.act("placed", player=player)
    assert len(table.game["drawn"]) == 1
    table.act("draw_by_itself", on=True)
    assert len(table.game["drawn"]) == 2


def test_the_next_tile_comes_by_itself_once_all_have_placed_the_last(table: Table) -> None:
    table.start()
    table.act("draw_by_itself", on=True)
    table.act("draw_tile")
    table.act("placed", player="Anna")
    assert len(table.game["drawn"]) == 1
    table.act("placed", player="Ben")
    assert len(table.game["drawn"]) == 2


def test_a_round_from_draw_to_score_by_photographs(table: Table) -> None:
    game = table.start(rounds=2)
    table.draws()
    assert table.game["phase"] == "boards"
    cells = laid()
    table.reader.sees(cells)
    photo = table.photo("Anna")
    assert table.board("Anna")["full"]
    table.act("confirm_board", player="Anna")
    table.reader.sees(laid(seed=2), "blue")
    table.photo("Ben", 90)
    table.act("confirm_board", player="Ben")
    assert (table.game["round"], table.game["phase"], table.game["announcer"]) == (2, "drawing", "Ben")
    record = read_record(table.session.record(game))
    assert result_to_json(play_record(record))["scores"] == {p["name"]: p["points"] for p in table.game["players"]}
    assert table.game["shown"][0]["cells"] == cells, "the boards are shown until the next tile is drawn"
    throw = table.session.throw(photo)
    assert throw["line"] == 2
    assert table.session.throw_picture(photo, "photo.jpg")[1] == picture()
    assert table.session.judge_again(photo)["same"] is False, "the eye says something else by now"


def test_the_eye_knows_the_tiles_of_the_round_where_no_other_can_lie(table: Table) -> None:
    """But not of a picture that may show the next tile: the announcer's, and the camera's, while tiles are drawn."""
    table.start()
    table.reader.sees({})
    expected: list[tuple[str | None, int, list[str] | None]] = [
        ("Ben", 3, list(TILES[:3])),
        ("Anna", 3, None),
        (None, 3, None),
        ("Anna", 19, list(TILES[:19])),
        (None, 19, list(TILES[:19])),
    ]
    for shade, (player, count, known) in enumerate(expected):
        table.draws(TILES[len(table.game["drawn"]) : count])
        photo = table.session.take_photo(picture(shade * 10), player, "referee")["photo"]
        assert table.reader.known == ({"drawn": known} if known else {}), (player, count)
        table.reader.known = {}
        table.session.judge_again(str(photo))
        assert table.reader.known == ({"drawn": known} if known else {}), "read again as it was read then"


def test_a_cell_that_was_not_read_is_filled_with_the_tile_that_is_left_and_asked_about(table: Table) -> None:
    table.start()
    table.draws()
    cells = laid()
    table.reader.sees(cells | {"B2": None}, doubts={})
    table.photo("Anna")
    board = table.board("Anna")
    assert board["cells"]["B2"] == cells["B2"]
    assert board["doubts"]["B2"]["code"] == "left_over"


def test_a_name_that_was_not_drawn_gives_way_to_the_next_likely_one_and_is_asked_about(table: Table) -> None:
    table.start()
    table.draws()
    cells = laid()
    table.reader.sees(
        cells | {"C3": TILES[25]},
        likely={cell: [tile] for cell, tile in cells.items()} | {"C3": [TILES[25], cells["C3"]]},
    )
    table.photo("Anna")
    board = table.board("Anna")
    assert board["cells"]["C3"] == cells["C3"]
    assert board["doubts"]["C3"]["code"] == "against_the_draw"


def test_mending_a_cell_swaps_tiles_and_takes_the_doubt_away(table: Table) -> None:
    table.start()
    table.draws()
    cells = laid()
    swapped = cells | {"A1": cells["E3"], "E3": cells["A1"]}
    table.reader.sees(swapped, doubts={"A1": {"code": "unclear", "params": {"cell": "A1", "tile": swapped["A1"]}}})
    table.photo("Anna")
    table.act("mend", player="Anna", cell="A1", tile=cells["A1"])
    board = table.board("Anna")
    assert (board["cells"], board["doubts"]) == (cells, {})


def test_a_board_that_is_not_full_or_has_another_tile_is_not_confirmed(table: Table) -> None:
    table.start()
    table.draws()
    table.reader.sees(laid())
    table.photo("Anna")
    table.act("mend", player="Anna", cell="A1", tile=None)
    with told("not_full"):
        table.act("confirm_board", player="Anna")
    table.act("mend", player="Anna", cell="A1", tile=TILES[26])
    with told("tile_not_drawn"):
        table.act("confirm_board", player="Anna")


def test_a_board_with_a_tile_twice_is_refused_to_whom_it_is_and_not_to_the_next(table: Table) -> None:
    table.start()
    table.draws()
    cells = laid()
    table.reader.sees(cells | {"A1": cells["E3"]})
    table.photo("Anna")
    with told("lies_twice"):
        table.act("confirm_board", player="Anna", phone=True)
    assert not table.board("Anna")["confirmed"]
    table.act("mend", player="Anna", cell="A1", tile=cells["A1"])
    table.act("confirm_board", player="Anna", phone=True)
    table.reader.sees(laid(seed=2), "blue")
    table.photo("Ben", 90)
    table.act("confirm_board", player="Ben", phone=True)
    assert table.game["over"]


def test_without_announcing_the_boards_must_have_the_same_tiles(table: Table) -> None:
    table.start()
    table.reader.sees(laid())
    table.photo("Anna")
    table.act("confirm_board", player="Anna")
    table.reader.sees(laid(TILES[1:20]), "blue")
    table.photo("Ben", 9)
    with told("differs_from"):
        table.act("confirm_board", player="Ben")
    with told("boards_begun"):
        table.act("draw_tile")


def test_the_variants_bind_a_phone_and_the_referee_counts_as_it_lies(table: Table) -> None:
    table.start(PLAYERS[:1], side_by_side=True)
    table.draws()
    corners = ["A1", "E3", *[cell for cell in CELLS if cell not in ("A1", "E3")]]
    table.reader.sees(dict(zip(corners, TILES[:19], strict=True)))
    table.photo("Anna")
    with told("variant_broken"):
        table.act("confirm_board", player="Anna", phone=True)
    table.act("confirm_board", player="Anna")
    assert table.game["over"]
    assert (table.game["hint"]["code"], table.game["hint"]["params"]) == ("over_last_round", {"round": 1})


def test_a_whole_round_on_the_phone_alone(table: Table) -> None:
    table.start(PLAYERS[:1], side_by_side=True)
    table.act("draw_tile")
    table.act("lay", player="Anna", cell="C3")
    with told("not_allowed_there"):
        table.act("lay", player="Anna", cell="A1")
    for cell in [cell for cell in ("C2", "C4", "B2", "B3", "D2", "D3", "C1", "C5") if cell != "C3"]:
        table.act("lay", player="Anna", cell=cell)
    with told("stays"):
        table.act("lay", player="Anna", cell="C2")
    for cell in ("B1", "B4", "D1", "D4", "A1", "A2", "A3", "E1", "E2", "E3"):
        table.act("lay", player="Anna", cell=cell)
    assert (table.game["phase"], table.board("Anna")["full"]) == ("boards", True)
    table.act("confirm_board", player="Anna", phone=True)
    assert table.game["over"]


def test_a_round_that_is_taken_back_lies_there_again(table: Table) -> None:
    table.start(PLAYERS[:1])
    table.draws()
    cells = laid()
    table.reader.sees(cells)
    photo = table.photo("Anna")
    table.act("confirm_board", player="Anna")
    assert table.game["over"]
    table.act("undo")
    board = table.board("Anna")
    assert (table.game["phase"], board["cells"], board["photo"], board["confirmed"]) == ("boards", cells, photo, False)


def test_a_power_cut_takes_nothing(table: Table) -> None:
    table.start()
    table.draws()
    table.reader.sees(laid())
    photo = table.photo("Anna")
    before = table.game
    table.again()
    assert table.game == before
    assert table.session.throw_picture(photo, "photo.jpg")[1] == picture()


def test_the_same_photograph_sent_again_changes_nothing(table: Table) -> None:
    table.start()
    table.draws()
    table.reader.sees(laid())
    photo = table.photo("Anna")
    table.act("mend", player="Anna", cell="A1", tile=None)
    assert table.session.take_photo(picture(), "Anna", "Anna") == {"photo": photo, "read": True, "again": True}
    assert not table.board("Anna")["full"]
    assert len(table.session.throws()) == 1


def test_a_photograph_of_an_earlier_round_is_refused(table: Table) -> None:
    """It was taken in as one that had come already, and the board stayed empty without a word."""
    table.start(rounds=2)
    table.draws()
    for shade, name in enumerate(("Anna", "Ben")):
        table.reader.sees(laid(), colour=table.board(name)["colour"])
        table.photo(name, shade)
        table.act("confirm_board", player=name)
    assert table.game["round"] == 2
    with told("earlier_round"):
        table.photo("Anna", 0)
    table.photo("Anna", 7)


def test_a_photograph_that_breaks_the_eye_is_kept_and_the_cells_are_asked(table: Table) -> None:
    table.start()
    table.draws()
    table.reader.breaks = True
    photo = table.photo("Anna")
    assert table.board("Anna")["doubts"][""]["code"] == "unread"
    assert table.session.throw_picture(photo, "photo.jpg")[1] == picture()


def test_one_picture_of_all_boards_gives_each_player_the_own_by_its_colour(table: Table) -> None:
    table.start()
    table.draws()
    table.reader.sees(laid())
    one = table.reader.boards[0]
    table.reader.sees(laid(seed=5), "blue")
    table.reader.boards.append(one)
    table.session.take_photo(picture(), None, "referee")
    assert (table.board("Anna")["cells"], table.board("Ben")["cells"]) == (laid(), laid(seed=5))


def test_somebody_elses_board_is_asked_about(table: Table) -> None:
    table.start()
    table.draws()
    table.reader.sees(laid(), "blue")
    table.photo("Anna")
    assert table.board("Anna")["doubts"][""]["code"] == "others_board"


def test_a_board_is_moved_to_the_player_whose_it_is_and_nothing_is_lost(table: Table) -> None:
    table.start()
    table.draws()
    with told("no_board_yet"):
        table.act("move_board", player="Anna", to="Ben")
    table.reader.sees(bens := laid(seed=1), "blue")
    photo = table.photo("Anna")
    for to, code in (("Anna", "same_player"), ("Nobody", "no_player")):
        with told(code):
            table.act("move_board", player="Anna", to=to)
    table.act("move_board", player="Anna", to="Ben", phone=True)
    assert (table.board("Ben")["cells"], table.board("Ben")["photo"]) == (bens, photo)
    assert table.board("Ben")["doubts"] == {}
    assert (table.board("Anna")["cells"], table.board("Anna")["photo"]) == ({}, None)
    last = table.game["tile"]
    assert table.game["hint"]["text"] == f"Lay {last}, the last one; then photograph your boards: Anna."
    table.reader.sees(annas := laid(seed=2), "red")
    table.photo("Anna", 9)
    with told("has_board"):
        table.act("move_board", player="Anna", to="Ben", phone=True)
    table.act("move_board", player="Anna", to="Ben")
    assert (table.board("Ben")["cells"], table.board("Anna")["cells"]) == (annas, bens)
    table.act("confirm_board", player="Ben")
    with told("board_confirmed"):
        table.act("move_board", player="Anna", to="Ben")
    table.act("confirm_board", player="Anna")
    assert table.game["shown_round"] == 1


def test_a_board_whose_colour_cannot_be_told_is_whose_telephone_took_it(table: Table) -> None:
    """The eye's guess is another player's colour: nobody is told that it is that player's board."""
    table.start()
    table.draws()
    table.reader.sees(laid(), "blue", colour_sure=False)
    table.photo("Anna")
    assert table.board("Anna")["doubts"] == {}
    assert len(table.board("Anna")["cells"]) == 19


def test_of_two_boards_that_of_another_player_is_left_aside_and_a_doubtful_choice_is_asked(table: Table) -> None:
    table.start()
    table.draws()
    mine, others = laid(seed=1), laid(seed=2)
    table.reader.sees(mine, "blue", colour_sure=False)
    unsure = table.reader.boards[0]
    table.reader.sees(others, "blue", colour_sure=True)
    table.reader.boards.append(unsure)
    table.photo("Anna")
    assert (table.board("Anna")["cells"], table.board("Anna")["doubts"]) == (mine, {})
    table.reader.boards = [unsure, unsure]
    table.photo("Anna", 9)
    assert table.board("Anna")["doubts"][""]["code"] == "colour"


def test_a_camera_over_the_table_asks_whose_board_it_is_where_the_colour_cannot_be_told(table: Table) -> None:
    """A guessed colour gives no player a board without a question."""
    table.start()
    table.draws()
    annas, bens = laid(seed=1), laid(seed=2)
    table.reader.sees(bens, "red", colour_sure=False)
    table.session.take_photo(picture(), None, "referee")
    assert table.board("Anna")["doubts"][""]["code"] == "colour"
    unsure = table.reader.boards[0]
    table.reader.sees(annas, "red")
    table.reader.boards.append(unsure)
    table.session.take_photo(picture(9), None, "referee")
    assert (table.board("Anna")["cells"], table.board("Anna")["doubts"]) == (annas, {})
    assert table.board("Ben")["cells"] == bens, "nobody else is left"
    assert table.board("Ben")["doubts"][""]["code"] == "colour"


def test_the_export_of_a_photograph_holds_what_a_dispute_needs(table: Table, tmp_path: Path) -> None:
    table.start(PLAYERS[:1])
    table.draws()
    table.reader.sees(laid())
    photo = table.photo("Anna")
    table.act("confirm_board", player="Anna")
    file = tmp_path / "export.zip"
    file.write_bytes(table.session.export_throw(photo))
    with zipfile.ZipFile(file) as archive:
        assert {"photo.jpg", "reading.json", "ruling.json", "game.jsonl"} <= set(archive.namelist())
        assert archive.read("photo.jpg") == picture()


def test_statistics_count_lines_and_what_one_tile_broke(table: Table) -> None:
    game = table.start(PLAYERS[:1])
    nines = [tile for tile in TILES if tile.startswith("9")]
    rest = [tile for tile in TILES if not tile.startswith("9")]
    cells: dict[str, str | None] = dict(zip(("C1", "C2", "C3", "C4", "C5", "A1", "A2"), nines[:7], strict=True))
    others = [cell for cell in CELLS if cell not in cells]
    cells |= dict(zip(others, rest, strict=False))
    table.reader.sees(cells)
    table.photo("Anna")
    table.act("confirm_board", player="Anna")
    figures = table.session.game(game)["statistics"]["Anna"]
    assert figures["lines_9"] == 1
    assert figures["points_per_round"] == table.game["players"][0]["points"] >= 45
    assert figures["left_lying_per_round"] >= 27, "A3 alone breaks the left column"
