"""Problems that start in another state of a task: the original text with another ``:init``."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from pddl_pipeline.model.atom import atom_text
from pddl_pipeline.model.number import Number
from pddl_pipeline.validation.sexpr import SList, Source
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_INIT = ":init"


def problem_from_state(task: Task, problem: str, state: State) -> str:
    """Return the text of a problem with a state as its initial state.

    A number that is not whole is rounded to the nearest double. Planners may round further: ENHSP
    reads numbers as floats of 32 bits.

    Args:
        task: the task of the problem.
        problem: the text of the problem.
        state: a state of the task; derived atoms are left out.

    Raises:
        OverflowError: a number is larger than every double.
    """
    derived = task.vocabulary.derived
    atoms = [atom_text(fact) for fact in sorted(state.facts) if fact[0] not in derived]
    values = [
        f"(= {atom_text(fluent)} {_decimal(value)})"
        for fluent, value in sorted(state.values.items())
    ]
    init = "\n    ".join(["(:init", *atoms, *values])
    source = Source(problem, "problem.pddl")
    sections = [part for part in source.read() if isinstance(part, SList) and part[:1] == [_INIT]]
    ((start, end),) = source.spans(sections)
    return f"{problem[:start]}{init})\n{problem[end:]}"


def _decimal(value: Number) -> str:
    exact = Fraction(value)
    if exact.denominator == 1:
        return str(exact.numerator)
    # Positional notation: not all planners read exponents.
    return f"{Decimal(repr(float(exact))):f}"
