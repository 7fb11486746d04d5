"""``pddl-pipeline ask``."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import click

from pddl_pipeline.cli.ask_output import check_answers, print_estimate
from pddl_pipeline.cli.exit_status import DONE
from pddl_pipeline.cli.file_type import APPENDED, INPUT
from pddl_pipeline.cli.model_options import BASE_URL, MAX_COST, PRICES, check_budget
from pddl_pipeline.cli.options import DURATION
from pddl_pipeline.cli.progress import QUIET, note, progress
from pddl_pipeline.cli.usage_table import print_usage
from pddl_pipeline.endpoints.answer_file import AnswerFile, StoredAnswers
from pddl_pipeline.endpoints.asking import (
    Asked,
    Question,
    ask,
    check_prompts,
    questions,
    spent_before,
)
from pddl_pipeline.endpoints.prices import Budget, Prices
from pddl_pipeline.endpoints.prompt_lines import PromptFile
from pddl_pipeline.endpoints.settings import EndpointSettings, Form, check_client, check_key
from pddl_pipeline.io.files import check_outputs


@click.command(
    "ask", epilog="Example: pddl-pipeline ask prompts.jsonl --model gpt-4o-mini -o answers.jsonl"
)
@click.argument("prompts", type=INPUT)
@click.option("--model", required=True, metavar="NAME", help="Name of the model at the endpoint.")
@BASE_URL
@click.option(
    "-o", "output", type=APPENDED, required=True, metavar="ANSWERS",
    help="File to which answers are appended. The same command continues an interrupted one.",
)  # fmt: skip
@click.option(
    "-j", "at_a_time", type=click.IntRange(1, 1000), default=4, show_default=True,
    help="Number of requests at the same time.",
)  # fmt: skip
@click.option("--temperature", type=float, help="Sampling temperature, 0 to 2.")
@click.option(
    "--max-tokens", type=click.IntRange(min=1),
    help="Largest number of tokens of an answer, reasoning included.",
)  # fmt: skip
@click.option(
    "--attempts", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
    help="Number of answers to each prompt.",
)  # fmt: skip
@click.option("--seed", type=int, help="Seed of the first attempt; each further one adds 1.")
@click.option("--system", metavar="TEXT", help="System message before each prompt.")
@click.option(
    "--form", type=click.Choice(get_args(Form)), default="chat", show_default=True,
    help="Send messages (chat), or a text to be continued (completion).",
)  # fmt: skip
@click.option(
    "--stop", multiple=True, metavar="TEXT",
    help="Text at which the model stops, such as '[PLAN END]'; may be repeated.",
)  # fmt: skip
@click.option(
    "--timeout", type=DURATION, default="10m", show_default=True,
    help="Time limit for one answer. After it, the request is repeated.",
)  # fmt: skip
@click.option(
    "--tries", type=click.IntRange(1, 100), default=6, show_default=True,
    help="How often a request is sent if the endpoint is busy, fails, or does not answer in time.",
)  # fmt: skip
@PRICES
@MAX_COST
@click.option(
    "--dry-run", is_flag=True, help="Send nothing: count the prompts and estimate their tokens."
)
@QUIET
def command(  # noqa: PLR0913 -- one parameter an option
    prompts: Path,
    *,
    output: Path,
    at_a_time: int,
    attempts: int,
    prices: Prices | None,
    max_cost: Fraction | None,
    dry_run: bool,
    timeout: float,
    stop: tuple[str, ...],
    **how: Any,
) -> int:
    """Send prompts to a language model and store its answers.

    PROMPTS is a file that `pddl-pipeline prompt` writes. The model is behind an endpoint that
    follows OpenAI's protocol, such as a local vLLM, llama.cpp or Ollama server. The key is read
    from the environment variable OPENAI_API_KEY. `pddl-pipeline score` reads the answers.

    Exit status: 0 done, 2 bad input, 3 some prompts have no answer, 130 interrupted.
    """
    settings = EndpointSettings(timeout_s=timeout, stop=stop, **how)
    check_budget(prices, max_cost, settings)
    check_outputs([output], [prompts])
    if not dry_run:
        check_client()
        check_key(settings.base)
    with PromptFile(prompts, settings.model) as read:
        if dry_run:
            stored = StoredAnswers(output, settings)
            check_prompts(read, stored, settings)
            print_estimate(read, settings, questions(read, stored, attempts), prices)
            return DONE
        with AnswerFile(output, settings) as file:
            if file.stored.torn_bytes:
                note(f"{output}: removed an incomplete last line, which a crash left")
            budget = _budget(prices, max_cost, read, file.stored, settings)
            asked = Asked()
            asking = ask(
                read, file, settings, asked, attempts=attempts, at_a_time=at_a_time, budget=budget
            )
            _watch(asking, read, file.stored, attempts)
            status = check_answers(asked, read, file.stored, attempts)
            print_usage(settings.model, list(file.stored.usages.values()), budget)
    return status


def _budget(
    prices: Prices | None,
    most: Fraction | None,
    prompts: PromptFile,
    stored: StoredAnswers,
    settings: EndpointSettings,
) -> Budget | None:
    """Return the budget, with the cost of the stored answers; None if there are no prices."""
    if prices is None:
        return None
    budget = Budget(prices, most)
    budget.spent = spent_before(prompts, stored, prices, settings)
    return budget


def _watch(
    asking: Generator[Question], prompts: PromptFile, stored: StoredAnswers, attempts: int
) -> None:
    """Show the progress.

    Raises:
        KeyboardInterrupt: the user interrupted the command; the message has the number of stored
            answers.
    """
    total = len(prompts) * attempts

    def done() -> int:
        return total - sum(1 for _ in questions(prompts, stored, attempts))

    before = done()
    if before:
        note(f"{before:,} of {total:,} answers were already in {stored.path}")
    try:
        with closing(asking):
            for _ in progress(asking, "asking", total - before):
                pass
    except (KeyboardInterrupt, BaseExceptionGroup) as error:
        # An interrupt while the HTTP library connects comes in a group of exceptions.
        if isinstance(error, BaseExceptionGroup) and error.subgroup(KeyboardInterrupt) is None:
            raise
        raise KeyboardInterrupt(
            f"{done():,} of {total:,} answers stored in {stored.path}; the same command continues"
        ) from error
