"""Exact numbers: an ``int`` if the value is an integer, otherwise a ``Fraction``; never a float."""

from __future__ import annotations

import re
from fractions import Fraction

Number = int | Fraction

# Python rejects longer decimal conversions, because their time grows with the square of the length.
MAX_DIGITS = 4300

_DECIMAL = re.compile(r"(-?)(\d+)(?:\.(\d+))?")


def normal(value: Number) -> Number:
    """Return ``value`` as an ``int`` if it is an integer: integer arithmetic is faster."""
    return value.numerator if value.denominator == 1 else value


def parse_decimal(text: str) -> Number:
    """Return the value of a PDDL number such as ``12``, ``-3`` or ``0.1`` (exactly 1/10).

    Raises:
        ValueError: ``text`` is not such a number, or has more than 4,300 digits.
    """
    match = _DECIMAL.fullmatch(text)
    if match is None or not text.isascii():
        raise ValueError(f"'{text[:40]}' is not a decimal number")
    sign, integer, decimals = match.groups(default="")
    digits = len(integer) + len(decimals)
    if digits > MAX_DIGITS:
        raise ValueError(f"found a number of {digits} digits, expected at most {MAX_DIGITS}")
    value = normal(Fraction(int(integer + decimals), 10 ** len(decimals)))
    return -value if sign == "-" else value


def number_text(value: Number) -> str:
    """Return a number as exact text: a decimal if it has a finite one, else such as ``7/3``.

    A number of more than 4,300 digits is its magnitude.
    """
    if not isinstance(value, int | Fraction):
        return str(value)  # such as an interval
    # A digit is 3.3 bits, so a number with 3 bits a digit is within Python's limit.
    if max(abs(value.numerator), value.denominator).bit_length() > MAX_DIGITS * 3:
        return f"about 2^{value.numerator.bit_length() - value.denominator.bit_length()}"
    return (value.denominator > 1 and decimal_text(value)) or str(normal(value))


def decimal_text(value: Number) -> str | None:
    """Return a number as an exact decimal; None if it has no finite one, or 4,300 digits."""
    # 2**a * 5**b needs max(a, b) decimals, which are fewer than its bits.
    most = value.denominator.bit_length()
    places = next((n for n in range(most) if 10**n % value.denominator == 0), None)
    if places is None or places + value.numerator.bit_length() / 3 > MAX_DIGITS:
        return None
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    point = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{point}" if value < 0 else point


def number_decimal(value: Number, digits: int) -> str:
    """Return a number rounded to that many significant digits, like C's ``%g`` and thus VAL."""
    try:
        return f"{float(value):.{digits}g}"
    except OverflowError:
        from decimal import Decimal  # rarely needed, slow to import

        return f"{Decimal(value.numerator) / Decimal(value.denominator):.{digits - 1}e}"


def number_json(value: Number | None) -> int | str | None:
    """Return the JSON form: integers unchanged, other numbers as strings like ``"7/3"``."""
    if value is None or (isinstance(value, int) and value.bit_length() <= MAX_DIGITS * 3):
        return value
    text = number_text(value)
    return text if text.startswith("about") else str(value)


def number_fields(name: str, value: Number | None) -> dict[str, int | float | str | None]:
    """Return the fields of a JSON object for a number: the exact value, and a float beside it.

    The float is ``NAME_float``; it is None if there is no number, or if it is too large.
    """
    try:
        rounded = None if value is None else float(value)
    except OverflowError:
        rounded = None
    exact = None if value is None else normal(value)
    return {name: number_json(exact), f"{name}_float": rounded}


def number_from_json(value: int | str | None) -> Number | None:
    """Return the number of a JSON form, as `number_json` writes it.

    Raises:
        ValueError, ZeroDivisionError: a text is not a number.
    """
    return normal(Fraction(value)) if isinstance(value, str) else value
