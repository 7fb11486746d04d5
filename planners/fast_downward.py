"""Fast Downward, a classical planner with action costs (Helmert 2006), and its output.

Planners that are built on it have the same driver, exit codes, statistics and plan files.

For a single search the driver, a Python program, does four things: it expands an alias, limits the
memory, starts the translator and the search, and prints their exit codes. Its start takes as long
as a small search; a shell does the same in two milliseconds. The driver keeps everything else, such
as portfolios and limits of single parts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final

import psutil

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.planners.canonical import classical
from pddl_pipeline.planners.planner import (
    DOMAIN,
    PLAN,
    PROBLEM,
    Claims,
    Command,
    Log,
    Planner,
    Plans,
    Termination,
    UpEngine,
    Words,
    first_sign,
    package_folder,
)

_SHELL: Final = "/bin/sh"
_BINARIES: Final = Path("builds", "release", "bin")
_PACKAGE: Final = "_pddl_pipeline_fast_downward_driver"
# The exit codes are the driver's: negative for a signal, 30 if the translator ended with 1, 36 if
# the memory cannot be limited.
_SCRIPT: Final = """
part() {
    name=$1; shift
    "$@"; code=$?
    if [ $code -gt 128 ]; then code=$((128 - code)); fi
    if [ $name$code = translate1 ]; then code=30; fi
    echo "$name exit code: $code"
    if [ $code -ne 0 ]; then exit $((code & 255)); fi
}
ulimit -v "$1" || exit 36
export PYTHONPATH="$2${PYTHONPATH:+:$PYTHONPATH}"
python=$3 search=$4 domain=$5 problem=$6
shift 6
part translate "$python" -m fast_downward.translate "$domain" "$problem" --sas-file output.sas
part search "$search" "$@" < output.sas
"""
# The exit codes of Fast Downward's components, as its driver documents and prints them.
_CODES: Final = {
    10: (Outcome.CLAIMS_UNSOLVABLE, "the translator claims that there is no plan"),
    11: (Outcome.CLAIMS_UNSOLVABLE, "the search claims that there is no plan"),
    12: (Outcome.GAVE_UP, "an incomplete search ended without a plan"),
    13: (Outcome.GAVE_UP, "an incomplete search ended without a plan"),
    20: (Outcome.MEMOUT, "the translator ran out of memory"),
    21: (Outcome.TIMEOUT, "the translator ran out of time"),
    22: (Outcome.MEMOUT, "the search ran out of memory"),
    23: (Outcome.TIMEOUT, "the search ran out of time"),
    24: (Outcome.MEMOUT, "the search ran out of memory and time"),
    33: (Outcome.INPUT_ERROR, "the search options are not accepted"),
    34: (Outcome.UNSUPPORTED, "the search does not support a part of the problem"),
    # The CPU time limit ended a component before the component noticed it.
    -24: (Outcome.TIMEOUT, "a part of the planner ran out of time"),
}
# The translator's exit codes for input that it does not accept.
_REFUSED: Final = (30, 31)
_LAST_LINE: Final = re.compile(r"^; cost = \d+ \(.+\)\n\Z", re.MULTILINE)

UNSUPPORTED_NUMBERS: Final = ":numeric-fluents|Fractional numbers are not supported"
"""The sign that an older translator stopped because it does not support numbers."""
STATISTICS: Final = {
    # From the final statistics or, if the search did not end, from the last progress line.
    "expanded": (r"(?:Expanded (?=\d+ state)| (?=\d+ expanded))(\d+)", 1),
    "evaluated": (r"(?:Evaluated (?=\d+ state)| (?=\d+ evaluated))(\d+)", 1),
    "generated": (r"Generated (\d+) state\(s\)", 1),
    "search_s": (r"Search time: (\d+\.?\d*(?:e-?\d+)?)s", 1),
    "planner_memory_mb": (r"Peak memory: (\d+) KB", 2**-10),
    "claimed_cost": (r"Plan cost: (\d+)", 1),
}


def driver_ending(
    planner: str,
    log: str,
    status: int | None,
    *,
    signs: Iterable[tuple[str, Outcome, str]] = (),
    is_proof: bool = False,
) -> Termination | None:
    """Return how a planner run by Fast Downward's driver ended, from the driver's output.

    Args:
        planner: its name for users.
        log: the driver's output.
        status: the driver's exit status.
        signs: signs in the log that count first; see `first_sign`.
        is_proof: whether a search that ended without a plan claims that there is none.
    """
    shown = first_sign(signs, log, status)
    if shown is not None:
        return shown
    codes = [int(code) for code in re.findall(r"exit code: (-?\d+)", log)]
    # The translator reserves memory for its message, but even that may be too little, or too little
    # to load the libraries of Python.
    if ("MemoryError" in log and 30 in codes) or ("failed to map segment" in log and 127 in codes):
        codes = [20]
    known = next((_CODES[code] for code in codes if code in _CODES), None)
    if known is not None and is_proof and known[0] is Outcome.GAVE_UP:
        return Termination(Outcome.CLAIMS_UNSOLVABLE, f"{planner} claims that there is no plan")
    if known is not None:
        # The message of the search about its options is the line before.
        said = re.findall(r"^(.+)\nUsage error occurred", log, re.MULTILINE) or ["no message"]
        usage = f": {said[-1][:300]}" if known[0] is Outcome.INPUT_ERROR else ""
        return Termination(known[0], f"{planner}: {known[1]}{usage}")
    return _refused(planner, log) if set(codes) & set(_REFUSED) else None


def _refused(planner: str, log: str) -> Termination | None:
    """Distinguish invalid PDDL from unsupported PDDL by the translator's messages."""
    # The driver prints the translator's error as bytes of Python: `b'Error: …\\n(function …)\\n'`.
    said = re.findall(r"^(?:b')?(?:Reason: |Got: |Error: )(.+?)(?=\\n|$)", log, re.MULTILINE)
    reason = "; ".join(said)[:300]
    if "Could not parse" in log or "Could not read file" in log:
        return Termination(Outcome.INPUT_ERROR, f"{planner} could not read the problem: {reason}")
    if "exit code: 31" not in log and " not supported" not in log:
        return None
    return Termination(
        Outcome.UNSUPPORTED, f"{planner}: the translator does not accept the problem: {reason}"
    )


def expanded_states(log: str) -> int | None:
    """Return the number of states that a finished search expanded; None if there is none."""
    found = re.findall(r"Expanded (\d+) state", log)
    return int(found[-1]) if found else None


def is_complete(plan: str, _log: str) -> bool:
    """Return whether a plan file is complete: its last line has the cost."""
    return _LAST_LINE.search(plan) is not None


def parts_command(driver_command: Sequence[str], memory_mb: int) -> tuple[str, ...] | None:
    """Return the command line that starts the parts as a command line of the driver would.

    Args:
        driver_command: the command line that Unified Planning makes.
        memory_mb: limit of the address space of each part.

    Returns:
        None if only the driver can do it, or if the installation does not have the expected files.
    """
    python, script, *arguments = driver_command
    home = Path(script).parent
    match arguments:
        case ["--plan-file", plan, "--log-level", "info", "--alias", alias, domain, problem]:
            search = _expanded(alias, home / "driver")
        case ["--plan-file", plan, "--log-level", "info", domain, problem, "--search-options",
              "--search", text] if not text.startswith("-"):  # fmt: skip
            search = ["--search", text]
        case _:
            return None
    binary, translator = home / _BINARIES / "downward", home / _BINARIES / "fast_downward"
    if not (search and binary.is_file() and translator.is_dir() and Path(_SHELL).exists()):
        return None
    return (
        _SHELL, "-c", _SCRIPT, "sh", str(memory_mb << 10), str(translator.parent), python,
        str(binary), domain, problem, *search, "--internal-plan-file", plan,
    )  # fmt: skip


def _expanded(alias: str, driver: Path) -> list[str]:
    """Return the search options of an alias; none if it names a portfolio or nothing."""
    chosen = SimpleNamespace(search_options=[], portfolio=None)
    try:
        _aliases(driver).set_options_for_alias(alias, chosen)
    except (ImportError, AttributeError, KeyError):
        # An unknown alias, or a version of the driver with other modules.
        return []
    return list(chosen.search_options)


@cache
def _aliases(driver: Path) -> Any:
    """Return the driver's module of aliases, imported from its folder."""
    package = ModuleType(_PACKAGE)
    package.__path__ = [str(driver)]
    sys.modules[_PACKAGE] = package
    return import_module(f"{_PACKAGE}.aliases")


_DRIVER_BYTES: Final = 48 << 20
_PREFIX: Final = "fd:"
_SEED: Final = "{seed}"
SEARCH: Final = re.compile(_PREFIX)
"""The start of the name of a planner that is Fast Downward with a search of the user."""


def driver_command(distribution: str, folder: str, alias: str, search: str) -> Words:
    """Return the command line of the driver, as Unified Planning makes it.

    Args:
        distribution: the distribution that has the driver.
        folder: the driver's package, and its folder there.
        alias: the name of a search; empty for none.
        search: a search in Fast Downward's language; empty for none.
    """
    package, _, place = folder.partition("/")
    script = package_folder(distribution, package) / place / "fast-downward.py"
    named = ("--alias", alias) if alias else ()
    given = ("--search-options", "--search", search) if search else ()
    return (
        sys.executable, str(script), "--plan-file", PLAN, "--log-level", "info",
        *named, DOMAIN, PROBLEM, *given,
    )  # fmt: skip


def with_memory_limit(command: Words, limits: Limits) -> Words:
    """Return the driver's command line with the planner's memory limit.

    The driver applies the limit to the address space of each part. If a part notices the limit
    before it is ended from outside, it still prints its figures.
    """
    python, script, *rest = command
    return (python, script, "--overall-memory-limit", f"{memory_mb(limits)}M", *rest)


def without_driver(command: Words, limits: Limits) -> Words:
    """Return a command line with the same limit that starts the parts without the driver.

    The driver stays where it does more than that.
    """
    return parts_command(command, memory_mb(limits)) or with_memory_limit(command, limits)


def memory_mb(limits: Limits) -> int:
    """Return the limit of a part's address space: the memory limit, less the driver's memory."""
    # The system rejects a limit that is larger than the machine's memory.
    limit = min(limits.memory_bytes, psutil.virtual_memory().total)
    return max(1, max(limit - _DRIVER_BYTES, limit // 2) >> 20)


# Unified Planning counts every numeric constant as real, but Fast Downward supports integers; and
# IPC problems omit costs that no action needs.
OVERLOOK: Final = frozenset({"REAL_NUMBERS_IN_ACTIONS_COST", "UNDEFINED_INITIAL_NUMERIC"})
_engine = partial(UpEngine, overlook=OVERLOOK)
_PLANS: Final = Plans(is_complete=is_complete)


def _command(engine: UpEngine, *, alias: str = "", search: str = "") -> Command:
    folder = "up_fast_downward/downward"
    words = partial(driver_command, "up-fast-downward", folder, alias, search)
    return Command(words, without_driver, configuration=engine)


def _searched(search: str) -> Command:
    engine = _engine("fast-downward", {"fast_downward_search_config": search})
    return _command(engine, search=search)


_fast_downward = partial(
    Planner,
    distribution="up-fast-downward",
    features=frozenset({"costs"}),
    prepare=classical,
    plans=_PLANS,
    log=Log(partial(driver_ending, "Fast Downward"), STATISTICS),
)

PLANNERS: Final = (
    _fast_downward(
        name="lama-first",
        about="Fast Downward: the first plan of LAMA 2011; does not minimise costs",
        command=_command(
            _engine("fast-downward", {"fast_downward_alias": "lama-first"}), alias="lama-first"
        ),
    ),
    _fast_downward(
        name="lama",
        about="Fast Downward: LAMA 2011, improves its plan until the time limit",
        command=_command(
            _engine("fast-downward", {"fast_downward_anytime_alias": "lama"}, anytime=True),
            alias="lama",
        ),
        plans=replace(_PLANS, anytime=True),
    ),
    _fast_downward(
        name="seq-opt-lmcut",
        about="Fast Downward: A* with LM-cut, cost-optimal plans",
        command=_command(_engine("fast-downward-opt"), search="astar(lmcut())"),
        claims=Claims(optimal=True),
    ),
    _fast_downward(
        name="fd-blind",
        about="Fast Downward: A* without a heuristic, cost-optimal plans",
        command=_searched("astar(blind())"),
        claims=Claims(optimal=True),
    ),
)


def search_planner(name: str, repetition: int = 1) -> Planner:
    """Return Fast Downward with the search of a name such as ``fd:astar(lmcut())``.

    ``{seed}`` in the name stands for the number of the repetition.

    Raises:
        InputError: the name has no search.
    """
    # Unified Planning splits the search at spaces into several arguments.
    text = "".join(name.removeprefix(_PREFIX).split())
    search = text.replace(_SEED, str(repetition))
    takes_seed = search != text
    if not search:
        raise InputError(f"{_PREFIX} expected a search after the colon, such as fd:astar(lmcut())")
    return _fast_downward(
        name=name,
        about="Fast Downward with the search in its name",
        command=_searched(search),
        seed=repetition if takes_seed else None,
        with_seed=partial(search_planner, name) if takes_seed else None,
    )
