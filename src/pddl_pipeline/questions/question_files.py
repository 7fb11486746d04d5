"""Files of questions: lines that `questions` wrote, or ACPBench's items as published."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.questions.kind import kind_named
from pddl_pipeline.questions.question import Question
from pddl_pipeline.questions.reading import groups
from pddl_pipeline.translators.formats.json_rows import json_items

Report = Callable[[str], None]
_GROUPS: Final = {
    "validation_gen": "first-inapplicable",
    "applicable_actions_gen": "all-applicable",
    "progression_gen": "effects",
}
"""The kinds of question that correspond to groups of ACPBench's generative items."""


def read_questions(path: Path, on_refused: Report) -> Iterator[Question]:
    """Yield the questions of a file.

    Args:
        path: lines that `questions` wrote, or a ``dev.gen.json`` or ``test.gen.json`` of ACPBench,
            whose published answers are used.
        on_refused: called with a message for each item of ACPBench that is not supported.

    Raises:
        InputError: the file cannot be read, or contains something that is not a question.
    """
    found = False
    for row in json_items(path):
        if isinstance(row, InputError):
            raise row
        found, given = True, row.value
        try:
            if isinstance(given, dict) and {"group", "context", "question"} <= given.keys():
                if given["group"] not in _GROUPS:
                    on_refused(
                        f"item {given.get('id')}: unsupported group '{given['group']}', supported: "
                        + ", ".join(_GROUPS)
                    )
                    continue
                given = _from_item(given)
            yield _checked(given)
        except InputError as error:
            raise RecordError(error.message, file=row.file, line=row.line) from error
    if not found:
        raise RecordError("the file contains no question", file=str(path))


def _from_item(item: dict[str, Any]) -> dict[str, Any]:
    """Return an item of ACPBench as the line of a question."""
    name, text = str(item.get("id")), item["question"]
    return {
        "id": name, "instance": name, "domain": "", "size": 0, "kind": _GROUPS[item["group"]],
        "steps": 0, "seed": None, "prompt": f"{item['context']}\n\n{text}", "question": text,
        "answer": item.get("answer"), "details": {"actions": groups(str(text))},
    }  # fmt: skip


def _checked(given: Any) -> Question:
    """Return the question of a line.

    Raises:
        InputError: the line is damaged. It must be reported here, not when answers are marked.
    """
    try:
        question = msgspec.convert(given, Question)
        kind = kind_named(question.kind)
        kind.mark(question, "(nothing) 0 []")
        kind.answer_text(question)
    except msgspec.ValidationError as error:
        raise InputError(f"not a question: {error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, StopIteration) as error:
        raise InputError("'answer' or 'details' do not fit the kind") from error
    return question
