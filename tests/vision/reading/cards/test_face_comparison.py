"""Every face is compared with the same pixels, in any light that this frame's could be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from arena_cam.camera.frame import Image
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards import face_comparison
from arena_cam.vision.reading.cards.face_comparison import (
    Identity,
    SeenInk,
    compare_faces,
    compare_roughly,
    compare_ways,
    gained_by_inks,
    ink_of,
    likely_by_light,
    residual_of_best,
)
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.scene import PointStore, Scene
from vision.scenes import CAMERA, HERE, fit_at, known_of, moved, scene_of
from vision.small import small_deck


def test_out_of_the_picture_all_names_are_as_likely(faces: DeckFaces) -> None:
    for compare in (compare_faces, compare_roughly):
        identity = compare(known_of(faces), CardPose.flat(900.0, 0.0, 0.0))
        assert identity.points == 0
        assert np.ptp(identity.log_likelihood) == 0.0
        assert identity.probabilities() == pytest.approx(np.full(6, 1 / 6))


@pytest.mark.parametrize("card", ["card-0", "card-3"])
def test_the_face_that_lies_there_leads_by_far(faces: DeckFaces, card: str) -> None:
    known = known_of(faces, (card, HERE))
    for compare in (compare_faces, compare_roughly):
        identity = compare(known, HERE)
        ranked = np.sort(identity.log_likelihood)
        assert identity.best == faces.index(card)
        assert ranked[-1] - ranked[-2] > 20.0
        assert identity.probabilities()[identity.best] > 0.999


@pytest.mark.parametrize("turned", [False, True])
def test_both_ways_up_are_as_each_by_itself(faces: DeckFaces, turned: bool) -> None:
    pose = HERE.half_turned if turned else HERE
    known = replace(known_of(faces, ("card-1", HERE), ("card-2", moved(HERE, 30.0, 0.0))), taken=(3,))
    assert known.scene.points.names.turns_onto_itself
    ways = compare_ways(known, pose)
    for way, at in zip(ways, (pose, pose.half_turned), strict=True):
        alone = compare_faces(known, at)
        assert way.points == alone.points
        assert way.log_likelihood == pytest.approx(alone.log_likelihood, abs=1e-2)
    assert ways[turned].best == 1
    assert ways[turned].log_likelihood.max() > ways[not turned].log_likelihood.max() + 20.0


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("far", "again"), [(1.0, 1), (1e9, 2)])
def test_a_way_up_that_is_far_behind_is_not_compared_again(
    faces: DeckFaces, monkeypatch: pytest.MonkeyPatch, turned: bool, far: float, again: int
) -> None:
    rounds: list[int] = []

    def closely(*of: Any) -> Array:
        rounds.append(len(of[0]))
        return residual_of_best(*of)

    monkeypatch.setattr(face_comparison, "residual_of_best", closely)
    monkeypatch.setattr(face_comparison, "_FAR_BEHIND_NATS", far)
    known = replace(known_of(faces, ("card-1", HERE)), taken=(3,))
    ways = compare_ways(known, HERE.half_turned if turned else HERE)
    assert len(rounds) == again
    assert ways[turned].best == 1
    assert ways[turned].log_likelihood.max() > ways[not turned].log_likelihood.max() + 20.0
    assert ways[not turned].log_likelihood[3] == -1e9


def test_a_face_that_is_taken_is_none(faces: DeckFaces) -> None:
    known = replace(known_of(faces, ("card-1", HERE)), taken=(1,))
    identity = compare_faces(known, HERE)
    assert identity.best != 1
    assert identity.probabilities()[1] == 0.0


@pytest.mark.parametrize("asked", [None, 11])
def test_of_paper_alone_all_faces_are_as_likely_however_many_are_compared_closely(
    tmp_path: Path, asked: int | None
) -> None:
    """Of a card with its figure hidden eight of forty faces were told closely, and the challenge among them was it by
    986 in 1000: all others were said to be ten nats behind."""
    faces = [np.full((352, 252, 3), 238, np.uint8) for _ in range(12)]
    for number, face in enumerate(faces):
        cv2.putText(face, str(number), (90, 60), cv2.FONT_HERSHEY_DUPLEX, 2.0, (40, 40, 40), 5)
    known = known_of(DeckFaces(small_deck(tmp_path, faces)), ("card-3", HERE))
    end = CardPose(HERE.R, HERE.centre_mm + 44.0 * HERE.R[:, 1])
    known.claims.add_polygon(CAMERA.project(end.corners(67.0, 88.0)))
    nats = compare_faces(known, HERE, asked).log_likelihood[:12]
    assert np.ptp(nats) < 0.5
    assert compare_faces(known_of(known.scene.faces, ("card-3", HERE)), HERE, asked).best == 3


@pytest.mark.parametrize("light", [(0.6, 0.6, 0.6), (0.7, 0.85, 1.0)])
def test_other_light_is_no_other_card(faces: DeckFaces, light: tuple[float, float, float]) -> None:
    scene = scene_of(faces, ("card-1", HERE))
    lit = np.clip(scene.bgr * np.array(light), 0, 255).astype(np.uint8)
    scene = replace(scene, bgr=lit, white_ratio=np.array(light) / light[1])
    assert compare_faces(Known.nothing_of(scene), HERE).best == 1


def test_what_others_claim_is_not_compared(faces: DeckFaces) -> None:
    upper = moved(HERE, 30.0, 0.0)
    known = known_of(faces, ("card-1", HERE), ("card-2", upper))
    covered = known.plus(fit_at(known, 2, upper), 2)
    assert compare_faces(covered, HERE).points < 0.7 * compare_faces(known, HERE).points
    assert compare_faces(covered, HERE).best == 1


@pytest.mark.parametrize("round_", ["rough_at", "close_at"])
def test_a_sliver_that_misses_the_points_of_a_round_says_nothing(
    faces: DeckFaces, monkeypatch: pytest.MonkeyPatch, round_: str
) -> None:
    known = replace(known_of(faces, ("card-1", HERE)), taken=(0,))
    names = known.scene.points.names
    seen = np.zeros(names.places.shape[1])
    seen[:400] = 1.0
    seen[getattr(names, round_)] = 0.0
    monkeypatch.setattr(face_comparison, "tells_something", lambda _: seen)
    identity = compare_faces(known, HERE)
    assert identity.points == seen.sum() > 50
    assert identity.probabilities() == pytest.approx([0.0, *[1 / (len(faces.names) - 1)] * (len(faces.names) - 1)])


def test_probabilities_are_those_of_the_likelihoods() -> None:
    identity = Identity(np.log([0.5, 0.3, 0.2]) - 900.0, 100)
    assert identity.probabilities() == pytest.approx([0.5, 0.3, 0.2])
    assert identity.best == 0


def _framed(ink: tuple[int, int, int]) -> Image:
    """A white face with a broad frame and a disc of one ink."""
    face = np.full((352, 252, 3), 246, np.uint8)
    cv2.rectangle(face, (0, 0), (251, 351), ink, 36)
    cv2.circle(face, (126, 176), 20, ink, -1)
    return face


GREEN, BLUE, VIOLET = (74, 120, 46), (150, 84, 40), (150, 66, 112)


@pytest.mark.parametrize("sheen", [0.0, 40.0])
def test_no_light_makes_one_ink_of_another(tmp_path: Path, sheen: float) -> None:
    """White on cards of one drawing fits any gain; that another ink would then be darker than black tells it."""
    inks = DeckFaces(small_deck(tmp_path, [_framed(GREEN), _framed(BLUE), _framed(VIOLET)]))
    scene = scene_of(inks, ("card-0", HERE))
    lit = np.clip(0.65 * scene.bgr + sheen, 0, 255).astype(np.uint8)
    ranked = compare_faces(Known.nothing_of(replace(scene, bgr=lit)), HERE).log_likelihood
    assert int(np.argmax(ranked)) == 0
    assert ranked[0] - ranked[1:].max() > LEAD_NATS, ranked


LEAD_NATS = 36.0  # 33 where only gains speak


@pytest.mark.parametrize("card", [0, 1, 2])
@pytest.mark.parametrize("light", [0.35, 0.8])
def test_a_card_of_one_ink_is_told_by_it_where_its_figure_is_hidden(tmp_path: Path, card: int, light: float) -> None:
    """Nothing varies over what is seen of it: no print tells how bright the light is."""
    plain = []
    for ink in (GREEN, BLUE, VIOLET):
        face = np.full((352, 252, 3), ink, np.uint8)
        cv2.circle(face, (126, 176), 20, (246, 246, 246), -1)
        plain.append(face)
    scene = scene_of(DeckFaces(small_deck(tmp_path, plain)), (f"card-{card}", HERE))
    noise = np.random.default_rng(2).normal(0.0, 1.5, scene.bgr.shape)
    known = Known.nothing_of(replace(scene, bgr=np.clip(light * scene.bgr + noise, 0, 255).astype(np.uint8)))
    known.claims.add_polygon(
        scene.camera.project(HERE.points(np.array([-16, 16, 16, -16]), np.array([16, 16, -16, -16])))
    )
    ranked = compare_faces(known, HERE).log_likelihood
    assert int(np.argmax(ranked)) == card
    assert np.sort(ranked)[-1] - np.sort(ranked)[-2] > 0.2, ranked


def test_what_gloss_has_washed_out_says_nothing_of_the_name(faces: DeckFaces) -> None:
    """Seven tenths of the card are as white as a picture gets; the rest shows its print."""
    scene = scene_of(faces, ("card-1", HERE))
    washed = HERE.points(np.array([-32.0, 32.0, 32.0, -32.0]), np.array([46.0, 46.0, -18.0, -18.0]))
    bgr = scene.bgr.copy()
    cv2.fillConvexPoly(bgr, np.round(CAMERA.project(washed)).astype(np.int32), (255, 255, 255))
    clear, glossy = (compare_faces(Known.nothing_of(replace(scene, bgr=each)), HERE) for each in (scene.bgr, bgr))
    assert glossy.points < 0.4 * clear.points
    assert glossy.best == 1
    assert glossy.probabilities()[1] > 0.99


def test_the_last_digits_of_sums_say_nothing(faces: DeckFaces) -> None:
    """They hang on where an array begins in memory."""
    known = known_of(faces, ("card-1", HERE))
    for compare in (compare_faces, compare_roughly):
        nats = compare(known, HERE).log_likelihood
        assert np.array_equal(nats, np.round(nats, 6))


VIOLET, BLUE = (150, 70, 105), (165, 95, 60)


def of_ink(bgr: tuple[int, int, int]) -> Image:
    """A face (352, 252, 3) with a frame and two discs in an ink."""
    face = np.full((352, 252, 3), 235, np.uint8)
    cv2.rectangle(face, (14, 14), (237, 337), bgr, -1)
    for place in ((90, 110), (160, 240)):
        cv2.circle(face, place, 34, (235, 235, 235), -1)
    return face


def test_how_an_ink_is_seen_near_by_tells_inks_apart(tmp_path: Path) -> None:
    """A camera renders green otherwise than drawn, in violet more than in blue: by itself it might be either."""
    rendered = {0: SeenInk(np.array([0.9, 0.75, 0.9]), np.array([0.0, 12.0, 0.0])), 1: SeenInk(np.ones(3), np.zeros(3))}
    drawn = DeckFaces(small_deck(tmp_path, [of_ink(VIOLET), of_ink(BLUE)]))
    printed = np.clip(of_ink(VIOLET) * rendered[0].gain + rendered[0].haze, 0, 255).astype(np.uint8)
    seen = DeckFaces(small_deck(tmp_path / "seen", [printed, of_ink(BLUE)]))
    known = Known.nothing_of(replace(scene_of(seen, ("card-0", HERE)), faces=drawn, points=PointStore(drawn)))
    violet = ink_of(known, HERE, 0)
    assert violet is not None
    assert violet.gain == pytest.approx(rendered[0].gain, abs=0.03)
    assert violet.haze == pytest.approx(rendered[0].haze, abs=4.0)
    gained = gained_by_inks(known, HERE, rendered)
    assert gained is not None
    assert gained[0] - gained[1] > 3.0
    out_of_sight = moved(HERE, 900.0, 0.0)
    assert ink_of(known, out_of_sight, 0) is None
    assert gained_by_inks(known, out_of_sight, rendered) is None


@pytest.mark.parametrize("card", [0, 1])
def test_a_haze_over_one_ink_makes_no_other_of_it(tmp_path: Path, card: int) -> None:
    """Haze is light, and adds more levels to dark channels than to bright ones: with levels added either ink is seen
    about as well as the other."""
    deck = DeckFaces(small_deck(tmp_path, [_numbered((140, 50, 110)), _numbered((170, 90, 30))]))
    known = _hazy(scene_of(deck, (f"card-{card}", HERE)))
    told = likely_by_light(known, HERE, np.array([0, 1]))
    assert told is not None
    assert told[card] - told[1 - card] > SURELY_NATS, told
    assert likely_by_light(replace(known, scene=replace(known.scene, white=np.ones(3))), HERE, np.array([0, 1])) is None


SURELY_NATS = 6.0


def test_thin_print_says_nothing_by_its_light(tmp_path: Path) -> None:
    faces = [np.full((352, 252, 3), 245, np.uint8) for _ in range(2)]
    for face, ink in zip(faces, (VIOLET, BLUE), strict=True):
        cv2.putText(face, "8", (20, 60), cv2.FONT_HERSHEY_DUPLEX, 1.5, ink, 3)
    known = _hazy(scene_of(DeckFaces(small_deck(tmp_path, faces)), ("card-0", HERE)))
    assert likely_by_light(known, HERE, np.array([0, 1])) is None


def _numbered(ink: tuple[int, int, int]) -> Image:
    """A face of one ink to the edge, with a large figure in a paler shade."""
    face = np.full((352, 252, 3), ink, np.uint8)
    pale = tuple(round(level + 0.55 * (255 - level)) for level in ink)
    cv2.putText(face, "8", (70, 230), cv2.FONT_HERSHEY_DUPLEX, 5.0, pale, 22)
    return face


def _hazy(scene: Scene) -> Known:
    """What is seen of a scene in dim and yellow light, with a sheen over all of it."""
    white = np.array([0.37, 0.41, 0.45])
    light = white * (1.15 * scene.bgr.astype(np.float64) ** 2 / 255.0 + 95.0)
    noise = np.random.default_rng(3).normal(0.0, 1.5, scene.bgr.shape)
    bgr = np.clip(np.sqrt(light * 255.0) + noise, 0, 255).astype(np.uint8)
    return Known.nothing_of(replace(scene, bgr=bgr, white=white, white_ratio=np.sqrt(white / white[1])))
