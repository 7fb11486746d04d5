"""Rows with a problem and its answer are scored alone, in every form in which such data exist."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from data_kinds import BLOCKS, FOREIGN, GYM, SEARCH, SWAP

from pddl_pipeline import InputError, load_records, reward, rewards, score
from pddl_pipeline.integrations.pandas import score_frame
from pddl_pipeline.integrations.trl import plan_reward
from pddl_pipeline.integrations.verl import compute_score
from pddl_pipeline.pddl_domains import domain_folder

if TYPE_CHECKING:
    from command_line import CliHere

NUMBERS, SUM = {"nums": [3, 4, 5, 6], "target": 24}, "(3 + 5 - 4) * 6"
RECORD = {"domain": "blocksworld", "init": [["a", "b"]], "goal": [["on", "a", "b"]]}
PLAN = "\n".join(SWAP)
TEXTS = {name: (FOREIGN / "gripper" / f"{file}.pddl").read_text()
         for name, file in (("domain", "domain"), ("problem", "p01"))}  # fmt: skip
GRIPPER = (FOREIGN / "gripper" / "good.plan").read_text()
FERRY = (domain_folder("ferry") / "p01.pddl").read_text()
FERRY_PLAN = (domain_folder("ferry") / "p01.plan").read_text()
ROWS: dict[str, tuple[dict[str, Any], str]] = {
    "countdown": ({"question": "Make 24 of 3, 4, 5, 6.", **NUMBERS}, SUM),
    "fields of a record": (RECORD, PLAN),
    "a field without a value": (
        {"domain": "ferry", "locations": ["l0"], "cars": ["c0"], "at": {"c0": "l0"},
         "aboard": None, "ferry": "l0", "goal": {"c0": "l0"}}, "(board c0 l0)\n(debark c0 l0)"
    ),
    "record": ({"record": {"id": "x", "holding": None, **RECORD}, "level": 1}, PLAN),
    "record as JSON": ({"record": json.dumps(RECORD)}, PLAN),
    "verl": ({"prompt": "?", "reward_model": {"style": "rule", "ground_truth": NUMBERS}}, SUM),
    "verl rollout": ({"input": "Make 24.", "gts": NUMBERS, "score": 1.0}, SUM),
    "lm-eval": ({"doc_id": 0, "doc": {"problem": RECORD} | RECORD, "target": "?"}, PLAN),
    "extra_info": ({"extra_info": {"index": 1, **TEXTS}}, GRIPPER),
    "PDDL": (TEXTS, GRIPPER),
    "PDDL with other names": ({f"PDDL_{name}": text for name, text in TEXTS.items()}, GRIPPER),
    "PDDL of a built-in domain": ({"domain": "Ferry", "problem_pddl": FERRY}, FERRY_PLAN),
    "record of PDDL": ({"domain": "gripper-strips", "pddl": TEXTS}, GRIPPER),
    "reasoning-gym": ({**GYM, "metadata": {**GYM["metadata"], "difficulty": {"n": 4}}}, "3*4-2+1"),
    "stream-of-search": ({**SEARCH, "search_path": "x"}, "2*3*4 + 5"),
    "autotos-states": (BLOCKS, PLAN),
}  # fmt: skip
WRITERS: dict[str, Callable[[pd.DataFrame, Path], object]] = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "jsonl": lambda frame, path: frame.to_json(path, orient="records", lines=True),
    "parquet": lambda frame, path: frame.to_parquet(path),
}


def table(name: str) -> pd.DataFrame:
    """Return a table with a right and a wrong answer to one problem."""
    row, right = ROWS[name]
    return pd.DataFrame([{**row, "model_output": text} for text in (right, "I do not know.")])


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("kind", WRITERS)
def test_files(cli_here: CliHere, tmp_path: Path, kind: str, name: str) -> None:
    if (kind, name) == ("csv", "autotos-states"):
        pytest.skip("is read from JSON and Parquet")
    file = tmp_path / f"t.{kind}"
    WRITERS[kind](table(name), file)
    for files in ((file.name,), (file.name, file.name)):
        done = cli_here("score", *files, "--json", cwd=tmp_path)
        assert done.status == 1, done.err
        assert "each row has a problem and its answer, in 'model_output'" in done.err
        first = json.loads(done.out.splitlines()[0])
        assert (first["answers"], first["instances"], first["accuracy"]) == (2, 1, "1/2")
    assert [each.correct for each in score(file)] == [True, False]


@pytest.mark.parametrize("name", ROWS)
def test_memory(name: str) -> None:
    """The rewards read the same rows, with the answers in them or beside them."""
    frame, (row, right) = table(name), ROWS[name]
    rows, texts = frame.to_dict("records"), frame["model_output"].tolist()
    for found in (score(rows), score(frame), score(rows, rows)):
        assert [each.correct for each in found] == [True, False]
    for scored in (score_frame(frame), score_frame(frame, frame), score_frame(rows, rows)):
        assert scored["correct"].tolist() == [True, False]
    values = [each.value for each in rewards(frame)]
    assert values[0] > 0.8 > values[1]
    assert values == [each.value for each in rewards([row] * 2, texts)]
    assert values[0] == reward(row, right).value == reward(rows[0]).value
    columns = {name: [value] * 2 for name, value in row.items()}
    assert values == plan_reward(["?"] * 2, texts, completion_ids=[[1], [2]], **columns)
    assert values[0] == compute_score("", right, row)
    assert values[0] == compute_score("", right, json.dumps(row), {"split": "train", "input": "?"})
    assert values[0] == compute_score("", right, "42", row)


def test_fields_by_keyword() -> None:
    assert reward(**NUMBERS, answer=SUM) == reward(NUMBERS, SUM) == reward(**NUMBERS, text=SUM)
    assert reward({**NUMBERS, "answer": SUM}, None).value == 0  # the model gave no answer


def test_each_row_is_on_its_own(cli_here: CliHere, tmp_path: Path) -> None:
    """Equal ids with equal problems are attempts. Another problem gets an id of its own."""
    rows = [
        {"id": name, "nums": [1, 2, 3], "target": target, "seed": seed, "answer": text}
        for seed, (name, target, text) in enumerate(
            (("a", 6, "1+2+3"), ("a", 6, "1*2*3"), ("a#2", 0, "3-2-1"), ("a", 5, "2*3-1"),
             ("a", 5, "1+2+3"))
        )
    ]  # fmt: skip
    (tmp_path / "t.json").write_text(json.dumps(rows))
    done = cli_here("score", "t.json", "-o", "o.jsonl", "--by", "seed", cwd=tmp_path)
    assert done.status == 1, done.err
    assert cli_here("show", "t.json", "-o", "pages", cwd=tmp_path).out.endswith("5 pages\n")
    found = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text().splitlines()]
    assert [(each["id"], each["attempt"], each["status"]) for each in found] == [
        ("a", 1, "valid"), ("a", 2, "valid"), ("a#2", 1, "valid"), ("a#3", 1, "valid"),
        ("a#3", 2, "invalid"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: reward(5, "x"), TypeError, "instance: found int, expected an Instance, or a row"),
        (lambda: reward(NUMBERS, 5), TypeError, "text: found int, expected the text of an answer"),
        (lambda: reward(*load_records(NUMBERS)), TypeError, "text: found no text"),
        (lambda: reward(NUMBERS, "x", target=2), TypeError, "found dict and fields"),
        (lambda: reward(NUMBERS), InputError, "^no row has the field 'answer'$"),
        (lambda: rewards([{**NUMBERS, "output": SUM, "response": "x"}]), InputError,
         "found the fields 'response' and 'output'; expected one of them"),
        (lambda: reward({"init": [], "answer": ""}), InputError,
         "found init, answer; a record of another domain has the field 'domain'"),
        (lambda: compute_score("", "", "{bad", {"split": "x"}), InputError,
         "found '{bad', which is not a JSON object; expected 'record'"),
        (lambda: score_frame(None), TypeError, "df: found NoneType, expected a data frame or"),
        (lambda: reward({"q": 1}, "x"), InputError, "found no problem in the fields q; expected"),
        (lambda: reward(**NUMBERS, answers=[SUM] * 2), InputError, "found 2 answers, expected one"),
        (lambda: rewards([NUMBERS], "x"), TypeError, "rewards: found str, expected a list"),
        (lambda: rewards(*load_records(NUMBERS)), TypeError, "found Instance, expected a list"),
        (lambda: rewards(5, []), TypeError, "rewards: found int, expected a list"),
        (lambda: score(NUMBERS, 5), TypeError, "answers: found int, expected objects with id"),
        (lambda: score(NUMBERS, "a.csv"), TypeError, "answers: found str, expected objects with"),
        (lambda: score({**NUMBERS, "reply": SUM}), InputError,
         "no row has the field 'answer', found the fields reply; answer_field= names it"),
        (lambda: score({**NUMBERS, "answer": SUM, "response": "x"}), InputError,
         "found the fields 'answer' and 'response'; choose one with answer_field="),
        (lambda: score({"problem": FERRY.replace("ferry", "boat"), "answer": "x"}), InputError,
         "field 'problem' is a PDDL problem without a field with its domain"),
        (lambda: score({**TEXTS, "domain2": TEXTS["domain"], "answer": "x"}), InputError,
         "field 'domain2' is a PDDL domain, as 'domain' is; expected one"),
    ],
)  # fmt: skip
def test_errors_say_what_is_expected(
    call: Callable[[], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        list(call())


def test_an_answer_in_pddl_is_no_second_problem() -> None:
    (found,) = score({**TEXTS, "response": TEXTS["problem"]})
    assert found.verdict.status == "malformed"


def test_empty_cells_errors_and_a_second_file(cli_here: CliHere, tmp_path: Path) -> None:
    """The error is that of the reader, without advice on answers."""
    row, bad = "id,nums,target,attempt,answer\na,1 2 3,6,,1+2+3\n", "b,1 2 3,x,,1\n"
    for name, text in (("t.csv", row), ("bad.csv", row + bad), ("a.csv", "id,answer\na,1+2+3\n")):
        (tmp_path / name).write_text(text)
    assert cli_here("score", "t.csv", cwd=tmp_path).status == 0
    fault = cli_here("score", "bad.csv", cwd=tmp_path).err
    expected = "bad.csv:3: field 'target': found 'x', expected a whole number"
    assert fault.endswith(f"{expected}; --skip-bad skips invalid records\n")
    done = cli_here("score", "t.csv", "a.csv", cwd=tmp_path)
    assert done.status == 0, done.err
    assert "t.csv: field 'answer' is no answer; those of a.csv count" in done.err
