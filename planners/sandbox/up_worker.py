"""Runs a planner entirely through Unified Planning, in a separate process below the supervisor.

This is used for engines without a command line and, with ``--via up``, for the others. The results
are files in the working directory: `PLAN`.1, `PLAN`.2 and so on, and `STATUS`.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.io.files import write_file
from pddl_pipeline.model.atom import atom_text
from pddl_pipeline.planners.sandbox.request import DOMAIN, PLAN, PROBLEM, UpEngine

STATUS: Final = "up-status.json"


def run_engine(
    engine: UpEngine,
    work: Path,
    environment: Mapping[str, str],
    sink: int,
    enter: Callable[[], None],
) -> None:
    """Run the engine in the folder `work` of this process, which first calls `enter`.

    What it prints goes to `sink`.
    """
    enter()
    os.setsid()
    os.chdir(work)
    os.environ.clear()
    os.environ.update(environment)
    for stream in (1, 2):
        os.dup2(sink, stream)
    sys.stdout = sys.stderr = os.fdopen(1, "w", buffering=1, encoding="utf-8")
    threading.excepthook = _end_on_exception
    write_file(Path(STATUS), json.dumps(_solve(engine)))


def _end_on_exception(args: threading.ExceptHookArgs) -> None:
    """End the process: Unified Planning would wait forever for the thread that runs the planner."""
    traceback.print_exception(args.exc_type, args.exc_value, args.exc_traceback)
    os._exit(1)


def _solve(engine: UpEngine) -> dict[str, Any]:
    from unified_planning.io import PDDLReader  # noqa: PLC0415

    from pddl_pipeline.planners.unified_planning import one_line  # noqa: PLC0415

    try:
        problem = PDDLReader().parse_problem(DOMAIN, PROBLEM)
    except Exception as error:  # noqa: BLE001 -- the reader raises many types, KeyError included
        # This project's reader accepted the files, so the limitation is Unified Planning's.
        reason = f"Unified Planning cannot read the problem: {one_line(error)}"
        return {"status": "UNREADABLE", "reason": reason}
    if problem.quality_metrics and all(m.is_minimize_makespan() for m in problem.quality_metrics):
        # Without time, the makespan is the number of steps, which planners minimise by default.
        problem.clear_quality_metrics()
    end: dict[str, Any] = {"status": None, "reason": None}
    numbers = count(1)
    for status, found in _results(engine, problem):
        end["status"] = status
        if status == "UNSUPPORTED_PROBLEM":
            end["reason"] = found
        elif found is not None:
            write_file(Path(f"{PLAN}.{next(numbers)}"), _plan_text(found))
    return end


def _results(engine: UpEngine, problem: Any) -> Iterator[tuple[str, Any]]:
    """Yield each status that Unified Planning reports, with its plan, if any.

    If the engine does not support the problem, the second item names the unsupported features.
    """
    from unified_planning.shortcuts import AnytimePlanner, OneshotPlanner  # noqa: PLC0415

    mode = AnytimePlanner if engine.anytime else OneshotPlanner
    with mode(name=engine.name, params=dict(engine.parameters)) as opened:
        # Typed as Any: what it can do is part of its mode, which its declared type leaves out.
        planner: Any = opened
        missing = sorted(
            problem.kind.features - planner.supported_kind().features - engine.overlook
        )
        if missing:
            yield "UNSUPPORTED_PROBLEM", f"does not support {', '.join(missing)}"
            return
        planner.skip_checks = True
        if engine.anytime:
            results = planner.get_solutions(problem, output_stream=sys.stdout)
        else:
            results = [planner.solve(problem, output_stream=sys.stdout)]
        for result in results:
            if result.status.name == "INTERNAL_ERROR":
                # Engines that are Python libraries do not print their messages.
                print(*(m.message for m in result.log_messages or ()), sep="\n")  # noqa: T201
            yield result.status.name, result.plan


def _plan_text(plan: Any) -> str:
    """Return a sequential plan of Unified Planning in IPC format."""
    lines = []
    timed = getattr(plan, "timed_actions", None)
    for action in plan.actions if timed is None else [action for _, action, _ in timed]:
        words = [action.action.name, *(str(parameter) for parameter in action.actual_parameters)]
        lines.append(f"{atom_text(words)}\n")
    return "".join(lines)
