"""Runs jobs on an existing Dask cluster; needs the optional extra ``cluster``."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any, Final
from uuid import uuid4

from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.planners.attempt import check_engine
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.runs.running import StopFlag

_ASK_EVERY_S: Final = 2.0


class ClusterStop:
    """A flag that every job of an experiment can see, on whatever machine it runs."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._set = False
        self._asked: float | None = None

    def __reduce__(self) -> tuple[type[ClusterStop], tuple[str]]:
        # The clocks of other machines show other times.
        return (ClusterStop, (self._name,))

    def is_set(self) -> bool:
        """Return whether it was set some seconds ago; asking costs a message to the scheduler."""
        now = time.monotonic()
        if not self._set and (self._asked is None or now - self._asked > _ASK_EVERY_S):
            self._asked = now
            self._set = self._event().is_set()
        return self._set

    def set(self) -> None:
        """Set it for all."""
        self._event().set()

    def _event(self) -> Any:
        from distributed import Event  # noqa: PLC0415 -- optional

        return Event(self._name)


class ClusterPool:
    """Runs jobs on the workers of a Dask cluster."""

    def __init__(self, address: str, planners: Sequence[str], *, via_up: bool = False) -> None:
        """Connect to a scheduler.

        Args:
            address: of the scheduler, such as ``tcp://node1:8786``. How long to wait for it is
                Dask's setting ``distributed.comm.timeouts.connect``, 30 s by default.
            planners: names of planners that every worker must have.
            via_up: whether Unified Planning is to run them.

        Raises:
            InputError: the extra is not installed, or there is no scheduler.
            EngineError: a worker lacks a planner.
        """
        # What it has to say of a lost scheduler are pages.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        try:
            from distributed import Client, KilledWorker  # noqa: PLC0415 -- optional
        except ImportError:
            mend = "pip install 'pddl-pipeline[cluster]'"
            raise InputError(f"--scheduler needs dask.distributed; mend: {mend}") from None
        try:
            # Typed as Any: its methods are coroutines or not by an argument of the constructor.
            self._client: Any = Client(address, set_as_default=True)
        except (OSError, ValueError) as error:
            raise InputError(f"no Dask scheduler at {address}: {error}") from None
        self.losses: tuple[type[Exception], ...] = (KilledWorker,)
        for worker, fault in self._client.run(missing_planner, list(planners), via_up).items():
            if fault:
                raise EngineError(f"worker {worker}: {fault}")
        self.executor: Executor = self._client.get_executor(pure=False)
        self.stop: StopFlag = ClusterStop(f"pddl-pipeline-{uuid4().hex}")

    def size(self) -> int:
        """Return how many threads the workers have now; they come and go."""
        return max(1, sum(map(int, self._client.nthreads().values())))

    def close(self) -> None:
        """End what still runs; the workers take some seconds to notice."""
        self.stop.set()
        self.executor.shutdown(wait=False)
        self._client.close()


def missing_planner(names: list[str], via_up: bool) -> str | None:  # noqa: FBT001 -- for Dask
    """Return, on a worker, what is missing there; None if nothing is."""
    for name in names:
        try:
            check_engine(planner_named(name), via_up=via_up)
        except (InputError, EngineError) as error:
            return f"{name}: {error}"
    return None
