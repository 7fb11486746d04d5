"""The child process of one attempt: runs one planner through Unified Planning.

It works in a private directory that the parent made, since Unified Planning starts Fast Downward
in the current directory, where two runs would overwrite each other's files. All that the parent
learns of the attempt is in files there: `READY` when the planner is about to start, a line in
`PLANS` for each plan, `LOG` with the planner's raw output, and `END` with how it ended.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import IO, Any, Final

from pddl_pipeline.planners.processes import adopt_orphans, end_descendants, end_with_parent

REQUEST: Final = "request.json"
READY: Final = "ready"
PLANS: Final = "plans.jsonl"
LOG: Final = "engine.log"
END: Final = "end.json"


def main() -> None:
    """Carry out the request in the current directory."""
    request = json.loads(Path(REQUEST).read_text(encoding="utf-8"))
    adopt_orphans()
    end_with_parent(request["parent"])
    signal.signal(signal.SIGTERM, _end_everything)
    # Imported before the clock starts: it takes a second that is not the planner's.
    import unified_planning.shortcuts  # noqa: F401, PLC0415

    Path(READY).write_text(str(time.process_time()), encoding="utf-8")
    try:
        end = _attempt(request)
    finally:
        end_descendants(os.getpid())
    Path(END).write_text(json.dumps(end), encoding="utf-8")


def _end_everything(_: int, __: FrameType | None) -> None:
    end_descendants(os.getpid())
    os._exit(1)


def _attempt(request: dict[str, Any]) -> dict[str, str | None]:
    from unified_planning.io import PDDLReader  # noqa: PLC0415
    from unified_planning.shortcuts import get_environment  # noqa: PLC0415

    environment = get_environment()
    environment.credits_stream = None
    # Public files give one name to an action and a predicate; PDDL allows it.
    environment.error_used_name = False
    try:
        problem = PDDLReader().parse_problem("domain.pddl", "problem.pddl")
    except Exception as error:  # noqa: BLE001 -- the reader raises many types, KeyError included
        # Our own reader accepted the files, so it is Unified Planning that cannot read them.
        return {"status": "UNREADABLE", "reason": _one_line(error)}
    end: dict[str, str | None] = {"status": None, "reason": None}
    with ExitStack() as stack:
        log = stack.enter_context(Path(LOG).open("w", encoding="utf-8", buffering=1))
        plans = stack.enter_context(Path(PLANS).open("w", encoding="utf-8", buffering=1))
        for status, plan in _results(request, problem, log):
            end["status"] = status
            if plan is not None:
                plans.write(json.dumps(_plan_text(plan)) + "\n")
    return end


def _results(request: dict[str, Any], problem: Any, log: IO[str]) -> Iterator[tuple[str, Any]]:
    """Yield the name of each status that Unified Planning reports, with its plan or None."""
    from unified_planning.shortcuts import AnytimePlanner, OneshotPlanner  # noqa: PLC0415

    mode = AnytimePlanner if request["anytime"] else OneshotPlanner
    with mode(name=request["engine"], params=request["parameters"]) as engine:
        # Every numeric constant counts as real here, but Fast Downward serves those that are
        # whole; and IPC problems leave costs out that no action can need.
        kind = problem.kind.clone()
        kind.unset_actions_cost_kind("REAL_NUMBERS_IN_ACTIONS_COST")
        kind.unset_initial_state("UNDEFINED_INITIAL_NUMERIC")
        if not engine.supports(kind):
            missing = sorted(kind.features - engine.supported_kind().features)
            log.write(f"not supported: {', '.join(missing)}\n")
            yield "UNSUPPORTED_PROBLEM", None
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


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}"[:300]


if __name__ == "__main__":
    main()
