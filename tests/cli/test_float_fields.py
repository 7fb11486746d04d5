"""In the JSON of every command, a float field stands beside each exact number."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from command_line import write_script
from places import ROOT
from store_results import RESULT, write_store

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.number import number_fields

if TYPE_CHECKING:
    from command_line import CliHere

DOMAIN = """(define (domain half) (:requirements :strips :action-costs)
  (:predicates (p) (q)) (:functions (total-cost))
  (:action a :parameters () :effect (and (p) (increase (total-cost) 0.5)))
  (:action b :parameters () :precondition (p) :effect (and (q) (increase (total-cost) 1))))
"""
PROBLEM = """(define (problem half-1) (:domain half) (:init (= (total-cost) 0)) (:goal (q))
  (:metric minimize (total-cost)))
"""
PLAN = "(a)\n(b)\n"
EXACT = re.compile(r"-?\d+/\d+")
ASKED = (
    "questions p-1.pddl --kind state -o q.jsonl",
    "questions q.jsonl --answer -o exact.jsonl",
)
TASK = "domain.pddl p-1.pddl"
# The command line, the file with the JSON that it writes or "" for standard output, and the names
# of the exact fields.
CASES = [
    (f"validate {TASK} plan --json", "", {"cost"}),
    (f"solve {TASK} --planner mine=cmd:./mine.sh --json", "", {"cost"}),
    ("run p-1.pddl --planner mine=cmd:./mine.sh -o runs", "runs/runs.jsonl", {"cost"}),
    ("report store --json", "", {"mean_cost", "common_mean_cost", "coverage", "cost"}),
    ("score p-1.pddl p-2.pddl p-3.pddl answers.jsonl --k 2 --json", "",
     {"accuracy", "accuracy_of_read", "strict", "pass_at", "share"}),
    ("score p-1.pddl p-2.pddl p-3.pddl answers.jsonl -o scored.jsonl", "scored.jsonl", {"cost"}),
    ("translate p-1.pddl -o out", "out/manifest.jsonl", set[str]()),
    ("questions p-1.pddl --kind state -o q.jsonl", "q.jsonl", set[str]()),
    ("questions q.jsonl --score exact.jsonl --json", "", set[str]()),
    ("prompt p-1.pddl", "", set[str]()),
    ("generate budget-blocksworld --size 3 --count 2 -o -", "", set[str]()),
    ("autotos check code.md --domain blocksworld --json", "", set[str]()),
    ("reproduce countdown-figure1 --count 1 --size 4 -o paper",
     "paper/countdown-figure1/findings.json", set[str]()),
]  # fmt: skip


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    for number in (1, 2, 3):
        (tmp_path / f"p-{number}.pddl").write_text(PROBLEM)
    (tmp_path / "plan").write_text(PLAN)
    write_script(tmp_path / "mine.sh", "#!/bin/sh\nprintf '(a)\\n(b)\\n'\n")
    rows = [{"id": f"p-{n}", "answer": answer} for n in (1, 2, 3) for answer in (PLAN, "", "(b)")]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, rows)))
    costly = replace(RESULT, cost=Fraction(7, 3))
    failed = replace(RESULT, id="c", outcome=Outcome.TIMEOUT, status=None, plan=None, cost=None)
    results = (costly, replace(costly, id="b", within_budget=False), failed)
    write_store(tmp_path / "store", *results)
    shutil.copy(ROOT / "examples" / "search-code" / "blocksworld.md", tmp_path / "code.md")
    return tmp_path


def exact_fields(value: Any, name: str = "") -> Iterator[str]:
    """Yield the names of the fields with exact numbers that are not whole; check each of them."""
    items = value.items() if isinstance(value, dict) else []
    if isinstance(value, list):
        assert not [x for x in value if isinstance(x, str) and EXACT.fullmatch(x)], name
        items = [(name, each) for each in value]
    for key, each in items:
        if isinstance(each, str) and EXACT.fullmatch(each):
            assert value[f"{key}_float"] == float(Fraction(each))
            yield key
        elif f"{key}_float" in value:
            assert value[f"{key}_float"] == each
        yield from exact_fields(each, key)


@pytest.mark.parametrize(
    ("line", "file", "names"), CASES, ids=[" ".join(c[0].split()[::3][:3]) for c in CASES]
)
def test_every_exact_number_has_a_float(
    cli_here: CliHere, place: Path, line: str, file: str, names: set[str]
) -> None:
    for each in (*(ASKED if "q.jsonl --score" in line else ()), line):  # what the command reads
        done = cli_here(*each.split(), cwd=place)
        assert done.status <= 1, done.err
    text = (place / file).read_text() if file else done.out
    decoder, found, at = json.JSONDecoder(), set[str](), 0
    while at < len(text):
        value, end = decoder.raw_decode(text, at)
        found.update(exact_fields(value))
        at = len(text) - len(text[end:].lstrip())
    assert found == names


@pytest.mark.parametrize(
    ("value", "exact", "rounded"),
    [
        (None, None, None),
        (7, 7, 7.0),
        (Fraction(14, 2), 7, 7.0),
        (Fraction(273, 4), "273/4", 68.25),
        (Fraction(-1, 3), "-1/3", -1 / 3),
        (10**400, 10**400, None),
    ],
)
def test_the_fields_of_a_number(value: Any, exact: Any, rounded: Any) -> None:
    assert number_fields("n", value) == {"n": exact, "n_float": rounded}
