"""The tasks of the validator benchmarks: known sizes, each with distinct valid plans."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from pddl_pipeline import read_task, solve
from pddl_pipeline.model.operations import combine
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder, domain_text
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.translators.translator import translator
from pddl_pipeline.validation.task import Task

PLANS = 60
_FLOOR = [
    "..L..w..", "..w..L..", "LwwwwwwL", "..L..w..", "..w..L..", "wLwwwwww", "..w..L..", "..L..w.."
]  # fmt: skip
_LOCKS = ("p2", "p11", "p14", "p15", "p18", "p27", "p30", "p35", "p40")


@dataclass(frozen=True)
class Input:
    """A task as text, with valid and distinct plans."""

    name: str
    domain: str
    problem: str
    plans: list[str]

    @property
    def steps(self) -> int:
        """The number of steps of the first plan."""
        return len(self.plans[0].splitlines())


def inputs() -> list[Input]:
    """Return the tasks.

    The call takes several seconds, since a planner finds the first plan of most tasks.
    """
    rng = random.Random(1)
    return [
        _planned("blocksworld 25", *_from_record(_blocks(rng)), steps=192, rng=rng),
        _planned("depots", *_from_record(_depots(rng)), steps=124, rng=rng),
        _planned("grid 8x8", *_from_record(_grid()), steps=106, rng=rng),
        _countdown(4, rng),
        _countdown(50, rng),
        _deliveries(*logistics(28, 500, rng, goals=28), rng=rng),
        *(_fleet(steps, rng) for steps in (10, 100, 1000)),
    ]


def search_tasks() -> Iterator[tuple[str, str, str]]:
    """Yield tasks to search: the name, the domain, the problem."""
    for name in ("blocksworld", "ferry", "grippers", "countdown"):
        folder = domain_folder(name)
        yield f"{name}, sample", domain_text(name), (folder / "p01.pddl").read_text("utf-8")
    rng = random.Random(1)
    yield "blocksworld, 25 blocks", *_from_record(_blocks(rng))
    yield "depots, 10 crates", *_from_record(_depots(rng))
    yield "grid, 8 x 8", *_from_record(_grid())


def _from_record(record: dict[str, object]) -> tuple[str, str]:
    instance = from_record(record)
    return domain_text(instance.domain), translator(instance.domain).problem(instance)


def _blocks(rng: random.Random) -> dict[str, object]:
    names = [f"b{number}" for number in range(1, 26)]

    def stacks() -> list[list[str]]:
        left, found = rng.sample(names, len(names)), []
        while left:
            height = rng.randint(1, 6)
            found.append(left[:height])
            left = left[height:]
        return found

    goal = [["on", upper, lower] for stack in stacks() for lower, upper in pairwise(stack)]
    return {"id": "b", "domain": "blocksworld", "init": stacks(), "holding": None, "goal": goal}


def _depots(rng: random.Random) -> dict[str, object]:
    places = {f"depot{n}": "depot" for n in range(3)} | {
        f"distributor{n}": "distributor" for n in range(3)
    }
    where = list(places)
    hoists = {f"hoist{n}": place for n, place in enumerate(where)}
    pallets = {f"pallet{n}": where[n % len(where)] for n in range(10)}
    trucks = {f"truck{n}": rng.choice(where) for n in range(2)}
    crates = [f"crate{n}" for n in range(10)]

    def stacked() -> dict[str, str]:
        tops, found = list(pallets), {}
        for crate in rng.sample(crates, len(crates)):
            place = rng.randrange(len(tops))
            found[crate], tops[place] = tops[place], crate
        return found

    return {
        "id": "d", "domain": "depots", "places": places, "trucks": list(trucks),
        "hoists": list(hoists), "pallets": list(pallets), "crates": crates,
        "at": {**trucks, **hoists, **pallets}, "on": stacked(),
        "goal": [["on", crate, below] for crate, below in stacked().items()],
    }  # fmt: skip


def _grid() -> dict[str, object]:
    return {
        "id": "g", "domain": "minigrid", "floorplan": _FLOOR, "robot": "p4", "goal": "p38",
        "keys": {"key0": {"shape": "shape0", "at": "p3"}},
        "locks": dict.fromkeys(_LOCKS, "shape0"),
    }  # fmt: skip


def logistics(cities: int, packages: int, rng: random.Random, *, goals: int) -> tuple[str, str]:
    """Return a domain and a problem: cities of twenty places, a truck in each, packages to move."""
    places = {f"c{city}p{n}": city for city in range(cities) for n in range(20)}
    airports = [name for name in places if name.endswith("p0")]
    objects = [
        f"{' '.join(airports)} - airport",
        f"{' '.join(name for name in places if name not in airports)} - place",
        f"{' '.join(f'package{n}' for n in range(packages))} - package",
        f"{' '.join(f'truck{city}' for city in range(cities))} - truck",
        f"{' '.join(f'plane{n}' for n in range(4))} - airplane",
        f"{' '.join(f'city{city}' for city in range(cities))} - city",
    ]
    init = [f"(in-city {name} city{city})" for name, city in places.items()]
    init += [f"(at truck{city} c{city}p{rng.randrange(20)})" for city in range(cities)]
    init += [f"(at plane{n} {rng.choice(airports)})" for n in range(4)]
    init += [f"(at package{n} {rng.choice(list(places))})" for n in range(packages)]
    wanted = [f"(at package{n} {rng.choice(list(places))})" for n in range(goals)]
    domain = Path(__file__).with_name("logistics.pddl").read_text(encoding="utf-8")
    return domain, (
        "(define (problem l)\n(:domain logistics)\n(:objects\n" + "\n".join(objects) + ")\n(:init\n"
        + "\n".join(init) + ")\n(:goal (and\n" + "\n".join(wanted) + ")))\n"
    )  # fmt: skip


def visitall(side: int) -> tuple[str, str]:
    """Return a domain and a problem in which a robot must visit every cell of a square."""
    cells = [(x, y) for x in range(side) for y in range(side)]
    names = {cell: f"loc-x{cell[0]}-y{cell[1]}" for cell in cells}
    links = [
        f"(connected {names[x, y]} {names[other]})"
        for x, y in cells
        for other in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
        if other in names
    ]
    domain = """(define (domain visit-all)
      (:requirements :typing)
      (:types place)
      (:predicates (connected ?x ?y - place) (at-robot ?x - place) (visited ?x - place))
      (:action move :parameters (?x ?y - place)
        :precondition (and (at-robot ?x) (connected ?x ?y))
        :effect (and (not (at-robot ?x)) (at-robot ?y) (visited ?y))))"""
    return domain, "\n".join(
        ["(define (problem v) (:domain visit-all) (:objects", *names.values(), "- place)", "(:init",
         "(at-robot loc-x0-y0) (visited loc-x0-y0)", *links, ")", "(:goal (and",
         *(f"(visited {name})" for name in names.values()), ")))"]
    )  # fmt: skip


def _planned(name: str, domain: str, problem: str, *, steps: int, rng: random.Random) -> Input:
    task = read_task(domain, problem)
    found = solve(domain, problem, "lama-first").attempt.plan
    if found is None:
        raise SystemExit(f"{name}: no plan found")
    base = list(task.read_plan(found).steps)
    return Input(
        name, domain, problem, [_text(stretched(task, base, steps, rng)) for _ in range(PLANS)]
    )


def stretched(task: Task, steps: list[Step], length: int, rng: random.Random) -> list[Step]:
    """Return a plan extended to about `length` steps by random detours: a step and its inverse."""
    detours = max(0, (length - len(steps)) // 2)
    places = sorted(rng.choices(range(len(steps)), k=detours))
    state, found = task.initial_state(), []
    for position, step in enumerate(steps):
        for _ in range(places.count(position)):
            there, away = rng.choice(list(task.successors(state)))
            back = [s for s, again in task.successors(away) if again.facts == state.facts]
            found += [there, back[0]] if back else []
        found.append(step)
        task.apply(step, state)
    return found


def _deliveries(domain: str, problem: str, *, rng: random.Random) -> Input:
    """Return plans that deliver one package after the other.

    No planner is used, since grounding alone would take it a minute.
    """
    task = read_task(domain, problem)
    goals = re.findall(r"\(at (package\d+) ([^\s)]+)\)", problem.partition("(:goal")[2])
    plans = []
    for _ in range(PLANS):
        where = {fact[1]: fact[2] for fact in task.facts.facts if fact[0] == "at"}
        steps = [step for package, goal in rng.sample(goals, len(goals))
                 for step in _delivery(package, goal, where)]  # fmt: skip
        plans.append(_text(steps))
    return Input("logistics", domain, problem, plans)


def _delivery(package: str, goal: str, where: dict[str, str]) -> Iterator[Step]:
    """Yield the steps that bring one package to its goal, by truck, plane and truck."""
    start = where[package]
    here, there = (place[1:].partition("p")[0] for place in (start, goal))
    legs = [(f"truck{here}", start, goal)]
    if here != there:
        first, second = f"c{here}p0", f"c{there}p0"
        legs = [(f"truck{here}", start, first), ("plane0", first, second),
                (f"truck{there}", second, goal)]  # fmt: skip
    for vehicle, origin, destination in legs:
        if origin == destination:
            continue
        yield from _go(vehicle, origin, where)
        yield Step("load", (package, vehicle, origin))
        yield from _go(vehicle, destination, where)
        yield Step("unload", (package, vehicle, destination))


def _go(vehicle: str, place: str, where: dict[str, str]) -> Iterator[Step]:
    if where[vehicle] != place:
        inside = (f"city{vehicle.removeprefix('truck')}",) if vehicle.startswith("t") else ()
        yield Step("drive" if inside else "fly", (vehicle, where[vehicle], place, *inside))
        where[vehicle] = place


def _countdown(size: int, rng: random.Random) -> Input:
    numbers = [rng.randint(1, 99) for _ in range(size)]
    plan, values = [], dict(zip((f"n{n + 1}" for n in range(size)), numbers, strict=True))
    while len(values) > 1:
        first, second = rng.sample(list(values), 2)
        action = rng.choice(("add", "subtract", "multiply"))
        if action == "subtract" and values[first] < values[second]:
            first, second = second, first
        mine, other = values[first], values.pop(second)
        values[first] = combine(action, mine, other)
        plan.append(Step(action, (first, second)))
    (last,) = values
    plan.append(Step("checkgoal", (last,)))
    record = {"id": "c", "domain": "countdown", "numbers": numbers, "target": values[last]}
    domain, problem = _from_record(record)
    task = read_task(domain, problem)
    plans = [_text(_reordered(task, plan, rng)) for _ in range(PLANS)]
    return Input(f"countdown {size}", domain, problem, plans)


def _fleet(steps: int, rng: random.Random) -> Input:
    """Return a task with ten trucks, each with a package; the plans differ in the first starts."""
    trucks, places = range(10), range(6)
    lengths = {(a, b): rng.randint(1, 20) for a in places for b in places if a != b}
    where = [truck % 6 for truck in trucks]
    base: list[tuple[int, str, float]] = []
    for step in range(steps):
        truck, here = step % 10, where[step % 10]
        there = rng.choice([place for place in places if place != here])
        name, words, duration = (
            ("load", f"p{truck} t{truck} c{here}", 2.0),
            ("drive", f"t{truck} c{here} c{there}", float(lengths[here, there])),
            ("unload", f"p{truck} t{truck} c{here}", 1.5),
        )[step // 10 % 3]
        where[truck] = there if name == "drive" else here
        base.append((truck, f"({name} {words}) [{duration}]", duration))
    plans = []
    for _ in range(PLANS):
        clock = [rng.randrange(100) / 10 for _ in trucks]
        lines = []
        for truck, text, duration in base:
            lines.append(f"{clock[truck]:.1f}: {text}\n")
            clock[truck] += duration + 0.1
        plans.append("".join(sorted(lines, key=lambda line: float(line.partition(":")[0]))))
    facts = [f"(at t{n} c{n % 6}) (lies p{n} c{n % 6}) (= (fuel t{n}) 100000)" for n in trucks]
    facts += [f"(road c{a} c{b}) (= (distance c{a} c{b}) {n})" for (a, b), n in lengths.items()]
    objects = "".join(
        f"{' '.join(f'{letter}{n}' for n in numbers)} - {kind}\n"
        for letter, numbers, kind in (
            ("t", trucks, "truck"), ("p", trucks, "package"), ("c", places, "place")
        )
    )  # fmt: skip
    problem = (
        f"(define (problem f) (:domain fleet)\n(:objects {objects})\n"
        f"(:init {' '.join(facts)})\n(:goal (and (road c0 c1))))"
    )
    domain = Path(__file__).with_name("fleet.pddl").read_text(encoding="utf-8")
    return Input(f"fleet {steps}, with times", domain, problem, plans)


def _reordered(task: Task, steps: list[Step], rng: random.Random) -> list[Step]:
    """Return the plan with neighbouring steps swapped if the plan stays valid."""
    steps = list(steps)
    for _ in range(10):
        at = rng.randrange(len(steps) - 1)
        other = [*steps[:at], steps[at + 1], steps[at], *steps[at + 2 :]]
        if task.judge(Plan(tuple(other))).status is Status.VALID:
            steps = other
    return steps


def _text(steps: list[Step]) -> str:
    return str(Plan(tuple(steps)))
