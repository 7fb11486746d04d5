"""The reduction from 3-partition: what has a plan, and what is labelled as having none."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from math import log

from hypothesis import example, given
from hypothesis import strategies as st

from pddl_pipeline import generate
from pddl_pipeline.countdown.exact import solve_exact
from pddl_pipeline.generators.three_partition import reduction
from pddl_pipeline.translators.domains.countdown import Countdown

SIX = st.lists(st.integers(1, 12), min_size=6, max_size=6).filter(lambda parts: sum(parts) % 2 == 0)


def test_numbers_and_target_are_those_of_the_proof() -> None:
    """With B = 7 and U = 15."""
    numbers = tuple(7**power for power in (16, 16, 17, 17, 18, 20))
    assert reduction([1, 1, 2, 2, 3, 5]) == Countdown(numbers, 2 * 7 ** (7 + 45))


def has_plan(parts: Sequence[int]) -> bool:
    """Decide six numbers by the triples, and by the plan with a division."""
    half = sum(parts) // 2
    return any(sum(triple) == half for triple in combinations(parts, 3)) or any(
        f == g and f + a + b + c - d == half for f, g, a, b, c, d in permutations(parts)
    )


@given(parts=SIX)
@example(parts=[1, 1, 1, 1, 2, 4])
@example(parts=[5, 5, 5, 5, 6, 8])  # the smallest ones between a fourth and a half of the sum
def test_plans_are_partitions_or_divide_a_product_of_equal_numbers(parts: list[int]) -> None:
    task = reduction(parts)
    answer = solve_exact(task.numbers, task.target)
    assert (answer.plan is not None, answer.proof) == (has_plan(parts), not has_plan(parts))


def test_instances_without_a_plan_are_labelled() -> None:
    made = list(generate("countdown", 6, 12, method="3-partition", solvable="no", total=7))
    assert len({each.record for each in made}) == 12
    for each in made:
        parts = [round(log(number, 7)) - 15 for number in each.record.numbers]
        assert reduction(parts) == each.record
        assert (each.extra["solvable"], has_plan(parts), each.extras.get("witness")) == (
            False, False, None,
        )  # fmt: skip
