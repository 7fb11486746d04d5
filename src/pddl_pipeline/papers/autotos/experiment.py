"""``pddl-pipeline autotos``: the loop and its checks from the command line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import click

from pddl_pipeline.cli.console import note, output_console, progress
from pddl_pipeline.cli.model_options import UNIT_TESTS, EndpointOptions, out_of_budget, print_usage
from pddl_pipeline.cli.options import (
    DATASET,
    FOLDER,
    INPUT,
    SANDBOX,
    Json,
    check_sandbox,
    cli_command,
    offering,
    reject,
)
from pddl_pipeline.cli.status import DONE, NOT_VALID, UNEXPLAINED, warn
from pddl_pipeline.endpoints.endpoint import Endpoint
from pddl_pipeline.endpoints.prices import FREE, Budget, OutOfBudget, Prices
from pddl_pipeline.endpoints.settings import EndpointSettings, Reply
from pddl_pipeline.io.files import write_file
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.text import counted
from pddl_pipeline.papers.autotos.check_command import BOUNDS, check
from pddl_pipeline.papers.autotos.conversations import (
    REPETITIONS,
    Call,
    CallStore,
    Conditions,
    Conversation,
    converse,
    stored_replies,
)
from pddl_pipeline.papers.autotos.evaluation import (
    Accuracy,
    Applied,
    ResultStore,
    accuracy_of,
    apply_functions,
    summary_json,
    tables_of,
)
from pddl_pipeline.papers.autotos.loop import MAX_CALLS, OPENINGS, SYSTEM, Checker, End
from pddl_pipeline.papers.autotos.published_log import (
    PublishedLog,
    ReplayedModel,
    log_text,
    read_log,
)
from pddl_pipeline.papers.autotos.subject import RULES_24, AskedDomain, named_subject
from pddl_pipeline.search.space import Bounds
from pddl_pipeline.tables.named_table import NamedTable
from pddl_pipeline.translators.datasets import ReadOptions, load_records

_REQUESTS: Final = "requests.jsonl"
_REPLAY: Final = "replay"


@dataclass(frozen=True, slots=True)
class Experiment:
    """What the user asks for."""

    name: str
    """The name of a domain."""
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
        return all(conversation.end is End.ACCEPTED for conversation in self.conversations)

    def numbers(self) -> dict[str, Any]:
        """Return the summary as JSON values."""
        numbers = summary_json(self.model, self.domain, self.conversations, self.accuracy)
        return numbers if self.budget is None else {**numbers, "cost": float(self.budget.spent)}

    def tables(self) -> tuple[NamedTable, ...]:
        """Return the summary as tables."""
        return tables_of(self.model, self.domain, self.conversations, self.accuracy)


def run_experiment(wanted: Experiment, folder: Path, data: Sequence[str]) -> Done:
    """Run an experiment, or what is left of it, and store it.

    Args:
        wanted: the experiment.
        folder: the folder of its calls and results.
        data: datasets for the evaluation; it is left out if there are none.

    Raises:
        InputError: the input is invalid, or a log does not fit.
        PipelineError: the model does not answer, or a file cannot be written. What was stored
            remains, as it does when the budget is used up.
    """
    subject = named_subject(wanted.name, wanted.tests)
    # Everything is read before the first call, which may cost money.
    logs = [read_log(file) for file in wanted.logs]
    instances = _instances(wanted, data)
    with ExitStack() as stack:
        budget = Budget(wanted.prices or FREE, wanted.max_cost)
        live = nullcontext() if wanted.endpoint is None else Endpoint(wanted.endpoint, budget)
        asked = stack.enter_context(live)
        store = stack.enter_context(CallStore(folder, _fingerprint(wanted, subject, logs)))
        if wanted.endpoint is not None:
            # Replies of earlier runs count towards the budget.
            budget.keep(folder / _REQUESTS, stored_replies(store.conversations(), wanted.endpoint))
        checker = Checker(
            subject.domain,
            subject.tests,
            wanted.bounds,
            soundness=wanted.soundness,
            completeness=wanted.completeness,
        )
        conditions = Conditions(subject.opening, checker, wanted.max_calls, _report)
        conversations, stopped = list[Conversation](), None
        try:
            for number in range(wanted.repetitions):
                replying = asked or ReplayedModel(logs[number])
                conversations.append(converse(number + 1, conditions, replying, store))
        except OutOfBudget as error:
            stopped = error
        _store_texts(folder, conversations)
        # The accuracy of fewer conversations would be another number.
        used = [] if stopped else conversations
        applied = _apply(used, instances, subject, wanted.bounds, folder)
        name = _REPLAY if wanted.endpoint is None else wanted.endpoint.model
        replies = [call.reply for calls in store.conversations() for call in calls if asked]
        done = Done(
            name, subject.domain.name, conversations, accuracy_of(applied, len(conversations)),
            replies, budget if wanted.prices else None, stopped,
        )  # fmt: skip
        if not stopped:
            write_file(folder / "summary.json", f"{json.dumps(done.numbers(), indent=2)}\n")
    return done


def _instances(wanted: Experiment, data: Sequence[str]) -> list[Instance[Any]]:
    """Read the dataset before the first call, so that a mistake in it costs nothing."""
    rules = RULES_24 if wanted.name == "24game" else None
    how = ReadOptions(rules=rules)
    return list(load_records(*data, source=how)) if data else []


def _fingerprint(
    wanted: Experiment, subject: AskedDomain, logs: Sequence[PublishedLog]
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
    """Write each conversation as a log, and accepted functions as `autotos check` reads them."""
    for conversation in conversations:
        accepted = conversation.end is End.ACCEPTED
        calls = ((call.request.prompt, call.reply.text) for call in conversation.calls)
        log = log_text(calls, accepted=accepted)
        write_file(folder / f"conversation-{conversation.repetition}.txt", log)
        if accepted:
            codes = (source.code.strip() for source in conversation.sources.values())
            text = "\n".join(f"```python\n{code}\n```\n" for code in codes)
            write_file(folder / f"functions-{conversation.repetition}.md", text)


def _apply(
    conversations: Sequence[Conversation],
    instances: Sequence[Instance[Any]],
    subject: AskedDomain,
    bounds: Bounds,
    folder: Path,
) -> list[Applied]:
    total = len(instances) * sum(conversation.end is End.ACCEPTED for conversation in conversations)
    if not total:
        return []
    found = apply_functions(conversations, instances, subject, bounds, ResultStore(folder))
    return list(progress(found, "evaluations", total))


_OF_A_MODEL: Final = (
    "model", "base_url", "temperature", "max_tokens", "others", "prices", "max_cost",
)  # fmt: skip
"""The parameters that do not apply to a replay."""


@dataclass(frozen=True)
class _LoopOptions:
    """What the model writes, and how often it is asked."""

    name: Annotated[str, click.option(
        "--domain", "name", required=True, metavar="D",
        shell_complete=offering(lambda: [*OPENINGS]),
        help=f"Domain of the functions: {', '.join(OPENINGS)}.",
    ), "Functions"]  # fmt: skip
    tests: Annotated[Path | None, UNIT_TESTS, "Functions"]
    output: Annotated[Path, click.option(
        "-o", "output", type=FOLDER, required=True, metavar="DIR",
        help="Folder of the calls and results. The same command continues an interrupted one.",
    ), "Output"]  # fmt: skip
    model: Annotated[
        str | None,
        click.option("--model", metavar="NAME", help="Name of the model at the endpoint."),
        "Model",
    ]
    replay: Annotated[tuple[Path, ...], click.option(
        "--replay", type=INPUT, multiple=True, metavar="LOG",
        help="Conversation in the format of AutoToS's published logs, in place of a model; may be "
        "repeated, once for each repetition.",
    ), "Model"]  # fmt: skip
    repetitions: Annotated[int | None, click.option(
        "--repetitions", type=click.IntRange(min=1), metavar="N",
        help=f"Number of conversations.  [default: {REPETITIONS}, or the number of logs]",
    ), "Functions"]  # fmt: skip
    max_calls: Annotated[int, click.option(
        "--max-calls", type=click.IntRange(min=1), metavar="N", default=MAX_CALLS,
        show_default=True, help="Maximum number of calls of the model for a function.",
    ), "Functions"]  # fmt: skip
    without: Annotated[tuple[str, ...], click.option(
        "--without", type=click.Choice(["soundness", "completeness"]), multiple=True,
        help="Leave out a test, as in the paper's ablations: the partial soundness test of "
        "transitions, or the test for missing successors.",
    ), "Functions"]  # fmt: skip
    data: Annotated[tuple[str, ...], click.option(
        "--data", "data", type=DATASET, multiple=True, metavar="DATA",
        help="Dataset on which the accepted functions are evaluated; may be repeated.",
    ), "Data"]  # fmt: skip
    sandbox: Annotated[str, SANDBOX, "Functions"]


@cli_command(
    "run", "autotos run --domain 24game --replay examples/autotos/24game.txt -o autotos-runs"
)
def run(how: _LoopOptions, endpoint: EndpointOptions, *, as_json: Json) -> int:
    """Let a model write the code of a search, as in AutoToS.

    The code is the Python functions succ and isgoal. AutoToS's checks are the feedback. The model
    is behind an endpoint that follows OpenAI's protocol; its key is read from the environment
    variable OPENAI_API_KEY. The functions run in a sandbox. DIR stores every call, and no call is
    repeated.

    Exit status: 0 all conversations ended with accepted functions, 1 some did not, 2 bad input,
    3 the budget is used up.
    """
    check_sandbox(how.sandbox)
    settings = None
    if how.replay:
        _check_replay(how.replay, how.repetitions)
    else:
        if how.model is None:
            raise click.UsageError("Missing option '--model', or '--replay'.")
        # The paper decodes greedily.
        greedy = replace(endpoint, temperature=endpoint.temperature or 0.0)
        settings = greedy.settings(how.model)
    experiment = Experiment(
        how.name, how.tests, how.max_calls, BOUNDS,
        soundness="soundness" not in how.without, completeness="completeness" not in how.without,
        endpoint=settings, logs=how.replay,
        repetitions=len(how.replay) or how.repetitions or REPETITIONS,
        prices=endpoint.prices, max_cost=endpoint.max_cost,
    )  # fmt: skip
    done = run_experiment(experiment, how.output, how.data)
    if done.stopped is not None:
        warn(f"{out_of_budget(done.stopped)}; with a larger amount, the same command continues")
    if not as_json:
        _print(done)
    elif not done.stopped:
        click.echo(json.dumps(done.numbers()))
    if done.stopped is not None:
        return UNEXPLAINED
    return DONE if done.is_accepted else NOT_VALID


def _print(done: Done) -> None:
    """Print the tables of an experiment that ended, and what the replies of a model have used."""
    console = output_console()
    for each in () if done.stopped else done.tables():
        console.print(f"\n{each.caption}")
        console.print(each.table)
    if done.replies or done.stopped:
        console.print("\nTokens of all stored calls")
        print_usage(done.model, done.replies, done.budget)


def _check_replay(logs: Sequence[Path], repetitions: int | None) -> None:
    """Check that nothing is set that applies to a model only.

    Raises:
        click.UsageError: something is.
    """
    reject(_OF_A_MODEL, "does not apply to --replay")
    if repetitions is not None and repetitions != len(logs):
        raise click.UsageError(
            f"--repetitions {repetitions}: found {counted(len(logs), 'log')} to replay, expected "
            "one for each"
        )


command: Final = click.Group(
    "autotos",
    commands=[run, check],
    help="Let a model write the code of a search, or check such code.",
)
