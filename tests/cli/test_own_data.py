"""Data as users have it: every format and shape loads, and answers get their verdicts.

Each row of the table goes through the command line: one instance, a right and a wrong answer to it.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd
import pytest
from data_kinds import write_data

from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import CliHere

NUMBERS, TEXT = [3, 4, 5, 6], "3 4 5 6"
RIGHT, WRONG = "(3 + 5 - 4) * 6 = 24", "3 + 4 + 5 + 6 = 24"
FERRY = json.loads((domain_folder("ferry") / "solved.jsonl").read_text().splitlines()[0])
SAIL = "\n".join(FERRY["witness"])
CARS = {name: value for name, value in FERRY.items() if name not in {"domain", "witness"}}
BLOCKS = {"id": "b", "init": [["a", "b"]], "holding": None, "goal": [["on", "a", "b"]], "level": 2}
SWAP = "(unstack b a)\n(put-down b)\n(pick-up a)\n(stack a b)"


class Row(NamedTuple):
    """A file, the options to read it, and what is read."""

    file: str
    content: object
    """Text, bytes, or JSON; written in the format of the file's name."""
    options: tuple[str, ...] = ()
    id: str = "mine-1"
    note: str = ""
    """A part of standard error."""
    answers: tuple[str, str] = (RIGHT, WRONG)


def item(**fields: Any) -> dict[str, Any]:
    return {"id": "mine-1", **fields}


def frame(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({name: [value] for name, value in columns.items()})


ROWS: dict[str, Row] = {
    "CSV, numbers and target": Row("a.csv", f"id,numbers,target\nmine-1,{TEXT},24\n"),
    "CSV, commas in quotation marks": Row("a.csv", 'id,numbers,target\nmine-1,"3,4,5,6",24\n'),
    "CSV, a list in brackets": Row("a.csv", 'id,numbers,target\nmine-1,"[3, 4, 5, 6]",24\n'),
    "CSV, nums and goal": Row(
        "a.csv", f"id,nums,goal\nmine-1,{TEXT},24\n",
        note="column 'nums' is read as numbers, column 'goal' is read as target",
    ),
    "CSV, input and a numeric answer": Row(
        "a.csv", f"id,input,answer\nmine-1,{TEXT},24\n",
        note="column 'input' is read as numbers, column 'answer' is read as target",
    ),
    "CSV, a target and an answer in words": Row(
        "a.csv", f"id,input,target,solvable,answer\nmine-1,{TEXT},24,true,(3+5-4)*6\n",
        note="extra fields, kept in every output: answer",
    ),
    "CSV, capitals and blanks in the header": Row(
        "a.csv", f"ID, Numbers, Target\nmine-1,{TEXT},24\n", note="column 'Numbers' is read as",
    ),
    "CSV, columns named": Row(
        "a.csv", f"key,digits,result\nmine-1,{TEXT},24\n",
        ("--column", "numbers=digits", "--column", "target=result", "--column", "id=key"),
    ),
    "CSV, a column of a name that is taken": Row(
        "a.csv", f"id,numbers,target,wanted\nmine-1,{TEXT},many,24\n",
        ("--column", "target=wanted"), note="a.csv: column 'target' is left out\n",
    ),
    "CSV, without ids": Row(
        "my list.csv", f"numbers,target\n{TEXT},24\n", id="my-list-0",
        note="no ids; ids are the file name and the position from 0, such as my-list-0",
    ),
    "CSV, of DataFrame.to_csv": Row(
        "a.csv", frame(id="mine-1", numbers=NUMBERS, target=24).to_csv(),
    ),
    "CSV, of a spreadsheet": Row(
        "a.csv", "\ufeffid;numbers;target\r\nmine-1;3, 4, 5, 6;24\r\n",
    ),
    "CSV, a cell of several lines": Row(
        "a.csv", f'note,id,numbers,target\n"a\nb",mine-1,{TEXT},24\n', note="extra fields",
    ),
    "CSV, packed": Row("a.csv.gz", gzip.compress(f"id,numbers,target\nmine-1,{TEXT},24".encode())),
    "CSV, records with a domain": Row(
        "a.csv", f"id,domain,numbers,target\nmine-1,countdown,{TEXT},24\n",
    ),
    "CSV under another suffix": Row("a.txt", f"id,numbers,target\nmine-1,{TEXT},24\n"),
    "JSON without a suffix": Row("a", json.dumps(item(nums=NUMBERS, target=24))),
    "TSV": Row("a.tsv", "id\tnumbers\ttarget\nmine-1\t3,4,5,6\t24\n"),
    "JSON list": Row("a.json", [item(numbers=NUMBERS, target=24)]),
    "JSON list of records": Row("a.json", [item(domain="countdown", numbers=NUMBERS, target=24)]),
    "JSON list, texts": Row("a.json", [item(numbers=TEXT, goal="24")], note="'goal' is read as"),
    "JSON list, a list of texts": Row("a.json", [item(nums=["3", "4", "5", "6"], target=24.0)]),
    "JSON list, a number as id": Row("a.json", [{"id": 17, "input": NUMBERS, "goal": 24}], id="17"),
    "JSON lines": Row("a.jsonl", f'{json.dumps(item(nums=NUMBERS, target=24, level="hard"))}\n'),
    "JSON lines, with --domain": Row(
        "a.jsonl", json.dumps(item(numbers=NUMBERS, target=24)), ("--domain", "countdown"),
    ),
    "JSON lines, without ids": Row(
        "a.jsonl", json.dumps({"nums": NUMBERS, "target": 24}), id="a-0", note="no ids;"
    ),
    "JSON lines, columns named": Row(
        "a.jsonl", json.dumps(item(puzzle=TEXT, wanted=24)), ("--column", "target=wanted"),
    ),
    "Parquet, lists": Row("a.parquet", frame(id="mine-1", nums=NUMBERS, target=24)),
    "Parquet, texts": Row("a.parquet", frame(id="mine-1", input=TEXT, answer="24")),
    "Parquet, without ids": Row("a.parquet", frame(numbers=NUMBERS, goal=24), id="a-0"),
    "Parquet, a number as id": Row("a.parquet", frame(id=7, numbers=NUMBERS, target=24.0), id="7"),
    "Parquet of another domain": Row(
        "a.parquet", frame(**BLOCKS), ("--domain", "blocksworld"),
        id="b", answers=(SWAP, SWAP[:-2]), note="extra fields, kept in every output: level",
    ),
    "JSON list of another domain": Row(
        "a.json", [CARS], ("--domain", "ferry"), id=CARS["id"], answers=(SAIL, SAIL[:40]),
    ),
    "JSON lines of another domain, without ids": Row(
        "a.jsonl", json.dumps({name: CARS[name] for name in CARS if name != "id"}),
        ("--domain", "ferry"), id="a-0", answers=(SAIL, SAIL[:40]),
    ),
    "JSON lines of another domain, columns named": Row(
        "a.jsonl", json.dumps(BLOCKS).replace('"init"', '"start"'),
        ("--domain", "blocksworld", "--column", "init=start"), id="b",
        answers=(SWAP, SWAP[:-2]),
    ),
}  # fmt: skip


def score(cli_here: CliHere, row: Row, data: str, folder: Path) -> list[dict[str, Any]]:
    """Return the lines on the two answers, of which the first is right."""
    lines = [json.dumps({"id": row.id, "answer": answer}) for answer in row.answers]
    (folder / "answers.jsonl").write_text("\n".join(lines))
    options = row.options if data == row.file else ()
    done = cli_here("score", data, "answers.jsonl", *options, "-o", "scored.jsonl", cwd=folder)
    assert done.status == 1, done.err
    return [json.loads(line) for line in (folder / "scored.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_it_loads_and_answers_get_their_verdicts(
    row: Row, tmp_path: Path, cli_here: CliHere
) -> None:
    """Also from its translation, whose records carry everything: ids, fields and the domain."""
    write_data(tmp_path / row.file, row.content)
    done = cli_here("translate", row.file, *row.options, "-o", "out", cwd=tmp_path)
    assert (done.status, done.out) == (0, "1 problem in out\n"), done.err
    assert row.note in done.err
    (entry,) = map(json.loads, (tmp_path / "out" / "manifest.jsonl").read_text().splitlines())
    assert f"(:domain {entry['domain']})" in (tmp_path / "out" / entry["problem_file"]).read_text()
    scored = score(cli_here, row, "out/instances.jsonl", tmp_path)
    assert [(each["id"], each["status"] == "valid", each.get("extra")) for each in scored] == [
        (row.id, True, entry.get("extra")),
        (row.id, False, entry.get("extra")),
    ]
    if "--column" not in row.options:  # which names columns of answers in `score`
        assert score(cli_here, row, row.file, tmp_path) == scored


def test_an_option_may_apply_to_one_of_several_datasets(tmp_path: Path, cli_here: CliHere) -> None:
    write_data(tmp_path / "ok.jsonl", item(domain="countdown", numbers=[1], target=1))
    write_data(tmp_path / "p.pddl", "(define (problem p) (:domain d) (:init (on)) (:goal (on)))")
    write_data(tmp_path / "other.txt", "(define (domain d) (:predicates (on)))")
    data = ("ok.jsonl", "p.pddl", "--domain", "other.txt")
    done = cli_here("translate", *data, "-o", "out", cwd=tmp_path)
    assert (done.status, done.out) == (0, "2 problems in out\n"), done.err
