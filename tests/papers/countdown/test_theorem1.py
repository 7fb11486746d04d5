"""The study of Theorem 1: its protocol, and its table of sizes and claims."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from store_results import RESULT
from transition_cases import STUDIES, in_checkout

from pddl_pipeline.countdown.exact import solve_exact
from pddl_pipeline.generators.three_partition import reduction
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.papers.countdown.theorem1 import (
    DATASETS,
    LIMITS,
    PLANNERS,
    TOTALS,
    converse,
    report,
)
from pddl_pipeline.papers.data import read_card


def test_sizes_and_claims_are_counted() -> None:
    """`dfs` solves sizes 3 and 9, but only one of two at size 6; `enhsp` claims that none is."""
    solved = replace(RESULT, planner="dfs", outcome=Outcome.PLAN_FOUND, status=Status.VALID)
    late = replace(solved, outcome=Outcome.TIMEOUT, status=None)
    claim = replace(late, planner="enhsp", outcome=Outcome.CLAIMS_UNSOLVABLE)
    some = [replace(solved, size=size) for size in (3, 6, 9)]
    found = report(
        {
            "a": [*some, replace(late, size=6), replace(claim, size=3)],
            "b": [*some, replace(solved, planner="enhsp", size=3)],
            "none": [replace(late, size=6), replace(claim, size=6)],
        }
    )
    assert found.tables[0].table.rows[1:3] == (
        ("dfs", "3", "9", "0 of 7", "0 of 1"),
        ("enhsp", "-", "3", "1 of 2", "1 of 1"),
    )


def test_the_converse_fails_first_for_triples_of_five() -> None:
    assert [converse([total]) for total in (3, 4, 5)] == [(0, 0), (1, 0), (1, 1)]


def test_the_converse_fails_for_numbers_between_a_quarter_and_a_half_of_the_sum() -> None:
    parts, total = (5, 5, 5, 5, 6, 8), 17
    assert all(total < 4 * part and 2 * part < total for part in parts)
    assert sum(parts) == 2 * total
    assert all(sum(triple) != total for triple in combinations(parts, 3))
    task = reduction(parts)
    assert solve_exact(task.numbers, task.target).plan


@in_checkout
def test_the_protocol_in_words_is_that_of_the_code() -> None:
    text = (STUDIES / "countdown" / "protocol-theorem1.md").read_text()
    parts = [*(f"`{planner}`" for planner in PLANNERS), f"T from {TOTALS[0]} to {TOTALS[-1]}"]
    parts.append(f"{LIMITS.cpu_s:g} s of\nCPU time, {LIMITS.time_s:g} s of wall-clock time")
    for name in DATASETS.values():
        card = read_card(STUDIES / "countdown" / "data" / f"{name}.toml")
        parts += [str(card.seed), f"`data/{name}` |", f"| {', '.join(map(str, card.sizes))} |"]
    assert [part for part in parts if part not in text] == []
