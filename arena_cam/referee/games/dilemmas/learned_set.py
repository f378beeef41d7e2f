"""A set of dilemmas from photographs of the game one owns: `arena-cam deck learn --game`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.folder import PHOTOGRAPH_SUFFIXES, pictures_in, read_picture
from arena_cam.camera.frame import Image
from arena_cam.domain.dilemma_sets import CardKind, DilemmaCard, DilemmaSet, Disc, TokenKind
from arena_cam.domain.errors import BadInput, CannotDo
from arena_cam.domain.messages import Message
from arena_cam.formats.dilemmas.dilemma_set_toml import dilemma_set_to_toml, read_dilemma_set
from arena_cam.formats.messages import FileTrouble
from arena_cam.referee.game.outfit import LearnOptions
from arena_cam.referee.games.dilemmas.messages import Learned, LearningRefusal
from arena_cam.vision.board_learning.cards_apart import find_cards_apart, traced_outline
from arena_cam.vision.board_learning.hexagons import ground_colour
from arena_cam.vision.board_learning.round_pieces import find_round_pieces, straight_disc
from arena_cam.vision.deck_learning.exposure import exposed
from arena_cam.vision.deck_learning.photographed_deck import PhotographedDeck
from arena_cam.vision.deck_learning.straightening import png_of
from arena_cam.vision.photographs.several_cards import in_rows
from arena_cam.vision.picture.linear_light import linear_light

Floats = NDArray[np.float64]
Size = tuple[float, float]

PX_PER_MM = 8.0
LETTERS = {CardKind.POSITIVE: "p", CardKind.NEGATIVE: "n", CardKind.NEUTRAL: "x"}
TOKENS = (TokenKind.YES, TokenKind.NO, TokenKind.HIDDEN)
ALL_TOKENS = (TokenKind.YES, TokenKind.NO, TokenKind.SUPER_YES, TokenKind.SUPER_NO, TokenKind.HIDDEN)
SAME_GROUND = 1.6  # photographs whose grounds differ by more were not taken on the same one
BACK = "back"


@dataclass
class _Photographed:
    """What the photographs have shown: `deck` its cards, `shown` how many a file, `grounds` of the cards' files."""

    deck: PhotographedDeck
    shown: list[Message] = field(default_factory=list)
    grounds: dict[str, Floats] = field(default_factory=dict)


def learn(options: LearnOptions) -> Message:
    """Writes the set's folder and says what is in it. Raises BadInput or CannotDo, saying what to do."""
    if options.card_mm is None:
        raise BadInput(LearningRefusal.CARD_SIZE())
    for option, mm, usual in (("--token-width", options.token_mm, 24), ("--owner-width", options.owner_mm, 18)):
        if not 8.0 <= mm <= 100.0:
            raise BadInput(LearningRefusal.TOKEN_WIDTH(option=option, mm=f"{mm:g}", usual=str(usual)))
    files = _files(options.photos)
    seen = _Photographed(PhotographedDeck(*options.card_mm))
    kinds = _look_at_cards(files, seen, options.card_mm)
    radius = seen.deck.radius_mm()
    faces = seen.deck.pictures(radius)
    ground = _true_ground(seen, faces)
    tokens = _tokens(files["tokens"][0], options.token_mm, ground, seen)
    owners = {
        colour: face
        for file in files.get("owners", [])
        for colour, face in _owners(file, options.owner_mm, ground, seen).items()
    }
    out = options.out
    made = DilemmaSet(
        options.name or out.name,
        *options.card_mm,
        radius,
        tuple(DilemmaCard(name, kind, out / f"{name}.png") for name, kind in kinds.items()),
        tuple(Disc(name, options.token_mm, out / f"token-{name}.png") for name in tokens),
        tuple(Disc(colour, options.owner_mm, out / f"owner-{colour}.png") for colour in owners),
        out / f"{BACK}.png" if BACK in faces else None,
    )
    discs = {f"token-{name}": face for name, face in tokens.items()}
    discs |= {f"owner-{colour}": face for colour, face in owners.items()}
    _write(made, out, {**faces, **discs})
    return Learned.DONE(
        cards=len(kinds), tokens=len(tokens), owners=len(owners), each=tuple(seen.shown), folder=str(out)
    )


def _files(folder: Path) -> dict[str, list[Path]]:
    """The photographs by what they show: a card's kind, back, tokens, owners. Raises BadInput where one is missing."""
    if not folder.is_dir():
        raise BadInput(LearningRefusal.NO_FOLDER(folder=str(folder)))
    out: dict[str, list[Path]] = {}
    for file in pictures_in(folder, PHOTOGRAPH_SUFFIXES):
        shows = re.match(r"(positive|negative|neutral|back|tokens|owners)(-|$)", file.stem.lower())
        if shows is not None:
            out.setdefault(shows[1], []).append(file)
    for stem in (CardKind.POSITIVE, CardKind.NEGATIVE):
        if stem not in out:
            raise BadInput(LearningRefusal.NO_SUCH_PHOTO(folder=str(folder), stem=str(stem)))
    if "tokens" not in out:
        raise BadInput(LearningRefusal.NO_TOKENS(folder=str(folder)))
    return out


def _look_at_cards(files: Mapping[str, list[Path]], seen: _Photographed, card_mm: Size) -> dict[str, CardKind]:
    """Adds the cards of all photographs to the deck; their names and kinds, in the order in which they lie."""
    kinds: dict[str, CardKind] = {}
    for kind, letter in LETTERS.items():
        count = 0
        for file in files.get(kind, []):
            names = [f"{letter}-{count + k:02d}" for k in range(1, 1 + _cards_of(file, seen, card_mm, letter, count))]
            kinds |= dict.fromkeys(names, kind)
            count += len(names)
    if BACK in files:
        _cards_of(files[BACK][0], seen, card_mm, BACK, 0)
    return kinds


def _cards_of(file: Path, seen: _Photographed, card_mm: Size, letter: str, before: int) -> int:
    """How many cards a photograph shows; adds them to the deck. Raises CannotDo where one cannot be used."""
    picture = read_picture(file)
    outlines = in_rows(find_cards_apart(picture, card_mm))
    if not outlines:
        raise CannotDo(LearningRefusal.CARDS_UNSEEN(file=file.name))
    for k in range(1 if letter == BACK else len(outlines)):
        outline = traced_outline(picture, outlines[k], card_mm)
        face = outline if isinstance(outline, Message) else seen.deck.outlined(picture, outline)
        if isinstance(face, Message):
            raise CannotDo(LearningRefusal.CARD_UNUSABLE(file=file.name, number=k + 1, why=face))
        name = BACK if letter == BACK else f"{letter}-{before + k + 1:02d}"
        seen.deck.add(name, face)
        seen.grounds[name] = _ground(picture)
    seen.shown.append(LearningRefusal.SHOWS(file=file.name, count=len(outlines)))
    return len(outlines)


def _tokens(file: Path, width_mm: float, ground: Floats | None, seen: _Photographed) -> dict[TokenKind, Image]:
    faces = _discs(file, width_mm, ground, seen)
    for kinds in (TOKENS, ALL_TOKENS):
        if len(faces) == len(kinds):
            return dict(zip(kinds, faces, strict=True))
    raise CannotDo(LearningRefusal.TOKENS_SEEN(file=file.name, found=len(faces)))


def _owners(file: Path, width_mm: float, ground: Floats | None, seen: _Photographed) -> dict[str, Image]:
    """The discs of a photograph named after their colours in order: owners-red-blue.jpg."""
    colours = [part for part in file.stem.lower().split("-")[1:] if part]
    faces = _discs(file, width_mm, ground, seen)
    if len(faces) != len(colours) or len(set(colours)) != len(colours):
        raise CannotDo(LearningRefusal.OWNERS_SEEN(file=file.name, found=len(faces), wanted=len(colours)))
    return dict(zip(colours, faces, strict=True))


def _discs(file: Path, width_mm: float, ground: Floats | None, seen: _Photographed) -> list[Image]:
    """The round pieces (h, w, 4) of a photograph in reading order, in the light in which the cards are shown."""
    picture = read_picture(file)
    pieces = find_round_pieces(picture)
    seen.shown.append(LearningRefusal.SHOWS(file=file.name, count=len(pieces)))
    straight = [straight_disc(picture, piece, width_mm, PX_PER_MM) for piece in pieces]
    gain = np.ones(3) if ground is None else ground / _ground(picture)
    if not straight:
        return []
    return [np.dstack([exposed(np.ascontiguousarray(face[:, :, :3]), gain), face[:, :, 3]]) for face in straight]


def _true_ground(seen: _Photographed, faces: Mapping[str, Image]) -> Floats | None:
    """The ground's colour (3,) of linear light beside the finished pictures; None where the cards' grounds differ."""
    found = []
    for name, photographed in seen.deck.faces.items():
        raw = linear_light(photographed.image).reshape(-1, 3).mean(axis=0)
        made = linear_light(faces[name]).reshape(-1, 3).mean(axis=0)
        found.append(seen.grounds[name] * made / np.maximum(raw, 1e-4))
    all_ = np.array(found)
    middle = np.median(all_, axis=0)
    apart = np.median(np.abs(np.log(all_ / middle)), axis=0)
    return np.asarray(middle) if apart.max() < np.log(SAME_GROUND) else None


def _ground(picture: Image) -> Floats:
    colour = np.clip(np.round(ground_colour(picture)), 0, 255).astype(np.uint8)
    return np.maximum(linear_light(colour.reshape(1, 1, 3)).reshape(3).astype(np.float64), 1e-3)


def _write(made: DilemmaSet, folder: Path, pictures: Mapping[str, Image]) -> None:
    """Writes the folder, deck.toml last, and reads it back. Raises CannotDo if it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, picture in pictures.items():
            (folder / f"{name}.png").write_bytes(png_of(picture))
        (folder / "deck.toml").write_text(dilemma_set_to_toml(made), encoding="utf-8")
    except OSError as error:
        raise CannotDo(FileTrouble.NOT_WRITTEN(text=error.strerror), about=folder) from None
    read_dilemma_set(folder)
