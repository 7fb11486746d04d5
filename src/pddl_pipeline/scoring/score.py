"""Scores external answers: plans from a language model or from another planner."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, count, islice
from pathlib import Path
from typing import Any, Final

from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.kept import Kept
from pddl_pipeline.model.notebook import notebook_html
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.model.text import counted
from pddl_pipeline.model.verdict import Status, Verdict
from pddl_pipeline.prompts.statement import PDDL
from pddl_pipeline.scoring.answer import Answer, NamedFields, memory_answers
from pddl_pipeline.scoring.judging import OWN, Score, score_one
from pddl_pipeline.scoring.pairing import paired
from pddl_pipeline.scoring.pddl_answers import score_problem
from pddl_pipeline.tables.columns import Rows
from pddl_pipeline.translators import task_on_demand
from pddl_pipeline.translators.datasets import Data, as_instances
from pddl_pipeline.validation.task import Task

_READINGS: Final = (OWN, "planbench", PDDL)
_MAX_TASKS: Final = 1_000
_MAX_SUGGESTIONS: Final = 20
_LONGEST_ID: Final = 80


def score(  # noqa: PLR0913 -- one parameter an option
    instances: Data,
    answers: Data | Iterable[Answer] | None = None,
    reading: str = OWN,
    *,
    lenient_values: bool = False,
    id_field: str | None = None,
    answer_field: str | None = None,
) -> Scores:
    """Return an iterator over a score for each answer, in order.

    An answer with an unknown id, or one that is not an object with ``id`` and ``answer``, is
    ``undecided``: this is an error in the file, not in an answer. The other answers are scored.

    Args:
        instances: the dataset: instances as `load_records` returns them, or anything that
            `load_records` reads.
        answers: objects with ``id`` and ``answer``, a text that contains a plan, or a data frame.
            Multiple answers to one instance count as attempts. ``model`` separates the attempts of
            several models. The command's other names of the two fields, such as ``problem_id`` and
            ``response``, are recognised; the first row that has both decides. If `answers` is
            missing or the same as `instances`, each row has its problem and its answer.
        reading: ``planbench`` to read answers by PlanBench's rules if the domain has them; ``pddl``
            to judge answers that are problems in PDDL.
        lenient_values: whether to judge a countdown expression alone. Else an answer that states a
            false value for its expression is not valid (``false-value``).
        id_field: the name of the field with the id; recognised if None.
        answer_field: likewise, the field with the answer.

    Raises:
        InputError: no row has the two fields, or it is not clear which they are; the dataset cannot
            be read.
    """
    named = NamedFields(id_field, answer_field, ("id_field=", "answer_field="))
    if reading not in _READINGS:
        raise InputError(f"reading: found {reading!r}, expected {' or '.join(_READINGS)}")
    return Scores(scores(instances, answers, named, reading, lenient_values=lenient_values))


class Scores(Rows, Iterator[Score]):
    """An iterator over scores. As a data frame, it has those that were not iterated over yet.

    A field of the data with the name of another column is the column ``data_NAME``.
    """

    def __init__(self, found: Iterator[Score]) -> None:
        # Data that cannot be read raise an error at once.
        self._found: Iterator[Score] = chain([*islice(found, 1)], found)
        self._taken = 0
        self._ended = False

    def __iter__(self) -> Scores:
        # A second loop over an iterator finds nothing, as if no answer had been scored.
        if self._ended:
            raise ValueError("the scores were taken before; list(score(...)) keeps them")
        return self

    def __next__(self) -> Score:
        for score in self._found:
            self._taken += 1
            return score
        self._ended = True
        raise StopIteration

    def __bool__(self) -> bool:
        raise TypeError("several scores have no truth value; use one of them, or all(scores)")

    def __len__(self) -> int:
        return len(self.left())

    def _repr_html_(self) -> str:
        return notebook_html(self)

    def left(self) -> list[Score]:
        """Return the scores that were not iterated over yet, without taking them."""
        left = list(self._found)
        self._found = iter(left)
        return left

    def _objects(self) -> Iterator[dict[str, Any]]:
        left = self.left()
        if self._taken and not left:
            taken = f"{counted(self._taken, 'score')} taken before"
            raise ValueError(f"found {taken}; expected to_frame() first, which keeps the scores")
        for each in left:
            own = {**each.to_json(), "correct": each.correct, "answer": each.answer.text}
            data = own.get("extra", {}).items()
            yield {**{f"data_{name}" if name in own else name: cell for name, cell in data}, **own}


def scores(
    data: Data,
    answers: Data | Iterable[Answer] | None,
    named: NamedFields,
    reading: str = OWN,
    *,
    lenient_values: bool = False,
) -> Iterator[Score]:
    """Yield a score for each answer; see `score`."""
    found: Iterable[Instance[Any]]
    is_path = isinstance(data, str | Path)
    if answers is None or answers is data or (is_path and str(answers) == str(data)):
        found, given = paired(data, named)
    else:
        found, given = as_instances(data), memory_answers(answers, named)
    yield from map(Judge(found, reading, lenient_values=lenient_values).score, given)


class Judge:
    """Scores answers to the instances of a dataset; caches their tasks."""

    def __init__(
        self,
        instances: Iterable[Instance[Any]],
        reading: str = OWN,
        *,
        lenient_values: bool = False,
    ) -> None:
        self.instances = {instance.id: instance for instance in instances}
        self._reading, self._lenient = reading, lenient_values
        self._suggestions = _MAX_SUGGESTIONS
        self._tasks = Kept[str, Task](_MAX_TASKS)
        self._attempts: defaultdict[tuple[str, str | None], set[int]] = defaultdict(set)

    def task(self, name: str) -> Task:
        """Return the task of an instance by its id."""
        found = self._tasks.get(name)
        return found or self._tasks.keep(name, task_on_demand(self.instances[name]))

    def score(self, answer: Answer) -> Score:
        """Score one answer; see `score`."""
        if answer.fault is None and answer.id in self.instances:
            attempt = self.number(answer.id, answer.model, answer.attempt)
            if attempt is not None:
                return self.judge(answer, attempt)
        return self.fault(answer)

    def number(self, name: str, model: str | None, given: int | None) -> int | None:
        """Return the number of the next attempt, or None if its number was given before.

        Args:
            name: id of the instance.
            model: name of the model.
            given: the number that the answer states, from 1 on; None to count the answers.
        """
        seen = self._attempts[name, model]
        if given in seen:
            return None
        number = given or next(each for each in count(len(seen) + 1) if each not in seen)
        seen.add(number)
        return number

    def judge(self, answer: Answer, attempt: int) -> Score:
        """Return the score of an answer to an instance of the dataset; count no attempt.

        Args:
            answer: the answer.
            attempt: the number of the attempt.
        """
        instance = self.instances[answer.id or ""]
        if self._reading == PDDL:
            return score_problem(answer, attempt, instance, self.task(instance.id))
        return score_one(
            answer, attempt, instance, self.task(instance.id), self._reading,
            lenient_values=self._lenient,
        )  # fmt: skip

    def fault(self, answer: Answer) -> Score:
        """Return the score of an answer that has no verdict, since it has a fault.

        It is not an answer, the dataset does not have its id, or its attempt was given before.
        """
        name = (answer.id or "")[:_LONGEST_ID]
        if answer.fault is not None:
            fault = answer.fault
        elif answer.id not in self.instances:
            self._suggestions -= 1  # a suggestion is slow
            near = did_you_mean(answer.id or "", self.instances) if self._suggestions >= 0 else ""
            fault = f"unknown id '{name}'{near}"
        else:
            fault = f"attempt {answer.attempt} at '{name}' is given twice"
        nothing = Verdict(Status.UNDECIDED, reason=fault)
        return Score(answer.id, answer.attempt, nothing, nothing, answer=answer, fault=fault)
