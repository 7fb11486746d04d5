"""Unified Planning: its environment, its engines as planners, and the process that runs one.

It is imported only when it is used, because importing takes a second. ``up:NAME`` or
``up:NAME:key=value,…`` is any installed engine. A separate process below the supervisor runs an
engine. The results are files in the working directory: `PLAN`.1, `PLAN`.2 and so on, and `STATUS`.
"""

from __future__ import annotations

import atexit
import gc
import importlib.util
import json
import math
import os
import re
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache
from heapq import heappop, heappush
from importlib.metadata import packages_distributions
from itertools import count, pairwise
from operator import itemgetter
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from pddl_pipeline.io.files import write_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.planners.planner import DOMAIN, PLAN, PROBLEM, Planner, UpEngine
from pddl_pipeline.validation.features import FEATURES
from pddl_pipeline.validation.plan_reader import plan_file, time_text

# These import ConfigSpace, and with it scipy's statistics, for ``Engine.get_configuration_space``.
_WITH_SPACES: Final = ("unified_planning.shortcuts", "up_pyperplan.engine", "up_tamer.engine")
_SPACES: Final = "ConfigSpace"


def get_environment() -> Any:
    """Import Unified Planning with its engines, and return its global environment.

    ConfigSpace takes twice as long to import as all the rest. It is imported when an engine's
    configuration space is asked for, or when an engine needs more of it.
    """
    if not {_SPACES, *_WITH_SPACES} & sys.modules.keys():
        sys.modules[_SPACES] = _placeholder()
        try:
            for name in _WITH_SPACES:
                with suppress(ImportError):  # Unified Planning skips engines that are not installed
                    importlib.import_module(name)
        finally:
            del sys.modules[_SPACES]
    return importlib.import_module("unified_planning.shortcuts").get_environment()


def _placeholder() -> ModuleType:
    """Return a module with one function, which imports ConfigSpace when it is called."""

    def configuration_space(*values: Any, **named: Any) -> Any:
        return importlib.import_module(_SPACES).ConfigurationSpace(*values, **named)

    module = ModuleType(_SPACES)
    vars(module)["ConfigurationSpace"] = configuration_space
    return module


def environment() -> Any:
    """Return the process's only environment; version 1.3.0 mixes up two environments."""
    found = get_environment()
    found.credits_stream = None
    # Public files use one name for an action and a predicate; PDDL allows it.
    found.error_used_name = False
    return found


def one_line(error: Exception) -> str:
    """Return an exception of Unified Planning or its dependencies as one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}"[:300]


_PREFIX: Final = "up:"
UP_ENGINE: Final = re.compile(_PREFIX)
"""The start of the name of a planner that is an engine of Unified Planning."""


@cache
def up_planner(text: str) -> Planner:
    """Return the planner of a text such as ``up:tamer`` or ``up:tamer:weight=0.8``.

    Unified Planning runs the engine, and decides which problems it supports.

    Raises:
        InputError: Unified Planning has no such engine that finds plans, or a setting has no value.
    """
    name, _, settings = text.removeprefix(_PREFIX).partition(":")
    add_engine(name)
    known = _engines()
    if name not in known:
        raise InputError(
            f"{_PREFIX}{name}: Unified Planning has no engine '{name}' that finds plans on this "
            f"machine{hint(name, known)}; most engines are packages of their own, such as up-{name}"
        )
    engine = known[name]
    package = engine.__module__.partition(".")[0]
    return Planner(
        name=text,
        about=f"the engine {name} of Unified Planning",
        distribution=packages_distributions().get(package, ["unified-planning"])[0],
        command=UpEngine(
            name, _parameters(text, settings), anytime=not engine.is_oneshot_planner()
        ),
        features=FEATURES,
    )


def add_engine(name: str) -> None:
    """Import the package of an engine that Unified Planning does not list, and register it.

    An engine ``kairos`` is in a package ``up_kairos``, whose function `register` adds it.

    Raises:
        InputError: there is such a package, but the engine is not registered.
    """
    factory, package = environment().factory, re.sub(r"\W", "_", f"up_{name}")
    if name in factory.engines or importlib.util.find_spec(package) is None:
        return
    # Extensions made with nanobind print each object that is left at the end of the program.
    atexit.unregister(gc.freeze)
    why = "its function `register` does not add the engine"
    try:
        importlib.import_module(package).register()
    except Exception as error:  # noqa: BLE001 -- a package may raise anything
        why = one_line(error)
    if name not in factory.engines:
        raise InputError(f"{_PREFIX}{name}: {package} is installed but not registered: {why}")


def _engines() -> dict[str, Any]:
    """Return the classes of the engines that find plans, by name."""
    factory = environment().factory
    classes = {name: factory.engine(name) for name in factory.engines}
    return {
        name: engine
        for name, engine in classes.items()
        if engine.is_oneshot_planner() or engine.is_anytime_planner()
    }


def _parameters(text: str, settings: str) -> dict[str, Any]:
    """Return the engine's parameters; a value is JSON if possible, otherwise text."""
    found: dict[str, Any] = {}
    for part in filter(None, settings.split(",")):
        key, equals, value = part.partition("=")
        if not key or not equals:
            raise InputError(f"{text}: found '{part}', expected KEY=VALUE")
        try:
            found[key] = json.loads(value)
        except json.JSONDecodeError:
            found[key] = value
    return found


STATUS: Final = "up-status.json"


def run_engine(
    engine: UpEngine,
    work: Path,
    environment: Mapping[str, str],
    sink: int,
    core: int | None,
) -> None:
    """Run the engine in the folder `work` of this process, on a core if one is given.

    What it prints goes to `sink`.
    """
    if core is not None:
        os.sched_setaffinity(0, {core})
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
    from unified_planning.io import PDDLReader

    try:
        problem = PDDLReader().parse_problem(DOMAIN, PROBLEM)
    except Exception as error:  # noqa: BLE001 -- the reader raises many types, KeyError included
        # This project's reader accepted the files, so the limitation is Unified Planning's.
        reason = f"Unified Planning cannot read the problem: {one_line(error)}"
        return {"status": "UNREADABLE", "reason": reason}
    if problem.quality_metrics and all(m.is_minimize_makespan() for m in problem.quality_metrics):
        # Without it, planners minimise the makespan or the number of steps, or nothing.
        problem.clear_quality_metrics()
    end: dict[str, Any] = {"status": None, "reason": None}
    numbers = count(1)
    for status, found in _results(engine, problem):
        end["status"] = status
        if status == "UNSUPPORTED_PROBLEM":
            end["reason"] = found
        elif found is not None:
            write_file(Path(f"{PLAN}.{next(numbers)}"), plan_text(found))
    return end


def _results(engine: UpEngine, problem: Any) -> Iterator[tuple[str, Any]]:
    """Yield each status that Unified Planning reports, with its plan, if any.

    If the engine does not support the problem, the second item names the unsupported features.
    """
    from unified_planning.shortcuts import AnytimePlanner, OneshotPlanner

    add_engine(engine.name)  # this process did not choose the planner
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


def plan_text(plan: Any) -> str:
    """Return a sequential or time-triggered plan of Unified Planning in IPC format."""
    timed = getattr(plan, "timed_actions", None)
    return plan_file(Plan(map(_step, plan.actions) if timed is None else _timed_steps(timed)))


def _step(action: Any, time: Fraction | None = None, duration: Fraction | None = None) -> Step:
    arguments = tuple(map(str, action.actual_parameters))
    length = None if duration is None else time_text(duration)
    return Step(action.action.name, arguments, time=time, duration=length)


def _timed_steps(timed: Sequence[tuple[Fraction, Any, Fraction | None]]) -> Iterator[Step]:
    """Yield the steps of a time-triggered plan, with decimals that keep the order of its times.

    A duration such as 1/3 has no decimals, so its step ends early or late. A step starts no earlier
    than the ends that came before it or at its time. There are digits enough for all steps to move
    by less than the smallest difference of two times.
    """
    times = sorted({time for start, _, length in timed for time in (start, start + (length or 0))})
    gap = min((later - time for time, later in pairwise(times)), default=1)
    digits = 6 + len(str(math.ceil(len(timed) / gap)))
    last = Fraction(0)
    ends: list[tuple[Fraction, Fraction]] = []
    for start, action, duration in sorted(timed, key=itemgetter(0)):
        while ends and ends[0][0] <= start:
            last = max(last, heappop(ends)[1])
        last = max(last, round(start, digits))
        length = None if duration is None else round(duration, digits)
        heappush(ends, (start + (duration or 0), last + (length or 0)))
        yield _step(action, last, length)
