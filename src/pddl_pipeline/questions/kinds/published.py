"""ACPBench's questions with two or four choices. None are made."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from pddl_pipeline.questions.kind import Kind
from pddl_pipeline.questions.question import Mark, Question, right_if, unreadable
from pddl_pipeline.questions.reading import readings

_YES_NO: Final = re.compile(r"\b(yes|no)\b")
_LETTER: Final = re.compile(
    r"(?:answer|option|choice)(?: is)?:?\s{0,9}\(?([a-d])\b(?!['\u2019])"
    r"|^[^\w\n]{0,9}([a-d])(?=[.:)\]]|\W{0,9}$)",
    re.MULTILINE,
)


def _mark(pattern: re.Pattern[str], what: str, question: Question, text: str) -> Mark:
    """Mark an answer by its first word, if it begins with a choice, else by the last choice."""
    for part in readings(text, short=True):
        begin, said = pattern.match(part.strip()), list(pattern.finditer(part))
        match = begin or (said[-1] if said else None)
        if match is not None:
            found = next(filter(None, match.groups()))
            answer = str(question.answer)
            return right_if(found == answer.lower(), found, f"expected {answer}")
    return unreadable(what)


KINDS: Final = (
    Kind("yes-no", "yes or no", None, partial(_mark, _YES_NO, "yes or no")),
    Kind("choice", "one of four", None, partial(_mark, _LETTER, "letter")),
)
