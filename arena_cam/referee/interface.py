"""The interface of a running session for pages and other front ends: plain JSON-ready dictionaries.

Everything here is data or a promise; nothing runs. `Session` in session.py keeps the promise. README.md in this folder
says how the parts play together, with an example of a whole snapshot.

Texts are plain English; wherever one may be shown in another language there is a stable `code` and the words that go
into the sentence (`params`) beside it. Times: `*_s` are seconds; `at` and `since` are seconds since 1970 (UTC).
Lengths are millimetres in the world frame, pixels are (x, y) in the delivered picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol, TypedDict

Mode = Literal["automatic", "confirm_unsure", "confirm_always"]
MODES: tuple[Mode, ...] = ("automatic", "confirm_unsure", "confirm_always")
# What can be drawn over the live picture.
LAYERS = ("outlines", "names", "tilt", "boundary", "fiducials", "setup")


class EyeSnapshot(TypedDict):
    """The eye's state. `state`: armed, settling, decided, blind. `why` says in English why it is blind or what it
    waits for, `doubts` the same as {code, params} (domain/doubts.py)."""

    state: str
    since: float
    why: str
    doubts: list[dict[str, Any]]


class CameraSnapshot(TypedDict):
    """`connected` is false while the camera is lost and being tried again; `fps` is measured over the last seconds."""

    source: str
    connected: bool
    why: str
    width: int
    height: int
    fps: float
    nominal_fps: float
    frames: int
    dropped: int
    frozen: bool
    live: bool


class ArenaSnapshot(TypedDict):
    """The tray and the deck's cards, for the drawing from above. None of it changes during a session."""

    inner_mm: list[float]
    wall_height_mm: float
    wall_thickness_mm: float
    deck: str
    card_width_mm: float
    card_height_mm: float
    card_corner_radius_mm: float
    fiducials_mm: dict[str, list[float]]
    fiducial_size_mm: float


class MessageJson(TypedDict):
    """A message as JSON (domain/messages.py)."""

    code: str
    params: dict[str, Any]


class VerdictPreview(TypedDict):
    """The ruling on a card if the arena were closed now; `code` as in the record, `said` the message."""

    code: str
    text: str
    said: MessageJson | None


class CardSnapshot(TypedDict):
    """One card on the table now, bottom to top in `order`. Keys as in `Lie`; `name` is the record's name for it.

    `in_round` is false for a card that the game does not speak of (left over, being swept, thrown too late).
    `thrown_by` is a player's name, `line` the record's line of its throw, `throw` the id of its evidence.
    """

    key: str
    name: str
    card: str | None
    face: str
    landing: str | None
    confidence: float
    landing_probabilities: list[tuple[str, float]]
    tilt_deg: float | None
    tilt_sd_deg: float | None
    angle_deg: float
    centre_mm: list[float] | None
    corners_mm: list[list[float]] | None
    corners_px: list[list[float]]
    rests_on: list[str]
    order: int
    visible_fraction: float
    sure: bool
    why_unsure: list[str]
    doubts: list[dict[str, Any]]
    other_names: list[tuple[str, float]]
    in_round: bool
    is_challenge: bool
    thrown_by: str | None
    line: int | None
    throw: str | None
    corrected: bool
    verdict: VerdictPreview | None


class PlayerSnapshot(TypedDict):
    """One player in seat order. A game's part adds what only its players have."""

    name: str
    points: int


class RulingSnapshot(TypedDict):
    """One ruling of the engine. `code`, `line` and the other keys as in the game record; `rule` names its source.

    `said` is the ruling as a message, None in what older versions kept; `text` is its English. `details` holds the
    code's own keys (`card`, `player`, `thrown`, `cards`, `lost_block`, `amends`).
    """

    line: int
    code: str
    card: str | None
    player: str | None
    text: str
    rule: str
    said: MessageJson | None
    details: dict[str, Any]


class GameSnapshot(TypedDict):
    """The game being refereed. `awaiting` as in its game record.

    `rulings` are those of the round being played, or of the one just ended until the next begins. `choices_made` names
    who has chosen in secret, never what. `hint` says in a code and a sentence what the table is waiting for.
    `may_choose` lists for each who must still choose in secret what may be chosen. `why_over` says why the game is
    over, None until it is. `earned` lists for each what the rounds brought, once the game is over or ended. A game's
    part adds what only that game has (games/<game>/values.py).
    """

    id: str
    name: str
    game: str
    options: dict[str, Any]
    lines: int
    awaiting: str
    round: int
    players: list[PlayerSnapshot]
    rulings: list[RulingSnapshot]
    over: bool
    ended: bool
    winners: list[str]
    choices_made: list[str]
    may_choose: dict[str, list[str]]
    hint: Phrase | None
    why_over: Phrase | None
    earned: dict[str, list[int]]


class Phrase(TypedDict):
    """A sentence with its stable code and the words in it, so that it can be said in another language."""

    code: str
    text: str
    params: dict[str, Any]


class Countdown(TypedDict):
    """The quiet time that closes the challenge. `running` is false while something moves or a question is open."""

    seconds_left: float
    total: float
    running: bool


class Choice(TypedDict):
    """One answer to a question. `asks_card`: it needs a card's id as well (`Question.cards` offers them)."""

    id: str
    text: str
    code: str
    params: dict[str, Any]
    recommended: bool
    asks_card: bool


class Question(TypedDict):
    """The one question to the referee. Choices begin with what the camera thinks, then its second choices.

    `picture` is a path for `throw_picture`: (throw id, file name), or None where there is no picture.
    """

    id: str
    code: str
    text: str
    params: dict[str, Any]
    card: str | None
    line: int | None
    choices: list[Choice]
    cards: list[str]
    picture: list[str] | None
    blocking: bool
    asked_at: float


class Announcement(TypedDict):
    """An announcement, said aloud once: a page announces it if `id` is greater than the last it announced.

    `ruling` is what was decided, None where a correction decided nothing anew; `was` the ruling that a correction took
    back, None where it took none back; `winners` of a game that is over.
    """

    id: int
    kind: str
    lines: list[int]
    text: str
    at: float
    ruling: RulingSnapshot | None
    was: RulingSnapshot | None
    winners: list[str]


class Snapshot(TypedDict):
    """The whole state of the session for pages. `version` grows with every change."""

    version: int
    at: float
    mode: Mode
    paused: bool
    quiet_s: float
    eye: EyeSnapshot
    camera: CameraSnapshot
    arena: ArenaSnapshot | None
    cards: list[CardSnapshot]
    game: GameSnapshot | None
    countdown: Countdown | None
    question: Question | None
    questions_waiting: int
    announcement: Announcement | None
    warnings: list[Phrase]
    legal: list[str]


class ThrowSummary(TypedDict):
    """One throw of a game for the list: its verdict and a thumbnail's file name.

    `opens`: it is a challenge card, which opened a round. `kept` is false once room was made. `photo`: the file of the
    photograph that a person took, None for what an eye saw come to rest. `centre_mm`: where it lay, in the world frame.
    """

    id: str
    game: str
    line: int | None
    opens: bool
    round: int | None
    at: float
    card: str | None
    player: str | None
    landing: str | None
    face: str
    sure: bool
    confidence: float
    verdict: VerdictPreview | None
    rule: str
    corrected: bool
    pinned: bool
    kept: bool
    thumbnail: str | None
    frames: int
    photo: str | None
    centre_mm: list[float] | None


class ThrowDetail(ThrowSummary):
    """One throw with everything measured.

    `pictures` are file names in the order of time with `time_s`; `judged` the name of the frame judged, lossless.
    `reading` is the whole reading as JSON (formats/judgement.py: reading_to_json), `lie` that of this card.
    `rulings` are those that concern the throw, `amendments` the record's lines that corrected it.
    `before_judged` names the first picture, before the throw: with `judged` the before/after wipe.
    `frame_of_reference` holds `image_size` [width, height] in pixels and `table`, the table.json that it was judged
    with (not there if that was not kept); the pose is in `reading`.
    Of a photograph that a person took none of this is there, but `photo_reading`: what the game's eye said of it.
    `rules`: which game it is of, as a record's header has it.
    """

    pictures: list[dict[str, Any]]
    judged: str | None
    before_judged: str | None
    reading: dict[str, Any] | None
    lie: dict[str, Any] | None
    limits: dict[str, float]
    rulings: list[RulingSnapshot]
    amendments: list[dict[str, Any]]
    event: dict[str, Any] | None
    frame_of_reference: dict[str, Any]
    photo_reading: dict[str, Any] | None
    rules: str


class GameSummary(TypedDict):
    """One game of the history."""

    id: str
    name: str
    game: str
    started: float
    ended: float | None
    over: bool
    current: bool
    players: list[str]
    scores: dict[str, int]
    winners: list[str]
    rounds: int
    throws: int
    evidence_bytes: int


class GameDetail(GameSummary):
    """One game with its table. `points_by_round[i]` are the scores after round i+1, which ends with line
    `round_ends[i]`. `colours`: by player the colour that the record's header says, of those of whom it says one.

    `statistics` by player: duels, conflicts, throws, flat, points_per_duel. `log` is every line of the record with
    its rulings: {line, at, event, who, rulings, throw}.
    """

    options: dict[str, Any]
    colours: dict[str, str]
    state: dict[str, Any]
    points_by_round: list[dict[str, int]]
    round_ends: list[int]
    statistics: dict[str, dict[str, float]]
    rulings: list[RulingSnapshot]
    log: list[dict[str, Any]]


class PersonSummary(TypedDict):
    """A player over all evenings, in one kind of game. `points` is the mean of a game. `rating` is 1000 for a newcomer;
    19 times in 20 the strength lies within two `rating_sd` of it. `last` is when the last game began."""

    name: str
    games: int
    wins: int
    points: float
    rating: int
    rating_sd: int
    last: float


class PersonGame(TypedDict):
    """One game of a player's, with the rating after it (None where nobody else played)."""

    game: str
    started: float
    points: float
    place: int
    players: int
    rating: int | None


class PersonDetail(PersonSummary):
    """A player's profile. `played` is newest first; `against` has {name, games, before, level, behind} by opponent;
    `figures` are sums of what the kind of game counts; `landings` {x_mm, y_mm, landing, throw} of the latest games."""

    kind: str
    played: list[PersonGame]
    against: list[dict[str, Any]]
    figures: dict[str, float]
    landings: list[dict[str, Any]]


class LineDetail(TypedDict):
    """One line of a game's record, and what a correction of it may say.

    `event` is the line as it is read now, `written` as it was written; `named` are the names of the round's cards so
    far, `cards` every card that is played, `duellists` who chose in a duel. `current`: the game goes on, so the line
    can be corrected. `amendments` as in ThrowDetail. `may_come`: the kinds of events that could have happened just
    before the line, as in `game["may_play"]` of any game.
    """

    game: str
    line: int
    at: float
    who: str
    throw: str | None
    event: dict[str, Any]
    written: dict[str, Any]
    named: list[str]
    cards: list[str]
    duellists: list[str]
    rulings: list[RulingSnapshot]
    amendments: list[dict[str, Any]]
    current: bool
    may_come: list[dict[str, Any]]


class Message(TypedDict):
    """One server-sent event, serialised once for all viewers: `data` is the snapshot as JSON text on one line."""

    id: int
    kind: str
    data: str


class Subscription(Protocol):
    """One viewer's place at the one latest-state slot: a slow viewer skips to the newest, nothing queues up."""

    def next(self, timeout_s: float) -> Message | None:
        """The newest state if it is newer than the last one taken, waiting up to `timeout_s`; None if there was none.

        None is the moment to send a comment that keeps the line open. The first call answers at once.
        """
        ...

    @property
    def closed(self) -> bool:
        """True once the session has ended: the stream should end too."""
        ...

    def close(self) -> None: ...


class SessionPort(Protocol):
    """A running session. Every method may be called from any thread; none waits for the camera.

    Methods that name something that is not there raise Refused with code `unknown`.
    """

    def snapshot(self) -> Snapshot: ...

    def subscribe(self, last_id: int = -1) -> Subscription:
        """A place at the latest-state slot. `last_id` is the last event id the viewer has had (Last-Event-ID)."""
        ...

    def latest_jpeg(self, layers: tuple[str, ...] = ()) -> bytes | None:
        """The newest picture as JPEG with `layers` drawn on it; None before the first frame.

        Layers: outlines, names, tilt, boundary, fiducials. Encoded once a frame and set of layers, only when asked.
        """
        ...

    def wait_jpeg(self, after: int, timeout_s: float, layers: tuple[str, ...] = ()) -> tuple[int, bytes] | None:
        """The newest picture with its number if that is greater than `after`; None after `timeout_s` without one."""
        ...

    def card_picture(self, card: str) -> bytes | None:
        """A card of the deck in use, "back" its back, as a small JPEG; None where there is none."""
        ...

    def legal_actions(self) -> list[str]:
        """The actions that would not be refused for the state of the game now."""
        ...

    def act(self, action: str, args: Mapping[str, Any], who: str) -> dict[str, Any]:
        """Does what a person asks; `who` goes into the log. Returns what README.md says for the action.

        When it returns, what it did is on disk. Raises Refused(code, message) and leaves everything as it was:
        `unknown` (no such action, game, card, line), `bad_argument`, `not_now`, `not_yours`, `no_life_block`,
        `impossible` (the rules say why), `disk_full`.
        """
        ...

    def take_photo(self, content: bytes, player: str | None, who: str) -> dict[str, Any]:
        """Takes in a photograph that `player` took: {photo: its name among the throws, read, again}.

        It is on disk when this returns; the same bytes are taken in once (`again`). `read` is false where it is kept
        and could not be read. Refused `bad_argument` for what is no photograph, `not_now`, `disk_full`: nothing kept.
        """
        ...

    def photograph(self, who: str) -> dict[str, Any]:
        """As `take_photo`, of the newest picture of the camera over the table."""
        ...

    def throws(self, game: str | None = None) -> list[ThrowSummary]:
        """Every throw of `game` (default: the current one) in the order of throwing."""
        ...

    def throw(self, throw: str) -> ThrowDetail: ...

    def throw_picture(self, throw: str, name: str) -> tuple[str, bytes]:
        """(media type, bytes) of a saved picture; `name` must be one of `pictures`, `judged`, `before_judged`,
        `thumbnail` of that throw: nothing else can be read."""
        ...

    def judge_again(self, throw: str) -> dict[str, Any]:
        """Runs vision on the saved frames: {reading, lie, judgement, differences: [{what, before, after}], same}.

        Takes about as long as judging the frame did. Refused `not_kept` where the pictures were removed for room.
        """
        ...

    def export_throw(self, throw: str) -> bytes:
        """One zip with frames, measurements, ruling and game record, for `arena-cam replay FILE`."""
        ...

    def open_export(self, content: bytes) -> str:
        """Takes in a throw that was exported here or elsewhere, to look at only; answers what to call it.

        It never becomes part of a game. Raises BadInput, saying what is wrong with the file. The oldest of too many
        is forgotten.
        """
        ...

    def opened(self) -> list[ThrowSummary]:
        """The throws taken in by `open_export`, newest first."""
        ...

    def opened_throw(self, opened: str) -> ThrowDetail: ...

    def opened_picture(self, opened: str, name: str) -> tuple[str, bytes]:
        """As `throw_picture`."""
        ...

    def judge_opened_again(self, opened: str) -> dict[str, Any]:
        """As `judge_again`, with the table and the deck that came with it."""
        ...

    def close_opened(self, opened: str) -> None:
        """Forgets a throw that was taken in; the file that it came from is not touched."""
        ...

    def games(self, most: int = -1, after: int = 0, words: str = "") -> list[GameSummary]:
        """Games, newest first: all, or at `most` so many `after` that many newer ones; with `words`, those of which the
        title or a player's name holds them.
        """
        ...

    def game(self, game: str) -> GameDetail: ...

    def line(self, game: str, line: int) -> LineDetail: ...

    def kinds_played(self) -> list[str]:
        """The games that have been played to the end."""
        ...

    def people(self, kind: str) -> list[PersonSummary]:
        """Everybody who played `kind` to the end, strongest first."""
        ...

    def person(self, kind: str, name: str) -> PersonDetail: ...

    def record(self, game: str) -> str:
        """The game record as text, one JSON object a line, as `arena-cam score` reads it."""
        ...

    def delete_game(self, game: str, who: str) -> None:
        """Removes a game with its evidence. Refused `not_now` for the current game while it goes on."""
        ...

    def health(self) -> dict[str, Any]:
        """The figures for monitoring: see README.md."""
        ...
