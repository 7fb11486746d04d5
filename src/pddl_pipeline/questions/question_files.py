"""Files of questions: lines that `questions` wrote, or ACPBench's items as published."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec

from pddl_pipeline.model.errors import InputError, RecordError
from pddl_pipeline.questions.kind import kind_named
from pddl_pipeline.questions.question import NoQuestion, Question
from pddl_pipeline.questions.reading import groups
from pddl_pipeline.questions.situation import situation_of
from pddl_pipeline.questions.templates import TEMPLATES
from pddl_pipeline.translators.formats.json_rows import json_items

_TASKS: Final = {each["group"]: name for name, each in TEMPLATES.items() if "group" in each}
"""The kinds of question that correspond to the groups of ACPBench's generative items."""
_FORMS: Final = {form: name for name, each in TEMPLATES.items() for form in each.get("forms", ())}
"""The kinds of question of the other items."""
_DOMAIN: Final = re.compile(r"\(\s*domain\s+([^\s()]+)")


def read_questions(path: Path) -> Iterator[Question]:
    """Yield the questions of a file.

    Args:
        path: lines that `questions` wrote, or a file of ACPBench, whose published answers are used.

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
                given = _from_item(given)
            yield _checked(given)
        except InputError as error:
            raise RecordError(error.message, file=row.file, line=row.line) from error
    if not found:
        raise RecordError("the file contains no question", file=str(path))


def _from_item(item: dict[str, Any]) -> dict[str, Any]:
    """Return an item of ACPBench as the line of a question.

    Raises:
        InputError: its group is not one of ACPBench's.
    """
    task, _, form = str(item["group"]).rpartition("_")
    if task not in _TASKS or form not in {"gen", *_FORMS}:
        raise InputError(f"unsupported group '{item['group']}', supported: {', '.join(_TASKS)}")
    name, context, text = str(item.get("id")), item["context"], str(item["question"])
    texts = {key: item.get(f"PDDL_{key}") for key in ("domain", "problem")}
    domain, kind = _DOMAIN.search(str(texts["domain"])), _FORMS.get(form, _TASKS[task])
    return {
        "id": name, "instance": f"{item['group']}-{name}",
        "domain": domain[1] if domain else "", "size": 0, "kind": kind, "steps": 0, "seed": None,
        "prompt": f"{context}\n\n{text}\nAnswer with {TEMPLATES[kind]['hint']}.", "question": text,
        "answer": item.get("answer"),
        "details": {"actions": groups(text), "question": text, "asks": _TASKS[task], **texts},
    }  # fmt: skip


def exact(question: Question) -> Question:
    """Return an item of ACPBench with the answer that its PDDL determines; others as they are.

    Raises:
        NoQuestion: it has no PDDL, or its text is not understood.
        NotJudged: the answer is not decided within the limits.
    """
    if question.seed is not None:
        return question
    solve = kind_named(question.kind).solve
    if solve is None:
        raise NoQuestion("the item has no PDDL")
    return replace(question, answer=solve(situation_of(question.details)))


def _checked(given: Any) -> Question:
    """Return the question of a line.

    Raises:
        InputError: the line is damaged. It must be reported here, not when answers are marked.
    """
    try:
        question = msgspec.convert(given, Question)
        kind = kind_named(question.kind)
        if question.answer is not None:
            # Every kind reads an answer in this text, and then needs its details.
            kind.mark(question, "none 0 []")
            kind.answer_text(question)
    except msgspec.ValidationError as error:
        raise InputError(f"not a question: {error}") from error
    except (LookupError, ValueError, TypeError, AttributeError, StopIteration) as error:
        raise InputError("'answer' or 'details' do not fit the kind") from error
    return question
