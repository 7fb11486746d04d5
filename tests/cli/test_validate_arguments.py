"""The arguments of `validate` that are parsed without click, and what such a call imports."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest
from command_line import check_mistake
from places import PACKAGE

from pddl_pipeline.cli.commands import validate
from pddl_pipeline.cli.group import run_command
from pddl_pipeline.cli.judging import validate_arguments
from pddl_pipeline.io import standard_streams
from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import CliHere

FILES = ("d.pddl", "p.pddl", "a.plan")
DEFAULTS = {
    "as_json": False, "verbose": False, "cross_check": [], "tolerance": None, "delta": None,
    "plan_format": "",
    "lenient": False, "strict": False,
}  # fmt: skip


def of_click(monkeypatch: pytest.MonkeyPatch, *given: str) -> dict[str, Any]:
    """Return the arguments of `judge_plans` that click finds."""
    found: dict[str, Any] = {}

    def judge_plans(domain: str, problem: str, plans: list[str], **options: object) -> int:
        found.update(domain=domain, problem=problem, plans=plans, **options)
        return 0

    monkeypatch.setattr(validate, "judge_plans", judge_plans)
    run_command(["validate", *given])
    return found


@pytest.mark.parametrize(
    "given",
    [
        FILES,
        (*FILES, "b.plan", "../c.plan"),
        ("--json", *FILES),
        ("d.pddl", "-v", "p.pddl", "--lenient", "--strict", "a.plan"),
        (*FILES, "--plan-format", "fd-log", "--json"),
        (*FILES, "--plan-format=auto"),
        (*FILES, "--tolerance", "1e-4"),
        (*FILES, "--delta=0.5", "--json"),
        (*FILES, "--tolerance=.5", "--cross-check=up, val"),
        (*FILES, "--cross-check", ""),
    ],
)
def test_the_parsers_agree(monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...]) -> None:
    parsed = validate_arguments(given)
    assert parsed is not None
    assert DEFAULTS | parsed == of_click(monkeypatch, *given)


@pytest.mark.parametrize(
    "given",
    [
        (),
        FILES[:2],
        (*FILES, "--help"),
        (*FILES, "--jsn"),
        (*FILES, "-vv"),
        (*FILES, "-v", "-v"),
        (*FILES, "--json=yes"),
        (*FILES, "--tolerance"),
        (*FILES, "--tolerance", "0"),
        (*FILES, "--tolerance", "1/3"),
        (*FILES, "--plan-format", "fd"),
        ("--json", "--", *FILES),
        ("--json", "d.pddl", "p.pddl", "-"),
        ("--json", "./d.pddl", "p.pddl", "a.plan"),
        ("--json", "d.pddl", "a//p.pddl", "a.plan"),
    ],
)
def test_what_is_not_clear_is_left_to_click(given: tuple[str, ...]) -> None:
    assert validate_arguments(given) is None


def test_no_option_needs_click() -> None:
    samples = {"tolerance": "1e-4", "delta": "0.1", "plan_format": "up"}
    for option in validate.command.params:
        if isinstance(option, click.Option):
            value = () if option.is_flag else (samples.get(str(option.name), "up"),)
            parsed = validate_arguments([*FILES, option.opts[0], *value])
            assert option.name in (parsed or {}), option.name


def test_options_import_nothing_slow() -> None:
    folder = domain_folder("blocksworld")
    files = [str(folder / name) for name in ("domain.pddl", "p01.pddl", "p01.plan")]
    code = f"""
import sys
sys.path.insert(0, {str(PACKAGE.parent)!r})
from pddl_pipeline.cli import main, val_main
for options in ([], ["--json"], ["-v"], ["--plan-format", "auto"], ["--tolerance", "1e-4"],
                ["--lenient"]):
    sys.argv = ["pddl-pipeline", "validate", *{files!r}, *options]
    assert main._run() == 0
for options in ([], ["-v"], ["-t", "0.1"], ["-e"], ["-S"]):
    assert val_main.judge_as_val([*options, *{files!r}]) == 0
print("modules", *sys.modules)
"""
    # Without the site's packages, which may import anything when Python starts.
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True
    )
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("modules ")]
    slow = {"click", "dataclasses", "inspect", "pathlib", "tempfile", "subprocess", "zlib",
            "pddl_pipeline.translators"}  # fmt: skip
    assert not slow & set(line.split())


@pytest.mark.parametrize("plan", ["/dev/zero", "-"])
def test_an_endless_plan_is_refused(
    cli_here: CliHere, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plan: str
) -> None:
    monkeypatch.setattr(standard_streams, "LARGEST", 2**21)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"(a)\n" * 2**20)))
    ferry = domain_folder("ferry")
    done = cli_here("validate", ferry / "domain.pddl", ferry / "p01.pddl", plan, cwd=tmp_path)
    check_mistake(done, f"{plan}: found more than 2,097,152 bytes")
