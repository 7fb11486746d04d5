"""Read numeric expressions, conditions and effects from nested lists, and check their names."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from operator import contains
from typing import Final, cast

from pddl_pipeline.model.errors import ErrorKind
from pddl_pipeline.model.number import Number, parse_decimal
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.model.text import counted, printable
from pddl_pipeline.validation.definition import OTHER_LANGUAGE, check_name, read_variables
from pddl_pipeline.validation.language import (
    DURATION,
    OCCURRENCE,
    PASSED,
    TOTAL_COST,
    Add,
    And,
    Arithmetic,
    Atom,
    Comparison,
    Condition,
    Constraint,
    Delete,
    Effect,
    Expression,
    Fluent,
    ForEach,
    Ground,
    Imply,
    Not,
    Or,
    Preference,
    Quantified,
    Same,
    Terms,
    Trajectory,
    Types,
    Unsupported,
    Update,
    Variable,
    When,
    rate_of,
)
from pddl_pipeline.validation.sexpr import SExpr, SList, Source, show, slist
from pddl_pipeline.validation.vocabulary import Signature, Vocabulary

Scope = Mapping[str, Types]
"""The variables that a formula may use, with their types."""


def is_number(word: str) -> bool:
    """Return whether a word is meant as a number."""
    return word[0].isdigit() or word[0] in "+-."


COMPARISONS: Final = frozenset({"<", "<=", "=", ">=", ">"})
# A tuple: a list, which has no hash, may stand where a word is expected.
UPDATES: Final = ("assign", "increase", "decrease", "scale-up", "scale-down")
_MAY_BE_EMPTY: Final = (
    ":action", ":constraint", ":constraints", ":durative-action", ":event", ":goal", ":process"
)  # fmt: skip
_PREFERENCE: Final = "preference"
_TIMES: Final = {"always-within": 1, "hold-after": 1, "hold-during": 2, "within": 1}
_CONDITIONS: Final = {
    "always": 1, "always-within": 2, "at-most-once": 1, "hold-after": 1, "hold-during": 1,
    "sometime": 1, "sometime-after": 2, "sometime-before": 2, "within": 1,
}  # fmt: skip
"""The trajectory constraints, with their numbers of conditions; `_TIMES` has those of times."""
_MEANINGS: Final = {
    **dict.fromkeys(("and", "exists", "forall", "imply", "not", "or"), "a condition"),
    **dict.fromkeys(COMPARISONS, "a comparison"),
    **dict.fromkeys(("when", *UPDATES), "an effect"),
    **dict.fromkeys(("+", "-", "*", "/", "^"), "an operation on numbers"),
    **dict.fromkeys(_CONDITIONS, "a trajectory constraint"),
    **dict.fromkeys(("at start", "at end", "over all"), "a time of durative actions"),
    "at": "a time of timed literals and durative actions",
    _PREFERENCE: "allowed in conjunctions and forall only",
}
"""What the words of PDDL are, for messages where something else is expected."""


class FormulaReader:
    """Reader of the formulas of one text, checked against a vocabulary."""

    def __init__(self, source: Source, vocabulary: Vocabulary) -> None:
        self.source = source
        self.vocabulary = vocabulary
        # Ground domains repeat a few hundred propositions a hundred thousand times.
        self._propositions: dict[str, Atom] = {}
        self._changing: dict[str, Atom] = {}
        self.keyword = ""
        """The keyword of the action whose parts are read: some have a duration or time."""
        self.names_occurrence = False
        """Whether what was read of a durative action tells its occurrences apart."""
        self.is_continuous = False
        """Whether the effects that are read are continuous: those of a process, for example."""

    def expression(self, parent: SList, item: int, scope: Scope) -> Expression:
        """Read a numeric expression, item number ``item`` of ``parent``.

        Raises:
            PddlError: the item is not a number, a known function of known terms, or arithmetic on
                these.
        """
        where = parent[item]
        # Its value differs between the occurrences of an action, which so get names of their own.
        if where == DURATION and self.keyword == ":durative-action":
            self.names_occurrence = True
            return Fluent(DURATION, (OCCURRENCE.name,))
        if where == "#t" and self.keyword in (":durative-action", ":event", ":process"):
            if not self.is_continuous:
                self.refuse("#t outside of a continuous effect", parent)
            return PASSED
        if isinstance(where, str) and where not in self.vocabulary.functions:
            return self.number(parent, item)
        if isinstance(where, SList) and where and where[0] in ("+", "-", "*", "/", "^"):
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
        if (
            count < 1
            or (count == 1 and where[0] != "-")
            or (count > 2 and where[0] not in ("+", "*"))
        ):
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
        if (
            isinstance(where, str)
            and where in self.vocabulary.functions
            and not self._value_types(where)
        ):
            if self.vocabulary.functions[where]:
                raise self.source.error(f"found '{where}', expected ({where} …)", parent, item)
            return Fluent(where, ())
        if isinstance(where, str) or not where or not isinstance(where[0], str):
            raise self.source.error(
                f"found {show(where)}, expected a numeric function such as (total-cost)",
                parent,
                item,
            )
        # A function to objects is no number either, so `(+ (place ?x) 1)` is an error.
        if where[0] not in self.vocabulary.functions or self._value_types(where):
            raise self.source.error(
                self.unknown(where, "function"), where, 0, ErrorKind.UNKNOWN_NAME
            )
        terms = self._terms(where, self.vocabulary.functions, "function", scope)
        return Fluent(where[0], terms)

    def atom(self, where: SList, scope: Scope, expected: str = "a condition") -> Atom:
        """Read a predicate of terms, where something else might be ``expected``, too.

        Raises:
            PddlError: the predicate is not declared, or its terms are wrong.
        """
        if not where or not isinstance(where[0], str):
            raise self.source.error(f"found {show(where)}, expected an atom such as (p ?x)", where)
        if where[0] not in self.vocabulary.predicates:
            raise self.source.error(
                self.unknown(where, "predicate", expected), where, 0, ErrorKind.UNKNOWN_NAME
            )
        return Atom(where[0], self._terms(where, self.vocabulary.predicates, "predicate", scope))

    def unknown(self, where: SList, kind: str, expected: str = "a numeric function") -> str:
        """Return why a list begins with no predicate or function: what the word is, if anything."""
        words, name = self.vocabulary, where.head
        # The order matters: a word of PDDL is named as such, also if a type has the same name.
        kinds: tuple[tuple[Container[str], str], ...] = (
            (_MEANINGS, ""),
            (words.predicates, "a predicate"),
            (words.value_types, "an object fluent"),
            (words.functions, "a function"),
            (words.actions, "an action"),
            (words.types.parents, "a type"),
            (words.objects, "an object"),
        )
        for text, (meanings, what) in product((" ".join(map(show, where[:2])), name), kinds):
            # `at` may also be a predicate that is not declared, as in `(at ?robot ?place)`.
            if text in meanings and (what or text != "at" or isinstance(where[-1], SList)):
                return f"'{text}' is {what or _MEANINGS[text]}, expected {expected}"
        near = did_you_mean(name, words.predicates if kind == "predicate" else words.functions)
        return OTHER_LANGUAGE.get(name, f"unknown {kind} '{name}'{near}")

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
        signature = known[name]
        # Most terms are objects of the right types; the rest of this method finds the error.
        if self._are_objects(where[1:], signature):
            return cast("Terms", tuple(where[1:]))
        if len(where) - 1 != len(signature):
            raise self.source.error(
                f"{kind} '{name}' takes {counted(len(signature), 'argument')}, "
                f"found {len(where) - 1}",
                where,
                code=ErrorKind.WRONG_ARITY,
            )
        # A list, not a generator, as in `_conditions`: object fluents may be nested deeply.
        terms = tuple([self._term(where, index, scope) for index in range(1, len(where))])
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
        if isinstance(word, str) and (word in scope or word in self.vocabulary.objects):
            return word
        if self._value_types(word):
            self._terms(
                slist(where.first, [word]) if isinstance(word, str) else word,
                self.vocabulary.functions,
                "function",
                scope,
            )
            return show(word, sys.maxsize)
        if isinstance(word, str):
            is_variable = word.startswith("?")
            kind = "unbound variable" if is_variable else "unknown object"
            near = did_you_mean(word, scope if is_variable else self.vocabulary.objects)
            code = ErrorKind.UNKNOWN_NAME if is_variable else ErrorKind.UNKNOWN_OBJECT
            raise self.source.error(f"{kind} '{word}'{near}", where, item, code)
        raise self.source.error(f"found {show(word)}, expected a variable or object", where, item)

    def _check_type(self, term: str, wanted: Types, where: SList, item: int, scope: Scope) -> None:
        tree = self.vocabulary.types
        if term in self.vocabulary.objects:
            fits = tree.fits(self.vocabulary.objects[term], wanted)
        else:
            # A variable of `(either a b)` may stand for objects of both types, so both must fit.
            types = scope.get(term) or self._value_types(where[item])
            fits = all(tree.fits(tree.with_ancestors([name]), wanted) for name in types)
        if not fits:
            raise self.source.error(
                f"'{term}' is not of the type that '{where[0]}' takes here: {' or '.join(wanted)}",
                where,
                item,
                ErrorKind.WRONG_TYPE,
            )

    def _value_types(self, word: SExpr) -> Types:
        """Return the types of an object fluent; none for another expression."""
        return self.vocabulary.value_types.get(word.head if isinstance(word, SList) else word, ())

    def assigns_object(self, where: SList, scope: Scope) -> bool:
        """Check ``(assign (f …) x)`` or ``(= (f …) x)``; return whether it sets an object fluent.

        Raises:
            PddlError: as for `condition`, or ``x`` is of another type.
        """
        types = self._value_types(where[1]) if len(where) == 3 else ()
        if types and where[2] != "undefined":
            self._check_type(self._term(where, 2, scope), types, where, 2, scope)
        return bool(types and self._term(where, 1, scope))

    def refuse(self, feature: str, where: SList, *, judged: bool = False) -> None:
        """Record a part that is not classical; unless judged, verdicts are ``undecided``."""
        if any(part.judged is judged for part in self.vocabulary.unsupported):
            return  # one is enough, and finding its line takes a search
        self.vocabulary.unsupported.append(
            Unsupported(feature, printable(self.source.file), self.source.line(where), judged)
        )

    def condition(self, where: SExpr, parent: SList, item: int, scope: Scope) -> Condition:
        """Read a condition, item number ``item`` of ``parent``.

        A precondition and a goal may be ``()``, which is true.

        Raises:
            PddlError: unknown word, wrong number of arguments or unbound variable.
        """
        if isinstance(where, str) or not where:
            self._check_empty(where, parent, item, "a condition")
            return And(())
        head = where.head
        # Ground domains only: `(p-a-b)` without terms, read before.
        if len(where) == 1 and head in self._propositions:
            return self._propositions[head]
        if head in ("and", "or"):
            if head == "or":
                self.source.needs(":disjunctive-preconditions", where)
            parts = self._conditions(where, scope)
            return And(parts) if head == "and" else Or(parts)
        if head == "not":
            self._expect(where, 1)
            self.source.needs(":negative-preconditions", where)
            return Not(self.condition(where[1], where, 1, scope))
        if head == "imply":
            self._expect(where, 2)
            self.source.needs(":disjunctive-preconditions", where)
            left, right = self._conditions(where, scope)
            return Imply(left, right)
        if head in ("exists", "forall"):
            kind = "existential" if head == "exists" else "universal"
            self.source.needs(f":{kind}-preconditions", where)
            variables, inner = self.quantified(where, scope)
            part = self.condition(where[2], where, 2, inner)
            return Quantified(head == "forall", variables, part)
        if head in COMPARISONS:
            return self._comparison(where, scope)
        atom = self.atom(where, scope)
        if not atom.terms:
            self._propositions[head] = atom
        return atom

    def preferred(
        self, parent: SList, item: int, scope: Scope, variables: tuple[Variable, ...] = ()
    ) -> tuple[Condition, tuple[Preference, ...]]:
        """Read a condition, item number ``item`` of ``parent``, apart from its preferences.

        Preferences may be in conjunctions and in ``forall``, whose ``variables`` they then have.

        Raises:
            PddlError: as for `condition`.
        """
        where = parent[item]
        head = where[0] if isinstance(where, SList) and where else ""
        if isinstance(where, SList) and self._is_preference(where):
            name = self.preference_name(where)
            condition = self.condition(where[-1], where, len(where) - 1, scope)
            return And(()), (Preference(name, variables, condition),)
        if isinstance(where, SList) and head == "and" and self._prefers:
            read = [self.preferred(where, i, scope, variables) for i in range(1, len(where))]
            return And(tuple([part for part, _ in read])), tuple([p for _, ps in read for p in ps])
        if isinstance(where, SList) and head == "forall" and self._prefers:
            new, inner = self.quantified(where, scope)
            part, found = self.preferred(where, 2, inner, (*variables, *new))
            if found:
                return Quantified(universal=True, variables=new, part=part), found
        return self.condition(where, parent, item, scope), ()

    @cached_property
    def _prefers(self) -> bool:
        """Whether the text may have preferences: most have none, and their words are not read."""
        return self.source.has(_PREFERENCE)

    def _is_preference(self, where: SList) -> bool:
        return where[:1] == [_PREFERENCE] and _PREFERENCE not in self.vocabulary.predicates

    def preference_name(self, where: SList) -> str:
        """Return the name in ``(preference [NAME] …)``, and record it."""
        self.source.needs(":preferences", where)
        self.refuse("a preference", where, judged=True)
        if len(where) not in (2, 3):
            raise self.source.error(f"found {show(where)}, expected (preference NAME …)", where)
        name = "anonymous" if len(where) == 2 else check_name(self.source, where, 1, "a name")
        self.vocabulary.preferences.add(name)
        return name

    def constraints(
        self, parent: SList, item: int, scope: Scope, variables: tuple[Variable, ...] = ()
    ) -> Iterator[Constraint]:
        """Yield the constraints in item number ``item`` of ``parent``.

        Raises:
            PddlError: as for `condition`, or an unknown constraint.
        """
        where = self.list_at(parent, item, "a constraint")
        if where[:1] == ["and"]:
            for index in range(1, len(where)):
                yield from self.constraints(where, index, scope, variables)
        elif where[:1] == ["forall"]:
            new, inner = self.quantified(where, scope)
            yield from self.constraints(where, 2, inner, (*variables, *new))
        elif self._is_preference(where):
            name = self.preference_name(where)
            inside = self._trajectories(where, len(where) - 1, scope, ())
            yield Constraint(name, variables, tuple(inside))
        elif where:
            yield Constraint(None, variables, tuple(self._trajectories(parent, item, scope, ())))

    def _trajectories(
        self, parent: SList, item: int, scope: Scope, variables: tuple[Variable, ...]
    ) -> Iterator[tuple[tuple[Variable, ...], Trajectory]]:
        where = self.list_at(parent, item, "a constraint")
        kind = where.head
        if kind == "and":
            for index in range(1, len(where)):
                yield from self._trajectories(where, index, scope, variables)
        elif kind == "forall":
            new, inner = self.quantified(where, scope)
            yield from self._trajectories(where, 2, inner, (*variables, *new))
        elif where[:2] == ["at", "end"]:
            self._expect(where, 2)
            yield variables, Trajectory("at end", (), (self.condition(where[2], where, 2, scope),))
        elif kind in _CONDITIONS:
            first = 1 + _TIMES.get(kind, 0)
            self._expect(where, first - 1 + _CONDITIONS[kind])
            times = tuple([self.number(where, index) for index in range(1, first)])
            # `(hold-during 5 3 ...)` has no state in it, and would hold for any plan.
            if sorted((0, *times)) != [0, *times]:
                expected = "expected times of at least 0, the earlier one first"
                raise self.source.error(f"found {show(where)}, {expected}", where, 1)
            conditions = tuple(
                [self.condition(where[i], where, i, scope) for i in range(first, len(where))]
            )
            yield variables, Trajectory(kind, times, conditions)
        else:
            known = ", ".join(_CONDITIONS)
            raise self.source.error(
                f"found {show(where)}, expected a constraint: at end, {known}", parent, item
            )

    def list_at(self, parent: SList, item: int, expected: str) -> SList:
        """Return an item that is a list, and empty only as a whole part of an action or problem.

        Raises:
            PddlError: the item is a word or is empty elsewhere.
        """
        where = parent[item]
        if isinstance(where, str) or not where:
            self._check_empty(where, parent, item, expected)
        return cast("SList", where)

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
        # `=` compares objects or numbers; only the operands say which.
        if where[0] == "=" and self._is_term(where[1]) and self._is_term(where[2]):
            return self._equality(where, scope)
        self.source.needs(":numeric-fluents", where)
        return Comparison(
            str(where[0]), self.expression(where, 1, scope), self.expression(where, 2, scope)
        )

    def _is_term(self, word: SExpr) -> bool:
        return bool(self._value_types(word)) or (
            isinstance(word, str)
            and (
                word.startswith("?")
                or word in self.vocabulary.objects
                or not (is_number(word) or word in self.vocabulary.functions)
            )
        )

    def _equality(self, where: SList, scope: Scope) -> Condition:
        """Read the equality of two terms, neither of which may also be meant as a number."""
        self.source.needs(":equality", where)
        functions = [
            word
            for word in where[1:]
            if isinstance(word, str)
            and word in self.vocabulary.functions
            and not self._value_types(word)
        ]
        # `(= cost 5)` if `cost` is a function and an object: as objects, it would be false.
        if functions and all(word in functions or is_number(show(word)) for word in where[1:]):
            raise self.source.error(
                f"'{functions[0]}' is an object and a function; write the function as "
                f"({functions[0]})",
                where,
            )
        return Same(self._term(where, 1, scope), self._term(where, 2, scope))

    def effects(self, where: SExpr, parent: SList, item: int, scope: Scope) -> tuple[Effect, ...]:
        """Read an effect; conjunctions are flattened, and an action's effect may be ``()``.

        Raises:
            PddlError: as for `condition`.
        """
        if isinstance(where, str) or not where:
            self._check_empty(where, parent, item, "an effect")
            return ()
        head = where.head
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
            self.source.needs(":conditional-effects", where)
            condition = self.condition(where[1], where, 1, scope)
            return (When(condition, self.effects(where[2], where, 2, scope)),)
        if head == "forall":
            self.source.needs(":conditional-effects", where)
            variables, widened = self.quantified(where, scope)
            return (ForEach(variables, self.effects(where[2], where, 2, widened)),)
        # The task is undecided anyway if it has object fluents; the names are only checked.
        if head == "assign" and self.assigns_object(where, scope):
            return ()
        if head in UPDATES:
            return (self._update(where, scope),)
        return (Add(self._changed(where, scope)),)

    def _update(self, where: SList, scope: Scope) -> Update:
        self._expect(where, 2)
        head, target = where.head, self.fluent(where, 1, scope)
        if (head, target) != ("increase", TOTAL_COST):
            self.source.needs(":numeric-fluents", where)
        value = self.expression(where, 2, scope)
        if not self.is_continuous:
            return Update(head, target, value)
        rate = rate_of(value) if head in ("increase", "decrease") else None
        if rate is None:
            self.refuse(f"the continuous effect {show(where)}", where)
        # The value does not matter if there is no rate: the task is undecided.
        return Update(head, target, rate or 0)

    def _check_empty(self, where: SExpr, parent: SList, item: int, expected: str) -> None:
        """Check that a word or ``()`` is the ``()`` of an action, a goal or the constraints."""
        if isinstance(where, str) or parent[0] not in _MAY_BE_EMPTY:
            found = f"'{where}'" if isinstance(where, str) else "()"
            raise self.source.error(f"found {found}, expected {expected}", parent, item)

    def _changed(self, where: SList, scope: Scope) -> Atom:
        if len(where) == 1 and isinstance(where[0], str) and where[0] in self._changing:
            return self._changing[where[0]]
        atom = self.atom(where, scope, "an effect")
        if atom.predicate in self.vocabulary.derived:
            raise self.source.error(
                f"'{atom.predicate}' is derived; no effect can change it", where
            )
        if not atom.terms:
            self._changing[atom.predicate] = atom
        return atom

    def quantified(self, where: SList, scope: Scope) -> tuple[tuple[Variable, ...], Scope]:
        """Return the variables of a quantifier or a universal effect, and the scope of its part.

        Raises:
            PddlError: as for `condition`.
        """
        self._expect(where, 2)
        names = where[1]
        if isinstance(names, str):
            raise self.source.error(f"found '{names}', expected a list of variables", where, 1)
        variables = read_variables(self.source, names, 0, self.vocabulary.types)
        return variables, {**scope, **{variable.name: variable.types for variable in variables}}

    def _expect(self, where: SList, count: int) -> None:
        if len(where) - 1 != count:
            raise self.source.error(
                f"'{where[0]}' takes {counted(count, 'argument')}, found {len(where) - 1}", where
            )
