"""Any text results in a verdict or one clear error, within a few seconds."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from text_mutations import WORDS, damaged

from pddl_pipeline import read_task
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder, domain_names

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
        return None
    else:
        verdict = task.judge(plan)
    finally:
        assert time.process_time() - before < SECONDS
    if verdict.status in (Status.VALID, Status.INVALID) and not task.vocabulary.is_hybrid:
        happenings = list(task.narrate(plan))
        assert bool(happenings and happenings[-1].failures) == (verdict.failed_step is not None)
    return verdict.status


@pytest.mark.parametrize(
    "seeds",
    [
        range(1200),
        *(pytest.param(range(n, n + 20_000), marks=pytest.mark.long)
          for n in range(10_000, 110_000, 20_000)),  # 100,000 texts
    ],
)  # fmt: skip
def test_damaged_texts(seeds: range) -> None:
    """One text of each seed is damaged, and judged together with the two others."""
    answers: set[Status | None] = set()
    for seed in seeds:
        rng = random.Random(seed)
        parts = texts(rng.choice(CASES))
        which = rng.randrange(3)
        parts[which] = damaged(parts[which], rng)
        answers.add(answer(*parts))
    assert answers == {None, *Status} - {Status.DISPUTED}


@given(
    st.builds(str.join, st.sampled_from((" ", "")), st.lists(st.sampled_from(WORDS), max_size=40))
    | st.binary(max_size=200).map(lambda content: content.decode("utf-8", errors="replace"))
)
def test_any_text_in_any_place(text: str) -> None:
    parts = texts(domain_folder("countdown"))
    for which in range(3):
        answer(*parts[:which], text, *parts[which + 1 :])


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
@pytest.mark.parametrize(
    "place", ["(= (value n1)", "(:goal", ":objects", "(:action", "plan", "alone"]
)
def test_huge_parts(huge: str, place: str) -> None:
    domain, problem, plan = texts(domain_folder("countdown"))
    changed = {
        "plan": [(domain, problem, plan + huge), (domain, problem, f"(add {huge} n1)"),
                 (domain, problem, f"{huge}: (add n1 n2)")],
        "alone": [(huge, problem, plan), (domain, huge, plan), (domain, problem, huge)],
        "(:action": [(domain.replace("(:action", f"(:action {huge} ", 1), problem, plan)],
    }  # fmt: skip
    inside = [(domain, problem.replace(place, f"{place} {huge} ", 1), plan)]
    for each in changed.get(place, inside):
        answer(*each)


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


def in_small_thread(*texts: str, kib: int = 64) -> Status | None:
    """Return the answer of a thread with a small stack."""
    before = threading.stack_size(kib * 1024)
    try:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(answer, *texts).result()
    finally:
        threading.stack_size(before)


@pytest.mark.parametrize("opening", NESTED.values(), ids=NESTED.keys())
def test_deep_nesting_in_a_small_stack(opening: str) -> None:
    """Deep recursion in C would end the process."""
    depth = 300  # even, for `not`
    is_number = opening[1] in "+-"
    nested = opening * depth + ("(f)" if is_number else "(p)") + ")" * depth
    value, condition = (nested, f"(= {nested} 0)") if is_number else ("(f)", nested)
    effect = "(when (p) (forall (?y) (and " * (depth // 3) + "(p)" + ")" * depth
    domain = f"""(define (domain d) (:predicates (p) (r)) (:functions (f))
    (:derived (r) {condition}) (:action a :parameters ()
    :precondition {condition} :effect (and (assign (f) {value}) {effect})))"""
    problem = """(define (problem x) (:domain d) (:objects o) (:init (p) (= (f) 0))
    (:goal (and (r) {})))"""
    wrong = condition.replace("(p))", "(q))").replace("(f))", "(h))")
    for goal, plan, status in (
        (condition, "(a)", Status.VALID), ("(not (p))", "(a)", Status.INVALID),
        ("(not (p))", "0: (a)\n0: (a)", Status.INVALID), (wrong, "(a)", None),
    ):  # fmt: skip
        assert in_small_thread(domain, problem.format(goal), plan) is status


def test_deep_terms_in_a_small_stack() -> None:
    """Neither object fluents nor lists in the place of a word are read by recursion in C."""
    term, lists = f"{'(n ' * 450}o{')' * 450}", f"{'(' * 450}{')' * 450}"
    domain = f"""(define (domain d) (:types k) (:constants o - k) (:predicates (p ?x))
    (:functions (n ?x - k) - k) (:action a :parameters () :precondition (= {term} {term})
    :effect (assign {term} {term})) WRONG)"""
    problem = f"(define (problem x) (:domain d) (:init (p o)) (:goal (p {term})))"
    durative = f"(:durative-action b :parameters () :duration () :condition (at {lists} (p o)))"
    for wrong, status in (
        ("", Status.UNDECIDED), (durative, None), (f"(:constraints ({lists} (p o)))", None),
        (f") {lists})", None), (f") {lists}", None), (f") (define {lists})", None),
    ):  # fmt: skip
        assert in_small_thread(domain.replace("WRONG", wrong), problem, "(a)", kib=32) is status
