"""The statement that fits every task: the text of its PDDL."""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.prompts.statement import Statement, Style
from pddl_pipeline.prompts.statements.requests import ONLY, THINK, marked, write_pddl
from pddl_pipeline.translators import translate
from pddl_pipeline.validation.task import Task

_FORM: Final = (
    "A plan is a list of actions with their objects, one a line, in parentheses, such as"
    " (action object1 object2), in the order in which they are executed."
)


def _domain(instance: Instance[Any], task: Task) -> str:
    del task
    return f"This is a planning domain in PDDL:\n\n{translate(instance).domain_pddl.strip()}"


def _task(instance: Instance[Any], task: Task) -> str:
    del task
    problem = translate(instance).problem_pddl.strip()
    limit = "" if instance.budget is None else f"\n\nThe plan may cost at most {instance.budget}."
    return f"This is a problem of the domain:\n\n{problem}{limit}"


def _think(plan: Plan, instance: Instance[Any], task: Task) -> str:
    steps = [
        f"{number}. {happening}" for number, happening in enumerate(_changes(plan, task), start=1)
    ]
    return "\n".join([*steps, "", marked(write_pddl(plan, instance, task))])


def _changes(plan: Plan, task: Task) -> list[str]:
    """Return each step with the facts that become true. Only the plan itself has parentheses."""
    states = [state.facts for state in task.trace(plan)]
    lines = []
    for step, before, after in zip(plan, states, states[1:], strict=False):
        new = ", ".join(sorted(" ".join(fact) for fact in after - before))
        lines.append(" ".join((step.action, *step.arguments)) + (f": now {new}" if new else ""))
    return lines


IN_PDDL: Final = Statement(
    _domain,
    _task,
    {
        "io": Style(write_pddl, f"{_FORM} {ONLY}", "This is a plan for it:"),
        "cot": Style(_think, f"{_FORM} {THINK}.", "Let us think step by step."),
    },
)
