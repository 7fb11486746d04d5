"""Batches of answers, judged in this process or in several, and counted in their order."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from multiprocessing.context import BaseContext
from threading import Thread
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import WorkerError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_files import AnswerBatch, AnswerSource
from pddl_pipeline.scoring.answer_formats import InstanceNumbers
from pddl_pipeline.scoring.judging import OWN, Score
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.scoring.tally import ErrorExamples, Tally, TrialOutcome, outcome_of

_NOT_NUMBERED: Final = 0
_ATTEMPT: Final = '"attempt": {}'
_UNKNOWN: Final = _ATTEMPT.format(_NOT_NUMBERED)
_AHEAD: Final = 4
"""Batches per process that are judged or wait."""


class JudgedAnswer(NamedTuple):
    """An answer that was judged, but whose attempt has no number yet."""

    id: str
    """Id of the instance."""
    model: str | None
    attempt: int | None
    """The number that the answer states."""
    outcome: TrialOutcome
    lines: Sequence[str] = ()
    """The score as `ScoringWork.lines` write it, with 0 as the number of the attempt."""


JudgedAnswers = list[JudgedAnswer | None]
"""The judged answers of a batch in order; None in place of each with a fault."""


@dataclass(frozen=True, slots=True)
class ScoringWork:
    """What a process needs to judge the batches of an answer source."""

    instances: Sequence[Instance[Any]]
    source: AnswerSource
    reading: str = OWN
    lenient_values: bool = False
    fields: Sequence[str] = ()
    """The fields of answers that answers are grouped by."""
    lines: Sequence[Callable[[Score], str]] = ()
    """Functions that return a score as a line of JSON, which has the field ``attempt``."""


class BatchJudge:
    """Judges batches. A pickled copy is prepared again, and has no cached tasks."""

    def __init__(self, work: ScoringWork) -> None:
        self.work = work
        self.judge = Judge(work.instances, work.reading, lenient_values=work.lenient_values)
        """Judges the answers and numbers their attempts."""
        self._ids = InstanceNumbers(self.judge.instances)

    def __reduce__(self) -> tuple[type[BatchJudge], tuple[ScoringWork]]:
        return BatchJudge, (self.work,)

    def answers(self, batch: AnswerBatch) -> Iterator[Answer]:
        """Yield the answers of a batch."""
        return self.work.source.answers(batch, self._ids)

    def judged(self, batch: AnswerBatch) -> JudgedAnswers:
        """Return the judged answers of a batch."""
        known: dict[TrialOutcome, TrialOutcome] = {}
        return [self._judged(answer, known) for answer in self.answers(batch)]

    def _judged(
        self, answer: Answer, known: dict[TrialOutcome, TrialOutcome]
    ) -> JudgedAnswer | None:
        instance = self.judge.instances.get(answer.id or "")
        if answer.fault is not None or instance is None:
            return None
        score = self.judge.judge(answer, _NOT_NUMBERED)
        outcome = outcome_of(score, instance, self.work.fields)
        # Few outcomes are distinct, and one object is sent to another process once.
        outcome = known.setdefault(outcome, outcome)
        lines = [line(score) for line in self.work.lines]
        return JudgedAnswer(instance.id, answer.model, answer.attempt, outcome, lines)


@dataclass(frozen=True, slots=True)
class BatchCounter:
    """Numbers the attempts of judged answers, and counts and writes them.

    Batches may be judged in any place. They are counted in the order of the answers, so that
    attempts have the same numbers and the output the same bytes.
    """

    judge: BatchJudge
    """Judges the batches, here or in other processes."""
    tally: Tally
    writers: Sequence[Callable[[str], object]]
    """Write the lines of each score, in the order of `ScoringWork.lines`."""
    report: Callable[[Score], None]
    """Is called with each score that has a fault."""
    examples: ErrorExamples

    def add(self, batch: AnswerBatch, judged: JudgedAnswers) -> None:
        """Count the answers of a batch."""
        judge = self.judge.judge
        # Answers are read again only for faults and for examples of errors.
        answers = cache(lambda: list(self.judge.answers(batch)))
        for index, each in enumerate(judged):
            attempt = None if each is None else judge.number(each.id, each.model, each.attempt)
            if each is None or attempt is None:
                score = judge.fault(answers()[index])
                self.tally.add(score)
                self.report(score)
                lines = [line(score) for line in self.judge.work.lines]
            else:
                self.tally.count(each.id, each.model, attempt, each.outcome)
                number = _ATTEMPT.format(attempt)
                # Another process judged the answer, and only this one sees all answers in their
                # order.
                lines = [line.replace(_UNKNOWN, number, 1) for line in each.lines]
                errors = each.outcome.trial.errors if each.outcome.trial else ()
                lacking = self.examples.lacking(each.id, each.model, errors)
                if lacking:  # judged again here, since other processes send no texts
                    self.examples.add(lacking, judge.judge(answers()[index], attempt))
            for write, line in zip(self.writers, lines, strict=True):
                write(line)


def process_context() -> BaseContext:
    """Return how processes that judge start."""
    # A fork has the data and the modules at once. Elsewhere it is not safe or not available.
    return multiprocessing.get_context("fork" if sys.platform == "linux" else None)


@contextmanager
def judged_batches(
    judge: BatchJudge, workers: int
) -> Iterator[Iterator[tuple[AnswerBatch, JudgedAnswers]]]:
    """Return the batches with their judged answers in order, judged here or by other processes.

    Processes start first, since that is safest before this process starts threads. At the end they
    are killed, also if they still judge.

    Args:
        judge: judges the batches of its work.
        workers: number of processes; 1 to judge in this one.

    Raises:
        WorkerError: a process dies.
    """
    batches = judge.work.source.batches()
    first = [*islice(batches, 2)] if workers > 1 else []
    every = chain(first, batches)
    if len(first) < 2:  # processes cost more than a batch
        yield ((batch, judge.judged(batch)) for batch in every)
        return
    before = {*multiprocessing.active_children()}
    # A collection in a forked process writes to all objects, and so copies their memory.
    gc.freeze()
    with ProcessPoolExecutor(workers, process_context(), _prepare, (judge,)) as executor:
        # An interrupt in the middle of a fork can be lost, so it waits until all have started.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
        try:
            # Where processes are forked, the first task starts all of them.
            executor.submit(os.getpid).result()
        finally:
            gc.unfreeze()
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        started = {*multiprocessing.active_children()} - before
        try:
            yield _in_order(executor, every, _AHEAD * workers)
        finally:
            for process in started:
                process.kill()


def _in_order(
    executor: ProcessPoolExecutor, batches: Iterable[AnswerBatch], ahead: int
) -> Iterator[tuple[AnswerBatch, JudgedAnswers]]:
    waiting: deque[tuple[AnswerBatch, Future[JudgedAnswers]]] = deque()
    try:
        for batch in batches:
            waiting.append((batch, executor.submit(_judged, batch)))
            if len(waiting) >= ahead:
                yield waiting[0][0], waiting.popleft()[1].result()
        while waiting:
            yield waiting[0][0], waiting.popleft()[1].result()
    except BrokenProcessPool as error:
        raise WorkerError("a process that judged answers died") from error


_INTERRUPTS: Final = (signal.SIGINT, signal.SIGTERM)
_JUDGE: list[BatchJudge] = []
"""The judge of a process of a pool."""


def _prepare(judge: BatchJudge) -> None:
    """Prepare a process of a pool. It leaves Ctrl-C to its parent, and does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)
    _JUDGE[:] = [judge]
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        # `sys.exit` would end this thread only.
        os._exit(1)


def _judged(batch: AnswerBatch) -> JudgedAnswers:
    return _JUDGE[0].judged(batch)
