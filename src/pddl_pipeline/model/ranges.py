"""Ranges of integers, as users write them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pddl_pipeline.model.errors import InputError


def parse_range(text: str) -> range:
    """Return the range of a text such as ``7`` or ``4-10``, which includes both ends.

    Raises:
        InputError: the text is not a range, or the range is empty.
    """
    match = re.fullmatch(r"(\d{1,18})(?:-(\d{1,18}))?", text)
    if match is None or int(match[2] or match[1]) < int(match[1]):
        raise InputError(f"'{text}' is not a range; expected one such as 7 or 4-10")
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def parse_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of a text of numbers and ranges such as ``6,9,14`` or ``4-10,20``.

    The numbers are in ascending order, each once.

    Raises:
        InputError: a part of the text is not a range, or the range is empty.
    """
    return tuple(sorted({number for part in text.split(",") for number in parse_range(part)}))


def numbers_text(numbers: Iterable[int]) -> str:
    """Return ascending numbers in the shortest form that `parse_numbers` reads."""
    runs: list[range] = []
    for number in numbers:
        if runs and number == runs[-1].stop:
            runs[-1] = range(runs[-1].start, number + 1)
        else:
            runs.append(range(number, number + 1))
    return ",".join(map(range_text, runs))


def range_text(values: range) -> str:
    """Return a range in the form that `parse_range` reads."""
    return str(values[0]) if len(values) == 1 else f"{values[0]}-{values[-1]}"
