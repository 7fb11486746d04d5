"""Where ``pddl-pipeline score`` judges: in this process, in several, or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, islice

from pddl_pipeline.cli.messages import warn
from pddl_pipeline.cli.options import is_given
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.scoring.batch_judging import BatchJudge
from pddl_pipeline.scoring.score_cluster import ClusterScorePool
from pddl_pipeline.scoring.score_pools import JudgedBatch, ProcessPool, ScorePool, SerialPool


def check_places(scheduler: str | None) -> None:
    """Check that ``-j`` and ``--scheduler`` are not combined.

    Raises:
        InputError: both are given.
    """
    if scheduler is not None and is_given("workers"):
        reason = "the cluster's workers determine where answers are judged"
        raise InputError(f"-j cannot be combined with --scheduler: {reason}")


@contextmanager
def judged_batches(
    judge: BatchJudge, workers: int, scheduler: str | None
) -> Iterator[Iterator[JudgedBatch]]:
    """Return the judged batches in order, and end the processes that judge them at the end.

    Args:
        judge: what judges the batches of its work.
        workers: number of processes.
        scheduler: address of the scheduler of a cluster that judges instead; None for none.

    Raises:
        InputError: there is no scheduler at the address.
        KeyboardInterrupt: the user interrupted the command; the message says what is written.
    """
    batches = judge.work.source.batches()
    # Processes are started for files of several batches only.
    first = list(islice(batches, 2)) if scheduler is None and workers > 1 else []
    pool: ScorePool
    if scheduler is not None:
        pool = ClusterScorePool(scheduler, judge.work)
    elif len(first) > 1:
        pool = ProcessPool(judge, workers, warn)
    else:
        pool = SerialPool(judge)
    try:
        yield pool.judged(chain(first, batches))
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt("interrupted; no scores were written") from error
    finally:
        pool.close()
