"""What replies have used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class Usage(Protocol):
    """What a reply has used: a `Reply`, or the figures of a stored one."""

    @property
    def prompt_tokens(self) -> int | None:
        """Tokens of the request; None if the endpoint does not report them."""
        ...

    @property
    def completion_tokens(self) -> int | None:
        """Tokens of the reply; None if the endpoint does not report them."""
        ...

    @property
    def seconds(self) -> float:
        """Wall-clock time of the request."""
        ...


def known_sum(counts: Iterable[int | None]) -> int | None:
    """Return the sum of the counts that are known; None if there are none."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
