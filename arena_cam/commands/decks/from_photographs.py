"""A deck from photographs or scans: the files one after another, what cannot be used is said and the rest is
learned."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from arena_cam.camera.folder import PICTURE_SUFFIXES, natural_key, read_picture
from arena_cam.domain.errors import BadInput, BadPicture, CannotDo
from arena_cam.formats.card_names import BACK_NAME, name_from_file, named_card
from arena_cam.formats.deck_folder import DeckFolder
from arena_cam.vision.deck_learning.card_outline import NoCard
from arena_cam.vision.deck_learning.photographed_deck import PhotographedDeck
from arena_cam.vision.deck_learning.printed_marks import printed_marks
from arena_cam.vision.deck_learning.straightening import png_of


def learn(
    args: argparse.Namespace,
    folder: DeckFolder,
    names: Sequence[str] | None,
    again: set[str],
    ask: Callable[[str], str],
) -> int:
    """Learns every photograph that is newer than its card's picture, or whose card is in `again`.

    Raises CannotDo, after all others are learned, if some photographs could not be used.
    """
    if folder.size_mm is None:
        raise BadInput("a photograph does not tell how large a card is; give --card-size, like 63x88")
    files = _files(args.photos, names, ask)
    deck = PhotographedDeck(*folder.size_mm, scans=args.scans)
    bad = [*_look_at_all(deck, files), *_look_again(deck, files)]
    radius = args.corner_radius if args.corner_radius is not None else deck.radius_mm()
    learned = 0
    for name, image in deck.pictures(radius).items():
        if name in again or _newer(files[name], folder.picture(name)):
            folder.put(name, png_of(image), radius, *printed_marks(image))
            learned += 1
    left = len(deck.faces) - learned
    kept = f", {left} were there already (--again learns them anew)" if left else ""
    print(f"{learned} cards learned{kept}; corners rounded by {radius:g} mm")
    missing = [name for name in names or () if not folder.has(name)]
    if missing:
        print(f"still missing: {', '.join(missing)}")
    if bad:
        raise CannotDo(
            f"{len(bad)} photographs could not be used ({', '.join(bad)}); take them anew, then the same line"
        )
    return 0


def _look_at_all(deck: PhotographedDeck, files: Mapping[str, Path]) -> list[str]:
    """Adds the faces that the photographs show to the deck; the names of those that show none."""
    bad = []
    for number, (name, file) in enumerate(files.items(), 1):
        try:
            face = deck.look(read_picture(file))
        except BadPicture as error:
            bad.append(name)
            _say(str(error))
            continue
        if isinstance(face, NoCard):
            bad.append(name)
            _say(f"{file.name}: {face}")
            continue
        deck.add(name, face)
        print(f"{name}: found at {face.px_per_mm:.1f} px/mm ({number} of {len(files)})", flush=True)
    return bad


def _look_again(deck: PhotographedDeck, files: Mapping[str, Path]) -> list[str]:
    """Looks at doubtful faces again, by what the others tell of the lens; the names of those that then show none."""
    bad = []
    for name, lens in deck.doubtful().items():
        refused = deck.look_again(name, read_picture(files[name]), lens)
        if refused is not None:
            bad.append(name)
            _say(f"{files[name].name}: {refused}")
    return bad


def _newer(photograph: Path, picture: Path | None) -> bool:
    return picture is None or photograph.stat().st_mtime > picture.stat().st_mtime


def _files(folder: Path, names: Sequence[str] | None, ask: Callable[[str], str]) -> dict[str, Path]:
    """The photograph of each card. Raises BadInput where one name has two."""
    if not folder.is_dir():
        raise BadInput(f"{folder}: is no folder; give one with a photograph of each card")
    files = [f for f in folder.iterdir() if f.suffix.lower() in PICTURE_SUFFIXES and not f.name.startswith(".")]
    if not files:
        raise BadInput(f"{folder}: holds no pictures; put a photograph of each card in it, named like red-1.jpg")
    out: dict[str, Path] = {}
    for file in sorted(files, key=natural_key):
        name = _name(file, names, ask)
        if name is None:
            continue
        if name in out:
            raise BadInput(f"{out[name].name} and {file.name} are both {name}; take one out, or rename it")
        out[name] = file
    return out


def _name(file: Path, names: Sequence[str] | None, ask: Callable[[str], str]) -> str | None:
    told = name_from_file(file.stem)
    if names is None and told is not None:
        return told
    if names is not None:
        told = named_card(file.stem, names)
        if told is not None:
            return told
    while True:
        answer = ask(f"{file.name}: which card is it? (like red-1, {BACK_NAME}, or nothing to leave it out) ").strip()
        if not answer:
            return None
        named = named_card(answer, names) if names is not None else name_from_file(answer)
        if named is not None:
            return named
        print("that is no card of this deck" if names is not None else "give letters, digits and hyphens, like red-1")


def _say(text: str) -> None:
    print(f"arena-cam deck learn: {text}", file=sys.stderr, flush=True)
