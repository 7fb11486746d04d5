"""Any task as a black box: the validator's own semantics behind the two functions.

A faster world model goes behind `space_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from pddl_pipeline.search.blackbox.pddl.bridge import Bridge, replayed
from pddl_pipeline.search.blackbox.space import Space
from pddl_pipeline.validation.features import task_features
from pddl_pipeline.validation.language import Add, Delete, Effect, ForEach, Ground, When
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

Key = tuple[frozenset[Ground], frozenset[object]]


def bridge(task: Task) -> Bridge:
    """Return a task as a black box whose states are the validator's.

    Raises:
        PddlError: the task uses a part of PDDL that is not judged.
    """
    space = space_of(task)
    return Bridge(
        space,
        lambda path: replayed(task, path, lambda one, other: space.key(one) == space.key(other)),
    )


def space_of(task: Task) -> Space:
    """Return the state space of a task."""
    return Space(
        task.initial_state(),
        lambda state: (after for _, after in task.successors(state)),
        task.goal_holds,
        partial(_key, _changing(task), "numeric" in task_features(task)),
    )


def _key(changing: frozenset[str], numeric: bool, state: State) -> Key:  # noqa: FBT001
    """Return what can differ between states; costs that only add up tell none apart."""
    facts = frozenset([fact for fact in state.facts if fact[0] in changing])
    return facts, frozenset(state.values.items() if numeric else ())


def _changing(task: Task) -> frozenset[str]:
    """Return the predicates that some action or axiom changes."""
    actions = task.vocabulary.actions.values()
    changed = {name for action in actions for name in _changed(action.effects)}
    return frozenset(changed | task.vocabulary.derived)


def _changed(effects: Iterable[Effect]) -> Iterator[str]:
    for effect in effects:
        match effect:
            case Add(atom) | Delete(atom):
                yield atom.predicate
            case When(_, inner) | ForEach(_, inner):
                yield from _changed(inner)
