"""The options of ``pddl-pipeline validate``."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import click

from pddl_pipeline.cli.judging import judge_plans
from pddl_pipeline.cli.options import JSON


class _Slack(click.ParamType[Fraction]):
    """A positive decimal number, which is taken exactly."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Fraction:
        if not re.fullmatch(r"\d{0,50}\.?\d{1,50}(e-?\d{1,3})?", value, re.ASCII | re.IGNORECASE):
            self.fail(f"found '{value}', expected a number such as 1e-4", param, ctx)
        slack = Fraction(value)
        if slack == 0:
            self.fail("found 0, expected a number above 0", param, ctx)
        return slack


@click.command(
    "validate", epilog="Example: pddl-pipeline validate domain.pddl p01.pddl p01.plan -v"
)
@click.argument("domain")
@click.argument("problem")
@click.argument("plans", nargs=-1, required=True, metavar="PLAN...")
@JSON
@click.option(
    "-v", "verbose", is_flag=True, help="Print what each step changes, and advice as VAL does."
)
@click.option(
    "--cross-check", default="", metavar="NAMES", help="Ask other validators too: up (Unified "
    "Planning), val (an installed VAL). Where one disagrees, the plan is disputed.",
)  # fmt: skip
@click.option(
    "--tolerance", type=_Slack(), help="Tell also what the verdict would be with this slack in "
    "every numeric comparison; VAL's is 1e-4.",
)  # fmt: skip
def command(  # noqa: PLR0913 -- one parameter an option
    domain: str,
    problem: str,
    plans: tuple[str, ...],
    *,
    as_json: bool,
    verbose: bool,
    cross_check: str,
    tolerance: Fraction | None,
) -> int:
    """Judge plans exactly.

    Exit status: 0 all valid, 1 some plan invalid, 2 bad input (a plan that cannot be read
    included), 3 undecided or disputed.
    """
    return judge_plans(
        domain,
        problem,
        plans,
        as_json=as_json,
        verbose=verbose,
        cross_check=[name.strip() for name in cross_check.split(",") if name.strip()],
        tolerance=tolerance,
    )
