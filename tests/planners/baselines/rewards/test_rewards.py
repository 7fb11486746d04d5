"""Rewards without a model: their scores."""

from __future__ import annotations

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pddl_pipeline.model.plan import Step
from pddl_pipeline.papers.rewards import ActionScore, Option, RewardSettings, Situation, rewards

HERE = Situation(lambda: ("(at b)", "(= (fuel) 7/3)"), tuple, 3)


def scores(name: str, met: list[int], wanted: int) -> list[ActionScore]:
    options = [Option(Step(f"a{number}"), each, wanted) for number, each in enumerate(met)]
    return rewards()[name].prepare(RewardSettings(), None).scores(HERE, options)  # type: ignore[arg-type]


@given(met=st.lists(st.integers(0, 30), min_size=1), spare=st.integers(0, 5))
def test_what_the_built_in_rewards_are(met: list[int], spare: int) -> None:
    wanted = max(met) + spare
    assert scores("none", met, wanted) == [ActionScore(0, 0)] * len(met)
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
