"""Libraries whose problems are accepted as objects."""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.model.problem import Problem
from pddl_pipeline.validation.given_objects import Library


def _of_unified_planning(domain: Any, problem: Any) -> Problem:
    from pddl_pipeline.integrations.unified_planning import texts_of  # a second

    return texts_of(domain, problem)


LIBRARIES: Final = (Library("unified_planning", _of_unified_planning),)
