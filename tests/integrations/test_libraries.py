"""Problems of the package pddl, of Tarski and of Unified Planning as objects, and as opinions."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from data_kinds import FOREIGN
from pddl.action import Action
from pddl.core import Domain
from pddl.core import Problem as PddlProblem
from pddl.logic.base import And, Not, OneOf
from pddl.logic.functions import EqualTo, Increase, Metric, NumericFunction, NumericValue
from pddl.logic.predicates import Predicate
from pddl.logic.terms import Constant, Variable
from pddl.requirements import Requirements
from places import ROOT
from plan_walks import walk
from tarski import fstrips
from tarski.fstrips.action import AdditiveActionCost
from tarski.syntax import exists, forall, land
from tarski.theories import Theory
from up_problems import two_switches

from pddl_pipeline import Limits, Task, load_records, read_task, run, solve, translate, validate
from pddl_pipeline.integrations.pddl import to_pddl
from pddl_pipeline.integrations.tarski import to_tarski
from pddl_pipeline.integrations.unified_planning.translating import to_up
from pddl_pipeline.model.errors import EngineError, InputError, NotJudged, PddlError
from pddl_pipeline.model.verdict import Opinion, Status
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.validation.opinions import open_validators

OWN = [domain_folder(name) for name in domain_names()]
TEMPORAL = FOREIGN / "satellite"
OTHERS = sorted({*FOREIGN.glob("*/")} - {TEMPORAL, FOREIGN / "derived", FOREIGN / "tank"})
CASES = sorted(path.parent for path in (ROOT / "tests/validation/cases").glob("*/expected.json"))
PUBLIC = sorted(Path(os.environ.get("PDDL_PIPELINE_DOMAINS", os.devnull)).glob("*/"))
"""Folders with a domain and a problem, such as those of the IPC, for the long test."""
CONVERT = {"pddl": to_pddl, "tarski": lambda *given: (to_tarski(*given),)}


def rooms_of_pddl(*kinds: str) -> tuple[Any, Any]:
    """Return a domain and a problem; as the package prints them, ``?a`` is a room."""
    x, y = (Variable(name, ["room"]) for name in "xy")
    anything, thing = Variable("a"), Variable("t", kinds)
    here, saw = Predicate("here", x), Predicate("saw", anything, x)
    total = NumericFunction("total-cost")
    go = Action(
        "go", [anything, x, y], And(here(x), Not(here(y))),
        And(here(y), Not(here(x)), Increase(total, NumericValue(2.0)), saw(anything, y)),
    )  # fmt: skip
    needs = Requirements
    domain = Domain(
        "Rooms", [needs.TYPING, needs.NEG_PRECONDITION, needs.NUMERIC_FLUENTS, needs.ACTION_COSTS],
        {"room": None, "ball": None, "box": None}, [Constant("home", "room")],
        [here, saw, Predicate("in", thing, x)], None, {total: None}, [go],
    )  # fmt: skip
    a, b = Constant("A", "room"), Constant("red", "ball")
    home = Constant("home", "room")
    goal = And(here(home), saw(b, home))
    init = [here(a), EqualTo(total, NumericValue(0)), Predicate("in", b, a)]
    return domain, PddlProblem("p", domain, None, None, [a, b], init, goal, Metric(total))


def rooms_of_tarski(ball_name: str = "red") -> Any:
    """Return a problem that was not read, with quantifiers, costs and a change of a number."""
    words = fstrips.language("rooms", theories=[Theory.EQUALITY, Theory.ARITHMETIC])
    room, ball = words.sort("room"), words.sort("ball")
    at, here = words.predicate("at", ball, room), words.predicate("here", room)
    fuel = words.function("fuel", words.Real)
    x, y, b = (words.variable(name, kind) for name, kind in (("x", room), ("y", room), ("b", ball)))
    problem = fstrips.create_fstrips_problem(words, "My rooms", "rooms")
    first, second = words.constant("A", room), words.constant("home", room)
    problem.action(
        "go", [x, y], here(x) & (x != y),
        [fstrips.AddEffect(here(y)), fstrips.DelEffect(here(x)), fuel() << fuel() + 1,
         fstrips.UniversalEffect([b], [fstrips.AddEffect(at(b, y), at(b, x))])],
        AdditiveActionCost(words.constant(3, words.Integer)),
    )  # fmt: skip
    problem.init.add(here, first)
    problem.init.add(at, words.constant(ball_name, ball), first)
    problem.init.set(fuel(), 0)
    problem.goal = land(forall(b, at(b, second)), exists(x, here(x)))
    return problem


OBJECTS = {
    "pddl": (lambda: rooms_of_pddl("ball")[1], "(go red a home)"),
    "tarski": (rooms_of_tarski, "(go a home)"),
    "unified_planning": (lambda: two_switches()[0], "(on-b) (on-c)"),
}


@pytest.mark.parametrize("library", OBJECTS)
def test_objects_are_accepted_wherever_texts_are(library: str, tmp_path: Path) -> None:
    make, plan = OBJECTS[library]
    made = make()
    task = read_task(made)
    verdict = validate(made, plan, cross_check=["tarski"])
    assert task.judge(plan).status == verdict.status == "valid"
    assert verdict.opinions["tarski"].status is Status.VALID
    assert validate(made, plan.split()[0] + ")").status is not Status.VALID
    assert read_task(translate(made)).judge(plan) == task.judge(plan)
    assert [each.id for each in load_records([made])] == [task.facts.name]
    assert "<svg" in task._repr_html_()
    with pytest.raises(
        TypeError, match="found a text beside an object; name a planner with planner="
    ):
        solve(made, "lama-first")
    if library != "tarski":  # ENHSP finds no plan with a conditional effect in `forall`
        assert repr(solve(made, limits=Limits(time_s=60))).count("plan-found, valid")
        (result,) = run(made, tmp_path / "runs", "enhsp", limits=Limits(time_s=60), workers=1)
        assert result.status is Status.VALID


def test_what_the_package_pddl_prints_wrongly_is_kept() -> None:
    domain, problem = rooms_of_pddl("ball", "box")
    assert "?a ?x - room" in str(domain)
    texts = translate(problem).domain_pddl
    assert "(?a - object ?x - room ?y - room)" in texts
    assert "(in ?t - (either ball box) ?x - room)" in texts


def check_round_trip(task: Task, objects: tuple[Any, ...], plan: str) -> None:
    """Judge a plan and 19 walks and changes of it by both tasks."""
    again, random, given = read_task(*objects), Random(37), list(task.read_plan(plan))
    for number in range(20):
        steps = list(walk(task, random.choice, len(given) or 5)) if number % 3 == 2 else given
        most = random.randint(0, len(steps)) if number % 2 else len(steps)
        steps = random.sample(steps, most) if number % 3 == 1 else steps[:most]
        mine, theirs = (each.judge(steps) for each in (task, again))
        kept = attrgetter("status", "steps", "cost", "failed_step")
        assert kept(mine) == kept(theirs)


@pytest.mark.parametrize("library", CONVERT)
@pytest.mark.parametrize(
    "folder",
    [*OWN, FOREIGN / "derived", *(pytest.param(each, marks=pytest.mark.long) for each in OTHERS)],
    ids=lambda each: each.name,
)
def test_round_trips_keep_verdicts(folder: Path, library: str) -> None:
    task = read_task(folder / "domain.pddl", folder / "p01.pddl")
    if (folder.name, library) == ("derived", "tarski"):
        with pytest.raises(InputError, match="problem: it has derived predicates"):
            to_tarski(task)
    else:
        (plan,) = (each for each in folder.glob("*.plan") if each.name != "bad.plan")
        objects = CONVERT[library](task)
        for each in (objects, to_pddl(*objects)):
            check_round_trip(task, each, plan.read_text())


@pytest.mark.long
@pytest.mark.parametrize("library", CONVERT)
@pytest.mark.parametrize("folder", [*CASES, *PUBLIC], ids=lambda each: each.name)
def test_what_a_library_reads_is_never_lost(folder: Path, library: str) -> None:
    with suppress(InputError, NotJudged):  # libraries cannot read all of PDDL
        task = read_task(folder / "domain.pddl", folder / "problem.pddl")
        known = folder in PUBLIC and (folder / "plan").exists()
        plan = (folder / "plan").read_text() if known else ""
        check_round_trip(task, CONVERT[library](task), plan)


F = "(:functions (f))"
DOMAIN = """(define (domain d) (:types a b - object) (:predicates (p ?x) (q ?x - a)) {functions}
  (:action go :parameters (?x - a) :precondition (q ?x) :effect (and (p ?x) {effect})))"""
PROBLEM = """(define (problem p) (:domain d) (:objects o u - a) (:init (q o) {init})
  (:goal {goal}) {metric})"""


@pytest.mark.parametrize(
    ("library", "changes", "fault"),
    [
        ("pddl", {"goal": "(or (p o) (q u))"}, "it has a quantifier, a disjunction or an impl"),
        ("pddl", {"functions": F, "init": "(= (f) -1)"}, "it has a negative number"),
        ("pddl", {"effect": "(forall (?y - object ?z - a) (p ?y))"},
         "it has a parameter or object of type object before one of another type"),
        ("pddl", {"functions": F, "effect": "(increase (f) 1) (increase (f) 1)"},
         "pddl reads a different problem: actions: (go 1) differ"),
        ("pddl", {"functions": F, "init": "(= (f) 0.10000000000000000001)"},
         "initial values: only in the task ((f) 10000000000000000001/100000000000000000000), only"),
        ("tarski", {"metric": "(:metric minimize (total-time))"}, "it has the metric (total-time)"),
        ("tarski", {"functions": "(:functions (total-cost))",
                    "effect": "(when (q ?x) (increase (total-cost) 1))"},
         "Don't know how to process conditional cost effects"),
        ("tarski", {"functions": "(:functions (f ?y))", "init": "(= (f o) 1)"},
         "it has a value of a function whose argument is of a subtype"),
    ],
)  # fmt: skip
def test_what_a_library_cannot_read_is_one_line(
    library: str, changes: dict[str, str], fault: str
) -> None:
    given = {"functions": "", "effect": "", "init": "", "goal": "(p o)", "metric": "", **changes}
    texts = DOMAIN.format(**given), PROBLEM.format(**given)
    with pytest.raises(InputError) as error:
        CONVERT[library](*texts)
    assert fault in str(error.value)


X = Predicate("x")
RANDOM = Domain(
    "d",
    [Requirements.NON_DETERMINISTIC],
    predicates=[X],
    actions=[Action("a", [], And(), OneOf(X, Not(X)))],
)


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda: PddlProblem("q", domain_name="d"), "the problem 'q' has no domain: give it"),
        (lambda: PddlProblem("p", RANDOM, goal=X), "OneOf is not supported: (oneof (x) (not (x)))"),
        (lambda: rooms_of_tarski("my block"), "the name 'my block' cannot be written in PDDL"),
        (lambda: fstrips.create_fstrips_problem(fstrips.language()), "has no goal, which is not"),
        (lambda: rooms_of_pddl("ball")[0], "problem: found NoneType, expected a Problem"),
        (fstrips.language, "found FirstOrderLanguage, expected one Problem of tarski.fs"),
    ],
)
def test_objects_without_a_counterpart_are_one_line(make: Any, fault: str) -> None:
    for use in (read_task, lambda given: validate(given, ""), translate, solve):
        with pytest.raises((InputError, TypeError)) as error:
            use(make())
        assert fault in str(error.value)


@pytest.mark.parametrize(
    ("library", "plan", "place", "status", "reason"),
    [
        ("tarski", None, "l1", "valid", ""),
        ("tarski", "(sail l0 l1)", "l1", "invalid", "step 1 (sail l0 l1) is not applicable"),
        ("tarski", "", "l1", "invalid", "the goal does not hold"),
        ("tarski", "(fly l0)", "l1", "undecided", "cannot execute the plan: step 1 (fly l0): "),
        ("tarski", "0: (sail l1 l0)\n0: (sail l1 l2)", "l1", "undecided", "does not support steps"),
        ("tarski", None, "l0", "disputed", "reads a different problem: initial facts: only in the"),
        ("tarski", None, "l0) (", "undecided", "cannot read the problem: ParsingError: line"),
        ("pddl", None, "l1", "undecided", "reads the same problem, and judges no plans"),
        ("pddl", None, "l0", "disputed", "reads a different problem: initial facts: only in the"),
        ("pddl", None, "l0) (", "undecided", "cannot read the problem: UnexpectedToken: "),
    ],
)
def test_opinions_of_other_libraries(
    library: str, plan: str | None, place: str, status: str, reason: str
) -> None:
    folder = domain_folder("ferry")
    domain, problem = ((folder / name).read_text() for name in ("domain.pddl", "p01.pddl"))
    theirs = problem.replace("(at-ferry l1)", f"(at-ferry {place})")
    (other,) = open_validators([library], domain, theirs, read_task(domain, problem)).values()
    opinion = other.judge((folder / "p01.plan").read_text() if plan is None else plan)
    assert opinion.status == status
    assert str(opinion.reason or "").startswith(reason)


@pytest.mark.parametrize("library", ["up", "pddl", "tarski"])
def test_tasks_that_are_not_classical_are_neither_converted_nor_judged(library: str) -> None:
    files = TEMPORAL / "domain.pddl", TEMPORAL / "p01.pddl"
    verdict = validate(*files, TEMPORAL / "good.plan", cross_check=[library])
    opinion = Opinion(Status.UNDECIDED, "a durative action is not classical")
    assert (verdict.status, verdict.opinions[library]) == (Status.VALID, opinion)
    with pytest.raises(PddlError, match=r"domain\.pddl:18: a durative action is not classical"):
        {**CONVERT, "up": to_up}[library](read_task(*files))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("countdown", "computes with floats, which may be inexact"), ("budget-blocksworld", None)],
)
def test_tarski_is_not_believed_with_inexact_numbers(name: str, expected: str | None) -> None:
    folder = domain_folder(name)
    files = folder / "domain.pddl", folder / "p01.pddl"
    verdict = validate(*files, folder / "p01.plan", cross_check=["tarski"])
    assert verdict.status is Status.VALID
    opinion = verdict.opinions["tarski"]
    assert (opinion.reason, opinion.cost) == (expected, None if expected else verdict.cost)


def test_libraries_that_are_not_installed_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pddl_pipeline.integrations.tarski", raising=False)
    monkeypatch.setitem(sys.modules, "tarski", None)
    with pytest.raises(EngineError, match=r"pip install .pddl-pipeline\[tarski\]"):
        open_validators(["tarski"], "", "", read_task(rooms_of_pddl("ball")[1]))


FLIP = """(define (domain d) (:predicates (a) (b) (c) (d)) (:action flip :parameters ()
  :precondition (a) :effect (and (not (a)) (a) (b) (when (not (b)) (c)) (when (b) (d)))))"""
FLIPPED = """(define (problem p) (:domain d) (:init (a))
  (:goal (and (a) (b) (c) (not (d)))))"""


def test_effects_happen_at_once_in_tarski() -> None:
    verdict = validate(FLIP, FLIPPED, "(flip)", cross_check=["tarski"])
    assert verdict.opinions["tarski"] == Opinion(Status.VALID)
