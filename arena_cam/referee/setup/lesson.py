"""A deck in the making: which cards are missing, what is known of a picture that was taken, and the keeping of it.

Each card lay elsewhere under the lamp. What the deck's pictures have in common tells how, and that takes seconds: it is
done over all of them when the last card is there, or when somebody stops (`as_taken`, `all_in_one_light`, `improve`).

Both conversations are held with it: the one at the terminal (`arena-cam deck learn`) and the one on the pages.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from arena_cam.camera.folder import read_picture
from arena_cam.camera.frame import Image
from arena_cam.domain.errors import BadInput
from arena_cam.formats.card_names import BACK_NAME, named_card
from arena_cam.formats.deck_folder import TAKEN, DeckFolder
from arena_cam.referee.setup.messages import SetupRefusal
from arena_cam.vision.deck_learning.card_taker import TakenCard
from arena_cam.vision.deck_learning.one_light.all_faces import Tell, as_one_scan
from arena_cam.vision.deck_learning.one_light.veil import AT_TABLE
from arena_cam.vision.deck_learning.printed_marks import printed_marks
from arena_cam.vision.deck_learning.recognition import KnownFaces, colour_name
from arena_cam.vision.deck_learning.straightening import PX_PER_MM, picture_size, png_of, trimmed
from arena_cam.vision.picture.qr_codes import codes_in

# A blurred edge reaches so far into the card, in widths of the edge; see photographed_deck.
RIM_EDGES, LEAST_RIM_MM, MOST_RIM_MM = 0.6, 0.1, 0.5
USUAL_RADIUS_MM = 3.0
# To lay a card, let go, wait for its picture and take it away: an estimate, not measured.
SECONDS_A_CARD = 6


class Lesson:
    """What is there of a deck, and what is not. Not for several threads at once."""

    def __init__(
        self,
        folder: DeckFolder,
        names: Sequence[str],
        *,
        back: bool = True,
        again: Collection[str] = (),
        radius_mm: float | None = None,
    ) -> None:
        """`again` are cards to learn anew; `radius_mm` that of the corners, None to measure it.

        Raises BadInput where `again` names no card of the deck.
        """
        self.folder, self.names = folder, tuple(names)
        self._radius_mm = radius_mm
        self._radii: list[float] = []
        self._known: KnownFaces | None = None
        self._again = set(again)
        self._kept = set[str]()  # since all pictures were brought into one light
        wanted = self._wanted = [*names, BACK_NAME] if back else [*names]
        unknown = self._again - set(wanted)
        if unknown:
            raise BadInput(SetupRefusal.AGAIN(name=sorted(unknown)[0]))
        self.missing = [name for name in wanted if name in self._again or not folder.has(name)]
        self.uneven = folder.uneven
        self._read: dict[str, str] = {}  # what was brought into one light last

    @property
    def total(self) -> int:
        """How many cards there will be, with the back where that is wanted."""
        return len(self._wanted)

    @property
    def learned(self) -> int:
        return self.total - len(self.missing)

    @property
    def minutes(self) -> int:
        """How long those that are missing will take, by estimate."""
        return max(1, round(len(self.missing) * SECONDS_A_CARD / 60))

    def free(self, name: str) -> bool:
        """Whether the card may be put in without replacing one that is to stay."""
        return not self.folder.has(name) or name in self._again

    def learn_again(self, name: str) -> None:
        """Wants this card anew. Raises KeyError where it is no card of the deck."""
        if name not in self._wanted:
            raise KeyError(name)
        self._again.add(name)
        self.missing = [each for each in self._wanted if each in self._again or each in self.missing]

    def measured(self, card: TakenCard) -> tuple[float, float] | None:
        """The size of the cards if this one tells it, being the first; None where it was known."""
        if self.folder.size_mm is not None:
            return None
        self.folder.size_mm = (round(card.size_mm[0], 1), round(card.size_mm[1], 1))
        return self.folder.size_mm

    def learned_before(self, image: Image) -> str | None:
        """The card that is learned already, and shall not be learned anew, that the picture (H, W, 3) shows."""
        before = self._known_faces().same_as(image)
        return before if before is not None and before not in self._again else None

    def name_read(self, image: Image) -> str | None:
        """The name that the card's code says."""
        read = [named_card(text.rpartition(":")[2], self.names) for text in codes_in(image)]
        return read[0] if len(set(read)) == 1 else None

    def colour(self, image: Image) -> str | None:
        """The deck's colour that most of the picture has; None where none stands out."""
        return colour_name(image, sorted({name.rpartition("-")[0] for name in self.names if "-" in name}))

    def keep(self, name: str, image: Image, card: TakenCard) -> None:
        """Puts the picture (H, W, 3) of a taken card, the right way up, into the folder under that name.

        Raises CannotDo where it cannot be written.
        """
        if card.radius_mm is not None:
            self._radii.append(card.radius_mm)
        radius = self._radius()
        rim = min(max(RIM_EDGES * card.edge_px / card.px_per_mm, LEAST_RIM_MM), MOST_RIM_MM)
        face = trimmed(image, radius, rim)
        self.folder.put(name, png_of(face), radius, *printed_marks(face), taken=True)
        self._kept.add(name)
        self.uneven = True
        self._known_faces().add(name, image)
        self._again.discard(name)
        if name in self.missing:
            self.missing.remove(name)

    def as_taken(self) -> dict[str, Image]:
        """All pictures (H, W, 3) taken at the table, as they were taken, by name, to be brought into one light."""
        self.uneven = False
        self._kept.clear()
        self._read = self.folder.fingerprints()
        if self.folder.size_mm is None:
            return {}
        size = picture_size(*self.folder.size_mm)  # of the first card's picture, measured, it was rounded afterwards
        faces = {name: read_picture(file) for name, file in self.folder.taken().items()}
        return {name: np.asarray(cv2.resize(face, size), np.uint8) for name, face in faces.items()}

    def improve(self, faces: Mapping[str, Image]) -> None:
        """Puts faces (H, W, 3) that are in one light in place of those taken, but for cards that were taken meanwhile.

        Raises CannotDo where one cannot be written: it stays as it was taken.
        """
        for name, face in faces.items():
            if name not in self._kept:
                self.folder.improve(name, png_of(face))
        self.folder.lit(self._read)

    def _known_faces(self) -> KnownFaces:
        if self._known is None:
            assert self.folder.size_mm is not None  # measured before the first card is looked up
            self._known = KnownFaces(*self.folder.size_mm)
            taken = self.folder.taken()
            for name in (*self.folder.cards, BACK_NAME):
                picture = taken.get(name) or self.folder.picture(name)
                if picture is not None:
                    self._known.add(name, read_picture(picture))
        return self._known

    def _radius(self) -> float:
        if self._radius_mm is not None:
            return float(self._radius_mm)
        return round(float(np.median(self._radii)), 1) if self._radii else USUAL_RADIUS_MM


def all_in_one_light(taken: Mapping[str, Image], tell: Tell = lambda _: None) -> dict[str, Image]:
    """Faces (H, W, 3) of one size in one light, by name: seconds of work; `tell` hears how far it is, from 0 to 1."""
    return dict(zip(taken, as_one_scan([*taken.values()], PX_PER_MM, AT_TABLE, tell), strict=True))


def unfinished(folder: Path) -> DeckFolder | None:
    """The deck in `folder` where it was learned at the table, and the program that learned it was ended before its
    pictures were brought into one light; None where nothing is to be done, or no deck can be read."""
    if not (folder / TAKEN).is_dir():
        return None
    try:
        deck = DeckFolder(folder, None)
    except BadInput:
        return None
    return deck if deck.uneven else None


def finish(deck: DeckFolder, tell: Tell = lambda _: None) -> None:
    """Brings the pictures of an `unfinished` deck into one light: seconds, `tell` hears how far it is. Raises CannotDo
    where they cannot be written."""
    lesson = Lesson(deck, deck.cards, back=False)
    lesson.improve(all_in_one_light(lesson.as_taken(), tell))
