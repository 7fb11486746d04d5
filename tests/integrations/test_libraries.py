"""Problems of the package pddl and of Unified Planning as objects, and pddl as an opinion."""

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
from up_problems import two_switches

from pddl_pipeline import Limits, Task, load_records, read_task, run, solve, translate, validate
from pddl_pipeline.integrations.pddl import to_pddl
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


OBJECTS = {
    "pddl": (lambda: rooms_of_pddl("ball")[1], "(go red a home)"),
    "unified_planning": (lambda: two_switches()[0], "(on-b) (on-c)"),
}


@pytest.mark.parametrize("library", OBJECTS)
def test_objects_are_accepted_wherever_texts_are(library: str, tmp_path: Path) -> None:
    make, plan = OBJECTS[library]
    made = make()
    task = read_task(made)
    verdict = validate(made, plan, cross_check=["up"])
    assert task.judge(plan).status == verdict.status == "valid"
    assert verdict.opinions["up"].status is Status.VALID
    assert validate(made, plan.split()[0] + ")").status is not Status.VALID
    assert read_task(translate(made)).judge(plan) == task.judge(plan)
    assert [each.id for each in load_records([made])] == [task.facts.name]
    assert "<svg" in task._repr_html_()
    with pytest.raises(
        TypeError, match="found a text beside an object; name a planner with planner="
    ):
        solve(made, "lama-first")
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


@pytest.mark.parametrize(
    "folder",
    [*OWN, FOREIGN / "derived", *(pytest.param(each, marks=pytest.mark.long) for each in OTHERS)],
    ids=lambda each: each.name,
)
def test_round_trips_keep_verdicts(folder: Path) -> None:
    task = read_task(folder / "domain.pddl", folder / "p01.pddl")
    (plan,) = (each for each in folder.glob("*.plan") if each.name != "bad.plan")
    objects = to_pddl(task)
    for each in (objects, to_pddl(*objects)):
        check_round_trip(task, each, plan.read_text())


@pytest.mark.long
@pytest.mark.parametrize("folder", [*CASES, *PUBLIC], ids=lambda each: each.name)
def test_what_the_library_reads_is_never_lost(folder: Path) -> None:
    with suppress(InputError, NotJudged):  # libraries cannot read all of PDDL
        task = read_task(folder / "domain.pddl", folder / "problem.pddl")
        known = folder in PUBLIC and (folder / "plan").exists()
        plan = (folder / "plan").read_text() if known else ""
        check_round_trip(task, to_pddl(task), plan)


F = "(:functions (f))"
DOMAIN = """(define (domain d) (:types a b - object) (:predicates (p ?x) (q ?x - a)) {functions}
  (:action go :parameters (?x - a) :precondition (q ?x) :effect (and (p ?x) {effect})))"""
PROBLEM = """(define (problem p) (:domain d) (:objects o u - a) (:init (q o) {init})
  (:goal {goal}) {metric})"""


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"goal": "(or (p o) (q u))"}, "it has a quantifier, a disjunction or an impl"),
        ({"functions": F, "init": "(= (f) -1)"}, "it has a negative number"),
        ({"effect": "(forall (?y - object ?z - a) (p ?y))"},
         "it has a parameter or object of type object before one of another type"),
        ({"functions": F, "effect": "(increase (f) 1) (increase (f) 1)"},
         "pddl reads a different problem: actions: (go 1) differ"),
        ({"functions": F, "init": "(= (f) 0.10000000000000000001)"},
         "initial values: only in the task ((f) 10000000000000000001/100000000000000000000), only"),
    ],
)  # fmt: skip
def test_what_the_library_cannot_read_is_one_line(changes: dict[str, str], fault: str) -> None:
    given = {"functions": "", "effect": "", "init": "", "goal": "(p o)", "metric": "", **changes}
    texts = DOMAIN.format(**given), PROBLEM.format(**given)
    with pytest.raises(InputError) as error:
        to_pddl(*texts)
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
        (lambda: rooms_of_pddl("ball")[0], "problem: found NoneType, expected a Problem"),
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
        ("up", "0: (sail l1 l0)\n0: (sail l1 l2)", "l1", "undecided", "does not support steps"),
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


@pytest.mark.parametrize("library", ["up", "pddl"])
def test_tasks_that_are_not_classical_are_neither_converted_nor_judged(library: str) -> None:
    files = TEMPORAL / "domain.pddl", TEMPORAL / "p01.pddl"
    verdict = validate(*files, TEMPORAL / "good.plan", cross_check=[library])
    opinion = Opinion(Status.UNDECIDED, "a durative action is not classical")
    assert (verdict.status, verdict.opinions[library]) == (Status.VALID, opinion)
    with pytest.raises(PddlError, match=r"domain\.pddl:18: a durative action is not classical"):
        {"pddl": to_pddl, "up": to_up}[library](read_task(*files))


def test_libraries_that_are_not_installed_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    task = read_task(rooms_of_pddl("ball")[1])
    monkeypatch.delitem(sys.modules, "pddl_pipeline.integrations.pddl", raising=False)
    monkeypatch.setitem(sys.modules, "pddl.core", None)
    with pytest.raises(EngineError, match=r"pip install .pddl-pipeline\[pddl\]"):
        open_validators(["pddl"], "", "", task)
