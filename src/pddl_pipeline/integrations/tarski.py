"""Tarski both ways: problems of ``tarski.fstrips``; extra ``tarski``.

>>> from pddl_pipeline.integrations.tarski import to_tarski
>>> read_task(to_tarski("domain.pddl", "problem.pddl"))
<Task ferry ferry-3-2: 5 objects, 3 actions>
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from pddl_pipeline.integrations.extras import missing
from pddl_pipeline.integrations.libraries import converted, given_task
from pddl_pipeline.integrations.pddl_text import (
    action_text,
    bound,
    checked_name,
    number,
    problem_of,
    typed,
)
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.model.verdict import Opinion, Status
from pddl_pipeline.validation.shapes import CHANGES

try:
    from tarski import fstrips, model
    from tarski import syntax as fol
    from tarski.evaluators.simple import evaluate
    from tarski.fstrips.representation import substitute_expression
    from tarski.io import PDDLReader
    from tarski.syntax.sorts import Interval, parent
    from tarski.syntax.transform.quantifier_elimination import (
        QuantifierEliminationMode,
        remove_quantifiers,
    )
    from tarski.syntax.transform.substitutions import create_substitution, enumerate_substitutions
except ImportError as error:
    raise missing(error, "tarski") from None

UNREADABLE: Final = {
    "total-time": "the metric (total-time)",
    "input 'number'": "a type with the name number",
    "unhashable type: 'Constant'": "a value of a function whose argument is of a subtype",
    "derived predicates": "derived predicates",
}
_evaluate: Any = evaluate
"""Tarski's types allow results that its evaluator of terms does not return."""
_COST: Final = "total-cost"
_TOTAL_COST: Final = f"({_COST})"
_NUMBER: Final = "number"
"""The name of the type that Tarski's reader gives to functions."""
_BUILTIN: Final = frozenset(("=", "<", "<=", ">", ">=", "+", "-", "*", "/"))


def texts_of(domain: Any, problem: Any = None) -> Problem:
    """Return the texts of a problem, which has the domain.

    Tarski's own writer declares its type of numbers as a type of objects, writes increases as
    assignments, and drops what it does not know.

    Raises:
        InputError: PDDL cannot express a part, which the message names.
        TypeError: the object is not a problem of ``tarski.fstrips``.
    """
    if problem is not None or not isinstance(domain, fstrips.Problem):
        found = type(domain if problem is None else problem).__name__
        raise TypeError(f"problem: found {found}, expected one Problem of tarski.fstrips")
    for fits, what in (
        (type(domain) is fstrips.Problem, f"a {type(domain).__name__}"),
        (not domain.constraints, "constraints on states"),
        (domain.goal is not None, "no goal"),
    ):
        if not fits:
            raise InputError(f"the problem '{domain.name}' has {what}, which is not supported")
    words: Any = domain.language
    metric, actions = domain.plan_metric, domain.actions.values()
    functions = [_declared(each) for each in words.functions if not each.builtin]
    init = sorted(_initial(domain.init))
    if any(map(_cost, actions)):
        functions = list(dict.fromkeys([*functions, _TOTAL_COST]))
        if not any(each.startswith(f"(= {_TOTAL_COST} ") for each in init):
            init.append(f"(= {_TOTAL_COST} 0)")
    rules = [
        f" (:derived {atom_text([each.predicate.symbol, *_variables(each.parameters)])} "
        f"{_text(each.formula)})"
        for each in domain.derived_predicates.values()
    ]
    texts = [
        action_text(
            each.name, _variables(each.parameters), _text(each.precondition),
            [*map(_effect, each.effects), *_cost(each)],
        ) for each in actions
    ]  # fmt: skip
    return problem_of(
        (domain.domain_name, domain.name),
        types=[
            typed(checked_name(each.name), [parent(each).name]) for each in words.sorts
            if each != words.Object and not isinstance(each, Interval)
        ],
        predicates=[_declared(each) for each in words.predicates if not each.builtin],
        functions=functions,
        actions=rules + texts,
        objects=[typed(checked_name(each.symbol), [each.sort.name]) for each in words.constants()
                 if not isinstance(each.sort, Interval)],
        init=init,
        goal=_text(domain.goal),
        metric=f"{metric.opt_type} {_text(metric.opt_expression)}" if metric else "",
    )  # fmt: skip


def _cost(action: Any) -> list[str]:
    """Return the effect that adds the cost of an action, which Tarski's reader may set to 0."""
    text = _text(action.cost.addend) if action.cost else "0"
    return [] if text == "0" else [f"(increase {_TOTAL_COST} {text})"]


def _initial(state: Any) -> Iterator[str]:
    for each in state.function_extensions.values():
        if not isinstance(each, model.ExtensionalFunctionDefinition):
            raise InputError("a function that is computed by a procedure is not supported")
    for each in state.as_atoms():
        yield f"(= {_text(each[0])} {_text(each[1])})" if isinstance(each, tuple) else _text(each)


def _type(sort: Any) -> str:
    if isinstance(sort, Interval):
        raise InputError(f"a parameter that is a number ({sort.name}) is not supported")
    return checked_name(sort.name)


def _variables(variables: Iterable[Any]) -> list[str]:
    return [typed(_text(each), [_type(each.sort)]) for each in variables]


def _declared(symbol: Any) -> str:
    """Return the declaration of a predicate or of a function."""
    kinds, name = symbol.sort, checked_name(symbol.symbol)
    if isinstance(symbol, fol.Function):
        *kinds, value = kinds
        whole = getattr(value, "builtin", False) or value.name == _NUMBER
        if not isinstance(value, Interval) or not whole:
            raise InputError(f"the function '{name}' with values of {value.name} is not supported")
    return atom_text([name, *(typed(f"?x{n}", [_type(k)]) for n, k in enumerate(kinds, start=1))])


def _effect(effect: Any) -> str:
    match effect:
        case fstrips.AddEffect():
            text = _text(effect.atom)
        case fstrips.DelEffect():
            text = f"(not {_text(effect.atom)})"
        case fstrips.UniversalEffect():
            inner = atom_text(["and", *map(_effect, effect.effects)])
            text = bound("forall", _variables(effect.variables), inner)
        case fstrips.FunctionalEffect():
            word, value = "assign", effect.rhs
            if isinstance(effect, fstrips.IncreaseEffect):
                word = "increase"
            elif isinstance(value, fol.CompoundTerm) and str(value.symbol.symbol) in ("+", "-"):
                first, second = value.subterms
                if first.is_syntactically_equal(effect.lhs):
                    # Tarski's reader makes an assignment of every change. Some planners read no
                    # `scale-up` and `scale-down`.
                    word, value = CHANGES[str(value.symbol.symbol)], second
            text = f"({word} {_text(effect.lhs)} {_text(value)})"
        case _:
            raise InputError(f"{type(effect).__name__} is not supported: {effect}")
    condition = effect.condition
    return text if condition == fol.top else f"(when {_text(condition)} {text})"


def _text(node: Any) -> str:
    """Return a term or a formula as PDDL."""
    match node:
        case fol.Tautology():
            return "(and)"
        case fol.Contradiction():
            return "(or)"
        case fol.Variable():
            return f"?{checked_name(node.symbol.removeprefix('?'))}"
        case fol.Constant():
            is_number = isinstance(node.sort, Interval)
            return number(node.symbol) if is_number else checked_name(node.symbol)
        case fol.CompoundFormula():
            return atom_text([str(node.connective), *map(_text, node.subformulas)])
        case fol.QuantifiedFormula():
            return (
                f"({node.quantifier} {atom_text(_variables(node.variables))} {_text(node.formula)})"
            )
        case fol.Atom() | fol.CompoundTerm():
            word, terms = str(node.symbol.symbol), [*map(_text, node.subterms)]
            if word == "!=":
                return f"(not {atom_text(['=', *terms])})"
            if not node.symbol.builtin or word in _BUILTIN:
                return atom_text([checked_name(word), *terms])
    raise InputError(f"{type(node).__name__} is not supported: {node}")


def to_tarski(source: Any, problem: Any = None) -> Any:
    """Return a task, an instance or what `read_task` accepts as a problem of ``tarski.fstrips``.

    It is compared with the task.

    Raises:
        InputError: Tarski cannot express a part, or reads a different problem.
    """
    return converted("tarski", given_task(source, problem))


def read(texts: Problem) -> Any:
    """Return the problem that the library reads from texts."""
    reader = PDDLReader(raise_on_error=True, strict_with_requirements=False)
    reader.parse_domain_string(texts.domain_pddl)
    return reader.parse_instance_string(texts.problem_pddl)


def executed(problem: Any, steps: Sequence[Step], largest: int) -> Opinion:
    """Return the result of executing steps in a problem that Tarski has read from PDDL.

    Tarski's own ``progress`` applies effects one after another, so that conditions read what other
    effects have changed. Here Tarski evaluates all of them in the state before the step.

    Args:
        problem: the problem.
        steps: actions of the problem with objects of their types.
        largest: numbers from here on may be inexact, which makes the opinion undecided.
    """
    words, state = problem.language, copy.deepcopy(problem.init)
    total = words.get(_COST)() if words.has_function(_COST) else None
    if total is not None and not state.get_extension(total.symbol).data:
        state.set(total, 0)
    for place, step in enumerate(steps, start=1):
        action = problem.actions[step.action]
        objects = [words.get_constant(each) for each in step.arguments]
        binding = create_substitution(action.parameters.vars(), objects)
        if not _holds(substitute_expression(action.precondition, binding), state):
            return Opinion(Status.INVALID, f"step {place} {step} is not applicable")
        effects = [*action.effects]
        if action.cost:
            effects.append(fstrips.FunctionalEffect(total, total + action.cost.addend))
        ground = [substitute_expression(each, binding) for each in effects]
        changes = [change for each in ground for change in _changes(each, state)]
        fault = _apply(changes, state, largest)
        if fault:
            return Opinion(Status.UNDECIDED, f"step {place} {step} {fault}")
    if not _holds(problem.goal, state):
        return Opinion(Status.INVALID, "the goal does not hold")
    metric = problem.plan_metric
    cost = metric and Fraction(str(_evaluate(metric.opt_expression, state).symbol))
    return Opinion(Status.VALID, cost=cost)


def _apply(changes: Sequence[tuple[str, Any, Any]], state: Any, largest: int) -> str:
    """Make changes to a state; return why they cannot be made, or an empty text."""
    numbers = [(str(target), value) for kind, target, value in changes if kind == "set"]
    if len({target for target, _ in numbers}) < len(numbers):
        return "changes a number twice"
    if any(abs(value) >= largest for _, value in numbers):
        return "makes a number that may be inexact"
    # An atom that a step deletes and adds holds afterwards.
    for kind, target, value in sorted(changes, key=lambda change: change[0] == "add"):
        if kind == "set":
            state.set(target, value)
        else:
            getattr(state, kind)(target.predicate, *target.subterms)
    return ""


def _changes(effect: Any, state: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the changes of a ground effect: ``add`` or ``discard`` an atom, ``set`` a term."""
    if isinstance(effect, fstrips.UniversalEffect):
        for binding in enumerate_substitutions(effect.variables):
            for inner in effect.effects:
                yield from _changes(substitute_expression(inner, binding), state)
    elif _holds(effect.condition, state):
        if isinstance(effect, fstrips.FunctionalEffect):
            yield "set", effect.lhs, _evaluate(effect.rhs, state).symbol
        else:
            yield "add" if isinstance(effect, fstrips.AddEffect) else "discard", effect.atom, None


def _holds(formula: Any, state: Any) -> bool:
    plain = remove_quantifiers(state.language, formula, QuantifierEliminationMode.All)
    return bool(evaluate(plain, state))
