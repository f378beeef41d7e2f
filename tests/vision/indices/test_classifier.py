"""Which rank and suit a pair of marks is: probabilities that leave room for "no index"."""

from __future__ import annotations

import numpy as np
import pytest

from arena_cam.vision.indices.classifier import RANKS, SUITS, IndexClassifier, PicturePart, index_classifier
from arena_cam.vision.indices.ink import find_ink, find_marks
from arena_cam.vision.indices.pairs import find_pairs
from vision.indices.cards import paper, with_rectangle


def one_layer(bias: np.ndarray) -> IndexClassifier:
    """A classifier that says the same of everything: 1 + 13 + 4 logits."""
    return IndexClassifier(((np.zeros((5, 18), np.float32), bias.astype(np.float32)),))


def test_ranks_and_suits_are_those_of_an_international_pack() -> None:
    assert (len(RANKS), len(SUITS)) == (13, 4)
    assert len(set(RANKS)) == 13
    assert len(set(SUITS)) == 4


def test_what_is_sure_of_a_rank_and_a_suit_is_sure_of_that_card() -> None:
    bias = np.zeros(18)
    bias[1 + RANKS.index("T")] = bias[14 + SUITS.index("H")] = 30.0
    probability = one_layer(bias).probabilities([np.ones(5, np.float32)])
    assert probability.shape == (1, 13, 4)
    assert probability[0, RANKS.index("T"), SUITS.index("H")] == pytest.approx(1.0)


def test_what_is_no_index_is_what_is_missing_to_one() -> None:
    bias = np.zeros(18)
    bias[0] = np.log(13 * 9.0)  # nine times as likely no index as any
    assert one_layer(bias).probabilities([np.ones(5, np.float32)]).sum() == pytest.approx(0.1)


def test_a_higher_temperature_is_less_sure_of_the_same() -> None:
    bias = np.zeros(18)
    bias[3], bias[15] = 4.0, 2.0
    cold = one_layer(bias)
    warm = IndexClassifier(cold.layers, temperature=2.0)
    features = [np.ones(5, np.float32)]
    assert cold.probabilities(features).argmax() == warm.probabilities(features).argmax()
    assert cold.probabilities(features).max() > warm.probabilities(features).max()


def test_layers_are_joined_by_rectifiers() -> None:
    """What is below zero between them is nothing: -1 and -5 come out alike, 2 does not."""
    first = np.ones((1, 1), np.float32), np.zeros(1, np.float32)
    second = np.ones((1, 18), np.float32), np.zeros(18, np.float32)
    logits = IndexClassifier((first, second)).logits(np.array([[-1.0], [-5.0], [2.0]], np.float32))
    assert logits[:, 0].tolist() == [0.0, 0.0, 2.0]


def test_a_picture_among_the_features_is_seen_by_convolutions_and_the_rest_as_it_is() -> None:
    """A picture of eight by eight, even and of brightness 2: each convolution takes the mean, and the rest is 5."""
    mean = np.full((9, 1), 1 / 9, np.float32), np.zeros(1, np.float32)
    part = PicturePart(0, 8, 8, (mean, mean))
    last = np.zeros((2, 18), np.float32), np.zeros(18, np.float32)
    last[0][0, 3], last[0][1, 4] = 1.0, 1.0
    features = np.concatenate([np.full(64, 2.0), [5.0]])[None].astype(np.float32)
    logits = IndexClassifier((last,), parts=(part,)).logits(features)
    assert logits[0, 3:5].tolist() == pytest.approx([2.0, 5.0])


def test_large_logits_do_not_overflow() -> None:
    bias = np.zeros(18)
    bias[2], bias[17] = 5000.0, -5000.0
    assert np.isfinite(one_layer(bias).probabilities([np.ones(5, np.float32)])).all()


def test_nothing_to_classify_gives_nothing() -> None:
    assert index_classifier().probabilities([]).shape == (0, 13, 4)


def test_the_one_that_comes_with_the_program_takes_the_features_of_pairs() -> None:
    """Two plain blocks are surely no index."""
    view = with_rectangle(with_rectangle(paper(), 26, 24, 5, 6), 26, 32, 5, 6)
    ink = find_ink(view)
    features = [pair.features for pair in find_pairs(ink, find_marks(ink))]
    assert features
    probability = index_classifier().probabilities(features)
    assert probability.shape == (len(features), 13, 4)
    assert (probability >= 0).all()
    assert (probability.sum(axis=(1, 2)) <= 1 + 1e-6).all()
    assert index_classifier() is index_classifier()
