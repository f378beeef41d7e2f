"""How well a deck learned at the table reads thrown cards, against the true pictures of the same deck.

Every card of a drawn deck is laid alone into a simulated arena, turned by up to 12 degrees and near the middle; what
is taken of it is kept as `arena-cam deck learn` keeps it. Then pictures of other simulated tables, in other light, and
of the same table are judged by `arena-cam judge`, with the deck as it was drawn and as it was learned.

Run: python -m bench.deck_at_table [DECK...] [--seed S] [--learned-on T]. Some five minutes a deck, so `make bench`
leaves it out. Bar: the learned deck's figures are the true deck's, and nothing is sure and wrong.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import cv2
import numpy as np

from arena_cam.camera.frame import Frame
from arena_cam.domain.cards import Deck
from arena_cam.domain.lies import Face
from arena_cam.formats.card_names import BACK_NAME
from arena_cam.formats.deck_folder import DeckFolder
from arena_cam.referee.setup.lesson import Lesson, all_in_one_light
from arena_cam.simulation.arena.stills import StillTable, write_set
from arena_cam.simulation.arena.throwing import place
from arena_cam.vision.deck_learning.card_taker import CardTaker, EmptyArena, TakenCard
from bench.decks_unlike import ALL_STYLES
from bench.drawn_decks import draw_deck
from bench.learned_deck import grade

FPS, FRAMES = 10.0, 8  # of each card at rest
AT_MM, TURNED_DEG = 35.0, 12.0  # from the arena's middle, from upright, at most: who lays cards one by one takes care
MOST_TRIES = 6  # of a card that is not taken


def learned(
    deck: Deck, folder: Path, seed: int, gloss: float | None, *, one_light: bool = True
) -> tuple[int, list[str]]:
    """Learns the deck on the table of that seed into `folder`, without `one_light` as each card was taken; how often
    one was not taken, and those that never were."""
    table = StillTable(seed, deck, gloss=gloss)
    names = [card.id for card in deck.cards]
    kept = DeckFolder(folder, (deck.width_mm, deck.height_mm), deck.name, names)
    lesson = Lesson(kept, names, back=deck.back is not None)
    taker = CardTaker(table.scene.table, FPS, kept.size_mm, table.empty())
    rng = np.random.default_rng([seed, 31])
    refused, never, sequence = 0, [], 0
    for name in list(lesson.missing):
        for _ in range(MOST_TRIES):
            at = (*rng.uniform(-AT_MM, AT_MM, 2), rng.uniform(-TURNED_DEG, TURNED_DEG))
            _lay(table, name, (float(at[0]), float(at[1]), float(at[2])))
            taken = None
            for _ in range(FRAMES):
                frame = Frame(table.renderer.picture(), sequence / FPS, sequence, "bench", f"{name}-{sequence}")
                taken, sequence = taker.feed(frame) or taken, sequence + 1
            if isinstance(taken, TakenCard):
                before = lesson.learned_before(taken.image)
                if before is not None:
                    print(f"  {name} was taken for {before}")
                lesson.keep(name, taken.image, taken)
                break
            refused += 1
            print(f"  {name}: {'not seen' if taken is None or isinstance(taken, EmptyArena) else taken}")
        else:
            never.append(name)
    if one_light:
        lesson.improve(all_in_one_light(lesson.as_taken()))
    return refused, never


def _lay(table: StillTable, name: str, at: tuple[float, float, float]) -> None:
    """Lays one card, or the back, at (x mm, y mm, degrees) into the empty arena."""
    face = Face.DOWN if name == BACK_NAME else Face.UP
    placed = place(name, face, at, [], table.faces.size, table.scene.table.arena)
    table.renderer.clear()
    table.renderer.lay(table.faces.back() if face is Face.DOWN else table.faces.face(name), placed.pose)
    table.renderer.settle()


def main() -> None:
    """Prints two lines a deck and place: true and learned."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("decks", nargs="*", metavar="DECK", help=f"{', '.join(ALL_STYLES)}; all if none is given")
    parser.add_argument("--seed", type=int, default=7000, help="of the first table judged on (default 7000)")
    parser.add_argument("--tables", type=int, default=3, help="other tables that are judged on (default 3)")
    parser.add_argument("--stills", type=int, default=4, help="pictures of each table (default 4)")
    parser.add_argument("--learned-on", type=int, default=41, help="seed of the table learned on (default 41)")
    parser.add_argument("--as-taken", action="store_true", help="the faces are not brought into one light")
    parser.add_argument("--keep", type=Path, help="folder for decks and pictures (default: none are kept)")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as made:
        for number, name in enumerate(args.decks or ALL_STYLES):
            folder = (args.keep or Path(made)) / name
            deck = draw_deck(name, ALL_STYLES[name], folder / "true")
            gloss = ALL_STYLES[name].gloss
            refused, never = learned(deck, folder / "learned", args.learned_on, gloss, one_light=not args.as_taken)
            print(f"{name}: {refused} times a card was not taken; never: {', '.join(never) or 'none'}", flush=True)
            seeds = range(args.seed + 100 * number, args.seed + 100 * number + args.tables)
            others = [folder / f"table-{seed}" for seed in seeds]
            for seed, other in zip(seeds, others, strict=True):
                write_set(other, seed, deck, args.stills, gloss=gloss)
            same = folder / "same"
            write_set(same, args.learned_on, deck, args.stills, gloss=gloss)
            for where, tables in (("other tables", others), ("the same table", [same])):
                print(f"{name} on {where}, true deck:    {grade(tables, deck.cards[0].image.parent)}", flush=True)
                print(f"{name} on {where}, learned deck: {grade(tables, folder / 'learned')}", flush=True)


if __name__ == "__main__":
    main()
