"""Bad input: one line with the place, status 2, no traceback, no partial output."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli, CliHere

COUNTDOWN = domain_folder("countdown")
DOMAIN, PROBLEM, PLAN = (COUNTDOWN / name for name in ("domain.pddl", "p01.pddl", "p01.plan"))
RECORD = '{"id": "a", "domain": "countdown", "numbers": [3, 4], "target": 7}\n'


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder of bad files, each with a different fault."""
    broken = {
        "empty": "",
        "prose": "Here is my domain.",
        "unbalanced.pddl": DOMAIN.read_text().rstrip()[:-1],
        "extra.pddl": DOMAIN.read_text() + ")",
        "typo.pddl": DOMAIN.read_text().replace("(active ?b)", "(actve ?b)", 1),
        "section.pddl": DOMAIN.read_text().replace(":functions", ":fuctions"),
        "problem.pddl": PROBLEM.read_text().replace("(active n1)", "(active n9)"),
        "numbers.pddl": PROBLEM.read_text().replace("(= (targetvalue) 24)", "(= (targetvalue) x)"),
        "good.jsonl": RECORD,
        "text.jsonl": RECORD.replace("7", '"7"'),
        "negative.jsonl": RECORD.replace("7", "-7"),
        "field.jsonl": RECORD + RECORD.replace("target", "tagret").replace('"a"', '"b"'),
        "double.jsonl": RECORD + RECORD,
        "domain.jsonl": RECORD.replace("countdown", "countdwon"),
        "cut.jsonl": RECORD[:20],
    }
    for name, text in broken.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "folder").mkdir()
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "thesis.tex").write_text("x")
    return tmp_path


EMPTY = "found an empty name, expected a file or folder"
BAD = [
    (("validate", "", PROBLEM, PLAN), EMPTY),
    (("run", "", "-o", "out"), EMPTY),
    (("score", "good.jsonl", ""), EMPTY),
    (("translate", "good.jsonl", "-o", ""), EMPTY),
    (("report", ""), EMPTY),
    (("validate", "no.pddl", PROBLEM, PLAN), "no.pddl: cannot be read: No such file or directory"),
    (("validate", "folder", PROBLEM, PLAN), "folder: cannot be read: Is a directory"),
    (("validate", "empty", PROBLEM, PLAN), "empty:1:1: the file is empty, expected (define …)"),
    (("validate", "prose", PROBLEM, PLAN), "prose:1:1: found 'here', expected (define …)"),
    (("validate", "unbalanced.pddl", PROBLEM, PLAN), "unbalanced.pddl:1:1: found '(' without"),
    (("validate", "extra.pddl", PROBLEM, PLAN), "extra.pddl:41:1: found ')' without its '('"),
    (
        ("validate", "typo.pddl", PROBLEM, PLAN),
        "typo.pddl:10:52: unknown predicate 'actve'; did you mean 'active'?",
    ),
    (
        ("validate", "section.pddl", PROBLEM, PLAN),
        "section.pddl:6:4: unknown section ':fuctions'; did you mean ':functions'?",
    ),
    (("validate", DOMAIN, "problem.pddl", PLAN), "problem.pddl:4:127: unknown object 'n9'"),
    (("validate", DOMAIN, "numbers.pddl", PLAN), "numbers.pddl:4:47: 'x' is not a decimal number"),
    (("validate", DOMAIN, PROBLEM, "no.plan"), "no.plan: cannot be read: No such file"),
    (("validate", DOMAIN, PROBLEM, PLAN, "--cross-check", "upp"), "unknown validator 'upp'"),
    (("validate", DOMAIN, PROBLEM), "Missing argument 'PLAN...'"),
    (("translate", "no.jsonl", "-o", "out"), "no.jsonl: cannot be read: No such file"),
    (("translate", "empty", "-o", "out"), "empty: the file contains no record"),
    (("translate", "prose", "-o", "out"), "prose:1:1: expected a JSON value, found 'H'"),
    (("translate", "cut.jsonl", "-o", "out"), "cut.jsonl:1:"),
    (("translate", "folder", "-o", "out"), "folder: contains no PDDL problem"),
    (
        ("translate", "text.jsonl", "-o", "out"),
        "text.jsonl:1:55: field 'target': Expected `int`, got `str` at target",
    ),
    (
        ("translate", "negative.jsonl", "-o", "out"),
        "negative.jsonl:1:55: field 'target': found -7, expected 0 or more",
    ),
    (
        ("translate", "field.jsonl", "-o", "out"),
        "field.jsonl:2:55: field 'tagret': is unknown; did you mean 'target'?",
    ),
    (
        ("translate", "double.jsonl", "-o", "out"),
        "double.jsonl:2:2: field 'id': 'a' is already used at double.jsonl:1",
    ),
    (
        ("translate", "domain.jsonl", "-o", "out"),
        "domain.jsonl:1:13: field 'domain': unknown domain 'countdwon'; did you mean 'countdown'?",
    ),
    (("translate", "good.jsonl", "-o", "used"), "used: contains 'thesis.tex'; choose an empty"),
    (("translate", "good.jsonl", "-o", "prose"), "prose: is a file, expected a folder"),
    (("translate", "good.jsonl"), "Missing option '-o'"),
    (("run", "double.jsonl", "-o", "out"), "double.jsonl:2:2: field 'id': 'a' is already used"),
    (("run", "good.jsonl", "-o", "used"), "used: holds 'thesis.tex' but no runs.jsonl"),
    (("run", "good.jsonl", "-o", "prose"), "prose: is a file, expected a folder"),
    (
        ("run", "good.jsonl", "-o", "out", "--planner", "ehnsp"),
        "unknown planner 'ehnsp'; did you mean 'enhsp'?",
    ),
    (
        ("run", "good.jsonl", "-o", "out", "--time-limit", "5x"),
        "Invalid value for '--time-limit': '5x' is not a duration; expected one such as 30m",
    ),
    (
        ("run", "good.jsonl", "-o", "out", "--memory-limit", "lots"),
        "Invalid value for '--memory-limit': 'lots' is not a memory size",
    ),
    (("run", "good.jsonl", "-o", "out", "-j", "0"), "Invalid value for '-j'"),
    (("solve", DOMAIN, "no.pddl"), "no.pddl: cannot be read: No such file"),
    (("solve", "typo.pddl", PROBLEM), "typo.pddl:10:52: unknown predicate 'actve'"),
    (("solve", DOMAIN, PROBLEM, "--planner", "lama-frist"), "did you mean 'lama-first'?"),
    (("report", "used"), "used: is not a run store: runs.jsonl cannot be read, No such"),
    (("report", "no-such-folder"), "no-such-folder: is not a run store"),
    (("valdate", DOMAIN), "unknown command 'valdate'; did you mean 'validate'?"),
    (("domains", "--jsno"), "No such option '--jsno'"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD, ids=[f"{a[0]}-{m[:40]}" for a, m in BAD])
def test_one_line_and_status_2(
    cli_here: CliHere, files: Path, arguments: tuple[str | Path, ...], message: str
) -> None:
    before = {path: path.stat().st_mtime_ns for path in files.rglob("*")}
    done = cli_here(*arguments, cwd=files)
    assert done.status == 2
    assert done.out == ""
    # The data may have been read before the fault was found.
    notes = ("folder: read as pddl", "good.jsonl: countdown rules: paper ")
    messages = [line for line in done.err.splitlines() if not line.startswith(notes)]
    assert messages[0].startswith("error: ")
    assert len(messages) == 1
    assert message in done.err
    assert {path: path.stat().st_mtime_ns for path in files.rglob("*")} == before


BAD_PLANS = [
    ("(add n1 n3)\n(subtract n1", 2, 13, "found the end of the text, expected an argument or ')'"),
    ("(ad n1 n3)", 1, 1, "step 1 (ad n1 n3): unknown action 'ad'; did you mean 'add'?"),
    ("(add n1)", 1, 1, "step 1 (add n1): 'add' takes 2 arguments, found 1"),
    ("(add n1 n3)\n  (add n1 n9)", 2, 3, "step 2 (add n1 n9): unknown object 'n9'"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), BAD_PLANS)
def test_plan_that_is_none(
    cli: Cli, tmp_path: Path, text: str, line: int, column: int, message: str
) -> None:
    (tmp_path / "bad.plan").write_text(text)
    done = cli("validate", DOMAIN, PROBLEM, "bad.plan")
    assert done.status == 2
    assert f"\nbad.plan:{line}:{column}: {message}" in done.out


def test_object_of_the_wrong_type(cli: Cli, tmp_path: Path) -> None:
    ferry = domain_folder("ferry")
    (tmp_path / "bad.plan").write_text("(board l0 l0)")
    done = cli("validate", ferry / "domain.pddl", ferry / "p01.pddl", "bad.plan")
    assert done.status == 2
    assert (
        "bad.plan:1:1: step 1 (board l0 l0): 'l0' is of the wrong type, ?car takes a car"
        in done.out
    )


def test_a_fault_in_the_last_record_leaves_an_earlier_translation_as_it_was(
    cli: Cli, files: Path
) -> None:
    assert cli("translate", "good.jsonl", "-o", "out").status == 0
    before = {path: path.read_bytes() for path in (files / "out").rglob("*") if path.is_file()}
    assert cli("translate", "field.jsonl", "-o", "out").status == 2
    after = {path: path.read_bytes() for path in (files / "out").rglob("*") if path.is_file()}
    assert after == before
    assert not list(files.glob(".out-*"))
