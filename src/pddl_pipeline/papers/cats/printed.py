"""The printed Algorithm 1 of CATS beside ours, paired by task, without a language model.

Searches run in this process, since they take milliseconds and their only limit is the number of
expansions. They are deterministic; each plan is judged by the validator.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

import msgspec

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import StoreError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.result import RunSummary
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.cats.benchmark import (
    ALL,
    BUDGETS,
    CARD,
    MARGINS,
    PUBLISHED,
    SEARCHES,
    TASKS,
    by_task,
    horizon_of,
)
from pddl_pipeline.papers.cats.search import BASELINES
from pddl_pipeline.papers.comparison import Comparison, Same, decide, share
from pddl_pipeline.papers.data import read_dataset, stored_data
from pddl_pipeline.papers.stored_runs import AppendedLines, read_lines
from pddl_pipeline.papers.study import NamedTable, Study, StudyResult, Workbench
from pddl_pipeline.planners.planner import read_settings
from pddl_pipeline.scoring.metrics import NODE_LIMIT
from pddl_pipeline.search.baseline import SearchEffort, SearchInput
from pddl_pipeline.statistics.differences import paired_difference, share_difference
from pddl_pipeline.statistics.intervals import wilson
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, percent_range, rounded
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


def planner_of(form: str, omega: float) -> str:
    """Return the name of the planner of a form with a weight of confidence."""
    return "cats:" + ",".join(filter(None, (OMEGAS[omega], FORMS[form])))


def read_tasks() -> list[Task]:
    """Return all tasks in an order in which every beginning has the horizons' shares of all tasks.

    Raises:
        MissingData: the stored data do not exist.
        InputError: the dataset cannot be read.
    """
    tasks = [Task(each) for each in by_task(read_dataset(stored_data("cats", CARD)))]
    groups = [[task for task in tasks if task.horizon == name] for name in HORIZONS]
    # Each horizon is spread evenly from 0 to 1, and all are merged by that place.
    placed = [
        ((number + 0.5) / len(group), task) for group in groups for number, task in enumerate(group)
    ]
    return [task for _, task in sorted(placed, key=lambda pair: pair[0])]


def store_file() -> Path:
    """Return the file of the stored searches.

    Raises:
        MissingData: the stored data do not exist.
    """
    return stored_data("cats").joinpath(*STORE)


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
        for forms in _ROUNDS
        for task in part
        for omega in OMEGAS
        for form in forms
    ]
    made = list[str]()
    with AppendedLines(path) as file:
        known = _by_key(path, file.lines)

        def runs() -> Iterator[RunSummary]:
            for task, planner in planned:
                found = known.get((task.id, planner))
                if found is None:
                    found = searched(task, planner)
                    line = json.dumps(msgspec.to_builtins(found), separators=(",", ":"))
                    file.append_line(line.encode() + b"\n")
                    made.extend(BUDGETS)
                yield from map(_summary, found.budgets.values())

        for _ in bench.watch(runs(), len(planned) * len(BUDGETS), made):
            pass


def _summary(search: Search) -> RunSummary:
    if search.cost is None:
        return RunSummary("", Outcome.GAVE_UP, None, None)
    return RunSummary("", Outcome.PLAN_FOUND, Status.VALID, None)


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
    # `within_budget` is None without a budget.
    is_good = verdict.status is Status.VALID and verdict.within_budget is not False
    cost = int(verdict.cost) if is_good and verdict.cost is not None else None
    return Search(cost, effort.expanded)


_NOTES: Final = (
    (
        "The paper's text: meet=first (Algorithm 1, lines 17 to 21), goal=complete (V_f and V_b "
        "share a state), no mutexes; the goal state is completed by blocks on the table, since the "
        "paper does not state it. 'Letter of equation 2' also takes J as the similarity, as "
        "printed. With omega = 0, no model is needed; with 0.5, confidence is computed from the "
        "goals that hold."
    ),
    (
        "The unit is the task; the same tasks are searched by all forms. Tests are exact McNemar "
        "tests, two-sided, not corrected for their number."
    ),
)
_SUCCESS: Final = "success"


class Pair(NamedTuple):
    """The successes of two planners on the same tasks under a budget."""

    what: str
    budget: str
    first: Sequence[bool]
    second: Sequence[bool]

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """The numbers of tasks that both, only the first, only the second, and neither solve."""
        pairs = list(zip(self.first, self.second, strict=True))
        both, one, other, none = (
            pairs.count(each)
            for each in ((True, True), (True, False), (False, True), (False, False))
        )
        return both, one, other, none

    @property
    def p(self) -> float:
        """The two-sided p of the exact McNemar test; 1 without a difference."""
        _, one, other, _ = self.counts
        return paired_difference(one, other, len(self.first)).p


class Searches:
    """The stored searches of tasks."""

    def __init__(self, tasks: Sequence[Task], stored: dict[tuple[str, str], TaskSearches]) -> None:
        self._tasks = tasks
        self._stored = stored

    def tasks(self, *planners: str) -> list[Task]:
        """Return the tasks that all of these planners searched."""
        return [
            task
            for task in self._tasks
            if all((task.id, planner) in self._stored for planner in planners)
        ]

    def complete(self) -> Searches:
        """Return the searches of the forms that have both weights for a task."""
        # An interrupted study has one weight only for some tasks: shares would be of other tasks.
        kept = {
            (task.id, planner_of(form, omega))
            for form in FORMS
            for omega in OMEGAS
            for task in self.tasks(*(planner_of(form, each) for each in OMEGAS))
        }
        return Searches(self._tasks, {key: self._stored[key] for key in kept})

    def of(self, tasks: Sequence[Task], planner: str, budget: str) -> list[Search]:
        """Return a planner's searches of tasks under a budget."""
        return [self._stored[task.id, planner].budgets[budget] for task in tasks]

    def pair(self, what: str, one: str, other: str, budget: str) -> Pair:
        """Return the successes of two planners on the tasks that both searched."""
        tasks = self.tasks(one, other)
        first, second = (
            [each.cost is not None for each in self.of(tasks, planner, budget)]
            for planner in (one, other)
        )
        return Pair(what, budget, first, second)


def _run(bench: Workbench) -> StudyResult:
    tasks, file = read_tasks(), store_file()
    if bench.continue_runs:
        continue_searches(bench, tasks, file)
    return report(Searches(tasks, read_searches(file)).complete(), len(tasks))


def report(searches: Searches, tasks: int) -> StudyResult:
    """Return the result of stored searches of some of a number of tasks."""
    numbers = {
        form: min(len(searches.tasks(planner_of(form, omega))) for omega in OMEGAS)
        for form in FORMS
    }
    counted = ", ".join(f"{form} {number}" for form, number in numbers.items())
    return StudyResult(
        conditions=f"Tasks of the stored dataset {CARD} that were searched, of {tasks}: "
        f"{counted}. Each under three budgets, {NODE_LIMIT} expansions; every plan is judged by "
        f"the validator and against the budget. Stored runs: {'/'.join(STORE)}.",
        comparisons=tuple(_comparisons(searches)),
        tables=(_success_table(searches), pair_table(pairs(searches))),
        notes=_NOTES,
    )


def _comparisons(searches: Searches) -> Iterator[Comparison]:
    """Compare the printed form with the paper's CATS, with its omega, by budget and horizon."""
    for budget in BUDGETS:
        solved = _solved(searches, planner_of(PRINTED, PUBLISHED.table2.omega), budget)
        for name, number in ((ALL, PUBLISHED.benchmark.tasks), *TASKS.items()):
            if own := solved[name]:
                paper = round(SEARCHES[budget]["CATS"][_SUCCESS][name] * number)
                difference = share_difference(sum(own), len(own), paper, number, is_fixed=True)
                yield Comparison(
                    what=f"CATS, {budget} budget, {name} tasks: success of the printed form",
                    paper=(share(paper, number, "confidence of Qwen3-8B"),),
                    ours=(share(sum(own), len(own), "number of goals as confidence"),),
                    decision=decide(Same(difference, MARGINS.share)),
                    remark="other tasks of the same kind; the paper's share is rounded",
                )


def _solved(searches: Searches, planner: str, budget: str) -> dict[str, list[bool]]:
    """Return for all tasks and for those of each horizon which of them a planner solves."""
    tasks = searches.tasks(planner)
    found = [
        (task.horizon, search.cost is not None)
        for task, search in zip(tasks, searches.of(tasks, planner, budget), strict=True)
    ]
    return {
        name: [good for horizon, good in found if name in (horizon, ALL)]
        for name in (*HORIZONS, ALL)
    }


def pairs(searches: Searches) -> list[Pair]:
    """Return the paired comparisons: our form with the printed one, and both weights."""
    forms = [
        searches.pair(
            f"{OURS} / {PRINTED}, omega {omega:g}",
            planner_of(OURS, omega),
            planner_of(PRINTED, omega),
            budget,
        )
        for omega in OMEGAS
        for budget in BUDGETS
    ]
    weights = [
        searches.pair(
            f"omega 0 / omega 0.5, {form}", planner_of(form, 0.0), planner_of(form, 0.5), budget
        )
        for form in FORMS
        for budget in BUDGETS
    ]
    return forms + weights


def _success_table(searches: Searches) -> NamedTable:
    rows = []
    for budget in BUDGETS:
        paper = SEARCHES[budget]["CATS"][_SUCCESS]
        cells = [rounded(100 * paper[name], 0) for name in (*HORIZONS, ALL)]
        rows.append((budget, "paper, Qwen3-8B", NO_NUMBER, *cells, NO_NUMBER))
        rows += [
            (budget, form, f"{omega:g}", *_shares(searches, form, omega, budget))
            for form in FORMS
            for omega in OMEGAS
        ]
    headings = ("budget", "form", "omega", *(f"{name} (%)" for name in HORIZONS), "all (%)", "n")
    caption = "Success within the budget; 95 % intervals by Wilson for all tasks"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=3))


def _shares(searches: Searches, form: str, omega: float, budget: str) -> list[str]:
    solved = _solved(searches, planner_of(form, omega), budget)
    cells = [rounded(100 * fmean(own), 1) if own else NO_NUMBER for own in solved.values()]
    every = solved[ALL]
    if not every:
        return [*cells, "0"]
    cells[-1] += f" ({percent_range(wilson(sum(every), len(every)))})"
    return [*cells, f"{sum(every)} of {len(every)}"]


def pair_table(found: Sequence[Pair]) -> NamedTable:
    """Return the table of paired comparisons."""
    rows = tuple(
        (
            pair.what, pair.budget, str(len(pair.first)), *map(str, pair.counts), f"{pair.p:.2g}",
        )
        for pair in found
    )  # fmt: skip
    headings = ("first / second", "budget", "n", "both", "only first", "only second", "neither",
                "p (McNemar)")  # fmt: skip
    return NamedTable("Tasks solved, paired", TextTable(headings, rows, names=2))


STUDIES: Final = (
    Study(
        "cats-printed",
        "Algorithm 1 as printed beside ours, all tasks, no model; from stored runs",
        _run,
        cards=(CARD,),
        is_stored=True,
    ),
)
