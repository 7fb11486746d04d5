"""``pddl-pipeline ask``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, get_args

import click

from pddl_pipeline.cli.console import QUIET, note, progress
from pddl_pipeline.cli.model_options import (
    BASE_URL,
    MONEY_DIGITS,
    CostOptions,
    out_of_budget,
    print_usage,
)
from pddl_pipeline.cli.options import APPENDED, DURATION, INPUT, cli_command
from pddl_pipeline.cli.status import DONE, UNEXPLAINED, warn
from pddl_pipeline.endpoints.answer_file import AnswerFile, StoredAnswers
from pddl_pipeline.endpoints.asking import (
    Asked,
    Question,
    ask,
    check_prompts,
    questions,
    spent_before,
)
from pddl_pipeline.endpoints.endpoint import Rejected, Unreachable
from pddl_pipeline.endpoints.prices import Budget, OutOfBudget, Prices
from pddl_pipeline.endpoints.prompt_lines import PromptFile
from pddl_pipeline.endpoints.settings import EndpointSettings, Form, Reply, check_client, check_key
from pddl_pipeline.io.files import check_outputs
from pddl_pipeline.model.text import plural
from pddl_pipeline.tables.text_table import rounded

_CHARACTERS_PER_TOKEN: Final = 4
"""Of English text with the usual tokenizers, about."""


@dataclass(frozen=True)
class _AskOptions:
    """Which model is asked, and how."""

    model: Annotated[str, click.option(
        "--model", required=True, metavar="NAME", help="Name of the model at the endpoint."
    )]  # fmt: skip
    base_url: Annotated[str, BASE_URL]
    output: Annotated[Path, click.option(
        "-o", "output", type=APPENDED, required=True, metavar="ANSWERS",
        help="File to which answers are appended. The same command continues an interrupted one.",
    )]  # fmt: skip
    at_a_time: Annotated[int, click.option(
        "-j", "at_a_time", type=click.IntRange(1, 1000), default=4, show_default=True,
        help="Number of requests at the same time.",
    )]  # fmt: skip
    temperature: Annotated[float | None, click.option(
        "--temperature", type=float, help="Sampling temperature, 0 to 2."
    )]  # fmt: skip
    max_tokens: Annotated[int | None, click.option(
        "--max-tokens", type=click.IntRange(min=1),
        help="Largest number of tokens of an answer, reasoning included.",
    )]  # fmt: skip
    attempts: Annotated[int, click.option(
        "--attempts", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
        help="Number of answers to each prompt.",
    )]  # fmt: skip
    seed: Annotated[int | None, click.option(
        "--seed", type=int, help="Seed of the first attempt; each further one adds 1."
    )]  # fmt: skip
    system: Annotated[str | None, click.option(
        "--system", metavar="TEXT", help="System message before each prompt."
    )]  # fmt: skip
    form: Annotated[Form, click.option(
        "--form", type=click.Choice(get_args(Form)), default="chat", show_default=True,
        help="Send messages (chat), or a text to be continued (completion).",
    )]  # fmt: skip
    stop: Annotated[tuple[str, ...], click.option(
        "--stop", multiple=True, metavar="TEXT",
        help="Text at which the model stops, such as '[PLAN END]'; may be repeated.",
    )]  # fmt: skip
    timeout: Annotated[float, click.option(
        "--timeout", type=DURATION, default="10m", show_default=True,
        help="Time limit for one answer. After it, the request is repeated.",
    )]  # fmt: skip
    tries: Annotated[int, click.option(
        "--tries", type=click.IntRange(1, 100), default=6, show_default=True,
        help="How often a request is sent if the endpoint is busy, fails, or does not answer in "
        "time.",
    )]  # fmt: skip
    cost: CostOptions
    dry_run: Annotated[bool, click.option(
        "--dry-run", is_flag=True,
        help="Send nothing: count the prompts and estimate their tokens.",
    )]  # fmt: skip

    @property
    def settings(self) -> EndpointSettings:
        """The settings of the requests."""
        return EndpointSettings(
            self.model, self.base_url, temperature=self.temperature, max_tokens=self.max_tokens,
            seed=self.seed, system=self.system, form=self.form, stop=self.stop,
            timeout_s=self.timeout, tries=self.tries,
        )  # fmt: skip


@QUIET
@cli_command("ask", "ask prompts.jsonl --model gpt-4o-mini -o answers.jsonl")
def command(
    prompts: Annotated[Path, click.argument("prompts", type=INPUT)], how: _AskOptions
) -> int:
    """Send prompts to a language model and store its answers.

    PROMPTS is a file that `pddl-pipeline prompt` writes. The model is behind an endpoint that
    follows OpenAI's protocol, such as a local vLLM, llama.cpp or Ollama server. The key is read
    from the environment variable OPENAI_API_KEY. `pddl-pipeline score` reads the answers.

    Exit status: 0 done, 2 bad input, 3 some prompts have no answer, 130 interrupted.
    """
    settings, prices = how.settings, how.cost.prices
    how.cost.check(settings)
    check_outputs([how.output], [prompts])
    if not how.dry_run:
        check_client()
        check_key(settings.base)
    with PromptFile(prompts) as read:
        if how.dry_run:
            stored = StoredAnswers(how.output, settings)
            check_prompts(read, stored, settings)
            _print_estimate(read, settings, questions(read, stored, how.attempts), prices)
            return DONE
        with AnswerFile(how.output, settings) as file:
            if file.stored.torn_bytes:
                note(f"{how.output}: removed an incomplete last line, which a crash left")
            budget = None
            if prices is not None:
                budget = Budget(prices, how.cost.max_cost)
                budget.spent = spent_before(read, file.stored, prices, settings)
            asked = Asked()
            asking = ask(
                read, file, settings, asked, attempts=how.attempts, at_a_time=how.at_a_time,
                budget=budget,
            )  # fmt: skip
            _watch(asking, read, file.stored, how.attempts)
            status = _check_answers(asked, read, file.stored, how.attempts)
            print_usage(settings.model, list(file.stored.usages.values()), budget)
    return status


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


def _print_estimate(
    prompts: PromptFile,
    settings: EndpointSettings,
    remaining: Iterable[Question],
    prices: Prices | None,
) -> None:
    """Print how many requests there are to send, and how long they are."""
    requests = characters = 0
    for question in remaining:
        requests += 1
        characters += sum(len(each.text) for each in prompts.messages(question.place))
    system = len(settings.system or "")
    tokens = (characters + requests * system) // _CHARACTERS_PER_TOKEN
    click.echo(f"{len(prompts):,} prompts, {requests:,} requests to send to {settings.address}")
    click.echo(f"tokens of the prompts: about {tokens:,} ({_CHARACTERS_PER_TOKEN} characters each)")
    if settings.max_tokens is None:
        click.echo("tokens of the answers: no limit; set one with --max-tokens")
    else:
        click.echo(f"tokens of the answers: at most {requests * settings.max_tokens:,}")
    if prices is not None:
        first = prices.cost(tokens, 0)
        more = "" if settings.max_tokens else ", and that of the answers"
        cost = first + prices.cost(0, requests * (settings.max_tokens or 0))
        click.echo(f"cost: at most about {rounded(cost, MONEY_DIGITS)}{more}")


def _check_answers(asked: Asked, prompts: PromptFile, stored: StoredAnswers, attempts: int) -> int:
    """Print what is missing, and return the exit status.

    Raises:
        InputError: the endpoint cannot be reached or rejects everything.
    """
    stopped, first = asked.stopped, asked.failed[0] if asked.failed else None
    if isinstance(stopped, (Rejected, Unreachable)):
        raise stopped
    if first and not asked.answered and all(isinstance(x, Rejected) for _, x in asked.failed):
        raise first[1]
    if isinstance(stopped, OutOfBudget):
        warn(out_of_budget(stopped))
    elif stopped is not None:
        warn(f"stopped after {len(asked.failed)} prompts in a row without an answer: {stopped}")
    elif first is not None:
        warn(f"{_count(asked.failures)} without an answer; '{first[0].id}': {first[1]}")
    found = [
        stored.usages[name, attempt]
        for attempt in range(1, attempts + 1)
        for name in prompts.ids
        if (name, attempt) in stored.usages
    ]
    empty = _report(found)
    return UNEXPLAINED if stopped or first or empty else DONE


def _report(found: list[Reply]) -> int:
    """Print what is unusual about answers; return the number of empty ones."""
    reasons = Counter(usage.finish_reason or "no reason" for usage in found if usage.is_empty)
    empty = reasons.total()
    if empty:
        said = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
        kept = "stored, and not requested again"
        warn(f"{_count(empty, 'answer')} without text ({said}): {kept}")
    cut = sum(usage.finish_reason == "length" and not usage.is_empty for usage in found)
    if cut:
        note(f"{_count(cut, 'answer')} cut off at the largest number of tokens")
    others = sorted({usage.served_model for usage in found if usage.served_model})
    if others:
        note(f"the endpoint names the model {', '.join(others)}")
    return empty


def _count(number: int, what: str = "prompt") -> str:
    return f"{number:,} {plural(number, what)}"
