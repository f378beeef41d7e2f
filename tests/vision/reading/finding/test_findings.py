"""What is found grows card by card, and a back is never taken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK, DeckFaces
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.fit import Fit
from arena_cam.vision.reading.cards.known import Known, claim_tiles
from arena_cam.vision.reading.cards.placed_face import PlacedFace, place_face
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.finding import findings
from arena_cam.vision.reading.finding.findings import Findings, Refusal, claimed_by_others, placed_among
from arena_cam.vision.reading.guesses.guess import Finder, Guess
from vision.scenes import BESIDE, CAMERA, HERE, found_at, known_of

AWAY = CardPose.flat(90.0, 5.0, 0.0)


def test_a_card_found_is_known_and_taken(faces: DeckFaces) -> None:
    before = Findings(known_of(faces, ("card-1", HERE)))
    after = before.plus(found_at(before.known, 1, HERE))
    assert after.known.taken == (1,)
    assert after.known.claims.at(CAMERA.project(HERE.centre_mm[None]).T)[0] == 1.0
    assert (len(before.found), len(after.found)) == (0, 1)


def test_of_backs_there_may_be_more(faces: DeckFaces) -> None:
    before = Findings(known_of(faces))
    assert before.plus(found_at(before.known, faces.index(BACK), HERE)).known.taken == ()


def test_a_guess_at_a_found_place_is_known(faces: DeckFaces) -> None:
    known = Findings(known_of(faces, ("card-1", HERE)))
    known = known.plus(found_at(known.known, 1, HERE))
    assert known.has_one_at(Guess(2, HERE.half_turned, 1.0, Finder.FEATURES))
    assert not known.has_one_at(Guess(1, BESIDE, 1.0, Finder.FEATURES))


def test_hope_is_given_up_guess_by_guess(faces: DeckFaces) -> None:
    guess = Guess(2, HERE, 1.0, Finder.FEATURES)
    assert Findings(known_of(faces)).without_hope_for(guess).hopeless == (guess,)


def test_a_guess_that_led_to_no_card_is_asked_again_where_what_it_depended_on_changed(faces: DeckFaces) -> None:
    findings = Findings(known_of(faces, ("card-1", HERE), ("card-2", BESIDE)))
    guess, turned = (Guess(0, pose, 1.0, Finder.SIDES) for pose in (HERE, HERE.half_turned))
    fit = found_at(findings.known, 1, HERE).fit
    refusal = Refusal.of(findings.known, guess, fit)
    findings = findings.refusing(guess, refusal)
    same = Guess(0, CardPose(HERE.R.copy(), HERE.centre_mm.copy()), 3.0, Finder.SIDES)
    assert findings.refusal_of(same) is refusal
    assert refusal.fit is fit, "it need not be aligned again"
    assert findings.refusal_of(turned) is None
    assert findings.refusal_of(replace(guess, finder=Finder.FEATURES)) is None
    assert findings.plus(found_at(findings.known, 2, AWAY)).refusal_of(guess) is refusal
    assert findings.plus(found_at(findings.known, 1, AWAY)).refusal_of(guess) is None  # it is no more the first card
    assert findings.plus(found_at(findings.known, 2, BESIDE)).refusal_of(guess) is None


def test_a_card_is_measured_by_what_the_others_claim(faces: DeckFaces) -> None:
    known = known_of(faces, ("card-1", HERE), ("card-2", BESIDE))
    found = [found_at(known, 1, HERE), found_at(known, 2, BESIDE)]
    middles = CAMERA.project(HERE.points(np.array([-25.0]), np.array([-25.0]))), CAMERA.project(BESIDE.centre_mm[None])
    for card, claimed in ((0, [0.0, 1.0]), (1, [1.0, 0.0])):
        others = claimed_by_others(known.scene, found, card)
        assert [float(others.claims.at(at.T)[0]) for at in middles] == claimed


def test_what_a_card_claims_is_worked_out_once_for_all_others(
    faces: DeckFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = known_of(faces, ("card-1", HERE), ("card-2", BESIDE))
    found = [found_at(known, 1, HERE), found_at(known, 2, BESIDE)]
    alone = [claimed_by_others(known.scene, found, card).claims.mask for card in (0, 1, -1)]
    asked = []

    def counted(claims: Claims, scene: Scene, fit: Fit) -> None:
        asked.append(fit)
        claim_tiles(claims, scene, fit)

    monkeypatch.setattr(findings, "claim_tiles", counted)
    made: dict[Fit, Claims] = {}
    together = [claimed_by_others(known.scene, found, card, made).claims.mask for card in (0, 1, -1)]
    assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))
    assert len(asked) == 2


def test_a_card_is_laid_among_others_once_while_these_stay(faces: DeckFaces, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second look asks it, and the last places do again; with another card round about it is laid anew."""
    known, laid = known_of(faces, ("card-1", HERE), ("card-2", BESIDE)), []

    def counted(known: Known, face: int, pose: CardPose) -> PlacedFace:
        laid.append(face)
        return place_face(known, face, pose)

    monkeypatch.setattr(findings, "place_face", counted)
    found = [found_at(known, 1, HERE), found_at(known, 2, BESIDE)]
    first = placed_among(known.scene, found, 0)
    assert placed_among(known.scene, found, 0) is first
    assert len(laid) == 1
    placed_among(known.scene, [found[0], found_at(known, 0, BESIDE)], 0)
    placed_among(known.scene, found, 1)
    assert len(laid) == 3
