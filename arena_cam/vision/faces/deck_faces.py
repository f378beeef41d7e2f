"""The deck's own pictures, prepared for comparison: every face as arrays on one grid of millimetres.

Card frame: millimetres from the card's middle, x right and y up on the card upright. Grids are rows from the top.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import cv2
import numpy as np
from numpy.typing import NDArray

from arena_cam.camera.decoding import decode_picture
from arena_cam.domain.cards import Deck
from arena_cam.domain.errors import BadDeck, BadPicture
from arena_cam.formats.messages import SetTrouble
from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.picture_cache import PictureCache, Stack, fingerprint
from arena_cam.vision.faces.printed_frame import frame_mm
from arena_cam.vision.faces.softness import LUMA
from arena_cam.vision.picture.robust import median

Grid = NDArray[np.float32]
T = TypeVar("T")

BACK = "<back>"  # the name of a deck's back among its faces


@dataclass(frozen=True, eq=False)
class FaceGrid:
    """All faces of a deck sampled at `px_per_mm`.

    `small_of` gives a face (H, W, 3) in 0..255, `back` is the number of the one that is a back; `mask` (H, W) is true
    on the card (rounded corners are not), and `inner` (H, W) where nothing of what lies beside the card is mixed into
    what a camera sees; `x_mm`, `y_mm` (H, W) are the grid's points in the card frame.
    """

    px_per_mm: float
    small_of: Callable[[int], NDArray[Any]]
    back: int | None
    mask: NDArray[np.bool_]
    x_mm: Grid
    y_mm: Grid
    inner: NDArray[np.bool_]
    _grey: dict[int, Grid] = field(default_factory=dict)

    @cached_property
    def places(self) -> Array:
        """The points (3, H * W), row by row: x, y in mm on the card, and 1."""
        return np.stack([self.x_mm.ravel(), self.y_mm.ravel(), np.ones(self.x_mm.size)]).astype(np.float64)

    def bgr_of(self, face: int) -> Grid:
        """A face (H, W, 3) in colour, blurred for that sampling. Of 51 faces at three scales it would take 25 MB."""
        return _blurred(self.small_of(face))

    def grey_of(self, face: int) -> Grid:
        """A face (H, W) in grey, blurred for that sampling, as light. Made once: few faces of a deck lie on a table."""
        if face not in self._grey:
            blurred = _blurred if face == self.back else _mixed_as_light
            self._grey[face] = blurred(self.small_of(face)) @ LUMA.astype(np.float32)
        return self._grey[face]


@dataclass(eq=False)
class _Pictures:
    """What all DeckFaces of one deck share; it holds the deck, so that the deck's id is nobody else's meanwhile.

    `sampled` holds pictures made small already, by their scale, until their grid is made; `finely` the faces (N, H, W)
    in grey, once they are asked for, and `kept` gives them if they are kept somewhere.
    """

    deck: Deck
    pictures: list[NDArray[np.uint8]]
    sampled: dict[float, Stack]
    kept: Callable[[], Stack | None] = lambda: None
    finely: Stack | None = None
    grids: dict[float, FaceGrid] = field(default_factory=dict)
    making: Lock = field(default_factory=Lock)
    made: WeakValueDictionary[Callable[[DeckFaces], Any], Any] = field(default_factory=WeakValueDictionary)
    sharing: Lock = field(default_factory=Lock)


# The scales at which cards over a table are compared. Once these grids are made the pictures themselves, 30 MB, are let
# go. Coarse grids are made from the finest of these; for any other scale the pictures are read again.
_TABLE_PX_PER_MM = frozenset((1.0, 1.5, 2.0))
_FINEST, _COARSE = 2.0, 0.5
# The scale at which faces are drawn into a picture: a sharp lens shows edges that half a millimetre mixes. In colour it
# would take twice the memory of all other scales together; grey takes three quarters of it.
FINELY_PX_PER_MM = 4.0
# Grey levels by which a face is unlike the nearest other: by so much cameras, light and print make even the right face
# look otherwise over its area. Of eleven decks nine have 0.2 to 10.8, the two that features read well 17 and 23. Of 20
# pictures of the one with 10.8 (pips) features gave 100 % of the landings, outlines 93 %; of that with 2.6 (nearly
# blank) features named 57 % and outlines 83 %. Decks between 2.6 and 10.8 were not measured both ways.
_ALIKE_LEVELS = 8.0
_SAME_FRAME_MM = 0.75  # half as far as a line is followed that lies beside where it is looked for
_loading = Lock()
_loaded: WeakValueDictionary[int, _Pictures] = WeakValueDictionary()


class DeckFaces:
    """A deck's pictures in memory. `names` are the cards' ids in the deck's order, then BACK if the deck has one; what
    else comes of the pictures alone may be kept in `cache`.

    All DeckFaces of one Deck (the eye's, and one for every throw judged again) share the pictures.
    """

    def __init__(self, deck: Deck, cache: PictureCache | None = None) -> None:
        """Reads the pictures, or what `cache` keeps of the very same ones.

        Raises BadDeck naming the picture that cannot be read.
        """
        self.deck, self.cache = deck, cache
        self.names: tuple[str, ...] = tuple(card.id for card in deck.cards) + ((BACK,) if deck.back else ())
        with _loading:
            shared = _loaded.get(id(deck))
            if shared is None:
                shared = _Pictures(deck, _read_all(deck), {}) if cache is None else _prepared(deck, cache)
                _loaded[id(deck)] = shared
        self._shared = shared

    def index(self, name: str) -> int:
        """Place of the face `name` in every grid."""
        return self.names.index(name)

    def shared(self, make: Callable[[DeckFaces], T]) -> T:
        """What `make` makes of this deck: one for all its DeckFaces, for as long as somebody holds it.

        It must be the same whoever uses it, and whatever it was asked before.
        """
        with self._shared.sharing:
            found: T | None = self._shared.made.get(make)
            if found is None:
                found = make(self)
                self._shared.made[make] = found
        return found

    @property
    def is_square(self) -> bool:
        """Whether the sides of a card do not tell it from one that is turned by a quarter."""
        return abs(self.deck.width_mm - self.deck.height_mm) < _AS_LONG_MM

    @cached_property
    def are_alike(self) -> bool:
        """Whether most faces differ little from some other face over the whole card: nearly blank faces, one picture
        for each colour, one pattern for all. Then neither features nor a residual over the whole face tell which card
        lies where; outlines and small figures must."""
        grid = self.grid(1.0)
        inner = grid.inner[::3, ::3]
        some = np.stack([grid.grey_of(face)[::3, ::3][inner] for face in range(len(self.names))]).astype(np.float64)
        if not some.size:  # cards too small to have a middle at this scale
            return False
        squares = (some * some).mean(axis=1)
        apart = squares[:, None] + squares - 2.0 * some @ some.T / some.shape[1]
        apart.flat[:: len(apart) + 1] = np.inf
        return len(apart) > 1 and median(apart.min(axis=1)) < _ALIKE_LEVELS**2

    @cached_property
    def frames_mm(self) -> tuple[tuple[float, float], ...]:
        """How far inside a card's sides most faces have a frame printed, and the back: across and along, 0 where there
        is no line along these sides. Each frame once."""
        grid = self.grid(_FINEST)
        faces = frame_mm((grid.bgr_of(face) for face in range(len(self.names)) if face != grid.back), _FINEST)
        back = frame_mm([] if grid.back is None else [grid.bgr_of(grid.back)], _FINEST)
        alike = max(abs(one - other) for one, other in zip(faces, back, strict=True)) < _SAME_FRAME_MM
        return tuple(frame for frame in ((faces,) if alike else (faces, back)) if any(frame))

    def grid(self, px_per_mm: float) -> FaceGrid:
        """All faces sampled at `px_per_mm`, made once."""
        shared = self._shared
        if px_per_mm not in shared.grids:
            finer = self.grid(_FINEST) if px_per_mm <= _COARSE else None
            with shared.making:
                if px_per_mm not in shared.grids:
                    shared.grids[px_per_mm] = self._make_grid(px_per_mm, self._small(px_per_mm, finer))
                if shared.grids.keys() >= _TABLE_PX_PER_MM and shared.pictures:
                    shared.finely = _in_grey(shared.pictures, self.deck)
                    shared.pictures = []
        return shared.grids[px_per_mm]

    def finely(self, face: int) -> NDArray[np.uint8]:
        """A face (H, W) in grey at FINELY_PX_PER_MM, each point the mean of its part of the picture."""
        shared = self._shared
        with shared.making:
            if shared.finely is None:
                shared.finely = shared.kept()
            if shared.finely is None:
                shared.finely = _in_grey(shared.pictures or _read_all(self.deck), self.deck)
        return np.asarray(shared.finely[face], np.uint8)

    def _small(self, px_per_mm: float, finer: FaceGrid | None) -> Callable[[int], NDArray[Any]]:
        """What gives the faces (H, W, 3) at that scale: few are ever asked for at a coarse one, made of a `finer`."""
        shared, size = self._shared, _size(self.deck, px_per_mm)
        if finer is not None:
            return lru_cache(None)(lambda face: cv2.resize(finer.bgr_of(face), size, interpolation=cv2.INTER_AREA))
        small = shared.sampled.pop(px_per_mm, None)
        if small is None:
            shared.pictures = shared.pictures or _read_all(self.deck)
            small = _resized(shared.pictures, self.deck, px_per_mm)
        return small.__getitem__

    def _make_grid(self, px_per_mm: float, small_of: Callable[[int], NDArray[Any]]) -> FaceGrid:
        """`small_of` gives a face (H, W, 3) resized to that scale."""
        deck = self.deck
        width, height = _size(deck, px_per_mm)
        x = (np.arange(width, dtype=np.float32) + 0.5) * (deck.width_mm / width) - deck.width_mm / 2
        y = deck.height_mm / 2 - (np.arange(height, dtype=np.float32) + 0.5) * (deck.height_mm / height)
        x_mm, y_mm = np.meshgrid(x, y)
        back = self.names.index(BACK) if BACK in self.names else None
        inner = _on_card(x_mm, y_mm, deck, _RIM_MM)
        return FaceGrid(px_per_mm, small_of, back, _on_card(x_mm, y_mm, deck), x_mm, y_mm, inner)


def _blurred(face: NDArray[Any]) -> Grid:
    """INTER_AREA averages over one grid step; a camera blurs a little more than that (optics, demosaicing)."""
    return np.asarray(cv2.GaussianBlur(face.astype(np.float32), (0, 0), _SOFT_PX), np.float32)


def _mixed_as_light(face: NDArray[Any]) -> Grid:
    """A face blurred as a lens blurs it: the light is mixed, and only then made a value, about its square root. A dark
    figure on white paper is seen smaller than its mean values have it. Of two or three figures in a row that tells a
    tilt: with values mixed, flat cards seemed to be tilted by 4 to 6 degrees.

    A back is blurred as values (`_blurred`): its pattern covers all of it, so that no figure's size tells a tilt, and
    stripes finer than the grid are mixed as values already when the picture is resized; as light, a back of fine
    stripes was not found. Colour is blurred as values, too: pictures keep it at half the scale, in values. As light,
    thin figures were given the wrong colour: of a nearly blank deck 94.6 % were named and 60 % of the pictures sure,
    96.8 and 85 % as values."""
    light = face.astype(np.float32) ** 2
    return np.asarray(np.sqrt(cv2.GaussianBlur(light, (0, 0), _SOFT_PX)), np.float32)


_SOFT_PX = 0.6  # of the grid, standard deviation


def _prepared(deck: Deck, cache: PictureCache) -> _Pictures:
    """The pictures at the scales that a table needs."""
    files = [(file, _bytes(file)) for file in _files(deck)]
    sizes = {str(px_per_mm): _size(deck, px_per_mm) for px_per_mm in sorted(_TABLE_PX_PER_MM)}
    scales = sorted(_TABLE_PX_PER_MM | {FINELY_PX_PER_MM})
    key = fingerprint((data for _, data in files), [deck.width_mm, deck.height_mm, *scales])
    kept = cache.load(key, {name: (len(files), height, width, 3) for name, (width, height) in sizes.items()})
    if kept is None:
        pictures = [_decoded(file, data, deck) for file, data in files]
        kept = {str(px_per_mm): _resized(pictures, deck, px_per_mm) for px_per_mm in _TABLE_PX_PER_MM}
        cache.save(key, kept | {_IN_GREY: _in_grey(pictures, deck)})
    shape = len(files), *reversed(_size(deck, FINELY_PX_PER_MM))

    def finely() -> Stack | None:
        found = cache.load(key, {_IN_GREY: shape})
        return None if found is None else found[_IN_GREY]

    return _Pictures(deck, [], {float(name): stack for name, stack in kept.items()}, finely)


_IN_GREY = "grey"  # the name under which faces in grey are kept


def _in_grey(pictures: Sequence[NDArray[Any]], deck: Deck) -> Stack:
    """Pictures (N, H, W) in grey at FINELY_PX_PER_MM."""
    greys = [cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in pictures]
    return np.asarray(_resized(greys, deck, FINELY_PX_PER_MM), np.uint8)


def _resized(pictures: Sequence[NDArray[Any]], deck: Deck, px_per_mm: float) -> NDArray[Any]:
    """Pictures (faces, H, W, ...) at a scale, in their own type."""
    size = _size(deck, px_per_mm)
    return np.stack([cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in pictures])


def _size(deck: Deck, px_per_mm: float) -> tuple[int, int]:
    """(width, height) of a face at a scale."""
    return round(deck.width_mm * px_per_mm), round(deck.height_mm * px_per_mm)


def _files(deck: Deck) -> list[Path]:
    """The pictures of all cards, then of the back if the deck has one."""
    return [card.image for card in deck.cards] + ([deck.back] if deck.back else [])


def _read_all(deck: Deck) -> list[NDArray[np.uint8]]:
    return [_decoded(file, _bytes(file), deck) for file in _files(deck)]


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise BadDeck(SetTrouble.PICTURE_NOT_READ(text=error.strerror), about=file) from None


def _decoded(file: Path, data: bytes, deck: Deck) -> NDArray[np.uint8]:
    try:
        picture = decode_picture(data, str(file))
    except BadPicture as error:
        raise BadDeck(error.said, about=file) from None
    return _shrunk(picture, deck)


def _shrunk(picture: NDArray[np.uint8], deck: Deck) -> NDArray[np.uint8]:
    """The picture at 6 px/mm at most: more than any camera of ours resolves, and it keeps a deck within 100 MB."""
    most = round(deck.width_mm * 6)
    if picture.shape[1] <= most:
        return picture
    size = (most, round(deck.height_mm * 6))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


# A camera that sees a millimetre in one and a half to two pixels mixes so much of what lies beside a card into its rim,
# and a card is laid a little beside its place. Of a blank face the rim would be all that looks otherwise.
_RIM_MM = 1.2
_AS_LONG_MM = 1.5  # outlines are known to half a millimetre, and are followed from farther off


def _on_card(x_mm: Grid, y_mm: Grid, deck: Deck, rim_mm: float = 0.0) -> NDArray[np.bool_]:
    """True where a point lies on the card, the rounded corners cut off, and `rim_mm` from its edge. What is left of
    corners that are rounded by less than that is square."""
    radius = max(deck.corner_radius_mm - rim_mm, 0.0)
    dx = np.maximum(np.abs(x_mm) - (deck.width_mm / 2 - rim_mm - radius), 0.0)
    dy = np.maximum(np.abs(y_mm) - (deck.height_mm / 2 - rim_mm - radius), 0.0)
    within = np.hypot(dx, dy) <= radius + 1e-6
    return np.asarray(within)
