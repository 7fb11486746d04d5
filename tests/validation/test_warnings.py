"""What is read although the standard forbids it: a warning each, and an error with ``--strict``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import CliHere

from pddl_pipeline import read_task
from pddl_pipeline.pddl_domains import domain_folder, domain_names

DOMAIN = """(define (domain d)
 (:requirements :strips)
 (:predicates (p ?x) (q))
 (:action go :parameters () :precondition () :effect (q)))
"""
PROBLEM = """(define (problem x) (:domain d)
 (:objects a b)
 (:init (p a))
 (:goal (q)))
"""
NEEDS = "{} needs the requirement {}"
PRECONDITION = ":precondition ()"
CASES = {
    "types without a section": (
        "(p ?x)", "(p ?x - thing)",
        "domain.pddl:3:18: types are used and (:types …) is missing",
    ),
    "typing": ("(:predicates", "(:types t)\n (:predicates", NEEDS.format(
        "(:types t)", ":typing")),
    "not": (PRECONDITION, ":precondition (not (q))", NEEDS.format(
        "(not (q))", ":negative-preconditions")),
    "or": (PRECONDITION, ":precondition (or (q))", NEEDS.format(
        "(or (q))", ":disjunctive-preconditions")),
    "equality": (PRECONDITION, ":precondition (= a a)", NEEDS.format("(= a a)", ":equality")),
    "exists": (PRECONDITION, ":precondition (exists (?y) (p ?y))", NEEDS.format(
        "(exists (?y) (p ?y))", ":existential-preconditions")),
    "forall": (PRECONDITION, ":precondition (forall (?y) (p ?y))", NEEDS.format(
        "(forall (?y) (p ?y))", ":universal-preconditions")),
    "when": (":effect (q)", ":effect (when (p a) (q))", NEEDS.format(
        "(when (p a) (q))", ":conditional-effects")),
    "functions": ("(:predicates", "(:functions (f)) (:predicates", NEEDS.format(
        "(:functions (f))", ":action-costs")),
    "derived": ("(:action", "(:derived (p ?x) (q))\n (:action", NEEDS.format(
        "(:derived (p ?x) (q))", ":derived-predicates")),
    "requirement twice": (
        ":requirements :strips", ":requirements :strips :strips",
        "domain.pddl:2:25: :strips is given twice",
    ),
    "type twice": (":strips)", ":typing)\n (:types t t)",
                   "domain.pddl:3:12: type 't' is declared twice"),
    "constant twice": ("(:predicates", "(:constants c c) (:predicates", "'c' is declared twice"),
    "object twice": ("(:objects a b)", "(:objects a b a)",
                     "problem.pddl:2:16: 'a' is declared twice"),
    "object is a constant": ("(:predicates", "(:constants b) (:predicates",
                             "problem.pddl:2:14: 'b' is declared twice"),
    "fact twice": ("(:init (p a))", "(:init (p a) (p a))",
                   "problem.pddl:3:15: (p a) is given twice"),
    "domain": ("(:domain d)", "(:domain e)",
               "problem.pddl:1:30: found the domain e, expected 'd'"),
}  # fmt: skip


@pytest.fixture
def texts(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """Write the texts of a case, whose constants are declared; return the warning."""
    old, new, warning = CASES[request.param]
    constant = "(= a a)" in new or "(p a) (q)" in new
    for name, text in (("domain.pddl", DOMAIN), ("problem.pddl", PROBLEM)):
        changed = text.replace(old, new)
        if constant:
            changed = changed.replace("(:pred", "(:constants a) (:pred").replace("s a b)", "s b)")
        (tmp_path / name).write_text(changed)
    (tmp_path / "plan").write_text("(go)\n")
    return str(warning)


@pytest.mark.parametrize("texts", CASES, indirect=True)
def test_a_warning_of_each_kind(texts: str, tmp_path: Path, cli_here: CliHere) -> None:
    files = ("domain.pddl", "problem.pddl", "plan")
    done = cli_here("validate", *files, "--json", cwd=tmp_path)
    (warning,) = json.loads(done.out)["warnings"]
    assert warning.endswith(texts)
    assert done.err == f"warning: {warning}\n"
    strict = cli_here("validate", *files, "--strict", cwd=tmp_path)
    assert (strict.status, strict.out, strict.err) == (2, "", f"error: {warning}\n")


@pytest.mark.parametrize("name", domain_names())
def test_our_domains_have_no_warnings(name: str) -> None:
    folder = domain_folder(name)
    assert read_task(folder / "domain.pddl", folder / "p01.pddl").warnings == ()
