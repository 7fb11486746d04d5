"""A task of organic synthesis: a step names fifteen atoms, and few of the ways to do so apply."""

from __future__ import annotations

from pddl_pipeline import read_task
from pddl_pipeline.validation.task import Task

ATOMS = 30
"""Objects of each type; there are 30 ** 15 ways to name those of a step."""
_DOMAIN = """(define (domain molecules) (:requirements :typing :negative-preconditions)
  (:types carbon hydrogen oxygen - atom)
  (:constants c00 c01 - carbon o02 o03 - oxygen)
  (:predicates (bond ?x ?y - atom) (broken ?x - atom))
  (:action exchange :parameters (?a ?b ?c ?d ?e - carbon ?h ?i ?j ?k ?l - hydrogen
                                 ?o ?p ?q ?r ?s - oxygen)
    :precondition (and (bond ?a ?h) (bond ?b ?i) (bond ?c ?j) (bond ?d ?k) (bond ?e ?l)
                       (bond ?o ?h) (bond ?p ?i) (bond ?q ?j) (bond ?r ?k) (bond ?s ?l)
                       (not (= ?a ?b)) (not (= ?o ?p)) {})
    :effect (broken ?a)))"""


def molecules(further: str = "") -> Task:
    """Return a task whose action needs five molecules, each of three atoms.

    Args:
        further: a further part of the action's precondition.
    """
    numbers = [f"{number:02}" for number in range(ATOMS)]
    facts = " ".join(f"(bond c{n} h{n}) (bond o{n} h{n})" for n in numbers)
    objects = " ".join(
        f"{' '.join(kind[0] + n for n in numbers)} - {kind}"
        for kind in ("carbon", "hydrogen", "oxygen")
    )
    problem = f"""(define (problem p) (:domain molecules) (:objects {objects})
      (:init {facts}) (:goal (broken c00)))"""
    return read_task(_DOMAIN.format(further), problem)
