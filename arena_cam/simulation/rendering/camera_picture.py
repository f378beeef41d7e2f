"""From a scene to the picture that the camera delivers: lens blur, vignetting, tone curve, sensor noise."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.table import Fiducials
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.rendering.background import STRIP_ROWS, Surfaces, background_of
from arena_cam.simulation.rendering.plates import Box, Painter, Plate

Image8 = NDArray[np.uint8]
Image32 = NDArray[np.float32]

TONE_STEPS = 4096
TONE_TOP = 1.25  # linear light above full scale that the tone table still tells apart
NOISE_PICTURES = 6  # different noise to pick from; each is also shifted at random
NOISE_MARGIN_PX = 24
NO_NOISE = 128.0  # what the pictures of noise hold where it is none: bytes alike are added twice as fast
POST_MARGIN_PX = 6  # blur and sharpening reach no further


class Renderer:
    """One camera over one empty table. `still` is the linear picture of everything that does not move.

    The still part is kept; what moves is drawn into a copy and only the pixels that changed are developed again, which
    is what makes it quick enough to be live.
    """

    def __init__(
        self,
        camera: Camera,
        size_px: tuple[int, int],
        surfaces: Surfaces,
        fiducials: Fiducials | None,
        *,
        supersample: int = 2,
        fiducials_turned_deg: float = 0.0,
    ) -> None:
        look = surfaces.look
        self.camera, self.size_px, self.look = camera, size_px, look
        background = background_of(camera, size_px, surfaces, supersample)
        self.painter = Painter(camera, size_px, surfaces.arena, surfaces.light, background.ground)
        self._background = background.linear  # shared by all who look at this table: never drawn into
        self.still = background.linear.copy()
        self._printed: list[tuple[Box, Image32]] = []
        if fiducials is not None:
            for number, centre in fiducials.centres_mm.items():
                plate = marker_plate(fiducials.dictionary, number, fiducials.size_mm, look.gloss)
                pose = CardPose.flat(*centre, fiducials_turned_deg, fiducials.z_mm)
                box = self.painter.draw(self.still, plate, pose, behind_tray=True)
                self._printed.append((box, self.still[box.slices()].copy()))
        self._make_sensor()
        self._scratch = self.still.copy()
        self._dirty: Box | None = None
        self._developed = self._all_developed()

    def _make_sensor(self) -> None:
        """What develops light into pictures: gains, tone curve and noise, of the look and the size alone."""
        self._plain_gain = self._gains()
        self._gain = self._plain_gain
        self._tone = self._tone_table()
        self._noise, drawn_from = noise_bank(self.look.seed + 1, self.look.noise, self.size_px)
        self._noise_rng = np.random.default_rng()
        self._noise_rng.bit_generator.state = drawn_from

    def clear(self) -> None:
        """Takes everything off the table."""
        self.clear_still()
        self.settle()

    def clear_still(self) -> None:
        """Takes everything off the table; call `settle` when what lies there is laid again."""
        np.copyto(self.still, self._background)
        for box, fiducial in self._printed:
            self.still[box.slices()] = fiducial

    def side_light(self, gain: float) -> None:
        """Brightens (`gain` > 1) or darkens the picture's right-hand side, fading to nothing on the left."""
        ramp = np.linspace(0.0, 1.0, self.size_px[0], dtype=np.float32)[None, :, None]
        self._gain = self._plain_gain * (1.0 + (gain - 1.0) * ramp)

    def shade_across(
        self,
        rng: np.random.Generator,
        *,
        dark: tuple[float, float] = (0.35, 0.75),
        soft_px: tuple[float, float] = (3.0, 40.0),
    ) -> None:
        """Casts the shadow of somebody who stands in one lamp's way: a soft edge across everything at rest.

        `dark` bounds the share of light left in the shadow, `soft_px` the edge's width; where the edge runs is drawn
        from `rng` too. Call `settle` afterwards.
        """
        width, height = self.size_px
        way = rng.uniform(0, 2 * np.pi)
        x, y = np.meshgrid(np.arange(width), np.arange(height))
        across = (x - width * rng.uniform(0.3, 0.7)) * np.cos(way) + (y - height * rng.uniform(0.3, 0.7)) * np.sin(way)
        left, soft = rng.uniform(*dark), rng.uniform(*soft_px)
        share = 1.0 - (1.0 - left) / (1.0 + np.exp(-np.clip(across / soft, -30, 30)))
        self.still *= share[:, :, None].astype(np.float32)

    def lay(self, plate: Plate, pose: CardPose, *, outside: bool = False) -> Box:
        """Adds a plate to what does not move; call `settle` after the last one. Returns what changed."""
        shaded = self.painter.cast(self.still, plate, pose)
        return shaded.joined(self.painter.draw(self.still, plate, pose, behind_tray=outside))

    def settle(self, changed: Box | None = None) -> None:
        """Develops the still part anew, or only where it `changed`."""
        np.copyto(self._scratch, self.still)
        self._dirty = None
        if changed is None:
            self._developed = self._all_developed()
        else:
            self._developed = self._developed.copy()
            self._develop_into(self._developed, self.still, changed)

    def scratch(self) -> Image32:
        """A linear copy of the still part to draw moving things into, for `picture`."""
        if self._dirty is not None:
            part = self._dirty.slices()
            self._scratch[part] = self.still[part]
            self._dirty = None
        return self._scratch

    def picture(self, changed: Box | None = None, *, noise: bool = True) -> Image8:
        """The camera's picture (h, w, 3): the still part, and the scratch where `changed`."""
        out = self._developed
        if changed is not None and not changed.empty:
            out = out.copy()
            self._dirty = changed
            self._develop_into(out, self._scratch, changed)
        return self.noisy(out) if noise else out.copy()

    def _develop_into(self, picture: Image8, linear: Image32, changed: Box) -> None:
        """Develops a box, with a margin that blur and sharpening need, into the picture."""
        if changed.empty:
            return
        wide = changed.grown(POST_MARGIN_PX, self.size_px)
        part = self.develop(linear, wide)
        inner = changed.grown(POST_MARGIN_PX // 2, self.size_px)
        y, x = inner.y0 - wide.y0, inner.x0 - wide.x0
        picture[inner.slices()] = part[y : y + inner.y1 - inner.y0, x : x + inner.x1 - inner.x0]

    def _all_developed(self) -> Image8:
        """The still part as `develop` gives it, in strips: the whole at once would take five times its memory."""
        width, height = self.size_px
        out = np.empty((height, width, 3), np.uint8)
        for top in range(0, height, STRIP_ROWS):
            rows = Box(0, top, width, min(top + STRIP_ROWS, height))
            wide = rows.grown(2 * POST_MARGIN_PX, self.size_px)
            out[rows.slices()] = self.develop(self.still, wide)[rows.y0 - wide.y0 : rows.y1 - wide.y0]
        return out

    def develop(self, linear: Image32, box: Box | None = None) -> Image8:
        """The 8-bit picture of (a part of) a linear one, without noise."""
        part = (slice(None), slice(None)) if box is None else box.slices()
        light = cv2.multiply(linear[part], self._gain[part])
        light = cv2.GaussianBlur(light, (0, 0), self.look.blur_px)
        steps = np.clip(light * ((TONE_STEPS - 1) / TONE_TOP), 0, TONE_STEPS - 1).astype(np.uint16)
        out = self._tone[steps]
        if self.look.sharpen > 0:
            soft = cv2.GaussianBlur(out, (0, 0), 1.0)
            out = cv2.addWeighted(out, 1.0 + self.look.sharpen, soft, -self.look.sharpen, 0.0)
        return np.asarray(out, np.uint8)

    def noisy(self, picture: Image8) -> Image8:
        """The picture with sensor noise; after the tone curve shot noise is about the same at every level."""
        bank = self._noise[int(self._noise_rng.integers(len(self._noise)))]
        x, y = self._noise_rng.integers(0, NOISE_MARGIN_PX, 2)
        grain = bank[y : y + picture.shape[0], x : x + picture.shape[1]]
        return np.asarray(cv2.addWeighted(picture, 1.0, grain, 1.0, -NO_NOISE), np.uint8)

    def _gains(self) -> Image32:
        """Exposure, white balance and vignetting (cos^4-like, falling by `vignette` into the corners): (h, w, 3)."""
        width, height = self.size_px
        x = (np.arange(width) - (width - 1) / 2) / (width / 2)
        y = (np.arange(height) - (height - 1) / 2) / (width / 2)
        r2 = (x[None, :] ** 2 + y[:, None] ** 2) / (1.0 + (height / width) ** 2)
        falloff = (1.0 - self.look.vignette * r2) * self.look.exposure
        return np.asarray(falloff[:, :, None] * np.array(self.look.white_balance), np.float32)

    def _tone_table(self) -> Image8:
        """Linear steps to 8-bit values: the sRGB curve, a soft shoulder above 0.8, and some contrast."""
        light = np.linspace(0.0, TONE_TOP, TONE_STEPS)
        light = np.where(light > 0.8, 0.8 + 0.2 * np.tanh((light - 0.8) / 0.2), light)
        value = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)
        curve = value * value * (3.0 - 2.0 * value)
        value = value + self.look.contrast * (curve - value)
        return np.clip(np.round(value * 255.0), 0, 255).astype(np.uint8)


@lru_cache(maxsize=2)
def noise_bank(seed: int, noise: float, size_px: tuple[int, int]) -> tuple[tuple[Image8, ...], Mapping[str, Any]]:
    """Pictures (h, w, 3) of sensor noise over NO_NOISE, some of it smeared over neighbours as demosaicing does, and the
    state of the generator that drew them. Those asked for last are kept: a table that starts over does not wait for
    them again."""
    rng = np.random.default_rng(seed)
    width, height = size_px[0] + NOISE_MARGIN_PX, size_px[1] + NOISE_MARGIN_PX
    bank = []
    for _ in range(NOISE_PICTURES):
        grain = rng.standard_normal((height, width, 3), dtype=np.float32)
        grain = 0.6 * grain + 1.4 * cv2.GaussianBlur(grain, (0, 0), 0.8)
        bank.append(np.clip(np.round(grain * (noise / grain.std())) + NO_NOISE, 0, 255).astype(np.uint8))
        bank[-1].setflags(write=False)
    return tuple(bank), rng.bit_generator.state


def marker_plate(dictionary: str, number: int, size_mm: float, gloss: float) -> Plate:
    """A fiducial on white paper with a margin of one module, matt or glossy as the cards are."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    modules = known.markerSize + 2
    module_px = 12
    code = cv2.aruco.generateImageMarker(known, number, modules * module_px)
    paper = cv2.copyMakeBorder(code, module_px, module_px, module_px, module_px, cv2.BORDER_CONSTANT, value=255)
    # Toner reflects about 3 % and paper about 85 %.
    albedo = 0.03 + 0.82 * (paper.astype(np.float32) / 255.0)
    side = size_mm * (modules + 2) / modules
    return Plate(side, side, np.repeat(albedo[:, :, None], 3, axis=2), gloss=gloss * 0.2)
