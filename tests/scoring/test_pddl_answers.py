"""Answers that are problems in PDDL, from a model behind a local server to the table."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command_line import json_lines
from model_server import Model, served

from pddl_pipeline import generate, score
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.scoring import pddl_answers
from pddl_pipeline.search.effort import Effort
from pddl_pipeline.translators import translate
from pddl_pipeline.translators.datasets import load_records

if TYPE_CHECKING:
    from command_line import CliHere

DATA = domain_folder("ferry") / "examples.jsonl"


def answer_of(text: str, number: int) -> str:
    """Return an answer, made of the right problem."""
    match number:
        case 0:
            renamed = text.replace(" c0", " ship").replace("(at c0", "(at ship")
            implied = renamed.replace("(:goal (and", "(:goal (and (empty-ferry)")
            return (
                f"<think>(define (problem x)</think>It is:\n```pddl\n; ) (\n{implied}\n```\nDone."
            )
        case 1:
            return text.replace("(:init", "(:init (on c1)")
        case 2:
            return text.replace("(:goal (and", "(:goal (and (on c0) (on c1)")
        case 3:
            return text[:-9]
        case _:
            return text


EXPECTED = (
    ("valid", "malformed", [], None),
    ("invalid", "invalid", ["other-task"], "a fact too many: (on c1)"),
    ("invalid", "invalid", ["other-task", "unsolvable"], "no reachable state satisfies the goal"),
    ("malformed", "malformed", ["unreadable"], "found '(' without its ')'"),
    ("valid", "valid", [], None),
)


@pytest.mark.usefixtures("no_key")
def test_a_model_is_asked_for_problems_and_scored(cli_here: CliHere, tmp_path: Path) -> None:
    assert cli_here("prompt", DATA, "--style", "pddl", "-o", "p.jsonl", cwd=tmp_path).status == 0
    instances = {each.id: each for each in load_records(DATA)}
    replies = {
        each["prompt"]: answer_of(translate(instances[each["id"]]).problem_pddl, number)
        for number, each in enumerate(json_lines(tmp_path / "p.jsonl"))
    }
    with served(Model(reply=replies.__getitem__)) as url:
        where = ("--model", "m", "--base-url", url, "-o", "a.jsonl")
        assert cli_here("ask", "p.jsonl", *where, cwd=tmp_path).status == 0
    line = ("score", DATA, "a.jsonl", "--task", "pddl", "-o", "s.jsonl", "--html", "s.html")
    done = cli_here(*line, "--json", cwd=tmp_path)
    assert (done.status, json.loads(done.out.splitlines()[0])["accuracy"]) == (1, "2/5")
    order = list(instances)
    for each in sorted(json_lines(tmp_path / "s.jsonl"), key=lambda each: order.index(each["id"])):
        status, strict, errors, reason = EXPECTED[order.index(each["id"])]
        assert [each["status"], each["strict_status"], each["errors"]] == [status, strict, errors]
        assert (reason or "") in str(each["reason"])
        assert each["by_rules"].keys() <= {"parses", "same", "solvable"}
    refused = cli_here(*line[:5], "--reading", "planbench", cwd=tmp_path)
    assert (refused.status, "does not apply to --task pddl" in refused.err) == (2, True)


def test_the_same_task_needs_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does a goal that contradicts the instance's; a record without a plan needs one."""
    monkeypatch.setattr(pddl_answers, "Effort", partial(Effort, most_states=15))
    (instance,) = generate("blocksworld", 12, count=1)
    problem = translate(instance).problem_pddl
    # The first block of the goal is on another one.
    other = re.sub(r"(:goal \(and \(on \S+ )\S+(\) \(on )(\S+)", r"\1\3\2\3", problem)
    texts = [problem, problem.replace("b1", "red"), other]
    answers = [{"id": instance.id, "answer": text} for text in texts]
    found = [each.verdict.status for each in score(instance, answers, "pddl")]
    assert found == ["valid", "valid", "invalid"]
    denied = replace(instance, extra={"solvable": False})
    assert next(score(denied, answers, "pddl")).verdict.status == "undecided"
