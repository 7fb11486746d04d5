"""Rewards without a model: their scores, and the required content of a file."""

from __future__ import annotations

import json
from fractions import Fraction
from math import exp, log
from pathlib import Path
from typing import Any

import pytest
from baseline_runs import blocks, given_of, run
from hypothesis import given
from hypothesis import strategies as st
from planner_problems import sample

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.plan import Step
from pddl_pipeline.papers.rewards import Option, RewardSettings, Score, Situation, rewards, scorer
from pddl_pipeline.search.baseline import SearchInput

HERE = Situation(lambda: ("(at b)", "(= (fuel) 7/3)"), tuple, 3)


def scores(name: str, met: list[int], wanted: int) -> list[Score]:
    options = [Option(Step(f"a{number}"), each, wanted) for number, each in enumerate(met)]
    return rewards()[name].prepare(RewardSettings(), None).scores(HERE, options)  # type: ignore[arg-type]


@given(met=st.lists(st.integers(0, 30), min_size=1), spare=st.integers(0, 5))
def test_what_the_built_in_rewards_are(met: list[int], spare: int) -> None:
    wanted = max(met) + spare
    assert scores("none", met, wanted) == [Score(0, 0)] * len(met)
    uniform = scores("uniform", met, wanted)
    assert [score.confidence for score in uniform] == [pytest.approx(log(1 / len(met)))] * len(met)
    goals = scores("goal-count", met, wanted)
    whole = sum(exp(each) for each in met)
    for each, score in zip(met, goals, strict=True):
        assert score.logprob <= 0
        assert score.good <= 0
        assert score.logprob == pytest.approx(each - log(whole), abs=1e-9)
        assert exp(score.good) == pytest.approx((each + 1) / (wanted + 1))
        assert score.confidence == score.logprob + score.good


def from_file(tmp_path: Path, *lines: Any, budget: Any = None) -> list[Score]:
    file = tmp_path / "log.jsonl"
    file.write_text("\n".join(each if isinstance(each, str) else json.dumps(each)
                              for each in lines))  # fmt: skip
    task = given_of(sample("ferry"), tmp_path, budget=budget)
    reward = scorer(RewardSettings(reward="file", file=str(file)), task)
    return reward.scores(HERE, [Option(Step("go", ("b", "c")), 0, 1)])


ENTRY = {"state": ["(= (fuel)  7/3)", "(AT b)"], "action": "(go b  C)", "logprob": -0.5}


def test_a_file_has_numbers_by_state_and_action(tmp_path: Path) -> None:
    assert from_file(tmp_path, ENTRY, "") == [Score(-0.5, 0)]
    assert from_file(tmp_path, {**ENTRY, "good": -2}) == [Score(-0.5, -2)]


def test_the_entry_that_says_most_of_where_it_is_for_is_taken(tmp_path: Path) -> None:
    def at(logprob: float, **more: Any) -> dict[str, Any]:
        return {**ENTRY, **more, "logprob": logprob}

    lines = [ENTRY, at(-1, budget="7/2"), at(-2, cost=3), at(-3, cost=3, budget="7/2"),
             at(-4, cost=4), at(-5, backward=True)]  # fmt: skip
    assert from_file(tmp_path, *lines, budget=Fraction(7, 2)) == [Score(-3)]
    assert from_file(tmp_path, *lines[:3], budget=Fraction(7, 2)) == [Score(-2)]
    assert from_file(tmp_path, *lines[:2], budget=Fraction(7, 2)) == [Score(-1)]
    assert from_file(tmp_path, *lines[:2]) == [Score(-0.5)]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([{**ENTRY, "state": ["(at b)"]}], r"no log-probability of \(go b c\) at cost 3 in the"),
        ([{**ENTRY, "backward": True}], r"no log-probability of \(go b c\)"),
        ([], r"no log-probability"),
        ([ENTRY, "{"], r"log.jsonl:2: .*"),
        ([ENTRY, {**ENTRY, "logprob": 0.5}], r"log.jsonl:2: logprob: found 0.5, expected a nat"),
        ([{**ENTRY, "good": 1}], r"log.jsonl:1: good: found 1.0"),
        ([{**ENTRY, "logprob": "x"}], r"log.jsonl:1: .*float.*logprob"),
        ([{**ENTRY, "more": 1}], r"log.jsonl:1: .*unknown field `more`"),
        ([{**ENTRY, "cost": "1/0"}], r"log.jsonl:1: "),
        ([ENTRY, {**ENTRY, "logprob": -0.7}], r"log.jsonl:2: another log-probability"),
        (['{"state": [], "action": "(a)", "logprob": -1e999}'], r"log.jsonl:1: "),
    ],
)
def test_what_a_file_lacks_is_told_with_its_place(
    lines: list[Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=said):
        from_file(tmp_path, *lines)


def written(file: Path, asked: list[Any]) -> None:
    """Write the requests to a file in the format of recorded log-probabilities."""
    lines = [
        {"state": list(state), "action": str(option.step), "cost": spent, "backward": backward,
         "logprob": -len(str(option.step)) / 7, "good": -option.met / 3}
        for backward, state, spent, options in asked for option in options
    ]  # fmt: skip
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


class RecordingReward:
    """A reward that records the requests."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def scores(self, situation: Situation, options: list[Option]) -> list[Score]:
        self.asked.append((situation.backward, situation.state(), situation.spent, options))
        return [Score(-len(str(each.step)) / 7, -each.met / 3) for each in options]


@pytest.mark.parametrize(
    ("name", "module"),
    [("cats", "cats.search"), ("tot", "rewards"), ("rap", "rewards"),
     ("simplan", "simplan.search")],
)  # fmt: skip
def test_searches_by_a_file_are_those_by_the_model_that_it_is_from(
    name: str, module: str, tmp_path: Path
) -> None:
    problem = blocks([["a", "b"], ["c", "d"]], [["on", "a", "c"], ["on", "c", "b"]])
    task: SearchInput = given_of(problem, tmp_path, budget=100)
    limits = {"predictions": "none"} if name == "simplan" else {}
    reward, file = RecordingReward(), tmp_path / "log.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"pddl_pipeline.papers.{module}.scorer", lambda *_: reward)
        model = run(name, task, **limits)
    written(file, reward.asked)
    again = run(name, task, reward="file", file=str(file), **limits)
    assert model.effort.expanded > 3
    assert (again.finding, again.effort) == (model.finding, model.effort)
