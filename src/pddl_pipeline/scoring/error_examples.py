"""The first answers of each model with each error, for people who look for what went wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from pddl_pipeline.model.errors import ErrorKind, ErrorStage
from pddl_pipeline.scoring.judging import Score
from pddl_pipeline.scoring.outcome import Outcome

_LONGEST: Final = 100_000
"""Characters of an answer that are stored; a page of a plan shows about as many."""


class ErrorExample(NamedTuple):
    """An answer with an error."""

    error: ErrorKind
    score: Score
    """The score of the answer, whose text is cut and has no other fields of its row."""


class ErrorExamples:
    """Stores the first answers of each model with each error, each to another instance.

    Its memory does not grow with the answers: it stores at most as many texts as there are models
    and errors, times the number for each, and cuts long texts.
    """

    def __init__(self, most: int) -> None:
        """Start with no examples.

        Args:
            most: the number of examples of each model and error; 0 to store nothing.
        """
        self._most = most
        self._found: defaultdict[tuple[str | None, ErrorKind], list[Score]] = defaultdict(list)

    def wants(self, name: str, model: str | None, outcome: Outcome) -> bool:
        """Return whether an answer would be an example.

        Args:
            name: id of the instance.
            model: name of the model.
            outcome: the outcome of the answer.
        """
        return any(self._lacks(name, model, error) for error in _errors(outcome))

    def add(self, score: Score, outcome: Outcome) -> None:
        """Store an answer under each of its errors that lacks examples."""
        text = score.answer.text[:_LONGEST]
        stored = replace(score, answer=replace(score.answer, text=text, row={}))
        model = score.answer.model
        for error in _errors(outcome):
            if self._lacks(score.id or "", model, error):
                self._found[model, error].append(stored)

    def __iter__(self) -> Iterator[ErrorExample]:
        """Yield the examples by stage, error and model, models in order of occurrence."""
        for stage in ErrorStage:
            for error in (error for error in ErrorKind if error.stage is stage):
                for model in self._models:
                    scores = self._found.get((model, error), ())
                    yield from (ErrorExample(error, score) for score in scores)

    @property
    def _models(self) -> Iterable[str | None]:
        return dict.fromkeys(model for model, _ in self._found)

    def _lacks(self, name: str, model: str | None, error: ErrorKind) -> bool:
        if not self._most:
            return False
        found = self._found.get((model, error), ())
        return len(found) < self._most and all(score.id != name for score in found)


def _errors(outcome: Outcome) -> tuple[ErrorKind, ...]:
    return () if outcome.trial is None else outcome.trial.errors
