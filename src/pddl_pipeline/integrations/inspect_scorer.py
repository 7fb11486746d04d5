"""Inspect AI: scorers that require only the log; extra ``inspect``."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import Any, Final

from pddl_pipeline.integrations.extras import missing
from pddl_pipeline.integrations.rows import mark_row, score_row
from pddl_pipeline.model.errors import InputError

try:
    from anyio import to_thread
    from inspect_ai import scorer as inspect
    from inspect_ai.solver import TaskState
except ImportError as error:
    raise missing(error, "inspect") from None

_ELSEWHERE: Final = {"id", "attempt", "plan", "reason", "trace"}
_METRICS: Final = [inspect.accuracy(), inspect.stderr()]
_VALUES: Final[dict[bool | None, str | float]] = {
    True: inspect.CORRECT,
    False: inspect.INCORRECT,
    None: nan,
}
"""The values of verdicts; that of none is the one that `unscored` sets."""


@inspect.scorer(metrics=_METRICS)
def plan_scorer() -> inspect.Scorer:
    """Return a scorer of plans, or of problems in PDDL; undecided answers are unscored."""
    return _scorer(_plan)


@inspect.scorer(metrics=_METRICS)
def question_scorer() -> inspect.Scorer:
    """Return a scorer that marks the answers to questions; undecided answers are unscored."""
    return _scorer(_question)


def _scorer(judge: Callable[[dict[str, Any], str], inspect.Score]) -> inspect.Scorer:
    async def score(state: TaskState, target: inspect.Target) -> inspect.Score:
        del target  # the metadata determine which answers are correct
        if state.output.empty:
            return inspect.Score.unscored(explanation="the model has no output")
        try:
            # In the event loop, judging would stop the requests to the model.
            return await to_thread.run_sync(judge, state.metadata, state.output.completion)
        except InputError as fault:
            return inspect.Score.unscored(explanation=str(fault))

    return score


def _plan(row: dict[str, Any], text: str) -> inspect.Score:
    judged = score_row(row, text)
    fields = judged.to_json()
    return inspect.Score(
        value=_VALUES[judged.correct],
        answer=None if judged.plan is None else str(judged.plan),
        explanation=fields["reason"],
        metadata={name: value for name, value in fields.items() if name not in _ELSEWHERE},
    )


def _question(row: dict[str, Any], text: str) -> inspect.Score:
    mark = mark_row(row, text)
    return inspect.Score(
        value=_VALUES[mark.correct], answer=str(mark.found), explanation=mark.reason
    )
