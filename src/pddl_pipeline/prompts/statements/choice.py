"""Selects the statements of an instance: they must describe the actions that its PDDL has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains import domain_folder, domain_names
from pddl_pipeline.prompts.statement import Statement
from pddl_pipeline.prompts.statements.in_pddl import IN_PDDL
from pddl_pipeline.prompts.statements.solved import own_examples
from pddl_pipeline.prompts.texts import text_of
from pddl_pipeline.translators.given_pddl import GivenPddl, own_record, same_actions
from pddl_pipeline.translators.wording import words_name
from pddl_pipeline.validation.task import Task


def statements_of(instance: Instance[Any], task: Task) -> Mapping[str, Statement]:
    """Return the statements that fit an instance, by name, the default first.

    The last one is ``pddl``, which fits every instance.
    """
    found: dict[str, Statement] = {}
    if _is_described(instance, task):
        every = text_of(instance, task).statements.items()
        found = {name: each for name, each in every if each.covers(instance, task)}
    return {**found, "pddl": IN_PDDL}


def _is_described(instance: Instance[Any], task: Task) -> bool:
    """Return whether the words describe the instance's actions."""
    if own_record(instance) is not None:
        return True
    return _is_variant(words_name(instance, task), instance.record.domain)


@cache
def _is_variant(name: str, domain: str) -> bool:
    return any(same_actions(text, domain) for text in _domains(name))


def _domains(name: str) -> Iterator[str]:
    """Yield the texts of the domains and variants that share the words of this name."""
    if name in domain_names():
        folder = domain_folder(name)
        for file in (folder / "domain.pddl", *sorted(folder.glob("variants/*.pddl"))):
            yield file.read_text(encoding="utf-8")
    for example in own_examples(name):
        if isinstance(example.instance.record, GivenPddl):
            yield example.instance.record.domain
