"""Searches of CATS in its printed form and in ours, on all tasks: running, storing and reading.

Searches run in this process, since they take milliseconds and their only limit is the number of
expansions. They are deterministic; each plan is judged by the validator.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import StoreError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.result import RunSummary
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.appended_lines import AppendedLines, read_lines
from pddl_pipeline.papers.cats.published import BUDGETS
from pddl_pipeline.papers.cats.search import BASELINES
from pddl_pipeline.papers.cats.tasks import CARD, by_task, horizon_of
from pddl_pipeline.papers.dataset_card import read_dataset
from pddl_pipeline.papers.places import study_folder
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.planners.planner import read_settings
from pddl_pipeline.search.baseline import SearchEffort, SearchInput
from pddl_pipeline.translators import translate_and_read
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS

STORE: Final = ("runs", "printed.jsonl.gz")
OMEGAS: Final = {0.0: "reward=none", 0.5: "omega=0.5,reward=goal-count"}
"""The settings by the weight of confidence; 0 needs no model."""
OURS, PRINTED, FIRST, LETTER = "ours", "printed", "ours, first meeting", "letter of equation 2"
FORMS: Final = {
    OURS: "",
    PRINTED: "meet=first,goal=complete,mutexes=off",
    FIRST: "meet=first",
    LETTER: "meet=first,goal=complete,mutexes=off,distance=printed",
}
"""The further settings by the form of the algorithm."""
_FIRST_TASKS: Final = 50
_ROUNDS: Final = ((OURS, PRINTED), (FIRST, LETTER))
"""The first tasks are searched by all forms, then all others by those of the first round, then by
those of the second."""


class Search(msgspec.Struct, frozen=True):
    """The result of one search."""

    cost: int | None
    """The cost of the plan; None without a valid plan within the budget."""
    expanded: int


class TaskSearches(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The searches of one planner on one task: a line of the file."""

    task: str
    """The id of the task's first instance."""
    planner: str
    budgets: dict[str, Search]
    """By the name of the budget."""


class Task(NamedTuple):
    """A task with its budgets."""

    instances: Sequence[Instance[Any]]
    """In the order of `BUDGETS`."""

    @property
    def id(self) -> str:
        """The id of the first instance."""
        return self.instances[0].id

    @property
    def horizon(self) -> str:
        """The horizon by the cheapest plan."""
        return horizon_of(self.instances[0])

    @property
    def least_cost(self) -> int:
        """The cost of the cheapest plan."""
        least: int = self.instances[0].extras["optimal_cost"]
        return least


def planner_of(form: str, omega: float) -> str:
    """Return the name of the planner of a form with a weight of confidence."""
    return "cats:" + ",".join(filter(None, (OMEGAS[omega], FORMS[form])))


def read_tasks() -> list[Task]:
    """Return all tasks in an order in which every beginning has the horizons' shares of all tasks.

    Raises:
        EngineError: the folder of the study does not exist.
        InputError: the dataset cannot be read.
    """
    tasks = [Task(each) for each in by_task(read_dataset(study_folder("cats") / CARD))]
    groups = [[task for task in tasks if task.horizon == name] for name in HORIZONS]
    placed = [
        ((number + 0.5) / len(group), task) for group in groups for number, task in enumerate(group)
    ]
    return [task for _, task in sorted(placed, key=lambda pair: pair[0])]


def store_file() -> Path:
    """Return the file of the stored searches.

    Raises:
        EngineError: the folder of the study does not exist.
    """
    return study_folder("cats").joinpath(*STORE)


def read_searches(path: Path) -> dict[tuple[str, str], TaskSearches]:
    """Return the stored searches by task and planner; empty if the file does not exist.

    Raises:
        StoreError: the file is damaged.
    """
    if not path.exists():
        return {}
    return _by_key(path, read_lines(path))


def _by_key(path: Path, lines: list[tuple[int, bytes]]) -> dict[tuple[str, str], TaskSearches]:
    found = {}
    for place, line in lines:
        try:
            each = msgspec.json.decode(line, type=TaskSearches)
        except msgspec.MsgspecError as error:
            raise StoreError(f"{path}: byte {place}: is no stored search: {error}") from error
        found[each.task, each.planner] = each
    return found


def continue_searches(bench: Workbench, tasks: Sequence[Task], path: Path) -> None:
    """Make the searches that are not stored yet, task by task.

    Raises:
        StoreError: the file cannot be written, or another process writes it.
    """
    planned = [
        (task, planner_of(form, omega))
        for part in (tasks[:_FIRST_TASKS], tasks[_FIRST_TASKS:])
        for forms in _ROUNDS for task in part for omega in OMEGAS for form in forms
    ]  # fmt: skip
    made = list[str]()
    with AppendedLines(path) as file:
        known = _by_key(path, file.lines)

        def runs() -> Iterator[RunSummary]:
            for task, planner in planned:
                found = known.get((task.id, planner))
                if found is None:
                    found = searched(task, planner)
                    line = json.dumps(msgspec.to_builtins(found), separators=(",", ":"))
                    file.append(line.encode() + b"\n")
                    made.extend(BUDGETS)
                yield from map(_summary, found.budgets.values())

        for _ in bench.watch(runs(), len(planned) * len(BUDGETS), made):
            pass


def _summary(search: Search) -> RunSummary:
    solved = search.cost is not None
    outcome = Outcome.PLAN_FOUND if solved else Outcome.GAVE_UP
    return RunSummary(outcome, claimed=solved, solved=solved, unexplained=False)


def searched(task: Task, planner: str) -> TaskSearches:
    """Search for a plan under each budget."""
    searches = {
        name: _search(instance, planner)
        for name, instance in zip(BUDGETS, task.instances, strict=True)
    }
    return TaskSearches(task.id, planner, searches)


def _search(instance: Instance[Any], planner: str) -> Search:
    (baseline,) = BASELINES
    name, _, text = planner.partition(":")
    _, task = translate_and_read(instance)
    effort = SearchEffort()
    given = SearchInput(task, instance.budget, (), Path())
    result = baseline.search(given, read_settings(name, baseline.settings, text), effort)
    if result.plan is None:
        return Search(None, effort.expanded)
    verdict = task.judge(result.plan, budget=instance.budget)
    is_good = verdict.status is Status.VALID and verdict.within_budget is not False
    cost = int(verdict.cost) if is_good and verdict.cost is not None else None
    return Search(cost, effort.expanded)
