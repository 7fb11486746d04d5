"""The parts of PDDL 2.1, 2.2, 3 and PDDL+ as data.

A term is a string: a variable if it starts with ``?``, otherwise the name of an object. All names
are lower case, since PDDL is case-insensitive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Union

from pddl_pipeline.model.number import Number

Terms = tuple[str, ...]
Ground = tuple[str, ...]
"""A ground atom or fluent: the predicate or function, then the objects."""
Binding = Mapping[str, str]
"""The objects that variables stand for."""
Types = tuple[str, ...]
"""Alternatives, as in ``(either truck plane)``; one name in the common case."""


class Variable(NamedTuple):
    """A typed variable of an action or a quantifier."""

    name: str
    types: Types


def ground(name: str, terms: Terms, binding: Binding) -> Ground:
    """Return a ground atom or fluent, each variable replaced by its object."""
    return (name, *[binding.get(term, term) for term in terms])


# Conditions


class Atom(NamedTuple):
    """A predicate of terms; ground when no term is a variable."""

    predicate: str
    terms: Terms


class Same(NamedTuple):
    """Equality of two objects."""

    left: str
    right: str


class Comparison(NamedTuple):
    """A numeric comparison: ``<``, ``<=``, ``=``, ``>=`` or ``>``."""

    operator: str
    left: Expression
    right: Expression


class Not(NamedTuple):
    """Negation."""

    part: Condition


class And(NamedTuple):
    """Conjunction; true when empty."""

    parts: tuple[Condition, ...]


class Or(NamedTuple):
    """Disjunction; false when empty."""

    parts: tuple[Condition, ...]


class Imply(NamedTuple):
    """Implication."""

    left: Condition
    right: Condition


class Quantified(NamedTuple):
    """``exists`` or ``forall`` over objects."""

    universal: bool
    variables: tuple[Variable, ...]
    part: Condition


Condition = Union[Atom, Same, Comparison, Not, And, Or, Imply, Quantified]


# Numeric expressions


class Fluent(NamedTuple):
    """A numeric function of terms."""

    function: str
    terms: Terms


TOTAL_TIME: Final = Fluent("total-time", ())
TOTAL_COST: Final = Fluent("total-cost", ())
"""``increase`` and the metric start from 0 where it has no value."""


VIOLATED: Final = "is-violated"
"""The function of metrics that counts the violations of a preference."""
DURATION: Final = "?duration"
OCCURRENCE: Final = Variable("?occurrence", ())
"""The last parameter of the start and the end of a durative action. It has no type."""


PASSED: Final = Fluent("#t", ())
"""The time that has passed, in continuous effects."""
SPONTANEOUS: Final = ("process", "event", "constraint")
"""What PDDL+ has beside actions. They are kept as actions whose names end with a blank and this.

The effects of a process are its rates: updates by what is added in a unit of time. A constraint is
a condition on all states (ENHSP's ``:constraint``), and has no effects.
"""


class Arithmetic(NamedTuple):
    """``+``, ``-``, ``*``, ``/`` or ``^``; ``-`` of one operand negates."""

    operator: str
    operands: tuple[Expression, ...]


Expression = Union[Number, Fluent, Arithmetic]


# Effects


class Add(NamedTuple):
    """The atom becomes true."""

    atom: Atom


class Delete(NamedTuple):
    """The atom becomes false, unless the same step adds it."""

    atom: Atom


class Update(NamedTuple):
    """``assign``, ``increase``, ``decrease``, ``scale-up`` or ``scale-down`` of a fluent."""

    operator: str
    fluent: Fluent
    value: Expression


class When(NamedTuple):
    """Effects that happen if a condition holds before the step."""

    condition: Condition
    effects: tuple[Effect, ...]


class ForEach(NamedTuple):
    """Effects for every object that fits the variables."""

    variables: tuple[Variable, ...]
    effects: tuple[Effect, ...]


Effect = Union[Add, Delete, Update, When, ForEach]

# Parts of formulas

Formula = Union[Condition, Expression, Effect]


def parts(formula: Formula) -> Sequence[Formula]:
    """Return the formulas that a formula reads directly; effects do not read what they change."""
    match formula:
        case And(inner) | Or(inner) | Arithmetic(_, inner) | ForEach(_, inner):
            return inner
        case Not(part) | Quantified(_, _, part) | Update(_, _, part):
            return (part,)
        case Imply(left, right) | Comparison(_, left, right):
            return (left, right)
        case When(condition, effects):
            return (condition, *effects)
        case _:
            return ()


def walk(*formulas: Formula) -> Iterator[tuple[Formula, bool]]:
    """Yield formulas and all formulas within them, and whether each is under a negation.

    This does not use recursion, since conditions may be nested deeply.
    """
    queue = [(formula, False) for formula in formulas]
    while queue:
        formula, negative = queue.pop()
        yield formula, negative
        inner = [(part, negative) for part in parts(formula)]
        if isinstance(formula, (Not, Imply)):
            # The condition of an implication is negated, its conclusion is not.
            inner[0] = inner[0][0], not negative
        queue += inner


def fluents_in(*expressions: Expression) -> Iterator[Fluent]:
    """Yield the fluents that expressions read."""
    return (part for part, _ in walk(*expressions) if isinstance(part, Fluent))


def rate_of(expression: Expression) -> Expression | None:
    """Return an expression in ``#t`` divided by ``#t``, or None if it is not proportional to it."""
    if expression == PASSED:
        return 1
    if not isinstance(expression, Arithmetic):
        return None
    operator, operands = expression
    varying = [place for place, each in enumerate(operands) if PASSED in fluents_in(each)]
    # `#t + #t` is proportional to it, `#t + 1` and `#t * #t` are not.
    is_sum = operator in ("+", "-") and len(varying) == len(operands)
    is_product = len(varying) == 1 and (operator == "*" or (operator == "/" and varying == [0]))
    rates = [rate_of(operands[place]) for place in varying]
    if None in rates or not (is_sum or is_product):
        return None
    found = dict(zip(varying, rates, strict=True))
    return Arithmetic(operator, tuple(found.get(n) or each for n, each in enumerate(operands)))


def conjuncts(condition: Condition) -> Iterator[Condition]:
    """Yield the parts of a conjunction, including nested ones, or any other condition itself."""
    queue = [condition]
    while queue:
        part = queue.pop()
        if isinstance(part, And):
            # The queue is taken from its end, and the parts must come in the order of the text.
            queue += reversed(part.parts)
        else:
            yield part


# Domain and problem


class Preference(NamedTuple):
    """A condition that may be violated, for each binding of its variables (PDDL 3)."""

    name: str
    variables: tuple[Variable, ...]
    condition: Condition


class DurationBound(NamedTuple):
    """A comparison of a durative action's duration with an expression."""

    operator: str
    value: Expression


class Durative(NamedTuple):
    """A durative action (PDDL 2.1, level 3): an action at its start, one at its end.

    All parts have one more parameter, `OCCURRENCE`.
    """

    start: Action
    end: Action
    invariant: Action
    """Its precondition must hold from after the start to before the end. Its effects are rates, as
    those of a process."""
    named: bool
    """Whether the parts tell the occurrences of the action apart, such as by ``?duration``."""


class Action(NamedTuple):
    """An action schema."""

    name: str
    parameters: tuple[Variable, ...]
    precondition: Condition
    effects: tuple[Effect, ...]
    preferences: tuple[Preference, ...] = ()
    """Preferences of the precondition, which count each time that a step violates them."""
    bounds: tuple[DurationBound, ...] = ()
    """At the start or end of a durative action, bounds of its duration in the state before."""
    durative: Durative | None = None
    """The parts of a durative action, whose own precondition and effects are empty."""

    def binding(self, arguments: Sequence[str]) -> Binding:
        """Return the object that each parameter stands for."""
        names = (parameter.name for parameter in self.parameters)
        return dict(zip(names, arguments, strict=True))


class Axiom(NamedTuple):
    """A rule that derives an atom (PDDL 2.2, Edelkamp and Hoffmann 2004)."""

    head: Atom
    variables: tuple[Variable, ...]
    """The head's variables with their types."""
    body: Condition


class Metric(NamedTuple):
    """The expression that the problem asks to minimise or maximise."""

    maximise: bool
    value: Expression


class Trajectory(NamedTuple):
    """A condition on the states of a plan, such as ``(always …)`` (PDDL 3)."""

    kind: str
    times: tuple[Number, ...]
    conditions: tuple[Condition, ...]


class Constraint(NamedTuple):
    """Conditions on the states of a plan, for each binding of its variables."""

    preference: str | None
    """The name of the preference; None if the constraint must be met."""
    variables: tuple[Variable, ...]
    trajectories: tuple[tuple[tuple[Variable, ...], Trajectory], ...]
    """What must be met, each for every binding of further variables."""


class Unsupported(NamedTuple):
    """A part of PDDL beyond classical planning."""

    feature: str
    file: str
    line: int
    judged: bool = False
    """Whether plans are judged; if not, verdicts are ``undecided``."""

    @property
    def fault(self) -> str:
        """What is not done, without the place."""
        return f"{self.feature} is not {'classical' if self.judged else 'judged'}"

    def __str__(self) -> str:
        return self.fault.replace(self.feature, f"{self.feature} ({self.file}, line {self.line})")


class ProblemFacts(NamedTuple):
    """The contents of a problem file other than its objects."""

    name: str
    facts: frozenset[Ground]
    values: dict[Ground, Number]
    goal: Condition
    metric: Metric | None
    unsupported: tuple[Unsupported, ...] = ()
    timed: tuple[tuple[Number, Action], ...] = ()
    """The times of timed initial literals and fluents (PDDL 2.2), in order; each with an action
    that has their effects, whose name is a blank and the time."""
    preferences: tuple[Preference, ...] = ()
    """Preferences of the goal."""
    constraints: tuple[Constraint, ...] = ()
