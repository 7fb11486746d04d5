"""Read PDDL problem files; leniently, ignore what is wrong in them but read by other parsers.

What is ignored becomes blanks in the text. The rest is read as strictly as any text, also by
planners and by other validators.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from pddl_pipeline.model.number import Number
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.validation.definition import Definition, read_definition
from pddl_pipeline.validation.domain_reader import read_constraints, read_domain, read_objects
from pddl_pipeline.validation.formula_reader import FormulaReader
from pddl_pipeline.validation.language import (
    TOTAL_TIME,
    VIOLATED,
    Action,
    Add,
    And,
    Arithmetic,
    Atom,
    Condition,
    Delete,
    Effect,
    Expression,
    Fluent,
    Ground,
    Metric,
    Preference,
    ProblemFacts,
    Update,
)
from pddl_pipeline.validation.plan_reader import time_text
from pddl_pipeline.validation.sexpr import DONE, SExpr, SList, Source, show
from pddl_pipeline.validation.vocabulary import Vocabulary

_KEYWORDS: Final = (
    ":domain", ":requirements", ":objects", ":init", ":goal", ":metric", ":constraints", ":length"
)  # fmt: skip


def read_problem(source: Source, domain: Vocabulary) -> tuple[ProblemFacts, Vocabulary]:
    """Read a problem file against its domain.

    Where others forgive a text that is not PDDL, the source decides; see `Source.forgive`.

    Returns:
        The problem, and the domain's vocabulary extended by the problem's objects.

    Raises:
        PddlError: syntax error, unknown name or wrong number of arguments; with line and column.
    """
    definition = read_definition(source, "problem", _KEYWORDS)
    vocabulary = domain.extended()
    requirements = vocabulary.requirements | definition.requirements(source)
    _check_domain(source, definition, domain.name)
    for section in definition.all(":objects"):
        read_objects(source, section, vocabulary)
    reader = FormulaReader(source, vocabulary)
    init = _InitReader(reader)
    inits = definition.all(":init")
    if len(inits) > 1:
        raise source.error("found a second (:init …)", inits[1])
    if not inits:
        raise source.error("expected (:init …)", definition.whole)
    init.read(inits[0])
    timed = [
        (time, Action(init.timed_name(time), (), And(()), tuple(init.timed[time].values())))
        for time in sorted(init.timed)
    ]
    if timed:
        vocabulary.snaps = vocabulary.snaps | {action.name: action for _, action in timed}
    goal, preferences = _goal(reader, definition)
    constraints = (*vocabulary.constraints, *read_constraints(reader, definition))
    metric = _metric(reader, definition)
    facts = ProblemFacts(
        definition.name,
        frozenset(init.facts),
        init.values,
        goal,
        metric,
        tuple(vocabulary.unsupported),
        tuple(timed),
        preferences,
        constraints,
    )
    vocabulary.warnings += source.warnings(requirements)
    vocabulary.needed = vocabulary.needed | source.needed()
    return facts, vocabulary


def _check_domain(source: Source, definition: Definition, domain: str) -> None:
    """Check that a problem names one domain; note another name than that of the given domain."""
    sections = definition.all(":domain")
    if len(sections) != 1 or len(sections[0]) != 2:
        where = sections[-1] if sections else definition.whole
        raise source.error("expected exactly one (:domain NAME)", where)
    name = sections[0][1]
    if name != domain:
        message = f"found the domain {show(name)}, expected '{domain}'"
        source.note("domain", message, sections[0], 1)


class _InitReader:
    """Reader of the facts and values of ``:init``."""

    def __init__(self, reader: FormulaReader) -> None:
        self.reader = reader
        self.facts: set[Ground] = set()
        self.values: dict[Ground, Number] = {}
        self.timed = defaultdict[Number, dict[Atom | Fluent, Effect]](dict)
        """The effects of timed initial literals by their time, and by what they change."""
        self.numbers: list[Number] = []
        """The time of each timed initial literal, in the order of the text."""
        self._given: dict[Ground, SList] = {}
        """The last part of ``:init`` that gives each value."""

    def read(self, section: SList) -> None:
        for index in range(1, len(section)):
            part, section[index] = section[index], DONE
            self._fact(part, section, index)

    def _fact(self, part: SExpr, section: SList, index: int) -> None:
        reader, source = self.reader, self.reader.source
        if isinstance(part, str) or not part:
            raise source.error(f"found {show(part)}, expected a fact", section, index)
        fact = reader.ground_atom(part)
        if fact is not None:
            if fact in self.facts:
                source.note("fact", f"{show(part)} is given twice", section, index)
            self.facts.add(fact)
        elif part[0] == "=":
            self._value(part)
        elif part[0] == "at" and len(part) == 3 and isinstance(part[2], SList):
            # `(at 5 (open door))`; in `(at truck depot)`, `at` is a predicate.
            self._timed(part, part[2])
        elif part[0] == "not" and len(part) == 2 and isinstance(part[1], SList):
            # Facts not listed are false anyway; the atom is only checked.
            reader.atom(part[1], {}, "a fact")
        else:
            # `ground_atom` reads objects only; this reads object fluents, and raises all errors.
            atom = reader.atom(part, {}, "a fact")
            self.facts.add((atom.predicate, *atom.terms))

    def timed_name(self, time: Number) -> str:
        """Return the name of the literals of a time: the time, and the place of each in the text.

        No action of a domain has such a name, which begins with a space.
        """
        places = (str(place) for place, at in enumerate(self.numbers, start=1) if at == time)
        return f" {time_text(time)} {' '.join(places)}"

    def _timed(self, part: SList, what: SList) -> None:
        """Read ``(at time literal)``."""
        reader, source = self.reader, self.reader.source
        reader.refuse("a timed initial literal", part, judged=True)
        source.needs(":timed-initial-literals", part)
        time = reader.number(part, 1)
        if time < 0:
            raise source.error(f"found the time {part[1]}, expected at least 0", part, 1)
        if what[:1] == ["="]:
            if len(what) != 3:
                raise source.error(f"found {show(what)}, expected (= (function …) number)", what)
            effects: Sequence[Effect] = (
                []
                if reader.assigns_object(what, {})
                else [Update("assign", reader.fluent(what, 1, {}), reader.number(what, 2))]
            )
        else:
            effects = reader.effects(what, part, 2, {})
        self.numbers.append(time)
        for effect in effects:
            if not isinstance(effect, (Add, Delete, Update)):
                raise source.error(f"found {show(what)}, expected a literal or a value", part, 2)
            changed = effect.fluent if isinstance(effect, Update) else effect.atom
            # Equal literals at one time are one; opposite ones have no meaning.
            other = self.timed[time].setdefault(changed, effect)
            if type(other) is not type(effect) or other != effect:  # equal as tuples
                message = f"{show(what)} contradicts another timed literal at {part[1]}"
                raise source.error(message, part, 2)

    def _value(self, part: SList) -> None:
        """Read ``(= (function …) number)``."""
        reader, source = self.reader, self.reader.source
        if len(part) != 3:
            raise source.error(f"found {show(part)}, expected (= (function …) number)", part)
        if reader.assigns_object(part, {}):
            return
        called = part[1]
        # Before `fluent`, whose error nothing could forgive.
        if isinstance(called, SList) and (
            called.head and called.head not in reader.vocabulary.functions
        ):
            source.forgive(reader.unknown(called, "function"), part, called, 0)
            return
        fluent = reader.fluent(part, 1, {})
        ground = (fluent.function, *fluent.terms)
        value = reader.number(part, 2)
        if ground in self._given and self.values[ground] != value:
            # VAL takes the last value.
            source.forgive(f"{show(called)} is given two values", self._given[ground], part)
        if ground in self._given:
            source.note("value", f"{show(called)} is given twice", part)
        self.values[ground] = value
        self._given[ground] = part


def _goal(
    reader: FormulaReader, definition: Definition
) -> tuple[Condition, tuple[Preference, ...]]:
    sections = definition.all(":goal")
    if len(sections) != 1 or len(sections[0]) != 2:
        where = sections[-1] if sections else definition.whole
        raise reader.source.error("expected exactly one (:goal CONDITION)", where)
    return reader.preferred(sections[0], 1, {})


def _metric(reader: FormulaReader, definition: Definition) -> Metric | None:
    sections = definition.all(":metric")
    if not sections:
        return None
    section, *others = sections
    for other in others:
        reader.source.forgive("found a second (:metric …)", other, other)
    if len(section) != 3 or section[1] not in ("minimize", "maximize"):
        raise reader.source.error("expected (:metric minimize|maximize EXPRESSION)", section)
    return Metric(section[1] == "maximize", _metric_value(reader, section, 2))


def _metric_value(reader: FormulaReader, parent: SList, item: int) -> Expression:
    """Read a metric: a numeric expression in which ``total-time`` is the number of steps."""
    part = parent[item]
    # Files write it with and without parentheses.
    if part in ("total-time", ["total-time"]):
        return TOTAL_TIME
    if isinstance(part, SList) and part and part[0] == "is-violated":
        if len(part) != 2 or not isinstance(part[1], str):
            raise reader.source.error(f"found {show(part)}, expected (is-violated NAME)", part)
        name, known = part[1], reader.vocabulary.preferences
        if name not in known:
            near = did_you_mean(name, known)
            raise reader.source.error(f"unknown preference '{name}'{near}", part)
        return Fluent(VIOLATED, (name,))
    if isinstance(part, SList) and part and part[0] in ("+", "-", "*", "/"):
        reader.check_operands(part)
        operands = [_metric_value(reader, part, index) for index in range(1, len(part))]
        return Arithmetic(str(part[0]), tuple(operands))
    return reader.expression(parent, item, {})


class IgnoredPddl(UserWarning):
    """A part of a problem was ignored."""


class LenientProblem(NamedTuple):
    """A problem without the parts that were ignored."""

    text: str
    """What was ignored is blank, and everything else is in its place."""
    ignored: tuple[str, ...]
    """A message for each part that was ignored, with its place."""


def lenient_problem(domain: tuple[str, str], problem: tuple[str, str]) -> LenientProblem:
    """Return a problem without what others forgive; both are texts with their names for messages.

    Ignored are values of functions that the domain does not declare, a value of a fluent that is
    given another value later, and every metric but the first.

    Raises:
        PddlError: as for `read_task`, for everything else.
    """
    source = LenientSource(*problem)
    read_problem(source, read_domain(*domain))
    return source.kept()


def warned_problem(domain: tuple[str, str], problem: tuple[str, str]) -> tuple[str, str]:
    """Return what is kept of a problem, and its name; warn of what is ignored.

    Raises:
        PddlError: as for `lenient_problem`.
    """
    kept = lenient_problem(domain, problem)
    for message in kept.ignored:
        # Level 4 is the caller of the public function, such as `read_task`.
        warnings.warn(message, IgnoredPddl, stacklevel=4)
    return kept.text, problem[1]


class LenientSource(Source):
    """One PDDL text, from which some parts are left out."""

    def __init__(self, text: str, file: str) -> None:
        super().__init__(text, file)
        self._given = text
        self._ignored: list[tuple[SList, str]] = []

    def forgive(
        self, message: str, ignored: SList, _where: SList, _item: int | None = None
    ) -> None:
        """Leave out the list ``ignored``."""
        self._ignored.append((ignored, message))

    def kept(self) -> LenientProblem:
        """Return the text without the parts that were left out."""
        parts = sorted(self._ignored, key=lambda part: part[0].first)
        spans = self.spans([part for part, _ in parts])
        pieces: list[str] = []
        messages: list[str] = []
        position, line = 0, 1
        for (start, end), (_, message) in zip(spans, parts, strict=True):
            line += self._given.count("\n", position, start)
            column = start - self._given.rfind("\n", 0, start)
            messages.append(f"{self.file}:{line}:{column}: ignored: {message}")
            # Line breaks stay, so that every other error keeps its place.
            blank = "".join(x if x.isspace() else " " for x in self._given[start:end])
            pieces += [self._given[position:start], blank]
            line += blank.count("\n")
            position = end
        return LenientProblem("".join([*pieces, self._given[position:]]), tuple(messages))
