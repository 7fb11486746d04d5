"""The answers that `score` takes: several files, tables, other names of fields, other options."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import CliHere

FERRY = domain_folder("ferry") / "solved.jsonl"
RECORDS = [json.loads(line) for line in FERRY.read_text().splitlines()]
IDS = [record["id"] for record in RECORDS]
ROWS: list[dict[str, Any]] = [
    {"task_id": record["id"], "response": "\n".join(record["witness"]), "model": "m", "attempt": 1}
    for record in RECORDS
]
ROWS[0]["response"] = 'I said "no",\nsorry'
"""One wrong answer, whose cell of CSV has commas, quotes and lines."""


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def table(rows: list[dict[str, Any]], separator: str = ",") -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=separator)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def accuracies(out: str) -> dict[str | None, Any]:
    """Return accuracy and number of answers by model, from the output of ``--json``."""
    found = [json.loads(line) for line in out.splitlines()]
    return {
        row["model"]: (row["accuracy"], row["answers"]) for row in found if row["table"] == "models"
    }


FORMS = {
    "a.jsonl": lines(ROWS).encode(),
    "a.json": json.dumps(ROWS).encode(),
    "a.csv": table(ROWS).encode(),
    "excel.csv": b"\xef\xbb\xbf" + table(ROWS, ";").encode(),
    "a.tsv": table(ROWS, "\t").encode(),
    "a.csv.gz": gzip.compress(table(ROWS).encode()),
    "answers.txt": table(ROWS).encode(),
}


@pytest.mark.parametrize("name", [*FORMS, "a.parquet"])
def test_files_in_every_form(cli_here: CliHere, tmp_path: Path, name: str) -> None:
    if name.endswith(".parquet"):
        pd.DataFrame(ROWS).to_parquet(tmp_path / name)
    else:
        (tmp_path / name).write_bytes(FORMS[name])
    done = cli_here("score", FERRY, name, "--json", cwd=tmp_path)
    assert (done.status, accuracies(done.out)) == (1, {"m": ("3/4", 4)})
    assert done.err == f"{name}: ids are in 'task_id', answers in 'response'\n"


@pytest.mark.parametrize(
    "words",
    [
        "--answers a.csv b.csv",
        "--answers a.csv --answers b.csv",
        "--answers=a.csv --answers=b.csv",
    ],
)
def test_several_files(cli_here: CliHere, tmp_path: Path, words: str) -> None:
    (tmp_path / "a.csv").write_text(table(ROWS[:2]))
    (tmp_path / "b.csv").write_text(table([{**row, "model": "n"} for row in ROWS[2:]]))
    answers = words.split()
    # Another option ends the files, so that the data may also come last.
    for line in ((FERRY, *answers, "--json"), ("--json", *answers, "--k", "2", FERRY)):
        done = cli_here("score", *line, cwd=tmp_path)
        assert accuracies(done.out) == {"m": ("1/2", 2), "n": (1, 2)}


def test_files_without_a_model_are_models(cli_here: CliHere, tmp_path: Path) -> None:
    """They have the names of their files, in full if these differ only in the folder."""
    rows = [{key: value for key, value in row.items() if key != "model"} for row in ROWS]
    (tmp_path / "old").mkdir()
    for name, part in (("a.csv", rows[:2]), ("b.csv", rows[2:]), ("old/b.csv", rows[:2])):
        (tmp_path / name).write_text(table(part))
    done = cli_here(
        "score", FERRY, "--answers", "a.csv", "b.csv", "old/b.csv", "--json", cwd=tmp_path
    )
    expected = {"a": ("1/2", 2), "b.csv": (1, 2), "old/b.csv": ("1/2", 2)}
    assert accuracies(done.out) == expected


@pytest.mark.parametrize(
    ("fields", "options", "printed"),
    [
        (("id", "answer"), [], ""),
        (("id", "output"), [], "ids are in 'id', answers in 'output'"),
        (("uid", "completion"), [], "ids are in 'uid', answers in 'completion'"),
        (("id", "reply"), ["--column", "answer=reply"], "ids are in 'id', answers in 'reply'"),
        (("n", "reply"), ["--column", "answer=reply", "--column", "id=n"],
         "ids are in 'n', answers in 'reply'"),
        (("id", "answer", "response"), [], "answers in 'answer', not in 'response'"),
        (("id", "answer", "response"), ["--column", "answer=answer"], ""),
    ],
)  # fmt: skip
def test_names_of_fields(
    cli_here: CliHere, tmp_path: Path, fields: tuple[str, ...], options: list[str], printed: str
) -> None:
    rows = [
        dict.fromkeys(fields, "no plan")
        | dict(zip(fields, (row["task_id"], row["response"]), strict=False))
        for row in ROWS
    ]
    (tmp_path / "a.jsonl").write_text(lines(rows))
    done = cli_here("score", FERRY, "a.jsonl", "--json", *options, cwd=tmp_path)
    assert accuracies(done.out) == {None: ("3/4", 4)}
    assert done.err.rstrip("\n").endswith(printed)
    assert bool(done.err) == bool(printed)
    assert cli_here("score", FERRY, "a.jsonl", *options, "-q", cwd=tmp_path).err == ""


def test_bad_rows_of_a_table_stop_nothing(cli_here: CliHere, tmp_path: Path) -> None:
    good = table(ROWS)
    bad = 'only one cell\n,"no id",m,1\nferry-9-9,x,m,1\n' + f"{IDS[0]},x,m,zero\n" + '"open'
    (tmp_path / "a.csv").write_text(good + bad)
    done = cli_here("score", FERRY, "a.csv", "--json", cwd=tmp_path)
    assert done.status == 2
    assert accuracies(done.out) == {"m": ("3/4", 4)}
    first = good.count("\n") + 1
    faults = [line.partition("a.csv:")[2] for line in done.err.splitlines()[1:]]
    assert faults == [
        f"{first}: found 1 columns, expected 4: task_id, response, model, attempt",
        f"{first + 1}: found no 'task_id', expected a text or a whole number",
        f"{first + 2}: unknown id 'ferry-9-9'; did you mean 'ferry-2-0'?",
        f"{first + 3}: field 'attempt': found 'zero', expected a whole number from 1 on",
        f"{first + 4}: not CSV: unexpected end of data",
    ]


def groups(out: str, name: str) -> dict[str, tuple[Any, int]]:
    found = [json.loads(line) for line in out.splitlines()]
    return {
        row["group"]: (row["accuracy"], row["answers"]) for row in found if row["table"] == name
    }


def test_groups_by_fields_of_data_and_answers(cli_here: CliHere, tmp_path: Path) -> None:
    levels = ["hard", "easy", 10, None]
    records = [
        {**record, **({"difficulty": level} if level else {})}
        for record, level in zip(RECORDS, levels, strict=True)
    ]
    rows = [
        {"id": row["task_id"], "answer": row["response"], "temp": temp, "difficulty": "of answers"}
        for row in ROWS
        for temp in (0.5, "10", True)
    ]
    (tmp_path / "data.jsonl").write_text(lines(records))
    (tmp_path / "a.jsonl").write_text(lines(rows))
    line = ("score", "data.jsonl", "a.jsonl", "--by", "difficulty", "--by", "temp")
    done = cli_here(*line, "--json", cwd=tmp_path)
    # The data's field counts. Numbers come in their order, then what has no value.
    by_level = groups(done.out, "difficulty")
    assert by_level == {"easy": (1, 3), "hard": (0, 3), "10": (1, 3), "unknown": (1, 3)}
    assert list(by_level) == ["easy", "hard", "10", "unknown"]
    by_temp = groups(done.out, "temp")
    assert by_temp == {"true": ("3/4", 4), "0.5": ("3/4", 4), "10": ("3/4", 4)}
    assert list(by_temp) == ["true", "0.5", "10"]
    printed = cli_here(*line, "--table", "t.csv", cwd=tmp_path).out
    assert "By difficulty" in printed
    with (tmp_path / "t.csv").open() as file:
        rows_of_csv = [row for row in csv.DictReader(file) if row["by"] == "temp"]
    assert [row["group"] for row in rows_of_csv] == ["true", "0.5", "10"]


def test_published_verdicts_that_do_not_fit_the_data(cli_here: CliHere, tmp_path: Path) -> None:
    """Five answers are the fewest; whether they were published as correct decides."""
    right = [{"id": row["task_id"], "answer": row["response"]} for row in ROWS[1:]] * 2
    for published, wrong, doubt in (
        (True, 6, "6 of 6 answers published as correct are wrong here"),
        (True, 3, None),
        (False, 6, None),
        ("true", 4, "4 of 6 answers published as correct are wrong here"),
    ):
        rows = [{**row, "is_correct": published} for row in right]
        for row in rows[:wrong]:
            row["answer"] = "(sail l0 l0)"
        (tmp_path / "a.jsonl").write_text(lines(rows))
        done = cli_here("score", FERRY, "a.jsonl", cwd=tmp_path)
        expected = f"warning: {doubt}; is {FERRY} another dataset with the same ids?\n"
        assert done.err == (expected if doubt else "")
    (tmp_path / "few.jsonl").write_text(lines([{**row, "answer": "x"} for row in rows[:4]]))
    assert cli_here("score", FERRY, "few.jsonl", cwd=tmp_path).err == ""
    (tmp_path / "b.jsonl").write_text(lines([{**row, "correct": 0} for row in right]))
    done = cli_here("score", FERRY, "b.jsonl", cwd=tmp_path)
    assert "warning: 6 of 6 published verdicts differ from those here" in done.err
