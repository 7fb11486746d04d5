"""Hypothesis strategies for records of every domain, small enough for walks."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Record = dict[str, Any]
Draw = st.DrawFn


def names(prefix: str, least: int, most: int) -> st.SearchStrategy[list[str]]:
    return st.integers(least, most).map(lambda count: [f"{prefix}{i}" for i in range(count)])


def placed(draw: Draw, things: list[str], places: list[str]) -> dict[str, str]:
    return {thing: draw(st.sampled_from(places)) for thing in things}


@st.composite
def countdown(draw: Draw) -> Record:
    numbers = draw(st.lists(st.integers(0, 10**20), min_size=1, max_size=12))
    return {"numbers": numbers, "target": draw(st.integers(0, 10**30))}


def stacks(draw: Draw, blocks: list[str]) -> list[list[str]]:
    found: list[list[str]] = [[] for _ in blocks]
    for block in draw(st.permutations(blocks)):
        draw(st.sampled_from(found)).append(block)
    return [stack for stack in found if stack]


@st.composite
def blocksworld(draw: Draw) -> Record:
    blocks = draw(names("b", 1, 12))
    held = draw(st.sampled_from([None, *blocks]))
    atoms = (
        [["on", x, y] for x in blocks for y in blocks]
        + [[kind, x] for x in blocks for kind in ("ontable", "clear", "holding")]
        + [["handempty"]]
    )
    return {
        "init": stacks(draw, [block for block in blocks if block != held]),
        "holding": held,
        "goal": draw(st.lists(st.sampled_from(atoms), min_size=1, unique_by=tuple, max_size=4)),
    }


@st.composite
def budget_blocksworld(draw: Draw) -> Record:
    actions = ("pick-up", "unstack", "put-down", "stack")
    return {
        **draw(blocksworld()),
        "costs": {action: draw(st.integers(0, 100)) for action in actions},
        "budget": draw(st.none() | st.integers(0, 1000)),
    }


@st.composite
def ferry(draw: Draw) -> Record:
    locations, cars = draw(names("l", 1, 11)), draw(names("c", 1, 11))
    aboard = draw(st.sampled_from([None, *cars]))
    moved = draw(st.lists(st.sampled_from(cars), min_size=1, unique=True))
    return {
        "locations": locations,
        "cars": cars,
        "at": placed(draw, [car for car in cars if car != aboard], locations),
        "aboard": aboard,
        "ferry": draw(st.sampled_from(locations)),
        "goal": placed(draw, moved, locations),
    }


@st.composite
def grippers(draw: Draw) -> Record:
    robots, rooms = draw(names("robot", 1, 2)), draw(names("room", 1, 4))
    balls = draw(names("ball", 1, 11))
    moved = draw(st.lists(st.sampled_from(balls), min_size=1, unique=True))
    return {
        "robots": {robot: draw(names(f"{robot}-", 0, 3)) for robot in robots},
        "rooms": rooms,
        "balls": balls,
        "at": placed(draw, [*robots, *balls], rooms),
        "goal": placed(draw, moved, rooms),
    }


@st.composite
def depots(draw: Draw) -> Record:
    places = draw(names("place", 1, 4))
    trucks, hoists = draw(names("truck", 1, 2)), draw(names("hoist", 1, 4))
    pallets, crates = draw(names("pallet", 1, 3)), draw(names("crate", 1, 4))
    tops, on = list(pallets), {}
    for crate in crates:
        where = draw(st.integers(0, len(tops) - 1))
        on[crate], tops[where] = tops[where], crate
    atoms = (
        [["on", x, y] for x in crates for y in (*pallets, *crates)]
        + [["at", x, y] for x in (*crates, *trucks) for y in places]
        + [["in", x, y] for x in crates for y in trucks]
        + [["clear", x] for x in (*pallets, *crates)]
    )
    kinds = st.sampled_from(["depot", "distributor"])
    return {
        "places": {place: draw(kinds) for place in places},
        "trucks": trucks,
        "hoists": hoists,
        "pallets": pallets,
        "crates": crates,
        "at": placed(draw, [*trucks, *hoists, *pallets], places),
        "on": on,
        "goal": draw(st.lists(st.sampled_from(atoms), min_size=1, unique_by=tuple, max_size=3)),
    }


@st.composite
def minigrid(draw: Draw) -> Record:
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    row = st.text("..Lw", min_size=width, max_size=width)
    floorplan = [*draw(st.lists(row, min_size=height, max_size=height)), "." * width]
    cells = [cell for line in floorplan for cell in line if cell != "w"]
    places = [f"p{number}" for number in range(len(cells))]
    shapes = st.sampled_from(["shape0", "shape1"])
    keys = draw(names("key", 0, 3))
    return {
        "floorplan": floorplan,
        "keys": {key: {"shape": draw(shapes), "at": draw(st.sampled_from(places))} for key in keys},
        "locks": {p: draw(shapes) for p, cell in zip(places, cells, strict=True) if cell == "L"},
        "robot": draw(st.sampled_from(places)),
        "goal": draw(st.sampled_from(places)),
    }


@st.composite
def sokoban(draw: Draw) -> Record:
    width = draw(st.integers(1, 8))
    rows = draw(st.lists(st.text("#  .$*", max_size=width), max_size=6))
    signs = st.sampled_from(["@$", "+$", "$@", "@*"])
    return {"map": [*rows, draw(signs) + draw(st.text("# .$*", max_size=6))]}


STRATEGIES = {
    "blocksworld": blocksworld,
    "budget-blocksworld": budget_blocksworld,
    "countdown": countdown,
    "depots": depots,
    "ferry": ferry,
    "grippers": grippers,
    "minigrid": minigrid,
    "sokoban": sokoban,
}


def records(domain: str) -> st.SearchStrategy[Record]:
    """Return the strategy for complete records of a domain."""
    fields: st.SearchStrategy[Record] = STRATEGIES[domain]()
    return fields.map(lambda own: {"id": "h-1", "domain": domain, **own})
