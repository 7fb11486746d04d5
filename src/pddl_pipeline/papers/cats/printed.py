"""The printed Algorithm 1 of CATS beside ours, paired by task, without a language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from statistics import fmean
from typing import Final, NamedTuple

from pddl_pipeline.papers.cats.printed_runs import (
    FORMS,
    OMEGAS,
    OURS,
    PRINTED,
    STORE,
    Search,
    Task,
    TaskSearches,
    continue_searches,
    planner_of,
    read_searches,
    read_tasks,
    store_file,
)
from pddl_pipeline.papers.cats.published import ALL, BUDGETS, MARGINS, PUBLISHED, SEARCHES
from pddl_pipeline.papers.cats.tasks import CARD
from pddl_pipeline.papers.comparison import Comparison, share
from pddl_pipeline.papers.decision import decide
from pddl_pipeline.papers.evidence import Same
from pddl_pipeline.papers.study import Study
from pddl_pipeline.papers.study_result import NamedTable, StudyResult
from pddl_pipeline.papers.workbench import Workbench
from pddl_pipeline.scoring.metrics import efficiency, optimality
from pddl_pipeline.statistics.intervals import wilson
from pddl_pipeline.statistics.share_differences import PairedDifference, ShareDifference
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, percent_range, rounded
from pddl_pipeline.translators.domains.budget_blocksworld import HORIZONS, NODE_LIMIT

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
        return PairedDifference(one, other, len(self.first)).p


class Searches:
    """The stored searches of tasks."""

    def __init__(self, tasks: Sequence[Task], stored: dict[tuple[str, str], TaskSearches]) -> None:
        self._tasks = tasks
        self._stored = stored

    def tasks(self, *planners: str) -> list[Task]:
        """Return the tasks that all of these planners searched."""
        return [
            task for task in self._tasks
            if all((task.id, planner) in self._stored for planner in planners)
        ]  # fmt: skip

    def complete(self) -> Searches:
        """Return the searches of the forms that have both weights for a task."""
        kept = {
            (task.id, planner_of(form, omega))
            for form in FORMS for omega in OMEGAS
            for task in self.tasks(*(planner_of(form, each) for each in OMEGAS))
        }  # fmt: skip
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
        tables=(_success_table(searches), _quality_table(searches), pair_table(pairs(searches))),
        notes=_NOTES,
    )


def _comparisons(searches: Searches) -> Iterator[Comparison]:
    """Compare the printed form without a model with the paper's CATS, by budget."""
    planner = planner_of(PRINTED, 0.0)
    tasks, all_tasks = searches.tasks(planner), PUBLISHED.benchmark.tasks
    for budget in BUDGETS if tasks else ():
        solved = sum(each.cost is not None for each in searches.of(tasks, planner, budget))
        paper = round(SEARCHES[budget]["CATS"][_SUCCESS][ALL] * all_tasks)
        difference = ShareDifference(solved, len(tasks), paper, all_tasks)
        yield Comparison(
            what=f"CATS, {budget} budget: success of the printed form without a model",
            paper=(share(paper, all_tasks, "with a model"),),
            ours=(share(solved, len(tasks), "the distance alone"),),
            decision=decide(Same(difference, MARGINS.share)),
            remark="other tasks of the same kind; the paper's share is rounded",
        )


def pairs(searches: Searches) -> list[Pair]:
    """Return the paired comparisons: our form with the printed one, and both weights."""
    forms = [
        searches.pair(
            f"{OURS} / {PRINTED}, omega {omega:g}",
            planner_of(OURS, omega), planner_of(PRINTED, omega), budget,
        )
        for omega in OMEGAS for budget in BUDGETS
    ]  # fmt: skip
    weights = [
        searches.pair(
            f"omega 0 / omega 0.5, {form}", planner_of(form, 0.0), planner_of(form, 0.5), budget
        )
        for form in FORMS for budget in BUDGETS
    ]  # fmt: skip
    return forms + weights


def _success_table(searches: Searches) -> NamedTable:
    rows = []
    for budget in BUDGETS:
        paper = SEARCHES[budget]["CATS"][_SUCCESS]
        cells = [rounded(100 * paper[name], 0) for name in (*HORIZONS, ALL)]
        rows.append((budget, "paper, Qwen3-8B", NO_NUMBER, *cells, NO_NUMBER))
        rows += [
            (budget, form, f"{omega:g}", *_shares(searches, form, omega, budget))
            for form in FORMS for omega in OMEGAS
        ]  # fmt: skip
    headings = ("budget", "form", "omega", *(f"{name} (%)" for name in HORIZONS), "all (%)", "n")
    caption = "Success within the budget; 95 % intervals by Wilson for all tasks"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=3))


def _shares(searches: Searches, form: str, omega: float, budget: str) -> list[str]:
    planner = planner_of(form, omega)
    tasks = searches.tasks(planner)
    solved = [each.cost is not None for each in searches.of(tasks, planner, budget)]
    cells = []
    for name in HORIZONS:
        own = [good for good, task in zip(solved, tasks, strict=True) if task.horizon == name]
        cells.append(rounded(100 * fmean(own), 1) if own else NO_NUMBER)
    if not solved:
        return [*cells, NO_NUMBER, "0"]
    text = f"{rounded(100 * fmean(solved), 1)} ({percent_range(wilson(sum(solved), len(solved)))})"
    return [*cells, text, f"{sum(solved)} of {len(solved)}"]


def _quality_table(searches: Searches) -> NamedTable:
    rows = []
    for budget in BUDGETS:
        paper = SEARCHES[budget]["CATS"]
        cells = [rounded(paper[name][ALL]) for name in ("optimality", "efficiency")]
        rows.append((budget, "paper, Qwen3-8B", NO_NUMBER, *cells))
        for form in FORMS:
            for omega in OMEGAS:
                planner = planner_of(form, omega)
                tasks = searches.tasks(planner)
                found = searches.of(tasks, planner, budget)
                rows.append((budget, form, f"{omega:g}", *_qualities(tasks, found)))
    headings = ("budget", "form", "omega", "optimality", "efficiency")
    caption = "Means of equation 4: optimality over all tasks (failures 0), efficiency over solved"
    return NamedTable(caption, TextTable(headings, tuple(rows), names=3))


def _qualities(tasks: Sequence[Task], found: Sequence[Search]) -> tuple[str, str]:
    if not found:
        return NO_NUMBER, NO_NUMBER
    values = [
        0.0 if each.cost is None else float(optimality(each.cost, Fraction(task.least_cost)))
        for task, each in zip(tasks, found, strict=True)
    ]
    used = [float(efficiency(each.expanded)) for each in found if each.cost is not None]
    return rounded(fmean(values)), rounded(fmean(used)) if used else NO_NUMBER


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
