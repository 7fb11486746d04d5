"""From dataset records to instances and PDDL problems, one file a domain."""

from __future__ import annotations

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.pddl_domains import domain_text
from pddl_pipeline.translators.registry import translator


def translate(instance: Instance[object]) -> Problem:
    """Return the instance as PDDL texts: its domain's file and a problem file of its own."""
    return Problem(domain_text(instance.domain), translator(instance.domain).problem(instance))
