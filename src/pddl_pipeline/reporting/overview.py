"""What a report says at a glance: who solves more, how sure that is, and who alone solves what."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import combinations, groupby, starmap
from operator import itemgetter
from typing import Final, NamedTuple

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.text import counted, shortened
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.report_tables import Pages, RunName, run_cells, run_link
from pddl_pipeline.reporting.row import InstanceKey, Row
from pddl_pipeline.statistics.differences import sign_test
from pddl_pipeline.statistics.significance import holm
from pddl_pipeline.tables.linked_text import LinkedText, joined
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, count_text, p_text, rounded

_MAY_BE_CHANCE: Final = 0.05
_FAULTS: Final = (
    "{.status} verdict",
    "crashed run",
    "lost run",
    "disputed unsolvability claim",
    "disputed optimality claim",
    "invalid plan",
)
"""What a run is in each of the lists of `Report.urgent`."""
_NAMED: Final = 10
"""A cell names so many instances; the table by instance and planner has all."""


class Order(NamedTuple):
    """The sign test of which of two planners solves more, over the instances both ran on."""

    first: str
    second: str
    more: int
    """The number of instances that the first solves alone, or in more repetitions."""
    fewer: int
    p: float
    """The two-sided p, with Holm's correction over all pairs."""


class Overview:
    """What each planner solves; a confirmed claim that there is no plan counts as well."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._shares: dict[str, dict[InstanceKey, Number]] = {}
        self._planned = Counter(runs.planner for runs in report.by_instance)
        for runs in report.by_instance:
            shares = self._shares.setdefault(runs.planner, {})
            if runs.results:
                shares[runs.instance] = runs.solved_share()
        self._solved: dict[str, Number] = {
            planner: sum(shares.values()) for planner, shares in self._shares.items()
        }

    @cached_property
    def orders(self) -> list[Order]:
        """The tests of all pairs of planners, those that solve more first."""
        ranked = sorted(self._solved, key=lambda planner: (-self._solved[planner], planner))
        pairs = list(combinations(ranked, 2))
        counts = [self._more_and_fewer(*pair) for pair in pairs]
        corrected = holm([sign_test(*count) for count in counts])
        return [
            Order(*pair, *count, p) for pair, count, p in zip(pairs, counts, corrected, strict=True)
        ]

    def _more_and_fewer(self, first: str, second: str) -> tuple[int, int]:
        one, other = self._shares[first], self._shares[second]
        ahead = [one[instance] - other[instance] for instance in one.keys() & other.keys()]
        return sum(share > 0 for share in ahead), sum(share < 0 for share in ahead)

    def sentence(self) -> str:
        """Return who solves most, how sure that is, and whose runs to look at first."""
        return f"{'. '.join([*self._leaders(), *self._faults()])}."

    def _leaders(self) -> Iterator[str]:
        tests = self.orders
        for planner in [tests[0].first] if tests else self._solved:
            solved, planned = self._solved[planner], self._planned[planner]
            text = f"{planner} solves {count_text(solved)} of {counted(planned, 'instance')}"
            if tests:
                other, ahead = tests[0].second, solved - self._solved[tests[0].second]
                more = f"{count_text(ahead)} more than" if ahead else "as many as"
                number = f", corrected for {len(tests)} comparisons" if len(tests) > 1 else ""
                chance = ", which may be chance" * (tests[0].p >= _MAY_BE_CHANCE and ahead > 0)
                text += (
                    f", {more} {other}{chance} ({counted(tests[0].more, 'instance')} better, "
                    f"{tests[0].fewer} worse: sign test, p {p_text(tests[0].p, '= ')}{number})"
                )
            yield text

    def _faults(self) -> Iterator[str]:
        found: dict[str, dict[str, list[RunResult]]] = defaultdict(lambda: defaultdict(list))
        for noun, (_, listed) in zip(_FAULTS, self._report.urgent, strict=True):
            for run in listed:
                found[run.planner][noun.format(run)].append(run)
        for planner, faults in sorted(found.items()):
            yield f"{planner}: {'; '.join(starmap(self._fault, faults.items()))}"

    def _fault(self, noun: str, runs: list[RunResult]) -> str:
        """Return how many runs have a fault, their domain if it is one of several, and why."""
        text = counted(len(runs), noun)
        if self._report.totals and len({run.domain for run in runs}) == 1:
            text += f", {'all ' * (len(runs) > 1)}in {runs[0].domain}"
        reasons = Counter(run.reason for run in runs if run.reason and run.outcome.unexplained)
        for reason, number in reasons.most_common(1):
            text += f", {'mostly ' * (number < len(runs))}{shortened(reason, 60)}"
        return text

    def domains(self) -> NamedTable:
        """Return what each planner solves by domain, with the IPC score; the best are marked."""
        by_domain: dict[str, dict[str, Row]] = defaultdict(dict)
        for row in (*self._report.rows, *self._report.totals):
            by_domain[row.domain][row.planner] = row
        solved = Counter(
            domain
            for domain, _ in {
                instance
                for shares in self._shares.values()
                for instance, share in shares.items()
                if share
            }
        )
        planners = sorted(self._solved)
        rows = []
        for domain, own in by_domain.items():
            best = max(row.coverage for row in own.values())
            cells = [_score(own.get(planner), best) for planner in planners]
            # The row `all` is of no domain, and gets the sum.
            rows.append((domain, *cells, str(solved.get(domain, solved.total()))))
        return NamedTable(
            "Solved instances and, in parentheses, IPC sat; the best in bold",
            TextTable(("domain", *planners, "virtual best"), tuple(rows), names=1),
        )

    def pairs(self) -> NamedTable:
        """Return the tests of all pairs."""
        rows = tuple(
            (test.first, test.second, str(test.more), str(test.fewer), p_text(test.p))
            for test in self.orders
        )
        return NamedTable(
            "Sign tests between planners",
            TextTable(
                ("first", "second", "first solves more", "second solves more", "p (Holm)"),
                rows,
                names=2,
            ),
        )

    def alone(self) -> NamedTable:
        """Return the instances that only one of several planners solves."""
        by_instance: dict[InstanceKey, list[str]] = defaultdict(list)
        for planner, shares in self._shares.items():
            for instance, share in shares.items():
                by_instance[instance] += [planner] * (share > 0)
        by_planner: dict[str, list[InstanceKey]] = defaultdict(list)
        for instance, planners in sorted(by_instance.items()):
            if len(planners) == 1 and len(self._shares) > 1:
                by_planner[planners[0]].append(instance)
        rows = tuple(
            (planner, _named(found) + " ..." * (len(found) > _NAMED), str(len(found)))
            for planner, found in sorted(by_planner.items())
        )
        return NamedTable(
            "Solved by one planner only",
            TextTable(("planner", "instances", "number"), rows, names=2),
        )

    def doubtful(self, pages: Pages | None = None) -> NamedTable:
        """Return the runs to look at first; those with the same faults and reason share a row."""
        faults: dict[tuple[RunName, LinkedText, tuple[str, ...]], list[str]] = defaultdict(list)
        for title, listed in self._report.urgent:
            for run in listed:
                cells = run_cells(self._report, run)
                faults[(run.planner, run.key), run_link(run, pages), cells].append(title)
        alike: dict[tuple[str, ...], list[LinkedText]] = defaultdict(list)
        for (_, name, (*facts, why)), titles in faults.items():
            alike[*facts, "; ".join(titles), why].append(name)
        rows = tuple((*facts, str(len(names)), joined(names)) for facts, names in alike.items())
        headings = ("domain", "planner", "outcome", "verdict", "what", "why", "runs", "instances")
        return NamedTable(
            f"Runs to look at first ({len(faults)})", TextTable(headings, rows, names=len(headings))
        )


def _named(instances: list[InstanceKey]) -> str:
    """Return the first instances, each domain named once."""
    by_domain = groupby(instances[:_NAMED], itemgetter(0))
    return "; ".join(f"{domain}: {', '.join(n for _, n in found)}" for domain, found in by_domain)


def _score(row: Row | None, best: Fraction) -> str:
    if row is None:
        return NO_NUMBER
    solved = f"{count_text(row.coverage * row.instances / 100)} ({rounded(row.ipc_sat)})"
    return LinkedText(solved, style="best" if row.coverage == best else "number")
