"""What a session answers to what is done with it, as typed dictionaries; interface.py has what it is asked for."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict, get_type_hints

from arena_cam.referee.interface import CameraSnapshot, EyeSnapshot, Phrase


class Done(TypedDict):
    """It is done, and there is nothing more to say."""


class ThatGame(TypedDict):
    """`game`: the id of the game begun, gone on with, renamed or ended."""

    game: str


class CardsGone(TypedDict):
    """`cards`: names of those that the next picture takes off the table."""

    cards: list[str]


class Corrected(TypedDict):
    """`line`: the record's new line; `scores` after it."""

    line: int
    scores: dict[str, int]


class Impossible(TypedDict):
    """The line that a correction would make impossible, and why."""

    line: int
    text: str
    why_unsure: list[str]
    doubts: list[dict[str, Any]]


class Change(TypedDict):
    """One ruling before and after a correction; null where there is none. `said_*`: in the page's language."""

    line: int
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    said_before: NotRequired[str | None]
    said_after: NotRequired[str | None]


class Step(TypedDict):
    """A line that a correction would change, as it stands and as it would be; null: nothing. `said_*`: as in Change."""

    line: int
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    said_before: NotRequired[str | None]
    said_after: NotRequired[str | None]


class Preview(TypedDict):
    """What a correction would change; nothing is done."""

    scores_before: dict[str, int]
    scores_after: dict[str, int]
    rulings_before: list[dict[str, Any]]
    rulings_after: list[dict[str, Any]]
    changed: list[Change]
    steps: list[Step]
    awaiting_after: str
    impossible: Impossible | None


class Accepted(TypedDict):
    """A secret choice was taken; `complete`: all are in."""

    accepted: bool
    complete: bool


class PictureTaken(TypedDict):
    """A picture of the telephone that is the camera was taken; `eye`: what the eye is doing (EyeSnapshot.state)."""

    eye: str


class PhotoTaken(TypedDict):
    """`photo`: its name among the throws. `read` is false where it is kept and could not be read; `again` is true where
    the same bytes were taken in before."""

    photo: str
    read: bool
    again: bool


class Different(TypedDict):
    """What is read otherwise now; `code`: landing, face, sure, ... `said*`: in the page's language."""

    code: str
    card: str
    what: str
    before: Any
    after: Any
    said: NotRequired[str]
    said_before: NotRequired[str]
    said_after: NotRequired[str]


class JudgedAgain(TypedDict):
    """A saved throw, or a photograph, looked at again.

    `lie` is null where the card is not found any more; it and `judgement` are null for a photograph.
    """

    reading: dict[str, Any]
    lie: dict[str, Any] | None
    judgement: dict[str, Any] | None
    differences: list[Different]
    same: bool


class Spread(TypedDict):
    """Of the last ones; null before the first."""

    last: float | None
    median: float | None
    worst: float | None


class EyeWas(TypedDict):
    """What the eye said, and when."""

    at: float
    state: str
    why: str
    doubts: NotRequired[list[dict[str, Any]]]


class Disk(TypedDict):
    """Room for evidence. `why` says in English why there is none."""

    free_bytes: float
    evidence_bytes: float
    budget_bytes: float
    ok: bool
    why: str


class DatabaseHealth(TypedDict):
    """`bytes` is null where the file is gone."""

    schema: int
    bytes: int | None
    ok: bool


class Health(TypedDict):
    """What monitoring wants; a figure that is not known is null. `ok` is false while something needs a person."""

    version: str
    uptime_s: float
    eye: EyeSnapshot
    eye_log: list[EyeWas]
    camera: CameraSnapshot
    focus: float | None
    light: float | None
    fiducials: list[int] | None
    reprojection_px: float | None
    rest_to_ruling_s: Spread
    frame_ms: Spread
    frame_errors: int
    last_frame_error: NotRequired[str | None]
    threads: int
    rss_bytes: float | None
    disk: Disk
    database: DatabaseHealth
    viewers: int
    warnings: NotRequired[list[Phrase]]
    ok: bool


_OWN: dict[str, type] = {
    "start_game": ThatGame,
    "resume_game": ThatGame,
    "rename_game": ThatGame,
    "end_game": ThatGame,
    "covered_cards_gone": CardsGone,
}


def answers_to(action: str, takes: type) -> list[type]:
    """What an action that is given `takes` may answer: one that can be previewed is a correction."""
    if "preview" in get_type_hints(takes):
        return [Corrected, Preview]
    return [_OWN.get(action, Done)]
