"""The conditions of AutoToS's published runs that differ from this project's checks.

A log whose replay differs is replayed under each of them. The one under which the difference is
gone explains it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from pddl_pipeline.papers.autotos.loop.checker import Checker
from pddl_pipeline.papers.autotos.loop.experiment import Checks
from pddl_pipeline.papers.autotos.loop.outcome import Outcome
from pddl_pipeline.planners.functions.guarded import SUCC, Category, CodeFails, Failure
from pddl_pipeline.planners.functions.process import CodeSource
from pddl_pipeline.search.black_boxes import feedback_text as text
from pddl_pipeline.search.space import State

_PATIENT_S: Final = 10.0
_INDENT: Final = "    "


@dataclass(frozen=True, slots=True)
class _Extracting:
    """Checks of functions that are loaded as the authors' code loads them."""

    checker: Checker

    def check(self, reply: str, function: str, others: Mapping[str, CodeSource]) -> Outcome:
        """Check a reply; see `Checker.check`."""
        return self.checker.check(_as_extracted(reply), function, others)


def _as_extracted(reply: str) -> str:
    """Return a reply whose first function is loaded as in the authors' code.

    They keep the first function of a fenced block, move the lines before it into it, and drop what
    follows its body. The code is executed inside a function, where it does not see its own name.
    """
    for block in reply.rstrip("`\n ").split("```")[1::2]:
        lines = re.sub(r"\A[Pp]ython\s*", "", block).split("\n")
        starts = [number for number, line in enumerate(lines) if line.startswith("def ")]
        if not starts:
            continue
        start = starts[0]
        body = []
        for line in lines[start + 1 :]:
            if line[:1].isalpha():
                break
            body.append(line)
        found = re.match(r"def\s+(\w+)", lines[start])
        if found is None:
            continue
        inside = [f"{_INDENT}{line}" for line in lines[:start]]
        code = "\n".join([lines[start], *inside, *body])
        name = found[1]
        return (
            f"```python\nspace = {{}}\ndone = exec({code!r}, {{}}, space)\n"
            f"def {name}(*arguments):\n{_INDENT}return space[{name!r}](*arguments)\n```\n"
        )
    return reply


def _without_goal_check(checker: Checker) -> Checks:
    domain = replace(checker.domain, isgoal=lambda *_: True)
    return replace(checker, domain=domain)


def _sorting(checker: Checker) -> Checks:
    own = checker.domain.key

    def key(state: State) -> Hashable:
        try:
            for part in state.values() if isinstance(state, dict) else ():
                if isinstance(part, list):
                    sorted(part)
        except TypeError as error:
            feedback = text.exception("successor", f"{error}")
            failure = Failure(Category.SUCC_EXCEPTION, SUCC, str(error), feedback)
            raise CodeFails(failure) from error
        return own(state)

    return replace(checker, domain=replace(checker.domain, key=key))


VARIATIONS: Final[Mapping[str, Callable[[Checker], Checks]]] = {
    "goal state not checked: outside the 24 game, the authors' code does not check that a search "
    "ended in a goal state (step 3 of the paper)": _without_goal_check,
    "extraction: the authors' code keeps one function, which does not see its own name": (
        _Extracting
    ),
    "comparison: the authors' code sorts the lists of states to compare them, and blames an "
    "exception there, such as on None beside names, on the successor function": _sorting,
    f"time limit: a call may take {_PATIENT_S:g} s instead of 1 s": (
        lambda checker: replace(checker, call_s=_PATIENT_S)
    ),
}
"""The conditions by their description."""
