"""Search that rejects false plans: each claimed plan is judged exactly, and the search goes on.

A planner that computes in doubles claims plans that are none. When a claimed plan fails, the
planner is started again from the states on the way of that plan, the last one first: the steps to
them are valid, and a state near the end leaves a small problem. What it claims there is put behind
those steps and judged as a whole. So no false plan is returned, whatever is claimed. A search that
ends without a plan proves nothing, since the numbers of a later state are rounded.

``python -m … COMMANDS domain.pddl problem.pddl plan`` runs it. COMMANDS is JSON: the command lines
of ENHSP for the first search and for those from later states. The last line of the output reports
the result.
"""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from pddl_pipeline.io.platform import resource
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import InputError, NotJudged, PlanSyntaxError, StepFails
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.model.text import atom_text, counted
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.planners.enhsp import (
    PAPERS,
    STATISTICS,
    STRICT,
    ending,
    engine,
    enhsp_command,
    is_complete,
)
from pddl_pipeline.planners.java import java_command
from pddl_pipeline.planners.own_process import ending as own_ending
from pddl_pipeline.planners.own_process import own_command, run_inside, run_search, say
from pddl_pipeline.planners.planner import Command, Log, Termination, Words
from pddl_pipeline.search.baseline import SearchResult
from pddl_pipeline.validation.sexpr import SList, Source
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task, read_task

FIRST_S: Final = 5.0
"""The CPU time limit of a search from a later state. Searches that end at it are repeated with
`FACTOR` times as much when all others have ended, and so on."""
FACTOR: Final = 4
_SEARCHES: Final = ("enhsp", "enhsp-strict")
"""The planners of the first search of `enhsp-checked` and of those from later states. In a later
state, tolerance accepts near misses that the strict search does not stop at."""


class Claim(NamedTuple):
    """The result of one search."""

    plan: str | None
    """The text of the claimed plan."""
    was_cut: bool = False
    """Whether the search ended at its time limit."""
    ending: Termination | None = None
    """How it ended without a plan."""


Search = Callable[[State, float], Claim]
"""Searches from a state of the task, for some seconds of CPU time."""


def repaired_plan(task: Task, claimed: str, search: Search, rejected: list[str]) -> Plan | None:
    """Return the claimed plan if it is valid, or else a valid plan of further searches.

    Args:
        task: the task.
        claimed: the text of the plan that was claimed.
        search: searches from a later state.
        rejected: collects why plans are false.

    Returns:
        A valid plan; None if no search from a state of a false plan has led to one.

    Raises:
        NotJudged: the initial state cannot be evaluated.
    """
    open_, cut = list[Plan](), list[Plan]()
    seconds, known = FIRST_S, set[int]()
    plan: Plan | None = _read(task, claimed, Plan())
    while True:
        if plan is not None:
            verdict = task.judge(plan)
            if verdict.status is Status.VALID:
                return plan
            rejected.append(verdict.reason or str(verdict.status))
            open_ += _new_prefixes(task, plan, known)
        if not open_:
            if not cut:
                return None
            # Reversed, so that the search that was cut first is repeated first.
            open_, cut, seconds = cut[::-1], [], seconds * FACTOR
        steps = open_.pop()
        claim = search(_state_after(task, steps), seconds)
        if claim.was_cut:
            cut.append(steps)
        plan = None if claim.plan is None else _read(task, claim.plan, steps)


def _read(task: Task, text: str, before: Plan) -> Plan | None:
    """Return the steps of a claimed plan behind those before it; None if it is no plan."""
    with suppress(PlanSyntaxError):
        # Without places and times, which are those of another text.
        steps = (Step(step.action, step.arguments) for step in task.read_plan(text))
        return Plan((*before, *steps))
    return None


def _new_prefixes(task: Task, plan: Plan, known: set[int]) -> Iterator[Plan]:
    """Yield the applicable beginnings of a plan that lead to new states, the shortest first."""
    with suppress(StepFails, NotJudged):
        for number, state in enumerate(task.trace(plan)):
            # Only the hash is kept. Equal hashes may lose a start, but accept no false plan.
            mark = hash((frozenset(state.facts), frozenset(state.values.items())))
            if mark not in known:
                known.add(mark)
                yield Plan(plan[:number])


def _state_after(task: Task, steps: Plan) -> State:
    state = task.initial_state()
    for step in steps:
        task.apply(step, state)
    return state


_INIT = ":init"


def problem_from_state(task: Task, problem: str, state: State) -> str:
    """Return the text of a problem with a state as its initial state.

    A number that is not whole is rounded to the nearest double. Planners may round further: ENHSP
    reads numbers as floats of 32 bits.

    Args:
        task: the task of the problem.
        problem: the text of the problem.
        state: a state of the task; derived atoms are left out.

    Raises:
        OverflowError: a number is larger than every double.
    """
    derived = task.vocabulary.derived
    atoms = [atom_text(fact) for fact in sorted(state.facts) if fact[0] not in derived]
    values = [
        f"(= {atom_text(fluent)} {_decimal(value)})"
        for fluent, value in sorted(state.values.items())
    ]
    init = "\n    ".join(["(:init", *atoms, *values])
    source = Source(problem, "problem.pddl")
    sections = [part for part in source.read() if isinstance(part, SList) and part[:1] == [_INIT]]
    ((start, end),) = source.spans(sections)
    return f"{problem[:start]}{init})\n{problem[end:]}"


def _decimal(value: Number) -> str:
    exact = Fraction(value)
    if exact.denominator == 1:
        return str(exact.numerator)
    # Positional notation: not all planners read exponents.
    return f"{Decimal(repr(float(exact))):f}"


_COUNTED: Final = {"expanded": "Expanded Nodes", "evaluated": "States Evaluated"}
"""Figures whose totals are printed, with ENHSP's words for them."""
_ERRORS: Final[Mapping[Outcome, Callable[[str], Exception]]] = {
    Outcome.MEMOUT: MemoryError,
    Outcome.INPUT_ERROR: InputError,
    Outcome.CRASH: ChildProcessError,
}


class _Enhsp:
    """ENHSP in separate folders, with totals over all its searches."""

    def __init__(self, domain: Path, problem: Path) -> None:
        self.domain = domain.read_text(encoding="utf-8", errors="replace")
        self.problem = problem.read_text(encoding="utf-8", errors="replace")
        self.rejected: list[str] = []
        self._work = domain.parent
        self._totals = dict.fromkeys(_COUNTED, 0)
        self._searches = 0

    def search(self, command: Sequence[str], problem: str, seconds: float | None = None) -> Claim:
        """Search for a plan of a problem, without or with a limit of CPU time."""
        self._searches += 1
        prepare = None if seconds is None else partial(_limit, seconds)
        done = run_inside(command, self.domain, problem, self._work, prepare)
        for name in _COUNTED:
            found = re.findall(STATISTICS[name][0], done.log)
            self._totals[name] += int(found[-1]) if found else 0
        if is_complete(done.plan, done.log):
            say(f"Search {self._searches}: claims {counted(len(done.plan.splitlines()), 'step')}")
            return Claim(done.plan)
        was_cut = done.status in (-signal.SIGXCPU, -signal.SIGKILL)
        ended = ending(done.log, done.status)
        how = "cut" if was_cut else ended.reason if ended else f"exit status {done.status}"
        say(f"Search {self._searches}: {how}")
        return Claim(None, was_cut, ended or Termination(Outcome.CRASH, "ENHSP ended unexpectedly"))

    def figures(self) -> Iterator[str]:
        """Yield why plans were rejected, and the totals in ENHSP's words."""
        yield from (f"Rejected: {reason}" for reason in self.rejected)
        yield from (f"{words}: {self._totals[name]}" for name, words in _COUNTED.items())


def _limit(seconds: float) -> None:
    whole = max(1, round(seconds))
    # SIGXCPU at the first limit; SIGKILL at the second, if Java has not ended.
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
    # SIGXCPU writes a core file by default, as large as Java's heap.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> int:
    """Search, write a plan that is valid and print the figures; return the exit status."""
    first, later = json.loads(sys.argv[1])
    domain, problem, plan = map(Path, sys.argv[2:])
    runner = _Enhsp(domain, problem)

    def search() -> SearchResult:
        task = read_task(domain, problem)
        claim = runner.search(first, runner.problem)
        if claim.ending is not None:
            return _without_plan(claim.ending)

        def again(state: State, seconds: float) -> Claim:
            try:
                text = problem_from_state(task, runner.problem, state)
            except OverflowError:
                return Claim(None)
            return runner.search(later, text, seconds)

        found = repaired_plan(task, claim.plan or "", again, runner.rejected)
        return SearchResult(found, "no search from a state of a false plan found a valid one")

    return run_search(search, plan, runner.figures)


def _without_plan(ended: Termination) -> SearchResult:
    """Return the result of the first search if it claims no plan."""
    if ended.outcome in _ERRORS:
        raise _ERRORS[ended.outcome](ended.reason)
    is_claim = ended.outcome is Outcome.CLAIMS_UNSOLVABLE
    return SearchResult(None, ended.reason, proof=is_claim)


def _checked_command() -> Words:
    commands = [enhsp_command(f"-npm {options}") for options in (PAPERS, STRICT)]
    return own_command("enhsp_checked", json.dumps(commands))


def _checked_adapted(command: Words, limits: Limits) -> Words:
    *start, commands, domain, problem, plan = command
    adapted = [java_command(tuple(each), limits) for each in json.loads(commands)]
    return (*start, json.dumps(adapted), domain, problem, plan)


PLANNERS: Final = (
    engine(
        name="enhsp-checked",
        about="ENHSP; rejects each plan that fails the exact check, and searches on",
        command=Command(
            _checked_command,
            _checked_adapted,
            configuration=json.dumps([_SEARCHES, FIRST_S, FACTOR]),
        ),
        log=Log(partial(own_ending, "enhsp-checked"), STATISTICS),
        sample="countdown",
    ),
)


if __name__ == "__main__":
    sys.exit(main())
