"""Equivalence of problems, against all renamings and all reachable states of small tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import permutations

from hypothesis import assume, given
from hypothesis import strategies as st
from planner_problems import sample

from pddl_pipeline.search.equivalence import Sameness, compare_problems
from pddl_pipeline.search.implied import Literal
from pddl_pipeline.search.state_graph import StateGraph
from pddl_pipeline.search.world import world_of
from pddl_pipeline.validation.language import And, Atom, Ground, Not
from pddl_pipeline.validation.task import Task, read_task

State = frozenset[Ground]
Names = Mapping[str, str]


@cache
def small(name: str) -> tuple[Task, list[State], list[Names]]:
    """Return a task, its reachable states, and the renamings that do not change it."""
    problem = sample(name)
    text = problem.problem_pddl.replace("(on b3 b2)", "(ontable b3) (clear b2)")
    task = read_task(problem.domain_pddl, text)
    graph, objects = StateGraph(world_of(task), 10_000), task.vocabulary.objects
    states = [graph.world.atoms(each) for each in graph.states]
    renamings = [dict(zip(objects, each, strict=True)) for each in permutations(objects)]
    return task, states, [
        names for names in renamings
        if all(objects[one] == objects[names[one]] for one in objects)
        if moved(states[0], names) == states[0]
    ]  # fmt: skip


def moved(atoms: Iterable[Ground], names: Names) -> State:
    return frozenset((name, *[names[each] for each in terms]) for name, *terms in atoms)


def with_goal(task: Task, goal: Iterable[Literal], names: Names) -> Task:
    """Return a task with another goal, and then with other names of the objects."""
    vocabulary, facts = task.vocabulary.extended(), task.facts
    vocabulary.objects = {names[each]: types for each, types in task.vocabulary.objects.items()}
    atoms = [(Atom(name, tuple(terms)), holds) for literal, holds in goal
             for name, *terms in moved([literal], names)]  # fmt: skip
    parts = tuple(atom if holds else Not(atom) for atom, holds in atoms)
    changed = facts._replace(facts=moved(facts.facts, names), goal=And(parts))
    return Task(vocabulary, changed, task.texts)


@given(st.sampled_from(("blocksworld", "ferry")), st.data())
def test_goals_are_the_same_if_the_same_states_satisfy_them(name: str, data: st.DataObject) -> None:
    task, states, renamings = small(name)
    changing = sorted(frozenset().union(*states) - states[0].intersection(*states))
    state = data.draw(st.sampled_from(states))
    literals = [(each, each in state) for each in changing]
    goals = [frozenset(data.draw(st.lists(st.sampled_from(literals), max_size=4))) for _ in "ab"]
    goals[1] |= data.draw(st.sampled_from([frozenset(), goals[0]]))
    found = [
        {state for state in states if all((atom in state) == holds for atom, holds in goal)}
        for goal in goals
    ]
    assume(any(found))
    truth = any({moved(state, names) for state in found[0]} == found[1] for names in renamings)
    objects = list(task.vocabulary.objects)
    names = dict(zip(objects, data.draw(st.permutations(objects)), strict=True))
    same = dict(zip(objects, objects, strict=True))
    result = compare_problems(with_goal(task, goals[0], same), with_goal(task, goals[1], names))
    assert result.verdict == (Sameness.EQUIVALENT if truth else Sameness.DIFFERENT), result.reason
