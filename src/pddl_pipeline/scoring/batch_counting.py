"""Counts judged batches in the order of the answers, and writes the line of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import IO

from pddl_pipeline.scoring.answer import Answer
from pddl_pipeline.scoring.answer_batches import AnswerBatch
from pddl_pipeline.scoring.batch_judging import BatchJudge, JudgedAnswer
from pddl_pipeline.scoring.error_examples import ErrorExamples
from pddl_pipeline.scoring.former_scores import FormerScores
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.score_line import score_line
from pddl_pipeline.scoring.tally import Tally


class BatchCounter:
    """Numbers the attempts of judged answers, and counts and writes them.

    Batches may be judged in any order and place. They are counted in the order of the answers, so
    that attempts have the same numbers and the output the same bytes.
    """

    def __init__(  # noqa: PLR0913 -- what counts, and where it goes
        self,
        judge: BatchJudge,
        tally: Tally,
        former: FormerScores,
        stream: IO[str] | None,
        report: Callable[[Score], None],
        *,
        examples: ErrorExamples | None = None,
    ) -> None:
        """Start with no answers.

        Args:
            judge: what judges the batches, here or in other processes.
            tally: counts the scores.
            former: compares the scores with those that the output had before.
            stream: the output for a line of each score; None for no output. Requires
                `ScoringWork.with_lines`.
            report: is called with each score that has a fault.
            examples: gets the first answers with each error; None to look for none.
        """
        self._judge, self._tally, self._former = judge, tally, former
        self._stream, self._report, self._examples = stream, report, examples or ErrorExamples(0)

    def add(self, batch: AnswerBatch, judged: Sequence[JudgedAnswer | None]) -> None:
        """Count the answers of a batch."""
        number, count, stream = self._judge.judge.number, self._tally.count, self._stream
        wants = self._examples.wants
        answers: list[Answer] | None = None
        for index, each in enumerate(judged):
            attempt = None if each is None else number(each.id, each.model, each.attempt)
            if each is None or attempt is None:
                answers = answers or self._judge.answers(batch)
                self._add_fault(answers[index])
                continue
            count(each.id, each.model, attempt, each.outcome)
            if wants(each.id, each.model, each.outcome):
                answers = answers or self._judge.answers(batch)
                # Judged again here, since other processes send no texts.
                score = self._judge.judge.judge(answers[index], attempt)
                self._examples.add(score, each.outcome)
            if stream is not None:
                stream.write(each.line_of(attempt))
                self._former.compare(each.id, attempt, each.model, each.outcome.status)

    def _add_fault(self, answer: Answer) -> None:
        score = self._judge.judge.fault(answer)
        self._tally.add(score)
        if self._stream is not None:
            self._stream.write(score_line(score))
            status = str(score.verdict.status)
            self._former.compare(score.id, score.attempt, answer.model, status)
        self._report(score)
