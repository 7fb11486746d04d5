"""The arguments of ``pddl-pipeline validate``, parsed without click.

Importing click takes longer than judging a small task. Click parses everything that is not clear,
such as abbreviated, repeated or wrong arguments: it writes the messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final


def tolerance_of(text: str) -> Fraction:
    """Return a positive decimal number, converted without rounding.

    Raises:
        ValueError: the text is something else; the message says what was expected.
    """
    if not re.fullmatch(r"\d{0,50}\.?\d{1,50}(e-?\d{1,3})?", text, re.ASCII | re.IGNORECASE):
        raise ValueError(f"found '{text}', expected a number such as 1e-4")
    tolerance = Fraction(text)
    if tolerance == 0:
        raise ValueError("found 0, expected a number above 0")
    return tolerance


def validator_names(text: str) -> list[str]:
    """Return the names in a list with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def _plan_format(text: str) -> str:
    from pddl_pipeline.validation.plan_formats import plan_formats  # noqa: PLC0415 -- rarely needed

    if text not in plan_formats():
        raise ValueError(text)
    return text


_FLAGS: Final[Mapping[str, str]] = {"--json": "as_json", "-v": "verbose", "--lenient": "lenient"}
_VALUES: Final[Mapping[str, tuple[str, Callable[[str], object]]]] = {
    "--cross-check": ("cross_check", validator_names),
    "--tolerance": ("tolerance", tolerance_of),
    "--plan-format": ("plan_format", _plan_format),
}


def validate_arguments(given: Sequence[str]) -> dict[str, Any] | None:
    """Return the arguments of `judge_plans`, or None if click has to parse what was given."""
    files: list[str] = []
    options: dict[str, Any] = {}
    rest = iter(given)
    for word in rest:
        option, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        name, convert = _VALUES.get(option, (_FLAGS.get(word, ""), None))
        if name in options or (word.startswith("-") and not name):
            return None
        if not name:
            files.append(word)
        elif convert is None:
            options[name] = True
        else:
            try:
                options[name] = convert(value if equals else next(rest))
            except (ValueError, StopIteration):
                return None
    if len(files) < 3 or "" in files or (options and not all(map(_is_plain, files))):
        return None
    return {"domain": files[0], "problem": files[1], "plans": files[2:], **options}


def _is_plain(path: str) -> bool:
    """Return whether `pathlib`, which click's arguments go through, leaves a path as it is."""
    first, *others = path.split("/")
    return first != "." and not {"", "."} & {*others} and path != ""
