"""Writes our own set of dilemmas as a set folder, in one language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2

from arena_cam.domain.dilemma_sets import CardKind, DilemmaCard, DilemmaSet, Disc
from arena_cam.domain.errors import CannotDo
from arena_cam.formats.dilemmas.dilemma_set_toml import dilemma_set_to_toml
from arena_cam.formats.messages import FileTrouble
from arena_cam.printing.dilemmas import faces
from arena_cam.printing.dilemmas.faces import Image
from arena_cam.printing.dilemmas.texts import card_texts


def our_set(folder: Path, language: str) -> DilemmaSet:
    """The set as it stands, or is to stand, in `folder`; nothing is written."""
    return DilemmaSet(
        name=f"dilemmas-{language}",
        width_mm=faces.WIDTH_MM,
        height_mm=faces.HEIGHT_MM,
        corner_radius_mm=faces.RADIUS_MM,
        cards=tuple(
            DilemmaCard(card.id, CardKind(card.kind), folder / f"{card.id}.png", card.text)
            for card in card_texts(language)
        ),
        tokens=tuple(Disc(kind, faces.TOKEN_MM, folder / f"token-{kind}.png") for kind in faces.TOKEN_COLOURS),
        owners=tuple(Disc(colour, faces.OWNER_MM, folder / f"owner-{colour}.png") for colour in faces.OWNER_COLOURS),
        back=folder / "back.png",
    )


def write_set(folder: Path, language: str) -> DilemmaSet:
    """Writes the set's folder, deck.toml last, so that a folder with one is complete.

    Raises CannotDo if the folder cannot be written.
    """
    dilemmas = our_set(folder, language)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, picture in _pictures(dilemmas, language):
            file.write_bytes(cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 3])[1].tobytes())
        (folder / "deck.toml").write_text(dilemma_set_to_toml(dilemmas), encoding="utf-8")
    except OSError as error:
        raise CannotDo(FileTrouble.NOT_WRITTEN(text=error.strerror), about=folder) from None
    return dilemmas


def _pictures(dilemmas: DilemmaSet, language: str) -> Iterator[tuple[Path, Image]]:
    for card, text in zip(dilemmas.cards, card_texts(language), strict=True):
        yield card.image, faces.card_face(text)
    for token in dilemmas.tokens:
        yield token.image, faces.token_face(token.name)
    for owner in dilemmas.owners:
        yield owner.image, faces.owner_face(owner.name)
    assert dilemmas.back is not None
    yield dilemmas.back, faces.card_back()
