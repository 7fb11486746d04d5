"""The fields that ``score -o`` writes for an answer; scripts read them."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pddl_pipeline import load_records, score
from pddl_pipeline.model.answer import Ruling
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.pddl_domains import domain_folder
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.judging import Score, score_line
from pddl_pipeline.scoring.score import Judge

FIXED = (
    "id", "attempt", "status", "strict_status", "steps", "cost", "cost_float", "failed_step",
    "errors", "reason", "plan", "trace", "verdict_version",
)  # fmt: skip
BUDGET = domain_folder("budget-blocksworld")
PLAN = (BUDGET / "p01.plan").read_text()


INSTANCES = list(load_records(BUDGET / "examples.jsonl"))
NAME = INSTANCES[0].id


def written(score: Score) -> dict[str, Any]:
    (line,) = score_line(score).splitlines(keepends=True)
    found: dict[str, Any] = json.loads(line)
    return found


def judged(answer: Answer) -> dict[str, Any]:
    return written(next(score(INSTANCES, [answer])))


def test_a_right_answer() -> None:
    found = judged(Answer(NAME, PLAN, model="m", published=True))
    expected = {
        "id": NAME, "attempt": 1, "status": "valid", "errors": [], "failed_step": None,
        "reason": None, "steps": len(found["plan"]), "within_budget": True, "model": "m",
        "published": True,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    assert tuple(found)[: len(FIXED)] == FIXED
    assert set(found) - set(FIXED) == {"within_budget", "model", "published"}
    assert set(found["trace"][0]) == {"line", "text", "action", "step", "note"}


def test_a_wrong_answer_says_which_conditions_fail() -> None:
    found = judged(Answer(NAME, "First (stack b1 b2)."))
    expected = {
        "status": "invalid", "strict_status": "malformed", "errors": ["precondition"],
        "failed_step": 1, "plan": ["(stack b1 b2)"],
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    assert "(holding b1)" in found["unsatisfied"]


def test_an_answer_to_nothing_is_undecided() -> None:
    found = judged(Answer("no\ud800where", fault=None))
    assert (found["id"], found["status"], found["plan"]) == ("no\ud800where", "undecided", None)
    assert tuple(found) == FIXED


def test_numbers_are_exact_and_rules_are_told() -> None:
    verdict = Verdict(Status.VALID, 3, Fraction(7, 3))
    rulings = {"paper": Ruling(right=False, reason="negative"), "source": Ruling(right=True)}
    found = written(Score("a", 1, verdict, verdict, rules="source", rulings=rulings))
    assert found["cost"] == "7/3"
    assert found["rules"] == "source"
    assert found["by_rules"] == {"paper": "negative", "source": None}
    huge = written(Score("a", 1, verdict.replace(cost=10**10**5), verdict))
    assert huge["cost"].startswith("about 2^")


def test_attempts_are_counted_by_model_where_they_are_not_told() -> None:
    judge, answer = Judge(INSTANCES), Answer(NAME, "x", model="m")
    others = [answer, answer, replace(answer, model="n"), replace(answer, attempt=9)]
    assert [judge.score(each).attempt for each in others] == [1, 2, 1, 9]


def test_unknown_ids_are_cut_and_suggested_only_at_first() -> None:
    judge = Judge(INSTANCES)
    reasons = [str(judge.score(Answer(f"{NAME}x")).verdict.reason) for _ in range(30)]
    assert [len(set(reasons[:20])), len(set(reasons[20:]))] == [1, 1]
    assert "did you mean" in reasons[0]
    assert "did you mean" not in reasons[-1]
    assert len(str(judge.score(Answer("x" * 10**6)).verdict.reason)) < 200
