"""Faults in datasets: one line each, no partial output, and the rows that --skip-bad skips."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli

HEADER = "Rank,Puzzles\n"
NUMS = '{"target": 3, "nums": [1, 2]}\n'
RECORD = '{"id": "a", "domain": "countdown", "numbers": [1, 2], "target": 3}\n'
DIGITS = "9" * 10**6

PAPER = (
    "x.jsonl: countdown rules: paper (negative numbers not allowed, fractions allowed, all numbers "
    "used, division by positive numbers, target met exactly)"
)

# Content by file name, options, and the start of the one line on standard error.


def state(change: dict[str, object], part: str = "state") -> str:
    """Return a unit test of AutoToS with changed fields."""
    row: dict[str, dict[str, object]] = {
        "state": {"on": [["b", "a"]], "on-table": ["a"], "clear": ["b"], "arm-empty": True},
        "goal": {"on": [["a", "b"]]},
    }
    row[part] |= change
    return json.dumps([row])


def stones(**change: object) -> str:
    row = {"state": {"at-player": [1, 1], "at-stone": [[1, 2]]}, "grid": [[1] * 5, [1, 0, 0, 2, 1]]}
    return json.dumps([row | change])


BAD: dict[str, tuple[dict[str, str | bytes], list[str], str]] = {
    "column missing": (
        {"24.csv": "Rank,Puzle\n1,1 1 4 6\n"}, ["--format", "24game"],
        "24.csv:2: field 'Puzzles' is missing",
    ),
    "unknown columns": (
        {"x.csv": "a,b\n1,2\n"}, [],
        "x.csv:1: field 'numbers' is missing, found a, b; name it with --column numbers=NAME",
    ),
    "short row": ({"24.csv": f"{HEADER}1\n"}, [], "24.csv:2: found 1 column, expected 2"),
    "no number": (
        {"24.csv": f"{HEADER}1,1 x 4 6\n"}, [],
        "24.csv:2: field 'Puzzles': found 'x', expected a whole number",
    ),
    "digits in CSV": (
        {"24.csv": f"{HEADER}1,1 {DIGITS}\n"}, [],
        "24.csv:2: not CSV: field larger than field limit",
    ),
    "some digits in CSV": (
        {"24.csv": f"{HEADER}1,1 {DIGITS[:5000]}\n"}, [],
        "24.csv:2: field 'Puzzles': a number of more than 4300 digits",
    ),
    "digits in JSON": (
        {"x.jsonl": f'{{"target": {DIGITS}, "nums": [1]}}\n'}, [],
        "x.jsonl:1: a number of more than 4300 digits",
    ),
    "digits in a list": (
        {"x.json": f'[{{"target": 1, "nums": [{DIGITS}]}}\n]'}, ["--format", "target-nums"],
        "x.json: a number of more than 4300 digits",
    ),
    "list cut off": (
        {"x.json": f"[{NUMS},{NUMS}"}, [], "x.json: found 'the end', expected ',' or ']'",
    ),
    "list cut off in an element": (
        {"x.json": f"[{NUMS},{NUMS[:12]}"}, [],
        "x.json: expected ',' or a closing bracket, found the end of the file",
    ),
    "truncated Parquet": (
        {"x.parquet": b"PAR1" + b"\0" * 100}, [], "x.parquet: not readable as Parquet: ",
    ),
    "truncated gzip": (
        {"x.jsonl.gz": gzip.compress(NUMS.encode() * 999)[:-20]}, [],
        "x.jsonl.gz: the compressed file is truncated or damaged",
    ),
    "column twice": (
        {"24.csv": "Rank,Puzzles,Puzzles\n1,1 2,3 4\n"}, [],
        "24.csv:1: column 'Puzzles' occurs twice",
    ),
    "CSV that is no text": ({"24.csv": b"R\xe4nk,Puzzles\n"}, [], "24.csv:1:2: expected UTF-8"),
    "half a character": (
        {"x.jsonl": '{"id": "a", "domain": "d", "pddl": {"domain": "(\\ud800", "problem": ""}}'},
        [],
        (
            "x.jsonl:1:28: field 'pddl': <domain>: contains an unpaired surrogate (\\ud800);"
            " expected valid Unicode"
        ),
    ),
    "archive": (
        {"x.tar": b"p" * 257 + b"ustar"}, [],
        "x.tar:1:1: expected UTF-8 text, found a tar archive, byte 0x70",
    ),
    "field missing": (
        {"x.jsonl": NUMS + '{"target": 3}\n'}, [], "x.jsonl:2:1: field 'nums' is missing",
    ),
    "text for numbers": (
        {"x.jsonl": '{"target": 3, "nums": "one two"}\n'}, [],
        "x.jsonl:1:15: field 'nums': found 'one' in 'one two', expected whole numbers",
    ),
    "numbers that are none": (
        {"x.jsonl": '{"target": 3, "nums": [1, 2.5]}\n'}, [],
        "x.jsonl:1:15: field 'nums': found 2.5 in [1, 2.5], expected whole numbers such as",
    ),
    "negative number": (
        {"x.jsonl": '{"target": 3, "nums": [1, -2]}\n'}, [],
        "x.jsonl:1:15: field 'nums': found -2, expected 0 or more",
    ),
    "ids twice in one format": (
        {"24.csv": f"{HEADER}1,1 2\n1,1 2\n"}, [],
        "24.csv:3: field 'id': '24game-1' is already used at 24.csv:2",
    ),
    "two files of one name": (
        {"a/1.csv": f"{HEADER}1,1 2\n", "b/1.csv": f"{HEADER}1,1 2\n"}, [],
        "b/1.csv:2: field 'id': '24game-1' is already used at a/1.csv:2",
    ),
    "unknown format": ({"x.jsonl": RECORD}, ["--format", "recods"], "unknown format 'recods'; did"),
    "no folder": ({"x.jsonl": RECORD}, ["--folder", "x=nowhere"], "nowhere: is not a folder"),
    "instance not here": (
        {"x.json": '[["blocks/p1.pddl", "(pick-up a)", 1]]'}, [],
        "x.json: item 1: field 'path': 'blocks/p1.pddl' was not found; give its",
    ),
    "solution that is none": (
        {"x.json": '[{"nums": [1, 2], "target": 3, "solution": ["1+4=5"]}]'}, [],
        "x.json: item 1: field 'solution': there is no number 4 left",
    ),
    "ACPBench without PDDL": (
        {"x.json": '[{"id": 1, "group": "g", "context": "c", "question": "q"}]'}, [],
        "x.json: item 1: field 'PDDL_problem' is missing; only the 'gen' files carry PDDL",
    ),
    "PDDL of another domain": (
        {"f/domain.pddl": "", "f/p1.pddl": "(define (problem p) (:domain blocksworld)\n(:objects a)"
         "\n(:init (sits a)) (:goal (sits a)))"}, [],
        "f/p1.pddl:3:9: unknown predicate 'sits'",
    ),
    "PDDL without a domain": (
        {"f/p1.pddl": "(define (problem p) (:domain nowhere) (:init) (:goal (and)))"}, [],
        "f/p1.pddl: no domain file found; expected domain.pddl beside it",
    ),
    "no PDDL at all": (
        {"f/p1.pddl": "hello"}, [], "f/p1.pddl: is neither a PDDL domain nor a PDDL problem"
    ),
    "pairs that are none": (
        {"x.json": state({"on": [["b"]]})}, [],
        "x.json: item 1: field 'state': Expected `array` of length 2, got 1",
    ),
    "goal that is none": (
        {"x.json": state({"on": 3}, "goal")}, [], "x.json: item 1: field 'state': Expected `array`",
    ),
    "circle of blocks": (
        {"x.json": state({"on": [["a", "b"], ["b", "a"]], "on-table": []})}, [],
        "x.json: item 1: field 'on': some blocks are not in a stack on the table",
    ),
    "clear that does not fit": (
        {"x.json": state({"clear": ["a"]})}, [], "x.json: item 1: field 'clear' does not list the",
    ),
    "hand that does not fit": (
        {"x.json": state({"arm-empty": False})}, [], "x.json: item 1: field 'arm-empty' does not",
    ),
    "stone outside": (
        {"x.json": stones(state={"at-player": [1, 1], "at-stone": [[9, 9]]})}, [],
        "x.json: item 1: field 'state': [9, 9] is not a free cell of the grid",
    ),
    "stone in a wall": (
        {"x.json": stones(state={"at-player": [1, 1], "at-stone": [[1, 4]]})}, [],
        "x.json: item 1: field 'state': [1, 4] is not a free cell of the grid",
    ),
    "stone at the player": (
        {"x.json": stones(state={"at-player": [1, 1], "at-stone": [[1, 1]]})}, [],
        "x.json: item 1: field 'state': two objects are on the same cell",
    ),
    "unknown cell": (
        {"x.json": stones(grid=[[1] * 5, [1, 0, 0, 3, 1]])}, [],
        "x.json: item 1: field 'grid': expected cells 0 (free), 1 (wall), 2 (goal)",
    ),
    "text after a list": (
        {"x.json": f"[{NUMS}] more"}, ["--format", "target-nums"],
        "x.json: found 'm' after the list",
    ),
    "comma at the end of a list": (
        {"x.json": f"[{NUMS},\n]"}, ["--format", "target-nums"],
        "x.json: expected a JSON value, found ']'",
    ),
    "solution that misses the target": (
        {"x.json": '[{"nums": [1, 2], "target": 4, "solution": ["1+2=3"]}]'}, [],
        "x.json: item 1: field 'solution' is not a valid plan: step 2 (checkgoal n1): (= (value",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD.values(), ids=BAD)
def test_one_line_and_nothing_written(
    case: tuple[dict[str, str | bytes], list[str], str], cli: Cli, tmp_path: Path
) -> None:
    files, options, message = case
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode()
        path.write_bytes(data or (domain_folder("blocksworld") / "domain.pddl").read_bytes())
    before = sorted(tmp_path.rglob("*"))
    data = sorted({Path(name).parts[0] if "f/" in name else name for name in files})
    done = cli("translate", *data, "-o", "out", *options)
    assert (done.status, done.out) == (2, "")
    lines = [line for line in done.err.splitlines() if ": read as " not in line]
    assert len(lines) == 1
    assert lines[0].startswith(f"error: {message}")
    assert len(lines[0]) < 400
    assert sorted(tmp_path.rglob("*")) == before


def test_skip_bad_goes_on_and_lists_what_was_skipped(cli: Cli, tmp_path: Path) -> None:
    good = RECORD.replace('"a"', '"b"')
    (tmp_path / "x.jsonl").write_text(f"{RECORD}nonsense\n{RECORD}{good}[1]\n")
    done = cli("translate", "x.jsonl", "-o", "out", "--skip-bad")
    assert (done.status, done.out) == (0, "2 problems in out\n")
    assert done.err.splitlines() == [
        "skipped: x.jsonl:2:1: expected a JSON value, found 'n'",
        "skipped: x.jsonl:3:2: field 'id': 'a' is already used at x.jsonl:1",
        "skipped: x.jsonl:5:1: found a list, expected one JSON object per line",
        PAPER,
    ]
    manifest = (tmp_path / "out" / "manifest.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in manifest] == ["a", "b"]


def test_nothing_left_is_an_error(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("nonsense\n")
    done = cli("translate", "x.jsonl", "-o", "out", "--skip-bad")
    last = "error: x.jsonl: every record was skipped"
    assert (done.status, done.err.splitlines()[-1]) == (2, last)
    assert not (tmp_path / "out").exists()


def test_same_input_same_bytes(cli: Cli, tmp_path: Path) -> None:
    rows = "".join(f"{rank},1 2 {rank}\n" for rank in range(1, 50))
    (tmp_path / "24.csv").write_text(HEADER + rows)
    for name in ("one", "two"):
        assert cli("translate", "24.csv", "-o", name).status == 0
    files = [path for path in (tmp_path / "one").rglob("*") if path.is_file()]
    other = [tmp_path / "two" / path.relative_to(tmp_path / "one") for path in files]
    assert [path.read_bytes() for path in files] == [path.read_bytes() for path in other]
    assert len(files) == 49 + 3
