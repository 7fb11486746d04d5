"""``pddl-pipeline validate``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from pddl_pipeline.cli.exit_status import (
    BAD_INPUT,
    DONE,
    NOT_VALID,
    UNEXPLAINED,
    WORST_FIRST,
)
from pddl_pipeline.cli.options import JSON
from pddl_pipeline.cli.verdict_text import steps_text, verdict_text
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import number_json
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.validation.opinions import opinions_json, with_opinions
from pddl_pipeline.validation.task import Task, read_file, read_pddl, read_task

if TYPE_CHECKING:
    from pddl_pipeline.validation.up_opinion import UnifiedPlanning

_EXIT: Final = {
    Status.VALID: DONE,
    Status.INVALID: NOT_VALID,
    Status.MALFORMED: BAD_INPUT,
    Status.UNDECIDED: UNEXPLAINED,
    Status.DISPUTED: UNEXPLAINED,
}
_VALIDATORS: Final = ("up",)


@click.command(
    "validate", epilog="Example: pddl-pipeline validate domain.pddl p01.pddl p01.plan -v"
)
@click.argument("domain", type=click.Path(path_type=Path))
@click.argument("problem", type=click.Path(path_type=Path))
@click.argument("plans", nargs=-1, required=True, metavar="PLAN...")
@JSON
@click.option("-v", "verbose", is_flag=True, help="Print what each step changes.")
@click.option(
    "--cross-check", default="", metavar="NAMES", help="Ask other validators too: up. "
    "Where one disagrees, the plan is disputed.",
)  # fmt: skip
def command(  # noqa: PLR0913 -- one parameter an option
    domain: Path,
    problem: Path,
    plans: tuple[str, ...],
    *,
    as_json: bool,
    verbose: bool,
    cross_check: str,
) -> int:
    """Judge plans exactly.

    Exit status: 0 all valid, 1 some plan invalid, 2 bad input (a plan that cannot be read
    included), 3 undecided or disputed.
    """
    names = _validators(cross_check)
    task = read_task(domain, problem)
    others = _open_validators(names, domain, problem)
    statuses = [DONE]
    for plan in plans:
        try:
            text = read_file(Path(plan))
        except InputError as error:
            click.echo(f"error: {error}", err=True)
            statuses.append(BAD_INPUT)
            continue
        verdict = with_opinions(task.judge(text), {o.name: o.judge(text) for o in others})
        statuses.append(_EXIT[verdict.status])
        _show(task, plan, text, verdict, as_json=as_json, verbose=verbose)
    return min(statuses, key=WORST_FIRST.index)


def _show(  # noqa: PLR0913 -- all of it is shown
    task: Task, plan: str, text: str, verdict: Verdict, *, as_json: bool, verbose: bool
) -> None:
    if as_json:
        click.echo(json.dumps(verdict_json(plan, verdict)))
        return
    click.echo(f"Checking plan: {plan}")
    if verbose and verdict.status is not Status.UNDECIDED:
        for line in steps_text(task, text, verdict):
            click.echo(line)
    for line in verdict_text(plan, verdict):
        click.echo(line)


def verdict_json(plan: str, verdict: Verdict) -> dict[str, Any]:
    """Return the object of ``--json``."""
    found = {
        "plan": plan,
        "status": verdict.status,
        "steps": verdict.steps,
        "cost": number_json(verdict.cost),
        "failed_step": verdict.failed_step,
        "reason": verdict.reason,
        "unsatisfied": list(verdict.unsatisfied),
        "within_budget": verdict.within_budget,
        "opinions": opinions_json(verdict.opinions),
    }
    if verdict.status is Status.MALFORMED:
        found |= {"line": verdict.line, "column": verdict.column}
    return found


def _validators(names: str) -> list[str]:
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    for name in wanted:
        if name not in _VALIDATORS:
            near = did_you_mean(name, _VALIDATORS) or f", known: {', '.join(_VALIDATORS)}"
            raise InputError(f"unknown validator '{name}'{near}")
    return wanted


def _open_validators(names: list[str], domain: Path, problem: Path) -> list[UnifiedPlanning]:
    if not names:
        return []
    # Imported only here: `validate` alone must not pay for Unified Planning.
    from pddl_pipeline.validation.up_opinion import UnifiedPlanning  # noqa: PLC0415

    return [UnifiedPlanning(read_pddl(domain, "domain")[0], read_pddl(problem, "problem")[0])]
