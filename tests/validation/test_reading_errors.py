"""What is said of a text that is not PDDL: where the cause is, and the name of a character."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pddl_pipeline import InputError, PddlError, read_task

DOMAIN = """(define (domain d)
 (:predicates (p ?x - box) (q))
 (:types box) (:constants a b - box)
 (:action one :parameters (?x - box)
  :precondition (and (p ?x) (q))
  :effect (and (q)))
 (:action two :parameters (?x - box)
  :precondition (q)
  :effect (when (p ?x) (q))))"""
PROBLEM = "(define (problem x) (:domain d) (:init (q)) (:goal (q)))"
OPEN = ", so '(define' at 1:1 is not closed"
SECOND = "found a second (define …); save the domain and the problem as two files"


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        (
            "(and (q)))",
            "(and (q))",
            "4:2: found '(:action one' without its ')' before '(:action two' at 7:2",
        ),
        (
            "(q))\n  :effect",
            "(q)\n  :effect",
            "5:17: found '(and' without its ')' before ':effect' at 6:3",
        ),
        (
            "(?x - box)\n  :precondition (q)",
            "(?x - box\n  :precondition (q)",
            "7:27: found '(?x' without its ')' before ':precondition' at 8:3",
        ),
        (
            "(q))\n (:types",
            "(q)\n (:types",
            "2:2: found '(:predicates' without its ')' before '(:types box' at 3:2",
        ),
        (
            "domain d)",
            "domain d",
            "1:9: found '(domain' without its ')' before '(:predicates' at 2:2",
        ),
        ("(q))))", "(q)))", "1:1: found '(' without its ')' before the end of the file"),
        (
            "\n  :effect (when (p ?x) (q))))",
            "",
            "7:2: found '(' without its ')' before the end of the file",
        ),
        (
            "(and (q)))",
            "(and (q))))",
            "7:2: found (:action two :parameters (?x … after (define …), which ends at 6:21",
        ),
        ("(q))))", "(q)))))", "9:30: found ')' without its '('"),
        ("(q))))", f"(q)))) {PROBLEM}", f"9:31: {SECOND}"),
    ],
)
def test_the_place_of_a_parenthesis(old: str, new: str, error: str) -> None:
    assert DOMAIN.count(old) == 1
    with pytest.raises(PddlError) as caught:
        read_task(DOMAIN.replace(old, new), PROBLEM)
    unclosed = OPEN if re.search(" before '", error) else ""
    assert str(caught.value) == f"<domain>:{error}{unclosed}"


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("- box) (q)", "-\xa0box) (q)", "NO-BREAK SPACE at 2:22"),
        ("?x - box) (q)", "?x\xa0- box) (q)", "NO-BREAK SPACE at 2:20"),
        ("?x - box) (q)", "?x\xa0-\xa0box) (q)", "NO-BREAK SPACE at 2:20"),
        ("a b - box", "a, b - box", "COMMA at 3:28"),
        ("a b - box", "a b \u2013 box", "EN DASH at 3:31"),
        ("a b - box", "\u201ca\u201d b - box", "LEFT DOUBLE QUOTATION MARK at 3:27"),
        ("a b - box", "a\u200b b - box", "ZERO WIDTH SPACE at 3:28"),
        ("a b - box", "a\ufffd b - box", "REPLACEMENT CHARACTER at 3:28"),
        ("(when (p ?x) (q))", "\uff08q\uff09", "FULLWIDTH LEFT PARENTHESIS at 9:11"),
        ("one", "o\x1fne", "U+001F at 4:12"),
    ],
)
def test_the_name_of_a_character(old: str, new: str, name: str) -> None:
    assert DOMAIN.count(old) == 1
    with pytest.raises(PddlError) as caught:
        read_task(DOMAIN.replace(old, new), PROBLEM)
    assert caught.value.message.endswith(f"; {name} is not a character of PDDL")
    read_task(DOMAIN + "; {new}", PROBLEM)


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_the_encoding_of_a_file(codec: str, tmp_path: Path) -> None:
    (tmp_path / "d.pddl").write_bytes(DOMAIN.encode(codec))
    if codec == "utf-8-sig":
        assert read_task(tmp_path / "d.pddl", PROBLEM).vocabulary.name == "d"
        return
    with pytest.raises(InputError, match=r"d\.pddl:1:1: expected UTF-8 text, found UTF-16 text"):
        read_task(tmp_path / "d.pddl", PROBLEM)


def test_marks_after_the_end_are_no_text() -> None:
    assert read_task(f"{DOMAIN}\x1a", f"{PROBLEM}\0").judge("")
