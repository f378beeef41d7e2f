"""Draws docs/drawings/reading-a-frame.png: one simulated picture on its way through the stages of reading.

python -m bench.reading_figure docs/drawings/reading-a-frame.png
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from arena_cam.camera.frame import Frame, Image
from arena_cam.domain.lies import Reading, Unreadable
from arena_cam.domain.table import Table
from arena_cam.formats.deck_toml import read_deck
from arena_cam.geometry.arrays import Array
from arena_cam.geometry.card_pose import CardPose
from arena_cam.printing.deck import Faces, default_deck
from arena_cam.simulation.arena.stills import StillTable
from arena_cam.vision.drawing.overlay import draw_layers
from arena_cam.vision.faces.deck_faces import DeckFaces
from arena_cam.vision.reading.cards.claims import Claims
from arena_cam.vision.reading.cards.known import Known
from arena_cam.vision.reading.cards.scene import Scene
from arena_cam.vision.reading.finding.all_cards import find_cards
from arena_cam.vision.reading.finding.findings import Findings
from arena_cam.vision.reading.finding.floor_guesses import FloorGuesses
from arena_cam.vision.reading.finding.guessing_rounds import GuessingRounds
from arena_cam.vision.reading.finding.peeling import peel
from arena_cam.vision.reading.finding.settling import Pile, settle
from arena_cam.vision.reading.guesses.features import FeatureFinder
from arena_cam.vision.reading.guesses.guess import Finder, Guess
from arena_cam.vision.reading.scene_maker import SceneMaker
from arena_cam.vision.reading.table_reader import TableReader

PANEL_PX, ACROSS, GAP_PX, TITLE_PX = (400, 370), 3, 10, 26
SHOWN = 0.2, 0.81  # of the picture's width: where the tray is
WHITE, INK, BLUE, GREEN, RED = (255, 255, 255), (30, 30, 30), (200, 110, 20), (70, 160, 30), (40, 40, 210)
OF_FINDER = {Finder.MARKERS: GREEN, Finder.FEATURES: BLUE}


@dataclass(frozen=True, eq=False)
class Stages:
    """What every stage made of one picture."""

    picture: Image
    table: Table
    scene: Scene
    fiducials_px: Sequence[Array]
    guesses: Sequence[Guess]
    plain: Findings
    pile: Pile
    reading: Reading


def stages_of(seed: int, number: int, folder: Path) -> Stages:
    """The stages of still `number` of a simulated table; `folder` takes what is made for it."""
    deck = read_deck(default_deck(folder / "deck", Faces.CODES))
    deck = replace(deck, cards=tuple(replace(card, markers=()) for card in deck.cards))  # features speak, too
    still = StillTable(seed, deck)
    empty = folder / "empty.png"
    cv2.imwrite(str(empty), still.empty())
    picture, _ = still.still(number)
    table, faces = replace(still.scene.table, empty=empty), DeckFaces(deck)
    frame, finder = Frame(picture, 0.0, 0, "simulated", "still"), FeatureFinder(faces)
    scenes = SceneMaker(table, faces, hold_pose=False)
    ready = scenes.make(frame, (), None, None)
    reading = TableReader(table, deck, hold_pose=False).read(frame)
    assert not isinstance(ready, Unreadable)
    assert not isinstance(reading, Unreadable)
    scene, outlines = ready.scene, ready.seen.fiducial_outlines_px
    bare, floor = Known.nothing_of(scene, outlines), FloorGuesses(scene, scenes.maps)
    guesses = GuessingRounds(scene, finder, (), floor).next_guesses(Findings(bare))
    plain = peel(bare, GuessingRounds(scene, finder, (), floor))
    pile = settle(scene, find_cards(bare, finder, floor, (), ()), ())
    return Stages(picture, table, scene, outlines, guesses, plain, pile, reading)


def outlined(picture: Image, scene: Scene, poses: Sequence[CardPose], colour: tuple[int, int, int]) -> None:
    deck = scene.faces.deck
    for pose in poses:
        corners = scene.camera.project(pose.corners(deck.width_mm, deck.height_mm))
        cv2.polylines(picture, [np.round(corners).astype(np.int32)], True, colour, 4, cv2.LINE_AA)


def tinted(picture: Image, mask: Image, colour: tuple[int, int, int]) -> Image:
    """The picture with `colour` where a mask of any size is set."""
    whole = cv2.resize(mask, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_NEAREST) > 0
    out = picture.copy()
    out[whole] = (0.45 * out[whole] + 0.55 * np.array(colour)).astype(np.uint8)
    return out


def with_pose(stages: Stages) -> Image:
    return draw_layers(stages.picture, stages.table, None, stages.reading.pose, ("boundary", "fiducials"))


def with_change(stages: Stages) -> Image:
    """The empty table's view from above, brought back to the picture: what is odd is tinted."""
    change = stages.scene.change
    assert change is not None
    height, width = stages.picture.shape[:2]
    x, y = np.meshgrid(np.arange(0, width, 4), np.arange(0, height, 4))
    floor = stages.scene.camera.to_plane(np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float64), 0.0)
    odd = change.within(change.odd, floor[:, 0], floor[:, 1]).reshape(x.shape)
    return tinted(stages.picture, np.asarray(odd, np.uint8), RED)


def with_guesses(stages: Stages) -> Image:
    out = stages.picture.copy()
    for guess in sorted(stages.guesses, key=lambda guess: guess.votes):
        outlined(out, stages.scene, [guess.pose], OF_FINDER.get(guess.finder, RED))
    return out


def with_claims(stages: Stages) -> Image:
    claims = Claims.none_in(stages.scene)
    claims.add(stages.plain.known.claims)
    out = tinted(stages.picture, claims.mask, GREEN)
    outlined(out, stages.scene, [card.fit.pose for card in stages.plain.found], INK)
    return out


def with_tiles(stages: Stages) -> Image:
    """Every card's tiles: green where the picture shows the face, red where something else is seen."""
    out, scene = stages.picture.copy(), stages.scene
    for card in stages.pile.cards:
        shown = Claims.none_in(scene)
        shown.add_cells(scene, card.fit.pose, card.fit.shown & (card.fit.tiles > 0.0))
        against = Claims.none_in(scene)
        against.add_cells(scene, card.fit.pose, card.fit.tiles < 0.0)
        out = tinted(tinted(out, shown.mask, GREEN), against.mask, RED)
    outlined(out, scene, [card.fit.pose for card in stages.pile.cards], INK)
    return out


def with_lies(stages: Stages) -> Image:
    return draw_layers(
        stages.picture, stages.table, stages.reading, stages.reading.pose, ("outlines", "names", "tilt", "boundary")
    )


PANELS: tuple[tuple[str, Callable[[Stages], Image]], ...] = (
    ("1 pose of the table", with_pose),
    ("2 what the empty table does not show", with_change),
    ("3 guesses, first round", with_guesses),
    ("4 peeling: pixels claimed by cards found", with_claims),
    ("5 fine alignment: tiles for and against", with_tiles),
    ("6 how each card lies: the reading", with_lies),
)


def figure(stages: Stages) -> Image:
    """All panels, with their titles, in rows."""
    panels = []
    for title, draw in PANELS:
        drawn = draw(stages)
        left, right = (round(share * drawn.shape[1]) for share in SHOWN)
        panel = _quiet(np.asarray(cv2.resize(drawn[:, left:right], PANEL_PX, interpolation=cv2.INTER_AREA), np.uint8))
        head = np.full((TITLE_PX, PANEL_PX[0], 3), WHITE, np.uint8)
        cv2.putText(head, title, (2, TITLE_PX - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.55, INK, 1, cv2.LINE_AA)
        framed = np.vstack([head, panel])
        panels.append(cv2.copyMakeBorder(framed, 0, GAP_PX, 0, GAP_PX, cv2.BORDER_CONSTANT, value=WHITE))
    rows = [np.hstack(panels[first : first + ACROSS]) for first in range(0, len(panels), ACROSS)]
    return np.asarray(np.vstack(rows), np.uint8)


def _quiet(panel: Image) -> Image:
    """A panel without sensor noise, in fewer colours: a quarter of the file."""
    smooth = cv2.bilateralFilter(panel, 5, 14.0, 2.0)
    return np.asarray(smooth // 6 * 6 + 3, np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="the picture to write")
    parser.add_argument("--table", type=int, default=4, help="seed of the simulated table")
    parser.add_argument("--still", type=int, default=1, help="number of its picture")
    args = parser.parse_args()
    with TemporaryDirectory(prefix="arena-cam-") as folder:
        cv2.imwrite(str(args.file), figure(stages_of(args.table, args.still, Path(folder))))


if __name__ == "__main__":
    main()
