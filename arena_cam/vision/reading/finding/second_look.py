"""Once the plain cards of a frame are found it is better known what of each is in view: doubtful ones are asked again.

While cards are being found, a card claims the tiles that show its drawing. Tiles in the edge of a shadow do not, and
what lies beneath the card is then held against them. Now every tile counts as the card's own that has its colours in
whatever shade, so that only what truly shows of a covered card has a say about its name and its place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np

from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.face_comparison import Identity
from arena_cam.vision.reading.cards.fit import Fit, claim_tiles, in_view, measure, same_place
from arena_cam.vision.reading.cards.fitting import FLAT_FIRST, fit_coarse, slide
from arena_cam.vision.reading.cards.leaning import hangs, laid_flat
from arena_cam.vision.reading.cards.naming import TELLING_NATS, Found, boosted, compared, named
from arena_cam.vision.reading.cards.occlusion import place_face
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.finding.known_cards import is_expected
from arena_cam.vision.reading.finding.peeling import LEAST_IN_VIEW, claimed_by_others, is_there

# Names less likely than this are asked again, of cards of which others cover this much at least.
_SURELY_NAMED, _COVERED = 0.995, 0.4
_AS_SEEN = 0.97  # what others cover of a card is no more than where their edges are off by
# Of what is in view of a card so much is explained where nothing is left to ask; and where, once it is known what the
# others show of themselves, it looks as it should.
_PLAIN, AS_IT_SHOULD = 0.93, 0.85
_AGAIN = 2  # a name found for a tilted card is asked once more for a flat one
_MOST_MISSED = 3  # cards that are found by their pieces alone
_FLAT_DEG = 2.5
_SUNK_MM = 6.0  # no card lies so far below the floor
# Faces aligned at each place, places they led to that are tried once more, and fits held against each other in the end.
_LIKELIEST, _SLID, _ALIKE = 3, 2, 5


class SecondLook:
    """The cards found in a frame, looked at again. `found` is changed in place."""

    def __init__(
        self,
        scene: Scene,
        white_ratio: Array,
        found: list[Found],
        fiducials_px: Sequence[Array],
        places: Callable[[Claims], Sequence[CardPose]],
    ) -> None:
        """`fiducials_px` are outlines (4, 2) of what is no card; `places` tells where a card may lie that shows a piece
        of what the claims leave open."""
        self._scene, self._white, self._found, self._places = scene, white_ratio, found, places
        self._fiducials = fiducials_px
        self._kept: dict[Found, Claims] = {}

    def others(self, *but: int) -> Claims:
        """What all cards claim `but` those of some numbers, and the fiducials."""
        claims = Claims.none_in(self._scene)
        for outline in self._fiducials:
            claims.add_polygon(outline)
        for number in range(len(self._found)):
            if number not in but:
                claims.add(self._claimed(number))
        return claims

    def ask_again(self, settled: Collection[int]) -> None:
        """Gives covered cards of doubtful name the name and the place that best explain what is in view of them.
        `settled` are faces that are known to be there."""
        for number, card in enumerate(self._found):
            if not self.is_doubtful(number, settled):
                continue
            claims = self.others(number)
            taken = [other.fit.face for i, other in enumerate(self._found) if i != number]
            better = self._best([laid_flat(self._scene, card.fit.pose), *self._places(claims)], claims, taken)
            if better is None or self._is_found(better, number):
                continue
            before = compared(self._scene, card.fit.pose, self._white, claims, taken)
            fit, identity = better.fit, better.identity
            if is_there(fit) or _a_point(identity, fit.face) > _a_point(before, card.fit.face):
                self._found[number] = Found(fit, boosted(identity, fit.face)) if fit.face in settled else better

    def find_missed(self, wanted: Collection[int]) -> None:
        """Adds cards of which only a piece is in view that no feature and no marker spoke for. Of `wanted` faces, known
        to be there, less has to be seen."""
        for _ in range(_MOST_MISSED):
            claims = self.others()
            taken = [card.fit.face for card in self._found]
            card = self._best(self._places(claims), claims, taken)
            if card is None or self._is_found(card):
                return
            if card.fit.face in wanted and is_expected(card.fit):
                card = Found(card.fit, boosted(card.identity, card.fit.face))
            elif not is_there(card.fit):
                return
            self._found.append(card)

    def is_doubtful(self, number: int, settled: Collection[int]) -> bool:
        """Whether a covered card may well be another, or lie elsewhere."""
        card = self._found[number]
        fit = card.fit
        if fit.uncovered > 1.0 - _COVERED and (self._is_surely_named(card) or self._is_as_seen(number)):
            return False
        if any(face == fit.face and same_place(at.centre_mm, at.R, fit) for face, at in self._scene.believed):
            return False  # it was seen better before others covered it
        if fit.pose.centre_mm[2] < -_SUNK_MM:
            return True
        if hangs(self._scene, fit.pose):
            return True
        if fit.face not in settled and not self._is_surely_named(card):
            return True
        # of names at a wrong place one may be far ahead of all others, and still not what is seen there
        if fit.explained > _PLAIN or fit.evidence > TELLING_NATS or fit.face in self._scene.markers_in_place(fit.pose):
            return False
        return measure(self._scene, fit.face, fit.alignment, self.others(number)).explained < AS_IT_SHOULD

    def _is_as_seen(self, number: int) -> bool:
        """False where what covers a card was found after it: its print may have been taken for the card's."""
        return in_view(self._scene, self._found[number].fit.pose, self.others(number))[0] > _AS_SEEN

    def _is_surely_named(self, card: Found) -> bool:
        return float(card.identity.probabilities()[card.fit.face]) > _SURELY_NAMED

    def _is_found(self, card: Found, *but: int) -> bool:
        """Whether a card, either way up, is what another card found shows of itself: no two lie in one place."""
        others = [other.fit for number, other in enumerate(self._found) if number not in but]
        return any(same_place(card.fit.pose.centre_mm, card.fit.pose.R, other) for other in others)

    def _best(self, starts: Sequence[CardPose], claims: Claims, taken: list[int]) -> Found | None:
        """The card that best explains what the claims leave in view, from where it is thought to be; None if none does.

        It is sought flat: what lies under other cards is held so, and a pose that tilts to please a few pixels is what
        misnames most.
        """
        scene = self._scene
        slid = [fit for pose in starts for fit in self._likeliest(pose, claims, taken)]
        if not slid:
            return None
        # even a wrong face slides to the edges of the card, and there the right one is seen
        for fit in sorted(slid, key=lambda f: f.worth)[-_SLID:]:
            slid += self._likeliest(laid_flat(scene, fit.pose), claims, taken)
        fits = [fit_coarse(scene, f.face, f.pose, claims) for f in sorted(slid, key=lambda f: f.worth)[-_ALIKE:]]
        fit = self._most_alike(fits, claims, taken)
        identity = None
        for _ in range(_AGAIN):
            fit, identity = named(scene, self._white, fit, claims, taken)
            if fit.pose.tilt_deg < _FLAT_DEG:
                break
            flat = fit_coarse(scene, fit.face, laid_flat(scene, fit.pose), claims)
            if flat.worth < fit.worth / FLAT_FIRST:
                break
            fit = flat
        if identity is None or identity.best != fit.face or fit.uncovered < LEAST_IN_VIEW:
            return None
        return Found(fit, identity)

    def _most_alike(self, fits: Sequence[Fit], claims: Claims, taken: list[int]) -> Fit:
        """Of fits at various poses the one whose face is most like what is seen there, in drawing and colours."""
        seen = [compared(self._scene, fit.pose, self._white, claims, taken) for fit in fits]
        points = max(identity.points for identity in seen)
        alike = [
            points * _a_point(identity, fit.face) + 0.5 * fit.evidence for identity, fit in zip(seen, fits, strict=True)
        ]
        return fits[int(np.argmax(alike))]

    def _likeliest(self, pose: CardPose, claims: Claims, taken: list[int]) -> list[Fit]:
        """The faces likeliest at a pose, each slid from there to where it fits best."""
        likelihood = compared(self._scene, pose, self._white, claims, taken).log_likelihood
        best = np.argsort(-likelihood)[:_LIKELIEST]
        return [slide(self._scene, int(face), pose, claims) for face in best]

    def _claimed(self, number: int) -> Claims:
        """What one card shows of itself."""
        card = self._found[number]
        if card not in self._kept:
            scene, fit = self._scene, card.fit
            placed = place_face(scene, fit.face, fit.pose, claimed_by_others(scene, self._found, number))
            claims = Claims.none_in(scene)
            claim_tiles(claims, scene, fit, placed.own)
            if placed.except_ is not None:
                claims.free(scene.camera.project_plane(fit.pose.plane, placed.except_))
            self._kept[card] = claims
        return self._kept[card]


def _a_point(identity: Identity, face: int) -> float:
    """How well a face explains a point of what is in view, so that poses can be compared that show more or less."""
    return float(identity.log_likelihood[face]) / max(identity.points, 1)
