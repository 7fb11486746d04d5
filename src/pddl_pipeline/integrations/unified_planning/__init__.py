"""Unified Planning both ways: problems, plans and verdicts.

    >>> from pddl_pipeline.integrations.unified_planning import from_up
    >>> translation = from_up(problem)          # a problem of Unified Planning
    >>> translation.judge(plan)                 # a plan of Unified Planning
    <Verdict valid: 6 steps, cost 6>

Importing this package imports Unified Planning, which takes a second or two.
"""

from __future__ import annotations

from pddl_pipeline.integrations.unified_planning.translating import (
    from_up,
    texts_of,
    to_up,
    validate,
)
from pddl_pipeline.integrations.unified_planning.translation import Translation

__all__ = ["Translation", "from_up", "texts_of", "to_up", "validate"]
