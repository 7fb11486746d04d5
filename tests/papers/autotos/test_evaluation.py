"""The functions on a dataset: what counts as solved, and the numbers of the summary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from failing_code import GOAL_24, SUCC_24
from places import ROOT

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.autotos.domains import DOMAINS
from pddl_pipeline.papers.autotos.evaluation import (
    Applied,
    Evaluated,
    Result,
    Tried,
    accuracy_of,
    accuracy_table,
    call_table,
    error_table,
    evaluate,
)
from pddl_pipeline.papers.autotos.subject import RULES_24, PuzzleInstance, trial_of
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.planners.foreign_code.guarded import Category
from pddl_pipeline.planners.foreign_code.process import CodeSource, Functions
from pddl_pipeline.search.black_boxes.domain import Domain
from pddl_pipeline.search.space import Bounds
from pddl_pipeline.translators.datasets import ReadOptions, load_records

BOUNDS = Bounds(20_000, 60)


def result(
    trial: PuzzleInstance, domain: Domain, succ: str, isgoal: str, bounds: Bounds = BOUNDS
) -> Evaluated:
    sources = (CodeSource(succ, {"succ": "succ"}), CodeSource(isgoal, {"isgoal": "isgoal"}))
    with Functions(sources) as functions:
        return evaluate(trial, functions, domain, bounds)


def puzzle(tmp_path: Path, numbers: str) -> PuzzleInstance:
    (tmp_path / "24.csv").write_text(f"Rank,Puzzles\n1,{numbers}\n")
    (instance,) = load_records(tmp_path / "24.csv", source=ReadOptions(rules=RULES_24))
    return trial_of(instance, DOMAINS["24game"])


@pytest.mark.parametrize(
    ("numbers", "succ", "isgoal", "expected"),
    [
        ("4 6", SUCC_24, GOAL_24, "solved"),
        ("3 3 8 8", SUCC_24, GOAL_24, "solved"),
        ("1 1", SUCC_24, GOAL_24, "solved"),
        ("4 6", SUCC_24.replace("x * y, ", ""), GOAL_24, "no-plan"),
        ("4 6", SUCC_24.replace("x * y", "x * y + 1"), GOAL_24.replace("24", "25"), "invalid"),
        ("4 6", SUCC_24.replace("rest + [z]", "[24]"), GOAL_24, "solved"),
        ("4 6 1", SUCC_24.replace("rest + [z]", "[24]"), GOAL_24, "invalid"),
        ("4 6", SUCC_24, "def isgoal(state): return state[2] == 24", "error"),
    ],
)
def test_puzzles_of_the_24_game(
    tmp_path: Path, numbers: str, succ: str, isgoal: str, expected: str
) -> None:
    found = result(puzzle(tmp_path, numbers), DOMAINS["24game"], succ, isgoal)
    assert (found.result, bool(found.reason)) == (expected, expected != "solved")
    late = found._replace(result=Result.NO_PLAN, reason=BOUNDS.too_late().reason)
    assert (found.reached_limit, late.reached_limit) == (False, True)


def test_a_plan_is_not_solved_where_the_search_for_a_shorter_one_reaches_its_limit(
    tmp_path: Path,
) -> None:
    """These functions only multiply the first two numbers: four states instead of hundreds."""
    trial = puzzle(tmp_path, "2 3 4 1")
    succ = "def succ(s): return [[s[0] * s[1], *s[2:]]] if len(s) > 1 else []"
    found = result(trial, DOMAINS["24game"], succ, GOAL_24, Bounds(10))
    assert (found.result, found.steps) == ("unproved", 3)


SUCC, ISGOAL = re.findall(
    r"```python\n(.*?)```", (ROOT / "examples/search-code/blocksworld.md").read_text(), re.DOTALL
)
UNSTACK = "add(clear - {upper} | {lower}, table, on - {(upper, lower)}, upper)"
THROW = "add(clear | {lower}, table | {upper}, on - {(upper, lower)}, None)"


@pytest.mark.parametrize(
    ("succ", "isgoal", "expected", "reason"),
    [
        (SUCC, ISGOAL, "solved", ""),
        (SUCC, f"{ISGOAL.rstrip()} and len(state['on-table']) == 1", "longer", ""),
        (SUCC.replace(UNSTACK, THROW), ISGOAL, "invalid", "no step leads from"),
    ],
)
def test_plans_of_pddl_must_have_the_fewest_steps(
    succ: str, isgoal: str, expected: str, reason: str
) -> None:
    domain = DOMAINS["blocksworld"]
    (_, instance, *_) = load_records(domain_folder("blocksworld") / "examples.jsonl")
    found = result(trial_of(instance, domain), domain, succ, isgoal)
    assert (found.result, found.reason[: len(reason)]) == (expected, reason)


def test_instances_of_other_domains_are_an_error() -> None:
    (ferry, *_) = load_records(domain_folder("ferry") / "examples.jsonl")
    for name in ("24game", "blocksworld", "countdown", "sokoban"):
        with pytest.raises(InputError, match=f"{ferry.id}: found no "):
            trial_of(ferry, DOMAINS[name])


@pytest.mark.parametrize("name", ["blocksworld", "countdown", "sokoban"])
def test_own_functions_solve_own_instances(name: str) -> None:
    """The functions of the domain stand in for those of a model: the trial judges their path."""
    for instance in list(load_records(domain_folder(name) / "examples.jsonl"))[:2]:
        trial = trial_of(instance, DOMAINS[name])
        found = trial.own_search(BOUNDS)
        if found.path is not None:
            assert trial.fault(found.path) is None
            assert trial.fault([found.path[0], found.path[0]]) is not None


def applied(*solved: Sequence[int]) -> list[Applied]:
    """Return the results on instances, each solved by these of the repetitions 1 and 3."""
    return [
        Applied(number, Evaluated(str(i), Result.SOLVED if number in each else Result.NO_PLAN))
        for i, each in enumerate(solved)
        for number in (1, 3)
    ]


def test_the_accuracies() -> None:
    found = accuracy_of(applied([1, 3], [3], [], [1]), 5)
    assert found.by_repetition == {1: Fraction(1, 2), 3: Fraction(1, 2)}
    assert (found.mean, found.at_5) == (Fraction(1, 2), Fraction(3, 4))
    assert found.results == {Result.SOLVED: 4, Result.NO_PLAN: 4}
    assert [row[2] for row in accuracy_table(found).rows] == ["50.00", "50.00", "50.00", "75.00"]
    assert accuracy_of([], 5) is None
    # Only the first five repetitions count.
    assert accuracy_of([Applied(6, Evaluated("a", Result.SOLVED))], 6).at_5 == 0


def test_the_tables() -> None:
    one = Tried(
        {"succ": 3, "isgoal": 1}, (Category.SUCC_SOUNDNESS, Category.SUCC_TIMEOUT), accepted=True
    )
    other = Tried({"succ": 2, "isgoal": 2}, (Category.SUCC_SOUNDNESS,), accepted=False)
    table = call_table({("m", "24game"): [one, other]})
    assert table.rows == (("m", "24game", "2", "1", "4.00", "2.50", "1.50", "3", "-"),)
    rows = {row[0]: row[1:] for row in error_table({"m": [one, other], "n": []}).rows}
    found = {"succ-soundness": ("2", "66.67", "0", "-"), "succ-timeout": ("1", "33.33", "0", "-")}
    assert rows == dict.fromkeys(Category, ("0", "0.00", "0", "-")) | found
