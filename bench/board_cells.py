"""How probably a cell of a photographed board is read rightly: the weights of `board_trust`, fitted and checked.

Run: python -m bench.board_cells FOLDER... [--check FOLDER...]. Each folder is as bench.board_pictures writes it. Fits
log odds to all cells of FOLDER...; a disputed cell that is not asked about for how it lies counts as wrong. Prints the
weights, and for the pictures of --check, which nothing was fitted to, the calibration error (ECE, ten bins), and how
many cells are said surely (at `board_trust.SURE`) and wrongly.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.folder import read_picture
from arena_cam.formats.boards.tile_set_toml import read_tile_set
from arena_cam.geometry.homography import transformed
from arena_cam.vision.boards.board_reader import BoardReader
from arena_cam.vision.boards.board_trust import FEATURES, SURE, WEIGHTS, features, lies_oddly
from bench.logistic import fitted

Floats = NDArray[np.float64]

RIDGE = 2e-5  # of the mean loss
MOST_SURE = 0.9995
FAR_PX = 80.0


@dataclass(frozen=True, eq=False)
class Cells:
    """Features (N, F) of cells, whether what is said is right (N,), and where they are."""

    features: Floats
    right: NDArray[np.bool_]
    disputed: NDArray[np.bool_]
    where: tuple[str, ...]


def cells_of(folder: Path) -> Iterator[tuple[Floats, bool, bool, str]]:
    """Of every cell of every board found: features, whether it is said rightly, whether it is disputed, and where."""
    readers: dict[str, BoardReader] = {}
    for file in sorted(folder.glob("table-*/photo-*.json")):
        truth = json.loads(file.read_text(encoding="utf-8"))
        deck = truth["deck"]
        decks = folder / "decks" if (folder / "decks").is_dir() else folder.parent / "decks"
        if deck not in readers:
            readers[deck] = BoardReader(read_tile_set(decks / deck))
        prints = readers[deck].prints
        for placed in readers[deck].find(read_picture(file.parent / truth["image"])):
            middle = transformed(placed.px_from_mm, prints.corners_mm[placed.which]).mean(axis=0)
            away = [float(np.hypot(*(np.mean(b["corners_px"], axis=0) - middle))) for b in truth["boards"]]
            if min(away) > FAR_PX:
                continue
            board = truth["boards"][int(np.argmin(away))]
            for k, (name, evidence) in enumerate(zip(prints.cell_names, placed.cells, strict=True)):
                said = None if evidence.best.tile is None else prints.names[evidence.best.tile]
                disputed = name in board["ambiguous_cells"]
                if disputed and lies_oddly(prints, placed, k) is not None:
                    continue
                right = said == board["cells"][name] and not disputed
                yield features(evidence), right, disputed, f"{file.parent.name}/{file.stem} {name} {said}"


def gathered(folders: list[Path]) -> Cells:
    """The cells of all folders."""
    all_ = [each for folder in folders for each in cells_of(folder)]
    x, right, disputed, where = zip(*all_, strict=True)
    return Cells(np.array(x), np.array(right), np.array(disputed), where)


def confidences(cells: Cells, weights: Floats) -> Floats:
    """As `board_trust.confidence` says them."""
    return np.asarray(np.clip(1.0 / (1.0 + np.exp(-cells.features @ weights)), 0.02, MOST_SURE))


def report(name: str, cells: Cells, weights: Floats) -> str:
    """Calibration of cells that nobody disputes, and who is sure; a line for each that is sure and wrong."""
    said = confidences(cells, weights)
    plain = ~cells.disputed
    bins = np.minimum((said[plain] * 10).astype(int), 9)
    gaps = [abs(float((said[plain] - cells.right[plain])[bins == k].sum())) for k in range(10)]
    sure = said >= SURE
    count, wrong = int(plain.sum()), int((~cells.right & plain).sum())
    badly, disputed = int((sure & ~cells.right & plain).sum()), int((sure & cells.disputed).sum())
    lines = [f"{name}: {count} cells, {wrong} wrong, {int(cells.disputed.sum())} disputed; ECE {sum(gaps) / count:.4f}"]
    lines[0] += f"; sure {sure[plain].mean():.4f}; sure and wrong {badly}, disputed and sure {disputed}"
    for k in np.flatnonzero(sure & ~cells.right):
        lines.append(f"  sure of {cells.where[k]}: {said[k]:.4f} {np.round(cells.features[k], 2).tolist()}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--check", type=Path, nargs="*", default=[])
    args = parser.parse_args()
    cells = gathered(args.folders)
    weights = fitted(cells.features, cells.right, RIDGE)
    for name, weight in zip(FEATURES, weights, strict=True):
        print(f"{name:14s} {weight:8.2f}")
    print("WEIGHTS = np.array([" + ", ".join(f"{weight:.2f}" for weight in weights) + "])")
    print(report("as it is", cells, WEIGHTS))
    print(report("fitted", cells, weights))
    for folder in args.check:
        kept = gathered([folder])
        print(report(f"kept back, {folder.name}", kept, weights))


if __name__ == "__main__":
    main()
