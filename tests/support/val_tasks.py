"""Random small tasks with plans, in the part of PDDL that VAL reads, for comparisons with it.

What the table of deviations in ``docs/validation.md`` lists is left out as far as possible: no
undefined fluents, no division by zero, no strict comparison of equal numbers. Numbers have few
binary digits, so that VAL's floats are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

Texts = st.SearchStrategy[str]
OBJECTS: Final = ("o1", "o2", "o3")
FUNCTIONS: Final = ("f", "k", "h")
NOTHING: Final = st.just("")
STAMPS: Final = ("0", "0.0", "1", "1.00", "2", "03")


class Given(NamedTuple):
    """A domain, a problem and a plan as text."""

    domain: str
    problem: str
    plan: str

    def __str__(self) -> str:
        return "\n\n".join(self)


class Scope(NamedTuple):
    """What an action may use."""

    terms: tuple[str, ...]
    """Variables and objects."""
    read: tuple[str, ...] = FUNCTIONS
    """Functions that it may read."""
    added: tuple[str, ...] = FUNCTIONS
    """Functions that it may increase and decrease."""
    static: bool = False
    """Whether the conditions of effects read only atoms that no action changes."""

    def with_variable(self, name: str) -> Scope:
        return self._replace(terms=(*self.terms, name))


def drawn(form: str, *parts: Sequence[str] | Texts) -> Texts:
    """Return a form whose places are filled in; a sequence is one to draw from."""
    sources = [st.sampled_from(p) if isinstance(p, Sequence) else p for p in parts]
    return st.builds(form.format, *sources)


def joined(form: str, parts: Texts, *, most: int = 3) -> Texts:
    return st.lists(parts, min_size=1, max_size=most).map(
        lambda drawn: form.format(" ".join(drawn))
    )


def fluents(scope: Scope, functions: Sequence[str] = FUNCTIONS) -> Texts:
    plain = [word for name in functions if name != "h" for word in (name, f"({name})")]
    forms = [drawn("{}", plain)] if plain else []
    return st.one_of(*forms, *[drawn("(h {})", scope.terms)] * ("h" in functions))


def amounts(scope: Scope) -> Texts:
    numbers = drawn("{}", ["2", "1", "0.5", "-1", "3"])
    if not scope.read:
        return numbers
    read = fluents(scope, scope.read)
    return st.one_of(numbers, numbers, read, drawn("({} {} {})", "+-*", read, numbers))


def updates(scope: Scope) -> Texts:
    # A power of two that is not 0, so that the result is exact.
    scaled = drawn("(scale-down {} {})", fluents(scope), ["2", "0.5"])
    forms = [scaled, drawn("({} {} {})", ["scale-up", "assign"], fluents(scope), amounts(scope))]
    if scope.added:
        added, words = fluents(scope, scope.added), ["increase", "decrease"]
        forms += [drawn("({} {} {})", words, added, amounts(scope))] * 2
    return st.one_of(forms)


def literals(scope: Scope, *, static: bool = False) -> Texts:
    names, unary = (["(s)"], "t") if static else (["(p)", "(r)"], "q")
    atoms = [*names, *(f"({unary} {term})" for term in scope.terms)]
    return drawn("{}", [*atoms, *(f"(not {atom})" for atom in atoms)])


@cache
def conditions(scope: Scope, *, static: bool = False, depth: int = 2) -> Texts:
    leaves = [literals(scope, static=static), literals(scope, static=static),
              literals(scope, static=True)]  # fmt: skip
    if scope.read and not static:
        # Strict comparisons are between numbers that are never equal.
        limits = [("=", "2"), (">=", "1"), ("<=", "1"), (">", "1.3"), ("<", "1.3")]
        leaves += [drawn(f"({sign} {{}} {n})", fluents(scope, scope.read)) for sign, n in limits]
    if not depth:
        return st.one_of(leaves)
    part = conditions(scope, static=static, depth=depth - 1)
    variable = f"?v{depth}"
    inner = conditions(scope.with_variable(variable), static=static, depth=depth - 1)
    return st.one_of(
        st.one_of(leaves), st.one_of(leaves), joined("(and {})", part), joined("(or {})", part),
        drawn("(not {})", part), drawn("(imply {} {})", part, part),
        drawn(f"({{}} ({variable}) {{}})", ["forall", "exists"], inner),
    )  # fmt: skip


@cache
def effects(scope: Scope, depth: int = 2) -> Texts:
    """Return effects; in VAL's grammar, an ``and`` in a ``when`` holds only simple effects."""
    simple = st.one_of(updates(scope), literals(scope))
    if not depth:
        return simple
    variable, when = f"?e{depth}", conditions(scope, static=scope.static)
    inner = effects(scope.with_variable(variable), depth - 1)
    return st.one_of(
        simple, simple, drawn("(when {} {})", when, effects(scope, depth - 1)),
        drawn("(when {} {})", when, joined("(and {})", simple)),
        joined(f"(forall ({variable}) (and {{}}))", inner),
    )  # fmt: skip


@st.composite
def actions(draw: DrawFn, name: str, parameters: Sequence[str], *, careful: bool) -> str:
    scope = Scope((*parameters, *OBJECTS[:1]))
    if careful:
        read = tuple(name for name in FUNCTIONS if draw(st.booleans()))
        added = tuple(name for name in FUNCTIONS if name not in read)
        scope = scope._replace(read=read, added=added, static=True)
    return (
        f"(:action {name} :parameters ({' '.join(parameters)})\n"
        f"  :precondition {draw(st.just('()') | conditions(scope))}\n"
        f"  :effect {draw(joined('(and {})', effects(scope), most=4))})"
    )


@st.composite
def plans(draw: DrawFn, *, stamped: bool) -> str:
    step = drawn("{}", ["(a)", "(b)", *(f"(c {name})" for name in OBJECTS)])
    stamp = drawn("{}: ", STAMPS) if stamped else st.just("")
    return "\n".join(draw(st.lists(drawn("{}{}", stamp, step), min_size=1, max_size=4)))


@st.composite
def numeric_tasks(draw: DrawFn, *, stamped: bool, careful: bool = False) -> Given:
    """Return a task in which actions change a few fluents and atoms in all ways.

    In a careful task no action increases or decreases a fluent that it reads, and the conditions of
    effects are static: there the rules for simultaneous steps are the same here and in VAL.
    """
    kinds = [("a", []), ("b", []), ("c", ["?x"])]
    definitions = [draw(actions(name, parameters, careful=careful)) for name, parameters in kinds]
    metric = f"(+ (f) (* 8 (k)) {' '.join(f'(h {name})' for name in OBJECTS)})"
    goal = drawn("(:goal {})", st.just("(and)") | conditions(Scope(OBJECTS)))
    return Given(*draw(definition(definitions, goal, metric)), draw(plans(stamped=stamped)))


@st.composite
def definition(
    draw: DrawFn, actions: Sequence[str], goal: Texts, metric: str, more: Texts = NOTHING
) -> tuple[str, str]:
    """Return a domain with these actions and a problem; `more` stands in the initial state."""
    domain = "\n".join((
        "(define (domain d) (:requirements :adl :fluents :durative-actions) (:constants o1)",
        "(:predicates (p) (r) (q ?x) (s) (t ?x)) (:functions (f) (k) (h ?x))", *actions, ")",
    ))  # fmt: skip
    values = [f"(= {fluent} {draw(st.sampled_from(['2', '0', '1', '-1', '0.5']))})"
              for fluent in ("(f)", "(k)", *(f"(h {name})" for name in OBJECTS))]  # fmt: skip
    atoms = ("(p)", "(r)", "(q o1)", "(q o2)", "(s)", "(t o1)", "(t o3)")
    facts = [fact for fact in atoms if draw(st.booleans())]
    problem = "\n".join((
        f"(define (problem i) (:domain d) (:objects {' '.join(OBJECTS[1:])})",
        f"(:init {' '.join([*values, *facts])} {draw(more)})", draw(goal),
        f"(:metric minimize {metric}))",
    ))  # fmt: skip
    return domain, problem


# Time, preferences and constraints

TIMES: Final = ("0", "0.5", "1", "1.5", "2", "3", "4", "5.25")
BOUNDS: Final = ("(= ?duration 2)", "(>= ?duration (k))", "(<= ?duration 3)",
                 "(and (>= ?duration 1) (at end (<= ?duration 2.5)))")  # fmt: skip
ENDS: Final = ("start", "end")
ONE_PART: Final = ("always", "sometime", "at-most-once", "at end", "within 1", "within 2.5")
TWO_PARTS: Final = ("sometime-after", "sometime-before", "always-within 1", "always-within 2")


@st.composite
def durative_actions(draw: DrawFn, name: str) -> str:
    scope = Scope(("?x", *OBJECTS[:1]), added=(), static=True)
    condition = drawn("({} {})", ["at start", "over all", "at end"], conditions(scope, depth=1))
    simple = effects(scope, 0)
    timed = st.one_of(
        drawn("(at {} {})", ENDS, simple),
        drawn("(at {} ({} (f) ?duration))", ENDS, ["increase", "decrease"]),
        drawn("(forall (?v) (at {} (q ?v)))", ENDS),
        *(drawn(f"(when (at {end} {{}}) (at {end} {{}}))", literals(scope, static=True), simple)
          for end in ENDS),
    )  # fmt: skip
    return (
        f"(:durative-action {name} :parameters (?x) :duration {draw(st.sampled_from(BOUNDS))}\n"
        f"  :condition {draw(st.just('(and)') | joined('(and {})', condition, most=2))}\n"
        f"  :effect {draw(joined('(and {})', timed, most=4))})"
    )


@st.composite
def timed_tasks(draw: DrawFn) -> Given:
    """Return a task with durative and instantaneous actions and timed literals."""
    actions_ = [draw(durative_actions(name)) for name in "ab"]
    actions_.append(draw(actions("c", ["?x"], careful=True)))
    literals_ = ["(p)", "(not (p))", "(q o1)", "(not (q o2))"]
    timed = drawn("(at {} {})", TIMES[1:], literals_)
    goal = drawn("(:goal {})", st.just("(and)") | conditions(Scope(OBJECTS), depth=1))
    step = drawn("{}: ({} {}) [{}]", TIMES, "ab", OBJECTS, ["2", "2", "1", "2.5"])
    steps = st.lists(step | drawn("{}: (c {})", TIMES, OBJECTS), min_size=1, max_size=4)
    texts = draw(definition(actions_, goal, "(+ (total-time) (f))", NOTHING | timed))
    return Given(*texts, "\n".join(draw(steps)))


@st.composite
def constrained_tasks(draw: DrawFn) -> Given:
    """Return a task with preferences and trajectory constraints."""
    part = conditions(Scope(OBJECTS[:1]), depth=1)
    one, two = drawn("({} {})", ONE_PART, part), drawn("({} {} {})", TWO_PARTS, part, part)
    effect = joined("(and {})", effects(Scope(("?x",), static=True), 0))
    form = "(:action {} :parameters (?x) :precondition (and {}) :effect {})"
    hard = NOTHING | literals(Scope(("?x",)))
    actions = [
        draw(drawn(form, [name], wanted, effect))
        for name, wanted in zip("ab", (hard, drawn("(preference n0 {})", part)), strict=True)
    ]
    goal = drawn(
        "(:goal (and {} (preference n1 {})))\n(:constraints (and {} (preference n2 {}) {}))",
        NOTHING | part, part, NOTHING | one | two, one | two,
        drawn("(forall (?v) (preference n3 ({} (q ?v))))", ONE_PART),
    )  # fmt: skip
    violated = " ".join(f"(* {10**n} (is-violated n{n}))" for n in range(4))
    texts = draw(definition(actions, goal, f"(+ (total-time) {violated})"))
    steps = st.lists(drawn("({} {})", "ab", OBJECTS), max_size=5)
    return Given(*texts, "\n".join(draw(steps)))
