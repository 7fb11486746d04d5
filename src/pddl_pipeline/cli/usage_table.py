"""Prints what the replies of a model have used and cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pddl_pipeline.cli.console import output_console
from pddl_pipeline.cli.progress import note
from pddl_pipeline.endpoints.prices import Budget, OutOfBudget
from pddl_pipeline.endpoints.settings import Reply, known_sum
from pddl_pipeline.model.plural import plural
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded

MONEY_DIGITS: Final = 4


def print_usage(model: str, replies: Sequence[Reply], budget: Budget | None) -> None:
    """Print the tokens, the seconds and the cost of replies, from this call and earlier ones."""
    cells = {
        "model": model,
        "answers": f"{len(replies):,}",
        "prompt tokens": _sum(each.prompt_tokens for each in replies),
        "answer tokens": _sum(each.completion_tokens for each in replies),
        "seconds": rounded(sum(each.seconds for each in replies), 1),
    }
    if budget is not None:
        cells["cost"] = rounded(budget.spent, MONEY_DIGITS)
    table = TextTable(tuple(cells), (tuple(cells.values()),), names=1)
    output_console().print(table)
    unknown = sum(None in (each.prompt_tokens, each.completion_tokens) for each in replies)
    if unknown:
        note(f"the endpoint reports no tokens for {unknown:,} {plural(unknown, 'answer')}")
    if budget is not None and budget.lost:
        lost = f"{budget.lost:,} {plural(budget.lost, 'request')}"
        note(f"the cost includes the most that {lost} without a reply may have cost")


def out_of_budget(error: OutOfBudget) -> str:
    """Return the warning that `--max-cost` stopped a command."""
    return f"stopped before --max-cost is exceeded: {error}"


def _sum(counts: Iterable[int | None]) -> str:
    found = known_sum(counts)
    return NO_NUMBER if found is None else f"{found:,}"
