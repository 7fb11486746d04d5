"""Equivalence of problems, against all renamings and all reachable states of small tasks."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise, permutations
from pathlib import Path
from random import Random

import pytest
from command_line import Cli
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT
from planner_problems import sample

from pddl_pipeline import generate
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.search.changing import changing
from pddl_pipeline.search.effort import Effort
from pddl_pipeline.search.equivalence import Sameness, compare_problems
from pddl_pipeline.search.state_graph import StateGraph
from pddl_pipeline.search.world import Literal, world_of
from pddl_pipeline.translators import read_instance
from pddl_pipeline.translators.datasets import load_records
from pddl_pipeline.translators.records import to_record
from pddl_pipeline.validation import state as validated
from pddl_pipeline.validation.language import And, Atom, Ground, Not
from pddl_pipeline.validation.task import Task, read_task

State = frozenset[Ground]
Names = Mapping[str, str]


@cache
def small(name: str) -> tuple[Task, list[State], list[Names]]:
    """Return a task, its reachable states, and the renamings that do not change it."""
    problem = sample(name)
    text = problem.problem_pddl.replace("(on b3 b2)", "(ontable b3) (clear b2)")
    task = read_task(problem.domain_pddl, text)
    graph, objects = StateGraph(world_of(task), Effort()).whole(), task.vocabulary.objects
    states = [graph.world.atoms(each) for each in graph.states]
    renamings = [dict(zip(objects, each, strict=True)) for each in permutations(objects)]
    return task, states, [
        names for names in renamings
        if all(objects[one] == objects[names[one]] for one in objects)
        if moved(states[0], names) == states[0]
    ]  # fmt: skip


def moved(atoms: Iterable[Ground], names: Names) -> State:
    return frozenset((name, *[names[each] for each in terms]) for name, *terms in atoms)


def with_goal(task: Task, goal: Iterable[Literal], names: Names) -> Task:
    """Return a task with another goal, and then with other names of the objects."""
    vocabulary, facts = task.vocabulary.extended(), task.facts
    vocabulary.objects = {names[each]: types for each, types in task.vocabulary.objects.items()}
    atoms = [(Atom(name, tuple(terms)), holds) for literal, holds in goal
             for name, *terms in moved([literal], names)]  # fmt: skip
    changed = facts._replace(
        facts=moved(facts.facts, names),
        values={each: value for old, value in facts.values.items() for each in moved([old], names)},
        goal=And(tuple(atom if holds else Not(atom) for atom, holds in atoms)),
    )
    return Task(vocabulary, changed, task.texts)


@given(st.sampled_from(("blocksworld", "ferry")), st.data())
def test_goals_are_the_same_if_the_same_states_satisfy_them(name: str, data: st.DataObject) -> None:
    task, states, renamings = small(name)
    changing = sorted(frozenset().union(*states) - states[0].intersection(*states))
    # No reachable state has all of these facts.
    state = data.draw(st.sampled_from(states) | st.just(frozenset(changing)))
    others = [state, data.draw(st.sampled_from([state, *states]))]
    literals = [[(each, each in other) for each in changing] for other in others]
    goals = [frozenset(data.draw(st.lists(st.sampled_from(each), max_size=4))) for each in literals]
    goals[1] |= data.draw(st.sampled_from([frozenset(), goals[0]]))
    found = [
        {state for state in states if all((atom in state) == holds for atom, holds in goal)}
        for goal in goals
    ]
    truth = any({moved(state, names) for state in found[0]} == found[1] for names in renamings)
    objects = list(task.vocabulary.objects)
    names = dict(zip(objects, data.draw(st.permutations(objects)), strict=True))
    same = dict(zip(objects, objects, strict=True))
    problems = with_goal(task, goals[0], same), with_goal(task, goals[1], names)
    for is_solvable in {False, bool(found[0])}:
        result = compare_problems(*problems, is_solvable=is_solvable)
        assert result.verdict == (Sameness.EQUIVALENT if truth else Sameness.DIFFERENT), result


# The predicates whose facts follow from the other facts of a state, in all domains.
IMPLIED = {"arm-empty", "available", "clear", "empty-ferry", "free", "handempty"}


def walked(task: Task, state: validated.State, most: int, random: Random) -> validated.State:
    for _ in range(random.randint(1, most)):
        state = random.choice([each.state for each in task.successors(state)] or [state])
    return state


def pair(task: Task, number: int, random: Random) -> tuple[Task, Task, bool]:
    """Return two problems, and whether they are equivalent.

    Half differ in names only, a tenth in implied facts, the others in a fact or an object. A goal
    that more states satisfy is another one.
    """
    begin = walked(task, task.initial_state(), 5, random)
    end = walked(task, begin, 8, random)
    goal = {(each, True) for each in end.facts if each[0] in changing(task).predicates}
    facts, vocabulary, other = set(begin.facts), task.vocabulary.extended(), set(goal)
    kind = random.choice(("fact", "object", "goal")) if number % 2 else "same"
    if number % 10 == 0:
        other = {each for each in goal if each[0][0] not in IMPLIED}
    elif kind == "fact":
        facts.remove(random.choice(sorted(facts)))
    elif kind == "object":
        vocabulary.objects["new"] = random.choice(list(vocabulary.objects.values()))
    elif kind == "goal":
        after = walked(task, end, 1, random)
        other = {each for each in goal if each[0] in after.facts}
    changed = task.facts._replace(facts=frozenset(facts), values=begin.values)
    first = Task(task.vocabulary, changed._replace(facts=frozenset(begin.facts)), task.texts)
    names = list(vocabulary.objects)
    shuffled = dict(zip(names, random.sample(names, len(names)), strict=True))
    second = with_goal(Task(vocabulary, changed, task.texts), other, shuffled)
    same = kind == "same" or (kind == "goal" and other == goal)
    return with_goal(first, goal, dict(zip(names, names, strict=True))), second, same


@pytest.mark.long
@pytest.mark.parametrize("domain", domain_names())
def test_pairs_whose_truth_is_known(domain: str) -> None:
    random, undecided = Random(domain), 0
    data = load_records(domain_folder(domain) / "examples.jsonl")
    tasks = [read_instance(each) for each in data]
    for number in range(250):
        first, second, same = pair(random.choice(tasks), number, random)
        found = compare_problems(first, second)
        undecided += found.verdict is Sameness.UNDECIDED
        expected = Sameness.EQUIVALENT if same else Sameness.DIFFERENT
        assert found.verdict in (Sameness.UNDECIDED, expected), (number, found.reason)
    assert undecided <= 12


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("b2", "red", None),
        ("(on b1 b2)", "(on b1 b2) (clear b1) (handempty)", None),
        ("(on b1 b2) (on b2 b3)", "(forall (?x) (not (holding ?x))) (on b1 b2) (on b2 b3)", None),
        ("b1 b2 b3)", "b1 b2 b3 b4)", "an object too many: b4 - object"),
        ("(handempty) ", "", "a fact missing: (handempty)"),
        ("(on b3 b2)", "(on b3 b1)", "a fact missing: (on b3 b2); a fact too many: (on b3 b1)"),
        ("(on b1 b2)", "(on b1 b2) (on b3 b1)", "no reachable state satisfies the goal of the sec"),
        ("(on b1 b2) ", "", "a goal too weak: (on b1 b2)"),
        ("(on b1 b2) ", "(or (on b1 b2) (on b1 b2)) ", "no conjunctions of literals"),
        (
            "(holding ?ob) (clear ?underob)",
            "(holding ?ob)",
            "another domain: the preconditions of action stack",
        ),
        (":action stack", ":action pile", "another domain: action stack is missing"),
    ],
)
def test_the_first_difference_is_in_words(old: str, new: str, reason: str | None) -> None:
    given = sample("blocksworld")
    domain, problem = given.domain_pddl, given.problem_pddl
    # One text has it: the problem, or else the domain.
    other = domain, problem.replace(old, new)
    if other[1] == problem:
        other = domain.replace(old, new, 1), problem
    found = compare_problems(read_task(domain, problem), read_task(*other))
    assert str(reason) in str(found.reason)
    assert (found.verdict is Sameness.EQUIVALENT) == (reason is None)


def blocks(count: int, init: str, goal: str) -> Task:
    names = " ".join(f"b{number}" for number in range(count))
    return read_task(
        sample("blocksworld").domain_pddl,
        f"(define (problem p) (:domain blocksworld) (:objects {names}) (:init (handempty) {init}) "
        f"(:goal (and {goal})))",
    )


def test_a_hundred_symmetric_objects() -> None:
    """Another goal may be undecided, but nothing takes longer than the limits."""
    init = " ".join(f"(clear b{number}) (ontable b{number})" for number in range(100))
    goals = ("(on b1 b2)", "(on b77 b9)", "(on b77 b9) (on b9 b8)")
    one, other, more = (blocks(100, init, goal) for goal in goals)
    assert compare_problems(one, other).verdict is Sameness.EQUIVALENT
    for parameters in ("(?ob)", "(?ob ?x ?y ?z)"):
        wide = one.texts[0].replace("(?ob)", parameters)
        tasks = (read_task(wide, each.texts[1]) for each in (one, more))
        assert compare_problems(*tasks, Effort(1)).verdict is Sameness.UNDECIDED


def test_rings_that_only_backtracking_tells_apart() -> None:
    def rings(length: int, step: int) -> Task:
        blocks_of = [[start + each * step % length for each in range(length)]
                     for start in range(0, 12, length)]  # fmt: skip
        facts = (f"(on b{x} b{y})" for ring in blocks_of for x, y in pairwise([*ring, ring[0]]))
        return blocks(12, " ".join(facts), "")

    assert compare_problems(rings(6, 1), rings(6, 5)).verdict is Sameness.EQUIVALENT
    assert compare_problems(rings(6, 1), rings(4, 1)).verdict is Sameness.DIFFERENT


def test_facts_that_follow_from_a_tower_of_ten() -> None:
    """No search visits all states: regression and the groups of atoms prove the facts."""
    init = " ".join(f"(clear b{number}) (ontable b{number})" for number in range(10))
    tower = " ".join(f"(on b{number} b{number + 1})" for number in range(9))
    more = f"{tower} (ontable b9) (clear b0) (handempty)"
    for goals in ((tower, more), ("(holding b1) (holding b2)", "(on b1 b1)")):
        found = compare_problems(*(blocks(10, init, goal) for goal in goals))
        assert found.verdict is Sameness.EQUIVALENT


BAR = """(define (domain bar) (:requirements :strips :typing) (:types glass drink hand)
  (:predicates (on-bar ?g - glass) (empty ?g - glass) (in ?d - drink ?g - glass) (free ?h - hand)
    (holding ?h - hand ?g - glass))
  (:action grasp :parameters (?h - hand ?g - glass) :precondition (and (on-bar ?g) (free ?h))
    :effect (and (not (on-bar ?g)) (not (free ?h)) (holding ?h ?g)))
  (:action leave :parameters (?h - hand ?g - glass) :precondition (holding ?h ?g)
    :effect (and (on-bar ?g) (free ?h) (not (holding ?h ?g))))
  (:action fill :parameters (?h - hand ?g - glass ?d - drink)
    :precondition (and (holding ?h ?g) (empty ?g)) :effect (and (not (empty ?g)) (in ?d ?g)))
  (:action pour-away :parameters (?h - hand ?g - glass ?d - drink)
    :precondition (and (holding ?h ?g) (in ?d ?g)) :effect (and (empty ?g) (not (in ?d ?g)))))"""


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("(in a g2) (in b g4) (in c g3)", Sameness.EQUIVALENT),
        ("(in b g1) (in b g2) (in c g3)", Sameness.DIFFERENT),
    ],
)
def test_goals_of_a_solvable_problem_are_compared_without_a_search(
    goal: str, expected: Sameness
) -> None:
    """A glass is spare, so that a state may satisfy both goals."""
    glasses = " ".join(f"(on-bar g{number}) (empty g{number})" for number in range(1, 5))
    problem = f"""(define (problem p) (:domain bar)
      (:objects g1 g2 g3 g4 - glass a b c - drink l - hand)
      (:init (free l) {glasses}) (:goal (and (in a g1) (in b g2) (in c g3))))"""
    other = problem.replace("(in a g1) (in b g2) (in c g3)", goal)
    tasks = [read_task(BAR, each) for each in (problem, other)]
    assert compare_problems(*tasks, Effort(most_states=1), is_solvable=True).verdict is expected


def test_problems_are_paired_by_their_ids(cli: Cli, tmp_path: Path) -> None:
    whole, few = domain_folder("ferry") / "examples.jsonl", tmp_path / "few.jsonl"
    names = [each.id for each in load_records(whole)]
    rest = whole.read_text().splitlines(keepends=True)[2:]
    few.write_text("".join(rest))
    done, missing = cli("equivalent", few, whole), f"{few} has no problem with this id"
    assert (done.status, len(done.out.splitlines())) == (0, len(rest))
    assert done.err.splitlines() == [f"skipped: {name}: {missing}" for name in names[:2]]
    few.write_text("".join([f'{{"id": "{names[1]}"}}\n', *rest]))
    fault = f"{few}:1:1: field 'domain' is missing; --domain NAME is for data without it"
    lines = f"{names[0]}: unreadable: {missing}\n{names[1]}: unreadable: {fault}\n"
    assert cli("equivalent", whole, few).out.startswith(lines)


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (
            "(:functions (at ?c) - object)",
            "the object fluent 'at' (<domain>, line 1) is not judged",
        ),
        (
            "(:functions (x)) (:process e :precondition (p) :effect (assign (x) #t))",
            "the continuous effect (assign (x) #t) (<domain>, line 1)",
        ),
    ],
)
def test_parts_that_are_not_judged_are_not_compared(part: str, reason: str) -> None:
    domain = f"(define (domain d) (:predicates (p)) {part})"
    problem = "(define (problem x) (:domain d) (:init GIVEN) (:goal (p)))"
    one, same, other = (read_task(domain, problem.replace("GIVEN", x)) for x in ("", "", "(p)"))
    found = compare_problems(one, same)
    assert (found.verdict, str(found.reason)[: len(reason)]) == (Sameness.UNDECIDED, reason)
    assert compare_problems(one, other).verdict is Sameness.DIFFERENT


@pytest.mark.parametrize("count", [1, pytest.param(20, marks=pytest.mark.long)])
def test_large_problems_are_compared_within_a_second(tmp_path: Path, count: int) -> None:
    """The script needs problems of the competitions; it takes records, too."""
    sizes = {"blocksworld": 25, "depots": 14, "ferry": 30, "grippers": 30}
    records = [
        json.dumps(to_record(each))
        for domain, size in sizes.items()
        for each in generate(domain, size, count)
    ]
    (tmp_path / "data.jsonl").write_text("\n".join(records))
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "equivalence.py", tmp_path / "data.jsonl"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(f"{count * len(sizes)} valid; CPU") == 2
    assert f"{count * len(sizes)} invalid; CPU" in done.stdout
