"""Which problems of Unified Planning have a counterpart in PDDL here, by their features."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any, Final


def words(text: str) -> frozenset[str]:
    """Return the set of the words of a text."""
    return frozenset(text.split())


NUMERIC: Final = words("""
    SIMPLE_NUMERIC_PLANNING GENERAL_NUMERIC_PLANNING INT_FLUENTS REAL_FLUENTS NUMERIC_FLUENTS
    INCREASE_EFFECTS DECREASE_EFFECTS FLUENTS_IN_NUMERIC_ASSIGNMENTS
    STATIC_FLUENTS_IN_NUMERIC_ASSIGNMENTS FINAL_VALUE CONTINUOUS_NUMBERS DISCRETE_NUMBERS
""")
"""Features of numbers other than the costs of actions."""
COSTS: Final = words("""
    ACTIONS_COST PLAN_LENGTH STATIC_FLUENTS_IN_ACTIONS_COST FLUENTS_IN_ACTIONS_COST
    INT_NUMBERS_IN_ACTIONS_COST REAL_NUMBERS_IN_ACTIONS_COST
""")
_CONDITIONS: Final = words("""
    NEGATIVE_CONDITIONS DISJUNCTIVE_CONDITIONS EQUALITIES EXISTENTIAL_CONDITIONS
    UNIVERSAL_CONDITIONS
""")
STRIPS: Final = words("ACTION_BASED FLAT_TYPING HIERARCHICAL_TYPING PLAN_LENGTH")
PDDL: Final = (
    STRIPS
    | _CONDITIONS
    | NUMERIC
    | COSTS
    | words("CONDITIONAL_EFFECTS FORALL_EFFECTS MAKESPAN UNDEFINED_INITIAL_NUMERIC")
)
"""The features that the PDDL texts of a translation have."""
# What the translation writes in other words.
_ASSIGNED: Final = words("CONDITIONAL_EFFECTS NEGATIVE_CONDITIONS")
_PREDICATES: Final = _ASSIGNED | words("EXISTENTIAL_CONDITIONS EQUALITIES")
_REWRITTEN: Final = {
    "FLUENTS_IN_BOOLEAN_ASSIGNMENTS": _ASSIGNED,
    "STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS": _ASSIGNED,
    "OBJECT_FLUENTS": _PREDICATES,
    "FLUENTS_IN_OBJECT_ASSIGNMENTS": _PREDICATES,
    "STATIC_FLUENTS_IN_OBJECT_ASSIGNMENTS": _PREDICATES,
    "BOUNDED_TYPES": words("SIMPLE_NUMERIC_PLANNING"),
    # The features of a problem do not say what its invariants contain.
    "STATE_INVARIANTS": _CONDITIONS,
}
TRANSLATED: Final = PDDL | _REWRITTEN.keys()
"""The features of the problems that have a translation."""


def written_features(features: AbstractSet[str]) -> frozenset[str]:
    """Return the features of the PDDL texts that a problem with these features becomes."""
    written = set(features)
    for feature, others in _REWRITTEN.items():
        if feature in features:
            written.discard(feature)
            written |= others
    return frozenset(written)


def with_rewritten(features: AbstractSet[str]) -> frozenset[str]:
    """Return the features of problems whose PDDL texts have at most these features."""
    more = {each for each, others in _REWRITTEN.items() if others <= features}
    return frozenset(features | more)


def foreign_features(problem: Any) -> list[str]:
    """Return the features of a problem that have no counterpart here, sorted."""
    return sorted(problem.kind.features - TRANSLATED)
