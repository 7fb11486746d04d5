"""Faults in tables of a user's own: one line with row and column, status 2, nothing written."""

from __future__ import annotations

import json
import sys
from collections import deque
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from command_line import check_mistake
from data_kinds import write_data

from pddl_pipeline import InputError, load_records
from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import CliHere

HEADER = "id,numbers,target\n"
ROW = "a,3 4 5 6,24\n"
CARS = {
    "id": "a", "locations": ["l0"], "cars": ["c0"], "at": {"c0": "l0"}, "aboard": None,
    "ferry": "l0", "goal": {"c0": "l0"},
}  # fmt: skip

# File, content, options, and the line on standard error after "error: ".
FAULTS: dict[str, tuple[str, str | bytes | pd.DataFrame, tuple[str, ...], str]] = {
    "no column of numbers": (
        "a.csv", "id,digits,target\na,1,1\n", (),
        "a.csv:1: field 'numbers' is missing, found id, digits, target; name it with --column",
    ),
    "no column of the target": (
        "a.csv", "id,numbers,tagret\na,1,1\n", (),
        "a.csv:1: field 'target' is missing, found id, numbers, tagret; name it with --column",
    ),
    "a column of names is not suggested": (
        "a.csv", "id,puzzle name,target\nb,x1,1\n", (),
        "a.csv:1: field 'numbers' is missing, found id, puzzle name, target; name it with",
    ),
    "answers in words are no target": (
        "a.csv", "id,numbers,answer\na,1,1 = 1\n", (), "a.csv:1: field 'target' is missing",
    ),
    "no such column": (
        "a.csv", f"{HEADER}{ROW}", ("--column", "numbers=nubmers"),
        "a.csv:1: field 'nubmers' is missing, found id, numbers, target; did you mean 'numbers'?",
    ),
    "no such field": (
        "a.csv", f"{HEADER}{ROW}", ("--column", "nums=numbers"),
        "--column: countdown has no field 'nums'; did you mean 'numbers'?",
    ),
    "no field": ("a.csv", f"{HEADER}{ROW}", ("--column", "numbers"), "--column: found 'numbers'"),
    "empty numbers": (
        "a.csv", f"{HEADER}{ROW}b,,24\n", (), "a.csv:3: field 'numbers' is empty, expected whole",
    ),
    "empty target": (
        "a.csv", f"{HEADER}{ROW}b,1 2, \n", (), "a.csv:3: field 'target' is empty, expected a",
    ),
    "empty id": ("a.csv", f"{HEADER}{ROW},1 2,3\n", (), "a.csv:3: field 'id' is empty"),
    "empty id in JSON": (
        "a.jsonl", '{"id": "a", "nums": [1], "goal": 1}\n{"id": "", "nums": [1], "goal": 1}\n', (),
        "a.jsonl:2:2: field 'id' is empty",
    ),
    "blank id in JSON under another name": (
        "a.json", '[{"key": " ", "nums": [1], "goal": 1}]', ("--column", "id=key"),
        "a.json: item 1: field 'key' is empty",
    ),
    "empty id of a record without a domain": (
        "a.jsonl", '{"id": "", "numbers": [1], "target": 1}', ("--domain", "countdown"),
        "a.jsonl:1:2: field 'id' is empty",
    ),
    "empty id of Stream of Search": (
        "a.json", '[{"id": "", "nums": [1, 2], "target": 3, "solution": ["1+2=3"]}]', (),
        "a.json: item 1: field 'id' is empty",
    ),
    "empty id in Parquet": (
        "a.parquet", pd.DataFrame({"id": [""], "numbers": [[1]], "target": [1]}), (),
        "a.parquet: row 1: field 'id' is empty",
    ),
    "empty cells": ("a.csv", f"{HEADER}{ROW},,\n", (), "a.csv:3: field 'id' is empty"),
    "text for numbers": (
        "a.csv", f"{HEADER}{ROW}b,three 4,24\n", (),
        "a.csv:3: field 'numbers': found 'three' in 'three 4', expected whole numbers such as",
    ),
    "text for the target": (
        "a.csv", f"{HEADER}{ROW}b,3 4,many\n", (),
        "a.csv:3: field 'target': found 'many', expected a whole number",
    ),
    "under the user's own name": (
        "a.csv", "id,nums,goal\na,3 x,24\n", (), "a.csv:2: field 'nums': found 'x' in '3 x'",
    ),
    "fractions": (
        "a.csv", f"{HEADER}a,3 4.5,24\n", (), "a.csv:2: field 'numbers': found '4.5' in '3 4.5'",
    ),
    "negative": ("a.csv", f"{HEADER}a,3 -4,24\n", (), "a.csv:2: field 'numbers': found -4, exp"),
    "NaN": ("a.csv", f"{HEADER}a,3 4,NaN\n", (), "a.csv:2: field 'target': found 'NaN', expected"),
    "infinity": ("a.csv", f"{HEADER}a,3 inf,2\n", (), "a.csv:2: field 'numbers': found 'inf' in"),
    "ragged row": (
        "a.csv", f"{HEADER}{ROW}b,3,4,24\n", (), "a.csv:3: found 4 columns, expected 3",
    ),
    "column twice": (
        "a.csv", f"id,target,numbers,target\n{ROW}", (), "a.csv:1: column 'target' occurs twice",
    ),
    "other delimiter in a row": (
        "a.csv", f"{HEADER}a;3 4;24\n", (), "a.csv:2: found 1 column, expected 3",
    ),
    "unknown delimiter": (
        "a.csv", "numbers:target\n3 4:7\n", (), "a.csv:1: field 'numbers' is missing, found",
    ),
    "quotation mark without end": (
        "a.csv", f'{HEADER}{ROW}b,"3 4,7\n', (), "a.csv:3: not CSV: unexpected end of data",
    ),
    "no text": (
        "a.csv", HEADER.encode() + b"\xe4,3 4,7\n", (), "a.csv:2:1: expected UTF-8 text",
    ),
    "no row": ("a.csv", HEADER, (), "a.csv: the file contains no record"),
    "nothing": ("a.csv", "", (), "a.csv: the file contains no record"),
    "ids twice": (
        "a.csv", f"{HEADER}{ROW}{ROW}", (),
        "a.csv:3: field 'id': 'a' is already used at a.csv:2",
    ),
    "ids equal as text": (
        "a.json", '[{"id": 7, "nums": [1], "goal": 1}, {"id": "7", "nums": [1], "goal": 1}]', (),
        "a.json: item 2: field 'id': '7' is already used at a.json: item 1",
    ),
    "a mixed list": (
        "a.jsonl", '{"id": "a", "numbers": [3, "4"], "target": 7}', (),
        "a.jsonl:1:13: field 'numbers': found [3, \"4\"], expected whole numbers",
    ),
    "a list with null": (
        "a.jsonl", '{"id": "a", "numbers": [3, null], "target": 7}', (),
        "a.jsonl:1:13: field 'numbers': found null in [3, null], expected whole numbers",
    ),
    "NaN in JSON": (
        "a.jsonl", '{"id": "a", "numbers": [3], "target": NaN}', (),
        "a.jsonl:1: found NaN, which is not JSON",
    ),
    "a field missing in one row": (
        "a.jsonl", '{"nums": [1], "goal": 1}\n{"nums": [1]}\n', (),
        "a.jsonl:2:1: field 'goal' is missing",
    ),
    "a row that is no object": (
        "a.jsonl", '{"nums": [1], "goal": 1}\n[1]\n', (), "a.jsonl:2: found a list, expected an",
    ),
    "NaN in Parquet": (
        "a.parquet", pd.DataFrame({"numbers": [[1], [2]], "target": [1.0, None]}), (),
        "a.parquet: row 2: field 'target' is empty, expected a whole number",
    ),
    "infinity in Parquet": (
        "a.parquet", pd.DataFrame({"numbers": [[1.0, float("inf")]], "target": [1]}), (),
        "a.parquet: row 1: field 'numbers': found [1.0, \"inf\"], expected whole numbers",
    ),
    "Parquet without a target": (
        "a.parquet", pd.DataFrame({"numbers": [[1]], "level": [1]}), (),
        "a.parquet: field 'target' is missing, found numbers, level; name it with --column",
    ),
    "a domain that is a list": (
        "a.jsonl", '{"id": "a", "domain": [1], "numbers": [1], "target": 1}',
        ("--domain", "countdown"),
        "a.jsonl:1:13: field 'domain': found [1], --domain is 'countdown'",
    ),
    "too many digits": (
        "a.csv", "id,init,goal,holding\na," + "9" * 5000 + ",[],\n",
        ("--domain", "blocksworld"), "a.csv:2: field 'init': Expected `array`, got `str`",
    ),
    "rules that are no JSON": (
        "a.csv", "numbers,target,rules\n1 2,3,mine\n", (),
        "a.csv:2: field 'rules': Expected `object`, got `str`",
    ),
    "a cell with JSON of another domain": (
        "a.csv", 'id,begin,goal\na,"{""b"": 1}",[]\n',
        ("--domain", "blocksworld", "--column", "init=begin"),
        "a.csv:2: field 'begin': Expected `array`, got `object` at init",
    ),
    "another domain than named": (
        "a.jsonl", '{"id": "a", "domain": "countdown", "numbers": [1], "target": 1}',
        ("--domain", "ferry"),
        "a.jsonl:1:13: field 'domain': found 'countdown', --domain is 'ferry'",
    ),
    "unknown domain": (
        "a.jsonl", '{"id": "a", "numbers": [1]}', ("--domain", "fery"),
        "--domain: found neither a domain nor a file 'fery'; did you mean 'ferry'?",
    ),
    "fields of another domain": (
        "a.jsonl", '{"id": "a", "numbers": [1], "target": 1}', ("--domain", "ferry"),
        "a.jsonl:1:1: field 'locations' is missing",
    ),
    "a column of another domain is missing": (
        "a.csv", f"{HEADER}{ROW}", ("--domain", "ferry"),
        "a.csv:2: field 'locations' is missing",
    ),
    "fields of another domain, which is not named": (
        "a.json", json.dumps([CARS]), (),
        (
            "a.json: item 1: field 'numbers' is missing, found id, locations, cars, at, aboard, "
            "ferry, goal; name it with --column numbers=NAME, or the domain with --domain"
        ),
    ),
    "no fields of any domain": (
        "a.json", '[{"id": "a", "cars": []}]', (),
        "a.json: item 1: field 'domain' is missing; --domain NAME is for data without it",
    ),
    "unknown rules": (
        "a.csv", f"{HEADER}{ROW}", ("--rules", "papre"),
        "Invalid value for '--rules': unknown rules 'papre'; did you mean 'paper'?",
    ),
    "unknown setting of rules": (
        "a.csv", f"{HEADER}{ROW}", ("--rules", "negative=yes"),
        "Invalid value for '--rules': unknown setting 'negative'; did you mean 'negatives'?",
    ),
    "neither yes nor no": (
        "a.csv", f"{HEADER}{ROW}", ("--rules", "negatives=maybe"),
        "Invalid value for '--rules': setting 'negatives': found 'maybe', expected yes or no",
    ),
    "wrong value of rules": (
        "a.csv", f"{HEADER}{ROW}", ("--rules", "division=never"),
        "Invalid value for '--rules': Invalid enum value 'never'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", FAULTS)
def test_one_line_with_row_and_column(case: str, tmp_path: Path, cli_here: CliHere) -> None:
    name, content, options, message = FAULTS[case]
    write_data(tmp_path / name, content)
    done = cli_here("translate", name, *options, "-o", "out", cwd=tmp_path)
    check_mistake(done, f"error: {message}")
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("option", [(), ("--skip-bad",)])
def test_pddl_files_that_cannot_be_read_do_not_stop_a_run(
    tmp_path: Path, cli_here: CliHere, option: tuple[str, ...]
) -> None:
    """Each is one line and in the report; the others run. The same command continues later."""
    folder = tmp_path / "data"
    folder.mkdir()
    text = (domain_folder("ferry") / "p01.pddl").read_bytes()
    files = {
        "domain": (domain_folder("ferry") / "domain.pddl").read_bytes(), "p1": text, "p2": text,
        "p3": text[:200], "p4": text.replace(b"(at-ferry", b"(at-fery"), "p5": b"\x00\xff",
    }  # fmt: skip
    for name, content in files.items():
        (folder / f"{name}.pddl").write_bytes(content)
    line = ("run", "data", *option, "--planner", "goal-count", "--time-limit", "20s", "-o", "r")
    done = cli_here(*line, cwd=tmp_path)
    assert done.status == (0 if option else 2), done.err
    expected = ["p3.pddl:1:1: found '('", "p4.pddl:4:35: unknown predicate 'at-fery'", "p5.pddl:1:"]
    skipped = [each for each in done.err.splitlines() if each.startswith("skipped: ")]
    assert len(skipped) == len(expected)
    for said, words in zip(skipped, expected, strict=True):
        assert said.startswith(f"skipped: data/{words}")
    runs = map(json.loads, (tmp_path / "r" / "runs.jsonl").read_text().splitlines())
    assert sorted((each["id"], each["status"]) for each in runs) == [
        ("p1", "valid"),
        ("p2", "valid"),
    ]
    report = cli_here("report", "r", cwd=tmp_path)
    assert ("PDDL files that cannot be read, without runs: 3" in report.out) is not bool(option)
    for name in ("p3", "p4", "p5"):
        (folder / f"{name}.pddl").write_bytes(text)
    assert cli_here(*line, cwd=tmp_path).status == 0
    assert "cannot be read" not in cli_here("report", "r", cwd=tmp_path).out


def test_skipped_rows_are_named(tmp_path: Path, cli_here: CliHere) -> None:
    bad = 'b,3 x,24\nc,1,2,3\n"d"x,1,1\ne,,\n'
    (tmp_path / "a.csv").write_text(f"{HEADER}{bad}{ROW}")
    done = cli_here("translate", "a.csv", "--skip-bad", "-o", "out", cwd=tmp_path)
    assert (done.status, done.out) == (0, "1 problem in out\n")
    skipped = [line.split(": ")[1] for line in done.err.splitlines() if line.startswith("skipped")]
    assert skipped == ["a.csv:2", "a.csv:3", "a.csv:4", "a.csv:5"]


def test_parquet_without_its_library_is_one_line(
    tmp_path: Path, cli_here: CliHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    pd.DataFrame({"numbers": [[1]], "target": [1]}).to_parquet(tmp_path / "a.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = cli_here("translate", "a.parquet", "-o", "out", cwd=tmp_path)
    fix = 'pip install "pddl-pipeline[parquet]"'
    assert (done.status, done.err) == (2, f"error: reading Parquet requires pyarrow; fix: {fix}\n")


@pytest.mark.long
def test_a_fault_in_the_last_of_many_rows(tmp_path: Path) -> None:
    rows = (f"{number},3 4 5 6,24\n" for number in range(200_000))
    write_data(tmp_path / "a.csv", "".join([HEADER, *rows, "last,3 x,24\n"]))
    before = getrusage(RUSAGE_SELF).ru_maxrss
    with pytest.raises(InputError, match=r"a.csv:200002: field 'numbers': found 'x' in '3 x'"):
        deque(load_records(tmp_path / "a.csv"), maxlen=0)
    assert getrusage(RUSAGE_SELF).ru_maxrss - before < 50_000  # KiB


def test_rows_are_read_one_by_one(tmp_path: Path, cli_here: CliHere) -> None:
    """The first instances are written although a later row could not be read."""
    write_data(tmp_path / "a.csv", HEADER + ROW + "a,3 x,24\n" * 10_000)
    done = cli_here("prompt", "a.csv", "--limit", "1", cwd=tmp_path)
    assert (done.status, json.loads(done.out)["id"]) == (0, "a")
