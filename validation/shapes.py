"""Parts of formulas as keys, which are equal for parts that differ only in their form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from pddl_pipeline.validation.language import (
    And,
    Arithmetic,
    Effect,
    ForEach,
    Imply,
    Not,
    Or,
    Quantified,
    Update,
    Variable,
    When,
    parts,
)

Names = Mapping[str, str]
CHANGES: Final = {"+": "increase", "-": "decrease", "*": "scale-up", "/": "scale-down"}
"""The effects that change a number, by the sign of the assignment that does the same."""
_NONE: Final[Names] = MappingProxyType({})


def shape(node: Any, names: Names = _NONE) -> Any:
    """Return a part of a formula as a key.

    The order, nesting and repetition of the parts of ``and`` and ``or`` do not matter, nor does the
    order of variables and types. An implication is a disjunction.

    Args:
        node: the part.
        names: other names for variables, predicates and objects.
    """
    match node:
        case str():
            return names.get(node, node)
        case And() | Or() | Imply():
            kind = And if isinstance(node, And) else Or
            inner = frozenset(shape(part, names) for part in _flat(kind, node))
            # `(and (p))` and `(or (p) (p))` are `(p)`.
            return next(iter(inner)) if len(inner) == 1 else (kind.__name__, inner)
        case Variable(name, types):
            return names.get(name, name), frozenset(types)
        case Quantified(universal, variables, part):
            bound = frozenset(shape(variable, names) for variable in variables)
            return universal, bound, shape(part, names)
        case tuple():
            # With the type: named tuples of several types are equal if their fields are.
            return type(node).__name__, *(shape(part, names) for part in node)
    return node


def _flat(kind: type[Any], node: Any) -> Iterator[Any]:
    if isinstance(node, Imply) and kind is Or:
        node = Or((Not(node.left), node.right))
    if isinstance(node, kind):
        for part in parts(node):
            yield from _flat(kind, part)
    else:
        yield node


def effects_shape(effects: Iterable[Effect], names: Names = _NONE) -> frozenset[Any]:
    """Return effects as a key. Equal changes of a number are counted, other equal effects are not.

    Changes by 0 do not matter: some libraries give such a cost to actions without one.
    """
    found = Counter(_changes(effects, names, frozenset(), ()))
    # Two equal increases change a number twice; two equal adds are one.
    return frozenset((each, each[-1][0] == "Update" and found[each]) for each in found)


def _changes(
    effects: Iterable[Effect], names: Names, bound: frozenset[Any], when: tuple[Any, ...]
) -> Iterator[Any]:
    """Yield the simple effects, each with its variables and its condition."""
    for effect in effects:
        match effect:
            case When(condition, inner):
                yield from _changes(inner, names, bound, (*when, condition))
            case ForEach(variables, inner):
                more = bound.union(shape(variable, names) for variable in variables)
                yield from _changes(inner, names, more, when)
            case Update("increase" | "decrease", _, 0):
                pass
            case Update("assign", fluent, Arithmetic(sign, (first, second))) if (
                first == fluent and sign in CHANGES
            ):
                # `(assign (x) (+ (x) 1))` is `(increase (x) 1)`.
                same = Update(CHANGES[sign], fluent, second)
                yield bound, shape(And(when), names), shape(same, names)
            case _:
                yield bound, shape(And(when), names), shape(effect, names)
