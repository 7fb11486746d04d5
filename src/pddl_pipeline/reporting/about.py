"""What a report is about: how many runs, from when, under which limits, by which commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pddl_pipeline.reporting.report import Report
from pddl_pipeline.tables.text_table import TextTable

_LIMITS: Final = ("time_s", "cpu_s", "memory_mb")
_MEBI: Final = 1024
_DAY: Final = len("2026-01-01")
_UNRECORDED: Final = "not recorded"


def progress_text(report: Report) -> str:
    """Return how many of the planned runs are in the stores."""
    if not report.missing:
        return f"{len(report.runs):,} of {report.planned:,} planned runs"
    made = f"{len(report.runs):,} of {report.planned:,} runs so far"
    return f"{made}; {len(report.missing):,} not yet run"


def about_json(report: Report) -> dict[str, Any]:
    """Return the number of planned, stored and missing runs, and how they were made."""
    return {
        "planned": report.planned,
        "stored": len(report.runs),
        "not_run": len(report.missing),
        "first_started": min((run.started for run in report.runs), default=None),
        "last_started": max((run.started for run in report.runs), default=None),
        "limits": _limits(report),
        "planners": _planner_versions(report),
        "commands": [
            {
                "started": each.started,
                "command": each.command,
                "machine": each.machine,
                "versions": each.versions,
                "shard": each.shard,
            }
            for each in report.commands
        ],
    }


def about_table(report: Report) -> TextTable:
    """Return the same for readers: a row for each fact."""
    rows = tuple((name, text or _UNRECORDED) for name, text in _facts(report))
    return TextTable(("what", "of these runs"), rows, names=2)


def command_table(report: Report) -> TextTable:
    """Return the commands that wrote to the stores, each with its time and shard."""
    return TextTable(
        ("started", "shard", "command", "machine"),
        tuple(
            (each.started[:19].replace("T", " "), each.shard or "-", each.command, each.machine)
            for each in report.commands
        ),
        names=4,
    )


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    days = sorted({run.started[:_DAY] for run in report.runs})
    yield "runs", progress_text(report)
    yield "dates", " to ".join(dict.fromkeys((days[0], days[-1]))) if days else "none yet"
    yield "limits of a run", "; ".join(map(limits_text, _limits(report)))
    planners = _planner_versions(report).items()
    yield "planners", "; ".join(f"{name} {', '.join(versions)}" for name, versions in planners)
    programs = (
        f"{name} {text}" for each in report.commands for name, text in each.versions.items()
    )
    yield "programs", _distinct(programs)
    yield "machines", _distinct(each.machine for each in report.commands)
    commands = list(dict.fromkeys(each.command for each in report.commands))
    yield "command", " ".join(commands) if len(commands) <= 1 else f"{len(commands)}, listed below"


def _distinct(texts: Iterable[str]) -> str:
    return "; ".join(sorted(set(texts)))


def _limits(report: Report) -> list[dict[str, float | None]]:
    """Return the limits of the runs and of the planned runs, each once."""
    found = {tuple(run.limits.get(name) for name in _LIMITS) for run in report.runs}
    found |= {tuple(getattr(each.limits, name) for name in _LIMITS) for each in report.commands}
    ordered = sorted(found, key=lambda limits: [(each is None, each or 0) for each in limits])
    return [dict(zip(_LIMITS, limits, strict=True)) for limits in ordered]


def limits_text(limits: Mapping[str, Any]) -> str:
    """Return the limits of a run, as a result has them, in words."""
    time_s, cpu_s, memory_mb = (limits.get(name) for name in _LIMITS)
    parts = [
        "" if time_s is None else f"{time_s:g} s",
        "" if cpu_s is None else f"{cpu_s:g} s of CPU time",
        "" if memory_mb is None else f"{memory_mb / _MEBI:g} GiB",
    ]
    return ", ".join(filter(None, parts)) or "none"


def _planner_versions(report: Report) -> dict[str, list[str]]:
    names = sorted({row.planner for row in report.rows})
    versions: dict[str, set[str]] = {name: set() for name in names}
    for run in report.runs:
        versions[run.planner].add(run.planner_version)
    return {name: sorted(found) for name, found in versions.items()}
