"""Stored results of functions on a dataset; an instance is not solved twice."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline.io.synced_lines import append_to, cut_torn_line
from pddl_pipeline.model.errors import StoreError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.autotos.loop.evaluation import Evaluated, Result, evaluate
from pddl_pipeline.papers.autotos.loop.experiment import Conversation
from pddl_pipeline.papers.autotos.loop.loop import End
from pddl_pipeline.papers.autotos.loop.subject import Subject
from pddl_pipeline.planners.functions.process import Functions
from pddl_pipeline.runs.jobs import problem_hash
from pddl_pipeline.search.space import Bounds
from pddl_pipeline.translators import translate

RESULTS: Final = "results.jsonl"

Key = tuple[int, str, str]
"""The repetition, the instance's id, and the hash of its problem."""


class Applied(NamedTuple):
    """The result of a conversation's functions on an instance."""

    repetition: int
    evaluated: Evaluated


class ResultStore:
    """The file of results in a folder, whose lock its user holds."""

    def __init__(self, folder: Path) -> None:
        """Read the file, if it exists.

        Raises:
            StoreError: a line before the last is damaged.
        """
        self._file = folder / RESULTS
        if self._file.exists():
            cut_torn_line(self._file)
        self._known = dict(_read(self._file)) if self._file.exists() else {}

    def find(self, key: Key) -> Evaluated | None:
        """Return a stored result."""
        return self._known.get(key)

    def add(self, key: Key, evaluated: Evaluated) -> None:
        """Append a result.

        Raises:
            StoreError: the file cannot be written.
        """
        repetition, _, problem = key
        fields = {"repetition": repetition, "problem": problem, **evaluated._asdict()}
        append_to(self._file, json.dumps(fields).encode() + b"\n")
        self._known[key] = evaluated


def apply_functions(
    conversations: Iterable[Conversation],
    instances: Iterable[Instance[Any]],
    subject: Subject,
    bounds: Bounds,
    store: ResultStore,
) -> Iterator[Applied]:
    """Yield the result of each accepted pair of functions on each instance.

    Args:
        conversations: the conversations; those that were not accepted are skipped.
        instances: the dataset.
        subject: its domain.
        bounds: the limits of each search.
        store: has the results so far, and gets the new ones.

    Raises:
        InputError: an instance is not of the domain.
        StoreError: a result cannot be stored.
    """
    accepted = [each for each in conversations if each.end is End.ACCEPTED]
    with ExitStack() as stack:
        functions = {
            each.repetition: stack.enter_context(Functions(tuple(each.sources.values())))
            for each in accepted
        }
        for instance in instances:
            problem = problem_hash(translate(instance))
            keys = {number: (number, instance.id, problem) for number in functions}
            trial = None
            for number, key in keys.items():
                found = store.find(key)
                if found is None:
                    trial = trial or subject.trial(instance)
                    found = evaluate(trial, functions[number], subject.domain, bounds)
                    store.add(key, found)
                yield Applied(number, found)
            if trial is not None:
                subject.forget(trial)


def _read(file: Path) -> Iterator[tuple[Key, Evaluated]]:
    with file.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                fields: Mapping[str, Any] = json.loads(line)
                key = (int(fields["repetition"]), str(fields["id"]), str(fields["problem"]))
                yield key, Evaluated(
                    str(fields["id"]), Result(fields["result"]), str(fields["reason"]),
                    fields["steps"], int(fields["expanded"]),
                )  # fmt: skip
            except (ValueError, KeyError, TypeError) as error:
                raise StoreError(f"{file}:{number}: found no stored result ({error!r})") from error
