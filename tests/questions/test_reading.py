"""Tests of readers on answers of models and on hostile answers."""

from __future__ import annotations

import time

import pytest
from question_subjects import questions, questions_of

from pddl_pipeline.questions.kind import kinds
from pddl_pipeline.questions.question import UNREADABLE, Mark, Question
from pddl_pipeline.questions.reading import NOT_AN_OPTION


def asked(kind: str, domain: str = "ferry") -> Question:
    return next(each for each in questions(domain) if each.kind == kind)


def mark(question: Question, text: str) -> Mark:
    return kinds()[question.kind].mark(question, text)


def right_and_wrong(question: Question) -> tuple[int, list[str], list[str]]:
    """Return the position of the right option, its names, and those of a wrong one."""
    options = question.details["options"]
    right = next(n for n, option in enumerate(options) if option[0] == question.answer)
    return right, options[right], options[right - 1]


@pytest.mark.parametrize("kind", ["applicable", "nearer-goal", "first-goal"])
def test_options_are_chosen_by_letter_number_and_name(kind: str) -> None:
    for question, _ in questions_of(kind):
        right, names, others = right_and_wrong(question)
        for good in (
            names[0],
            names[-1].upper(),
            names[0].strip("()"),
            "ABCD"[right],
            str(right + 1),
            f"({'abcd'[right]})",
            f"{'ABCD'[right]}. {names[0]}",
            f"Answer: {names[-1]}",
            f"{others[0]} cannot be.\nSo it is `{names[0]}`.",
            f"I think of {others[0]}.\nNo: {names[0]}, surely.",
        ):
            assert mark(question, good).correct, (question.id, good)
        assert mark(question, others[0]) == Mark(
            correct=False, found=others[0], reason=f"expected {question.answer}"
        )


def test_an_option_inside_a_longer_name_is_none() -> None:
    question = asked("applicable")
    _, (name,), _ = right_and_wrong(question)
    assert mark(question, name.replace(")", "0)")).mistakes == (NOT_AN_OPTION,)
    assert mark(question, f"{name.strip('()')}0").mistakes == (UNREADABLE,)


def test_what_is_not_clear_is_not_guessed() -> None:
    question = asked("applicable")
    _, (name,), (other,) = right_and_wrong(question)
    assert not mark(question, f"{name} or {other}").correct
    assert mark(question, "").mistakes == (UNREADABLE,)


def test_an_index_is_a_number_or_the_action() -> None:
    question = asked("first-inapplicable")
    index, actions = question.answer, question.details["actions"]
    for good in (
        str(index),
        f"Answer: {index}",
        f"It is step {index}.",
        f"9 steps; answer: {index}",
        actions[index].upper(),
        f"the first is {actions[index]}",
    ):
        assert mark(question, good).correct, good
    for bad in (str(index + 1), f"answer: {index + 1} since {actions[index]}", f"-{index}", "none",
                f"{index}.5", f"{index} or {index + 1}", "(fly l0)"):  # fmt: skip
        assert not mark(question, bad).correct, bad


def test_lists_are_compared_as_sets_in_any_case() -> None:
    question = asked("all-applicable")
    listed = question.answer
    for good in (f"[{', '.join(reversed(listed))}]".upper(), " ".join(listed * 2),
                 "Answer:\n" + "\n".join(f"- {name}" for name in listed),
                 f"Not [(sail)], but [{', '.join(listed)}]"):  # fmt: skip
        assert mark(question, good).correct, good
    for bad in (f"[{', '.join(listed[1:])}]", f"[{', '.join(listed)}, (sail l9 l9)]", "[]"):
        assert not mark(question, bad).correct, bad
    assert mark(question, "nothing").mistakes == (UNREADABLE,)


def test_two_lists_are_distinguished_by_words_where_there_are_some() -> None:
    question = next(q for q in questions("ferry") if q.kind == "effects" and q.answer["neg"])
    pos, neg = (f"[{', '.join(question.answer[name])}]" for name in ("pos", "neg"))
    for good in (
        f"{pos} {neg}",
        f"Negative effects: {neg}\nPositive effects: {pos}",
        f'{{"pos": {pos}, "neg": {neg}}}',
        f"Positive: {pos}; negative: {neg}".upper(),
    ):
        assert mark(question, good).correct, good
    for bad in (f"{neg} {pos}", pos, f"{pos} []"):
        assert not mark(question, bad).correct, bad


def test_descriptions_with_words_around_are_read() -> None:
    question = asked("state", "blocksworld")
    text = kinds()["state"].answer_text(question)
    assert mark(
        question, f"First some steps: (unstack b1 b2).\nFinal state: {text}\n\nDone."
    ).correct
    assert not mark(question, text.replace(" is clear", "")).correct
    assert not mark(question, f"{text}, {text.split(' ')[0]} is on b99").correct
    assert mark(question, "It stays as it is.").mistakes == (UNREADABLE,)


def test_what_is_denied_must_be_false() -> None:
    for question in questions("ferry"):
        if question.kind == "state":
            text = kinds()["state"].answer_text(question)
            is_empty = "(empty-ferry)" in question.answer
            for denial in ("the ferry is not empty", "(not (empty-ferry))"):
                assert mark(question, f"{text}, {denial}").correct != is_empty


HOSTILE = {
    "parentheses": "(" * 10**6,
    "pairs": "()" * 500_000,
    "open groups": "(a " * 300_000,
    "nested lists": "[" * 10**6,
    "lists": "[(q)] " * 150_000,
    "digits": "9" * 10**6,
    "power": "9**9**9**9",
    "code": "__import__('os').system('touch /tmp/owned')",
    "signs": "\x00\x1b[2J\u202e" * 100_000,
    "prose": "the ferry is at l0 and c0 is at l1, " * 100_000,
    "commas": "a b," * 400_000,
    "marks": "answer: " * 200_000,
    "tags": "<answer>" * 200_000,
    "atoms": "".join(f"(at c{n} l0)" for n in range(10, 100_000)),
    "half of a character": "\ud800" * 1000,
    "names": "b1 " * 500_000,
    "lines": "\n" * 10**6,
    "list of places": "the following places are locked: " + "p1, " * 300_000,
}
SHORT = 20_000
"""Long enough for time that grows with the square of the length: it exceeds the limit by far."""


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("complete", [False, pytest.param(True, marks=pytest.mark.long)])
def test_hostile_answers_are_marked_soon_and_stop_nothing(name: str, *, complete: bool) -> None:
    """Only the descriptions of states are read by the words of a domain."""
    text, seconds = (HOSTILE[name], 5.0) if complete else (HOSTILE[name][:SHORT], 1.0)
    for domain in ("ferry", "blocksworld", "minigrid", "countdown"):
        asked_for = {question.kind for question in questions(domain)}
        if domain != "ferry" and not complete:
            asked_for &= {"state"}
        for kind in sorted(asked_for):
            question = asked(kind, domain)
            began = time.process_time()
            assert not mark(question, text).correct
            assert time.process_time() - began < seconds, (kind, domain)
