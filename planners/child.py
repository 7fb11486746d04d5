"""The child process of one attempt: runs one planner through Unified Planning.

It works in a private directory that the parent made, since Unified Planning starts Fast Downward
in the current directory, where two runs would overwrite each other's files. All that the parent
learns of the attempt is in files there: `READY` when the planner is about to start, a line in
`PLANS` for each plan, `LOG` with the planner's raw output, and `END` with how it ended.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import IO, Any, Final

from pddl_pipeline.planners.processes import (
    adopt_orphans,
    end_descendants,
    terminate_with_parent,
)

REQUEST: Final = "request.json"
READY: Final = "ready"
PLANS: Final = "plans.jsonl"
LOG: Final = "engine.log"
END: Final = "end.json"


def main() -> None:
    """Carry out the request in the current directory."""
    request = json.loads(Path(REQUEST).read_text(encoding="utf-8"))
    adopt_orphans()
    _end_on_signal(request["parent"], Path.cwd())
    # Imported before the clock starts: it takes a second that is not the planner's.
    from pddl_pipeline.validation.unified_planning import environment  # noqa: PLC0415

    environment()
    threading.excepthook = _end_on_exception
    draft = Path(f"{READY}.draft")
    draft.write_text(str(time.process_time()), encoding="utf-8")
    draft.rename(READY)
    try:
        end = _attempt(request)
    finally:
        end_descendants(os.getpid())
    Path(END).write_text(json.dumps(end), encoding="utf-8")
    # Nothing is left to do, and taking the interpreter down would take a tenth of a second.
    os._exit(0)


def _end_on_signal(parent: int, place: Path) -> None:
    """Have SIGTERM, and the parent's death, end everything; after the latter `place` goes, too."""

    def end(_: int, __: FrameType | None) -> None:
        # Unified Planning's thread must not start a planner while the others are being ended.
        setattr(subprocess, "Popen", None)  # noqa: B010 -- for type checkers
        end_descendants(os.getpid())
        if os.getppid() != parent:
            shutil.rmtree(place, ignore_errors=True)
        os._exit(1)

    signal.signal(signal.SIGTERM, end)
    terminate_with_parent()
    if os.getppid() != parent:
        # It died before it was watched.
        os.kill(os.getpid(), signal.SIGTERM)


def _end_on_exception(args: threading.ExceptHookArgs) -> None:
    """End the process: Unified Planning waits for ever for its thread that runs the planner."""
    traceback.print_exception(args.exc_type, args.exc_value, args.exc_traceback)
    end_descendants(os.getpid())
    os._exit(1)


def _attempt(request: dict[str, Any]) -> dict[str, Any]:
    from unified_planning.io import PDDLReader  # noqa: PLC0415

    from pddl_pipeline.validation.unified_planning import one_line  # noqa: PLC0415

    end: dict[str, Any] = {"status": None, "reason": None, "undefined": False}
    try:
        problem = PDDLReader().parse_problem("domain.pddl", "problem.pddl")
    except Exception as error:  # noqa: BLE001 -- the reader raises many types, KeyError included
        # Our own reader accepted the files, so it is Unified Planning that cannot read them.
        reason = f"Unified Planning cannot read the problem: {one_line(error)}"
        return end | {"status": "UNREADABLE", "reason": reason}
    if problem.quality_metrics and all(m.is_minimize_makespan() for m in problem.quality_metrics):
        # Without time, the makespan is the number of steps, which planners minimise by default.
        problem.clear_quality_metrics()
    end["undefined"] = problem.kind.has_undefined_initial_numeric()
    with ExitStack() as stack:
        log = stack.enter_context(Path(LOG).open("w", encoding="utf-8", buffering=1))
        plans = stack.enter_context(Path(PLANS).open("w", encoding="utf-8", buffering=1))
        for status, found in _results(request, problem, log):
            end["status"] = status
            if status == "UNSUPPORTED_PROBLEM":
                end["reason"] = found
            elif found is not None:
                plan = {"time": time.monotonic(), "plan": _plan_text(found)}
                plans.write(json.dumps(plan) + "\n")
    return end


def _results(request: dict[str, Any], problem: Any, log: IO[str]) -> Iterator[tuple[str, Any]]:
    """Yield each status that Unified Planning reports with its plan, if any.

    A problem that the engine does not support has what it lacks instead.
    """
    from unified_planning.shortcuts import AnytimePlanner, OneshotPlanner  # noqa: PLC0415

    mode = AnytimePlanner if request["anytime"] else OneshotPlanner
    with mode(name=request["engine"], params=request["parameters"]) as engine:
        served = engine.supported_kind().features | set(request["overlook"])
        missing = sorted(problem.kind.features - served)
        if missing:
            yield "UNSUPPORTED_PROBLEM", f"does not support {', '.join(missing)}"
            return
        engine.skip_checks = True
        if request["anytime"]:
            results = engine.get_solutions(problem, output_stream=log)
        else:
            results = [engine.solve(problem, output_stream=log)]
        for result in results:
            yield result.status.name, result.plan


def _plan_text(plan: Any) -> str:
    """Return the IPC form of a sequential plan of Unified Planning."""
    lines = []
    for action in plan.actions:
        words = [action.action.name, *(str(parameter) for parameter in action.actual_parameters)]
        lines.append(f"({' '.join(words)})\n")
    return "".join(lines)


if __name__ == "__main__":
    main()
