"""Looks at a table before a game: light, glare, focus, motion blur, flicker, fiducials, height, scale, readable cards.

Each is a finding with what was measured and, where it is not good, what to change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Deck
from arena_cam.domain.messages import Message, in_words, message_to_json
from arena_cam.domain.table import Table
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.camera_model import Camera
from arena_cam.vision.picture.markers import find_markers
from arena_cam.vision.setup.messages import Advice, Looked, Measured
from arena_cam.vision.table.pose import SeenTable, TablePoseFinder

# Grey levels of the fiducials' white paper: below, noise drowns print; above, it is burnt out.
DARK_LEVEL, DIM_LEVEL, BURNT_LEVEL = 60.0, 90.0, 250.0
BRIGHTEST_SHARE = 0.995  # fiducials' white is more of a picture than what is left; hot pixels and a lamp's LED are less
GLARE_LEVEL = 252  # a sensor's end, less rounding
LITTLE_GLARE, MUCH_GLARE = 0.002, 0.02  # of the arena's area; a hundredth of a card's face, a tenth of it
# Width of a fiducial's edge from a tenth to nine tenths; a sharp lens with a Bayer sensor gives some 1.5.
SHARP_PX, BLURRED_PX = 3.0, 4.5
# A card slides out at about half a metre a second, and a hand leaves faster: 10 ms smear the one by 5 mm.
SHORT_EXPOSURE_MS, LONG_EXPOSURE_MS = 8.0, 20.0
STEADY, FLICKERING = 0.01, 0.03  # standard deviation of brightness from frame to frame, of its mean
# A marker's smallest square, and a QR code's, as detectors of either kind need them.
MARKER_MODULE_PX, QR_MODULE_PX = 3.0, 4.0
PLAIN_PX_MM, PLAIN_LEAST_PX_MM = 2.0, 1.3  # a card without markers is compared by its picture
QR_MODULES = 21  # of the smallest code; more make it harder
MARKER_MODULES = 6  # of a 4 x 4 marker with its border
# Of corners as detected, which blur alone moves by half a pixel.
GOOD_REPROJECTION_PX, BAD_REPROJECTION_PX = 1.2, 2.5
STEEP_DEG = 35.0  # from straight above: beyond, the far wall's side hides what lies behind the near one


class Grade(StrEnum):
    GOOD = "good"
    POOR = "poor"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked: what was measured, and what to change; None if nothing need change."""

    what: Looked
    grade: Grade
    seen: tuple[Message, ...]
    change: Message | None = None

    @property
    def measured(self) -> str:
        """The measurement, in English with units."""
        return in_words(self.seen)

    @property
    def advice(self) -> str:
        """What to change, in English; "" if nothing need change."""
        return str(self.change) if self.change is not None else ""

    def to_json(self) -> dict[str, Any]:
        """`code` is that of the advice, `values` are the parameters of measurement and advice."""
        said = (*self.seen, self.change) if self.change is not None else self.seen
        return {
            "what": self.what.value,
            "grade": self.grade.value,
            "measured": self.measured,
            "advice": self.advice,
            "code": self.change.code if self.change is not None else "",
            "seen": [message_to_json(message) for message in self.seen],
            "values": {name: value for message in said for name, value in message.params},
        }


def check_table(frames: Sequence[Frame], table: Table, deck: Deck | None) -> list[Finding]:
    """The findings from `frames` (at least one, of a table at rest). Without fiducials only light and flicker can be
    measured.

    If fiducials are invisible because the picture is black or white, that is the only finding.
    """
    greys = [np.asarray(cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY), np.uint8) for frame in frames]
    grey = greys[-1]
    nothing_seen = _nothing_seen(grey)
    findings = [_flicker(greys), *_exposure(frames[-1])]
    size = (grey.shape[1], grey.shape[0])
    if size != table.image_size:
        if nothing_seen is not None:
            return [nothing_seen]
        wanted = table.image_size
        change = Advice.OTHER_RESOLUTION(wanted=f"{wanted[0]} × {wanted[1]}")
        here = Measured.RESOLUTION(width=size[0], height=size[1])
        return [*findings, Finding(Looked.RESOLUTION, Grade.BAD, (here,), change)]
    finder = TablePoseFinder(table)
    seen = next((found for found in map(finder.find, reversed(greys)) if found is not None), None)
    if seen is None and nothing_seen is not None:
        return [nothing_seen]
    findings.append(_fiducials(seen, table))
    if seen is None:
        return findings
    findings += [_light(grey, seen), _glare(grey, seen.camera, table), _focus(grey, seen)]
    findings += [_place(seen.camera, table), _scale(seen.camera, deck)]
    return findings


def _graded(value: float, good: float, bad: float) -> Grade:
    """Good up to `good`, bad beyond `bad`; with `good` above `bad` it is the other way round."""
    if good > bad:
        value, good, bad = -value, -good, -bad
    return Grade.GOOD if value <= good else Grade.POOR if value <= bad else Grade.BAD


def check_without_fiducials(frames: Sequence[Frame], dictionary: str) -> list[Finding]:
    """What `frames` say where the camera's pose cannot be known: light that flickers, and which fiducials are seen."""
    greys = [np.asarray(cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY), np.uint8) for frame in frames]
    seen = sorted({marker.id for marker in find_markers(greys[-1], dictionary)})
    nothing_seen = _nothing_seen(greys[-1])
    if not seen and nothing_seen is not None:
        return [nothing_seen]
    listed = ", ".join(str(number) for number in seen) or "–"
    found = Measured.FIDUCIALS_LISTED(found=len(seen), listed=listed)
    few = Finding(Looked.FIDUCIALS, Grade.BAD, (found,), Advice.LAY_FIDUCIALS())
    return [_flicker(greys), *_exposure(frames[-1]), few]


def _finding(what: Looked, grade: Grade, seen: Message, change: Message) -> Finding:
    """A finding with what to change unless it is good."""
    return Finding(what, grade, (seen,), change if grade is not Grade.GOOD else None)


def _nothing_seen(grey: NDArray[np.uint8]) -> Finding | None:
    """The finding that the picture is black or white, or nearly so; None if fiducials are visible all the same."""
    sample = grey[::4, ::4]
    brightest, middle = float(np.quantile(sample, BRIGHTEST_SHARE)), float(np.median(sample))
    if brightest < DARK_LEVEL:
        black = Measured.PICTURE_BLACK(level=round(brightest))
        return Finding(Looked.LIGHT, Grade.BAD, (black,), Advice.PICTURE_BLACK())
    if middle >= BURNT_LEVEL:
        return Finding(Looked.LIGHT, Grade.BAD, (Measured.PICTURE_WHITE(level=round(middle)),), Advice.PICTURE_WHITE())
    return None


def _flicker(greys: Sequence[NDArray[np.uint8]]) -> Finding:
    levels = np.array([grey[::8, ::8].mean() for grey in greys])
    swing = float(levels.std() / max(levels.mean(), 1.0))
    seen = Measured.FLICKER(percent=round(100 * swing, 1))
    return _finding(Looked.FLICKER, _graded(swing, STEADY, FLICKERING), seen, Advice.STEADY_LAMP())


def _exposure(frame: Frame) -> list[Finding]:
    exposure_us = frame.metadata.get("ExposureTime")
    if exposure_us is None:  # most USB cameras and all files keep it to themselves
        return []
    ms = float(exposure_us) / 1000.0
    grade = _graded(ms, SHORT_EXPOSURE_MS, LONG_EXPOSURE_MS)
    return [_finding(Looked.MOTION_BLUR, grade, Measured.MOTION_BLUR(ms=round(ms, 1)), Advice.SHORTER_EXPOSURE())]


def _fiducials(seen: SeenTable | None, table: Table) -> Finding:
    wanted = set(table.fiducials.centres_mm)
    got = set() if seen is None else set(seen.pose.fiducials)
    missing = ", ".join(str(number) for number in sorted(wanted - got))
    if seen is None:
        return Finding(Looked.FIDUCIALS, Grade.BAD, (Measured.FIDUCIALS_HIDDEN(),), Advice.FIDUCIALS_HIDDEN())
    off_px = seen.pose.reprojection_px
    measured = Measured.FIDUCIALS(found=len(got), wanted=len(wanted), off=round(off_px, 2))
    if wanted != got:
        grade = Grade.POOR if len(got) > 2 else Grade.BAD
        return Finding(Looked.FIDUCIALS, grade, (measured,), Advice.UNCOVER_FIDUCIALS(missing=missing))
    grade = _graded(off_px, GOOD_REPROJECTION_PX, BAD_REPROJECTION_PX)
    return _finding(Looked.FIDUCIALS, grade, measured, Advice.FIDUCIALS_MOVED())


def _light(grey: NDArray[np.uint8], seen: SeenTable) -> Finding:
    """The level of the fiducials' white, which is the same paper on every table."""
    whites = []
    for outline in seen.fiducial_outlines_px:
        mask = np.zeros(grey.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 255)
        if mask.any():
            whites.append(float(np.percentile(grey[mask > 0], 90)))
    if not whites:
        return Finding(Looked.LIGHT, Grade.BAD, (Measured.NOTHING_TO_MEASURE_BY(),), Advice.FIDUCIALS_INTO_VIEW())
    darkest, brightest = min(whites), max(whites)
    measured = Measured.LIGHT(darkest=round(darkest), brightest=round(brightest))
    if brightest >= BURNT_LEVEL:
        return Finding(Looked.LIGHT, Grade.POOR, (measured,), Advice.BURNT_OUT())
    if darkest < 0.5 * brightest:
        return Finding(Looked.LIGHT, Grade.POOR, (measured,), Advice.UNEVEN_LIGHT())
    return _finding(Looked.LIGHT, _graded(darkest, DIM_LEVEL, DARK_LEVEL), measured, Advice.MORE_LIGHT())


def _glare(grey: NDArray[np.uint8], camera: Camera, table: Table) -> Finding:
    half_x, half_y = (side / 2 for side in table.arena.inner_mm)
    corners = np.array([[-half_x, half_y, 0], [half_x, half_y, 0], [half_x, -half_y, 0], [-half_x, -half_y, 0]])
    mask = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(camera.project(corners)).astype(np.int32), 255)
    inside = grey[mask > 0]
    share = float((inside >= GLARE_LEVEL).mean()) if len(inside) else 0.0
    seen = Measured.GLARE(percent=round(100 * share, 1))
    return _finding(Looked.GLARE, _graded(share, LITTLE_GLARE, MUCH_GLARE), seen, Advice.LAMP_ASIDE())


def _focus(grey: NDArray[np.uint8], seen: SeenTable) -> Finding:
    widths = [width for outline in seen.fiducial_outlines_px for width in edge_widths_px(grey, outline)]
    if not widths:
        return Finding(Looked.FOCUS, Grade.POOR, (Measured.NOTHING_TO_MEASURE_BY(),), Advice.FIDUCIALS_INTO_VIEW())
    width = float(np.median(widths))
    grade = _graded(width, SHARP_PX, BLURRED_PX)
    return _finding(Looked.FOCUS, grade, Measured.FOCUS(px=round(width, 1)), Advice.FOCUS_LENS())


def edge_widths_px(grey: NDArray[np.uint8], outline_px: Array) -> list[float]:
    """The widths, a tenth to nine tenths, of the steps from a fiducial's rim to its border, one for each side."""
    centre = outline_px.mean(axis=0)
    widths = []
    for start, end in zip(outline_px, np.roll(outline_px, -1, axis=0), strict=True):
        middle = (start + end) / 2
        depth = np.linspace(0.0, 0.36, 60)  # from the rim's outside into the black border, towards the centre
        along = np.linspace(-0.25, 0.25, 9)
        points = middle + along[:, None, None] * (end - start) + depth[None, :, None] * (centre - middle)
        if points.min() < 0 or (points.reshape(-1, 2).max(axis=0) > np.array(grey.shape[::-1]) - 1).any():
            continue
        at = points.astype(np.float32)
        levels = np.asarray(cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR), np.float64).mean(axis=0)
        swing = float(levels.max() - levels.min())
        step_px = float(np.linalg.norm(centre - middle)) * float(depth[1])
        slope = float(-np.diff(levels).min()) / step_px
        if swing > 20 and slope > 0:
            widths.append(0.8 * swing / slope)
    return widths


def _place(camera: Camera, table: Table) -> Finding:
    x, y, z = (float(v) for v in camera.centre_mm)
    aside = float(np.degrees(np.arctan2(np.hypot(x, y), z)))
    measured = Measured.CAMERA_PLACE(mm=round(z), deg=round(aside))
    half_x, half_y = (side / 2 + table.arena.wall_thickness_mm for side in table.arena.inner_mm)
    rim = np.array([[sx * half_x, sy * half_y, table.arena.wall_height_mm] for sx in (-1, 1) for sy in (-1, 1)])
    pixels = camera.project(rim)
    if (pixels < 0).any() or (pixels > np.array(table.image_size) - 1).any():
        return Finding(Looked.CAMERA, Grade.BAD, (measured,), Advice.ARENA_OUT_OF_VIEW())
    grade = _graded(aside, STEEP_DEG, 1.5 * STEEP_DEG)
    return _finding(Looked.CAMERA, grade, measured, Advice.CAMERA_ASIDE())


def _scale(camera: Camera, deck: Deck | None) -> Finding:
    """Large enough for the deck's markers, or else for the cards' pictures, by which they are known as well."""
    px_mm = camera.px_per_mm(np.zeros(3))
    seen = [Measured.SCALE(px_mm=round(px_mm, 2))]
    markers = [marker.size_mm for card in deck.cards for marker in card.markers] if deck is not None else []
    module = min(markers) / MARKER_MODULES * px_mm if markers else 0.0
    grade = Grade.GOOD if module >= MARKER_MODULE_PX else _graded(px_mm, PLAIN_PX_MM, PLAIN_LEAST_PX_MM)
    if module >= MARKER_MODULE_PX:
        seen.append(Measured.MARKER_SQUARE(module_px=round(module, 1)))
    codes = [card.qr.size_mm for card in deck.cards if card.qr is not None] if deck is not None else []
    qr_module = min(codes) / QR_MODULES * px_mm if codes else 0.0
    if qr_module >= QR_MODULE_PX:
        seen.append(Measured.QR_READABLE(module_px=round(qr_module, 1)))
    return replace(_finding(Looked.SCALE, grade, seen[0], Advice.CLOSER()), seen=tuple(seen))
