"""What cards of a deck have in common, paper, frames, backgrounds, looks the same on all of them.

Two photographs of the same print differ: the lamp's gloss lies elsewhere, light falls off otherwise, the sensor adds
its noise. On white paper that is little. Of a dark or brown deck it is as much as its figures, and a game that asked
which face lies there was told so by gloss. But print that is the same on many cards tells what light did to each
photograph: a gain and a haze that vary slowly over the card (`in_one_light`). What is left of a difference there is
noise, and the print that most cards show is each one's (`with_common_print`). What a card has for itself stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.vision.picture.channels import greatest
from arena_cam.vision.picture.linear_light import Linear, linear_light, srgb
from arena_cam.vision.picture.robust import median_picture

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

# The least share of a card that agrees with another of the same background, lit otherwise: a frame alone is less.
_SHARED = 0.3
_FEWEST = 4  # faces, of which most can show what they have in common
_PX_MM, _COARSE_PX_MM = 4 / 3, 1 / 2  # of the pictures by which light is compared, and likeness
_RIM_MM = 1.5  # at a card's edge its photograph shows what lies round it, too
# Rounds: from how much two photographs may differ in the eye's measure (0 black, 1 white), over what distance light is
# taken to be even (standard deviation, mm), and with how many of the faces most like it a face is compared. First with
# all, then with those that share most; first with light that falls off over the table, at last with gloss.
_ROUNDS = ((0.12, 60.0, 199), (0.10, 40.0, 199), (0.08, 40.0, 9), (0.06, 25.0, 9), (0.06, 12.0, 9), (0.05, 12.0, 9))
# How much a gain, as a share, and a haze, of full light, are off between photographs (standard deviations): of a deck
# photographed by hand on felt gains differed by 0.04 to 0.09, hazes by 0.02 to 0.03.
_GAIN_SD, _HAZE_SD = 0.12, 0.05
# And at most: a gain two standard deviations off, what is more is the cards' own, as of a deck whose values are shades;
# a haze as of a lamp's reflection, which lay on one card of fifty and was 0.15 there.
_MOST_GAIN, _MOST_HAZE = (0.76, 1.24), 0.2
_BEYOND = 2.0  # times what photographs may differ by, and it is not the same print
_NOISE, _INDEPENDENT = 0.03, 100.0  # of the eye's measure; points within reach that have a say of their own
_LEAST_LIGHT = 0.01  # below it the eye's measure is noise
# Grey levels by which two photographs of the same print may differ, seen softly (standard deviation, px): misplaced by
# 0.04 mm, unevenly lit still. Of a black deck with thin gold lines 53 of 58 cards were named with 8 levels, 54 with 11.
_SAME, _SOFTLY_PX, _REACH_PX = 11.5, 2.0, 5
# Light beside a figure goes on into it over some millimetres (standard deviation, px), less where little is the same.
_BESIDE_PX, _COARSER, _FAR_FROM_SAME = 24.0, 4, 0.05
# Of what differs by less than twice what noise does, the least share that differs by less than once. The same print in
# one light does on 97 to 100 %, brown paper with a grain of its own on 90 to 97 %. A plain grey back beside faces of a
# grey that falls off does on 67 %, clouds at dusk, a cloud of its own on each card, on 62 to 81 %: near by chance.
_LEAST_SAME = 0.85
# And that of one photograph among such: one brown card of 50, under the lamp's reflection, had 0.83, plain backs 0.7.
_LIT_WORSE = 0.77
_MOST_SHOW = 2 / 3  # of the faces; where three in ten have a figure, the median has its glow


def _to_nobody(_share: float) -> None:
    """Hears how far the work is."""


def in_one_light(faces: Sequence[Image], px_per_mm: float, tell: Callable[[float], None] = _to_nobody) -> list[Image]:
    """Faces (H, W, 3) of one size, each in the light of those it shares print with; `tell` hears how far it is, from 0
    to 1."""
    if len(faces) < _FEWEST:
        return list(faces)
    seen = _small(faces, px_per_mm)
    shown, gains, hazes = seen.copy(), np.ones_like(seen), np.zeros_like(seen)
    within = _within(shown.shape[1], shown.shape[2])
    for number, (differ, even_mm, most) in enumerate(_ROUNDS):
        tell(number / len(_ROUNDS))
        like = most_like(shown, most, differ)
        hues = _hue(shown)
        asked = [near if len(near) else [k] for k, near in enumerate(like)]
        middles = [_middle(shown[each], hues[each], differ) for each in asked]
        for k, (middle, most_show) in enumerate(middles):
            gain, haze = _light(shown[k], middle, within * most_show, differ, even_mm)
            gains[k] = (gains[k] * gain).clip(*_MOST_GAIN)
            hazes[k] = (hazes[k] * gain + haze).clip(-_MOST_HAZE, _MOST_HAZE)
            shown[k] = np.maximum(seen[k] * gains[k] + hazes[k], 0.0)
    whole = (faces[0].shape[1], faces[0].shape[0])
    lit = _told(shown, within)
    return [
        face
        if not told
        else srgb(np.asarray(linear_light(face) * cv2.resize(gain, whole) + cv2.resize(haze, whole), np.float32))
        for face, gain, haze, told in zip(faces, gains, hazes, lit, strict=True)
    ]


def _middle(shown: Floats, hues: Floats, differ: float) -> tuple[Floats, NDArray[np.bool_]]:
    """The median (H, W, 3) of pictures (N, H, W, 3) of such hues, and where (H, W) most have its own, which no light of
    a room takes away: where bands are in each card's colour the median is a brown that none has, and tells no light."""
    middle = median_picture(shown)
    off = greatest(np.abs(hues - _hue(middle)))
    return middle, np.asarray((off < differ).mean(axis=0) >= _MOST_SHOW, np.bool_)


def _hue(light: Floats) -> Floats:
    """What the three colours of light are off their mean, as an eye sees them."""
    seen = _eye(light)
    return np.asarray(seen - seen.mean(axis=-1, keepdims=True), np.float32)


def _told(shown: Floats, within: Floats) -> list[bool]:
    """Whether each of the pictures `shown` (N, H, W, 3) has print in common with those most like it, which its light
    was told by: dark clouds, a cloud of its own on each card, are like one another, too, in some light. A photograph
    that is lit worse than most of those is told by their print, too."""
    differ, _, most = _ROUNDS[-1]
    like, same = most_like(shown, most, differ), []
    for face, near in zip(shown, like, strict=True):
        others = median_picture(shown[near]) if len(near) else np.full_like(face, np.inf)
        off = greatest(np.abs(_eye(face) - _eye(others)))[within > 0.0]
        same.append(_share_the_same(np.asarray(off, np.float32), _NOISE))
    shares = np.array(same)
    plain = shares >= _LEAST_SAME
    return [
        bool(share >= _LEAST_SAME or (share >= _LIT_WORSE and len(near) and plain[near].mean() > 0.5))
        for share, near in zip(shares, like, strict=True)
    ]


def _share_the_same(off: NDArray[Any], same: float) -> float:
    """Of what differs by less than twice as much as the `same` print may, the share that differs by less than once.
    Pictures that differ so much (N,) have print in common, or are near one another by chance."""
    near = np.count_nonzero(off < 2.0 * same)
    return np.count_nonzero(off < same) / near if near else 0.0


def most_like(shown: Floats, most: int, differ: float) -> list[NDArray[np.intp]]:
    """For each of the pictures `shown` (N, H, W, 3) in linear light the numbers of up to `most` that agree with it in
    the greatest part, the best first: where they differ by less than `differ` of the eye's measure. Such as agree in
    little have another background, and are none."""
    eye = _coarsely(shown)
    shares = np.stack([agreement(eye, picture, differ) for picture in eye])
    np.fill_diagonal(shares, -1.0)
    best = np.argsort(-shares, axis=1, kind="stable")[:, :most]
    return [near[share[near] >= _SHARED] for near, share in zip(best, shares, strict=True)]


def in_eye_measure(faces: Sequence[Image], px_per_mm: float) -> Floats:
    """Faces (N, H, W, 3) in the eye's measure, as coarsely as likeness is asked for."""
    return _coarsely(_small(faces, px_per_mm))


def _coarsely(shown: Floats) -> Floats:
    """Pictures (N, H, W, 3) in linear light as `in_eye_measure` has them."""
    height, width = shown.shape[1:3]
    size = max(4, round(width / _PX_MM * _COARSE_PX_MM)), max(4, round(height / _PX_MM * _COARSE_PX_MM))
    return np.asarray([_eye(cv2.resize(picture, size, interpolation=cv2.INTER_AREA)) for picture in shown], np.float32)


def agreement(eyes: Floats, eye: Floats, differ: float) -> Floats:
    """The shares (N,) in which pictures (N, H, W, 3) in the eye's measure agree with another: differ by less than
    `differ`."""
    return np.asarray(_agree(eyes, eye, differ).mean(axis=(1, 2)), np.float32)


def _eye(light: Linear) -> Floats:
    """Linear light in the eye's measure, in which noise is about even: its square root."""
    return np.asarray(np.sqrt(np.maximum(light, 0.0)), np.float32)


def _agree(eyes: Floats, eye: Floats, differ: float) -> Floats:
    """How far pictures (..., H, W, 3) in the eye's measure agree with another, (..., H, W) from 0 to 1: Tukey's
    biweight. What differs by more is another print, and must not pull at all: there may be much of it."""
    off2 = (greatest(np.abs(eyes - eye)) / (_BEYOND * differ)) ** 2
    return np.asarray(np.maximum(1.0 - off2, 0.0) ** 2, np.float32)


def _small(faces: Sequence[Image], px_per_mm: float) -> Floats:
    """The faces (N, h, w, 3) in linear light, as finely as light is compared."""
    width, height = (round(side / px_per_mm * _PX_MM) for side in faces[0].shape[1::-1])
    small = [cv2.resize(linear_light(face), (width, height), interpolation=cv2.INTER_AREA) for face in faces]
    return np.asarray(small, np.float32)


def _within(height: int, width: int) -> Floats:
    """A picture (H, W): 1, and 0 at the card's rim."""
    rim = round(_RIM_MM * _PX_MM)
    within = np.zeros((height, width), np.float32)
    within[rim:-rim, rim:-rim] = 1.0
    return within


def _light(face: Floats, others: Floats, within: Floats, differ: float, even_mm: float) -> tuple[Floats, Floats]:
    """The gain and the haze (H, W, 3) by which a face looks as the `others` do where they agree: round each point the
    least squares of what lies near, in the eye's measure, held to no change by how much light differs at all."""
    agree = (within * _agree(_eye(face), _eye(others), differ))[:, :, None]
    weight = agree / (4.0 * np.maximum(others, _LEAST_LIGHT))  # a step of light in the eye's measure, squared
    left = others - face

    sums = (weight * face * face, weight * face, weight, weight * face * left, weight * left)
    of_gain, of_both, of_haze, by_gain, by_haze = softened(sums, even_mm * _PX_MM)
    held = _NOISE**2 / _INDEPENDENT
    of_gain, of_haze = of_gain + held / _GAIN_SD**2, of_haze + held / _HAZE_SD**2
    both = of_gain * of_haze - of_both * of_both
    gain = (of_haze * by_gain - of_both * by_haze) / both
    return np.asarray(1.0 + gain, np.float32), np.asarray((of_gain * by_haze - of_both * by_gain) / both, np.float32)


def softened(pictures: Sequence[NDArray[Any]], sd_px: float) -> Floats:
    """Pictures (H, W, 3), each seen as softly as a Gaussian makes it, (N, H, W, 3).

    It reaches over the whole picture, so that two products of matrices are sooner there than OpenCV: in a tenth of its
    time for 117 x 84 pixels and a standard deviation of 80.
    """
    height, width = pictures[0].shape[:2]
    layers = np.concatenate([np.moveaxis(picture, 2, 0) for picture in pictures])
    soft = _gaussian(height, sd_px) @ layers @ _gaussian(width, sd_px).T
    return np.asarray(np.moveaxis(soft.reshape(len(pictures), 3, height, width), 1, 3), np.float32)


@lru_cache(maxsize=8)
def _gaussian(size: int, sd_px: float) -> Floats:
    """The matrix (N, N) that softens N points in a row, mirrored at both ends."""
    taps = round(8.0 * sd_px + 1.0) | 1  # of OpenCV's own for floating point
    return np.asarray(cv2.GaussianBlur(np.eye(size, dtype=np.float32), (1, taps), 0.0, sigmaY=sd_px), np.float32)


def with_common_print(
    faces: Sequence[Image], px_per_mm: float, tell: Callable[[float], None] = _to_nobody
) -> list[Image]:
    """Faces (H, W, 3) in one light, each with the print that most of the deck shows where it shows that, too, else with
    that of the faces most like it; with its own where it has its own. `tell` hears how far it is, from 0 to 1."""
    if len(faces) < _FEWEST:
        return list(faces)
    like = most_like(_small(faces, px_per_mm), _ROUNDS[-1][2], _ROUNDS[-1][0])
    soft = [np.asarray(cv2.GaussianBlur(face, (0, 0), _SOFTLY_PX), np.uint8) for face in faces]
    decks = _common(faces, soft)
    out = []
    for k, near in enumerate(like):
        tell(k / len(faces))
        own = np.asarray(faces[k], np.float32)
        if len(near):
            own = _shared(own, soft[k], _common([faces[number] for number in near], [soft[number] for number in near]))
        out.append(np.asarray(np.round(_shared(own, soft[k], decks)), np.uint8))
    return out


@dataclass(frozen=True, eq=False)
class _Common:
    """What faces have in common: `middle` (H, W, 3) is their median, `soft` the same seen softly, and `most` (H, W)
    says where most of them show it. Where each has a figure of its own the median is none of them."""

    middle: Floats
    soft: Image
    most: NDArray[np.bool_]


def _common(faces: Sequence[Image], soft: Sequence[Image]) -> _Common:
    """What faces (H, W, 3) have in common, given the same seen softly."""
    middle = median_picture(faces)
    softly = np.asarray(cv2.GaussianBlur(middle, (0, 0), _SOFTLY_PX).round(), np.uint8)
    showing = np.zeros(middle.shape[:2], np.uint16)
    for face in soft:
        showing += _off(face, softly) < _SAME
    return _Common(middle, softly, showing >= _MOST_SHOW * len(soft))


def _off(soft: Image, other: Image) -> Image:
    """By how many grey levels two faces differ (H, W), seen softly, in the colour in which they differ most."""
    return greatest(np.asarray(cv2.absdiff(soft, other), np.uint8))


def _shared(face: Floats, soft: Image, common: _Common) -> Floats:
    """The face (H, W, 3) with the `common` print where its own, seen softly, is the same; as it is if that is like the
    others only by chance."""
    off = _off(soft, common.soft)
    if _share_the_same(off, _SAME) < _LEAST_SAME:
        return face
    apart = np.where(common.most, off, 255).astype(np.float32)
    apart = np.asarray(cv2.dilate(apart, np.ones((_REACH_PX, _REACH_PX), np.uint8)), np.float32)
    own = cv2.GaussianBlur(np.clip(apart / _SAME - 1.0, 0.0, 1.0), (0, 0), 0.75 * _SOFTLY_PX)
    lit = _lit_as_beside(face, common.middle, 1.0 - own)
    return np.asarray(common.middle + own[:, :, None] * (lit - common.middle), np.float32)


def _lit_as_beside(face: Floats, middle: Floats, same: Floats) -> Floats:
    """The face (H, W, 3) in the light of the `middle`: what they differ by where they show the `same` print (H, W), 0
    to 1, goes on into a figure beside. Left in, it rings the figure with darker or brighter ground. It is a haze, the
    same on any print, or a gain, more on brighter print: of the two the one that changes a figure less is taken."""
    whole = (face.shape[1], face.shape[0])
    size = whole[0] // _COARSER, whole[1] // _COARSER
    left = (middle - face) * _of_levels(_A_LEVEL, middle)
    weight = _beside(np.repeat(same[:, :, None], 3, 2), size) + np.float32(_FAR_FROM_SAME)
    haze, ground = (
        np.asarray(cv2.resize(_beside(picture * same[:, :, None], size) / weight, whole), np.float32)
        for picture in (left, _of_levels(_LIGHT, middle))
    )
    light = _of_levels(_LIGHT, face)
    change = haze * np.minimum(light / np.maximum(ground, _LEAST_LIGHT), 1.0)
    return np.asarray((face + change / _of_levels(_A_LEVEL, face)).clip(0.0, 255.0), np.float32)


def _beside(picture: Floats, size_px: tuple[int, int]) -> Floats:
    """A picture (H, W, 3) made smaller, and so soft that what is beside a figure reaches into it."""
    small = cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), _BESIDE_PX / _COARSER), np.float32)


# The linear light of each grey level, and how much more one level is.
_LIGHT = linear_light(np.arange(256, dtype=np.uint8))
_A_LEVEL = np.asarray(np.gradient(_LIGHT), np.float32)


def _of_levels(table: Floats, picture: Floats) -> Floats:
    """What a table (256,) has for each value (..., 3) of a picture."""
    return np.asarray(table[picture.astype(np.uint8)], np.float32)
