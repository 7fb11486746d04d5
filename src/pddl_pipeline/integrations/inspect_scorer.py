"""Inspect AI: a scorer of plans that requires only the log; extra ``inspect``."""

from __future__ import annotations

from math import nan
from typing import Final

from pddl_pipeline.integrations.extras import missing
from pddl_pipeline.integrations.instances import mark_text, score_text
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.scoring.judging import score_json
from pddl_pipeline.translators.datasets import instance_of

try:
    from anyio import to_thread
    from inspect_ai import scorer as inspect
    from inspect_ai.solver import TaskState
except ImportError as error:
    raise missing(error, "inspect") from None

_ELSEWHERE: Final = {"id", "attempt", "plan", "reason", "trace"}


@inspect.scorer(metrics=[inspect.accuracy(), inspect.stderr()])
def plan_scorer(style: str = "io") -> inspect.Scorer:
    """Return a scorer that judges the plan in an answer; undecided answers are unscored.

    Args:
        style: the style of the prompts; ``pddl`` judges the problem in an answer instead.
    """

    async def score(state: TaskState, target: inspect.Target) -> inspect.Score:
        del target  # any valid plan is correct
        return await to_thread.run_sync(_score, state, style)

    return score


def _score(state: TaskState, style: str) -> inspect.Score:
    if state.output.empty:
        return inspect.Score.unscored(explanation="the model has no output")
    try:
        judged = score_text(instance_of(state.metadata), state.output.completion, style)
    except InputError as fault:
        return inspect.Score.unscored(explanation=str(fault))
    fields, value = score_json(judged), inspect.CORRECT if judged.correct else inspect.INCORRECT
    return inspect.Score(
        value=value if judged.judged else nan,  # the value that `unscored` sets
        answer=None if judged.plan is None else str(judged.plan),
        explanation=fields["reason"],
        metadata={name: value for name, value in fields.items() if name not in _ELSEWHERE},
    )


@inspect.scorer(metrics=[inspect.accuracy(), inspect.stderr()])
def question_scorer() -> inspect.Scorer:
    """Return a scorer that marks the answers to questions; undecided answers are unscored."""

    async def score(state: TaskState, target: inspect.Target) -> inspect.Score:
        del target  # it is in the question
        question, text = state.metadata["question"], state.output.completion
        mark = await to_thread.run_sync(mark_text, question, text)
        if mark.correct is None:
            return inspect.Score.unscored(explanation=mark.reason)
        value = inspect.CORRECT if mark.correct else inspect.INCORRECT
        return inspect.Score(value=value, answer=str(mark.found), explanation=mark.reason)

    return score
