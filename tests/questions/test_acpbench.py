"""Tests of small items in ACPBench's format; test_public_data.py tests the published ones."""

from __future__ import annotations

from typing import Any

import pytest

from pddl_pipeline.questions.acpbench import answer_acpbench, question_of
from pddl_pipeline.questions.kind import kinds
from pddl_pipeline.questions.question import NoQuestion

# An action and a predicate share a name; two actions take the same objects.
DOMAIN = """(define (domain tiles) (:requirements :typing) (:types robot tile - object)
 (:predicates (at ?r - robot ?t - tile) (down ?a ?b - tile) (warm ?t - tile) (cold ?t - tile))
 (:action down :parameters (?r - robot ?a ?b - tile)
  :precondition (and (at ?r ?a) (down ?b ?a)) :effect (and (at ?r ?b) (not (at ?r ?a))))
 (:action heat_up :parameters (?r - robot ?t - tile)
  :precondition (at ?r ?t) :effect (and (warm ?t) (not (cold ?t))))
 (:action cool_down :parameters (?r - robot ?t - tile)
  :precondition (at ?r ?t) :effect (and (cold ?t) (not (warm ?t))))
 (:action swap :parameters (?a ?b - tile) :precondition (and) :effect (warm ?a)))"""
PROBLEM = """(define (problem p) (:domain tiles) (:objects r1 - robot t1 t2 t10 - tile)
 (:init (at r1 t1) (down t2 t1) (warm t1)) (:goal (at r1 t2)))"""


def item(group: str, question: str, **fields: Any) -> dict[str, Any]:
    return {"id": -7, "group": group, "context": "A world of tiles.", "question": question,
            "PDDL_domain": DOMAIN, "PDDL_problem": PROBLEM} | fields  # fmt: skip


def effects(text: str) -> Any:
    return answer_acpbench(item("progression_gen", f'The outcomes of "{text}" are what?'))


def test_an_action_that_is_called_like_a_predicate() -> None:
    expected = {"pos": ["(at r1 t2)"], "neg": ["(at r1 t1)"]}
    assert effects("move robot r1 down from tile t1 to tile t2") == expected


def test_actions_with_the_same_objects_are_distinguished_by_their_words() -> None:
    assert effects("heat tile t1 up with r1") == {"pos": [], "neg": []}  # it is warm already
    assert effects("let R1 cool down t1.") == {"pos": ["(cold t1)"], "neg": ["(warm t1)"]}


def test_objects_in_the_order_of_their_mention() -> None:
    assert effects("swap t2 with t10") == {"pos": ["(warm t2)"], "neg": []}
    assert effects("swap t10 with t2") == {"pos": ["(warm t10)"], "neg": []}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("change the state of r1 and t1", "2 applicable actions with exactly the objects"),
        ("move r1 from t2 to t10", "no applicable action with exactly the objects"),
        ("rest", "no objects"),
    ],
)
def test_what_the_text_does_not_tell_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NoQuestion, match=reason):
        effects(text)


def test_the_first_inapplicable_step() -> None:
    def index(steps: str) -> Any:
        return answer_acpbench(item("validation_gen", f'First of "{steps}"?'))

    assert index("(heat_up r1 t1) (down r1 t1 t2) (heat_up r1 t1)") == 2
    assert index("(DOWN R1 T2 T1)") == 0
    assert index("(heat_up r1 t1) (fly r1)") == 1
    with pytest.raises(NoQuestion, match="every action of the sequence is applicable"):
        index("(heat_up r1 t1)")
    with pytest.raises(NoQuestion, match="the quoted sequence is not a plan"):
        index("heat_up r1 t1")


def test_all_applicable_actions() -> None:
    found = answer_acpbench(item("applicable_actions_gen", "List them."))
    assert isinstance(found, list)
    assert len(found) == 3 + 9
    assert {"(down r1 t1 t2)", "(heat_up r1 t1)", "(swap t1 t1)"} <= set(found)


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (item("reachable_atom_gen", "Which?"), "unsupported group 'reachable_atom_gen'"),
        (
            {"id": 1, "group": "validation_gen", "context": "", "question": ""},
            "found no text in 'PDDL_domain'",
        ),
        (item("validation_gen", "nothing quoted"), "nothing between quotation marks"),
        (item("validation_gen", '"(a)"', PDDL_problem="(define"), "PDDL_problem"),
        (item("validation_gen", '"(a)"', PDDL_problem=3), "found no text in 'PDDL_problem'"),
    ],
)
def test_items_that_are_not_answered_say_why(broken: dict[str, Any], reason: str) -> None:
    with pytest.raises(NoQuestion, match=reason):
        answer_acpbench(broken)


def test_an_item_is_a_question_that_marks_answers_in_the_benchmarks_form() -> None:
    question = question_of(item("progression_gen", 'What does "cool down t1 by r1" do?'))
    assert (question.kind, question.domain) == ("effects", "tiles")
    mark = kinds()["effects"].mark
    assert mark(question, "[(COLD T1)] [(warm t1)]").correct
    assert not mark(question, "[(warm t1)] [(cold t1)]").correct
