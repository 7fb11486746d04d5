"""Unified Planning both ways: problems, plans and the validator.

    >>> from pddl_pipeline.integrations.unified_planning import from_up, register
    >>> translation = from_up(problem)          # a problem of Unified Planning
    >>> translation.judge(plan)                 # a plan of Unified Planning
    <Verdict valid: 6 steps, cost 6>
    >>> register()
    >>> with PlanValidator(name="pddl-pipeline") as validator: ...

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
from pddl_pipeline.integrations.unified_planning.validator_engine import register

__all__ = ["Translation", "from_up", "register", "texts_of", "to_up", "validate"]
