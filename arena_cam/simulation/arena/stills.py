"""Single pictures of thrown cards with their truth, as varied as the tables they may be judged on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import CannotDo
from arena_cam.domain.lies import Face, Landing
from arena_cam.formats.table_json import table_to_json
from arena_cam.simulation.arena.throwing import Aim, Ground, PlacedCard, throw
from arena_cam.simulation.arena.truth import covered_by, truth_of
from arena_cam.simulation.rendering.background import Surfaces
from arena_cam.simulation.rendering.camera_picture import Renderer
from arena_cam.simulation.rendering.scene import Scene, random_scene
from arena_cam.simulation.things.faces import Faces
from arena_cam.simulation.things.hands import lay_hand, random_reach

Image8 = NDArray[np.uint8]

# How often a throw ends how in a still, and how often cards come to lie face down.
LANDING_SHARES = ((Landing.FLAT, 0.55), (Landing.DIAGONAL, 0.22), (Landing.EDGE, 0.14), (Landing.BESIDE, 0.09))
FACE_DOWN_SHARE = 0.06
HAND_SHARE = 0.06
BENT_SHARE, BEND_MM = 0.13, (0.4, 3.0)


class StillTable:
    """One table on which any number of stills are made. Building it takes seconds, a still a fraction of one."""

    def __init__(
        self,
        seed: int,
        deck: Deck,
        size_px: tuple[int, int] = (1536, 864),
        gloss: float | None = None,
        rendered_by: type[Renderer] = Renderer,
    ) -> None:
        """`gloss` is how much of the light the cards mirror; None: as much as the table's look says."""
        self.scene: Scene = random_scene(seed, size_px, deck.name)
        self.deck = deck
        table = self.scene.table
        surfaces = Surfaces(table.arena, self.scene.look)
        self.renderer = rendered_by(self.scene.camera, size_px, surfaces, table.fiducials)
        scale = self.scene.camera.px_per_mm(np.zeros(3))
        self.faces = Faces(deck, scale, self.scene.look.gloss if gloss is None else gloss)
        self._seed = seed

    def empty(self) -> Image8:
        """The picture of the empty arena."""
        self.renderer.clear()
        return self.renderer.picture()

    def still(
        self, number: int, *, ambiguous: bool = False, jpeg: bool = True, hand: bool | None = None
    ) -> tuple[Image8, dict[str, Any]]:
        """Picture `number` of this table and its truth. With `ambiguous` one card lies so that people would argue;
        `hand` says whether one reaches in, else chance does."""
        rng = np.random.default_rng([self._seed, 23, number, int(ambiguous)])
        pile = self._bent(self._throw_some(rng, ambiguous), rng)
        self.renderer.clear()
        for placed in pile:
            plate = self.faces.face(placed.card) if placed.face is Face.UP else self.faces.back()
            plate = replace(plate, curl_mm=placed.curl_mm, curl_axis=placed.curl_axis)
            self.renderer.lay(plate, placed.pose, outside=placed.landing is Landing.BESIDE)
        self.renderer.settle()
        by_chance, changed, hidden = rng.random() < HAND_SHARE, None, None
        hand = by_chance if hand is None else hand
        if hand:
            reach = random_reach(rng, self.scene.table.arena)
            changed, hidden = lay_hand(self.renderer, reach)
        picture = self.renderer.picture(changed)
        if jpeg:
            picture = _through_jpeg(picture, int(rng.integers(84, 96)))
        table = self.scene.table
        challenge = pile[0].card if pile[0].landing is Landing.FLAT and pile[0].face is Face.UP else None
        truth = truth_of(pile, self.faces.size, self.scene.camera, table.image_size, challenge, hidden)
        truth |= {"table": "table.json", "deck": self.deck.name, "hand_in_view": hand, "borderline": ambiguous}
        return picture, truth

    def _bent(self, pile: list[PlacedCard], rng: np.random.Generator) -> list[PlacedCard]:
        """Bends some of the cards that nothing lies on: played cards are seldom quite flat."""
        out = list(pile)
        carrying = {k for _, above in covered_by(pile, self.faces.size) for k in above}
        for k, placed in enumerate(pile):
            if rng.random() < BENT_SHARE and k not in carrying and not placed.ambiguous:
                curl = float(rng.uniform(*BEND_MM) * rng.choice([-1.0, 1.0]))
                out[k] = replace(placed, curl_mm=curl, curl_axis=int(rng.integers(2)))
        return out

    def _throw_some(self, rng: np.random.Generator, ambiguous: bool) -> list[PlacedCard]:
        """A challenge card near the middle and up to seven thrown after it, piled up in one still of two."""
        table, size = self.scene.table, self.faces.size
        names = [str(n) for n in rng.permutation([card.id for card in self.deck.cards])]
        count = int(rng.integers(1, 9))
        aim = (float(rng.normal(0.0, 35.0)), float(rng.normal(0.0, 35.0)))
        piled = rng.random() < 0.5
        arguable = int(rng.integers(1, count + 1)) if ambiguous else -1
        # In a picture at 16:9 the table beside the tray is in view for so far.
        half_width = 0.5 * table.image_size[0] / self.scene.camera.px_per_mm(np.zeros(3)) - 25.0
        reach = (half_width, half_width * table.image_size[1] / table.image_size[0])
        clear = np.array(
            [[x, y, 0.72 * table.fiducials.size_mm + 54.0] for x, y in table.fiducials.centres_mm.values()]
        )
        pile: list[PlacedCard] = []
        ground = Ground(pile, size, table.arena, clear, reach)
        for k in range(count + int(ambiguous)):
            wanted = Landing.FLAT if k == 0 else _landing(rng, arguable == k)
            face = Face.DOWN if k > 0 and rng.random() < FACE_DOWN_SHARE else Face.UP
            near = aim if wanted is Landing.FLAT and (piled or k == 0) and rng.random() < 0.8 else None
            try:
                pile.append(throw(names[k], face, Aim(wanted, near, ambiguous=arguable == k), ground, rng))
            except CannotDo:
                continue  # this kind of landing has no room left on this table
        return pile


def _landing(rng: np.random.Generator, arguable: bool) -> Landing:
    if arguable:
        return Landing.EDGE
    pick = rng.choice(len(LANDING_SHARES), p=[share for _, share in LANDING_SHARES])
    return LANDING_SHARES[int(pick)][0]


def _through_jpeg(picture: Image8, quality: int) -> Image8:
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def write_set(
    folder: Path,
    seed: int,
    deck: Deck,
    stills: int,
    size_px: tuple[int, int] = (1536, 864),
    *,
    ambiguous: bool = False,
    gloss: float | None = None,
) -> None:
    """Writes table.json, empty.jpg and `stills` pictures still-NN.jpg with still-NN.json beside them; `gloss` as
    `StillTable` takes it."""
    write_stills(folder, StillTable(seed, deck, size_px, gloss), seed, stills, ambiguous=ambiguous)


def write_stills(
    folder: Path, table: StillTable, seed: int, stills: int, *, ambiguous: bool = False, hand: bool | None = None
) -> None:
    """`write_set` of a table that is there; `hand` as `StillTable.still` takes it."""
    folder.mkdir(parents=True, exist_ok=True)
    data = table_to_json(table.scene.table) | {"empty": "empty.jpg"}
    (folder / "table.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    cv2.imwrite(str(folder / "empty.jpg"), table.empty(), [cv2.IMWRITE_JPEG_QUALITY, 92])
    for number in range(stills):
        picture, truth = table.still(number, ambiguous=ambiguous, jpeg=False, hand=hand)
        name = f"still-{number:02d}"
        cv2.imwrite(str(folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 84 + (seed + number) % 12])
        text = json.dumps({**truth, "image": f"{name}.jpg"}, separators=(",", ":"))
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
