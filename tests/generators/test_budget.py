"""Budget-Blocksworld: cheapest plans are cheapest, and budgets follow from them."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from pddl_pipeline.generators.blocks import block_names, random_stacks
from pddl_pipeline.generators.budget_blocksworld import BudgetSettings
from pddl_pipeline.generators.dataset import generator_named, settings_of
from pddl_pipeline.generators.generating import generate_sizes, generators
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.search.blocks_states import cheapest_plan
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.task import Task

GENERATOR = generators()["budget-blocksworld"]["cats"]
SCHEDULES = ((1, 1, 20, 1), (20, 1, 1, 20), (3, 7, 2, 5), (0, 0, 1, 0))


def generate_dataset(
    number: int, size: int = 6, seed: int = 0, **settings: Any
) -> list[Instance[Any]]:
    sizes = range(size, size + 1)
    chosen = BudgetSettings(**settings)
    return list(generate_sizes(GENERATOR, chosen, sizes=sizes, number=number, seed=seed))


def cheapest(task: Task) -> tuple[int, int]:
    """Return the least cost of a plan and its fewest steps: a plain search by the validator."""
    queue, done, count = [(0, 0, 0, task.initial_state())], set(), 0
    while queue:
        cost, steps, _, state = heappop(queue)
        if task.goal_holds(state):
            return cost, steps
        if frozenset(state.facts) in done:
            continue
        done.add(frozenset(state.facts))
        for _, after in task.successors(state):
            count += 1
            heappush(queue, (after.values["total-cost",], steps + 1, count, after))
    raise AssertionError("no plan")


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("costs", SCHEDULES)
def test_costs_and_steps_are_least(size: int, costs: tuple[int, ...]) -> None:
    """The least cost, and of all such plans the fewest steps."""
    random = Random(f"{size} {costs}")
    names = ("pick-up", "unstack", "put-down", "stack")
    for _ in range(6):
        init, target = (random_stacks(random, block_names(size)) for _ in range(2))
        goal = [pair for stack in target for pair in pairwise(stack[::-1])] or [("b1", "b2")]
        plan = cheapest_plan(init, goal, costs)
        instance = from_record({
            "id": "t", "domain": "budget-blocksworld", "init": init, "holding": None,
            "goal": [("on", *pair) for pair in goal], "costs": dict(zip(names, costs, strict=True)),
            "budget": None,
        })  # fmt: skip
        assert (plan.cost, len(plan.steps)) == cheapest(read_instance(instance))


def test_ties_go_to_fewer_steps() -> None:
    """Where nothing costs anything, all plans cost the same."""
    plan = cheapest_plan([["b1", "b2", "b3"]], [("b1", "b2")], (0, 0, 0, 0))
    assert plan.cost == 0
    assert len(plan.steps) == 6


def test_records() -> None:
    """Three budgets of one task, whose witness costs what the tight one allows."""
    instances = generate_dataset(20)
    names = ("tight", "loose", "unlimited")
    for index in range(20):
        three = tight, loose, unlimited = instances[3 * index : 3 * index + 3]
        assert [i.id for i in three] == [f"budget-blocksworld-6-{index}-{each}" for each in names]
        least = tight.extras["optimal_cost"]
        assert [i.budget for i in three] == [least, least + 42, None]
        assert tight.record.init == loose.record.init == unlimited.record.init
        assert tight.extras == loose.extras == unlimited.extras
        verdict = read_instance(tight).judge("\n".join(tight.extras["witness"]))
        assert (verdict.status, verdict.cost) == (Status.VALID, least)


def test_lengths_and_splits_are_those_of_the_paper() -> None:
    """Appendix A: 1,008 tasks of 2 to 32 steps, 14.3 on average."""
    instances = generate_dataset(1008, budget="tight")
    lengths = [len(instance.extras["witness"]) for instance in instances]
    assert sum(lengths) / len(lengths) == pytest.approx(14.31, abs=0.4)
    splits = ["short" if n <= 8 else "mid" if n <= 14 else "long" for n in lengths]
    assert [instance.extras["split"] for instance in instances] == splits
    for bucket, paper in {"short": 113, "mid": 476, "long": 419}.items():
        assert splits.count(bucket) == pytest.approx(paper, abs=4 * paper**0.5)


def test_settings_reach_the_records() -> None:
    loose, tight, *_ = generate_dataset(
        2, size=3, costs="5,1,1,5", budget="loose,tight", loose_margin=7
    )
    assert loose.record.costs == {"pick-up": 5, "unstack": 1, "put-down": 1, "stack": 5}
    assert (loose.budget, loose.id) == (tight.budget + 7, "budget-blocksworld-3-0-loose")


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
        ({"loose_margin": -1}, "loose_margin=-1"),
    ],
)
def test_bad_settings(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        settings_of(generator_named("budget-blocksworld"), settings)
    assert message in str(caught.value)


def test_too_many_blocks() -> None:
    with pytest.raises(InputError, match="8 blocks: expected at most 7"):
        generate_dataset(1, size=8)


@pytest.mark.parametrize("goal", [[("b1", "b2"), ("b2", "b1")], [("b1", "b3"), ("b2", "b3")]])
def test_goals_that_no_state_satisfies(goal: list[tuple[str, str]]) -> None:
    with pytest.raises(InputError, match="no state"):
        cheapest_plan([["b1"], ["b2"], ["b3"]], goal, (1, 1, 1, 1))
