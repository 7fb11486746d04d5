"""Read conditions and effects from nested lists, and check their names."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.validation.expression_reader import ExpressionReader, Scope, is_number
from pddl_pipeline.validation.language import (
    Add,
    And,
    Atom,
    Comparison,
    Condition,
    Delete,
    Effect,
    ForEach,
    Imply,
    Not,
    Or,
    Quantified,
    Same,
    Update,
    Variable,
    When,
)
from pddl_pipeline.validation.sexpr import SExpr, SList, Source
from pddl_pipeline.validation.typed_list import read_variables
from pddl_pipeline.validation.vocabulary import Vocabulary

COMPARISONS: Final = frozenset({"<", "<=", "=", ">=", ">"})
UPDATES: Final = frozenset({"assign", "increase", "decrease", "scale-up", "scale-down"})
_NOT_JUDGED: Final = {
    "preference": "a preference",
    **dict.fromkeys(("always", "sometime", "within", "at-most-once", "sometime-after",
                     "sometime-before", "always-within", "hold-during", "hold-after"),
                    "a trajectory constraint"),
}  # fmt: skip


class FormulaReader(ExpressionReader):
    """Reader of the formulas of one text, checked against a vocabulary."""

    def __init__(self, source: Source, vocabulary: Vocabulary) -> None:
        super().__init__(source, vocabulary)
        # Ground domains repeat a few hundred propositions a hundred thousand times.
        self._propositions: dict[str, Atom] = {}
        self._changing: dict[str, Atom] = {}

    def condition(self, where: SExpr, parent: SList, item: int, scope: Scope) -> Condition:
        """Read a condition, item number ``item`` of ``parent``; ``()`` is true.

        Raises:
            PddlError: unknown word, wrong number of arguments or unbound variable.
        """
        if isinstance(where, str):
            raise self.source.error(f"found '{where}', expected a condition", parent, item)
        if not where:
            return And(())
        head = where[0] if isinstance(where[0], str) else ""
        if len(where) == 1 and head in self._propositions:
            return self._propositions[head]
        if head in ("and", "or"):
            parts = self._conditions(where, scope)
            return And(parts) if head == "and" else Or(parts)
        if head == "not":
            self._expect(where, 1)
            return Not(self.condition(where[1], where, 1, scope))
        if head == "imply":
            self._expect(where, 2)
            left, right = self._conditions(where, scope)
            return Imply(left, right)
        if head in ("exists", "forall"):
            self._expect(where, 2)
            variables, inner = self._quantify(where, scope)
            part = self.condition(where[2], where, 2, inner)
            return Quantified(head == "forall", variables, part)
        if head in COMPARISONS:
            return self._comparison(where, scope)
        return self._atomic(where, head, scope)

    def _atomic(self, where: SList, head: str, scope: Scope) -> Condition:
        """Read an atom, or record a condition that is not judged."""
        if head in _NOT_JUDGED and head not in self.vocabulary.predicates:
            self.refuse(_NOT_JUDGED[head], where)
            return And(())
        atom = self.atom(where, scope)
        if not atom.terms:
            self._propositions[head] = atom
        return atom

    def _conditions(self, where: SList, scope: Scope) -> tuple[Condition, ...]:
        # A list, not a generator: a generator would take a part of the thread's stack per level.
        return tuple(
            [
                self.condition(part, where, index, scope)
                for index, part in enumerate(where[1:], start=1)
            ]
        )

    def _comparison(self, where: SList, scope: Scope) -> Condition:
        self._expect(where, 2)
        if where[0] == "=" and self._is_term(where[1]) and self._is_term(where[2]):
            return self._equality(where, scope)
        return Comparison(
            str(where[0]), self.expression(where, 1, scope), self.expression(where, 2, scope)
        )

    def _is_term(self, word: SExpr) -> bool:
        return isinstance(word, str) and (
            word.startswith("?")
            or word in self.vocabulary.objects
            or not (is_number(word) or word in self.vocabulary.functions)
        )

    def _equality(self, where: SList, scope: Scope) -> Condition:
        """Read the equality of two terms, neither of which may also be meant as a number."""
        functions = [word for word in where[1:] if word in self.vocabulary.functions]
        if functions and all(word in functions or is_number(str(word)) for word in where[1:]):
            raise self.source.error(
                f"'{functions[0]}' is an object and a function; write the function as "
                f"({functions[0]})", where,
            )  # fmt: skip
        return Same(self._term(where, 1, scope), self._term(where, 2, scope))

    def effects(self, where: SExpr, parent: SList, item: int, scope: Scope) -> tuple[Effect, ...]:
        """Read an effect; conjunctions are flattened, and ``()`` is the empty effect.

        Raises:
            PddlError: as for `condition`.
        """
        if isinstance(where, str):
            raise self.source.error(f"found '{where}', expected an effect", parent, item)
        if not where:
            return ()
        head = where[0] if isinstance(where[0], str) else ""
        if head == "and":
            parts = enumerate(where[1:], start=1)
            return tuple([e for i, part in parts for e in self.effects(part, where, i, scope)])
        if head == "not":
            self._expect(where, 1)
            inner = where[1]
            if isinstance(inner, str):
                raise self.source.error(f"found '{inner}', expected an atom", where, 1)
            return (Delete(self._changed(inner, scope)),)
        if head == "when":
            self._expect(where, 2)
            condition = self.condition(where[1], where, 1, scope)
            return (When(condition, self.effects(where[2], where, 2, scope)),)
        if head == "forall":
            self._expect(where, 2)
            variables, widened = self._quantify(where, scope)
            return (ForEach(variables, self.effects(where[2], where, 2, widened)),)
        if head in UPDATES:
            self._expect(where, 2)
            target = self.fluent(where, 1, scope)
            return (Update(head, target, self.expression(where, 2, scope)),)
        return (Add(self._changed(where, scope)),)

    def _changed(self, where: SList, scope: Scope) -> Atom:
        if len(where) == 1 and isinstance(where[0], str) and where[0] in self._changing:
            return self._changing[where[0]]
        atom = self.atom(where, scope)
        if atom.predicate in self.vocabulary.derived:
            raise self.source.error(
                f"'{atom.predicate}' is derived; no effect can change it", where
            )
        if not atom.terms:
            self._changing[atom.predicate] = atom
        return atom

    def _quantify(self, where: SList, scope: Scope) -> tuple[tuple[Variable, ...], Scope]:
        names = where[1]
        if isinstance(names, str):
            raise self.source.error(f"found '{names}', expected a list of variables", where, 1)
        variables = read_variables(self.source, names, 0, self.vocabulary.types)
        return variables, {**scope, **{variable.name: variable.types for variable in variables}}

    def _expect(self, where: SList, count: int) -> None:
        if len(where) - 1 != count:
            raise self.source.error(
                f"'{where[0]}' takes {count} arguments, found {len(where) - 1}", where
            )
