"""Finds the statements of an instance: its domain's, or those of one with the same actions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from pddl_pipeline.model.discovery import OWN, plugged_items
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.pddl_domains import files_named
from pddl_pipeline.pddl_domains.words import domain_words
from pddl_pipeline.translators import domains
from pddl_pipeline.translators.given_pddl import own_record
from pddl_pipeline.translators.statements.worded import text_in_words
from pddl_pipeline.translators.text import Text
from pddl_pipeline.validation.task import Task

_SUFFIX: Final = "_text"
"""Suffix of the names of the files that define the `Text` of a domain in code."""


def text_of(instance: Instance[object], task: Task) -> Text:
    """Return the `Text` of an instance; it is empty for unknown domains."""
    return _text(words_name(instance, task))


def words_name(instance: Instance[object], task: Task) -> str:
    """Return the domain whose words fit an instance; if none fits, the instance's own domain."""
    if own_record(instance) is not None:
        return instance.domain
    actions = frozenset(task.vocabulary.actions)
    names = sorted({*files_named("words.toml"), *_in_code()})
    return next((name for name in names if _text(name).actions == actions), instance.domain)


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
    if name not in _in_code():
        own = name in files_named("words.toml")
        return text_in_words(domain_words(name).words_of or name) if own else Text()
    module = f"{domains.__name__}.{name.replace('-', '_')}{_SUFFIX}"
    found: Text = import_module(module).TEXT
    return found


@cache
def _in_code() -> frozenset[str]:
    """Return the domains whose `Text` is defined in code."""
    files = (module.name for module in iter_modules(domains.__path__))
    return frozenset(
        file.removesuffix(_SUFFIX).replace("_", "-") for file in files if file.endswith(_SUFFIX)
    )
