"""The statement that fits every task: the text of its PDDL."""

from __future__ import annotations

from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.prompts.statement import Statement, Style
from pddl_pipeline.prompts.statements.requests import ONLY, THINK, write_pddl
from pddl_pipeline.translators import translate
from pddl_pipeline.validation.task import Task

_FORM: Final = (
    "A plan is a list of actions with their objects, one a line, in parentheses, such as"
    " (action object1 object2), in the order in which they are executed."
)


def _domain(instance: Instance[Any], _task: Task) -> str:
    return f"This is a planning domain in PDDL:\n\n{translate(instance).domain_pddl.strip()}"


def _task(instance: Instance[Any], _task: Task) -> str:
    problem = translate(instance).problem_pddl.strip()
    limit = "" if instance.budget is None else f"\n\nThe plan may cost at most {instance.budget}."
    return f"This is a problem of the domain:\n\n{problem}{limit}"


IN_PDDL: Final = Statement(
    _domain,
    _task,
    {
        "io": Style(write_pddl, f"{_FORM} {ONLY}", "This is a plan for it:"),
        "cot": Style(None, f"{_FORM} {THINK}.", "Let us think step by step."),
    },
)
