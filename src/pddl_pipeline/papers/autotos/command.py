"""``pddl-pipeline autotos``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import click

from pddl_pipeline.cli.console import QUIET, output_console
from pddl_pipeline.cli.model_options import (
    BASE_URL,
    MAX_COST,
    PRICES,
    SEARCH_LIMIT,
    STATES,
    UNIT_TESTS,
    CostOptions,
    out_of_budget,
    print_usage,
)
from pddl_pipeline.cli.options import (
    DATASET,
    DURATION,
    FOLDER,
    INPUT,
    JSON,
    SANDBOX,
    check_sandbox,
    is_given,
    offering,
)
from pddl_pipeline.cli.status import DONE, NOT_VALID, UNEXPLAINED, warn
from pddl_pipeline.endpoints.prices import Prices
from pddl_pipeline.endpoints.settings import EndpointSettings
from pddl_pipeline.papers.autotos.command_run import Done, Experiment, run_experiment
from pddl_pipeline.papers.autotos.loop.experiment import REPETITIONS
from pddl_pipeline.papers.autotos.loop.loop import MAX_CALLS
from pddl_pipeline.papers.autotos.loop.opening import OPENINGS
from pddl_pipeline.search.space import Bounds

_OF_A_MODEL: Final = (
    "model", "base_url", "temperature", "max_tokens", "seed", "timeout", "prices", "max_cost",
)  # fmt: skip
"""The parameters that do not apply to a replay."""


@click.command(
    "autotos", epilog="Example: pddl-pipeline autotos --domain 24game --model gpt-4o-mini -o runs"
)
@click.option(
    "--domain", "name", required=True, metavar="D", shell_complete=offering(lambda: [*OPENINGS]),
    help=f"Domain of the functions: {', '.join(OPENINGS)}, or a PDDL file.",
)  # fmt: skip
@click.option(
    "--problem", "problems", type=INPUT, multiple=True, metavar="FILE",
    help="Problem of a PDDL domain, for its unit tests; may be repeated. It must have a plan that "
    "breadth-first search finds.",
)  # fmt: skip
@UNIT_TESTS
@click.option(
    "-o", "output", type=FOLDER, required=True, metavar="DIR",
    help="Folder of the calls and results. The same command continues an interrupted one.",
)  # fmt: skip
@click.option("--model", metavar="NAME", help="Name of the model at the endpoint.")
@BASE_URL
@click.option(
    "--temperature", type=float, default=0.0, show_default=True,
    help="Sampling temperature, 0 to 2. The paper decodes greedily.",
)  # fmt: skip
@click.option(
    "--max-tokens", type=click.IntRange(min=1),
    help="Largest number of tokens of a reply, reasoning included.",
)  # fmt: skip
@click.option("--seed", type=int, help="Seed of the model.")
@PRICES
@MAX_COST
@click.option(
    "--timeout", type=DURATION, default="10m", show_default=True,
    help="Time limit for one reply. After it, the request is repeated.",
)  # fmt: skip
@click.option(
    "--replay", type=INPUT, multiple=True, metavar="LOG",
    help="Conversation in the format of AutoToS's published logs, in place of a model; may be "
    "repeated, once for each repetition.",
)  # fmt: skip
@click.option(
    "--repetitions", type=click.IntRange(min=1), metavar="N",
    help=f"Number of conversations.  [default: {REPETITIONS}, or the number of logs]",
)  # fmt: skip
@click.option(
    "--max-calls", type=click.IntRange(min=1), default=MAX_CALLS, show_default=True,
    help="Maximum number of calls of the model for a function.",
)  # fmt: skip
@click.option(
    "--no-soundness", is_flag=True,
    help="Leave out the partial soundness test of transitions (an ablation of the paper).",
)  # fmt: skip
@click.option(
    "--no-completeness", is_flag=True,
    help="Leave out the test for missing successors (an ablation of the paper).",
)  # fmt: skip
@click.option(
    "--data", "data", type=DATASET, multiple=True, metavar="DATA",
    help="Dataset on which the accepted functions are evaluated; may be repeated.",
)  # fmt: skip
@click.option(
    "--limit", type=click.IntRange(min=1), help="Evaluate on at most this many instances."
)
@SEARCH_LIMIT
@STATES
@SANDBOX
@JSON
@QUIET
def command(  # noqa: PLR0913 -- one parameter an option
    *, output: Path, data: tuple[str, ...], limit: int | None, repetitions: int | None,
    search_limit: float, states: int, no_soundness: bool, no_completeness: bool,
    replay: tuple[Path, ...], as_json: bool, timeout: float, model: str | None,
    base_url: str, temperature: float, max_tokens: int | None, seed: int | None,
    prices: Prices | None, max_cost: Fraction | None, sandbox: str, **about: Any,
) -> int:  # fmt: skip
    """Let a model write the code of a search, as in AutoToS.

    The code is the Python functions succ and isgoal. AutoToS's checks are the feedback. The model
    is behind an endpoint that follows OpenAI's protocol; its key is read from the environment
    variable OPENAI_API_KEY. The functions run in a sandbox. DIR stores every call, and no call is
    repeated.

    Exit status: 0 all conversations ended with accepted functions, 1 some did not, 2 bad input,
    3 the budget is used up.
    """
    check_sandbox(sandbox)
    how = None
    if replay:
        _check_replay(replay, repetitions)
    else:
        if model is None:
            raise click.UsageError("Missing option '--model', or '--replay'.")
        how = EndpointSettings(
            model, base_url, temperature=temperature, max_tokens=max_tokens, seed=seed,
            timeout_s=timeout,
        )  # fmt: skip
        CostOptions(prices, max_cost).check(how)
    bounds = Bounds(states, search_limit)
    experiment = Experiment(
        **about, bounds=bounds, soundness=not no_soundness, completeness=not no_completeness,
        endpoint=how, logs=replay, repetitions=len(replay) or repetitions or REPETITIONS,
        prices=prices, max_cost=max_cost,
    )  # fmt: skip
    done = run_experiment(experiment, output, data, limit)
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
    for name in _OF_A_MODEL:
        if is_given(name):
            raise click.UsageError(f"--{name.replace('_', '-')} does not apply to --replay")
    if repetitions is not None and repetitions != len(logs):
        raise click.UsageError(
            f"--repetitions {repetitions}: found {len(logs)} logs to replay, one for each is "
            "expected"
        )


COMMANDS: Final = (command,)
