"""The JSON schemas of the documentation describe the files that the commands write."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from places import ROOT
from plugin_sites import environment, run_lines

from pddl_pipeline.model.answer import Unread
from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.reporting.lab_properties import ERRORS

SCHEMAS = ROOT / "docs" / "schemas"
NAMES = sorted(path.name.removesuffix(".schema.json") for path in SCHEMAS.glob("*.json"))
PLAN = domain_folder("ferry") / "p01.plan"
# The fields that no field of the schema names: those of the domain ferry.
OWN = {"locations", "cars", "at", "aboard", "ferry", "goal"}


FILES = {
    "record": "data.jsonl", "run": "runs/runs.jsonl", "command": "runs/commands.jsonl",
    "score": "scored.jsonl", "manifest": "pddl/manifest.jsonl", "prompt": "prompts.jsonl",
    "question": "questions.jsonl", "mark": "marks.jsonl", "answer": "exact.jsonl",
}  # fmt: skip


def schema(name: str) -> dict[str, Any]:
    form: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
    return form


COMMANDS = [
    f"run data.jsonl --planner 'copy=cmd:/bin/cp {PLAN} {{plan}}' --planner no=cmd:false -o runs",
    "translate data.jsonl -o pddl",
    "prompt data.jsonl -o prompts.jsonl",
    "score data.jsonl answers.jsonl -o scored.jsonl",
    "questions data.jsonl --count 1 -o questions.jsonl",
    "questions questions.jsonl --answer -o exact.jsonl",
    "questions questions.jsonl --score exact.jsonl -o marks.jsonl",
]


def test_every_status_and_outcome_is_in_the_schemas_and_the_docs() -> None:
    run, score = (schema(name)["properties"] for name in ("run", "score"))
    assert run["outcome"]["enum"] == [*Outcome]
    assert run["status"]["enum"] == [*Status, None]
    assert run["improvements"]["items"]["properties"]["status"]["enum"] == [*Status]
    assert score["status"]["enum"] == score["strict_status"]["enum"] == [*Status]
    assert score["unread"]["enum"] == [*Unread]
    running = (ROOT / "docs" / "running.md").read_text("utf-8")
    assert [each for each in Outcome if not re.search(rf"\n\|[^|]*`{each}`", running)] == []
    assert ERRORS.keys() == set(Outcome)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return one file of each kind; the commands write them."""
    folder = tmp_path_factory.mktemp("files")
    record = json.loads((domain_folder("ferry") / "examples.jsonl").read_text().splitlines()[0])
    (folder / "data.jsonl").write_text(json.dumps(record | {"difficulty": "easy"}))
    texts = [PLAN.read_text(), "(sail l9 l1)", "nothing"]
    answers = [{"id": record["id"], "answer": text, "model": "m", "note": 1} for text in texts]
    (folder / "answers.jsonl").write_text("\n".join(map(json.dumps, answers)))
    for done in run_lines(environment(folder), folder, *COMMANDS):
        assert done.status in (0, 1, 3), done.err
    return {name: folder / file for name, file in FILES.items()}


def lines(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, path.read_text("utf-8").splitlines())


@pytest.mark.parametrize("name", NAMES)
def test_written_lines_match_their_schema(name: str, files: dict[str, Path]) -> None:
    form = schema(name)
    validator = Draft202012Validator(form)
    found = list(lines(files[name]))
    assert found
    for line in found:
        assert [error.message for error in validator.iter_errors(line)] == []
        undocumented = line.keys() - form["properties"].keys()
        assert undocumented <= ({"difficulty", *OWN} if name == "record" else set())


def test_problems_of_a_store_are_records(files: dict[str, Path]) -> None:
    (file,) = (files["run"].parent / "problems").glob("*/*")
    Draft202012Validator(schema("record")).validate(json.loads(gzip.decompress(file.read_bytes())))


@pytest.mark.parametrize("domain", domain_names())
def test_examples_are_records(domain: str) -> None:
    validator = Draft202012Validator(schema("record"))
    for line in lines(domain_folder(domain) / "examples.jsonl"):
        validator.validate(line)


@pytest.mark.parametrize("name", NAMES)
def test_every_field_is_explained(name: str) -> None:
    form = schema(name)
    Draft202012Validator.check_schema(form)
    assert all(field.get("description") for field in form["properties"].values())
    assert set(form["required"]) <= form["properties"].keys()
    page = (ROOT / "docs" / "reference" / "file-formats.md").read_text("utf-8")
    assert f"<!-- schema: {name} -->" in page
