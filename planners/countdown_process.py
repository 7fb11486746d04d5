"""Solves a countdown problem in PDDL, as a process: ``python -m … domain.pddl problem.pddl plan``.

The last line of its output reports the result.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from pddl_pipeline.countdown.exact import solve_exact
from pddl_pipeline.countdown.recognition import countdown_of
from pddl_pipeline.planners.own_process import run_search, say
from pddl_pipeline.search.baseline import SearchResult, UnsupportedTask
from pddl_pipeline.validation.task import read_task


def main() -> int:
    """Solve the problem, write the plan and print the figures; return the exit status."""
    domain, problem, plan = map(Path, sys.argv[1:])
    return run_search(partial(_search, domain, problem), plan)


def _search(domain: Path, problem: Path) -> SearchResult:
    instance = countdown_of(read_task(domain, problem))
    if instance is None:
        raise UnsupportedTask("this is not the countdown domain of this project")
    answer = solve_exact(instance.numbers, instance.target)
    say(f"Values: {answer.values}")
    if answer.plan is not None:
        say(f"Plan cost: {len(answer.plan)}")
    return SearchResult(answer.plan, answer.reason, answer.proof)


if __name__ == "__main__":
    sys.exit(main())
