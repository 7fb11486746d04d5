"""Files of answers: every format is detected by content, and a bad row does not stop reading."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest
from answer_texts import lines, read, read_answers

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.scoring.answer_formats import FORMATS

OWN = [
    {"id": "a-1", "answer": "(x)", "model": "m", "attempt": 2, "prompt": "?", "expanded": 7},
    {"id": "a-2", "answer": None},
]
PLANBENCH = {
    "task": "task_1_plan_generation",
    "prompt_type": "oneshot",
    "domain": "blocksworld",
    "engine": "gpt",
    "instances": [
        {
            "instance_id": 7, "example_instance_ids": [3], "query": "[PLAN]",
            "llm_raw_response": "pick up", "extracted_llm_plan": "(pick-up a)\n",
            "llm_correct": True,
        },
        {
            "instance_id": 9, "llm_raw_response": "stack",
            "extracted_llm_plan": ["(stack a b)", "(pick-up c)"], "llm_correct": False,
        },
    ],
}  # fmt: skip
THOUGHTS = [
    {"idx": 900, "ys": ["A", "B"], "infos": [{"r": 0}, {"r": 1}], "steps": []},
    {"idx": 901, "ys": ["C"], "accs": [1], "cost": 0.1},
]


@pytest.mark.parametrize("content", [lines(OWN), json.dumps(OWN, indent=2), "\ufeff" + lines(OWN)])
@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x", "x.txt.gz"])
def test_own_answers_as_lines_and_as_a_list(tmp_path: Path, content: str, name: str) -> None:
    one, two = read(tmp_path, content, name)
    assert (one.id, one.text, one.model, one.attempt, one.expanded) == ("a-1", "(x)", "m", 2, 7)
    assert (two.id, two.text, two.model, two.attempt, two.fault) == ("a-2", "", None, None, None)


SETS = [
    {**row, "domain": domain, "model": "m", "task": task}
    for row, domain, task in zip(PLANBENCH["instances"] * 2, "bbbc", "1121", strict=True)
]
BARE = {"engine": "g", "instances": [{"instance_id": 7, "llm_raw_response": "x"}]}
PLANS = [
    ("instance-7", "(pick-up a)\n", "gpt", True),
    ("instance-9", "(stack a b)\n(pick-up c)", "gpt", False),
]
# Files with the options of reading them, and id, text, model and published verdict of the answers.
FILES: dict[str, tuple[str, dict[str, Any], list[tuple[Any, ...]]]] = {
    "PlanBench": (json.dumps(PLANBENCH), {}, PLANS),
    "PlanBench, indented": (json.dumps(PLANBENCH, indent=4), {}, PLANS),
    "PlanBench, raw": (
        json.dumps(PLANBENCH), {"raw": True},
        [("instance-7", "pick up", "gpt", True), ("instance-9", "stack", "gpt", False)],
    ),
    # Sets and domains are not mixed.
    "rows of PlanBench": (lines(SETS), {}, [
        ("instance-7", "(pick-up a)\n", "m 1", True),
        ("instance-9", "(stack a b)\n(pick-up c)", "m 1", False),
        ("instance-7", "(pick-up a)\n", "m 2", True),
        ("answers:4", "found a row of c after rows of b; score each domain separately"),
    ]),
    "numbers that fit two ids": (json.dumps(PLANBENCH), {"ids": ["bw-7", "x-7", "bw-9"]}, [
        ("answers: item 1", "field 'instance_id': found 7, which may be bw-7 or x-7"),
        ("bw-9", "(stack a b)\n(pick-up c)", "gpt", False),
    ]),
    "no extracted plan": (json.dumps(BARE), {}, [
        ("answers: item 1", "field 'extracted_llm_plan': found no text, see --reading raw"),
    ]),
    "no extracted plan, raw": (
        json.dumps(BARE), {"raw": True}, [("instance-7", "x", "g", None)],
    ),
    "Tree of Thoughts": (json.dumps(THOUGHTS), {}, [
        ("24game-901", "A", None, False), ("24game-901", "B", None, True),
        ("24game-902", "C", None, True),
    ]),
    "a whole number is an id": (
        '{"id": 7, "answer": "x", "attempt": null}', {}, [("7", "x", None, None)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_files_of_answers_as_they_are(tmp_path: Path, name: str) -> None:
    text, options, expected = FILES[name]
    found = read(tmp_path, text, **options)
    for each, row in zip(found, expected, strict=True):
        if each.fault is None:
            assert (each.id, each.text, each.model, each.published) == row
            # Only PlanBench names the model and publishes VAL's verdict on its plan.
            assert each.published_strict == (each.model is not None and "raw" not in options)
        else:
            assert (each.place.rpartition("/")[2], each.fault) == row


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["instance-7", "other-7"], "instance-7"),
        (["bw-7", "bw-17", "bw-70"], "bw-7"),
        (["bw-07"], "instance-7"),
    ],
)
def test_planbench_numbers_find_the_one_id_that_ends_in_them(
    tmp_path: Path, ids: list[str], expected: str
) -> None:
    assert read(tmp_path, json.dumps(PLANBENCH), ids=ids)[0].id == expected


BAD_LINES = {
    "broken": (b'{"id": "a", "answer": "x', ":1:23", "expected '\"' at the end of the"),
    "no id": (b'{"answer": "x"}', ":1", "found no 'id', expected a text or a whole"),
    "fraction as id": (b'{"id": 3.5, "answer": "x"}', ":1", "found no 'id', expected a text"),
    "truth as id": (b'{"id": true, "answer": "x"}', ":1", "found no 'id', expected a text"),
    "attempt 0": (
        b'{"id": "a", "answer": "", "attempt": 0}',
        ":1",
        "field 'attempt': found 0",
    ),
    "attempt text": (
        b'{"id": "a", "answer": "", "attempt": "one"}',
        ":1",
        "field 'attempt': found ",
    ),
    "attempt true": (
        b'{"id": "a", "answer": "", "attempt": true}',
        ":1",
        "field 'attempt': ",
    ),
    "no answer": (b'{"id": "a"}', ":1", "found no 'answer' of text"),
    "no object": (b'["a", "x"]', ":1", "found no object, expected one with 'id' and 'answer'"),
    "twice": (b'{"id": "a", "id": "b", "answer": "x"}', ":1:2", "field 'id' is given twice"),
    "deep": (b"[" * 10**6, ":1", "nested too deeply"),
    "long number": (b'{"id": "a", "answer": ' + b"9" * 10**6 + b"}", ":1", "a number of more than"),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_bad_line_is_told_and_stops_nothing(tmp_path: Path, name: str) -> None:
    bad, place, fault = BAD_LINES[name]
    good = json.dumps(OWN[0]).encode()
    first, second = read(tmp_path, b"\n".join((bad, good, b"")))
    assert first.fault.startswith(fault)
    assert first.place.endswith(f"answers{place}")
    assert (second.id, second.fault) == ("a-1", None)


def test_bytes_that_are_no_text_are_replaced(tmp_path: Path) -> None:
    line = b'{"id": "a", "answer": "x\xff\xfey"}\n'
    assert read(tmp_path, line)[0].text == "x\ufffd\ufffdy"
    assert read(tmp_path, b"[" + line + b"]")[0].text == "x\ufffd\ufffdy"
    assert read(tmp_path, rb'{"id": "a", "answer": "x\u0000y"}')[0].text == "x\0y"


def test_what_comes_before_damage_is_read(tmp_path: Path) -> None:
    whole = json.dumps(OWN)
    *first, last = read(tmp_path, whole[:-1])
    assert [answer.id for answer in first] == ["a-1", "a-2"]
    assert last.fault == f"found 'the end', expected ',' or ']', after {tmp_path}/answers: item 2"
    cut = json.dumps(PLANBENCH)[:-60]
    assert read(tmp_path, cut)[-1].fault.endswith(
        f"found the end of the file, after {tmp_path}/answers: item 1"
    )  # type: ignore[union-attr]


def test_damage_of_a_packed_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "x.gz"
    rng = random.Random(0)
    noise = [{"id": str(n), "answer": rng.randbytes(40).hex()} for n in range(5_000)]
    file.write_bytes(gzip.compress(lines(noise).encode())[:-50_000])
    found = list(read_answers(file))
    assert len(found) > 1000
    assert found[-1].fault is not None
    assert "the compressed file is truncated or damaged, after" in found[-1].fault


@pytest.mark.parametrize(
    "content", ["", "hello", "[]", "{}", "[1, 2]", '{"a": 1}\n', "[[1]]", "{", "["]
)
def test_what_is_no_file_of_answers(tmp_path: Path, content: str) -> None:
    expected = r"expected a (JSON value|field name)|contains no answer$|no row has the fields"
    with pytest.raises(InputError, match=expected):
        read(tmp_path, content)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_answers(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="is not a regular file"):
        read_answers(tmp_path)


def test_each_form_says_what_it_is() -> None:
    names = {"answers", "anthropic-batch", "openai-batch", "planbench", "tree-of-thoughts"}
    assert names <= set(FORMATS)
    assert all(form.about for form in FORMATS.values())
