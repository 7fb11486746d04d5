"""The five domains of SimPlan: names, counts and goals as in the paper and in published files."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from pddl_pipeline import solve, translate
from pddl_pipeline.generators.generating import generate_sizes, generators
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.translators.records import from_record, to_record

DOMAINS = ("blocksworld", "depots", "ferry", "grippers", "minigrid")
PLAN = ["..L..w..", "..w..L..", "LwwwwwwL", "..L..w..", "..w..L..", "wLwwwwww", "..w..L..",
        "..L..w.."]  # fmt: skip
# The nine rooms of Figure 12, and the two that each door lies between, as in the samples' PDDL.
ROOMS = [
    {0, 1, 7, 8}, {3, 4, 9, 10}, {5, 6, 12, 13}, {16, 17, 23, 24}, {19, 20, 25, 26},
    {21, 22, 28, 29}, {31, 32, 38, 39}, {33, 34, 41, 42}, {36, 37, 43, 44},
]  # fmt: skip
DOORS = {
    2: (0, 1), 11: (1, 2), 14: (0, 3), 15: (2, 5), 18: (3, 4), 27: (4, 5), 30: (3, 6),
    35: (7, 8), 40: (6, 7),
}  # fmt: skip


def generate_dataset(
    domain: str, number: int, sizes: str = "", seed: int = 0, **settings: Any
) -> list[Any]:
    generator = generators()[domain]["simplan"]
    first, _, last = sizes.partition("-")
    chosen = range(int(first), int(last or first) + 1) if sizes else None
    options = generator.settings(**settings)
    return list(generate_sizes(generator, options, sizes=chosen, number=number, seed=seed))


def numbered(prefix: str, count: int, first: int = 0) -> tuple[str, ...]:
    return tuple(f"{prefix}{number}" for number in range(first, first + count))


@pytest.mark.parametrize(
    ("domain", "simple", "complex_"),
    [
        ("blocksworld", (2, 5), (11, 25)),
        ("ferry", (2, 5), (11, 25)),
        ("grippers", (2, 5), (11, 25)),
        ("depots", (2, 5), (11, 15)),
        ("minigrid", (1, 2), (3, 8)),
    ],
)
def test_tables_8_and_9(domain: str, simple: tuple[int, int], complex_: tuple[int, int]) -> None:
    presets = generators()[domain]["simplan"].presets
    assert presets["simple"].splits == {"train": 100, "dev": 30, "test": 30}
    assert presets["complex"].splits == {"test": 50}
    for preset, (first, last) in (("simple", simple), ("complex", complex_)):
        assert presets[preset].sizes == range(first, last + 1)


@pytest.mark.parametrize("domain", DOMAINS)
def test_planners_solve_them(domain: str) -> None:
    for instance in generate_dataset(domain, 1, "2-4", seed=8):
        texts = translate(instance)
        found = solve(texts.domain_pddl, texts.problem_pddl, "lama-first", Limits(time_s=120))
        assert found.verdict is not None
        assert found.verdict.status is Status.VALID
        assert found.verdict.steps


def test_blocksworld() -> None:
    for instance in generate_dataset("blocksworld", 20, "11-13"):
        task = instance.record
        assert task.blocks == list(numbered("b", instance.size, 1))
        assert task.holding is None
        assert {atom[0] for atom in task.goal} == {"on"}
        _check_stacks({above: below for _, above, below in task.goal}, set())


def test_ferry() -> None:
    for instance in generate_dataset("ferry", 20, "2-3"):
        task = instance.record
        assert task.locations == numbered("l", 5)
        assert task.cars == tuple(task.goal) == numbered("c", instance.size)
        assert task.aboard is None
    assert Counter(i.record.ferry for i in generate_dataset("ferry", 200, "3")).keys() == set(
        task.locations
    )
    assert generate_dataset("ferry", 1, locations=9)[0].record.locations == numbered("l", 9)


def test_grippers() -> None:
    for instance in generate_dataset("grippers", 20, "2-3"):
        task = instance.record
        assert task.robots == {"robot1": ("lgripper1", "rgripper1")}
        assert task.rooms == numbered("room", 5, 1)
        assert task.balls == tuple(task.goal) == numbered("ball", instance.size, 1)
    task = generate_dataset("grippers", 1, "2", robots=2, rooms=3)[0].record
    assert task.robots["robot2"] == ("lgripper2", "rgripper2")
    assert task.rooms == numbered("room", 3, 1)


def test_depots() -> None:
    wanted = Counter[int]()
    for instance in generate_dataset("depots", 200, "3") + generate_dataset("depots", 5, "15"):
        task = instance.record
        places = ["depot0", "depot1", "distributor0", "distributor1"]
        assert list(task.places) == places
        assert task.trucks == numbered("truck", 2)
        assert task.crates == numbered("crate", instance.size)
        for kind in ("pallet", "hoist"):
            assert [task.at[f"{kind}{number}"] for number in range(4)] == places
        goal = {above: below for _, above, below in task.goal}
        assert {atom[0] for atom in task.goal} == {"on"}
        _check_stacks(goal, set(task.pallets))
        wanted[len(goal)] += instance.size == 3
    # Of 501 published instances with three crates, 362 have goals for all and 3 for only one.
    assert wanted[3] / 200 == pytest.approx(0.72, abs=0.1)
    assert wanted[1] < 8


def _check_stacks(goal: dict[str, str], pallets: set[str]) -> None:
    """Check that a goal can be built: nothing holds two, and its stacks end below."""
    assert len(set(goal.values())) == len(goal)
    for block in goal:
        below, steps = block, 0
        while below in goal:
            below, steps = goal[below], steps + 1
            assert steps <= len(goal)
        assert not pallets or below in pallets


def test_depots_of_other_shapes() -> None:
    task = generate_dataset("depots", 1, depots=1, distributors=0, trucks=1, pallets=3, hoists=2)[
        0
    ].record
    assert task.at == dict.fromkeys(
        ("pallet0", "pallet1", "pallet2", "truck0", "hoist0", "hoist1"), "depot0"
    )
    task = generate_dataset("depots", 1, pallets=2, hoists=5)[0].record
    assert [task.at[f"pallet{number}"] for number in range(2)] == ["depot0", "depot1"]
    assert len(task.hoists) == 5


@pytest.mark.parametrize(
    ("domain", "settings"),
    [
        ("ferry", {"locations": 0}),
        ("grippers", {"robots": 0}),
        ("grippers", {"rooms": 0}),
        ("depots", {"hoists": 3}),
        ("depots", {"trucks": 0}),
        ("depots", {"pallets": 0}),
        ("depots", {"depots": 0, "distributors": 0}),
    ],
)
def test_what_cannot_be_solved_is_refused(domain: str, settings: dict[str, int]) -> None:
    with pytest.raises(InputError):
        generators()[domain]["simplan"].settings(**settings)


def test_one_location_has_no_tasks() -> None:
    with pytest.raises(InputError, match="size 2: found no task"):
        generate_dataset("ferry", 1, "2", locations=1)


def test_two_blocks_have_four_tasks() -> None:
    assert len(generate_dataset("blocksworld", 4, "2")) == 4
    with pytest.raises(InputError, match="size 2: found 4 different tasks, not 5"):
        generate_dataset("blocksworld", 5, "2")


def number_of(place: str) -> int:
    return int(place.removeprefix("p"))


def room_of(place: str) -> int:
    return next(room for room, cells in enumerate(ROOMS) if number_of(place) in cells)


def goal_is_reachable(record: dict[str, Any]) -> bool:
    """Whether the robot gets there: rooms and doors only, no cells.

    It can fetch every key that lies where it can go, one at a time; doors stay open.
    """
    rooms, doors = {room_of(record["robot"])}, set[int]()
    while True:
        shapes = {
            key["shape"]
            for key in record["keys"].values()
            if number_of(key["at"]) in doors
            or any(number_of(key["at"]) in ROOMS[room] for room in rooms)
        }
        opened = {
            door
            for door, sides in DOORS.items()
            if record["locks"][f"p{door}"] in shapes and rooms & set(sides)
        }
        if opened <= doors:
            return room_of(record["goal"]) in rooms
        doors |= opened
        rooms |= {room for door in doors for room in DOORS[door]}


def test_minigrid() -> None:
    shapes = Counter[int]()
    for instance in generate_dataset("minigrid", 60, "1-8"):
        task, size = instance.record, instance.size
        assert list(task.floorplan) == PLAN
        assert {number_of(place) for place in task.locks} == set(DOORS)
        assert set(task.keys) == set(numbered("key", size))
        assert all(key.shape == f"shape{name[3:]}" for name, key in task.keys.items())
        assert room_of(task.robot) != room_of(task.goal)
        assert goal_is_reachable(to_record(instance))
        shapes[size] += len(set(task.locks.values()))
    assert shapes[1] == 60
    # Nine locks of random shapes: 8 (1 - (7/8)^9) = 5.6 of eight shapes have one.
    assert shapes[8] / 60 == pytest.approx(5.6, abs=0.5)


def test_minigrid_agrees_with_a_planner() -> None:
    """Also with keys thrown about, where most goals cannot be reached."""
    random, verdicts = Random(4), Counter[bool]()
    for instance in generate_dataset("minigrid", 3, "1-4"):
        drawn = to_record(instance)
        thrown = {
            name: {"shape": key["shape"], "at": f"p{random.randrange(45)}"}
            for name, key in drawn["keys"].items()
        }
        for record in (drawn, {**drawn, "keys": thrown}):
            texts = translate(from_record(record))
            outcome = solve(texts.domain_pddl, texts.problem_pddl, "lama-first").attempt.outcome
            reachable = goal_is_reachable(record)
            assert outcome is (Outcome.PLAN_FOUND if reachable else Outcome.CLAIMS_UNSOLVABLE)
            verdicts[reachable] += 1
    assert verdicts[False] > 5
    assert verdicts[True] >= 12


def test_floor_plan_has_the_doors_of_the_samples() -> None:
    """The connections of the PDDL, as in a published problem file."""
    (instance,) = generate_dataset("minigrid", 1, "1")
    conn = _connections(instance)
    assert len(conn) == 108
    for door, sides in DOORS.items():
        beyond = {room for room in range(9) for cell in ROOMS[room] if (door, cell) in conn}
        assert beyond == set(sides)
    for room in ROOMS:
        assert all((a, b) in conn for a, b in pairwise(sorted(room)) if b - a == 1)


def _connections(instance: Instance[Any]) -> set[tuple[int, int]]:
    words = translate(instance).problem_pddl.replace("(", " ").replace(")", " ").split()
    return {
        (number_of(words[i + 1]), number_of(words[i + 2]))
        for i, word in enumerate(words)
        if word == "conn"
    }
