"""Inspect AI finds the tasks and the scorer by their names, and scores logs by themselves."""

from __future__ import annotations

import asyncio
import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ModelName, ModelOutput
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState

from pddl_pipeline.integrations.inspect_scorer import plan_scorer
from pddl_pipeline.pddl_domains import domain_folder, domain_names

RECORD = {"domain": "countdown", "numbers": [3, 4, 5, 6], "target": 24}
TIMED_PROBLEM = "(define (problem p) (:domain d) (:init) (:goal (and)))"
TIMED = "(define (domain d) (:durative-action a :parameters () :duration (= ?duration 1)))"
ANSWERS = {"right": "(5 + 3 - 4) * 6 = 24", "wrong": "(5 + 3 + 4) * 6", "empty": ""}

# A solver in the place of a model: the command line of mockllm takes no answers.
SOLVER = """
from inspect_ai.model import ModelOutput
from inspect_ai.solver import solver

@solver
def canned():
    async def solve(state, generate):
        answers = %r
        if state.sample_id in answers:
            state.output = ModelOutput.from_content("canned", answers[state.sample_id])
        return state
    return solve
"""

MOCK = """
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

def answer(input, tools, tool_choice, config):
    asked = input[-1].text.lower()
    text = "(board c9 l9)" if "ferry" in asked else "Yes" if "yes or no" in asked else ""
    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = ModelUsage()  # else it downloads a tokenizer to count
    return output

model = get_model("mockllm/model", custom_outputs=answer)
for names, further in %r:
    tasks = [f"pddl_pipeline/{name}" for name in names]
    logs = eval(tasks, model=model, task_args={"limit": 1, **further}, log_format="json")
    assert [log.status for log in logs] == ["success"] * len(names), logs
"""


def run(place: Path, *arguments: str | Path) -> str:
    """Run a command of Inspect's, or Python, where nothing can be looked up."""
    environment = {
        **os.environ, "INSPECT_DISPLAY": "plain", "INSPECT_LOG_FORMAT": "json", "NO_COLOR": "1",
        "INSPECT_LOG_DIR": str(place / "logs"), "HOME": str(place),
    }  # fmt: skip
    done = subprocess.run(
        [Path(sys.executable).with_name(str(arguments[0])), *arguments[1:]],
        cwd=place, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def scores(log: Path) -> dict[str, dict[str, Any]]:
    samples = json.loads(log.read_text())["samples"]
    return {sample["id"]: next(iter(sample["scores"].values())) for sample in samples}


async def judged(answer: str | None, metadata: dict[str, Any]) -> Any:
    """Call the scorer as Inspect does; without an answer, the model has no output."""
    output = ModelOutput() if answer is None else ModelOutput.from_content("m", answer)
    state = TaskState(ModelName("a/m"), 1, 1, "", [], output=output, metadata=metadata)
    return await plan_scorer()(state, Target(""))


def test_the_scorer_judges_each_answer() -> None:
    """Samples of other people's tasks have PDDL texts, or nothing that can be judged."""
    folder = domain_folder("ferry")
    pddl = {
        f"{name}_pddl": (folder / file).read_text()
        for name, file in (("domain", "domain.pddl"), ("problem", "p01.pddl"))
    }
    timed = {"domain_pddl": TIMED, "problem_pddl": TIMED_PROBLEM}
    right, wrong, empty, silent, text, other, undecided = (
        asyncio.run(judged(answer, metadata))
        for answer, metadata in (
            *((answer, {"record": {"id": "a", **RECORD}}) for answer in (*ANSWERS.values(), None)),
            ((folder / "p01.plan").read_text(), pddl),
            ("", {"record": "another's"}),
            ("(a)", timed),
        )
    )
    assert [each.value for each in (right, wrong, empty, text)] == ["C", "I", "I", "C"]
    assert right.answer.splitlines()[-1].startswith("(checkgoal")
    expected = {"status": "valid", "strict_status": "malformed", "steps": 4, "cost": 4}
    assert right.metadata == right.metadata | expected
    assert (wrong.metadata["errors"], bool(wrong.explanation)) == (["not-target"], True)
    assert all(math.isnan(each.value) for each in (silent, other, undecided))
    assert "found no problem" in other.explanation
    text = pddl["problem_pddl"].replace("c0", "x")
    problem = asyncio.run(judged(text, {**pddl, "style": "pddl"}))
    assert (problem.value, problem.metadata["by_rules"]["same"]) == ("C", None)


@pytest.mark.long
def test_evaluating_by_name_on_the_command_line_and_scoring_the_log(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text(
        "\n".join(json.dumps({"id": name, **RECORD}) for name in (*ANSWERS, "silent"))
    )
    (tmp_path / "canned.py").write_text(SOLVER % ANSWERS)
    run(
        tmp_path, "inspect", "eval", "pddl_pipeline/countdown", "-T", "data=mine.jsonl", "-T",
        "style=cot", "--solver", "canned.py@canned", "--model", "mockllm/model",
    )  # fmt: skip
    (file,) = (tmp_path / "logs").glob("*_countdown_*.json")
    (result,) = json.loads(file.read_text())["results"]["scores"]
    assert (result["scored_samples"], result["unscored_samples"]) == (3, 1)
    assert result["metrics"]["accuracy"]["value"] == pytest.approx(1 / 3)
    run(
        tmp_path, "inspect", "score", file, "--scorer", "pddl_pipeline/plan_scorer",
        "--action", "append", "--output-file", "scored.json",
    )  # fmt: skip
    for log in (file, tmp_path / "scored.json"):
        found = {name: score["value"] for name, score in scores(log).items()}
        assert math.isnan(float(found.pop("silent")))
        assert found == {"right": "C", "wrong": "I", "empty": "I"}


@pytest.mark.long
def test_every_domain_and_questions_are_tasks_for_a_mock_model(tmp_path: Path) -> None:
    names = [*(name.replace("-", "_") for name in domain_names()), "plans"]
    item = {"id": "1", "group": "landmarks_bool", "context": "", "question": "?", "answer": "yes"}
    (tmp_path / "dev.json").write_text(json.dumps([item]))
    runs = (names, {}), (["questions"], {"data": "dev.json"}), (["ferry"], {"style": "pddl"})
    (tmp_path / "mock.py").write_text(MOCK % (runs,))
    run(tmp_path, "python", "mock.py")
    logs = tmp_path / "logs"
    ferry, problem, question = (
        next(iter(scores(file).values()))
        for file in (*sorted(logs.glob("*_ferry_*")), *logs.glob("*_questions_*"))
    )
    assert (ferry["value"], ferry["metadata"]["errors"]) == ("I", ["unknown-object"])
    assert (problem["value"], problem["metadata"]["errors"]) == ("I", ["unreadable"])
    assert (question["value"], question["answer"]) == ("C", "yes")
    assert len(list(logs.glob("*.json"))) == len(names) + 2
