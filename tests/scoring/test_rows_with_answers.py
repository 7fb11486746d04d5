"""Rows with a problem and its answer are scored alone, in every form in which such data exist."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import polars as pl
import pytest
from data_kinds import BLOCKS, FOREIGN, GYM, SEARCH, SWAP
from hypothesis import example, given
from hypothesis import strategies as st

from pddl_pipeline import InputError, load_records, reward, rewards, score
from pddl_pipeline.integrations.pandas import score_frame
from pddl_pipeline.integrations.trl import plan_reward
from pddl_pipeline.integrations.verl import compute_score
from pddl_pipeline.model.errors import RecordError
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.scoring.answer import NamedFields
from pddl_pipeline.scoring.pairing import paired
from pddl_pipeline.translators.formats.table import usual_instance

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
    "verl as JSON": ({"reward_model": json.dumps({"ground_truth": NUMBERS})}, SUM),
    "TRL": ({"prompt": [{"role": "user", "content": "Make 24."}], **NUMBERS}, SUM),
    "24.csv": ({"Rank": 1, "Puzzles": "3 4 5 6", "Solved rate": "99%"}, SUM),
    "quoted lists": ({"numbers": "['3', '4', '5', '6']", "target": "24"}, SUM),
    "verl rollout": ({"input": "Make 24.", "gts": NUMBERS, "score": 1.0}, SUM),
    "label": ({"prompt": "?", "label": NUMBERS}, SUM),
    "sample of Inspect": ({"input": "?", "target": "24", "metadata": NUMBERS}, SUM),
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
    "wrapped.json": lambda frame, path: path.write_text(
        f'{{"n": 2, "data": {frame.to_json(orient="records")}, "end": [1]}}'
    ),
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


@pytest.mark.parametrize("orient", ["records", "table", "split", "viewer", "columns", "index"])
@pytest.mark.parametrize("name", ["countdown", "fields of a record"])
def test_json_of_data_frames(cli_here: CliHere, tmp_path: Path, orient: str, name: str) -> None:
    """Of pandas, and of the viewer of Hugging Face; columns are not read as rows."""
    frame, file = table(name), tmp_path / "t.json"
    if orient == "viewer":
        rows = frame.to_dict("records")
        viewed = [{"row_idx": at, "row": row, "truncated_cells": []} for at, row in enumerate(rows)]
        file.write_text(json.dumps({"features": [{"type": {}}], "rows": viewed, "partial": False}))
    else:
        frame.to_json(file, orient=orient)
    if orient in {"columns", "index"}:
        done = cli_here("translate", file.name, "-o", "out", cwd=tmp_path)
        assert done.err.startswith("error: t.json:1: found the columns of a data frame, expected")
    else:
        assert cli_here("score", file.name, cwd=tmp_path).status == 1
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
    assert frame.apply(reward, axis=1).tolist() == values
    assert [each.correct for each in score([row for _, row in frame.iterrows()])] == [True, False]
    assert rewards(frame.rename(columns={"model_output": "q"}), answer_field="q") == values
    assert values[0] > 0.8 > values[1]
    assert values == [each.value for each in rewards([row] * 2, texts)]
    assert values[0] == reward(row, right).value == reward(rows[0]).value
    columns = {name: [value] * 2 for name, value in row.items()}
    assert values == plan_reward(["?"] * 2, texts, completion_ids=[[1], [2]], **columns)
    assert values[0] == compute_score("", right, row)
    assert values[0] == compute_score("", right, json.dumps(row), {"split": "train", "input": "?"})
    assert values[0] == compute_score("", right, "42", row)


SAID = {"role": "assistant", "content": f"<think>6?</think><answer>{SUM}</answer>"}
ASKED = {"role": "user", "content": "Make 24."}
PARTS: list[dict[str, Any]] = [
    {"type": "thinking", "thinking": "6?"},
    *({"type": "text", "text": text} for text in ("<answer>", SUM, "</answer>")),
]
RESPONSE = {"object": "response", "output": [
    {"type": "reasoning", "summary": []},
    {"type": "message", "role": "assistant",
     "content": [{"type": "output_text", "text": SAID["content"]}]},
]}  # fmt: skip
GEMINI = {"role": "model", "parts": [
    {"text": "6?", "thought": True}, *({"text": part["text"]} for part in PARTS[1:])
]}  # fmt: skip
OUTPUTS: dict[str, dict[str, Any]] = {
    "text": {"response": SAID["content"]},
    "message": {"completion": SAID},
    "TRL": {"completions": [[SAID]]},
    "list of texts": {"completions": [SAID["content"]]},
    "lm-eval": {"resps": [[SAID["content"]]]},
    "chat": {"messages": [ASKED, SAID]},
    "parts": {"messages": [{**SAID, "content": [{"type": "text", "text": SAID["content"]}]}]},
    "ShareGPT": {"conversations": [{"from": "human", "value": "24?"},
                                   {"from": "gpt", "value": SAID["content"]}]},
    "OpenAI": {"choices": [{"index": 0, "message": SAID, "finish_reason": "stop"}]},
    "OpenAI, whole": {"response": {"id": "x", "choices": [{"index": 0, "message": SAID}]}},
    "completions": {"choices": [{"index": 0, "text": SAID["content"]}]},
    "pipeline": {"response": [{"generated_text": SAID["content"]}]},
    "content alone": {"response": {"content": SAID["content"]}},
    "lm-eval, filtered": {"filtered_resps": [SAID["content"]]},
    "Responses": {"output": RESPONSE["output"]},
    "Responses, whole": {"response": RESPONSE},
    "Responses, text": {"output_text": SAID["content"]},
    "a batch": {"response": {"status_code": 200, "body": RESPONSE}},
    "Anthropic": {"content": PARTS},
    "Anthropic, whole": {"response": {"type": "message", "role": "assistant", "content": PARTS}},
    "Ollama": {"message": SAID},
    "Gemini": {"candidates": [{"content": GEMINI, "finishReason": "STOP"}]},
    "Gemini, whole": {"response": {"candidates": [{"content": GEMINI}], "modelVersion": "x"}},
    "Gemini, chat": {"contents": [{"role": "user", "parts": [{"text": "24?"}]}, GEMINI]},
    "LangChain": {"messages": [{"type": "human", "content": "24?"},
                               {"type": "ai", "content": SAID["content"], "tool_calls": []}]},
    "LangChain, stored": {"messages": [{"type": "ai", "data": {"content": SAID["content"]}}]},
    "Bedrock": {"output": {"message": {"role": "assistant", "content": GEMINI["parts"]}}},
    "a choice with parts": {"choices": [{"message": {**SAID, "content": PARTS}}]},
}  # fmt: skip


@pytest.mark.parametrize("name", OUTPUTS)
def test_shapes_of_answers(cli_here: CliHere, tmp_path: Path, name: str) -> None:
    """Each entry point reads the same shapes."""
    row = {**NUMBERS, **OUTPUTS[name]}
    (tmp_path / "t.jsonl").write_text(json.dumps(row))
    assert cli_here("score", "t.jsonl", cwd=tmp_path).status == 0
    assert [each.correct for each in score([row])] == [True]
    assert reward(row) == rewards([row])[0] == 1
    (given,) = OUTPUTS[name].values()
    assert reward({**NUMBERS, "answer": 24, "said": given}, answer_field="said") == 1
    completion = given[0] if name.startswith(("TRL", "list", "lm-eval")) else given
    columns = {field: [value] for field, value in NUMBERS.items()}
    assert plan_reward([[ASKED]], [completion], completion_ids=[[1]], **columns) == [1]


@given(st.permutations(["countdown", "fields of a record", "a field without a value"]))
def test_a_frame_of_several_domains(names: list[str]) -> None:
    """pandas fills in the fields that a row does not have."""
    for domain in {}, {"domain": "countdown"}:
        frame = pd.DataFrame(
            domain | row | {"response": text} for row, text in map(ROWS.get, names)
        )
        assert [each.correct for each in score(frame)] == [True] * 3
        assert min(rewards(frame)) == min(frame.apply(reward, axis=1)) > 0.8


def test_fields_by_keyword_and_missing_answers_of_a_column() -> None:
    assert reward(**NUMBERS, answer=SUM) == reward(NUMBERS, SUM) == reward(**NUMBERS, text=SUM)
    assert [
        reward({**NUMBERS, "answer": SUM}, None),
        *rewards([NUMBERS] * 3, pd.Series([SUM, None, np.nan])),
    ] == [0, 1, 0, 0]
    rows = [{"id": float(at), "answer": text} for at, text in enumerate((SUM, np.nan, pd.NA))]
    found = score([{**NUMBERS, "id": str(at)} for at in range(3)], rows)
    assert [each.correct for each in found] == [True, False, False]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("owner/name-3.5", None, "is not a file, but may be the id of a dataset; load"),
        ("https://host/a.parquet", None, "is a URL; load it first: datasets.load_dataset("),
        ("a.parquet", "version https://git-lfs.github.com/spec/v1\n", "is a pointer of Git LFS"),
        ("a.jsonl", "<!DOCTYPE html><html>", "is a web page, without the data; load it first"),
        ("a.json", '{"error":"Access to dataset a/b is restricted."}', "is the refusal of a gated"),
        ("no/a.jsonl", None, "cannot be read: No such file or directory"),
    ],
)
def test_data_on_the_network(
    cli_here: CliHere, tmp_path: Path, name: str, text: str | None, message: str
) -> None:
    if text:
        (tmp_path / name).write_text(text)
    done = cli_here("translate", name, "-o", "out", cwd=tmp_path)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert done.err.startswith(f"error: {name}: {message}")
    with pytest.raises(InputError, match=re.escape(message)):
        [*load_records(tmp_path / name if text else Path(name))]


def test_tables_beside_pddl_and_rules(cli_here: CliHere, tmp_path: Path) -> None:
    folder, row = tmp_path / "data", {"id": "a", **NUMBERS, "nums": [1, 2, 3], "target": 2}
    shutil.copytree(domain_folder("ferry"), folder, ignore=lambda *_: ["variants", "bad"])
    (folder / "more.csv").write_text("id,numbers\n")
    done = cli_here("translate", "data", "-o", "out", cwd=tmp_path)
    assert "tables in the folder are not read as problems: examples.jsonl, more.csv" in done.err
    assert "not read" not in cli_here("translate", "out", "-o", "again", cwd=tmp_path).err
    (tmp_path / "t.jsonl").write_text(json.dumps({**row, "answer": "1 - 2 + 3"}))
    for rules, status in ((), 1), (("--rules", "negatives=yes"), 0):
        assert cli_here("score", "t.jsonl", *rules, cwd=tmp_path).status == status


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
        (lambda: reward(NUMBERS), InputError,
         "^no row has the field 'answer'; answer_field= names it$"),
        (lambda: rewards([{**NUMBERS, "output": SUM, "response": "x"}]), InputError,
         "row 1: found the fields 'response' and 'output'; choose one with answer_field="),
        (lambda: rewards([NUMBERS] * 2, [SUM, 5]), TypeError, "^row 2: text: found int, expected"),
        (lambda: rewards([{**NUMBERS, "answer": SUM}, 5]), TypeError, "^row 2: instance: found"),
        *(
            (partial(plan_reward, ["?"], [said], completion_ids=[[1]], nums=[[1]], target=[1]),
             InputError, message)
            for said, message in (
                (0.5, "^row 1: field 'completion': found float, expected a text or m"),
                ([["x"]], "completion': found list, expected a text or m"),
                ([{"role": "assistant", "content": {"type": {}}}], "content': found no text"),
            )
        ),
        (lambda: reward({**NUMBERS, "messages": [{"type": {}}]}), InputError,
         "'messages': found a list of something else"),
        *(
            (partial(rewards, [NUMBERS, NUMBERS, {"nums": [1]}], [SUM] * 3, processes=processes),
             InputError, "^data: row 3: found no problem in the fields nums")
            for processes in (1, 2)
        ),
        *(
            (partial(call, data), TypeError, message)
            for call in (load_records, rewards, score, score_frame, partial(score, NUMBERS))
            for data, message in (
                (pl.LazyFrame([NUMBERS]), "found LazyFrame, expected its rows: data.collect"),
                (type("DatasetDict", (dict,), {})(train=[NUMBERS], test=[]),
                 "found DatasetDict of 'train', 'test'; expected one, as in data.'train'."),
            )
        ),
        (lambda: plan_reward([], None, nums=[[1]]), TypeError, "completions: found NoneType"),
        (lambda: rewards([NUMBERS], [SUM], processes=0), InputError, "processes: found 0, expect"),
        (lambda: rewards([NUMBERS], [SUM], (0.5, 0.5)), ValueError, "0.5., expected 5 numbers"),
        *(
            (partial(reward, text="", problem_pddl="junk", **more), InputError,
             "^data: (row 1: )?field 'problem_pddl': found 'junk', expected PDDL that starts")
            for more in ({}, {"domain": "ferry"}, {"domain_pddl": TEXTS["domain"]})
        ),
        (lambda: reward({"init": [], "answer": ""}), InputError,
         "found init, answer; a record of another domain has the field 'domain'"),
        (lambda: compute_score("", "", "{bad", {"split": "x"}), InputError,
         "found '{bad', which is not a JSON object; expected 'record'"),
        (lambda: score_frame(None), TypeError, "df: found NoneType, expected a data frame or"),
        (lambda: reward({"q": 1}, "x"), InputError, "found no problem in the fields q; expected"),
        (lambda: reward(**NUMBERS, answers=[SUM] * 2), InputError, "found 2 answers, expected one"),
        (lambda: reward({**NUMBERS, "response": {"plan": SUM}}), InputError, "something else"),
        (lambda: reward({**NUMBERS, "response": [{"plan": SUM}]}), InputError, "something else"),
        (lambda: rewards([NUMBERS], "x"), TypeError, "rewards: found str, expected a list"),
        (lambda: rewards(*load_records(NUMBERS)), TypeError, "found Instance, expected a list"),
        (lambda: rewards(5, []), TypeError, "rewards: found int, expected a list"),
        (lambda: rewards([NUMBERS], pd.DataFrame({"a": [SUM]})), TypeError, "found DataFrame"),
        (lambda: bool(score({**NUMBERS, "answer": SUM})), TypeError, "several scores have no"),
        (lambda: [*map(list, [score({**NUMBERS, "answer": SUM})] * 2)], ValueError, "taken before"),
        (lambda: score([{"input": [3], "target": 3, "answer": "3"}, {**NUMBERS, "answer": SUM}]),
         RecordError, "row 2: field 'nums' is unknown; did you mean 'numbers'"),
        (lambda: score([{"nums": [3], "goal": 3, "answer": "3"}, {**NUMBERS, "answer": SUM}]),
         RecordError, "row 2: field 'goal' is missing"),
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


CELLS = st.sampled_from([SUM, "", "8", "(define (problem a))", FERRY, None, 24, True, -1, 10**20])
LISTS = st.lists(st.integers(-1, 30) | st.booleans() | st.just(10**20), max_size=5)
KEYS = st.sampled_from(["nums", "numbers", "target", "answer", "Target", "id", "record", "text"])


@patch("pddl_pipeline.translators.formats.table._usual", lambda *_: None)
@example({**NUMBERS, "answer": SUM})
@example({**NUMBERS})
@given(st.dictionaries(KEYS, CELLS | LISTS) | st.builds(
    lambda nums, target, answer: {"nums": nums, "target": target, "answer": answer},
    LISTS, CELLS, CELLS,
))  # fmt: skip
def test_a_usual_row_is_the_instance_that_is_read(row: dict[str, Any]) -> None:
    found = usual_instance(row)
    if found is None:
        assert row not in (NUMBERS, {**NUMBERS, "answer": SUM})
    elif "answer" in row:
        (instance,), (answer,) = paired(row, NamedFields(options=("", "")))
        assert (instance, answer.text, answer.fault) == (found, row["answer"], None)
    else:
        assert [found] == [*load_records(row)]


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


def test_a_reference_beside_the_answer_of_a_model_is_not_judged_as_the_answer() -> None:
    """Samples of lm-eval hold both; in other rows it is not clear which is which."""
    right = "(3 + 5 - 4) * 6"
    problem = {"nums": [3, 4, 5, 6], "target": 24, "answer": right}
    sample = {"doc": problem, "resps": [["I do not know"]], "filtered_resps": ["I do not know"]}
    assert [float(each) for each in rewards([sample])] == [0.0]
    for others in ({"completions": ["no"]}, {"messages": [{"role": "assistant", "content": "no"}]}):
        with pytest.raises(InputError, match="found the fields 'answer' and"):
            rewards([{**problem, **others}])


def test_a_record_in_a_column_keeps_fields_that_are_null() -> None:
    record = json.loads((domain_folder("ferry") / "examples.jsonl").read_text().splitlines()[0])
    assert record["aboard"] is None
    assert reward({"record": record}, "") == 0.0
