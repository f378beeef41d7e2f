"""From a guess to a fitted card: coarse to fine alignment from every way a card could rest there, and how much of the
face the picture really shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import Deck
from arena_cam.domain.table import Arena
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.vision.alignment import (
    FLAT_MOTION,
    LIGHT,
    Alignment,
    FacePoints,
    PointTiles,
    align,
    choose_points,
    plain_residual,
)
from arena_cam.vision.deck_faces import DeckFaces
from arena_cam.vision.face_tiles import FaceTiles, cut_face, shown_tiles
from arena_cam.vision.fresh_places import FreshPlaces
from arena_cam.vision.marker_prints import MarkerPrints
from arena_cam.vision.markers import SeenMarker
from arena_cam.vision.name_points import NamePoints
from arena_cam.vision.sampling import Pyramid, sample_at
from arena_cam.vision.strangers import TableChange

Array = NDArray[np.float64]

FINE_PX_PER_MM = 2.0
COARSE_PX_PER_MM = 1.0
# A start is a physical hypothesis (flat, or leaning on a wall): alignment may correct its height and tilt by what
# contact leaves open. The prior hardly touches a card in full view, whose pixels determine both a hundred times better.
# What lies mostly under other cards is held closer to its start: its few pixels determine little, and cards above press
# it flat.
# Standard deviations: 4 mm and 0.08 rad; 1 mm and 0.025 rad.
_START_PRIOR = np.diag([0.0, 0.0, 4.0**-2, 0.08**-2, 0.08**-2, 0.0])
_COVERED_PRIOR = np.diag([0.0, 0.0, 1.0, 0.025**-2, 0.025**-2, 0.0])
_COVERED_BELOW = 0.6  # share of alignment points in view


def _prior(weights: Array | None) -> tuple[Array, Array]:
    covered = weights is not None and float(weights.mean()) < _COVERED_BELOW
    return (_COVERED_PRIOR if covered else _START_PRIOR), np.zeros(6)


@dataclass(frozen=True, eq=False)
class Scene:
    """What every fit of one frame needs: the picture (colour and grey pyramid), the camera over it, the faces.

    `markers` are all markers of the deck's dictionaries that the picture shows, on cards or not.
    `believed` are faces that surely lay at these poses a moment ago.
    `change` says where the picture differs from the empty table's, if that is known, and `fresh` where it differs from
    when the cards believed were read.
    `fine_level` is the pyramid's level whose scale is nearest to FINE_PX_PER_MM; `bgr` is the picture at that level.
    """

    pyramid: Pyramid
    bgr: NDArray[np.uint8]
    camera: Camera
    faces: DeckFaces
    arena: Arena
    fine_level: int
    points: PointStore
    markers: tuple[SeenMarker, ...] = ()
    believed: tuple[tuple[int, CardPose], ...] = ()
    change: TableChange | None = None
    fresh: FreshPlaces | None = None

    def markers_in_place(self, pose: CardPose) -> dict[int, int]:
        """For each face, how many of the markers seen lie where that face at `pose` would print them."""
        return self.points.markers.in_place(self.markers, self.camera, pose)

    def all_markers_in_place(self, face: int, pose: CardPose) -> bool:
        """Whether all markers seen that a face bears lie where it would print them at `pose`."""
        return self.markers_in_place(pose).get(face, 0) >= self.points.markers.of_face(self.markers, face)

    def sample_bgr(self, pixels: Array) -> Array:
        """Colours (N, 3) at frame pixels (2, N), NaN outside the picture."""
        return sample_at(self.bgr, pixels * 0.5**self.fine_level)


class PointStore:
    """What fits need of every face, made once: alignment points at each scale, tiles, and points to tell names by.

    It grows as faces are met, most of it in the first half hour of an evening, and ends with the deck: 0.8 MB a face.
    """

    def __init__(self, faces: DeckFaces) -> None:
        self._faces = faces
        self._points: dict[tuple[int, float], FacePoints] = {}
        self._point_tiles: dict[float, PointTiles] = {}
        self._tiles: dict[int, FaceTiles] = {}

    @cached_property
    def names(self) -> NamePoints:
        return NamePoints(self._faces)

    @cached_property
    def markers(self) -> MarkerPrints:
        return MarkerPrints(self._faces)

    def points(self, face: int, px_per_mm: float) -> FacePoints:
        key = (face, px_per_mm)
        if key not in self._points:
            grid = self._faces.grid(px_per_mm)
            if px_per_mm not in self._point_tiles:
                self._point_tiles[px_per_mm] = PointTiles.of(grid.mask, 2000 if px_per_mm >= FINE_PX_PER_MM else 900)
            tiles = self._point_tiles[px_per_mm]
            self._points[key] = choose_points(grid.grey[face], tiles, grid.x_mm, grid.y_mm, px_per_mm)
        return self._points[key]

    def tiles(self, face: int) -> FaceTiles:
        if face not in self._tiles:
            self._tiles[face] = cut_face(self._faces, face, COARSE_PX_PER_MM)
        return self._tiles[face]


@dataclass(frozen=True, eq=False)
class Fit:
    """A face aligned with the picture.

    `uncovered` (0..1) is the share of the face's tiles that lie in the picture and that no other known card claims, and
    `explained` (0..1) the share of those that look as the face does. `evidence` sums, over these tiles, by how many
    nats the face explains the picture better than a patch of even grey; `tiles` (rows, columns) holds it tile by tile,
    and `shown` (rows, columns) is true where the picture shows the face."""

    face: int
    alignment: Alignment
    explained: float
    evidence: float
    tiles: Array
    shown: NDArray[np.bool_]
    uncovered: float

    @property
    def pose(self) -> CardPose:
        return self.alignment.pose

    @property
    def worth(self) -> float:
        """How good a fit it is, to rank fits by: much that is seen, and little that is not as it should be."""
        return self.evidence * self.explained


def same_place(centre_mm: Array, rotation: Array, fit: Fit) -> bool:
    """True where two poses are one card read twice: rigid cards cannot lie within a few millimetres and degrees of each
    other unless one hides the other."""
    gap = float(np.hypot(*(centre_mm[:2] - fit.pose.centre_mm[:2])))
    return gap < 6.0 and abs(float(rotation[:, 0] @ fit.pose.R[:, 0])) > np.cos(np.radians(8.0))


def fit_coarse(
    scene: Scene, face: int, start: CardPose, claims: Claims | None = None, *, close: bool = False, likely: bool = False
) -> Fit:
    """The best alignment at the coarse scale, from flat and, where that leaves much open, from leaning on a wall.

    What `claims` says is covered by other cards has no say. `close`: the start is thought to be good to a millimetre
    or two, height and tilt too; if that proves right nothing else is tried. `likely`: so much spoke for the start
    that leaning poses are tried even where a flat one says nothing for itself.
    """
    if close:
        fit = _free(scene, face, start, claims, at_most=_PATIENCE * _COARSE_STEPS)
        if fit.explained > _AS_THOUGHT or _is_plainly_flat(scene, fit):
            return fit
    best = _near_then_free(scene, face, start, claims)
    if _is_plainly_flat(scene, best) or (best.evidence < _WORTH_LEANING and not likely):
        return best
    for lean in leaning_starts(scene, best.pose if best.explained > 0.5 else start):
        fit = _near_then_free(scene, face, lean, claims)
        # cards mostly lie flat: a leaning pose has to explain more, not as much by another route
        ahead = FLAT_FIRST if _lies_flat(scene, best.pose) else 1.0
        if fit.worth > ahead * best.worth:
            best = fit
    in_view_tiles = best.uncovered * best.tiles.size
    if best.explained < UNCLEAR and (likely or best.evidence > _WORTH_AFAR_NATS_A_TILE * in_view_tiles):
        fit = _near_then_free(scene, face, _from_afar(scene, face, start, claims), claims)
        if fit.worth > FLAT_FIRST * best.worth:
            best = fit
    return best


def _near_then_free(scene: Scene, face: int, start: CardPose, claims: Claims | None) -> Fit:
    """Slides a face to its best place in its plane, and lets it tilt from there if it then says something for
    itself."""
    first = slide(scene, face, start, claims)
    if first.evidence < _HOPEFUL_NATS_A_TILE * first.uncovered * first.tiles.size:
        return first
    second = _free(scene, face, first.pose, claims)
    return second if second.evidence >= first.evidence and _is_possible(scene, second) else first


def likeness(scene: Scene, face: int, start: CardPose, claims: Claims) -> float | None:
    """By how many nats a point a face, as it is guessed to lie, explains the picture better than even grey, seen from
    afar: where a guess that is right but for some millimetres and degrees does. None where too little is in view."""
    points = scene.points.points(face, COARSE_PX_PER_MM / 2)
    pixels = scene.camera.project_plane(start.plane, points.places)
    seen, inside = scene.pyramid.sample_at(pixels, scene.fine_level + 2)
    weights = 1.0 - claims.at(pixels)
    if inside is not None:
        seen, weights = np.where(inside, seen, 0.0), weights * inside
    if weights.mean() < _MOST_IN_VIEW:
        return None
    drawn, even = (plain_residual(basis, seen, weights) for basis in (points.light, points.light[LIGHT // 2 :]))
    return 0.5 * float(np.log((even + _ROUNDING) / (drawn + _ROUNDING)))


_MOST_IN_VIEW, _ROUNDING = 0.5, 2.0  # of a card, for what is seen from afar to mean anything; grey levels squared


def slide(scene: Scene, face: int, start: CardPose, claims: Claims | None) -> Fit:
    """The alignment at the coarse scale within the plane of `start`."""
    points = scene.points.points(face, COARSE_PX_PER_MM)
    near = align(
        scene.pyramid,
        scene.fine_level + 1,
        scene.camera,
        points,
        start,
        motion=FLAT_MOTION,
        weights=_uncovered_weights(scene, points, start, claims),
        iterations=8,
        converged_px=0.1,
    )
    return measure(scene, face, near, claims)


def _is_possible(scene: Scene, fit: Fit) -> bool:
    """False where a card would have to reach through the floor, or to hang in the air to show a part of its face."""
    deck = scene.faces.deck
    lowest = float(fit.pose.corners(deck.width_mm, deck.height_mm)[:, 2].min())
    if lowest < min(0.0, scene.arena.table_z_mm) - _THROUGH_MM:
        return False
    return fit.explained > UNCLEAR or not hangs(scene, fit.pose)


# What is in view of a covered card leaves its height open by some millimetres; more is no card but a hand over one.
_THROUGH_MM = 12.0


def _free(scene: Scene, face: int, start: CardPose, claims: Claims | None, at_most: int | None = None) -> Fit:
    """The alignment at the coarse scale in all six parameters."""
    points = scene.points.points(face, COARSE_PX_PER_MM)
    weights = _uncovered_weights(scene, points, start, claims)
    found = align(
        scene.pyramid,
        scene.fine_level + 1,
        scene.camera,
        points,
        start,
        prior=_prior(weights),
        weights=weights,
        iterations=_COARSE_STEPS,
        at_most=at_most,
        converged_px=_COARSELY_PX,
    )
    return measure(scene, face, found, claims)


# The coarse scale's pixel is two of the picture's, and the fine one goes on from there; what that finds is good to a
# tenth of a pixel.
_COARSELY_PX, _FINELY_PX = 0.12, 0.03
# Enough for most; what begins near its place and is still on its way then has so many times as many.
_COARSE_STEPS, _FINE_STEPS, _PATIENCE = 8, 10, 3


# A card that shows less than this of what is uncovered of it may be far from where it was looked for, or a hand is on
# it.
UNCLEAR = 0.75
# One that is there, but steep, still shows some of itself where it was looked for.
_WORTH_AFAR_NATS_A_TILE = 0.8
# From afar, where a card is a few dozen points, its pose may be this far from the start: 15 mm up, 0.35 rad.
_AFAR_PRIOR = np.diag([0.0, 0.0, 15.0**-2, 0.35**-2, 0.35**-2, 0.0])


def _from_afar(scene: Scene, face: int, start: CardPose, claims: Claims | None) -> CardPose:
    """A steep card seen from above is displaced and foreshortened by more than alignment can bridge, but not at a
    quarter and half of the coarse scale."""
    pose = start
    for halvings in (2, 1):
        points = scene.points.points(face, COARSE_PX_PER_MM / 2**halvings)
        weights = _uncovered_weights(scene, points, pose, claims)
        pose = align(
            scene.pyramid,
            scene.fine_level + 1 + halvings,
            scene.camera,
            points,
            pose,
            prior=(_AFAR_PRIOR, np.zeros(6)),
            weights=weights,
            converged_px=0.1 * 2**halvings,
        ).pose
    return pose


FLAT_FIRST = 1.25
_AS_THOUGHT = 0.93  # of a card's face is explained where it lies as it was thought to lie
_PLAINLY = 0.8  # and so much of one that lies flat, where others may cover some of it
# A face slid to its best place that says no more for itself than this is not there, or not flat: of 680 that proved to
# be there 25 said less, most of them far from their place or leaning.
_HOPEFUL_NATS_A_TILE = 0.3
# Even a steep card, taken for a flat one, shows a third of its face where it is thought to be; guesses of nothing do
# not.
_WORTH_LEANING = -10.0


def _meets_wall(scene: Scene, pose: CardPose) -> bool:
    """True where a card thought flat inside would reach into a wall: then it leans on it."""
    deck, arena = scene.faces.deck, scene.arena
    inside = np.abs(pose.centre_mm[:2]) < np.array(arena.inner_mm) / 2
    beyond = np.abs(pose.corners(deck.width_mm, deck.height_mm)[:, :2]) - np.array(arena.inner_mm) / 2
    return bool(inside.all() and beyond.max() > _INTO_WALL_MM)


_INTO_WALL_MM = 1.5  # more than corners are rounded by and places are off


def _lies_flat(scene: Scene, pose: CardPose) -> bool:
    """True where the aligned pose is that of a card on the floor or on others, clear of the walls: no need to try
    leaning ones."""
    return pose.tilt_deg < 2.5 and abs(pose.centre_mm[2]) < 5.0 and not _meets_wall(scene, pose)


def _is_plainly_flat(scene: Scene, fit: Fit) -> bool:
    return fit.explained > _PLAINLY and _lies_flat(scene, fit.pose)


def fit_fine(scene: Scene, face: int, start: CardPose, claims: Claims | None = None) -> Fit:
    """The alignment at the fine scale from a coarse one; again from where it leads, if that is far from the start: the
    prior is to bridge what pixels leave open, not to hold them back."""
    points = scene.points.points(face, FINE_PX_PER_MM)
    for _ in range(3):
        weights = _uncovered_weights(scene, points, start, claims)
        found = align(
            scene.pyramid,
            scene.fine_level,
            scene.camera,
            points,
            start,
            prior=_prior(weights),
            weights=weights,
            iterations=_FINE_STEPS,
            at_most=_PATIENCE * _FINE_STEPS,
            converged_px=_FINELY_PX,
            tolerant=True,
        )
        turned = float(np.degrees(np.arccos(np.clip(found.pose.R[:, 2] @ start.R[:, 2], -1.0, 1.0))))
        if turned < _FAR_DEG:
            break
        start = found.pose
    return measure(scene, face, found, claims)


_FAR_DEG = 2.5


def _uncovered_weights(scene: Scene, points: FacePoints, pose: CardPose, claims: Claims | None) -> Array | None:
    if claims is None or not claims.any:
        return None
    weights = 1.0 - claims.at(scene.camera.project_plane(pose.plane, points.places))
    covered = float(weights.sum())
    return weights if 40 < covered < len(weights) else None


def in_view(scene: Scene, pose: CardPose, claims: Claims) -> tuple[float, float]:
    """The share (0..1) of a card at `pose` that lies in the picture and that no claim covers, and the share of this
    that shows something else than the empty table does: 1 where that is not known, 0 where no card can have come since
    others were read."""
    height, width = scene.pyramid.levels[0].shape
    places = _spread_over(scene.faces.deck)
    pixels = scene.camera.project_plane(pose.plane, places)
    free = (pixels >= 0.0).all(axis=0) & (pixels[0] < width) & (pixels[1] < height) & (claims.at(pixels) == 0.0)
    if scene.fresh is None and scene.change is None:
        return float(free.mean()), 1.0
    x_mm, y_mm, _ = pose.plane @ places
    if scene.fresh is not None and not scene.fresh.worth_a_guess(pixels, free, x_mm, y_mm):
        return float(free.mean()), 0.0
    if scene.change is None:
        return float(free.mean()), 1.0
    known = free & scene.change.within(scene.change.table.valid, x_mm, y_mm)
    odd = known & scene.change.within(scene.change.odd, x_mm, y_mm)
    # a few points on walls and round them, which are not compared, say nothing either way
    return float(free.mean()), float(odd.sum() / known.sum()) if known.sum() > 0.1 * known.size else 1.0


def on_card(scene: Scene, pose: CardPose) -> Array:
    """Pixels (2, N) spread evenly over a card at `pose`."""
    return scene.camera.project_plane(pose.plane, _spread_over(scene.faces.deck))


def _spread_over(deck: Deck) -> Array:
    """Places (3, N) in the card frame: x, y in mm, and 1."""
    x, y = np.meshgrid(_ACROSS * deck.width_mm, _ACROSS * deck.height_mm)
    return np.stack([x.ravel(), y.ravel(), np.ones(x.size)])


_ACROSS = (np.arange(16) + 0.5) / 16 - 0.5


class Claims:
    """Which pixels are known to show a card: a mask at a quarter of the picture's size each way."""

    STEP = 4

    def __init__(self, width_px: int, height_px: int) -> None:
        self.mask: NDArray[np.uint8] = np.zeros((height_px // self.STEP + 1, width_px // self.STEP + 1), np.uint8)
        self.any = False

    @staticmethod
    def none_in(scene: Scene) -> Claims:
        """Nothing claimed of a scene's picture."""
        height, width = scene.pyramid.levels[0].shape
        return Claims(width, height)

    def add_polygon(self, pixels: Array) -> None:
        """Claims a convex polygon given by its corners (N, 2) in frame pixels."""
        at = np.round(pixels / self.STEP * 16).astype(np.int32)
        cv2.fillConvexPoly(self.mask, at, (1,), shift=4)
        self.any = True

    def add_tiles(self, scene: Scene, fit: Fit, more: NDArray[np.bool_] | None = None) -> None:
        """Claims the tiles in which the picture shows the fitted face, and `more` (rows, columns) of them: all of the
        card where it is in full view."""
        if fit.explained > 0.93 and fit.uncovered > 0.97:
            half_x, half_y = scene.faces.deck.width_mm / 2 + 0.7, scene.faces.deck.height_mm / 2 + 0.7
            corners = fit.pose.points(np.array([-1, 1, 1, -1]) * half_x, np.array([1, 1, -1, -1]) * half_y)
            self.add_polygon(scene.camera.project(corners))
            return
        self.add_cells(scene, fit.pose, fit.shown if more is None else fit.shown | more)

    def add_cells(self, scene: Scene, pose: CardPose, cells: NDArray[np.bool_]) -> None:
        """Claims those `cells` (rows, columns) of a card at `pose` that are true."""
        rows, columns = cells.shape
        deck = scene.faces.deck
        gx, gy = np.meshgrid(
            (np.arange(columns + 1) / columns - 0.5) * deck.width_mm,
            (0.5 - np.arange(rows + 1) / rows) * deck.height_mm,
        )
        nodes = scene.camera.project(pose.points(gx.ravel(), gy.ravel())).reshape(rows + 1, columns + 1, 2)
        edges = np.diff(np.pad(cells.astype(np.int8), ((0, 0), (1, 1))), axis=1)
        for (r, first), (_, end) in zip(np.argwhere(edges == 1), np.argwhere(edges == -1), strict=True):
            self.add_polygon(np.array([nodes[r, first], nodes[r, end], nodes[r + 1, end], nodes[r + 1, first]]))

    def add(self, other: Claims) -> None:
        """Claims all that another of the same picture does."""
        np.maximum(self.mask, other.mask, out=self.mask)
        self.any |= other.any

    def free(self, pixels: Array) -> None:
        """Takes back what is claimed at pixels (2, N) and right beside them."""
        for x, y in np.round(pixels.T / self.STEP).astype(int):
            self.mask[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2] = 0

    def at(self, pixels: Array) -> Array:
        """1.0 where a pixel (2, N) is claimed, else 0.0."""
        height, width = self.mask.shape
        at = pixels * (1.0 / self.STEP) + 0.5
        # fmin and fmax bring what is behind the camera, NaN, to the rim
        at = np.fmax(np.fmin(at, [[width - 1.0], [height - 1.0]], out=at), 0.0, out=at)
        column, row = at.astype(np.intp)
        return np.asarray(self.mask.ravel()[row * width + column], dtype=np.float64)


def laid_flat(scene: Scene, pose: CardPose) -> CardPose:
    """A flat card where the picture shows one at `pose`."""
    ray = scene.camera.centre_mm - pose.centre_mm
    x, y, z = pose.centre_mm + ray * ((_FLAT_MM - pose.centre_mm[2]) / ray[2])
    return CardPose.flat(float(x), float(y), pose.angle_deg, float(z))


_FLAT_MM = 1.0  # the height of a card on others


def hangs(scene: Scene, pose: CardPose) -> bool:
    """True where a card would be tilted though there is no wall near to lean on: a few pixels were given too much
    say."""
    return pose.tilt_deg > _TILTED_DEG and not leaning_starts(scene, laid_flat(scene, pose))


_TILTED_DEG = 6.0


def leaning_starts(scene: Scene, flat: CardPose) -> list[CardPose]:
    """Poses that lean on a wall, for each wall that the card reaches or nearly reaches.

    Its outer border is raised with the inner one on the floor, or, for a card that lies mostly outside, its inner
    border with the outer on the table.
    """
    deck, arena = scene.faces.deck, scene.arena
    corners = flat.corners(deck.width_mm, deck.height_mm)
    starts = []
    for axis, sign in ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)):
        wall = arena.inner_mm[axis] / 2
        across = sign * corners[:, axis]
        reach, low = float(across.max()), float(across.min())
        if reach < wall - 12.0 or low > wall + arena.wall_thickness_mm + 5.0:
            continue
        starts.append(_raised(scene, flat, axis, sign, reach - low, arena.wall_height_mm, max(wall - low, 12.0)))
        if sign * flat.centre_mm[axis] > wall - 5.0:
            outer = wall + arena.wall_thickness_mm
            height = arena.wall_height_mm - arena.table_z_mm
            starts.append(_raised(scene, flat, axis, -sign, reach - low, height, max(reach - outer, 12.0)))
    return starts


def _raised(
    scene: Scene, flat: CardPose, axis: int, sign: float, extent: float, wall_height: float, run: float
) -> CardPose:
    """`flat` turned about the horizontal axis along a wall, so that its side towards `sign` goes up by the slope of
    `wall_height` over `run`, and kept at its pixel: a raised card appears farther from the point under the camera."""
    rise = float(np.arctan2(wall_height, min(run, extent)))
    axis_vector = np.zeros(3)
    axis_vector[1 - axis] = (-1.0 if axis == 0 else 1.0) * sign * rise
    turn = cv2.Rodrigues(axis_vector)[0]
    centre = flat.centre_mm.copy()
    centre[2] = np.sin(rise) * extent / 2
    ray = scene.camera.centre_mm - flat.centre_mm
    centre[:2] = flat.centre_mm[:2] + ray[:2] * (centre[2] - flat.centre_mm[2]) / ray[2]
    return CardPose(turn @ flat.R, centre)


def measure(scene: Scene, face: int, alignment: Alignment, claims: Claims | None = None) -> Fit:
    """How much of the face the picture shows, tile by tile, at the coarse scale."""
    nats, shown, enough = _tiles_at(scene, face, alignment.pose, claims)
    share = float(shown.sum() / max(1, enough.sum()))
    return Fit(face, alignment, share, float(nats.sum()), nats, shown, float(enough.mean()))


def evidence_at(scene: Scene, face: int, pose: CardPose, claims: Claims | None = None) -> float:
    """What a fit would have for its evidence (nats) if it were not aligned any further."""
    return float(_tiles_at(scene, face, pose, claims)[0].sum())


def _tiles_at(
    scene: Scene, face: int, pose: CardPose, claims: Claims | None
) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
    tiles = scene.points.tiles(face)
    pixels = scene.camera.project_plane(pose.plane, tiles.places)
    seen, inside = scene.pyramid.sample_at(pixels, scene.fine_level + 1)
    covered = claims.at(pixels) == 1.0 if claims is not None and claims.any else None
    good = inside if covered is None else ~covered if inside is None else inside & ~covered
    return shown_tiles(tiles, seen, good)
