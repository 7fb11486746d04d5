"""Inspect AI finds the tasks and the scorer by their names, and scores logs by themselves."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pddl_pipeline.pddl_domains import domain_folder, domain_names

RECORD = {"domain": "countdown", "numbers": [3, 4, 5, 6], "target": 24}
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
    text = "(board c9 l9)" if "ferry" in input[-1].text.lower() else ""
    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = ModelUsage()  # else it downloads a tokenizer to count
    return output

model = get_model("mockllm/model", custom_outputs=answer)
names = %r
tasks = [f"pddl_pipeline/{name}" for name in names]
logs = eval(tasks, model=model, task_args={"limit": 1}, log_format="json")
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
    return {sample["id"]: sample["scores"]["plan_scorer"] for sample in samples}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a dataset, and the log of its evaluation."""
    place = tmp_path_factory.mktemp("inspect")
    names = (*ANSWERS, "silent")
    lines = [json.dumps({"id": name, **RECORD}) for name in names]
    (place / "mine.jsonl").write_text("\n".join(lines))
    (place / "canned.py").write_text(SOLVER % ANSWERS)
    run(
        place, "inspect", "eval", "pddl_pipeline/countdown", "-T", "data=mine.jsonl", "-T",
        "style=cot", "--solver", "canned.py@canned", "--model", "mockllm/model",
    )  # fmt: skip
    return place


def log_of(place: Path) -> Path:
    (log,) = (place / "logs").glob("*_countdown_*.json")
    return log


def test_evaluating_by_name_on_the_command_line(place: Path) -> None:
    found = scores(log_of(place))
    assert {name: score["value"] for name, score in found.items() if name != "silent"} == {
        "right": "C", "wrong": "I", "empty": "I",
    }  # fmt: skip
    right, wrong = found["right"], found["wrong"]
    assert right["answer"].splitlines()[-1].startswith("(checkgoal")
    assert right["metadata"]["status"] == "valid"
    assert right["metadata"]["strict_status"] == "malformed"
    assert right["metadata"]["steps"] == right["metadata"]["cost"] == 4
    assert wrong["metadata"]["errors"] == ["not-target"]
    assert wrong["explanation"]


def test_a_model_that_was_not_heard_is_not_wrong(place: Path) -> None:
    assert math.isnan(float(scores(log_of(place))["silent"]["value"]))
    (result,) = json.loads(log_of(place).read_text())["results"]["scores"]
    assert (result["scored_samples"], result["unscored_samples"]) == (3, 1)
    assert result["metrics"]["accuracy"]["value"] == pytest.approx(1 / 3)


def test_scoring_a_log_without_its_dataset(place: Path, tmp_path: Path) -> None:
    """Samples of other people's tasks: without scores, some with PDDL texts, some with nothing."""
    log = json.loads(log_of(place).read_text())
    del log["results"]
    for sample in log["samples"]:
        del sample["scores"]
    samples = {sample["id"]: sample for sample in log["samples"]}
    wrong, empty = samples["wrong"], samples["empty"]
    folder = domain_folder("ferry")
    wrong["metadata"] = {
        "domain_pddl": (folder / "domain.pddl").read_text(),
        "problem_pddl": (folder / "p01.pddl").read_text(),
    }
    plan = (folder / "p01.plan").read_text()
    wrong["output"]["choices"][0]["message"]["content"] = wrong["output"]["completion"] = plan
    empty["metadata"] = {"record": "another's"}
    (tmp_path / "log.json").write_text(json.dumps(log))
    run(
        tmp_path, "inspect", "score", "log.json", "--scorer", "pddl_pipeline/plan_scorer",
        "--action", "append", "--output-file", "scored.json",
    )  # fmt: skip
    found = scores(tmp_path / "scored.json")
    assert found["right"]["value"] == found["wrong"]["value"] == "C"
    assert found["wrong"]["metadata"]["strict_status"] == "valid"
    assert math.isnan(float(found["empty"]["value"]))
    assert "have no 'record'" in found["empty"]["explanation"]


@pytest.mark.long
def test_every_domain_is_a_task_for_a_mock_model(tmp_path: Path) -> None:
    names = [*(name.replace("-", "_") for name in domain_names()), "plans"]
    (tmp_path / "mock.py").write_text(MOCK % names)
    run(tmp_path, "python", "mock.py")
    (ferry,) = (tmp_path / "logs").glob("*_ferry_*.json")
    (score,) = scores(ferry).values()
    assert score["value"] == "I"
    assert score["metadata"]["errors"] == ["unknown-object"]
    assert len(list((tmp_path / "logs").glob("*.json"))) == len(names)
