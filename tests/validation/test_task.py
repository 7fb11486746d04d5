"""The library's task: many plans, states and narration, and texts that are hard to judge."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from pddl_pipeline import read_task
from pddl_pipeline.model.errors import InputError, PddlError, StepFails
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.validation.features import task_features

FOLDER = domain_folder("countdown")
DOMAIN, PROBLEM, PLAN = (FOLDER / name for name in ("domain.pddl", "p01.pddl", "p01.plan"))
GOOD = PLAN.read_text()
TASK = read_task(DOMAIN, PROBLEM)


def test_one_task_judges_many_plans_independently() -> None:
    statuses = [TASK.judge(text).status for text in (GOOD, "", GOOD, "(add n1 n1)", GOOD)]
    assert statuses == ["valid", "invalid", "valid", "invalid", "valid"]


def test_budget_decides_within_budget_and_not_the_status() -> None:
    found = [TASK.judge(GOOD, budget=budget) for budget in (4, 3)]
    assert [(each.within_budget, each.status) for each in found] == [
        (True, "valid"), (False, "valid"),
    ]  # fmt: skip


def test_every_unsatisfied_condition_is_listed() -> None:
    folder = domain_folder("blocksworld")
    verdict = read_task(folder / "domain.pddl", folder / "p01.pddl").judge("(stack b3 b2)")
    assert (verdict.failed_step, {*verdict.unsatisfied}) == (1, {"(holding b3)", "(clear b2)"})


def test_trace_gives_every_state_until_a_step_fails() -> None:
    first, second = states = [*TASK.trace("(add n1 n3)")]
    assert [state.values["value", "n1"] for state in states] == [3, 8]
    assert ("active", "n3") in first.facts - second.facts
    with pytest.raises(StepFails, match=r"\(active n3\) does not hold"):
        list(TASK.trace("(add n1 n3)\n(add n1 n3)"))


def own(name: str) -> tuple[Path, Path]:
    return domain_folder(name) / "domain.pddl", domain_folder(name) / "p01.pddl"


def durative(effect: str, goal: str = "(p)") -> tuple[str, str]:
    return (
        (
            "(define (domain d) (:requirements :durative-actions :numeric-fluents :preferences)"
            "(:predicates (p)) (:functions (n)) (:durative-action a :parameters () "
            f":duration (= ?duration 1) :condition () :effect (at end {effect})))"
        ),
        f"(define (problem q) (:domain d) (:init (= (n) 1)) (:goal {goal}))",
    )


GENERAL = "general-numeric"


@pytest.mark.parametrize(
    ("given", "features"),
    [
        (own("countdown"), {"numeric", GENERAL}),
        (own("budget-blocksworld"), {"costs"}),
        (own("ferry"), set()),
        (durative("(p)"), {"temporal"}),
        (durative("(increase (n) 1)"), {"temporal", "numeric"}),
        (durative("(increase (n) (n))"), {"temporal", "numeric", GENERAL}),
        (
            durative("(increase (n) 1)", "(> (^ (n) 2) 4)"),
            {"temporal", "numeric", GENERAL},
        ),
        (durative("(p)", "(preference x (p))"), {"temporal", "pddl3"}),
    ],
)
def test_features_of_a_task(given: tuple[Path, Path], features: set[str]) -> None:
    assert task_features(read_task(*given)) == features


def objects(count: int) -> str:
    return " ".join(f"o{number}" for number in range(count))


GO = "(:action go :parameters () :effect ())"
SQUARE = "(:functions (f)) (:action square :parameters () :effect (assign (f) (* (f) (f))))"
RULES = [*pairwise(f"p{number}" for number in range(3000))]
# What follows the names of domain and problem, the plan, the status, and a part of the reason.
TEXTS = {
    "nested too deeply": (
        "(:predicates (p)) (:action a :precondition " + "(not " * 100_000, "", "", "input-error",
        "nested deeper than 1000",
    ),
    "nested as deeply as possible": (
        f"(:predicates (p)) (:action a :precondition {'(and ' * 997}(p){')' * 997} :effect (p))",
        "(:init (p)) (:goal (p))", "(a)", "valid", "",
    ),
    "a million digits": (
        "(:functions (f))", f"(:init (= (f) {'9' * 10**6})) (:goal (and))", "", "input-error",
        "a number of 1000000 digits, expected at most 4300",
    ),
    # Two names in another encoding must not become one.
    "a name that is not ASCII": (
        GO, "(:objects b\ufffd) (:init) (:goal (and))", "", "input-error", "an object's name",
    ),
    "an object named like a time": (
        f"(:predicates (at ?x ?y)) {GO}", "(:objects 1 a) (:init (at 1 a)) (:goal (at 1 a))", "",
        "valid", "",
    ),
    "a variable twice in a declaration": (
        f"(:predicates (in ?o ?o)) {GO}", "(:objects a) (:init (in a a)) (:goal (in a a))",
        "(go)", "valid", "",
    ),
    "large numbers": (SQUARE, "(:init (= (f) 3)) (:goal (> (f) 0))", "(square)" * 12, "valid", ""),
    "numbers that grow without end": (
        SQUARE, "(:init (= (f) 3)) (:goal (> (f) 0))", "(square)" * 60, "undecided",
        "a number of more than 1048576 bits is not judged",
    ),
    "axioms that try too much": (
        f"""(:predicates (p ?x) (d) (done)) {GO}
        (:derived (d) (exists (?a ?b ?c ?e) (and (not (p ?a)) (not (= ?b ?b)) (not (p ?e)))))""",
        f"(:objects {objects(60)}) (:init) (:goal (done))", "(go)", "undecided",
        "quantifier or axiom",
    ),
    # If every pair of steps were compared, this would take minutes.
    "many steps at one time": (
        "(:predicates (p ?x)) (:action a :parameters (?x) :effect (p ?x))",
        f"(:objects {objects(5_000)}) (:init) (:goal (p o1))",
        "".join(f"0: (a {name})\n" for name in objects(5_000).split()), "valid", "",
    ),
    # Quadratic time would take minutes, here and below.
    "many preconditions in a long text": (
        "(:predicates (p))" + "".join(
            f"(:action a{n} :precondition (and (p)) :effect (p))" for n in range(5_000)
        ) + f";{' ' * 10**7}\n", "(:init) (:goal (p))", "", "invalid", "goal not satisfied",
    ),
    "many durative actions": (
        "(:predicates (p)) (:functions (f) - a (g) - b)" + "".join(
            f"(:durative-action a{n} :parameters () :duration (= ?duration 1)\n :condition ()"
            f" :effect (at end (p)))\n(:process q{n})\n" for n in range(5_000)
        ), "(:init) (:goal (p))", "", "undecided", "the object fluent 'f' (<domain>, line 1)",
    ),
    "many invariants at one time": (
        """(:predicates (p ?x) (q ?x)) (:durative-action a :parameters (?x)
        :duration (= ?duration 9) :condition (over all (p ?x)) :effect (at end (q ?x)))""",
        f"(:objects {objects(9_000)}) (:init (p o1) (p o2)) (:goal (q o1))",
        "".join(f"{n / 1_000}: (a o{n % 2 + 1}) [9]\n" for n in range(9_000)), "valid", "",
    ),
    "a chain of rules longer than the stack": (
        f"(:predicates (p0) {' '.join(f'({name})' for _, name in RULES)})"
        + "".join(f"(:derived ({head}) ({body}))" for head, body in RULES),
        "(:init (p2999)) (:goal (p0))", "", "valid", "",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("domain", "problem", "plan", "status", "reason"), TEXTS.values(), ids=TEXTS
)
def test_verdicts_come_in_time(
    domain: str, problem: str, plan: str, status: str, reason: str
) -> None:
    texts = f"(define (domain d) {domain})", f"(define (problem q) (:domain d) {problem})"
    before = process_time()
    try:
        verdict = read_task(*texts).judge(plan)
        found, said = str(verdict.status), verdict.reason or ""
    except PddlError as error:
        found, said = "input-error", str(error)
    assert (found, reason in said) == (status, True), said
    assert process_time() - before < 10


def test_states_of_a_task_with_processes_are_not_made_up() -> None:
    domain = """(define (domain d) (:predicates (p) (q)) (:action go :parameters () :effect (p))
      (:process w))"""
    task = read_task(domain, "(define (problem x) (:domain d) (:init) (:goal (q)))")
    assert task.judge("1: (go)").status == "invalid"
    start = task.initial_state()
    for states in (lambda: next(task.trace("0: (go)")), lambda: task.successors(start)):
        with pytest.raises(PddlError, match="a process is not classical"):
            states()


@pytest.mark.parametrize(
    ("start", "exact", "loose"),
    [
        ("1", "valid", "valid"),
        ("0", "invalid", "valid"),
        ("-0.00009", "invalid", "valid"),
        ("-0.0001", "invalid", "invalid"),
    ],
)
def test_tolerance_loosens_strict_comparisons_too(start: str, exact: str, loose: str) -> None:
    domain = """(define (domain d) (:predicates (p)) (:functions (x))
      (:action go :parameters () :precondition (> (x) 0) :effect (p)))"""
    problem = f"(define (problem q) (:domain d) (:init (= (x) {start})) (:goal (p)))"
    task = read_task(domain, problem)
    found = [task.judge("(go)", tolerance=each).status for each in (0, Fraction("1e-4"), 0)]
    assert found == [exact, loose, exact]


def test_narration_reports_every_failure_and_continues_on_request() -> None:
    plan = "(subtract n1 n2)(add n1 n1)(add n1 n2)"
    (only,) = TASK.narrate(plan)
    assert (only.time, only.steps, only.changes, only.after) == (1, ["(subtract n1 n2)"], [], None)
    assert [failure.advice for failure in only.failures] == [
        "(Satisfy (value n1)[=3] >= (value n2)[=4])\n"
    ]
    happenings = list(TASK.narrate(plan, keep_going=True))
    assert [bool(happening.failures) for happening in happenings] == [True, True, True]
    assert happenings[-1].after is not None


def test_effects_count_once_where_an_invariant_is_broken() -> None:
    domain = """(define (domain d) (:requirements :durative-actions :numeric-fluents)
      (:predicates (p)) (:functions (f)) (:durative-action a :parameters ()
        :duration (= ?duration 1) :condition (over all (p)) :effect (at start (increase (f) 2))))"""
    task = read_task(domain, "(define (problem q) (:domain d) (:init (= (f) 0)) (:goal (p)))")
    first, *_ = task.narrate("0: (a) [1]", keep_going=True)
    assert first.after is not None
    assert first.after.values == {("f",): 2}


def test_one_task_judges_in_several_threads() -> None:
    domain = """(define (domain d) (:requirements :adl) (:predicates (p ?x) (done))
      (:action go :parameters () :effect (done)
        :precondition (forall (?x ?y) (or (p ?x) (p ?y)))))"""
    names = objects(300)
    facts = " ".join(f"(p {name})" for name in names.split())
    problem = f"""(define (problem q) (:domain d) (:objects {names})
      (:init {facts}) (:goal (done)))"""
    task = read_task(domain, problem)
    with ThreadPoolExecutor(4) as pool:
        assert {*pool.map(lambda _: task.judge("(go)").status, range(6))} == {"valid"}


def test_advice_on_very_many_objects_stays_short() -> None:
    goal = "(exists (?x ?y ?z) (and (p ?x) (p ?y) (q ?z)))"
    task = read_task(
        """(define (domain d) (:requirements :adl) (:predicates (p ?x) (q ?x))
        (:action a :parameters (?x) :effect (p ?x)))""",
        f"(define (problem r) (:domain d) (:objects {objects(120)}) (:init) (:goal {goal}))",
    )
    assert task.goal_advice(task.initial_state()) == f"(Satisfy {goal})\n"


@pytest.mark.parametrize(
    ("tolerance", "error"), [("x", TypeError), (float("nan"), TypeError), (-1, InputError)]
)
def test_a_wrong_tolerance(tolerance: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="tolerance: found"):
        TASK.judge(GOOD, tolerance=tolerance)


def test_progress_counts_each_part_of_the_goal_once() -> None:
    """Also a part that reads an undefined fluent."""
    task = read_task(
        """(define (domain d) (:requirements :numeric-fluents) (:predicates (p) (q))
        (:functions (f)) (:action go :parameters () :effect (p)))""",
        """(define (problem r) (:domain d) (:init)
        (:goal (and (p) (q) (or (q) (p)) (>= (f) 1))))""",
    )
    found = task.progress("(go)\n(stop)")
    assert (found.steps, found.executed, found.goals, found.reached) == (2, 1, 0.5, False)


def test_the_progress_of_timed_plans_is_not_measured() -> None:
    case = Path(__file__).parent / "cases" / "timed_lamp"
    timed = read_task(case / "domain.pddl", case / "problem.pddl")
    with pytest.raises(PddlError, match="a durative action is not classical"):
        timed.progress((case / "plan").read_text())
