"""Asks a model the prompts of a file: several requests at a time, each answer stored at once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from pddl_pipeline.endpoints.answer_file import AnswerFile, StoredAnswers, fingerprint
from pddl_pipeline.endpoints.conversation import Message, Reply
from pddl_pipeline.endpoints.endpoint import AsyncEndpoint
from pddl_pipeline.endpoints.errors import NoAnswer, Rejected, Unreachable
from pddl_pipeline.endpoints.prices import (
    Budget,
    OutOfBudget,
    Prices,
    RequestCost,
    cost_of,
    most_tokens,
)
from pddl_pipeline.endpoints.prompt_lines import PromptFile
from pddl_pipeline.endpoints.settings import EndpointSettings
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


class Failed(NamedTuple):
    """A question without an answer."""

    question: Question
    error: PipelineError


@dataclass
class Asked:
    """What became of the questions of one call."""

    answered: int = 0
    failed: list[Failed] = field(default_factory=list)
    """The first `MOST_FAILURES` of the questions that were sent and got no answer."""
    failures: int = 0
    """Their number."""
    stopped: PipelineError | None = None
    """Why not all questions were sent; None if they were."""


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


def spent_before(
    prompts: PromptFile, stored: StoredAnswers, prices: Prices, settings: EndpointSettings
) -> Fraction:
    """Return what the answers in a file have cost.

    If the endpoint did not report tokens, their largest possible number counts.

    Args:
        prompts: the prompts; those of the answers are among them.
        stored: the answers.
        prices: the prices of the tokens.
        settings: how the model is asked.
    """
    places = {name: index for index, name in enumerate(prompts.ids)}
    spent = Fraction(0)
    for (name, _), usage in stored.usages.items():
        used = usage.prompt_tokens, usage.completion_tokens
        most = 0, 0
        if None in used:
            most = most_tokens(prompts.messages(places[name]) if name in places else [], settings)
        spent += cost_of(prices, used, most)
    return spent


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
    with asyncio.Runner() as runner:
        endpoint = AsyncEndpoint(settings)
        asker = _Asker(endpoint, prompts, file, names, budget, asked)
        try:
            remaining = questions(prompts, file.stored, attempts)
            while (question := runner.run(asker.next(remaining, at_a_time))) is not None:
                yield question
        finally:
            with suppress(RuntimeError):  # the loop was interrupted while it was starting
                runner.run(asker.close())


class _Asker:
    """Sends questions and stores their answers."""

    def __init__(  # noqa: PLR0913, PLR0917 -- what there is to ask
        self,
        endpoint: AsyncEndpoint,
        prompts: PromptFile,
        file: AnswerFile,
        names: list[str],
        budget: Budget | None,
        asked: Asked,
    ) -> None:
        self.asked = asked
        self._endpoint = endpoint
        self._prompts = prompts
        self._file = file
        self._names = names
        self._budget = budget
        self._in_a_row = 0
        self._waiting: Question | None = None
        """A question for which there was no money left while others were under way."""
        self._done = deque[Question]()
        self._tasks: dict[asyncio.Task[Reply], Question] = {}

    async def next(self, remaining: Iterator[Question], at_a_time: int) -> Question | None:
        """Return the next question whose answer is stored; None at the end."""
        while not self._done:
            self._send(remaining, at_a_time)
            if not self._tasks:
                return None
            finished, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in finished:
                self._store(self._tasks.pop(task), task)
        return self._done.popleft()

    def _send(self, remaining: Iterator[Question], at_a_time: int) -> None:
        while self.asked.stopped is None and len(self._tasks) < at_a_time:
            question, self._waiting = self._waiting or next(remaining, None), None
            if question is None:
                return
            messages = self._prompts.messages(question.place)
            cost = self._cost(messages)
            try:
                if cost is not None:
                    cost.begin()
            except OutOfBudget as error:
                # Replies to others that are under way will cost less than they may.
                self._waiting = question
                self.asked.stopped = None if self._tasks else error
                return
            seed = self._endpoint.settings.seed
            work = self._endpoint.reply(
                messages, seed=None if seed is None else seed + question.attempt - 1, meter=cost
            )
            self._tasks[asyncio.ensure_future(work)] = question

    def _cost(self, messages: list[Message]) -> RequestCost | None:
        if self._budget is None:
            return None
        return RequestCost(self._budget, messages, self._endpoint.settings)

    def _store(self, question: Question, task: asyncio.Task[Reply]) -> None:
        try:
            reply = task.result()
        except (NoAnswer, Rejected, Unreachable, OutOfBudget) as error:
            self._fail(question, error)
            return
        self._file.add(question.id, question.attempt, self._names[question.place], reply)
        self.asked.answered += 1
        self._in_a_row = 0
        self._done.append(question)

    def _fail(self, question: Question, error: PipelineError) -> None:
        self._in_a_row += 1
        self.asked.failures += 1
        if len(self.asked.failed) < MOST_FAILURES:
            self.asked.failed.append(Failed(question, error))
        concerns_all = isinstance(error, Unreachable) or (
            isinstance(error, Rejected) and error.concerns_all
        )
        if concerns_all or self._in_a_row >= MOST_FAILURES:
            self.asked.stopped = self.asked.stopped or error

    async def close(self) -> None:
        """Drop the requests under way, and close the connections."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._endpoint.close()
