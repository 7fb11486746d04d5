"""``pddl-pipeline run``."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import chain
from math import ceil
from pathlib import Path
from typing import Annotated

import click

from pddl_pipeline.cli.console import Latest, note, progress, run_progress
from pddl_pipeline.cli.options import (
    PLACE,
    PLANNER_NAMES,
    Data,
    DataOptions,
    Encoding,
    LimitOptions,
    Parsed,
    PlannerOptions,
    cli_command,
    command_line,
    is_given,
    warn_of_sharing,
    workers_option,
)
from pddl_pipeline.cli.status import BAD_INPUT, DONE, UNEXPLAINED, report_skipped, warn
from pddl_pipeline.cli.stores import print_report, report_damage, warn_of_age
from pddl_pipeline.io.files import write_file
from pddl_pipeline.model.attempt import Outcome, TimedPlan
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.result import RunSummary
from pddl_pipeline.model.suggestion import item_named
from pddl_pipeline.model.text import counted
from pddl_pipeline.pages.report_page import report_html
from pddl_pipeline.planners.registry import decider_of, planner_named
from pddl_pipeline.reporting.report import Report, report
from pddl_pipeline.runs.cluster import ClusterPool
from pddl_pipeline.runs.jobs import NO_RUNS, WHOLE, Job, JobQueue, Shard, parse_shard
from pddl_pipeline.runs.kept_keys import KeptKeys
from pddl_pipeline.runs.running import LocalPool, Pool, run_jobs
from pddl_pipeline.runs.store import ANSWERS_OF_RUNS, RUNS, RunStore
from pddl_pipeline.runs.stored_commands import note_command
from pddl_pipeline.translators.datasets import load_records


def _outcomes(_: click.Context, __: click.Parameter, text: str) -> list[Outcome]:
    known = {str(outcome): outcome for outcome in Outcome}
    names = filter(None, map(str.strip, text.split(",")))
    return [item_named(known, name, "--retry: unknown outcome") for name in names]


@dataclass(frozen=True)
class _RunOptions:
    """Which runs to make, and where."""

    workers: Annotated[int, workers_option("attempts"), "Runs"]
    output: Annotated[str, click.option(
        "-o", "output", type=PLACE, required=True, metavar="RUNS", help="Folder of the run store."
    ), "Output"]  # fmt: skip
    retry: Annotated[list[Outcome], click.option(
        "--retry", default="", metavar="OUTCOME,...", callback=_outcomes,
        help="Repeat the runs that ended with these outcomes, such as crash,lost.",
    ), "Runs"]  # fmt: skip
    scheduler: Annotated[str | None, click.option(
        "--scheduler", metavar="ADDRESS",
        help="Run on the Dask cluster of this scheduler, such as tcp://node1:8786, instead of on "
        "this machine.",
    ), "Runs"]  # fmt: skip
    shard: Annotated[Shard, click.option(
        "--shard", type=Parsed("shard", parse_shard), default=WHOLE, metavar="I/N",
        help="Run only part I of N, and store it in a separate folder in RUNS.",
    ), "Runs"]  # fmt: skip
    repeat: Annotated[int, click.option(
        "--repeat", type=click.IntRange(min=1), default=1, metavar="N",
        help="Run each planner N times on each instance, each time with another seed if it takes "
        "one, such as {seed} in a command. Reports show mean, best and worst.",
    ), "Runs"]  # fmt: skip
    pin: Annotated[bool, click.option(
        "--pin", is_flag=True,
        help="Give each run a separate core, so that parallel runs do not slow each other down. "
        "Linux only.",
    ), "Runs"]  # fmt: skip

    @property
    def folder(self) -> Path:
        """The folder of the run store, or of its shard."""
        return Path(self.output) / self.shard.folder

    def check(self) -> None:
        """Check that every option that was given has an effect.

        Raises:
            InputError: an option has none.
        """
        if self.scheduler is not None:
            for name, option in (("workers", "-j"), ("pin", "--pin")):
                if is_given(name):
                    reason = "the cluster's workers determine where attempts run"
                    raise InputError(f"{option} cannot be combined with --scheduler: {reason}")

    def note_seedless(self, queue: JobQueue) -> None:
        """Print which planners are to be repeated and take no seed."""
        names = [planner.name for planner in queue.planners.values() if planner.seed is None]
        if self.repeat > 1 and names:
            differ = "repetitions differ in what varies by itself, such as time"
            note(f"no seed: {', '.join(names)}; {differ}")

    def pool(self, queue: JobQueue) -> Pool:
        """Return the pool to run in. Check first that the planners are installed."""
        if self.scheduler is not None:
            return ClusterPool(self.scheduler, list(queue.planners))
        if not self.pin:
            warn_of_sharing(self.workers)
        queue.check_engines()
        for reason in queue.missing.values():
            warn(f"{reason}; its runs are stored as unsupported")
        return LocalPool(self.workers, pin=self.pin)


@cli_command("run", "run examples/ferry.jsonl --time-limit 60s -j 2 -o runs")
def command(  # noqa: PLR0913, PLR0917 -- one parameter a group
    data: Data,
    planners: Annotated[tuple[str, ...], click.option(
        "--planner", multiple=True, metavar="P", shell_complete=PLANNER_NAMES,
        help="Planner to run; may be repeated. A name that `pddl-pipeline list planners` shows, "
        "up:ENGINE (an engine of Unified Planning), fd:SEARCH (a search of Fast Downward), or "
        "NAME=cmd:COMMAND, such as "
        "'mine=cmd:./planner.sh {domain} {problem} {plan}'. Defaults to a planner that suits the "
        "domain.",
    ), "Planners"],
    choice: PlannerOptions,
    source: DataOptions,
    encoding: Encoding,
    limits: LimitOptions,
    how: _RunOptions,
) -> int:  # fmt: skip
    """Run planners on datasets and validate every plan.

    Every planner runs on every instance. Repeat an interrupted command with the same arguments to
    resume it. PDDL files that cannot be read are reported and skipped; runs of a planner that is
    not installed are unsupported.

    Exit status: 0 done, 2 bad input or a PDDL file that cannot be read, 3 done but a planner
    crashed, a run was lost, or a verdict is undecided or disputed, 130 interrupted.
    """
    chosen, folder, unread = choice.planners(planners), how.folder, list[InputError]()
    reading = source.reading(on_unread=unread.append)
    how.check()
    with ExitStack() as opened:
        # What a store has need not be prepared; a new one is created when no error is left.
        store = opened.enter_context(RunStore(folder)) if (folder / RUNS).exists() else None
        queue = opened.enter_context(
            JobQueue(
                chosen, limits.limits, encoding=encoding, repeat=how.repeat, shard=how.shard,
                stored=store.finished(how.retry) if store else NO_RUNS, keys=KeptKeys(folder),
            )
        )  # fmt: skip
        # Read all records and check the engines first: an error must not appear after hours.
        for instance in progress(load_records(*data, source=reading), "reading"):
            queue.add(instance)
        for error in unread:
            report_skipped(error)
        how.note_seedless(queue)
        pool = how.pool(queue)
        store = store or opened.enter_context(RunStore(folder))
        damage = report_damage(store)
        note_command(store.folder, command_line(), queue, unread)
        if not chosen:
            _announce(queue, pool.size())
        jobs = queue.jobs(answers=None if how.scheduler else folder / ANSWERS_OF_RUNS)
        latest = Latest()
        report = None if how.scheduler else partial(_report_plan, latest)
        runs = run_jobs(jobs, store, pool, retry=how.retry, report=report, tick=latest.refresh)
        with closing(runs):
            status = _watch(chain(queue.stored, runs), queue.runs, store, latest)
        for reason in sorted(pool.broken):
            warn(f"a machine failed: {reason}; {_stored(queue.runs, store)}")
    warn_of_age(_report(folder).older, [folder])
    return BAD_INPUT if unread else max(damage, status, UNEXPLAINED if pool.broken else DONE)


def _announce(queue: JobQueue, size: int) -> None:
    """Print which planners were chosen, how many runs there are, and how long they may take."""
    chosen = dict.fromkeys(f"{run.planner} for {run.domain}" for run in queue.queued())
    if not chosen:
        return
    runs, at_a_time = len(queue), max(1, min(size, len(queue)))
    each = queue.limits.time_s
    most = timedelta(seconds=ceil(ceil(runs / at_a_time) * each))
    note(
        f"no --planner: {', '.join(chosen)}; "
        f"{counted(runs, 'run')} of at most {each:g} s, {at_a_time} at a time: at most "
        f"{most} (h:mm:ss), and the time to start planners and to check plans"
    )
    for domain in dict.fromkeys(run.domain for run in (*queue.runs.values(), *queue.elsewhere)):
        if (decider := decider_of(domain)) is not None:
            note(f"also for {domain}: --planner {decider.name}, {decider.about}")


def _report_plan(latest: Latest, job: Job, plan: TimedPlan) -> None:
    known = "" if plan.verdict is None else plan.verdict.steps_and_cost
    cost = known.rpartition(", ")[2]
    latest.text = f", last plan {job.instance.id} ({planner_named(job.planner).name}): {cost}"


def _watch(
    runs: Iterable[RunSummary], keys: Collection[str], store: RunStore, latest: Latest
) -> int:
    """Show the progress of the runs with these keys. Return the exit status.

    Raises:
        KeyboardInterrupt: the user interrupted the command; the message has the number of stored
            runs.
    """
    done = unexplained = 0
    try:
        for summary in run_progress(runs, len(keys), store.added, latest):
            done += 1
            unexplained += summary.unexplained
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(_stored(keys, store)) from error
    if done > len(store.added):
        note(f"{done - len(store.added)} of {counted(done, 'run')} were already in the store")
    return UNEXPLAINED if unexplained else DONE


def _stored(keys: Collection[str], store: RunStore) -> str:
    """Return how many of the runs with these keys are stored, and how to make the others."""
    stored = sum(key in store.known for key in keys)
    runs = counted(len(keys), "run")
    return f"{stored} of {runs} stored in {store.folder}; the same command continues"


def _report(folder: Path) -> Report:
    """Print the report on a store, and write it to the store as an HTML page; return it."""
    everything = report(folder)
    page = folder / "report.html"
    write_file(page, report_html(everything))
    print_report(everything)
    click.echo(f"report: {page}")
    return everything
