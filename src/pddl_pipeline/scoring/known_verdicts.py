"""Verdicts on plans that were judged before: samples of one model repeat the same plans."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Final

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.plan import Plan
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.translators.judging import judge_plan
from pddl_pipeline.validation.task import Task

_MOST: Final = 4_000
_LONGEST: Final = 100


class KnownVerdicts:
    """Judges plans as `judge_plan` does; each plan of an instance once, while it is remembered.

    The last 4,000 plans of at most 100 steps are remembered, of all instances together.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[object, ...], Verdict] = OrderedDict()

    def judge(self, plan: Plan, task: Task, instance: Instance[Any]) -> Verdict:
        """Return the verdict on a plan; see `judge_plan`."""
        if len(plan) > _LONGEST or any(step.time is not None for step in plan):
            return judge_plan(plan, task, instance)
        # Actions and arguments decide the verdict, and not where they stand in an answer.
        key = instance.id, tuple(step[:2] for step in plan)
        known = self._known.get(key)
        if known is not None:
            return known
        verdict = judge_plan(plan, task, instance)
        # That on a malformed plan has the place of the error.
        if verdict.status is not Status.MALFORMED:
            self._known[key] = verdict
            if len(self._known) > _MOST:
                self._known.popitem(last=False)
        return verdict

    def forget(self) -> None:
        """Forget all verdicts, for measuring the time of judging."""
        self._known.clear()
