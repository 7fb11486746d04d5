"""The facts that hold in place of a missing one, found from the effects of the actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pddl_pipeline.validation.language import Add, Atom, Binding, Delete, Ground, walk
from pddl_pipeline.validation.matching import unified
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task


def blockers(task: Task, state: State, condition: Ground) -> list[Ground]:
    """Return the facts whose presence makes a missing fact false, sorted.

    An action that adds the missing fact deletes them. They are about an object of the missing fact,
    or are the only ones that all actions exchange with it, as ``(on c0)`` for ``(empty-ferry)``.
    Of these, the closest are returned: with the same predicate and first object, else about the
    first object, else with the same predicate.

    Args:
        task: the task.
        state: the state, in which the fact does not hold.
        condition: the missing fact.
    """
    exchanged = [*_exchanged(task, state, condition)]
    adding = [facts for is_added, facts in exchanged if is_added]
    found = {fact for facts in adding for fact in facts if {*fact[1:]} & {*condition[1:]}}
    # If all effects add it or none does, nothing is exchanged for it.
    if 0 < len(adding) < len(exchanged):
        always = frozenset.intersection(*[facts for _, facts in exchanged])
        count = Counter(fact[0] for fact in always)
        found |= {fact for fact in always if count[fact[0]] == 1}
    near = 2 if len(condition) > 2 else 1
    found |= {fact for fact in state.facts if near == 2 and fact[:2] == condition[:2]}
    ranks = {
        fact: (
            near == 2 and fact[:2] == condition[:2],
            {*condition[1:2]} <= {*fact[1:]},
            fact[0] == condition[0],
        )
        for fact in found
    }
    return sorted(fact for fact, rank in ranks.items() if rank == max(ranks.values()))


def _exchanged(
    task: Task, state: State, condition: Ground
) -> Iterator[tuple[bool, frozenset[Ground]]]:
    """Yield, for each effect on a fact, whether it adds it and the facts exchanged for it."""
    for action in task.vocabulary.actions.values():
        moments = (action,) if action.durative is None else action.durative[:2]
        effects = [
            part
            for moment in moments
            for part, _ in walk(*moment.effects)
            if isinstance(part, (Add, Delete))
        ]
        for effect in effects:
            bound = _binding(effect.atom, condition, {})
            if bound is not None:
                others = [other.atom for other in effects if type(other) is not type(effect)]
                yield isinstance(effect, Add), frozenset(
                    fact for fact in state.facts for other in others
                    if _binding(other, fact, bound) is not None
                )  # fmt: skip


def _binding(atom: Atom, fact: Ground, bound: Binding) -> Binding | None:
    """Return the objects of variables for which an atom is a fact, or None if there are none."""
    return unified(atom, fact, bound) if atom.predicate == fact[0] else None
