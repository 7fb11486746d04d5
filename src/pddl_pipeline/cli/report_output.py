"""Prints a report on standard output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from rich.console import Console

from pddl_pipeline.cli.console import output_console
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.reporting.about import progress_text
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.run_comparison import RunComparison
from pddl_pipeline.reporting.run_comparison_tables import change_text, changed_runs, summary_table
from pddl_pipeline.reporting.table import brief_size_table, count_table, outcome_table, score_table

_LISTED: Final = 5
_CHANGES: Final = 20
_BOUNDLESS: Final = 10_000


def print_report(
    report: Report, *, by_size: bool = False, compared: Sequence[RunComparison] = ()
) -> None:
    """Print the runs that need attention, most urgent first, then the tables."""
    console = output_console()
    if report.missing:
        console.print(f"Incomplete: {progress_text(report)}. Missing runs count as not solved.")
    for title, results in report.sections:
        if results:
            console.print(f"{title}: {len(results)}{_kinds(results)}")
            for result in results[:_LISTED]:
                line = f"  {result.id} ({result.planner}): {report.why(result)}"
                console.print(line, markup=False, soft_wrap=True)
            if len(results) > _LISTED:
                console.print(f"  and {len(results) - _LISTED} more")
    _print_coverage(console, report)
    outcomes = outcome_table(report)
    if len(outcomes.headings) > 2:  # with a single outcome the counts are not informative
        console.print(outcomes)
    if by_size:
        console.print(brief_size_table(report))
    _print_unequal(console, report)
    for each in compared:
        _print_comparison(console, each)


def _print_comparison(console: Console, compared: RunComparison) -> None:
    """Print the numbers of better and worse instances, and the instances, the lost ones first."""
    summary = summary_table(compared)
    console.print(f"\n{summary.caption}", soft_wrap=True)
    console.print(summary.table)
    changed = changed_runs(compared)
    for run in changed[:_CHANGES]:
        console.print(f"  {change_text(run)}", soft_wrap=True)
    if len(changed) > _CHANGES:
        console.print(f"  and {len(changed) - _CHANGES} more; --html and --json have all of them")


def _print_unequal(console: Console, report: Report) -> None:
    """Name the domains in which the planners' means are over different instances."""
    solved: dict[str, dict[str, set[str]]] = {}
    for result in report.runs:
        if result.solved:
            by_planner = solved.setdefault(result.domain, {})
            by_planner.setdefault(result.planner, set()).add(result.id)
    unequal = [name for name, ids in solved.items() if len(set(map(frozenset, ids.values()))) > 1]
    if unequal:
        console.print(
            f"Not comparable, since the planners solved different instances: mean cost and mean "
            f"time in {', '.join(unequal)}. --html and --json have means over common instances.",
            markup=False,
            soft_wrap=True,
        )


def _print_coverage(console: Console, report: Report) -> None:
    """Print the main table, in two parts if it is wider than the terminal."""
    table = score_table(report, counts=True)
    boundless = console.options.update(max_width=_BOUNDLESS)
    if console.measure(table, options=boundless).maximum <= console.width:
        console.print(table)
    else:
        console.print(count_table(report))
        console.print(score_table(report))


def _kinds(results: Iterable[RunResult]) -> str:
    """Return the outcomes of the runs without a plan and their counts, in parentheses."""
    counts = Counter(str(result.outcome) for result in results if not result.claimed)
    kinds = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    return f" ({kinds})" if kinds else ""
