"""Runs of baseline searches in this process, without Fast Downward unless a test passes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeVar

from pddl_pipeline import read_task, translate
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.verdict import Verdict
from pddl_pipeline.papers.rewards import ActionScore
from pddl_pipeline.planners.own_process import baselines
from pddl_pipeline.search.baseline import SearchEffort, SearchInput, SearchResult
from pddl_pipeline.translators.records import from_record

baselines()  # imports every search before a test replaces a part of one
COSTS = {"pick-up": 1, "unstack": 1, "put-down": 20, "stack": 1}
GRAPH = """(define (domain graph) (:predicates (at ?x) (edge ?x ?y))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (edge ?x ?y))
   :effect (and (at ?y) (not (at ?x)))))"""
Weights = dict[tuple[str, str], float]
State = TypeVar("State")


class Run(NamedTuple):
    """The result and the effort of a search."""

    finding: SearchResult
    effort: SearchEffort
    given: SearchInput

    @property
    def verdict(self) -> Verdict:
        assert self.finding.plan is not None, self.finding.reason
        return self.given.task.judge(self.finding.plan, budget=self.given.budget)


def given_of(
    problem: Problem,
    folder: Path,
    *,
    budget: Number | None = None,
    commands: Mapping[str, tuple[str, ...]] | None = None,
) -> SearchInput:
    files = (folder / "domain.pddl", folder / "problem.pddl")
    files[0].write_text(problem.domain_pddl)
    files[1].write_text(problem.problem_pddl)
    return SearchInput(read_task(*files), budget, (), folder, files, commands or {})


def run(name: str, given: SearchInput, **settings: Any) -> Run:
    baseline, effort = baselines()[name], SearchEffort()
    finding = baseline.search(given, baseline.settings(**settings), effort)
    return Run(finding, effort, given)


def blocks(init: list[list[str]], goal: list[list[str]], **extras: Any) -> Problem:
    """Return a budget-blocksworld task with the costs of CATS."""
    record = {"id": "b", "domain": "budget-blocksworld", "init": init, "holding": None,
              "goal": goal, "costs": COSTS, "budget": None, **extras}  # fmt: skip
    return translate(from_record(record))


def stacks(rng: Random, names: str) -> list[list[str]]:
    found: list[list[str]] = []
    for block in rng.sample(names, len(names)):
        place = rng.randrange(len(found) + 1)
        if place == len(found):
            found.append([])
        found[place].append(block)
    return found


def drawn(
    seed: int, names: str, most: int = 9
) -> tuple[list[list[str]], list[tuple[str, str]], Problem]:
    """Return random stacks of blocks, pairs that are to be on each other, and the problem."""
    rng = Random(seed)
    init, end = stacks(rng, names), stacks(rng, names)
    goal = [pair[::-1] for stack in end for pair in pairwise(stack)][:most] or [("a", "b")]
    return init, goal, blocks(init, [["on", *pair] for pair in goal])


def graph(edges: Weights, start: str, goal: str) -> Problem:
    """Return the problem of walking along edges."""
    nodes = sorted({node for edge in edges for node in edge} | {start, goal})
    facts = " ".join(f"(edge {x} {y})" for x, y in edges)
    return Problem(
        GRAPH,
        f"(define (problem p) (:domain graph) (:objects {' '.join(nodes)})"
        f" (:init (at {start}) {facts}) (:goal (at {goal})))",
    )


class Known:
    """A reward with the confidence in edges from a table; it records the nodes of its requests."""

    def __init__(self, edges: Weights) -> None:
        self.edges = edges
        self.asked: list[str] = []

    def scores(self, situation: Any, options: Any) -> list[ActionScore]:
        (place,) = [fact for fact in situation.state() if fact.startswith("(at ")]
        assert len(situation.steps()) == situation.spent
        self.asked.append(place[4:-1])
        halves = [self.edges[each.step.arguments] / 2 for each in options]
        return [ActionScore(half, half) for half in halves]


def closure(start: State, following: Callable[[State], Iterable[State]]) -> list[State]:
    """Return all that can be reached, the nearest first."""
    found, known = [start], {start}
    for each in found:  # which grows
        new = [after for after in following(each) if after not in known]
        found += dict.fromkeys(new)
        known.update(new)
    return found
