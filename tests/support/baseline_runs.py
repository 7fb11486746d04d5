"""Runs of baseline searches in this process, without Fast Downward unless a test passes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pddl_pipeline import read_task, translate
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.model.verdict import Verdict
from pddl_pipeline.planners.own_process import baselines
from pddl_pipeline.search.baseline import SearchEffort, SearchInput, SearchResult
from pddl_pipeline.translators.records import from_record

baselines()  # imports every search before a test replaces a part of one
COSTS = {"pick-up": 1, "unstack": 1, "put-down": 20, "stack": 1}


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
