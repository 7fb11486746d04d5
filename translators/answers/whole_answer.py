"""Reads a model's whole answer: as a plan file, or else tolerantly, after the model's thinking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pddl_pipeline.model.answer import Fault, LazyTrace, ReadAnswer, TraceLine
from pddl_pipeline.model.error_kind import ErrorKind
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.answers.lines import LONGEST, SHOWN, AnswerLine
from pddl_pipeline.translators.answers.marks import Part, after_thinking
from pddl_pipeline.translators.answers.pddl_answer import as_plan_file
from pddl_pipeline.translators.answers.texts import text_of
from pddl_pipeline.translators.text import Reader, Text
from pddl_pipeline.validation.task import Task

LONGEST_PLAN: Final = 1_000_000
"""Maximum number of characters of a text that is read as a plan file."""


def read_answer(text: str, instance: Instance[Any], task: Task) -> ReadAnswer:
    """Return the plan in an answer, with the faults that make the answer wrong.

    Args:
        text: the answer.
        instance: the instance that the model was asked to solve.
        task: the instance's task.
    """
    words = text_of(instance, task)
    read = None if words.has_rules else read_plan_file(text, task)
    if read is not None:
        return read
    return read_part(after_thinking(text), words.parse_answer, words, instance, task)


def read_plan_file(text: str, task: Task) -> ReadAnswer | None:
    """Return the reading of a text that is a plan file; None for other texts."""
    return as_plan_file(text, task) if len(text) <= LONGEST_PLAN and text.strip() else None


def read_part(
    part: Part, reader: Reader, words: Text, instance: Instance[Any], task: Task
) -> ReadAnswer:
    """Read the text after a model's thinking; line numbers count the whole answer."""
    if len(part.text) > LONGEST:
        return _unread(part, words)
    read = reader(part.text, instance, task)
    if not part.before and not part.unread:
        return read
    faults = [fault._replace(line=fault.line and fault.line + part.before) for fault in read.faults]
    trace = LazyTrace(lambda: _moved(read.trace, part))
    return read._replace(trace=trace, faults=tuple(faults))


def _moved(trace: Sequence[TraceLine], part: Part) -> tuple[TraceLine, ...]:
    """Return the trace of the whole answer from that of a part."""
    moved = [entry._replace(line=entry.line + part.before) for entry in trace]
    return (*part.unread, *moved)


def _unread(part: Part, words: Text) -> ReadAnswer:
    """Return the reading of an answer that is too long to be read."""
    reason = f"the answer has {len(part.text):,} characters, at most {LONGEST:,} are read"
    slug = ErrorKind.BAD_FORMAT if words.has_rules else ErrorKind.UNREADABLE
    start = AnswerLine(part.before + 1, part.text[:SHOWN].strip().partition("\n")[0])
    trace = (*part.unread, start.dropped(reason))
    return ReadAnswer(None, trace, (Fault(slug, reason, start.number),))
