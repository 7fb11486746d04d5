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
STAMPS: Final = ("0", "0.0", "1", "1.00", "2", "03")


class Given(NamedTuple):
    """A domain, a problem and a plan as text."""

    domain: str
    problem: str
    plan: str

    def __str__(self) -> str:
        return "\n\n".join(self)


@st.composite
def fluents(draw: DrawFn, terms: Sequence[str]) -> str:
    return draw(st.sampled_from(["(f)", "(k)", "f", "k", *(f"(h {term})" for term in terms)]))


@st.composite
def amounts(draw: DrawFn, terms: Sequence[str]) -> str:
    number = draw(st.sampled_from(["2", "1", "0.5", "-1", "3"]))
    match draw(st.integers(0, 3)):
        case 0:
            return draw(fluents(terms))
        case 1:
            operator = draw(st.sampled_from("+-*"))
            return f"({operator} {draw(fluents(terms))} {number})"
    return number


@st.composite
def updates(draw: DrawFn, terms: Sequence[str]) -> str:
    operator = draw(st.sampled_from(["scale-up", "scale-down", "increase", "decrease", "assign"]))
    # A power of two that is not 0, so that the result is exact.
    amount = st.sampled_from(["2", "0.5"]) if operator == "scale-down" else amounts(terms)
    return f"({operator} {draw(fluents(terms))} {draw(amount)})"


@st.composite
def literals(draw: DrawFn, terms: Sequence[str]) -> str:
    atom = draw(st.sampled_from(["(p)", "(r)", *(f"(q {term})" for term in terms)]))
    return draw(st.sampled_from([atom, f"(not {atom})"]))


@st.composite
def conditions(draw: DrawFn, terms: Sequence[str], depth: int = 2) -> str:
    kind = draw(st.integers(0, 8 if depth else 2))
    if kind <= 1:
        return draw(literals(terms))
    if kind == 2:
        # Strict comparisons are between numbers that are never equal.
        limit = draw(st.sampled_from(["= 2", ">= 1", "<= 1", "> 1.3", "< 1.3"]))
        operator, _, number = limit.partition(" ")
        return f"({operator} {draw(fluents(terms))} {number})"
    if kind <= 4:
        word = draw(st.sampled_from(["and", "or"]))
        parts = draw(st.lists(conditions(terms, depth - 1), min_size=1, max_size=3))
        return f"({word} {' '.join(parts)})"
    if kind == 5:
        return f"(not {draw(conditions(terms, depth - 1))})"
    if kind == 6:
        return f"(imply {draw(conditions(terms, depth - 1))} {draw(conditions(terms, depth - 1))})"
    variable = f"?v{depth}"
    word = "forall" if kind == 7 else "exists"
    return f"({word} ({variable}) {draw(conditions([*terms, variable], depth - 1))})"


@st.composite
def effects(draw: DrawFn, terms: Sequence[str], depth: int = 2) -> str:
    """Return an effect; in VAL's grammar, an ``and`` in a ``when`` holds only simple effects."""
    kind = draw(st.integers(0, 7 if depth else 4))
    if kind <= 2:
        return draw(updates(terms))
    if kind <= 4:
        return draw(literals(terms))
    if kind == 7:
        variable = f"?e{depth}"
        parts = draw(st.lists(effects([*terms, variable], depth - 1), min_size=1, max_size=3))
        return f"(forall ({variable}) (and {' '.join(parts)}))"
    parts = draw(st.lists(effects(terms, 0), min_size=1, max_size=3))
    inner = f"(and {' '.join(parts)})" if kind == 6 else draw(effects(terms, depth - 1))
    return f"(when {draw(conditions(terms))} {inner})"


@st.composite
def actions(draw: DrawFn, name: str, parameters: Sequence[str]) -> str:
    terms = [*parameters, *OBJECTS[:1]]
    precondition = "()" if draw(st.booleans()) else draw(conditions(terms))
    effect = " ".join(draw(st.lists(effects(terms), min_size=1, max_size=4)))
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
def numeric_tasks(draw: DrawFn, *, stamped: bool) -> Given:
    """Return a task in which actions change a few fluents and atoms in all ways."""
    definitions = [draw(actions("a", [])), draw(actions("b", [])), draw(actions("c", ["?x"]))]
    domain = "\n".join((
        "(define (domain d) (:requirements :adl :fluents) (:constants o1)",
        "(:predicates (p) (r) (q ?x)) (:functions (f) (k) (h ?x))", *definitions, ")",
    ))  # fmt: skip
    values = [f"(= {fluent} {draw(st.sampled_from(['2', '0', '1', '-1', '0.5']))})"
              for fluent in ("(f)", "(k)", *(f"(h {name})" for name in OBJECTS))]  # fmt: skip
    facts = [fact for fact in ("(p)", "(r)", "(q o1)", "(q o2)") if draw(st.booleans())]
    goal = draw(st.just("(and)") | conditions(OBJECTS))
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
def spelled(draw: DrawFn, entries: Sequence[Entry], *, grouped: bool = True) -> str:
    """Return a typed list; names without a type come last."""
    typed = [entry for entry in entries if entry[1]]
    words: list[str] = []
    for index, (name, kind) in enumerate(typed):
        following = typed[index + 1][1] if index + 1 < len(typed) else ""
        words.append(name)
        if kind != following or not grouped or draw(st.booleans()):
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
    parameters = draw(st.lists(kinds, min_size=1, max_size=2))
    variables = [(f"?x{index}", kind) for index, kind in enumerate(parameters)]
    words = " ".join(name for name, _ in variables)
    places = " ".join(f"?y{index} - object" for index in range(len(variables)))
    domain = f"""(define (domain d) (:requirements :adl :typing)
(:types{draw(spelled(parents))})
(:predicates (seen {places}) (met ?x - object))
(:action see :parameters ({draw(spelled(variables))})
  :precondition () :effect (seen {words}))
(:action meet :parameters (?x - object) :precondition ()
  :effect (and (met ?x) (forall ({draw(spelled([("?z", draw(kinds))]))}) (and (met ?z))))))"""
    goal = draw(st.sampled_from(["forall", "exists"]))
    problem = f"""(define (problem i) (:domain d) (:objects{draw(spelled(objects))})
(:init) (:goal ({goal} ({draw(spelled([("?z", draw(kinds))]))}) (met ?z))))"""
    names = st.sampled_from([name for name, _ in objects])
    steps = draw(st.lists(names.map(lambda name: f"(meet {name})"), max_size=3))
    if draw(st.booleans()):
        steps.append(f"(see {' '.join(draw(names) for _ in variables)})")
    return Given(domain, problem, "\n".join(steps))
