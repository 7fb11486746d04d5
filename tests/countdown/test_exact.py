"""The complete countdown solver: its plans are validated, its proofs checked by enumeration."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from countdown_by_hand import all_counts, walked

from pddl_pipeline.countdown import exact
from pddl_pipeline.countdown.exact import Answer, solve_exact
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.judging import judge_plan
from pddl_pipeline.translators.records import from_record


def check_plan(numbers: list[int], target: int, answer: Answer) -> None:
    """Check a plan with the validator and with the domain's referee, which does not use PDDL."""
    assert answer.plan is not None, (numbers, target, answer.reason)
    record = {"id": "a", "domain": "countdown", "numbers": numbers, "target": target}
    instance = from_record(record)
    verdict = judge_plan(answer.plan, read_instance(instance), instance)
    statuses = verdict.status, verdict.opinions["referee"].status, verdict.steps
    assert statuses == ("valid", "valid", len(numbers)), (numbers, target, verdict.reason)


@pytest.mark.parametrize(
    ("size", "instances", "top"),
    [(1, 20, 3), (2, 40, 4), (3, 60, 2), (3, 60, 99), (4, 25, 1), (4, 25, 5), (4, 25, 99),
     (5, 1, 99)],
)  # fmt: skip
def test_plans_are_valid_and_proofs_are_true(size: int, instances: int, top: int) -> None:
    rng = Random(size * 1000 + top)
    for _ in range(instances):
        numbers = [rng.randint(0, top) for _ in range(size)]
        counts = all_counts(numbers)
        whole = sorted(int(value) for value in counts if value.denominator == 1)
        targets = {0, 1, rng.randint(0, 100), whole[-1] + 1}
        for target in targets | set(rng.sample(whole, min(4, len(whole)))):
            answer = solve_exact(numbers, target)
            if counts[Fraction(target)]:
                check_plan(numbers, target, answer)
            else:
                assert (answer.plan, answer.proof) == (None, True), (numbers, target)


@pytest.mark.parametrize("size", [6, 7, 8, 9, 10, 11])
def test_ends_of_random_walks_are_found(size: int) -> None:
    for seed in range(4 if size < 9 else 1):
        numbers, target = walked(size, Random(seed))
        check_plan(numbers, target, solve_exact(numbers, target))


@pytest.mark.parametrize(
    "numbers", [[0] * 8, [0, 0, 0, 0, 7, 7, 7, 8], [1] * 9, [5, 0, 0, 0, 0, 0, 0]]
)
@pytest.mark.parametrize("target", [0, 1, 2, 15])
def test_zeros_ones_and_equal_numbers(numbers: list[int], target: int) -> None:
    answer = solve_exact(numbers, target)
    if target and sum(numbers) in {0, 5}:
        assert (answer.plan, answer.proof) == (None, True)
    else:
        check_plan(numbers, target, answer)


def test_large_numbers() -> None:
    numbers = [10**40, 3, 7, 11, 10**20, 13]
    target = 10**60 * 3 + 11 * 7 - 13
    check_plan(numbers, target, solve_exact(numbers, target))
    assert solve_exact(numbers, 10**60 + 10**9).proof
    assert solve_exact([2] * 40, 10**40).proof


@pytest.mark.parametrize("size", [12, 16, 25, 50])
def test_many_numbers(size: int) -> None:
    """Every plan found must be valid; these instances have plans that are found."""
    for seed in range(2):
        numbers, target = walked(size, Random(seed))
        target = target if size > 12 else target % 10_000
        check_plan(numbers, target, solve_exact(numbers, target, seed=seed))


def test_the_same_seed_gives_the_same_plan() -> None:
    numbers, target = walked(30, Random(7))
    assert solve_exact(numbers, target) == solve_exact(numbers, target)


@pytest.mark.long
def test_nine_numbers_are_decided_and_ten_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "_TRIES", ((3, 2),))
    assert solve_exact([16, 21, 44, 81, 65, 43, 69, 89, 19], 987654321987).proof
    answer = solve_exact([16, 21, 44, 81, 65, 43, 69, 89, 19, 10], 987654321987)
    why = "no plan in 2 reductions; 10 numbers are beyond exact reach, which is 9 numbers"
    assert (answer.plan, answer.proof, answer.reason) == (None, False, why)
