"""When a request is sent again, and how long to wait before."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

PASSING: Final = frozenset({408, 409, 425, 429, *range(500, 600)})
"""HTTP statuses after which the same request may succeed."""
LONGEST_WAIT_S: Final = 300.0
"""A server that asks for a longer wait is not asked again."""
_LONGEST_PAUSE_S: Final = 60.0


def pauses(first: float, tries: int) -> Iterator[float]:
    """Yield the seconds to wait before each try: 0, then about `first`, doubled each time.

    Each is shortened by up to a quarter at random, so that requests that failed together do not
    come back together.
    """
    yield 0.0
    for number in range(tries - 1):
        share = random.uniform(0.75, 1.0)  # noqa: S311 -- no secret
        yield share * min(first * 2 ** min(number, 30), _LONGEST_PAUSE_S)


def asked_to_wait_s(header: str | None) -> float:
    """Return the seconds that the header ``Retry-After`` asks for; 0 if it does not.

    The header is a number of seconds or a date, RFC 9110, section 10.2.3.
    """
    text = (header or "").strip()
    try:
        return max(0.0, float(text)) if text[:1].isdecimal() else _until(text)
    except (ValueError, OverflowError):
        return 0.0


def _until(date: str) -> float:
    moment = parsedate_to_datetime(date)
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())
