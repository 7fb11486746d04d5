"""PlanBench's statement of a task, also used by CATS (Valmeekam et al. 2023)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.prompts.statement import Statement, Style, TaskText
from pddl_pipeline.prompts.statements.facts import FactWords, listed
from pddl_pipeline.prompts.statements.requests import PLAN_END, PLAN_START, THINK
from pddl_pipeline.translators.wording import Sentences, StepWords
from pddl_pipeline.validation.task import Task

_THINK: Final = f"{THINK}, one action a line."
"""This project's request for reasoning; the papers have none."""


def planbench(  # noqa: PLR0913 -- the parts in which CATS differs
    words: StepWords,
    facts: FactWords,
    domain: TaskText,
    *,
    ask: str = "",
    shots: int = 1,
    limit: Callable[[Instance[Any]], str] = lambda _: "",
    adapt: Callable[[Instance[Any], Plan, Instance[Any]], Instance[Any]] = lambda each, *_: each,
) -> Statement:
    """Return PlanBench's statement of a domain.

    Args:
        words: words for steps and objects.
        facts: words for facts, sorted by predicate as PlanBench does.
        domain: the actions and their restrictions.
        ask: the instruction on the form of an answer without reasoning.
        shots: see `Statement`.
        limit: returns a line after the goal that starts with a line break; empty without a limit.
        adapt: see `Statement`.
    """

    def asked(instance: Instance[Any], task: Task) -> str:
        phrases = words.phrases(task)
        init = listed(facts.phrases(facts.initial(instance, task), phrases))
        goal = listed(facts.phrases(facts.goal(instance, task), phrases))
        return (
            f"[STATEMENT]\nAs initial conditions I have that, {init}.\n"
            f"My goal is to have that {goal}.{limit(instance)}"
        )

    def write(plan: Plan, _instance: Instance[Any], task: Task) -> str:
        return "\n".join([*Sentences(words, task).write(plan), PLAN_END])

    styles = {
        "io": Style(write, ask, f"My plan is as follows:\n\n{PLAN_START}"),
        "cot": Style(None, _THINK, "My reasoning and my plan are as follows:"),
    }
    return Statement(domain, asked, styles, shots, facts.covers, adapt, facts, words)
