"""The user's ids: any text, kept by every command, with file names that stay unique."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.ids import FileNames, check_id

if TYPE_CHECKING:
    from command_line import CliHere

IDS = (
    "größe/1", "a b", "a", "A", "../../x", "con", "日本語", "line\nbreak", "[red]x[/red]", "-",
    "x" * 200, f"{'x' * 199}y", "a:state:0", "<b>&amp;", "50%", "a.pddl",
)  # fmt: skip
PLAN = "(multiply n1 n2)\n(multiply n1 n3)\n(multiply n1 n4)\n(checkgoal n1)"
LONGEST_NAME = 255


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    records = [{"id": name, "numbers": [1, 2, 3, 4], "target": 24} for name in IDS]
    write_lines(tmp_path / "data.jsonl", records)
    write_lines(tmp_path / "answers.jsonl", ({"id": name, "answer": PLAN} for name in IDS))
    return tmp_path


def write_lines(path: Path, objects: Iterable[object]) -> None:
    path.write_text("".join(json.dumps(each) + "\n" for each in objects))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_translate_keeps_them_and_files_differ(folder: Path, cli_here: CliHere) -> None:
    done = cli_here("translate", "data.jsonl", "-o", "out", cwd=folder)
    assert (done.status, done.out) == (0, f"{len(IDS)} problems in out\n"), done.err
    manifest = lines(folder / "out" / "manifest.jsonl")
    assert [entry["id"] for entry in manifest] == list(IDS)
    assert [each["id"] for each in lines(folder / "out" / "instances.jsonl")] == list(IDS)
    files = {entry["problem_file"].lower() for entry in manifest}
    assert len(files) == len(IDS)
    written = list((folder / "out" / "problems").iterdir())
    assert {f"problems/{path.name}".lower() for path in written} == files
    assert manifest[2]["problem_file"] == "problems/a.pddl"
    # The folder is a dataset with the same ids.
    again = cli_here("prompt", "out", "-o", "prompts.jsonl", cwd=folder)
    assert again.status == 0, again.err
    assert {each["id"] for each in lines(folder / "prompts.jsonl")} == set(IDS)
    # An export with these names can be replaced.
    assert cli_here("translate", "data.jsonl", "-o", "out", cwd=folder).status == 0


@pytest.mark.parametrize(
    ("arguments", "output", "expected"),
    [
        (("prompt", "data.jsonl", "-o", "o.jsonl"), "o.jsonl", list(IDS)),
        (("score", "data.jsonl", "answers.jsonl", "-o", "o.jsonl"), "o.jsonl", list(IDS)),
        (
            ("questions", "data.jsonl", "--kind", "state", "-o", "o.jsonl"), "o.jsonl",
            [f"{name}:state:0" for name in IDS],
        ),
    ],
)  # fmt: skip
def test_every_output_has_them(
    arguments: tuple[str, ...], output: str, expected: list[str], folder: Path, cli_here: CliHere
) -> None:
    done = cli_here(*arguments, cwd=folder)
    assert done.status == 0, done.err
    assert [each["id"] for each in lines(folder / output)] == expected


def test_questions_are_answered_under_them(folder: Path, cli_here: CliHere) -> None:
    asked = ("questions", "data.jsonl", "--kind", "state", "-o", "q.jsonl")
    assert cli_here(*asked, cwd=folder).status == 0
    assert cli_here("questions", "q.jsonl", "--answer", "-o", "a.jsonl", cwd=folder).status == 0
    done = cli_here("questions", "q.jsonl", "--score", "a.jsonl", "--json", cwd=folder)
    assert (done.status, json.loads(done.out.splitlines()[0])["accuracy"]) == (0, 1)


def test_runs_are_stored_resumed_and_reported_under_them(folder: Path, cli_here: CliHere) -> None:
    command = ("run", "data.jsonl", "--planner", "countdown-exact")
    first = cli_here(*command, "-o", "runs", cwd=folder)
    assert first.status == 0, first.err
    stored = lines(folder / "runs" / "runs.jsonl")
    assert {each["id"] for each in stored} == set(IDS)
    assert len({each["key"] for each in stored}) == len(IDS)
    again = cli_here(*command, "-o", "runs", cwd=folder)
    assert f"{len(IDS)} of {len(IDS)} runs were already in the store" in again.err
    done = cli_here("report", "runs", "--json", "--html", "r.html", "--lab", "lab", cwd=folder)
    assert (done.status, json.loads(done.out.splitlines()[0])["instances"]) == (0, len(IDS))


@given(st.lists(st.text(min_size=1, max_size=250), max_size=8))
def test_file_names_are_unique_and_portable(texts: list[str]) -> None:
    with FileNames() as names:
        found = [names.name_of(text) for text in texts]
    assert len({name.lower() for name in found}) == len(texts)
    for name in found:
        assert name.isascii()
        assert not set(name) & set('/\\:*?"<>| \n\0')
        assert 0 < len(f"{name}.pddl") <= LONGEST_NAME
        assert not name.startswith((".", "-"))


def test_an_id_that_is_the_name_of_another_gets_another_name() -> None:
    with FileNames() as names:
        first = names.name_of("a b")
        assert len({first, names.name_of(first), names.name_of("a b")}) == 3


@pytest.mark.parametrize(
    ("value", "text"), [(7, "7"), ("7", "7"), (7.0, "7"), (7.5, "7.5"), (" a ", " a ")]
)
def test_they_are_compared_as_text(value: object, text: str) -> None:
    assert check_id(value) == text


@pytest.mark.parametrize("value", [None, True, [], {}, "", " ", "x" * 201, "\ud800"])
def test_what_is_no_id(value: object) -> None:
    with pytest.raises(FieldFault):
        check_id(value)
