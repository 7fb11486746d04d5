"""Whether steps may happen at the same time: the mutex rule of PDDL 2.1.

Fox and Long 2003, definition 12: two ground actions interfere if one changes an atom that the other
reads or changes in the opposite way, or a fluent that the other reads or changes. Two actions that
only increase or decrease a fluent do not interfere over it. Actions are ground as in definition 6:
the condition of a conditional effect is always read, and its effects count if it holds. A step that
reads a derived atom reads every atom and fluent that the rules may read to derive it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, product
from typing import Final, NamedTuple

from pddl_pipeline.validation.language import (
    Atom,
    Axiom,
    Binding,
    Fluent,
    ForEach,
    Formula,
    Ground,
    Quantified,
    Types,
    When,
    ground,
    parts,
)
from pddl_pipeline.validation.semantics import Semantics
from pddl_pipeline.validation.state import Changes, State
from pddl_pipeline.validation.vocabulary import Vocabulary

Pattern = tuple[str, ...] | tuple[str | Types, ...]
"""Ground atoms or fluents of one name: each argument is an object or any object of some types."""


class Dependencies:
    """What derived atoms may depend on, by the rules of a task."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._rules: dict[str, list[Axiom]] = {name: [] for name in vocabulary.derived}
        for axiom in chain.from_iterable(vocabulary.strata):
            self._rules[axiom.head.predicate].append(axiom)

    def of(self, atom: Ground) -> set[Pattern]:
        """Return the patterns of all that an atom may depend on; none unless it is derived."""
        found: set[Pattern] = set()
        queue: list[Pattern] = [atom]
        while queue:
            name, *arguments = queue.pop()
            for axiom in self._rules.get(str(name), ()):
                if all(
                    # Types instead of an object: the rule may apply to some object of them.
                    isinstance(argument, tuple)
                    or argument in self._vocabulary.candidates(variable.types)
                    for argument, variable in zip(arguments, axiom.variables, strict=False)
                ):
                    binding = dict(zip(axiom.head.terms, arguments, strict=True))
                    new = set(self._patterns(axiom.body, binding)) - found
                    found |= new
                    queue += new
        return found

    def _patterns(self, formula: Formula, binding: Mapping[str, str | Types]) -> Iterator[Pattern]:
        """Yield the patterns of all atoms and fluents that a formula reads for some objects."""
        match formula:
            case Atom(name, terms) | Fluent(name, terms):
                yield (name, *[binding.get(term, term) for term in terms])
            case Quantified(_, variables, _) if not all(
                self._vocabulary.candidates(variable.types) for variable in variables
            ):
                return  # there is no object for which the part is read
            case Quantified(_, variables, _):
                binding = {**binding, **{each.name: each.types for each in variables}}
        for part in parts(formula):
            yield from self._patterns(part, binding)

    def matches(self, pattern: Pattern, atom: Ground) -> bool:
        """Return whether an atom or fluent has a pattern."""
        return pattern[0] == atom[0] and all(
            each == name if isinstance(each, str) else name in self._vocabulary.candidates(each)
            for each, name in zip(pattern[1:], atom[1:], strict=True)
        )


class Footprint:
    """What one step reads in a state."""

    def __init__(self, semantics: Semantics, dependencies: Dependencies) -> None:
        self._semantics = semantics
        self._dependencies = dependencies
        self.atoms: set[Ground] = set()
        self.fluents: set[Ground] = set()
        self.every: set[Ground] = set()
        """Both, for a step that has been read."""
        self.patterns: set[Pattern] = set()
        """The patterns of all on which the derived atoms that the step reads may depend."""

    def read(self, formula: Formula, binding: Binding, state: State) -> None:
        """Collect what a formula reads; a quantifier reads its part for every object.

        Raises:
            NotJudged: a quantifier ranges over too many objects.
        """
        inner, bindings = parts(formula), iter([binding])
        match formula:
            case Atom(predicate, terms):
                atom = ground(predicate, terms, binding)
                self.atoms.add(atom)
                self.patterns |= self._dependencies.of(atom)
            case Fluent(function, terms):
                self.fluents.add(ground(function, terms, binding))
            # The condition is read also if it does not hold; what the effects read is not.
            case When(condition, _) if not self._semantics.holds(condition, binding, state):
                inner = (condition,)
            case Quantified(_, variables, _) | ForEach(variables, _):
                bindings = self._semantics.bindings(variables, binding)
        for widened in bindings:
            for part in inner:
                self.read(part, widened, state)

    def touched(self, changed: Iterable[Ground]) -> list[Ground]:
        """Return the changed atoms and fluents that the step reads, sorted."""
        matches = self._dependencies.matches
        return sorted(
            each
            for each in set(changed)
            if each in self.atoms
            or each in self.fluents
            or any(matches(pattern, each) for pattern in self.patterns)
        )


class Clash(NamedTuple):
    """How a step interferes with one before it. The words are verbs for messages."""

    shared: Ground
    """The atom or fluent over which they interfere."""
    other: int
    """The place of the step before."""
    theirs: str
    """What the step before does: ``deletes``."""
    mine: str
    """What the step does: ``needs``."""


_DEPENDS: Final = "needs what is derived from"


class Simultaneous:
    """Steps at one time that do not interfere, recorded by what they read and change."""

    def __init__(self, dependencies: Dependencies) -> None:
        self._dependencies = dependencies
        self._adders: dict[Ground, int] = {}
        self._deleters: dict[Ground, int] = {}
        self._updaters: dict[Ground, int] = {}
        self._absolute: dict[Ground, int] = {}
        """Steps that change a fluent other than by increasing or decreasing it."""
        self._readers: dict[Ground, int] = {}
        self._fluent_readers: dict[Ground, int] = {}
        self._pattern_readers: dict[Pattern, int] = {}

    def add(self, position: int, footprint: Footprint, changes: Changes) -> Clash | None:
        """Add a step.

        Args:
            position: its place among the steps.
            footprint: what it reads.
            changes: what it changes.

        Returns:
            How it interferes with a step before; None if it interferes with none.
        """
        absolute = {
            fluent
            for fluent, operator, _ in changes.updates
            if operator not in ("increase", "decrease")
        }
        # The smallest, so that the message does not depend on the order of sets.
        clash = min(self._clashes(footprint, changes, absolute), default=None)
        for known, new in (
            (self._adders, changes.adds),
            (self._deleters, changes.deletes),
            (self._updaters, changes.values),
            (self._absolute, absolute),
            (self._readers, footprint.atoms),
            (self._fluent_readers, footprint.fluents),
        ):
            known.update(dict.fromkeys(new, position))
        self._pattern_readers.update(dict.fromkeys(footprint.patterns, position))
        return clash

    def _clashes(
        self, footprint: Footprint, changes: Changes, absolute: set[Ground]
    ) -> Iterator[Clash]:
        """Yield how a step interferes with each step before."""
        added, deleted, updated = set(changes.adds), set(changes.deletes), changes.values.keys()
        for mine, does, theirs, did in (
            (added, "adds", self._deleters, "deletes"),
            (deleted, "deletes", self._adders, "adds"),
            (added, "adds", self._readers, "needs"),
            (deleted, "deletes", self._readers, "needs"),
            (footprint.atoms, "needs", self._adders, "adds"),
            (footprint.atoms, "needs", self._deleters, "deletes"),
            (updated, "changes", self._fluent_readers, "needs"),
            (footprint.fluents, "needs", self._updaters, "changes"),
            (updated, "changes", self._absolute, "changes"),
            (absolute, "changes", self._updaters, "changes"),
        ):
            yield from (Clash(each, theirs[each], did, does) for each in mine if each in theirs)
        matches, readers = self._dependencies.matches, self._pattern_readers.items()
        for writes, does, before, did in (
            (added, "adds", self._adders, "adds"),
            (deleted, "deletes", self._deleters, "deletes"),
            (updated, "changes", self._updaters, "changes"),
        ):
            for each, (pattern, step) in product(writes, readers):
                if matches(pattern, each):
                    yield Clash(each, step, _DEPENDS, does)
            for pattern, (each, step) in product(footprint.patterns, before.items()):
                if matches(pattern, each):
                    yield Clash(each, step, did, _DEPENDS)
