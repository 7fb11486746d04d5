"""lm-evaluation-harness runs our tasks with a model of ours, and nothing is looked up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lm_eval import simple_evaluate
from lm_eval.api.instance import Instance as Request
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

from pddl_pipeline.integrations import LM_EVAL_TASKS
from pddl_pipeline.integrations.lm_eval_tasks.functions import plan_metrics
from pddl_pipeline.pddl_domains import domain_folder, domain_names

TASKS = {f"pddl_pipeline_{name.replace('-', '_')}": name for name in domain_names()}


class Canned(LM):
    """Answers the prompts in their order."""

    def __init__(self, *answers: str) -> None:
        super().__init__()
        self.answers = answers
        self.prompts: list[str] = []

    def generate_until(self, requests: list[Request], **_: Any) -> list[str]:
        self.prompts += [request.args[0] for request in requests]
        return [self.answers[i % len(self.answers)] for i in range(len(requests))]

    def loglikelihood(self, requests: list[Request], **_: Any) -> list[tuple[float, bool]]:
        raise AssertionError(requests)

    loglikelihood_rolling: Any = loglikelihood


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def evaluate(model: Canned, task: str, **metadata: str) -> dict[str, Any]:
    """Return the results of each task."""
    tasks = TaskManager(include_path=str(LM_EVAL_TASKS), include_defaults=False, metadata=metadata)
    done = simple_evaluate(
        model=model, tasks=[task], task_manager=tasks, metadata=metadata, bootstrap_iters=0
    )
    return dict(done["results"])


def test_right_and_wrong_and_empty_answers(tmp_path: Path) -> None:
    record = {"domain": "countdown", "numbers": [3, 4, 5, 6], "target": 24}
    (tmp_path / "mine.jsonl").write_text(
        "\n".join(json.dumps({"id": f"m{position}", **record}) for position in range(4))
    )
    plan = "(add n3 n1)\n(subtract n3 n2)\n(multiply n3 n4)\n(checkgoal n3)\n"
    model = Canned("Answer: (5 + 3 - 4) * 6 = 24", "(5 + 3 + 4) * 6", "", plan)
    found = evaluate(model, "pddl_pipeline_countdown", data="mine.jsonl", style="cot")
    expected = {"accuracy,none": 0.5, "strict_accuracy,none": 0.25, "judged,none": 1.0}
    assert expected.items() <= found["pddl_pipeline_countdown"].items()
    assert ["24" in prompt for prompt in model.prompts] == [True] * 4


FERRY = domain_folder("ferry")
PROBLEM = (FERRY / "p01.pddl").read_text()
SOLVED = json.loads((FERRY / "solved.jsonl").read_text().splitlines()[0])
ITEM = {"id": 1, "group": "landmarks_mcq", "context": "", "question": "?", "answer": "B"}
OTHER = ITEM | {"id": 2, "group": "goal_closer_gen", "answer": {"yes": ["(a)"], "maybe": []}}


@pytest.mark.parametrize(
    ("task", "metadata", "data", "answers"),
    [
        ("ferry", {"style": "pddl"}, SOLVED, (PROBLEM, PROBLEM.replace("(empty-ferry)", ""))),
        ("questions", {"kind": "choice"}, [ITEM, OTHER], ("B", "C.")),
        ("questions", {"kind": "next-action"}, [ITEM, OTHER], ("It is (a)", "B")),
    ],
)
def test_problems_in_pddl_and_questions(
    tmp_path: Path, task: str, metadata: dict[str, str], data: object, answers: tuple[str, str]
) -> None:
    (tmp_path / "mine.json").write_text(json.dumps(data))
    for answer, accuracy in zip(answers, (1, 0), strict=True):
        found = evaluate(Canned(answer), f"pddl_pipeline_{task}", data="mine.json", **metadata)
        results = found[f"pddl_pipeline_{task}"]
        assert (results["accuracy,none"], results["judged,none"]) == (accuracy, 1)


def test_the_group_has_every_domain() -> None:
    model = Canned((domain_folder("ferry") / "p01.plan").read_text())
    found = evaluate(model, "pddl_pipeline")
    assert set(found) == {"pddl_pipeline", *TASKS}
    assert found["pddl_pipeline_ferry"]["accuracy,none"] > 0
    assert found["pddl_pipeline_sokoban"]["accuracy,none"] == 0
    records = [(domain_folder(name) / "examples.jsonl").read_text() for name in TASKS.values()]
    assert len(model.prompts) == sum(text.count("\n") for text in records)


def test_what_cannot_be_judged_is_in_no_accuracy() -> None:
    domain = "(define (domain d) (:durative-action a :parameters () :duration (= ?duration 1)))"
    problem = "(define (problem p) (:domain d) (:init) (:goal (and)))"
    record = {"id": "p", "domain": "d", "pddl": {"domain": domain, "problem": problem}}
    assert plan_metrics({"record": json.dumps(record)}, ["(a)"]) == {"judged": 0.0}


def test_plans_over_the_budget_are_not_right_in_any_reading() -> None:
    folder = domain_folder("budget-blocksworld")
    record = json.loads((folder / "examples.jsonl").read_text().splitlines()[0])
    plan = (folder / "p01.plan").read_text()
    for budget, right in ((1000, 1.0), (0, 0.0)):
        doc = {"record": json.dumps({**record, "budget": budget})}
        expected = {"accuracy": right, "strict_accuracy": right, "judged": 1.0}
        assert plan_metrics(doc, [plan]) == expected
