"""Any PDDL domain as a black-box domain: plain states, and unit tests from its problems.

A state is ``{"facts": [("at", "b1", "rooma"), …]}``, with ``"values": {("fuel", "van"): 3}`` if
actions change fluents. The fixed part, which functions get as their second argument, has the
objects, the atoms and values that no action changes, and the goal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.number import Number, normal
from pddl_pipeline.model.plan import Plan, Step
from pddl_pipeline.papers.autotos.checks import Example, SuccessorCase, UnitTests
from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.black_boxes.bridges import replayed, space_of
from pddl_pipeline.search.black_boxes.domain import Domain, Misstep, Puzzle, fault_of
from pddl_pipeline.search.changing import changing
from pddl_pipeline.search.space import Bounds, NotAState, Searched, Space, State, breadth_first
from pddl_pipeline.search.world import World, world_of
from pddl_pipeline.validation.language import (
    TOTAL_COST,
    And,
    Arithmetic,
    Atom,
    Comparison,
    Condition,
    Expression,
    Fluent,
    Ground,
    Imply,
    Not,
    Or,
    Quantified,
    Same,
)
from pddl_pipeline.validation.task import Task

_DIGITS: Final = 6
"""Decimal places to which values of fluents are compared: models compute with floats."""
_FORM: Final = "dict with facts, a list of tuples of strings"


class FactForm(NamedTuple):
    """The names that distinguish what a state contains from the fixed part."""

    predicates: frozenset[str]
    """The predicates that actions change; derived ones are in neither part."""
    functions: frozenset[str]
    """The functions that actions change."""
    derived: frozenset[str]

    def state(self, atoms: Iterable[Ground], values: Mapping[Ground, Number]) -> State:
        """Return a state.

        Args:
            atoms: the atoms that hold, with or without the fixed ones.
            values: the values of fluents, likewise.
        """
        state: State = {"facts": sorted(atom for atom in atoms if atom[0] in self.predicates)}
        if self.functions:
            changed = (name for name in values if name[0] in self.functions)
            state["values"] = {name: normal(Fraction(values[name])) for name in sorted(changed)}
        return state

    def fixed(self, task: Task, name: str) -> dict[str, Any]:
        """Return the fixed part of a task.

        Args:
            task: the task.
            name: the name of the problem, which is part of it.
        """
        begin, moving = task.initial_state(), self.predicates | self.derived
        part = {
            "name": name,
            "objects": {each: _own_type(task, each) for each in task.vocabulary.objects},
            "facts": sorted(fact for fact in begin.facts if fact[0] not in moving),
            "goal": _condition(task.facts.goal),
        }
        values = {
            fluent: value
            for fluent, value in sorted(begin.values.items())
            if fluent[0] not in self.functions and fluent[0] != TOTAL_COST.function
        }
        return {**part, "values": values} if values else part


def form_of(task: Task) -> FactForm:
    """Return the form of the states of a task's domain."""
    derived = task.vocabulary.derived
    # A goal on the cost, or a metric, would make the form differ between problems.
    found = changing(task, with_goal=False)
    return FactForm(found.predicates - derived, found.functions, derived)


def key(state: State) -> Hashable:
    """Return a value that does not depend on the order of the facts.

    Raises:
        NotAState: the value has another form.
    """
    try:
        facts = frozenset(map(tuple, state["facts"]))
        values = state.get("values", {})
        numbers = frozenset(
            (tuple(name), round(float(value), _DIGITS)) for name, value in values.items()
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise NotAState(f"found no {_FORM}") from error
    if not all(isinstance(word, str) for fact in facts for word in fact):
        raise NotAState(f"found no {_FORM}")
    return facts, numbers


def _own_type(task: Task, name: str) -> str:
    """Return the most specific types of an object, joined by ``or`` if there are several."""
    kinds, tree = task.vocabulary.objects[name], task.vocabulary.types
    own = [
        kind
        for kind in sorted(kinds)
        if not any(other != kind and kind in tree.with_ancestors((other,)) for other in kinds)
    ]
    return " or ".join(own)


def _condition(part: Condition) -> Any:
    """Return a condition as nested tuples, in the order of PDDL."""
    match part:
        case Atom(predicate, terms):
            return (predicate, *terms)
        case Same(left, right):
            return ("=", left, right)
        case Comparison(operator, one, other):
            return (operator, _expression(one), _expression(other))
        case Not(inner):
            return ("not", _condition(inner))
        case And(parts):
            return ("and", *map(_condition, parts))
        case Or(parts):
            return ("or", *map(_condition, parts))
        case Imply(condition, conclusion):
            return ("imply", _condition(condition), _condition(conclusion))
        case Quantified(universal, variables, inner):
            word = "forall" if universal else "exists"
            declared = tuple((variable.name, *variable.types) for variable in variables)
            return (word, declared, _condition(inner))


def _expression(part: Expression) -> Any:
    match part:
        case Fluent(function, terms):
            return (function, *terms)
        case Arithmetic(operator, operands):
            return (operator, *map(_expression, operands))
        case _:
            return part


SETTING: Final = "problem"
"""The name of the fixed part of a task."""
_SUCCESSOR_CASES: Final = 3
"""The number of states of a plan whose successors are a unit test."""


class _Problem:
    """A task whose states are met as plain data."""

    def __init__(self, task: Task, form: FactForm, name: str) -> None:
        self.world: World[Any] = world_of(task)
        """The state space of the task."""
        self.space = space_of(self.world)
        """The state space with the states of the world, which take less memory."""
        self._form = form
        self._met = dict[Hashable, Any]()
        self.puzzle = Puzzle(self.plain(self.world.start), form.fixed(task, name))

    def plain(self, state: Any) -> State:
        """Return a state of the world as plain data."""
        plain = self._form.state(self.world.atoms(state), self.world.values(state))
        # A model's function returns equal data, not the same object.
        self._met[key(plain)] = state
        return plain

    def shortest(self, bounds: Bounds) -> Searched:
        """Return a path of plain states with the fewest steps."""
        found = breadth_first(self.space, bounds, SearchEffort())
        return found if found.path is None else Searched(tuple(map(self.plain, found.path)))

    def successors(self, state: State) -> list[tuple[Step, State]]:
        """Return the steps from a state that was met, with the states that they lead to.

        Raises:
            KeyError: no successor was ever this state.
        """
        steps = self.world.successors(self._met[key(state)])
        return [(step, self.plain(after)) for step, after in steps]

    def is_goal(self, state: State) -> bool:
        """Return whether the goal holds in a state; False for one that was not met."""
        known = self._met.get(key(state))
        return known is not None and self.world.is_goal(known)


class PddlDomain:
    """A PDDL domain, with the problems that were added."""

    def __init__(self, name: str, task: Task) -> None:
        """Store the form of the states.

        Args:
            name: the name of the domain.
            task: a task of the domain.
        """
        self.form = form_of(task)
        """The form of the states."""
        self.domain: Domain = Domain(
            name=name,
            succ=lambda state, fixed: [each for _, each in self._of(fixed).successors(state)],
            isgoal=lambda state, fixed: self._of(fixed).is_goal(state),
            key=key,
            tidy=lambda value: value,
            check_transition=self._check,
            setting=SETTING,
            succ_takes=True,
        )
        """The black-box domain."""
        self._actions = task.vocabulary.actions
        self._problems = dict[str, _Problem]()

    def describes(self, task: Task) -> bool:
        """Return whether a task has the actions of this domain, whatever their names in a file."""
        return task.vocabulary.actions == self._actions and form_of(task) == self.form

    def add(self, task: Task, name: str) -> Puzzle:
        """Add a problem, and return it as plain data.

        Raises:
            InputError: there is a problem of this name.
            NotJudged: the task uses a part of PDDL that is not judged.
        """
        if name in self._problems:
            raise InputError(f"found two problems named '{name}', expected different names")
        self._problems[name] = _Problem(task, self.form, name)
        return self._problems[name].puzzle

    def remove(self, puzzle: Puzzle) -> None:
        """Forget a problem and the states that were met."""
        del self._problems[puzzle.setting["name"]]

    def space(self, puzzle: Puzzle) -> Space:
        """Return the state space of a problem, with states that are not plain data."""
        return self._of(puzzle.setting).space

    def plan(self, puzzle: Puzzle, path: Sequence[State]) -> Plan:
        """Return the plan of a path that includes the start.

        Raises:
            Unsound: no step leads from one state to the next.
        """
        problem = self._of(puzzle.setting)
        return replayed(problem.world, path, lambda state: key(problem.plain(state)), key)

    def unit_tests(self, puzzles: Iterable[tuple[str, Puzzle]], bounds: Bounds) -> UnitTests:
        """Return unit tests from the states of a shortest plan of each problem.

        The last state is a goal state, all others are not. The successors of some states are
        known. The problems themselves are the instances to search.

        Args:
            puzzles: the problems, each with its name.
            bounds: the limits of the search for each plan.

        Raises:
            InputError: no plan of a problem is found within the limits.
        """
        tests = UnitTests([], [], [], [])
        for name, puzzle in puzzles:
            found = self._of(puzzle.setting).shortest(bounds)
            if found.path is None:
                raise InputError(f"{found.reason}; expected an easier problem", file=name)
            *others, last = found.path
            tests.goals.append(Puzzle(last, puzzle.setting))
            tests.non_goals.extend(Puzzle(state, puzzle.setting) for state in others)
            tests.successors.extend(self._cases(puzzle.setting, others))
            tests.examples.append(Example(name, puzzle))
        return tests

    def _cases(self, fixed: Mapping[str, Any], states: Sequence[State]) -> Iterator[SuccessorCase]:
        for number in sorted({0, len(states) // 2, len(states) - 1})[:_SUCCESSOR_CASES]:
            if 0 <= number < len(states):
                known = [after for _, after in self._of(fixed).successors(states[number])]
                yield SuccessorCase(Puzzle(states[number], fixed), known)

    def _of(self, fixed: Mapping[str, Any]) -> _Problem:
        return self._problems[fixed["name"]]

    def _check(self, before: State, after: State, fixed: Mapping[str, Any]) -> Misstep | None:
        """Check that an action leads from a state to the next one.

        The states of a search were all met: each one passed this check, or is the start.
        """
        wanted = key(after)
        if any(key(state) == wanted for _, state in self._of(fixed).successors(before)):
            return None
        return Misstep("no action leads to the successor", fault_of("no-action"))
