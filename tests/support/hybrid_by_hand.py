"""Random tasks with processes and events, and a second evaluator of their plans in floats.

It integrates with small steps (Runge and Kutta's method, which is exact for these flows but for
rounding) and looks for changes of sign; a value nearer than `EQUAL` to 0 is 0, and a plan with a
value between that and `NEAR` has no verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import NamedTuple

from hypothesis import strategies as st

EQUAL, NEAR, STEP = 1e-8, 1e-5, 1 / 8
Literal = tuple[str, bool] | tuple[str, str, float]
"""An atom with its truth; or a fluent, an operator and a number."""
Effect = tuple[str, bool] | tuple[str, str, float]
Condition = list[Literal]
Signs = dict[object, int]
State = dict[str, float]
"""The values of fluents, and 1 for atoms that hold."""


class Unclear(Exception):
    """The second evaluator has no verdict."""


class Hybrid(NamedTuple):
    """A task with a plan."""

    processes: list[tuple[Condition, str, str | float]]
    """The condition, a fluent, and its rate: a number, or a fluent after it in the alphabet."""
    events: list[tuple[Condition, list[Effect]]]
    actions: list[tuple[Condition, list[Effect]]]
    invariant: Condition
    """Of the action (hold), during which (x) decreases by (z)."""
    start: State
    goal: Condition
    steps: list[tuple[float, int]]
    """The time of each step with its action; the number after the last action is (hold)."""
    length: float
    """The duration of (hold)."""
    end: float

    def texts(self) -> tuple[str, str, str]:
        """Return the domain, the problem and the plan."""
        parts = [
            f"(:process f{n} :parameters () :precondition {condition_text(condition)} :effect "
            f"(increase ({fluent}) (* #t {f'({rate})' if isinstance(rate, str) else rate})))"
            for n, (condition, fluent, rate) in enumerate(self.processes)
        ]
        for kind, letter, changes in ("event", "e", self.events), ("action", "a", self.actions):
            parts += [
                f"(:{kind} {letter}{n} :parameters () :precondition {condition_text(condition)} "
                f":effect (and {' '.join(map(effect_text, effects))}))"
                for n, (condition, effects) in enumerate(changes)
            ]
        parts.append(
            "(:durative-action hold :parameters () :duration (= ?duration 1.5) :condition "
            f"(over all {condition_text(self.invariant)}) :effect (decrease (x) (* #t (z))))"
        )
        values = [f"(= ({name}) {number})" for name, number in self.start.items() if name in "xyz"]
        atoms = [f"({name})" for name, holds in self.start.items() if name in "pq" and holds]
        plan = [
            f"{time}: (hold) [1.5]" if action == len(self.actions) else f"{time}: (a{action})"
            for time, action in self.steps
        ]
        domain = (
            "(define (domain d) (:requirements :fluents :time :durative-actions) (:predicates (p) "
            f"(q)) (:functions (x) (y) (z)) {' '.join(parts)})"
        )
        problem = (
            f"(define (problem i) (:domain d) (:init {' '.join(atoms + values)}) "
            f"(:goal {condition_text(self.goal)}))"
        )
        return domain, problem, "\n".join([*plan, f"{self.end}: @PlanEND"])


def condition_text(condition: Condition) -> str:
    texts = [
        f"({part[1]} ({part[0]}) {part[2]})" if len(part) == 3 else atom_text(*part)
        for part in condition
    ]
    return f"(and {' '.join(texts)})"


def effect_text(effect: Effect) -> str:
    return f"({effect[1]} ({effect[0]}) {effect[2]})" if len(effect) == 3 else atom_text(*effect)


def atom_text(name: str, holds: object) -> str:
    return f"({name})" if holds else f"(not ({name}))"


NUMBERS = st.sampled_from([-2, -1, -0.5, 0.5, 1, 2, 3])
ATOMS = st.tuples(st.sampled_from("pq"), st.booleans())
COMPARISONS = st.tuples(st.sampled_from("xxyz"), st.sampled_from(["<", "<=", ">=", ">"]), NUMBERS)
CONDITIONS = st.lists(COMPARISONS | COMPARISONS | ATOMS, min_size=1, max_size=2)
RATES = st.tuples(st.just("x"), st.just("y") | NUMBERS) | st.tuples(
    st.just("y"), st.just("z") | NUMBERS
)
UPDATES = st.tuples(st.sampled_from("xyz"), st.sampled_from(["assign", "increase"]), NUMBERS)
EFFECTS = st.lists(ATOMS | UPDATES, min_size=1, max_size=2, unique_by=lambda effect: effect[0])
CHANGES = st.tuples(CONDITIONS, EFFECTS)
ONCE = st.builds(
    lambda atom, holds, part, update: ([(atom, holds), part], [(atom, not holds), *update]),
    st.sampled_from("pq"), st.booleans(), COMPARISONS, st.lists(UPDATES, max_size=1),
)  # fmt: skip
"""Events whose conditions do not hold after them."""
TIMES = st.sampled_from([0, 0.5, 1, 1.25, 2, 2.5, 3, 4])
HYBRIDS = st.builds(
    Hybrid,
    st.lists(
        st.tuples(st.just([]) | CONDITIONS, RATES).map(lambda each: (each[0], *each[1])),
        min_size=1,
        max_size=3,
    ),
    st.lists(ONCE | ONCE | ONCE | CHANGES, max_size=2),
    st.lists(st.tuples(st.just([]) | CONDITIONS, EFFECTS), min_size=2, max_size=2),
    CONDITIONS,
    st.fixed_dictionaries({**dict.fromkeys("xyz", NUMBERS), **dict.fromkeys("pq", st.booleans())}),
    CONDITIONS,
    st.lists(st.tuples(TIMES, st.integers(0, 2)), max_size=3, unique_by=lambda step: step[0]),
    st.just(1.5),
    st.just(6),
)


class Fails(Exception):
    """The plan fails; the argument is the step's position, or None."""


class Run:
    """The execution of a plan; `verdict` returns its result."""

    def __init__(self, task: Hybrid) -> None:
        self.task, self.state, self.time = task, dict(task.start), 0.0
        every = [task.goal, task.invariant, *(each[0] for each in task.processes)]
        every += [each[0] for each in (*task.events, *task.actions)]
        self.bounds = {part[::2] for condition in every for part in condition if len(part) == 3}
        self.holds: list[tuple[float, int]] = []
        """When each (hold) starts, and its position."""
        self.before: set[int] = set()
        """Those whose invariant does not hold now, before anything changes."""

    def verdict(self) -> tuple[str, int | None]:
        try:
            self.run()
        except Fails as error:
            return "invalid", error.args[0]
        return "valid", None

    def require(self, condition: Condition, signs: Signs, position: int | None) -> None:
        if not self.true(condition, signs):
            raise Fails(position)

    def run(self) -> None:
        self.settle()
        for position, (time, action) in enumerate(sorted(self.task.steps), start=1):
            self.flow(time)
            if action == len(self.task.actions):
                self.holds.append((time, position))
                continue
            condition, effects = self.task.actions[action]
            self.require(condition, self.signs(), position)
            self.let(effects)
            self.settle()
        self.flow(self.task.end)
        self.require(self.task.goal, self.signs(), None)

    # Values and their signs

    def slopes(self, running: set[int], state: State, orders: int = 4) -> list[State]:
        """Return the first derivatives of the fluents."""
        found, before = list[State](), state
        for order in range(orders):
            now = dict.fromkeys("xyz", 0.0)
            for index in running:
                _, fluent, rate = self.task.processes[index]
                now[fluent] += before[rate] if isinstance(rate, str) else rate * (order == 0)
            for start, _ in self.holds:
                now["x"] -= before["z"] * (start <= self.time < start + self.task.length - EQUAL)
            found.append(now)
            before = now
        return found

    def moved(self, running: set[int], span: float) -> State:
        """Return the state after a time: a step of Runge and Kutta's method."""

        def rate(state: State) -> State:
            return self.slopes(running, state, 1)[0]

        def plus(slope: State, share: float) -> State:
            return {n: v + share * span * slope.get(n, 0) for n, v in self.state.items()}

        first = rate(self.state)
        second = rate(plus(first, 0.5))
        third = rate(plus(second, 0.5))
        last = rate(plus(third, 1))
        mean = {n: (first[n] + 2 * second[n] + 2 * third[n] + last[n]) / 6 for n in "xyz"}
        return plus(mean, 1)

    def signs(self, slopes: list[State] | None = None) -> Signs:
        """Return the sign of each comparison, with slopes that just after now."""
        found: Signs = {}
        for fluent, number in self.bounds:
            values = [self.state[fluent] - number, *(each[fluent] for each in slopes or ())]
            if EQUAL < abs(values[0]) < NEAR:
                raise Unclear
            value = next((each for each in values if abs(each) > EQUAL), 0)
            found[fluent, number] = (value > 0) - (value < 0)
        return found

    def true(self, condition: Condition, signs: Signs) -> bool:
        return all(
            {"<": (-1,), "<=": (-1, 0), ">=": (0, 1), ">": (1,)}[part[1]].count(signs[part[::2]])
            if len(part) == 3
            else bool(self.state[part[0]]) is part[1]
            for part in condition
        )

    # What happens

    def changes(self, effects: list[Effect]) -> State:
        found: State = {}
        for effect in effects:
            name, old = effect[0], self.state[effect[0]]
            new = float(effect[-1]) + (old if effect[1] == "increase" else 0)
            if abs(new - old) > EQUAL:
                found[name] = new
        return found

    def let(self, *several: list[Effect]) -> None:
        for effects in several:
            self.state.update(self.changes(effects))

    def together(self, due: list[int]) -> None:
        """Let events happen; two of them must have nothing in common."""
        for one, other in combinations(due, 2):
            (first, makes), (second, changes) = self.task.events[one], self.task.events[other]
            if {e[0] for e in makes} & {e[0] for e in (*second, *changes)}:
                raise Unclear
            if {e[0] for e in changes} & {e[0] for e in first}:
                raise Unclear
        self.let(*(self.task.events[index][1] for index in due))

    def settle(self) -> None:
        for _ in range(12):
            signs = self.signs()
            due = [index for index, (condition, effects) in enumerate(self.task.events)
                   if self.true(condition, signs) and self.changes(effects)]  # fmt: skip
            if not due:
                return
            self.together(due)
        raise Unclear

    def mode(self) -> set[int]:
        """Return the processes that run just after now."""
        every = range(len(self.task.processes))
        now = {n for n in every if self.true(self.task.processes[n][0], self.signs())}
        choices = [now, *({n for n in every if bits[n]} for bits in product((0, 1), repeat=3))]
        found = [
            choice
            for choice in choices
            for signs in [self.signs(self.slopes(choice, self.state))]
            if choice == {n for n in every if self.true(self.task.processes[n][0], signs)}
        ]
        if not found or (
            found[0] != now
            and any(
                self.slopes(each, self.state) != self.slopes(found[0], self.state) for each in found
            )
        ):
            raise Unclear
        return found[0]

    def broken(self) -> set[int]:
        """Return the (hold) under way, by position, whose invariant does not hold now."""
        return {
            position
            for start, position in self.holds
            if start < self.time < start + self.task.length - EQUAL
            and not self.true(self.task.invariant, self.signs())
        }

    def check(self, signs: Signs) -> None:
        """Check the invariants just after now; at a change, both sides must agree."""
        now, self.before, before = self.broken(), set(), self.before
        for start, position in self.holds:
            if start <= self.time < start + self.task.length - EQUAL:
                if position not in now & before:
                    self.require(self.task.invariant, signs, position)
                if position in now | before:
                    raise Fails(position) if position in now & before else Unclear

    def flow(self, end: float) -> None:
        for _ in range(2000):
            if self.time == end:
                return
            running = self.mode()
            slopes = self.slopes(running, self.state)
            signs, due = self.signs(slopes), []
            for index, (condition, effects) in enumerate(self.task.events):
                if self.true(condition, signs):
                    flows = any(slope.get(e[0]) for e in effects for slope in slopes)
                    if flows and self.true(condition, self.signs()):
                        raise Unclear
                    due += [index] * (flows or bool(self.changes(effects)))
            if due:
                self.together(due)
            else:
                self.check(signs)
                span = min(self.crossings(running, signs, min(STEP, end - self.time)))
                state = self.moved(running, span)
                self.time = end if abs(self.time + span - end) < 1e-9 else self.time + span
                self.state = state
                self.before = self.broken()
            self.settle()
        raise Unclear

    def crossings(self, running: set[int], signs: Signs, most: float) -> Iterator[float]:
        """Yield a time, and the earlier ones at which a value reaches a bound."""
        yield most
        ahead = self.moved(running, most)
        now, then = (self.slopes(running, state)[0] for state in (self.state, ahead))
        for fluent, number in self.bounds:
            side, last = signs[fluent, number], most

            def slope(span: float, name: str = fluent, sign: int = side) -> float:
                return sign * self.slopes(running, self.moved(running, span))[0][name]

            def value(
                span: float, bound: tuple[str, float] = (fluent, number), sign: int = side
            ) -> float:
                return sign * (self.moved(running, span)[bound[0]] - bound[1])

            found = side * (ahead[fluent] - number)
            if side * now[fluent] < 0 < side * then[fluent]:
                last = halved(slope, 0, most)
                found = value(last)
            if EQUAL < abs(found) < NEAR:
                raise Unclear
            if side and found < EQUAL:
                yield last if abs(found) < EQUAL else halved(value, last, 0)


def halved(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function that is negative at one place and positive at another is 0."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return high
