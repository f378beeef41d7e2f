"""States that cannot be changed, and the drafts on which an engine plays.

An engine changes a draft as players change what lies on a table: its lists, sets and dicts. Nobody else sees it. What
everybody else sees is its fair copy, a state whose fields cannot be set and in which tuples and frozensets stand for
lists and sets. So a long record can be played on one draft, without a copy of everything for each event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

from msgspec import Struct, defstruct
from msgspec.structs import astuple


class Playing(Struct):
    """Base of the states. A game's own class is that of the drafts; their fair copies are of a frozen subclass."""

    def draft(self) -> Self:
        """A copy that can be changed; to be kept private."""
        copy: Self = _copied(self, self.__class__, _CHANGEABLE)
        return copy

    def fair_copy(self) -> Self:
        """A copy that cannot be changed."""
        copy: Self = _copied(self, _frozen(self.__class__), _FIXED)
        return copy


_FROZEN: dict[type, type] = {}


def _frozen(draft: type) -> type:
    """The frozen subclass of a class of drafts."""
    if draft not in _FROZEN:
        methods = {
            "draft": lambda state: _copied(state, draft, _CHANGEABLE),
            "fair_copy": lambda state: state,
            "__reduce__": lambda state: (_fair_copy, (state.draft(),)),  # pickle does not find this class by its name
        }
        _FROZEN[draft] = defstruct(draft.__name__, (), bases=(draft,), namespace=methods, frozen=True)
    return _FROZEN[draft]


def _fair_copy(draft: Playing) -> Playing:
    return draft.fair_copy()


Converters = Mapping[type, Callable[[Any], Any]]


def _copied(state: Any, kind: type, converters: Converters) -> Any:
    """A copy of class `kind`, each field converted by what `converters` have for its type, if anything."""
    return kind(*_converted(astuple(state), converters))


def _converted(values: Iterable[Any], converters: Converters) -> list[Any]:
    converted = list(values)
    for i, value in enumerate(converted):
        convert = converters.get(type(value))
        if convert is not None:
            converted[i] = convert(value)
    return converted


def _converted_dict(entries: dict[Any, Any], converters: Converters) -> dict[Any, Any]:
    return dict(zip(entries, _converted(entries.values(), converters), strict=True))


_CHANGEABLE: Converters = {
    tuple: list,
    frozenset: set,
    list: list,
    set: set,
    dict: lambda entries: _converted_dict(entries, _CHANGEABLE),
}
_FIXED: Converters = {list: tuple, set: frozenset, dict: lambda entries: _converted_dict(entries, _FIXED)}
