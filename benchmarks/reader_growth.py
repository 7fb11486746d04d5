"""Measure how the time of each reader grows with the length of a text that repeats a short unit.

    python benchmarks/reader_growth.py [--quick] [READER...]

Every reader of answers, plans, PDDL, records, tables and logs reads 60 units, repeated to 20,000,
40,000 and 80,000 characters; the least CPU time of three counts, or of nine if the ratio of three
is above 2.6. A line is printed for each reader: the largest ratio of a doubling, with its unit, and
the longest times of 200,000 characters and, for the 10 units that are slowest there, of 1,000,000.
Linear time has a ratio of 2; times below 5 ms are too short for a ratio. The script ends with
status 1 if a ratio is above 2.6, or a text takes more than 2 or 10 seconds. With ``--quick``, texts
become 4 times as long until one takes a 200th of a second; the last one may take 10 times as long
as the one before, and no more than 1 second. Linear time has a ratio of 4, quadratic time one of
16.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from clock import best, cpu_of

from pddl_pipeline import load_records
from pddl_pipeline.answers.readers import parse_answer
from pddl_pipeline.endpoints.settings import KEY, without_key
from pddl_pipeline.model.errors import PipelineError
from pddl_pipeline.pddl_domains import domain_folder, domain_text
from pddl_pipeline.planners.registry import planners
from pddl_pipeline.translators import translate_and_read
from pddl_pipeline.validation.plan_formats import ipc_plan, plan_formats
from pddl_pipeline.validation.task import task_from_texts

UNITS: Final = (
    # White space, quotes and brackets.
    " ", "\t", "\n", "\r", " \n", "\xa0", "'", '"', "`", "(", ")", "[", "]", "{", "}", "()", "[]",
    "{}", '"\\', "([", "<", ">",
    # Digits and operators.
    "1", "1.", "1,", "1 ", "1+", "-", "=", "*", "/", "+ ", "- =", "1e", ":", "0.0:",
    # Markdown, LaTeX and tags.
    "#", "**", "~~", "- ", "1. ", "> ", "|", "| a ", "```\n", "`", "$$", "\\", "\\frac{", "\\[",
    "\\boxed{", "<answer>", "</answer>", "<think>", "[PLAN]",
    # Mixed.
    "a", "a ", "a b\n", "a, ", "; a\n", "(a b)\n", "step 1: ", '{"a":', "no, ", "x is ",
)  # fmt: skip
LENGTHS: Final = (20_000, 40_000, 80_000)
LONG: Final = {200_000: 2.0, 1_000_000: 10.0}
MOST: Final = 2.6
MORE: Final = 9  # counts where the ratio of three is above MOST
SLOWEST: Final = 10
QUICK_LENGTHS: Final = (3_000, 12_000, 48_000)
QUICK_MOST: Final = 10.0  # for other machines; without --quick, MOST is for a doubling
QUICK_S: Final = 1.0
LONG_ENOUGH_S: Final = 0.005
# Shorter times are not measured well enough for a ratio.
SHORTEST_S: Final = 0.005
START: Final = "so the answer is "


def readers(folder: Path) -> dict[str, Callable[[str], object]]:
    """Return each reader by its name; a reader may raise `PipelineError`."""
    blocks, countdown = (
        next(load_records(domain_folder(name) / "examples.jsonl"))
        for name in ("blocksworld", "countdown")
    )
    os.environ[KEY] = "sk-0123456789-a-key-of-usual-length-(&#x;)"
    tasks = [translate_and_read(instance)[1] for instance in (blocks, countdown)]
    domain, problem = (
        domain_text("blocksworld"),
        (domain_folder("blocksworld") / "p01.pddl").read_text(),
    )

    def data(suffix: str, start: str, end: str) -> Callable[[str], object]:
        file = folder / f"data{suffix}"

        def read(text: str) -> object:
            file.write_text(f"{start}{text}{end}", encoding="utf-8")
            return list(load_records(file))

        return read

    def formats(text: str) -> None:
        for form in plan_formats():
            with suppress(PipelineError):
                ipc_plan(f"Found Plan:\n{text}", form)

    # Tasks that were read are kept, by their texts.
    numbers = count()

    def read_task(domain: str, problem: str) -> object:
        return task_from_texts((f"{domain};{next(numbers)}", "d"), (problem, "p"))

    engines = {planner.distribution: planner for planner in planners().values()}.values()

    def logs(text: str) -> object:
        figures = (pattern for engine in engines for pattern, _ in engine.log.statistics.values())
        return [
            *(engine.log.ending(text, 1) for engine in engines),
            *(re.findall(pattern, text) for pattern in figures),
        ]

    return {
        "answers": lambda text: parse_answer(START + text + "(1+2)", blocks, tasks[0]),
        "answers of countdown": lambda text: parse_answer(
            START + text + "(1+2)", countdown, tasks[1]
        ),
        "plans": tasks[0].judge,
        "formats of plans": formats,
        "PDDL domain": lambda text: read_task(
            domain.replace("(:action", f"{text} (:action", 1), problem
        ),
        "PDDL problem": lambda text: read_task(
            domain, problem.replace("(:goal", f"{text} (:goal", 1)
        ),
        "records": data(".jsonl", '{"domain": "', '"}'),
        "records without quotes": data(".json", "", ""),
        "tables": data(".csv", "numbers,target\n", ",24\n"),
        "logs": logs,
        "keys in logs": without_key,
    }


def repeated(unit: str, length: int) -> str:
    """Return a text of about this length that repeats a unit."""
    return unit * (length // len(unit))


def seconds(read: Callable[[str], object], text: str, times: int = 3) -> float:
    """Return the least CPU time of a reader, in seconds."""

    def work() -> None:
        with suppress(PipelineError):
            read(text)

    return best(lambda: cpu_of(work), times)


def growth(read: Callable[[str], object], unit: str, counts: int = 3) -> float:
    """Return the largest ratio of times when the text is doubled; 0 if all are too short."""
    times = [seconds(read, repeated(unit, length), counts) for length in LENGTHS]
    pairs = pairwise(times)
    ratio = max((after / before for before, after in pairs if before > SHORTEST_S), default=0.0)
    if ratio > MOST and counts < MORE:  # something else may have taken the time
        return growth(read, unit, MORE)
    return ratio


def quick_growth(read: Callable[[str], object], unit: str) -> float:
    """Return the ratio of times when the text is four times as long; 0 if all are too short."""
    for pair in pairwise(repeated(unit, length) for length in QUICK_LENGTHS):
        before, after = (seconds(read, text, 1) for text in pair)
        if after > LONG_ENOUGH_S:
            if after > QUICK_MOST * before:
                # Something else may have taken the time.
                before, after = (seconds(read, text) for text in pair)
            return after / before if after < QUICK_S else math.inf
    return 0.0


def is_quick(name: str, read: Callable[[str], object]) -> bool:
    """Print the unit of the largest growth; return whether that shows linear time."""
    ratio, unit = max((quick_growth(read, unit), unit) for unit in UNITS)
    print(f"{name}: four times as long, {ratio:.1f} times the time ({unit!r})")
    return ratio <= QUICK_MOST


def is_linear(name: str, read: Callable[[str], object]) -> bool:
    """Print the line of a reader; return whether it is within the limits."""
    ratio, unit = max((growth(read, unit), unit) for unit in UNITS)
    line, is_within, units = f"{name}: doubled {ratio:.2f} times ({unit!r})", ratio <= MOST, UNITS
    for length, limit in LONG.items():
        times = {unit: seconds(read, repeated(unit, length), 1) for unit in units}
        units = tuple(sorted(times, key=lambda unit: -times[unit]))[:SLOWEST]
        line += f"; {length:,} characters {times[units[0]]:.2f} s ({units[0]!r})"
        is_within &= times[units[0]] <= limit
    print(line, flush=True)
    return is_within


def main() -> int:
    """Print a line for each reader; return the exit status."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("readers", nargs="*")
    arguments.add_argument("--quick", action="store_true")
    chosen = arguments.parse_args()
    check = is_quick if chosen.quick else is_linear
    with TemporaryDirectory() as folder:
        known = readers(Path(folder))
        done = [check(name, known[name]) for name in chosen.readers or known]
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
