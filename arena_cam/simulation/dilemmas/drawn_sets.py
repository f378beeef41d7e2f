"""Draws sets of dilemmas in styles unlike our own, as set folders."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pil
from PIL import ImageDraw, ImageFont

from arena_cam.domain.dilemma_sets import CardKind, DilemmaCard, DilemmaSet, Disc
from arena_cam.formats.dilemmas.dilemma_set_toml import dilemma_set_to_toml
from arena_cam.printing.dilemmas.faces import FONT_FILE, OWNER_COLOURS
from arena_cam.printing.dilemmas.texts import CardText, card_texts

Image8 = NDArray[np.uint8]
Rgb = tuple[int, int, int]

PX_MM = 10
KINDS = ("positive", "negative", "neutral")
TOKENS = ("yes", "no", "super_yes", "super_no", "back")
SIGNS = {
    "word": {"yes": "YES", "no": "NO", "super_yes": "YES", "super_no": "NO"},
    "letter": {"yes": "Y", "no": "N", "super_yes": "Y", "super_no": "N"},
    "mark": {"yes": "+", "no": "-", "super_yes": "+", "super_no": "-"},
}


@dataclass(frozen=True)
class Style:
    """The drawing of a set: sizes in mm, colours as red, green, blue; `kinds` and `tokens` in the order of KINDS and
    TOKENS. `head`: the print of a kind ("band", "frame", "corner", "side", "seal", "none"); `art`: "none", "shapes",
    "full", "dots" or "stripes"."""

    name: str
    size_mm: tuple[float, float]
    corner_mm: float
    paper: tuple[Rgb, Rgb, Rgb]
    ink: Rgb
    kinds: tuple[Rgb, Rgb, Rgb]
    head: str
    art: str
    words_mm: float
    words_at: float  # of the height
    token_mm: float
    tokens: tuple[Rgb, Rgb, Rgb, Rgb, Rgb]
    sign: str
    token_ink: Rgb
    ring: float  # of a token's radius, 0 for none
    owner_mm: float
    owner_plain: bool


BLACK: Rgb = (22, 20, 24)
WHITE: Rgb = (250, 250, 250)


def write_style(folder: Path, style: Style) -> DilemmaSet:
    """Writes a set folder in that style; the words are those of our own set in English."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = card_texts("en")
    made = _set(folder, style, texts)
    for card, text in zip(made.cards, texts, strict=True):
        cv2.imwrite(str(card.image), _card(style, text))
    for disc, colour in zip(made.tokens, style.tokens, strict=True):
        cv2.imwrite(str(disc.image), _round(_token(style, disc.name, colour)))
    for disc in made.owners:
        cv2.imwrite(str(disc.image), _round(_owner(style, OWNER_COLOURS[disc.name])))
    (folder / "deck.toml").write_text(dilemma_set_to_toml(made), encoding="utf-8")
    return made


def _set(folder: Path, style: Style, texts: tuple[CardText, ...]) -> DilemmaSet:
    return DilemmaSet(
        f"dilemmas-{style.name}",
        *style.size_mm,
        style.corner_mm,
        tuple(DilemmaCard(text.id, CardKind(text.kind), folder / f"{text.id}.png", text.text) for text in texts),
        tuple(Disc(kind, style.token_mm, folder / f"token-{kind}.png") for kind in TOKENS),
        tuple(Disc(colour, style.owner_mm, folder / f"owner-{colour}.png") for colour in OWNER_COLOURS),
    )


class _Sheet:
    """A picture drawn on in millimetres."""

    def __init__(self, size_mm: tuple[float, float], colour: Rgb) -> None:
        self.size_mm = size_mm
        self.picture = Pil.new("RGB", (round(size_mm[0] * PX_MM), round(size_mm[1] * PX_MM)), colour)
        self.draw = ImageDraw.Draw(self.picture)

    def box(self, low: tuple[float, float], high: tuple[float, float], colour: Rgb) -> None:
        self.draw.rectangle([low[0] * PX_MM, low[1] * PX_MM, high[0] * PX_MM, high[1] * PX_MM], fill=colour)

    def disc(self, at: tuple[float, float], radius: float, colour: Rgb) -> None:
        (x, y), r = (at[0] * PX_MM, at[1] * PX_MM), radius * PX_MM
        self.draw.ellipse([x - r, y - r, x + r, y + r], fill=colour)

    def shape(self, at: tuple[float, float], radius: float, corners: int, turn: float, colour: Rgb) -> None:
        angle = turn + np.arange(corners) * 2 * np.pi / corners
        points = [((at[0] + radius * np.cos(a)) * PX_MM, (at[1] + radius * np.sin(a)) * PX_MM) for a in angle]
        self.draw.polygon(points, fill=colour)

    def words(self, text: str, at: tuple[float, float], height: float, colour: Rgb, room_mm: float = 1e9) -> None:
        font = ImageFont.truetype(str(FONT_FILE), round(height * PX_MM))
        lines: list[str] = []
        for word in text.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and font.getlength(longer) < room_mm * PX_MM:
                lines[-1] = longer
            else:
                lines.append(word)
        for k, line in enumerate(lines):
            y = at[1] + (k - (len(lines) - 1) / 2) * height * 1.25
            self.draw.text((at[0] * PX_MM, y * PX_MM), line, font=font, fill=colour, anchor="mm")

    @property
    def bgr(self) -> Image8:
        return np.ascontiguousarray(np.asarray(self.picture, np.uint8)[:, :, ::-1])


def _card(style: Style, text: CardText) -> Image8:
    width, height = style.size_mm
    kind = KINDS.index(text.kind)
    colour, paper = style.kinds[kind], style.paper[kind]
    sheet = _Sheet(style.size_mm, paper)
    rng = np.random.default_rng([kind, text.number])
    if style.art in ("dots", "stripes"):
        _pattern(sheet, style.art, paper, colour)
        sheet.box((7, height * (style.words_at - 0.2)), (width - 7, height * (style.words_at + 0.2)), paper)
    if style.art == "full":
        _picture(sheet, rng, paper, colour)
        sheet.box((4, height * 0.56), (width - 4, height - 5), WHITE)
    _head(sheet, style, kind)
    if style.art == "shapes":
        for _ in range(4):
            at = (width * float(rng.uniform(0.25, 0.75)), height * float(rng.uniform(0.65, 0.85)))
            sheet.shape(
                at, width * float(rng.uniform(0.06, 0.13)), int(rng.integers(3, 7)), float(rng.uniform(0, 6)), colour
            )
    sheet.words(text.text, (width / 2, height * style.words_at), style.words_mm, style.ink, width - 9.0)
    return sheet.bgr


def _head(sheet: _Sheet, style: Style, kind: int) -> None:
    width, height = style.size_mm
    colour, paper = style.kinds[kind], style.paper[kind]
    if style.head == "band":
        sheet.box((0, 0), (width, 0.15 * height), colour)
        sheet.words("+-o"[kind], (width / 2, 0.07 * height), 9.0, paper)
    elif style.head == "frame":
        sheet.box((2.5, 2.5), (width - 2.5, height - 2.5), colour)
        sheet.box((4.0, 4.0), (width - 4.0, height - 4.0), paper)
        sheet.words("+-o"[kind], (width / 2, 0.88 * height), 10.0, colour)
    elif style.head == "corner":
        sheet.disc((8.0, 8.0), 4.0, colour)
        sheet.words("+-o"[kind], (width - 8.0, height - 8.0), 8.0, colour)
    elif style.head == "side":
        sheet.box((0, 0), (5.0, height), colour)
        for part in (0.2, 0.5, 0.8):
            sheet.words("+-o"[kind], (2.5, part * height), 5.0, paper)
    elif style.head == "seal":
        sheet.disc((width / 2, 0.12 * height), 0.08 * height, colour)
        sheet.words("+-o"[kind], (width / 2, 0.115 * height), 8.0, paper)


def _pattern(sheet: _Sheet, art: str, paper: Rgb, colour: Rgb) -> None:
    """The same small figures all over every card of a kind: they tell the kind, and no card."""
    width, height = sheet.size_mm
    pale = (
        round(0.6 * paper[0] + 0.4 * colour[0]),
        round(0.6 * paper[1] + 0.4 * colour[1]),
        round(0.6 * paper[2] + 0.4 * colour[2]),
    )
    for y in np.arange(3.0, height, 6.0):
        if art == "stripes":
            sheet.box((0, float(y)), (width, float(y) + 2.0), pale)
            continue
        for x in np.arange(3.0 + 3.0 * (round(float(y)) % 4 == 1), width, 6.0):
            sheet.disc((float(x), float(y)), 1.1, pale)


def _picture(sheet: _Sheet, rng: np.random.Generator, paper: Rgb, colour: Rgb) -> None:
    """Overlapping shapes in the colours of the kind, over the whole card."""
    width, height = sheet.size_mm
    for _ in range(26):
        mix = float(rng.uniform(0, 1))
        r, g, b = (
            int(np.clip(p * mix + c * (1 - mix) + rng.normal(0, 18), 0, 255))
            for p, c in zip(paper, colour, strict=True)
        )
        at = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
        sheet.shape(at, float(rng.uniform(4, 16)), int(rng.integers(3, 8)), float(rng.uniform(0, 6)), (r, g, b))


def _token(style: Style, kind: str, colour: Rgb) -> _Sheet:
    middle, radius = (style.token_mm / 2, style.token_mm / 2), style.token_mm / 2
    sheet = _Sheet((style.token_mm, style.token_mm), colour)
    if style.ring:
        sheet.disc(middle, radius * style.ring, style.token_ink)
        sheet.disc(middle, radius * (style.ring - 0.07), colour)
    if kind == "back":
        sheet.disc(middle, radius * 0.3, style.token_ink)
        return sheet
    if kind.startswith("super"):
        sheet.shape(middle, radius * 0.78, 5, -np.pi / 2, style.token_ink)
        sheet.disc(middle, radius * 0.5, colour)
    sign = SIGNS[style.sign][kind]
    high = radius * (0.95 if len(sign) == 1 else 0.55) * (0.75 if kind.startswith("super") else 1.0)
    sheet.words(sign, middle, high, style.token_ink)
    return sheet


def _owner(style: Style, colour: Rgb) -> _Sheet:
    sheet = _Sheet((style.owner_mm, style.owner_mm), colour)
    if not style.owner_plain:
        middle, radius = (style.owner_mm / 2, style.owner_mm / 2), style.owner_mm / 2
        light = sum(colour) > 380
        line: Rgb = BLACK if light else WHITE
        sheet.disc(middle, radius * 0.6, line)
        sheet.disc(middle, radius * 0.5, colour)
    return sheet


def _round(sheet: _Sheet) -> Image8:
    """A round piece, (h, w, 4): transparent outside its circle."""
    side = sheet.picture.width
    at = np.arange(side) + 0.5 - side / 2
    opacity = np.clip((side / 2 - np.hypot(at[:, None], at[None])) * 255, 0, 255).astype(np.uint8)
    return np.dstack([sheet.bgr, opacity])
