"""The agreement of landmark orders with exact orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pddl_pipeline.papers.simplan.exact_orders import Orders
from pddl_pipeline.papers.simplan.goal_questions import Pair
from pddl_pipeline.tables.text_table import TextTable
from pddl_pipeline.validation.language import Ground

SAME: Final = "the same order"
OTHER: Final = "the opposite order"
ORDER: Final = "an order"
NONE: Final = "no order"
NOT_ASKED: Final = "-"


class Case(NamedTuple):
    """The orders of a pair of goals by each method; equal cases are counted."""

    group: str
    """The group of the pair: the domain, and what the goals have in common."""
    landmarks: str
    """Whether landmarks order the goals: `ORDER` or `NONE`."""
    task: str
    """The exact order for the complete task, relative to the landmarks' order if there is one."""
    alone: str
    """The exact order for the two goals alone; `NOT_ASKED` if it was not computed."""


def order_cases(
    group: str, pairs: Iterable[Pair], compared: Iterable[frozenset[Ground]], task: Orders,
    alone: Orders | None,
) -> Counter[Case]:  # fmt: skip
    """Return the number of pairs of each case.

    Args:
        group: the group of the pairs.
        pairs: the pairs that landmarks order.
        compared: all pairs to count.
        task: the exact orders in the complete task.
        alone: the exact orders of two goals alone; None if they are unknown.
    """
    said = {frozenset(pair[:2]): pair.first for pair in pairs}
    found = Counter[Case]()
    for both in compared:
        first = said.get(both)
        of_two = NOT_ASKED if alone is None else _beside(first, alone.get(both))
        found[
            Case(group, "an order" if first else NONE, _beside(first, task.get(both)), of_two)
        ] += 1
    return found


def _beside(said: Ground | None, exact: Ground | None) -> str:
    if exact is None:
        return NONE
    if said is None:
        return ORDER
    return SAME if said == exact else OTHER


def confirmed(cases: Counter[Case], group: str, *, alone: bool) -> tuple[int, int]:
    """Return the number of landmark orders that are exact, and of all landmark orders.

    Args:
        cases: the number of pairs of each case.
        group: the group of pairs.
        alone: whether to compare with the orders of two goals alone, not of the complete task.
    """
    ordered = {
        case: number for case, number in cases.items()
        if case.group == group and case.landmarks != NONE
        and (not alone or case.alone != NOT_ASKED)
    }  # fmt: skip
    right = sum(
        number for case, number in ordered.items()
        if (case.alone if alone else case.task) == SAME
    )  # fmt: skip
    return right, sum(ordered.values())


def agreement_table(cases: Counter[Case], groups: Sequence[str]) -> TextTable:
    """Return the cases of each group as a table."""
    rows = tuple(
        (*case, str(number))
        for case, number in sorted(
            cases.items(), key=lambda item: (groups.index(item[0].group), item[0])
        )
    )
    headings = ("goals", "landmarks say", "exact, whole task", "exact, the two alone", "pairs")
    return TextTable(headings, rows, names=4)
