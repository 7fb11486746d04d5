"""Tests of exact answers by independent means: plans are validated, states searched again."""

from __future__ import annotations

import json
from collections.abc import Container
from dataclasses import astuple
from itertools import product
from math import prod
from unittest.mock import Mock

import pytest
from question_subjects import MOST_STATES, instances, questions, questions_of, task_from_record

from pddl_pipeline.model.errors import StepFails
from pddl_pipeline.model.plan import Step
from pddl_pipeline.model.verdict import Status
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.questions import kind
from pddl_pipeline.questions.fluents import atom_words
from pddl_pipeline.questions.kind import kinds, made_kinds
from pddl_pipeline.questions.making import QuestionSpec, make_questions
from pddl_pipeline.translators.given_pddl import given_instance
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task


def after(task: Task, steps: list[str]) -> State:
    return list(task.trace("\n".join(steps)))[-1]


def atoms(state: State, predicates: Container[str]) -> set[str]:
    return {f"({' '.join(fact)})" for fact in state.facts if fact[0] in predicates}


def test_which_kinds_have_questions() -> None:
    for name in ("state", "applicable", "first-inapplicable", "all-applicable"):
        assert {question.domain for question, _ in questions_of(name)} == {*domain_names()}
    for name in ("nearer-goal", "first-goal"):
        assert len(questions_of(name)) >= 15


def test_states_are_those_of_the_trace_with_numbers_but_not_costs() -> None:
    for question, task in questions_of("state"):
        states = list(task.trace("\n".join(question.details["actions"])))
        predicates = question.details["predicates"]
        numbers = {fact for fact in question.answer if fact.startswith("(= ")}
        assert set(question.answer) - numbers == atoms(states[-1], predicates)
        assert len({frozenset(f for f in s.facts if f[0] not in predicates) for s in states}) == 1
        assert bool(numbers) == (question.domain == "countdown")
        if numbers:
            assert f"(= (numactive) {states[-1].values['numactive',]})" in numbers


def test_exactly_one_of_four_actions_is_applicable() -> None:
    for question, task in questions_of("applicable"):
        walk, options = question.details["walk"], question.details["options"]
        assert len({name for (name,) in options}) == 4
        for (option,) in options:
            verdict = task.judge("\n".join([*walk, option]))
            assert verdict.status is not Status.MALFORMED
            expected = None if option == question.answer else len(walk) + 1
            assert verdict.failed_step == expected
            assert option in question.question
            if expected:
                mark = kinds()["applicable"].mark(question, option)
                assert astuple(mark) == (False, option, (), f"expected {question.answer}")


def test_the_first_inapplicable_step_is_the_one_that_fails() -> None:
    for question, task in questions_of("first-inapplicable"):
        verdict = task.judge("\n".join(question.details["actions"]))
        assert verdict.status is Status.INVALID
        assert verdict.failed_step == question.answer + 1


def test_no_action_but_those_listed_is_applicable() -> None:
    ever = set()
    for question, task in questions_of("all-applicable"):
        tried = set()
        state = after(task, question.details["walk"])
        listed = set(question.answer)
        for action in task.vocabulary.actions.values():
            choices = [list(task.vocabulary.candidates(v.types)) for v in action.parameters]
            if prod(map(len, choices)) > 1000:
                continue
            tried.add(action.name)
            for arguments in product(*choices):
                step = Step(action.name, arguments)
                try:
                    task.changes(step, state)
                except StepFails:
                    assert str(step) not in listed
                else:
                    listed.remove(str(step))
        assert not [text for text in listed if atom_words(text)[0] in tried]
        ever |= tried
    assert len(ever) >= 15


def test_effects_are_differences_of_states() -> None:
    for question, task in questions_of("effects"):
        walk, predicates = question.details["walk"], task.vocabulary.predicates
        before = atoms(after(task, walk), predicates)
        then = atoms(after(task, [*walk, question.details["action"]]), predicates)
        assert set(question.answer["pos"]) == then - before
        assert set(question.answer["neg"]) == before - then


def space(task: Task, start: State) -> dict[frozenset[object], list[frozenset[object]]]:
    """Return all states with their successors, by facts, which identify states without numbers."""
    found: dict[frozenset[object], list[frozenset[object]]] = {}
    todo = [start]
    while todo:
        state = todo.pop()
        key = frozenset[object](state.facts)
        if key not in found:
            followers = [each.state for each in task.successors(state)]
            found[key] = [frozenset[object](each.facts) for each in followers]
            todo += followers
    return found


def steps_to(graph: dict[frozenset[object], list[frozenset[object]]],
             start: frozenset[object], goal: tuple[str, ...]) -> int:  # fmt: skip
    layer, seen, depth = {start}, {start}, 0
    while not any(goal in state for state in layer):
        layer = {other for state in layer for other in graph[state]} - seen
        seen |= layer
        depth += 1
    return depth


def test_nearer_goals_are_nearer() -> None:
    for question, task in questions_of("nearer-goal"):
        if question.size > (3 if "blocks" in question.domain else 2):
            continue
        start = after(task, question.details["walk"])
        graph = space(task, start)
        goals = [option[0] for option in question.details["options"]]
        found = {g: steps_to(graph, frozenset[object](start.facts), atom_words(g)) for g in goals}
        assert found == question.details["actions_needed"]
        assert min(found, key=lambda goal: found[goal]) == question.answer
        assert len(set(found.values())) == 2


def test_the_other_goal_cannot_be_kept_if_it_is_achieved_first() -> None:
    checked = set()
    for question, task in questions_of("first-goal"):
        if question.domain == "sokoban" or question.size > 4:
            continue
        start = after(task, question.details["walk"])
        graph = space(task, start)
        first = atom_words(question.answer)
        (second,) = {atom_words(option[0]) for option in question.details["options"]} - {first}
        assert not {first, second} & start.facts
        # No path that keeps the second goal leads to both goals from a state in which the second
        # goal was just achieved alone.
        achieved = {other for state in graph if second not in state for other in graph[state]}
        todo = [state for state in achieved if second in state and first not in state]
        assert todo or question.details["order"] == "necessary"
        seen = set(todo)
        for state in todo:
            for other in graph[state]:
                assert not {first, second} <= other
                if second in other and other not in seen:
                    seen.add(other)
                    todo.append(other)
        assert any({first, second} <= state for state in graph)
        checked.add(question.domain)
    assert {"blocksworld"} <= checked


def test_the_same_seed_gives_the_same_bytes_and_another_one_others() -> None:
    subjects = [*instances("ferry").values()][:1] + [*instances("blocksworld").values()][:2]

    def made(seed: int, first: int = 0) -> str:
        wishes = QuestionSpec(count=2, seed=seed, most_states=MOST_STATES)
        found = make_questions(subjects[first:], wishes)
        return json.dumps([question.to_json() for question in found])

    assert made(3) == made(3) != made(4)
    assert made(3, 2).strip("[]") in made(3)


@pytest.mark.parametrize("domain", domain_names())
def test_exact_answers_are_marked_correct(domain: str) -> None:
    for question in (*questions(domain), *questions(domain, words=False)):
        asked = kinds()[question.kind]
        mark = asked.mark(question, asked.answer_text(question))
        assert (mark.correct, mark.mistakes) == (True, ()), question.id


def test_of_large_states_fewer_are_kept() -> None:
    stacks = [[f"b{n}", f"b{n + 1}"] for n in range(0, 600, 2)]
    goal = [["on", "b0", "b3"], ["on", "b3", "b5"]]
    big = {"domain": "blocksworld", "init": stacks, "holding": None, "goal": goal}
    refused, wishes = Mock(), QuestionSpec(["first-goal"], most_states=500)
    assert list(make_questions([task_from_record(big)[0]], wishes, refused)) == []
    refused.assert_called_once_with(
        "example", "first-goal", "it takes more than 100 states, and no order of goals is proved"
    )


WIDE = """(define (domain wide) (:predicates (p ?x) (q ?x)) (:action a
    :parameters (?a ?b ?c ?d ?e ?f) :precondition (p ?a) :effect (q ?b)))"""


def test_a_task_with_too_many_bindings_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kind, "MAX_TRIES", 5_000)
    objects = " ".join(f"o{n}" for n in range(60))
    problem = (
        f"(define (problem w) (:domain wide) (:objects {objects}) (:init (p o1)) (:goal (q o2)))"
    )
    refused = Mock()
    instance = given_instance("wide", WIDE, problem, {})
    assert list(make_questions([instance], QuestionSpec(), refused)) == []
    reason = "finding applicable actions takes more than 5,000 tries"
    assert {call.args[1:] for call in refused.call_args_list} == {(k, reason) for k in made_kinds()}
