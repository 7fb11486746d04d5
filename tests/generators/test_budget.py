"""Budget-Blocksworld: cheapest plans are cheapest, and budgets follow from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from heapq import heappop, heappush
from pathlib import Path
from random import Random
from typing import Any

import pytest
from command_line import Cli

from pddl_pipeline import load_records, solve, translate
from pddl_pipeline.generators.blocks import block_names, random_stacks
from pddl_pipeline.generators.budget_blocksworld import BudgetSettings
from pddl_pipeline.generators.generating import generate_sizes, generators
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.search.blocks_states import cheapest_plan
from pddl_pipeline.translators import read_instance

GENERATOR = generators()["budget-blocksworld"]["cats"]
SCHEDULES = ((1, 1, 20, 1), (20, 1, 1, 20), (3, 7, 2, 5), (0, 0, 1, 0))
Stacks = tuple[tuple[str, ...], ...]


def generate_dataset(
    number: int, size: int = 6, seed: int = 0, **settings: Any
) -> list[Instance[Any]]:
    sizes = range(size, size + 1)
    chosen = BudgetSettings(**settings)
    return list(generate_sizes(GENERATOR, chosen, sizes=sizes, number=number, seed=seed))


def cheapest(init: Stacks, goal: set[tuple[str, str]], costs: tuple[int, ...]) -> tuple[int, int]:
    """Return the least cost and its fewest steps: a plain search over stacks and a hand."""
    start = (frozenset(init), "")
    queue, done, count = [(0, 0, 0, start)], set(), 0
    while queue:
        cost, steps, _, state = heappop(queue)
        if state in done:
            continue
        done.add(state)
        stacks, hand = state
        below = {(s[i + 1], s[i]) for s in stacks for i in range(len(s) - 1)}
        if goal <= below:
            return cost, steps
        for price, after in successors(stacks, hand, costs):
            count += 1
            heappush(queue, (cost + price, steps + 1, count, after))
    raise AssertionError("no plan")


def successors(
    stacks: frozenset[tuple[str, ...]], hand: str, costs: tuple[int, ...]
) -> Iterator[tuple[int, tuple[frozenset[tuple[str, ...]], str]]]:
    pick_up, unstack, put_down, stack_cost = costs
    for stack in stacks:
        if hand:
            yield stack_cost, (stacks - {stack} | {(*stack, hand)}, "")
        elif len(stack) == 1:
            yield pick_up, (stacks - {stack}, stack[-1])
        else:
            yield unstack, (stacks - {stack} | {stack[:-1]}, stack[-1])
    if hand:
        yield put_down, (stacks | {(hand,)}, "")


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("costs", SCHEDULES)
def test_costs_and_steps_are_least(size: int, costs: tuple[int, ...]) -> None:
    """By an independent search: the least cost, and of all such plans the fewest steps."""
    random = Random(f"{size} {costs}")
    for _ in range(25):
        init, target = (random_stacks(random, block_names(size)) for _ in range(2))
        goal = {(s[i + 1], s[i]) for s in target for i in range(len(s) - 1)}
        plan = cheapest_plan(init, goal, costs)
        assert (plan.cost, len(plan.steps)) == cheapest(init, goal, costs)


def test_ties_go_to_fewer_steps() -> None:
    """Where nothing costs anything, all plans cost the same."""
    plan = cheapest_plan([["b1", "b2", "b3"]], [("b1", "b2")], (0, 0, 0, 0))
    assert plan.cost == 0
    assert len(plan.steps) == 6


@pytest.mark.parametrize("costs", SCHEDULES[:3])
def test_optimal_costs_agree_with_fast_downward(costs: tuple[int, ...]) -> None:
    for instance in generate_dataset(
        4, budget="tight", costs=",".join(map(str, costs)), seed=sum(costs)
    ):
        texts = translate(instance)
        found = solve(texts.domain_pddl, texts.problem_pddl, "seq-opt-lmcut", Limits(time_s=120))
        assert found.attempt.optimal
        assert found.verdict is not None
        assert found.verdict.status is Status.VALID
        assert found.verdict.cost == instance.extras["optimal_cost"] == instance.budget


def test_records() -> None:
    """Three budgets of one task, whose witness costs what the tight one allows."""
    instances = generate_dataset(40)
    for index in range(0, len(instances), 3):
        tight, loose, unlimited = instances[index : index + 3]
        stem = f"budget-blocksworld-6-{index // 3}"
        assert [i.id for i in (tight, loose, unlimited)] == [
            f"{stem}-tight", f"{stem}-loose", f"{stem}-unlimited"
        ]  # fmt: skip
        least = tight.extras["optimal_cost"]
        assert (tight.budget, loose.budget, unlimited.budget) == (least, least + 42, None)
        assert tight.record.init == loose.record.init == unlimited.record.init
        assert tight.extras == loose.extras == unlimited.extras
        assert {atom[0] for atom in tight.record.goal} == {"on"}
        task = read_instance(tight)
        verdict = task.judge("\n".join(tight.extras["witness"]))
        assert (verdict.status, verdict.cost) == (Status.VALID, least)


def test_splits_are_the_buckets_of_the_paper() -> None:
    for instance in generate_dataset(150, budget="unlimited"):
        steps = len(instance.extras["witness"])
        bucket = "short" if steps <= 8 else "mid" if 10 <= steps <= 14 else "long"
        assert instance.extras["split"] == bucket
        assert steps % 2 == 0


def test_lengths_are_those_of_the_paper() -> None:
    """Appendix A: 1,008 tasks of 2 to 32 steps, 14.3 on average."""
    lengths = [len(i.extras["witness"]) for i in generate_dataset(1008, budget="tight")]
    assert sum(lengths) / len(lengths) == pytest.approx(14.31, abs=0.4)
    counts = Counter("short" if n <= 8 else "mid" if n <= 14 else "long" for n in lengths)
    for bucket, paper in {"short": 113, "mid": 476, "long": 419}.items():
        assert counts[bucket] == pytest.approx(paper, abs=4 * paper**0.5)


def test_options_reach_the_records(cli: Cli, tmp_path: Path) -> None:
    done = cli(
        "generate", "budget-blocksworld", "--size", "3-4", "--count", "2", "--set", "costs=5,1,1,5",
        "--set", "budget=loose,tight", "--set", "loose-margin=7", "-o", "a.jsonl",
    )  # fmt: skip
    assert (done.status, done.out) == (0, "8 instances in a.jsonl\n")
    loose, tight, *_ = load_records(tmp_path / "a.jsonl")
    assert loose.record.costs == {"pick-up": 5, "unstack": 1, "put-down": 1, "stack": 5}
    assert loose.budget == tight.budget + 7
    assert loose.id == "budget-blocksworld-3-0-loose"
    assert tight.id == "budget-blocksworld-3-0-tight"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"costs": "1,1,20"}, "costs=1,1,20: expected four"),
        ({"costs": "1,1,-2,1"}, "expected four"),
        ({"costs": "1,1,1000001,1"}, "at most 1000000"),
        ({"costs": "1,1,99999999999999,1"}, "at most 1000000"),
        ({"budget": "tigt"}, "found 'tigt'; did you mean 'tight'?"),
        ({"budget": ""}, "found ''; expected some of tight, loose, unlimited"),
        ({"budget": "tight,tight"}, "twice"),
        ({"loose_margin": -1}, "loose-margin=-1"),
    ],
)
def test_bad_settings(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        BudgetSettings(**settings)
    assert message in str(caught.value)


def test_too_many_blocks() -> None:
    with pytest.raises(InputError, match="8 blocks: expected at most 7"):
        generate_dataset(1, size=8)


@pytest.mark.parametrize("goal", [[("b1", "b2"), ("b2", "b1")], [("b1", "b3"), ("b2", "b3")]])
def test_goals_that_no_state_satisfies(goal: list[tuple[str, str]]) -> None:
    with pytest.raises(InputError, match="no state"):
        cheapest_plan([["b1"], ["b2"], ["b3"]], goal, (1, 1, 1, 1))
