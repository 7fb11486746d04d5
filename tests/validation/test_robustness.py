"""Any text results in a verdict or one clear error, within a few seconds."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from text_mutations import WORDS, damaged

from pddl_pipeline import read_task
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.validation.plan_reader import read_plan

CASES = [
    *(path.parent for path in sorted(Path(__file__).parent.glob("cases/*/domain.pddl"))),
    *(domain_folder(name) for name in domain_names()),
]
# CPU time, also on a busy machine; a regression here takes minutes.
SECONDS = 10.0


def texts(case: Path) -> list[str]:
    names = ("problem.pddl", "plan") if (case / "plan").exists() else ("p01.pddl", "p01.plan")
    return [(case / name).read_text(errors="replace") for name in ("domain.pddl", *names)]


def answer(domain: str, problem: str, plan: str) -> Status | None:
    """Return the status of the verdict, or None for an error; anything else fails the test."""
    before = time.process_time()
    # A parenthesis makes any string a text; in a comment it has no other effect.
    domain, problem = f"{domain}\n;(", f"{problem}\n;("
    try:
        task = read_task(domain, problem)
    except InputError as error:
        place = (error.file, bool(error.line), bool(error.column), "\n" in str(error))
        assert place in (("<domain>", True, True, False), ("<problem>", True, True, False))
        verdict = None
    else:
        verdict = task.judge(plan)
    assert time.process_time() - before < SECONDS
    if verdict and verdict.status in (Status.VALID, Status.INVALID):
        happenings = list(task.narrate(plan))
        assert bool(happenings and happenings[-1].failures) == (verdict.failed_step is not None)
    return verdict and verdict.status


def damage_and_judge(seeds: range) -> set[Status | None]:
    """Judge one damaged text per seed, together with the two other texts undamaged."""
    answers: set[Status | None] = set()
    for seed in seeds:
        rng = random.Random(seed)
        parts = texts(rng.choice(CASES))
        which = rng.randrange(3)
        parts[which] = damaged(parts[which], rng)
        answers.add(answer(*parts))
    return answers


def test_damaged_texts() -> None:
    answers = damage_and_judge(range(2_500))
    assert answers == {None, *Status} - {Status.DISPUTED}


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_very_many_damaged_texts(part: int) -> None:
    damage_and_judge(range(10_000 + part * 20_000, 10_000 + (part + 1) * 20_000))


@given(st.lists(st.sampled_from(WORDS), max_size=40), st.sampled_from((" ", "")))
def test_words_in_any_order(words: list[str], space: str) -> None:
    text = space.join(words)
    domain, problem, plan = texts(domain_folder("countdown"))
    answer(text, problem, plan)
    answer(domain, text, plan)
    answer(domain, problem, text)


@given(st.binary(max_size=200))
def test_any_bytes_as_a_plan(content: bytes) -> None:
    domain, problem, _ = texts(domain_folder("countdown"))
    answer(domain, problem, content.decode("utf-8", errors="replace"))


HUGE = {
    "opening parentheses": "(" * 100_000,
    "nested lists": "(and " * 100_000 + ")" * 100_000,
    "nested parentheses": "(" * 100_000 + ")" * 100_000,
    "closing parentheses": ")" * 100_000,
    "a long name": "x" * 1_000_000,
    "a long variable": "?" + "x" * 1_000_000,
    "a long number": "9" * 1_000_000,
    "a long fraction": "0." + "1" * 1_000_000,
    "many words": "x " * 200_000,
    "many comments": ";;;;\n" * 200_000,
    "many dashes": "- " * 200_000,
}


@pytest.mark.parametrize("huge", HUGE.values(), ids=HUGE.keys())
@pytest.mark.parametrize("place", ["(= (value n1)", "(:goal", ":objects", "plan", "alone"])
def test_huge_parts(huge: str, place: str) -> None:
    domain, problem, plan = texts(domain_folder("countdown"))
    if place == "plan":
        answer(domain, problem, plan + huge)
        answer(domain, problem, f"(add {huge} n1)")
        answer(domain, problem, f"{huge}: (add n1 n2)")
    elif place == "alone":
        answer(huge, problem, plan)
        answer(domain, huge, plan)
        answer(domain, problem, huge)
    else:
        assert place in problem
        answer(domain, problem.replace(place, f"{place} {huge} ", 1), plan)
        answer(domain.replace("(:action", f"(:action {huge} ", 1), problem, plan)


NESTED = {
    "not": "(not ",
    "and": "(and ",
    "or": "(or ",
    "imply": "(imply (p) ",
    "forall": "(forall (?x) ",
    "exists": "(exists (?x) ",
    "+": "(+ (f) ",
    "+ of three": "(+ (f) (f) ",
    "-": "(- ",
}


def in_small_thread(work: Callable[[], Status | None]) -> Status | None:
    """Return the result of a function that runs in a thread with a stack of 64 KiB."""
    answers: list[Status | None] = []
    before = threading.stack_size(64 * 1024)
    try:
        thread = threading.Thread(target=lambda: answers.append(work()))
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    return answers[0]


@pytest.mark.parametrize("opening", NESTED.values(), ids=NESTED.keys())
def test_deep_nesting_in_a_small_stack(opening: str) -> None:
    """Deep recursion in C would end the process."""
    depth = 300  # even, for `not`
    innermost = "(f)" if opening[1] in "+-" else "(p)"
    nested = opening * depth + innermost + ")" * depth
    value = nested if innermost == "(f)" else "(f)"
    condition = f"(= {nested} 0)" if innermost == "(f)" else nested
    effect = "(when (p) (forall (?y) (and " * (depth // 3) + "(p)" + ")" * depth
    domain = f"""(define (domain d) (:predicates (p) (r)) (:functions (f))
    (:derived (r) {condition}) (:action a :parameters ()
    :precondition {condition} :effect (and (assign (f) {value}) {effect})))"""
    problem = """(define (problem x) (:domain d) (:objects o) (:init (p) (= (f) 0))
    (:goal (and (r) {})))"""
    wrong = problem.format(condition.replace("(p))", "(q))").replace("(f))", "(h))"))

    for goal, status in ((condition, Status.VALID), ("(not (p))", Status.INVALID)):
        text = problem.format(goal)
        assert in_small_thread(lambda text=text: answer(domain, text, "(a)")) is status
    together = "0: (a)\n0: (a)"
    assert in_small_thread(lambda: answer(domain, text, together)) is Status.INVALID
    assert in_small_thread(lambda: answer(domain, wrong, "(a)")) is None


def test_many_durative_actions_are_read_in_a_moment() -> None:
    """Quadratic time would take minutes."""
    count = 5_000
    actions = "".join(
        f"(:durative-action a{n} :parameters () :duration (= ?duration 1)\n :condition ()"
        f" :effect (at end (p)))\n(:process q{n})\n" for n in range(count)
    )  # fmt: skip
    domain = f"(define (domain d) (:predicates (p)) (:functions (f) - a (g) - b)\n{actions})"
    problem = "(define (problem x) (:domain d) (:init) (:goal (p)))"
    assert answer(domain, problem, "") is Status.UNDECIDED


@given(st.lists(st.tuples(st.sampled_from(["a", "b-1", "c_2"]), st.lists(st.sampled_from("xyz")))))
def test_plan_text_is_read_back(steps: list[tuple[str, list[str]]]) -> None:
    text = "".join(f"({' '.join((action, *arguments))})\n" for action, arguments in steps)
    plan = read_plan(text)
    assert str(plan) == text
    noisy = text.upper().replace("\n", " ; (no step)\r\n\t").replace("(", "( ")
    again = read_plan(f"\ufeff{noisy}")
    assert str(again) == text
    stamped = "".join(f"{n}.5: {line} [1]\n" for n, line in enumerate(text.splitlines()))
    assert str(read_plan(stamped)) == text
