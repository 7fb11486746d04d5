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
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush
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

Changed = dict[str, set[Ground]]
"""Facts by their predicate."""
Key = Callable[[Ground], Any]


class _Body(NamedTuple):
    """One alternative of a rule's body."""

    variables: tuple[Variable, ...] = ()
    """The variables of ``exists``; they are joined like those of the head."""
    atoms: tuple[Atom, ...] = ()
    rest: tuple[Condition, ...] = ()
    """Conditions to test once all variables are bound."""


class Axioms:
    """The axioms of a task, ready to complete states."""

    def __init__(self, vocabulary: Vocabulary, semantics: Semantics) -> None:
        self.derived = vocabulary.derived
        self.limit = WorkLimit()
        self.strata = [_Stratum(each, vocabulary, semantics) for each in vocabulary.strata]
        self.readers = defaultdict[str, list[int]](list)
        """The numbers of the strata that read a predicate or a function."""
        for number, stratum in enumerate(self.strata):
            for name in stratum.reads:
                self.readers[name].append(number)

    def complete(self, state: State) -> None:
        """Replace the derived atoms of a state with those that its other facts entail.

        Raises:
            NotJudged: a rule reads an undefined fluent or divides by zero, or the work limit is
                exceeded. The state then lacks some of its derived atoms.
        """
        if self.derived:
            Derivation(self, state)

    def changed(self, made: Sequence[Changes], state: State) -> tuple[Changed, Changed]:
        """Return what changes will add to a state and remove from it, of what the rules read.

        A function whose values may change has no facts.
        """
        added, removed = defaultdict[str, set[Ground]](set), defaultdict[str, set[Ground]](set)
        for changes in made:
            for fact in changes.deletes:
                if fact[0] in self.readers and fact in state.facts:
                    removed[fact[0]].add(fact)
        for changes in made:
            for fact in changes.adds:
                if fact[0] in self.readers:
                    removed[fact[0]].discard(fact)
                    if fact not in state.facts:
                        added[fact[0]].add(fact)
            for fluent in changes.values:
                if (name := _of_function(fluent[0])) in self.readers:
                    added[name] = set()
        return added, {name: facts for name, facts in removed.items() if facts}

    def update(self, state: State, added: Changed, removed: Changed) -> None:
        """Complete a state again after the changes that `changed` has returned.

        Raises:
            NotJudged: as for `complete`.
        """
        if not isinstance(state, DerivedState):
            self.complete(state)
        elif added or removed:
            known, state.derivation = state.derivation, None
            try:
                if known is not None:
                    known.update(added, removed)
                    state.derivation = known
            except NotJudged:
                pass  # the derivation of the whole state may take less work
            if state.derivation is None:
                state.derivation = Derivation(self, state)


class Derivation:
    """The derived atoms of one state, and how they are derived."""

    def __init__(self, axioms: Axioms, state: State) -> None:
        """Complete a state; see `Axioms.complete`."""
        self._axioms, self._state = axioms, state
        stale = [fact for fact in state.facts if fact[0] in axioms.derived]
        state.facts.difference_update(stale)
        self._facts = _Facts(state.facts, axioms.readers, axioms.limit)
        self._supports = [_Support() for _ in axioms.strata]
        axioms.limit.begin()
        for number, stratum in enumerate(axioms.strata):
            self._extend(number, self._all(stratum))

    def update(self, added: Changed, removed: Changed) -> None:
        """Update the derived atoms of the state, whose other facts have changed.

        Raises:
            NotJudged: as for `Axioms.complete`.
        """
        self._axioms.limit.begin()
        self._facts.remove({*chain(*removed.values())})
        self._facts.add({*chain(*added.values())})
        due = sorted({n for name in (*added, *removed) for n in self._axioms.readers[name]})
        last = -1
        while due:
            number = heappop(due)
            if number == last:
                continue
            last = number
            lost, new = self._updated(number, added, removed)
            for changed, facts in ((removed, lost - new), (added, new - lost)):
                for name, group in _by_predicate(facts).items():
                    changed[name] = group
                    for reader in self._axioms.readers.get(name, ()):
                        if reader > number:
                            heappush(due, reader)

    def _updated(
        self, number: int, added: Changed, removed: Changed
    ) -> tuple[set[Ground], set[Ground]]:
        """Update the atoms of a stratum; return those that are removed and those that are added."""
        stratum, support = self._axioms.strata[number], self._supports[number]
        if not stratum.tested.isdisjoint((*added, *removed)):
            lost = set(support.sources)
            support = self._supports[number] = _Support()
            self._facts.remove(lost)
            return lost, self._extend(number, self._all(stratum))
        lost = support.lost(stratum.reads, added, removed)
        self._facts.remove(lost)
        new: dict[Ground, _Source] = {}
        dropped = _by_predicate(lost)
        for rule in stratum.rules:
            if rule.head.predicate in dropped:
                new |= self._derived(rule, rule.head, dropped[rule.head.predicate])
            for atoms, changed in ((rule.atoms, added), (rule.negated, removed)):
                for atom in atoms:
                    if atom.predicate in changed:
                        new |= self._derived(rule, atom, changed[atom.predicate])
        return lost, self._extend(number, new)

    def _all(self, stratum: _Stratum) -> dict[Ground, _Source]:
        """Return the atoms that each rule of a stratum derives."""
        new: dict[Ground, _Source] = {}
        for rule in stratum.rules:
            new |= self._derived(rule, None, ((),))
        return new

    def _derived(
        self, rule: _Rule, first: Atom | None, given: Iterable[Ground]
    ) -> dict[Ground, _Source]:
        return rule.derived(first, given, self._facts, self._state)

    def _extend(self, number: int, new: dict[Ground, _Source]) -> set[Ground]:
        """Add atoms and all that the rules of a stratum derive from them; return all of them."""
        stratum, support = self._axioms.strata[number], self._supports[number]
        found = set[Ground]()
        while new:
            self._facts.add(new)
            support.add(new)
            found.update(new)
            last, new = _by_predicate(new), {}
            for rule in stratum.rules:
                for atom in rule.atoms:
                    if atom.predicate in last:
                        new |= self._derived(rule, atom, last[atom.predicate])
            if not new and stratum.is_nested:
                new = self._all(stratum)
        return found


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
        heads = {axiom.head.predicate for axiom in axioms}
        self.reads = {_name(read) for axiom in axioms for read in reads(axiom.body)}
        """The predicates and functions that the rules read."""
        self.tested = {name for rule in self.rules for name in rule.tested}
        """Those of which a change lets the stratum be derived anew."""
        self.is_nested = not heads.isdisjoint(self.tested)
        """Whether a condition that is not joined reads the stratum itself."""
        if self.is_nested or any(read.function for axiom in axioms for read in reads(axiom.body)):
            # With numbers, so that what cannot be decided does not depend on the steps before.
            self.tested = self.reads


class _Source(NamedTuple):
    """A derivation of an atom: a rule and the environment of its variables."""

    rule: _Rule
    environment: tuple[str, ...]


class _Support:
    """One derivation of each atom of a stratum; no derivation rests on itself."""

    def __init__(self) -> None:
        self.sources: dict[Ground, _Source] = {}
        self._uses: defaultdict[Ground, set[Ground]] | None = None
        """The atoms whose derivations use a fact, or after `_NOT` its absence; None at first."""

    def add(self, new: Mapping[Ground, _Source]) -> None:
        self.sources.update(new)
        if self._uses is not None:
            for atom, (rule, environment) in new.items():
                for pick in rule.uses:
                    self._uses[pick(environment)].add(atom)

    def lost(self, read: set[str], added: Changed, removed: Changed) -> set[Ground]:
        """Remove and return the atoms whose derivations rest on what has changed."""
        if self._uses is None:
            self._uses = defaultdict(set)
            self.add(self.sources)
        queue = [fact for name in read & removed.keys() for fact in removed[name]]
        queue += [(_NOT, *fact) for name in read & added.keys() for fact in added[name]]
        found = set[Ground]()
        while queue:
            for atom in self._uses.pop(queue.pop(), ()):
                if atom in found:
                    continue
                found.add(atom)
                queue.append(atom)
                rule, environment = self.sources.pop(atom)
                for pick in rule.uses:
                    self._uses[pick(environment)].discard(atom)
        return found


class _Rule:
    """A rule whose body is a conjunction."""

    def __init__(
        self, axiom: Axiom, body: _Body, vocabulary: Vocabulary, semantics: Semantics
    ) -> None:
        self.head, self.atoms = axiom.head, tuple(dict.fromkeys(body.atoms))
        self.negated: list[Atom] = []
        tested: list[Condition] = []
        for condition in body.rest:
            match condition:
                case Not(Atom() as atom):
                    self.negated.append(atom)
                case _:
                    tested.append(condition)
        # Conditions that read nothing decide first whether another one must be evaluated.
        tested.sort(key=lambda condition: any(reads(condition)))
        self.tested = {_name(read) for condition in tested for read in reads(condition)}
        self._variables = (*axiom.variables, *body.variables)
        self._vocabulary = vocabulary
        frame = Frame(variable.name for variable in self._variables)
        self.uses = [frame.pick(each.predicate, *each.terms) for each in self.atoms]
        """Functions that return the facts of a derivation in its environment."""
        self.uses += [frame.pick(_NOT, each.predicate, *each.terms) for each in self.negated]
        self._tests = [semantics.condition(each, frame) for each in tested]
        self._words = frame.words
        self._joins: dict[Atom | None, _Join] = {}

    def join(self, first: Atom | None) -> _Join:
        """Return the join of the rule's atoms that starts with facts of one of them."""
        known = self._joins.get(first)
        if known is None:
            words = [*self._words, self.head.predicate]
            for atom in (*self.atoms, *self.negated):
                words += [atom.predicate, *(each for each in atom.terms if not _is_variable(each))]
            known = self._joins[first] = _Join(words, self._variables, self._vocabulary)
            apart = (self.head, *self.negated)  # these are no facts, unless an atom is the same
            known.join(first, [atom for atom in self.atoms if atom != first or atom in apart])
            known.pick_head = known.pick(self.head.predicate, *self.head.terms)
            known.pick_negated = [known.pick(each.predicate, *each.terms) for each in self.negated]
            names = (variable.name for variable in self._variables)
            known.pick_environment = known.pick(*names, *self._words)
        return known

    def derived(
        self, first: Atom | None, given: Iterable[Ground], facts: _Facts, state: State
    ) -> dict[Ground, _Source]:
        """Return the atoms that the rule derives and that are not in the state yet.

        Args:
            first: an atom of the rule that is one of the given facts; None for no such condition.
            given: these facts; one that is empty for None.
            facts: the facts of the state.
            state: the state.
        """
        join = self.join(first)
        rows = join.rows(given, facts)
        head, environment, known = join.pick_head, join.pick_environment, state.facts
        for absent in (head, *join.pick_negated):
            rows = [row for row in rows if absent(row) not in known]
        if self._tests:
            # Sorted, so that always the same one of several atoms cannot be decided.
            rows = [row for row in sorted(rows) if self._holds(environment(row), head(row), state)]
        return {head(row): _Source(self, environment(row)) for row in rows}

    def _holds(self, environment: tuple[str, ...], fact: Ground, state: State) -> bool:
        try:
            return all(test(environment, state) for test in self._tests)
        except CannotEvaluate as error:
            raise NotJudged(f"cannot decide {atom_text(fact)}: {error}") from None


class _Join:
    """Atoms in the order in which they are joined.

    A row of the join has some words of the rule, and then those of the facts so far.
    """

    pick_head: Key
    pick_negated: list[Key]
    pick_environment: Key
    """These return the head, the negated atoms and the environment of the rule in a row."""

    def __init__(
        self, words: Iterable[str], variables: Sequence[Variable], vocabulary: Vocabulary
    ) -> None:
        self._begin = tuple(dict.fromkeys(words))
        self._places = {word: place for place, word in enumerate(self._begin)}
        self._width = len(self._begin)
        self._variables, self._vocabulary = variables, vocabulary
        self._steps: list[_Step] = []

    def rows(self, given: Iterable[Ground], facts: _Facts) -> list[Ground]:
        """Return the rows whose first fact is one of the given ones."""
        rows = [self._begin + fact for fact in given]
        for step in self._steps:
            rows = step(rows, facts)
        return rows

    def pick(self, *words: str) -> Key:
        """Return a function that returns these words, each variable replaced by its object."""
        return _picker([self._places[word] for word in words])

    def join(self, first: Atom | None, others: list[Atom]) -> None:
        """Order the atoms, the most restricted next, and bind the other variables."""
        if first is not None:
            self._append(first, is_given=True)
        while others:
            atom = min(others, key=self._openness)
            others.remove(atom)
            self._append(atom, is_given=False)
        for name, types in self._variables:
            if name not in self._places:
                self._steps.append(_each(self._vocabulary.candidates(types)))
                self._places[name] = self._width
                self._width += 1

    def _openness(self, atom: Atom) -> tuple[bool, int]:
        variables = {term for term in atom.terms if _is_variable(term)}
        unbound = variables - self._places.keys()
        return len(unbound) == len(variables) > 0, len(unbound)

    def _append(self, atom: Atom, *, is_given: bool) -> None:
        """Join the rows with the facts of an atom, or with given ones."""
        known: list[tuple[int, int]] = []
        again: list[tuple[int, int]] = []
        begin, new = self._width, set[str]()
        for position, term in enumerate(atom.terms, start=1):
            place = self._places.setdefault(term, begin + position)
            if place == begin + position:
                new.add(term)
            elif place < begin and not is_given:
                known.append((position, place))
            else:
                again.append((begin + position, place))
        if new or is_given:
            self._width += len(atom.terms) + 1
        if not new and not is_given:
            self._steps.append(_is_fact(self.pick(atom.predicate, *atom.terms)))
        elif not is_given:
            self._steps.append(
                _matching(atom.predicate, known or [(0, self._places[atom.predicate])])
            )
        self._steps += [_are_equal(*each) for each in again]
        for name, types in self._variables:
            names = self._vocabulary.candidates(types)
            if name in new and len(names) < len(self._vocabulary.objects):
                self._steps.append(_is_one_of(self._places[name], names))


_Step = Callable[[list[Ground], "_Facts"], list[Ground]]
"""Extends or filters the rows of a join."""


def _matching(predicate: str, known: Sequence[tuple[int, int]]) -> _Step:
    """Return a step that extends each row by the facts of a predicate that agree with it.

    Args:
        predicate: the predicate.
        known: the positions in a fact whose word is in a row, and its place there.
    """
    positions = tuple(position for position, _ in known)
    key = itemgetter(*(place for _, place in known))

    def step(rows: list[Ground], facts: _Facts) -> list[Ground]:
        groups = facts.groups(predicate, positions)
        found = [groups.get(each, ()) for each in map(key, rows)]
        facts.limit.spend(sum(map(len, found)))
        return [row + fact for row, group in zip(rows, found, strict=True) for fact in group]

    return step


def _is_fact(pick: Key) -> _Step:
    def step(rows: list[Ground], facts: _Facts) -> list[Ground]:
        every = facts.every
        return [row for row in rows if pick(row) in every]

    return step


def _are_equal(one: int, other: int) -> _Step:
    return lambda rows, _: [row for row in rows if row[one] == row[other]]


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
        self._update(every, set.add)

    def groups(self, predicate: str, positions: tuple[int, ...]) -> _Groups:
        """Return the facts of a predicate by the object, or the objects, at positions.

        Position 0 is the predicate itself.
        """
        known = self._groups[predicate]
        if positions not in known:
            key, groups = itemgetter(*positions), defaultdict[Any, set[Ground]](set)
            for fact in known[0,][1].get(predicate, ()):
                groups[key(fact)].add(fact)
            known[positions] = key, groups
        return known[positions][1]

    def add(self, facts: Collection[Ground]) -> None:
        self.every.update(facts)
        self._update(facts, set.add)

    def remove(self, facts: Collection[Ground]) -> None:
        self.every.difference_update(facts)
        self._update(facts, set.discard)

    def _update(
        self, facts: Iterable[Ground], change: Callable[[set[Ground], Ground], None]
    ) -> None:
        for fact in facts:
            for key, groups in self._groups.get(fact[0], _NONE).values():
                change(groups[key(fact)], fact)


_Groups = defaultdict[Any, set[Ground]]
_NONE: Final[dict[tuple[int, ...], tuple[Key, _Groups]]] = {}
_NOT: Final = "not"
"""Precedes a fact whose absence is meant; no predicate has this name."""


def _picker(places: Sequence[int]) -> Key:
    """Return a function that returns the words at places, as a tuple also if there is one."""
    if len(places) > 1:
        return itemgetter(*places)
    first = places[0] if places else 0
    return itemgetter(slice(first, first + len(places)))


def _is_variable(term: str) -> bool:
    return term.startswith("?")


def _name(read: Read) -> str:
    """Return a name of what is read, in which functions and predicates differ."""
    return _of_function(read.name) if read.function else read.name


def _of_function(name: str) -> str:
    return f"= {name}"


def _by_predicate(facts: Iterable[Ground]) -> Changed:
    groups = defaultdict[str, set[Ground]](set)
    for fact in facts:
        groups[fact[0]].add(fact)
    return groups


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
