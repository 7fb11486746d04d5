"""Answers in the output of batches, in lists of texts, and in chat messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from answer_texts import contents, lines, read

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.scoring.answer import memory_answers

BATCH = [
    {
        "id": "batch_1", "custom_id": "a-1", "error": None,
        "response": {"status_code": 200, "body": {"model": "gpt", "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "A"}},
            {"index": 1, "message": {"role": "assistant", "content": None}},
        ]}},
    },
    {"id": "batch_2", "custom_id": "a-2", "response": None, "error": {"message": "expired"}},
    {
        "id": "batch_3", "custom_id": "a-3", "error": None,
        "response": {"status_code": 429, "body": {"error": {"message": "too many"}}},
    },
]  # fmt: skip


def test_choices_of_a_batch_are_attempts_and_failed_requests_are_faults(tmp_path: Path) -> None:
    found = read(tmp_path, lines(BATCH))
    assert contents(found)[:2] == [("a-1", "A", None), ("a-1", "", None)]
    assert [answer.model for answer in found[:2]] == ["gpt", "gpt"]
    assert [answer.fault for answer in found] == [
        None, None, "the request failed: expired", "the request failed: too many",
    ]  # fmt: skip


def test_answers_of_the_newer_batch_interface(tmp_path: Path) -> None:
    def response(*output: dict[str, Any]) -> dict[str, Any]:
        body = {"object": "response", "model": "gpt", "output": [{"type": "reasoning"}, *output]}
        return {"custom_id": "a-1", "error": None, "response": {"status_code": 200, "body": body}}

    said = {"type": "message", "content": [{"type": "output_text", "text": "(x)"},
                                           {"type": "refusal", "refusal": "no"}]}  # fmt: skip
    found = read(tmp_path, lines([response(said), response(), response({"content": "x"})]))
    assert contents(found)[:2] == [("a-1", "(x)", None), ("a-1", "", None)]
    assert found[0].model == "gpt"
    assert found[2].fault == "field 'type': is missing"


def test_results_of_anthropics_batches(tmp_path: Path) -> None:
    parts = [{"type": "thinking", "thinking": "?"}, {"type": "text", "text": "(x) "},
             {"type": "text", "text": "(y)"}]  # fmt: skip
    overloaded = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    results = (
        {"type": "succeeded", "message": {"model": "claude", "content": parts}},
        {"type": "errored", "error": overloaded},
        {"type": "expired"},
        {"type": "succeeded", "message": {"content": 7}},
    )
    rows = [{"custom_id": f"a-{n}", "result": each} for n, each in enumerate(results)]
    found = read(tmp_path, lines(rows))
    assert contents(found)[0] == ("a-0", "(x) (y)", None)
    assert [answer.model for answer in found] == ["claude", None, None, None]
    assert [answer.fault for answer in found[1:]] == [
        "the request failed: Overloaded", "the request failed: expired",
        "field 'content': found no text, expected a text or a list of parts",
    ]  # fmt: skip


CHAT = [{"role": "user", "content": "?"}, {"role": "assistant", "content": "(x)"}]
LISTS = {
    "several": ({"responses": ["A", None]}, ["A", ""], None),
    "one, with its attempt": ({"outputs": ["A"], "attempt": 3}, ["A"], None),
    "singular": ({"answer": ["A", "B"]}, ["A", "B"], None),
    "not beside one answer": ({"answer": "A", "responses": ["B"]}, ["A"], None),
    "messages": ({"messages": CHAT}, ["(x)"], None),
    "messages beside answers": ({"messages": CHAT[:1], "samples": ["A"]}, ["A"], None),
    "no reply": (
        {"messages": CHAT[:1]},
        [""],
        "field 'role': found 'user' in the last message, expected 'assistant'",
    ),
    "empty": (
        {"samples": []},
        [""],
        "field 'samples': found an empty list, expected a text, or a list of texts or messages",
    ),
    "numbers": (
        {"answer": ["A", 1]},
        [""],
        (
            "field 'answer': found a list of something else, expected a text, or a list of texts "
            "or messages"
        ),
    ),
    "attempt": (
        {"answer": ["A", "B"], "attempt": 1},
        [""],
        "field 'attempt': found beside a list of 2 answers",
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_has_several_answers_or_messages(tmp_path: Path, name: str) -> None:
    row, texts, fault = LISTS[name]
    row = {"id": "a", **row}
    found = read(tmp_path, lines([row]))
    assert [(each.id, each.text) for each in found] == [("a", text) for text in texts]
    assert [each.fault for each in found] == [fault] * len(texts)
    assert [each.text for each in memory_answers([row])] == texts


def test_two_lists_of_answers_are_one_too_many(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the fields 'outputs' and 'samples'; choose one with --c"):
        read(tmp_path, lines([{"id": "a", "outputs": ["A"], "samples": ["B"]}]))
