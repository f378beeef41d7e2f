"""How probably something on a photographed table is a token: the weights of `token_trust`, fitted and checked.

Run: python -m bench.token_trust FOLDER... [--check FOLDER...]. Each folder is as bench.dilemma_pictures writes it. All
that looks like a token there, whether it is counted or not, is compared with the truth: it is one if a token's face has
its middle there. The kind is another matter: how far ahead the next kind must be is fitted to those that are tokens.
Prints the weights, how well they and those in use predict FOLDER's candidates, how well each set's are predicted by the
others, the same for --check, which nothing was fitted to; and what became of those that were not counted.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.folder import read_picture
from arena_cam.formats.dilemmas.dilemma_set_toml import read_dilemma_set
from arena_cam.vision.tokens.discs import token_trust
from arena_cam.vision.tokens.discs.token_search import SAME, SeenDisc
from arena_cam.vision.tokens.token_table import TokenTableReader
from bench.logistic import calibration, cross_entropy, fitted

Floats = NDArray[np.float64]

RIDGE = 2e-5  # of the mean loss


@dataclass(frozen=True, eq=False)
class Candidates:
    """What looked like tokens: N discs, whether each is one (N,), whether its kind is right (N,), of which set."""

    discs: Sequence[SeenDisc]
    is_token: NDArray[np.bool_]
    of_kind: NDArray[np.bool_]
    of_set: NDArray[np.str_]

    def only(self, chosen: NDArray[np.bool_]) -> Candidates:
        """Some of them (N,)."""
        discs = [disc for disc, one in zip(self.discs, chosen, strict=True) if one]
        return Candidates(discs, self.is_token[chosen], self.of_kind[chosen], self.of_set[chosen])


def candidates_of(folder: Path) -> Iterator[tuple[SeenDisc, bool, bool, str]]:
    """Of everything that looks like a token in a folder's photographs: whether it is one, whether its kind is right,
    and the name of the set."""
    readers: dict[str, TokenTableReader] = {}
    decks = folder / "decks" if (folder / "decks").is_dir() else folder.parent / "decks"
    for file in sorted(folder.glob("table-*/photo-*.json")):
        truth = json.loads(file.read_text(encoding="utf-8"))
        deck = truth["deck"]
        if deck not in readers:
            readers = {deck: TokenTableReader(read_dilemma_set(decks / deck))}
        reader = readers[deck]
        names = [token.name for token in reader.prints.set.tokens]
        tokens = [token for dilemma in truth["dilemmas"] for token in dilemma["token_list"]]
        middles = np.array([middle_px(token) for token in tokens]).reshape(-1, 2)
        for disc, at, radius in reader.candidates(read_picture(file.parent / truth["image"])):
            off = np.linalg.norm(middles - at, axis=1)
            nearest = int(off.argmin()) if len(off) else 0
            there = bool(len(off)) and float(off[nearest]) < SAME * radius
            kind = "back" if there and tokens[nearest]["face"] == "down" else tokens[nearest]["kind"] if there else ""
            yield disc, there, there and names[disc.kind] == kind, deck


def middle_px(token: dict[str, object]) -> list[float]:
    """Where the truth has the middle of a token's face."""
    at = token.get("centre_px") or token["ellipse_px"]
    assert isinstance(at, list)
    return [float(each) for each in at[:2]]


def gathered(folders: Sequence[Path]) -> Candidates:
    """The candidates of all folders."""
    found = [each for folder in folders for each in candidates_of(folder)]
    discs, there, of_kind, sets = zip(*found, strict=True)
    return Candidates(discs, np.array(there), np.array(of_kind), np.array(sets))


def said(features: Callable[[SeenDisc], Floats], weights: Floats, discs: Sequence[SeenDisc]) -> Floats:
    """The probabilities (N,) as `token_trust` says them."""
    odds = np.array([features(disc) for disc in discs]) @ weights
    return np.asarray(np.clip(1.0 / (1.0 + np.exp(-odds)), *token_trust.LIMITS))


def weighed(features: Callable[[SeenDisc], Floats], found: Candidates) -> Floats:
    """The weights that suit the candidates best."""
    return fitted(np.array([features(disc) for disc in found.discs]), found.is_token, RIDGE)


def left_out(features: Callable[[SeenDisc], Floats], found: Candidates) -> float:
    """The cross-entropy of each set's candidates with weights that were fitted to the others'."""
    said_so = np.zeros(len(found.discs))
    for name in np.unique(found.of_set):
        own = found.of_set == name
        if own.all():
            return float("nan")
        said_so[own] = said(features, weighed(features, found.only(~own)), found.only(own).discs)
    return cross_entropy(said_so, found.is_token)


def kind_margin(found: Candidates) -> float:
    """The margin at which the next kind is e times less likely, as the tokens tell it."""
    margins = np.array([max(disc.margin, 0.0) for disc in found.discs])
    tried = np.geomspace(0.005, 0.1, 40)
    losses = [cross_entropy(1.0 / (1.0 + np.exp(-margins / each)) * 0.9999, found.of_kind) for each in tried]
    return float(tried[int(np.argmin(losses))])


def report(name: str, weights: Floats, features: Callable[[SeenDisc], Floats], found: Candidates) -> str:
    """How well weights predict the candidates."""
    says = said(features, weights, found.discs)
    wrong = np.count_nonzero((says > token_trust.SURE) & ~found.is_token)
    unsure = np.count_nonzero((says <= token_trust.SURE) & found.is_token)
    entropy, error = cross_entropy(says, found.is_token), calibration(says, found.is_token)
    return f"  {name}: cross-entropy {entropy:.4f}, ECE {error:.4f}, sure of {wrong} that are none, unsure of {unsure}"


def not_counted(found: Candidates) -> str:
    """Of what is not counted, by how probable it seems, how many are tokens, and how many should be."""
    lines = []
    chances = np.array([token_trust.chance_missed(disc) for disc in found.discs])
    out = np.array([not token_trust.is_token(disc) for disc in found.discs])
    for low, high in ((0.0, 0.01), (0.01, 0.05), (0.05, 0.2), (0.2, 1.0)):
        of = out & (chances >= low) & (chances < high)
        lines.append(f"{low}..{high}: {np.count_nonzero(of & found.is_token)} of {of.sum()}, {chances[of].sum():.1f}")
    return "not counted, tokens after all, of all, expected: " + "; ".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--check", type=Path, nargs="*", default=[])
    args = parser.parse_args()
    found, kept = gathered(args.folders), gathered(args.check) if args.check else None
    compared = np.array([disc.lead is not None for disc in found.discs])
    print(f"{len(found.discs)} candidates, {np.count_nonzero(~found.is_token)} none; with a lead {compared.sum()}")
    for name, weights, features, of in (
        ("WEIGHTS", token_trust.WEIGHTS, token_trust.features, found),
        ("WITH_LEAD", token_trust.WITH_LEAD, token_trust.features_with_lead, found.only(compared)),
    ):
        new = weighed(features, of)
        print(f"{name} = np.array([" + ", ".join(f"{weight:.2f}" for weight in new) + "])")
        print(report("as it is", weights, features, of))
        print(report("fitted", new, features, of))
        print(f"  each set by the others: cross-entropy {left_out(features, of):.4f}")
        if kept is not None:
            some = kept.only(np.array([disc.lead is not None for disc in kept.discs]) | (of is found))
            print(report("kept back, as it is", weights, features, some))
            print(report("kept back, fitted", new, features, some))
    print(f"KIND_MARGIN = {kind_margin(found.only(found.is_token)):.3f}")
    print(not_counted(found))


if __name__ == "__main__":
    main()
