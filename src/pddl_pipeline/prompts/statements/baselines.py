"""The forms of SimPlan's baselines (Hirsch et al., Figures 14 and 15), for tasks in PDDL.

LLM4PDDL (Silver et al. 2022) shows solved problems and no domain. Plansformer (Pallagani et al.
2022) is trained on pairs of a task and a plan. Both have the names of the PDDL.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.prompts.statement import Statement, Style
from pddl_pipeline.translators import translate
from pddl_pipeline.translators.problems import only_atoms
from pddl_pipeline.validation.features import task_features
from pddl_pipeline.validation.language import Add, Atom, Delete, Formula, Not, conjuncts
from pddl_pipeline.validation.sexpr import SList, Source, show
from pddl_pipeline.validation.task import Task

_SHOWN: Final = (":objects", ":init", ":goal")
_PARTS: Final = {*_SHOWN, "problem", ":domain", ":requirements", ":metric"}


def _sections(instance: Instance[Any]) -> Iterator[SList]:
    """Yield the sections of a problem."""
    read = Source(translate(instance).problem_pddl, "problem").read()
    return (part for part in read if isinstance(part, SList) and part)


def _problem(instance: Instance[Any], _task: Task) -> str:
    """Return a problem as Figure 15 prints it: each section on a line, the goal without ``and``."""
    lines = ["Q:"]
    for section in _sections(instance):
        name, *parts = section
        if name not in _SHOWN:
            continue
        # `a b` becomes `a b - object`.
        if name == ":objects" and parts[-2:-1] != ["-"]:
            parts += ["-", "object"]
        if name == ":goal" and isinstance(parts[0], SList) and parts[0][:1] == ["and"]:
            parts = parts[0][1:]
        lines.append(f"({' '.join([str(name), *(show(part, sys.maxsize) for part in parts)])})")
    return "\n".join([*lines, "A:"])


def _has_only_shown_parts(instance: Instance[Any], _task: Task) -> bool:
    return instance.budget is None and all(part[0] in _PARTS for part in _sections(instance))


def _in_one_line(separator: str) -> Mapping[str, Style]:
    """Return the style of answers that have all steps in one line."""

    def write(plan: Plan, _instance: Instance[Any], _task: Task) -> str:
        return separator.join(map(str, plan))

    return {"io": Style(write)}


def _query(_instance: Instance[Any], task: Task) -> str:
    """Return the goal, the state and the actions as Figure 14 prints them.

    The figure's state is sorted. Its first comma has a space before it, which no other has.
    """
    goal = ", ".join(" ".join(fact) for fact in only_atoms(task.facts.goal) or ())
    state = ", ".join(" ".join(fact) for fact in sorted(task.facts.facts))
    lines = [f"<GOAL> {goal}", f"<INIT> {state}"]
    for name, action in task.vocabulary.actions.items():
        conditions, effects = map(_literals, (conjuncts(action.precondition), action.effects))
        lines += [f"<ACTION> {name}", f"  <PRE> {conditions}", f"  <EFFECT> {effects}"]
    return "\n".join(lines)


def _literals(formulas: Iterable[Formula]) -> str:
    """Return atoms, then negated atoms, without the question marks of variables."""
    found = sorted(map(_literal, formulas), key=lambda text: text.startswith("not "))
    return ", ".join(found)


def _literal(formula: Formula) -> str:
    """Return a literal, or an effect that makes one true; empty for any other formula."""
    match formula:
        case Atom(predicate, terms) | Add(Atom(predicate, terms)):
            return " ".join((predicate, *terms)).replace("?", "")
        case Not(Atom() as atom) | Delete(atom):
            return f"not {_literal(atom)}"
        case _:
            return ""


def _has_only_literals(instance: Instance[Any], task: Task) -> bool:
    formulas = (
        formula
        for action in task.vocabulary.actions.values()
        for formula in (*conjuncts(action.precondition), *action.effects)
    )
    literal = all(map(_literal, formulas)) and only_atoms(task.facts.goal) is not None
    return literal and instance.budget is None and not task_features(task)


BASELINES: Final = {
    "llm4pddl": Statement(lambda *_: "", _problem, _in_one_line(" "), 2, _has_only_shown_parts),
    "plansformer": Statement(
        lambda *_: "", _query, _in_one_line(","), covers=_has_only_literals, is_paired=True
    ),
}
