"""Translates datasets to instances and PDDL: one file per domain and one per format."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pddl_pipeline.model.errors import InputError, check_type
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.problem import Problem
from pddl_pipeline.pddl_domains import domain_text
from pddl_pipeline.translators.given_pddl import GivenPddl, own_record
from pddl_pipeline.translators.translator import PAPER, translator
from pddl_pipeline.validation.task import Task, task_of


def translate(instance: Instance[Any], *, encoding: str = PAPER) -> Problem:
    """Return the PDDL texts of an instance: its domain and its problem.

    Args:
        instance: one given as PDDL keeps its texts unless another encoding is requested.
        encoding: ``paper``, or another encoding of the domain. All encodings of an instance have
            the same plans.

    Raises:
        InputError: the domain does not have the encoding.
        TypeError: the argument is not an instance.
    """
    check_type("instance", instance, Instance, "an Instance, as load_records yields it")
    if isinstance(instance.record, GivenPddl) and encoding == PAPER:
        domain, problem = instance.record.domain, instance.record.problem
    else:
        known = translator(instance.domain).encodings if has_referee(instance) else {}
        if encoding not in known:
            found = f"{instance.id}: {instance.domain} has no encoding '{encoding}'"
            raise InputError(f"{found}, expected {' or '.join(encodings_of(instance))}")
        chosen = known[encoding]
        domain = domain_text(instance.domain, chosen.variant)
        problem = chosen.problem(_own_form(instance))
    return Problem(domain, problem, instance.budget, tuple(instance.extras.get("witness") or ()))


def translate_and_read(instance: Instance[Any], *, encoding: str = PAPER) -> tuple[Problem, Task]:
    """Return the PDDL texts of an instance, and the task that they describe.

    Raises:
        InputError: as `translate`.
    """
    texts = translate(instance, encoding=encoding)
    if isinstance(instance.record, GivenPddl) and encoding == PAPER:
        return texts, instance.record.read()
    return texts, task_of(texts)


def read_instance(instance: Instance[Any]) -> Task:
    """Return the task of an instance, as the validator reads it."""
    return translate_and_read(instance)[1]


class _UnreadTask(Task):
    """The task of a record, which is translated and read when something asks for a part of it."""

    def __init__(self, instance: Instance[Any]) -> None:
        self._instance = instance

    def __getattr__(self, name: str) -> Any:
        # Called for missing parts only, which are all parts until the task is read.
        if "vocabulary" in self.__dict__:  # it is read, and has no such part
            raise AttributeError(name)
        vars(self).update(vars(read_instance(self._instance)))
        return getattr(self, name)


def task_on_demand(instance: Instance[Any]) -> Task:
    """Return the task of an instance; that of a record is read only when it is needed."""
    is_given = isinstance(instance.record, GivenPddl)
    return read_instance(instance) if is_given else _UnreadTask(instance)


def encodings_of(instance: Instance[Any]) -> tuple[str, ...]:
    """Return the encodings of an instance.

    PDDL of a domain without a translator has only the encoding ``paper``: the given text.
    """
    return tuple(translator(instance.domain).encodings) if has_referee(instance) else (PAPER,)


def features_of(instance: Instance[object]) -> frozenset[str]:
    """Return the required planner features: ``numeric``, ``general-numeric``, ``costs``."""
    if isinstance(instance.record, GivenPddl):
        return instance.record.features
    return translator(instance.domain).features


def size_unit(instance: Instance[object]) -> str:
    """Return the unit of an instance's size, such as ``blocks``."""
    if not isinstance(instance.record, GivenPddl):
        return translator(instance.domain).unit
    return translator(instance.record.known.domain).unit if instance.record.known else "objects"


def has_referee(instance: Instance[object]) -> bool:
    """Return whether a referee can play plans: not for PDDL that was not recognised."""
    return own_record(instance) is not None


def referee_fault(instance: Instance[object], plan: Plan) -> str | None:
    """Play a plan on the record, without PDDL; return the first fault, or None."""
    referee = translator(instance.domain).referee
    return referee(_own_form(instance), _our_steps(instance, plan))


def plan_cost(instance: Instance[object], plan: Plan) -> int:
    """Return the cost of a plan, computed from the record alone."""
    return translator(instance.domain).cost(own_record(instance), _our_steps(instance, plan))


def _our_steps(instance: Instance[Any], plan: Plan) -> Plan:
    known = instance.record.known if isinstance(instance.record, GivenPddl) else None
    return known.as_ours(plan) if known else plan


def _own_form(instance: Instance[Any]) -> Instance[Any]:
    """Return an instance of a recognised PDDL task with the record recovered from the PDDL."""
    record = own_record(instance)
    return instance if record is instance.record else replace(instance, record=record)
