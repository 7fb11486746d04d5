"""The tables of a report: as text cells, and as lines of JSON with exact numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from itertools import chain
from operator import attrgetter
from typing import Any, Final

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.number import Number, number_fields, number_text
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.text import counted
from pddl_pipeline.model.verdict import shown_status
from pddl_pipeline.reporting.report import LIMITS, Report, Section
from pddl_pipeline.reporting.row import Column, Part, Repetitions, Row, average, columns, maximised
from pddl_pipeline.runs.store import result_to_json
from pddl_pipeline.tables.linked_text import Link, LinkedText
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, count_text, facts_table, rounded

_MEBI: Final = 1024
_UNRECORDED: Final = "not recorded"
SHARE_NOTE: Final = (
    "An instance counts by the share of its runs that solve it; '#2' is its second run."
)
"""What half instances are, for reports with repetitions."""


def progress_text(report: Report) -> str:
    """Return how many of the planned runs are in the stores."""
    if not report.missing:
        return f"{len(report.runs):,} of {report.planned:,} planned runs"
    made = f"{len(report.runs):,} of {counted(report.planned, 'run')} so far"
    return f"{made}; {len(report.missing):,} not yet run"


def about_json(report: Report) -> dict[str, Any]:
    """Return the number of planned, stored and missing runs, and how they were made."""
    first, last = report.facts.started or (None, None)
    return {
        "planned": report.planned,
        "stored": len(report.runs),
        "not_run": len(report.missing),
        "first_started": first,
        "last_started": last,
        "limits": _limits(report),
        "planners": _planner_versions(report),
        "commands": [
            {
                "started": command.started,
                "command": command.command,
                "machine": command.machine,
                "versions": command.versions,
                "shard": command.shard,
                "unread": command.unread,
            }
            for command in report.commands
        ],
    }


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    days = [started[: len("2026-01-01")] for started in report.facts.started]
    yield "runs", progress_text(report)
    yield "dates", " to ".join(dict.fromkeys(days)) or "none yet"
    yield "limits of a run", "; ".join(map(limits_text, _limits(report)))
    planners = _planner_versions(report).items()
    yield "planners", "; ".join(f"{name} {', '.join(versions)}" for name, versions in planners)
    programs = (
        f"{name} {text}" for command in report.commands for name, text in command.versions.items()
    )
    yield "programs", _distinct(programs)
    yield "runs with canonical PDDL", str(report.facts.counts["rewritten"][True])
    yield "machines", _distinct(each.machine for each in report.commands)
    commands = list(dict.fromkeys(each.command for each in report.commands))
    yield "command", " ".join(commands) if len(commands) <= 1 else f"{len(commands)}, listed below"


def _distinct(texts: Iterable[str]) -> str:
    return "; ".join(sorted(set(texts)))


def _limits(report: Report) -> list[dict[str, float | None]]:
    """Return the limits of the runs and of the planned runs, each once."""
    found = {*report.facts.counts["limits"]} | {
        tuple(getattr(command.limits, name) for name in LIMITS) for command in report.commands
    }
    # None cannot be compared with a number; it comes last.
    ordered = sorted(found, key=lambda limits: [(limit is None, limit or 0) for limit in limits])
    return [dict(zip(LIMITS, limits, strict=True)) for limits in ordered]


def limits_text(limits: Mapping[str, Any]) -> str:
    """Return the limits of a run, as a result has them, in words."""
    time_s, cpu_s, memory_mb = map(limits.get, LIMITS)
    parts = [
        "" if time_s is None else f"{time_s:g} s",
        "" if cpu_s is None else f"{cpu_s:g} s of CPU time",
        "" if memory_mb is None else f"{memory_mb / _MEBI:g} GiB",
    ]
    return ", ".join(filter(None, parts)) or "none"


def _planner_versions(report: Report) -> dict[str, list[str]]:
    names = sorted({row.planner for row in report.rows})
    versions = sorted(report.facts.counts["version"])
    return {name: [version for planner, version in versions if planner == name] for name in names}


_FORMER: Final = {
    "Crashed runs": "Unexplained: crashed or lost",
    "Lost runs": "Unexplained: crashed or lost",
    "Invalid plans": "Claimed plans that are no plans",
}
"""Titles whose former text stays the value in JSON, which scripts compare."""


def coverage_table(report: Report) -> TextTable:
    """Return the main table, by domain and planner."""
    return _table(
        (*report.rows, *report.totals),
        (
            "names", "counts", "unsolvable", "time", "coverage", "scores", "cats", "common",
            "repeated", "model",
        ),
        {"size"},
    )  # fmt: skip


def size_table(report: Report) -> TextTable:
    """Return the table by domain, size and planner."""
    return _table(report.sizes, ("names", "counts", "common"))


def brief_table(report: Report, *parts: Part) -> TextTable:
    """Return some parts of a table for a terminal, without a column of missing runs if none are."""
    return _table(
        (*report.rows, *report.totals),
        ("names", *parts),
        {"size"} if report.missing else {"size", "not_run"},
    )


def outcome_counts(report: Report) -> dict[str, dict[Outcome, int]]:
    """Return the number of runs by planner and outcome, for the outcomes that occur."""
    counts = report.facts.counts["outcome"]
    occur = [outcome for outcome in Outcome if any(outcome is other for _, other in counts)]
    planners = sorted({planner for planner, _ in counts})
    return {planner: {o: counts[planner, o] for o in occur} for planner in planners}


def outcome_table(report: Report) -> TextTable:
    """Return the table of the number of runs by planner and outcome."""
    counts = outcome_counts(report)
    return TextTable(
        headings=("planner", *map(str, next(iter(counts.values()), {}))),
        rows=tuple((planner, *map(str, row.values())) for planner, row in counts.items()),
        names=1,
    )


def report_json(report: Report, further: Iterable[Mapping[str, Any]] = ()) -> str:
    """Return one object per line: the rows of each table, then each listed run.

    ``table`` is ``coverage``, ``sizes``, ``outcomes``, or the title of a list. A listed run has all
    stored fields except the plan, which is in the store under ``key``. Further lines come last.
    """
    return "".join(f"{json.dumps(line)}\n" for line in chain(_lines(report), further))


_RARE: Final[dict[Part, str]] = {
    "unsolvable": "claimed_unsolvable",
    "cats": "optimality",
    "model": "calls",
    "time": "judged_continuously",
    "repeated": "time_spread_s",
}
"""The parts that most reports do not have, each with its first column."""


def _table(
    rows: Sequence[Row], parts: Sequence[Part], left_out: AbstractSet[str] = frozenset()
) -> TextTable:
    chosen = {
        name: column
        for part in parts
        for name, column in columns().items()
        if column.part == part and name not in left_out
        if part not in _RARE or any(getattr(row, _RARE[part]) for row in rows)
    }
    return TextTable(
        headings=tuple(column.heading for column in chosen.values()),
        rows=tuple(
            tuple(_cell(row, name, column) for name, column in chosen.items()) for row in rows
        ),
        names=sum(column.part == "names" for column in chosen.values()),
        marked=tuple(row.claimed > row.validated for row in rows),
    )


def _cell(row: Row, name: str, column: Column) -> str:
    """Return a number as text; of a planner that has not run, only how many runs are planned."""
    value = getattr(row, name)
    is_planned = column.part == "names" or name in {"instances", "not_run"}
    if value is None or (row.not_run == row.instances and not is_planned):
        return NO_NUMBER
    if column.digits is None:
        return count_text(value) if isinstance(value, Fraction) else str(value)
    return rounded(value, column.digits)


def _lines(report: Report) -> Iterator[dict[str, Any]]:
    for row in (*report.rows, *report.totals):
        line = row.to_json()
        del line["size"]
        yield {"table": "coverage", **line}
    for row in report.sizes:
        yield {"table": "sizes", **row.to_json()}
    for planner, counts in outcome_counts(report).items():
        yield {"table": "outcomes", "planner": planner, **{str(o): n for o, n in counts.items()}}
    for each in repeated(report):
        yield {"table": "repetitions", **_repetitions_json(each)}
    for title, results in report.sections:
        for result in results:
            line = result_to_json(result)
            del line["plan"]
            yield {"table": _FORMER.get(title, title), **line, "why": report.why(result)}
    if report.planned:
        yield {"table": "about", **about_json(report)}


NOT_RUN: Final = "not run"
RunName = tuple[str, str]
"""The planner of a run, as the report names it, and its key."""
Pages = Mapping[RunName, Sequence[Link]]
"""The links to the pages of runs."""


def instance_table(report: Report, pages: Pages | None = None) -> TextTable:
    """Return the table of how each planner ended on each instance.

    Args:
        report: the runs.
        pages: the links to the pages of runs.
    """
    planners = sorted({row.planner for row in report.rows})
    cells: dict[tuple[str, int, str], dict[str, str]] = {}
    for each in report.by_instance:
        row = cells.setdefault((each.instance[0], each.size, each.instance[1]), {})
        row[each.planner] = ending(each, pages, report.why)
    rows = [
        (name, domain, str(size), *(cells[domain, size, name].get(p, NO_NUMBER) for p in planners))
        for domain, size, name in sorted(cells)
    ]
    headings = ("instance", "domain", "size", *planners)
    return TextTable(headings, tuple(rows), names=len(headings))


_COST, _TIME = attrgetter("cost"), attrgetter("wall_s")


def ending(
    each: Repetitions, pages: Pages | None = None, why: Callable[[RunResult], str] = lambda _: ""
) -> str:
    """Return how a planner ended on an instance, with the links to its pages.

    Of several repetitions: how many are solved, and mean, best and worst of cost and time.
    """
    if not each.results:
        return NOT_RUN
    links = [link for run in each.results for link in (pages or {}).get((run.planner, run.key), ())]
    if each.planned == 1:
        (run,) = each.results
        _, style = shown_status(run.status, within_budget=run.within_budget)
        return linked(ending_text(run), links, why(run), style or "")
    costs, times = each.known(_COST, reverse=maximised(each)), each.known(_TIME)
    end = f": {' in '.join(map(_spread, filter(None, (costs, times))))} s" if times else ""
    return linked(f"{len(times)} of {each.planned}{end}", links)


def _spread(known: Sequence[Number | float]) -> str:
    """Return the mean of sorted values, with the first and the last one if they differ."""
    ends = f" ({rounded(known[0])} to {rounded(known[-1])})" if known[0] != known[-1] else ""
    return f"{rounded(average(known))}{ends}"


def repeated(report: Report) -> Iterator[Repetitions]:
    """Yield the planners and instances with several repetitions."""
    every = report.by_instance if report.facts.repeated else ()
    return (each for each in every if each.planned > 1)


def _repetitions_json(each: Repetitions) -> dict[str, Any]:
    """Return the mean, the best and the worst of the repetitions on an instance."""
    costs, times = each.known(_COST, reverse=maximised(each)), each.known(_TIME)
    mean_s = average(times)
    seeds = [run.seed for run in each.results if run.seed is not None]
    return {
        "domain": each.instance[0], "id": each.instance[1], "size": each.size,
        "planner": each.planner, "seeds": seeds, "planned": each.planned,
        "runs": len(each.results), "solved": len(times),
        **number_fields("mean_cost", average(costs)),
        **number_fields("best_cost", costs[0] if costs else None),
        **number_fields("worst_cost", costs[-1] if costs else None),
        "mean_time_s": None if mean_s is None else float(mean_s),
        "best_time_s": float(times[0]) if times else None,
        "worst_time_s": float(times[-1]) if times else None,
    }  # fmt: skip


def ending_text(result: RunResult) -> str:
    """Return how a run ended, in a few words: cost and time if it is solved."""
    if result.meanings:
        return f"{result.meanings}, in {rounded(result.wall_s)} s"
    if result.solved:
        cost = "" if result.cost is None else f"{number_text(result.cost)} in "
        return f"{cost}{rounded(result.wall_s)} s"
    if result.confirmed_by is not None:
        return f"unsolvable, confirmed, in {rounded(result.wall_s)} s"
    return shown_status(result.status, within_budget=result.within_budget)[0] or str(result.outcome)


def linked(text: str, links: Sequence[Link], note: str = "", style: str = "") -> LinkedText:
    """Return a cell that is the first of these links, with the others behind it."""
    named = (Link(text, links[0].href), *links[1:]) if links else ()
    return LinkedText(text, named, note, style)


def run_link(run: RunResult, pages: Pages | None) -> LinkedText:
    """Return the name of a run, with the links to its pages."""
    return linked(run.name, (pages or {}).get((run.planner, run.key), ()))


def run_cells(report: Report, run: RunResult) -> tuple[str, ...]:
    """Return the domain, the planner, the outcome and the verdict of a run, and the reason."""
    return (
        run.domain,
        run.planner,
        str(run.outcome),
        str(run.status or NO_NUMBER),
        report.why(run),
    )


def report_tables(report: Report) -> list[NamedTable]:
    """Return all tables; those that nothing belongs to have no rows."""
    return [
        about(report),
        *(_listed(report, each, None) for each in report.urgent),
        *main_tables(report),
        *long_tables(report),
    ]


def about(report: Report) -> NamedTable:
    """Return the table of what the report is about, with a row for each fact."""
    facts = facts_table((name, text or _UNRECORDED) for name, text in _facts(report))
    return NamedTable("About these runs", facts)


def main_tables(report: Report) -> list[NamedTable]:
    """Return the tables by planner."""
    return [
        NamedTable("Coverage and scores", coverage_table(report)),
        NamedTable("How the runs ended", outcome_table(report)),
    ]


def long_tables(report: Report, pages: Pages | None = None) -> list[NamedTable]:
    """Return the tables by size and instance, the other lists of runs, and the commands."""
    commands = tuple(
        (
            command.started[:19].replace("T", " "),
            command.shard or NO_NUMBER,
            command.command,
            command.machine,
        )
        for command in report.commands
    )
    headings = ("started", "shard", "command", "machine")
    return [
        NamedTable("By size", size_table(report)),
        NamedTable("By instance and planner", instance_table(report, pages)),
        *(_listed(report, section, pages) for section in report.further),
        NamedTable("Commands that made the runs", TextTable(headings, commands, names=4)),
    ]


def _listed(report: Report, section: Section, pages: Pages | None) -> NamedTable:
    title, results = section
    rows = tuple((run_link(r, pages), *run_cells(report, r)) for r in results)
    headings = ("instance", "domain", "planner", "outcome", "verdict", "why")
    confirmed = sum(r.confirmed_by is not None for r in results)
    count = f"{len(rows)}, {confirmed} confirmed" if confirmed else str(len(rows))
    return NamedTable(f"{title} ({count})", TextTable(headings, rows, names=len(headings)))
