"""``pddl-pipeline autotos check``."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import click

from pddl_pipeline.cli.model_options import UNIT_TESTS
from pddl_pipeline.cli.options import INPUT, SANDBOX, Json, check_sandbox, cli_command
from pddl_pipeline.cli.status import DONE, NOT_VALID
from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.model.package_version import VERSION
from pddl_pipeline.papers.autotos.checks import Checked, check_code, own_folder, read_unit_tests
from pddl_pipeline.papers.autotos.domains import DOMAINS
from pddl_pipeline.papers.autotos.feedback import feedback
from pddl_pipeline.search.space import Bounds

BOUNDS: Final = Bounds(1_000_000, 600.0)
"""The bounds of a search with a model's functions: its states, and its seconds."""


@cli_command("check", "autotos check examples/search-code/blocksworld.md --domain blocksworld")
def check(
    file: Annotated[Path, click.argument("file", type=INPUT)],
    name: Annotated[str, click.option(
        "--domain", "name", required=True, type=click.Choice(sorted(DOMAINS)),
        help="Domain that the functions are written for.",
    ), "Functions"],
    tests: Annotated[Path | None, UNIT_TESTS, "Functions"],
    sandbox: Annotated[str, SANDBOX, "Functions"],
    *,
    as_json: Json,
) -> int:  # fmt: skip
    """Check Python functions that define a search.

    FILE has the functions succ, which returns the successors of a state, and isgoal. It is Python
    code, or a model's answer with fenced code. The checks are those of AutoToS. The code runs in a
    sandbox. The checks stop at the first failure and print its category and AutoToS's feedback to
    the model.

    Exit status: 0 all checks passed, 1 a check failed, 2 bad input.
    """
    check_sandbox(sandbox)
    domain = DOMAINS[name]
    answer = read_file(file)
    unit_tests = read_unit_tests(tests or own_folder(domain), domain)
    checked = check_code(answer, domain, unit_tests, BOUNDS)
    click.echo(_json(file, checked) if as_json else _text(file, checked), nl=as_json)
    return DONE if checked.failure is None else NOT_VALID


def _json(file: Path, checked: Checked) -> str:
    failure = checked.failure
    return json.dumps(
        {
            "file": str(file),
            "passed": failure is None,
            "category": None if failure is None else failure.category,
            "function": None if failure is None else failure.function,
            "reason": None if failure is None else failure.reason,
            "feedback": None if failure is None else feedback(failure.fault),
            **{name: value for name, value in asdict(checked).items() if name != "failure"},
            "version": VERSION,
        }
    )


def _text(file: Path, checked: Checked) -> str:
    if checked.failure is None:
        return (
            f"{file}: passed (goal tests: {checked.goal_tests}, searches: {checked.searches}, "
            f"states: {checked.states}, successor tests: {checked.successor_tests})\n"
        )
    failure = checked.failure
    text = feedback(failure.fault).rstrip("\n")
    return f"{file}: {failure.category} ({failure.function}, {checked.stage})\n\n{text}\n"
