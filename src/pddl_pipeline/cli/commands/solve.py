"""``pddl-pipeline solve``."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import click

from pddl_pipeline.cli.console import note
from pddl_pipeline.cli.judging import reported_problem
from pddl_pipeline.cli.options import (
    INPUT,
    OUTPUT,
    PLANNER_NAMES,
    Json,
    Lenient,
    LimitOptions,
    PlannerOptions,
    cli_command,
)
from pddl_pipeline.cli.status import BAD_INPUT, DONE, INTERRUPTED, NOT_VALID, UNEXPLAINED
from pddl_pipeline.io.files import write_file
from pddl_pipeline.model.attempt import Attempt, Outcome, TimedPlan, best_plan
from pddl_pipeline.model.number import decimal_text, number_decimal
from pddl_pipeline.model.text import counted
from pddl_pipeline.model.verdict import CONTINUOUS, Status
from pddl_pipeline.planners.attempting import Interrupted
from pddl_pipeline.runs.solving import Solution, solve
from pddl_pipeline.validation.sexpr import read_pddl

_CTRL_C: Final = "interrupted"


@cli_command(
    "solve", "solve pddl_domains/ferry/domain.pddl pddl_domains/ferry/p01.pddl --planner lama-first"
)
def command(  # noqa: PLR0913 -- one parameter an option or group
    *,
    domain: Annotated[Path, click.argument("domain", type=INPUT)],
    problem: Annotated[Path, click.argument("problem", type=INPUT)],
    planner: Annotated[str | None, click.option(
        "--planner", shell_complete=PLANNER_NAMES,
        help="Planner to run: a name that `pddl-pipeline list planners` shows, up:ENGINE, "
        "fd:SEARCH or NAME=cmd:COMMAND, as for `run`. Defaults to a planner that suits the "
        "problem.",
    ), "Planners"],
    choice: PlannerOptions,
    limits: LimitOptions,
    output: Annotated[Path | None, click.option(
        "-o", "output", type=OUTPUT, help="File to write the plan to."
    ), "Output"],
    lenient: Lenient,
    as_json: Json,
) -> int:  # fmt: skip
    """Run a planner on a problem and print its best valid plan.

    Plans are validated first; an invalid plan is not printed. An undecided one is, with the reason
    in its first line. Ctrl-C prints the best valid plan found so far.

    Exit status: 0 valid plan, 1 no valid plan within the limits, 2 bad input, 3 the planner
    crashed, the validators disagree or the plan is undecided, 130 interrupted.
    """
    planners = choice.planners(() if planner is None else (planner,))
    if len(planners) > 1:
        names = ", ".join(each.partition("=")[0] for each in planners)
        raise click.UsageError(
            f"{choice.planner_file} has {len(planners)} planners; choose one with --planner: "
            f"{names}"
        )
    given: tuple[str | Path, str | Path] = domain, problem
    if lenient:
        domain_pddl, problem_pddl = read_pddl(domain, "domain"), read_pddl(problem, "problem")
        given = domain_pddl[0], reported_problem(domain_pddl, problem_pddl)[0]
    named = planners[0] if planners else None
    try:
        solution = _best(solve(*given, named, limits.limits, report=_report))
    except Interrupted as error:
        solution = _interrupted(error)
    plan = _plan_text(solution)
    if as_json:
        click.echo(_json(solution))
    if output is not None and plan:
        write_file(output, plan)
    elif not as_json:
        click.echo(plan, nl=False)
    click.echo(_summary(solution), err=True)
    for other in solution.others[:1]:
        command = shlex.join(["pddl-pipeline", "solve", str(domain), str(problem)])
        note(f"also for this task: `{command} --planner {other}`")
    return _exit_status(solution)


def _report(plan: TimedPlan) -> None:
    """Print that a plan was found, while the planner goes on."""
    cost = None if plan.verdict is None else plan.verdict.steps_and_cost
    note(f"found a plan after {plan.time_s:.2f} s: {cost}")


def _best(solution: Solution) -> Solution:
    """Return the solution with the best valid plan, if the planner's last plan is not the best."""
    found, claim = best_plan(solution.attempt.improvements), solution.verdict
    if found is None or found.text == solution.attempt.plan or found.verdict is None:
        return solution
    reason = (
        f"the last plan is {claim.status}: {claim.reason}"
        if claim is not None and claim.status is not Status.VALID
        else None
    )
    attempt = replace(solution.attempt, plan=found.text, outcome=Outcome.PLAN_FOUND, reason=reason)
    return replace(solution, attempt=attempt, verdict=found.verdict)


def _interrupted(error: Interrupted) -> Solution:
    """Return the best valid plan that was found before Ctrl-C.

    Raises:
        KeyboardInterrupt: there is none; it has the message.
    """
    best = best_plan(error.plans)
    if best is None:
        raise KeyboardInterrupt("interrupted: no valid plan was found") from error
    found = Attempt(
        Outcome.PLAN_FOUND, best.text, improvements=error.plans, hit=_CTRL_C, wall_s=error.wall_s
    )
    return Solution(error.planner, found, best.verdict)


def _plan_text(solution: Solution) -> str:
    """Return the plan to print or write; an empty string if there is none, or it is not valid."""
    plan, verdict = solution.attempt.plan, solution.verdict
    if plan is None or verdict is None or verdict.status not in (Status.VALID, Status.UNDECIDED):
        return ""
    if verdict.status is Status.UNDECIDED:
        return f"; undecided: {verdict.reason}\n{plan}"
    # Not as a fraction: other programs read the first number of 7/3.
    cost = verdict.cost
    shown = None if cost is None else decimal_text(cost) or number_decimal(cost, 16)
    return f"{plan}{f'; cost = {shown}' if shown else ''}\n"


def _summary(solution: Solution) -> str:
    attempt, verdict = solution.attempt, solution.verdict
    line = f"{solution.planner.name}: {attempt.outcome} in {attempt.wall_s:.2f} s"
    if attempt.hit:
        line += f" ({attempt.hit})" if attempt.hit == _CTRL_C else f" ({attempt.hit} limit)"
    if verdict is not None:
        steps = "" if verdict.steps is None else f"{counted(verdict.steps, 'step')}, "
        line += f", {steps}the plan is {verdict.status}"
        line += f" ({verdict.meaning})" if verdict.meaning else ""
        exact = verdict.opinions.get(CONTINUOUS)
        if exact is not None:
            line += f", {exact.status} continuously{f' ({exact.reason})' if exact.reason else ''}"
    reason = (None if verdict is None else verdict.reason) or attempt.reason
    return f"{line}: {reason}" if reason else line


def _json(solution: Solution) -> str:
    found = solution.to_json()
    if solution.attempt.hit == _CTRL_C:  # not measured
        found |= {"cpu_s": None, "memory_mb": None}
    return json.dumps(found)


def _exit_status(solution: Solution) -> int:
    status = None if solution.verdict is None else solution.verdict.status
    if status is Status.VALID:
        return INTERRUPTED if solution.attempt.hit == _CTRL_C else DONE
    if solution.attempt.outcome is Outcome.INPUT_ERROR:
        return BAD_INPUT
    if solution.attempt.outcome.unexplained or (status is not None and status.is_valid is None):
        return UNEXPLAINED
    return NOT_VALID
