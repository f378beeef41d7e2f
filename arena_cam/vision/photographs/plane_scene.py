"""Reads the cards of a picture whose plane is known, by the stages that read the arena. There is no tray, so no card
leans, and landings are not judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Lie, Unknown
from arena_cam.domain.messages import Message
from arena_cam.domain.table import Arena
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK, DeckFaces
from arena_cam.vision.photographs.indexed.leftovers import places_at_corners
from arena_cam.vision.photographs.indexed.settled_cards import halves_seen
from arena_cam.vision.picture.sampling import Pyramid
from arena_cam.vision.planes.card_plane import reach_of_picture
from arena_cam.vision.planes.outline_corners import Corners
from arena_cam.vision.planes.plane_fit import SeenCard, fit_camera
from arena_cam.vision.reading.cards.face_comparison import compare_faces
from arena_cam.vision.reading.cards.fit import Fit, same_place
from arena_cam.vision.reading.cards.fitting import fit_coarse
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.lies import SURE_NAME, FittedCard, make_lies
from arena_cam.vision.reading.cards.naming import AS_EVIDENT, Found, tempered
from arena_cam.vision.reading.cards.placed_face import PlacedFace, place_face
from arena_cam.vision.reading.cards.scene import FINE_PX_PER_MM, PointStore, Scene
from arena_cam.vision.reading.cards.stacking import LEAST_TOLD_NATS, overlaps, resting_on
from arena_cam.vision.reading.cards.trust import Explained
from arena_cam.vision.reading.finding.all_cards import find_cards
from arena_cam.vision.reading.finding.findings import claimed_by_others
from arena_cam.vision.reading.finding.floor_guesses import FloorGuesses, likeliest
from arena_cam.vision.reading.finding.settling import settle
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from arena_cam.vision.reading.guesses.features import FeatureFinder
from arena_cam.vision.reading.guesses.guess import Finder
from arena_cam.vision.reading.guesses.known_lies import believed_places, known_guesses

# A tray whose walls are so far off that no card meets them.
NOWHERE = Arena((8000.0, 8000.0), 0.01, 0.01, 0.0)
_LEVELS = 4  # of the pyramid, from the fine scale's on
# Cards found tilted by more than this lie in another plane than was thought; so often it is fitted again.
_TILTED_DEG, _FITS = 1.2, 2
_NAMED = 0.9
# A face whose index was read need not show more than that index: two of its tiles speak (one, where both its indices
# were read), and most of what is in view is as the face has it. Of an ace that shows its index and blank paper less
# speaks, and of a card much of which others cover: then its index must be read well, and sides of it be seen.
_INDEX_NATS, _INDEX_EXPLAINED = 10.0, 0.55
_READ_WELL, _HALVES_SEEN = 0.9, 3
# Where a face explains the picture worse than even grey does by this much, that face does not lie there.
_ABSENT_NATS, _ABSENT_IN_VIEW = -10.0, 0.3
# A card that shows this much of itself settles that the plane is right.
_PLAIN_NATS, _PLAIN_EXPLAINED = 110.0, 0.7
# Nats of evidence a printed tile in view, and the share explained: of faces that were there, on photographs of 1.1 to 2
# px/mm, all had 2.6 and 0.47, and most 3 and 0.7; of others taken for a face that the deck lacks 1.3 to 3.1 and 0.47 to
# 0.66. Blank paper says nothing: the ace and the three of a drawn pack have 0.8 and 1.9 a tile, but 5.4 and 5.9 a
# printed one, as its other cards have.
_HARDLY, _LIKE_NATS, _LIKE_EXPLAINED = 1.8, 2.8, 0.7
_FEWEST_PRINTED = 8  # tiles: two that fit well may do so by chance
_ABOUT_NAMES = (
    Doubt.UPPER_UNSEEN,
    Doubt.OTHER_CARD,
    Doubt.FACE_HARDLY_SEEN,
    Doubt.LITTLE_OF_FACE,
    Doubt.STRANGER_ON_IT,
    Doubt.STRANGER_ON_CARD,
    Doubt.HARDLY_SEEN,
    Doubt.QR_CODE_SAYS,
)


@dataclass(frozen=True, eq=False)
class PlaneReading:
    """The cards of a picture read in a plane: `lies` bottom to top, who `covers` whom, `doubts`, and the `scene`.

    `unlike` are keys of cards whose face is not seen as the deck has it, `hardly` of those of which next to nothing is:
    another card may lie there, which the deck does not have, unless their index says otherwise. `absent` are the places
    of witnesses where the picture plainly shows none of their faces. `unknown` things are among the doubts. `plane_of`:
    in a sequence of pictures, how many cards face up, and things that may be some, were seen when its plane was found.
    """

    lies: tuple[Lie, ...]
    covers: tuple[tuple[str, str], ...]
    doubts: tuple[Message, ...]
    scene: Scene
    worth: float
    tilt_deg: float
    hardly: frozenset[str] = frozenset()
    unlike: frozenset[str] = frozenset()
    absent: tuple[CardPose, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    plane_of: int = 0

    @property
    def is_plain(self) -> bool:
        """Whether at least one card is so plain to see that the plane must be right."""
        return self.worth >= _PLAIN_NATS * _PLAIN_EXPLAINED


@dataclass(frozen=True, eq=False)
class Shown:
    """How `likely` a picture shows a card where it is said to lie, of all faces of the deck, and its `pose` there; 0
    where it shows it otherwise than the deck has it, or shows too little of its print to say so. `leads`: what is shown
    of its print explains the picture better than that of the likeliest other face. `absent`: the picture plainly shows
    no such face there. `is_like`: its print is as the deck has it, what little of it is in view, too; `nats` (N,): what
    each of its printed tiles in view says for it, none of a card face down. `over`: the numbers of cards said to lie
    above it over which the picture plainly shows it."""

    likely: float
    pose: CardPose
    leads: bool = False
    absent: bool = False
    is_like: bool = True
    nats: Array = field(default_factory=lambda: np.zeros(0))
    over: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Witness:
    """A card of which so many `indices` were seen, the best of them read with this `probability`: the `faces` that bear
    such an index, and where it then lies."""

    faces: tuple[str, ...]
    pose: CardPose
    indices: int
    probability: float


class PlaneSceneReader:
    """Reads pictures of one deck in a plane."""

    def __init__(self, faces: DeckFaces) -> None:
        self.faces = faces
        self._points = PointStore(faces)
        self._finder = FeatureFinder(faces)

    def read(
        self,
        image_bgr: NDArray[np.uint8],
        camera: Camera,
        white_ratio: Array,
        known: Sequence[Lie] = (),
        places: Sequence[CardPose] = (),
        witnesses: Sequence[Witness] = (),
    ) -> PlaneReading:
        """The cards that lie on the camera's floor; `known` are tried first, then what may lie at `places`. Of cards
        whose index was seen, by `witnesses`, less needs to be seen besides, and what else was found in their place
        gives way to them."""
        scene = self._scene(image_bgr, camera, white_ratio)
        scene = replace(scene, believed=believed_places(self.faces, known))
        half = reach_of_picture(camera, scene.image_size)
        floor = FloorGuesses(scene, KeptMaps(None), half)
        bare = Known.nothing_of(scene)
        guesses = [*known_guesses(self.faces, known), *(likeliest(bare, pose, 1.0, Finder.OUTLINES) for pose in places)]
        found = find_cards(bare, self._finder, floor, guesses, ())
        found, wanted, absent = self._witnessed(scene, found, witnesses)
        surely = tuple((card.fit.face, card.fit.pose) for card in found if card.fit.face in wanted)
        pile = settle(replace(scene, believed=scene.believed + surely), found, (), wanted)
        rests = resting_on(scene, [card.placed for card in pile.cards], pile.order)
        lies, covers, why = make_lies(self.faces, pile.cards, pile.pairs, pile.order, rests)
        lies = tuple(_without_landing_doubts(lie) for lie in lies)
        fits = [(lie.key, pile.cards[number].fit) for lie, number in zip(lies, pile.order, strict=True)]
        hardly = frozenset(key for key, fit in fits if self._nats_a_tile(fit) < _HARDLY)
        unlike = frozenset(key for key, fit in fits if self._is_unlike(fit))
        doubts = tuple(m for m in why if m.sentence in _ABOUT_NAMES)
        worth = max((card.fit.evidence * card.fit.explained for card in pile.cards), default=0.0)
        return PlaneReading(lies, covers, doubts, scene, worth, _common_tilt_deg(pile.cards), hardly, unlike, absent)

    def shown_at(
        self,
        image_bgr: NDArray[np.uint8],
        camera: Camera,
        white_ratio: Array,
        cards: Sequence[tuple[str | None, CardPose]],
    ) -> list[Shown]:
        """How the picture shows each card where it is said to lie. `cards`: their names, None for one face down, and
        places, either way up; the topmost first, so that of those beneath only what is in view is compared. No light
        comes through a card: where one lies, blank paper or not, nothing beneath it is in view."""
        scene = self._scene(image_bgr, camera, white_ratio)
        known, shown = Known.nothing_of(scene), list[Shown]()
        placed = dict[int, PlacedFace]()
        for number, (name, pose) in enumerate(cards):
            face = compare_faces(known, pose).best if name is None else self.faces.index(name)
            fit = self._either_way_up(known, face, pose)
            if name is None:
                is_like = self._nats_a_tile(fit) >= _LIKE_NATS
                shown.append(Shown(float(not is_like or self.faces.names[face] == BACK), pose))
            else:
                shown.append(self._shown(known, fit))
                placed[number] = place_face(known, face, fit.pose)
            taken = None if name is None else face
            known = known.plus(fit, taken) if shown[-1].absent else known.beneath(shown[-1].pose, taken)
        over = _seen_over(scene, placed)
        return [replace(each, over=over[number]) if over.get(number) else each for number, each in enumerate(shown)]

    def placed(
        self,
        image_bgr: NDArray[np.uint8],
        camera: Camera,
        white_ratio: Array,
        cards: Sequence[tuple[str, Sequence[CardPose]]],
    ) -> dict[str, CardPose]:
        """Where exactly those of the cards lie, by name, whose faces are plainly seen where they are said to lie, or
        may lie instead: the first of the poses is the likeliest. It is not known who covers whom: what shows one of
        them shows no other, so the rest are looked at again without it."""
        known = Known.nothing_of(self._scene(image_bgr, camera, white_ratio))
        found, left = dict[str, CardPose](), [(name, poses[:1]) for name, poses in cards]
        while left:
            fits = [self._likeliest(known, name, poses) for name, poses in left]
            seen = [fit for fit in fits if self._shown(known, fit).likely >= SURE_NAME]
            for fit in seen:
                known = known.plus(fit, fit.face)
                found[self.faces.names[fit.face]] = fit.pose
            if not seen:
                break
            left = [card for card in cards if card[0] not in found]
        return found

    def _likeliest(self, known: Known, name: str, poses: Sequence[CardPose]) -> Fit:
        """A face at the one of the poses, or half a turn round it, where it fits best."""
        fits = [self._either_way_up(known, self.faces.index(name), pose) for pose in poses]
        return max(fits, key=lambda fit: fit.evidence)

    def _shown(self, known: Known, fit: Fit) -> Shown:
        """How the picture shows a face where it was aligned."""
        nats = self._printed_in_view(fit)
        if _is_absent(fit):
            return Shown(0.0, fit.pose, absent=True, is_like=False, nats=nats)
        enough = self._nats_a_tile(fit) >= _LIKE_NATS
        by_name = compare_faces(known, fit.pose, fit.face).probabilities()
        leads = self._leads(known, fit, int(by_name.argmax()))
        is_like = enough or self._is_like_in_print(fit)
        return Shown(float(by_name[fit.face]) if enough else 0.0, fit.pose, leads, is_like=is_like, nats=nats)

    @staticmethod
    def alike(shown: Sequence[Shown]) -> list[bool]:
        """Which of the cards are printed as the deck is, each by its own printed tiles and by those of the others: of
        one pack all are printed alike, so where little of one is in view the others say what to think of the rest."""
        sums, counts = np.array([each.nats.sum() for each in shown]), np.array([len(each.nats) for each in shown])
        others, of = sums.sum() - sums, counts.sum() - counts
        thought = _FEWEST_PRINTED * others / np.maximum(of, _FEWEST_PRINTED)
        return [bool(each) for each in (sums + thought) / (counts + _FEWEST_PRINTED) >= _LIKE_NATS]

    def absent_beneath(
        self,
        image_bgr: NDArray[np.uint8],
        camera: Camera,
        white_ratio: Array,
        above: Sequence[tuple[str | None, CardPose]],
        doubtful: Sequence[tuple[str | None, CardPose]],
    ) -> frozenset[str]:
        """The names of doubtful cards that plainly do not lie where they are said to, beneath all those above."""
        if not doubtful:
            return frozenset()
        shown = self.shown_at(image_bgr, camera, white_ratio, [*above, *doubtful])[len(above) :]
        return frozenset(name for (name, _), seen in zip(doubtful, shown, strict=True) if name and seen.absent)

    def _leads(self, known: Known, fit: Fit, rival: int) -> bool:
        """Whether a face explains what is seen at its place better than its rival does, each aligned by its own
        print: where a card above reaches a little farther than is thought, a pip beneath it seems to be missing."""
        return rival == fit.face or fit.evidence > fit_coarse(known, rival, fit.pose, close=True).evidence

    def _either_way_up(self, known: Known, face: int, pose: CardPose) -> Fit:
        """A face at a pose or half a turn round, as it fits better: indices stand at both ends of a card, and do not
        say which way up an ace or a seven lies."""
        ways = [fit_coarse(known, face, each, close=True) for each in (pose, pose.half_turned)]
        return max(ways, key=lambda fit: fit.evidence)

    def _witnessed(
        self, scene: Scene, found: list[Found], witnesses: Sequence[Witness]
    ) -> tuple[list[Found], list[int], tuple[CardPose, ...]]:
        """The cards with those that witnesses tell, the faces of these, and the places of witnesses where none is.

        Where one was found the rest are looked at again: what it covers is then known."""
        wanted: list[int] = []
        left = [w for w in witnesses if not {self.faces.index(f) for f in w.faces} & {card.fit.face for card in found}]
        for _ in range(len(left)):
            tried = [(witness, *self._at_witness(scene, found, witness)) for witness in left]
            seen = [each for each in tried if self._is_witnessed(scene, each[1], each[0])]
            if not seen:
                nowhere = [witness for witness, fit, _ in tried if _is_absent(fit)]
                return found, wanted, tuple(witness.pose for witness in nowhere)
            witness, fit, others = max(seen, key=lambda each: each[1].worth)
            identity = compare_faces(claimed_by_others(scene, others, -1), fit.pose, fit.face)
            found = [*others, Found(fit, tempered(identity, fit))]
            wanted.append(fit.face)
            left = [w for w in left if w is not witness and self.faces.names[fit.face] not in w.faces]
        return found, wanted, ()

    def _at_witness(self, scene: Scene, found: list[Found], witness: Witness) -> tuple[Fit, list[Found]]:
        """The witness's face that fits best where it says, and the cards found without any that lies in that place
        under a name that fits worse."""
        here = [card for card in found if same_place(witness.pose.centre_mm, witness.pose.R, card.fit)]
        others = [card for card in found if card not in here]
        claims = claimed_by_others(scene, others, -1)
        fits = [fit_coarse(claims, self.faces.index(name), witness.pose) for name in witness.faces]
        fit = max(fits, key=lambda each: each.worth)
        rivals = [fit_coarse(claims, card.fit.face, card.fit.pose).evidence for card in here]
        return fit, (others if fit.evidence >= AS_EVIDENT * max(rivals, default=0.0) else found)

    def _is_witnessed(self, scene: Scene, fit: Fit, witness: Witness) -> bool:
        """Whether enough of a face is seen besides its index, or the sides of its card are."""
        if fit.explained >= _INDEX_EXPLAINED and fit.evidence >= _INDEX_NATS / witness.indices:
            return True
        if witness.probability < _READ_WELL or fit.explained < Explained.EXPECTED or fit.evidence < _ABSENT_NATS:
            return False
        size = (self.faces.deck.width_mm, self.faces.deck.height_mm)
        return halves_seen(scene.pyramid.levels[0], scene.camera, _flat(fit.pose), size) >= _HALVES_SEEN

    def _is_unlike(self, fit: Fit) -> bool:
        """Whether a face is not seen as the deck has it. The fine pattern of a back never is, and a card face down has
        no name that could be wrong: an index on it would be one too many."""
        if self.faces.names[fit.face] == BACK:
            return False
        return fit.explained < _LIKE_EXPLAINED or self._nats_a_tile(fit) < _LIKE_NATS

    def _is_like_in_print(self, fit: Fit) -> bool:
        """Whether the printed tiles of a face that are in view are as the face has them, whatever its blank ones are in
        the shade of a card above; of few, as of an ace half covered, less is asked."""
        nats = self._printed_in_view(fit)
        least = _HARDLY if len(nats) < _FEWEST_PRINTED else _LIKE_NATS
        return len(nats) > 0 and float(nats.mean()) >= least and fit.explained >= _LIKE_EXPLAINED

    def _nats_a_tile(self, fit: Fit) -> float:
        """The evidence for a face by those of its printed tiles that are in view."""
        return fit.evidence / max(len(self._printed_in_view(fit)), _FEWEST_PRINTED)

    def _printed_in_view(self, fit: Fit) -> Array:
        """The nats (N,) of those of a face's printed tiles that are in view."""
        printed = fit.tiles[~self._points.tiles(fit.face).even.reshape(fit.tiles.shape)]
        return np.asarray(printed[printed != 0.0])

    def fitted(self, image_bgr: NDArray[np.uint8], reading: PlaneReading, corners: Sequence[Corners]) -> PlaneReading:
        """`reading` again with the plane fitted to its cards, where it was another, and with what `corners` show."""
        white_ratio, camera = reading.scene.white_ratio, reading.scene.camera
        deck = self.faces.deck
        for _ in range(_FITS):
            if reading.tilt_deg > _TILTED_DEG:
                camera = self.fitted_camera(reading) or camera
            places = places_at_corners(corners, camera, (deck.width_mm, deck.height_mm), reading.lies)
            if camera is reading.scene.camera and not places:
                break
            known = [on_floor(lie, camera) for lie in reading.lies]
            again = self.read(image_bgr, camera, white_ratio, known, places)
            if len(again.lies) < len(reading.lies):
                break
            done = len(again.lies) == len(reading.lies) and again.tilt_deg < _TILTED_DEG
            reading = again
            if done:
                break
        return reading

    def fitted_camera(self, reading: PlaneReading) -> Camera | None:
        """The camera in whose floor the cards of a reading lie; None where none is named."""
        named = [lie for lie in reading.lies if lie.identity_probability > _NAMED]
        if not named:
            return None
        deck = self.faces.deck
        seen = [SeenCard(np.array(lie.corners_px), lie.visible_fraction**2) for lie in named]
        return fit_camera(reading.scene.camera, reading.scene.image_size, seen, (deck.width_mm, deck.height_mm))

    def _scene(self, image_bgr: NDArray[np.uint8], camera: Camera, white_ratio: Array) -> Scene:
        grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        level = max(0, round(float(np.log2(camera.px_per_mm(np.zeros(3)) / FINE_PX_PER_MM))))
        pyramid = Pyramid.of(grey.astype(np.float32), level + _LEVELS)
        bgr = image_bgr
        for _ in range(level):
            bgr = np.asarray(cv2.pyrDown(bgr), dtype=np.uint8)
        return Scene(grey, pyramid, bgr, camera, self.faces, NOWHERE, level, self._points, white_ratio)


def _seen_over(scene: Scene, placed: Mapping[int, PlacedFace]) -> dict[int, tuple[int, ...]]:
    """Of each number the smaller ones over whose cards its own is plainly seen where both lie."""
    numbers = sorted(placed)
    pairs, _ = overlaps(scene, [placed[number] for number in numbers], [1.0] * len(numbers))
    over: dict[int, tuple[int, ...]] = {}
    for pair in pairs:
        if pair.nats < -LEAST_TOLD_NATS:
            over[numbers[pair.b]] = (*over.get(numbers[pair.b], ()), numbers[pair.a])
    return over


def on_floor(lie: Lie, camera: Camera) -> Lie:
    """A lie as it would be on the floor of another camera over the same picture."""
    corners = camera.to_plane(np.array(lie.corners_px))
    a, b, c, d = ((float(x), float(y), 0.3) for x, y, _ in corners)
    return replace(lie, corners_mm=(a, b, c, d))


def _without_landing_doubts(lie: Lie) -> Lie:
    doubts = tuple(m for m in lie.doubts if m.sentence in _ABOUT_NAMES)
    return replace(lie, doubts=doubts, sure=not doubts)


def _is_absent(fit: Fit) -> bool:
    """Whether the picture plainly shows that a face does not lie there."""
    return fit.evidence < _ABSENT_NATS and fit.uncovered > _ABSENT_IN_VIEW


def _flat(pose: CardPose) -> CardPose:
    return CardPose.flat(float(pose.centre_mm[0]), float(pose.centre_mm[1]), pose.angle_deg)


def _common_tilt_deg(cards: Sequence[FittedCard]) -> float:
    """By how much the cards that are seen best are tilted against the floor, all in one direction."""
    plain = [card.fit for card in cards if card.fit.uncovered > 0.4 and card.fit.explained > 0.6]
    if not plain:
        return 0.0
    normal = np.mean([fit.pose.R[:, 2] for fit in plain], axis=0)
    return float(np.degrees(np.arctan2(np.hypot(normal[0], normal[1]), abs(normal[2]))))
