"""The semantics of conditions, expressions and effects: PDDL 2.1 (Fox and Long 2003), exactly.

Each is compiled once into a function that evaluates it in any environment and state. An environment
is a tuple of the objects that the formula's variables stand for, followed by the words that the
formula itself uses (predicates, functions, constants). A ground atom is then a selection of
positions from that tuple, which takes Python one call. The functions compute with exact numbers and
do not change the state.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from operator import itemgetter
from threading import local
from typing import Any, Final, TypeVar, cast

from pddl_pipeline.model.errors import NotJudged
from pddl_pipeline.model.number import Number
from pddl_pipeline.model.text import atom_text
from pddl_pipeline.validation.arithmetic import COMBINE, CannotEvaluate, comparisons
from pddl_pipeline.validation.language import (
    Add,
    And,
    Arithmetic,
    Atom,
    Binding,
    Comparison,
    Condition,
    Delete,
    Effect,
    Expression,
    Fluent,
    ForEach,
    Ground,
    Imply,
    Not,
    Or,
    Quantified,
    Same,
    Update,
    Variable,
    When,
    walk,
)
from pddl_pipeline.validation.state import Change, Changes, State
from pddl_pipeline.validation.vocabulary import Vocabulary

MAX_COMBINATIONS: Final = 5 * 10**5
"""Maximum number of combinations that a quantifier, with those inside it, or the axioms in one
state may try; beyond it, there is no verdict."""


_TOO_MANY: Final = (
    f"a quantifier or axiom over more than {MAX_COMBINATIONS} combinations is not judged"
)
BATCH: Final = 1024
"""Number of combinations of one quantifier that are counted at once, since counting takes time."""


class WorkLimit(local):
    """Counter of tried combinations, one per thread, since several threads may judge one task."""

    def __init__(self) -> None:
        self._tried = 0

    def begin(self) -> None:
        """Reset the counter."""
        self._tried = 0

    def spend(self, combinations: int = 1) -> None:
        """Count combinations that are tried.

        Raises:
            NotJudged: there are more than MAX_COMBINATIONS.
        """
        self._tried += combinations
        if self._tried > MAX_COMBINATIONS:
            raise NotJudged(_TOO_MANY)


Environment = tuple[str, ...]
Pick = Callable[[Environment], Ground]
"""Returns the ground atom, fluent or pair of terms in an environment."""


class Frame:
    """The positions of one formula's words; quantifiers inside it open inner frames."""

    def __init__(self, variables: Iterable[str] = ()) -> None:
        self._positions = {name: position for position, name in enumerate(variables)}
        self.depth = len(self._positions)
        """Number of variables in the environments of this frame."""
        self.quantified = False
        """Whether the frame is inside a quantifier."""
        self._words: dict[str, int] = {}

    def inner(self, variables: Sequence[str]) -> Frame:
        """Return the frame of a quantifier's scope, whose variables shadow outer ones."""
        frame = Frame()
        frame._positions = {
            **self._positions,
            **{name: self.depth + index for index, name in enumerate(variables)},
        }
        frame.depth = self.depth + len(variables)
        frame.quantified = True
        frame._words = self._words
        return frame

    def pick(self, *words: str) -> Pick:
        """Return a function that returns these words, each variable replaced by its object."""
        # A ground formula: the same words in every environment.
        if not any(word in self._positions for word in words):
            return lambda _: words
        return cast("Pick", itemgetter(*map(self._position, words)))

    def _position(self, word: str) -> int:
        if word in self._positions:
            return self._positions[word]
        # Counted from the end, so that quantifiers can insert their objects in between.
        return -1 - self._words.setdefault(word, len(self._words))

    @property
    def words(self) -> Environment:
        """The words at the end of every environment; complete once all formulas are compiled."""
        return tuple(reversed(self._words))


Evaluate = Callable[[Environment, State], Number]
Updating = Callable[[Environment, State], Change]
"""Returns the numeric effect of a step in a state."""


def evaluation(expression: Expression, frame: Frame) -> Evaluate:
    """Return a function that computes a numeric expression.

    Like the other functions of this module's results, it raises CannotEvaluate when it reads an
    undefined fluent or divides by zero, and NotJudged when a number exceeds the limits.
    """
    match expression:
        case Fluent(function, terms):
            pick = frame.pick(function, *terms)

            def value(environment: Environment, state: State) -> Number:
                fluent = pick(environment)
                try:
                    return state.values[fluent]
                except KeyError:
                    raise CannotEvaluate(f"{atom_text(fluent)} is undefined") from None

            return value
        case Arithmetic(operator, operands):
            return _calculation(operator, operands, frame)
    return lambda _environment, _state: expression


def comparison(
    compare: Callable[[Number, Number], bool], left: Expression, right: Expression, frame: Frame
) -> Callable[[Environment, State], bool]:
    """Return a function that compares the values of two expressions."""
    first, second = evaluation(left, frame), evaluation(right, frame)
    return lambda environment, state: compare(first(environment, state), second(environment, state))


def updating(effect: Update, frame: Frame) -> Updating:
    """Return a function that computes a numeric effect."""
    pick = frame.pick(effect.fluent.function, *effect.fluent.terms)
    evaluate, operator = evaluation(effect.value, frame), effect.operator
    return lambda environment, state: (pick(environment), operator, evaluate(environment, state))


def _calculation(operator: str, operands: tuple[Expression, ...], frame: Frame) -> Evaluate:
    # A list, not a generator, which takes C stack that deep nesting would exhaust.
    first, *others = [evaluation(operand, frame) for operand in operands]
    if not others:
        return lambda environment, state: -first(environment, state)
    combine = COMBINE[operator]

    def calculation(environment: Environment, state: State) -> Number:
        result = first(environment, state)
        for operand in others:
            result = combine(result, operand(environment, state))
        return result

    return calculation


Test = Callable[[Environment, State], bool]
Collect = Callable[[Environment, State, Changes], None]
"""Adds the changes of an effect in a state; does not set `Changes.values`."""
_KEPT: Final = 256
Formula = TypeVar("Formula")
Compiled = TypeVar("Compiled")


class Semantics:
    """Compiler of formulas over the objects of one vocabulary.

    The functions that it returns raise CannotEvaluate when they read an undefined fluent or divide
    by zero, and NotJudged when a number or quantifier exceeds the limits.
    """

    def __init__(self, vocabulary: Vocabulary, tolerance: Number = 0) -> None:
        self._vocabulary = vocabulary
        self.tolerance = tolerance
        self.comparisons = comparisons(tolerance)
        """The comparisons of two numbers, by operator."""
        self._limit = WorkLimit()
        self._kept: dict[tuple[int, tuple[str, ...]], tuple[object, tuple[Any, Environment]]] = {}

    def holds(self, condition: Condition, binding: Binding, state: State) -> bool:
        """Return whether a condition holds; for conditions that are seldom evaluated."""
        test, words = self._compiled(self.condition, condition, binding)
        return test((*binding.values(), *words), state)

    def value(self, expression: Expression, binding: Binding, state: State) -> Number:
        """Return the value of an expression; for expressions that are seldom evaluated."""
        evaluate, words = self._compiled(evaluation, expression, binding)
        return evaluate((*binding.values(), *words), state)

    def _compiled(
        self, compiler: Callable[[Formula, Frame], Compiled], formula: Formula, binding: Binding
    ) -> tuple[Compiled, Environment]:
        """Return a compiled formula and its words. The last ones are kept: the same fail often."""
        # By identity: a hash would go through the whole formula each time.
        key = id(formula), tuple(binding)
        known = self._kept.get(key)
        if known is None:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            frame = Frame(binding)
            function = compiler(formula, frame)
            # The formula is stored too, so that no other one gets its identity.
            known = self._kept[key] = formula, (function, frame.words)
        return known[1]

    def bindings(self, variables: tuple[Variable, ...], outer: Binding) -> Iterator[Binding]:
        """Yield ``outer`` extended by each combination of objects that fits the variables.

        Raises:
            NotJudged: there are too many combinations.
        """
        names = [variable.name for variable in variables]
        limit = WorkLimit()
        for objects in product(*self._candidates(variables)):
            limit.spend()
            yield {**outer, **dict(zip(names, objects, strict=True))}

    def count(self, variables: tuple[Variable, ...]) -> int:
        """Return the number of combinations of objects that fit the variables."""
        return prod(map(len, self._candidates(variables)))

    def _candidates(self, variables: tuple[Variable, ...]) -> list[Collection[str]]:
        return [self._vocabulary.candidates(variable.types) for variable in variables]

    def _combinations(
        self, candidates: Sequence[Collection[str]], frame: Frame
    ) -> Callable[[], Iterator[tuple[str, ...]]]:
        """Return a function that yields a quantifier's objects; inner ones share its limit."""
        outermost = not frame.quantified

        def combinations() -> Iterator[tuple[str, ...]]:
            if outermost:
                self._limit.begin()
            # One for each call: an inner quantifier with few objects would otherwise be free.
            self._limit.spend()
            for number, objects in enumerate(product(*candidates), start=1):
                if number % BATCH == 0:
                    self._limit.spend(BATCH)
                yield objects

        return combinations

    def condition(self, condition: Condition, frame: Frame) -> Test:
        """Return a test of a condition.

        ``and``, ``or`` and ``imply`` short-circuit, as in VAL. A quantifier evaluates its part for
        all objects if that may be impossible for some.
        """
        match condition:
            case Atom(predicate, terms):
                pick = frame.pick(predicate, *terms)
                return lambda environment, state: pick(environment) in state.facts
            case Not(part):
                test = self.condition(part, frame)
                return lambda environment, state: not test(environment, state)
            case And(parts):
                return _all([self.condition(part, frame) for part in parts])
            case Or(parts):
                return _any([self.condition(part, frame) for part in parts])
            case Imply(left, right):
                # Not (a) or b: the right side is evaluated only if the left one holds.
                return _any([self.condition(Not(left), frame), self.condition(right, frame)])
            case Same(left, right):
                pair = frame.pick(left, right)

                def same(environment: Environment, _: State) -> bool:
                    first, second = pair(environment)
                    return first == second

                return same
            case Comparison(operator, left, right):
                return comparison(self.comparisons[operator], left, right, frame)
            case Quantified():
                return self._quantified(condition, frame)

    def _quantified(self, condition: Quantified, frame: Frame) -> Test:
        combinations = self._combinations(self._candidates(condition.variables), frame)
        inner = frame.inner([variable.name for variable in condition.variables])
        test = self.condition(condition.part, inner)
        depth = frame.depth
        decisive = not condition.universal
        # An instance that cannot be evaluated must not depend on the order of the objects.
        tests_all = any(isinstance(part, Comparison) for part, _ in walk(condition.part))

        def quantified(environment: Environment, state: State) -> bool:
            before, after = environment[:depth], environment[depth:]
            found = not decisive
            for objects in combinations():
                if test((*before, *objects, *after), state) is decisive:
                    found = decisive
                    if not tests_all:
                        break
            return found

        return quantified

    def effects(self, effects: Sequence[Effect], frame: Frame) -> list[Collect]:
        """Return the functions of several effects.

        The order matters only to accounts of a plan: it is that in which VAL applies them.
        """
        # Adds and deletes come first, with rank 0.
        ranks = {When: 1, Update: 2, ForEach: 3}
        ordered = sorted(effects, key=lambda effect: ranks.get(type(effect), 0))
        return [self.effect(effect, frame) for effect in ordered]

    def effect(self, effect: Effect, frame: Frame) -> Collect:
        """Return a function that collects an effect's changes from the state before the step."""
        match effect:
            case Add(atom):
                pick = frame.pick(atom.predicate, *atom.terms)
                return lambda environment, _, into: into.adds.append(pick(environment))
            case Delete(atom):
                pick = frame.pick(atom.predicate, *atom.terms)
                return lambda environment, _, into: into.deletes.append(pick(environment))
            case Update():
                change = updating(effect, frame)
                return lambda environment, state, into: into.updates.append(
                    change(environment, state)
                )
            case When():
                return self._when(effect, frame)
            case ForEach():
                return self._for_each(effect, frame)

    def _when(self, effect: When, frame: Frame) -> Collect:
        test = self.condition(effect.condition, frame)
        parts = self.effects(effect.effects, frame)

        def when(environment: Environment, state: State, into: Changes) -> None:
            if test(environment, state):
                for collect in parts:
                    collect(environment, state, into)

        return when

    def _for_each(self, effect: ForEach, frame: Frame) -> Collect:
        # The order matters only to accounts of a plan: it is that of VAL's.
        candidates = [sorted(candidate) for candidate in self._candidates(effect.variables)]
        combinations = self._combinations(candidates, frame)
        inner = frame.inner([variable.name for variable in effect.variables])
        parts = self.effects(effect.effects, inner)
        depth = frame.depth

        def for_each(environment: Environment, state: State, into: Changes) -> None:
            before, after = environment[:depth], environment[depth:]
            for objects in combinations():
                widened = (*before, *objects, *after)
                for collect in parts:
                    collect(widened, state, into)

        return for_each


def _all(tests: list[Test]) -> Test:
    def conjunction(environment: Environment, state: State) -> bool:
        for test in tests:  # noqa: SIM110 -- a generator costs more than most tests
            if not test(environment, state):
                return False
        return True

    return conjunction


def _any(tests: list[Test]) -> Test:
    def disjunction(environment: Environment, state: State) -> bool:
        for test in tests:  # noqa: SIM110 -- see above
            if test(environment, state):
                return True
        return False

    return disjunction
