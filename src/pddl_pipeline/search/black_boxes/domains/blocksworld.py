"""Blocksworld as plain data: a dict of the blocks that are clear, on the table, held, stacked.

``{"clear": ["b"], "on-table": ["d"], "arm-empty": True, "holding": None, "on": [("b", "d")]}``; a
goal has only the lists, whose elements must hold.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, Final

from pddl_pipeline.search.black_boxes.domain import Domain, Misstep, fault_of
from pddl_pipeline.search.space import NotAState, State


def succ(state: State) -> Iterator[State]:
    """Yield the successors of a state."""
    return _taken(state) if state["holding"] is None else _put(state, state["holding"])


def _taken(state: State) -> Iterator[State]:
    below = dict(state["on"])
    for block in state["clear"]:
        clear = [other for other in state["clear"] if other != block]
        table, on = state["on-table"], state["on"]
        if block in below:
            clear.append(below[block])
            on = [pair for pair in on if pair[0] != block]
        else:
            table = [other for other in table if other != block]
        yield _state(clear, table, block, on)


def _put(state: State, block: str) -> Iterator[State]:
    clear, table, on = state["clear"], state["on-table"], state["on"]
    yield _state([*clear, block], [*table, block], None, list(on))
    for under in clear:
        tops = [other for other in clear if other != under]
        yield _state([*tops, block], list(table), None, [*on, (block, under)])


def _state(clear: list[str], table: list[str], held: str | None, on: list[Any]) -> State:
    return {"clear": clear, "on-table": table, "arm-empty": held is None, "holding": held, "on": on}


def isgoal(state: State, goal: State) -> bool:
    """Return whether everything that the goal lists holds."""
    on = set(state["on"])
    return (
        all(pair in on for pair in goal["on"])
        and all(block in state["clear"] for block in goal["clear"])
        and all(block in state["on-table"] for block in goal["on-table"])
    )


def key(state: State) -> Hashable:
    """Return a value that does not depend on the order of the lists and the dict."""
    try:
        return (
            tuple(sorted(state["clear"])),
            tuple(sorted(state["on-table"])),
            bool(state["arm-empty"]),
            state["holding"],
            tuple(sorted(map(tuple, state["on"]))),
        )
    except (KeyError, TypeError) as error:
        form = "a dict of clear, on-table, arm-empty, holding and on"
        raise NotAState(f"found no {form}") from error


def tidy(value: Any) -> State:
    """Return a state or a goal with pairs as tuples."""
    return {**value, "on": [tuple(pair) for pair in value["on"]]}


def check_transition(_before: State, after: State, _setting: Any) -> Misstep | None:
    """Check the hand, and that the numbers of blocks that are clear and on the table are equal."""
    if after["holding"] and after["arm-empty"]:
        return Misstep("a block is held and the arm is empty", fault_of("holding"))
    if not after["holding"] and not after["arm-empty"]:
        return Misstep("no block is held and the arm is not empty", fault_of("not-holding"))
    clear, bottoms = len(after["clear"]), len(after["on-table"])
    if clear != bottoms:
        return Misstep(f"{clear} blocks are clear, {bottoms} on the table", fault_of("towers"))
    return None


DOMAIN: Final = Domain(
    name="blocksworld",
    succ=succ,
    isgoal=isgoal,
    key=key,
    tidy=tidy,
    check_transition=check_transition,
    setting="goal",
)
