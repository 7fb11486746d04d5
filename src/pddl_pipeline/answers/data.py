"""Writes the steps in JSON as lines: a step is a call or a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

_ACTIONS: Final = ("action", "name", "operator", "act", "command", "action_name", "function", "op")
_ARGUMENTS: Final = ("args", "arguments", "parameters", "params", "objects", "inputs")
_BESIDE: Final = frozenset({
    "step", "index", "id", "number", "explanation", "reason", "reasoning", "description", "effect",
    "effects", "result", "comment", "note", "thought", "state", "cost", "time", "order",
    "precondition", "preconditions",
})  # fmt: skip
"""Fields of an object that tell no step."""
_DEEPEST: Final = 40


def written(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the lines for the steps in a value; other parts of it are left out."""
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        yield from (line for line in value.split("\n") if line.strip())
    elif isinstance(value, list):
        if len(value) > 1 and _are_names(value):
            yield _call(value[0], value[1:])  # `["unstack", "b", "c"]`
        else:
            for each in value:
                yield from written(each, depth + 1)
    elif isinstance(value, dict):
        yield from _in_object({str(name).lower(): each for name, each in value.items()}, depth)


def _in_object(named: dict[str, Any], depth: int) -> Iterator[str]:
    action = next((named[name] for name in _ACTIONS if isinstance(named.get(name), str)), None)
    given = next((named[name] for name in _ARGUMENTS if isinstance(named.get(name), list)), ())
    if action is not None:
        yield _call(action, given)
        named = {name: each for name, each in named.items() if each not in (action, given)}
    for name, each in named.items():
        if isinstance(each, list) and _are_names(each) and name not in _BESIDE:
            yield _call(name, each)  # `{"unstack": ["b", "c"]}`
        elif name not in _BESIDE or isinstance(each, dict):
            label = name.replace("_", " ")
            yield from (f"{label}: {text}" for text in written(each, depth + 1))


def _are_names(value: Sequence[Any]) -> bool:
    """Return whether a list has texts without blanks and parentheses."""
    return all(isinstance(each, str) and not set(each) & {" ", "("} for each in value)


def _call(action: str, given: Sequence[Any]) -> str:
    """Return a call, or the action alone if it is a sentence or has no arguments."""
    if not given or len(action.split()) > 2 or "(" in action:
        return action
    return f"{action.strip().replace(' ', '-')}({', '.join(map(str, given))})"
