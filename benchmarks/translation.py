"""Measure the speed and memory of translating datasets: complete processes on one core.

The peer prints the same problems with the `pddl` library, in this process.

    python benchmarks/translation.py
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from random import Random

from clock import cpu_of
from pddl.core import Problem
from pddl.logic.base import And
from pddl.logic.functions import EqualTo, NumericFunction, NumericValue
from pddl.logic.predicates import Predicate
from pddl.logic.terms import Constant

from pddl_pipeline import load_records, translate

SIZE = 10


def main() -> None:
    """Print one line per number of instances, and the comparison with the peer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instances", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        print(f"{'instances':>10} {'CPU s':>7} {'per second':>11} {'peak MiB':>9}  same bytes")
        for count in chosen.instances:
            data = dataset(Path(place), count)
            seconds, memory = translated(data, Path(place) / "one")
            translated(data, Path(place) / "two")
            digests = [digest(Path(place) / name) for name in ("one", "two")]
            same = "yes" if digests[0] == digests[1] else "NO"
            print(f"{count:>10} {seconds:>7.2f} {count / seconds:>11.0f} {memory:>9.0f}  {same}")
            for name in ("one", "two"):
                shutil.rmtree(Path(place) / name)
        against_library(dataset(Path(place), 2_000))


def dataset(place: Path, count: int) -> Path:
    """Write a dataset of random countdown instances; return its file."""
    random = Random(count)
    path = place / f"countdown-{SIZE}-{count}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for index in range(count):
            numbers = [random.randint(1, 99) for _ in range(SIZE)]
            record = {"id": f"cd-{index}", "domain": "countdown", "numbers": numbers}
            file.write(json.dumps(record | {"target": random.randint(1, 999)}) + "\n")
    return path


def translated(data: Path, output: Path) -> tuple[float, float]:
    """Translate a dataset; return CPU seconds, including the start of Python, and peak MiB."""
    command = [Path(sys.executable).with_name("pddl-pipeline"), "translate", data, "-o", output]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"translate exited with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def digest(folder: Path) -> str:
    """Return a hash of the names and contents of all files of a folder."""
    found = sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        found.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return found.hexdigest()


def against_library(data: Path) -> None:
    """Print the speed of printing problems without files, compared with the peer."""
    instances = list(load_records(data))
    ours = cpu_of(lambda: [translate(instance) for instance in instances])
    theirs = cpu_of(lambda: [printed(i.record.numbers, i.record.target) for i in instances])
    print(f"text alone: {len(instances) / ours:.0f}/s, by the pddl library "
          f"{len(instances) / theirs:.0f}/s, ratio {theirs / ours:.1f}")  # fmt: skip


def printed(numbers: Sequence[int], target: int) -> str:
    """Return a countdown problem printed by the library."""
    terms = [Constant(f"n{i}", type_tag="num") for i in range(1, len(numbers) + 1)]
    values = [(NumericFunction("value", term), n) for term, n in zip(terms, numbers, strict=True)]
    values += [(NumericFunction("targetvalue"), target)]
    values += [(NumericFunction("numactive"), len(numbers))]
    init = [Predicate("active", term) for term in terms]
    init += [EqualTo(function, NumericValue(value)) for function, value in values]
    goal = And(Predicate("goalreached"))
    return str(Problem("p", domain_name="countdown", objects=terms, init=init, goal=goal))


if __name__ == "__main__":
    main()
