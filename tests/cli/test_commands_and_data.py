"""Every command on every kind of data, through the command line: one table, one test per cell.

The commands run in this process, because starting the program 230 times would take minutes.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from data_kinds import KINDS, Kind
from filelock import FileLock

if TYPE_CHECKING:
    from command_line import CliHere, Done
from command_table import READING, TABLE, Row


@dataclass(frozen=True)
class Cell:
    """A command on a kind of data: the expected result, and the folders to use."""

    cli: CliHere
    kind: Kind
    row: Row
    folder: Path
    """Folder of the data; all cells of the kind share it, and only read it."""
    out: Path
    """A folder for this cell only."""

    def start(self, *arguments: str | Path) -> Done:
        return self.cli(*arguments, cwd=self.folder)


@pytest.fixture
def shared(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all workers of this session share."""
    own = tmp_path_factory.getbasetemp()
    folder = (own if worker_id == "master" else own.parent) / "commands-and-data"
    folder.mkdir(exist_ok=True)
    return folder


def make_once(folder: Path, name: str, make: Callable[[], object]) -> Any:
    """Return the result of `make`; the first cell that needs it calls `make`."""
    made = folder.parent / f"{folder.name}-{name}.json"
    with FileLock(f"{made}.lock"):
        if not made.exists():
            made.write_text(json.dumps(make()))
    return json.loads(made.read_text())


def write_data(cli: CliHere, kind: Kind, folder: Path) -> None:
    folder.mkdir()
    kind.write(folder)
    if kind.first:
        assert cli(*kind.first, cwd=folder).status == 0


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def check_done(done: Done, status: int = 0) -> None:
    """Check for success: all messages are on how data are read, skipped questions, or a count."""
    assert done.status == status, done.err
    for line in done.err.splitlines():
        assert re.search(rf"{READING}|^no question: |^\d+ prompts? in ", line)


def check_refused(done: Done, reason: str) -> None:
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert reason in done.err


def translate(cell: Cell) -> None:
    done = cell.start("translate", *cell.kind.data, "-o", cell.out / "pddl")
    check_done(done)
    unit = "problem" if cell.row.translate == 1 else "problems"
    assert done.out == f"{cell.row.translate} {unit} in {cell.out / 'pddl'}\n"
    problems = list((cell.out / "pddl" / "problems").iterdir())
    assert len(lines(cell.out / "pddl" / "manifest.jsonl")) == len(problems) == cell.row.translate


def make_runs(cell: Cell) -> dict[str, Any]:
    """Run the planner, for the cells of run and of report; without plots, which take seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "pddl_pipeline.reporting.plots", None)
        done = cell.start(
            "run", *cell.kind.data, *cell.kind.planner, "--time-limit", "60s", "-o", "runs"
        )
    return asdict(done)


def run(cell: Cell) -> None:
    done = make_once(cell.folder, "run", lambda: make_runs(cell))
    assert done["status"] == 0, done["err"]
    runs = lines(cell.folder / "runs" / "runs.jsonl")
    assert [each["planner"] for each in runs] == [cell.row.run] * cell.row.translate
    assert {each["status"] for each in runs} == {"valid"}


def report(cell: Cell) -> None:
    make_once(cell.folder, "run", lambda: make_runs(cell))
    done = cell.start("report", "runs", "--json")
    check_done(done)
    first = json.loads(done.out.splitlines()[0])
    assert (first["domain"], first["mean_cost"]) == cell.row.report
    assert (first["planner"], first["coverage"]) == (cell.row.run, 100)
    assert first["instances"] == first["validated"] == cell.row.translate


def solve(cell: Cell) -> None:
    task = cell.kind.task[:2] or cell.kind.data[:1] * 2
    done = cell.start("solve", *task, *cell.kind.planner, "--time-limit", "60s", "--json")
    if isinstance(cell.row.solve, str):
        check_refused(done, cell.row.solve)
        return
    assert done.status == 0, done.err
    assert done.err.startswith(f"{cell.row.run}: plan-found")
    found = json.loads(done.out)
    assert (found["status"], found["cost"]) == ("valid", cell.row.solve)


def validate(cell: Cell) -> None:
    arguments = cell.kind.task or cell.kind.data[:1] * 3
    done = cell.start("validate", *arguments, "--json")
    if isinstance(cell.row.validate, str):
        check_refused(done, cell.row.validate)
        return
    check_done(done, status=1)
    verdicts = [json.loads(line) for line in done.out.splitlines()]
    assert [each["status"] for each in verdicts] == ["valid", "invalid"]
    assert verdicts[0]["cost"] == cell.row.validate


def score(cell: Cell) -> None:
    name, plan = cell.kind.answer
    texts = ("\n".join(steps) for steps in (plan, plan[:-1]))
    answers = "\n".join(json.dumps({"id": name, "answer": text}) for text in texts)
    (cell.out / "answers.jsonl").write_text(answers)
    done = cell.start("score", *cell.kind.data, cell.out / "answers.jsonl", "--json")
    check_done(done, status=1)
    first = json.loads(done.out.splitlines()[0])
    assert (first["answers"], first["accuracy"]) == (2, cell.row.score)
    assert first["undecided"] == 0


def prompt(cell: Cell) -> None:
    done = cell.start("prompt", *cell.kind.data, "-o", cell.out / "prompts.jsonl")
    check_done(done)
    found = lines(cell.out / "prompts.jsonl")
    assert [each["statement"] for each in found] == [cell.row.prompt] * cell.row.translate
    assert cell.kind.answer[0] in {each["id"] for each in found}
    # What `ask` would send; tests/endpoints has its answers.
    where = ("--base-url", "http://localhost:1/v1", "-o", cell.out / "answers.jsonl")
    asked = cell.start("ask", cell.out / "prompts.jsonl", "--model", "m", *where, "--dry-run")
    assert (asked.status, asked.err) == (0, "")
    assert asked.out.startswith(f"{len(found)} prompts, {len(found)} requests to send to http://")


def questions(cell: Cell) -> None:
    """Use a small --max-states: more states take a minute in depots and sokoban."""
    file = cell.out / "questions.jsonl"
    done = cell.start("questions", *cell.kind.data, "--max-states", "50", "-o", file)
    check_done(done)
    assert done.out == f"{cell.row.questions} questions in {file}\n"
    assert len(lines(file)) == cell.row.questions


def show(cell: Cell) -> None:
    name, plan = cell.kind.answer
    texts = ("\n".join(steps) for steps in (plan, plan[:-1]))
    answers = "\n".join(json.dumps({"id": name, "answer": text}) for text in texts)
    (cell.out / "answers.jsonl").write_text(answers)
    place = cell.out / "pages"
    done = cell.start("show", *cell.kind.data, cell.out / "answers.jsonl", "-o", place)
    check_done(done)
    assert done.out == f"{place / 'index.html'}: 2 pages\n"
    pages = [file.read_text() for file in sorted(place.iterdir()) if file.name != "index.html"]
    assert len(pages) == 2
    assert all(f"data-domain='{cell.row.show}'" in page for page in pages)
    assert "The plan is valid" in pages[0]
    assert "The plan is valid" not in pages[1]


COMMANDS = (translate, run, solve, validate, score, prompt, questions, report, show)


def test_every_command_has_a_cell_for_every_kind_of_data() -> None:
    assert list(TABLE) == list(KINDS)
    assert tuple(command.__name__ for command in COMMANDS) == Row._fields


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_cell(
    command: Callable[[Cell], None], name: str, cli_here: CliHere, shared: Path, tmp_path: Path
) -> None:
    folder = shared / name
    make_once(folder, "data", lambda: write_data(cli_here, KINDS[name], folder))
    command(Cell(cli_here, KINDS[name], TABLE[name], folder, tmp_path))
