"""Log-probabilities from an endpoint: its requests, its answers and its errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from baseline_runs import blocks, given_of, run
from model_server import Model, served, slow, status
from planner_problems import sample

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.papers.model_reward import Completions, Continuation, NoAnswer

ASKED = [Continuation("Say it:\n", "pick up b1"), Continuation("Is it\ngood?", " good")]


def completions(base: str, **settings: Any) -> Completions:
    return Completions(
        **{"model": "m", "base": base, "timeout": 5, "tries": 3, "pause": 0, **settings}
    )


def by_length(before: str, token: str) -> float:
    return -len(token) - len(before) / 1000


def test_only_the_tokens_of_the_continuation_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """The key and the address are those of the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    for begin in ("", "<s>"):
        with served(Model(by_length, begin, key="secret")) as base:
            monkeypatch.setenv("OPENAI_BASE_URL", base)
            found = completions("").token_logprobs(ASKED)
        assert found[0] == pytest.approx([-4.008, -3.012, -3.015])
        assert found[1] == pytest.approx([-5.011])


def test_many_prompts_go_in_several_requests_and_come_back_in_order() -> None:
    model = Model(lambda _, token: -float(token) if token.isdigit() else 0.0)
    with served(model) as base:
        found = completions(base).token_logprobs(
            [Continuation("n\n", str(number)) for number in range(70)]
        )
    assert [value for (value,) in found] == [-float(number) for number in range(70)]
    assert [len(request["prompt"]) for request in model.requests] == [32, 32, 6]
    assert {k: v for k, v in model.requests[0].items() if k != "prompt"} == {
        "model": "m", "echo": True, "logprobs": 1, "max_tokens": 1, "temperature": 0
    }  # fmt: skip


def broken(**change: Any) -> str:
    choices = [Model().choice(*each) for each in enumerate(a + b for a, b in ASKED)]
    choices[1]["logprobs"] |= change
    return json.dumps({"choices": choices})


PASSING = {
    "too many requests": status(429, Retry_After="0"),
    "server error": status(500),
    "unavailable": status(503, "down"),
    "no JSON": status(200, "{nonsense"),
    "no answer": status(200, "{}"),
    "too few choices": status(200, '{"choices": []}'),
    "another prompt": status(200, broken(tokens=["a"], token_logprobs=[-1.0])),
    "no numbers": status(200, broken(token_logprobs=[None] * 8)),
    "uneven": status(200, broken(token_logprobs=[-1.0])),
    "slow": slow(1),
}


@pytest.mark.parametrize("fault", PASSING)
def test_what_may_pass_is_tried_again_until_the_last_try(fault: str) -> None:
    model, timeout = Model(by_length, first=[PASSING[fault]] * 3), 0.4 if fault == "slow" else 30.0
    with served(model) as base:
        with pytest.raises(NoAnswer, match="no answer in 2 tries"):
            completions(base, timeout=timeout, tries=2).token_logprobs(ASKED)
        found = completions(base, timeout=timeout, tries=2).token_logprobs(ASKED)
    assert len(model.requests) == 4
    assert found[1] == pytest.approx([-5.011])


@pytest.mark.parametrize(
    ("number", "text", "message"),
    [(404, '{"message": "no model m"}', "HTTP 404 .*no model m"), (401, "no", "HTTP 401")],
)
def test_what_the_server_refuses_is_an_error_at_once_without_the_key(
    number: int, text: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    model = Model(first=[status(number, text)])
    with served(model) as base, pytest.raises(InputError, match=message) as error:
        completions(base).token_logprobs(ASKED)
    assert len(model.requests) == 1
    assert "secret" not in str(error.value)


def test_pauses_double(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    first = [status(500), status(429, Retry_After="7"), status(500)]
    with served(Model(first=first)) as base:
        completions(base, tries=4, pause=0.5).token_logprobs(ASKED)
    first_s, asked_s, third_s = (pause for pause in slept if pause not in (0, 0.02))
    assert 0.375 <= first_s <= 0.5  # a share at random
    assert asked_s == 7
    assert 1.5 <= third_s <= 2


PLAN = ["unstack the blue block", "stack the blue block on top of the orange", "pick up the red",
        "stack the red block on top of the blue"]  # fmt: skip


def knows_the_plan(before: str, token: str) -> float:
    """The model prefers the steps of one plan and judges all of them as good."""
    if before.endswith("[EVALUATION]"):
        return -0.1
    line = before.rpartition("\n")[2] + token
    return -0.01 if any(step.startswith(line.strip()) for step in PLAN) else -3.0


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("cats", {}), ("cats", {"omega": 1}), ("tot", {}), ("tot", {"search": "dfs"}), ("rap", {}),
        ("simplan", {"predictions": "none", "prompt": "cats"}),
    ],
)  # fmt: skip
def test_a_model_guides_every_search(name: str, settings: dict[str, Any], tmp_path: Path) -> None:
    problem = blocks([["a", "b"], ["c"]], [["on", "a", "b"], ["on", "b", "c"]])
    task, model = given_of(problem, tmp_path, budget=44), Model(knows_the_plan)
    with served(model) as base:
        done = run(name, task, reward="url", model="m", url=base, **settings)
    assert done.verdict.status == "valid"
    assert done.verdict.within_budget
    assert done.effort.expanded <= 8
    asked = sum(prompt.endswith("[EVALUATION] good") for prompt in model.prompts)
    assert (asked > 0) == (name != "simplan")
    assert len(model.prompts) == asked * 2 or name == "simplan"


def test_simplan_asks_in_its_own_layout(tmp_path: Path) -> None:
    model = Model()
    task = given_of(sample("ferry"), tmp_path)
    with served(model) as base:
        run("simplan", task, predictions="2", reward="url", model="m", url=base)
    assert all(prompt.startswith("<INITIAL> ") for prompt in model.prompts)
    assert len(model.requests) == 2
