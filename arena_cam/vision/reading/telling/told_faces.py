"""Which of some faces a card has, by the points at which they differ: within groups that look alike, then across."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena_cam.geometry.arrays import Array
from arena_cam.vision.faces.softness import Softly, apart_and_common
from arena_cam.vision.faces.telling import agreement, is_said_in_full, nobodys, told_apart
from arena_cam.vision.kernels.telling_calls import grouped
from arena_cam.vision.picture.channels import greatest
from arena_cam.vision.reading.cards.trust import NATS_A_MARKER
from arena_cam.vision.reading.telling.in_pixels import rendered_in_pixels
from arena_cam.vision.reading.telling.looks import CLOSELY, USUALLY, Looks


def alike_groups(faces: NDArray[np.float32], seen: NDArray[np.bool_], whole: Array) -> list[NDArray[np.intp]]:
    """The numbers of `faces` (K, H, W, 3) in groups that look alike over most of what is `seen` (H, W) of a card. Each
    begins with the face that explains the `whole` card (K,) best.

    Within a group the light is known where all look alike, and the points at which they differ tell the name. Faces of
    other groups leave no such light: there the whole card tells more, with its own light for each face."""
    order = np.argsort(-whole, kind="stable")
    compiled = grouped(faces, order, np.flatnonzero(seen), (ALIKE_LEVELS, _MOSTLY_ALIKE))
    if compiled is not None:
        return [order[compiled[order] == group] for group in range(int(compiled.max(initial=-1)) + 1)]
    few = faces[:, seen]
    groups: list[list[int]] = []
    for number in order:
        for group in groups:
            apart = greatest(np.abs(few[number] - few[group[0]])) if few.size else np.zeros(1)
            if float((apart < ALIKE_LEVELS).mean()) > _MOSTLY_ALIKE:
                group.append(int(number))
                break
        else:
            groups.append([int(number)])
    return [np.array(group) for group in groups]


ALIKE_LEVELS, _MOSTLY_ALIKE = 8.0, 0.5  # grey levels; of what is seen


def told_by_ways(view: Softly, white: Array, ways: NDArray[np.intp], closely: bool = False) -> Array:
    """How far each face (K,) of a view is behind the best; `ways` (K,) are 0 for the upright and 1 for the turned ones.
    Faces of one way up are compared with each other, and only the best of either way across.

    Across ways the whole drawing differs a little, rings drawn off the middle and shades: with that a 5 led an upright
    8 by 8 nats which led it by 2 the same way up. Looked at `closely`, hair lines alone make no way up sure."""
    told, best = np.empty(len(ways)), []
    either = [way for way in (0, 1) if (ways == way).any()]  # in a hundredth of the time of np.unique
    for way in either:
        these = np.flatnonzero(ways == way)
        told[these] = _by_rounds(view, white, these)
        best.append(int(these[np.argmax(told[these])]))
    if len(best) > 1:
        across = told_apart(view, white, np.array(best), between_places=True)
        plain = told_apart(view, white, np.array(best), hair_lines=False, between_places=True) if closely else None
        if plain is not None:
            ahead = int(np.argmax(across))
            across = np.maximum(across, across[ahead] - np.maximum(plain[ahead] - plain, _FROM_A_PART))
        for way, nats in zip(either, across, strict=True):
            told[ways == way] += nats
    return np.asarray(told - told.max())


def _by_rounds(view: Softly, white: Array, these: NDArray[np.intp]) -> Array:
    """Compares the faces of a view with the numbers `these` (J,), then again those that are left. The fewer there are,
    the fewer are the points at which they differ, and the better is the light known at all other points. If there are
    still too many points for each to have its say, each face is compared with the best alone."""
    nats, alive = np.zeros(len(these)), np.arange(len(these))
    for _ in range(_MOST_ROUNDS):
        told = told_apart(view, white, these[alive])
        nats[alive] = told - told.max()
        kept = alive[nats[alive] > -OUT_NATS]
        if len(kept) in (1, len(alive)):
            break
        alive = kept
    nats = nats - nats.max()
    return nats if is_said_in_full(view, these[alive]) else _by_duels(view, white, these, nats, alive)


_MOST_ROUNDS, OUT_NATS = 4, 12.0  # a face so far behind is not asked again


def _by_duels(view: Softly, white: Array, these: NDArray[np.intp], nats: Array, together: NDArray[np.intp]) -> Array:
    """The likelihoods `nats` (J,) of the faces with the numbers `these` with the likeliest each compared with the best
    alone: of ten faces that differ in one figure most points at which any two differ say nothing about two of them. If
    no other is left, the best and the next are compared: the round that dropped the next counted each point for less.
    Among 18 faces a violet five was 26 nats behind the yellow one that it led by 151 alone. If the next leads, so may
    others. Those that were last compared `together`, by their places in `these`, were so alone if they were two."""
    nearest = [int(face) for face in np.argsort(-nats, kind="stable")[:_MOST_RIVALS]]
    left = sum(nats[face] > -OUT_NATS for face in nearest)
    rivals, best = nearest[: max(left, 2)], nearest[0]
    if len(together) == 2 and set(rivals) == set(together.tolist()):
        return np.asarray(nats - nats.max())
    for _ in range(_MOST_CHANGES if left != 2 else 0):
        for rival in rivals:
            if rival != best:
                against = told_apart(view, white, these[[best, rival]])
                nats[rival] = against[1] - against[0]
        nats[best] = 0.0
        ahead = max(rivals, key=lambda face: nats[face])
        if ahead == best:
            break
        best, rivals = ahead, nearest if left == 1 else rivals
    return np.asarray(nats - nats.max())


_MOST_RIVALS, _MOST_CHANGES = 8, 3


def told_of(looks: Looks, likely: Sequence[tuple[int, int]], whole: Array) -> Array:
    """How well each of some faces (K,), upright (0) or turned (1), explains the points at which they differ; `whole`
    (K,) is how well each explains the whole card."""
    usual, told = looks.at(USUALLY), np.empty(len(likely))
    few = np.stack([looks.known.scene.points.names.few_of(*way) for way in likely])
    groups = alike_groups(few, usual.weight[::2, ::2] > 0, whole)
    for group in groups:
        told[group] = whole[group].max()
        if len(group) > 1 and told[group[0]] > whole.max() - OUT_NATS:
            these = [likely[int(number)] for number in group]
            told[group] += _told_in_a_group(looks, these, usual.view.against(usual.soft(these)))
    told = _shown_to_lead(looks, likely, told, whole, groups)
    marks = [looks.known.scene.markers_in_place(way) for way in (looks.pose, looks.pose.half_turned)]
    return told + NATS_A_MARKER * np.array([marks[turned].get(face, 0) for face, turned in likely])


def _shown_to_lead(
    looks: Looks, likely: Sequence[tuple[int, int]], told: Array, whole: Array, groups: Sequence[NDArray[np.intp]]
) -> Array:
    """How far each of some faces (K,) is behind the best, by what is `told` (K,) of them, those that are mostly alike
    in `groups`; `whole` (K,) is how well each explains the whole card. A face like no other, as a back is, leads by
    that alone: surely only if it leads by far, too, at the points at which it differs from the next, or explains the
    contrast that is seen there. Where hardly any print shows the colours of the light lead, which are noise then: of a
    foil card the bare end with a clear 1 was surely the back, whose frame was nowhere. And not where these points speak
    plainly for the next: of a brown card with half an 8 the paper's tone was that of the back, by 12 nats, and where
    the back has a frame it was a face by 188. The weaker of both witnesses is no reason to doubt the stronger: a
    leaning yellow one in full view was asked about as red. Of a group so far behind that nobody told its faces apart
    the next is the one that explains the whole card best: of a brown card with a yellow scribble it was a green face,
    which has none there, and the card was surely the back."""
    best = int(np.argmax(told))
    others = [number for number, (face, _) in enumerate(likely) if face != likely[best][0]]
    rival = max(others, key=lambda number: (float(told[number]), float(whole[number])), default=best)
    lead = float(told[best] - told[rival])
    if lead < _FROM_A_PART or any({best, rival} <= set(group.tolist()) for group in groups):
        return told
    usual = looks.at(USUALLY)
    view = usual.view.against(usual.soft([likely[best], likely[rival]]))
    ahead, behind = told_apart(view, looks.known.scene.white)
    if ahead - behind > OUT_NATS:
        return told
    if behind - ahead > max(OUT_NATS, lead):  # neither the card as a whole nor these points tell the name
        return np.asarray(np.where(told > told[rival], told[rival], told))
    say, _ = _say(view, looks.known.scene.white, np.array([0.0, -lead]))
    return np.asarray(told[best] + (told - told[best]) * max(say, as_from_a_part(lead)))


def _told_in_a_group(looks: Looks, likely: Sequence[tuple[int, int]], view: Softly) -> Array:
    """How far each of some faces (K,) that are mostly alike is behind the best. Where something that was not found yet
    lies on the card, what it shows speaks for no face: the rest is asked once more. But the card may as well lie
    elsewhere: a name from a part leads by so much that it is asked again once the other cards are known. It does not
    lie elsewhere if all but a little of it is explained as it should: across a card with a flower in full view ran the
    edge of a shadow, the rest told it by 98 nats, and it was asked about."""
    told, say, missing, hidden = _told_of_parts(looks, likely, view)
    if hidden is not None:
        rest = looks.without(hidden)
        usual = rest.at(USUALLY)
        told, say, missing, _ = _told_of_parts(rest, likely, usual.view.against(usual.soft(likely)))
        best = likely[int(np.argmax(told))][0]
        others = [nats for (face, _), nats in zip(likely, told, strict=True) if face != best]
        lead = float(told.max() - max(others, default=told.max()))
        if say < 1.0 or not _is_nearly_all(usual.weight, view.weight):
            say = min(say, as_from_a_part(lead))
    return np.asarray((told - told.max()) * say - missing)


def _is_nearly_all(asked: Array, in_view: Array) -> bool:
    """Whether what is `asked` (H, W), 1 or 0, is nearly all that is `in_view` (H, W) of a card that is mostly so."""
    shown = float(in_view.sum())
    return shown > _MOSTLY_IN_VIEW * in_view.size and shown - float(asked.sum()) < _LITTLE_HIDDEN * shown


_MOSTLY_IN_VIEW, _LITTLE_HIDDEN = 0.5, 0.1


def as_from_a_part(lead: float) -> float:
    """By how much (0..1) a lead in nats counts where it must not make a name sure."""
    return _FROM_A_PART / max(lead, _FROM_A_PART)


_FROM_A_PART = 4.0  # nats: likelier than 0.98, and less likely than a sure name


def _told_of_parts(
    looks: Looks, likely: Sequence[tuple[int, int]], view: Softly
) -> tuple[Array, float, float, NDArray[np.bool_] | None]:
    """How far each of some faces (K,) is behind the best, by what is in view of a card; see `_say` for the next two;
    and which parts (rows, columns) none of the faces explains, if some are. Where several may be, these are looked at
    more closely: seen as softly as hair lines ask for, a figure of 5 mm is a blot. They are looked at beside the places
    in which they suited the picture best, each in all of these: a card lies in one place."""
    white, ways = looks.known.scene.white, np.array([turned for _, turned in likely])
    told = told_by_ways(view, white, ways)
    alive = np.flatnonzero(told > -OUT_NATS)
    if may_be_told_closely(view, likely, alive):
        closely = looks.at(CLOSELY)
        close = closely.near(USUALLY.laid_mm[view.best[alive]]).against(
            closely.soft([likely[int(number)] for number in alive])
        )
        told[alive] = told_by_ways(close, white, ways[alive], closely=True)
        told = _with_pixels(looks, likely, told, alive, close.laid_mm)
    say, missing = _say(view, white, told)
    if say == 1.0:
        return told, say, missing, None
    tile_px = round(_TILE_MM * USUALLY.px_per_mm)
    return told, say, missing, nobodys(view, white, np.arange(len(told)), int(np.argmax(told)), tile_px)


def _with_pixels(
    looks: Looks, likely: Sequence[tuple[int, int]], told: Array, alive: NDArray[np.intp], laid_mm: NDArray[np.float32]
) -> Array:
    """What is `told` (K,) of some faces, those with the numbers `alive` (J,) closely, in the places `laid_mm` (J, 2):
    with what the picture's own pixels say of those that may still lie there, if more than one may."""
    left = np.flatnonzero(told[alive] > told.max() - OUT_NATS)
    these, ways = [likely[int(alive[number])] for number in left], [likely[int(number)][1] for number in alive]
    if len({face for face, _ in these}) < 2:
        return told
    # faces that lie the same way up lie in one place: each in its own, pale inks were a step off by noise
    leaders = [max((n for n in left if ways[n] == ways[number]), key=lambda n: told[alive[n]]) for number in left]
    in_pixels = rendered_in_pixels(looks, these, laid_mm[leaders])
    if in_pixels is not None:
        told = told.copy()
        told[alive[left]] += in_pixels.nats
    return told


def may_be_told_closely(view: Softly, likely: Sequence[tuple[int, int]], alive: NDArray[np.intp]) -> bool:
    """Whether a closer look may tell the faces with the numbers `alive` (J,) apart: not where one face is left, as its
    alignment tells which way up it lies, nor where all that is in view of those that are left is printed alike. Ten
    faces of one ink are, where something hides the figure, and a third of the time went into looking at them."""
    faces = [{likely[int(number)][0] for number in alive if likely[int(number)][1] == turned} for turned in (0, 1)]
    if len(faces[0] | faces[1]) < 2:
        return False
    if faces[0] and faces[1] and faces[0] != faces[1]:
        return True
    shown = view.weight > 0
    either = (alive[[likely[int(number)][1] == turned for number in alive]] for turned in (0, 1) if faces[turned])
    return any(float(apart_and_common(view.faces, these)[0][shown].max(initial=0.0)) > _SAME_PRINT for these in either)


_SAME_PRINT = 0.5  # grey levels, seen softly: less is what rounding makes of the same print
_TILE_MM = 8.0  # a figure is as large, and what covers one covers its surroundings


def _say(view: Softly, white: Array, told: Array) -> tuple[float, float]:
    """How much (0..1) of what the points `told` (K,) of the faces counts: little where the best of them leaves much of
    what is seen there unexplained. Then the card lies elsewhere, or something lies on it. And by how many nats paper
    would explain the points better than the best: then it is no card of this group of faces.

    Of 290 names of twelve drawn decks that led by 100 to 1, 272 of them right, two in a hundred right ones explained
    less than 0.8; of the wrong ones of open cards those with a pose off by 3 mm explained 0.60 and 0.63."""
    order = np.argsort(-told, kind="stable")
    share, missing = agreement(view, white, np.sort(order[:_RIVALS_AGREED]), int(order[0]))
    return float(np.clip((share - _UNLIKE) / (_AS_IT_SHOULD - _UNLIKE), 0.0, 1.0)), missing


_RIVALS_AGREED, _UNLIKE, _AS_IT_SHOULD = 4, 0.4, 0.85
