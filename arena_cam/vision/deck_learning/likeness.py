"""Which faces of a deck look so alike, or show so little, that a camera over a table would ask which card it is.

Every face is shown to the very steps by which judging names a card, as a camera would see it: at the scale of a usual
camera over an arena, a fraction of a pixel off, in other light, through another tone curve, with a sensor's noise. It
is shown whole and with one end or side of it alone in view, as cards lie in a pile, aligned, compared both ways up,
and believed less where little of its drawing is in view. By how many nats the right name then leads the next is what
judging has to go by.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.folder import read_picture
from arena_cam.domain.cards import Deck
from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK, DeckFaces
from arena_cam.vision.picture.linear_light import linear_light, srgb
from arena_cam.vision.picture.sampling import Pyramid
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.face_comparison import compare_faces
from arena_cam.vision.reading.cards.fitting import fit_coarse
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.lies import SURE_NAME
from arena_cam.vision.reading.cards.naming import OPEN_NATS, named
from arena_cam.vision.reading.cards.scene import PointStore, Scene
from arena_cam.vision.reading.cards.trust import Nats

Image = NDArray[np.uint8]

USUAL_PX_PER_MM = 2.0  # of a camera of 1536 x 864 pixels over an arena of 280 mm; see docs/build.md
# The lead in nats at which a name's probability reaches what judging calls sure.
SURE_NATS = log(SURE_NAME / (1.0 - SURE_NAME))
# Of a covered card: with less in view judging is seldom sure of any card, see docs/accuracy.md.
PART_IN_VIEW = 0.4
# What a camera's picture differs in from the deck's: a sensor's noise in grey levels as cheap modules have indoors, a
# lamp's fall-off over a card, a contrasty tone curve, and half a pixel's mistake in the pose.
_NOISE, _FALL_OFF, _CONTRAST, _OFF_PX = 2.5, 0.15, 0.25, 0.3
_WHITE = np.ones(3)  # the picture of the deck has the light's colour
_LEVELS = 4  # of the pyramid; alignment begins at the coarsest
_MARGIN_PX, _TABLE_BGR = 8, (70, 90, 60)
_FAR_MM = 1e5  # a camera so far away sees every part of the card at one scale
# What is in view, as shares of width and height: left, top, right, bottom. The whole card first.
_WINDOWS = (
    (0.0, 0.0, 1.0, 1.0),
    (0.0, 0.0, PART_IN_VIEW, 1.0),
    (1.0 - PART_IN_VIEW, 0.0, 1.0, 1.0),
    (0.0, 0.0, 1.0, PART_IN_VIEW),
    (0.0, 1.0 - PART_IN_VIEW, 1.0, 1.0),
)


@dataclass(frozen=True, slots=True)
class LookAlike:
    """Two cards of a deck and by how many nats the right name leads the other at worst: `whole_nats` with the whole
    card in view, `part_nats` with PART_IN_VIEW of it."""

    one: str
    other: str
    whole_nats: float
    part_nats: float

    @property
    def always_asked(self) -> bool:
        """Whether even the whole card could not be named surely."""
        return self.whole_nats < SURE_NATS


@dataclass(frozen=True, slots=True)
class Likeness:
    """What is doubtful about a deck: pairs that look too alike, most alike first, and the cards that show too little
    drawing to be found surely with PART_IN_VIEW of them in view. The back counts as a card."""

    pairs: tuple[LookAlike, ...]
    faint: tuple[str, ...]


def likeness(deck: Deck, px_per_mm: float = USUAL_PX_PER_MM) -> Likeness:
    """The cards of which judging would not be sure.

    Raises BadDeck or BadPicture where a picture cannot be read. Takes a quarter of a second for each card of the deck.
    """
    faces = DeckFaces(deck)
    whole, part, evidence = _shown_to_judging(faces, px_per_mm)
    names = ["the back" if name == BACK else name for name in faces.names]
    pairs = []
    for i in range(len(names)):
        for j in range(i):
            nats = float(min(whole[i, j], whole[j, i])), float(min(part[i, j], part[j, i]))
            if min(nats) < SURE_NATS:
                pairs.append(LookAlike(names[j], names[i], *nats))
    pairs.sort(key=lambda pair: (pair.whole_nats, pair.part_nats))
    faint = tuple(name for name, nats in zip(names, evidence, strict=True) if nats < Nats.WEAK)
    return Likeness(tuple(pairs), faint)


def _shown_to_judging(faces: DeckFaces, px_per_mm: float) -> tuple[Array, Array, Array]:
    """By how many nats face i, shown, leads face j: (faces, faces) for whole cards, and for parts at their worst; and
    how many nats of evidence (faces,) there are for the drawing of the worst part."""
    count = len(faces.names)
    files = [card.image for card in faces.deck.cards] + ([faces.deck.back] if faces.deck.back else [])
    whole, part = np.full((count, count), np.inf), np.full((count, count), np.inf)
    evidence = np.full(count, np.inf)
    rng = np.random.default_rng(0)  # the same deck gives the same answer
    for shown in range(count):
        scene, pose = _scene(faces, read_picture(files[shown]), px_per_mm, rng)
        turned = CardPose(pose.R @ np.diag([-1.0, -1.0, 1.0]), pose.centre_mm)
        for k, window in enumerate(_WINDOWS):
            known = Known(scene, _all_but(scene, pose, window))
            nats = np.maximum(*(compare_faces(known, at).log_likelihood for at in (pose, turned)))
            fit = fit_coarse(known, shown, pose)
            identity = named(known, fit)[1]
            evidence[shown] = min(evidence[shown], fit.evidence)
            # Where hardly any drawing is in view judging asks in any case, and that card is faint, not like all others.
            weighed = (nats > nats[shown] - OPEN_NATS) & (fit.evidence >= Nats.WEAK)
            lead = np.where(weighed, identity.log_likelihood[shown] - identity.log_likelihood, nats[shown] - nats)
            whole[shown] = lead if k == 0 else whole[shown]
            part[shown] = np.minimum(part[shown], lead)
    np.fill_diagonal(whole, np.inf)
    np.fill_diagonal(part, np.inf)
    return whole, part, evidence


def _all_but(scene: Scene, pose: CardPose, window: tuple[float, float, float, float]) -> Claims:
    """Claims on the whole card but the window."""
    height, width = scene.pyramid.levels[0].shape
    claims = Claims(width, height)
    left, top, right, bottom = window
    deck = scene.faces.deck
    for x0, y0, x1, y1 in (
        (0.0, 0.0, left, 1.0),
        (right, 0.0, 1.0, 1.0),
        (0.0, 0.0, 1.0, top),
        (0.0, bottom, 1.0, 1.0),
    ):
        if x1 > x0 and y1 > y0:
            x = (np.array([x0, x1, x1, x0]) - 0.5) * deck.width_mm
            y = (0.5 - np.array([y0, y0, y1, y1])) * deck.height_mm
            claims.add_polygon(scene.camera.project(pose.points(x, y)))
    return claims


def _scene(faces: DeckFaces, picture: Image, px_per_mm: float, rng: np.random.Generator) -> tuple[Scene, CardPose]:
    """A scene in which the card of that `picture` lies flat, and where it lies."""
    deck = faces.deck
    width, height = round(deck.width_mm * px_per_mm), round(deck.height_mm * px_per_mm)
    face = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    framed = cv2.copyMakeBorder(face, *(_MARGIN_PX,) * 4, cv2.BORDER_CONSTANT, value=_TABLE_BGR)
    off = rng.uniform(-_OFF_PX, _OFF_PX, 2)
    shift = np.array([[1.0, 0.0, off[0]], [0.0, 1.0, off[1]]])
    framed = cv2.warpAffine(framed, shift, (framed.shape[1], framed.shape[0]), borderMode=cv2.BORDER_REPLICATE)
    seen = _as_seen(np.asarray(framed, np.uint8), rng)
    focal = px_per_mm * _FAR_MM
    K = np.array([[focal, 0.0, (seen.shape[1] - 1) / 2], [0.0, focal, (seen.shape[0] - 1) / 2], [0.0, 0.0, 1.0]])
    camera = Camera(K, np.zeros(5), np.array([np.pi, 0.0, 0.0]), np.array([0.0, 0.0, _FAR_MM]))
    grey = np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), np.uint8)
    arena = Arena((1000.0, 1000.0), 1.0, 1.0)
    points = PointStore(faces)
    scene = Scene(grey, Pyramid.of(grey, _LEVELS), seen.astype(np.float32), camera, faces, arena, 0, points, _WHITE)
    return scene, CardPose.flat(0.0, 0.0, 0.0)


def _as_seen(picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The picture (H, W, 3) as a camera under another lamp would give it."""
    height, width = picture.shape[:2]
    way = rng.uniform(0.0, 2.0 * np.pi)
    x, y = np.linspace(-1, 1, width), np.linspace(-1, 1, height)
    lamp = 0.7 * (1.0 + _FALL_OFF * (np.cos(way) * x[None, :] + np.sin(way) * y[:, None]))
    value = srgb((linear_light(picture) * lamp[:, :, None]).astype(np.float32)).astype(np.float64) / 255.0
    value = np.asarray(cv2.GaussianBlur(value, (0, 0), 0.5), np.float64)
    value += _CONTRAST * (value * value * (3.0 - 2.0 * value) - value)
    return np.asarray(np.clip(value * 255.0 + rng.normal(0.0, _NOISE, value.shape), 0, 255).round(), np.uint8)
