"""What a loop is about: a black-box domain with its prompts, unit tests and instances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.suggestion import item_named
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.autotos import domains as game24
from pddl_pipeline.papers.autotos.checks import UnitTests, own_folder, read_unit_tests
from pddl_pipeline.papers.autotos.domains import DOMAINS
from pddl_pipeline.papers.autotos.loop import OPENINGS, Opening
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.black_boxes.bridges import Unsound, bridge_of, plan_along
from pddl_pipeline.search.black_boxes.domain import Domain, Puzzle, own_space
from pddl_pipeline.search.space import Bounds, Searched, Space, State, breadth_first
from pddl_pipeline.translators import translate_and_read
from pddl_pipeline.translators.domains.countdown import Countdown
from pddl_pipeline.translators.domains.countdown_rules import NAMED_RULES
from pddl_pipeline.translators.judging import judge_plan
from pddl_pipeline.validation.task import Task

RULES_24: Final = NAMED_RULES["autotos-24game"]
"""The rules by which the 24 game is judged."""
_SIGNS: Final = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}


@dataclass(frozen=True, slots=True)
class PuzzleInstance:
    """An instance to solve with the functions of models."""

    id: str
    puzzle: Puzzle
    own: Space
    """The state space with the project's functions."""
    fault: Callable[[Sequence[State]], str | None]
    """Return why a path from the start to a goal is not a valid plan; None if it is one."""
    _found: dict[Bounds, Searched] = field(default_factory=dict)

    def own_search(self, bounds: Bounds) -> Searched:
        """Return a path with the fewest steps, by the project's functions.

        The search is made once, however many functions are compared with it.
        """
        if bounds not in self._found:
            self._found[bounds] = breadth_first(self.own, bounds, SearchEffort())
        return self._found[bounds]


def trial_of(instance: Instance[Any], domain: Domain) -> PuzzleInstance:
    """Return an instance of one of the project's black-box domains.

    Raises:
        InputError: the instance is not of the domain, or uses a part of PDDL that is not judged.
    """
    if domain is game24.DOMAIN:
        return _trial24(instance)
    texts, task = translate_and_read(instance)
    bridge = bridge_of(task, texts.domain_pddl, texts.problem_pddl)
    if bridge.form is None or bridge.form.domain is not domain:
        raise InputError(f"{instance.id}: found no task of {domain.name}")
    fault = partial(_fault, bridge.plan, task, instance)
    return PuzzleInstance(instance.id, bridge.form.puzzle, bridge.space, fault)


def _fault(
    plan_of: Callable[[Sequence[State]], Plan],
    task: Task,
    instance: Instance[Any],
    path: Sequence[State],
) -> str | None:
    """Return why a path is not a valid plan of a task, given what converts it to a plan."""
    try:
        verdict = judge_plan(plan_of(path), task, instance)
    except Unsound as error:
        return str(error)
    return None if verdict.status is Status.VALID else f"{verdict.status}: {verdict.reason}"


def _trial24(instance: Instance[Any]) -> PuzzleInstance:
    """Return a puzzle of the 24 game; exact arithmetic judges it, by AutoToS's rules."""
    record = instance.record
    if not isinstance(record, Countdown) or record.target != game24.TARGET:
        raise InputError(f"{instance.id}: found no puzzle of the 24 game")
    puzzle = Puzzle(list(record.numbers))
    judge = Judge([instance])

    def fault(path: Sequence[State]) -> str | None:
        try:
            expression = _expression(record, plan_along(record, path))
        except Unsound as error:
            return str(error)
        score = judge.score(Answer(instance.id, f"{expression} = {game24.TARGET}"))
        return None if score.correct else f"{expression} is not {game24.TARGET}"

    return PuzzleInstance(instance.id, puzzle, own_space(game24.DOMAIN, puzzle), fault)


def _expression(record: Countdown, plan: Plan) -> str:
    """Return the arithmetic expression that the steps of a plan compute."""
    board = {name: str(number) for name, number in record.board.items()}
    # A task of one number has a plan without operations.
    last = next(iter(board.values()))
    for step in plan.steps:
        if step.action in _SIGNS:
            first, second = step.arguments
            last = f"({board[first]} {_SIGNS[step.action]} {board.pop(second)})"
            board[first] = last
    return last


@dataclass(frozen=True, slots=True)
class AskedDomain:
    """A domain that a model is asked about."""

    domain: Domain
    opening: Opening
    tests: UnitTests


def named_subject(name: str, tests: Path | None) -> AskedDomain:
    """Return one of the project's black-box domains.

    Args:
        name: the name of the domain.
        tests: a folder of unit tests in AutoToS's format; None for the project's own.

    Raises:
        InputError: there is no such domain, or the tests cannot be read.
    """
    domain: Domain = item_named(DOMAINS, name, "unknown domain")
    unit_tests = read_unit_tests(tests or own_folder(domain), domain)
    return AskedDomain(domain, OPENINGS[name], unit_tests)
