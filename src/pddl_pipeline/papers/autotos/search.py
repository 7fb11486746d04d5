"""AutoToS, section 5: its domains by breadth-first search over two Python functions.

In the 24 game, numbers may be negative, division produces floats, and numbers within 0.001 count as
equal.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, pairwise, permutations
from math import isclose
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple, TypeVar

from pddl_pipeline.countdown.exact import solve_exact
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.operations import SIGNS, combine, is_defined
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.papers.autotos.checks import (
    SuccessorCase,
    UnitTests,
    own_folder,
    read_unit_tests,
)
from pddl_pipeline.papers.comparison import (
    Always,
    Comparison,
    Fact,
    Quantity,
    decide,
    quantity_text,
    share,
)
from pddl_pipeline.papers.data import published
from pddl_pipeline.papers.study import NamedTable, Study, StudyResult, Workbench, spread
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.black_boxes.domain import Domain, Puzzle, domains, own_space
from pddl_pipeline.search.black_boxes.domains.countdown import TOLERANCE
from pddl_pipeline.search.black_boxes.domains.game24 import DOMAIN, TARGET
from pddl_pipeline.search.blocks_states import cheapest_plan
from pddl_pipeline.search.space import Bounds, State, breadth_first
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded
from pddl_pipeline.translators.datasets import load_records

PUBLISHED: Final = published(__package__)
MARGINS: Final = PUBLISHED.margins
OWN_FUNCTIONS: Final = "the functions are this project's; the paper's are of language models"
"""Why no study compares the paper's accuracies."""


_Test = TypeVar("_Test")

_DOMAINS: Final = ("24game", "blocksworld", "sokoban")
"""The domains of AutoToS that this project searches; the other two are crosswords and PrOntoQA."""


_Counts = Mapping[str, Quantity]
"""The tests that pass, by kind."""


def _unit_tests(bench: Workbench) -> StudyResult:
    folders = {name: bench.dataset("autotos", name) for name in _DOMAINS}
    counts = {name: _passed(domains()[name], folder) for name, folder in folders.items()}
    theirs = [name for name, folder in folders.items() if folder is not None]
    return StudyResult(
        conditions="Unit tests of " + (f"AutoToS for {', '.join(theirs)}" if theirs else
        "this project") + "; functions succ and isgoal of this project.",
        comparisons=tuple(_comparison(name, counts[name]) for name in _DOMAINS),
        tables=(NamedTable("Unit tests that pass", _test_table(counts)),),
    )  # fmt: skip


def _passed(domain: Domain, folder: Path | None) -> _Counts:
    """Return the number of passed tests by kind."""
    tests = read_unit_tests(folder or own_folder(domain), domain)
    return {
        "goals": _count(tests.goals, lambda puzzle: _is_goal(domain, puzzle)),
        "non-goals": _count(tests.non_goals, lambda puzzle: not _is_goal(domain, puzzle)),
        "complete successors": _count(tests.successors, lambda known: _is_complete(domain, known)),
        "sound transitions": _sound(domain, tests),
    }


def _count(tests: Iterable[_Test], passes: Callable[[_Test], bool]) -> Quantity:
    results = [passes(test) for test in tests]
    return Quantity(sum(results), of=len(results))


def _is_goal(domain: Domain, puzzle: Puzzle) -> bool:
    return bool(own_space(domain, puzzle).isgoal(puzzle.start))


def _is_complete(domain: Domain, known: SuccessorCase) -> bool:
    found = list(own_space(domain, known.puzzle).succ(known.puzzle.start))
    return all(
        any(_same_state(domain, each, other) for other in found) for each in known.successors
    )


def _same_state(domain: Domain, one: State, other: State) -> bool:
    if domain.same is not None:
        return domain.same(one, other)
    return domain.key(one) == domain.key(other)


def _sound(domain: Domain, tests: UnitTests) -> Quantity:
    """Count the transitions from the tests' states that pass AutoToS's partial soundness check."""
    transitions = [
        (known.puzzle.start, after, known.puzzle.setting) for known in tests.successors
        for after in own_space(domain, known.puzzle).succ(known.puzzle.start)
    ]  # fmt: skip
    return _count(transitions, lambda each: domain.check_transition(*each) is None)


def _comparison(name: str, counts: _Counts) -> Comparison:
    passed = all(each.value == each.of for each in counts.values())
    number = sum(each.of or 0 for each in counts.values())
    return Comparison(
        what=f"unit tests of {name} that this project's functions pass",
        ours=tuple(replace(passed, label=kind) for kind, passed in counts.items()),
        decision=decide(Fact(passed, number) if number else None),
        remark=OWN_FUNCTIONS,
    )


def _test_table(counts: Mapping[str, _Counts]) -> TextTable:
    kinds = tuple(next(iter(counts.values())))
    rows = tuple((name, *map(quantity_text, found.values())) for name, found in counts.items())
    return TextTable(("domain", *kinds), rows, names=1)


_MOST_STATES: Final = 1_000_000

Numbers = tuple[int, ...]


class _Played(NamedTuple):
    """The result of one puzzle."""

    numbers: Numbers
    solved: bool
    """Whether a path of legal steps was found that ends within 0.001 of 24."""
    exactly: bool
    """Whether the last number is the float 24.0."""
    expanded: int


def _game24(bench: Workbench) -> StudyResult:
    file = bench.dataset("game24", "24.csv")
    puzzles = list(_solvable()) if file is None else [
        instance.record.numbers for instance in load_records(str(file))
    ]  # fmt: skip
    chosen = puzzles[: bench.number]
    played = list(map(_play, chosen))
    source = "24.csv" if file is not None else "all sets of four numbers from 1 to 13 with solution"
    return StudyResult(
        conditions=f"{len(played)} puzzles: {source}. Breadth-first search over the project's own "
        "functions; every transition of a path found is checked again, apart from them.",
        comparisons=_game24_comparisons(played, len(puzzles)),
        tables=(NamedTable("Breadth-first search on the 24 game", _game24_table(played)),),
    )


def _solvable() -> Iterator[Numbers]:
    for numbers in combinations_with_replacement(range(1, 14), 4):
        if solve_exact(numbers, TARGET).plan is not None:
            yield numbers


def _play(numbers: Numbers) -> _Played:
    effort = SearchEffort()
    space = own_space(DOMAIN, Puzzle(list(numbers)))
    path = breadth_first(space, Bounds(_MOST_STATES), effort).path
    if path is None or not all(is_step(before, after) for before, after in pairwise(path)):
        return _Played(numbers, solved=False, exactly=False, expanded=effort.expanded)
    last = path[-1]
    solved = len(path) == len(numbers) and len(last) == 1 and _same(last[0], TARGET)
    return _Played(numbers, solved, solved and last[0] == TARGET, effort.expanded)


def is_step(before: Sequence[float], after: Sequence[float]) -> bool:
    """Return whether a transition combines two numbers into one and keeps all others."""
    return any(
        len(after) == len(rest) + 1 and any(
            all(map(_same, sorted(after), sorted([*rest, made]))) for made in _made(x, y)
        )
        for x, y, rest in _pairs(before)
    )  # fmt: skip


def _pairs(numbers: Sequence[float]) -> Iterator[tuple[float, float, list[float]]]:
    for one, other in combinations(range(len(numbers)), 2):
        rest = [number for place, number in enumerate(numbers) if place not in (one, other)]
        yield numbers[one], numbers[other], rest


def _made(x: float, y: float) -> list[float]:
    return [
        combine(action, first, second)
        for first, second in permutations((x, y))
        for action in SIGNS
        if is_defined(action, second)
    ]


def _same(one: float, other: float) -> bool:
    return isclose(one, other, rel_tol=0, abs_tol=TOLERANCE)


def _game24_comparisons(played: Sequence[_Played], puzzles: int) -> tuple[Comparison, ...]:
    paper = PUBLISHED.game24
    inexact = [list(p.numbers) for p in played if p.solved and not p.exactly]
    all_played = len(played) == paper.puzzles
    solved = sum(p.solved for p in played)
    expected = {tuple(numbers) for numbers in paper.called_unsolvable}
    as_called = {tuple(numbers) for numbers in inexact} == expected
    return (
        Comparison(
            what="puzzles",
            paper=(Quantity(paper.puzzles),),
            ours=(Quantity(puzzles),),
            decision=decide(Fact(puzzles == paper.puzzles, puzzles)),
        ),
        Comparison(
            what="puzzles that this project's functions solve",
            ours=(share(solved, len(played)),),
            decision=decide(
                Fact(solved == len(played), solved)
                if all_played
                else Always(solved, len(played), MARGINS.exceptions)
            ),
        ),
        Comparison(
            what="accuracy",
            said=f"all puzzles after the first {paper.unit_tests}",
            paper=(Quantity(paper.solved, of=paper.puzzles - paper.unit_tests),),
            remark=OWN_FUNCTIONS,
        ),
        Comparison(
            what="solved puzzles whose last number is not the float 24.0",
            said=f"{_listed(paper.called_unsolvable)}, which its files call unsolvable",
            paper=(Quantity(len(paper.called_unsolvable)),),
            ours=(Quantity(len(inexact), _listed(inexact[:3])),),
            decision=decide(Fact(as_called, len(played)) if all_played else None),
            remark="the order of the search decides which of several shortest paths is found",
        ),
    )


def _listed(puzzles: Sequence[Sequence[int]]) -> str:
    return ", ".join(" ".join(map(str, numbers)) for numbers in puzzles)


def _game24_table(played: Sequence[_Played]) -> TextTable:
    expanded = [p.expanded for p in played]
    row = (
        "own functions", str(len(played)), str(sum(p.solved for p in played)),
        str(sum(p.exactly for p in played)),
        f"{sum(expanded) / len(expanded):.0f}", str(max(expanded)),
    )  # fmt: skip
    headings = (
        "functions", "puzzles", "solved within 0.001", "ends at 24.0", "mean expanded states",
        "most expanded states",
    )  # fmt: skip
    return TextTable(headings, (row,), names=1)


_PLANNER: Final = "bfs"
SMALLEST: Final = ("p05", "p06", "p08", "p07", "p04")
"""The smallest of AutoToS's Sokoban instances, by the states that a blind search expands."""

Lengths = Mapping[str, int]
"""The length of a shortest plan by the id of the instance."""


def _blocksworld(bench: Workbench) -> StudyResult:
    folder = bench.dataset("autotos", "blocksworld")
    of_blocks = PUBLISHED.blocksworld.instances_by_blocks
    number = bench.count(quick=100, paper=sum(of_blocks.values()))
    if folder is not None:
        instances = list(load_records(str(folder / "blocks_instances")))
        published = _solutions(folder / "solutions.csv")
        source = "AutoToS's own instances, lengths from its solutions.csv"
    else:
        instances = [
            each for size, many in of_blocks.items() for each in
            bench.generated("blocksworld", [size], many)
        ]  # fmt: skip
        published = {each.id: _shortest(each) for each in instances}
        source = "generated instances of 4 and 5 blocks, lengths by an exhaustive sweep"
    chosen = spread(instances, number)
    return _findings(
        bench,
        "blocksworld",
        chosen,
        published,
        source,
        Quantity(PUBLISHED.blocksworld.solved, of=sum(of_blocks.values())),
    )


def _shortest(instance: Instance[Any]) -> int:
    task = instance.record
    goal = [(upper, lower) for name, upper, lower in task.goal if name == "on"]
    return len(cheapest_plan(task.init, goal, (1, 1, 1, 1)).steps)


def _solutions(file: Path) -> Lengths:
    with file.open(newline="", encoding="utf-8") as stream:
        return {Path(name).stem: int(length) for name, length in csv.reader(stream)}


def _sokoban(bench: Workbench) -> StudyResult:
    folder = bench.dataset("autotos", "sokoban")
    if folder is None:
        instances = list(load_records(str(domain_folder("sokoban") / "examples.jsonl")))
        planner = "fd-blind"
        runs = bench.solve("shortest", instances, [planner], Limits(time_s=60))
        published = {run.id: run.steps for run in runs if run.solved and run.steps is not None}
        # One of the examples intentionally has no plan.
        instances = [each for each in instances if each.id in published][: bench.number]
        source = "examples of this project, lengths by A* without a heuristic (Fast Downward)"
    else:
        known = {each.id: each for each in load_records(str(folder / "test_instances"))}
        names = bench.pick(quick=SMALLEST, paper=tuple(sorted(known)))
        instances = [known[name] for name in names[: bench.number]]
        lengths: dict[str, int] = json.loads((folder / "sokoban_optimal_costs.json").read_text())
        published = {name.removesuffix(".pddl"): length for name, length in lengths.items()}
        source = "AutoToS's own instances, lengths from its sokoban_optimal_costs.json"
    return _findings(
        bench,
        "sokoban",
        instances,
        published,
        source,
        Quantity(PUBLISHED.sokoban.solved, of=PUBLISHED.sokoban.instances),
    )


def _findings(  # noqa: PLR0913, PLR0917 -- what the two studies differ in
    bench: Workbench,
    name: str,
    instances: Sequence[Instance[Any]],
    published: Lengths,
    source: str,
    paper: Quantity,
) -> StudyResult:
    missing = [each.id for each in instances if each.id not in published]
    if missing:
        raise InputError(f"{name}: no published length of {missing[0]}")
    limits = bench.limits(quick_s=120, paper_s=PUBLISHED.search.time_limit_s)
    runs = bench.solve(name, instances, [_PLANNER], limits)
    return StudyResult(
        conditions=f"{len(instances)} instances: {source}. Planner {_PLANNER}, "
        f"{limits.time_s:g} s and {limits.memory_bytes / 2**30:.1f} GiB an instance (AutoToS: "
        f"{PUBLISHED.search.time_limit_s:g} s); each plan is judged by the validator.",
        comparisons=_comparisons(runs, published, paper),
        tables=(NamedTable("By length of the shortest plan", _table(runs, published)),),
        unexplained=sum(run.unexplained for run in runs),
    )


def _comparisons(
    runs: Sequence[RunResult], published: Lengths, paper: Quantity
) -> tuple[Comparison, ...]:
    right = sum(run.solved and run.steps == published[run.id] for run in runs)
    open_ = [f"{run.id} ({run.outcome})" for run in runs if not run.solved]
    wrong = [run.id for run in runs if run.solved and run.steps != published[run.id]]
    why = [f"not solved: {', '.join(open_[:12])}"] if open_ else []
    why += [f"of another length: {', '.join(wrong[:12])}"] if wrong else []
    return (
        Comparison(
            what="valid plans of the known shortest length, by this project's functions",
            ours=(share(right, len(runs)),),
            decision=decide(
                Fact(right == len(runs), len(runs))
                if len(runs) == paper.of
                else Always(right, len(runs), MARGINS.exceptions)
            ),
            remark="; ".join(why),
        ),
        Comparison(what="accuracy", paper=(paper,), remark=OWN_FUNCTIONS),
    )


def _table(runs: Sequence[RunResult], published: Lengths) -> TextTable:
    rows = []
    for length in sorted({published[run.id] for run in runs}):
        found = [run for run in runs if published[run.id] == length]
        right = [run for run in found if run.solved and run.steps == length]
        expanded = [run.expanded for run in right if run.expanded is not None]
        times = [run.wall_s for run in right]
        rows.append((
            str(length), str(len(found)), str(len(right)),
            f"{fmean(expanded):.0f}" if expanded else NO_NUMBER,
            rounded(fmean(times)) if times else NO_NUMBER,
            rounded(max(times)) if times else NO_NUMBER,
        ))  # fmt: skip
    headings = (
        "shortest plan (steps)", "instances", "found", "mean expanded states", "mean time (s)",
        "longest time (s)",
    )  # fmt: skip
    return TextTable(headings, tuple(rows), names=1)


STUDIES: Final = (
    Study("autotos-unittests", "its unit tests, on our own functions", _unit_tests),
    Study("autotos-24game", "the 24 game under AutoToS's own rules, by BFS", _game24),
    Study("autotos-blocksworld", "502 blocksworld instances by breadth-first search", _blocksworld),
    Study("autotos-sokoban", "11 Sokoban instances by breadth-first search", _sokoban),
)
