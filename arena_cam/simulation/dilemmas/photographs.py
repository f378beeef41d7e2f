"""Photographs of laid dilemmas, with exact truth: tokens of some thickness in stacks, glare, shadows, any lens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.dilemma_sets import DilemmaSet
from arena_cam.domain.errors import BadPicture
from arena_cam.domain.table import Arena
from arena_cam.geometry.camera_model import Camera
from arena_cam.geometry.card_pose import CardPose
from arena_cam.simulation.dilemmas.laying import LaidDilemma, LaidPiece, corners_mm
from arena_cam.simulation.messages import SimulatedTrouble
from arena_cam.simulation.rendering.background import Surfaces
from arena_cam.simulation.rendering.camera_picture import Renderer
from arena_cam.simulation.rendering.look import random_look
from arena_cam.simulation.rendering.plates import Plate
from arena_cam.simulation.rendering.scene import looking_down
from arena_cam.simulation.rendering.textures import srgb_to_linear

Image8 = NDArray[np.uint8]
Floats = NDArray[np.float64]

PAPER = 0.88  # what white paper reflects
CARD_MM, TOKEN_MM, SIDES = 0.3, 2.0, (0.15, 0.4, 0.65, 0.9)
KINDS = ("yes", "no", "super_yes", "super_no")
# Of a shot's height: how near it may come, and how far it must go where much lies on the table; of the picture: what is
# left free all round.
NEAREST, FARTHEST, MARGIN = 0.4, 2.0, 0.04


@dataclass(frozen=True)
class Shot:
    """A camera's pose and the print's gloss: tilt from straight down, distance, turn."""

    size_px: tuple[int, int]
    height_mm: float
    tilt_deg: float
    roll_deg: float
    gloss: float
    shade: bool


def random_shot(rng: np.random.Generator, dilemmas: int, size_mm: tuple[float, float] = (63.0, 88.0)) -> Shot:
    """A shot as people take them of cards of that size: near enough that all dilemmas just fit, up to 40 degrees askew,
    any way up."""
    height = (330.0, 480.0, 620.0, 650.0, 700.0, 720.0)[min(dilemmas, 6) - 1] * float(rng.uniform(1.0, 1.25))
    height *= float(np.hypot(*size_mm) / np.hypot(63.0, 88.0))
    gloss = float(rng.choice([0.02, 0.06, 0.12]))
    tilt = float(rng.uniform(0, 40))
    return Shot(
        (1536, 864), height, tilt, float(rng.choice([0.0, 180.0]) + rng.uniform(-25, 25)), gloss, rng.random() < 0.25
    )


class DilemmaPhotographer:
    """Takes photographs of one set's pieces."""

    def __init__(self, dilemma_set: DilemmaSet, rendered_by: type[Renderer] = Renderer) -> None:
        self.set = dilemma_set
        self._rendered_by = rendered_by
        self._size = (dilemma_set.width_mm, dilemma_set.height_mm)
        self._cards = {card.id: _picture(str(card.image)) for card in dilemma_set.cards}
        self._kinds = {card.id: card.kind.value for card in dilemma_set.cards}
        self._discs = {disc.name: disc for disc in (*dilemma_set.tokens, *dilemma_set.owners)}
        self._faces = {name: _picture(str(disc.image)) for name, disc in self._discs.items()}

    def photograph(self, table: Sequence[LaidDilemma], shot: Shot, seed: int) -> tuple[Image8, list[dict[str, Any]]]:
        """The photograph (h, w, 3), and the truth of each dilemma in the picture's pixels."""
        rng = np.random.default_rng([seed, 97])
        camera = _camera(shot, rng)
        nothing = Arena((1.0, 1.0), 0.01, 0.01, 0.0)
        look = random_look(rng, width_px=shot.size_px[0])
        renderer = self._rendered_by(camera, shot.size_px, Surfaces(nothing, look), None)
        truths = [self._lay(renderer, dilemma, shot.gloss) for dilemma in table]
        if shot.shade:
            renderer.shade_across(rng, dark=(0.4, 0.75), soft_px=(5.0, 40.0))
        renderer.settle()
        return renderer.picture(), truths

    def nearer(self, table: Sequence[LaidDilemma], shot: Shot, seed: int) -> Shot:
        """The shot of `photograph` with that seed from as near as all of the table is in the picture."""
        mm = np.concatenate([corners_mm(card.at_mm, self._size) for each in table for card in each.cards])
        discs = [each.owner.at_mm[:2] for each in table if each.owner is not None]
        mm = np.concatenate([mm, np.array(discs).reshape(-1, 2)])
        points = np.column_stack([mm, np.zeros(len(mm))])
        free = MARGIN * np.array(shot.size_px)
        for share in np.arange(NEAREST, FARTHEST, 0.03):
            near = replace(shot, height_mm=shot.height_mm * float(share))
            px = _camera(near, np.random.default_rng([seed, 97])).project(points)
            if ((px > free) & (px < np.array(shot.size_px) - free)).all():
                return near
        return shot

    def _lay(self, renderer: Renderer, dilemma: LaidDilemma, gloss: float) -> dict[str, Any]:
        cards = [self._lay_card(renderer, card, k, gloss) for k, card in enumerate(dilemma.cards)]
        heights: list[float] = []
        tokens = []
        for k, token in enumerate(dilemma.tokens):
            radius = self._discs[token.name].diameter_mm / 2
            under = [
                height
                for height, other in zip(heights, dilemma.tokens, strict=False)
                if np.hypot(token.at_mm[0] - other.at_mm[0], token.at_mm[1] - other.at_mm[1]) < 2 * radius
            ]
            bottom = max(under, default=CARD_MM * len(cards))
            heights.append(bottom + TOKEN_MM)
            shown = LaidPiece(dilemma.hidden_names[k] or token.name, token.at_mm)
            pose = self._lay_disc(renderer, shown, bottom, gloss)
            tokens.append({"kind": token.name, "down": bool(dilemma.hidden_names[k]), "pose": pose, "radius": radius})
        if dilemma.owner is not None:
            self._lay_disc(renderer, dilemma.owner, 0.0, gloss)
        return _truth(dilemma, cards, tokens, renderer.camera)

    def _lay_card(self, renderer: Renderer, card: LaidPiece, layer: int, gloss: float) -> dict[str, Any]:
        pose = CardPose.flat(*card.at_mm, CARD_MM * (layer + 1))
        colour = (srgb_to_linear(self._cards[card.name][:, :, :3]) * PAPER).astype(np.float32)
        plate = Plate(*self._size, colour, corner_radius_mm=self.set.corner_radius_mm, gloss=gloss)
        renderer.lay(plate.reduced(renderer.camera.px_per_mm(pose.centre_mm)), pose)
        corners = renderer.camera.project(pose.corners(*self._size))
        kind = self._kinds[card.name]
        return {"id": card.name, "kind": kind, "corners_px": np.round(corners, 2).tolist(), "washed_out": False}

    def _lay_disc(self, renderer: Renderer, piece: LaidPiece, bottom_mm: float, gloss: float) -> CardPose:
        disc, image = self._discs[piece.name], self._faces[piece.name]
        side = disc.diameter_mm
        alpha = image[:, :, 3].astype(np.float32) / 255.0
        angles = np.arange(24) * np.pi / 12
        outline = side / 2 * np.column_stack([np.cos(angles), np.sin(angles)])
        colour = (srgb_to_linear(np.ascontiguousarray(image[:, :, :3])) * PAPER).astype(np.float32)
        face = Plate(side, side, colour, alpha=alpha, outlines_mm=(outline,), gloss=gloss)
        rim = np.broadcast_to(colour[colour.shape[0] // 2, 2] * 0.8, colour.shape).astype(np.float32)
        edge = Plate(side, side, rim, alpha=alpha, outlines_mm=(outline,))
        top = CardPose.flat(*piece.at_mm, bottom_mm + TOKEN_MM)
        renderer.painter.cast(renderer.still, face, top)
        for share in SIDES:
            _draw(renderer, edge, CardPose.flat(*piece.at_mm, bottom_mm + TOKEN_MM * share))
        _draw(renderer, face, top)
        return top


def _truth(
    dilemma: LaidDilemma, cards: Sequence[dict[str, Any]], tokens: Sequence[Mapping[str, Any]], camera: Camera
) -> dict[str, Any]:
    counts = dict.fromkeys((*KINDS, "hidden"), 0)
    for token in tokens:
        counts["hidden" if token["down"] else token["kind"]] += 1
    listed = []
    for token in tokens:
        rim = token["radius"] * np.array([[np.cos(a), np.sin(a)] for a in np.arange(24) * np.pi / 12])
        px = camera.project(token["pose"].points(rim[:, 0], rim[:, 1]))
        listed.append({"kind": token["kind"], "down": token["down"], "rim_px": px})
    by_kind = {card["kind"]: card["id"] for card in cards}
    middle = np.mean([card["corners_px"] for card in cards], axis=(0, 1))
    return {
        "owner": dilemma.owner.name if dilemma.owner else None,
        **{kind: by_kind.get(kind) for kind in ("positive", "negative", "neutral")},
        "tokens": counts,
        "centre_px": np.round(middle, 2).tolist(),
        "cards": list(cards),
        "token_list": _visible(listed),
    }


def _visible(tokens: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each token with the share of its face that no later one covers."""
    out = []
    for k, token in enumerate(tokens):
        low = token["rim_px"].min(axis=0) - 2
        size = np.ceil(token["rim_px"].max(axis=0) + 2 - low).astype(int)
        mask = np.zeros(size[::-1], np.uint8)
        cv2.fillConvexPoly(mask, np.round(token["rim_px"] - low).astype(np.int32), 1)
        whole = int(mask.sum())
        for above in tokens[k + 1 :]:
            cv2.fillConvexPoly(mask, np.round(above["rim_px"] - low).astype(np.int32), 0)
        middle = np.round(token["rim_px"].mean(axis=0), 2).tolist()
        face = "down" if token["down"] else "up"
        share = round(float(mask.sum()) / max(whole, 1), 3)
        out.append({"kind": token["kind"], "face": face, "centre_px": middle, "visible_fraction": share})
    return out


def _draw(renderer: Renderer, plate: Plate, pose: CardPose) -> None:
    small = plate.reduced(renderer.camera.px_per_mm(pose.centre_mm))
    assert plate.alpha is not None
    size = (small.colour.shape[1], small.colour.shape[0])
    alpha = np.asarray(cv2.resize(plate.alpha, size, interpolation=cv2.INTER_AREA), np.float32)
    small = Plate(plate.width_mm, plate.height_mm, small.colour, 0.0, alpha, plate.outlines_mm, plate.gloss)
    renderer.painter.draw(renderer.still, small, pose)


def _camera(shot: Shot, rng: np.random.Generator) -> Camera:
    long = max(shot.size_px)
    focal = long * float(rng.uniform(0.74, 0.95))
    K = np.array([[focal, 0, (shot.size_px[0] - 1) / 2], [0, focal, (shot.size_px[1] - 1) / 2], [0, 0, 1.0]])
    dist = np.array([rng.uniform(-0.04, 0.04), rng.uniform(-0.02, 0.02), *rng.normal(0, 0.0005, 2), 0.0])
    tilt, way = np.radians(shot.tilt_deg), rng.uniform(0.0, 2.0 * np.pi)
    aside = shot.height_mm * np.sin(tilt) * np.array([np.cos(way), np.sin(way)])
    return looking_down(K, dist, np.array([*aside, shot.height_mm * np.cos(tilt)]), np.zeros(3), shot.roll_deg)


def _picture(file: str) -> Image8:
    image = cv2.imread(file, cv2.IMREAD_UNCHANGED)
    if image is None or image.ndim != 3:
        raise BadPicture(SimulatedTrouble.PRINT_UNREADABLE(), about=file)
    return np.asarray(image, np.uint8)
