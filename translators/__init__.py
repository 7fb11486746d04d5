"""From datasets to instances and PDDL problems: one file a domain, one a format."""

from __future__ import annotations

from typing import Any

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.pddl_domains import domain_text
from pddl_pipeline.translators.given_pddl import GivenPddl
from pddl_pipeline.translators.registry import translator
from pddl_pipeline.translators.translator import Translator


def translate(instance: Instance[object]) -> Problem:
    """Return the instance as PDDL texts: its domain's file and a problem file of its own.

    An instance that was given as PDDL keeps its texts.
    """
    if isinstance(instance.task, GivenPddl):
        domain, problem = instance.task.domain, instance.task.problem
    else:
        domain = domain_text(instance.domain)
        problem = translator(instance.domain).problem(instance)
    return Problem(domain, problem, instance.budget, tuple(instance.extras.get("witness") or ()))


def features_of(instance: Instance[object]) -> frozenset[str]:
    """Return what planners must support: ``numeric``, ``general-numeric``, ``costs``."""
    if isinstance(instance.task, GivenPddl):
        return instance.task.features
    return translator(instance.domain).features


def size_unit(instance: Instance[object]) -> str:
    """Return what the size of an instance counts, such as ``blocks``."""
    if not isinstance(instance.task, GivenPddl):
        return translator(instance.domain).unit
    return translator(instance.task.known.domain).unit if instance.task.known else "objects"


def has_referee(instance: Instance[object]) -> bool:
    """Whether plans can be played without PDDL: not where it is given, and none of our domains."""
    return not isinstance(instance.task, GivenPddl) or instance.task.known is not None


def referee_fault(instance: Instance[object], plan: Plan) -> str | None:
    """Play a plan on the task itself, without PDDL; return the first fault."""
    plug, ours, steps = _in_our_terms(instance, plan)
    return plug.referee(ours, steps)


def plan_cost(instance: Instance[object], plan: Plan) -> int:
    """Return what a plan costs by the record alone."""
    plug, ours, steps = _in_our_terms(instance, plan)
    return plug.cost(ours.task, steps)


def _in_our_terms(
    instance: Instance[Any], plan: Plan
) -> tuple[Translator[Any], Instance[Any], Plan]:
    """Return the translator of an instance that has a referee, with instance and plan for it."""
    if isinstance(instance.task, GivenPddl) and instance.task.known is not None:
        known = instance.task.known
        ours = Instance(instance.id, known.domain, instance.size, known.form)
        return translator(known.domain), ours, known.as_ours(plan)
    return translator(instance.domain), instance, plan
