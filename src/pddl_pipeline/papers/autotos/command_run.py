"""Runs the AutoToS loop for the command line: conversations, evaluation, summary."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple

from pddl_pipeline.cli.console import note, progress
from pddl_pipeline.cli.status import warn
from pddl_pipeline.endpoints.endpoint import Endpoint
from pddl_pipeline.endpoints.prices import Budget, OutOfBudget, Prices
from pddl_pipeline.endpoints.settings import EndpointSettings, Reply
from pddl_pipeline.io.files import write_file
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.papers.autotos.loop.call_store import CallStore
from pddl_pipeline.papers.autotos.loop.checker import Checker
from pddl_pipeline.papers.autotos.loop.evaluation_store import Applied, ResultStore, apply_functions
from pddl_pipeline.papers.autotos.loop.experiment import Call, Conditions, Conversation, converse
from pddl_pipeline.papers.autotos.loop.loop import End
from pddl_pipeline.papers.autotos.loop.opening import OPENINGS, SYSTEM
from pddl_pipeline.papers.autotos.loop.published_log import PublishedLog, log_text, read_log
from pddl_pipeline.papers.autotos.loop.replayed_model import ReplayedModel
from pddl_pipeline.papers.autotos.loop.spending import spent_on
from pddl_pipeline.papers.autotos.loop.subject import (
    NO_PLANNING,
    Subject,
    named_subject,
    pddl_subject,
)
from pddl_pipeline.papers.autotos.loop.summary import Accuracy, accuracy_of, summary_json, tables_of
from pddl_pipeline.papers.autotos.loop.trial import RULES_24
from pddl_pipeline.search.space import Bounds
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.translators.datasets import ReadOptions, load_records

_REPLAY: Final = "replay"


@dataclass(frozen=True, slots=True)
class Experiment:
    """What the user asks for."""

    name: str
    """The name of a domain, or a PDDL file."""
    problems: tuple[Path, ...]
    tests: Path | None
    max_calls: int
    bounds: Bounds
    soundness: bool
    completeness: bool
    endpoint: EndpointSettings | None
    """None to replay logs."""
    logs: tuple[Path, ...]
    repetitions: int
    prices: Prices | None = None
    max_cost: Fraction | None = None
    """The largest cost of all stored replies; requires prices, and a largest number of tokens."""

    @property
    def domain_file(self) -> Path | None:
        """The file of a PDDL domain; None for a domain of this project."""
        if self.name in OPENINGS or self.name.lower() in NO_PLANNING:
            return None
        file = Path(self.name)
        return file if file.is_file() or file.suffix == ".pddl" else None


class Done(NamedTuple):
    """The conversations of an experiment, and the accuracy of their functions."""

    model: str
    domain: str
    conversations: list[Conversation]
    """Those that ended."""
    accuracy: Accuracy | None
    """None without a dataset, or without accepted functions."""
    replies: list[Reply]
    """All stored replies of the model; none if logs are replayed."""
    budget: Budget | None
    """None without prices."""
    stopped: OutOfBudget | None
    """Why the model was not asked everything; then there is no accuracy."""

    @property
    def is_accepted(self) -> bool:
        """Whether all conversations ended with accepted functions."""
        return all(each.end is End.ACCEPTED for each in self.conversations)

    def numbers(self) -> dict[str, Any]:
        """Return the summary as JSON values."""
        numbers = summary_json(self.model, self.domain, self.conversations, self.accuracy)
        return numbers if self.budget is None else {**numbers, "cost": float(self.budget.spent)}

    def tables(self) -> tuple[NamedTable, ...]:
        """Return the summary as tables."""
        return tables_of(self.model, self.domain, self.conversations, self.accuracy)


def run_experiment(
    wanted: Experiment, folder: Path, data: Sequence[str], limit: int | None
) -> Done:
    """Run an experiment, or what is left of it, and store it.

    Args:
        wanted: the experiment.
        folder: the folder of its calls and results.
        data: datasets for the evaluation; it is left out if there are none.
        limit: the number of instances at most.

    Raises:
        InputError: the input is invalid, or a log does not fit.
        PipelineError: the model does not answer, or a file cannot be written. What was stored
            remains, as it does when the budget is used up.
    """
    subject = _subject(wanted)
    logs = [read_log(file) for file in wanted.logs]
    instances = _instances(wanted, data, limit)
    with ExitStack() as stack:
        budget = None if wanted.prices is None else Budget(wanted.prices, wanted.max_cost)
        live = nullcontext() if wanted.endpoint is None else Endpoint(wanted.endpoint, budget)
        asked = stack.enter_context(live)
        store = stack.enter_context(CallStore(folder, _fingerprint(wanted, subject, logs)))
        if budget is not None and wanted.endpoint is not None:
            budget.spent = spent_on(store.conversations(), budget.prices, wanted.endpoint)
        checker = Checker(
            subject.domain, subject.tests, wanted.bounds, soundness=wanted.soundness,
            completeness=wanted.completeness,
        )  # fmt: skip
        conditions = Conditions(subject.opening, checker, wanted.max_calls, _report)
        conversations, stopped = list[Conversation](), None
        try:
            for number in range(wanted.repetitions):
                replying = asked or ReplayedModel(logs[number])
                conversations.append(converse(number + 1, conditions, replying, store))
        except OutOfBudget as error:
            stopped = error
        _store_texts(folder, conversations)
        used = [] if stopped else conversations
        applied = _apply(used, instances, subject, wanted.bounds, folder)
        name = _REPLAY if wanted.endpoint is None else wanted.endpoint.model
        replies = [call.reply for calls in store.conversations() for call in calls if asked]
        done = Done(
            name, subject.domain.name, conversations, accuracy_of(applied, len(conversations)),
            replies, budget, stopped,
        )  # fmt: skip
        if not stopped:
            write_file(folder / "summary.json", f"{json.dumps(done.numbers(), indent=2)}\n")
    return done


def _subject(wanted: Experiment) -> Subject:
    file = wanted.domain_file
    if file is not None:
        if wanted.tests is not None:
            raise InputError("--tests does not apply to a PDDL domain; use --problem")
        return pddl_subject(file, wanted.problems, wanted.bounds)
    if wanted.problems:
        raise InputError("--problem applies to PDDL domains only; expected a file for --domain")
    return named_subject(wanted.name, wanted.tests)


def _instances(wanted: Experiment, data: Sequence[str], limit: int | None) -> list[Instance[Any]]:
    """Read the dataset before the first call, so that a mistake in it costs nothing."""
    rules = RULES_24 if wanted.name == "24game" else None
    how = ReadOptions(domain=wanted.domain_file, rules=rules, limit=limit)
    return list(load_records(*data, source=how)) if data else []


def _fingerprint(
    wanted: Experiment, subject: Subject, logs: Sequence[PublishedLog]
) -> dict[str, Any]:
    """Return everything that determines the conversations."""
    models: Any = None if wanted.endpoint is None else wanted.endpoint.answering
    return {
        "domain": subject.domain.name,
        "endpoint": models,
        "replay": [_hash([call.reply for call in log.calls]) for log in logs],
        "prompts": _hash([SYSTEM, *subject.opening]),
        "tests": _hash(subject.tests),
        "soundness": wanted.soundness,
        "completeness": wanted.completeness,
        "max_calls": wanted.max_calls,
        "states": wanted.bounds.states,
        "search_limit_s": wanted.bounds.seconds,
    }


def _hash(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def _report(repetition: int, call: Call) -> None:
    failure, function = call.outcome.failure, call.request.function
    place = f"conversation {repetition}, {function}"
    if not call.reply.text.strip():
        kind = f" ({call.reply.finish_reason})" if call.reply.finish_reason else ""
        warn(f"{place}: the model returned no text{kind}; expected Python code")
    said = "no error" if failure is None else f"{failure.category}: {failure.reason}"
    note(f"{place}: {said[:160]}")


def _store_texts(folder: Path, conversations: Sequence[Conversation]) -> None:
    """Write each conversation as a log, and accepted functions as `check-code` reads them."""
    for each in conversations:
        accepted = each.end is End.ACCEPTED
        calls = ((call.request.prompt, call.reply.text) for call in each.calls)
        log = log_text(calls, accepted=accepted)
        write_file(folder / f"conversation-{each.repetition}.txt", log)
        if accepted:
            codes = (source.code.strip() for source in each.sources.values())
            text = "\n".join(f"```python\n{code}\n```\n" for code in codes)
            write_file(folder / f"functions-{each.repetition}.md", text)


def _apply(
    conversations: Sequence[Conversation],
    instances: Sequence[Instance[Any]],
    subject: Subject,
    bounds: Bounds,
    folder: Path,
) -> list[Applied]:
    total = len(instances) * sum(each.end is End.ACCEPTED for each in conversations)
    if not total:
        return []
    found = apply_functions(conversations, instances, subject, bounds, ResultStore(folder))
    return list(progress(found, "evaluations", total))
