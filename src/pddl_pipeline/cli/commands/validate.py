"""The options of ``pddl-pipeline validate``.

A call without mistakes does not reach this module: `validate_arguments` parses it.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated

import click

from pddl_pipeline.cli.judging import judge_plans, tolerance_of, validator_names
from pddl_pipeline.cli.options import INPUT, Json, Lenient, Parsed, cli_command
from pddl_pipeline.validation.plan_formats import plan_formats


@cli_command(
    "validate",
    "validate pddl_domains/ferry/domain.pddl pddl_domains/ferry/p01.pddl "
    "pddl_domains/ferry/p01.plan -v",
)
def command(  # noqa: PLR0913 -- one parameter an option
    domain: Annotated[Path, click.argument("domain", type=INPUT)],
    problem: Annotated[Path, click.argument("problem", type=INPUT)],
    plans: Annotated[tuple[Path, ...], click.argument(
        "plans", type=INPUT, nargs=-1, required=True, metavar="PLAN..."
    )],
    *,
    as_json: Json,
    verbose: Annotated[bool, click.option(
        "-v", "verbose", is_flag=True,
        help="Print the changes of each step, and advice, as VAL does.",
    ), "Output"],
    cross_check: Annotated[str, click.option(
        "--cross-check", default="", metavar="NAMES",
        help="Also run other validators: up (Unified Planning), val (an installed VAL), kairos. "
        "If one disagrees, the plan is disputed.",
    ), "Validation"],
    tolerance: Annotated[Fraction | None, click.option(
        "--tolerance", type=Parsed("number", tolerance_of),
        help="Also print the verdict with this tolerance in every numeric comparison. VAL uses "
        "1e-4.",
    ), "Validation"],
    delta: Annotated[Fraction | None, click.option(
        "--delta", type=Parsed("number", tolerance_of),
        help="Judge plans of PDDL+ in steps of time of this length, as ENHSP plans them. Without "
        "it, time is continuous.",
    ), "Validation"],
    plan_format: Annotated[str | None, click.option(
        "--plan-format", type=click.Choice(list(plan_formats())),
        help="Format of the plans, such as the output of a planner; auto detects it. Defaults to "
        "ipc, which is read strictly.",
    ), "Data"],
    lenient: Lenient,
    strict: Annotated[bool, click.option(
        "--strict", is_flag=True,
        help="Reject a domain or problem with a warning: with what the standard forbids.",
    ), "Data"],
) -> int:  # fmt: skip
    """Validate plans with exact arithmetic.

    Exit status: 0 all plans valid, 1 a plan is invalid, 2 bad input (including a plan that cannot
    be read), 3 a plan is undecided or disputed.
    """
    return judge_plans(
        str(domain), str(problem), list(map(str, plans)), as_json=as_json, verbose=verbose,
        cross_check=validator_names(cross_check), tolerance=tolerance,
        delta=delta, plan_format=plan_format or "", lenient=lenient, strict=strict,
    )  # fmt: skip
