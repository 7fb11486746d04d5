"""Tests of answers that deny, explain and think: which option they choose."""

from __future__ import annotations

import pytest
from question_subjects import questions, questions_of

from pddl_pipeline.questions.kind import kinds
from pddl_pipeline.questions.question import UNREADABLE, Mark, Question


def asked(kind: str) -> Question:
    return next(each for each in questions("ferry") if each.kind == kind)


def mark(question: Question, text: str) -> Mark:
    return kinds()[question.kind].mark(question, text)


def named(question: Question) -> tuple[int, str, str]:
    """Return the position of the right option, its displayed name, and that of a wrong one."""
    options = question.details["options"]
    right = next(n for n, option in enumerate(options) if option[0] == question.answer)
    return right, options[right][-1], options[right - 1][-1]


@pytest.mark.parametrize("kind", ["applicable", "nearer-goal", "first-goal"])
def test_what_is_denied_is_not_chosen(kind: str) -> None:
    for question, _ in questions_of(kind):
        right, name, other = named(question)
        letter = "ABCD"[right]
        for bad in (
            f"{name} is not applicable", f"It cannot be {name}", f"not {name}", f"It isn't {name}.",
            f"{name} is inapplicable", f"Never {name}", f"neither {name}", f"{name} can't be it.",
            f"The answer is not {letter}.", f"Option {letter} is not right.",
            f"{letter}) is wrong", f"The answer is not {name}.",
        ):  # fmt: skip
            assert mark(question, bad).mistakes == (UNREADABLE,), bad
        good = f"{other} is not applicable.\nSo it is {name}."
        assert mark(question, good).correct, good


@pytest.mark.parametrize("kind", ["applicable", "nearer-goal", "first-goal"])
def test_choices_in_a_sentence(kind: str) -> None:
    for question, _ in questions_of(kind):
        right, name, other = named(question)
        letter, wrong = "ABCD"[right], "ABCD"[right - 1]
        for good in (
            f"The answer is {letter}.", f"The correct answer is ({right + 1})", f"Option {letter}",
            f"The correct answer is option {letter}: {name}", f"I choose {letter}",
            f"Answer: {letter}\n\nExplanation: {other} is like {name}, but later.\n{other}.",
            f"Answer:\n{letter}\n\n{other} is not it.\n{other}",
            f"<think>{other}? Answer: {wrong}</think>\n{name}", f"{other}?</think> {name}",
        ):  # fmt: skip
            assert mark(question, good).correct, good
        assert not mark(question, f"The answer is {wrong}.").correct
        assert mark(question, "The answer is a good one.").mistakes == (UNREADABLE,)
        assert mark(question, f"<think>It is {name}").mistakes == (UNREADABLE,)


@pytest.mark.parametrize("kind", ["applicable", "nearer-goal", "first-goal"])
def test_an_option_that_the_last_line_takes_back_is_not_chosen(kind: str) -> None:
    for question, _ in questions_of(kind):
        _, name, other = named(question)
        for bad in (
            f"Consider {name}.\nIt cannot be {name}, so it must be {other}.",
            f"{name} is tempting.\nThis option isn't right; {other} is.",
            f"{other}?\nHowever, that is not possible, so {name}.",
            f"{name} is false", f"{name}?\n{name} is false.",
        ):  # fmt: skip
            assert mark(question, bad).mistakes == (UNREADABLE,), bad


def test_an_index_that_is_denied_or_explained() -> None:
    question = asked("first-inapplicable")
    index, action = question.answer, question.details["actions"][question.answer]
    for good in (
        f"Answer: {index}\n\nExplanation: {index + 1} comes later, and step 9 is fine.",
        f"Answer: {index}, since step {index + 1} is fine",
        f"It is not {index + 1}. It is {index}.",
        f"{index}, not {index + 1}",
        f"Step {index} is not applicable.",
        f"The first action that is not applicable: {action}",
        f"<think>{index + 1}</think> {index}",
    ):
        assert mark(question, good).correct, good
    for bad in (f"It is not {index}", f"not step {index}", f"It cannot be {action}",
                f"never {index}", f"{index + 1}, neither 0 nor {index}",
                f"Answer: {index} or {index + 1}", f"<think> {index}", "Answer: none"):  # fmt: skip
        assert not mark(question, bad).correct, bad


@pytest.mark.parametrize("kind", ["applicable", "nearer-goal", "first-goal"])
def test_contradictory_choices_are_unreadable(kind: str) -> None:
    for question, _ in questions_of(kind):
        right, name, other = named(question)
        letter, wrong = "ABCD"[right], "ABCD"[right - 1]
        for bad in (
            f"Option {wrong}\nIt is {name}.", f"{wrong}\n{letter}", f"{wrong}. {name}",
            f"{other}\nIt is {name}.", f"{other}.\n\nThe answer is {letter}.",
            f"A) {name}\nB) {other}" if right else f"A) {other}\nB) {name}",
        ):  # fmt: skip
            assert mark(question, bad).mistakes == (UNREADABLE,), bad
        assert mark(question, f"Option {letter}\nIt is {name}.").correct
