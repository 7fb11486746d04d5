"""The study of Theorem 1: its protocol, and its table of sizes and claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations

import pytest
from store_results import RESULT
from transition_cases import STUDIES, in_checkout

from pddl_pipeline.countdown.exact import solve_exact
from pddl_pipeline.generators.three_partition import reduction
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.instance import Instance
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
from pddl_pipeline.translators import translate_and_read
from pddl_pipeline.translators.domains.countdown import Countdown


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


DISTINCT = (15, 16, 17, 18, 19, 20, 21, 22, 29)
DISTINCT_PLAN = """(divide n3 n7) (divide n2 n6) (add n3 n2) (multiply n9 n1) (multiply n3 n9)
  (multiply n8 n4) (add n3 n8) (multiply n3 n5) (checkgoal n3)"""
PAIRS = ((27, 34), (28, 33), (29, 32), (25, 36), (30, 31))
"""Pairs of the sum 61, which share 37 as the third number of a triple of the sum 98."""
BASES_AND_SHIFTS = [(2, 0), (10, 178), (16, 491), (10**6 + 3, 200)]


def is_usual(parts: Sequence[int]) -> bool:
    """Return whether numbers differ and are between a quarter and a half of the sum of a triple."""
    total = 3 * sum(parts)  # of a triple, times the number of numbers
    return len({*parts}) == len(parts) and all(
        total < 4 * len(parts) * part < 2 * total for part in parts
    )


def has_partition(parts: tuple[int, ...], total: int) -> bool:
    first, *rest = parts or (0,)
    return not rest or any(
        has_partition(tuple(x for x in rest if x not in pair), total)
        for pair in combinations(rest, 2)
        if first + sum(pair) == total
    )


def test_the_converse_fails_for_distinct_numbers() -> None:
    """The plan holds for every base and shift of the reduction, so none repairs it."""
    assert is_usual(DISTINCT)
    assert sum(DISTINCT) == 3 * 59
    assert not has_partition(DISTINCT, 59)
    assert has_partition((15, 20, 24, 16, 21, 22, 17, 19, 23), 59)
    for base, shift in BASES_AND_SHIFTS:
        numbers = tuple(base ** (part + shift) for part in DISTINCT)
        record = Countdown(numbers, 3 * base ** (59 + 3 * shift))
        task = translate_and_read(Instance("distinct", "countdown", len(DISTINCT), record))[1]
        assert task.judge(DISTINCT_PLAN).status is Status.VALID
    assert reduction(DISTINCT) == Countdown(
        tuple(10 ** (part + 178) for part in DISTINCT), 3 * 10 ** (59 + 3 * 178)
    )


def test_the_converse_fails_for_distinct_numbers_without_division() -> None:
    """A product of 37 and five pairs has five triples, and a zero takes the other numbers."""
    parts = (37, *chain(*PAIRS), 35, 39, 26, 48)
    assert is_usual(parts)
    assert sum(parts) == 5 * 98
    assert not has_partition(parts, 98)
    for base, shift in BASES_AND_SHIFTS:
        shared, *others = (base ** (part + shift) for part in parts)
        products = [one * other for one, other in zip(others[::2], others[1::2], strict=True)]
        found = sum(products[:5]) * shared + (products[5] - products[6])
        assert found == 5 * base ** (98 + 3 * shift)


@pytest.mark.parametrize("action", ["add", "multiply"])
def test_the_converse_fails_with_a_further_number(action: str) -> None:
    """A false plan goes on with a number of padding, if the target does."""
    own, padding = reduction(DISTINCT), 7
    target = own.target + padding if action == "add" else own.target * padding
    record = Countdown((*own.numbers, padding), target)
    task = translate_and_read(Instance("padded", "countdown", 10, record))[1]
    plan = DISTINCT_PLAN.replace("(checkgoal", f"({action} n3 n10) (checkgoal")
    assert task.judge(plan).status is Status.VALID


@in_checkout
def test_the_protocol_in_words_is_that_of_the_code() -> None:
    text = (STUDIES / "countdown" / "protocol-theorem1.md").read_text()
    parts = [*(f"`{planner}`" for planner in PLANNERS), f"T from {TOTALS[0]} to {TOTALS[-1]}"]
    parts.append(f"{LIMITS.cpu_s:g} s of\nCPU time, {LIMITS.time_s:g} s of wall-clock time")
    for name in DATASETS.values():
        card = read_card(STUDIES / "countdown" / "data" / f"{name}.toml")
        parts += [str(card.seed), f"`data/{name}` |", f"| {', '.join(map(str, card.sizes))} |"]
    assert [part for part in parts if part not in text] == []
