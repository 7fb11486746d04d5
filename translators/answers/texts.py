"""Finds the `Text` of an instance: its domain's, or one with the same actions."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators import domains
from pddl_pipeline.translators.answers.any_answer import read_any_answer
from pddl_pipeline.translators.given_pddl import GivenPddl
from pddl_pipeline.translators.text import Text
from pddl_pipeline.validation.task import Task

_SUFFIX: Final = "_text"
_ANY: Final = Text(read_any_answer)


def text_of(instance: Instance[object], task: Task) -> Text:
    """Return the `Text` of an instance; for unknown domains, it only reads PDDL steps."""
    return _text(words_name(instance, task).replace("-", "_"))


def words_name(instance: Instance[object], task: Task) -> str:
    """Return the domain whose words fit an instance; if none fits, the instance's own domain."""
    given = instance.record
    if not isinstance(given, GivenPddl) or given.known is not None:
        return instance.domain
    actions = frozenset(task.vocabulary.actions)
    return next((name for name in _names() if _text(name).actions == actions), instance.domain)


@cache
def _text(name: str) -> Text:
    if name not in _names():
        return _ANY
    found: Text = import_module(f"{domains.__name__}.{name}{_SUFFIX}").TEXT
    return found


@cache
def _names() -> list[str]:
    """Return the domains with words, by the names of their files."""
    files = [module.name for module in iter_modules(domains.__path__)]
    return [name.removesuffix(_SUFFIX) for name in files if name.endswith(_SUFFIX)]
