"""PlanBench's statement of a task, also used by CATS (Valmeekam et al. 2023)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.prompts.statement import Statement, Style, TaskText, as_it_is
from pddl_pipeline.prompts.statements.facts import FactWords, listed
from pddl_pipeline.prompts.statements.requests import PLAN_END, PLAN_START, THINK
from pddl_pipeline.translators.wording import Sentences, StepWords
from pddl_pipeline.validation.task import Task

_THINK: Final = f"{THINK}, one action a line."
"""This project's request for reasoning; the papers have none."""


@dataclass(frozen=True)
class _Planbench:
    """PlanBench's statement of a domain; see `planbench`."""

    words: StepWords
    facts: FactWords
    limit: Callable[[Instance[Any]], str]

    def task(self, instance: Instance[Any], task: Task) -> str:
        phrases = self.words.phrases(task)
        init = listed(self.facts.phrases(self.facts.initial(instance, task), phrases))
        goal = listed(self.facts.phrases(self.facts.goal(instance, task), phrases))
        return (
            f"[STATEMENT]\nAs initial conditions I have that, {init}.\n"
            f"My goal is to have that {goal}.{self.limit(instance)}"
        )

    def write(self, plan: Plan, instance: Instance[Any], task: Task) -> str:
        del instance
        return "\n".join([*Sentences(self.words, task).write(plan), PLAN_END])

    def think(self, plan: Plan, instance: Instance[Any], task: Task) -> str:
        every = Sentences(self.words, task)
        reasoning = self.facts.reasoning(plan, instance, task, every.write(plan), every.phrases)
        return f"{reasoning}\n\n{PLAN_START}\n{self.write(plan, instance, task)}"


def planbench(  # noqa: PLR0913 -- the parts in which CATS differs
    words: StepWords,
    facts: FactWords,
    domain: TaskText,
    *,
    ask: str = "",
    shots: int = 1,
    limit: Callable[[Instance[Any]], str] = lambda _: "",
    adapt: Callable[[Instance[Any], Plan, Instance[Any]], Instance[Any]] = as_it_is,
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
    parts = _Planbench(words, facts, limit)
    styles = {
        "io": Style(parts.write, ask, f"My plan is as follows:\n\n{PLAN_START}"),
        "cot": Style(parts.think, _THINK, "My reasoning and my plan are as follows:"),
    }
    return Statement(domain, parts.task, styles, shots, facts.covers, adapt, facts, words)


def always_this(text: str) -> TaskText:
    """Return a function that returns the same text for every instance."""
    return lambda _instance, _task: text
