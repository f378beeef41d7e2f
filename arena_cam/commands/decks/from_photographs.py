"""A deck from photographs or scans: the files one after another, what cannot be used is said and the rest is
learned."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from arena_cam.camera.folder import PHOTOGRAPH_SUFFIXES, natural_key
from arena_cam.commands.decks.card_photograph import CardPhotograph, named_after_several
from arena_cam.commands.decks.messages import DeckCommandRefusal, Learning
from arena_cam.commands.options.language import error_told
from arena_cam.commands.options.messages import OwnDeck
from arena_cam.commands.process.terminal import Working
from arena_cam.domain.errors import BadInput, BadPicture, CannotDo
from arena_cam.domain.messages import Message
from arena_cam.formats.card_names import ARENA_NAMES, BACK_NAME, name_from_file, named_card
from arena_cam.formats.deck_folder import DeckFolder
from arena_cam.formats.wording import told
from arena_cam.vision.deck_learning.photographed_deck import Image, PhotographedDeck
from arena_cam.vision.deck_learning.printed_marks import printed_marks
from arena_cam.vision.deck_learning.straightening import png_of

Ask = Callable[[str], str]


def learn(
    args: argparse.Namespace,
    folder: DeckFolder,
    names: Sequence[str] | None,
    again: set[str],
    ask: Ask,
) -> int:
    """Learns every photograph that is newer than its card's picture, or whose card is in `again`, and makes again the
    pictures that came from the others: what is paper, and each photograph's light, is told by all of them.

    Raises CannotDo, after all others are learned, if some cards could not be.
    """
    if folder.size_mm is None:
        raise BadInput(DeckCommandRefusal.SIZE_OF_PHOTOGRAPHED())
    language = args.lang
    files = _files(args.photos, names, ask, language, folder.size_mm)
    deck = PhotographedDeck(*folder.size_mm, scans=args.scans)
    bad = [*_look_at_all(deck, files, language), *_look_again(deck, files, language)]
    radius = args.corner_radius if args.corner_radius is not None else deck.radius_mm()
    images = _in_one_light(deck, radius, language)
    new = {name for name in images if name in again or _newer(files[name].path, folder.picture(name))}
    _put(folder, images, new, radius)
    learned, left = len(new), len(images) - len(new)
    done = Learning.CARDS_LEARNED_MORE if left else Learning.CARDS_LEARNED
    print(told(done(count=learned, left=left, radius_mm=f"{radius:g}"), language))
    missing = [name for name in names or () if not folder.has(name)]
    if missing:
        print(told(Learning.STILL_MISSING(listed=", ".join(missing)), language))
    if bad:
        raise CannotDo(Learning.UNUSABLE(count=len(bad), listed=", ".join(bad)))
    return 0


def _look_at_all(deck: PhotographedDeck, files: Mapping[str, CardPhotograph], language: str) -> list[str]:
    """Adds the faces that the photographs show to the deck; the names of those that show none."""
    bad, said = list[str](), set[str]()
    for number, (name, file) in enumerate(files.items(), 1):
        try:
            face = deck.look(file.read())
        except (BadPicture, BadInput) as error:
            bad.append(name)
            if str(error) not in said:  # once of a photograph of several cards
                _say(error_told(error, language))
            said.add(str(error))
            continue
        if isinstance(face, Message):
            bad.append(name)
            _say(f"{file.called}: {told(face, language)}")
            continue
        deck.add(name, face)
        found = Learning.FOUND(name=name, px_mm=f"{face.px_per_mm:.1f}", done=number, total=len(files))
        print(told(found, language), flush=True)
    return bad


def _look_again(deck: PhotographedDeck, files: Mapping[str, CardPhotograph], language: str) -> list[str]:
    """Looks at doubtful faces again, by what the others tell of the lens; the names of those that then show none."""
    bad = []
    for name, lens in deck.doubtful().items():
        refused = deck.look_again(name, files[name].read(), lens)
        if refused is not None:
            bad.append(name)
            _say(f"{files[name].called}: {told(refused, language)}")
    return bad


def _in_one_light(deck: PhotographedDeck, radius_mm: float, language: str) -> dict[str, Image]:
    """The deck's faces; on a terminal it is shown how far the work is."""
    doing, count = told(OwnDeck.ONE_LIGHT(), language), len(deck.faces)
    if count > 1:
        print(f"{doing}...", flush=True)
    with Working(doing) as working:
        return deck.pictures(radius_mm, lambda share: working.at(round(share * count), count))


def _put(folder: DeckFolder, images: Mapping[str, Image], new: set[str], radius_mm: float) -> None:
    """Puts in the pictures (H, W, 3) of `new` cards, and of the others those that are not what they were."""
    pngs = {name: png_of(image) for name, image in images.items() if name in new or folder.is_photographed(name)}
    folder.photographed(pngs)
    for name, png in pngs.items():
        there = folder.picture(name)
        if name in new or there is None or there.read_bytes() != png:
            folder.put(name, png, radius_mm, *printed_marks(images[name]))


def _newer(photograph: Path, picture: Path | None) -> bool:
    return picture is None or photograph.stat().st_mtime > picture.stat().st_mtime


def _files(
    folder: Path, names: Sequence[str] | None, ask: Ask, language: str, size_mm: tuple[float, float]
) -> dict[str, CardPhotograph]:
    """The photograph of each card. Raises BadInput where one name has two."""
    if not folder.is_dir():
        raise BadInput(DeckCommandRefusal.NO_FOLDER(), about=folder)
    files = [f for f in folder.iterdir() if f.suffix.lower() in PHOTOGRAPH_SUFFIXES and not f.name.startswith(".")]
    if not files:
        raise BadInput(DeckCommandRefusal.NO_PHOTOGRAPHS(name=names[0] if names else "red-1"), about=folder)
    out: dict[str, CardPhotograph] = {}
    for file in sorted(files, key=natural_key):
        several = named_after_several(file.stem, names)
        shown: list[str | None] = [*several] if several else [_name(file, names, ask, language)]
        for number, name in enumerate(shown):
            if name is None:
                continue
            if name in out:
                raise BadInput(DeckCommandRefusal.SAME_NAME(file=out[name].path.name, other=file.name, name=name))
            out[name] = CardPhotograph(name, file, size_mm, number, len(shown))
    return out


def _name(file: Path, names: Sequence[str] | None, ask: Ask, language: str) -> str | None:
    said = name_from_file(file.stem) if names is None else named_card(file.stem, names)
    if said is not None:
        return said
    while True:
        question = Learning.WHICH_IN_FILE(file=file.name, like=names[0] if names else ARENA_NAMES[0], back=BACK_NAME)
        answer = ask(f"{told(question, language)} ").strip()
        if not answer:
            return None
        named = named_card(answer, names) if names is not None else name_from_file(answer)
        if named is not None:
            return named
        print(told(Learning.NO_CARD_OF_DECK() if names is not None else Learning.LETTERS(), language))


def _say(text: str) -> None:
    print(f"arena-cam deck learn: {text}", file=sys.stderr, flush=True)
