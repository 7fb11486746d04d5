"""Recognise the countdown problems of this project among tasks."""

from __future__ import annotations

from contextlib import suppress

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains import domain_text
from pddl_pipeline.translators.domains.countdown import TRANSLATOR, Countdown
from pddl_pipeline.translators.field_checks import FieldFault
from pddl_pipeline.translators.translator import Encoding
from pddl_pipeline.validation.task import Task, read_task


def countdown_of(task: Task) -> Countdown | None:
    """Return the numbers and the target of a countdown problem; None for any other problem."""
    for encoding in TRANSLATOR.encodings.values():
        with suppress(KeyError, FieldFault):
            found = encoding.recover(task, "")
            if _says_the_same(task, found, encoding):
                return found
    return None


def _says_the_same(task: Task, found: Countdown, encoding: Encoding[Countdown]) -> bool:
    """Return whether a task equals the translator's task, apart from its name and metric."""
    instance = Instance("a", "countdown", len(found.numbers), found)
    own = read_task(domain_text("countdown", encoding.variant), encoding.problem(instance))
    return (
        task.vocabulary.actions == own.vocabulary.actions
        and task.vocabulary.objects == own.vocabulary.objects
        and task.facts.facts == own.facts.facts
        and task.facts.values == own.facts.values
        and task.facts.goal == own.facts.goal
        and not task.facts.unsupported
    )
