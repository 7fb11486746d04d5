"""Steps in sentences of domains without words: the verb is that of the action."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pddl_pipeline import read_task
from pddl_pipeline.answers.free_text import read_plan

TYPES = ("vehicle", "place", "thing", "crew")
LINKS = ("with", "at", "in", "into", "by", "on")
DOMAIN = """(define (domain d) (:requirements :strips{typing}) {types}
 (:predicates (vehicle ?x) (place ?x) (thing ?x) (crew ?x) (done))
 (:action {name} :parameters ({parameters}) :precondition (and {needs}) :effect (done)))"""
PROBLEM = """(define (problem p) (:domain d) (:objects {objects}) (:init {facts})
 (:goal (done)))"""


@given(
    kinds=st.lists(st.sampled_from(TYPES), min_size=1, max_size=4),
    name=st.sampled_from(["shift", "haul-thing", "turn_to", "ship-by-sea"]),
    typed=st.booleans(),
    data=st.data(),
)
def test_a_sentence_is_read_as_its_step_or_left_open(
    kinds: list[str], name: str, *, typed: bool, data: st.DataObject
) -> None:
    """Objects of different types may have any order, and those of one type that of the step."""
    slots = [f"?p{at}" for at in range(len(kinds))]
    objects = [(f"{kind}{n}", kind) for kind in TYPES for n in (1, 2)]
    domain = DOMAIN.format(
        name=name, typing=" :typing" if typed else "",
        types=f"(:types {' '.join(TYPES)})" if typed else "",
        parameters=" ".join(f"{slot} - {kind}" if typed else slot
                            for slot, kind in zip(slots, kinds, strict=True)),
        needs=" ".join(f"({kind} {slot})" for slot, kind in zip(slots, kinds, strict=True)),
    )  # fmt: skip
    problem = PROBLEM.format(
        objects=" ".join(f"{each} - {kind}" if typed else each for each, kind in objects),
        facts=" ".join(f"({kind} {each})" for each, kind in objects),
    )
    task = read_task(domain, problem)
    step = [data.draw(st.sampled_from([f"{kind}1", f"{kind}2"])) for kind in kinds]
    assume(len({*step}) == len(step))
    told = data.draw(st.sampled_from([*permutations(step)]))
    links = ["", *(f"{data.draw(st.sampled_from(LINKS))} " for _ in told[1:])]
    text = f"{name.split('-', maxsplit=1)[0].split('_', maxsplit=1)[0]} " + " ".join(
        f"{link}{each}" for link, each in zip(links, told, strict=True)
    )
    found = read_plan(text, "d", task).plan
    right = f"({' '.join((name, *step))})"
    if len({*kinds}) == len(kinds) or list(told) == step:
        assert found is not None
        assert str(found).strip() == right
    else:
        assert found is None or {*str(found).strip(" ()\n").split()} == {name, *step}


@pytest.mark.parametrize(
    ("parameters", "text", "expected"),
    [
        ("?v ?from ?to", "Drive vehicle1 to place2 from place1.", "(drive vehicle1 place1 place2)"),
        ("?v ?f ?to", "vehicle1 drives from place1 to place2.", "(drive vehicle1 place1 place2)"),
        ("?v ?x ?y", "Drive vehicle1 from place1 to place2.", "(drive vehicle1 place1 place2)"),
        ("?v ?x ?y", "Drive vehicle1 to place2 from place1.", None),
        ("?v ?x ?y", "Drive it from place1 to place2.", None),
    ],
)
def test_from_and_to_give_places(parameters: str, text: str, expected: str | None) -> None:
    moved, *places = parameters.split()
    domain = DOMAIN.format(
        name="drive", typing=" :typing", types="(:types vehicle place)",
        parameters=f"{moved} - vehicle {' '.join(places)} - place", needs="",
    )  # fmt: skip
    objects = "vehicle1 vehicle2 - vehicle place1 place2 - place"
    plan = read_plan(text, "d", read_task(domain, PROBLEM.format(objects=objects, facts=""))).plan
    assert (plan and str(plan).strip()) == expected
