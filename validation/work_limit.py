"""The limit on the work for one verdict."""

from __future__ import annotations

from threading import local
from typing import Final

from pddl_pipeline.model.errors import NotJudged

MAX_COMBINATIONS: Final = 5 * 10**5
"""Maximum number of combinations that a quantifier, with those inside it, or the axioms in one
state may try; beyond it, there is no verdict."""


_TOO_MANY: Final = (
    f"a quantifier or axiom over more than {MAX_COMBINATIONS} combinations is not judged"
)
BATCH: Final = 1024
"""Number of combinations of one quantifier that are counted at once, since counting takes time."""


class WorkLimit(local):
    """Counter of tried combinations, one per thread, since several threads may judge one task."""

    def __init__(self) -> None:
        self._tried = 0

    def begin(self) -> None:
        """Reset the counter."""
        self._tried = 0

    def spend(self, combinations: int = 1) -> None:
        """Count combinations that are tried.

        Raises:
            NotJudged: there are more than MAX_COMBINATIONS.
        """
        self._tried += combinations
        if self._tried > MAX_COMBINATIONS:
            raise NotJudged(_TOO_MANY)
