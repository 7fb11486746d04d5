"""Writes the steps in JSON, or in Python's literals, as lines: a step is a call or a text."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from typing import Any, Final

_PLANS: Final = ("plan", "steps", "actions", "solution", "answer", "final_plan", "action_sequence")
_ACTIONS: Final = ("action", "name", "operator", "act", "command", "action_name", "function", "op")
_ARGUMENTS: Final = ("args", "arguments", "parameters", "params", "objects", "inputs")
_BESIDE: Final = frozenset({
    "step", "index", "id", "number", "explanation", "reason", "reasoning", "description", "effect",
    "effects", "result", "comment", "note", "thought", "state", "cost", "time", "order",
    "precondition", "preconditions",
})  # fmt: skip
"""Fields of an object that are no arguments of its action."""
_DEEPEST: Final = 40


def parsed(text: str) -> Any | None:
    """Return the value of a text that is JSON or a literal of Python; None for other texts."""
    text = text.strip()
    if not text.startswith(("{", "[")) or max(text.count("{"), text.count("[")) > len(text) // 2:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text) if len(text) < 20_000 else None
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def written(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the lines for the steps in a value; other parts of it are left out."""
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        yield from (line for line in value.split("\n") if line.strip())
    elif isinstance(value, list | tuple):
        if _is_call(value):
            yield _call(value[0], value[1] if isinstance(value[1], list | tuple) else value[1:])
            return
        for each in value:
            yield from written(each, depth + 1)
    elif isinstance(value, dict):
        yield from _in_object({str(name).lower(): each for name, each in value.items()}, depth)


def _in_object(named: dict[str, Any], depth: int) -> Iterator[str]:
    plan = next((named[name] for name in _PLANS if named.get(name)), None)
    action = next((named[name] for name in _ACTIONS if isinstance(named.get(name), str)), None)
    if plan is not None:
        yield from written(plan, depth + 1)
        for name, each in named.items():
            if name not in _BESIDE and each is not plan:
                yield from (
                    f"{name.replace('_', ' ')}: {text}" for text in written(each, depth + 1)
                )
    elif action is not None:
        given = next((named[name] for name in _ARGUMENTS if named.get(name) is not None), None)
        rest = {k: v for k, v in named.items() if k not in _BESIDE and v is not action}
        yield _call(action, rest if given is None else given)
    else:
        for name, each in named.items():
            if (
                isinstance(each, list | tuple)
                and all(isinstance(one, str) for one in each)
                and name not in _BESIDE
            ):
                yield _call(name, each)
            elif name not in _BESIDE or isinstance(each, dict):
                yield from written(each, depth + 1)


def _is_call(value: list[Any] | tuple[Any, ...]) -> bool:
    """Return whether a list is an action and its arguments: names without blanks."""
    if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], list | tuple):
        return True
    texts = all(isinstance(each, str) for each in value)
    return texts and len(value) > 1 and not any(set(" (") & set(each) for each in value)


def _call(action: str, given: Any) -> str:
    if isinstance(given, str):
        given = [given]
    if not given or len(action.split()) > 2 or "(" in action:
        return action
    if isinstance(given, dict):
        inside = ", ".join(f"{name}={value}" for name, value in given.items())
    else:
        inside = ", ".join(map(str, given))
    return f"{action.strip().replace(' ', '-')}({inside})"
