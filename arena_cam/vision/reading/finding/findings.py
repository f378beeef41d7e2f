"""The cards of one frame found so far."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.fit import Fit, same_place
from arena_cam.vision.reading.cards.known import Known, claim_tiles
from arena_cam.vision.reading.cards.naming import Found
from arena_cam.vision.reading.cards.placed_face import PlacedFace, place_face
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.floor.reaching_in import arm_reaching_in
from arena_cam.vision.reading.guesses.guess import Finder, Guess


@dataclass(frozen=True, eq=False)
class Refusal:
    """What a guess that leads to no card is aligned as, a `fit` if any, and what that depends on: the claims (h, w) in
    the part of their mask `where` it is looked at. While these stay, the answer does."""

    where: tuple[slice, slice]
    claimed: NDArray[np.uint8]
    fit: Fit | None

    @staticmethod
    def of(known: Known, guess: Guess, fit: Fit | None) -> Refusal:
        """Of a guess aligned as a `fit` by what is known."""
        fits = [] if fit is None else [fit.pose] if fit.outline is None else [fit.pose, fit.outline.pose]
        where = round_about(known.scene, [guess.pose, *fits])
        return Refusal(where, known.claims.mask[where].copy(), fit)

    def holds(self, known: Known) -> bool:
        """Whether nothing that it depends on has changed. A face taken since would leave its place to the next one."""
        is_taken = self.fit is not None and self.fit.face in known.taken
        return not is_taken and np.array_equal(known.claims.mask[self.where], self.claimed)


_BESIDE_MM = 5.0  # so far beyond a card its sides are looked for


def round_about(scene: Scene, poses: Iterable[CardPose]) -> tuple[slice, slice]:
    """The rows and columns of a mask of claims in which cards at some poses lie, with what is looked at beside them."""
    deck = scene.faces.deck
    size = deck.width_mm + 2 * _BESIDE_MM, deck.height_mm + 2 * _BESIDE_MM
    pixels = np.concatenate([scene.camera.project(pose.corners(*size)) for pose in poses])
    at = pixels / Claims.STEP
    at = np.where(np.isnan(at), 0.0, at).clip(-1.0, 1e5)
    (left, top), (right, bottom) = np.floor(at.min(axis=0)).astype(int), np.ceil(at.max(axis=0)).astype(int)
    return slice(max(top, 0), max(bottom, 0) + 1), slice(max(left, 0), max(right, 0) + 1)


@dataclass(frozen=True, eq=False)
class Findings:
    """`known` is what follows from the cards `found`, which are in the order of acceptance. `hopeless` are guesses that
    explained their places so badly that they are not tried again; `refused` are those that led to no card, which are
    tried again where what they depended on has changed."""

    known: Known
    found: tuple[Found, ...] = ()
    hopeless: tuple[Guess, ...] = ()
    refused: Mapping[Hashable, Refusal] = field(default_factory=dict)

    def plus(self, card: Found) -> Findings:
        """The findings with one more card. A back is never taken, since a deck has as many backs as cards."""
        face = card.fit.face
        is_back = self.known.scene.faces.names[face] == BACK
        known = self.known.plus(card.fit, None if is_back else face)
        return replace(self, known=known, found=(*self.found, card))

    def without_hope_for(self, guess: Guess) -> Findings:
        return replace(self, hopeless=(*self.hopeless, guess))

    def refusing(self, guess: Guess, refusal: Refusal) -> Findings:
        return replace(self, refused={**self.refused, _place(guess): refusal})

    def refusal_of(self, guess: Guess) -> Refusal | None:
        """The refusal of the very same guess, if it led to no card and would again; else None."""
        refusal = self.refused.get(_place(guess))
        return refusal if refusal is not None and refusal.holds(self.known) else None

    def has_one_at(self, guess: Guess) -> bool:
        """Whether a card was found where another is guessed to lie."""
        return any(same_place(guess.pose.centre_mm, guess.pose.R, card.fit) for card in self.found)


def _place(guess: Guess) -> Hashable:
    face = None if guess.finder is Finder.SIDES else guess.face
    return guess.finder, face, guess.is_exact, guess.pose.R.tobytes(), guess.pose.centre_mm.tobytes()


def claimed_by_others(scene: Scene, found: Sequence[Found], card: int, made: dict[Fit, Claims] | None = None) -> Known:
    """What is known from all cards of `found` except number `card`, by the tiles that show their print. `made` keeps
    what each claims for whoever asks of several cards in turn."""
    claims, made = Claims.none_in(scene), {} if made is None else made
    for number, other in enumerate(found):
        if number != card:
            if other.fit not in made:
                made[other.fit] = Claims.none_in(scene)
                claim_tiles(made[other.fit], scene, other.fit)
            claims.add(made[other.fit])
    return Known(scene, claims)


def placed_among(scene: Scene, found: Sequence[Found], card: int, made: dict[Fit, Claims] | None = None) -> PlacedFace:
    """Card number `card` of `found`, in its light, on what the print of all others leaves in view; `made` is as in
    `claimed_by_others`. The second look asks it of each card, and the last places of all cards do so again."""
    fit, others = found[card].fit, tuple(other.fit for number, other in enumerate(found) if number != card)

    def placed() -> PlacedFace:
        return place_face(claimed_by_others(scene, found, card, made), fit.face, fit.pose)

    return scene.once(("placed among", fit, others), placed)


def arm_reaches_in(scene: Scene, outlines_px: Sequence[Array]) -> bool:
    """Whether people are at work, so that the frame cannot be sure, by the outlines (4, 2) of the cards found."""
    if scene.change is None:
        return False
    claimed = Claims.of_outlines(scene, outlines_px).mask
    return arm_reaching_in(scene.change, claimed, Claims.STEP, scene.faces.deck.card_mm2, outlines_px) is not None
