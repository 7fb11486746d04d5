"""Pools that judge batches: in this process, in several, or on a Dask cluster.

All yield the results in the order of the batches.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Thread
from typing import Final, NamedTuple, Protocol

from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.scoring.answer_batches import AnswerBatch
from pddl_pipeline.scoring.batch_judging import BatchJudge, JudgedAnswer

_AHEAD: Final = 4
"""Batches per process that are judged or wait."""


class JudgedBatch(NamedTuple):
    """A batch, and its judged answers; see `BatchJudge.judged`."""

    batch: AnswerBatch
    answers: list[JudgedAnswer | None]


class ScorePool(Protocol):
    """Judges batches."""

    def judged(self, batches: Iterable[AnswerBatch]) -> Iterator[JudgedBatch]:
        """Yield the judged batches in order.

        Raises:
            EngineError: a batch ends the process that judges it, or the cluster is lost.
        """

    def close(self) -> None:
        """Stop the processes."""


class SerialPool:
    """Judges in this process."""

    def __init__(self, judge: BatchJudge) -> None:
        self._judge = judge

    def judged(self, batches: Iterable[AnswerBatch]) -> Iterator[JudgedBatch]:
        """Yield the judged batches in order."""
        for batch in batches:
            yield JudgedBatch(batch, self._judge.judged(batch))

    def close(self) -> None:
        """Do nothing."""


class ProcessPool:
    """Judges in several processes of this machine."""

    def __init__(self, judge: BatchJudge, workers: int, warn: Callable[[str], None]) -> None:
        """Start the processes, which is safest before this process starts threads.

        Args:
            judge: judges the batches.
            workers: number of processes.
            warn: is called with a line when the processes are started again.
        """
        self._judge, self._workers, self._warn = judge, workers, warn
        self._start()

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

    def judged(self, batches: Iterable[AnswerBatch]) -> Iterator[JudgedBatch]:
        """Yield the judged batches in order.

        If a process dies, all processes are started again. Batches without a result are judged
        again, so that no answer is lost.

        Raises:
            EngineError: a process dies twice before the same batch is judged.
        """
        waiting: deque[_Waiting] = deque()
        for batch in batches:
            waiting.append(_Waiting(batch, self._submit(batch)))
            if len(waiting) >= _AHEAD * self._workers:
                yield self._first(waiting)
        while waiting:
            yield self._first(waiting)

    def _submit(self, batch: AnswerBatch) -> Future[list[JudgedAnswer | None]] | None:
        """Return the future of a batch; None if the processes died meanwhile."""
        try:
            return self._executor.submit(_judged, batch)
        except BrokenProcessPool:
            return None

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
            if has_died:
                break
            self._warn("a process that judged answers died; judging its answers again")
            self.close()
            self._start()
            again = [_Waiting(each.batch, self._submit(each.batch)) for each in waiting]
            waiting.clear()
            waiting.extend(again)
        rows = f"{batch.rows[0].place} and the {len(batch.rows) - 1} rows behind it"
        raise EngineError(f"a process that judged answers died twice, at or behind {rows}")

    def close(self) -> None:
        """Stop the processes, including those that judge."""
        for process in self._processes:
            process.kill()
        self._executor.shutdown(wait=True, cancel_futures=True)


class _Waiting(NamedTuple):
    """A batch that was sent to the processes."""

    batch: AnswerBatch
    future: Future[list[JudgedAnswer | None]] | None


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
