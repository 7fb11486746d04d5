"""Tests of readers on answers of models and on hostile answers."""

from __future__ import annotations

import time

import pytest
from question_subjects import questions, questions_of

from pddl_pipeline.questions.kind import kinds
from pddl_pipeline.questions.mistakes import HALLUCINATED
from pddl_pipeline.questions.question import UNREADABLE, Question
from pddl_pipeline.questions.reading import NOT_AN_OPTION

RIGHT, WRONG = "right", "wrong"
CHOICES = ("applicable", "nearer-goal", "first-goal")
# Kinds of questions, the verdict, and answers. Fields are `name` and `other`, the displayed names
# of the right and of a wrong option, `letter` and `wrong`, their letters, and `n`, the position of
# the right one; the answer's items as `items`, without the first as `fewer`.
ANSWERS: list[tuple[tuple[str, ...], str, tuple[str, ...]]] = [
    (CHOICES, RIGHT, (
        "{fact}", "{loud}", "{bare}", "{letter}", "{n}", "({small})", "{letter}. {fact}",
        "Answer: {name}", "{other} cannot be.\nSo it is `{fact}`.",
        "I think of {other}.\nNo: {fact}, surely.", "{other} is not applicable.\nSo it is {name}.",
        "The answer is {letter}.", "The correct answer is ({n})", "Option {letter}",
        "The correct answer is option {letter}: {name}", "I choose {letter}",
        "Answer: {letter}\n\nExplanation: {other} is like {name}, but later.\n{other}.",
        "Answer:\n{letter}\n\n{other} is not it.\n{other}",
        "<think>{other}? Answer: {wrong}</think>\n{name}", "{other}?</think> {name}",
        "Option {letter}\nIt is {name}.",
    )),
    (CHOICES, WRONG, ("The answer is {wrong}.", "{other}")),
    (CHOICES, UNREADABLE, (
        "{name} is not applicable", "It cannot be {name}", "not {name}", "It isn't {name}.",
        "{name} is inapplicable", "Never {name}", "neither {name}", "{name} can't be it.",
        "The answer is not {letter}.", "Option {letter} is not right.", "{letter}) is wrong",
        "The answer is not {name}.", "The answer is a good one.", "<think>It is {name}", "",
        "Consider {name}.\nIt cannot be {name}, so it must be {other}.",
        "{name} is tempting.\nThis option isn't right; {other} is.",
        "{other}?\nHowever, that is not possible, so {name}.",
        "{name} is false", "{name}?\n{name} is false.",
        "Option {wrong}\nIt is {name}.", "{wrong}\n{letter}", "{wrong}. {name}",
        "{other}\nIt is {name}.", "{other}.\n\nThe answer is {letter}.",
        "A) {first}\nB) {second}", "{bare}0",
    )),
    (("applicable",), NOT_AN_OPTION, ("({bare}0)",)),
    (("applicable",), UNREADABLE, ("{name} or {other}",)),
    (("first-inapplicable",), RIGHT, (
        "{n}", "Answer: {n}", "It is step {n}.", "9 steps; answer: {n}", "{loud}",
        "the first is {name}", "Answer: {n}\n\nExplanation: {next} comes later, and 9 is fine.",
        "Answer: {n}, since step {next} is fine", "It is not {next}. It is {n}.", "{n}, not {next}",
        "Step {n} is not applicable.", "The first action that is not applicable: {name}",
        "<think>{next}</think> {n}",
    )),
    (("first-inapplicable",), WRONG, (
        "{next}", "answer: {next} since {name}", "{n} or {next}", "(fly l0)",
        "{next}, neither 0 nor {n}", "Answer: {n} or {next}", "none", "Answer: none",
    )),
    (("first-inapplicable",), UNREADABLE, (
        "-{n}", "{n}.5", "It is not {n}", "not step {n}", "It cannot be {name}",
        "never {n}", "<think> {n}",
    )),
    (("all-applicable",), RIGHT, (
        "[{loud}]", "{items} {items}", "Answer:\n- {items}", "Not [(sail)], but [{items}]",
    )),
    (("all-applicable",), WRONG, ("[{fewer}]", "[{items}, (sail l9 l9)]", "[]")),
    (("all-applicable",), UNREADABLE, ("nothing",)),
    (("effects",), RIGHT, (
        "{pos} {neg}", "Negative effects: {neg}\nPositive effects: {pos}",
        "**Positive Effects**: {plain_pos}\n**Negative Effects**: {plain_neg}",
        '{{"pos": {pos}, "neg": {neg}}}', "POSITIVE: {pos}; NEGATIVE: {neg}",
    )),
    (("effects",), WRONG, ("{neg} {pos}", "{pos} []")),
    (("effects",), UNREADABLE, ("{pos}",)),
    (("state",), RIGHT, ("First some steps: (unstack b1 b2).\nFinal state: {text}\n\nDone.",)),
    (("state",), UNREADABLE, ("It stays as it is.",)),
]  # fmt: skip


def fields(question: Question) -> dict[str, object]:
    """Return what the answers to a question may contain; see `ANSWERS`."""
    answer, details = question.answer, question.details
    if isinstance(answer, int):
        name = details["actions"][answer]
        return {"n": answer, "next": answer + 1, "name": name, "loud": name.upper()}
    if isinstance(answer, dict):
        texts = {f"plain_{name}": ", ".join(atoms) for name, atoms in answer.items()}
        return texts | {name: f"[{', '.join(atoms)}]" for name, atoms in answer.items()}
    if isinstance(answer, list):
        items, text = ", ".join(answer), kinds()[question.kind].answer_text(question)
        return {"items": items, "loud": items.upper(), "fewer": ", ".join(answer[1:]), "text": text}
    options = details["options"]
    n = next(n for n, option in enumerate(options) if option[0] == answer)
    names, other = options[n], options[n - 1][-1]
    first, second = (names[-1], other) if n else (other, names[-1])
    return {
        "n": n + 1, "letter": "ABCD"[n], "small": "abcd"[n], "wrong": "ABCD"[: len(options)][n - 1],
        "fact": answer, "bare": answer.strip("()"), "name": names[-1], "loud": names[-1].upper(),
        "other": other, "first": first, "second": second,
    }  # fmt: skip


def verdict(question: Question, text: str) -> str:
    mark = kinds()[question.kind].mark(question, text)
    return RIGHT if mark.correct else ", ".join(mark.mistakes) or WRONG


@pytest.mark.parametrize(("names", "expected", "texts"), ANSWERS)
def test_answers_are_read(names: tuple[str, ...], expected: str, texts: tuple[str, ...]) -> None:
    for name in names:
        for question, _ in questions_of(name):
            known = fields(question)
            if not {"", "[]"} & set(known.values()):
                found = {text: verdict(question, text.format(**known)) for text in texts}
                assert found == dict.fromkeys(texts, expected), question.id


def test_denied_and_unknown_atoms_are_wrong() -> None:
    for question in questions("ferry"):
        if question.kind == "state":
            text = kinds()["state"].answer_text(question)
            is_empty = "(empty-ferry)" in question.answer
            for denial in ("the ferry is not empty", "(not (empty-ferry))"):
                assert (verdict(question, f"{text}, {denial}") == RIGHT) != is_empty
            assert HALLUCINATED in verdict(question, f"{text}, c0 is at l99")


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
        firsts = {question.kind: question for question in reversed(questions(domain))}
        for kind, question in firsts.items():
            if domain == "ferry" or complete or kind == "state":
                began = time.process_time()
                assert verdict(question, text) != RIGHT
                assert time.process_time() - began < seconds, (kind, domain)
