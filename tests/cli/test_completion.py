"""Shell completion: the scripts, and what they offer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from click.shell_completion import ShellComplete

from pddl_pipeline.cli import group
from pddl_pipeline.cli.group import PROGRAM, VARIABLE
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.planners import registry

if TYPE_CHECKING:
    from command_line import Cli

(COMMANDS,) = (each for each in vars(group).values() if isinstance(each, click.Group))
# As bash does it: COMP_WORDS has the words, COMP_CWORD the position of the last one.
SESSION = """
source ./script
for line in "re" "run --pla" "run data.jsonl --planner lama-"; do
    COMP_WORDS=(pddl-pipeline $line); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
    _pddl_pipeline_completion pddl-pipeline
    echo "${COMPREPLY[*]}"
done
complete -p pddl-pipeline
"""


def offered(*words: str) -> list[str]:
    completion = ShellComplete(COMMANDS, {}, PROGRAM, VARIABLE)
    *before, begun = words
    items = completion.get_completions(before, begun)
    return [f"{each.value}" if each.type == "plain" else each.type for each in items]


def test_bash_completes_commands_options_and_planners(cli_process: Cli, tmp_path: Path) -> None:
    script = cli_process(env={**os.environ, VARIABLE: "bash_source"})
    assert (script.status, script.err) == (0, "")
    (tmp_path / "script").write_text(script.out)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", SESSION], cwd=tmp_path, env={**os.environ, "PATH": path},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "report rejudge reproduce", "--planner --planners", "lama-first",
        "complete -o nosort -F _pddl_pipeline_completion pddl-pipeline",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("va",), ["validate"]),
        (("solve", "d", "p", "--planner", "seq-opt-lm"), ["seq-opt-lmcut"]),
        (("generate", "gr"), ["grippers"]),
        (("generate", "ferry", "--cou"), ["--count"]),
        (("reproduce", "cats-t"), ["cats-table1", "cats-table2"]),
        (("reproduce", "tut"), ["tutorial", "tutorial-problems"]),
        (("questions", "x", "--kind", "appl"), ["applicable"]),
        (("run", "x"), ["file"]),
        (("run", "-o", "x"), ["file"]),
        (("translate", "x"), ["file"]),
        (("score", "x"), ["file"]),
        (("report", "x"), ["file"]),
        (("list", "pl"), ["planners"]),
        (("autotos", "ch"), ["check"]),
        (("nonsense", "--x"), []),
        (("generate", "nonsense", "--x"), []),
    ],
)
def test_what_is_offered(words: tuple[str, ...], expected: list[str]) -> None:
    assert offered(*words) == expected


def test_an_error_offers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def conflict() -> None:
        raise InputError("two planners have the name 'lama'")

    monkeypatch.setattr(registry, "planners", conflict)
    assert offered("run", "--planner", "la") == []


@pytest.mark.parametrize("line", ["ru", "-h"])
def test_names_are_listed_without_importing_the_commands(tmp_path: Path, line: str) -> None:
    code = (
        "import sys\nfrom pddl_pipeline.cli.main import main\n"
        "try: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    )
    asked = {VARIABLE: "bash_complete", "COMP_WORDS": f"{PROGRAM} ru", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code, line], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, **(asked if line == "ru" else {})}, check=False,
    )  # fmt: skip
    assert "run" in done.stdout
    assert {"rich", "pddl_pipeline.cli.options"}.isdisjoint(done.stderr.split())
