"""Read durative actions (PDDL 2.1, level 3) as an action at the start and one at the end."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from typing import Final

from pddl_pipeline.validation.definition import OTHER_LANGUAGE
from pddl_pipeline.validation.formula_reader import COMPARISONS, UPDATES, FormulaReader, Scope
from pddl_pipeline.validation.language import (
    DURATION,
    OCCURRENCE,
    Action,
    Add,
    And,
    Atom,
    Condition,
    DurationBound,
    Durative,
    Effect,
    ForEach,
    Preference,
    Quantified,
    Variable,
    When,
    fluents_in,
)
from pddl_pipeline.validation.sexpr import SList, show

START: Final = "start"
END: Final = "end"
_ALL: Final = "all"
_MOMENTS: Final = {("at", START): START, ("at", END): END, ("over", _ALL): _ALL}


def read_durative(
    reader: FormulaReader,
    section: SList,
    parts: dict[str, int],
    name: str,
    variables: tuple[Variable, ...],
) -> Action:
    """Return a durative action.

    Args:
        reader: the reader of its formulas.
        section: the whole action.
        parts: the index of each part's value in the section.
        name: its name.
        variables: its parameters.

    Raises:
        PddlError: as for `FormulaReader.condition`, or a part has no time.
    """
    reader.refuse("a durative action", section, judged=True)
    reader.source.needs(":durative-actions", section)
    scope = {variable.name: variable.types for variable in variables}
    reader.names_occurrence = False
    return _DurativeReader(reader, scope).read(section, parts, name, variables)


class _DurativeReader:
    """Reader of one action."""

    def __init__(self, reader: FormulaReader, scope: Scope) -> None:
        self._reader = reader
        self._source = reader.source
        self._scope = scope
        self._conditions = defaultdict[str, list[Condition]](list)
        self._preferences = defaultdict[str, list[Preference]](list)
        self._effects = defaultdict[str, list[Effect]](list)
        self._bounds = defaultdict[str, list[DurationBound]](list)
        self._memories = count(1)

    def read(
        self, section: SList, parts: dict[str, int], name: str, variables: tuple[Variable, ...]
    ) -> Action:
        if ":duration" not in parts:
            raise self._source.error("expected :duration", section)
        # A bound without a time, such as `(= ?duration 5)`, is one of the start.
        self._read_bounds(section, parts[":duration"], START)
        if ":condition" in parts:
            for moment, condition, preferences in self._timed(
                section, parts[":condition"], self._scope, ()
            ):
                self._conditions[moment].append(condition)
                self._preferences[moment] += preferences
        if ":effect" in parts:
            self._effects |= self._read_effects(section, parts[":effect"], self._scope)
        start, end, invariant = (
            Action(
                f"{name} {moment}",
                (*variables, OCCURRENCE),
                And(tuple(self._conditions[moment])),
                tuple(self._effects[moment]),
                tuple(self._preferences[moment]),
                tuple(self._bounds[moment]),
            )
            for moment in (START, END, _ALL)
        )
        durative = Durative(start, end, invariant, self._reader.names_occurrence)
        return Action(name, variables, And(()), (), durative=durative)

    def _read_bounds(self, parent: SList, item: int, moment: str) -> None:
        where = parent[item]
        # `:duration ()` allows any duration.
        if where == []:
            return
        if isinstance(where, SList) and where[0] == "and":
            for index in range(1, len(where)):
                self._read_bounds(where, index, moment)
        elif isinstance(where, SList) and len(where) == 3 and where[0] == "at":
            self._read_bounds(where, 2, self._moment(where))
        elif (
            isinstance(where, SList)
            and len(where) == 3
            and where.head in COMPARISONS
            and where[1] == DURATION
        ):
            if where[0] != "=":
                self._source.needs(":duration-inequalities", where)
            value = self._reader.expression(where, 2, self._scope)
            # A bound that reads the duration would have to be solved, not tested.
            if any(fluent.function == DURATION for fluent in fluents_in(value)):
                raise self._source.error(f"found {DURATION} in a bound of it", where, 2)
            self._bounds[moment].append(DurationBound(str(where[0]), value))
        else:
            raise self._source.error(
                f"found {show(where)}, expected a bound such as (= {DURATION} 5)", parent, item
            )

    def _moment(self, where: SList) -> str:
        """Return when a part such as ``(at start …)`` counts.

        Raises:
            PddlError: the part has no time.
        """
        found = _MOMENTS.get((where.head, show(where[1]))) if len(where) == 3 else None
        if found is None:
            fault = f"found {show(where)}, expected (at start …), (at end …) or (over all …)"
            raise self._source.error(OTHER_LANGUAGE.get(where.head, fault), where)
        return found

    def _timed(
        self, parent: SList, item: int, scope: Scope, variables: tuple[Variable, ...]
    ) -> Iterator[tuple[str, Condition, tuple[Preference, ...]]]:
        """Yield the parts of a condition, each with its time and preferences."""
        where = self._reader.list_at(parent, item, "a condition")
        if where[:1] in ([], ["and"]):
            for index in range(1, len(where)):
                yield from self._timed(where, index, scope, variables)
        elif where[0] == "forall":
            new, inner = self._reader.quantified(where, scope)
            for moment, condition, found in self._timed(where, 2, inner, (*variables, *new)):
                yield moment, Quantified(universal=True, variables=new, part=condition), found
        elif where[0] == "preference":
            name = self._reader.preference_name(where)
            for moment, condition, _ in self._timed(where, len(where) - 1, scope, variables):
                if moment == _ALL:
                    self._reader.refuse("a preference over all", where)
                yield moment, And(()), (Preference(name, variables, condition),)
        else:
            yield self._moment(where), self._reader.condition(where[2], where, 2, scope), ()

    def _read_effects(self, parent: SList, item: int, scope: Scope) -> dict[str, list[Effect]]:
        """Return the parts of an effect by their time."""
        where = self._reader.list_at(parent, item, "an effect")
        found = defaultdict[str, list[Effect]](list)
        if where[:1] in ([], ["and"]):
            for index in range(1, len(where)):
                for moment, effects in self._read_effects(where, index, scope).items():
                    found[moment] += effects
        elif where[0] == "forall":
            new, inner = self._reader.quantified(where, scope)
            for moment, effects in self._read_effects(where, 2, inner).items():
                found[moment].append(ForEach(new, tuple(effects)))
        elif where[0] == "when":
            self._read_when(where, scope, found)
        elif where[0] in UPDATES and "#t" in show(where, sys.maxsize):
            # `(increase (x) (* #t 2))`: the action changes a number while it lasts.
            self._reader.vocabulary.is_hybrid = self._reader.is_continuous = True
            found[_ALL] += self._reader.effects(where, parent, item, scope)
            self._reader.is_continuous = False
        else:
            moment = self._moment(where)
            if moment == _ALL:
                raise self._source.error("found an effect over all", where)
            found[moment] += self._reader.effects(where[2], where, 2, scope)
        return found

    def _read_when(self, where: SList, scope: Scope, found: dict[str, list[Effect]]) -> None:
        """Add a conditional effect.

        An effect at the end may depend on a condition at the start: an atom that no text can name
        keeps its truth in between.
        """
        if len(where) != 3:
            raise self._source.error(f"'when' takes 2 arguments, found {len(where) - 1}", where)
        self._source.needs(":conditional-effects", where)
        conditions = defaultdict[str, list[Condition]](list)
        for moment, condition, _ in self._timed(where, 1, scope, ()):
            conditions[moment].append(condition)
        effects = self._read_effects(where, 2, scope)
        if effects.get(_ALL):
            self._reader.refuse("a conditional continuous effect", where)
        # An effect cannot wait for what happens after it.
        if conditions[_ALL] or (conditions[END] and effects.get(START)):
            self._reader.refuse("a conditional effect whose condition is later", where)
        if conditions[START] and effects.get(END):
            terms = (*scope, OCCURRENCE.name)
            self._reader.names_occurrence = True
            # Set at the start if the condition holds then, and read at the end.
            memory = Atom(f"{OCCURRENCE.name} {next(self._memories)}", terms)
            found[START].append(When(And(tuple(conditions[START])), (Add(memory),)))
            conditions[END].append(memory)
        for moment, parts in effects.items():
            if parts:
                found[moment].append(When(And(tuple(conditions[moment])), tuple(parts)))
