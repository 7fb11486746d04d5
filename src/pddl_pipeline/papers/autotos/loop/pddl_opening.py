"""The initial prompts of any PDDL domain, from its description. The texts are this project's."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.papers.autotos.loop.opening import Opening
from pddl_pipeline.search.black_boxes.domain import Puzzle

_VALUES: Final = (
    "Its key 'values' is a dictionary of the numeric fluents that actions change: the keys are "
    "tuples of the function and its objects. "
)
_SUCC: Final = """
Here is a planning domain in PDDL:

{description}

A state is a dictionary. Its key 'facts' is a list of the atoms that hold and that actions can \
change, each a tuple of the predicate and its objects. {values}Derived predicates are not listed. \
What no action changes is in a second dictionary, the problem: 'objects' has the type of each \
object, 'facts' lists the atoms that always hold, 'values' has the constant fluents if there are \
any, and 'goal' is the goal of the PDDL problem as nested tuples. All names are in lower case.

Here is an example of a state:
{state}
Here is an example of a problem:
{problem}

Provide a Python implementation of the successor function, receiving a state and a problem and \
returning a list of the states that result from each applicable action, in the same form. The \
input state must not change.
"""
_ISGOAL: Final = """
Provide only the python code that tests whether a state is a goal state of a problem. The function \
should receive a state and a problem as before, and return True if the goal of the problem holds \
in the state and False otherwise.
Here is an example of a goal:
{goal}
"""


def pddl_opening(description: str, example: Puzzle) -> Opening:
    """Return the initial prompts of a PDDL domain.

    Args:
        description: the text of the domain.
        example: a problem of the domain, as `PddlDomain.add` returns it.
    """
    state, problem = example
    values = _VALUES if "values" in state else ""
    return Opening(
        _SUCC.format(
            description=description.strip(), values=values, state=state, problem=problem
        ),
        _ISGOAL.format(goal=problem["goal"]),
    )  # fmt: skip
