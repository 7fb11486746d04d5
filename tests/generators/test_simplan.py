"""The five domains of SimPlan: names, counts and goals as in the paper and in published files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from pddl_pipeline import solve, translate
from pddl_pipeline.generators.dataset import settings_of
from pddl_pipeline.generators.generating import generate_sizes, generators
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.translators.records import to_record

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


@pytest.mark.long
@pytest.mark.parametrize("domain", DOMAINS)
def test_planners_solve_them(domain: str) -> None:
    for instance in generate_dataset(domain, 3, "2-5", seed=8):
        texts = translate(instance)
        found = solve(texts.domain_pddl, texts.problem_pddl, "lama-first", Limits(time_s=120))
        assert found.verdict.status is Status.VALID
        assert found.verdict.steps


PLACES = ("depot0", "depot1", "distributor0", "distributor1")
AT = {f"{kind}{n}": place for kind in ("pallet", "hoist") for n, place in enumerate(PLACES)}
# Settings, and fields of the records of a size.
FIELDS: list[tuple[str, dict[str, int], Callable[[int], dict[str, Any]]]] = [
    ("blocksworld", {}, lambda n: {"blocks": [*numbered("b", n, 1)], "holding": None}),
    ("ferry", {}, lambda n: {
        "locations": numbered("l", 5), "cars": numbered("c", n), "aboard": None}),
    ("ferry", {"locations": 9}, lambda _: {"locations": numbered("l", 9)}),
    ("grippers", {}, lambda n: {
        "robots": {"robot1": ("lgripper1", "rgripper1")}, "rooms": numbered("room", 5, 1),
        "balls": numbered("ball", n, 1)}),
    ("grippers", {"robots": 2, "rooms": 3}, lambda _: {
        "robots": {f"robot{n}": (f"lgripper{n}", f"rgripper{n}") for n in (1, 2)},
        "rooms": numbered("room", 3, 1)}),
    ("depots", {}, lambda n: {
        "places": dict.fromkeys(PLACES[:2], "depot") | dict.fromkeys(PLACES[2:], "distributor"),
        "trucks": numbered("truck", 2), "crates": numbered("crate", n), "at": AT}),
    ("depots", {"depots": 1, "distributors": 0, "trucks": 1, "pallets": 3, "hoists": 2}, lambda _: {
        "at": dict.fromkeys((*numbered("pallet", 3), "truck0", "hoist0", "hoist1"), "depot0")}),
    ("depots", {"pallets": 2, "hoists": 5}, lambda _: {
        "at": {"pallet0": "depot0", "pallet1": "depot1"}, "hoists": numbered("hoist", 5)}),
    ("minigrid", {}, lambda _: {"floorplan": tuple(PLAN)}),
]  # fmt: skip


@pytest.mark.parametrize(("domain", "settings", "fields"), FIELDS)
def test_objects_are_those_of_the_paper(
    domain: str, settings: dict[str, int], fields: Callable[[int], dict[str, Any]]
) -> None:
    for instance in generate_dataset(domain, 10, "3-4", **settings):
        record = instance.record
        for name, expected in fields(instance.size).items():
            found = getattr(record, name)
            assert found == expected if name != "at" else expected.items() <= found.items()
        if domain in ("blocksworld", "depots"):
            goal = {above: below for kind, above, below in record.goal if kind == "on"}
            assert len(goal) == len(set(goal.values())) == len(record.goal)
            assert domain == "blocksworld" or {*goal.values()} - goal.keys() <= {*record.pallets}
            while (above := {a: b for a, b in goal.items() if b in goal}) != goal:
                goal = above
            assert not goal  # no circle
        elif domain != "minigrid":
            assert tuple(record.goal) == (record.cars if domain == "ferry" else record.balls)


def test_goals_of_depots_and_starts_of_ferries_vary() -> None:
    """Of 501 published instances with three crates, 362 have goals for all and 3 for only one."""
    wanted = Counter(len(each.record.goal) for each in generate_dataset("depots", 200, "3"))
    assert wanted[3] / 200 == pytest.approx(0.72, abs=0.1)
    assert wanted[1] < 8
    starts = {each.record.ferry for each in generate_dataset("ferry", 200, "3")}
    assert starts == set(numbered("l", 5))


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
        settings_of(generators()[domain]["simplan"], settings)


@pytest.mark.parametrize(
    ("domain", "number", "settings", "message"),
    [
        ("ferry", 1, {"locations": 1}, "size 2: found no task"),
        ("blocksworld", 5, {}, "size 2: found 4 different tasks, not 5"),
    ],
)
def test_small_sizes_have_few_tasks(
    domain: str, number: int, settings: dict[str, int], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        generate_dataset(domain, number, "2", **settings)


def number_of(place: str) -> int:
    return int(place.removeprefix("p"))


def room_of(place: str) -> int:
    return next(room for room, cells in enumerate(ROOMS) if number_of(place) in cells)


def goal_is_reachable(record: dict[str, Any]) -> bool:
    """Whether the robot gets there: rooms and doors only, no cells.

    It can fetch every key that lies where it can go, one at a time; doors stay open.
    """
    rooms, doors = {room_of(record["robot"])}, set[int]()
    for _ in ROOMS:
        cells = doors.union(*(ROOMS[room] for room in rooms))
        keys = record["keys"].values()
        shapes = {key["shape"] for key in keys if number_of(key["at"]) in cells}
        doors |= {door for door, sides in DOORS.items()
                  if record["locks"][f"p{door}"] in shapes and rooms & set(sides)}  # fmt: skip
        rooms |= {room for door in doors for room in DOORS[door]}
    return room_of(record["goal"]) in rooms


def test_minigrid() -> None:
    shapes = Counter[int]()
    for instance in generate_dataset("minigrid", 60, "1-8"):
        task, size = instance.record, instance.size
        assert {number_of(place) for place in task.locks} == set(DOORS)
        assert set(task.keys) == set(numbered("key", size))
        assert all(key.shape == f"shape{name[3:]}" for name, key in task.keys.items())
        assert room_of(task.robot) != room_of(task.goal)
        assert goal_is_reachable(to_record(instance))
        shapes[size] += len(set(task.locks.values()))
    assert shapes[1] == 60
    # Nine locks of random shapes: 8 (1 - (7/8)^9) = 5.6 of eight shapes have one.
    assert shapes[8] / 60 == pytest.approx(5.6, abs=0.5)


def test_floor_plan_has_the_doors_of_the_samples() -> None:
    """The connections of the PDDL, as in a published problem file."""
    (instance,) = generate_dataset("minigrid", 1, "1")
    text = translate(instance).problem_pddl
    conn = {(int(a), int(b)) for a, b in re.findall(r"\(conn p(\d+) p(\d+)\)", text)}
    assert len(conn) == 108
    for door, sides in DOORS.items():
        assert {n for n, cells in enumerate(ROOMS) for cell in cells if (door, cell) in conn} == {
            *sides
        }
    for room in ROOMS:
        assert all((a, b) in conn for a, b in pairwise(sorted(room)) if b - a == 1)
