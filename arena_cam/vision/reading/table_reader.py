"""Reads one frame over a calibrated table: the stages in order, nothing else.

picture -> table pose -> guesses -> peeling -> who covers whom -> fine alignment -> how each card lies -> reading
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.cards import Deck
from arena_cam.domain.doubts import Doubt, Side
from arena_cam.domain.lies import Lie, Reading, Unknown, Unreadable
from arena_cam.domain.messages import Message
from arena_cam.domain.table import Table
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import BACK, DeckFaces
from arena_cam.vision.faces.picture_cache import PictureCache
from arena_cam.vision.picture.markers import find_markers
from arena_cam.vision.picture.qr_codes import read_qr
from arena_cam.vision.picture.sampling import Pyramid
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.fit import Fit
from arena_cam.vision.reading.cards.fitting import fit_coarse, fit_fine, slide
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.leaning import hangs, laid_flat
from arena_cam.vision.reading.cards.lies import FOREIGN_MM2, FittedCard, make_lies
from arena_cam.vision.reading.cards.naming import Found
from arena_cam.vision.reading.cards.occlusion import (
    Overlap,
    PlacedFace,
    alone,
    outline_of,
    overlaps,
    place_face,
    resting_on,
)
from arena_cam.vision.reading.cards.resting import judge_resting
from arena_cam.vision.reading.cards.scene import FINE_PX_PER_MM, PointStore, Scene
from arena_cam.vision.reading.cards.trust import EXPECTED_NATS, LEAST_IN_VIEW, MIN_NATS, marked_nats
from arena_cam.vision.reading.finding.all_cards import find_cards
from arena_cam.vision.reading.finding.findings import claimed_by_others
from arena_cam.vision.reading.finding.floor_guesses import FloorGuesses
from arena_cam.vision.reading.floor.fresh_places import FreshPlaces
from arena_cam.vision.reading.floor.table_change import EarlierTable, TableChange
from arena_cam.vision.reading.floor.view_maps import KeptMaps
from arena_cam.vision.reading.guesses.features import FeatureFinder
from arena_cam.vision.reading.guesses.guess import Finder, Guess
from arena_cam.vision.table.empty_picture import empty_picture
from arena_cam.vision.table.pose import SeenTable, TablePoseFinder, white_ratio

# A card that lies alone and shows this much of itself has nothing lying on it.
_WHOLE = 0.95


@dataclass(frozen=True, eq=False)
class _Look:
    """One frame made ready: its scene, the table as seen, and the pictures that the finders want."""

    scene: Scene
    seen: SeenTable
    bgr: NDArray[np.uint8]
    change: TableChange | None


class TableReader:
    """Reads frames of one camera over one table with one deck.

    What is read follows from what is given to `read` alone, whatever was read before; but for a frame that shows fewer
    than two fiducials, for which the last good pose serves (`hold_pose`).
    """

    def __init__(self, table: Table, deck: Deck, *, hold_pose: bool = True, cache: PictureCache | None = None) -> None:
        """`hold_pose`: the last good pose serves while fewer than two fiducials are in view. `cache` keeps what is made
        of the deck's pictures for the next time.

        Raises BadDeck or BadInput where the deck or the table cannot be used.
        """
        self.table, self.deck = table, deck
        self.faces = DeckFaces(deck, cache)
        self._points = PointStore(self.faces)
        self._finder = FeatureFinder(self.faces)
        self._hold = hold_pose
        empty = empty_picture(table)
        seen = TablePoseFinder(table).find(_grey(empty)) if empty is not None else None
        self._poses = TablePoseFinder(table, seen)
        self._maps = KeptMaps(seen.camera if seen is not None else None)
        self._empty = None
        if empty is not None and seen is not None:
            self._empty = EarlierTable(empty, seen.camera, table.arena, seen.fiducial_outlines_px, self._maps)

    def read(
        self,
        frame: Frame,
        *,
        known: Sequence[Lie] = (),
        changed: NDArray[np.bool_] | None = None,
        before: Image | None = None,
        expected: Sequence[str] = (),
    ) -> Reading | Unreadable:
        """What lies where in `frame`. `known` are lies believed before; they are tried first. Others can only have come
        where `changed` is true, a mask of the whole frame at any scale; None is everywhere. `before` is the picture in
        which the known ones were read, pieced together where they were not read in one. `expected` are ids of cards
        that are certainly there and lay there first, as a challenge does: they are searched for even where little of
        them is in view, and taken for the lower ones where nobody can see who covers whom."""
        look = self._look(frame)
        if isinstance(look, Unreadable):
            return look
        since = self._since(look, before) if changed is not None and before is not None else None
        fresh = FreshPlaces(changed, self.table.image_size, since) if changed is not None else None
        scene = replace(look.scene, believed=self._believed(known), fresh=fresh)
        look = replace(look, scene=scene)
        wanted = [self.faces.index(name) for name in expected if name in self.deck.by_id]
        found = self._find(look, known, wanted)
        cards, pairs, order = self._refine(look, found, wanted)
        rests = resting_on(look.scene, [c.placed for c in cards], order)
        lies, covers, why = make_lies(self.faces, cards, pairs, order, rests)
        unknown = self._unknown(look, lies)
        why += [thing.doubt for thing in unknown]
        return Reading(frame.name, frame.time_s, lies, covers, look.seen.pose, not why, tuple(why), unknown)

    def _look(self, frame: Frame) -> _Look | Unreadable:
        image = frame.image_bgr
        trouble = _trouble(image, self.table)
        if trouble is not None:
            return Unreadable(frame.name, frame.time_s, trouble[:1], trouble[1])
        grey = _grey(image)
        exact = grey.astype(np.float32)
        seen = self._poses.find(grey, exact)
        if seen is None and self._poses.contradicted:
            return Unreadable(
                frame.name,
                frame.time_s,
                (Doubt.FIDUCIALS_DISAGREE(),),
                Doubt.RIGHT_TABLE(),
            )
        if seen is None and self._hold and self._poses.held is not None:
            held = self._poses.held
            seen = replace(held, pose=replace(held.pose, held=True))
        if seen is None:
            return Unreadable(
                frame.name,
                frame.time_s,
                (Doubt.FEW_FIDUCIALS(),),
                Doubt.UNCOVER_FIDUCIALS(),
            )
        change = self._empty.look(image, seen.camera) if self._empty is not None else None
        # in the whole picture: of a white card on a white table nothing but its markers may be odd, and they hardly
        markers = tuple(m for name in self._points.markers.dictionaries for m in find_markers(grey, name))
        scene = self._scene(image, grey, exact, seen)
        return _Look(replace(scene, markers=markers, change=change), seen, image, change)

    def _scene(
        self, image: NDArray[np.uint8], grey: NDArray[np.uint8], exact: NDArray[np.float32], seen: SeenTable
    ) -> Scene:
        scale = seen.camera.px_per_mm(np.zeros(3))
        level = max(0, round(float(np.log2(scale / FINE_PX_PER_MM))))
        pyramid = Pyramid.of(exact, level + 4)
        bgr = image
        for _ in range(level):
            bgr = np.asarray(cv2.pyrDown(bgr), dtype=np.uint8)
        white = white_ratio(image, seen)
        return Scene(grey, pyramid, bgr, seen.camera, self.faces, self.table.arena, level, self._points, white)

    def _find(self, look: _Look, known: Sequence[Lie], wanted: Sequence[int]) -> list[Found]:
        bare = Known.nothing_of(look.scene)
        for outline in look.seen.fiducial_outlines_px:
            bare.claims.add_polygon(outline)
        believed = self._from_known(known)[::-1]  # known ones lie bottom to top; what covers others is found first
        return find_cards(bare, self._finder, FloorGuesses(look.scene, self._maps), believed, wanted)

    def _unknown(self, look: _Look, lies: Sequence[Lie]) -> tuple[Unknown, ...]:
        """What lies on the arena's floor and is none of the cards found; needs the empty arena's picture."""
        if look.change is None:
            return ()
        found = look.change.strangers([np.array(lie.corners_px) for lie in lies])
        return tuple(
            Unknown(
                thing.area_mm2,
                thing.centre_mm,
                tuple(lies[number].key for number in near),
                _stranger(thing.centre_mm, thing.area_mm2),
            )
            for thing, near in found
        )

    def _since(self, look: _Look, before: Image) -> TableChange | None:
        """The frame held against the picture of `before`, taken from the same place."""
        if before.shape != look.bgr.shape:
            return None
        camera, half_mm = look.scene.camera, self._empty.half_mm if self._empty is not None else None
        outlines = look.seen.fiducial_outlines_px
        return EarlierTable(before, camera, self.table.arena, outlines, self._maps, half_mm).look(look.bgr, camera)

    def _believed(self, known: Sequence[Lie]) -> tuple[tuple[int, CardPose], ...]:
        return tuple(
            (self.faces.index(lie.card), _pose_of(np.array(lie.corners_mm)))
            for lie in known
            if lie.card is not None and lie.corners_mm is not None and lie.sure
        )

    def _from_known(self, known: Sequence[Lie]) -> list[Guess]:
        guesses = []
        for lie in known:
            if lie.corners_mm is not None:
                face = self.faces.names.index(lie.card) if lie.card else self.faces.names.index(BACK)
                guesses.append(Guess(face, _pose_of(np.array(lie.corners_mm)), 1e3, Finder.KNOWN))
        return guesses

    def _refine(
        self, look: _Look, found: list[Found], laid_first: Collection[int]
    ) -> tuple[list[FittedCard], list[Overlap], list[int]]:
        """Fine alignment of every card on what no card above it covers, and the order of the pile."""
        scene = look.scene
        first = {i for i, f in enumerate(found) if f.fit.face in laid_first}
        sure_before = {face for face, _ in scene.believed}
        single = alone(scene, [f.fit.pose for f in found])
        placed = [
            PlacedFace(f.fit.face, f.fit.pose, outline_of(scene, f.fit.pose))
            if single[i]
            else place_face(claimed_by_others(scene, found, i), f.fit.face, f.fit.pose)
            for i, f in enumerate(found)
        ]
        pairs, order = overlaps(scene, placed, [f.fit.uncovered for f in found], first)
        cards = []
        for i, card in enumerate(found):
            above = _above(scene, placed, pairs, i)
            fit = fit_fine(above, card.fit.face, card.fit.pose)
            fitted = self._fitted(look, card, fit, None if single[i] else above, placed[i])
            if fitted.placed.foreign_mm2 > FOREIGN_MM2 or hangs(scene, fit.pose):
                fit = _fit_beside(above, fitted.placed)
                fitted = self._fitted(look, card, fit, above, placed[i])
            cards.append(replace(fitted, expected=i in first))
        kept = [i for i, c in enumerate(cards) if c.fit.face in sure_before or not _is_ghost(scene, c.fit, i in first)]
        cards, first = [cards[i] for i in kept], {n for n, i in enumerate(kept) if i in first}
        stayed = len(kept) == len(found) and all(
            _stayed(b.pose, c.fit.pose) for b, c in zip(placed, cards, strict=True)
        )
        if not (stayed and all(abs(pair.nats) > _PLAIN_NATS for pair in pairs)):
            pairs, order = overlaps(scene, [c.placed for c in cards], [c.fit.uncovered for c in cards], first)
        return cards, pairs, order

    def _fitted(self, look: _Look, card: Found, fit: Fit, above: Known | None, before: PlacedFace) -> FittedCard:
        """`above` is None where no other card is near; `before` is the face where it was thought to lie."""
        scene = look.scene
        size = (self.deck.width_mm, self.deck.height_mm, self.deck.corner_radius_mm)
        resting = judge_resting(fit.alignment, self.table.arena, *size)
        if above is None and fit.explained > _WHOLE:
            placed = PlacedFace(fit.face, fit.pose, outline_of(scene, fit.pose))
        elif before.light is not None and before.foreign_mm2 == 0.0 and _stayed(before.pose, fit.pose):
            placed = replace(before, pose=fit.pose, outline_px=outline_of(scene, fit.pose))
        else:
            placed = place_face(above or Known.nothing_of(scene), fit.face, fit.pose)
        return FittedCard(fit, card.identity, resting, placed, self._qr_text(look, fit))

    def _qr_text(self, look: _Look, fit: Fit) -> str | None:
        """What the card's printed code says, where it has one that this picture can show."""
        name, deck = self.faces.names[fit.face], self.deck
        printed = deck.by_id[name].qr if name in deck.by_id else None
        if printed is None:
            return None
        return read_qr(look.scene.grey, look.scene.camera, fit.pose, printed, deck.width_mm, deck.height_mm)


# Fine alignment that moves a card by no more than this changes neither the light on it nor who is seen to cover whom,
# where that was plain.
_STAYED_MM, _STAYED_RAD, _PLAIN_NATS = 0.6, 0.02, 30.0


def _stayed(before: CardPose, after: CardPose) -> bool:
    turned = np.abs(before.R - after.R).max()
    return bool(np.abs(before.centre_mm - after.centre_mm)[:2].max() < _STAYED_MM and turned < _STAYED_RAD)


def _is_ghost(scene: Scene, fit: Fit, expected: bool) -> bool:
    """True where the cards above, in their final places, leave nothing that speaks for a card: it was guessed from what
    showed of them. If something does lie there, what shows of it is a stranger."""
    # the pattern of backs repeats, and is found in the shadow behind a wall: there a back must say as much as at first
    share = 1.0 if scene.faces.names[fit.face] == BACK else 0.5
    least = share * (EXPECTED_NATS if expected else MIN_NATS)
    if fit.uncovered < 0.5 * LEAST_IN_VIEW:
        return True
    return fit.evidence < least and fit.evidence + marked_nats(scene, fit) < least


def _fit_beside(above: Known, placed: PlacedFace) -> Fit:
    """The fine alignment of a face on which something unknown lies, by what that leaves in view: else a hand over a
    card seems to tilt it, and so does a strip beside a card above that lies a little otherwise than thought."""
    scene, hidden = above.scene, above.claims.copy()
    if placed.foreign is not None:
        hidden.add_cells(scene, placed.pose, placed.foreign)
    lay = slide if hangs(scene, placed.pose) else fit_coarse
    start = lay(Known(scene, hidden), placed.face, laid_flat(scene, placed.pose))
    hidden = hidden.copy()
    hidden.add_cells(scene, start.pose, ~start.shown)
    return fit_fine(Known(scene, hidden), placed.face, start.pose)


def _pose_of(corners_mm: Array) -> CardPose:
    """The pose of a card whose corners (4, 3) in the world frame are known."""
    x, y = corners_mm[1] - corners_mm[0], corners_mm[0] - corners_mm[3]
    x, y = x / np.linalg.norm(x), y / np.linalg.norm(y)
    return CardPose(np.stack([x, y, np.cross(x, y)], axis=1), corners_mm.mean(axis=0))


def _stranger(centre_mm: tuple[float, float], area_mm2: float) -> Message:
    """The doubt about something unknown, by the part of the arena in which the picture shows it."""
    x, y = centre_mm
    across = "left" if x < -40 else "right" if x > 40 else ""
    along = "far" if y > 40 else "near" if y < -40 else ""
    side = Side.of("_".join(word for word in (along, across) if word) or "middle")
    return Doubt.STRANGER(side=side, area_cm2=round(area_mm2 / 100, 1))


def _above(scene: Scene, placed: list[PlacedFace], pairs: list[Overlap], card: int) -> Known:
    """The outlines of the cards that lie over one card."""
    claims = Claims.none_in(scene)
    for pair in pairs:
        if card in (pair.a, pair.b):
            other = pair.b if pair.a == card else pair.a
            other_above = pair.a_over_b if other == pair.a else 1.0 - pair.a_over_b
            if other_above > 0.5:
                claims.add_polygon(placed[other].outline_px)
    return Known(scene, claims)


def _grey(bgr: Image) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


_BLACK_LEVEL = 32.0


def _trouble(image: NDArray[np.uint8], table: Table) -> tuple[Message, Message] | None:
    """(what is wrong, what to do) with a picture that cannot be read at all."""
    height, width = image.shape[:2]
    if (width, height) != table.image_size:
        size = f"{table.image_size[0]}x{table.image_size[1]}"
        return (
            Doubt.OTHER_SIZE(size=f"{width}x{height}", size_wanted=size),
            Doubt.RIGHT_SIZE(size=size),
        )
    small = image[::16, ::16]
    if float(np.percentile(small, 99.0)) < _BLACK_LEVEL:  # a lit fiducial's white is brighter on any table
        return Doubt.PICTURE_BLACK(), Doubt.LET_LIGHT_IN()
    if float(small.min()) > 240.0:
        return Doubt.PICTURE_WHITE(), Doubt.LESS_LIGHT()
    return None
