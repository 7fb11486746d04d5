"""``-`` is standard input or output for every argument and option that names a file or dataset."""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from command_files import BLOCKS, CSV, all_commands, write_files
from command_line import check_mistake

from pddl_pipeline.cli.options import FOLDER, INPUT, OUTPUT, PLACE
from pddl_pipeline.io.text_file import read_file
from pddl_pipeline.translators.datasets import load_records

if TYPE_CHECKING:
    from command_line import CliHere, Done

SOLVE = "solve domain.pddl p01.pddl"
RECORD = json.dumps({"id": "a", "domain": "countdown", "numbers": [1, 2, 3, 4], "target": 24})
NUMS = '{"target": 24, "nums": [1, 2, 3, 4]}'
# Command, the name of its parameter, the command line, in which `@` is before the file, and
# whether standard output must be the same as with the file.
INPUTS = [
    ("validate", "domain", "validate @domain.pddl p01.pddl p01.plan", True),
    ("validate", "problem", "validate domain.pddl @p01.pddl p01.plan", True),
    ("validate", "plans", "validate domain.pddl p01.pddl @p01.plan --json", True),
    ("solve", "domain", "solve @domain.pddl p01.pddl --planner bfs", True),
    ("solve", "problem", "solve domain.pddl @p01.pddl --planner bfs", True),
    ("solve", "planner_file", f"{SOLVE} --planners @planners.toml --planner mine", True),
    ("run", "domain", "run p01.pddl --domain @domain.pddl --planner bfs -o runs", False),
    ("run", "planner_file", "run one.jsonl --planners @planners.toml -o runs", False),
    ("translate", "domain", "translate p01.pddl --domain @domain.pddl -o out", True),
    ("score", "data", "score examples.jsonl @answers.jsonl", True),
    ("score", "answers", "score examples.jsonl --answers @answers.csv", True),
    ("score", "domain", "score p01.pddl given.jsonl --domain @domain.pddl", True),
    ("show", "inputs", "show @domain.pddl p01.pddl p01.plan -o page.html", True),
    ("show", "inputs", "show domain.pddl @p01.pddl p01.plan -o -", True),
    ("show", "inputs", "show domain.pddl p01.pddl @p01.plan -o -", True),
    ("show", "inputs", "show examples.jsonl @answers.jsonl -o pages", True),
    ("show", "domain", "show p01.pddl given.jsonl --domain @domain.pddl -o pages", True),
    ("show", "picture", "show domain.pddl p01.pddl p01.plan --picture @look.toml -o -", False),
    ("ask", "prompts",
     "ask @prompts.jsonl --model m --base-url http://localhost:1/v1 -o asked --dry-run", True),
    ("prompt", "domain", "prompt p01.pddl --domain @domain.pddl", True),
    ("prompt", "examples", "prompt examples.jsonl --shots 1 --examples @solved.jsonl", True),
    ("questions", "domain", "questions p01.pddl --domain @domain.pddl --kind state -o q", True),
    ("questions", "answers", "questions questions.jsonl --score @exact.jsonl", True),
    ("autotos check", "file", "autotos check @code.md --domain blocksworld --json", True),
    ("autotos run", "replay", "autotos run --domain 24game --replay @log.txt -o runs", False),
]  # fmt: skip
# Datasets are read from standard input, too.
DATASETS = [
    ("translate @table.csv -o out", True),
    ("prompt @table.csv", True),
    ("questions @table.csv --kind state -o -", True),
    ("questions @questions.jsonl --answer -o -", True),
    ("questions @questions.jsonl --score exact.jsonl", True),
    ("score @examples.jsonl answers.jsonl", True),
    ("run @table.csv --planner countdown-exact -o runs", False),
]
# Command, the name of its parameter, the command line without the file.
OUTPUTS = [
    ("score", "output", "score examples.jsonl answers.jsonl -o"),
    ("score", "html", "score examples.jsonl answers.jsonl --html"),
    ("score", "paths", "score examples.jsonl answers.jsonl --table"),
    ("report", "paths", "report store --table"),
    ("show", "output", "show domain.pddl p01.pddl p01.plan -o"),
    ("report", "html", "report store --html"),
    ("prompt", "output", "prompt examples.jsonl -o"),
    ("questions", "output", "questions examples.jsonl --kind state -o"),
    ("questions", "output", "questions questions.jsonl --answer -o"),
    ("questions", "output", "questions questions.jsonl --score exact.jsonl -o"),
    ("generate", "output", "generate ferry --size 3 --count 2 -o"),
    ("simplan data", "output", "simplan data one.jsonl --permutations 1 -o"),
    ("solve", "output", f"{SOLVE} --planner bfs -o"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(tmp_path_factory.mktemp("files"))


@pytest.fixture
def place(files: Path, tmp_path: Path) -> Path:
    """Return a copy of the files that a command may add to."""
    return Path(shutil.copytree(files, tmp_path / "place"))


Run = Callable[..., "Done"]


@pytest.fixture
def run(cli_here: CliHere, place: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line in the folder of the files, with a file or bytes as standard input."""

    def with_input(line: str, content: str | bytes = b"") -> Done:
        data = content if isinstance(content, bytes) else (place / content).read_bytes()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return cli_here(*line.split(), cwd=place)

    return with_input


LINES = [*(row[2:] for row in INPUTS), *DATASETS]


@pytest.mark.parametrize(("line", "is_equal"), LINES, ids=[line for line, _ in LINES])
def test_a_dash_is_standard_input(run: Run, place: Path, line: str, is_equal: bool) -> None:  # noqa: FBT001
    (file,) = (word[1:] for word in line.split() if word.startswith("@"))
    piped = run(line.replace(f"@{file}", "-"), file)
    assert piped.status <= 1, piped.err
    if is_equal:
        shutil.rmtree(place / "out", ignore_errors=True)
        named = run(line.replace("@", ""))
        assert (piped.status, piped.out) == (named.status, named.out.replace(file, "-"))
        assert (": read as " in piped.err) == (": read as " in named.err)


@pytest.mark.parametrize(
    "line", [row[2] for row in OUTPUTS], ids=[f"{c}-{n}" for c, n, *_ in OUTPUTS]
)
def test_a_dash_is_standard_output(run: Run, place: Path, line: str) -> None:
    piped = run(f"{line} -")
    named = run(f"{line} result")
    assert piped.status == named.status <= 1, piped.err
    assert piped.out == (place / "result").read_text() != ""
    printed = (named.out + named.err).replace("result", "-")
    assert _without_times(piped.err) == _without_times(printed)
    assert not (place / "-").exists()


def _without_times(text: str) -> list[str]:
    """Return the lines in order of the alphabet, since they come from two streams."""
    return sorted(re.sub(r"\d+\.\d+ s", "", text).splitlines())


def parquet() -> bytes:
    stream = io.BytesIO()
    pd.DataFrame({"id": ["a"], "nums": [[1, 2, 3, 4]], "goal": [24]}).to_parquet(stream)
    return stream.getvalue()


# The content, the options, the format that is printed, and the first id.
CONTENTS = {
    "CSV": (CSV, "", "table", "a"),
    "CSV with semicolons": (CSV.replace(",", ";"), "", "table", "a"),
    "packed CSV": (gzip.compress(CSV.encode()), "", "table", "a"),
    "records": (RECORD, "", "", "a"),
    "list of records": (f"\ufeff [{RECORD}]", "", "", "a"),
    "JSON": (NUMS, "", "table", "stdin-0"),
    "named format": (NUMS, "--format target-nums", "", "stdin-0"),
    "24 game": ("Rank,Puzzles\n7,1 2 3 4\n", "", "24game", "24game-7"),
    "Parquet": (parquet(), "", "table", "a"),
    "PDDL": ((BLOCKS / "p01.pddl").read_bytes(), "--domain domain.pddl", "pddl", "stdin"),
}


def encoded(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


@pytest.mark.parametrize("name", CONTENTS)
def test_the_content_decides_the_format(run: Run, name: str) -> None:
    content, options, form, first = CONTENTS[name]
    done = run(f"prompt - {options}", encoded(content))
    assert done.status == 0, done.err
    # The project's own format is not printed.
    assert re.findall("^-: read as (.*)$", done.err, re.MULTILINE) == [form] * bool(form)
    assert json.loads(done.out.splitlines()[0])["id"] == first


FAULTS: dict[str, tuple[str | bytes, str, str]] = {
    "a cell": (f"{CSV}c,1 x,2\n", "-", "-:4: field 'numbers': found 'x' in '1 x'"),
    "a line": (f"{RECORD}\nnonsense\n", "-", "-:2:1: expected a JSON value"),
    "a list": (f"[{RECORD}", "-", "-: found 'the end', expected ',' or ']'"),
    "nothing": ("", "-", "-: the file contains no record"),
    "no PDDL": ("(define (problem", "-", "-: is neither a PDDL domain nor a PDDL problem"),
    "twice": (CSV, "- -", "'DATA...' and 'DATA...': only one of them can be standard input"),
    "no gzip": (b"\x1f\x8bnonsense", "-", "-: "),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_name_it(run: Run, place: Path, name: str) -> None:
    content, data, message = FAULTS[name]
    check_mistake(run(f"translate {data} -o out", encoded(content)), f"error: {message}")
    assert not (place / "out").exists()


def test_it_is_read_once_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CSV.encode())))
    for _ in range(2):
        assert [each.id for each in load_records("-")] == ["a", "b"]
    assert read_file("-") == CSV


def test_a_file_or_folder_of_that_name_has_another_name(run: Run, place: Path) -> None:
    assert run("report store --table ./-").status == 0
    assert (place / "-").read_text().startswith("## ")
    (place / "-").unlink()
    assert run("translate examples.jsonl -o ./-").status == 0
    assert (place / "-" / "manifest.jsonl").exists()


def test_the_tables_have_every_file_of_every_command() -> None:
    found = {
        (name, parameter.name)
        for name, command in all_commands().items()
        for parameter in command.params
        if parameter.type in {INPUT, OUTPUT}
    }
    # The last of them is a file, or each, the others are datasets.
    found |= {("score", "data"), ("show", "inputs"), ("show", "output")}
    found -= {("simplan train", "file")}  # no text; requires PyTorch
    assert found == {row[:2] for row in (*INPUTS, *OUTPUTS) if row[1] != "domain"} | {
        (name, "domain") for name in ("solve", "validate")
    }


def test_no_file_has_another_type() -> None:
    for name, command in all_commands().items():
        for parameter in command.params:
            metavar = parameter.metavar or ""
            if "FILE" in metavar.replace("NAME|FILE", ""):
                assert parameter.type in {INPUT, OUTPUT}, f"{name} {parameter.opts[0]}"
            if parameter.type in {FOLDER, PLACE} and parameter.name != "data":
                assert re.search("DIR|RUNS|STORE", metavar), f"{name} {metavar}"
