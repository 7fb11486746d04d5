"""Writes the steps in JSON and YAML as lines: a step is a call or a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from json import JSONDecoder
from typing import Any, Final

OPEN, CLOSE, DATA, STOP = "\x02", "\x03", "\x04", "\x05"
"""Signs that begin and end a part named as the answer, begin or end data, and end the text."""
_JSON: Final = re.compile(r"(?:^|=)[ \t]{0,40}(?=[\[{])", re.MULTILINE)
# The decoder may read to the end of the text from each place.
_MOST_VALUES: Final = 20
"""Maximum number of places where JSON is looked for."""
_ACTIONS: Final = (
    "action",
    "name",
    "operator",
    "act",
    "command",
    "action_name",
    "function",
    "op",
    "do",
)
_ARGUMENTS: Final = ("args", "arguments", "parameters", "params", "objects", "inputs")
_ORDER: Final = ("step", "index", "order", "number", "id")
_NAMED: Final = frozenset({"plan", "solution", "answer", "final_plan", "final_answer"})
_REMARKS: Final = frozenset({
    "explanation", "reason", "reasoning", "description", "effect", "effects", "result", "comment",
    "note", "thought", "state", "cost", "time", "precondition", "preconditions", "analysis", "goal",
    "status",
})  # fmt: skip
"""Fields of an object that tell no step."""
_KEPT: Final = frozenset({"execute", "enabled", "active", "include", "included", "perform", "keep"})
_WITHOUT: Final = ("skip", "cancel", "remove", "omit", "optional", "ignore", "reverse", "delete")
"""Beginnings of the names of fields that withdraw a step if they are true."""
_YAML: Final = re.compile(
    r"^([ \t]{0,20}- )(?:action|name|operator):[ \t]{0,9}([a-zA-Z][\w -]{0,40})"
    r"((?:\n[ \t]{1,20}\w{1,20}:[ \t]{0,9}(?:[\w.-]{1,40}|\[[^\[\]\n]{0,300}\])"
    r"[ \t]{0,9}(?=\n|\Z))+)",
    re.MULTILINE,
)
"""An item of a list of keys: ``- action: unstack``, and below it ``block: b`` and ``from: c``, or
``args: [b, c]``."""
_DEEPEST: Final = 40


_YAML_CALL: Final = re.compile(
    r"^([ \t]{0,20}- )([a-zA-Z][\w-]{0,40}):[ \t]{0,9}[\[{]([^\[\]{}\n]{0,300})[\]}]", re.MULTILINE
)
"""An item of a list: ``- unstack: [b, c]``, ``- unstack: {block: b, from: c}``."""


def with_data(text: str) -> str:
    """Return a text with the steps in JSON as lines of data; it has as many lines as before."""
    if "- " in text and ":" in text:
        text = _YAML_CALL.sub(_in_yaml_call, _YAML.sub(_in_yaml, text))
    found, at = "", 0
    for match in islice(_JSON.finditer(text) if "[" in text or "{" in text else (), _MOST_VALUES):
        start = match.end()
        value: Any = None
        # RecursionError: thousands of `[` in a row.
        with suppress(ValueError, RecursionError):
            value, end = JSONDecoder(strict=False).raw_decode(text, start)
        if start >= at and isinstance(value, list | dict) and (value or end - start < 9):
            lines = "".join(f"<br>{line}" for line in _written(value))
            found += f"{text[at:start]}<br>{DATA}{lines}<br>{DATA}<br>" + "\n" * text.count(
                "\n", start, end
            )
            at = end
    return found + text[at:]


def _in_yaml(match: re.Match[str]) -> str:
    """Return an item of a list of keys as a call in its first line."""
    fields = re.findall(r"(\w+):[ \t]*(?:([\w.-]+)|\[([^\]]*)\])", match[3])
    given = ", ".join(
        f"{name}={value}" if value else many for name, value, many in fields if name not in _REMARKS
    )
    return f"{match[1]}{match[2].strip().replace(' ', '-')}({given})" + "\n" * match[3].count("\n")


def _in_yaml_call(match: re.Match[str]) -> str:
    """Return an item with its objects in brackets as a call."""
    return f"{match[1]}{match[2]}({re.sub(r':[ ]?', '=', match[3])})"


def _written(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the lines for the steps in a value."""
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        yield from (line for line in value.replace("\\n", "\n").split("\n") if line.strip())
    elif isinstance(value, list):
        if len(value) > 1 and _are_names(value):
            yield _call(value[0], value[1:])  # `["unstack", "b", "c"]`
        else:
            for each in _ordered(value):
                yield from _written(each, depth + 1)
    elif isinstance(value, dict):
        yield from _in_object({str(name).lower(): each for name, each in value.items()}, depth)


def _ordered(value: list[Any]) -> list[Any]:
    """Return objects in the order of their numbers, if all have one."""
    for name in _ORDER:
        if all(isinstance(each, dict) and isinstance(each.get(name), int) for each in value):
            return sorted(value, key=lambda each: int(each[name]))
    return value


def _in_object(named: Mapping[str, Any], depth: int) -> Iterator[str]:
    # `{"action": "stack", "args": ["c", "a"], "execute": false}`
    if any(named.get(name) is False for name in _KEPT):
        return
    action = next((named[name] for name in _ACTIONS if isinstance(named.get(name), str)), None)
    given = next(
        (named[name] for name in _ARGUMENTS if isinstance(named.get(name), list | dict)), ()
    )
    if action is not None:
        rest = {
            name: each for name, each in named.items()
            if each is not action and each is not given and name not in _REMARKS
        }  # fmt: skip
        fields = given if isinstance(given, dict) else rest
        others = [
            f"{name}={each}" for name, each in fields.items()
            if isinstance(each, str) and name not in _ORDER
        ]  # fmt: skip
        yield _call(action, list(given) if isinstance(given, list) else others)
    whole = action is not None and _is_whole(action)
    told = {
        name: each for name, each in named.items()
        if action is None or name in _REMARKS or (whole and each is not action)
    }  # fmt: skip
    for name, each in told.items():
        if isinstance(each, list) and _are_names(each) and each and name not in _REMARKS | _NAMED:
            yield _call(name, each)  # `{"unstack": ["b", "c"]}`
        elif isinstance(each, list | dict) or (isinstance(each, str) and "\n" in each.strip()):
            named_ = name in _NAMED
            yield OPEN if named_ else f"{name.replace('_', ' ')}:"
            yield from _written(each, depth + 1)
            yield from [CLOSE] if named_ else ()
        elif isinstance(each, str) and name not in _ORDER:
            label = f"{'; ' * (name in _REMARKS)}{name.replace('_', ' ')}: "
            yield from ([OPEN, each, CLOSE] if name in _NAMED else [f"{label}{each}"])
    # `"skip": true` becomes the sentence `skip is true`, which amends the plan as in prose.
    yield from (
        f"{name.replace('_', ' ')} is {str(each).lower()}" for name, each in named.items()
        if each is True or (each is False and not name.startswith(_WITHOUT))
    )  # fmt: skip


def _are_names(value: Sequence[Any]) -> bool:
    """Return whether a list has texts without blanks and parentheses."""
    return all(isinstance(each, str) and not set(each) & {" ", "("} for each in value)


def _is_whole(action: str) -> bool:
    """Return whether an action is a whole step, with its objects."""
    return len(action.split()) > 2 or "(" in action


def _call(action: str, given: Sequence[Any]) -> str:
    """Return a call, or the action alone if it is a sentence or has no arguments."""
    if not given or _is_whole(action):
        return action
    return f"{action.strip().replace(' ', '-')}({', '.join(map(str, given))})"
