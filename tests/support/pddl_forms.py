"""Forms of PDDL that this project reads and some planner does not; generated tasks with them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from planner_outcomes import altered

from pddl_pipeline.model.problem import Problem

OBJECTS = "(:objects b1 b2 - ball ra rb - room)"
GOAL = "(:goal (held b1))"
MOVES = "(and (here ?b) (not (here ?a)))"
GRABS = "(and (held ?x) (not (lies ?x ?r)))"
PLAIN = Problem(
    f"""(define (domain rooms)
 (:requirements :strips :typing)
 (:types room ball)
 (:predicates (lies ?b - ball ?r - room) (here ?r - room) (held ?b - ball))
 (:action move :parameters (?a ?b - room) :precondition (here ?a) :effect {MOVES})
 (:action grab :parameters (?x - ball ?r - room) :precondition (and (here ?r) (lies ?x ?r))
  :effect {GRABS}))
""",
    f"""(define (problem p) (:domain rooms)
 {OBJECTS}
 (:init (here ra) (lies b1 rb) (lies b2 ra))
 {GOAL})
""",
)
WAIT = "(:action wait :parameters (?a - room) :precondition {} :effect (here ?a)) (:action grab"
TIMED_WAIT = """(:durative-action wait :parameters (?a - room) :duration (= ?duration 1)
  :condition () :effect (at end (here ?a)))
 (:durative-action grab"""
FORMS = {
    "needless requirement": [":typing", ":typing :time"],
    "unknown requirement": [":typing", ":typing :rooms"],
    "requirements in the problem": ["(:objects", "(:requirements :strips) (:objects"],
    "two sections of predicates": ["(here ?r - room)", ") (:predicates (here ?r - room)"],
    "types last": ["(:types room ball)", "", GRABS, f"{GRABS}) (:types room ball"],
    "hyphen at a type": ["(?a ?b - room)", "(?a ?b -room)"],
    "hyphen at the type of objects": ["ra rb - room", "ra rb -room"],
    "goal first": [GOAL, "", "(:objects", f"{GOAL} (:objects"],
    "objects last": [OBJECTS, "", GOAL, f"{GOAL} {OBJECTS}"],
    "length": [GOAL, f"{GOAL} (:length (:serial 3))"],
    "empty goal": [GOAL, "(:goal ())"],
    "negated fact": ["(here ra)", "(here ra) (not (here rb))"],
    "empty precondition": ["(:action grab", WAIT.format("()")],
    "conjunction of nothing": ["(:action grab", WAIT.format("(and)")],
    "no effect": ["(:action move", "(:action rest :parameters (?a - room)) (:action move"],
    "conjunction in a conjunction": [MOVES, f"(and {MOVES} (and))"],
    "effect first": [f":effect {MOVES}", "", "(?a ?b - room)", f"(?a ?b - room) :effect {MOVES}"],
    "object twice": ["b1 b2", "b1 b2 b2"],
    "name with a digit first": ["b1", "1b"],
    "name with a dot": ["b1", "b.1"],
    "keyword as a name": ["lies", "over"],
    "one name of two kinds": ["lies", "grab"],
    "two cases of a name": ["(here ra)", "(HERE ra)"],
    "types without a section": ["(:types room ball)", ""],
    "other name of the domain": ["(:domain rooms)", "(:domain room)"],
}
"""Forms that some planner refuses, each as replacements in `PLAIN`."""
FUNCTIONS = "(:functions (total-cost) - number)"
COSTS = {
    "decimal costs": ["(total-cost) 2", "(total-cost) 2.5"],
    "a decimal of a whole cost": ["(total-cost) 2", "(total-cost) 2.0"],
    "functions before predicates": [FUNCTIONS, "", "(:predicates", f"{FUNCTIONS} (:predicates"],
    "costs that do not start": ["(= (total-cost) 0)", ""],
    "a function without parentheses": ["(increase (total-cost)", "(increase total-cost"],
}
EFFECTS = {
    "forall in when": "(when (here ?r) (forall (?y - ball) (when (lies ?y ?r) (held ?y))))",
    "when in when": "(when (here ?r) (when (lies ?x ?r) (held ?x)))",
    "both in when": "(when (here ?r) (and (held ?x) (forall (?y - ball) (not (lies ?y ?r)))))",
    "forall in forall": "(forall (?y - ball) (forall (?z - room) (when (lies ?y ?z) (held ?y))))",
    "a variable with a digit first": "(forall (?2 - ball) (when (not (= ?2 ?x)) (held ?2)))",
    "several effects in forall": "(forall (?y - ball) (and (held ?y) (not (lies ?y ?r))))",
}
TIMES = {
    "timed empty condition": ["(:durative-action grab", TIMED_WAIT],
    "bound in a conjunction": ["(= ?duration 3)", "(and (= ?duration 3))"],
    "bound at the start": ["(= ?duration 3)", "(at start (= ?duration 3))"],
    "only a negated fact": [
        "(here ra) (lies b1 rb) (lies b2 ra)", "(not (here ra))",
        "(at start (here ?a))", "(at start (not (here ?b)))", GOAL, "(:goal (here ra))",
    ],
    "only timed facts": [
        "(here ra) (lies b1 rb) (lies b2 ra)",
        "(at 1 (here ra)) (at 1 (lies b1 ra)) (at 1 (lies b2 ra))",
    ],
    "timed unknown requirement": [":typing", ":typing :rooms"],
    "timed goal first": FORMS["goal first"],
}  # fmt: skip


def replaced(problem: Problem, *texts: str) -> Problem:
    """Return a problem with other texts: each text of an even index by the one behind it."""
    for old, new in zip(texts[::2], texts[1::2], strict=True):
        problem = altered(problem, old, new)
    return problem


WITH_COSTS = replaced(
    PLAIN, "(:action move", f"{FUNCTIONS} (:action move", "(not (here ?a))",
    "(not (here ?a)) (increase (total-cost) 2)", "(:init", "(:init (= (total-cost) 0)",
    GOAL, f"{GOAL} (:metric minimize (total-cost))",
)  # fmt: skip
WITH_TIME = replaced(
    PLAIN, ":action", ":durative-action", ":typing", ":typing :durative-actions",
    ":precondition", ":duration (= ?duration 3) :condition",
    ":condition (here ?a)", ":condition (at start (here ?a))",
    "(and (here ?r) (lies ?x ?r))", "(and (over all (here ?r)) (at start (lies ?x ?r)))",
    MOVES, "(and (at end (here ?b)) (at start (not (here ?a))))",
    GRABS, "(and (at end (held ?x)) (at start (not (lies ?x ?r))))",
)  # fmt: skip
STRIPS = {name: replaced(PLAIN, *texts) for name, texts in FORMS.items()}
PRICED = {name: replaced(WITH_COSTS, *texts) for name, texts in COSTS.items()}
ADL = {
    name: replaced(PLAIN, ":typing", ":adl", "(held ?x) (not (lies ?x ?r))", text)
    for name, text in EFFECTS.items()
}
TIMED = {name: replaced(WITH_TIME, *texts) for name, texts in TIMES.items()}
MANY = replaced(
    PLAIN, *(text for name in (
        "unknown requirement", "types last", "hyphen at a type", "goal first", "length",
        "negated fact", "empty precondition", "no effect", "conjunction in a conjunction",
        "object twice", "name with a dot", "two cases of a name",
    ) for text in FORMS[name]),
)  # fmt: skip
"""A problem of many forms at once."""

# Generated tasks: predicates p and q of one argument and of two, objects with odd names.
_NAMES = st.sampled_from(["a", "1b", "c.d", "over", "p", "E"])
_VARIABLES = st.sampled_from(["?x", "?y", "?2"])


def _atoms(terms: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    one = st.builds("(p {})".format, terms)
    return one | st.builds("(q {} {})".format, terms, terms)


def _several(parts: st.SearchStrategy[str], word: str) -> st.SearchStrategy[str]:
    return st.lists(parts, max_size=3).map(lambda found: f"({' '.join([word, *found])})")


def conditions(terms: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return conditions; their variables are ?x, and those of quantifiers."""
    leaves = _atoms(terms) | st.builds("(= {} {})".format, terms, terms)
    return st.recursive(leaves, lambda inner: st.one_of(
        _several(inner, "and"), _several(inner, "or"), inner.map("(not {})".format),
        st.builds("(imply {} {})".format, inner, inner),
        st.builds("({} (?x -t) {})".format, st.sampled_from(["exists", "forall"]), inner),
    ), max_leaves=6)  # fmt: skip


def effects(terms: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return effects, with conditions and quantifiers inside each other."""
    leaves = _atoms(terms) | _atoms(terms).map("(not {})".format)
    return st.recursive(leaves, lambda inner: st.one_of(
        _several(inner, "and"), st.builds("(when {} {})".format, conditions(terms), inner),
        st.builds("(forall ({}) {})".format, _VARIABLES.map("{} - t".format), inner),
    ), max_leaves=8)  # fmt: skip


@st.composite
def tasks(draw: Any) -> Problem:
    """Return a task with sections, parts and requirements in any order."""
    names = draw(st.lists(_NAMES, min_size=1, max_size=3, unique=True))
    objects = st.sampled_from(names)
    terms = objects | st.just("?x")
    parts = [
        f":precondition {draw(conditions(terms) | st.just('()'))}",
        f":effect {draw(effects(terms) | st.just('()'))}",
        ":parameters (?x - t)",
    ]
    action = f"(:action act {' '.join(draw(st.permutations(parts)))})"
    domain = draw(st.permutations([
        f"(:requirements {draw(st.sampled_from([':adl', ':strips :foo', '']))})", "(:types t u -t)",
        f"(:constants {' '.join(names)} - t)", "(:predicates (p ?a - t) (q ?a ?b - (either t u)))",
        action,
    ]))  # fmt: skip
    facts = draw(st.lists(_atoms(objects) | _atoms(objects).map("(not {})".format), max_size=4))
    goal = draw(conditions(objects) | st.just("()"))
    problem = draw(st.permutations(
        ["(:domain d)", "(:objects z - u)", f"(:init {' '.join(facts)})", f"(:goal {goal})"]
    ))  # fmt: skip
    return Problem(
        f"(define (domain d) {' '.join(domain)})", f"(define (problem 2) {' '.join(problem)})"
    )
