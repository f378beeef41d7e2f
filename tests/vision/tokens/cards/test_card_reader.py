"""From a photograph to its cards."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from arena_cam.vision.printed import keypoints
from arena_cam.vision.printed.keypoints import Matches
from arena_cam.vision.printed.print_light import PLAIN
from arena_cam.vision.printed.standing_out import StandingOut
from arena_cam.vision.tokens.cards import card_reader, first_view
from arena_cam.vision.tokens.cards.card_groups import NEGATIVE
from arena_cam.vision.tokens.cards.card_reader import CardReader, SeenTable
from arena_cam.vision.tokens.cards.card_search import CardSearch, LaidCard
from arena_cam.vision.tokens.cards.partner_search import PartnerSearch
from arena_cam.vision.tokens.cards.print_votes import Place, seen_prints
from arena_cam.vision.tokens.cards.table_claims import Claims
from arena_cam.vision.tokens.view.keypoints_above import CROWD_ABOVE, FEW_ABOVE, MANY_ABOVE, keypoints_above
from arena_cam.vision.tokens.view.table_view import NOTHING_SEEN, SeenPrint, TableView, off_px
from arena_cam.vision.tokens.view.top_view import rigid_motion
from vision.tokens import scenes
from vision.tokens.scenes import PX_PER_MM, RADIUS_MM, laid, small_prints, view_of


@dataclass(frozen=True)
class Disc:
    middle: NDArray[np.float64]
    radius_mm: float


def test_cards_are_found_and_named() -> None:
    table = CardReader(small_prints()).read(laid([("p-2", (90.0, 110.0, 0.1)), ("n-1", (165.0, 110.0, 0.0))]))
    assert table is not None
    assert {small_prints().names[card.face] for card in table.cards} == {"p-2", "n-1"}


def test_an_even_picture_has_no_table() -> None:
    assert CardReader(small_prints()).read(np.full((480, 640, 3), 128, np.uint8)) is None


def test_a_card_half_under_tokens_is_found_once_they_are_known() -> None:
    discs = [("no", (150.0, 80.0, 0.3)), ("no", (172.0, 84.0, 1.3)), ("yes", (160.0, 108.0, 2.3))]
    picture = laid([("p-2", (90.0, 110.0, 0.1)), ("n-1", (165.0, 110.0, 0.0))], discs)
    reader = CardReader(small_prints())
    table = reader.read(picture)
    assert table is not None
    middles = [np.array(at[:2]) * PX_PER_MM for _, at in discs]
    tokens = [Disc(table.camera.to_mm(middle[None])[0], 12.0) for middle in middles]
    again = reader.read_again(table, tokens)
    assert {small_prints().names[card.face] for card in again.cards} == {"p-2", "n-1"}


@pytest.mark.parametrize("third", [[("x-1", (150.0, 60.0, 0.3))], []])
def test_a_neutral_card_half_under_its_pair_that_no_keypoint_told_of_is_found(
    third: list[tuple[str, scenes.Place]],
) -> None:
    """Without it the dilemma would be sure, and wrong; bare cloth shows none."""
    pair = [("p-2", (90.0, 130.0, 0.1)), ("n-1", (160.0, 130.0, 0.0))]
    reader, prints = CardReader(small_prints()), small_prints()
    view = view_of(laid([*third, *pair]))
    nothing = Claims(view, prints.size_mm)
    known = [
        reader.search.looked_at(view, rigid_motion(np.array(at)), prints.names.index(name), 9, nothing)
        for name, at in pair
    ]
    camera = TableView(1.0, np.zeros(2), 0.0, np.eye(3), np.array([0.0, 0.0, 1.0]))
    table = reader.with_partners(SeenTable(camera, view, known), [])
    assert [prints.names[card.face] for card in table.cards[2:]] == [name for name, _ in third]


@pytest.mark.parametrize("is_told", [True, False])
def test_about_tokens_of_a_partner_that_is_found_beside_its_card_nothing_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, is_told: bool
) -> None:
    """Until it is known its tokens lie on no card, and one is looked for beneath each in all turns. Where it is not
    found beside the other it is found so."""
    both, tokens = [("p-2", (90.0, 110.0, 0.1)), ("n-1", (165.0, 110.0, 0.0))], [(165.0, 110.0)]
    reader, prints = CardReader(small_prints()), small_prints()
    view = view_of(laid(both, [("yes", (*at, 0.2)) for at in tokens]))
    name, at = both[0]
    nothing = Claims(view, prints.size_mm)
    known = [reader.search.looked_at(view, rigid_motion(np.array(at)), prints.names.index(name), 9, nothing)]
    asked, places = [], PartnerSearch.places

    def noted(*which: Any) -> list[Place]:
        asked.append(len(which[-1]))  # kinds: beneath a token all
        return places(*which)

    monkeypatch.setattr(PartnerSearch, "places", noted)
    if not is_told:
        monkeypatch.setattr(CardReader, "_partners", lambda *_: [])
    camera = TableView(1.0, np.zeros(2), 0.0, np.eye(3), np.array([0.0, 0.0, 1.0]))
    discs = [Disc(np.array(each), RADIUS_MM) for each in tokens]
    table = reader.with_partners(SeenTable(camera, view, known), discs)
    assert {prints.names[card.face] for card in table.cards} == {name for name, _ in both}
    assert asked == [1 if is_told else 3]


def test_the_middle_card_of_a_fan_is_looked_for_where_the_others_tell_it_to_lie(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No guess lay near it: of its sides a third is open, and of its print less."""
    fan = [("n-1", (141.0, 111.0, 0.02)), ("p-1", (95.0, 108.0, -0.06)), ("x-1", (185.0, 112.0, 0.1))]
    reader, prints = CardReader(small_prints()), small_prints()
    view = view_of(laid(fan))
    nothing = Claims(view, prints.size_mm)
    known = [
        reader.search.looked_at(view, rigid_motion(np.array(at)), prints.names.index(name), 9, nothing)
        for name, at in fan[1:]
    ]
    monkeypatch.setattr(CardReader, "_partners", lambda *_: [Place(np.array([30.0, 40.0, 0.0]), 0, (), NOTHING_SEEN)])
    camera = TableView(1.0, np.zeros(2), 0.0, np.eye(3), np.array([0.0, 0.0, 1.0]))
    table = reader.with_partners(SeenTable(camera, view, known), [])
    found = [card for card in table.cards if not any(card is each for each in known)]
    assert [small_prints().kinds[card.face] for card in found] == [NEGATIVE]
    assert np.linalg.norm(found[0].middle - fan[0][1][:2]) < 1.5


@pytest.mark.parametrize(
    ("votes", "rim", "ink", "stands"), [(11, 0.98, 0.38, True), (4, 0.98, 0.38, False), (11, 0.6, 0.38, False)]
)
def test_a_card_of_which_little_is_seen_stands_where_many_keypoints_and_a_whole_outline_speak_for_it(
    votes: int, rim: float, ink: float, stands: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card that nobody knows hides its print."""
    monkeypatch.setattr(CardReader, "_partners", lambda *_: [])
    explained = np.ones((90, 60), bool)
    card = LaidCard(rigid_motion(np.array([90.0, 110.0, 0.1])), 0, PLAIN, explained, ink, 0.68, votes, 0.75, rim)
    assert card.score < card_reader.LEAST_SCORE
    table = SeenTable(
        TableView(1000.0, np.zeros(2), 0.0, np.eye(3), np.array([0.0, 0.0, 500.0])), view_of(laid([])), [card]
    )
    again = CardReader(small_prints()).with_partners(table, [])
    assert (again.cards == [card], card.lies_surely) == (stands, stands)


TWO = [("p-2", (90.0, 110.0, 0.1)), ("n-1", (165.0, 110.0, 0.0))]


def efforts(reader: CardReader, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, float]]:
    """With which efforts keypoints will have been looked for in photographs."""
    told: list[tuple[int, int, float]] = []
    matches = reader.matches

    def noted(
        image: NDArray[np.uint8], effort: tuple[int, int, float], out: StandingOut | None = None
    ) -> tuple[keypoints.Keypoints, keypoints.Matches]:
        told.append(effort)
        return matches(image, effort, out)

    monkeypatch.setattr(reader, "matches", noted)
    return told


def test_many_keypoints_are_looked_for_only_where_few_show_no_clear_view(monkeypatch: pytest.MonkeyPatch) -> None:
    hardly = (896, 5, 0.02)  # so few show no view
    for first, few, looked in (
        (card_reader.FIRST, card_reader.FEW, 1),
        (hardly, card_reader.FEW, 2),
        (hardly, (120, 2000, 0.02), 3),  # words are not seen in so small a picture
    ):
        monkeypatch.setattr(card_reader, "FIRST", first)
        monkeypatch.setattr(card_reader, "FEW", few)
        reader = CardReader(small_prints())
        told = efforts(reader, monkeypatch)
        table = reader.read(laid(TWO))
        assert told == [first, few, card_reader.MANY][:looked]
        assert table is not None
        assert {small_prints().names[card.face] for card in table.cards} == {"p-2", "n-1"}


def test_a_view_that_keypoints_told_and_in_which_no_card_is_seen_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a chequered cloth 180 keypoints agreed in a view along the table: of four dilemmas none was found."""
    reader = CardReader(small_prints())
    told, clear = efforts(reader, monkeypatch), vars(CardReader)["_clear"]

    def seen(image: NDArray[np.uint8], matches: keypoints.Matches) -> TableView | None:
        true: TableView | None = clear(reader, image, matches)
        assert true is not None
        return replace(true, place=true.place * [1.0, 1.0, 3.0]) if len(told) == 1 else true

    monkeypatch.setattr(reader, "_clear", seen)
    table = reader.read(laid(TWO))
    assert told == [card_reader.FIRST, card_reader.FEW]
    assert table is not None
    assert {small_prints().names[card.face] for card in table.cards} == {"p-2", "n-1"}


def keypoints_asked_for(monkeypatch: pytest.MonkeyPatch) -> list[tuple[tuple[int, float, float], StandingOut | None]]:
    """Fills up with the effort of each search for keypoints from above, and what stands out where it looks."""
    asked: list[tuple[tuple[int, float, float], StandingOut | None]] = []

    def noted(
        image: NDArray[np.uint8],
        camera: TableView,
        box: NDArray[np.float64],
        effort: tuple[int, float, float],
        out: StandingOut | None = None,
    ) -> tuple[keypoints.Keypoints, NDArray[np.float64]]:
        asked.append((effort, out))
        return keypoints_above(image, camera, box, effort, out)

    monkeypatch.setattr(card_reader, "keypoints_above", noted)
    return asked


@pytest.mark.parametrize(
    ("most", "is_clear", "effort"), [(2000, True, FEW_ABOVE), (60, True, CROWD_ABOVE), (2000, False, MANY_ABOVE)]
)
def test_where_a_pattern_takes_the_few_more_are_looked_for_from_above_and_many_where_no_view_was_clear(
    most: int, is_clear: bool, effort: tuple[int, float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = keypoints_asked_for(monkeypatch)
    monkeypatch.setattr(card_reader, "FIRST", (896, most, 0.02))
    monkeypatch.setattr(card_reader, "FEW", (1152, most, 0.02))
    clear = vars(CardReader)["_clear"]

    def seen(self: CardReader, image: NDArray[np.uint8], _: keypoints.Matches) -> TableView | None:
        return clear(self, image, self.matches(image, (1152, 2000, 0.02))[1]) if is_clear else None

    monkeypatch.setattr(CardReader, "_clear", seen)
    monkeypatch.setattr(card_reader, "_is_known", lambda _: False)
    assert CardReader(small_prints()).read(laid(TWO)) is not None
    assert [each for each, _ in asked] == [effort]


def test_from_above_keypoints_are_looked_for_only_where_more_stands_out_than_the_cards_that_were_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = keypoints_asked_for(monkeypatch)
    prints, picture = small_prints(), laid(TWO)
    for unknown, looks in (("", 0), ("n-1", 1)):
        if unknown:  # as if its words were hardly seen
            face = prints.names.index(unknown)
            monkeypatch.setattr(card_reader, "_is_known", lambda card, face=face: card.face != face)
        table = CardReader(prints).read(picture)
        assert table is not None
        assert {prints.names[card.face] for card in table.cards} == {"p-2", "n-1"}
        assert len(asked) == looks
    out = asked[0][1]
    assert out is not None
    assert out.mask.mean() < 0.6 * StandingOut.of(picture).mask.mean()


@pytest.mark.parametrize(("moved_mm", "asked"), [(1.0, False), (2.0, True), (np.inf, True)])
def test_a_view_that_the_cards_hardly_moved_is_not_settled_again_with_tokens(
    moved_mm: float, asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = CardReader(small_prints())
    table = reader.read(laid(TWO))
    assert table is not None
    assert table.moved_mm < card_reader.SAME_VIEW_MM
    told: list[bool] = []

    def settled(_: CardReader, __: NDArray[np.uint8], of: SeenTable, ___: object) -> tuple[TableView, float]:
        told.append(True)
        return of.camera, 0.0

    monkeypatch.setattr(CardReader, "_settled", settled)
    assert reader.truer(laid(TWO), replace(table, moved_mm=moved_mm), [Disc(np.zeros(2), 12.0)]) is None
    assert bool(told) is asked


def test_no_third_card_is_looked_for_beside_a_pair_where_nothing_else_so_long_as_a_card_stands_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader, asked = CardReader(small_prints()), list[bool]()

    def none(*_: object) -> list[Place]:
        asked.append(True)
        return []

    monkeypatch.setattr(card_reader, "outlined_places", none)
    for more, disc in (([], []), ([], [("no", (210.0, 60.0, 0.3))]), ([("x-1", (150.0, 60.0, 0.3))], [])):
        pair = [("p-2", (90.0, 130.0, 0.1)), ("n-1", (160.0, 130.0, 0.0))]
        table = reader.read(laid([*more, *pair], disc))
        assert table is not None
        cards = [card for card in table.cards if not small_prints().names[card.face].startswith("x")]
        assert len(cards) == 2
        reader.with_partners(replace(table, cards=cards), [])
        assert bool(asked) is bool(more)


def begun(reader: CardReader, image: NDArray[np.uint8]) -> tuple[keypoints.Matches, list[SeenPrint]]:
    matches = reader.matches(image, card_reader.MANY)[1]
    return matches, seen_prints(matches)


def test_a_view_in_which_a_crowd_of_keypoints_of_one_print_lies_closely_is_not_bent_by_outlines_or_faces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tokens and cloth that cover the faces leave them unlike their print."""
    picture = laid(TWO)
    reader = CardReader(small_prints())
    matches, prints = begun(reader, picture)
    assert len(prints[0].mm) > card_reader.CROWD
    monkeypatch.setattr(first_view, "CLEAR", 2.0)

    def unasked(*_: object) -> list[first_view.FirstView]:
        raise AssertionError

    monkeypatch.setattr(first_view, "by_outlines", unasked)
    camera = reader.begun(picture, matches, prints)
    assert camera is not None
    assert max(off_px(camera, each) for each in prints[:2]) < 1.0


def test_a_crowd_of_keypoints_that_are_hardly_alike_tells_no_view_where_others_are_much_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A pattern all over the cards: three times as many keypoints agree on cards twice as large."""
    picture = laid(TWO)
    reader = CardReader(small_prints())
    true, _ = begun(reader, picture)
    true = true.only(true.alike > 0.9)
    large = 2.0 * np.eye(2)
    false = [
        replace(
            true, px=true.px @ large, affine=large @ true.affine, seen=true.seen + 10_000 * k, alike=true.alike - 0.1
        )
        for k in (1, 2, 3)
    ]
    parts = [Matches.of(m.mm, m.px, m.affine, m.seen, m.alike, m.face) for m in (*false, true)]
    both = Matches(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Matches)))
    for much, right in ((0.9, True), (0.0, False)):
        monkeypatch.setattr(card_reader, "MUCH_ALIKE", much)
        monkeypatch.setattr(first_view, "by_outlines", lambda *_: [])
        camera = reader.begun(picture, both, seen_prints(both))
        assert camera is not None
        scale = np.linalg.svd(camera.px_per_mm(camera.to_mm(np.array([[270.0, 330.0]])))[0], compute_uv=False)
        assert bool((np.abs(scale / PX_PER_MM - 1.0) < 0.1).all()) is right


def test_a_card_beneath_another_istold_again_once_the_upper_one_is_known() -> None:
    """Found first it is named by the other's print: so its kind is wrong, and it has no partner."""
    prints = small_prints()
    view = view_of(laid([("p-1", (110.0, 110.0, 0.0)), ("n-1", (126.0, 150.0, 0.0))]))
    reader = CardReader(prints)
    nothing = Claims(view, prints.size_mm)
    upper, lower = (
        reader.search.looked_at(view, rigid_motion(np.array(at)), prints.names.index(name), 20, nothing)
        for name, at in (("n-1", (126.0, 150.0, 0.0)), ("n-2", (110.0, 110.0, 0.0)))
    )
    told = reader.told_again(view, [upper, lower], [])
    assert {prints.names[card.face] for card in told} == {"n-1", "p-1"}
    assert min(card.score for card in told) > 0.6 > lower.score


def test_a_partner_beside_whose_place_a_guess_lies_is_told_by_its_few_words() -> None:
    """Tokens leave half of it open. Where keypoints and aligned prints say nothing, a slid face does."""
    prints = small_prints()
    tokens = [("no", (150.0, 135.0, 0.4)), ("yes", (170.0, 70.0, 0.1))]
    view = view_of(laid([("p-1", (80.0, 110.0, 0.0)), ("n-1", (160.0, 110.0, 0.0))], tokens))
    reader = CardReader(prints)
    known = reader.search.looked_at(
        view, rigid_motion(np.array([80.0, 110.0, 0.0])), prints.names.index("p-1"), 20, Claims(view, prints.size_mm)
    )
    covered = [Disc(np.array(at[:2]), RADIUS_MM) for _, at in tokens]
    guesses = [Place(np.array([x, y, 0.0]), 0, (), NOTHING_SEEN) for x, y in ((161.5, 108.5), (30.0, 40.0))]
    told = reader.told_partners(view, guesses, [known], covered)
    assert [prints.names[card.face] for card in told if card is not known] == ["n-1"]
    assert reader.told_partners(view, guesses, told, covered) == told


def test_a_partner_whose_words_lie_under_tokens_is_told_by_its_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    prints = small_prints()
    middles = [(x, y) for x in (140.0, 161.0, 180.0) for y in (92.0, 111.0, 126.0)]
    view = view_of(
        laid([("p-1", (80.0, 110.0, 0.0)), ("n-1", (160.0, 110.0, 0.0))], [("no", (*at, 0.4)) for at in middles])
    )
    reader = CardReader(prints)
    known = reader.search.looked_at(
        view, rigid_motion(np.array([80.0, 110.0, 0.0])), prints.names.index("p-1"), 20, Claims(view, prints.size_mm)
    )
    covered = [Disc(np.array(at), RADIUS_MM) for at in middles]
    guess = [Place(np.array([161.0, 110.5, 0.0]), 0, (), NOTHING_SEEN)]
    bare = CardSearch.looked_at
    monkeypatch.setattr(CardSearch, "looked_at", lambda *args: replace(bare(*args), ink=0.0))
    told = reader.told_partners(view, guess, [known], covered)
    assert [prints.names[card.face] for card in told if card is not known] == ["n-1"]
    monkeypatch.setattr(card_reader, "PLAINLY_TOLD", np.inf)
    assert reader.told_partners(view, guess, [known], covered) == [known]
