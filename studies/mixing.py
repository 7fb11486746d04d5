"""Instances of mixing, and runs of ENHSP on them; see mixing/protocol.md.

``--generate`` writes the instances; ``--continue TIME`` makes the runs that are missing, by rounds
of which none begins after this time, such as ``2026-11-29T23:50Z``. Without an option, print a row
for each stored run.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from pddl_pipeline.model.limits import Limits
from pddl_pipeline.papers.stored_runs import (
    PlannedRun,
    StoredRun,
    StoredRuns,
    read_stored_runs,
    run_planned,
)
from pddl_pipeline.runs.stored_commands import machine
from pddl_pipeline.translators.given_pddl import given_instance

FOLDER: Final = Path(__file__).parent / "mixing"
DOMAIN: Final = FOLDER / "domain.pddl"
DATA: Final = FOLDER / "data" / "mixing.jsonl.gz"
STORE: Final = FOLDER / "runs" / "mixing.jsonl.gz"
PLANNERS: Final = ("enhsp", "enhsp-strict")
TARGETS: Final = ("sample", "constant")
"""What the goal compares the mixture with: a sample that an action weighs, or constants."""
SEED: Final = 20261129
SIZES: Final = range(4, 17, 2)
ROUNDS: Final = 20
LARGEST: Final = 99
"""The largest mass of a portion, in grams."""
WATER: Final = 9
"""The water at hand, in grams."""
LIMITS: Final = Limits(time_s=300, cpu_s=30)
TOLERANCE: Final = 1e-5


class Mixture(NamedTuple):
    """An instance, and a solution by which it was made."""

    id: str
    portions: list[tuple[int, int]]
    """The mass and the solute of each portion."""
    mixed: list[int]
    """The portions that the solution mixes."""
    added: int
    """The units of water that it adds."""

    @property
    def target(self) -> tuple[int, int]:
        """The mass and the solute of the mixture."""
        mass, solute = (sum(self.portions[at][part] for at in self.mixed) for part in (0, 1))
        return 1 + mass + self.added, solute

    def problem(self, target: str) -> str:
        """Return the PDDL of the instance; a gram of water is in the beaker."""
        names = [f"p{at}" for at in range(1, len(self.portions) + 1)]
        mass, solute = self.target
        facts = [
            "(= (mixedmass) 1) (= (mixedsolute) 0) (= (samplemass) 1) (= (samplesolute) 0)",
            f"(= (water) {WATER}) (= (neededmass) {mass})",
            f"(= (givenmass) {mass}) (= (givensolute) {solute})",
        ]
        facts += [
            f"(left {name}) (= (mass {name}) {of}) (= (solute {name}) {part})"
            for name, (of, part) in zip(names, self.portions, strict=True)
        ]
        init = "\n    ".join(facts)
        wanted = {"sample": "sample", "constant": "given"}[target]
        return (
            f"(define (problem {self.id})\n  (:domain mixing)\n"
            f"  (:objects {' '.join(names)} - portion)\n  (:init\n    {init})\n"
            "  (:goal (and (weighed) (>= (mixedmass) (neededmass))\n"
            f"    (= (/ (mixedsolute) (mixedmass)) (/ ({wanted}solute) ({wanted}mass))))))\n"
        )

    @property
    def solution(self) -> list[str]:
        """A valid plan."""
        poured = [f"(pour p{at + 1})" for at in self.mixed]
        return ["(weigh)", *poured, *["(dilute)"] * self.added]


def generate(seed: int = SEED) -> Iterator[Mixture]:
    """Yield all instances, round by round, each round by size."""
    random = Random(seed)
    for number in range(ROUNDS):
        for size in SIZES:
            masses = [random.randint(1, LARGEST) for _ in range(size)]
            portions = [(mass, random.randint(0, mass)) for mass in masses]
            mixed = sorted(random.sample(range(size), size // 2))
            yield Mixture(f"mixing-{size}-{number}", portions, mixed, random.randint(0, WATER))


def read_instances() -> list[Mixture]:
    """Return the stored instances in their order."""
    lines = gzip.decompress(DATA.read_bytes()).splitlines()
    return [Mixture(**json.loads(line)) for line in lines]


def accepted(mixture: Mixture) -> tuple[int, int]:
    """Return the number of mixtures that reach the goal, and of those that miss it by 1e-5 at most.

    A mixture is a set of portions and an amount of water.
    """
    sums = np.array([[1, 0]], dtype=np.int64)
    for portion in mixture.portions:
        sums = np.concatenate([sums, sums + np.array(portion)])
    wanted, part = mixture.target
    exact = near = 0
    for water in range(WATER + 1):
        mass, solute = sums[:, 0] + water, sums[:, 1]
        apart = np.abs(solute * wanted - part * mass)[mass >= wanted]
        exact += int((apart == 0).sum())
        near += int((apart <= TOLERANCE * (mass[mass >= wanted] * wanted)).sum())
    return exact, near - exact


def planned_runs(mixtures: list[Mixture]) -> list[PlannedRun]:
    """Return the runs on instances in their order."""
    domain = DOMAIN.read_text(encoding="utf-8")
    return [
        PlannedRun(
            given_instance(f"{mixture.id}-{target}", domain, mixture.problem(target), {}),
            planner,
            LIMITS,
        )
        for mixture in mixtures
        for target in TARGETS
        for planner in PLANNERS
    ]


class _WithoutTexts(StoredRuns):
    """Stored runs without the texts of their instances, which the dataset has."""

    def append(self, run: StoredRun) -> Any:
        return super().append(replace(run, record={}))


def make_runs(until: str) -> None:
    """Make the missing runs; begin no round after a time."""
    end = datetime.fromisoformat(until)
    mixtures = read_instances()
    with _WithoutTexts(STORE) as store:
        for number in range(ROUNDS):
            if datetime.now(UTC) > end:
                return
            own = mixtures[number * len(SIZES) : (number + 1) * len(SIZES)]
            for _ in run_planned(store, planned_runs(own), lambda *_: {}, machine()):
                pass


def main() -> None:
    """Print a row for each run."""
    mixtures = {mixture.id: mixture for mixture in read_instances()}
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(
        ["instance", "size", "target", "planner", "outcome", "verdict", "steps", "reaching",
         "near", "cpu_s"]
    )  # fmt: skip
    for run in read_stored_runs(STORE):
        found = run.result
        name, _, target = found.id.rpartition("-")
        mixture = mixtures[name]
        writer.writerow(
            [name, len(mixture.portions), target, found.planner, found.outcome,
             found.status or "" if found.claimed else "", found.steps or "", *accepted(mixture),
             found.cpu_s]
        )  # fmt: skip


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--generate"]:
            lines = "".join(json.dumps(mixture._asdict()) + "\n" for mixture in generate())
            DATA.write_bytes(gzip.compress(lines.encode(), mtime=0))
        case ["--continue", until]:
            make_runs(until)
        case _:
            main()
