"""Judges batches of answers, in any process."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, NamedTuple

from pddl_pipeline.model.instance import Instance
from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_batches import AnswerBatch, AnswerSource
from pddl_pipeline.scoring.judging import OWN, Score
from pddl_pipeline.scoring.metrics import METRICS, Metric
from pddl_pipeline.scoring.outcome import Outcome, outcome_of
from pddl_pipeline.scoring.score import Judge
from pddl_pipeline.scoring.score_line import score_line

_NOT_NUMBERED = 0


class JudgedAnswer(NamedTuple):
    """An answer that was judged, but whose attempt has no number yet."""

    id: str
    """Id of the instance."""
    model: str | None
    attempt: int | None
    """The number that the answer states."""
    outcome: Outcome
    line: tuple[str, str] | None
    """The score's line of JSON before and after the number of the attempt, if it was asked for."""

    def line_of(self, attempt: int) -> str:
        """Return the line of JSON of the score, which must have been asked for."""
        before, after = self.line or ("", "")
        return f"{before}{attempt}{after}"


@dataclass(frozen=True, slots=True)
class ScoringWork:
    """What a process needs to judge the batches of an answer source."""

    instances: Sequence[Instance[Any]]
    source: AnswerSource
    reading: str = OWN
    lenient_values: bool = False
    metrics: Sequence[Metric] = METRICS
    fields: Sequence[str] = ()
    """The fields of answers that answers are grouped by."""
    with_lines: bool = False
    """Whether to return the line of JSON of each score."""


class BatchJudge:
    """Judges batches. A pickled copy is prepared again, and has no cached tasks."""

    def __init__(self, work: ScoringWork) -> None:
        self.work = work
        self.judge = Judge(work.instances, work.reading, lenient_values=work.lenient_values)
        """Judges the answers and numbers their attempts."""
        self._reader = work.source.reader(self.judge.instances)
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[BatchJudge], tuple[ScoringWork]]:
        return BatchJudge, (self.work,)

    def answers(self, batch: AnswerBatch) -> list[Answer]:
        """Return the answers of a batch."""
        return list(self._reader.answers(batch))

    def judged(self, batch: AnswerBatch) -> list[JudgedAnswer | None]:
        """Return the judged answers of a batch in order; None in place of each with a fault."""
        known: dict[Outcome, Outcome] = {}
        with self._lock:  # threads of a cluster's worker share the caches
            return [self._judged(answer, known) for answer in self._reader.answers(batch)]

    def _judged(self, answer: Answer, known: dict[Outcome, Outcome]) -> JudgedAnswer | None:
        instance = self.judge.instances.get(answer.id or "")
        if answer.fault is not None or instance is None:
            return None
        score = self.judge.judge(answer, _NOT_NUMBERED)
        outcome = outcome_of(score, instance, self.work.metrics, self.work.fields)
        line = _split(score) if self.work.with_lines else None
        # Few outcomes are distinct, and one object is sent to another process once.
        outcome = known.setdefault(outcome, outcome)
        return JudgedAnswer(instance.id, answer.model, answer.attempt, outcome, line)


def _split(score: Score) -> tuple[str, str]:
    """Return the line of a score before and after the number of the attempt."""
    before = f'{{"id": {json.dumps(score.id)}, "attempt": '
    return before, score_line(score)[len(before) + len(str(_NOT_NUMBERED)) :]
