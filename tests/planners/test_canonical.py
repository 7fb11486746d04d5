"""Canonical PDDL for planners: what is rewritten, that it is the same task, and who reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from data_kinds import FOREIGN
from hypothesis import given
from pddl_forms import (
    ADL,
    GOAL,
    GRABS,
    MANY,
    PLAIN,
    PRICED,
    STRIPS,
    TIMED,
    WITH_COSTS,
    replaced,
    tasks,
)
from planner_outcomes import LIMITS, altered
from same_task import differences, mapped

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.planners.attempting import attempt
from pddl_pipeline.planners.canonical import Prepared, classical, general
from pddl_pipeline.planners.registry import choose_planner, planner_named
from pddl_pipeline.validation.features import task_features
from pddl_pipeline.validation.task import task_of

BOTH = (general, classical)
ALL = {**STRIPS, **PRICED, **ADL, **TIMED}
PLANNERS = (
    "lama-first", "seq-opt-lmcut", "enhsp", "lpg", "tamer", "aries", "pyperplan", "symk-opt",
    "kstar-topk", "forbiditerative-diverse", "up:fast-downward",
)  # fmt: skip
WITHOUT_COSTS = {"tamer", "pyperplan", "aries", "up:fast-downward"}
WITH_EFFECTS = ("lama-first", "enhsp", "symk-opt", "kstar-topk", "up:fast-downward")
WITH_TIMES = ("lpg", "tamer", "aries")
# The domain `derived` has an action called start, and `satellite` is not classical.
FOLDERS = [
    *map(domain_folder, domain_names()),
    *(FOREIGN / name for name in ("costs", "gripper", "mystery", "numeric")),
]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_usual_texts_are_not_rewritten(folder: Path) -> None:
    problem = Problem(*((folder / name).read_text() for name in ("domain.pddl", "p01.pddl")))
    assert all(prepare(problem).texts is problem for prepare in BOTH)


@pytest.mark.parametrize("name", ALL)
def test_a_form_is_rewritten_to_the_same_task(name: str) -> None:
    made = [prepare(ALL[name]) for prepare in BOTH]
    assert any(each.texts is not ALL[name] for each in made)
    assert not [text for each in made for text in differences(each)]
    # What is written has no such forms.
    for prepare, each in zip(BOTH, made, strict=True):
        assert prepare(each.texts).texts is each.texts


@given(problem=tasks())
def test_generated_tasks_stay_the_same(problem: Problem) -> None:
    for prepare in BOTH:
        made = prepare(problem)
        assert not list(differences(made))
        _has_the_same_steps(made)


@pytest.mark.parametrize(
    "effect",
    [
        "(when (lies ?x ?r) (forall (?x - ball) (held ?x)))",
        "(forall (?y - ball) (and (held ?y) (forall (?y - ball) (not (lies ?y ?r)))))",
    ],
)
def test_variables_of_one_name_stay_apart(effect: str) -> None:
    problem = replaced(PLAIN, ":typing", ":adl", GRABS, effect)
    for prepare in BOTH:
        _has_the_same_steps(prepare(problem))


def _has_the_same_steps(made: Prepared) -> None:
    user, written = task_of(made.problem), task_of(mapped(made))
    steps, new = (
        {str(each.step): each.state.facts for each in task.successors(task.initial_state())}
        for task in (user, written)
    )
    filler = {fact for fact in written.facts.facts if fact[0] == "started"}
    start = user.initial_state().facts
    for name, facts in steps.items():
        # Steps of an action without effects may be missing.
        assert new.get(name, start | filler) == facts | filler
    assert new.keys() <= steps.keys()


def test_costs_are_scaled_and_figures_are_the_users() -> None:
    problem = altered(PRICED["decimal costs"], "(total-cost) 2.5", "(total-cost) 2.25")
    made = attempt(planner_named("seq-opt-lmcut"), problem, LIMITS)
    assert made.cost_factor == 4
    assert made.rewritten is not None
    assert "(increase (total-cost) 9)" in made.rewritten.domain_pddl
    assert made.statistics.claimed_cost == 2.25
    assert made.plan is not None
    assert str(task_of(problem).judge(made.plan).cost) == "9/4"
    # Fast Downward adds in 32 bits.
    large = altered(WITH_COSTS, "(total-cost) 2)", "(total-cost) 3000000.5)")
    assert classical(large).texts is large


EITHER = Problem(
    """(define (domain paint) (:requirements :adl :action-costs) (:types brush roller wall)
 (:predicates (dirty ?x - (either brush roller)) (done ?x - wall)) (:functions (total-cost))
 (:action wash :parameters (?x ?y - (either brush roller)) :precondition (dirty ?x)
  :effect (and (not (dirty ?x)) (increase (total-cost) (+ 1 1))))
 (:action paint :parameters (?x - wall)
  :precondition (forall (?y - (either brush roller)) (not (dirty ?y)))
  :effect (and (done ?x) (increase (total-cost) 0.5))))""",
    """(define (problem p) (:domain paint) (:objects b - brush r - roller w - wall)
 (:init (dirty b) (dirty r) (= (total-cost) 0)) (:goal (done w))
 (:metric minimize (total-cost)))""",
)


@pytest.mark.parametrize("planner", ["lama-first", "enhsp", "symk-opt"])
def test_actions_of_alternative_types_have_all_their_steps(planner: str) -> None:
    made = planner_named(planner).prepare(EITHER)
    user, written = task_of(EITHER), task_of(made.texts)
    found = {
        " ".join([made.names.get(word, word) for word in str(step)[1:-1].split()])
        for step, _ in written.successors(written.initial_state())
    }
    assert found == {str(s)[1:-1] for s, _ in user.successors(user.initial_state())}
    assert len(found) == 4
    _solves(planner, EITHER)


def test_costs_that_are_computed_need_a_numeric_planner() -> None:
    computed = "(total-cost) (+ (total-cost) 1))"
    assert "numeric" in task_features(task_of(altered(WITH_COSTS, "(total-cost) 2)", computed)))


DEFAULT = {
    "digits": ["(total-cost) 2)", "(total-cost) 14.142135623730951)"],
    "large": ["(total-cost) 2)", "(total-cost) 5000000.5)"],
    "a sum": ["minimize (total-cost)", "minimize (+ (total-cost) 1)"],
    "most costs": ["minimize (total-cost)", "maximize (total-cost)"],
    "constant": ["minimize (total-cost)", "minimize 0"],
    "preference": [GOAL, "(:goal (and (held b1) (preference p (held b2))))"],
    "large integer": ["(total-cost) 2)", "(total-cost) 5000000)"],
    "empty goal": [GOAL, "(:goal ())"],
}


@pytest.mark.parametrize("name", DEFAULT)
def test_the_default_planner_solves_tasks_with_costs(name: str) -> None:
    problem = replaced(WITH_COSTS, *DEFAULT[name])
    _solves(choose_planner(task_features(task_of(problem))).name, problem)


@pytest.mark.parametrize("planner", PLANNERS[:-1])
def test_planners_read_many_forms(planner: str) -> None:
    _solves(planner, MANY)


@pytest.mark.long
@pytest.mark.parametrize("planner", PLANNERS)
def test_planners_read_each_form(planner: str) -> None:
    """Forms whose canonical texts are the same are one run of a planner."""
    forms = dict(STRIPS)
    forms |= PRICED if planner not in WITHOUT_COSTS else {}
    forms |= ADL if planner in WITH_EFFECTS else {}
    forms |= TIMED if planner in WITH_TIMES else {}
    made = [(planner_named(planner).prepare(each).texts, each) for each in forms.values()]
    runs = {(*text.domain_pddl.split(), *text.problem_pddl.split()): each for text, each in made}
    assert len(runs) > 10
    for problem in runs.values():
        _solves(planner, problem)


def _solves(planner: str, problem: Problem) -> None:
    done = attempt(planner_named(planner), problem, LIMITS)
    assert done.outcome is Outcome.PLAN_FOUND, (done.reason, problem)
    assert done.plan is not None
    verdict = task_of(problem).judge(done.plan)
    assert str(verdict.status) == "valid", (verdict.reason, problem)
