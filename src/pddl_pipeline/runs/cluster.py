"""Run jobs on an existing Dask cluster; requires the optional extra ``cluster``."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError, Executor
from contextlib import suppress
from functools import cache
from typing import Any, Final
from uuid import uuid4

from pddl_pipeline.model.errors import DiskError, EngineError, InputError, WorkerError
from pddl_pipeline.model.extras import check_package
from pddl_pipeline.planners.attempting import check_engine
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.runs.running import Pool, StopFlag

_ASK_EVERY_S: Final = 2.0


class ClusterStop:
    """A stop flag that every job of an experiment can read, on any machine."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._set = False
        self._asked: float | None = None

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        # `_asked` has no meaning on another machine: its clock differs.
        return (_stop_named, (self._name,))

    def is_set(self) -> bool:
        """Return whether the flag is set; asks every two seconds, since asking costs a message."""
        now = time.monotonic()
        if not self._set and (self._asked is None or now - self._asked > _ASK_EVERY_S):
            self._asked = now
            self._set = self._event().is_set()
        return self._set

    def set(self) -> None:
        """Set the flag for all jobs."""
        self._event().set()

    def _event(self) -> Any:
        from distributed import Event  # optional

        return Event(self._name)


@cache
def _stop_named(name: str) -> ClusterStop:
    """Return the same flag for all jobs of a process: short ones would each ask once otherwise."""
    return ClusterStop(name)


class ClusterPool(Pool):
    """Pool that runs jobs on the workers of a Dask cluster."""

    def __init__(self, address: str, planners: Sequence[str]) -> None:
        """Connect to a scheduler.

        Args:
            address: see `connect`.
            planners: names of planners that every worker must have.

        Raises:
            InputError: as for `connect`.
            EngineError: a worker lacks a planner.
        """
        self._client = connect(address)
        from distributed import KilledWorker  # optional

        self.losses: tuple[type[Exception], ...] = (KilledWorker, WorkerError)
        self.faults: tuple[type[Exception], ...] = (DiskError, EngineError, OSError)
        self.ends: tuple[type[Exception], ...] = (CancelledError, OSError, RuntimeError)
        self.broken = set[str]()
        for worker, fault in self._client.run(missing_planner, list(planners)).items():
            if fault:
                raise EngineError(f"worker {worker}: {fault}")
        self.executor: Executor = self._client.get_executor(pure=False)
        self.stop: StopFlag = ClusterStop(f"pddl-pipeline-{uuid4().hex}")

    def size(self) -> int:
        """Return the current number of worker threads; workers may join and leave."""
        return max(1, sum(map(int, self._client.nthreads().values())))

    def close(self) -> None:
        """Stop the running jobs; the workers take some seconds to notice."""
        # Without a scheduler, nothing is left to stop.
        with suppress(*self.ends):  # there is no scheduler any more
            self.stop.set()
            self.executor.shutdown(wait=False)
        self._client.close()


def connect(address: str) -> Any:
    """Return a Dask client of a scheduler.

    Args:
        address: address of the scheduler, such as ``tcp://node1:8786``. Dask's setting
            ``distributed.comm.timeouts.connect`` limits the wait for it, 30 s by default.

    Raises:
        EngineError: the extra is not installed.
        InputError: there is no scheduler at the address.
    """
    check_package("--scheduler", "distributed", "cluster")
    from distributed import Client  # optional

    # It logs several pages when the scheduler is lost. Its import sets the levels.
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        # Typed as Any: an argument of the constructor makes its methods coroutines or not.
        found: Any = Client(address, set_as_default=True)
    except (OSError, ValueError) as error:
        raise InputError(f"no Dask scheduler at {address}: {error}") from None
    return found


def missing_planner(names: list[str]) -> str | None:
    """Return, on a worker, which planner is missing there and why; None if all are available."""
    for name in names:
        try:
            check_engine(planner_named(name))
        except (InputError, EngineError) as error:
            return f"{name}: {error}"
    return None
