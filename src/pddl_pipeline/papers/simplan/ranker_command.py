"""``pddl-pipeline simplan data`` and ``simplan train``."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final

import click

from pddl_pipeline.cli.console import note, progress, run_progress
from pddl_pipeline.cli.options import (
    DURATION,
    FOLDER,
    INPUT,
    OUTPUT,
    PLANNER_NAMES,
    Data,
    DataOptions,
    cli_command,
    workers_option,
)
from pddl_pipeline.model.errors import InputError
from pddl_pipeline.model.instance import Instance
from pddl_pipeline.model.limits import Limits
from pddl_pipeline.model.text import counted
from pddl_pipeline.papers.simplan.encoder import SCRATCH
from pddl_pipeline.papers.simplan.pairs import Solved, make_pairs, read_pairs, solved, write_pairs
from pddl_pipeline.papers.simplan.training import (
    CUT,
    Training,
    best_epoch,
    read_epochs,
    steps_of,
    train,
)
from pddl_pipeline.planners.baselines.search_budget import LAMA
from pddl_pipeline.runs.running import run
from pddl_pipeline.translators.datasets import load_records

_SEED: Final = click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of all that is random."
)
_COUNT: Final = click.IntRange(min=0)


@dataclass(frozen=True)
class _Plans:
    """How the instances are solved."""

    planner: Annotated[str, click.option(
        "--planner", default=LAMA, show_default=True, shell_complete=PLANNER_NAMES,
        help="Planner whose plans are learned.",
    ), "Plans"]  # fmt: skip
    time_limit: Annotated[float, click.option(
        "--time-limit", type=DURATION, default="60s", show_default=True,
        help="Wall-clock time limit for each plan.",
    ), "Plans"]  # fmt: skip
    workers: Annotated[int, workers_option("planners"), "Plans"]

    def solved(self, every: Sequence[Instance[Any]]) -> list[Solved]:
        """Return the instances for which the planner finds a plan with steps."""
        with TemporaryDirectory() as folder:
            runs = run(
                every, Path(folder, "runs"), [self.planner], Limits(time_s=self.time_limit),
                workers=self.workers, watch=run_progress,
            )  # fmt: skip
        plans = {each.id: "\n".join(each.plan) for each in runs if each.solved and each.plan}
        return [solved(each, plans[each.id]) for each in every if each.id in plans]


@cli_command("data", "simplan data examples/blocksworld.jsonl -o pairs.jsonl")
def write_data(  # noqa: PLR0913 -- one parameter an option or group
    *,
    data: Data,
    output: Annotated[Path, click.option(
        "-o", "output", type=OUTPUT, required=True, metavar="FILE", help="File to write."
    ), "Output"],
    plans: _Plans,
    permutations: Annotated[int, click.option(
        "--permutations", type=_COUNT, default=20, show_default=True, metavar="N",
        help="Number of times that each training instance is written, each time with other names "
        "of the objects; 0 for once with its own names.",
    ), "Pairs"],
    names: Annotated[int, click.option(
        "--names", type=click.IntRange(min=1), default=30, show_default=True, metavar="N",
        help="Largest number of objects with numbered names that the model will know.",
    ), "Pairs"],
    history: Annotated[bool, click.option(
        "--history", is_flag=True,
        help="Write the initial state and the actions so far instead of the current state, as in "
        "the paper's ablation.",
    ), "Pairs"],
    seed: Annotated[int, _SEED, "Pairs"],
    source: DataOptions,
) -> None:  # fmt: skip
    """Write training pairs of SimPlan's ranker.

    A pair is a state with the goal, and the next action of a plan, in the paper's words, with hard
    negatives. Instances whose field `split` is `dev`, or every fifth one, are for development.
    Instances whose `split` is `test` are left out.

    Exit status: 0 done, 2 bad input.
    """
    every = [
        record
        for record in load_records(*data, source=source.reading())
        if record.extras.get("split") != "test"
    ]
    for each in every:
        if each.domain != every[0].domain:
            raise InputError(f"{each.id}: found {each.domain}, expected {every[0].domain}")
    known = plans.solved(every)
    if not known:
        raise InputError(f"found no plan with steps for any of {counted(len(every), 'instance')}")
    header, pairs = make_pairs(
        known, permutations=permutations, names=names, history=history, seed=seed
    )
    count = write_pairs(output, header, progress(pairs, "pairs"))
    left = counted(len(every) - len(known), "instance")
    note(f"{counted(count, 'pair')} of {len(known)} instances in {output}; {left} without a plan")


@cli_command("train", "simplan train pairs.jsonl -o model")
def train_ranker(  # noqa: PLR0913 -- one parameter an option
    *,
    file: Annotated[Path, click.argument("pairs", type=INPUT)],
    output: Annotated[Path, click.option(
        "-o", "output", type=FOLDER, required=True, metavar="DIR",
        help="Folder of the model. The same command continues an interrupted one.",
    ), "Output"],
    encoder: Annotated[str, click.option(
        "--encoder", default=SCRATCH, show_default=True, metavar="scratch|DIR",
        help="A small transformer without pretraining, or the folder of an encoder of the library "
        "transformers, such as Flan-T5's.",
    ), "Training"],
    negatives: Annotated[int, click.option(
        "--negatives", type=_COUNT, default=2, show_default=True, metavar="N",
        help="Number of hard negatives per pair.",
    ), "Training"],
    epochs: Annotated[int, click.option(
        "--epochs", type=click.IntRange(min=1), default=10, show_default=True, metavar="N",
        help="Largest number of epochs.",
    ), "Training"],
    seed: Annotated[int, _SEED, "Training"],
) -> None:  # fmt: skip
    """Train SimPlan's ranker on pairs that `simplan data` wrote.

    The model of the best epoch on the development split is kept. DIR also has a report, its curves
    and a checkpoint. Requires the extra `ranker`.

    Exit status: 0 done, 2 bad input, 130 interrupted.
    """
    header, splits = read_pairs(file)
    how = Training(encoder, negatives, epochs, seed=seed)
    recent = deque[float](maxlen=_RECENT)

    def detail() -> str:
        return f"loss {sum(recent) / max(1, len(recent)):.3f}"

    batches = train(header, splits, output, how)
    for loss in progress(batches, "training", steps_of(splits, how), detail=detail):
        recent.append(loss)
    best = best_epoch(read_epochs(output))
    result = f"MAP@{CUT} {best['map']:.3f} after epoch {best['epoch']}"
    click.echo(f"{header.domain}: {result}; model: {output}")


_RECENT: Final = 50
"""The number of batches over which the shown loss is averaged."""
command: Final = click.Group(
    "simplan",
    commands=[write_data, train_ranker],
    help="Write SimPlan's training pairs, or train its ranker.",
)
