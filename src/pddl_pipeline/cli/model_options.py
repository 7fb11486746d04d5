"""Options and tables of the commands that ask a model, or run the code that one wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Final, get_args

import click

from pddl_pipeline.cli.console import note, output_console
from pddl_pipeline.cli.options import FOLDER, Parsed, pairs
from pddl_pipeline.endpoints.prices import Budget, OutOfBudget, Prices, parse_money, parse_prices
from pddl_pipeline.endpoints.settings import EndpointSettings, Form, Reply, known_sum
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.limits import parse_duration
from pddl_pipeline.model.suggestion import item_named
from pddl_pipeline.model.text import counted
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded


def _form(text: str) -> str:
    if text not in get_args(Form):
        raise ValueError(text)
    return text


_SETTINGS: Final[Mapping[str, tuple[str, Callable[[str], Any]]]] = {
    "form": ("form", _form),
    "seed": ("seed", int),
    "stop": ("stop", lambda text: (text,)),
    "system": ("system", str),
    "timeout": ("timeout_s", parse_duration),
    "tries": ("tries", int),
}
"""The name of each setting in `EndpointSettings`, and the function that reads its text."""


@dataclass(frozen=True)
class EndpointOptions:
    """Which model is asked, and how."""

    base_url: Annotated[str, click.option(
        "--base-url", default="", metavar="URL",
        help="Address of the endpoint, such as http://localhost:8000/v1. Defaults to the "
        "environment variable OPENAI_BASE_URL, then to OpenAI.",
    ), "Model"]  # fmt: skip
    temperature: Annotated[float | None, click.option(
        "--temperature", type=float,
        help="Sampling temperature, 0 to 2. Defaults to that of the endpoint; autotos to 0.",
    ), "Model"]  # fmt: skip
    max_tokens: Annotated[int | None, click.option(
        "--max-tokens", type=click.IntRange(min=1), metavar="N",
        help="Largest number of tokens of an answer, reasoning included.",
    ), "Model"]  # fmt: skip
    others: Annotated[dict[str, str], click.option(
        "--set", multiple=True, metavar="NAME=VALUE", callback=pairs,
        help="Another setting of the requests; may be repeated: seed of the first attempt (each "
        "further one adds 1), system message, stop (text at which the model stops), form (chat, "
        "or completion of a text), timeout of an answer (10m), tries of a request (6).",
    ), "Model"]  # fmt: skip
    prices: Annotated[Prices | None, click.option(
        "--prices", type=Parsed("prices", parse_prices), metavar="IN,OUT",
        help="Prices of a million tokens of prompts and of answers, such as 0.15,0.60.",
    ), "Limits"]  # fmt: skip
    max_cost: Annotated[Fraction | None, click.option(
        "--max-cost", type=Parsed("amount", parse_money), metavar="AMOUNT",
        help="Stop before all requests for the output, lost ones included, cost more than this. "
        "Requires --prices and --max-tokens.",
    ), "Limits"]  # fmt: skip

    def settings(self, model: str) -> EndpointSettings:
        """Return the settings of the requests.

        Raises:
            InputError: a value is wrong, or the cost has a limit and the requests have none.
        """
        if self.max_cost is not None and (self.prices is None or self.max_tokens is None):
            raise InputError("--max-cost requires --prices and --max-tokens: an answer may be long")
        values: dict[str, Any] = {}
        for name, text in self.others.items():
            field, read = item_named(_SETTINGS, name, "--set: unknown setting")
            try:
                values[field] = read(text)
            except ValueError:
                raise InputError(f"--set {name}: found '{text}'; -h lists the settings") from None
        return EndpointSettings(
            model, self.base_url, temperature=self.temperature, max_tokens=self.max_tokens, **values
        )


UNIT_TESTS: Final = click.option(
    "--tests",
    type=FOLDER,
    metavar="DIR",
    help="Folder of unit tests in AutoToS's format. Defaults to the project's own tests.",
)

MONEY_DIGITS: Final = 4


def print_usage(model: str, replies: Sequence[Reply], budget: Budget | None) -> None:
    """Print the tokens, the seconds and the cost of replies, from this call and earlier ones."""
    cells = {
        "model": model,
        "answers": f"{len(replies):,}",
        "prompt tokens": _sum(reply.prompt_tokens for reply in replies),
        "answer tokens": _sum(reply.completion_tokens for reply in replies),
        "seconds": rounded(sum(reply.seconds for reply in replies), 1),
    }
    if budget is not None:
        cells["cost"] = rounded(budget.spent, MONEY_DIGITS)
    table = TextTable(tuple(cells), (tuple(cells.values()),), names=1)
    output_console().print(table)
    unknown = sum(None in (reply.prompt_tokens, reply.completion_tokens) for reply in replies)
    if unknown:
        note(f"the endpoint reports no usable numbers of tokens for {counted(unknown, 'answer')}")
    if budget is not None and budget.lost:
        lost = counted(budget.lost, "request")
        note(f"the cost includes the most that {lost} without a reply may have cost")


def out_of_budget(error: OutOfBudget) -> str:
    """Return the warning that `--max-cost` stopped a command."""
    return f"stopped before --max-cost is exceeded: {error}"


def _sum(counts: Iterable[int | None]) -> str:
    found = known_sum(counts)
    return NO_NUMBER if found is None else f"{found:,}"
