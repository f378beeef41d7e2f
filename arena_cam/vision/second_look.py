"""Once all cards of a frame are found it is better known what of each is in view: the doubtful names are asked again.

While cards are being found, a card claims the tiles that show its drawing. Tiles in the edge of a shadow do not, and
what lies beneath the card is then held against them. Now every tile counts as the card's own that has its colours in
whatever shade, so that only what truly shows of a covered card has a say about its name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.fitting import FLAT_FIRST, Claims, Fit, Scene, fit_coarse, same_place
from arena_cam.vision.identity import Identity
from arena_cam.vision.naming import Found, compared, named
from arena_cam.vision.occlusion import place_face
from arena_cam.vision.peeling import LEAST_IN_VIEW, is_there

Array = NDArray[np.float64]

# Names less likely than this are asked again, of cards of which others cover this much at least.
_SURELY_NAMED, _COVERED = 0.995, 0.4
_AGAIN = 2  # a name found for a tilted card is asked once more for a flat one


class CardsInView:
    """What each of the cards found shows of itself, worked out when it is asked for."""

    def __init__(self, scene: Scene, found: list[Found]) -> None:
        """`found` may be changed later: what is kept belongs to the cards, not to their places in the list."""
        self._scene, self._found = scene, found
        self._kept: dict[Found, Claims] = {}

    def others(self, card: int | None) -> Claims:
        """What all cards but number `card` claim; all of them for None."""
        claims = self._empty()
        for number, other in enumerate(self._found):
            if number != card:
                claims.add(self._claimed(other))
        return claims

    def _claimed(self, card: Found) -> Claims:
        """What one card shows of itself."""
        if card not in self._kept:
            scene, fit = self._scene, card.fit
            above = self._empty()
            for other in self._found:
                if other is not card:
                    above.add_tiles(scene, other.fit)
            placed = place_face(scene, fit.face, fit.pose, above)
            claims = self._empty()
            claims.add_tiles(scene, fit, placed.own)
            if placed.except_ is not None:
                claims.free(scene.camera.project_plane(fit.pose.plane, placed.except_))
            self._kept[card] = claims
        return self._kept[card]

    def _empty(self) -> Claims:
        height, width = self._scene.pyramid.levels[0].shape
        return Claims(width, height)


def name_again(
    scene: Scene,
    white_ratio: Array,
    found: list[Found],
    view: CardsInView,
    places: Callable[[Claims], Sequence[CardPose]],
    settled: Collection[int],
) -> None:
    """Gives the covered cards of doubtful name among `found` the name and the place that best explain what is in view
    of them. `places` tells where else a card may lie that shows what the claims leave open; `settled` are faces
    that are known to be there and are not asked again.

    They are sought flat: what lies under other cards is held so, and a pose that tilts to please a few pixels is what
    misnames most.
    """
    for number, card in enumerate(found):
        likely = float(card.identity.probabilities()[card.fit.face])
        if likely > _SURELY_NAMED or card.fit.uncovered > 1.0 - _COVERED or card.fit.face in settled:
            continue
        if any(face == card.fit.face and same_place(at.centre_mm, at.R, card.fit) for face, at in scene.believed):
            continue  # it was seen better before others covered it
        claims = view.others(number)
        taken = [other.fit.face for i, other in enumerate(found) if i != number]
        starts = [_laid_flat(scene, card.fit.pose), *places(claims)]
        fits = [fit for pose in starts for fit in _likeliest(scene, white_ratio, pose, claims, taken)]
        fit = max(fits, key=lambda f: f.evidence * f.explained)
        for _ in range(_AGAIN):
            fit, identity = named(scene, white_ratio, fit, claims, taken)
            flat = fit_coarse(scene, fit.face, _laid_flat(scene, fit.pose), claims)
            if (
                fit.pose.tilt_deg < _FLAT_DEG
                or flat.evidence * flat.explained < fit.evidence * fit.explained / FLAT_FIRST
            ):
                break
            fit = flat
        if fit.uncovered < LEAST_IN_VIEW or identity.best != fit.face:
            continue
        before = compared(scene, card.fit.pose, white_ratio, claims, taken)
        if is_there(fit) or _a_point(identity, fit.face) > _a_point(before, card.fit.face):
            found[number] = Found(fit, identity)


def _a_point(identity: Identity, face: int) -> float:
    """How well a face explains a point of what is in view, so that poses can be compared that show more or less."""
    return float(identity.log_likelihood[face]) / max(identity.points, 1)


def _likeliest(scene: Scene, white_ratio: Array, pose: CardPose, claims: Claims, taken: list[int]) -> list[Fit]:
    """The faces likeliest at a pose, each aligned from there."""
    likelihood = compared(scene, pose, white_ratio, claims, taken).log_likelihood
    return [fit_coarse(scene, int(face), pose, claims) for face in np.argsort(-likelihood)[:_LIKELIEST]]


def _laid_flat(scene: Scene, pose: CardPose) -> CardPose:
    """A flat card where the picture shows one at `pose`."""
    ray = scene.camera.centre_mm - pose.centre_mm
    x, y, z = pose.centre_mm + ray * ((_FLAT_MM - pose.centre_mm[2]) / ray[2])
    return CardPose.flat(float(x), float(y), pose.angle_deg, float(z))


_FLAT_MM = 1.0  # the height of a card on others
_LIKELIEST = 3
_FLAT_DEG = 2.5
