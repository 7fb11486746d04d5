"""``pddl-pipeline score``: the answers that it takes, its output and statuses, and faults."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from command_line import json_lines

from pddl_pipeline import score
from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import Cli

FERRY = domain_folder("ferry") / "solved.jsonl"
RECORDS = [json.loads(line) for line in FERRY.read_text().splitlines()]
IDS = [record["id"] for record in RECORDS]
PLANS = ["\n".join(record["witness"]) for record in RECORDS]
ROWS: list[dict[str, Any]] = [
    {"task_id": name, "response": plan, "model": "m", "attempt": 1}
    for name, plan in zip(IDS, PLANS, strict=True)
]
ROWS[0]["response"] = 'I said "no",\nsorry'
"""One wrong answer, whose cell of CSV has commas, quotes and lines."""
GOOD = {"id": IDS[0], "answer": PLANS[0], "model": "m"}
WRONG = {"id": IDS[1], "answer": f"I {PLANS[1].splitlines()[-1]}.", "model": "m"}
STRANGE = (
    "../../etc/passwd", "", "a\x00b", "\u202egnp.exe", "\x1b[31m", "x" * 10**5, "\ud800", "-o",
)  # fmt: skip


def lines(*rows: Any) -> str:
    """Return rows as lines of JSON; a row that is a string is unchanged."""
    return "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)


def table(rows: list[dict[str, Any]], separator: str = ",") -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=separator)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def found(out: str, name: str = "models", key: str = "model") -> dict[str | None, Any]:
    """Return accuracy and number of answers of each row of a table, from the output of --json."""
    rows = [row for row in map(json.loads, out.splitlines()) if row["table"] == name]
    return {row[key]: (row["accuracy"], row["answers"]) for row in rows}


def test_tables_and_lines_in_the_order_of_the_answers(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(lines(WRONG, GOOD, GOOD))
    done = cli("score", FERRY, "a.jsonl", "--k", "2", "-o", "s.jsonl")
    assert (done.status, done.err) == (1, "")
    words = [line.split() for line in done.out.splitlines()]
    assert words[2][:6] == ["m", "3", "2", "2", "50.00", "50.00"]
    assert words[2][6:] == ["9.5", "to", "90.5", "(n<5)", "50.00", "100.00", "(n=1)"]
    assert words[-1] == ["m", "planning", "precondition", IDS[1], "1", "33.33"]
    assert "By size" in done.out
    scored = json_lines(tmp_path / "s.jsonl")
    assert [(x["id"], x["attempt"], x["status"], x["strict_status"]) for x in scored] == [
        (IDS[1], 1, "invalid", "malformed"),
        (IDS[0], 1, "valid", "valid"),
        (IDS[0], 2, "valid", "valid"),
    ]


@pytest.mark.parametrize(
    ("rows", "status"),
    [
        ([GOOD], 0),
        ([GOOD, WRONG], 1),
        ([GOOD, {"id": IDS[0], "answer": None}], 1),
        ([WRONG, GOOD, {"id": "nowhere", "answer": ""}], 2),
        ([GOOD, "{"], 2),
        (["{"], 2),
        ([], 2),
    ],
)
def test_exit_status(cli: Cli, tmp_path: Path, rows: list[Any], status: int) -> None:
    (tmp_path / "a.jsonl").write_text(lines(*rows))
    # A place that keeps nothing may be given twice.
    options = ("-o", "/dev/null", "--table", "/dev/null")
    assert cli("score", FERRY, "a.jsonl", *options).status == status


def test_unread_answers_are_counted_by_class(cli: Cli, tmp_path: Path) -> None:
    told = [None, " ", "Let me think about", *(f"Then polish c{at}." for at in range(3)), PLANS[0]]
    rows = [{"id": IDS[0], "answer": each} for each in told]
    rows[2]["finish_reason"] = "length"
    (tmp_path / "a.jsonl").write_text(lines(*rows))
    done = cli("score", FERRY, "a.jsonl", "--json", "-o", "s.jsonl")
    found = [json.loads(line) for line in done.out.splitlines()]
    assert found[0]["accuracy_of_read"] == 1
    classes = {(row["kind"], row["answers"], row["alike"], row["example"]) for row in found
               if row["table"] == "unread"}  # fmt: skip
    assert classes == {("no final answer", 3, 2, IDS[0]), ("not understood", 3, 3, IDS[0])}
    kinds = [row.get("unread") for row in json_lines(tmp_path / "s.jsonl")]
    assert kinds == ["no final answer"] * 3 + ["not understood"] * 3 + [None]
    out = cli("score", FERRY, "a.jsonl").out
    assert "6 of 7 answers (85.7 %) could not be read" in out
    assert "  not understood: ask for PDDL: prompt --statement pddl" in out


LAMPS = {
    "domain.pddl": "(define (domain lamps) (:predicates (lit ?l) (dark ?l)) (:action kindle"
    " :parameters (?l) :precondition (dark ?l) :effect (and (lit ?l) (not (dark ?l)))))",
    "p.pddl": "(define (problem p) (:domain lamps) (:objects a b) (:init (dark a) (dark b))"
    " (:goal (and (lit a) (lit b))))",
    "a.jsonl": lines({"id": "p", "answer": "1. Turn on lamp a.\n2. Switch lamp b on."}),
}
LAMP_WORDS = """[objects]
nouns = ["lamp"]
[sentences]
kindle = ["turn on lamp {0}"]
[[frames.kindle]]
verbs = ["turn", "switch"]
names = ["object"]
words = ["on"]
"""


def test_words_beside_the_domain_are_read_without_a_plug_in(cli: Cli, tmp_path: Path) -> None:
    for name, text in LAMPS.items():
        (tmp_path / name).write_text(text)
    assert "no words: write a words.toml" in cli("score", "p.pddl", "a.jsonl").out
    (tmp_path / "words.toml").write_text(LAMP_WORDS)
    assert cli("score", "p.pddl", "a.jsonl").status == 0


def test_the_answer_stands_behind_the_mark_that_the_user_names(cli: Cli, tmp_path: Path) -> None:
    draft = "\n".join(PLANS[0].splitlines()[::-1])
    text = f"{draft}\nMY PLAN >> no\n{draft}\nMY PLAN >>\n{PLANS[0]}"
    (tmp_path / "a.jsonl").write_text(lines({"id": IDS[0], "answer": text}))
    assert cli("score", FERRY, "a.jsonl").status == 1
    assert cli("score", FERRY, "a.jsonl", "--mark", "MY PLAN >>").status == 0


def test_an_answer_without_a_verdict_is_status_3(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "d.pddl").write_text(
        "(define (domain d) (:predicates (p)) (:durative-action a :parameters ()"
        " :duration (= ?duration 1) :condition () :effect (at end (p))))"
    )
    (tmp_path / "p-1.pddl").write_text("(define (problem p) (:domain d) (:init) (:goal (p)))")
    (tmp_path / "a.jsonl").write_text(lines({"id": "p-1", "answer": "(a)"}))
    done = cli("score", "p-1.pddl", "a.jsonl", "--domain", "d.pddl")
    assert (done.status, "without verdict" in done.out) == (3, True)


def test_faults_are_told_with_their_lines_and_stop_nothing(cli: Cli, tmp_path: Path) -> None:
    bad = [{"id": name, "answer": "x"} for name in STRANGE]
    (tmp_path / "a.jsonl").write_text(lines(*bad, *["{"] * 30, GOOD))
    done = cli("score", FERRY, "a.jsonl", "--json", "-o", "s.jsonl")
    messages = done.err.splitlines()
    assert len(messages) == 21
    assert messages[0].startswith("a.jsonl:1: unknown id '../../etc/passwd'")
    assert messages[-1] == "and 18 more rows that are not answers"
    assert all(line.isprintable() for line in messages)
    assert json.loads(done.out.splitlines()[-1]) == {"table": "faults", "rows": 38}
    assert found(done.out)["m"] == (1, 1)
    assert len(json_lines(tmp_path / "s.jsonl")) == 39
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "s.jsonl"]


BAD = [
    ("only one cell", "found 1 column, expected 4: task_id, response, model, attempt"),
    (',"no id",m,1', "found no 'task_id', expected a text or a whole number"),
    ("ferry-9-9,x,m,1", "unknown id 'ferry-9-9'; did you mean 'ferry-2-0'?"),
    (f"{IDS[0]},x,m,zero", "field 'attempt': found 'zero', expected a whole number from 1 on"),
    (f"{IDS[0]},x,m,-1", "field 'attempt': found '-1', expected a whole number from 1 on"),
    (f"{IDS[0]},x,m,1", f"attempt 1 at '{IDS[0]}' is given twice"),
    ('"open', "not CSV: unexpected end of data"),
]


def test_bad_rows_of_a_table_stop_nothing(cli: Cli, tmp_path: Path) -> None:
    good = table(ROWS)
    (tmp_path / "a.csv").write_text(good + "\n".join(row for row, _ in BAD))
    done = cli("score", FERRY, "a.csv", "--json")
    assert (done.status, found(done.out)) == (2, {"m": ("3/4", 4)})
    first = good.count("\n") + 1
    faults = [line.partition("a.csv:")[2] for line in done.err.splitlines()[1:]]
    assert faults == [f"{number}: {fault}" for number, (_, fault) in enumerate(BAD, first)]


FORMS = {
    "a.jsonl": lines(*ROWS).encode(),
    "a.json": json.dumps(ROWS).encode(),
    "a.csv": table(ROWS).encode(),
    "excel.csv": b"\xef\xbb\xbf" + table(ROWS, ";").encode(),
    "a.tsv": table(ROWS, "\t").encode(),
    "a.csv.gz": gzip.compress(table(ROWS).encode()),
    "answers.txt": table(ROWS).encode(),
}


@pytest.mark.parametrize("name", [*FORMS, "a.parquet"])
def test_files_in_every_form(cli: Cli, tmp_path: Path, name: str) -> None:
    if name.endswith(".parquet"):
        pd.DataFrame(ROWS).to_parquet(tmp_path / name)
    else:
        (tmp_path / name).write_bytes(FORMS[name])
    done = cli("score", FERRY, name, "--json")
    assert (done.status, found(done.out)) == (1, {"m": ("3/4", 4)})
    assert done.err == f"{name}: ids are in 'task_id', answers in 'response'\n"


# Another option ends the files, so that the data may also come last.
@pytest.mark.parametrize("line", ["DATA FILES --json", "--json FILES --k 2 DATA"])
@pytest.mark.parametrize(
    "files",
    [
        "--answers a.csv b.csv",
        "--answers a.csv --answers b.csv",
        "--answers=a.csv --answers=b.csv",
    ],
)
def test_several_files(cli: Cli, tmp_path: Path, files: str, line: str) -> None:
    (tmp_path / "a.csv").write_text(table(ROWS[:2]))
    (tmp_path / "b.csv").write_text(table([{**row, "model": "n"} for row in ROWS[2:]]))
    done = cli("score", *line.replace("FILES", files).replace("DATA", str(FERRY)).split())
    assert found(done.out) == {"m": ("1/2", 2), "n": (1, 2)}


def test_files_without_a_model_are_models(cli: Cli, tmp_path: Path) -> None:
    """They have the names of their files, in full if these differ only in the folder."""
    rows = [{key: value for key, value in row.items() if key != "model"} for row in ROWS]
    (tmp_path / "old").mkdir()
    files = {"a.csv": rows[:2], "b.csv": rows[2:], "old/b.csv": rows[:2]}
    for name, part in files.items():
        (tmp_path / name).write_text(table(part))
    done = cli("score", FERRY, "--answers", *files, "--json")
    assert found(done.out) == {"a": ("1/2", 2), "b.csv": (1, 2), "old/b.csv": ("1/2", 2)}


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
    cli: Cli, tmp_path: Path, fields: tuple[str, ...], options: list[str], printed: str
) -> None:
    values = [(row["task_id"], row["response"], "no plan") for row in ROWS]
    rows = [dict(zip(fields, row, strict=False)) for row in values]
    (tmp_path / "a.jsonl").write_text(lines(*rows))
    done = cli("score", FERRY, "a.jsonl", "--json", *options)
    assert found(done.out) == {None: ("3/4", 4)}
    assert done.err.rstrip("\n").endswith(printed)
    assert bool(done.err) == bool(printed)
    assert cli("score", FERRY, "a.jsonl", *options, "-q").err == ""


def test_groups_by_fields_of_data_and_answers(cli: Cli, tmp_path: Path) -> None:
    """The data's field counts. Numbers come in their order, then what has no value."""
    levels = ({"difficulty": "hard"}, {"difficulty": "easy"}, {"difficulty": 10}, {})
    rows = [
        {"id": row["task_id"], "answer": row["response"], "temp": temp, "difficulty": "of answers"}
        for row in ROWS
        for temp in (0.5, "10", True)
    ]
    records = [record | level for record, level in zip(RECORDS, levels, strict=True)]
    (tmp_path / "data.jsonl").write_text(lines(*records))
    (tmp_path / "a.jsonl").write_text(lines(*rows))
    line = ("score", "data.jsonl", "a.jsonl", "--by", "difficulty", "--by", "temp")
    out = cli(*line, "--json").out
    assert list(found(out, "difficulty", "group").items()) == [
        ("easy", (1, 3)), ("hard", (0, 3)), ("10", (1, 3)), ("unknown", (1, 3)),
    ]  # fmt: skip
    assert list(found(out, "temp", "group").items()) == [
        ("true", ("3/4", 4)), ("0.5", ("3/4", 4)), ("10", ("3/4", 4)),
    ]  # fmt: skip
    assert "By difficulty" in cli(*line, "--table", "t.csv").out
    with (tmp_path / "t.csv").open() as file:
        found_rows = [row["group"] for row in csv.DictReader(file) if row["by"] == "temp"]
    assert found_rows == ["true", "0.5", "10"]


WRONG_HERE = "6 answers published as correct are wrong here"


@pytest.mark.parametrize(
    ("number", "wrong", "published", "warning"),
    [
        (6, 6, {"is_correct": True}, f"6 of {WRONG_HERE}; is {FERRY} another"),
        (
            6,
            4,
            {"is_correct": "true"},
            f"4 of {WRONG_HERE}; is {FERRY} another",
        ),
        (6, 3, {"is_correct": True}, ""),
        (6, 6, {"is_correct": False}, ""),
        (4, 4, {"is_correct": True}, ""),
        (6, 0, {"correct": 0}, "6 of 6 published verdicts differ from those here"),
    ],
)
def test_published_verdicts_that_do_not_fit_the_data(
    cli: Cli, tmp_path: Path, number: int, wrong: int, published: dict[str, Any], warning: str
) -> None:
    """Five answers are the fewest; whether they were published as correct decides."""
    pairs = [*zip(IDS[1:], PLANS[1:], strict=True)] * 2
    texts = ["(sail l0 l0)"] * wrong + [plan for _, plan in pairs[wrong:]]
    rows = [
        {"id": name, "answer": text, **published}
        for (name, _), text in zip(pairs, texts, strict=True)
    ]
    (tmp_path / "a.jsonl").write_text(lines(*rows[:number]))
    err = cli("score", FERRY, "a.jsonl").err
    assert err.startswith(f"warning: {warning}") if warning else err == ""


NUMBERS = {"id": "c", "domain": "countdown", "numbers": [3, 4, 5, 6], "target": 24}
# Countdown answers as models write them: the verdict, the errors, and both with --lenient-values.
TEXTS = {
    "Sure!\n\n$$\\boxed{6\\left(3 + 5 - 4\\right)}$$": ("valid", [], "valid", []),
    "```python\nresult = (3 + 5 - 4) * 6\nprint(result)\n```": ("valid", [], "valid", []),
    "| 1 | 3 + 5 | 8 |\n| 2 | 8 - 4 | 4 |\n| 3 | 4 \u00d7 6 | 24 |": ("valid", [], "valid", []),
    "Add 3 and 5 to get 8, subtract 4 and multiply by 6 to get 24.":
        ("malformed", ["bad-format"], "malformed", ["bad-format"]),
    "(3+5-4)*6 = 25": ("invalid", ["false-value"], "valid", []),
    "Answer: (3+5-4)*6 = 24. Wait, let me reconsider. Answer: 3*4+5+6 = 24":
        ("malformed", ["bad-format"], "malformed", ["bad-format"]),
}  # fmt: skip


@pytest.mark.parametrize("lenient", [False, True])
def test_countdown_answers_and_lenient_values(cli: Cli, tmp_path: Path, *, lenient: bool) -> None:
    rows = [{"id": "c", "answer": text} for text in TEXTS]
    (tmp_path / "data.jsonl").write_text(lines(NUMBERS))
    (tmp_path / "a.jsonl").write_text(lines(*rows))
    options = ["--lenient-values"] if lenient else []
    cli("score", "data.jsonl", "a.jsonl", *options, "-o", "s.jsonl")
    answers = json_lines(tmp_path / "s.jsonl")
    expected = [row[2:] if lenient else row[:2] for row in TEXTS.values()]
    assert [(answer["status"], answer["errors"]) for answer in answers] == expected
    again = score([NUMBERS], rows, lenient_values=lenient)
    assert [str(each.verdict.status) for each in again] == [status for status, _ in expected]
    assert [(line["line"], line["note"]) for line in answers[2]["trace"]] == [
        (1, "read as (add n1 n3)"), (2, "read as (subtract n1 n2)"),
        (3, "read as (multiply n1 n4)"), (3, "read as (checkgoal n1)"),
    ]  # fmt: skip
    if not lenient:
        assert answers[4]["reason"] == "(3+5-4)*6 is 24, not 25"
        assert answers[4]["by_rules"] == {"paper": None, "negatives": None}
