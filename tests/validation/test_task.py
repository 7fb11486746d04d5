"""The library's task: judging many plans, the trace of states, and successors."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import product
from pathlib import Path
from time import process_time

import pytest

from pddl_pipeline import load_records, read_task
from pddl_pipeline.model.errors import InputError, PddlError, StepFails
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.translators import read_instance
from pddl_pipeline.validation.features import task_features
from pddl_pipeline.validation.task import Task

COUNTDOWN = domain_folder("countdown")


def countdown() -> Task:
    return read_task(COUNTDOWN / "domain.pddl", COUNTDOWN / "p01.pddl")


def test_one_task_judges_many_plans_independently() -> None:
    task, good = countdown(), (COUNTDOWN / "p01.plan").read_text()
    verdicts = [task.judge(text).status for text in (good, "", good, "(add n1 n1)", good)]
    assert verdicts == ["valid", "invalid", "valid", "invalid", "valid"]


def test_paths_and_texts_mean_the_same() -> None:
    texts = [(COUNTDOWN / name).read_text() for name in ("domain.pddl", "p01.pddl")]
    plan = (COUNTDOWN / "p01.plan").read_text()
    assert read_task(*texts).judge(plan) == countdown().judge(plan)
    assert read_task(str(COUNTDOWN / "domain.pddl"), texts[1]).judge(plan).cost == 4


def test_budget_decides_within_budget_and_not_the_status() -> None:
    task, plan = countdown(), (COUNTDOWN / "p01.plan").read_text()
    assert task.judge(plan, budget=4).within_budget is True
    assert task.judge(plan, budget=3).within_budget is False
    assert task.judge(plan, budget=3).status is Status.VALID


def test_every_unsatisfied_condition_is_listed() -> None:
    folder = domain_folder("blocksworld")
    verdict = read_task(folder / "domain.pddl", folder / "p01.pddl").judge("(stack b3 b2)")
    assert verdict.failed_step == 1
    assert set(verdict.unsatisfied) == {"(holding b3)", "(clear b2)"}


def test_trace_gives_every_state() -> None:
    task = countdown()
    states = list(task.trace("(add n1 n3)\n(subtract n1 n2)"))
    assert [state.values["value", "n1"] for state in states] == [3, 8, 4]
    assert ("active", "n3") in states[0].facts
    assert ("active", "n3") not in states[1].facts


def test_trace_of_a_plan_that_fails_ends_with_the_reason() -> None:
    trace = countdown().trace("(add n1 n3)\n(add n1 n3)")
    next(trace)
    next(trace)
    with pytest.raises(StepFails, match=r"\(active n3\) does not hold"):
        next(trace)


@pytest.mark.parametrize("name", domain_names())
def test_successors_are_the_applicable_steps(name: str) -> None:
    """Compare with trying every step, on small instances: five parameters mean many steps."""
    task = read_instance(next(load_records(domain_folder(name) / "solved.jsonl")))
    state = task.initial_state()
    expected = {}
    for action in task.vocabulary.actions.values():
        objects = [task.vocabulary.candidates(variable.types) for variable in action.parameters]
        for arguments in product(*objects):
            step, after = Step(action.name, arguments), state.copy()
            try:
                task.changes(step, state).apply(after)
            except StepFails:
                continue
            expected[step] = after
    assert dict(task.successors(state)) == expected
    assert expected


@pytest.mark.parametrize(
    ("name", "features"),
    [
        ("countdown", {"numeric", "general-numeric"}),
        ("budget-blocksworld", {"costs"}),
        ("ferry", set()),
    ],
)
def test_features_of_a_task(name: str, features: set[str]) -> None:
    folder = domain_folder(name)
    assert task_features(read_task(folder / "domain.pddl", folder / "p01.pddl")) == features


def test_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_task(tmp_path / "no.pddl", COUNTDOWN / "p01.pddl")


def test_deep_nesting_is_an_error_and_no_crash() -> None:
    text = "(define (domain d) (:predicates (p)) (:action a :precondition " + "(not " * 100_000
    with pytest.raises(PddlError, match="nested deeper than 1000"):
        read_task(text, "(define (problem p))")


def test_a_number_of_a_million_digits_is_an_error() -> None:
    problem = (COUNTDOWN / "p01.pddl").read_text().replace("24", "9" * 1_000_000)
    with pytest.raises(PddlError, match="a number of 1000000 digits, expected at most 4300"):
        read_task(COUNTDOWN / "domain.pddl", problem)


def test_names_are_ascii() -> None:
    """Two names in another encoding must not become one."""
    domain = "(define (domain d) (:predicates (p ?x)) (:action go :parameters (?x) :effect (p ?x)))"
    problem = "(define (problem q) (:domain d) (:objects b\ufffd) (:init) (:goal (and)))"
    with pytest.raises(PddlError, match="expected an object's name"):
        read_task(domain, problem)


DURATIVE = """
(define (domain d) (:predicates (p) (q))
  (:durative-action wait :parameters () :duration (= ?duration 1) :effect (at end (q)))
  (:action go :parameters () :effect (p)))
"""


def test_states_of_a_task_that_is_not_judged_are_not_made_up() -> None:
    task = read_task(DURATIVE, "(define (problem x) (:domain d) (:init) (:goal (q)))")
    assert task.judge("(go)").status is Status.UNDECIDED
    with pytest.raises(PddlError, match="a durative action is not judged"):
        next(task.trace("(go)"))
    with pytest.raises(PddlError, match="a durative action is not judged"):
        task.successors(task.initial_state())


def test_object_with_a_number_for_a_name_is_no_time() -> None:
    domain = "(define (domain d) (:predicates (at ?x ?y)) (:action go :parameters (?x) :effect ()))"
    problem = "(define (problem q) (:domain d) (:objects 1 a) (:init (at 1 a)) (:goal (at 1 a)))"
    assert read_task(domain, problem).judge("").status is Status.VALID


def test_repeated_variable_in_a_declaration_is_accepted() -> None:
    domain = "(define (domain d) (:predicates (in ?o ?o)) (:action go :parameters (?x) :effect ()))"
    problem = "(define (problem q) (:domain d) (:objects a) (:init (in a a)) (:goal (in a a)))"
    assert read_task(domain, problem).judge("(go a)").status is Status.VALID


SQUARE = """
(define (domain d) (:functions (f))
  (:action square :parameters () :effect (assign (f) (* (f) (f)))))
"""


def test_numbers_that_grow_without_end_are_undecided() -> None:
    task = read_task(SQUARE, "(define (problem x) (:domain d) (:init (= (f) 3)) (:goal (> (f) 0)))")
    assert task.judge("(square)" * 12).status is Status.VALID
    verdict = task.judge("(square)" * 60)
    assert verdict.status is Status.UNDECIDED
    assert verdict.reason == "a number of more than 1048576 bits is not judged"


@pytest.mark.parametrize(
    ("start", "exact", "loose"),
    [
        ("1", Status.VALID, Status.VALID),
        ("0", Status.INVALID, Status.VALID),
        ("-0.00009", Status.INVALID, Status.VALID),
        ("-0.0001", Status.INVALID, Status.INVALID),
    ],
)
def test_tolerance_loosens_strict_comparisons_too(start: str, exact: Status, loose: Status) -> None:
    domain = """(define (domain d) (:predicates (p)) (:functions (x))
      (:action go :parameters () :precondition (> (x) 0) :effect (p)))"""
    task = read_task(domain, f"(define (problem q) (:init (= (x) {start})) (:goal (p)))")
    assert task.judge("(go)").status is exact
    assert task.judge("(go)", tolerance=Fraction("1e-4")).status is loose
    assert task.judge("(go)").status is exact


def test_narration_reports_every_failure_and_continues_on_request() -> None:
    task = read_task(COUNTDOWN / "domain.pddl", COUNTDOWN / "p01.pddl")
    plan = "(subtract n1 n2)(add n1 n1)(add n1 n2)"
    (only,) = task.narrate(plan)
    assert (only.time, only.steps, only.changes, only.after) == (1, ["(subtract n1 n2)"], [], None)
    assert [failure.advice for failure in only.failures] == [
        "(Satisfy (value n1)[=3] >= (value n2)[=4])\n"
    ]
    happenings = list(task.narrate(plan, keep_going=True))
    assert [bool(happening.failures) for happening in happenings] == [True, True, True]
    assert happenings[-1].after is not None


def test_one_task_judges_in_several_threads() -> None:
    domain = """(define (domain d) (:requirements :adl) (:predicates (p ?x) (done))
      (:action go :parameters () :effect (done)
        :precondition (forall (?x ?y) (or (p ?x) (p ?y)))))"""
    objects = " ".join(f"o{number}" for number in range(600))
    facts = " ".join(f"(p o{number})" for number in range(600))
    problem = f"(define (problem q) (:objects {objects}) (:init {facts}) (:goal (done)))"
    task = read_task(domain, problem)
    with ThreadPoolExecutor(4) as pool:
        statuses = list(pool.map(lambda _: task.judge("(go)").status, range(6)))
    assert statuses == [Status.VALID] * 6


def test_many_steps_at_one_time_take_no_more_than_their_share() -> None:
    """If every pair of steps were compared, this would take minutes."""
    domain = "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :effect (p ?x)))"
    names = [f"o{number}" for number in range(5_000)]
    problem = f"(define (problem q) (:objects {' '.join(names)}) (:init) (:goal (p o1)))"
    plan = "".join(f"0: (a {name})\n" for name in names)
    before = process_time()
    assert read_task(domain, problem).judge(plan).status is Status.VALID
    assert process_time() - before < 10


def test_axioms_that_try_too_much_are_undecided() -> None:
    domain = """(define (domain d) (:requirements :adl) (:predicates (p ?x) (d) (done))
      (:derived (d) (exists (?a ?b ?c ?e) (and (not (p ?a)) (not (= ?b ?b)) (not (p ?e)))))
      (:action go :parameters () :effect (done)))"""
    objects = " ".join(f"o{number}" for number in range(60))
    problem = f"(define (problem q) (:objects {objects}) (:init) (:goal (done)))"
    verdict = read_task(domain, problem).judge("(go)")
    assert (verdict.status, "quantifier or axiom" in str(verdict.reason)) == ("undecided", True)


def test_advice_on_very_many_objects_stays_short() -> None:
    domain = """(define (domain d) (:requirements :adl) (:predicates (p ?x) (q ?x))
      (:action a :parameters (?x) :effect (p ?x)))"""
    objects = " ".join(f"o{number}" for number in range(120))
    goal = "(exists (?x ?y ?z) (and (p ?x) (p ?y) (q ?z)))"
    problem = f"(define (problem r) (:objects {objects}) (:init) (:goal {goal}))"
    task = read_task(domain, problem)
    advice = task.goal_advice(task.initial_state())
    assert advice == "(Satisfy (exists (?x ?y ?z) (and (p ?x) (p ?y) (q ?z))))\n"
