"""Ranges of integers, as users write them."""

from __future__ import annotations

import re

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


def range_text(values: range) -> str:
    """Return a range in the form that `parse_range` reads."""
    return str(values[0]) if len(values) == 1 else f"{values[0]}-{values[-1]}"
