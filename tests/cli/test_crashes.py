"""A crash is never a verdict: every command ends with status 3, and says what to do.

Python's own status for an exception is 1, which means that a plan is not valid.
"""

from __future__ import annotations

import errno
import io
import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from command_files import all_commands, write_files
from plugin_sites import EXAMPLE, environment, install, run_lines

from pddl_pipeline.cli.main import main
from pddl_pipeline.cli.val_main import main as val_main
from pddl_pipeline.model.errors import WorkerError

if TYPE_CHECKING:
    from command_line import CliHere

COMMANDS: Final = "pddl_pipeline.cli.commands"
PAPERS: Final = "pddl_pipeline.papers"
JUDGE: Final = "pddl_pipeline.validation.task.Task.judge"
PLAN: Final = "domain.pddl p01.pddl p01.plan"
# A line for each command, and what fails in it: the judging, or a function that does its work.
LINES: Final = {
    f"validate {PLAN}": JUDGE,
    f"validate -v --json {PLAN}": JUDGE,
    PLAN: JUDGE,  # of pddl-pipeline-val
    "solve domain.pddl p01.pddl --planner bfs": JUDGE,
    "run one.jsonl --planner bfs -o runs": JUDGE,
    "score p01.pddl given.jsonl --domain domain.pddl": JUDGE,
    f"show {PLAN} -o page.html": JUDGE,
    "rejudge store": "pddl_pipeline.cli.stores.rejudge",
    "translate one.jsonl -o out": f"{COMMANDS}.translate.export",
    "equivalent one.jsonl one.jsonl": f"{COMMANDS}.equivalent.compare_problems",
    "report store": f"{COMMANDS}.report.report",
    "list planners": f"{COMMANDS}.list.planners",
    "generate ferry --size 3 --count 2 -o new.jsonl": f"{COMMANDS}.generate.generate_sizes",
    "prompt one.jsonl": f"{COMMANDS}.prompt.Prompter",
    "questions one.jsonl --kind state -o -": f"{COMMANDS}.questions.make_questions",
    "ask prompts.jsonl --model m --dry-run -o asked": f"{COMMANDS}.ask.check_prompts",
    "new domain lamps": f"{COMMANDS}.new._write",
    "new planners": "click.echo",
    "doctor": f"{COMMANDS}.doctor.conflicts",
    "autotos check code.md --domain blocksworld": f"{PAPERS}.autotos.check_command.check_code",
    "autotos run --domain 24game --replay log.txt -o runs": f"{PAPERS}.autotos.experiment.read_log",
    "reproduce": f"{PAPERS}.reproduction.studies",
    "simplan data one.jsonl --permutations 1 -o -": f"{PAPERS}.simplan.ranker_command.load_records",
    "simplan train pairs.jsonl -o model": f"{PAPERS}.simplan.ranker_command.read_pairs",
}
BUG: Final = "please report it with the lines above, as 'Report a bug' in docs/reference/errors.md"
# Each fault, and a part of the last line.
FAULTS: Final[dict[str, tuple[BaseException, str]]] = {
    "exception": (KeyError("a new status"), BUG),
    "exit": (SystemExit(0), BUG),
    "system": (SystemError("error return without exception set"), BUG),
    "memory": (MemoryError(), "error: out of memory"),
}
LOSSES: Final[dict[str, tuple[BaseException, str]]] = {
    "fork": (OSError(errno.ENOMEM, "Cannot allocate memory"), "error: out of memory"),
    "worker": (WorkerError("a process died"), "error: a process died"),
    "odd": (OSError("no file, and no number"), BUG),
}
"""Further faults of judging. `run` stores such a run as lost, and goes on."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(tmp_path_factory.mktemp("crashes"))


def test_every_command_has_a_line() -> None:
    assert not [x for x in all_commands() if not any(f"{y} ".startswith(f"{x} ") for y in LINES)]


CRASHES: Final = [
    (line, name)
    for line in LINES
    for name in (FAULTS | LOSSES if LINES[line] is JUDGE and not line.startswith("run") else FAULTS)
]


@pytest.mark.parametrize(("line", "name"), CRASHES)
def test_a_crash_has_status_3(
    cli_here: CliHere,
    files: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    name: str,
) -> None:
    fault, said = (FAULTS | LOSSES)[name]

    def fail(*_: Any, **__: Any) -> None:
        raise fault

    monkeypatch.setattr(LINES[line], fail)
    place = Path(shutil.copytree(files, tmp_path / "place"))
    done = cli_here(*line.split(), cwd=place, program=val_main if line is PLAN else main)
    assert done.status == 3, done.err
    assert said in done.err.splitlines()[-1]
    assert ("Traceback" in done.err) == (said is BUG)
    assert done.err.count("\nerror: ") + done.err.startswith("error: ") == 1
    assert "valid" not in done.out


NOT_RUN: Final = ("autotos run", "doctor", "simplan")
"""They take seconds, or need PyTorch."""
REFEREE: Final = """
    if instance.id == "exception": raise KeyError("a lamp")
    if instance.id == "memory": raise MemoryError
    if instance.id == "exit": exit(0)
    switched = {"""


def test_a_referee_of_a_plugin_that_fails_gives_no_verdict(tmp_path: Path) -> None:
    lights = EXAMPLE / "src" / "pddl_pipeline_lights"
    text = (lights / "translator.py").read_text().replace("    switched = {", REFEREE)
    text = text.replace("Path(__file__).parent", f"Path({str(lights)!r})")
    install(tmp_path, "dark", "[pddl_pipeline.domains]\nlights = dark\n", dark=text)
    names, lines = ("exception", "memory", "exit"), list[str]()
    for name in names:
        record = {"id": name, "domain": "lights", "lamps": ["roof"], "goal": ["roof"]}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record))
        answers = f"{json.dumps({'id': name, 'answer': '(switch roof)'})}\n" * 300  # two batches
        (tmp_path / f"{name}-answers.jsonl").write_text(answers)
        lines += [f"{command} {name}.jsonl {name}-answers.jsonl {options}".strip()
                  for command, options in (("score", ""), ("show", "-o pages"))]  # fmt: skip
    lines.append("score exception.jsonl exception-answers.jsonl -j 2")
    lines.append("run exception.jsonl --planner bfs -o runs")
    for line, done in zip(lines, run_lines(environment(tmp_path), tmp_path, *lines), strict=True):
        (name,) = (name for name in names if f" {name}.jsonl" in line)
        assert done.status == 3, (line, done)
        assert FAULTS[name][1] in done.err.splitlines()[-1], line


@pytest.mark.parametrize("line", [x for x in LINES if not x.startswith(NOT_RUN)])
def test_a_reader_of_the_output_that_is_gone_is_no_fault(
    cli_here: CliHere, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    place = Path(shutil.copytree(files, tmp_path / "place"))
    reader, writer = os.pipe()
    os.close(reader)
    stream = io.TextIOWrapper(io.FileIO(writer, "w", closefd=False))
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "__stdout__", stream)
    done = cli_here(*line.split(), cwd=place, program=val_main if line is PLAN else main)
    os.close(writer)
    assert done.status == 0, done.err
    assert "Traceback" not in done.err
