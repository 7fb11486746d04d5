"""Judges outside answers: plans that somebody else's planner or language model gave.

An answer is read strictly here, as the text of a plan file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pddl_pipeline.experiment.solving import judge_plan
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.suggestion import did_you_mean
from pddl_pipeline.model.verdict import Verdict
from pddl_pipeline.translators import translate
from pddl_pipeline.validation.task import Task, read_task


@dataclass(frozen=True, slots=True)
class Score:
    """The verdict on one answer."""

    id: str
    """Of the instance."""
    attempt: int
    """1 for the first answer to an instance, 2 for the second, and so on."""
    verdict: Verdict


def score(
    instances: Iterable[Instance[Any]], answers: Iterable[Mapping[str, Any]]
) -> Iterator[Score]:
    """Yield a score for each answer, in their order.

    Args:
        instances: the dataset, as `load_records` gives it.
        answers: objects with ``id`` and ``answer``, the text of a plan in the IPC form; several
            with one id are attempts at the same instance.

    Raises:
        InputError: an answer has no id or text, or its id is not in the dataset.
    """
    known = {instance.id: instance for instance in instances}
    tasks: dict[str, Task] = {}
    attempts: Counter[str] = Counter()
    for number, answer in enumerate(answers, start=1):
        if not isinstance(answer, Mapping):
            raise InputError(f"answer {number} is no object with 'id' and 'answer'")
        name, text = answer.get("id"), answer.get("answer")
        if not isinstance(name, str) or not isinstance(text, str):
            raise InputError(f"answer {number} has no 'id' or no 'answer' of text")
        if name not in known:
            raise InputError(f"answer {number}: unknown id '{name}'{did_you_mean(name, known)}")
        if name not in tasks:
            problem = translate(known[name])
            tasks[name] = read_task(problem.domain, problem.problem)
        attempts[name] += 1
        yield Score(name, attempts[name], judge_plan(text, tasks[name], known[name]))
