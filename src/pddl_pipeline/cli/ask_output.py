"""What ``ask`` prints: an estimate before, and what is missing afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import click

from pddl_pipeline.cli.exit_status import DONE, UNEXPLAINED
from pddl_pipeline.cli.messages import warn
from pddl_pipeline.cli.progress import note
from pddl_pipeline.cli.usage_table import MONEY_DIGITS, out_of_budget
from pddl_pipeline.endpoints.answer_file import StoredAnswers
from pddl_pipeline.endpoints.asking import Asked, Question
from pddl_pipeline.endpoints.conversation import Reply
from pddl_pipeline.endpoints.errors import Rejected, Unreachable
from pddl_pipeline.endpoints.prices import OutOfBudget, Prices
from pddl_pipeline.endpoints.prompt_lines import PromptFile
from pddl_pipeline.endpoints.settings import EndpointSettings
from pddl_pipeline.model.plural import plural
from pddl_pipeline.tables.text_table import rounded

_CHARACTERS_PER_TOKEN = 4
"""Of English text with the usual tokenizers, about."""


def print_estimate(
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


def check_answers(asked: Asked, prompts: PromptFile, stored: StoredAnswers, attempts: int) -> int:
    """Print what is missing, and return the exit status.

    Raises:
        InputError: the endpoint cannot be reached or rejects everything.
    """
    stopped, first = asked.stopped, asked.failed[0] if asked.failed else None
    if isinstance(stopped, (Rejected, Unreachable)):
        raise stopped
    if first and not asked.answered and all(isinstance(x.error, Rejected) for x in asked.failed):
        raise first.error
    if isinstance(stopped, OutOfBudget):
        warn(out_of_budget(stopped))
    elif stopped is not None:
        warn(f"stopped after {len(asked.failed)} prompts in a row without an answer: {stopped}")
    elif first is not None:
        warn(f"{_count(asked.failures)} without an answer; '{first.question.id}': {first.error}")
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
