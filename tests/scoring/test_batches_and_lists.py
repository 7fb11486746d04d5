"""Answers in the output of batches, in lists of texts, and in chat messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from answer_texts import lines, read

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


def response(*output: dict[str, Any]) -> dict[str, Any]:
    """Return a line of the newer interface of batches."""
    body = {"object": "response", "model": "gpt", "output": [{"type": "reasoning"}, *output]}
    return {"custom_id": "a-1", "error": None, "response": {"status_code": 200, "body": body}}


SAID = {"type": "message", "content": [{"type": "output_text", "text": "(x)"},
                                       {"type": "refusal", "refusal": "no"}]}  # fmt: skip
PARTS = [{"type": "thinking", "thinking": "?"}, {"type": "text", "text": "(x) "},
         {"type": "text", "text": "(y)"}]  # fmt: skip
ANTHROPIC = [
    {"type": "succeeded", "message": {"model": "claude", "content": PARTS}},
    {"type": "errored",
     "error": {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}},
    {"type": "expired"},
    {"type": "succeeded", "message": {"content": 7}},
]  # fmt: skip
NO_TEXT = "field 'content': found no text, expected a text or a list of parts"
# Lines of batches, and id, text, model and fault of their answers.
CHAT = [{"role": "user", "content": "?"}, {"role": "assistant", "content": "(x)"}]
LISTS = {
    "several": ({"responses": ["A", None]}, ["A", ""], None),
    "one, with its attempt": ({"outputs": ["A"], "attempt": 3}, ["A"], None),
    "singular": ({"answer": ["A", "B"]}, ["A", "B"], None),
    "not beside one answer": ({"answer": "A", "responses": ["B"]}, ["A"], None),
    "messages": ({"messages": CHAT}, ["(x)"], None),
    "messages beside answers": ({"messages": CHAT[:1], "samples": ["A"]}, ["A"], None),
    "lists of messages": ({"completions": [CHAT, CHAT]}, ["(x)", "(x)"], None),
    "lists of texts": ({"resps": [["A"], ["B"]]}, ["A", "B"], None),
    "choices": ({"choices": [{"message": CHAT[1]}, {"text": "B"}]}, ["(x)", "B"], None),
    "conversations": (
        {"conversations": [{"from": "human", "value": "?"}, {"from": "gpt", "value": "A"}]},
        ["A"],
        None,
    ),
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
BATCHES = {
    # Choices are attempts, and failed requests are faults.
    "choices": (BATCH, [
        ("a-1", "A", "gpt", None), ("a-1", "", "gpt", None),
        ("a-2", "", None, "the request failed: expired"),
        ("a-3", "", None, "the request failed: too many"),
    ]),
    "the newer interface": ([response(SAID), response(), response({"content": "x"})], [
        ("a-1", "(x)", "gpt", None), ("a-1", "", "gpt", None),
        ("a-1", "", "gpt", LISTS["numbers"][2]),
    ]),
    "Anthropic": ([{"custom_id": f"a-{n}", "result": each} for n, each in enumerate(ANTHROPIC)], [
        ("a-0", "(x) (y)", "claude", None),
        ("a-1", "", None, "the request failed: Overloaded"),
        ("a-2", "", None, "the request failed: expired"),
        ("a-3", "", None, NO_TEXT),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("name", BATCHES)
def test_answers_of_batches(tmp_path: Path, name: str) -> None:
    rows, expected = BATCHES[name]
    found = read(tmp_path, lines(rows))
    assert [(each.id, each.text, each.model, each.fault) for each in found] == expected


@pytest.mark.parametrize("name", LISTS)
def test_a_list_has_several_answers_or_messages(tmp_path: Path, name: str) -> None:
    row, texts, fault = LISTS[name]
    found = read(tmp_path, lines([row := {"id": "a", **row}]))
    assert [(each.id, each.text) for each in found] == [("a", text) for text in texts]
    assert [each.fault for each in found] == [fault] * len(texts)
    assert [each.text for each in memory_answers([row])] == texts


def test_two_lists_of_answers_are_one_too_many(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the fields 'outputs' and 'samples'; choose one with --c"):
        read(tmp_path, lines([{"id": "a", "outputs": ["A"], "samples": ["B"]}]))
