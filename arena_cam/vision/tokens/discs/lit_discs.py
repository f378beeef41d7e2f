"""How well each round print of a size explains what is seen at a place, in the light that fits it best.

Light adds up where it falls, not in the numbers of a picture: a face sends back its print times its brightness, and a
shiny one a share of a lamp besides, which pales every colour by as much. Both are fitted with sRGB's curve undone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.colour_calls import lit_discs
from arena_cam.vision.picture.channels import greatest
from arena_cam.vision.tokens.discs.disc_prints import DiscPrints
from arena_cam.vision.tokens.discs.token_search import Light
from arena_cam.vision.tokens.view.top_view import TopView

Floats = NDArray[np.float64]

CURVE = 2.2  # about sRGB's: grey level / 255 = light ** (1 / CURVE)
# Brightness against the nearest card's (shadow, tilt) and gloss as a share of what white paper there sends back. In two
# photographs a red, a green and a yellow disc in a lamp's reflection were no colour, or white, with 0.4 and 0.12.
DARKEST, BRIGHTEST, LEAST_GLOSS, MOST_GLOSS = 0.2, 1.8, -0.02, 0.7
LOG_BRIGHTNESS_SD, GLOSS_SD = 0.35, 0.2
WITHIN = 26.0  # grey levels of the photograph within which a sample is as printed
# Grey levels by which a curve that is not quite sRGB's, the lamps' colour and a camera's white balance put a print off,
# all its samples alike, so that they speak as one; no sample speaks louder than a sheer mistake.
OFF_SD, MISTAKE = 11.0, 8.0
# The same of what all samples are off in common: 73 discs in 48 photographs of 11 sets were off by 2.6 in a channel
# (root mean square), the most by 9; a real camera may be off by more. With 11 green discs were asked about, for a black
# one, 26 levels off in all of the face, had a chance of 5 to 27 %.
COMMON_SD = 7.0
# Grain and blur put each sample off. Blurred by half a millimetre, a disc of two centimetres has some 40 that speak for
# themselves of what is printed on it.
GRAIN_SD, SAMPLES, FLAW = 12.0, 40.0, 4.0
FITS = 4
LEAST_VISIBLE = 0.5  # share of a face
# What the compiled twin goes by, in its order.
RULES = np.array(
    [
        *(CURVE, DARKEST, BRIGHTEST, LEAST_GLOSS, MOST_GLOSS, LOG_BRIGHTNESS_SD, GLOSS_SD, WITHIN, OFF_SD, MISTAKE),
        *(GRAIN_SD, SAMPLES, FLAW, FITS, COMMON_SD),
    ]
)
# Steps in which a face is laid on its picture, where so much of it is explained that it may be a disc, and not all is.
# So many: the far rim of a disc's foot, two millimetres below its face, is seen as far aside of it at 45 degrees.
ASIDE_MM, LEAST_LIKELY, WHOLLY, MOST_STEPS = (0.7, 0.35), 0.4, 0.9, 3
_AROUND = np.array([[x, y] for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0) if x or y])


@dataclass(frozen=True, eq=False)
class LitFits:
    """At `middle` in mm: `shares` (K,) of the face that each print explains, `costs` (K,) negative log likelihoods of
    its colours and of the light it needs, `details` (K,) the same with every sign and ring of the print; `gloss` (K,)
    of that light; `visible` share of the face."""

    middle: Floats
    shares: Floats
    costs: Floats
    details: Floats
    gloss: Floats
    visible: float

    @property
    def best(self) -> int:
        return int(self.costs.argmin())

    def chances(self) -> Floats:
        """(K,): probability of each print, if it is one of them, with every sign and ring of it."""
        weight = np.exp(self.details.min() - self.details)
        return np.asarray(weight / weight.sum())


class LitDiscs:
    """Compares the prints of one diameter at places in top views."""

    def __init__(self, prints: DiscPrints) -> None:
        self.prints = prints
        self._light = np.asarray((np.maximum(prints.polar, 0.0) / 255.0) ** CURVE, np.float32)

    def fits(self, view: TopView, light: Light, middle: Floats) -> LitFits:
        """The fits of all prints about a place (2,) of a round thing's rim.

        The rim that is seen is that of the disc's side, too: a face with a fine print lies some millimetres aside.
        """
        gain, offset = light(middle[None])
        white = np.maximum(gain + offset / 255.0, 0.05)[0]  # what the light says of black is a guess
        best = self._at(view, white, middle[None])[0]
        for step in ASIDE_MM if LEAST_LIKELY < best.shares.max() < WHOLLY else ():
            best = self._climbed(view, white, best, step)
        return best

    def _climbed(self, view: TopView, white: Floats, best: LitFits, step_mm: float) -> LitFits:
        """The fits in steps towards where most of some print is explained: askew, a face lies farther aside of the rim
        than one."""
        for _ in range(MOST_STEPS):
            before = best
            tried = self._at(view, white, best.middle + step_mm * _AROUND)
            best = max([best, *tried], key=lambda each: float(each.shares.max()))
            if best is before or best.shares.max() > WHOLLY:
                break
        return best

    def _at(self, view: TopView, white: Floats, middles: Floats) -> list[LitFits]:
        """The fits at each of the middles (N, 2)."""
        seen, free = self.prints.samples(view, middles)
        weight = (free * self.prints.area).astype(np.float64)
        whole = weight.sum(axis=(1, 2))
        turns = self.prints.likeness(np.asarray(seen / white, np.float32), free).turn
        weight /= np.maximum(whole, 1e-9)[:, None, None]
        found = lit_discs(seen, weight, self._light, turns, white, RULES)
        if found is None:
            found = np.array([self._fits(*each, white) for each in zip(seen, weight, turns, strict=True)])
        none = np.array([0.0, MISTAKE, SAMPLES * FLAW, 0.0])  # next to nothing is seen
        found[whole < LEAST_VISIBLE] = none
        return [
            LitFits(middle, each[:, 0], each[:, 1], each[:, 2], each[:, 3], float(visible))
            for middle, each, visible in zip(middles, found, whole, strict=True)
        ]

    def _fits(self, seen: NDArray[np.float32], weight: Floats, turns: NDArray[np.intp], white: Floats) -> Floats:
        """(K, 4): share explained, cost, details and gloss of each print at one place."""
        what = seen.astype(np.float64)
        target = (np.maximum(what, 0.0) / 255.0) ** CURVE
        each = [
            self._fit(np.roll(self._light[kind], int(turn), axis=1), (what, target), weight, white)
            for kind, turn in enumerate(turns)
        ]
        return np.array(each)

    @staticmethod
    def _fit(
        printed: NDArray[np.float32], what: tuple[Floats, Floats], weight: Floats, white: Floats
    ) -> tuple[float, ...]:
        """Share explained, cost, details, gloss of one print (RINGS, ANGLES, 3), given as light, in its best light;
        `what` is seen (RINGS, ANGLES, 3), as grey levels and as light; weights of sum 1."""
        paper, (seen, target) = white**CURVE, what
        light = printed * paper
        bright, gloss = 1.0, 0.0
        # A grey level is a smaller step of light where it is dark: what is seen is as good as its grey level.
        slope = CURVE * np.maximum(seen / 255.0, 0.1) ** (CURVE - 1.0) / 255.0 * OFF_SD
        odd = np.ones(weight.shape)
        for _ in range(FITS):
            w = (weight * odd)[..., None] / slope**2
            a, b, c = (float((w * each).sum()) for each in (light * light, light * paper, np.square(paper)[None, None]))
            right = np.array([(w * light * target).sum(), (w * paper * target).sum()])
            pull = np.array([1.0 / LOG_BRIGHTNESS_SD**2, 1.0 / GLOSS_SD**2])
            normal = np.array([[a, b], [b, c]]) + np.diag(pull)
            bright, gloss = np.linalg.solve(normal, right + pull * np.array([1.0, 0.0]))
            bright = float(np.clip(bright, DARKEST, BRIGHTEST))
            gloss = float(np.clip(gloss, LEAST_GLOSS, MOST_GLOSS))
            shown = 255.0 * np.maximum(bright * light + gloss * paper, 0.0) ** (1.0 / CURVE)
            off = greatest(np.abs(seen - shown))
            odd = 1.0 / (1.0 + np.square(off / WITHIN)) ** 2
        prior = 0.5 * (np.log(bright) / LOG_BRIGHTNESS_SD) ** 2 + 0.5 * (gloss / GLOSS_SD) ** 2
        return (
            float((weight * (off < WITHIN)).sum()),
            *(each + prior for each in _costs(seen - shown, odd, weight)),
            gloss,
        )


def _costs(off: Floats, trusted: Floats, weight: Floats) -> tuple[float, float]:
    """Negative log likelihoods of differences (RINGS, ANGLES, 3): as a whole, and in common and each by itself."""
    whole = np.minimum(0.5 * np.square(off / OFF_SD).sum(axis=-1), MISTAKE)
    trusted = trusted * weight
    common = (trusted[..., None] * off).sum(axis=(0, 1)) / max(float(trusted.sum()), 1e-9)
    each = np.minimum(0.5 * np.square((off - common) / GRAIN_SD).sum(axis=-1), FLAW)
    detail = 0.5 * np.square(common / COMMON_SD).sum() + SAMPLES * (weight * each).sum()
    return float((weight * whole).sum()), float(detail)
