"""Reads a photograph without a table: finds the plane that the cards lie in, then reads it as the arena is read.

corners of cards -> planes, likeliest first -> cards in that plane -> the plane fitted to them -> what is left over
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.doubts import Doubt
from arena_cam.domain.lies import Face, Lie, Reading, Unknown, Unreadable
from arena_cam.domain.messages import Message
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.indices.index_finder import SeenIndex
from arena_cam.vision.indices.ink import with_light_inverted
from arena_cam.vision.photographs.index_check import (
    IndexCheck,
    IndexNames,
    against_deck,
    as_indexed,
    beneath,
    by_index_only,
    check_indices,
    has_indices,
    without,
)
from arena_cam.vision.photographs.indexed.index_views import indices_on_plane
from arena_cam.vision.photographs.indexed.indexed_cards import IndexedCard, cards_of, is_on_card, pose_on_floor
from arena_cam.vision.photographs.indexed.leftovers import (
    INDEX_MM2,
    lone_card,
    paper_beside,
    stranger_at,
    without_cloth,
)
from arena_cam.vision.photographs.indexed.papers import SeenPlace
from arena_cam.vision.photographs.indexed.settled_cards import halves_seen
from arena_cam.vision.photographs.on_plane import OnPlane
from arena_cam.vision.photographs.ordinary_reader import OrdinaryReader, most_sensible
from arena_cam.vision.photographs.ordinary_reading import lie_of
from arena_cam.vision.photographs.plane_scene import (
    PlaneReading,
    PlaneSceneReader,
    Shown,
    Witness,
    on_floor,
)
from arena_cam.vision.photographs.plane_search import ShownPicture, as_on_white
from arena_cam.vision.photographs.singly.single_cards import SingleCardReader
from arena_cam.vision.photographs.singly.witness import (
    agreed,
    as_large_there,
    asks_anyway,
    none_sure,
    outline_of,
    unlike_deck,
    with_more,
    witnessed,
)
from arena_cam.vision.planes.card_plane import camera_over, pinhole, reach_of_picture
from arena_cam.vision.planes.outline_corners import Corners, find_corners
from arena_cam.vision.planes.plane_by_features import FeaturePlanes
from arena_cam.vision.planes.plane_fit import SeenCard, fit_camera
from arena_cam.vision.planes.plane_guesses import likeliest_planes, too_small
from arena_cam.vision.reading.cards.lies import SURE_NAME

_PAPER_PERCENTILE = 70.0
# The logarithm of one channel's share of white against green that lamps make; more is a coloured card.
_MOST_TINTED = 0.6
_ONE_WIDTH_MM = 2.5  # cards are 57 or 63 mm wide


@dataclass(frozen=True, eq=False)
class ByIndices:
    """What indices alone say: the `plane` they stand on, and the reading `alone`; `borne_out`: the same as its cards'
    faces bear it out, if they do."""

    plane: OnPlane
    alone: Reading
    borne_out: Reading | None


class PhotographReader:
    """Finds and names the cards of one deck in photographs."""

    def __init__(self, faces: DeckFaces) -> None:
        self.faces = faces
        self._scenes = PlaneSceneReader(faces)
        self._features = FeaturePlanes(faces)
        self._names = IndexNames(faces)
        self._single = SingleCardReader(faces)
        self._any_pack = OrdinaryReader([(faces.deck.width_mm, faces.deck.height_mm)])

    def read(self, frame: Frame) -> Reading | Unreadable:
        """The cards in a photograph; Unreadable for one too small to tell a card in."""
        trouble = too_small(frame)
        if trouble is not None:
            return trouble
        corners = find_corners(frame.image_bgr)
        by_indices = self._by_indices_alone(frame, corners) if has_indices(self.faces.deck) else None
        if by_indices is not None and by_indices.borne_out is not None:
            return by_indices.borne_out
        indexed, alone = (None, None) if by_indices is None else (by_indices.plane, by_indices.alone)
        best = self.read_plane(frame.image_bgr, corners, indexed)
        if best is None:
            return self._singly(frame, corners, indexed)
        best = self._explained(frame.image_bgr, best, corners)
        sure = _is_sure(best)
        lies = tuple(without_world(lie) for lie in best.lies)
        reading = Reading(frame.name, frame.time_s, lies, best.covers, None, sure, best.doubts, best.unknown)
        if sure:
            return reading
        other_deck = [doubt for doubt in best.doubts if doubt.sentence is Doubt.OTHER_DECK]
        if other_deck:
            return _of_another_deck(alone or reading, other_deck)
        both = None if alone is None else agreed(reading, alone, set(self.faces.deck.by_id))
        if both is not None:
            return both
        witness = alone if indexed is not None and indexed.is_plain and self._may_be_plane(indexed) else None
        if witness is not None and not reading.doubts:
            return witnessed(reading, witness)
        card_mm = (self.faces.deck.width_mm, self.faces.deck.height_mm)
        if asks_anyway(reading, card_mm):
            return reading if witness is None else witnessed(reading, witness)
        singly = self._one_by_one(frame)
        if witness is None:
            return witnessed(reading, singly)
        return witnessed(reading, with_more(witness, as_large_there(singly, best.scene.camera, card_mm)))

    def _by_indices_alone(
        self,
        frame: Frame,
        corners: Sequence[Corners],
        nearly: Camera | None = None,
        *,
        in_either_light: bool = True,
    ) -> ByIndices | None:
        """What is read by indices alone on the first plane whose cards' faces are where their indices say, or, if there
        is none, on the plane that makes most sense; None where no plane has an index. Such a plane is that of the
        cards: no other is asked. `nearly`: as `OrdinaryReader.planes` has it. `in_either_light`: where none is read as
        the deck prints them, dark on light paper or light on dark, another pack that prints them the other way may lie
        there."""
        asked: list[ByIndices] = []
        for turned in (self._names.on_black, not self._names.on_black)[: 2 if in_either_light else 1]:
            as_dark = as_on_white(frame) if turned else frame
            shown = ShownPicture(as_dark, find_corners(as_dark.image_bgr) if turned else corners)
            asked += self._by_planes(frame, shown, nearly)
            if any(each.plane.well_read for each in asked):
                break
        if asked and asked[-1].borne_out is not None:
            return asked[-1]
        best = most_sensible(each.plane for each in asked)
        return next((each for each in asked if each.plane is best), None)

    def _by_planes(self, frame: Frame, shown: ShownPicture, nearly: Camera | None) -> Iterator[ByIndices]:
        """What is read on each plane until the cards' faces bear it out; `shown`: the frame in which indices are read,
        light on dark print turned round where that is so."""
        for plane in self._any_pack.planes(shown, partial(self.told_by_faces, frame.image_bgr), nearly):
            asked = self._asked(frame, shown, plane)
            yield asked
            if asked.borne_out is not None:
                break

    def told_by_faces(self, image_bgr: Image, found: OnPlane) -> OnPlane | None:
        """The plane of those cards whose faces are seen where the indices on a plane say; None where none is seen.

        A face lies aligned to a tenth of a millimetre where a side is found to half a one, so a few faces tell the
        plane better than sides do, whatever marks of a cloth stand on it.
        """
        card_mm = (self.faces.deck.width_mm, self.faces.deck.height_mm)
        wide = abs(found.size_mm[0] - card_mm[0]) < _ONE_WIDTH_MM
        read = [card for card in found.cards if card.probability > _READ_WELL and card.card in self.faces.deck.by_id]
        if not wide or not read:
            return None
        camera, middle = found.camera, np.mean([card.pose.centre_mm for card in read], axis=0)
        white = white_of(image_bgr, camera.project(middle[None])[0])
        placed = self._scenes.placed(
            image_bgr, camera, white, [(card.card, (card.pose, card.beyond_index)) for card in read]
        )
        if not placed:
            return None
        outlines = {name: camera.project(pose.corners(*card_mm)) for name, pose in placed.items()}
        seen = [SeenCard(outline, 1.0) for outline in outlines.values()]
        after = fit_camera(camera, (image_bgr.shape[1], image_bgr.shape[0]), seen, card_mm)
        on = {name: pose_on_floor(after, outline) for name, outline in outlines.items()}
        return replace(found.over(after), size_mm=card_mm, placed=on)

    def _asked(self, frame: Frame, shown: ShownPicture, plane: OnPlane) -> ByIndices:
        """What is read on a plane, and what the cards' faces say of it; once more without marks of the cloth."""
        alone = shown.reading_of(plane)
        seen, marks = self._confirmed(frame.image_bgr, plane, alone)
        if marks:
            rest = replace(plane, cards=[card for card in plane.cards if card.card not in marks])
            seen, _ = self._confirmed(frame.image_bgr, rest, shown.reading_of(rest))
        return ByIndices(plane, alone, seen)

    def _confirmed(self, image_bgr: Image, indexed: OnPlane, alone: Reading) -> tuple[Reading | None, frozenset[str]]:
        """A reading by indices alone each of whose names the card's own face bears out, which then is sure; None where
        anything else is left open, or a face is not seen as the deck has it. Then faces must be searched for.

        With it the names that are only marks of the cloth: their indices are doubtful, and their faces plainly absent,
        though they lay beneath all others.
        """
        if not alone.lies or alone.doubts or indexed.bare or not self._may_be_plane(indexed):
            return None, frozenset()
        down, camera = alone.lies[::-1], indexed.camera
        cards = [(lie.card, pose_on_floor(camera, np.array(lie.corners_px))) for lie in down]
        white = white_of(image_bgr, np.concatenate([outline_of(lie) for lie in down]).mean(axis=0))
        shown = self._scenes.shown_at(image_bgr, camera, white, cards)
        alike = self._scenes.alike(shown)
        all_are = all(_bears_out(seen, lie, like) for seen, lie, like in zip(shown, down, alike, strict=True))
        keys, told = [lie.key for lie in down], set(alone.covers)
        reversed_ = any((keys[a], lie.key) in told for lie, seen in zip(down, shown, strict=True) for a in seen.over)
        if reversed_ or not all_are or not any(seen.likely >= SURE_NAME for seen in shown):
            pairs = list(zip(shown, down, cards, strict=True))
            doubtful = [card for seen, lie, card in pairs if seen.absent and not lie.sure]
            above = [card for card in cards if card not in doubtful]
            return None, self._scenes.absent_beneath(image_bgr, camera, white, above, doubtful)
        size = (self.faces.deck.width_mm, self.faces.deck.height_mm)
        lies = tuple(
            _borne_out(lie, seen.likely, seen.pose.angle_deg, camera.project(seen.pose.corners(*size)))
            for lie, seen in zip(alone.lies, shown[::-1], strict=True)
        )
        return replace(alone, lies=lies, sure=True), frozenset()

    def _may_be_plane(self, indexed: OnPlane) -> bool:
        """Whether cards of the deck lie on a plane that was found by indices alone."""
        wide = abs(indexed.size_mm[0] - self.faces.deck.width_mm) < _ONE_WIDTH_MM
        return indexed.is_certain and wide and {card.card for card in indexed.cards} <= set(self.faces.deck.by_id)

    def _one_by_one(self, frame: Frame) -> Reading:
        """The cards found one by one, each on a plane of its own."""
        found = self._single.read(frame)
        return found if isinstance(found, Reading) else Reading(frame.name, frame.time_s, ())

    def _singly(self, frame: Frame, corners: Sequence[Corners], indexed: OnPlane | None) -> Reading:
        """The same, none of them surely: no common plane vouches for them. Where none is found a card may lie there
        that is not of the deck."""
        found = self._one_by_one(frame)
        unknown = () if found.lies else self._strangers(frame.image_bgr, corners, indexed)
        lies, doubts = none_sure(found.lies), (*found.doubts, *(thing.doubt for thing in unknown))
        return replace(found, lies=lies, doubts=doubts, unknown=unknown, sure=not lies and not doubts)

    def _strangers(self, image_bgr: Image, corners: Sequence[Corners], indexed: OnPlane | None) -> tuple[Unknown, ...]:
        """Cards of which the deck has no face: those whose indices tell their plane plainly, or are read well where a
        sheet lies, and else one seen by its outline and its paper. A cloth has marks that are read as an index with
        some sides: of 32 empty tables seven had one read well, and all there looked as round it."""
        width, height = self.faces.deck.width_mm, self.faces.deck.height_mm
        told = [] if indexed is None else _on_sheets(image_bgr, indexed)
        if indexed is not None and told:
            middles = [card.pose.centre_mm for card in told]
            return tuple(stranger_at(indexed.camera, float(at[0]), float(at[1]), width * height) for at in middles)
        cameras = (camera for camera, _ in self._by_corners(image_bgr, corners))
        lone = lone_card(image_bgr, cameras, (width, height), corners)
        return () if lone is None else (lone,)

    def read_after(self, image_bgr: Image, before: PlaneReading | None) -> PlaneReading | None:
        """The cards of a later picture of the same camera: in the plane of `before`, or, where none is found there, in
        one found anew. None where no plane has any."""
        if before is not None:
            scene = before.scene
            known = [on_floor(lie, scene.camera) for lie in before.lies if lie.card in (lie.key, None)]
            reading = self._scenes.read(image_bgr, scene.camera, scene.white_ratio, known)
            if reading.lies:
                read = self._explained(image_bgr, reading, ())
                seen = len(_face_up(read)) + len(read.unknown)
                told = before.plane_of > 0 and len(_face_up(read)) > 0
                asks = not told or (_left_open(read) > 0 and seen > before.plane_of)
                plane_of = 0 if not told else min(before.plane_of, seen)
                read = replace(read, plane_of=plane_of)
                return self._anew(image_bgr, read) if asks else read
        return self._anew(image_bgr, None)

    def _anew(self, image_bgr: Image, known: PlaneReading | None) -> PlaneReading | None:
        """A picture read in a plane found anew, or what is `known` of it, if cards told its plane and it is no worse.

        The plane of a pack that lies face down, or of the first card alone, is some degrees off; more cards tell it
        better, and are asked as soon as one of them is in doubt, or none is seen any more.
        """
        corners = find_corners(image_bgr)
        told = None if known is None or not known.plane_of else known.scene.camera
        found = self._in_new_plane(image_bgr, corners, told)
        if found is None:
            return known
        found = self._explained(image_bgr, found, corners)
        asked = max(len(_face_up(each)) + len(each.unknown) for each in (known, found) if each is not None)
        best = found if known is None or _told_well(found) >= _told_well(known) + (known.plane_of > 0) else known
        return replace(best, plane_of=asked if _face_up(best) else 0)

    def _in_new_plane(self, image_bgr: Image, corners: Sequence[Corners], nearly: Camera | None) -> PlaneReading | None:
        """The cards in the plane that indices tell, and else in the one in which most is found: a chequered cloth has
        hundreds of corners, the likeliest planes are all of its chequers, and one card's corners are not asked. Where
        cards told before that they lie `nearly` on a camera's floor, only indices are asked, and that plane first: it
        is some degrees off, and does not move."""
        frame = Frame(image_bgr, 0.0, 0, "", "")
        told = None
        if has_indices(self.faces.deck):
            told = self._by_indices_alone(frame, corners, nearly, in_either_light=False)
        if told is None:
            return None if nearly is not None else self.read_plane(image_bgr, corners)
        borne_out = None if told.borne_out is None else self._at_indices(image_bgr, told.plane)
        if borne_out is not None:
            return self._scenes.fitted(image_bgr, borne_out, corners)
        if nearly is not None:
            return self._on_plane_of(image_bgr, told.plane)
        return self.read_plane(image_bgr, corners, told.plane)

    def _explained(self, image_bgr: Image, reading: PlaneReading, corners: Sequence[Corners]) -> PlaneReading:
        """A reading with what the rest of the picture says against it: indices, and paper that no card explains."""
        camera, deck = reading.scene.camera, self.faces.deck
        half = reach_of_picture(camera, reading.scene.image_size)
        unknown: list[Unknown] = []
        if has_indices(deck):
            reading, unknown = self._by_indices(image_bgr, reading, corners)
        reading, twice = doubting_seconds(reading)
        outlines = [np.array(lie.corners_px) for lie in reading.lies]
        paper = paper_beside(image_bgr, camera, half, outlines, corners)
        for patch in without_cloth(paper, image_bgr, camera, (deck.width_mm, deck.height_mm), corners, outlines):
            unknown.append(stranger_at(camera, patch.x_mm, patch.y_mm, patch.area_mm2))
        doubts = (*reading.doubts, *twice, *(thing.doubt for thing in unknown))
        return replace(reading, doubts=doubts, unknown=tuple(unknown))

    def _by_indices(
        self, image_bgr: Image, reading: PlaneReading, corners: Sequence[Corners]
    ) -> tuple[PlaneReading, list[Unknown]]:
        """A reading with the cards whose indices are seen, and indices and faces that are no card's."""
        camera, deck = reading.scene.camera, self.faces.deck
        card_mm = (deck.width_mm, deck.height_mm)
        shown = with_light_inverted(image_bgr) if self._names.on_black else image_bgr
        indices = indices_on_plane(shown, camera, reach_of_picture(camera, reading.scene.image_size))
        check = check_indices(reading.lies, indices, camera, card_mm, self._names)
        absent: tuple[CardPose, ...] = ()
        witnesses = self._witnesses(reading, check, corners)
        if witnesses:
            known = [on_floor(lie, camera) for lie in reading.lies if lie.key not in check.wrong]
            again = self._scenes.read(image_bgr, camera, reading.scene.white_ratio, known, (), witnesses)
            if len(again.lies) >= len(reading.lies) - len(check.wrong):
                reading, absent = again, again.absent
                check = check_indices(reading.lies, indices, camera, card_mm, self._names)
        # in poor light faces of the deck are unlike it, too, but more than next to nothing of them is seen
        is_doubtful = against_deck(check, reading.unlike | reading.hardly) > 0
        is_other = against_deck(check, reading.hardly) >= _TWO_AGAINST
        left = [index for index in check.left if not _is_print(index, absent, card_mm)]
        strange = (reading.hardly - check.agreed) | check.wrong.keys()
        places = [(_middle_of(lie, camera), card_mm[0] * card_mm[1]) for lie in reading.lies if lie.key in strange]
        places += [(index.middle, INDEX_MM2) for index in left]
        check = replace(check, beneath=beneath(left, reading.lies, camera, card_mm) - check.agreed)
        reading = _with_torn(image_bgr, as_indexed(reading, check, self._names), card_mm)
        odd = [index for key, card in check.wrong.items() for index in check.owned[key] if index.card == card]
        seconds = _seconds(image_bgr, reading, [*left, *odd], corners, card_mm)
        reading = without(reading, {lie.key for lie in reading.lies if any(_gives_way(lie, to) for to in seconds)})
        reading = replace(reading, lies=(*reading.lies, *seconds))
        unknown = [stranger_at(camera, float(at[0]), float(at[1]), area) for at, area in places]
        reading = by_index_only(reading, check) if is_doubtful else reading
        return (self._of_another_deck(reading) if is_other else reading), unknown

    def _of_another_deck(self, reading: PlaneReading) -> PlaneReading:
        """A reading by faces that are not those on the table: no name is sure."""
        lies = none_sure(reading.lies)
        return replace(reading, lies=lies, doubts=(Doubt.OTHER_DECK(deck=self.faces.deck.name), *reading.doubts))

    def _witnesses(self, reading: PlaneReading, check: IndexCheck, corners: Sequence[Corners]) -> list[Witness]:
        """The cards whose indices are seen where no card was found, or one of another name."""
        camera, card_mm = reading.scene.camera, (self.faces.deck.width_mm, self.faces.deck.height_mm)
        missed = cards_of(check.left, corners, camera, card_mm)
        places = [(card.indices, card.pose) for card in missed]
        for lie in (lie for lie in reading.lies if lie.key in check.wrong):
            says = tuple(index for index in check.owned[lie.key] if index.card == check.wrong[lie.key])
            places.append((says, pose_on_floor(camera, np.array(lie.corners_px))))
        named = [(tuple(self._names.faces_of(indices[0])[:2]), pose, indices) for indices, pose in places]
        return [Witness(faces, pose, len(of), max(i.probability for i in of)) for faces, pose, of in named if faces]

    def read_plane(
        self, image_bgr: Image, corners: Sequence[Corners], indexed: OnPlane | None = None
    ) -> PlaneReading | None:
        """The cards in the plane in which most is found; None where no plane has any. `indexed`: the plane of those
        cards that are known by their indices, which is asked first, with them."""
        best = None if indexed is None else self._on_plane_of(image_bgr, indexed)
        if best is not None and indexed is not None and _has_all(best, indexed):
            return self._scenes.fitted(image_bgr, best, corners)
        for camera, white in self._cameras(image_bgr, corners):
            reading = self._scenes.read(image_bgr, camera, white)
            if reading.lies and (best is None or reading.worth > best.worth):
                best = reading
            if best is not None and best.is_plain:
                break
        return None if best is None else self._scenes.fitted(image_bgr, best, corners)

    def _on_plane_of(self, image_bgr: Image, indexed: OnPlane) -> PlaneReading | None:
        """The cards in the plane of cards known by their indices; None where that plane is not plain, or they are not
        the deck's."""
        if not indexed.is_plain or not self._may_be_plane(indexed):
            return None
        return self._at_indices(image_bgr, indexed)

    def _at_indices(self, image_bgr: Image, indexed: OnPlane) -> PlaneReading | None:
        """The cards in a plane, those whose indices were read there tried first; None where it has none."""
        card_mm = indexed.size_mm
        outlines = [indexed.camera.project(card.pose.corners(*card_mm)) for card in indexed.cards]
        lies = [lie_of(card, card.card, at) for card, at in zip(indexed.cards, outlines, strict=True)]
        known = [on_floor(lie, indexed.camera) for lie in lies]
        white = white_of(image_bgr, np.concatenate(outlines).mean(axis=0))
        reading = self._scenes.read(image_bgr, indexed.camera, white, known)
        return reading if reading.lies else None

    def _cameras(self, image_bgr: Image, found: Sequence[Corners]) -> Iterator[tuple[Camera, Array]]:
        """Cameras over planes that cards may lie in, the likeliest first, with the colour of white there."""
        K = pinhole((image_bgr.shape[1], image_bgr.shape[0]))
        yield from self._by_corners(image_bgr, found)
        for camera in self._features.cameras(image_bgr, K):
            yield camera, white_of(image_bgr, camera.project(np.zeros((1, 3)))[0])

    def _by_corners(self, image_bgr: Image, found: Sequence[Corners]) -> Iterator[tuple[Camera, Array]]:
        """Those of them that corners tell."""
        K = pinhole((image_bgr.shape[1], image_bgr.shape[0]))
        for guess in likeliest_planes(found, K, (self.faces.deck.width_mm, self.faces.deck.height_mm)):
            yield camera_over(guess.plane, K, np.zeros(5), guess.middle_px), white_of(image_bgr, guess.middle_px)


def _on_sheets(image_bgr: Image, indexed: OnPlane) -> list[IndexedCard]:
    """The cards on a plane that is plain, or those read well where a sheet lies."""
    return [
        card
        for card in indexed.cards
        if indexed.is_plain
        or (
            card.card in indexed.well_read
            and SeenPlace(image_bgr, indexed.camera, card.pose, indexed.size_mm).is_sheet()
        )
    ]


def _face_up(reading: PlaneReading) -> list[Lie]:
    return [lie for lie in reading.lies if lie.card is not None]


def _left_open(reading: PlaneReading) -> int:
    """How many cards that lie face up are not sure, and what else is seen that may be one."""
    return sum(not lie.sure for lie in _face_up(reading)) + len(reading.unknown)


def _told_well(reading: PlaneReading) -> int:
    """By how many more cards are sure than anything is open."""
    return sum(lie.sure for lie in _face_up(reading)) - _left_open(reading)


def _is_sure(reading: PlaneReading) -> bool:
    return not reading.doubts and all(lie.sure for lie in reading.lies)


def _has_all(reading: PlaneReading, indexed: OnPlane) -> bool:
    """Whether a reading has all the cards that are known by their indices, one of them plainly."""
    return reading.is_plain and {card.card for card in indexed.cards} <= {lie.card for lie in reading.lies}


def _bears_out(seen: Shown, lie: Lie, is_alike: bool) -> bool:
    """Whether a face says the name that indices say: so well that it need not be theirs, or as well as any other where
    they alone are sure, by little print, too; `is_alike`: by what the other cards show of the pack."""
    return seen.likely >= SURE_NAME or (lie.sure and seen.leads and (seen.is_like or is_alike))


def _borne_out(lie: Lie, likely: float, angle_deg: float, outline: Array) -> Lie:
    """A lie whose name its own face says, too, so likely, turned so within this outline (4, 2); one face down has
    none."""
    if lie.card is None:
        return lie
    a, b, c, d = ((float(x), float(y)) for x, y in outline)
    probability = max(lie.identity_probability, likely)
    lie = replace(lie, corners_px=(a, b, c, d), angle_deg=angle_deg)
    return replace(lie, identity_probability=probability, sure=True, doubts=())


def _middle_of(lie: Lie, camera: Camera) -> Array:
    """The middle (3,) of a lie on the plane that the camera stands over."""
    return np.asarray(camera.to_plane(np.array(lie.corners_px)).mean(axis=0))


_TWO_AGAINST = 2  # cards: one alone may be torn, or blurred while it is laid, and is asked about as such


def white_of(image_bgr: NDArray[np.uint8], middle_px: Array) -> Array:
    """The colour of white (3,), green = 1, by the lighter half of what is seen round a place where cards lie; grey
    where that is too coloured to be paper."""
    height, width = image_bgr.shape[:2]
    reach = 0.12 * max(height, width)
    x0, y0 = np.clip(middle_px - reach, 0, [width - 2, height - 2]).astype(int)
    x1, y1 = np.clip(middle_px + reach, [1, 1], [width, height]).astype(int)
    part = image_bgr[y0 : max(y1, y0 + 1) : 2, x0 : max(x1, x0 + 1) : 2].reshape(-1, 3).astype(np.float64)
    light = part.sum(axis=1)
    paper = np.median(part[light >= np.percentile(light, _PAPER_PERCENTILE)], axis=0)
    white = np.maximum(paper, 1.0) / max(float(paper[1]), 1.0)
    return np.ones(3) if np.abs(np.log(white)).max() > _MOST_TINTED else white


# An index read so surely is one, even where the plane is known from other cards only, too little to find its card's
# sides; one read less surely has so many halves of sides, as a card has that indices alone tell.
_CERTAIN, _READ_WELL, _SECOND_SHOWS = 0.99, 0.9, 3
_IN_THE_MIDDLE = 0.2  # of a card's width from its sides at least: beside it cards lie farther out


def _is_print(index: SeenIndex, absent: Sequence[CardPose], card_mm: tuple[float, float]) -> bool:
    """Whether an index is a mark of a cloth or of a face's art: no card that bears it lies where it says."""
    return any(is_on_card(index, pose, card_mm) for pose in absent)


def _seconds(
    image_bgr: Image,
    reading: PlaneReading,
    left: Sequence[SeenIndex],
    corners: Sequence[Corners],
    card_mm: tuple[float, float],
) -> list[Lie]:
    """Second cards of a name, of another pack, by indices that are no card's that was found, at most one of each."""
    named, camera = {lie.card for lie in reading.lies}, reading.scene.camera
    again = [index for index in left if index.card in named and index.probability > _READ_WELL]
    if not again:
        return []
    grey = cv2.GaussianBlur(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), (0, 0), 0.7).astype(np.float32)
    cards = [card for card in cards_of(again, corners, camera, card_mm) if card.card in named]
    seen = {
        card.card: card
        for card in sorted(cards, key=lambda each: each.probability)
        if card.probability > _CERTAIN or halves_seen(grey, camera, card.pose, card_mm) >= _SECOND_SHOWS
    }
    return [lie_of(card, f"{name}'", camera.project(card.pose.corners(*card_mm))) for name, card in seen.items()]


def _of_another_deck(reading: Reading, why: Sequence[Message]) -> Reading:
    """What is read of cards that are not the deck's, by their indices where they have any: nothing of it is sure."""
    lies = none_sure(reading.lies)
    rest = [doubt for doubt in reading.doubts if doubt not in why]
    return replace(reading, lies=lies, sure=False, doubts=(*why, *rest))


def doubting_seconds(reading: PlaneReading) -> tuple[PlaneReading, list[Message]]:
    """A reading in which no second card of a name is sure, however plainly it is seen, and a doubt for each: a deck has
    each card once."""
    seconds = {lie.key for lie in reading.lies if lie.card not in (None, lie.key)}
    lies = none_sure(reading.lies, seconds)
    twice = [Doubt.SEEN_TWICE(card=lie.card or "") for lie in lies if lie.key in seconds]
    return replace(reading, lies=lies), twice


def _with_torn(image_bgr: Image, reading: PlaneReading, card_mm: tuple[float, float]) -> PlaneReading:
    """A reading in which a card is in doubt one of whose sides, which no other hides, shows no paper: a part of it is
    torn off, or it lies otherwise."""
    camera = reading.scene.camera
    outlines = [np.array(lie.corners_px) for lie in reading.lies]
    lies = list(reading.lies)
    for n, lie in enumerate(lies):
        if not lie.sure or lie.face is not Face.UP:
            continue
        pose, others = pose_on_floor(camera, outlines[n]), outlines[:n] + outlines[n + 1 :]
        place = SeenPlace(image_bgr, camera, pose, card_mm, others)
        if place.has_bare_side(place.paper()):
            lies[n] = unlike_deck(lie)
    return replace(reading, lies=tuple(lies))


def _gives_way(lie: Lie, second: Lie) -> bool:
    """Whether a card that is in doubt lies where a second one of a name does: of the faces not given yet it looks most
    like what is there, for every other of that name is."""
    outline = outline_of(second)
    x, y = (float(each) for each in outline_of(lie).mean(axis=0))
    width = float(np.hypot(*(outline[1] - outline[0])))
    return not lie.sure and cv2.pointPolygonTest(outline.reshape(-1, 1, 2), (x, y), True) > _IN_THE_MIDDLE * width


def without_world(lie: Lie) -> Lie:
    """The lie without the values that only a measured table gives."""
    return replace(
        lie,
        landing=None,
        confidence=lie.identity_probability,
        tilt_deg=None,
        tilt_sd_deg=None,
        centre_mm=None,
        corners_mm=None,
        landing_probabilities=(),
        fits=(),
    )
