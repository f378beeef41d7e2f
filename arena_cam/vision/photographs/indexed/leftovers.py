"""What a picture shows beside the cards found: corners that may be a card's, and paper that no card explains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.doubts import Doubt, Side
from arena_cam.domain.lies import Lie, Unknown, ring_mm
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.photographs.indexed.papers import SeenPlace
from arena_cam.vision.picture.robust import MAD_TO_SD, percentiles
from arena_cam.vision.planes.outline_corners import Corners
from arena_cam.vision.planes.side_search import least_step
from arena_cam.vision.reading.floor.view import GUESS_HEIGHT_MM
from arena_cam.vision.reading.floor.view_maps import ViewMaps

INDEX_MM2 = 150.0  # what an index in view says of a card at least
# A corner on the plane is a card's where its arms are so long (mm) and meet so squarely.
_LEAST_ARM_MM, _OFF_DEG = 11.0, 7.0
_KNOWN_CORNER_MM, _KNOWN_DEG = 5.0, 8.0
_MOST_PLACES = 24
_APART_MM, _APART_DEG = 8.0, 8.0
# Paper beside the cards: seen at this scale, as light as their paper to this share and of its colour (CIE a, b).
_PX_PER_MM = 1.0
_DARKEST, _LIGHTEST, _TINT = 0.8, 1.25, 9.0
_ROUND_CARDS_MM = 2.0  # edges may be off by that much
_OPENED_MM = 6.0  # what is thinner is a rim, a stripe or a letter
# Of a card's corner in view: less holds no index. The print on it counts: of a king's corner 69 mm2 were blank.
_LEAST_MM2, _LEAST_PRINTED_MM2 = 70.0, 45.0
_TOUCHES_MM, _AT_CORNER_MM = 4.0, 8.0  # paper so near to a card, or to a corner, is looked at
_OF_A_PATTERN, _AS_LARGE = 8, 1.25  # patches elsewhere, at least as large but for a quarter
# A table so much of which looks like paper far from the cards is marble, or as good as. What is seen of a card has
# straight sides there: pieces so long, to so much (mm). Patches of marble had 0.23 to 0.37 of them and once 0.92, what
# is seen of cards 0.34 (pips at its border) and 0.66 to 1.
_MARBLE, _STRAIGHT_MM, _OFF_STRAIGHT_MM, _STRAIGHT_SHARE, _LEAST_OUTLINE_MM = 0.01, 12.0, 2.0, 0.5, 40.0
# A sheet's border is a step of light: what lies within 2 mm of it is compared with what lies so far beyond (mm), where
# the picture shows so much (px) of that.
_BORDER_MM, _LEAST_BEYOND = (2.0, 4.0), 20
_MOST_MM2 = 11_000.0  # a patch larger than two cards is the table
# Of a table so much looks like paper that this says nothing: then paper is what is nearer to the cards' than to the
# table's colour (L, a, b). Standard deviations of paper in one light, a share of L, and of a table's at least.
_WHITE_TABLE, _PAPER_SD, _TABLE_SD = 0.3, (0.06, 2.0, 2.0), (4.0, 1.5, 1.5)


@dataclass(frozen=True)
class Patch:
    """A piece of what looks like paper: its area and its middle on the plane; `alone`: it touches no card."""

    area_mm2: float
    x_mm: float
    y_mm: float
    alone: bool = False


def stranger_at(camera: Camera, x_mm: float, y_mm: float, area_mm2: float) -> Unknown:
    """Something at a place on the cards' plane that looks like a card, or a part of one, and is none of those found."""
    ring = camera.project_circle(x_mm, y_mm, ring_mm(area_mm2))
    doubt = Doubt.STRANGER(side=side_of(x_mm, y_mm), area_cm2=round(area_mm2 / 100, 1))
    return Unknown(area_mm2, None, (), doubt, ring_px=tuple((float(x), float(y)) for x, y in ring))


def side_of(x_mm: float, y_mm: float) -> Side:
    """The part of the picture's middle that a place on the plane is in."""
    across = "left" if x_mm < -40 else "right" if x_mm > 40 else ""
    along = "far" if y_mm > 40 else "near" if y_mm < -40 else ""
    return Side.of("_".join(word for word in (along, across) if word) or "middle")


def places_at_corners(
    found: Sequence[Corners], camera: Camera, card_mm: tuple[float, float], lies: Sequence[Lie]
) -> list[CardPose]:
    """Where cards may lie whose corners the picture shows and none of `lies` explains, each also half a turn round."""
    poses: list[CardPose] = []
    for pose in every_place_at_corners(found, camera, card_mm, lies):
        if len(poses) < _MOST_PLACES and not any(_near(pose, other) for other in poses):
            poses.append(pose)
    return poses


def every_place_at_corners(
    found: Sequence[Corners], camera: Camera, card_mm: tuple[float, float], lies: Sequence[Lie]
) -> Iterator[CardPose]:
    """The same for each corner that is found, places that are nearly alike among them: of a frame printed round a card,
    too, whose corners lie some millimetres within the card's."""
    yield from places_beside(found, camera, card_mm, [np.array(lie.corners_px) for lie in lies])


def places_beside(
    found: Sequence[Corners], camera: Camera, card_mm: tuple[float, float], outlines_px: Sequence[Array]
) -> Iterator[CardPose]:
    """The same beside outlines (4, 2)."""
    known = [camera.to_plane(outline)[:, :2] for outline in outlines_px]
    for corner, along in _square_corners(found, camera, card_mm[1]):
        if not any(_explains(outline, corner, along) for outline in known):
            yield from _poses_at(corner, along, card_mm)


def _square_corners(found: Sequence[Corners], camera: Camera, longest_mm: float) -> Iterator[tuple[Array, Array]]:
    """Corners (2,) on the plane and the unit vector (2,) along one arm; the other is a quarter turn to its left."""
    for corners in found:
        at, before, after = (camera.to_plane(points)[:, :2] for points in (corners.at, corners.before, corners.after))
        d, e = before - at, after - at
        of_d, of_e = np.hypot(*d.T), np.hypot(*e.T)
        long = (np.minimum(of_d, of_e) >= _LEAST_ARM_MM) & (np.maximum(of_d, of_e) <= 1.08 * longest_mm)
        with np.errstate(invalid="ignore", divide="ignore"):  # arms of no length are not long
            off = np.abs(np.degrees(np.arcsin(np.clip((d * e).sum(axis=1) / (of_d * of_e), -1, 1))))
            turns_left = d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0] > 0
            arms = np.where(turns_left[:, None], d / of_d[:, None], e / of_e[:, None])
        yield from ((at[n], arms[n]) for n in np.flatnonzero(long & (off <= _OFF_DEG)))


def _explains(outline: Array, corner: Array, along: Array) -> bool:
    """Whether a known card (4, 2) has a corner there, or an edge on which that corner lies in its direction."""
    if np.hypot(*(outline - corner).T).min() < _KNOWN_CORNER_MM:
        return True
    inside = cv2.pointPolygonTest(
        outline.astype(np.float32).reshape(-1, 1, 2), (float(corner[0]), float(corner[1])), True
    )
    across = outline[1] - outline[0]
    turn = np.degrees(np.arctan2(along[0] * across[1] - along[1] * across[0], along @ across)) % 90.0
    parallel = min(turn, 90.0 - turn) < _KNOWN_DEG
    return bool(inside > -_KNOWN_CORNER_MM and parallel)


def _poses_at(corner: Array, along: Array, card_mm: tuple[float, float]) -> Iterator[CardPose]:
    left = np.array([-along[1], along[0]])
    for width, height, turn in ((card_mm[0], card_mm[1], 0.0), (card_mm[1], card_mm[0], -90.0)):
        middle = corner + along * width / 2 + left * height / 2
        angle = float(np.degrees(np.arctan2(along[1], along[0]))) + turn
        yield CardPose.flat(float(middle[0]), float(middle[1]), angle, GUESS_HEIGHT_MM / 4)


def _near(a: CardPose, b: CardPose) -> bool:
    turned = abs(float(a.R[:, 0] @ b.R[:, 0])) > np.cos(np.radians(_APART_DEG))
    return bool(turned and np.hypot(*(a.centre_mm - b.centre_mm)[:2]) < _APART_MM)


def paper_beside(
    image_bgr: NDArray[np.uint8],
    camera: Camera,
    half_mm: tuple[float, float],
    outlines_px: Sequence[Array],
    found: Sequence[Corners],
) -> list[Patch]:
    """Patches that look like the paper of the cards found (corners (4, 2) each) and belong to none of them, the
    largest first. One that touches no card must have a right-angled corner among `found`: light cloths have patches."""
    if not len(outlines_px):
        return []
    view = ViewMaps(camera, half_mm, _PX_PER_MM, 0).picture(image_bgr)
    lab = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2LAB), np.uint8)
    papers: list[NDArray[np.float32]] = []
    cards = np.zeros(view.shape[:2], np.uint8)
    for outline_px in outlines_px:
        outline = camera.to_plane(outline_px)[:, :2]
        at = np.stack([outline[:, 0] + half_mm[0], half_mm[1] - outline[:, 1]], axis=1) * _PX_PER_MM
        low = np.maximum(np.round(at.min(axis=0)).astype(int), 0)
        high = np.maximum(np.round(at.max(axis=0)).astype(int) + 1, low)
        part = slice(low[1], high[1]), slice(low[0], high[0])
        own = np.zeros_like(cards[part])
        if own.size:
            cv2.fillConvexPoly(own, np.round(at).astype(np.int32) - low, (1,))
        if own.any():
            papers.append(_paper_of(lab[part][own > 0]))
        cards[part] |= own
    reach = 2 * round(_ROUND_CARDS_MM * _PX_PER_MM) + 1
    cards = np.asarray(cv2.dilate(cards, np.ones((reach, reach), np.uint8)), np.uint8)
    beyond_picture = cv2.inRange(view, (0, 0, 0), (0, 0, 0)) > 0  # in a tenth of the time of numpy's view.max(axis=2)
    paper = _is_paper(lab, papers, (cards == 0) & ~beyond_picture)
    open_ = round(_OPENED_MM * _PX_PER_MM)
    left = cv2.morphologyEx((paper & (cards == 0)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((open_, open_), np.uint8))
    square = [point for point, _ in _square_corners(found, camera, np.inf)]
    near = np.zeros_like(cards)
    for x, y in square:
        at_px = round((float(x) + half_mm[0]) * _PX_PER_MM), round((half_mm[1] - float(y)) * _PX_PER_MM)
        cv2.circle(near, at_px, round(_AT_CORNER_MM * _PX_PER_MM), (1,), -1)
    reach = 2 * round(_TOUCHES_MM * _PX_PER_MM) + 1
    round_cards = np.asarray(cv2.dilate(cards, np.ones((reach, reach), np.uint8)), np.uint8)
    return _patches(np.asarray(left, np.uint8), round_cards > 0, near > 0, half_mm, np.asarray(lab[..., 0]))


def _paper_of(light: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The most frequent colour (L, a, b) of the lighter half of what a card shows, (N, 3)."""
    bright = light[light[:, 0] >= percentiles(light[:, :1], (60.0,))[0]]
    return np.asarray(percentiles(bright, (50.0,))[0], np.float32)


def _is_paper(
    lab: NDArray[np.uint8], papers: Sequence[NDArray[np.float32]], beside: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Pixels that look like one of the `papers`. Where most of what lies `beside` the cards does, it is a white table:
    then those that look more like that paper than like the table."""
    paper = np.zeros(lab.shape[:2], bool)
    for level, a, b in papers:
        light = max(float(level), 1.0)
        low = np.floor(np.array([_DARKEST * light, a - _TINT, b - _TINT]) + 1.0)  # whole numbers, and not the limits
        high = np.ceil(np.array([_LIGHTEST * light, a + _TINT, b + _TINT]) - 1.0)
        paper |= np.asarray(cv2.inRange(lab, low, high), bool)
    if not beside.any() or paper[beside].mean() < _WHITE_TABLE:
        return paper
    table, scatter = _usual(lab, beside)
    spread = [np.array(_PAPER_SD) * [max(float(each[0]), 1.0), 1.0, 1.0] for each in papers]
    asked = paper & beside
    exact = lab[asked]
    nearest = np.min([_misfit(exact, each, sd) for each, sd in zip(papers, spread, strict=True)], axis=0)
    paper[asked] = nearest < _misfit(exact, table, np.maximum(scatter, _TABLE_SD))
    return paper


def _usual(lab: NDArray[np.uint8], where: NDArray[np.bool_]) -> tuple[NDArray[np.float32], Array]:
    """The median (3,) of the pixels (H, W, 3) there, and their scatter (3,), by how often each level is met."""
    levels, mask = np.arange(256.0), where.astype(np.uint8)
    often = [
        np.asarray(cv2.calcHist([lab], [channel], mask, [256], [0.0, 256.0]), np.float32).ravel()
        for channel in range(3)
    ]
    middle = [_median(levels, each) for each in often]
    off = [_median(np.abs(levels - at), each) for at, each in zip(middle, often, strict=True)]
    return np.array(middle, np.float32), MAD_TO_SD * np.array(off)


def _median(values: Array, often: NDArray[np.float32]) -> float:
    """The median of values (N,) of which each is met so often (N,)."""
    order = np.argsort(values)
    upto = np.cumsum(often[order].astype(np.int64))
    low, high = (int(np.searchsorted(upto, (upto[-1] + odd) // 2, side="right")) for odd in (-1, 0))
    return float(values[order[low]] + values[order[high]]) / 2.0


def _misfit(lab: NDArray[np.uint8], colour: NDArray[np.float32], sd: Array) -> NDArray[np.float32]:
    """Twice the negative log-likelihood of pixels `lab` (N, 3) under a colour and its scatter."""
    levels = np.arange(256.0)[:, None]
    of_level = (((levels - colour) / sd) ** 2).astype(np.float32)  # (256, 3): pixels are many, levels few
    total = np.full(len(lab), np.float32(2.0 * np.log(sd).sum()))
    for channel in range(3):
        total += of_level[:, channel][lab[:, channel]]
    return total


def _patches(
    left: NDArray[np.uint8],
    round_cards: NDArray[np.bool_],
    at_corner: NDArray[np.bool_],
    half_mm: tuple[float, float],
    light: NDArray[np.uint8],
) -> list[Patch]:
    """Patches of `left` some of which is `round_cards` or `at_corner`, and no part of a pattern: not one as large as
    many that are far from any card, as on a chequered cloth, nor one without straight sides on a table that looks like
    paper elsewhere and has none there either, as marble does, nor one that fades into what is round it, by the `light`
    (H, W) there."""
    count, labels, stats, centres = cv2.connectedComponentsWithStats(left)
    touching = set(np.unique(labels[round_cards | at_corner]).tolist())
    areas = stats[:, cv2.CC_STAT_AREA] / _PX_PER_MM**2
    away = [n for n in range(1, count) if n not in touching]
    elsewhere = areas[away]
    is_marble = float(elsewhere.sum()) > _MARBLE * left.size / _PX_PER_MM**2 and not _are_straight(labels, away, areas)
    found = []
    for n in range(1, count):
        repeated = int((_AS_LARGE * elsewhere > areas[n]).sum()) >= _OF_A_PATTERN
        if n not in touching or repeated or not _LEAST_PRINTED_MM2 < areas[n] < _MOST_MM2:
            continue
        if areas[n] <= _LEAST_MM2 and _with_print_mm2(labels == n, round_cards) <= _LEAST_MM2:
            continue
        if _fades(labels == n, round_cards, light):
            continue
        if not is_marble or _straight_share(labels == n, round_cards) > _STRAIGHT_SHARE:
            x, y = centres[n] / _PX_PER_MM
            alone = not bool((round_cards & (labels == n)).any())
            found.append(Patch(float(areas[n]), float(x - half_mm[0]), float(half_mm[1] - y), alone))
    return sorted(found, key=lambda patch: -patch.area_mm2)


def _are_straight(labels: NDArray[np.number], patches: Sequence[int], areas: NDArray[np.number]) -> bool:
    """Whether most of the largest `patches`, by their numbers in `labels` (H, W), have straight sides: they are
    chequers and no marble. There straight sides tell no card, and print at the rim of one leaves it few."""
    largest = sorted(patches, key=lambda n: -float(areas[n]))[:_OF_A_PATTERN]
    nothing = np.zeros(labels.shape, bool)
    shares = [_straight_share(labels == n, nothing) for n in largest]
    return bool(np.median(shares) > _STRAIGHT_SHARE) if shares else False


def _with_print_mm2(patch: NDArray[np.bool_], round_cards: NDArray[np.bool_]) -> float:
    """How large a patch is with what lies between its parts, the print on a card, but for what is `round_cards`."""
    outlines, _ = cv2.findContours(patch.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = np.zeros(patch.shape, np.uint8)
    cv2.fillConvexPoly(whole, cv2.convexHull(np.concatenate(outlines)), (1,))
    return float((((whole > 0) & ~round_cards) | patch).sum()) / _PX_PER_MM**2


def _fades(patch: NDArray[np.bool_], round_cards: NDArray[np.bool_], light: NDArray[np.uint8]) -> bool:
    """Whether a patch has no border, but for what is `round_cards`: a sheet ends in a step of the `light` (H, W), and a
    cloud of a marble only where it grows darker than paper may be."""
    x, y, w, h = cv2.boundingRect(patch.astype(np.uint8))
    reach = round(_BORDER_MM[1] * _PX_PER_MM)
    part = slice(max(y - reach, 0), y + h + reach), slice(max(x - reach, 0), x + w + reach)
    own, light = patch[part].astype(np.uint8), light[part]
    within, near, far = (np.ones((2 * round(mm * _PX_PER_MM) + 1,) * 2, np.uint8) for mm in (2.0, *_BORDER_MM))
    rim = (own > 0) & (cv2.erode(own, within, borderValue=0) == 0)
    beyond = (cv2.dilate(own, far) > 0) & (cv2.dilate(own, near) == 0) & ~round_cards[part]
    if int(beyond.sum()) < _LEAST_BEYOND:
        return False
    inside, outside = float(np.median(light[rim])), float(np.median(light[beyond]))
    return bool(abs(inside - outside) < least_step(inside))


def _straight_share(patch: NDArray[np.bool_], round_cards: NDArray[np.bool_]) -> float:
    """Which share of a patch's outline is straight, but for what is `round_cards`; 1 where hardly any is left."""
    outlines, _ = cv2.findContours(patch.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=len)
    corners = cv2.approxPolyDP(outline, _OFF_STRAIGHT_MM * _PX_PER_MM, True).reshape(-1, 2)
    middles = (corners + np.roll(corners, -1, axis=0)) // 2
    length = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T) / _PX_PER_MM
    length = length[~round_cards[middles[:, 1], middles[:, 0]]]
    total = float(length.sum())
    return float(length[length >= _STRAIGHT_MM].sum()) / total if total > _LEAST_OUTLINE_MM else 1.0


def without_cloth(
    patches: Sequence[Patch],
    image_bgr: NDArray[np.uint8],
    camera: Camera,
    card_mm: tuple[float, float],
    corners: Sequence[Corners],
    outlines_px: Sequence[Array],
) -> list[Patch]:
    """The patches but those that touch no card and where all cards that would have them, by the `corners` seen there,
    look as the cloth round them does. `outlines_px` (4, 2): cards that are known."""
    known = [camera.to_plane(outline)[:, :2] for outline in outlines_px]
    square = _square_corners(corners, camera, card_mm[1]) if any(patch.alone for patch in patches) else ()
    places = [
        pose
        for corner, along in square
        if not any(_explains(outline, corner, along) for outline in known)
        for pose in _poses_at(corner, along, card_mm)
    ]

    def is_cloth(patch: Patch) -> bool:
        at = np.array([patch.x_mm, patch.y_mm, 0.0])
        near = [pose for pose in places if _is_over(pose, at, card_mm)]
        return bool(near) and all(
            SeenPlace(image_bgr, camera, pose, card_mm, outlines_px).is_as_outside() for pose in near
        )

    return [patch for patch in patches if not (patch.alone and is_cloth(patch))]


def _is_over(pose: CardPose, point: Array, card_mm: tuple[float, float]) -> bool:
    local = (point - pose.centre_mm) @ pose.R
    return bool((np.abs(local[:2]) < np.array(card_mm) / 2).all())


# A corner so near is the outline's; of outlines with middles so near the one whose corners fit best is the card.
_CORNER_MM, _APART_MM = 2.5, 10.0


def whole_cards(
    camera: Camera, card_mm: tuple[float, float], corners: Sequence[Corners], outlines_px: Sequence[Array] = ()
) -> list[CardPose]:
    """The places of cards all of whose corners are seen on the camera's floor, but those of `outlines_px` (4, 2); best
    first."""
    whole: list[tuple[float, CardPose]] = []
    for each in corners:
        at = camera.to_plane(each.at)[:, :2]
        for pose in places_beside([each], camera, card_mm, outlines_px):
            off = max(float(np.hypot(*(at - corner[:2]).T).min()) for corner in pose.corners(*card_mm))
            if off < _CORNER_MM:
                whole.append((off, pose))
    kept: list[CardPose] = []
    for _, pose in sorted(whole, key=lambda entry: entry[0]):
        if all(np.hypot(*(pose.centre_mm - other.centre_mm)[:2]) > _APART_MM for other in kept):
            kept.append(pose)
    return kept


def lone_card(
    image_bgr: NDArray[np.uint8],
    cameras: Iterable[Camera],
    card_mm: tuple[float, float],
    corners: Sequence[Corners],
) -> Unknown | None:
    """A card that nothing names, whole on the floor of one of the cameras: all its corners are seen, its margin is of
    one paper, and what is within is not as what is round it, as on a cloth. None where there is no such card."""
    for camera in cameras:
        for pose in whole_cards(camera, card_mm, corners):
            if SeenPlace(image_bgr, camera, pose, card_mm).is_sheet():
                x, y, _ = (float(each) for each in pose.centre_mm)
                return stranger_at(camera, x, y, card_mm[0] * card_mm[1])
    return None
