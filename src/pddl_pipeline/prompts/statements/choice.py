"""Selects the statements of an instance: they must describe the actions that its PDDL has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.prompts.statement import Statement
from pddl_pipeline.prompts.statements.baselines import BASELINES
from pddl_pipeline.prompts.statements.in_pddl import IN_PDDL
from pddl_pipeline.prompts.statements.solved import own_examples
from pddl_pipeline.prompts.texts import described_by
from pddl_pipeline.translators.given_pddl import GivenPddl, own_record, same_actions
from pddl_pipeline.translators.wording import words_name
from pddl_pipeline.validation.task import Task


def statements_of(instance: Instance[Any], task: Task) -> Mapping[str, Statement]:
    """Return the statements that fit an instance, by name, the default first.

    ``pddl`` fits every instance. The forms of baselines are the last ones.
    """
    found: dict[str, Statement] = {}
    is_ours = own_record(instance) is not None
    if is_ours or _is_variant(words_name(instance, task), instance.record.domain):
        every = described_by(instance, task).items()
        found = {name: each for name, each in every if each.covers(instance, task)}
    baselines = {name: each for name, each in BASELINES.items() if each.covers(instance, task)}
    return {**found, "pddl": IN_PDDL, **baselines}


@cache
def _is_variant(name: str, domain: str) -> bool:
    """Return whether a text has the actions of a domain or variant with the words of this name."""
    folder, records = (
        domain_folder(name),
        (example.instance.record for example in own_examples(name)),
    )
    files = (*folder.glob("domain.pddl"), *folder.glob("variants/*.pddl"))
    texts = [file.read_text(encoding="utf-8") for file in files]
    texts += [record.domain for record in records if isinstance(record, GivenPddl)]
    return any(same_actions(text, domain) for text in texts)
