"""Where ``pddl-pipeline score`` judges: in this process, in several, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from itertools import chain, islice
from typing import Any, Final, NamedTuple

import click

from pddl_pipeline.cli.messages import warn
from pddl_pipeline.cli.options import is_given, with_options
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.scoring.batch_judging import BatchJudge
from pddl_pipeline.scoring.score_cluster import ClusterScorePool
from pddl_pipeline.scoring.score_pools import JudgedBatch, ProcessPool, ScorePool, SerialPool


class Places(NamedTuple):
    """Where answers are judged."""

    workers: int
    """Number of processes of this machine."""
    scheduler: str | None
    """Address of the scheduler of a cluster that judges instead; None for none."""


_OPTIONS: Final = (
    click.option(
        "-j", "workers", type=click.IntRange(min=1), default=1, show_default=True,
        help="Number of processes that judge answers. The output is the same.",
    ),
    click.option(
        "--scheduler", metavar="ADDRESS",
        help="Judge on the Dask cluster of this scheduler, such as tcp://node1:8786, instead of on "
        "this machine.",
    ),
)  # fmt: skip


def places(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``-j`` and ``--scheduler``; the command gets `Places` as ``where``."""

    @wraps(command)
    def with_places(*, workers: int, scheduler: str | None, **others: Any) -> Any:
        if scheduler is not None and is_given("workers"):
            reason = "the cluster's workers determine where answers are judged"
            raise InputError(f"-j cannot be combined with --scheduler: {reason}")
        return command(where=Places(workers, scheduler), **others)

    return with_options(with_places, reversed(_OPTIONS))


@contextmanager
def judged_batches(judge: BatchJudge, where: Places) -> Iterator[Iterator[JudgedBatch]]:
    """Return the judged batches in order, and end the processes that judge them at the end.

    Args:
        judge: what judges the batches of its work.
        where: where they are judged.

    Raises:
        InputError: there is no scheduler at the address.
        KeyboardInterrupt: the user interrupted the command; the message says what is written.
    """
    batches = judge.work.source.batches()
    # Processes are started for files of several batches only.
    first = list(islice(batches, 2)) if where.scheduler is None and where.workers > 1 else []
    pool: ScorePool
    if where.scheduler is not None:
        pool = ClusterScorePool(where.scheduler, judge.work)
    elif len(first) > 1:
        pool = ProcessPool(judge, where.workers, warn)
    else:
        pool = SerialPool(judge)
    try:
        yield pool.judged(chain(first, batches))
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt("interrupted; no scores were written") from error
    finally:
        pool.close()
