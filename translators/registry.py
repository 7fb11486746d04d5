"""Finds a domain's translator by name: `budget-blocksworld` has budget_blocksworld.py.

A plug-in's entry point has the domain's name.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, cast

from pddl_pipeline.model.discovery import usable_plugins
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.suggestion import hint
from pddl_pipeline.pddl_domains import domain_names
from pddl_pipeline.translators.translator import Translator


@cache
def translator(domain: str) -> Translator[Any]:
    """Return the translator of a domain.

    Raises:
        InputError: the domain is unknown.
    """
    if domain not in domain_names():
        raise InputError(f"unknown domain '{domain}'{hint(domain, domain_names())}")
    for plugin in usable_plugins("pddl_pipeline.domains"):
        if plugin.name == domain:
            return cast("Translator[Any]", plugin.module.TRANSLATOR)
    module = import_module(f"pddl_pipeline.translators.domains.{domain.replace('-', '_')}")
    found: Translator[Any] = module.TRANSLATOR
    return found
