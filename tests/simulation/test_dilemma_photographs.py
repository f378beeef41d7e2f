"""Tables of dilemmas are laid as people lay them, and their truth is what is seen."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from arena_cam.simulation.dilemmas.laying import corners_mm, outside_mm, random_table
from arena_cam.simulation.dilemmas.photographs import DilemmaPhotographer, Shot
from vision.tokens.scenes import small_set

SHOT = Shot((640, 480), 420.0, 15.0, 10.0, 0.05, shade=False)


def test_tokens_lie_on_their_cards_and_discs_beside_them() -> None:
    for seed in range(6):
        for dilemma in random_table(small_set(), np.random.default_rng(seed), 2):
            outlines = [corners_mm(card.at_mm, (60.0, 90.0)) for card in dilemma.cards]
            for token in dilemma.tokens:
                assert min(outside_mm(np.array(token.at_mm[:2]), each) for each in outlines) < 2.0  # or between two
            if dilemma.owner:
                gap = min(outside_mm(np.array(dilemma.owner.at_mm[:2]), each) for each in outlines) - 9.0
                assert 0 < gap < 40


def test_a_photograph_counts_its_tokens_and_shows_its_cards() -> None:
    table = random_table(small_set(), np.random.default_rng(3), 1)
    image, truth = DilemmaPhotographer(small_set()).photograph(table, SHOT, 1)
    assert image.shape == (480, 640, 3)
    (dilemma,) = truth
    assert sum(dilemma["tokens"].values()) == len(table[0].tokens) == len(dilemma["token_list"])
    assert dilemma["tokens"]["hidden"] == sum(bool(name) for name in table[0].hidden_names)
    assert {card["id"] for card in dilemma["cards"]} == {card.name for card in table[0].cards}
    assert all(0 < x < 640 and 0 < y < 480 for x, y in [dilemma["centre_px"]])
    assert 0 <= min(token["visible_fraction"] for token in dilemma["token_list"]) <= 1
    json.dumps(truth)
    top = np.mean(dilemma["cards"][-1]["corners_px"], axis=0).astype(int)
    assert image[top[1], top[0]].max() > 30  # a lit card, not the dark beyond the table


def test_the_camera_comes_as_near_as_all_cards_are_in_the_picture() -> None:
    table = random_table(small_set(), np.random.default_rng(4), 2)
    photographer = DilemmaPhotographer(small_set())
    far = replace(SHOT, height_mm=1500.0)
    near = photographer.nearer(table, far, 2)
    assert near.height_mm < 0.8 * far.height_mm
    _, truth = photographer.photograph(table, near, 2)
    corners = np.array([card["corners_px"] for dilemma in truth for card in dilemma["cards"]]).reshape(-1, 2)
    assert (corners > 0).all()
    assert (corners < near.size_px).all()


def test_of_every_token_enough_is_seen_to_tell_it() -> None:
    photographer = DilemmaPhotographer(small_set())
    for seed in range(3):
        table = random_table(small_set(), np.random.default_rng([7, seed]), 1)
        (dilemma,) = photographer.photograph(table, replace(SHOT, tilt_deg=0.0), seed)[1]
        assert min(token["visible_fraction"] for token in dilemma["token_list"]) > 0.25
