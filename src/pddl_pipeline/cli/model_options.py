"""Options of the commands that ask a model, or run the code that one wrote."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Final

import click

from pddl_pipeline.cli.parameters import DURATION, FOLDER, Parsed
from pddl_pipeline.endpoints.prices import Prices, parse_money, parse_prices
from pddl_pipeline.endpoints.settings import EndpointSettings
from pddl_pipeline.model.errors import InputError

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
