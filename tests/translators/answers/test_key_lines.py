"""Steps in lines of keys, of actions with many parameters: read by their names, in little time."""

from __future__ import annotations

from time import process_time

import pytest

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.scoring.score import score
from pddl_pipeline.translators.given_pddl import GivenPddl, given_instance

NAMES = ["where", "who", "what", "by", "first", "second", "third", "last", "old", "new", "a", "b"]


def task_of(parameters: int) -> Instance[GivenPddl]:
    """Return a task whose goal is its step ``(go c0 c1 …)``."""
    names = " ".join(f"?{name}" for name in NAMES[:parameters])
    objects = " ".join(f"c{number}" for number in range(parameters))
    domain = (
        f"(define (domain many) (:predicates (went {names})) (:action go :parameters ({names}) "
        f":precondition () :effect (went {names})))"
    )
    problem = (
        f"(define (problem p) (:domain many) (:objects {objects}) (:init) (:goal (went {objects})))"
    )
    return given_instance("p", domain, problem, {})


def status_of(parameters: int, keys: list[str]) -> str:
    """Return the verdict on the step with the objects in the order of the given keys."""
    lines = (f"  {key}: c{number}" for number, key in enumerate(keys))
    answer = {"id": "p", "answer": "\n".join(("- action: go", *lines))}
    (found,) = score([task_of(parameters)], [answer])
    return found.verdict.status


@pytest.mark.parametrize("parameters", [2, 5, 10])
def test_the_names_of_the_parameters_decide(parameters: int) -> None:
    assert status_of(parameters, NAMES[:parameters]) == "valid"
    assert status_of(parameters, NAMES[:parameters][::-1]) == "invalid"


def test_unknown_names_of_one_object_take_no_time() -> None:
    """Ten unknown names have 3.6 million orders, all of which are the same step."""
    lines = (f"  {name} key: c0" for name in NAMES[:10])
    answer = {"id": "p", "answer": "\n".join(("- action: go", *lines))}
    begin = process_time()
    (found,) = score([task_of(10)], [answer])
    assert found.verdict.status == "malformed"
    assert process_time() - begin < 3
