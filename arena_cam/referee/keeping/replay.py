"""Reads a saved throw again with the present eye, and lists what differs."""

from __future__ import annotations

import math
from collections.abc import Callable
from threading import Lock
from typing import Any

from arena_cam.camera.encoded_frame import EncodedFrame
from arena_cam.domain.errors import CannotDo
from arena_cam.domain.lies import Lie, Reading
from arena_cam.formats.judgement import Judged, judgement_to_json, lie_in_full, reading_from_json, reading_in_full
from arena_cam.referee.game.eye import Watching
from arena_cam.referee.messages import Difference, Refusal
from arena_cam.referee.pictures.evidence import SavedThrow

Json = dict[str, Any]
# Readings of the same frames differ by up to this much, since the frames are kept as JPEG.
SAME_TILT_DEG = 1.0
SAME_PLACE_MM = 1.5
SAME_CONFIDENCE = 0.05
# One throw at a time: a second eye takes as much memory and computing time as the one that referees meanwhile.
_one_eye = Lock()


Judge = Callable[[Reading], Judged | None]


def judge_again(saved: SavedThrow, make_watcher: Callable[[float], Watching], judge: Judge) -> Json:
    """{reading, lie, judgement, differences, same} of the saved frames, watched anew; differences are as in `compare`.

    `judge` is what the game says of a reading. Raises CannotDo where nothing can be read any more, saying why.
    """
    before = reading_from_json(saved.manifest["reading"])
    with _one_eye:
        after = _watched(saved, make_watcher)
    key = str(saved.manifest["lie"]["key"])
    lie = next((lie for lie in after.lies if lie.key == key), None)
    differences = compare(before, after)
    return {
        "reading": reading_in_full(after),
        "lie": lie_in_full(lie) if lie is not None else None,
        "judgement": judgement_to_json(after, judge(after)),
        "differences": differences,
        "same": not differences,
    }


def _watched(saved: SavedThrow, make_watcher: Callable[[float], Watching]) -> Reading:
    """The readings of a fresh eye from the frames, and at the end from the judged one, which is without loss."""
    times = [time_s for _, time_s, _ in saved.frames]
    fps = (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 and times[-1] > times[0] else 15.0
    watcher = make_watcher(fps)
    sequence = 0
    for name, time_s, jpeg in saved.frames:
        watcher.feed(EncodedFrame(jpeg, time_s=time_s, sequence=sequence, source="saved", name=name))
        sequence += 1
    end_s = float(saved.manifest["judged_time_s"])
    judged = str(saved.manifest["judged"])
    # the table rests in the judged frame: shown for as long as an eye wants to see it rest
    for repeat in range(max(4, round(fps * 0.6))):
        time_s = end_s + (repeat + 1) / fps
        watcher.feed(EncodedFrame(saved.judged, time_s=time_s, sequence=sequence + repeat, source="saved", name=judged))
    watcher.finish()
    if watcher.reading is None:
        raise CannotDo(Refusal.NOTHING_READABLE(why=watcher.why or "no reason is known"))
    return watcher.reading


def compare(before: Reading, after: Reading) -> list[Json]:
    """The differences between two readings of one moment: {code, card, what, before, after}; `what` is English."""
    old, new = {lie.key: lie for lie in before.lies}, {lie.key: lie for lie in after.lies}
    differences = [_difference(Difference.THERE, key, True, False) for key in old if key not in new]
    differences += [_difference(Difference.THERE, key, False, True) for key in new if key not in old]
    for key in old:
        if key in new:
            differences += _of_lie(key, old[key], new[key])
    return differences


def _difference(what: Difference, card: str, before: Any, after: Any) -> Json:
    return {"code": what.value, "card": card, "what": str(what(card=card)), "before": before, "after": after}


def _of_lie(key: str, a: Lie, b: Lie) -> list[Json]:
    exact = [
        (Difference.LANDING, a.landing and a.landing.value, b.landing and b.landing.value),
        (Difference.FACE, a.face.value, b.face.value),
        (Difference.SURE, a.sure, b.sure),
        (Difference.RESTS_ON, sorted(a.rests_on), sorted(b.rests_on)),
    ]
    found = [_difference(what, key, x, y) for what, x, y in exact if x != y]
    if a.tilt_deg is not None and b.tilt_deg is not None and abs(a.tilt_deg - b.tilt_deg) > _same_tilt_deg(a, b):
        found.append(_difference(Difference.TILT, key, round(a.tilt_deg, 1), round(b.tilt_deg, 1)))
    if abs(a.confidence - b.confidence) > SAME_CONFIDENCE:
        found.append(_difference(Difference.CONFIDENCE, key, round(a.confidence, 3), round(b.confidence, 3)))
    if a.centre_mm is not None and b.centre_mm is not None:
        moved = max(abs(p - q) for p, q in zip(a.centre_mm, b.centre_mm, strict=True))
        if moved > SAME_PLACE_MM:
            found.append(_difference(Difference.CENTRE, key, list(a.centre_mm), list(b.centre_mm)))
    return found


def _same_tilt_deg(a: Lie, b: Lie) -> float:
    """Tilts that differ by less were measured alike: two standard deviations of their difference, or a degree."""
    return max(SAME_TILT_DEG, 2.0 * math.hypot(a.tilt_sd_deg or 0.0, b.tilt_sd_deg or 0.0))
