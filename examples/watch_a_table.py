"""Watches a table in time and prints what happens on it: cards that come to rest, move, or are taken away.

Run: python examples/watch_a_table.py
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from arena_cam.domain.lies import Landing
from arena_cam.domain.observations import CardGone, CardMoved, CardRested, Observation
from arena_cam.formats.deck_toml import read_deck
from arena_cam.printing.deck import default_deck
from arena_cam.simulation.arena.actions import LayChallenge, Sweep, Throw, Wait
from arena_cam.simulation.arena.table import SimulatedTable
from arena_cam.simulation.source import SimulatedSource
from arena_cam.vision import open_eye

SECONDS = 6.0


def main() -> None:
    with TemporaryDirectory() as scratch:
        deck = read_deck(default_deck(Path(scratch) / "deck"))
        simulated = SimulatedTable(deck, seed=2)
        simulated.perform(
            Wait(0.7), LayChallenge("red-8"), Wait(0.3), Throw("blue-3", Landing.FLAT), Wait(0.7), Sweep()
        )
        # With a camera: source = open_source("usb:0", size_px=table.image_size), from arena_cam.camera.open_source.
        source = SimulatedSource(simulated, fps=15.0, live=False, frames=round(15 * SECONDS))
        eye = open_eye(simulated.table(), deck, fps=source.fps)
        while (frame := source.read()) is not None:
            for seen in eye.look(frame):
                tell(seen)
        for seen in eye.finish():
            tell(seen)
        source.close()


def tell(seen: Observation) -> None:
    """Prints one observation; the eye's own state is left out."""
    match seen:
        case CardRested(at_s, lie):
            print(f"{at_s:5.2f} s  {lie.key} rests, {lie.landing}")
        case CardMoved(at_s, before, lie):
            print(f"{at_s:5.2f} s  {lie.key} moved, {before.landing} before, {lie.landing} now")
        case CardGone(at_s, before):
            print(f"{at_s:5.2f} s  {before.key} was taken away")


if __name__ == "__main__":
    main()
