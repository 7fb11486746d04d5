"""Blocksworld in PDDL, with this project's names or those of a variant, as AutoToS's dicts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pddl_pipeline.search.black_boxes.domain import Puzzle, own_space
from pddl_pipeline.search.black_boxes.domains.blocksworld import DOMAIN
from pddl_pipeline.search.black_boxes.pddl.bridge import Bridge, Form, replayed
from pddl_pipeline.search.space import State
from pddl_pipeline.translators.domains.blocksworld import Blocksworld, facts_of
from pddl_pipeline.translators.given_pddl import recognise
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.state import State as PddlState
from pddl_pipeline.validation.task import Task

_GOALS: Final = {"clear", "ontable", "on"}
"""The predicates that a goal in AutoToS's form can contain."""


def bridge(task: Task, domain: str, problem: str) -> Bridge | None:
    """Return a blocksworld task as a black box, or None for another task.

    Args:
        task: the task.
        domain: text of the domain.
        problem: text of the problem.
    """
    known = recognise(task, domain, problem)
    if known is None or known.domain != DOMAIN.name or not _can_ask(known.form):
        return None
    names = known.names

    def same(pddl: PddlState, state: State) -> bool:
        facts = [(names.get(fact[0], fact[0]), *fact[1:]) for fact in pddl.facts]
        return DOMAIN.key(state_of(facts)) == DOMAIN.key(state)

    puzzle = puzzle_of(known.form)
    return Bridge(
        own_space(DOMAIN, puzzle), lambda path: replayed(task, path, same), Form(DOMAIN, puzzle)
    )


def _can_ask(form: Blocksworld) -> bool:
    return {atom[0] for atom in form.goal} <= _GOALS


def puzzle_of(form: Blocksworld) -> Puzzle:
    """Return an instance in AutoToS's form."""
    goal = state_of(form.goal)
    return Puzzle(
        state_of(facts_of(form)), {name: goal[name] for name in ("clear", "on-table", "on")}
    )


def state_of(facts: Iterable[Ground]) -> State:
    """Return the state in which these facts hold; their predicates have this project's names."""
    found: dict[str, list[Ground]] = {name: [] for name in (*_GOALS, "holding", "handempty")}
    for name, *blocks in facts:
        found[name].append(tuple(blocks))
    held = [block for (block,) in found["holding"]]
    return {
        "clear": [block for (block,) in found["clear"]],
        "on-table": [block for (block,) in found["ontable"]],
        "arm-empty": bool(found["handempty"]),
        "holding": held[0] if held else None,
        "on": found["on"],
    }
