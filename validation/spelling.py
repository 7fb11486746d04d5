"""Upper and lower case of names, which PDDL ignores and readers drop.

Planners print names in upper case (Metric-FF), in lower case (Fast Downward), or as they are. In
the results, plans have the case of the PDDL texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pddl_pipeline.model.problem import Problem

_COMMENT: Final = re.compile(r";[^\r\n]*")
_ACTION: Final = re.compile(r"\(\s*:(?:durative-)?action\s+([^\s()]+)", re.IGNORECASE)
# Lists may contain `(either truck plane)`, but no deeper list.
_OBJECTS: Final = re.compile(
    r"\(\s*:(?:constants|objects)\b((?:[^()]|\([^()]*\))*)\)", re.IGNORECASE
)
_TYPED: Final = re.compile(r"\([^()]*\)|[^\s()]+")
_STEP: Final = re.compile(r"\(([^()]*)\)")
_WORD: Final = re.compile(r"[^\s()]+")
_NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})


def with_spelling(plan: str, problem: Problem, names: Mapping[str, str] = _NO_NAMES) -> str:
    """Return a plan with its actions and objects in the case in which the PDDL declares them.

    Everything else stays as it is, unknown names included. Before, `names` replaces names in lower
    case by those of the PDDL.
    """
    if names:
        plan = _STEP.sub(
            lambda step: _WORD.sub(lambda word: names.get(word[0].lower(), word[0]), step[0]), plan
        )
    texts = problem.domain_pddl, problem.problem_pddl
    if all(text == text.lower() for text in (plan, *texts)):
        return plan
    domain, facts = (_COMMENT.sub("", text) for text in texts)
    actions = {name.lower(): name for name in _ACTION.findall(domain)}
    # The domain comes last: its spelling of a constant overrides that of the problem.
    objects = {name.lower(): name for text in (facts, domain) for name in _declared(text)}

    def spelled(step: re.Match[str]) -> str:
        # The first word of a step is an action, and all others are objects.
        names = iter([actions])
        return _WORD.sub(lambda word: next(names, objects).get(word[0].lower(), word[0]), step[0])

    return _STEP.sub(spelled, plan)


def _declared(text: str) -> list[str]:
    """Return the names in the lists of objects and constants of a text, without their types."""
    found, is_type = list[str](), False
    for declared in _OBJECTS.findall(text):
        for word in _TYPED.findall(declared):
            if not is_type and word != "-":
                found.append(word)
            is_type = word == "-"
    return found
