"""The nearest disc tells whose a dilemma is; what is nearly as near, twice there or unknown makes it unclear."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from arena_cam.vision.tokens import owners
from arena_cam.vision.tokens.discs.owner_search import RoundThing
from arena_cam.vision.tokens.discs.token_search import SeenDisc
from arena_cam.vision.tokens.owners import but_for_cloth, but_for_tokens, is_owned, told
from arena_cam.vision.tokens.view.top_view import TopView

LEFT = np.array([[0.0, 0.0], [60.0, 0.0], [60.0, 90.0], [0.0, 90.0]])
RIGHT = LEFT + np.array([160.0, 0.0])
NAMES = ("red", "blue")


def disc(kind: int | None, x: float, y: float = 45.0) -> RoundThing:
    middle = np.array([x, y])
    seen = None if kind is None else SeenDisc(kind, middle, 10.0, 1.0, 1.0, 1.0, 0.99, 1.0)
    return RoundThing(middle, 10.0, seen)


def test_each_dilemma_has_the_disc_beside_it() -> None:
    assert told([disc(0, 80.0), disc(1, 240.0)], [[LEFT], [RIGHT]], NAMES) == {0: ("red", True), 1: ("blue", True)}


def test_a_disc_between_two_is_unclear() -> None:
    assert told([disc(0, 110.0)], [[LEFT], [RIGHT]], NAMES)[0] == ("red", False)


def test_a_disc_as_near_to_two_may_be_eithers() -> None:
    assert told([disc(0, 110.0)], [[LEFT], [RIGHT]], NAMES) == {0: ("red", False), 1: ("red", False)}
    assert told([disc(0, 104.0)], [[LEFT], [RIGHT - (20.0, 0.0)]], NAMES) == {1: ("red", True)}, "it is much nearer"


def test_a_disc_nearest_to_a_dilemma_with_one_of_its_own_may_be_its_neighbours() -> None:
    """The neighbour was surely nobody's, with a white disc in reach that lay a little nearer to the next cards."""
    near = [LEFT], [RIGHT - (20.0, 0.0)]
    assert told([disc(0, 104.0), disc(1, 215.0)], near, NAMES) == {1: ("blue", False), 0: ("red", False)}
    assert told([disc(None, 104.0), disc(1, 215.0)], near, NAMES) == {1: ("blue", True)}, "it may be no disc"


def test_a_disc_out_of_reach_is_nobodys() -> None:
    assert told([disc(0, -60.0)], [[LEFT], [RIGHT]], NAMES) == {}


def test_a_dilemma_is_owned_if_a_disc_lies_in_reach_of_some_card_of_it() -> None:
    assert is_owned([LEFT], [disc(0, 60.0, 130.0), disc(1, 20.0)])
    assert not is_owned([LEFT], [disc(0, 500.0)])
    assert not is_owned([LEFT], [])


def test_two_of_one_colour_an_unknown_one_and_two_as_near_are_unclear() -> None:
    assert told([disc(0, 80.0), disc(0, 240.0)], [[LEFT], [RIGHT]], NAMES) == {0: ("red", False), 1: ("red", False)}
    assert told([disc(None, 80.0)], [[LEFT]], NAMES) == {0: (None, False)}
    assert told([disc(0, 80.0), disc(1, -20.0)], [[LEFT]], NAMES)[0][1] is False


def test_of_two_discs_that_lie_nearest_to_one_dilemma_none_is_clear() -> None:
    """It has one owner: the other may be a patch of marble that looks like a disc."""
    there = [disc(0, 80.0), disc(1, -35.0)]
    assert told(there, [[LEFT], [RIGHT]], NAMES) == {0: ("red", False)}
    poor = replace(there[1], disc=replace(there[1].disc, explained=0.6) if there[1].disc else None)
    assert told([there[0], poor], [[LEFT], [RIGHT]], NAMES) == {0: ("red", True)}


def test_a_nearer_thing_that_is_no_clear_disc_is_not_the_owner_of_a_dilemma_with_a_clear_one() -> None:
    """It is asked about all the same."""
    seen = disc(1, -12.0)
    patch = replace(seen, disc=replace(seen.disc, explained=0.5, rim=0.7) if seen.disc else None)
    assert told([disc(0, 90.0), patch], [[LEFT]], NAMES) == {0: ("red", False)}


def test_a_farther_unknown_thing_leaves_the_nearest_disc_clear() -> None:
    assert told([disc(0, 80.0), disc(None, -35.0)], [[LEFT]], NAMES) == {0: ("red", True)}


def test_a_disc_whose_rim_is_whole_is_no_check_of_the_cloth_elsewhere() -> None:
    check = disc(0, 230.0)
    assert check.disc is not None
    check = replace(check, disc=replace(check.disc, rim=0.7))
    assert told([disc(0, 80.0), check], [[LEFT], [RIGHT]], NAMES) == {0: ("red", True)}
    assert told([disc(0, 80.0), check, disc(1, 246.0)], [[LEFT], [RIGHT]], NAMES)[1] == ("blue", True)
    assert told([check, replace(check, middle=np.array([80.0, 45.0]))], [[LEFT], [RIGHT]], NAMES)[1] == ("red", False)
    unlike = replace(disc(0, 80.0), cost=70.0)  # a corner of the cloth may have a whole rim, and hardly that colour
    assert told([unlike, check], [[LEFT], [RIGHT]], NAMES) == {0: ("red", False), 1: ("red", False)}


def test_a_disc_nearest_to_half_a_dilemma_may_be_its_neighbours() -> None:
    """A lone card may be none: the dilemma beside it is then not surely nobody's."""
    there, both = [disc(0, 108.0)], [[LEFT], [RIGHT - (20.0, 0.0)]]
    assert told(there, both, NAMES, [0]) == {1: ("red", True)}
    assert told(there, both, NAMES, [1]) == {1: ("red", True), 0: ("red", False)}
    assert told([*there, disc(1, 75.0)], both, NAMES, [1])[0] == ("blue", True), "it has a clearer one"
    assert told([disc(0, 230.0)], both, NAMES, [1]) == {1: ("red", True)}, "out of the other's reach"


def token(x: float, y: float = 45.0) -> SeenDisc:
    return SeenDisc(0, np.array([x, y]), 10.0, 0.9, 0.9, 1.0, 0.5, 1.0)


def thing_there(thing: RoundThing, token: SeenDisc, cost: float = 5.0) -> tuple[RoundThing | None, SeenDisc | None]:
    return but_for_tokens(thing, [token], [LEFT], lambda _: cost)


def test_a_token_is_no_disc_and_one_that_looks_like_a_disc_beside_the_cards_is_asked_about() -> None:
    assert thing_there(disc(0, 80.0), token(30.0))[0] is not None
    assert thing_there(disc(0, 30.0), token(30.0)) == (None, None), "it lies on the card"
    assert thing_there(disc(0, 80.0), token(91.0)) == (None, None), "it is a part of the token"
    alike, gone = thing_there(disc(0, 80.0), token(81.0))
    assert alike is not None
    assert (alike.disc, gone) == (None, None)


def test_what_is_far_likelier_a_disc_is_no_token() -> None:
    there = token(81.0)
    thing = replace(disc(0, 80.0), cost=5.0)
    assert thing_there(thing, there, 40.0) == (thing, there)
    asked, gone = thing_there(thing, there, 9.0)
    assert asked is not None
    assert (asked.disc, gone) == (None, None)
    assert thing_there(replace(thing, cost=60.0), there, 80.0)[1] is None, "neither explains what is seen"
    aside = token(86.0)  # of another size than the disc it was made of
    assert thing_there(thing, aside, 40.0) == (thing, aside)


def test_a_disc_of_unclear_colour_that_no_token_explains_is_asked_about() -> None:
    there, clear = token(81.0), replace(disc(0, 80.0), cost=22.0)
    assert clear.disc is not None
    unclear = replace(clear, disc=replace(clear.disc, margin=0.94))  # green as a token is, with another sign
    thing, gone = thing_there(unclear, there, 92.0)
    assert (thing, gone) == (unclear, there)
    assert told([unclear], [[LEFT]], NAMES) == {0: ("red", False)}
    assert thing_there(unclear, there, 30.0) == (None, None), "a token explains it nearly as well"


def stone(*, ring: float = 0.0, x: float = -40.0) -> TopView:
    """A stone that changes about a place beside the card by a share of a circle's rim."""
    pixels = np.full((400, 600, 3), 150.0, np.float32)
    view = TopView(pixels, np.ones((400, 600), bool), np.array([-100.0, -50.0]), 2.0)
    at = np.round(view.at(np.array([[x, 45.0]]))[0]).astype(int).tolist()
    cv2.ellipse(pixels, at, (20, 20), 0.0, 0.0, 360.0 * ring, (60.0, 60.0, 60.0), -1)
    return view


def test_a_broken_rim_that_nothing_hides_is_a_vein_of_the_cloth() -> None:
    whole, vein = disc(0, 90.0), replace(disc(1, -40.0), rim=0.8, cost=80.0)
    odd, dark = replace(disc(None, -40.0), rim=0.64, cost=80.0), replace(vein, is_dark=True)
    assert but_for_cloth(stone(), [whole, vein, odd], [LEFT], []) == [whole]
    assert but_for_cloth(stone(), [dark], [LEFT], []) == [dark]  # on a dark cloth its rim may be faint


def test_a_broken_rim_of_a_disc_as_printed_that_ends_as_sharply_as_tokens_may_be_as_bright_as_its_cloth() -> None:
    pale, there = replace(disc(None, -40.0), rim=0.74, cost=34.0), token(150.0, 100.0)
    view = stone(ring=1.0)
    cv2.circle(view.pixels, np.round(view.at(there.middle[None]))[0].astype(int).tolist(), 20, (40.0, 40.0, 200.0), -1)
    assert but_for_cloth(view, [pale], [LEFT], [there]) == [pale]
    blurred = np.asarray(cv2.GaussianBlur(view.pixels, (0, 0), 6.0), np.float32)
    soft = TopView(blurred, view.inside, view.origin_mm, view.px_per_mm)
    soft.pixels[200:] = view.pixels[200:]
    assert not but_for_cloth(soft, [pale], [LEFT], [there])
    assert not but_for_cloth(view, [replace(pale, cost=80.0)], [LEFT], [there])


def test_a_broken_rim_of_which_a_card_or_a_token_may_hide_the_rest_is_asked_about() -> None:
    """What they leave free of it is an edge, or it is a vein."""
    beside_card, under_token = (replace(disc(1, x), rim=0.6, cost=80.0) for x in (-11.0, -40.0))
    assert but_for_cloth(stone(ring=1.0, x=-11.0), [beside_card], [LEFT], []) == [beside_card]
    assert but_for_cloth(stone(ring=1.0), [under_token], [LEFT], [token(-55.0)]) == [under_token]
    assert not but_for_cloth(stone(x=-11.0), [beside_card], [LEFT], [])
    hidden = [token(-55.0), token(-30.0), token(-40.0, 60.0)]
    assert but_for_cloth(stone(), [under_token], [LEFT], hidden) == [under_token], "hardly any of it is free"


def test_what_the_cloth_shows_elsewhere_too_is_no_disc() -> None:
    """A check of a cloth has the colour of a disc, and edges on four sides."""
    first = stone(ring=1.0)
    cv2.circle(first.pixels, (60, 260), 20, (60.0, 60.0, 60.0), -1)
    check = replace(disc(1, -40.0), rim=0.9, cost=80.0)
    assert not but_for_cloth(first, [check], [LEFT], [])
    assert but_for_cloth(stone(ring=1.0), [check], [LEFT], []) == [check]
    whole = replace(check, rim=1.0)  # as no check has it
    assert but_for_cloth(first, [whole], [LEFT], []) == [whole]
    printed = replace(check, cost=31.0)  # a red disc half on a red check, whose colour is all that is bare of it
    assert but_for_cloth(first, [printed], [LEFT], []) == [printed]


def test_on_a_cloth_of_which_many_parts_look_like_discs_one_that_lacks_some_of_its_rim_is_no_known_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One of ten white squares of a check was surely a white disc, for it was shaded otherwise than the nine."""
    squares = [replace(disc(1, x), rim=0.9, cost=80.0) for x in (-80.0, -60.0, -40.0)]
    tenth, whole = replace(disc(1, 140.0), rim=0.9, cost=62.0), disc(0, 90.0)
    monkeypatch.setattr(owners, "is_repeated", lambda _view, middle, *_: middle[0] < 0.0)
    things = [*squares, tenth, whole]
    asked, stays = but_for_cloth(stone(), things, [LEFT], [])
    assert (asked.middle is tenth.middle, asked.disc, stays) == (True, None, whole)
    assert but_for_cloth(stone(), things[1:], [LEFT], []) == [tenth, whole]  # two may be chance
