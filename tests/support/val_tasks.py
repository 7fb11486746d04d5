"""Random small tasks with plans, in the part of PDDL that VAL reads, for comparisons with it.

What the table of deviations in ``docs/validation.md`` lists is left out as far as possible: no
undefined fluents, no division by zero, no strict comparison of equal numbers. Numbers have few
binary digits, so that VAL's floats are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

OBJECTS: Final = ("o1", "o2", "o3")
FUNCTIONS: Final = ("f", "k", "h")
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

    terms: Sequence[str]
    """Variables and objects."""
    read: Sequence[str] = FUNCTIONS
    """Functions that it may read."""
    added: Sequence[str] = FUNCTIONS
    """Functions that it may increase and decrease."""
    static: bool = False
    """Whether the conditions of effects read only atoms that no action changes."""

    def with_variable(self, name: str) -> Scope:
        return self._replace(terms=[*self.terms, name])


@st.composite
def fluents(draw: DrawFn, scope: Scope, functions: Sequence[str] = FUNCTIONS) -> str:
    name = draw(st.sampled_from(functions))
    if name == "h":
        return f"(h {draw(st.sampled_from(scope.terms))})"
    return draw(st.sampled_from([name, f"({name})"]))


@st.composite
def amounts(draw: DrawFn, scope: Scope) -> str:
    number = draw(st.sampled_from(["2", "1", "0.5", "-1", "3"]))
    kind = draw(st.integers(0, 3)) if scope.read else 3
    if kind == 0:
        return draw(fluents(scope, scope.read))
    if kind == 1:
        operator = draw(st.sampled_from("+-*"))
        return f"({operator} {draw(fluents(scope, scope.read))} {number})"
    return number


@st.composite
def updates(draw: DrawFn, scope: Scope) -> str:
    operator = draw(st.sampled_from(["scale-up", "scale-down", "increase", "decrease", "assign"]))
    # A power of two that is not 0, so that the result is exact.
    amount = st.sampled_from(["2", "0.5"]) if operator == "scale-down" else amounts(scope)
    functions = FUNCTIONS
    if operator in ("increase", "decrease"):
        if not scope.added:
            return "(r)"
        functions = scope.added
    return f"({operator} {draw(fluents(scope, functions))} {draw(amount)})"


@st.composite
def literals(draw: DrawFn, scope: Scope, *, static: bool = False) -> str:
    names, unary = (["(s)"], "t") if static else (["(p)", "(r)"], "q")
    atom = draw(st.sampled_from([*names, *(f"({unary} {term})" for term in scope.terms)]))
    return draw(st.sampled_from([atom, f"(not {atom})"]))


@st.composite
def conditions(draw: DrawFn, scope: Scope, *, static: bool = False, depth: int = 2) -> str:
    def part(inner: Scope = scope) -> str:
        return draw(conditions(inner, static=static, depth=depth - 1))

    kind = draw(st.integers(0, 8 if depth else 2))
    if kind <= 1 or (kind == 2 and (static or not scope.read)):
        return draw(literals(scope, static=static or draw(st.integers(0, 3)) == 0))
    if kind == 2:
        # Strict comparisons are between numbers that are never equal.
        limit = draw(st.sampled_from(["= 2", ">= 1", "<= 1", "> 1.3", "< 1.3"]))
        operator, _, number = limit.partition(" ")
        return f"({operator} {draw(fluents(scope, scope.read))} {number})"
    if kind <= 4:
        parts = [part() for _ in range(draw(st.integers(1, 3)))]
        return f"({draw(st.sampled_from(['and', 'or']))} {' '.join(parts)})"
    if kind == 5:
        return f"(not {part()})"
    if kind == 6:
        return f"(imply {part()} {part()})"
    variable = f"?v{depth}"
    word = "forall" if kind == 7 else "exists"
    return f"({word} ({variable}) {part(scope.with_variable(variable))})"


@st.composite
def effects(draw: DrawFn, scope: Scope, depth: int = 2) -> str:
    """Return an effect; in VAL's grammar, an ``and`` in a ``when`` holds only simple effects."""
    kind = draw(st.integers(0, 7 if depth else 4))
    if kind <= 2:
        return draw(updates(scope))
    if kind <= 4:
        return draw(literals(scope))
    if kind == 7:
        variable = f"?e{depth}"
        inner = effects(scope.with_variable(variable), depth - 1)
        parts = draw(st.lists(inner, min_size=1, max_size=3))
        return f"(forall ({variable}) (and {' '.join(parts)}))"
    parts = draw(st.lists(effects(scope, 0), min_size=1, max_size=3))
    inside = f"(and {' '.join(parts)})" if kind == 6 else draw(effects(scope, depth - 1))
    return f"(when {draw(conditions(scope, static=scope.static))} {inside})"


@st.composite
def actions(draw: DrawFn, name: str, parameters: Sequence[str], *, careful: bool) -> str:
    scope = Scope([*parameters, *OBJECTS[:1]])
    if careful:
        read = draw(st.lists(st.sampled_from(FUNCTIONS), unique=True))
        added = [function for function in FUNCTIONS if function not in read]
        scope = scope._replace(read=read, added=added, static=True)
    precondition = "()" if draw(st.booleans()) else draw(conditions(scope))
    effect = " ".join(draw(st.lists(effects(scope), min_size=1, max_size=4)))
    return (
        f"(:action {name} :parameters ({' '.join(parameters)})\n"
        f"  :precondition {precondition}\n  :effect (and {effect}))"
    )


@st.composite
def plans(draw: DrawFn, *, stamped: bool) -> str:
    step = st.sampled_from(["(a)", "(b)", *(f"(c {name})" for name in OBJECTS)])
    steps = draw(st.lists(step, min_size=1, max_size=4))
    if not stamped:
        return "\n".join(steps)
    return "\n".join(f"{draw(st.sampled_from(STAMPS))}: {each}" for each in steps)


@st.composite
def numeric_tasks(draw: DrawFn, *, stamped: bool, careful: bool = False) -> Given:
    """Return a task in which actions change a few fluents and atoms in all ways.

    In a careful task no action increases or decreases a fluent that it reads, and the conditions of
    effects are static: there the rules for simultaneous steps are the same here and in VAL.
    """
    kinds = [("a", []), ("b", []), ("c", ["?x"])]
    definitions = [draw(actions(name, parameters, careful=careful)) for name, parameters in kinds]
    domain = "\n".join((
        "(define (domain d) (:requirements :adl :fluents) (:constants o1)",
        "(:predicates (p) (r) (q ?x) (s) (t ?x)) (:functions (f) (k) (h ?x))", *definitions, ")",
    ))  # fmt: skip
    values = [f"(= {fluent} {draw(st.sampled_from(['2', '0', '1', '-1', '0.5']))})"
              for fluent in ("(f)", "(k)", *(f"(h {name})" for name in OBJECTS))]  # fmt: skip
    atoms = ("(p)", "(r)", "(q o1)", "(q o2)", "(s)", "(t o1)", "(t o3)")
    facts = [fact for fact in atoms if draw(st.booleans())]
    goal = draw(st.just("(and)") | conditions(Scope(OBJECTS)))
    problem = "\n".join((
        f"(define (problem i) (:domain d) (:objects {' '.join(OBJECTS[1:])})",
        f"(:init {' '.join([*values, *facts])})", f"(:goal {goal})",
        f"(:metric minimize (+ (f) (* 8 (k)) {' '.join(f'(h {name})' for name in OBJECTS)})))",
    ))  # fmt: skip
    return Given(domain, problem, draw(plans(stamped=stamped)))


# Typed lists, in all spellings

TYPES: Final = ("t0", "t1", "t2", "t3")
NAMES: Final = ("p0", "p1", "p2", "p3", "p4")
Entry = tuple[str, str]
"""A name and its type as it is written; the type is empty for a name without one."""


@st.composite
def type_words(draw: DrawFn, known: Sequence[str] = TYPES) -> str:
    names = draw(st.lists(st.sampled_from([*known, "object"]), min_size=1, max_size=2))
    return names[0] if len(names) == 1 else f"(either {' '.join(names)})"


@st.composite
def spelled(draw: DrawFn, entries: Sequence[Entry]) -> str:
    """Return a typed list; names without a type come last."""
    typed = [entry for entry in entries if entry[1]]
    words: list[str] = []
    for index, (name, kind) in enumerate(typed):
        following = typed[index + 1][1] if index + 1 < len(typed) else ""
        words.append(name)
        if kind != following or draw(st.booleans()):
            words.append(draw(_typed_as(kind)))
            if draw(st.integers(0, 9)) == 0:
                words.append(draw(_typed_as(kind)))  # a group without names
    words += [name for name, kind in entries if not kind]
    blank = st.sampled_from([" ", "  ", "\n", "\t", " ; - comment\n", "\r\n"])
    text = "".join(f"{draw(blank)}{word}" for word in words)
    return text.upper() if draw(st.integers(0, 5)) == 0 else text


@st.composite
def _typed_as(draw: DrawFn, kind: str) -> str:
    return f"-{draw(st.sampled_from(['', ' ', chr(10), ' ;x' + chr(10)]))}{kind}"


@st.composite
def typed_tasks(draw: DrawFn) -> Given:
    """Return a task whose types, objects and parameters are spelled in many ways."""
    kinds = type_words()
    parents: list[Entry] = []
    for index, name in enumerate(TYPES):
        # VAL knows `object` only where it is a parent, and forgets an `either` of a type that is
        # declared again.
        single = st.sampled_from([*TYPES[:index], "object"])
        several = st.lists(single, min_size=2, max_size=3)
        declared = draw(several | type_words(TYPES[:index]).map(lambda kind: [kind]))
        parents += [(name, kind) for kind in declared]
    parents = draw(st.permutations(parents))
    objects = [(name, draw(kinds)) for name in NAMES[: draw(st.integers(1, len(NAMES)))]]
    constants = draw(st.integers(0, len(objects)))
    parameters = draw(st.lists(kinds, min_size=1, max_size=2))
    variables = [(f"?x{index}", kind) for index, kind in enumerate(parameters)]
    words = " ".join(name for name, _ in variables)
    places = " ".join(f"?y{index} - object" for index in range(len(variables)))
    domain = f"""(define (domain d) (:requirements :adl :typing)
(:types{draw(spelled(parents))})
(:constants{draw(spelled(objects[:constants]))})
(:predicates (seen {places}) (met ?x - object) (made{draw(spelled(variables))}))
(:functions (cost{draw(spelled(variables))}){draw(_typed_as("number"))} (total-cost))
(:action see :parameters ({draw(spelled(variables))})
  :precondition () :effect (and (seen {words}) (made {words})))
(:action meet :parameters (?x - object) :precondition ()
  :effect (and (met ?x) (forall ({draw(spelled([("?z", draw(kinds))]))}) (and (met ?z))))))"""
    goal = draw(st.sampled_from(["forall", "exists"]))
    problem = f"""(define (problem i) (:domain d) (:objects{draw(spelled(objects[constants:]))})
(:init) (:goal ({goal} ({draw(spelled([("?z", draw(kinds))]))}) (met ?z))))"""
    names = st.sampled_from([name for name, _ in objects])
    steps = draw(st.lists(names.map(lambda name: f"(meet {name})"), max_size=3))
    if draw(st.booleans()):
        steps.append(f"(see {' '.join(draw(names) for _ in variables)})")
    return Given(domain, problem, "\n".join(steps))
