"""Reads whole numbers in the text of datasets."""

from __future__ import annotations

from pddl_pipeline.model.number import MAX_DIGITS
from pddl_pipeline.translators.field_checks import FieldFault


def whole_number(field: str, text: str) -> int:
    """Return the whole number in a text.

    Raises:
        FieldFault: the text is not a whole number, or has too many digits.
    """
    digits = text.strip()
    if not digits.isascii() or not digits.isdigit():
        raise FieldFault(field, f"found {text[:40]!r}, expected a whole number")
    if len(digits) > MAX_DIGITS:
        raise FieldFault(field, f"a number of more than {MAX_DIGITS} digits")
    return int(digits)
