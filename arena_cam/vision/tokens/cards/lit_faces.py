"""How a face looks in the light on its card, and what of a patch it leaves unexplained."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.kernels.card_calls import explained_pixels, light_on_card, unexplained_by_faces
from arena_cam.vision.picture.channels import greatest
from arena_cam.vision.printed.print_light import (
    LEAST_PIXELS,
    PLAIN,
    PRIOR,
    PULLS,
    RULES,
    USUAL,
    PrintLight,
    fit_print_light,
    fit_print_lights,
    light_of,
)
from arena_cam.vision.tokens.view.set_prints import CardGrid

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

# Grey levels within which a pixel is as the lit face has it: noise, and what blurred edges are off by.
NOISE, OF_PRINT = 9.0, 30.0
# Of ink, 0..1, how much the usual light leaves unexplained before a veil is thought of. A veil: its offset in
# grey levels (a usual light has up to 20); how much less it must leave unexplained, where a pixel that is UNEXPLAINED
# grey levels off counts as 1; contrast of print that tells of it; gain below which nothing is read.
WORDS_UNREAD = 0.6
LEAST_VEIL, MUCH_LESS, UNEXPLAINED, LEAST_STEP, LEAST_GAIN = 30.0, 0.8, 20.0, 60.0, 0.15
LEAST_TOLD = 8  # pixels of ink
MOST_TINT = 2.2  # a channel over another: up to 2.2 where blue is nearly full; wrong faces asked for 7 and 8
# In the order of the compiled twin.
_FIT_RULES = np.concatenate([USUAL, PULLS, PRIOR, RULES])
_VEIL_RULES = np.array(
    [WORDS_UNREAD, UNEXPLAINED, MUCH_LESS, LEAST_STEP, LEAST_TOLD, MOST_TINT, LEAST_GAIN, LEAST_VEIL], np.float64
)


def tolerance(light: PrintLight) -> float:
    """Grey levels by which a pixel may differ from the lit print and still be explained."""
    gain = float(sum(light.gain[:, 0].tolist())) / 3.0
    return NOISE + OF_PRINT * min(gain, 1.0)  # a dark print may seem lit without measure


def face_costs(
    grid: CardGrid,
    faces: NDArray[np.intp],
    light: PrintLight,
    patch: Grey,
    mask: Mask,
    size_mm: tuple[float, float],
) -> Floats:
    """What each of the faces leaves unexplained of a patch, each pixel counted up to 1."""
    return _costs(grid, faces, (light, tolerance(light)), patch, np.flatnonzero(mask), size_mm)


def _costs(
    grid: CardGrid,
    faces: NDArray[np.intp],
    light: tuple[PrintLight, float],
    patch: Grey,
    at: NDArray[np.intp],
    size_mm: tuple[float, float],
) -> Floats:
    """The same of the pixels with numbers `at` (P,); `light` with the grey levels within which it explains them."""
    compiled = unexplained_by_faces(grid.of_size(size_mm), faces, patch, at, light[0].flat, light[1])
    if compiled is not None:
        return compiled
    rows, columns = np.divmod(at, grid.mask.shape[1])
    xy = np.column_stack([columns + 0.5, rows + 0.5]) / grid.px_per_mm - np.asarray(size_mm) / 2
    lit = light[0].on(grid.faces[faces[:, None], rows, columns], xy[None, :, 0], xy[None, :, 1])
    lit -= patch[rows, columns]
    np.abs(lit, out=lit)
    off = np.maximum(np.maximum(lit[..., 0], lit[..., 1]), lit[..., 2]) * np.float32(1.0 / light[1])
    return np.asarray(np.minimum(off * off, 1.0).sum(axis=1), np.float64)


def kind_costs(
    grid: CardGrid,
    faces: NDArray[np.intp],
    kinds: NDArray[np.intp],
    patch: Grey,
    mask: Mask,
    size_mm: tuple[float, float],
    thinned: tuple[int, int] = (4, 1),
) -> Floats:
    """What each of the faces (N,) leaves unexplained of a patch, in the light that the first of its kind tells. `kinds`
    of all faces (F,); one pixel in so many tells the light, and is compared.

    The kinds differ in their paper. In the light that one kind's paper needs another's looks wrong, so each has its
    own; that a lamp lights all channels nearly alike speaks against paper of another colour.
    """
    lights: dict[int, PrintLight] = {}
    for face, kind in zip(faces.tolist(), kinds[faces].tolist(), strict=True):
        if kind not in lights:
            lights[kind] = face_light(grid, face, patch, mask, size_mm, thinned[0])
    within = max(tolerance(light) for light in lights.values())  # a light that is too strong must not explain more
    at = np.flatnonzero(mask)[:: thinned[1]]
    costs = np.zeros(len(faces))
    for kind, light in lights.items():
        of_kind = kinds[faces] == kind
        costs[of_kind] = _costs(grid, faces[of_kind], (light, within), patch, at, size_mm)
    return costs


def face_light(
    grid: CardGrid,
    face: int,
    patch: Grey,
    mask: Mask,
    size_mm: tuple[float, float],
    thinned: int = 4,
) -> PrintLight:
    """The light on a card of that face, from one pixel in `thinned`, balanced as cameras do: dark print says
    so little of a light's colour that any colour would do.

    A lamp's reflection pales a whole card. Words cover little of it: a fit that leaves out strangers takes them for
    such, and misses the veil. So the middle of the words' pixels is asked, too, where it tells of a veil.
    """
    thinning = thinned, LEAST_PIXELS
    compiled = light_on_card(grid.of_size(size_mm), face, patch, mask, thinning, (_FIT_RULES, _VEIL_RULES))
    if compiled is not None:
        return light_of(compiled[0]) if compiled[1] else PLAIN
    rows, columns = np.nonzero(mask)
    rows, columns = rows[::thinned], columns[::thinned]
    if not len(rows):
        return PLAIN
    xy = np.column_stack([columns + 0.5, rows + 0.5]) / grid.px_per_mm - np.asarray(size_mm) / 2
    prints, seen = grid.faces[face][rows, columns], patch[rows, columns]
    light = fit_print_lights(prints, seen, xy)[1]
    ink = grid.ink[face][rows, columns]
    off = _unexplained(light, prints, seen, xy)
    veil = _veil(prints, seen, ink) if ink.any() and off[ink].mean() > WORDS_UNREAD else None
    if veil is None:
        return light
    veiled = fit_print_light(prints, seen, xy, veil)
    return veiled if _unexplained(veiled, prints, seen, xy).mean() < MUCH_LESS * off.mean() else light


def _veil(prints: Grey, seen: Grey, ink: Mask) -> Floats | None:
    """Gain and offset (3, 2) as most pixels of ink tell them against paper; None if they tell of no veil."""
    if ink.all():
        return None
    paper, seen_paper = np.median(prints[~ink], axis=0), np.median(seen[~ink], axis=0)
    step, seen_step = paper - prints[ink], seen_paper - seen[ink]
    told = np.abs(step) > LEAST_STEP  # light ink on dark paper tells as much
    if (told.sum(axis=0) < LEAST_TOLD).any():
        return None
    gain = np.array([np.median(seen_step[told[:, c], c] / step[told[:, c], c]) for c in range(3)])
    offset = seen_paper - gain * paper
    white = gain.max() < MOST_TINT * gain.min()
    return np.column_stack([gain, offset]) if white and gain.min() > LEAST_GAIN and offset.min() > LEAST_VEIL else None


def _unexplained(light: PrintLight, prints: Grey, seen: Grey, xy_mm: Floats) -> Grey:
    """(N,): what that light leaves unexplained of each pixel, 0..1."""
    off = greatest(np.abs(light.on(prints, xy_mm[:, 0], xy_mm[:, 1]) - seen)) / UNEXPLAINED
    return np.asarray(np.minimum(off * off, 1.0), np.float32)


def lit_face(grid: CardGrid, face: int, light: PrintLight, size_mm: tuple[float, float]) -> Grey:
    """How that face looks in that light, (h, w, 3)."""
    height, width = grid.mask.shape
    x = (np.arange(width) + 0.5) / grid.px_per_mm - size_mm[0] / 2
    y = (np.arange(height) + 0.5) / grid.px_per_mm - size_mm[1] / 2
    return light.on(grid.faces[face], np.asarray(x[None], np.float64), np.asarray(y[:, None], np.float64))


def lit_at(grid: CardGrid, face: int, light: PrintLight, size_mm: tuple[float, float], cells: NDArray[np.intp]) -> Grey:
    """The same at some columns and rows (N, 2) alone, (N, 3)."""
    x, y = ((cells + 0.5) / grid.px_per_mm - np.asarray(size_mm) / 2).T
    return light.on(grid.faces[face][cells[:, 1], cells[:, 0]], x, y)


def explained(
    grid: CardGrid, face: int, light: PrintLight, patch: Grey, mask: Mask, size_mm: tuple[float, float]
) -> tuple[Mask, NDArray[np.int64]]:
    """Where (h, w) that face in that light explains a patch, of what of it is open, `mask`; and how many pixels are
    explained, of these how many with ink, how many are open, of these how many with ink (4,)."""
    within = tolerance(light)
    compiled = explained_pixels(grid.of_size(size_mm), face, patch, mask, light.flat, within)
    if compiled is not None:
        return compiled
    is_so = (greatest(np.abs(lit_face(grid, face, light, size_mm) - patch)) < within) & mask
    parts = (is_so, is_so & grid.ink[face], mask, grid.ink[face] & mask)
    return is_so, np.array([np.count_nonzero(part) for part in parts])
