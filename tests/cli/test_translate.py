"""`translate`: the files that it writes, and those that it does not change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from command_line import check_mistake
from data_kinds import KINDS

from pddl_pipeline import load_records, read_task
from pddl_pipeline.pddl_domains import domain_folder, domain_names

if TYPE_CHECKING:
    from command_line import Cli, CliHere

COUNTDOWN = domain_folder("countdown")
DATA = COUNTDOWN / "examples.jsonl"


def test_translate_writes_what_the_design_says(cli: Cli, tmp_path: Path) -> None:
    done = cli("translate", DATA, "-o", "out")
    assert (done.status, done.out) == (0, "7 problems in out\n")
    out = tmp_path / "out"
    manifest = [json.loads(line) for line in (out / "manifest.jsonl").read_text().splitlines()]
    assert manifest[0] == {
        "id": "c01",
        "domain": "countdown",
        "domain_file": "domain.pddl",
        "problem_file": "problems/c01.pddl",
        "source": "Katz et al., Figure 10",
        "size": 4,
    }
    for entry in manifest:
        read_task(out / entry["domain_file"], out / entry["problem_file"])
    records = [json.loads(line) for line in (out / "instances.jsonl").read_text().splitlines()]
    assert records == [json.loads(line) for line in DATA.read_text().splitlines()]
    assert (out / "domain.pddl").read_text() == (COUNTDOWN / "domain.pddl").read_text()


def test_translate_of_several_domains_names_each(cli: Cli, tmp_path: Path) -> None:
    files = [domain_folder(name) / "examples.jsonl" for name in domain_names()]
    assert cli("translate", *files, "-o", "out").status == 0
    out = tmp_path / "out"
    assert not (out / "domain.pddl").exists()
    assert len(list((out / "domains").iterdir())) == len(domain_names())
    for line in (out / "manifest.jsonl").read_text().splitlines():
        entry = json.loads(line)
        read_task(out / entry["domain_file"], out / entry["problem_file"])


def test_translate_again_replaces_and_limit_stops(cli: Cli, tmp_path: Path) -> None:
    """Also through a link to a folder: neither the folder nor the link may be replaced."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert cli("translate", DATA, "-o", "link").status == 0
    again = cli("translate", DATA, "-o", "link", "--limit", "2")
    assert again.out == "2 problems in link, which replace the earlier ones\n"
    assert (tmp_path / "link").is_symlink()
    assert len(list((tmp_path / "real" / "problems").iterdir())) == 2
    assert {path.name for path in tmp_path.iterdir()} == {"link", "real"}


ENTRY = json.dumps({"domain_file": "thesis.tex", "problem_file": "problems/a.pddl"})


@pytest.mark.parametrize(("file", "manifest"), [("problems/notes.txt", ""), ("thesis.tex", ENTRY)])
def test_translate_keeps_its_hands_off_other_files(
    cli: Cli, tmp_path: Path, file: str, manifest: str
) -> None:
    """Also off those that a manifest of someone else names."""
    assert cli("translate", DATA, "-o", "out").status == 0
    (tmp_path / "out" / file).write_text("mine")
    if manifest:
        (tmp_path / "out" / "manifest.jsonl").write_text(manifest)
    check_mistake(cli("translate", DATA, "-o", "out"), "out: contains '")
    assert (tmp_path / "out" / file).read_text() == "mine"


@pytest.mark.parametrize("name", KINDS)
def test_the_folder_is_the_same_dataset(name: str, tmp_path: Path, cli_here: CliHere) -> None:
    """Its records, rules, budgets and further fields are those of the data."""
    kind = KINDS[name]
    kind.write(tmp_path)
    for line in filter(None, (kind.first, ("translate", *kind.data, "-o", "out"))):
        assert cli_here(*line, cwd=tmp_path).status == 0
    folder, records = (
        {each.id: each for each in load_records(tmp_path / place)}
        for place in ("out", "out/instances.jsonl")
    )
    assert folder == records


NEGATIVE = {"domain": "countdown", "numbers": [3, 4, 5, 6], "target": 24, "level": "easy",
            "rules": {"negatives": True}, "optimal_cost": 4}  # fmt: skip
BLOCKS = {"domain": "budget-blocksworld", "init": [["b1", "b2"]], "holding": None, "budget": 21,
          "goal": [["on", "b1", "b2"]], "optimal_cost": 4, "split": "test",
          "costs": {"pick-up": 1, "unstack": 1, "put-down": 20, "stack": 1}}  # fmt: skip


@pytest.mark.parametrize(
    ("record", "answer", "options", "change", "errors"),
    [
        (NEGATIVE, "6*(3-4+5)", "", None, []),
        (NEGATIVE, "6*(3-4+5)", "--encoding rational", None, []),
        (
            BLOCKS,
            "(unstack b2 b1) (put-down b2) (pick-up b1) (stack b1 b2)",
            "",
            None,
            ["over-budget"],
        ),
        # The PDDL counts: the record of a changed file is not used.
        (NEGATIVE, "3 * 4 + 5 + 6", "", ("(targetvalue) 24", "(targetvalue) 23"), []),
    ],
)
def test_score_reads_the_folder_as_it_was_written(
    record: dict[str, Any], answer: str, options: str, change: tuple[str, str] | None,
    errors: list[str], tmp_path: Path, cli_here: CliHere,
) -> None:  # fmt: skip
    (tmp_path / "data.jsonl").write_text(json.dumps({"id": "a/1", **record}))
    (tmp_path / "answers.jsonl").write_text(json.dumps({"id": "a/1", "answer": answer}))
    cli_here("translate", "data.jsonl", "-o", "out", *options.split(), cwd=tmp_path)
    (problem,) = (tmp_path / "out" / "problems").iterdir()
    assert ("(denominator n1) 1" in problem.read_text()) == ("rational" in options)
    problem.write_text(problem.read_text().replace(*change or ("", "")))
    done = cli_here("score", "out", "answers.jsonl", "-o", "scored.jsonl", cwd=tmp_path)
    (scored,) = map(json.loads, (tmp_path / "scored.jsonl").read_text().splitlines())
    noted = "out: instances.jsonl does not match" in done.err
    assert (scored["errors"], noted) == (errors, change is not None)
