"""Tasks, plans, verdicts and states as HTML for notebooks; see `model.notebook`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from itertools import groupby, islice
from typing import Final

from pddl_pipeline.model.atom import atom_text
from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import number_text
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.pages.escaping import html
from pddl_pipeline.pages.pictures.marks import marked_parts, svg_element
from pddl_pipeline.pages.pictures.registry import scene_of
from pddl_pipeline.pages.plan_words import TaskWords
from pddl_pipeline.validation.explanation import condition_text
from pddl_pipeline.validation.schema import conjuncts
from pddl_pipeline.validation.state import State
from pddl_pipeline.validation.task import Task

_MOST: Final = 200
_SIGNS: Final = {Status.VALID: "✓", Status.INVALID: "✗", Status.MALFORMED: "✗"}


@singledispatch
def html_of(value: object) -> str:
    """Return a value as HTML; its text if it is of an unknown type."""
    return f"<pre>{html(repr(value))}</pre>"


@html_of.register
def _(task: Task) -> str:
    """Return a picture of the initial state, and the goal."""
    name = f"{task.facts.name} ({task.vocabulary.name})"
    counts = f"{len(task.vocabulary.objects):,} objects, {len(task.vocabulary.actions):,} actions"
    words = TaskWords(task)
    goals = (
        f"{html(words.condition(text))} <code>{html(text)}</code>"
        for text in (condition_text(part, {}) for part in conjuncts(task.facts.goal))
    )
    return (
        f"<p><strong>{html(name)}</strong>: {counts}</p>{_picture(task)}"
        f"<p>Goal:</p>{_listed('ul', goals)}"
    )


def _picture(task: Task) -> str:
    try:
        state = task.initial_state()
    except NotJudged as error:
        return f"<p>The initial state cannot be computed: {html(str(error))}</p>"
    scene = scene_of(task, [state])
    if isinstance(scene, str):
        return f"<p>{html(scene)}</p>"
    drawing = scene.draw(state)
    return svg_element(drawing, marked_parts(drawing), "Initial state")


@html_of.register
def _(plan: Plan) -> str:
    """Return the steps as a numbered list."""
    noun = "step" if len(plan) == 1 else "steps"
    steps = (f"<code>{html(str(step))}</code>" for step in plan)
    return f"<p>Plan of {len(plan):,} {noun}</p>{_listed('ol', steps)}"


@html_of.register
def _(verdict: Verdict) -> str:
    """Return status, cost and reason, with the unsatisfied conditions."""
    at = f" at step {verdict.failed_step}" if verdict.failed_step else ""
    cost = "" if verdict.cost is None else f", cost {html(number_text(verdict.cost))}"
    steps = "" if verdict.steps is None else f", {verdict.steps:,} steps"
    why = f"<p>{html(verdict.reason)}</p>" if verdict.reason else ""
    missing = (f"<code>{html(condition)}</code>" for condition in verdict.unsatisfied)
    conditions = _listed("ul", missing) if verdict.unsatisfied else ""
    sign = _SIGNS.get(verdict.status, "?")
    return f"<p><strong>{sign} {verdict.status}{at}</strong>{steps}{cost}</p>{why}{conditions}"


@html_of.register
def _(state: State) -> str:
    """Return the facts, a row for each predicate, and the values."""
    rows = [
        (predicate, ", ".join(" ".join(fact[1:]) or "true" for fact in facts))
        for predicate, facts in groupby(sorted(state.facts), key=lambda fact: fact[0])
    ]
    rows += [
        (atom_text(name), number_text(value))
        for name, value in islice(sorted(state.values.items()), _MOST)
    ]
    cells = "".join(
        f"<tr><th scope='row' style='text-align:left'>{html(name)}</th>"
        f"<td style='text-align:left'>{html(_cut(content))}</td></tr>"
        for name, content in rows
    )
    counts = f"{len(state.facts):,} facts, {len(state.values):,} values"
    return f"<table><caption>State: {counts}</caption><tbody>{cells}</tbody></table>"


def _cut(content: str) -> str:
    parts = content.split(", ")
    more = f", … and {len(parts) - _MOST:,} more" if len(parts) > _MOST else ""
    return ", ".join(parts[:_MOST]) + more


def _listed(kind: str, items: Iterable[str]) -> str:
    """Return a list; only the first of very many items."""
    every = list(items)
    shown = "".join(f"<li>{item}</li>" for item in every[:_MOST])
    left = len(every) - _MOST
    return f"<{kind}>{shown}</{kind}>" + (f"<p>… and {left:,} more</p>" if left > 0 else "")
