"""The tutorial's computational problems of classical planning, each as commands for one task."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import inf
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from pddl_pipeline.io.files import write_file
from pddl_pipeline.model.errors import EngineError, InputError, NotJudged
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.number import Number, number_text
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.comparison import Comparison, Fact, Quantity, checked, decide, share
from pddl_pipeline.papers.study import NamedTable, Study, StudyResult, Workbench
from pddl_pipeline.planners.attempting import check_engine
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.runs.solving import solve_task
from pddl_pipeline.search.effort import Effort
from pddl_pipeline.search.state_graph import StateGraph
from pddl_pipeline.search.world import world_of
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded
from pddl_pipeline.translators import translate
from pddl_pipeline.translators.judging import judge_plan
from pddl_pipeline.validation.task import Task, task_of


class _Edge(NamedTuple):
    state: int
    cost: int


class PlanCounts:
    """The state space of a task, over which plans are counted by cost.

    A plan is any sequence of actions after which the goal holds, as in top-k planning: it may visit
    a state twice and continue after it reached the goal.
    """

    def __init__(self, task: Task, most_states: int = 50_000) -> None:
        """Explore all states.

        Args:
            task: a task whose actions have positive whole costs; the default cost is 1.
            most_states: the largest number of states to accept.

        Raises:
            InputError: the task has more states, or the cost of an action is not a positive whole
                number.
        """
        world = world_of(task)
        try:
            self._graph = StateGraph(world, Effort(inf, most_states)).whole()
        except NotJudged as error:
            raise InputError(str(error)) from error
        states = self._graph.states
        self._goals = {number for number, state in enumerate(states) if world.is_goal(state)}
        self._edges = [list(self._next(number)) for number in range(len(states))]

    def by_cost(self) -> Iterator[tuple[int, int]]:
        """Yield the cost and the number of plans for the costs 0, 1, 2 and so on.

        The iteration ends when no state is left. The number of paths to a state at a cost is
        computed from the numbers at lower costs.
        """
        ways: dict[int, Counter[int]] = {0: Counter({0: 1})}
        cost = 0
        while ways:
            # Every action costs something, so nothing is added to this cost any more.
            here = ways.pop(cost, Counter[int]())
            yield cost, sum(here[state] for state in here.keys() & self._goals)
            for state, number in here.items():
                for edge in self._edges[state]:
                    ways.setdefault(cost + edge.cost, Counter())[edge.state] += number
            cost += 1

    def least(self, number: int) -> list[int]:
        """Return the costs of the `number` cheapest plans, in ascending order."""
        if not self._goals:
            return []
        found: list[int] = []
        for cost, plans in self.by_cost():
            found += [cost] * min(plans, number - len(found))
            if len(found) >= number:
                break
        return found

    def best(self) -> tuple[int, int] | None:
        """Return the least cost of a plan and the number of such plans; None without a plan."""
        if not self._goals:
            return None
        return next((cost, plans) for cost, plans in self.by_cost() if plans)

    def _next(self, number: int) -> Iterator[_Edge]:
        # The graph keeps only the states after each; the steps are those of the same order.
        graph, state = self._graph, self._graph.states[number]
        found = graph.world.successors(state)
        for after, (step, _) in zip(graph.after[number], found, strict=True):
            cost = graph.world.cost(step, state)
            if cost != int(cost) or cost < 1:
                raise InputError(f"an action costs {cost}; expected a positive whole number")
            yield _Edge(after, int(cost))


class TutorialTask(NamedTuple):
    """The task that planners run on."""

    instance: Instance[object]
    task: Task
    texts: Problem


class Found(NamedTuple):
    """The result of a planner."""

    planner: str
    plans: tuple[str, ...] = ()
    """The plans in the planner's order, the best or first one first."""
    costs: tuple[Number | None, ...] = ()
    """The cost of each plan, by the validator."""
    valid: int = 0
    """The number of valid plans."""
    seconds: float = 0.0
    """The planner's wall-clock time."""
    reason: str = ""
    """The reason why there is no plan."""
    missing: bool = False
    """Whether the planner is not installed."""
    unexplained: bool = False
    """Whether the planner crashed, was lost, or claimed an invalid plan. Every plan is a claim."""

    @property
    def is_right(self) -> bool:
        """Whether there are plans, all of them valid and distinct."""
        return 0 < len(self.plans) == self.valid == len(set(self.plans))

    @property
    def distance(self) -> float | None:
        """The diversity of the plans; see `mean_distance`."""
        return mean_distance(self.plans)


def found_by(planner: str, subject: TutorialTask, limits: Limits) -> Found:
    """Run a planner and judge each of its plans.

    The result of a planner that is not installed states so; no error is raised.
    """
    chosen = planner_named(planner)
    try:
        check_engine(chosen)
    except EngineError as error:
        return Found(planner, reason=str(error), missing=True)
    instance, task, texts = subject
    done = solve_task(chosen, task, texts, limits, instance=instance).attempt
    plans = () if done.plan is None else (done.plan, *done.further_plans)
    verdicts = [judge_plan(plan, task, instance) for plan in plans]
    valid = sum(verdict.status is Status.VALID for verdict in verdicts)
    return Found(
        planner,
        plans,
        tuple(verdict.cost for verdict in verdicts),
        valid,
        done.wall_s,
        done.reason or "",
        unexplained=done.outcome.unexplained or valid < len(plans),
    )


def mean_distance(plans: Sequence[str]) -> float | None:
    """Return the mean distance of pairs of plans: the share of their actions that only one has.

    The distance is one minus the size of the intersection of the sets of actions over the size of
    their union, which the literature on diverse planning calls stability (Coman and Munoz-Avila
    2011). Return None for fewer than two plans.
    """
    sets = [frozenset(plan.splitlines()) for plan in plans]
    pairs = [1 - len(one & other) / len(one | other) for one, other in combinations(sets, 2)]
    return fmean(pairs) if pairs else None


_Runs = Mapping[str, Found]
"""The results by planner."""
_TOP_QUALITY: Final = "kstar-topq"
_OTHERS: Final = (("grippers", 3), ("blocksworld", 6), ("depots", 2))
"""The domains and sizes of further small tasks whose best plans are counted."""


_Check = tuple[tuple[Quantity, ...], bool | None]
"""Numbers, and whether they show that the planner solves the problem as it is defined; None if one
of them is not known.
"""


class _Problem(NamedTuple):
    """A computational problem of the tutorial."""

    name: str
    definition: str
    """The definition in the tutorial's words."""
    planners: tuple[str, ...]
    check: Callable[[Found, _Runs, PlanCounts], _Check]


def _agile(found: Found, _runs: _Runs, _counts: PlanCounts) -> _Check:
    return (share(len(found.costs), 1, "plans"), Quantity(found.seconds, "seconds")), True


def _satisficing(found: Found, runs: _Runs, _counts: PlanCounts) -> _Check:
    # LAMA begins with the search of lama-first, so its last plan must not cost more.
    first = runs["lama-first"]
    own, other = _cost(found.costs), _cost(first.costs, "of the first plan")
    if own.value is None or other.value is None:
        return (own, other), None
    return (own, other), own.value <= other.value


def _optimal(found: Found, _runs: _Runs, counts: PlanCounts) -> _Check:
    own, least = _cost(found.costs), _cost(counts.least(1), "minimum over all plans")
    return (own, least), None if own.value is None else own.value == least.value


def _top_k(found: Found, _runs: _Runs, counts: PlanCounts) -> _Check:
    least = counts.least(_K)
    right = sum(one == other for one, other in zip(found.costs, least, strict=False))
    return (Quantity(right, "plans of minimum cost", of=_K),), right == _K


def _top_quality(found: Found, _runs: _Runs, counts: PlanCounts) -> _Check:
    cost, plans = counts.best() or (0, 0)
    cheapest = sum(each == cost for each in found.costs)
    return (
        (
            Quantity(len(found.plans), "plans"),
            Quantity(cheapest, f"of cost {cost}"),
            Quantity(plans, "counted exactly"),
        ),
        len(found.plans) == cheapest == plans,
    )


def _diverse(found: Found, runs: _Runs, _counts: PlanCounts) -> _Check:
    if len(found.plans) < _K:
        return (Quantity(len(found.plans), "plans", of=_K),), False
    # Top-k plans are the cheapest, however alike: a diverse planner must be above all of them.
    best = [
        Quantity(run.distance, run.planner)
        for run in runs.values()
        if run.planner in _TOP_K and run.distance
    ]
    own = found.distance or 0.0
    is_largest = all(own > (each.value or 0.0) for each in best) if best else None
    return (Quantity(own, "mean distance"), *best), is_largest


def _cost(costs: Sequence[Number | None], label: str = "cost") -> Quantity:
    cost = costs[0] if costs else None
    return Quantity(None if cost is None else float(cost), label)


_K: Final = 5
_TOP_K: Final = ("symk-topk", "kstar-topk")
_PROBLEMS: Final = (
    _Problem("agile", "find a plan, quicker is better", ("lama-first",), _agile),
    _Problem("satisficing", "find a plan, cheaper plans are better", ("lama",), _satisficing),
    _Problem("cost-optimal", "find a plan that minimizes summed operator cost",
             ("seq-opt-lmcut", "symk-opt"), _optimal),
    _Problem("top-k", "find k plans such that no cheaper plans exist", _TOP_K, _top_k),
    _Problem("top-quality", "find all plans up to a certain cost", (_TOP_QUALITY,), _top_quality),
    _Problem("diverse", "a diverse set of plans, considering plan quality as well",
             ("forbiditerative-diverse",), _diverse),
)  # fmt: skip
_NOTE: Final = (
    "Least costs and numbers of plans are counted exactly, through all states of the task. The "
    "distance of two plans is the share of their actions that only one of them has. Top-quality is "
    "asked for with the bound at the least cost."
)


def _run(bench: Workbench) -> StudyResult:
    limits = bench.limits(quick_s=60, paper_s=1800)
    sizes = bench.sizes(quick=[6], paper=[6])[:1]
    settings = {"budget": "unlimited"}
    (instance,) = bench.generated("budget-blocksworld", sizes, 1, settings=settings)
    subject, counts = _subject(instance), PlanCounts(_subject(instance).task)
    files = _written(subject, bench.folder)
    planners = [name for problem in _PROBLEMS for name in problem.planners]
    runs = {name: found_by(name, subject, limits) for name in planners}
    counted = _counted(bench)
    compared = [
        _compared(problem, runs[name], runs, counts)
        for problem in _PROBLEMS
        for name in problem.planners
    ]
    return StudyResult(
        conditions=f"One task of {instance.size} blocks where putting a block down costs 20 and "
        f"every other action 1 ({instance.id}), {limits.time_s:g} s a planner; every plan is "
        "validated.",
        comparisons=tuple(map(checked, (*compared, _counts_compared(counted)))),
        tables=(
            NamedTable("Plans by computational problem", _table(runs)),
            NamedTable(
                "Number of best plans of further tasks: K* and an exact count",
                _count_table(counted),
            ),
        ),
        notes=(_NOTE, *_commands(files, limits.time_s)),
        unexplained=sum(found.unexplained for found in (*runs.values(), *(c[1] for c in counted))),
    )


def _subject(instance: Instance[object]) -> TutorialTask:
    texts = translate(instance)
    return TutorialTask(instance, task_of(texts), texts)


def _written(subject: TutorialTask, folder: Path) -> tuple[Path, Path]:
    """Write the task's files, which the commands name; return their paths."""
    files = folder / "domain.pddl", folder / "problem.pddl"
    for file, text in zip(
        files, (subject.texts.domain_pddl, subject.texts.problem_pddl), strict=True
    ):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, text)
    return files


def _compared(problem: _Problem, found: Found, runs: _Runs, counts: PlanCounts) -> Comparison:
    what = f"{problem.name}: {found.planner}"
    if found.missing:
        return Comparison(what=what, said=problem.definition, remark=found.reason)
    if not found.is_right:
        number = max(1, len(found.plans))
        good = ("valid", found.valid), ("distinct", len(set(found.plans)))
        return Comparison(
            what=what,
            said=problem.definition,
            ours=tuple(Quantity(count, label, of=number) for label, count in good),
            decision=decide(Fact(holds=False, n=1)),
            remark=found.reason,
        )
    ours, holds = problem.check(found, runs, counts)
    decision = decide(None if holds is None else Fact(holds, n=1))
    return Comparison(what=what, said=problem.definition, ours=ours, decision=decision)


_Counted = tuple[str, Found, tuple[int, int]]
"""The task's id, the result of K*, and the least cost with the number of plans of that cost."""


def _counted(bench: Workbench) -> list[_Counted]:
    number, found = bench.count(quick=2, paper=10), list[_Counted]()
    for domain, size in _OTHERS:
        for instance in bench.generated(domain, [size], number):
            subject = _subject(instance)
            best = PlanCounts(subject.task).best()
            run = found_by(_TOP_QUALITY, subject, bench.limits(quick_s=60, paper_s=1800))
            if best is not None:
                found.append((instance.id, run, best))
    return found


def _counts_compared(counted: Sequence[_Counted]) -> Comparison:
    right = sum(run.is_right and len(run.plans) == best[1] for _, run, best in counted)
    missing = next((run.reason for _, run, _ in counted if run.missing), "")
    return Comparison(
        what="top-quality: the number of best plans of further tasks",
        said="all plans",
        ours=(share(right, len(counted), f"tasks for which {_TOP_QUALITY} finds each plan once"),),
        decision=decide(None if missing else Fact(right == len(counted), len(counted))),
        remark=missing,
    )


def _table(runs: _Runs) -> TextTable:
    rows = tuple(
        (problem.name, name, str(len(runs[name].plans)),
         ", ".join("?" if x is None else number_text(x) for x in runs[name].costs) or "none",
         str(runs[name].valid), str(len(set(runs[name].plans))), rounded(runs[name].distance),
         rounded(runs[name].seconds) if not runs[name].missing else NO_NUMBER)
        for problem in _PROBLEMS for name in problem.planners
    )  # fmt: skip
    headings = ("problem", "planner", "plans", "costs", "valid", "distinct", "distance", "s")
    return TextTable(headings, rows, names=2)


def _commands(files: Sequence[Path], time_s: float) -> list[str]:
    """Return the command line of each planner, as lines since a table would cut them."""
    return [
        f"{problem.name}: " + shlex.join([
            "pddl-pipeline", "solve", *map(str, files), "--planner", name,
            "--time-limit", f"{time_s:g}s",
        ])
        for problem in _PROBLEMS for name in problem.planners
    ]  # fmt: skip


def _count_table(counted: Sequence[_Counted]) -> TextTable:
    rows = tuple(
        (name, str(cost), str(len(run.plans)), str(plans), rounded(run.seconds))
        for name, run, (cost, plans) in counted
    )
    return TextTable(("task", "least cost", "by K*", "exact count", "s"), rows, names=1)


STUDIES: Final = (
    Study("tutorial-problems", "Computational problems of planning, as commands on one task", _run),
)
