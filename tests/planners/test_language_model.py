"""``llm``: a model's answers as plans, and their outcomes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from endpoint_faults import LOST, USABLE, check_no_key
from model_server import Model, error_text, message, served, slow, status
from places import SUPPORT

from pddl_pipeline.model.attempt import Outcome
from pddl_pipeline.model.errors import EngineError, InputError
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.problem import RECORD, Problem
from pddl_pipeline.planners import language_model as language_model_process
from pddl_pipeline.planners.attempting import AnswersPlace, attempt, check_engine
from pddl_pipeline.planners.language_model import ModelSettings
from pddl_pipeline.planners.planner import settings_json
from pddl_pipeline.planners.registry import planner_named
from pddl_pipeline.runs.solving import judge_plans
from pddl_pipeline.validation.task import read_task

if TYPE_CHECKING:
    from command_line import CliHere

pytest.importorskip("openai")
pytestmark = pytest.mark.usefixtures("no_key")

FOREIGN = SUPPORT / "foreign_pddl" / "gripper"
GOOD = (FOREIGN / "good.plan").read_text()
BAD = (FOREIGN / "bad.plan").read_text()
SECRET = "sk-very-secret"  # noqa: S105 -- of the tests


class Ended(NamedTuple):
    """How the process of a run ended."""

    outcome: Outcome | None
    verdict: str | None
    log: str


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return the working directory of an attempt on a problem that is not of this project."""
    for name, file in (("domain.pddl", "domain.pddl"), ("problem.pddl", "p01.pddl")):
        (tmp_path / name).write_text((FOREIGN / file).read_text())
    record = {"id": "mine", "budget": None, "answers": str(tmp_path / "answers" / "mine.jsonl")}
    (tmp_path / RECORD).write_text(json.dumps(record))
    return tmp_path


def ended(model: Model, place: Path, capsys: pytest.CaptureFixture[str], **settings: Any) -> Ended:
    """Run the process of an attempt in this process, which takes a tenth of the time."""
    files = [str(place / name) for name in ("domain.pddl", "problem.pddl", "plan")]
    capsys.readouterr()
    with served(model) as base, pytest.MonkeyPatch.context() as patch:
        chosen = ModelSettings("m", base, **{"tries": 1, **settings})
        values = {name: getattr(chosen, name) for name in chosen.__dataclass_fields__}
        patch.setattr(sys, "argv", ["process", settings_json(values), *files])
        number = language_model_process.main()
    log = capsys.readouterr().out
    termination = planner_named("llm:model=m").log.ending(log, number)
    plan = place / "plan"
    if number == 0:
        verdict = judge_plans([plan.read_text()], read_task(*files[:2]), None)
        return Ended(Outcome.PLAN_FOUND, None if verdict is None else str(verdict.status), log)
    assert not plan.exists()
    return Ended(termination.outcome if termination else None, None, log)


CLAIMS = {
    "plan": (GOOD, "valid"),
    "words": (f"<think>(pick ball1)</think>Here:\n```\n{GOOD}\n```\nDone.", "valid"),
    "marks": (f"[PLAN]\n{GOOD}\n[PLAN END]\nDone.", "valid"),
    "marks, then another plan": (f"[PLAN]\n{GOOD}\n[PLAN END]\n{BAD}", "malformed"),
    "wrong": (BAD, "invalid"),
    "none": ("There is no way to do this.", "malformed"),
    "unknown": ("(fly ball1 rooma)", "malformed"),
    "own lines": ("Plan found\nCalls: 99\nUnsolvable: no", "malformed"),
    "too long": ("x" * 300_000, "malformed"),
}
"""Replies that are claims, and the verdicts."""
NO_CLAIMS = {
    "cut": (message("length", content=GOOD), Outcome.GAVE_UP, "Gave up: the answer was cut at the"),
    "nothing": (
        message("stop", content=None), Outcome.GAVE_UP, "Gave up: the model returned no text (st"
    ),
    "tool": (
        message("tool_calls", content=None, tool_calls=[{}]), Outcome.GAVE_UP,
        "Gave up: the model returned no text (tool_calls)",
    ),
    "400": (status(400, error_text("too long")), Outcome.UNSUPPORTED, "Unsupported: http"),
    "401": (status(401, error_text("bad key")), None, "Error: http"),
    "404": (status(404, error_text("no model")), None, "Error: http"),
    "500": (status(500, error_text("broken")), None, "Error: http"),
    "garbage": (status(200, "garbage"), None, "Error: http"),
    "closed": (slow(0), None, "Error: http"),
}  # fmt: skip
"""Responses that are no claims, the outcomes and the last lines of the log."""


@pytest.mark.parametrize("name", [*CLAIMS, *NO_CLAIMS])
def test_what_a_model_says_is_a_claim_or_an_outcome(
    name: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if name in CLAIMS:
        found = ended(Model(reply=lambda _: CLAIMS[name][0]), place, capsys)
        assert found[:2] == (Outcome.PLAN_FOUND, CLAIMS[name][1])
        assert "\nCalls: 1\n" in found.log
        assert found.log.endswith("\nPlan found\n")
    else:
        answer, outcome, last = NO_CLAIMS[name]
        found = ended(Model(first=[answer]), place, capsys)
        assert found[:2] == (outcome, None)
        assert found.log.splitlines()[-1].startswith(last)
    assert "\nCalls: 99\n" not in found.log


@pytest.mark.parametrize("name", [*LOST, *USABLE])
def test_a_faulty_endpoint_is_not_asked_twice_for_a_text_and_no_file_has_the_key(
    name: str, place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    model = Model(first=[(LOST | USABLE)[name][0]] * 9)
    timeout = 0.4 if name == "silent" else 30.0
    logs = [ended(model, place, capsys, timeout=timeout).log for _ in range(3)]
    assert len(model.requests) == (1 if name in USABLE else 3)
    check_no_key([*logs, *(file.read_text() for file in place.rglob("*") if file.is_file())])


def test_the_plan_is_of_the_first_attempt_and_all_answers_are_kept(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = Model(reply=lambda _: BAD)
    assert ended(model, place, capsys, attempts=1).verdict == "invalid"
    model.first = [status(500)]  # an attempt without an answer changes nothing
    found = ended(model, place, capsys, attempts=2)
    assert found.verdict == "invalid"
    assert "\nAttempt 2 without an answer: http" in found.log
    model.reply = lambda _: GOOD
    for _ in range(2):
        found = ended(model, place, capsys, attempts=3, seed=None)
        assert found.verdict == "invalid"
        assert len(model.requests) == 4
        lines = (place / "answers" / "mine.jsonl").read_text().splitlines()
        answers = {line["attempt"]: line["answer"] for line in map(json.loads, lines)}
        assert answers == {1: BAD, 2: GOOD, 3: GOOD}
        assert "\nCalls: 3\n" in found.log


def test_the_prompt_is_that_of_prompt(
    place: Path, capsys: pytest.CaptureFixture[str], cli_here: CliHere
) -> None:
    model = Model()
    ended(model, place, capsys, style="cot", max_tokens=9, temperature=0.5, system="s", seed=3)
    (request,) = model.requests
    assert (request["max_tokens"], request["temperature"], request["seed"]) == (9, 0.5, 3)
    assert request["messages"][0] == {"role": "system", "content": "s"}
    command = ("prompt", "problem.pddl", "--domain", "domain.pddl", "--style", "cot", "-q")
    line = json.loads(cli_here(*command, cwd=place).out)
    assert model.prompts == [line["prompt"]]


def test_soft_validation_replaces_actions_that_are_not_applicable(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first action has a wrong name and no gripper; what follows the goal is left out."""
    steps = GOOD.splitlines()
    text = " ".join(["(Pick redd hall)", *steps[1:], "(fly)", steps[0]])
    found = ended(Model(reply=lambda _: text), place, capsys)
    assert (found.verdict, f"\nPredictions: {len(steps) + 2}\n" in found.log) == ("malformed", True)
    found = ended(Model(), place, capsys, soft_validation="ngrams")
    assert (found.verdict, (place / "plan").read_text()) == ("valid", GOOD)
    monkeypatch.setattr("pddl_pipeline.model.extras.find_spec", lambda _: None)
    with pytest.raises(EngineError, match="=some-encoder requires sentence_transformers"):
        check_engine(planner_named("llm:model=m,soft-validation=some-encoder"))


@pytest.mark.long
def test_the_time_limit_keeps_the_plan_of_the_first_attempt(tmp_path: Path) -> None:
    texts = Problem((FOREIGN / "domain.pddl").read_text(), (FOREIGN / "p01.pddl").read_text())
    # A valid plan would also count if the process were still writing it.
    model = Model(first=[message("stop", content=BAD), slow(60)], delay_s=0.1)
    with served(model) as base:
        planner = planner_named(f"llm:model=m,base-url={base},attempts=2")
        done = attempt(planner, texts, Limits(time_s=25), answers=AnswersPlace("i", tmp_path / "a"))
    assert (done.hit, done.statistics.calls) == ("time", 1)
    assert json.loads(done.answers)["answer"] == BAD
    is_first = json.loads(done.answers)["attempt"] == 1
    assert done.outcome is (Outcome.PLAN_FOUND if is_first else Outcome.TIMEOUT)


def test_a_name_has_what_determines_the_answers() -> None:
    text = "model=m,base-url=http://h/v1,style=cot,tries=2,timeout=9,max-tokens=5"
    planner = planner_named(f"llm:{text}")
    assert planner.name == "llm:model=m,style=cot,max-tokens=5"
    assert planner.reference == f"llm:{text}"
    other = planner_named("llm:model=m,style=cot,max-tokens=5")
    assert (planner.name, planner.options) == (other.name, other.options)
    assert other.options != planner_named("llm:model=m,style=cot").options
    assert "soft_validation" not in other.options  # runs that are stored keep their keys


def test_what_is_missing_is_said_before_the_first_run(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="found no model, expected one such as llm:model=NAME"):
        check_engine(planner_named("llm"))
    with pytest.raises(InputError, match="found no key, expected one in the environment"):
        check_engine(planner_named("llm:model=m"))
    monkeypatch.setattr("pddl_pipeline.model.extras.find_spec", lambda _: None)
    with pytest.raises(EngineError, match=r'pip install "pddl-pipeline\[models\]"'):
        check_engine(planner_named("llm:model=m,base-url=http://localhost:1/v1"))
