"""Compare successors per second: the state space of `search`, the validator, and tarski.

    python benchmarks/successors.py [--seconds 2] [FOLDER...]

All make random walks from the same seed, each for the given CPU time. All values of a line are
measured in one run. tarski grounds every way to name objects and tests all of them in every state,
so it is skipped if there are more than `MOST`; it does not read countdown's numbers. The time of
grounding, which is done once, has a separate column.

With folders of PDDL tasks, the script prints instead how long `Task.successors` takes for the first
successor of each initial state, and for all of them, and the minimum and maximum of each column. It
stops a state after the given CPU time, which leaves it out of these two.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable
from math import prod
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from clock import cpu_of
from rich.console import Console
from rich.table import Table
from sweep import pairs
from tarski.grounding import NaiveGroundingStrategy
from tarski.io import PDDLReader
from tarski.search import GroundForwardSearchModel
from tarski.syntax.transform.action_grounding import (
    ground_schema_into_plain_operator_from_grounding,
)
from tasks import search_tasks

from pddl_pipeline import read_task
from pddl_pipeline.search.world import world_of
from pddl_pipeline.validation.features import task_features
from pddl_pipeline.validation.task import Task

MOST = 20_000
SEED = 5
Successors = Callable[[Any], list[Any]]
"""Returns the successors of a state, as pairs whose second element is the state."""


class Rate(NamedTuple):
    """The number of successors that a walk generated, and its time in seconds."""

    made: int
    seconds: float

    @property
    def each_second(self) -> float:
        """The number of successors per second of CPU time."""
        return self.made / self.seconds


def walk(start: Any, successors: Successors, seconds: float) -> Rate:
    """Walk at random for some CPU time, restarting every hundred steps; return the rate."""
    rng, made, spent, state, steps = random.Random(SEED), 0, 0.0, start, 0
    while spent < seconds:
        found: list[Any] = []
        spent += cpu_of(lambda state=state, found=found: found.extend(successors(state)))
        made, steps = made + len(found), steps + 1
        state = rng.choice(found)[1] if found and steps % 100 else start
    return Rate(made, spent)


def by_validator(task: Task, seconds: float) -> Rate:
    """Return the rate of `Task.successors`."""
    return walk(task.initial_state(), lambda state: list(task.successors(state)), seconds)


def by_tarski(domain: str, problem: str, seconds: float) -> Rate:
    """Return the rate of tarski's ground forward search."""
    with tempfile.TemporaryDirectory() as folder:
        files = (Path(folder) / "domain.pddl", Path(folder) / "problem.pddl")
        for file, text in zip(files, (domain, problem), strict=True):
            file.write_text(text, encoding="utf-8")
        reader = PDDLReader(raise_on_error=True)
        reader.parse_domain(str(files[0]))
        read = reader.parse_instance(str(files[1]))
    operators = [
        ground_schema_into_plain_operator_from_grounding(
            read.get_action(name), [getattr(each, "name", each) for each in binding]
        )
        for name, bindings in NaiveGroundingStrategy(read).ground_actions().items()
        for binding in bindings
    ]
    model = GroundForwardSearchModel(read, operators)
    return walk(model.init(), lambda state: list(model.successors(state)), seconds)


def ways(task: Task) -> int:
    """Return the number of bindings of action parameters, by the types alone."""
    return sum(
        prod(len(task.vocabulary.candidates(each.types)) for each in action.parameters)
        for action in task.vocabulary.actions.values()
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--seconds", type=float, default=2, help="CPU time of each walk or state.")
    options = parser.parse_args()
    table = _of_initial_states(options) if options.folders else _of_walks(options.seconds)
    Console().print(table)


class First(NamedTuple):
    """The successors of one state, and the times in seconds until the first and until the end."""

    made: int
    first: float
    spent: float

    @property
    def cells(self) -> list[str]:
        """The cells of a row."""
        return [f"{self.made:,}", f"{self.first * 1000:.0f}", f"{self.spent * 1000:,.0f}"]

    @property
    def cut(self) -> list[str]:
        """The cells of a row, if there are more successors."""
        made, first, spent = self.cells
        return [f"> {made}", first, f"> {spent}"]


def _of_initial_states(options: argparse.Namespace) -> Table:
    table = Table(title="Successors of the initial state, by the validator")
    for column in ("task", "bindings", "successors", "first, ms", "all, ms"):
        table.add_column(column, justify="left" if column == "task" else "right")
    complete: list[First] = []
    for folder in options.folders:
        for pair in pairs(folder):
            if pair.domain is not None:
                task = read_task(pair.domain, pair.problem)
                found, name = _times(task, options.seconds), pair.problem.relative_to(folder.parent)
                if found.spent <= options.seconds:
                    complete.append(found)
                cells = found.cells if found in complete else found.cut
                table.add_row(str(name), f"{ways(task):.0e}", *cells)
    for name, extreme in (("minimum", min), ("maximum", max)):
        if complete:
            values = First(*map(extreme, zip(*complete, strict=True)))
            table.add_row(f"{name} of {len(complete)} that ended", "", *values.cells)
    return table


def _times(task: Task, seconds: float) -> First:
    """Return the times of the initial state; it is left when the time has passed."""
    begin, made, first = process_time(), 0, 0.0
    for _ in task.successors(task.initial_state()):
        made += 1
        spent = process_time() - begin
        first = first or spent
        if spent > seconds:
            return First(made, first, spent)
    return First(made, first, process_time() - begin)


def _of_walks(seconds: float) -> Table:
    table = Table(title="Successors a second, and how many times as many ours are")
    for column in ("task", "operators", "grounding, ms", "ours", "validator", "tarski"):
        table.add_column(column, justify="left" if column == "task" else "right")
    for name, domain, problem in search_tasks():
        task = read_task(domain, problem)
        grounding = cpu_of(lambda task=task: world_of(task))
        world = world_of(task)
        ours = walk(world.start, lambda state, world=world: world.successors(state), seconds)
        cells = [_against(ours, by_validator(task, seconds))]
        small = ways(task) <= MOST and "numeric" not in task_features(task)
        cells.append(_against(ours, by_tarski(domain, problem, seconds)) if small else "-")
        operators = len(getattr(world, "operators", ()))
        table.add_row(
            name, str(operators), f"{grounding * 1000:.1f}", f"{ours.each_second:,.0f}", *cells
        )
    return table


def _against(ours: Rate, theirs: Rate) -> str:
    times = ours.each_second / theirs.each_second
    return f"{theirs.each_second:,.0f} ({times:,.1f} x)"


if __name__ == "__main__":
    main()
