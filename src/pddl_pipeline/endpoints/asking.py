"""Asks a model the prompts of a file: several requests at a time, each answer stored at once."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pddl_pipeline.endpoints.answer_file import AnswerFile, StoredAnswers, fingerprint
from pddl_pipeline.endpoints.endpoint import AsyncEndpoint, NoAnswer, Rejected, Unreachable
from pddl_pipeline.endpoints.prices import Budget, OutOfBudget, Tokens, most_tokens
from pddl_pipeline.endpoints.prompt_lines import PromptFile
from pddl_pipeline.endpoints.settings import EndpointSettings, Reply
from pddl_pipeline.model.errors import PipelineError

MOST_FAILURES: Final = 20
"""After this many prompts without an answer, one after the other, no more are sent."""


class Question(NamedTuple):
    """One attempt at one prompt."""

    place: int
    """Position of the prompt."""
    id: str
    attempt: int
    """From 1 on."""


@dataclass
class Asked:
    """What became of the questions of one call."""

    answered: int = 0
    failed: list[tuple[Question, PipelineError]] = field(default_factory=list)
    """The first `MOST_FAILURES` of the questions that were sent and got no answer."""
    failures: int = 0
    """Their number."""
    failures_in_a_row: int = 0
    """The number of the last ones without an answer in between."""
    stopped: PipelineError | None = None
    """Why not all questions were sent; None if they were."""

    def fail(self, question: Question, error: PipelineError) -> None:
        """Add a question without an answer, unless there was no money to send it."""
        if not isinstance(error, OutOfBudget):
            self.failures += 1
            self.failures_in_a_row += 1
            self.failed += [(question, error)][: MOST_FAILURES - len(self.failed)]
        concerns_all = isinstance(error, Unreachable | OutOfBudget) or (
            isinstance(error, Rejected) and error.concerns_all
        )
        # The first error stays: later ones may only follow from it.
        if concerns_all or self.failures_in_a_row >= MOST_FAILURES:
            self.stopped = self.stopped or error


def questions(prompts: PromptFile, stored: StoredAnswers, attempts: int) -> Iterator[Question]:
    """Yield the questions without a stored answer: all first attempts, all second ones, ….

    Args:
        prompts: the prompts.
        stored: the answers in the file.
        attempts: number of attempts at each prompt.
    """
    for attempt in range(1, attempts + 1):
        for index, name in enumerate(prompts.ids):
            if (name, attempt) not in stored.usages:
                yield Question(index, name, attempt)


def check_prompts(
    prompts: PromptFile, stored: StoredAnswers, settings: EndpointSettings
) -> list[str]:
    """Return the fingerprint of each prompt; check that stored answers are to the same prompts.

    Raises:
        InputError: a prompt has changed.
    """
    found = [fingerprint(settings, prompts.messages(index)) for index in range(len(prompts))]
    for name, prompt in zip(prompts.ids, found, strict=True):
        stored.check(name, prompt)
    return found


def stored_replies(
    prompts: PromptFile, stored: StoredAnswers, settings: EndpointSettings
) -> Iterator[tuple[Reply, Tokens]]:
    """Yield the figures of the answers in a file, with the upper bounds of their tokens.

    Args:
        prompts: the prompts; those of the answers are among them.
        stored: the answers.
        settings: how the model is asked.
    """
    places = {name: index for index, name in enumerate(prompts.ids)}
    for (name, _), usage in stored.usages.items():
        messages = prompts.messages(places[name]) if name in places else []
        yield usage, most_tokens(messages, settings)


def ask(  # noqa: PLR0913 -- what there is to ask
    prompts: PromptFile,
    file: AnswerFile,
    settings: EndpointSettings,
    asked: Asked,
    *,
    attempts: int = 1,
    at_a_time: int = 1,
    budget: Budget | None = None,
) -> Generator[Question]:
    """Ask what has no stored answer yet; yield each question whose answer is stored.

    If the caller stops early, the requests under way are dropped. If the endpoint rejects a request
    for a reason that concerns all, or the budget is used up, no more requests are sent, and the
    replies to those under way are stored.

    Args:
        prompts: the prompts.
        file: receives the answers.
        settings: the endpoint and the model. A seed is increased by 1 with each attempt.
        asked: receives what becomes of the questions.
        attempts: number of answers to each prompt.
        at_a_time: number of requests at the same time.
        budget: counts the cost; None if there are no prices.

    Raises:
        EngineError, InputError: as for `AsyncEndpoint`; or a prompt has changed.
        StoreError: an answer cannot be stored.
    """
    names = check_prompts(prompts, file.stored, settings)
    remaining = questions(prompts, file.stored, attempts)
    tasks: dict[asyncio.Task[Reply], Question] = {}

    async def send() -> set[asyncio.Task[Reply]]:
        """Send as many questions as there may be; return the tasks of those that have ended."""
        while asked.stopped is None and len(tasks) < at_a_time:
            question = next(remaining, None)
            if question is None:
                break
            # With one seed, all attempts would get the same answer.
            seed = None if settings.seed is None else settings.seed + question.attempt - 1
            work = endpoint.reply(prompts.messages(question.place), seed=seed)
            tasks[asyncio.ensure_future(work)] = question
        if not tasks:
            return set()
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return ended

    async def close() -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await endpoint.close()

    with asyncio.Runner() as runner:
        endpoint = AsyncEndpoint(settings, budget)
        try:
            while ended := runner.run(send()):
                found = {tasks.pop(task): task for task in ended}
                stored = [each for each in found.items() if _store(*each, names, file, asked)]
                yield from (question for question, _ in stored)
        finally:
            with suppress(RuntimeError):  # the loop was interrupted while it was starting
                runner.run(close())


def _store(
    question: Question,
    task: asyncio.Task[Reply],
    names: list[str],
    file: AnswerFile,
    asked: Asked,
) -> bool:
    """Store the answer to a question, or why there is none; return whether there is one."""
    try:
        reply = task.result()
    except (NoAnswer, Rejected, Unreachable, OutOfBudget) as error:
        asked.fail(question, error)
        return False
    file.add(question.id, question.attempt, names[question.place], reply)
    asked.answered += 1
    asked.failures_in_a_row = 0
    return True
