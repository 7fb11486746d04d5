"""The values of runs in columns, and the rows of a report that summarise them."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, groupby
from math import isnan, nan
from operator import attrgetter, itemgetter
from typing import Any, Final

from pddl_pipeline.model.number import normal
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.reporting.row import (
    FLOATS,
    PLACES,
    SHARES,
    VALUES,
    InstanceKey,
    Kind,
    PlanCost,
    Planned,
    PlannerRuns,
    Row,
    make_row,
    quality,
)

_Group = tuple[str, str, int]
"""A domain, a planner, and a size."""

# All that shares and the lists and counts of a report depend on, with what `_kind_of` adds.
_COMMON: Final = attrgetter(
    "domain", "planner", "planner_version", "outcome", "status", "within_budget", "optimal",
    "confirmed_by", "continuous", "rewritten", "verdict_version",
)  # fmt: skip


def _kind_of(run: RunResult) -> Hashable:
    has_direction = run.maximise is not None or run.cost in (None, run.steps)
    return *_COMMON(run), str(run.limits), run.plan is None, has_direction


class RunValues:
    """The values of runs in columns; of instances with several planned runs, the mean of these.

    A place in the columns is that of a run, or of an instance. An instance with one planned run has
    the place of this run.
    """

    def __init__(self) -> None:
        self.values: dict[str, Any] = {"kind": []} | {
            name: array("d") if name in FLOATS else array("L") if name in PLACES else []
            for name in VALUES
        }
        self._columns = [
            (self.values[name].append, defined.of_run, name in FLOATS)
            for name, defined in VALUES.items()
        ]
        self._kinds: dict[Hashable, Kind] = {}
        self._groups: dict[_Group, array[int]] = defaultdict(lambda: array("L"))
        self._first: dict[InstanceKey, int] = {}
        """The first place of each instance; there, ``solvers`` counts the planners that solved it
        each time."""

    def add_run(self, run: RunResult) -> None:
        """Add a run, whose place is the number of runs before it."""
        key = _kind_of(run)
        if key not in self._kinds:
            shares = {name: int(bool(is_so(run))) for name, is_so in SHARES.items()}
            self._kinds[key] = Kind(run.domain, shares, run)
        self.values["kind"].append(self._kinds[key])
        for append, of_run, is_float in self._columns:
            value = of_run(run)
            append(nan if value is None and is_float else value)

    def add_instance(self, each: Planned[int], best: PlanCost | None) -> None:
        """Add the runs of a planner on an instance, with the best known plan."""
        kinds, plans, sat = map(self.values.__getitem__, ("kind", "plan", "ipc_sat"))
        for run in each.results:
            sat[run] = quality(plans[run], best) if kinds[run].shares["solved"] else 0
        place = each.results[0] if each.planned == len(each.results) == 1 else self._combined(each)
        first = self._first.setdefault(each.instance, place)
        self.values["instance"][place] = first
        self.values["solvers"][first] += kinds[place].shares["solved"] == 1
        self._groups[each.instance[0], each.planner, each.size].append(place)

    def _combined(self, each: Planned[int]) -> int:
        """Add what several planned runs, or a missing one, have together; return the place."""
        kinds = self.values["kind"]
        counts = [sum(kinds[run].shares[name] for run in each.results) for name in SHARES]
        # With a number in second place, where the keys of `_kind_of` have a name.
        key = each.instance[0], each.planned, *counts
        if key not in self._kinds:
            shares = (normal(Fraction(count, each.planned)) for count in counts)
            self._kinds[key] = Kind(key[0], dict(zip(SHARES, shares, strict=True)))
        kinds.append(self._kinds[key])
        for name, defined in VALUES.items():
            values = [self.values[name][run] for run in each.results]
            if name in FLOATS:
                values = [None if isnan(value) else value for value in values]
            value = defined.of_several(values, each.missing)
            self.values[name].append(nan if value is None and name in FLOATS else value)
        return len(kinds) - 1

    def rows(self) -> tuple[tuple[Row, ...], tuple[Row, ...], tuple[Row, ...]]:
        """Return the rows by domain and planner, by planner, and by domain, size and planner."""
        rows, sizes = list[Row](), list[Row]()
        for domain, members in groupby(sorted(self._groups), itemgetter(0)):
            groups = list(members)
            rows += self._rows(groups, domain)
            sizes += self._rows(groups, domain, by_size=True)
        several = len({row.domain for row in rows}) > 1
        totals = self._rows([*self._groups], "all") if several else []
        return tuple(rows), tuple(totals), tuple(sizes)

    def unequal(self) -> list[str]:
        """Return the domains in which the planners that solve any solved different instances."""
        found: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        for (domain, planner, _), places in self._groups.items():
            solved = (place for place in places if self.values["kind"][place].shares["solved"])
            found[domain][planner].update(map(self.values["instance"].__getitem__, solved))
        return [
            domain
            for domain, solved_by in found.items()
            if len({frozenset(numbers) for numbers in solved_by.values() if numbers}) > 1
        ]

    def _rows(
        self, groups: Sequence[_Group], domain: str, *, by_size: bool = False
    ) -> Iterator[Row]:
        """Yield the rows of these groups by planner, or by size and planner."""
        key = itemgetter(2, 1) if by_size else itemgetter(1)
        planners = len({planner for _, planner, _ in groups})
        for _, members in groupby(sorted(groups, key=key), key):
            (_, planner, size), *_ = own = list(members)
            places = array("L", chain.from_iterable(map(self._groups.__getitem__, own)))
            first, solvers = self.values["instance"], self.values["solvers"]
            common = [place for place in places if solvers[first[place]] == planners]
            yield make_row(
                PlannerRuns(planner, domain, size if by_size else None, self.values, places, common)
            )
