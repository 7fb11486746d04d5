"""The functions of a conversation, applied to a dataset, and the numbers of an experiment.

Breadth-first search uses both functions; the path that it finds is converted to a plan and
validated. As in the paper (section 5), a plan counts if it is valid and as short as possible. The
numbers have the forms of the paper's Table 1 and Figure 5.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline.endpoints.settings import known_sum
from pddl_pipeline.io.synced_lines import append_to, cut_torn_line
from pddl_pipeline.model.errors import StoreError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.package_version import VERSION
from pddl_pipeline.papers.autotos.conversations import REPETITIONS, Conversation
from pddl_pipeline.papers.autotos.loop import End
from pddl_pipeline.papers.autotos.subject import AskedDomain, PuzzleInstance, trial_of
from pddl_pipeline.planners.foreign_code.guarded import ISGOAL, SUCC, Category, CodeFails, Guarded
from pddl_pipeline.planners.foreign_code.process import Functions
from pddl_pipeline.runs.jobs import problem_hash
from pddl_pipeline.scoring.metrics import accuracy_at
from pddl_pipeline.search.baseline import SearchEffort
from pddl_pipeline.search.black_boxes.domain import Domain
from pddl_pipeline.search.space import (
    LIMIT_REACHED,
    Bounds,
    NonDeterministic,
    Searched,
    breadth_first,
)
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.tables.text_table import NO_NUMBER, TextTable, rounded
from pddl_pipeline.translators import translate


class Result(StrEnum):
    """The result of the functions on an instance."""

    SOLVED = "solved"
    """A valid plan with as few steps as possible, or a correct proof that there is no plan."""
    LONGER = "longer"
    """A valid plan, but there is a shorter one."""
    UNPROVED = "unproved"
    """A valid plan; the search for a shorter one reached its limit. Not counted as solved."""
    INVALID = "invalid"
    """The path is not a valid plan."""
    NO_PLAN = "no-plan"
    """No path: all states were visited, or a limit was reached."""
    ERROR = "error"
    """A function failed, or returned different successors when it was called again."""


class Evaluated(NamedTuple):
    """The result on one instance."""

    id: str
    result: Result
    reason: str = ""
    """One line; empty if the instance is solved."""
    steps: int | None = None
    """The number of steps of the path."""
    expanded: int = 0
    """The number of states that the search expanded."""
    version: str = VERSION
    """The version of this package that made the result; ``-`` if it did not store it."""

    @property
    def reached_limit(self) -> bool:
        """Whether the search ended at its limit of time or of states."""
        return self.result is Result.NO_PLAN and self.reason.startswith(LIMIT_REACHED)


def evaluate(
    trial: PuzzleInstance, functions: Functions, domain: Domain, bounds: Bounds
) -> Evaluated:
    """Solve an instance with functions, and judge what they find.

    Args:
        trial: the instance.
        functions: the functions of a model.
        domain: their domain.
        bounds: the limits of the search.
    """
    effort = SearchEffort()
    # As in the paper, only the plan is judged here, not each transition.
    guarded = Guarded(functions, domain, partial_soundness=False)
    try:
        found = breadth_first(guarded.space(trial.puzzle), bounds, effort, late_test=True)
    except CodeFails as error:
        return Evaluated(trial.id, Result.ERROR, str(error), expanded=effort.expanded)
    except NonDeterministic:
        reason = "succ returned other successors when it was called again"
        return Evaluated(trial.id, Result.ERROR, reason, expanded=effort.expanded)
    result, reason = _judged(trial, found, bounds)
    steps = None if found.path is None else len(found.path) - 1
    return Evaluated(trial.id, result, reason, steps, effort.expanded)


def _judged(trial: PuzzleInstance, found: Searched, bounds: Bounds) -> tuple[Result, str]:
    if found.path is None and not found.exhausted:
        return Result.NO_PLAN, found.reason
    fault = None if found.path is None else trial.fault(found.path)
    if fault is not None:
        return Result.INVALID, fault
    # Only where a path was found, or all states were visited: the search may take long.
    own = trial.own_search(bounds)
    if found.path is None:
        return (Result.SOLVED, "") if own.exhausted else (Result.NO_PLAN, found.reason)
    many = len(found.path) - 1
    # Functions that skip dead ends can end within limits that this package's search reaches.
    if own.path is None:
        return Result.UNPROVED, f"{many} steps, the fewest are unknown: {own.reason}"
    if len(own.path) < len(found.path):
        return Result.LONGER, f"{many} steps, the fewest are {len(own.path) - 1}"
    return Result.SOLVED, ""


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
        # A crash may have cut off the last line, whose result is then computed again.
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
    subject: AskedDomain,
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
    accepted = [conversation for conversation in conversations if conversation.end is End.ACCEPTED]
    with ExitStack() as stack:
        functions = {
            each.repetition: stack.enter_context(Functions(tuple(each.sources.values())))
            for each in accepted
        }
        for instance in instances:
            problem = problem_hash(translate(instance))
            # The hash of the problem: an instance of the same id may change in the dataset.
            keys = {number: (number, instance.id, problem) for number in functions}
            trial = None
            for number, key in keys.items():
                found = store.find(key)
                if found is None:
                    trial = trial or trial_of(instance, subject.domain)
                    found = evaluate(trial, functions[number], subject.domain, bounds)
                    store.add(key, found)
                yield Applied(number, found)


def _read(file: Path) -> Iterator[tuple[Key, Evaluated]]:
    with file.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                fields: Mapping[str, Any] = json.loads(line)
                key = (int(fields["repetition"]), str(fields["id"]), str(fields["problem"]))
                yield key, Evaluated(
                    str(fields["id"]), Result(fields["result"]), str(fields["reason"]),
                    fields["steps"], int(fields["expanded"]),
                    str(fields.get("version", NO_NUMBER)),
                )  # fmt: skip
            except (ValueError, KeyError, TypeError) as error:
                raise StoreError(f"{file}:{number}: found no stored result ({error!r})") from error


_FUNCTIONS: Final = (SUCC, ISGOAL)


class Tried(NamedTuple):
    """What the number of calls and the errors are counted from: one conversation."""

    calls: Mapping[str, int]
    """The number of calls by function."""
    failures: tuple[Category, ...]
    accepted: bool
    prompt_tokens: int | None = None
    """Tokens of the requests; None if the endpoint reports none."""
    answer_tokens: int | None = None
    """Tokens of the replies; None if the endpoint reports none."""
    seconds: float = 0.0
    versions: frozenset[str] = frozenset()
    """The versions of this package that made the checks; ``-`` if unknown."""


def tried(conversation: Conversation) -> Tried:
    """Return what is counted of a conversation."""
    failures = [
        call.outcome.failure.category
        for call in conversation.calls
        if call.outcome.failure is not None
    ]
    return Tried(
        {function: conversation.count(function) for function in _FUNCTIONS},
        tuple(failures),
        conversation.end is End.ACCEPTED,
        known_sum(call.reply.prompt_tokens for call in conversation.calls),
        known_sum(call.reply.completion_tokens for call in conversation.calls),
        sum(call.reply.seconds for call in conversation.calls),
        frozenset(call.outcome.version for call in conversation.calls),
    )


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The accuracy of the functions on a dataset."""

    instances: int
    by_repetition: Mapping[int, Fraction]
    """The share of solved instances of each accepted pair of functions, by repetition."""
    mean: Fraction | None
    """The mean over the accepted pairs, as in the paper; None if there is none."""
    at_5: Fraction
    """The share of instances that one of the first five repetitions solves (accuracy@5)."""
    results: Mapping[Result, int]
    """The number of results of each kind."""
    versions: frozenset[str]
    """The versions of this package that made the results; ``-`` if unknown."""


def accuracy_of(applied: Sequence[Applied], repetitions: int) -> Accuracy | None:
    """Return the accuracy of functions; None without results.

    Args:
        applied: the results of the accepted functions; those that are missing count as wrong.
        repetitions: the number of conversations.
    """
    if not applied:
        return None
    solved: dict[str, set[int]] = {each.evaluated.id: set() for each in applied}
    for repetition, evaluated in applied:
        if evaluated.result is Result.SOLVED:
            solved[evaluated.id].add(repetition)
    numbers = sorted({each.repetition for each in applied})
    shares = {
        number: Fraction(sum(number in each for each in solved.values()), len(solved))
        for number in numbers
    }
    # Repetitions that were not accepted have no results, and count as wrong.
    at_5 = [
        accuracy_at([int(number in each) for number in range(1, repetitions + 1)], REPETITIONS)
        for each in solved.values()
    ]
    return Accuracy(
        len(solved),
        shares,
        Fraction(sum(shares.values())) / len(shares),
        Fraction(sum(at_5)) / len(at_5),
        Counter(each.evaluated.result for each in applied),
        frozenset(each.evaluated.version for each in applied),
    )


def call_table(rows: Mapping[tuple[str, str], Sequence[Tried]]) -> TextTable:
    """Return the mean number of calls (Table 1) with its parts.

    Args:
        rows: conversations by the name of the model and of the domain.
    """
    headings = (
        "model", "domain", "repetitions", "accepted", "calls, mean",
        *(f"calls for {function}, mean" for function in _FUNCTIONS), "errors", "version",
    )  # fmt: skip
    return TextTable(
        headings,
        tuple(
            (
                *names,
                str(len(each)),
                str(sum(one.accepted for one in each)),
                _mean([sum(one.calls.values()) for one in each]),
                *(_mean([one.calls[function] for one in each]) for function in _FUNCTIONS),
                str(sum(len(one.failures) for one in each)),
                _listed(*(one.versions for one in each)),
            )
            for names, each in rows.items()
        ),
        names=2,
    )


def error_table(rows: Mapping[str, Sequence[Tried]]) -> TextTable:
    """Return the number of errors by category (Figure 5), for each model.

    Args:
        rows: conversations by the name of the model.
    """
    counts = {
        name: Counter(category for one in each for category in one.failures)
        for name, each in rows.items()
    }
    headings = ("category", *(f"{name}{part}" for name in counts for part in ("", ", %")))
    return TextTable(
        headings,
        tuple(
            (category, *(cell for count in counts.values() for cell in _share(count, category)))
            for category in Category
        ),
        names=1,
    )


def accuracy_table(accuracy: Accuracy) -> TextTable:
    """Return the accuracy by repetition, its mean, and accuracy@5, in per cent."""
    version = _listed(accuracy.versions)
    rows = [
        *(
            (f"repetition {number}", _percent(each))
            for number, each in accuracy.by_repetition.items()
        ),
        ("mean of the accepted functions", _percent(accuracy.mean)),
        (f"accuracy@{REPETITIONS}", _percent(accuracy.at_5)),
    ]
    return TextTable(
        ("functions", "instances", "solved, %", "version"),
        tuple((name, str(accuracy.instances), share, version) for name, share in rows),
        names=1,
    )


def tables_of(
    model: str, domain: str, conversations: Sequence[Conversation], accuracy: Accuracy | None
) -> tuple[NamedTable, ...]:
    """Return the tables of an experiment with one model."""
    found = [tried(conversation) for conversation in conversations]
    tables = [
        NamedTable("Calls of the model", call_table({(model, domain): found})),
        NamedTable("Errors by category", error_table({model: found})),
    ]
    if accuracy is not None:
        tables.append(NamedTable("Accuracy", accuracy_table(accuracy)))
    return tuple(tables)


def summary_json(
    model: str, domain: str, conversations: Sequence[Conversation], accuracy: Accuracy | None
) -> dict[str, Any]:
    """Return the numbers of an experiment as JSON values."""
    found = [tried(conversation) for conversation in conversations]
    errors = Counter(category for one in found for category in one.failures)
    numbers: dict[str, Any] = {
        "model": model,
        "domain": domain,
        "conversations": [
            {
                "repetition": each.repetition, "end": each.end, "calls": dict(one.calls),
                "failures": list(one.failures),
                "tokens": (one.prompt_tokens or 0) + (one.answer_tokens or 0),
                "prompt_tokens": one.prompt_tokens, "answer_tokens": one.answer_tokens,
                "seconds": round(one.seconds, 3), "version": _listed(one.versions),
            }
            for each, one in zip(conversations, found, strict=True)
        ],
        "calls_mean": float(Fraction(sum(sum(one.calls.values()) for one in found), len(found))),
        "errors": {category: errors[category] for category in Category},
    }  # fmt: skip
    if accuracy is not None:
        numbers["accuracy"] = {
            "instances": accuracy.instances,
            "by_repetition": {n: float(each) for n, each in accuracy.by_repetition.items()},
            "mean": None if accuracy.mean is None else float(accuracy.mean),
            "at_5": float(accuracy.at_5),
            "results": {result: accuracy.results.get(result, 0) for result in Result},
            "version": _listed(accuracy.versions),
        }
    return numbers


def _listed(*versions: frozenset[str]) -> str:
    return ", ".join(sorted(frozenset[str]().union(*versions))) or NO_NUMBER


def _mean(numbers: Sequence[int]) -> str:
    return rounded(Fraction(sum(numbers), len(numbers))) if numbers else NO_NUMBER


def _share(counts: Mapping[Category, int], category: Category) -> tuple[str, str]:
    total = sum(counts.values())
    share = rounded(Fraction(100 * counts.get(category, 0), total)) if total else NO_NUMBER
    return str(counts.get(category, 0)), share


def _percent(share: Fraction | None) -> str:
    return NO_NUMBER if share is None else rounded(100 * share)
