"""Batches of answers, judged in this process or in several, and counted in their order."""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import chain, islice
from threading import Thread
from typing import IO, Any, Final, NamedTuple

from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_files import AnswerBatch, AnswerSource
from pddl_pipeline.scoring.answer_formats import InstanceNumbers
from pddl_pipeline.scoring.judging import OWN, Score, score_line
from pddl_pipeline.scoring.metrics import METRICS, Metric
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.scoring.tally import ErrorExamples, FormerScores, Outcome, Tally, outcome_of

_NOT_NUMBERED: Final = 0
_AHEAD: Final = 4
"""Batches per process that are judged or wait."""


class JudgedAnswer(NamedTuple):
    """An answer that was judged, but whose attempt has no number yet."""

    id: str
    """Id of the instance."""
    model: str | None
    attempt: int | None
    """The number that the answer states."""
    outcome: Outcome
    line: tuple[str, str] = ("", "")
    """The score's line of JSON before and after the number of the attempt, if it was asked for."""


class JudgedBatch(NamedTuple):
    """A batch, and its judged answers; see `BatchJudge.judged`."""

    batch: AnswerBatch
    answers: list[JudgedAnswer | None]


@dataclass(frozen=True, slots=True)
class ScoringWork:
    """What a process needs to judge the batches of an answer source."""

    instances: Sequence[Instance[Any]]
    source: AnswerSource
    reading: str = OWN
    lenient_values: bool = False
    metrics: Sequence[Metric] = METRICS
    fields: Sequence[str] = ()
    """The fields of answers that answers are grouped by."""
    with_lines: bool = False
    """Whether to return the line of JSON of each score."""


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

    def judged(self, batch: AnswerBatch) -> list[JudgedAnswer | None]:
        """Return the judged answers of a batch in order; None in place of each with a fault."""
        known: dict[Outcome, Outcome] = {}
        return [self._judged(answer, known) for answer in self.answers(batch)]

    def _judged(self, answer: Answer, known: dict[Outcome, Outcome]) -> JudgedAnswer | None:
        instance = self.judge.instances.get(answer.id or "")
        if answer.fault is not None or instance is None:
            return None
        score = self.judge.judge(answer, _NOT_NUMBERED)
        outcome = outcome_of(score, instance, self.work.metrics, self.work.fields)
        line = "", ""
        if self.work.with_lines:
            before = f'{{"id": {json.dumps(score.id)}, "attempt": '
            line = before, score_line(score)[len(before) + len(str(_NOT_NUMBERED)) :]
        # Few outcomes are distinct, and one object is sent to another process once.
        outcome = known.setdefault(outcome, outcome)
        return JudgedAnswer(instance.id, answer.model, answer.attempt, outcome, line)


class BatchCounter:
    """Numbers the attempts of judged answers, and counts and writes them.

    Batches may be judged in any order and place. They are counted in the order of the answers, so
    that attempts have the same numbers and the output the same bytes.
    """

    def __init__(  # noqa: PLR0913, PLR0917 -- what counts, and where it goes
        self,
        judge: BatchJudge,
        tally: Tally,
        former: FormerScores,
        stream: IO[str] | None,
        report: Callable[[Score], None],
        examples: ErrorExamples,
    ) -> None:
        """Start with no answers.

        Args:
            judge: what judges the batches, here or in other processes.
            tally: counts the scores.
            former: compares the scores with those that the output had before.
            stream: the output for a line of each score; None for no output. Requires
                `ScoringWork.with_lines`.
            report: is called with each score that has a fault.
            examples: gets the first answers with each error.
        """
        self._judge, self._tally, self._former = judge, tally, former
        self._stream, self._report, self._examples = stream, report, examples

    def add(self, batch: AnswerBatch, judged: Sequence[JudgedAnswer | None]) -> None:
        """Count the answers of a batch."""
        judge, stream, wants = self._judge.judge, self._stream, self._examples.wants
        answers: list[Answer] = []
        for index, each in enumerate(judged):
            attempt = None if each is None else judge.number(each.id, each.model, each.attempt)
            if each is None or attempt is None:
                answers = answers or list(self._judge.answers(batch))
                self._add_fault(answers[index])
                continue
            self._tally.count(each.id, each.model, attempt, each.outcome)
            if wants(each.id, each.model, each.outcome):
                answers = answers or list(self._judge.answers(batch))
                # Judged again here, since other processes send no texts.
                self._examples.add(judge.judge(answers[index], attempt), each.outcome)
            if stream is not None:
                before, after = each.line
                stream.write(f"{before}{attempt}{after}")
                self._former.compare(each.id, attempt, each.model, each.outcome.status)

    def _add_fault(self, answer: Answer) -> None:
        score = self._judge.judge.fault(answer)
        self._tally.add(score)
        if self._stream is not None:
            self._stream.write(score_line(score))
            status = str(score.verdict.status)
            self._former.compare(score.id, score.attempt, answer.model, status)
        self._report(score)


class _Waiting(NamedTuple):
    """A batch that was sent to the processes; no future if they died meanwhile."""

    batch: AnswerBatch
    future: Future[list[JudgedAnswer | None]] | None


class ScorePool:
    """Judges batches in this process, or in several processes of this machine."""

    def __init__(self, judge: BatchJudge, workers: int, warn: Callable[[str], None]) -> None:
        """Prepare to judge.

        Args:
            judge: judges the batches.
            workers: number of processes; 1 to judge in this one.
            warn: is called with a line when processes are started again.
        """
        self._judge, self._workers, self._warn = judge, workers, warn
        self._executor: ProcessPoolExecutor | None = None
        self._processes: set[Any] = set()

    def judged(self, batches: Iterable[AnswerBatch]) -> Iterator[JudgedBatch]:
        """Return the judged batches in order.

        Processes start now, since that is safest before this process starts threads. If a process
        dies, all processes are started again. Batches without a result are judged
        again, so that no answer is lost.

        Raises:
            EngineError: a process dies twice before the same batch is judged.
        """
        rest = iter(batches)
        first = [*islice(rest, 2)] if self._workers > 1 else []
        if len(first) < 2:  # processes cost more than a batch
            here = self._judge.judged
            return (JudgedBatch(batch, here(batch)) for batch in chain(first, rest))
        self._start()
        return self._in_order(chain(first, rest))

    def _in_order(self, batches: Iterable[AnswerBatch]) -> Iterator[JudgedBatch]:
        waiting: deque[_Waiting] = deque()
        for batch in batches:
            waiting.append(self._submitted(batch))
            if len(waiting) >= _AHEAD * self._workers:
                yield self._first(waiting)
        while waiting:
            yield self._first(waiting)

    def _start(self) -> None:
        # A fork has the data and the modules at once. Elsewhere it is not safe or not available.
        method = "fork" if sys.platform == "linux" else None
        before = {*multiprocessing.active_children()}
        gc.freeze()
        self._executor = ProcessPoolExecutor(
            self._workers, multiprocessing.get_context(method), _prepare, (self._judge,)
        )
        self._executor.submit(os.getpid).result()
        gc.unfreeze()
        self._processes = {*multiprocessing.active_children()} - before

    def _submitted(self, batch: AnswerBatch) -> _Waiting:
        try:
            return _Waiting(
                batch, self._executor.submit(_judged, batch) if self._executor else None
            )
        except BrokenProcessPool:
            return _Waiting(batch, None)

    def _first(self, waiting: deque[_Waiting]) -> JudgedBatch:
        """Remove the first batch, and return it with its result."""
        for has_died in (False, True):
            batch, future = waiting[0]
            try:
                if future is not None:
                    found = JudgedBatch(batch, future.result())
                    waiting.popleft()
                    return found
            except BrokenProcessPool:
                pass  # as for a batch that could not be submitted
            if not has_died:
                self._warn("a process that judged answers died; judging its answers again")
                self.close()
                self._start()
                again = [self._submitted(each.batch) for each in waiting]
                waiting.clear()
                waiting.extend(again)
        rows = f"{batch.rows[0].place} and the {len(batch.rows) - 1} rows behind it"
        raise EngineError(f"a process that judged answers died twice, at or behind {rows}")

    def close(self) -> None:
        """Stop the processes, including those that judge."""
        for process in self._processes:
            process.kill()
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)


_JUDGE: list[BatchJudge] = []
"""The judge of a process of a pool."""


def _prepare(judge: BatchJudge) -> None:
    """Prepare a process of a pool. It leaves Ctrl-C to its parent, and does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _JUDGE[:] = [judge]
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _judged(batch: AnswerBatch) -> list[JudgedAnswer | None]:
    return _JUDGE[0].judged(batch)
