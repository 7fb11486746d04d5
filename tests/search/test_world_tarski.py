"""The fast state space against tarski, an independent reader and interpreter of PDDL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from planner_problems import sample
from tarski.grounding import NaiveGroundingStrategy
from tarski.io import PDDLReader
from tarski.search import GroundForwardSearchModel
from tarski.syntax.transform.action_grounding import (
    ground_schema_into_plain_operator_from_grounding,
)

from pddl_pipeline import translate
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.search.world import world_of
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import task_of

SOKOBAN = {"id": "s", "domain": "sokoban", "map": ["@$.", "   "]}
"""The sample has a million bindings of objects, which tarski would try in each state."""
CLASSICAL, LARGE = set(domain_names()) - {"countdown"}, {"minigrid", "sokoban"}
STATES = 6

Named = tuple[str, ...]


def problem_of(domain: str) -> Problem:
    return translate(from_record(SOKOBAN)) if domain == "sokoban" else sample(domain)


class Second:
    """The same task in tarski."""

    def __init__(self, problem: Problem, folder: Path) -> None:
        (folder / "domain.pddl").write_text(problem.domain_pddl)
        (folder / "problem.pddl").write_text(problem.problem_pddl)
        reader = PDDLReader(raise_on_error=True)
        reader.parse_domain(str(folder / "domain.pddl"))
        read = reader.parse_instance(str(folder / "problem.pddl"))
        self.model = GroundForwardSearchModel(read, list(_operators(read)))

    def successors(self, state: Any) -> dict[Named, Any]:
        found = self.model.successors(state)
        return {tuple(re.findall(r"[^\s(),]+", each.name)): after for each, after in found}


def _operators(read: Any) -> Iterator[Any]:
    for name, bindings in NaiveGroundingStrategy(read).ground_actions().items():
        action = read.get_action(name)
        for binding in bindings:
            names = [getattr(each, "name", each) for each in binding]
            yield ground_schema_into_plain_operator_from_grounding(action, names)


def atoms(state: Any) -> frozenset[Named]:
    """Return the facts of a tarski state, where types are predicates and functions have values."""
    found = [each for each in state.as_atoms() if not isinstance(each, tuple)]
    return frozenset(
        (each.predicate.name, *(str(term.name) for term in each.subterms)) for each in found
    )


@pytest.mark.parametrize(
    "domain",
    [*sorted(CLASSICAL - LARGE), *(pytest.param(n, marks=pytest.mark.long) for n in sorted(LARGE))],
)
def test_tarski_finds_the_same_steps_and_states(domain: str, tmp_path: Path) -> None:
    problem = problem_of(domain)
    world, second = (
        world_of(task_of(problem)),
        Second(problem, tmp_path),
    )
    seen, queue = set(), [(world.start, second.model.init())]
    for ours, theirs in queue:  # which grows
        if len(seen) == STATES:
            break
        seen.add(ours)
        assert world.atoms(ours) == atoms(theirs)
        assert world.is_goal(ours) == second.model.is_goal(theirs)
        expected = second.successors(theirs)
        found = {(step.action, *step.arguments): after for step, after in world.successors(ours)}
        assert found.keys() == expected.keys()
        queue += [
            (found[name], expected[name]) for name in sorted(found) if found[name] not in seen
        ]
