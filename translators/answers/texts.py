"""Finds the `Text` of an instance: its domain's, or one that knows the same actions."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from pddl_pipeline import translators
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.translators.answers.pddl_answer import read_pddl_answer
from pddl_pipeline.translators.given_pddl import GivenPddl
from pddl_pipeline.translators.text import Text
from pddl_pipeline.validation.task import Task

_SUFFIX: Final = "_text"
_ANY: Final = Text(read_pddl_answer)


@cache
def texts() -> dict[str, Text]:
    """Return the texts by name of their domain, with hyphens."""
    found = [module.name for module in iter_modules(translators.__path__)]
    return {
        name.removesuffix(_SUFFIX).replace("_", "-"): _text(name)
        for name in found
        if name.endswith(_SUFFIX) and name != "pddl_text"
    }


def _text(name: str) -> Text:
    found: Text = import_module(f"{translators.__name__}.{name}").TEXT
    return found


def text_of(instance: Instance[object], task: Task) -> Text:
    """Return how an instance is put into words; one of an unknown domain only reads PDDL steps."""
    given = instance.task
    if not isinstance(given, GivenPddl) or given.known is not None:
        return texts().get(instance.domain, _ANY)
    actions = frozenset(task.vocabulary.actions)
    return next((text for text in texts().values() if text.actions == actions), _ANY)
