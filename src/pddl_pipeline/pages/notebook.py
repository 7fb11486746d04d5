"""Values and results as HTML for notebooks; see `model.notebook`."""

from __future__ import annotations

from functools import singledispatch
from itertools import groupby
from typing import Final

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.result import RunResult
from pddl_pipeline.model.text import atom_text, counted
from pddl_pipeline.model.verdict import Verdict
from pddl_pipeline.pages.html_page import part
from pddl_pipeline.pages.pictures.marks import marked_parts, svg_element
from pddl_pipeline.pages.pictures.registry import scene_of
from pddl_pipeline.pages.plan_words import TaskWords
from pddl_pipeline.reporting.report import Report
from pddl_pipeline.reporting.report_tables import coverage_table, progress_text
from pddl_pipeline.runs.solving import Solution
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.score import Scores
from pddl_pipeline.tables.text_table import TextTable
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_TEMPLATE: Final = "notebook.html.j2"
_MOST: Final = 200


@singledispatch
def html_of(value: object) -> str:
    """Return a value as HTML; its text if it is of an unknown type."""
    return part(_TEMPLATE, "other", repr(value))


@html_of.register
def _(task: Task) -> str:
    """Return a picture of the initial state, and the goal."""
    goals = TaskWords(task).goals
    try:
        state = task.initial_state()
    except NotJudged as error:
        why_not = f"The initial state cannot be computed: {error}"
        return part(_TEMPLATE, "task", task, goals, "", why_not)
    scene = scene_of(task, [state])
    if isinstance(scene, str):
        return part(_TEMPLATE, "task", task, goals, "", scene)
    drawing = scene.draw(state)
    picture = svg_element(drawing, marked_parts(drawing)[0], "Initial state")
    return part(_TEMPLATE, "task", task, goals, picture, "")


@html_of.register
def _(plan: Plan) -> str:
    """Return the steps as a numbered list."""
    return part(_TEMPLATE, "plan", [str(step) for step in plan])


@html_of.register
def _(verdict: Verdict) -> str:
    """Return status, cost and reason, with the unsatisfied conditions."""
    return part(_TEMPLATE, "verdict", verdict, verdict.status.sign)


@html_of.register
def _(state: State) -> str:
    """Return the facts, a row for each predicate, and the values."""
    rows = [
        (predicate, [" ".join(fact[1:]) or "true" for fact in facts])
        for predicate, facts in groupby(sorted(state.facts), key=lambda fact: fact[0])
    ]
    values = sorted(state.values.items())[:_MOST]
    rows += [(atom_text(name), [number_text(value)]) for name, value in values]
    return part(_TEMPLATE, "state", state, rows)


@html_of.register
def _(score: Score) -> str:
    """Return the id, the attempt, the verdict and the answer."""
    about = f"{score.id}, attempt {score.attempt}"
    return part(_TEMPLATE, "titled", about, html_of(score.verdict), score.answer.text)


@html_of.register
def _(scores: Scores) -> str:
    """Return a row for each of the first scores that were not taken."""
    left = scores.left()
    rows = tuple(
        (
            each.id or "",
            str(each.attempt or ""),
            str(each.verdict.status),
            each.verdict.reason or "",
        )
        for each in left[:_MOST]
    )
    right = sum(each.correct is True for each in left)
    more = f"; the first {_MOST}" if len(left) > _MOST else ""
    table = TextTable(("id", "attempt", "status", "reason"), rows, names=4)
    return table.to_html(f"{counted(len(left), 'score')}, {right:,} correct{more}")


@html_of.register
def _(solution: Solution) -> str:
    """Return the outcome, the verdict and the plan."""
    attempt, verdict = solution.attempt, solution.verdict
    about = f"{solution.planner.name}: {attempt.outcome} in {attempt.wall_s:.2f} s"
    judged = attempt.reason or "" if verdict is None else html_of(verdict)
    return part(_TEMPLATE, "titled", about, judged, attempt.plan)


@html_of.register
def _(result: RunResult) -> str:
    """Return the outcome, the status and the plan."""
    about = f"{result.name}, {result.planner}: {result.outcome} in {result.wall_s:.2f} s"
    judged = ", ".join(filter(None, (result.status, result.reason)))
    return part(_TEMPLATE, "titled", about, judged, "\n".join(result.plan or ()))


@html_of.register
def _(report: Report) -> str:
    """Return the table of coverage and scores."""
    return coverage_table(report).to_html(progress_text(report))
