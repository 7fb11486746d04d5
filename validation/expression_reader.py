"""Read atoms, terms and numeric expressions from nested lists, and check their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import contains
from typing import cast

from pddl_pipeline.model.number import Number, parse_decimal
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.validation.language import (
    Arithmetic,
    Atom,
    Expression,
    Fluent,
    Ground,
    Terms,
    Types,
    Unsupported,
)
from pddl_pipeline.validation.sexpr import SExpr, SList, Source, show
from pddl_pipeline.validation.vocabulary import Signature, Vocabulary

Scope = Mapping[str, Types]
"""The variables that a formula may use, with their types."""


class ExpressionReader:
    """Reader of the atoms and numeric expressions of one text, checked against a vocabulary."""

    def __init__(self, source: Source, vocabulary: Vocabulary) -> None:
        self.source = source
        self.vocabulary = vocabulary

    def expression(self, parent: SList, item: int, scope: Scope) -> Expression:
        """Read a numeric expression, item number ``item`` of ``parent``.

        Raises:
            PddlError: the item is not a number, a known function of known terms, or arithmetic on
                these.
        """
        where = parent[item]
        if isinstance(where, str) and where not in self.vocabulary.functions:
            return self.number(parent, item)
        if isinstance(where, SList) and where and where[0] in ("+", "-", "*", "/"):
            self.check_operands(where)
            parts = [self.expression(where, index, scope) for index in range(1, len(where))]
            return Arithmetic(str(where[0]), tuple(parts))
        return self.fluent(parent, item, scope)

    def check_operands(self, where: SList) -> None:
        """Check the number of operands: two; also more for ``+`` and ``*``, and one for ``-``.

        Raises:
            PddlError: the number of operands is wrong.
        """
        count = len(where) - 1
        if count < 1 or (count == 1 and where[0] != "-") or (count > 2 and where[0] in ("-", "/")):
            raise self.source.error(f"found {count} operands of '{where[0]}'", where)

    def number(self, parent: SList, item: int) -> Number:
        """Read a number.

        Raises:
            PddlError: the item is not a decimal number, or has more than 4,300 digits.
        """
        word = parent[item]
        if isinstance(word, str) and word in self.vocabulary.functions:
            raise self.source.error(f"found '{word}', expected ({word})", parent, item)
        try:
            return parse_decimal(word if isinstance(word, str) else show(word))
        except ValueError as error:
            raise self.source.error(f"{error}", parent, item) from None

    def fluent(self, parent: SList, item: int, scope: Scope) -> Fluent:
        """Read a numeric function of terms, item number ``item`` of ``parent``.

        A function without terms may be written without parentheses, as in Kovacs' BNF.

        Raises:
            PddlError: the function is not declared, or its terms are wrong.
        """
        where = parent[item]
        if isinstance(where, str) and where in self.vocabulary.functions:
            if self.vocabulary.functions[where]:
                raise self.source.error(f"found '{where}', expected ({where} …)", parent, item)
            return Fluent(where, ())
        if isinstance(where, str) or not where or not isinstance(where[0], str):
            raise self.source.error(
                f"found {show(where)}, expected a numeric function such as (total-cost)",
                parent, item,
            )  # fmt: skip
        terms = self._terms(where, self.vocabulary.functions, "function", scope)
        return Fluent(where[0], terms)

    def atom(self, where: SList, scope: Scope) -> Atom:
        """Read a predicate of terms.

        Raises:
            PddlError: the predicate is not declared, or its terms are wrong.
        """
        if not where or not isinstance(where[0], str):
            raise self.source.error(f"found {show(where)}, expected an atom such as (p ?x)", where)
        return Atom(where[0], self._terms(where, self.vocabulary.predicates, "predicate", scope))

    def ground_atom(self, where: SList) -> Ground | None:
        """Return a ground atom, or None for anything else, including an invalid atom."""
        signature = self.vocabulary.predicates.get(where[0]) if isinstance(where[0], str) else None
        if signature is None or not self._are_objects(where[1:], signature):
            return None
        return cast("Ground", tuple(where))

    def _terms(
        self, where: SList, known: Mapping[str, Signature], kind: str, scope: Scope
    ) -> Terms:
        name = str(where[0])
        if name in known and self._are_objects(where[1:], known[name]):
            return cast("Terms", tuple(where[1:]))
        if name not in known:
            near = did_you_mean(name, known)
            raise self.source.error(f"unknown {kind} '{name}'{near}", where, 0)
        signature = known[name]
        if len(where) - 1 != len(signature):
            raise self.source.error(
                f"{kind} '{name}' takes {len(signature)} arguments, found {len(where) - 1}", where
            )
        terms = tuple(self._term(where, index, scope) for index in range(1, len(where)))
        for index, (term, wanted) in enumerate(zip(terms, signature, strict=True), start=1):
            self._check_type(term, wanted, where, index, scope)
        return terms

    def _are_objects(self, words: Sequence[SExpr], signature: Signature) -> bool:
        """Return whether all words are objects of the right types; fast, and true of most atoms."""
        try:
            return len(words) == len(signature) and all(
                map(contains, map(self.vocabulary.candidates, signature), words)
            )
        except TypeError:
            return False  # a list is not an object, and cannot be looked up

    def _term(self, where: SList, item: int, scope: Scope) -> str:
        word = where[item]
        if isinstance(word, str):
            if word in scope or word in self.vocabulary.objects:
                return word
            kind = "unbound variable" if word.startswith("?") else "unknown object"
            near = did_you_mean(word, scope if word.startswith("?") else self.vocabulary.objects)
            raise self.source.error(f"{kind} '{word}'{near}", where, item)
        raise self.source.error(f"found {show(word)}, expected a variable or object", where, item)

    def _check_type(self, term: str, wanted: Types, where: SList, item: int, scope: Scope) -> None:
        tree = self.vocabulary.types
        if term in scope:
            fits = any(tree.fits(tree.with_ancestors([name]), wanted) for name in scope[term])
        else:
            fits = tree.fits(self.vocabulary.objects[term], wanted)
        if not fits:
            raise self.source.error(
                f"'{term}' is not of the type that '{where[0]}' takes here: {' or '.join(wanted)}",
                where, item,
            )  # fmt: skip

    def refuse(self, feature: str, where: SList) -> None:
        """Record a part of PDDL that is not judged; verdicts become ``undecided``."""
        if self.vocabulary.unsupported:
            return  # one is enough, and finding its line takes a search
        self.vocabulary.unsupported.append(
            Unsupported(feature, self.source.file, self.source.line(where))
        )


def is_number(word: str) -> bool:
    """Return whether a word is meant as a number."""
    return word[0].isdigit() or word[0] in "+-."
