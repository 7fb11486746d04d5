"""Options and tables of the commands that ask a model, or run the code that one wrote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Final

import click

from pddl_pipeline.cli.console import note, output_console
from pddl_pipeline.cli.options import DURATION, FOLDER, Parsed
from pddl_pipeline.endpoints.prices import Budget, OutOfBudget, Prices, parse_money, parse_prices
from pddl_pipeline.endpoints.settings import EndpointSettings, Reply, known_sum
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.text import plural
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded

BASE_URL: Final = click.option(
    "--base-url", default="", metavar="URL",
    help="Address of the endpoint, such as http://localhost:8000/v1. Defaults to the environment "
    "variable OPENAI_BASE_URL, then to OpenAI.",
)  # fmt: skip
UNIT_TESTS: Final = click.option(
    "--tests", type=FOLDER, metavar="DIR",
    help="Folder of unit tests in AutoToS's format. Defaults to the project's own tests.",
)  # fmt: skip
SEARCH_LIMIT: Final = click.option(
    "--search-limit", type=DURATION, default="600s", show_default=True,
    help="Wall-clock time limit for the search of one instance.",
)  # fmt: skip
STATES: Final = click.option(
    "--states", type=click.IntRange(min=1), default=1_000_000, show_default=True,
    help="Maximum number of states that a search stores.",
)  # fmt: skip
PRICES: Final = click.option(
    "--prices", type=Parsed("prices", parse_prices), metavar="IN,OUT",
    help="Prices of a million tokens of prompts and of answers, such as 0.15,0.60.",
)  # fmt: skip
MAX_COST: Final = click.option(
    "--max-cost", type=Parsed("amount", parse_money), metavar="AMOUNT",
    help="Stop before the stored answers cost more than this. Requires --prices and --max-tokens.",
)  # fmt: skip


@dataclass(frozen=True)
class CostOptions:
    """What a model costs, and may cost."""

    prices: Annotated[Prices | None, PRICES]
    max_cost: Annotated[Fraction | None, MAX_COST]

    def check(self, settings: EndpointSettings) -> None:
        """Check that the cost of a request has a bound if there is a largest cost.

        Raises:
            InputError: it has none.
        """
        if self.max_cost is not None and (self.prices is None or settings.max_tokens is None):
            raise InputError("--max-cost requires --prices and --max-tokens: an answer may be long")


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
