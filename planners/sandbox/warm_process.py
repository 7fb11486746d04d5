"""The warm process: forks a supervisor for each attempt, with Unified Planning imported if needed.

Importing it takes a second or two. That is paid once here instead of once an attempt, and not at
all by planners that do without it. `multiprocessing` has such a process, too, but it runs the main
script of whoever uses the library in every child.

Messages are JSON objects on a Unix socket, one question at a time; see `launcher`, which asks.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, Final, NoReturn

import msgspec

from pddl_pipeline.planners.sandbox.cgroup import own_group, take_over, unavailable_reason
from pddl_pipeline.planners.sandbox.processes import Family
from pddl_pipeline.planners.sandbox.request import (
    DOMAIN,
    LARGEST_MESSAGE,
    PLAN,
    PROBLEM,
    Request,
    UpEngine,
)
from pddl_pipeline.planners.sandbox.supervisor import Supervisor
from pddl_pipeline.validation.unified_planning import environment, one_line

_TICK_S: Final = 1.0


class WarmProcess:
    """Answers questions until whoever asks them is gone."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._parent = os.getppid()
        self._family = Family()
        # Each with the end of the pipe that it reports to. This process keeps a copy open until all
        # is cleaned up, so that the runner hears of the end no sooner.
        self._supervisors: dict[int, int] = {}
        group = own_group()
        self._delegated = (
            group if group and unavailable_reason(group) is None and take_over(group) else None
        )
        self._woken, wake = os.pipe()
        for end in (self._woken, wake):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    def serve(self) -> None:
        """Answer until the socket is closed; supervisors end with this process."""
        sources: list[socket.socket | int] = [self._channel, self._woken]
        # Now and then without a cause: the socket may have been inherited by somebody who lives on.
        while os.getppid() == self._parent:
            ready, _, _ = select.select(sources, [], [], _TICK_S)
            if self._woken in ready:
                os.read(self._woken, LARGEST_MESSAGE)
                self._reap()
            if self._channel in ready and not self._answer():
                return

    def _reap(self) -> None:
        """Forget supervisors that have ended; end what one has left that was killed."""
        self._family.reap()
        statuses = self._family.statuses
        while ended := {n: statuses[n] for n in self._supervisors if n in statuses}:
            sinks = [self._supervisors.pop(number) for number in ended]
            if any(ended.values()):
                # Others may end meanwhile, which the next turn is for.
                self._family.end_strangers(self._supervisors.keys())
            for sink in sinks:
                os.close(sink)
        statuses.clear()

    def _answer(self) -> bool:
        """Answer a question; return whether whoever asks is still there."""
        handles: list[int] = []
        try:
            message = self._channel.recv(LARGEST_MESSAGE)
            if not message:
                return False
            answer = self._answer_to(message, handles)
            socket.send_fds(self._channel, [json.dumps(answer).encode()], handles)
        except ConnectionError:
            return False
        finally:
            for handle in handles:
                os.close(handle)
        return True

    def _answer_to(self, message: bytes, handles: list[int]) -> dict[str, Any]:
        """Return the answer; add to `handles` what is to be sent with it."""
        try:
            question = json.loads(message)
            if "request" in question:
                handles += self._launch(Path(question["request"]))
                return {}
            return {"command": _command(msgspec.convert(question["engine"], UpEngine))}
        except Exception as error:  # noqa: BLE001 -- told to whoever asked
            return {"fault": one_line(error)}

    def _launch(self, file: Path) -> list[int]:
        """Fork a supervisor; return a handle on it, and the end of the pipe that it reports to."""
        request = msgspec.convert(json.loads(file.read_bytes()), Request)
        if isinstance(request.what, UpEngine):
            _import_unified_planning()
        source, sink = os.pipe()
        try:
            number = os.fork()
        except OSError:
            os.close(source)
            os.close(sink)
            raise
        if number == 0:
            for handle in (source, self._channel.fileno(), *self._supervisors.values()):
                os.close(handle)
            _supervise(request, os.getppid(), self._delegated, sink)
        self._supervisors[number] = sink
        return [os.pidfd_open(number), source]


def _supervise(request: Request, parent: int, delegated: Path | None, sink: int) -> NoReturn:
    """Supervise an attempt in this process, tell what was seen, and end the process."""
    status = 1
    try:
        os.setsid()
        seen = Supervisor(request, parent, delegated).run()
        os.write(sink, json.dumps(asdict(seen)).encode())
        status = 0
    except BaseException as error:  # noqa: BLE001 -- nothing may return into what was forked
        os.write(sink, json.dumps({"error": f"{type(error).__name__}: {error}"[:500]}).encode())
    finally:
        os._exit(status)


def _command(engine: UpEngine) -> list[str]:
    """Return the command line that Unified Planning's engine object makes of the file names."""
    _import_unified_planning()
    made = environment().factory.engine(engine.name)(**engine.parameters)
    make = made._get_anytime_cmd if engine.anytime else made._get_cmd  # noqa: SLF001
    return [str(part) for part in make(DOMAIN, PROBLEM, PLAN)]


@cache
def _import_unified_planning() -> None:
    """Import it into this process, for all attempts to come."""
    with suppress(ImportError):
        # Where it is broken, whoever asks for one of its engines is told.
        environment()
    # What is there now stays, and looking at it would copy its pages in every child.
    gc.freeze()


def main() -> None:
    """Serve the socket whose number is the only argument."""
    # The caller's may hold back what this process and planners must hear.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    gc.freeze()
    WarmProcess(socket.socket(fileno=int(sys.argv[1]))).serve()


if __name__ == "__main__":
    main()
