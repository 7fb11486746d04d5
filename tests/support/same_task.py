"""Whether two texts are the same task, in all that has meaning for plans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from pddl_pipeline.model.problem import Problem
from pddl_pipeline.planners.canonical import Prepared
from pddl_pipeline.validation.language import (
    TOTAL_COST,
    TOTAL_TIME,
    Action,
    Arithmetic,
    Fluent,
    Quantified,
    Update,
)
from pddl_pipeline.validation.shapes import effects_shape, shape
from pddl_pipeline.validation.task import Task, task_of
from pddl_pipeline.validation.vocabulary import changing_predicates

WORD = re.compile(r"[^\s()]+")
COST = (TOTAL_COST.function,)


def differences(given: Prepared) -> Iterator[str]:
    """Yield what differs between a problem and what was written for a planner."""
    task_of(given.texts)  # a name is renamed everywhere or nowhere
    user, written = task_of(given.problem), task_of(mapped(given))
    yield from _different_declarations(user, written)
    yield from _different_actions(user, written, given.factor)
    yield from _different_facts(user, written, given.factor)


def mapped(given: Prepared) -> Problem:
    """Return what was written, with the user's names."""
    domain, facts = (
        WORD.sub(lambda word: given.names.get(word[0], word[0]), text)
        for text in (given.texts.domain_pddl, given.texts.problem_pddl)
    )
    return Problem(domain, facts)


def _unequal(what: str, one: object, other: object) -> Iterator[str]:
    if one != other:
        yield f"{what}: {str(one)[:300]} became {str(other)[:300]}"


def _filler(user: Task, written: Task) -> set[str]:
    """Return the predicate of a fact that the user does not have, and that always holds."""
    new = {fact[0] for fact in written.facts.facts if len(fact) == 1}
    return new - changing_predicates(written.vocabulary) - user.vocabulary.predicates.keys()


def _different_declarations(user: Task, written: Task) -> Iterator[str]:
    one, other = user.vocabulary, written.vocabulary
    yield from _unequal("objects", [*one.objects], [*other.objects])
    for before, after in ((one.predicates, other.predicates), (one.functions, other.functions)):
        yield from _unequal("names", set(before), set(after) - _filler(user, written))
        for name in before.keys() & after.keys():
            yield from _unequal(name, len(before[name]), len(after[name]))
            for mine, theirs in zip(before[name], after[name], strict=True):
                fewer = set(one.candidates(mine)) - set(other.candidates(theirs))
                yield from _unequal(name, fewer, set())
    rules = [[(shape(a.head), plain(a.body)) for group in each.strata for a in group]
             for each in (one, other)]  # fmt: skip
    yield from _unequal("rules", *rules)
    yield from _unequal(
        "features", *({part.feature for part in x.facts.unsupported} for x in (user, written))
    )


def _different_actions(user: Task, written: Task, factor: int) -> Iterator[str]:
    one, other = user.vocabulary, written.vocabulary
    for name, action in one.actions.items():
        if name not in other.actions:
            parts = [action, *(action.durative[:3] if action.durative else ())]
            yield from _unequal(
                name, [part.effects for part in parts if effects_shape(part.effects)], []
            )
            continue
        yield from _unequal(name, *(_action(task, task.vocabulary.actions[name], times)
                                    for task, times in ((user, factor), (written, 1))))  # fmt: skip
    yield from _unequal("actions", set(other.actions) - set(one.actions), set())


def _action(task: Task, action: Action, factor: int) -> Any:
    """Return all that has meaning of an action, with its costs multiplied."""
    objects = [(v.name, frozenset(task.vocabulary.candidates(v.types))) for v in action.parameters]
    effects = [scaled(effect, factor) for effect in action.effects]
    durative = action.durative
    return (
        objects, plain(action.precondition), effects_shape(map(folded, effects)),
        frozenset(map(plain, action.preferences)), [plain(bound) for bound in action.bounds],
        durative and [*(_action(task, part, 1) for part in durative[:3]), durative.named],
    )  # fmt: skip


def _different_facts(user: Task, written: Task, factor: int) -> Iterator[str]:
    one, other = user.facts, written.facts
    filler = {(name,) for name in _filler(user, written)}
    yield from _unequal("facts", one.facts, other.facts - filler)
    values = {fluent: value * factor for fluent, value in one.values.items()}
    if COST in other.values:
        values.setdefault(COST, 0)
    yield from _unequal("values", values, other.values)
    goals = plain(one.goal), plain(other.goal)
    if goals[0] != goals[1]:
        changing = changing_predicates(user.vocabulary)
        atom = (getattr(other.goal, "predicate", ""), *getattr(other.goal, "terms", ()))
        holds = atom in filler or (atom in one.facts and atom[0] in changing)
        is_free = goals[0] == ("And", frozenset()) and holds
        yield from _unequal("goal", goals[0], goals[0] if is_free else goals[1])
    if not (other.metric is None and one.metric is not None and one.metric.value == TOTAL_TIME):
        yield from _unequal("metric", plain(one.metric), plain(other.metric))
    yield from _unequal("preferences", *({*map(plain, x.preferences)} for x in (one, other)))
    yield from _unequal("constraints", *({*map(plain, x.constraints)} for x in (one, other)))
    yield from _unequal(
        "times", *([(time, effects_shape(a.effects)) for time, a in x.timed] for x in (one, other))
    )


def plain(node: Any) -> Any:
    """Return a key of a formula that is equal for equal formulas; see `shape`."""
    return shape(folded(node))


def scaled(node: Any, factor: int) -> Any:
    """Return an effect with its costs multiplied."""
    if isinstance(node, Update) and isinstance(node.value, (int, Fraction)):
        return node._replace(value=node.value * factor)
    if isinstance(node, tuple) and not isinstance(node, Fluent):
        inner = [scaled(part, factor) for part in node]
        return type(node)(*inner) if hasattr(node, "_fields") else tuple(inner)
    return node


def folded(node: Any) -> Any:
    """Return a formula with constants computed, sums of two, and no empty quantifiers."""
    if not isinstance(node, tuple):
        return node
    parts = [folded(part) for part in node]
    made = type(node)(*parts) if hasattr(node, "_fields") else tuple(parts)
    if isinstance(made, Quantified) and not made.variables:
        return made.part
    if isinstance(made, Arithmetic):
        operands = list(made.operands) if len(made.operands) > 1 else [0, *made.operands]
        value = operands[0]
        for operand in operands[1:]:
            value = _operation(made.operator, value, operand)
        return value
    return made


def _operation(operator: str, left: Any, right: Any) -> Any:
    numbers = isinstance(left, (int, Fraction)) and isinstance(right, (int, Fraction))
    if not numbers or (operator == "/" and right == 0):
        return Arithmetic(operator, (left, right))
    left = Fraction(left)
    return {"+": left + right, "-": left - right, "*": left * right, "/": left / (right or 1)}[
        operator
    ]
