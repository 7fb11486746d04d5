"""``pddl-pipeline ask``."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import click

from pddl_pipeline.cli.console import note, progress
from pddl_pipeline.cli.model_options import (
    MONEY_DIGITS,
    EndpointOptions,
    out_of_budget,
    print_usage,
)
from pddl_pipeline.cli.options import APPENDED, INPUT, cli_command
from pddl_pipeline.cli.status import DONE, UNEXPLAINED, warn
from pddl_pipeline.endpoints.answer_file import AnswerFile, StoredAnswers
from pddl_pipeline.endpoints.asking import (
    Asked,
    Question,
    ask,
    check_prompts,
    questions,
    stored_replies,
)
from pddl_pipeline.endpoints.endpoint import Rejected, Unreachable
from pddl_pipeline.endpoints.prices import FREE, Budget, OutOfBudget, Prices
from pddl_pipeline.endpoints.prompt_lines import PromptFile
from pddl_pipeline.endpoints.settings import EndpointSettings, check_client, check_key
from pddl_pipeline.model.text import counted
from pddl_pipeline.tables.text_table import rounded

_CHARACTERS_PER_TOKEN: Final = 4
"""Of English text with the usual tokenizers, about."""


@dataclass(frozen=True)
class _AskOptions:
    """Which answers are requested, and where they are stored."""

    model: Annotated[
        str,
        click.option(
            "--model", required=True, metavar="NAME", help="Name of the model at the endpoint."
        ),
        "Model",
    ]
    output: Annotated[Path, click.option(
        "-o", "output", type=APPENDED, required=True, metavar="ANSWERS",
        help="File to which answers are appended. The same command continues an interrupted one.",
    ), "Output"]  # fmt: skip
    at_a_time: Annotated[int, click.option(
        "-j", "at_a_time", type=click.IntRange(1, 1000), metavar="N", default=4, show_default=True,
        help="Number of requests at the same time.",
    ), "Requests"]  # fmt: skip
    attempts: Annotated[int, click.option(
        "--attempts", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
        help="Number of answers to each prompt.",
    ), "Requests"]  # fmt: skip
    dry_run: Annotated[bool, click.option(
        "--dry-run", is_flag=True,
        help="Send nothing: count the prompts and estimate their tokens.",
    ), "Requests"]  # fmt: skip


@cli_command("ask", "ask prompts.jsonl --model gpt-4o-mini -o answers.jsonl --dry-run")
def command(
    prompts: Annotated[Path, click.argument("prompts", type=INPUT)],
    how: _AskOptions,
    endpoint: EndpointOptions,
) -> int:
    """Send prompts to a language model and store its answers.

    PROMPTS is a file that `pddl-pipeline prompt` writes. The model is behind an endpoint that
    follows OpenAI's protocol, such as a local vLLM, llama.cpp or Ollama server. The key is read
    from the environment variable OPENAI_API_KEY. `pddl-pipeline score` reads the answers.

    Exit status: 0 done, 2 bad input, 3 some prompts have no answer, 130 interrupted.
    """
    settings, prices = endpoint.settings(how.model), endpoint.prices
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
            budget = Budget(prices or FREE, endpoint.max_cost)
            budget.keep(file.requests, stored_replies(read, file.stored, settings))
            asked = Asked()
            asking = ask(
                read, file, settings, asked, attempts=how.attempts, at_a_time=how.at_a_time,
                budget=budget,
            )  # fmt: skip
            _watch(asking, read, file.stored, how.attempts)
            status = _check_answers(asked, read, file.stored, how.attempts)
            print_usage(
                settings.model, list(file.stored.usages.values()), budget if prices else None
            )
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
        note(f"{before:,} of {counted(total, 'answer')} were already in {stored.path}")
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler):
        # With Python's own handler, asyncio stops between two steps of its tasks, not within one.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with closing(asking):
            for _ in progress(asking, "asking", total - before):
                pass
    except (KeyboardInterrupt, BaseExceptionGroup) as error:
        # An interrupt while the HTTP library connects comes in a group of exceptions.
        if isinstance(error, BaseExceptionGroup) and error.subgroup(KeyboardInterrupt) is None:
            raise
        raise KeyboardInterrupt(
            f"{done():,} of {counted(total, 'answer')} stored in {stored.path}; the same command "
            "continues"
        ) from error
    finally:
        signal.signal(signal.SIGINT, handler)


def _print_estimate(
    prompts: PromptFile,
    settings: EndpointSettings,
    remaining: Iterable[Question],
    prices: Prices | None,
) -> None:
    """Print how many requests there are to send, and how long they are."""
    places = [question.place for question in remaining]
    requests, system = len(places), len(settings.system or "")
    texts = (message.text for place in places for message in prompts.messages(place))
    tokens = (sum(map(len, texts)) + requests * system) // _CHARACTERS_PER_TOKEN
    counts = f"{counted(len(prompts), 'prompt')}, {counted(requests, 'request')}"
    click.echo(f"{counts} to send to {settings.address}")
    click.echo(f"tokens of the prompts: about {tokens:,} ({_CHARACTERS_PER_TOKEN} characters each)")
    answers, more = requests * (settings.max_tokens or 0), ", and that of the answers"
    limit = f"at most {answers:,}" if settings.max_tokens else "no limit; set one with --max-tokens"
    click.echo(f"tokens of the answers: {limit}")
    if prices is not None:
        cost = rounded(prices.cost(tokens, answers), MONEY_DIGITS)
        click.echo(f"cost: at most about {cost}{'' if settings.max_tokens else more}")


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
        warn(
            f"stopped after {counted(len(asked.failed), 'prompt')} in a row without an answer: "
            f"{stopped}"
        )
    elif first is not None:
        warn(f"{counted(asked.failures, 'prompt')} without an answer; '{first[0].id}': {first[1]}")
    replies = (
        stored.usages.get((name, attempt))
        for attempt in range(1, attempts + 1)
        for name in prompts.ids
    )
    empty = Counter(
        reply.finish_reason or "no reason" for reply in replies if reply and reply.is_empty
    )
    if empty:
        said = ", ".join(f"{reason} {count}" for reason, count in sorted(empty.items()))
        kept = "stored, and not requested again"
        warn(f"{counted(empty.total(), 'answer')} without text ({said}): {kept}")
    return UNEXPLAINED if stopped or first or empty else DONE
