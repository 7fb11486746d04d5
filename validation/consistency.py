"""The objects that arc consistency leaves to the parameters of a query (Mackworth 1977).

An object stays while each atom has a fact that has it in its place, and in each other place an
object that stays.
"""

from __future__ import annotations

from collections.abc import Collection

from pddl_pipeline.validation.language import Ground
from pddl_pipeline.validation.matching import FactIndex, Row
from pddl_pipeline.validation.query import Domains, Query, QueryAtom


def consistent(query: Query, index: FactIndex, row: Row, domains: Domains) -> Domains | None:
    """Return the objects that are left to each slot; None if one has none left.

    Args:
        query: the query.
        index: the facts.
        row: the objects of the slots that are bound.
        domains: the objects that the others may hold.
    """
    left: list[Collection[str]] = [
        domain if name is None else (name,) for name, domain in zip(row, domains, strict=True)
    ]
    queue = dict.fromkeys(query.atoms)
    while queue:
        atom = next(iter(queue))
        del queue[atom]
        facts = _facts(atom, index, row, left)
        if not facts:
            return None
        shrunk = 0
        for position, slot in atom.places:
            names = {fact[position] for fact in facts}
            if len(names) < len(left[slot]):
                left[slot] = names
                shrunk |= 1 << slot
        queue |= dict.fromkeys(other for other in query.atoms if other.slots & shrunk)
    return left


def _facts(atom: QueryAtom, index: FactIndex, row: Row, left: Domains) -> list[Ground]:
    """Return the facts that an atom may be if its terms are among the objects that are left."""
    found = (
        fact
        for fact in index.matching(atom.predicate, atom.places, row)
        if all(fact[position] in left[slot] for position, slot in atom.places)
    )
    slots = len({slot for _, slot in atom.places})
    if slots == len(atom.places):
        return list(found)
    # A parameter that has several places has the same object in all of them.
    return [
        fact
        for fact in found
        if len({(slot, fact[position]) for position, slot in atom.places}) == slots
    ]
