"""Every output carries the user's ids, whatever they are, and the data's own fields."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from command_line import json_lines
from hypothesis import given
from hypothesis import strategies as st
from store_results import read_store

from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.ids import FileNames, check_id
from pddl_pipeline.translators.records import from_record, to_record

if TYPE_CHECKING:
    from command_line import CliHere, Done

IDS = (
    "../../x", "größe/1", "a", "A", "a b", "con", "日本語", "line\nbreak", "[red]x[/red]", "-",
    "x" * 200, f"{'x' * 199}y", "a:state:0", "<b>&amp;", "50%", "a.pddl",
)  # fmt: skip
EXTRA = {"difficulty": "hard", "status": 7, "tags": ["a", {"b": None}]}
RECORDS = [{"id": n, "domain": "countdown", "numbers": [1, 2, 3, 4], "target": 24} for n in IDS]
PLAN = "(multiply n1 n2)\n(multiply n1 n3)\n(multiply n1 n4)\n(checkgoal n1)"
FEW = 4
RUN = "run few.jsonl --planner countdown-exact -o runs"
Run = Callable[[str], "Done"]


def write_lines(path: Path, objects: Iterable[object]) -> None:
    path.write_text("".join(json.dumps(each) + "\n" for each in objects))


@pytest.fixture
def run(tmp_path: Path, cli_here: CliHere) -> Run:
    """Run a command line in a folder with records and answers to them."""
    write_lines(tmp_path / "data.jsonl", (each | EXTRA for each in RECORDS))
    write_lines(tmp_path / "few.jsonl", (each | EXTRA for each in RECORDS[:FEW]))
    write_lines(tmp_path / "answers.jsonl", ({"id": name, "answer": PLAN} for name in IDS))

    def run(line: str) -> Done:
        done = cli_here(*line.split(), cwd=tmp_path)
        assert done.status == 0, done.err
        return done

    return run


def test_translations_have_them_and_files_differ(run: Run, tmp_path: Path) -> None:
    assert run("translate data.jsonl -o out").out == f"{len(IDS)} problems in out\n"
    manifest = json_lines(tmp_path / "out" / "manifest.jsonl")
    assert [(entry["id"], entry["extra"]) for entry in manifest] == [(name, EXTRA) for name in IDS]
    assert json_lines(tmp_path / "out" / "instances.jsonl") == [each | EXTRA for each in RECORDS]
    files = {entry["problem_file"].lower() for entry in manifest}
    assert len(files) == len(IDS)
    written = (tmp_path / "out" / "problems").iterdir()
    assert {f"problems/{path.name}".lower() for path in written} == files
    assert manifest[2]["problem_file"] == "problems/a.pddl"
    # The folder is a dataset with the same ids, and an export with these names can be replaced.
    run("prompt out -o prompts.jsonl")
    assert {each["id"] for each in json_lines(tmp_path / "prompts.jsonl")} == set(IDS)
    run("translate data.jsonl -o out")


@pytest.mark.parametrize(
    ("line", "ids"),
    [
        ("prompt data.jsonl", IDS),
        ("score data.jsonl answers.jsonl", IDS),
        ("questions data.jsonl --kind state", [f"{name}:state:0" for name in IDS]),
    ],
)
def test_every_output_has_them(run: Run, tmp_path: Path, line: str, ids: tuple[str, ...]) -> None:
    run(f"{line} -o out.jsonl")
    found = [(each["id"], each["extra"]) for each in json_lines(tmp_path / "out.jsonl")]
    assert found == [(name, EXTRA) for name in ids]


def test_runs_are_stored_resumed_and_reported_under_them(run: Run, tmp_path: Path) -> None:
    run(RUN)
    file = tmp_path / "runs" / "runs.jsonl"
    stored = json_lines(file)
    assert {each["id"] for each in stored} == {*IDS[:FEW]}
    assert len({each["key"] for each in stored}) == FEW
    assert all(each.pop("extra") == EXTRA for each in stored)
    assert f"{FEW} of {FEW} runs were already in the store" in run(RUN).err
    done = run("report runs --json --html r.html --lab lab")
    assert json.loads(done.out.splitlines()[0])["instances"] == FEW
    # As a version without the fields.
    write_lines(file, [{name: run[name] for name in run if name != "crc32"} for run in stored])
    assert [result.extra for result in read_store(tmp_path / "runs")] == [{}] * FEW


@pytest.mark.parametrize("name", ["answers.jsonl", "answers.parquet"])
def test_the_fields_of_answers_stand_beside_those_of_the_data(
    run: Run, tmp_path: Path, name: str
) -> None:
    row = {
        "id": "a", "response": PLAN, "model": "m", "correct": True, "copy": PLAN,
        "temperature": 0.5, "day": "2026-01-02", "status": 8,
    }  # fmt: skip
    write_lines(tmp_path / "answers.jsonl", [row])
    pd.DataFrame([row | {"day": date(2026, 1, 2)}]).to_parquet(tmp_path / "answers.parquet")
    run(f"score data.jsonl {name} -o out.jsonl")
    (found,) = (each["extra"] for each in json_lines(tmp_path / "out.jsonl"))
    assert [*found.items()] == [*EXTRA.items(), ("temperature", 0.5), ("day", "2026-01-02")]


def test_the_fields_of_given_pddl_are_kept_too() -> None:
    files = {"domain": "domain.pddl", "problem": "p01.pddl"}
    texts = {name: (domain_folder("countdown") / files[name]).read_text() for name in files}
    record = {"id": "p", "domain": "countdown", "pddl": texts, "level": 3}
    given = from_record(record)
    assert (given.extra, to_record(given)) == ({"level": 3}, record)


def test_a_similar_name_is_a_fault_only_if_the_field_is_missing() -> None:
    with pytest.raises(FieldFault, match="'tagret' is unknown; did you mean 'target'"):
        from_record({"id": "a", "domain": "countdown", "numbers": [1], "tagret": 1})
    assert from_record(RECORDS[0] | {"tagret": 2}).extra == {"tagret": 2}


@given(st.lists(st.text(min_size=1, max_size=250), max_size=4))
def test_file_names_are_unique_and_portable(texts: list[str]) -> None:
    with FileNames() as names:
        found = [names.name_of(text) for text in texts]
        found += [names.name_of(name) for name in found]  # also if an id is the name of another
    assert len({name.lower() for name in found}) == 2 * len(texts)
    for name in found:
        assert name.isascii()
        assert not set(name) & set('/\\:*?"<>| \n\0')
        assert 0 < len(f"{name}.pddl") <= 255
        assert not name.startswith((".", "-"))


@pytest.mark.parametrize(
    ("value", "text"), [(7, "7"), ("7", "7"), (7.0, "7"), (7.5, "7.5"), (" a ", " a ")]
)
def test_ids_are_compared_as_text(value: object, text: str) -> None:
    assert check_id(value) == text


@pytest.mark.parametrize("value", [None, True, [], {}, "", " ", "x" * 201, "\ud800"])
def test_what_is_no_id(value: object) -> None:
    with pytest.raises(FieldFault):
        check_id(value)
