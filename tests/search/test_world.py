"""The fast state space against the validator: the same steps in the same order, the same states."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from molecules import molecules
from places import TESTS
from planner_problems import sample
from record_strategies import records

from pddl_pipeline import read_task, translate
from pddl_pipeline.model.errors import InputError, NotJudged, StepFails
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.search.world import JudgedWorld, StripsWorld, World, world_of
from pddl_pipeline.translators.records import from_record
from pddl_pipeline.validation.language import And
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task, task_of

CASES = TESTS / "validation" / "cases"
BEYOND = {"quantifier_too_large", "derived_reads_undefined_fluent"}
"""Tasks that the validator does not judge, either."""
STATES = 60


def agree(world: World[Any], task: Task, ours: Any, theirs: State) -> list[tuple[Any, State]]:
    """Compare one state with the validator's; return its successors in both forms."""
    assert world.atoms(ours) == frozenset(theirs.facts)
    assert all(world.holds(atom, ours) for atom in theirs.facts)
    assert world.values(ours).items() <= theirs.values.items()
    assert world.is_goal(ours) == task.goal_holds(theirs)
    assert world.is_goal(ours) == (world.goals_met(ours) == world.goals)
    found, expected = world.successors(ours), list(task.successors(theirs))
    assert [step for step, _ in found] == [each.step for each in expected]
    for step, after in found:
        assert world.apply(step, ours) == after
    return [(after, each.state) for (_, after), each in zip(found, expected, strict=True)]


def walk(task: Task, choose: Any, most: int) -> list[Step]:
    """Explore both worlds in parallel; return the steps."""
    world, steps = world_of(task), list[Step]()
    ours, theirs = world.start, task.initial_state()
    while len(steps) < most:
        found = agree(world, task, ours, theirs)
        if not found:
            break
        number = choose(len(found))
        steps.append(world.successors(ours)[number][0])
        ours, theirs = found[number]
    return steps


@pytest.mark.parametrize("domain", domain_names())
@settings(max_examples=8)
@given(data=st.data())
def test_walks_through_the_samples_agree(domain: str, data: st.DataObject) -> None:
    assert walk(task_of(sample(domain)), lambda n: data.draw(st.integers(0, n - 1)), 25)


@pytest.mark.parametrize("domain", sorted(set(domain_names()) - {"countdown"}))
@settings(max_examples=5)
@given(data=st.data())
def test_walks_through_generated_instances_agree(domain: str, data: st.DataObject) -> None:
    problem = translate(from_record(data.draw(records(domain))))
    walk(task_of(problem), lambda n: data.draw(st.integers(0, n - 1)), 8)


@pytest.mark.parametrize("case", sorted(CASES.iterdir()), ids=lambda case: case.name)
def test_whole_state_spaces_of_odd_tasks_agree(case: Path) -> None:
    """Negation, equality, axioms, quantifiers, undefined fluents, effects that collide."""
    try:
        task = read_task(case / "domain.pddl", case / "problem.pddl")
    except InputError:
        return
    if task.facts.unsupported or case.name in BEYOND:
        with pytest.raises(NotJudged):
            (world := world_of(task)).successors(world.start)
        return
    world = world_of(task)
    seen, queue = set(), [(world.start, task.initial_state())]
    while queue and len(seen) < STATES:
        ours, theirs = queue.pop()
        if ours not in seen:
            seen.add(ours)
            queue += agree(world, task, ours, theirs)


@pytest.mark.parametrize("domain", domain_names())
def test_strips_is_what_the_domains_are_but_countdown(domain: str) -> None:
    kind = JudgedWorld if domain == "countdown" else StripsWorld
    assert isinstance(world_of(task_of(sample(domain))), kind)


@pytest.mark.parametrize("domain", ["budget-blocksworld", "countdown", "ferry"])
@settings(max_examples=10)
@given(data=st.data())
def test_costs_add_up_to_the_metric(domain: str, data: st.DataObject) -> None:
    task = task_of(sample(domain))
    free = Task(task.vocabulary, task.facts._replace(goal=And(())))
    for world in (world_of(free), JudgedWorld(free)):
        state, steps, total = world.start, list[Step](), 0
        while len(steps) < 12 and world.successors(state):
            step, after = data.draw(st.sampled_from(world.successors(state)))
            total += world.cost(step, state)
            steps.append(step)
            state = after
        assert free.judge(Plan(steps)).cost == total


def test_what_is_always_true_although_its_like_change_forbids_for_ever() -> None:
    """No action deletes (p x), but one deletes (p y); the others require that (p x) is false."""
    domain = """(define (domain d) (:requirements :strips :negative-preconditions)
      (:predicates (p ?a) (q ?a)) (:constants x y)
      (:action drop :parameters () :precondition (p y) :effect (not (p y)))
      (:action never :parameters (?a) :precondition (not (p ?a)) :effect (q ?a)))"""
    problem = "(define (problem e) (:domain d) (:init (p x) (p y)) (:goal (and (q y) (p x))))"
    task = read_task(domain, problem)
    assert isinstance(world_of(task), StripsWorld)
    assert walk(task, lambda _: 0, 5)[:2] == [Step("drop"), Step("never", ("y",))]


@pytest.mark.parametrize(
    "further",
    ["", "(or (= ?e c00) (= ?e c01)) (or (= ?s o02) (= ?s o03))", "(not (= ?e ?e))"],
    ids=["many", "few", "none"],
)
def test_grounding_that_takes_too_long_is_given_up(further: str) -> None:
    """Five molecules have 29 * 30 ** 4 ground actions, or as many that fail in the end."""
    assert isinstance(world_of(molecules(further), most_operators=100), JudgedWorld)


def test_tries_of_a_state_are_limited() -> None:
    """There are 30 ** 15 ways to give objects to the parameters, but no more than ten steps."""
    alone = " ".join(f"(= ?{name} ?a)" for name in "cde") + "(bond c00 ?h) (bond c01 ?i)"
    world = JudgedWorld(molecules(alone), most_tries=2000)
    assert [step.arguments[:5] for step, _ in world.successors(world.start)] == [
        ("c00", "c01", "c00", "c00", "c00")
    ]
    world = JudgedWorld(molecules(), most_tries=2000)
    with pytest.raises(NotJudged, match="more than 2,000 tries"):
        world.successors(world.start)


COSTLY = """(define (domain d) (:requirements :adl :action-costs) (:predicates (p) (q) (r))
  (:functions (total-cost) - number (price) - number)
  (:action a :precondition (and) :effect (and (p) (increase (total-cost) 2)))
  (:action b :precondition {needed} :effect (and (q) (increase (total-cost) {price}))))"""
PROBLEM = """(define (problem e) (:domain d) (:init {init}) (:goal (and (p) (q)))
  (:metric {metric}))"""


def costly(
    needed: str = "(p)", price: str = "3", init: str = "", metric: str = "minimize (total-cost)"
) -> World[Any]:
    return world_of(
        read_task(
            COSTLY.format(needed=needed, price=price), PROBLEM.format(init=init, metric=metric)
        )
    )


def test_what_was_spent_distinguishes_states_only_where_it_is_read() -> None:
    for world in (costly(), costly("(or (p) (q))")):
        ((_, after),) = world.successors(world.start)
        assert world.apply(Step("a"), after) == after
    world = costly("(>= (total-cost) 4)")
    once = world.apply(Step("a"), world.start)
    assert world.apply(Step("a"), once) != once


def test_atoms_that_do_not_hold_are_found_false() -> None:
    for world in (costly(), costly("(or (p) (q))")):
        after = world.apply(Step("a"), world.start)
        assert world.holds(("p",), after)
        assert not any(world.holds((name,), after) for name in ("q", "r", "s"))


def test_what_is_assigned_distinguishes_states_only_where_it_is_read() -> None:
    """A step that only scales the cost changes the state if the metric reads the cost."""
    domain = """(define (domain d) (:requirements :adl :action-costs) (:predicates (p))
      (:functions (total-cost) - number)
      (:action a :parameters () :precondition (and) :effect (and (p) (scale-up (total-cost) 2))))"""
    problem = "(define (problem e) (:domain d) (:init (p) (= (total-cost) 1)) (:goal (p)) {})"
    free, counted = (
        world_of(read_task(domain, problem.format(metric)))
        for metric in ("", "(:metric minimize (total-cost))")
    )
    assert free.apply(Step("a"), free.start) == free.start
    assert counted.apply(Step("a"), counted.start) != counted.start


@pytest.mark.parametrize(
    ("metric", "costs"),
    [
        ("minimize (total-cost)", (2, 3)),
        ("minimize (total-time)", (1, 1)),
        ("maximize (total-cost)", (1, 1)),
        ("minimize (+ (* 2 (total-cost)) (total-time))", (5, 7)),
    ],
)
def test_cost_of_a_step_is_what_the_metric_grows_by(metric: str, costs: tuple[int, int]) -> None:
    world = costly(metric=metric)
    after = world.apply(Step("a"), world.start)
    assert (world.cost(Step("a"), world.start), world.cost(Step("b"), after)) == costs


def test_an_action_without_a_known_price_cannot_be_executed() -> None:
    world = costly(price="(price)")
    assert isinstance(world, StripsWorld)
    assert [step for step, _ in world.successors(world.start)] == [Step("a")]
    with pytest.raises(StepFails, match="price"):
        world.apply(Step("b"), world.apply(Step("a"), world.start))
    known = costly(price="(* 2 (price))", init="(= (price) 4)")
    assert known.cost(Step("b"), known.apply(Step("a"), known.start)) == 8


def test_a_step_that_does_not_apply_has_the_reason_of_the_validator() -> None:
    for world in (costly(), costly("(or (p) (r))")):
        with pytest.raises(StepFails, match=r"\(p\)"):
            world.apply(Step("b"), world.start)
        with pytest.raises(StepFails, match=r"\(p\)"):
            world.cost(Step("b"), world.start)
