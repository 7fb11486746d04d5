"""The predicates and functions whose atoms and values distinguish the states of a task."""

from __future__ import annotations

from typing import Final, NamedTuple

from pddl_pipeline.validation.language import TOTAL_COST, Effect, Fluent, Ground, Update, When
from pddl_pipeline.validation.task import Task
from pddl_pipeline.validation.vocabulary import changing_predicates, effects_of

_COST: Final[Ground] = (TOTAL_COST.function,)


class Changing(NamedTuple):
    """The names that the effects of actions change."""

    predicates: frozenset[str]
    """Including those that axioms derive."""
    functions: frozenset[str]
    """Without ``total-cost`` if it only sums up the costs of steps: no state depends on it."""


def changing(task: Task, *, with_goal: bool = True) -> Changing:
    """Return the predicates and functions that distinguish the states of a task.

    Args:
        task: the task.
        with_goal: whether the goal and the metric may distinguish states.
    """
    effects = effects_of(task.vocabulary)
    functions = {effect.fluent.function for effect in effects if isinstance(effect, Update)}
    cost = TOTAL_COST.function
    if cost in functions and _is_mere_cost(task, effects, with_goal=with_goal):
        # States that differ only in the cost so far are one state.
        functions.remove(cost)
    return Changing(changing_predicates(task.vocabulary), frozenset(functions))


def _is_mere_cost(task: Task, effects: list[Effect], *, with_goal: bool) -> bool:
    """Return whether no condition or effect reads total-cost, and each step's cost is constant."""
    updates = [effect for effect in effects if isinstance(effect, Update)]
    axioms = [axiom for stratum in task.vocabulary.strata for axiom in stratum]
    read = (
        task.facts.goal if with_goal else (),
        tuple(axiom.body for axiom in axioms),
        tuple(action.precondition for action in task.vocabulary.actions.values()),
        tuple(effect.condition for effect in effects if isinstance(effect, When)),
        tuple(update.value for update in updates),
    )
    metric = task.facts.metric if with_goal else None
    if metric is None or not reads_cost(metric.value):
        return not reads_cost(read)
    only_adds = all(
        update.operator in ("increase", "decrease")
        for update in updates
        if update.fluent == TOTAL_COST
    )
    return metric.value == TOTAL_COST and only_adds and not reads_cost(read)


def reads_cost(node: object) -> bool:
    """Return whether an expression or condition, or a tuple of them, reads total-cost."""
    if isinstance(node, Fluent):
        return (node.function, *node.terms) == _COST
    return isinstance(node, tuple) and any(map(reads_cost, node))
