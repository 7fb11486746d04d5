"""Finds the statements of an instance: its domain's, or those of one with the same actions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final

from pddl_pipeline.model.discovery import OWN, plugged_items
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains import files_named
from pddl_pipeline.pddl_domains.words import domain_words
from pddl_pipeline.prompts.statement import Statement
from pddl_pipeline.prompts.statements.worded import worded
from pddl_pipeline.translators.wording import words_name
from pddl_pipeline.validation.task import Task

_IN_CODE: Final = {"countdown": "countdown", "budget-blocksworld": "budget_blocksworld"}
"""The domains whose statements are defined in code, with the file of each."""


Statements = Mapping[str, Statement]
"""Statements by name (``planbench``, ``simplan``, ``cats``, ``countdown``), default first."""


def described_by(instance: Instance[object], task: Task) -> Statements:
    """Return the statements of an instance's words; none for unknown domains."""
    return _statements(words_name(instance, task))


@cache
def _statements(name: str) -> Statements:
    statements: dict[str, Statement] = {}
    if name in _IN_CODE:
        module = import_module(f"pddl_pipeline.prompts.statements.{_IN_CODE[name]}")
        statements |= module.STATEMENTS
    elif name in files_named("words.toml"):
        statements |= worded(domain_words(name).words_of or name)
    sources = dict.fromkeys(statements, OWN)
    for source, (domain, style, statement) in plugged_items("pddl_pipeline.statements"):
        if domain == name:
            if style in statements:
                raise InputError(
                    f"two statements of {domain} have the name '{style}': one from "
                    f"{sources[style]}, one from {source}"
                )
            statements[style], sources[style] = statement, source
    return statements


def check_statements() -> None:
    """Check that no statement of a plug-in has the name of another one of its domain.

    Raises:
        InputError: two have the same name; the message names both distributions.
    """
    for _, (domain, _, _) in plugged_items("pddl_pipeline.statements"):
        _statements(domain)
