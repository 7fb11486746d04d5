"""Marking of answers that choose one of several options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pddl_pipeline.questions.answer_text import chosen_option, groups, readings
from pddl_pipeline.questions.question import Mark, Question, unreadable

NOT_AN_OPTION: Final = "not-an-option"
"""The mistake of an answer that names an action or atom outside the options (SimPlan, table 5)."""


def mark_choice(question: Question, text: str) -> Mark:
    """Mark an answer to a question whose details contain ``options``, each a list of names."""
    options: Sequence[Sequence[str]] = question.details["options"]
    chosen = chosen_option(text, options)
    if chosen is None:
        return _nothing_chosen(text, options)
    found = options[chosen][0]
    if found == question.answer:
        return Mark(correct=True, found=found)
    return Mark(correct=False, found=found, reason=f"expected {question.answer}")


def _nothing_chosen(text: str, options: Sequence[Sequence[str]]) -> Mark:
    known = {name for option in options for name in option}
    named = [group for group in groups(next(readings(text))) if group not in known]
    if not named:
        return unreadable("choice of one option")
    reason = f"{named[-1]} is not one of the options"
    return Mark(correct=False, found=named[-1], mistakes=(NOT_AN_OPTION,), reason=reason)
