"""Options of the commands that ask a model, or run the code that one wrote."""

from __future__ import annotations

from typing import Final

import click

from pddl_pipeline.cli.options import DURATION, FOLDER

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
