"""Judges batches on an existing Dask cluster; requires the optional extra ``cluster``."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from typing import Any, Final

from pddl_pipeline.model.errors import EngineError
from pddl_pipeline.runs.cluster import connect
from pddl_pipeline.scoring.answer_batches import AnswerBatch
from pddl_pipeline.scoring.batch_judging import BatchJudge, JudgedAnswer, ScoringWork
from pddl_pipeline.scoring.score_pools import JudgedBatch

_AHEAD: Final = 4
"""Batches per thread of a worker that are judged or wait."""


class ClusterScorePool:
    """Judges on the workers of a Dask cluster."""

    def __init__(self, address: str, work: ScoringWork) -> None:
        """Connect to a scheduler, and send it the data.

        Args:
            address: see `connect`.
            work: what is judged; each worker gets it once.

        Raises:
            InputError: as for `connect`.
        """
        self._address = address
        self._client = connect(address)
        from dask import config  # noqa: PLC0415 -- optional

        # It warns of arguments that are large, and a dataset may be.
        config.set({"distributed.admin.large-graph-warning-threshold": "100GiB"})
        # A result, which the cluster computes again if the workers that have it are lost.
        self._judge = self._client.submit(BatchJudge, work, pure=False)

    def judged(self, batches: Iterable[AnswerBatch]) -> Iterator[JudgedBatch]:
        """Yield the judged batches in order. Batches of a lost worker are judged by another.

        Raises:
            EngineError: a batch ended several workers, or the cluster is lost.
        """
        waiting: deque[tuple[AnswerBatch, Any]] = deque()
        most = _AHEAD * max(1, sum(map(int, self._client.nthreads().values())))
        for batch in batches:
            future = self._client.submit(_judged, self._judge, batch, pure=False)
            waiting.append((batch, future))
            if len(waiting) >= most:
                yield self._result(*waiting.popleft())
        while waiting:
            yield self._result(*waiting.popleft())

    def _result(self, batch: AnswerBatch, future: Any) -> JudgedBatch:
        from distributed import KilledWorker  # noqa: PLC0415 -- optional

        try:
            return JudgedBatch(batch, future.result())
        except (KilledWorker, CancelledError, OSError, TimeoutError) as error:
            reason = " ".join(str(error).split())[:200] or type(error).__name__
            place = f"{batch.rows[0].place} and behind it"
            raise EngineError(f"{self._address}: no verdicts on {place}: {reason}") from error

    def close(self) -> None:
        """Disconnect; the cluster drops what it has not judged yet."""
        self._client.close()


def _judged(judge: BatchJudge, batch: AnswerBatch) -> list[JudgedAnswer | None]:
    return judge.judged(batch)
