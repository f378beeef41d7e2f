"""The cards of one frame found so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena_cam.vision.faces.deck_faces import BACK
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.fit import same_place
from arena_cam.vision.reading.cards.known import Known, claim_tiles
from arena_cam.vision.reading.cards.naming import Found
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.guesses.guess import Guess


@dataclass(frozen=True, eq=False)
class Findings:
    """`known` is what follows from the cards `found`, which are in the order of acceptance. `hopeless` are guesses that
    explained their places so badly that they are not tried again."""

    known: Known
    found: tuple[Found, ...] = ()
    hopeless: tuple[Guess, ...] = ()

    def plus(self, card: Found) -> Findings:
        """The findings with one more card. A back is never taken, since a deck has as many backs as cards."""
        face = card.fit.face
        is_back = self.known.scene.faces.names[face] == BACK
        known = self.known.plus(card.fit, None if is_back else face)
        return replace(self, known=known, found=(*self.found, card))

    def without_hope_for(self, guess: Guess) -> Findings:
        return replace(self, hopeless=(*self.hopeless, guess))

    def has_one_at(self, guess: Guess) -> bool:
        """Whether a card was found where another is guessed to lie."""
        return any(same_place(guess.pose.centre_mm, guess.pose.R, card.fit) for card in self.found)


def claimed_by_others(scene: Scene, found: Sequence[Found], card: int) -> Known:
    """What is known from all cards of `found` except number `card`, by the tiles that show their print."""
    claims = Claims.none_in(scene)
    for number, other in enumerate(found):
        if number != card:
            claim_tiles(claims, scene, other.fit)
    return Known(scene, claims)
