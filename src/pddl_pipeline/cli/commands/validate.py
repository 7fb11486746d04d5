"""The options of ``pddl-pipeline validate``.

A call without mistakes does not reach this module: `validate_arguments` parses it.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from pddl_pipeline.cli.file_type import INPUT
from pddl_pipeline.cli.judging import judge_plans
from pddl_pipeline.cli.options import JSON, LENIENT
from pddl_pipeline.cli.validate_arguments import tolerance_of, validator_names
from pddl_pipeline.validation.plan_formats import plan_formats


class _Slack(click.ParamType[Fraction]):
    """A positive decimal number, converted without rounding."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Fraction:
        try:
            return tolerance_of(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


@click.command(
    "validate", epilog="Example: pddl-pipeline validate domain.pddl p01.pddl p01.plan -v"
)
@click.argument("domain", type=INPUT)
@click.argument("problem", type=INPUT)
@click.argument("plans", type=INPUT, nargs=-1, required=True, metavar="PLAN...")
@JSON
@click.option(
    "-v", "verbose", is_flag=True, help="Print the changes of each step, and advice, as VAL does."
)
@click.option(
    "--cross-check", default="", metavar="NAMES", help="Also run other validators: up (Unified "
    "Planning), val (an installed VAL). If one disagrees, the plan is disputed.",
)  # fmt: skip
@click.option(
    "--tolerance", type=_Slack(), help="Also print the verdict with this tolerance in every "
    "numeric comparison. VAL uses 1e-4.",
)  # fmt: skip
@click.option(
    "--plan-format", type=click.Choice(list(plan_formats())),
    help="Format of the plans, such as the output of a planner; auto detects it. Defaults to ipc, "
    "which is read strictly.",
)  # fmt: skip
@LENIENT
def command(  # noqa: PLR0913 -- one parameter an option
    domain: Path,
    problem: Path,
    plans: tuple[Path, ...],
    *,
    as_json: bool,
    verbose: bool,
    cross_check: str,
    tolerance: Fraction | None,
    plan_format: str | None,
    lenient: bool,
) -> int:
    """Validate plans with exact arithmetic.

    Exit status: 0 all plans valid, 1 a plan is invalid, 2 bad input (including a plan that cannot
    be read), 3 a plan is undecided or disputed.
    """
    return judge_plans(
        str(domain),
        str(problem),
        list(map(str, plans)),
        as_json=as_json,
        verbose=verbose,
        cross_check=validator_names(cross_check),
        tolerance=tolerance,
        plan_format=plan_format or "",
        lenient=lenient,
    )
