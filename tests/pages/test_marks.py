"""Tests of marks in pictures: every mark has a fact, every fact has a mark or is listed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from random import Random
from re import findall

import pytest
from places import SUPPORT, TESTS
from plan_walks import walk

from pddl_pipeline.model.plan import Plan
from pddl_pipeline.pages.blockers import blockers
from pddl_pipeline.pages.page_data import PageData
from pddl_pipeline.pages.pictures.picture import Drawing
from pddl_pipeline.pages.pictures.svg import rect
from pddl_pipeline.pages.walk import walk_of
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.task import read_task, task_from_texts

FILES = [
    *((folder / "domain.pddl", folder / "p01.pddl") for folder in (
        *map(domain_folder, domain_names()), *sorted(SUPPORT.glob("foreign_pddl/[!st]*"))
    )),
    *((domain_folder(name) / (f"variants/{own}.pddl" if own else "domain.pddl"), file)
      for file in sorted((TESTS / "pddl_domains" / "public").glob("*/problem.pddl"))
      for name, _, own in [file.parent.name.partition("--")]),
]  # fmt: skip
PUBLIC = [
    (domain, min(problems, key=lambda file: file.stat().st_size))
    for folder in [Path(os.environ.get("PDDL_PIPELINE_DOMAINS", os.devnull))]
    for domain in sorted(folder.glob("*/domain.pddl"))
    if (problems := sorted(set(domain.parent.glob("*.pddl")) - {domain}))
]
"""One problem a folder, of the IPC for instance, for the long test."""


def marked(
    drawings: Iterable[Drawing], parts: Iterable[str], style: str, gap: int = 3, radius: int = 6
) -> list[set[object]]:
    """Return the facts and things of the shapes that each mark of a style is around."""
    boxes = [
        *((each[1:5], {*each.facts, *each.objects, each.within})
          for drawing in drawings for each in drawing.shapes),
        *((spot, {name}) for drawing in drawings for name, spot in drawing.spots.items()),
    ]  # fmt: skip
    marks = [
        (rect(x - gap, y - gap, w + 2 * gap, h + 2 * gap, style, radius), names)
        for (x, y, w, h), names in boxes
    ]
    return [
        set().union(*(names for mark, names in marks if mark == part))
        for part in parts
        if part.endswith(f"class='{style}'/>")
    ]


def names(data: PageData, index: int, *facts: Ground) -> set[object]:
    """Return what facts are about; without objects, that is what holds in their place."""
    instead = [
        each for frame in data.walk.frames[max(index - 1, 0) : index + 1]
        for fact in facts if len(fact) == 1 and fact not in frame.state.facts
        for each in blockers(data.walk.task, frame.state, fact)
    ]  # fmt: skip
    return {*facts, *instead, *data.drawings[index].about([*facts, *instead])}


@pytest.mark.parametrize(
    ("domain", "problem"),
    [
        *FILES,
        *(pytest.param(*files, marks=pytest.mark.long) for files in PUBLIC[:120:2]),
    ],
    ids=lambda file: "-".join(file.parts[-2:]),
)
def test_every_mark_has_a_fact_and_every_fact_a_mark_or_a_line(domain: Path, problem: Path) -> None:
    """On a random walk, and on one whose last step is repeated."""
    task = read_task(domain, problem)
    plan = walk(task, Random(7).choice, 30)
    every = [PageData(walk_of(task, given)) for given in (plan, Plan([*plan, *plan[-1:]]))]
    for data, index in chain(*([(data, n) for n in range(len(data.drawings))] for data in every)):
        frame, (parts, unmarked) = data.walk.frames[index], data.marked[index]
        old, new = data.walk.frames[max(index - 1, 0)].state, frame.state
        changed = {
            **{data.words.fact(f): names(data, index, f) for f in old.facts ^ new.facts},
            **{data.words.number(name): names(data, index, name)
               for name in new.values if new.values[name] != old.values.get(name)},
        }  # fmt: skip
        failing = {
            data.words.condition(text): names(
                data, index, *(tuple(each.split()) for each in findall(r"\(([^()]+)\)", text))
            )
            for text, _ in frame.unsatisfied
        }
        now, before = [data.drawings[index]], data.drawings[max(index - 1, 0) : index]
        blue = marked(now, parts, "new") + marked(before, parts, "old", 0, 4)
        for shown, subjects in ((blue, changed), (marked(now, parts, "fault"), failing)):
            assert all(each & set().union(*subjects.values()) for each in shown), (index, subjects)
            seen = set().union(*shown)
            assert {said for said, own in subjects.items() if not own & seen} <= {*unmarked}, index


def test_what_holds_instead_is_about_the_same_object() -> None:
    """Peg solitaire: the last peg elsewhere is no reason why a hole is free."""
    domain = """(define (domain pegs) (:predicates (peg ?p) (free ?p))
      (:action jump :parameters (?a ?b ?c) :precondition (and (peg ?a) (peg ?b) (free ?c))
       :effect (and (not (peg ?a)) (not (peg ?b)) (not (free ?c)) (free ?a) (free ?b) (peg ?c))))"""
    problem = """(define (problem p) (:domain pegs) (:objects a b c)
      (:init (peg a) (free b) (free c)) (:goal (peg c)))"""
    task = task_from_texts((domain, "domain"), (problem, "problem"))
    assert blockers(task, task.initial_state(), ("peg", "c")) == [("free", "c")]
