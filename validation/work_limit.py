"""How much is tried before a verdict is given up."""

from __future__ import annotations

from threading import local
from typing import Final

from pddl_pipeline.model.errors import NotJudged

MAX_COMBINATIONS: Final = 5 * 10**5
"""A quantifier that tries more objects, with those inside it, is not judged; nor are axioms that
try more in one state."""


_TOO_MANY: Final = (
    f"a quantifier or axiom over more than {MAX_COMBINATIONS} combinations is not judged"
)
BATCH: Final = 1024
"""How many combinations of one quantifier are counted at once: counting costs time, too."""


class WorkLimit(local):
    """Counts what is tried; each thread counts its own, since a task may be judged in several."""

    def __init__(self) -> None:
        self._tried = 0

    def begin(self) -> None:
        """Begin anew."""
        self._tried = 0

    def spend(self, combinations: int = 1) -> None:
        """Count what is tried.

        Raises:
            NotJudged: there have been too many.
        """
        self._tried += combinations
        if self._tried > MAX_COMBINATIONS:
            raise NotJudged(_TOO_MANY)
