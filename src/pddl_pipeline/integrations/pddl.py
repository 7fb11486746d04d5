"""The package pddl (AI-Planning/pddl) both ways: domains and problems; extra ``pddl``.

>>> from pddl_pipeline.integrations.pddl import to_pddl
>>> domain, problem = to_pddl("domain.pddl", "problem.pddl")
>>> read_task(domain, problem)
<Task ferry ferry-3-2: 5 objects, 3 actions>
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, Final

from pddl_pipeline.integrations.extras import missing
from pddl_pipeline.integrations.libraries import given_task
from pddl_pipeline.integrations.pddl_text import (
    action_text,
    bound,
    library_texts,
    number,
    problem_of,
    typed,
)
from pddl_pipeline.integrations.reading import check_reading
from pddl_pipeline.model.errors import InputError, check_type
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.planners.unified_planning import one_line
from pddl_pipeline.validation.task import Task, Texts, task_of

try:
    from pddl.core import Domain
    from pddl.core import Problem as PddlProblem
    from pddl.logic.base import And, BinaryOp, Not, OneOf, QuantifiedCondition
    from pddl.logic.effects import Forall, When
    from pddl.logic.functions import BinaryFunction, NumericFunction, NumericValue, UnaryMinus
    from pddl.logic.predicates import EqualTo, Predicate
    from pddl.logic.terms import Term
    from pddl.parser.domain import DomainParser
    from pddl.parser.problem import ProblemParser
except ImportError as error:
    raise missing(error, "pddl") from None

_UNREADABLE: Final = {
    "requirement, :": "a quantifier, a disjunction or an implication in the goal",
    "types ['object'] of term": "a parameter or object of type object before one of another type",
    "Token('MINUS', '-')": "a negative number",
    "tokens: [Token('TYPE_SEP', '-')]": "a type or an object with either",
}


def texts_of(domain: Any, problem: Any = None) -> Problem:
    """Return the texts of a domain and a problem, or of a problem that has its domain.

    The package's own printer loses ``either`` and gives parameters without a type that of the next.

    Raises:
        InputError: PDDL cannot express a part, which the message names.
        TypeError: the objects are not a domain and a problem.
    """
    if problem is None and isinstance(domain, PddlProblem):
        domain, problem = domain._domain, domain  # noqa: SLF001 -- the property fails without one
        if domain is None:
            name = problem.name
            raise InputError(f"the problem '{name}' has no domain: give it, or set problem.domain")
    for value, kind in ((domain, Domain), (problem, PddlProblem)):
        name = kind.__name__
        check_type(name.lower(), value, kind, f"a {name} of the package pddl")
    rules = [
        f" (:derived {_declared(each.predicate)} {_text(each.condition)})"
        for each in domain.derived_predicates
    ]
    actions = [
        action_text(
            each.name, _variables(each.parameters),
            "(and)" if each.precondition is None else _text(each.precondition),
            [] if each.effect is None else
            map(_text, each.effect.operands if isinstance(each.effect, And) else [each.effect]),
        ) for each in domain.actions
    ]  # fmt: skip
    # The order of the package's sets changes from process to process.
    return problem_of(
        (domain.name, problem.name),
        types=[typed(name, [parent or "object"]) for name, parent in domain.types.items()],
        predicates=sorted(map(_declared, domain.predicates)),
        functions=sorted(map(_declared, domain.functions)),
        actions=sorted(rules) + sorted(actions),
        objects=sorted({typed(each.name, sorted(each.type_tags))
                        for each in (*domain.constants, *problem.objects)}),
        init=sorted(map(_text, problem.init)),
        goal=_text(problem.goal),
        metric="" if problem.metric is None else
        f"{problem.metric.optimization} {_text(problem.metric.expression)}",
    )  # fmt: skip


def _variables(variables: Iterable[Any]) -> list[str]:
    return [typed(_text(each), sorted(each.type_tags) or ["object"]) for each in variables]


def _declared(item: Any) -> str:
    return atom_text([item.name, *_variables(item.terms)])


def _text(node: Any) -> str:
    """Return a term, a condition, an expression or an effect as PDDL."""
    match node:
        case Term() | Predicate() | EqualTo() | NumericFunction():
            return str(node)
        case NumericValue():
            return number(node.value)
        case QuantifiedCondition():
            return bound(node.SYMBOL, _variables(node.variables), _text(node.condition))
        case Forall():
            return bound("forall", _variables(node.variables), _text(node.effect))
        case When():
            return f"(when {_text(node.condition)} {_text(node.effect)})"
        case Not():
            return f"(not {_text(node.argument)})"
        case UnaryMinus():
            return f"(- {_text(node.operand)})"
        case BinaryOp() | BinaryFunction() if not isinstance(node, OneOf):
            word = getattr(node.SYMBOL, "value", node.SYMBOL)
            return atom_text([word, *map(_text, node.operands)])
    raise InputError(f"{type(node).__name__} is not supported: {node}")


def to_pddl(source: Any, problem: Any = None) -> tuple[Any, Any]:
    """Return a task, an instance or what `read_task` accepts as a Domain and a Problem.

    The problem has the domain. Both are compared with the task.

    Raises:
        InputError: the package cannot express a part, or reads a different problem.
    """
    found = converted(given_task(source, problem))
    return found.domain, found


def converted(task: Task, texts: Texts | None = None) -> Any:
    """Return a task as a problem of the package; what the package read is compared with the task.

    Args:
        task: the task.
        texts: the texts that the package reads; None for those of the task.

    Raises:
        DifferentReading: the package reads a different problem.
        InputError: the package cannot read the texts.
    """
    task.check_supported()
    texts = texts or task.texts
    if texts is None:
        raise InputError("the task has no PDDL texts")
    try:
        found = _read(library_texts(*texts))
    except Exception as error:
        text = one_line(error)
        known = [f"it has {feature}" for sign, feature in _UNREADABLE.items() if sign in text]
        raise InputError(f"pddl cannot read the problem: {[*known, text][0]}") from error
    check_reading(task, task_of(texts_of(found)), "pddl")
    return found


def _read(texts: Problem) -> Any:
    """Return the problem that the package reads from texts."""
    before = getattr(sys, "tracebacklimit", None)
    try:
        found = ProblemParser()(texts.problem_pddl)
        found.domain = DomainParser()(texts.domain_pddl)
    finally:
        # The package sets it to 0, and leaves it so after an error.
        sys.tracebacklimit = before
    return found
