"""Derived predicates: complete states with the atoms that the axioms derive.

The semantics is that of PDDL 2.2 (Edelkamp and Hoffmann 2004, section 3): stratum by stratum, the
least set of atoms that is closed under the rules. It is computed bottom-up and set at a time
(semi-naive evaluation; Abiteboul, Hull and Vianu 1995, section 13.1).

A plan changes few facts a step, so its state keeps one derivation of each derived atom, and no
derivation rests on itself. An atom is removed if its derivation is lost, unless it has another from
what is left: deletion and re-derivation (Gupta, Mumick and Subrahmanian 1993) of less than all that
may depend on a removed fact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from itertools import chain, product
from operator import itemgetter
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.validation.arithmetic import CannotEvaluate
from pddl_pipeline.validation.language import (
    And,
    Atom,
    Axiom,
    Condition,
    Ground,
    Not,
    Or,
    Quantified,
    Variable,
)
from pddl_pipeline.validation.semantics import Frame, Semantics, WorkLimit
from pddl_pipeline.validation.state import Changes, DerivedState, State
from pddl_pipeline.validation.stratification import Read, reads
from pddl_pipeline.validation.vocabulary import Vocabulary

_MOST_BODIES: Final = 64
"""A body with more alternatives is tested as a single condition instead."""

Key = Callable[[Ground], Any]


class _Body(NamedTuple):
    """One alternative of a rule's body."""

    variables: tuple[Variable, ...] = ()
    """The variables of ``exists``; they are joined like those of the head."""
    atoms: tuple[Atom, ...] = ()
    rest: tuple[Condition, ...] = ()
    """Conditions to test once all variables are bound."""


class Changed(NamedTuple):
    """What changes in a state of what the rules read."""

    added: set[Ground]
    removed: set[Ground]
    functions: set[str]


class Axioms:
    """The axioms of a task, ready to complete states."""

    def __init__(self, vocabulary: Vocabulary, semantics: Semantics) -> None:
        self.derived = vocabulary.derived
        self.limit = WorkLimit()
        self.strata = [_Stratum(each, vocabulary, semantics) for each in vocabulary.strata]
        self.reads = frozenset(chain.from_iterable(stratum.reads for stratum in self.strata))
        """The predicates and functions that the rules read."""

    def complete(self, state: State) -> None:
        """Replace the derived atoms of a state with those that its other facts entail.

        Raises:
            NotJudged: a rule reads an undefined fluent or divides by zero, or the work limit is
                exceeded. The state then lacks some of its derived atoms.
        """
        if self.derived:
            Derivation(self, state)

    def changed(self, made: Sequence[Changes], state: State) -> Changed:
        """Return what changes will change of what the rules read."""
        facts = state.facts
        adds = {each for changes in made for each in changes.adds if each[0] in self.reads}
        deletes = {each for changes in made for each in changes.deletes if each[0] in self.reads}
        functions = {_of_function(value[0]) for changes in made for value in changes.values}
        added = {fact for fact in adds if fact not in facts}
        # An atom that is deleted and added stays: deletes come before adds.
        removed = {each for each in deletes - adds if each in facts}
        return Changed(added, removed, functions & self.reads)

    def update(self, state: State, changed: Changed) -> None:
        """Complete a state again after what has changed.

        Raises:
            NotJudged: as for `complete`.
        """
        if not isinstance(state, DerivedState):
            self.complete(state)
        elif any(changed):
            known, state.derivation = state.derivation, None
            if isinstance(known, Derivation):
                with suppress(NotJudged):  # to derive all atoms anew may take less work
                    known.update(changed)
                    state.derivation = known
            state.derivation = state.derivation or Derivation(self, state)


class Derivation:
    """How the derived atoms of a state are derived."""

    def __init__(self, axioms: Axioms, state: State) -> None:
        """Complete a state; see `Axioms.complete`."""
        # A copy of a state has the derived atoms of the original.
        stale = [fact for fact in state.facts if fact[0] in axioms.derived]
        state.facts.difference_update(stale)
        axioms.limit.begin()
        self._facts = _Facts(state.facts, axioms.reads, axioms.limit)
        self._layers = [_Layer(stratum, self._facts, state) for stratum in axioms.strata]

    def update(self, changed: Changed) -> None:
        """Update the derived atoms of the state after what has changed.

        Raises:
            NotJudged: as for `Axioms.complete`.
        """
        self._facts.limit.begin()
        added, removed, functions = changed
        self._facts.change(added, removed)
        names = functions.union(fact[0] for fact in chain(added, removed))
        for layer in self._layers:
            if not layer.stratum.reads.isdisjoint(names):
                lost, new = layer.update(added, removed, names)
                # An atom that was lost and derived again is the same to the layers above.
                added = added | (new - lost)
                removed = removed | (lost - new)
                names.update(fact[0] for fact in lost ^ new)


class _Stratum:
    """Rules that are evaluated together."""

    def __init__(
        self, axioms: Sequence[Axiom], vocabulary: Vocabulary, semantics: Semantics
    ) -> None:
        self.rules = [
            _Rule(axiom, body, vocabulary, semantics)
            for axiom in axioms
            for body in _bodies(axiom.body, {variable.name for variable in axiom.variables})
        ]
        read = {each for axiom in axioms for each in reads(axiom.body)}
        self.reads = {_name(each) for each in read}
        self.tested = {_name(each) for rule in self.rules for each in reads(And(rule.tested))}
        """What a change of which lets all atoms be derived anew."""
        self.is_nested = any(axiom.head.predicate in self.tested for axiom in axioms)
        """Whether a condition that is not joined reads the stratum itself."""
        if self.is_nested or any(each.function for each in read):
            # With numbers, so that what cannot be decided does not depend on the steps before.
            self.tested = self.reads


class _Layer:
    """The atoms of a stratum in a state, with one derivation of each that rests on no other."""

    def __init__(self, stratum: _Stratum, facts: _Facts, state: State) -> None:
        self.stratum, self._facts, self._state = stratum, facts, state
        self._sources: dict[Ground, _Source] = {}
        self._uses: defaultdict[Ground, set[Ground]] | None = None
        """The atoms whose derivations use a fact, or after `_NOT` its absence; None at first."""
        self._extend(self._all())

    def _derived(
        self, joins: Iterable[tuple[_Rule, Atom | None, Iterable[Ground]]]
    ) -> dict[Ground, _Source]:
        """Return the new atoms of several joins; the arguments are those of `_Rule.derived`."""
        new: dict[Ground, _Source] = {}
        for rule, first, given in joins:
            new |= rule.derived(first, given, self._facts, self._state)
        return new

    def _all(self) -> dict[Ground, _Source]:
        return self._derived((rule, None, ((),)) for rule in self.stratum.rules)

    def _extend(self, new: dict[Ground, _Source]) -> set[Ground]:
        """Add atoms and all that the rules derive from them; return all of them."""
        found = set[Ground]()
        while new:
            self._facts.change(new, ())
            self._support(new)
            found.update(new)
            # Semi-naive: a new derivation uses an atom that was new in the last round.
            last, names = new, {atom[0] for atom in new}
            new = self._derived(
                (rule, atom, last)
                for rule in self.stratum.rules
                for atom in rule.atoms
                if atom.predicate in names
            )
            # A condition that is only tested has no join that starts from the new atoms.
            if not new and self.stratum.is_nested:
                new = self._all()
        return found

    def _support(self, new: dict[Ground, _Source]) -> None:
        self._sources.update(new)
        if self._uses is not None:
            for atom, (rule, environment) in new.items():
                for pick in rule.uses:
                    self._uses[pick(environment)].add(atom)

    def update(
        self, added: set[Ground], removed: set[Ground], names: set[str]
    ) -> tuple[set[Ground], set[Ground]]:
        """Update the atoms after changes of facts; return those that are lost and those found.

        An atom may be both. The names are those of the facts.
        """
        if not self.stratum.tested.isdisjoint(names):
            lost, self._sources, self._uses = {*self._sources}, {}, None
            self._facts.change((), lost)
            return lost, self._extend(self._all())
        lost = self._lost(added, removed)
        self._facts.change((), lost)
        new = self._derived(
            (rule, atom, given)
            for rule in self.stratum.rules
            for atoms, given in (([rule.head], lost), (rule.atoms, added), (rule.negated, removed))
            for atom in (atoms if given else ())
        )
        return lost, self._extend(new)

    def _lost(self, added: set[Ground], removed: set[Ground]) -> set[Ground]:
        """Remove the derivations that rest on what has changed; return their atoms."""
        # Most states are derived and left: what uses a fact is recorded from the first loss on.
        if self._uses is None:
            self._uses = defaultdict(set)
            self._support(self._sources)
        # A fact that is added ends the derivations that rest on its absence.
        queue = [*removed, *((_NOT, *fact) for fact in added)]
        found = set[Ground]()
        while queue:
            for atom in self._uses.pop(queue.pop(), set()) - found:
                found.add(atom)
                queue.append(atom)
                rule, environment = self._sources.pop(atom)
                for pick in rule.uses:
                    self._uses[pick(environment)].discard(atom)
        return found


class _Rule:
    """A rule whose body is a conjunction."""

    def __init__(
        self, axiom: Axiom, body: _Body, vocabulary: Vocabulary, semantics: Semantics
    ) -> None:
        self.head, self.atoms = axiom.head, body.atoms
        negated = {
            each: each.part
            for each in body.rest
            if isinstance(each, Not) and isinstance(each.part, Atom)
        }
        self.negated = [*negated.values()]
        # Conditions that read nothing decide first whether another one must be evaluated.
        rest = (each for each in body.rest if each not in negated)
        self.tested = (*sorted(rest, key=lambda condition: any(reads(condition))),)
        variables = (*axiom.variables, *body.variables)
        self.objects = {name: vocabulary.candidates(types) for name, types in variables}
        """The objects that each variable may stand for."""
        self.restricted = {
            name for name in self.objects if len(self.objects[name]) < len(vocabulary.objects)
        }
        frame = Frame(self.objects)
        self.uses = [frame.pick(atom.predicate, *atom.terms) for atom in self.atoms]
        """Functions that return the facts of a derivation in its environment."""
        self.uses += [frame.pick(_NOT, each.predicate, *each.terms) for each in self.negated]
        self._tests = [semantics.condition(each, frame) for each in self.tested]
        self.words = frame.words
        self._joins: dict[Atom | None, _Join] = {}

    def derived(
        self, first: Atom | None, given: Iterable[Ground], facts: _Facts, state: State
    ) -> dict[Ground, _Source]:
        """Return the atoms that the rule derives and that are not in the state yet.

        Args:
            first: an atom of the rule that is one of the given facts; None for no such condition.
            given: these facts, among others; one that is empty for None.
            facts: the facts of the state.
            state: the state.
        """
        join = self._joins.get(first)
        if join is None:
            join = self._joins[first] = _Join(self, first)
        if first is not None:
            given = [fact for fact in given if fact[0] == first.predicate]
        rows, head, environment = join.rows(given, facts), join.absent[0], join.environment
        for pick in join.absent:
            rows = [row for row in rows if pick(row) not in facts.every]
        if self._tests:
            # Sorted, so that always the same one of several atoms cannot be decided.
            rows = [row for row in sorted(rows) if self._holds(environment(row), head(row), state)]
        return {head(row): (self, environment(row)) for row in rows}

    def _holds(self, environment: tuple[str, ...], fact: Ground, state: State) -> bool:
        try:
            return all(test(environment, state) for test in self._tests)
        except CannotEvaluate as error:
            raise NotJudged(f"cannot decide {atom_text(fact)}: {error}") from None


_Source = tuple[_Rule, tuple[str, ...]]
"""A derivation of an atom: a rule and the environment of its variables."""


class _Join:
    """The atoms of a rule in the order in which they are joined.

    A row of the join has the words of the rule, and then those of the facts so far.
    """

    def __init__(self, rule: _Rule, first: Atom | None) -> None:
        """Prepare the join of all atoms of a rule, when the facts of the first one are given."""
        absent = [(each.predicate, *each.terms) for each in (rule.head, *rule.negated)]
        atoms = [(atom.predicate, *atom.terms) for atom in rule.atoms]
        words = dict.fromkeys(
            each for each in chain(rule.words, *absent, *atoms) if each not in rule.objects
        )
        self._begin: Ground = tuple(words)
        self._places = {word: place for place, word in enumerate(words)}
        self._width = len(words)
        self._steps: list[_Step] = []
        if first is not None:
            self._bind(first.terms, rule)
        self._order(atoms, rule)
        self.absent = [self._pick(*each) for each in absent]
        """Functions that return the head and the negated atoms of the rule in a row."""
        self.environment = self._pick(*rule.objects, *rule.words)
        """Returns the environment of the rule in a row."""

    def rows(self, given: Iterable[Ground], facts: _Facts) -> list[Ground]:
        """Return the rows whose first fact is one of the given ones."""
        rows = [self._begin + fact for fact in given]
        for step in self._steps:
            if not rows:
                break
            rows = step(rows, facts)
        return rows

    def _pick(self, *words: str) -> Key:
        """Return a function that returns these words, each variable replaced by its object."""
        places = [self._places[word] for word in words]
        # For one place, itemgetter returns the word itself; a slice keeps the tuple.
        if len(places) > 1:
            return itemgetter(*places)
        return itemgetter(slice(places[0], places[0] + 1) if places else slice(0))

    def _order(self, atoms: list[Ground], rule: _Rule) -> None:
        """Join atoms, the most restricted next."""
        known = self._places
        while atoms:
            atom = min(atoms, key=lambda words: sum(w not in known for w in words) / len(words))
            atoms.remove(atom)
            new = [term for term in atom if term not in known]
            if new:
                bound = [(at, known[word]) for at, word in enumerate(atom) if word in known]
                # The predicate, at 0, is always bound; it is compared only if nothing else is.
                self._steps.append(_matching(atom[0], bound[1:] or bound))
                self._bind(atom[1:], rule)
            # `(linked ?x ?x)`: a new variable is bound at its first place only; look the fact up.
            if len({*new}) < len(new) or not new:
                self._steps.append(_is_fact(self._pick(*atom)))
        # What no atom binds, as in `(not (on ?x ?y))` alone, stands for each of its objects.
        for name, names in rule.objects.items():
            if name not in known:
                self._steps.append(_each(names))
                known[name] = self._width
                self._width += 1

    def _bind(self, terms: Sequence[str], rule: _Rule) -> None:
        """Bind the variables of an atom to the objects of a fact at the end of a row."""
        for place, term in enumerate(terms, start=self._width + 1):
            if self._places.setdefault(term, place) == place and term in rule.restricted:
                self._steps.append(_is_one_of(place, rule.objects[term]))
        self._width += 1 + len(terms)


_Step = Callable[[list[Ground], "_Facts"], list[Ground]]
"""Extends or filters the rows of a join."""


def _matching(predicate: str, known: Sequence[tuple[int, int]]) -> _Step:
    """Return a step that extends each row by the facts of a predicate that agree with it.

    Args:
        predicate: the predicate.
        known: the positions in a fact whose word is in a row, and its place there.
    """
    positions, places = zip(*known, strict=True)
    key = itemgetter(*places)

    def step(rows: list[Ground], facts: _Facts) -> list[Ground]:
        groups = facts.groups(predicate, positions)
        found = [groups.get(each, ()) for each in map(key, rows)]
        facts.limit.spend(sum(map(len, found)))
        return [row + fact for row, group in zip(rows, found, strict=True) for fact in group]

    return step


def _is_fact(pick: Key) -> _Step:
    return lambda rows, facts: [row for row in rows if pick(row) in facts.every]


def _is_one_of(place: int, names: Collection[str]) -> _Step:
    return lambda rows, _: [row for row in rows if row[place] in names]


def _each(names: Collection[str]) -> _Step:
    def step(rows: list[Ground], facts: _Facts) -> list[Ground]:
        facts.limit.spend(len(rows) * len(names))
        return [(*row, name) for row in rows for name in names]

    return step


class _Facts:
    """The facts of a state, those that rules read grouped by the objects at some positions."""

    def __init__(self, every: set[Ground], read: Collection[str], limit: WorkLimit) -> None:
        self.every, self.limit = every, limit
        self._groups: dict[str, dict[tuple[int, ...], tuple[Key, _Groups]]] = {
            name: {(0,): (itemgetter(0), defaultdict(set))} for name in read
        }
        self.change(every, ())

    def groups(self, predicate: str, positions: tuple[int, ...]) -> _Groups:
        """Return the facts of a predicate by the word, or the words, at positions."""
        known = self._groups[predicate]
        if positions not in known:
            key, groups = itemgetter(*positions), _Groups(set)
            # The groups by position 0 hold all facts of the predicate in one group.
            for fact in known[0,][1][predicate]:
                groups[key(fact)].add(fact)
            known[positions] = key, groups
        return known[positions][1]

    def change(self, added: Collection[Ground], removed: Collection[Ground]) -> None:
        """Add facts to the state and remove others."""
        self.every.difference_update(removed)
        self.every.update(added)
        for facts, change in ((removed, set[Ground].discard), (added, set[Ground].add)):
            for fact in facts:
                for key, groups in self._groups.get(fact[0], _NOTHING).values():
                    change(groups[key(fact)], fact)


_Groups = defaultdict[Any, set[Ground]]
_NOTHING: Final[dict[tuple[int, ...], tuple[Key, _Groups]]] = {}
_NOT: Final = "not"
"""Precedes a fact whose absence is meant; no predicate has this name."""


def _name(read: Read) -> str:
    """Return a name of what is read, in which functions and predicates differ."""
    return _of_function(read.name) if read.function else read.name


def _of_function(name: str) -> str:
    return f"= {name}"


def _bodies(condition: Condition, taken: set[str]) -> list[_Body]:
    """Return alternatives whose disjunction is the condition, with as many joins as possible.

    Args:
        condition: the body of a rule, or a part of it.
        taken: variables that are already in scope. An ``exists`` that shadows one of them stays
            a condition to test.
    """
    match condition:
        case Atom():
            return [_Body(atoms=(condition,))]
        case And(parts):
            bodies = [_Body()]
            for part in parts:
                names = taken | {v.name for body in bodies for v in body.variables}
                # `(and (or a b) (or c d))` has four: the product of the alternatives of its parts.
                bodies = [_joined(a, b) for a, b in product(bodies, _bodies(part, names))]
                if len(bodies) > _MOST_BODIES:
                    return [_Body(rest=(condition,))]
            return bodies
        case Or(parts) if not any(map(_compares, parts)):
            return [body for part in parts for body in _bodies(part, taken)]
        case Quantified(False, variables, part) if not (
            _compares(part) or any(v.name in taken for v in variables)
        ):
            inner = _bodies(part, taken | {v.name for v in variables})
            return [body._replace(variables=(*variables, *body.variables)) for body in inner]
    return [_Body(rest=(condition,))]


def _compares(condition: Condition) -> bool:
    """Return whether a condition reads numbers.

    An ``or`` of such parts must short-circuit, and an ``exists`` evaluates all its instances.
    """
    return any(read.function for read in reads(condition))


def _joined(left: _Body, right: _Body) -> _Body:
    return _Body(left.variables + right.variables, left.atoms + right.atoms, left.rest + right.rest)
