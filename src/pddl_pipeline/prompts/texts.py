"""Finds the statements of an instance: its domain's, or those of one with the same actions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Final

from pddl_pipeline.model.discovery import OWN, plugged_items
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains import files_named
from pddl_pipeline.pddl_domains.words import domain_words
from pddl_pipeline.prompts.statement import Text
from pddl_pipeline.prompts.statements.worded import text_in_words
from pddl_pipeline.translators.wording import words_name
from pddl_pipeline.validation.task import Task

_IN_CODE: Final = {"countdown": "countdown", "budget-blocksworld": "budget_blocksworld"}
"""The domains whose statements are defined in code, with the file of each."""


def text_of(instance: Instance[object], task: Task) -> Text:
    """Return the `Text` of an instance; it is empty for unknown domains."""
    return _text(words_name(instance, task))


@cache
def _text(name: str) -> Text:
    text = _own_text(name)
    statements = dict(text.statements)
    sources = dict.fromkeys(statements, OWN)
    for source, (domain, style, statement) in plugged_items("pddl_pipeline.statements"):
        if domain == name:
            if style in statements:
                raise InputError(
                    f"two statements of {domain} have the name '{style}': one from "
                    f"{sources[style]}, one from {source}"
                )
            statements[style], sources[style] = statement, source
    return replace(text, statements=statements)


def check_statements() -> None:
    """Check that no statement of a plug-in has the name of another one of its domain.

    Raises:
        InputError: two have the same name; the message names both distributions.
    """
    for _, (domain, _, _) in plugged_items("pddl_pipeline.statements"):
        _text(domain)


def _own_text(name: str) -> Text:
    if name in _IN_CODE:
        found: Text = import_module(f"pddl_pipeline.prompts.statements.{_IN_CODE[name]}").TEXT
        return found
    own = name in files_named("words.toml")
    return text_in_words(domain_words(name).words_of or name) if own else Text()
