"""Every command on every kind of data, through the command line: one table, one test per cell.

The commands run in this process, because starting the program 230 times would take minutes.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from command_line import check_mistake, json_lines
from command_table import READING, TABLE, Row
from data_kinds import KINDS, Kind

from pddl_pipeline.model.number import number_json

if TYPE_CHECKING:
    from command_line import CliHere, Done

    from pddl_pipeline.model.number import Number


@dataclass(frozen=True)
class Cell:
    """A command on a kind of data, the expected result, and the folder."""

    cli: CliHere
    kind: Kind
    row: Row
    folder: Path

    def start(self, command: str, *arguments: str, status: int = 0) -> Done:
        """Run a command: all messages are on how data are read, skipped questions, or a count."""
        done = self.cli(command, *arguments, cwd=self.folder)
        assert done.status == status, done.err
        for line in done.err.splitlines():
            assert re.search(
                rf"{READING}|^no question: |^\d+ prompts? in |plan-found|s not shown$", line
            )
        return done

    def accepts(self, line: tuple[str, ...], expected: Number | str) -> bool:
        """Return whether a cost is expected; check that the command prints an expected error."""
        if isinstance(expected, str):
            check_mistake(self.cli(*line, cwd=self.folder), expected)
        return not isinstance(expected, str)

    def answers(self) -> str:
        """Write a right and a wrong answer to one instance; return the name of the file."""
        name, plan = self.kind.answer
        texts = ("\n".join(steps) for steps in (plan, plan[:-1]))
        rows = (json.dumps({"id": name, "answer": text}) for text in texts)
        (self.folder / "answers.jsonl").write_text("\n".join(rows))
        return "answers.jsonl"


def translate(cell: Cell) -> None:
    done, count = cell.start("translate", *cell.kind.data, "-o", "out-pddl"), cell.row.translate
    assert done.out == f"{count} {'problem' if count == 1 else 'problems'} in out-pddl\n"
    problems = list((cell.folder / "out-pddl" / "problems").iterdir())
    assert len(json_lines(cell.folder / "out-pddl/manifest.jsonl")) == len(problems) == count


def run_and_report(cell: Cell) -> None:
    """Without plots, which take seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "pddl_pipeline.reporting.plots", None)
        limit = ("--time-limit", "60s", "-q")
        cell.start("run", *cell.kind.data, *cell.kind.planner, *limit, "-o", "runs")
    runs = json_lines(cell.folder / "runs/runs.jsonl")
    assert [each["planner"] for each in runs] == [cell.row.run] * cell.row.translate
    assert {each["status"] for each in runs} == {"valid"}
    first = json.loads(cell.start("report", "runs", "--json").out.splitlines()[0])
    assert (first["domain"], first["mean_cost"]) == cell.row.report
    assert (first["planner"], first["coverage"]) == (cell.row.run, 100)
    assert first["instances"] == first["validated"] == cell.row.translate


def solve(cell: Cell) -> None:
    task = cell.kind.task[:2] or cell.kind.data[:1] * 2
    line = ("solve", *task, *cell.kind.planner, "--time-limit", "60s", "--json")
    if cell.accepts(line, cell.row.solve):
        done = cell.start(*line)
        assert done.err.startswith(f"{cell.row.run}: plan-found")
        found = json.loads(done.out)
        assert (found["status"], found["cost"]) == ("valid", number_json(cell.row.solve))


def validate(cell: Cell) -> None:
    line = ("validate", *(cell.kind.task or cell.kind.data[:1] * 3))
    if cell.accepts(line, cell.row.validate):
        line = (*line, "--json")
        good, bad = map(json.loads, cell.start(*line, status=1).out.splitlines())
        assert (good["status"], bad["status"]) == ("valid", "invalid")
        assert good["cost"] == number_json(cell.row.validate)


def score(cell: Cell) -> None:
    done = cell.start("score", *cell.kind.data, cell.answers(), "--json", status=1)
    first = json.loads(done.out.splitlines()[0])
    shown = (first["answers"], first["accuracy"], first["undecided"])
    assert shown == (2, cell.row.score, 0)


def prompt(cell: Cell) -> None:
    line = ("prompt", *cell.kind.data, "-o", "prompts.jsonl")
    if not cell.accepts(line, cell.row.questions):
        return
    cell.start(*line)
    found = json_lines(cell.folder / "prompts.jsonl")
    assert [each["statement"] for each in found] == [cell.row.prompt] * cell.row.translate
    assert cell.kind.answer[0] in {each["id"] for each in found}
    # What `ask` would send; tests/endpoints has its answers.
    where = ("--base-url", "http://localhost:1/v1", "-o", "asked.jsonl")
    asked = cell.start("ask", "prompts.jsonl", "--model", "m", *where, "--dry-run")
    assert re.match(rf"({len(found)}) prompts?, \1 requests? to send to http://", asked.out)
    line = ("prompt", *cell.kind.data, "--statement", "llm4pddl", "--shots", "0", "-q")
    if cell.row.prompt == "cats":  # its budget is no PDDL
        check_mistake(cell.cli(*line, cwd=cell.folder), "no statement 'llm4pddl' for ")
    else:
        assert cell.start(*line).out.count("Q:\\n(:objects ") == len(found)


def questions(cell: Cell) -> None:
    """Use a small --max-states: more states take a minute in depots and sokoban."""
    line = ("questions", *cell.kind.data, "--max-states", "50", "-o", "q.jsonl")
    if cell.accepts(line, cell.row.questions):
        assert cell.start(*line).out == f"{cell.row.questions} questions in q.jsonl\n"
        assert len(json_lines(cell.folder / "q.jsonl")) == cell.row.questions


def show(cell: Cell) -> None:
    done = cell.start("show", *cell.kind.data, cell.answers(), "-o", "out-pages")
    assert done.out == "out-pages/index.html: 2 pages\n"
    files = sorted(
        {*(cell.folder / "out-pages").iterdir()} - {cell.folder / "out-pages" / "index.html"}
    )
    right, wrong = (file.read_text() for file in files)
    assert f"data-domain='{cell.row.show}'" in right
    assert f"data-domain='{cell.row.show}'" in wrong
    assert ("The plan is valid" in right, "The plan is valid" in wrong) == (True, False)


def equivalent(cell: Cell) -> None:
    """Compare the data with the PDDL of its translation, which has the same ids."""
    cell.start("translate", *cell.kind.data, "-o", "out-pddl")
    done = cell.start("equivalent", *cell.kind.data, "out-pddl", "--json")
    found = [json.loads(line)["verdict"] for line in done.out.splitlines()]
    assert found == [cell.row.equivalent] * cell.row.translate


# `make test-long` runs planners on these, too. A domain or planner of each is in another kind.
READ_ALIKE = {
    "translated-ferry", "foreign-gripper-problem", "24game",
    "reasoning-gym", "stream-of-search", "llm-reasoners", "rap", "autotos-folder", "autotos-states",
    "acpbench", "user-pddl-table", "user-json-list", "user-parquet",
}  # fmt: skip
COMMANDS = (translate, run_and_report, solve, validate, score, prompt, questions, show, equivalent)


def test_every_command_has_a_cell_for_every_kind_of_data() -> None:
    assert list(TABLE) == list(KINDS)
    names = {word for command in COMMANDS for word in command.__name__.split("_and_")}
    assert names == {*Row._fields}


def cells() -> Iterator[Any]:
    """Yield each command with each kind; what the other commands read, `run` reads as they do."""
    for command, name in product(COMMANDS, KINDS):
        is_long = command is run_and_report and name in READ_ALIKE
        marks = pytest.mark.long if is_long else ()
        yield pytest.param(command, name, id=f"{command.__name__}-{name}", marks=marks)


@pytest.mark.parametrize(("command", "name"), [*cells()])
def test_cell(
    command: Callable[[Cell], None], name: str, cli_here: CliHere, tmp_path: Path
) -> None:
    kind = KINDS[name]
    kind.write(tmp_path)
    if kind.first:
        assert cli_here(*kind.first, cwd=tmp_path).status == 0
    command(Cell(cli_here, kind, TABLE[name], tmp_path))
